"""Replay LoCoMo conversations into a store, and measure how well recall finds the turns that answer its questions."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from stead.clock import StoryClock
from stead.errors import InvalidArgument
from stead.evaluate.dataset import CATEGORIES, Conversation, load
from stead.evaluate.formula import (
    Formula,
    Layout,
    Ranking,
    Signals,
    alone,
    best_first,
    leave_one_out,
    parts,
    rank,
    signals,
)
from stead.evaluate.metrics import MEASURES, estimate, measure
from stead.evaluate.replay import replayed
from stead.evaluate.report import LEVELS, Report, Row
from stead.ids import seeded_ids
from stead.index.embedders import Embedder
from stead.index.embedders import load as load_embedder
from stead.index.lexical import bm25
from stead.memory import Subject, open_store
from stead.memory.core import Core
from stead.policy import SENSITIVE
from stead.recall.episodes import POOL
from stead.store.protocol import ReadTx

WORDS, VECTORS = "BM25 alone", "vectors alone"
SHIPPED, FITTED = "fusion, shipped constants", "fusion, weights fitted leaving one conversation out"
AS_TURNS, AS_POOL = "fusion, sessions as recall's turns come", "fusion, sessions by recall's candidates alone"
"""Recall returns turns. These are two other ways to read sessions off it; they rank no turns of their own."""
GRID = tuple(
    Formula(vectors=vectors, fade=fade, prior=prior)
    for vectors, fade, prior in itertools.product((0.7, 1.0, 1.4), (0.2, 0.35, 0.5, 0.65), (0.0, 0.5, 1.0, 1.5))
)
"""What the weights are chosen from; the goal is turn recall@10 + turn MRR + session hit@1."""
_PLAIN = Formula(scale="min-max", length_floor=False, fade=0, prior=0, depth=1, pooled=False)
IDEAS = {
    "min-max of BM25 and cosine": _PLAIN,
    "+ length floor": Formula(scale="min-max", fade=0, prior=0, depth=1, pooled=False),
    "+ z instead of min-max": Formula(fade=0, prior=0, depth=1, pooled=False),
    "+ session by three best turns": Formula(fade=0, prior=0, pooled=False),
    "+ neighbours": Formula(prior=0, pooled=False),
    "+ session prior": Formula(pooled=False),
    f"+ {POOL} candidates of each search: as shipped": Formula(),
}
LESS = {
    "no length floor": Formula(length_floor=False),
    "min-max instead of z": Formula(scale="min-max"),
    "session by its best turn": Formula(depth=1),
    "no neighbours": Formula(fade=0),
    "no session prior": Formula(prior=0),
    "no vectors": Formula(vectors=0),
    "no words": Formula(words=0),
}

Progress = Callable[[str], object]
_EVERYTHING = 10**9


def evaluate(
    data: str | Path,
    *,
    embedder: str | Embedder | None = "local",
    ablate: bool = False,
    audited: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Measure evidence retrieval: every question goes through `recall` of a store that holds its conversation.

    BM25 alone and vectors alone are the two searches of the same store. A question is measured if its evidence names at
    least one turn; what an arm doesn't find counts as not found.

    Parameters
    ----------
    data
        The data file, or the folder with it.
    embedder
        As for ``stead.open``. Without one there are no vectors, and nothing is fitted.
    ablate
        Whether to measure the parts of the formula too, one by one.
    audited
        Whether to measure with corrected evidence too. The headline stays with the evidence as it is cited.
    progress
        Told a line after each conversation.

    Raises
    ------
    InvalidArgument, MissingExtra
    """
    conversations = load(data, audited=audited)
    bench = _Bench(model=load_embedder(embedder), ablate=ablate)
    for conversation in conversations:
        bench.add(conversation)
        if progress is not None:
            turns = sum(len(talk.turns) for talk in conversation.sessions)
            progress(f"{conversation.name}: {turns} turns, {len(conversation.questions)} questions")
    if not bench.questions:
        raise InvalidArgument("data", "no question with evidence", "Use the file as its authors published it.")
    return bench.report(conversations, audited=audited)


