"""Rows as values: what a backend takes and gives, and a revision as the strip sees it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeVar

from stead.model.period import FOREVER, Instant, Period, subtract_all
from stead.model.record import Cut
from stead.model.slot import SlotKey, normal
from stead.model.strip import Statement

AGENT = "agent"
"""The audience of what was written without one: the subject's own agents (R1)."""
Shelf = Literal["claims", "episodes"]
"""Which of the two stores: facts and episodes never share an index (R29)."""
NAMED: Final = 500
"""Rows that one query names."""
_Item = TypeVar("_Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Who may be shown what, as a filter of the store (R30)."""

    audiences: frozenset[str]
    default: str
    """The audience of rows that name none."""
    purpose: str | None
    clock: Instant
    """The read clock: what has expired by then is left out."""
    include_cold: bool
    denied: frozenset[str] = frozenset()
    """Sensitivity classes that the subject's consent leaves out today (R8, R16)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubjectRow:
    """A subject with its own statistics."""

    n: int
    name: str
    purges: int
    """How often rows of it were removed: what was cached before is void."""
    epoch: int = 0
    """How often something of it was erased: what was read before can't be written after (R32)."""
    ref: str | None = None
    """Its random name outside of the store; None until there is something to name there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotRow:
    """A slot in one scope, with its version."""

    n: int
    key: SlotKey
    scope: str
    version: int


@dataclass(slots=True, kw_only=True)  # not frozen, though never changed in place: making one then takes a third
class Revision:
    """One immutable version of a record. Instants are microseconds; the names are those of R1."""

    n: int = 0
    record: int = 0
    id: str = ""
    subject: int
    slot: int | None
    scope: str
    tx_from: Instant
    tx_until: Instant
    status: str
    place: Instant
    stated_from: Instant
    stated_until: Instant
    cuts: tuple[Cut, ...] = ()
    text_n: int = 0
    tokens: int = 0
    claim: str
    value: str | None
    unset: bool
    speaker: str
    rank: int
    kind: str
    category: str | None
    purpose: tuple[str, ...] | None
    audience: tuple[str, ...] | None
    confidence: float
    importance: float
    sensitivity: str | None
    owner: str | None
    trigger: str
    meaning: str
    observed_at: Instant
    expires_at: Instant | None
    confirmed_at: Instant | None
    confirmed_how: str | None
    review_events: tuple[str, ...]
    tier: str
    superseded_by: int | None = None
    head: bool = False
    """It stands at the open end: for one slot, speaker and authority the database keeps one such row (R46)."""
    claim_key: int | None = None
    """What two spellings of one claim share."""
    waits_for: str | None = None
    """Of a proposal: ``confirm`` (None too), ``clarify`` or ``release``, which is quarantined."""
    answer_by: Instant | None = None
    """Until when a proposal waits for its answer."""
    created: Instant = 0
    """The transaction time of the record's first revision."""
    names: frozenset[int] = frozenset()
    """Records that it overrides by name; filled where the strip needs it."""

    def expired(self, clock: Instant) -> bool:
        """Tell whether the record has reached its expiry on the read clock; the instant itself is outside (R7)."""
        return self.expires_at is not None and self.expires_at <= clock

    def waits(self, clock: Instant) -> bool:
        """Tell whether a proposal still waits for its answer."""
        return not self.expired(clock) and (self.answer_by is None or clock < self.answer_by)

    def classes(self) -> frozenset[str]:
        """Return its sensitivity classes; a derived record carries those of all its sources (R48)."""
        return frozenset(self.sensitivity.split("+")) if self.sensitivity else frozenset()

    def pieces(self) -> tuple[Period, ...]:
        """Return the validity as it now stands: the stated interval without what ends took off."""
        return subtract_all(Period(self.stated_from, self.stated_until), (cut.period for cut in self.cuts))


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRow:
    """A pointer to where a claim came from."""

    record: int
    tx: Instant
    observed_at: Instant
    speaker: str
    verified: bool
    conversation: str | None
    turn: str | None
    uri: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeRow:
    """A provenance edge: ``overrides``, ``derived_from``, ``corrects``, ``rederives`` or ``also_from``."""

    record: int
    kind: str
    target: int
    tx: Instant
    released: Instant = FOREVER
    """Of ``derived_from``: from when on the record no longer rests on the target, though it was made from it (R37)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeRow:
    """Original words."""

    n: int = 0
    id: str
    subject: int
    conversation: str
    turn: str
    position: int = 0
    role: str
    speaker: str
    text: str
    tokens: int
    said_at: Instant
    tx: Instant
    scope: str
    purpose: tuple[str, ...] | None
    audience: tuple[str, ...] | None
    rank: int
    tier: str
    zone: str | None = None
    """In which words of time in it are read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceRow:
    """What ranking and filters need of an episode."""

    n: int
    conversation: str
    position: int
    tx: Instant
    scope: str
    purpose: tuple[str, ...] | None
    audience: tuple[str, ...] | None
    tier: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRow:
    """One row of the decision log (R20)."""

    n: int = 0
    tx: Instant
    subject: int
    verb: str
    trigger: str
    decision: str
    rule: str
    reason: str
    record: int | None
    episode: int | None = None
    status: str | None
    affected: tuple[int, ...] = ()
    contradicts: tuple[int, ...] = ()
    """The records that say otherwise; read with the row only where it is decided anew."""
    version: int | None = None
    question: str | None = None
    route: str | None = None
    erasure: str | None = None


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One conversation's session, and how far it was reviewed (R18)."""

    conversation: str
    opened: Instant
    closed: Instant | None
    reviewed: int
    """The position of the first turn that hasn't been through a review."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventRow:
    """A review event that was reported (R53)."""

    name: str
    scope: str
    tx: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasRow:
    """A name that means an entity, in force from a transaction time on (R21)."""

    n: int = 0
    name: str
    means: str
    tx: Instant


@dataclass(frozen=True, slots=True, kw_only=True)
class Selects:
    """What an erasure selects, as structure: names of the policy and of a conversation, never words of the request."""

    everything: bool = False
    categories: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    conversation: str | None = None


@dataclass(frozen=True, slots=True)
class WordingRow:
    """One wording of a record with what its slot says; empty where there is none."""

    record: int
    text: int
    claim: str
    value: str
    object: str
    entity: str
    attribute: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureRow:
    """What is to be erased, and how much of it there is (R27)."""

    id: str
    tx: Instant
    selects: Selects
    status: str
    records: int = 0
    episodes: int = 0
    whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One criterion of an erasure (R31); exactly one field is given."""

    ids: tuple[str, ...] | None = None
    """Of records and of turns."""
    slots: tuple[int, ...] | None = None
    scope: str | None = None
    filed: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    """Categories, and the attributes that belong to them."""
    conversation: str | None = None
    uri: str | None = None
    within: tuple[Instant, Instant] | None = None
    """Said from one instant until another."""
    everything: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRow:
    """An erasure on its way through its steps (R32)."""

    n: int = 0
    id: str
    subject: int
    tx: Instant
    epoch: int = 0
    by: str
    """The kinds of the selectors, joined by plus signs; never their values."""
    requester: str = "subject"
    status: str = "pending"
    """``pending``, ``incomplete`` or ``complete``."""
    step: str = "hidden"
    whole: bool = False
    scan: bool = True
    selects: Selects = Selects()
    """What a wish selected by; emptied when the erasure is complete."""
    done: dict[str, int] = field(default_factory=dict)
    """What each surface has given so far."""
    receipt: int | None = None
    """Its number in the ledger."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRow:
    """How far a consolidation of one subject has come (R36)."""

    id: str
    subject: int
    started: Instant
    phase: str
    cursor: int
    """The place in the phase up to which its groups are done."""
    closed: int
    may_close: int
    finished: Instant | None = None


def parts(items: Sequence[_Item]) -> Iterator[Sequence[_Item]]:
    """Yield items a few at a time: as many as one query names."""
    return (items[start : start + NAMED] for start in range(0, len(items), NAMED))


def statement(revision: Revision) -> Statement:
    """Return a revision as the strip sees it."""
    return Statement(
        record=revision.record,
        order=revision.place,
        value=None if revision.value is None else normal(revision.value),
        speaker=revision.speaker,
        rank=revision.rank,
        start=revision.stated_from,
        end=revision.stated_until,
        corrected=revision.meaning == "corrected",
        cuts=tuple(cut.period for cut in revision.cuts),
        names=revision.names,
    )


def stands_until(stated_until: Instant, cuts: Iterable[Cut]) -> Instant:
    """Return where the last piece of a statement ends, without what ends took off its tail."""
    end = stated_until
    for cut in sorted(cuts, key=lambda each: each.period.end, reverse=True):
        if cut.period.start < end <= cut.period.end:
            end = cut.period.start
    return end
