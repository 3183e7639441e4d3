"""Longer stretches of the calendar: "next week", "March 2026", "Q1", "this summer", "the 90s", "the end of the month"."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final

from stead.extract.when.reader import Found, Reader, century
from stead.extract.when.value import Span, Value
from stead.extract.when.wall import add_months, midnight, period
from stead.extract.when.words import (
    CLEAR_MONTHS,
    DOUBTFUL_SEASONS,
    MONTHS,
    SEASONS,
    THIS,
    UNITS,
    VERB_MONTHS,
    WEAK_ANCHORS,
)

_NEAR: Final = 3
_CALENDAR: Final = frozenset(
    {"week", "weekend", "fortnight", "month", "quarter", "season", "year", "decade", "century"}
)
_NUMBERED: Final = frozenset(
    "room no number flat apartment bus flight gate line model page route version windows office".split()
)
_YEAR_BEFORE: Final = frozenset(
    "in since until till by before after from to through thru of between during around year and the for next".split()
)


def month_at(reader: Reader, at: int) -> tuple[int, int] | None:
    """Return which month's name stands there, with its full stop, whatever its neighbours are."""
    number = MONTHS.get(reader.word(at))
    if number is None:
        return None
    short = len(reader.word(at)) <= 4 and reader.word(at) not in {"may", "june", "july"}
    after = at + 1
    if short and reader.word(after) == "." and reader.tight(after) and reader.word(after + 1)[:1].isdigit():
        after += 1
    return number, after


def whole(start: datetime, unit: str, offset: int = 0) -> Value:
    """Return the calendar unit around a wall time, or one some places from it."""
    return Value("date_range", (Span(*period(start, unit, offset)),), unit)


def each_year(reader: Reader, month: int, months: int, unit: str) -> Value:
    """Return months that come back every year."""
    spans = []
    for year in range(reader.wall.today.year - _NEAR, reader.wall.today.year + _NEAR + 1):
        start = midnight(date(year, month, 1))
        spans.append(Span(start, add_months(start, months)))
    return Value("date_range", tuple(spans), unit)


def outer(reader: Reader, at: int) -> Found | None:
    """Return what can hold a "first Monday": a month, a quarter, a season, a year."""
    return reader.longest(at, month, _quarter, _half, _season, year, this_unit)


def week(reader: Reader, at: int) -> Found | None:
    """Return "this week", "next week", "the week after next"."""
    found = reader.once(this_unit, at)
    return found if found and found[0].unit == "week" else None


def month(reader: Reader, at: int) -> Found | None:
    """Return "March", "May 2026", "the month of May", "next March"."""
    start = reader.said(at, "the", "month", "of") or reader.said(at, "month", "of") or at
    direction = THIS.get(reader.word(start)) if start == at else None
    start += direction is not None
    if start == at and (leading := reader.year(at)) and (found := month_at(reader, reader.skip(leading[1], "-", ","))):
        return whole(midnight(date(leading[0], found[0], 1)), "month"), found[1]
    found = month_at(reader, start)
    if found is None:
        return None
    number, after = found
    if named := _year_of(reader, after):
        return whole(midnight(date(named[0], number, 1)), "month"), named[1]
    if direction is not None:
        if reader.word(at) == "this" and reader.word(start) in VERB_MONTHS and reader.raw(start).raw.islower():
            return None
        return _directed(reader, each_year(reader, number, 1, "month"), reader.word(at)), after
    if not _is_month(reader, start, after, named_before=start > at):
        return None
    return each_year(reader, number, 1, "month"), after


def _is_month(reader: Reader, at: int, after: int, *, named_before: bool) -> bool:
    """Tell a month from the verb and from the person of the same name."""
    word = reader.word(at)
    if reader.whole or named_before or word in CLEAR_MONTHS:
        return True
    before = reader.word(at - 1)
    joined = reader.word(after) in {"to", "through", "thru", "till", "until", "-", "\u2013", "and", "or"}
    if joined and reader.word(after + 1) in MONTHS and (reader.word(after) != "and" or reader.anchored(at)):
        return True
    if word in VERB_MONTHS and reader.raw(at).raw.islower():
        loose = before in WEAK_ANCHORS or (before in {"and", "or", ","} and not reader.before_more(after))
        return not loose and reader.anchored(at) and reader.word(after) not in {"be", "i", "have", "on"}
    return reader.anchored(at)


