"""SQLite through apsw: one file per tenant."""

from stead.store.sqlite.backend import SqliteBackend

__all__ = ["SqliteBackend"]
