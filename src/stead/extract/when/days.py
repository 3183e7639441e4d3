"""Single days: "Friday", "the 3rd of May", "12/05/2026", "tomorrow", "3 days ago", "the last Monday of March"."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import cache
from typing import Final

from stead.extract.when import nth, periods
from stead.extract.when.dates import around, dated, each_month, length_of, of, starts, weekday_at, yearless
from stead.extract.when.reader import Found, Reader, Rule, century
from stead.extract.when.words import THIS, WEEKDAYS

_NAMED: Final = {
    ("day", "after", "tomorrow"): 2, ("day", "before", "yesterday"): -2, ("today",): 0, ("tomorrow",): 1, ("tmr",): 1,
    ("tmrw",): 1, ("yesterday",): -1, ("today's",): 0, ("tomorrow's",): 1, ("yesterday's",): -1,
}  # fmt: skip


_FIRSTS: Final = frozenset({*(words[0] for words in _NAMED), "next", "following", "previous"})


@cache
def _numeric() -> re.Pattern[str]:
    return re.compile(
        r"(?P<y>\d{4})(?P<s1>[-/.])(?P<m>\d{1,2})(?P=s1)(?P<d>\d{1,2})(?![\d/]|-\d)"
        r"|(?P<a>\d{1,2})(?P<s2>[-/.])(?P<b>\d{1,2})(?P=s2)(?P<y2>\d{4}|\d{2})(?![\d/]|[.:]\d)"
        r"|(?P<a3>\d{1,2})/(?P<b3>\d{1,2})(?![\d/%]|[.:]\d|\w)"
    )


@cache
def _rules() -> tuple[Rule, ...]:
    return (
        _digits, _weekday, _month_first, _day_first, _relative, _this_weekday, nth.nth, nth.holiday, _year_first, _in_week,
        _this_date, _all_day,
    )  # fmt: skip


def day(reader: Reader, at: int) -> Found | None:
    """Return a single day."""
    found = reader.longest(at, *_rules())
    if found is None and reader.word(at) == "the":
        found = reader.longest(at + 1, _day_first, _this_weekday, nth.nth, _relative, nth.holiday, _next_day)
    return found


def _digits(reader: Reader, at: int) -> Found | None:
    if not reader.word(at)[0].isdigit() or not _free(reader, at):
        return None
    if len(reader.word(at)) == 8 and "1900" <= reader.word(at)[:4] <= "2100":
        return of(date.fromisoformat(reader.word(at))), at + 1
    found = _numeric().match(reader.text, reader.raw(at).start)
    after = reader.at_offset(found.end(), at) if found else None
    if found is None or after is None:
        return None
    if found["y"]:
        return of(date(int(found["y"]), int(found["m"]), int(found["d"]))), after
    if found["y2"]:
        year = int(found["y2"]) if len(found["y2"]) == 4 else century(int(found["y2"]))
        if found["s2"] == "." and len(found["y2"]) == 2 and len(found["b"]) < 2:
            return None  # a version
        month, number = _order(int(found["a"]), int(found["b"]), day_first=found["s2"] == ".")
        return of(date(year, month, number)), after
    if not (reader.anchored(at) or _numeric_before(reader, at - 1) or _time_follows(reader, after)):
        return None  # a fraction, or 24/7
    return yearless(reader, *_order(int(found["a3"]), int(found["b3"]), day_first=False)), after


def _year_first(reader: Reader, at: int) -> Found | None:
    """Return "2019-aug-01", "2019 August 1"."""
    year = reader.year(at)
    start = reader.skip(year[1], "-", "/", ",") if year else at
    month = periods.month_at(reader, start) if year else None
    if year is None or month is None:
        return None
    behind = reader.skip(month[1], "-", "/")
    number = reader.digits(behind, 1, 31)
    found = reader.ordinal(behind) or ((number, behind + 1) if number else None)
    return (of(date(year[0], month[0], found[0])), found[1]) if found else None


def _free(reader: Reader, at: int) -> bool:
    """Tell whether a number isn't the rest of a longer one, or money."""
    before = reader.word(at - 1)
    if before in {"$", "\u20ac", "\u00a3"}:
        return False
    if not reader.tight(at):
        return True
    if before in {"-", ":"}:
        return not (reader.tight(at - 1) and reader.word(at - 2).isdigit()) or _numeric_before(reader, at - 1)
    return before not in {".", "/", ","}


