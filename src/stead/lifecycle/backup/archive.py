"""The file of a backup: a header that says nothing of anybody, and one encrypted part per subject (R33).

=========  =========================================================================================================
magic      ``STEAD BACKUP 1``, a line
header     one line of JSON: `Header`
frames     per part in the header's order: four bytes of length, the highest bit set in a part's last frame, then AES-256-GCM
sum        SHA-256 of everything before
=========  =========================================================================================================

A part is JSON Lines, deflated: ``["table", ["column", …]]`` and then rows of it. Its key is derived from its subject's, which a
later erasure of the subject destroys, and from the header's salt; nonces count. Each frame is bound to the header and to its
part, so that no frame of another backup or another place passes. The sum finds damage without a key; who changes the sum too is
found by the cipher.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import BinaryIO, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from stead.errors import BackupBroken, InvalidArgument
from stead.lifecycle.disk import sync_folder
from stead.store.moving import Moved

MAGIC: Final = b"STEAD BACKUP 1\n"
TENANT: Final = "tenant"
"""The ref of the part that is nobody's: the first one."""
CHUNK: Final = 1 << 18
_LAST: Final = 1 << 31
_SUM: Final = 32
_LONGEST_HEADER: Final = 1 << 28
_TAG: Final = 16


@dataclass(frozen=True, slots=True)
class Part:
    """What one subject's part is called, and by what its key is recognised."""

    ref: str
    check: str
    """Tells without the key whether a key is the one; says nothing of it, and differs from backup to backup."""


@dataclass(frozen=True, kw_only=True)
class Header:
    """What can be read without a key."""

    id: str
    at: str
    stead: str
    schema: int
    seq: int
    """Of the ledger's newest entry when the backup began."""
    head: str
    """Its hash."""
    keys: str
    """The id of the keys that it needs."""
    salt: str
    until: str | None = None
    parts: tuple[Part, ...] = ()

    @cached_property
    def line(self) -> bytes:
        """The header as it stands in the file."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":")).encode() + b"\n"

    @cached_property
    def digest(self) -> bytes:
        """What every frame is bound to."""
        return hashlib.sha256(MAGIC + self.line).digest()

    def check(self, ref: str, key: bytes) -> str:
        """Return by what a part's key is recognised."""
        return _derived(key, self.salt, f"check {ref}")[:8].hex()


def _derived(key: bytes, salt: str, what: str) -> bytes:
    info = f"stead backup: {what}".encode()
    return HKDF(algorithm=SHA256(), length=32, salt=bytes.fromhex(salt), info=info).derive(key)


class _Cipher:
    """The frames of one part."""

    def __init__(self, header: Header, place: int, key: bytes) -> None:
        self._cipher = AESGCM(_derived(key, header.salt, f"part {header.parts[place].ref}"))
        self._bound = header.digest + place.to_bytes(4, "big")
        self._count = 0

    def _next(self, last: bool) -> tuple[bytes, bytes]:
        self._count += 1
        return self._count.to_bytes(12, "big"), self._bound + (b"\1" if last else b"\0")

    def seal(self, data: bytes, *, last: bool) -> bytes:
        nonce, bound = self._next(last)
        return self._cipher.encrypt(nonce, data, bound)

    def open(self, data: bytes, *, last: bool) -> bytes:
        nonce, bound = self._next(last)
        try:
            return self._cipher.decrypt(nonce, data, bound)
        except InvalidTag:
            raise BackupBroken("a part of the backup was changed") from None


# --- writing ------------------------------------------------------------------------------------------------------------------


def write(
    path: Path, header: Header, parts: Iterable[tuple[str, bytes, Iterable[Moved]]], *, replace_old: bool = False
) -> int:
    """Write a backup, and return how long it is.

    It gets its name when it is whole and on the disk.

    Parameters
    ----------
    path
        Where it will lie.
    header
        Without its parts.
    parts
        (ref, key, rows), the tenant's first. The rows are asked for one part after the other.
    replace_old
        Take the place of a file that is there.
    """
    todo = list(parts)
    whole = replace(header, parts=tuple(Part(ref, header.check(ref, key)) for ref, key, _ in todo))
    temporary = temporary_name(path, header.id)
    try:
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            out = _Summed(file)
            out.write(MAGIC + whole.line)
            for place, (_, key, rows) in enumerate(todo):
                _write_part(out, _Cipher(whole, place, key), rows)
            size = out.close()
        _give_name(temporary, path, replace_old)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()
    sync_folder(path.parent)
    return size


def temporary_name(path: Path, backup: str) -> Path:
    """Return under which name a backup is written until it is whole."""
    return path.with_name(f"{path.name}.{backup}.part")


