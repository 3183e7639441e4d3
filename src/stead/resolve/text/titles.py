"""Titles of works as answers: "Lost in Translation" is one name, and "in Translation" is no place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from stead.resolve.text.clause import Clause
from stead.resolve.text.lexicon import words
from stead.resolve.text.subjects import Subject
from stead.resolve.text.tokens import Token
from stead.resolve.text.values import read_parts

_TITLED: Final = frozenset({"base on", "follow by", "precede by"})
"""Passive verbs whose complement is most often a work."""
_KNOWN: Final = frozenset({"best known for", "famous for", "the sequel to", "a sequel to", "the prequel to"})


def with_title(found: Clause, subject: Subject) -> Clause:
    """Make one word of the title that a claim gives as its answer (R24); other claims stay as they are.

    Only where a work is asked for: "works at Acme in Berlin" has a name and a place.
    """
    start = _start(found, subject)
    if start < 0:
        return found
    start += low(found.rest, start) in words("articles")
    title = found.rest[start:]
    if not _is_title(title):
        return found
    raw = " ".join(token.raw for token in title)
    return replace(found, rest=(*found.rest[:start], Token(raw, raw.casefold())))


def _start(found: Clause, subject: Subject) -> int:
    """Return where a title may begin; -1 where none is asked for."""
    if found.passive:
        return 1 if f"{found.verb} {low(found.rest, 0)}" in _TITLED else -1
    if found.verb != "be":
        return -1
    if subject.head.split(" ")[-1] in words("titled"):
        return 0
    known = next((each for each in _KNOWN if " ".join(token.low for token in found.rest).startswith(each + " ")), "")
    return len(known.split()) if known else -1


def _is_title(tokens: Sequence[Token]) -> bool:
    """Tell a name of several words that hides a preposition, a number or a month from one that reads well as it is."""
    small = words("prepositions") | words("articles") | {"of", "and", "'s", "'", ","}
    if len(tokens) < 2 or not all(token.is_name or token.has_digit or token.low in small for token in tokens):
        return False
    if not all(token.is_name or token.has_digit for token in (tokens[0], tokens[-1])):
        return False
    hides = any(token.low in words("prepositions") for token in tokens) or read_parts(tokens)[0].kind not in (
        "name",
        "id",
    )
    return hides and any(token.is_name for token in tokens)


def low(tokens: Sequence[Token], place: int) -> str:
    """Return the word at a place; "" beyond the end."""
    return tokens[place].low if place < len(tokens) else ""
