"""Names of entities: aliases, and with which name a record was said (R21)."""

from __future__ import annotations

from collections.abc import Sequence

from stead.model.period import Instant
from stead.store.sqlite.forgetting import Forgetting
from stead.store.sqlite.rows import marks
from stead.store.values import AliasRow, parts

_FORGOTTEN = "EXISTS (SELECT 1 FROM erasures AS e WHERE e.subject = a.subject AND e.tx > a.tx AND e.whole)"
"""Who asks that everything be forgotten means the names that it goes by too (R27)."""


class Naming(Forgetting):
    """Part of a snapshot of one SQLite file."""

    def aliases(self, subject: int, known_at: Instant | None) -> list[AliasRow]:
        in_force, instants = ("a.ended IS NULL", ()) if known_at is None else (
            "a.tx <= ? AND (a.ended IS NULL OR a.ended > ?)", (known_at, known_at)
        )  # fmt: skip
        found = self._all(
            f"SELECT a.n, a.name, a.means, a.tx FROM aliases AS a WHERE a.subject = ? AND {in_force} AND NOT {_FORGOTTEN}"
            " ORDER BY a.n",
            (subject, *instants),
        )
        return [AliasRow(n=n, name=name, means=means, tx=tx) for n, name, means, tx in found]

    def entities(self, subject: int) -> list[str]:
        return [
            name for (name,) in self._all("SELECT DISTINCT entity FROM slots WHERE subject = ? ORDER BY 1", (subject,))
        ]

    def slots_about(self, subject: int, entities: Sequence[str]) -> list[int]:
        found = self._all(
            f"SELECT n FROM slots WHERE subject = ? AND entity IN ({marks(entities)}) ORDER BY n", (subject, *entities)
        )
        return [n for (n,) in found]

    def said_of(self, records: Sequence[int]) -> dict[int, str]:
        found: dict[int, str] = {}
        for part in parts(records):
            found.update(self._all(f"SELECT record, entity FROM said_of WHERE record IN ({marks(part)})", tuple(part)))
        return found
