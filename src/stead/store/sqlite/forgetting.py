"""What is being erased: how it is found, hidden and listed (R27, R32).

Everything that is read of records goes through the join in `rows.FROM_REVISIONS`, which leaves out what has an erasure; the few
queries that don't have the condition of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import apsw

from stead.model.period import Instant
from stead.store.sqlite import rows
from stead.store.sqlite.rows import marks
from stead.store.values import EpisodeRow, ErasureRow, SubjectRow, WordingRow, parts

_COUNT = "(SELECT count(*) FROM {} AS x WHERE x.erasure = e.n)"
_ERASURE = (
    f"SELECT e.id, e.tx, e.selects, e.status, {_COUNT.format('records')},"
    f" {_COUNT.format('episodes')} + coalesce(json_extract(e.done, '$.episodes'), 0), e.whole FROM erasures AS e"
)


class Forgetting:
    """Part of a snapshot of one SQLite file."""

    _c: apsw.Connection

    def _all(self, sql: str, bindings: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        return self._c.execute(sql, bindings).fetchall()

    def _affected(self, decision: int) -> tuple[int, ...]:
        return tuple(row[0] for row in self._all("SELECT record FROM effects WHERE decision = ?", (decision,)))

    def _subject(self, where: str, value: object) -> SubjectRow | None:
        found = self._all(f"SELECT n, name, purges, epoch, ref FROM subjects WHERE {where}", (value,))
        for n, name, purges, epoch, ref in found:
            return SubjectRow(n=n, name=name, purges=purges, epoch=epoch, ref=ref)
        return None

    def erased(self, subject: int, public_id: str) -> bool:
        found = self._all(
            "SELECT 1 FROM records WHERE id = ? AND subject = ? AND erasure IS NOT NULL"
            " UNION ALL SELECT 1 FROM episodes WHERE id = ? AND subject = ? AND erasure IS NOT NULL"
            " UNION ALL SELECT 1 FROM fences WHERE subject = ? AND kind = 'id' AND mark = ?",
            (public_id, subject, public_id, subject, subject, public_id.encode()),
        )
        return bool(found)

    def ids(self, records: Iterable[int]) -> dict[int, str]:
        found: dict[int, str] = {}
        for part in parts(tuple(records)):
            found.update(self._all(f"SELECT n, id FROM records WHERE n IN ({marks(part)}) AND erasure IS NULL", part))
        return found

    def erased_ids(self, records: Sequence[int]) -> dict[int, str]:
        found: dict[int, str] = {}
        for part in parts(records):
            found.update(self._all(
                f"SELECT n, id FROM records WHERE n IN ({marks(part)}) AND erasure IS NOT NULL", part
            ))  # fmt: skip
        return found

    def turn_taken(self, subject: int, conversation: str, turn: str) -> bool:
        return bool(self._all(
            "SELECT 1 FROM episodes WHERE subject = ? AND conversation = ? AND turn = ?", (subject, conversation, turn)
        ))  # fmt: skip

    def erasures(self, subject: int) -> list[ErasureRow]:
        found = self._all(f"{_ERASURE} WHERE e.subject = ? ORDER BY e.n", (subject,))
        return [
            ErasureRow(
                id=name,
                tx=tx,
                selects=rows.selects(selects),
                status=status,
                records=records,
                episodes=episodes,
                whole=bool(whole),
            )
            for name, tx, selects, status, records, episodes, whole in found
        ]

    def everything(self, subject: int) -> tuple[list[int], list[int]]:
        sql = "SELECT n FROM {} WHERE subject = ? AND erasure IS NULL ORDER BY n"
        records, episodes = (self._all(sql.format(table), (subject,)) for table in ("records", "episodes"))
        return [n for (n,) in records], [n for (n,) in episodes]

    def filed_under(self, subject: int, categories: Sequence[str], attributes: Sequence[str]) -> list[int]:
        found = self._all(
            "SELECT r.n FROM records AS r WHERE r.subject = ? AND r.erasure IS NULL AND EXISTS (SELECT 1 FROM revisions AS v"
            f" LEFT JOIN slots AS s ON s.n = v.slot WHERE v.record = r.n AND (v.category IN ({marks(categories)})"
            f" OR s.attribute IN ({marks(attributes)}))) ORDER BY r.n",
            (subject, *categories, *attributes),
        )
        return [n for (n,) in found]

    def wordings(
        self, subject: int, *, records: Sequence[int] | None = None, texts: Sequence[int] | None = None
    ) -> list[WordingRow]:
        column, numbers = ("v.n", texts or ()) if records is None else ("v.record", records)
        found: list[WordingRow] = []
        for part in parts(numbers):
            found += [WordingRow(*row) for row in self._all(
                "SELECT v.record, v.n, v.claim, coalesce(v.value, ''), coalesce(s.object, ''), coalesce(s.entity, ''),"
                " coalesce(s.attribute, '') FROM revisions AS v JOIN records AS r ON r.n = v.record AND r.erasure IS NULL"
                f" LEFT JOIN slots AS s ON s.n = v.slot WHERE {column} IN ({marks(part)}) AND +v.subject = ?"
                " AND v.text_n = v.n ORDER BY v.n",
                (*part, subject),
            )]  # fmt: skip
        return found

    def drawn_from(
        self, subject: int, turns: Sequence[tuple[str, str]], known_at: Instant
    ) -> list[tuple[str, str, str, str]]:
        drawn: list[tuple[str, str, str, str]] = []
        for conversation, turn in turns:
            drawn += self._all(
                "SELECT s.conversation, s.turn, r.id, v.status FROM sources AS s JOIN records AS r ON r.n = s.record"
                " JOIN revisions AS v ON v.record = s.record AND v.tx_from <= ? AND v.tx_until > ?"
                " WHERE s.subject = ? AND s.conversation = ? AND s.turn = ? AND s.tx <= ? AND r.erasure IS NULL ORDER BY s.n",
                (known_at, known_at, subject, conversation, turn, known_at),
            )
        return drawn

    def drawn_in(self, subject: int, conversation: str) -> list[tuple[int, int | None, str | None]]:
        return self._all(
            "SELECT s.record, e.position, e.speaker FROM sources AS s JOIN records AS r ON r.n = s.record"
            " LEFT JOIN episodes AS e ON e.subject = s.subject AND e.conversation = s.conversation AND e.turn = s.turn"
            " WHERE s.subject = ? AND s.conversation = ? AND r.erasure IS NULL ORDER BY s.tx, s.n",
            (subject, conversation),
        )

    def turns_behind(self, subject: int, records: Sequence[int]) -> list[EpisodeRow]:
        columns = ", ".join(f"e.{name.strip()}" for name in rows.EPISODE.split(","))
        found: list[EpisodeRow] = []
        for part in parts(records):
            found += [rows.episode(row) for row in self._all(
                f"SELECT {columns} FROM episodes AS e WHERE e.erasure IS NULL AND e.n IN"
                " (SELECT t.n FROM sources AS s JOIN episodes AS t ON t.subject = s.subject"
                " AND t.conversation = s.conversation AND t.turn = s.turn"
                f" WHERE s.record IN ({marks(part)}) AND +s.subject = ?"
                f" UNION SELECT episode FROM decisions WHERE record IN ({marks(part)}) AND +subject = ? AND episode NOTNULL)"
                " ORDER BY e.n",
                (*part, subject, *part, subject),
            )]  # fmt: skip
        return found
