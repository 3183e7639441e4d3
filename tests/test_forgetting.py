"""A wish to forget: what it selects is gone from every answer at once, whatever was known then (R3, R8, R10, R26, R27, R47, R49)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.commands import Run
from tests.heard import DAY, hears, says

import stead
from stead import Slot
from stead.clock import StoryClock
from stead.extract.proposal import Act

CITY, JOB, DAY_OFF = Slot("home.city"), Slot("work.employer"), Slot("x.day")
CANARY = "marlinquest"


def lives(ana: stead.Subject, city: str, **more: Any) -> str:
    outcome = ana.remember(f"Lives in {city}", slot=Slot("home.city", value=city), **more)
    assert outcome.record is not None
    return outcome.record


def written(ana: stead.Subject, claim: str, **more: Any) -> str:
    outcome = ana.remember(claim, **more)
    assert outcome.record is not None
    return outcome.record


def talk(ana: stead.Subject, conversation: str, *turns: str) -> tuple[stead.Outcome, ...]:
    with ana.session(conversation) as session:
        for text in turns:
            session.turn("user", text)
    return session.outcomes


def values(ana: stead.Subject, slot: Slot = CITY, **more: Any) -> list[str | None]:
    return [each.value for each in ana.recall(slot=slot, **more).facts]


# --- the outcome ---------------------------------------------------------------------------------------------------------


def test_r27_the_outcome_names_records_and_no_content(ana: stead.Subject) -> None:
    record = lives(ana, "Rome")
    outcome = ana.remember("Forget where I live")
    assert (outcome.decision, outcome.route, outcome.rule, outcome.record) == ("ERASE", "erase", "forget", None)
    assert outcome.affected == (record,)
    [pending] = ana.erasures()
    assert outcome.reason == f"1 record and 0 turns can't be read any more: {pending.id}"
    assert (pending.status, pending.records, pending.turns, pending.known_at) == ("complete", 1, 0, outcome.known_at)
    assert (pending.everything, pending.categories, pending.attributes, pending.conversation) == (False, (), (), None)
    assert outcome.erasure == pending.id
    assert pending.id.startswith("era_")
    log = ana.decisions()
    assert [each["affected"] for each in log if each["decision"] == "ERASE"] == [[record]]
    assert [each["record"] for each in log if each["decision"] == "ADD"] == []  # its row is content of the log


def test_r27_where_nothing_is_meant_nothing_waits(ana: stead.Subject) -> None:
    lives(ana, "Rome")
    outcome = ana.remember("Forget everything you know about the sailboat")
    assert (outcome.decision, outcome.rule, outcome.affected) == ("ERASE", "forget", ())
    assert (ana.erasures(), values(ana), len(ana.records())) == ([], ["Rome"], 1)


def test_r46_a_retry_gives_the_first_outcome_and_a_retried_write_brings_nothing_back(ana: stead.Subject) -> None:
    record = lives(ana, "Rome", idempotency_key="k1")
    first = ana.remember("Forget where I live", idempotency_key="k2")
    again = ana.remember("Forget where I live", idempotency_key="k2")
    assert (again.affected, again.reason, again.replayed) == ((record,), first.reason, True)
    assert len(ana.erasures()) == 1
    with pytest.raises(stead.Erased):
        lives(ana, "Rome", idempotency_key="k1")
    assert ana.records() == []
    assert lives(ana, "Rome") != record  # a new wish is a new record


# --- every read ----------------------------------------------------------------------------------------------------------

ACTS: dict[str, Callable[[stead.Subject, str], object]] = {
    "record": lambda ana, it: ana.record(it),
    "history": lambda ana, it: ana.history(it),
    "why": lambda ana, it: ana.why(it),
    "confirm": lambda ana, it: ana.confirm(it),
    "reject": lambda ana, it: ana.reject(it),
    "correct": lambda ana, it: ana.correct(it, value="Oslo"),
    "end": lambda ana, it: ana.end(it),
    "retract": lambda ana, it: ana.retract(it),
    "rollback": lambda ana, it: ana.rollback(it),
    "verify": lambda ana, it: ana.verify(it),
    "settle": lambda ana, it: ana.settle(keep=it),
    "used": lambda ana, it: ana.used(it),
    "records after": lambda ana, it: ana.records(after=it),
    "overrides": lambda ana, it: ana.remember("Is away", overrides=[it]),
    "derived from": lambda ana, it: ana.remember("Likes rivers", derived_from=[it]),
}


@pytest.mark.parametrize("way", ACTS)
def test_r32_an_id_that_names_it_is_erased(ana: stead.Subject, way: str) -> None:
    record = lives(ana, "Rome")
    ana.remember("Forget where I live")
    before = (len(ana.records()), len(ana.decisions()))
    with pytest.raises(stead.Erased) as error:
        ACTS[way](ana, record)
    assert "Rome" not in str(error.value)
    assert (len(ana.records()), len(ana.decisions())) == before


def test_r47_another_subjects_id_stays_another_subjects(ana: stead.Subject, store: stead.Store) -> None:
    record = lives(ana, "Rome")
    ana.remember("Forget where I live")
    ben = store.subject("ben", zone="Europe/Berlin")
    with pytest.raises(stead.CrossSubject):
        ben.record(record)
    assert ben.erasures() == []


def test_r32_a_turn_that_names_it_is_erased(ana: stead.Subject) -> None:
    with ana.session("c1") as session:
        session.turn("user", "I live in Rome.", turn="t1")
    [turn] = ana.episodes("c1")
    talk(ana, "c2", "Forget where I live.")
    assert ana.episodes("c1") == []
    for act in (lambda: ana.used(turn.id), lambda: ana.episodes(after=turn.id)):
        with pytest.raises(stead.Erased):
            act()
    again = ana.session("c1")
    with pytest.raises(stead.Erased):
        again.turn("user", "I live in Rome.", turn="t1")  # a retry from before
    assert again.turn("user", "Hello").decision == "ADD"
    again.close()
    assert [each.text for each in ana.episodes("c1")] == ["Hello"]


def test_r8_known_at_doesnt_undo_it(ana: stead.Subject, clock: StoryClock) -> None:
    lives(ana, "Rome")
    written(ana, f"Owns a sailboat called {CANARY}")
    talk(ana, "c1", f"My sailboat is the {CANARY}.")
    then = clock.instant
    clock.instant += DAY
    ana.remember("Forget everything you know about me")
    for known_at in (None, stead.model.period.to_datetime(then + 1000)):  # type: ignore[attr-defined]
        assert values(ana, known_at=known_at) == []
        assert ana.holds(CITY, known_at=known_at) == []
        context = ana.recall(f"sailboat {CANARY}", known_at=known_at)
        assert (context.facts, context.episodes, context.questions, context.text) == ((), (), (), "")


def test_r30_it_uses_up_no_place(ana: stead.Subject) -> None:
    for n in range(30):
        written(ana, f"Owns sailboat number {n} of the harbour")
    ana.remember("Forget everything about the sailboat")
    written(ana, "Harbour walks are her favourite")
    assert [each.claim for each in ana.recall("harbour").facts] == ["Harbour walks are her favourite"]
    assert [each.claim for each in ana.records(limit=1)] == ["Harbour walks are her favourite"]


def test_r21_it_is_no_longer_known(ana: stead.Subject) -> None:
    """The same claim again is new; it adds no source to what is being erased."""
    first = written(ana, "Owns a sailboat")
    ana.remember("I never told you about a sailboat")
    again = ana.remember("Owns a sailboat")
    assert (again.decision, again.record != first) == ("ADD", True)


def test_r48_memorys_own_words_are_recognised_no_more(ana: stead.Subject) -> None:
    lives(ana, "Rome")
    hears(ana, says("Lives in Rome", slot=Slot("home.city", value="Rome")))
    assert [each.rule for each in talk(ana, "c1", "Lives in Rome")] == ["recalled"]
    ana.remember("Forget where I live")
    hears(ana, says("Lives in Rome", slot=Slot("home.city", value="Rome")))
    assert [each.decision for each in talk(ana, "c2", "Lives in Rome")] == ["ADD"]


def test_r15_what_was_rejected_may_be_asked_again(ana: stead.Subject) -> None:
    proposal = written(ana, "Owns a sailboat", authority="inferred")
    ana.reject(proposal)
    assert ana.remember("Owns a sailboat", authority="inferred").rule == "rejected_before"
    ana.remember("I never told you about a sailboat")
    assert ana.remember("Owns a sailboat", authority="inferred").decision == "CONFIRM"


def test_r17_a_live_system_is_asked_as_if_nothing_were_remembered(ana: stead.Subject, store: stead.Store) -> None:
    store.read_live("home.city", lambda _subject, _slot: "Oslo")
    lives(ana, "Rome")
    ana.remember("Forget where I live")
    context = ana.recall(slot=CITY)
    assert ([each.value for each in context.facts], context.notes) == (["Oslo"], ())
    store.read_live("home.city", lambda _subject, _slot: None)
    assert ana.recall(slot=CITY).facts == ()


def test_r38_no_vector_is_made_of_it(ana: stead.Subject, store: stead.Store) -> None:
    written(ana, "Owns a sailboat")
    talk(ana, "c1", "The sailboat is red.")
    ana.remember("I never told you about a sailboat")
    with store._core.backend.read() as tx:
        assert [tx.backlog(shelf, "any", 10) for shelf in ("claims", "episodes")] == [[], []]


# --- what is left ---------------------------------------------------------------------------------------------------------


def test_r10_the_end_that_it_caused_stays(ana: stead.Subject, clock: StoryClock) -> None:
    """Its predecessor isn't revived, in no answer about now."""
    lives(ana, "Rome")
    clock.instant += DAY
    lives(ana, "Lyon", source={"conversation": "c9"})
    clock.instant += DAY
    ana.remember("forget that", source={"conversation": "c9"})
    assert (values(ana), values(ana, at="2026-01-05T11:00")) == ([], ["Rome"])
    [rome] = ana.records()
    assert (rome.status, rome.superseded_by, rome.stands[0][1] is not None) == ("superseded", None, True)
    assert [each.claim for each in ana.history(rome.id)] == ["Lives in Rome", "Lives in Rome"]


