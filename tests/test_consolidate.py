"""Consolidation finds what writes missed, and does it as they would have done it (R25, R28, R36, R37)."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest
import yaml
from benchmarks.planted import FIFTY, found, load, planted

import stead
from stead.clock import StoryClock
from stead.lifecycle.consolidate.grouping import by_question, look, pairs
from stead.lifecycle.consolidate.reading import question
from stead.memory.unslotted import read_in
from stead.model.consolidation import PHASES, Consolidation, Step
from stead.model.period import FOREVER
from stead.model.slot import claim_key
from stead.recall.names import NO_NAMES
from stead.resolve.text import Kind, compare
from stead.store.values import Revision

DATA = Path(__file__).parent / "data"
DAY = 86_400_000_000


def steps(report: Consolidation) -> list[Step]:
    return [step for run in report.subjects for step in run.steps]


def rules(report: Consolidation) -> Counter[str]:
    return Counter(step.rule for step in steps(report) if step.rule != "adopted")


def left(report: Consolidation) -> Counter[str]:
    return Counter({r: n for run in report.subjects for phase in run.phases for r, n in phase.reasons.items()})


def statuses(subject: stead.Subject) -> dict[str, str]:
    return {each.claim: str(each.status) for each in subject.records(limit=1000)}


def active(subject: stead.Subject) -> list[str]:
    return [each.claim for each in subject.records(status="active", limit=1000)]


# --- what is found -------------------------------------------------------------------------------------------------------


def test_r25_a_missed_change_is_decided_as_a_write_would_have(store: stead.Store, clock: StoryClock) -> None:
    """R25, R36: in both quadrants of time, and with one row of the log that says why."""
    [old] = load(store, "ana", ["Works at Apex"])
    clock.instant += DAY
    before = store.now()
    clock.instant += DAY
    [new] = load(store, "ana", ["Works at Borealis"])
    ana = store.subject("ana")
    assert rules(store.consolidate()) == {"newer": 1}
    assert statuses(ana) == {"Works at Apex": "superseded", "Works at Borealis": "active"}
    assert [fact.claim for fact in ana.recall("Works at").facts] == ["Works at Borealis"]
    assert [fact.claim for fact in ana.recall("Works at", at=before).facts] == ["Works at Apex"]
    row = ana.decisions(limit=1000)[-1]
    assert (row["verb"], row["trigger"], row["decision"], row["rule"]) == (
        "consolidate",
        "consolidate",
        "SUPERSEDE",
        "newer",
    )
    assert (row["record"], row["affected"]) == (new, [old])
    ana.rollback(old)
    assert statuses(ana) == {"Works at Apex": "active", "Works at Borealis": "retracted"}
    assert store.consolidate().changed == 0, "what a person undid isn't done again"


def test_r36_two_claims_of_an_earlier_version_are_settled_after_the_upgrade(tmp_path: Path) -> None:
    """R25, R36: the last schema's file holds two contradicting claims that no write had compared."""
    path = tmp_path / "old.db"
    connection = apsw.Connection(str(path))
    connection.execute((DATA / "schema_0002.sql").read_text("utf-8")).fetchall()
    connection.close()
    with stead.open(path, embedder="none") as store:
        [name] = [each for each in store.subjects() if "Works at Apex" in statuses(store.subject(each))]
        assert {"Works at Apex", "Works at Borealis"} <= set(active(store.subject(name)))
        store.consolidate()
        after = statuses(store.subject(name))
        assert (after["Works at Apex"], after["Works at Borealis"]) == ("superseded", "active")


def test_r36_planted_pairs_are_found_and_nothing_else_is_touched(store: stead.Store) -> None:
    """R36: of contradictions, duplicates and paraphrases that no write saw, at least 95 %; at most 1 % of records wrongly."""
    story = planted(600, each=40)
    ids = load(store, "ana", story.claims)
    hit = found(story, ids, store.consolidate(share=0.5))
    assert len(hit["false"]) <= 0.01 * len(ids)
    assert sum(map(len, hit.values())) - len(hit["false"]) >= 0.95 * len(story.pairs)
    assert len(hit["duplicate"]) == 40
    again = store.consolidate(share=0.5)
    assert again.changed == 0


def test_r36_fifty_ways_of_saying_it_become_one_record_with_fifty_sources(store: stead.Store) -> None:
    """R36, R48: by the usual share; it keeps its authority, and each other record can be told apart again."""
    assert len(set(FIFTY)) == 50
    ids = load(store, "ana", FIFTY)
    report = store.consolidate()
    assert rules(report) == {"merged": 49}
    assert report.subjects[0].closed == 0, "nothing is closed that isn't still said"
    ana = store.subject("ana")
    [kept] = ana.records(status="active")
    assert (kept.id, len(kept.sources), str(kept.authority)) == (ids[0], 50, "stated")
    assert {each.turn for each in kept.sources} == set(ids)
    ana.rollback(ids[7])
    assert {each.id for each in ana.records(status="active")} == {ids[0], ids[7]}
    assert store.consolidate().changed == 0, "what a person took apart isn't merged again"


