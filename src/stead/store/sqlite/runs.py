"""How far a consolidation has come, and because of which records others ended (R36)."""

from __future__ import annotations

from collections.abc import Sequence

from stead.model.period import FOREVER
from stead.store.sqlite.forgetting import Forgetting
from stead.store.sqlite.rows import marks
from stead.store.values import RunRow


class Runs(Forgetting):
    """Part of a snapshot of one SQLite file."""

    def replacing(self, subject: int, records: Sequence[int]) -> set[int]:
        found = self._all(
            f"SELECT DISTINCT superseded_by FROM revisions WHERE superseded_by IN ({marks(records)})"
            f" AND +subject = ? AND tx_until = {FOREVER}",
            (*records, subject),
        )
        return {record for (record,) in found}

    def open_run(self, subject: int) -> RunRow | None:
        found = self._all(
            "SELECT id, started, phase, cursor, closed, may_close FROM consolidations"
            " WHERE subject = ? AND finished IS NULL ORDER BY n DESC LIMIT 1",
            (subject,),
        )
        for name, started, phase, cursor, closed, may_close in found:
            return RunRow(
                id=name,
                subject=subject,
                started=started,
                phase=phase,
                cursor=cursor,
                closed=closed,
                may_close=may_close,
            )
        return None
