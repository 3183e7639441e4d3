"""What a run of consolidation counts, phase by phase (R36, R52)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from stead.lifecycle.consolidate.plan import Decided, Deed, Filed, Merged, Plan, Questioned, Refined, Reviewed
from stead.model.consolidation import PHASES, Phase, Step
from stead.model.outcome import Decision, Outcome
from stead.model.period import Instant

_ASKS = ("CONTEST", "CONFIRM")


@dataclass(slots=True, kw_only=True)
class Tally:
    """The counts of one run."""

    steps: list[Step] = field(default_factory=list)
    _seen: Counter[str] = field(default_factory=Counter)
    _left: dict[str, Counter[str]] = field(default_factory=dict)
    _seconds: Counter[str] = field(default_factory=Counter)
    _calls: int = 0
    _failures: int = 0

    def seen(self, phase: str, count: int) -> None:
        """Count what was looked at."""
        self._seen[phase] += count

    def left(self, phase: str, reasons: Iterable[str]) -> None:
        """Count what was found and left as it is."""
        self._left.setdefault(phase, Counter()).update(reasons)

    def took(self, phase: str, microseconds: Instant) -> None:
        """Count the time of a phase."""
        self._seconds[phase] += microseconds

    def asked_model(self, *, failed: bool) -> None:
        """Count a call of a model."""
        self._calls += 1
        self._failures += failed

    def add(self, steps: Iterable[Step]) -> None:
        """Count what was done."""
        self.steps.extend(steps)

    def would(self, plan: Plan) -> None:
        """Count what a plan would do."""
        ids = {each.record: each.id for each in (*plan.case.rows, *plan.case.joined)}
        self.add(_would(deed, ids, judged=plan.case.judged) for deed in plan.deeds)

    def would_adopt(self, plans: Iterable[Plan]) -> None:
        """Count what would be filed."""
        for plan in plans:
            self.would(plan)

    def would_flatten(self, flat: Mapping[str, Sequence[int]], ids: Mapping[int, str]) -> None:
        """Count the chains that would be flattened, by the id of their head."""
        self.add(
            Step(
                phase="chains",
                decision="UPDATE",
                rule="flattened",
                record=head,
                affected=tuple(ids[each] for each in records),
            )
            for head, records in flat.items()
        )

    def revalidated(self, outcomes: Sequence[Outcome]) -> None:
        """Count what was re-derived or withdrawn."""
        self.add(
            Step(
                phase="deferred",
                decision=str(each.decision),
                rule=each.rule,
                record=each.record or "",
                affected=each.affected,
            )
            for each in outcomes
            if each.decision is not Decision.NOOP
        )

    def phases(self) -> tuple[Phase, ...]:
        """Return the counts by phase."""
        done = Counter(each.phase for each in self.steps)
        asked = Counter(each.phase for each in self.steps if each.decision in _ASKS)
        return tuple(
            Phase(
                name=name, seen=self._seen[name], changed=done[name], asked=asked[name],
                left=sum(self._left.get(name, {}).values()), reasons=dict(sorted(self._left.get(name, {}).items())),
                seconds=self._seconds[name] / 1_000_000, model_calls=self._calls if name == "contradictions" else 0,
                model_failures=self._failures if name == "contradictions" else 0,
            )
            for name in PHASES
        )  # fmt: skip


def _would(deed: Deed, ids: Mapping[int, str], *, judged: bool) -> Step:
    phase, decision, rule, others = _told(deed)
    return Step(
        phase=phase, decision=decision, rule="model" if judged and isinstance(deed, Decided) else rule, record=ids[deed.record],
        affected=tuple(ids[each] for each in others if each in ids),
    )  # fmt: skip


def _told(deed: Deed) -> tuple[str, str, str, Sequence[int]]:
    match deed:
        case Filed():
            return "adopt", "UPDATE", "aside" if deed.aside else "adopted", ()
        case Merged():
            return "duplicates", "SUPERSEDE", "merged", (deed.into,)
        case Refined():
            return "duplicates", "UPDATE", "refined", (deed.into,)
        case Reviewed():
            return "contradictions", "CONFIRM", "share", (deed.by,)
        case Questioned():
            return "contradictions", "CONFIRM", deed.rule, ()
        case _:
            verdict = deed.verdict
            return (
                "contradictions",
                str(verdict.decision),
                verdict.rule,
                sorted(verdict.superseded | verdict.contested_with),
            )