def test_r36_a_thousand_repetitions_are_merged_in_parts(store: stead.Store) -> None:
    """R36, R48: each step is bounded; repetition raises nothing."""
    load(store, "ana", ["Owns a boat."] * 300)
    report = store.consolidate()
    assert rules(report) == {"merged": 299}
    [kept] = store.subject("ana").records(status="active")
    assert (len(kept.sources), str(kept.authority)) == (300, "stated")
    largest = Counter(
        row["known_at"] for row in store.subject("ana").decisions(limit=1000) if row["verb"] == "consolidate"
    )
    assert max(largest.values()) <= 102


def test_r25_every_pair_that_can_be_related_meets(monkeypatch: pytest.MonkeyPatch) -> None:
    """R36: what compares all pairs of labelled claims finds nothing that the sweep doesn't bring together."""
    claims: list[str] = []
    for name in ("pairs", "own_pairs"):
        for each in yaml.safe_load((DATA / "resolution" / f"{name}.yaml").read_text("utf-8"))[:60]:
            claims += [each["old"], each["new"]] if isinstance(each, dict) else each[:2]
    rows = [_row(number + 1, claim) for number, claim in enumerate(dict.fromkeys(claims))]
    looked = look(rows, {}, NO_NAMES)
    groups = [*by_question(looked, lambda _scope, _key: False), *pairs(looked)]
    met = {pair for group in groups for pair in itertools.combinations(sorted(group.records), 2)}
    related = {
        (old.record, new.record)
        for old, new in itertools.combinations(rows, 2)
        if compare(old.claim, new.claim).kind is not Kind.UNRELATED
    }
    assert len(related) > 50
    assert len(related - met) <= 0.02 * len(related), [(rows[a - 1].claim, rows[b - 1].claim) for a, b in related - met]


def _row(number: int, claim: str, **changes: Any) -> Revision:
    given: dict[str, Any] = {
        "n": number, "record": number, "id": f"rec_{number}", "subject": 1, "slot": None, "scope": "", "tx_from": number,
        "tx_until": FOREVER, "status": "active", "place": number, "stated_from": number, "stated_until": FOREVER,
        "claim": claim, "value": None, "unset": False, "speaker": "ana", "rank": 2, "kind": "fact", "category": None,
        "purpose": None, "audience": None, "confidence": 1.0, "importance": 0.5, "sensitivity": None, "owner": None,
        "trigger": "remember", "meaning": "changed", "observed_at": number, "expires_at": None, "confirmed_at": None,
        "confirmed_how": None, "review_events": (), "tier": "hot", "claim_key": claim_key(claim), "created": number,
    }  # fmt: skip
    return Revision(**(given | changes))


@pytest.mark.parametrize("kind", ["fact", "preference", "plan", "instruction", "reflection"])
def test_r24_a_question_is_read_as_a_write_reads_it(kind: str) -> None:
    """R24: for every kind, so that what is filed later meets what is written now."""
    asked = 0
    for claim in (
        "Works at Apex",
        "The staging database is Postgres 14",
        "Likes tea",
        "Blue?",
        "x" * 300 + " is in Rome",
    ):
        mine, theirs = question(_row(1, claim, kind=kind)), read_in(claim, kind)
        assert (None if mine is None else (mine[0], mine[1].value)) == (
            None if theirs is None else (theirs.key, theirs.value)
        )
        asked += mine is not None
    assert asked == (0 if kind == "reflection" else 3)


def test_r36_plans_and_facts_answer_different_questions(store: stead.Store) -> None:
    load(store, "ana", ["Works at Apex"])
    load(store, "ana", ["Works at Borealis"], kind="plan")
    load(store, "ana", ["Works at Cobalt"], scope="work/side")
    assert store.consolidate().asked == 0
    assert len(active(store.subject("ana"))) == 3


def test_r36_facts_that_can_all_be_true_are_left_alone(store: stead.Store) -> None:
    """R36: a hundred facts about few entities, rooms and flights that look alike: nothing ends, nothing is merged."""
    claims = yaml.safe_load((DATA / "resolution" / "unrelated_facts.yaml").read_text("utf-8"))
    near = [
        "Room 101 is free",
        "Room 102 is taken",
        "Flight LH12 is late",
        "Flight LH13 is on time",
        "Tigran is a chef",
        "Iran is hot",
    ]
    load(store, "ana", [*claims, *near])
    report = store.consolidate(share=1)
    assert rules(report) == {}
    assert len(active(store.subject("ana"))) == len(claims) + len(near)


# --- each thing that it does ---------------------------------------------------------------------------------------------


def test_r36_more_detail_becomes_the_next_wording(store: stead.Store) -> None:
    [old, new] = load(store, "ana", ["Lives in Berlin", "Lives in Berlin, Germany"])
    assert rules(store.consolidate()) == {"refined": 1}
    ana = store.subject("ana")
    [kept] = ana.records(status="active")
    assert (kept.id, kept.claim, len(kept.sources)) == (old, "Lives in Berlin, Germany", 2)
    ana.rollback(old)
    ana.rollback(new)
    assert active(ana) == ["Lives in Berlin", "Lives in Berlin, Germany"]
    assert rules(store.consolidate()) == {}
    assert (store.consolidate().changed, len(active(ana))) == (0, 2)


