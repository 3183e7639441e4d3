"""Arbitration, decided in advance: each row of R23 from both sides of its condition, in its order, and end to end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import stead
from stead import Decision, Slot
from stead.clock import StoryClock
from stead.ids import seeded_ids
from stead.model.period import FOREVER
from stead.model.strip import Statement
from stead.resolve import ARBITRATION, Verdict, arbitrate, resolve
from stead.resolve.arbitrate import SEVERAL, disputed

DAY = 86_400_000_000
EXTERNAL, INFERRED, STATED, CONFIRMED, SYSTEM = range(5)
VAULT = {
    "categories": {"vault": {"stakes": "high"}, "diary": {}},
    "attributes": {"x.vault": {"category": "vault"}},
}


def said(record: int, value: str | None, start: int = 0, end: int = FOREVER, **rest: Any) -> Statement:
    fields: dict[str, Any] = {"speaker": "ana", "rank": STATED, "order": record} | rest
    return Statement(record=record, value=value, start=start, end=end, **fields)


def arbitrated(
    new: Statement, *old: Statement, high_stakes: bool = False, others: dict[int, int] | None = None
) -> Verdict:
    """Return what the strip and the table make of a statement; ``others`` counts the speakers behind each record."""
    behind = others or {}
    return arbitrate(
        resolve(new, old, same_terms=frozenset(each.record for each in old)), new, old, high_stakes=high_stakes,
        speakers=lambda records: max((behind.get(each, 0) for each in records), default=0),
    )  # fmt: skip


def decided(*arguments: Any, **more: Any) -> tuple[Decision, str]:
    verdict = arbitrated(*arguments, **more)
    return verdict.decision, verdict.rule


# --- the table, row by row ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rank", [EXTERNAL, INFERRED, STATED, CONFIRMED])
def test_r23_source_wins_over_everything_below_it(rank: int) -> None:
    old = said(1, "x", rank=rank, speaker="ben")
    verdict = arbitrated(said(2, "y", 5, rank=SYSTEM, speaker="crm"), old, high_stakes=True, others={1: 9})
    assert (verdict.decision, verdict.rule, verdict.superseded) == (Decision.SUPERSEDE, "source", frozenset({1}))
    assert [(record, cut.period.start) for record, cut in verdict.cuts] == [(1, 5)]


def test_r23_source_over_itself_is_newer_and_of_two_systems_contested() -> None:
    old = said(1, "x", rank=SYSTEM, speaker="crm")
    assert decided(said(2, "y", 5, rank=SYSTEM, speaker="crm"), old) == (Decision.SUPERSEDE, "newer")
    assert decided(said(2, "y", 5, rank=SYSTEM, speaker="erp"), old) == (Decision.CONTEST, "equals")


@pytest.mark.parametrize("above", [CONFIRMED, SYSTEM])
@pytest.mark.parametrize("speaker", ["ana", "ben"])
def test_r23_deliberate_outranks_a_later_mention_whoever_makes_it(above: int, speaker: str) -> None:
    verdict = arbitrated(said(2, "y", 5, speaker=speaker), said(1, "x", rank=above))
    assert (verdict.decision, verdict.rule) == (Decision.CONFIRM, "deliberate")
    assert (verdict.cuts, verdict.own_cuts, verdict.superseded, verdict.head) == ((), (), frozenset(), False)


def test_r23_deliberate_only_where_all_of_the_mention_is_hidden() -> None:
    """What goes on after the deliberate record has ended stands there; nothing of that one is taken away."""
    until = said(1, "x", 0, 10, rank=CONFIRMED)
    inside, beyond = said(2, "y", 2, 8), said(3, "y", 2)
    assert decided(inside, until) == (Decision.CONFIRM, "deliberate")
    verdict = arbitrated(beyond, until, high_stakes=True, others={1: 5})
    assert (verdict.decision, verdict.rule, verdict.cuts) == (Decision.ADD, "new", ())
    assert decided(said(2, "x", 2, 8), until) == (Decision.NOOP, "known")


def test_r23_a_mention_under_several_deliberate_records_is_asked_about() -> None:
    under = (said(1, "x", 0, 5, rank=CONFIRMED), said(2, "z", 5, 10, rank=CONFIRMED))
    assert decided(said(3, "y", 2, 9), *under) == (Decision.CONFIRM, "deliberate")
    assert decided(said(3, "y", 2, 11), *under) == (Decision.ADD, "new")


def test_r23_a_deliberate_word_is_never_asked_about_twice() -> None:
    """What was set on purpose is its own confirmation, in a category of high stakes and against several speakers too."""
    old = said(1, "x", speaker="ben")
    new = said(2, "y", 5, rank=CONFIRMED)
    assert decided(new, old, high_stakes=True, others={1: 9}) == (Decision.SUPERSEDE, "authority")


@pytest.mark.parametrize("rank", [STATED, CONFIRMED])
def test_r23_nobody_else_corrects_what_a_system_of_record_said(rank: int) -> None:
    old = said(1, "x", rank=SYSTEM, speaker="crm")
    assert decided(said(2, "y", 0, rank=rank, corrected=True), old) == (Decision.CONFIRM, "deliberate")
    assert decided(said(2, "y", 0, rank=SYSTEM, speaker="crm", corrected=True), old) == (
        Decision.SUPERSEDE, "corrected",
    )  # fmt: skip


def test_r23_newer_ends_the_speakers_own_word_under_what_names_it_too() -> None:
    """Ben's exception by name hides it just now; once that is over, the newer word stands, not the older one."""
    old, named = said(1, "x"), said(2, "z", 2, speaker="ben", names=frozenset({1}))
    verdict = arbitrated(said(3, "y", 5), old, named)
    assert (verdict.decision, verdict.superseded, verdict.contested_with) == (
        Decision.CONTEST, frozenset({1}), frozenset({2}),
    )  # fmt: skip


