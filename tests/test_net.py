"""The net at the read: of what contradicts, one is served by a rule, or none and all are shown as disagreeing (R25)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import stead
from stead import Slot
from stead.clock import StoryClock
from stead.ids import seeded_ids
from stead.model.context import Context, Fact
from stead.recall import net
from stead.resolve.text import Finding, Kind, compare

DAY = 86_400_000_000
START = 1_767_607_200_000_000  # 2026-01-05T10:00Z


@contextmanager
def missed() -> Iterator[None]:
    """Let writes miss what words say, as an import, or an earlier version, would have: rows below the resolver."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("stead.memory.remember.nearest", lambda *_: iter(()))
        patched.setattr("stead.memory.unslotted.read_in", lambda *_: None)
        yield


def plants(subject: stead.Subject, claim: str, **more: Any) -> str:
    """Write a claim without looking at any other; return the record."""
    with missed():
        outcome = subject.remember(claim, **more)
    assert outcome.record is not None
    return outcome.record


def told(context: Context) -> list[tuple[str, str | None, tuple[str, ...]]]:
    return sorted((fact.claim, fact.decided, fact.over) for fact in context.facts)


# --- each rule ------------------------------------------------------------------------------------------------------------


def test_r25_planted_claims_are_really_beside_each_other(ana: stead.Subject) -> None:
    """What the other tests stand on: below the net, both are there, and active."""
    plants(ana, "Lives in Berlin")
    plants(ana, "Lives in Lisbon")
    assert [record.status for record in ana.records()] == ["active", "active"]
    assert ana.remember("Lives in Porto").affected != ()


@pytest.mark.parametrize(
    ("first", "second", "winner", "rule"),
    [
        ({}, {}, 1, "newer"),
        ({"valid_from": "2025-01-01"}, {"valid_from": "2024-01-01"}, 0, "newer"),
        ({"valid_until": "2026-06-01"}, {}, 0, "exception"),
        ({}, {"valid_until": "2026-06-01"}, 1, "exception"),
        ({"valid_until": "2026-06-01"}, {"valid_until": "2026-05-01"}, 1, "newer"),
        ({"authority": "confirmed"}, {}, 0, "authority"),
        ({"authority": "confirmed", "speaker": "ben"}, {"valid_until": "2026-06-01"}, 0, "authority"),
        ({"authority": "confirmed"}, {"authority": "system_of_record", "speaker": "crm"}, 1, "authority"),
        ({"scope": "acme"}, {"authority": "confirmed"}, 0, "scope"),
        ({"authority": "system_of_record"}, {"scope": "acme", "speaker": "ben"}, 1, "scope"),
        ({"scope": "acme"}, {"scope": "acme/web"}, 1, "scope"),
    ],
    ids=str,
)
@pytest.mark.parametrize("claims", [("Lives in Berlin", "Lives in Lisbon"), ("Likes tea", "Dislikes tea")])
def test_r25_one_is_served_with_the_rule_that_decided(
    ana: stead.Subject, clock: StoryClock, claims: tuple[str, str], first: Any, second: Any, winner: int, rule: str
) -> None:
    ids = []
    for claim, more in zip(claims, (first, second), strict=True):
        clock.instant += DAY
        ids.append(plants(ana, claim, **more))
    clock.instant += DAY
    found = ana.recall(scope="acme/web")
    assert told(found) == [(claims[winner], rule, (ids[1 - winner],))]
    assert (claims[1 - winner] in found.text, found.divergences) == (False, ())


@pytest.mark.parametrize("authority", ["stated", "confirmed", "system_of_record"])
def test_r25_r26_equals_of_two_speakers_diverge(ana: stead.Subject, clock: StoryClock, authority: str) -> None:
    one = plants(ana, "Lives in Berlin", speaker="ben", authority=authority)
    clock.instant += DAY
    two = plants(ana, "Lives in Lisbon", speaker="cy", authority=authority, valid_until="2026-06-01")
    found = ana.recall()
    assert (found.facts, [[fact.id for fact in each.facts] for each in found.divergences]) == ((), [[one, two]])
    assert found.divergences[0].rule == "equals"
    title, lines = "Claims that disagree (none of them is a fact", found.text.splitlines()
    assert any(line.startswith(title) for line in lines)
    assert "Facts:" not in lines
    ana.retract(two)
    assert told(ana.recall()) == [("Lives in Berlin", None, ())]