@dataclass(slots=True, kw_only=True)
class _Question:
    """A question after it was asked; turns and sessions by their place."""

    conversation: str
    category: int
    relevant: Mapping[str, tuple[frozenset[int], frozenset[int]]]
    """By kind of evidence: turns and their sessions."""
    signals: Signals
    layout: Layout
    scores: dict[tuple[str, str, str], tuple[float, ...]] = field(default_factory=dict)
    """By arm, evidence and level."""

    def judge(self, arm: str, ranking: Ranking) -> None:
        for evidence, (turns, _) in self.relevant.items():
            if turns:
                self.scores[arm, evidence, "turn"] = measure(ranking.turns, turns)
        self.judge_sessions(arm, ranking.sessions)

    def judge_sessions(self, arm: str, ranked: Sequence[int]) -> None:
        for evidence, (_, sessions) in self.relevant.items():
            if sessions:
                self.scores[arm, evidence, "session"] = measure(ranked, sessions)


@dataclass(slots=True, kw_only=True)
class _Bench:
    """All conversations asked, and what came of it."""

    model: Embedder | None
    ablate: bool
    questions: list[_Question] = field(default_factory=list)
    goals: dict[str, dict[Formula, float]] = field(default_factory=dict)

    def add(self, conversation: Conversation) -> None:
        """Replay one conversation into a file of its own and ask its questions."""
        clock = StoryClock()
        with TemporaryDirectory(prefix="stead-locomo-") as folder:
            path = Path(folder) / "memory.db"
            with open_store(path, clock=clock, new_id=seeded_ids(1), embedder=self.model) as store:
                core = store._core  # noqa: SLF001 - the arms are measured on the store's own indexes
                store.subject(conversation.name).consent(classes=dict.fromkeys(SENSITIVE, True))
                replayed(conversation, store, clock, review=False)
                asked = list(_ask(conversation, core, store.subject(conversation.name), plain=self.ablate))
        self.questions += asked
        if asked and self.model is not None:
            self.goals[conversation.name] = _goals(asked)
        if self.ablate and self.model is not None:
            for question in asked:
                for name, formula in (IDEAS | LESS).items():
                    question.judge(name, rank(question.signals, question.layout, formula))

    def report(self, conversations: Sequence[Conversation], *, audited: bool) -> Report:
        """Fit what is to be fitted, and add up."""
        fitted = leave_one_out(self.goals) if len(self.goals) > 1 else {}
        for question in self.questions if fitted else ():
            question.judge(FITTED, rank(question.signals, question.layout, fitted[question.conversation]))
        arms = [arm for arm in (WORDS, VECTORS, SHIPPED, FITTED) if (arm, "cited", "turn") in self.questions[0].scores]
        kinds = ("cited", "corrected") if audited else ("cited",)
        ideas = [*IDEAS, *LESS] if self.ablate and self.model is not None else []
        total = sum(len(each.questions) for each in conversations)
        return Report(
            embedder=None if self.model is None else self.model.version.stamp,
            counts={
                "conversations": len(conversations),
                "sessions": sum(len(each.sessions) for each in conversations),
                "turns": sum(len(talk.turns) for each in conversations for talk in each.sessions),
                "questions measured": len(self.questions),
                "questions without evidence left out": total - len(self.questions),
                "citations that name no turn": sum(len(each.unknown) for each in conversations),
            },
            rows=[
                self._row(arm, level, kind, category)
                for kind in kinds
                for category in (None, *self._categories())
                for level in LEVELS
                for arm in (*arms, *(() if category or level == "turn" else (AS_TURNS, AS_POOL)))
            ],
            gains=[self._row(SHIPPED, level, minus=arm) for arm in arms if arm != SHIPPED for level in LEVELS],
            fitted=fitted,
            ideas=[self._row(name, level) for name in ideas for level in LEVELS],
            losses=[self._row(SHIPPED, level, minus=name) for name in LESS if name in ideas for level in LEVELS],
        )

    def _categories(self) -> list[int]:
        there = {each.category for each in self.questions}
        return [each for each in CATEGORIES if each in there]

    def _row(
        self, arm: str, level: str, evidence: str = "cited", category: int | None = None, *, minus: str | None = None
    ) -> Row:
        """Return the means of one arm, or of its difference from another one."""
        key = (arm, evidence, level)
        chosen = [each for each in self.questions if category in {None, each.category} and key in each.scores]
        scores = [each.scores[key] for each in chosen]
        if minus is not None:
            others = [each.scores[minus, evidence, level] for each in chosen]
            scores = [tuple(a - b for a, b in zip(*pair, strict=True)) for pair in zip(scores, others, strict=True)]
        clusters = [each.conversation for each in chosen]
        columns = zip(*scores, strict=True)
        return Row(
            arm=arm if minus is None else minus, level=level, evidence=evidence, category=category,
            questions=len(chosen),
            measures={name: estimate(column, clusters) for name, column in zip(MEASURES, columns, strict=True)},
        )  # fmt: skip


