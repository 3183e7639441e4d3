"""Carrying out one step of consolidation: checked against what is there now, written and logged in one transaction (R36, R46)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import timedelta

from stead.lifecycle.consolidate.plan import Decided, Deed, Filed, Merged, Plan, Questioned, Refined, Reviewed
from stead.lifecycle.consolidate.share import event
from stead.memory.cases import ASKED_AS, MERGED_INTO, Reads
from stead.memory.desk import Desk, Logged
from stead.memory.slotwork import SlotWork
from stead.memory.unslotted import merged
from stead.model.consolidation import Step
from stead.model.outcome import Decision
from stead.model.period import ALL_TIME, FOREVER, Instant, Period
from stead.model.record import Cut, Status
from stead.model.slot import normal
from stead.model.words import tokens
from stead.recall.names import names_of
from stead.recall.reviews import Review, review_id
from stead.resolve import question_id
from stead.store.values import EdgeRow, EventRow, Revision, SourceRow, parts

TRIGGER = "consolidate"


class Changed(Exception):
    """Something that the step was based on isn't as it was any more."""


def reached(step: str) -> None:
    """Do nothing; a test stops a run here, by the name of the step."""
    del step


@dataclass(slots=True, kw_only=True)
class Carried:
    """What a step did, and the row of the log that stands for it."""

    steps: list[Step] = field(default_factory=list)
    logged: Logged | None = None


def carry_out(desk: Desk, plan: Plan, carried: Carried) -> Logged:
    """Do what a plan says, if everything is still as it was when it was made.

    Raises
    ------
    Changed
        It isn't; nothing is written.
    """
    reached("checking")
    check(desk, plan)
    return _Carrying(desk=desk, plan=plan, tx=desk.instant(), carried=carried).run()


def check(desk: Desk, plan: Plan) -> None:
    """Refuse a plan that is based on what has changed since: a new revision, or a record more in the question (R36)."""
    case, store = plan.case, desk.store
    if names_of(store, desk.subject.n) != case.names:
        raise Changed
    rows = [*case.rows, *case.joined]
    reads = Reads(store=store, subject=desk.subject.n, policy=desk.policy, now=case.now)
    if {each.n for each in reads.rows([each.record for each in rows])} != plan.basis:
        raise Changed
    if case.key is not None:
        slots = store.slots(desk.subject.n, case.key, [case.scope])
        laid = store.laid([slots[0].n], ALL_TIME, None) if slots else []
        if {each.n for each in laid} != {each.n for each in case.rows}:
            raise Changed
    done = {deed.record for deed in plan.deeds if not isinstance(deed, Decided | Reviewed)}  # these stay where they are
    moved = case.joined if case.key is not None else [each for each in case.rows if each.record in done]
    if reads.unmovable(moved) or reads.fixed(rows) != case.fixed:
        raise Changed