def test_r36_less_detail_is_merged_into_what_says_it_all(store: stead.Store) -> None:
    [old, _] = load(store, "ana", ["Owns a red boat", "Owns a boat"])
    report = store.consolidate()
    assert (rules(report), report.subjects[0].closed) == ({"merged": 1}, 1)
    assert [each.id for each in store.subject("ana").records(status="active")] == [old]


def test_r36_several_rewordings_of_one_record_are_done_one_after_the_other(store: stead.Store) -> None:
    load(store, "ana", ["Works at Apex", "Works at Apex in Oslo", "Works at Apex in Oslo on Fridays"])
    store.consolidate()
    [kept] = store.subject("ana").records(status="active")
    assert (kept.claim, len(kept.sources)) == ("Works at Apex in Oslo on Fridays", 3)


def test_r36_other_details_stand_beside_each_other(store: stead.Store) -> None:
    """R21: the same answer, each with details of its own: neither says all of the other."""
    load(store, "ana", ["Works at Apex in Berlin", "Works at Apex as a welder"])
    assert rules(store.consolidate(share=1)) == {}
    assert len(active(store.subject("ana"))) == 2


def test_r26_equals_of_different_speakers_are_contested(store: stead.Store) -> None:
    load(store, "ana", ["The office is in Rome"], speaker="eva")
    load(store, "ana", ["The office is in Oslo"], speaker="tom")
    report = store.consolidate()
    assert (rules(report), report.asked) == ({"equals": 1}, 1)
    ana = store.subject("ana")
    [question] = ana.questions()
    assert (question.kind, {each.claim for each in question.claims}) == ("contested", set(statuses(ana)))
    assert ana.decisions(limit=1000)[-1]["question"] == question.id
    ana.settle(question.id, keep=question.claims[0].id)
    assert active(ana) == ["The office is in Rome"]
    assert store.consolidate().changed == 0


def test_r23_a_passing_mention_against_a_deliberate_record_becomes_a_question(store: stead.Store) -> None:
    """R23: what a write would only have proposed waits for a person; its record stands no more, and can again."""
    load(store, "ana", ["The office is in Rome"], rank=3)
    [said] = load(store, "ana", ["The office is in Oslo"])
    report = store.consolidate()
    assert (rules(report), report.asked) == ({"deliberate": 1}, 1)
    ana = store.subject("ana")
    [question] = ana.questions()
    assert (question.kind, question.claims[0].claim) == ("confirm", "The office is in Oslo")
    assert active(ana) == ["The office is in Rome"]
    ana.reject(question.id)
    ana.rollback(said)
    assert left(store.consolidate()) == {"asked_before": 1}
    assert ana.questions() == []


def test_r23_the_answer_yes_makes_the_question_stand(store: stead.Store) -> None:
    load(store, "ana", ["The office is in Rome"], rank=3)
    load(store, "ana", ["The office is in Oslo"])
    store.consolidate()
    ana = store.subject("ana")
    ana.confirm(ana.questions()[0].id)
    assert active(ana) == ["The office is in Oslo"]


def test_r23_nothing_is_overridden_in_a_category_of_high_stakes(store: stead.Store) -> None:
    high = next(name for name, each in store.policy.categories.items() if each.stakes == "high")
    load(store, "ana", ["The pin is 1234", "The pin is 9876"], category=high)
    assert rules(store.consolidate()) == {"high_stakes": 1}
    assert len(store.subject("ana").questions()) == 1


def test_r23_what_several_stand_behind_is_not_overridden_by_one_mention(store: stead.Store) -> None:
    for speaker in ("eva", "tom", "kim"):
        load(store, "ana", ["The office is in Rome"], speaker=speaker)
    load(store, "ana", ["The office is in Oslo"], speaker="eva")
    assert rules(store.consolidate()) == {"merged": 2, "corroborated": 1}


def test_r23_what_a_system_of_record_said_is_neither_merged_nor_closed(store: stead.Store) -> None:
    load(store, "ana", ["The office is in Oslo"], rank=4, speaker="crm")
    load(store, "ana", ["The office is in Oslo."], rank=4, speaker="crm")
    load(store, "ana", ["The office is in Rome"])
    report = store.consolidate()
    assert rules(report) == {"deliberate": 1}
    assert sorted(active(store.subject("ana"))) == ["The office is in Oslo", "The office is in Oslo."]


def test_r22_a_correction_takes_off_what_was_never_true_within_the_share(store: stead.Store) -> None:
    [old] = load(store, "ana", ["The office is in Rome"])
    load(store, "ana", ["The office is in Oslo"], meaning="corrected", stated_from=0)
    assert rules(store.consolidate(share=0)) == {"share": 1}
    store.subject("ana").confirm(old)
    load(store, "ben", ["The office is in Rome"])
    load(store, "ben", ["The office is in Oslo"], meaning="corrected", stated_from=0)
    report = store.consolidate("ben")
    assert (rules(report), report.subjects[0].closed) == ({"corrected": 1}, 1)
    assert statuses(store.subject("ben"))["The office is in Rome"] == "retracted"


