"""What comes back: "every Tuesday at 5pm", "on weekdays", "Mondays", "the first Monday of every month"; as iCalendar rules."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from typing import Final

from stead.extract.when import clocks, dates, days, hours, moments, periods
from stead.extract.when.reader import Found, Reader
from stead.extract.when.value import Clock, Length, Value
from stead.extract.when.words import FREQUENCIES, ORDINALS, PARTS, PARTS_AS_SAID, SEASONS, SMALL, THIS, UNITS, WEEKDAYS

_DAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_WEEKDAYS: Final = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
_WEEKEND: Final = "FREQ=WEEKLY;BYDAY=SA,SU"
_EVERY_UNIT: Final = {
    "minute": ("MINUTELY", 1), "hour": ("HOURLY", 1), "day": ("DAILY", 1), "week": ("WEEKLY", 1), "fortnight": ("WEEKLY", 2),
    "month": ("MONTHLY", 1), "quarter": ("MONTHLY", 3), "year": ("YEARLY", 1), "decade": ("YEARLY", 10),
}  # fmt: skip
_PLURALS: Final = {f"{name}s": number for name, number in WEEKDAYS.items() if name.endswith("day")}
_MICROSECOND: Final = timedelta(microseconds=1)


@cache
def _firsts() -> frozenset[str]:
    words = "every each on at in the once last from between half quarter noon midnight weekdays weekends workdays morning".split()
    return frozenset(
        {*words, *_PLURALS, *WEEKDAYS, *FREQUENCIES, *ORDINALS, *PARTS_AS_SAID, *SMALL, "a", "early", "late", "mid"}
    )


def recurring(reader: Reader, at: int) -> Found | None:
    """Return what comes back, with its time of day if it has one."""
    if not (reader.word(at)[:1].isdigit() or reader.word(at) in _firsts()):
        return None
    return reader.longest(at, _every, _plural, _adverb, _nth_of_every, _once_a, _timed_every)


def _rule(rule: str, clock: Clock | None = None) -> Value:
    if clock is None:
        return Value("recurring", recurs=rule)
    start = clocks.settled(clock).start % timedelta(days=1)
    minutes = start // timedelta(minutes=1)
    rule = f"{rule};BYHOUR={minutes // 60};BYMINUTE={minutes % 60}"
    length = Length(exact=(clock.end - clock.start) // _MICROSECOND) if clock.end is not None else None
    return Value("recurring", recurs=rule, length=length)


def _with_clock(reader: Reader, rule: str, at: int) -> Found:
    """Take the time of day behind a rule: "at 5pm", "morning", "from 4 to 5pm"."""
    link = reader.skip(at, "at", "from", "between", "around", ",")
    named = link > at and reader.word(link - 1) != ","
    if found := hours.hours(reader, link, between=reader.word(link - 1) == "between", bare=named, named=named):
        return _rule(rule, found[0]), found[1]
    if (found := clocks.clock(reader, link, bare=named)) and reader.word(link - 1) not in {"from", "between"}:
        return _rule(rule, found[0]), found[1]
    if part := clocks.part_of_day(reader, at):
        if timed := clocks.clock(reader, reader.skip(part[2], "at"), bare=reader.word(part[2]) == "at"):
            return _rule(rule, moments.in_part(timed[0], part[0])), timed[1]
        return _rule(rule, part[1]), part[2]
    return _rule(rule), at


def _every(reader: Reader, at: int) -> Found | None:
    """Return "every Tuesday", "each month", "every other week", "every 3 days", "every morning", "every 12 May"."""
    if reader.word(at) not in {"every", "each"}:
        return None
    start = reader.skip(at + 1, "single")
    interval, start = _interval(reader, start)
    word = reader.word(start)
    if named := _weekday_list(reader, start):
        monthly = _each_date(reader, at + 1) if interval > 1 or start > at + 1 else None
        return _longer(monthly, _with_clock(reader, _weekly(named[0], interval), named[1]))
    unit = UNITS.get(word, "")
    if unit == "weekend" or word in {"weekday", "weekdays", "workday", "workdays"}:
        rule = _WEEKEND if unit else _WEEKDAYS
        return _with_clock(reader, rule + (f";INTERVAL={interval}" if interval > 1 else ""), start + 1)
    if unit in _EVERY_UNIT and (not word.endswith("s") or interval > 1):
        return _every_unit(reader, unit, interval, start + 1)
    if word in PARTS:
        return _with_clock(reader, "FREQ=DAILY" + (f";INTERVAL={interval}" if interval > 1 else ""), start)
    return _yearly(reader, start, interval) or _each_date(reader, at + 1)


def _longer(first: Found | None, second: Found) -> Found:
    return first if first and first[1] > second[1] else second


def _interval(reader: Reader, at: int) -> tuple[int, int]:
    """Return the step: "other", "second", "3", "third"."""
    word = reader.word(at)
    behind = reader.word(at + 1)
    countable = behind in UNITS or behind in WEEKDAYS or behind in PARTS
    if word == "other" and countable:
        return 2, at + 1
    if (number := reader.digits(at, 1, 99) or SMALL.get(word)) and behind in UNITS:
        return number, at + 1
    if (found := reader.ordinal(at)) and (reader.word(found[1]) in UNITS or reader.word(found[1]) in WEEKDAYS):
        return found
    return 1, at


def _every_unit(reader: Reader, unit: str, interval: int, at: int) -> Found:
    frequency, size = _EVERY_UNIT[unit]
    step = interval * size
    rule = f"FREQ={frequency}" + (f";INTERVAL={step}" if step > 1 else "")
    link = reader.skip(at, "on")
    if unit in {"week", "fortnight"} and link > at and (named := _weekday_list(reader, link)):
        return _with_clock(reader, f"{rule};BYDAY={','.join(_DAYS[each] for each in named[0])}", named[1])
    behind = reader.skip(link, "the")
    if unit == "month" and link > at and (number := reader.ordinal(behind)):
        return _with_clock(reader, f"{rule};BYMONTHDAY={number[0]}", number[1])
    if unit == "year" and link > at and (day := reader.once(days.day, link)) and not day[0].fixed:
        return _dated(reader, day[0], rule), day[1]
    return _with_clock(reader, rule, at)


def _dated(reader: Reader, day: Value, rule: str) -> Value:
    start = reader.wall.instant(day.spans[0].start)
    local = reader.wall.local(start)
    return Value("recurring", recurs=f"{rule};BYMONTH={local.month};BYMONTHDAY={local.day}")


def _weekly(numbers: list[int], interval: int = 1) -> str:
    step = f";INTERVAL={interval}" if interval > 1 else ""
    return f"FREQ=WEEKLY{step};BYDAY={','.join(_DAYS[each] for each in sorted(set(numbers)))}"


def _weekday_list(reader: Reader, at: int, *, plural: bool = False) -> tuple[list[int], int] | None:
    """Return "Tuesday", "Tuesday and Thursday", "Mon, Wed and Fri", "Monday to Friday"."""
    names = _PLURALS if plural else WEEKDAYS | _PLURALS
    first = names.get(reader.word(at))
    if first is None:
        return None
    numbers, after = [first], at + 1
    while True:
        link = reader.skip(reader.skip(after, ",", "/", "&", "and", "or"), "and", "or", "every", "on")
        number = names.get(reader.word(link)) if link > after else None
        if number is None:
            break
        numbers, after = [*numbers, number], link + 1
    joined = hours.joint(reader, after, between=False)
    end = names.get(reader.word(joined)) if joined and len(numbers) == 1 else None
    if joined and end is not None:
        return [(first + step) % 7 for step in range((end - first) % 7 + 1)], joined + 1
    return numbers, after


def _yearly(reader: Reader, at: int, interval: int) -> Found | None:
    """Return "every May", "every summer", "every Christmas", "every 12 May"."""
    rule = "FREQ=YEARLY" + (f";INTERVAL={interval}" if interval > 1 else "")
    word = reader.word(at)
    if word in SEASONS:
        first = SEASONS[word]
        months = sorted((first + step - 1) % 12 + 1 for step in range(3))
        return Value("recurring", recurs=f"{rule};BYMONTH={','.join(map(str, months))}"), at + 1
    day = reader.once(days.day, at)
    if day and not day[0].fixed and word != "the" and not reader.ordinal(at):
        return _dated(reader, day[0], rule), day[1]
    if month := periods.month_at(reader, at):
        return Value("recurring", recurs=f"{rule};BYMONTH={month[0]}"), month[1]
    return None


def _each_date(reader: Reader, at: int) -> Found | None:
    """Return "every 15th", "every 1st and 15th", "every first Monday of the month"."""
    found = reader.ordinal(at)
    if found is None:
        return None
    weekday = dates.weekday_at(reader, found[1])
    if weekday and found[0] <= 5:
        after = _of_month(reader, weekday[1]) or weekday[1]
        return _with_clock(reader, f"FREQ=MONTHLY;BYDAY={found[0]}{_DAYS[weekday[0]]}", after)
    if not reader.word(at)[0].isdigit() or not reader.before_more(found[1]):
        return None
    if both := reader.ordinal(reader.skip(found[1], "and", "&")):
        rule = f"FREQ=MONTHLY;BYMONTHDAY={found[0]},{both[0]}"
        return _with_clock(reader, rule, _of_month(reader, both[1]) or both[1])
    return _with_clock(reader, f"FREQ=MONTHLY;BYMONTHDAY={found[0]}", _of_month(reader, found[1]) or found[1])


def _of_month(reader: Reader, at: int) -> int | None:
    for words in (("of", "every", "month"), ("of", "each", "month"), ("of", "the", "month"), ("of", "a", "month")):
        if (after := reader.said(at, *words)) is not None:
            return after
    return reader.said(at, "every", "month") or reader.said(at, "each", "month")


def _nth_of_every(reader: Reader, at: int) -> Found | None:
    """Return "the first Monday of every month", "the 15th of each month", "the last day of every month"."""
    start = reader.skip(at, "the")
    found = (-1, start + 1) if reader.word(start) == "last" else reader.ordinal(start)
    if found is None:
        return None
    number, behind = found
    if (both := reader.ordinal(reader.skip(behind, "and", "&"))) and (after := _every_month(reader, both[1])):
        return _with_clock(reader, f"FREQ=MONTHLY;BYMONTHDAY={number},{both[0]}", after)
    weekday = dates.weekday_at(reader, behind)
    after = _every_month(reader, weekday[1] if weekday else reader.skip(behind, "day"))
    if after is None:
        return None
    rule = f"BYDAY={number}{_DAYS[weekday[0]]}" if weekday else f"BYMONTHDAY={number}"
    return _with_clock(reader, f"FREQ=MONTHLY;{rule}", after)


def _every_month(reader: Reader, at: int) -> int | None:
    link = reader.skip(at, "of", "in")
    if reader.word(link) in {"every", "each"} and reader.word(link + 1) == "month":
        return link + 2
    return None


def _plural(reader: Reader, at: int) -> Found | None:
    """Return "Mondays", "on Tuesdays and Thursdays", "weekdays", "weekends", "Friday evenings", "mornings"."""
    start = reader.skip(at, "on", "at")
    word = reader.word(start)
    named = _weekday_list(reader, start, plural=True)
    if named and reader.word(named[1]) != "ago":
        return _with_clock(reader, _weekly(named[0]), named[1])
    if word in {"weekdays", "workdays", "weekends"}:
        return _with_clock(reader, _WEEKEND if word == "weekends" else _WEEKDAYS, start + 1)
    if word in WEEKDAYS and reader.word(start + 1) in {"mornings", "afternoons", "evenings", "nights"}:
        return _with_clock(reader, _weekly([WEEKDAYS[word]]), start + 1)
    link = reader.said(at, "in", "the") or at
    word = reader.word(link)
    if word in {"mornings", "afternoons", "evenings"} and (link > at or reader.word(at - 1) not in {"your", "good"}):
        return _with_clock(reader, "FREQ=DAILY", link)
    return None


def _adverb(reader: Reader, at: int) -> Found | None:
    """Return "daily", "weekly on Mondays", "annually"."""
    rule = FREQUENCIES.get(reader.word(at))
    if rule is None or reader.word(at - 1) in {"bi", "semi"}:
        return None
    link = reader.skip(at + 1, "on")
    if link > at + 1 and "WEEKLY" in rule and (named := _weekday_list(reader, link)):
        return _with_clock(reader, f"{rule};BYDAY={','.join(_DAYS[each] for each in named[0])}", named[1])
    return _with_clock(reader, rule, at + 1)


def _once_a(reader: Reader, at: int) -> Found | None:
    """Return "once a week", "once every 3 months"; "twice a week" has no rule that says on which days."""
    if reader.word(at) != "once":
        return None
    if reader.word(at + 1) == "every":
        return reader.once(_every, at + 1)
    unit = UNITS.get(reader.word(at + 2), "") if reader.word(at + 1) in {"a", "per", "each"} else ""
    return _every_unit(reader, unit, 1, at + 3) if unit in _EVERY_UNIT else None


def _timed_every(reader: Reader, at: int) -> Found | None:
    """Return "at 5pm every Tuesday", "6am daily", "in the morning on weekdays"."""
    if reader.word(at) in THIS or reader.word(at - 1) in {"before", "after", "until", "till", "since", "by"}:
        return None
    start = reader.skip(at, "at")
    part = clocks.part_of_day(reader, at)
    timed = clocks.clock(reader, start)
    named = reader.skip(at, "from", "between")
    stretch = hours.hours(reader, named, between=reader.word(at) == "between", bare=False, named=named > at)
    found = stretch or timed or ((part[1], part[2]) if part else None)
    if found is None:
        return None
    link = reader.skip(found[1], ",")
    behind = reader.longest(link, _every, _plural, _adverb)
    if behind is None or behind[0].recurs is None or "BYHOUR" in behind[0].recurs:
        return None
    return _rule(behind[0].recurs, found[0]), behind[1]
