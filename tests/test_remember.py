"""Writing: decisions, their reasons, and what they leave behind (R10, R13, R20, R21, R46)."""

from __future__ import annotations

from typing import Any

import pytest

import stead
from stead import Decision, Slot, Status
from stead.clock import StoryClock

DAY = 86_400_000_000


def city(value: str | None = None, **more: Any) -> Slot:
    return Slot("home.city", value=value, **more)


def served(subject: stead.Subject, **asked: Any) -> list[str]:
    return [fact.claim for fact in subject.recall(**asked).facts]


def test_r21_each_decision_says_its_rule(ana: stead.Subject, clock: StoryClock) -> None:
    first = ana.remember("Lives in Berlin", slot=city("Berlin"))
    assert (first.decision, first.rule, first.version) == (Decision.ADD, "new", 1)
    clock.instant += DAY
    again = ana.remember("lives in berlin", slot=city("  BERLIN "))
    assert (again.decision, again.rule, again.record) == (Decision.NOOP, "known", first.record)
    moved = ana.remember("Lives in Lisbon", slot=city("Lisbon"))
    assert (moved.decision, moved.rule, moved.affected) == (Decision.SUPERSEDE, "newer", (first.record,))
    trip = ana.remember("Stays in Rome", slot=city("Rome"), valid_until="2026-02-01")
    assert (trip.decision, trip.rule) == (Decision.OVERRIDE, "exception")
    other = ana.remember("Lives in Porto", slot=city("Porto"), speaker="bob")
    assert (other.decision, other.rule, other.status) == (Decision.CONTEST, "equals", Status.CONTESTED)
    assert other.question in {each.id for each in ana.questions()}
    sure = ana.remember("Lives in Faro", slot=city("Faro"), authority="confirmed")
    assert (sure.decision, sure.rule) == (Decision.SUPERSEDE, "authority")
    asked = ana.remember("Lives in Braga", slot=city("Braga"))
    assert (asked.decision, asked.rule, asked.status) == (Decision.CONFIRM, "deliberate", Status.PROPOSED)
    repaired = ana.remember("Lived in Evora", slot=city("Evora"), meaning="corrected", authority="confirmed")
    assert (repaired.decision, repaired.rule) == (Decision.SUPERSEDE, "corrected")


def test_r10_a_late_arrival_says_so_and_ends_where_the_later_one_begins(ana: stead.Subject) -> None:
    ana.remember("Lives in Berlin", slot=city("Berlin"), valid_from="2025-06-01")
    late = ana.remember("Lives in Paris", slot=city("Paris"), valid_from="2025-01-01")
    assert (late.decision, late.rule) == (Decision.ADD, "late")
    record = ana.record(str(late.record))
    assert record.stated[1] is None
    assert [piece[1] for piece in record.stands] == [stead.wall("2025-06-01", "Europe/Berlin")]


def test_r21_the_same_words_without_a_slot_are_known_already(ana: stead.Subject) -> None:
    first = ana.remember("Plays the piano.")
    again = ana.remember(" plays THE  piano", source={"conversation": "c", "turn": "4"}, speaker="bob")
    assert (again.decision, again.record) == (Decision.NOOP, first.record)
    assert [source.speaker for source in ana.record(str(first.record)).sources] == ["ana", "bob"]
    assert ana.remember("Plays the piano", scope="work").decision is Decision.ADD
    assert ana.remember("Plays the piano", kind="plan").decision is Decision.ADD


def test_r10_what_lasts_longer_or_reaches_others_is_not_known_already(ana: stead.Subject) -> None:
    """A NOOP would lose the claim for readers or times that the older record doesn't reach."""
    ana.remember("Gate is B2", slot=Slot("x.gate", value="B2"), expires_at="2026-01-06")
    lasting = ana.remember("Gate is B2", slot=Slot("x.gate", value="B2"))
    assert lasting.decision is Decision.SUPERSEDE
    others = ana.remember("Gate is B2", slot=Slot("x.gate", value="B2"), audience="support")
    assert others.decision is Decision.SUPERSEDE
    assert ana.remember("Gate is B2", slot=Slot("x.gate", value="B2"), audience="support").decision is Decision.NOOP


def test_r2_a_proposal_waits_and_repeating_it_asks_once(ana: stead.Subject) -> None:
    first = ana.remember("Seems to like jazz", slot=Slot("x.music", value="jazz"), authority="inferred")
    assert (first.decision, first.status, first.rule) == (Decision.CONFIRM, "proposed", "unconfirmed")
    assert ana.remember("Likes jazz", slot=Slot("x.music", value="jazz"), authority="inferred").record == first.record
    assert ana.remember("Likes chess", slot=Slot("x.game", value="chess"), authority="inferred").record != first.record
    free = ana.remember("Might be left-handed", authority="inferred")
    assert ana.remember("Might be left-handed.", authority="inferred").record == free.record
    assert served(ana) == []
    assert [each.kind for each in ana.questions()] == ["confirm"] * 3
    assert "jazz" not in ana.recall("jazz").text
    yes = ana.confirm(str(first.record))
    assert (yes.status, served(ana, slot=Slot("x.music"))) == ("active", ["Seems to like jazz"])
    assert ana.record(str(first.record)).confirmed_how == "confirm"
    no = ana.reject(str(free.record))
    assert (no.decision, no.status) == (Decision.REJECT, "rejected")
    for answer in (ana.confirm, ana.reject):
        with pytest.raises(stead.IllegalTransition):
            answer(str(free.record))


