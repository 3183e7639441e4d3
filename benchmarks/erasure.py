"""What an erasure costs: until nothing of it can be read, until it is proven, and of a whole subject."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path

from benchmarks.data import Unit, claims
from benchmarks.measure import Figure, at_most, middle, seconds
from benchmarks.writes import Sizes, scratch

import stead
from stead.memory import erasing

TIMES = 11
"""How often one record is erased."""


def erasing_one(sizes: Sizes) -> list[Figure]:
    """Erase single records of a large subject, beside a `remember` of the same run; then subjects of three sizes, whole."""
    count = sizes.large
    with scratch(sizes.folder) as path:
        with _loaded(path / "memory.db", count) as store:
            figures = _single(store, count)
        wholes = [_whole(path / f"{size}.db", size) for size in (count // 100, count // 10)]
        wholes.append(_whole(path / "memory.db", count))
    per = [spent / size * 1000 for size, spent in wholes]
    figures += [
        Figure(f"whole subject of {size} records, per record", each, "ms", baseline=f"{spent:.1f} s in all")
        for (size, spent), each in zip(wholes, per, strict=True)
    ]
    tenfold = f"per record, {wholes[2][0]} beside {wholes[1][0]} records"
    return [*figures, at_most("whole subject: linear", per[2] / per[1], 2, "ratio", tenfold)]


def _loaded(path: Path, count: int) -> stead.Store:
    """Return a store with a subject of so many records, half of them in slots, with their vectors."""
    store = stead.open(path, embedder=Unit())
    store.subject("ana").remember_many(list(claims(count, 5, slotted=1)))
    store.embed_backlog()
    return store


def _single(store: stead.Store, count: int) -> list[Figure]:
    ana = store.subject("ana")
    ids = [each.id for each in ana.records(limit=2 * TIMES + 2)]
    said = list(claims(TIMES, 8, slotted=1))
    _hidden(ana, ids.pop())  # the keys are made once
    wrote = sorted(seconds(partial(ana.remember, **each)) for each in said)
    without = [_hidden(ana, ids.pop()) for _ in range(TIMES)]
    scanned = [_hidden(ana, ids.pop(), scan=True) for _ in range(TIMES // 3)]
    hidden = middle(sorted(first for first, _ in without + scanned))
    plain, read = (middle(sorted(whole for _, whole in each)) for each in (without, scanned))
    against = f"a remember takes {middle(wrote) * 1000:.1f} ms"
    return [
        at_most(f"unreadable, 1 of {count} records", hidden * 1000, 50, "ms", against),
        Figure("  beside a remember", hidden / middle(wrote), "ratio"),
        at_most(f"erased, 1 of {count} records, without reading the files", plain, 1, "s", against),
        at_most(f"erased, 1 of {count} records, and the files read", read, 5, "s", f"{_megabytes(store):.0f} MB"),
    ]


def _hidden(ana: stead.Subject, record: str, *, scan: bool = False) -> tuple[float, float]:
    """Erase a record; return the seconds until nothing of it can be read, and until the receipt is there."""
    first: list[float] = []
    real = erasing.reached

    def reached(step: str) -> None:
        if step == "hidden":
            first.append(time.perf_counter() - begun)

    erasing.reached = reached
    try:
        begun = time.perf_counter()
        assert ana.erase(record, scan=scan).complete
        return first[0], time.perf_counter() - begun
    finally:
        erasing.reached = real


def _whole(path: Path, size: int) -> tuple[int, float]:
    """Erase a whole subject, with its proof; return how many records it had, and the seconds."""
    with stead.open(path, embedder=Unit()) if path.exists() else _loaded(path, size) as store:
        ana = store.subject("ana")
        begun = time.perf_counter()
        receipt = ana.erase(everything=True)
        spent = time.perf_counter() - begun
        if not receipt.complete:
            raise AssertionError(f"not complete: {receipt.failed}")
        return receipt.records, spent


def _megabytes(store: stead.Store) -> float:
    return Path(store.path).stat().st_size / 1e6
