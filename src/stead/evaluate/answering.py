"""Answer a question from the records of a store alone: no model is asked and no relation is known beforehand.

1. Every record that stands is read by `stead.resolve.text.read` into an edge of a graph: entity, words of the relation, value.
2. The names of the graph that occur in the question are where a walk may start; longer ones before shorter ones.
3. At each place the walk looks at the edges that leave it, and at those that lead to it (for questions of who or what has a
   value). An edge is worth as much as the words of the question that nothing has used yet stand for its words: the same stem,
   a synonym of plain English, the same root, or a near meaning where the local embedder is installed. A word that many
   relations share is worth less.
4. A step costs something, so that a weak likeness alone doesn't carry on; a step against the order in which a question nests
   its parts ("the wife of the author of Dune": author first) costs more, and so does a step against the direction of a record.
5. The best few walks are carried on (beam search). The end of the best one is the answer, in the words of its record.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from stead.evaluate.answering_graph import SELF, Claim, Edge, Graph, graph
from stead.evaluate.answering_words import Likeness, content, reworded, stem, words
from stead.index.embedders import Embedder
from stead.memory import Subject
from stead.model.record import Status
from stead.model.words import STOPWORDS

BEAM = 24
DEPTH = 6
STEP, BACKWARDS, CROWD, OUT_OF_ORDER = 0.3, 0.3, 0.1, 0.3
"""What a step costs: at all, against the direction, among many alike (per doubling), against the order of the question."""
LEAST = 0.3
"""What the words of a step must be worth."""
NEAR, SAME = 2, 0.7
"""How many telling words away in the order of the question, and how alike, a word is that says once more what a step has said."""
PLAIN = 0.35
"""What a step without words of its own ("X is Y") is worth."""
_ME = frozenset({"i", "me", "my", "mine", "user"})
_RELATIVE = frozenset({"who", "whom", "whose", "which", "that", "where", "when"})
_PREPOSITIONS = frozenset("in of at on to by for from with".split())
_ASKS = frozenset({"where"})
"""Function words that ask for something all the same."""


@dataclass(frozen=True, slots=True)
class Step:
    """One record on the way to an answer."""

    edge: Edge
    forward: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the store says."""

    text: str
    """The value in the words of its record; empty where nothing leads from the question to one."""
    steps: tuple[Step, ...] = ()
    score: float = 0.0

    @property
    def records(self) -> tuple[str, ...]:
        """Return the ids of the records that were walked."""
        return tuple(each.edge.claim.id for each in self.steps)


@dataclass(frozen=True, slots=True)
class _Walk:
    place: str
    free: frozenset[int]
    """Words of the question that nothing has used yet, by their place."""
    steps: tuple[Step, ...]
    score: float
    rank: int
    """How far from the name the words of the last step stand."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question, seen from one name in it."""

    words: tuple[str, ...]
    rank: dict[int, int]
    """In which order its parts are due, by place."""
    sort: frozenset[int]
    """The words for what is asked for, "where" or the "city" of "which city": they describe a value, never whose it is."""
    heads: frozenset[int]
    """The nouns that relative clauses describe, "work" in "the work that": they stand for no other word."""