def test_r10_a_late_arrival_ends_where_what_started_later_begins(store: stead.Store, clock: StoryClock) -> None:
    began = clock.instant - 10 * DAY
    load(store, "ana", ["Works at Borealis"], stated_from=began + 5 * DAY)
    load(store, "ana", ["Works at Apex"], stated_from=began)
    assert rules(store.consolidate()) == {"late": 1}
    ana = store.subject("ana")
    assert [fact.claim for fact in ana.recall("Works at").facts] == ["Works at Borealis"]
    at = store.now() - timedelta(days=8)
    assert [fact.claim for fact in ana.recall("Works at", at=at).facts] == ["Works at Apex"]
    assert store.consolidate().changed == 0


def test_r36_what_writes_have_decided_is_left_as_it_is(store: stead.Store, clock: StoryClock) -> None:
    """R10, R12, R13, R22, R26, R36: over every kind of decision of a write, a run changes nothing."""
    ana = store.subject("ana", zone="UTC")
    city, office = stead.Slot("home.city", value="Oslo"), stead.Slot("office", value="1")
    ana.remember("Lives in Oslo", slot=city, valid_from="2025-06-01")
    ana.remember("Lives in Rome", slot=stead.Slot("home.city", value="Rome"), valid_from="2025-01-01")
    ana.remember(
        "Here in Bonn", slot=stead.Slot("home.city", value="Bonn"), valid_from="2026-01-01", valid_until="2026-02-01"
    )
    ana.remember("Office 1", slot=office, speaker="eva")
    ana.remember("Office 2", slot=stead.Slot("office", value="2"), speaker="tom")
    meets = ana.remember("Meets at nine").record or ""
    ana.remember("Keeps mornings free", overrides=[meets])
    wrong = ana.remember("Owns a boat").record or ""
    ana.correct(wrong, "Owns a bike")
    ana.remember("Works at Apex", valid_from="2025-06-01")
    ana.remember("Works at Dyne", valid_from="2025-01-01")
    clock.instant += DAY
    ana.remember("Works at Borealis")
    ana.remember("Likes tea")
    ana.remember("Likes tea")
    ana.remember("Rows on Sundays", authority="inferred")
    before = statuses(ana)
    assert rules(store.consolidate(share=1)) == {}
    assert statuses(ana) == before


def test_r12_an_exception_closes_nothing(store: stead.Store, clock: StoryClock) -> None:
    load(store, "ana", ["Works at Apex"])
    load(store, "ana", ["Works at Borealis"], stated_from=clock.instant, stated_until=clock.instant + DAY)
    report = store.consolidate()
    assert report.subjects[0].closed == 0
    ana = store.subject("ana")
    assert [fact.claim for fact in ana.recall("Works at").facts] == ["Works at Borealis"]
    assert [f.claim for f in ana.recall("Works at", at=store.now() + timedelta(days=2)).facts] == ["Works at Apex"]


def test_r25_a_claim_joins_the_slot_that_a_caller_named(store: stead.Store) -> None:
    """R25: the slot's value is spelled as the claim spells it; it is the answer of the slot from then on."""
    ana = store.subject("ana")
    ana.remember("Lives in Berlin", slot=stead.Slot("home.city", value="Berlin"))
    load(store, "ana", ["Lives in New York"], category=ana.records()[0].category)
    assert rules(store.consolidate()) == {"newer": 1}
    assert [fact.value for fact in ana.recall(slot=stead.Slot("home.city")).facts] == ["New York"]


def test_r25_two_slots_that_callers_named_are_never_joined(store: stead.Store) -> None:
    ana = store.subject("ana")
    ana.remember("Lives in Berlin", slot=stead.Slot("home.city", value="Berlin"))
    ana.remember("Lives in Rome", slot=stead.Slot("second.city", value="Rome"))
    assert store.consolidate(share=1).changed == 0


def test_r36_pairs_under_two_questions_meet(store: stead.Store) -> None:
    """R36: "switched from" is about what says that it is used, though both answer questions of their own."""
    [old, _] = load(store, "ana", ["Uses Emacs", "Switched from Emacs to Vim"])
    report = store.consolidate()
    told = {step.rule for step in steps(report)} | set(left(report))
    assert told & {"newer", "apart"}
    assert report.subjects[0].finished
    assert old


def test_r48_records_with_other_readers_or_limits_stay_apart(store: stead.Store, clock: StoryClock) -> None:
    """R48: what is merged could be seen, used and kept by nobody else than before."""
    load(store, "ana", ["Owns a boat"])
    for changes in (
        {"audience": ("boss",)}, {"purpose": ("billing",)}, {"sensitivity": "finance"}, {"owner": "eva"}, {"tier": "cold"},
        {"expires_at": clock.instant + 9 * DAY}, {"review_events": ("moved",)}, {"scope": "work"}, {"category": "home"},
        {"kind": "plan"}, {"kind": "preference"},
    ):  # fmt: skip
        load(store, "ana", ["Owns a boat."], **changes)
    report = store.consolidate(share=1)
    assert rules(report) == {}
    assert len(store.subject("ana").records(status="active")) == 12


