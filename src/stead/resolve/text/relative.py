"""Descriptions that ask: "the company that produced X is Y" says that Y produced X."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from stead.resolve.text.answers import answer
from stead.resolve.text.clause import Clause
from stead.resolve.text.frame import Frame
from stead.resolve.text.lexicon import mapping, words
from stead.resolve.text.making import single_frame
from stead.resolve.text.phrase import segments, singular
from stead.resolve.text.relations import maker
from stead.resolve.text.subjects import read_subject
from stead.resolve.text.tokens import Token
from stead.resolve.text.verbs import BE, DO, HAVE, form_of, stances

_LINKING: Final = frozenset({"who", "that", "which", "whom"})
_LIGHT: Final = frozenset("type kind sort name form style genre".split())
_THE: Final = Token("the", "the")
_OF: Final = Token("of", "of")


@dataclass(frozen=True, slots=True)
class Turned:
    """A description turned into a plain sentence."""

    tokens: list[Token]
    head: str
    """The noun that was described."""
    reply: tuple[Token, ...]
    subjective: bool
    """The answer is who or what does it, not what it is done to."""


def turned(tokens: Sequence[Token]) -> Iterator[Turned]:
    """Yield the plain sentences that say what "the … that … is Y" says.

    Parameters
    ----------
    tokens
        A statement that begins with a description: a definite noun and a relative clause, with "that", "where" or nothing.

    Yields
    ------
    Turned
        "The person who wrote Dune is Herbert" as "Herbert wrote Dune"; "the city I live in is Graz" as "I live in … Graz".
    """
    tokens = _subject_first(tokens)
    if not tokens or tokens[0].low != "the":
        return
    verb = next((at for at in range(len(tokens) - 2, 2, -1) if tokens[at].low in ("is", "was")), 0)
    start = next((at for at in range(2, verb) if _begins_relative(tokens, at, verb)), 0)
    if not start or tokens[verb + 1].low in words("never"):
        return
    head = _light(tokens[1:start])
    if head is None or _is_like(tokens[verb + 1 :], head):
        return
    reply = tuple(tokens[verb + 1 :])
    link, rest = tokens[start].low, list(tokens[start + 1 : verb])
    if link in words("prepositions") and rest and rest[0].low in ("which", "whom"):
        yield from _objective(head, rest[1:], [link], reply)
    elif link == "where":
        yield from _objective(head, rest, ["in", "at"], reply)
    elif link not in _LINKING:
        yield from _objective(head, list(tokens[start:verb]), [""], reply)
    elif rest and _is_finite(rest[0]):
        said = answer(reply)
        if said is None or said.kind not in "ndb":
            return
        yield Turned([*reply, *rest], " ".join(head), reply, subjective=True)
    else:
        yield from _objective(head, rest, [""], reply)


def _subject_first(tokens: Sequence[Token]) -> Sequence[Token]:
    """Turn "Y is the company that produced X", "Y is where X was born" round; other sentences stay."""
    verb = next((at for at in range(1, min(9, len(tokens) - 2)) if tokens[at].low in ("is", "was")), 0)
    if not verb or (
        tokens[0].low in ("the", "it", "this", "that", "there") and tokens[verb + 1].low not in ("where", "the")
    ):
        return tokens
    said = tokens[verb + 1 :]
    if said[0].low == "where":
        return [_THE, Token("place", "place"), *said, tokens[verb], *tokens[:verb]]
    described = said[0].low == "the" and any(_begins_relative(said, at, len(said)) for at in range(2, len(said) - 1))
    return [*said, tokens[verb], *tokens[:verb]] if described else tokens


def _is_like(reply: Sequence[Token], head: Sequence[str]) -> bool:
    """Tell "is tall", which says what somebody is like, from who it is."""
    low = reply[0].low
    described = head[-1] in words("general_nouns") and (low in words("demonyms") or low in mapping("families"))
    return len(reply) == 1 and (low in words("adjectives") or described)


def _objective(
    head: list[str], inner: list[Token], prepositions: Sequence[str], reply: tuple[Token, ...]
) -> Iterator[Turned]:
    """Put the answer where the relative clause leaves its gap."""
    if len(inner) < 2:
        return
    if inner[0].low == "i" and inner[1].low in ("like", "love") and inner[2:3] and inner[2].low in ("best", "most"):
        favorite = [Token(word, word) for word in ("my", "favorite", *head, "is")]
        yield Turned([*favorite, *reply], "", reply, subjective=False)
        return
    made = any((form := form_of(token.low)) is not None and maker(form.base) for token in inner)
    plain = head[-1] in words("general_nouns") or (made and head[-1] in words("kinds_of_name") - words("place_kinds"))
    if head[-1] in ("year", "month") and prepositions == [""]:
        prepositions = ["in"]  # "the year it was founded"
    kind = [] if plain else [_THE, *(Token(word, word) for word in head), _OF]
    for preposition in prepositions:
        gap = [Token(preposition, preposition)] if preposition else []
        yield Turned([*inner, *gap, *kind, *reply], " ".join(head), reply, subjective=False)


def _begins_relative(tokens: Sequence[Token], place: int, verb: int) -> bool:
    low = tokens[place].low
    if low in _LINKING or low == "where":
        return True
    if low in words("prepositions") and place + 1 < verb and tokens[place + 1].low in ("which", "whom"):
        return True
    # "the city I live in", "the person Ada is married to": no word links
    owned = low in words("possessives") or low == "the"
    opens = low in ("i", "we", "he", "she", "they") or owned or tokens[place].is_name
    inner = tokens[place + 1 : verb]
    return (
        opens
        and tokens[place - 1].raw.islower()
        and tokens[place - 1].low not in words("determiners") | words("prepositions")
        and any(_is_finite(token) or (form_of(token.low) is not None and low in ("i", "we", "they")) for token in inner)
        and not any(token.low in _LINKING or token.low in ("and", ",", "where") for token in inner)
    )


def _is_finite(token: Token) -> bool:
    form = form_of(token.low)
    return token.low in BE or token.low in HAVE or token.low in DO or (form is not None and (form.third or form.past))


def _light(tokens: Sequence[Token]) -> list[str] | None:
    """Return the noun that is asked for; "type of music" asks for the music. None where it isn't one plain noun."""
    lows = [token.low for token in tokens if token.low not in words("soft")]
    if len(lows) > 2 and lows[0] in _LIGHT and lows[1] == "of":
        lows = [low for low in lows[2:] if low not in words("articles")]
    if not lows or len(lows) > 3 or singular(lows[-1]) != lows[-1]:
        return None
    if any(low in words("prepositions") or low in ("of", "'s", "'", ",") for low in lows):
        return None
    return lows