def _year_of(reader: Reader, at: int) -> tuple[int, int] | None:
    """Return the year behind a month or a quarter: "March 2026", "March of next year", "March, '26"."""
    start = reader.skip(at, ",", "of", "in", "-", "/")
    start = reader.skip(start, "the", "year")
    if found := reader.year(start) or reader.spoken_year(start):
        return None if _counts(reader, found[1]) else found
    if reader.word(start - 1) == "of" and (short := reader.digits(start, 32, 99)):
        return century(short), start + 1
    relative = this_unit(reader, start) or this_unit(reader, reader.skip(reader.skip(at, ","), "of", "in"))
    if relative and relative[0].unit == "year":
        return first_of(relative[0]).year, relative[1]
    return None


def first_of(value: Value) -> datetime:
    """Return the wall time at which a value's first reading begins."""
    start = value.spans[0].start
    assert isinstance(start, datetime)
    return start


def _counts(reader: Reader, at: int) -> bool:
    """Tell whether the number before counts things or is money: "2000 people", "1999 dollars"."""
    return reader.word(at) in {
        "dollars",
        "euros",
        "people",
        "times",
        "pounds",
        "km",
        "miles",
        "%",
        "steps",
        "calories",
        "usd",
    }


def _directed(reader: Reader, readings: Value, word: str) -> Value:
    """Choose "this", "next" or "last" of something that comes back every year.

    "Next March" is the first that has not begun; "last March" the latest that has ended; "this March" is this year's, and
    "this winter" the one that is running.
    """
    wall = reader.wall
    if THIS[word] > 0:
        return readings.narrowed(readings.coming(wall))
    if THIS[word] < 0:
        return readings.narrowed(next(span for span in reversed(readings.spans) if wall.ended(span.end)))
    running = [span for span in readings.spans if wall.begun(span.start) and not wall.ended(span.end)]
    return readings.narrowed(*(running or [span for span in readings.spans if _year(span) == wall.today.year]))


def _year(span: Span) -> int:
    assert isinstance(span.start, datetime)
    return span.start.year


def _quarter(reader: Reader, at: int) -> Found | None:
    """Return "Q1 2017", "2017 q1", "the first quarter of 2017", "Q3"."""
    leading = reader.year(at) or _owned_year(reader, at)
    start = reader.skip(leading[1], "-", "/", ",") if leading else reader.skip(at, "the")
    found = _numbered(reader, start, "q", "quarter", 4)
    if found is None:
        return None
    number, after = found
    named = leading or _year_of(reader, after)
    if named:
        first = midnight(date(named[0], 3 * number - 2, 1))
        return Value("date_range", (Span(first, add_months(first, 3)),), "quarter"), max(after, named[1])
    return each_year(reader, 3 * number - 2, 3, "quarter"), after


def _owned_year(reader: Reader, at: int) -> tuple[int, int] | None:
    """Return the year of "next year's first quarter"."""
    if reader.word(at) in THIS and reader.word(at + 1) == "year's":
        return reader.wall.today.year + THIS[reader.word(at)], at + 2
    return None


def _numbered(reader: Reader, at: int, letter: str, word: str, high: int) -> tuple[int, int] | None:
    """Return the number in "Q1" or in "first quarter"."""
    if reader.word(at) == letter and reader.tight(at + 1) and (number := reader.digits(at + 1, 1, high)):
        return number, at + 2
    if letter == "q" and (number := reader.digits(at, 1, high)) and reader.word(at + 1) == "q" and reader.tight(at + 1):
        return number, at + 2
    last = reader.word(at) == "last" and reader.word(at + 2) == "of"
    found = (high, at + 1) if last else reader.ordinal(at, high)
    if found is None or reader.word(found[1]) != word:
        return None
    return found[0], found[1] + 1


def _half(reader: Reader, at: int) -> Found | None:
    """Return "the first half of 2018", "H2 2019", "the second half of the year"."""
    leading = reader.year(at)
    start = reader.skip(leading[1], "-", "/") if leading else reader.skip(at, "the")
    found = _numbered(reader, start, "h", "half", 2)
    if found is None:
        return None
    number, after = found
    named = leading or _year_of(reader, after)
    if named:
        first = midnight(date(named[0], 6 * number - 5, 1))
        return Value("date_range", (Span(first, add_months(first, 6)),), "half"), max(after, named[1])
    inside = reader.longest(after + 1, this_unit, month) if reader.word(after) == "of" else None
    if inside is None:
        return None
    return Value("date_range", tuple(_half_of(span, number) for span in inside[0].spans), "half"), inside[1]


def _half_of(span: Span, number: int) -> Span:
    assert isinstance(span.start, datetime)
    assert isinstance(span.end, datetime)
    middle = midnight((span.start + (span.end - span.start) / 2).date())
    return Span(span.start, middle) if number == 1 else Span(middle, span.end)


