"""What a backend must be able to do for consolidation; part of the protocol of a transaction (R36)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from stead.store.values import RunRow


class ReadRuns(Protocol):
    """Part of a snapshot."""

    def replaced_by(self, subject: int, records: Sequence[int]) -> list[tuple[int, int]]:
        """Return (record, by) of what was superseded or corrected by one of the records, in order."""

    def last_run(self, subject: int) -> RunRow | None:
        """Return the consolidation of a subject that began last, whether it has ended or not."""


class WriteRuns(Protocol):
    """Part of the one write transaction."""

    def keep_run(self, run: RunRow) -> None:
        """Note how far a consolidation has come; a new one ends any other of its subject."""
