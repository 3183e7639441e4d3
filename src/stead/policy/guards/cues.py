"""Which of many patterns are worth trying on a text: those of which a cue stands in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable


def triples(text: str) -> set[str]:
    """Return all runs of three characters of a text."""
    return {text[place : place + 3] for place in range(len(text) - 2)}


class Cues:
    """An index of cues by their first three characters."""

    def __init__(self, cues: Iterable[Iterable[str]]) -> None:
        """Index the cues; the n-th group belongs to pattern n, which is always worth trying where the group is empty."""
        places: dict[str, set[int]] = defaultdict(set)
        self._always: set[int] = set()
        for place, group in enumerate(map(tuple, cues)):
            if not group:
                self._always.add(place)
            for cue in group:
                places[cue].add(place)
        self._short = [(cue, each) for cue, each in places.items() if len(cue) < 3]
        self._starts: dict[str, list[tuple[str, set[int]]]] = defaultdict(list)
        for cue, each in places.items():
            if len(cue) >= 3:
                self._starts[cue[:3]].append((cue, each))

    def candidates(self, lower: str, starts: set[str] | None = None) -> list[int]:
        """Return the places of the patterns of which a cue stands in the text, in order.

        ``starts`` are the text's `triples`, where they are known already.

        >>> Cues([["ignore"], ["send", "post"], ["you are"]]).candidates("post it, or ignore it")
        [0, 1]
        """
        found = set(self._always)
        met = (triples(lower) if starts is None else starts) & self._starts.keys()
        for group in (self._short, *(self._starts[start] for start in met)):
            for cue, places in group:
                if cue in lower:
                    found |= places
        return sorted(found)
