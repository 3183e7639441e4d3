"""A day with a time of day, an offset from now, and what stands alone: "Friday evening", "5pm tomorrow", "in two weeks"."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import cache
from typing import Final

from stead.extract.when import clocks, dates, days, hours, nth, stretches
from stead.extract.when.reader import Found, Reader
from stead.extract.when.value import Clock, Length, Span, Value
from stead.extract.when.wall import ONE_DAY, floor, midnight, period, shift
from stead.extract.when.words import DAYS_ALONE, SMALL, THIS, UNITS

_TONIGHT: Final = Clock(timedelta(hours=18), timedelta(hours=30), part=True)
_MINUTE: Final = timedelta(minutes=1)
_STEPS: Final = {"of": 0, "after": 1, "before": -1, "commencing": 0, "starting": 0, "beginning": 0}
_AFTER_PART: Final = frozenset({"person", "people", "owl", "shift", "star", "coffee"})
_BEFORE_NIGHT: Final = frozenset("all at by during one that of the".split())
_AGO: Final = frozenset({"ago", "back"})
_LATER: Final = (("from", "now"), ("from", "today"), ("hence",))


@cache
def _iso() -> re.Pattern[str]:
    return re.compile(
        r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):([0-5]\d)(?::([0-5]\d)(?:[.,]\d+)?)?(?:(Z)|\s?([+-])(\d\d):?([0-5]\d))?(?![\w:])",
        re.IGNORECASE,
    )


def moment(reader: Reader, at: int) -> Found | None:
    """Return one time that isn't a range of two: the longest reading."""
    return reader.longest(
        at,
        stamp,
        dated,
        offset,
        days.day,
        stretches.stretch,
        ends_of_day,
        clock_alone,
        part_alone,
        around_period,
    )


def stamp(reader: Reader, at: int) -> Found | None:
    """Return an ISO 8601 time; its offset beats the zone (R9)."""
    if len(reader.word(at)) != 4 or not reader.word(at).isdigit():
        return None
    found = _iso().match(reader.text, reader.raw(at).start)
    after = reader.at_offset(found.end(), at) if found else None
    if found is None or after is None:
        return None
    day = midnight(date(int(found[1]), int(found[2]), int(found[3])))
    east = 0 if found[7] else None
    if found[8]:
        east = (int(found[9]) * 60 + int(found[10])) * (1 if found[8] == "+" else -1)
    if int(found[4]) > 24 or (int(found[4]) == 24 and int(found[5])):
        return None
    start = timedelta(hours=int(found[4]), minutes=int(found[5]), seconds=int(found[6] or 0))
    return at_clock(dates.of(day), Clock(start, offset=east, seconds=bool(found[6]))), after


def at_clock(day: Value, clock: Clock) -> Value:
    """Return a time of day on each reading of a day."""
    settled = clocks.settled(clock) if clock.point else clock
    spans = tuple(settled.on(_day(span)) for span in day.spans)
    kind = "date_time" if settled.point else "date_time_range"
    return Value(kind, spans, "minute" if settled.point else "part", point=settled.point)


def _day(span: Span) -> datetime:
    assert isinstance(span.start, datetime)
    return span.start


def near(reader: Reader) -> Value:
    """Return the days around the moment of speaking: a time without a day is on one of them."""
    return dates.of(*(reader.wall.today + timedelta(days=each) for each in range(-2, 4)))


def clock_alone(reader: Reader, at: int) -> Found | None:
    """Return a time of day without a day."""
    start = reader.skip(at, "at")
    found = clocks.clock(reader, start)
    if found is None:
        return None
    value = at_clock(near(reader), found[0])
    return replace(value, kind="time"), found[1]


