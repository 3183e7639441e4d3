"""Backups: all rows of one snapshot, nobody's name or words in the bytes, every change noticed, known until they are gone (R33)."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
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
from stead.errors import BackupBroken
from stead.lifecycle.backup import archive
from stead.lifecycle.erase import keys as keys_module
from stead.memory import backing
from stead.store.moving import Moved
from stead.store.sqlite.moving import BELONGS, FULL_TEXT, LEFT_OUT, OF_TENANT

CANARIES = ("Zanzibar", "quokka", "marzipan", "ana-the-subject", "ben-the-subject")


@pytest.fixture
def told(store: stead.Store) -> stead.Store:
    """Return a store with two subjects and something of most kinds in it."""
    ana, ben = (store.subject(f"{name}-the-subject", zone="Europe/Berlin") for name in ("ana", "ben"))
    ana.remember("Lives in Zanzibar", slot=Slot("home.city", value="Zanzibar"), idempotency_key="quokka-key")
    ana.remember("Lives in Lisbon", slot=Slot("home.city", value="Lisbon"))
    with ana.session("marzipan-talk") as session:
        session.turn("user", "I work at Quokka Apex. I love marzipan.")
    ben.remember("Collects naïve 東京 marzipan", source={"uri": "https://example.org/quokka"})
    ben.consent(classes={"health": True})
    store.event("quarter closed")
    return store


def keys_of(store: stead.Store) -> Any:
    return store._core.vault.keys()


def rows_of(store: stead.Store, path: Path) -> list[Moved]:
    header = archive.read_header(path)
    return list(archive.read(path, header, lambda part: keys_of(store).subject_key(part.ref)))


def summed(data: bytes) -> bytes:
    """Return a backup with the sum that its bytes have now, as who changes it on purpose would write it."""
    return data[:-32] + hashlib.sha256(data[:-32]).digest()


# --- what is in it ------------------------------------------------------------------------------------------------------------


def test_every_table_of_the_schema_has_its_place(store: stead.Store) -> None:
    """A table that nobody thought of would be one that a restore loses."""
    connection = apsw.Connection(store.path, flags=apsw.SQLITE_OPEN_READONLY)
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    owned = {
        table for table in tables - {"subjects"}
        if "subject" in {name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))}
    }  # fmt: skip
    connection.close()
    shadows = {
        each
        for each in tables
        if each.startswith(tuple(f"{shelf}_{kind}" for shelf in FULL_TEXT for kind in ("text", "postings")))
    }
    assert tables - shadows == BELONGS.keys() | OF_TENANT.keys() | LEFT_OUT.keys()
    assert owned <= BELONGS.keys()
    assert len(shadows) >= 8


def test_r33_nobodys_name_or_words_stand_in_it(told: stead.Store, tmp_path: Path) -> None:
    made = told.backup(tmp_path / "one.bak", until="2026-02-01T00:00+01:00")
    data = (tmp_path / "one.bak").read_bytes()
    assert (made.subjects, made.bytes, made.path) == (2, len(data), str(tmp_path / "one.bak"))
    for canary in CANARIES:
        for word in (canary, canary.lower()):
            assert word.encode() not in data
    header = json.loads(data.split(b"\n")[1])
    assert sorted(header) == ["at", "head", "id", "keys", "parts", "salt", "schema", "seq", "stead", "until"]
    assert [each["ref"][:4] for each in header["parts"]] == ["tena", "sub_", "sub_"]
    assert header["until"] == "2026-01-31T23:00:00+00:00"
    said = json.dumps([list(map(str, row)) for _, _, row in rows_of(told, tmp_path / "one.bak")], ensure_ascii=False)
    assert all(canary in said for canary in CANARIES)  # they are there for who has the keys
    assert (tmp_path / "one.bak").stat().st_mode & 0o777 == 0o600


def test_a_subjects_part_is_of_nobody_else(told: stead.Store) -> None:
    with told._core.backend.read() as store:
        ana, ben = store.living()
        for mine, other in ((ana, ben), (ben, ana)):
            dumped = list(store.dump(mine))
            assert {row[columns.index("subject")] for _, columns, row in dumped if "subject" in columns} == {mine}
            assert {str(row[2]).split("_", maxsplit=1)[0] for table, _, row in dumped if table.endswith("_text")} == {
                str(mine)
            }
            assert str(other) not in {str(row[0]) for table, _, row in dumped if table == "subjects"}
        assert {table for table, _, _ in store.dump(None)} == {"meta", "migrations", "clock", "numbers", "events"}


def test_values_of_every_type_come_back(tmp_path: Path) -> None:
    rows: list[Moved] = [
        ("t", ("a", "b"), (None, 2**62)), ("t", ("a", "b"), ('naïve 東京\n"\x00', 0.1)), ("t", ("a", "b"), (b"\x00\xff", -1)),
        ("u", ("c",), ("",)), ("t", ("a", "b"), (1, b"")),
    ]  # fmt: skip
    archive.write(tmp_path / "x", HEADER, [("tenant", b"k" * 32, rows), ("sub_1", b"l" * 32, [])])
    header = archive.read_header(tmp_path / "x")
    assert (
        list(archive.read(tmp_path / "x", header, lambda part: (b"k" if part.ref == "tenant" else b"l") * 32)) == rows
    )


HEADER = archive.Header(id="bak_1", at="2026", stead="0", schema=4, seq=1, head="", keys="key_1", salt="00" * 16)


def test_a_subject_that_is_new_while_it_is_written_is_in_the_next_one(
    told: stead.Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(step: str) -> None:
        if step == "announced":
            told.subject("cleo").remember("Likes Oslo")

    with monkeypatch.context() as patch:
        patch.setattr(backing, "reached", late)
        assert told.backup(tmp_path / "one.bak").subjects == 2
    assert "Likes Oslo" not in str(rows_of(told, tmp_path / "one.bak"))
    assert told.backup(tmp_path / "two.bak").subjects == 3
    assert "Likes Oslo" in str(rows_of(told, tmp_path / "two.bak"))


def test_others_write_meanwhile_and_it_is_one_snapshot(
    told: stead.Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rows are read as they were when the first one was, whatever is written by another process."""
    real = archive._write_frame
    wrote: list[int] = []

    def slow(*given: Any) -> None:
        code = (
            "import stead, sys\n"
            "with stead.open(sys.argv[1], embedder='none') as store:\n"
            "    store.subject('ben-the-subject').remember('Likes Oslo')\n"
        )
        if not wrote:
            wrote.append(subprocess.run([sys.executable, "-c", code, told.path], check=True).returncode)
        real(*given)

    monkeypatch.setattr(archive, "_write_frame", slow)
    told.backup(tmp_path / "one.bak")
    assert wrote == [0]
    assert "Likes Oslo" not in str(rows_of(told, tmp_path / "one.bak"))
    assert [each.claim for each in told.subject("ben-the-subject").recall("Oslo").facts][:1] == ["Likes Oslo"]


