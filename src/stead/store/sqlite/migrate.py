"""Numbered migrations with checksums: a file is the sum of what was applied to it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources

import apsw

from stead.errors import CrossTenant, NewerSchema, StoreCorrupt
from stead.model.period import Instant
from stead.model.slot import claim_key
from stead.store.sqlite.connection import APPLICATION_ID, refuse_foreign

_LEDGER = """
CREATE TABLE IF NOT EXISTS migrations (
    version    INTEGER PRIMARY KEY,
    name       TEXT NOT NULL,
    checksum   TEXT NOT NULL,
    applied_at INTEGER NOT NULL
)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One step of the schema."""

    version: int
    name: str
    sql: str

    @property
    def checksum(self) -> str:
        """Return the SHA-256 of the SQL text."""
        return hashlib.sha256(self.sql.encode()).hexdigest()


@cache
def migrations() -> tuple[Migration, ...]:
    """Return the migrations that this version of Stead knows, in order."""
    folder = resources.files("stead.store.sqlite") / "migrations"
    files = sorted((each for each in folder.iterdir() if each.name.endswith(".sql")), key=lambda each: each.name)
    return tuple(
        Migration(version=int(file.name[:4]), name=file.name[5:-4], sql=file.read_text(encoding="utf-8"))
        for file in files
    )


def prepare(connection: apsw.Connection, tenant: str | None, now: Instant) -> str:
    """Bring a file to the newest schema and return the tenant that it is bound to.

    Raises
    ------
    CrossTenant
        The file is bound to another tenant.
    NewerSchema
        The file was written by a newer version.
    StoreCorrupt
        It is not a Stead file, or a migration that was applied differs from the one known here.
    """
    if _is_ready(connection):
        return _bound_to(connection, tenant)
    connection.execute("BEGIN IMMEDIATE")
    try:
        refuse_foreign(connection)
        apply_missing(connection, now)
        connection.execute("INSERT OR IGNORE INTO meta VALUES ('tenant', ?)", (tenant or "default",))
        name = _bound_to(connection, tenant)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    return name


def _is_ready(connection: apsw.Connection) -> bool:
    """Tell, without the write lock, whether there is nothing to do."""
    if connection.pragma("application_id") != APPLICATION_ID:
        return False
    applied = _applied(connection)
    _check(applied)
    return len(applied) == len(migrations())


def apply_missing(connection: apsw.Connection, now: Instant, *, until: int | None = None) -> None:
    """Apply what a file has not had yet, at most until a version: a restore begins where the backup's schema was."""
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}").fetchall()
    connection.execute(_LEDGER)
    applied = _applied(connection)
    _check(applied)
    connection.create_scalar_function("claim_key_of", _claim_key_of, 1, deterministic=True)
    for step in migrations()[len(applied) : until]:
        connection.execute(step.sql).fetchall()
        connection.execute("INSERT INTO migrations VALUES (?, ?, ?, ?)", (step.version, step.name, step.checksum, now))


def _claim_key_of(*claim: apsw.SQLiteValue) -> apsw.SQLiteValue:
    return claim_key(str(claim[0]))


def _applied(connection: apsw.Connection) -> list[tuple[int, str]]:
    return [(version, checksum) for version, checksum in connection.execute(
        "SELECT version, checksum FROM migrations ORDER BY version"
    )]  # fmt: skip


def _check(applied: list[tuple[int, str]]) -> None:
    known = {step.version: step.checksum for step in migrations()}
    if applied and applied[-1][0] > max(known):
        raise NewerSchema(f"the file has schema {applied[-1][0]}, this version knows {max(known)}")
    if any(known.get(version) != checksum for version, checksum in applied):
        raise StoreCorrupt("a migration that was applied to this file differs from the one of this version")


def _bound_to(connection: apsw.Connection, tenant: str | None) -> str:
    bound = str(connection.execute("SELECT value FROM meta WHERE key = 'tenant'").get)
    if tenant is not None and tenant != bound:
        raise CrossTenant("the file is bound to another tenant")
    return bound
