"""After an erasure no byte of it is in any file, and every other answer is what it was (R31, R32)."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import stead
from stead import Slot
from stead.clock import StoryClock
from stead.ids import seeded_ids
from stead.index.embedders import ModelVersion
from stead.model.period import from_datetime

HOUR = 3_600_000_000
ERASURES = int(os.environ.get("STEAD_ERASURES", "40"))
"""How many in all; 1,000 before a release."""
PER_STORE = 10
DIMENSIONS = 24
LETTERS = "bcdfghjklmnprstvz"
VOWELS = "aeiou"


@dataclass
class Hashed:
    """A model whose vectors say nothing but differ for every text, of one version among several."""

    version: ModelVersion
    floor: float = 0.0
    ceiling: float = 1.0

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self._one(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self._one(text)

    def _one(self, text: str) -> NDArray[np.float32]:
        source = np.random.default_rng([*text.encode(), *self.version.revision.encode()])
        vector = source.standard_normal(DIMENSIONS)
        return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


def model(revision: str) -> Hashed:
    return Hashed(
        ModelVersion(provider="test", name="hashed", revision=revision, dimensions=DIMENSIONS, normalised=True)
    )


@dataclass
class World:
    """A store with what was said in it: words of their own for every record and turn."""

    folder: Path
    seed: int
    clock: StoryClock = field(default_factory=lambda: StoryClock(from_datetime(stead.wall("2026-01-05T10:00", "UTC"))))
    words: dict[str, str] = field(default_factory=dict)
    """The own word of each record and turn, by id."""

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)
        self.store = self.opened("v2")
        self.ana, self.ben = self.store.subject("ana", zone="UTC"), self.store.subject("ben", zone="UTC")
        self.used: set[str] = set()

    def opened(self, revision: str) -> stead.Store:
        return stead.open(
            self.folder / "memory.db", embedder=model(revision), clock=self.clock, new_id=seeded_ids(self.seed)
        )

    def word(self) -> str:
        """Return a word that is used once, unlike any other."""
        while True:
            made = "".join(self.dice.choice(LETTERS) + self.dice.choice(VOWELS) for _ in range(5)) + "q"
            if made not in self.used:
                self.used.add(made)
                return made

    def fill(self, count: int) -> None:
        for n in range(count):
            self.clock.instant += self.dice.randrange(1, 6) * HOUR
            self.say(self.ana, n)
            if n % 3 == 0:
                self.say(self.ben, n)
        with self.older() as older:
            older.embed_backlog()  # a second version of every vector

    def older(self) -> Any:
        return self.opened("v1")

    def say(self, who: stead.Subject, n: int) -> None:
        dice, word = self.dice, self.word()
        kind = dice.choice(
            ["plain", "plain", "slot", "slot", "scope", "category", "source", "derived", "session", "key"]
        )
        given: dict[str, Any] = {}
        if kind == "session":
            self.talk(who, n)
            return
        if kind == "slot":
            given["slot"] = Slot(f"x.{dice.choice('abc')}", object=dice.choice(["", "one"]), value=word)
        elif kind == "scope":
            given["scope"] = dice.choice(["work", "work/briefs", "home"])
        elif kind == "category":
            given["category"] = dice.choice(["event", "work"])
        elif kind == "source":
            given["source"] = (
                {"conversation": dice.choice("pq"), "turn": str(n)} if n % 2 else {"uri": f"crm://{dice.choice('rs')}"}
            )
        elif kind == "key":
            given["idempotency_key"] = f"k{n}"
        elif kind == "derived" and self.mine(who):
            given["derived_from"] = dice.sample(self.mine(who), 1)
            given["kind"] = "reflection"
        outcome = who.remember(f"Keeps {word} around", **given)
        if outcome.record is not None:
            self.words[outcome.record] = word

    def talk(self, who: stead.Subject, n: int) -> None:
        word = self.word()
        with who.session(f"s{n % 4}") as session:
            turn = session.turn("user", f"My cat is called {word.capitalize()}.", turn=f"t{n}")
        self.words[turn.record or ""] = word
        for each in session.outcomes:
            if each.record is not None:
                self.words[each.record] = word

    def mine(self, who: stead.Subject) -> list[str]:
        return [each.id for each in who.records(limit=1000) if each.status in ("active", "superseded")]

    def selection(self) -> dict[str, Any]:
        """Return a random selector of ana's."""
        dice, mine = self.dice, self.mine(self.ana)
        turns = [each.id for each in self.ana.episodes(limit=1000)]
        choices: list[dict[str, Any]] = [
            {"slot": Slot(f"x.{dice.choice('abc')}")}, {"scope": dice.choice(["work", "work/briefs", "home"])},
            {"category": dice.choice(["event", "work"])}, {"conversation": dice.choice(["s0", "s1", "p", "q"])},
            {"source": f"crm://{dice.choice('rs')}"},
            {"before": stead.wall("2026-01-05T20:00", "UTC")}, {"scope": "work", "category": "work"},
        ]  # fmt: skip
        if mine:
            choices += [{"record": dice.choice(mine)}] * 6 + [{"record": dice.sample(mine, min(3, len(mine)))}]
        if turns:
            choices.append({"record": dice.choice(turns)})
        if dice.random() < 0.04:
            return {"everything": True}
        return dice.choice(choices)

    def content(self) -> bytes:
        return b"\n".join(each.read_bytes() for each in sorted(self.folder.rglob("*")) if each.is_file())

    def vectors(self, ids: Sequence[str]) -> list[bytes]:
        with self.store._core.backend.read() as tx:
            rows = tx._all(  # type: ignore[attr-defined]
                "SELECT x.vector, r.id FROM vectors AS x JOIN revisions AS v ON v.n = x.item AND x.store = 'claims'"
                " JOIN records AS r ON r.n = v.record"
            )
        return [vector for vector, name in rows if name in ids]

    def answers(self, without: frozenset[str]) -> list[object]:
        """Return what both subjects' readers can see, but for what names some records and turns."""
        seen: list[object] = []
        for who in (self.ana, self.ben):
            seen += [
                asdict(replace(each, superseded_by=None if each.superseded_by in without else each.superseded_by))
                for each in who.records(limit=1000) if each.id not in without
            ]  # fmt: skip
            seen += [each.text for each in who.episodes(limit=1000) if each.id not in without]
        return seen


