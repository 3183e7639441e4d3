"""What a backup and a restore did: ids, paths and counts (R33)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from stead.model.plain import spelled


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """A backup that the store knows of."""

    id: str
    path: str
    at: datetime
    ledger: int
    """The number of its own entry in the ledger: what was erased after it is erased again by a restore."""
    until: datetime | None = None
    """When `Store.rotate_backups` removes it; None: it stays until it is removed by hand or as one too many."""
    gone: datetime | None = None
    """Since when it is known not to be there any more."""
    subjects: int | None = None
    """How many subjects it holds; told by the call that made it."""
    bytes: int | None = None
    """How long it is; told by the call that made it."""

    def as_dict(self) -> dict[str, object]:
        """Return it as JSON carries it."""
        return spelled(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What a restore did."""

    path: str
    backup: str
    """The id of the backup."""
    subjects: int
    """How many subjects came back."""
    skipped: tuple[str, ...]
    """The refs of the subjects whose part can't be read any more, because they were erased whole after the backup."""
    replayed: int
    """How many erasures that came after the backup were carried out again before anything could be read."""
    carried: bool
    """Whether fences and exports of the store whose place it took were carried over; nothing was there, or it was unreadable."""

    def as_dict(self) -> dict[str, object]:
        """Return it as JSON carries it."""
        return spelled(self)