@pytest.mark.parametrize("rank", [EXTERNAL, INFERRED])
@pytest.mark.parametrize("above", [STATED, CONFIRMED, SYSTEM])
def test_r23_explicit_beats_a_reading_whatever_the_age(rank: int, above: int) -> None:
    old = said(1, "x", rank=above)
    assert decided(said(2, "y", 1_000 * DAY, rank=rank), old, high_stakes=True) == (Decision.CONFIRM, "explicit")
    assert decided(said(2, "y", 5, 9, rank=rank), old) == (Decision.CONFIRM, "explicit")


def test_r23_explicit_only_where_what_stands_says_otherwise() -> None:
    old = said(1, "x", 0, 10)
    assert decided(said(2, "y", 10, rank=INFERRED), old) == (Decision.ADD, "new")
    assert decided(said(2, "x", 2, 8, rank=INFERRED), old) == (Decision.NOOP, "known")
    assert decided(said(2, "y", 9, rank=INFERRED), old) == (Decision.CONFIRM, "explicit")


@pytest.mark.parametrize(
    ("new", "rule"),
    [
        (said(2, "y", 5), "newer"),
        (said(2, "y", 5, 9), "exception"),
        (said(2, "y", 5, speaker="ben"), "equals"),
        (said(2, "y", 0, corrected=True), "corrected"),
        (said(2, "y", 5, speaker="ben", names=frozenset({1})), "named"),
    ],
)
def test_r23_high_stakes_ask_before_anything_is_overridden(new: Statement, rule: str) -> None:
    assert arbitrated(new, said(1, "x")).rule == rule
    assert decided(new, said(1, "x"), high_stakes=True) == (Decision.CONFIRM, "high_stakes")


