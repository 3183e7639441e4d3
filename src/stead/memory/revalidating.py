"""Records that were made from others, once one of these no longer holds: derived anew, withdrawn or kept (R36, R37)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice

from stead.errors import InvalidArgument, SteadError
from stead.memory import amend
from stead.memory.candidate import Candidate, authority_of, check, checked_name
from stead.memory.capping import capped
from stead.memory.core import Core, Keyed
from stead.memory.desk import Desk, Logged, find
from stead.memory.gate import PERSONALISATION, allowed, denied
from stead.memory.remember import remember
from stead.memory.resting import Case, case_of, due, lost
from stead.memory.slotwork import SlotWork
from stead.model.derive import Derived, Deriver
from stead.model.outcome import Decision, Outcome
from stead.model.period import Instant, Period
from stead.model.record import Cut, Record, Status
from stead.model.slot import Slot
from stead.recall import views
from stead.recall.reviews import review_id, unrested
from stead.store.protocol import ReadTx
from stead.store.values import EdgeRow, Revision, SubjectRow

_ATTEMPTS = 3
"""How often a record is done again that changed while it was re-derived."""
_MOST = 1_000


def register(derivers: dict[str, Deriver], name: str, deriver: Deriver | None) -> None:
    """Register what re-derives the records of a kind, a category or an attribute; None takes it away.

    Raises
    ------
    InvalidArgument
    """
    key = checked_name(name, "name")
    if key is None:
        raise InvalidArgument("name", "missing", "Name a kind, a category or an attribute: reflection.")
    if deriver is None:
        derivers.pop(key, None)
    elif callable(deriver):
        derivers[key] = deriver
    else:
        raise InvalidArgument("deriver", "not a function", "Give a function of a record and its sources, or None.")


def revalidate(core: Core, subject: str, record: str | None, limit: int) -> list[Outcome]:
    """Re-derive or withdraw what no longer has everything that it was made from; the verb is `Subject.revalidate`."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= _MOST:
        raise InvalidArgument(
            "limit", f"not a whole number from 1 to {_MOST}", "What is left comes with the next call."
        )
    run = _Run(core=core, name=subject, limit=limit)
    if record is None:
        run.work(None)
        return run.outcomes
    with core.backend.read() as store:
        row = find(store, store.subject(subject), record)
        among = {row.record, *case_of(store, row, max(core.clock.now(), store.last_instant())).rests_on}
    run.work(among)
    if row.record not in run.answered and not run.is_full:
        run.outcomes.append(core.write(subject, "revalidate", Keyed(work=partial(_left, record=record))))
    return run.outcomes


