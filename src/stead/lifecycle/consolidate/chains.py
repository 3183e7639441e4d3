"""Chains of supersession: which links are flattened, and which are long enough to be summarised (R28)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from stead.model.record import Status
from stead.store.values import Revision

FAR: Final = 16
"""Steps to its head from which a record that was flattened before is flattened again.

A head that moves on with every write would have all records behind it written anew by every run; so each is written once in
many runs, and a head is never farther away than this.
"""
LONG: Final = 5
"""Superseded records behind one head from which a summary could be made of them."""


def original(row: Revision) -> int | None:
    """Return what a superseded record was first replaced by: its end says so, whatever it points to now."""
    causes = [cut.by for cut in row.cuts if cut.why == "superseded"]
    return causes[0] if len(causes) == 1 else None


def is_flattened(row: Revision) -> bool:
    """Tell whether a record points past what replaced it."""
    first = original(row)
    return row.superseded_by is not None and first is not None and first != row.superseded_by and all(
        cut.by != row.superseded_by for cut in row.cuts
    )  # fmt: skip


def unflattened(row: Revision) -> int | None:
    """Return what a record points to where it isn't flattened."""
    return original(row) if is_flattened(row) else row.superseded_by


def heads(superseded: Sequence[Revision]) -> dict[int, tuple[int, int]]:
    """Return for each superseded record the record at the end of its chain, and how many steps away that is."""
    after = {row.record: row.superseded_by for row in superseded if row.superseded_by is not None}
    found: dict[int, tuple[int, int]] = {}
    for start in after:
        path: list[int] = []
        here = start
        while here in after and here not in found and len(path) <= len(after):
            path.append(here)
            here = after[here]
        head, steps = found.get(here, (here, 0))
        for record in reversed(path):
            steps += 1
            found[record] = (head, steps)
    return found


def to_flatten(superseded: Sequence[Revision], live: Collection[int], kept: Collection[int]) -> dict[int, int]:
    """Return the links A→B→C that become A→C, as what each record shall point to.

    Parameters
    ----------
    superseded
        The superseded records of a subject.
    live
        What stands: only chains that lead there are flattened.
    kept
        Records whose link says more than what replaced them: corrected and re-derived ones.
    """
    found = heads(superseded)
    flat: dict[int, int] = {}
    for row in superseded:
        head, steps = found.get(row.record, (0, 0))
        known = original(row) is not None and row.record not in kept and row.status == Status.SUPERSEDED
        if known and head in live and steps > 1 and (steps >= FAR or not is_flattened(row)):
            flat[row.record] = head
    return flat


def long_chains(superseded: Sequence[Revision], live: Collection[int]) -> Mapping[int, int]:
    """Return the heads behind which many superseded records lie, with their number."""
    behind: dict[int, int] = {}
    for head, _ in heads(superseded).values():
        behind[head] = behind.get(head, 0) + 1
    return {head: count for head, count in sorted(behind.items()) if head in live and count >= LONG}
