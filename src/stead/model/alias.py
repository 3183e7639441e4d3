"""Aliases: another name for an entity, said by a person and taken back by one (R21)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from stead.model.slot import normal

DETERMINERS = ("the ", "a ", "an ", "my ", "our ")
"""What stands before a name without being part of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """A name that means an entity."""

    name: str
    means: str
    known_at: datetime
    """From which transaction time on."""


def bare(name: str) -> str:
    """Return a name as it is written, without an article or a possessive before it.

    >>> bare("the  Flat"), bare("Tess")
    ('Flat', 'Tess')
    """
    words = " ".join(name.split())
    start = next((each for each in DETERMINERS if words.casefold().startswith(each)), "")
    return words[len(start) :]


def folded(name: str) -> str:
    """Return what two spellings of one name share: case, white space and an article before it don't count.

    >>> folded("The Flat") == folded("my flat")
    True
    """
    return normal(bare(name))
