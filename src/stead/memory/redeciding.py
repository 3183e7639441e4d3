"""What waits only because it met what is erased is decided anew, as if that had never been there (R49).

A claim that another one contradicts waits for a yes (R23). Once that other one is erased nothing is left to ask about, and the
question itself would say that something was there. So the claim is laid in its place, unless something else that was known
when it was said contradicts it too, or it would have had to wait anyway.

How many of the last decisions met a contradiction decides how closely the next claims are compared (R21). A claim that said what
the erased one had said, and so contradicted nothing, is noted as contradicting what stood below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from stead.memory.arbitrating import arbitrated
from stead.memory.desk import Desk
from stead.memory.slotwork import SlotWork
from stead.memory.unslotted import RECENT
from stead.model.outcome import Decision
from stead.model.period import Instant, Period
from stead.model.record import LAID, Meaning, Status
from stead.model.slot import Slot
from stead.policy.policy import Route
from stead.resolve import Verdict, resolve
from stead.store.protocol import ReadTx
from stead.store.values import DecisionRow, Revision, parts, statement

_DECIDED = (Decision.ADD, Decision.SUPERSEDE, Decision.OVERRIDE, Decision.CONTEST, Decision.CONFIRM)
_STANDS = Verdict(decision=Decision.ADD, rule="new", reason="nothing says otherwise any more")


def redecide(desk: Desk, gone: frozenset[int]) -> None:
    """Decide anew what waits because of records that are being erased, and note what contradicts what without them.

    Parameters
    ----------
    desk
        The transaction that makes the records unreadable; they are so already.
    gone
        Their numbers.
    """
    laid = list[Revision]()
    """What stands since this transaction, and would have stood since it was said."""
    for row, waiting in waiting_because(desk.store, desk.subject.n, gone, desk.said()):
        verdict = _verdict(desk, row, waiting, gone, laid)
        if verdict.decision is Decision.CONFIRM:
            changed = replace(row, rule=verdict.rule, reason=verdict.reason)
        else:
            changed = _lay(desk, row, waiting, verdict)
            laid.append(waiting)
        desk.store.decide_anew(row.n, replace(changed, contradicts=tuple(sorted(verdict.contradicts))))
    for row, said in _beside(desk, gone):
        verdict = _as_said(desk, row, said, gone, laid)
        asked_by = "explicit" if row.route == Route.CONFIRM else row.rule
        if row.decision == Decision.CONFIRM and verdict.rule != asked_by:
            continue
        _end(desk, laid, verdict)
        seen = {*row.contradicts, *verdict.contradicts} - gone
        if seen != set(row.contradicts) - gone:
            desk.store.decide_anew(row.n, replace(row, contradicts=tuple(sorted(seen))))


def waiting_because(
    store: ReadTx, subject: int, records: AbstractSet[int], now: Instant
) -> list[tuple[DecisionRow, Revision]]:  # fmt: skip
    """Return the decisions that only asked because records say otherwise, each with what waits for the answer.

    Parameters
    ----------
    store, subject
        A snapshot or the write in the making, and the number of the subject.
    records
        The numbers of those that say otherwise; their own decisions are left out.
    now
        What has expired by now waits no more.
    """
    asked = [row for row in store.asked_because_of(sorted(records)) if row.route == Route.ADMIT]
    numbers = sorted({row.record for row in asked if row.record is not None} - records)
    found = {each.record: each for part in parts(numbers) for each in store.current_by_number(subject, part)}
    pairs = [(row, found[row.record]) for row in asked if row.record in found]
    return [(row, each) for row, each in pairs if each.status == Status.PROPOSED and each.waits(now)]


def _beside(desk: Desk, gone: frozenset[int]) -> Iterator[tuple[DecisionRow, Revision]]:
    """Yield those of the last decisions that were about the slots of what is gone, with what they wrote."""
    store, subject = desk.store, desk.subject.n
    rows = [row for row in store.decided_beside(subject, sorted(gone), RECENT) if row.decision in _DECIDED]
    numbers = sorted({row.record for row in rows if row.record is not None})
    first: dict[int, Revision] = {}
    for each in (each for part in parts(numbers) for each in store.revisions(subject, part)):
        first.setdefault(each.record, each)
    for row in rows:
        said = None if row.record is None else first[row.record]
        if said is not None and said.tx_from == row.tx and said.slot is not None:
            yield row, said


def _verdict(
    desk: Desk, row: DecisionRow, waiting: Revision, gone: frozenset[int], laid: Sequence[Revision]
) -> Verdict:  # fmt: skip
    """Return what would have been decided when it was said."""
    if desk.key_of(waiting) is not None:
        return _as_said(desk, row, waiting, gone, laid)
    left = frozenset(row.contradicts) - gone  # what it met in other words has no slot in common with it
    if not desk.store.current_by_number(desk.subject.n, sorted(left)):
        return _STANDS
    return replace(_STANDS, decision=Decision.CONFIRM, rule=row.rule, reason=row.reason, contradicts=left)


def _as_said(
    desk: Desk, row: DecisionRow, said: Revision, gone: frozenset[int], laid: Sequence[Revision]
) -> Verdict:  # fmt: skip
    """Return what the strip of its slot, without what is gone, would have made of a claim when it was said."""
    assert said.slot is not None
    known = desk.store.laid([said.slot], Period(said.stated_from, said.stated_until), row.tx - 1)
    known += [
        replace(each, status=Status.ACTIVE) for each in laid if each.slot == said.slot and each.place < said.place
    ]
    existing = [each for each in known if each.record not in gone and not each.expired(row.tx)]
    new = replace(said, status=Status.ACTIVE, cuts=())
    verdict = resolve(statement(new), [statement(each) for each in existing], same_terms=frozenset())
    key = desk.key_of(new)
    slot = None if key is None else Slot(
        key.attribute, entity=key.entity, object=key.object, value=new.value, unset=new.unset
    )  # fmt: skip
    return arbitrated(desk, new, existing, verdict, new.category, slot)


def _lay(desk: Desk, row: DecisionRow, waiting: Revision, verdict: Verdict) -> DecisionRow:
    """Let it stand at its place on the strip, and let it end, and be ended by, what was said before and since."""
    work = SlotWork.whole_slot(desk.store, waiting, desk.instant())
    work.ensure([waiting])
    work.move(waiting.record, Status.ACTIVE, waits_for=None, answer_by=None)
    if waiting.meaning == Meaning.CORRECTED:
        work.repair(waiting.record)
    _cut(work, verdict)
    work.owe_tails()
    work.restatus()
    changed = work.write(desk.store)
    return replace(
        row, decision=verdict.decision, rule=verdict.rule, reason=verdict.reason, question=None,
        status=str(work.now[waiting.record].status), affected=tuple(each for each in changed if each != waiting.record),
    )  # fmt: skip


def _end(desk: Desk, laid: Sequence[Revision], verdict: Verdict) -> None:
    """Let a later claim, which may have ended itself since, end what it would have found standing."""
    numbers = {each.record for each in laid}.intersection(record for record, _ in verdict.cuts)
    for each in desk.store.current_by_number(desk.subject.n, sorted(numbers)):
        work = SlotWork.whole_slot(desk.store, each, desk.instant())
        _cut(work, verdict, numbers)
        work.restatus()
        work.write(desk.store)


def _cut(work: SlotWork, verdict: Verdict, only: AbstractSet[int] | None = None) -> None:
    """Put the ends of a verdict on what they still take something from."""
    for record, cut in verdict.cuts:
        old = work.now.get(record)
        if old is None or (only is not None and record not in only) or old.status not in LAID:
            continue
        if any(piece.overlaps(cut.period) for piece in old.pieces()):
            work.cut(record, cut)
            if record in verdict.superseded and cut.by is not None:
                work.supersede(record, cut.by)