@dataclass(slots=True, kw_only=True)
class _Run:
    """One call: what it did and what it may still do."""

    core: Core
    name: str
    limit: int
    outcomes: list[Outcome] = field(default_factory=list)
    tried: set[int] = field(default_factory=set)
    answered: set[int] = field(default_factory=set)
    made: int = 0
    failed: int = 0

    @property
    def is_full(self) -> bool:
        """Tell whether this call may do no more: what fails counts apart, so that it never keeps the others waiting."""
        return self.made >= self.limit or self.failed >= self.limit

    def work(self, among: set[int] | None) -> None:
        """Go on in waves: what was re-derived ends what it took the place of, and that calls for the next step."""
        while wave := self._due(among):
            for case, deriver in wave:
                if self.is_full:
                    return
                self.tried.add(case.record.record)
                outcome = self._one(case, deriver)
                if outcome is not None:
                    self.answered.add(case.record.record)
                    changed = outcome.decision in (Decision.UPDATE, Decision.SUPERSEDE)
                    self.made, self.failed = self.made + changed, self.failed + (not changed)
                    self.outcomes.append(outcome)

    def _due(self, among: set[int] | None) -> list[tuple[Case, Deriver]]:
        with self.core.backend.read() as store:
            subject = store.subject(self.name)
            if subject is None or not self.core.derivers:
                return []
            policy, consents = self.core.policy, store.consents(subject.n)
            if not allowed(policy, consents, PERSONALISATION):
                return []
            hidden = denied(policy, consents)  # no deriver is shown what the subject doesn't allow today (R16)
            found = (
                case
                for case in due(store, subject.n, self._now(store), self.tried, among)
                if all(hidden.isdisjoint(each.classes()) for each in (case.record, *case.remains))
            )
            mine = ((case, deriver) for case in found if (deriver := self._deriver(store, case.record)) is not None)
            return list(islice(mine, 2 * self.limit))

    def _now(self, store: ReadTx) -> Instant:
        return max(self.core.clock.now(), store.last_instant())

    def _deriver(self, store: ReadTx, row: Revision) -> Deriver | None:
        """Return what re-derives a record: by its attribute, its category or its kind, the most exact first."""
        slots = store.slots_by_number(row.subject, [row.slot]) if row.slot is not None else []
        names = [slots[0].key.attribute if slots else None, row.category, row.kind]
        return next((self.core.derivers[name] for name in names if name in self.core.derivers), None)

    def _one(self, case: Case, deriver: Deriver) -> Outcome | None:
        """Ask for the new claim outside of any transaction, and write what became of it in one (R46)."""
        for _ in range(_ATTEMPTS):
            answer: Derived | _Failed | None = None
            if case.remains:
                answer = self._asked(case, deriver)
            try:
                return self._write(case, answer)
            except _Changed:
                with self.core.backend.read() as store:
                    rows = store.current_by_number(case.record.subject, [case.record.record])
                    if not rows:
                        return None  # it is being erased
                    case = case_of(store, rows[0], self._now(store))
                if not case.is_due:
                    return None
        return None

    def _asked(self, case: Case, deriver: Deriver) -> Derived | _Failed | None:
        record, *sources = self._shown(case)
        try:
            return _answer(deriver(record, tuple(sources)))
        except Exception as error:  # noqa: BLE001 - whatever a foreign function raises, nothing is written
            return _Failed(type(error).__name__)

    def _shown(self, case: Case) -> list[Record]:
        with self.core.backend.read() as store:
            subject = store.subject(self.name) or SubjectRow(n=0, name=self.name, purges=0)
            rows = [case.record, *case.remains]
            return views.records(store, self.core.backend.tenant, subject, rows, self._now(store))

    def _write(self, case: Case, answer: Derived | _Failed | None) -> Outcome:
        work = partial(_settle, case=case, answer=answer)
        try:
            return self.core.write(self.name, "revalidate", Keyed(work=work))
        except _Changed:
            raise
        except SteadError as error:
            if error.retryable or not isinstance(answer, Derived):
                raise  # the store failed, not the deriver
            failed = _Failed(error.code)
            return self.core.write(self.name, "revalidate", Keyed(work=partial(_settle, case=case, answer=failed)))


class _Changed(Exception):
    """The record or one of its sources changed under the deriver: it is done again, not overwritten (R36)."""


@dataclass(frozen=True, slots=True)
class _Failed:
    """A deriver that raised, or returned what can't be remembered."""

    how: str


def _answer(given: object) -> Derived | None:
    if given is None or isinstance(given, Derived):
        return given
    if isinstance(given, str):
        return Derived(given)
    raise TypeError("neither a claim, nor Derived, nor None")


def _settle(desk: Desk, case: Case, answer: Derived | _Failed | None) -> Logged:
    rows = desk.store.current_by_number(desk.subject.n, [case.record.record])
    if not rows or case_of(desk.store, rows[0], _now(desk)).seen != case.seen:
        raise _Changed
    old = case.record
    if isinstance(answer, _Failed):
        reason = f"the deriver failed ({answer.how}); it still waits"
        return desk.finish(desk.instant(), Decision.NOOP, "deriver_failed", reason, record=old, status=old.status)
    if answer is None:
        return _withdraw(desk, old, "nothing that remains says it")
    key = desk.key_of(old)
    if answer.claim.strip() == old.claim and (key is None or answer.value in (None, old.value)):
        renewed = _renewed(desk, case)
        if renewed is not None:
            return renewed
    return _rederive(desk, case, answer)


def _now(desk: Desk) -> Instant:
    """Return the read clock: never before what was already written (R6)."""
    return max(desk.clock.now(), desk.store.last_instant())


def _withdraw(desk: Desk, old: Revision, reason: str) -> Logged:
    tx = desk.instant()
    work = SlotWork.whole_slot(desk.store, old, tx)
    work.move(old.record, Status.RETRACTED)
    work.restatus()
    return amend.done(desk, work, old, "withdrawn", reason, tx)


def _renewed(desk: Desk, case: Case) -> Logged | None:
    """Let a record that what remains says again rest on that; None where it allows less than the record has (R48)."""
    old = case.record
    limits = capped(_candidate(desk, case, Derived(old.claim, old.value)), case.remains)
    allowed = limits.authority.rank >= old.rank and limits.audience == old.audience and limits.purpose == old.purpose
    if not allowed or set((limits.sensitivity or "").split("+")) - {""} - old.classes():
        return None
    tx = desk.instant()
    _release(desk, old.record, {each.record for each in case.remains}, tx)
    for each in case.remains:
        desk.store.add_edge(EdgeRow(record=old.record, kind="derived_from", target=each.record, tx=tx))
    return desk.finish(
        tx, Decision.UPDATE, "renewed", "what remains says the same", record=old, status=old.status,
    )  # fmt: skip


