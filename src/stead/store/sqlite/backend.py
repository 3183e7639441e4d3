"""One SQLite file as a backend: a connection per thread, one writer at a time."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from stead.errors import BackendError
from stead.model.period import Instant
from stead.store.sqlite.connection import connect, translated
from stead.store.sqlite.migrate import prepare
from stead.store.sqlite.reading import SqliteRead
from stead.store.sqlite.writing import SqliteWrite


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
        self._create = create
        self._busy_timeout = busy_timeout
        self._local = threading.local()
        self._writer = threading.Lock()
        self._all: list[apsw.Connection] = []
        self._closed = False
        with translated():
            self.tenant = prepare(self._connection(), tenant, now)
        self._create = False

    def _connection(self) -> apsw.Connection:
        if self._closed:
            raise BackendError("the store is closed", hint="Open it again with stead.open().")
        mine: tuple[int, apsw.Connection] | None = getattr(self._local, "connection", None)
        if mine is None or mine[0] != os.getpid():  # a connection never crosses a fork
            made = connect(Path(self.path), create=self._create, busy_timeout=self._busy_timeout)
            mine = (os.getpid(), made)
            self._local.connection = mine
            self._all.append(made)
        return mine[1]

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
        with self._writer, translated():
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield SqliteWrite(connection)
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def close(self) -> None:
        """Close the connections of every thread; the last one folds the WAL into the file."""
        self._closed = True
        for connection in self._all:
            connection.close()
        self._all.clear()
