"""Dates as values: days with one reading or many, and the names of weekdays."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Final

from stead.extract.when.reader import Found, Reader, century
from stead.extract.when.value import Span, Value
from stead.extract.when.wall import ONE_DAY, add_months, days_in, midnight
from stead.extract.when.words import DOUBTFUL_DAYS, HOLDERS, MONTHS, THIS, WEEKDAYS

_NEAR: Final = 8
"""Years to either side in which a date without a year is looked for: a leap day comes back within eight."""


def of(*days: date) -> Value:
    """Return days as the readings of one value."""
    return Value("date", tuple(Span(midnight(each), midnight(each) + ONE_DAY) for each in days))


def yearless(reader: Reader, month: int, number: int) -> Value:
    """Return a date without a year: its readings in the years around."""
    years = range(reader.wall.today.year - _NEAR, reader.wall.today.year + _NEAR + 1)
    days = [date(year, month, number) for year in years if number <= days_in(year, month)]
    if not days:
        raise ValueError
    return of(*days)


def weekday_at(reader: Reader, at: int) -> tuple[int, int] | None:
    """Return which weekday stands there, and the place behind it."""
    word = reader.word(at)
    owner = word.endswith("'s")
    number = WEEKDAYS.get(word.removesuffix("'s"))
    if number is None or (owner and reader.word(at + 1) not in HOLDERS):
        return None
    if word in DOUBTFUL_DAYS and not (_day_like(reader, at) or reader.word(at + 1)[:1].isdigit()):
        return None
    after = at + 1
    if (
        word in DOUBTFUL_DAYS
        and reader.word(after) == "."
        and reader.tight(after)
        and reader.word(after + 1)[:1].isdigit()
    ):
        after += 1
    return number, after


def _day_like(reader: Reader, at: int) -> bool:
    """Tell whether a short name of a weekday stands where one would: behind a word of time, or before another."""
    after = reader.word(at + 1)
    joined = (
        after in {"-", "\u2013", "to", "through", "thru", "and", "or", "&", "/", ","}
        and reader.word(at + 2) in WEEKDAYS
    )
    timely = after in {"morning", "afternoon", "evening", "night", "at"} or after in MONTHS
    return reader.anchored(at) or joined or timely


def around(reader: Reader, number: int) -> Iterator[datetime]:
    """Yield a weekday's dates in the weeks around."""
    monday = reader.wall.today - timedelta(days=reader.wall.today.weekday())
    for week in range(-3, 4):
        yield monday + timedelta(days=7 * week + number)


def starts(span: Span) -> datetime:
    """Return the wall time at which a reading begins."""
    assert isinstance(span.start, datetime)
    return span.start


def year_behind(reader: Reader, at: int) -> tuple[int, int] | None:
    """Return the year in "May 12, 2026", "12 May of 2026", "12-May-26"."""
    after = reader.skip(at, ",", "of", "in", "-", "/")
    found = reader.year(after) or reader.spoken_year(after)
    if found is None and reader.word(at) == "of" and (short := reader.digits(after, 32, 99)):
        return century(short), after + 1
    if found is None and reader.tight(at) and reader.word(at) == "-" and reader.tight(after):
        short = reader.digits(after, 0, 99)
        return (century(short), after + 1) if short is not None and len(reader.word(after)) == 2 else None
    return found


def dated(reader: Reader, month: int, number: int, after: int) -> Found:
    """Return a month's day, with the year behind it if one is named."""
    if year := year_behind(reader, after):
        return of(date(year[0], month, number)), year[1]
    this = reader.skip(after, "of", ",")
    if reader.word(this) in THIS and reader.word(this + 1) == "year":
        return of(date(reader.wall.today.year + THIS[reader.word(this)], month, number)), this + 2
    return yearless(reader, month, number), after


def each_month(reader: Reader, number: int, months: int = 13) -> Iterator[datetime]:
    """Yield a day's dates in the months around."""
    first = reader.wall.today.replace(day=1)
    for step in range(-months, months + 1):
        month = add_months(first, step)
        if number <= days_in(month.year, month.month):
            yield month.replace(day=number)


def length_of(span: Span) -> int:
    """Return how many days a reading has."""
    assert isinstance(span.end, datetime)
    return (span.end - starts(span)) // ONE_DAY
