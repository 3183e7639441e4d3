"""An erasure that is killed, runs out of disk or meets readers: never readable again, and it can always be gone on with (R33)."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest

import stead
from stead import Slot
from stead.clock import StoryClock
from stead.errors import Erased, SteadError
from stead.ids import seeded_ids
from stead.lifecycle.erase import keys as keys_module
from stead.lifecycle.erase import ledger as ledger_module
from stead.memory import erasing
from stead.model.period import from_datetime

WORD = "zorblax"
KILLS = int(os.environ.get("STEAD_KILLS", "3"))
READERS = 16


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str], str]:
    """Return a folder with a store whose subject has the word on every surface within the file, and the time of now."""
    folder = tmp_path_factory.mktemp("loaded")
    clock = StoryClock(from_datetime(stead.wall("2026-01-05T10:00", "UTC")))
    with stead.open(folder / "memory.db", clock=clock, new_id=seeded_ids(7), embedder="none") as store:
        ana = store.subject("ana", zone="UTC")
        with ana.session("c1") as session:
            session.turn("user", "I like hiking", turn="t0")
            session.turn("user", f"I live in {WORD.title()}", turn="t1")
        clock.instant += 1_000_000
        for number in range(12):
            ana.remember(f"Owns boat {number} in {WORD}", idempotency_key=f"k{number}")
        ana.remember("Lives in Bergen", slot=Slot("home.city", value="Bergen"))
        ana.export(folder / "out.jsonl")
        known = store.now().isoformat()
        ids = {each.id: each.claim for each in ana.records(limit=100)}
    return folder, ids, known


def copied(loaded: tuple[Path, dict[str, str], str], tmp_path: Path) -> Path:
    """Return the store in a folder of its own, with its export where the store knows it."""
    for each in loaded[0].iterdir():
        shutil.copy(each, tmp_path)
    place = apsw.Connection(str(tmp_path / "memory.db"))
    place.execute("UPDATE exports SET path = ?", (str(tmp_path / "out.jsonl"),))
    place.close()
    return tmp_path / "memory.db"


def opened(path: Path) -> stead.Store:
    return stead.open(path, embedder="none")


def going(ids: dict[str, str]) -> list[str]:
    return [name for name, claim in ids.items() if WORD in claim.lower()]


def check_unreadable(store: stead.Store, ids: dict[str, str], known: str) -> None:
    """Assert that no read has it, of now or of the time before."""
    ana = store.subject("ana", zone="UTC")
    for at in (None, known):
        context = ana.recall(f"boat home {WORD}", known_at=at)
        assert WORD not in f"{context.text} {context.facts} {context.episodes}".lower()
        assert WORD not in str(ana.holds(Slot("home.city"), known_at=at)).lower()
    told = (ana.records(limit=1000), ana.episodes("c1"), ana.questions(), ana.decisions(limit=1000), list(ana.export()))
    assert WORD not in str(told).lower()
    for name in going(ids):
        for read in (ana.record, ana.history, ana.why):
            with pytest.raises(Erased):
                read(name)


def check_complete(path: Path, ids: dict[str, str], known: str) -> None:
    """Go on with it, and assert that it is proven and that no byte is left."""
    with opened(path) as store:
        for receipt in store.resume_erasures():
            assert receipt.complete, receipt
        assert store.resume_erasures() == []
        check_unreadable(store, ids, known)
        assert store.verify_receipts().ok
        assert store.doctor()["healthy"]
        entries = list(store._core.vault.ledger().entries())
        [job] = store.subject("ana").erasures()
        assert job.status == "complete"
        assert [each.kind for each in entries if each.body.get("erasure") == job.id] == ["erasure", "receipt"]
        assert store.receipt(job.id).complete
        assert "Lives in Bergen" in store.subject("ana").recall("Bergen").text
    clean(path)


def clean(path: Path) -> None:
    for each in path.parent.iterdir():
        assert WORD.encode() not in each.read_bytes().lower(), each.name


# --- kills ------------------------------------------------------------------------------------------------------------------

KILLED = """
import sys, time
import stead
from stead.lifecycle.erase.ledger import Ledger
from stead.memory import core, erasing

