"""What the claims of one question do to each other: decided one after the other, as writes would have decided them (R21, R25).

The claims come in the order in which they were said. Each one meets what was said before it: the same resolver lays the strip,
the same table arbitrates. What has its ends already comes out as it is, so only what a write missed is found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from stead.lifecycle.consolidate.plan import Case, Decided, Deed, Filed, Merged, Plan, Questioned, Refined
from stead.lifecycle.consolidate.reading import question
from stead.lifecycle.consolidate.share import may_close
from stead.lifecycle.consolidate.terms import LIVE, comparable, covers, is_live, may_merge, may_refine, same_terms
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
PART: Final = 100
"""Deeds of one step; what has more goes on in the next one."""
_ENOUGH: Final = 2_000
"""Claims that are looked at in one question, with those that have ended."""


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
    return _Replay(case=case, allowance=allowance, plan=Plan(case=case), behind=dict(case.speakers)).run()


@dataclass(slots=True, kw_only=True)
class _Replay:
    case: Case
    allowance: int
    plan: Plan
    behind: dict[int, frozenset[str]]
    """Who stands behind each record, with what was merged into it."""

    def run(self) -> Plan:
        case, state = self.case, dict[int, Revision]()
        rows = [*case.rows, *(replace(each, slot=case.slot, value=case.joining[each.record]) for each in case.joined)]
        live = [each for each in rows if is_live(each, case.now)]
        if len(rows) > _ENOUGH:
            self.plan.left.append("too_many")
            return self.plan
        if len(live) == len(rows) == 1 and case.joined:
            self.plan.deeds.append(Filed(record=live[0].record, value=live[0].value))
            return self.plan
        standing = 0
        for row in sorted(rows, key=lambda each: (each.place, each.record)):
            if row.status not in LAID or row.expired(case.now):
                continue
            if row.record in case.joining and (row.names or row.record in case.unserved):
                continue  # what overrides by name does so wherever it is filed; what isn't served says nothing
            decides = is_live(row, case.now) and not row.names and row.record not in case.unserved
            if decides and len(self.plan.deeds) >= PART:
                self.plan.more = True
                break
            if decides and standing >= MOST:
                self.plan.left.append("too_many")
                break
            if not decides or self._meets(row, state):
                state[row.record] = row
            standing = sum(is_live(each, case.now) for each in state.values()) if decides else standing
        return self.plan

    # --- one claim, and what was said before it ---------------------------------------------------------------------------

    def _meets(self, row: Revision, state: dict[int, Revision]) -> bool:
        """Decide on one claim; return whether it is laid in the question afterwards, as it was."""
        before = list(state.values())
        if self._is_in_words(row):
            done = self._compared(row, before, state)
            if done is not None:
                return done
            if any(self._restates(old, row) for old in before):
                return self._leave(row, "terms")
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
            if (
                kind is Kind.SAME
                and row.record in self.case.joining
                and not (old.rank < row.rank and same_terms(old, row))
            ):
                return self._leave(row, "terms")
            if kind is Kind.REFINES and self._may_refine(old, row, state):
                if any(isinstance(each, Refined) for each in self.plan.deeds):
                    self.plan.more = True  # one rewording a step
                    return self._stays(row)
                return self._refine(row, old, rule, state)
            if kind in (Kind.REFINES, Kind.COARSER):
                return self._aside(row)
            unclear = kind is Kind.UNRELATED and not self.case.judged and not self._under_names(old, row)
            if unclear and statement(old).value != statement(row).value:
                return self._leave(row, "unclear")
        return None

    def _restates(self, old: Revision, row: Revision) -> bool:
        """Tell whether a claim that isn't filed yet gives an answer that stands, for other readers or within other limits."""
        same = row.record in self.case.joining and statement(old).value == statement(row).value and old.rank >= row.rank
        return same and is_live(old, self.case.now) and not same_terms(old, row)

    def _under_names(self, old: Revision, row: Revision) -> bool:
        """Tell whether two claims name one entity by different names: their words alone can't be compared (R21)."""
        one, two = question(old), question(row)
        if not self.case.names.means or one is None or two is None or one[0] == two[0]:
            return False
        return self.case.names.key(one[0]) == self.case.names.key(two[0])

    def _may_merge(self, old: Revision, row: Revision) -> bool:
        taken_apart = (row.record, old.record) in self.case.merged_before
        served = old.record not in self.case.unserved
        return served and row.record not in self.case.fixed and not taken_apart and may_merge(old, row)

    def _may_refine(self, old: Revision, row: Revision, state: dict[int, Revision]) -> bool:
        alone = all(each.record == old.record or not each.pieces() for each in state.values())
        both_move = self.case.fixed.isdisjoint({old.record, row.record})
        named = not self._key.from_text or (row.record, old.record) in self.case.merged_before
        served = old.record not in self.case.unserved
        return served and alone and both_move and not named and may_refine(old, row)

    def _closes(self, closing: Sequence[Revision], by: Revision) -> bool:
        return may_close(self.plan, self.allowance, closing, by)

    def _leave(self, row: Revision, reason: str) -> bool:
        self.plan.left.append(reason)
        return row.record not in self.case.joining

    def _stays(self, row: Revision) -> bool:
        """Return whether a claim is laid in the question, as nothing is done about it."""
        return row.record not in self.case.joining

    def _merge(self, row: Revision, old: Revision, rule: str) -> bool:
        """Merge; where the other one says the very same, nothing that was said is closed by it."""
        if rule == "less_detail" and not self._closes([row], old):
            return self._stays(row)
        self.plan.deeds.append(Merged(record=row.record, into=old.record, rule=rule))
        self._stand_behind(row, old)
        return False

    def _stand_behind(self, row: Revision, old: Revision) -> None:
        nobody = frozenset[str]()
        self.behind[old.record] = self.behind.get(old.record, nobody) | self.behind.get(row.record, nobody)

    def _refine(self, row: Revision, old: Revision, rule: str, state: dict[int, Revision]) -> bool:
        if not self._closes([row], old):
            return self._stays(row)
        self.plan.deeds.append(Refined(record=row.record, into=old.record, rule=rule))
        self._stand_behind(row, old)
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
        if self._is_in_words(row) and holder.claim_key != row.claim_key:
            return self._aside(row)  # the same answer, with other details
        if len(verdict.known_in) == 1 and covers(holder, row) and self._may_merge(holder, row):
            return self._merge(row, holder, "known")
        return self._stays(row)

    def _question(self, row: Revision, verdict: Verdict, before: list[Revision]) -> bool:
        """Let a claim wait for a person that a write would only have proposed; a contest that is open asks already."""
        against = {each.record: each for each in before}
        other = disputed(statement(row), [statement(each) for each in before])
        asked = row.status == Status.CONTESTED and all(against[each].status == Status.CONTESTED for each in other)
        if asked:
            return True
        if row.record in self.case.fixed or row.status != Status.ACTIVE or row.meaning == "corrected":
            return self._leave(row, "protected")
        if row.record in self.case.asked_before:
            return self._leave(row, "asked_before")
        if not self._closes([row], against[min(other)]):
            return self._stays(row)
        self.plan.deeds.append(Questioned(record=row.record, rule=verdict.rule, reason=verdict.reason))
        return False

    def _lay(self, row: Revision, verdict: Verdict, state: dict[int, Revision]) -> bool:
        """Lay a claim with the ends that it puts on others."""
        contested = [row, *(state[each] for each in verdict.contested_with)]
        asks = bool(verdict.contested_with) and any(each.status == Status.ACTIVE for each in contested)
        verdict = without_known_ends(verdict, row, state)
        ended = [each for each in state.values() if each.status in LIVE and _is_closed(each, verdict)]
        filed: list[Deed] = [Filed(record=row.record, value=row.value)] if row.record in self.case.joining else []
        if not (ended or verdict.cuts or asks or verdict.own_cuts):
            self.plan.deeds += filed
            return True
        if not self._closes(ended, row):
            return self._stays(row)
        self.plan.deeds += filed
        self.plan.deeds.append(Decided(record=row.record, verdict=verdict))
        for record, cut in verdict.cuts:
            state[record] = replace(state[record], cuts=(*state[record].cuts, cut))
        for record in verdict.superseded:
            state[record] = replace(state[record], status=Status.SUPERSEDED)
        for record in verdict.contested_with:
            state[record] = replace(state[record], status=Status.CONTESTED)
        status = Status.CONTESTED if verdict.contested_with else row.status
        state[row.record] = replace(row, cuts=(*row.cuts, *verdict.own_cuts), status=status)
        return False

    def _speakers(self, row: Revision, records: frozenset[int]) -> int:
        return max((len(self.behind.get(each, frozenset()) - {row.speaker}) for each in records), default=0)


