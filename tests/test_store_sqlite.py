"""The SQLite backend by itself: opening, migrating, closing, and SQLite's errors as ours."""

from __future__ import annotations

import multiprocessing
import sqlite3
import threading
from pathlib import Path

import apsw
import pytest

import stead
from stead.store.opening import open_backend
from stead.store.sqlite.connection import APPLICATION_ID, connect, translated, waiting
from stead.store.sqlite.migrate import migrations


def raising(error: type[Exception]) -> None:
    with translated():
        raise error("driver's own words")


@pytest.mark.parametrize(
    ("driver", "ours"),
    [
        (apsw.BusyError, stead.StoreBusy), (apsw.LockedError, stead.StoreBusy), (apsw.FullError, stead.StorageFull),
        (apsw.ReadOnlyError, stead.StoreNotWritable), (apsw.CantOpenError, stead.StoreNotWritable),
        (apsw.CorruptError, stead.StoreCorrupt), (apsw.NotADBError, stead.StoreCorrupt),
        (apsw.ConstraintError, stead.BackendError), (apsw.IOError, stead.BackendError),
    ],
)  # fmt: skip
def test_r46_the_drivers_errors_become_ours_without_its_words(driver: type[Exception], ours: type[Exception]) -> None:
    with pytest.raises(ours) as caught:
        raising(driver)
    assert "own words" not in str(caught.value)


def test_a_failed_write_to_the_disk_is_a_full_disk() -> None:
    error = apsw.IOError("x")
    error.extendedresult = apsw.SQLITE_IOERR_WRITE  # type: ignore[attr-defined]
    with pytest.raises(stead.StorageFull), translated():
        raise error


@pytest.mark.parametrize("address", ["", ":memory:", "postgresql://host/db", "mysql://x"])
def test_an_address_that_names_no_store(address: str) -> None:
    with pytest.raises(stead.InvalidArgument, match="store"):
        open_backend(address, tenant=None, now=1)


@pytest.mark.parametrize("tenant", ["", " ", "a\nb"])
def test_a_tenant_needs_a_name(tmp_path: Path, tenant: str) -> None:
    with pytest.raises(stead.InvalidArgument, match="tenant"):
        stead.open(tmp_path / "a.db", tenant=tenant)
    assert list(tmp_path.iterdir()) == []


def test_an_address_with_a_scheme_is_the_same_file(tmp_path: Path) -> None:
    with stead.open(f"sqlite:///{tmp_path / 'a.db'}", embedder="none") as store:
        store.subject("ana").remember("Likes tea")
    with stead.open(tmp_path / "a.db", embedder="none", create=False) as store:
        assert store.subjects() == ["ana"]
        assert repr(store) == f"Store({str(tmp_path / 'a.db')!r}, tenant='default')"


def test_a_store_from_its_first_day(tmp_path: Path) -> None:
    """WAL, FULL, secure_delete and FTS5 secure-delete are set on every file and every connection."""
    with stead.open(tmp_path / "a.db", embedder="none"):
        made = connect(tmp_path / "a.db", create=False, busy_timeout=1)
        assert [made.pragma(name) for name in ("journal_mode", "synchronous", "secure_delete", "foreign_keys")] == [
            "wal",
            2,
            1,
            1,
        ]
        assert made.pragma("application_id") == APPLICATION_ID
        for table in ("claims_text", "episodes_text"):
            assert made.execute(f"SELECT v FROM {table}_config WHERE k = 'secure-delete'").get == 1
        made.close()


def test_migrations_are_numbered_and_their_checksums_kept(tmp_path: Path) -> None:
    assert [step.version for step in migrations()] == list(range(1, len(migrations()) + 1))
    stead.open(tmp_path / "a.db", embedder="none").close()
    with sqlite3.connect(tmp_path / "a.db") as plain:
        assert plain.execute("SELECT version, name, checksum FROM migrations").fetchall() == [
            (step.version, step.name, step.checksum) for step in migrations()
        ]


def test_a_half_made_file_is_made_whole(tmp_path: Path) -> None:
    """A process that died before its first commit left an empty file."""
    (tmp_path / "a.db").touch()
    with stead.open(tmp_path / "a.db", embedder="none") as store:
        assert store.doctor()["healthy"] is True


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = stead.open(tmp_path / "a.db", embedder="none")
    store.close()
    with pytest.raises(stead.BackendError, match="closed"):
        store.subjects()


def test_reads_of_one_thread_share_their_snapshot(tmp_path: Path) -> None:
    backend = open_backend(str(tmp_path / "a.db"), tenant=None, now=1)
    with backend.read() as outer, backend.read() as inner:
        assert inner.last_instant() == outer.last_instant()
    with backend.write() as store:
        store.add_subject("ana")
        with backend.read() as inner:
            assert inner.subjects() == ["ana"]
    backend.close()


def test_each_thread_has_a_connection_of_its_own(tmp_path: Path) -> None:
    with stead.open(tmp_path / "a.db", embedder="none") as store:
        ana = store.subject("ana")
        threads = [threading.Thread(target=lambda n=n: ana.remember(f"Claim {n}")) for n in range(8)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert len(ana.records()) == 8


def _in_a_fork(store: stead.Store) -> None:
    store.subject("ana").remember("Said in the child")


def test_a_connection_never_crosses_a_fork(tmp_path: Path) -> None:
    with stead.open(tmp_path / "a.db", embedder="none") as store:
        store.subject("ana").remember("Said in the parent")
        child = multiprocessing.get_context("fork").Process(target=_in_a_fork, args=(store,))
        child.start()
        child.join()
        assert child.exitcode == 0
        assert len(store.subject("ana").records()) == 2


def test_r46_who_waits_for_a_lock_asks_some_times_however_slow_the_machine_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that was itself kept from running for a minute has not waited for a minute."""
    clock = [0.0]

    def later() -> float:
        clock[0] += 60
        return clock[0]

    monkeypatch.setattr("stead.store.sqlite.connection.time.monotonic", later)
    monkeypatch.setattr("stead.store.sqlite.connection.time.sleep", lambda seconds: None)
    wait = waiting(1.0)
    answers = [wait(attempt) for attempt in range(12)]
    assert (answers[:5], answers[-1]) == ([True] * 5, False)
    at_once = waiting(0.0)
    assert [at_once(0), at_once(1)][-1] is False
