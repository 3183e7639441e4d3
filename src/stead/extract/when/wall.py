"""The speaker's calendar: wall times, and what becomes of them across a daylight-saving change (R9)."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Final

from stead.errors import InvalidArgument
from stead.model.period import Instant, from_datetime, to_datetime
from stead.model.zone import zone

Moment = datetime | Instant
"""A naive wall time in the speaker's zone, or an instant where no zone is needed any more."""

MONTHS_OF: Final = {"month": 1, "quarter": 3, "season": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}
DAYS_OF: Final = {"day": 1, "week": 7, "weekend": 7, "fortnight": 14}
MICROSECONDS_OF: Final = {"second": 1_000_000, "minute": 60_000_000, "hour": 3_600_000_000}
DAY: Final = 86_400_000_000
ONE_DAY: Final = timedelta(days=1)


def midnight(day: date) -> datetime:
    """Return the wall time at which a day begins."""
    return datetime.combine(day, time())


def add_months(moment: datetime, months: int) -> datetime:
    """Return the same day of a later month, or that month's last day (R9).

    >>> add_months(datetime.fromisoformat("2026-01-31"), 1).isoformat()
    '2026-02-28T00:00:00'
    """
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, days_in(year, month + 1)))


def days_in(year: int, month: int) -> int:
    """Return how many days a month has."""
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in {4, 6, 9, 11} else 31


def shift(moment: datetime, count: int, unit: str) -> datetime:
    """Move a wall time by calendar units, or by units of the clock that hangs on the wall."""
    if unit in MONTHS_OF:
        return add_months(moment, count * MONTHS_OF[unit])
    if unit in DAYS_OF:
        return moment + timedelta(days=count * DAYS_OF[unit])
    return moment + timedelta(microseconds=count * MICROSECONDS_OF[unit])


def floor(moment: datetime, unit: str) -> datetime:
    """Return when the calendar unit that holds this wall time began.

    Weeks begin on Monday. Seasons are the meteorological ones of the northern hemisphere: spring begins on 1 March. The weekend
    of a week is its Saturday and Sunday.
    """
    day = midnight(moment.date())
    match unit:
        case "day":
            return day
        case "week" | "fortnight":
            return day - timedelta(days=day.weekday())
        case "weekend":
            return day + timedelta(days=5 - day.weekday())
        case "season":
            return add_months(day.replace(day=1), -(day.month % 3))
        case "month" | "quarter" | "half" | "year":
            size = MONTHS_OF[unit]
            return day.replace(month=(day.month - 1) // size * size + 1, day=1)
        case "decade" | "century":
            size = MONTHS_OF[unit] // 12
            return day.replace(year=max(day.year // size * size, 1), month=1, day=1)
        case "hour":
            return moment.replace(minute=0, second=0, microsecond=0)
        case _:
            return moment.replace(second=0, microsecond=0)


def period(moment: datetime, unit: str, offset: int = 0) -> tuple[datetime, datetime]:
    """Return the calendar unit that holds this wall time, or one some places after or before it."""
    start = shift(floor(moment, unit), offset, unit)
    return start, start + 2 * ONE_DAY if unit == "weekend" else shift(start, 1, unit)


class Wall:
    """What the calendar and the clock on the speaker's wall said when the words were said.

    Parameters
    ----------
    said
        The turn's own time.
    zone_name
        The speaker's IANA zone.

    Raises
    ------
    InvalidArgument
        There is no such zone, or ``said`` is an open end.
    """

    __slots__ = ("now", "said", "today", "zone")

    def __init__(self, said: Instant, zone_name: str) -> None:
        self.said = said
        self.zone = zone(zone_name)
        self.now = self.local(said)
        self.today = midnight(self.now.date())

    def local(self, instant: Instant) -> datetime:
        """Return what the wall says at an instant."""
        moment = to_datetime(instant)
        if moment is None:
            raise InvalidArgument("said", "an open end", "Give the time at which it was said.")
        return moment.astimezone(self.zone).replace(tzinfo=None)

    def instant(self, moment: Moment, *, ends: bool = False) -> Instant:
        """Return the instant of a wall time (R9).

        In a gap it moves forward by the gap. In a fold a start takes the earlier reading and an end the later.
        """
        if not isinstance(moment, datetime):
            return moment
        first = from_datetime(moment.replace(tzinfo=self.zone, fold=0))
        return max(first, self._second(moment)) if ends and self._folded(moment, first) else first

    def _second(self, moment: datetime) -> Instant:
        return from_datetime(moment.replace(tzinfo=self.zone, fold=1))

    def _folded(self, moment: datetime, first: Instant) -> bool:
        return self._second(moment) > first

    def ended(self, moment: Moment) -> bool:
        """Tell whether an end lies at or before the moment of speaking."""
        return moment <= self.now if isinstance(moment, datetime) else moment <= self.said

    def begun(self, moment: Moment) -> bool:
        """Tell whether a start lies at or before the moment of speaking."""
        return self.ended(moment)

    def bounds(self, start: Moment, end: Moment) -> tuple[Instant, Instant]:
        """Return both ends of a stretch of wall time as instants, the second after the first.

        Where a gap would turn the two around, the stretch keeps the length that its wall times have.
        """
        first, last = self.instant(start), self.instant(end, ends=True)
        if last <= first and isinstance(start, datetime) and isinstance(end, datetime):
            last = first + (end - start) // timedelta(microseconds=1)
        return first, last
