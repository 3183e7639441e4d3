"""Which of the facts that a search found are worth serving: those that answer some part of the question about best (R30).

A question in free words shares a word with much that it isn't about. A fixed share of the best score would cut that, and with
it the second half of a question about two things: its best fact may score half of the first half's. So each fact is compared
with the best one *that shares a word with it*, word by word of the question, and stays where it is near the best for one of
them. What shares no word, and came by its vector, is compared with the best of all. What names a thing that the question
names is about it, however much else the question says, and is never noise (R29); nor is what has all of the question's words.

Facts are served as true and cost the reader attention, so they are cut; turns are evidence in original words, ranked in
`stead.recall.fusion` and not cut. The shares are round numbers; how they were chosen stands in docs/explanation/retrieval.md.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

NEAR: Final = 0.6
"""What is below this share of the best, for each of its words, says less about each of them than something else does."""
LEAST: Final = 0.5
"""What is below this share of the best of all is noise, unless it names what the question names."""


def worth(
    relevance: Mapping[int, float],
    words: Mapping[int, Collection[str]],
    *,
    about: Collection[int] = (),
    asked: Collection[str] = (),
) -> set[int]:
    """Return what is served of what was found.

    Parameters
    ----------
    relevance
        How well each item meets the question, from 0.
    words
        The words of the question that an item has; what has none may be left out.
    about
        Items that name what the question names.
    asked
        All words of the question; what has them all is never cut.

    >>> sorted(worth({1: 1.0, 2: 0.55, 3: 0.55}, {1: {"red", "kite"}, 2: {"kite"}, 3: {"blue"}}))
    [1, 3]
    """
    best = max(relevance.values(), default=0.0)
    by_word: dict[str, float] = {}
    for item, score in relevance.items():
        for word in words.get(item, ()):
            by_word[word] = max(score, by_word.get(word, 0.0))
    every = set(asked)

    def near(item: int, score: float) -> bool:
        own = words.get(item, ())
        if every and every <= set(own):
            return True
        close = score >= NEAR * min((by_word[word] for word in own), default=best)
        return close and (score >= LEAST * best or item in about)

    return {item for item, score in relevance.items() if score > 0 and near(item, score)}
