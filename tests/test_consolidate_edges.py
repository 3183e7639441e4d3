"""Consolidation at its edges: what it must leave alone, what changed in between, each limit in each phase (R23, R36)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from benchmarks.planted import load
from tests.test_consolidate import CITIES, DAY, NEAR, active, everything, left, lived, rules, statuses, steps
from tests.test_consolidate import _row as row
from tests.test_consolidate_crash import reaching

import stead
from stead.clock import StoryClock
from stead.lifecycle.consolidate.aiming import aim, made_for, spelled_as
from stead.lifecycle.consolidate.chains import heads, is_flattened, to_flatten, unflattened
from stead.lifecycle.consolidate.plan import Case, Decided, Filed, Group, Merged, Plan, Questioned
from stead.lifecycle.consolidate.reading import question
from stead.lifecycle.consolidate.replay import replay
from stead.memory import deeds
from stead.memory.cases import Reads
from stead.memory.summing import told
from stead.model.period import Period
from stead.model.record import Cut
from stead.model.slot import FROM_TEXT, SlotKey
from stead.recall.names import NO_NAMES
from stead.store.values import Revision

NOW = 1_000
IN_WORDS = SlotKey(attribute=f"{FROM_TEXT}work at")
NAMED = SlotKey(attribute="work.employer")


def case(
    rows: Iterable[Revision], joined: Iterable[Revision] = (), *, key: SlotKey = IN_WORDS,
    joining: Mapping[int, str | None] | None = None, **more: Any,
) -> Case:  # fmt: skip
    waiting = list(joined)
    given: dict[str, Any] = {
        "phase": "contradictions", "key": key, "scope": "", "slot": 7, "rows": list(rows), "joined": waiting,
        "joining": {each.record: "x" for each in waiting} if joining is None else joining, "fixed": frozenset(),
        "merged_before": frozenset(), "now": NOW, "names": NO_NAMES,
    }  # fmt: skip
    return Case(**(given | more))


def kinds(plan: Plan) -> list[str]:
    return [type(each).__name__ for each in plan.deeds]


def test_r13_what_overrides_by_name_decides_nothing_and_is_not_moved() -> None:
    old, new = row(1, "Works at Apex"), row(2, "Works at Borealis", names=frozenset({1}))
    assert kinds(replay(case([], [old, new]), 9)) == ["Filed"]
    filed = [replace(each, slot=7, value=each.claim) for each in (old, new)]
    assert kinds(replay(case(filed), 9)) == []


def test_r3_what_is_not_laid_or_has_expired_is_not_asked() -> None:
    rows = [
        row(1, "Works at Apex", slot=7, value="apex"), row(2, "Works at Dyne", slot=7, value="dyne", status="retracted"),
        row(3, "Works at Elm", slot=7, value="elm", expires_at=5),
    ]  # fmt: skip
    assert kinds(replay(case(rows), 9)) == []


def test_r37_what_is_not_served_neither_ends_nor_is_filed() -> None:
    old, new = row(1, "Works at Apex", slot=7, value="apex"), row(2, "Works at Borealis")
    assert kinds(replay(case([old], [new], unserved=frozenset({2})), 9)) == []
    gone, later = row(1, "Works at Apex"), row(2, "Works at Borealis")
    alone = replay(case([], [gone, later], joining={1: "apex", 2: "borealis"}, unserved=frozenset({1})), 9)
    assert alone.deeds == [Filed(record=2, value="borealis")]
    again = row(2, "Works at Apex.")
    assert "Merged" not in kinds(replay(case([old], [again], unserved=frozenset({1})), 9))


def test_r21_more_detail_that_was_filed_is_taken_out_unless_others_ended_because_of_it() -> None:
    old = row(1, "Works at Apex", slot=7, value="apex")
    new = row(2, "Works at Apex as a welder", slot=7, value="apex welder", speaker="tom")
    plan = replay(case([old, new]), 9)
    assert plan.deeds == [Filed(record=2, value=None, aside=True)]
    assert replay(case([old, new], fixed=frozenset({2})), 9).left == ["more_detail"]


def test_r10_what_is_known_and_cannot_be_merged_is_filed_beside_it() -> None:
    """R22: a correction is what repairs others, and stays a record of its own."""
    old, new = row(1, "Works at Apex", slot=7, value="Apex"), row(2, "Works at Apex.", meaning="corrected")
    plan = replay(case([old], [new], key=NAMED, joining={2: "Apex"}), 9)
    assert kinds(plan) in (["Filed"], [])
    assert "Merged" not in kinds(plan)
    filed = replace(new, slot=7, value="Apex")
    assert kinds(replay(case([old, filed], key=NAMED), 9)) == []


def test_r10_the_same_value_in_a_named_slot_is_one_answer_with_one_more_source() -> None:
    rows = [row(1, "At Apex", slot=7, value="Apex"), row(2, "Employer: Apex", slot=7, value="apex", speaker="tom")]
    assert replay(case(rows, key=NAMED), 9).deeds == [Merged(record=2, into=1, rule="known")]
    assert kinds(replay(case(rows, key=NAMED, fixed=frozenset({2})), 9)) == []


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"meaning": "corrected"}, "protected"),
        ({}, "protected"),
        ({}, "asked_before"),
        ({"status": "contested"}, "protected"),
    ],
)
def test_r23_what_may_not_be_made_a_question_is_left(changes: dict[str, Any], reason: str) -> None:
    old = row(1, "Works at Apex", slot=7, value="apex", rank=3)
    new = row(2, "Works at Borealis", slot=7, value="borealis", **changes)
    fixed = frozenset({2}) if not changes and reason == "protected" else frozenset[int]()
    asked = frozenset({2}) if reason == "asked_before" else frozenset[int]()
    plan = replay(case([old, new], high_stakes=frozenset({2}), fixed=fixed, asked_before=asked), 9)
    if changes.get("meaning") == "corrected":
        assert not any(isinstance(each, Questioned) for each in plan.deeds)
    else:
        assert (plan.deeds, plan.left) == ([], [reason])


def test_r26_an_open_contest_asks_already() -> None:
    rows = [
        row(1, "Works at Apex", slot=7, value="apex", status="contested"),
        row(2, "Works at Borealis", slot=7, value="borealis", speaker="tom", status="contested"),
    ]  # fmt: skip
    assert (replay(case(rows, high_stakes=frozenset({2})), 9).deeds, replay(case(rows), 9).deeds) == ([], [])


def test_r24_a_question_that_words_cannot_decide_is_left_unclear() -> None:
    old, new = row(1, "Works at Apex", slot=7, value="apex"), row(2, "Rows every Sunday")
    assert replay(case([old], [new], joining={2: "rows"}), 9).left == ["unclear"]
    judged = replay(case([old], [new], joining={2: "rows"}, judged=True), 9)
    assert isinstance(judged.deeds[-1], Decided)


def test_r24_pairs_meet_under_a_question_of_either_or_of_both() -> None:
    old, new = row(1, "Works at Apex"), row(2, "Works at Borealis")
    aimed = aim(old, new, {}, NO_NAMES, ())
    assert aimed is not None and set(aimed.joining) == {1, 2}
    assert aim(old, new, {}, NO_NAMES, (1, 2)) is None
    assert aim(old, replace(new, scope="work"), {}, NO_NAMES, ()) is None
    assert aim(old, row(2, "Likes tea"), {}, NO_NAMES, ()) is None


def test_r24_two_claims_meet_under_a_question_that_neither_asks_first() -> None:
    old, new = row(1, "Order 48213 has not shipped yet"), row(2, "Order 48213 has been shipped")
    aimed = aim(old, new, {}, NO_NAMES, ())
    assert aimed is not None
    mine, theirs = question(old), question(new)
    assert mine is not None and theirs is not None
    assert mine[0] != theirs[0], "each asks another question first"
    assert aimed.key not in (mine[0], theirs[0]) and aimed.joining[1] != aimed.joining[2]
    assert aim(old, new, {}, NO_NAMES, (1,)) is None


def test_r36_one_rewording_a_step_and_the_rest_in_the_next() -> None:
    rows = [row(1, "Works at Apex"), row(2, "Works at Apex in Oslo"), row(3, "Works at Apex in Oslo as a welder")]
    found = replay(case([], rows), 9)
    assert (kinds(found).count("Refined"), found.more) == (1, True)


def test_r53_in_one_question_too_what_is_beyond_the_share_is_asked() -> None:
    less = [row(1, "Works at Apex in Oslo"), row(2, "Works at Apex")]
    assert kinds(replay(case([], less), 0)) == ["Filed", "Reviewed"]
    assert kinds(replay(case([], less), 1)) == ["Filed", "Merged"]
    asked = [row(1, "Works at Apex", rank=3), row(2, "Works at Borealis")]
    assert kinds(replay(case([], asked, joining={1: "apex", 2: "borealis"}), 0)) == ["Filed", "Reviewed"]


def test_r25_a_named_slot_is_joined_only_where_its_value_is_what_its_words_say() -> None:
    keys = {7: NAMED}
    new = row(2, "Works at Borealis Labs")
    for value, joined in (("Apex", True), ("something else", False), (None, False)):
        old = row(1, "Works at Apex", slot=7, value=value, unset=value is None)
        aimed = aim(old, new, keys, NO_NAMES, ())
        assert (aimed is not None) is joined, value
        if aimed is not None:
            assert (aimed.key, aimed.joining) == (NAMED, {2: "Borealis Labs"})


def test_r24_a_model_relates_claims_that_answer_nothing() -> None:
    odd = row(1, "Blue?")
    made = made_for(odd, row(2, "Green!"), {}, NO_NAMES)
    assert made.key.from_text and made.key.object == odd.id
    assert made.joining == {1: "blue?", 2: "green!"}
    read = made_for(row(1, "Works at Apex"), row(2, "Green!"), {}, NO_NAMES)
    assert read.joining[1] == "apex"
    assert set(
        made_for(row(1, "Works at Apex", slot=7, value="apex"), row(2, "G"), {7: IN_WORDS}, NO_NAMES).joining
    ) == {2}


def test_an_answer_is_spelled_as_its_claim_spells_it() -> None:
    assert spelled_as("new york", "Lives in New York") == "New York"
    assert spelled_as("60 minute", "Takes an hour") == "60 minute"


# --- one snapshot --------------------------------------------------------------------------------------------------------


def plan(
    store: stead.Store, ids: list[str], key: SlotKey | None = None, allowance: int = 9, **more: Any
) -> Plan | None:
    """Decide on records as a run would have, from one snapshot."""
    with store._core.backend.read() as read:
        subject = read.subject("ana")
        assert subject is not None
        rows = [read.current(subject.n, each) for each in ids]
        group = Group(phase="duplicates", records=tuple(each.record for each in rows if each is not None), key=key)
        reads = Reads(store=read, subject=subject.n, policy=store.policy, now=read.last_instant(), **more)
        return reads.plan(group, allowance)


def test_r36_what_has_gone_or_says_other_things_now_is_nothing_to_decide(store: stead.Store) -> None:
    ids = load(store, "ana", ["Works at Apex", "Rows on Sundays", "Owns a red boat"])
    [elsewhere] = load(store, "ana", ["Owns a boat"], scope="work")
    [more] = load(store, "ana", ["Owns a red boat with sails"], scope="work")
    assert plan(store, ids[:2]) is None
    assert plan(store, ids[:1]) is None
    assert plan(store, [ids[2], elsewhere]) is None
    assert plan(store, [ids[2], more]) is None
    store.subject("ana").retract(ids[0])
    assert plan(store, ids[:1], key=IN_WORDS) is None


def test_r36_a_named_slot_is_never_merged_into_words(store: stead.Store) -> None:
    [old] = load(store, "ana", ["Owns a red boat"], category="possessions")
    new = (
        store.subject("ana").remember("Owns a boat", slot=stead.Slot("boat", value="1"), category="possessions").record
        or ""
    )
    found = plan(store, [old, new])
    assert found is not None and (found.deeds, found.left) == ([], ["terms"])


def test_r24_a_models_word_moves_nothing_that_others_ended_because_of(store: stead.Store) -> None:
    [new] = load(store, "ana", [NEAR[1]])
    [late] = load(store, "ana", [NEAR[0]], place=1, stated_from=0)
    ana = store.subject("ana")
    slot = ana.remember("Works at Apex", slot=stead.Slot("work.employer", value="Apex")).record or ""
    numbers = {each: number for number, each in enumerate((new, late, slot), start=1)}
    related = {(numbers[late], numbers[new]): "contradicts", (numbers[late], numbers[slot]): "contradicts"}
    assert plan(store, [late, slot], related=related) is None
    found = plan(store, [late, new], related=related)
    assert found is not None and isinstance(found.deeds[-1], Decided)


# --- apart ---------------------------------------------------------------------------------------------------------------


def test_r25_claims_under_questions_of_their_own_contradict_each_other(store: stead.Store) -> None:
    """R24, R28: "switched from" ends what says that it is used; a rollback lets it stand again."""
    [old, new] = load(store, "ana", ["Uses Emacs", "Switched from Emacs to Vim"])
    assert rules(store.consolidate()) == {"newer": 1}
    ana = store.subject("ana")
    assert statuses(ana) == {"Uses Emacs": "superseded", "Switched from Emacs to Vim": "active"}
    ana.rollback(old)
    assert ana.record(new).status == "retracted"


@pytest.mark.parametrize(
    "pair",
    [
        ("The message queue is RabbitMQ", "We replaced RabbitMQ with Kafka as the message queue"),
        ("The CI system is Jenkins", "CI was moved from Jenkins to GitHub Actions"),
        ("Works at Apex", "Left Apex"),
        ("Runs 5 km every morning", "I've stopped running altogether because of my knee"),
        ("The user works at Siemens as an engineer", "The user quit Siemens and has a job at Bosch"),
    ],
)
def test_r25_what_was_left_is_found_whoever_says_so(store: stead.Store, pair: tuple[str, str]) -> None:
    load(store, "ana", ["Likes tea", pair[0], "Rows on Sundays", pair[1]])
    store.consolidate()
    assert statuses(store.subject("ana"))[pair[0]] == "superseded"


def test_r53_apart_too_what_is_beyond_the_share_is_asked(store: stead.Store) -> None:
    [old, _] = load(store, "ana", ["Uses Emacs", "Switched from Emacs to Vim"])
    assert rules(store.consolidate(share=0)) == {"share": 1}
    assert [each.claims[0].id for each in store.subject("ana").questions()] == [old]


@pytest.mark.parametrize(
    ("ranks", "speakers", "rule"), [((3, 2), ("ana", "ana"), "deliberate"), ((2, 2), ("eva", "tom"), "equals")]
)
def test_r23_apart_too_a_person_is_asked(
    store: stead.Store, ranks: tuple[int, int], speakers: tuple[str, str], rule: str
) -> None:
    load(store, "ana", ["Uses Emacs"], rank=ranks[0], speaker=speakers[0])
    [new] = load(store, "ana", ["Switched from Emacs to Vim"], rank=ranks[1], speaker=speakers[1])
    report = store.consolidate()
    assert rules(report) == {rule: 1}
    ana = store.subject("ana")
    [question] = ana.questions()
    assert question.kind == "confirm"
    ana.reject(question.id)
    ana.rollback(new)
    assert left(store.consolidate()) == {"asked_before": 1}


def test_r23_apart_too_corrections_and_what_others_rest_on_are_protected(store: stead.Store) -> None:
    high = next(name for name, each in store.policy.categories.items() if each.stakes == "high")
    load(store, "ana", ["Uses Emacs"], category=high)
    load(store, "ana", ["Switched from Emacs to Vim"], category=high, meaning="corrected")
    assert left(store.consolidate())["protected"] == 1


def test_r12_apart_too_an_exception_ends_nothing(store: stead.Store, clock: StoryClock) -> None:
    load(store, "ana", ["Uses Emacs"])
    load(store, "ana", ["Switched from Emacs to Vim"], stated_from=clock.instant, stated_until=clock.instant + DAY)
    report = store.consolidate()
    assert (rules(report), left(report)) == ({}, {"apart": 1})
    assert len(active(store.subject("ana"))) == 2


def test_r10_apart_too_what_began_earlier_is_not_compared(store: stead.Store) -> None:
    load(store, "ana", ["Uses Emacs"])
    load(store, "ana", ["Switched from Emacs to Vim"], stated_from=0)
    assert left(store.consolidate()) == {"apart": 1}


def test_r21_what_was_filed_beside_more_is_taken_out_and_both_stand(store: stead.Store) -> None:
    """R21, R46: the older one takes the place at the open end in the same transaction."""
    [old] = load(store, "ana", ["Works at Apex"])
    store.consolidate()
    ana = store.subject("ana")
    with store._core.backend.read() as read:
        subject = read.subject("ana")
        assert subject is not None
        filed = read.current(subject.n, old)
        assert filed is not None
    [new] = load(store, "ana", ["Works at Apex as a welder"], slot=filed.slot, value="apex welder", owner="eva")
    assert rules(store.consolidate(dry_run=True)) == {"aside": 1}
    assert rules(store.consolidate()) == {"aside": 1}
    assert {each.id for each in ana.records(status="active")} == {old, new}
    assert ana.remember("Works at Apex").decision == "NOOP"
    assert store.consolidate().changed == 0


def test_r37_a_derived_record_that_rests_on_it_no_more_is_not_carried(store: stead.Store) -> None:
    [_, new] = load(store, "ana", ["The office is in Oslo", "The office is in Oslo."])
    ana = store.subject("ana")
    made = ana.remember("Lunch is Norwegian", derived_from=[new]).record or ""
    ana.retract(new)
    ana.confirm(made)
    ana.rollback(new)
    assert rules(store.consolidate()) == {"merged": 1}
    ana.retract(ana.records(status="active")[0].id)
    assert made in [each.id for each in ana.records(status="active")]
    assert "Lunch is Norwegian" in [fact.claim for fact in ana.recall("lunch").facts]


def test_r36_a_dry_run_counts_what_would_be_left_and_asked(store: stead.Store) -> None:
    load(store, "ana", ["Owns a boat", "Works at Apex", "Works at Borealis"])
    load(store, "ana", ["Owns a boat."], audience=("boss",))
    dry = store.consolidate(dry_run=True, share=0)
    assert (rules(dry), left(dry), dry.asked) == ({"share": 1}, {"terms": 1}, 1)


# --- in between ----------------------------------------------------------------------------------------------------------

Act = Callable[[stead.Subject, list[str]], object]
ACTS: dict[str, tuple[str, Act]] = {
    "an alias, before a step": ("planned", lambda ana, _ids: ana.alias("the lodge", means="cabin")),
    "a record more in the question": (
        "planned", lambda ana, _ids: ana.remember("Works at Dyne", valid_from="2020-01-01", valid_until="2020-02-01"),
    ),
    "one of the two": ("planned", lambda ana, ids: ana.retract(ids[0])),
    "an alias, before the filing": ("gathered", lambda ana, _ids: ana.alias("the lodge", means="cabin")),
    "the same question": ("gathered", lambda ana, _ids: ana.remember("The lodge is in Oslo")),
    "the record to be filed": ("gathered", lambda ana, ids: ana.retract(ids[2])),
}  # fmt: skip


@pytest.mark.parametrize("name", ACTS)
def test_r36_what_changes_in_between_is_seen(store: stead.Store, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """R36: it is decided anew, by this run or the next; what the writer did stays."""
    ana = store.subject("ana", zone="UTC")
    ids = load(store, "ana", ["Works at Apex", "Works at Borealis", "The lodge is in Rome"])
    point, act = ACTS[name]
    done: list[str] = []

    def then(_number: int, reached: str) -> None:
        if reached == point and not done:
            done.append(reached)
            act(ana, ids)

    reaching(monkeypatch, then)
    assert store.consolidate().finished
    monkeypatch.undo()
    store.consolidate()
    if name == "one of the two":
        assert (statuses(ana)["Works at Apex"], statuses(ana)["Works at Borealis"]) == ("retracted", "active")
    elif name == "the record to be filed":
        assert statuses(ana)["The lodge is in Rome"] == "retracted"
    else:
        assert statuses(ana)["Works at Apex"] == "superseded"
    assert store.consolidate().changed == 0


def test_r28_what_others_ended_because_of_meanwhile_is_not_moved(
    store: stead.Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R28, R36: a record that became the cause of an end since it was looked at."""
    _, new = load(store, "ana", ["Blue?", "blue?"])
    with store._core.backend.read() as read:
        number = next(iter(read.current_by_number(1, [2]))).record
    done: list[str] = []

    def then(_number: int, name: str) -> None:
        if name == "planned" and not done:
            done.append(name)
            load(store, "ana", ["Gone"], status="superseded", superseded_by=number)

    names = reaching(monkeypatch, then)
    report = store.consolidate()
    assert "changed" in names
    assert left(report) == {"terms": 1}
    assert store.subject("ana").record(new).status == "active"


