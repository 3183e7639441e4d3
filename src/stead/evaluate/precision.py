"""Whether recall returns what was asked for and nothing else: PrecisionMemBench through the public API.

How its world is put into Stead's, from its documentation and runner and not from its cases:

================  ========================================================================================================
belief            one claim without a slot, with the words that the runner sends to every memory: name, aliases, content, why
alias             an `alias` of the belief's name too, which the runner sends beside the words; what names two beliefs, as one
                  word does in two scopes, means the first of them (R21), and the words of the other still have it
user              a subject of the same store
scope             a scope of one segment, called the same; several scopes are asked one after the other and their answers
                  interleaved by rank, as the runner does
superseded        the chain is written in order; each next belief is a `correct` with ``meaning="changed"`` of the one before
resolved          holds until then
pinned            the category ``pinned``, looked up for a tier of its own whatever the query, in the seed's order as the runner
                  lists it, and left out of the relevant one
open question     the category ``open question`` and the audience ``questions``: a tier of its own, which no agent's words find
edited by a user  authority ``confirmed``; everything else is ``stated``
new aliases       `correct` with the belief's words and the new ones, and an `alias` for each
relation          its participants in the asked scopes join the relevant tier behind it; the runner does this for every memory
persona           what is known in the scope ``user:universal``, as one text; the runner has a constant text of its own here
================  ========================================================================================================
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Self

from stead.clock import StoryClock
from stead.errors import IllegalTransition, InvalidArgument
from stead.evaluate.precision_cases import Belief, Case, Given, Judged, beliefs, cases, judge, sessions
from stead.ids import seeded_ids
from stead.index.embedders import Embedder
from stead.index.embedders import load as load_embedder
from stead.memory import Store, Subject, open_store
from stead.model.alias import folded
from stead.model.context import Budget
from stead.model.period import from_datetime
from stead.policy import SENSITIVE
from stead.recall.names import as_read

PINNED, QUESTION, ASKING = "pinned", "open question", "questions"
UNIVERSAL = "user:universal"
TEXTS: Mapping[str, tuple[str, ...]] = {
    "all": ("name", "aliases", "content", "why"), "names": ("name", "aliases"), "content": ("content",),
}  # fmt: skip
"""What of a belief is written. The runner sends all of it; the other two are there to see what the rest is worth."""
NOW = datetime(2026, 11, 1, tzinfo=UTC)
"""When the questions are asked: after the last change of the seed."""
_EVERYTHING = Budget(facts=1_000, episodes=0, tokens=100_000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All verdicts."""

    text: str
    embedder: str
    judged: tuple[Judged, ...]
    turns: tuple[Judged, ...]
    not_standing: int
    """Beliefs that the write policy didn't let stand."""
    not_aliases: int
    """Aliases that mean another belief already."""

    @property
    def passed(self) -> int:
        """How many cases pass; turns of sessions apart."""
        return sum(each.passed for each in self.judged)

    @property
    def precision(self) -> float | None:
        """The mean over the cases where something is expected or came."""
        return _mean(each.precision for each in self.judged)

    @property
    def recall(self) -> float | None:
        """The mean over the cases where something is expected."""
        return _mean(each.recall for each in self.judged)

    def by_category(self) -> dict[str, list[Judged]]:
        """Return the cases by category, the largest first."""
        groups: dict[str, list[Judged]] = defaultdict(list)
        for each in self.judged:
            groups[each.category].append(each)
        return dict(sorted(groups.items(), key=lambda pair: (-len(pair[1]), pair[0])))

    def as_dict(self) -> dict[str, object]:
        """Return everything as JSON carries it; no words of the data."""
        return {
            "text": self.text, "embedder": self.embedder, "cases": len(self.judged), "passed": self.passed,
            "precision": _rounded(self.precision), "recall": _rounded(self.recall), "not_standing": self.not_standing,
            "not_aliases": self.not_aliases,
            "turns": len(self.turns), "turns_passed": sum(each.passed for each in self.turns),
            "categories": [
                {
                    "category": name, "cases": len(group), "passed": sum(each.passed for each in group),
                    "precision": _rounded(_mean(each.precision for each in group)),
                    "failures": dict(Counter(kind for each in group for kind in set(each.failures))),
                }
                for name, group in self.by_category().items()
            ],
            "rows": [
                {"case": each.case, "failures": list(each.failures), "precision": _rounded(each.precision)}
                for each in (*self.judged, *self.turns)
            ],
        }  # fmt: skip

    def lines(self) -> Iterator[str]:
        """Yield a table for people."""
        turns = f"{sum(each.passed for each in self.turns)} of {len(self.turns)} turns of sessions"
        yield f"PrecisionMemBench: {self.passed} of {len(self.judged)} cases pass, {turns}"
        yield f"mean precision {_figure(self.precision)}, mean recall {_figure(self.recall)}"
        yield f"written: {self.text}; embedder: {self.embedder}"
        yield f"beliefs that don't stand: {self.not_standing}; aliases that mean another belief: {self.not_aliases}"
        yield f"  {'category':<34}  passed  precision  why not (cases)"
        for name, group in self.by_category().items():
            why = Counter(kind for each in group for kind in set(each.failures))
            listed = ", ".join(f"{kind} {count}" for kind, count in sorted(why.items()))
            precision = _figure(_mean(each.precision for each in group))
            yield f"  {name:<34}  {sum(each.passed for each in group):>2} / {len(group):<2}  {precision:>9}  {listed}".rstrip()


