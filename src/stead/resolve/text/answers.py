"""What kind of answer a phrase is: a name, a thing, an amount, time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
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
    kept = without_hedges(tokens)
    parts = values(kept)
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
        return Answer(text=text, kind="n", sort="country" if text in words("countries") else "")
    return Answer(text=text, kind="d" if kept[0].low in words("determiners") else "b")


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
    if any(part.kind in ("name", "id") for part in parts[1:]):
        return Answer(text=" ".join(part.text for part in parts), kind="n")
    noun = phrase(kept).partition(" ")[2]
    return Answer(text=first.text, kind="a", sort="number", more=noun, counted=True)
