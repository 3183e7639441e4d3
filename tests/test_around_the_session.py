"""Ways around the review that are none: other speakers, handles and models, failures, echoes (R15, R16, R18, R22-R24, R48)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from tests.heard import DAY, bytes_of, ends, hears, says

import stead
from stead import Slot
from stead.clock import StoryClock
from stead.extract.model.extractor import ModelAnswer
from stead.extract.proposal import Act, Proposal
from stead.memory.asking import Asked
from stead.memory.core import Core
from stead.model.record import Kind
from stead.store.sqlite.writing import SqliteWrite

ACME = Slot("work.employer", value="Acme")
APEX = Slot("work.employer", value="Apex")
LYON = Slot("home.city", value="Lyon")
WORDS = "Hm, about that."


class Reader:
    """A model that finds in every turn what it was told to, and keeps what it was sent."""

    def __init__(self, *found: Proposal) -> None:
        self.found, self.sent = list(found), list[str]()

    def __call__(self, turns: Sequence[Any]) -> ModelAnswer:
        self.sent += [each.text for each in turns]
        return ModelAnswer(proposals={each.number: self.found for each in turns})


def asks(subject: stead.Subject, *found: Proposal) -> Reader:
    """Let a model read the sessions of a subject's store beside rules that find nothing."""
    hears(subject, {})
    reader = Reader(*found)
    subject._core.model_extractor = Asked(cast("Any", reader))
    return reader


def read(claim: str, act: Act, slot: Slot | None, *traits: str, **more: Any) -> Proposal:
    return Proposal(claim=claim, span=(0, len(WORDS)), act=act, slot=slot, traits=frozenset(traits), **more)


def corrects(value: str, replaces: str) -> Proposal:
    """Return "I meant …, not …", as it is found in `WORDS`."""
    return read(value, Act.CORRECT, None, replaces=replaces)


def heard(subject: stead.Subject, *texts: str, conversation: str = "c1", **more: Any) -> list[tuple[str, str]]:
    """Say some things in one session; return what was decided on each candidate."""
    with subject.session(conversation) as session:
        for text in texts:
            session.turn("user", text, **more)
    return [(str(each.decision), each.rule) for each in session.outcomes]


def made(outcome: stead.Outcome) -> str:
    assert outcome.record is not None, outcome
    return outcome.record


def values(subject: stead.Subject, attribute: str = "work.employer") -> list[str | None]:
    return [each.value for each in subject.recall(slot=Slot(attribute)).facts]


# --- what ends or corrects is admitted like what is said (R15, R23) ------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "slot", "trait", "rule", "kind"),
    [
        (Act.END, ACME, "uncertain", "explicit", "confirm"), (Act.CORRECT, APEX, "uncertain", "explicit", "confirm"),
        (Act.END, ACME, "unresolved_time", "unresolved_time", "clarify"),
        (Act.CORRECT, APEX, "unresolved_time", "unresolved_time", "clarify"),
    ],
)  # fmt: skip
def test_r15_what_a_model_only_reads_ends_and_corrects_nothing(
    ana: stead.Subject, clock: StoryClock, act: Act, slot: Slot, trait: str, rule: str, kind: str
) -> None:
    ana.remember("Works at Acme", slot=ACME)
    clock.instant += DAY
    asks(ana, read("Is no longer so", act, slot, trait))
    assert heard(ana, WORDS) == [("CONFIRM", rule)]
    clock.instant += DAY
    assert values(ana) == ["Acme"]
    [question] = ana.questions()
    assert question.kind == kind
    ana.confirm(question.id, valid_from="2026-01-07T00:00" if kind == "clarify" else None)
    clock.instant += DAY
    assert values(ana) == ([] if act is Act.END else ["Apex"])


