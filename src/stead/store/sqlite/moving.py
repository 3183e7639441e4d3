"""The rows of a subject, and of the rest of the tenant, as a backup takes them (R33).

Columns are read off the schema. What belongs to whom stands in one table here, and a test holds it against the schema: a table
that nobody thought of would be one that a restore loses.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from stead.errors import StoreCorrupt
from stead.store.erasing import ERASED
from stead.store.moving import BackupRow, Lasting, Moved
from stead.store.sqlite.forgetting import Forgetting
from stead.store.sqlite.purging import Purging
from stead.store.sqlite.rows import marks

_MINE: Final = "IN (SELECT value FROM json_each(?1))"
_OF_SUBJECT: Final = f"subject {_MINE}"
_BY_ID: Final = (
    f"id IN (SELECT id FROM records WHERE subject {_MINE} UNION ALL SELECT id FROM episodes WHERE subject {_MINE})"
)
BELONGS: Final = {
    "subjects": f"n {_MINE}",
    **dict.fromkeys(
        ("slots", "erasures", "records", "revisions", "sources", "sessions", "episodes", "vectors", "decisions",
         "idempotency", "consents", "events", "aliases", "said_of", "consolidations", "fences", "exports"), _OF_SUBJECT
    ),
    "edges": f"record IN (SELECT n FROM records WHERE subject {_MINE})",
    **dict.fromkeys(("effects", "contradictions"), f"decision IN (SELECT n FROM decisions WHERE subject {_MINE})"),
    "usage": _BY_ID,
    "readers": _BY_ID,
}  # fmt: skip
"""How the rows of a table belong to subjects."""
OF_TENANT: Final = {"meta": "1", "migrations": "1", "clock": "1", "numbers": "1", "events": "subject IS NULL"}
"""What belongs to all of them."""
LEFT_OUT: Final = {
    "backups": "a restore knows those of the store whose place it takes",
    "sinks": "as above",
    "needles": "they are what an erasure still looks for; its restored rows are gone already",
}
FULL_TEXT: Final = ("claims", "episodes")
WORDS: Final = ("doc", "offset", "term")
"""The columns in which the full text travels: it is no table of rows, but where each word stands in which text."""
_WHOLE: Final = (
    f"EXISTS (SELECT 1 FROM erasures AS e WHERE e.subject = s.n AND e.whole = 1) AND s.name GLOB '{ERASED}*'"
)
_KEPT: Final = ("exports", "backups")


class ReadsMoving(Forgetting):
    """Part of a snapshot of one SQLite file."""

    def schema(self) -> int:
        return int(self._all("SELECT max(version) FROM migrations")[0][0])

    def living(self) -> list[int]:
        return [n for (n,) in self._all(f"SELECT n FROM subjects AS s WHERE NOT ({_WHOLE}) ORDER BY n")]

    def dump(self, subject: int | None) -> Iterator[Moved]:
        if subject is None:
            for table, where in OF_TENANT.items():
                yield from self._rows_of(table, where, ())
            closed = [n for (n,) in self._all(f"SELECT n FROM subjects AS s WHERE {_WHOLE} ORDER BY n")]
        else:
            closed = [subject]
        for table, where in BELONGS.items():
            yield from self._rows_of(table, where, (json.dumps(closed),))
        for n in closed:
            yield from self._words(n)

    def _rows_of(self, table: str, where: str, bindings: Sequence[object]) -> Iterator[Moved]:
        columns = columns_of(self, table)
        listed = ", ".join(f'"{each}"' for each in columns)
        for row in self._c.execute(f"SELECT {listed} FROM {table} WHERE {where}", bindings):
            yield table, columns, row

    def _words(self, subject: int) -> Iterator[Moved]:
        """Yield where the words of a subject stand; the index holds no texts, so it is read word by word."""
        for shelf in FULL_TEXT:
            for row in self._c.execute(
                f'SELECT doc, "offset", term FROM {shelf}_postings WHERE term >= ? AND term < ?',
                (f"{subject}_", f"{subject}`"),
            ):
                yield f"{shelf}_text", WORDS, row

    def backups(self) -> list[BackupRow]:
        return [
            BackupRow(id=name, path=path, tx=tx, ledger=ledger, until=until, gone=gone)
            for name, path, tx, ledger, until, gone in self._all(
                "SELECT id, path, tx, ledger, until, gone FROM backups ORDER BY n"
            )
        ]

    def lasting(self) -> Lasting:
        given = self._all(
            "SELECT what, max(last, CASE what WHEN 'revisions' THEN (SELECT coalesce(max(n), 0) FROM revisions)"
            " WHEN 'episodes' THEN (SELECT coalesce(max(n), 0) FROM episodes)"
            " ELSE (SELECT coalesce(max(n), 0) FROM decisions) END) FROM numbers ORDER BY what"
        )
        subjects = self._all(
            "SELECT n, name, ref, epoch FROM subjects AS s WHERE epoch > 0 OR n IN (SELECT subject FROM fences)"
            " OR n IN (SELECT subject FROM exports) ORDER BY n"
        )
        return Lasting(
            last=int(self._all("SELECT last FROM clock")[0][0]),
            numbers=tuple((what, last) for what, last in given),
            subjects=tuple((n, name, ref, epoch) for n, name, ref, epoch in subjects),
            rows=tuple(row for table in ("fences", "sinks", *_KEPT) for row in self._rows_of(table, "1", ())),
        )


class WritesMoving(Purging):
    """Part of the one writer of a file."""

    def add_backup(self, row: BackupRow) -> None:
        self._change(
            "INSERT OR IGNORE INTO backups (id, path, tx, ledger, until, gone) VALUES (?,?,?,?,?,?)",
            (row.id, row.path, row.tx, row.ledger, row.until, row.gone),
        )

    def lift_epoch(self, ref: str, epoch: int) -> None:
        self._change("UPDATE subjects SET epoch = max(epoch, ?) WHERE ref = ?", (epoch, ref))

    def outlast(self, lasting: Lasting) -> None:
        self._change("UPDATE clock SET last = max(last, ?)", (lasting.last,))
        for what, last in lasting.numbers:
            self._change("UPDATE numbers SET last = max(last, ?) WHERE what = ?", (last, what))
        for n, name, ref, epoch in lasting.subjects:
            self._same_subject(n, name, ref)
            self._change(
                "INSERT INTO subjects (n, name, ref, epoch) VALUES (?, ?, ?, ?) ON CONFLICT (n)"
                " DO UPDATE SET epoch = max(epoch, excluded.epoch), ref = coalesce(ref, excluded.ref)",
                (n, name, ref, epoch),
            )
        for table, columns, row in lasting.rows:
            self._keep_row(table, dict(zip(columns, row, strict=True)))

    def _same_subject(self, n: int, name: str, ref: str | None) -> None:
        """Refuse a store that went another way: fences are made for a number, and the number must mean the same subject."""
        same = "coalesce(ref = ?2, 1)" if ref is not None else "name = ?3"
        others = f"SELECT 1 FROM subjects WHERE (n = ?1 OR ref = ?2 OR name = ?3) AND NOT (n = ?1 AND {same})"
        if self._all(others, (n, ref, name)):
            raise StoreCorrupt(
                "the store at this path and the backup don't come from the same store",
                hint="Restore to another path, or move the store there away first.",
            )

    def _keep_row(self, table: str, row: dict[str, object]) -> None:
        if table in _KEPT:
            row.pop("n")
        newer = {
            "fences": "UPDATE SET tx = max(tx, excluded.tx)",
            "sinks": "UPDATE SET command = excluded.command, tx = excluded.tx",
        }.get(table, "UPDATE SET gone = coalesce(gone, excluded.gone)")
        self._change(
            f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks(tuple(row))}) ON CONFLICT DO {newer}",
            tuple(row.values()),
        )


def columns_of(store: Forgetting, table: str) -> tuple[str, ...]:
    """Return the columns of a table, as the schema of the file has them."""
    return tuple(name for (name,) in store._all("SELECT name FROM pragma_table_info(?)", (table,)))  # noqa: SLF001
