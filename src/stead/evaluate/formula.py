"""The ranking formula with its parts as switches, to measure what each is worth on the scores of the store's own index.

The formula that ships is `stead.recall.fusion`; `Formula()` with every default is the same one, which a test checks.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from stead.index.lexical import Lexical
from stead.index.vectors import Scan
from stead.recall.episodes import POOL
from stead.recall.fusion import DEPTH, FADE, OWN, REACH
from stead.store.values import EpisodeRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """An answer: turns and sessions by their place in the conversation, best first, as far as they were found."""

    turns: Sequence[int]
    sessions: Sequence[int]


@dataclass(frozen=True)
class Layout:
    """The turns of one subject in order, by their place from 0."""

    rows: tuple[EpisodeRow, ...]

    @cached_property
    def place(self) -> dict[int, int]:
        """Return the place of each episode's number."""
        return {row.n: place for place, row in enumerate(self.rows)}

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Return where each session begins and ends."""
        starts = [n for n, row in enumerate(self.rows) if n == 0 or row.conversation != self.rows[n - 1].conversation]
        return list(zip(starts, [*starts[1:], len(self.rows)], strict=True))

    @cached_property
    def session(self) -> list[int]:
        """Return the session of each turn, from 0."""
        return [n for n, (start, end) in enumerate(self.spans) for _ in range(start, end)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """What the index says of every turn for one question."""

    words: Sequence[float]
    plain: Sequence[float]
    """Words without the length floor."""
    cosines: Sequence[float] | None
    candidates: frozenset[int]
    """Those that recall would look at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """The formula's constants; each default is what ships."""

    scale: str = "z"
    """``z`` for deviations above the mean, ``min-max`` for 0 to 1; both over all turns."""
    length_floor: bool = True
    words: float = 1.0
    vectors: float = 1.0
    fade: float = FADE
    """What a neighbour is worth, its square for the second neighbour; 0 for none."""
    prior: float = 1.0
    """What the session is worth; 0 for nothing."""
    depth: int = DEPTH
    """How many turns speak for a session, each half of the one before."""
    pooled: bool = True
    """Whether only what recall looks at is ranked: the best of each search above the floor, and their neighbours."""


def signals(
    words: Lexical, plain: Mapping[int, float], scan: Scan | None, layout: Layout, *, cosine_floor: float
) -> Signals:
    """Lay out what the index found for one question, turn by turn."""
    place, rows = layout.place, layout.rows
    best = [item for item, _ in words.ranked[:POOL]]
    near = [item for item, cosine in scan.best(POOL) if cosine >= cosine_floor] if scan is not None else []
    return Signals(
        words=array("d", [words.scores.get(row.n, 0.0) for row in rows]),
        plain=array("d", [plain.get(row.n, 0.0) for row in rows]),
        cosines=None if scan is None else array("d", [scan.cosine(row.n) or 0.0 for row in rows]),
        candidates=frozenset(place[item] for item in (*best, *near)),
    )


def alone(found: Sequence[tuple[int, float]], layout: Layout) -> Ranking:
    """Return what one search ranks without the other; a session stands where its best turn does."""
    turns = [layout.place[item] for item, _ in found]
    return Ranking(turns=turns, sessions=list(dict.fromkeys(layout.session[turn] for turn in turns)))


@dataclass(frozen=True, slots=True)
class Parts:
    """What the last step adds up: one number for each turn, but for sessions one for each session."""

    layout: Layout
    reached: Sequence[int]
    own: Sequence[float]
    beside: Sequence[Sequence[float]]
    """The better neighbour's own score, one and two steps away."""
    sessions: Sequence[float]
    """As the prior sees them: by what recall looks at."""
    whole: Sequence[float]
    """By all turns: the ranking of sessions."""

    def rank(self, fade: float, prior: float) -> Ranking:
        """Return turns and sessions, best first, equal ones in order."""
        top = max(self.sessions, default=0.0)
        share = [prior * score / top if top else 0.0 for score in self.sessions]
        session, first, second = self.layout.session, *self.beside
        score = [
            own + fade * one + fade * fade * two + share[which]
            for own, one, two, which in zip(self.own, first, second, session, strict=True)
        ]
        return Ranking(turns=sorted(self.reached, key=score.__getitem__, reverse=True), sessions=best_first(self.whole))


def parts(found: Signals, layout: Layout, formula: Formula) -> Parts:
    """Compute everything that doesn't depend on the weights of neighbours and session."""
    own = _own(found, formula)
    whole = _sessions(own, layout, formula.depth)
    if not formula.pooled:
        return Parts(layout, range(len(own)), own, _beside(own, layout), whole, whole)
    own = [score if n in found.candidates else 0.0 for n, score in enumerate(own)]
    reached = sorted({near for n in found.candidates for near in _near(n, layout)})
    return Parts(layout, reached, own, _beside(own, layout), _sessions(own, layout, formula.depth), whole)


def best_first(scores: Sequence[float]) -> list[int]:
    """Return the places of all scores above 0, best first, equal ones in order."""
    return sorted((n for n, value in enumerate(scores) if value > 0), key=scores.__getitem__, reverse=True)


def rank(found: Signals, layout: Layout, formula: Formula) -> Ranking:
    """Rank the turns and the sessions of one question."""
    return parts(found, layout, formula).rank(formula.fade, formula.prior)


def _own(found: Signals, formula: Formula) -> list[float]:
    words = found.words if formula.length_floor else found.plain
    signals = [(formula.words, words), *([] if found.cosines is None else [(formula.vectors, found.cosines)])]
    if formula.scale == "z":
        return [max(0.0, sum(each)) / OWN for each in zip(*(_z(w, xs) for w, xs in signals), strict=True)]
    return [sum(each) for each in zip(*(_min_max(w, xs) for w, xs in signals), strict=True)]


def _z(weight: float, values: Sequence[float]) -> list[float]:
    mean = math.fsum(values) / len(values)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / len(values))
    return [weight * (value - mean) / deviation if deviation > 0 else 0.0 for value in values]


def _min_max(weight: float, values: Sequence[float]) -> list[float]:
    low, high = min(values), max(values)
    return [weight * (value - low) / (high - low) if high > low else 0.0 for value in values]


def _near(turn: int, layout: Layout) -> Iterator[int]:
    start, end = layout.spans[layout.session[turn]]
    yield from range(max(start, turn - REACH), min(end, turn + REACH + 1))


def _beside(own: Sequence[float], layout: Layout) -> list[list[float]]:
    first: list[float] = []
    second: list[float] = []
    for start, end in layout.spans:
        padded = [0.0, 0.0, *own[start:end], 0.0, 0.0]
        first += map(max, padded[1:-3], padded[3:-1])
        second += map(max, padded[:-4], padded[4:])
    return [first, second]


def _sessions(own: Sequence[float], layout: Layout, depth: int) -> list[float]:
    return [
        sum(score * FADE**step for step, score in enumerate(sorted(own[start:end], reverse=True)[:depth]))
        for start, end in layout.spans
    ]


def leave_one_out(goals: Mapping[str, Mapping[Formula, float]]) -> dict[str, Formula]:
    """Return for each conversation the constants that are best on all the others.

    Parameters
    ----------
    goals
        For each conversation, the goal that each choice of constants reaches there. The first of equals is taken.
    """
    return {
        left: max(choices, key=lambda formula: math.fsum(goals[other][formula] for other in goals if other != left))
        for left, choices in goals.items()
    }
