"""Times of day: "5pm", "17:30", "half past five", "noon", "in the morning"."""

from __future__ import annotations

import re
from datetime import timedelta
from functools import cache

from stead.extract.when.reader import Reader
from stead.extract.when.value import Clock
from stead.extract.when.words import OFFSETS, PARTS, PARTS_AS_SAID, SMALL, TENS

Timed = tuple[Clock, int]
"""A time of day, and the place of the first word behind it."""
_APPROACH = frozenset(
    {"at", "by", "around", "about", "until", "till", "before", "after", "since", "from", "circa", "past"}
)
_SPOKEN = frozenset({"a", "half", "quarter", "mid"})
_PAST_TO = {"past": 1, "after": 1, "to": -1, "before": -1, "of": -1, "till": -1}
_NAMED = {"noon": 12, "midday": 12, "noontime": 12, "lunchtime": 12, "midnight": 24}


@cache
def _digital() -> re.Pattern[str]:
    return re.compile(
        r"(?P<h>\d{1,2})(?:"
        r"(?:[:.](?P<m>[0-5]\d)(?::(?P<s>[0-5]\d)(?:\.\d+)?)?)?(?:(?:\s?|\.)(?P<half>[ap])(?:m|\.\s?m\b\.?)|(?P<tight>[ap]))(?!\w)"
        r"|:(?P<m2>[0-5]\d)(?::(?P<s2>[0-5]\d)(?:\.\d+)?)?(?![\w:/%]|\.\d)"
        r"|h(?P<m3>[0-5]\d)?(?!\w))",
        re.IGNORECASE,
    )


def clock(reader: Reader, at: int, *, bare: bool = False) -> Timed | None:
    """Return a time of day.

    Parameters
    ----------
    reader
        The text.
    at
        The place.
    bare
        Whether an hour alone is a time here, as it is after "at" and in "from 4 to 5pm".
    """
    word = reader.word(at)
    if not (word[:1].isdigit() or word in SMALL or word in TENS or word in _NAMED or word in _SPOKEN):
        return None
    approached = bare or reader.word(at - 1) in _APPROACH
    if bare and reader.before_joint(at + 1) and (found := _first_of_two(reader, at)):
        return found
    found = (
        _named(reader, at)
        or _spoken(reader, at)
        or _digits(reader, at, approached=approached)
        or _hour_word(reader, at, approached)
    )
    if found is None:
        return None
    return _zoned(reader, *_half_named(reader, *found))


def _first_of_two(reader: Reader, at: int) -> Timed | None:
    """Return the bare hour that begins "4 - 6:30 pm"."""
    hour = reader.digits(at, 0, 24) or SMALL.get(reader.word(at), 99)
    return (Clock(timedelta(hours=hour), bare=1 <= hour <= 12), at + 1) if hour <= 24 else None


def _named(reader: Reader, at: int) -> Timed | None:
    word = reader.word(at)
    if word in {"12", "twelve"} and reader.word(at + 1) in {"noon", "midnight", "midday"}:
        return Clock(timedelta(hours=_NAMED[reader.word(at + 1)])), at + 2
    if word == "mid" and reader.word(at + 1) in {"day", "night"}:
        return Clock(timedelta(hours=12 if reader.word(at + 1) == "day" else 24)), at + 2
    return (Clock(timedelta(hours=_NAMED[word])), at + 1) if word in _NAMED else None


def _spoken(reader: Reader, at: int) -> Timed | None:
    """Return "half past five", "a quarter to six", "ten past 5", "twenty to nine"."""
    start = reader.skip(at, "a")
    word = reader.word(start)
    if word == "half":
        minutes: int | None = 30
        after = start + 1
    elif word == "quarter":
        minutes, after = 15, start + 1
    else:
        count = reader.number(start) if start == at else None
        minutes, after = (int(count[0]), count[1]) if count and count[0] in {5, 10, 20, 25, 15} else (None, at)
        after = reader.skip(after, "minutes", "min", "mins")
    direction = _PAST_TO.get(reader.word(after))
    if minutes is None or direction is None or (minutes == 30 and direction < 0):
        return None
    if reader.word(at).isdigit() and direction < 0 and not reader.word(after - 1).startswith("min"):
        return None
    hour = _hour(reader, after + 1)
    if hour is None:
        return None
    moment, end, bare = hour
    return Clock(moment + direction * timedelta(minutes=minutes), bare=bare), end


