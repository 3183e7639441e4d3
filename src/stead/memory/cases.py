"""What a step of consolidation is based on, read from one snapshot."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from stead.lifecycle.consolidate.aiming import aim, made_for
from stead.lifecycle.consolidate.grouping import Keys, answered
from stead.lifecycle.consolidate.plan import Case, Decided, Group, Merged, Plan, Questioned, Refined, Reviewed
from stead.lifecycle.consolidate.reading import questions
from stead.lifecycle.consolidate.replay import replay, without_known_ends
from stead.lifecycle.consolidate.share import may_close
from stead.lifecycle.consolidate.terms import comparable, is_live, may_merge
from stead.memory.unslotted import opposed
from stead.model.outcome import Decision
from stead.model.period import ALL_TIME, Instant
from stead.model.record import Meaning, Status
from stead.model.slot import Slot, SlotKey
from stead.policy import Policy
from stead.recall.derived import unsupported
from stead.recall.names import NO_NAMES, Names
from stead.resolve import arbitrate, resolve
from stead.resolve.text import Finding, Kind, compare
from stead.store.protocol import ReadTx
from stead.store.values import Revision, parts

MERGED_INTO = "merged_into"
"""The edge from a record that says nothing more to the one that says it all; it stays after a rollback."""
ASKED_AS = "asked_as"
"""The edge from a record to the proposal that it became; it stays after a rollback."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reads:
    """One snapshot of one subject, and what decides with it."""

    store: ReadTx
    subject: int
    policy: Policy
    now: Instant
    related: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """What a model said of pairs: ``contradicts`` or ``same``."""
    names: Names = NO_NAMES
    """Which names mean one entity today."""

    def rows(self, records: Sequence[int]) -> list[Revision]:
        """Return records as they are now, in the order in which they were said."""
        found = [each for part in parts(records) for each in self.store.current_by_number(self.subject, part)]
        return sorted(found, key=lambda each: (each.place, each.record))

    def keys(self, rows: Sequence[Revision]) -> Keys:
        """Return the slots of records, by number."""
        numbers = sorted({each.slot for each in rows if each.slot is not None})
        return {each.n: each.key for part in parts(numbers) for each in self.store.slots_by_number(self.subject, part)}

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
            each.record: questions(each, self.names)[key].value
            for each in rows
            if each.slot is None and answered(each, keys, self.names) == key
        }
        return replay(self.case(group.phase, key, rows, joining), allowance)

    def _pair(self, group: Group, old: Revision, new: Revision, keys: Keys, allowance: int) -> Plan | None:
        fixed = self.fixed((old, new)) | self.unmovable((old, new))
        said = self.related.get((old.record, new.record))
        if said == Kind.SAME:
            return self._merge(group, old, new, _MODEL, keys, fixed, allowance)
        if said is not None:
            named = _is_named(old, keys) or _is_named(new, keys)
            if new.record in fixed or named or not comparable(old, new):
                return None
            made = made_for(old, new, keys, self.names)
            case = self.case(group.phase, made.key, (old, new), made.joining, said=made.said, judged=True)
            return replay(case, allowance)
        found = compare(old.claim, new.claim)
        if found.kind is Kind.CONTRADICTS:
            aimed = aim(old, new, keys, self.names, fixed)
            if aimed is None:
                return self._apart(group, old, new, fixed, allowance)
            return replay(self.case(group.phase, aimed.key, (old, new), aimed.joining, said=aimed.said), allowance)
        if found.kind in (Kind.SAME, Kind.COARSER):
            return self._merge(group, old, new, found, keys, fixed, allowance)
        if found.kind is Kind.REFINES:
            return self._refine(group, old, new, keys, fixed, allowance)
        return None

    def _apart(self, group: Group, old: Revision, new: Revision, fixed: frozenset[int], allowance: int) -> Plan:
        """Decide on two claims that contradict each other under questions of their own: a strip of the two, as at a write."""
        plan = self._left(group, old, new, "apart")
        if not comparable(old, new) or not plan.case.unserved.isdisjoint({old.record, new.record}):
            return plan
        one, others = opposed(new, old)
        high = any(each.stakes == "high" for each in self.policy.categories_of(new.category, None))
        verdict = arbitrate(
            resolve(one, others, same_terms=frozenset()), one, others, high_stakes=high,
            speakers=lambda _: len({speaker for _, speaker in self._sources([old.record])} - {new.speaker}),
        )  # fmt: skip
        if verdict.decision in (Decision.CONFIRM, Decision.CONTEST):
            protected = new.record in fixed or new.status != Status.ACTIVE or new.meaning == Meaning.CORRECTED
            plan.left = ["protected"] if protected else ["asked_before"] if self._edges([new], ASKED_AS) else []
            if not plan.left and may_close(plan, allowance, [new], old):
                plan.deeds.append(Questioned(record=new.record, rule=verdict.rule, reason=verdict.reason))
            return plan
        verdict = without_known_ends(verdict, new, {old.record: old})
        if verdict.cuts or verdict.own_cuts:
            plan.left = []
            if may_close(plan, allowance, [old] if verdict.superseded else [], new):
                plan.deeds.append(Decided(record=new.record, verdict=verdict))
        return plan

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
        unserved = not plan.case.unserved.isdisjoint({old.record, new.record})
        if taken_apart or unserved or new.record in fixed or _is_named(new, keys) or not may_merge(old, new):
            return plan
        plan.left = []
        exactly = found.kind is Kind.SAME and found is not _MODEL  # a model's word alone takes from the share
        if exactly or may_close(plan, allowance, [new], old):
            plan.deeds.append(Merged(record=new.record, into=old.record, rule=found.rule))
        return plan

    def _refine(
        self, group: Group, old: Revision, new: Revision, keys: Keys, fixed: frozenset[int], allowance: int
    ) -> Plan | None:
        """A claim that says more becomes the next wording of the older one; where it can't, both stand, as at a write."""
        key = answered(new, keys, self.names)
        named = _is_named(old, keys) or _is_named(new, keys)
        if key is None or named or not {old.record, new.record}.isdisjoint(fixed) or not comparable(old, new):
            return None
        mine, theirs = questions(new, self.names).get(key), questions(old, self.names).get(key)
        answer = mine.value if mine else new.value
        joining = {old.record: theirs.value if theirs else answer}
        if new.slot is None:
            joining[new.record] = answer
        plan = replay(self.case(group.phase, key, (old, new), joining), allowance)
        if not any(isinstance(each, Refined) for each in plan.deeds):  # it was about these two, not about the question
            plan.deeds = [each for each in plan.deeds if isinstance(each, Merged | Reviewed)]
        return plan if plan.deeds or plan.left else None

    def _left(self, group: Group, old: Revision, new: Revision, reason: str) -> Plan:
        case = Case(
            phase=group.phase, key=None, scope=old.scope, slot=None, rows=(old, new), joining={}, joined=(),
            fixed=self.fixed((old, new)), merged_before=self._merged((old, new)), now=self.now, names=self.names,
            unserved=self._unserved((old, new)),
        )  # fmt: skip
        return Plan(case=case, left=[reason])

    def case(
        self,
        phase: str,
        key: SlotKey,
        rows: Sequence[Revision],
        joining: Mapping[int, str | None],
        *,
        said: Mapping[int, str] | None = None,
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
            said=self._said(key, joined) if said is None else said,
            fixed=self.fixed(everything), merged_before=self._merged(everything),
            asked_before=frozenset(record for record, _ in self._edges(everything, ASKED_AS)),
            unserved=self._unserved(everything),
            speakers={record: frozenset(each) for record, each in speakers.items()},
            high_stakes=frozenset(
                each.record for each in everything
                if any(one.stakes == "high" for one in self.policy.categories_of(each.category, slot))
            ),
            now=self.now, names=self.names, judged=judged,
        )  # fmt: skip

    def _sources(self, records: Sequence[int]) -> Iterator[tuple[int, str]]:
        for part in parts(records):
            for each in self.store.sources(part, self.now):
                yield each.record, each.speaker

    def fixed(self, rows: Sequence[Revision]) -> frozenset[int]:
        """Return the records because of which others ended: to undo that, each must stay what and where it is (R28)."""
        numbers = [each.record for each in rows]
        found = {cut.by for each in rows for cut in each.cuts if cut.why not in _STOOD_FOR}.intersection(numbers)
        replaced = [pair for part in parts(numbers) for pair in self.store.replaced_by(self.subject, part)]
        merged = set(self._pairs([record for record, _ in replaced], MERGED_INTO))
        return frozenset(each for each in found if each is not None) | {
            by for record, by in replaced if (record, by) not in merged
        }

    def unmovable(self, rows: Sequence[Revision]) -> frozenset[int]:
        """Return the records that share their question with others, or have ends that were put on them there."""
        return frozenset(
            each.record for each in rows if each.slot is not None and (each.cuts or not self._is_alone(each))
        )

    def _is_alone(self, row: Revision) -> bool:
        return all(each.record == row.record for each in self.store.laid([row.slot or 0], ALL_TIME, None))

    def _said(self, key: SlotKey, joined: Sequence[Revision]) -> dict[int, str]:
        """Return the entity that words name, where an alias files them under another one (R21)."""
        found = {each.record: questions(each, self.names).get(key) for each in joined}
        return {record: each.said_of for record, each in found.items() if each and each.said_of is not None}

    def _unserved(self, rows: Sequence[Revision]) -> frozenset[int]:
        """Return what was made from something that doesn't hold any more: it neither ends nor stands for others (R37)."""
        return frozenset(
            unsupported(self.store, self.subject, [each.record for each in rows], self.now, self.now, None)
        )

    def _merged(self, rows: Sequence[Revision]) -> frozenset[tuple[int, int]]:
        return frozenset(self._edges(rows, MERGED_INTO))

    def _edges(self, rows: Sequence[Revision], kind: str) -> list[tuple[int, int]]:
        return self._pairs([each.record for each in rows], kind)

    def _pairs(self, numbers: Sequence[int], kind: str) -> list[tuple[int, int]]:
        return [(edge.record, edge.target) for part in parts(numbers) for edge in self.store.edges(part, kind=kind)]


_STOOD_FOR: Final = ("merged", "asked")
"""Why a record ended for which another one stands, that can be undone without that one."""
_MODEL: Final = Finding(kind=Kind.SAME, rule="model", reason="a model says that they are the same")


def _is_named(row: Revision, keys: Keys) -> bool:
    return row.slot is not None and not keys[row.slot].from_text
