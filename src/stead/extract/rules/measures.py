"""Gaps for what is counted, dated or addressed: where a number, a date, a sum or a street ends."""

from __future__ import annotations

import re
from typing import Final

from stead.extract.rules.lexicon import FOLLOW, STOPS, TRAILING
from stead.extract.rules.text import Words, by_first

MONTHS: Final = frozenset(
    "january february march april may june july august september october november december jan feb mar apr jun "
    "jul aug sep sept oct nov dec".split()
)
NUMBERS: Final = frozenset(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred".split()
)
_DAY: Final = re.compile(r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?")
_DATE: Final = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[/.]\d{1,2}(?:[/.]\d{2,4})?")
_CLOCK: Final = re.compile(
    r"\d{1,2}(?:[:.]\d{2})?(?:am|pm|h)?(?:-\d{1,2}(?:[:.]\d{2})?(?:am|pm)?)?|noon|midnight|midday"
)
HEIGHTS: Final = frozenset("cm m metres meters feet foot ft inches in ' \" centimeters centimetres".split())
WEIGHTS: Final = frozenset("kg kilos kilograms pounds lbs lb stone".split())
_NO_AGES: Final = frozenset("' \" ft foot feet % pages miles minutes hours".split())
_UNITS: Final = frozenset(
    "minutes minute hours hour days day weeks week months month seconds km pages miles percent".split()
)
_NOT_IN_STREETS: Final = STOPS | frozenset("on from since at as for with starting after before".split())


def trimmed(words: Words, first: int, end: int) -> int:
    """Return where a phrase ends without the small words at its end."""
    low = words.low
    while end > first:
        if end > first + 2 and tuple(low[end - 2 : end]) in _SOMEWHERE:
            end -= 2
        elif low[end - 1] in TRAILING or (low[end - 1] in FOLLOW and low[end - 1] != "own"):
            end -= 1
        else:
            break
    return end


def adverbial(low: list[str], at: int) -> bool:
    """Tell whether words say how or how much rather than what: "with a passion", "at the moment", "more than cats"."""
    return any(tuple(low[at : at + len(words)]) == words for words in _ADVERBS.get(low[at], ()))


_ADVERBS: Final = by_first(
    "with a passion|with all my heart|with a vengeance|with everything|at the moment|at the minute|at the time|at best|"
    "at first|at times|at all|everywhere|anywhere|elsewhere|wherever|to death|to bits|to pieces|to the max|to no end|"
    "more than|better than|better|best|more|most|the most|the best|the least|even more|so much|as much|as well|as long|"
    "above all|above everything|any day|all day|all year|all round|all over|all the|any time|when possible|"
    "if possible|where possible|as possible|as usual|for now|for ages|for good|for life|for sure|for once|for example|"
    "for instance|for some reason|for religious reasons|for health reasons|for medical reasons|for ethical reasons|for my health|"
    "for reasons|for the environment|for years|in general|in particular|in theory|in principle|in moderation|in fact|"
    "on principle|on occasion|on paper|by default|by far|by nature|by choice|by heart|for fun|no matter|instead|"
    "despite|except|apart from|other than|unlike|including|especially|particularly|though|without fail|once again|"
    "a lot|a bit|a little|a ton|loads|lots|somehow|sometimes|occasionally|nowadays|mind you|per se|way more|way too|"
    "too much|enough|max|tops|minimum|maximum"
)
_SOMEWHERE: Final = frozenset((("at", "home"), ("at", "work"), ("at", "night"), ("at", "school"), ("for", "breakfast")))


def number(words: Words, first: int, _last: int) -> int:
    """Return the end of a number, in digits or words."""
    low = words.low[first]
    return first + 1 if low[0].isdigit() or low in NUMBERS or low.split("-")[0] in NUMBERS else first


def date(words: Words, first: int, last: int) -> int:
    """Return the end of a date as it is written."""
    low = words.low
    if _DATE.fullmatch(low[first]):
        return first + 1
    at = first + 1 if low[first] == "the" and first + 1 < last else first
    if _DAY.fullmatch(low[at]):
        month = at + 2 if at + 1 < last and low[at + 1] == "of" else at + 1
        return _year(words, month + 1, last) if month < last and low[month] in MONTHS else first
    if low[first] in MONTHS and first + 1 < last:
        day = first + 2 if low[first + 1] == "the" and first + 2 < last else first + 1
        if _DAY.fullmatch(low[day]):
            return _year(words, day + 1, last)
    return first


def _year(words: Words, end: int, last: int) -> int:
    at = end + 1 if end < last and words.low[end] in (",", "in") else end
    fits = at < last and words.low[at].isdigit() and len(words.low[at]) == 4
    return at + 1 if fits else end


def time(words: Words, first: int, last: int) -> int:
    """Return the end of a time of day or a span of them."""
    low = words.low
    end = first + 2 if low[first : first + 2] in _HALVES and first + 2 < last else first
    if not _CLOCK.fullmatch(low[end]) and low[end] not in _HOURS:
        return first
    end += 1
    if end < last and low[end] in ("am", "pm", "a.m", "p.m", "o'clock"):
        end += 1
    if (
        end + 1 < last
        and low[end] in ("to", "-", "and", "till", "until", "\u2013", "through")
        and _CLOCK.fullmatch(low[end + 1])
    ):
        return time(words, end + 1, last)
    return end


_HOURS: Final = frozenset("one two three four five six seven eight nine ten eleven twelve".split())
_HALVES: Final = (["half", "past"], ["quarter", "past"], ["quarter", "to"])


def email(words: Words, first: int, _last: int) -> int:
    """Return the end of an address for mail."""
    return first + 1 if "@" in words.low[first] and len(words.low[first]) > 3 else first


def phone(words: Words, first: int, last: int) -> int:
    """Return the end of a telephone number."""
    end, digits = first, 0
    while end < last and end - first < 12 and (words.low[end].lstrip("+")[:1].isdigit() or words.low[end] in "+()-."):
        digits += sum(char.isdigit() for char in words.low[end])
        end += 1
    while end > first and words.low[end - 1] in "+(-.":
        end -= 1
    return end if digits >= 6 else first


def address(words: Words, first: int, last: int) -> int:
    """Return the end of a street address: it has a number and may have commas."""
    low = words.low
    end, digit = first, False
    while (
        end < last
        and end - first < 16
        and end not in words.masked
        and (low[end] in ",./-#" or low[end] not in _NOT_IN_STREETS)
    ):
        digit = digit or low[end][0].isdigit()
        end += 1
    end = trimmed(words, first, end)
    return end if digit and end - first >= 2 else first


def money(words: Words, first: int, last: int) -> int:
    """Return the end of a sum of money."""
    low = words.low
    if low[first][0] in "$€£":
        return first + 2 if first + 1 < last and low[first + 1] in ("k", "million") else first + 1
    if not low[first][0].isdigit():
        return first
    end = first + 1
    large = low[first].endswith("k") or len(low[first].replace(",", "").replace(".", "")) >= 4
    if end < last and low[end] in ("k", "thousand", "million", "grand"):
        end += 1
    if end < last and low[end] in (
        "euros",
        "euro",
        "dollars",
        "pounds",
        "eur",
        "usd",
        "gbp",
        "chf",
        "francs",
        "€",
        "$",
    ):
        return end + 1
    return end if large or end > first + 1 else first


def age(words: Words, first: int, last: int) -> int:
    """Return the end of an age in years; "5 minutes late" is none."""
    low = words.low[first]
    if first + 1 < last and words.low[first + 1] in _NO_AGES:
        return first
    if words.low[first + 1 : first + 2] in (["of"], ["out"]):
        return first
    if first in words.masked or (first + 1 < last and first + 1 in words.masked and words.low[first + 1] in _UNITS):
        return first
    if low in NUMBERS and low not in ("one", "hundred"):
        return first + 1
    return first + 1 if low.isdigit() and 0 < len(low) <= 2 and int(low) else first


def size(words: Words, first: int, _last: int) -> int:
    """Return the end of a size of clothes or shoes: 42, 7.5, XL, medium."""
    return first + 1 if _SIZE.fullmatch(words.low[first]) else first


_SIZE: Final = re.compile(r"\d{1,3}(?:[.,/]\d{1,2})?[a-z]{0,2}|x{0,3}[sl]|m|small|medium|large")


def year(words: Words, first: int, _last: int) -> int:
    """Return the end of a year: 1900 to 2099."""
    return first + 1 if _YEAR.fullmatch(words.low[first]) else first


_YEAR: Final = re.compile(r"(?:19|20)\d\d")


def measure(words: Words, first: int, last: int, units: frozenset[str]) -> int:
    """Return the end of a measure: numbers and units."""
    low = words.low
    end, unit = first, False
    while end < last and end - first < 5 and (low[end][0].isdigit() or low[end] in NUMBERS or low[end] in units):
        unit = unit or low[end] in units or low[end].endswith(("cm", "kg", "m"))
        end += 1
    return end if unit and low[first][0].isalnum() and low[first] not in units else first
