"""Scopes: paths that match by whole segments (R11)."""

from __future__ import annotations

from functools import lru_cache

from stead.errors import InvalidArgument

EVERYWHERE = ""


@lru_cache(maxsize=4096)
def checked(scope: str) -> str:
    """Return the scope if it is a path of non-empty segments.

    Raises
    ------
    InvalidArgument
        A segment is empty or holds a control character.
    """
    if not isinstance(scope, str):
        raise InvalidArgument("scope", "not text", "Write a path such as work/briefs; '' is everywhere.")
    if scope and any(not part.strip() or not part.isprintable() for part in scope.split("/")):
        raise InvalidArgument(
            "scope", "an empty or unprintable segment", "Write work/briefs, without slashes at the ends."
        )
    return scope


@lru_cache(maxsize=4096)
def chain(scope: str) -> tuple[str, ...]:
    """Return the scopes that a reader in ``scope`` sees, narrowest first, everywhere last.

    >>> chain("a/b")
    ('a/b', 'a', '')
    """
    parts = checked(scope).split("/") if scope else []
    return tuple("/".join(parts[:length]) for length in range(len(parts), -1, -1))


def covers(wider: str, scope: str) -> bool:
    """Tell whether a record in ``wider`` applies in ``scope``: ``acme`` covers ``acme/web``, never ``acme-corp``."""
    return wider in (EVERYWHERE, scope) or scope.startswith(wider + "/")