def test_a_part_is_never_in_memory_as_a_whole(tmp_path: Path) -> None:
    noise = [hashlib.sha512(bytes([n])).hexdigest() * 8 for n in range(250)]

    def rows() -> Iterator[Moved]:
        for n in range(8_000):  # eight megabytes and more
            yield "t", ("n", "text"), (n, noise[n % 250] + str(n))

    tracemalloc.start()
    try:
        size = archive.write(tmp_path / "x", HEADER, [("tenant", b"k" * 32, rows())])
        count = sum(1 for _ in archive.read(tmp_path / "x", archive.read_header(tmp_path / "x"), lambda _: b"k" * 32))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert (count, size) == (8_000, (tmp_path / "x").stat().st_size)
    assert peak < 3_000_000


# --- changes ------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path: Path) -> Path:
    parts = [(ref, ref.encode().ljust(32), [("t", ("a",), (f"{ref} says",))]) for ref in ("tenant", "sub_1", "sub_2")]
    archive.write(tmp_path / "x", HEADER, parts)
    return tmp_path / "x"


def read_all(path: Path) -> list[Moved]:
    return list(archive.read(path, archive.read_header(path), lambda part: part.ref.encode().ljust(32)))


def test_r33_every_flipped_bit_is_found(small: Path) -> None:
    data = small.read_bytes()
    assert len(read_all(small)) == 3
    archive.check_sum(small)
    with small.open("r+b", buffering=0) as file:
        for place in range(len(data)):
            for bit in range(8):
                os.pwrite(file.fileno(), bytes([data[place] ^ 1 << bit]), place)
                with pytest.raises(BackupBroken):
                    archive.check_sum(small)
            os.pwrite(file.fileno(), data[place : place + 1], place)
    archive.check_sum(small)


def test_r33_every_byte_that_somebody_changes_together_with_the_sum_is_found(small: Path) -> None:
    data = small.read_bytes()
    with small.open("r+b", buffering=0) as file:
        for place in range(len(data) - 32):
            for flip in (1, 0x20, 0x80):
                changed = summed(data[:place] + bytes([data[place] ^ flip]) + data[place + 1 :])
                os.pwrite(file.fileno(), changed, 0)
                with pytest.raises(BackupBroken):
                    read_all(small)
        archive.check_sum(small)


