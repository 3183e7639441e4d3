"""Lengths, alone and with the time at which they begin: "3 days", "3 days starting Monday", "Friday at 5pm for 2 hours"."""

from __future__ import annotations

from typing import Final

from stead.extract.when import clocks, days, moments
from stead.extract.when.reader import Found, Reader
from stead.extract.when.value import Length, Span, Value
from stead.extract.when.words import UNITS

_COUNTED: Final = frozenset("once twice thrice times dollars euros bucks per km miles kilometers".split())


def length_from(reader: Reader, at: int) -> Found | None:
    """Return "3 days starting next Monday", "for 2 hours from 2pm", "from 2pm for 2 hours"."""
    if reader.word(at) in {"from", "starting", "beginning"}:
        start = reader.longest(at + 1, moments.stamp, moments.dated, days.day, moments.clock_alone)
        found = reader.length(start[1] + 1) if start and reader.word(start[1]) == "for" else None
        if start is None or found is None:
            return None
        return _lasting(reader, start[0], found[0]), found[1]
    if (dated_from := _day_from(reader, at)) and reader.word(dated_from[1]) == "for":
        lasting = reader.length(dated_from[1] + 1)
        return (_lasting(reader, dated_from[0], lasting[0]), lasting[1]) if lasting else None
    found = reader.length(reader.skip(at, "for"))
    if found is None:
        return None
    link = reader.skip(found[1], ",")
    if reader.word(link) == "from" and reader.word(at) != "for" and link == found[1]:
        return None  # counted: "a week from Friday"
    if reader.word(link) not in {"from", "starting", "beginning", "commencing"}:
        return None
    behind = reader.skip(link + 1, "from", "on", "at")
    start = reader.longest(behind, moments.stamp, moments.dated, days.day, moments.clock_alone)
    return (_lasting(reader, start[0], found[0]), start[1]) if start else None


def _day_from(reader: Reader, at: int) -> Found | None:
    """Return "Friday at 5pm", "14 Feb from 9:30am"."""
    day = reader.once(days.day, at)
    if day is None or day[0].kind != "date":
        return None
    timed = clocks.clock(reader, reader.skip(day[1], "at", "from", ","))
    return (moments.at_clock(day[0], timed[0]), timed[1]) if timed else None


def _lasting(reader: Reader, start: Value, length: Length) -> Value:
    first = start.next(reader.wall).start
    sub_day = start.point or not length.whole_days
    kind = "time_range" if start.kind == "time" else "date_time_range" if sub_day else "date_range"
    return Value(kind, (Span(first, length.from_moment(first, reader.wall)),), "minute" if sub_day else "day")


def plain_length(reader: Reader, at: int) -> Found | None:
    """Return a length alone: "3 days", "two and a half hours". Not a rate: "twice a day", "$20 an hour"."""
    found = reader.length(at)
    if found is None:
        return None
    length, after, unit = found
    if reader.word(at) in {"a", "an"} and not reader.whole:
        before = reader.word(at - 1)
        rate = before in _COUNTED
        if rate or before in UNITS or (before and not before[0].isalpha() and before not in {",", ".", "(", "'", '"'}):
            return None
        if before[:1].isdigit():
            return None
    return Value("duration", (), unit, length=length), after
