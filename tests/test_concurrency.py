"""Many writers of one slot of one file, as processes and as threads (R6, R28, R46).

The large version: ``python -m tests.test_concurrency --writers 64 --writes 200``.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import stead

STATUS = stead.Slot("status")
PATIENCE = 300.0
"""Seconds to wait for another writer; longer than any run."""


# --- what the child processes do --------------------------------------------------------------------------------------


def write(path: str, name: str, writes: int) -> None:
    """Write one slot many times; each acknowledged outcome is a line."""
    with stead.open(path, busy_timeout=PATIENCE, embedder="none") as store:
        ana = store.subject("ana")
        _start_together()
        for number in range(writes):
            value = f"{name}-{number}"
            outcome = ana.remember(f"The status is {value}", slot=stead.Slot("status", value=value))
            _say(value=value, **outcome.as_dict())


def read(path: str, _: str, __: int) -> None:
    """Read the slot until the standard input ends; each reading is checked, and a line tells how many there were."""
    with stead.open(path, busy_timeout=PATIENCE, embedder="none") as store:
        ana, reads, last = store.subject("ana"), 0, 0
        _start_together()
        over = threading.Event()

        def wait() -> None:
            sys.stdin.read()
            over.set()

        threading.Thread(target=wait, daemon=True).start()
        while not over.is_set():
            found = ana.recall(slot=STATUS)
            values = [fact.value for fact in found.facts]
            standing = [each for each in ana.holds(STATUS) if each.end is None] if reads % 20 == 0 else []
            version = ana.version(STATUS)
            if len(values) > 1 or found.questions or len(standing) > 1 or version < last:
                _say(seen=values, questions=len(found.questions), standing=len(standing), version=[last, version])
            reads, last = reads + 1, version
            time.sleep(0.005)  # two readers that never rest would keep 64 writers from two cores
        _say(reads=reads)


def claim_first(path: str, name: str, writes: int) -> None:
    """Try to be the one who makes each version; a line for each try that succeeded."""
    with stead.open(path, busy_timeout=PATIENCE, embedder="none") as store:
        ana = store.subject("ana")
        _start_together()
        for version in range(writes):
            try:
                outcome = ana.remember(
                    f"Turn of {name}", slot=stead.Slot("turn", value=f"{name}-{version}"), if_version=version
                )
            except stead.StaleRevision:
                continue
            _say(version=version, record=outcome.record)
        same = ana.remember("Once and for all", idempotency_key="once")
        _say(once=same.record, replayed=same.replayed)


def _say(**line: object) -> None:
    os.write(1, (json.dumps(line) + "\n").encode())


def _start_together() -> None:
    _say(ready=True)
    sys.stdin.readline()


ROLES: dict[str, Callable[[str, str, int], None]] = {"write": write, "read": read, "claim_first": claim_first}


# --- what starts and checks them --------------------------------------------------------------------------------------


def child(role: str, path: Path, name: str, writes: int) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, "--role", role, "--path", str(path), "--name", name, "--writes", str(writes)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def answered(process: subprocess.Popen[str]) -> list[dict[str, Any]]:
    """Let a child end, and return its lines."""
    out, _ = process.communicate()
    assert process.returncode == 0
    return [json.loads(line) for line in out.splitlines()]


def together(processes: list[subprocess.Popen[str]]) -> None:
    """Wait until every child is ready, then let all go at once."""
    for process in processes:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline()) == {"ready": True}
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()


def run(path: Path, writers: int, writes: int) -> dict[str, float]:
    """Start writers and two readers on one slot, and check what they were told against what is there."""
    stead.open(path, embedder="none").close()
    writing = [child("write", path, f"w{number}", writes) for number in range(writers)]
    reading = [child("read", path, f"r{number}", 0) for number in range(2)]
    together([*writing, *reading])
    started = time.perf_counter()
    with ThreadPoolExecutor(writers) as pool:  # all pipes are emptied at once, so that no writer waits for its reader
        acknowledged = [line for lines in pool.map(answered, writing) for line in lines]
    seconds = time.perf_counter() - started
    looked = [line for process in reading for line in answered(process)]
    assert [line for line in looked if "reads" not in line] == [], "a reader saw two values, or time go backwards"
    check(path, acknowledged, writers * writes)
    return {"writes": len(acknowledged), "seconds": seconds, "reads": sum(line["reads"] for line in looked)}


def check(path: Path, acknowledged: list[dict[str, Any]], expected: int) -> None:
    """Compare acknowledged outcomes with the file."""
    assert len(acknowledged) == expected
    in_order = sorted(acknowledged, key=lambda each: int(each["version"]))
    assert [each["version"] for each in in_order] == list(range(1, expected + 1)), "versions without gap or repeat"
    known = [datetime.fromisoformat(each["known_at"]) for each in in_order]
    assert all(before < after for before, after in pairwise(known)), "transaction times increase (R6)"
    assert len({each["record"] for each in acknowledged}) == expected
    with stead.open(path, embedder="none") as store:
        ana = store.subject("ana")
        there: dict[str, stead.Record] = {}
        after: str | None = None
        while page := ana.records(limit=1000, after=after):
            there |= {each.id: each for each in page}
            after = page[-1].id
        assert {each["record"]: each["value"] for each in acknowledged} == {
            name: one.value for name, one in there.items()
        }
        heads = [each for each in there.values() if each.stands and each.stands[-1][1] is None]
        assert len(heads) == 1, "exactly one head"
        assert heads[0].id == in_order[-1]["record"], "what was said last holds: 'now' is read with the lock held"
        assert [fact.value for fact in ana.recall(slot=STATUS).facts] == [in_order[-1]["value"]]
        assert [each.values for each in ana.holds(STATUS) if each.contested] == []
        assert ana.version(STATUS) == expected
        assert ana.questions() == []
        successors = {each.id: each.superseded_by for each in there.values()}
        chain = [each["record"] for each in in_order]
        assert [successors[each] for each in chain] == [*chain[1:], None], "each one was ended by the next"
        assert store.doctor()["healthy"] is True


# --- the tests --------------------------------------------------------------------------------------------------------


def test_writers_of_one_slot_make_one_chain(tmp_path: Path) -> None:
    """R28, R46: 8 processes, 25 writes each, while two others read."""
    done = run(tmp_path / "memory.db", writers=8, writes=25)
    assert done["reads"] > 0


@pytest.mark.slow
@pytest.mark.skipif("STEAD_HEAVY" not in os.environ, reason="minutes: set STEAD_HEAVY, or run this file as a script")
def test_many_writers_of_one_slot(tmp_path: Path) -> None:
    """R46: 64 processes, 200 writes each."""
    run(tmp_path / "memory.db", writers=64, writes=200)


def test_of_many_who_claim_a_version_one_gets_it(tmp_path: Path) -> None:
    """R46: ``if_version`` and an idempotency key decide races between processes."""
    path = tmp_path / "memory.db"
    stead.open(path, embedder="none").close()
    racing = [child("claim_first", path, f"c{number}", 20) for number in range(6)]
    together(racing)
    lines = [line for process in racing for line in answered(process)]
    won = sorted(line["version"] for line in lines if "version" in line)
    assert won == list(range(len(won))), "no version was given out twice"
    once = [line for line in lines if "once" in line]
    assert len({line["once"] for line in once}) == 1
    assert sorted(line["replayed"] for line in once) == [False, *[True] * 5]
    with stead.open(path, embedder="none") as store:
        assert store.subject("ana").version(stead.Slot("turn")) == len(won)
        assert len(store.subject("ana").records(status="active")) == 2


def test_threads_share_one_store(store: stead.Store) -> None:
    """R46: two threads that write and two that read on one open store, each with a connection of its own."""
    over = threading.Event()
    acknowledged: list[dict[str, Any]] = []
    wrong: list[object] = []

    def writing(name: str) -> None:
        ana = store.subject("ana")
        for number in range(60):
            value = f"{name}-{number}"
            outcome = ana.remember(f"The status is {value}", slot=stead.Slot("status", value=value))
            acknowledged.append({"value": value, **outcome.as_dict()})

    def reading() -> None:
        ana = store.subject("ana")
        while not over.is_set():
            found = ana.recall(slot=STATUS)
            if len(found.facts) > 1 or found.questions:
                wrong.append(found.as_dict())

    with ThreadPoolExecutor(4) as pool:
        readers = [pool.submit(reading) for _ in range(2)]
        writers = [pool.submit(writing, name) for name in ("a", "b")]
        for future in writers:
            future.result()
        over.set()
        for future in readers:
            future.result()
    assert wrong == []
    check(Path(store.path), acknowledged, 120)


def test_a_handle_survives_a_fork(store: stead.Store) -> None:
    """R46: a child that was forked opens a connection of its own; neither loses a write."""
    ana = store.subject("ana")
    ana.remember("Before")
    code = (
        "import os, sys, stead\n"
        f"store = stead.open({store.path!r}, embedder='none')\n"
        "ana = store.subject('ana')\n"
        "ana.remember('From the parent')\n"
        "pid = os.fork()\n"
        "ana.remember('After the fork, ' + ('parent' if pid else 'child'))\n"
        "os._exit(0) if not pid else sys.exit(os.waitpid(pid, 0)[1])\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert sorted(each.claim for each in ana.records()) == [
        "After the fork, child", "After the fork, parent", "Before", "From the parent",
    ]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description="Many writers on one slot of one file.")
    parser.add_argument("--writers", type=int, default=64)
    parser.add_argument("--writes", type=int, default=200)
    parser.add_argument("--role", choices=ROLES, default=None, help=argparse.SUPPRESS)
    parser.add_argument("--path", default="", help=argparse.SUPPRESS)
    parser.add_argument("--name", default="", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.role:
        ROLES[chosen.role](chosen.path, chosen.name, chosen.writes)
        return
    with tempfile.TemporaryDirectory(prefix="stead-writers-") as folder:
        done = run(Path(folder) / "memory.db", chosen.writers, chosen.writes)
    rate = done["writes"] / done["seconds"]
    sys.stdout.write(
        f"{done['writes']:.0f} writes of {chosen.writers} processes in {done['seconds']:.1f} s ({rate:.0f} per s)"
    )
    sys.stdout.write(f", {done['reads']:.0f} reads beside them: one head, nothing lost, versions without a gap\n")


if __name__ == "__main__":
    main()