def test_r33_a_cut_or_longer_file_is_found(small: Path) -> None:
    data = small.read_bytes()
    changed = small.with_name("y")
    for length in range(len(data)):
        changed.write_bytes(data[:length])
        with pytest.raises(BackupBroken):
            archive.check_sum(changed)
    for length in range(40, len(data) - 32, 3):
        changed.write_bytes(summed(data[:length] + bytes(32)))
        with pytest.raises(BackupBroken):
            read_all(changed)
    changed.write_bytes(summed(data[:-32] + b"more" + bytes(32)))
    with pytest.raises(BackupBroken):
        read_all(changed)


def test_r33_parts_of_other_places_and_other_backups_are_found(small: Path) -> None:
    header = archive.read_header(small)
    data = small.read_bytes()
    body = data[len(archive.MAGIC + header.line) : -32]
    frames = []
    while body:
        length = 4 + (int.from_bytes(body[:4], "big") & 0x7FFFFFFF)
        frames.append(body[:length])
        body = body[length:]
    assert len(frames) == 3
    head = data[: len(archive.MAGIC + header.line)]
    swapped = replace(header, parts=(header.parts[0], header.parts[2], header.parts[1]))
    other = small.with_name("other")
    archive.write(other, replace(HEADER, id="bak_2"), [(p.ref, p.ref.encode().ljust(32), []) for p in header.parts])
    foreign = other.read_bytes()[len(archive.MAGIC + archive.read_header(other).line) : -32]
    for changed in (
        head + frames[0] + frames[2] + frames[1],
        archive.MAGIC + swapped.line + frames[0] + frames[2] + frames[1],
        head + frames[0] + frames[1],
        head + frames[0] + frames[1] + frames[1],
        head + foreign,
    ):
        small.write_bytes(summed(changed + bytes(32)))
        with pytest.raises(BackupBroken):
            read_all(small)


