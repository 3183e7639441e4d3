"""What was read of words that were put plainly, taken back to the words that were said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from stead.extract.proposal import Act, Proposal
from stead.extract.rules.patterns import Compiled
from stead.extract.rules.rewording import Reworded
from stead.extract.rules.template import RELATIONS
from stead.extract.rules.text import Words
from stead.model.slot import SELF, normal

LOOSE: Final = frozenset("opinion choice.preference tool.uses instruction.always instruction.never".split())
"""Attributes that take nearly any words: they prove nothing about a form."""


def counting(compiled: Compiled, found: Iterable[Proposal], way: Reworded) -> Iterator[Proposal]:
    """Return what counts of the proposals that plain words gave.

    Parameters
    ----------
    compiled
        The ontology.
    found
        What was read.
    way
        How the words were put plainly.
    """
    for one in found:
        if one.slot is None or one.act in (Act.FORGET, Act.TAKE_BACK):
            continue
        name = one.slot.key.attribute
        if way.strict and name in LOOSE:
            continue
        if way.label and not _asked_for(compiled, name, way.label):
            continue
        yield one


def _asked_for(compiled: Compiled, name: str, label: str) -> bool:
    """Tell whether a label is a word by which people ask for an attribute."""
    terms: tuple[str, ...] = getattr(compiled.attributes[name], "terms", ())
    known = {word for term in terms for word in term.lower().split()} | set(name.replace("_", ".").split("."))
    said = label.split()
    return any(word in known or word.removesuffix("s") in known or f"{word}s" in known for word in said)


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
    kept: list[Proposal] = []
    for one in found:
        slot = one.slot
        if slot is None:
            continue
        value = slot.value or ""
        parts = [slot.key.object, value if value not in RELATIONS else ""]
        if slot.key.entity not in (SELF, owner):
            parts.append("")
        if all(normal(part) in said for part in parts if part):
            kept.append(replace(one, span=span, confidence=min(one.confidence, 0.85)))
    return kept
