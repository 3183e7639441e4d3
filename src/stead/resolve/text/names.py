"""Names as they stand in a sentence: what is written as part of a name is no word of grammar."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

from stead.resolve.text.lexicon import mapping, words
from stead.resolve.text.tokens import Token
from stead.resolve.text.verbs import BE, DO, HAVE, form_of

_LONGEST_TITLE: Final = 10
"""Words between quotes that are still a title and no speech."""
_SPEAKING: Final = frozenset("say tell ask write answer reply read call mean think shout whisper".split())
_JOINING: Final = frozenset({"and", "or", "but", "if", "to", "no", "not", "never", "than", "whether"})


def with_names(tokens: list[Token]) -> list[Token]:
    """Take the quotes and marks of titles away, and keep their words from being read as grammar.

    "The author of "Who Stole the River?" is Ada Finch" has one verb: what is written with a capital inside of a name keeps it.
    """
    tokens = _states(_without_inner_marks(_without_quotes(tokens)))
    return [_guarded(tokens, place) for place in range(len(tokens))]


def _states(tokens: list[Token]) -> list[Token]:
    """Read "out of stock", "in progress" as one word: a state, not a place."""
    kept: list[Token] = []
    place = 0
    while place < len(tokens):
        low = tokens[place].low
        for size in (4, 3, 2) if low in _state_openers() else ():
            state = mapping("state_phrases").get(" ".join(token.low for token in tokens[place : place + size]))
            if state and not any(token.is_name for token in tokens[place + 1 : place + size]):
                kept.append(Token(state, state))
                place += size
                break
        else:
            if not (
                low == "out"
                and place
                and place + 1 < len(tokens)
                and tokens[place + 1].low == "of"
                and _is_made(tokens[place - 1])
            ):
                kept.append(tokens[place])
            place += 1
    return kept


@cache
def _state_openers() -> frozenset[str]:
    return frozenset(state.split(" ")[0] for state in mapping("state_phrases"))


def _is_made(token: Token) -> bool:
    """Tell "made out of steel" from "ran out of milk"."""
    form = form_of(token.low)
    return form is not None and form.base in ("make", "build", "carve", "construct", "craft")


def _without_quotes(tokens: list[Token]) -> list[Token]:
    """Take the quotes off a title; speech in quotes keeps them."""
    marks = [place for place, token in enumerate(tokens) if token.low == '"']
    if len(marks) % 2 or not marks:
        return tokens
    for start, end in zip(marks[::2], marks[1::2], strict=True):
        inside = tokens[start + 1 : end]
        before = form_of(tokens[start - 1].low) if start else None
        speech = before is not None and before.base in _SPEAKING
        if speech or not 1 <= len(inside) <= _LONGEST_TITLE or not (inside[0].is_name or inside[0].has_digit):
            return tokens
    inner = {place for start, end in zip(marks[::2], marks[1::2], strict=True) for place in range(start + 1, end)}
    return [
        Token(token.raw, token.raw) if place in inner and _is_guarded(token) else token
        for place, token in enumerate(tokens)
        if token.low != '"' and not (place in inner and not token.is_word and token.low not in "'s")
    ]


def _without_inner_marks(tokens: list[Token]) -> list[Token]:
    """Drop "!" and "?" after a name where the sentence goes on, and the colon of a subtitle."""
    kept: list[Token] = []
    for place, token in enumerate(tokens):
        before = tokens[place - 1] if place else None
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        if before is not None and after is not None and before.is_name:
            if token.low in "!?" and (after.raw[:1].islower() or after.low in ("'s", "'")):
                continue
            if token.low == ":" and place > 1 and after.is_name:
                continue
        kept.append(token)
    return kept


def _guarded(tokens: Sequence[Token], place: int) -> Token:
    """Return the token with its capital kept where it is a word of grammar inside of a name."""
    token = tokens[place]
    if not token.raw[:1].isupper() or not _is_guarded(token):
        return token
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    if place == 0:
        return Token(token.raw, token.raw) if _begins_title(tokens) else token
    near = tokens[place - 1].is_name or (after is not None and after.is_name)
    return Token(token.raw, token.raw) if near else token


def _is_guarded(token: Token) -> bool:
    """Tell whether a word has a part in grammar: an auxiliary, a conjunction, a preposition, a pronoun, a hedge."""
    low = token.low
    if low in ("i", "may", "a", "an", "the"):
        return False
    return (
        low in BE
        or low in HAVE
        or low in DO
        or low in _JOINING
        or any(
            low in words(name)
            for name in ("modals", "relative", "questions", "clause", "soft", "prepositions", "pronouns")
        )
    )


def _begins_title(tokens: Sequence[Token]) -> bool:
    """Tell "Who Killed Roger was written by …" from "If Tom comes": a verb written with a capital stands in the name."""
    for token in tokens[1:_LONGEST_TITLE]:
        if not token.raw[:1].isupper():
            return False
        form = form_of(token.low)
        if form is not None and (form.third or form.past):
            return True
    return False
