"""What a resolver answers (R21, R24)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from stead.model.outcome import Decision
from stead.model.record import Cut
from stead.model.strip import Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One decision on a candidate and everything that follows from it for the slot.

    Records are numbers; the candidate's own number stands for itself.
    """

    decision: Decision
    rule: str
    reason: str
    known_in: tuple[int, ...] = ()
    """The records that already hold it (NOOP)."""
    cuts: tuple[tuple[int, Cut], ...] = ()
    """Ends that it puts on other records."""
    own_cuts: tuple[Cut, ...] = ()
    """The end that a late arrival puts on itself (R10)."""
    superseded: frozenset[int] = frozenset()
    contested_with: frozenset[int] = frozenset()
    contradicts: frozenset[int] = frozenset()
    """The records that say otherwise and that it ends, covers, contests, or asks about."""
    head: bool = False
    """It reaches for the open end and stands there."""


class Resolver(Protocol):
    """Decides what a candidate does to what is already there."""

    def __call__(self, candidate: Statement, existing: Sequence[Statement], *, same_terms: frozenset[int]) -> Verdict:
        """Decide.

        Parameters
        ----------
        candidate
            The statement as it would be laid.
        existing
            What is laid in the same slot and scope and stands somewhere within the candidate's interval.
        same_terms
            Those of the existing records whose audience, purpose and expiry leave nothing out of the candidate's.
        """
