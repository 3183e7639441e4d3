"""What kind of answer a phrase is: a name, a thing, an amount, time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from stead.resolve.text.lexicon import words
from stead.resolve.text.phrase import phrase, values, without_hedges
from stead.resolve.text.tokens import Token
from stead.resolve.text.values import Part, bare_hour

_LONGEST: Final = 8
"""Words of an answer; what is longer is no name and no value."""
_DAY: Final = re.compile(r"\d{1,2}(?:st|nd|rd|th)")
_RANGING: Final = frozenset({"to", "over", "by", "and", "-"})
_YEAR: Final = re.compile(r"1[0-9]\d\d|20\d\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An answer in one spelling, and of which kind it is."""

    text: str
    kind: str
    """What it is: ``n`` a name or identifier, ``d`` definite, ``i`` indefinite, ``b`` bare, ``a`` an amount, ``t`` a time."""
    sort: str = ""
    """Which amount or time: ``eur``, ``number``, ``clock``, ``weekday``, ``date``; ``country`` of a name."""
    more: str = ""
    """What follows the amount: "a month", "old"."""
    counted: bool = False
    """A number of things: `more` says of which."""


def answer(tokens: Sequence[Token], preposition: str = "") -> Answer | None:
    """Read a phrase as an answer; None where it is empty."""
    return _answer(tuple(tokens), preposition)


@lru_cache(maxsize=16384)
def _answer(tokens: tuple[Token, ...], preposition: str) -> Answer | None:
    kept = without_hedges(tokens)
    parts = values(kept)
    if any(_begins_phrase(kept, at) for at in range(1, len(kept))):
        return None  # "the one the service listens on" describes
    if not parts or len(parts) > _LONGEST or kept[0].low in words("questions") or _joins_more(kept):
        return None
    timely = _time(parts, preposition)
    if timely:
        return timely
    first = parts[0]
    if first.kind.startswith("amount:"):
        more = " ".join(part.text for part in parts[1:])
        return Answer(text=first.text, kind="a", sort=first.kind.partition(":")[2], more=more)
    if first.kind == "number":
        return _number(kept, parts)
    name = any(part.kind in ("name", "id", "number") or any(mark in part.text for mark in "@/._") for part in parts)
    text = phrase(kept) if any(token.low in ("and", "or") for token in kept) else " ".join(part.text for part in parts)
    if kept[0].low in ("a", "an"):
        return Answer(text=text, kind="i", sort="name" if name else "")
    if name:
        wide = "country" if text in words("countries") else "continent" if text in words("continents") else ""
        return Answer(text=text, kind="n", sort=wide)
    return Answer(text=text, kind="d" if kept[0].low in words("determiners") else "b")


def placed_answer(tokens: Sequence[Token], preposition: str = "") -> Answer | None:
    """Read an answer; "the city of Oslo" is Oslo, and "the country of Norland" is a country."""
    at = 1 if tokens and tokens[0].low == "the" else 0
    if (
        len(tokens) > at + 2
        and tokens[at].low in words("place_kinds") | words("asking_nouns")
        and tokens[at + 1].low == "of"
    ):
        reply = answer(tokens[at + 2 :], preposition)
        kind = tokens[at].low
        return (
            replace(reply, sort=kind if kind in words("place_kinds") - words("settlements") else "") if reply else None
        )
    return answer(tokens, preposition)


def _begins_phrase(kept: Sequence[Token], place: int) -> bool:
    before = kept[place - 1]
    opens = kept[place].raw in words("articles") - {"a"} or kept[place].raw in words("possessives")
    return opens and before.raw.islower() and before.is_word and before.low not in words("prepositions") | {
        "of", "and", "or", "both", "all", "than", "not", "only", "half", "twice", "per"
    }  # fmt: skip


def _joins_more(kept: Sequence[Token]) -> bool:
    """Tell "Toronto and my sister in Perth", which goes on about something else, from a list."""
    places = [place for place, token in enumerate(kept[:-1]) if token.low == "and"]
    return kept[0].is_name and any(kept[place + 1].low in words("possessives") | words("pronouns") for place in places)


def _time(parts: Sequence[Part], preposition: str) -> Answer | None:
    first = parts[0]
    if len(parts) == 1:
        hour = bare_hour(first) if preposition == "at" else None
        if hour:
            return Answer(text=hour.text, kind="t", sort="clock")
        if preposition == "on" and _DAY.fullmatch(first.text):
            return Answer(text=first.text, kind="t", sort="date")
        if first.kind == "number" and _YEAR.fullmatch(first.text) and preposition in ("in", "since"):
            return Answer(text=first.text, kind="t", sort="date")
    for sort in ("clock", "date", "weekday"):
        if len(parts) <= 5 and any(part.kind == sort for part in parts) and all(_fits_time(part) for part in parts):
            return Answer(text=" ".join(part.text for part in parts), kind="t", sort=sort)
    if preposition and all(_fits_time(part) for part in parts):
        return Answer(text=" ".join(part.text for part in parts), kind="t", sort="period")
    return None


def _fits_time(part: Part) -> bool:
    if part.kind == "name" and part.text in ("time", "times"):
        return False  # the magazine
    timely = part.text.removesuffix("s") in words("time_nouns") or part.text in (
        "next",
        "other",
        "last",
        "this",
        "early",
        "late",
        "mid",
        "sharp",
        "local",
    )
    return part.kind in ("clock", "date", "weekday") or timely or part.text in ("to", "and", "utc", "cet", "est", "pst")


def _number(kept: Sequence[Token], parts: Sequence[Part]) -> Answer:
    first = parts[0]
    if all(part.kind == "number" or part.text in _RANGING for part in parts):
        return Answer(text=" ".join(part.text for part in parts), kind="a", sort="number")
    acronym = len(parts) == 2 and kept[-1].raw.rstrip("s").isupper()  # "3 CPUs"
    if any(part.kind in ("name", "id") for part in parts[1:]) and not acronym:
        return Answer(text=" ".join(part.text for part in parts), kind="n")
    noun = phrase(kept).partition(" ")[2]
    return Answer(text=first.text, kind="a", sort="number", more=noun, counted=True)
