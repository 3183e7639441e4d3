"""The review pass over what a session proposed, as the pure function that it is (R18)."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stead import Slot
from stead.extract.proposal import Act, Proposal
from stead.extract.review import Found, review
from stead.model.record import Kind, Meaning
from stead.policy import load

CITY = "home.city"


def say(claim: str, attribute: str | None = None, value: str | None = None, turn: int = 0, **more: Any) -> Found:
    """Return one thing that was found: what is said, or whatever act it is."""
    slot = None if attribute is None else Slot(attribute, object=more.pop("object", ""), value=value)
    return Found(turn=turn, proposal=Proposal(claim=claim, span=(0, len(claim)), slot=slot, **more))


def back(about: str = "", turn: int = 9) -> Found:
    return say("forget it", turn=turn, act=Act.TAKE_BACK, about=about)


def correct(value: str, replaces: str | None = None, attribute: str | None = None, turn: int = 9) -> Found:
    return say(
        value, attribute, value if attribute else None, turn, act=Act.CORRECT, replaces=replaces,
        meaning=Meaning.CORRECTED,
    )  # fmt: skip


def kept(found: list[Found], **more: Any) -> list[str]:
    """Return the claims that are left to be written."""
    return [
        each.proposal.claim for each in review(found, **more) if not each.taken_back and each.proposal.act is Act.SAY
    ]


LYON, ACME, TEA = (
    say("Lives in Lyon", CITY, "Lyon", 1),
    say("Works at Acme", "work.employer", "Acme", 2),
    say("Tea", turn=3),
)


@pytest.mark.parametrize(
    ("found", "left"),
    [
        # taken back
        ([LYON, ACME, back()], ["Lives in Lyon"]),  # "forget that" is the last thing said
        ([LYON, ACME, TEA, back("the Lyon thing")], ["Works at Acme", "Tea"]),
        ([LYON, ACME, back("what I said about Acme")], ["Lives in Lyon"]),
        ([LYON, ACME, back("my home city")], ["Works at Acme"]),
        ([LYON, ACME, back("the thing"), TEA], ["Lives in Lyon", "Tea"]),
        ([LYON, back(), LYON], ["Lives in Lyon"]),  # said again, it is meant again
        ([back("Lyon", 0), LYON], ["Lives in Lyon"]),  # only what came before is taken back
        ([LYON, ACME, back(turn=3), back(turn=4)], []),
        ([LYON, say("Lives by the river", turn=1), ACME, back("Acme"), back(turn=10)], []),  # the whole last turn
        # corrected
        ([ACME, correct("Apex", "Acme")], ["Works at Apex"]),
        ([ACME, LYON, correct("Apex", "acme")], ["Lives in Lyon", "Works at Apex"]),
        ([ACME, correct("Apex", attribute="work.employer")], ["Apex"]),
        ([ACME, correct("Apex", "Acme"), correct("Apple", "Apex", turn=10)], ["Works at Apple"]),
        ([say("Likes a tea", turn=1), correct("coffee", "tea")], ["Likes a coffee"]),  # in a claim without a slot
        ([say("Teatime is five", turn=1), correct("coffee", "tea")], ["Teatime is five"]),  # whole words only
        ([ACME, correct("Apex", "Acme"), back(turn=10)], []),
        # two values of one slot
        ([LYON, say("Lives in Rome", CITY, "Rome", 2)], ["Lives in Rome"]),
        ([LYON, say("Lives in lyon", CITY, "lyon", 2)], ["Lives in Lyon", "Lives in lyon"]),  # said twice is left in
        ([LYON, say("Lives in Rome", CITY, "Rome", 1)], ["Lives in Lyon", "Lives in Rome"]),  # in one breath
        ([LYON, say("In Rome", CITY, "Rome", 2, valid_until=9)], ["Lives in Lyon", "In Rome"]),  # an exception
        ([LYON, say("In Rome", CITY, "Rome", 2, valid_from=9)], ["Lives in Lyon", "In Rome"]),  # the world changes
        ([LYON, say("In Rome", CITY, "Rome", 2, scope="work")], ["Lives in Lyon", "In Rome"]),
        ([LYON, say("In Rome?", CITY, "Rome", 2, traits=frozenset({"question"}))], ["Lives in Lyon", "In Rome?"]),
        ([say("a", "pet", "dog", 1, object="Rex"), say("b", "pet", "cat", 2, object="Tom")], ["a", "b"]),
        # ended
        ([ACME, say("No longer", "work.employer", "Acme", 3, act=Act.END)], []),
        ([ACME, say("No longer", "work.role", "boss", 3, act=Act.END)], ["Works at Acme"]),
        # asked to be forgotten
        ([LYON, ACME, say("forget my city", turn=3, act=Act.FORGET, about="Lyon")], ["Works at Acme"]),
        ([], []),
    ],
)  # fmt: skip
def test_r18_what_is_left_to_be_written(found: list[Found], left: list[str]) -> None:
    assert kept(found) == left


def test_r18_people_ask_for_a_slot_by_its_terms() -> None:
    terms = load().terms
    assert kept([ACME, back("my job")]) == ["Works at Acme"]  # nothing in the claim says "job"
    assert kept([ACME, back("my job")], terms=terms) == []


def test_r27_a_take_back_that_meets_nothing_asks_to_forget() -> None:
    [_, met] = review([LYON, back("Lyon")])
    [_, missed] = review([LYON, back("the Dutch thing")])
    [alone] = review([back()])
    assert [each.proposal.act for each in (met, missed, alone)] == [Act.TAKE_BACK, Act.FORGET, Act.FORGET]
    assert ("take_back" in met.traits, "forget" in missed.traits, "forget" in alone.traits) == (True, True, True)


def test_r18_what_is_left_of_a_correction_is_a_plain_statement() -> None:
    remembered = say(
        "Works at Acme", "work.employer", "Acme", 1, traits=frozenset({"remember"}), kind=Kind.FACT, valid_from=5
    )
    for by in (correct("Apex", "Acme"), correct("Apex", "Acme", "work.employer")):
        old, new = review([remembered, by])
        assert (old.taken_back, "taken_back" in old.traits) == (True, True)
        assert (new.proposal.act, new.proposal.meaning) == (Act.SAY, Meaning.CHANGED)
        assert new.proposal.slot is not None
        assert (new.proposal.slot.value, new.proposal.valid_from, new.turn) == ("Apex", 5, 9)
        assert "remember" in new.traits
    [alone] = review([correct("Apex", "Acme")])  # about something of before: left as it is
    assert (alone.proposal.act, alone.taken_back) == (Act.CORRECT, False)


def test_r18_a_correction_means_the_latest_that_it_can_mean() -> None:
    twice = [say("Works at Acme", "work.employer", "Acme", 1), say("Invoices Acme", "x.client", "Acme", 2)]
    assert kept([*twice, correct("Apex", "Acme")]) == ["Works at Acme", "Invoices Apex"]


# --- whatever was said ---------------------------------------------------------------------------------------------------

WORDS = ("lyon", "rome", "acme", "tea")
SLOTS = st.sampled_from([None, CITY, "work.employer"])


@st.composite
def founds(draw: st.DrawFn) -> list[Found]:
    """Return things found in a session, in order of their turns."""
    found, turn = [], 0
    for n in range(draw(st.integers(0, 8))):
        turn += draw(st.integers(0, 2))
        act, word = draw(st.sampled_from(Act)), draw(st.sampled_from(WORDS))
        attribute = draw(SLOTS) if act in (Act.SAY, Act.CORRECT) else CITY if act is Act.END else None
        found.append(say(
            f"claim {n} {word}", attribute, word if attribute else None, turn, act=act,
            about=draw(st.sampled_from(["", "the thing", *WORDS])) if act in (Act.TAKE_BACK, Act.FORGET) else "",
            replaces=draw(st.sampled_from([None, *WORDS])) if act is Act.CORRECT else None,
            traits=draw(st.sets(st.sampled_from(["remember", "question", "task_only"]), max_size=1).map(frozenset)),
            valid_until=draw(st.sampled_from([None, None, 99])),
        ))  # fmt: skip
    return found


@given(founds())
def test_r18_nothing_is_lost_and_the_order_is_kept(found: list[Found]) -> None:
    result = review(found)
    assert [each.turn for each in result] == [each.turn for each in found]
    assert len(result) == len(found)
    for was, now in zip(found, result, strict=True):
        same = now.proposal == was.proposal
        repaired = was.proposal.act is Act.CORRECT and now.proposal.act in (Act.SAY, Act.CORRECT)
        asks = was.proposal.act is Act.TAKE_BACK and now.proposal.act is Act.FORGET
        assert same or repaired or asks
        assert now.traits >= was.proposal.traits - {"question", "task_only"} or repaired


def _spelled(found: Found) -> tuple[object, ...]:
    """Return what is compared: two slots are equal only if they are one object."""
    own, slot = found.proposal, found.proposal.slot
    return (found.turn, own.act, own.claim, own.traits, own.meaning, None if slot is None else (slot.key, slot.value))


@given(founds())
def test_r18_only_what_comes_later_takes_back(found: list[Found]) -> None:
    """The end of a session changes nothing that a shorter one hadn't: a prefix is reviewed as it would be alone."""
    result = review(found)
    for length in range(len(found) + 1):
        shorter = review(found[:length])
        assert {n for n, each in enumerate(shorter) if each.taken_back} <= {
            n for n, each in enumerate(result) if each.taken_back
        }
        assert [_spelled(each) for each in shorter] == [_spelled(each) for each in result[:length]]
    for n, each in enumerate(result):
        if each.taken_back:
            assert each.proposal.act in (Act.SAY, Act.CORRECT)
            assert any(later.proposal.act is not Act.SAY or later.proposal.slot for later in found[n + 1 :])
    assert all(not each.taken_back for each in result[-1:])


@given(founds())
def test_r18_what_only_states_different_things_is_all_kept(found: list[Found]) -> None:
    plain = [each for each in found if each.proposal.act is Act.SAY and each.proposal.slot is None]
    assert review(plain) == plain
    assert [each.proposal for each in review(review(plain))] == [each.proposal for each in plain]
