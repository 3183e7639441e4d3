"""A verdict into rows: the new record, its sources and edges, and everything that it changes on others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from stead.memory.candidate import Candidate
from stead.memory.desk import Desk, Logged
from stead.memory.gate import Admission, answer_by
from stead.memory.slotwork import SlotWork
from stead.memory.unslotted import Asked, merged
from stead.model.outcome import Decision
from stead.model.period import ALL_TIME, FOREVER, Instant
from stead.model.record import Status
from stead.model.words import tokens
from stead.resolve import Verdict, question_id
from stead.store.values import EdgeRow, Revision, SlotRow, SourceRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What one candidate is written with."""

    desk: Desk
    admission: Admission
    tx: Instant
    new: Revision
    """The candidate as it would be laid."""
    answers: Asked | None
    """The question that it answers."""
    existing: list[Revision]
    """What is laid where it would be laid."""
    adopted: frozenset[int] = frozenset()
    """Those of the existing that answer the same question and weren't filed under it."""
    sources: list[Revision]
    """What it is derived from."""

    @property
    def candidate(self) -> Candidate:
        """Return the candidate as it was admitted."""
        return self.admission.candidate


def noop(work: Work, verdict: Verdict, slot: SlotRow | None) -> Logged:
    """Add a source to what already holds; no new version, and it stays whose record it is (R10).

    A page or a model that repeats what the subject said verifies nothing (R48).
    """
    desk, candidate = work.desk, work.candidate
    holders = desk.store.current_by_number(desk.subject.n, verdict.known_in)
    first = next(each for each in holders if each.record == verdict.known_in[0])
    for holder in holders:
        if candidate.authority.rank >= holder.rank or candidate.authority.may_stand:
            desk.store.add_source(desk.subject.n, source_of(candidate, holder.record, work.tx))
    for each in work.sources:  # it doesn't rest on them: it was there without them (R37)
        desk.store.add_edge(EdgeRow(record=first.record, kind="also_from", target=each.record, tx=work.tx))
    reason = "the same proposal waits already" if verdict.rule == "waiting" else verdict.reason
    return desk.finish(
        work.tx, Decision.NOOP, verdict.rule, reason, record=first, status=first.status,
        version=slot.version if slot and candidate.slot is not None else None, trigger=candidate.trigger,
    )  # fmt: skip


def merge(work: Work, verdict: Verdict) -> Logged:
    """Make a claim that says more the next revision of the record that it refines (R21)."""
    desk, candidate = work.desk, work.candidate
    old = desk.store.current_by_number(desk.subject.n, verdict.known_in)[0]
    new = _filed(work)
    usual = desk.policy.categories_of(candidate.category, candidate.slot)[0].importance
    final = desk.reword(old, merged(old, new, usual), words_of(new, candidate, ()))
    desk.store.add_source(desk.subject.n, source_of(candidate, old.record, work.tx))
    for edge in _edges(work, old.record, ()):
        desk.store.add_edge(edge)
    return desk.finish(
        work.tx, Decision.UPDATE, verdict.rule, verdict.reason, record=final, status=final.status,
        trigger=candidate.trigger,
    )  # fmt: skip


def apply(work: Work, verdict: Verdict) -> Logged:
    """Write the new record and everything that the verdict changes on others."""
    desk, candidate, store = work.desk, work.candidate, work.desk.store
    new = _filed(work)
    version = None if candidate.slot is None else store.slots_by_number(desk.subject.n, [new.slot or 0])[0].version
    others = SlotWork(work.existing, work.tx)
    if verdict.decision is Decision.CONFIRM:
        until = answer_by(desk, candidate, work.tx)
        new = replace(new, status=Status.PROPOSED, waits_for=work.admission.waits_for or "confirm", answer_by=until)
    else:
        for record in work.adopted:
            others.file(record, new.slot)
        new = apply_verdict(desk, others, new, verdict)
    affected = others.write(store)
    added = desk.add(new, words_of(new, candidate, desk.policy.terms(candidate.slot)))
    if work.answers is not None and work.answers.said_of is not None:
        store.say_of(desk.subject.n, added.record, work.answers.said_of)
    store.add_source(desk.subject.n, source_of(candidate, added.record, work.tx))
    for edge in _edges(work, added.record, sorted(new.names)):
        store.add_edge(edge)
    return desk.finish(
        work.tx, verdict.decision, verdict.rule, verdict.reason, record=added, status=added.status, affected=affected,
        contradicts=sorted(verdict.contradicts), version=version, question=_asked(others, added, verdict),
        trigger=candidate.trigger,
    )  # fmt: skip


