"""The English words of time, and a text as words."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple

WEEKDAYS: Final = {
    name: number
    for number, names in enumerate((
        "monday mon", "tuesday tue tues", "wednesday wed weds wednes", "thursday thu thur thurs", "friday fri",
        "saturday sat", "sunday sun",
    ))
    for name in names.split()
}  # fmt: skip
DOUBTFUL_DAYS: Final = frozenset({"mon", "wed", "sat", "sun", "fri", "tue", "thu", "wednes"})
"""Weekdays that are also other words: they need a neighbour that speaks of time."""
MONTHS: Final = {
    name: number
    for number, names in enumerate((
        "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
        "september sep sept", "october oct", "november nov", "december dec",
    ), 1)
    for name in names.split()
}  # fmt: skip
CLEAR_MONTHS: Final = frozenset("january february july september october november december".split())
"""Months that are nothing else; the others need a neighbour that speaks of time."""
VERB_MONTHS: Final = frozenset({"may", "march", "mar"})
UNITS: Final = {
    name: unit
    for unit, names in {
        "second": "seconds sec secs", "minute": "minute minutes min mins", "hour": "hour hours hr hrs",
        "day": "day days", "week": "week weeks wk wks", "fortnight": "fortnight fortnights", "weekend": "weekend weekends",
        "month": "month months", "quarter": "quarter quarters", "season": "season seasons", "year": "year years yr yrs",
        "decade": "decade decades", "century": "century centuries",
    }.items()
    for name in names.split()
}  # fmt: skip
TIGHT_UNITS: Final = {"d": "day", "h": "hour", "w": "week", "y": "year", "s": "second"}
"""Letters that are a unit only right behind a number: 10d."""
SEASONS: Final = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""The month in which each begins: meteorological, northern hemisphere."""
DOUBTFUL_SEASONS: Final = frozenset({"spring", "fall"})
PARTS: Final = {"morning": (6, 12), "afternoon": (12, 18), "evening": (18, 22), "night": (22, 30)}
"""Hours, from the day's midnight (R9)."""
PARTS_AS_SAID: Final = PARTS | {
    "mornings": (6, 12), "afternoons": (12, 18), "evenings": (18, 22), "nights": (22, 30), "nite": (22, 30),
}  # fmt: skip
SMALL: Final = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen".split()
    )
}
TENS: Final = {
    word: 10 * number
    for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
}  # fmt: skip
_FIRSTS: Final = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth"
).split()
ORDINALS: Final = {word: number for number, word in enumerate(_FIRSTS, 1)} | {"thirtieth": 30}
DECADES: Final = {
    word: 10 * number
    for number, word in enumerate(
        "twenties thirties forties fifties sixties seventies eighties nineties".split(), 2
    )
}  # fmt: skip
THIS: Final = {
    "this": 0, "current": 0, "next": 1, "coming": 1, "upcoming": 1, "following": 1, "last": -1, "past": -1, "previous": -1,
    "prior": -1,
}  # fmt: skip
"""Words that name the present, the next or the previous one of its kind."""
FREQUENCIES: Final = {
    "hourly": "FREQ=HOURLY", "daily": "FREQ=DAILY", "nightly": "FREQ=DAILY", "weekly": "FREQ=WEEKLY",
    "biweekly": "FREQ=WEEKLY;INTERVAL=2", "fortnightly": "FREQ=WEEKLY;INTERVAL=2", "monthly": "FREQ=MONTHLY",
    "quarterly": "FREQ=MONTHLY;INTERVAL=3", "yearly": "FREQ=YEARLY", "annually": "FREQ=YEARLY", "annual": "FREQ=YEARLY",
}  # fmt: skip
HOLIDAYS: Final = {
    ("new", "year's", "day"): (1, 1), ("new", "years", "day"): (1, 1), ("new", "year's", "eve"): (12, 31),
    ("new", "years", "eve"): (12, 31), ("new", "year's"): (1, 1), ("new", "year", "day"): (1, 1),
    ("new", "year", "eve"): (12, 31), ("valentine's", "day"): (2, 14),
    ("valentines", "day"): (2, 14), ("st", "patrick's", "day"): (3, 17), ("saint", "patrick's", "day"): (3, 17),
    ("april", "fools'", "day"): (4, 1), ("april", "fools", "day"): (4, 1), ("april", "fool's", "day"): (4, 1),
    ("independence", "day"): (7, 4), ("halloween",): (10, 31), ("christmas", "day"): (12, 25),
    ("christmas", "eve"): (12, 24), ("xmas", "day"): (12, 25), ("xmas", "eve"): (12, 24), ("christmas",): (12, 25),
    ("xmas",): (12, 25), ("boxing", "day"): (12, 26), ("nye",): (12, 31), ("epiphany",): (1, 6),
    ("veterans", "day"): (11, 11), ("earth", "day"): (4, 22), ("juneteenth",): (6, 19), ("cinco", "de", "mayo"): (5, 5),
}  # fmt: skip
"""Holidays that stand on a fixed date: month and day."""
OFFSETS: Final = {
    "UTC": 0, "GMT": 0, "Z": 0, "EST": -300, "EDT": -240, "CDT": -300, "MST": -420, "MDT": -360, "PST": -480,
    "PDT": -420, "CET": 60, "CEST": 120, "EET": 120, "EEST": 180,
}  # fmt: skip
"""Names of offsets that mean one thing, in minutes."""
ANCHORS: Final = frozenset(
    "in on by until till since before after from to through thru of this next last early mid late between every each coming "
    "past during for within around about following previous beginning starting ending end start middle".split()
)
"""Words after which a doubtful word speaks of time."""
WEAK_ANCHORS: Final = frozenset("to this for about past on after".split())
"""Of these, those that say nothing about a small "may" or "march": "to march", "this may be"."""
AFTER_A_TIME: Final = frozenset(
    "a about after again between against all alone along although an and any are as at because been before but by can can't "
    "clock could did do does don't during else every everyone except for from go had has have he her here him his how i i'd i'll "
    "i'm i've if in instead into is it it's just like may me might must my no nor not of off on only onwards or our "
    "out over please sharp she should since so than thanks that that's the their them then there these they this through "
    "till to today tomorrow tonight too until up us was we we'll we're were what when where which while who will with without "
    "works would yesterday yet you your".split()
)
"""Words that can follow a bare number which is a time: "at 5 with Mia". Before any other word it counts things."""
HOLDERS: Final = frozenset(
    "appointment call class concert deadline demo dinner exam flight game interview lecture lesson lunch match meeting party "
    "review session show standup training trip workshop breakfast brunch order delivery".split()
)
"""What can belong to a weekday: "Friday's meeting"."""
_WORD: Final = r"\d+|[^\W\d_]+(?:['\u2019][^\W\d_]+)*['\u2019]?(?=\W|$)|[^\W\d_]+(?:['\u2019][^\W\d_]+)*|[^\s\w]|_"
_ONCE: Final = frozenset(
    "today tomorrow yesterday tonight tonite tmr tmrw noon midday noontime midnight lunchtime now date eod eom eoy eow weekday "
    "weekdays workday workdays weekend weekends half thousand oclock".split()
)
DAYS_ALONE: Final = frozenset(
    {"today", "tomorrow", "yesterday", *(name for name in WEEKDAYS if name not in DOUBTFUL_DAYS)}
)
"""Days that need no article."""