def _season(reader: Reader, at: int) -> Found | None:
    """Return "summer", "this winter", "fall of 2019", "summer '19"."""
    direction = reader.word(at) if reader.word(at) in THIS else ""
    start = at + 1 if direction else reader.skip(at, "the")
    word = reader.word(start)
    if word not in SEASONS:
        return None
    if named := _year_of(reader, start + 1):
        first = midnight(date(named[0], SEASONS[word], 1))
        return Value("date_range", (Span(first, add_months(first, 3)),), "season"), named[1]
    readings = each_year(reader, SEASONS[word], 3, "season")
    if direction:
        return _directed(reader, readings, direction), start + 1
    doubtful = word in DOUBTFUL_SEASONS and not reader.anchored(start) and reader.word(start - 1) != "the"
    return None if doubtful or not reader.before_more(start + 1) else (readings, start + 1)


def year(reader: Reader, at: int) -> Found | None:
    """Return "2019", "the year 2019", "'19"."""
    start = reader.skip(reader.skip(at, "the"), "calendar")
    start = reader.skip(reader.skip(start, "year"), "of") if reader.word(start) == "year" else at
    found = reader.year(start)
    if found is None and (reader.anchored(at) or start > at or reader.word(at) == "nineteen"):
        found = reader.spoken_year(start)
    if found is None or _counts(reader, found[1]):
        return None
    number, after = found
    if reader.tight(start) and reader.word(start - 1) in {"$", "\u20ac", "\u00a3", "#", ".", "-", "/", ":"}:
        return None
    plain = start == at and not reader.whole
    if plain and reader.word(at - 1) in _NUMBERED:
        return None
    if plain and not (1800 <= number <= 2199):
        return None
    if plain and reader.word(at - 1) not in _YEAR_BEFORE and not reader.before_more(after):
        return None
    return whole(midnight(date(number, 1, 1)), "year"), after


def this_unit(reader: Reader, at: int) -> Found | None:
    """Return "next week", "the month", "this year", "last weekend", "the week after next"."""
    start = reader.skip(reader.skip(at, "the", "my", "our", "all"), "whole", "entire")
    word = reader.word(start)
    unit = UNITS.get(word, "")
    if start > at and unit in _CALENDAR and not word.endswith("s"):
        return _with_the(reader, unit, start)
    if word not in THIS or reader.verb_last(start):
        return None
    count, start = THIS[word], start + 1
    if word in {"this", "last"} and reader.word(start) in {"coming", "past", "current"}:
        count, start = THIS[reader.word(start)], start + 1
    unit = UNITS.get(reader.word(start), "")
    if unit not in _CALENDAR or (reader.word(start).endswith("s") and unit != "century"):
        return None
    if unit == "weekend" and count == -1 and reader.wall.today.weekday() == 6:
        count = -1
    return whole(reader.wall.today, unit, count), start + 1


def _with_the(reader: Reader, unit: str, at: int) -> Found | None:
    """Return "the week", "the weekend", "the month after next", "the year before last"."""
    if reader.said(at + 1, "after", "next"):
        return whole(reader.wall.today, unit, 2), at + 3
    if reader.said(at + 1, "before", "last"):
        return whole(reader.wall.today, unit, -2), at + 3
    if reader.word(at + 1) in {"of", "after", "before", "ago"}:
        return None
    if unit == "weekend":
        return _weekends(reader), at + 1
    return (whole(reader.wall.today, unit), at + 1) if unit in {"week", "month", "quarter", "year"} else None


def _weekends(reader: Reader) -> Value:
    return Value(
        "date_range", tuple(Span(*period(reader.wall.today, "weekend", each)) for each in (-1, 0, 1)), "weekend"
    )


def named_unit(reader: Reader, at: int) -> Found | None:
    """Return "weekend" alone, and "week 12 of 2026"."""
    if reader.word(at) == "weekend" and (reader.anchored(at) or reader.before_more(at + 1)):
        return _weekends(reader), at + 1
    start = reader.skip(at, "the")
    iso = reader.year(at)
    if iso and (week_at := reader.said(iso[1], "-", "w")) and (number := reader.digits(week_at, 1, 53)):
        first = midnight(date.fromisocalendar(iso[0], number, 1))
        return Value("date_range", (Span(first, first + timedelta(days=7)),), "week"), week_at + 1
    if reader.word(start) == "week" and (number := reader.digits(start + 1, 1, 53)):
        at, named = start, _year_of(reader, start + 2)
        if named or (reader.word(at + 2) != "of" and reader.before_more(at + 2)):
            year_number = named[0] if named else reader.wall.today.year
            first = midnight(date.fromisocalendar(year_number, number, 1))
            return Value("date_range", (Span(first, first + timedelta(days=7)),), "week"), named[1] if named else at + 2
    return None
