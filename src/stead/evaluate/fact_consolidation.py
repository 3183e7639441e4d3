"""Conflict resolution on numbered facts (MemoryAgentBench, FactConsolidation): the higher number is newer.

Each fact is one `remember` by one speaker, in order, into a store of its own in a temporary folder, without a slot and without
an embedder; every sensitivity class is allowed, since the facts are about public persons. Questions are answered from the
records that stand in the end, by `stead.evaluate.answering`, without a model. Nothing here or there was written for this set.

The baseline reads the bare list instead: BM25 (k1 1.2, b 0.75, the store's own words) over all facts with the words of the
question; of the facts with at least nine tenths of the best score the one with the highest number is the reply, whole.

What contradicts what is defined in `stead.evaluate.fact_consolidation_truth`, as is what counts as right.
"""

from __future__ import annotations

import json
import math
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from stead.clock import StoryClock
from stead.errors import InvalidArgument
from stead.evaluate.answering import Answer, Answerer, standing
from stead.evaluate.entries import items, text, wrong
from stead.evaluate.fact_consolidation_truth import contradicts, is_right, superseding
from stead.ids import seeded_ids
from stead.index.embedders import Embedder
from stead.index.embedders import load as load_embedder
from stead.memory import Subject, open_store
from stead.model.context import Budget
from stead.model.outcome import Decision
from stead.model.record import Record, Status
from stead.model.words import tokens
from stead.policy import SENSITIVE

HOPS: Mapping[str, str] = {"sh": "one hop", "mh": "several hops"}
_NAME = re.compile(r"(sh|mh)_(\w+)\.json\Z")
_FACT = re.compile(r"^(\d+)\. (.+)$", re.MULTILINE)
K1, B, SHARE = 1.2, 0.75, 0.9
_SECOND = 1_000_000

