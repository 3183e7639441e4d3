"""Restores: what comes back is what was there, without what was erased since, or nothing comes back at all (R33)."""

from __future__ import annotations

import hashlib
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.commands import Run, ok
from tests.heard import DAY

import stead
from stead import Slot
from stead.clock import StoryClock
from stead.errors import BackupBroken, KeysMissing, LedgerBroken, LedgerMissing, LedgerTooOld
from stead.ids import seeded_ids
from stead.lifecycle.backup import archive
from stead.memory import restoring
from stead.memory.restoring import restore
from stead.store.sqlite import migrate

START = 1_767_607_200_000_000
SHADOWS = ("claims_text", "episodes_text")
OUTSIDE = {"backups"}
"""A restored store knows the backup that it comes from; the rows of a backup don't hold the backups."""


def opened(path: Path, clock: StoryClock, seed: int = 1) -> stead.Store:
    return stead.open(path, clock=clock, embedder="none", new_id=seeded_ids(seed))


def tables(path: Path, *, without: set[str] = OUTSIDE) -> dict[str, list[str]]:
    """Return all rows of a file, those of the full text word by word."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)  # who only reads leaves a log behind
    try:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        return {
            name: sorted(map(repr, connection.execute(f'SELECT * FROM "{name}"')))
            for name in names if not name.startswith(SHADOWS) and name not in without
        }  # fmt: skip
    finally:
        connection.close()


def answers(path: Path, clock: StoryClock) -> dict[str, object]:
    """Return what a store answers to everything that the stories here are about."""
    found: dict[str, object] = {}
    with opened(path, clock) as store:
        assert store.doctor()["healthy"]
        for name in store.subjects():
            handle = store.subject(name, zone="Europe/Berlin")
            found[name] = (
                [(each.id, each.claim, each.status, each.value, str(each)) for each in handle.records()],
                [(each.id, each.text) for each in handle.episodes()],
                [
                    (each.id, each.claim, each.score)
                    for query in ("which city?", "what colour?", "stamps and tea", "work")
                    for each in handle.recall(query).facts
                ],
                list(map(str, handle.questions())),
                handle.consents(),
                handle.decisions(limit=1000),
                handle.open_sessions(),
            )
    return found


@pytest.fixture
def clock() -> StoryClock:
    return StoryClock(START)


@pytest.fixture
def told(tmp_path: Path, clock: StoryClock) -> stead.Store:
    store = opened(tmp_path / "memory.db", clock)
    ana, ben = store.subject("ana", zone="Europe/Berlin"), store.subject("ben", zone="Europe/Berlin")
    ana.remember("Lives in Zanzibar", slot=Slot("home.city", value="Zanzibar"), idempotency_key="k1")
    ana.remember("Lives in Lisbon", slot=Slot("home.city", value="Lisbon"))
    ana.remember("Collects naïve 東京 stamps", source={"conversation": "c0", "turn": "1"})
    with ana.session("talk") as session:
        session.turn("user", "I work at Apex. I love tea.")
    ben.remember("Seems to row", authority="inferred")
    ben.remember("Likes marzipan")
    return store


def gone_away(store: stead.Store) -> Path:
    """Close a store, and lose its file: keys and ledger are still there."""
    path = Path(store.path)
    store.close()
    path.unlink()
    return path


# --- equality -------------------------------------------------------------------------------------------------------------------


def test_r33_every_row_and_every_answer_comes_back(told: stead.Store, tmp_path: Path, clock: StoryClock) -> None:
    told.backup(tmp_path / "one.bak")
    told.close()
    rows, said = tables(Path(told.path)), answers(Path(told.path), clock)
    assert sum(map(len, rows.values())) > 100
    gone_away(told)
    done = restore(tmp_path / "one.bak", told.path, clock=clock)
    assert (done.subjects, done.skipped, done.replayed, done.carried) == (2, (), 0, False)
    assert tables(Path(told.path)) == rows
    assert answers(Path(told.path), clock) == said
    assert sorted(each.name for each in tmp_path.iterdir()) == [
        "memory.db",
        "memory.db.keys",
        "memory.db.ledger",
        "one.bak",
    ]
    with opened(Path(told.path), clock, seed=2) as store:
        assert [each.id for each in store.backups()] == [done.backup]
        ana = store.subject("ana", zone="Europe/Berlin")
        again = ana.remember("Lives in Zanzibar", slot=Slot("home.city", value="Zanzibar"), idempotency_key="k1")
        assert again.replayed
        assert ana.remember("Likes Oslo").record
        assert [entry.kind for entry in store._core.vault.ledger().entries()] == ["backup", "restore"]


COLOURS, CITIES = ("red", "blue", "green", "black"), ("Lisbon", "Graz", "Porto", "Lyon", "Bergen")


def act(store: stead.Store, dice: random.Random, clock: StoryClock, n: int) -> None:
    """Do one thing of an ordinary day."""
    clock.instant += dice.randrange(1, 2 * DAY)
    handle = store.subject(dice.choice(("ana", "ben", "cleo")), zone="Europe/Berlin")
    records = [each.id for each in handle.records(status="active")]
    what = dice.randrange(9)
    if what <= 1:
        city = dice.choice(CITIES)
        handle.remember(f"Lives in {city}", slot=Slot("home.city", value=city), scope=dice.choice(("", "work")))
    elif what == 2:
        handle.remember(f"Wears {dice.choice(COLOURS)} {n}", authority=dice.choice(("inferred", "stated")))
    elif what == 3:
        with handle.session(f"c{dice.randrange(4)}") as session:
            session.turn("user", f"I live in {dice.choice(CITIES)}. I love stamps and tea {n}.")
    elif what == 4:
        handle.session(f"open{dice.randrange(3)}").turn("user", f"I work at Apex{n}.")
    elif what == 5 and records:
        handle.retract(dice.choice(records))
    elif what == 6 and records:
        handle.end(dice.choice(records))
    elif what == 7:
        handle.consent(classes={dice.choice(("health", "finance")): dice.random() < 0.5})
    else:
        handle.remember(f"Colour of the day is {dice.choice(COLOURS)}", slot=Slot("day.colour", value=f"{n}"))


def erase(store: stead.Store, dice: random.Random) -> None:
    handle = store.subject(dice.choice(("ana", "ben", "cleo")), zone="Europe/Berlin")
    records = [each.id for each in handle.records()]
    what = dice.randrange(6)
    if what == 0:
        handle.erase(everything=True, scan=False)
    elif what == 1:
        handle.erase(slot=Slot("home.city"), scan=False)
    elif what == 2:
        handle.erase(conversation=f"c{dice.randrange(4)}", scan=False)
    elif records:
        handle.erase(dice.sample(records, min(len(records), 2)), scan=False)


def at_a_random_point(folder: Path, seed: int) -> None:
    """Back up somewhere in a random story, go on, erase; what is restored is the store of then with the erasures done."""
    dice, clock, path = random.Random(seed), StoryClock(START), folder / "memory.db"
    folder.mkdir()
    with opened(path, clock, seed) as store:
        for n in range(dice.randrange(1, 16)):
            act(store, dice, clock, n)
        if dice.random() < 0.3:
            erase(store, dice)
        made = store.backup(folder / "one.bak")
    rows, then = tables(path), clock.instant
    said = answers(path, clock)
    (folder / "then").mkdir()
    for each in folder.glob("memory.db*"):
        shutil.copy(each, folder / "then" / each.name)
    erasing = seed % 2
    with opened(path, clock, seed + 1000) as store:
        for n in range(dice.randrange(6)):
            act(store, dice, clock, 100 + n)
            if erasing and dice.random() < 0.4:
                erase(store, dice)
        entries = [each for each in store._core.vault.ledger().entries("erasure") if each.seq > made.ledger]
    back = folder / "back.db"
    beside = {name: folder / f"memory.db.{name}" for name in ("keys", "ledger")}
    done = restore(folder / "one.bak", back, keys=beside["keys"], ledger=beside["ledger"], clock=StoryClock(then))
    assert done.replayed <= len(entries)
    if not entries:
        assert tables(back) == rows
        assert answers(back, StoryClock(then)) == said
        return
    late = StoryClock(clock.instant)
    with opened(folder / "then" / "memory.db", late, seed + 2000) as store:
        with store._core.backend.read() as tx:
            rows_then = {each.body["subject"]: tx.subject_by_ref(each.body["subject"]) for each in entries}
            there = {ref: row.name for ref, row in rows_then.items() if row is not None}
            names = {ref: name for ref, name in there.items() if not name.startswith("erased:")}
        for entry in entries:
            if entry.body["subject"] not in names:
                continue
            handle = store.subject(names[entry.body["subject"]], zone="Europe/Berlin")
            if entry.body["whole"]:
                handle.erase(everything=True, scan=False)
            for kind in (
                "records",
                "episodes",
            ):  # a turn goes with what was drawn from it; those that are left had nothing
                if named := [each for each in entry.body[kind] if known(handle, each)]:
                    handle.erase(named, scan=False)
    expected, found = answers(folder / "then" / "memory.db", late), answers(back, late)
    assert readable(found) == readable(expected)


def known(handle: stead.Subject, name: str) -> bool:
    return name in {each.id for each in handle.records()} | {each.id for each in handle.episodes()}


def readable(found: dict[str, Any]) -> dict[str, object]:
    """Return what is read of memory; the log of the erasures themselves, and who is only a fence by now, is left out."""
    return {name: (*each[:3], each[4]) for name, each in found.items() if each[0] or each[1]}


@pytest.mark.parametrize("seed", range(50))
def test_r33_a_backup_at_any_point_comes_back_without_what_was_erased_since(tmp_path: Path, seed: int) -> None:
    at_a_random_point(tmp_path / "story", seed)


@pytest.mark.slow
def test_r33_backups_at_two_hundred_points_come_back(tmp_path: Path) -> None:
    for seed in range(1000, 1200):
        at_a_random_point(tmp_path / str(seed), seed)


# --- what was erased since --------------------------------------------------------------------------------------------------------


def test_r33_what_was_erased_since_is_not_in_the_restored_file(
    told: stead.Store, tmp_path: Path, clock: StoryClock
) -> None:
    ana = told.subject("ana", zone="Europe/Berlin")
    told.backup(tmp_path / "one.bak")
    [first] = [each.id for each in ana.records() if "Zanzibar" in each.claim]
    clock.instant += DAY
    ana.erase(slot=Slot("home.city"))
    told.close()
    done = restore(tmp_path / "one.bak", told.path, replace=True, clock=clock)
    assert (done.replayed, done.skipped, done.carried) == (1, (), True)
    for each in tmp_path.glob("memory.db*"):
        assert b"anzibar" not in each.read_bytes(), each.name
    with opened(Path(told.path), clock) as store:
        again = store.subject("ana", zone="Europe/Berlin")
        with pytest.raises(stead.Erased):
            again.record(first)
        assert not again.recall(slot=Slot("home.city"), known_at="2026-01-05T12:00").facts
        assert [each.claim for each in again.recall("stamps").facts] == ["Collects naïve 東京 stamps"]
        with pytest.raises(stead.Erased):
            again.remember("Lives in Zanzibar", slot=Slot("home.city", value="Zanzibar"), idempotency_key="k1")
        assert store.doctor()["healthy"]
        assert again.epoch >= 1


def test_r33_a_subject_that_was_erased_whole_is_left_out(told: stead.Store, tmp_path: Path, clock: StoryClock) -> None:
    told.backup(tmp_path / "one.bak")
    clock.instant += DAY
    told.subject("ana").erase(everything=True)
    path = gone_away(told)
    done = restore(tmp_path / "one.bak", path, clock=clock)
    assert (done.subjects, len(done.skipped)) == (1, 1)
    with opened(path, clock) as store:
        assert store.subjects() == ["ben"]
        assert store.subject("ana").records() == []
        assert len(store.subject("ben").records()) == 2
    for each in tmp_path.glob("memory.db*"):
        assert b"anzibar" not in each.read_bytes(), each.name


def test_r32_fences_of_what_the_backup_never_had_stay(told: stead.Store, tmp_path: Path, clock: StoryClock) -> None:
    """A delayed write is refused by the store that was restored too; the ledger alone couldn't know of it."""
    told.backup(tmp_path / "one.bak")
    clock.instant += DAY
    late: dict[str, Any] = {"source": {"conversation": "c9", "turn": "4"}, "observed_at": "2026-01-06T09:00Z"}
    cleo, ana = told.subject("cleo"), told.subject("ana", zone="Europe/Berlin")
    for handle in (cleo, ana):
        handle.remember("Is fond of quokkas", **late)
        clock.instant += DAY
        handle.erase(conversation="c9")
    epochs, before = (cleo.epoch, ana.epoch), told.now()
    told.close()
    clock.instant += DAY
    done = restore(tmp_path / "one.bak", told.path, replace=True, clock=clock)
    assert done.carried
    clock.instant -= 2 * DAY  # the machine's clock goes back, and the transaction clock doesn't
    with opened(Path(told.path), clock, seed=2) as store:
        for name in ("ana", "cleo"):
            with pytest.raises(stead.Erased):
                store.subject(name).remember("Is fond of quokkas", **late)
        assert (store.subject("cleo").epoch, store.subject("ana").epoch) == epochs
        assert len(store.backups()) == 1
        outcome = store.subject("ana").remember("Likes Oslo")
        assert outcome.known_at is not None
        assert outcome.known_at > before  # no transaction time is given twice


