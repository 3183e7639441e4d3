"""Phrases: a noun phrase in one spelling, a subject with whose it is, a complement with its limits and details."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from stead.model.slot import SELF
from stead.resolve.text.lexicon import mapping, words
from stead.resolve.text.tokens import Token
from stead.resolve.text.values import Part, read_parts
from stead.resolve.text.verbs import form_of

_PRONOUNS: Final = frozenset("i you we they he she it what there".split())
_SELVES: Final = frozenset("i me user subject you".split())
_OWN: Final = frozenset({"my", "your"})
_LIMITING: Final = frozenset(
    "on in at during for before after from to between within under over through across inside outside around when while whenever "
    "if unless where once into onto against about until till".split()
)
"""Prepositions and conjunctions that limit a claim; the others add a detail."""
_REPEATING: Final = frozenset(
    "every each daily weekly monthly yearly once twice thrice annually hourly nightly per".split()
)
_APPROXIMATE: Final = frozenset("about around roughly approximately exactly nearly almost circa over under".split())
_NAMING: Final = frozenset({"named", "called"})
_PARTICLES: Final = frozenset("up out off down on over back away".split())
_SUBORDINATE: Final = frozenset("because who which that whom whose so".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Whom or what a claim is about."""

    entity: str
    """The whole phrase, or the owner where `head` asks a question about it."""
    head: str = ""
    """What is asked of the owner: ``author`` in "the author of Dune"."""
    definite: bool = False
    person: bool = False
    plain: str = ""
    """The whole phrase in one spelling."""

    @property
    def is_user(self) -> bool:
        """It is the subject of the record."""
        return self.entity == SELF and not self.head


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A preposition and its phrase."""

    preposition: str
    tokens: tuple[Token, ...]

    @property
    def is_time(self) -> bool:
        """It says when or how often."""
        if self.preposition in _REPEATING or self.preposition.isdigit():
            return True
        parts = read_parts(self.tokens)
        return any(
            part.kind in ("clock", "date", "weekday") or part.text.removesuffix("s") in words("time_nouns")
            for part in parts
        ) or (len(parts) == 1 and parts[0].kind == "number" and len(parts[0].text) == 4)

    @property
    def frequency(self) -> str:
        """How often, where it says so in numbers: "twice a week", "daily"."""
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
    parts = read_parts(without_hedges(tokens))
    kept = [
        singular(part.text) if part.kind == "word" else part.text
        for part in parts
        if part.text not in words("articles") and part.text not in words("possessives")
    ]
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
    return parts


# --- subjects -----------------------------------------------------------------------------------------------------------


def read_subject(tokens: Sequence[Token]) -> Subject | None:
    """Return whom or what a claim is about; None where a pronoun leaves that open."""
    kept = [token for token in tokens if token.low not in words("soft") or token.is_name]
    if not kept or all(token.low in _SELVES or token.low == "the" for token in kept):
        return Subject(entity=SELF, definite=True, person=True)
    if kept[0].low == "the" and len(kept) > 2 and kept[1].low in ("user", "subject") and kept[2].low == "'s":
        kept = [Token("my", "my"), *kept[3:]]
    elif kept[0].low in ("user", "subject") and len(kept) > 1 and kept[1].low == "'s":
        kept = [Token("my", "my"), *kept[2:]]
    if len(kept) == 1 and kept[0].low in ("he", "she", "it", "they", "this", "that", "these", "those", "who", "which"):
        return None
    if len(kept) > 1 and any(token.low in _PRONOUNS for token in kept):
        return None  # more than a noun phrase stands before the verb
    first = kept[0].low
    if (
        first in words("questions")
        or first in ("this", "these", "those", "that")
        or any(token.low in ('"', ":") for token in kept)
    ):
        return None
    if first in words("possessives"):
        return _owned(kept[1:])
    definite = first == "the"
    if first in words("articles"):
        kept = kept[1:]
    if not kept:
        return None
    return _possessive(kept) or _of(kept, definite) or _compound(kept, definite)


def _owned(kept: Sequence[Token]) -> Subject | None:
    """Read "my …": a question about the user, or a person or thing of theirs."""
    if not kept:
        return None
    deeper = _possessive(kept) or _of(kept, definite=True)
    if deeper:
        return deeper
    head = _head(kept)
    return Subject(entity=SELF, head=head, definite=True, person=_is_kin(kept), plain=phrase(kept))


def _possessive(kept: Sequence[Token]) -> Subject | None:
    for place in range(len(kept) - 2, 0, -1):
        mark = kept[place].low
        if mark == "'s" or (mark == "'" and kept[place - 1].low.endswith("s")):
            owner, owned = kept[:place], kept[place + 1 :]
            if any(token.low in ("of", "for") for token in owned):
                return None
            name = _entity(owner)
            return Subject(
                entity=name, head=_head(owned), definite=True, person=_is_kin(owned), plain=f"{name} {phrase(owned)}"
            )
    return None


def _of(kept: Sequence[Token], definite: bool) -> Subject | None:
    """Read "the author of Dune", "the deadline for Alpha": the owner is what stands behind."""
    places = [at for at in range(1, len(kept) - 1) if kept[at].low in ("of", "for")]
    if not places:
        return None
    chosen = next((at for at in places if _begins_owner(kept, at + 1)), places[-1])
    owned, owner = kept[:chosen], list(kept[chosen + 1 :])
    head = _head(owned)
    if any(token.low in words("prepositions") - {"of"} for token in owned):
        return None
    one = singular(owned[-1].low) == owned[-1].low and not owned[0].is_name
    if (
        not definite
        and not one
        and head.split(" ")[-1] not in words("attributes")
        and owned[0].low not in words("unique")
    ):
        return None
    name = _entity(owner)
    return Subject(entity=name, head=head, definite=True, person=_is_kin(owned), plain=f"{name} {phrase(owned)}")


def _begins_owner(kept: Sequence[Token], place: int) -> bool:
    return kept[place].is_name or kept[place].low in words("determiners") or kept[place].has_digit


def _compound(kept: Sequence[Token], definite: bool) -> Subject:
    """Read "the Alpha deadline" as the deadline of Alpha, "favorite color" as the user's."""
    whole = phrase(kept)
    person = _is_kin(kept)
    last = singular(kept[-1].low)
    asks = last in words("attributes") or kept[0].low in words("unique")
    if asks and not any(token.low in words("prepositions") for token in kept):
        before = [token for token in kept[:-1] if token.low not in words("unique")]
        if before and before[-1].is_name and kept[0].low not in words("unique"):
            name = phrase(before)
            return Subject(entity=name, head=_head(kept[-1:]), definite=True, person=person, plain=whole)
        if not definite and not any(token.is_name for token in kept[1:]):
            return Subject(entity=SELF, head=_head(kept), definite=True, person=person, plain=whole)
    certain = definite or (not kept[0].is_name or last in words("attributes"))
    return Subject(
        entity=_entity(kept),
        definite=certain or len(kept) > 1,
        person=person or _is_person_name(kept, definite),
        plain=whole,
    )


