"""BM25 with the statistics of one subject (R47): FTS5 keeps the postings, the scores are computed here.

FTS5's own ``bm25()`` counts every row of its table, so another subject's writes would move my scores. Here the number of
texts, their mean length and the document frequency of each word are those of the subject, as known at the asked instant.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from stead.model.period import Instant
from stead.model.words import tokens
from stead.store.protocol import ReadTx
from stead.store.values import Shelf

K1 = 1.2
B = 0.75
"""The constants of Robertson and Zaragoza (2009), unchanged."""
SHORT = 25
"""Words: a shorter text, and a shorter mean, counts as this long, since a short turn is not better for being shorter."""


@dataclass(frozen=True)
class Lexical:
    """The lexical scores of one query."""

    scores: dict[int, float]
    """By item; an item without a word of the query is left out and has 0."""
    texts: int
    """How many texts the subject has."""

    @cached_property
    def ranked(self) -> list[tuple[int, float]]:
        """Return (item, score), best first; equal scores by age."""
        return sorted(self.scores.items(), key=lambda pair: (-pair[1], pair[0]))

    @cached_property
    def spread(self) -> tuple[float, float]:
        """Return mean and standard deviation over all texts of the subject."""
        if not self.texts:
            return 0.0, 0.0
        mean = sum(self.scores.values()) / self.texts
        square = sum(score * score for score in self.scores.values()) / self.texts
        return mean, math.sqrt(max(0.0, square - mean * mean))


def bm25(
    store: ReadTx, shelf: Shelf, subject: int, query: str, known_at: Instant | None, *, short: int = SHORT
) -> Lexical:
    """Score the subject's texts that share a word with the query.

    Parameters
    ----------
    store, shelf, subject
        The snapshot, which of the two stores, and whose texts.
    query
        Words; function words are left out.
    known_at
        None for now; else statistics and texts are those of that instant, so that past answers stay what they were (R50).
    short
        The least length; 0 for plain BM25, which the evaluation compares with.
    """
    words = dict.fromkeys(tokens(query))
    count, length = store.totals(shelf, subject, known_at) if words else (0, 0)
    if count == 0:
        return Lexical({}, count)
    mean = max(length / count, short)
    scores: dict[int, float] = defaultdict(float)
    for word in words:
        frequency: dict[int, int] = defaultdict(int)
        lengths: dict[int, int] = {}
        for item, size in store.postings(shelf, subject, word, known_at):
            frequency[item] += 1
            lengths[item] = size
        weight = math.log(1 + (count - len(frequency) + 0.5) / (len(frequency) + 0.5)) * (K1 + 1)
        for item, times in frequency.items():
            scores[item] += weight * times / (times + K1 * (1 - B + B * max(lengths[item], short) / mean))
    return Lexical(dict(scores), count)
