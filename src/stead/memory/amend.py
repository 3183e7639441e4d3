"""Changing what is there: end, retract, correct, verify. Each is one transaction and one log row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stead.errors import Forbidden, IllegalTransition, InvalidArgument
from stead.memory.applying import source_of, words_of
from stead.memory.candidate import Candidate
from stead.memory.desk import Desk, Logged
from stead.memory.slotwork import SlotWork
from stead.memory.unslotted import asked
from stead.model.authority import Authority
from stead.model.outcome import Decision
from stead.model.period import Instant, Period
from stead.model.record import LAID, Cut, Status
from stead.model.slot import SlotKey
from stead.model.strip import standing_at
from stead.recall.names import names_of
from stead.store.values import EdgeRow, Revision, SourceRow, statement


def end_record(desk: Desk, record: str, when: Instant | None) -> Logged:
    """Take a record off the strip from an instant on (R10)."""
    old = desk.find(record)
    if old.status not in LAID:
        raise IllegalTransition(f"{old.id} is {old.status}: it holds nowhere and can't be ended")
    return _end(desk, [old], desk.said() if when is None else when)


def end_slot(desk: Desk, key: SlotKey, scope: str, when: Instant | None) -> Logged:
    """End whatever stands in a slot of a scope at an instant; what starts later is left alone."""
    when = desk.said() if when is None else when
    found = desk.store.slots(desk.subject.n, names_of(desk.store, desk.subject.n).key(key), [scope])
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


def take_off(desk: Desk, record: str, holes: Sequence[Period]) -> Logged:
    """Take a record off the strip over some periods, as ends did where it comes from (R10)."""
    old, tx = desk.find(record), desk.instant()
    work = SlotWork.whole_slot(desk.store, old, tx)
    work.ensure([old])
    for each in holes:
        work.cut(old.record, Cut(period=each, why="ended"))
    work.restatus()
    return done(desk, work, old, "ended", "it had ended where it was imported from", tx)


def _reaches(revision: Revision, when: Instant) -> bool:
    """Tell whether an end at this instant would take anything off."""
    return any(piece.end > when for piece in revision.pieces())


def done(desk: Desk, work: SlotWork, subject: Revision, rule: str, reason: str, tx: Instant) -> Logged:
    """Write what changed, and log it as one decision on a record."""
    affected = [each for each in work.write(desk.store) if each != subject.record]
    version = desk.raised(subject.slot)
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
    work = SlotWork.whole_chain(desk.store, old, tx)  # what it ended before it was moved is handed over too
    number = desk.store.next_record()
    slot, value = _answering(desk, old, candidate)
    new = replace(
        old, n=0, slot=slot, record=number, id=f"rec_{desk.new_id()}", tx_from=tx, text_n=0, claim=candidate.claim,
        value=value, unset=False, stated_from=candidate.period.start,
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
    if new.slot == old.slot:
        work.ensure([new])
    work.restatus()
    affected = work.write(desk.store, leave=number)
    new = work.now.get(number, new)
    added = desk.add(new, words_of(new, candidate, desk.policy.terms(candidate.slot)))
    desk.store.add_source(desk.subject.n, source_of(candidate, number, tx))
    desk.store.add_edge(EdgeRow(record=number, kind="corrects", target=old.record, tx=tx))
    for target in old.names:
        desk.store.add_edge(EdgeRow(record=number, kind="overrides", target=target, tx=tx))
    for edge in desk.store.edges([old.record], kind="overrides", incoming=True):
        desk.store.add_edge(EdgeRow(record=edge.record, kind="overrides", target=number, tx=tx))
    version = desk.raised(old.slot)
    return desk.finish(
        tx, Decision.SUPERSEDE, "corrected", "the older record was never true; this one takes its place",
        record=added, status=added.status, affected=affected, version=version,
    )  # fmt: skip


def _answering(desk: Desk, old: Revision, candidate: Candidate) -> tuple[int | None, str | None]:
    """Return the slot of a correction, and its value there; words that answer another question leave the old one's."""
    if candidate.slot is not None:
        return old.slot, candidate.slot.value
    read_anew = asked(candidate, names_of(desk.store, desk.subject.n))
    if read_anew is None or old.slot is None:
        return None, None
    key = desk.store.slots_by_number(desk.subject.n, [old.slot])[0].key
    return (old.slot, read_anew.value) if key == read_anew.key else (None, None)


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
    add_verified(desk, old, tx)
    return desk.finish(tx, Decision.NOOP, "verified", "the subject restated it", record=old, status=old.status)


def add_verified(desk: Desk, old: Revision, tx: Instant) -> None:
    """Add the subject's own word to a record that it restated."""
    desk.store.add_source(desk.subject.n, SourceRow(
        record=old.record, tx=tx, observed_at=min(desk.clock.now(), tx), speaker=desk.subject.name, verified=True,
        conversation=None, turn=None, uri=None,
    ))  # fmt: skip