def part_alone(reader: Reader, at: int) -> Found | None:
    """Return "in the morning", "afternoon" without a day."""
    found = clocks.part_of_day(reader, at)
    if found is None:
        return None
    name, clock, after = found
    before = reader.word(at - 1)
    if timed := clocks.clock(reader, reader.skip(after, "at")):
        return replace(at_clock(near(reader), in_part(timed[0], name)), kind="time"), timed[1]
    if reader.word(after) in _AFTER_PART or before in {"good", "every", "each"}:
        return None
    if after == at + 1 and not reader.whole and not before.isalpha():
        return None  # "Morning, Mia!"
    if reader.word(at) == "night" and not reader.whole and before not in _BEFORE_NIGHT:
        return None  # "date night"
    if not reader.whole and reader.words[after - 1].text.endswith("s"):
        return None
    return replace(at_clock(near(reader), clock), kind="time_range"), after


def day_part(reader: Reader, at: int) -> tuple[Value, Clock | None, str, int] | None:
    """Return a day with the part of it that is named, if one is: "Friday evening", "tonight", "this morning", "12 May"."""
    word = reader.word(at)
    if word in {"tonight", "tonite", "tonight's"}:
        return dates.of(reader.wall.today), _TONIGHT, "night", at + 1
    if word in THIS and (found := clocks.part_of_day(reader, at + 1)) and reader.word(at + 1) not in {"the", "in"}:
        return _this_part(reader, word, found)
    day = reader.once(days.day, at)
    if day is None:
        return None
    value, after = day
    behind = reader.skip(after, ",", "'s")
    part = clocks.part_of_day(reader, behind) or clocks.part_of_day(reader, reader.skip(behind, "during", "on"))
    if part is None or value.kind != "date":
        return value, None, "", after
    return value, part[1], part[0], part[2]


def _this_part(reader: Reader, word: str, found: tuple[str, Clock, int]) -> tuple[Value, Clock | None, str, int] | None:
    name, clock, after = found
    if word in {"this", "current"}:
        return dates.of(reader.wall.today), clock, name, after
    if THIS[word] < 0:
        clock = _TONIGHT if name == "night" and clock.start == timedelta(hours=22) else clock
        return dates.of(reader.wall.today - ONE_DAY), clock, name, after
    return dates.of(reader.wall.today + ONE_DAY), clock, name, after


def dated(reader: Reader, at: int) -> Found | None:
    """Return a day and a time of it, in either order."""
    return reader.longest(at, _day_first, _clock_first, _part_first, _nth_timed, _date_clock_year)


def _nth_timed(reader: Reader, at: int) -> Found | None:
    """Return "the first Monday evening of next month", "first Monday 1pm to 3pm of March"."""
    found = nth.nth_weekday(reader, at)
    if found is None:
        return None
    number, weekday, after = found
    start = reader.skip(after, "at", "from")
    named = start > after
    part = clocks.part_of_day(reader, after)
    timed = hours.hours(reader, start, bare=named, named=named) or clocks.clock(reader, start, bare=named)
    timed = (part[1], part[2]) if part else timed
    holder = nth.nth_outer(reader, timed[1]) if timed else None
    if timed is None or holder is None:
        return None
    return at_clock(nth.nth_of(number, weekday, holder[0]), timed[0]), holder[1]


def _date_clock_year(reader: Reader, at: int) -> Found | None:
    """Return "Wed Oct 26 15:50:06 2016"."""
    day = reader.once(days.day, at)
    timed = clocks.clock(reader, day[1]) if day and not day[0].fixed else None
    year = reader.year(timed[1]) if timed else None
    if day is None or timed is None or year is None:
        return None
    return at_clock(dates.of(_day(day[0].spans[0]).replace(year=year[0])), timed[0]), year[1]


def _day_first(reader: Reader, at: int) -> Found | None:
    found = day_part(reader, at)
    if found is None or found[0].kind != "date":
        return None
    value, part, name, after = found
    link = reader.skip(reader.skip(after, ",", "-", "t"), "at", "around", "about", "from", "by", "@")
    bare = link > after and reader.word(link - 1) not in {",", "-"}
    bare = bare or (reader.word(link) in SMALL and bool(reader.below_hundred(reader.skip(link + 1, "-"))))
    timed = clocks.clock(reader, link, bare=bare or bool(part) or reader.whole) if reader.word(link) else None
    if timed and (reader.word(link - 1) != "-" or timed[0].point) and not _goes_on(reader, link, timed[1]):
        clock = in_part(timed[0], name)
        if part is None and (tail := clocks.part_of_day(reader, timed[1])) and timed[0].bare:
            return at_clock(value, clocks.in_part(timed[0], tail[0])), tail[2]
        return at_clock(value, clock), timed[1]
    if part is None:
        return None
    return at_clock(value, part), after