@dataclass(slots=True, kw_only=True)
class _Carrying:
    desk: Desk
    plan: Plan
    tx: Instant
    carried: Carried
    work: SlotWork = field(init=False)
    slot: int | None = None
    proposals: dict[int, Revision] = field(default_factory=dict)
    """What a record became that waits for a person, by the record."""
    refined: int | None = None
    """The record that takes other words."""

    def run(self) -> Logged:
        store, case = self.desk.store, self.plan.case
        touched = {each.record for each in self.plan.deeds} | {
            each.into for each in self.plan.deeds if isinstance(each, Refined)
        }
        if case.key is None:
            self.work = SlotWork.whole_slot(store, case.rows[-1], self.tx)
            self.work.ensure(case.rows)
            for each in case.rows:
                self.work.load(store, each.slot)
        else:
            self.slot = store.bump_slot(self.desk.subject.n, case.key, case.scope).n
            self.work = SlotWork([], self.tx, whole=True)
            self.work.load(store, self.slot)
            self.work.ensure(each for each in case.joined if each.record in touched)
        before = dict(self.work.now)
        for deed in self.plan.deeds:
            self._do(deed)
            reached(type(deed).__name__.casefold())
        self.work.restatus()
        affected = set(self.work.write(store, leave=self.refined))
        reached("written")
        self._add(before)
        reached("added")
        for deed in self.plan.deeds:
            self.carried.logged = self._log(deed, affected)
        reached("logged")
        assert self.carried.logged is not None
        return self.carried.logged

    # --- deeds ------------------------------------------------------------------------------------------------------------

    def _do(self, deed: Deed) -> None:
        match deed:
            case Filed(aside=True):
                self.work.now[deed.record] = replace(self.work.now[deed.record], slot=None, value=None, head=False)
            case Filed():
                row = self.work.now[deed.record]
                self.work.now[deed.record] = replace(row, slot=self.slot, value=deed.value, head=False)
                if deed.record in self.plan.case.said:
                    self.desk.store.say_of(self.desk.subject.n, deed.record, self.plan.case.said[deed.record])
            case Merged():
                self._close(deed.record, deed.into, "merged")
                self._hand_over(deed.record, deed.into, MERGED_INTO)
            case Refined():
                self._refine(deed)
            case Questioned():
                self._question(deed)
            case Reviewed():
                self._review(deed)
            case _:
                self._decide(deed)

    def _close(self, record: int, by: int, why: str) -> None:
        """Take a record off the strip altogether: another one stands for it."""
        row = self.work.now[record]
        self.work.cut(record, Cut(period=Period(row.stated_from, row.stated_until), why=why, by=by))
        self.work.supersede(record, by)

    def _hand_over(self, record: int, into: int, kind: str) -> None:
        """Let another record have a record's sources, and carry what was derived from it (R37)."""
        store, subject, tx = self.desk.store, self.desk.subject.n, self.tx
        for source in store.sources([record], tx):
            store.add_source(subject, _given(source, into, tx))
        for edge in store.edges([record], kind="derived_from", incoming=True):
            if edge.released == FOREVER and edge.record != into:
                store.add_edge(EdgeRow(record=edge.record, kind="derived_from", target=into, tx=tx))
                store.release(edge.record, record, tx)
        store.add_edge(EdgeRow(record=record, kind=kind, target=into, tx=tx))

    def _refine(self, deed: Refined) -> None:
        new, old = self.work.now[deed.record], self.work.now[deed.into]
        value = self.plan.case.joining.get(deed.record, new.value)
        taken = replace(new, slot=self.slot, value=value, tx_from=self.tx)
        usual = self.desk.policy.category(new.category).importance
        self.work.now[deed.into] = merged(old, taken, usual)
        self.refined = deed.into
        self._close(deed.record, deed.into, "merged")
        self._hand_over(deed.record, deed.into, MERGED_INTO)

    def _question(self, deed: Questioned) -> None:
        """Let a record wait for a person as a proposal of the same words; the record itself stands no more."""
        row, apart = self.work.now[deed.record], self.plan.case.key is None
        waits = self.desk.policy.limits.proposal_lifetime // timedelta(microseconds=1)
        number = self.desk.store.next_record() + len(self.proposals)
        self.proposals[deed.record] = replace(
            row, n=0, record=number, id=f"rec_{self.desk.new_id()}", tx_from=self.tx, place=self.tx,
            slot=row.slot if apart else self.slot,
            created=self.tx, status=Status.PROPOSED, waits_for="confirm", answer_by=self.tx + waits, trigger=TRIGGER,
            cuts=(), superseded_by=None, head=False, text_n=0,
            value=self.plan.case.joining.get(deed.record, row.value),
        )  # fmt: skip
        self._close(deed.record, number, "asked")

    def _review(self, deed: Reviewed) -> None:
        """Let a person say whether a record still holds, and leave it as it is (R53)."""
        ids = {each.record: each.id for each in (*self.plan.case.rows, *self.plan.case.joined)}
        row, name = self.work.now[deed.record], event(ids[deed.by])
        self.work.now[deed.record] = replace(row, review_events=(*row.review_events, name))
        self.desk.store.add_event(self.desk.subject.n, EventRow(name=normal(name), scope=row.scope, tx=self.tx))

    def _decide(self, deed: Decided) -> None:
        verdict = deed.verdict
        for record, cut in verdict.cuts:
            self.work.cut(record, cut)
        for cut in verdict.own_cuts:
            self.work.cut(deed.record, cut)
        for record in sorted(verdict.superseded):
            self.work.supersede(record, deed.record)

    # --- rows -------------------------------------------------------------------------------------------------------------

    def _add(self, before: dict[int, Revision]) -> None:
        """Insert what needs a text of its own."""
        if self.refined is not None:
            now = replace(self.work.now[self.refined], tx_from=self.tx)
            self.work.now[self.refined] = self.desk.reword(before[self.refined], now, tokens(now.claim))
        for record, proposal in self.proposals.items():
            self.desk.add(proposal, tokens(proposal.claim))
            self._hand_over(record, proposal.record, ASKED_AS)

    def _log(self, deed: Deed, affected: Iterable[int]) -> Logged:
        row = self.work.now[deed.record]
        decision, rule, reason, others = self._told(deed, affected)
        asked = None
        if decision is Decision.CONTEST:
            found = self.work.contests(self.slot or 0)
            asked = next((each.id for each in found if deed.record in each.records), None)
        elif isinstance(deed, Questioned):
            asked = question_id(["confirm", self.proposals[deed.record].id])
        elif isinstance(deed, Reviewed):
            asked = review_id(row, Review(event=row.review_events[-1], since=self.tx))
        logged = self.desk.finish(
            self.tx, decision, rule, reason, record=row, status=row.status, affected=others, question=asked,
            trigger=TRIGGER,
        )  # fmt: skip
        self.carried.steps.append(
            Step(phase=_phase(deed), decision=str(decision), rule=rule, record=row.id, affected=logged[1].affected)
        )
        return logged

    def _told(self, deed: Deed, affected: Iterable[int]) -> tuple[Decision, str, str, list[int]]:
        match deed:
            case Filed(aside=True):
                return (
                    Decision.UPDATE,
                    "aside",
                    "it says more than another one and doesn't contradict it; both stand",
                    [],
                )
            case Filed():
                return Decision.UPDATE, "adopted", "it is filed under the question that its words answer", []
            case Merged():
                return (
                    Decision.SUPERSEDE,
                    "merged",
                    f"another record says it all ({deed.rule}); its sources are that one's now",
                    [deed.into],
                )
            case Refined():
                return (
                    Decision.UPDATE,
                    "refined",
                    "an older record says more now, in its words; its sources are that one's",
                    [deed.into],
                )
            case Reviewed():
                reason = "more than its share would be closed in this run; a person says whether it still holds"
                return Decision.CONFIRM, "share", reason, [deed.by]
            case Questioned():
                return Decision.CONFIRM, deed.rule, deed.reason, [self.proposals[deed.record].record]
            case _:
                verdict, touched = deed.verdict, set(affected)
                named = verdict.superseded | verdict.contested_with | {record for record, _ in verdict.cuts}
                rule = "model" if self.plan.case.judged else verdict.rule
                return verdict.decision, rule, verdict.reason, sorted((named & touched) - {deed.record})


