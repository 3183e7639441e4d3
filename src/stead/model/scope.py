"""Scopes: paths that match by whole segments (R11)."""

from __future__ import annotations

from functools import lru_cache

from stead.errors import InvalidArgument

EVERYWHERE = ""


LONGEST = 500
"""Characters of a scope."""


def checked(scope: str) -> str:
    """Return the scope if it is a path of non-empty segments.

    Raises
    ------
    InvalidArgument
        It is no text or too long, or a segment is empty or holds a control character.
    """
    if not isinstance(scope, str):
        raise InvalidArgument("scope", "not text", "Write a path such as work/briefs; '' is everywhere.")
    if len(scope) > LONGEST:
        raise InvalidArgument("scope", f"longer than {LONGEST} characters", "Write a shorter path.")
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
