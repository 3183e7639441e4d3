"""Receipts of erasures: keys that lie beside the store, a signed chain that shows every change, and how people verify it (R32)."""

from __future__ import annotations

import base64
import errno
import hashlib
import json
import os
import stat
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.commands import Run, ok

import stead
from stead import Slot
from stead.errors import (
    BackendError,
    InvalidArgument,
    KeysMissing,
    LedgerBroken,
    StorageFull,
    StoreNotWritable,
    UnknownRecord,
)
from stead.ids import random_bytes
from stead.lifecycle.erase import ledger as ledger_module
from stead.lifecycle.erase.keys import Keys, open_keys
from stead.lifecycle.erase.ledger import Head, Ledger, canonical, is_signed, key_id, verify
from stead.memory import receipts as receipts_module

AT = "2026-01-05T10:00:00+00:00"


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return open_keys(tmp_path / "memory.db.keys", create=True, random_bytes=random_bytes)


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "memory.db.ledger")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    """Return keys that all examples of a property use."""
    return open_keys(tmp_path_factory.mktemp("keys") / "k", create=True, random_bytes=random_bytes)


def fill(ledger: Ledger, keys: Keys, count: int = 5) -> list[bytes]:
    """Append entries and return their lines, with the newlines."""
    for n in range(count):
        ledger.append("erasure", {"erasure": f"era_{n}", "at": AT}, keys)
    return ledger.path.read_bytes().splitlines(keepends=True) if count else []


def problems(ledger: Ledger, keys: Keys, head: Head | None = None) -> tuple[str, ...]:
    return verify(ledger.path, keys.public, head=head).problems


# --- keys -------------------------------------------------------------------------------------------------------------------------


def test_keys_are_for_their_owner_only_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        keys = open_keys(tmp_path / "k", create=True, random_bytes=random_bytes)
        keys.subject_keys(["sub_a"])[0]
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "k").stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["k"]


def test_keys_that_are_missing_arent_made_by_who_only_reads(tmp_path: Path) -> None:
    with pytest.raises(KeysMissing) as caught:
        open_keys(tmp_path / "k", create=False, random_bytes=random_bytes)
    assert (caught.value.code, caught.value.exit_code) == ("keys_missing", 4)
    assert ".keys" in caught.value.hint
    assert list(tmp_path.iterdir()) == []


def test_keys_that_go_missing_later_are_missed(keys: Keys, tmp_path: Path) -> None:
    (tmp_path / "memory.db.keys").unlink()
    for use in (lambda: keys.id, lambda: keys.fingerprint("a"), lambda: keys.subject_keys(["sub_a"])[0]):
        with pytest.raises(KeysMissing):
            use()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "7", "{}", '{"id": "key_1", "master": "AAAA", "subjects": {}, "anchor": [0, ""]}', "\xff", "é"],
)
def test_what_is_no_file_of_keys_is_told(keys: Keys, tmp_path: Path, text: str) -> None:
    (tmp_path / "memory.db.keys").write_text(text, "latin-1")
    with pytest.raises(KeysMissing, match="can't be read"):
        _ = keys.public


def test_a_folder_in_the_place_of_the_keys_is_told(tmp_path: Path) -> None:
    (tmp_path / "k").mkdir()
    with pytest.raises(KeysMissing, match="can't be read"):
        _ = open_keys(tmp_path / "k", create=True, random_bytes=random_bytes).id


def test_keys_that_are_made_at_once_are_the_same(tmp_path: Path) -> None:
    def make(_: int) -> str:
        return open_keys(tmp_path / "k", create=True, random_bytes=random_bytes).id

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(make, range(16)))) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["k"]


def test_every_keys_object_sees_what_another_process_wrote(keys: Keys, tmp_path: Path) -> None:
    assert keys.subject_key("sub_a") is None
    script = """
import sys
from pathlib import Path
from stead.ids import random_bytes
from stead.lifecycle.erase.keys import open_keys
keys = open_keys(Path(sys.argv[1]), create=False, random_bytes=random_bytes)
print(keys.subject_keys(["sub_a"])[0].hex(), keys.public.hex())
keys.set_anchor(3, "abc")
"""
    words = [sys.executable, "-c", script, str(tmp_path / "memory.db.keys")]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    made = keys.subject_key("sub_a")
    assert made is not None
    assert done.stdout.split() == [made.hex(), keys.public.hex()]
    assert keys.anchor == (3, "abc")
    assert keys.destroy("sub_a")
    assert keys.anchor == (3, "abc")


def test_a_destroyed_key_is_in_no_file(keys: Keys, tmp_path: Path) -> None:
    gone, stays = keys.subject_keys(["sub_a"])[0], keys.subject_keys(["sub_b"])[0]
    assert gone is not None
    # a process that was killed left its half-done file, with the key in it
    (tmp_path / "memory.db.keys.4711.1.new").write_bytes((tmp_path / "memory.db.keys").read_bytes())
    assert keys.destroy("sub_a")
    assert not keys.destroy("sub_a")
    assert keys.subject_key("sub_a") is None
    assert keys.subject_key("sub_b") == stays
    for each in tmp_path.iterdir():
        data = each.read_bytes()
        assert not any(form in data for form in (gone, base64.b64encode(gone), gone.hex().encode())), each.name
    assert keys.subject_keys(["sub_a"])[0] != gone


