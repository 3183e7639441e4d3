"""Backups: made from one snapshot, encrypted subject by subject, known to the store until they are gone (R33)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from stead.errors import BackupBroken, InvalidArgument, StoreBusy
from stead.ids import random_bytes
from stead.lifecycle.disk import sync_folder, unwritten
from stead.memory import erasing
from stead.model.backup import Backup
from stead.model.period import Instant
from stead.model.zone import TimeInput
from stead.model.zone import instant as read_instant
from stead.recall.items import moment
from stead.store.moving import BackupRow, Moved
from stead.store.protocol import ReadTx
from stead.version import VERSION

if TYPE_CHECKING:
    from stead.lifecycle.backup.archive import Header
    from stead.memory.core import Core

_Sealed = list[tuple[int | None, str, bytes]]
_TRIES: Final = 5
_SALT: Final = 16


def reached(step: str) -> None:
    """Do nothing; a test stops a backup here, by the name of the step."""
    del step


def backup(core: Core, path: str | Path, *, keep_until: TimeInput | None = None, replace_old: bool = False) -> Backup:
    """Write a backup of all subjects.

    It is known to the store before its first byte is written, so that an erasure that begins meanwhile names it. An erasure that
    has not removed its rows yet is carried out first: what can't be read any more is in no new backup.

    Parameters
    ----------
    core
        The open store.
    path
        Where it will lie.
    keep_until
        When rotation may remove it.
    replace_old
        Whether a file that lies there may be replaced.

    Returns
    -------
    Backup

    Raises
    ------
    InvalidArgument
        Something is there, or it is one of the store's own files.
    StoreBusy
        Erasures came in again and again.
    StorageFull, StoreNotWritable, LedgerBroken, KeysMissing
    """
    target = _checked(core, path, replace_old)
    until = None if keep_until is None else read_instant(keep_until, field="until")
    for _ in range(_TRIES):
        _purge(core)
        made = _attempt(core, target, until, replace_old)
        if made is not None:
            return made
    raise StoreBusy("an erasure was under way each time that a backup began")


def _purge(core: Core) -> None:
    """Remove the rows of erasures that were begun; the rest of them is done by who began or resumes them."""
    with core.backend.read() as store:
        waiting = [each for each in store.unfinished() if each.step == "hidden"]
    for each in waiting:
        erasing.purge(core, each)


def _checked(core: Core, path: str | Path, replace_old: bool) -> Path:
    from stead.lifecycle.backup.archive import taken

    target = Path(path).absolute()
    own = {Path(each).resolve() for each in core.backend.files()} if target.exists() else set()
    known = {Path(each.path).resolve() for each in backups(core)}
    if target.resolve() in own - known:
        raise InvalidArgument("path", "this is one of the store's own files", "Name another path.")
    if target.exists() and (not replace_old or not target.is_file()):
        raise taken()
    if not target.parent.is_dir():
        raise InvalidArgument("path", "its folder isn't there", "Make the folder first.")
    return target


def _attempt(core: Core, target: Path, until: Instant | None, replace_old: bool) -> Backup | None:
    """Write a backup; None where the snapshot held rows that are to be erased."""
    from stead.lifecycle.backup import archive

    row, sealed, header = _announce(core, target, until)
    reached("announced")
    try:
        with _disk(), core.backend.read() as store:
            parts = _parts(store, sealed)
            if parts is None:
                _lost(core, row)
                return None
            size = archive.write(target, replace(header, schema=store.schema()), parts, replace_old=replace_old)
    except BaseException:
        _lost(core, row)
        raise
    reached("written")
    with core.backend.write() as store:
        for old in store.backups():
            if Path(old.path) == target and old.id != row.id and old.gone is None:
                store.mark_gone("backups", old.id, row.tx)
    return replace(as_backup(row), subjects=len(parts) - 1, bytes=size)


def _announce(core: Core, target: Path, until: Instant | None) -> tuple[BackupRow, _Sealed, Header]:
    """Note a backup that will be made, in the store and in the ledger; return it with (subject, ref, key) of its parts.

    All of it under the write lock: no erasure is between its entry in the ledger and its commit, so the snapshot that is taken
    next holds the effect of every entry up to this one.
    """
    from stead.lifecycle.backup.archive import TENANT, Header

    keys = core.vault.keys(create=True)
    with core.backend.write() as store:
        name, tx = f"bak_{core.new_id()}", store.instant(core.clock.now())
        at, end = moment(tx).isoformat(), None if until is None else moment(until).isoformat()
        refs = [(None, TENANT), *((n, store.refer(n, f"sub_{core.new_id()}")) for n in store.living())]
        made = keys.subject_keys(ref for _, ref in refs)
        entry = core.vault.ledger().append("backup", {"backup": name, "at": at, "until": end}, keys)
        row = BackupRow(id=name, path=str(target), tx=tx, ledger=entry.seq, until=until)
        store.add_backup(row)
        header = Header(
            id=name, at=at, stead=VERSION, schema=store.schema(), seq=entry.seq, head=entry.hash, keys=keys.id,
            salt=random_bytes(_SALT).hex(), until=end,
        )  # fmt: skip
    return row, [(n, ref, key) for (n, ref), key in zip(refs, made, strict=True)], header


def _parts(store: ReadTx, keys: _Sealed) -> list[tuple[str, bytes, Iterator[Moved]]] | None:
    """Return the parts that a snapshot has; None where an erasure came between, which must be carried out first.

    A subject that is new since the backup was announced is in the next one.
    """
    living, announced = set(store.living()), {n for n, _, _ in keys}
    new = [store.subject_by_number(n) for n in living - announced]
    back = any(each is not None and each.ref is not None for each in new)
    if back or any(each.step == "hidden" for each in store.unfinished()):
        return None
    return [(ref, key, store.dump(n)) for n, ref, key in keys if n is None or n in living]


def _lost(core: Core, row: BackupRow) -> None:
    """Note that a backup didn't come about; if even that can't be written, rotation finds out."""
    with suppress(Exception), core.backend.write() as store:
        store.mark_gone("backups", row.id, row.tx)


@contextmanager
def _disk() -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        raise unwritten("backup", problem) from None


def backups(core: Core, *, gone: bool = False) -> list[Backup]:
    """Return the backups that the store knows of, oldest first; those that are gone too if asked."""
    with core.backend.read() as store:
        return [as_backup(each) for each in store.backups() if gone or each.gone is None]


def as_backup(row: BackupRow) -> Backup:
    """Return what is known of a backup as callers see it."""
    until, gone = (None if each is None else moment(each) for each in (row.until, row.gone))
    return Backup(id=row.id, path=row.path, at=moment(row.tx), ledger=row.ledger, until=until, gone=gone)


def rotate(core: Core, *, keep: int | None = None) -> list[Backup]:
    """Remove the backups that are past their date, and those beyond the newest ``keep``.

    A file that isn't the backup that was written there is left alone; then, as where nothing is, the backup counts as gone.

    Returns
    -------
    list of Backup
        Those that are gone now and weren't known to be.

    Raises
    ------
    InvalidArgument
    StoreNotWritable
        One can't be removed; it stays known.
    """
    if keep is not None and (not isinstance(keep, int) or isinstance(keep, bool) or keep < 0):
        raise InvalidArgument("keep", "not a number of backups", "Give how many of the newest stay: 7.")
    now = core.now()
    with core.backend.read() as store:
        known = [each for each in store.backups() if each.gone is None]
    there = [each for each in known if _is_there(each)]
    late = {each.id for each in there if each.until is not None and each.until <= now}
    late |= {each.id for each in there[: max(0, len(there) - keep)]} if keep is not None else set()
    away = [each for each in known if each not in there or each.id in late]
    for each in away:
        if each.id in late:
            _remove(Path(each.path))
        _remove_rest(each)
        with core.backend.write() as store:
            store.mark_gone("backups", each.id, now)
    return [as_backup(replace(each, gone=now)) for each in away]


def _is_there(row: BackupRow) -> bool:
    """Tell whether the file of a backup is there and is it; a file that is no backup any more isn't."""
    from stead.lifecycle.backup.archive import read_header

    path = Path(row.path)
    try:
        return path.is_file() and read_header(path).id == row.id
    except BackupBroken:
        return False


def _remove(path: Path) -> None:
    with _disk():
        path.unlink(missing_ok=True)
        sync_folder(path.parent)


def _remove_rest(row: BackupRow) -> None:
    """Remove what a backup that was interrupted may have left."""
    from stead.lifecycle.backup.archive import temporary_name

    with suppress(OSError):
        temporary_name(Path(row.path), row.id).unlink(missing_ok=True)