def _given(source: SourceRow, into: int, tx: Instant) -> SourceRow:
    return replace(source, record=into, tx=tx)


def _phase(deed: Deed) -> str:
    match deed:
        case Filed():
            return "adopt"
        case Merged() | Refined():
            return "duplicates"
        case _:
            return "contradictions"


def adopt(desk: Desk, plans: Iterable[Plan], carried: Carried) -> Logged | None:
    """File several records under questions of their own that nothing was ever filed under, in one transaction.

    One that isn't alone there any more is left to a later step.
    """
    tx: Instant | None = None
    for plan in plans:
        case, row = plan.case, plan.case.joined[0]
        current = desk.store.current_by_number(desk.subject.n, [row.record])
        assert case.key is not None
        changed = [each.n for each in current] != [row.n] or names_of(desk.store, desk.subject.n) != case.names
        if changed or desk.store.slots(desk.subject.n, case.key, [case.scope]):
            continue
        tx = tx or desk.instant()
        slot = desk.store.bump_slot(desk.subject.n, case.key, case.scope)
        if row.record in case.said:
            desk.store.say_of(desk.subject.n, row.record, case.said[row.record])
        work = SlotWork(current, tx)
        work.load(desk.store, slot.n)
        work.put(replace(row, slot=slot.n, value=case.joining[row.record]))
        work.write(desk.store)
        reason = "it is filed under the question that its words answer"
        carried.logged = desk.finish(
            tx, Decision.UPDATE, "adopted", reason, record=row, status=row.status, trigger=TRIGGER
        )  # fmt: skip
        carried.steps.append(Step(phase="adopt", decision="UPDATE", rule="adopted", record=row.id))
        reached("adopted")
    return carried.logged


def flatten(desk: Desk, flat: dict[int, tuple[int, int]], carried: Carried) -> Logged | None:
    """Let records point to the head of their chain; what their links went through stays for the audit (R28).

    Parameters
    ----------
    flat
        By record: the revision that was looked at, and the head.
    """
    numbers, tx = sorted(flat), desk.instant()
    rows = [each for part in parts(numbers) for each in desk.store.current_by_number(desk.subject.n, part)]
    if {each.record: each.n for each in rows} != {record: n for record, (n, _) in flat.items()}:
        raise Changed
    heads = desk.store.current_by_number(desk.subject.n, sorted({head for _, head in flat.values()}))
    if any(each.status not in (Status.ACTIVE, Status.CONTESTED) for each in heads) or not heads:
        raise Changed
    by_head: dict[int, list[int]] = {}
    for row in rows:
        head = flat[row.record][1]
        desk.store.revise(row, replace(row, tx_from=tx, superseded_by=head))
        by_head.setdefault(head, []).append(row.record)
        reached("flattening")
    for each in heads:
        reason = "what it replaced through others points to it now; those are kept"
        carried.logged = desk.finish(
            tx, Decision.UPDATE, "flattened", reason, record=each, status=each.status,
            affected=by_head[each.record], trigger=TRIGGER,
        )  # fmt: skip
        carried.steps.append(Step(
            phase="chains", decision="UPDATE", rule="flattened", record=each.id, affected=carried.logged[1].affected
        ))  # fmt: skip
    return carried.logged