class Answerer:
    """Answers questions from one graph.

    Parameters
    ----------
    claims
        The records that stand.
    embedder
        Lets words of near meaning count; without one, synonyms and stems do.
    """

    def __init__(self, claims: Iterable[Claim], *, embedder: Embedder | None = None) -> None:
        self.graph: Graph = graph(claims)
        self._like: Callable[[str, str], float] = Likeness(embedder)

    def answer(self, question: str) -> Answer:
        """Return the end of the best walk."""
        asked = tuple(words(reworded(question)))
        walks = list(self._starts(asked))
        best: _Walk | None = None
        for _ in range(DEPTH):
            carried = [each for start, view in walks for each in self._onward(start, view)]
            if not carried:
                break
            unique: dict[tuple[str, frozenset[int]], tuple[_Walk, _Asked]] = {}
            for walk, view in sorted(carried, key=lambda pair: -pair[0].score):
                unique.setdefault((walk.place, walk.free), (walk, view))
            walks = list(unique.values())[:BEAM]
            if best is None or walks[0][0].score > best.score:
                best = walks[0][0]
        if best is None:
            return Answer(text="")
        last = best.steps[-1]
        text = last.edge.said_target if last.forward else last.edge.said_source
        return Answer(text=text, steps=best.steps, score=round(best.score, 4))

    def _starts(self, asked: tuple[str, ...]) -> Iterator[tuple[_Walk, _Asked]]:
        taken: set[int] = set()
        spans = []
        for start, end in _spans(asked, self.graph.longest):
            if self._named(asked[start:end]) and not taken & set(range(start, end)):
                spans.append((start, end))
                taken |= set(range(start, end))
        if SELF in self.graph.nodes:
            spans += [(place, place + 1) for place, each in enumerate(asked) if each in _ME and place not in taken]
        free = frozenset(
            place for place, each in enumerate(asked) if place not in taken and (each not in STOPWORDS or each in _ASKS)
        )
        for start, end in spans:
            name = SELF if asked[start] in _ME and end == start + 1 else " ".join(asked[start:end])
            worth = 0.5 * len(content(asked[start:end]))
            view = _Asked(asked, _order(asked, start, end), _sort(asked), _heads(asked))
            yield _Walk(name, free, (), worth, -1), view

    def _named(self, part: Sequence[str]) -> bool:
        name = " ".join(part)
        return name in self.graph.nodes and (len(part) > 1 or part[0] not in STOPWORDS)

    def _onward(self, walk: _Walk, view: _Asked) -> Iterator[tuple[_Walk, _Asked]]:
        seen = {step.edge.claim.id for step in walk.steps}
        for forward in (True, False):
            edges = self.graph.out.get(walk.place, []) if forward else self.graph.into.get(walk.place, [])
            groups: dict[tuple[str, ...], list[Edge]] = {}
            for edge in edges:
                groups.setdefault(edge.kind, []).append(edge)
            for alike in groups.values():
                fresh = [each for each in alike if each.claim.id not in seen]
                if fresh and not _turns(walk, fresh[0], forward):
                    yield from ((each, view) for each in self._stepped(walk, view, fresh, forward))

    def _stepped(self, walk: _Walk, view: _Asked, alike: Sequence[Edge], forward: bool) -> Iterator[_Walk]:
        """Take the step along edges of one relation; the newest record comes first."""
        used, worth = self._match(alike[0].words, walk.free if forward else walk.free - view.sort, view, walk.rank)
        if not alike[0].words and not walk.steps:
            worth = PLAIN
        if worth < LEAST:
            return
        rank = min((view.rank[place] for place in used), default=walk.rank)
        cost = STEP + (0.0 if forward else BACKWARDS) + (OUT_OF_ORDER if rank < walk.rank else 0.0)
        cost += CROWD * math.log2(len({each.claim.id for each in alike}))
        for late, edge in enumerate(alike[:3]):
            yield _Walk(
                edge.target if forward else edge.source,
                walk.free - used - self._also(alike[0].words, used, walk.free, view),
                (*walk.steps, Step(edge, forward)),
                walk.score + worth - cost - 0.01 * late,
                rank,
            )

    def _match(self, own: Sequence[str], free: frozenset[int], view: _Asked, rank: int) -> tuple[frozenset[int], float]:
        """Return which words of the question stand for those of a relation, and what that is worth.

        Each word of the question stands for one word at most; of equals, one that is due. What of the relation nobody asked
        for takes something away.
        """
        pairs = sorted(
            (
                (-self._worth(view, place, said), view.rank[place] < rank, view.rank[place], place, said)
                for place in free
                for said in own
            ),
        )
        used: dict[int, float] = {}
        met: set[str] = set()
        for worth, _, _, place, said in pairs:
            if worth < 0 and place not in used and said not in met:
                used[place] = -worth
                met.add(said)
        whole = sum(self.graph.weights.get(stem(said), 0.0) for said in own)
        found = sum(used.values())
        return frozenset(used), found * (0.4 + 0.6 * min(1.0, found / whole if whole else 0.0))

    def _worth(self, view: _Asked, place: int, said: str) -> float:
        asked = view.words[place]
        if place in view.heads and asked != said:
            return 0.0
        return self._like(asked, said) * self.graph.weights.get(stem(said), 0.0)

    def _also(self, own: Sequence[str], used: frozenset[int], free: frozenset[int], view: _Asked) -> frozenset[int]:
        """Return words close to the used ones that only say the same once more: the "country" of "country of citizenship"."""
        near = {place for place in free - used for each in used if abs(view.rank[place] - view.rank[each]) <= NEAR}
        return frozenset(
            place
            for place in {*near, *(view.sort & free)}
            if any(self._like(view.words[place], said) >= SAME for said in own)
        )