@pytest.fixture
def world(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[World]:
    made = World(tmp_path, request.param)
    made.fill(24)
    yield made
    made.store.close()


@pytest.mark.slow
@pytest.mark.parametrize("world", range(max(1, ERASURES // PER_STORE)), indirect=True)
def test_r32_no_byte_is_left_and_nothing_else_changed(world: World) -> None:
    """All selectors, derived records, two versions of vectors, open readers, exports and a backup."""
    world.ana.export(world.folder / "ana.jsonl")
    world.ana.export(world.folder / "ana.md", form="markdown")
    world.store.backup(world.folder / "monday.backup")
    stop = threading.Event()
    reader = threading.Thread(target=reading, args=(world, stop))
    reader.start()
    try:
        for _ in range(PER_STORE):
            chosen = world.selection()
            shown = world.ana.preview_erase(**chosen)
            gone = frozenset((*shown.records, *shown.episodes))
            vectors, before = world.vectors(list(gone)), world.answers(gone)
            receipt = world.ana.erase(**chosen, expect=shown)
            assert (receipt.complete, receipt.failed) == (True, ())
            left = world.content()
            lower = left.lower()
            for name in gone:
                if name in world.words:
                    assert world.words[name].encode() not in lower, (chosen, name)
            assert [each for each in vectors if each in left or each[:16] in left] == []
            assert world.answers(frozenset()) == before, chosen
            world.clock.instant += HOUR
            world.say(world.ana, world.dice.randrange(100, 10_000))
    finally:
        stop.set()
        reader.join()
    assert world.store.doctor()["healthy"]
    assert world.store.verify_receipts().ok


def reading(world: World, stop: threading.Event) -> None:
    with stead.open(world.folder / "memory.db", embedder="none", clock=world.clock) as store:
        while not stop.is_set():
            store.subject("ana", zone="UTC").recall("Keeps around", budget=stead.Budget(facts=5))


OTHER = "import stead, sys\nwith stead.open(sys.argv[1], embedder='none') as s: print([r.claim for r in s.subject('ben').records()])"


@pytest.mark.parametrize("what", ["erase", "second thread"])
def test_r46_reading_a_file_loses_no_lock_on_it(tmp_path: Path, what: str) -> None:
    """Another process that comes and goes must not take itself for the last user, and delete the log of writes that follow."""
    path = tmp_path / "memory.db"

    def elsewhere() -> str:
        done = subprocess.run([sys.executable, "-c", OTHER, str(path)], capture_output=True, text=True, check=True)
        return done.stdout.strip()

    with stead.open(path, embedder="none") as store:
        outcome = store.subject("ana").remember("Likes quorvane")
        if what == "erase":
            assert store.subject("ana").erase(outcome.record).complete
        else:
            second = threading.Thread(target=lambda: store.subject("ana").records())
            second.start()
            second.join()
        assert elsewhere() == "[]"
        store.subject("ben").remember("Likes maps")
        assert elsewhere() == "['Likes maps']"
        assert [each.claim for each in store.subject("ben").records()] == ["Likes maps"]
