"""What writing costs: the import, one durable write, many at once, the disk."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import apsw
from benchmarks.data import Unit, claims
from benchmarks.measure import Figure, at_least, at_most, in_turns, middle, seconds

import stead
from stead.clock import StoryClock
from stead.ids import seeded_ids
from stead.store.sqlite.connection import PRAGMAS

Written = list[tuple[str, tuple[Any, ...]]]
HEAVY = ("numpy", "apsw", "onnxruntime", "tokenizers", "typer", "rich", "yaml", "snowballstemmer", "asyncio", "socket")
MEMORY = Path("/dev/shm")
"""A file system without a disk, where there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much is measured."""

    writes: int = 2_000
    bulk: int = 20_000
    subjects: int = 200
    records: int = 500
    queries: int = 1_000
    large: int = 100_000
    others: int = 1_000
    depth: int = 10_000
    background: int = 10_000
    folder: str | None = None


@contextmanager
def scratch(folder: str | Path | None = None) -> Iterator[Path]:
    """Give a folder that is gone afterwards."""
    path = Path(tempfile.mkdtemp(prefix="stead-bench-", dir=folder))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


def importing(_: Sizes) -> list[Figure]:
    """`import stead` beside a bare interpreter, and what it loads."""
    run = partial(subprocess.run, check=True, capture_output=True)
    bare, ours = [sys.executable, "-c", "pass"], [sys.executable, "-c", "import stead"]
    run(ours)  # the compiled files are written once
    alone, with_stead = in_turns([partial(run, bare)] * 15, [partial(run, ours)] * 15)
    probe = f"import stead, sys; print(*[name for name in {HEAVY!r} if name in sys.modules])"
    loaded = run([sys.executable, "-c", probe]).stdout.split()
    return [
        at_most("import stead", middle(with_stead) - middle(alone), 0.15, "s", "beyond a bare interpreter"),
        at_most("heavy modules that it loads", len(loaded), 0, "modules"),
    ]


def writing(sizes: Sizes) -> list[Figure]:
    """One durable `remember` beside a bare transaction that writes the same rows, turn by turn."""
    figures = _writing(sizes.writes, sizes.folder, "remember, durable")
    if MEMORY.is_dir():  # the processor's share alone: no disk to wait for
        figures += _writing(sizes.writes, MEMORY, "remember, file in memory")
    return figures


def _writing(count: int, folder: str | Path | None, name: str) -> list[Figure]:
    said, warm = list(claims(count, 3, slotted=1)), count // 10
    with scratch(folder) as path:
        written = _traced(path / "traced.db", said)
        with _story(path / "ours.db") as store:
            bare = _bare(path / "bare.db")
            ours = _one_by_one(store, said)
            theirs: list[Callable[[], object]] = [partial(_replay, bare, statements) for statements in written]
            for pair in zip(ours[:warm], theirs[:warm], strict=True):
                for call in pair:
                    call()
            mine, base = in_turns(ours[warm:], theirs[warm:])
            if _rows(_connection(store)) != _rows(bare):
                raise AssertionError("the bare transactions did not write the same rows")
            bare.close()
    against = f"a bare transaction with the same rows, {len(base) / sum(base):,.0f} per s"
    ratio = sum(base) / sum(mine)
    return [
        Figure(f"{name}: rate / bare rate", ratio, "ratio", baseline=against)
        if folder == MEMORY
        else at_least(f"{name}: rate / bare rate", ratio, 0.4, "ratio", against),
        Figure(f"{name}", len(mine) / sum(mine), "per s"),
    ]


def _story(path: Path) -> stead.Store:
    """Open a store in which the same calls write the same rows."""
    return stead.open(path, clock=StoryClock(1_767_600_000_000_000), new_id=seeded_ids(1), embedder="none")


def _connection(store: stead.Store) -> apsw.Connection:
    """Return the driver's connection of a store, to watch what it writes."""
    found: apsw.Connection = store._core.backend._connection()  # type: ignore[attr-defined]  # noqa: SLF001
    return found