def test_r33_keys_from_before_an_erasure_bring_nobody_back(
    told: stead.Store, tmp_path: Path, clock: StoryClock
) -> None:
    """An old copy of the keys can still read the part; what the ledger says is done in the file, and the key destroyed in the copy."""
    told.backup(tmp_path / "one.bak")
    old = shutil.copy(tmp_path / "memory.db.keys", tmp_path / "old.keys")
    told.subject("ana").erase(everything=True)
    path = gone_away(told)
    (tmp_path / "memory.db.keys").unlink()
    ref = archive.read_header(tmp_path / "one.bak").parts[1].ref
    assert ref in Path(old).read_text()
    done = restore(tmp_path / "one.bak", path, keys=old, clock=clock)
    assert (done.skipped, done.replayed) == ((), 1)
    assert ref not in Path(old).read_text()
    assert ref not in (tmp_path / "memory.db.keys").read_text()
    with opened(path, clock) as store:
        assert store.subjects() == ["ben"] or "ana" not in store.subjects()
        assert not any("Zanzibar" in each.claim for name in store.subjects() for each in store.subject(name).records())
    for each in tmp_path.glob("memory.db*"):
        assert b"anzibar" not in each.read_bytes(), each.name


# --- without keys or ledger nothing --------------------------------------------------------------------------------------------------


