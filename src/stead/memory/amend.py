"""Changing what is there: end, retract, correct, rollback, settle, verify. Each is one transaction and one log row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stead.errors import Forbidden, IllegalTransition, InvalidArgument, UnknownRecord
from stead.memory.candidate import Candidate
from stead.memory.desk import Desk, Logged
from stead.memory.remember import source_of, words_of
from stead.memory.slotwork import SlotWork
from stead.model.authority import Authority
from stead.model.outcome import Decision
from stead.model.period import ALL_TIME, Instant, Period
from stead.model.record import LAID, Cut, Status
from stead.model.slot import SlotKey
from stead.model.strip import standing_at
from stead.resolve import Contest
from stead.store.values import EdgeRow, Revision, SourceRow, stands_until, statement


def end_record(desk: Desk, record: str, when: Instant | None) -> Logged:
    """Take a record off the strip from an instant on (R10)."""
    old = desk.find(record)
    if old.status not in LAID:
        raise IllegalTransition(f"{old.id} is {old.status}: it holds nowhere and can't be ended")
    return _end(desk, [old], desk.said() if when is None else when)


def end_slot(desk: Desk, key: SlotKey, scope: str, when: Instant | None) -> Logged:
    """End whatever stands in a slot of a scope at an instant; what starts later is left alone."""
    when = desk.said() if when is None else when
    found = desk.store.slots(desk.subject.n, key, [scope])
    laid = desk.store.laid([found[0].n], Period(when, when + 1), None) if found else []
    current = {each.record: each for each in laid if not each.expired(desk.clock.now())}
    stands = standing_at([statement(each) for each in current.values()], when)
    return _end(desk, [current[each.record] for each in stands], when)


def end_all(desk: Desk, ending: Sequence[Revision], when: Instant) -> Logged:
    """Take several records that say the same off the strip from an instant on, as one decision."""
    return _end(desk, ending, when)


def _end(desk: Desk, ending: Sequence[Revision], when: Instant) -> Logged:
    tx = desk.instant()
    holding = [each for each in ending if _reaches(each, when)]
    if not holding:
        first = ending[0] if ending else None
        return desk.finish(
            tx, Decision.NOOP, "not_standing", "nothing stands there at that instant; nothing was stored",
            record=first, status=first.status if first else None,
        )  # fmt: skip
    work = SlotWork.whole_slot(desk.store, holding[0], tx)
    for each in holding:
        work.ensure([each])
        work.cut(each.record, Cut(period=Period(when), why="ended"))
    work.restatus()
    return done(desk, work, holding[0], "ended", "it no longer holds from that instant on", tx)


def _reaches(revision: Revision, when: Instant) -> bool:
    """Tell whether an end at this instant would take anything off."""
    return any(piece.end > when for piece in revision.pieces())


def done(desk: Desk, work: SlotWork, subject: Revision, rule: str, reason: str, tx: Instant) -> Logged:
    """Write what changed, and log it as one decision on a record."""
    affected = [each for each in work.write(desk.store) if each != subject.record]
    version = None if subject.slot is None else desk.store.bump_slot_number(subject.slot)
    return desk.finish(
        tx, Decision.UPDATE, rule, reason, record=subject, status=work.now[subject.record].status,
        affected=affected, version=version,
    )  # fmt: skip


def retract(desk: Desk, record: str) -> Logged:
    """Say that a record was never true; the ends that it caused stay (R10, R22)."""
    old = desk.find(record)
    tx = desk.instant()
    work = SlotWork.whole_slot(desk.store, old, tx)
    work.move(old.record, Status.RETRACTED)
    work.restatus()
    return done(desk, work, old, "retracted", "it was never true", tx)


def check_laid(old: Revision) -> None:
    """Refuse to correct what isn't laid on the strip."""
    if old.status not in LAID:
        raise IllegalTransition(f"{old.id} is {old.status} and can't be corrected", hint="Correct what stands.")
    if old.rank == Authority.SYSTEM_OF_RECORD.rank:
        raise Forbidden(
            f"{old.id} was read from a system of record", hint="Correct it there, and write what the system then says."
        )


