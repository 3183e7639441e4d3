"""Ranges of two ends: "Wednesday through Friday", "from the 3rd to the 9th", "between 4 and 5pm", "March 3-9"."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from typing import Final

from stead.extract.when import clocks, dates, days, hours, moments, periods, stretches
from stead.extract.when.reader import Found, Reader
from stead.extract.when.value import Span, Value
from stead.extract.when.wall import ONE_DAY, add_months, days_in, midnight

_SUB_DAY: Final = frozenset({"minute", "part"})


def ranged(reader: Reader, at: int) -> Found | None:
    """Return a range of two ends: the longest reading."""
    start = at + 1 if reader.word(at) in {"from", "between"} else at
    between = reader.word(at) == "between"
    named = start > at
    found = [
        each
        for each in (
            _days_of_month(reader, start, between, named),
            _hours(reader, start, between, named),
            _two(reader, start, between),
        )
        if each
    ]
    return max(found, key=lambda each: each[1]) if found else None


def _two(reader: Reader, at: int, between: bool) -> Found | None:
    first = reader.once(_left_end, at)
    if first is None:
        return None
    link = hours.joint(reader, first[1], between=between)
    if link is None:
        return None
    second = _right_end(reader, link, first[0])
    if second is None:
        return None
    left = first[0]
    if left.kind == "time":
        if second[0].unit not in _SUB_DAY or not second[0].point:
            return None
        left = left.narrowed(left.next(reader.wall))
    value = join(reader, left, second[0])
    return (value, second[1]) if value else None


def _left_end(reader: Reader, at: int) -> Found | None:
    return reader.longest(
        at,
        moments.clock_alone,
        moments.stamp,
        moments.dated,
        moments.offset,
        days.day,
        stretches.stretch,
        moments.around_period,
    )


def _right_end(reader: Reader, at: int, first: Value) -> Found | None:
    found = reader.longest(
        at, moments.stamp, moments.dated, moments.offset, days.day, stretches.stretch, moments.ends_of_day, _now
    ) or reader.once(_doubtful_end, at)
    if first.unit in _SUB_DAY:
        timed = clocks.clock(reader, at, bare=True)
        if timed and (found is None or timed[1] > found[1]):
            spans = tuple(clocks.settled(timed[0]).on(_date_of(reader, span)) for span in first.spans)
            return replace(first, spans=spans, unit="minute", point=True), timed[1]
    return found


def _date_of(reader: Reader, span: Span) -> datetime:
    start = span.start if isinstance(span.start, datetime) else reader.wall.local(span.start)
    return midnight(start.date())


def _now(reader: Reader, at: int) -> Found | None:
    start = reader.skip(at, "the")
    current = reader.word(start) == "current" and reader.word(start + 1) in {"date", "day", "time"}
    if not current and reader.word(start) not in {"now", "date", "present"}:
        return None
    after = start + 2 if current else start + 1
    said = reader.wall.said
    return Value("date_time", (Span(said, said + 1),), "now", point=True), after


def _doubtful_end(reader: Reader, at: int) -> Found | None:
    """Return a month's or weekday's doubtful name: its partner says that it is one."""
    if month := periods.month_at(reader, at):
        return periods.each_year(reader, month[0], 1, "month"), month[1]
    return None


def join(reader: Reader, first: Value, second: Value) -> Value | None:
    """Return the range from the first to the end of the second: days, weeks, months and years belong to it whole.

    Of the readings of both it takes, for each start, the first end behind it.
    """
    sub_day = second.unit in _SUB_DAY
    spans = []
    if not first.fixed and second.fixed:
        first = _near(first, second.spans[0])
        starts = [span for span in first.spans if _before(reader, span, second.spans[0])]
        pairs = [(starts[-1], second.spans[0])] if starts else []
    else:
        pairs = []
        for start in first.spans:
            end = next((span for span in second.spans if _before(reader, start, span)), None)
            if end is not None:
                pairs.append((start, end))
    for start, end in pairs:
        begin = start.end if first.edge == "end" else start.start
        spans.append(Span(begin, end.start if second.point and second.edge != "end" else end.end))
    if not spans:
        return None
    kind = "date_time_range" if sub_day or first.unit in _SUB_DAY else "date_range"
    if first.kind == second.kind == "time":
        kind = "time_range"
    return Value(kind, tuple(spans), second.unit)


def _near(first: Value, second: Span) -> Value:
    """Return what comes back every year in the years up to an end that is named with its year: "January to April 2015"."""
    begin, end = first.spans[0].start, first.spans[0].end
    if not first.yearly or not isinstance(second.start, datetime):
        return first
    assert isinstance(begin, datetime)
    assert isinstance(end, datetime)
    years = [second.start.year - 1 - begin.year, second.start.year - begin.year]
    return first.narrowed(*(Span(add_months(begin, 12 * each), add_months(end, 12 * each)) for each in years))


def _before(reader: Reader, first: Span, second: Span) -> bool:
    if isinstance(first.start, datetime) and isinstance(second.start, datetime):
        return first.start <= second.start and first.end != second.end
    return reader.wall.instant(first.start) < reader.wall.instant(second.start)


def _days_of_month(reader: Reader, at: int, between: bool, named: bool) -> Found | None:
    """Return "March 3-9", "3 to 9 March 2026", "the 3rd to the 9th (of May)", "3rd - 9th of next month"."""
    month = periods.month_at(reader, at)
    low = _number(reader, month[1] if month else at)
    if low is None or (month and reader.tight(month[1])):
        return None
    link = hours.joint(reader, low[1], between=between)
    high = _number(reader, link) if link else None
    if high is None:
        return None
    after = high[1]
    ordinal = low[2] and high[2]
    if month:
        if reader.word(after) in {":", "am", "pm"} or periods.month_at(reader, reader.skip(after, "of")):
            return None
        if not ordinal and not (reader.before_more(after) or reader.word(after) == ","):
            return None
        year = dates.year_behind(reader, after)
        return _month_days(reader, month[0], low[0], high[0], year, after)
    behind = reader.skip(after, "of", "in", "-")
    if found := periods.month_at(reader, behind):
        year = dates.year_behind(reader, found[1])
        if high[0] < low[0]:
            return None
        return _month_days(reader, found[0], low[0], high[0], year, found[1])
    behind = reader.skip(after, "of", "in")
    inside = periods.month(reader, behind) or reader.once(periods.outer, behind)
    if inside and inside[0].unit == "month" and inside[0].fixed:
        return _within(inside[0].spans[0], low[0], high[0]), inside[1]
    if ordinal and (named or reader.word(at) == "the") and reader.before_more(after):
        return _each(reader, low[0], high[0]), after
    return None


def _number(reader: Reader, at: int) -> tuple[int, int, bool] | None:
    """Return a day's number, the place behind it, and whether it says that it is one."""
    start = reader.skip(at, "the")
    if found := reader.ordinal(start):
        return found[0], found[1], True
    number = reader.digits(start, 1, 31)
    return (number, start + 1, False) if number else None


