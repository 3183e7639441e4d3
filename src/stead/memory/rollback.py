"""Rolling back what ended a record: a supersession, a correction, a retraction or a settlement; or what reworded it (R28)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from stead.errors import Forbidden, IllegalTransition
from stead.lifecycle.consolidate.chains import is_flattened, unflattened
from stead.memory.amend import done
from stead.memory.desk import Desk, Logged
from stead.memory.slotwork import SlotWork
from stead.model.authority import Authority
from stead.model.record import LAID, Meaning, Status
from stead.store.values import Revision


def rollback(desk: Desk, record: str) -> Logged:
    """Let a record stand again, and undo what took its place, in one transaction."""
    old = desk.find(record)
    if old.status in (Status.ACTIVE, Status.CONTESTED):
        return _unword(desk, old)
    if old.status not in (Status.SUPERSEDED, Status.RETRACTED):
        raise IllegalTransition(f"{old.id} is {old.status}: there is no supersession or retraction to undo")
    tx = desk.instant()
    work = SlotWork.whole_chain(desk.store, old, tx)
    _unflatten(work)
    if not _stand_alone(work, work.now[old.record]):
        _revive(desk, work, work.now[old.record])
        work.owe_tails()
    work.restatus()
    return done(desk, work, old, "rolled_back", "what ended it was undone", tx)


def _unword(desk: Desk, old: Revision) -> Logged:
    """Put the wording back that an UPDATE refined, under the question that it answers, as a new revision."""
    wording = _older_wording(desk, old)
    if wording is None:
        raise IllegalTransition(
            f"{old.id} is {old.status}: there is no supersession, retraction or rewording to undo",
            hint="An answer to a contest is taken back with settle(undo=True).",
        )
    tx = desk.instant()
    work = SlotWork.whole_slot(desk.store, old, tx)
    slot = _question_of(desk, old, wording)
    work.load(desk.store, slot)
    work.put(replace(
        work.now[old.record], slot=slot, claim=wording.claim, value=wording.value, claim_key=wording.claim_key,
        text_n=wording.text_n, tokens=wording.tokens, rank=wording.rank, confidence=wording.confidence,
        importance=wording.importance, category=wording.category, confirmed_at=wording.confirmed_at,
        confirmed_how=wording.confirmed_how,
    ))  # fmt: skip
    work.owe_tails()
    work.restatus()
    return done(desk, work, old, "rolled_back", "its older wording stands again", tx)


def _older_wording(desk: Desk, old: Revision) -> Revision | None:
    """Return the revision before the one that brought the words that stand now; None where these were the first."""
    revisions = desk.store.revisions(desk.subject.n, [old.record])
    brought = next(place for place, each in enumerate(revisions) if each.n == old.text_n)
    return revisions[brought - 1] if brought else None


def _question_of(desk: Desk, old: Revision, wording: Revision) -> int | None:
    """Return the slot of an older wording in the scope in which the record is now."""
    if wording.slot is None or wording.scope == old.scope:
        return wording.slot
    key = desk.store.slots_by_number(desk.subject.n, [wording.slot])[0].key
    return desk.store.bump_slot(desk.subject.n, key, old.scope).n


def _unflatten(work: SlotWork) -> None:
    """Let what consolidation had point to the head of a chain point to what replaced it again: any link can be undone (R28)."""
    for row in list(work.now.values()):
        if is_flattened(row):
            work.put(replace(row, superseded_by=unflattened(row)))


def _stand_alone(work: SlotWork, old: Revision) -> bool:
    """Let a record stand again that another one stood for: merged into it, or proposed anew. That one stays (R36)."""
    kept = tuple(cut for cut in old.cuts if not (cut.by == old.superseded_by and cut.why in ("merged", "asked")))
    if kept == old.cuts:
        return False
    work.put(replace(old, cuts=kept))
    work.move(old.record, Status.ACTIVE, superseded_by=None)
    return True


def _revive(desk: Desk, work: SlotWork, old: Revision) -> None:
    successor = old.superseded_by
    settled = any(cut.why == "settled" and cut.by == successor for cut in old.cuts)
    if successor is None or settled:
        work.unsettle(old.record, successor)
        if old.meaning == Meaning.CORRECTED:
            work.repair(old.record)
        return
    if successor not in work.now:  # it is being erased: nothing is left of it but the end that it caused
        work.free(old.record, successor, None)
        if old.status == Status.RETRACTED:
            work.hand_over(successor, old.record)
        return
    while (after := work.now[successor].superseded_by) in work.now and successor in _corrected_by(desk, after):
        successor = after  # it was corrected in its turn
    _refuse_source(work, old, successor)
    versions = _versions(desk, successor)
    if old.record in versions:
        _give_back(work, old.record, [successor, *versions[: versions.index(old.record)]])
    else:
        _withdraw(work, successor, versions)


def _versions(desk: Desk, record: int) -> list[int]:
    """Return what a record corrects, and what that had corrected, the newest first."""
    found: list[int] = []
    while targets := _corrected_by(desk, found[-1] if found else record):
        found += targets
    return found


def _corrected_by(desk: Desk, record: int | None) -> list[int]:
    return [] if record is None else [edge.target for edge in desk.store.edges([record], kind="corrects")]


def _refuse_source(work: SlotWork, old: Revision, successor: int) -> None:
    """What a system of record says is undone there, not here (R23)."""
    above = Authority.SYSTEM_OF_RECORD.rank
    if work.now[successor].rank == above and work.now[successor].status in LAID:
        raise Forbidden(
            f"{old.id} was superseded by a system of record", hint="Write what the system of record now says."
        )


def _give_back(work: SlotWork, record: int, line: Sequence[int]) -> None:
    """Let a record have its place again, with what it had ended and what has ended its correction since.

    ``line`` is what stood in its place, the newest first: each corrected the next one, and the last one the record. All go.
    """
    last, gone = line[0], frozenset(line)
    beyond = work.now[last].superseded_by
    heir = work.retire(last)
    for each in line[1:]:
        work.retire(each)
        now = work.now[each]
        work.put(replace(now, cuts=tuple(cut for cut in now.cuts if cut.by not in gone)))
    work.put(replace(work.now[record], superseded_by=last))
    work.free(record, last, heir)
    work.hand_over(last, record)
    if beyond is not None and beyond not in work.now:  # it is being erased
        work.hand_over(beyond, record)


def _withdraw(work: SlotWork, gone: int, versions: Collection[int]) -> None:
    """Retract a record and lift every end that it caused; what superseded it takes over its predecessors.

    ``versions`` are what it had corrected: no successor that was never true comes back in its place.
    """
    heir = work.retire(gone)
    others = [record for record in work.now if record not in versions]
    freed = [record for record in others if work.now[record].superseded_by == gone]
    for record in others:
        work.free(record, gone, heir)
    for record in freed:
        now = work.now[record]
        corrections = [cut.by for cut in now.cuts if cut.why == "corrected"]
        if now.status == Status.ACTIVE and corrections and not now.pieces():
            work.move(record, Status.RETRACTED, superseded_by=corrections[-1])