def test_r25_several_losers_of_one_winner_are_all_named(ana: stead.Subject, clock: StoryClock) -> None:
    ids = []
    for city in ("Berlin", "Lisbon", "Porto", "Faro"):
        clock.instant += DAY
        ids.append(plants(ana, f"Lives in {city}"))
    found = ana.recall().facts
    assert [(fact.id, sorted(fact.over)) for fact in found] == [(ids[3], sorted(ids[:3]))]


def test_r25_three_equals_are_one_divergence_and_the_stronger_ends_it(ana: stead.Subject) -> None:
    ids = [plants(ana, f"Lives in {city}", speaker=city) for city in ("Berlin", "Lisbon", "Porto")]
    found = ana.recall()
    assert [[fact.id for fact in each.facts] for each in found.divergences] == [ids]
    sure = plants(ana, "Lives in Faro", authority="confirmed")
    assert [(fact.id, sorted(fact.over)) for fact in ana.recall().facts] == [(sure, sorted(ids))]


@pytest.mark.parametrize("said", ["Lives in  Berlin.", "lives in berlin"])
def test_r25_who_says_the_same_joins_a_divergence_as_a_source(ana: stead.Subject, said: str) -> None:
    """Also in words that, in small letters, name no place that could contradict another."""
    one = plants(ana, "Lives in Berlin", speaker="ben")
    plants(ana, "Lives in Lisbon", speaker="cy")
    third = plants(ana, said, speaker="di", audience=["agent", "board"])
    found = ana.recall()
    assert len(found.divergences) == 1
    assert [len(fact.sources) for fact in found.divergences[0].facts if fact.id in (one, third)] == [2]
    assert found.facts == ()


@pytest.mark.parametrize("old", ["Uses Emacs", "Works at Acme", "Has a car"])
@pytest.mark.parametrize("far", [0, 30])
def test_r25_what_was_left_behind_is_found_under_its_own_question(
    ana: stead.Subject, clock: StoryClock, old: str, far: int
) -> None:
    new = {"Uses Emacs": "Switched from Emacs to Vim", "Works at Acme": "Left Acme", "Has a car": "Sold the car"}[old]
    plants(ana, old)
    ana.remember_many([{"claim": f"Owns book number {each}"} for each in range(far)])
    clock.instant += DAY
    plants(ana, new)
    found = [fact.claim for fact in ana.recall(budget={"facts": 100, "tokens": 10_000}).facts]
    assert (new in found, old in found) == (True, False)


def test_r25_a_replacement_is_found_from_the_thing_that_it_is_of(ana: stead.Subject, clock: StoryClock) -> None:
    plants(ana, "The message queue is Redis")
    clock.instant += DAY
    plants(ana, "Replaced Redis with Kafka as the message queue")
    assert [(fact.claim, fact.decided) for fact in ana.recall().facts] == [
        ("Replaced Redis with Kafka as the message queue", "newer")
    ]


@pytest.mark.parametrize("kind", ["plan", "instruction"])
def test_r21_a_plan_and_an_instruction_contradict_no_fact(ana: stead.Subject, clock: StoryClock, kind: str) -> None:
    """As at the write; two plans do contradict each other."""
    plants(ana, "Lives in Lisbon", kind=kind)
    clock.instant += DAY
    plants(ana, "Lives in Berlin")
    assert told(ana.recall()) == [("Lives in Berlin", None, ()), ("Lives in Lisbon", None, ())]
    clock.instant += DAY
    third = plants(ana, "Lives in Porto", kind=kind)
    assert [fact.id for fact in ana.recall().facts if fact.decided] == [third]
    assert len(ana.recall().facts) == 2