Progress = Callable[[str], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactSet:
    """One file."""

    name: str
    hops: str
    facts: tuple[str, ...]
    questions: tuple[str, ...]
    answers: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one file came to."""

    name: str
    hops: str
    facts: int
    kept: int
    """Records that were made; a fact that repeats one makes none."""
    turned_away: int
    """Facts that the write policy didn't let stand."""
    seconds: float
    """What all the writes took."""
    questions: int
    right: int
    silent: int
    """Questions without any answer."""
    baseline: int
    pairs: int
    """Facts that a later one contradicts."""
    superseded: int
    """Records that the writes ended."""
    superseded_rightly: int
    found: int
    """Contradicted facts whose record the writes ended."""
    served: int
    """Ended records that recall still gives as facts when it is asked in their own words; must be 0."""
    stale: int
    """Contradicted facts that recall gives, those included that the writes missed."""
    stale_answers: int
    """Answers that went over a contradicted fact."""
    unread: int
    """Records that stand and have no frame: no answer goes over them."""

    @property
    def precision(self) -> float:
        """Rightly ended of what was ended; 1 where nothing was."""
        return self.superseded_rightly / self.superseded if self.superseded else 1.0

    @property
    def recall(self) -> float:
        """Ended of what is contradicted; 1 where nothing is."""
        return self.found / self.pairs if self.pairs else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All files."""

    rows: tuple[Row, ...]

    def as_dict(self) -> dict[str, object]:
        """Return everything as JSON carries it."""
        return {"sets": [_row(each) for each in self.rows]}

    def lines(self) -> Iterator[str]:
        """Yield tables for people."""
        yield "accuracy: any of the answers stands in the reply; baseline: newest of the best BM25 hits"
        yield f"  {'set':<8}  {'questions':<12}  {'of':>4}  {'right':>6}  {'baseline':>8}  {'silent':>6}  {'stale':>5}"
        for each in self.rows:
            of = each.questions or 1
            shares = f"{100 * each.right / of:6.1f}  {100 * each.baseline / of:8.1f}"
            yield f"  {each.name:<8}  {each.hops:<12}  {each.questions:>4}  {shares}  {each.silent:>6}  {each.stale_answers:>5}"
        yield "writes: contradictions found and what recall serves of what was superseded"
        yield (
            f"  {'set':<8}  {'facts':>5}  {'kept':>5}  {'away':>4}  {'pairs':>5}  {'ended':>5}  {'precision':>9}  {'recall':>6}"
            f"  {'served':>6}  {'stale':>5}  {'unread':>6}  {'writes/s':>8}"
        )
        for each in self.rows:
            counts = f"{each.facts:>5}  {each.kept:>5}  {each.turned_away:>4}  {each.pairs:>5}  {each.superseded:>5}"
            quality = f"{each.precision:9.3f}  {each.recall:6.3f}  {each.served:>6}  {each.stale:>5}  {each.unread:>6}"
            yield f"  {each.name:<8}  {counts}  {quality}  {each.facts / each.seconds if each.seconds else 0:8.0f}"


def load(path: str | Path) -> list[FactSet]:
    """Read the sets.

    Parameters
    ----------
    path
        One file, or the folder with ``sh_6k.json``, ``mh_6k.json``, ``sh_32k.json``, ``mh_32k.json``.

    Raises
    ------
    InvalidArgument
        No such file, or it isn't what it should be; the message says where, never what stands there.
    """
    place = Path(path)
    files = [place] if place.is_file() else sorted(place.glob("*.json"), key=_by_size)
    sets = [_set(file) for file in files if _NAME.search(file.name)]
    if not sets:
        raise InvalidArgument(
            "data", "no sh_*.json or mh_*.json there", "Name the folder that holds the published files."
        )
    return sets


def _by_size(file: Path) -> tuple[int, str]:
    return file.stat().st_size, file.name


def _set(file: Path) -> FactSet:
    kind, name = file.name[:2], file.stem
    try:
        raw = json.loads(file.read_bytes())
    except (UnicodeDecodeError, json.JSONDecodeError):
        raise wrong(name, "not JSON") from None
    if not isinstance(raw, Mapping):
        raise wrong(name, "not an object")
    numbered = _FACT.findall(text(raw, "context", name))
    if [int(number) for number, _ in numbered] != list(range(len(numbered))) or not numbered:
        raise wrong(f"{name}.context", "not facts numbered from 0")
    questions, answers = items(raw, "questions", name), items(raw, "answers", name)
    if len(questions) != len(answers) or not all(isinstance(each, str) for each in questions):
        raise wrong(f"{name}.questions", "not one text for each of the answers")
    return FactSet(
        name=name, hops=HOPS[kind], facts=tuple(fact.strip() for _, fact in numbered), questions=tuple(questions),
        answers=tuple(_answers(each, f"{name}.answers[{n}]") for n, each in enumerate(answers)),
    )  # fmt: skip


def _answers(raw: object, where: str) -> tuple[str, ...]:
    listed = [raw] if isinstance(raw, str) else raw
    if not isinstance(listed, list) or not listed or not all(isinstance(each, str) for each in listed):
        raise wrong(where, "not a text or a list of texts")
    return tuple(listed)


def evaluate(
    sets: Sequence[FactSet],
    *,
    embedder: str | Embedder | None = "auto",
    progress: Progress | None = None,
) -> Report:
    """Write every set and ask its questions.

    Parameters
    ----------
    sets
        As `load` gives them.
    embedder
        Lets words of near meaning count in answers; it has no part in the writes.
    progress
        Told a line after each set.
    """
    model = load_embedder(embedder)
    rows: list[Row] = []
    for each in sets:
        with TemporaryDirectory(prefix="stead-facts-") as folder:
            rows.append(_played(each, Path(folder) / "memory.db", model))
        if progress is not None:
            progress(f"{each.name}: {len(each.facts)} facts, {len(each.questions)} questions")
    return Report(rows=tuple(rows))


def _played(given: FactSet, file: Path, model: Embedder | None) -> Row:
    clock = StoryClock(_SECOND)
    with open_store(file, embedder="none", clock=clock, new_id=seeded_ids(1)) as store:
        subject = store.subject("world")
        subject.consent(classes=dict.fromkeys(SENSITIVE, True))
        made, away, seconds = _written(subject, given.facts, clock)
        records = {each.id: each for each in _records(subject)}
        truth = superseding(given.facts)
        ended = {made[each.id]: made[each.superseded_by] for each in records.values() if each.superseded_by in made}
        gone = {number: _recalled(subject, given.facts[number], made) for number in truth}
        stands = Answerer(standing(subject), embedder=model)
        replies = [stands.answer(each) for each in given.questions]
    baseline = _Baseline(given.facts)
    score = partial(_score, given)
    return Row(
        name=given.name, hops=given.hops, facts=len(given.facts), kept=len(records), turned_away=away, seconds=seconds,
        questions=len(given.questions), right=score([each.text for each in replies]),
        silent=sum(not each.text for each in replies),
        baseline=score([baseline.newest(each) for each in given.questions]), pairs=len(truth), superseded=len(ended),
        superseded_rightly=sum(contradicts(given.facts[old], given.facts[new]) for old, new in ended.items()),
        found=sum(number in ended for number in truth),
        served=sum(number in shown and number in ended for number, shown in gone.items()),
        stale=sum(number in shown for number, shown in gone.items()),
        stale_answers=sum(_is_stale(each, made, truth) for each in replies), unread=stands.graph.unread,
    )  # fmt: skip


def _score(given: FactSet, replies: Sequence[str]) -> int:
    return sum(is_right(reply, answers) for reply, answers in zip(replies, given.answers, strict=True))


def _written(subject: Subject, facts: Sequence[str], clock: StoryClock) -> tuple[dict[str, int], int, float]:
    """Write the facts; return which fact made each record, how many made none for a rule's sake, and the time."""
    made: dict[str, int] = {}
    away, spent = 0, 0.0
    for number, fact in enumerate(facts):
        clock.instant += _SECOND
        start = time.perf_counter()
        outcome = subject.remember(fact)
        spent += time.perf_counter() - start
        stands = outcome.status in (Status.ACTIVE, Status.CONTESTED)
        away += not stands
        if outcome.record is not None and outcome.decision is not Decision.NOOP:
            made.setdefault(outcome.record, number)
    return made, away, spent


def _records(subject: Subject) -> Iterator[Record]:
    after: str | None = None
    while page := subject.records(limit=500, after=after):
        yield from page
        after = page[-1].id


def _recalled(subject: Subject, fact: str, made: Mapping[str, int]) -> set[int]:
    """Return the facts that recall gives for the words of one."""
    found = subject.recall(fact, budget=Budget(facts=20, episodes=0, tokens=20_000))
    return {made[each.id] for each in found.facts if each.id in made}


def _is_stale(reply: Answer, made: Mapping[str, int], truth: Mapping[int, int]) -> bool:
    return any(made.get(each) in truth for each in reply.records)


class _Baseline:
    """BM25 over a list of facts; the newest of the best."""

    def __init__(self, facts: Sequence[str]) -> None:
        self._facts = facts
        self._words = [Counter(tokens(each)) for each in facts]
        self._lengths = [sum(each.values()) for each in self._words]
        self._mean = sum(self._lengths) / len(facts)
        self._holding = Counter(word for each in self._words for word in each)

    def newest(self, question: str) -> str:
        """Return the fact; nothing where no word occurs."""
        asked = set(tokens(question))
        scores = [self._score(asked, number) for number in range(len(self._facts))]
        best = max(scores)
        if best <= 0:
            return ""
        return self._facts[max(number for number, score in enumerate(scores) if score >= SHARE * best)]

    def _score(self, asked: set[str], number: int) -> float:
        found, total = self._words[number], 0.0
        damping = K1 * (1 - B + B * self._lengths[number] / self._mean)
        for word in asked & found.keys():
            holding = self._holding[word]
            weight = math.log(1 + (len(self._facts) - holding + 0.5) / (holding + 0.5))
            total += weight * found[word] * (K1 + 1) / (found[word] + damping)
        return total


def _row(row: Row) -> dict[str, object]:
    counts = {name: getattr(row, name) for name in Row.__dataclass_fields__}
    of = row.questions or 1
    return counts | {
        "seconds": round(row.seconds, 3), "accuracy": round(row.right / of, 4),
        "baseline_accuracy": round(row.baseline / of, 4), "precision": round(row.precision, 4),
        "recall": round(row.recall, 4), "writes_per_second": round(row.facts / row.seconds) if row.seconds else None,
    }  # fmt: skip