def test_r28_a_rollback_revives_it_on_purpose(ana: stead.Subject, clock: StoryClock) -> None:
    rome = lives(ana, "Rome")
    clock.instant += DAY
    lives(ana, "Lyon", source={"conversation": "c9"})
    ana.remember("forget that", source={"conversation": "c9"})
    assert ana.rollback(rome).status == "active"
    assert values(ana) == ["Rome"]


def test_r28_a_chain_with_a_link_that_is_gone_rolls_back(ana: stead.Subject, clock: StoryClock) -> None:
    cities = ["Rome", "Lyon", "Oslo"]
    records = []
    for city in cities:
        records.append(lives(ana, city, source={"conversation": city}))
        clock.instant += DAY
    ana.remember("forget that", source={"conversation": "Lyon"})
    assert [each.value for each in ana.history(records[0]) if each.value == "Lyon"] == []
    assert ana.rollback(records[0]).rule == "rolled_back"
    assert values(ana) == ["Oslo"]  # what started later still stands
    assert values(ana, at="2026-01-06T11:00") == ["Rome"]
    ana.remember("forget that", source={"conversation": "Oslo"})
    assert ana.rollback(records[0]).status == "active"
    assert values(ana) == ["Rome"]


def test_r22_a_correction_that_is_gone_gives_its_place_back_when_asked(ana: stead.Subject) -> None:
    record = written(ana, "Works at Acme", slot=Slot("work.employer", value="Acme"))
    ana.correct(record, "Works at Apex", value="Apex")
    ana.remember("I never said that I work at Apex")
    assert values(ana, JOB) == []
    assert ana.rollback(record).status == "active"
    assert values(ana, JOB) == ["Acme"]


