"""BM25 with the statistics of one subject (R47): FTS5 keeps the postings, the scores are computed here.

FTS5's own ``bm25()`` counts every row of its table, so another subject's writes would move my scores. Here the number of
texts, their mean length and the document frequency of each word are those of the subject, as known at the asked instant.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter

from stead.model.period import Instant
from stead.model.words import tokens
from stead.store.protocol import ReadTx
from stead.store.values import Shelf

K1 = 1.2
B = 0.75
"""The constants of Robertson and Zaragoza (2009), unchanged."""
SHORT = 25
"""Words: a shorter text, and a shorter mean, counts as this long, since a short turn is not better for being shorter."""


READ = 5_000
"""About how many texts the words of one query may touch. The rarest are read first; in a large store the commonest, which
tell least, are then left out."""


@dataclass(frozen=True)
class Lexical:
    """The lexical scores of one query."""

    scores: dict[int, float]
    """By item; an item without a word of the query is left out and has 0."""
    texts: int
    """How many texts the subject has."""
    shared: Mapping[int, set[str]] = field(default_factory=dict)
    """By item the words of the query that it was found by; a claim's slot has words of its own."""

    @cached_property
    def ranked(self) -> list[tuple[int, float]]:
        """Return (item, score), best first; equal scores by age."""
        return sorted(sorted(self.scores.items()), key=itemgetter(1), reverse=True)

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
    shared: dict[int, set[str]] = defaultdict(set)
    for word in _telling(store, shelf, subject, list(words), count, known_at):
        found = store.postings(shelf, subject, word, known_at)
        lengths = dict(found)
        frequency = Counter(map(itemgetter(0), found)) if len(found) > len(lengths) else dict.fromkeys(lengths, 1)
        weight = math.log(1 + (count - len(lengths) + 0.5) / (len(lengths) + 0.5)) * (K1 + 1)
        damping = {size: K1 * (1 - B + B * max(size, short) / mean) for size in set(lengths.values())}
        for item, size in lengths.items():
            times = frequency[item]
            scores[item] += weight * times / (times + damping[size])
            shared[item].add(word)
    return Lexical(dict(scores), count, dict(shared))


def _telling(
    store: ReadTx, shelf: Shelf, subject: int, words: list[str], count: int, known_at: Instant | None
) -> list[str]:
    """Return the words of a query without the commonest, where reading the texts of all would take long."""
    if count * len(words) <= READ:
        return words
    texts = {word: store.texts_with(shelf, subject, word, known_at) for word in words}
    total, left_out = 0, set[str]()
    for word in sorted(words, key=lambda each: texts[each]):
        if total and total + texts[word] > READ:
            left_out.add(word)
        total += texts[word]
    return [word for word in words if word not in left_out]
