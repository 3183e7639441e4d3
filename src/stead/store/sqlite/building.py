"""Making a file of rows that a backup held (R33)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from typing import Final

import apsw

from stead.errors import NewerSchema, StoreCorrupt
from stead.model.period import Instant
from stead.store.moving import Moved
from stead.store.sqlite.connection import connect, translated
from stead.store.sqlite.migrate import apply_missing, migrations, prepare
from stead.store.sqlite.moving import BELONGS, FULL_TEXT, OF_TENANT, WORDS
from stead.store.sqlite.rows import marks

_BATCH: Final = 1_000
_SCRATCH: Final = (
    "CREATE TABLE moved_words (shelf TEXT, doc INTEGER, place INTEGER, term TEXT, PRIMARY KEY (shelf, doc, place))"
)
_TEXTS: Final = {f"{shelf}_text" for shelf in FULL_TEXT}


def build(path: Path, schema: int, rows: Iterable[Moved], now: Instant) -> None:
    """Make a file at the schema that the rows are of, put them in, and bring it to today's schema."""
    if schema > migrations()[-1].version:
        raise NewerSchema(f"the backup has schema {schema}, this version knows {migrations()[-1].version}")
    connection = connect(path, create=True, busy_timeout=0.0)
    try:
        with translated():
            connection.execute("PRAGMA foreign_keys = OFF").fetchall()  # what rows refer to comes in any order
            connection.execute("BEGIN EXCLUSIVE")
            apply_missing(connection, now, until=schema)
            for table in OF_TENANT:
                if _columns(connection, table):
                    connection.execute(f"DELETE FROM {table}")
            connection.execute(f"{_SCRATCH} WITHOUT ROWID")
            _insert(connection, rows)
            _index(connection)
            connection.execute("DROP TABLE moved_words")
            if connection.execute("PRAGMA foreign_key_check").fetchall():
                raise StoreCorrupt("rows of the backup refer to rows that it doesn't have")
            connection.execute("COMMIT")
            connection.execute("PRAGMA foreign_keys = ON").fetchall()
            prepare(connection, None, now)
    finally:
        connection.close()


def _columns(connection: apsw.Connection, table: str) -> set[str]:
    return {name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))}


def _insert(connection: apsw.Connection, rows: Iterable[Moved]) -> None:
    for (table, columns), group in groupby(rows, key=itemgetter(0, 1)):
        if table in _TEXTS and columns == WORDS:
            shelf = table.removesuffix("_text")
            sql = f"INSERT INTO moved_words VALUES ('{shelf}', ?, ?, ?)"
        elif table in (BELONGS.keys() | OF_TENANT.keys()) and set(columns) <= _columns(connection, table):
            listed = ", ".join(f'"{each}"' for each in columns)
            sql = f"INSERT INTO {table} ({listed}) VALUES ({marks(columns)})"
        else:
            raise StoreCorrupt("the backup holds a table that its schema doesn't have")
        values = (row for _, _, row in group)
        while part := list(islice(values, _BATCH)):
            connection.executemany(sql, part)


def _index(connection: apsw.Connection) -> None:
    """Put the words of each text back in their order."""
    for shelf in FULL_TEXT:
        found = connection.execute("SELECT doc, term FROM moved_words WHERE shelf = ? ORDER BY doc, place", (shelf,))
        connection.executemany(f"INSERT INTO {shelf}_text (rowid, words) VALUES (?, ?)", _texts(found))


def _texts(words: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    for doc, group in groupby(words, key=itemgetter(0)):
        yield doc, " ".join(term for _, term in group)