def correct(desk: Desk, record: str, candidate: Candidate) -> Logged:
    """Put a new record in the place of a laid one that was never true: same place on the strip, same ends (R22)."""
    old = desk.find(record)
    tx = desk.instant()
    work = SlotWork.whole_slot(desk.store, old, tx)
    number = desk.store.next_record()
    new = replace(
        old, n=0, record=number, id=f"rec_{desk.new_id()}", tx_from=tx, text_n=0, claim=candidate.claim,
        value=candidate.slot.value if candidate.slot else None, unset=False, stated_from=candidate.period.start,
        stated_until=candidate.period.end, observed_at=candidate.observed_at, trigger=candidate.trigger,
        claim_key=candidate.text_key, created=tx, speaker=candidate.speaker,
        confirmed_at=None if old.confirmed_at is None else tx, confirmed_how=old.confirmed_how and "correct",
        sensitivity=joined(old.sensitivity, candidate.sensitivity), purpose=candidate.purpose or old.purpose,
        expires_at=min((each for each in (old.expires_at, candidate.expires_at) if each is not None), default=None),
    )  # fmt: skip
    work.hand_over(old.record, number)
    if old.status == Status.SUPERSEDED:
        work.cut(old.record, Cut(period=Period(old.stated_from, old.stated_until), why="corrected", by=number))
    else:
        work.move(old.record, Status.RETRACTED, superseded_by=number)
        new = replace(new, status=Status.ACTIVE)
    work.ensure([new])
    work.restatus()
    affected = work.write(desk.store, leave=number)
    new = work.now[number]
    added = desk.add(new, words_of(new, candidate, desk.policy.terms(candidate.slot)))
    desk.store.add_source(desk.subject.n, source_of(candidate, number, tx))
    desk.store.add_edge(EdgeRow(record=number, kind="corrects", target=old.record, tx=tx))
    for target in old.names:
        desk.store.add_edge(EdgeRow(record=number, kind="overrides", target=target, tx=tx))
    for edge in desk.store.edges([old.record], kind="overrides", incoming=True):
        desk.store.add_edge(EdgeRow(record=edge.record, kind="overrides", target=number, tx=tx))
    version = None if old.slot is None else desk.store.bump_slot_number(old.slot)
    return desk.finish(
        tx, Decision.SUPERSEDE, "corrected", "the older record was never true; this one takes its place",
        record=added, status=added.status, affected=affected, version=version,
    )  # fmt: skip


def joined(*classes: str | None) -> str | None:
    """Return the sensitivity classes of several, as one: what corrects a record is kept as carefully as both."""
    return "+".join(sorted({name for each in classes if each for name in each.split("+")})) or None


def supersede_unslotted(desk: Desk, old: Revision, added: Logged, when: Instant) -> Logged:
    """End a record without a slot where its successor begins, in the same transaction."""
    successor = desk.find(str(added[1].record))
    if successor.record == old.record:
        raise InvalidArgument("claim", "the record says this already", "Say what is different.")
    tx = successor.tx_from if added[1].decision is Decision.ADD else desk.instant()
    work = SlotWork([desk.find(old.id)], tx)
    work.cut(old.record, Cut(period=Period(max(when, old.stated_from)), why="superseded", by=successor.record))
    work.supersede(old.record, successor.record)
    affected = work.write(desk.store)
    return desk.finish(
        tx, Decision.SUPERSEDE, "newer", "the older record ends where this one begins",
        record=successor, status=successor.status, affected=affected,
    )  # fmt: skip