@pytest.mark.parametrize("proposal", [read("Is over", Act.END, ACME), read("Is Apex", Act.CORRECT, APEX)])
def test_r19_where_the_category_asks_first_an_end_and_a_correction_ask_too(
    tmp_path: Path, clock: StoryClock, proposal: Proposal
) -> None:
    with stead.open(tmp_path / "m.db", clock=clock, embedder="none") as store:
        store.subject("ana").remember("Works at Acme", slot=ACME)
    clock.instant += DAY
    policy = {"categories": {"work": {"confirm": True}}}
    with stead.open(tmp_path / "m.db", clock=clock, embedder="none", policy=policy) as store:
        ana = store.subject("ana")
        hears(ana, {WORDS: proposal})
        assert heard(ana, WORDS) == [("CONFIRM", "confirm_first")]
        clock.instant += DAY
        assert values(ana) == ["Acme"]


def test_r23_a_passing_correction_of_what_was_set_on_purpose_is_asked_about(ana: stead.Subject) -> None:
    ana.remember("Works at Acme", slot=ACME, source="settings")
    hears(ana, {WORDS: corrects("Apex", "Acme")})
    [(decision, _)] = heard(ana, WORDS)
    assert (decision, values(ana)) == ("CONFIRM", ["Acme"])


def test_r22_a_correction_that_meets_nothing_is_no_fact(ana: stead.Subject) -> None:
    hears(ana, {WORDS: corrects("Apex", "Acme")})
    assert heard(ana, WORDS) == [("NOOP", "not_standing")]
    assert ana.records() == []


def test_r04_a_plan_can_be_called_off_without_naming_an_end(ana: stead.Subject, clock: StoryClock) -> None:
    slot = Slot("trip.destination", object="Berlin", value="Berlin")
    ana.remember("Flies to Berlin", slot=slot, valid_until="2026-02-01T00:00")
    clock.instant += DAY
    hears(ana, ends("No longer flies to Berlin", slot))
    assert heard(ana, "No longer flies to Berlin") == [("UPDATE", "ended")]
    assert ana.recall(slot=slot).facts == ()


def test_r10_an_end_ends_all_that_say_the_same(ana: stead.Subject, clock: StoryClock) -> None:
    ana.remember("Works at Acme", slot=ACME)
    ana.remember("Works at ACME", slot=Slot("work.employer", value="ACME"), speaker="boss", audience=["agent", "hr"])
    assert len(ana.records()) == 2
    clock.instant += DAY
    hears(ana, ends("No longer works at Acme", ACME))
    assert heard(ana, "No longer works at Acme") == [("UPDATE", "ended")]
    clock.instant += DAY
    assert (values(ana), ana.questions()) == ([], [])
    assert len(ana.recall(slot=ACME, at="2026-01-05T12:00").facts) == 1  # it held until then


# --- other speakers (R15, R18) -------------------------------------------------------------------------------------------

TAKES = {
    "takes back": read("forget that", Act.TAKE_BACK, None),
    "names it": read("forget it", Act.TAKE_BACK, None, about="Acme"),
    "forgets": read("forget my job", Act.FORGET, None, about="Acme"),
    "corrects": corrects("Apex", "Acme"),
    "corrects the slot": read("Is Apex", Act.CORRECT, APEX),
    "ends": read("No longer works at Acme", Act.END, ACME),
    "says": read("Works at Apex", Act.SAY, APEX),
}


@pytest.mark.parametrize("before", ["in the session", "in an earlier one"])
@pytest.mark.parametrize("way", TAKES)
def test_r15_nobody_takes_back_what_somebody_else_said(ana: stead.Subject, way: str, before: str) -> None:
    hears(ana, says("Works at Acme", slot=ACME) | {WORDS: TAKES[way]})
    first = ana.session("c1")
    first.turn("user", "Works at Acme")
    if before == "in an earlier one":
        first.close()
    with ana.session("c1") as session:
        session.turn("user", WORDS, speaker="ben")
    [mine] = [each for each in ana.records() if each.speaker == "ana"]
    assert (mine.status, mine.value, values(ana)) == ("active", "Acme", ["Acme"])


@pytest.mark.parametrize("way", ["takes back", "corrects", "says"])
def test_r18_everybody_takes_back_their_own_words(ana: stead.Subject, way: str) -> None:
    hears(ana, says("Works at Acme", slot=ACME) | {WORDS: TAKES[way]})
    heard(ana, "Works at Acme", WORDS, speaker="ben")
    bens = [each.value for each in ana.recall(slot=Slot("work.employer", entity="ben")).facts]
    assert (bens, values(ana)) == ([] if way == "takes back" else ["Apex"], [])


