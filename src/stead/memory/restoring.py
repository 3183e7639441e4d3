"""Restores: nothing that was erased comes back, and there is never half a store (R33).

The file is built under another name. What the ledger says was erased after the backup is erased in it before it gets its name,
and what must outlast a restore comes over from the store whose place it takes. Without the keys, or with a ledger that doesn't
reach as far as it is known to have been, nothing is restored.
"""

from __future__ import annotations

import os
import shutil
from contextlib import ExitStack, closing
from dataclasses import dataclass
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from stead.clock import Clock, SystemClock
from stead.errors import (
    CrossTenant,
    InvalidArgument,
    KeysMissing,
    LedgerBroken,
    LedgerMissing,
    LedgerTooOld,
    StoreCorrupt,
)
from stead.ids import LENGTH, random_bytes, random_id
from stead.lifecycle.disk import sync_folder
from stead.memory import erasing
from stead.memory.core import Core
from stead.memory.vault import Vault
from stead.model.backup import Restored
from stead.model.period import Instant
from stead.model.zone import instant as read_instant
from stead.policy import load as load_policy
from stead.recall.items import moment
from stead.store.moving import BackupRow, Lasting, Seized, build, is_free, seize
from stead.store.opening import open_backend

if TYPE_CHECKING:
    from stead.lifecycle.backup.archive import Header, Part
    from stead.lifecycle.erase.keys import Keys
    from stead.lifecycle.erase.ledger import Entry, Head

TORN: Final = "the last line is torn"
"""What the verification says of a ledger whose last line a crash left unfinished."""
SIDES: Final = ("", "-wal", "-shm", "-journal")
"""What SQLite may put beside a file."""
_ERASURE: Final = "erasure"


def reached(step: str) -> None:
    """Do nothing; a test stops a restore here, by the name of the step."""
    del step


@dataclass(frozen=True, slots=True)
class _Chain:
    """What the ledger says of a backup."""

    head: Head
    later: tuple[Entry, ...]
    """The erasures after the backup."""

    @property
    def whole(self) -> set[str]:
        """The refs of the subjects that were erased whole after it."""
        return {str(each.body["subject"]) for each in self.later if each.body["whole"]}


def restore(
    backup: str | Path,
    to: str | Path,
    *,
    ledger: str | Path | None = None,
    keys: str | Path | None = None,
    replace: bool = False,
    clock: Clock | None = None,
) -> Restored:
    """Build a store of a backup, without what was erased since.

    Parameters
    ----------
    backup
        The file of the backup.
    to
        Where the store will lie.
    ledger
        The ledger; the one beside the store by default.
    keys
        The keys; those beside the store by default.
    replace
        Whether a store that is there may be replaced.
    clock
        A source of time, for tests and replays.

    Returns
    -------
    Restored

    Raises
    ------
    BackupBroken, KeysMissing, LedgerMissing, LedgerBroken, LedgerTooOld
        The backup, the keys or the ledger can't be trusted. Nothing was changed.
    InvalidArgument
        A store is there already.
    StoreBusy
        The store that is there is open elsewhere.
    CrossTenant, NewerSchema, StoreCorrupt
    """
    from stead.lifecycle.backup import archive

    source, target = Path(backup).absolute(), Path(to).absolute()
    now = (clock or SystemClock()).now()
    if target.exists() and not replace:
        raise InvalidArgument("to", "a store is there already", "Name another path, or replace it with replace=True.")
    beside = Vault(str(target))
    keys_from = beside.keys_path if keys is None else Path(keys).absolute()
    ledger_from = beside.ledger_path if ledger is None else Path(ledger).absolute()
    archive.check_sum(source)
    header = archive.read_header(source)
    held = _keys(keys_from, beside.keys_path, header)
    with ExitStack() as stack:
        old = _seized(stack, target, now)
        chain = _chain(ledger_from, beside.ledger_path, held, header, [] if old is None else old.backups())
        skipped = _unreadable(header, held, chain)
        lasting = None if old is None else old.lasting()
        building = _place(target)
        stack.callback(_remove, building)
        rows = archive.read(source, header, lambda part: _key(held, part) if part.ref not in skipped else None)
        build(building, schema=header.schema, rows=rows, now=now)
        reached("built")
        core = _core(building, target, None if old is None else old.tenant, clock or SystemClock(), held)
        with closing(core.backend):
            replayed = erasing.replay(core, chain.later)
            reached("replayed")
            _outlast(core, lasting, chain, _row(header, source))
            core.backend.compact()
            core.backend.sweep(erasing.PATIENCE)
        for part in header.parts:
            if part.ref in chain.whole - skipped:
                held.destroy(part.ref)  # an old copy of the keys had it
        _bring(keys_from, beside.keys_path, unless=_is_newer(beside.keys_path, held))
        _bring(ledger_from, beside.ledger_path)
        _note(beside, header, replayed, skipped, now)
        reached("ready")
        _take_place(building, target, old)
        reached("placed")
    return Restored(
        path=str(target), backup=header.id, subjects=len(header.parts) - 1 - len(skipped), skipped=tuple(sorted(skipped)),
        replayed=replayed, carried=lasting is not None,
    )  # fmt: skip