def test_r23_a_confirmation_never_outranks_the_system_of_record(ana: stead.Subject) -> None:
    ana.remember("Plan is Pro", slot=Slot("account.plan", value="Pro"), authority="system_of_record")
    guess = ana.remember("Plan is Basic", slot=Slot("account.plan", value="Basic"), authority="inferred")
    with pytest.raises(stead.Forbidden):
        ana.confirm(str(guess.record))
    assert ana.record(str(guess.record)).status == "proposed"


def test_r13_an_override_by_name_masks_while_it_stands(ana: stead.Subject, clock: StoryClock) -> None:
    rule = ana.remember("No calls before ten", scope="scheduling")
    week = ana.remember(
        "Early calls are fine this week", scope="scheduling", overrides=[str(rule.record)], valid_until="2026-01-12"
    )
    assert (week.decision, week.rule) == (Decision.OVERRIDE, "named")
    assert served(ana, query="calls", scope="scheduling") == ["Early calls are fine this week"]
    clock.instant += 7 * DAY
    assert served(ana, query="calls", scope="scheduling") == ["No calls before ten"]


def test_r13_refusals(store: stead.Store, ana: stead.Subject) -> None:
    mine = ana.remember("Likes tea", authority="confirmed")
    theirs = store.subject("bob").remember("Likes tea")
    with pytest.raises(stead.UnknownRecord):
        ana.remember("Likes coffee", overrides=["rec_nobody"])
    with pytest.raises(stead.CrossSubject):
        ana.remember("Likes coffee", overrides=[str(theirs.record)])
    with pytest.raises(stead.Forbidden):
        ana.remember("Likes coffee", overrides=[str(mine.record)])
    first = ana.remember("Rule one", slot=Slot("x.one", value="1"))
    second = ana.remember("Rule two", slot=Slot("x.two", value="2"), overrides=[str(first.record)])
    with pytest.raises(stead.OverrideCycle):
        ana.remember("Rule one", slot=Slot("x.one", value="1"), overrides=[str(second.record)])


def test_r46_idempotency_gives_the_first_outcome_back(ana: stead.Subject) -> None:
    first = ana.remember("Likes tea", idempotency_key="k1")
    again = ana.remember("Likes tea", idempotency_key="k1")
    assert (again.record, again.decision, again.known_at, again.replayed) == (
        first.record, first.decision, first.known_at, True,
    )  # fmt: skip
    with pytest.raises(stead.IdempotencyMismatch):
        ana.remember("Likes coffee", idempotency_key="k1")
    ended = ana.end(str(first.record), when="2026-03-01", idempotency_key="k2")
    assert ana.end(str(first.record), when="2026-03-01", idempotency_key="k2").known_at == ended.known_at
    with pytest.raises(stead.InvalidArgument, match="idempotency_key"):
        ana.remember("Likes milk", idempotency_key="")


def test_r46_versions_of_a_slot(ana: stead.Subject) -> None:
    assert ana.version(city()) == 0
    ana.remember("Lives in Berlin", slot=city("Berlin"), if_version=0)
    assert ana.version(city()) == 1
    with pytest.raises(stead.StaleRevision):
        ana.remember("Lives in Lisbon", slot=city("Lisbon"), if_version=0)
    moved = ana.remember("Lives in Lisbon", slot=city("Lisbon"), if_version=1)
    assert moved.version == ana.version(city()) == 2
    assert ana.version(city(), scope="work") == 0
    with pytest.raises(stead.InvalidArgument, match="if_version"):
        ana.remember("No slot", if_version=0)


