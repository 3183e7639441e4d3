"""Between rows and values: columns in one order, JSON where a column is a list."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from stead.model.period import Period
from stead.model.record import Cut
from stead.store.values import DecisionRow, EpisodeRow, PlaceRow, Revision, Selects, SourceRow, stands_until

Row = Sequence[Any]

REVISION = (
    "v.n, v.record, r.id, v.subject, v.slot, v.scope, v.tx_from, v.tx_until, v.status, v.place, v.stated_from,"
    " v.stated_until, v.cuts, v.text_n, v.tokens, v.claim, v.value, v.unset, v.speaker, v.rank, v.kind, v.category,"
    " v.purpose, v.audience, v.confidence, v.importance, v.sensitivity, v.owner, v.trigger, v.meaning, v.observed_at,"
    " v.expires_at, v.confirmed_at, v.confirmed_how, v.review_events, v.tier, v.superseded_by,"
    " v.claim_key, v.waits_for, v.answer_by, r.created, v.head"
)
FROM_REVISIONS = f"SELECT {REVISION} FROM revisions AS v JOIN records AS r ON r.n = v.record AND r.erasure IS NULL"
"""What is being erased is in no answer (R8, R27): it is left out here, for every query that reads revisions."""

INSERT_REVISION = (
    "INSERT INTO revisions (record, subject, slot, scope, tx_from, tx_until, status, place, stated_from, stated_until,"
    " stands_until, cuts, head, text_n, tokens, claim, value, unset, speaker, rank, kind, category, purpose, audience,"
    " confidence, importance, sensitivity, owner, trigger, meaning, observed_at, expires_at, confirmed_at,"
    " confirmed_how, review_events, tier, superseded_by, claim_key, waits_for, answer_by, n)"
    " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
)


def dumps(value: object) -> str | None:
    """Return compact JSON, or None for nothing."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else None


