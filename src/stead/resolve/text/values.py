"""One spelling for equal values: numbers, amounts, dates, clock times, names.

Only what is certainly equal is made equal. Identifiers, versions and plain decimals are kept letter by letter: ``3.10`` is not
``3.1``, ``Room 101`` is not ``Room 102``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from stead.resolve.text.lexicon import mapping, table, words
from stead.resolve.text.tokens import Token, tokenize

_PLAIN: Final = re.compile(r"\d{1,15}")
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d{1,6})?")
_DECIMAL: Final = re.compile(r"\d{1,15}\.\d{1,9}")
_DAY: Final = re.compile(r"(0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?")
_YEAR: Final = re.compile(r"(?:1[0-9]|20)\d\d")
_ISO: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_CLOCK: Final = re.compile(r"([01]?\d|2[0-4])[:.]([0-5]\d)")
_HOUR: Final = re.compile(r"[01]?\d|2[0-4]")
_PARTS_OF_HOUR: Final = {"half": 30, "quarter": 15}
NAMED_HOURS: Final = {"noon": "12:00", "midday": "12:00", "midnight": "00:00"}


@dataclass(frozen=True, slots=True)
class Part:
    """One word or one value of a phrase, in its canonical spelling."""

    text: str
    kind: str
    """``word``, ``name``, ``id``, ``number``, ``clock``, ``date``, ``weekday``, or the unit of an amount: ``amount:eur``."""


@lru_cache(maxsize=16384)
def canonical(value: str) -> str:
    """Return the one spelling of equal values (R24).

    Parameters
    ----------
    value
        A value in words, as a claim or a slot gives it.

    Returns
    -------
    str
        Folded, without articles, with numbers in figures, amounts in base units, dates and clock times in ISO 8601.

    >>> canonical("The 5 km"), canonical("2 pm"), canonical("3rd of May 2026")
    ('5000 m', '14:00', '2026-05-03')
    """
    parts = read_parts(tokenize(value))
    articles = words("articles")
    kept = [part.text for part in parts if part.text not in articles]
    return " ".join(kept) if kept else " ".join(part.text for part in parts)


def read_parts(tokens: Sequence[Token]) -> tuple[Part, ...]:
    """Return the words and values of a phrase in order; marks are left out."""
    return _read_parts(tuple(tokens))


@lru_cache(maxsize=16384)
def _read_parts(tokens: tuple[Token, ...]) -> tuple[Part, ...]:
    parts: list[Part] = []
    place = 0
    while place < len(tokens):
        taken = None
        if _may_be_value(tokens[place].low):
            taken = _date(tokens, place) or _clock(tokens, place) or _amount(tokens, place)
        if taken:
            part, place = taken
            parts.append(part)
            continue
        token = tokens[place]
        place += 1
        if token.low in ("'", "'s"):
            if token.low == "'s":
                parts.append(Part("'s", "word"))
        elif token.is_word:
            parts.append(_single(token))
    return tuple(parts)


@lru_cache(maxsize=16384)
def _may_be_value(low: str) -> bool:
    """Tell words that can begin a number, a date or a time from others, which are most."""
    first = low.split("-", maxsplit=1)[0]
    openers = first in mapping("numbers") or first in mapping("scales") or first in _PARTS_OF_HOUR or first == "the"
    return openers or low.rstrip(".") in mapping("months") or low[0].isdigit() or low[0] in "$€£¥"


@lru_cache(maxsize=16384)
def _single(token: Token) -> Part:
    low = (
        token.low if token.low == "A" else token.low.casefold()
    )  # a word of grammar inside of a name keeps its capital, see `names`
    if low in words("weekdays") or low.removesuffix("s") in words("weekdays"):
        return Part(low.removesuffix("s"), "weekday")
    if low in NAMED_HOURS:
        return Part(NAMED_HOURS[low], "clock")
    if low in mapping("ordinals"):
        return Part(mapping("ordinals")[low], "word")
    if token.has_digit:
        return Part(low, "id")
    return Part(low, "name" if token.is_name else "word")


# --- dates and clock times ----------------------------------------------------------------------------------------------


def _date(tokens: Sequence[Token], place: int) -> tuple[Part, int] | None:
    low = tokens[place].low
    iso = _ISO.fullmatch(low)
    if iso:
        return Part(f"{iso[1]}-{int(iso[2]):02}-{int(iso[3]):02}", "date"), place + 1
    at = place + 1 if low == "the" and place + 1 < len(tokens) else place
    day = _DAY.fullmatch(tokens[at].low)
    month = _month(tokens, at)
    if day:
        after = at + 2 if _low(tokens, at + 1) == "of" else at + 1
        month = _month(tokens, after)
        if month:
            return _with_year(tokens, after + 1, month, int(day[1]))
    elif month and at == place:
        day = _DAY.fullmatch(_low(tokens, at + 1))
        if day:
            return _with_year(tokens, at + 2, month, int(day[1]))
        return _with_year(tokens, at + 1, month, 0) if _is_certain_month(tokens, at) else None
    return None


def _month(tokens: Sequence[Token], place: int) -> int:
    return int(mapping("months").get(_low(tokens, place).rstrip("."), 0))


def _is_certain_month(tokens: Sequence[Token], place: int) -> bool:
    """Tell "may" and "march", "jan" and "mar" that are words or people from months: these are written with a capital."""
    before = _low(tokens, place - 1) if place else ""
    year = bool(_YEAR.fullmatch(_low(tokens, place + 1)))
    in_time = before in ("in", "since", "until", "by", "of", "from", "every", "each", "to", "late", "early", "mid")
    return tokens[place].raw[:1].isupper() and (year or in_time or len(tokens) == 1 or len(tokens[place].low) > 5)


def _with_year(tokens: Sequence[Token], place: int, month: int, day: int) -> tuple[Part, int]:
    after = place + 1 if _low(tokens, place) in (",", "of") and _YEAR.fullmatch(_low(tokens, place + 1)) else place
    year = _low(tokens, after) if _YEAR.fullmatch(_low(tokens, after)) else ""
    text = (year or "-") + f"-{month:02}" + (f"-{day:02}" if day else "")
    return Part(text, "date"), after + 1 if year else place


def _clock(tokens: Sequence[Token], place: int) -> tuple[Part, int] | None:
    low, after = tokens[place].low, _low(tokens, place + 1).replace(".", "")
    exact = _CLOCK.fullmatch(low)
    half = after if after in ("am", "pm") else ""
    if exact and (":" in low or half):
        return _at(int(exact[1]), int(exact[2]), half, place + (2 if half else 1))
    if low in _PARTS_OF_HOUR and after in ("past", "to"):
        hour = mapping("numbers").get(_low(tokens, place + 2), _low(tokens, place + 2))
        if _HOUR.fullmatch(hour):
            minute = _PARTS_OF_HOUR[low]
            return _at(int(hour) - (after == "to"), minute if after == "past" else 60 - minute, "", place + 3)
    hour = mapping("numbers").get(low, low)
    if _HOUR.fullmatch(hour) and (half or after == "o'clock"):
        return _at(int(hour), 0, half, place + 2)
    return None


def _at(hour: int, minute: int, half: str, after: int) -> tuple[Part, int]:
    if half == "pm" and hour < 12:
        hour += 12
    elif half == "am" and hour == 12:
        hour = 0
    return Part(f"{hour % 24:02}:{minute:02}", "clock"), after


def bare_hour(part: Part) -> Part | None:
    """Return the clock time of a bare number after "at": "at 9" is 9 o'clock."""
    if part.kind == "number" and _HOUR.fullmatch(part.text):
        return Part(f"{int(part.text) % 24:02}:00", "clock")
    return None