def test_r12_the_rule_applies_where_an_exception_is_gone(ana: stead.Subject) -> None:
    lives(ana, "Rome", valid_from="2026-01-01T00:00")
    lives(ana, "Lyon", valid_from="2026-02-01T00:00", valid_until="2026-03-01T00:00", source={"conversation": "c9"})
    assert values(ana, at="2026-02-10T00:00") == ["Lyon"]
    ana.remember("forget that", source={"conversation": "c9"})
    assert values(ana, at="2026-02-10T00:00") == ["Rome"]


def test_r26_a_contest_dissolves(ana: stead.Subject) -> None:
    tuesday = written(ana, "Day is Tuesday", slot=Slot("x.day", value="Tuesday"), speaker="bob")
    written(ana, "Day is Friday", slot=Slot("x.day", value="Friday"), speaker="cy")
    [question] = ana.questions()
    ana.remember("Forget everything about Friday")
    assert (ana.questions(), ana.record(tuesday).status) == ([], "active")
    context = ana.recall(slot=DAY_OFF)
    assert ([each.value for each in context.facts], context.questions) == (["Tuesday"], ())
    with pytest.raises(stead.UnknownRecord):
        ana.settle(question.id, neither=True)


@pytest.mark.parametrize("status", ["proposed", "active", "contested", "superseded", "retracted", "rejected"])
def test_r3_whatever_its_status(ana: stead.Subject, clock: StoryClock, status: str) -> None:
    asked = {"authority": "inferred"} if status in ("proposed", "rejected") else {}
    record = written(ana, "Boat is Swan", slot=Slot("x.boat", value="Swan"), **asked)
    clock.instant += DAY
    match status:
        case "contested":
            written(ana, "Is another one", slot=Slot("x.boat", value="Duck"), speaker="bob")
        case "superseded":
            written(ana, "Is another one", slot=Slot("x.boat", value="Duck"))
        case "retracted":
            ana.retract(record)
        case "rejected":
            ana.reject(record)
    assert ana.record(record).status == status
    assert ana.remember("I never told you about the Swan").affected == (record,)
    with pytest.raises(stead.Erased):
        ana.record(record)
    assert all(each.value != "Swan" for each in ana.records())
    assert [each.status for each in ana.records(status="deletion_pending")] == []


