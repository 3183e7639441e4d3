"""Taking an answer to a contest back: what it took from each claim is given back, and the question is open again (R26)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from stead.errors import IllegalTransition, InvalidArgument, UnknownRecord
from stead.memory.desk import Desk, Logged
from stead.memory.slotwork import SlotWork
from stead.model.outcome import Decision
from stead.model.period import ALL_TIME
from stead.model.record import Cut, Meaning, Status
from stead.resolve import contests
from stead.store.values import DecisionRow, Revision, statement

UNSETTLED: Final = "unsettled"
_CLOSED = (Status.SUPERSEDED, Status.RETRACTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Change:
    """What an answer made of one record."""

    before: Revision
    after: Revision

    @property
    def moved(self) -> bool:
        """Tell whether it was given another scope."""
        return self.before.slot != self.after.slot

    @property
    def closed(self) -> bool:
        """Tell whether the answer closed it."""
        return self.after.status in _CLOSED and self.before.status != self.after.status


def unsettle(desk: Desk, question: str | None) -> Logged:
    """Put a contest back as it was before its last answer; what was said since keeps its place.

    Raises
    ------
    UnknownRecord, IllegalTransition, InvalidArgument
    """
    row, asked = _answer(desk, question)
    history = _history(desk, [*([] if row.record is None else [row.record]), *row.affected])
    changes = {record: each for record, found in history.items() if (each := _change(found, row)) is not None}
    if not changes:
        raise IllegalTransition("nothing is left of what that answer changed")
    tx = desk.instant()
    work = _loaded(desk, changes, tx)
    restored = [each for change in changes.values() for each in _give_back(desk, work, change, history)]
    for record in sorted(set(restored), key=lambda each: (work.now[each].place, each)):
        if work.now[record].meaning == Meaning.CORRECTED:
            work.repair(record)
    work.owe_tails()
    work.restatus()
    subject = work.now[row.record if row.record in changes else min(changes)]
    changed = work.write(desk.store)
    if not changed:
        raise IllegalTransition("nothing is left of what that answer changed")
    for slot in sorted({each.slot for each in work.now.values() if each.record in changed and each.slot is not None}):
        desk.store.bump_slot_number(slot)
    return desk.finish(
        tx, Decision.UPDATE, UNSETTLED, "the answer was taken back; the question is open again", record=subject,
        status=work.now[subject.record].status, affected=[each for each in changed if each != subject.record],
        question=asked,
    )  # fmt: skip


# --- which answer ------------------------------------------------------------------------------------------------------


def _answer(desk: Desk, question: str | None) -> tuple[DecisionRow, str]:
    """Return the last answer to a question that wasn't taken back, and the question's id."""
    rows = list(_standing_answers(desk))
    if question is None:
        if len(rows) != 1:
            raise InvalidArgument(
                "question", f"{len(rows)} answers could be taken back", "Name the question, or a record of it."
            )
        return rows[0]
    named = desk.find(question, "question").record if question.startswith("rec_") else None
    for row, asked in rows:
        if question == asked or (named is not None and named in (row.record, *row.affected)):
            return row, asked
    for row, _ in rows:
        if question in _asked_before(desk, row):  # keeping a record answers every contest that it is in
            return row, question
    raise UnknownRecord(
        "question: it has no answer that could be taken back", field="question",
        hint="Name the question as it was asked, or a record of it; the log has both.",
    )  # fmt: skip


def _standing_answers(desk: Desk) -> Iterator[tuple[DecisionRow, str]]:
    """Return the answers that weren't taken back, newest first, each with the question that it was given to."""
    undone: Counter[str] = Counter()
    for row in desk.store.answered(desk.subject.n):
        asked = row.question or next(iter(_asked_before(desk, row)), "")  # earlier versions didn't log the question
        if row.rule == UNSETTLED:
            undone[asked] += 1
        elif undone[asked]:
            undone[asked] -= 1
        else:
            yield row, asked


