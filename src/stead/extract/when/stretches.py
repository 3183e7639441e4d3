"""Parts and counts of longer stretches: "the next 3 days", "early March", "the end of the month", "the 90s"."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Final

from stead.extract.when import periods
from stead.extract.when.reader import Found, Reader, century, decade
from stead.extract.when.value import Length, Span, Value
from stead.extract.when.wall import MONTHS_OF, ONE_DAY, Moment, Wall, add_months, floor, midnight, period, shift
from stead.extract.when.words import THIS, UNITS

_SUBDIVIDED: Final = frozenset({"week", "month", "quarter", "season", "year", "decade", "half", "weekend", "century"})
_WHOLE: Final = frozenset({"quarter", "decade", "century"})
_THIRDS: Final = {"early": 0, "mid": 1, "late": 2, "beginning": 0, "start": 0, "middle": 1, "end": 2}


def stretch(reader: Reader, at: int) -> Found | None:
    """Return a stretch of days."""
    return reader.longest(at, _edge, periods.outer, periods.week, periods.named_unit, _several, _first_of, _decade)


def _several(reader: Reader, at: int) -> Found | None:
    """Return "the next 3 days", "the past two weeks", "the 2 previous quarters".

    Of days and longer they are whole days: the next three begin tomorrow, the past three end yesterday; of quarters, whole
    quarters; of hours, they begin or end at the moment of speaking.
    """
    found = _directed(reader, reader.skip(at, "the", "these"))
    if found is None:
        return _working_days(reader, reader.skip(at, "the", "these"))
    direction, length, unit, after = found
    wall = reader.wall
    if not length.whole_days:
        here, there = (
            wall.said,
            length.from_moment(wall.now, wall) if direction > 0 else (-length).from_moment(wall.now, wall),
        )
        spans = (Span(here, there),) if direction > 0 else (Span(there, here),)
        return Value("date_time_range", spans, unit, length=length), after
    start, end = period(wall.today, unit) if unit in _WHOLE else (wall.today, wall.today + ONE_DAY)
    span = Span(end, _later(length, end, wall)) if direction > 0 else Span(_later(-length, start, wall), start)
    return Value("date_range", (span,), unit, length=length), after


def _working_days(reader: Reader, at: int) -> Found | None:
    """Return "the next 4 business days": weekdays without the weekends between them; holidays are not known."""
    direction = THIS.get(reader.word(at), 0)
    count = reader.number(at + 1) if direction else None
    if (
        count is None
        or reader.word(count[1]) not in {"business", "working", "work"}
        or reader.word(count[1] + 1) != "days"
    ):
        return None
    left, day, step = int(count[0]), reader.wall.today, ONE_DAY if direction > 0 else -ONE_DAY
    while left > 0:
        day += step
        left -= day.weekday() < 5
    span = Span(reader.wall.today + ONE_DAY, day + ONE_DAY) if direction > 0 else Span(day, reader.wall.today)
    return Value("date_range", (span,), "day"), count[1] + 2


def _later(length: Length, moment: datetime, wall: Wall) -> Moment:
    return length.from_moment(moment, wall)


def _directed(reader: Reader, at: int) -> tuple[int, Length, str, int] | None:
    """Return the direction, length, unit and place behind "next 3 days" or "3 next days"."""
    direction = 0 if reader.verb_last(at) else THIS.get(reader.word(at), 0)
    if direction and reader.word(at + 1) == "hour":
        return direction, Length.of(Fraction(1), "hour"), "hour", at + 2
    if direction:
        found = None if reader.word(at + 1) in {"a", "an"} else reader.length(at + 1)
        found = reader.part_of_length(at + 1) if found and reader.word(found[1]) == "ago" else found
        return (direction, found[0], found[2], found[1]) if found else None
    count = reader.number(at)
    direction = THIS.get(reader.word(count[1]), 0) if count and reader.word(at) not in {"a", "an"} else 0
    unit = UNITS.get(reader.word(count[1] + 1), "") if count else ""
    if not direction or not unit or count is None or not reader.word(count[1] + 1).endswith("s"):
        return None
    return direction, Length.of(count[0], unit), unit, count[1] + 2


def _first_of(reader: Reader, at: int) -> Found | None:
    """Return "the first week of May", "the last four months of 2021", "the third month of 2021"."""
    start = reader.skip(at, "the")
    last = reader.word(start) == "last"
    number = (-1, start + 1) if last else reader.ordinal(start, 12)
    if number is None:
        return None
    count = reader.part_of_length(number[1]) if number[0] in {1, -1} else None
    unit = count[2] if count else UNITS.get(reader.word(number[1]), "")
    after = count[1] if count else number[1] + 1
    if (
        reader.word(after) not in {"of", "in"}
        or unit not in {"day", "week", "month"}
        or (unit == "day" and count is None)
    ):
        return None
    found = reader.longest(after + 1, periods.outer, periods.week)
    if found is None or found[0].unit == unit:
        return None
    length = count[0] if count else None
    spans = [each for span in found[0].spans if (each := _inside(span, number[0], unit, length, reader.wall))]
    return (Value("date_range", tuple(spans), unit), found[1]) if spans else None


def _inside(outer: Span, number: int, unit: str, length: Length | None, wall: Wall) -> Span | None:
    start, end = outer.start, outer.end
    assert isinstance(start, datetime)
    assert isinstance(end, datetime)
    if length is not None:
        span = Span(start, _later(length, start, wall)) if number > 0 else Span(_later(-length, end, wall), end)
    elif unit == "week":
        thursday = timedelta(days=3)  # a week belongs to the month that holds its Thursday
        first = floor(start, "week")
        first += timedelta(days=0 if first + thursday >= start else 7)
        last = floor(end - ONE_DAY, "week")
        last -= timedelta(days=0 if last + thursday < end else 7)
        begin = first + timedelta(days=7 * (number - 1)) if number > 0 else last
        return Span(begin, begin + timedelta(days=7)) if first <= begin <= last else None
    else:
        begin = shift(start, number - 1, unit) if number > 0 else shift(end, -1, unit)
        span = Span(begin, shift(begin, 1, unit))
    assert isinstance(span.start, datetime)
    assert isinstance(span.end, datetime)
    return span if start <= span.start and span.end <= end else None


def _decade(reader: Reader, at: int) -> Found | None:
    """Return "the 90s", "the 1990s", "the nineties"."""
    start = reader.skip(at, "the")
    if (nth := reader.ordinal(start)) and reader.word(nth[1]) == "century" and nth[0] <= 30:
        begin = midnight(date(max(100 * (nth[0] - 1), 1), 1, 1))
        return Value("date_range", (Span(begin, shift(begin, 1, "century")),), "century"), nth[1] + 1
    sure = start > at or reader.whole or reader.word(at - 1) in {"in", "since", "early", "mid", "late", "-"}
    if not sure and len(reader.word(at)) != 4:
        return None
    apostrophe = start + 1 if reader.word(start) in {"'", "\u2019"} else start
    first = decade(reader.word(start))
    after = start + 1
    if first is None:
        number = reader.digits(apostrophe, 0, 2990, longest=4)
        end = reader.skip(apostrophe + 1, "'", "\u2019")
        if number is None or number % 10 or reader.word(end) != "s" or not reader.tight(end):
            return None
        first = number if len(reader.word(apostrophe)) == 4 else century(number) if number >= 20 else 2000 + number
        if len(reader.word(apostrophe)) not in {2, 4}:
            return None
        after = end + 1
    begin = midnight(date(first, 1, 1))
    return Value("date_range", (Span(begin, shift(begin, 1, "decade")),), "decade"), after


def _edge(reader: Reader, at: int) -> Found | None:
    """Return the early, middle or late part of a stretch: "early March", "the end of next year"; "the rest of the week"."""
    start = reader.skip(at, "the")
    word = reader.word(start)
    if word in {"rest", "remainder"} and reader.word(start + 1) == "of":
        return _rest(reader, start + 2)
    if word == "earlier" and reader.word(start + 1) == "this" and (found := reader.once(periods.this_unit, start + 1)):
        begin = found[0].spans[0].start
        end = reader.wall.today if isinstance(begin, datetime) and begin < reader.wall.today else reader.wall.said
        return Value("date_range", (Span(begin, end),), found[0].unit), found[1]
    if word == "later" and reader.word(start + 1) in {"this", "today"}:
        return _rest(reader, start + 1)
    short = {"eom": "month", "eoy": "year", "eow": "week"}.get(word)
    if short:
        return _third(periods.whole(reader.wall.today, short), 2, "end"), start + 1
    which = _THIRDS.get(word)
    if which is None:
        return None
    link = word in {"beginning", "start", "middle", "end"}
    if link and reader.word(start + 1) != "of":
        return None
    behind = reader.skip(start + 1, "of", "in", "-")
    found = reader.longest(behind, periods.outer, periods.week, periods.named_unit, _decade)
    if found is None or found[0].unit not in _SUBDIVIDED:
        return None
    return _third(found[0], which, ("start", "middle", "end")[which] if link else ""), found[1]


def _third(value: Value, which: int, edge: str) -> Value:
    spans = []
    for span in value.spans:
        assert isinstance(span.start, datetime)
        assert isinstance(span.end, datetime)
        spans.append(Span(*_cut(span.start, span.end, value.unit, which, narrow=bool(edge))))
    return Value("date_range", tuple(spans), value.unit, edge=edge)


def _cut(start: datetime, end: datetime, unit: str, which: int, *, narrow: bool) -> tuple[datetime, datetime]:
    """Return a part of a stretch: its halves are "early" and "late", its thirds its beginning, middle and end."""
    if unit == "month":
        half, low, high = (start + timedelta(days=each) for each in (15, 10, 20))
    elif unit in {"year", "decade", "century"}:
        months = MONTHS_OF[unit]
        half, low, high = (add_months(start, each) for each in (months // 2, months // 3, 2 * months // 3))
    else:
        days = (end - start) // ONE_DAY
        half, low, high = (start + timedelta(days=round(days * part)) for part in (0.5, 1 / 3, 2 / 3))
    return ((start, low if narrow else half), (low, high), (high if narrow else half, end))[which]


def _rest(reader: Reader, at: int) -> Found | None:
    """Return "the rest of the week": from the moment of speaking to its end."""
    after = reader.said(at, "the", "day") or reader.said(at, "today")
    if after:
        end = reader.wall.today + ONE_DAY
        return Value("date_time_range", (Span(reader.wall.said, end),), "day"), after
    found = reader.longest(at, periods.outer, periods.week, periods.named_unit)
    if found is None:
        return None
    return Value("date_range", (Span(reader.wall.said, found[0].next(reader.wall).end),), found[0].unit), found[1]