def _hour(reader: Reader, at: int) -> tuple[timedelta, int, bool] | None:
    """Return the hour in "half past five", "quarter to 6pm", "ten past noon"."""
    if named := _named(reader, at):
        return named[0].start, named[1], False
    if (number := SMALL.get(reader.word(at), 0)) and number <= 12:
        return timedelta(hours=number), reader.said(at + 1, "o'clock") or at + 1, True
    found = _digits(reader, at, approached=True)
    if found is None or found[0].start % timedelta(hours=1):
        return None
    return found[0].start, found[1], found[0].bare


def _digits(reader: Reader, at: int, *, approached: bool) -> Timed | None:
    if reader.digits(at, 0, 24) is None or (reader.tight(at) and reader.word(at - 1) in {".", ":", "$", "#"}):
        return None
    found = _digital().match(reader.text, reader.raw(at).start)
    after = reader.at_offset(found.end(), at) if found else None
    if found is None or after is None or (found[0][-1] in "hH" and not approached):
        return _without_half(reader, at, approached)
    hour = int(found["h"])
    minute = int(found["m"] or found["m2"] or found["m3"] or 0)
    second = int(found["s"] or found["s2"] or 0)
    half = (found["half"] or found["tight"] or "").lower()
    if found["tight"] in {"a", "A"} and not approached:
        return _without_half(reader, at, approached=approached)
    if half and not 1 <= hour <= 12:
        return _moment(hour, minute, second, after) if found["m"] else None
    if half:
        return _moment(hour % 12 + (12 if half == "p" else 0), minute, second, after)
    bare = 1 <= hour <= 12 and not found["h"].startswith("0") and not found["m3"]
    return _moment(hour, minute, second, after, bare=bare)


def _moment(hour: int, minute: int, second: int, after: int, *, bare: bool = False) -> Timed | None:
    if hour > 24 or (hour == 24 and (minute or second)):
        return None
    start = timedelta(hours=hour, minutes=minute, seconds=second)
    return Clock(start, bare=bare, seconds=bool(second)), after


def _without_half(reader: Reader, at: int, approached: bool) -> Timed | None:
    """Return a bare hour, if something says that it is one."""
    hour = reader.digits(at, 0, 24)
    if hour is None:
        return None
    if reader.word(at + 1) == "ish" and reader.tight(at + 1) and 1 <= hour <= 12:
        return Clock(timedelta(hours=hour), bare=True), at + 2
    if approached and reader.word(at - 1) in {"at", "@"} and (found := _dotted(reader, hour, at + 1)):
        return found
    if (sure := _o_clock(reader, at + 1)) is not None:
        return Clock(timedelta(hours=hour), bare=1 <= hour <= 12), sure
    if _part_after(reader, at + 1) or (approached and 1 <= hour <= 12 and reader.before_more(at + 1)):
        return Clock(timedelta(hours=hour), bare=1 <= hour <= 12), at + 1
    return None


def _dotted(reader: Reader, hour: int, at: int) -> Timed | None:
    """Return "2.30" behind "at"."""
    minute = reader.digits(at + 1, 0, 59)
    if reader.word(at) != "." or minute is None or len(reader.word(at + 1)) != 2 or not reader.before_more(at + 2):
        return None
    if not (reader.tight(at) and reader.tight(at + 1)):
        return None
    return _moment(hour, minute, 0, at + 2, bare=1 <= hour <= 12)


def _hour_word(reader: Reader, at: int, approached: bool) -> Timed | None:
    number = SMALL.get(reader.word(at), 0)
    if not 1 <= number <= 12:
        return None
    if (sure := _o_clock(reader, at + 1)) is not None:
        return Clock(timedelta(hours=number), bare=True), sure
    if reader.word(at + 1) in {"am", "pm"}:
        return Clock(timedelta(hours=number % 12 + (12 if reader.word(at + 1) == "pm" else 0))), at + 2
    if minutes := _spoken_minutes(reader, at + 1, approached):
        return _spoken_half(reader, timedelta(hours=number, minutes=minutes[0]), minutes[1])
    if _part_after(reader, at + 1) or (approached and number > 1 and reader.before_more(at + 1)):
        return Clock(timedelta(hours=number), bare=True), at + 1
    return None