def test_r48_a_higher_authority_takes_the_place_of_a_lower_one(store: stead.Store) -> None:
    load(store, "ana", ["The office is in Oslo"])
    [high] = load(store, "ana", ["The office is in Oslo."], rank=3)
    assert rules(store.consolidate()) == {"authority": 1}
    assert [each.id for each in store.subject("ana").records(status="active")] == [high]


def test_r21_names_that_mean_one_entity_are_read_as_one(store: stead.Store) -> None:
    """R21: as a write files it; taking the alias back gives each record its own name again."""
    load(store, "ana", ["The flat is in Rome"])
    load(store, "ana", ["The pied-a-terre is in Oslo"])
    ana = store.subject("ana")
    ana.alias("the pied-a-terre", means="flat")
    assert rules(store.consolidate()) == {"newer": 1}
    assert active(ana) == ["The pied-a-terre is in Oslo"]
    ana.unalias("the pied-a-terre")
    assert len(active(ana)) == 2


def test_r37_what_lost_what_it_was_made_from_decides_nothing(store: stead.Store) -> None:
    """R37: a claim that isn't served stands for no other one, and ends none."""
    ana = store.subject("ana")
    made = ana.remember("Moved office in spring").record or ""
    derived = ana.remember("The office is in Oslo", derived_from=[made]).record
    ana.retract(made)
    load(store, "ana", ["The office is in Oslo."])
    load(store, "ana", ["The office is in Rome"], stated_from=0)
    store.consolidate(share=1)
    standing = {each.id: each.claim for each in ana.records(status="active")}
    assert derived in standing
    assert "The office is in Oslo." in [fact.claim for fact in ana.recall("office").facts]


def test_r37_what_was_derived_from_a_duplicate_rests_on_what_says_it(store: stead.Store) -> None:
    [old, new] = load(store, "ana", ["The office is in Oslo", "The office is in Oslo."])
    ana = store.subject("ana")
    ana.remember("Lunch is Norwegian", derived_from=[new])
    store.consolidate()
    assert "Lunch is Norwegian" in [fact.claim for fact in ana.recall("lunch").facts]
    ana.retract(old)
    assert "Lunch is Norwegian" not in [fact.claim for fact in ana.recall("lunch").facts]


# --- chains and what is deferred -----------------------------------------------------------------------------------------


def lived(store: stead.Store, clock: StoryClock, cities: Sequence[str]) -> list[str]:
    ids: list[str] = []
    for city in cities:
        clock.instant += DAY
        outcome = store.subject("ana").remember(f"Lives in {city}", slot=stead.Slot("home.city", value=city))
        ids.append(outcome.record or "")
    return ids


CITIES = ("Oslo", "Rome", "Bonn", "Lyon", "Riga", "Graz", "Cork")


def test_r28_a_chain_is_flattened_and_any_link_can_be_undone(store: stead.Store, clock: StoryClock) -> None:
    """R28: A→B→C becomes A→C with B kept; rolling a link back undoes exactly that one."""
    a, b, c = lived(store, clock, CITIES[:3])
    ana = store.subject("ana")
    known = store.now()
    assert ana.record(a).superseded_by == b
    assert rules(store.consolidate()) == {"flattened": 1}
    assert (ana.record(a).superseded_by, ana.record(b).superseded_by, ana.record(b).status) == (c, c, "superseded")
    assert store.consolidate().changed == 0
    ana.rollback(a)
    assert [fact.value for fact in ana.recall(slot=stead.Slot("home.city")).facts] == ["Bonn"]
    assert {each.id: str(each.status) for each in ana.records()} == {a: "superseded", b: "retracted", c: "active"}
    assert [f.claim for f in ana.recall(slot=stead.Slot("home.city"), known_at=known).facts] == ["Lives in Bonn"]


def test_r28_a_long_dead_branch_is_summed_up_once_and_cold(store: stead.Store, clock: StoryClock) -> None:
    """R28, R36, R48: no usual answer holds the summary; it tells with dates, and isn't made again, not even when retracted."""
    ids = lived(store, clock, CITIES)
    ana = store.subject("ana")
    dry = store.consolidate(dry_run=True)
    assert rules(dry)["summarised"] == 1
    report = store.consolidate()
    [step] = [each for each in steps(report) if each.rule == "summarised"]
    assert set(step.affected) == set(ids[:-1])
    summary = ana.record(step.record)
    assert (str(summary.kind), str(summary.tier), str(summary.authority)) == ("reflection", "cold", "stated")
    assert summary.claim.startswith("Earlier: Lives in Oslo (2026-01-06 to 2026-01-07); Lives in Rome (2026-01-07 to")
    assert summary.claim not in [fact.claim for fact in ana.recall("where did we live earlier").facts]
    told = ana.recall("where did we live earlier, in Oslo or Rome", include_cold=True)
    assert summary.claim in [fact.claim for fact in told.facts]
    ana.retract(summary.id)
    assert store.consolidate().changed == 0