def _one_by_one(store: stead.Store, said: list[dict[str, Any]]) -> list[Callable[[], object]]:
    clock, ana = store._core.clock, store.subject("ana")  # noqa: SLF001

    def one(claim: dict[str, Any]) -> None:
        assert isinstance(clock, StoryClock)
        clock.instant += 1_000_000
        ana.remember(**claim)

    return [partial(one, claim) for claim in said]


def _traced(path: Path, said: list[dict[str, Any]]) -> list[Written]:
    """Return the statements that write rows, with their values, of each remember."""
    written: list[Written] = []

    def note(_: object, sql: str, values: Any) -> bool:
        if sql.lstrip().startswith(("INSERT", "UPDATE", "DELETE")):
            written[-1].append((sql, tuple(values or ())))
        return True

    with _story(path) as store:
        connection = _connection(store)
        connection.pragma("synchronous", "OFF")  # this run isn't timed
        connection.exec_trace = note
        for call in _one_by_one(store, said):
            written.append([])
            call()
        connection.exec_trace = None
    return written


def _bare(path: Path) -> apsw.Connection:
    """Open a file with the same tables, indexes and pragmas by the driver alone."""
    _story(path).close()
    connection = apsw.Connection(str(path), statementcachesize=256)
    connection.execute(PRAGMAS).fetchall()
    return connection


def _replay(bare: apsw.Connection, statements: Written) -> None:
    bare.execute("BEGIN IMMEDIATE")
    for sql, values in statements:
        bare.execute(sql, values).fetchall()
    bare.execute("COMMIT")


def _rows(connection: apsw.Connection) -> dict[str, list[tuple[Any, ...]]]:
    tables = [row[0] for row in connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name"
    )]  # fmt: skip
    return {name: connection.execute(f"SELECT * FROM {name} ORDER BY 1").fetchall() for name in tables}


def importing_many(sizes: Sizes) -> list[Figure]:
    """`remember_many` without an embedder: into one subject, and over a hundred."""
    with scratch(sizes.folder) as path:
        said = list(claims(sizes.bulk, 5, slotted=1))
        with stead.open(path / "one.db", embedder="none") as store:
            alone = seconds(partial(store.subject("ana").remember_many, said))
        mixed = list(claims(sizes.bulk // 4, 5))
        with stead.open(path / "mixed.db", embedder="none") as store:
            half = seconds(partial(store.subject("ana").remember_many, mixed))
        parts = [said[start : start + sizes.bulk // 100] for start in range(0, len(said), sizes.bulk // 100)]
        with stead.open(path / "many.db", embedder="none") as store:
            spread = seconds(lambda: [store.subject(f"s{n}").remember_many(part) for n, part in enumerate(parts)])
    return [
        at_least("remember_many, one subject", len(said) / alone, 2000, "per s", "every claim with a slot"),
        Figure(
            "remember_many, half of the claims without a slot",
            len(mixed) / half,
            "per s",
            baseline="their words are read",
        ),
        Figure("remember_many, 100 subjects, a commit for each", len(said) / spread, "per s"),
    ]


def on_disk(sizes: Sizes) -> list[Figure]:
    """What a record takes in the file, without and with its vector."""
    with scratch(sizes.folder) as path:
        file, text = path / "memory.db", 0
        with stead.open(file, embedder="none") as store:
            for number in range(sizes.subjects):
                said = list(claims(sizes.records, number))
                text += sum(len(each["claim"]) for each in said)
                store.subject(f"s{number}").remember_many(said)
        records = sizes.subjects * sizes.records
        without = file.stat().st_size / records
        with stead.open(file, embedder=Unit()) as store:
            store.embed_backlog()
        vectors = file.stat().st_size / records - without
    return [
        at_most(
            "file per record, without its vector", without, 1024, "bytes", f"its text is {text / records:.0f} bytes"
        ),
        Figure("vector of 384 numbers (1,536 bytes)", vectors, "bytes"),
    ]
