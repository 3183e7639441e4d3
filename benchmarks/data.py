"""Seeded texts, records and vectors: the same for every run, with words distributed as in natural language."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

import stead
from stead.index.embedders import ModelVersion

WORDS = 25_000
DIMENSIONS = 384
Vector = NDArray[np.float32]


@cache
def vocabulary() -> tuple[tuple[str, ...], tuple[float, ...]]:
    """Return distinct pronounceable words, and the cumulative weights of Zipf's law (exponent 1) over their ranks."""
    source = random.Random(7)
    sounds = [first + second for first in "bdfghjklmnprstvz" for second in ("a", "e", "i", "o", "u", "an", "er", "il")]
    words: dict[str, None] = {}
    while len(words) < WORDS:
        words["".join(source.choices(sounds, k=source.randint(2, 4)))] = None
    return tuple(words), tuple(accumulate(1 / rank for rank in range(1, WORDS + 1)))


def sentence(source: random.Random, shortest: int = 8, longest: int = 14) -> str:
    """Return a claim of some words."""
    words, weights = vocabulary()
    return " ".join(source.choices(words, cum_weights=weights, k=source.randint(shortest, longest)))


def claims(count: int, seed: int, *, slotted: float = 0.5) -> Iterator[dict[str, Any]]:
    """Return arguments of `remember`: half of them, or all, in slots of their own."""
    source = random.Random(seed)
    for place in range(count):
        one: dict[str, Any] = {"claim": sentence(source)}
        if place % 2 or slotted == 1:
            one["slot"] = stead.Slot(f"area{place % 20}.item{place}", value=sentence(source, 1, 2))
        yield one


@dataclass(slots=True)
class Unit:
    """An embedder that costs nothing: seeded vectors of unit length, the next one for each text."""

    version: ModelVersion = field(
        default_factory=lambda: ModelVersion(
            provider="bench", name="unit", revision="1", dimensions=DIMENSIONS, normalised=True
        )
    )
    floor: float = 0.05
    ceiling: float = 0.3
    _source: np.random.Generator = field(default_factory=lambda: np.random.default_rng(11))

    def embed_documents(self, texts: Sequence[str]) -> Vector:
        """Return one vector for each text."""
        made = self._source.standard_normal((len(texts), DIMENSIONS), dtype=np.float32)
        made /= np.linalg.norm(made, axis=1, keepdims=True)
        return made

    def embed_query(self, _text: str) -> Vector:
        """Return one vector."""
        found: Vector = self.embed_documents([""])[0]
        return found