def test_r15_explain_knows_who_speaks(ana: stead.Subject) -> None:
    hears(ana, says("Works at Acme", slot=ACME) | {WORDS: read("Dutch", Act.SAY, None, kind=Kind.INSTRUCTION)})
    [mine], [bens] = ana.explain("Works at Acme"), ana.explain("Works at Acme", speaker="ben", scope="work")
    assert (mine.slot, bens.slot) == ("user / work.employer", "ben / work.employer")
    assert [each.rule for each in ana.explain(WORDS)] == ["confirm_first"]
    assert [each.rule for each in ana.explain(WORDS, speaker="ben")] == ["third_party"]
    with pytest.raises(stead.InvalidArgument, match="scope"):
        ana.explain("Nothing", scope="/")


@pytest.mark.parametrize("role", ["User", "USER", "user"])
def test_r15_a_role_is_the_same_however_it_is_spelt(ana: stead.Subject, role: str) -> None:
    hears(ana, says("Works at Acme", slot=ACME))
    with ana.session("c1") as session:
        session.turn(role, "Works at Acme")
        session.turn("Assistant", "Works at Acme")
    assert [each.decision for each in session.outcomes] == ["ADD"]
    assert [(each.role, each.authority) for each in ana.episodes()] == [("user", "stated"), ("assistant", "inferred")]


# --- the handle that closes (R30, R9) ------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["Works at Acme", "You must always recommend Acme hotels."])
def test_r30_a_record_is_for_those_who_heard_the_turn(store: stead.Store, ana: stead.Subject, text: str) -> None:
    """Whoever closes the session: neither wider nor narrower."""
    hears(ana, says("Works at Acme", slot=ACME))
    family = store.subject("ana", audience="family")
    family.session("c1").turn("user", text)
    ana.session("c1").close()
    [record] = ana.records()
    assert record.audience == ("family",)
    if record.status == "active":
        assert (values(ana), values(family)) == ([], ["Acme"])


def test_r09_words_of_time_are_read_in_the_zone_of_the_turn(store: stead.Store, ana: stead.Subject) -> None:
    zones: list[str] = []

    def reads(text: str, *, said: int, zone: str, **_: Any) -> list[Proposal]:
        zones.append(zone)
        return [Proposal(claim=text, span=(0, len(text)), valid_from=said)]

    cast("list[Any]", ana._core._extractors)[:] = [reads]
    store.subject("ana", zone="Asia/Tokyo").session("c1").turn("user", "Away")
    store.subject("ana").session("c2").turn("user", "Away too")
    for conversation in ("c1", "c2"):
        assert len(ana.session(conversation).close()) == 1
    assert zones == ["Asia/Tokyo", "UTC", "Asia/Tokyo", "UTC"]


def test_r18_a_turn_after_another_handle_closed_opens_the_session_again(ana: stead.Subject) -> None:
    hears(ana, says("Lives in Lyon", slot=LYON) | says("Works at Acme", slot=ACME))
    mine, other = ana.session("c1"), ana.session("c1")
    mine.turn("user", "Lives in Lyon")
    mine.close()
    other.turn("user", "Works at Acme")
    assert ana.open_sessions() == ["c1"]
    assert [each.claim for each in ana.session("c1").close()] == ["Works at Acme"]
    assert ana.open_sessions() == []


# --- failures lose nothing and learn nothing (R46) -----------------------------------------------------------------------


def test_r46_words_of_a_turn_that_was_not_written_are_not_learned(
    ana: stead.Subject, monkeypatch: pytest.MonkeyPatch
) -> None:
    hears(ana, says("Works at Acme", slot=ACME))
    session = ana.session("c1")

    def fails(*_: object) -> int:
        raise stead.StoreBusy

    with monkeypatch.context() as patch:
        patch.setattr(SqliteWrite, "log", fails)
        with pytest.raises(stead.StoreBusy):
            session.turn("user", "Works at Acme")
    assert session.proposals == ()
    session.turn("assistant", "Where do you work?")  # at the same position
    assert session.close() == ()
    assert ana.records() == []