def _ask(conversation: Conversation, core: Core, subject: Subject, *, plain: bool) -> Iterator[_Question]:
    with core.backend.read() as store:
        row = store.subject(subject.name)
        assert row is not None
        layout = Layout(tuple(store.episode_page(row.n, conversation=None, limit=_EVERYTHING, after=None)))
    turns = {each.turn: place for place, each in enumerate(layout.rows)}
    for asked in conversation.questions:
        if not asked.evidence:
            continue
        vector = None if core.embedder is None else core.embedder.embed_query(asked.text)
        with core.backend.read() as store:
            found, rankings = _search(store, core, subject.name, layout, asked.text, vector, plain=plain)
        question = _Question(
            conversation=conversation.name, category=asked.category, signals=found, layout=layout,
            relevant={
                kind: _relevant([turns[each] for each in ids], layout)
                for kind, ids in (("cited", asked.evidence), ("corrected", asked.corrected))
            },
        )  # fmt: skip
        for arm, ranking in rankings.items():
            question.judge(arm, ranking)
        budget = {"facts": 0, "episodes": len(layout.rows), "tokens": _EVERYTHING}
        context = subject.recall(asked.text, budget=budget, query_vector=vector)
        order, ready = [turns[each.turn] for each in context.episodes], parts(found, layout, Formula())
        question.judge(SHIPPED, Ranking(turns=order, sessions=best_first(ready.whole)))
        question.judge_sessions(AS_TURNS, list(dict.fromkeys(layout.session[turn] for turn in order)))
        question.judge_sessions(AS_POOL, best_first(ready.sessions))
        yield question


def _relevant(turns: Sequence[int], layout: Layout) -> tuple[frozenset[int], frozenset[int]]:
    return frozenset(turns), frozenset(layout.session[turn] for turn in turns)


def _search(
    store: ReadTx, core: Core, name: str, layout: Layout, text: str, vector: object, *, plain: bool
) -> tuple[Signals, dict[str, Ranking]]:
    """Ask the two searches by themselves."""
    subject = store.subject(name)
    assert subject is not None
    words = bm25(store, "episodes", subject.n, text, None)
    rankings = {WORDS: alone(words.ranked, layout)}
    scan, floor = None, 0.0
    if core.embedder is not None:
        floor = core.embedder.floor
        scan = core.vectors.scan(store, "episodes", subject, core.embedder.version.stamp, vector)
    if scan is not None:
        rankings[VECTORS] = alone(scan.best(len(scan)), layout)
    without = bm25(store, "episodes", subject.n, text, None, short=0).scores if plain else {}
    return signals(words, without, scan, layout, cosine_floor=floor), rankings


def _goals(asked: Sequence[_Question]) -> dict[Formula, float]:
    """Return what each choice of weights reaches on one conversation: a mean, so that each conversation counts the same."""
    totals: dict[Formula, float] = defaultdict(float)
    for question in asked:
        turns, sessions = question.relevant["cited"]
        by_vectors = itertools.groupby(GRID, key=lambda formula: formula.vectors)
        for _, formulas in by_vectors:
            group = list(formulas)
            ready = parts(question.signals, question.layout, group[0])
            for formula in group:
                ranking = ready.rank(formula.fade, formula.prior)
                found = dict(zip(MEASURES, measure(ranking.turns, turns), strict=True))
                first = measure(ranking.sessions[:1], sessions)[MEASURES.index("hit@1")]
                totals[formula] += found["recall@10"] + found["mrr"] + first
    return {formula: total / len(asked) for formula, total in totals.items()}
