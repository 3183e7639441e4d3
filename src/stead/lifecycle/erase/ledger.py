"""The ledger: a chain of signed entries, one JSON object a line, beside the store (R32, R33).

Each entry holds the hash of the line before it and is signed, so that a changed, dropped, swapped or inserted one is found with
the public key alone, offline. A cut tail is found against a head that was published, or against the keys' anchor. It says
what was erased by random ids; no content, no hash of content, no name.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stead.errors import LedgerBroken
from stead.lifecycle.disk import sync_folder, unwritten

if TYPE_CHECKING:
    from stead.lifecycle.erase.keys import Keys

_TAIL = 65_536
_PUT_BACK = "Put back the ledger that belongs to this store; `stead receipt verify` says what is wrong with it."


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a ledger: number and hash of its last entry."""

    seq: int
    hash: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a ledger."""

    seq: int
    kind: str
    body: dict[str, Any]
    hash: str


@dataclass(frozen=True, slots=True)
class Verified:
    """What a verification found."""

    ok: bool
    entries: int
    head: Head
    problems: tuple[str, ...]


class Ledger:
    """The ledger of one store. Whoever appends holds the store's write lock."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def append(self, kind: str, body: Mapping[str, object], keys: Keys) -> Entry:
        """Add an entry, durably; one of the same kind about the same ``erasure`` is returned as it is.

        Raises
        ------
        LedgerBroken
            It is shorter than it has been, or went another way.
        StorageFull, StoreNotWritable
            Nothing was added.
        """
        about = body.get("erasure")
        known = None if about is None else self.find(kind, str(about))
        if known is not None:
            if known.seq > keys.anchor[0]:  # a crash came between the entry and the anchor
                keys.set_anchor(known.seq, known.hash)
            return known
        self._repair()
        head = self._grown(*keys.anchor)
        unsigned = {
            **body, "seq": head.seq + 1, "previous": head.hash, "kind": kind, "key": key_id(keys.public),
        }  # fmt: skip
        unsigned.pop("signature", None)
        line = canonical({**unsigned, "signature": keys.sign(canonical(unsigned)).hex()})
        self._write(line + b"\n")
        entry = _entry(line)
        keys.set_anchor(entry.seq, entry.hash)
        return entry

    def entries(self, kind: str | None = None) -> Iterator[Entry]:
        """Yield the entries in order, of one kind if it is given; a torn last line is left out.

        Raises
        ------
        LedgerBroken
        """
        for line in _lines(self.path):
            entry = _entry(line)
            if kind is None or entry.kind == kind:
                yield entry

    def head(self) -> Head:
        """Return the end of the ledger, read from the end of the file."""
        last = self._last()
        if last is None:
            return Head(0, "")
        entry = _entry(last)
        return Head(entry.seq, entry.hash)

    def find(self, kind: str, erasure: str) -> Entry | None:
        """Return the entry of a kind about an erasure."""
        wanted = json.dumps(erasure).encode()
        data = self.path.read_bytes() if self.path.exists() else b""
        place = data.find(wanted)
        while 0 <= place < (end := data.find(b"\n", place)):
            entry = _entry(data[data.rfind(b"\n", 0, place) + 1 : end])
            if entry.kind == kind and entry.body.get("erasure") == erasure:
                return entry
            place = data.find(wanted, end)
        return None

    def _last(self) -> bytes | None:
        if not self.path.exists():
            return None
        with self.path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            length = _TAIL
            while True:
                begin = max(0, size - length)
                file.seek(begin)
                whole = file.read().rpartition(b"\n")[0]
                if begin == 0 or b"\n" in whole:
                    return whole.rpartition(b"\n")[2] or None
                length *= 8

    def _grown(self, seq: int, digest: str) -> Head:
        """Return the head of a ledger that holds what the anchor says it has held."""
        head = self.head()
        if head.seq < seq:
            raise LedgerBroken(f"the ledger ends at entry {head.seq}, and has had {seq}", hint=_PUT_BACK)
        if head.seq == seq:
            held: str | None = head.hash
        else:  # a crash came between an entry and its anchor, or the keys are an older copy
            held = "" if seq == 0 else next((each.hash for each in self.entries() if each.seq == seq), None)
        if held != digest:
            raise LedgerBroken(f"entry {seq} of the ledger isn't the one that was written", hint=_PUT_BACK)
        return head

    def _repair(self) -> None:
        """Take away a last line that a crash left unfinished: nobody was told that it is there."""
        if not self.path.exists():
            return
        with self.path.open("rb+") as file:
            size = file.seek(0, os.SEEK_END)
            end = size
            while end:
                begin = max(0, end - _TAIL)
                file.seek(begin)
                place = file.read(end - begin).rfind(b"\n")
                if place >= 0:
                    end = begin + place + 1
                    break
                end = begin
            if end < size:
                file.truncate(end)
                os.fsync(file.fileno())

    def _write(self, line: bytes) -> None:
        """Add a line durably; where that fails, nothing of it stays."""
        size = self.path.stat().st_size if self.path.exists() else -1
        try:
            handle = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
            if size < 0:
                sync_folder(self.path.parent)
        except OSError as error:
            with suppress(OSError):
                os.truncate(self.path, max(0, size))
            raise unwritten("ledger", error) from None