path, name, turn, ids = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]
met = 0
erasing.BATCH = 3

def reached(step):
    global met
    if step == name:
        if met == turn:
            print("here", flush=True)
            time.sleep(60)
        met += 1

erasing.reached = reached
append, carry_out = Ledger.append, core.carry_out

def appended(self, kind, body, keys):
    entry = append(self, kind, body, keys)
    reached("noted")
    return entry

def carried_out(store, erasure):
    reached("committed")
    return carry_out(store, erasure)

Ledger.append, core.carry_out = appended, carried_out
with stead.open(path, embedder="none") as store:
    store.subject("ana", zone="UTC").erase(ids)
print("done", flush=True)
"""
POINTS = ("noted", "committed", *erasing.STEPS[:1], "purging", *erasing.STEPS[1:])


def killed(path: Path, name: str, turn: int, ids: list[str], *, later: float = 0.0) -> bool:
    """Kill an erasure at a step, or a little after it has gone on; tell whether it had got there."""
    command = [sys.executable, "-c", KILLED, str(path), name, str(turn), *ids]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        if later:
            time.sleep(later)
        process.send_signal(signal.SIGKILL)
        assert line in ("here\n", "done\n"), process.communicate()
    return line == "here\n"


def after_kill(path: Path, name: str, ids: dict[str, str], known: str) -> None:
    """Assert what must be so after a kill. Between ledger and commit nothing was begun, nor said to be: the call is made again."""
    with opened(path) as store:
        if name == "noted" and not store.subject("ana").erasures():
            assert store.subject("ana", zone="UTC").erase(going(ids)).complete
        check_unreadable(store, ids, known)
    check_complete(path, ids, known)


@pytest.mark.parametrize("name", POINTS)
def test_r33_kill_minus_nine_leaves_it_unreadable_and_resumable(
    loaded: tuple[Path, dict[str, str], str], tmp_path: Path, name: str
) -> None:
    path, (_, ids, known) = copied(loaded, tmp_path), loaded
    assert killed(path, name, 0, going(ids))
    after_kill(path, name, ids, known)


@pytest.mark.slow
@pytest.mark.parametrize("name", POINTS)
def test_r33_kill_minus_nine_many_times(loaded: tuple[Path, dict[str, str], str], tmp_path: Path, name: str) -> None:
    """Again and again, at the second and third time that a step is reached too, and killed once more while it is gone on with."""
    for number in range(KILLS):
        folder = tmp_path / str(number)
        folder.mkdir()
        path, (_, ids, known) = copied(loaded, folder), loaded
        reached = killed(path, name, number % {"purging": 3, "noted": 2}.get(name, 1), going(ids))
        assert reached
        if number % 5 == 4 and name not in ("noted", "committed"):
            resumed_and_killed(path, number)
        after_kill(path, name, ids, known)
        shutil.rmtree(folder)


RESUMED = """
import sys, time
import stead
from stead.memory import erasing
names = iter(sys.argv[2:])
def reached(step):
    if step == sys.argv[2]:
        print("here", flush=True)
        time.sleep(60)
erasing.reached = reached
with stead.open(sys.argv[1], embedder="none") as store:
    store.resume_erasures()
print("done", flush=True)
"""


def resumed_and_killed(path: Path, number: int) -> None:
    name = ("hidden", "purging", "purged", "outside", "swept", "verified", "receipt")[number % 7]
    with subprocess.Popen(
        [sys.executable, "-c", RESUMED, str(path), name], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() in ("here\n", "done\n")
        process.send_signal(signal.SIGKILL)


@pytest.mark.slow
def test_r33_killed_at_any_moment(loaded: tuple[Path, dict[str, str], str], tmp_path: Path) -> None:
    """Not at a step that is named, but anywhere within what comes after it, fsyncs and checkpoints included."""
    for number in range(KILLS):
        folder = tmp_path / str(number)
        folder.mkdir()
        path, (_, ids, known) = copied(loaded, folder), loaded
        anywhere(path, going(ids), 0.025 * number / KILLS)
        check_complete(path, ids, known)
        shutil.rmtree(folder)


ANYWHERE = """
import sys, stead
with stead.open(sys.argv[1], embedder="none") as store:
    from stead.memory import erasing
    def reached(step):
        if step == "hidden":
            print("here", flush=True)
    erasing.reached = reached
    store.subject("ana", zone="UTC").erase(sys.argv[2:])
