"""Which names mean one entity: the aliases that were in force at a transaction time (R21, R25)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from stead.model.alias import folded
from stead.model.period import Instant
from stead.model.slot import SELF, SlotKey
from stead.model.words import tokens
from stead.resolve.text import read
from stead.store.protocol import ReadTx
from stead.store.values import AliasRow


@dataclass(frozen=True, slots=True)
class Names:
    """Names of entities, and under which one records are filed. Without an alias, every name means itself."""

    means: Mapping[str, str] = field(default_factory=dict)
    """The entity for each folded spelling of a name, and for those of the entity itself."""
    together: tuple[tuple[str, ...], ...] = ()
    """The names of each entity that has several, itself first."""

    def entity(self, name: str, *, in_words: bool = False) -> str:
        """Return the entity that a name means; as it is spelled in claims that were read, if ``in_words``."""
        found = self.means.get(folded(name)) if self.means else None
        if found is None:
            return name
        return as_read(found) if in_words else found

    def key(self, key: SlotKey) -> SlotKey:
        """Return the slot under which a name's slot is filed."""
        entity = self.entity(key.entity, in_words=key.from_text)
        return key if entity == key.entity else replace(key, entity=entity)

    def mentions(self, query: str) -> list[tuple[str, tuple[str, ...]]]:
        """Return what a query names: for each entity the longest of its names that stands there, and its other names."""
        asked = tokens(query) if self.together else []
        found = []
        for names in self.together:
            there = [name for name in names if _holds(asked, tokens(name))]
            if there:
                said = max(there, key=len)
                found.append((said, tuple(name for name in names if name != said)))
        return found


def _holds(words: list[str], part: list[str]) -> bool:
    size = len(part)
    return size > 0 and any(words[place : place + size] == part for place in range(len(words) - size + 1))


NO_NAMES = Names()


@lru_cache(maxsize=4096)
def as_read(name: str) -> str:
    """Return a name as `resolve.text` spells it when it is the subject of a claim.

    >>> as_read("The Berlin offices")
    'berlin office'
    """
    frame, plain = read(f"{name} is in Rome"), folded(name)
    if frame is None or frame.entity == SELF:
        return plain
    whole = len(frame.entity.split()) == len(plain.split()) or _letters(frame.entity) == _letters(plain)
    return frame.entity if whole else plain  # never the name of something that it is only a part of


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def named(rows: Iterable[AliasRow]) -> Names:
    """Return the names that aliases join."""
    means: dict[str, str] = {}
    together: dict[str, list[str]] = {}
    for each in rows:
        for name in (each.name, each.means):
            means[folded(name)] = means[as_read(name)] = each.means
        together.setdefault(each.means, [each.means]).append(each.name)
    return Names(means, tuple(map(tuple, together.values()))) if means else NO_NAMES


def names_of(store: ReadTx, subject: int, known_at: Instant | None = None) -> Names:
    """Return the names in force for a subject at a transaction time; None asks for today's."""
    return named(store.aliases(subject, known_at))
