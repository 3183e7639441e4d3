"""Arbitration, decided in advance (R23): the strip ranks by authority, speaker and time; this adds what a slot alone can't know.

Asked in this order; the first row that applies decides, and its name is the rule of the outcome and of the log:

================  =============================================================================  =========
rule              when                                                                           decision
================  =============================================================================  =========
``source``        the system of record says otherwise than what stood                            SUPERSEDE
``deliberate``    a deliberate record hides all of a later passing mention                       CONFIRM
``explicit``      a model or a third party says otherwise than what was stated, whatever its age CONFIRM
``high_stakes``   a passing mention says otherwise in a category of high stakes                  CONFIRM
``corroborated``  one mention says otherwise than a record that several others stand behind      CONFIRM
``newer``         the same speaker says otherwise, later: on the part that it names              SUPERSEDE
``equals``        another speaker of the same standing says otherwise                            CONTEST
================  =============================================================================  =========

Where nothing says otherwise, the rules of `stead.resolve.local` name the decision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from stead.model.authority import Authority
from stead.model.outcome import Decision
from stead.model.period import Period
from stead.model.strip import Statement, lay
from stead.resolve.verdict import Verdict

ARBITRATION: Final = ("source", "deliberate", "explicit", "high_stakes", "corroborated", "newer", "equals")
"""The rows of R23, in their order."""
SEVERAL: Final = 2
"""Speakers, beside the one who speaks, behind a record that one mention doesn't override."""
_SAYS_OTHERWISE = frozenset({Decision.SUPERSEDE, Decision.OVERRIDE, Decision.CONTEST})


def arbitrate(
    verdict: Verdict,
    candidate: Statement,
    existing: Sequence[Statement],
    *,
    high_stakes: bool,
    speakers: Callable[[frozenset[int]], int],
) -> Verdict:
    """Return the verdict, or a question in its place where R23 wants one.

    Parameters
    ----------
    verdict
        What the strip says.
    candidate, existing
        What it was read off.
    high_stakes
        Whether the candidate's category is one in which nothing is overridden without a confirmation.
    speakers
        Returns how many speakers beside the candidate's stand behind the best supported of some records; asked only where
        that matters.
    """
    if candidate.rank > Authority.STATED.rank or verdict.decision is Decision.NOOP:
        return verdict
    other = disputed(candidate, existing)
    if candidate.rank < Authority.STATED.rank and other:
        reason = "what was stated or confirmed says otherwise; an inference never displaces it"
        return _ask(verdict, other, "explicit", reason)
    if not other or verdict.decision not in _SAYS_OTHERWISE:
        return verdict
    if high_stakes:
        reason = "nothing is overridden in a category of high stakes without confirmation"
        return _ask(verdict, other, "high_stakes", reason)
    losing = other & (verdict.superseded | verdict.contested_with | {record for record, _ in verdict.cuts})
    if losing and speakers(losing) >= SEVERAL:
        reason = "several others say otherwise; one mention doesn't override them"
        return _ask(verdict, losing, "corroborated", reason)
    return verdict


def disputed(candidate: Statement, existing: Sequence[Statement]) -> frozenset[int]:
    """Return the records that stand for another value somewhere within the candidate's interval."""
    return frozenset(
        each.record
        for stretch in lay(existing, Period(candidate.start, candidate.end))
        for each in stretch.standing
        if each.value != candidate.value
    )


def _ask(verdict: Verdict, about: frozenset[int], rule: str, reason: str) -> Verdict:
    return replace(
        verdict, decision=Decision.CONFIRM, rule=rule, reason=reason, cuts=(), own_cuts=(), superseded=frozenset(),
        contested_with=frozenset(), contradicts=about, head=False,
    )  # fmt: skip