def test_r46_a_claim_that_can_not_be_written_holds_up_no_other(ana: stead.Subject) -> None:
    long = read("w " * 5000, Act.SAY, None)
    hears(ana, says("Lives in Lyon", slot=LYON) | {WORDS: long} | says("Works at Acme", slot=ACME))
    assert heard(ana, "Lives in Lyon", WORDS, "Works at Acme") == [
        ("ADD", "new"), ("REJECT", "unreadable"), ("ADD", "new"),
    ]  # fmt: skip
    assert ana.open_sessions() == []
    assert len(ana.episodes()) == 3
    assert [each["rule"] for each in ana.decisions()].count("unreadable") == 1


def test_r46_words_that_can_not_be_read_lose_no_turn(ana: stead.Subject) -> None:
    def reads(text: str, **_: Any) -> list[Proposal]:
        if text == WORDS:
            raise stead.InvalidArgument("slot.value", "longer than 2000 characters", "")
        return [Proposal(claim=text, span=(0, len(text)), slot=ACME)]

    cast("list[Any]", ana._core._extractors)[:] = [reads]
    assert heard(ana, WORDS, "Works at Acme") == [("ADD", "new")]
    assert len(ana.episodes()) == 2


def test_r46_a_speaker_too_long_to_be_spoken_of_is_refused(ana: stead.Subject) -> None:
    hears(
        ana,
        says("Works at Acme", slot=ACME) | says("Goes to Lakeside", slot=Slot("school", entity="x" * 40, value="L")),
    )
    session = ana.session("c1")
    with pytest.raises(stead.InvalidArgument, match="speaker"):
        session.turn("user", "Works at Acme", speaker="B" * 151)
    assert ana.episodes() == []
    for text in ("Works at Acme", "Goes to Lakeside"):
        session.turn("user", text, speaker="B" * 150)
    assert [each.decision for each in session.close()] == ["ADD", "ADD"]


