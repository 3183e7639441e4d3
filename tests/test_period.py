"""Periods: half open, and an algebra (R6)."""

from __future__ import annotations

import itertools
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stead.errors import InvalidInterval
from stead.model.period import BEGINNING, FOREVER, Period, from_datetime, iso, subtract_all, to_datetime

INSTANTS = range(-1, 14)


@st.composite
def periods(draw: st.DrawFn) -> Period:
    """Draw periods on a small axis, so that they touch and overlap often; some are open."""
    start = draw(st.one_of(st.integers(0, 11), st.just(BEGINNING)))
    end = draw(st.one_of(st.integers(max(start, 0) + 1, 12), st.just(FOREVER)))
    return Period(start, end)


def members(*pieces: Period) -> set[int]:
    """Return the instants of the small axis that the pieces hold."""
    return {instant for instant in INSTANTS if any(instant in piece for piece in pieces)}


def test_r6_a_period_holds_its_start_and_not_its_end() -> None:
    """R6: half open."""
    period = Period(3, 5)
    assert [instant for instant in range(8) if instant in period] == [3, 4]


@given(st.integers(0, 5), st.integers(1, 5), st.integers(1, 5))
def test_r6_neighbours_never_both_claim_a_boundary(start: int, first: int, second: int) -> None:
    """R6: [a, b) and [b, c) share no instant, and leave none out."""
    before, after = Period(start, start + first), Period(start + first, start + first + second)
    assert not before.overlaps(after)
    assert before.intersect(after) is None
    assert members(before) & members(after) == set()
    assert members(before, after) == members(Period(start, start + first + second))


@pytest.mark.parametrize(("start", "end"), [(5, 5), (5, 4), (FOREVER, FOREVER), (FOREVER, BEGINNING)])
def test_r9_an_empty_or_reversed_period_is_refused(start: int, end: int) -> None:
    """R9: an interval holds at least one instant."""
    with pytest.raises(InvalidInterval) as caught:
        Period(start, end)
    assert caught.value.code == "invalid_interval"


def test_r6_either_end_may_be_open() -> None:
    """R6: an open end is FOREVER, and holds every later instant."""
    assert Period(3).is_open
    assert not Period(BEGINNING, 3).is_open
    assert 2**61 in Period(3)
    assert -(2**61) in Period(BEGINNING, 3)


@given(periods(), periods())
def test_r6_overlap_is_symmetric_and_means_a_shared_instant(one: Period, other: Period) -> None:
    """R6: overlaps, intersect and membership agree."""
    shared = one.intersect(other)
    assert one.overlaps(other) == other.overlaps(one) == (shared is not None)
    assert shared == other.intersect(one)
    assert (members(shared) if shared else set()) == members(one) & members(other)


@given(periods(), periods())
def test_r6_subtract_removes_exactly_what_the_other_holds(one: Period, other: Period) -> None:
    """R6: subtraction is set difference, in order of time, in at most two pieces."""
    left = one.subtract(other)
    assert members(*left) == members(one) - members(other)
    assert len(left) <= 2
    assert list(left) == sorted(left)
    assert not any(piece.overlaps(other) for piece in left)


@given(periods(), periods())
def test_r6_what_is_shared_and_what_is_left_make_the_whole(one: Period, other: Period) -> None:
    """R6: subtract and intersect split a period without a gap or a double claim."""
    shared = one.intersect(other)
    parts = sorted((*one.subtract(other), *((shared,) if shared else ())))
    assert (parts[0].start, parts[-1].end) == (one.start, one.end)
    assert all(before.end == after.start for before, after in itertools.pairwise(parts))


@given(periods(), st.lists(periods(), max_size=4))
def test_r6_subtracting_many_does_not_depend_on_their_order(one: Period, holes: list[Period]) -> None:
    """R6: subtract_all is the difference with the union."""
    left = subtract_all(one, tuple(holes))
    assert left == subtract_all(one, tuple(reversed(holes)))
    assert members(*left) == members(one) - members(*holes)
    assert list(left) == sorted(left)


def test_r9_instants_keep_microseconds_exactly() -> None:
    """R9: stored in UTC with microseconds, far from the epoch too, whatever offset they were written with."""
    moment = datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)
    assert to_datetime(from_datetime(moment)) == moment
    shifted = datetime(2026, 3, 1, 9, 0, 0, 1, tzinfo=timezone(timedelta(hours=5, minutes=30)))
    assert iso(from_datetime(shifted)) == "2026-03-01T03:30:00.000001Z"


@given(st.datetimes(timezones=st.just(UTC)), st.integers(1, 10**6))
def test_r9_instants_and_datetimes_convert_both_ways(moment: datetime, later: int) -> None:
    """R9: the conversion loses nothing and keeps the order, before 1970 as well."""
    instant = from_datetime(moment)
    assert to_datetime(instant) == moment
    assert from_datetime(moment - timedelta(microseconds=1) if moment.year > 1 else moment) <= instant < instant + later


@pytest.mark.parametrize("end", [BEGINNING, FOREVER])
def test_r6_an_open_end_is_none_outside(end: int) -> None:
    """R6: an open end is spelled as nothing, never as a far date."""
    assert to_datetime(end) is None
    assert iso(end) is None
