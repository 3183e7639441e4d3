"""Files beside the store: durable, and with the reason where they can't be written."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from stead.errors import BackendError, StorageFull, StoreNotWritable

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def unwritten(what: str, error: OSError) -> BackendError:
    """Return the error that says why a file couldn't be written."""
    if error.errno in _FULL:
        return StorageFull(f"the disk is full: the {what} couldn't be written")
    return StoreNotWritable(f"the {what} can't be written ({error.strerror})")


def sync_folder(folder: Path) -> None:
    """Make sure that a folder's names are on the disk, where the system has handles of folders."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