def _numeric_before(reader: Reader, at: int) -> bool:
    """Tell whether a date in numbers ends there, so that a dash behind it makes a range."""
    if reader.word(at) not in {"-", "\u2013", "~"}:
        return False
    dashed = len(reader.word(at - 1)) == 4 and reader.word(at - 2) == "-" and reader.tight(at - 2)
    return (reader.word(at - 2) in {"/", "."} and reader.tight(at - 2)) or dashed


def _time_follows(reader: Reader, at: int) -> bool:
    return (
        reader.word(at) in {"at", "before", "after", "by", "from", "between", "until"}
        and reader.word(at + 1)[:1].isdigit()
    )


def _order(first: int, second: int, *, day_first: bool) -> tuple[int, int]:
    """Return month and day of two numbers: the larger than 12 is the day."""
    if first > 12:
        return second, first
    if second > 12:
        return first, second
    return (second, first) if day_first else (first, second)


def _weekday(reader: Reader, at: int) -> Found | None:
    """Return "Friday", "Friday 12 May", "Friday the 13th", "Friday of next week", "Friday this week"."""
    found = weekday_at(reader, at)
    if found is None:
        return None
    number, after = found
    start = reader.skip(reader.skip(after, ","), "the", "on")
    if (exact := reader.longest(start, _digits, _month_first, _day_first)) and not reader.tight(start):
        near = [span for span in exact[0].spans if abs(starts(span).year - reader.wall.today.year) <= 1]
        matching = [span for span in near if starts(span).weekday() == number]
        return (exact[0].narrowed(*matching) if matching else exact[0]), exact[1]
    if numbered := _numbered(reader, number, start):
        return numbered
    week = periods.week(reader, reader.skip(after, "of", "in"))
    if week:
        return of(starts(week[0].spans[0]) + timedelta(days=number)), week[1]
    return of(*around(reader, number)), after


def _numbered(reader: Reader, weekday: int, at: int) -> Found | None:
    """Return the day of "Friday the 13th", "Mon 13th", "Friday 31": the months around in which that day is that weekday."""
    found = reader.ordinal(at)
    if found is None and (number := reader.digits(at, 13, 31)) and not reader.tight(at):
        found = (number, at + 1) if reader.before_more(at + 1) else None
    if found is None:
        return None
    matching = [each for each in each_month(reader, found[0], 30) if each.weekday() == weekday]
    return (of(*matching), found[1]) if matching else None


def _in_week(reader: Reader, at: int) -> Found | None:
    """Return "this week Monday", "next week on Wednesday"."""
    week = periods.week(reader, at)
    found = weekday_at(reader, reader.skip(week[1], "on", ",")) if week else None
    if week is None or found is None:
        return None
    return of(starts(week[0].spans[0]) + timedelta(days=found[0])), found[1]


def _this_date(reader: Reader, at: int) -> Found | None:
    """Return "this 5/12", "this May 12th": of this year."""
    if reader.word(at) != "this":
        return None
    found = reader.longest(at + 1, _digits, _month_first, _day_first)
    if found is None or found[0].fixed:
        return None
    here = [span for span in found[0].spans if starts(span).year == reader.wall.today.year]
    return (found[0].narrowed(*here), found[1]) if here else None


def _this_weekday(reader: Reader, at: int) -> Found | None:
    """Return "next Monday" (of next week), "this Friday", "last Friday" (the latest before today), "this coming Friday"."""
    word = reader.word(at)
    if word not in THIS:
        return None
    after = at + 1
    if word in {"this", "last"} and reader.word(after) in {"coming", "past", "next", "upcoming"}:
        word, after = reader.word(after), after + 1
    found = weekday_at(reader, after)
    if found is None:
        return None
    today = reader.wall.today
    ahead = (found[0] - today.weekday()) % 7
    if word in {"coming", "upcoming"}:
        chosen = today + timedelta(days=ahead or 7)
    elif word in {"last", "past"}:
        chosen = today - timedelta(days=7 - ahead)
    else:
        chosen = today + timedelta(days=found[0] - today.weekday() + 7 * THIS[word])
    return of(chosen), found[1]


