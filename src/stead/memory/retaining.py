"""Retention: what its category says may be kept no longer is erased, by the same pipeline as anything else (R19, R31)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from stead.memory.core import Core, Keyed
from stead.memory.erasing import finished
from stead.memory.forgetting import erased
from stead.memory.selecting import Selected, Selector, preview, with_kin
from stead.model.erasure import ErasurePreview, Receipt
from stead.model.period import Instant
from stead.policy import Policy
from stead.store.protocol import ReadTx
from stead.store.values import JobRow

if TYPE_CHECKING:
    from stead.memory.desk import Desk, Logged

RETENTION = "retention"
AT_ONCE = 1_000
"""Records of a subject that one erasure takes."""


@dataclass(frozen=True, slots=True)
class _Limit:
    """What is filed under a category, and when it must have been said to be overdue."""

    categories: tuple[str, ...]
    attributes: tuple[str, ...]
    before: Instant


def overdue(core: Core, subject: str) -> ErasurePreview | None:
    """Return what of a subject is past its retention; None where nothing is."""
    with core.backend.read() as store:
        row = store.subject(subject)
        chosen = None if row is None else _chosen(store, core.policy, row.n, core.now())
        return None if row is None or chosen is None else preview(store, row.n, Selector(), chosen, core.now())


def enforce(core: Core, subject: str, *, scan: bool) -> list[Receipt]:
    """Erase what of a subject is past its retention, some records at a time; one receipt for each time."""
    receipts: list[Receipt] = []
    while _is_due(core, subject):
        outcome = core.write(subject, RETENTION, Keyed(work=partial(_erase, core.now(), scan)))
        receipts.append(finished(core, outcome))
    return receipts


def _is_due(core: Core, subject: str) -> bool:
    with core.backend.read() as store:
        row = store.subject(subject)
        return row is not None and _chosen(store, core.policy, row.n, core.now()) is not None


def _erase(now: Instant, scan: bool, desk: Desk) -> Logged:
    chosen = _chosen(desk.store, desk.policy, desk.subject.n, now) or Selected()
    job = JobRow(
        id=f"era_{desk.new_id()}", subject=desk.subject.n, tx=desk.instant(), by=RETENTION, requester=RETENTION, scan=scan
    )  # fmt: skip
    return erased(desk, chosen, job, RETENTION, RETENTION)


def _chosen(store: ReadTx, policy: Policy, subject: int, now: Instant) -> Selected | None:
    found: set[int] = set()
    for limit in _limits(policy, now):
        found |= set(store.said_before(subject, limit.categories, limit.attributes, limit.before))
    if not found:
        return None
    chosen = Selected(records=set(sorted(found)[:AT_ONCE]))
    with_kin(store, chosen)
    chosen.turns = {row.n for row in store.turns_behind(subject, sorted(chosen.records))}
    return chosen


def _limits(policy: Policy, now: Instant) -> list[_Limit]:
    return [
        _Limit(
            (name,),
            tuple(each for each, attribute in policy.attributes.items() if attribute.category == name),
            now - int(category.retention.total_seconds() * 1_000_000),
        )
        for name, category in policy.categories.items()
        if category.retention is not None
    ]
