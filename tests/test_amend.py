"""Changing what is there: end, retract, correct, rollback, settle, verify (R3, R10, R12, R22, R26, R28)."""

from __future__ import annotations

from typing import Any

import pytest

import stead
from stead import Decision, Slot
from stead.clock import StoryClock

DAY = 86_400_000_000


def slot(value: str | None = None) -> Slot:
    return Slot("home.city", value=value)


def say(subject: stead.Subject, value: str, **more: Any) -> str:
    return str(subject.remember(f"Lives in {value}", slot=slot(value), **more).record)


def strip(subject: stead.Subject, **more: Any) -> list[tuple[str | tuple[str, ...] | None, str | None, str | None]]:
    """What holds, with dates in Berlin."""
    return [
        (each.values if each.contested else each.value, _day(each.start), _day(each.end))
        for each in subject.holds(slot(), **more)
    ]


def _day(moment: Any) -> str | None:
    import zoneinfo

    return None if moment is None else moment.astimezone(zoneinfo.ZoneInfo("Europe/Berlin")).strftime("%Y-%m-%d")


def status(subject: stead.Subject, record: str) -> str:
    return str(subject.record(record).status)


def test_r22_the_world_changed(ana: stead.Subject) -> None:
    old = say(ana, "Berlin", valid_from="2025-01-01")
    outcome = ana.correct(old, value="Lisbon", valid_from="2026-01-01", meaning="changed")
    assert (outcome.decision, outcome.rule) == (Decision.SUPERSEDE, "newer")
    assert strip(ana) == [("Berlin", "2025-01-01", "2026-01-01"), ("Lisbon", "2026-01-01", None)]
    assert ana.record(str(outcome.record)).claim == "Lives in Lisbon"
    assert status(ana, old) == "superseded"


def test_r22_it_was_never_true_and_the_past_still_knows_it(ana: stead.Subject, clock: StoryClock) -> None:
    old = say(ana, "Berlin", valid_from="2025-01-01")
    clock.instant += DAY
    outcome = ana.correct(old, "Lives in Bern", value="Bern")
    assert (outcome.decision, outcome.rule, outcome.affected) == (Decision.SUPERSEDE, "corrected", (old,))
    assert strip(ana) == [("Bern", "2025-01-01", None)]
    assert strip(ana, known_at="2026-01-05T20:00") == [("Berlin", "2025-01-01", None)]
    assert status(ana, old) == "retracted"
    ana.rollback(old)
    assert strip(ana) == [("Berlin", "2025-01-01", None)]
    assert status(ana, str(outcome.record)) == "retracted"


def test_r12_a_correction_of_the_rule_leaves_its_exceptions(ana: stead.Subject) -> None:
    rule = say(ana, "Berlin", valid_from="2025-01-01")
    say(ana, "Rome", valid_from="2026-02-01", valid_until="2026-03-01")
    ana.correct(rule, value="Bern")
    expected = [
        ("Bern", "2025-01-01", "2026-02-01"),
        ("Rome", "2026-02-01", "2026-03-01"),
        ("Bern", "2026-03-01", None),
    ]
    assert strip(ana) == expected


def test_r22_correcting_what_was_superseded_keeps_its_successor(ana: stead.Subject) -> None:
    old = say(ana, "Berlin", valid_from="2024-01-01")
    new = say(ana, "Lisbon", valid_from="2025-01-01")
    fixed = str(ana.correct(old, value="Bern").record)
    assert strip(ana) == [("Bern", "2024-01-01", "2025-01-01"), ("Lisbon", "2025-01-01", None)]
    assert (status(ana, old), status(ana, fixed), status(ana, new)) == ("superseded", "superseded", "active")
    ana.rollback(fixed)
    assert strip(ana) == [("Bern", "2024-01-01", None)]
    assert status(ana, new) == "retracted"


def test_r22_only_the_start_or_the_words_were_wrong(ana: stead.Subject) -> None:
    old = say(ana, "Berlin", valid_from="2025-01-01", valid_until="2026-06-01")
    later = str(ana.correct(old, valid_from="2025-03-01").record)
    assert strip(ana) == [("Berlin", "2025-03-01", "2026-06-01")]
    worded = str(ana.correct(later, "Rents a flat in Berlin").record)
    assert ana.record(worded).claim == "Rents a flat in Berlin"
    assert strip(ana) == [("Berlin", "2025-03-01", "2026-06-01")]