def test_r23_high_stakes_let_through_what_overrides_nothing() -> None:
    old = said(1, "x", 5)
    assert decided(said(2, "x", 6), old, high_stakes=True) == (Decision.NOOP, "known")
    assert decided(said(2, "y", 0), old, high_stakes=True) == (Decision.ADD, "late")
    assert decided(said(2, "y", 0, 5), old, high_stakes=True) == (Decision.ADD, "new")
    assert decided(said(2, "y", 0, 5), high_stakes=True) == (Decision.ADD, "new")


@pytest.mark.parametrize(
    "new", [said(2, "y", 5), said(2, "y", 5, speaker="ben"), said(2, "y", 0, corrected=True)], ids=str
)
def test_r23_corroborated_from_the_second_other_speaker_on(new: Statement) -> None:
    plain = arbitrated(new, said(1, "x"))
    assert arbitrated(new, said(1, "x"), others={1: SEVERAL - 1}) == plain
    assert plain.decision is not Decision.CONFIRM
    assert decided(new, said(1, "x"), others={1: SEVERAL}) == (Decision.CONFIRM, "corroborated")


def test_r23_corroborated_counts_only_who_stands_behind_what_would_lose() -> None:
    """Another record that many stand behind, but that is left alone, protects nothing."""
    losing, safe = said(1, "x", 0, 10), said(2, "z", 10, rank=CONFIRMED)
    new = said(3, "y", 5, speaker="ben")
    assert decided(new, losing, safe, others={2: 9}) == (Decision.CONTEST, "equals")
    assert decided(new, losing, safe, others={1: 2}) == (Decision.CONFIRM, "corroborated")


def test_r23_an_exception_of_the_same_speaker_ends_nothing_and_needs_no_second_voice() -> None:
    assert decided(said(2, "y", 5, 9), said(1, "x"), others={1: 9}) == (Decision.OVERRIDE, "exception")


def test_r23_newer_of_one_speaker_wins_on_the_part_that_it_names() -> None:
    verdict = arbitrated(said(2, "y", 5), said(1, "x"))
    assert (verdict.decision, verdict.rule, verdict.superseded, verdict.head) == (
        Decision.SUPERSEDE, "newer", frozenset({1}), True,
    )  # fmt: skip
    assert decided(said(2, "y", 5, 9), said(1, "x")) == (Decision.OVERRIDE, "exception")
    assert decided(said(2, "y", 0), said(1, "x", 5)) == (Decision.ADD, "late")


def test_r23_equals_of_several_are_contested_only_where_they_meet() -> None:
    verdict = arbitrated(said(2, "y", 5, speaker="ben"), said(1, "x"))
    assert (verdict.decision, verdict.rule, verdict.contested_with) == (Decision.CONTEST, "equals", frozenset({1}))
    assert decided(said(2, "y", 5, speaker="ben"), said(1, "x", 0, 5)) == (Decision.ADD, "new")
    assert decided(said(2, "x", 5, speaker="ben"), said(1, "x")) == (Decision.NOOP, "known")


def test_r23_the_rows_are_asked_in_their_order() -> None:
    """Where several rows apply, the first of the table decides; each next one shows when the one before is taken away."""
    confirmed, stated = said(1, "x", rank=CONFIRMED), said(1, "x")
    everything: dict[str, Any] = {"high_stakes": True, "others": {1: 5}}
    rows = [
        decided(said(2, "y", 5, rank=SYSTEM), confirmed, **everything),
        decided(said(2, "y", 5), confirmed, **everything),
        decided(said(2, "y", 5, rank=INFERRED), stated, **everything),
        decided(said(2, "y", 5), stated, **everything),
        decided(said(2, "y", 5), stated, others={1: 5}),
        decided(said(2, "y", 5), stated),
        decided(said(2, "y", 5, speaker="ben"), stated),
    ]
    assert tuple(rule for _, rule in rows) == ARBITRATION
    asked = [rule for decision, rule in rows if decision is Decision.CONFIRM]
    assert asked == ["deliberate", "explicit", "high_stakes", "corroborated"]


