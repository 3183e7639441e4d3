"""What an erasure selects, and what is left of it: the reading half (R31, R32)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from stead.model.period import FOREVER, Instant
from stead.model.slot import SlotKey
from stead.store.erasing import ERASED
from stead.store.sqlite import rows
from stead.store.sqlite.forgetting import Forgetting
from stead.store.values import DecisionRow, JobRow, Shelf, SubjectRow, Wanted

_JOB = "SELECT n, id, subject, tx, by, requester, status, step, whole, scan, selects, done, receipt FROM erasures"
IN = "IN (SELECT value FROM json_each(?))"
"""As many numbers as there are: a statement takes only so many parameters."""
_RECORDS = "SELECT r.n FROM records AS r WHERE {0}r.subject = ? AND r.erasure IS NULL"
_TURNS = "SELECT e.n FROM episodes AS e WHERE {0}e.subject = ? AND e.erasure IS NULL"
_FEW = "+"
"""Keeps SQLite from going through all rows of a subject to find the few that another index leads to."""
_VECTORS = (
    "SELECT x.version, x.vector FROM revisions AS v CROSS JOIN vectors AS x ON x.subject = v.subject"
    f" AND x.store = 'claims' AND x.item = v.n WHERE v.record {IN} AND v.text_n = v.n AND +v.subject = ?"
    f" UNION ALL SELECT version, vector FROM vectors WHERE subject = ? AND store = 'episodes' AND item {IN}"
)
_THERE = {
    "claims": "EXISTS (SELECT 1 FROM revisions AS v JOIN records AS r ON r.n = v.record WHERE r.erasure IS NULL AND v.n = {0})",
    "episodes": "EXISTS (SELECT 1 FROM episodes AS e WHERE e.erasure IS NULL AND e.n = {0})",
}
"""How to tell, by its number, whether a text is there that isn't being erased."""
SHADOWS = ("claims_text", "episodes_text", "sqlite_", "claims_postings", "episodes_postings")
_NOT_READ = ("needles", "fences")


def listed(numbers: Iterable[int]) -> str:
    """Return numbers as the JSON list that `IN` takes."""
    return json.dumps(sorted(numbers))