def refused(error: type[stead.SteadError], folder: Path, clock: StoryClock, **given: Any) -> stead.SteadError:
    """Try to restore, and see that nothing changed."""

    def held() -> dict[str, object]:
        files = {each for each in folder.iterdir() if each.is_file() and not each.name.startswith("fork")}
        return {each.name: tables(each) if each.name == "memory.db" else each.read_bytes() for each in files}

    before = held()
    with pytest.raises(error) as caught:
        restore(folder / "one.bak", folder / "memory.db", clock=clock, **given)
    assert held() == before
    return caught.value


@pytest.fixture
def lost(told: stead.Store, tmp_path: Path, clock: StoryClock) -> Path:
    """Return a folder with a backup, keys and a ledger that has come further, and no store."""
    told.backup(tmp_path / "one.bak")
    clock.instant += DAY
    told.subject("ana").erase(slot=Slot("home.city"), scan=False)
    told.subject("ben").erase(everything=True, scan=False)
    gone_away(told)
    return tmp_path


def test_r33_without_keys_nothing_is_restored(lost: Path, clock: StoryClock) -> None:
    keys = lost / "memory.db.keys"
    text = keys.read_text()
    keys.unlink()
    refused(KeysMissing, lost, clock)
    with opened(lost / "other.db", clock) as store:
        store.backup(lost / "two.bak")
    refused(KeysMissing, lost, clock, keys=lost / "other.db.keys")
    keys.write_text(text)
    refused(KeysMissing, lost, clock, keys=lost / "other.db.keys")
    shutil.copy(lost / "other.db.keys", keys)
    (lost / "mine").write_text(text)
    refused(KeysMissing, lost, clock, keys=lost / "mine")  # beside the store lie others
    keys.write_text(text)
    assert restore(lost / "one.bak", lost / "memory.db", clock=clock).replayed >= 1