def test_r23_disputed_is_what_stands_for_another_value_within_the_interval() -> None:
    hidden, stands, beyond = said(1, "x"), said(2, "y", rank=CONFIRMED), said(3, "z", 50, 60, rank=CONFIRMED)
    assert disputed(said(4, "w", 0, 50), [hidden, stands, beyond]) == {2}
    assert disputed(said(4, "w"), [hidden, stands, beyond]) == {2, 3}
    assert disputed(said(4, "y", 0, 50), [hidden, stands, beyond]) == frozenset()
    assert disputed(said(4, "w"), []) == frozenset()


def test_r52_speakers_are_counted_only_where_something_would_be_lost() -> None:
    counted: list[frozenset[int]] = []

    def speakers(records: frozenset[int]) -> int:
        counted.append(records)
        return 0

    for new, old in [
        (said(2, "x", 5), said(1, "x")),
        (said(2, "y", 5), said(1, "x", 0, 5)),
        (said(2, "y", 5, 9), said(1, "x")),
        (said(2, "y", 5, rank=CONFIRMED), said(1, "x")),
        (said(2, "y", 5), said(1, "x")),
    ]:
        arbitrate(
            resolve(new, [old], same_terms=frozenset({1})), new, [old], high_stakes=False, speakers=speakers
        )  # fmt: skip
    assert counted == [frozenset({1})]


# --- end to end: with a slot, and without one -----------------------------------------------------------------------------


CLAIM = "The deploy day is {}"
WAYS = ["slotted", "unslotted"]


def writes(subject: stead.Subject, way: str, value: str, claim: str = CLAIM, **more: Any) -> stead.Outcome:
    """Say what the deploy day is, under a slot or in words alone."""
    slot = Slot("x.deploy", value=value) if way == "slotted" else None
    return subject.remember(claim.format(value), slot=slot, **more)


def served(subject: stead.Subject, **asked: Any) -> list[str]:
    return sorted(fact.claim for fact in subject.recall(**asked).facts)


def status(subject: stead.Subject, outcome: stead.Outcome) -> str:
    return subject.record(str(outcome.record)).status


@pytest.fixture
def vault(tmp_path: Path, clock: StoryClock) -> Iterator[stead.Subject]:
    with stead.open(tmp_path / "vault.db", clock=clock, new_id=seeded_ids(3), embedder="none", policy=VAULT) as opened:
        yield opened.subject("ana")


@pytest.mark.parametrize("way", WAYS)
def test_r23_source_end_to_end(ana: stead.Subject, clock: StoryClock, way: str) -> None:
    old = writes(ana, way, "Tuesday", authority="confirmed")
    clock.instant += DAY
    new = writes(ana, way, "Friday", authority="system_of_record", speaker="ci")
    assert (new.decision, new.rule, new.affected) == (Decision.SUPERSEDE, "source", (str(old.record),))
    assert served(ana) == ["The deploy day is Friday"]
    asked = writes(ana, way, "Monday", authority="confirmed")
    assert (asked.decision, asked.rule) == (Decision.CONFIRM, "deliberate")
    with pytest.raises(stead.Forbidden):
        ana.confirm(str(asked.record))
    assert served(ana) == ["The deploy day is Friday"]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("first", "second", "rule"),
    [
        ({"authority": "confirmed"}, {}, "deliberate"),
        ({"authority": "confirmed"}, {"authority": "inferred"}, "explicit"),
        ({}, {"authority": "inferred"}, "explicit"),
        ({}, {"authority": "external", "speaker": "page"}, "explicit"),
    ],
    ids=str,
)
def test_r23_a_question_does_what_it_asked_when_confirmed_and_nothing_when_rejected(
    ana: stead.Subject, clock: StoryClock, way: str, first: dict[str, Any], second: dict[str, Any], rule: str
) -> None:
    """Both are kept apart: one subject says yes, then another claim is turned down."""
    old = writes(ana, way, "Tuesday", **first)
    clock.instant += DAY
    no = writes(ana, way, "Monday", **second)
    assert (no.decision, no.rule, no.status) == (Decision.CONFIRM, rule, "proposed")
    before = [each for each in ana.records() if each.id == old.record]
    assert ana.reject(str(no.record)).decision is Decision.REJECT
    assert [each for each in ana.records() if each.id == old.record] == before
    assert served(ana) == ["The deploy day is Tuesday"]
    clock.instant += DAY
    yes = writes(ana, way, "Friday", **second)
    assert (yes.decision, yes.rule) == (Decision.CONFIRM, rule)
    assert served(ana) == ["The deploy day is Tuesday"]
    confirmed = ana.confirm(str(yes.question))
    assert (confirmed.decision, confirmed.affected) == (Decision.SUPERSEDE, (str(old.record),))
    assert served(ana) == ["The deploy day is Friday"]
    assert [question.kind for question in ana.questions()] == []


