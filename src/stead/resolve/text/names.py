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
_DENYING: Final = frozenset({"no", "not", "never"})
_SMALL: Final = frozenset("of the and in a an to for with on at by from not & - , ! ' 's".split())
"""Words and marks that are written small inside of a title."""
_ASKING: Final = frozenset(
    "who why how which where when because although though while could would should might may must can will there".split()
)
_PERSONS: Final = frozenset("i you we they he she it".split())
"""What a title may begin with: "Is This It", "They Live Here", "Would I Lie"; not "Maybe", which is a hedge."""


def with_names(tokens: list[Token]) -> list[Token]:
    """Take the quotes and marks of titles away, and keep their words from being read as grammar.

    "The author of "Who Stole the River?" is Ada Finch" has one verb: what is written with a capital inside of a name keeps it.
    """
    tokens = _states(_without_inner_marks(_without_quotes(tokens)))
    title = _title_end(tokens)
    return [_guarded(tokens, place, title) for place in range(len(tokens))]


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


def _is_in_title(tokens: Sequence[Token], place: int) -> bool:
    """Find "!" and "..." in "the author of Oh! What a Lovely War is …": the name follows "of", the verb is still to come."""
    start = place
    while start and (tokens[start - 1].is_name or tokens[start - 1].low in "!."):
        start -= 1
    named = 0 < start < place and tokens[start - 1].low == "of" and tokens[start].is_name
    return named and _is_pause(tokens, place) and not any(_is_certain(token, "") for token in tokens[:start])


def _is_pause(tokens: Sequence[Token], place: int) -> bool:
    """Tell "!" and the dots of "..." from a full stop, which ends a sentence or a short form."""
    near = (tokens[place - 1].low if place else "", tokens[place + 1].low if place + 1 < len(tokens) else "")
    return tokens[place].low == "!" or "." in near


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
        if token.low in "!." and _is_in_title(tokens, place):
            continue
        before = tokens[place - 1] if place else None
        after = tokens[place + 1] if place + 1 < len(tokens) else None
        if before is not None and after is not None and before.is_name:
            if token.low in "!?" and (after.raw[:1].islower() or after.low in ("'s", "'")):
                continue
            if token.low == ":" and place > 1 and after.is_name:
                continue
        if token.low == ":" and before is not None and before.has_digit and after is not None and after.is_name:
            continue  # "2001: A Slow Odyssey"
        kept.append(token)
    return kept


def _guarded(tokens: Sequence[Token], place: int, title: int) -> Token:
    """Return the token with its capital kept where it is a word of grammar inside of a name; `title` is where one ends."""
    token = tokens[place]
    if token.raw == "not" and _is_contracted(tokens, place, title):
        return Token("Not", "Not")
    if not token.raw[:1].isupper():
        return token
    if token.low == "i" and place >= title:
        return Token(token.raw, token.raw) if _is_numeral(tokens, place) else token
    if token.low == "an" and place >= title:
        return Token(token.raw, token.raw) if place and tokens[place - 1].is_name else token
    if not _is_guarded(token):
        return token
    if place < title:
        return Token(token.raw, token.raw)
    if place == 0:
        return Token(token.raw, token.raw) if _begins_title(tokens) else token
    loud = token.raw.isupper() and not tokens[place - 1].raw.isupper()
    if loud and token.low in _DENYING:
        return token  # "is NOT Tom" only says it loudly
    if token.low in ("not", "never") and tokens[place - 1].low in BE:
        return token  # so does "is Not Tom"
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    near = tokens[place - 1].is_name or (after is not None and after.is_name)
    said_so = token.low not in _DENYING and token.low not in words("modals") and tokens[place - 1].is_word
    return Token(token.raw, token.raw) if near or said_so else token


def _is_contracted(tokens: Sequence[Token], place: int, title: int) -> bool:
    """Tell "Boys Don't Sigh", a name, from "Tom Reed Isn't here" and from a denial at the start."""
    before = tokens[place - 1] if place else None
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    if before is None or not before.raw[:1].isupper():
        return False
    verb = before.low in BE or before.low in DO or before.low in ("can", "will")
    return verb and (place < title or (after is not None and after.raw[:1].isupper() and place > 1))


def _is_numeral(tokens: Sequence[Token], place: int) -> bool:
    """Tell "Elizabeth I", "I. M. Pie" and "Every Breath I Take" from the speaker."""
    after = tokens[place + 1] if place + 1 < len(tokens) else None
    before = tokens[place - 1] if place else None
    if after is not None and after.low == "." and place + 2 < len(tokens):
        return True
    if before is None or after is None:
        return before is not None and before.raw[:1].isupper()
    form = form_of(after.low)
    if after.raw[:1].isupper() or (before.low == "of" and after.low == ","):
        return True
    if not before.raw[:1].isupper() or before.low in words("soft") | words("time_nouns") | words("openers"):
        return False
    speaks = form is None or form.plain or form.past
    opens = tokens[0].low not in words("prepositions")  # "In Berlin I was happy"
    named = place > 1 and opens and all(each.raw[:1].isupper() for each in tokens[:place])
    return after.low in ("of", "'s", "is", "has", "does") or not speaks or (named and after.low in ("was", "had"))


def _title_end(tokens: Sequence[Token]) -> int:
    """Return where the title ends that a sentence begins with: "Is This It was written by …"; 0 where it begins with none.

    The words of a title are written with capitals; the first small word that isn't small in titles, too, is the verb.
    """
    first = tokens[0].low if tokens else ""
    if not (first in BE or first in HAVE or first in DO or first in _ASKING or first in _PERSONS):
        return 0
    end = next((at for at, token in enumerate(tokens) if token.raw.islower() and token.low not in _SMALL), 0)
    capitals = sum(token.raw[:1].isupper() for token in tokens[:end])
    if not end or not tokens[0].raw[:1].isupper() or capitals < 2:
        return 0
    if any(token.low == "," for token in tokens[end:]):
        return 0  # "Because Tom Reed is ill, Ida left"
    owns = end > 1 and tokens[end - 1].low in ("'s", "'")  # "Is This It's director is …"
    places = range(end, min(end + 4, len(tokens))) if owns else [end]
    verb = next((at for at in places if _is_certain(tokens[at], first)), 0)
    if not verb or any(_is_certain(token, "") for token in tokens[verb + 1 :]):
        return 0
    return end


def _is_certain(token: Token, first: str) -> bool:
    """Tell a word that can only be the finite verb of a sentence with this first word: no modal is followed by "died"."""
    form = form_of(token.low) if token.raw.islower() else None
    if form is None or form.third or token.low in ("is", "was", "are", "were", "has", "had"):
        return form is not None
    modal = first in words("modals") or first in ("will", "can")
    return bool(first) and form.past and not form.plain and (modal or not form.participle)


def _is_guarded(token: Token) -> bool:
    """Tell whether a word has a part in grammar: an auxiliary, a conjunction, a preposition, a pronoun, a hedge."""
    low = token.low
    if low in ("may", "a", "the"):
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
