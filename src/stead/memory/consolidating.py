"""Consolidation: what writes missed is found in the background, and done as they would have done it (R25, R36)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stead.errors import InvalidArgument, SteadError
from stead.memory.core import Core
from stead.memory.sweeping import Judge, Run
from stead.model.consolidation import Consolidated, Consolidation

LIMIT: Final = 1_000
"""Steps of one call."""
SHARE: Final = 0.05
"""Of a subject's records, how many a run may close without a person's review."""


def consolidate(
    core: Core,
    subjects: Sequence[str],
    *,
    dry_run: bool,
    limit: int,
    share: float,
    resume: bool,
    judge: Judge | None = None,
) -> Consolidation:
    """Consolidate some subjects; the verb is `Store.consolidate`."""
    check_limits(limit, share)
    if judge is not None and not callable(judge):
        raise InvalidArgument("judge", "not a function", "Give a function of two claims, or None.")
    left, found = limit, list[Consolidated]()
    for name in subjects:
        if left < 1 and not dry_run:
            found.append(Consolidated(subject=name, finished=False))
            continue
        run = Run(core=core, name=name, dry_run=dry_run, limit=left, share=share, resume=resume, judge=judge)
        found.append(run.run())
        left -= run.steps
    embedded, failed = _embed(core, dry_run=dry_run, limit=limit)
    return Consolidation(dry_run=dry_run, subjects=tuple(found), embedded=embedded, embedder_failed=failed)


def check_limits(limit: int, share: float) -> None:
    """Refuse limits that mean nothing.

    Raises
    ------
    InvalidArgument
    """
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 1:
        raise InvalidArgument("limit", "not a whole number from 1", "What is left comes with the next call.")
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1:
        raise InvalidArgument("share", "not a number from 0 to 1", "0.05 closes at most one record in twenty.")


def _embed(core: Core, *, dry_run: bool, limit: int) -> tuple[int, bool]:
    """Make vectors that are missing; a failing embedder is said and leaves its work to the next run."""
    try:
        if dry_run:
            return len(core.backlog(limit)), False
        return core.embed_backlog(limit), False
    except SteadError:
        return 0, True
