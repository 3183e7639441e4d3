"""What a backend must be able to do for consolidation; part of the protocol of a transaction (R36)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from stead.store.values import RunRow


class ReadRuns(Protocol):
    """Part of a snapshot."""

    def replacing(self, subject: int, records: Sequence[int]) -> set[int]:
        """Return those of the records that others were superseded or corrected by."""

    def open_run(self, subject: int) -> RunRow | None:
        """Return the consolidation of a subject that hasn't come to its end."""


class WriteRuns(Protocol):
    """Part of the one write transaction."""

    def keep_run(self, run: RunRow) -> None:
        """Note how far a consolidation has come; a new one ends any other of its subject."""
