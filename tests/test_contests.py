"""Contests: equals disagree, a person answers, and every answer can be taken back (R26)."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import stead
from stead import Decision, Slot
from stead.clock import StoryClock
from stead.model.plain import spelled
from stead.surfaces.cli import main
from stead.surfaces.cli.output import moment

HOUR = 3_600_000_000
DAY = 24 * HOUR
OWNER = Slot("x.owner")


def say(subject: stead.Subject, value: str, speaker: str = "ana", **more: Any) -> str:
    made = subject.remember(f"Owner is {value}", slot=Slot("x.owner", value=value), speaker=speaker, **more)
    return str(made.record)


def strip(subject: stead.Subject, **more: Any) -> list[tuple[Any, str | None, str | None]]:
    """What holds, with its days in UTC."""
    return [
        (each.values if each.contested else each.value, _day(each.start), _day(each.end))
        for each in subject.holds(OWNER, **more)
    ]


def _day(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).strftime("%Y-%m-%d")


def statuses(subject: stead.Subject, *records: str) -> list[str]:
    return [str(subject.record(each).status) for each in records]


def values(subject: stead.Subject, **more: Any) -> list[str | None]:
    return [each.value for each in subject.recall(slot=OWNER, **more).facts]


def kinds(subject: stead.Subject) -> list[str]:
    return [each.kind for each in subject.questions()]


def everything(subject: stead.Subject) -> str:
    """Return all that a subject shows of itself but its transaction times."""
    shown = [spelled(each) for each in (*subject.records(), *subject.questions())]
    for row in shown:
        for name in ("tx_from", "tx_until", "age"):
            row.pop(name, None)
        for claim in row.get("claims", ()):  # type: ignore[attr-defined]
            claim.pop("age", None)
    return json.dumps([shown, strip(subject)], sort_keys=True, default=str)


@pytest.fixture
def pair(ana: stead.Subject) -> tuple[str, str]:
    """Return two records that overlap in March 2025 only."""
    ann = say(ana, "Ann", "bob", valid_from="2025-01-01T00:00Z", valid_until="2025-04-01T00:00Z")
    cy = say(ana, "Cy", "dee", valid_from="2025-03-01T00:00Z", valid_until="2025-06-01T00:00Z")
    return ann, cy


BEFORE = [
    ("Ann", "2025-01-01", "2025-03-01"),
    (("Ann", "Cy"), "2025-03-01", "2025-04-01"),
    ("Cy", "2025-04-01", "2025-06-01"),
]

# --- the answers ----------------------------------------------------------------------------------------------------------


def test_r26_outside_of_the_overlap_each_still_holds(ana: stead.Subject, pair: tuple[str, str]) -> None:
    assert strip(ana) == BEFORE
    assert (values(ana, at="2025-02-01T00:00Z"), values(ana, at="2025-05-01T00:00Z")) == (["Ann"], ["Cy"])
    context = ana.recall(slot=OWNER, at="2025-03-10T00:00Z")
    assert (context.facts, [each.kind for each in context.questions]) == ((), ["contested"])
    boundaries = [values(ana, at=f"2025-0{month}-01T00:00Z") for month in (3, 4)]
    assert boundaries == [[], ["Cy"]]


def test_r26_a_question_names_every_claim_with_its_source_scope_date_and_authority(ana: stead.Subject) -> None:
    ana.remember(
        "Owner is Ann", slot=Slot("x.owner", value="Ann"), speaker="bob", scope="work",
        source={"conversation": "c-1", "turn": "7"}, observed_at="2026-01-04T09:00Z",
    )  # fmt: skip
    ana.remember(
        "Owner is Cy",
        slot=Slot("x.owner", value="Cy"),
        speaker="dee",
        scope="work",
        source={"uri": "https://x.example/o"},
    )
    [question] = ana.questions()
    assert (question.kind, question.scope, question.slot) == ("contested", "work", "user / x.owner")
    shown = [(each.speaker, each.scope, str(each.authority), _day(each.observed_at)) for each in question.claims]
    assert shown == [("bob", "work", "stated", "2026-01-04"), ("dee", "work", "stated", "2026-01-05")]
    sources = [(each.sources[0].conversation, each.sources[0].turn, each.sources[0].uri) for each in question.claims]
    assert sources == [("c-1", "7", ""), ("", "", "https://x.example/o")]
    assert [each.id for each in ana.questions()[0].claims] == [each.id for each in question.claims]


@pytest.mark.parametrize(("kept", "lost"), [(0, 1), (1, 0)])
def test_r26_keep_ends_the_other_on_the_overlap_only(
    ana: stead.Subject, pair: tuple[str, str], clock: StoryClock, kept: int, lost: int
) -> None:
    [question] = ana.questions()
    before = ana.recall(slot=OWNER, at="2025-03-10T00:00Z").known_at
    clock.instant += DAY
    outcome = ana.settle(question, keep=pair[kept])
    assert (outcome.decision, outcome.rule, outcome.question) == (Decision.UPDATE, "settled", question.id)
    assert (outcome.record, outcome.affected) == (pair[kept], (pair[lost],))
    name = ("Ann", "Cy")[kept]
    assert values(ana, at="2025-03-10T00:00Z") == [name]
    assert (values(ana, at="2025-02-01T00:00Z"), values(ana, at="2025-05-01T00:00Z")) == (["Ann"], ["Cy"])
    assert strip(ana, known_at=before) == BEFORE
    assert strip(ana, known_at=outcome.known_at) == strip(ana)
    ends = {pair[0]: "active", pair[1]: "active"} if not kept else {pair[0]: "superseded", pair[1]: "active"}
    assert statuses(ana, *pair) == list(ends.values())  # superseded where nothing is left of its end


def test_r26_neither_holds_on_the_overlap_and_both_outside(ana: stead.Subject, pair: tuple[str, str]) -> None:
    outcome = ana.settle(neither=True)
    assert (outcome.rule, {outcome.record, *outcome.affected}) == ("neither", set(pair))
    assert strip(ana) == [("Ann", "2025-01-01", "2025-03-01"), ("Cy", "2025-04-01", "2025-06-01")]
    assert (statuses(ana, *pair), ana.questions()) == (["active", "active"], [])


def test_r26_each_goes_on_in_a_scope_of_its_own(ana: stead.Subject, clock: StoryClock) -> None:
    ann, cy = say(ana, "Ann", "bob"), say(ana, "Cy", "dee")
    clock.instant += DAY
    outcome = ana.settle(scopes={ann: "home", cy: "work"})
    assert (outcome.rule, statuses(ana, ann, cy), ana.questions()) == ("scoped", ["active", "active"], [])
    assert (values(ana), values(ana, scope="home"), values(ana, scope="work/deep")) == ([], ["Ann"], ["Cy"])
    assert [ana.record(each).scope for each in (ann, cy)] == ["home", "work"]
    assert strip(ana, known_at="2026-01-05T12:00") == [(("Ann", "Cy"), "2026-01-05", None)]


def test_r26_what_goes_on_in_another_scope_meets_what_is_there(ana: stead.Subject) -> None:
    old = say(ana, "Old", "dee", scope="work")
    ann, cy = say(ana, "Ann", "bob"), say(ana, "Cy", "dee")
    ana.settle(scopes={cy: "work"})
    assert (values(ana), values(ana, scope="work")) == (["Ann"], ["Cy"])
    assert (statuses(ana, old, ann, cy), ana.record(old).superseded_by) == (["superseded", "active", "active"], cy)
    ana.settle(undo=True)
    assert statuses(ana, old, ann, cy) == ["active", "contested", "contested"]
    assert values(ana, scope="work") == ["Old"]


def test_r26_a_higher_authority_in_the_other_scope_stands_above(ana: stead.Subject) -> None:
    say(ana, "Boss", "eve", scope="work", authority="confirmed")
    say(ana, "Ann", "bob")
    cy = say(ana, "Cy", "dee")
    outcome = ana.settle(scopes={cy: "work"})
    assert "higher authority" in outcome.reason
    assert (values(ana), values(ana, scope="work")) == (["Ann"], ["Boss"])


def test_r26_an_equal_in_the_other_scope_is_contested_there(ana: stead.Subject) -> None:
    say(ana, "Zoe", "eve", scope="work")
    say(ana, "Ann", "bob")
    cy = say(ana, "Cy", "dee")
    ana.settle(scopes={cy: "work"})
    assert [(each.kind, each.scope, len(each.claims)) for each in ana.questions()] == [("contested", "work", 2)]
    assert values(ana) == ["Ann"]


# --- how a contest begins and ends by itself ------------------------------------------------------------------------------


def test_r26_the_same_value_from_two_speakers_is_no_contest(ana: stead.Subject) -> None:
    first = say(ana, "Ann", "bob")
    again = ana.remember("Ann is the owner", slot=Slot("x.owner", value="ANN"), speaker="dee")
    assert again.decision is Decision.NOOP
    assert (ana.questions(), statuses(ana, first)) == ([], ["active"])
    [fact] = ana.recall(slot=OWNER).facts
    assert {each.speaker for each in fact.sources} == {"bob", "dee"}


def test_r26_three_speakers_are_one_question_and_one_answer(ana: stead.Subject) -> None:
    when = {"valid_from": "2025-01-01T00:00Z"}
    records = [say(ana, value, who, **when) for value, who in (("Ann", "bob"), ("Cy", "dee"), ("Eve", "fay"))]
    [question] = ana.questions()
    assert [each.speaker for each in question.claims] == ["bob", "dee", "fay"]
    outcome = ana.settle(question.id, keep=records[1])
    assert (set(outcome.affected), statuses(ana, *records)) == (
        {records[0], records[2]},
        ["superseded", "active", "superseded"],
    )
    assert ana.settle(records[0], undo=True).rule == "unsettled"
    assert statuses(ana, *records) == ["contested"] * 3
    [again] = ana.questions()
    assert (again.id, [each.id for each in again.claims]) == (question.id, records)


def test_r26_when_one_side_expires_the_other_stands_alone(ana: stead.Subject, clock: StoryClock) -> None:
    say(ana, "Ann", "bob", expires_at="2026-01-10T00:00Z")
    cy = say(ana, "Cy", "dee")
    assert kinds(ana) == ["contested"]
    clock.instant += 10 * DAY
    assert (kinds(ana), values(ana)) == ([], ["Cy"])
    assert ana.recall(slot=OWNER, known_at="2026-01-06T00:00Z").facts == ()
    with pytest.raises(stead.IllegalTransition):
        ana.settle(keep=cy)


@pytest.mark.parametrize("way", ["end", "retract", "correct"])
def test_r26_when_one_side_ends_the_other_stands_alone(ana: stead.Subject, way: str) -> None:
    when = {"valid_from": "2025-01-01T00:00Z"}
    ann, cy = say(ana, "Ann", "bob", **when), say(ana, "Cy", "dee", **when)
    if way == "end":
        ana.end(ann, when="2025-02-01T00:00Z")
        assert strip(ana) == [(("Ann", "Cy"), "2025-01-01", "2025-02-01"), ("Cy", "2025-02-01", None)]
    elif way == "retract":
        ana.retract(ann)
        assert strip(ana) == [("Cy", "2025-01-01", None)]
    else:
        ana.correct(ann, "Owner is Cy", value="Cy")
        assert strip(ana) == [("Cy", "2025-01-01", None)]
    assert values(ana) == ["Cy"]
    assert statuses(ana, cy) == (["contested"] if way == "end" else ["active"])


def test_r26_a_deliberate_word_ends_the_contest(ana: stead.Subject) -> None:
    when = {"valid_from": "2025-01-01T00:00Z"}
    ann, cy = say(ana, "Ann", "bob", **when), say(ana, "Cy", "dee", **when)
    eve = say(ana, "Eve", "ana", authority="confirmed", **when)
    assert (values(ana), kinds(ana)) == (["Eve"], [])
    assert "contested" not in statuses(ana, ann, cy, eve)


def test_r26_a_forgotten_side_leaves_the_other_alone(ana: stead.Subject, clock: StoryClock) -> None:
    ann, cy = say(ana, "Ann", "bob"), say(ana, "Cy", "dee")
    clock.instant += DAY
    ana.retract(ann)
    ana.rollback(ann)
    assert (statuses(ana, ann, cy), kinds(ana)) == (["contested", "contested"], ["contested"])


# --- taking an answer back ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("answer", ["keep", "neither", "scopes"])
def test_r26_an_answer_taken_back_leaves_everything_as_it_was(
    ana: stead.Subject, pair: tuple[str, str], clock: StoryClock, answer: str
) -> None:
    given: dict[str, Any] = {"keep": pair[0], "neither": True, "scopes": {pair[1]: "work"}}
    before, [question] = everything(ana), ana.questions()
    clock.instant += DAY
    settled = ana.settle(question.id, **{answer: given[answer]})
    answered = everything(ana)
    assert answered != before
    clock.instant += DAY
    undone = ana.settle(question.id, undo=True)
    assert (undone.rule, undone.question) == ("unsettled", question.id)
    assert everything(ana) == before
    if answer != "scopes":
        assert strip(ana, known_at=settled.known_at) != BEFORE
    again = ana.settle(question.id, **{answer: given[answer]})
    assert (again.rule, everything(ana)) == (settled.rule, answered)


def test_r26_an_answer_is_taken_back_once(ana: stead.Subject, pair: tuple[str, str]) -> None:
    ana.settle(keep=pair[0])
    ana.settle(pair[1], undo=True)
    with pytest.raises(stead.InvalidArgument, match="0 answers"):
        ana.settle(undo=True)
    with pytest.raises(stead.UnknownRecord, match="no answer"):
        ana.settle(pair[0], undo=True)
    assert strip(ana) == BEFORE


def test_r26_two_answers_are_taken_back_one_after_the_other(ana: stead.Subject, pair: tuple[str, str]) -> None:
    question = ana.questions()[0].id
    ana.settle(question, keep=pair[0])
    ana.settle(question, undo=True)
    ana.settle(question, keep=pair[1])
    assert values(ana, at="2025-03-10T00:00Z") == ["Cy"]
    ana.settle(question, undo=True)
    assert strip(ana) == BEFORE
    with pytest.raises(stead.UnknownRecord):
        ana.settle(question, undo=True)


def test_r26_what_was_said_since_keeps_its_place_when_an_answer_is_taken_back(ana: stead.Subject) -> None:
    when = {"valid_from": "2025-01-01T00:00Z"}
    ann, cy = say(ana, "Ann", "bob", **when), say(ana, "Cy", "dee", **when)
    question = ana.questions()[0].id
    ana.settle(question, keep=ann)
    new = say(ana, "Gil", "bob", valid_from="2025-06-01T00:00Z")
    ana.settle(question, undo=True)
    assert strip(ana) == [(("Ann", "Cy"), "2025-01-01", "2025-06-01"), (("Cy", "Gil"), "2025-06-01", None)]
    assert statuses(ana, ann, cy, new) == ["superseded", "contested", "contested"]


def test_r26_the_kept_claim_was_corrected_since(ana: stead.Subject) -> None:
    when = {"valid_from": "2025-01-01T00:00Z"}
    ann, cy = say(ana, "Ann", "bob", **when), say(ana, "Cy", "dee", **when)
    question = ana.questions()[0].id
    ana.settle(question, keep=ann)
    fixed = str(ana.correct(ann, "Owner is Anne", value="Anne").record)
    assert values(ana) == ["Anne"]
    ana.settle(question, undo=True)
    assert strip(ana) == [(("Anne", "Cy"), "2025-01-01", None)]
    assert statuses(ana, ann, cy, fixed) == ["retracted", "contested", "contested"]


def test_r26_the_lost_claim_was_retracted_since(ana: stead.Subject) -> None:
    when = {"valid_from": "2025-01-01T00:00Z", "valid_until": "2025-04-01T00:00Z"}
    ann, cy = say(ana, "Ann", "bob", **when), say(ana, "Cy", "dee", valid_from="2025-03-01T00:00Z")
    question = ana.questions()[0].id
    ana.settle(question, keep=ann)
    ana.retract(cy)
    assert ana.settle(question, undo=True).rule == "unsettled"
    assert (values(ana, at="2025-03-10T00:00Z"), statuses(ana, ann, cy)) == (["Ann"], ["active", "retracted"])


def test_r26_a_move_can_not_be_taken_back_after_it_was_superseded_there(ana: stead.Subject) -> None:
    say(ana, "Ann", "bob")
    cy = say(ana, "Cy", "dee")
    ana.settle(scopes={cy: "work"})
    say(ana, "Gil", "dee", scope="work")
    before = everything(ana)
    with pytest.raises(stead.IllegalTransition, match="superseded in its scope"):
        ana.settle(cy, undo=True)
    assert everything(ana) == before
    ana.rollback(cy)
    ana.settle(cy, undo=True)
    assert kinds(ana) == ["contested"]


def test_r26_the_lost_claim_was_corrected_since(ana: stead.Subject) -> None:
    when = {"valid_from": "2025-01-01T00:00Z"}
    ann, cy = say(ana, "Ann", "bob", **when), say(ana, "Cy", "dee", **when)
    ana.settle(keep=cy)
    fixed = str(ana.correct(ann, "Owner is Anne", value="Anne").record)
    assert (values(ana), statuses(ana, ann, cy, fixed)) == (["Cy"], ["superseded", "active", "superseded"])
    ana.settle(cy, undo=True)
    assert strip(ana) == [(("Anne", "Cy"), "2025-01-01", None)]
    assert statuses(ana, ann, cy, fixed) == ["retracted", "contested", "contested"]


def test_r26_a_move_that_was_moved_on_is_taken_back_after_that(ana: stead.Subject) -> None:
    say(ana, "Ann", "bob")
    cy = say(ana, "Cy", "dee")
    say(ana, "Zoe", "eve", scope="work")
    first = ana.settle(scopes={cy: "work"})
    second = ana.settle(scopes={cy: "play"})
    with pytest.raises(stead.IllegalTransition, match="another scope since"):
        ana.settle(str(first.question), undo=True)
    ana.settle(str(second.question), undo=True)
    ana.settle(str(first.question), undo=True)
    assert (ana.record(cy).scope, [each.scope for each in ana.questions()]) == ("", [""])


def test_r27_an_answer_about_what_was_forgotten_can_not_be_taken_back(ana: stead.Subject) -> None:
    ann, _ = say(ana, "Ann", "bob"), say(ana, "Cy", "dee")
    ana.settle(keep=ann)
    ana.remember("Forget everything you know about me")
    with pytest.raises(stead.InvalidArgument):  # the log of it is gone too
        ana.settle(undo=True)


def test_r28_an_answer_is_rolled_back_from_the_record_that_lost(ana: stead.Subject) -> None:
    ann, cy = say(ana, "Ann", "bob"), say(ana, "Cy", "dee")
    ana.settle(keep=cy)
    ana.rollback(ann)
    assert (statuses(ana, ann, cy), kinds(ana)) == (["contested", "contested"], ["contested"])
    with pytest.raises(stead.IllegalTransition):
        ana.rollback(ann)
    with pytest.raises(stead.SteadError):
        ana.settle(undo=True)
    assert statuses(ana, ann, cy) == ["contested", "contested"]


# --- what is refused, and what is only repeated ---------------------------------------------------------------------------


def test_r26_answers_that_name_nothing_change_nothing(store: stead.Store, ana: stead.Subject) -> None:
    ann, cy = say(ana, "Ann", "bob"), say(ana, "Cy", "dee")
    ben = store.subject("ben")
    theirs, _ = say(ben, "Ann", "bob"), say(ben, "Cy", "dee")
    [question], [other] = ana.questions(), ben.questions()
    before = everything(ana), everything(ben)
    refused: list[tuple[type[stead.SteadError], dict[str, Any]]] = [
        (stead.InvalidArgument, {}),
        (stead.InvalidArgument, {"keep": ann, "neither": True}),
        (stead.InvalidArgument, {"keep": ann, "undo": True}),
        (stead.InvalidArgument, {"neither": "yes"}),
        (stead.InvalidArgument, {"undo": 1}),
        (stead.InvalidArgument, {"scopes": {}}),
        (stead.InvalidArgument, {"scopes": {ann: 3}}),
        (stead.InvalidArgument, {"scopes": [ann]}),
        (stead.InvalidArgument, {"scopes": {ann: ""}}),
        (stead.InvalidArgument, {"scopes": {ann: "work", cy: "work"}}),
        (stead.UnknownRecord, {"keep": "rec_0000000000000000"}),
        (stead.UnknownRecord, {"question": "que_nothing", "keep": ann}),
        (stead.UnknownRecord, {"question": "que_nothing", "neither": True}),
        (stead.UnknownRecord, {"question": other.id, "neither": True}),
        (stead.UnknownRecord, {"question": "que_nothing", "undo": True}),
        (stead.CrossSubject, {"keep": theirs}),
        (stead.CrossSubject, {"question": theirs, "neither": True}),
        (stead.CrossSubject, {"question": theirs, "undo": True}),
        (stead.CrossSubject, {"question": question.id, "scopes": {theirs: "work"}}),
        (stead.InvalidArgument, {"undo": True}),
    ]
    for error, fields in refused:
        asked = fields.pop("question", None)
        with pytest.raises(error):
            ana.settle(asked, **fields)
    assert (everything(ana), everything(ben)) == before


def _refusal(act: Callable[[], object]) -> stead.SteadError:
    with pytest.raises(stead.SteadError) as caught:
        act()
    return caught.value


def test_r46_an_answer_sent_again_is_the_first_answer(ana: stead.Subject, clock: StoryClock) -> None:
    ann, cy = say(ana, "Ann", "bob"), say(ana, "Cy", "dee")
    first = ana.settle(keep=ann, idempotency_key="k")
    clock.instant += DAY
    again = ana.settle(keep=ann, idempotency_key="k")
    assert (again.replayed, again.known_at, again.question) == (True, first.known_at, first.question)
    with pytest.raises(stead.Conflict):
        ana.settle(keep=cy, idempotency_key="k")
    undone = ana.settle(ann, undo=True, idempotency_key="u")
    assert ana.settle(ann, undo=True, idempotency_key="u").known_at == undone.known_at
    assert statuses(ana, ann, cy) == ["contested", "contested"]


def test_r26_an_answer_is_of_its_own_question_only(ana: stead.Subject) -> None:
    ann, _ = say(ana, "Ann", "bob"), say(ana, "Cy", "dee")
    ana.remember("Deploys on Monday", slot=Slot("deploy", value="Monday"), speaker="a")
    ana.remember("Deploys on Friday", slot=Slot("deploy", value="Friday"), speaker="b")
    other = next(each for each in ana.questions() if each.slot == "user / deploy")
    with pytest.raises(stead.SteadError):
        ana.settle(other.id, keep=ann)
    ana.settle(keep=ann)
    assert [each.id for each in ana.questions()] == [other.id]


def test_r26_a_reader_with_another_audience_sees_that_something_is_withheld(store: stead.Store) -> None:
    ana = store.subject("ana", audience="agent")
    say(ana, "Ann", "bob")
    say(ana, "Cy", "dee", audience="doctor")
    [question] = ana.questions()
    assert ([each.value for each in question.claims], question.withheld) == (["Ann"], 1)
    assert "Cy" not in ana.recall(slot=OWNER).text
    assert store.subject("ana", audience="stranger").questions() == []


def test_r26_a_question_is_named_by_a_record_of_it(ana: stead.Subject) -> None:
    ann, cy = say(ana, "Ann", "bob"), say(ana, "Cy", "dee")
    assert ana.settle(cy, neither=True).rule == "neither"
    assert ana.settle(ann, undo=True).rule == "unsettled"
    assert ana.settle(ann, keep=cy).rule == "settled"


@pytest.fixture
def twice(ana: stead.Subject) -> tuple[str, str, str]:
    """Return Ann, whom Cy contests, and in March Eve of the same speaker, who hides Cy there."""
    ann = say(ana, "Ann", "bob", valid_from="2025-01-01T00:00Z")
    cy = say(ana, "Cy", "dee", valid_from="2025-01-01T00:00Z")
    eve = say(ana, "Eve", "dee", valid_from="2025-03-01T00:00Z", valid_until="2025-04-01T00:00Z")
    assert len(ana.questions()) == 2
    return ann, cy, eve


def test_r26_what_an_answer_uncovers_is_answered_too(ana: stead.Subject, twice: tuple[str, str, str]) -> None:
    ann, cy, eve = twice
    march = next(each for each in ana.questions() if eve in {claim.id for claim in each.claims})
    outcome = ana.settle(march.id, keep=ann)
    assert set(outcome.affected) == {cy, eve}
    assert strip(ana) == [
        (("Ann", "Cy"), "2025-01-01", "2025-03-01"),
        ("Ann", "2025-03-01", "2025-04-01"),
        (("Ann", "Cy"), "2025-04-01", None),
    ]
    ana.settle(march.id, undo=True)
    assert len(ana.questions()) == 2


def test_r26_one_answer_to_two_questions_is_taken_back_by_either(
    ana: stead.Subject, twice: tuple[str, str, str]
) -> None:
    asked = [each.id for each in ana.questions()]
    for each in asked:
        ana.settle(keep=twice[0])
        assert ana.questions() == []
        assert ana.settle(each, undo=True).rule == "unsettled"
        assert [found.id for found in ana.questions()] == asked


# --- claims without a slot ------------------------------------------------------------------------------------------------


@pytest.fixture
def codes(ana: stead.Subject) -> tuple[str, str]:
    """Return two claims without a slot that two speakers made."""
    first = ana.remember("The gate code is 4411", speaker="mara")
    second = ana.remember("The gate code is 9000", speaker="jon")
    assert second.decision is Decision.CONTEST
    return str(first.record), str(second.record)


def shown(ana: stead.Subject, *records: str) -> str:
    """Return everything that names a record anywhere."""
    context = ana.recall("what is the gate code?")
    parts: list[object] = [context.as_dict(), context.text, *(spelled(each) for each in ana.questions())]
    parts += [spelled(each) for record in records for each in ana.history(record)]
    parts += [*(ana.why(each) for each in records), *(spelled(each) for each in ana.records()), *ana.export()]
    return json.dumps(parts, default=str)


@pytest.mark.parametrize("answer", ["keep", "neither", "scopes", "undo"])
def test_r26_the_hidden_question_of_a_claim_shows_nowhere(
    ana: stead.Subject, codes: tuple[str, str], answer: str
) -> None:
    outcomes = []
    [question] = ana.questions()
    assert question.slot is None
    assert "text:" not in shown(ana, *codes)
    given: dict[str, Any] = {"keep": codes[0], "neither": True, "scopes": {codes[1]: "work"}}
    outcomes.append(ana.settle(question.id, **{answer: given[answer]} if answer in given else {"neither": True}))
    if answer == "undo":
        outcomes.append(ana.settle(question.id, undo=True))
    assert "text:" not in shown(ana, *codes) + json.dumps([spelled(each) for each in outcomes], default=str)
    assert [each.version for each in outcomes] == [None] * len(outcomes)  # of a slot that nobody named
    assert all(each.entity is None and each.attribute is None and each.value is None for each in ana.records())


def test_r26_claims_without_a_slot_are_settled_and_taken_back(ana: stead.Subject, codes: tuple[str, str]) -> None:
    [question] = ana.questions()
    ana.settle(question.id, keep=codes[1])
    assert [each.claim for each in ana.recall("gate code").facts] == ["The gate code is 9000"]
    ana.settle(question.id, undo=True)
    assert (ana.recall("gate code").facts, kinds(ana)) == ((), ["contested"])
    ana.settle(question.id, scopes={codes[1]: "work"})
    found = [[each.claim for each in ana.recall("gate code", scope=scope).facts] for scope in ("", "work")]
    assert found == [["The gate code is 4411"], ["The gate code is 9000"]]
    ana.settle(question.id, undo=True)
    ana.settle(neither=True)
    assert (ana.recall("gate code").facts, kinds(ana)) == ((), [])


def test_r26_a_kept_claim_without_a_slot_was_corrected_into_another_question(
    ana: stead.Subject, codes: tuple[str, str]
) -> None:
    ana.settle(keep=codes[0])
    fixed = str(ana.correct(codes[0], "The cellar is damp").record)
    ana.settle(codes[0], undo=True)
    assert statuses(ana, *codes, fixed) == ["retracted", "active", "active"]
    assert ana.questions() == []


def test_r26_an_error_about_a_claim_without_a_slot_shows_only_ids(ana: stead.Subject, codes: tuple[str, str]) -> None:
    ana.settle(keep=codes[0])
    for act in (lambda: ana.settle(keep=codes[0]), lambda: ana.settle(keep=codes[1]), lambda: ana.settle(neither=True)):
        problem = _refusal(act)
        assert not any(word in f"{problem} {problem.hint}" for word in ("text:", "gate", "4411"))


# --- the inbox on a terminal ------------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """A screen."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        """Say that a person looks at it."""
        return True


def inbox(monkeypatch: pytest.MonkeyPatch, folder: Path, columns: int) -> tuple[str, str]:
    """Return what ``stead questions`` shows on a terminal, and what it notes beside it."""
    screen, beside = Terminal(), io.StringIO()
    for name, value in {
        "COLUMNS": str(columns),
        "TERM": "xterm",
        "NO_COLOR": "1",
        "STEAD_STORE": str(folder / "memory.db"),
    }.items():
        monkeypatch.setenv(name, value)
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", screen)
        patched.setattr(sys, "stderr", beside)
        assert main(["questions", "--subject", "ana"]) == 0
    return re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue()), beside.getvalue()


LONG = "Owner is Ann, who took it over from Bob when the platform team was split and answers pages on weekends too"


@pytest.fixture
def now(tmp_path: Path) -> Iterator[stead.Subject]:
    """Return a subject of a store with the machine's clock, which the command line has too."""
    with stead.open(tmp_path / "memory.db", embedder="none") as opened:
        yield opened.subject("ana")


