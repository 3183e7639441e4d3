"""The records of a slot, and of those chained to them, while one write changes them: written once, legally (R3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from stead.model.period import FOREVER, Instant, Period
from stead.model.record import LAID, Cut, Status, move
from stead.model.strip import Statement, standing_at
from stead.resolve import Contest, contested_records, contests, tail_ends
from stead.store.protocol import WriteTx
from stead.store.values import Revision, stands_until, statement


class SlotWork:
    """Current revisions by record number, with what this transaction makes of them."""

    def __init__(self, revisions: Iterable[Revision], tx: Instant, *, whole: bool = False) -> None:
        self.tx = tx
        self._before = {each.record: each for each in revisions}
        self.now = dict(self._before)
        self.complete = {each.slot for each in self.now.values()} if whole else set[int | None]()
        """The slots of which everything is here, so that their strips can be read to the open end."""

    @classmethod
    def whole_slot(cls, store: WriteTx, around: Revision, tx: Instant) -> SlotWork:
        """Load all records of a record's slot and scope; where nobody named one, those that it is chained to as well."""
        work = cls([] if around.slot is None else store.in_slot(around.slot), tx, whole=True)
        if around.slot is not None and not store.slots_by_number(around.subject, [around.slot])[0].key.from_text:
            return work
        chained = [each for each in store.chained(around.subject, around.record) if each not in work.now]
        work.ensure(store.current_by_number(around.subject, chained))
        work.complete.add(None)
        for slot in {each.slot for each in work.now.values()}:
            work.load(store, slot)
        return work

    @classmethod
    def whole_chain(cls, store: WriteTx, around: Revision, tx: Instant) -> SlotWork:
        """Load what `whole_slot` does, and the slots in which records of these were filed before or are filed now (R26)."""
        work = cls.whole_slot(store, around, tx)
        left = [slot for slot in work.complete if slot is not None]
        while left:
            for slot in store.linked_slots(left.pop()):
                if slot not in work.complete:
                    work.load(store, slot)
                    left.append(slot)
        return work

    def load(self, store: WriteTx, slot: int | None) -> None:
        """Add everything of a slot."""
        if slot is not None and slot not in self.complete:
            self.ensure(store.in_slot(slot))
            self.complete.add(slot)

    def ensure(self, revisions: Iterable[Revision]) -> None:
        """Add records that the work needs to see."""
        for each in revisions:
            self._before.setdefault(each.record, each)
            self.now.setdefault(each.record, each)

    def put(self, now: Revision) -> None:
        """Let a record that is here be as the caller says."""
        self.now[now.record] = now

    def file(self, record: int, slot: int | None) -> None:
        """File a record under the question that its words answer."""
        self.now[record] = replace(self.now[record], slot=slot)

    def forget(self, record: int) -> None:
        """Leave a record to the caller to write."""
        self._before.pop(record, None)
        self.now.pop(record, None)

    def cut(self, record: int, cut: Cut) -> None:
        """Take a record off the strip over a period."""
        old = self.now[record]
        now = self.now[record] = replace(old, cuts=(*old.cuts, cut))
        if cut.why == "corrected" and old.status in _LIVE and not now.pieces():  # it was never true anywhere
            self.move(record, Status.RETRACTED, superseded_by=cut.by)

    def supersede(self, record: int, by: int) -> None:
        """Move a record to superseded; one that is already stays with its first successor."""
        old = self.now[record]
        if old.status != Status.SUPERSEDED:
            self.now[record] = replace(
                old, status=move(old.id, Status(old.status), Status.SUPERSEDED), superseded_by=by
            )

    def move(self, record: int, to: Status, **changes: object) -> None:
        """Move a record to another status, if that is legal."""
        old = self.now[record]
        self.now[record] = replace(old, status=move(old.id, Status(old.status), to), **changes)  # type: ignore[arg-type]

    def retire(self, record: int) -> int | None:
        """Retract a record whatever it is laid as; return what superseded it, which takes over what it had ended."""
        old = self.now[record]
        heir = old.superseded_by if old.status == Status.SUPERSEDED else None
        heir = heir if heir in self.now else None  # it may be erased: what it ended stays as it is
        if old.status == Status.SUPERSEDED:
            self.move(record, Status.ACTIVE)  # so that each move is legal (R3)
        if old.status in LAID:
            self.move(record, Status.RETRACTED)
        self.now[record] = replace(self.now[record], superseded_by=None)
        return heir

    def free(self, record: int, gone: int, heir: int | None) -> None:
        """Lift the ends that a record caused on another one, and let that one stand again, up to the heir's start."""
        old = self.now[record]
        kept = tuple(cut for cut in old.cuts if cut.by != gone or cut.why == "settled")
        self.now[record] = replace(old, cuts=kept)
        if old.superseded_by != gone or old.status not in (Status.SUPERSEDED, Status.RETRACTED):
            return
        self.move(record, Status.ACTIVE, superseded_by=None)
        if heir is not None:
            start = max(self.now[heir].stated_from, old.stated_from)
            self.cut(record, Cut(period=Period(start), why="superseded", by=heir))
            self.supersede(record, heir)

    def unsettle(self, record: int, keep: int | None) -> None:
        """Take back what an answer to a contest took from a record, and let it stand again."""
        old = self.now[record]
        kept = tuple(cut for cut in old.cuts if not (cut.why == "settled" and cut.by == keep))
        self.now[record] = replace(old, cuts=kept)
        self.move(record, Status.ACTIVE, superseded_by=None)

    def repair(self, correction: int) -> None:
        """Take everything laid before a correction off the portion that it names, what was hidden there too (R22)."""
        new = self.now[correction]
        portion = Period(new.stated_from, new.stated_until)
        for record, old in list(self.now.items()):
            under = old.slot == new.slot and (old.place, record) < (new.place, correction) and self._is_laid(old)
            if under and any(piece.overlaps(portion) for piece in old.pieces()):
                self.cut(record, Cut(period=portion, why="corrected", by=correction))

    def hand_over(self, old: int, new: int) -> None:
        """Let a record take another's place as the cause of ends; what that one had corrected still points to it (R22)."""
        for record, each in list(self.now.items()):
            cuts = tuple(replace(cut, by=new) if cut.by == old else cut for cut in each.cuts)
            was_corrected = each.status == Status.RETRACTED and cuts == each.cuts
            by = new if each.superseded_by == old and record != new and not was_corrected else each.superseded_by
            if cuts != each.cuts or by != each.superseded_by:
                self.now[record] = replace(each, cuts=cuts, superseded_by=by)

    def owe_tails(self) -> None:
        """End what can't keep its open end any more after something was revived (R28)."""
        changed = [(old, self.now[record]) for record, old in self._before.items() if old != self.now[record]]
        touched = {each.slot for pair in changed for each in pair}
        for laid in [strip for slot, strip in self._strips().items() if slot in touched & self.complete]:
            for record, cut in tail_ends(laid):
                self.cut(record, cut)
                if cut.why == "superseded" and cut.by is not None and self.now[record].status != Status.SUPERSEDED:
                    self.supersede(record, cut.by)

    def restatus(self) -> None:
        """Set what is contested and what isn't any more, from the strip itself (R26)."""
        contested = frozenset[int]().union(*map(contested_records, self._strips().values()))
        for each in list(self.now.values()):
            if each.status == Status.ACTIVE and each.record in contested:
                self.move(each.record, Status.CONTESTED)
            elif each.status == Status.CONTESTED and each.record not in contested:
                self.move(each.record, Status.ACTIVE)

    def contests(self, slot: int, *more: Revision) -> list[Contest]:
        """Return the contests of the slot as it now is."""
        laid = [each for each in (*self.laid_in(slot), *more) if self._is_laid(each)]
        return contests([statement(each) for each in laid], slot)

    def laid_in(self, slot: int | None) -> list[Revision]:
        """Return what is laid in a slot, as it now is."""
        return [each for each in self.now.values() if each.slot == slot and self._is_laid(each)]

    def _strips(self) -> dict[int | None, list[Statement]]:
        """Return what is laid, by slot; what has none is one strip of what it is chained to."""
        strips: dict[int | None, list[Statement]] = {}
        for each in self.now.values():
            if self._is_laid(each):
                strips.setdefault(each.slot, []).append(statement(each))
        return strips

    def _is_laid(self, revision: Revision) -> bool:
        return revision.status in LAID and not revision.expired(self.tx)

    def set_heads(self) -> None:
        """Say which records stand at the open end, as far as can be seen from here."""
        whole = [laid for slot, laid in self._strips().items() if slot in self.complete]
        tail = {each.record for laid in whole for each in standing_at(laid, FOREVER - 1)}
        for record, each in self.now.items():
            stands = each.status in _LIVE and stands_until(each.stated_until, each.cuts) == FOREVER
            head = stands and (record in tail if each.slot in self.complete else each.head)
            if head != each.head:
                self.now[record] = replace(each, head=head)

    def write(self, store: WriteTx, *, leave: int | None = None) -> list[int]:
        """Write a new revision of each record that changed.

        ``leave`` is a new record that the caller inserts itself.
        """
        self.set_heads()
        changed = [record for record, now in self.now.items() if now != self._before[record] and record != leave]
        store.revise_all(
            [(self._before[record], replace(self.now[record], tx_from=self.tx)) for record in sorted(changed)]
        )
        return sorted(changed)


_LIVE = (Status.ACTIVE, Status.CONTESTED)
