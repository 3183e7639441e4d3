"""Opening one file: pragmas, the tenant it is bound to, and SQLite's errors as ours."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from stead.errors import (
    BackendError,
    StorageFull,
    StoreBusy,
    StoreCorrupt,
    StoreNotFound,
    StoreNotWritable,
)
from stead.store.sqlite.raw import head

APPLICATION_ID = 0x53544541  # "STEA"
_LEAST = 10
"""Times that a lock is asked for, however long that took."""

PRAGMAS = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA secure_delete = ON;
PRAGMA foreign_keys = ON;
PRAGMA trusted_schema = OFF;
PRAGMA temp_store = MEMORY;
PRAGMA cache_size = -32000;
"""


@contextmanager
def translated() -> Iterator[None]:
    """Turn the driver's errors into ours; their texts name no content."""
    try:
        yield
    except (apsw.BusyError, apsw.LockedError):
        raise StoreBusy from None
    except apsw.FullError:
        raise StorageFull from None
    except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.PermissionsError, apsw.AuthError):
        raise StoreNotWritable from None
    except (apsw.CorruptError, apsw.NotADBError):
        raise StoreCorrupt from None
    except apsw.ConstraintError:
        raise BackendError("a constraint of the store refused this", hint="Nothing was written; try again.") from None
    except apsw.IOError as error:
        code = getattr(error, "extendedresult", 0)
        if code in _WRITE_FAILURES:
            raise StorageFull from None
        raise BackendError(f"input or output failed (SQLite code {code})") from None


_WRITE_FAILURES = frozenset({apsw.SQLITE_IOERR_WRITE, apsw.SQLITE_IOERR_FSYNC, apsw.SQLITE_IOERR_TRUNCATE})


def connect(path: Path, *, create: bool, busy_timeout: float) -> apsw.Connection:
    """Open a connection with the pragmas that every Stead file has from its first day.

    Raises
    ------
    StoreNotFound, StoreNotWritable, StoreCorrupt
    """
    if not create and not path.exists():
        raise StoreNotFound("there is no store at this path", hint="Check --store, or write something first.")
    if path.exists() and not path.is_file():
        raise StoreNotWritable("this path is no regular file", hint="Name a file in a folder, for instance memory.db.")
    with translated():
        _check_length(path)
    flags = apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if create else 0)
    with translated():
        connection = apsw.Connection(str(path), flags=flags, statementcachesize=256)
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)  # else every bound value has its query compiled anew
        connection.set_busy_handler(waiting(busy_timeout))
        try:
            refuse_foreign(connection)  # before the pragmas, which would change the file's journal mode
            connection.execute(PRAGMAS).fetchall()
        except BaseException:
            connection.close()
            raise
    return connection


def refuse_foreign(connection: apsw.Connection) -> None:
    """Refuse a database of another program.

    Raises
    ------
    StoreCorrupt
    """
    found = connection.pragma("application_id")
    if found != APPLICATION_ID and (found or connection.execute("SELECT count(*) FROM sqlite_schema").get):
        raise StoreCorrupt("the file is an SQLite database, but not a Stead store")


def waiting(seconds: float) -> Callable[[int], bool]:
    """Wait with jitter, so that many writers take turns instead of starving one.

    Whoever may wait asks some times at least: a process that was itself kept from running has not waited.
    """
    started = [0.0]
    least = _LEAST if seconds else 0

    def wait(attempt: int) -> bool:
        now = time.monotonic()
        if attempt == 0:
            started[0] = now
        if now - started[0] > seconds and attempt >= least:
            return False
        time.sleep(random.uniform(0.0002, 0.002 * min(attempt + 1, 10)))  # noqa: S311 - jitter, not a secret
        return True

    return wait


def _check_length(path: Path) -> None:
    """Refuse a file that is shorter than its own header says: SQLite would read zeros from a truncated tail."""
    if not path.exists() or path.stat().st_size == 0:
        return
    header = head(path, 100)
    if not header.startswith(b"SQLite format 3\0") or len(header) < 100:
        raise StoreCorrupt("the file is not a Stead store")
    page = int.from_bytes(header[16:18], "big")
    size = (65536 if page == 1 else page) * int.from_bytes(header[28:32], "big")
    if path.stat().st_size < size and not _has_wal(path):
        raise StoreCorrupt("the file is shorter than its header says; it was cut off")


def _has_wal(path: Path) -> bool:
    wal = path.with_name(path.name + "-wal")
    return wal.exists() and wal.stat().st_size > 0