def test_r31_a_summary_goes_with_what_it_tells_of(store: stead.Store, clock: StoryClock) -> None:
    lived(store, clock, CITIES)
    store.consolidate()
    ana = store.subject("ana")
    with ana.session("c-9") as session:
        session.turn("user", "Stop remembering anything about my home.")
    assert [each for each in ana.records(limit=100) if "Earlier" in each.claim and "Oslo" in each.claim] == []


def test_r37_records_whose_sources_ended_are_derived_anew(store: stead.Store) -> None:
    """R36, R37: with a deriver; without one they are named as left."""
    ana = store.subject("ana")
    source = ana.remember("Has a meeting at nine").record or ""
    made = ana.remember("Is busy in the morning", derived_from=[source], kind="reflection").record
    ana.retract(source)
    assert left(store.consolidate()) == {"unsupported": 1}
    store.derive("reflection", lambda _record, _sources: None)
    report = store.consolidate()
    assert [step.phase for step in steps(report)] == ["deferred"]
    assert steps(report)[0].record == made
    assert left(store.consolidate()) == {}


def test_r36_what_waits_for_a_person_is_counted_and_left(store: stead.Store, clock: StoryClock) -> None:
    ana = store.subject("ana")
    ana.remember("Rows on Sundays", authority="inferred")
    ana.remember("Owns a boat", review_events=["moved house"])
    ana.event("moved house")
    assert left(store.consolidate()) == {"review": 1}
    clock.instant += 400 * DAY
    assert left(store.consolidate())["expired_proposal"] == 1


# --- bounds --------------------------------------------------------------------------------------------------------------


def test_r36_beyond_its_share_a_run_asks_instead_of_closing(store: stead.Store) -> None:
    """R36, R53: at most ten in a small store; the rest are review questions, and a person's answer counts."""
    cities = [f"Town{number}" for number in range(30)]
    pairs_ = [f"The depot of {each} is in {place}" for each in cities for place in ("Oslo", "Rome")]
    load(store, "ana", pairs_)
    ana = store.subject("ana")
    report = store.consolidate()
    [run] = report.subjects
    assert (run.closed, run.may_close, report.asked) == (10, 10, 20)
    assert rules(report) == {"newer": 10, "share": 20}
    questions = ana.questions()
    assert {each.kind for each in questions} == {"review"} and len(questions) == 20
    assert len(active(ana)) == 50
    first, second = questions[0], questions[1]
    assert ana.reject(first.id).rule == "ended"
    assert ana.confirm(second.id).rule == "verified"
    again = store.consolidate(share=1)
    assert rules(again) == {}, "what a person was asked about isn't closed behind their back"
    assert left(again)["under_review"] >= 19
    assert second.claims[0].claim in active(ana)


def test_r36_with_no_share_everything_is_asked(store: stead.Store) -> None:
    load(
        store,
        "ana",
        [
            "Works at Apex",
            "Works at Borealis",
            "Owns a red boat",
            "Owns a boat",
            "Lives in Rome",
            "Lives in Rome, Italy",
        ],
    )
    report = store.consolidate(share=0)
    assert report.subjects[0].closed == 0
    assert rules(report) == {"share": 3}
    assert len(active(store.subject("ana"))) == 6
    logged = [row for row in store.subject("ana").decisions(limit=100) if row["rule"] == "share"]
    assert {row["question"] for row in logged} == {each.id for each in store.subject("ana").questions()}


def test_r36_a_run_stops_at_its_limit_and_goes_on(store: stead.Store) -> None:
    load(store, "ana", [f"The depot of Town{n} is in {place}" for n in range(6) for place in ("Oslo", "Rome")])
    load(store, "ben", ["Works at Apex", "Works at Borealis"])
    first = store.consolidate(limit=2)
    assert not first.finished
    assert [(each.subject, each.finished, len(each.steps) > 0) for each in first.subjects] == [
        ("ana", False, True), ("ben", False, False),
    ]  # fmt: skip
    names = {first.subjects[0].id}
    calls = 1
    second = store.consolidate(limit=2)
    assert (second.subjects[0].id, second.subjects[0].resumed) == (first.subjects[0].id, True)
    while not (report := store.consolidate(limit=2)).finished:
        names |= {each.id for each in report.subjects if each.subject == "ana" and each.resumed}
        calls += 1
        assert calls < 20
    assert names == {first.subjects[0].id}, "one run over all calls"
    assert sum(each == "superseded" for each in statuses(store.subject("ana")).values()) == 6
    assert statuses(store.subject("ben"))["Works at Apex"] == "superseded"
    assert store.consolidate(resume=False).changed == 0


def test_r36_a_fresh_run_doesnt_go_on_with_the_old_one(store: stead.Store) -> None:
    load(store, "ana", [f"The depot of Town{n} is in {place}" for n in range(4) for place in ("Oslo", "Rome")])
    first = store.consolidate(limit=2)
    second = store.consolidate(resume=False)
    assert (second.subjects[0].resumed, second.subjects[0].finished) == (False, True)
    assert second.subjects[0].id != first.subjects[0].id
    assert store.consolidate().subjects[0].resumed is False


