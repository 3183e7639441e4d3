"""The writing half of a transaction."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import apsw

from stead.model.period import FOREVER, Instant
from stead.model.slot import SlotKey
from stead.store.porting import ExportRow
from stead.store.sqlite import rows
from stead.store.sqlite.moving import WritesMoving
from stead.store.sqlite.reading import SqliteRead
from stead.store.sqlite.rows import INSERT_REVISION, marks
from stead.store.values import (
    AliasRow,
    DecisionRow,
    EdgeRow,
    EpisodeRow,
    EventRow,
    Revision,
    RunRow,
    Shelf,
    SlotRow,
    SourceRow,
    SubjectRow,
)


class SqliteWrite(WritesMoving, SqliteRead):
    """The one writer of a file."""

    def __init__(self, connection: apsw.Connection) -> None:
        super().__init__(connection)

    def _insert(self, sql: str, bindings: Sequence[Any]) -> int:
        self._c.execute(sql, bindings)
        return self._c.last_insert_rowid()

    def instant(self, now: Instant) -> Instant:
        return int(self._c.execute("UPDATE clock SET last = max(last + 1, ?) RETURNING last", (now,)).get)

    def add_subject(self, name: str) -> SubjectRow:
        found = self.subject(name)
        if found is None:
            n = self._insert("INSERT INTO subjects (name) VALUES (?)", (name,))
            found = SubjectRow(n=n, name=name, purges=0)
        return found

    def bump_slot(self, subject: int, key: SlotKey, scope: str) -> SlotRow:
        n, version = self._c.execute(
            "INSERT INTO slots (subject, entity, attribute, object, scope, version) VALUES (?, ?, ?, ?, ?, 1)"
            " ON CONFLICT DO UPDATE SET version = version + 1 RETURNING n, version",
            (subject, key.entity, key.attribute, key.object, scope),
        ).get
        return SlotRow(n=n, key=key, scope=scope, version=version)

    def bump_slot_number(self, slot: int) -> int:
        return int(self._c.execute("UPDATE slots SET version = version + 1 WHERE n = ? RETURNING version", (slot,)).get)

    def next_record(self) -> int:
        return int(self._c.execute("SELECT coalesce(max(n), 0) + 1 FROM records").get)

    def add_record(self, revision: Revision, words: Sequence[str]) -> Revision:
        self._c.execute(
            "INSERT INTO records (n, id, subject, slot, scope, created) VALUES (?, ?, ?, ?, ?, ?)",
            (revision.record, revision.id, revision.subject, revision.slot, revision.scope, revision.tx_from),
        )
        n = self._next("revisions")
        added = replace(revision, n=n, text_n=n, tokens=len(words))
        self._add_text(added, words)
        return added

    def _add_text(self, added: Revision, words: Sequence[str]) -> None:
        self._c.execute(INSERT_REVISION, rows.revision_values(added))
        self._c.execute(
            "INSERT INTO claims_text (rowid, words) VALUES (?, ?)", (added.n, _prefixed(added.subject, words))
        )
        self._c.execute(
            "UPDATE subjects SET claims = claims + 1, claim_tokens = claim_tokens + ? WHERE n = ?",
            (len(words), added.subject),
        )

    def _next(self, table: str) -> int:
        """Return a number that was never given, though the row that had it may be gone (R32)."""
        return int(self._c.execute(
            f"SELECT max((SELECT coalesce(max(n), 0) FROM {table}), (SELECT last FROM numbers WHERE what = ?)) + 1", (table,)
        ).get)  # fmt: skip

    def revise(self, old: Revision, new: Revision) -> Revision:
        self._c.execute("UPDATE revisions SET tx_until = ? WHERE n = ?", (new.tx_from, old.n))
        fresh = replace(new, n=self._next("revisions"), tx_until=FOREVER)
        self._c.execute(INSERT_REVISION, rows.revision_values(fresh))
        return fresh

    def revise_all(self, pairs: Sequence[tuple[Revision, Revision]]) -> None:
        self._c.executemany(
            "UPDATE revisions SET tx_until = ? WHERE n = ?", [(new.tx_from, old.n) for old, new in pairs]
        )
        for n, (_, new) in enumerate(pairs, self._next("revisions")):
            self._c.execute(INSERT_REVISION, rows.revision_values(replace(new, n=n, tx_until=FOREVER)))

    def reword(self, old: Revision, new: Revision, words: Sequence[str]) -> Revision:
        self._c.execute("UPDATE revisions SET tx_until = ? WHERE n = ?", (new.tx_from, old.n))
        n = self._next("revisions")
        fresh = replace(new, n=n, text_n=n, tokens=len(words), tx_until=FOREVER)
        self._add_text(fresh, words)
        return fresh

    def add_source(self, subject: int, source: SourceRow) -> None:
        self._c.execute(
            f"INSERT INTO sources ({rows.SOURCE}, subject) VALUES (?,?,?,?,?,?,?,?,?)",
            (source.record, source.tx, source.observed_at, source.speaker, source.verified, source.conversation,
             source.turn, source.uri, subject),
        )  # fmt: skip

    def add_edge(self, edge: EdgeRow) -> None:
        self._c.execute(
            "INSERT OR IGNORE INTO edges (record, kind, target, tx, released) VALUES (?, ?, ?, ?, ?)",
            (edge.record, edge.kind, edge.target, edge.tx, None if edge.released == FOREVER else edge.released),
        )

    def release(self, record: int, target: int, tx: Instant) -> None:
        self._c.execute(
            "UPDATE edges SET released = ? WHERE record = ? AND kind = 'derived_from' AND target = ? AND released IS NULL",
            (tx, record, target),
        )

    def log(self, row: DecisionRow) -> int:
        number = self._insert(
            "INSERT INTO decisions (n, tx, subject, verb, trigger, decision, rule, reason, record, episode, status,"
            " version, question, route, erasure) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
            (self._next("decisions"), row.tx, row.subject, row.verb, row.trigger, row.decision, row.rule, row.reason, row.record,
             row.episode, row.status, row.version, row.question, row.route, row.erasure),
        )  # fmt: skip
        for record in row.affected:
            self._c.execute("INSERT INTO effects VALUES (?, ?)", (number, record))
        for record in row.contradicts:
            self._c.execute("INSERT INTO contradictions VALUES (?, ?)", (number, record))
        return number

    def keep(self, subject: int, key: str, digest: bytes, decision: int) -> None:
        self._c.execute("INSERT INTO idempotency VALUES (?, ?, ?, ?)", (subject, key, digest, decision))

    def touch(self, ids: Sequence[str], at: Instant, purpose: str | None = None, audience: Sequence[str] = ()) -> None:
        readers = json.dumps(sorted(set(audience)), ensure_ascii=False)
        for name in ids:
            self._c.execute(
                "INSERT INTO usage VALUES (?, ?, 1)"
                " ON CONFLICT DO UPDATE SET last_access = max(last_access, excluded.last_access), accesses = accesses + 1",
                (name, at),
            )
            self._c.execute(
                "INSERT INTO readers VALUES (?, ?, ?, ?, 1)"
                " ON CONFLICT DO UPDATE SET last_access = max(last_access, excluded.last_access), accesses = accesses + 1",
                (name, purpose or "", readers, at),
            )

    def add_export(self, row: ExportRow) -> None:
        self._c.execute(
            "INSERT INTO exports (id, subject, path, form, tx) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (id) DO UPDATE SET gone = NULL",
            (row.id, row.subject, row.path, row.form, row.tx),
        )

    def open_session(self, subject: int, conversation: str, tx: Instant) -> None:
        self._c.execute(
            "INSERT INTO sessions (subject, conversation, opened) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET closed = NULL",
            (subject, conversation, tx),
        )

    def close_session(self, subject: int, conversation: str, tx: Instant) -> None:
        self._c.execute(
            "UPDATE sessions SET closed = ? WHERE subject = ? AND conversation = ?", (tx, subject, conversation)
        )

    def set_reviewed(self, subject: int, conversation: str, position: int) -> None:
        self._c.execute(
            "UPDATE sessions SET reviewed = max(reviewed, ?) WHERE subject = ? AND conversation = ?",
            (position, subject, conversation),
        )

    def add_alias(self, subject: int, row: AliasRow) -> None:
        self._insert(
            "INSERT INTO aliases (subject, name, means, tx) VALUES (?, ?, ?, ?)", (subject, row.name, row.means, row.tx)
        )

    def end_alias(self, alias: int, tx: Instant) -> None:
        self._c.execute("UPDATE aliases SET ended = ? WHERE n = ?", (tx, alias))

    def say_of(self, subject: int, record: int, entity: str) -> None:
        self._c.execute("INSERT OR IGNORE INTO said_of VALUES (?, ?, ?)", (record, subject, entity))

    def set_consent(self, subject: int, name: str, allowed: bool, tx: Instant) -> None:
        self._insert(
            "INSERT INTO consents (subject, class, allowed, tx) VALUES (?, ?, ?, ?)", (subject, name, allowed, tx)
        )

    def add_event(self, subject: int | None, event: EventRow) -> None:
        self._insert(
            "INSERT INTO events (subject, name, scope, tx) VALUES (?, ?, ?, ?)",
            (subject, event.name, event.scope, event.tx),
        )

    def add_episode(self, row: EpisodeRow, words: Sequence[str]) -> EpisodeRow:
        placed = replace(row, position=self.positions(row.subject, row.conversation), tokens=len(words))
        n = self._insert(
            f"INSERT INTO episodes ({rows.EPISODE}) VALUES ({marks(range(18))})",
            (self._next("episodes"), *rows.episode_values(placed)),
        )
        self._c.execute("INSERT INTO episodes_text (rowid, words) VALUES (?, ?)", (n, _prefixed(row.subject, words)))
        self._c.execute(
            "UPDATE subjects SET episodes = episodes + 1, episode_tokens = episode_tokens + ? WHERE n = ?",
            (len(words), row.subject),
        )
        return replace(placed, n=n)

    def keep_run(self, run: RunRow) -> None:
        self._c.execute(
            "UPDATE consolidations SET finished = ? WHERE subject = ? AND finished IS NULL AND id <> ?",
            (run.started, run.subject, run.id),
        )
        self._c.execute(
            "INSERT INTO consolidations (id, subject, started, phase, cursor, closed, may_close, finished)"
            " VALUES (?,?,?,?,?,?,?,?) ON CONFLICT (id) DO UPDATE SET phase = excluded.phase, cursor = excluded.cursor,"
            " closed = excluded.closed, finished = excluded.finished",
            (run.id, run.subject, run.started, run.phase, run.cursor, run.closed, run.may_close, run.finished),
        )

    def add_vectors(self, shelf: Shelf, version: str, added: Iterable[tuple[int, int, bytes]]) -> None:
        there = (  # what was erased while the model was at work gets no vector (R32)
            "EXISTS (SELECT 1 FROM revisions AS v JOIN records AS r ON r.n = v.record AND r.erasure IS NULL WHERE v.n = ?4)"
            if shelf == "claims"
            else "EXISTS (SELECT 1 FROM episodes WHERE n = ?4 AND erasure IS NULL)"
        )
        self._c.executemany(
            "INSERT OR IGNORE INTO vectors (subject, store, version, item, vector)"
            f" SELECT ?1, ?2, ?3, ?4, ?5 WHERE {there}",
            ((subject, shelf, version, item, vector) for subject, item, vector in added),
        )


def _prefixed(subject: int, words: Sequence[str]) -> str:
    """Put the subject's number before each word, so that a word's postings are one subject's (R47)."""
    return " ".join(f"{subject}_{word}" for word in words)