def test_r36_what_another_process_closed_counts_before_it_is_too_much(
    store: stead.Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R36: between the plan of a step and its transaction; what would be too much is asked about instead."""
    load(store, "ana", [f"The lodge of Town{n} is in {place}" for n in range(3) for place in ("Oslo", "Rome")])
    done: list[str] = []

    def then(_number: int, name: str) -> None:
        done.append(name)
        if name == "planned" and done.count("planned") == 2:
            with store._core.backend.write() as write:
                run = write.last_run(1)
                assert run is not None
                write.keep_run(replace(run, closed=run.may_close))

    reaching(monkeypatch, then)
    assert rules(store.consolidate()) == {"newer": 1, "share": 2}
    assert len(store.subject("ana").questions()) == 2


def test_r28_a_head_that_ended_meanwhile_is_no_head(
    store: stead.Store, clock: StoryClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = lived(store, clock, CITIES[:4])
    done: list[str] = []

    def then(_number: int, name: str) -> None:
        if name == "chained" and not done:
            done.append(name)
            store.subject("ana").retract(ids[-1])

    reaching(monkeypatch, then)
    assert left(store.consolidate()) == {"changed": 1}
    assert store.subject("ana").record(ids[0]).superseded_by == ids[1]


def test_r36_a_filing_that_met_another_is_left(store: stead.Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """R36: between the plan of a batch and its transaction."""
    load(store, "ana", ["The lodge is in Rome"])
    real, calls = deeds.adopt, list[int]()

    def adopt(desk: Any, plans: Any, carried: Any) -> Any:
        if not calls:
            calls.append(1)
            monkeypatch.setattr("stead.memory.deeds.names_of", lambda _store, _subject: "others")
        return real(desk, plans, carried)

    monkeypatch.setattr(deeds, "adopt", adopt)
    assert left(store.consolidate()) == {"changed": 1}
    monkeypatch.undo()
    assert store.consolidate().changed == 1


@pytest.mark.parametrize("point", ["chained", "summing"])
def test_r28_a_chain_that_moved_on_is_left_for_the_next_run(
    store: stead.Store, clock: StoryClock, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    ids = lived(store, clock, CITIES)
    ana = store.subject("ana")
    done: list[str] = []

    def then(_number: int, name: str) -> None:
        if name == point and not done:
            done.append(name)
            ana.retract(ids[-1])

    reaching(monkeypatch, then)
    report = store.consolidate()
    assert left(report) == {"changed": 1} if point == "chained" else left(report) == {}
    assert report.finished


def test_r28_a_summary_of_what_changed_is_not_written(
    store: stead.Store, clock: StoryClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = lived(store, clock, CITIES)
    ana = store.subject("ana")

    def then(_number: int, name: str) -> None:
        if name == "summing":
            ana.rollback(ids[-2])

    reaching(monkeypatch, then)
    report = store.consolidate()
    assert report.subjects[0].phases[4].reasons == {"changed": 1}
    assert not any(each.claim.startswith("Earlier") for each in ana.records())


# --- limits in each phase ------------------------------------------------------------------------------------------------


def test_r36_one_step_a_call_comes_to_the_same_end(
    store: stead.Store, clock: StoryClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R36: the limit is kept in every phase, and pages are read to their end."""
    monkeypatch.setattr("stead.memory.sweeping._PAGE", 3)
    monkeypatch.setattr("stead.memory.sweeping.BATCH", 2)
    everything(store, clock)
    load(store, "ana", ["Owns a kayak."] * 150)
    calls, phases = 0, set[str]()
    while not (report := store.consolidate(limit=1)).finished:
        assert len({row["known_at"] for row in store.subject("ana").decisions(limit=1)}) <= 1
        phases |= {step.phase for step in steps(report)}
        calls += 1
        assert calls < 200
    phases |= {step.phase for step in steps(report)}
    assert phases >= {"adopt", "contradictions", "duplicates", "chains", "summaries"}
    assert sum(each.claim == "Owns a kayak." for each in store.subject("ana").records(status="active", limit=1000)) == 1
    assert store.consolidate().changed == 0


def test_r36_a_dry_run_says_where_it_tells_a_part(store: stead.Store) -> None:
    load(store, "ana", ["Owns a kayak."] * 150)
    assert left(store.consolidate(dry_run=True)) == {"more": 1}


def test_r36_a_dry_run_counts_what_two_steps_share_once(store: stead.Store) -> None:
    load(store, "ana", ["Works at Apex", "Works at Borealis", "Left Borealis"])
    dry, report = store.consolidate(dry_run=True), store.consolidate()
    assert rules(dry)["newer"] >= 1
    assert sum(rules(dry).values()) <= sum(rules(report).values())


# --- chains --------------------------------------------------------------------------------------------------------------


def test_r28_chains_are_read_to_their_head_whatever_their_shape() -> None:
    def ended(number: int, by: int | None, why: str = "superseded", now: int | None = None) -> Revision:
        cuts = (Cut(period=Period(number + 1), why=why, by=by),) if by is not None else ()
        return row(number, f"c{number}", status="superseded", superseded_by=now or by, cuts=cuts)

    chain = [ended(1, 2), ended(2, 3), ended(3, 4)]
    assert heads(chain) == {1: (4, 3), 2: (4, 2), 3: (4, 1)}
    assert to_flatten(chain, {4}, set()) == {1: 4, 2: 4}
    assert to_flatten(chain, {4}, {1}) == {2: 4}
    assert to_flatten(chain, set(), set()) == {}
    assert heads([ended(1, 2), ended(2, 1)]).keys() == {1, 2}, "a circle ends too"
    assert to_flatten([ended(1, 2, why="merged"), ended(2, 3), ended(3, 4)], {4}, set()) == {2: 4}
    flat = ended(1, 2, now=4)
    assert (is_flattened(flat), unflattened(flat), unflattened(chain[0])) == (True, 2, 2)
    assert to_flatten([flat, ended(4, 5)], {5}, set()) == {}, "it is flattened again only where its head is far"


def test_r28_a_summary_tells_of_open_and_of_no_time() -> None:
    never = row(1, "Lives in Rome.", cuts=(Cut(period=Period(0), why="superseded", by=2),))
    assert told([never, row(2, "Lives in Oslo")]) == (
        "Earlier: Lives in Rome (at no time); Lives in Oslo (1970-01-01 to open)"
    )
