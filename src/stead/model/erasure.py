"""What an erasure will do, does and did: counts, ids and names of the policy, never content (R31, R32)."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from stead.model.plain import spelled


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """One erasure that was begun: what it selected can't be read."""

    id: str
    known_at: datetime
    """Since when nothing of it can be read."""
    status: str
    """``pending``: being carried out; ``incomplete``: a surface failed, it can be resumed; ``complete``."""
    records: int
    """How many records it selected, those derived from them included."""
    turns: int
    everything: bool = False
    categories: tuple[str, ...] = ()
    """Names of the policy that a wish selected by; empty when the erasure is complete."""
    attributes: tuple[str, ...] = ()
    conversation: str | None = None
    """Of "forget that": the conversation that says what was meant; None when the erasure is complete."""

    def as_dict(self) -> dict[str, object]:
        """Return it as JSON carries it."""
        return spelled(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasurePreview:
    """What an erasure would touch, before anything is (R31)."""

    by: tuple[str, ...]
    """The kinds of the selectors that were given; all of them must match."""
    records: tuple[str, ...]
    """The ids of all records that would go: selected, derived from those, or merged with them."""
    revisions: int
    derived: tuple[str, ...]
    """Of the records: those that go because they were made from selected ones."""
    merged: tuple[str, ...]
    """Of the records: those that go because they say the same as a selected one and were merged with it."""
    episodes: tuple[str, ...]
    """The ids of the turns that would go: selected, or the source of a record that goes."""
    vectors: dict[str, int] = field(default_factory=dict)
    """How many, by model version."""
    exports: tuple[str, ...] = ()
    """Exports of the subject that would be written anew."""
    backups: tuple[str, ...] = ()
    """Backups that would hold unreadable remains: a restore leaves out what was erased."""
    sinks: tuple[str, ...] = ()
    """Outside sinks that would be told."""
    survives: tuple[str, ...] = ()
    """What stays, and why."""

    @property
    def empty(self) -> bool:
        """Whether nothing would be erased."""
        return not self.records and not self.episodes

    def as_dict(self) -> dict[str, object]:
        """Return it as JSON carries it."""
        return spelled(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """What became of one place where content could be reproduced."""

    surface: str
    result: str
    """``removed``, ``clean`` (nothing was there), ``rewritten``, ``told``, ``unreadable`` or ``failed``."""
    count: int = 0
    at: str = ""
    """When, in UTC."""
    engine: str = ""
    """What did it, with its version."""
    what: str | None = None
    """Of what lies outside: the id of the export, the name of the sink."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retained:
    """What remains, where, under which rule, and until when."""

    what: str
    rule: str
    owner: str
    until: str | None = None
    """None: until its owner removes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The proof of an erasure: random ids, counts and times; no content and no hash of content (R32)."""

    erasure: str
    subject: str
    """The random ref of the subject; its name isn't in the receipt."""
    by: tuple[str, ...]
    """The kinds of the selectors, never their values."""
    requester: str
    requested: str
    finished: str
    complete: bool
    """Whether every surface is clean; False: it can't be read, and `Store.resume_erasures` goes on with it."""
    records: int
    episodes: int
    epoch: int
    surfaces: tuple[Surface, ...]
    retained: tuple[Retained, ...] = ()
    failed: tuple[str, ...] = ()
    seq: int | None = None
    """Its number in the ledger."""
    decision: str = "ERASE"

    def as_dict(self) -> dict[str, object]:
        """Return it as JSON carries it."""
        return spelled(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """What a verification of the ledger found."""

    ok: bool
    entries: int
    seq: int
    """The number of the last entry, and with the hash the head that can be published."""
    hash: str
    problems: tuple[str, ...]
    """What is wrong, by the number of the entry."""

    def as_dict(self) -> dict[str, object]:
        """Return it as JSON carries it."""
        return spelled(self)