# --- what has to be trusted ---------------------------------------------------------------------------------------------------


def _keys(path: Path, beside: Path, header: Header) -> Keys:
    from stead.lifecycle.erase.keys import open_keys

    held = open_keys(path, create=False, random_bytes=random_bytes)
    if held.id != header.keys:
        raise KeysMissing(
            f"these aren't the keys of the backup, which needs {header.keys}", hint="Name them with keys=."
        )
    if beside.exists() and open_keys(beside, create=False, random_bytes=random_bytes).id != held.id:
        raise KeysMissing("beside the store lie other keys", hint="Restore to another path, or move them away first.")
    return held


def _seized(stack: ExitStack, target: Path, now: Instant) -> Seized | None:
    """Hold the store that is there alone; None where there is none, or none that can be read."""
    if not target.exists():
        return None
    try:
        return stack.enter_context(seize(target, now=now))
    except StoreCorrupt:
        return None


def _chain(path: Path, beside: Path, held: Keys, header: Header, known: list[BackupRow]) -> _Chain:
    """Verify the ledger, and read what was erased after the backup.

    Raises
    ------
    LedgerMissing, LedgerBroken, LedgerTooOld
    """
    from stead.lifecycle.erase.ledger import Ledger, verify

    if not path.exists():
        raise LedgerMissing("the ledger of erasures isn't there: nobody could say what was erased since the backup")
    found = verify(path, held.public)
    problems = [each for each in found.problems if each != TORN]  # a crash left it: nobody was told that it is there
    if problems:
        raise LedgerBroken(f"the ledger is broken: {problems[0]}")
    heads = [(header.seq, header.head), held.anchor]
    if beside.exists() and beside != path:
        end = Ledger(beside).head()
        heads.append((end.seq, end.hash))
    newest = max([*(seq for seq, _ in heads), *(each.ledger for each in known)])
    if found.head.seq < newest:
        raise LedgerTooOld(f"the ledger ends at entry {found.head.seq}, and is known to have had {newest}")
    later: list[Entry] = []
    for entry in Ledger(path).entries():
        if any(seq == entry.seq and known_hash != entry.hash for seq, known_hash in heads):
            raise LedgerTooOld(f"entry {entry.seq} of the ledger isn't the one that is known: it went another way")
        if entry.seq > header.seq and entry.kind == _ERASURE:
            later.append(entry)
    return _Chain(found.head, tuple(later))