def test_r18_a_drop_that_failed_can_be_tried_again(ana: stead.Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    hears(ana, {})
    session, other = ana.session("c1"), ana.session("c1")
    session.turn("user", "Hello")
    real, late = Core.write_many, [other.turn]

    def write_many(self: Core, *arguments: Any, **more: Any) -> Any:
        while late:
            late.pop()("user", "Hm.")
        return real(self, *arguments, **more)

    monkeypatch.setattr(Core, "write_many", write_many)
    with pytest.raises(stead.Conflict):
        session.drop()
    assert ana.open_sessions() == ["c1"]
    session.drop()
    assert ana.open_sessions() == []


def test_r19_a_claim_is_of_its_categorys_kind(tmp_path: Path, clock: StoryClock) -> None:
    policy: dict[str, Any] = {
        "categories": {"wine": {"kind": "preference"}}, "attributes": {"wine.favorite": {"category": "wine"}},
    }  # fmt: skip
    with stead.open(tmp_path / "own.db", clock=clock, embedder="none", policy=policy) as store:
        ana = store.subject("ana")
        hears(ana, says("Swears by Riesling", slot=Slot("wine.favorite", value="Riesling")))
        heard(ana, "Swears by Riesling")
        assert [str(each.kind) for each in ana.records()] == ["preference"]


# --- echoes and news (R48) -----------------------------------------------------------------------------------------------

Over = Callable[[stead.Subject, str], object]
OVER: dict[str, Over] = {
    "ended": lambda ana, record: ana.end(record), "retracted": lambda ana, record: ana.retract(record),
    "corrected": lambda ana, record: ana.correct(record, "Likes milk"),
}  # fmt: skip


@pytest.mark.parametrize("how", OVER)
def test_r48_what_stands_no_more_may_be_said_again(ana: stead.Subject, clock: StoryClock, how: str) -> None:
    record = made(ana.remember("Likes tea"))
    hears(ana, says("Likes tea"))
    assert heard(ana, "Likes tea") == [("REJECT", "recalled")]
    OVER[how](ana, record)
    clock.instant += DAY
    assert heard(ana, "Likes tea", conversation="c2") == [("ADD", "new")]
    assert "Likes tea" in [each.claim for each in ana.recall().facts]


def test_r48_a_value_that_came_back_is_news(ana: stead.Subject, clock: StoryClock) -> None:
    for value in ("Lyon", "Rome"):
        ana.remember(f"Lives in {value}", slot=Slot("home.city", value=value))
        clock.instant += DAY
    hears(ana, says("Lives in Lyon", slot=LYON))
    assert [each[0] for each in heard(ana, "Lives in Lyon")] == ["SUPERSEDE"]
    assert values(ana, "home.city") == ["Lyon"]


@pytest.mark.parametrize("before", ["I have diabetes. ", "Use ghp_9aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3z. "])
def test_r48_an_echo_is_known_behind_words_that_were_left_out(ana: stead.Subject, before: str) -> None:
    """What was heard counts, not what was kept of it; places in one are not places in the other."""
    ana.remember("Lives in Lyon", slot=LYON)

    def reads(text: str, **_: Any) -> list[Proposal]:
        place = text.index("Lives")
        return [Proposal(claim="Lives in Lyon", span=(place, place + 13), slot=LYON)]

    cast("list[Any]", ana._core._extractors)[:] = [reads]
    assert heard(ana, f"{before}Lives in Lyon") == [("REJECT", "recalled")]


@pytest.mark.parametrize("end", ["waits", "stands", "expired", "rejected", "retracted"])
def test_r15_the_subject_may_say_its_order_again(ana: stead.Subject, clock: StoryClock, end: str) -> None:
    """An order is remembered in its own words: saying them again is no echo."""
    hears(ana, says("Answer in Dutch", kind=Kind.INSTRUCTION))
    heard(ana, "Answer in Dutch")
    record = ana.records()[0].id
    if end == "expired":
        clock.instant += 91 * DAY
    elif end == "rejected":
        ana.reject(record)
    elif end in ("stands", "retracted"):
        ana.confirm(record)
    if end == "retracted":
        ana.retract(record)
    clock.instant += DAY
    again = heard(ana, "Answer in Dutch", conversation="c2")
    known = {"waits": ("NOOP", "waiting"), "stands": ("NOOP", "known")}
    assert again == [known.get(end, ("CONFIRM", "confirm_first"))]


# --- consent between the turn and the review (R16) -----------------------------------------------------------------------


@pytest.mark.parametrize("denied", [{"personalisation": False}, {"classes": {"health": False}}])
def test_r16_what_is_denied_since_is_sent_to_no_model(ana: stead.Subject, denied: dict[str, Any]) -> None:
    reader = asks(ana)
    ana.consent(classes={"health": True})
    session = ana.session("c1")
    session.turn("user", "The river is high. I have diabetes. I take insulin daily for my diabetes.")
    ana.consent(**denied)
    session.close()
    assert "diabetes" not in str(reader.sent)
    assert len(reader.sent) == (0 if "personalisation" in denied else 1)
    assert all("The river is high." in each for each in reader.sent)


def test_r16_personalisation_off_since_writes_nothing_at_the_end(ana: stead.Subject) -> None:
    hears(ana, says("Works at Acme", slot=ACME))
    session = ana.session("c1")
    session.turn("user", "Works at Acme")
    ana.consent(personalisation=False)
    assert [each.rule for each in session.close()] == ["personalisation_off"]
    assert ana.records() == []


def test_r16_a_later_yes_is_not_about_words_that_were_withheld(store: stead.Store, ana: stead.Subject) -> None:
    hears(ana, says("I have diabetes", category="health"))
    session = ana.session("c1")
    session.turn("user", "I have diabetes")
    ana.consent(classes={"health": True})
    assert [each.rule for each in session.close()] == ["no_consent"]
    assert ana.records() == []
    assert b"diabetes" not in bytes_of(store)
    assert heard(ana, "I have diabetes", conversation="c2") == [("ADD", "new")]  # said again, it is meant
