"""What a backend must be able to do for exports and imports; part of the protocol of a transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from stead.model.period import Instant
from stead.store.values import SessionRow, SubjectRow


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRow:
    """A file outside of the store that holds what was remembered of a subject."""

    id: str
    subject: int
    path: str
    form: str
    tx: Instant
    gone: Instant | None = None
    """Since when the file isn't there any more, or isn't this export."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderRow:
    """Who used a record or a turn in answers, and how often (R30)."""

    purpose: str | None
    audience: tuple[str, ...]
    last_access: Instant
    accesses: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedRow:
    """A name that means an entity, or did so until it was taken back."""

    name: str
    means: str
    tx: Instant
    ended: Instant | None


class ReadPorting(Protocol):
    """Part of a snapshot."""

    def subject_by_number(self, subject: int) -> SubjectRow | None:
        """Return a subject by its number, whatever its name is by now."""

    def next_records(self, subject: int, after: int, limit: int) -> list[int]:
        """Return the numbers of the next readable records."""

    def next_turns(self, subject: int, after: int, limit: int) -> list[int]:
        """Return the numbers of the next readable turns."""

    def readers(self, ids: Sequence[str]) -> dict[str, list[ReaderRow]]:
        """Return who used records or turns, by their ids, the latest first."""

    def named(self, subject: int) -> list[NamedRow]:
        """Return every alias that a subject ever had, oldest first."""

    def said_consents(self, subject: int) -> list[tuple[str, bool, Instant]]:
        """Return (class, allowed, when) of everything that a subject ever allowed or denied, oldest first (R16)."""

    def reported(self, subject: int) -> list[tuple[str, str, Instant]]:
        """Return (name, scope, when) of the review events of a subject, oldest first; not those of its tenant."""

    def all_sessions(self, subject: int) -> list[SessionRow]:
        """Return the sessions of a subject, oldest first."""

    def was_erased(self, record: str) -> bool:
        """Tell whether a record of this id was erased, whichever subject it was of (R32)."""

    def export_row(self, export: str) -> ExportRow | None:
        """Return an export by its id."""

    def exports_at(self, path: str) -> list[ExportRow]:
        """Return the exports that are known to lie at a path."""

    def erased_since(self, subject: int, tx: Instant) -> bool:
        """Tell whether a subject was erased whole after a transaction time."""


class WritePorting(Protocol):
    """Part of the one write transaction."""

    def add_export(self, row: ExportRow) -> None:
        """Note where an export lies; one that was noted as gone is there again."""