def _filed(work: Work) -> Revision:
    """Return the candidate under its question, which is made where it is new; its version rises."""
    if work.answers is None:
        return work.new
    slot = work.desk.store.bump_slot(work.desk.subject.n, work.answers.key, work.candidate.scope)
    return work.new if work.new.slot == slot.n else replace(work.new, slot=slot.n)


def _asked(others: SlotWork, added: Revision, verdict: Verdict) -> str | None:
    """Return the id of the question that a write opened."""
    if verdict.decision is Decision.CONFIRM:
        return question_id(["confirm", added.id])
    return question_of(others, added) if verdict.decision is Decision.CONTEST else None


def apply_verdict(desk: Desk, work: SlotWork, new: Revision, verdict: Verdict) -> Revision:
    """Put the verdict's ends and statuses on the records; return the new one with its own."""
    new = replace(new, cuts=verdict.own_cuts, head=verdict.head) if verdict.own_cuts or verdict.head else new
    for record, cut in verdict.cuts:
        work.cut(record, cut)
    for record in sorted(verdict.superseded):
        work.supersede(record, new.record)
    if verdict.contested_with or any(each.status == Status.CONTESTED for each in work.now.values()):
        if new.slot is not None:
            work.ensure(desk.store.laid([new.slot], ALL_TIME, None))
        return _among(work, new)
    return new


def _among(work: SlotWork, new: Revision) -> Revision:
    """Let the strip say who is contested, the new record included."""
    work.ensure([new])
    work.restatus()
    settled = work.now[new.record]
    work.forget(new.record)
    return settled


def question_of(work: SlotWork, added: Revision) -> str | None:
    """Return the id of the first contest that a new record is part of."""
    found = work.contests(added.slot or 0, added)
    return next((each.id for each in found if added.record in each.records), None)


def words_of(new: Revision, candidate: Candidate, terms: Iterable[str] = ()) -> list[str]:
    """Return the words by which a claim is found: its own, those of its slot, and those by which people ask for it."""
    own = candidate.slot
    if own is None:
        return tokens(new.claim)
    parts = [own.key.attribute.replace(".", " ").replace("_", " "), own.key.object, own.value or ""]
    if own.key.entity != "user":
        parts.append(own.key.entity)
    return tokens(f"{new.claim} {' '.join([*parts, *terms])}")


def source_of(candidate: Candidate, record: int, tx: Instant) -> SourceRow:
    """Return where a candidate came from, as a source of a record."""
    return SourceRow(
        record=record, tx=tx, observed_at=candidate.observed_at, speaker=candidate.speaker, verified=False,
        conversation=candidate.conversation, turn=candidate.turn, uri=candidate.uri,
    )  # fmt: skip


def _edges(work: Work, record: int, overrides: Sequence[int]) -> list[EdgeRow]:
    """Return the edges of a record; it doesn't rest on what had ended before its claim begins: that is history (R37)."""
    tx, begin = work.tx, work.new.stated_from
    named = [EdgeRow(record=record, kind="overrides", target=target, tx=tx) for target in overrides]
    return named + [
        EdgeRow(
            record=record, kind="derived_from", target=each.record, tx=tx,
            released=FOREVER if any(piece.end > begin for piece in each.pieces()) else tx,
        )
        for each in work.sources
    ]  # fmt: skip