def test_r33_a_destroyed_key_needs_an_erasure_in_the_ledger(lost: Path, clock: StoryClock) -> None:
    header = archive.read_header(lost / "one.bak")
    keys = restoring._keys(lost / "memory.db.keys", lost / "memory.db.keys", header)
    for ref in (header.parts[1].ref, archive.TENANT):
        text = (lost / "memory.db.keys").read_text()
        assert keys.destroy(ref)
        assert "doesn't say" in refused(KeysMissing, lost, clock).message
        keys.subject_keys([ref])[0]  # another key is none either
        refused(KeysMissing, lost, clock)
        (lost / "memory.db.keys").write_text(text)
    assert restore(lost / "one.bak", lost / "memory.db", clock=clock).skipped == (header.parts[2].ref,)


def test_r33_without_a_ledger_that_reaches_far_enough_nothing_is_restored(lost: Path, clock: StoryClock) -> None:
    ledger = lost / "memory.db.ledger"
    lines = ledger.read_text().splitlines(keepends=True)
    assert len(lines) == 5
    ledger.unlink()
    refused(LedgerMissing, lost, clock)
    for count in range(5):  # cut: the keys know how far it was, and an empty one is one that was cut
        ledger.write_text("".join(lines[:count]))
        refused(LedgerTooOld, lost, clock)
    for broken in (
        lines[1:],
        [*lines[:2], *lines[3:]],
        [lines[1], lines[0], *lines[2:]],
        [*lines[:3], lines[3].replace("0", "1", 1), lines[4]],
    ):
        ledger.write_text("".join(broken))
        refused(LedgerBroken, lost, clock)
    ledger.write_text("".join(lines) + '{"torn": ')  # a crash left it, and nobody was told
    assert restore(lost / "one.bak", lost / "memory.db", clock=clock).replayed >= 1