@pytest.mark.parametrize("way", WAYS)
def test_r23_a_bounded_question_is_an_exception_when_confirmed(ana: stead.Subject, clock: StoryClock, way: str) -> None:
    writes(ana, way, "Tuesday", authority="confirmed")
    asked = writes(ana, way, "Friday", valid_until="2026-01-12")
    assert (asked.decision, asked.rule) == (Decision.CONFIRM, "deliberate")
    assert ana.confirm(str(asked.record)).decision is Decision.OVERRIDE
    assert served(ana) == ["The deploy day is Friday"]
    clock.instant += 10 * DAY
    assert served(ana) == ["The deploy day is Tuesday"]


@pytest.mark.parametrize("way", WAYS)
def test_r23_corroboration_takes_independent_speakers(ana: stead.Subject, clock: StoryClock, way: str) -> None:
    """One speaker who repeats himself a hundred times is one voice (R48); the one who says otherwise isn't counted."""
    old = writes(ana, way, "Tuesday", speaker="ops")
    for _ in range(100):
        assert writes(ana, way, "Tuesday", speaker="ops").decision is Decision.NOOP
    clock.instant += DAY
    contest = writes(ana, way, "Friday", speaker="intern")
    assert (contest.decision, contest.rule) == (Decision.CONTEST, "equals")
    ana.retract(str(contest.record))
    writes(ana, way, "Tuesday", speaker="qa")
    for more in [dict[str, Any](authority="inferred"), dict[str, Any](authority="external", speaker="page")]:
        writes(ana, way, "Tuesday", **more)
    own = writes(ana, way, "Monday", speaker="qa")
    assert (own.decision, own.rule) == (Decision.CONTEST, "equals"), "pages and models are no voices"
    ana.retract(str(own.record))
    asked = writes(ana, way, "Friday", speaker="intern")
    assert (asked.decision, asked.rule, status(ana, old)) == (Decision.CONFIRM, "corroborated", "active")
    assert served(ana) == ["The deploy day is Tuesday"]
    assert ana.confirm(str(asked.record)).affected == (old.record,)
    assert served(ana) == ["The deploy day is Friday"]


@pytest.mark.parametrize("way", WAYS)
def test_r23_who_spoke_first_may_change_what_one_other_repeated(ana: stead.Subject, way: str) -> None:
    writes(ana, way, "Tuesday", speaker="ops")
    writes(ana, way, "Tuesday", speaker="qa")
    assert writes(ana, way, "Friday", speaker="ops").rule == "newer"


@pytest.mark.parametrize("way", WAYS)
def test_r23_other_scopes_arbitrate_apart(ana: stead.Subject, way: str) -> None:
    writes(ana, way, "Tuesday", authority="confirmed", scope="acme")
    for speaker in ("ops", "qa", "dev"):
        writes(ana, way, "Monday", speaker=speaker)
    inner = writes(ana, way, "Friday", scope="acme/web")
    assert (inner.decision, inner.rule) == (Decision.ADD, "new")
    assert writes(ana, way, "Sunday", scope="acme").rule == "deliberate"
    assert writes(ana, way, "Sunday", speaker="intern").rule == "corroborated"
    assert served(ana, scope="acme/web") == ["The deploy day is Friday"]
    assert served(ana, scope="acme") == ["The deploy day is Tuesday"]
    assert served(ana) == ["The deploy day is Monday"]


