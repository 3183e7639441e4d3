"""What was read of words that were put plainly, taken back to the words that were said."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from stead.extract.proposal import Act, Proposal
from stead.extract.rules.claims import spoken
from stead.extract.rules.lexicon import OPENERS
from stead.extract.rules.makers import Reworded
from stead.extract.rules.patterns import Compiled
from stead.extract.rules.template import RELATIONS
from stead.extract.rules.text import Words
from stead.model.slot import SELF, normal

LOOSE: Final = frozenset(
    "opinion choice.preference tool.uses instruction.always instruction.never person.name person.nickname".split()
)
"""Attributes that take nearly any words: they prove nothing about a form."""


def counting(compiled: Compiled, found: Iterable[Proposal], way: Reworded, *, strict: bool) -> Iterator[Proposal]:
    """Return what counts of the proposals that plain words gave.

    Parameters
    ----------
    compiled
        The ontology.
    found
        What was read.
    way
        How the words were put plainly.
    strict
        Something loose was found already: only what is particular counts.
    """
    for one in found:
        if one.slot is None or one.act in (Act.FORGET, Act.TAKE_BACK):
            continue
        name = one.slot.key.attribute
        if (way.strict or strict) and name in LOOSE:
            continue
        if way.only and name not in way.only:
            continue
        if way.label and name not in asked_for(compiled, way.label):
            continue
        yield one


def asked_for(compiled: Compiled, label: str) -> frozenset[str]:
    """Return the attributes that a label can stand for: by its words people ask for them."""
    found: frozenset[str] = frozenset()
    for word in label.split():
        for form in (word, word.removesuffix("s"), f"{word}s", f"{word.removesuffix('ies')}y"):
            found |= compiled.asked.get(form, frozenset())
    return found


def within(words: Words, found: Iterable[Proposal], first: int, last: int, owner: str) -> list[Proposal]:
    """Return proposals with the span ``[first, last)`` of what was said; what doesn't stand there is dropped (R24).

    Parameters
    ----------
    words, first, last
        What was said.
    found
        What was read of the plain words.
    owner
        Whom "I" stands for.
    """
    span = (words.start[first], words.end[last - 1])
    said = normal(words.raw[slice(*span)])
    spoken = frozenset(word[:4] for word in words.low[first:last])
    kept: list[Proposal] = []
    for one in found:
        slot = one.slot
        if slot is None:
            continue
        value = slot.value or ""
        parts = [slot.key.object, value if value not in RELATIONS else ""]
        if slot.key.entity not in (SELF, owner):
            parts.append(slot.key.entity)
        if all(normal(part) in said for part in parts if part):
            claim = one.claim if _in_words(one.claim, spoken) else _as_said(words, first, last)
            if claim != one.claim and _FIRST.search(words.slice(first, last)):
                claim = _as_said(words, *_around(words, parts[0] or parts[1] or value, first, last))
            kept.append(replace(one, claim=claim, span=span, confidence=min(one.confidence, 0.85)))
    return kept


_THEY: Final = tuple(
    (re.compile(rf"\b{mine}\b", re.IGNORECASE), theirs)
    for mine, theirs in (("i(?:'m| am)", "they are"), ("i've", "they have"), ("i(?!')", "they"))
)
"""In a claim the speaker is spoken of."""


def _around(words: Words, value: str, first: int, last: int) -> tuple[int, int]:
    """Return the part of a sentence between commas in which a value stands."""
    sought = normal(value).split()[:1]
    at = next((at for at in range(first, last) if normal(words.slice(at, at + 1)).split()[:1] == sought), first)
    marks = [place for place in range(first, last) if words.low[place] in (",", ";", ":", "(", ")")]
    begin = max((place + 1 for place in marks if place < at), default=first)
    return begin, min((place for place in marks if place > at), default=last)


def _in_words(claim: str, spoken: frozenset[str]) -> bool:
    """Tell whether a claim is made of what was said: no verb was lent to it that turns it another way."""
    return all(
        word[:4] in spoken or word.removesuffix("s")[:4] in spoken or word in _SMALL
        for word in re.findall(r"[\w-]+", claim.lower())
    )


_FIRST: Final = re.compile(r"\bi\b", re.IGNORECASE)
_SMALL: Final = frozenset(
    "is are am has have been with from of for by a an the their they them to in at on and always never please user s".split()
)


def _as_said(words: Words, first: int, last: int) -> str:
    """Return words as a claim of their own."""
    while (
        first < last - 1 and words.low[first] in OPENERS and (words.low[first] != "no" or words.low[first + 1] == ",")
    ):
        first += 1
    while last > first + 1 and not words.is_word(last - 1):
        last -= 1
    if words.low[first] in ("i", "we") and first + 1 < last:
        return spoken(words, first + 1, last)
    text = words.slice(first, last)
    for mine, theirs in _THEY:
        text = mine.sub(theirs, text)
    return (text[:1].upper() + text[1:])[:220].strip()