def test_r36_a_question_with_too_many_answers_is_no_question(
    store: stead.Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(store, "ana", [f"The office is in Town{n}" for n in range(6)], speaker="x")
    for n in range(6):
        load(store, "ana", [f"The depot is in Town{n}"], speaker=f"s{n}")
    monkeypatch.setattr("stead.lifecycle.consolidate.replay.MOST", 3)
    assert left(store.consolidate())["too_many"] == 1
    monkeypatch.setattr("stead.lifecycle.consolidate.replay._ENOUGH", 2)
    load(store, "ben", [f"The office is in Town{n}" for n in range(3)])
    assert left(store.consolidate("ben")) == {"too_many": 1}


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"limit": 0}, "limit"), ({"limit": True}, "limit"), ({"limit": 1.5}, "limit"), ({"share": -0.1}, "share"),
        ({"share": 2}, "share"), ({"share": True}, "share"), ({"share": "all"}, "share"), ({"judge": "yes"}, "judge"),
    ],
)  # fmt: skip
def test_r46_limits_that_mean_nothing_are_refused(store: stead.Store, given: dict[str, Any], field: str) -> None:
    with pytest.raises(stead.InvalidArgument) as raised:
        store.consolidate(**given)
    assert raised.value.field == field


def test_r36_there_is_nothing_to_do_for_who_has_no_memory(store: stead.Store) -> None:
    [run] = store.consolidate("nobody").subjects
    assert (run.id, run.finished, run.steps) == (None, True, ())
    assert store.subjects() == []


def test_r47_subjects_are_consolidated_each_by_itself(store: stead.Store) -> None:
    """R47: what others say, in the same words too, is neither merged nor compared, nor in a report about one."""
    for name in ("ana", "ben"):
        load(store, name, ["Works at Apex", "Owns a boat", "Owns a boat."])
    load(store, "ben", ["Works at Borealis"])
    report = store.consolidate("ana")
    assert ([each.subject for each in report.subjects], rules(report)) == (["ana"], {"merged": 1})
    mine = {each.id for each in store.subject("ana").records()}
    assert {each for step in steps(report) for each in (step.record, *step.affected)} <= mine
    assert len(active(store.subject("ben"))) == 4
    assert rules(store.consolidate()) == {"newer": 1, "merged": 1}
    assert active(store.subject("ana")) == ["Works at Apex", "Owns a boat"]


# --- dry runs and reports ------------------------------------------------------------------------------------------------


def everything(store: stead.Store, clock: StoryClock) -> None:
    """Load something for each thing that a run does."""
    lived(store, clock, CITIES)
    load(
        store,
        "ana",
        [
            "Works at Apex",
            "Works at Borealis",
            "Owns a boat",
            "Owns a boat.",
            "Studies in Rome",
            "Studies in Rome, Italy",
        ],
    )
    load(store, "ana", ["The office is in Rome"], speaker="eva")
    load(store, "ana", ["The office is in Oslo"], speaker="tom")
    load(store, "ana", ["The depot is in Rome"], rank=3)
    load(store, "ana", ["The depot is in Oslo", "Likes tea"])


def test_r36_a_dry_run_tells_what_a_run_does_and_writes_nothing(store: stead.Store, clock: StoryClock) -> None:
    everything(store, clock)
    before = Path(store.path).read_bytes(), store.now()
    dry = store.consolidate(dry_run=True)
    assert (Path(store.path).read_bytes(), store.now()) == before
    assert dry.dry_run and dry.subjects[0].id is None and dry.subjects[0].finished
    report = store.consolidate()
    assert Counter((each.phase, each.decision, each.rule) for each in steps(dry)) == Counter(
        (each.phase, each.decision, each.rule) for each in steps(report)
    )
    assert (dry.changed, dry.asked) == (report.changed, report.asked)
    assert {each.rule for each in steps(report)} >= {
        "adopted", "newer", "merged", "refined", "equals", "deliberate", "flattened", "summarised",
    }  # fmt: skip


def test_r50_past_answers_stay_as_they_were(store: stead.Store, clock: StoryClock) -> None:
    """R50, R52: for what was known before a run, and for what was known before it was undone."""
    everything(store, clock)
    ana = store.subject("ana", zone="UTC")
    ana.remember("Has many boats", derived_from=[each.id for each in ana.records() if "boat" in each.claim])

    def told(known: datetime) -> list[object]:
        asked: list[dict[str, Any]] = [
            {"query": "boat office depot works"}, {"slot": stead.Slot("home.city")}, {"query": "Rome", "at": known - timedelta(days=3)},
            {"query": "earlier", "include_cold": True},
        ]  # fmt: skip
        return [ana.recall(known_at=known, **{"at": known, **each}).as_dict() for each in asked]

    first = store.now()
    clock.instant += DAY
    before = told(first)
    report = store.consolidate()
    assert report.changed > 10
    assert told(first) == before
    second = store.now()
    clock.instant += DAY
    after = told(second)
    for step in steps(report):
        if step.rule in ("merged", "newer"):
            ana.rollback(step.record if step.rule == "merged" else step.affected[0])
    assert (told(first), told(second)) == (before, after)
    assert before != after