class Erasing(Forgetting):
    """Part of a snapshot of one SQLite file."""

    def job(self, erasure: str) -> JobRow | None:
        found = self._jobs("WHERE id = ?", (erasure,))
        return found[0] if found else None

    def unfinished(self) -> list[JobRow]:
        return self._jobs("WHERE status <> 'complete' ORDER BY n", ())

    def _jobs(self, tail: str, bindings: Sequence[object]) -> list[JobRow]:
        return [
            JobRow(
                n=n, id=name, subject=subject, tx=tx, by=by, requester=requester, status=status, step=step,
                whole=bool(whole), scan=bool(scan), selects=rows.selects(selects), done=json.loads(done), receipt=receipt,
                epoch=self._epoch(subject),
            )
            for n, name, subject, tx, by, requester, status, step, whole, scan, selects, done, receipt
            in self._all(f"{_JOB} {tail}", bindings)
        ]  # fmt: skip

    def _epoch(self, subject: int) -> int:
        return int(self._all("SELECT epoch FROM subjects WHERE n = ?", (subject,))[0][0])

    def erased_subjects(self) -> bool:
        return bool(self._all(f"SELECT 1 FROM subjects WHERE name GLOB '{ERASED}*' LIMIT 1"))

    def is_fenced(self, subject: int | None) -> bool:
        if subject is None:
            return bool(self._all("SELECT 1 FROM fences LIMIT 1"))
        return bool(self._all("SELECT 1 FROM fences WHERE subject = ? LIMIT 1", (subject,)))

    def fence(self, subject: int, kind: str, mark: bytes) -> Instant | None:
        found = self._all("SELECT tx FROM fences WHERE subject = ? AND kind = ? AND mark = ?", (subject, kind, mark))
        return found[0][0] if found else None

    def slots_of(self, subject: int, key: SlotKey) -> list[int]:
        found = self._all(
            "SELECT n FROM slots WHERE subject = ? AND attribute = ? AND entity = ? AND (object = ?4 OR ?4 = '') ORDER BY n",
            (subject, key.attribute, key.entity, key.object),
        )
        return [n for (n,) in found]

    def erased_whole(self, record: str) -> bool:
        return bool(self._all(
            f"SELECT 1 FROM records AS r JOIN subjects AS s ON s.n = r.subject WHERE r.id = ? AND s.name GLOB '{ERASED}*'",
            (record,),
        ))  # fmt: skip

    def selected(self, subject: int, wanted: Wanted) -> tuple[set[int], set[int]]:
        if wanted.everything:
            records, turns = self.everything(subject)
            return set(records), set(turns)
        if wanted.ids is not None:
            ids = json.dumps(wanted.ids)
            return self._both(subject, f"AND r.id {IN}", f"AND e.id {IN}", (ids,), _FEW)
        if wanted.slots is not None:
            where = f"AND r.n IN (SELECT v.record FROM revisions AS v WHERE v.slot {IN})"
            return self._both(subject, where, None, (listed(wanted.slots),), _FEW)
        if wanted.filed is not None:
            return set(self.filed_under(subject, *wanted.filed)), set()
        if wanted.scope is not None:
            below = "({0}.scope = ? OR substr({0}.scope, 1, ?) = ?)"
            values = (wanted.scope, len(wanted.scope) + 1, f"{wanted.scope}/")
            return self._both(subject, f"AND {below.format('r')}", f"AND {below.format('e')}", values)
        if wanted.conversation is not None:
            where = "AND r.n IN (SELECT s.record FROM sources AS s WHERE s.subject = ?1 AND s.conversation = ?2)"
            return self._both(subject, where, "AND e.conversation = ?", (wanted.conversation,))
        if wanted.uri is not None:
            where = "AND EXISTS (SELECT 1 FROM sources AS s WHERE s.record = r.n AND s.uri = ?)"
            return self._both(subject, where, None, (wanted.uri,))
        assert wanted.within is not None
        where = (
            "AND EXISTS (SELECT 1 FROM sources AS s WHERE s.record = r.n AND s.observed_at >= ? AND s.observed_at < ?)"
        )
        return self._both(subject, where, "AND e.said_at >= ? AND e.said_at < ?", wanted.within)

    def _both(
        self, subject: int, records: str, turns: str | None, values: Sequence[object], few: str = ""
    ) -> tuple[set[int], set[int]]:
        mine, said = _RECORDS.format(few), _TURNS.format(few)
        found = {n for (n,) in self._all(f"{mine} {records}", (subject, *values))}
        spoken = set() if turns is None else {n for (n,) in self._all(f"{said} {turns}", (subject, *values))}
        return found, spoken

    def said_before(
        self, subject: int, categories: Sequence[str], attributes: Sequence[str], before: Instant
    ) -> list[int]:
        found = self._all(
            "SELECT DISTINCT r.n FROM revisions AS v JOIN records AS r ON r.n = v.record LEFT JOIN slots AS s ON s.n = v.slot"
            f" WHERE v.subject = ? AND v.tx_until = {FOREVER} AND v.observed_at <= ? AND r.erasure IS NULL"
            f" AND (v.category {IN} OR s.attribute {IN}) ORDER BY r.n",
            (subject, before, json.dumps(list(categories)), json.dumps(list(attributes))),
        )
        return [n for (n,) in found]

    def said_beside(self, subject: int, records: Sequence[int], turns: Sequence[int]) -> list[int]:
        found = self._all(
            "SELECT DISTINCT r.n FROM episodes AS e JOIN sources AS s ON s.subject = e.subject"
            " AND s.conversation = e.conversation AND s.turn = e.turn JOIN records AS r ON r.n = s.record"
            f" WHERE e.n {IN} AND e.subject = ? AND r.erasure IS NULL AND NOT r.n {IN} ORDER BY r.n",
            (listed(turns), subject, listed(records)),
        )
        return [n for (n,) in found]

    def texts_of(self, records: Sequence[int], turns: Sequence[int]) -> list[tuple[Shelf, int, tuple[str, ...]]]:
        claims = self._all(
            "SELECT v.n, v.claim, v.value, s.object, s.entity, s.attribute, v.speaker FROM revisions AS v"
            f" LEFT JOIN slots AS s ON s.n = v.slot WHERE v.record {IN} AND v.text_n = v.n ORDER BY v.n",
            (listed(records),),
        )
        found: list[tuple[Shelf, int, tuple[str, ...]]] = [
            ("claims", n, tuple(each or "" for each in texts)) for n, *texts in claims
        ]
        said = self._all(f"SELECT n, speaker, text FROM episodes WHERE n {IN} ORDER BY n", (listed(turns),))
        return found + [("episodes", n, (speaker, text)) for n, speaker, text in said]

    def keys_of(self, subject: int, records: Sequence[int], turns: Sequence[int]) -> list[str]:
        found = self._all(
            "SELECT DISTINCT i.key FROM idempotency AS i JOIN decisions AS d ON d.n = i.decision"
            f" WHERE i.subject = ? AND (d.record {IN} OR d.episode {IN}) ORDER BY i.key",
            (subject, listed(records), listed(turns)),
        )
        return [key for (key,) in found]

    def origins(self, records: Sequence[int], turns: Sequence[int]) -> list[tuple[str | None, str | None, str | None]]:
        return self._all(
            f"SELECT conversation, turn, uri FROM sources WHERE record {IN}"
            f" UNION SELECT conversation, turn, NULL FROM episodes WHERE n {IN}",
            (listed(records), listed(turns)),
        )

    def vectors_of(self, subject: int, records: Sequence[int], turns: Sequence[int]) -> list[tuple[str, bytes]]:
        return self._all(_VECTORS, (listed(records), subject, subject, listed(turns)))

    def touched(self, subject: int, records: Sequence[int], turns: Sequence[int]) -> tuple[int, dict[str, int]]:
        named = listed(records)
        revisions = self._all(f"SELECT count(*) FROM revisions WHERE record {IN} AND +subject = ?", (named, subject))
        vectors = self._all(
            f"SELECT version, count(*) FROM ({_VECTORS}) GROUP BY version", (named, subject, subject, listed(turns))
        )
        return int(revisions[0][0]), dict(vectors)

    def asked_because_of(self, records: Sequence[int]) -> list[DecisionRow]:
        found = self._all(
            f"SELECT {rows.DECISION} FROM decisions WHERE decision = 'CONFIRM' AND n IN"
            f" (SELECT decision FROM contradictions WHERE record {IN}) ORDER BY n",
            (listed(records),),
        )
        return self._with_records(found)

    def decided_beside(self, subject: int, records: Sequence[int], last: int) -> list[DecisionRow]:
        slots = f"SELECT slot FROM revisions WHERE record {IN} AND slot IS NOT NULL"
        found = self._all(
            f"SELECT {rows.DECISION} FROM (SELECT * FROM decisions WHERE subject = ? AND decision <> 'ERASE'"
            f" ORDER BY n DESC LIMIT ?) AS d WHERE NOT record {IN} AND EXISTS"
            " (SELECT 1 FROM revisions AS v JOIN records AS r ON r.n = v.record"
            f" WHERE v.record = d.record AND v.tx_from = d.tx AND v.slot IN ({slots}) AND r.erasure IS NULL) ORDER BY n",
            (subject, last, listed(records), listed(records)),
        )
        return self._with_records(found)

    def _with_records(self, found: Sequence[Sequence[Any]]) -> list[DecisionRow]:
        """Return rows of the log with the records that they changed, and those that say otherwise."""
        numbers = listed(row[0] for row in found)
        named: dict[str, dict[int, list[int]]] = {"effects": {}, "contradictions": {}}
        for table, by_decision in named.items():
            about = f"SELECT decision, record FROM {table} WHERE decision {IN} ORDER BY decision, record"
            for decision, record in self._all(about, (numbers,)):
                by_decision.setdefault(decision, []).append(record)
        return [
            replace(
                rows.decision(tuple(row), tuple(named["effects"].get(row[0], ()))),
                contradicts=tuple(named["contradictions"].get(row[0], ())),
            )
            for row in found
        ]

    def needles(self, erasure: int) -> list[bytes]:
        return [
            sealed for (sealed,) in self._all("SELECT sealed FROM needles WHERE erasure = ? ORDER BY n", (erasure,))
        ]

    def of_erasure(self, erasure: int) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
        records = self._all("SELECT n, id FROM records WHERE erasure = ? ORDER BY n", (erasure,))
        return records, self._all("SELECT n, id FROM episodes WHERE erasure = ? ORDER BY n", (erasure,))

    def erased_turns(self, subject: int) -> list[str]:
        found = self._all("SELECT mark FROM fences WHERE subject = ? AND kind = 'id' ORDER BY mark", (subject,))
        return [bytes(mark).decode() for (mark,) in found]

    def left_of(self, records: Sequence[int], turns: Sequence[int]) -> dict[str, int]:
        named, said = listed(records), listed(turns)
        asked = {
            "revisions": (f"SELECT count(*) FROM revisions WHERE record {IN}", named),
            "sources": (f"SELECT count(*) FROM sources WHERE record {IN}", named),
            "edges": (f"SELECT count(*) FROM edges WHERE record {IN}", named),
            "log": (f"SELECT count(*) FROM decisions WHERE record {IN}", named),
            "names": (f"SELECT count(*) FROM said_of WHERE record {IN}", named),
            "contradictions": (f"SELECT count(*) FROM contradictions WHERE record {IN}", named),
            "uses": (f"SELECT count(*) FROM usage WHERE id IN (SELECT id FROM records WHERE n {IN})", named),
            "readers": (f"SELECT count(*) FROM readers WHERE id IN (SELECT id FROM records WHERE n {IN})", named),
            "episodes": (f"SELECT count(*) FROM episodes WHERE n {IN}", said),
        }
        counted = {name: int(self._all(sql, (value,))[0][0]) for name, (sql, value) in asked.items()}
        return {name: count for name, count in counted.items() if count}

    def orphans(self, subject: int, words: Sequence[str]) -> dict[str, int]:
        terms = json.dumps([f"{subject}_{word}" for word in words], ensure_ascii=False)
        counted: dict[str, int] = {}
        for shelf, there in _THERE.items():
            found = self._all(
                f"SELECT count(*) FROM json_each(?) AS w JOIN {shelf}_postings AS p ON p.term = w.value"
                f" WHERE NOT {there.format('p.doc')}",
                (terms,),
            )
            counted[f"words of {shelf}"] = int(found[0][0])
            found = self._all(
                f"SELECT count(*) FROM vectors AS x WHERE subject = ? AND store = ? AND NOT {there.format('x.item')}",
                (subject, shelf),
            )
            counted[f"vectors of {shelf}"] = int(found[0][0])
        return {name: count for name, count in counted.items() if count}

    def survives(self, piece: bytes) -> bool:
        for table, columns in self._columns():
            where = " OR ".join(f'instr(CAST("{column}" AS BLOB), ?)' for column in columns)
            if self._all(f'SELECT 1 FROM "{table}" WHERE ({where}){_still(table)} LIMIT 1', [piece] * len(columns)):
                return True
        schema = (
            "SELECT 1 FROM sqlite_schema WHERE instr(CAST(sql AS BLOB), ?1)"
            " OR instr(CAST(type || name || tbl_name AS BLOB), ?1) LIMIT 1"
        )
        return bool(self._all(schema, (piece,))) or self._in_full_text(piece) or self._across_columns(piece)

    def _tables(self) -> list[str]:
        tables = [name for (name,) in self._all("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        return [each for each in tables if not each.startswith(SHADOWS) and each not in _NOT_READ]

    def _columns(self) -> list[tuple[str, list[str]]]:
        names = "SELECT name FROM pragma_table_info(?) WHERE type <> 'INTEGER'"
        found = [(each, [name for (name,) in self._all(names, (each,))]) for each in self._tables()]
        return [(table, columns) for table, columns in found if columns]

    def _across_columns(self, piece: bytes) -> bool:
        """Tell whether bytes come about where columns of a row, or of its entry in an index, lie side by side in a page."""
        for table in self._tables():
            types = dict(self._all("SELECT name, type FROM pragma_table_info(?)", (table,)))
            orders = [list(types)] + [
                [name for (name,) in self._all("SELECT name FROM pragma_index_info(?) ORDER BY seqno", (index,))]
                for (index,) in self._all("SELECT name FROM pragma_index_list(?)", (table,))
            ]
            for order in (each for each in orders if sum(types[name] == "TEXT" for name in each) > 1):
                joined = " || ".join(_side_by_side(name, types[name]) for name in order)
                found = f'SELECT 1 FROM "{table}" WHERE instr(CAST({joined} AS BLOB), ?){_still(table)} LIMIT 1'
                if self._all(found, (piece,)):
                    return True
        return False

    def _in_full_text(self, piece: bytes) -> bool:
        """Tell whether a word has these bytes under which a text that is there is indexed; each word is looked at once."""
        for shelf in ("claims", "episodes"):
            self._c.execute(
                f"CREATE VIRTUAL TABLE IF NOT EXISTS temp.{shelf}_terms USING fts5vocab('main', '{shelf}_text', 'row')"
            )
        return any(
            self._all(
                f"SELECT 1 FROM temp.{shelf}_terms AS t JOIN {shelf}_postings AS p ON p.term = t.term"
                f" JOIN {table} AS d ON d.n = p.doc WHERE instr(CAST(t.term AS BLOB), ?) LIMIT 1",
                (piece,),
            )
            for shelf, table in (("claims", "revisions"), ("episodes", "episodes"))
        )

    def subject_by_ref(self, ref: str) -> SubjectRow | None:
        return self._subject("ref = ?", ref)

    def places_outside(self, subject: int) -> dict[str, list[tuple[str, str, str | Instant | None]]]:
        return {
            "exports": self._all(
                "SELECT id, path, form FROM exports WHERE subject = ? AND gone IS NULL ORDER BY n", (subject,)
            ),
            "backups": self._all("SELECT id, path, until FROM backups WHERE gone IS NULL ORDER BY n"),
            "sinks": self._all("SELECT name, '', command FROM sinks ORDER BY name"),
        }


def _still(table: str) -> str:
    """Return the condition that leaves out rows that are being erased; the ids of records stay, and are random."""
    if table == "episodes":
        return " AND erasure IS NULL"
    if table == "vectors":
        return " AND CASE store WHEN 'claims' THEN item IN (SELECT n FROM revisions) ELSE item IN (SELECT n FROM episodes) END"
    if table in ("revisions", "sources"):
        return " AND record IN (SELECT n FROM records WHERE erasure IS NULL)"
    return ""


def _side_by_side(column: str, type_: str) -> str:
    """Return what a column puts between its neighbours: its text; nothing for NULL, 0 and 1; else a byte of no word."""
    if type_ == "TEXT":
        return f"coalesce(\"{column}\", '')"
    return f'CASE WHEN "{column}" IS NULL OR "{column}" IN (0, 1) THEN \'\' ELSE char(1) END'
