"""What every write does around its own work: idempotency, the subject, the log, the outcome (R20, R46)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stead.clock import Clock
from stead.errors import CrossSubject, Erased, IdempotencyMismatch, UnknownRecord
from stead.ids import NewId
from stead.model.outcome import Decision, Outcome
from stead.model.period import Instant, to_datetime
from stead.model.slot import SlotKey
from stead.policy import Policy
from stead.store.protocol import ReadTx, WriteTx
from stead.store.values import DecisionRow, JobRow, Revision, Shelf, SubjectRow

if TYPE_CHECKING:
    from stead.memory.vault import Mark, Vault

Logged = tuple[int, Outcome]
"""The number of a decision in the log, and the outcome that the caller gets."""
AHEAD = 1_000
"""Microseconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fresh:
    """A text that was added and has no vector yet."""

    shelf: Shelf
    subject: int
    item: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """One write in the making: its transaction, its subject and its instant."""

    store: WriteTx
    subject: SubjectRow
    clock: Clock
    new_id: NewId
    policy: Policy
    verb: str
    trigger: str = "call"
    route: str | None = None
    """By which route the candidate came (R15)."""
    episode: tuple[int, str] | None = None
    """The turn that it was found in: number and id."""
    fresh: list[Fresh] = field(default_factory=list)
    """What this write added that wants a vector."""
    vault: Vault | None = None
    """The keys and the ledger; None for who only looks."""
    erased: list[JobRow] = field(default_factory=list)
    """Erasures that this transaction began (R32)."""
    at_commit: list[Callable[[], object]] = field(default_factory=list)
    """What is done at the very end, with the write lock held and everything else written."""

    def mark(self) -> Mark:
        """Return the function that makes the subject's keyed fingerprints."""
        assert self.vault is not None
        return self.vault.mark(self.subject.n)

    def instant(self) -> Instant:
        """Take this write's transaction time."""
        return self.store.instant(self.clock.now())

    def said(self) -> Instant:
        """Return when a caller speaks: now, or the last transaction where the machine's clock has gone back (R6).

        Several writes at one instant run ahead of a clock by microseconds; that is no clock that went back.
        """
        now, last = self.clock.now(), self.store.last_instant()
        return now if last - now <= AHEAD else last

    def find(self, record: str, field: str = "record") -> Revision:
        """Return the current revision of a record of this subject."""
        return find(self.store, self.subject, record, field)

    def key_of(self, record: Revision) -> SlotKey | None:
        """Return the slot that a record's caller named."""
        if record.slot is None:
            return None
        key = self.store.slots_by_number(self.subject.n, [record.slot])[0].key
        return None if key.from_text else key

    def raised(self, slot: int | None) -> int | None:
        """Raise the version of a slot and return it; None where nobody named the slot."""
        if slot is None:
            return None
        version = self.store.bump_slot_number(slot)
        return None if self.store.slots_by_number(self.subject.n, [slot])[0].key.from_text else version

    def add(self, revision: Revision, words: Sequence[str]) -> Revision:
        """Insert a record with its first revision."""
        added = self.store.add_record(revision, words)
        self.fresh.append(Fresh(shelf="claims", subject=self.subject.n, item=added.n, text=added.claim))
        return added

    def reword(self, old: Revision, new: Revision, words: Sequence[str]) -> Revision:
        """Insert the next revision of a record with another text."""
        added = self.store.reword(old, new, words)
        self.fresh.append(Fresh(shelf="claims", subject=self.subject.n, item=added.n, text=added.claim))
        return added

    def finish(
        self,
        tx: Instant,
        decision: Decision,
        rule: str,
        reason: str,
        *,
        record: Revision | None = None,
        status: str | None = None,
        affected: Sequence[int] = (),
        contradicts: Sequence[int] | None = None,
        version: int | None = None,
        question: str | None = None,
        trigger: str | None = None,
        episode: tuple[int, str] | None = None,
        erasure: str | None = None,
    ) -> Logged:
        """Log the decision; return its number and the outcome. By default what it takes the place of is what it contradicts."""
        if contradicts is None:
            contradicts = affected if decision in (Decision.SUPERSEDE, Decision.CONTEST) else ()
        turn = self.episode if episode is None else episode
        row = DecisionRow(
            tx=tx, subject=self.subject.n, verb=self.verb, trigger=trigger or self.trigger, decision=decision, rule=rule,
            reason=reason, record=None if record is None else record.record,
            episode=None if turn is None else turn[0], status=status, affected=tuple(affected),
            contradicts=tuple(contradicts), version=version, question=question, route=self.route, erasure=erasure,
        )  # fmt: skip
        number = self.store.log(row)
        name = record.id if record is not None else episode[1] if episode is not None else None
        return number, outcome(row, name, tuple(self.store.ids(affected).values()) if affected else ())


def outcome(row: DecisionRow, record: str | None, affected: tuple[str, ...], *, replayed: bool = False) -> Outcome:
    """Return a row of the decision log as the outcome that the caller got."""
    return Outcome(
        verb=row.verb, decision=Decision(row.decision), rule=row.rule, reason=row.reason, record=record,
        status=row.status, affected=affected, version=row.version, known_at=to_datetime(row.tx),
        question=row.question, route=row.route, erasure=row.erasure, replayed=replayed,
    )  # fmt: skip


def find(store: ReadTx, subject: SubjectRow | None, record: str, field: str = "record") -> Revision:
    """Return the current revision of a record of this subject.

    Raises
    ------
    UnknownRecord, CrossSubject, Erased
    """
    found = store.current(subject.n, str(record)) if subject is not None else None
    if found is not None:
        return found
    if subject is not None and store.erased(subject.n, str(record)):
        raise Erased(f"{field}: {record} was erased", field=field)
    if store.foreign(str(record)):
        if subject is None and store.erased_whole(str(record)):
            raise Erased(f"{field}: {record} was erased", field=field)
        raise CrossSubject(f"{field}: this record belongs to another subject", field=field)
    raise UnknownRecord(f"{field}: there is no such record for this subject", field=field)


def once(
    desk: Desk, key: str | None, body: bytes, work: Callable[[], Logged], fenced: Callable[[str], bool]
) -> Outcome:
    """Do the work, or return the first outcome of the same key and body (R46).

    Raises
    ------
    IdempotencyMismatch
        The key was used before for another body.
    Erased
        What this write stored was erased: a retry doesn't bring it back.
    """
    if key is None:
        return work()[1]
    kept = desk.store.replay(desk.subject.n, key)
    if kept is None:
        if fenced(key):
            raise Erased("idempotency_key: what this write stored was erased", field="idempotency_key")
        number, result = work()
        desk.store.keep(desk.subject.n, key, body, number)
        return result
    if kept[0] != body:
        raise IdempotencyMismatch("idempotency_key: used before for another body", field="idempotency_key")
    row = desk.store.decision(kept[1])
    named = desk.store.ids([*row.affected, *([] if row.record is None else [row.record])])
    if row.record is not None and row.record not in named:
        raise Erased("idempotency_key: what this write stored was erased", field="idempotency_key")
    if row.decision == Decision.ERASE:
        named |= desk.store.erased_ids(row.affected)
    record = None if row.record is None else named[row.record]
    return outcome(row, record, tuple(named[number] for number in row.affected if number in named), replayed=True)