class _Summed:
    """A file that is summed while it is written."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._sum, self._size = file, hashlib.sha256(), 0

    def write(self, data: bytes) -> None:
        self._file.write(data)
        self._sum.update(data)
        self._size += len(data)

    def close(self) -> int:
        self._file.write(self._sum.digest())
        self._file.flush()
        os.fsync(self._file.fileno())
        return self._size + _SUM


def _write_part(out: _Summed, cipher: _Cipher, rows: Iterable[Moved]) -> None:
    squeeze, waiting = zlib.compressobj(), bytearray()
    for line in _lines(rows):
        waiting += squeeze.compress(line)
        while len(waiting) > CHUNK:
            _write_frame(out, cipher.seal(bytes(waiting[:CHUNK]), last=False), 0)
            del waiting[:CHUNK]
    waiting += squeeze.flush()
    _write_frame(out, cipher.seal(bytes(waiting), last=True), _LAST)


def _write_frame(out: _Summed, sealed: bytes, last: int) -> None:
    out.write((len(sealed) | last).to_bytes(4, "big") + sealed)


def _lines(rows: Iterable[Moved]) -> Iterator[bytes]:
    for (table, columns), group in groupby(rows, key=itemgetter(0, 1)):
        yield _json({"table": table, "columns": columns})
        for _, _, row in group:
            yield _json([{"b": base64.b64encode(each).decode()} if isinstance(each, bytes) else each for each in row])


def _json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def _give_name(temporary: Path, path: Path, replace_old: bool) -> None:
    if replace_old:
        temporary.replace(path)
        return
    try:
        os.link(temporary, path)  # unlike a renaming, it never takes the place of what is there
    except FileExistsError:
        raise taken() from None
    except OSError:  # a file system without links
        if path.exists():
            raise taken() from None
        temporary.replace(path)


def taken() -> InvalidArgument:
    """Return the error for a path where something lies already."""
    return InvalidArgument("path", "something is there already", "Name another path, or replace it with replace=True.")


# --- reading ------------------------------------------------------------------------------------------------------------------


def read_header(path: Path) -> Header:
    """Return the header of a backup.

    Raises
    ------
    BackupBroken
        It isn't one.
    """
    try:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise BackupBroken("this file is no backup, or one of a later format")
            found = json.loads(file.readline(_LONGEST_HEADER))
        parts = tuple(Part(**each) for each in found.pop("parts"))
        return Header(**found, parts=parts)
    except OSError as problem:
        raise BackupBroken(f"the backup can't be read ({problem.strerror})") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise BackupBroken("the header of the backup can't be read") from None


def check_sum(path: Path) -> None:
    """Check that a backup is as it was written; needs no key.

    Raises
    ------
    BackupBroken
    """
    try:
        left, found = path.stat().st_size - _SUM, hashlib.sha256()
        with path.open("rb") as file:
            while left > 0 and (data := file.read(min(CHUNK, left))):
                found.update(data)
                left -= len(data)
            if left or file.read() != found.digest():
                raise BackupBroken("the backup was changed or cut off")
    except OSError as problem:
        raise BackupBroken(f"the backup can't be read ({problem.strerror})") from None


def read(path: Path, header: Header, key_of: Callable[[Part], bytes | None]) -> Iterator[Moved]:
    """Yield the rows of a backup, part by part; a part without a key is passed over.

    Raises
    ------
    BackupBroken
        Anything in it isn't as it was written.
    """
    with path.open("rb") as file:
        end = path.stat().st_size - _SUM
        file.seek(len(MAGIC + header.line))
        for place, part in enumerate(header.parts):
            key = key_of(part)
            if key is None:
                for _ in _frames(file, end):
                    pass
                continue
            yield from _rows(_inflated(_Cipher(header, place, key), _frames(file, end)))
        if file.tell() != end:
            raise BackupBroken("the backup is longer than its parts")


def _frames(file: BinaryIO, end: int) -> Iterator[tuple[bytes, bool]]:
    """Yield the frames of one part as they stand in the file: data, and whether it is the last one."""
    last = False
    while not last:
        head = file.read(4)
        length, last = int.from_bytes(head, "big") & ~_LAST, bool(int.from_bytes(head, "big") & _LAST)
        if len(head) < 4 or length > CHUNK + _TAG or file.tell() + length > end:
            raise BackupBroken("the backup was changed or cut off")
        yield file.read(length), last


def _inflated(cipher: _Cipher, frames: Iterable[tuple[bytes, bool]]) -> Iterator[bytes]:
    """Yield what the frames hold, at most some of it at a time however far it unfolds."""
    unfold = zlib.decompressobj()
    try:
        for data, last in frames:
            more = cipher.open(data, last=last)
            while more:
                yield unfold.decompress(more, CHUNK)
                more = unfold.unconsumed_tail
        yield unfold.flush()
        if not unfold.eof:
            raise BackupBroken("a part of the backup ends too early")
    except zlib.error:
        raise BackupBroken("a part of the backup can't be unfolded") from None


def _rows(pieces: Iterable[bytes]) -> Iterator[Moved]:
    table, columns, rest = "", (), b""  # type: tuple[str, tuple[str, ...], bytes]
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            found = json.loads(line)
            if isinstance(found, dict):
                table, columns = found["table"], tuple(found["columns"])
            else:
                yield table, columns, tuple(_value(each) for each in found)


def _value(each: object) -> object:
    return base64.b64decode(each["b"]) if isinstance(each, dict) else each
