"""What is exported beside the records, and where exports lie."""

from __future__ import annotations

import json
from collections.abc import Sequence

from stead.model.period import Instant
from stead.store.porting import ExportRow, NamedRow, ReaderRow
from stead.store.sqlite.forgetting import Forgetting
from stead.store.sqlite.rows import marks
from stead.store.values import SessionRow, SubjectRow, parts

_EXPORT = "SELECT id, subject, path, form, tx, gone FROM exports"


class Porting(Forgetting):
    """Part of a snapshot of one SQLite file."""

    def subject_by_number(self, subject: int) -> SubjectRow | None:
        return self._subject("n = ?", subject)

    def next_records(self, subject: int, after: int, limit: int) -> list[int]:
        return self._next_of("records", subject, after, limit)

    def next_turns(self, subject: int, after: int, limit: int) -> list[int]:
        return self._next_of("episodes", subject, after, limit)

    def _next_of(self, table: str, subject: int, after: int, limit: int) -> list[int]:
        sql = f"SELECT n FROM {table} WHERE subject = ? AND n > ? AND erasure IS NULL ORDER BY n LIMIT ?"
        return [n for (n,) in self._all(sql, (subject, after, limit))]

    def readers(self, ids: Sequence[str]) -> dict[str, list[ReaderRow]]:
        found: dict[str, list[ReaderRow]] = {}
        for part in parts(ids):
            for name, purpose, audience, last, count in self._all(
                f"SELECT id, purpose, audience, last_access, accesses FROM readers WHERE id IN ({marks(part)})"
                " ORDER BY last_access DESC, purpose, audience",
                tuple(part),
            ):
                row = ReaderRow(
                    purpose=purpose or None, audience=tuple(json.loads(audience)), last_access=last, accesses=count
                )  # fmt: skip
                found.setdefault(name, []).append(row)
        return found

    def named(self, subject: int) -> list[NamedRow]:
        found = self._all("SELECT name, means, tx, ended FROM aliases WHERE subject = ? ORDER BY n", (subject,))
        return [NamedRow(name=name, means=means, tx=tx, ended=ended) for name, means, tx, ended in found]

    def said_consents(self, subject: int) -> list[tuple[str, bool, Instant]]:
        found = self._all("SELECT class, allowed, tx FROM consents WHERE subject = ? ORDER BY n", (subject,))
        return [(name, bool(allowed), tx) for name, allowed, tx in found]

    def reported(self, subject: int) -> list[tuple[str, str, Instant]]:
        return self._all("SELECT name, scope, tx FROM events WHERE subject = ? ORDER BY n", (subject,))

    def all_sessions(self, subject: int) -> list[SessionRow]:
        found = self._all(
            "SELECT conversation, opened, closed, reviewed FROM sessions WHERE subject = ? ORDER BY opened, conversation",
            (subject,),
        )
        return [SessionRow(*row) for row in found]

    def was_erased(self, record: str) -> bool:
        return bool(self._all("SELECT 1 FROM records WHERE id = ? AND erasure IS NOT NULL", (record,)))

    def export_row(self, export: str) -> ExportRow | None:
        found = self._exports("WHERE id = ?", export)
        return found[0] if found else None

    def exports_at(self, path: str) -> list[ExportRow]:
        return self._exports("WHERE path = ? AND gone IS NULL ORDER BY n", path)

    def _exports(self, tail: str, value: str) -> list[ExportRow]:
        return [
            ExportRow(id=name, subject=subject, path=path, form=form, tx=tx, gone=gone)
            for name, subject, path, form, tx, gone in self._all(f"{_EXPORT} {tail}", (value,))
        ]

    def erased_since(self, subject: int, tx: Instant) -> bool:
        return bool(self._all("SELECT 1 FROM erasures WHERE subject = ? AND whole AND tx > ?", (subject, tx)))
