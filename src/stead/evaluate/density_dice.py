"""Chance that repeats: numbers from a hash of a seed and a counter, the same on every machine and Python."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, MutableSequence, Sequence
from typing import TypeVar

Each = TypeVar("Each")


class Dice:
    """A source of draws.

    Parameters
    ----------
    seed
        The same seed gives the same draws.
    """

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._count = 0

    def below(self, count: int) -> int:
        """Return a whole number from 0 to below a count."""
        self._count += 1
        drawn = hashlib.blake2b(f"{self._seed}/{self._count}".encode(), digest_size=8).digest()
        return int.from_bytes(drawn, "big") * count >> 64

    def chance(self, share: float) -> bool:
        """Tell whether something happens that happens in a share of the cases."""
        return self.below(1_000_000) < share * 1_000_000

    def choice(self, among: Sequence[Each]) -> Each:
        """Return one of several."""
        return among[self.below(len(among))]

    def shuffle(self, items: MutableSequence[Each]) -> None:
        """Put a list into another order."""
        for place in range(len(items) - 1, 0, -1):
            other = self.below(place + 1)
            items[place], items[other] = items[other], items[place]

    def order(self, weights: Mapping[str, int]) -> list[str]:
        """Return all names in an order in which heavier ones tend to come first."""
        left = dict(weights)
        drawn: list[str] = []
        while left:
            at = self.below(sum(left.values()))
            for name, weight in left.items():
                at -= weight
                if at < 0:
                    drawn.append(name)
                    break
            del left[drawn[-1]]
        return drawn