def test_r33_old_keys_dont_make_an_old_ledger_new_enough(told: stead.Store, tmp_path: Path, clock: StoryClock) -> None:
    """Keys and ledger of yesterday together: a later backup that the store knows says that there was more."""
    told.backup(tmp_path / "one.bak")
    for name in ("keys", "ledger"):
        shutil.copy(tmp_path / f"memory.db.{name}", tmp_path / f"old.{name}")
    told.subject("ana").erase(slot=Slot("home.city"), scan=False)
    told.backup(tmp_path / "two.bak")
    told.close()
    old: dict[str, Any] = {"keys": tmp_path / "old.keys", "ledger": tmp_path / "old.ledger"}
    for name in ("keys", "ledger"):
        (tmp_path / f"memory.db.{name}").rename(tmp_path / f"new.{name}")
    refused(LedgerTooOld, tmp_path, clock, replace=True, **old)
    shutil.copy(tmp_path / "new.ledger", tmp_path / "memory.db.ledger")
    refused(LedgerTooOld, tmp_path, clock, replace=True, **old)  # one that is beside the store knows more too
    assert restore(tmp_path / "one.bak", told.path, replace=True, clock=clock, keys=old["keys"]).replayed == 1


def test_r33_what_lies_beside_the_lost_store_counts_too(told: stead.Store, tmp_path: Path, clock: StoryClock) -> None:
    """Older copies are named though newer ones are there: the ledger is refused, and newer keys stay."""
    told.backup(tmp_path / "one.bak")
    for name in ("keys", "ledger"):
        shutil.copy(tmp_path / f"memory.db.{name}", tmp_path / f"old.{name}")
    told.subject("ana").erase(slot=Slot("home.city"), scan=False)
    told.subject("cleo").remember("Likes Oslo")
    told.backup(tmp_path / "two.bak")
    gone_away(told)
    refused(LedgerTooOld, tmp_path, clock, keys=tmp_path / "old.keys", ledger=tmp_path / "old.ledger")
    newer = (tmp_path / "memory.db.keys").read_text()
    assert restore(tmp_path / "one.bak", tmp_path / "memory.db", clock=clock, keys=tmp_path / "old.keys").replayed == 1
    cleo = archive.read_header(tmp_path / "two.bak").parts[-1].ref
    assert cleo in newer
    assert cleo in (tmp_path / "memory.db.keys").read_text()


def test_r32_an_epoch_never_falls(told: stead.Store, tmp_path: Path, clock: StoryClock) -> None:
    """Two erasures came after the backup, and it has nothing of the first one: what was read between them stays refused."""
    ana = told.subject("ana", zone="Europe/Berlin")
    told.backup(tmp_path / "one.bak")
    late = ana.remember("Likes Oslo").record
    assert late is not None
    for selected in ({"record": late}, {"slot": Slot("home.city")}):
        clock.instant += DAY
        ana.erase(scan=False, **selected)
    epoch = ana.epoch
    assert epoch == 2
    path = gone_away(told)
    restore(tmp_path / "one.bak", path, clock=clock)
    with opened(path, clock) as store:
        assert store.subject("ana").epoch >= epoch


def test_r33_a_ledger_that_went_another_way_is_refused(told: stead.Store, tmp_path: Path, clock: StoryClock) -> None:
    """The same keys signed both; the backup's own entry is in one of them only."""
    for name in ("", ".keys", ".ledger"):
        if (tmp_path / f"memory.db{name}").exists():
            shutil.copy(tmp_path / f"memory.db{name}", tmp_path / f"fork.db{name}")
    told.subject("ana").erase(slot=Slot("home.city"), scan=False)
    told.close()
    for name in ("", ".keys", ".ledger"):
        shutil.copy(tmp_path / f"memory.db{name}", tmp_path / f"fork.db{name}")
    with opened(tmp_path / "memory.db", clock) as store:
        store.backup(tmp_path / "one.bak")
        store.backup(tmp_path / "two.bak")
    with opened(tmp_path / "fork.db", clock, seed=7) as store:
        for n in range(4):
            store.backup(tmp_path / f"fork{n}.bak")
    for name in ("memory.db", "memory.db.keys", "memory.db.ledger"):
        (tmp_path / name).unlink()
    forked: dict[str, Any] = {"keys": tmp_path / "fork.db.keys", "ledger": tmp_path / "fork.db.ledger"}
    error = refused(LedgerTooOld, tmp_path, clock, **forked)
    assert "another way" in error.message