def _listed(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(json.loads(text))


def _cuts(text: str | None) -> tuple[Cut, ...]:
    if text is None:
        return ()
    return tuple(Cut(period=Period(start, end), why=why, by=by) for start, end, why, by in json.loads(text))


def revision(row: Row) -> Revision:
    """Read the columns of `REVISION`."""
    (n, record, rid, subject, slot, scope, tx_from, tx_until, status, place, stated_from, stated_until, cuts, text_n,
     tokens, claim, value, unset, speaker, rank, kind, category, purpose, audience, confidence, importance,
     sensitivity, owner, trigger, meaning, observed_at, expires_at, confirmed_at, confirmed_how, review_events, tier,
     superseded_by, claim_key, waits_for, answer_by, created, head) = row  # fmt: skip
    return Revision(
        n=n, record=record, id=rid, subject=subject, slot=slot, scope=scope, tx_from=tx_from, tx_until=tx_until,
        status=status, place=place, stated_from=stated_from, stated_until=stated_until, cuts=_cuts(cuts), text_n=text_n,
        tokens=tokens, claim=claim, value=value, unset=bool(unset), speaker=speaker, rank=rank, kind=kind,
        category=category, purpose=_listed(purpose), audience=_listed(audience), confidence=confidence,
        importance=importance, sensitivity=sensitivity, owner=owner, trigger=trigger, meaning=meaning,
        observed_at=observed_at, expires_at=expires_at, confirmed_at=confirmed_at, confirmed_how=confirmed_how,
        review_events=_listed(review_events) or (), tier=tier, superseded_by=superseded_by,
        claim_key=claim_key, waits_for=waits_for, answer_by=answer_by, created=created, head=bool(head),
    )  # fmt: skip


def revision_values(new: Revision) -> tuple[object, ...]:
    """Return the values of `INSERT_REVISION`."""
    until = stands_until(new.stated_until, new.cuts) if new.cuts else new.stated_until
    head = new.head and new.slot is not None and new.expires_at is None
    cuts = dumps([(cut.period.start, cut.period.end, cut.why, cut.by) for cut in new.cuts])
    return (
        new.record, new.subject, new.slot, new.scope, new.tx_from, new.tx_until, new.status, new.place,
        new.stated_from, new.stated_until, until, cuts, head, new.text_n, new.tokens, new.claim,
        new.value, new.unset, new.speaker, new.rank, new.kind, new.category, _text(new.purpose), _text(new.audience),
        new.confidence, new.importance, new.sensitivity, new.owner, new.trigger, new.meaning, new.observed_at,
        new.expires_at, new.confirmed_at, new.confirmed_how, dumps(new.review_events), new.tier, new.superseded_by,
        new.claim_key, new.waits_for, new.answer_by, new.n,
    )  # fmt: skip


def _text(names: tuple[str, ...] | None) -> str | None:
    return None if names is None else json.dumps(names, ensure_ascii=False, separators=(",", ":"))


SOURCE = "record, tx, observed_at, speaker, verified, conversation, turn, uri"


def source(row: Row) -> SourceRow:
    """Read the columns of `SOURCE`."""
    record, tx, observed_at, speaker, verified, conversation, turn, uri = row
    return SourceRow(
        record=record, tx=tx, observed_at=observed_at, speaker=speaker, verified=bool(verified),
        conversation=conversation, turn=turn, uri=uri,
    )  # fmt: skip


EPISODE = (
    "n, id, subject, conversation, turn, position, role, speaker, text, tokens, said_at, tx, scope, purpose, audience,"
    " rank, tier, zone"
)


def episode(row: Row) -> EpisodeRow:
    """Read the columns of `EPISODE`."""
    (n, eid, subject, conversation, turn, position, role, speaker, text, tokens, said_at, tx, scope, purpose,
     audience, rank, tier, zone) = row  # fmt: skip
    return EpisodeRow(
        n=n, id=eid, subject=subject, conversation=conversation, turn=turn, position=position, role=role,
        speaker=speaker, text=text, tokens=tokens, said_at=said_at, tx=tx, scope=scope, purpose=_listed(purpose),
        audience=_listed(audience), rank=rank, tier=tier, zone=zone,
    )  # fmt: skip


def place(row: Row) -> PlaceRow:
    """Read n, conversation, position, tx, scope, purpose, audience and tier."""
    n, conversation, position, tx, scope, purpose, audience, tier = row
    return PlaceRow(
        n=n, conversation=conversation, position=position, tx=tx, scope=scope, purpose=_listed(purpose),
        audience=_listed(audience), tier=tier,
    )  # fmt: skip


def episode_values(new: EpisodeRow) -> tuple[object, ...]:
    """Return the values for `EPISODE` without n."""
    return (
        new.id, new.subject, new.conversation, new.turn, new.position, new.role, new.speaker, new.text, new.tokens,
        new.said_at, new.tx, new.scope, _text(new.purpose), _text(new.audience), new.rank, new.tier, new.zone,
    )  # fmt: skip


DECISION = (
    "n, tx, subject, verb, trigger, decision, rule, reason, record, episode, status, version, question, route, erasure"
)


def decision(row: Row, affected: tuple[int, ...]) -> DecisionRow:
    """Read the columns of `DECISION`, with the records that it changed."""
    n, tx, subject, verb, trigger, what, rule, reason, record, turn, status, version, question, route, erasure = row
    return DecisionRow(
        n=n, tx=tx, subject=subject, verb=verb, trigger=trigger, decision=what, rule=rule, reason=reason,
        record=record, episode=turn, status=status, affected=affected,
        version=version, question=question, route=route, erasure=erasure,
    )  # fmt: skip


def selects(text: str) -> Selects:
    """Read what an erasure selects."""
    found = json.loads(text)
    return Selects(
        everything=found.get("everything", False), categories=tuple(found.get("categories", ())),
        attributes=tuple(found.get("attributes", ())), conversation=found.get("conversation"),
    )  # fmt: skip


def selects_text(selected: Selects) -> str:
    """Return what an erasure selects as it is stored."""
    given = {name: getattr(selected, name) for name in ("everything", "categories", "attributes", "conversation")}
    return json.dumps({name: each for name, each in given.items() if each}, ensure_ascii=False, separators=(",", ":"))


def marks(values: Sequence[object]) -> str:
    """Return as many question marks as there are values."""
    return ",".join("?" * len(values))
