"""How much a run may close by itself, and what becomes of the rest: review questions to a person (R36, R53).

Closed is what isn't said any more by anything that stands. A duplicate that says the very same as another record is not: it is
merged whatever the share.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stead.lifecycle.consolidate.plan import Plan, Reviewed
from stead.store.values import Revision

_CONFLICT: Final = "conflict "


def event(by: str) -> str:
    """Return the review event by which a person is asked about a record that another one, by its id, would close."""
    return f"{_CONFLICT}{by}"


def may_close(plan: Plan, allowance: int, closing: Sequence[Revision], by: Revision) -> bool:
    """Take some of the allowance; where it is used up, or a person was asked before, ask whether the records still hold.

    Parameters
    ----------
    plan
        To which the questions are added.
    allowance
        How many records the plan may close.
    closing
        What would be closed, all of it or nothing.
    by
        The record by which.
    """
    asked = [each for each in closing if event(by.id) in each.review_events]
    if not asked and plan.closes + len(closing) <= allowance:
        plan.closes += len(closing)
        return True
    waits = {each.record for each in plan.deeds if isinstance(each, Reviewed)}
    for each in closing:
        if each.record in waits or any(
            name.startswith(_CONFLICT) for name in each.review_events
        ):  # one question is enough
            plan.left.append("under_review")
        else:
            plan.deeds.append(Reviewed(record=each.record, by=by.record))
    return False
