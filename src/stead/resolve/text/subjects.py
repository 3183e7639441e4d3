"""Subjects: whom or what a claim is about, and what it asks of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from stead.model.slot import SELF
from stead.resolve.text.lexicon import mapping, words
from stead.resolve.text.phrase import phrase, singular
from stead.resolve.text.tokens import Token

_PRONOUNS: Final = frozenset("i you we they he she it what there".split())
_SELVES: Final = frozenset("i me we user subject you".split())


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
    if any(_begins_another(kept, at) for at in range(1, len(kept))):
        return None
    if first in words("possessives"):
        return _owned(_without_only(kept[1:]))
    definite = first == "the"
    if first in words("articles"):
        kept = _without_only(kept[1:])
    if not kept:
        return None
    if (first in ("a", "an") or (first == "one" and len(kept) > 1)) and any(token.low == "of" for token in kept):
        return replace(_compound(kept, definite), definite=False)  # "a suburb of Graz" is one of several
    return _name_of(kept) or _possessive(kept) or _of(kept, definite) or _compound(kept, definite)


def _without_only(kept: list[Token]) -> list[Token]:
    """Drop "only", "sole", "one and only": there is one anyway."""
    lows = [token.low for token in kept[:4]]
    start = 3 if lows[:3] == ["one", "and", "only"] else 1 if lows[:1] in (["only"], ["sole"]) else 0
    return kept[start:] if len(kept) > start else kept


def _begins_another(kept: Sequence[Token], place: int) -> bool:
    """Tell "the school my son", two phrases of which one describes the other, from one phrase."""
    before = kept[place - 1]
    return kept[place].low in words("possessives") and before.raw.islower() and before.is_word and before.low not in (
        words("prepositions") | words("kin") | {"of", "and", "or", "'s", "both", "all"}
    )  # fmt: skip


def _name_of(kept: Sequence[Token]) -> Subject | None:
    """Read "the name of the prime minister of Norland", "my boss's name": who it is, not what a thing is called."""
    if len(kept) > 3 and kept[0].low == "name" and kept[1].low == "of":
        inner = read_subject(kept[2:])
    elif len(kept) > 2 and kept[-1].low == "name" and kept[-2].low == "'s":
        inner = read_subject(kept[:-2])
    else:
        return None
    if inner is None or not inner.head:
        return None
    asked = inner.head.split(" ")[-1]
    offices = words("attributes") | words("office_nouns") | words("roles_named")
    office = (asked in offices and asked not in words("plural_heads")) or inner.head in words("of_titles")
    return inner if office else None


def _owned(kept: Sequence[Token]) -> Subject | None:
    """Read "my …": a question about the user, or a person or thing of theirs."""
    if not kept:
        return None
    if _is_title(kept):
        return Subject(entity=SELF, head=_head(kept), definite=True, plain=phrase(kept))
    if len(kept) > 1 and kept[0].low in words("kin") and all(token.is_name for token in kept[1:]):  # "my daughter Nora"
        return Subject(entity=phrase(kept), definite=True, person=True, plain=phrase(kept))
    deeper = _possessive(kept) or _of(kept, definite=True)
    if kept[-1].low == "name" and len(kept) > 2 and kept[-2].low == "'s":
        named = read_subject((Token("my", "my"), *kept[:-2]))
        if named is not None and named.head.split(" ")[-1] in words("attributes") - words("plural_heads"):
            return named
    if deeper:
        return deeper
    head = _head(kept)
    return Subject(entity=SELF, head=head, definite=True, person=_is_kin(kept), plain=phrase(kept))


def _possessive(kept: Sequence[Token]) -> Subject | None:
    for place in range(len(kept) - 2, 0, -1):
        mark = kept[place].low
        if mark == "'s" or (mark == "'" and kept[place - 1].low.endswith("s")):
            owner, owned = kept[:place], kept[place + 1 :]
            if any(token.low in ("of", "for") for token in owned) and not _is_title(owned):
                return None
            name = _entity(owner)
            return Subject(
                entity=name, head=_head(owned), definite=True, person=_is_kin(owned), plain=f"{name} {phrase(owned)}"
            )
    return None


def _of(kept: Sequence[Token], definite: bool) -> Subject | None:
    """Read "the author of Dune", "the deadline for Alpha": the owner is what stands behind."""
    places = [at for at in range(1, len(kept) - 1) if kept[at].low in ("of", "for")]
    title = _title_end(kept)
    if title and title < len(kept) - 1 and kept[title].low in ("of", "for", "in"):
        places = [title]
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
    kind = len(owned) == 1 and head in words("kinds_of") and kept[chosen].low == "of"
    plain = name if kind else f"{name} {phrase(owned)}"
    return Subject(entity=name, head=head, definite=True, person=_is_kin(owned), plain=plain)


def _is_title(owned: Sequence[Token]) -> bool:
    """Tell "head of state", which is one noun, from "list of Anna's friends"."""
    return _title_end(owned) == len(owned)


def _title_end(kept: Sequence[Token]) -> int:
    """Return where a noun like "head of state" ends that the phrase begins with, after its adjectives; 0: there is none."""
    for start in range(min(3, len(kept))):
        for size in (3, 4):
            if " ".join(token.low for token in kept[start : start + size]) in words(
                "of_titles"
            ) and start + size <= len(kept):
                return start + size
    return 0


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
        titled = kept[-1].is_name and not kept[-1].raw.isupper()  # "Hollow Kings" has no kings
        if before and before[-1].is_name and kept[0].low not in words("unique") and not titled:
            name = phrase(before)
            return Subject(entity=name, head=_head(kept[-1:]), definite=True, person=person, plain=whole)
        if not definite and not any(token.is_name for token in kept[1:]):
            return Subject(entity=SELF, head=_head(kept), definite=True, person=person, plain=whole)
    if (
        definite
        and len(kept) == 2
        and last in words("split_heads")
        and kept[0].raw.islower()
        and kept[0].low not in words("unique")
    ):
        return Subject(entity=phrase(kept[:1]), head=_head(kept[1:]), definite=True, plain=whole)
    certain = definite or "_" in kept[-1].low or (not kept[0].is_name or last in words("attributes"))
    entity = _entity(kept)
    return Subject(
        entity=entity,
        definite=certain or len(kept) > 1,
        person=person or _is_person_name(kept, definite),
        plain=entity if _has_kind(kept) else whole,
    )


def _has_kind(kept: Sequence[Token]) -> bool:
    return (
        kept[0].low in words("kinds_of_name") | words("occupations")
        or kept[-1].low in ("project", "server")
        or "_" in kept[-1].low
    )


def _is_person_name(kept: Sequence[Token], definite: bool) -> bool:
    """Guess that a bare name of at most three words may be a person."""
    return (
        not definite
        and len(kept) <= 3
        and all(token.is_name and not token.has_digit and "_" not in token.low for token in kept)
    )


def _entity(tokens: Sequence[Token]) -> str:
    """Return an owner in one spelling: "the novel Dune" is Dune, "my sister" is the sister, "the user" is the user."""
    lows = [
        token.low for token in tokens if token.low not in words("articles") and token.low not in words("possessives")
    ]
    if lows and all(low in _SELVES for low in lows):
        return SELF
    kept = [token for token in tokens if token.low not in words("articles")]
    if (
        len(kept) > 1
        and "_" in kept[-1].low
        and all(token.raw.islower() and "_" not in token.low for token in kept[:-1])
    ):
        kept = kept[-1:]  # "the environment variable LOG_LEVEL"
    if len(kept) > 1 and kept[0].low in words("kinds_of_name") and all(_is_proper(token) for token in kept[1:]):
        kept = kept[1:]
    elif len(kept) > 2 and kept[0].low in words("occupations") and all(token.is_name for token in kept[1:]):
        kept = kept[1:]  # "the poet Ada Finch"
    elif len(kept) > 1 and kept[-1].low in ("project", "server") and all(_is_proper(token) for token in kept[:-1]):
        kept = kept[:-1]  # "the Mercury project"
    if len(kept) > 2 and kept[0].low in words("kinds_of_name") and kept[1].low == "of":
        kept = kept[2:]
    inner = _possessive(kept)
    if inner is None and any(token.low == "of" for token in kept):
        inner = _of(kept, definite=True)
    if inner is not None:
        return f"{inner.entity} {inner.head}" if inner.entity != SELF else inner.head
    return phrase([token for token in kept if token.low not in ("'s", "'")])


def _is_proper(token: Token) -> bool:
    """Tell names and identifiers from common words."""
    return token.is_name or token.has_digit or "_" in token.low


def _head(tokens: Sequence[Token]) -> str:
    dropped = ("sole", "only", "new") if len(tokens) > 1 else ()
    text = phrase([token for token in tokens if token.low not in dropped] or tokens)
    return mapping("heads").get(text, text)


def _is_kin(tokens: Sequence[Token]) -> bool:
    return singular(tokens[-1].low) in words("kin")
