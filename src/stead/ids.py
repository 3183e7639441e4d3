"""Identifiers: random, so that they say nothing about what they name."""

from __future__ import annotations

import random
import secrets
from collections.abc import Callable

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: no i, l, o, u
LENGTH = 16  # 80 random bits

NewId = Callable[[], str]


def spell(number: int) -> str:
    """Return 80 bits as 16 characters."""
    return "".join(ALPHABET[(number >> (5 * place)) & 31] for place in range(LENGTH))


def random_id() -> str:
    """Return 16 random characters, 80 bits, without a prefix."""
    return spell(secrets.randbits(5 * LENGTH))


def seeded_ids(seed: int) -> NewId:
    """Return a source of ids that repeats for the same seed, for tests and demos."""
    source = random.Random(seed)  # noqa: S311 - reproducible on purpose, never used for secrets
    return lambda: spell(source.getrandbits(5 * LENGTH))


def random_bytes(count: int) -> bytes:
    """Return so many random bytes, for keys."""
    return secrets.token_bytes(count)
