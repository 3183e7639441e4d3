"""What consolidation decides on, and what it decided: values that a transaction checks and then carries out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from stead.model.period import Instant
from stead.model.slot import SlotKey
from stead.recall.names import Names
from stead.resolve import Verdict
from stead.store.values import Revision


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Records that are looked at together, and the phase in which they are."""

    phase: str
    records: tuple[int, ...]
    """By number, in the order in which they were said."""
    key: SlotKey | None = None
    """The question that they all answer; None for a pair of claims that answer different ones."""

    @property
    def cursor(self) -> int:
        """Return its place among the groups of a phase; later calls go on from there."""
        return min(self.records)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A question with everything that is laid in it, and what would be filed under it, as one snapshot shows them."""

    phase: str
    key: SlotKey | None
    """None: two records that answer different questions, one of which says it all."""
    scope: str
    slot: int | None
    """None: nothing was ever filed under it."""
    rows: Sequence[Revision]
    """What is laid there; without a question, the two records."""
    joining: Mapping[int, str | None]
    """Records that aren't filed under it, with the value that they would have there."""
    joined: Sequence[Revision]
    """The same records, as they are now."""
    fixed: frozenset[int]
    """Records that may neither be moved to another question nor merged: others end because of them."""
    merged_before: frozenset[tuple[int, int]]
    """Pairs that were merged once and that a person took apart again."""
    now: Instant
    names: Names
    """Which names meant one entity when it was read."""
    said: Mapping[int, str] = field(default_factory=dict)
    """Of what isn't filed: the entity that its words name, where an alias files it under another one."""
    asked_before: frozenset[int] = frozenset()
    """Records that were made a proposal once and that a person let stand again."""
    unserved: frozenset[int] = frozenset()
    """Records that aren't served, because what they were made from doesn't hold any more: they decide nothing (R37)."""
    speakers: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """Who stands behind each record."""
    high_stakes: frozenset[int] = frozenset()
    judged: bool = False
    """A model said that they contradict, of words that no rule can relate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filed:
    """A record is filed under the question that its words answer."""

    record: int
    value: str | None
    aside: bool = False
    """It is taken out instead: it says more than another one, and both stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """A record says nothing that another one doesn't say: its sources become the other's."""

    record: int
    into: int
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refined:
    """A record says all of an older one and more: the older one takes its words, and it is merged into that."""

    record: int
    into: int
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What the strip and the table of arbitration say, as at a write."""

    record: int
    verdict: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Questioned:
    """A record that a write would only have proposed: it waits for a person now."""

    record: int
    rule: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """A record that would be closed, beyond what may be closed without a review: a person is asked whether it still holds."""

    record: int
    by: int
    """The record that it would be closed by."""


Deed = Filed | Merged | Refined | Decided | Questioned | Reviewed


@dataclass(slots=True, kw_only=True)
class Plan:
    """Everything that one step does, and what it is based on."""

    case: Case
    deeds: list[Deed] = field(default_factory=list)
    closes: int = 0
    """Records that it closes without a person's review."""
    left: list[str] = field(default_factory=list)
    """Why something that was found is left as it is."""
    more: bool = False
    """It is a part; there is more to decide in the same question."""

    @property
    def basis(self) -> frozenset[int]:
        """Return the numbers of the revisions that were looked at; while they are current, nothing changed under it."""
        return frozenset(each.n for each in (*self.case.rows, *self.case.joined))
