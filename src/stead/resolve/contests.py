"""Contests: where equals disagree, in a stable order (R26)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stead.ids import spell
from stead.model.period import Period
from stead.model.strip import Statement, lay


@dataclass(frozen=True, slots=True, kw_only=True)
class Contest:
    """The same statements, contested over one or more stretches of a slot."""

    id: str
    standing: tuple[Statement, ...]
    """In the order in which they were laid."""
    periods: tuple[Period, ...]

    @property
    def records(self) -> tuple[int, ...]:
        """Return the records in the order in which they were laid."""
        return tuple(each.record for each in self.standing)


def contests(statements: Sequence[Statement], slot: int) -> list[Contest]:
    """Return the contests of a slot, by time; the statements are those that are laid and not expired."""
    found: dict[tuple[Statement, ...], list[Period]] = {}
    for stretch in lay(statements):
        if stretch.contested:
            found.setdefault(stretch.standing, []).append(stretch.period)
    return [
        Contest(
            id=question_id(["contested", slot, *(each.record for each in standing)]),
            standing=standing,
            periods=tuple(periods),
        )
        for standing, periods in found.items()
    ]


def question_id(parts: Iterable[object]) -> str:
    """Return the id of a question: the same records in the same slot are the same question."""
    seed = "\0".join(str(part) for part in parts)
    return "que_" + spell(int.from_bytes(hashlib.blake2b(seed.encode(), digest_size=10).digest(), "big"))
