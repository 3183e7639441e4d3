"""A second process that has read before an erasure, and writes after it (R32, R46)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import stead

OTHER = """
import sys, stead
with stead.open(sys.argv[1], embedder="none") as store:
    ana = store.subject("ana", zone="UTC")
    epoch, seen = ana.epoch, [each.claim for each in ana.records()]
    print("read", flush=True)
    for line in sys.stdin:
        try:
            done = ana.remember(line.strip(), epoch=epoch).decision
        except stead.SteadError as error:
            done = error.code
        print(done, [each.claim for each in ana.records()], ana.recall("quorvane").facts, flush=True)
"""


@contextmanager
def process(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Run one that opens the store, reads, and writes what it is told, with the epoch that it read first."""
    command = [sys.executable, "-c", OTHER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None and other.stdout.readline() == "read\n"
        yield other
        assert other.stdin is not None
        other.stdin.close()
        assert other.wait(60) == 0


def says(other: subprocess.Popen[str], claim: str) -> str:
    assert other.stdin is not None and other.stdout is not None
    other.stdin.write(f"{claim}\n")
    other.stdin.flush()
    return other.stdout.readline().strip()


@pytest.mark.parametrize("step", ["before the purge", "after all"])
def test_r32_a_second_process_with_an_old_epoch_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """What it concluded from what it had read is refused, in its own words too; once it has read anew it may write."""
    path, heard = tmp_path / "memory.db", list[str]()
    with stead.open(path, embedder="none") as store:
        ana = store.subject("ana", zone="UTC")
        record = ana.remember("Keeps a quorvane").record
        ana.remember("Likes maps")
        with process(path) as other:
            assert says(other, "Likes tea").startswith("ADD ['Keeps a quorvane', 'Likes maps', 'Likes tea']")

            def reached(name: str) -> None:
                if name == "hidden" and step == "before the purge":
                    heard.append(says(other, "Sails often, with the thing"))

            monkeypatch.setattr("stead.memory.erasing.reached", reached)
            assert ana.erase(record).complete
            heard.append(says(other, "Sails often, with the thing"))
            assert set(heard) == {"erased ['Likes maps', 'Likes tea'] ()"}
        with process(path) as later:
            assert says(later, "Sails often").startswith("ADD")
        assert store.verify_receipts().ok