def _month_days(
    reader: Reader, month: int, low: int, high: int, year: tuple[int, int] | None, after: int
) -> Found | None:
    if year:
        return _within(Span(*_month_span(year[0], month)), low, high), year[1]
    here = reader.wall.today.year
    spans = tuple(
        _within(Span(*_month_span(each, month)), low, high).spans[0]
        for each in range(here - 8, here + 9)
        if high <= days_in(each, month)
    )
    return Value("date_range", spans, "day"), after


def _month_span(year: int, month: int) -> tuple[datetime, datetime]:
    start = midnight(date(year, month, 1))
    return start, start.replace(day=days_in(year, month)) + ONE_DAY


def _within(month: Span, low: int, high: int) -> Value:
    """Return days of one month, the last of them included; from the 28th to the 3rd ends in the next month."""
    assert isinstance(month.start, datetime)
    start = month.start.replace(day=low)
    end = (add_months(month.start, 1) if high < low else month.start).replace(day=high) + ONE_DAY
    return Value("date_range", (Span(start, end),), "day")


def _each(reader: Reader, low: int, high: int) -> Value:
    spans = []
    starts = [span.start for span in dates.of(*dates.each_month(reader, low)).spans]
    ends = [span.end for span in dates.of(*dates.each_month(reader, high)).spans]
    for start in starts:
        end = next(
            (each for each in ends if isinstance(each, datetime) and isinstance(start, datetime) and each > start), None
        )
        if end:
            spans.append(Span(start, end))
    return Value("date_range", tuple(spans), "day")


def _hours(reader: Reader, at: int, between: bool, named: bool) -> Found | None:
    """Return "4pm to 5pm", "4-5pm tomorrow", "Friday from 9 to 5", "between 9:00 and 17:30 on Monday"."""
    day = moments.day_part(reader, at)
    start = at
    if day and day[0].kind == "date":
        start = reader.skip(reader.skip(day[3], ",", "-"), "from", "between", "at", "on")
        between = between or reader.word(start - 1) == "between"
    else:
        day = None
    named = named or reader.word(start - 1) in {"from", "between"}
    found = hours.hours(reader, start, between=between, bare=bool(day) and start > at, named=named)
    if found is None:
        return None
    clock, after = found
    if day is None:
        behind = reader.skip(reader.skip(after, ","), "on", "of")
        later = moments.day_part(reader, behind)
        if later and later[0].kind == "date":
            day, after = later, later[3]
        elif tail := clocks.part_of_day(reader, after):
            clock, after = hours.in_part(clock, tail[0]), tail[2]
    if day and day[2]:
        clock = hours.in_part(clock, day[2])
    if day is None:
        value = moments.at_clock(moments.near(reader), clock)
        return replace(value, kind="time_range", unit="minute"), after
    return moments.at_clock(day[0], clock), after
