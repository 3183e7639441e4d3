"""What was acknowledged is there after the worst (R6, R46): killed processes, restarts, a clock that goes back.

More cycles: ``python -m tests.test_durability --cycles 500``, or STEAD_KILL_CYCLES.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import pytest

import stead
from stead.clock import StoryClock
from stead.model.period import from_datetime

sys.path.insert(0, str(Path(__file__).parent.parent))  # also where this file runs as a script
from tests.test_failures import Hashed

CYCLES = int(os.environ.get("STEAD_KILL_CYCLES", "15"))
A_FILE_EACH = 5
"""After so many kills the next ones hit a new file, so that its making is hit too."""


def serve() -> None:
    """For each line, a path, fork a child that writes until it is killed; its number is the first line of the answer."""
    with (  # what is imported and compiled late is there before the first fork
        tempfile.TemporaryDirectory() as folder,
        stead.open(Path(folder) / "memory.db", embedder=Hashed()) as store,
        store.subject("x").session("c") as first,
    ):
        words = f"word{os.getpid()} thing1 0.{os.getpid()}"  # like what is written
        first.turn("user", words)
        store.subject("x").remember(f"{words} corrected part 1", slot=stead.Slot("slot1", value=words))
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            try:
                write(line.strip())
            finally:
                os._exit(1)
        _say(pid=pid)
        os.waitpid(pid, 0)
        _say(ended=pid)


def write(path: str) -> None:
    """Write claims, supersessions, corrections and turns; each one is told when it was acknowledged, and not before."""
    source = random.Random(os.getpid())
    with stead.open(path, embedder=Hashed()) as store:
        ana = store.subject("ana")
        session = ana.session(f"c-{os.getpid()}")
        for number in range(1_000_000):
            words = f"word{os.getpid()} thing{number} {source.random()}"
            slot = stead.Slot(f"slot{number % 7}", value=words)
            outcomes = [ana.remember(words)] if number % 3 else [ana.remember(words, slot=slot)]
            if number % 5 == 0:
                outcomes.append(session.turn("user", words))
            if number % 11 == 10:
                outcomes.append(ana.correct(str(outcomes[0].record), f"{words} corrected"))
            if number % 13 == 12:
                outcomes += ana.remember_many([{"claim": f"{words} part {part}"} for part in range(5)])
            for each in outcomes:
                _say(id=each.record, tx=each.known_at.isoformat() if each.known_at else "", words=words)


def _say(**line: object) -> None:
    os.write(1, (json.dumps(line) + "\n").encode())


@dataclass(slots=True)
class Told:
    """What children acknowledged, over all cycles on one file."""

    path: Path
    ids: dict[str, str] = field(default_factory=dict)
    times: list[str] = field(default_factory=list)


def one_cycle(server: subprocess.Popen[str], told: Told, source: random.Random) -> int:
    """Start a child, kill it at a random time, and note what it acknowledged."""
    assert server.stdin is not None and server.stdout is not None
    server.stdin.write(f"{told.path}\n")
    server.stdin.flush()
    pid = 0
    while not pid:
        pid = json.loads(server.stdout.readline()).get("pid", 0)
    time.sleep(source.uniform(0.0, 0.03) if source.random() < 0.3 else source.uniform(0.03, 0.3))
    os.kill(pid, signal.SIGKILL)
    acknowledged = 0
    while "ended" not in (line := json.loads(server.stdout.readline())):
        told.ids[line["id"]] = line["words"]
        told.times.append(line["tx"])
        acknowledged += 1
    return acknowledged


def check(told: Told, source: random.Random) -> None:
    """Nothing acknowledged is lost, the file is sound, and text and vectors agree with the rows."""
    with stead.open(told.path, embedder=Hashed()) as store:
        found = store.doctor()
        assert found["integrity"] == ["ok"]
        assert found["full_text"] is True
        ana = store.subject("ana")
        there: set[str] = set()
        after: str | None = None
        while page := ana.records(limit=1000, after=after):
            there.update(one.id for one in page)
            after = page[-1].id
        after = None
        while turns := ana.episodes(limit=1000, after=after):
            there.update(turn.id for turn in turns)
            after = turns[-1].id
        assert set(told.ids) - there == set(), "acknowledged and lost"
        assert told.times == sorted(set(told.times)), "transaction times increase over kills (R6)"
        store.embed_backlog()
        found = store.doctor()
        assert found["backlog"] == 0
        counts, models = found["counts"], found["vectors_by_model"]
        assert isinstance(counts, dict) and isinstance(models, dict)
        assert sum(models.values()) == counts["vectors"] >= len(there), "every text has its vector"
        for record in source.sample(sorted(told.ids), min(3, len(told.ids))):
            answer = ana.recall(told.ids[record], budget={"facts": 50, "episodes": 50, "tokens": 100_000})
            names = {fact.id for fact in answer.facts} | {turn.id for turn in answer.episodes}
            assert record in names or ana.record(record).status != "active", "found by its words"


def cycles(folder: Path, count: int, seed: int) -> dict[str, int]:
    """Kill a writer again and again; after each kill the file is opened and checked."""
    source = random.Random(seed)
    command = [sys.executable, __file__, "--serve"]
    acknowledged = kills = 0
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        told = Told(folder / "0.db")
        for number in range(count):
            if number % A_FILE_EACH == 0:
                told = Told(folder / f"{number}.db")
            acknowledged += one_cycle(server, told, source)
            kills += 1
            check(told, source)
        assert server.stdin is not None
        server.stdin.close()
    return {"kills": kills, "acknowledged": acknowledged}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork and can be killed")
def test_what_was_acknowledged_survives_kill_9(tmp_path: Path) -> None:
    """R46: at any moment, the making of the file, its opening and the work of the model included."""
    done = cycles(tmp_path, CYCLES, seed=1)
    assert done["kills"] == CYCLES
    assert done["acknowledged"] > CYCLES


START = from_datetime(datetime(2026, 6, 1, 12, tzinfo=UTC))
HOUR = 3_600_000_000


def test_a_clock_that_goes_back_never_turns_the_transaction_clock(tmp_path: Path) -> None:
    """R6: strictly increasing within a process, over restarts, and while the wall clock jumps; nothing vanishes."""
    path, source, times, written = tmp_path / "memory.db", random.Random(3), [], []
    clock = StoryClock(START)
    for restart in range(6):
        clock.instant = START + source.randint(-48, 48) * HOUR
        with stead.open(path, clock=clock, embedder="none") as store:
            ana = store.subject("ana")
            for number in range(8):
                clock.instant += source.choice((-5 * HOUR, -1, 0, 1, HOUR))
                value = f"{restart}-{number}"
                outcome = ana.remember(f"Version {value}", slot=stead.Slot(f"s{value}", value=value))
                alone = ana.remember(f"Note {value}")
                for each in (outcome, alone):
                    assert each.known_at is not None
                    times.append(each.known_at)
                    written.append(each.record)
                assert store.now() >= times[-1]
                assert [fact.value for fact in ana.recall(slot=stead.Slot(f"s{value}")).facts] == [value], (
                    "just written"
                )
                assert alone.record in {fact.id for fact in ana.recall(f"Note {value}").facts}
                assert [each.value for each in ana.holds(stead.Slot(f"s{value}"))] == [value]
                assert [each.id for each in ana.records(limit=1000)] == written
                assert ana.recall(slot=stead.Slot(f"s{value}"), known_at=times[-2]).facts[0].value == value
    assert all(before < after for before, after in pairwise(times))


def test_the_same_slot_under_a_clock_that_goes_back(store: stead.Store, clock: StoryClock) -> None:
    """R6, R10: what is said after a clock went back is still said later, and wins."""
    ana = store.subject("ana")
    first = ana.remember("Lives in Bonn", slot=stead.Slot("city", value="Bonn"))
    clock.instant -= 24 * HOUR
    second = ana.remember("Lives in Kiel", slot=stead.Slot("city", value="Kiel"))
    assert first.known_at is not None and second.known_at is not None and first.known_at < second.known_at
    assert second.rule == "newer"
    assert ana.recall(slot=stead.Slot("city")).facts[0].value == "Kiel"
    assert [each.id for each in ana.records()] == [first.record, second.record]
    assert ana.recall(slot=stead.Slot("city"), known_at=first.known_at).facts[0].value == "Bonn"


def main() -> None:
    parser = argparse.ArgumentParser(description="Kill a writer at random times and check the file.")
    parser.add_argument("--cycles", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.serve:
        serve()
        return
    with tempfile.TemporaryDirectory(prefix="stead-kill-") as folder:
        done = cycles(Path(folder), chosen.cycles, chosen.seed)
    sys.stdout.write(
        f"{done['kills']} kills, {done['acknowledged']} acknowledged writes, none lost, every file sound\n"
    )


if __name__ == "__main__":
    main()