@pytest.mark.parametrize(
    "data",
    [b"", b"x", b"SQLite format 3\0" * 40, archive.MAGIC, archive.MAGIC + b"{}\n", archive.MAGIC + b"[]\n" + bytes(64)],
)
def test_what_is_no_backup_is_refused(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x").write_bytes(data)
    for look in (archive.check_sum, archive.read_header):
        for path in (tmp_path / "x", tmp_path / "missing"):
            with pytest.raises(BackupBroken):
                look(path)


# --- where it lies, and how long ------------------------------------------------------------------------------------------------


def test_what_is_there_is_replaced_only_if_asked(told: stead.Store, tmp_path: Path) -> None:
    path = tmp_path / "one.bak"
    first = told.backup(path)
    with pytest.raises(stead.InvalidArgument):
        told.backup(path)
    assert archive.read_header(path).id == first.id
    second = told.backup(path, replace=True)
    assert archive.read_header(path).id == second.id
    assert [each.id for each in told.backups()] == [second.id]
    assert [each.gone is None for each in told.backups(gone=True)] == [False, True]
    for own in ("memory.db", "memory.db.keys", "memory.db.ledger", "memory.db-wal"):
        before = (tmp_path / own).read_bytes()
        with pytest.raises(stead.InvalidArgument):
            told.backup(tmp_path / own, replace=True)
        assert (tmp_path / own).read_bytes() == before
    for bad in (tmp_path / "no" / "where", tmp_path):
        with pytest.raises(stead.InvalidArgument):
            told.backup(bad, replace=True)
    with pytest.raises(stead.NaiveTime):
        told.backup(tmp_path / "two.bak", until="2026-02-01")
    assert sorted(each.name for each in tmp_path.iterdir() if "bak" in each.name) == ["one.bak"]


def test_rotation_by_date_and_by_count(told: stead.Store, tmp_path: Path, clock: StoryClock) -> None:
    made = []
    for n in range(5):
        clock.instant += DAY
        made.append(told.backup(tmp_path / f"{n}.bak", until="2026-01-12T00:00Z" if n == 3 else None).id)
    assert told.rotate_backups() == []
    assert [each.id for each in told.rotate_backups(keep=3)] == made[:2]
    clock.instant += 3 * DAY
    gone = told.rotate_backups(keep=3)
    assert [each.id for each in gone] == [made[3]]
    assert gone[0].gone is not None
    assert [each.id for each in told.backups()] == [made[2], made[4]]
    assert sorted(each.name for each in tmp_path.glob("*.bak")) == ["2.bak", "4.bak"]
    (tmp_path / "2.bak").unlink()  # somebody removed it
    (tmp_path / "4.bak").write_text("something else by now")
    assert [each.id for each in told.rotate_backups(keep=0)] == [made[2], made[4]]
    assert (tmp_path / "4.bak").read_text() == "something else by now"
    assert told.backups() == []
    for bad in (-1, True, "7"):
        with pytest.raises(stead.InvalidArgument):
            told.rotate_backups(keep=bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("step", ["announced", "writing"])
def test_r33_a_backup_that_is_killed_leaves_no_backup(told: stead.Store, tmp_path: Path, step: str) -> None:
    code = (
        "import os, sys, stead\n"
        "from stead.lifecycle.backup import archive\n"
        "from stead.memory import backing\n"
        "die = lambda *_: os._exit(9)\n"
        "if sys.argv[2] == 'announced': backing.reached = die\n"
        "else: archive._give_name = die\n"
        "stead.open(sys.argv[1], embedder='none').backup(sys.argv[3])\n"
    )
    done = subprocess.run([sys.executable, "-c", code, told.path, step, str(tmp_path / "one.bak")], check=False)
    assert done.returncode == 9
    assert not (tmp_path / "one.bak").exists()
    assert len(list(tmp_path.glob("one.bak.*.part"))) == (step == "writing")
    [known] = told.backups()  # it was announced: an erasure that began meanwhile has to name it
    assert told.rotate_backups() == [replace(known, gone=told.backups(gone=True)[0].gone)]
    assert list(tmp_path.glob("one.bak*")) == []
    assert told.backup(tmp_path / "one.bak").id != known.id


@pytest.mark.parametrize(("code", "error"), [(errno.ENOSPC, stead.StorageFull), (errno.EACCES, stead.StoreNotWritable)])
def test_a_disk_that_fails_leaves_nothing(
    told: stead.Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, error: type[stead.SteadError]
) -> None:
    def fails(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patch:
        patch.setattr(archive, "_write_frame", fails)
        with pytest.raises(error):
            told.backup(tmp_path / "one.bak")
    assert list(tmp_path.glob("one.bak*")) == []
    assert told.backups() == []


# --- erasures ------------------------------------------------------------------------------------------------------------------


def test_r33_what_is_being_erased_is_in_no_new_backup(
    told: stead.Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An erasure that was killed after its first transaction has its rows removed before the snapshot is taken."""

    class KilledError(Exception):
        pass

    def kill(step: str) -> None:
        if step == "hidden":
            raise KilledError

    ana = told.subject("ana-the-subject", zone="Europe/Berlin")
    with monkeypatch.context() as patch:
        patch.setattr("stead.memory.erasing.reached", kill)
        with pytest.raises(KilledError):
            ana.erase(slot=Slot("home.city"))
    told.backup(tmp_path / "one.bak")
    held = str(rows_of(told, tmp_path / "one.bak"))
    assert "Zanzibar" not in held
    assert "zanzibar" not in held
    assert "marzipan" in held


def test_r32_an_erasure_that_begins_while_it_is_written_names_it(
    told: stead.Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    receipts: list[stead.Receipt] = []

    def late(step: str) -> None:
        if step == "announced" and not receipts:
            receipts.append(told.subject("ana-the-subject").erase(slot=Slot("home.city")))

    monkeypatch.setattr(backing, "reached", late)
    made = told.backup(tmp_path / "one.bak")
    assert any(made.id in each.what for each in receipts[0].retained)
    assert "Zanzibar" not in str(rows_of(told, tmp_path / "one.bak"))


def test_r33_an_erasure_that_is_killed_while_it_is_written_is_carried_out_first(
    told: stead.Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The snapshot would hold rows that can't be read any more: the backup begins anew."""

    class KilledError(Exception):
        pass

    def kill(step: str) -> None:
        if step == "hidden":
            raise KilledError

    tries: list[str] = []

    def late(step: str) -> None:
        if step == "announced":
            tries.append(step)
            if len(tries) == 1:
                with monkeypatch.context() as patch:
                    patch.setattr("stead.memory.erasing.reached", kill)
                    with pytest.raises(KilledError):
                        told.subject("ana-the-subject").erase(slot=Slot("home.city"))

    monkeypatch.setattr(backing, "reached", late)
    made = told.backup(tmp_path / "one.bak")
    assert len(tries) == 2
    assert "anzibar" not in str(rows_of(told, tmp_path / "one.bak"))
    assert [each.id for each in told.backups()] == [made.id]


def test_r32_a_subject_that_is_erased_whole_while_it_is_written_has_no_part(
    told: stead.Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(step: str) -> None:
        if step == "announced":
            told.subject("ana-the-subject").erase(everything=True)

    with monkeypatch.context() as patch:
        patch.setattr(backing, "reached", late)
        assert told.backup(tmp_path / "one.bak").subjects == 1
    rows = rows_of(told, tmp_path / "one.bak")
    assert "ana-the-subject" not in str(rows)
    subjects = [row[0] for table, _, row in rows if table == "subjects"]
    assert len(subjects) == len(set(subjects)) == 2
    keys, ledger = tmp_path / "memory.db.keys", tmp_path / "memory.db.ledger"
    assert stead.restore(tmp_path / "one.bak", tmp_path / "new.db", keys=keys, ledger=ledger).subjects == 1


def test_r32_a_subject_that_is_erased_whole_has_no_part_and_its_old_one_is_noise(
    told: stead.Store, tmp_path: Path
) -> None:
    told.backup(tmp_path / "one.bak")
    told.subject("ana-the-subject").erase(everything=True)
    header = archive.read_header(tmp_path / "one.bak")
    ana, ben = header.parts[1:]
    assert (keys_of(told).subject_key(ana.ref), keys_of(told).subject_key(ben.ref) is None) == (None, False)
    assert "Zanzibar" not in str(rows_of(told, tmp_path / "one.bak"))
    assert told.backup(tmp_path / "two.bak").subjects == 1
    held = str(rows_of(told, tmp_path / "two.bak"))
    assert "ana-the-subject" not in held
    assert "ben-the-subject" in held
    told.subject("ana-the-subject").remember("Likes Oslo")  # who comes back has a new key
    assert told.backup(tmp_path / "three.bak").subjects == 2
    new = {each.ref: each for each in archive.read_header(tmp_path / "three.bak").parts}[ana.ref]
    key = keys_of(told).subject_key(ana.ref)
    assert archive.read_header(tmp_path / "three.bak").check(ana.ref, key) == new.check
    assert header.check(ana.ref, key) != ana.check


# --- the command line ------------------------------------------------------------------------------------------------------------


def test_the_command_line_makes_lists_and_rotates_them(run: Run, tmp_path: Path) -> None:
    assert run("backup", "one.bak").code == 3  # no store is made for a backup
    ok(run, "remember", "Lives in Zanzibar")
    made = ok(run, "backup", "one.bak", "--until", "2099-01-01", "--zone", "Europe/Berlin")
    assert (made["subjects"], made["until"], made["path"]) == (1, "2098-12-31T23:00:00Z", str(tmp_path / "one.bak"))
    ran = run("backup", "two.bak")
    assert (ran.code, "1 subjects" in ran.out) == (0, True)
    assert "memory.db.keys and memory.db.ledger" in ran.err
    again = run("backup", "two.bak", "--json")
    assert (again.code, again.error["code"]) == (2, "invalid_argument")
    assert run("backup", "two.bak", "--replace").code == 0
    assert [each["path"][-7:] for each in ok(run, "backups")["backups"]] == ["one.bak", "two.bak"]
    assert len(ok(run, "backups", "--gone")["backups"]) == 3
    assert made["id"] in run("backups").out
    assert run("backups", "--keep", "1").code == 2
    rotated = ok(run, "backups", "--rotate", "--keep", "1")
    assert [each["id"] for each in rotated["removed"]] == [made["id"]]
    assert len(rotated["backups"]) == 1
    ran = run("backups", "--rotate", "--keep", "0")
    assert "gone: bak_" in ran.err
    assert "no backup" in ran.err
    assert list(tmp_path.glob("*.bak")) == []


def test_the_keys_of_all_subjects_are_made_in_one_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the first backup of a large tenant would write the whole file once for each subject."""
    written = list[Path]()
    real = keys_module.replaced

    def counted(path: Path, value: object, **named: bool) -> None:
        written.append(path)
        real(path, value, **named)

    with stead.open(tmp_path / "memory.db", embedder="none") as store:
        for number in range(20):
            store.subject(f"s{number}").remember("Likes tea")
        store.backup(tmp_path / "first.bak")
        for number in range(20, 40):
            store.subject(f"s{number}").remember("Likes tea")
        monkeypatch.setattr(keys_module, "replaced", counted)
        assert store.backup(tmp_path / "one.bak").subjects == 40
    assert len(written) <= 3  # the keys, and how far the ledger has come
