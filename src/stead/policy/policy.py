"""The policy as values: categories, attributes, routes, consent and limits (R15, R16, R19)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import Final, Literal

from stead.model.period import Instant
from stead.model.record import Kind
from stead.model.slot import Slot, normal

SENSITIVE: Final = ("health", "religion", "sexuality", "politics", "biometrics", "finance", "minors")
"""The sensitivity classes that are excluded unless the subject has opted in (R15)."""
ANY: Final = "any"
Lifetime = timedelta | Literal["none", "interval"]
"""How long a record is served when nothing says so: a length, for ever, or as long as its own interval."""


class Route(StrEnum):
    """What happens to a candidate (R15)."""

    ADMIT = "admit"
    CONFIRM = "confirm"
    CLARIFY = "clarify"
    QUARANTINE = "quarantine"
    SESSION = "session"
    EPISODE = "episode"
    DROP = "drop"
    EXCLUDE = "exclude"
    REFUSE = "refuse"
    REDACT = "redact"
    ERASE = "erase"


STORED: Final = frozenset({Route.ADMIT, Route.CONFIRM, Route.CLARIFY, Route.QUARANTINE})
"""The routes at whose end there is a record."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """What every record of a category has in common (R19)."""

    name: str
    kind: Kind = Kind.FACT
    lifetime: Lifetime = "none"
    retention: timedelta | None = None
    """How long it is kept at most; None: no limit."""
    half_life: timedelta | None = None
    """Of its strength (R34); None: never decays."""
    cardinality: str = "one"
    stakes: str = "low"
    confirm: bool = False
    """Ask before storing what was said in passing."""
    sensitivity: str | None = None
    purposes: tuple[str, ...] = (ANY,)
    """For what it may be kept at all; empty: never."""
    review_events: tuple[str, ...] = ()
    under_review: str = "served"
    """Whether a record is ``served`` or ``withheld`` while a review question about it is open (R53)."""
    terms: tuple[str, ...] = ()
    """Words by which people speak of all of it: "stop remembering anything about my job"."""
    importance: float = 0.5

    @property
    def needs_end(self) -> bool:
        """Tell whether a record of it must say until when it holds (R4)."""
        return self.lifetime == "interval"

    def expiry(self, said: Instant, *, stated: Instant | None, ends: bool) -> Instant | None:
        """Return when a record stops being served, or None for never.

        Parameters
        ----------
        said
            When it was said, in microseconds since 1970 UTC.
        stated
            The expiry that a caller named; the retention is a ceiling for it too.
        ends
            Whether its validity has a stated end; the category's lifetime is for those that have none.
        """
        kept = [] if self.retention is None else [said + _micro(self.retention)]
        if stated is not None:
            kept.append(stated)
        elif isinstance(self.lifetime, timedelta) and not ends:
            kept.append(said + _micro(self.lifetime))
        return min(kept, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """What can be said of an entity: its category, and how people say it and ask for it."""

    name: str
    category: str = "general"
    cardinality: str = "one"
    says: tuple[str, ...] = ()
    """Ways of saying it, with ``{value}`` in the place of the value; see docs/reference/extraction.md."""
    terms: tuple[str, ...] = ()
    """Words by which people ask for it; a record is found by them too."""
    values: tuple[str, ...] = ()
    """The values that extraction reads; empty: any. A caller may write others."""
    confirm: bool | None = None
    """Ask before storing; None: as its category says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteRule:
    """One row of the table of routes: the first whose conditions are all met decides."""

    name: str
    when: tuple[str, ...]
    """Traits that the candidate must have; one with ``!`` before it must be absent."""
    route: Route
    reason: str
    order: int

    def meets(self, traits: frozenset[str]) -> bool:
        """Tell whether a candidate with these traits is decided by this rule."""
        return all((each[1:] not in traits) if each.startswith("!") else (each in traits) for each in self.when)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Ceilings against flooding, and how long a question waits."""

    proposal_lifetime: timedelta = timedelta(days=90)
    inference_lifetime: timedelta = timedelta(days=60)
    per_turn: int = 20
    per_session: int = 200
    open_per_origin: int = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What may be remembered, and how: data that a product owner can read."""

    categories: Mapping[str, Category]
    attributes: Mapping[str, Attribute]
    routes: tuple[RouteRule, ...]
    """In the order in which they are asked."""
    personalisation: bool = True
    """Whether a subject that has set nothing is remembered."""
    opted_in: frozenset[str] = frozenset()
    """The sensitivity classes that are allowed for a subject that has set nothing."""
    scopes: Mapping[str, tuple[str, ...]]
    """Scopes with the words that name them: ``briefs/internal`` is said "internal briefs"."""
    limits: Limits = Limits()
    _routed: dict[frozenset[str], RouteRule] = field(default_factory=dict, repr=False, compare=False)
    """The rule for each set of traits that was met; there are few."""
    kept: dict[str, object] = field(default_factory=dict, repr=False, compare=False)
    """What others have made of this policy and want to make once: the compiled ways of saying."""

    def keyed(self, slot: Slot) -> Slot:
        """Return the slot with its value as object where its attribute takes many and none was named."""
        known = self.attributes.get(slot.key.attribute)
        many = known is not None and known.cardinality == "many"
        if not many or slot.key.object or slot.value is None:
            return slot
        return Slot(slot.key.attribute, entity=slot.key.entity, object=slot.value, value=slot.value)

    def category(self, name: str | None, slot: Slot | None = None) -> Category:
        """Return a category by name; else by the slot's attribute; one that the policy doesn't know has no limits."""
        if name is None and slot is not None and slot.key.attribute in self.attributes:
            name = self.attributes[slot.key.attribute].category
        return self.categories.get(name or "general") or Category(name=name or "general")

    def categories_of(self, name: str | None, slot: Slot | None) -> tuple[Category, ...]:
        """Return the category that a claim is filed under, and that of its attribute where it is another one.

        Naming a category doesn't get round the terms of the attribute: the stricter of both hold.
        """
        own = self.category(None, slot)
        if name is None or name == own.name:
            return (own,)
        named = self.category(name)
        return (named,) if own.name == "general" else (named, own)

    def asks_first(self, categories: Iterable[Category], slot: Slot | None) -> bool:
        """Tell whether a claim waits for the subject's yes (R19)."""
        known = None if slot is None else self.attributes.get(slot.key.attribute)
        if known is not None and known.confirm is not None:
            return known.confirm
        return any(each.confirm for each in categories)

    def terms(self, slot: Slot | None) -> tuple[str, ...]:
        """Return the words by which people ask for a slot."""
        known = None if slot is None else self.attributes.get(slot.key.attribute)
        return () if known is None else known.terms

    def route(self, traits: frozenset[str]) -> RouteRule:
        """Return the first rule whose conditions a candidate meets (R15); the last one has none."""
        known = self._routed.get(traits)
        if known is None:
            known = self._routed[traits] = next(each for each in self.routes if each.meets(traits))
        return known

    def scope_of(self, words: str) -> str | None:
        """Return the scope that some words name, or None."""
        said = normal(words)
        return next((scope for scope, names in self.scopes.items() if said in map(normal, names)), None)


def _micro(length: timedelta) -> int:
    return length // timedelta(microseconds=1)
