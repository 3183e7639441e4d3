"""What a consolidation did, or would do: by ids and counts, without a word of what is remembered (R36, R52)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from stead.model.plain import spelled

PHASES: Final = ("adopt", "contradictions", "duplicates", "chains", "summaries", "deferred")
"""In the order in which a run takes them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One decision of a run: it is one row of the write log, or would be."""

    phase: str
    decision: str
    rule: str
    record: str
    """The id of the record that was decided on."""
    affected: tuple[str, ...] = ()
    """The ids of others whose standing it changed, or of what it was merged into."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """What one phase of a run did for one subject."""

    name: str
    seen: int = 0
    """What was looked at: records, questions or pairs of claims."""
    changed: int = 0
    """Decisions that changed something."""
    asked: int = 0
    """Those of them that became a question to a person: contests and proposals."""
    left: int = 0
    """What was found and left as it is."""
    reasons: Mapping[str, int] = field(default_factory=dict)
    """Why it was left, with how often."""
    seconds: float = 0.0
    model_calls: int = 0
    model_failures: int = 0
    """Answers of the model that could not be used; nothing was done on them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated:
    """A run over one subject."""

    subject: str
    id: str | None = None
    """The run's id; None where there was nothing to do, and of a dry run."""
    resumed: bool = False
    """It went on with a run that had been stopped or had reached its limit."""
    finished: bool
    """False: the limit was reached; the next call goes on."""
    closed: int = 0
    """Records that it closed without a person's review, over all calls of the run."""
    may_close: int = 0
    """How many it may close at most; the rest become questions."""
    phases: tuple[Phase, ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def changed(self) -> int:
        """Return how many decisions changed something."""
        return sum(each.changed for each in self.phases)


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidation:
    """The report of one call of `Store.consolidate`."""

    dry_run: bool
    subjects: tuple[Consolidated, ...]
    embedded: int = 0
    """Vectors made of texts that had none; of a dry run, how many are missing."""
    embedder_failed: bool = False

    @property
    def changed(self) -> int:
        """Return how many decisions changed something, over all subjects."""
        return sum(each.changed for each in self.subjects)

    @property
    def asked(self) -> int:
        """Return how many of them became questions to a person."""
        return sum(phase.asked for each in self.subjects for phase in each.phases)

    @property
    def left(self) -> int:
        """Return how much was found and left as it is."""
        return sum(phase.left for each in self.subjects for phase in each.phases)

    @property
    def finished(self) -> bool:
        """Tell whether every subject's run came to its end."""
        return all(each.finished for each in self.subjects)

    def as_dict(self) -> dict[str, object]:
        """Return the report as JSON carries it."""
        return spelled(self)