# --- numbers and amounts ------------------------------------------------------------------------------------------------


def _amount(tokens: Sequence[Token], place: int) -> tuple[Part, int] | None:
    sign = tokens[place].low if tokens[place].low in "$€£¥" else ""
    read = _number(tokens, place + 1 if sign else place)
    if read is None:
        return None
    number, exact, after = read
    if sign and number is not None and _low(tokens, after) == "m":  # "$5m" is money, "5m" is a length
        number, after = number * 1_000_000, after + 1
    unit = sign or _low(tokens, after).rstrip(".")
    found = _unit(unit)
    if found is None or number is None:
        return Part(exact, "number"), after
    factor, base = found
    return Part(f"{_spell(number * factor)} {base}", f"amount:{base}"), after if sign else after + 1


@lru_cache(maxsize=512)
def _unit(word: str) -> tuple[Fraction, str] | None:
    units = table("units")
    name = (
        word
        if word in units
        else mapping("plurals").get(word, word.removesuffix("es") if word == "inches" else word[:-1])
    )
    if name not in units or (word != name and not word.endswith("s") and word not in mapping("plurals")):
        return None
    factor, base = units[name].split()
    return Fraction(factor), base


def _number(tokens: Sequence[Token], place: int) -> tuple[Fraction | None, str, int] | None:
    """Read a number in figures or in words: its amount, how it is spelled alone, and where it ends."""
    low = _low(tokens, place)
    number: Fraction | None
    if _PLAIN.fullmatch(low):
        if len(low) > 1 and low[0] == "0":
            return None
        number, exact, after = Fraction(low), low, place + 1
    elif _THOUSANDS.fullmatch(low):
        number = Fraction(low.replace(",", ""))
        exact, after = low.replace(",", ""), place + 1
    elif _DECIMAL.fullmatch(low):
        number, exact, after = Fraction(low), low, place + 1
    else:
        return _in_words(tokens, place)
    scale = mapping("scales").get(_low(tokens, after))
    if scale and _low(tokens, after) != "hundred":
        number *= int(scale)
        return number, _spell(number), after + 1
    return number, exact, after


def _in_words(tokens: Sequence[Token], place: int) -> tuple[Fraction | None, str, int] | None:
    total = current = 0
    at, seen = place, False
    while at < len(tokens) and at - place < 12:
        pieces = tokens[at].low.split("-")
        values = [mapping("numbers").get(piece) for piece in pieces]
        scale = mapping("scales").get(tokens[at].low)
        if all(value is not None for value in values) and (len(pieces) == 1 or len(pieces) == 2):
            amount = sum(int(value) for value in values if value is not None)
            if current % 10 and seen:
                break
            current += amount
            seen = True
        elif scale and seen and len(tokens[at].low) > 1:
            if scale == "100":
                current *= 100
            else:
                total, current = total + current * int(scale), 0
        elif not (
            tokens[at].low == "and"
            and seen
            and current % 100 == 0
            and current
            and _low(tokens, at + 1) in mapping("numbers")
        ):
            break
        at += 1
    if not seen:
        return None
    number = Fraction(total + current)
    return number, _spell(number), at


def _spell(number: Fraction) -> str:
    if number.denominator == 1:
        return str(number.numerator)
    return f"{float(number):.6f}".rstrip("0").rstrip(".")


def _low(tokens: Sequence[Token], place: int) -> str:
    return tokens[place].low if 0 <= place < len(tokens) else ""