def test_correcting_a_record_without_a_slot(ana: stead.Subject) -> None:
    first = str(ana.remember("Plays the cello").record)
    second = str(ana.correct(first, "Plays the viola").record)
    assert [fact.id for fact in ana.recall("plays").facts] == [second]
    third = ana.correct(second, "Plays the violin", meaning="changed")
    assert (third.decision, third.affected) == (Decision.SUPERSEDE, (second,))
    assert [fact.claim for fact in ana.recall("plays").facts] == ["Plays the violin"]
    ana.rollback(second)
    assert [fact.id for fact in ana.recall("plays").facts] == [second]
    ana.rollback(first)
    assert [fact.id for fact in ana.recall("plays").facts] == [first]
    with pytest.raises(stead.InvalidArgument, match="value"):
        ana.correct(first, value="cello")


def test_corrections_that_can_not_be(ana: stead.Subject) -> None:
    old = say(ana, "Berlin")
    with pytest.raises(stead.InvalidArgument, match="nothing to correct"):
        ana.correct(old)
    with pytest.raises(stead.InvalidArgument, match="meaning"):
        ana.correct(old, value="Bern", meaning="perhaps")
    guess = str(ana.remember("Likes jazz", authority="inferred").record)
    for meaning in ("corrected", "changed"):
        with pytest.raises(stead.IllegalTransition):
            ana.correct(guess, "Likes blues", meaning=meaning)


def test_r10_an_end_by_record_or_by_slot(ana: stead.Subject) -> None:
    first = say(ana, "Berlin", valid_from="2025-01-01")
    outcome = ana.end(first, when="2025-07-01")
    assert (outcome.decision, outcome.rule, outcome.version) == (Decision.UPDATE, "ended", 2)
    assert strip(ana) == [("Berlin", "2025-01-01", "2025-07-01")]
    assert ana.end(first, when="2025-08-01").decision is Decision.NOOP
    say(ana, "Lisbon", valid_from="2025-09-01")
    assert ana.end(slot=slot(), when="2025-10-01").decision is Decision.UPDATE
    assert ana.end(slot=slot(), when="2025-12-01").rule == "not_standing"
    assert ana.end(slot=Slot("never.written")).record is None
    assert strip(ana)[-1] == ("Lisbon", "2025-09-01", "2025-10-01")
    with pytest.raises(stead.InvalidArgument):
        ana.end()
    with pytest.raises(stead.IllegalTransition):
        ana.end(str(ana.remember("Likes jazz", authority="inferred").record))


def test_r10_ending_an_exception_lets_the_rule_resume(ana: stead.Subject) -> None:
    say(ana, "Berlin", valid_from="2025-01-01")
    say(ana, "Rome", valid_from="2026-02-01", valid_until="2026-06-01")
    ana.end(slot=slot(), when="2026-03-01")
    assert strip(ana)[1:] == [("Rome", "2026-02-01", "2026-03-01"), ("Berlin", "2026-03-01", None)]


def test_r10_the_predecessor_of_a_retracted_record_is_not_revived(ana: stead.Subject) -> None:
    old = say(ana, "Berlin", valid_from="2025-01-01")
    new = say(ana, "Lisbon", valid_from="2026-01-01")
    ana.retract(new)
    assert strip(ana) == [("Berlin", "2025-01-01", "2026-01-01")]
    assert status(ana, old) == "superseded"
    with pytest.raises(stead.IllegalTransition):
        ana.retract(old)
    ana.rollback(old)
    assert strip(ana) == [("Berlin", "2025-01-01", None)]


def test_r28_a_link_in_the_middle_of_a_chain_is_rolled_back(ana: stead.Subject) -> None:
    a = say(ana, "A", valid_from="2025-01-01")
    b = say(ana, "B", valid_from="2025-02-01")
    c = say(ana, "C", valid_from="2025-03-01")
    ana.rollback(a)
    assert strip(ana) == [("A", "2025-01-01", "2025-03-01"), ("C", "2025-03-01", None)]
    assert (status(ana, a), status(ana, b), status(ana, c)) == ("superseded", "retracted", "active")
    assert ana.record(a).superseded_by == c
    assert {each.id for each in ana.history(c)} == {a, b, c}
    with pytest.raises(stead.IllegalTransition):
        ana.rollback(c)


