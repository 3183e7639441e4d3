"""Half-open periods on an axis of microseconds (R6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from stead.errors import InvalidInterval

Instant = int
"""Microseconds since 1970-01-01T00:00Z."""

BEGINNING: Final[Instant] = -(2**62)
FOREVER: Final[Instant] = 2**62
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, order=True)
class Period:
    """The instants from ``start`` up to, and without, ``end``.

    Neighbours such as ``[a, b)`` and ``[b, c)`` never both claim ``b``. An open end is `FOREVER`, an open start `BEGINNING`.
    """

    start: Instant
    end: Instant = FOREVER

    def __post_init__(self) -> None:
        """Refuse a period that holds no instant."""
        if self.end <= self.start:
            raise InvalidInterval("valid_until", "the interval is empty or reversed")

    def __contains__(self, instant: Instant) -> bool:
        """Tell whether the instant lies in the period."""
        return self.start <= instant < self.end

    @property
    def is_open(self) -> bool:
        """Tell whether the period has no end."""
        return self.end == FOREVER

    def overlaps(self, other: Period) -> bool:
        """Tell whether the two share an instant."""
        return self.start < other.end and other.start < self.end

    def intersect(self, other: Period) -> Period | None:
        """Return what the two share, or None."""
        start, end = max(self.start, other.start), min(self.end, other.end)
        return Period(start, end) if start < end else None

    def subtract(self, other: Period) -> tuple[Period, ...]:
        """Return what is left of this period without the other: none, one or two pieces."""
        if not self.overlaps(other):
            return (self,)
        left = (Period(self.start, other.start),) if self.start < other.start else ()
        right = (Period(other.end, self.end),) if other.end < self.end else ()
        return left + right


ALL_TIME: Final = Period(BEGINNING, FOREVER)


def subtract_all(period: Period, holes: Iterable[Period]) -> tuple[Period, ...]:
    """Return what is left of a period without all of the holes, in order of time."""
    pieces: tuple[Period, ...] = (period,)
    for hole in holes:
        pieces = tuple(part for piece in pieces for part in piece.subtract(hole))
    return pieces


def to_datetime(instant: Instant) -> datetime | None:
    """Return the instant as an aware datetime in UTC; None for an open end."""
    if instant in (BEGINNING, FOREVER):
        return None
    return _EPOCH + timedelta(microseconds=instant)


def from_datetime(moment: datetime) -> Instant:
    """Return an aware datetime as an instant, exactly."""
    return (moment - _EPOCH) // _MICROSECOND


def iso(instant: Instant) -> str | None:
    """Return the instant as ISO 8601 in UTC with a Z; None for an open end."""
    moment = to_datetime(instant)
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")