def _alone_in(old: Revision, row: Revision, before: list[Revision]) -> bool:
    """Tell whether nothing else that says otherwise reaches into a record: what it hides would show again without it."""
    window, value = Period(row.stated_from, row.stated_until), statement(old).value
    others = (each for each in before if each.record != old.record and statement(each).value != value)
    return not any(piece.overlaps(window) for each in others for piece in each.pieces())


def _is_closed(row: Revision, verdict: Verdict) -> bool:
    """Tell whether a record stands no more after a verdict: superseded, or corrected wherever it held."""
    cuts = tuple(cut for record, cut in verdict.cuts if record == row.record)
    corrected = any(cut.why == "corrected" for cut in cuts) and not replace(row, cuts=(*row.cuts, *cuts)).pieces()
    return row.record in verdict.superseded or corrected


def without_known_ends(verdict: Verdict, row: Revision, others: Mapping[int, Revision]) -> Verdict:
    """Return what a verdict says without the ends that are there already: deciding again changes nothing."""
    return replace(
        verdict,
        cuts=tuple((record, cut) for record, cut in verdict.cuts if _takes_off(others[record], cut.period)),
        own_cuts=tuple(cut for cut in verdict.own_cuts if _takes_off(row, cut.period)),
    )


def _takes_off(row: Revision, period: Period) -> bool:
    return any(piece.overlaps(period) for piece in row.pieces())
