"""What a derived candidate may be at most: what every one of its sources allows (R48)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stead.errors import Forbidden
from stead.memory.candidate import Candidate
from stead.model.authority import BY_RANK
from stead.model.record import LAID, Status
from stead.store.values import AGENT, Revision


def tainted(sources: Sequence[Revision]) -> set[str]:
    """Return what a derived candidate takes over from sources that don't stand yet (R48)."""
    waiting = [each for each in sources if each.status == Status.PROPOSED]
    held = {"instruction"} if any(each.waits_for == "release" for each in waiting) else set()
    return held | ({"unconfirmed"} if waiting else set())


def capped(candidate: Candidate, sources: list[Revision]) -> Candidate:
    """Return a derived candidate with at most what its sources allow (R48).

    The lowest authority, the strictest sensitivity, and only readers and purposes that may see every source.

    Raises
    ------
    Forbidden
        A source doesn't stand any more, or nobody may read them all.
    """
    for place, each in enumerate(sources):
        if each.status not in LAID and each.status != Status.PROPOSED:
            raise Forbidden(f"derived_from[{place}]: {each.id} is {each.status}", field="derived_from")
    if not sources:
        return candidate
    lowest = min([candidate.authority.rank, *(each.rank for each in sources)])
    classes = {each.sensitivity for each in sources if each.sensitivity is not None}
    audience = _shared("audience", candidate.audience, [each.audience or (AGENT,) for each in sources])
    return replace(
        candidate,
        authority=BY_RANK[lowest],
        sensitivity="+".join(sorted(classes | {candidate.sensitivity})) if candidate.sensitivity else _joined(classes),
        audience=None if audience == (AGENT,) else audience,  # as it is kept where nobody names one
        purpose=_shared("purpose", candidate.purpose, [each.purpose for each in sources]),
    )


def _joined(classes: set[str]) -> str | None:
    return "+".join(sorted(classes)) or None


def _shared(field: str, asked: tuple[str, ...] | None, allowed: list[tuple[str, ...] | None]) -> tuple[str, ...] | None:
    """Return what all sources allow, narrowed to what was asked for; None allows everything."""
    limits = [set(each) for each in [asked, *allowed] if each is not None]
    if not limits:
        return None
    shared = set.intersection(*limits)
    if not shared:
        raise Forbidden(f"derived_from: no {field} may use all the sources", field=field)
    return tuple(sorted(shared))