def test_r25_a_reflection_that_contradicts_a_fact_is_decided(ana: stead.Subject, clock: StoryClock) -> None:
    plants(ana, "Lives in Lisbon", kind="reflection")
    clock.instant += DAY
    plants(ana, "Lives in Berlin")
    assert [fact.claim for fact in ana.recall().facts] == ["Lives in Berlin"]


def test_r24_what_can_both_be_true_is_served_beside(ana: stead.Subject) -> None:
    both = ["Likes tea", "Was born in 1990", "Was born on 12 May", "Room 101 is booked", "Room 102 is booked"]
    for claim in both:
        plants(ana, claim)
    assert sorted(fact.claim for fact in ana.recall().facts) == sorted(both)


@pytest.mark.parametrize(
    ("one", "two", "decided"),
    [
        ("PG runs on port 5432", "Postgres runs on port 5433", True),
        ("PG is supported", "Postgres is not supported", True),
        ("PG runs on port 5432", "Postgres runs on port 5432", False),
        ("PG likes tea", "Postgres likes coffee", False),
        ("PG was born in 1990", "Postgres was born on 12 May", False),
    ],
)
def test_r25_r21_two_names_of_one_entity_are_compared(
    ana: stead.Subject, clock: StoryClock, one: str, two: str, decided: bool
) -> None:
    plants(ana, one)
    clock.instant += DAY
    plants(ana, two)
    assert sorted(fact.claim for fact in ana.recall().facts) == sorted([one, two])
    with missed():
        ana.alias("PG", means="Postgres")
    found = ana.recall().facts
    assert (two in [fact.claim for fact in found], len(found)) == (True, 1 if decided else 2)
    ana.unalias("PG")
    assert len(ana.recall().facts) == 2


# --- with and without a slot ----------------------------------------------------------------------------------------------


def test_r25_two_slots_that_say_one_thing(ana: stead.Subject, clock: StoryClock) -> None:
    ana.remember("The office is located in Berlin", slot=Slot("site.city", entity="office", value="Berlin"))
    clock.instant += DAY
    ana.remember("The office is located in Oslo", slot=Slot("address.town", entity="office", value="Oslo"))
    found = ana.recall().facts
    assert [(fact.value, fact.decided) for fact in found] == [("Oslo", "newer")]
    assert [fact.value for fact in ana.recall(slot=Slot("site.city", entity="office")).facts] == ["Berlin"]


def test_r25_the_exact_slot_is_asked_for_even_where_words_agree(ana: stead.Subject) -> None:
    """Two slots with the same claim are both served: a caller may look for either."""
    for attribute in ("site.city", "address.town"):
        ana.remember("The office is located in Berlin", slot=Slot(attribute, entity="office", value="Berlin"))
    assert sorted(str(fact.attribute) for fact in ana.recall().facts) == ["address.town", "site.city"]


def test_r25_a_live_value_wins_over_words(store: stead.Store, ana: stead.Subject, clock: StoryClock) -> None:
    plants(ana, "The office is located in Oslo", authority="confirmed")
    clock.instant += DAY
    slot = Slot("site.city", entity="office", value="Berlin")
    ana.remember("The office is located in Berlin", slot=slot)
    assert [fact.claim for fact in ana.recall().facts] == ["The office is located in Oslo"]
    store.read_live("site.city", lambda *_: "Berlin", entity="office")
    found = ana.recall().facts
    assert [(fact.attribute, fact.value, fact.decided) for fact in found] == [("site.city", "Berlin", "authority")]


# --- who may see what -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hidden", [{"audience": "board"}, {"purpose": "billing"}, {"sensitivity": "health"}], ids=str)
def test_r30_what_may_not_be_seen_decides_nothing_and_shows_nowhere(
    ana: stead.Subject, clock: StoryClock, hidden: dict[str, Any]
) -> None:
    """The winner is withheld: the other is served as if it were alone, and no id of the winner leaks."""
    ana.consent(classes={"health": True})
    plants(ana, "Lives in Berlin")
    clock.instant += DAY
    winner = plants(ana, "Lives in Lisbon", authority="confirmed", **hidden)
    ana.consent(classes={"health": False})
    found = ana.recall(purpose="support")
    assert told(found) == [("Lives in Berlin", None, ())]
    assert winner not in str(found.as_dict())
    assert "Lisbon" not in str(found.as_dict())


