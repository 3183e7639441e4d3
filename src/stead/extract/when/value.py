"""What an expression of time means before it is known which of its readings is meant."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Final

from stead.extract.when.wall import DAY, DAYS_OF, MICROSECONDS_OF, MONTHS_OF, Moment, Wall, add_months
from stead.model.period import Instant

KINDS: Final = (
    "date", "date_range", "date_time", "date_time_range", "time", "time_range", "duration", "recurring",
)  # fmt: skip
_MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class When:
    """One expression of time that was found in a text, resolved against the turn's own time (R9)."""

    text: str
    """Its words, as they stand."""
    span: tuple[int, int]
    """Where it stands in the text that was given."""
    kind: str
    """One of `KINDS`: what the words are; ``time`` and ``time_range`` name no day, theirs is the next."""
    start: Instant | None = None
    """Microseconds since 1970 UTC; None: an open start, or a kind without ends."""
    end: Instant | None = None
    """Exclusive; None: an open end, or a kind without ends."""
    recurs: str | None = None
    """The rule of something that comes back, as iCalendar writes it."""
    duration: int | None = None
    """Of a length, in microseconds: a month counts 30 days, a year 365. Of something that comes back: how long each lasts."""
    relation: str = ""
    """How it stands to what is said: since, until, by, before, after, for, from; empty: it happens then."""
    resolved: bool = True
    """False: the words speak of a time that can't be told from them ("soon"), and a question is due."""


@dataclass(frozen=True, slots=True)
class Span:
    """One reading: from the start up to, and without, the end."""

    start: Moment
    end: Moment


@dataclass(frozen=True, slots=True)
class Length:
    """How long: calendar months, days of the wall calendar, and exact microseconds."""

    months: int = 0
    days: int = 0
    exact: int = 0

    @classmethod
    def of(cls, count: Fraction, unit: str) -> Length:
        """Return so many of a unit; a fraction of a day is exact, half a year is six months.

        Raises
        ------
        ValueError
            It can't be told how long that is: a third of a month.
        """
        if unit in MONTHS_OF:
            months = count * MONTHS_OF[unit]
            if months.denominator != 1:
                days = (months - int(months)) * 30
                return cls(int(months), int(days))
            return cls(months=int(months))
        if unit in DAYS_OF:
            days = count * (2 if unit == "weekend" else DAYS_OF[unit])
            return cls(days=int(days), exact=int((days - int(days)) * DAY))
        return cls(exact=int(count * MICROSECONDS_OF[unit]))

    def __add__(self, other: Length) -> Length:
        """Return both, one after the other."""
        return Length(self.months + other.months, self.days + other.days, self.exact + other.exact)

    def __neg__(self) -> Length:
        """Return the same backwards."""
        return Length(-self.months, -self.days, -self.exact)

    @property
    def microseconds(self) -> int:
        """Its nominal length: a month has 30 days, a year 365."""
        years, months = divmod(self.months, 12)
        return (years * 365 + months * 30 + self.days) * DAY + self.exact

    def from_moment(self, moment: Moment, wall: Wall) -> Moment:
        """Return when it is over that begins then: whole days by the wall calendar, the rest by the clock (R9)."""
        if self.months or self.days:
            local = moment if isinstance(moment, datetime) else wall.local(moment)
            moment = add_months(local, self.months) + timedelta(days=self.days)
        if not self.exact:
            return moment
        return wall.instant(moment) + self.exact

    @property
    def whole_days(self) -> bool:
        """Whether no hours, minutes or seconds are named."""
        return not self.exact


@dataclass(frozen=True, slots=True)
class Value:
    """What an expression means: its readings in order of time, of which the relation and the turn's time choose one."""

    kind: str
    spans: tuple[Span, ...] = ()
    unit: str = "day"
    """The size of its last part: ``minute``, ``part``, ``day``, ``week``, ``month``..."""
    point: bool = False
    """Whether it is a moment: its span is the minute that is named."""
    edge: str = ""
    """``start`` or ``end`` where it is the beginning or the end of something larger."""
    length: Length | None = None
    recurs: str | None = None

    def next(self, wall: Wall) -> Span:
        """Return the first reading that has not ended, or the last."""
        return next((span for span in self.spans if not wall.ended(span.end)), self.spans[-1])

    def previous(self, wall: Wall) -> Span:
        """Return the last reading that has begun, or the first."""
        return next((span for span in reversed(self.spans) if wall.begun(span.start)), self.spans[0])

    def coming(self, wall: Wall) -> Span:
        """Return the first reading that has not begun, or the last."""
        return next((span for span in self.spans if not wall.begun(span.start)), self.spans[-1])

    def narrowed(self, *spans: Span) -> Value:
        """Return the same with other readings."""
        return replace(self, spans=spans)

    @property
    def yearly(self) -> bool:
        """Whether its readings are one in every year: a date or a month without a year."""
        if len(self.spans) < 2:
            return False
        one, two = self.spans[0].start, self.spans[1].start
        if not (isinstance(one, datetime) and isinstance(two, datetime)):
            return False
        return two.year == one.year + 1 and (one.month, one.day) == (two.month, two.day)

    @property
    def fixed(self) -> bool:
        """Whether there is one reading only."""
        return len(self.spans) == 1


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day: a moment or a stretch, counted from midnight on the wall."""

    start: timedelta
    end: timedelta | None = None
    """None: a moment, to the minute."""
    bare: bool = False
    """Whether it was an hour without anything that says which half of the day it is in."""
    offset: int | None = None
    """Minutes east of UTC where it names its own."""
    seconds: bool = False
    part: bool = False
    """Whether it is a part of day."""

    @property
    def point(self) -> bool:
        """Whether it is a moment."""
        return self.end is None

    def on(self, day: datetime) -> Span:
        """Return it on one day."""
        start = day + self.start
        end = day + self.end if self.end is not None else start + timedelta(seconds=1 if self.seconds else 60)
        if self.offset is None:
            return Span(start, end)
        shift = self.offset * 60_000_000
        return Span(*((each - _EPOCH) // _MICROSECOND - shift for each in (start, end)))


_EPOCH = datetime.fromisoformat("1970-01-01")
