"""A refused or failed call leaves everything as it was (R3, R9, R13, R46, R47), and a failing model never loses a write."""

from __future__ import annotations

import contextlib
import hashlib
import os
import random
import shutil
import sqlite3
import subprocess
import tempfile
import warnings
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest
from numpy.typing import NDArray

import stead
from stead.clock import StoryClock
from stead.index.embedders import ModelVersion

CITY = stead.Slot("home.city")
Call = Callable[["Scene"], object]


def connection(store: stead.Store) -> apsw.Connection:
    """Return the driver's own connection of this thread, to set its limits."""
    found: apsw.Connection = store._core.backend._connection()  # type: ignore[attr-defined]
    return found


def dump(path: str | Path) -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of every table, the shadow tables of the full text included."""
    reader = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        tables = [row[0] for row in reader.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name"
        )]  # fmt: skip
        return {name: reader.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in tables}
    finally:
        reader.close()


@dataclass(slots=True)
class Hashed:
    """An embedder whose vectors follow from the text alone; it can be told to fail."""

    dimensions: int = 32
    failing: str = ""
    floor: float = 0.1
    ceiling: float = 0.6
    asked: list[str] = field(default_factory=list)

    @property
    def version(self) -> ModelVersion:
        return ModelVersion(provider="test", name="hashed", revision="1", dimensions=self.dimensions, normalised=True)

    def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.failing == "raises":
            raise RuntimeError("the model is gone")
        made = np.stack([self.embed_query(text) for text in texts])
        if self.failing == "count":
            return made[:-1]
        if self.failing == "dimensions":
            return made[:, :-1]
        if self.failing == "numbers":
            return made * np.float32("nan")
        return made

    def embed_query(self, text: str) -> NDArray[np.float32]:
        vector = np.random.default_rng(zlib.crc32(text.encode())).standard_normal(self.dimensions, dtype=np.float32)
        unit: NDArray[np.float32] = vector / np.linalg.norm(vector)
        return unit


@dataclass(slots=True)
class Scene:
    """A small story with a record in every status."""

    store: stead.Store
    clock: StoryClock
    ana: stead.Subject
    session: stead.Session
    ids: dict[str, str]


@pytest.fixture
def scene(store: stead.Store, clock: StoryClock) -> Scene:
    ana, ben = store.subject("ana", zone="Europe/Berlin"), store.subject("ben")
    ids: dict[str, str] = {}

    def note(name: str, outcome: stead.Outcome) -> None:
        clock.instant += 60_000_000
        assert outcome.record is not None
        ids[name] = outcome.record

    note("old", ana.remember("Lives in Bonn", slot=stead.Slot("home.city", value="Bonn")))
    note("city", ana.remember("Lives in Berlin", slot=stead.Slot("home.city", value="Berlin")))
    note("pet", ana.remember("Has a newt"))
    note("gone", ana.remember("Has a dog"))
    note("gone", ana.retract(ids["gone"]))
    note("proposal", ana.remember("Likes tea", authority="inferred"))
    note("no", ana.remember("Likes mud", authority="inferred"))
    note("no", ana.reject(ids["no"]))
    note("one", ana.remember("Office is 1", slot=stead.Slot("office", value="1"), speaker="eva"))
    note("two", ana.remember("Office is 2", slot=stead.Slot("office", value="2"), speaker="tom"))
    note(
        "record", ana.remember("Was born in 1990", slot=stead.Slot("born", value="1990"), authority="system_of_record")
    )
    note("low", ana.remember("Meets at nine"))
    note("high", ana.remember("Keeps mornings free", overrides=[ids["low"]]))
    note("ben", ben.remember("Lives in Rome", slot=stead.Slot("home.city", value="Rome")))
    ana.remember("Drinks coffee", idempotency_key="k-1")
    session = ana.session("c-1")
    session.turn("user", "I moved to Berlin", turn="1")
    return Scene(store, clock, ana, session, ids)


def soon(scene: Scene) -> datetime:
    return scene.store.now() + timedelta(hours=1)


NEW = stead.Slot("home.city", value="Kiel")
REFUSED: tuple[tuple[str, type[stead.SteadError], Call], ...] = (
    ("R9 naive time", stead.NaiveTime, lambda s: s.store.subject("ana").remember("x", valid_from="2026-03-01T09:00")),
    ("R9 naive time in recall", stead.NaiveTime, lambda s: s.store.subject("ana").recall("x", at="2026-03-01T09:00")),
    ("R9 gap", stead.AmbiguousTime, lambda s: s.ana.remember("x", valid_from="2026-03-29T02:30")),
    ("R9 fold", stead.AmbiguousTime, lambda s: s.ana.remember("x", valid_from="2026-10-25T02:30")),
    ("R9 gap in end", stead.AmbiguousTime, lambda s: s.ana.end(slot=CITY, when="2026-03-29T02:30")),
    ("R9 fold in correct", stead.AmbiguousTime, lambda s: s.ana.correct(s.ids["city"], valid_from="2026-10-25T02:30")),
    ("R9 empty interval", stead.InvalidInterval,
     lambda s: s.ana.remember("x", valid_from="2026-03-01", valid_until="2026-03-01")),
    ("R9 reversed interval", stead.InvalidInterval,
     lambda s: s.ana.remember("x", slot=NEW, valid_from="2026-03-02", valid_until="2026-03-01")),
    ("R9 ended before it was said", stead.InvalidInterval, lambda s: s.ana.remember("x", valid_until="2020-01-01")),
    ("R9 future known_at", stead.KnownAtInFuture, lambda s: s.ana.recall("x", known_at=soon(s))),
    ("R9 future known_at in holds", stead.KnownAtInFuture, lambda s: s.ana.holds(CITY, known_at=soon(s))),
    ("R46 observed in the future", stead.InvalidArgument, lambda s: s.ana.remember("x", observed_at=soon(s))),
    ("R46 empty claim", stead.InvalidArgument, lambda s: s.ana.remember("  ")),
    ("R46 NUL in the claim", stead.InvalidArgument, lambda s: s.ana.remember("a\0b")),
    ("R46 slot without a value", stead.InvalidArgument, lambda s: s.ana.remember("x", slot=CITY)),
    ("R46 unknown authority", stead.InvalidArgument, lambda s: s.ana.remember("x", authority="god")),
    ("R46 confidence above one", stead.InvalidArgument, lambda s: s.ana.remember("x", confidence=1.1)),
    ("R46 malformed scope", stead.InvalidArgument, lambda s: s.ana.remember("x", scope="a//b")),
    ("R46 unknown key in a batch", stead.InvalidArgument,
     lambda s: s.ana.remember_many([{"claim": "fine"}, {"claim": "x", "colour": "red"}])),
    ("R46 a batch is whole or nothing", stead.UnknownRecord,
     lambda s: s.ana.remember_many([{"claim": "fine"}, {"claim": "x", "derived_from": ["rec_none"]}])),
    ("R46 nothing to correct", stead.InvalidArgument, lambda s: s.ana.correct(s.ids["city"])),
    ("R46 negative budget", stead.InvalidArgument, lambda s: s.ana.recall("x", budget={"facts": -1})),
    ("R46 empty role of a turn", stead.InvalidArgument, lambda s: s.session.turn("", "x")),
    ("R46 same turn, other words", stead.Conflict, lambda s: s.session.turn("user", "other", turn="1")),
    ("R46 idempotency mismatch", stead.IdempotencyMismatch, lambda s: s.ana.remember("Drinks tea", idempotency_key="k-1")),
    ("R46 stale version", stead.StaleRevision, lambda s: s.ana.remember("x", slot=NEW, if_version=1)),
    ("R46 stale version of a slot never written", stead.StaleRevision,
     lambda s: s.ana.remember("x", slot=stead.Slot("never", value="1"), if_version=1)),
    ("unknown record", stead.UnknownRecord, lambda s: s.ana.retract("rec_none")),
    ("unknown record in history", stead.UnknownRecord, lambda s: s.ana.history("rec_none")),
    ("unknown override", stead.UnknownRecord, lambda s: s.ana.remember("x", overrides=["rec_none"])),
    ("unknown page", stead.UnknownRecord, lambda s: s.ana.records(after="rec_none")),
    ("unknown question", stead.UnknownRecord, lambda s: s.ana.settle("que_none", keep=s.ids["one"])),
    ("R3 end what was retracted", stead.IllegalTransition, lambda s: s.ana.end(s.ids["gone"])),
    ("R3 retract twice", stead.IllegalTransition, lambda s: s.ana.retract(s.ids["gone"])),
    ("R3 correct what was retracted", stead.IllegalTransition, lambda s: s.ana.correct(s.ids["gone"], "Has a fox")),
    ("R3 roll back what nothing ended", stead.IllegalTransition, lambda s: s.ana.rollback(s.ids["city"])),
    ("R3 confirm what waits for nothing", stead.IllegalTransition, lambda s: s.ana.confirm(s.ids["city"])),
    ("R3 confirm what was rejected", stead.IllegalTransition, lambda s: s.ana.confirm(s.ids["no"])),
    ("R3 reject what stands", stead.IllegalTransition, lambda s: s.ana.reject(s.ids["city"])),
    ("R3 verify what was superseded", stead.IllegalTransition, lambda s: s.ana.verify(s.ids["old"])),
    ("R3 settle what is no contest", stead.IllegalTransition, lambda s: s.ana.settle(keep=s.ids["city"])),
    ("R13 override cycle", stead.OverrideCycle, lambda s: s.ana.remember("Meets at nine", overrides=[s.ids["high"]])),
    ("R10 override what stands higher", stead.Forbidden, lambda s: s.ana.remember("x", overrides=[s.ids["record"]])),
    ("R47 foreign record", stead.CrossSubject, lambda s: s.ana.retract(s.ids["ben"])),
    ("R47 foreign override", stead.CrossSubject, lambda s: s.ana.remember("x", overrides=[s.ids["ben"]])),
    ("R47 other tenant", stead.CrossTenant, lambda s: stead.open(s.store.path, tenant="other")),
    ("unknown policy key", stead.InvalidPolicy, lambda s: stead.open(s.store.path, policy={"colour": 1})),
    ("R16 consent to an unknown class", stead.InvalidArgument, lambda s: s.ana.consent(classes={"taste": True})),
    ("R53 event without a name", stead.InvalidArgument, lambda s: s.ana.event(" ")),
    ("R15 confirm with times that were not asked", stead.InvalidArgument, lambda s: s.ana.confirm(s.ids["proposal"], valid_from="2026-01-01")),
)  # fmt: skip


@pytest.mark.parametrize(("error", "call"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_a_refused_call_changes_nothing(scene: Scene, error: type[stead.SteadError], call: Call) -> None:
    before = dump(scene.store.path)
    with pytest.raises(error) as raised:
        call(scene)
    assert dump(scene.store.path) == before
    assert scene.store.doctor()["healthy"] is True
    for word in ("Bonn", "Rome", "coffee", "Meets", "newt"):
        assert word not in f"{raised.value} {raised.value.hint}", "an error carries no remembered content"


def test_a_closed_session_and_a_closed_store_say_so(scene: Scene) -> None:
    session = scene.ana.session("c-2")
    session.close()
    before = dump(scene.store.path)
    with pytest.raises(stead.Conflict):
        session.turn("user", "late words")
    assert dump(scene.store.path) == before
    scene.store.close()
    with pytest.raises(stead.BackendError):
        scene.ana.recall("x")


# --- the disk ---------------------------------------------------------------------------------------------------------


def long_claim(place: int) -> str:
    source = random.Random(place)
    return " ".join("".join(source.choices("abcdefghij", k=8)) for _ in range(400))


def fill(ana: stead.Subject, most: int = 5000) -> int:
    """Write until the disk is full; return how many writes were acknowledged."""
    for place in range(most):
        try:
            ana.remember(long_claim(place))
        except stead.StorageFull:
            return place
    raise AssertionError("the disk never got full")


def test_a_full_disk_keeps_what_was_acknowledged_and_nothing_else(scene: Scene) -> None:
    """R46: by SQLite's own limit on the number of pages."""
    pages = int(str(connection(scene.store).pragma("page_count")))
    connection(scene.store).pragma("max_page_count", pages + 40)
    written = fill(scene.ana)
    before = dump(scene.store.path)
    for _ in range(3):
        with pytest.raises(stead.StorageFull):
            scene.ana.remember_many([{"claim": long_claim(10_000 + place)} for place in range(50)])
    assert dump(scene.store.path) == before
    assert len(scene.ana.records(limit=1000)) == written + 12
    assert scene.ana.recall(slot=CITY).facts[0].value == "Berlin"
    connection(scene.store).pragma("max_page_count", pages * 100)
    scene.ana.remember("There is room again")
    assert scene.store.doctor()["healthy"] is True


