"""What a read returns (R30)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from stead.model.plain import spelled
from stead.model.record import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Hard ceilings of one recall. Facts and episodes have budgets of their own (R29)."""

    facts: int = 20
    episodes: int = 6
    tokens: int = 2000
    """Measured on the rendered text (R52)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A record that applies, with where it came from and on what it stands."""

    id: str
    claim: str
    kind: str
    category: str | None
    scope: str
    entity: str | None
    attribute: str | None
    object: str | None
    value: str | None
    authority: str
    speaker: str
    audience: tuple[str, ...]
    observed_at: datetime
    age: timedelta
    valid_from: datetime | None
    valid_until: datetime | None
    """The end of the stretch over which it stands, as now known."""
    sources: tuple[Source, ...]
    tier: str
    rule: str
    """Why it was chosen: ``slot``, ``category``, ``scope``, ``instruction`` or ``relevance``."""
    score: float
    decided: str | None = None
    """By which rule it is served over claims that contradict it and that the write missed (R25); None: there are none."""
    over: tuple[str, ...] = ()
    """The ids of these claims."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeHit:
    """Original words that may help; never a fact."""

    id: str
    text: str
    speaker: str
    role: str
    conversation: str
    turn: str
    said_at: datetime
    age: timedelta
    scope: str
    audience: tuple[str, ...]
    authority: str
    score: float
    lexical: float
    """BM25 with the subject's own statistics; 0 where no word matched."""
    similarity: float | None
    """Cosine with the query; None where no vector was compared."""
    rule: str = "listed"
    """Why it was chosen: ``words``, ``similarity``, or ``beside`` a turn that matched."""
    superseded: tuple[str, ...] = ()
    """Records drawn from these words that have ended or were retracted since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Something that only a person can answer (R26)."""

    id: str
    kind: str
    """``contested``, ``confirm``, ``clarify`` or ``review``."""
    scope: str
    slot: str | None
    claims: tuple[Fact, ...]
    """Every claim in a stable order: by transaction time."""
    since: datetime
    """Where in valid time the claims begin to disagree; when a proposal was made, or an event called for a review."""
    until: datetime | None
    """Where they stop to disagree; until when a proposal waits."""
    withheld: int = 0
    """Claims that this reader may not see."""
    event: str | None = None
    """Of a review: the event that called for it (R53)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Divergence:
    """Eligible records that contradict each other and that no rule ranks: none of them is a fact (R25)."""

    id: str
    """The same records are the same divergence."""
    facts: tuple[Fact, ...]
    """Every claim in a stable order: by transaction time."""
    rule: str
    """``equals``: equals of different speakers disagree."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The answer to a recall."""

    subject: str
    scope: str
    at: datetime
    known_at: datetime
    facts: tuple[Fact, ...]
    episodes: tuple[EpisodeHit, ...]
    questions: tuple[Question, ...]
    divergences: tuple[Divergence, ...]
    notes: tuple[str, ...]
    """What limits this answer: no embedder, an index still being built, a budget that cut it short."""
    text: str
    """The rendering for a prompt."""
    tokens: int
    """Its size by the same count that the budget is measured with."""
    _mark_used: Callable[[tuple[str, ...]], object] | None = field(default=None, repr=False, compare=False)

    def used(self, *ids: str) -> None:
        """Report which items the answer really used; feeds last access and the read-and-use rate (R30)."""
        if self._mark_used is not None:
            self._mark_used(ids)

    def as_dict(self) -> dict[str, object]:
        """Return the context as JSON carries it; vectors never are part of it."""
        return spelled(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """One stretch of what holds over valid time."""

    value: str | None
    """None where the slot is unset, and where it is contested."""
    values: tuple[str, ...]
    """All values that stand: one, or several where it is contested."""
    start: datetime | None
    end: datetime | None
    contested: bool
    records: tuple[str, ...]