def _asked_before(desk: Desk, row: DecisionRow) -> list[str]:
    """Return the questions that an answer closed, from what was known just before it."""
    history = _history(desk, [each for each in (row.record, *row.affected) if each is not None])
    about = [change.before for found in history.values() if (change := _change(found, row)) is not None]
    numbers = {each.record for each in about}
    asked: list[str] = []
    for slot in sorted({each.slot for each in about if each.slot is not None}):
        laid = desk.store.laid([slot], ALL_TIME, row.tx - 1)
        found = contests([statement(each) for each in laid if not each.expired(row.tx)], slot)
        asked += [each.id for each in found if not numbers.isdisjoint(each.records)]
    return asked


def _history(desk: Desk, records: Sequence[int]) -> dict[int, list[Revision]]:
    found: dict[int, list[Revision]] = {}
    for each in desk.store.revisions(desk.subject.n, records):
        found.setdefault(each.record, []).append(each)
    return found


def _change(revisions: Sequence[Revision], row: DecisionRow) -> _Change | None:
    before = next((each for each in revisions if each.tx_until == row.tx), None)
    after = next((each for each in revisions if each.tx_from == row.tx), None)
    return None if before is None or after is None else _Change(before=before, after=after)


# --- giving back -------------------------------------------------------------------------------------------------------


def _loaded(desk: Desk, changes: Mapping[int, _Change], tx: int) -> SlotWork:
    """Load every slot in which something changed, and those in which what was changed is now."""
    first = next(iter(changes.values())).after
    work = SlotWork.whole_chain(desk.store, first, tx)
    for change in changes.values():
        for slot in (change.before.slot, change.after.slot):
            work.load(desk.store, slot)
    for each in desk.store.current_by_number(desk.subject.n, sorted(changes)):  # a later answer may have moved it on
        work.load(desk.store, each.slot)
    return work


def _give_back(desk: Desk, work: SlotWork, change: _Change, history: Mapping[int, Sequence[Revision]]) -> Iterator[int]:
    """Give a record back what the answer took from it; what has corrected it since stands in its place and gets it too."""
    record = change.after.record
    corrections = _corrections(desk, record, change.after.tx_from)
    for each in (record, *corrections):
        if each not in work.now:
            continue
        revisions = history.get(each) or _history(desk, [each])[each]
        since = [one for one in revisions if one.tx_from >= change.after.tx_from]
        if _restore(work, each, change, since):
            yield each


def _corrections(desk: Desk, record: int, since: int) -> list[int]:
    found: list[int] = []
    level = [record]
    while level:
        edges = desk.store.edges(level, kind="corrects", incoming=True)
        level = [edge.record for edge in edges if edge.tx > since and edge.record not in found]
        found += level
    return found


def _restore(work: SlotWork, record: int, change: _Change, since: Sequence[Revision]) -> bool:
    old = work.now[record]
    now = replace(old, cuts=_without(old.cuts, change))
    if change.moved:
        now = _moved_back(now, change)
    work.put(now)
    if change.closed and all(each.status == change.after.status for each in since):
        work.move(record, Status.ACTIVE, superseded_by=None)
        corrections = [cut.by for cut in now.cuts if cut.why == "corrected"]
        if corrections and not now.pieces():  # it was corrected since: its correction stands in its place
            work.move(record, Status.RETRACTED, superseded_by=corrections[-1])
    return work.now[record] != old


def _without(cuts: Sequence[Cut], change: _Change) -> tuple[Cut, ...]:
    """Return cuts without those that the answer added; a correction may have taken over who caused them."""
    added = Counter((cut.period, cut.why) for cut in change.after.cuts)
    added.subtract(Counter((cut.period, cut.why) for cut in change.before.cuts))
    kept: list[Cut] = []
    for cut in cuts:
        if added[(cut.period, cut.why)] > 0:
            added[(cut.period, cut.why)] -= 1
        else:
            kept.append(cut)
    return tuple(kept)


def _moved_back(now: Revision, change: _Change) -> Revision:
    after, before = change.after, change.before
    if now.slot != after.slot:
        raise IllegalTransition(f"{now.id} was given another scope since", hint="Take that answer back first.")
    if now.status == Status.SUPERSEDED and after.status != Status.SUPERSEDED:
        raise IllegalTransition(f"{now.id} was superseded in its scope since", hint="Roll that back first: rollback.")
    return replace(now, slot=before.slot, scope=before.scope, place=before.place)
