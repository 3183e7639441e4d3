"""From an address to a backend."""

from __future__ import annotations

from stead.errors import InvalidArgument
from stead.model.period import Instant
from stead.store.protocol import Backend


def open_backend(
    address: str, *, tenant: str | None, now: Instant, create: bool = True, busy_timeout: float = 30.0
) -> Backend:
    """Open the backend that an address names: a path, or ``sqlite:///path``.

    Raises
    ------
    InvalidArgument
        The address names a backend that isn't there.
    """
    if address in ("", ":memory:"):
        raise InvalidArgument("store", "no file", "A store is a file: name one, for instance memory.db.")
    scheme, separator, rest = address.partition("://")
    if separator and scheme != "sqlite":
        raise InvalidArgument("store", f"unknown backend {scheme!r}", "Give a file path or sqlite:///path.")
    if tenant is not None and (not isinstance(tenant, str) or not tenant.strip() or not tenant.isprintable()):
        raise InvalidArgument("tenant", "empty or unprintable", "Name the organisation that the file belongs to.")
    from stead.store.sqlite import SqliteBackend  # the driver is loaded when a file is opened, not at import

    return SqliteBackend(
        rest.removeprefix("/") if separator else address,
        tenant=tenant,
        now=now,
        create=create,
        busy_timeout=busy_timeout,
    )
