"""What consolidation finds of what writes missed, how much of it is false, and what it costs."""

from __future__ import annotations

from benchmarks.measure import Figure, at_least, at_most, seconds
from benchmarks.planted import FIFTY, found, load, planted
from benchmarks.writes import Sizes, scratch

import stead
from stead.model.consolidation import Consolidation


def consolidating(sizes: Sizes) -> list[Figure]:
    """One run over one subject with planted contradictions, duplicates and paraphrases that no write has seen."""
    each = sizes.background // 20
    story = planted(sizes.background, each=each)
    reports: list[Consolidation] = []
    with scratch(sizes.folder) as path, stead.open(path / "memory.db", embedder="none") as store:
        ids = load(store, "ana", story.claims)
        dry = seconds(lambda: store.consolidate(dry_run=True))
        spent = seconds(lambda: reports.append(store.consolidate(share=0.2, limit=len(ids))))
        again = seconds(lambda: reports.append(store.consolidate(share=0.2, limit=len(ids))))
        paraphrases = _one_of_many(store)
    hit = found(story, ids, reports[0])
    touched = len(hit["false"])
    kinds = ("contradiction", "duplicate", "paraphrase")
    return [
        *(Figure(f"{kind}s found, of {each}", len(hit[kind]) / each, "share") for kind in kinds),
        at_least("all of them", sum(len(hit[kind]) for kind in kinds) / len(story.pairs), 0.95, "share"),
        at_most("records touched wrongly", touched / len(ids), 0.01, "share", f"{touched} of {len(ids)}"),
        at_most(f"consolidate, {len(ids)} records, each question new", spent, 60, "s", f"dry run {dry:.1f} s"),
        at_most("consolidate again: nothing is left", reports[1].changed, 0, "steps", f"{again:.1f} s"),
        at_least("sources of one record after 50 ways of saying it", paraphrases, 50, "sources"),
    ]


def _one_of_many(store: stead.Store) -> int:
    load(store, "ben", FIFTY)
    store.consolidate("ben")
    active = store.subject("ben").records(status="active")
    return len(active[0].sources) if len(active) == 1 else 0
