"""Rolling back what ended a record: a supersession, a correction, a retraction or a settlement (R28)."""

from __future__ import annotations

from stead.errors import Forbidden, IllegalTransition
from stead.memory.amend import done
from stead.memory.desk import Desk, Logged
from stead.memory.slotwork import SlotWork
from stead.model.authority import Authority
from stead.model.record import LAID, Meaning, Status
from stead.store.values import Revision


def rollback(desk: Desk, record: str) -> Logged:
    """Let a record stand again, and undo what took its place, in one transaction."""
    old = desk.find(record)
    if old.status not in (Status.SUPERSEDED, Status.RETRACTED):
        raise IllegalTransition(f"{old.id} is {old.status}: there is no supersession or retraction to undo")
    tx = desk.instant()
    work = SlotWork.whole_slot(desk.store, old, tx)
    _revive(desk, work, old)
    work.owe_tails()
    work.restatus()
    return done(desk, work, old, "rolled_back", "what ended it was undone", tx)


def _revive(desk: Desk, work: SlotWork, old: Revision) -> None:
    successor = old.superseded_by
    settled = any(cut.why == "settled" and cut.by == successor for cut in old.cuts)
    if successor is None or settled:
        work.unsettle(old.record, successor)
        if old.meaning == Meaning.CORRECTED:
            work.repair(old.record)
        return
    _refuse_source(work, old, successor)
    if old.record in _corrected_by(desk, successor):
        _give_back(desk, work, old.record, successor)
    else:
        _withdraw(work, successor)


def _corrected_by(desk: Desk, record: int) -> list[int]:
    return [edge.target for edge in desk.store.edges([record], kind="corrects")]


def _refuse_source(work: SlotWork, old: Revision, successor: int) -> None:
    """What a system of record says is undone there, not here (R23)."""
    above = Authority.SYSTEM_OF_RECORD.rank
    if work.now[successor].rank == above and work.now[successor].status in LAID:
        raise Forbidden(
            f"{old.id} was superseded by a system of record", hint="Write what the system of record now says."
        )


def _give_back(desk: Desk, work: SlotWork, record: int, correction: int) -> None:
    """Let a record have its place again, with what it had ended and what has ended its correction since."""
    after = work.now[correction].superseded_by
    if after is not None and correction in _corrected_by(desk, after):
        _give_back(desk, work, correction, after)  # it was corrected in its turn: that goes as well
    heir = work.retire(correction)
    work.free(record, correction, heir)
    work.hand_over(correction, record)


def _withdraw(work: SlotWork, gone: int) -> None:
    """Retract a record and lift every end that it caused; what superseded it takes over its predecessors."""
    heir = work.retire(gone)
    freed = [record for record, each in work.now.items() if each.superseded_by == gone]
    for record in list(work.now):
        work.free(record, gone, heir)
    for record in freed:
        now = work.now[record]
        corrections = [cut.by for cut in now.cuts if cut.why == "corrected"]
        if now.status == Status.ACTIVE and corrections and not now.pieces():
            work.move(record, Status.RETRACTED, superseded_by=corrections[-1])