def test_r37_what_was_derived_from_it_goes_too_however_deep(ana: stead.Subject) -> None:
    keep = written(ana, "Likes short answers")
    one = written(ana, "Owns a sailboat")
    two = written(ana, "Spends weekends on the water", kind="reflection", derived_from=[one, keep])
    three = written(ana, "Is hard to reach on Sundays", kind="reflection", derived_from=[two])
    four = written(ana, "Call on Mondays", kind="reflection", derived_from=[three])
    five = written(ana, "Mondays are best", kind="reflection", derived_from=[four])
    outcome = ana.remember("I never told you about a sailboat")
    assert set(outcome.affected) == {one, two, three, four, five}
    assert [each.id for each in ana.records()] == [keep]
    assert ana.why(keep)["edges"] == []


def test_r46_the_slot_moves_on(ana: stead.Subject) -> None:
    lives(ana, "Rome")
    version = ana.version(CITY)
    ana.remember("Forget where I live")
    with pytest.raises(stead.StaleRevision):
        lives(ana, "Lyon", if_version=version)
    assert lives(ana, "Lyon", if_version=ana.version(CITY))


# --- what is selected -----------------------------------------------------------------------------------------------------


def test_r31_a_name_of_the_policy(ana: stead.Subject) -> None:
    talk(ana, "a", "I work at Brookfield Mills as a loom technician.")
    talk(ana, "b", "I prefer green tea.")
    written(ana, "Job interview went well")  # no slot: its words say it
    written(ana, "Admires Steve Jobs", slot=Slot("x.hero", value="Steve Jobs"))
    [outcome] = talk(ana, "c", "Stop remembering anything about my job.")
    [pending] = ana.erasures()
    assert (outcome.decision, len(outcome.affected), pending.records) == ("ERASE", pending.records, pending.records)
    assert [each.text for each in ana.episodes()] == ["I prefer green tea."]
    assert not any("job" in each.claim.lower() or "Brookfield" in each.claim for each in ana.records())
    assert "green tea" in ana.recall("tea").text


def test_r31_where_i_live_is_no_word_to_look_for(ana: stead.Subject) -> None:
    lives(ana, "Rome")
    music = written(ana, "Loves live music", slot=Slot("music.opinion", object="live music", value="loves"))
    ana.remember("Forget where I live")
    assert [each.id for each in ana.records()] == [music]


def test_r31_all_telling_words(ana: stead.Subject) -> None:
    rex = written(ana, "Has a dog called Rex", slot=Slot("pet", object="Rex", value="dog"))
    tom = written(ana, "Has a cat called Tom", slot=Slot("pet", object="Tom", value="cat"))
    ana.remember("Forget everything about my dog Rex")
    assert [each.id for each in ana.records()] == [tom]
    ana.remember("Forget about my cat")
    assert ana.records() == []
    assert rex not in ana.recall("dog").text


