"""Structured time, read strictly (R9): nothing is guessed."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from typing import Literal
from zoneinfo import ZoneInfo

from stead.errors import AmbiguousTime, InvalidArgument, NaiveTime
from stead.model.period import Instant, from_datetime

Reading = Literal["earlier", "later"]
TimeInput = datetime | date | str
"""An aware datetime, a naive one (read in the subject's zone), a date (00:00 there), or ISO 8601 text of these."""

# A day inside of what Python can write, so that every zone can write it back.
_EARLIEST = datetime(1, 1, 3)  # noqa: DTZ001 - wall time
_LATEST = datetime(9999, 12, 29)  # noqa: DTZ001 - wall time


@lru_cache(maxsize=512)
def zone(name: str) -> ZoneInfo:
    """Return the IANA zone of that name.

    Raises
    ------
    InvalidArgument
        There is no zone of that name.
    """
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError, TypeError):
        raise InvalidArgument(
            "zone", f"unknown time zone {name!r}", "Use an IANA name such as Europe/Berlin."
        ) from None


def instant(
    value: TimeInput, *, zone_name: str | None = None, reading: Reading | None = None, field: str = "at"
) -> Instant:
    """Read one structured point of time (R9).

    Parameters
    ----------
    value
        An aware datetime; a naive one, which needs a zone; a date, which means 00:00 in the zone; or ISO 8601 text.
        An offset in the text beats the zone.
    zone_name
        The IANA zone in which wall times are read.
    reading
        Which of the two instants a wall time in a fold or gap means. Without it such a time is refused.
    field
        The parameter's name, for the error.

    Raises
    ------
    NaiveTime, AmbiguousTime, InvalidArgument
    """
    checked_reading(reading)
    moment = _moment(value, field)
    if not _EARLIEST <= moment.replace(tzinfo=None) <= _LATEST:
        raise InvalidArgument(field, "outside the years 1 to 9999", "Leave it out for an open end.")
    if moment.tzinfo is not None:
        return from_datetime(moment)
    if zone_name is None:
        raise NaiveTime(field, "a wall time without a zone or an offset")
    return _on_the_wall(moment, zone(zone_name), reading, field)


def checked_reading(reading: str | None) -> None:
    """Refuse a reading that is neither earlier nor later."""
    if reading not in (None, "earlier", "later"):
        raise InvalidArgument("reading", "neither earlier nor later", "Name which reading of the wall time is meant.")


def _moment(value: TimeInput, field: str) -> datetime:
    if isinstance(value, datetime):
        return value
    if isinstance(value, date):
        return datetime.combine(value, time())
    if not isinstance(value, str):
        raise InvalidArgument(field, f"not a time but {type(value).__name__}", "Give a datetime or ISO 8601 text.")
    try:
        return datetime.fromisoformat(value.strip())
    except ValueError:
        raise InvalidArgument(field, "not a time in ISO 8601", "Write 2026-03-01T09:00+01:00 or 2026-03-01.") from None


def _on_the_wall(moment: datetime, where: ZoneInfo, reading: Reading | None, field: str) -> Instant:
    first, second = (from_datetime(moment.replace(tzinfo=where, fold=fold)) for fold in (0, 1))
    if first == second:
        return first
    if reading is None:
        kind = "gap" if first > second else "fold"
        raise AmbiguousTime(field, f"this wall time lies in a daylight-saving {kind} of {where.key}")
    return min(first, second) if reading == "earlier" else max(first, second)


def wall(value: TimeInput, zone_name: str, *, reading: Reading | None = None) -> datetime:
    """Return a wall time in a zone as an aware datetime in UTC, with a named reading where it is ambiguous.

    >>> wall("2026-10-25T02:30", "Europe/Berlin", reading="later").isoformat()
    '2026-10-25T01:30:00+00:00'
    """
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(
        microseconds=instant(value, zone_name=zone_name, reading=reading, field="value")
    )