def _mean(values: Iterable[float | None]) -> float | None:
    known = [each for each in values if each is not None]
    return fmean(known) if known else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def evaluate(data: str | Path, *, embedder: str | Embedder | None = "auto", text: str = "all") -> Report:
    """Write the beliefs, ask every case, and play the sessions in a store of their own.

    Parameters
    ----------
    data
        The folder with the published files.
    embedder
        As for ``stead.open``.
    text
        What of a belief is written, one of `TEXTS`.

    Raises
    ------
    InvalidArgument
        A file is missing or isn't what it should be, or there is no such text.
    """
    if text not in TEXTS:
        raise InvalidArgument("text", "unknown", f"Use one of: {', '.join(TEXTS)}.")
    model = load_embedder(embedder)
    seed, asked, played = beliefs(data), cases(data), sessions(data)
    pinned = frozenset(each.id for each in seed if each.pinned)
    judged, turns = [], []
    with _world(seed, model, text) as world:
        judged += [judge(case, world.ask(case), pinned) for case in asked]
        waiting, taken = world.not_standing, world.not_aliases
    with _world(seed, model, text) as world:
        for turn in (turn for session in played for turn in session):
            turns.append(judge(turn, world.ask(turn), pinned))
            world.change(turn)
    return Report(
        text=text, embedder=model.version.stamp if model else "none", judged=tuple(judged), turns=tuple(turns),
        not_standing=waiting, not_aliases=taken,
    )  # fmt: skip