@pytest.mark.parametrize("columns", [140, 40])
def test_r26_the_inbox_shows_source_scope_date_and_authority(
    tmp_path: Path, now: stead.Subject, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert inbox(monkeypatch, tmp_path, columns) == ("", "note: no open questions\n")
    source = {"conversation": "planning", "turn": "17"}
    slot = Slot("x.owner", value="Ann")
    ann = str(now.remember(LONG, slot=slot, speaker="bob", scope="work/platform", source=source).record)
    cy = say(now, "Cy", "dee", scope="work/platform")
    guess = str(now.remember("Likes tea", slot=Slot("x.drink", value="tea"), authority="inferred").record)
    screen, beside = inbox(monkeypatch, tmp_path, columns)
    lines, words = screen.splitlines(), " ".join(screen.split())
    assert words.index(ann) < words.index(cy) < words.index(guess)
    dated = moment(now.record(ann).observed_at)
    for each in (now.questions()[0].id, "in work/platform", "planning turn 17", "stated", "inferred", dated):
        assert each in words
    assert ("--keep" in beside, "stead confirm" in beside) == (True, True)
    if columns < 100:  # below each other: nothing but the heading of a question is wider than the terminal
        assert all(len(line) <= columns for line in lines if not line.startswith("que_"))
        assert LONG in " ".join(screen[screen.index(ann) : screen.index("stated by bob")].split())
    else:
        assert next(line for line in lines if ann in line).split()[1:3] == ["stated", "bob"]
        assert all(len(line) <= columns for line in lines)


def test_r26_a_source_that_is_long_is_shortened_beside_and_whole_below(
    tmp_path: Path, now: stead.Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    uri = "https://wiki.example.com/platform/owners?revision=2211"
    now.remember("Owner is Ann", slot=Slot("x.owner", value="Ann"), speaker="bob", source={"uri": uri})
    now.remember("Owner is Ann", slot=Slot("x.owner", value="Ann"), speaker="bob")
    say(now, "Cy", "dee")
    beside, _ = inbox(monkeypatch, tmp_path, 120)
    assert uri[:20] in beside
    assert uri not in beside
    below, _ = inbox(monkeypatch, tmp_path, 60)
    assert uri + " and 1 more" in " ".join(below.split())


def test_r26_a_disagreement_of_less_than_a_second_is_dated_exactly(
    tmp_path: Path, store: stead.Store, ana: stead.Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    say(ana, "Ann", "bob", valid_from="2025-01-01T00:00Z")
    say(ana, "Cy", "dee", valid_from="2025-01-01T00:00Z")
    say(ana, "Eve", "fay", valid_from="2025-01-01T00:00:00.25Z")
    screen, _ = inbox(monkeypatch, tmp_path, 140)
    assert "2025-01-01T00:00Z → 2025-01-01T00:00:00.250000Z" in screen


def test_r26_the_inbox_says_that_something_is_withheld(
    tmp_path: Path, now: stead.Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    say(now, "Ann", "bob")
    say(now, "Cy", "dee", audience="doctor")
    now.remember("Works at Acme", slot=Slot("work.employer", value="Acme"), review_events=["role changed"])
    now.event("role changed")
    screen, beside = inbox(monkeypatch, tmp_path, 140)
    assert ("and 1 that this reader may not see" in screen, "Cy" in screen) == (True, False)
    assert ("since: role changed" in screen, "review" in beside) == (True, True)