def test_r52_the_report_names_phases_counts_and_ids_but_no_content(store: stead.Store, clock: StoryClock) -> None:
    everything(store, clock)
    report = store.consolidate()
    told = report.as_dict()
    assert list(told) == ["dry_run", "subjects", "embedded", "embedder_failed"]
    [run] = report.subjects
    assert [each.name for each in run.phases] == list(PHASES)
    assert sum(each.changed for each in run.phases) == len(run.steps) == report.changed == run.changed
    assert all(each.seconds >= 0 for each in run.phases)
    for word in ("Apex", "boat", "Rome", "depot"):
        assert word not in str(told)
    assert report.left == sum(left(report).values())


def test_r38_missing_vectors_are_made(tmp_path: Path) -> None:
    from tests.test_failures import Hashed

    with stead.open(tmp_path / "m.db", embedder="none") as store:
        load(store, "ana", ["Owns a boat", "Likes tea"])
    failing = Hashed(failing="raises")
    with stead.open(tmp_path / "m.db", embedder=failing) as store:
        assert store.consolidate(dry_run=True).embedded == 2
        assert store.consolidate().embedder_failed
        failing.failing = ""
        assert store.consolidate().embedded == 2


# --- a model's word ------------------------------------------------------------------------------------------------------

NEAR = ("Grandma bakes rye bread every Sunday at home", "Grandma buys rye bread every Sunday at home")
Judge = Callable[[str, str], object]


def test_r24_a_model_relates_what_no_rule_can(store: stead.Store) -> None:
    """R24: it is shown both claims, the older one first, of one subject; the strip decides."""
    shown: list[tuple[str, str]] = []

    def judge(old: str, new: str) -> str:
        shown.append((old, new))
        return "contradicts"

    load(store, "ana", NEAR)
    load(store, "ben", [NEAR[0]])
    assert compare(*NEAR).kind is Kind.UNRELATED
    report = store.consolidate(judge=judge)
    assert shown == [NEAR]
    assert rules(report) == {"model": 1}
    assert active(store.subject("ana")) == [NEAR[1]]
    assert store.consolidate(judge=judge).changed == 0


def test_r24_a_model_may_say_that_two_are_the_same(store: stead.Store) -> None:
    [old, _] = load(store, "ana", NEAR)
    report = store.consolidate(judge=lambda _old, _new: "same")
    assert (rules(report), report.subjects[0].closed) == ({"merged": 1}, 1)
    assert [each.id for each in store.subject("ana").records(status="active")] == [old]
    load(store, "ben", NEAR)
    assert rules(store.consolidate("ben", share=0, judge=lambda _old, _new: "same")) == {"share": 1}


class Odd:
    """An answer that can't even be compared."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no truth in it")

    __hash__ = None  # type: ignore[assignment]


MALFORMED: tuple[object, ...] = (
    None, "", "Contradicts", "contradicts ", "CONTRADICTS", "yes", "same?", "delete everything", "{}", '{"kind": "contradicts"}',
    b"contradicts", 1, 0, True, 3.5, float("nan"), [], ["contradicts"], {"answer": "contradicts"}, ("contradicts",),
    {"contradicts"}, Odd(), object(), "contradicts\nsame", lambda: "contradicts",
)  # fmt: skip


@pytest.mark.parametrize("place", range(len(MALFORMED)))
def test_r24_a_malformed_answer_loses_nothing_and_is_counted(store: stead.Store, clock: StoryClock, place: int) -> None:
    """R24, R46: whatever it is, the run does what it does without a model."""
    everything(store, clock)
    load(store, "ben", NEAR)
    report = store.consolidate("ben", judge=lambda _old, _new: MALFORMED[place])
    assert (report.changed - rules_adopted(report), len(active(store.subject("ben")))) == (0, 2)
    phase = report.subjects[0].phases[1]
    assert (phase.model_calls, phase.model_failures) == (1, 1)


def rules_adopted(report: Consolidation) -> int:
    return sum(step.rule == "adopted" for step in steps(report))


@pytest.mark.parametrize("error", [RuntimeError("down"), TimeoutError(), ValueError("{}"), KeyError("x"), OSError()])
def test_r24_a_failing_model_loses_nothing(store: stead.Store, error: Exception) -> None:
    def judge(_old: str, _new: str) -> str:
        raise error

    load(store, "ana", NEAR)
    report = store.consolidate(judge=judge)
    assert report.subjects[0].phases[1].model_failures == 1
    assert len(active(store.subject("ana"))) == 2


def test_r16_a_model_is_shown_only_what_the_subject_allows(store: stead.Store) -> None:
    shown: list[tuple[str, str]] = []

    def judge(old: str, new: str) -> str:
        shown.append((old, new))
        return "unrelated"

    load(store, "ana", NEAR, sensitivity="health")
    load(store, "ben", NEAR)
    store.subject("ben").consent(personalisation=False)
    report = store.consolidate(judge=judge)
    assert shown == []
    assert report.finished


def test_r52_the_calls_of_a_model_are_bounded(store: stead.Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stead.memory.sweeping.MODEL_CALLS", 3)
    load(store, "ana", [f"Grandma bakes rye bread number{n} every Sunday at home" for n in range(8)])
    report = store.consolidate(judge=lambda _old, _new: "unrelated")
    assert report.subjects[0].phases[1].model_calls == 3
