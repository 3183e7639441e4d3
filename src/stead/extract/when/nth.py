"""Days by their place: "the last Monday of March", "the first day of next month"; and holidays on fixed dates."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from functools import cache

from stead.extract.when import periods
from stead.extract.when.dates import dated, of, weekday_at, yearless
from stead.extract.when.reader import Found, Reader
from stead.extract.when.value import Span, Value
from stead.extract.when.wall import ONE_DAY
from stead.extract.when.words import HOLIDAYS, THIS


def nth(reader: Reader, at: int) -> Found | None:
    """Return "first Monday of March", "the last day of next month", "the second weekend in May"."""
    if reader.word(at) == "last":
        number, after = -1, at + 1
    elif found := reader.ordinal(at, 5):
        number, after = found
    else:
        return None
    weekday = weekday_at(reader, after)
    if weekday is None and reader.word(after) not in {"day", "weekend"}:
        return None
    inside = nth_outer(reader, weekday[1] if weekday else after + 1)
    if inside is None:
        return None
    holder, behind = inside
    weekend = reader.word(after) == "weekend"
    spans = [_pick(span, number, 5 if weekend else weekday[0] if weekday else None) for span in holder.spans]
    if weekend:
        return Value("date_range", tuple(Span(each, each + 2 * ONE_DAY) for each in spans if each), "weekend"), behind
    return of(*(each for each in spans if each)), behind


def nth_outer(reader: Reader, at: int) -> Found | None:
    """Return what holds a "first Monday": "of March", "next month"."""
    link = reader.skip(at, "of", "in")
    return periods.outer(reader, link) if link > at or reader.word(link) in THIS else None


def nth_weekday(reader: Reader, at: int) -> tuple[int, int, int] | None:
    """Return the number, the weekday and the place behind "first Monday"."""
    start = reader.skip(at, "the")
    found = (-1, start + 1) if reader.word(start) == "last" else reader.ordinal(start, 5)
    weekday = weekday_at(reader, found[1]) if found else None
    return (found[0], weekday[0], weekday[1]) if found and weekday else None


def nth_of(number: int, weekday: int, holder: Value) -> Value:
    """Return the first, second... or last weekday of a month or the like."""
    return of(*(each for span in holder.spans if (each := _pick(span, number, weekday))))


def _pick(span: Span, number: int, weekday: int | None) -> datetime | None:
    assert isinstance(span.start, datetime)
    assert isinstance(span.end, datetime)
    size = 1 if weekday is None else 7
    if number < 0:
        last = span.end - ONE_DAY
        found = last if weekday is None else last - timedelta(days=(last.weekday() - weekday) % 7)
    else:
        skip = 0 if weekday is None else (weekday - span.start.weekday()) % 7
        found = span.start + timedelta(days=skip + size * (number - 1))
    return found if span.start <= found < span.end else None


@cache
def _holidays() -> dict[str, list[tuple[tuple[str, ...], tuple[int, int]]]]:
    """Return the holidays by their first word, the longest names first."""
    names: dict[str, list[tuple[tuple[str, ...], tuple[int, int]]]] = {}
    for words, day in sorted(HOLIDAYS.items(), key=lambda each: -len(each[0])):
        names.setdefault(words[0], []).append((words, day))
    return names


def holiday(reader: Reader, at: int) -> Found | None:
    """Return a holiday on a fixed date, with its year if it is named."""
    start = at + 1 if reader.word(at) in THIS else at
    for words, (month, number) in _holidays().get(reader.word(start), ()):
        after = reader.said(start, *words)
        if after is None:
            continue
        if start > at:
            year = reader.wall.today.year
            if THIS[reader.word(at)] == 0:
                return of(date(year, month, number)), after
            readings = yearless(reader, month, number)
            later = THIS[reader.word(at)] > 0
            return readings.narrowed(readings.coming(reader.wall) if later else _before(reader, readings)), after
        return dated(reader, month, number, after)
    return None


def _before(reader: Reader, readings: Value) -> Span:
    return next(span for span in reversed(readings.spans) if reader.wall.ended(span.end))