def test_r31_what_is_old_is_what_holds_no_more(ana: stead.Subject, clock: StoryClock) -> None:
    old = written(ana, "Phone is 111", slot=Slot("contact.phone", value="111"), authority="confirmed")
    clock.instant += DAY
    new = written(ana, "Phone is 222", slot=Slot("contact.phone", value="222"), authority="confirmed")
    assert ana.remember("Please forget my old phone number").affected == (old,)
    assert [each.id for each in ana.records()] == [new]
    assert ana.remember("Please forget my old phone number").affected == (new,)  # nothing else can be meant


def test_r27_that_is_what_the_last_turn_brought(ana: stead.Subject) -> None:
    talk(ana, "c1", "I live in Lyon.", "Nice weather.")
    talk(ana, "c2", "I love tea.")
    outcomes = talk(ana, "c1", "What a day.", "Forget that.")
    assert [each.decision for each in outcomes] == ["ERASE"]
    assert [each.claim for each in ana.records()] == ["Loves tea"]
    assert [each.text for each in ana.episodes()] == ["Nice weather.", "I love tea.", "What a day."]
    assert ana.erasures()[0].status == "complete"


def test_r27_that_is_the_last_record_where_no_turn_brought_any(ana: stead.Subject) -> None:
    first = written(ana, "Owns a sailboat", source={"conversation": "c1"})
    second = written(ana, "Owns a kite", source={"conversation": "c1"})
    assert ana.remember("I never said that", source={"conversation": "c1"}).affected == (second,)
    assert ana.remember("I never said that").affected == ()  # no conversation says what is meant
    assert [each.id for each in ana.records()] == [first]


def test_r27_what_was_taken_back_in_the_same_session_goes_as_words_too(ana: stead.Subject) -> None:
    talk(ana, "c1", "I love tea.")
    outcomes = talk(ana, "c1", "I live in Lyon.", "Forget that.")
    assert [(each.decision, each.rule, each.claim) for each in outcomes] == [
        ("REJECT", "taken_back", None), ("ERASE", "forget", None)
    ]  # fmt: skip
    assert [each.claim for each in ana.records()] == ["Loves tea"]  # "that" was Lyon
    assert [each.text for each in ana.episodes()] == ["I love tea."]


def test_r27_it_in_the_same_breath_means_what_was_named(ana: stead.Subject) -> None:
    talk(ana, "c1", "I love tea.")
    written(ana, "Owns a sailboat")
    talk(ana, "c1", "I never told you about a sailboat. Forget it.")
    assert [each.claim for each in ana.records()] == ["Loves tea"]


def test_r31_this_conversation(ana: stead.Subject) -> None:
    talk(ana, "c1", "I love tea.", "Nice weather.")
    talk(ana, "c2", "I live in Lyon.")
    talk(ana, "c2", "Hello.", "Forget everything I just said.")
    assert [each.claim for each in ana.records()] == ["Loves tea"]
    assert {each.conversation for each in ana.episodes()} == {"c1"}


@pytest.mark.parametrize(
    "words", ["Delete everything.", "Forget everything you know about me.", "Erase your memory of me"]
)
def test_r31_everything_of_one_subject(ana: stead.Subject, store: stead.Store, words: str) -> None:
    ben = store.subject("ben", zone="Europe/Berlin")
    written(ben, "Owns a sailboat")
    talk(ana, "c1", "I live in Lyon.", "I work at Acme.")
    written(ana, "Seems to sing", authority="inferred")
    talk(ana, "c2", words)
    assert (ana.records(), ana.episodes(), ana.questions(), list(ana.export())) == ([], [], [], [])
    assert [each.everything for each in ana.erasures()] == [True]
    assert ana.recall("Lyon Acme").text == ""
    assert len(ben.records()) == 1
    talk(ana, "c3", "I live in Oslo.")
    assert values(ana) == ["Oslo"]


def test_r27_turns_that_say_it_go_whoever_spoke(ana: stead.Subject) -> None:
    with ana.session("c1") as session:
        session.turn("user", "I live in Lyon.")
        session.turn("assistant", "Lyon is lovely.")
        session.turn("user", "Thanks.")
    with ana.session("c2") as session:
        session.turn("user", "The sailboat is red.")
    ana.remember("Forget where I live")
    assert [each.text for each in ana.episodes()] == ["Thanks.", "The sailboat is red."]
    ana.remember("I never told you about a sailboat")
    assert [each.text for each in ana.episodes()] == ["Thanks."]