def _goes_on(reader: Reader, link: int, after: int) -> bool:
    """Tell whether what looked like a time is a length: "Friday 5 hours", or the first half of "from 4 to 5"."""
    return reader.word(after) in UNITS or reader.word(link - 1) == "from"


def in_part(clock: Clock, part: str) -> Clock:
    """Return a time of day within a part of the day that was named; a small hour of a night is on the next day."""
    if not part:
        return clock
    if part == "night" and clock.point:
        placed = clocks.in_part(clock, "night") if clock.bare else clock
        small = placed.start < timedelta(hours=6)
        return replace(placed, start=placed.start + ONE_DAY) if small else placed
    return clocks.in_part(clock, part)


def _clock_first(reader: Reader, at: int) -> Found | None:
    """Return "5pm tomorrow", "at 5 on Friday", "8 tonight"."""
    start = reader.skip(at, "at")
    timed = clocks.clock(reader, start) or clocks.clock(reader, start, bare=_day_behind(reader, start))
    if timed is None:
        return None
    link = reader.skip(timed[1], ",", "-")
    link = reader.skip(link, "on", "of", "for")
    found = day_part(reader, link)
    if found is None or found[0].kind != "date" or (reader.word(link - 1) == "for" and not found[0].fixed):
        return None
    value, part, name, after = found
    if (
        part is not None
        and name != "night"
        and not timed[0].bare
        and not (part.start <= timed[0].start < (part.end or part.start))
    ):
        return None
    return at_clock(value, in_part(timed[0], name)), after


def _day_behind(reader: Reader, at: int) -> bool:
    """Tell whether a bare number stands right before "tonight", "tomorrow" or a weekday: "at 8 tonight"."""
    return reader.word(at + 1) in {"tonight", "tomorrow", "today", "tonite"} and reader.word(at - 1) in {
        "at",
        "by",
        "around",
    }


def _part_first(reader: Reader, at: int) -> Found | None:
    """Return "the evening of 12 May", "morning on Friday", "in the morning tomorrow"."""
    part = clocks.part_of_day(reader, at)
    if part is None:
        return None
    link = reader.skip(part[2], "of", "on", ",")
    day = reader.once(days.day, link)
    if day is None or day[0].kind != "date":
        return None
    if link == part[2] and reader.word(link) not in DAYS_ALONE:
        return None
    return at_clock(day[0], part[1]), day[1]


def ends_of_day(reader: Reader, at: int) -> Found | None:
    """Return "the end of the day", "eod", "end of tomorrow": its last minute."""
    start = reader.skip(at, "the")
    if reader.word(start) == "eod":
        day: Value | None = dates.of(reader.wall.today)
        after = start + 1
    elif (behind := reader.said(start, "end", "of")) is not None:
        inner = reader.said(behind, "the", "day") or reader.said(behind, "day")
        if inner:
            day, after = dates.of(reader.wall.today), inner
        else:
            found = reader.once(days.day, behind) or reader.once(days.day, reader.skip(behind, "the"))
            day, after = found if found and found[0].kind == "date" else (None, at)
    else:
        return None
    if day is None:
        return None
    spans = tuple(Span(_day(span) + ONE_DAY - _MINUTE, _day(span) + ONE_DAY) for span in day.spans)
    return Value("date_time", spans, "minute", point=True, edge="end"), after


def offset(reader: Reader, at: int) -> Found | None:
    """Return a time that is counted from another: "in two weeks", "3 days ago", "a week from Friday"."""
    if reader.word(at) in {"in", "within"}:
        return _ahead(reader, at)
    found = reader.length(at)
    if found is None:
        return None
    length, after, unit = found
    if unit == "weekend":
        return _weekends_away(reader, at, after)
    if reader.word(after) in _AGO:
        return _counted(reader, -length, unit), after + 1
    for words in _LATER:
        if (end := reader.said(after, *words)) is not None:
            return _counted(reader, length, unit), end
    return _from_another(reader, length, after)


