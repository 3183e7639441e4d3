"""The reading half of a transaction: each method is one query, described by the protocol."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import apsw

from stead.errors import Erased, UnknownRecord
from stead.model.period import FOREVER, Instant, Period
from stead.model.record import Kind
from stead.model.slot import SlotKey
from stead.store.erasing import ERASED
from stead.store.sqlite import queries, rows
from stead.store.sqlite.chains import Chains
from stead.store.sqlite.erasing import Erasing
from stead.store.sqlite.governing import Governing
from stead.store.sqlite.moving import ReadsMoving
from stead.store.sqlite.porting import Porting
from stead.store.sqlite.rows import FROM_REVISIONS, marks
from stead.store.sqlite.runs import Runs
from stead.store.values import (
    DecisionRow,
    EdgeRow,
    EpisodeRow,
    PlaceRow,
    Reader,
    Revision,
    Shelf,
    SlotRow,
    SourceRow,
    SubjectRow,
)

_LAID = "v.status IN ('active', 'contested', 'superseded')"
_SLOT = "SELECT n, entity, attribute, object, scope, version FROM slots"
_READABLE = "erasure IS NULL"
_BOTH_READABLE = "NOT EXISTS (SELECT 1 FROM records WHERE n IN (edges.record, edges.target) AND erasure IS NOT NULL)"
_KINDS = tuple(str(kind) for kind in Kind)


def _known(known_at: Instant | None) -> tuple[str, tuple[Instant, ...]]:
    """Return the condition on transaction time; the current one is an equality that the index ends with."""
    if known_at is None:
        return f"v.tx_until = {FOREVER}", ()
    return "v.tx_from <= ? AND v.tx_until > ?", (known_at, known_at)


class SqliteRead(Governing, Chains, Runs, Erasing, ReadsMoving, Porting):
    """A snapshot of one SQLite file.

    A plus before a column (``+subject = ?``) keeps SQLite from going through all rows of a subject by an index where the
    rows are named by number: without statistics it takes a list of more than a few numbers for the worse way.
    """

    def __init__(self, connection: apsw.Connection) -> None:
        self._c = connection

    def _revisions(self, tail: str, bindings: Sequence[Any]) -> list[Revision]:
        return [rows.revision(row) for row in self._c.execute(f"{FROM_REVISIONS} {tail}", bindings)]

    def last_instant(self) -> Instant:
        return int(self._c.execute("SELECT last FROM clock").get)

    def subject(self, name: str) -> SubjectRow | None:
        return self._subject("name = ?", name)

    def subjects(self) -> list[str]:
        return [row[0] for row in self._all(f"SELECT name FROM subjects WHERE name NOT GLOB '{ERASED}*' ORDER BY name")]

    def slots(self, subject: int, key: SlotKey, scopes: Sequence[str]) -> list[SlotRow]:
        found = self._all(
            f"{_SLOT} WHERE subject = ? AND attribute = ? AND entity = ? AND object = ? AND scope IN ({marks(scopes)})",
            (subject, key.attribute, key.entity, key.object, *scopes),
        )
        return [_slot(row) for row in found]

    def slots_by_number(self, subject: int, numbers: Sequence[int]) -> list[SlotRow]:
        found = self._all(f"{_SLOT} WHERE n IN ({marks(numbers)}) AND +subject = ?", (*numbers, subject))
        return [_slot(row) for row in found]

    def slots_like(self, subject: int, numbers: Sequence[int], scopes: Sequence[str]) -> list[SlotRow]:
        sql = queries.SLOTS_LIKE.format(marks(scopes), marks(numbers))
        return [_slot(row) for row in self._all(sql, (*scopes, *numbers, subject))]

    def laid(self, slots: Sequence[int], within: Period, known_at: Instant | None) -> list[Revision]:
        known, instants = _known(known_at)
        return self._with_names(self._revisions(
            f"WHERE v.slot IN ({marks(slots)}) AND {known} AND v.stands_until > ? AND v.stated_from < ? AND {_LAID}",
            (*slots, *instants, within.start, within.end),
        ))  # fmt: skip

    def in_slot(self, slot: int) -> list[Revision]:
        return self._with_names(self._revisions(f"WHERE v.slot = ? AND v.tx_until = {FOREVER}", (slot,)))

    def applicable(
        self,
        subject: int,
        scopes: Sequence[str],
        at: Instant,
        known_at: Instant | None,
        *,
        kind: str | None = None,
        category: str | None = None,
        slotted: bool | None = None,
        reader: Reader | None = None,
        limit: int = 1000,
    ) -> list[Revision]:
        known, instants = _known(known_at)
        kinds = _KINDS if kind is None else (kind,)
        where = f"WHERE v.subject = ? AND v.scope IN ({marks(scopes)}) AND {known} AND v.stands_until > ?"
        bindings: list[Any] = [subject, *scopes, *instants, at]
        if category is None:
            where += f" AND v.kind IN ({marks(kinds)})"
            bindings += kinds
        else:
            where += " AND v.category = ?"
            bindings.append(category)
        if slotted is not None:
            where += f" AND {'' if slotted else 'NOT '}EXISTS ({queries.NAMED_SLOT})"
        if reader is not None:
            shown, values = queries.shown_to(reader)
            where += shown
            bindings += values
        where += f" AND v.stated_from <= ? AND {_LAID} ORDER BY v.importance DESC, v.observed_at DESC, v.n LIMIT ?"
        return self._with_names(self._revisions(where, [*bindings, at, limit]))

    def by_text(self, subject: int, texts: Sequence[int], known_at: Instant) -> list[Revision]:
        return self._with_names(self._revisions(
            "JOIN revisions AS t ON t.record = v.record AND t.n = v.text_n"
            f" WHERE t.n IN ({marks(texts)}) AND +v.subject = ? AND v.tx_from <= ? AND v.tx_until > ? AND {_LAID}",
            (*texts, subject, known_at, known_at),
        ))  # fmt: skip

    def current(self, subject: int, record: str) -> Revision | None:
        found = self._with_names(self._revisions(
            f"WHERE r.id = ? AND r.subject = ? AND v.tx_until = {FOREVER}", (record, subject)
        ))  # fmt: skip
        return found[0] if found else None

    def current_by_number(self, subject: int, records: Sequence[int]) -> list[Revision]:
        return self._with_names(self._revisions(
            f"WHERE v.record IN ({marks(records)}) AND +v.subject = ? AND v.tx_until = {FOREVER}", (*records, subject)
        ))  # fmt: skip

    def revisions(self, subject: int, records: Sequence[int]) -> list[Revision]:
        return self._revisions(
            f"WHERE v.record IN ({marks(records)}) AND +v.subject = ? ORDER BY v.tx_from, v.n", (*records, subject)
        )

    def same_claim(self, subject: int, claim_key: int) -> list[Revision]:
        return self._with_names(self._revisions(
            f"WHERE v.subject = ? AND v.claim_key = ? AND v.slot IS NULL AND v.tx_until = {FOREVER}"
            " ORDER BY v.n",
            (subject, claim_key),
        ))  # fmt: skip

    def proposed(
        self,
        subject: int,
        known_at: Instant | None = None,
        *,
        slots: Sequence[int] | None = None,
        texts: Sequence[int] | None = None,
        category: str | None = None,
    ) -> list[Revision]:
        known, instants = _known(known_at)
        where, bindings = f"WHERE v.status = 'proposed' AND v.subject = ? AND {known}", [subject, *instants]
        for column, wanted in (("slot", slots), ("text_n", texts)):
            if wanted is not None:
                where += f" AND v.{column} IN ({marks(wanted)})"
                bindings += wanted
        if category is not None:
            where += " AND v.category = ?"
            bindings.append(category)  # type: ignore[arg-type]
        return self._revisions(f"{where} ORDER BY v.n", bindings)

    def disputable_slots(self, subject: int) -> list[int]:
        found = self._all(
            f"SELECT v.slot FROM revisions AS v WHERE v.subject = ? AND v.tx_until = {FOREVER} AND {_LAID}"
            " AND v.slot IS NOT NULL GROUP BY v.slot HAVING count(DISTINCT v.speaker) > 1 ORDER BY v.slot",
            (subject,),
        )
        return [row[0] for row in found]

    def page(
        self,
        subject: int,
        *,
        status: str | None,
        scope: str | None,
        category: str | None,
        limit: int,
        after: str | None,
    ) -> list[Revision]:
        where, bindings = f"WHERE r.subject = ? AND v.tx_until = {FOREVER}", [subject]
        for column, wanted in (("status", status), ("scope", scope), ("category", category)):
            if wanted is not None:
                where += f" AND v.{column} = ?"
                bindings.append(wanted)  # type: ignore[arg-type]
        if after is not None:
            where += " AND r.n > ?"
            bindings.append(self._number("records", subject, after))
        return self._revisions(f"{where} ORDER BY r.n LIMIT ?", (*bindings, limit))

    def _number(self, table: str, subject: int, public_id: str) -> int:
        found = self._all(f"SELECT n FROM {table} WHERE id = ? AND subject = ? AND {_READABLE}", (public_id, subject))
        if not found and self.erased(subject, public_id):
            raise Erased(f"after: {public_id} is being erased", field="after")
        if not found:
            raise UnknownRecord(f"after: there is no {public_id} for this subject", field="after")
        return int(found[0][0])

    def foreign(self, record: str) -> bool:
        return bool(self._all("SELECT 1 FROM records WHERE id = ?", (record,)))

    def sources(self, records: Sequence[int], known_at: Instant) -> list[SourceRow]:
        found = self._all(
            f"SELECT {rows.SOURCE} FROM sources WHERE record IN ({marks(records)}) AND tx <= ? ORDER BY n",
            (*records, known_at),
        )
        return [rows.source(row) for row in found]

    def edges(self, records: Sequence[int], *, kind: str | None = None, incoming: bool = False) -> list[EdgeRow]:
        column = "target" if incoming else "record"
        where = f"{column} IN ({marks(records)})" + ("" if kind is None else " AND kind = ?")
        bindings = (*records, *(() if kind is None else (kind,)))
        found = self._all(
            f"SELECT record, kind, target, tx, coalesce(released, {FOREVER}) FROM edges WHERE {where}"
            f" AND {_BOTH_READABLE} ORDER BY tx, record, target",
            bindings,
        )
        return [EdgeRow(record=row[0], kind=row[1], target=row[2], tx=row[3], released=row[4]) for row in found]

    def _with_names(self, found: list[Revision]) -> list[Revision]:
        """Add the records that each one overrides by name; most stores have none."""
        if not found or not self._all("SELECT 1 FROM edges WHERE kind = 'overrides' LIMIT 1"):
            return found
        named: dict[int, set[int]] = {}
        for edge in self.edges([each.record for each in found], kind="overrides"):
            named.setdefault(edge.record, set()).add(edge.target)
        return [_naming(each, frozenset(named.get(each.record, ()))) for each in found]

    def usage(self, ids: Sequence[str]) -> dict[str, tuple[Instant, int]]:
        found = self._all(f"SELECT id, last_access, accesses FROM usage WHERE id IN ({marks(ids)})", tuple(ids))
        return {name: (last, count) for name, last, count in found}

    def has_episode(self, subject: int, episode: str) -> bool:
        return bool(
            self._all(f"SELECT 1 FROM episodes WHERE id = ? AND subject = ? AND {_READABLE}", (episode, subject))
        )

    def decisions(self, subject: int, record: int) -> list[DecisionRow]:
        found = self._all(
            f"SELECT {rows.DECISION} FROM decisions WHERE subject = ? AND n IN"
            " (SELECT n FROM decisions WHERE record = ? UNION SELECT decision FROM effects WHERE record = ?) ORDER BY n",
            (subject, record, record),
        )
        return [rows.decision(row, self._affected(row[0])) for row in found]

    def decision(self, number: int) -> DecisionRow:
        found = self._all(f"SELECT {rows.DECISION} FROM decisions WHERE n = ?", (number,))
        return rows.decision(found[0], self._affected(number))

    def replay(self, subject: int, key: str) -> tuple[bytes, int] | None:
        found = self._all("SELECT digest, decision FROM idempotency WHERE subject = ? AND key = ?", (subject, key))
        return (found[0][0], found[0][1]) if found else None

    def episodes(self, subject: int, numbers: Sequence[int]) -> list[EpisodeRow]:
        found = self._all(
            f"SELECT {rows.EPISODE} FROM episodes WHERE n IN ({marks(numbers)}) AND +subject = ? AND {_READABLE}",
            (*numbers, subject),
        )
        return [rows.episode(row) for row in found]

    def placed(self, subject: int, numbers: Sequence[int]) -> list[PlaceRow]:
        found = self._all(
            f"{queries.PLACED} WHERE a.n IN ({marks(numbers)}) AND +a.subject = ?",
            (*numbers, subject),
        )
        return [rows.place(row) for row in found]

    def episode(self, subject: int, conversation: str, turn: str) -> EpisodeRow | None:
        found = self._all(
            f"SELECT {rows.EPISODE} FROM episodes WHERE subject = ? AND conversation = ? AND turn = ? AND {_READABLE}",
            (subject, conversation, turn),
        )
        return rows.episode(found[0]) if found else None

    def episode_page(
        self, subject: int, *, conversation: str | None, limit: int, after: str | None
    ) -> list[EpisodeRow]:
        where, bindings = f"subject = ? AND {_READABLE}", [subject]
        order = "n" if conversation is None else "position"  # within a conversation the same, and its index has it
        if conversation is not None:
            where += " AND conversation = ?"
            bindings.append(conversation)  # type: ignore[arg-type]
        if after is not None:
            where += " AND n > ?"
            bindings.append(self._number("episodes", subject, after))
        found = self._all(
            f"SELECT {rows.EPISODE} FROM episodes WHERE {where} ORDER BY {order} LIMIT ?", (*bindings, limit)
        )
        return [rows.episode(row) for row in found]

    def positions(self, subject: int, conversation: str) -> int:
        return int(self._c.execute(
            "SELECT coalesce(max(position) + 1, 0) FROM episodes WHERE subject = ? AND conversation = ?",
            (subject, conversation),
        ).get)  # fmt: skip

    def postings(self, shelf: Shelf, subject: int, token: str, known_at: Instant | None) -> list[tuple[int, int]]:
        return self._all(queries.POSTINGS[shelf], (f"{subject}_{token}", FOREVER if known_at is None else known_at))

    def texts_with(self, shelf: Shelf, subject: int, token: str, known_at: Instant | None) -> int:
        word = f"{subject}_{token}"
        if known_at is None:
            found = self._all(f"SELECT count(*) FROM {shelf}_text WHERE {shelf}_text MATCH ?", (f'"{word}"',))
        else:
            found = self._all(f"SELECT count(DISTINCT n) FROM ({queries.POSTINGS[shelf]})", (word, known_at))
        return int(found[0][0])

    def totals(self, shelf: Shelf, subject: int, known_at: Instant | None) -> tuple[int, int]:
        sql, instants = (queries.TOTALS, ()) if known_at is None else (queries.TOTALS_THEN, (known_at,))
        found = self._all(sql[shelf], (subject, *instants))
        return (found[0][0], found[0][1]) if found else (0, 0)

    def last_item(self, shelf: Shelf, subject: int, known_at: Instant) -> int:
        return int(self._c.execute(queries.LAST_ITEM[shelf], (subject, known_at)).get)

    def vectors(self, shelf: Shelf, subject: int, version: str, after: int) -> list[tuple[int, int, bytes]]:
        return self._all(
            "SELECT n, item, vector FROM vectors WHERE subject = ? AND store = ? AND version = ? AND n > ? ORDER BY n",
            (subject, shelf, version, after),
        )

    def last_vector(self, shelf: Shelf, subject: int, version: str) -> int:
        return int(self._c.execute(
            "SELECT coalesce(max(n), 0) FROM vectors WHERE subject = ? AND store = ? AND version = ?",
            (subject, shelf, version),
        ).get)  # fmt: skip

    def stamps(self, subject: int, items: Sequence[int]) -> list[tuple[int, str]]:
        return self._all(
            f"SELECT item, version FROM vectors WHERE subject = ? AND store = 'claims' AND item IN ({marks(items)})"
            " ORDER BY n",
            (subject, *items),
        )

    def backlog(self, shelf: Shelf, version: str, limit: int) -> list[tuple[int, int, str]]:
        return self._all(queries.BACKLOG[shelf], (version, limit))

    def facts_about_itself(self) -> dict[str, object]:
        tables = ("subjects", "records", "revisions", "episodes", "sources", "decisions", "vectors")
        counts = {table: self._c.execute(f"SELECT count(*) FROM {table}").get for table in tables}
        versions = self._all("SELECT version, count(*) FROM vectors GROUP BY version ORDER BY version")
        return {
            "schema": self._c.execute("SELECT max(version) FROM migrations").get,
            "sqlite": apsw.sqlite_lib_version(),
            "counts": counts,
            "vectors_by_model": dict(versions),
            "integrity": [row[0] for row in self._all("PRAGMA integrity_check")],
            "full_text": self._full_text_agrees(),
        }

    def _full_text_agrees(self) -> bool:
        """Tell whether the full text holds exactly the texts of the rows, by number of words."""
        expected = self._all(
            "SELECT (SELECT coalesce(sum(tokens), 0) FROM revisions WHERE text_n = n),"
            " (SELECT coalesce(sum(tokens), 0) FROM episodes),"
            " (SELECT coalesce(sum(claim_tokens), 0) FROM subjects), (SELECT coalesce(sum(episode_tokens), 0) FROM subjects)"
        )[0]
        found = [self._c.execute(f"SELECT count(*) FROM {shelf}_postings").get for shelf in ("claims", "episodes")]
        return list(expected) == found * 2


def _slot(row: Sequence[Any]) -> SlotRow:
    n, entity, attribute, item, scope, version = row
    return SlotRow(n=n, key=SlotKey(entity=entity, attribute=attribute, object=item), scope=scope, version=version)


def _naming(revision: Revision, names: frozenset[int]) -> Revision:
    return replace(revision, names=names) if names else revision
