"""The verifier of an erasure finds what is left, wherever it is left (R32)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import stead
from stead.memory import erasing
from stead.memory.core import Core

CLAIM = "Nickname is tangerinelynx since the summer of the long regatta"
Plant = Callable[[Core, Path], None]


def beside(core: Core, folder: Path) -> None:
    del core
    (folder / "memory.db-old").write_bytes(b"\0" * 999 + b"...tangerinelynx...")


def half_of_it(core: Core, folder: Path) -> None:
    del core
    (folder / "memory.db.copy").write_bytes(b"\0" * 5000 + CLAIM.encode()[16:58] + b"\0" * 50)


def full_text(core: Core, folder: Path) -> None:
    del folder
    with core.backend.write() as tx:
        tx._c.execute("INSERT INTO claims_text (rowid, words) VALUES (999999, '1_tangerinelynx')")  # type: ignore[attr-defined]
    core.backend.sweep(1)


def a_vector(core: Core, folder: Path) -> None:
    del folder
    with core.backend.write() as tx:
        tx._c.execute(  # type: ignore[attr-defined]
            "INSERT INTO vectors (subject, store, version, item, vector) VALUES (1, 'claims', 'v', 999999, ?)",
            (CLAIM.encode(),),
        )
    core.backend.sweep(1)


def a_row(core: Core, folder: Path) -> None:
    """A revision that the purge forgot."""
    del folder
    with core.backend.write() as tx:
        tx._c.execute(  # type: ignore[attr-defined]
            "INSERT INTO sources (record, tx, observed_at, speaker, verified, subject) VALUES (1, 1, 1, 'tangerinelynx', 0, 1)"
        )
    core.backend.sweep(1)


@pytest.mark.parametrize("plant", [beside, half_of_it, full_text, a_vector, a_row])
def test_r32_what_is_left_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plant: Plant) -> None:
    with stead.open(tmp_path / "memory.db", embedder="none") as store:
        ana = store.subject("ana", zone="UTC")
        record = ana.remember(CLAIM).record or ""
        assert record
        ana.remember("Likes maps")
        with monkeypatch.context() as patch:
            patch.setattr(erasing, "reached", lambda step: plant(store._core, tmp_path) if step == "swept" else None)
            receipt = ana.erase(record)
        assert not receipt.complete
        assert set(receipt.failed) <= {"bytes", "reader"}
        assert receipt.failed
        assert CLAIM not in str(receipt)
        with pytest.raises(stead.Erased):
            ana.history(record)
        assert [each.complete for each in store.receipts()] == [False]


@pytest.mark.parametrize("plant", [full_text, a_vector, a_row])
def test_r32_a_reader_finds_what_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plant: Plant) -> None:
    """A row that is left, and an entry of an index that leads to nothing, is found by asking; its bytes are found besides."""
    with stead.open(tmp_path / "memory.db", embedder="none") as store:
        ana = store.subject("ana", zone="UTC")
        record = ana.remember(CLAIM).record or ""
        monkeypatch.setattr(erasing, "reached", lambda step: plant(store._core, tmp_path) if step == "swept" else None)
        receipt = ana.erase(record, scan=plant is not a_row)
        assert (receipt.complete, "reader" in receipt.failed) == (False, True)


def test_r32_an_open_reader_holds_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader with an older snapshot keeps the text in the write-ahead log: the receipt says so, and it is gone on with later."""
    with (
        stead.open(tmp_path / "memory.db", embedder="none") as store,
        stead.open(tmp_path / "memory.db", embedder="none") as other,
    ):
        ana = store.subject("ana", zone="UTC")
        record = ana.remember(CLAIM).record or ""
        monkeypatch.setattr(erasing, "PATIENCE", 0.2)
        with other._core.backend.read() as snapshot:
            assert snapshot.subjects() == ["ana"]
            receipt = ana.erase(record)
            assert not receipt.complete
            assert "wal" in receipt.failed
            assert ana.records() == []
        [again] = store.resume_erasures()
        assert (again.complete, again.failed) == (True, ())
        assert b"tangerinelynx" not in b"".join(each.read_bytes() for each in tmp_path.iterdir())


def test_r32_a_word_that_two_columns_make_is_no_residue(tmp_path: Path) -> None:
    """In a page columns lie side by side: "collect", the stem of a verb, and "stamps" make "collects"."""
    with stead.open(tmp_path / "memory.db", embedder="none") as store:
        ana = store.subject("ana", zone="UTC")
        ana.remember("Collects stamps")
        record = ana.remember("Collects maps").record or ""
        ana.remember("Used to play", slot=stead.Slot("game.tange", object="rinelynx", value="yes"))
        other = ana.remember(CLAIM).record or ""
        with store._core.backend.read() as read:
            assert read.survives(b"collects")
            assert not read.survives(b"collectx")
        ana.retract(ana.records()[0].id)
        for each in (record, other):
            receipt = ana.erase(each)
            assert receipt.complete, receipt.failed


def test_r32_a_word_that_others_use_is_no_residue(tmp_path: Path) -> None:
    with stead.open(tmp_path / "memory.db", embedder="none") as store:
        ana, ben = store.subject("ana", zone="UTC"), store.subject("ben", zone="UTC")
        record = ana.remember(CLAIM).record or ""
        ben.remember("Knows a tangerinelynx")
        assert ana.erase(record).complete
        assert [each.claim for each in ben.recall("tangerinelynx").facts] == ["Knows a tangerinelynx"]
