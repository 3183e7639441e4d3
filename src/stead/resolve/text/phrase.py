"""Phrases: a noun phrase in one spelling, a complement with its limits and details."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from stead.resolve.text.lexicon import mapping, words
from stead.resolve.text.tokens import Token
from stead.resolve.text.values import Part, read_parts
from stead.resolve.text.verbs import form_of

_LIMITING: Final = frozenset(
    "on in at during for before after from to between within under over through across inside outside around when while whenever "
    "if unless where once into onto against about until till".split()
)
"""Prepositions and conjunctions that limit a claim; the others add a detail."""
_REPEATING: Final = frozenset(
    "every each daily weekly monthly yearly once twice thrice annually hourly nightly per".split()
)
_APPROXIMATE: Final = frozenset("about around roughly approximately exactly nearly almost circa".split())
_NAMING: Final = frozenset({"named", "called"})
_PAPERS: Final = frozenset({"time", "times"})
"""Words of time that are a name where they are written like one: "is owned by Time"."""
_PARTICLES: Final = frozenset("up out off down on over back away".split())
_SUBORDINATE: Final = frozenset("because who which that whom whose so".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A preposition and its phrase."""

    preposition: str
    tokens: tuple[Token, ...]

    @property
    def is_time(self) -> bool:
        """It says when or how often."""
        return self.preposition in _REPEATING or self.preposition.isdigit() or _says_when(self.tokens)

    @property
    def frequency(self) -> str:
        """How often, where it says so in numbers: "twice a week", "daily", "every 6 hours"."""
        if self.preposition in ("every", "each") and self.tokens and singular(self.tokens[-1].low) in words("periods"):
            return f"every {phrase(self.tokens)}"
        often = {"once": "1", "twice": "2", "thrice": "3"}.get(self.preposition, self.preposition)
        if often.isdigit():
            words_ = [word for word in phrase(self.tokens).split() if word not in ("time", "per")]
            return " ".join([often, *words_])
        return often if often in _REPEATING and often.endswith("ly") and not self.tokens else ""

    @property
    def limits(self) -> bool:
        """It limits the claim, and doesn't only add to it."""
        return self.preposition in _LIMITING or self.preposition in _REPEATING or self.preposition.isdigit()

    def __str__(self) -> str:
        """Spell it in one way."""
        return f"{self.preposition} {phrase(self.tokens)}".strip()


@lru_cache(maxsize=16384)
def _says_when(tokens: tuple[Token, ...]) -> bool:
    parts = read_parts(tokens)
    return any(
        part.kind in ("clock", "date", "weekday")
        or (part.text.removesuffix("s") in words("time_nouns") and not (part.kind == "name" and part.text in _PAPERS))
        for part in parts
    ) or (len(parts) == 1 and parts[0].kind == "number" and len(parts[0].text) == 4)


@lru_cache(maxsize=16384)
def singular(word: str) -> str:
    """Return a noun in the singular, as far as its spelling tells."""
    plurals = mapping("plurals")
    if word in plurals:
        return plurals[word]
    if (
        len(word) < 4
        or not word.endswith("s")
        or word.endswith(("ss", "us", "is"))
        or word in words("nouns_not_plural")
    ):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    return word[:-1]


def phrase(tokens: Sequence[Token]) -> str:
    """Return a phrase in one spelling: without articles and own possessives, nouns in the singular, a list in order."""
    return _phrase(tuple(tokens))


@lru_cache(maxsize=16384)
def _phrase(tokens: tuple[Token, ...]) -> str:
    parts = read_parts(without_hedges(tokens))
    kept = [
        singular(part.text) if part.kind == "word" else part.text
        for part in parts
        if part.text not in words("articles") and part.text not in words("possessives")
    ]
    if len(kept) > 1 and kept[0] == "all":
        kept = kept[1:]
    return _in_order(kept) if "and" in kept or "or" in kept else " ".join(kept)


def without_hedges(tokens: Sequence[Token]) -> list[Token]:
    """Drop the words that change nothing: "currently", and "about" before a number."""
    return [
        token
        for place, token in enumerate(tokens)
        if token.low not in words("soft")
        and not (token.low in _APPROXIMATE and place + 1 < len(tokens) and is_number(tokens[place + 1]))
    ]