class Word(NamedTuple):
    """One word, number or sign of a text."""

    text: str
    """In small letters, with a straight apostrophe."""
    start: int
    end: int
    raw: str


@cache
def _token() -> re.Pattern[str]:
    return re.compile(_WORD)


@cache
def _timely() -> frozenset[str]:
    return frozenset({
        *WEEKDAYS, *MONTHS, *UNITS, *SEASONS, *PARTS_AS_SAID, *DECADES, *FREQUENCIES, *SMALL, *TENS, *_ONCE,
        *(name for names in HOLIDAYS for name in names if name not in {"de", "new", "st", "saint", "cinco"}),
        *(f"{name}s" for name in WEEKDAYS if name.endswith("day")),
    })  # fmt: skip


def timely(word: str) -> bool:
    """Tell whether a word speaks of time, or is a number: every expression has one such word."""
    return word[0].isdigit() or word in _timely() or ("'" in word and word.partition("'")[0] in _timely() | {"o"})


@cache
def starters() -> frozenset[str]:
    """Return the words that an expression of time can begin with, digits aside."""
    names = (*WEEKDAYS, *(f"{name}s" for name in WEEKDAYS), *(f"{name}'s" for name in WEEKDAYS))
    words = (
        "the a an at in on from between within every each once half quarter early mid late later earlier beginning start middle "
        "end rest remainder couple weekdays weekday workdays eod eom eoy eow all noon midday midnight noontime lunchtime now day "
        "today tomorrow yesterday tonight tonite tmr tmrw today's tomorrow's yesterday's tonight's ' \u2019 these my our month "
        "year calendar q h week weekend weekends nineteen eighteen seventeen"
    ).split()
    return frozenset({
        *names, *MONTHS, *SEASONS, *PARTS_AS_SAID, *SMALL, *TENS, *ORDINALS, *DECADES, *THIS, *FREQUENCIES, *words,
        *(name[0] for name in HOLIDAYS),
    })  # fmt: skip


def split(text: str) -> list[Word]:
    """Return a text as words, numbers and signs.

    >>> [word.text for word in split("At 5pm, Mia's.")]
    ['at', '5', 'pm', ',', "mia's", '.']
    """
    return [
        Word(found[0].lower().replace("\u2019", "'"), found.start(), found.end(), found[0])
        for found in _token().finditer(text)
    ]
