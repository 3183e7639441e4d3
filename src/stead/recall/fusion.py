"""Ranking the turns of conversations from words, vectors and their place.

For a question, over all turns of one subject::

    own(t)     = max(0, z(bm25 of t) + z(cosine of t)) / 5        z = (x - mean) / deviation
    session(s) = best own score in s + ½ of the second + ¼ of the third
    score(t)   = own(t) + ½ of the better neighbour's + ¼ of the better second neighbour's + session(t) / best session

What answers a question often stands beside the words that match it, and a conversation about the matter is a better place
to look than a chance hit: neighbours and session say so. The constants are round numbers; what each part is worth stands in
the docs. ``z`` orders and says nothing of absolute relevance: a turn without a matching word and below the model's cosine
floor is no candidate.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from stead.index.lexical import Lexical
from stead.index.vectors import Scan

OWN = 5.0
"""The own score of a good match, so that the other parts are on its scale."""
FADE = 0.5
"""What a step away is worth: to a neighbour, and down the list of a session's turns."""
REACH = 2
"""How many turns before and after a candidate are looked at."""
DEPTH = 3
"""How many turns speak for a session."""

Place = tuple[str, int]
"""A conversation and a position in it."""


def own_scores(candidates: Collection[int], words: Lexical, scan: Scan | None) -> dict[int, float]:
    """Return the fused score of each candidate by its own words and vector; without vectors the words alone."""
    mean, deviation = words.spread
    scores = {item: _z(words.scores.get(item, 0.0), mean, deviation) for item in candidates}
    if scan is not None:
        for item in candidates:
            cosine = scan.cosine(item)
            scores[item] += 0.0 if cosine is None else _z(cosine, scan.mean, scan.deviation)
    return {item: max(0.0, score) / OWN for item, score in scores.items()}


def _z(value: float, mean: float, deviation: float) -> float:
    return (value - mean) / deviation if deviation > 0 else 0.0


def sessions(own: Mapping[Place, float]) -> dict[str, float]:
    """Score conversations by their best turns, each of which counts half of the one before."""
    groups: dict[str, list[float]] = defaultdict(list)
    for (conversation, _), score in own.items():
        groups[conversation].append(score)
    return {
        conversation: sum(score * FADE**step for step, score in enumerate(sorted(scores, reverse=True)[:DEPTH]))
        for conversation, scores in groups.items()
    }


def ranked(own: Mapping[int, float], places: Mapping[int, Place]) -> list[tuple[int, float]]:
    """Return (turn, score), best first, of the candidates and their neighbours.

    Parameters
    ----------
    own
        Own scores by turn; a turn that is no candidate has none.
    places
        The place of every candidate and of its neighbours, as far as the reader may see them.
    """
    at = {places[item]: score for item, score in own.items() if item in places}
    by_session = sessions(at)
    best = max(by_session.values(), default=0.0)
    scored = {
        item: round(
            own.get(item, 0.0) + _beside(place, at) + (by_session.get(place[0], 0.0) / best if best else 0.0), 6
        )
        for item, place in places.items()
    }
    return sorted(((item, score) for item, score in scored.items()), key=lambda pair: (-pair[1], pair[0]))


def _beside(place: Place, at: Mapping[Place, float]) -> float:
    conversation, position = place
    return sum(
        FADE**step * max(at.get((conversation, position - step), 0.0), at.get((conversation, position + step), 0.0))
        for step in range(1, REACH + 1)
    )
