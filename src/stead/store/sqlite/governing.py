"""Reading what governs the writes: consent, events, sessions and the decision log."""

from __future__ import annotations

from collections.abc import Sequence

from stead.model.period import FOREVER, Instant
from stead.store.sqlite import rows
from stead.store.sqlite.naming import Naming
from stead.store.sqlite.rows import marks
from stead.store.values import DecisionRow, EdgeRow, EpisodeRow, EventRow, Revision, SessionRow

_SESSION = "SELECT s.conversation, s.opened, s.closed, s.reviewed FROM sessions AS s WHERE s.subject = ?"


class Governing(Naming):
    """Part of a snapshot of one SQLite file."""

    def consents(self, subject: int) -> dict[str, bool]:
        found = self._all("SELECT class, allowed FROM consents WHERE subject = ? ORDER BY n", (subject,))
        return {name: bool(allowed) for name, allowed in found}

    def events(self, subject: int, names: Sequence[str], known_at: Instant) -> list[EventRow]:
        found = self._all(
            f"SELECT name, scope, tx FROM events WHERE name IN ({marks(names)}) AND (subject = ? OR subject IS NULL)"
            " AND tx <= ? ORDER BY n",
            (*names, subject, known_at),
        )
        return [EventRow(name=name, scope=scope, tx=tx) for name, scope, tx in found]

    def echoes(self, subject: int, claim_key: int, scope: str, now: Instant) -> bool:
        found = self._all(
            f"SELECT 1 FROM revisions WHERE subject = ? AND claim_key = ? AND tx_until = {FOREVER}"
            " AND status IN ('active', 'contested') AND scope = ? AND stated_from <= ? AND stands_until > ?"
            " AND (expires_at IS NULL OR expires_at > ?) LIMIT 1",
            (subject, claim_key, scope, now, now, now),
        )
        return bool(found)

    def answered(self, subject: int) -> list[DecisionRow]:
        found = self._all(
            f"SELECT {rows.DECISION} FROM decisions WHERE subject = ? AND verb = 'settle' ORDER BY n DESC", (subject,)
        )
        return [rows.decision(row, self._affected(row[0])) for row in found]

    def recent_contradictions(self, subject: int, last: int) -> tuple[int, int]:
        found = self._all(
            "SELECT coalesce(sum(EXISTS (SELECT 1 FROM contradictions AS c WHERE c.decision = d.n)), 0), count(*)"
            " FROM (SELECT n FROM decisions WHERE subject = ? AND decision <> 'ERASE' AND verb <> 'consolidate'"
            " ORDER BY n DESC LIMIT ?) AS d",
            (subject, last),
        )
        return found[0][0], found[0][1]

    def waiting(self, subject: int, now: Instant, speaker: str | None = None) -> int:
        by, bindings = ("AND waits_for = 'release'", ()) if speaker is None else ("AND speaker = ?", (speaker,))
        found = self._all(
            f"SELECT count(*) FROM revisions WHERE status = 'proposed' AND tx_until = {FOREVER} AND subject = ? {by}"
            " AND (answer_by IS NULL OR answer_by > ?) AND (expires_at IS NULL OR expires_at > ?)",
            (subject, *bindings, now, now),
        )
        return int(found[0][0])

    def rejected(self, subject: int, *, claim_key: int | None = None, slot: int | None = None) -> list[Revision]:
        column, value = ("claim_key", claim_key) if slot is None else ("slot", slot)
        found = self._c.execute(
            f"{rows.FROM_REVISIONS} WHERE v.subject = ? AND v.status = 'rejected' AND v.tx_until = {FOREVER}"
            f" AND v.{column} = ? ORDER BY v.n",
            (subject, value),
        )
        return [rows.revision(row) for row in found]

    def rests_on(self, records: Sequence[int]) -> list[EdgeRow]:
        found = self._all(
            f"SELECT record, kind, target, tx, coalesce(released, {FOREVER}) FROM edges WHERE record IN ({marks(records)})"
            " AND kind = 'derived_from' ORDER BY tx, record, target",
            tuple(records),
        )
        return [EdgeRow(record=row[0], kind=row[1], target=row[2], tx=row[3], released=row[4]) for row in found]

    def derived(self, subject: int) -> list[int]:
        found = self._all(
            "SELECT r.n FROM records AS r WHERE r.subject = ? AND EXISTS (SELECT 1 FROM edges AS e WHERE e.record = r.n"
            " AND e.kind = 'derived_from' AND e.released IS NULL) ORDER BY r.n",
            (subject,),
        )
        return [row[0] for row in found]

    def session(self, subject: int, conversation: str) -> SessionRow | None:
        found = self._all(f"{_SESSION} AND s.conversation = ?", (subject, conversation))
        return SessionRow(*found[0]) if found else None

    def open_sessions(self, subject: int) -> list[SessionRow]:
        found = self._all(f"{_SESSION} AND s.closed IS NULL ORDER BY s.opened, s.conversation", (subject,))
        return [SessionRow(*row) for row in found]

    def turns_from(self, subject: int, conversation: str, position: int) -> list[EpisodeRow]:
        found = self._all(
            f"SELECT {rows.EPISODE} FROM episodes WHERE subject = ? AND conversation = ? AND position >= ?"
            " AND erasure IS NULL ORDER BY position",
            (subject, conversation, position),
        )
        return [rows.episode(row) for row in found]

    def log_page(self, subject: int, *, limit: int, after: int) -> list[DecisionRow]:
        found = self._all(
            f"SELECT {rows.DECISION} FROM decisions WHERE subject = ? AND n > ? ORDER BY n LIMIT ?",
            (subject, after, limit),
        )
        return [rows.decision(row, self._affected(row[0])) for row in found]

    def reviewable(self, subject: int) -> list[int]:
        found = self._all(
            "SELECT record FROM revisions WHERE subject = ? AND review_events IS NOT NULL"
            f" AND tx_until = {FOREVER} ORDER BY record",
            (subject,),
        )
        return [row[0] for row in found]
