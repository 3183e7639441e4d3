"""Which of the facts that a search found are worth serving: those that answer some part of the question about best (R30).

A question in free words shares a word with much that it isn't about. A fixed share of the best score would cut that, and with
it the second half of a question about two things: its best fact may score half of the first half's. So each fact is compared
with the best one *that shares a word with it*, word by word of the question, and stays where it is near the best for one of
them. What shares no word, and came by its vector, is compared with the best of all. What names a thing that the question
names is about it, however much else the question says, and is never noise (R29); nor is what has all of the question's words.

That is relative, and something is always best. So before it a fact has to share enough of what the question is about: a word
that tells much, a good part of what all of its words tell, or most of a part of it (`stead.index.telling`). With a model, its
vector counts as well: one that is clearly near is enough, and one below the model's floor makes the words a coincidence.

Facts are served as true and cost the reader attention, so they are cut; turns are evidence in original words, ranked in
`stead.recall.fusion` and not cut. The shares are round numbers; how they were chosen stands in docs/explanation/retrieval.md.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

NEAR: Final = 0.6
"""What is below this share of the best, for each of its words, says less about each of them than something else does."""
LEAST: Final = 0.5
"""What is below this share of the best of all is noise, unless it names what the question names."""
COVERED: Final = 0.3
"""This share of what all words of a question tell is not in passing."""
COVERED_BESIDE_A_VECTOR: Final = 0.4
"""The same with a model, which speaks for a fact that says it in other words."""
TELLING: Final = 0.8
"""Nor are words that tell so much together, however long the question is; a rare word alone tells 1."""
MOST: Final = 0.7
"""Nor is this share of a part of the question, if the part tells `LITTLE`."""
LITTLE: Final = 0.5
CLEAR: Final = 1 / 3
"""How far from the model's floor to its ceiling a cosine has to be to be enough without words."""


def enough(shared: Collection[str], asked: Sequence[Mapping[str, float]], near: float | None = None) -> bool:
    """Tell whether a fact shares enough with the question not to be found in passing (R30).

    Parameters
    ----------
    shared
        The words of the question that it has.
    asked
        What each word tells, in the whole question and in each of its parts: `stead.index.telling.telling`.
    near
        Its cosine as a share of the way from the model's floor to its ceiling; None without a model.

    >>> question = [{"best": 0.4, "way": 0.3, "boil": 0.9, "egg": 0.8}]
    >>> enough({"best"}, question), enough({"egg"}, question), enough({"best"}, question, near=0.5)
    (False, True, True)
    """
    whole, *parts = asked
    if near is not None and near >= CLEAR:
        return True
    told = sum(whole.get(word, 0.0) for word in shared)
    if whole.keys() <= set(shared):
        return told > 0
    if near is not None and near <= 0:
        return False
    covered = COVERED if near is None else COVERED_BESIDE_A_VECTOR
    if told > 0 and told >= min(covered * sum(whole.values()), TELLING):
        return True
    return any(_most(part, shared) for part in parts)


def _most(part: Mapping[str, float], shared: Collection[str]) -> bool:
    told = sum(part.get(word, 0.0) for word in shared)
    return told >= MOST * max(LITTLE, sum(part.values()))


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