def verify(desk: Desk, record: str) -> Logged:
    """Note that the subject restated a record: last_verified moves, nothing else (R21)."""
    old = desk.find(record)
    if old.status not in (Status.ACTIVE, Status.CONTESTED):
        raise IllegalTransition(
            f"{old.id} is {old.status} and can't be verified", hint="Remember it anew if it holds again."
        )
    tx = desk.instant()
    desk.store.add_source(desk.subject.n, SourceRow(
        record=old.record, tx=tx, observed_at=min(desk.clock.now(), tx), speaker=desk.subject.name, verified=True,
        conversation=None, turn=None, uri=None,
    ))  # fmt: skip
    return desk.finish(tx, Decision.NOOP, "verified", "the subject restated it", record=old, status=old.status)


def settle(desk: Desk, question: str | None, keep: str | None, *, neither: bool) -> Logged:
    """Answer a contest: keep one and end the others where they overlap, or end them all there (R26)."""
    if neither == (keep is not None):
        raise InvalidArgument("keep", "give the record to keep, or neither=True", "settle(question, keep='rec_…')")
    kept = None if keep is None else desk.find(keep, "keep")
    found = _contests(desk, question, kept)
    tx = desk.instant()
    around = desk.store.current_by_number(desk.subject.n, [found[0].records[0]])[0]
    work = SlotWork.whole_slot(desk.store, around, tx)
    losers = _end_losers(work, found, kept)
    for loser in sorted(losers):
        if kept is not None and _lost_its_tail(work, loser):
            work.supersede(loser, kept.record)
        elif kept is None and not work.now[loser].pieces() and work.now[loser].status != Status.SUPERSEDED:
            work.move(loser, Status.RETRACTED)
    work.restatus()
    subject = kept or work.now[min(losers)]
    reason = "one claim was kept; the others end where they overlap" if kept else "none was kept where they overlap"
    return done(desk, work, subject, "settled", reason, tx)


def _contests(desk: Desk, question: str | None, kept: Revision | None) -> list[Contest]:
    """Return the contests that an answer is about; all of one slot.

    Raises
    ------
    UnknownRecord, IllegalTransition, InvalidArgument
    """
    slots = desk.store.disputable_slots(desk.subject.n) if kept is None or kept.slot is None else [kept.slot]
    clock = max(desk.clock.now(), desk.store.last_instant())
    found: list[Contest] = []
    for slot in slots:
        found += SlotWork(desk.store.laid([slot], ALL_TIME, None), clock).contests(slot)
    if question is not None:
        found = [each for each in found if each.id == question]
        if not found:
            raise UnknownRecord("question: there is no such open contest", field="question")
    if kept is not None:
        found = [each for each in found if kept.record in each.records]
        if not found:
            raise IllegalTransition(f"{kept.id} is {kept.status}: it is part of no contest")
    elif len(found) != 1:
        raise InvalidArgument("question", f"{len(found)} contests are open", "Name one: see questions().")
    return found


def _lost_its_tail(work: SlotWork, record: int) -> bool:
    now = work.now[record]
    kept = [cut for cut in now.cuts if cut.why != "settled"]
    return stands_until(now.stated_until, now.cuts) < stands_until(now.stated_until, kept)


def _end_losers(work: SlotWork, found: Sequence[Contest], kept: Revision | None) -> set[int]:
    """End the others where they are contested, and what that uncovers, until nothing disagrees with the kept one there."""
    losers: set[int] = set()
    by = kept.record if kept else None
    within = [period for contest in found for period in contest.periods]
    while found:
        for contest in found:
            value = next((each.value for each in contest.standing if each.record == by), None)
            for each in contest.standing:
                if kept is None or each.value != value:
                    losers.add(each.record)
                    for period in contest.periods:
                        work.cut(each.record, Cut(period=period, why="settled", by=by))
        found = _uncovered(work, kept, within) if kept else []
    return losers


def _uncovered(work: SlotWork, kept: Revision, within: Sequence[Period]) -> list[Contest]:
    left: list[Contest] = []
    for contest in work.contests(kept.slot or 0):
        periods = [part for period in contest.periods for each in within if (part := period.intersect(each))]
        if kept.record in contest.records and periods:
            left.append(replace(contest, periods=tuple(periods)))
    return left
