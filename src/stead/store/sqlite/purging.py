"""Taking rows away so that no byte of them stays: the writing half of an erasure (R32).

`secure_delete` overwrites what a deleted row held, and the full text is told to remove a text's words from its segments at
once. Numbers of what went are never given again, so that a vector or an answer that comes late finds nothing.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

import apsw

from stead.model.period import FOREVER, Instant
from stead.store.erasing import Indexed
from stead.store.sqlite import rows
from stead.store.sqlite.erasing import IN, Erasing, listed
from stead.store.values import DecisionRow, JobRow, Shelf

_ERASING = "decision = 'ERASE'"
"""The row of the erasure itself stays, with the ids of what it took: a retry is answered by it."""


class Purging(Erasing):
    """Part of the one writer of a file."""

    _c: apsw.Connection

    def _change(self, sql: str, bindings: Sequence[object] = ()) -> int:
        self._c.execute(sql, bindings)
        return self._c.changes()

    def refer(self, subject: int, ref: str) -> str:
        self._change("UPDATE subjects SET ref = coalesce(ref, ?) WHERE n = ?", (ref, subject))
        return str(self._all("SELECT ref FROM subjects WHERE n = ?", (subject,))[0][0])

    def hide(self, job: JobRow, records: Sequence[int], episodes: Sequence[int]) -> JobRow:
        self._change(
            "INSERT INTO erasures (id, subject, tx, selects, status, by, requester, step, whole, scan, done)"
            " VALUES (?,?,?,?,?,?,?,?,?,?,?)",
            (job.id, job.subject, job.tx, rows.selects_text(job.selects), job.status, job.by, job.requester, job.step,
             job.whole, job.scan, json.dumps(job.done, sort_keys=True)),
        )  # fmt: skip
        number = self._c.last_insert_rowid()
        for table, items in (("records", records), ("episodes", episodes)):
            self._change(
                f"UPDATE {table} SET erasure = ? WHERE n {IN} AND +subject = ? AND erasure IS NULL",
                (number, listed(items), job.subject),
            )
        self._change(
            f"UPDATE revisions SET status = 'deletion_pending', head = 0 WHERE record {IN} AND tx_until = {FOREVER}",
            (listed(records),),
        )
        self._change("UPDATE subjects SET epoch = epoch + 1, purges = purges + 1 WHERE n = ?", (job.subject,))
        return replace(job, n=number, epoch=self._epoch(job.subject))

    def decide_anew(self, number: int, row: DecisionRow) -> None:
        for table in ("effects", "contradictions"):
            self._c.execute(f"DELETE FROM {table} WHERE decision = ?", (number,))
        self._c.execute(
            "UPDATE decisions SET decision = ?, rule = ?, reason = ?, status = ?, question = ? WHERE n = ?",
            (row.decision, row.rule, row.reason, row.status, row.question, number),
        )
        self._c.executemany("INSERT INTO effects VALUES (?, ?)", [(number, each) for each in row.affected])
        self._c.executemany("INSERT INTO contradictions VALUES (?, ?)", [(number, each) for each in row.contradicts])

    def add_fences(self, subject: int, tx: Instant, marks: Iterable[tuple[str, bytes]]) -> None:
        self._c.executemany(
            "INSERT INTO fences VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET tx = max(tx, excluded.tx)",
            ((subject, kind, mark, tx) for kind, mark in marks),
        )

    def add_needles(self, erasure: int, sealed: bytes) -> None:
        self._change("INSERT INTO needles (erasure, sealed) VALUES (?, ?)", (erasure, sealed))

    def drop_needles(self, erasure: int) -> None:
        self._change("DELETE FROM needles WHERE erasure = ?", (erasure,))

    def step(self, job: JobRow) -> None:
        self._change(
            "UPDATE erasures SET status = ?, step = ?, done = ?, receipt = ?, selects = ? WHERE n = ?",
            (
                job.status,
                job.step,
                json.dumps(job.done, sort_keys=True),
                job.receipt,
                rows.selects_text(job.selects),
                job.n,
            ),
        )

    def set_sink(self, name: str, command: str | None, tx: Instant, *, gone: bool) -> None:
        self._change("DELETE FROM sinks WHERE name = ?", (name,))
        if not gone:
            self._change("INSERT INTO sinks VALUES (?, ?, ?)", (name, command, tx))

    def mark_gone(self, table: str, public_id: str, at: Instant) -> None:
        assert table in ("exports", "backups")
        self._change(f"UPDATE {table} SET gone = ? WHERE id = ?", (at, public_id))

    def rename(self, subject: int, name: str) -> None:
        self._change("UPDATE subjects SET name = ? WHERE n = ?", (name, subject))

    # --- rows -------------------------------------------------------------------------------------------------------------

    def purge(self, job: JobRow, words: Indexed, limit: int) -> dict[str, int]:
        records = [n for (n,) in self._all(
            "SELECT n FROM records WHERE erasure = ? AND created > 0 ORDER BY n LIMIT ?", (job.n, limit)
        )]  # fmt: skip
        turns = [n for (n,) in self._all("SELECT n FROM episodes WHERE erasure = ? ORDER BY n LIMIT ?", (job.n, limit))]
        if not records and not turns:
            return {}
        self._never_again()
        gone = Counter(self._purge_log(job.subject, records, turns))
        gone.update(self._purge_records(job.subject, records, words))
        gone.update(self._purge_turns(job.subject, turns, words))
        self._change("UPDATE subjects SET purges = purges + 1 WHERE n = ?", (job.subject,))
        return dict(gone)

    def _never_again(self) -> None:
        """Keep the highest numbers that were ever given."""
        for table in ("revisions", "episodes", "decisions"):
            self._change(
                f"UPDATE numbers SET last = max(last, (SELECT coalesce(max(n), 0) FROM {table})) WHERE what = ?",
                (table,),
            )

    def _purge_log(self, subject: int, records: Sequence[int], turns: Sequence[int]) -> dict[str, int]:
        named, said = listed(records), listed(turns)
        self._change(f"UPDATE decisions SET episode = NULL WHERE episode {IN} AND {_ERASING}", (said,))
        rows = {n for (n,) in self._all(
            f"SELECT n FROM decisions WHERE record {IN} UNION SELECT n FROM decisions WHERE episode {IN}", (named, said)
        )}  # fmt: skip
        about = listed(rows)
        keys = self._change(f"DELETE FROM idempotency WHERE decision {IN} AND +subject = ?", (about, subject))
        for table in ("effects", "contradictions"):
            self._change(f"DELETE FROM {table} WHERE decision {IN}", (about,))
        self._change(f"DELETE FROM contradictions WHERE record {IN}", (named,))
        self._change(
            f"DELETE FROM effects WHERE record {IN} AND NOT EXISTS"
            f" (SELECT 1 FROM decisions AS d WHERE d.n = effects.decision AND d.{_ERASING})",
            (named,),
        )
        return {"idempotency": keys, "log": self._change(f"DELETE FROM decisions WHERE n {IN}", (about,))}

    def _purge_records(self, subject: int, records: Sequence[int], words: Indexed) -> dict[str, int]:
        named = listed(records)
        texts = self._all(f"SELECT n, tokens FROM revisions WHERE record {IN} AND text_n = n ORDER BY n", (named,))
        slots = [n for (n,) in self._all(
            f"SELECT slot FROM revisions WHERE record {IN} AND slot IS NOT NULL"
            f" UNION SELECT slot FROM records WHERE n {IN} AND slot IS NOT NULL", (named, named),
        )]  # fmt: skip
        self._unindex("claims", subject, texts, words)
        gone = {
            "vectors": self._purge_vectors("claims", subject, [n for n, _ in texts]),
            "revisions": self._change(f"DELETE FROM revisions WHERE record {IN}", (named,)),
            "sources": self._change(f"DELETE FROM sources WHERE record {IN}", (named,)),
            "edges": sum(self._change(f"DELETE FROM edges WHERE {end} {IN}", (named,)) for end in ("record", "target")),
        }
        self._change(f"DELETE FROM said_of WHERE record {IN}", (named,))
        self._forget_uses("records", named)
        stubs = self._change(f"UPDATE records SET slot = NULL, scope = '', created = 0 WHERE n {IN}", (named,))
        self._change(
            f"DELETE FROM slots WHERE n {IN} AND NOT EXISTS (SELECT 1 FROM revisions AS v WHERE v.slot = slots.n)"
            " AND NOT EXISTS (SELECT 1 FROM records AS r WHERE r.slot = slots.n)",
            (listed(slots),),
        )
        return gone | {"records": stubs, "full text": len(texts)}

    def _purge_turns(self, subject: int, turns: Sequence[int], words: Indexed) -> dict[str, int]:
        if not turns:
            return {}
        said = listed(turns)
        texts = self._all(f"SELECT n, tokens FROM episodes WHERE n {IN} ORDER BY n", (said,))
        self._unindex("episodes", subject, texts, words)
        self._forget_sources(subject, said)
        vectors = self._purge_vectors("episodes", subject, turns)
        self._forget_uses("episodes", said)
        self._c.execute(
            f"INSERT OR IGNORE INTO fences SELECT subject, 'id', CAST(id AS BLOB), tx FROM episodes WHERE n {IN}",
            (said,),
        )
        places: dict[str, list[int]] = defaultdict(list)
        for conversation, position in self._all(
            f"SELECT conversation, position FROM episodes WHERE n {IN} ORDER BY position", (said,)
        ):
            places[conversation].append(position)
        gone = self._change(f"DELETE FROM episodes WHERE n {IN}", (said,))
        for conversation, positions in places.items():
            self._close_ranks(subject, conversation, positions)
        return {"episodes": gone, "vectors": vectors, "full text": len(texts)}

    def _forget_sources(self, subject: int, said: str) -> None:
        """Let records that stay rest on their other sources alone; the only one goes on naming a turn that isn't there."""
        theirs = f"SELECT 1 FROM episodes AS e WHERE e.n {IN} AND e.conversation = {{0}}.conversation AND e.turn = {{0}}.turn"
        self._change(
            f"DELETE FROM sources WHERE n IN (SELECT s.n FROM episodes AS t JOIN sources AS s ON s.subject = t.subject"
            f" AND s.conversation = t.conversation AND s.turn = t.turn WHERE t.n {IN} AND t.subject = ?)"
            f" AND EXISTS (SELECT 1 FROM sources AS o WHERE o.record = sources.record AND NOT EXISTS ({theirs.format('o')}))",
            (said, subject, said),
        )

    def _close_ranks(self, subject: int, conversation: str, gone: Sequence[int]) -> None:
        """Let the turns that are left stand as if the others had never been between them (R49)."""
        moved = self._all(
            "SELECT n, position FROM episodes WHERE subject = ? AND conversation = ? AND position > ? ORDER BY position",
            (subject, conversation, gone[0]),
        )
        self._c.executemany(
            "UPDATE episodes SET position = ? WHERE n = ?",
            [(position - bisect_left(gone, position), n) for n, position in moved],
        )
        self._change(
            "UPDATE sessions SET reviewed = reviewed - (SELECT count(*) FROM json_each(?) WHERE value < reviewed)"
            " WHERE subject = ? AND conversation = ?",
            (listed(gone), subject, conversation),
        )
        self._change(
            "DELETE FROM sessions WHERE subject = ? AND conversation = ? AND closed IS NOT NULL"
            " AND NOT EXISTS (SELECT 1 FROM episodes AS e WHERE e.subject = ?1 AND e.conversation = ?2)"
            " AND NOT EXISTS (SELECT 1 FROM sources AS s WHERE s.subject = ?1 AND s.conversation = ?2)",
            (subject, conversation),
        )

    def _purge_vectors(self, shelf: Shelf, subject: int, items: Sequence[int]) -> int:
        return self._change(
            f"DELETE FROM vectors WHERE subject = ? AND store = ? AND item {IN}", (subject, shelf, listed(items))
        )

    def _forget_uses(self, table: str, named: str) -> None:
        for uses in ("usage", "readers"):
            self._change(f"DELETE FROM {uses} WHERE id IN (SELECT id FROM {table} WHERE n {IN})", (named,))

    # --- full text --------------------------------------------------------------------------------------------------------

    def _unindex(self, shelf: Shelf, subject: int, texts: Sequence[tuple[int, int]], words: Indexed) -> None:
        """Remove texts from the full text by their words, and from the subject's statistics."""
        counts = dict(texts)
        known: dict[int, Sequence[str]] = {}
        for n, given in self._given(shelf, list(counts)):
            for each in words(shelf, given):
                if self._indexed_by(shelf, subject, n, each, counts[n]):
                    known[n] = each
                    break
        known |= self._words_of(shelf, subject, counts.keys() - known.keys())
        self._c.executemany(
            f"INSERT INTO {shelf}_text ({shelf}_text, rowid, words) VALUES ('delete', ?, ?)",
            [(n, " ".join(f"{subject}_{word}" for word in each)) for n, each in known.items()],
        )
        column, total = ("claims", "claim_tokens") if shelf == "claims" else ("episodes", "episode_tokens")
        self._change(
            f"UPDATE subjects SET {column} = {column} - ?, {total} = {total} - ? WHERE n = ?",
            (len(texts), sum(count for _, count in texts), subject),
        )

    def _given(self, shelf: Shelf, items: Sequence[int]) -> list[tuple[int, tuple[str, ...]]]:
        records = [n for (n,) in self._all(f"SELECT DISTINCT record FROM revisions WHERE n {IN}", (listed(items),))]
        named, said = (records, []) if shelf == "claims" else ([], items)
        return [(n, texts) for _, n, texts in self.texts_of(named, said)]

    def _indexed_by(self, shelf: Shelf, subject: int, n: int, words: Sequence[str], count: int) -> bool:
        if len(words) != count:
            return False
        found = f"SELECT 1 FROM {shelf}_text WHERE {shelf}_text MATCH ? AND rowid = ?"
        return all(self._all(found, (f'"{subject}_{word}"', n)) for word in set(words))

    def _words_of(self, shelf: Shelf, subject: int, items: set[int]) -> dict[int, list[str]]:
        """Read the words of texts out of the index itself; it goes through all words of the subject."""
        if not items:
            return {}
        places: dict[int, list[tuple[int, str]]] = {n: [] for n in items}
        for term, doc, offset in self._c.execute(
            f'SELECT term, doc, "offset" FROM {shelf}_postings WHERE term >= ? AND term < ?',
            (f"{subject}_", f"{subject}`"),
        ):
            if doc in places:
                places[doc].append((offset, term.removeprefix(f"{subject}_")))
        return {n: [word for _, word in sorted(each)] for n, each in places.items()}

    # --- the whole subject ------------------------------------------------------------------------------------------------

    def purge_subject(self, job: JobRow) -> dict[str, int]:
        mine = (job.subject,)
        self._never_again()
        for table in ("effects", "contradictions"):
            self._change(
                f"DELETE FROM {table} WHERE decision IN (SELECT n FROM decisions WHERE subject = ? AND tx < ?)",
                (*mine, job.tx),
            )
        gone = {"idempotency": self._change("DELETE FROM idempotency WHERE subject = ?", mine)}
        gone["log"] = self._change("DELETE FROM decisions WHERE subject = ? AND tx < ?", (*mine, job.tx))
        tables = {
            "aliases": "DELETE FROM aliases WHERE subject = ? AND tx <= ?",
            "events": "DELETE FROM events WHERE subject = ? AND tx <= ?",
            "consents": "DELETE FROM consents WHERE subject = ? AND tx <= ? AND allowed",
            "sessions": "DELETE FROM sessions WHERE subject = ? AND opened <= ? AND NOT EXISTS (SELECT 1 FROM episodes AS e"
            " WHERE e.subject = sessions.subject AND e.conversation = sessions.conversation)",
            "consolidations": "DELETE FROM consolidations WHERE subject = ? AND started <= ?",
        }
        for name, sql in tables.items():
            gone[name] = self._change(sql, (*mine, job.tx))
        gone["slots"] = self._change(
            "DELETE FROM slots WHERE subject = ? AND NOT EXISTS (SELECT 1 FROM revisions AS v WHERE v.slot = slots.n)"
            " AND NOT EXISTS (SELECT 1 FROM records AS r WHERE r.slot = slots.n)",
            mine,
        )
        return {name: count for name, count in gone.items() if count}