def test_r30_a_withheld_equal_makes_no_divergence(ana: stead.Subject) -> None:
    plants(ana, "Lives in Berlin", speaker="ben")
    plants(ana, "Lives in Lisbon", speaker="cy", audience="board")
    assert told(ana.recall()) == [("Lives in Berlin", None, ())]
    assert told(ana.recall(audience="board")) == [("Lives in Lisbon", None, ())]
    assert len(ana.recall(audience=["agent", "board"]).divergences) == 1


def test_r25_outside_of_its_scope_or_time_a_winner_wins_nothing(ana: stead.Subject, clock: StoryClock) -> None:
    plants(ana, "Lives in Berlin")
    clock.instant += DAY
    plants(ana, "Lives in Lisbon", scope="acme", valid_until="2026-02-01")
    assert told(ana.recall())[0][:2] == ("Lives in Berlin", None)
    assert told(ana.recall(scope="acme"))[0][:2] == ("Lives in Lisbon", "scope")
    assert told(ana.recall(scope="acme", at="2026-03-01"))[0][:2] == ("Lives in Berlin", None)
    assert told(ana.recall(scope="acme", known_at="2026-01-05T12:00"))[0][:2] == ("Lives in Berlin", None)
    assert told(ana.recall(scope="acme-corp"))[0][:2] == ("Lives in Berlin", None)


# --- the budget, and what it costs ----------------------------------------------------------------------------------------


def test_r30_a_loser_never_takes_a_place(ana: stead.Subject, clock: StoryClock) -> None:
    for each in range(12):
        plants(ana, f"Host {each} is located in Berlin")
        clock.instant += DAY
        plants(ana, f"Host {each} is located in Lisbon")
    for most in (1, 5, 11, 12, 20):
        found = ana.recall(budget={"facts": most, "tokens": 20_000}).facts
        assert len(found) == min(most, 12)
        assert {fact.claim.split()[-1] for fact in found} == {"Lisbon"}
        assert most < 20 or {fact.decided for fact in found} == {"newer"}
        assert len({fact.claim.split()[1] for fact in found}) == len(found)


def test_r30_a_divergence_takes_the_places_of_its_claims_and_no_more(ana: stead.Subject) -> None:
    for each in range(6):
        plants(ana, f"Host {each} is located in Berlin", speaker="ben")
        plants(ana, f"Host {each} is located in Lisbon", speaker="cy")
    ana.remember_many([{"claim": f"Owns book number {each}"} for each in range(30)])
    found = ana.recall(budget={"facts": 20, "tokens": 20_000})
    shown = len(found.facts) + sum(len(each.facts) for each in found.divergences)
    assert shown == 20


@pytest.mark.parametrize("claims", ["apart", "one thing", "equals"])
def test_r52_the_cost_is_linear_in_what_is_returned(
    ana: stead.Subject, monkeypatch: pytest.MonkeyPatch, claims: str
) -> None:
    """Whether the claims have nothing to do with each other, all name one thing, or all contradict each other."""
    said = {
        "apart": [{"claim": f"Host {each} is located in Berlin"} for each in range(160)],
        "one thing": [{"claim": f"Host {each} is located in Berlin and likes jazz"} for each in range(80)]
        + [{"claim": f"Friend {each} likes jazz"} for each in range(80)],
        "equals": [{"claim": f"Lives in Town{each}", "speaker": f"speaker {each}"} for each in range(160)],
    }[claims]
    with missed():
        ana.remember_many(said)
    costs = []
    for most in (40, 80, 160):
        net.forget()
        calls = 0

        def counting(old: str, new: str) -> Finding:
            nonlocal calls
            calls += 1
            return compare(old, new)

        monkeypatch.setattr(net, "compare", counting)
        found = ana.recall(budget={"facts": most, "tokens": 100_000})
        assert len(found.facts) + sum(len(each.facts) for each in found.divergences) == most
        costs.append(calls)
    assert costs[2] <= 64 * 160
    assert costs[2] - costs[1] <= 2.5 * max(costs[1] - costs[0], 1) + 100