def test_r23_r19_high_stakes_end_to_end_without_a_slot(vault: stead.Subject, clock: StoryClock) -> None:
    old = vault.remember("The vault is in Bern", category="vault")
    clock.instant += DAY
    assert vault.remember("The vault is in Bern", category="vault").decision is Decision.NOOP
    ways: list[dict[str, Any]] = [
        {}, {"valid_until": "2026-02-01T00:00Z"}, {"speaker": "ben"}, {"meaning": "corrected"}
    ]  # fmt: skip
    for more in ways:
        asked = vault.remember("The vault is in Zug", category="vault", **more)
        assert (asked.decision, asked.rule) == (Decision.CONFIRM, "high_stakes"), more
        vault.reject(str(asked.record))
    fixed = vault.remember("Actually the vault is in Chur", category="vault")
    assert (fixed.decision, fixed.rule) == (Decision.CONFIRM, "high_stakes")
    assert served(vault) == ["The vault is in Bern"]
    sure = vault.remember("The vault is in Genf", category="vault", authority="confirmed")
    assert (sure.decision, sure.affected) == (Decision.SUPERSEDE, (str(old.record),))


@pytest.mark.parametrize("category", [None, "diary"])
@pytest.mark.parametrize("slot", [None, "x.door"])
def test_r23_high_stakes_are_those_of_what_would_be_overridden_too(
    vault: stead.Subject, category: str | None, slot: str | None
) -> None:
    """A claim that names another category, or none, doesn't get round the question."""
    one, two = (None if slot is None else Slot(slot, value=value) for value in ("Bern", "Zug"))
    vault.remember("The vault is in Bern", category="vault", slot=one)
    asked = vault.remember("The vault is in Zug", category=category, slot=two)
    assert (asked.decision, asked.rule) == (Decision.CONFIRM, "high_stakes")
    assert served(vault) == ["The vault is in Bern"]


def test_r23_the_rule_is_in_the_outcome_the_log_and_why(ana: stead.Subject) -> None:
    writes(ana, "unslotted", "Tuesday", authority="confirmed")
    asked = writes(ana, "unslotted", "Friday")
    assert asked.reason
    row = next(each for each in ana.decisions() if each["record"] == asked.record)
    assert (row["rule"], row["decision"]) == ("deliberate", "CONFIRM")
    told = ana.why(str(asked.record))["decisions"]
    assert isinstance(told, list)
    assert [each["rule"] for each in told] == ["deliberate"]


# --- contradictions under another question --------------------------------------------------------------------------------

LEFT = [
    ("Works at Acme", "Left Acme"),
    ("Uses Emacs", "Switched from Emacs to Vim"),
    ("The message queue is Redis", "Replaced Redis with Kafka as the message queue"),
]


@pytest.mark.parametrize(("old", "new"), LEFT)
@pytest.mark.parametrize(
    ("first", "second", "rule"),
    [
        ({"authority": "confirmed"}, {}, "deliberate"),
        ({}, {"authority": "inferred"}, "explicit"),
        ({"speaker": "ben"}, {}, "equals"),
    ],
    ids=str,
)
def test_r23_a_question_about_other_words_ends_what_it_contradicts_when_confirmed(
    ana: stead.Subject, clock: StoryClock, old: str, new: str, first: Any, second: Any, rule: str
) -> None:
    """ "Left Acme" answers another question than "Works at Acme", and still ends it, once the subject said yes."""
    there = ana.remember(old, **first)
    clock.instant += DAY
    asked = ana.remember(new, **second)
    assert (asked.decision, asked.rule) == (Decision.CONFIRM, rule)
    assert served(ana) == [old]
    clock.instant += DAY
    done = ana.confirm(str(asked.record))
    assert (done.decision, done.affected) == (Decision.SUPERSEDE, (there.record,))
    assert served(ana) == [new]
    assert served(ana, at="2026-01-05T12:00") == [old]
    undone = ana.rollback(str(there.record))
    assert (undone.decision, served(ana)) == (Decision.UPDATE, [old])