def _spoken_minutes(reader: Reader, at: int, approached: bool) -> tuple[int, int] | None:
    """Return the minutes in "five-thirty", "seven twenty-seven"."""
    joined = reader.skip(at, "-")
    found = reader.below_hundred(joined)
    if found is None or not 10 <= found[0] <= 59:
        return None
    sure = approached or joined > at or reader.word(found[1]) in {"am", "pm"}
    return found if sure and (reader.before_more(found[1]) or reader.word(found[1]) in {"am", "pm"}) else None


def _spoken_half(reader: Reader, start: timedelta, at: int) -> Timed:
    half = reader.word(at)
    if half not in {"am", "pm"}:
        return Clock(start, bare=True), at
    return Clock(start % timedelta(hours=12) + timedelta(hours=12 if half == "pm" else 0)), at + 1


def _o_clock(reader: Reader, at: int) -> int | None:
    if reader.word(at) in {"o'clock", "oclock"}:
        return at + 1
    return reader.said(at, "o", "'", "clock") or reader.said(at, "o", "clock")


def _part_after(reader: Reader, at: int) -> tuple[str, int] | None:
    """Return the part of day in "5 in the morning", "7 at night"."""
    after = reader.said(at, "in", "the") or (at + 1 if reader.word(at) == "at" else None)
    if after and reader.word(after) in PARTS:
        return reader.word(after), after + 1
    return None


def _half_named(reader: Reader, found: Clock, at: int) -> Timed:
    """Take the half of the day from "in the morning" behind a bare hour."""
    part = _part_after(reader, at) if found.bare else None
    if part is None:
        return found, at
    return in_part(found, part[0]), part[1]


def in_part(found: Clock, part: str) -> Clock:
    """Return a bare hour as one of a part of day: 9 in the evening is 21:00, 2 at night is 02:00."""
    if not found.bare:
        return found
    start = found.start % timedelta(hours=12)
    late = part in {"afternoon", "evening"} or (part == "night" and start >= timedelta(hours=6))
    return Clock(start + timedelta(hours=12 if late else 0), seconds=found.seconds)


def settled(found: Clock) -> Clock:
    """Return a bare hour as it is commonly meant: from 7 to 11 in the morning, from 12 to 6 after noon."""
    if not found.bare:
        return found
    start = found.start % timedelta(hours=12)
    return Clock(start + timedelta(hours=12 if start < timedelta(hours=7) else 0), seconds=found.seconds)


def _zoned(reader: Reader, found: Clock, at: int) -> Timed:
    name = reader.raw(at).raw
    if name in OFFSETS and (len(name) > 1 or reader.tight(at)):
        start = settled(found).start
        return Clock(start, offset=OFFSETS[name], seconds=found.seconds), at + 1
    return found, at


def part_of_day(reader: Reader, at: int) -> tuple[str, Clock, int] | None:
    """Return "morning", "the late evening", "in the afternoon": the name, its hours and the place behind it."""
    after = reader.said(at, "in", "the") or reader.skip(at, "the", "in")
    if reader.word(at) == "at" and reader.word(at + 1) == "night":
        after = at + 1
    shade = reader.word(after) if reader.word(after) in {"early", "late", "mid"} else ""
    after = reader.skip(after + 1, "-") if shade else after
    word = reader.word(after)
    if word not in PARTS_AS_SAID:
        return None
    low, high = (timedelta(hours=hour) for hour in PARTS_AS_SAID[word])
    third = (high - low) / 3
    low, high = {"early": (low, low + third), "late": (high - third, high), "mid": (low + third, high - third)}.get(
        shade, (low, high)
    )
    return word.removesuffix("s").replace("nite", "night"), Clock(low, high, part=True), after + 1
