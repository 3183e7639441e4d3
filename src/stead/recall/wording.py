"""The words of a question against the words of claims, whatever name a claim has for what the question names (R21, R29)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace

from stead.index.lexical import Lexical, bm25
from stead.model.words import tokens
from stead.recall.ask import Ask
from stead.store.protocol import ReadTx


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """What the words of a question found."""

    lexical: Lexical
    meant: Mapping[int, frozenset[str]]
    """By item the names in the question, as words, of what it names too, by whichever name."""
    asked: frozenset[str]

    def shared(self, item: int, claim: str) -> frozenset[str]:
        """Return the words of the question that an item has, in its own words or under another name."""
        return self.asked.intersection(tokens(claim)) | self.meant.get(item, frozenset())


NOTHING = Wording(lexical=Lexical({}, 0), meant={}, asked=frozenset())


def wording(store: ReadTx, ask: Ask) -> Wording:
    """Score the claims of the subject by the words of the question.

    A claim that has another name of what the question names, whole, counts as if the question had used that name. Several
    names of one thing never add up, and a claim that only has a part of a name isn't about it.
    """
    found = bm25(store, "claims", ask.subject.n, ask.query, ask.past)
    scores, meant = dict(found.scores), defaultdict[int, frozenset[str]](frozenset)
    for said, others in ask.names.mentions(ask.query):
        own = bm25(store, "claims", ask.subject.n, said, ask.past).scores
        more = dict.fromkeys(_whole(store, ask, said), 0.0)
        for name in others:
            for item, score in _whole(store, ask, name).items():
                more[item] = max(score - own.get(item, 0.0), more.get(item, 0.0))
        for item, gain in more.items():
            scores[item] = scores.get(item, 0.0) + gain
            meant[item] |= frozenset(tokens(said))
    lexical = replace(found, scores=scores) if meant else found
    return Wording(lexical=lexical, meant=dict(meant), asked=frozenset(tokens(ask.query)))


def _whole(store: ReadTx, ask: Ask, name: str) -> dict[int, float]:
    """Return the scores of the claims that have all words of a name."""
    scores = bm25(store, "claims", ask.subject.n, name, ask.past).scores
    for word in set(tokens(name)):
        having = {item for item, _ in store.postings("claims", ask.subject.n, word, ask.past)}
        scores = {item: score for item, score in scores.items() if item in having}
    return scores