def test_r33_a_damaged_backup_changes_nothing(lost: Path, clock: StoryClock) -> None:
    path = lost / "one.bak"
    data = path.read_bytes()
    dice = random.Random(5)
    for place in [*range(0, 700, 23), *dice.sample(range(len(data)), 40)]:
        path.write_bytes(data[:place] + bytes([data[place] ^ 1 << dice.randrange(8)]) + data[place + 1 :])
        refused(BackupBroken, lost, clock)
    path.write_bytes(data)
    whole = archive.read_header(path)
    for other in (
        replace(whole, schema=3),
        replace(whole, seq=0),
        replace(whole, parts=whole.parts[:2]),
        replace(whole, id="bak_x"),
    ):
        body = archive.MAGIC + other.line + data[len(archive.MAGIC + whole.line) : -32]
        path.write_bytes(body + hashlib.sha256(body).digest())
        refused(BackupBroken, lost, clock)
    path.write_bytes(data)
    assert restore(path, lost / "memory.db", clock=clock).subjects == 1


# --- the place that it takes ---------------------------------------------------------------------------------------------------------


def test_a_store_that_is_there_is_replaced_only_if_asked(told: stead.Store, tmp_path: Path, clock: StoryClock) -> None:
    told.backup(tmp_path / "one.bak")
    told.close()
    refused(stead.InvalidArgument, tmp_path, clock)
    (tmp_path / "memory.db").chmod(0o640)
    assert restore(tmp_path / "one.bak", tmp_path / "memory.db", clock=clock, replace=True).carried
    assert (tmp_path / "memory.db").stat().st_mode & 0o777 == 0o640


