"""One question, checked: who asks, about what, as of when, and what may be shown (R30)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from stead.errors import InvalidArgument
from stead.model.context import Budget
from stead.model.period import Instant
from stead.model.slot import SlotKey
from stead.policy import Policy, load
from stead.recall.names import NO_NAMES, Names
from stead.store.values import AGENT, EpisodeRow, PlaceRow, Reader, Revision, SubjectRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A recall with everything that the filters need."""

    subject: SubjectRow
    query: str
    slot: SlotKey | None
    category: str | None
    scopes: tuple[str, ...]
    """What the reader sees, narrowest first; empty for every scope."""
    at: Instant
    known_at: Instant
    past: Instant | None
    """``known_at`` where it lies before the last transaction; None asks for the current rows."""
    include_cold: bool
    purpose: str | None
    audiences: frozenset[str]
    budget: Budget
    policy: Policy = field(default_factory=load)
    zone: str | None = None
    """In which a review that is due on a date becomes due."""
    denied: frozenset[str] = frozenset()
    """Sensitivity classes that the subject doesn't allow today (R8, R16)."""
    names: Names = NO_NAMES
    """The aliases that were in force (R21)."""
    live: frozenset[tuple[str, str]] = frozenset()
    """Entity and attribute of what systems of record are asked for at this recall (R17)."""
    version: str | None = None
    """The stamp of the model that made the query's vector."""
    vector: object = None
    floor: float = 0.0
    ceiling: float = 1.0

    @property
    def reader(self) -> Reader:
        """Return who asks, as a filter of the store."""
        return Reader(
            audiences=self.audiences,
            default=AGENT,
            purpose=self.purpose,
            clock=self.known_at,
            include_cold=self.include_cold,
            denied=self.denied,
        )

    def may_read(self, row: Revision | EpisodeRow | PlaceRow) -> bool:
        """Tell whether consent, audience, purpose and scope let this reader see a row (R11, R16, R30)."""
        if self.denied and isinstance(row, Revision) and not self.denied.isdisjoint(row.classes()):
            return False
        audience = (AGENT,) if row.audience is None else row.audience
        purpose = row.purpose is None or (self.purpose is not None and self.purpose in row.purpose)
        return purpose and (not self.scopes or row.scope in self.scopes) and not self.audiences.isdisjoint(audience)

    def serves(self, row: Revision | EpisodeRow | PlaceRow) -> bool:
        """Tell whether a row may be shown and isn't in the cold tier, unless that was asked for."""
        return self.may_read(row) and (self.include_cold or row.tier == "hot")


def budget(given: Budget | Mapping[str, int] | None) -> Budget:
    """Return a checked budget."""
    if given is None:
        return Budget()
    if not isinstance(given, Budget | Mapping):
        raise InvalidArgument("budget", "neither a Budget nor a mapping", "Give facts, episodes and tokens.")
    if isinstance(given, Mapping):
        unknown = set(given) - {"facts", "episodes", "tokens"}
        if unknown:
            raise InvalidArgument("budget", "an unknown key", "Use facts, episodes and tokens.")
        given = Budget(**given)
    for name in ("facts", "episodes", "tokens"):
        value = getattr(given, name)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise InvalidArgument(f"budget.{name}", "not a whole number from 0", "0 asks for none.")
    return given