def _in_order(words_: list[str]) -> str:
    """Put the items of a list in order, behind the words that all of them share: "sons named Leo and Max"."""
    items = " ".join(words_).replace(" or ", " and ").split(" and ")
    first = items[0].split()
    shared = max(
        (place + 1 for place, word in enumerate(first) if word in words("prepositions") or word in _NAMING), default=0
    )
    rest = sorted([" ".join(first[shared:]), *items[1:]])
    return " ".join([*first[:shared], " and ".join(rest)])


def values(tokens: Sequence[Token]) -> list[Part]:
    """Return the parts of an answer without articles, own possessives and titles."""
    dropped = words("articles") | words("possessives") | words("soft")
    parts = [part for part in read_parts(tokens) if part.text not in dropped]
    while len(parts) > 1 and parts[0].text.rstrip(".") in words("titles"):
        parts.pop(0)
    if len(parts) > 2 and parts[0].text in words("occupations") and all(part.kind == "name" for part in parts[1:]):
        parts.pop(0)  # "the actor Tom Reed"
    return parts


# --- complements --------------------------------------------------------------------------------------------------------


def segments(rest: Sequence[Token]) -> tuple[Segment, ...]:
    """Take what follows a verb apart: the first segment is its object, or begins with its preposition."""
    if len(rest) == 2 and rest[0].low == "to":
        return (Segment(preposition="to", tokens=(rest[1],)),)  # "is set to debug"
    found: list[Segment] = []
    start, preposition = 0, ""
    place = 0
    while place < len(rest):
        low = rest[place].low
        if _opens(rest, place) and (place > start or not preposition or preposition in _PARTICLES):
            if place > start or preposition:
                found.append(Segment(preposition=preposition, tokens=_trimmed(rest[start:place])))
            preposition = "" if low == "," else mapping("numbers").get(low, low)
            start = place + 1
        place += 1
    if start < len(rest) or preposition:
        found.append(Segment(preposition=preposition, tokens=_trimmed(rest[start:])))
    return tuple(_joined([each for each in found if each.preposition or each.tokens]))


def _trimmed(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Drop what only joins a segment to the next: "on Mondays and | on holidays"."""
    end = len(tokens)
    while end and (tokens[end - 1].low in ("and", "or", ",") or tokens[end - 1].low in words("soft")):
        end -= 1
    return tuple(tokens[:end])


def _opens(rest: Sequence[Token], place: int) -> bool:
    low = rest[place].low
    if low == "of" or (place and rest[place - 1].low == "of"):  # "the position of outside hitter"
        return place == 0
    if low == "like" and place == 0:
        return False
    if low == "to" and 0 < place < len(rest) - 1 and is_number(rest[place + 1]):
        before = rest[place - 1]
        if is_number(before) or before.low in ("quarter", "half"):
            return False  # "9 to 5", "quarter to seven"
    if place + 1 < len(rest) and rest[place + 1].low == "times" and is_number(rest[place]):
        return True
    if low in _APPROXIMATE and place + 1 < len(rest) and is_number(rest[place + 1]):
        return False
    if low in ("last", "next", "this", "that") and place and place + 1 < len(rest):
        return rest[place + 1].low.removesuffix("s") in words("time_nouns") and rest[place - 1].low not in words(
            "articles"
        )
    if low.endswith("ly") and low in _REPEATING:
        return place + 1 == len(rest) or rest[place + 1].low in words("prepositions")
    if low == ",":
        return not _is_list(rest, place)
    if low == "to" and place + 1 < len(rest):
        form = form_of(rest[place + 1].low)
        return rest[place + 1].is_name or not (form is not None and form.plain)  # "is married to Mark"
    return (
        low in words("prepositions")
        or low in _REPEATING
        or low in ("when", "while", "whenever", "if", "because", "who", "which", "that")
    )


def is_number(token: Token) -> bool:
    """Tell whether a number begins here, in figures, in words or with its currency."""
    return token.has_digit or token.low in mapping("numbers") or token.low in "$€£"


def _is_list(rest: Sequence[Token], comma: int) -> bool:
    return any(token.low in ("and", "or") for token in rest[comma + 1 : comma + 8])


def _joined(found: Sequence[Segment]) -> list[Segment]:
    """Keep a subordinate clause whole: what follows it belongs to it."""
    kept: list[Segment] = []
    for each in found:
        if kept and kept[-1].preposition in _SUBORDINATE | {"when", "while", "whenever", "if"}:
            last = kept.pop()
            tokens = (
                *last.tokens,
                *((Token(each.preposition, each.preposition),) if each.preposition else ()),
                *each.tokens,
            )
            kept.append(Segment(preposition=last.preposition, tokens=tokens))
        else:
            kept.append(each)
    return kept
