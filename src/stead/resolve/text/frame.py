"""What a claim says, as a question and its answer, and what two claims do to each other."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from stead.model.record import Meaning

__all__ = ["Finding", "Frame", "Kind", "Meaning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The question that a claim answers, and its answer (R24).

    Two claims with the same `key` answer the same question. The key is wide enough to meet a change and never so wide that
    facts meet which can both be true.
    """

    entity: str
    """Whose: the subject phrase, normalised; ``user`` where the claim has no subject of its own."""
    relation: str
    """What is asked: ``work at``, ``author``, ``be``; the kind of the answer stands in brackets where it matters."""
    object: str
    """What else belongs to the question; of a many-valued relation the whole complement, of a single-valued one its limits."""
    value: str
    """The answer: the canonical value of a single-valued relation, else ``yes``, ``no`` or the stance."""
    single: bool
    """The relation has one answer at a time."""

    @property
    def key(self) -> tuple[str, str, str]:
        """Return the question."""
        return self.entity, self.relation, self.object


class Kind(StrEnum):
    """What a new claim does to an old one (R21)."""

    SAME = "same"
    """It says the same."""
    REFINES = "refines"
    """It says all that the old one says, and more."""
    COARSER = "coarser"
    """The old one already says all of it, and more."""
    CONTRADICTS = "contradicts"
    """It answers the same question differently."""
    UNRELATED = "unrelated"
    """Both can be true."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a comparison found, by which rule, and why; it carries no word of either claim."""

    kind: Kind
    rule: str
    reason: str