@contextlib.contextmanager
def small_disk(kilobytes: int) -> Iterator[Path]:
    """Mount a small file system in memory, or skip where that isn't allowed."""
    folder = Path(tempfile.mkdtemp(prefix="stead-disk-"))
    command = ["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", str(folder)]
    try:
        if shutil.which("mount") is None or subprocess.run(command, capture_output=True, check=False).returncode:
            pytest.skip("a small file system can't be mounted here")
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], capture_output=True, check=False)
        shutil.rmtree(folder, ignore_errors=True)


def test_a_really_full_disk(clock: StoryClock) -> None:
    """R46: a file system without a free byte, and one with room again."""
    with small_disk(2048) as folder:
        ballast = folder / "ballast"
        ballast.write_bytes(b"x" * 400_000)
        with stead.open(folder / "memory.db", clock=clock, embedder="none") as store:
            ana = store.subject("ana")
            written = fill(ana)
            assert len(ana.records(limit=1000)) == written
            assert ana.recall(long_claim(0)).facts, "reading goes on"
            with contextlib.suppress(stead.StorageFull):
                ana.remember("A short one")
            kept = len(ana.records(limit=1000))
            ballast.unlink()
            ana.remember("There is room again")
            assert len(ana.records(limit=1000)) == kept + 1
            assert store.doctor()["healthy"] is True
        with stead.open(folder / "memory.db", create=False, embedder="none") as store:
            assert len(store.subject("ana").records(limit=1000)) == kept + 1


