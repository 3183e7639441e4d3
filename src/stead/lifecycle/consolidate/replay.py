"""What the claims of one question do to each other: decided one after the other, as writes would have decided them (R21, R25).

The claims come in the order in which they were said. Each one meets what was said before it: the same resolver lays the strip,
the same table arbitrates. What has its ends already comes out as it is, so only what a write missed is found.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from stead.lifecycle.consolidate.plan import Case, Decided, Filed, Merged, Plan, Questioned, Refined
from stead.lifecycle.consolidate.terms import comparable, covers, is_live, may_merge, may_refine, same_terms
from stead.model.outcome import Decision
from stead.model.period import Period
from stead.model.record import LAID, Status
from stead.model.slot import SlotKey
from stead.resolve import Verdict, arbitrate, resolve
from stead.resolve.arbitrate import disputed
from stead.resolve.text import Kind, compare
from stead.store.values import Revision, statement

MOST: Final = 128
"""Claims of one question that still stand; what has more is a list and no question, and is left."""
_ENOUGH: Final = 512
"""Laid claims that are looked at in one question."""


def replay(case: Case, allowance: int) -> Plan:
    """Decide on one question.

    Parameters
    ----------
    case
        What is laid there, and what would be filed there.
    allowance
        How many records may still be closed without a review.

    Returns
    -------
    Plan
        Without deeds where everything is as a write would have left it.
    """
    return _Replay(case=case, allowance=allowance, plan=Plan(case=case)).run()


@dataclass(slots=True, kw_only=True)
class _Replay:
    case: Case
    allowance: int
    plan: Plan

    def run(self) -> Plan:
        case, state = self.case, dict[int, Revision]()
        rows = [*case.rows, *(replace(each, slot=case.slot, value=case.joining[each.record]) for each in case.joined)]
        live = [each for each in rows if is_live(each, case.now)]
        if len(live) > MOST or len(rows) > _ENOUGH:
            self.plan.left.append("too_many")
            return self.plan
        if len(live) == len(rows) == 1 and case.joined:
            self.plan.deeds.append(Filed(record=live[0].record, value=live[0].value))
            return self.plan
        for row in sorted(rows, key=lambda each: (each.place, each.record)):
            if row.status not in LAID or row.expired(case.now) or (row.names and row.record in case.joining):
                continue  # what overrides by name does so wherever that is filed
            if not is_live(row, case.now) or row.names or self._meets(row, state):
                state[row.record] = row
        return self.plan

    # --- one claim, and what was said before it ---------------------------------------------------------------------------

    def _meets(self, row: Revision, state: dict[int, Revision]) -> bool:
        """Decide on one claim; return whether it is laid in the question afterwards, as it was."""
        before = list(state.values())
        if self._is_in_words(row) and (done := self._compared(row, before, state)) is not None:
            return done
        same = frozenset(each.record for each in before if same_terms(each, row))
        verdict = resolve(statement(row), [statement(each) for each in before], same_terms=same)
        if verdict.decision is Decision.NOOP:
            return self._known(row, verdict, state)
        verdict = arbitrate(
            verdict, statement(row), [statement(each) for each in before],
            high_stakes=row.record in self.case.high_stakes, speakers=lambda records: self._speakers(row, records),
        )  # fmt: skip
        if verdict.decision is Decision.CONFIRM:
            return self._question(row, verdict, before)
        return self._lay(row, verdict, state)

    def _is_in_words(self, row: Revision) -> bool:
        """Tell whether its own words filed it: a slot that a caller named isn't second-guessed."""
        return row.record in self.case.joining or self._key.from_text

    @property
    def _key(self) -> SlotKey:
        assert self.case.key is not None
        return self.case.key

    def _compared(self, row: Revision, before: list[Revision], state: dict[int, Revision]) -> bool | None:
        """Return what became of a claim beside those that say the same, more or less; None: the strip decides."""
        for old in before:
            if not is_live(old, self.case.now) or not comparable(old, row):
                continue
            found = compare(old.claim, row.claim)
            kind, rule = found.kind, found.rule
            if kind in (Kind.SAME, Kind.COARSER) and self._may_merge(old, row) and _alone_in(old, row, before):
                return self._merge(row, old, rule)
            if kind is Kind.REFINES and self._may_refine(old, row, state):
                return self._refine(row, old, rule, state)
            if kind in (Kind.REFINES, Kind.COARSER):
                return self._aside(row)
            if kind is Kind.UNRELATED and not self.case.judged and statement(old).value != statement(row).value:
                return self._leave(row, "unclear")
        return None

    def _may_merge(self, old: Revision, row: Revision) -> bool:
        taken_apart = (row.record, old.record) in self.case.merged_before
        return row.record not in self.case.fixed and not taken_apart and may_merge(old, row)

    def _may_refine(self, old: Revision, row: Revision, state: dict[int, Revision]) -> bool:
        alone = all(each.record == old.record or not each.pieces() for each in state.values())
        both_move = self.case.fixed.isdisjoint({old.record, row.record})
        again = any(isinstance(each, Refined) for each in self.plan.deeds)
        named = not self._key.from_text or (row.record, old.record) in self.case.merged_before
        return alone and both_move and not again and not named and may_refine(old, row)

    def _closes(self, count: int) -> bool:
        """Take some of the allowance, if there is enough of it."""
        if self.plan.closes + count > self.allowance:
            return False
        self.plan.closes += count
        return True

    def _leave(self, row: Revision, reason: str) -> bool:
        self.plan.left.append(reason)
        return row.record not in self.case.joining

    def _merge(self, row: Revision, old: Revision, rule: str) -> bool:
        if not self._closes(1):
            return self._leave(row, "share")
        self.plan.deeds.append(Merged(record=row.record, into=old.record, rule=rule))
        return False

    def _refine(self, row: Revision, old: Revision, rule: str, state: dict[int, Revision]) -> bool:
        if not self._closes(1):
            return self._leave(row, "share")
        self.plan.deeds.append(Refined(record=row.record, into=old.record, rule=rule))
        state[old.record] = replace(old, claim=row.claim, value=row.value)
        return False

    def _aside(self, row: Revision) -> bool:
        """Let both stand: what says more doesn't contradict. What is filed there already is taken out again."""
        if row.record in self.case.joining:
            return False
        if row.record in self.case.fixed or row.cuts:
            return self._leave(row, "more_detail")
        self.plan.deeds.append(Filed(record=row.record, value=None, aside=True))
        return False

    def _known(self, row: Revision, verdict: Verdict, state: dict[int, Revision]) -> bool:
        holder = state[verdict.known_in[0]]
        if len(verdict.known_in) == 1 and covers(holder, row) and self._may_merge(holder, row):
            return self._merge(row, holder, "known")
        if row.record in self.case.joining:
            self.plan.deeds.append(Filed(record=row.record, value=row.value))
        return True

    def _question(self, row: Revision, verdict: Verdict, before: list[Revision]) -> bool:
        """Let a claim wait for a person that a write would only have proposed; a contest that is open asks already."""
        against = {each.record: each for each in before}
        other = disputed(statement(row), [statement(each) for each in before])
        asked = row.status == Status.CONTESTED and all(against[each].status == Status.CONTESTED for each in other)
        if asked:
            return True
        if row.record in self.case.fixed or row.status != Status.ACTIVE or row.meaning == "corrected":
            return self._leave(row, "protected")
        if not self._closes(1):
            return self._leave(row, "share")
        self.plan.deeds.append(Questioned(record=row.record, rule=verdict.rule, reason=verdict.reason))
        return False

    def _lay(self, row: Revision, verdict: Verdict, state: dict[int, Revision]) -> bool:
        """Lay a claim with the ends that it puts on others."""
        ended = [each for each in verdict.superseded if state[each].status in (Status.ACTIVE, Status.CONTESTED)]
        contested = [row, *(state[each] for each in verdict.contested_with)]
        asks = bool(verdict.contested_with) and any(each.status == Status.ACTIVE for each in contested)
        cuts = [(record, cut) for record, cut in verdict.cuts if _takes_off(state[record], cut.period)]
        if row.record in self.case.joining:
            self.plan.deeds.append(Filed(record=row.record, value=row.value))
        if not (ended or cuts or asks or verdict.own_cuts):
            return True
        if not self._closes(len(ended)):
            self.plan.deeds = [each for each in self.plan.deeds if each != Filed(record=row.record, value=row.value)]
            return self._leave(row, "share")
        self.plan.deeds.append(Decided(record=row.record, verdict=replace(verdict, cuts=tuple(cuts))))
        for record, cut in cuts:
            state[record] = replace(state[record], cuts=(*state[record].cuts, cut))
        for record in verdict.superseded:
            state[record] = replace(state[record], status=Status.SUPERSEDED)
        for record in verdict.contested_with:
            state[record] = replace(state[record], status=Status.CONTESTED)
        status = Status.CONTESTED if verdict.contested_with else row.status
        state[row.record] = replace(row, cuts=(*row.cuts, *verdict.own_cuts), status=status)
        return False

    def _speakers(self, row: Revision, records: frozenset[int]) -> int:
        behind = self.case.speakers
        return max((len(behind.get(each, frozenset()) - {row.speaker}) for each in records), default=0)


def _alone_in(old: Revision, row: Revision, before: list[Revision]) -> bool:
    """Tell whether nothing else that says otherwise reaches into a record: what it hides would show again without it."""
    window, value = Period(row.stated_from, row.stated_until), statement(old).value
    others = (each for each in before if each.record != old.record and statement(each).value != value)
    return not any(piece.overlaps(window) for each in others for piece in each.pieces())


def _takes_off(row: Revision, period: Period) -> bool:
    return any(piece.overlaps(period) for piece in row.pieces())
