"""What a write did (R46)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from stead.model.plain import spelled


class Decision(StrEnum):
    """What a candidate does to what is already there (R21)."""

    ADD = "ADD"
    UPDATE = "UPDATE"
    SUPERSEDE = "SUPERSEDE"
    NOOP = "NOOP"
    OVERRIDE = "OVERRIDE"
    CONTEST = "CONTEST"
    CONFIRM = "CONFIRM"
    REJECT = "REJECT"
    ERASE = "ERASE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The durable result of one write: returned after its commit is on disk."""

    verb: str
    decision: Decision
    rule: str
    """The rule that decided; every name is listed in the reference."""
    reason: str
    record: str | None
    """The record that now carries the claim; None when nothing is stored."""
    status: str | None
    affected: tuple[str, ...] = ()
    """Other records whose standing this write changed."""
    version: int | None = None
    """The version of the slot in its scope after this write; for ``if_version``."""
    known_at: datetime | None = None
    """The transaction time."""
    question: str | None = None
    """The question that this write opened."""
    route: str | None = None
    """What became of the candidate before anything was resolved (R15); None where nothing was routed."""
    claim: str | None = None
    """What a session proposed, as far as nothing of it was redacted; it is in no log."""
    turn: str | None = None
    """The turn in which it was said."""
    erasure: str | None = None
    """The erasure that it began (R32); `Store.receipt` has its receipt."""
    replayed: bool = False
    """The outcome of an earlier call with the same idempotency key."""
    warnings: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Return the outcome as JSON carries it."""
        return spelled(self)