def answer(subject: Subject, question: str, *, embedder: Embedder | None = None) -> Answer:
    """Answer a question from what stands for a subject.

    Parameters
    ----------
    subject
        Whose records.
    question
        One question in plain English.
    embedder
        As for `Answerer`, which is what to use for many questions.
    """
    return Answerer(standing(subject), embedder=embedder).answer(question)


def standing(subject: Subject) -> Iterator[Claim]:
    """Yield the records of a subject that are active, in the order in which they were made."""
    after: str | None = None
    order = 0
    while page := subject.records(status=Status.ACTIVE, limit=500, after=after):
        for each in page:
            order += 1
            yield Claim(each.id, each.claim, order)
        after = page[-1].id


def _turns(walk: _Walk, edge: Edge, forward: bool) -> bool:
    """Tell whether a step goes back over the relation that led here: to those who share a value, whom nobody asked for."""
    last = walk.steps[-1] if walk.steps else None
    return last is not None and last.forward != forward and last.edge.kind == edge.kind


def _sort(asked: Sequence[str]) -> frozenset[int]:
    after = {place + 1 for place, each in enumerate(asked) if each in {"which", "what"}}
    return frozenset(
        place for place, each in enumerate(asked) if each == "where" or (place in after and each not in STOPWORDS)
    )


def _spans(asked: Sequence[str], longest: int) -> Iterator[tuple[int, int]]:
    """Yield runs of words, the longest first."""
    for length in range(min(len(asked), longest), 0, -1):
        for start in range(len(asked) - length + 1):
            yield start, start + length


def _order(asked: Sequence[str], start: int, end: int) -> dict[int, int]:
    """Return in which order the words around a name are due.

    From the name to the left and then to the right within its clause; then the clause around that one, and so on. A clause
    begins at a relative word that has something to relate to; where its verb follows at once ("that produced X"), X closes it.
    """
    borders = _borders(asked)
    due: list[int] = []
    left, right = start, end
    for border in sorted((each for each in borders if each < start), reverse=True):
        due += range(left - 1, border - 1, -1)
        if right == end and (border + 1 == start or asked[border + 1] in STOPWORDS):  # "where the author of X was born"
            right = min((each for each in borders if each >= end), default=len(asked))
            due += range(end, right)
        left = border
    due += range(left - 1, -1, -1)
    due += range(right, len(asked))
    rank: dict[int, int] = {}
    number = 0
    for place in due:
        rank[place] = number
        number += asked[place] not in STOPWORDS
    return rank


def _borders(asked: Sequence[str]) -> list[int]:
    """Return where relative clauses begin."""
    return [place for place in range(1, len(asked)) if asked[place] in _RELATIVE and content(asked[:place])]


def _heads(asked: Sequence[str]) -> frozenset[int]:
    before = (border - 2 if asked[border - 1] in _PREPOSITIONS else border - 1 for border in _borders(asked))
    return frozenset(place for place in before if place >= 0 and asked[place] not in STOPWORDS)