def test_r24_a_question_that_can_hold_beside_what_stands_ends_nothing_when_confirmed(ana: stead.Subject) -> None:
    """Both answer "when was she born?", and both can be true."""
    ana.remember("Was born in 1990", authority="confirmed")
    ana.remember("Lives in Lisbon", audience="board")
    for words in ("Was born on 12 May", "Lives in Lisbon"):
        asked = ana.remember(words, authority="inferred")
        assert (asked.decision, asked.rule) == (Decision.CONFIRM, "unconfirmed")
        yes = ana.confirm(str(asked.record))
        assert (yes.decision, yes.affected) == (Decision.ADD, ())
    assert served(ana) == ["Lives in Lisbon", "Was born in 1990", "Was born on 12 May"]
    assert served(ana, audience="board") == ["Lives in Lisbon"]
    moved = ana.remember("Lives in Porto", authority="inferred")
    assert set(ana.confirm(str(moved.record)).affected) == {
        record.id for record in ana.records() if record.claim == "Lives in Lisbon"
    }


def test_r24_confirmed_beside_one_and_over_the_other_of_one_question(ana: stead.Subject) -> None:
    ana.remember("Was born in 1990", speaker="ben")
    other = ana.remember("Was born on 3 May", speaker="ben")
    assert other.decision is Decision.ADD
    asked = ana.remember("Was born on 12 May", authority="inferred")
    assert (asked.decision, asked.rule) == (Decision.CONFIRM, "explicit")
    assert ana.confirm(str(asked.record)).affected == (other.record,)
    assert served(ana) == ["Was born in 1990", "Was born on 12 May"]


def test_r23_a_question_about_other_words_for_a_while_is_an_exception_when_confirmed(
    ana: stead.Subject, clock: StoryClock
) -> None:
    ana.remember("Uses Emacs", authority="confirmed")
    asked = ana.remember("Switched from Emacs to Vim", valid_until="2026-01-12")
    assert ana.confirm(str(asked.record)).decision is Decision.OVERRIDE
    found = ana.recall().facts
    assert [(fact.claim, fact.decided) for fact in found] == [("Switched from Emacs to Vim", None)]
    clock.instant += 10 * DAY
    assert served(ana) == ["Uses Emacs"]


def test_r23_what_a_system_of_record_says_in_other_words_is_not_confirmed_away(ana: stead.Subject) -> None:
    ana.remember("Works at Acme", authority="system_of_record", speaker="hr")
    asked = ana.remember("Left Acme")
    assert asked.rule == "deliberate"
    with pytest.raises(stead.Forbidden):
        ana.confirm(str(asked.record))
    assert served(ana) == ["Works at Acme"]


def test_r23_two_deliberate_words_of_two_speakers_diverge_at_the_read(ana: stead.Subject) -> None:
    """No question is common to both, on which they could be contested; the read shows neither as a fact (R25)."""
    ana.remember("Works at Acme", authority="confirmed", speaker="hr")
    asked = ana.remember("Left Acme")
    assert ana.confirm(str(asked.record)).decision is Decision.ADD
    found = ana.recall()
    assert (found.facts, len(found.divergences)) == ((), 1)


@pytest.mark.parametrize(("old", "new"), LEFT)
def test_r23_corroboration_holds_for_other_words_too(ana: stead.Subject, old: str, new: str) -> None:
    for speaker in ("ops", "qa", "dev"):
        ana.remember(old, speaker=speaker)
    asked = ana.remember(new, speaker="ops")
    assert (asked.decision, asked.rule) == (Decision.CONFIRM, "corroborated")
    assert served(ana) == [old]