def _weekends_away(reader: Reader, at: int, after: int) -> Found | None:
    """Return "two weekends ago", "3 weekends from now"."""
    count = reader.number(at)
    ahead = reader.said(after, "from", "now")
    if count is None or not (ahead or reader.word(after) == "ago"):
        return None
    step = int(count[0]) if ahead else -int(count[0])
    return Value("date_range", (Span(*period(reader.wall.today, "weekend", step)),), "weekend"), ahead or after + 1


def _ahead(reader: Reader, at: int) -> Found | None:
    """Return "in two weeks", "in 3 days' time", "within an hour"."""
    start = reader.skip(reader.skip(at + 1, "the"), "next") if reader.word(at) == "within" else at + 1
    found = reader.length(reader.skip(start, "about", "around", "another"))
    if found is None:
        return None
    length, after, unit = found
    if reader.word(after) == "'":
        after += 1
    after = reader.skip(after, "time")
    after = reader.said(after, "from", "now") or reader.said(after, "from", "today") or after
    if reader.word(after) == "ago":
        return None
    if reader.word(at) == "within":
        span = Span(reader.wall.said, length.from_moment(reader.wall.now, reader.wall))
        kind = "date_range" if length.whole_days else "date_time_range"
        return Value(kind, (span,), unit, length=length), after
    return _counted(reader, length, unit), after


def _counted(reader: Reader, length: Length, unit: str) -> Value:
    """Return the day, or for hours the minute, that lies so far from the moment of speaking."""
    there = length.from_moment(reader.wall.now, reader.wall)
    if length.whole_days and isinstance(there, datetime):
        return dates.of(there.date())
    del unit
    exact = reader.wall.instant(there)
    return Value("date_time", (Span(exact, exact + 60_000_000),), "minute", point=True)


def _from_another(reader: Reader, length: Length, at: int) -> Found | None:
    """Return "a week from Friday", "two days after Christmas", "3 hours before noon"."""
    sign = {"from": 1, "after": 1, "before": -1, "following": 1, "preceding": -1}.get(reader.word(at))
    if sign is None:
        return None
    found = reader.longest(at + 1, stamp, dated, days.day, clock_alone)
    if found is None or found[0].kind not in {"date", "date_time", "time"}:
        return None
    moved = length if sign > 0 else -length
    value = found[0].narrowed(found[0].next(reader.wall))
    spans = []
    for span in value.spans:
        start = moved.from_moment(span.start, reader.wall)
        spans.append(Span(start, _plus(start, span)))
    kind = "date_time" if value.kind == "time" or not length.whole_days else value.kind
    return Value(kind, tuple(spans), value.unit, point=value.point), found[1]


def _plus(start: datetime | int, like: Span) -> datetime | int:
    if isinstance(start, datetime) and isinstance(like.start, datetime) and isinstance(like.end, datetime):
        return start + (like.end - like.start)
    return (start if isinstance(start, int) else 0) + 60_000_000


def around_period(reader: Reader, at: int) -> Found | None:
    """Return "the week of March 3rd", "the weekend of 12 May", "the month of Christmas", "the year after 2019"."""
    start = reader.skip(at, "the")
    unit = UNITS.get(reader.word(start), "")
    step = _STEPS.get(reader.word(start + 1))
    if start == at or unit not in {"week", "weekend", "month"} or step is None:
        return None
    found = reader.once(days.day, start + 2) or reader.once(
        days.day, start + 3 if reader.word(start + 2) == "the" else -1
    )
    if found is None or found[0].kind != "date":
        return None
    spans = []
    for span in found[0].spans:
        begin = shift(floor(_day(span), unit), step, unit)
        spans.append(Span(begin, begin + 2 * ONE_DAY if unit == "weekend" else shift(begin, 1, unit)))
    return Value("date_range", tuple(spans), unit), found[1]