@dataclass
class _World:
    """A store that holds the beliefs."""

    store: Store
    clock: StoryClock
    text: str
    folder: TemporaryDirectory[str]
    known: dict[str, Belief] = field(default_factory=dict)
    record: dict[str, str] = field(default_factory=dict)
    """The record of each belief."""
    belief: dict[str, str] = field(default_factory=dict)
    """The belief of each record."""
    not_standing: int = 0
    not_aliases: int = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.store.close()
        self.folder.cleanup()

    def _subject(self, user: str) -> Subject:
        return self.store.subject(user)

    def seed(self, given: Sequence[Belief]) -> None:
        """Write the beliefs in the order in which they came to be; what is superseded takes the tier of what superseded it."""
        self.known = {each.id: each for each in given}
        before = {each.superseded_by: each.id for each in given if each.superseded_by is not None}
        for user in {each.user for each in given}:
            self._subject(user).consent(classes=dict.fromkeys(SENSITIVE, True))
        for each in sorted(given, key=lambda belief: (belief.created_at, belief.id)):
            self.clock.instant = max(self.clock.instant + 1, from_datetime(each.created_at))
            old = self.record.get(before.get(each.id, ""))
            if old is None:
                self._remember(each)
            else:
                outcome = self._subject(each.user).correct(old, self._words(each), meaning="changed")
                self._note(each, outcome.record, outcome.status)
            self._name(each)
        self.clock.instant = from_datetime(NOW)

    def _remember(self, belief: Belief) -> None:
        head = belief
        while head.superseded_by is not None and head.superseded_by in self.known:
            head = self.known[head.superseded_by]
        category = QUESTION if belief.is_question else PINNED if head.pinned else None
        outcome = self._subject(belief.user).remember(
            self._words(belief), scope=belief.scope, category=category, audience=ASKING if belief.is_question else None,
            authority="confirmed" if belief.edited else "stated", confidence=belief.confidence,
            kind="preference" if belief.type == "preference" else "fact", valid_until=belief.resolved_at,
        )  # fmt: skip
        self._note(belief, outcome.record, outcome.status)

    def _note(self, belief: Belief, record: str | None, status: str | None) -> None:
        self.not_standing += status != "active"
        if record is not None:
            self.record[belief.id], self.belief[record] = record, belief.id

    def _name(self, belief: Belief) -> None:
        """Lay the belief's aliases, as far as they mean nothing else."""
        subject, means = self._subject(belief.user), belief.name.replace("_", " ")
        for each in belief.aliases:
            if folded(each) == folded(means) or as_read(each) == as_read(means):
                continue  # two spellings of one name
            self.clock.instant += 1
            try:
                subject.alias(each, means=means)
            except IllegalTransition:
                self.not_aliases += 1

    def _words(self, belief: Belief) -> str:
        parts = {"name": [belief.name], "aliases": belief.aliases, "content": [belief.content], "why": [belief.why]}
        return " ".join(each for part in TEXTS[self.text] for each in parts[part] if each)

    def change(self, turn: Case) -> None:
        """Do what a turn of a session does to the beliefs."""
        self.clock.instant += 60_000_000
        if turn.create is not None:
            self.known[turn.create.id] = turn.create
            self._remember(turn.create)
            self._name(turn.create)
        if turn.aliases is not None and turn.aliases[0] in self.record:
            old = self.known[turn.aliases[0]]
            new = replace(old, aliases=tuple(dict.fromkeys((*old.aliases, *turn.aliases[1]))))
            self.known[new.id] = new
            if self._words(new) != self._words(old):
                outcome = self._subject(new.user).correct(self.record[new.id], self._words(new), meaning="changed")
                self._note(new, outcome.record, outcome.status)
                self._name(new)

    def ask(self, case: Case) -> Given:
        """Return the tiers for one case, put together as the runner does."""
        subject = self._subject(case.user)
        pinned = self._listed(subject, case.scopes, PINNED, None)
        relevant = self._relevant(subject, case, frozenset(pinned))
        pinned = pinned[: case.most]
        return Given(
            pinned=tuple(pinned), relevant=tuple(relevant[: max(0, case.most - len(pinned))]),
            questions=tuple(
                each for each in self._listed(subject, case.scopes, QUESTION, ASKING) if self.known[each].pinned
            ),
            prelude=" ".join(each.claim for each in subject.recall(scope=UNIVERSAL, budget=_EVERYTHING).facts),
        )  # fmt: skip

    def _listed(self, subject: Subject, scopes: Sequence[str], category: str, audience: str | None) -> list[str]:
        found = [
            self.belief.get(each.id, each.id)
            for scope in scopes
            for each in subject.recall(category=category, scope=scope, audience=audience, budget=_EVERYTHING).facts
        ]
        place = {each: n for n, each in enumerate(self.known)}
        return sorted(set(found), key=lambda each: place.get(each, len(place)))

    def _relevant(self, subject: Subject, case: Case, pinned: frozenset[str]) -> list[str]:
        if not case.query.strip() or case.most == 0:
            return []
        budget = replace(_EVERYTHING, facts=case.most)
        ranked = [
            [
                self.belief.get(each.id, each.id)
                for each in subject.recall(case.query, scope=scope, budget=budget).facts
                if self.belief.get(each.id) not in pinned
            ]
            for scope in case.scopes
        ]
        found = list(dict.fromkeys(each for rank in zip_longest(*ranked) for each in rank if each is not None))[
            : case.most
        ]
        return found + list(self._participants(found, case, {*found, *pinned}))

    def _participants(self, found: Sequence[str], case: Case, seen: set[str]) -> Iterator[str]:
        for relation in (self.known[each] for each in found if each in self.known):
            for each in relation.participants if relation.type == "relation" else ():
                other = self.known.get(each)
                if other is None or other.is_question or each in seen or other.user != case.user:
                    continue
                if other.scope in case.scopes:
                    seen.add(each)
                    yield each


def _world(seed: Sequence[Belief], model: Embedder | None, text: str) -> _World:
    folder = TemporaryDirectory(prefix="stead-precision-")
    clock = StoryClock()
    store = open_store(
        Path(folder.name) / "memory.db", embedder=model or "none", clock=clock, new_id=seeded_ids(1)
    )  # fmt: skip
    world = _World(store=store, clock=clock, text=text, folder=folder)
    world.seed(seed)
    return world
