"""Records, revisions and the moves between statuses (R1, R3)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final

from stead.errors import IllegalTransition
from stead.model.authority import Authority
from stead.model.period import Period


class Kind(StrEnum):
    """What sort of claim it is."""

    FACT = "fact"
    PREFERENCE = "preference"
    INSTRUCTION = "instruction"
    PLAN = "plan"
    REFLECTION = "reflection"


class Status(StrEnum):
    """Where a record stands in its life. *Expired* and *cold* are not statuses."""

    PROPOSED = "proposed"
    ACTIVE = "active"
    CONTESTED = "contested"
    SUPERSEDED = "superseded"
    RETRACTED = "retracted"
    REJECTED = "rejected"
    DELETION_PENDING = "deletion_pending"
    DELETED = "deleted"


class Tier(StrEnum):
    """Served by default, or kept apart until asked for."""

    HOT = "hot"
    COLD = "cold"


class Meaning(StrEnum):
    """What a contradiction means: the world changed, or it was never true (R22)."""

    CHANGED = "changed"
    CORRECTED = "corrected"


LAID: Final = frozenset({Status.ACTIVE, Status.CONTESTED, Status.SUPERSEDED})
"""The statuses whose statements are laid on the strip."""

_LEGAL: Final = {
    Status.PROPOSED: {Status.ACTIVE, Status.REJECTED},
    Status.ACTIVE: {Status.CONTESTED, Status.SUPERSEDED, Status.RETRACTED},
    Status.CONTESTED: {Status.ACTIVE, Status.SUPERSEDED, Status.RETRACTED},
    Status.SUPERSEDED: {Status.ACTIVE},
    Status.RETRACTED: {Status.ACTIVE},
    Status.REJECTED: set[Status](),
    Status.DELETION_PENDING: {Status.DELETED},
    Status.DELETED: set[Status](),
}


def move(record: str, now: Status, to: Status) -> Status:
    """Return the new status of a record if the move is legal (R3).

    Raises
    ------
    IllegalTransition
        The move is not in R3's table. Staying where one is counts as a move too, and is never legal.
    """
    pending = to is Status.DELETION_PENDING and now not in (Status.DELETION_PENDING, Status.DELETED)
    if pending or to in _LEGAL[now]:
        return to
    hints = {
        Status.SUPERSEDED: "Roll the supersession back first: rollback.",
        Status.RETRACTED: "It is retracted already; rollback revives it.",
        Status.PROPOSED: "It waits for an answer: confirm or reject.",
    }
    raise IllegalTransition(f"{record} is {now} and can't become {to}", hint=hints.get(now, ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where a claim came from: a pointer, never a copy (R1)."""

    speaker: str
    observed_at: datetime
    known_at: datetime
    conversation: str = ""
    turn: str = ""
    uri: str = ""
    verified: bool = False
    """The subject restated it; nothing new was said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A claim with its lifecycle contract (R1), as it stood at one transaction time."""

    id: str
    tenant: str
    subject: str
    claim: str
    status: Status
    kind: Kind
    authority: Authority
    speaker: str
    scope: str
    category: str | None
    entity: str | None
    attribute: str | None
    object: str | None
    value: str | None
    unset: bool
    audience: tuple[str, ...]
    purpose: tuple[str, ...]
    owner: str
    trigger: str
    """Who or what wrote it: the verb, or the session that proposed it."""
    confidence: float
    importance: float
    sensitivity: str | None
    meaning: Meaning
    observed_at: datetime
    stated: tuple[datetime | None, datetime | None]
    """The validity as stated: from, until; None is open."""
    stands: tuple[tuple[datetime | None, datetime | None], ...]
    """The validity as it now stands, without what ends took off."""
    expires_at: datetime | None
    confirmed_at: datetime | None
    confirmed_how: str | None
    review_events: tuple[str, ...]
    tier: Tier
    tx_from: datetime
    tx_until: datetime | None
    created_at: datetime
    superseded_by: str | None
    sources: tuple[Source, ...] = ()
    last_verified: datetime | None = None
    last_access: datetime | None = None
    access_count: int = 0
    embeddings: tuple[str, ...] = ()
    """The version stamps of the vectors made of it (R38)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """An end: where and why a statement was taken off the strip (R10)."""

    period: Period
    why: str
    """``superseded``, ``late``, ``ended``, ``settled`` or ``corrected``."""
    by: int | None = None
    """The record that caused it."""
