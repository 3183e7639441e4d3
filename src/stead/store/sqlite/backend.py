"""One SQLite file as a backend: a connection per thread, one writer at a time."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import BinaryIO, cast
from weakref import WeakSet

import apsw

from stead.errors import BackendError, StoreBusy
from stead.model.period import Instant
from stead.store.sqlite.connection import connect, translated, waiting
from stead.store.sqlite.migrate import prepare
from stead.store.sqlite.raw import RawFile
from stead.store.sqlite.reading import SqliteRead
from stead.store.sqlite.writing import SqliteWrite


class _Held:
    """A connection that closes with the thread that it belongs to."""

    def __init__(self, connection: apsw.Connection) -> None:
        self.connection = connection
        self.process = os.getpid()

    def close(self) -> None:
        try:
            self.connection.close()
        except apsw.ThreadingViolationError:
            raise BackendError(
                "the store is in use in another thread", hint="Close it when its work is done."
            ) from None

    def __del__(self) -> None:
        if self.process == os.getpid():  # a child of a fork must not close what its parent holds
            with suppress(apsw.Error, BackendError):
                self.connection.close()


class SqliteBackend:
    """One tenant's file.

    Parameters
    ----------
    path
        Where the file lies; its folder must exist.
    tenant
        The tenant to bind a new file to; of an existing file it is checked.
    now
        The current instant, for the migration ledger.
    create
        Make the file if it isn't there.
    busy_timeout
        How many seconds to wait for another process's write.
    """

    def __init__(
        self, path: str, *, tenant: str | None, now: Instant, create: bool = True, busy_timeout: float = 30.0
    ) -> None:
        self.path = str(path)
        self.engine = f"SQLite {apsw.sqlite_lib_version()}"
        self._create = create
        self._busy_timeout = busy_timeout
        self._local = threading.local()
        self._writer = threading.Lock()
        self._all: WeakSet[_Held] = WeakSet()
        self._closed = False
        with translated():
            self.tenant = prepare(self._connection(), tenant, now)
        self._create = False

    def _connection(self) -> apsw.Connection:
        if self._closed:
            raise BackendError("the store is closed", hint="Open it again with stead.open().")
        mine: _Held | None = getattr(self._local, "held", None)
        if mine is None or mine.process != os.getpid():  # a connection never crosses a fork
            made = connect(Path(self.path), create=self._create, busy_timeout=self._busy_timeout)
            mine = self._local.held = _Held(made)
            self._all.add(mine)
        return mine.connection

    @contextmanager
    def read(self) -> Iterator[SqliteRead]:
        """Open a snapshot; a read inside a read of the same thread shares it."""
        connection = self._connection()
        if connection.in_transaction:
            yield SqliteRead(connection)
            return
        with translated():
            connection.execute("BEGIN")
            try:
                yield SqliteRead(connection)
            finally:
                connection.execute("ROLLBACK")

    @contextmanager
    def write(self) -> Iterator[SqliteWrite]:
        """Open the write transaction; durable at the end, nothing on any error."""
        connection = self._connection()
        if not self._writer.acquire(timeout=self._busy_timeout):
            raise StoreBusy("another thread of this process held the write lock for too long")
        try:
            with translated():
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield SqliteWrite(connection)
                    connection.execute("COMMIT")
                except BaseException:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise
        finally:
            self._writer.release()

    def sweep(self, patience: float) -> bool:
        """Fold the write-ahead log into the file and cut it to nothing; False where a reader holds an older state."""
        connection = self._connection()
        with translated():
            connection.set_busy_handler(waiting(patience))
            try:
                busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
            except apsw.BusyError:
                busy = 1
            finally:
                connection.set_busy_handler(waiting(self._busy_timeout))
        return not busy

    def compact(self) -> None:
        """Write the file anew, without what deleted rows may have left in its pages."""
        with translated():
            self._connection().execute("VACUUM")

    def files(self) -> list[str]:
        """Return the paths of every file that the store consists of, and that lies beside it under its name.

        Not the index of the write-ahead log: it holds no content, and its locks are lost when it is opened and closed.
        """
        path = Path(self.path)
        found = path.parent.glob(f"{escape(path.name)}*")
        return sorted(str(each) for each in found if each.is_file() and not each.name.endswith("-shm"))

    def read_bytes(self, path: str) -> BinaryIO:
        """Open one of these files, or any other, for reading, so that no lock on it is lost (`stead.store.sqlite.raw`)."""
        with translated():
            return cast("BinaryIO", RawFile(Path(path))) if Path(path) == Path(self.path) else Path(path).open("rb")

    def close(self) -> None:
        """Close the connections of every thread; the last one folds the WAL into the file."""
        self._closed = True
        for held in list(self._all):
            if held.process == os.getpid():
                held.close()
        self._all.clear()
