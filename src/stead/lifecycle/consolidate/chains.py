"""Chains of supersession: which links are flattened, and which are long enough to be summed up (R28)."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from itertools import accumulate
from typing import Final

from stead.model.authority import Authority
from stead.model.record import Status
from stead.store.values import Revision

FAR: Final = 16
"""Steps to its head from which a record that was flattened before is flattened again.

A head that moves on with every write would have all records behind it written anew by every run; so each is written once in
many runs, and a head is never farther away than this.
"""
LONG: Final = 5
"""Superseded records behind one head from which a summary is made of them."""
MOST: Final = 50
"""Records of which one summary tells."""
_LONGEST: Final = 1_500
"""Characters of the claims of which one summary tells."""


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


def to_summarise(superseded: Sequence[Revision], live: Collection[int], told: Collection[int]) -> list[list[Revision]]:
    """Return the dead branches that are long enough to be summed up, each as its records in the order they were said.

    Only records that the same readers may see, and that the same category, scope and owner keep, are summed up together.

    Parameters
    ----------
    superseded
        The superseded records of a subject.
    live
        What stands: only what lies behind it is summed up.
    told
        Records that a summary has told of; none is told of twice.
    """
    found = heads(superseded)
    branches: dict[Hashable, list[Revision]] = {}
    for row in sorted(superseded, key=lambda each: (each.place, each.record)):
        head, _ = found.get(row.record, (0, 0))
        merged = any(cut.why in ("merged", "asked") for cut in row.cuts)  # its claim stands elsewhere
        if head in live and row.record not in told and not merged and row.rank >= Authority.STATED.rank:
            terms = (row.audience, row.purpose, row.owner, row.scope, row.category)
            branches.setdefault((head, terms), []).append(row)
    fitting = ([row for row, far in _with_lengths(each[:MOST]) if far <= _LONGEST] for each in branches.values())
    return [each for each in fitting if len(each) >= LONG]


def _with_lengths(rows: Sequence[Revision]) -> Iterator[tuple[Revision, int]]:
    yield from zip(rows, accumulate(len(each.claim) for each in rows), strict=True)
