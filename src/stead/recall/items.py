"""Rows as a reader gets them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from stead.model.authority import BY_RANK
from stead.model.context import Divergence, EpisodeHit, Fact, Question
from stead.model.period import Instant, Period, to_datetime
from stead.model.record import Source
from stead.model.slot import SlotKey
from stead.recall.ask import Ask
from stead.store.protocol import ReadTx
from stead.store.values import AGENT, EpisodeRow, Revision, SourceRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """A record to serve, why, and how much it matters to the question."""

    revision: Revision
    key: SlotKey | None
    also: tuple[Revision, ...] = ()
    """Others that say the same here: more sources of one answer (R10)."""
    rule: str = "question"
    score: float = 0.0
    decided: str | None = None
    """By which rule it is served over others that contradict it (R25)."""
    over: tuple[Revision, ...] = ()
    """What it is served over."""
    aside: bool = False
    """Not near enough to the question to be served; it takes the place of what it contradicts and wins over (R25)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What applies, and what stands in the place of what can't be served as a fact."""

    facts: list[Fact]
    """Best first and within the budget."""
    divergences: list[Divergence]
    questions: list[Question]


def named(key: SlotKey | None) -> SlotKey | None:
    """Return a slot's key as readers see it: a question that was read in a claim's own words names no slot."""
    return None if key is None or key.from_text else key


def as_facts(store: ReadTx, chosen: Sequence[Chosen], ask: Ask) -> list[Fact]:
    """Return chosen records as they are served, with the sources known at the time."""
    records = [part.record for each in chosen for part in (each.revision, *each.also)]
    by_record: dict[int, list[SourceRow]] = {}
    for row in store.sources(records, ask.known_at) if records else ():
        by_record.setdefault(row.record, []).append(row)
    return [_fact(each, by_record, ask) for each in chosen]


def _fact(chosen: Chosen, by_record: dict[int, list[SourceRow]], ask: Ask) -> Fact:
    revision, key = chosen.revision, named(chosen.key)
    value = revision.value if key is not None else None
    piece = _piece(revision, ask.at)
    sources = [row for part in (revision, *chosen.also) for row in by_record.get(part.record, ())]
    return Fact(
        id=revision.id, claim=revision.claim, kind=revision.kind, category=revision.category, scope=revision.scope,
        entity=key.entity if key else None, attribute=key.attribute if key else None,
        object=(key.object or None) if key else None, value=value, authority=BY_RANK[revision.rank],
        speaker=revision.speaker, audience=revision.audience or (AGENT,), observed_at=moment(revision.observed_at),
        age=age(revision.observed_at, ask), valid_from=to_datetime(piece.start), valid_until=to_datetime(piece.end),
        sources=tuple(as_sources(sources)), tier=revision.tier, rule=chosen.rule, score=chosen.score,
        decided=chosen.decided, over=tuple(each.id for each in chosen.over),
    )  # fmt: skip


def _piece(revision: Revision, at: Instant) -> Period:
    stated = Period(revision.stated_from, revision.stated_until)
    return next((piece for piece in revision.pieces() if at in piece), stated)


def as_sources(rows: Iterable[SourceRow]) -> list[Source]:
    """Return source rows as values."""
    return [
        Source(
            speaker=row.speaker, observed_at=moment(row.observed_at), known_at=moment(row.tx),
            conversation=row.conversation or "", turn=row.turn or "", uri=row.uri or "", verified=row.verified,
        )
        for row in rows
    ]  # fmt: skip


def as_episode(
    row: EpisodeRow,
    ask: Ask,
    *,
    score: float = 0.0,
    lexical: float = 0.0,
    similarity: float | None = None,
    rule: str = "listed",
    superseded: tuple[str, ...] = (),
) -> EpisodeHit:
    """Return an episode as a reader gets it."""
    return EpisodeHit(
        id=row.id, text=row.text, speaker=row.speaker, role=row.role, conversation=row.conversation, turn=row.turn,
        said_at=moment(row.said_at), age=age(row.said_at, ask), scope=row.scope, audience=row.audience or (AGENT,),
        authority=BY_RANK[row.rank], score=score, lexical=lexical, similarity=similarity, rule=rule, superseded=superseded,
    )  # fmt: skip


def moment(instant: Instant) -> datetime:
    """Return an instant that is no open end as a datetime in UTC."""
    found = to_datetime(instant)
    return datetime.max.replace(tzinfo=UTC) if found is None else found


def age(since: Instant, ask: Ask) -> timedelta:
    """Return how old something was when the answer was known; past answers keep their ages (R50)."""
    return timedelta(microseconds=max(0, ask.known_at - since))