def _month_first(reader: Reader, at: int) -> Found | None:
    """Return "May 12", "May 12th, 2026", "May the 4th"."""
    month = periods.month_at(reader, at)
    if month is None:
        return None
    start = reader.skip(month[1], "the", "-", "/")
    found = reader.ordinal(start)
    if found is None:
        number = reader.digits(start, 1, 31)
        if number is None:
            return _spelled(reader, month[0], start)
        if reader.word(start + 1) in {":", "%"} or _clock_at(reader, start + 1):
            return None
        if reader.tight(start + 1) and reader.word(start + 1)[0].isalpha():
            return None
        found = number, start + 1
    return dated(reader, month[0], *found)


def _spelled(reader: Reader, month: int, at: int) -> Found | None:
    """Return "May twenty nine"."""
    found = reader.below_hundred(at)
    if found is None or found[0] > 31 or not (reader.before_more(found[1]) or reader.spoken_year(found[1])):
        return None
    return dated(reader, month, *found)


def _clock_at(reader: Reader, at: int) -> bool:
    return reader.word(at) in {"am", "pm", "a.m", "p.m", "o'clock"}


def _day_first(reader: Reader, at: int) -> Found | None:
    """Return "12 May", "the 3rd of May 2026", "12-May-2026", and "the 15th"."""
    found = reader.ordinal(at)
    ordinal = found is not None
    if found is None:
        number = reader.digits(at, 1, 31)
        if number is None or not _free(reader, at):
            return None
        found = number, at + 1
    number, after = found
    start = reader.skip(after, "of", "-", "/")
    start = reader.skip(start, "day") if ordinal and reader.word(start) == "day" else start
    start = reader.skip(start, "of")
    month = periods.month_at(reader, start)
    if month and not (reader.word(start) in {"may", "march"} and not ordinal and _verb(reader, start)):
        return dated(reader, month[0], number, month[1])
    return _of_month(reader, at, number, after) if ordinal else _the_number(reader, at, number, after)


def _of_month(reader: Reader, at: int, number: int, after: int) -> Found | None:
    """Return "the 15th", "the 15th of next month", "the thirty-first day of the month"."""
    behind = reader.skip(reader.skip(after, "day"), "of", "in")
    inside = reader.once(periods.outer, behind) if behind > after else None
    if inside and inside[0].unit == "month":
        days = [starts(span).replace(day=number) for span in inside[0].spans if number <= (length_of(span))]
        return of(*days), inside[1]
    sure = reader.word(at - 1) in {"the", "on"} and reader.word(at)[0].isdigit()
    if sure and reader.before_more(after):
        return of(*each_month(reader, number)), after
    return None


def _the_number(reader: Reader, at: int, number: int, after: int) -> Found | None:
    """Return "on the 17" before a time of day."""
    timed = reader.word(after) in {"at", "from", "between"} and reader.word(after + 1)[:1].isdigit()
    if reader.word(at - 1) == "the" and reader.word(at - 2) == "on" and timed:
        return of(*each_month(reader, number)), after
    return None


def _verb(reader: Reader, at: int) -> bool:
    """Tell whether "may" behind a number is a verb: "these 3 may break"."""
    return reader.raw(at).raw.islower() and reader.word(at + 1).isalpha() and not reader.before_more(at + 1)


def _relative(reader: Reader, at: int) -> Found | None:
    if reader.word(at) not in _FIRSTS:
        return _weekdays_ago(reader, at)
    for words, days in _NAMED.items():
        if (after := reader.said(at, *words)) is not None:
            return of(reader.wall.today + timedelta(days=days)), after
    if reader.word(at) in {"next", "following", "previous"} and reader.word(at + 1) == "day":
        return of(reader.wall.today + timedelta(days=THIS[reader.word(at)])), at + 2
    return None


def _weekdays_ago(reader: Reader, at: int) -> Found | None:
    """Return "two Fridays ago"."""
    count = reader.number(at)
    weekday = WEEKDAYS.get(reader.word(count[1]).removesuffix("s")) if count else None
    if count is None or weekday is None or reader.word(count[1] + 1) != "ago":
        return None
    back = (reader.wall.today.weekday() - weekday) % 7 or 7
    return of(reader.wall.today - timedelta(days=back + 7 * (int(count[0]) - 1))), count[1] + 2


def _all_day(reader: Reader, at: int) -> Found | None:
    return (of(reader.wall.today), at + 2) if reader.said(at, "all", "day") else None


def _next_day(reader: Reader, at: int) -> Found | None:
    return None if reader.word(at) != "day" else _relative(reader, at)
