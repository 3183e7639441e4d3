"""What a step of consolidation is based on, read from one snapshot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from stead.lifecycle.consolidate.aiming import Aim, aim, made_for
from stead.lifecycle.consolidate.grouping import Keys, answered
from stead.lifecycle.consolidate.plan import Case, Group, Merged, Plan
from stead.lifecycle.consolidate.reading import questions
from stead.lifecycle.consolidate.replay import replay
from stead.lifecycle.consolidate.terms import comparable, is_live, may_merge
from stead.model.period import ALL_TIME, Instant
from stead.model.slot import Slot, SlotKey
from stead.policy import Policy
from stead.resolve.text import Finding, Kind, compare
from stead.store.protocol import ReadTx
from stead.store.values import Revision

MERGED_INTO = "merged_into"
"""The edge from a record that says nothing more to the one that says it all; it stays after a rollback."""
CHUNK = 500
"""Rows named in one query."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reads:
    """One snapshot of one subject, and what decides with it."""

    store: ReadTx
    subject: int
    policy: Policy
    now: Instant
    related: frozenset[tuple[int, int]] = field(default=frozenset())
    """Pairs of which a model said that they contradict."""

    def rows(self, records: Sequence[int]) -> list[Revision]:
        """Return records as they are now, in the order in which they were said."""
        found = [
            each
            for start in range(0, len(records), CHUNK)
            for each in self.store.current_by_number(self.subject, records[start : start + CHUNK])
        ]
        return sorted(found, key=lambda each: (each.place, each.record))

    def keys(self, rows: Sequence[Revision]) -> Keys:
        """Return the slots of records, by number."""
        numbers = sorted({each.slot for each in rows if each.slot is not None})
        return {
            each.n: each.key
            for start in range(0, len(numbers), CHUNK)
            for each in self.store.slots_by_number(self.subject, numbers[start : start + CHUNK])
        }

    def plan(self, group: Group, allowance: int) -> Plan | None:
        """Decide on a group as it is now; None where there is nothing to decide any more."""
        rows = [each for each in self.rows(group.records) if is_live(each, self.now)]
        if not rows or (group.key is None and len(rows) < 2):
            return None
        keys = self.keys(rows)
        if group.key is not None:
            return self._question(group, rows, keys, allowance)
        return self._pair(group, rows[0], rows[1], keys, allowance)

    def _question(self, group: Group, rows: Sequence[Revision], keys: Keys, allowance: int) -> Plan | None:
        key = group.key
        assert key is not None
        joining = {
            each.record: questions(each.claim)[key][0]
            for each in rows
            if each.slot is None and answered(each, keys) == key
        }
        return replay(self.case(group.phase, key, rows, joining), allowance)

    def _pair(self, group: Group, old: Revision, new: Revision, keys: Keys, allowance: int) -> Plan | None:
        fixed = self.fixed((old, new)) | self.unmovable((old, new))
        if (old.record, new.record) in self.related:
            aimed: Aim | None = None
            if (
                new.record not in fixed
                and comparable(old, new)
                and not _is_named(old, keys)
                and not _is_named(new, keys)
            ):
                aimed = made_for(old, new, keys)
            return (
                None
                if aimed is None
                else replay(self.case(group.phase, aimed.key, (old, new), aimed.joining, judged=True), allowance)
            )
        found = compare(old.claim, new.claim)
        if found.kind is Kind.CONTRADICTS:
            aimed = aim(old, new, keys, fixed)
            if aimed is None:
                return self._left(group, old, new, "apart")
            return replay(self.case(group.phase, aimed.key, (old, new), aimed.joining), allowance)
        if found.kind in (Kind.SAME, Kind.COARSER):
            return self._merge(group, old, new, found, keys, fixed, allowance)
        if found.kind is Kind.REFINES:
            return self._refine(group, old, new, keys, fixed, allowance)
        return None

    def _merge(
        self,
        group: Group,
        old: Revision,
        new: Revision,
        found: Finding,
        keys: Keys,
        fixed: frozenset[int],
        allowance: int,
    ) -> Plan | None:
        if not comparable(old, new):
            return None
        plan = self._left(group, old, new, "terms")
        taken_apart = (new.record, old.record) in plan.case.merged_before
        if taken_apart or new.record in fixed or _is_named(new, keys) or not may_merge(old, new):
            return plan
        plan.left = []
        if allowance < 1:
            plan.left.append("share")
        else:
            plan.closes = 1
            plan.deeds.append(Merged(record=new.record, into=old.record, rule=found.rule))
        return plan

    def _refine(
        self, group: Group, old: Revision, new: Revision, keys: Keys, fixed: frozenset[int], allowance: int
    ) -> Plan | None:
        """A claim that says more becomes the next wording of the older one; where it can't, both stand, as at a write."""
        key = answered(new, keys)
        named = _is_named(old, keys) or _is_named(new, keys)
        if key is None or named or not {old.record, new.record}.isdisjoint(fixed) or not comparable(old, new):
            return None
        answer = questions(new.claim)[key][0] if key in questions(new.claim) else new.value
        joining = {old.record: questions(old.claim).get(key, (answer, True))[0]}
        if new.slot is None:
            joining[new.record] = answer
        plan = replay(self.case(group.phase, key, (old, new), joining), allowance)
        return plan if any(isinstance(each, Merged) or each.record == new.record for each in plan.deeds) else None

    def _left(self, group: Group, old: Revision, new: Revision, reason: str) -> Plan:
        case = Case(
            phase=group.phase, key=None, scope=old.scope, slot=None, rows=(old, new), joining={}, joined=(),
            fixed=self.fixed((old, new)), merged_before=self._merged((old, new)), speakers={}, high_stakes=frozenset(),
            now=self.now,
        )  # fmt: skip
        return Plan(case=case, left=[reason])

    def case(
        self,
        phase: str,
        key: SlotKey,
        rows: Sequence[Revision],
        joining: Mapping[int, str | None],
        *,
        judged: bool = False,
    ) -> Case:
        """Return a question with all that is laid in it, and those of the records that would join it."""
        scope = rows[0].scope
        found = self.store.slots(self.subject, key, [scope])
        laid = self.store.laid([found[0].n], ALL_TIME, None) if found else []
        joined = [each for each in rows if each.record in joining and all(each.record != one.record for one in laid)]
        everything = [*laid, *joined]
        slot = None if key.from_text else Slot(key.attribute, entity=key.entity, object=key.object)
        numbers = [each.record for each in everything]
        speakers: dict[int, set[str]] = {}
        for source in self._sources(numbers):
            speakers.setdefault(source[0], set()).add(source[1])
        return Case(
            phase=phase, key=key, scope=scope, slot=found[0].n if found else None, rows=laid,
            joining={each.record: joining[each.record] for each in joined}, joined=joined,
            fixed=self.fixed(everything), merged_before=self._merged(everything),
            speakers={record: frozenset(each) for record, each in speakers.items()},
            high_stakes=frozenset(
                each.record for each in everything
                if any(one.stakes == "high" for one in self.policy.categories_of(each.category, slot))
            ),
            now=self.now, judged=judged,
        )  # fmt: skip

    def _sources(self, records: Sequence[int]) -> Iterator[tuple[int, str]]:
        for start in range(0, len(records), CHUNK):
            for each in self.store.sources(records[start : start + CHUNK], self.now):
                yield each.record, each.speaker

    def fixed(self, rows: Sequence[Revision]) -> frozenset[int]:
        """Return the records because of which others ended: to undo that, each must stay what and where it is (R28)."""
        numbers = [each.record for each in rows]
        causes = {cut.by for each in rows for cut in each.cuts}
        found = {each for each in numbers if each in causes}
        for start in range(0, len(numbers), CHUNK):
            found |= self.store.replacing(self.subject, numbers[start : start + CHUNK])
        return frozenset(found)

    def unmovable(self, rows: Sequence[Revision]) -> frozenset[int]:
        """Return the records that share their question with others, or have ends that were put on them there."""
        return frozenset(
            each.record for each in rows if each.slot is not None and (each.cuts or not self._is_alone(each))
        )

    def _is_alone(self, row: Revision) -> bool:
        return all(each.record == row.record for each in self.store.laid([row.slot or 0], ALL_TIME, None))

    def _merged(self, rows: Sequence[Revision]) -> frozenset[tuple[int, int]]:
        numbers = [each.record for each in rows]
        return frozenset(
            (edge.record, edge.target)
            for start in range(0, len(numbers), CHUNK)
            for edge in self.store.edges(numbers[start : start + CHUNK], kind=MERGED_INTO)
        )


def _is_named(row: Revision, keys: Keys) -> bool:
    return row.slot is not None and not keys[row.slot].from_text