def test_r46_many_at_once_are_whole_batches(ana: stead.Subject) -> None:
    outcomes = ana.remember_many(({"claim": f"Claim number {n}", "importance": 0.4} for n in range(7)), batch=3)
    assert [each.decision for each in outcomes] == [Decision.ADD] * 7
    assert len({each.known_at for each in outcomes}) == 7
    assert ana.remember_many([]) == []
    keyed = ana.remember_many([{"claim": "Once", "idempotency_key": "k"}, {"claim": "Once", "idempotency_key": "k"}])
    assert [each.replayed for each in keyed] == [False, True]
    for wrong in ({"claims": "x"}, {"claim": "x", "colour": "red"}, "text"):
        with pytest.raises(stead.InvalidArgument, match=r"claims\[1\]"):
            ana.remember_many([{"claim": "Not written"}, wrong])  # type: ignore[list-item]
    assert "Not written" not in {record.claim for record in ana.records()}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("claim", " "), ("claim", "x" * 8_001), ("claim", "nul \0"), ("claim", 3), ("slot", "home.city"),
        ("slot", Slot("home.city")), ("kind", "rumour"), ("authority", "god"), ("scope", "a//b"), ("scope", 7),
        ("importance", 1.5), ("confidence", True), ("source", {"file": "x"}), ("source", "c-1"),
        ("overrides", "rec_1"), ("meaning", "maybe"), ("category", " "), ("purpose", ["ok", ""]),
        ("observed_at", "2027-01-01"), ("valid_from", "soon"), ("valid_from", 12), ("valid_until", "2025-01-01"),
        ("expires_at", "9999-12-31T23:59:59-10:00"), ("reading", "first"), ("speaker", "a\nb"),
    ],
)  # fmt: skip
def test_r46_a_bad_parameter_names_its_field_and_changes_nothing(ana: stead.Subject, field: str, value: Any) -> None:
    arguments = {"claim": "Likes tea", field: value}
    with pytest.raises(stead.InvalidArgument) as caught:
        ana.remember(**arguments)
    assert caught.value.field.split(".")[0] == field
    assert caught.value.hint
    assert ana.records() == []


def test_r1_a_record_carries_its_whole_contract(ana: stead.Subject) -> None:
    source = ana.remember("Works on Postgres", audience=["agent", "editor"], authority="confirmed")
    outcome = ana.remember(
        "Prefers short answers", slot=Slot("answers.length", value="short", entity="assistant"), kind="preference",
        category="style", scope="work/briefs", purpose=["drafting"], audience=["agent", "editor"], authority="confirmed",
        confidence=0.9, importance=0.8, sensitivity="none", source={"conversation": "c1", "turn": "2"}, owner="acme",
        observed_at="2026-01-04T12:00", valid_from="2026-01-01", valid_until="2027-01-01", expires_at="2028-01-01",
        review_events=["role changed"], derived_from=[str(source.record)], trigger="profile form",
    )  # fmt: skip
    record = ana.record(str(outcome.record))
    assert (record.subject, record.tenant, record.owner, record.kind, record.category) == (
        "ana", "default", "acme", "preference", "style",
    )  # fmt: skip
    assert (record.entity, record.attribute, record.value) == ("assistant", "answers.length", "short")
    assert (record.audience, record.purpose) == (("agent", "editor"), ("drafting",))
    assert (record.confidence, record.importance, record.sensitivity) == (0.9, 0.8, "none")
    assert (record.confirmed_how, record.confirmed_at) == ("profile form", record.tx_from)
    assert record.observed_at == stead.wall("2026-01-04T12:00", "Europe/Berlin")
    assert record.expires_at == stead.wall("2028-01-01", "Europe/Berlin")
    assert record.review_events == ("role changed",)
    assert [(each.conversation, each.turn) for each in record.sources] == [("c1", "2")]
    assert record.last_verified == record.created_at == record.tx_from
    edges = ana.why(record.id)["edges"]
    assert [(edge["kind"], edge["target"]) for edge in edges] == [("derived_from", source.record)]  # type: ignore[attr-defined]


def test_r20_why_names_every_decision_that_touched_a_record(ana: stead.Subject) -> None:
    first = ana.remember("Lives in Berlin", slot=city("Berlin"), trigger="session c1")
    second = ana.remember("Lives in Lisbon", slot=city("Lisbon"))
    decisions: Any = ana.why(str(first.record))["decisions"]
    assert [(row["decision"], row["record"]) for row in decisions] == [
        ("ADD", first.record),
        ("SUPERSEDE", second.record),
    ]
    assert decisions[0]["trigger"] == "session c1"


def test_attributes_that_take_many_have_one_slot_per_object(store: stead.Store, ana: stead.Subject) -> None:
    for dog in ("Bello", "Luna"):
        assert ana.remember(f"Has a dog, {dog}", slot=Slot("pet", value=dog)).decision is Decision.ADD
    assert len(served(ana)) == 2
    likes = Slot("food.opinion", object="sushi", value="likes")
    ana.remember("Likes sushi", slot=likes)
    assert ana.remember("Hates sushi now", slot=Slot("food.opinion", object="sushi", value="hates")).rule == "newer"
    with stead.open(store.path, embedder="none", policy={"attributes": {"x.lang": {"cardinality": "many"}}}) as own:
        bob = own.subject("bob")
        for value in ("en", "pt"):
            bob.remember(f"Speaks {value}", slot=Slot("x.lang", value=value))
        assert len(bob.recall().facts) == 2
