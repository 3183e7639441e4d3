"""Usages of the public face that must type-check. mypy reads this file; nothing runs it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, assert_type

import stead
from stead.resolve import Resolver, resolve


def opening(path: Path, clock: stead.StoryClock) -> None:
    with stead.open("memory.db") as by_text:
        assert_type(by_text, stead.Store)
    with stead.open(path, tenant="acme", create=False, embedder="auto", clock=clock, busy_timeout=5.0) as by_path:
        assert_type(by_path.tenant, str)
        assert_type(by_path.now(), datetime)
        assert_type(by_path.subjects(), list[str])
        assert_type(by_path.embed_backlog(limit=100), int)
        report: Mapping[str, Any] = by_path.doctor()
        assert report["healthy"]
    stead.open(path, clock=stead.SystemClock()).close()


def binding(store: stead.Store) -> stead.Subject:
    bound = store.subject("ana", zone="Europe/Berlin", purpose="assistant", audience="assistant")
    assert_type(bound, stead.Subject)
    return bound


def writing(ana: stead.Subject) -> None:
    seat = stead.Slot("travel.seat", value="aisle")
    outcome = ana.remember("Prefers an aisle seat", slot=seat, authority="confirmed", valid_from=date(2026, 1, 1))
    assert_type(outcome, stead.Outcome)
    assert_type(outcome.record, str | None)
    assert_type(outcome.decision, stead.Decision)
    ana.remember(
        "Takes the window seat on the trip",
        slot=stead.Slot("travel.seat", value="window"),
        kind="preference",
        scope="trip/lisbon",
        authority=stead.Authority.STATED,
        valid_from="2026-03-01T09:00",
        valid_until=datetime(2026, 3, 8, tzinfo=UTC),
        source={"conversation": "c-1", "turn": "3"},
        overrides=["rec_0"],
        idempotency_key="k-1",
        if_version=0,
    )
    assert_type(ana.remember_many([{"claim": "Has a cat"}], batch=100), list[stead.Outcome])


def changing(ana: stead.Subject, record: str, question: str) -> None:
    outcomes = (
        ana.correct(record, "Works at Apex", value="Apex", meaning="corrected"),
        ana.end(record, when=date(2026, 6, 1)),
        ana.end(slot=stead.Slot("job.employer")),
        ana.retract(record),
        ana.rollback(record, idempotency_key="k-2"),
        ana.verify(record),
        ana.confirm(record),
        ana.reject(record),
        ana.settle(question, keep=record),
        ana.settle(question, neither=True),
    )
    for outcome in outcomes:
        assert_type(outcome, stead.Outcome)
    ana.used(record)


def deriving(store: stead.Store, ana: stead.Subject, record: str) -> None:
    def reflect(old: stead.Record, sources: Sequence[stead.Record]) -> stead.Derived | str | None:
        return stead.Derived(old.claim, sources[0].value) if sources else None

    store.derive("reflection", reflect)
    store.derive("reflection", None)
    assert_type(ana.revalidate(), list[stead.Outcome])
    assert_type(ana.revalidate(record, limit=10), list[stead.Outcome])


def reading(ana: stead.Subject, record: str) -> None:
    context = ana.recall(
        "can we meet tonight?",
        scope="scheduling",
        at="2026-03-01T20:00",
        known_at=datetime(2026, 2, 1, tzinfo=UTC),
        budget=stead.Budget(facts=5, tokens=500),
    )
    assert_type(context, stead.Context)
    assert_type(context.text, str)
    assert_type(context.facts, tuple[stead.Fact, ...])
    assert_type(context.episodes, tuple[stead.EpisodeHit, ...])
    assert_type(context.questions, tuple[stead.Question, ...])
    assert_type(context.divergences, tuple[stead.Divergence, ...])
    context.used(*(fact.id for fact in context.facts))
    ana.recall(slot=stead.Slot("travel.seat"), budget={"episodes": 0})
    assert_type(ana.holds(stead.Slot("travel.seat")), list[stead.Interval])
    assert_type(ana.history(record), list[stead.Record])
    assert_type(ana.records(limit=10), list[stead.Record])
    assert_type(ana.record(record), stead.Record)
    assert_type(ana.record(record).sources, tuple[stead.Source, ...])
    assert_type(ana.questions(), list[stead.Question])
    decisions: Mapping[str, Any] = ana.why(record)
    assert decisions["decisions"]


def exporting(ana: stead.Subject) -> Iterator[Mapping[str, Any]]:
    return ana.export()


def conversing(ana: stead.Subject) -> None:
    with ana.session("c-17") as session:
        assert_type(session, stead.Session)
        assert_type(session.turn("user", "I moved to Lisbon.", said_at="2026-03-01T09:00"), stead.Outcome)


def times() -> None:
    assert_type(stead.wall("2026-10-25T02:30", "Europe/Berlin", reading="later"), datetime)


def failing(ana: stead.Subject) -> tuple[str, int, bool]:
    try:
        ana.record("rec_none")
    except stead.UnknownRecord as error:
        return error.code, error.exit_code, error.retryable
    except stead.SteadError as error:
        return error.hint, error.http_status, error.retryable
    return "", 0, False


STANDING: tuple[stead.Status, stead.Tier, stead.Kind, stead.Meaning] = (
    stead.Status.ACTIVE,
    stead.Tier.HOT,
    stead.Kind.FACT,
    stead.Meaning.CHANGED,
)


def the_local_resolver_is_a_resolver() -> Resolver:
    """R24: one contract; what implements it is held to it by the type checker."""
    return resolve
