"""The stretch between two times of day: "4 to 5pm", "9:00-17:30", "between 4 and 5"."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from stead.extract.when import clocks
from stead.extract.when.reader import Reader
from stead.extract.when.value import Clock
from stead.extract.when.wall import ONE_DAY
from stead.extract.when.words import DAYS_ALONE, MONTHS

_JOINERS: Final = frozenset({"to", "till", "until", "til", "through", "thru", "-", "\u2013", "\u2014", "~"})


def joint(reader: Reader, at: int, *, between: bool) -> int | None:
    """Return the place behind the word that joins two ends."""
    word = reader.word(at)
    if word in _JOINERS or (between and word in {"and", "&"}):
        after = at + 1
        if word == "up" or (word == "-" and reader.word(after) == "-"):
            after += 1
        return after
    if word == "up" and reader.word(at + 1) in {"to", "until", "till"}:
        return at + 2
    return None


def hours(reader: Reader, at: int, *, bare: bool, named: bool, between: bool = False) -> tuple[Clock, int] | None:
    """Return the stretch between two times of day. A bare hour takes its half of the day from the other end."""
    if named and (found := _military(reader, at, between=between)):
        return found
    first = clocks.clock(reader, at, bare=True)
    link = joint(reader, first[1], between=between) if first else None
    second = clocks.clock(reader, reader.skip(link, "at"), bare=True) if link else None
    if first is None or second is None:
        return None
    sure = not (_only_number(reader, at, first[1]) and _only_number(reader, reader.skip(link or 0, "at"), second[1]))
    part = clocks.part_of_day(reader, second[1]) is not None
    if not (sure or bare or part or (named and _day_follows(reader, second[1])) or (reader.whole and named)):
        return None
    begin, end = _halves(first[0], second[0])
    if end <= begin:
        end += ONE_DAY
    return Clock(begin, end, bare=first[0].bare and second[0].bare, offset=second[0].offset), second[1]


def _military(reader: Reader, at: int, *, between: bool) -> tuple[Clock, int] | None:
    """Return "between 0730 and 0930"."""
    link = joint(reader, at + 1, between=between)
    ends = [reader.word(at), reader.word(link) if link else ""]
    if link is None or not all(
        len(each) == 4 and each.isdigit() and each[:2] < "24" and each[2:] < "60" for each in ends
    ):
        return None
    if not any(each.startswith("0") for each in ends):
        return None
    begin, end = (timedelta(hours=int(each[:2]), minutes=int(each[2:])) for each in ends)
    return Clock(begin, end if end > begin else end + ONE_DAY), link + 1


def in_part(clock: Clock, part: str) -> Clock:
    """Return the hours of a part of day that was named: 7 to 9:30 at night is 19:00 to 21:30."""
    if not clock.bare or clock.end is None:
        return clock
    half, length = timedelta(hours=12), clock.end - clock.start
    start = clocks.in_part(Clock(clock.start % half, bare=True), part).start
    return Clock(start, start + length % half or length, offset=clock.offset)


def _only_number(reader: Reader, at: int, after: int) -> bool:
    """Tell whether an end of the stretch is one number and nothing else."""
    return after == at + 1 and reader.word(at) not in {"noon", "midnight", "midday"}


def _day_follows(reader: Reader, at: int) -> bool:
    """Tell whether a day is named behind the hours, so that bare numbers are hours."""
    word = reader.word(reader.skip(at, "on", ","))
    return word in DAYS_ALONE or word in {"tonight", "tonite", "last", "next", "this"} or word in MONTHS


def _halves(first: Clock, second: Clock) -> tuple[timedelta, timedelta]:
    """Place two times of day: "4 to 5pm" is 16 to 17, "11 to 1pm" 11 to 13, "9 to 5" 9 to 17."""
    half = timedelta(hours=12)
    if first.bare and not second.bare:
        low = first.start % half
        late = low + half
        end = second.start if second.start > timedelta() else ONE_DAY
        return (late if late < end else low), end
    if second.bare and not first.bare:
        high = second.start % half
        return first.start, high if high > first.start else high + half
    low, high = clocks.settled(first).start, clocks.settled(second).start
    if first.bare and high <= low and high + half > low and high < half:
        high += half
    return low, high
