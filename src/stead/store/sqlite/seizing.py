"""Holding a file alone, so that another one can take its place and nobody goes on writing to the old one (R33, R46).

A connection in WAL mode keeps a shared lock for as long as it is open. So leaving WAL mode, which needs the file alone, fails
where anybody else has it open; and the lock that comes with it isn't let go until the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import apsw

from stead.errors import StoreBusy
from stead.model.period import Instant
from stead.store.moving import BackupRow, Lasting
from stead.store.sqlite.connection import connect, translated
from stead.store.sqlite.migrate import prepare
from stead.store.sqlite.reading import SqliteRead

RETIRED: Final = 0x53544558
"""The application id of a file that was replaced: whoever opened it while it waited is refused."""


class Seized:
    """A file that is held alone."""

    def __init__(self, connection: apsw.Connection, tenant: str) -> None:
        self._c = connection
        self.tenant = tenant

    def lasting(self) -> Lasting:
        return SqliteRead(self._c).lasting()

    def backups(self) -> list[BackupRow]:
        return SqliteRead(self._c).backups()

    def retire(self) -> None:
        with translated():
            self._c.execute(f"PRAGMA application_id = {RETIRED}").fetchall()
            self._c.execute("COMMIT")


@contextmanager
def seize(path: Path, now: Instant) -> Iterator[Seized]:
    """Hold a file alone until the end; see `stead.store.moving.seize`."""
    connection = connect(path, create=False, busy_timeout=0.0)
    try:
        with translated():
            tenant = prepare(connection, None, now)
            _alone(connection, path)
            connection.execute("BEGIN EXCLUSIVE")
        yield Seized(connection, tenant)
    finally:
        connection.close()  # what wasn't committed is rolled back


def _alone(connection: apsw.Connection, path: Path) -> None:
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        connection.execute("PRAGMA journal_mode = DELETE").fetchall()
    except (apsw.BusyError, apsw.LockedError):
        raise StoreBusy(
            "the store is open elsewhere", hint="Stop what uses it: a restore never takes a store from under a writer."
        ) from None
    connection.execute("PRAGMA journal_mode = MEMORY").fetchall()  # no journal beside the file that takes its name:
    path.with_name(f"{path.name}-journal").unlink(
        missing_ok=True
    )  # what is left is the ended one of the change of mode


def is_free(path: Path) -> bool:
    """Tell whether nobody has a file open; what is no database isn't open either."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
        connection.execute("BEGIN EXCLUSIVE")
    except (apsw.BusyError, apsw.LockedError):
        return False
    except apsw.Error:
        return True
    finally:
        connection.close()
    return True