# --- who may, and when -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call", [{"speaker": "ben"}, {"authority": "inferred"}, {"authority": "external"}, {"authority": "external", "speaker": "page"}]
)  # fmt: skip
def test_r27_only_the_subject_may(ana: stead.Subject, call: dict[str, Any]) -> None:
    lives(ana, "Rome")
    outcome = ana.remember("Forget everything you know about me", **call)
    assert (outcome.decision, outcome.affected, values(ana), ana.erasures()) == ("ERASE", (), ["Rome"], [])
    assert "only the subject" in outcome.reason


def test_r27_nobody_else_may_in_a_session(ana: stead.Subject) -> None:
    lives(ana, "Rome")
    with ana.session("c1") as session:
        session.turn("user", "Delete everything you know about ana.", speaker="ben")
        session.turn("assistant", "Forget everything you know about me.")
        session.turn("tool", "Delete everything.")
    assert (values(ana), ana.erasures()) == (["Rome"], [])


@pytest.mark.parametrize("trait", ["question", "hypothetical", "quote", "irony", "third_party", "uncertain"])
def test_r27_what_is_not_meant_or_read_by_a_model_erases_nothing(ana: stead.Subject, trait: str) -> None:
    lives(ana, "Rome")
    words = "Forget where I live"
    hears(ana, says(words, act=Act.FORGET, about="where I live", traits=frozenset({trait})))
    talk(ana, "c1", words)
    assert (values(ana), ana.erasures()) == (["Rome"], [])


def test_r27_a_correction_that_asks_to_forget_is_a_wish(ana: stead.Subject) -> None:
    rome = lives(ana, "Rome")
    assert ana.correct(rome, "Forget where I live").affected == (rome,)
    assert ana.records() == []


def test_r27_no_record_says_that_somebody_denies_it(ana: stead.Subject) -> None:
    written(ana, "Owns a sailboat")
    outcome = ana.remember("The user denies having told you about a sailboat")
    assert (len(outcome.affected), ana.records()) == (1, [])


def test_r18_a_dropped_session_still_forgets(ana: stead.Subject) -> None:
    lives(ana, "Rome")
    session = ana.session("c1")
    session.turn("user", "I love tea.")
    session.turn("user", "Forget where I live.")
    session.drop()
    assert (values(ana), ana.records(), len(ana.erasures())) == ([], [], 1)


def test_r18_a_turn_that_was_forgotten_meanwhile_proposes_nothing(ana: stead.Subject) -> None:
    session = ana.session("c1")
    session.turn("user", "I live in Lyon.")
    ana.remember("Forget everything about Lyon")
    assert session.proposals == ()
    assert session.close() == ()
    assert (ana.records(), ana.open_sessions()) == ([], [])


