"""Review events: what an event calls into question, until somebody says that it still holds (R53)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.heard import DAY

import stead
from stead import Slot
from stead.clock import StoryClock

POLICY: dict[str, Any] = {
    "categories": {
        "stock": {"review_events": ["inventory taken"], "under_review": "withheld"},
        "lease": {"review_events": ["2026-02-01"]},
    }
}


@pytest.fixture
def store(tmp_path: Path, clock: StoryClock) -> Iterator[stead.Store]:
    with stead.open(tmp_path / "memory.db", clock=clock, embedder="none", policy=POLICY) as opened:
        yield opened


def reviews(subject: stead.Subject) -> list[tuple[str, str | None]]:
    """Return the claims under review with the event that called for it."""
    return [(each.claims[0].claim, each.event) for each in subject.questions() if each.kind == "review"]


def served(subject: stead.Subject, **more: Any) -> list[str]:
    return sorted(each.claim for each in subject.recall(**more).facts)


def test_r53_an_event_calls_the_records_that_name_it_into_question(ana: stead.Subject, clock: StoryClock) -> None:
    named = ana.remember(
        "Alpha ships on Fridays", review_events=["Project Alpha closed"], slot=Slot("x.day", value="Fri")
    )
    ana.remember("Beta ships on Mondays", review_events=["project beta closed"])
    ana.remember("Likes tea")
    assert reviews(ana) == []
    clock.instant += DAY
    outcome = ana.event("project  ALPHA closed")
    assert (outcome.decision, outcome.rule, outcome.affected) == ("UPDATE", "event", (named.record,))
    assert reviews(ana) == [("Alpha ships on Fridays", "Project Alpha closed")]
    context = ana.recall("alpha ships")
    [question] = context.questions
    assert (question.kind, question.slot, question.until) == ("review", "user / x.day", None)
    assert question.since == outcome.known_at
    assert "Alpha ships on Fridays" in served(ana)  # served meanwhile, where its category doesn't say otherwise
    assert question.id in context.text
    assert ana.recall(slot=Slot("x.other")).questions == ()
    assert ana.event("nobody names this").affected == ()


def test_r53_categories_name_events_too(ana: stead.Subject) -> None:
    ana.remember("Works at Acme", slot=Slot("work.employer", value="Acme"))
    ana.remember("Sits in Lyon", category="work", review_events=["office closed"])
    ana.remember("Likes tea", category="food")
    assert len(ana.event("role changed").affected) == 2
    assert sorted(reviews(ana)) == [("Sits in Lyon", "role changed"), ("Works at Acme", "role changed")]


def test_r53_only_what_was_written_before_the_event_is_looked_at_again(ana: stead.Subject, clock: StoryClock) -> None:
    ana.event("role changed")
    clock.instant += DAY
    record = ana.remember("Works at Acme", slot=Slot("work.employer", value="Acme")).record or ""
    assert reviews(ana) == []
    clock.instant += DAY
    ana.event("role changed")
    clock.instant += DAY
    assert len(reviews(ana)) == 1
    ana.remember("Works at Acme", slot=Slot("work.employer", value="Acme"))  # restated after it: no more in question
    assert reviews(ana) == []
    clock.instant += DAY
    assert ana.event("role changed").affected == (record,)


@pytest.mark.parametrize("answer", ["verify", "confirm"])
def test_r53_saying_that_it_still_holds_closes_a_review(ana: stead.Subject, clock: StoryClock, answer: str) -> None:
    record = ana.remember("Works at Acme", category="work").record or ""
    clock.instant += DAY
    ana.event("role changed")
    [question] = ana.questions()
    clock.instant += DAY
    outcome = ana.verify(record) if answer == "verify" else ana.confirm(question.id)
    assert (outcome.decision, outcome.rule) == ("NOOP", "verified")
    assert (ana.questions(), ana.recall("acme").questions) == ([], ())
    assert ana.record(record).status == "active"
    assert ana.record(record).last_verified == outcome.known_at
    with pytest.raises(stead.UnknownRecord):
        ana.confirm(question.id)  # an answer counts once


def test_r53_a_no_ends_what_was_asked_about(ana: stead.Subject, clock: StoryClock) -> None:
    record = ana.remember("Works at Acme", slot=Slot("work.employer", value="Acme")).record or ""
    clock.instant += DAY
    ana.event("role changed")
    clock.instant += DAY
    outcome = ana.reject(ana.questions()[0].id)
    assert (outcome.decision, outcome.rule, outcome.record) == ("UPDATE", "ended", record)
    assert served(ana) == []
    assert served(ana, at="2026-01-07T10:59") == ["Works at Acme"]  # until then it held


def test_r53_a_category_may_withhold_what_is_under_review(ana: stead.Subject, clock: StoryClock) -> None:
    ana.remember("Has 30 chairs", slot=Slot("x.chairs", value="30"), category="stock")
    ana.remember("Has desks", category="stock")
    clock.instant += DAY
    before = ana.recall().known_at
    clock.instant += DAY
    ana.event("inventory taken")
    reads: list[dict[str, Any]] = [{}, {"query": "chairs desks"}, {"category": "stock"}, {"slot": Slot("x.chairs")}]
    for read in reads:
        assert ana.recall(**read).facts == ()
        assert {each.kind for each in ana.recall(**read).questions} == {"review"}
    assert served(ana, known_at=before) == ["Has 30 chairs", "Has desks"]  # then nobody had asked yet (R7)
    assert ana.recall(known_at=before).questions == ()
    for question in ana.questions():
        ana.confirm(question.id)
    assert served(ana) == ["Has 30 chairs", "Has desks"]


@pytest.mark.parametrize("own", [True, False])
def test_r53_an_event_may_be_a_date(ana: stead.Subject, clock: StoryClock, *, own: bool) -> None:
    more: dict[str, Any] = {"review_events": ["2026-02-01"]} if own else {"category": "lease"}
    record = ana.remember("Rents a flat", **more).record or ""
    begins = int(stead.wall("2026-02-01T00:00", "Europe/Berlin").timestamp()) * 1_000_000
    clock.instant = begins - 1

    assert ana.recall().questions == ()
    clock.instant = begins
    assert [each.event for each in ana.recall().questions] == ["2026-02-01"]
    clock.instant += DAY
    ana.verify(record)
    assert ana.recall().questions == ()
    clock.instant += 400 * DAY
    assert ana.recall().questions == ()


def test_r53_an_event_has_a_scope(ana: stead.Subject) -> None:
    for scope in ("", "a", "a/b", "ab"):
        ana.remember(f"Rule of {scope or 'all'}", scope=scope, review_events=["closed"])
    assert len(ana.event("closed", scope="a").affected) == 2
    assert [claim for claim, _ in reviews(ana)] == ["Rule of a", "Rule of a/b"]
    ana.event("closed")
    assert len(reviews(ana)) == 4


def test_r53_an_event_is_one_subjects_or_the_whole_tenants(store: stead.Store, ana: stead.Subject) -> None:
    ben = store.subject("ben")
    for each in (ana, ben):
        each.remember("Works at Acme", category="work")
    ana.event("role changed")
    assert (len(reviews(ana)), len(reviews(ben))) == (1, 0)
    store.event("role changed", scope="elsewhere")
    assert len(reviews(ben)) == 0
    store.event("Role Changed")
    assert (len(reviews(ana)), len(reviews(ben))) == (1, 1)
    assert store.subject("zoe").questions() == []


def test_r53_one_record_has_one_review_whatever_happened_since(ana: stead.Subject, clock: StoryClock) -> None:
    ana.remember("Works at Acme", category="work", review_events=["moved"])
    clock.instant += DAY
    first = ana.event("moved")
    clock.instant += DAY
    ana.event("role changed")
    [question] = ana.questions()
    assert (question.event, question.since) == ("moved", first.known_at)
    again = ana.event("moved")
    assert again.affected == ()  # it is in question already
    assert [each.id for each in ana.questions()] == [question.id]


def test_r53_what_does_not_stand_is_not_reviewed(ana: stead.Subject, clock: StoryClock) -> None:
    gone = ana.remember("Works at Acme", category="work").record or ""
    ana.remember("Seems to lead", category="work", authority="inferred")
    ana.remember("Has a badge", category="work", expires_at="2026-01-06T00:00")
    clock.instant += DAY
    ana.retract(gone)
    ana.event("role changed")
    assert reviews(ana) == []


def test_r53_who_may_not_read_it_is_not_asked(store: stead.Store, ana: stead.Subject) -> None:
    ana.remember("Works at Acme", category="work", audience="hr")
    ana.event("role changed")
    assert ana.questions() == []
    assert len(store.subject("ana", audience="hr").questions()) == 1


@pytest.mark.parametrize("wrong", [{"name": ""}, {"name": " "}, {"name": "a\nb"}, {"name": "x", "scope": "/"}])
def test_r46_an_event_without_a_name_is_refused(store: stead.Store, ana: stead.Subject, wrong: dict[str, str]) -> None:
    for event in (ana.event, store.event):
        with pytest.raises(stead.InvalidArgument):
            event(**wrong)
    assert ana.decisions() == []


def test_r46_reporting_twice_under_a_key_is_one_event(ana: stead.Subject, clock: StoryClock) -> None:
    record = ana.remember("Works at Acme", category="work").record or ""
    ana.event("role changed", idempotency_key="k")
    clock.instant += DAY
    ana.verify(record)
    clock.instant += DAY
    assert ana.event("role changed", idempotency_key="k").replayed
    assert reviews(ana) == []
    with pytest.raises(stead.IdempotencyMismatch):
        ana.event("office closed", idempotency_key="k")


def test_r53_what_was_superseded_or_has_ended_is_not_asked_about(ana: stead.Subject, clock: StoryClock) -> None:
    ana.remember("Lives in Lyon", slot=Slot("home.city", value="Lyon"))
    ana.remember("Lived by the sea", category="home", valid_until="2026-01-06T00:00")
    clock.instant += DAY
    ana.remember("Lives in Rome", slot=Slot("home.city", value="Rome"))
    clock.instant += DAY
    ana.event("moved house")
    assert reviews(ana) == [("Lives in Rome", "moved house")]
    ana.reject(ana.questions()[0].id)  # a no closes it for good
    clock.instant += DAY
    assert ana.questions() == []


def test_r53_a_categorys_date_is_a_question_that_can_be_answered(ana: stead.Subject, clock: StoryClock) -> None:
    ana.remember("Rents a flat", category="lease")
    clock.instant += 60 * DAY
    [question] = ana.recall().questions
    assert [each.id for each in ana.questions()] == [question.id]
    ana.confirm(question.id)
    assert ana.questions() == []
