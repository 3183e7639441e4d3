"""Reading, verifying and publishing the receipts of erasures (R32)."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from stead.errors import BackendError, InvalidArgument, LedgerBroken
from stead.memory.erasing import from_entry
from stead.model.erasure import Receipt, Verification
from stead.recall.items import moment

if TYPE_CHECKING:
    from stead.lifecycle.erase.ledger import Head
    from stead.memory.core import Core

_WAIT = 60.0
_NUMBER_AND_HASH = re.compile(r"([0-9]{1,18}):((?:[0-9a-f]{64})?)")  # 0: is the head of an empty one
_KEY = "Give the 64 hex digits that `stead receipt key` prints, or a file that holds them."
_HEAD = "Give NUMBER:HASH, or the file that `stead receipt head --out` wrote."


def receipts(core: Core) -> list[Receipt]:
    """Return every receipt of the ledger in order, those of erasures that weren't complete included.

    Raises
    ------
    LedgerBroken
    """
    kinds = ("receipt", "incomplete")
    return [from_entry(each.seq, each.body) for each in core.vault.ledger().entries() if each.kind in kinds]


def public_key(core: Core) -> str:
    """Return the public key as 64 hex digits: whoever has it can verify the ledger offline.

    Raises
    ------
    KeysMissing
    """
    return core.vault.keys().public.hex()


def publish(core: Core, *, path: str | os.PathLike[str] | None = None, command: str | None = None) -> dict[str, object]:
    """Put the head of the ledger where the store can't reach it: to a file, or to the standard input of a command.

    Returns
    -------
    dict
        ``seq``, ``hash``, ``at``, ``key`` (the name of the public key) and ``signature`` over the others as canonical JSON.

    Raises
    ------
    InvalidArgument, KeysMissing, BackendError
    """
    from stead.lifecycle.erase.ledger import canonical, key_id

    if path is not None and command is not None:
        raise InvalidArgument("command", "beside a file", "Publish to a file or to a command.")
    keys, head = core.vault.keys(), core.vault.ledger().head()
    said = {"seq": head.seq, "hash": head.hash, "at": moment(core.clock.now()).isoformat(), "key": key_id(keys.public)}
    told = {**said, "signature": keys.sign(canonical(said)).hex()}
    text = json.dumps(told, sort_keys=True) + "\n"
    if path is not None:
        try:
            Path(path).write_text(text, "ascii")
        except OSError as error:
            raise InvalidArgument("path", f"can't be written ({error.strerror})", "Name a file in a folder.") from None
    if command is not None:
        _give(command, text)
    return told


def _give(command: str, text: str) -> None:
    """Run the operator's command with a text on its standard input; its errors are seen, its output isn't ours."""
    try:
        done = subprocess.run(  # noqa: S602 - the operator's own
            command,
            shell=True,
            input=text.encode(),
            stdout=subprocess.DEVNULL,
            timeout=_WAIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise BackendError(f"the command took longer than {_WAIT:.0f} seconds: the head isn't published") from None
    if done.returncode:
        raise BackendError(
            f"the command ended with {done.returncode}: the head isn't published", hint="Run it by hand."
        )


def verify_receipts(
    ledger: str | os.PathLike[str], key: str, *, head: str | os.PathLike[str] | None = None
) -> Verification:
    """Verify a ledger offline: neither the store nor its keys are needed (R32).

    Every changed, dropped, swapped or inserted entry is found; a tail that was cut is found against a head that was published.

    Parameters
    ----------
    ledger
        The file, ``memory.db.ledger``.
    key
        The public key, 64 hex digits, or a file that holds them.
    head
        A head that was published: ``NUMBER:HASH``, or the file.

    Returns
    -------
    Verification
        Whether it is sound, how many entries it has, its head, and what is wrong by the number of the entry.

    Raises
    ------
    InvalidArgument
        There is no such file, or the key or the head can't be read.
    """
    from stead.lifecycle.erase.ledger import verify

    path = Path(ledger)
    if not path.is_file():
        raise InvalidArgument(
            "ledger", "there is no such file", "Name the file that lies beside the store: memory.db.ledger."
        )
    public = _key_of(key)
    found = verify(path, public, head=None if head is None else _head_of(head, public))
    return Verification(
        ok=found.ok, entries=found.entries, seq=found.head.seq, hash=found.head.hash, problems=found.problems
    )


def verify_own(core: Core) -> Verification:
    """Verify the ledger of an open store against its own keys, and against how far they know that it has come.

    A store of which nothing was erased or backed up has neither, and is sound.

    Raises
    ------
    KeysMissing, LedgerBroken
    """
    from stead.lifecycle.erase.ledger import Head, verify

    if _untouched(core):
        return Verification(ok=True, entries=0, seq=0, hash="", problems=())
    keys = core.vault.keys()
    seq, digest = keys.anchor
    found = verify(core.vault.ledger_path, keys.public, head=Head(seq, digest))
    return Verification(
        ok=found.ok, entries=found.entries, seq=found.head.seq, hash=found.head.hash, problems=found.problems
    )


def _untouched(core: Core) -> bool:
    if core.vault.keys_path.exists() or core.vault.ledger_path.exists():
        return False
    with core.backend.read() as store:
        return not store.is_fenced(None)


def _key_of(given: str) -> bytes:
    text = given.strip()
    try:
        if len(text) != 64 and Path(text).is_file():
            text = Path(text).read_text("ascii").strip()
        public = bytes.fromhex(text)
    except (ValueError, OSError):
        public = b""
    if len(public) != 32:
        raise InvalidArgument("key", "no public key", _KEY)
    return public


def _head_of(given: str | os.PathLike[str], public: bytes) -> Head:
    from stead.lifecycle.erase.ledger import Head, canonical, is_signed

    try:
        text = os.fspath(given).strip()
        if Path(text).is_file():
            text = Path(text).read_text("ascii").strip()
        shape = _NUMBER_AND_HASH.fullmatch(text.lower())
        if shape is not None:
            return Head(int(shape[1]), shape[2])
        told = json.loads(text)
        said = {name: each for name, each in told.items() if name != "signature"}
        sound = is_signed(canonical(said), bytes.fromhex(told["signature"]), public)
        found = Head(int(told["seq"]), str(told["hash"]))
    except (ValueError, KeyError, TypeError, AttributeError, OSError):
        raise InvalidArgument("head", "no head of a ledger", _HEAD) from None
    if not sound:
        raise LedgerBroken("the published head isn't signed with this key")
    return found
