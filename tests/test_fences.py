"""What was erased doesn't come back, whatever was on its way while it was erased: ten ways back, step by step in any order (R32)."""

from __future__ import annotations

import json
import os
import random
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.planted import load
from numpy.typing import NDArray

import stead
from stead import Slot
from stead.clock import StoryClock
from stead.errors import Erased, SteadError
from stead.ids import seeded_ids
from stead.index.embedders import ModelVersion
from stead.memory import deeds, erasing, summing, sweeping
from stead.memory.restoring import restore
from stead.model.period import from_datetime

FEW, MANY = 6, int(os.environ.get("STEAD_INTERLEAVINGS", "40"))
SECOND = 1_000_000
WORD = "zorblax"
"""Stands in everything that is erased, and in nothing else."""
SAID = f"I live in {WORD.title()}"
OLD = "2026-01-05T10:00:00+00:00"
CITY = Slot("home.city", value=WORD.title())
PATIENCE = 60
"""Seconds after which an actor that should have come to its next step hangs."""


# --- actors: one step at a time, in an order that dice decide ---------------------------------------------------------------


class Actor(threading.Thread):
    """A thread that runs from one pause to the next whenever it is told to, and never beside another one."""

    def __init__(self, work: Callable[[], object]) -> None:
        super().__init__(daemon=True)
        self.work, self.done = work, False
        self.error: BaseException | None = None
        self._go, self._back = threading.Semaphore(0), threading.Semaphore(0)
        self.start()

    def run(self) -> None:
        self._go.acquire()
        try:
            self.work()
        except BaseException as error:  # noqa: BLE001 - it is raised in the test
            self.error = error
        self.done = True
        self._back.release()

    def pause(self) -> None:
        self._back.release()
        self._go.acquire()

    def step(self) -> None:
        self._go.release()
        assert self._back.acquire(timeout=PATIENCE), "it waits for something that another actor holds"


VERSION = ModelVersion(provider="test", name="slow", revision="1", dimensions=16, normalised=True)


