"""One order for a sentence: what stands in front of it, beside its subject or the other way round, where a plain one has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stead.resolve.text.lexicon import words
from stead.resolve.text.tokens import Token
from stead.resolve.text.verbs import BE, DO, HAVE, form_of

_COPULAS: Final = frozenset({"is", "was", "are", "were"})
_ENDINGS: Final = (
    ("and", "nothing", "else"),
    ("and", "nowhere", "else"),
    ("and", "nobody", "else"),
    ("any", "longer"),
    ("any", "more"),
    ("for", "everyone"),
)
"""Words at the end that change nothing about what is said before."""
_OBLIGED: Final = frozenset({"has", "have", "needs", "need"})
_FINISHED: Final = frozenset(
    "done finished completed ready submitted delivered handed paid sent returned filed".split()
)
_THERE: Final = frozenset({"in", "at", "on"})


def plain_order(tokens: list[Token]) -> list[Token]:
    """Return a statement in the plain order: subject, verb, the rest.

    "In the repo, main is the default branch" ends with "in the repo"; "it was in 1902 that it was founded" with "in 1902"; "there
    are 300 people in the office" says that the office has 300 people.
    """
    tokens = _without_endings(tokens)
    tokens = _front_to_end(_with_verb(tokens))
    tokens = _without_apposition(tokens)
    return _cleft(tokens) or _there(tokens) or _due(tokens) or tokens


def apposition(tokens: Sequence[Token]) -> tuple[int, int] | None:
    """Return where "Acme, a maker of pumps, is …" says beside its subject what that is; None where it doesn't."""
    start = next((at for at in range(1, min(9, len(tokens))) if tokens[at].low == ","), 0)
    end = (
        next((at for at in range(start + 2, min(start + 14, len(tokens) - 1)) if tokens[at].low == ","), 0)
        if start
        else 0
    )
    if not end or not _is_finite(tokens[end + 1]) or any(_is_finite(token) for token in tokens[:start]):
        return None
    first = tokens[start + 1]
    form = form_of(first.low)
    participle = form is not None and form.participle and not form.third
    opens = (
        first.low in words("articles")
        or first.low in words("possessives")
        or participle
        or first.low in ("also", "which")
    )
    return (start, end) if opens and not any(token.low in ("and", "or") for token in tokens[:start]) else None


def _without_apposition(tokens: list[Token]) -> list[Token]:
    """Take "a maker of pumps" out of "Acme, a maker of pumps, is …"; "Nora, my daughter, is …" is about my daughter Nora."""
    found = apposition(tokens)
    if found is None:
        return tokens
    start, end = found
    kin = end - start == 3 and tokens[start + 1].low in words("possessives") and tokens[start + 2].low in words("kin")
    before = [*tokens[start + 1 : end], *tokens[:start]] if kin else tokens[:start]
    return [*before, *tokens[end + 1 :]]


def _is_finite(token: Token) -> bool:
    form = form_of(token.low)
    low = token.low
    return (
        low in BE or low in HAVE or low in DO or (form is not None and (form.third or form.past) and not token.is_name)
    )


def _without_endings(tokens: list[Token]) -> list[Token]:
    lows = [token.low for token in tokens]
    for ending in _ENDINGS:
        size = len(ending)
        if len(tokens) > size + 1 and tuple(lows[-size:]) == ending:
            kept = tokens[:-size]
            while len(kept) > 2 and kept[-1].low == ",":
                kept.pop()
            return kept
    return tokens


def _with_verb(tokens: list[Token]) -> list[Token]:
    """Read "Dune, a novel by Herbert" as "Dune is a novel by Herbert"."""
    commas = [at for at, token in enumerate(tokens) if token.low == ","]
    if len(commas) != 1 or not 0 < commas[0] < len(tokens) - 2 or tokens[commas[0] + 1].low not in ("a", "an"):
        return tokens
    at = commas[0]
    return (
        tokens
        if any(_is_finite(token) for token in tokens[:at])
        else [*tokens[:at], Token("is", "is"), *tokens[at + 1 :]]
    )


def _front_to_end(tokens: list[Token]) -> list[Token]:
    """Put a phrase that stands first, before a comma, behind the statement: "In the repo, main is the default branch"."""
    if tokens[0].low not in words("prepositions") or tokens[0].low in ("like", "than"):
        return tokens
    comma = next((at for at in range(2, min(9, len(tokens))) if tokens[at].low == ","), 0)
    if not comma or comma > len(tokens) - 3 or any(_is_finite(token) for token in tokens[1:comma]):
        return tokens
    return [*tokens[comma + 1 :], *tokens[:comma]]


def _cleft(tokens: list[Token]) -> list[Token] | None:
    """Read "it was in 1902 that X was founded", "it is Tom who leads the team"."""
    if len(tokens) < 6 or tokens[0].low != "it" or tokens[1].low not in _COPULAS:
        return None
    link = next((at for at in range(3, len(tokens) - 2) if tokens[at].low in ("that", "who", "which")), 0)
    if not link:
        return None
    said, rest = tokens[2:link], tokens[link + 1 :]
    if said[0].low in words("prepositions"):
        return [*rest, *said]
    return [*said, *rest] if _is_finite(rest[0]) else None


def _due(tokens: list[Token]) -> list[Token] | None:
    """Read "must be finished by Friday", "has to be done by Friday" as "is due by Friday"."""
    lows = [token.low for token in tokens]
    if "by" not in lows or "be" not in lows[1:-2]:
        return None
    be, by = lows.index("be"), len(lows) - 1 - lows[::-1].index("by")
    start = be - 1 if lows[be - 1] == "must" else be - 2 if lows[be - 1] == "to" and lows[be - 2] in _OBLIGED else 0
    if start < 1 or by != be + 2 or lows[be + 1] not in _FINISHED:
        return None
    return [*tokens[:start], Token("is", "is"), Token("due", "due"), *tokens[by:]]


def _there(tokens: list[Token]) -> list[Token] | None:
    """Read "there are three nodes in the cluster", "there is no lift in the building": the place has them."""
    if len(tokens) < 4 or tokens[0].low != "there" or tokens[1].low not in ("is", "are"):
        return None
    if tokens[-1].low == "allergy":  # "tests showed that there is no nut allergy"
        return [Token("has", "has"), *tokens[2:]]
    place = next((at for at in range(len(tokens) - 2, 2, -1) if tokens[at].low in _THERE), 0)
    owner = tokens[place + 1 :]
    definite = owner[0].low in words("determiners") or owner[0].is_name if owner else False
    if not place or not definite or any(token.low in words("time_nouns") for token in owner):
        return None
    return [*owner, Token("has", "has"), *tokens[2:place]]
