"""What limits a claim: its interval, and the value that it says isn't true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise

from stead.extract.rules.listing import Found
from stead.extract.rules.text import Words
from stead.extract.rules.times import Mark
from stead.model.period import Instant, from_datetime, to_datetime
from stead.model.zone import zone


@dataclass(slots=True)
class Limits:
    """The stated interval of a claim."""

    valid_from: Instant | None = None
    valid_until: Instant | None = None
    recurs: str | None = None


def contrast(words: Words, end: int, last: int) -> tuple[str | None, int]:
    """Return the value that a clause says it isn't, and where what it is ends: "21 May, not 12 May"."""
    low = words.low
    at = end
    while at < last and at < end + 2 and low[at] in (",", "and", "but", "-"):
        at += 1
    size = 1 if low[at : at + 1] == ["not"] else 2 if low[at : at + 2] in (["instead", "of"], ["rather", "than"]) else 0
    if not size or at + size >= last or last - at > 9 or (at and low[at - 1] == "but"):
        return None, last
    begin = at + size
    while begin < last - 1 and low[begin] in _SMALL:
        begin += 1
    if low[begin] in _NO_VALUE:
        return None, last
    last = next((at for at in range(begin, last) if low[at] == ","), last)
    return words.slice(begin, last).strip(" .!,"), end


_SMALL = frozenset("in at on for the a an as with to".split())
_NO_VALUE = frozenset(
    "i sure certain kidding joking necessarily at that too really so very only just always anymore because yet much".split()
)


def _narrower(mark: Mark, made: Limits) -> bool:
    """Tell whether words of time say more exactly when: "next month ... from the 3rd to the 19th"."""
    if mark.start is None or mark.end is None or made.valid_from is None or made.valid_until is None:
        return False
    return made.valid_from <= mark.start < mark.end <= made.valid_until


def vague(words: Words, marks: Sequence[Mark]) -> bool:
    """Tell whether a plan is for no time that can be told: "at some point this year or next"."""
    for mark, following in pairwise(marks):
        if not mark.resolved and following.first == mark.last and following.start and following.end:
            return following.end - following.start > _LONG or words.low[following.last : following.last + 1] == ["or"]
    return False


_LONG = 40 * 86_400_000_000
"""Within more than some weeks it isn't known when: a plan at some point this year has no time."""


def happened(start: Instant, said: Instant, zone_name: str) -> Instant:
    """Return when something happened: "I started on Monday" was last Monday, not the coming one."""
    moment = to_datetime(start)
    if not said < start <= said + _WEEK or moment is None:
        return start
    return from_datetime(moment.astimezone(zone(zone_name)) - timedelta(days=7))


_WEEK = 7 * 86_400_000_000


def limits(marks: Sequence[Mark], one: Found, *, plan: bool, did: bool, lasts: bool, ends: bool) -> Limits:
    """Return the stated interval of a claim by the words of time of its clause.

    Parameters
    ----------
    marks
        The words of time.
    one
        What was found; words inside of its values are values ("born on 12 May"), save in plans.
    plan
        It is to come.
    did
        It says that something happened, from when on something else holds: "moved to Nantes last month".
    lasts
        It ends with the time that is named; otherwise that is when it begins.
    ends
        It says that something holds no more.
    """
    made = Limits()
    kinds = ("duration",) if plan else ("duration", "time", "time_range")
    for mark in marks:
        if mark.text.lower().startswith("all ") and (len(marks) > 1 or not plan):
            continue
        inside = any(mark.first <= begin and end <= mark.last for begin, end in one.fit.spans.values())
        if mark.recurs:
            made.recurs = mark.recurs
        elif not mark.resolved or mark.kind in kinds or (inside and not plan):
            continue
        elif ends:
            made.valid_until = mark.start if mark.start is not None else mark.end
        elif (did and not plan) or mark.relation == "since":
            made.valid_from = mark.start
        elif mark.relation in ("until", "by", "before"):
            made.valid_until = mark.end if mark.end is not None else mark.start
        elif _narrower(mark, made) and lasts:
            made.valid_from, made.valid_until = mark.start, mark.end
        elif made.valid_from is None and made.valid_until is None:
            made.valid_from = mark.start
            made.valid_until = mark.end if lasts else None
    if made.valid_from is not None and made.valid_until is not None and made.valid_from >= made.valid_until:
        made.valid_until = None
    return made