def test_r28_what_was_said_after_the_rollback_target_keeps_its_place(ana: stead.Subject) -> None:
    a = say(ana, "A", valid_from="2025-01-01")
    b = say(ana, "B", valid_from="2025-02-01")
    ana.end(b, when="2025-03-01")
    later = say(ana, "D", valid_from="2025-06-01")
    ana.rollback(a)
    assert strip(ana) == [("A", "2025-01-01", "2025-06-01"), ("D", "2025-06-01", None)]
    assert ana.record(a).superseded_by == later


def test_r22_a_correction_in_words_is_rolled_back_with_its_portion(ana: stead.Subject) -> None:
    old = say(ana, "Berlin", valid_from="2025-01-01", valid_until="2025-06-01")
    wide = say(ana, "Bern", valid_from="2024-01-01", meaning="corrected")
    assert status(ana, old) == "retracted"
    ana.rollback(old)
    assert strip(ana) == [("Berlin", "2025-01-01", "2025-06-01")]
    assert status(ana, wide) == "retracted"


def test_r26_settling_keeps_one_on_the_overlap(ana: stead.Subject, clock: StoryClock) -> None:
    mara = say(ana, "Porto", speaker="mara", valid_from="2025-01-01", valid_until="2025-12-01")
    jon = say(ana, "Faro", speaker="jon", valid_from="2025-03-01", valid_until="2025-06-01")
    assert strip(ana)[1] == (("Faro", "Porto"), "2025-03-01", "2025-06-01")
    clock.instant += DAY
    question = ana.questions()[0]
    assert [claim.speaker for claim in question.claims] == ["mara", "jon"]
    assert question.kind == "contested"
    outcome = ana.settle(question, keep=jon)
    assert (outcome.decision, outcome.rule, outcome.affected) == (Decision.UPDATE, "settled", (mara,))
    expected = [
        ("Porto", "2025-01-01", "2025-03-01"),
        ("Faro", "2025-03-01", "2025-06-01"),
        ("Porto", "2025-06-01", "2025-12-01"),
    ]
    assert strip(ana) == expected
    assert strip(ana, known_at="2026-01-05T12:00")[1][0] == ("Faro", "Porto")
    assert ana.questions() == []
    assert (status(ana, mara), status(ana, jon)) == ("active", "active")


def test_r26_a_settlement_is_undone_by_a_rollback(ana: stead.Subject) -> None:
    mara, jon = say(ana, "Porto", speaker="mara"), say(ana, "Faro", speaker="jon")
    ana.settle(keep=jon)
    assert (status(ana, mara), ana.record(mara).superseded_by) == ("superseded", jon)
    ana.rollback(mara)
    assert (status(ana, mara), status(ana, jon)) == ("contested", "contested")


def test_r26_neither_and_agreement(ana: stead.Subject) -> None:
    mara, jon = say(ana, "Porto", speaker="mara"), say(ana, "Faro", speaker="jon")
    ana.settle(neither=True)
    assert strip(ana) == []
    assert (status(ana, mara), status(ana, jon)) == ("retracted", "retracted")
    first = say(ana, "Evora", speaker="mara")
    second = say(ana, "Braga", speaker="jon")
    third = say(ana, "Evora", speaker="tom")
    ana.settle(keep=first)
    assert [status(ana, each) for each in (first, second, third)] == ["active", "superseded", "active"]
    assert len(ana.recall(slot=slot()).facts[0].sources) == 2


