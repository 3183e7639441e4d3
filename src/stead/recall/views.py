"""What holds over all valid time, and records with their whole contract: rows as values, without a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from stead.model.authority import BY_RANK
from stead.model.context import Interval
from stead.model.outcome import Decision
from stead.model.period import ALL_TIME, Instant, Period, iso, to_datetime
from stead.model.plain import spelled
from stead.model.record import Kind, Meaning, Record, Status, Tier
from stead.model.slot import SlotKey
from stead.model.strip import Stretch, lay
from stead.recall.derived import lapses, supported
from stead.recall.items import as_sources, moment, named
from stead.store.protocol import ReadTx
from stead.store.values import AGENT, DecisionRow, Revision, SourceRow, SubjectRow, statement


def holds(
    store: ReadTx, slot: int, clock: Instant, past: Instant | None, denied: frozenset[str] = frozenset()
) -> list[Interval]:
    """Return what holds in a slot of one scope over all valid time, neighbours of equal value merged (R10).

    Where something stands of a class that is denied today, nothing is shown, and nothing older in its place (R8).
    """
    laid = [each for each in store.laid([slot], ALL_TIME, past) if not each.expired(clock)]
    by_record = {each.record: each for each in laid}
    merged: list[tuple[Period, tuple[str | None, ...], dict[str, None]]] = []
    hidden = {each.record for each in laid if not denied.isdisjoint(each.classes())}
    strip = lay([statement(each) for each in laid])
    gone = lapses(store, laid[0].subject, by_record, clock, past) if laid else {}
    for stretch in supported(strip, gone):
        if any(each.record in hidden for each in stretch.standing):
            continue
        values, records = _spelled(stretch, by_record)
        if merged and merged[-1][1] == values and merged[-1][0].end == stretch.period.start:
            merged[-1] = (Period(merged[-1][0].start, stretch.period.end), values, merged[-1][2] | records)
        else:
            merged.append((stretch.period, values, records))
    return [_interval(period, values, tuple(records)) for period, values, records in merged]


def _spelled(stretch: Stretch, by_record: dict[int, Revision]) -> tuple[tuple[str | None, ...], dict[str, None]]:
    """Return the values as the first speaker of each spelt it, sorted, and the records that stand."""
    spelled: dict[str | None, str | None] = {}
    for each in stretch.standing:
        spelled.setdefault(each.value, by_record[each.record].value)
    values = sorted(spelled.values(), key=lambda value: value or "")
    return tuple(values), {by_record[each.record].id: None for each in stretch.standing}


def _interval(period: Period, values: tuple[str | None, ...], records: tuple[str, ...]) -> Interval:
    return Interval(
        value=values[0] if len(values) == 1 else None, values=tuple(value for value in values if value is not None),
        start=to_datetime(period.start), end=to_datetime(period.end), contested=len(values) > 1, records=records,
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _Beside:
    """What stands in other tables about a page of revisions, each fetched once."""

    keys: dict[int, SlotKey]
    sources: dict[int, list[SourceRow]]
    ids: dict[int, str]
    usage: dict[str, tuple[Instant, int]]
    stamps: dict[int, list[str]]


def records(
    store: ReadTx, tenant: str, subject: SubjectRow, revisions: Sequence[Revision], known_at: Instant
) -> list[Record]:
    """Return revisions with everything that R1 says a record carries."""
    if not revisions:
        return []
    beside = _beside(store, subject.n, revisions, known_at)
    return [_record(each, tenant, subject.name, beside) for each in revisions]


def _beside(store: ReadTx, subject: int, revisions: Sequence[Revision], known_at: Instant) -> _Beside:
    numbers = list(dict.fromkeys(each.record for each in revisions))
    slots = list(dict.fromkeys(each.slot for each in revisions if each.slot is not None))
    sources: dict[int, list[SourceRow]] = {}
    for row in store.sources(numbers, known_at):
        sources.setdefault(row.record, []).append(row)
    stamps: dict[int, list[str]] = {}
    for text, version in store.stamps(subject, list(dict.fromkeys(each.text_n for each in revisions))):
        stamps.setdefault(text, []).append(version)
    return _Beside(
        keys={row.n: row.key for row in store.slots_by_number(subject, slots)},
        sources=sources,
        ids=store.ids({each.superseded_by for each in revisions if each.superseded_by is not None}),
        usage=store.usage([each.id for each in revisions]),
        stamps=stamps,
    )


def _record(each: Revision, tenant: str, subject: str, beside: _Beside) -> Record:
    key = named(beside.keys.get(each.slot or 0))
    sources = tuple(as_sources(beside.sources.get(each.record, ())))
    last_access, accesses = beside.usage.get(each.id, (None, 0))
    stated = Period(each.stated_from, each.stated_until)
    return Record(
        id=each.id, tenant=tenant, subject=subject, claim=each.claim, status=Status(each.status),
        kind=Kind(each.kind), authority=BY_RANK[each.rank], speaker=each.speaker, scope=each.scope,
        category=each.category, entity=key.entity if key else None, attribute=key.attribute if key else None,
        object=(key.object or None) if key else None, value=each.value if key else None, unset=each.unset,
        audience=each.audience or (AGENT,), purpose=each.purpose or (), owner=each.owner or subject,
        trigger=each.trigger, confidence=each.confidence, importance=each.importance, sensitivity=each.sensitivity,
        meaning=Meaning(each.meaning), observed_at=moment(each.observed_at), stated=_ends(stated),
        stands=tuple(_ends(piece) for piece in each.pieces()),
        expires_at=None if each.expires_at is None else to_datetime(each.expires_at),
        confirmed_at=None if each.confirmed_at is None else to_datetime(each.confirmed_at),
        confirmed_how=each.confirmed_how, review_events=each.review_events, tier=Tier(each.tier),
        tx_from=moment(each.tx_from), tx_until=to_datetime(each.tx_until), created_at=moment(each.created),
        superseded_by=beside.ids.get(each.superseded_by or 0), sources=sources,
        last_verified=max((source.known_at for source in sources), default=None),
        last_access=None if last_access is None else to_datetime(last_access), access_count=accesses,
        embeddings=tuple(beside.stamps.get(each.text_n, ())),
    )  # fmt: skip


def _ends(period: Period) -> tuple[datetime | None, datetime | None]:
    return to_datetime(period.start), to_datetime(period.end)


def why(store: ReadTx, subject: SubjectRow, revision: Revision, known_at: Instant) -> dict[str, object]:
    """Return why a record is there: its decisions, sources and provenance edges, as rows (R20)."""
    decisions = store.decisions(subject.n, revision.record)
    edges = [*store.edges([revision.record]), *store.edges([revision.record], incoming=True)]
    numbers = {n for edge in edges for n in (edge.record, edge.target)} | {
        n for row in decisions for n in (row.record or 0, *row.affected)
    }
    ids = store.ids(numbers | {revision.record})
    return {
        "record": revision.id,
        "status": revision.status,
        "decisions": [_decision(row, ids) for row in decisions],
        "sources": [spelled(source) for source in as_sources(store.sources([revision.record], known_at))],
        "edges": [
            {
                "kind": edge.kind,
                "record": ids[edge.record],
                "target": ids[edge.target],
                "known_at": iso(edge.tx),
                "released": iso(edge.released),
            }
            for edge in edges
        ],
    }


def log(store: ReadTx, subject: SubjectRow, page: Sequence[DecisionRow]) -> list[dict[str, object]]:
    """Return rows of the decision log with the ids of their records and turns (R20)."""
    ids = store.ids({n for row in page for n in (row.record or 0, *row.affected)})
    erased = store.erased_ids([n for row in page if row.decision == Decision.ERASE for n in row.affected])
    turns = {row.n: row for row in store.episodes(subject.n, [row.episode for row in page if row.episode is not None])}
    found = []
    for row in page:
        turn = turns.get(row.episode or 0)
        where = {"conversation": turn.conversation if turn else None, "turn": turn.turn if turn else None}
        known = ids | erased if row.decision == Decision.ERASE else ids  # only the erasure itself names what it took
        found.append({"n": row.n, **_decision(row, known), **where})
    return found


def _decision(row: DecisionRow, ids: dict[int, str]) -> dict[str, object]:
    return {
        "known_at": iso(row.tx), "verb": row.verb, "trigger": row.trigger, "route": row.route, "decision": row.decision,
        "rule": row.rule, "reason": row.reason, "record": ids.get(row.record or 0), "status": row.status,
        "version": row.version, "question": row.question,
        "affected": [ids[number] for number in row.affected if number in ids],
    }  # fmt: skip
