"""Aliases: two names of one entity, joined on somebody's word and parted again (R21)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.commands import Ran, Run

import stead
from stead import Decision, Slot
from stead.clock import StoryClock
from stead.model.slot import SlotKey

DAY = 86_400_000_000


def landlord(entity: str, value: str | None = None) -> Slot:
    return Slot("landlord", entity=entity, value=value)


def rented(subject: stead.Subject, entity: str, value: str, **more: Any) -> str:
    made = subject.remember(f"The {entity} is rented from {value}", slot=landlord(entity, value), **more)
    return str(made.record)


def values(subject: stead.Subject, entity: str, **more: Any) -> list[str | None]:
    return [each.value for each in subject.recall(slot=landlord(entity), **more).facts]


def claims(subject: stead.Subject, query: str, **more: Any) -> list[str]:
    return [each.claim for each in subject.recall(query, **more).facts]


def statuses(subject: stead.Subject, *records: str) -> list[str]:
    return [str(subject.record(each).status) for each in records]


def names(subject: stead.Subject, **more: Any) -> list[tuple[str, str]]:
    return [(each.name, each.means) for each in subject.aliases(**more)]


def kinds(subject: stead.Subject) -> list[str]:
    return [each.kind for each in subject.questions()]


# --- joining and parting --------------------------------------------------------------------------------------------------


def test_r21_nothing_is_joined_because_it_looks_alike(ana: stead.Subject) -> None:
    rented(ana, "flat", "Ann")
    rented(ana, "flats", "Bob")
    rented(ana, "flat 2", "Cy")
    assert [values(ana, each) for each in ("flat", "flats", "flat 2")] == [["Ann"], ["Bob"], ["Cy"]]
    assert names(ana) == []


def test_r21_either_name_reaches_one_question_to_read_and_to_write(ana: stead.Subject, clock: StoryClock) -> None:
    flat = rented(ana, "flat", "Ann")
    clock.instant += DAY
    home = rented(ana, "home", "Bob")
    clock.instant += DAY
    joined = ana.alias("the flat", means="home")
    assert (joined.decision, joined.rule, joined.affected) == (Decision.ADD, "alias", (flat,))
    assert (statuses(ana, flat, home), ana.record(flat).superseded_by) == (["superseded", "active"], home)
    assert values(ana, "The Flat") == values(ana, "home") == ["Bob"]
    assert ana.version(landlord("flat")) == ana.version(landlord("home")) > 0
    assert [each.value for each in ana.holds(landlord("flat"))] == ["Ann", "Bob"]
    clock.instant += DAY
    third = rented(ana, "flat", "Cy")
    assert values(ana, "home") == ["Cy"]
    clock.instant += DAY
    fourth = str(ana.correct(third, value="Dee").record)
    assert values(ana, "home") == ["Dee"]
    ana.end(slot=landlord("flat"), when="2026-02-01T00:00Z")
    assert values(ana, "home", at="2026-02-02T00:00Z") == []
    assert statuses(ana, home, third, fourth) == ["superseded", "retracted", "active"]


def test_r21_parted_each_name_has_its_own_again(ana: stead.Subject, clock: StoryClock) -> None:
    flat = rented(ana, "flat", "Ann")
    clock.instant += DAY
    home = rented(ana, "home", "Bob")
    before = ana.holds(landlord("flat")), ana.holds(landlord("home"))
    clock.instant += DAY
    ana.alias("flat", means="home")
    clock.instant += DAY
    parted = ana.unalias("The Flat")
    assert (parted.decision, parted.rule, parted.affected) == (Decision.UPDATE, "unalias", (flat,))
    assert (ana.holds(landlord("flat")), ana.holds(landlord("home"))) == before
    assert (statuses(ana, flat, home), ana.record(flat).superseded_by) == (["active", "active"], None)
    assert (names(ana), values(ana, "flat"), values(ana, "home")) == ([], ["Ann"], ["Bob"])
    clock.instant += DAY
    ana.alias("flat", means="home")
    assert values(ana, "flat") == ["Bob"]


def test_r21_what_was_said_while_joined_goes_with_the_name_that_was_said(ana: stead.Subject, clock: StoryClock) -> None:
    rented(ana, "home", "Bob")
    ana.alias("flat", means="home")
    clock.instant += DAY
    said = rented(ana, "the flat", "Ann")
    clock.instant += DAY
    fixed = str(ana.correct(said, value="Anne").record)
    assert values(ana, "home") == ["Anne"]
    clock.instant += DAY
    ana.unalias("flat")
    assert (values(ana, "the flat"), values(ana, "home")) == (["Anne"], ["Bob"])
    assert statuses(ana, said, fixed) == ["retracted", "active"]


def test_r21_what_was_only_repeated_under_the_other_name_stays_a_source(ana: stead.Subject) -> None:
    home = rented(ana, "home", "Bob")
    ana.alias("flat", means="home")
    again = ana.remember("The flat is Bob's", slot=landlord("flat", "Bob"), speaker="mara")
    assert (again.decision, again.record) == (Decision.NOOP, home)
    ana.unalias("flat")
    assert (values(ana, "flat"), values(ana, "home")) == ([], ["Bob"])
    assert {each.speaker for each in ana.record(home).sources} == {"ana", "mara"}


def test_r21_only_the_ends_that_the_alias_caused_are_lifted(ana: stead.Subject, clock: StoryClock) -> None:
    first = rented(ana, "flat", "Old")
    clock.instant += DAY
    flat = rented(ana, "flat", "Ann")
    clock.instant += DAY
    home = rented(ana, "home", "Bob")
    ana.alias("flat", means="home")
    ana.end(home, when="2026-03-01T00:00Z")
    clock.instant += DAY
    ana.unalias("flat")
    assert statuses(ana, first, flat, home) == ["superseded", "active", "active"]
    assert values(ana, "home", at="2026-03-02T00:00Z") == []
    assert values(ana, "flat", at="2026-03-02T00:00Z") == ["Ann"]


def test_r21_an_end_that_was_there_before_the_alias_stays(ana: stead.Subject, clock: StoryClock) -> None:
    flat = rented(ana, "flat", "Ann")
    ana.end(flat, when="2026-01-20T00:00Z")
    rented(ana, "home", "Bob")
    clock.instant += DAY
    ana.alias("flat", means="home")
    ana.unalias("flat")
    assert (values(ana, "flat"), values(ana, "flat", at="2026-01-21T00:00Z")) == (["Ann"], [])


# --- names that mean names ------------------------------------------------------------------------------------------------


def test_r21_an_alias_of_an_alias_means_what_that_one_means(ana: stead.Subject) -> None:
    ana.alias("the flat", means="home")
    ana.alias("crib", means="the flat")
    assert names(ana) == [("the flat", "home"), ("crib", "home")]
    rented(ana, "crib", "Ann")
    assert values(ana, "home") == values(ana, "flat") == ["Ann"]
    ana.unalias("the flat")
    assert (values(ana, "crib"), values(ana, "home"), values(ana, "flat")) == (["Ann"], ["Ann"], [])


@pytest.mark.parametrize(
    ("name", "means", "error"),
    [
        ("home", "flat", stead.InvalidArgument),  # a circle
        ("home", "crib", stead.InvalidArgument),  # a circle through an alias
        ("home", "house", stead.IllegalTransition),  # a chain
        ("flat", "house", stead.IllegalTransition),  # two meanings
        ("flat", "The Flat", stead.InvalidArgument),  # itself, though it means something else
        ("house", "the  House", stead.InvalidArgument),
        ("house", "user", stead.InvalidArgument),
        ("me", "house", stead.InvalidArgument),
        ("", "house", stead.InvalidArgument),
        ("house", "  ", stead.InvalidArgument),
        ("house", "x" * 201, stead.InvalidArgument),
        (3, "house", stead.InvalidArgument),
    ],
)
def test_r21_what_can_not_be_meant_is_refused_and_nothing_changes(
    ana: stead.Subject, name: Any, means: Any, error: type[stead.SteadError]
) -> None:
    ana.alias("flat", means="home")
    ana.alias("crib", means="home")
    kept = rented(ana, "house", "Ann")
    before = names(ana), ana.history(kept)
    with pytest.raises(error):
        ana.alias(name, means=means)
    assert (names(ana), ana.history(kept)) == before


def test_r21_a_known_alias_and_an_unknown_one(ana: stead.Subject) -> None:
    ana.alias("the flat", means="home")
    again = ana.alias("FLAT", means="my Home")
    assert (again.decision, again.rule, names(ana)) == (Decision.NOOP, "known", [("the flat", "home")])
    for unknown in ("home", "house"):
        with pytest.raises(stead.UnknownRecord, match="no such alias"):
            ana.unalias(unknown)
    ana.unalias("my flat")
    with pytest.raises(stead.UnknownRecord):
        ana.unalias("flat")


def test_r46_an_alias_that_is_sent_again_is_the_first_one(ana: stead.Subject, clock: StoryClock) -> None:
    first = ana.alias("flat", means="home", idempotency_key="k")
    clock.instant += DAY
    again = ana.alias("flat", means="home", idempotency_key="k")
    assert (again.replayed, again.known_at) == (True, first.known_at)
    with pytest.raises(stead.Conflict):
        ana.alias("flat", means="house", idempotency_key="k")
    gone = ana.unalias("flat", idempotency_key="u")
    assert ana.unalias("flat", idempotency_key="u").known_at == gone.known_at
    assert names(ana) == []


def test_r16_no_name_is_remembered_without_consent(ana: stead.Subject) -> None:
    ana.consent(personalisation=False)
    with pytest.raises(stead.Forbidden):
        ana.alias("flat", means="home")
    assert names(ana) == []


# --- contests -------------------------------------------------------------------------------------------------------------


def test_r26_a_contest_appears_with_the_alias_and_goes_with_it(ana: stead.Subject, clock: StoryClock) -> None:
    flat, home = rented(ana, "flat", "Ann", speaker="mara"), rented(ana, "home", "Bob", speaker="jon")
    clock.instant += DAY
    joined = ana.alias("flat", means="home")
    [question] = ana.questions()
    assert (joined.question, [each.id for each in question.claims]) == (question.id, [flat, home])
    assert (statuses(ana, flat, home), values(ana, "flat")) == (["contested", "contested"], [])
    clock.instant += DAY
    ana.unalias("flat")
    assert (ana.questions(), statuses(ana, flat, home)) == ([], ["active", "active"])
    assert (values(ana, "flat"), values(ana, "home")) == (["Ann"], ["Bob"])
    assert [each.contested for each in ana.holds(landlord("home"), known_at="2026-01-07T00:00Z")] == [True]


def test_r26_a_contest_inside_of_one_name_outlives_the_alias(ana: stead.Subject) -> None:
    one, other = rented(ana, "flat", "Ann", speaker="mara"), rented(ana, "flat", "Bob", speaker="jon")
    ana.alias("flat", means="home")
    assert (kinds(ana), values(ana, "home")) == (["contested"], [])
    ana.unalias("flat")
    assert (kinds(ana), statuses(ana, one, other)) == (["contested"], ["contested", "contested"])


def test_r26_an_answer_to_a_contest_of_the_alias_goes_with_it(ana: stead.Subject) -> None:
    """Kept was one of two claims about one entity; parted, they are claims about two."""
    flat, home = rented(ana, "flat", "Ann", speaker="mara"), rented(ana, "home", "Bob", speaker="jon")
    ana.alias("flat", means="home")
    ana.settle(keep=flat)
    assert values(ana, "home") == ["Ann"]
    ana.unalias("flat")
    assert (values(ana, "flat"), values(ana, "home"), statuses(ana, flat, home)) == (["Ann"], ["Bob"], ["active"] * 2)
    with pytest.raises(stead.IllegalTransition, match="nothing is left"):
        ana.settle(undo=True)


def test_r26_what_a_person_called_wrong_stays_wrong(ana: stead.Subject) -> None:
    flat, home = rented(ana, "flat", "Ann", speaker="mara"), rented(ana, "home", "Bob", speaker="jon")
    ana.alias("flat", means="home")
    ana.settle(neither=True)
    ana.unalias("flat")
    assert (values(ana, "flat"), values(ana, "home")) == ([], [])
    assert statuses(ana, flat, home) == ["retracted", "retracted"]


def test_r23_a_higher_authority_under_the_other_name_stands(ana: stead.Subject, clock: StoryClock) -> None:
    flat = rented(ana, "flat", "Ann", authority="confirmed")
    clock.instant += DAY
    rented(ana, "home", "Bob")
    ana.alias("flat", means="home")
    assert (values(ana, "home"), statuses(ana, flat)) == (["Ann"], ["active"])
    ana.unalias("flat")
    assert values(ana, "home") == ["Bob"]


def test_r22_a_correction_under_one_name_takes_off_what_was_said_under_the_other(ana: stead.Subject) -> None:
    flat = rented(ana, "flat", "Ann", valid_from="2025-01-01T00:00Z")
    home = rented(ana, "home", "Bob", valid_from="2025-01-01T00:00Z", meaning="corrected")
    ana.alias("flat", means="home")
    assert (values(ana, "home"), statuses(ana, flat, home)) == (["Bob"], ["retracted", "active"])
    ana.unalias("flat")
    assert (values(ana, "flat"), values(ana, "home"), statuses(ana, flat, home)) == (["Ann"], ["Bob"], ["active"] * 2)


def test_r23_no_correction_takes_off_what_a_system_of_record_said_under_the_other_name(ana: stead.Subject) -> None:
    flat = rented(ana, "flat", "Ann", valid_from="2025-01-01T00:00Z", authority="system_of_record")
    home = rented(ana, "home", "Bob", valid_from="2025-01-01T00:00Z", meaning="corrected")
    ana.alias("flat", means="home")
    assert (values(ana, "home"), statuses(ana, flat, home)) == (["Ann"], ["active", "superseded"])
    ana.unalias("flat")
    assert (values(ana, "flat"), values(ana, "home"), statuses(ana, flat, home)) == (["Ann"], ["Bob"], ["active"] * 2)


# --- time -----------------------------------------------------------------------------------------------------------------


def test_r7_before_the_alias_was_known_nothing_is_joined(ana: stead.Subject, clock: StoryClock) -> None:
    rented(ana, "flat", "Ann")
    rented(ana, "home", "Bob")
    clock.instant += DAY
    then = {"at": "2026-01-05T12:00Z", "known_at": "2026-01-05T12:00Z"}
    apart = ana.recall(slot=landlord("flat"), **then).as_dict()  # type: ignore[arg-type]
    words = ana.recall("who rents out the flat?", **then).as_dict()  # type: ignore[arg-type]
    joined = ana.alias("flat", means="home").known_at
    clock.instant += DAY
    ana.unalias("flat")
    assert ana.recall(slot=landlord("flat"), **then).as_dict() == apart  # type: ignore[arg-type]
    assert ana.recall("who rents out the flat?", **then).as_dict() == words  # type: ignore[arg-type]
    assert values(ana, "flat", known_at=joined) == ["Bob"]
    assert values(ana, "flat") == ["Ann"]
    assert (names(ana, known_at="2026-01-05T12:00Z"), names(ana, known_at=joined)) == ([], [("flat", "home")])


# --- who reads ------------------------------------------------------------------------------------------------------------


def test_r47_names_are_the_subjects_own(store: stead.Store, ana: stead.Subject) -> None:
    ben = store.subject("ben")
    for each in (ana, ben):
        rented(each, "flat", "Ann")
        rented(each, "home", "Bob")
    before = values(ben, "flat")
    ana.alias("flat", means="home")
    assert (names(ben), values(ben, "flat")) == ([], before)
    with pytest.raises(stead.UnknownRecord):
        ben.unalias("flat")
    assert ben.alias("flat", means="office").decision is Decision.ADD
    assert (names(ana), names(ben)) == ([("flat", "home")], [("flat", "office")])


def test_r30_an_alias_shows_nobody_what_was_not_theirs(store: stead.Store, ana: stead.Subject) -> None:
    rented(ana, "flat", "Ann", speaker="mara", audience="lawyer")
    rented(ana, "home", "Bob", speaker="jon")
    ana.alias("flat", means="home")
    agent = ana.recall(slot=landlord("home"))
    assert "Ann" not in agent.text
    assert agent.facts == ()
    assert [(len(each.claims), each.withheld) for each in agent.questions] == [(1, 1)]
    assert store.subject("ana", audience="stranger").recall(slot=landlord("home")).text.count("rented") == 0


def test_r46_another_process_reads_and_writes_with_the_alias_at_once(
    tmp_path: Path, store: stead.Store, ana: stead.Subject, clock: StoryClock
) -> None:
    with stead.open(tmp_path / "memory.db", clock=clock, embedder="none") as second:
        other = second.subject("ana", zone="Europe/Berlin")
        flat = rented(other, "flat", "Ann")
        clock.instant += DAY
        ana.alias("flat", means="home")
        assert values(other, "home") == ["Ann"]
        clock.instant += DAY
        new = rented(other, "flat", "Bob")
        assert (values(ana, "home"), statuses(ana, flat, new)) == (["Bob"], ["superseded", "active"])
        with pytest.raises(stead.IllegalTransition):
            other.alias("flat", means="house")
        other.unalias("flat")
        assert (names(ana), values(ana, "home"), values(ana, "flat")) == ([], [], ["Bob"])


@pytest.mark.parametrize(
    ("registered", "asked"), [("flat", "home"), ("flat", "flat"), ("home", "flat"), ("home", "home")]
)
def test_r17_a_live_system_of_either_name_is_asked_by_its_own(
    store: stead.Store, ana: stead.Subject, clock: StoryClock, registered: str, asked: str
) -> None:
    calls: list[str] = []

    def directory(subject: str, slot: SlotKey) -> str:
        calls.append(f"{subject}: {slot}")
        return "Zoe"

    rented(ana, "flat", "Ann")
    clock.instant += DAY
    store.read_live("landlord", directory, entity=registered)
    ana.alias("flat", means="home")
    assert values(ana, asked) == ["Zoe"]
    assert calls == [f"ana: {registered} / landlord"]
    assert "Ann" not in ana.recall("who is the landlord of the flat?").text
    ana.unalias("flat")
    assert values(ana, "flat") == (["Zoe"] if registered == "flat" else ["Ann"])


def test_r17_of_two_live_systems_the_entitys_own_is_asked(store: stead.Store, ana: stead.Subject) -> None:
    rented(ana, "flat", "Ann")
    store.read_live("landlord", lambda subject, slot: "flat's", entity="flat")
    store.read_live("landlord", lambda subject, slot: "home's", entity="home")
    ana.alias("flat", means="home")
    assert values(ana, "flat") == ["home's"]


def test_r27_who_asks_to_be_forgotten_has_no_names_any_more(ana: stead.Subject) -> None:
    rented(ana, "flat", "Ann")
    ana.alias("flat", means="home")
    with ana.session("c") as session:
        session.turn("user", "Forget everything about me.")
    assert (names(ana), names(ana, known_at=ana.recall().known_at), ana.recall().facts) == ([], [], ())


# --- claims without a slot ------------------------------------------------------------------------------------------------


def test_r21_words_that_name_the_alias_answer_the_entitys_question(ana: stead.Subject, clock: StoryClock) -> None:
    flat = str(ana.remember("The flat has two rooms").record)
    clock.instant += DAY
    home = str(ana.remember("Home has three rooms").record)
    assert statuses(ana, flat, home) == ["active", "active"]
    clock.instant += DAY
    ana.alias("flat", means="home")
    assert statuses(ana, flat, home) == ["superseded", "active"]
    assert claims(ana, "how many rooms does the flat have?") == ["Home has three rooms"]
    clock.instant += DAY
    new = ana.remember("The flat has four rooms")
    assert (new.decision, new.affected) == (Decision.SUPERSEDE, (home,))
    clock.instant += DAY
    ana.unalias("flat")
    assert statuses(ana, flat, home, str(new.record)) == ["superseded", "active", "active"]
    assert ana.record(flat).superseded_by == new.record
    found = claims(ana, "how many rooms does the flat have?")
    assert ("The flat has four rooms" in found, "The flat has two rooms" in found) == (True, False)


def test_r26_words_of_two_speakers_about_two_names_are_contested(ana: stead.Subject) -> None:
    flat = str(ana.remember("The flat has two rooms", speaker="mara").record)
    home = str(ana.remember("Home has three rooms", speaker="jon").record)
    ana.alias("flat", means="home")
    [question] = ana.questions()
    assert (question.slot, [each.id for each in question.claims]) == (None, [flat, home])
    assert claims(ana, "rooms") == []
    ana.unalias("flat")
    assert (ana.questions(), sorted(claims(ana, "rooms"))) == ([], ["Home has three rooms", "The flat has two rooms"])


def test_r21_an_alias_finds_by_the_other_name(ana: stead.Subject) -> None:
    ana.remember("Postgres needs a restart after an update")
    assert claims(ana, "what about the big elephant?") == []
    ana.alias("the big elephant", means="Postgres")
    assert claims(ana, "what about the big elephant?") == ["Postgres needs a restart after an update"]


def test_r46_a_thousand_records_are_filed_at_once_and_parted_again(ana: stead.Subject) -> None:
    for number in range(40):
        ana.remember(f"Room {number} is green", slot=Slot(f"room.{number}", entity="flat", value="green"))
    joined = ana.alias("flat", means="home")
    assert (len(joined.affected), "40 records" in joined.reason) == (40, True)
    assert ana.recall(slot=Slot("room.7", entity="home")).facts[0].value == "green"
    assert len(ana.unalias("flat").affected) == 40
    assert ana.recall(slot=Slot("room.7", entity="home")).facts == ()


# --- on the command line --------------------------------------------------------------------------------------------------


def test_r21_names_on_the_command_line(run: Run) -> None:
    assert run("alias", "the flat", "--means", "home", "--idempotency-key", "k").code == 0
    assert run("aliases", "--subject", "nobody") == Ran(0, "", "note: no name means another entity\n")
    ran = run("aliases")
    assert (ran.code, ran.out.split()[:3], ran.out.splitlines()[1].split()[:3]) == (
        0,
        ["name", "means", "known"],
        ["the", "flat", "home"],
    )
    found = run("aliases", "--json").json["aliases"]
    assert [(each["name"], each["means"]) for each in found] == [("the flat", "home")]
    assert run("alias", "home", "--means", "the flat").code == 2
    assert run("alias", "the flat", "--means", "house").code == 5
    assert run("unalias", "Flat").code == 0
    assert run("unalias", "Flat").code == 3
    assert run("aliases", "--json").json == {"aliases": []}
    before = found[0]["known_at"]
    assert len(run("aliases", "--json", "--known-at", before).json["aliases"]) == 1