"""


def anywhere(path: Path, ids: list[str], later: float) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ANYWHERE, str(path), *ids], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        time.sleep(later)
        process.send_signal(signal.SIGKILL)


# --- the disk is full -------------------------------------------------------------------------------------------------------


def fails(monkeypatch: pytest.MonkeyPatch, where: str, times: int) -> Callable[[], int]:
    """Let a write fail after so many that have worked; return a function that counts them."""
    count = [0]

    def full(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            count[0] += 1
            if count[0] > times:
                raise OSError(28, "No space left on device")
            return real(*args, **named)

        return call

    if where == "ledger":
        monkeypatch.setattr(ledger_module.Ledger, "append", full(ledger_module.Ledger.append))
    elif where == "ledger sync":
        monkeypatch.setattr(os, "fsync", full(os.fsync))
    else:
        monkeypatch.setattr(keys_module, "replaced", full(keys_module.replaced))
    return lambda: count[0]


@pytest.mark.parametrize("times", range(4))
@pytest.mark.parametrize("where", ["ledger", "ledger sync", "keys"])
def test_r33_a_full_disk_beside_the_store_loses_nothing(
    loaded: tuple[Path, dict[str, str], str], tmp_path: Path, where: str, times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R33, R46: either the erasure isn't begun, and says so, or it can't be read and is gone on with."""
    path, (_, ids, known) = copied(loaded, tmp_path), loaded
    with opened(path) as store, monkeypatch.context() as patched:
        tried = fails(patched, where, times)
        try:
            receipt = store.subject("ana", zone="UTC").erase(going(ids))
        except (SteadError, OSError) as error:
            assert WORD not in str(error).lower()
        else:
            assert receipt.complete == (tried() <= times)
        begun = bool(store.subject("ana").erasures())
        if begun:
            check_unreadable(store, ids, known)
    with opened(path) as store:
        store.resume_erasures()
        if not store.subject("ana").erasures():
            assert not begun
            assert store.subject("ana", zone="UTC").erase(going(ids)).complete
    check_complete(path, ids, known)


