"""What a write's decision costs beside many records of one subject, with slots and without (R21, R24)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any

from benchmarks.data import vocabulary
from benchmarks.measure import Figure, at_most, each, middle, share
from benchmarks.writes import MEMORY, Sizes, scratch

import stead

ATTRIBUTES = (
    "doctor",
    "landlord",
    "supplier",
    "car",
    "favourite colour",
    "bank",
    "editor",
    "home town",
    "gym",
    "dentist",
)
TIMED = 300
CHANGED = 0.3
LIMITS = {"with a slot": 3.0, "without a slot": 15.0}
"""Milliseconds at 10,000 records of one subject, without the disk: the file is in memory where there is such a folder."""


def deciding(sizes: Sizes) -> list[Figure]:
    """One `remember` without an embedder, three in ten a contradiction, beside a tenth of the records and beside all."""
    return [figure for name, limit in LIMITS.items() for figure in _deciding(sizes, name, limit)]


def _deciding(sizes: Sizes, name: str, limit: float) -> list[Figure]:
    stream = _stream(name == "with a slot")
    timed: list[list[float]] = []
    with (
        scratch(MEMORY if MEMORY.is_dir() else sizes.folder) as path,
        stead.open(path / "memory.db", embedder="none") as store,
    ):
        ana, there = store.subject("ana"), 0
        for count in (sizes.background // 10, sizes.background):
            for start in range(there, count, 500):
                ana.remember_many(list(islice(stream, min(500, count - start))))
            timed.append(each(partial(ana.remember, **claim) for claim in islice(stream, TIMED)))
            there = count + TIMED
    few, many = timed
    spread = f"p95 {1000 * share(many, 0.95):.1f} ms"
    return [
        at_most(f"remember {name}, {sizes.background:,} records", 1000 * middle(many), limit, "ms", spread),
        Figure(f"the same / beside {sizes.background // 10:,} records", middle(many) / middle(few), "ratio"),
    ]


def _stream(slotted: bool) -> Iterator[dict[str, Any]]:
    """Yield claims about people without end; a share of them gives a question that was answered another value."""
    source, (words, _) = random.Random(5), vocabulary()
    asked: list[tuple[str, str]] = []
    while True:
        if asked and source.random() < CHANGED:
            person, attribute = source.choice(asked)
        else:
            person, attribute = " ".join(source.choices(words, k=2)).title(), source.choice(ATTRIBUTES)
            asked.append((person, attribute))
        value = " ".join(source.choices(words, k=2)).title()
        claim: dict[str, Any] = {"claim": f"{person}'s {attribute} is {value}"}
        if slotted:
            claim["slot"] = stead.Slot(attribute.replace(" ", "_"), entity=person, value=value)
        yield claim
