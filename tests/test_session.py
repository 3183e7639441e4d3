"""Sessions: turns are words, what they propose is reviewed at the end, and written whole (R15, R18, R22, R24, R29, R48)."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests import scripted_llm as llm
from tests.heard import DAY, bytes_of, hears, says

import stead
from stead import Slot
from stead.clock import StoryClock
from stead.memory.core import Core
from stead.store.sqlite.writing import SqliteWrite


def test_r18_turns_become_episodes_in_order(ana: stead.Subject) -> None:
    with ana.session("c1") as session:
        first = session.turn("user", "Hello", said_at="2026-01-05T09:00", scope="work")
        session.turn("assistant", "Hi there")
        session.turn("tool", "page text", speaker="browser", turn="page-1")
    assert (first.decision, first.rule, first.verb) == ("ADD", "episode", "turn")
    assert session.outcomes == ()
    hits = ana.episodes("c1")
    assert [(hit.speaker, hit.turn, hit.authority) for hit in hits] == [
        ("ana", "1", "stated"), ("assistant", "2", "inferred"), ("browser", "page-1", "external"),
    ]  # fmt: skip
    assert hits[0].said_at == stead.wall("2026-01-05T09:00", "Europe/Berlin")
    assert ana.episodes("c1", limit=1, after=hits[0].id)[0].turn == "2"
    assert ana.episodes("other") == []
    assert ana.records() == []


def test_r46_a_turn_is_recorded_once(ana: stead.Subject) -> None:
    with ana.session("c1") as session:
        first = session.turn("user", "Hello", turn="t1")
        again = session.turn("user", "Hello", turn="t1")
        assert (again.decision, again.record) == ("NOOP", first.record)
        with pytest.raises(stead.Conflict):
            session.turn("user", "Goodbye", turn="t1")
    assert len(ana.episodes()) == 1


@pytest.mark.parametrize(
    ("field", "arguments"),
    [
        ("role", {"role": " "}), ("text", {"text": ""}), ("text", {"text": "nul \0"}), ("text", {"text": "x" * 70_000}),
        ("said_at", {"said_at": "2026-01-06"}), ("scope", {"scope": "/"}),
    ],
)  # fmt: skip
def test_r46_a_bad_turn_is_refused(ana: stead.Subject, field: str, arguments: Any) -> None:
    with ana.session("c1") as session, pytest.raises(stead.InvalidArgument, match=field):
        session.turn(**{"role": "user", "text": "Hello", **arguments})
    assert ana.episodes() == []


def test_r18_a_session_that_broke_off_stays_open(store: stead.Store, ana: stead.Subject, clock: StoryClock) -> None:
    with pytest.raises(LookupError), ana.session("c1") as session:
        _break_off(session)
    assert _closed(store) == [None]
    clock.instant += 1_000_000
    with ana.session("c1") as session:
        session.turn("user", "Hello again")
    assert _closed(store) != [None]
    session.close()
    with pytest.raises(stead.Conflict):
        session.turn("user", "Too late")
    with pytest.raises(stead.InvalidArgument, match="conversation"):
        ana.session("\n")


def _break_off(session: stead.Session) -> None:
    session.turn("user", "Hello")
    raise LookupError


def _closed(store: stead.Store) -> list[int | None]:
    with store._core.backend.read() as tx:
        return [row[0] for row in tx._all("SELECT closed FROM sessions")]  # type: ignore[attr-defined]


# --- proposals live with the session (R18) -------------------------------------------------------------------------------


def test_r18_proposals_live_in_the_session_only(store: stead.Store, ana: stead.Subject) -> None:
    session = ana.session("c1")
    session.turn("user", "I live in Lyon.")
    session.turn("user", "My daughter Mia goes to Lakeside.")
    assert [each.proposal.claim for each in session.proposals][:1] == ["Lives in Lyon"]
    assert ana.records() == []
    assert ana.recall("lyon").facts == ()
    assert ana.questions() == []
    assert b"Lives in Lyon" not in bytes_of(store)  # the words are there, what they propose is not
    assert b"I live in Lyon." in bytes_of(store)
    outcomes = session.close()
    assert outcomes == session.outcomes
    assert (outcomes[0].claim, outcomes[0].turn, outcomes[0].decision) == ("Lives in Lyon", "1", "ADD")
    assert [each.claim for each in ana.recall("lyon").facts] == ["Lives in Lyon"]
    assert session.close() == ()
    assert ana.open_sessions() == []


def test_r18_a_dropped_session_costs_nothing(store: stead.Store, ana: stead.Subject) -> None:
    session = ana.session("c1")
    session.turn("user", "I live in Lyon.")
    session.drop()
    session.drop()
    assert (session.close(), session.outcomes, ana.records(), ana.open_sessions()) == ((), (), [], [])
    assert [each.text for each in ana.episodes()] == ["I live in Lyon."]
    with ana.session("c1") as again:  # and what was dropped is never looked at again
        again.turn("user", "I work at Acme.")
    assert [each.claim for each in again.outcomes] == ["Works at Acme"]
    assert b"Lives in Lyon" not in bytes_of(store)


@pytest.mark.parametrize("failing", [1, 2, 3])
def test_r18_a_review_is_written_whole_or_not_at_all(
    store: stead.Store, ana: stead.Subject, monkeypatch: pytest.MonkeyPatch, failing: int
) -> None:
    session = ana.session("c1")
    for text in ("I live in Lyon.", "I work at Acme.", "I love sushi."):
        session.turn("user", text)
    log = len(ana.decisions())
    real, count = SqliteWrite.add_record, 0

    def fails(self: SqliteWrite, *arguments: Any) -> Any:
        nonlocal count
        count += 1
        if count == failing:
            raise stead.StoreBusy("the disk is full")
        return real(self, *arguments)

    monkeypatch.setattr(SqliteWrite, "add_record", fails)
    with pytest.raises(stead.StoreBusy):
        session.close()
    assert (ana.records(), len(ana.decisions()), session.outcomes) == ([], log, ())
    assert ana.open_sessions() == ["c1"]
    assert _reviewed(store) == [0]
    assert [each.decision for each in session.close()] == ["ADD", "ADD", "ADD"]
    assert (len(ana.records()), ana.open_sessions()) == (3, [])


def _reviewed(store: stead.Store) -> list[int]:
    with store._core.backend.read() as tx:
        return [row[0] for row in tx._all("SELECT reviewed FROM sessions")]  # type: ignore[attr-defined]


CRASHES = """
import os, sys
import stead
from stead.clock import StoryClock
store = stead.open(sys.argv[1], embedder="none", clock=StoryClock(1_767_607_200_000_000))
store.subject("ana").consent(classes={"health": False})
session = store.subject("ana", zone="Europe/Berlin").session("c1")
session.turn("user", "I live in Lyon. I have diabetes.")
session.turn("user", "Use ghp_9aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z for the repo; I prefer squash merges.")
session.turn("user", "I work at Acme.")
os._exit(9)
"""


@pytest.mark.parametrize("ending", ["close", "drop"])
def test_r18_a_session_whose_process_died_is_found_again(tmp_path: Path, clock: StoryClock, ending: str) -> None:
    path = tmp_path / "memory.db"
    died = subprocess.run([sys.executable, "-c", CRASHES, str(path)], check=False, env=_environment())
    assert died.returncode == 9
    clock.instant += DAY
    with stead.open(path, embedder="none", clock=clock) as store:
        ana = store.subject("ana", zone="Europe/Berlin")
        assert (ana.open_sessions(), ana.records(), len(ana.episodes())) == (["c1"], [], 3)
        getattr(ana.session("c1"), ending)()
        kept = [each.claim for each in ana.records()]
        assert kept == (["Lives in Lyon", "Prefers squash merges", "Works at Acme"] if ending == "close" else [])
        assert ana.open_sessions() == []
        if kept:  # as if the process had lived: said then, in that turn
            record = ana.records()[0]
            assert record.observed_at == stead.wall("2026-01-05T11:00", "Europe/Berlin")
            assert (record.sources[0].conversation, record.sources[0].turn) == ("c1", "1")
        assert b"ghp_9aB3" not in bytes_of(store)
        assert b"diabetes" not in bytes_of(store)


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(stead.__file__).parent.parent)}


def test_r18_a_session_object_that_was_lost_is_reviewed_from_its_words(ana: stead.Subject) -> None:
    ana.session("c1").turn("user", "I live in Lyon.")
    ana.session("c1").turn("user", "I moved here for work; I work at Acme.")
    assert [each.claim for each in ana.session("c1").close()] == ["Lives in Lyon", "Works at Acme"]


@pytest.mark.parametrize("ending", ["close", "drop"])
def test_r18_what_another_process_has_reviewed_is_not_reviewed_again(ana: stead.Subject, ending: str) -> None:
    mine, theirs = ana.session("c1"), ana.session("c1")
    mine.turn("user", "I live in Lyon.")
    mine_sees = mine.proposals
    assert len(theirs.close()) == len(mine_sees) == 1
    mine.close() if ending == "close" else mine.drop()
    assert mine.outcomes == ()
    assert [each.claim for each in ana.records()] == ["Lives in Lyon"]
    assert [len(each.sources) for each in ana.records()] == [1]


def test_r18_two_reviews_at_once_are_a_conflict(ana: stead.Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other process reviews between this one's reading and writing: nothing is written twice."""
    mine, other = ana.session("c1"), ana.session("c1")
    mine.turn("user", "I work at Acme.")
    _meanwhile(monkeypatch, other.close)
    with pytest.raises(stead.Conflict):
        mine.close()
    assert [(each.value, len(each.sources)) for each in ana.records()] == [("Acme", 1)]