def described(found: Clause, sentence: Turned) -> Iterator[Frame]:
    """Yield the question of a description whose verb asks nothing by itself: "the field that Ada works in is optics"."""
    reply = answer(sentence.reply)
    if reply is None or reply.kind not in "nbdat" or found.negated or found.ended or found.able:
        return
    first = reply.text.split()[0]
    praised = first in words("adjectives") or first.endswith(("ful", "less", "ous", "able", "ible"))
    named = (
        sentence.head.split(" ")[-1] in words("fields") | {"music"} and " " in reply.text
    )  # "free jazz" is no praise
    if reply.kind == "b" and praised and not named:
        return
    if found.verb in stances():
        return  # "the book that I like" is one of several
    if found.past and not found.passive and found.verb not in ("attend", "graduate", "study"):
        return  # what happened may have happened to others too
    passive = "be " if found.passive else ""
    if sentence.subjective:
        rest = " ".join(str(each) for each in segments(found.rest))
        if rest:
            yield single_frame(rest, f"{sentence.head} that {passive}{found.verb}", [], reply.text)
        return
    subject = read_subject(found.subject)
    parts = segments(found.rest)
    asked = next((each for each in parts if reply.text and each.tokens[-len(sentence.reply) :] == sentence.reply), None)
    if subject is None or asked is None:
        return
    others = [str(each) for each in parts if each is not asked and each.limits]
    head = mapping("heads").get(sentence.head, sentence.head)
    relation = " ".join(f"{passive}{found.verb} {asked.preposition} {head}".split())
    yield single_frame(subject.plain or subject.entity, relation, others, reply.text)