@pytest.mark.parametrize("spare", range(0, 40, 5))
def test_r33_a_full_disk_in_the_store_loses_nothing(
    loaded: tuple[Path, dict[str, str], str], tmp_path: Path, spare: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file may grow by so many pages only; it is full in the first transaction or in a later one."""
    path, (_, ids, known) = copied(loaded, tmp_path), loaded
    monkeypatch.setattr(erasing, "BATCH", 2)
    with opened(path) as store:
        backend: Any = store._core.backend
        connection = backend._connection()
        connection.execute("VACUUM")
        pages = connection.pragma("page_count")
        connection.pragma("max_page_count", pages + spare)
        try:
            store.subject("ana", zone="UTC").erase(going(ids))
        except SteadError as error:
            assert error.code in ("store_not_writable", "disk_full", "backend_error", "backend"), error.code
        begun = bool(store.subject("ana").erasures())
        if begun:
            check_unreadable(store, ids, known)
    with opened(path) as store:
        store.resume_erasures()
        if not store.subject("ana").erasures():
            assert not begun
            assert store.subject("ana", zone="UTC").erase(going(ids)).complete
    check_complete(path, ids, known)


# --- other processes --------------------------------------------------------------------------------------------------------

SEEING = """
import sys, apsw
connection = apsw.Connection(sys.argv[1])
print(connection.execute("SELECT count(*) FROM revisions WHERE claim LIKE 'Likes bread %'").get)
connection.close()
"""


def test_r46_who_reads_the_files_for_their_bytes_keeps_its_locks(
    loaded: tuple[Path, dict[str, str], str], tmp_path: Path
) -> None:
    """POSIX: a process that closes a file loses all its locks on it; another one then removed the log that is in use."""
    path, (_, ids, _) = copied(loaded, tmp_path), loaded

    def seen() -> str:
        command = [sys.executable, "-c", SEEING, str(path)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    with opened(path) as store:
        ana = store.subject("ana", zone="UTC")
        assert ana.erase(going(ids)).complete
        for number in range(1, 4):
            ana.remember(f"Likes bread {number}")
            assert seen() == str(number)


# --- readers ----------------------------------------------------------------------------------------------------------------


def test_r32_no_reader_sees_it_after_the_acknowledgement(
    loaded: tuple[Path, dict[str, str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixteen threads recall all the time: whoever begins after the first transaction has ended doesn't find it."""
    path, (_, ids, known) = copied(loaded, tmp_path), loaded
    acknowledged, stop = threading.Event(), threading.Event()
    late, before, errors = list[str](), list[str](), list[BaseException]()
    reads = [0] * READERS

    def read(number: int) -> None:
        try:
            ana = store.subject("ana", zone="UTC")
            while not stop.is_set():
                hidden = acknowledged.is_set()  # looked at before the read begins
                found = ana.recall(f"boat {WORD}", known_at=known if number % 2 else None).text.lower()
                reads[number] += hidden
                if WORD in found:
                    (late if hidden else before).append(found)
        except BaseException as error:  # noqa: BLE001 - it is raised in the test
            errors.append(error)

    def reached(step: str) -> None:
        if step == "hidden":
            acknowledged.set()
        time.sleep(0.02)

    monkeypatch.setattr(erasing, "reached", reached)
    monkeypatch.setattr(erasing, "BATCH", 2)
    with opened(path) as store:
        threads = [threading.Thread(target=read, args=(number,)) for number in range(READERS)]
        for each in threads:
            each.start()
        while not before:
            time.sleep(0.005)
        store.subject("ana", zone="UTC").erase(going(ids))
        while not errors and min(reads) < 3:
            time.sleep(0.005)
        stop.set()
        for each in threads:
            each.join()
    assert not errors
    assert before and not late
    check_complete(path, ids, known)


HOLDING = """
import sys, apsw
connection = apsw.Connection(sys.argv[1])
connection.execute("BEGIN")
connection.execute("SELECT count(*) FROM records").fetchall()
print("held", flush=True)
sys.stdin.readline()
"""


def test_r33_a_reader_of_an_older_state_is_said_and_waited_for(
    loaded: tuple[Path, dict[str, str], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process holds a snapshot of before: the log can't be emptied, so the receipt isn't complete and says why."""
    path, (_, ids, known) = copied(loaded, tmp_path), loaded
    monkeypatch.setattr(erasing, "PATIENCE", 0.2)
    monkeypatch.setattr(erasing.carry_out, "__kwdefaults__", {"patience": 0.2})
    with opened(path) as store:
        store.subject("ana").remember("Likes rain")  # something stands in the log
        command = [sys.executable, "-c", HOLDING, str(path)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as reader:
            assert reader.stdout is not None and reader.stdin is not None
            assert reader.stdout.readline() == "held\n"
            receipt = store.subject("ana", zone="UTC").erase(going(ids))
            assert not receipt.complete
            assert "wal" in receipt.failed
            check_unreadable(store, ids, known)
            [again] = store.resume_erasures()
            assert not again.complete and "wal" in again.failed
            reader.stdin.write("\n")
            reader.stdin.flush()
            reader.wait()
        [last] = store.resume_erasures()
        assert last.complete, last
        assert (tmp_path / "memory.db-wal").stat().st_size == 0
    check_complete(path, ids, known)