# --- whatever was written -------------------------------------------------------------------------------------------------

CLAIMS: list[tuple[str, Slot | None]] = [
    *[(f"Lives in {city}", None) for city in ("Berlin", "Lisbon", "Porto")],
    *[(f"Lives in {city}", Slot("home.city", value=city)) for city in ("Berlin", "Lisbon")],
    *[(f"The office is located in {city}", None) for city in ("Oslo", "Bonn")],
    ("The office is located in Oslo", Slot("site.city", entity="office", value="Oslo")),
    ("The office is located in Bonn", Slot("address.town", entity="office", value="Bonn")),
    ("Likes tea", None), ("Dislikes tea", None), ("Likes tea", Slot("drink.opinion", object="tea", value="likes")),
    ("Uses Emacs", None), ("Switched from Emacs to Vim", None), ("Works at Acme", None), ("Left Acme", None),
    ("Was born in 1990", None), ("Was born on 12 May", None), ("Mentioned a quiet street", None),
]  # fmt: skip
writes = st.fixed_dictionaries({
    "claim": st.sampled_from(CLAIMS), "planted": st.booleans(), "scope": st.sampled_from(["", "", "acme", "acme/web"]),
    "speaker": st.sampled_from(["ana", "ana", "ben"]), "audience": st.sampled_from([None, None, "board", ["agent", "board"]]),
    "authority": st.sampled_from(["stated", "stated", "confirmed", "inferred"]),
    "valid_until": st.sampled_from([None, None, None, "2026-02-08", "2026-06-01"]),
    "valid_from": st.sampled_from([None, None, None, "2025-06-01"]),
    "kind": st.sampled_from(["fact", "fact", "fact", "plan", "preference"]), "category": st.sampled_from([None, None, "diary"]),
})  # fmt: skip
READERS: list[dict[str, Any]] = [
    {}, {"scope": "acme/web"}, {"scope": "acme", "audience": ["agent", "board"]}, {"audience": "board"},
    {"scope": "acme/web", "at": "2026-05-01T00:00Z"}, {"scope": "acme", "query": "where does she live and work, tea"},
    {"budget": {"facts": 2}},
]  # fmt: skip


def contradict(one: Fact, two: Fact) -> bool:
    """Tell, in either order, whether two facts can't both be true."""
    if (one.kind == "plan") != (two.kind == "plan"):
        return False
    slot = (one.attribute, one.entity, one.object)
    if one.attribute is not None and slot == (two.attribute, two.entity, two.object):
        return one.value != two.value
    early, late = sorted((one, two), key=lambda each: min(source.known_at for source in each.sources))
    return compare(early.claim, late.claim).kind is Kind.CONTRADICTS


def check(found: Context, claims: dict[str, str], readable: set[str]) -> None:
    """Check one answer: no two facts contradict, and what stands behind a decision is what it says."""
    for one, two in combinations(found.facts, 2):
        assert not contradict(one, two), (one.claim, two.claim)
    shown = {fact.id for fact in found.facts}
    apart = [fact.id for each in found.divergences for fact in each.facts]
    assert len(apart) == len(set(apart))
    assert not shown & set(apart)
    for fact in found.facts:
        assert (fact.decided is not None) == (fact.over != ())
        assert fact.decided in (None, "scope", "authority", "exception", "newer")
        assert not set(fact.over) & (shown | set(apart) | {fact.id})
        assert set(fact.over) <= readable
        for each in fact.over:
            either = (compare(claims[each], fact.claim), compare(fact.claim, claims[each]))
            assert any(finding.kind is Kind.CONTRADICTS for finding in either)
            lines = found.text.split("Open questions")[0].split("Earlier words")[0]
            assert f"{each}]" not in lines
    for group in found.divergences:
        assert len(group.facts) >= 2
        assert {fact.id for fact in group.facts} <= readable
        for fact in group.facts:
            assert any(contradict(fact, other) for other in group.facts if other is not fact)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(writes, min_size=2, max_size=14))