@dataclass
class Slow:
    """An embedder that can be overtaken while it works; its vectors tell one text from another."""

    scene: Scene | None = None
    version: ModelVersion = VERSION
    floor: float = 0.0
    ceiling: float = 1.0
    asked: int = 0

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += len(texts)
        if self.scene is not None:
            self.scene.pause("embedding")
        return np.stack([vector(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return vector(text)


def vector(text: str) -> NDArray[np.float32]:
    made = np.random.default_rng([*text.encode()]).standard_normal(16)
    return np.asarray(made / np.linalg.norm(made), dtype=np.float32)


# --- the scene --------------------------------------------------------------------------------------------------------------


@dataclass
class Scene:
    """A store that is erased from while something else is on its way."""

    folder: Path
    ids: dict[str, Any]
    clock: StoryClock
    embedder: Slow = field(default_factory=Slow)
    begun: bool = False
    """Whether the first transaction of the erasure has ended."""
    refused: list[str] = field(default_factory=list)
    erase: Callable[[], stead.Receipt] = lambda: pytest.fail("nothing is erased")
    receipt: stead.Receipt | None = None
    steps: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.path = self.folder / "memory.db"
        self.store = stead.open(self.path, clock=self.clock, embedder=self.embedder)
        self.ana = self.store.subject("ana", zone="UTC")
        self.embedder.scene = self
        self.before = self.store.now()
        self.epoch = self.ana.epoch
        self.tick()

    def tick(self) -> None:
        self.clock.instant += SECOND

    def pause(self, name: str) -> None:
        """Let another actor go on, unless this one is in a transaction."""
        me = threading.current_thread()
        backend: Any = self.store._core.backend
        if not isinstance(me, Actor) or backend._connection().in_transaction:
            return
        if name in erasing.STEPS:
            self.begun = True
        self.steps.append(name)
        me.pause()
        self.tick()

    def erases(self) -> None:
        self.pause("begin")
        self.receipt = self.erase()

    def attempt(self, call: Callable[[], object], *, code: str | None = "erased") -> None:
        """Do what must be refused once the erasure is begun; what is refused otherwise fails the test."""
        begun = self.begun
        try:
            call()
        except SteadError as error:
            assert begun or error.code != "erased"
            self.refused.append(error.code)
            if begun and code is not None:
                assert error.code == code, error
            assert WORD not in str(error).lower()
        else:
            assert not begun or code is None, "nothing refused it"
        self.pause("tried")


def run(scene: Scene, rival: Callable[[Scene], None], dice: random.Random) -> None:
    """Let the erasure and its rival take their steps in an order that dice decide, and look at what is left."""
    eagerness = dice.choice((0.2, 0.5, 0.8))  # who is often first, so that both ends meet every step of the other
    actors = [Actor(scene.erases), Actor(lambda: rival(scene))]
    while any(not each.done for each in actors):
        first = actors if dice.random() < eagerness else actors[::-1]
        next(each for each in first if not each.done).step()
    for each in actors:
        if each.error is not None:
            raise each.error
    gone(scene)


def gone(scene: Scene) -> None:
    """Assert that it is gone: from every answer, from the bytes of every file; and that it can be said anew."""
    store = scene.store
    for again in store.resume_erasures():
        assert again.complete, again
    assert scene.receipt is not None and scene.receipt.complete, scene.receipt
    unreadable(scene)
    assert store.verify_receipts().ok
    found = store.doctor()
    assert found["healthy"], found
    vectors_fit(scene)
    store.close()
    for path in scene.folder.glob("memory.db*"):
        assert WORD.encode() not in path.read_bytes().lower(), path.name
    with stead.open(scene.path, clock=scene.clock, embedder="none") as reopened:
        anew(reopened, scene)


def anew(store: stead.Store, scene: Scene) -> None:
    """Say it again, from another turn and after the erasure: it is a new consent."""
    scene.tick()
    ana = store.subject("ana", zone="UTC")
    assert ana.epoch == scene.epoch + 1
    outcome = ana.remember(SAID, slot=CITY, source={"conversation": "later", "turn": "1"})
    assert outcome.record not in scene.ids["records"]
    assert any(fact.id == outcome.record for fact in ana.recall(SAID).facts)


def unreadable(scene: Scene) -> None:
    """Assert that no answer has it, of now or as it was known before."""
    ana = scene.ana
    for known in (None, scene.before):
        context = ana.recall(f"{SAID} {WORD}", known_at=known)
        assert WORD not in f"{context.text} {context.facts} {context.episodes}".lower()
        assert WORD not in str(ana.holds(Slot("home.city"), known_at=known)).lower()
    told = (
        ana.records(limit=1000),
        ana.episodes("c1"),
        ana.questions(),
        ana.decisions(limit=1000),
        list(ana.export()),
        ana.aliases(),
    )
    assert WORD not in str(told).lower()
    for record in scene.ids["records"]:
        for read in (ana.record, ana.history, ana.why):
            with pytest.raises(Erased):
                read(record)


def vectors_fit(scene: Scene) -> None:
    """Assert that each vector belongs to a text that is there, and was made of it."""
    with scene.store._core.backend.read() as read:
        every: Any = read
        rows = every._all(
            "SELECT x.vector, coalesce(v.claim, e.speaker || ': ' || e.text) FROM vectors AS x"
            " LEFT JOIN revisions AS v ON x.store = 'claims' AND v.n = x.item"
            " LEFT JOIN episodes AS e ON x.store = 'episodes' AND e.n = x.item"
        )
    for stored, text in rows:
        assert text is not None
        numbers = np.frombuffer(stored, dtype=np.float32)
        likeness = float(numbers @ vector(text)) / float(np.linalg.norm(numbers))
        assert likeness > 0.9, "a vector stands at a number that it wasn't made for"


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], int]:
    """Return a folder with a store, its backup and an export, in which something waits for every way back."""
    folder = tmp_path_factory.mktemp("staged")
    clock = StoryClock(from_datetime(stead.wall("2026-01-05T10:00", "UTC")))
    with stead.open(folder / "memory.db", clock=clock, new_id=seeded_ids(5), embedder="none") as store:
        ana = store.subject("ana", zone="UTC")
        ana.remember("Lives in Oslo", slot=Slot("home.city", value="Oslo"), source={"conversation": "c0", "turn": "1"})
        clock.instant += SECOND
        with ana.session("c1") as session:
            session.turn("user", "I like hiking", turn="t0")
            turn = session.turn("user", SAID, turn="t1").record
            session.turn("assistant", "Noted.", turn="t2")
        [home] = [each.id for each in ana.records(limit=100) if WORD in each.claim.lower()]
        clock.instant += SECOND
        keyed = ana.remember(f"Keeps a boat in {WORD}", idempotency_key="k1", observed_at=OLD).record
        unasked = load(store, "ana", [f"Works at {WORD}", f"Works at {WORD}.", f"The lodge is in {WORD}"])
        others = load(
            store, "ana", ["Works at Apex", "Works at Borealis", "The lodge is in Rome", "Likes tea", "Likes tea."]
        )
        proposed = ana.remember(f"Might move to {WORD} hills", authority="inferred").record
        pending = ana.session("c3")  # it stays open: a crash has left it
        pending.turn("user", f"I work at {WORD.title()}", turn="p1")
        sources = [home, keyed]
        derived = ana.remember(
            f"Is at home by the water of {WORD}", derived_from=[each for each in sources if each], kind="reflection"
        ).record
        clock.instant += SECOND
        later = ana.remember(
            "Lives in Bergen", slot=Slot("home.city", value="Bergen"), source={"conversation": "c5", "turn": "1"}
        ).record
        records = [home, keyed, proposed, derived, *unasked]
        assert None not in records
        for line in (lines := list(ana.export())):
            json.dumps(line)
        (folder / "export.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n")
        store.backup(folder / "old.backup")
        ids = {
            "records": records,
            "turn": turn,
            "home": home,
            "keyed": keyed,
            "proposed": proposed,
            "later": later,
            "others": others,
        }
    return folder, ids, clock.instant


@pytest.fixture
def make(
    staged: tuple[Path, dict[str, Any], int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[int], Scene]]:
    """Return a function that sets the scene anew."""
    made: list[Scene] = []

    def scene(number: int) -> Scene:
        folder = tmp_path / str(number)
        folder.mkdir()
        for each in staged[0].iterdir():
            shutil.copy(each, folder)
        one = Scene(folder, staged[1], StoryClock(staged[2]))
        for module in (erasing, deeds, sweeping, summing):
            monkeypatch.setattr(module, "reached", one.pause)
        monkeypatch.setattr(erasing, "BATCH", 2)
        # what waits in the open session, and all records and turns with the word, whatever became of them meanwhile
        one.erase = lambda: one.ana.erase(named(one))
        made.append(one)
        return one

    yield scene
    for each in made:
        each.store.close()


def named(scene: Scene) -> list[str]:
    """Return the ids of everything that has the word."""
    with scene.store._core.backend.read() as read:
        every: Any = read
        like = (f"%{WORD}%",)
        rows = every._all(
            "SELECT DISTINCT r.id FROM revisions AS v JOIN records AS r ON r.n = v.record WHERE v.claim LIKE ?", like
        )
        rows += every._all("SELECT id FROM episodes WHERE text LIKE ?", like)
    return [name for (name,) in rows]


# --- the ways back ----------------------------------------------------------------------------------------------------------


def queued(scene: Scene) -> None:
    """A write that was made before and waited in a queue: with its turn, without one, and with a key of its own."""
    claims: list[dict[str, Any]] = [
        {"source": {"conversation": "c1", "turn": "t1"}},
        {"source": {"conversation": "c1", "turn": "t1"}, "idempotency_key": "q1"},
        {"observed_at": OLD},
        {"observed_at": OLD, "source": {"conversation": "c1"}},
        {"observed_at": OLD, "source": {"conversation": "c1", "turn": "t1"}},
    ]
    for each in claims:
        scene.attempt(lambda each=each: scene.ana.remember(SAID, slot=CITY, **each))  # type: ignore[misc]
    scene.attempt(
        lambda: scene.ana.remember(f"Is at home in {WORD}", slot=CITY, observed_at=OLD)
    )  # other words, same value
    scene.attempt(
        lambda: scene.ana.remember_many([{"claim": "Likes rye"}, {"claim": SAID, "slot": CITY, "observed_at": OLD}])
    )


def consolidates(scene: Scene) -> None:
    """A consolidation that has read the records before they went."""
    for _ in range(2):
        scene.store.consolidate("ana")
        scene.pause("consolidated")


def reviewed(scene: Scene) -> None:
    """A session that was opened before, with its turns in hand, and is reviewed after."""
    session = scene.ana.session("c3")
    scene.pause("opened")
    with suppress(Erased):
        session.close()
    scene.pause("reviewed")
    scene.attempt(lambda: scene.ana.session("c1").turn("user", SAID, turn="t1"))


def repeated(scene: Scene) -> None:
    """Old words again in another conversation, as said back then: an import of chats, or a client that sends late."""
    session = scene.ana.session("c9")
    if scene.begun:  # the turn is the subject's own words again, and what it would draw from it is old
        with suppress(Erased):
            session.turn("user", "I like rain", turn="r1", said_at=OLD)
    scene.pause("said")
    for number in range(3):
        scene.attempt(lambda number=number: scene.ana.remember(  # type: ignore[misc]
            SAID, slot=CITY, observed_at=OLD, source={"conversation": "c9", "turn": f"x{number}"}
        ))  # fmt: skip
    with suppress(Erased):
        session.close()


def embeds(scene: Scene) -> None:
    """Vectors that were asked for before the texts went, one batch after the other; it stands for any backfill."""
    for _ in range(30):
        if not scene.store.embed_backlog(3):
            break
        scene.pause("embedded")
        scene.ana.remember(f"Saw {scene.embedder.asked} birds")  # would take a number that is free


def by_epoch(scene: Scene) -> None:
    """A process that has read before the erasure writes what it made of it after."""
    for number in range(4):
        scene.attempt(lambda number=number: scene.ana.remember(f"Is a sailor of rank {number}", epoch=scene.epoch))  # type: ignore[misc]


def imports(scene: Scene) -> None:
    """An export from before is read in, twice."""
    for _ in range(2):
        begun = scene.begun
        report = scene.ana.import_(scene.folder / "export.jsonl", trust=True)
        if begun:
            assert report.erased >= 4, report
        scene.pause("imported")


def retries(scene: Scene) -> None:
    """The same call again, with the same key: it was never answered."""
    for _ in range(4):
        scene.attempt(lambda: scene.ana.remember(f"Keeps a boat in {WORD}", idempotency_key="k1", observed_at=OLD))


def restores(scene: Scene) -> None:
    """A backup from before is restored beside the store."""
    for number in range(2):
        begun, place = scene.begun, scene.folder / f"restored{number}.db"
        restore(
            scene.folder / "old.backup", place, keys=f"{scene.path}.keys",
            ledger=f"{scene.path}.ledger" if Path(f"{scene.path}.ledger").exists() else None, clock=scene.clock,
        )  # fmt: skip
        if begun:
            for path in scene.folder.glob(f"restored{number}.db*"):
                assert WORD.encode() not in path.read_bytes().lower(), path.name
            with stead.open(place, clock=scene.clock, embedder="none") as store:
                assert WORD not in str(list(store.subject("ana").export())).lower()
        scene.pause("restored")


def answers(scene: Scene) -> None:
    """Answers to what was asked before, about records that are gone by now; and the end of what had ended them."""
    ana, ids = scene.ana, scene.ids
    calls: list[Callable[[], object]] = [
        lambda: ana.confirm(ids["proposed"]),
        lambda: ana.verify(ids["home"]),
        lambda: ana.correct(ids["home"], f"Lives in {WORD} town"),
        lambda: ana.rollback(ids["home"]),
        lambda: ana.retract(ids["keyed"]),
        lambda: ana.rollback(ids["keyed"]),
        lambda: ana.settle(ids["home"], undo=True),
        lambda: ana.settle(keep=ids["home"]),
        lambda: ana.revalidate(ids["home"]),
        lambda: ana.remember("Is from there", derived_from=[ids["home"]]),
        lambda: ana.remember("Is from here", overrides=[ids["home"]], slot=Slot("home.city", value="Rome")),
        lambda: ana.used(ids["home"]),
        lambda: ana.reject(ids["proposed"]),
    ]
    random.Random(scene.clock.instant).shuffle(calls)
    for each in calls:
        scene.attempt(each)
    scene.attempt(lambda: ana.rollback(ids["later"]), code=None)  # what it had ended is gone, and stays so


RIVALS = (queued, consolidates, reviewed, repeated, embeds, by_epoch, imports, retries, restores, answers)


@pytest.mark.parametrize("rival", RIVALS, ids=lambda each: each.__name__)
def test_r32_it_stays_gone_in_every_order_of_steps(
    make: Callable[[int], Scene], rival: Callable[[Scene], None]
) -> None:
    for seed in range(FEW):
        run(make(seed), rival, random.Random(seed))


@pytest.mark.slow
@pytest.mark.parametrize("rival", RIVALS, ids=lambda each: each.__name__)
def test_r32_it_stays_gone_in_many_orders_of_steps(
    make: Callable[[int], Scene], rival: Callable[[Scene], None]
) -> None:
    met = 0
    for seed in range(FEW, MANY):
        scene = make(seed)
        run(scene, rival, random.Random(seed))
        met += bool(scene.refused)
        shutil.rmtree(scene.folder)
    if rival in (queued, retries, by_epoch, answers):
        assert met > MANY // 4, "the erasure was hardly ever first"
