"""After an erasure every answer is that of a store that never saw the erased content, but for the ends that it caused (R49)."""

from __future__ import annotations

import hashlib
import os
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import stead
from stead import Budget, Slot
from stead.clock import StoryClock
from stead.ids import spell
from stead.index.embedders import ModelVersion
from stead.model.period import from_datetime

HISTORIES = int(os.environ.get("STEAD_HISTORIES", "24"))
"""How many; 500 before a release."""
HOUR = 3_600_000_000
START = from_datetime(stead.wall("2026-01-05T10:00", "UTC"))
DIMENSIONS = 12
WORDS = "tea maps kites boats chess jazz snow bread rivers stars horses violins".split()
VERBS = "Likes Collects Studies Paints Repairs".split()
Op = Callable[[stead.Store, dict[str, str]], object]


@dataclass
class StepIds:
    """Ids that depend on the step and not on what was written before it: leaving a step out moves no other's."""

    step: int = 0
    count: int = 0

    def __call__(self) -> str:
        self.count += 1
        return spell(int.from_bytes(hashlib.sha256(f"{self.step}.{self.count}".encode()).digest()[:10], "big"))


@dataclass
class Hashed:
    """A model whose vectors lie near where texts share words."""

    version: ModelVersion = field(
        default_factory=lambda: ModelVersion(
            provider="test", name="bag", revision="1", dimensions=DIMENSIONS, normalised=True
        )
    )
    floor: float = 0.2
    ceiling: float = 0.9

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        total = np.zeros(DIMENSIONS)
        for word in text.lower().split():
            total += np.random.default_rng([*word.encode()]).standard_normal(DIMENSIONS)
        return np.asarray(total / np.linalg.norm(total), dtype=np.float32)


def steps_of(dice: random.Random, count: int) -> list[Op]:
    """Return a random history; each step names what it needs by the number of the step that made it."""
    steps: list[Op] = []
    for n in range(count):
        kind = dice.choice(
            ["plain", "plain", "plain", "slot", "slot", "scope", "talk", "talk", "used", "end", "derived", "ben"]
        )
        words = " and ".join(dice.sample(WORDS, 2))
        earlier = f"r{dice.randrange(max(1, n))}"
        steps.append(_step(kind, n, f"{dice.choice(VERBS)} {words} {n}", earlier, dice.randrange(4)))
    return steps


def _step(kind: str, n: int, claim: str, earlier: str, pick: int) -> Op:
    def do(store: stead.Store, ids: dict[str, str]) -> object:
        who = store.subject("ben" if kind == "ben" else "ana", zone="UTC")
        if kind == "talk":
            with who.session(f"c{pick}") as session:
                ids[f"r{n}"] = session.turn("user", f"We spoke of {claim.lower()}.", turn=f"t{n}").record or ""
            return None
        if kind in ("used", "end"):
            if earlier not in ids or (kind == "end" and not ids[earlier].startswith("rec_")):
                return None
            if kind == "end":
                return _ended(who, ids[earlier])
            with suppress(stead.SteadError):  # it may be of somebody else
                who.used(ids[earlier])
            return None
        given: dict[str, Any] = {}
        if kind == "slot":
            given["slot"] = Slot(f"x.s{n}", value=claim)
        elif kind == "scope":
            given["scope"] = f"work/{pick}"
        elif kind == "derived":
            if not ids.get(earlier, "").startswith("rec_"):
                return None
            try:
                ids[f"r{n}"] = who.remember(claim, kind="reflection", derived_from=[ids[earlier]]).record or ""
            except stead.SteadError:  # its source has ended, or is somebody else
                return None
            return None
        ids[f"r{n}"] = who.remember(claim, **given).record or ""
        return None

    return do


def _ended(who: stead.Subject, record: str) -> object:
    try:
        return who.end(record)
    except stead.SteadError:
        return None


def played(path: Path, steps: Sequence[Op], without: frozenset[int]) -> tuple[stead.Store, StoryClock, dict[str, str]]:
    clock, source, ids = StoryClock(START), StepIds(), dict[str, str]()
    store = stead.open(path, clock=clock, new_id=source, embedder=Hashed())
    store.subject("ana", zone="UTC").remember("Begins here")
    for n, step in enumerate(steps):
        clock.instant, source.step, source.count = START + (n + 1) * HOUR, n + 1, 0
        if n not in without:
            step(store, ids)
    source.step, source.count = 10_000, 0
    clock.instant = START + (len(steps) + 5) * HOUR
    return store, clock, ids


def answers(store: stead.Store, clock: StoryClock) -> list[object]:
    """Return everything that a reader can see, with scores and rankings, and the statistics that decide."""
    found: list[object] = []
    start = stead.wall("2026-01-05T10:00", "UTC")
    for name in ("ana", "ben"):
        who = store.subject(name, zone="UTC")
        found += [
            who.records(limit=1_000),
            who.episodes(limit=1_000),
            who.questions(),
            who.open_sessions(),
            who.aliases(),
        ]
        for words in (*WORDS, "paints rivers and stars", ""):
            for known_at in (None, start + timedelta(hours=9)):
                budget = Budget(facts=8, episodes=6)
                found.append(who.recall(words, scope="work/1", budget=budget, known_at=known_at).as_dict())
        with store._core.backend.read() as tx:
            row = tx.subject(name)
            if row is None:  # nothing was ever written of it
                found += [(0, 0)] * 5
                continue
            found += [
                tx.totals(shelf, row.n, known) for shelf in ("claims", "episodes") for known in (None, clock.instant)
            ]
            found.append(tx.recent_contradictions(row.n, 50))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(HISTORIES))
def test_r49_an_erased_record_or_turn_leaves_no_influence(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    steps = steps_of(dice, 14)
    chosen = dice.randrange(len(steps))
    with_it, clock, ids = played(tmp_path / "with.db", steps, frozenset())
    if f"r{chosen}" not in ids:
        with_it.close()
        pytest.skip("the step that was chosen wrote nothing")
    owner = next(each for each in ("ana", "ben") if _is_of(with_it, each, ids[f"r{chosen}"]))
    shown = with_it.subject(owner, zone="UTC").preview_erase(ids[f"r{chosen}"])
    gone = {*shown.records, *shown.episodes}
    assert with_it.subject(owner, zone="UTC").erase(ids[f"r{chosen}"]).complete
    left_out = frozenset(int(name[1:]) for name, each in ids.items() if each in gone)
    about = frozenset(  # what was done to it goes with it
        n for n, step in enumerate(steps) if n not in left_out and _only_about(step, gone, ids)
    )
    without, other, _ = played(tmp_path / "without.db", steps, left_out | about)
    clock.instant += HOUR
    other.instant += HOUR
    try:
        for mine, theirs in zip(answers(with_it, clock), answers(without, other), strict=True):
            assert mine == theirs
    finally:
        with_it.close()
        without.close()


def _is_of(store: stead.Store, name: str, public_id: str) -> bool:
    try:
        return not store.subject(name, zone="UTC").preview_erase(public_id).empty
    except stead.SteadError:
        return False


def _only_about(step: Op, gone: set[str], ids: dict[str, str]) -> bool:
    cells = dict(zip(step.__code__.co_freevars, (each.cell_contents for each in step.__closure__ or ()), strict=True))
    return cells["kind"] in ("used", "end") and ids.get(cells["earlier"]) in gone