def test_r25_two_contradicting_claims_are_never_both_facts(story: list[dict[str, Any]]) -> None:
    """Random stores, slotted, unslotted and mixed, written and planted, over scopes, speakers, readers and both clocks."""
    clock = StoryClock(START)
    with (
        TemporaryDirectory() as folder,
        stead.open(Path(folder) / "m.db", clock=clock, new_id=seeded_ids(5), embedder="none") as store,
    ):
        ana = store.subject("ana", zone="Europe/Berlin")
        then: list[tuple[Any, list[str]]] = []
        for each in story:
            clock.instant += DAY // 2
            more = {
                name: value for name, value in each.items() if name not in ("claim", "planted") and value is not None
            }
            claim, slot = each["claim"]
            if each["planted"]:
                with missed():
                    ana.remember(claim, slot=slot, **more)
            else:
                ana.remember(claim, slot=slot, **more)
            records = {record.id: record for record in ana.records()}
            claims = {key: record.claim for key, record in records.items()}
            for asked in READERS:
                readers = set(
                    [asked["audience"]] if isinstance(asked.get("audience"), str) else asked.get("audience", ["agent"])
                )
                readable = {key for key, record in records.items() if readers & set(record.audience)}
                check(ana.recall(**asked), claims, readable)
            then.append((store.now(), [ana.recall(known_at=store.now(), at=store.now(), **READERS[2]).text]))
        clock.instant += DAY
        for moment, texts in then:
            assert [ana.recall(known_at=moment, at=moment, **READERS[2]).text] == texts


# --- what the cut set aside -----------------------------------------------------------------------------------------------


def test_r25_what_is_cut_still_wins_over_what_is_served(ana: stead.Subject) -> None:
    """The newer claim shares fewer words with the question, and would have been left out of the answer."""
    old = plants(ana, "Lives in Lisbon", slot=Slot("home.city", value="Lisbon"))
    question = "home city, which town"
    assert [fact.claim for fact in ana.recall(question).facts] == ["Lives in Lisbon"]
    plants(ana, "Lives in Berlin")
    plants(ana, "The town in which Carla lives is Graz")
    context = ana.recall(f"{question} does she live in")
    [served] = [fact for fact in context.facts if fact.claim.startswith("Lives")]
    assert (served.claim, served.decided, served.over) == ("Lives in Berlin", "newer", (old,))
    assert "Lisbon" not in context.text


def test_r25_what_is_cut_and_contradicts_nothing_is_not_served(ana: stead.Subject) -> None:
    """What is set aside takes no place, opens no question and shows no divergence of its own."""
    plants(ana, "The billing service of the shop runs on Postgres 14")
    plants(ana, "The shop is in Graz", speaker="jon")
    plants(ana, "The shop is in Linz", speaker="mara")
    context = ana.recall("What does the billing service of the shop run on?")
    assert [fact.claim for fact in context.facts] == ["The billing service of the shop runs on Postgres 14"]
    assert (context.divergences, context.questions) == ((), ())
    assert len(ana.recall("Where is the shop?").divergences) == 1


def test_r25_equals_of_which_one_is_cut_diverge(ana: stead.Subject) -> None:
    plants(ana, "The shop is located in Graz near the station", speaker="jon")
    question = "Which shop is located near the station in Graz?"
    assert len(ana.recall(question).facts) == 1
    plants(ana, "The shop is in Linz", speaker="mara")
    plants(ana, "The bakery is located in Enns near the station in Graz street", speaker="mara")
    context = ana.recall(question)
    assert not any("The shop" in fact.claim for fact in context.facts)
    assert [len(each.facts) for each in context.divergences] == [2]
