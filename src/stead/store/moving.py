"""What a backend must be able to do for backups; part of the protocol of a transaction (R33).

A backup is rows: those of one subject at a time, and the rest of the tenant. A restore builds a file from them under another
name, and carries over what must outlast a restore from the store whose place it takes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from stead.model.period import Instant

Moved = tuple[str, tuple[str, ...], tuple[object, ...]]
"""Table, columns and values of one row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupRow:
    """A backup that the store knows of."""

    id: str
    path: str
    tx: Instant
    ledger: int
    """How long the ledger was."""
    until: Instant | None = None
    gone: Instant | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lasting:
    """What outlasts a restore: the clock, numbers that were given, fences with their subjects, and what lies outside."""

    last: Instant
    numbers: tuple[tuple[str, int], ...]
    subjects: tuple[tuple[int, str, str | None, int], ...]
    """Number, name, ref and epoch of every subject that was erased from or exported."""
    rows: tuple[Moved, ...]
    """Fences, sinks, exports and backups."""


class ReadMoving(Protocol):
    """Part of a snapshot."""

    def schema(self) -> int:
        """Return the version of the schema."""

    def living(self) -> list[int]:
        """Return the numbers of the subjects with a part of their own in a backup: all but those that were erased whole."""

    def dump(self, subject: int | None) -> Iterator[Moved]:
        """Yield all rows of a subject; None: the rest of the tenant. Backups, sinks and needles are left out."""

    def backups(self) -> list[BackupRow]:
        """Return the backups that were ever made, oldest first."""

    def lasting(self) -> Lasting:
        """Return what outlasts a restore."""


class WriteMoving(Protocol):
    """Part of the one write transaction."""

    def add_backup(self, row: BackupRow) -> None:
        """Note a backup; one that is known is left as it is."""

    def outlast(self, lasting: Lasting) -> None:
        """Carry over what outlasts a restore; what is newer wins.

        Raises
        ------
        StoreCorrupt
            A subject isn't the one that had its number there.
        """

    def lift_epoch(self, ref: str, epoch: int) -> None:
        """Raise a subject's epoch to at least this one."""


class Seized(Protocol):
    """A store that nobody else has open, and that nobody else can open meanwhile."""

    tenant: str

    def lasting(self) -> Lasting:
        """Return what outlasts a restore."""

    def backups(self) -> list[BackupRow]:
        """Return the backups that it knows of."""

    def retire(self) -> None:
        """Mark the file as no store any more: another one has its name, and who opened it meanwhile must not write to it."""


def seize(path: Path, *, now: Instant) -> AbstractContextManager[Seized]:
    """Hold a store alone.

    Raises
    ------
    StoreBusy
        Somebody has it open.
    StoreCorrupt, NewerSchema, StoreNotFound
    """
    from stead.store.sqlite.seizing import seize as seize_file  # the driver is loaded when a file is opened

    return seize_file(path, now)


def is_free(path: Path) -> bool:
    """Tell whether nobody has a file open as a store."""
    from stead.store.sqlite.seizing import is_free as is_free_file

    return is_free_file(path)


def build(path: Path, *, schema: int, rows: Iterable[Moved], now: Instant) -> None:
    """Make a file of the rows of a backup, as the schema was then, and bring it to today's.

    Raises
    ------
    NewerSchema, StoreCorrupt
    """
    from stead.store.sqlite.building import build as build_file

    build_file(path, schema, rows, now)