def as_nobody(work: Callable[[], None]) -> str:
    """Run work in a child without the rights of root; return what it raised, by class name."""
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the child does little and ends with _exit
        pid = os.fork()
    if pid == 0:
        try:
            if os.geteuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
            work()
            os.write(write, b"nothing")
        except BaseException as error:  # noqa: BLE001 - the parent tells them apart
            os.write(write, f"{type(error).__name__}".encode())
        os._exit(0)
    os.close(write)
    os.waitpid(pid, 0)
    with os.fdopen(read) as answer:
        return answer.read()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")
@pytest.mark.parametrize("case", ["new store", "existing store", "file that can't be written"])
def test_a_folder_that_cannot_be_written(case: str) -> None:
    """R46: without the rights to write, opening says so and changes nothing."""
    folder = Path(tempfile.mkdtemp(prefix="stead-readonly-"))
    try:
        path = folder / "memory.db"
        if case != "new store":
            with stead.open(path, embedder="none") as store:
                store.subject("ana").remember("Lives in Berlin", slot=stead.Slot("home.city", value="Berlin"))
        else:
            stead.open(folder / "other.db", embedder="none").close()  # every module is loaded before rights are dropped
        before = {each.name: each.read_bytes() for each in folder.iterdir()}
        folder.chmod(0o777 if case.startswith("file") else 0o555)
        if case != "new store":
            path.chmod(0o444)

        def work() -> None:
            with stead.open(path, embedder="none") as store:
                store.subject("ana").remember("Lives in Kiel", slot=NEW)

        assert as_nobody(work) == "StoreNotWritable"
        folder.chmod(0o755)
        after = {each.name: each.read_bytes() for each in folder.iterdir() if not each.name.endswith(("-shm", "-wal"))}
        assert after == before
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)


