"""A claim of two statements, "X is delayed and lands at 20:05", as two claims."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from stead.resolve.text.clause import clause
from stead.resolve.text.finite import FREQUENT, NEGATIONS
from stead.resolve.text.lexicon import words
from stead.resolve.text.sentence import LONGEST, opened
from stead.resolve.text.tokens import Token
from stead.resolve.text.verbs import BE, DO, HAVE, form_of

_JOINS: Final = frozenset({"and", "but", ";"})
_BACK: Final = frozenset({"he", "she", "it", "they"})
"""Pronouns that mean the subject of the statement before."""


@lru_cache(maxsize=4096)
def statements(claim: str) -> tuple[str, ...]:
    """Return the plain statements of a claim that makes several; empty where it makes one, or can't be taken apart.

    >>> statements("The flight is late and lands at 20:05")
    ('The flight is late', 'The flight lands at 20:05')
    """
    tokens = opened(claim)
    if (
        not 4 <= len(tokens) <= LONGEST
        or tokens[-1].low == "?"
        or words("modals").intersection(token.low for token in tokens)
    ):
        return ()
    found = tuple(_split(tokens))
    return found if len(found) > 1 else ()


def _split(tokens: list[Token]) -> Iterator[str]:
    for place in range(2, len(tokens) - 1):
        if tokens[place].low not in _JOINS:
            continue
        left = tokens[:place]
        while left and left[-1].low == ",":
            left.pop()
        first = clause(left) if left else None
        rest = tokens[place + 1 :]
        if first is None or (not first.subject and not _is_finite(left[0]._replace(raw=left[0].low))):
            continue
        right = _whole(rest, list(first.subject))
        if right is not None:
            yield _text(left)
            yield from _split(right)
            return
    yield _text(tokens)


def _whole(rest: list[Token], subject: list[Token]) -> list[Token] | None:
    """Return the second statement with its subject; None where it is no statement."""
    start = 0
    while start < len(rest) - 1 and (
        rest[start].low in FREQUENT | NEGATIONS | words("soft") or rest[start].low in ("no", "longer")
    ):
        start += 1
    if _is_finite(rest[start]):
        return [*subject, *rest]
    if rest[0].low in _BACK and len(rest) > 2 and subject:
        return [*subject, *rest[1:]]
    own = clause(rest)
    return rest if own is not None and own.subject else None


def _is_finite(token: Token) -> bool:
    form = form_of(token.low)
    low = token.low
    return (
        low in BE or low in HAVE or low in DO or (form is not None and (form.third or form.past) and not token.is_name)
    )


def _text(tokens: list[Token]) -> str:
    return " ".join(token.raw for token in tokens)