def test_r18_what_is_forgotten_while_a_session_ends_is_a_conflict(
    ana: stead.Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between reading the turns and writing what they propose, another process carries out a wish."""
    session = ana.session("c1")
    session.turn("user", "I live in Lyon.")
    asked = type(session._review)._ask_model

    def meanwhile(self: Any, turns: Any) -> Any:
        ana.remember("Forget everything about Lyon")
        return asked(self, turns)

    monkeypatch.setattr(type(session._review), "_ask_model", meanwhile)
    with pytest.raises(stead.Conflict):
        session.close()
    assert ana.records() == []


def test_r46_a_wish_that_fails_hides_nothing(ana: stead.Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    from stead.store.sqlite.writing import SqliteWrite

    lives(ana, "Rome")

    def fails(*_: Any) -> None:
        raise stead.StorageFull

    with monkeypatch.context() as patch:
        patch.setattr(SqliteWrite, "hide", fails)
        with pytest.raises(stead.StorageFull):
            ana.remember("Forget where I live")
    assert (values(ana), ana.erasures(), ana.records()[0].status) == (["Rome"], [], "active")


# --- the canary ------------------------------------------------------------------------------------------------------------


def planted(ana: stead.Subject, clock: StoryClock) -> dict[str, str]:
    """Plant the word wherever content can be, and return the records' ids."""
    boat = {"slot": Slot("x.boat", value=CANARY)}
    made = {
        "claim": written(ana, f"Owns a sailboat called {CANARY}"),
        "value": written(ana, f"Boat is {CANARY}", **boat),
        "object": written(ana, f"Likes {CANARY}", slot=Slot("food.opinion", object=CANARY, value="likes")),
        "entity": written(ana, f"{CANARY} is blue", slot=Slot("x.colour", entity=CANARY, value="blue")),
        "proposal": written(ana, f"Seems to sail the {CANARY}", authority="inferred"),
        "scoped": written(ana, f"Clean the {CANARY}", kind="instruction", scope="work", authority="confirmed"),
    }
    clock.instant += DAY
    made["contest"] = written(ana, f"Boat is not {CANARY}", slot=Slot("x.boat", value=f"no {CANARY}"), speaker="bob")
    made["derived"] = written(ana, "Weekends are on the water", kind="reflection", derived_from=[made["claim"]])
    made["review"] = written(ana, f"Berth of the {CANARY} is 7", review_events=["season ended"])
    ana.event("season ended")
    ana.correct(made["claim"], f"Owns a dinghy called {CANARY}")
    with ana.session("c1") as session:
        session.turn("user", f"My boat is the {CANARY}.")
        session.turn("assistant", f"The {CANARY} sounds fast.")
    clock.instant += DAY
    return made


def answers(ana: stead.Subject, made: dict[str, str], known: list[Any]) -> Iterator[str]:
    """Yield everything that any verb says."""
    for known_at in [None, *known]:
        for query in ("", CANARY, f"sailboat {CANARY} boat", "water weekends"):
            context = ana.recall(query, scope="work", known_at=known_at, include_cold=True)
            yield context.text + json.dumps(context.as_dict(), default=str)
        for slot in (Slot("x.boat"), Slot("x.colour", entity=CANARY), Slot("food.opinion", object=CANARY)):
            yield repr(ana.recall(slot=slot, known_at=known_at).facts)
            yield repr(ana.holds(slot, known_at=known_at))
    yield repr([ana.records(), ana.episodes(), ana.questions(), ana.questions(quarantined=True), ana.erasures()])
    yield repr([list(ana.export()), ana.decisions(limit=1000), ana.consents(), ana.open_sessions()])
    for record in [*made.values(), *(each.id for each in ana.records())]:
        for act in ACTS.values():
            try:
                yield repr(act(ana, record))
            except stead.SteadError as error:
                yield repr(error.as_dict())


@pytest.mark.parametrize("way", ["a call", "a session"])
def test_r27_a_canary_occurs_in_no_answer(ana: stead.Subject, clock: StoryClock, way: str) -> None:
    made = planted(ana, clock)
    other = written(ana, "Likes maps")
    known = [each.tx_from for each in ana.records()]
    assert any(CANARY in said for said in [repr(ana.records()), ana.recall(CANARY).text])
    wish = f"Forget everything about {CANARY}."
    outcomes = [ana.remember(wish)] if way == "a call" else list(talk(ana, "c1", f"The {CANARY} is sold.", wish))
    said = [repr(outcomes), *answers(ana, made, known)]
    assert [text for text in said if CANARY in text.lower()] == []
    assert other in {each.id for each in ana.records()}
    assert set(made.values()) <= set(outcomes[-1].affected)


def test_r27_a_canary_occurs_in_no_command(run: Run) -> None:
    run("remember", f"Owns a sailboat called {CANARY}")
    record = run("records", "--json").json["records"][0]["id"]
    run("say", "user", f"My boat is the {CANARY}.")
    run("say", "user", f"I never told you about {CANARY}.")
    told = [run("end-session", "c1")]
    assert run("erasures", "--json").json["erasures"][0]["records"] >= 1
    commands = [
        ("erasures",), ("recall", "sailboat"), ("recall",), ("records",), ("episodes",), ("questions",), ("export",),
        ("log",), ("doctor",), ("sessions",), ("history", record), ("why", record), ("end", record),
        ("retract", record), ("rollback", record), ("verify", record), ("confirm", record), ("reject", record),
        ("used", record), ("settle", "--keep", record),
    ]  # fmt: skip
    told += [run(*words, *more) for words in commands for more in ((), ("--json",))]
    assert [each for each in told if CANARY in each.out + each.err] == []
    gone = run("why", record, "--json")
    assert (gone.code, gone.error["code"]) == (4, "erased")
    assert "complete" in run("erasures").out


def test_the_command_says_when_there_is_nothing(run: Run) -> None:
    run("remember", "Likes maps")
    ran = run("erasures")
    assert (ran.code, ran.out.strip(), ran.err) == (0, "", "note: nothing was erased\n")