def test_r46_a_store_that_is_open_elsewhere_is_not_taken_away(
    told: stead.Store, tmp_path: Path, clock: StoryClock
) -> None:
    told.backup(tmp_path / "one.bak")
    with pytest.raises(stead.StoreBusy):  # open in this process
        restore(tmp_path / "one.bak", told.path, clock=clock, replace=True)
    assert told.subject("ana").remember("Likes Oslo").record
    told.close()
    code = (
        "import stead, sys\n"
        "store = stead.open(sys.argv[1], embedder='none')\n"
        "print('open', flush=True)\n"
        "sys.stdin.readline()\n"
        "print(store.subject('ana').remember('Likes Rome').decision)\n"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", code, told.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None
    assert other.stdout.readline() == "open\n"
    with pytest.raises(stead.StoreBusy):
        restore(tmp_path / "one.bak", told.path, clock=clock, replace=True)
    assert other.communicate("go\n")[0] == "ADD\n"
    with opened(Path(told.path), clock) as store:
        assert {"Likes Oslo", "Likes Rome"} <= {each.claim for each in store.subject("ana").records()}
    assert restore(tmp_path / "one.bak", told.path, clock=clock, replace=True).subjects == 2


def test_r46_who_opens_it_meanwhile_never_writes_to_what_was_replaced(
    told: stead.Store, tmp_path: Path, clock: StoryClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It waits; then it has the old file in its hands, and is told so."""
    told.backup(tmp_path / "one.bak")
    told.close()
    code = (
        "import stead, sys\n"
        "import stead.store.sqlite.connection as connection\n"
        "connection._check_length = lambda path: print('came', flush=True)\n"
        "try:\n"
        "    with stead.open(sys.argv[1], embedder='none') as store: print(store.subject('ana').remember('Likes Rome').decision)\n"
        "except stead.SteadError as error: print(error.code)\n"
    )
    others: list[subprocess.Popen[str]] = []

    def come(step: str) -> None:
        if step == "ready":
            other = subprocess.Popen([sys.executable, "-c", code, told.path], stdout=subprocess.PIPE, text=True)
            assert other.stdout is not None
            assert other.stdout.readline() == "came\n"
            with pytest.raises(subprocess.TimeoutExpired):
                other.wait(0.5)
            others.append(other)

    monkeypatch.setattr(restoring, "reached", come)
    restore(tmp_path / "one.bak", told.path, clock=clock, replace=True)
    assert others[0].communicate()[0] in ("store_corrupt\n", "store_busy\n")
    assert sorted(each.name for each in tmp_path.glob("memory.db*")) == [
        "memory.db",
        "memory.db.keys",
        "memory.db.ledger",
    ]
    with opened(Path(told.path), clock) as store:
        assert "Likes Rome" not in {each.claim for each in store.subject("ana").records()}
        assert store.doctor()["healthy"]


def test_a_store_that_cant_be_read_is_replaced_and_its_log_is_not_read_into_the_new_one(
    told: stead.Store, tmp_path: Path, clock: StoryClock
) -> None:
    told.backup(tmp_path / "one.bak")
    rows = tables(Path(told.path))
    told.subject("ana").remember("Likes Oslo")
    wal = (tmp_path / "memory.db-wal").read_bytes()
    told.close()
    assert len(wal) > 10_000
    (tmp_path / "memory.db").write_bytes(b"not a database" * 1000)
    (tmp_path / "memory.db-wal").write_bytes(wal)
    assert not restore(tmp_path / "one.bak", told.path, clock=clock, replace=True).carried
    assert tables(Path(told.path)) == rows


def test_r47_the_store_of_another_tenant_or_another_story_is_not_replaced(
    told: stead.Store, tmp_path: Path, clock: StoryClock
) -> None:
    told.backup(tmp_path / "one.bak")
    told.close()
    for name in ("keys", "ledger"):
        shutil.copy(tmp_path / f"memory.db.{name}", tmp_path / f"mine.{name}")
        (tmp_path / f"memory.db.{name}").unlink()
    mine: dict[str, Any] = {"keys": tmp_path / "mine.keys", "ledger": tmp_path / "mine.ledger", "replace": True}
    (tmp_path / "memory.db").unlink()
    stead.open(tmp_path / "memory.db", tenant="acme", embedder="none").close()
    refused(stead.CrossTenant, tmp_path, clock, **mine)
    (tmp_path / "memory.db").unlink()
    with opened(tmp_path / "memory.db", clock, seed=9) as store:
        store.subject("zoe").remember("Likes Oslo")
        store.subject("zoe").erase(everything=True)
    for name in ("keys", "ledger"):
        (tmp_path / f"memory.db.{name}").unlink()
    assert refused(stead.StoreCorrupt, tmp_path, clock, **mine).hint.startswith("Restore to another path")


CRASH = (
    "import os, sys, stead\n"
    "from stead.clock import StoryClock\n"
    "from stead.memory import restoring\n"
    "restoring.reached = lambda step: os._exit(9) if step == sys.argv[1] else None\n"
    "restoring.restore(sys.argv[2], sys.argv[3], replace=True, clock=StoryClock(int(sys.argv[4])))\n"
)


@pytest.mark.parametrize("step", ["built", "replayed", "ready", "placed"])
@pytest.mark.parametrize("there", [True, False])
def test_r33_a_restore_that_is_killed_leaves_the_old_store_or_the_new_one(
    told: stead.Store, tmp_path: Path, clock: StoryClock, step: str, there: bool
) -> None:
    path = Path(told.path)
    ana = told.subject("ana", zone="Europe/Berlin")
    told.backup(tmp_path / "one.bak")
    clock.instant += DAY
    ana.erase(slot=Slot("home.city"), scan=False)
    ana.remember("Likes Oslo")
    told.close()
    old = answers(path, clock)
    if not there:
        path.unlink()
    run = [sys.executable, "-c", CRASH, step, str(tmp_path / "one.bak"), str(path), str(clock.instant)]
    assert subprocess.run(run, check=False).returncode == 9
    assert path.exists() == (there or step == "placed")
    if path.exists():
        found = answers(path, clock)
        assert (found == old) == (step != "placed")
        assert "Zanzibar" not in str(found)
    done = restore(tmp_path / "one.bak", path, replace=True, clock=clock)
    assert done.replayed == 1
    assert "Zanzibar" not in str(answers(path, clock))
    assert list(tmp_path.glob("*.restoring*")) == []
    assert list(tmp_path.glob("*-journal")) == []


def test_a_disk_that_fills_up_leaves_the_old_store(
    told: stead.Store, tmp_path: Path, clock: StoryClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    told.backup(tmp_path / "one.bak")
    told.close()

    def full(*_: object) -> None:
        raise apsw.FullError

    monkeypatch.setattr("stead.store.sqlite.building._index", full)
    refused(stead.StorageFull, tmp_path, clock, replace=True)


# --- schemas -------------------------------------------------------------------------------------------------------------------------


def test_r46_a_backup_of_yesterdays_schema_is_brought_to_todays(
    told: stead.Store, tmp_path: Path, clock: StoryClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows go in as the schema was then; the migrations since run over them, as they did over the store."""
    told.backup(tmp_path / "one.bak")
    rows = tables(Path(told.path), without=OUTSIDE | {"migrations", "records"})
    gone_away(told)
    today = migrate.migrations()
    sql = "ALTER TABLE records ADD COLUMN shout TEXT; UPDATE records SET shout = upper(id); CREATE TABLE later (n INTEGER);"
    later = migrate.Migration(version=today[-1].version + 1, name="later", sql=sql)
    monkeypatch.setattr(migrate, "migrations", lambda: (*today, later))
    monkeypatch.setattr("stead.store.sqlite.building.migrations", lambda: (*today, later))
    restore(tmp_path / "one.bak", tmp_path / "memory.db", clock=clock)
    connection = apsw.Connection(str(tmp_path / "memory.db"))
    shouted = connection.execute("SELECT id, shout FROM records").fetchall()
    applied = [n for (n,) in connection.execute("SELECT version FROM migrations ORDER BY version")]
    connection.close()
    assert applied == [each.version for each in (*today, later)]
    assert len(shouted) > 4
    assert all(shout == str(name).upper() for name, shout in shouted)
    assert tables(tmp_path / "memory.db", without=OUTSIDE | {"migrations", "records", "later"}) == rows


def test_a_backup_of_a_newer_version_is_refused(lost: Path, clock: StoryClock, monkeypatch: pytest.MonkeyPatch) -> None:
    known = migrate.migrations()[:-1]
    monkeypatch.setattr("stead.store.sqlite.building.migrations", lambda: known)
    refused(stead.NewerSchema, lost, clock)


# --- the command line -----------------------------------------------------------------------------------------------------------------


@pytest.fixture
def backed(run: Run) -> Run:
    ok(run, "remember", "Lives in Zanzibar")
    ok(run, "backup", "one.bak")
    ok(run, "remember", "Likes Oslo")
    return run


def test_the_command_line_restores_to_a_new_place(backed: Run, tmp_path: Path) -> None:
    named = ("--store", "new.db", "--keys", "memory.db.keys", "--ledger", "memory.db.ledger")
    done = ok(backed, "restore", "one.bak", *named)
    assert (done["subjects"], done["path"]) == (1, str(tmp_path / "new.db"))
    claims = [each["claim"] for each in ok(backed, "records", "--store", "new.db")["records"]]
    assert claims == ["Lives in Zanzibar"]
    ran = backed("restore", "one.bak", *named, "--json")
    assert (ran.code, ran.error["field"]) == (2, "to")
    ran = backed("restore", "one.bak", "--store", "other.db", "--json")
    assert (ran.code, ran.error["code"]) == (4, "keys_missing")
    ran = backed("restore", "memory.db.ledger", "--store", "other.db", "--json")
    assert (ran.code, ran.error["code"]) == (7, "backup_broken")


def test_the_command_line_replaces_a_store_if_its_name_is_typed(
    backed: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def claims() -> list[str]:
        return [each["claim"] for each in ok(backed, "records")["records"]]

    ran = backed("restore", "one.bak", "--replace")
    assert (ran.code, "--yes" in ran.err) == (2, True)
    asked: list[str] = []

    def types(name: str) -> Callable[[], str]:
        def typed() -> str:
            asked.append(name)
            return name

        return typed

    monkeypatch.setattr("stead.surfaces.cli.keeping._has_terminal", lambda: True)
    monkeypatch.setattr("builtins.input", types("yes"))
    assert backed("restore", "one.bak", "--replace").code == 2
    assert claims() == ["Lives in Zanzibar", "Likes Oslo"]
    monkeypatch.setattr("builtins.input", types("memory.db"))
    ran = backed("restore", "one.bak", "--replace")
    assert (ran.code, "Type memory.db to go on" in ran.err) == (0, True)
    assert asked == ["yes", "memory.db"]
    assert claims() == ["Lives in Zanzibar"]
    ok(backed, "remember", "Likes Rome")
    assert backed("restore", "one.bak", "--replace", "--yes").code == 0
    assert claims() == ["Lives in Zanzibar"]