def _is_person_name(kept: Sequence[Token], definite: bool) -> bool:
    """Guess that a bare name of at most three words may be a person."""
    return not definite and len(kept) <= 3 and all(token.is_name and not token.has_digit for token in kept)


def _entity(tokens: Sequence[Token]) -> str:
    """Return an owner in one spelling: "the novel Dune" is Dune, "my sister" is the sister, "the user" is the user."""
    lows = [
        token.low for token in tokens if token.low not in words("articles") and token.low not in words("possessives")
    ]
    if lows and all(low in _SELVES for low in lows):
        return SELF
    kept = [token for token in tokens if token.low not in words("articles")]
    if len(kept) > 1 and kept[0].low in words("kinds_of_name") and all(token.is_name for token in kept[1:]):
        kept = kept[1:]
    if len(kept) > 2 and kept[0].low in words("kinds_of_name") and kept[1].low == "of":
        kept = kept[2:]
    inner = _possessive(kept)
    if inner is None and any(token.low == "of" for token in kept):
        inner = _of(kept, definite=True)
    if inner is not None:
        return f"{inner.entity} {inner.head}" if inner.entity != SELF else inner.head
    return phrase([token for token in kept if token.low not in ("'s", "'")])


def _head(tokens: Sequence[Token]) -> str:
    text = phrase(tokens)
    return mapping("heads").get(text, text)


def _is_kin(tokens: Sequence[Token]) -> bool:
    return singular(tokens[-1].low) in words("kin")


# --- complements --------------------------------------------------------------------------------------------------------


def segments(rest: Sequence[Token]) -> tuple[Segment, ...]:
    """Take what follows a verb apart: the first segment is its object, or begins with its preposition."""
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
    if low == "of":
        return place == 0
    if low == "like" and place == 0:
        return False
    if low == "to" and 0 < place < len(rest) - 1 and is_number(rest[place - 1]) and is_number(rest[place + 1]):
        return False  # "9 to 5"
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
        return not (form is not None and form.plain)
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