def _release(desk: Desk, record: int, kept: set[int], tx: Instant) -> None:
    for edge in desk.store.rests_on([record]):
        if edge.target not in kept:
            desk.store.release(record, edge.target, tx)


def _rederive(desk: Desk, case: Case, answer: Derived) -> Logged:
    """Write the new claim like any other, by the gate and the resolver, and end the old record where it begins."""
    old = case.record
    added = remember(desk, _candidate(desk, case, answer))
    outcome = added[1]
    if outcome.record is None or outcome.status == Status.PROPOSED:
        return added  # not kept, or it waits for a person: the old one isn't served meanwhile
    now = desk.find(old.id)
    if outcome.record == old.id or outcome.decision in (Decision.NOOP, Decision.UPDATE):
        return added if outcome.record == old.id else _withdraw(desk, now, "another record says what remains of it")
    new = desk.find(outcome.record)
    tx = desk.instant()
    desk.store.add_edge(EdgeRow(record=new.record, kind="rederives", target=old.record, tx=tx))
    work = SlotWork.whole_slot(desk.store, now, tx)
    if now.status in (Status.ACTIVE, Status.CONTESTED):
        work.cut(now.record, Cut(period=Period(max(new.stated_from, now.stated_from)), why="superseded", by=new.record))
        work.supersede(now.record, new.record)
    work.restatus()
    affected = [each for each in work.write(desk.store) if each not in (new.record, now.record)]
    return desk.finish(
        tx, Decision.SUPERSEDE, "rederived", "it was derived anew from what remains", record=new,
        status=desk.find(new.id).status, affected=[now.record, *affected], version=outcome.version,
    )  # fmt: skip


def _candidate(desk: Desk, case: Case, answer: Derived) -> Candidate:
    """Return the new claim with everything of the old record but what came from the sources that are gone."""
    old, key, now = case.record, desk.key_of(case.record), desk.said()
    slot = None
    if key is not None:
        if answer.value is None:
            raise InvalidArgument("value", "missing", "A record with a slot needs a value: Derived(claim, value).")
        slot = Slot(key.attribute, entity=key.entity, object=key.object, value=answer.value)
    taken = {name for each in case.gone for name in each.classes()}
    made = check(
        answer.claim, now=now, subject=desk.subject.name, zone=None, slot=slot, speaker=old.speaker, kind=old.kind,
        category=old.category, scope=old.scope, purpose=old.purpose, audience=old.audience,
        authority=authority_of(old.rank), confidence=old.confidence, importance=old.importance,
        sensitivity="+".join(sorted(old.classes() - taken)) or None, owner=old.owner, trigger="revalidate",
        review_events=old.review_events, derived_from=[each.id for each in case.remains],
    )  # fmt: skip
    until = max(piece.end for piece in old.pieces())
    return replace(made, period=Period(max(now, old.stated_from), until), expires_at=old.expires_at)


def _left(desk: Desk, record: str) -> Logged:
    """Say why nothing was done about a record that was asked for by name."""
    row = desk.find(record)
    asked = unrested(desk.store, desk.subject.n, _now(desk), _now(desk), None, [row])
    tx = desk.instant()
    if not asked:
        reason = "everything that it was made from holds; nothing to do"
        return desk.finish(tx, Decision.NOOP, "rests", reason, record=row, status=row.status)
    reason = "nothing re-derives it: a person says whether it still holds"
    return desk.finish(
        tx, Decision.NOOP, "person", reason, record=row, status=row.status, question=review_id(*asked[0])
    )


def keep(desk: Desk, record: str) -> Logged:
    """Let a person's word carry a record that lost what it was made from: it stands again, on no more authority (R48).

    The edges to what doesn't hold stay as history, and mark it no more.
    """
    old = desk.find(record)
    gone = lost(desk.store, old, _now(desk))
    if not gone:
        return amend.verify(desk, record)
    tx = desk.instant()
    for target in gone:
        desk.store.release(old.record, target, tx)
    amend.add_verified(desk, old, tx)
    return desk.finish(tx, Decision.UPDATE, "kept", "a person said that it still holds", record=old, status=old.status)