def _unreadable(header: Header, held: Keys, chain: _Chain) -> set[str]:
    """Return the refs of the parts whose key was destroyed, which is so only for who was erased whole since.

    Raises
    ------
    KeysMissing
        A key is missing, or another one, and the ledger doesn't say why.
    """
    without = {part.ref for part in header.parts if not _fits(header, part, _key(held, part))}
    if without - chain.whole:
        raise KeysMissing(
            "the key of a part of the backup is missing, and the ledger doesn't say that its subject was erased",
            hint="Name newer keys with keys=: these are older than the backup.",
        )
    return without


def _key(held: Keys, part: Part) -> bytes | None:
    return held.subject_key(part.ref)


def _fits(header: Header, part: Part, key: bytes | None) -> bool:
    return key is not None and header.check(part.ref, key) == part.check


# --- building -----------------------------------------------------------------------------------------------------------------


def _place(target: Path) -> Path:
    """Return a name to build under, and remove what a restore that was killed may have left."""
    for left in sorted(target.parent.glob(f"{escape(target.name)}.restoring-{'?' * LENGTH}")):
        if is_free(left):
            _remove(left)
    return target.with_name(f"{target.name}.restoring-{random_id()}")


def _remove(building: Path) -> None:
    for side in SIDES:
        building.with_name(building.name + side).unlink(missing_ok=True)


def _core(building: Path, target: Path, tenant: str | None, clock: Clock, held: Keys) -> Core:
    """Open the file in the making, with the keys and the ledger of the store that it will be."""
    try:
        backend = open_backend(str(building), tenant=tenant, now=clock.now(), create=False)
    except CrossTenant:
        raise CrossTenant("the store that is there belongs to another tenant than the backup") from None
    return Core(
        backend=backend, clock=clock, new_id=random_id, policy=load_policy(None), load_embedder=lambda: None,
        _vaults=[Vault(str(target), [held])],
    )  # fmt: skip


def _outlast(core: Core, lasting: Lasting | None, chain: _Chain, row: BackupRow) -> None:
    with core.backend.write() as store:
        if lasting is not None:
            store.outlast(lasting)
        for entry in chain.later:
            store.lift_epoch(str(entry.body["subject"]), int(entry.body["epoch"]))
        store.add_backup(row)


def _row(header: Header, source: Path) -> BackupRow:
    """Return the backup itself: the restored store has to know of it, though it didn't when the backup was made."""
    until = None if header.until is None else read_instant(header.until)
    return BackupRow(id=header.id, path=str(source), tx=read_instant(header.at), ledger=header.seq, until=until)


def _is_newer(beside: Path, held: Keys) -> bool:
    """Tell whether the keys beside the store are newer than those that were named: they stay."""
    from stead.lifecycle.erase.keys import open_keys

    if not beside.exists():
        return False
    return open_keys(beside, create=False, random_bytes=random_bytes).anchor[0] >= held.anchor[0]


def _bring(source: Path, to: Path, *, unless: bool = False) -> None:
    """Copy keys or ledger to where the store looks for them."""
    if source == to or unless:
        return
    new = to.with_name(f"{to.name}.{os.getpid()}.new")
    shutil.copyfile(source, new)
    new.chmod(0o600)
    _synced(new)
    new.replace(to)


def _synced(path: Path) -> None:
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _take_place(building: Path, target: Path, old: Seized | None) -> None:
    """Give the file its name; what lay beside the old one must not be read into it."""
    if target.exists():
        building.chmod(target.stat().st_mode & 0o777)
    _synced(building)
    if old is None:  # it was unreadable, or isn't there: what lies beside it belongs to nothing
        for side in SIDES[1:]:
            target.with_name(target.name + side).unlink(missing_ok=True)
    building.replace(target)
    sync_folder(target.parent)
    if old is not None:
        old.retire()


def _note(vault: Vault, header: Header, replayed: int, skipped: set[str], now: Instant) -> None:
    """Put the restore into the ledger, before the file gets its name: what can't be noted doesn't happen."""
    body = {"backup": header.id, "replayed": replayed, "skipped": sorted(skipped), "at": moment(now).isoformat()}
    vault.ledger().append("restore", body, vault.keys())
