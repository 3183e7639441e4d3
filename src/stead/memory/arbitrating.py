"""What a passing mention may not do by itself, with what the store knows of stakes and speakers (R23)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from stead.memory.desk import Desk
from stead.model.slot import Slot
from stead.policy import Policy
from stead.resolve import Verdict, arbitrate
from stead.store.values import Revision, statement


def arbitrated(
    desk: Desk, new: Revision, existing: Sequence[Revision], verdict: Verdict, category: str | None, slot: Slot | None
) -> Verdict:  # fmt: skip
    """Put a question in the place of what R23 doesn't let a passing mention do.

    Parameters
    ----------
    desk
        The write in the making.
    new, existing
        The claim as it would be laid, and what is laid where it would be.
    verdict
        What the strip says.
    category, slot
        Of the claim, as its caller named them.
    """

    def speakers(records: frozenset[int]) -> int:
        behind: dict[int, set[str]] = {}
        for source in desk.store.sources(sorted(records), new.tx_from):
            if source.speaker != new.speaker:
                behind.setdefault(source.record, set()).add(source.speaker)
        return max(map(len, behind.values()), default=0)

    return arbitrate(
        verdict, statement(new), [statement(each) for each in existing],
        high_stakes=high_stakes(desk.policy, category, slot, existing), speakers=speakers,
    )  # fmt: skip


def high_stakes(policy: Policy, category: str | None, slot: Slot | None, existing: Iterable[Revision]) -> bool:
    """Tell whether the stakes are high for the claim or for what stands there: another name doesn't get round them (R23)."""
    own = policy.categories_of(category, slot)
    there = {each.category for each in existing if each.category is not None}
    return any(each.stakes == "high" for each in (*own, *map(policy.category, there)))
