"""How far a consolidation has come, and because of which records others ended (R36)."""

from __future__ import annotations

from collections.abc import Sequence

from stead.model.period import FOREVER
from stead.store.sqlite.forgetting import Forgetting
from stead.store.sqlite.rows import marks
from stead.store.values import RunRow


class Runs(Forgetting):
    """Part of a snapshot of one SQLite file."""

    def replaced_by(self, subject: int, records: Sequence[int]) -> list[tuple[int, int]]:
        return self._all(
            f"SELECT record, superseded_by FROM revisions WHERE superseded_by IN ({marks(records)})"
            f" AND +subject = ? AND tx_until = {FOREVER} ORDER BY record",
            (*records, subject),
        )

    def last_run(self, subject: int) -> RunRow | None:
        found = self._all(
            "SELECT id, started, phase, cursor, closed, may_close, finished FROM consolidations"
            " WHERE subject = ? ORDER BY n DESC LIMIT 1",
            (subject,),
        )
        for name, started, phase, cursor, closed, may_close, finished in found:
            return RunRow(
                id=name, subject=subject, started=started, phase=phase, cursor=cursor, closed=closed,
                may_close=may_close, finished=finished,
            )  # fmt: skip
        return None
