"""The files of PrecisionMemBench, read strictly, and its verdict on one answer, as its published runner gives it.

Flynt 2026, arXiv:2605.11325; ``tenurehq/precisionMemBench``. The files are not part of Stead.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from stead.evaluate.entries import entries, items, number, text, wrong

BELIEFS, CASES, SESSIONS = "beliefs.seed.json", "retrieval.cases.json", "session-retrieval.cases.json"
USER = "test-user"
"""Who asks where a case doesn't say."""
SESSION_CATEGORY = "Session-level noise isolation"
MOST_BELIEFS = 20
"""The budget where a case has none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Belief:
    """One belief of the seed."""

    id: str
    user: str
    type: str
    name: str
    aliases: tuple[str, ...]
    content: str
    why: str
    scope: str
    pinned: bool
    edited: bool
    confidence: float
    superseded_by: str | None
    resolved_at: datetime | None
    created_at: datetime
    participants: tuple[str, ...]

    @property
    def is_question(self) -> bool:
        """Tell whether it is an open question, which no search by words returns."""
        return self.type == "open_question"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One query and what is expected of the answer."""

    id: str
    category: str
    user: str
    scopes: tuple[str, ...]
    query: str
    most: int
    expect: Mapping[str, Mapping[str, Any]]
    create: Belief | None = None
    """Of a session's turn: a belief that is written after it."""
    aliases: tuple[str, tuple[str, ...]] | None = None
    """Of a session's turn: a belief and the aliases that it gets after it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What a memory answers to one case, as ids of beliefs."""

    pinned: tuple[str, ...]
    relevant: tuple[str, ...]
    questions: tuple[str, ...]
    prelude: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The verdict on one case."""

    case: str
    category: str
    failures: tuple[str, ...]
    """Kinds of what is wrong, one for each thing: ``extra``, ``missing``, ``forbidden``, ``order``, ``pinned``, ``question``,
    ``prelude``."""
    precision: float | None
    recall: float | None

    @property
    def passed(self) -> bool:
        """Tell whether nothing is wrong."""
        return not self.failures


def beliefs(path: str | Path) -> list[Belief]:
    """Read the seed.

    Raises
    ------
    InvalidArgument
    """
    return [_belief(raw, where) for where, raw in entries(path, BELIEFS)]


def cases(path: str | Path) -> list[Case]:
    """Read the cases.

    Raises
    ------
    InvalidArgument
    """
    return [
        Case(
            id=text(raw, "caseId", where), category=text(raw, "category", where), user=str(raw.get("userId") or USER),
            scopes=tuple(_texts(raw, "scope", where)), query=str(raw.get("query", "")),
            most=number(_mapping(raw, "budget", where) or {"maxBeliefs": MOST_BELIEFS}, "maxBeliefs", f"{where}.budget"),
            expect=_expect(raw, where),
        )
        for where, raw in entries(path, CASES)
    ]  # fmt: skip


def sessions(path: str | Path) -> list[list[Case]]:
    """Read the sessions, each as its turns in order.

    Raises
    ------
    InvalidArgument
    """
    return [
        [
            _turn(turn, f"{where}.turns[{n}]", text(raw, "caseId", where))
            for n, turn in enumerate(items(raw, "turns", where))
        ]
        for where, raw in entries(path, SESSIONS)
    ]


def _turn(raw: object, where: str, name: str) -> Case:
    if not isinstance(raw, Mapping):
        raise wrong(where, "not an object")
    created = _mapping(raw, "createBeliefAtTurn", where)
    update = _mapping(raw, "updateBeliefAtTurn", where)
    return Case(
        id=f"{name}#{number(raw, 'turnIndex', where)}", category=SESSION_CATEGORY, user=USER,
        scopes=tuple(_texts(raw, "scope", where)), query=text(raw, "userMessage", where), most=MOST_BELIEFS,
        expect=_expect(raw, where), create=_belief(created, f"{where}.createBeliefAtTurn") if created else None,
        aliases=(text(update, "beliefId", where), tuple(_texts(update, "addAliases", where))) if update else None,
    )  # fmt: skip


def _belief(raw: Mapping[str, Any], where: str) -> Belief:
    scopes = _texts(raw, "scope", where)
    if len(scopes) != 1:
        raise wrong(f"{where}.scope", "not exactly one scope")
    created = _when(raw, "created_at", where)
    if created is None:
        raise wrong(f"{where}.created_at", "missing")
    return Belief(
        id=text(raw, "_id", where), user=text(raw, "user_id", where), type=text(raw, "type", where),
        name=text(raw, "canonical_name", where), aliases=tuple(_texts(raw, "aliases", where)),
        content=text(raw, "content", where), why=str(raw.get("why_it_matters") or ""), scope=scopes[0],
        pinned=raw.get("pinned") is True, edited=raw.get("user_edited") is True,
        confidence=float(raw.get("confidence", 1.0)), superseded_by=raw.get("superseded_by"),
        resolved_at=_when(raw, "resolved_at", where), created_at=created,
        participants=tuple(_texts(raw, "participants", where)) if "participants" in raw else (),
    )  # fmt: skip


def _expect(raw: Mapping[str, Any], where: str) -> Mapping[str, Mapping[str, Any]]:
    found = _mapping(raw, "expect", where)
    return {name: each for name, each in found.items() if isinstance(each, Mapping)}


def _mapping(raw: Mapping[str, Any], name: str, where: str) -> Mapping[str, Any]:
    found = raw.get(name) or {}
    if not isinstance(found, Mapping):
        raise wrong(f"{where}.{name}", "not an object")
    return found


def _texts(raw: Mapping[str, Any], name: str, where: str) -> list[str]:
    found = items(raw, name, where)
    if not all(isinstance(each, str) for each in found):
        raise wrong(f"{where}.{name}", "not a list of texts")
    return cast("list[str]", found)


def _when(raw: Mapping[str, Any], name: str, where: str) -> datetime | None:
    given = raw.get(name)
    if given is None:
        return None
    try:
        found: datetime | None = datetime.fromisoformat(str(given))
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise wrong(f"{where}.{name}", "not a time with its zone")
    return found


def judge(case: Case, given: Given, pinned_in_seed: frozenset[str]) -> Judged:
    """Return the verdict of the published runner.

    A case passes where every assertion on every tier holds. Precision and recall are those of the relevant tier alone, against
    ``shouldOnlyInclude``, or else what must be included and isn't pinned; precision is None where nothing is expected and nothing
    came.
    """
    asked = case.expect.get("relevantBeliefs", {})
    relevant, seen = set(given.relevant), {*given.relevant, *given.pinned}
    only = asked.get("shouldOnlyInclude")
    expected = set(only) if only is not None else set(asked.get("mustInclude", ())) - pinned_in_seed
    hits = len(expected & relevant)
    failures = [
        *_relevant(asked, given, seen),
        *_tiers(case, given),
        *_noise(case, seen),
        *_prelude(case, given.prelude),
    ]
    return Judged(
        case=case.id, category=case.category, failures=tuple(failures),
        precision=(hits / len(relevant) if relevant else 0.0) if relevant or expected else None,
        recall=hits / len(expected) if expected else None,
    )  # fmt: skip


def _relevant(asked: Mapping[str, Any], given: Given, seen: set[str]) -> Iterator[str]:
    relevant = set(given.relevant)
    yield from (
        "missing" for each in [*asked.get("mustInclude", ()), *asked.get("shouldInclude", ())] if each not in seen
    )
    yield from ("forbidden" for each in asked.get("mustExclude", ()) if each in seen)
    only = asked.get("shouldOnlyInclude")
    if only is not None:
        yield from ("extra" for _ in relevant - set(only))
        yield from ("missing" for _ in set(only) - relevant)
    if len(relevant) > asked.get("maxCount", len(relevant)):
        yield "extra"
    if len(relevant) < asked.get("minCount", 0):
        yield "missing"
    for first, second in asked.get("orderedBefore", ()):
        if not {first, second} <= relevant or given.relevant.index(first) >= given.relevant.index(second):
            yield "order"


def _tiers(case: Case, given: Given) -> Iterator[str]:
    tiers: Sequence[tuple[str, str, tuple[str, ...]]] = (
        ("pinnedFacts", "pinned", given.pinned), ("openQuestions", "question", given.questions),
    )  # fmt: skip
    for tier, kind, got in tiers:
        asked = case.expect.get(tier, {})
        yield from (kind for each in asked.get("mustInclude", ()) if each not in got)
        yield from (kind for each in asked.get("mustExclude", ()) if each in got)


def _noise(case: Case, seen: set[str]) -> Iterator[str]:
    unwanted = case.expect.get("noiseCheck", {}).get("mustNotSurface", ())
    yield from ("forbidden" for each in unwanted if each in seen)


def _prelude(case: Case, prelude: str) -> Iterator[str]:
    asked = case.expect.get("personaPrelude", {})
    if (asked.get("nonEmpty") and not prelude) or (asked.get("isNull") and prelude):
        yield "prelude"
    yield from ("prelude" for each in asked.get("contains", ()) if each not in prelude)
    yield from ("prelude" for each in asked.get("mustNotContain", ()) if each in prelude)