# --- the file ---------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a closed store with some hundred records."""
    path = tmp_path_factory.mktemp("sound") / "memory.db"
    with stead.open(path, embedder="none") as store:
        ana = store.subject("ana")
        ana.remember_many({"claim": f"Fact number {place} of many"} for place in range(300))
        ana.remember_many(
            {"claim": f"Lives in {place}", "slot": stead.Slot("home", value=f"{place}")} for place in range(50)
        )
    return path


def damaged(sound: Path, folder: Path, change: Callable[[bytes], bytes]) -> Path:
    path = folder / "damaged.db"
    path.write_bytes(change(sound.read_bytes()))
    return path


PAGE = 4096
CUTS: tuple[tuple[str, Callable[[bytes], bytes]], ...] = (
    ("half", lambda data: data[: len(data) // 2]),
    ("half, at a page", lambda data: data[: len(data) // PAGE // 2 * PAGE]),
    ("one page less", lambda data: data[:-PAGE]),
    ("one byte less", lambda data: data[:-1]),
    ("one page left", lambda data: data[:PAGE]),
    ("within the header", lambda data: data[:50]),
    ("within the magic", lambda data: data[:7]),
    ("one byte", lambda data: data[:1]),
    ("no magic", lambda data: b"X" * 16 + data[16:]),
    ("random bytes", lambda data: random.Random(1).randbytes(len(data))),
    ("random bytes behind the header", lambda data: data[:100] + random.Random(2).randbytes(len(data) - 100)),
    ("zeros behind the header", lambda data: data[:100] + bytes(len(data) - 100)),
    ("words", lambda _: b"This is a diary, not a database.\n" * 200),
)  # fmt: skip


@pytest.mark.parametrize("change", [case[1] for case in CUTS], ids=[case[0] for case in CUTS])
def test_a_damaged_file_is_refused_and_left_alone(
    sound: Path, tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    """R46: no answer is made up from half a file, and nothing is repaired by writing over it."""
    path = damaged(sound, tmp_path, change)
    before = path.read_bytes()
    with pytest.raises(stead.StoreCorrupt), stead.open(path, embedder="none"):
        pass
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["damaged.db"]


@pytest.mark.parametrize("seed", range(12))
def test_damage_inside_the_file_never_shows_as_another_error(sound: Path, tmp_path: Path, seed: int) -> None:
    """R46: whatever page is damaged, calls end well, say that the store is corrupt, or doctor does."""

    def change(data: bytes) -> bytes:
        source, changed = random.Random(seed), bytearray(data)
        start = source.randrange(1, len(data) // PAGE) * PAGE
        changed[start : start + PAGE] = source.randbytes(PAGE)
        return bytes(changed)

    path = damaged(sound, tmp_path, change)
    errors = 0
    try:
        with stead.open(path, embedder="none") as store:
            ana = store.subject("ana")
            for call in (
                lambda: ana.records(limit=1000),
                lambda: ana.recall("Fact number 7"),
                lambda: ana.holds(stead.Slot("home")),
                lambda: list(ana.export()),
            ):
                try:
                    call()
                except (stead.StoreCorrupt, stead.BackendError):
                    errors += 1
            try:
                errors += store.doctor()["healthy"] is not True
            except stead.StoreCorrupt:
                errors += 1
    except stead.StoreCorrupt:
        errors += 1
    assert errors, "the damage was never noticed"


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    """R46: not one byte of a file that isn't ours changes, its journal mode included."""
    path = tmp_path / "other.db"
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("CREATE TABLE notes (text)")
        other.execute("INSERT INTO notes VALUES ('mine')")
        other.commit()
    before = path.read_bytes()
    with pytest.raises(stead.StoreCorrupt):
        stead.open(path, embedder="none")
    assert path.read_bytes() == before


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(stead.StoreNotFound):
        stead.open(tmp_path / "none.db", create=False)
    with pytest.raises(stead.StoreNotWritable):
        stead.open(tmp_path)
    with pytest.raises(stead.SteadError):
        stead.open(tmp_path / "no" / "such" / "folder.db")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("sql", "error"),
    [
        ("INSERT INTO migrations VALUES (999, 'later', 'abc', 0)", stead.NewerSchema),
        ("UPDATE migrations SET checksum = 'abc'", stead.StoreCorrupt),
    ],
    ids=["newer schema", "changed checksum"],
)
def test_a_schema_that_is_not_ours(sound: Path, tmp_path: Path, sql: str, error: type[stead.SteadError]) -> None:
    """R46: an older version never writes to a newer file, nor to one whose history differs."""
    path = damaged(sound, tmp_path, lambda data: data)
    changed = apsw.Connection(str(path))
    changed.execute(sql)
    changed.close()
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    with pytest.raises(error):
        stead.open(path, embedder="none")
    assert hashlib.sha256(path.read_bytes()).hexdigest() == digest


# --- the model --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("failing", ["raises", "count", "dimensions", "numbers"])
def test_a_failing_embedder_never_loses_a_write(tmp_path: Path, failing: str) -> None:
    """R46: kept, found by slot and by words at once; the outcome says what is missing, and it can be made up for."""
    model = Hashed(failing=failing)
    with stead.open(tmp_path / "memory.db", embedder=model) as store:
        ana = store.subject("ana")
        one = ana.remember("Lives in Berlin", slot=stead.Slot("home.city", value="Berlin"))
        two = ana.remember("Has a cat called Minka")
        with ana.session("c-1") as session:
            said = session.turn("user", "Minka sleeps all day")
        for outcome in (one, two, said):
            assert any("embed" in warning for warning in outcome.warnings), outcome
        assert store.doctor()["backlog"] == 3
        assert ana.recall(slot=CITY).facts[0].id == one.record
        assert [fact.id for fact in ana.recall("the cat Minka").facts] == [two.record]
        assert ana.recall("Minka").episodes[0].id == said.record
        with pytest.raises(stead.EmbedderFailed):
            store.embed_backlog()
        model.failing = ""
        assert store.embed_backlog() == 3
        assert store.doctor()["backlog"] == 0
        found = ana.recall("Minka sleeps all day").episodes[0]
        assert found.id == said.record and found.similarity is not None


def test_a_model_that_fails_on_the_question_leaves_the_words(tmp_path: Path) -> None:
    """R38: the search goes on by words and says so."""

    class Mute(Hashed):
        def embed_query(self, text: str) -> NDArray[np.float32]:
            if text == "the cat Minka":
                raise RuntimeError("the model is gone")
            return Hashed.embed_query(self, text)

    with stead.open(tmp_path / "memory.db", embedder=Mute()) as store:
        ana = store.subject("ana")
        kept = ana.remember("Has a cat called Minka")
        found = ana.recall("the cat Minka")
        assert [fact.id for fact in found.facts] == [kept.record]
        assert any("words alone" in note for note in found.notes)


def test_a_lock_that_is_held_too_long_is_not_reported_as_lost(tmp_path: Path) -> None:
    """R46: StoreBusy says that nothing was written, so it must not come after the claim was committed."""
    path = tmp_path / "memory.db"
    holder = apsw.Connection(str(path))

    class Slow(Hashed):
        def embed_documents(self, texts: Sequence[str]) -> NDArray[np.float32]:
            holder.execute("BEGIN IMMEDIATE")  # another process begins to write while the model works
            return Hashed.embed_documents(self, texts)

    with stead.open(path, embedder=Slow(), busy_timeout=0.1) as store:
        ana = store.subject("ana")
        outcome = ana.remember("Has a newt")
        holder.execute("ROLLBACK")
        assert any("vector" in warning for warning in outcome.warnings)
        assert [each.id for each in ana.records()] == [outcome.record]
    holder.close()


def test_the_wait_for_another_writer_ends(store: stead.Store) -> None:
    """R46: busy for too long is an error that can be repeated, and nothing was written."""
    holder = apsw.Connection(store.path)
    with stead.open(store.path, busy_timeout=0.2, embedder="none") as second:
        second.subject("ana").remember("First")
        holder.execute("BEGIN IMMEDIATE")
        before = dump(store.path)
        with pytest.raises(stead.StoreBusy) as raised:
            second.subject("ana").remember("Second")
        assert raised.value.retryable
        holder.execute("ROLLBACK")
        assert dump(store.path) == before
        second.subject("ana").remember("Second")
        assert len(second.subject("ana").records()) == 2
    holder.close()
