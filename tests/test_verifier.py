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


def in_an_export(core: Core, folder: Path) -> None:
    del core
    with (folder / "ana.jsonl").open("a") as file:
        file.write(CLAIM)


LEFT = {
    "revisions": "INSERT INTO revisions (record, subject, scope, tx_from, tx_until, status, place, stated_from, stated_until,"
    " stands_until, head, text_n, tokens, claim, unset, speaker, rank, kind, confidence, importance, trigger, meaning,"
    " observed_at, tier) VALUES (1, 1, '', 1, 2, 'active', 1, 1, 2, 2, 0, 1, 1, 'x', 0, 'x', 1, 'fact', 1, 1, 'x', 'changed',"
    " 1, 'hot')",
    "sources": "INSERT INTO sources (record, tx, observed_at, speaker, verified, subject) VALUES (1, 1, 1, 'x', 0, 1)",
    "edges": "INSERT INTO edges (record, kind, target, tx) VALUES (1, 'corrects', 2, 1)",
    "decisions": "INSERT INTO decisions (tx, subject, verb, trigger, decision, rule, reason, record)"
    " VALUES (1, 1, 'remember', 'x', 'ADD', 'new', 'x', 1)",
    "contradictions": "INSERT INTO contradictions SELECT min(n), 1 FROM decisions",
    "usage": "INSERT INTO usage SELECT id, 1, 1 FROM records WHERE n = 1",
    "readers": "INSERT INTO readers SELECT id, '', '', 1, 1 FROM records WHERE n = 1",
    "said_of": "INSERT INTO said_of (subject, record, entity) VALUES (1, 1, 'x')",
}
"""A row of the erased record in each table that may have one."""


@pytest.mark.parametrize("table", LEFT)
def test_r32_a_row_of_it_in_any_table_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    """Whatever stands in it, and without reading the files."""

    def plant(step: str) -> None:
        if step == "swept":
            with store._core.backend.write() as tx:
                tx._c.execute(LEFT[table])  # type: ignore[attr-defined]

    with stead.open(tmp_path / "memory.db", embedder="none") as store:
        ana = store.subject("ana", zone="UTC")
        record = ana.remember(CLAIM).record or ""
        ana.remember("Likes maps")
        with monkeypatch.context() as patch:
            patch.setattr(erasing, "reached", plant)
            receipt = ana.erase(record, scan=False)
        assert (receipt.complete, receipt.failed) == (False, ("reader",))


@pytest.mark.parametrize("plant", [beside, half_of_it, full_text, a_vector, a_row, in_an_export])
def test_r32_what_is_left_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plant: Plant) -> None:
    with stead.open(tmp_path / "memory.db", embedder="none") as store:
        ana = store.subject("ana", zone="UTC")
        record = ana.remember(CLAIM).record or ""
        assert record
        ana.remember("Likes maps")
        ana.export(tmp_path / "ana.jsonl")
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


def test_r32_what_is_left_in_the_log_of_writes_is_swept_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes behind the last frame that counts: SQLite reads none of them, and anybody else may."""

    def plant(step: str) -> None:
        if step == "swept":
            with (tmp_path / "memory.db-wal").open("ab") as file:
                file.write(CLAIM.encode())

    with stead.open(tmp_path / "memory.db", embedder="none") as store:
        ana = store.subject("ana", zone="UTC")
        record = ana.remember(CLAIM).record or ""
        monkeypatch.setattr(erasing, "reached", plant)
        assert ana.erase(record).complete
        assert not any(b"tangerinelynx" in each.read_bytes() for each in tmp_path.glob("memory.db*"))


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


def test_r32_a_word_longer_than_a_needle_is_searched_for(tmp_path: Path) -> None:
    """It is cut after 64 bytes, here in the middle of a letter."""
    with stead.open(tmp_path / "memory.db", embedder="none") as store:
        ana = store.subject("ana", zone="UTC")
        word = "あ" * 30
        receipt = ana.erase(ana.remember(f"Says {word} to everybody").record)
        assert receipt.complete
        assert not any(word.encode() in each.read_bytes() for each in tmp_path.iterdir())


def test_r32_a_word_that_others_use_is_no_residue(tmp_path: Path) -> None:
    with stead.open(tmp_path / "memory.db", embedder="none") as store:
        ana, ben = store.subject("ana", zone="UTC"), store.subject("ben", zone="UTC")
        record = ana.remember(CLAIM).record or ""
        ben.remember("Knows a tangerinelynx")
        assert ana.erase(record).complete
        assert [each.claim for each in ben.recall("tangerinelynx").facts] == ["Knows a tangerinelynx"]
