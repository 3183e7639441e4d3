"""What reading costs: by slot and hybrid, in many subjects, in a large one, beside others, and down a long chain."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.data import Unit, claims, sentence
from benchmarks.measure import Figure, at_most, each, in_turns, middle, share
from benchmarks.writes import Sizes, scratch

import stead

MANY = 250
"""How often a call is timed where two sides are compared turn by turn."""


def filled(file: Path, subjects: int, records: int, first: int = 0) -> None:
    """Write records of subjects, with vectors."""
    with stead.open(file, embedder=Unit()) as store:
        for number in range(first, first + subjects):
            store.subject(f"s{number}").remember_many(claims(records, number))


def by_slot(store: stead.Store, subject: str, records: int, count: int, seed: int) -> list[Callable[[], object]]:
    """Return recalls of slots that are there."""
    slots = [one["slot"] for one in claims(records, int(subject[1:])) if "slot" in one]
    handle = store.subject(subject)
    return [partial(handle.recall, slot=slot) for slot in random.Random(seed).choices(slots, k=count)]


def hybrid(store: stead.Store, subject: str, count: int, seed: int) -> list[Callable[[], object]]:
    """Return recalls of words with their vectors, as distributed as the claims."""
    source, embedder, handle = random.Random(seed), Unit(), store.subject(subject)
    return [partial(handle.recall, sentence(source, 4, 8), query_vector=embedder.embed_query("")) for _ in range(count)]


def recalling(sizes: Sizes) -> list[Figure]:
    """Recall by slot and hybrid recall, over all subjects in turn."""
    with scratch(sizes.folder) as path:
        filled(path / "memory.db", sizes.subjects, sizes.records)
        with stead.open(path / "memory.db", embedder=Unit()) as store:
            names = [f"s{number}" for number in range(sizes.subjects)]
            rounds = max(2, -(-sizes.queries // len(names)))
            slots = each(call for name in names for call in by_slot(store, name, sizes.records, rounds, 1))
            first = each(call for name in names for call in hybrid(store, name, 1, 2))
            again = each(call for name in names for call in hybrid(store, name, rounds, 3))
    where = f"{sizes.subjects} subjects x {sizes.records} records"
    return [
        at_most("recall by slot, p50", 1000 * middle(slots), 1, "ms", where),
        Figure("recall by slot, p95", 1000 * share(slots, 0.95), "ms"),
        at_most("hybrid recall, p50", 1000 * middle(again), 5, "ms", where),
        Figure("hybrid recall, p95", 1000 * share(again, 0.95), "ms"),
        Figure("hybrid recall, first of a subject, p50", 1000 * middle(first), "ms", baseline="loads its vectors"),
    ]


def one_large(sizes: Sizes) -> list[Figure]:
    """Hybrid recall in one subject with many records."""
    with scratch(sizes.folder) as path:
        filled(path / "memory.db", 1, sizes.large)
        with stead.open(path / "memory.db", embedder=Unit()) as store:
            calls = hybrid(store, "s0", sizes.queries // 4, 4)
            first = each(calls[:1])
            timed = each(calls[1:])
            slots = each(by_slot(store, "s0", sizes.large, sizes.queries // 4, 5))
    where = f"one subject of {sizes.large:,} records"
    return [
        at_most("large subject, hybrid recall, p95", 1000 * share(timed, 0.95), 50, "ms", where),
        Figure("large subject, hybrid recall, p50", 1000 * middle(timed), "ms"),
        Figure("large subject, first hybrid recall", 1000 * first[0], "ms", baseline="loads its vectors"),
        Figure("large subject, recall by slot, p50", 1000 * middle(slots), "ms"),
    ]


def beside_others(sizes: Sizes) -> list[Figure]:
    """The same questions to the same subject, beside few and many other subjects; turn by turn."""
    few, many = max(1, sizes.others // 100), sizes.others
    with scratch(sizes.folder) as path:
        for number in (few, many):
            filled(path / f"{number}.db", number + 1, 100)
        with (
            stead.open(path / f"{few}.db", embedder=Unit()) as small,
            stead.open(path / f"{many}.db", embedder=Unit()) as large,
        ):
            slots = in_turns(*(by_slot(store, "s0", 100, 4 * MANY, 6) for store in (small, large)))
            words = in_turns(*(hybrid(store, "s0", MANY, 7) for store in (small, large)))
    against = f"{many:,} beside {few} other subjects"
    return [
        at_most("recall by slot, p50 / p50", middle(slots[1]) / middle(slots[0]), 1.25, "ratio", against),
        at_most("hybrid recall, p50 / p50", middle(words[1]) / middle(words[0]), 1.25, "ratio", against),
    ]


def chains(sizes: Sizes) -> list[Figure]:
    """Recall and remember on slots that were superseded ever more often; turn by turn."""
    depths = [10, max(20, sizes.depth // 10), sizes.depth]
    slots = [stead.Slot(f"chain.of{depth}") for depth in depths]
    with scratch(sizes.folder) as path, stead.open(path / "memory.db", embedder="none") as store:
        ana = store.subject("ana")
        for depth, slot in zip(depths, slots, strict=True):
            ana.remember_many(_value(slot, number) for number in range(depth))
        read = in_turns(*(repeated(partial(ana.recall, slot=slot), MANY) for slot in slots))
        written = in_turns(*(writes_to(ana, slot, depth) for depth, slot in zip(depths, slots, strict=True)))
        holding = each(repeated(partial(ana.holds, slots[2]), 3))
    figures = []
    for name, timed in (("recall by slot", read), ("remember", written)):
        for place in (1, 2):
            ratio = middle(timed[place]) / middle(timed[0])
            against = f"{1000 * middle(timed[0]):.2f} ms at depth 10"
            figures.append(at_most(f"{name} at depth {depths[place]:,} / 10", ratio, 1.25, "ratio", against))
    figures.append(Figure(f"holds at depth {depths[2]:,}, all of it", 1000 * middle(holding), "ms"))
    return figures


def repeated(call: Callable[[], object], times: int) -> list[Callable[[], object]]:
    """Return the same call many times."""
    return [call] * times


def writes_to(subject: stead.Subject, slot: stead.Slot, depth: int) -> list[Callable[[], object]]:
    """Return writes that supersede what stands in a slot, each once."""
    return [partial(_remember, subject, slot, depth + number) for number in range(MANY // 5)]


def _remember(subject: stead.Subject, slot: stead.Slot, number: int) -> None:
    subject.remember(**_value(slot, number))


def _value(slot: stead.Slot, number: int) -> dict[str, Any]:
    return {
        "claim": f"The value is number {number}",
        "slot": stead.Slot(slot.key.attribute, value=f"number {number}"),
    }
