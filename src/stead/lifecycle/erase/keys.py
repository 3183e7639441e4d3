"""The keys of a store: they lie beside it, in a file of their own, and are in no backup (R32, R33).

One JSON file, readable by its owner only, and replaced as a whole: a key that was destroyed is in no file any more. It holds a
master secret, from which the keys for fingerprints, for sealing and for signing are derived; a key of its own for each subject's
part of the backups; and how far the ledger had come when it was last written.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from glob import escape
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from stead.errors import KeysMissing
from stead.lifecycle.disk import sync_folder, unwritten

RandomBytes = Callable[[int], bytes]
_LENGTH = 32
_NONCE = 12
_MARK = 16
_NO_KEYS = "From the first erasure or backup on they lie beside the store, in a file that ends in .keys; put it back."


class Keys:
    """The keys of one store, as they are in its file now."""

    def __init__(self, path: Path, random_bytes: RandomBytes) -> None:
        self._path = path
        self._random = random_bytes
        self._stamp: tuple[int, int, int] | None = None
        self._read: dict[str, Any] = {}
        self._derived: dict[str, bytes] = {}

    # --- the file ---------------------------------------------------------------------------------------------------------

    @property
    def _now(self) -> dict[str, Any]:
        """Return what the file holds; it is read again when another process has replaced it."""
        try:
            found = self._path.stat()
            stamp = (found.st_ino, found.st_mtime_ns, found.st_size)
            if stamp != self._stamp:
                self._read = _checked(json.loads(self._path.read_text("ascii")))
                self._derived = {}
                self._stamp = stamp
        except FileNotFoundError:
            raise KeysMissing("the keys of this store are missing", hint=_NO_KEYS) from None
        except (ValueError, KeyError, TypeError, OSError):
            raise KeysMissing("the keys of this store can't be read", hint=_NO_KEYS) from None
        return self._read

    def _change(self, **changes: object) -> None:
        replaced(self._path, {**self._now, **changes})
        self._stamp = None

    # --- what they are for ------------------------------------------------------------------------------------------------

    @property
    def id(self) -> str:
        """The random name of these keys."""
        return str(self._now["id"])

    @property
    def public(self) -> bytes:
        """The public key, (32,) bytes, by which the ledger is verified."""
        return self._signer().public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def fingerprint(self, *parts: str) -> bytes:
        """Return 16 bytes that tell some texts apart from others to nobody who hasn't the key (HMAC-SHA256)."""
        said = hmac.new(self._key("fingerprint"), digestmod=hashlib.sha256)
        for part in parts:
            coded = part.encode("utf-8", "surrogatepass")
            said.update(len(coded).to_bytes(8, "big") + coded)
        return said.digest()[:_MARK]

    def sign(self, data: bytes) -> bytes:
        """Return the Ed25519 signature, (64,) bytes."""
        return self._signer().sign(data)

    def seal(self, data: bytes) -> bytes:
        """Encrypt with AES-256-GCM; the nonce comes first."""
        nonce = self._random(_NONCE)
        return nonce + AESGCM(self._key("seal")).encrypt(nonce, data, None)

    def unseal(self, sealed: bytes) -> bytes:
        """Decrypt what `seal` made.

        Raises
        ------
        KeysMissing
            It was sealed with other keys.
        """
        try:
            return AESGCM(self._key("seal")).decrypt(sealed[:_NONCE], sealed[_NONCE:], None)
        except (InvalidTag, ValueError):
            raise KeysMissing("this was sealed with other keys", hint=_NO_KEYS) from None

    def subject_key(self, ref: str) -> bytes | None:
        """Return the key of a subject's part of the backups, (32,) bytes; None where it was destroyed or never made."""
        kept = self._now["subjects"].get(ref)
        return None if kept is None else base64.b64decode(kept)

    def subject_keys(self, refs: Iterable[str]) -> list[bytes]:
        """Return the keys of subjects, those that are missing made in one write."""
        kept, wanted = dict(self._now["subjects"]), list(refs)
        missing = [ref for ref in wanted if ref not in kept]
        if missing:
            kept |= {ref: base64.b64encode(self._random(_LENGTH)).decode() for ref in missing}
            self._change(subjects=kept)
        return [base64.b64decode(kept[ref]) for ref in wanted]

    def destroy(self, ref: str) -> bool:
        """Destroy a subject's key: its part of every backup is noise from now on. Tell whether there was one."""
        kept = dict(self._now["subjects"])
        if kept.pop(ref, None) is None:
            _swept(self._path)
            return False
        self._change(subjects=kept)
        return True

    @property
    def anchor(self) -> tuple[int, str]:
        """The newest head of the ledger that was written: number and hash."""
        seq, head = self._now["anchor"]
        return int(seq), str(head)

    def set_anchor(self, seq: int, head: str) -> None:
        """Note how far the ledger has come: one that is shorter was cut (R33)."""
        self._change(anchor=[seq, head])

    def _signer(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self._key("sign"))

    def _key(self, use: str) -> bytes:
        now = self._now
        if use not in self._derived:
            # HKDF-Expand (RFC 5869): the master secret is random, so one block of it is all that is needed
            self._derived[use] = hmac.digest(
                base64.b64decode(now["master"]), f"stead {use}".encode() + b"\x01", "sha256"
            )
        return self._derived[use]


def open_keys(path: Path, *, create: bool, random_bytes: RandomBytes) -> Keys:
    """Return the keys in a file, which is made if it isn't there and may be.

    Raises
    ------
    KeysMissing
    """
    if not path.exists():
        if not create:
            raise KeysMissing("the keys of this store are missing", hint=_NO_KEYS)
        master = base64.b64encode(random_bytes(_LENGTH)).decode()
        made = {"format": 1, "id": f"key_{random_bytes(8).hex()}", "master": master, "subjects": {}, "anchor": [0, ""]}
        replaced(path, made, only_new=True)
    return Keys(path, random_bytes)


def _checked(read: Any) -> dict[str, Any]:
    """Return what a file of keys holds if it is one."""
    seq, head = read["anchor"]
    whole = (
        isinstance(read["id"], str)
        and isinstance(read["subjects"], dict)
        and isinstance(seq, int)
        and isinstance(head, str)
    )
    if not whole or len(base64.b64decode(read["master"], validate=True)) != _LENGTH:
        raise ValueError
    return dict(read)


def replaced(path: Path, value: object, *, only_new: bool = False) -> None:
    """Write JSON so that the file holds the old text or the new one, whole, for its owner only.

    With ``only_new`` a file that another process made meanwhile stays.
    """
    beside = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}.new")
    try:
        if not only_new:
            _swept(path)
        beside.unlink(missing_ok=True)
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="ascii") as file:
            json.dump(value, file, sort_keys=True)
            file.flush()
            os.fsync(file.fileno())
        if only_new:
            _linked(beside, path)
        else:
            beside.replace(path)
        beside.unlink(missing_ok=True)
        sync_folder(path.parent)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise unwritten("file of keys", error) from None


def _swept(path: Path) -> None:
    """Remove what a process that was killed left half-done: it may hold a key that is to be destroyed."""
    for left in path.parent.glob(f"{escape(path.name)}.*.new"):
        left.unlink(missing_ok=True)


def _linked(beside: Path, path: Path) -> None:
    try:
        os.link(beside, path)
    except (FileExistsError, FileNotFoundError):  # another process was first, and may have swept
        return
    except OSError:  # a file system without links
        if not path.exists():
            beside.replace(path)