def test_a_destruction_that_was_cut_short_is_finished_by_the_next(keys: Keys, tmp_path: Path) -> None:
    gone = keys.subject_keys(["sub_a"])[0]
    assert gone is not None
    left = tmp_path / "memory.db.keys.4711.1.new"
    data = (tmp_path / "memory.db.keys").read_bytes()
    keys.destroy("sub_a")
    left.write_bytes(data)
    assert not keys.destroy("sub_a")
    assert not left.exists()


@pytest.mark.parametrize("at", ["write", "fsync", "replace"])
def test_a_file_of_keys_is_replaced_whole_or_not_at_all(
    keys: Keys, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    path = tmp_path / "memory.db.keys"
    before = path.read_bytes()

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    where: dict[str, tuple[Any, str]] = {
        "write": (json, "dump"), "fsync": (os, "fsync"), "replace": (Path, "replace"),
    }  # fmt: skip
    with monkeypatch.context() as patched:
        patched.setattr(*where[at], fail)
        with pytest.raises(StorageFull):
            keys.subject_keys(["sub_a"])[0]
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["memory.db.keys"]
    assert keys.subject_key("sub_a") is None
    assert keys.subject_keys(["sub_a"])[0] is not None


def test_keys_without_hard_links_are_made_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", fail)
    made = open_keys(tmp_path / "k", create=True, random_bytes=random_bytes)
    assert open_keys(tmp_path / "k", create=True, random_bytes=random_bytes).id == made.id


@given(st.lists(st.text(), max_size=4), st.lists(st.text(), max_size=4))
def test_fingerprints_tell_every_list_of_texts_apart(shared: Keys, one: list[str], other: list[str]) -> None:
    assert len(shared.fingerprint(*one)) == 16
    assert (shared.fingerprint(*one) == shared.fingerprint(*other)) == (one == other)


def test_fingerprints_need_the_key(keys: Keys, tmp_path: Path) -> None:
    others = open_keys(tmp_path / "others", create=True, random_bytes=random_bytes)
    assert keys.fingerprint("same") != others.fingerprint("same")
    assert keys.fingerprint("ab", "c") != keys.fingerprint("a", "bc") != keys.fingerprint("abc")
    assert keys.fingerprint("\ud800") != keys.fingerprint("\ud801")  # half a pair, as broken text may hold


@given(st.binary(max_size=200), st.data())
def test_what_is_sealed_comes_back_and_no_bit_of_it_can_change(shared: Keys, data: bytes, draw: st.DataObject) -> None:
    sealed = shared.seal(data)
    assert shared.unseal(sealed) == data
    assert shared.seal(data) != sealed
    bit = draw.draw(st.integers(0, 8 * len(sealed) - 1))
    broken = bytearray(sealed)
    broken[bit // 8] ^= 1 << bit % 8
    for each in (bytes(broken), sealed[: bit // 8]):
        with pytest.raises(KeysMissing):
            shared.unseal(each)


def test_other_keys_unseal_nothing(keys: Keys, tmp_path: Path) -> None:
    others = open_keys(tmp_path / "others", create=True, random_bytes=random_bytes)
    with pytest.raises(KeysMissing, match="other keys"):
        others.unseal(keys.seal(b"words"))


def test_a_signature_is_plain_ed25519(keys: Keys) -> None:
    Ed25519PublicKey.from_public_bytes(keys.public).verify(keys.sign(b"said"), b"said")
    assert is_signed(b"said", keys.sign(b"said"), keys.public)
    assert not is_signed(b"sad", keys.sign(b"said"), keys.public)


# --- the chain --------------------------------------------------------------------------------------------------------------------


def test_the_chain(ledger: Ledger, keys: Keys) -> None:
    assert ledger.head() == Head(0, "")
    assert list(ledger.entries()) == []
    assert verify(ledger.path, keys.public).ok
    first = ledger.append("erasure", {"erasure": "era_1", "at": AT, "records": ["rec_1"]}, keys)
    second = ledger.append("receipt", {"erasure": "era_1", "at": AT}, keys)
    lines = ledger.path.read_bytes().splitlines()
    assert (first.seq, second.seq) == (1, 2)
    assert second.body["previous"] == hashlib.sha256(lines[0]).hexdigest() == first.hash
    assert first.body["previous"] == ""
    assert first.body["key"] == key_id(keys.public) == hashlib.sha256(keys.public).hexdigest()[:16]
    assert [canonical(json.loads(line)) for line in lines] == lines
    assert ledger.head() == Head(2, second.hash) == Head(*keys.anchor)
    assert [each.seq for each in ledger.entries("receipt")] == [2]
    assert ledger.find("receipt", "era_1") == second
    assert ledger.find("receipt", "era_2") is None
    found = verify(ledger.path, keys.public, head=Head(*keys.anchor))
    assert (found.ok, found.entries, found.head, found.problems) == (True, 2, ledger.head(), ())
    assert stat.S_IMODE(ledger.path.stat().st_mode) == 0o600


def test_an_entry_is_added_once_per_kind_and_erasure(ledger: Ledger, keys: Keys) -> None:
    first = ledger.append("erasure", {"erasure": "era_1", "at": AT}, keys)
    assert ledger.append("erasure", {"erasure": "era_1", "at": "later"}, keys) == first
    assert ledger.append("receipt", {"erasure": "era_1", "at": AT}, keys).seq == 2
    assert ledger.append("backup", {"backup": "bak_1", "at": AT}, keys).seq == 3
    assert (
        ledger.append("backup", {"backup": "bak_1", "at": AT}, keys).seq == 4
    )  # of no erasure: each is an event of its own
    assert problems(ledger, keys) == ()


def test_the_body_cant_take_the_place_of_the_chain(ledger: Ledger, keys: Keys) -> None:
    ledger.append(
        "erasure", {"erasure": "era_1", "seq": 9, "previous": "x", "kind": "y", "key": "z", "signature": "s"}, keys
    )
    assert problems(ledger, keys) == ()


def test_entries_of_any_length_have_a_head(ledger: Ledger, keys: Keys) -> None:
    for n, length in enumerate((1, 70_000, 3, 600_000, 65_000), 1):
        made = ledger.append("erasure", {"erasure": f"era_{n}", "records": ["r" * length]}, keys)
        assert ledger.head() == Head(n, made.hash)
    assert problems(ledger, keys) == ()


@pytest.mark.slow
def test_every_single_bit_that_flips_is_found(ledger: Ledger, keys: Keys) -> None:
    data = b"".join(fill(ledger, keys, 3))
    missed = []
    for bit in range(8 * len(data)):
        broken = bytearray(data)
        broken[bit // 8] ^= 1 << bit % 8
        ledger.path.write_bytes(broken)
        if verify(ledger.path, keys.public).ok:
            missed.append((bit // 8, bit % 8))
    assert missed == []


def test_the_last_entry_has_one_spelling_only(ledger: Ledger, keys: Keys) -> None:
    """Nothing follows it whose hash would show a change that its signature doesn't cover."""
    [line] = fill(ledger, keys, 1)
    signature = json.loads(line)["signature"]
    for other in (
        line.replace(signature.encode(), signature.upper().encode()),
        line.replace(signature.encode(), signature[:2].encode() + b" " + signature[2:].encode()),
        line.replace(b'","', b'", "', 1),
        line.replace(b'"kind":', b'"kind":"erasure","kind":', 1),
        line.replace(b"era_0", b"\\u0065ra_0"),
        line.replace(b"\n", b"\r\n"),
        line.replace(b'"seq":1', b'"seq":1.0'),
        line.replace(b'"seq":1', b'"seq":true'),
    ):
        assert other != line
        ledger.path.write_bytes(other)
        assert any(each.startswith("entry 1:") for each in problems(ledger, keys)), other


@pytest.mark.parametrize("number", range(5))
def test_a_dropped_entry_is_found(ledger: Ledger, keys: Keys, number: int) -> None:
    lines = fill(ledger, keys)
    ledger.path.write_bytes(b"".join(lines[:number] + lines[number + 1 :]))
    if number < 4:
        assert any(each.startswith(f"entry {number + 1}: numbered {number + 2}") for each in problems(ledger, keys))
    else:
        assert problems(ledger, keys) == ()  # a cut tail is a ledger: only who knows its head can tell
    assert "entry 5: the tail was cut" in problems(ledger, keys, Head(*keys.anchor))


def test_an_entry_of_a_ledger_that_went_another_way_is_found(ledger: Ledger, keys: Keys) -> None:
    """A copy of the store went on by itself with the same keys: number and signature are right, but not what it follows."""
    lines = fill(ledger, keys)
    other = Ledger(ledger.path.with_name("other.ledger"))
    other.path.write_bytes(lines[0])
    keys.set_anchor(1, other.head().hash)
    for name in ("era_x", "era_y"):
        other.append("erasure", {"erasure": name, "at": AT}, keys)
    strange = other.path.read_bytes().splitlines(keepends=True)[2]
    ledger.path.write_bytes(b"".join([*lines[:2], strange]))
    assert problems(ledger, keys) == (
        "entry 3: doesn't follow the one before; something was changed, dropped or inserted",
    )


@pytest.mark.parametrize(("one", "other"), [(one, other) for other in range(5) for one in range(other)])
def test_swapped_entries_are_found(ledger: Ledger, keys: Keys, one: int, other: int) -> None:
    lines = fill(ledger, keys)
    lines[one], lines[other] = lines[other], lines[one]
    ledger.path.write_bytes(b"".join(lines))
    found = problems(ledger, keys)
    assert all(any(each.startswith(f"entry {n + 1}:") for each in found) for n in (one, other))


@pytest.mark.parametrize("at", range(6))
def test_an_inserted_or_repeated_entry_is_found(ledger: Ledger, keys: Keys, tmp_path: Path, at: int) -> None:
    lines = fill(ledger, keys)
    others = open_keys(tmp_path / "others", create=True, random_bytes=random_bytes)
    forged = Ledger(tmp_path / "forged")
    fill(forged, others, at)
    forged.append("erasure", {"erasure": "era_forged", "at": AT}, others)
    for line in (
        forged.path.read_bytes().splitlines(keepends=True)[-1],
        lines[min(at, 4)],
        b"\n",
        b"{}\n",
        b"[]\n",
        b"\xff\n",
    ):
        ledger.path.write_bytes(b"".join([*lines[:at], line, *lines[at:]]))
        wrong = min(at + 1, 6) if line != lines[min(at, 4)] else min(at + 2, 6)
        assert any(each.startswith(f"entry {wrong}:") for each in problems(ledger, keys)), line


def test_json_that_is_nested_without_end_is_a_problem_not_a_crash(ledger: Ledger, keys: Keys) -> None:
    ledger.path.write_bytes(b"[" * 200_000 + b"\n")
    assert problems(ledger, keys) == ("entry 1: can't be read",)
    with pytest.raises(LedgerBroken):
        list(ledger.entries())


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_every_other_order_of_the_lines_is_found(shared: Keys, draw: st.DataObject) -> None:
    """Whatever is dropped, repeated or moved: with a published head only the ledger as it was, or longer, is sound."""
    body = st.dictionaries(st.text(max_size=8), st.text(max_size=8) | st.integers() | st.none(), max_size=3)
    bodies = draw.draw(st.lists(body, min_size=1, max_size=5))
    with tempfile.TemporaryDirectory() as folder:
        ledger = Ledger(Path(folder) / "ledger")
        shared.set_anchor(0, "")
        for each in bodies:
            ledger.append("note", each, shared)
        head = ledger.head()
        lines = ledger.path.read_bytes().splitlines(keepends=True)
        assert verify(ledger.path, shared.public, head=head).ok
        order = draw.draw(st.lists(st.integers(0, len(lines) - 1), max_size=7))
        ledger.path.write_bytes(b"".join(lines[each] for each in order))
        same = order == list(range(len(lines)))
        assert verify(ledger.path, shared.public, head=head).ok == same
        prefix = order == list(range(len(order)))
        assert verify(ledger.path, shared.public).ok == prefix


def test_a_head_from_before_is_held_and_another_isnt(ledger: Ledger, keys: Keys) -> None:
    lines = fill(ledger, keys)
    for n in range(1, 6):
        assert problems(ledger, keys, Head(n, hashlib.sha256(lines[n - 1].rstrip(b"\n")).hexdigest())) == ()
        assert problems(ledger, keys, Head(n, "0" * 64)) == (f"entry {n}: the head that is known isn't in it",)
    assert problems(ledger, keys, Head(0, "")) == ()
    assert problems(ledger, keys, Head(-1, ledger.head().hash)) != ()
    assert problems(ledger, keys, Head(6, "0" * 64)) == ("entry 6: the tail was cut",)


def test_a_key_of_somebody_else_verifies_nothing(ledger: Ledger, keys: Keys, tmp_path: Path) -> None:
    fill(ledger, keys, 2)
    others = open_keys(tmp_path / "others", create=True, random_bytes=random_bytes)
    assert problems(ledger, others) == ("entry 1: signed with another key", "entry 2: signed with another key")
    forged = ledger.path.read_bytes().replace(key_id(keys.public).encode(), key_id(others.public).encode())
    ledger.path.write_bytes(forged)
    assert any("bad signature" in each for each in problems(ledger, others))


# --- crashes ----------------------------------------------------------------------------------------------------------------------


def test_a_line_that_a_crash_left_unfinished_is_taken_away(ledger: Ledger, keys: Keys) -> None:
    lines = fill(ledger, keys, 2)
    whole = b"".join(lines)
    torn = canonical({"seq": 3, "records": ["r" * 200_000]})  # longer than what is read at once
    for tail in (lines[1][:1], lines[1][:-1], torn, torn[:65_536], torn[:65_535], b"{"):
        ledger.path.write_bytes(whole + tail)
        assert ledger.head().seq == 2
        assert [each.seq for each in ledger.entries()] == [1, 2]
        assert "the last line is torn" in problems(ledger, keys)
        keys.set_anchor(2, ledger.head().hash)
        ledger.append("erasure", {"erasure": "era_new", "at": AT}, keys)
        assert problems(ledger, keys, Head(*keys.anchor)) == ()
        assert ledger.path.read_bytes().startswith(whole)
    keys.set_anchor(0, "")
    ledger.path.write_bytes(b'{"seq":1')
    assert ledger.append("erasure", {"erasure": "era_new", "at": AT}, keys).seq == 1


def test_a_crash_between_an_entry_and_its_anchor(ledger: Ledger, keys: Keys, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(ledger, keys, 2)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    for again in ("era_new", "era_other"):
        before = keys.anchor
        with monkeypatch.context() as patched:
            patched.setattr(Keys, "set_anchor", killed)
            with pytest.raises(KeyboardInterrupt):
                ledger.append("erasure", {"erasure": "era_new", "at": AT}, keys)
        assert keys.anchor == before
        assert problems(ledger, keys, Head(*before)) == ()
        made = ledger.append("erasure", {"erasure": again, "at": AT}, keys)
        assert keys.anchor == (made.seq, made.hash) == (ledger.head().seq, ledger.head().hash)
        ledger.path.write_bytes(b"".join(ledger.path.read_bytes().splitlines(keepends=True)[:2]))
        keys.set_anchor(*((head := ledger.head()).seq, head.hash))


def test_a_ledger_that_isnt_the_one_is_not_gone_on_with(ledger: Ledger, keys: Keys, tmp_path: Path) -> None:
    lines = fill(ledger, keys)
    before = keys.anchor
    for kept in range(5):
        ledger.path.write_bytes(b"".join(lines[:kept]))
        with pytest.raises(LedgerBroken, match="has had 5"):
            ledger.append("erasure", {"erasure": "era_new", "at": AT}, keys)
    ledger.path.unlink()
    with pytest.raises(LedgerBroken) as caught:
        ledger.append("erasure", {"erasure": "era_new", "at": AT}, keys)
    assert (caught.value.code, caught.value.exit_code) == ("ledger_broken", 5)
    other = Ledger(tmp_path / "other")
    keys.set_anchor(0, "")
    for n in range(6):
        other.append("erasure", {"erasure": f"era_other_{n}", "at": AT}, keys)
    keys.set_anchor(*before)
    for count in (5, 6):  # as long, and longer, with the same keys
        ledger.path.write_bytes(b"".join(other.path.read_bytes().splitlines(keepends=True)[:count]))
        with pytest.raises(LedgerBroken, match="entry 5"):
            ledger.append("erasure", {"erasure": "era_new", "at": AT}, keys)
    assert keys.anchor == before


@pytest.mark.parametrize(
    ("code", "error"), [(errno.ENOSPC, StorageFull), (errno.EDQUOT, StorageFull), (errno.EIO, StoreNotWritable)]
)
def test_what_couldnt_be_written_leaves_nothing(
    ledger: Ledger, keys: Keys, monkeypatch: pytest.MonkeyPatch, code: int, error: type[BackendError]
) -> None:
    def fail(_: int) -> None:
        raise OSError(code, os.strerror(code))

    for count in (0, 2):
        lines = fill(ledger, keys, count)
        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", fail)
            with pytest.raises(error):
                ledger.append("erasure", {"erasure": "era_new", "at": AT}, keys)
        assert ledger.path.read_bytes() == b"".join(lines)
        assert ledger.head().seq == count == keys.anchor[0]


# --- in a store -------------------------------------------------------------------------------------------------------------------

CANARIES = ("Zanzibar", "quokka", "marzipan-talk", "ana-the-subject")


@pytest.fixture
def erased(store: stead.Store) -> stead.Store:
    """Return a store in which some of everything was erased, by all kinds of selectors."""
    ana = store.subject("ana-the-subject", zone="UTC")
    first = ana.remember("Lives in Zanzibar", slot=Slot("home.city", value="Zanzibar"), idempotency_key="quokka-key")
    ana.remember("Loves the quokka", source={"uri": "https://example.org/quokka"})
    ana.remember("Lives in the quokka house", scope="quokka/house")
    with ana.session("marzipan-talk") as session:
        session.turn("user", "I work at Quokka Apex. I love marzipan.")
    ana.erase(first.record, requester="ticket 7", scan=False)
    ana.erase(source="https://example.org/quokka", scan=False)
    ana.erase(scope="quokka", scan=False)
    ana.erase(conversation="marzipan-talk", scan=False)
    ana.remember("Likes maps")
    ana.erase(everything=True, scan=False)
    return store


def test_r32_no_word_no_name_and_no_hash_of_one_is_in_the_ledger(erased: stead.Store, tmp_path: Path) -> None:
    text = (tmp_path / "memory.db.ledger").read_text("ascii").lower()
    mark = erased._core.vault.keys().fingerprint
    said = [
        *CANARIES,
        "Lives in Zanzibar",
        "Loves the quokka",
        "https://example.org/quokka",
        "quokka-key",
        "quokka/house",
    ]
    for each in (form for one in said for form in (one, one.lower())):
        assert each.lower() not in text
        digests = [
            hashlib.new(name, each.encode()).hexdigest() for name in ("md5", "sha1", "sha256", "sha512", "blake2b")
        ]
        digests += [mark(each).hex(), mark("1", "claim", each).hex()]
        assert not any(digest[:16] in text for digest in digests)
    kinds = [each.kind for each in erased._core.vault.ledger().entries()]
    assert kinds == ["erasure", "receipt"] * 5
    keys = (tmp_path / "memory.db.keys").read_text("ascii").lower()
    assert not any(each.lower() in keys for each in CANARIES)


def test_r32_the_receipts_of_a_store(erased: stead.Store, tmp_path: Path) -> None:
    found = erased.receipts()
    assert [each.by for each in found] == [("record",), ("source",), ("scope",), ("conversation",), ("subject",)]
    assert [each.seq for each in found] == [2, 4, 6, 8, 10]
    assert found[0].requester == "ticket 7"
    assert all(each.complete for each in found)
    assert erased.receipt(found[2].erasure) == found[2]
    with pytest.raises(UnknownRecord, match="era_nothing"):
        erased.receipt("era_nothing")
    own = erased.verify_receipts()
    assert (own.ok, own.entries, own.seq, own.problems) == (True, 10, 10, ())
    assert stead.verify_receipts(tmp_path / "memory.db.ledger", erased.public_key()) == own


def test_r32_a_tail_that_was_cut_is_found_by_the_published_head_and_by_the_keys(
    erased: stead.Store, tmp_path: Path
) -> None:
    ledger, key = tmp_path / "memory.db.ledger", erased.public_key()
    told = erased.publish_head(path=tmp_path / "head")
    assert json.loads((tmp_path / "head").read_text()) == told
    lines = ledger.read_bytes().splitlines(keepends=True)
    text = f"{told['seq']}:{told['hash']}"
    assert stead.verify_receipts(ledger, key, head=text).ok
    for kept in range(10):
        ledger.write_bytes(b"".join(lines[:kept]))
        assert stead.verify_receipts(ledger, key).ok  # nobody can tell without a head
        for head in (text, tmp_path / "head"):
            assert stead.verify_receipts(ledger, key, head=head).problems == ("entry 10: the tail was cut",)
        assert erased.verify_receipts().problems == ("entry 10: the tail was cut",)
    ledger.unlink()
    assert erased.verify_receipts().problems == ("entry 10: the tail was cut",)
    erased.subject("ben").remember("Likes maps")
    with pytest.raises(LedgerBroken):
        erased.subject("ben").erase(everything=True)


def test_a_published_head_cant_be_forged(erased: stead.Store, tmp_path: Path) -> None:
    ledger, key, path = tmp_path / "memory.db.ledger", erased.public_key(), tmp_path / "head"
    told = erased.publish_head(path=path)
    path.write_text(json.dumps({**told, "seq": 1}))
    with pytest.raises(LedgerBroken, match="isn't signed"):
        stead.verify_receipts(ledger, key, head=path)
    for text in ("", "[]", "{}", "7", '{"signature": 7}', '{"signature": "00", "seq": "x", "hash": ""}', "é"):
        path.write_text(text)
        with pytest.raises(InvalidArgument, match="head"):
            stead.verify_receipts(ledger, key, head=path)
    for text in ("", "10", ":", "-1:" + "0" * 64, "x:y", "10:xyz", "9" * 30 + ":" + "0" * 64, "a" * 5000):
        with pytest.raises(InvalidArgument, match="head"):
            stead.verify_receipts(ledger, key, head=text)


@pytest.mark.parametrize("key", ["", "5f", "zz" * 32, "00" * 31, "00" * 33, "no-such-file", "a" * 5000, "\0"])
def test_what_is_no_public_key_is_told(erased: stead.Store, tmp_path: Path, key: str) -> None:
    with pytest.raises(InvalidArgument, match="key: no public key"):
        stead.verify_receipts(tmp_path / "memory.db.ledger", key)


def test_a_head_is_given_to_a_command(erased: stead.Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = erased.publish_head(command=f"cat > '{tmp_path}/got'; echo noise")
    assert json.loads((tmp_path / "got").read_text()) == told
    signed = {name: each for name, each in told.items() if name != "signature"}
    assert is_signed(canonical(signed), bytes.fromhex(str(told["signature"])), bytes.fromhex(erased.public_key()))
    with pytest.raises(BackendError, match="ended with 3"):
        erased.publish_head(command="exit 3")
    monkeypatch.setattr(receipts_module, "_WAIT", 0.2)
    with pytest.raises(BackendError, match="took longer"):
        erased.publish_head(command="sleep 5")
    with pytest.raises(InvalidArgument):
        erased.publish_head(command="cat", path=tmp_path / "head")
    with pytest.raises(InvalidArgument, match="can't be written"):
        erased.publish_head(path=tmp_path / "no" / "head")


def test_a_store_of_which_nothing_was_erased_is_sound_and_has_no_key_yet(store: stead.Store, tmp_path: Path) -> None:
    store.subject("ana").remember("Likes maps")
    assert store.receipts() == []
    assert store.verify_receipts().ok
    with pytest.raises(KeysMissing):
        store.public_key()
    assert not (tmp_path / "memory.db.keys").exists()


def test_lost_keys_are_missed_and_not_made_anew(erased: stead.Store, tmp_path: Path) -> None:
    """Other keys would know no fence and fit no entry: what was erased could come back (R32)."""
    erased.close()
    (tmp_path / "memory.db.keys").unlink()
    with stead.open(tmp_path / "memory.db", embedder="none") as again:
        ben = again.subject("ben", zone="UTC")
        with pytest.raises(KeysMissing):
            ben.erase(everything=True)
        with pytest.raises(KeysMissing):
            again.subject("ana-the-subject").remember("Lives in Zanzibar")
        with pytest.raises(KeysMissing):
            again.verify_receipts()
    (tmp_path / "memory.db.ledger").unlink()
    with stead.open(tmp_path / "memory.db", embedder="none") as again, pytest.raises(KeysMissing):
        again.verify_receipts()
    assert not (tmp_path / "memory.db.keys").exists()


def test_r33_an_erasure_that_couldnt_be_noted_doesnt_happen(
    ana: stead.Subject, store: stead.Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = ana.remember("Lives in Zanzibar", slot=Slot("home.city", value="Zanzibar"))

    def full(*_: object) -> None:
        raise StorageFull

    with monkeypatch.context() as patched:
        patched.setattr(ledger_module.Ledger, "_write", full)
        with pytest.raises(StorageFull):
            ana.erase(made.record)
    assert [each.id for each in ana.records()] == [made.record]
    assert ana.erasures() == []
    assert ana.erase(made.record).complete
    assert store.verify_receipts().ok


def test_two_processes_that_erase_write_one_chain(store: stead.Store, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    names = {
        name: [str(store.subject(name).remember(f"Likes {n} maps of the coast").record) for n in range(5)]
        for name in "ab"
    }
    script = """
import sys
import stead
with stead.open(sys.argv[1], embedder="none", busy_timeout=60) as store:
    for record in sys.argv[3:]:
        assert store.subject(sys.argv[2]).erase(record, scan=False).records == 1
"""
    running = [
        subprocess.Popen([sys.executable, "-c", script, str(path), name, *records], stderr=subprocess.PIPE, text=True)
        for name, records in names.items()
    ]
    for each in running:
        _, said = each.communicate(timeout=120)
        assert each.returncode == 0, said
    store.resume_erasures()  # one process may have held up the other's last step
    own = store.verify_receipts()
    assert (own.ok, own.problems) == (True, ())
    whole = [each for each in store.receipts() if each.complete]
    assert len(whole) == len({each.erasure for each in whole}) == 10
    assert len(list(store._core.vault.ledger().entries("erasure"))) == 10


# --- the command line -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def person(run: Run) -> Run:
    """Return a command line in a folder with a store of which two records were erased."""
    for claim in ("Likes sailing boats", "Likes green tea"):
        made = ok(run, "remember", claim, "--subject", "ana")
        assert ok(run, "erase", made["record"], "--yes", "--no-scan", "--subject", "ana")["complete"]
    return run


@pytest.fixture
def store_path(person: Run) -> str:
    """Return the path of the store that the settings name."""
    return str(ok(person, "doctor")["path"])


def test_a_person_lists_and_shows_receipts(person: Run) -> None:
    listed = ok(person, "receipt", "list")["receipts"]
    assert [each["seq"] for each in listed] == [2, 4]
    ran = person("receipt", "list")
    assert all(each["erasure"] in ran.out for each in listed)
    last = ok(person, "receipt", "show", "--last")
    assert last == listed[1] == ok(person, "receipt", "show", listed[1]["erasure"])
    ran = person("receipt", "show", listed[0]["erasure"])
    assert ran.code == 0
    assert all(word in ran.out for word in ("surface", "full_text", "vectors", "remains", "R32", listed[0]["finished"]))
    assert "sailing" not in ran.out
    assert person("receipt", "show", "era_nothing", "--json").error["code"] == "unknown_record"
    assert person("receipt", "show", "era_nothing").code == 3
    assert person("receipt", "show").code == person("receipt", "show", "era_nothing", "--last").code == 2


def test_a_person_of_whom_nothing_was_erased(run: Run) -> None:
    assert run("receipt", "verify").code == 3  # there is no store
    ok(run, "remember", "Likes maps")
    assert "nothing was erased yet" in run("receipt", "list").err
    assert run("receipt", "show", "--last").code == 3
    ran = run("receipt", "verify")
    assert (ran.code, ran.out.split(",")[0]) == (0, "sound: 0 entries")
    ran = run("receipt", "key", "--json")
    assert (ran.code, ran.error["code"]) == (4, "keys_missing")


def test_a_person_verifies_offline(person: Run, store_path: str, tmp_path: Path) -> None:
    """Neither the store nor the keys are needed: a copy of the ledger and the public key are enough."""
    key = person("receipt", "key").out.strip()
    assert len(bytes.fromhex(key)) == 32
    assert ok(person, "receipt", "key") == {"key": key}
    away = tmp_path / "away"
    away.mkdir()
    (away / "stead.pub").write_text(key + "\n")
    head = person("receipt", "head").out.strip()
    assert person("receipt", "head", "--out", str(away / "head")).code == 0
    (away / "text").write_text(head)
    data = Path(store_path + ".ledger").read_bytes()
    (away / "ledger").write_bytes(data)
    for name in ("", ".keys", ".ledger"):
        Path(store_path + name).unlink()
    copy = ("receipt", "verify", "--ledger", str(away / "ledger"))
    for given_key in (key, str(away / "stead.pub")):
        for extra in ((), ("--head", head), ("--head", str(away / "head")), ("--head", str(away / "text"))):
            ran = person(*copy, "--key", given_key, *extra)
            assert (ran.code, ran.out, ran.err) == (0, f"sound: 4 entries, head {head}\n", "")
    found = ok(person, *copy, "--key", key)
    assert (found["ok"], found["entries"], found["problems"]) == (True, 4, [])

    (away / "ledger").write_bytes(b"".join(data.splitlines(keepends=True)[:3]))
    assert person(*copy, "--key", key).code == 0
    ran = person(*copy, "--key", key, "--head", head)
    assert (ran.code, "entry 4: the tail was cut" in ran.err, ran.out.startswith("BROKEN")) == (5, True, True)

    (away / "ledger").write_bytes(data.replace(b'"records":1', b'"records":2', 1))
    ran = person(*copy, "--key", key, "--json")
    assert (ran.code, ran.json["ok"]) == (5, False)
    assert any(each.startswith("entry 2: bad signature") for each in ran.json["problems"])
    assert "entry 2: bad signature" in ran.err

    (away / "ledger").write_bytes(data)
    ran = person(*copy, "--key", "00" * 32)
    assert (ran.code, ran.err.count("signed with another key")) == (5, 4)


def test_a_person_gives_what_cant_be_verified(person: Run, store_path: str, tmp_path: Path) -> None:
    key = person("receipt", "key").out.strip()
    for words, said in (
        (("--ledger", "nowhere", "--key", key), "there is no such file"),
        (("--ledger", str(tmp_path), "--key", key), "there is no such file"),
        (("--ledger", store_path + ".ledger", "--key", "nonsense"), "no public key"),
        (("--ledger", store_path + ".ledger"), "belong together"),
        (("--key", key), "belong together"),
        (("--head", "nonsense"), "no head"),
    ):
        ran = person("receipt", "verify", *words)
        assert (ran.code, said in ran.err, "hint:" in ran.err) == (2, True, True), ran.err
    empty = tmp_path / "empty.ledger"
    empty.write_bytes(b"")
    ran = person("receipt", "verify", "--ledger", str(empty), "--key", key)
    assert (ran.code, ran.out) == (0, "sound: 0 entries, head 0:\n")
    assert person("receipt", "verify", "--ledger", str(empty), "--key", key, "--head", "0:").code == 0


def test_a_person_verifies_the_stores_own(person: Run, store_path: str) -> None:
    ledger = Path(store_path + ".ledger")
    assert person("receipt", "verify").code == 0
    head = person("receipt", "head").out.strip()
    assert person("receipt", "verify", "--head", head).code == 0
    assert person("receipt", "verify", "--head", "4:" + "0" * 64).code == 5
    data = ledger.read_bytes()
    ledger.write_bytes(data[: data.index(b"\n") + 1])
    ran = person("receipt", "verify")
    assert (ran.code, "entry 4: the tail was cut" in ran.err) == (5, True)
    ledger.unlink()
    assert person("receipt", "verify").code == 5
    ledger.write_bytes(b"noise\n")
    ran = person("receipt", "list", "--json")
    assert (ran.code, ran.error["code"]) == (5, "ledger_broken")
    ledger.write_bytes(data)
    Path(store_path + ".keys").unlink()
    ran = person("receipt", "verify", "--json")
    assert (ran.code, ran.error["code"]) == (4, "keys_missing")


def test_a_person_publishes_the_head(person: Run, tmp_path: Path) -> None:
    ran = person("receipt", "head", "--command", f"cat > '{tmp_path}/got'")
    assert (ran.code, ran.out) == (0, "")
    assert "published" in ran.err
    assert person("receipt", "verify", "--head", str(tmp_path / "got")).code == 0
    assert person("receipt", "head", "--command", "false").code == 7
    assert person("receipt", "head", "--command", "cat", "--out", "head").code == 2
    assert person("receipt", "head", "--out", str(tmp_path / "no" / "head")).code == 2
    assert set(ok(person, "receipt", "head")) == {"seq", "hash", "at", "key", "signature"}


def test_no_subject_has_the_name_of_an_erased_one(tmp_path: Path) -> None:
    """It would be in no list."""
    with (
        stead.open(tmp_path / "memory.db", embedder="none") as store,
        pytest.raises(stead.InvalidArgument, match="subject: begins with erased:"),
    ):
        store.subject("erased:ana")