def test_r18_a_turn_that_comes_while_one_reviews_is_a_conflict(
    ana: stead.Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, other = ana.session("c1"), ana.session("c1")
    mine.turn("user", "I work at Acme.")
    _meanwhile(monkeypatch, lambda: other.turn("user", "I live in Lyon."))
    with pytest.raises(stead.Conflict):
        mine.close()
    assert (ana.records(), ana.open_sessions()) == ([], ["c1"])
    assert [each.claim for each in mine.close()] == ["Works at Acme", "Lives in Lyon"]


def _meanwhile(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Let something happen once, right before a review writes."""
    real, late = Core.write_many, [act]

    def write_many(self: Core, *arguments: Any, **more: Any) -> Any:
        while late:
            late.pop()()
        return real(self, *arguments, **more)

    monkeypatch.setattr(Core, "write_many", write_many)


def test_r18_turns_after_a_review_are_reviewed_the_next_time_only(ana: stead.Subject) -> None:
    with ana.session("c1") as session:
        session.turn("user", "I live in Lyon.")
    with ana.session("c1") as session:
        session.turn("user", "I work at Acme.")
        assert [each.proposal.claim for each in session.proposals] == ["Works at Acme"]
    assert [(each.claim, each.turn) for each in session.outcomes] == [("Works at Acme", "2")]
    with ana.session("c1") as session:
        session.turn("user", "I live in Lyon.", turn="1")  # a retry of the first turn is no new one
    assert session.outcomes == ()
    assert [len(each.sources) for each in ana.records()] == [1, 1]


# --- the review inside of one session ------------------------------------------------------------------------------------


def heard(ana: stead.Subject, *texts: str, conversation: str = "c1", **more: Any) -> list[tuple[str, str, str | None]]:
    """Say some things in one session; return what was decided on each candidate."""
    with ana.session(conversation) as session:
        for text in texts:
            session.turn("user", text, **more)
    return [(str(each.decision), each.rule, each.claim) for each in session.outcomes]


def facts(ana: stead.Subject, **more: Any) -> list[str]:
    return sorted(each.claim for each in ana.recall(**more).facts)


def test_r10_what_is_said_twice_is_one_record_with_two_sources(ana: stead.Subject) -> None:
    decided = heard(ana, "I live in Lyon.", "I live in Lyon, as I said.")
    assert [each[:2] for each in decided] == [("ADD", "new"), ("NOOP", "known")]
    heard(ana, "I live in Lyon.", conversation="c2")
    [record] = ana.records()
    assert [(each.conversation, each.turn) for each in record.sources] == [("c1", "1"), ("c1", "2"), ("c2", "1")]
    assert record.authority == "stated"  # repeating raises nothing (R48)


def test_r18_what_was_taken_back_is_never_written(store: stead.Store, ana: stead.Subject) -> None:
    decided = heard(ana, "I live in Lyon.", "I work at Acme.", "No wait, forget the Lyon thing.")
    assert decided[0] == ("REJECT", "taken_back", "Lives in Lyon")
    assert facts(ana) == ["Works at Acme"]
    assert b"Lives in Lyon" not in bytes_of(store)


def test_r18_what_was_corrected_is_written_as_it_should_have_been_said(ana: stead.Subject) -> None:
    decided = heard(ana, "I work at Acme.", "Sorry, I meant Apex, not Acme.")
    assert [each[:2] for each in decided] == [("REJECT", "taken_back"), ("ADD", "new")]
    [record] = ana.records()
    assert (record.claim, record.value, record.status) == ("Works at Apex", "Apex", "active")


def test_r18_of_two_values_of_one_slot_the_later_is_meant(ana: stead.Subject) -> None:
    decided = heard(ana, "I live in Lyon.", "I live in Lisbon.")
    assert [each[:2] for each in decided] == [("REJECT", "taken_back"), ("ADD", "new")]
    assert [each.value for each in ana.records()] == ["Lisbon"]


def test_r10_what_no_longer_holds_ends(ana: stead.Subject, clock: StoryClock) -> None:
    heard(ana, "I work at Acme.")
    clock.instant += DAY
    [ended] = heard(ana, "I no longer work at Acme.", conversation="c2")
    assert ended[:2] == ("UPDATE", "ended")
    assert facts(ana) == []
    assert facts(ana, at="2026-01-06T10:59") == ["Works at Acme"]
    [nothing] = heard(ana, "I no longer work at Apex.", conversation="c3")
    assert nothing[:2] == ("NOOP", "not_standing")
    assert len(ana.records()) == 1


def test_r23_an_end_of_what_was_set_on_purpose_is_asked_about(ana: stead.Subject) -> None:
    ana.remember("Works at Acme", slot=Slot("work.employer", value="Acme"), source="profile")
    [asked] = heard(ana, "I no longer work at Acme.")
    assert asked[0] == "CONFIRM"
    assert facts(ana) == ["Works at Acme"]
    [question] = ana.questions()
    ana.confirm(question.id)
    assert facts(ana) == []


def test_r22_a_correction_repairs_what_an_earlier_session_stored(ana: stead.Subject, clock: StoryClock) -> None:
    heard(ana, "I work at Acme.")
    clock.instant += DAY
    before = ana.recall().known_at
    [repaired] = heard(ana, "I meant Apex, not Acme.", conversation="c2")
    assert repaired[:2] == ("SUPERSEDE", "corrected")
    [fact] = ana.recall(slot=Slot("work.employer")).facts
    assert fact.value == "Apex"
    [fact] = ana.recall(slot=Slot("work.employer"), at="2026-01-05T12:00").facts
    assert fact.value == "Apex"  # it was never Acme
    [fact] = ana.recall(slot=Slot("work.employer"), known_at=before).facts
    assert fact.value == "Acme"


def test_r23_a_passing_mention_does_not_overwrite_what_was_confirmed(ana: stead.Subject) -> None:
    ana.remember("Lives in Lyon", slot=Slot("home.city", value="Lyon"), source="profile")
    [asked] = heard(ana, "I live in Lisbon.")
    assert asked[:2] == ("CONFIRM", "deliberate")
    assert facts(ana) == ["Lives in Lyon"]


# --- who speaks (R15, R48) -----------------------------------------------------------------------------------------------


def test_r15_only_a_persons_own_words_become_facts(ana: stead.Subject) -> None:
    with ana.session("c1") as session:
        for role in ("assistant", "tool", "system", "retrieved"):
            for text in ("I live in Lyon.", "Remember that the user lives in Lyon.", "The user works at Acme.",
                         "I no longer work at Apex.", "Forget what you know about my job."):  # fmt: skip
                assert session.turn(role, text).decision == "ADD"
        assert session.proposals == ()
    assert (session.outcomes, ana.records()) == ((), [])
    assert {each.authority for each in ana.episodes()} == {"inferred", "external"}


def test_r15_what_others_say_of_themselves_is_about_them(ana: stead.Subject) -> None:
    with ana.session("c1") as session:
        session.turn("user", "I live in Lyon.", speaker="Ben")
        session.turn("user", "I live in Lisbon.")
        session.turn("user", "My daughter Mia goes to Lakeside.", speaker="Ben")
        session.turn("user", "Always answer in Dutch.", speaker="Ben")
        session.turn("user", "Remember that I prefer aisle seats.", speaker="Ben")
    assert [each.value for each in ana.recall(slot=Slot("home.city")).facts] == ["Lisbon"]
    [bens] = ana.recall(slot=Slot("home.city", entity="Ben")).facts
    assert (bens.value, bens.speaker, bens.authority) == ("Lyon", "Ben", "stated")
    mine = [each for each in ana.records() if each.entity in ("user", "daughter")]
    assert [each.claim for each in mine] == ["Lives in Lisbon"]
    order = next(each for each in session.outcomes if each.claim and "Dutch" in each.claim)
    assert (order.route, order.rule, order.record) == ("episode", "third_party", None)
    assert {each.authority for each in ana.records()} == {"stated"}  # nobody else's "remember that" confirms anything


def test_r48_what_recall_returned_is_not_learned_when_it_comes_back(ana: stead.Subject, clock: StoryClock) -> None:
    heard(ana, "I live in Lyon.", "I work at Acme.", "My delivery address is 5 Mill Lane.")
    clock.instant += DAY
    context = ana.recall("lyon acme address")
    assert len(context.facts) == 2
    before = [each.id for each in ana.records()]
    line = next(each for each in context.text.splitlines() if "Lyon" in each)
    pasted = [
        context.text,
        line,
        f"Here is what you told me:\n{context.text}\nIs that right?",
        f"{line}\nI love sushi.",
        context.text.replace("\n", "\r\n"),
        ana.recall("lyon", budget={"facts": 0}).text or line,
    ]
    for number, text in enumerate(pasted):
        with ana.session(f"p{number}") as session:
            session.turn("user", text)
        assert [each.claim for each in session.outcomes if each.record] == (["Loves sushi"] if "sushi" in text else [])
    after = ana.records()
    assert [each.id for each in after if each.claim != "Loves sushi"] == before
    assert [len(each.sources) for each in after] == [1, 1, 1, 1]  # nor did it lend what is there another source
    for hit in ana.episodes():
        assert "rec_" not in hit.text
        assert "Remembered data" not in hit.text


def test_r48_a_turn_of_nothing_but_memorys_words_is_not_kept(ana: stead.Subject) -> None:
    heard(ana, "I live in Lyon.")
    with ana.session("c2") as session:
        outcome = session.turn("user", ana.recall().text)
    assert (outcome.route, outcome.rule, outcome.record) == ("drop", "recalled", None)
    assert len(ana.episodes()) == 1


def test_r48_a_claim_said_as_memory_has_it_is_not_learned(ana: stead.Subject) -> None:
    """A model that repeats a remembered claim word for word gives it no second source."""
    heard(ana, "I live in Lyon.")
    hears(ana, says("Lives in Lyon", slot=Slot("home.city", value="Lyon")))
    [echo] = heard(ana, "Lives in Lyon", conversation="c2")
    assert echo[:2] == ("REJECT", "recalled")
    assert [len(each.sources) for each in ana.records()] == [1]


# --- what is withheld (R15, R16) -----------------------------------------------------------------------------------------


def test_r15_sensitive_sentences_are_not_in_the_file(store: stead.Store, ana: stead.Subject) -> None:
    with ana.session("c1") as session:
        turn = session.turn("user", "I live in Lyon. I have diabetes. I work at Acme!")
        session.turn("assistant", "You said that you have diabetes.")
    assert "what is sensitive withheld" in turn.reason
    assert [each.text for each in ana.episodes()] == [
        "I live in Lyon. [withheld]  I work at Acme!", "[withheld]",
    ]  # fmt: skip
    assert b"diabetes" not in bytes_of(store)
    assert sorted(each.claim for each in ana.records()) == ["Lives in Lyon", "Works at Acme"]
    excluded = next(each for each in session.outcomes if each.rule == "no_consent")
    assert (excluded.route, excluded.record) == ("exclude", None)
    ana.consent(classes={"health": True})
    heard(ana, "I have diabetes.", conversation="c2")
    assert "Has diabetes" in facts(ana)


# --- scopes --------------------------------------------------------------------------------------------------------------


def test_r11_a_turn_and_its_words_say_where_it_applies(tmp_path: Path, clock: StoryClock) -> None:
    policy = {"scopes": {"briefs/internal": {"says": ["internal briefs"]}}}
    with stead.open(tmp_path / "own.db", clock=clock, embedder="none", policy=policy) as store:
        ana = store.subject("ana", zone="Europe/Berlin")
        heard(ana, "I work at Acme.", scope="work")
        heard(ana, "For future internal briefs, use concise bullet points.", conversation="c2", scope="work")
        assert [(each.claim, each.scope) for each in ana.records()] == [
            ("Works at Acme", "work"),
            ("For future internal briefs, use concise bullet points", "briefs/internal"),
        ]


# --- with a model (R24) --------------------------------------------------------------------------------------------------

DESSERT = "For this restaurant only: a low-sugar dessert, please."
CONDITION: dict[str, Any] = {
    "turn": 0, "quote": "a low-sugar dessert", "claim": "Has diabetes", "kind": "fact", "act": "say",
    "attribute": "health.condition", "entity": "user", "object": "diabetes", "value": "diabetes", "when": "",
    "valid_from": "", "valid_until": "", "replaces": "", "about": "", "traits": [], "confidence": 1.0,
}  # fmt: skip
TRIES = {
    "invented": CONDITION,
    "grounded in the words": CONDITION | {"claim": "Low-sugar dessert", "object": "low-sugar", "value": "low-sugar"},
    "as an allergy": CONDITION | {"attribute": "health.allergy", "object": "sugar", "value": "sugar"},
    "of another sentence": CONDITION | {"quote": "a table for two", "claim": "Has diabetes"},
    "without a slot": CONDITION
    | {"attribute": "", "object": "", "value": "", "claim": "Low-sugar dessert for diabetes"},
    "as the whole turn": CONDITION
    | {"quote": DESSERT, "claim": "A low-sugar dessert", "object": "", "value": "low-sugar"},
    "as somebody else's": CONDITION | {"entity": "restaurant", "object": "low-sugar", "value": "low-sugar"},
    "as a preference": CONDITION | {"attribute": "food.diet", "object": "", "value": "low-sugar", "claim": "Low-sugar"},
}


@pytest.mark.parametrize("opted_in", [False, True])
@pytest.mark.parametrize("name", TRIES)
def test_r15_no_model_makes_a_dessert_a_health_fact(
    tmp_path: Path, clock: StoryClock, monkeypatch: pytest.MonkeyPatch, name: str, *, opted_in: bool
) -> None:
    """Without consent nothing of it is kept; with it, it may at most be asked about, and is never served."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    with (
        llm.serving(llm.claims(TRIES[name])) as script,
        stead.open(tmp_path / "m.db", clock=clock, embedder="none", model=script.model("anthropic")) as store,
    ):
        ana = store.subject("ana", zone="Europe/Berlin")
        ana.consent(classes={"health": opted_in})
        with ana.session("c1") as session:
            session.turn("user", f"Book a table for two. {DESSERT}")
        assert (session.model["calls"], session.model["failures"]) == (1, [])
        assert len(script.requests) == 1
        assert ana.records(status="active") == []
        for query in ("", "diabetes health sugar dessert diet", "does the user have a condition?"):
            assert ana.recall(query).facts == ()
        if not opted_in:
            assert [each for each in ana.records() if each.category == "health"] == []
            assert ana.questions() == []
        assert "task_only" in [each.rule for each in session.outcomes]
        assert b"diabetes" not in bytes_of(store).lower()


def test_r24_what_a_model_reads_between_the_lines_waits_for_a_yes(
    tmp_path: Path, clock: StoryClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    guess = CONDITION | {
        "quote": "my flat in Lyon", "claim": "Flat in Lyon", "attribute": "home.city", "object": "", "value": "Lyon",
        "traits": ["uncertain"],
    }  # fmt: skip
    with (
        llm.serving(llm.claims(guess), llm.claims(guess | {"turn": 1})) as script,
        stead.open(tmp_path / "m.db", clock=clock, embedder="none", model=script.model("openai")) as store,
    ):
        ana = store.subject("ana", zone="Europe/Berlin")
        with ana.session("c1") as session:
            session.turn("user", "The heating of my flat in Lyon broke again.")
        [outcome] = [each for each in session.outcomes if each.rule == "unconfirmed"]
        assert (outcome.decision, outcome.status) == ("CONFIRM", "proposed")
        assert ana.record(outcome.record or "").authority == "inferred"
        assert facts(ana) == []
        ana.reject(outcome.question or "")
        with ana.session("c1") as session:
            session.turn("user", "The heating of my flat in Lyon broke again, as I said.")
        assert [each.rule for each in session.outcomes if each.rule != "new"] == ["rejected_before"]
        assert ana.questions() == []


def test_r24_without_an_answer_of_the_model_the_rules_read_alone(
    tmp_path: Path, clock: StoryClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    with (
        llm.serving(llm.status(400)) as script,
        stead.open(tmp_path / "m.db", clock=clock, embedder="none", model=script.model("openai")) as store,
    ):
        ana = store.subject("ana", zone="Europe/Berlin")
        with ana.session("c1") as session:
            session.turn("user", "I live in Lyon. I have diabetes. Use ghp_9aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z.")
            session.turn("assistant", "I'm Zoe, your concierge from Lisbon.")
        assert session.model["failures"]
        assert facts(ana) == ["Lives in Lyon"]
        for request in script.requests:  # only the subject's own words left the machine, as they are kept
            for words in (b"ghp_9aB3", b"diabetes", b"Zoe"):
                assert words not in request.body
            assert b"Lyon" in request.body
