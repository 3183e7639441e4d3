"""What a model said of one claim before its write, and how much of it counts in the transaction (R24, R46).

A model is asked without the lock, about a snapshot. Its answer counts only while every record that it relates is still in the
revision that was shown. Else the local resolver decides alone, and the outcome says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from stead.memory.applying import Work
from stead.memory.candidate import Candidate
from stead.memory.desk import Desk
from stead.memory.unslotted import Met
from stead.model.outcome import Decision, Outcome
from stead.model.record import Meaning
from stead.resolve import Verdict
from stead.resolve.text import Finding
from stead.resolve.text import Kind as Compared

RELATED: Final = "; a model related them"
"""What the reason of a decision ends with that rests on a model's answer."""
OUTDATED: Final = "outdated"
"""The failure of an answer about a record that has changed since it was shown."""
_RULES: Final = {
    Compared.SAME: "same_answer", Compared.REFINES: "more_detail", Compared.COARSER: "less_detail",
    Compared.CONTRADICTS: "other_answer",
}  # fmt: skip
"""The rule of `resolve.text` that says the same of two claims."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """What a model says that the claim is to one record."""

    record: int
    revision: int
    """The revision that was shown."""
    kind: Compared
    meaning: Meaning | None = None


@dataclass(slots=True, kw_only=True)
class Asking:
    """One claim that a model may be asked about before its write, and what came of it."""

    candidate: Callable[[Desk], Candidate]
    """Returns what would be written; it only reads."""
    related: tuple[Related, ...] = ()
    """What of a model's answer is believed, nearest first."""
    failure: str | None = None
    """Why no answer was used though one was wanted: a name of `ask.FAILURES` or `resolve.model.FAILURES`, or `OUTDATED`."""
    followed: tuple[Related, ...] = ()
    """What counted in the transaction."""

    def met(self, work: Work, verdict: Verdict) -> list[Met]:
        """Return the records that a model related to a claim which the local resolver relates to nothing.

        Parameters
        ----------
        work, verdict
            The claim as it would be laid, and what its own question says of it.
        """
        if not self.related or verdict.rule != "new":
            return []
        store, subject = work.desk.store, work.desk.subject.n
        numbers = [each.record for each in self.related]
        now = {each.record: each for each in store.current_by_number(subject, numbers) if not each.expired(work.tx)}
        shown = {each.record: each.revision for each in self.related}
        if {record: each.n for record, each in now.items()} != shown:
            self.failure = OUTDATED
            return []
        self.followed = self.related
        return [
            Met(
                old=now[each.record],
                finding=Finding(kind=each.kind, rule=_RULES[each.kind], reason="a model related them"),
            )
            for each in self.followed
        ]

    @property
    def meaning(self) -> Meaning | None:
        """Return what the model says that the contradiction means which was followed (R22); None where there are several."""
        said = [each.meaning for each in self.followed if each.kind is Compared.CONTRADICTS]
        return said[0] if len(said) == 1 else None

    def marked(self, verdict: Verdict) -> Verdict:
        """Return the verdict with a reason that says whether it rests on a model (R20)."""
        if not self.followed or verdict.decision is Decision.ADD:
            return verdict
        return replace(verdict, reason=verdict.reason + RELATED)

    def told(self, outcome: Outcome) -> Outcome:
        """Return the outcome with a warning where a model wasn't heard (R46)."""
        return (
            outcome if self.failure is None else replace(outcome, warnings=(*outcome.warnings, warning(self.failure)))
        )


def warning(failure: str) -> str:
    """Return how an outcome says why the local resolver decided alone; it begins with a code: ``model_timeout``."""
    return f"model_{failure}: the model's answer wasn't used; the local resolver decided alone"
