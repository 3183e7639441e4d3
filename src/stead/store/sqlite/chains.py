"""Reading chains: which records belong together, and their revisions a page at a time (R28)."""

from __future__ import annotations

import json
from collections.abc import Sequence

from stead.model.period import Instant
from stead.store.sqlite import queries, rows
from stead.store.sqlite.erasing import IN
from stead.store.sqlite.forgetting import Forgetting
from stead.store.values import Revision

_IN_CHAIN = f"record {IN}"


class Chains(Forgetting):
    """Part of a snapshot of one SQLite file."""

    def chained(self, subject: int, record: int) -> list[int]:
        return [row[0] for row in self._all(queries.CHAIN, (record, subject))]

    def linked_slots(self, slot: int) -> list[int]:
        found = self._all(
            "SELECT DISTINCT b.slot FROM (SELECT DISTINCT record FROM revisions WHERE slot = ?) AS a"
            " CROSS JOIN revisions AS b ON b.record = a.record WHERE b.slot <> ? ORDER BY b.slot",
            (slot, slot),
        )
        return [row[0] for row in found]

    def revisions_after(self, subject: int, records: Sequence[int], after: Instant, limit: int) -> list[Revision]:
        chain = json.dumps(list(records))
        last = self._all(
            f"SELECT tx_from FROM revisions WHERE {_IN_CHAIN} AND +subject = ? AND tx_from > ? ORDER BY tx_from LIMIT 1 OFFSET ?",
            (chain, subject, after, limit - 1),
        )
        until = "" if not last else " AND v.tx_from <= ?"
        found = self._c.execute(
            f"{rows.FROM_REVISIONS} WHERE v.{_IN_CHAIN} AND +v.subject = ? AND v.tx_from > ?{until} ORDER BY v.tx_from, v.n",
            (chain, subject, after, *(last[0] if last else ())),
        )
        return [rows.revision(row) for row in found]
