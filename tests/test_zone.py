"""Structured time is read strictly (R9)."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stead.errors import AmbiguousTime, InvalidArgument, NaiveTime
from stead.model.period import from_datetime, iso
from stead.model.zone import Reading, TimeInput, instant, wall

BERLIN, LORD_HOWE, LONDON = "Europe/Berlin", "Australia/Lord_Howe", "Europe/London"


def naive(text: str) -> datetime:
    """Return a datetime without a zone: a wall time."""
    return datetime.fromisoformat(text)


FIRST, LAST = naive("1971-01-01"), naive("2037-01-01")


def utc(value: TimeInput, zone_name: str | None = BERLIN, reading: Reading | None = None) -> str | None:
    """Read a time and spell it in UTC."""
    return iso(instant(value, zone_name=zone_name, reading=reading))


@pytest.mark.parametrize("value", ["2026-03-01T09:00", naive("2026-03-01T09:00"), date(2026, 3, 1), "2026-03-01"])
def test_r9_a_wall_time_without_a_zone_is_refused(value: TimeInput) -> None:
    """R9: naive_time, with the field that is wrong."""
    with pytest.raises(NaiveTime) as caught:
        instant(value, field="valid_from")
    assert (caught.value.code, caught.value.field) == ("naive_time", "valid_from")
    assert caught.value.hint


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-03-01T09:00", "2026-03-01T08:00:00Z"),  # winter
        ("2026-07-01T09:00", "2026-07-01T07:00:00Z"),  # summer
        (naive("2026-07-01T09:00"), "2026-07-01T07:00:00Z"),
        (" 2026-07-01T09:00 ", "2026-07-01T07:00:00Z"),
        ("2026-07-01 09:00:30.000001", "2026-07-01T07:00:30.000001Z"),
    ],
)
def test_r9_a_naive_time_is_read_in_the_zone(value: TimeInput, expected: str) -> None:
    """R9: with a zone a wall time is exact, to the microsecond."""
    assert utc(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-07-01T09:00Z", "2026-07-01T09:00:00Z"),
        ("2026-07-01T09:00+05:30", "2026-07-01T03:30:00Z"),
        ("2026-10-25T02:30+01:00", "2026-10-25T01:30:00Z"),  # inside Berlin's fold
        ("2026-03-29T02:30+01:00", "2026-03-29T01:30:00Z"),  # inside Berlin's gap
        (datetime(2026, 7, 1, 9, tzinfo=timezone(timedelta(hours=-8))), "2026-07-01T17:00:00Z"),
    ],
)
def test_r9_an_offset_beats_the_zone(value: TimeInput, expected: str) -> None:
    """R9: what carries an offset needs no zone and no reading."""
    assert utc(value) == expected
    assert utc(value, zone_name=None) == expected


def test_r9_a_date_is_midnight_there() -> None:
    """R9: a bare date means 00:00 in the zone, as text and as a date."""
    assert utc("2026-07-01") == utc(date(2026, 7, 1)) == "2026-06-30T22:00:00Z"


FOLDS_AND_GAPS = [
    (BERLIN, "2026-10-25T02:30", "fold", "2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"),
    (BERLIN, "2026-03-29T02:30", "gap", "2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z"),
    (LONDON, "2026-10-25T01:00", "fold", "2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z"),
    (LORD_HOWE, "2026-10-04T02:15", "gap", "2026-10-03T15:15:00Z", "2026-10-03T15:45:00Z"),
    (LORD_HOWE, "2026-04-05T01:45", "fold", "2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z"),
    ("America/Santiago", "2026-09-06", "gap", "2026-09-06T03:00:00Z", "2026-09-06T04:00:00Z"),
]


@pytest.mark.parametrize(("zone_name", "value", "kind", "earlier", "later"), FOLDS_AND_GAPS)
def test_r9_a_time_in_a_gap_or_fold_needs_a_reading(
    zone_name: str, value: str, kind: str, earlier: str, later: str
) -> None:
    """R9: ambiguous_time says which it is; a named reading decides. Lord Howe shifts by half an hour."""
    with pytest.raises(AmbiguousTime, match=kind) as caught:
        utc(value, zone_name)
    assert caught.value.code == "ambiguous_time"
    assert utc(value, zone_name, "earlier") == earlier
    assert utc(value, zone_name, "later") == later


@pytest.mark.parametrize("fold", [0, 1])
def test_r9_the_fold_flag_of_a_naive_datetime_is_no_reading(fold: int) -> None:
    """R9: nothing is guessed from a flag that Python sets by default."""
    with pytest.raises(AmbiguousTime):
        utc(naive("2026-10-25T02:30").replace(fold=fold))


@pytest.mark.parametrize(
    ("zone_name", "value", "expected"),
    [
        (BERLIN, "2026-10-25T01:59:59.999999", "2026-10-24T23:59:59.999999Z"),
        (BERLIN, "2026-10-25T03:00", "2026-10-25T02:00:00Z"),
        (BERLIN, "2026-03-29T01:59:59.999999", "2026-03-29T00:59:59.999999Z"),
        (BERLIN, "2026-03-29T03:00", "2026-03-29T01:00:00Z"),
        (LORD_HOWE, "2026-10-04T01:59:59.999999", "2026-10-03T15:29:59.999999Z"),
        (LORD_HOWE, "2026-10-04T02:30", "2026-10-03T15:30:00Z"),
    ],
)
def test_r9_the_edges_of_gaps_and_folds_are_plain(zone_name: str, value: str, expected: str) -> None:
    """R9: the last microsecond before and the first after are not ambiguous."""
    assert utc(value, zone_name) == expected


@pytest.mark.parametrize("reading", ["earlier", "later"])
def test_r9_a_reading_changes_nothing_where_there_is_one_reading(reading: Reading) -> None:
    """R9: a reading is needed only in a gap or a fold."""
    assert utc("2026-07-01T09:00", reading=reading) == "2026-07-01T07:00:00Z"


@pytest.mark.parametrize("zone_name", ["Mars/Olympus", "", "../etc/passwd", "europe/nowhere", "/etc/localtime"])
def test_r9_an_unknown_zone_is_refused(zone_name: str) -> None:
    """R9: an IANA zone or nothing."""
    with pytest.raises(InvalidArgument) as caught:
        utc("2026-07-01T09:00", zone_name)
    assert caught.value.field == "zone"


@pytest.mark.parametrize("value", ["Friday", "", "2026-13-01", "2026-02-30T10:00", "01/02/2026", 7, None, 3.5])
def test_r9_what_is_no_time_is_refused(value: TimeInput) -> None:
    """R9: structured input is strict; words belong to the grammar of phrases."""
    with pytest.raises(InvalidArgument) as caught:
        utc(value)
    assert caught.value.field == "at"


@given(st.datetimes(min_value=FIRST, max_value=LAST), st.sampled_from([BERLIN, LORD_HOWE]))
def test_r9_every_wall_time_is_exact_or_refused(moment: datetime, zone_name: str) -> None:
    """R9: the earlier reading is never after the later; where no reading is needed all agree with the zone."""
    first = instant(moment, zone_name=zone_name, reading="earlier")
    last = instant(moment, zone_name=zone_name, reading="later")
    if first == last:
        assert instant(moment, zone_name=zone_name) == first
        return
    assert last - first in {30 * 60 * 10**6, 60 * 60 * 10**6}
    with pytest.raises(AmbiguousTime):
        instant(moment, zone_name=zone_name)


@given(st.datetimes(timezones=st.just(UTC), min_value=FIRST, max_value=LAST))
def test_r9_an_aware_time_survives_the_text(moment: datetime) -> None:
    """R9: writing an instant down and reading it back is exact."""
    assert instant(moment.isoformat(), zone_name=BERLIN) == instant(moment) == from_datetime(moment)


def test_r9_wall_is_the_same_reading_as_an_aware_datetime() -> None:
    """R9: the public helper for callers who hold a wall time."""
    assert wall("2026-10-25T02:30", BERLIN, reading="later") == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
    with pytest.raises(AmbiguousTime):
        wall("2026-10-25T02:30", BERLIN)