def canonical(value: Mapping[str, object]) -> bytes:
    """Return JSON in its one spelling: sorted keys, no spaces, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def key_id(public: bytes) -> str:
    """Return the name of a public key: 16 hex digits."""
    return hashlib.sha256(public).hexdigest()[:16]


def is_signed(data: bytes, signature: bytes, public: bytes) -> bool:
    """Tell whether a signature of some data was made with the secret half of a public key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, data)
    except InvalidSignature:
        return False
    return True


def verify(path: Path, public: bytes, *, head: Head | None = None) -> Verified:
    """Verify a ledger offline, with the public key and optionally a head that was published.

    Parameters
    ----------
    path
        The ledger.
    public
        The public key, (32,) bytes.
    head
        A head that was published: the ledger must hold it.

    Returns
    -------
    Verified
        Every problem names the number of the entry.
    """
    problems, hashes = list[str](), [""]
    data = path.read_bytes() if path.exists() else b""
    if data and not data.endswith(b"\n"):
        problems.append("the last line is torn")
    for number, line in enumerate(data.split(b"\n")[:-1] if data else [], 1):
        previous = hashes[-1]
        hashes.append(hashlib.sha256(line).hexdigest())
        try:
            given = json.loads(line)
            signed = {name: each for name, each in given.items() if name != "signature"}
            if canonical(given) != line:
                problems.append(f"entry {number}: not in its canonical spelling")
            if given["seq"] != number:
                problems.append(f"entry {number}: numbered {given['seq']}; an entry was dropped, swapped or inserted")
            if given["previous"] != previous:
                problems.append(
                    f"entry {number}: doesn't follow the one before; something was changed, dropped or inserted"
                )
            signature = bytes.fromhex(given["signature"])
            if signature.hex() != given["signature"]:  # capitals would say the same signature in another line
                problems.append(f"entry {number}: not in its canonical spelling")
            if given["key"] != key_id(public):
                problems.append(f"entry {number}: signed with another key")
            elif not is_signed(canonical(signed), signature, public):
                problems.append(f"entry {number}: bad signature; it was changed")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            problems.append(f"entry {number}: can't be read")
    found = Head(len(hashes) - 1, hashes[-1])
    cut = head is not None and head.seq >= len(hashes)
    if head is not None and (cut or head.seq < 0 or hashes[head.seq] != head.hash):
        what = "the tail was cut" if cut else "the head that is known isn't in it"
        problems.append(f"entry {head.seq}: {what}")
    return Verified(ok=not problems, entries=found.seq, head=found, problems=tuple(problems))


def _lines(path: Path) -> Iterator[bytes]:
    if not path.exists():
        return
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield line[:-1]


def _entry(line: bytes) -> Entry:
    try:
        body = json.loads(line)
        return Entry(int(body["seq"]), str(body["kind"]), body, hashlib.sha256(line).hexdigest())
    except (ValueError, KeyError, TypeError, RecursionError):
        raise LedgerBroken("a line of the ledger can't be read", hint=_PUT_BACK) from None