def test_r26_answers_that_name_nothing(ana: stead.Subject) -> None:
    alone = say(ana, "Porto")
    with pytest.raises(stead.IllegalTransition):
        ana.settle(keep=alone)
    with pytest.raises(stead.UnknownRecord):
        ana.settle("que_nothing", keep=alone)
    with pytest.raises(stead.InvalidArgument):
        ana.settle()
    with pytest.raises(stead.InvalidArgument, match="0 contests"):
        ana.settle(neither=True)
    say(ana, "Faro", speaker="jon")
    ana.remember("Deploy on Monday", slot=Slot("deploy", value="Monday"), speaker="a")
    ana.remember("Deploy on Friday", slot=Slot("deploy", value="Friday"), speaker="b")
    with pytest.raises(stead.InvalidArgument, match="2 contests"):
        ana.settle(neither=True)
    assert ana.settle(ana.questions()[0].id, keep=alone).rule == "settled"


def test_r21_verifying_moves_the_date_and_makes_no_version(ana: stead.Subject, clock: StoryClock) -> None:
    record = say(ana, "Berlin")
    clock.instant += DAY
    outcome = ana.verify(record)
    assert (outcome.decision, outcome.rule) == (Decision.NOOP, "verified")
    assert ana.record(record).last_verified == outcome.known_at
    assert len(ana.history(record)) == 1
    ana.retract(record)
    with pytest.raises(stead.IllegalTransition):
        ana.verify(record)


def test_r30_use_is_counted(ana: stead.Subject, clock: StoryClock) -> None:
    record = say(ana, "Berlin")
    with ana.session("c") as session:
        turn = str(session.turn("user", "I live in Berlin").record)
    clock.instant += DAY
    ana.recall(slot=slot()).used(record, turn)
    ana.used(record)
    found = ana.record(record)
    assert (found.access_count, found.last_access is not None) == (2, True)
    for unknown in ("rec_unknown", "epi_unknown"):
        with pytest.raises(stead.UnknownRecord):
            ana.used(unknown)


def test_r14_two_exceptions_of_equal_standing_are_asked_about_where_they_overlap(ana: stead.Subject) -> None:
    say(ana, "Berlin", valid_from="2025-01-01")
    say(ana, "Rome", speaker="mara", authority="confirmed", valid_from="2026-02-01", valid_until="2026-02-10")
    both = ana.remember(
        "Stays in Oslo", slot=slot("Oslo"), speaker="jon", authority="confirmed", valid_from="2026-02-05",
        valid_until="2026-02-15",
    )  # fmt: skip
    assert (both.decision, both.rule) == (Decision.CONTEST, "equals")
    assert strip(ana) == [
        ("Berlin", "2025-01-01", "2026-02-01"), ("Rome", "2026-02-01", "2026-02-05"),
        (("Oslo", "Rome"), "2026-02-05", "2026-02-10"), ("Oslo", "2026-02-10", "2026-02-15"), ("Berlin", "2026-02-15", None),
    ]  # fmt: skip


def test_r25_two_records_that_contradict_are_never_both_served(ana: stead.Subject) -> None:
    say(ana, "Porto", speaker="mara")
    say(ana, "Faro", speaker="jon")
    for asked in ({"slot": slot()}, {"query": "lives in Porto or Faro"}, {}):
        context = ana.recall(**asked)
        assert context.facts == ()
        assert [each.kind for each in context.questions] == ["contested"]
        assert "Facts:" not in context.text
        assert "ask, don't assume" in context.text


def test_r22_a_correction_takes_off_what_was_hidden_there_too(ana: stead.Subject) -> None:
    say(ana, "Berlin", valid_from="2025-01-01")
    say(ana, "Rome", valid_from="2026-02-01", valid_until="2026-03-01")
    fixed = say(ana, "Oslo", valid_from="2026-02-01", valid_until="2026-03-01", meaning="corrected")
    ana.retract(fixed)
    assert strip(ana) == [("Berlin", "2025-01-01", "2026-02-01"), ("Berlin", "2026-03-01", None)]


def test_r28_what_ended_the_successor_ends_what_comes_back(ana: stead.Subject) -> None:
    """A to B to C without B is A to C, also when C was retracted since."""
    a = say(ana, "A", valid_from="2025-01-01")
    say(ana, "B", valid_from="2025-02-01")
    c = say(ana, "C", valid_from="2025-03-01")
    ana.retract(c)
    ana.rollback(a)
    assert strip(ana) == [("A", "2025-01-01", "2025-03-01")]
    assert (status(ana, a), ana.record(a).superseded_by) == ("superseded", c)
