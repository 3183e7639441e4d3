"""What a search found and isn't worth serving, and claims under another name of what a question names (R21, R29, R30)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

import stead
from stead.recall.cut import LEAST, NEAR, worth


def served(subject: stead.Subject, query: str) -> list[str]:
    return [fact.claim for fact in subject.recall(query).facts]


# --- the cut ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("relevance", "words", "kept"),
    [
        ({}, {}, set()),
        ({1: 0.0}, {1: "a"}, set()),
        ({1: 1.0, 2: NEAR}, {1: "a", 2: "a"}, {1, 2}),
        ({1: 1.0, 2: NEAR - 0.01}, {1: "a", 2: "a"}, {1}),
        ({1: 1.0, 2: LEAST}, {1: "a", 2: "b"}, {1, 2}),  # the best for a word of its own
        ({1: 1.0, 2: LEAST - 0.01}, {1: "a", 2: "b"}, {1}),
        ({1: 1.0, 2: 0.55}, {1: "ab", 2: "b"}, {1}),  # a part of what the best has
        ({1: 1.0, 2: 0.55}, {1: "ab", 2: "bc"}, {1, 2}),
        ({1: 1.0, 2: 0.55}, {1: "a"}, {1}),  # found by its vector alone
        ({1: 1.0, 2: NEAR}, {}, {1, 2}),
    ],
)
def test_r30_what_is_near_the_best_for_one_of_its_words_stays(
    relevance: Mapping[int, float], words: Mapping[int, str], kept: set[int]
) -> None:
    assert worth(relevance, words) == kept


def test_r29_what_names_what_the_question_names_is_no_noise() -> None:
    found, words = {1: 1.0, 2: 0.1, 3: 0.1}, {1: "abc", 2: "d", 3: "e"}
    assert worth(found, words) == {1}
    assert worth(found, words, about={2}) == {1, 2}
    assert worth({**found, 4: 0.3}, {**words, 4: "d"}, about={2}) == {1}, "another one says more of it"


def test_r29_what_has_all_words_of_the_question_is_never_cut() -> None:
    """A model may find one of them much nearer: the others say it as well."""
    found, words = {1: 1.0, 2: 0.3, 3: 0.3}, {1: {"red", "kite"}, 2: {"red", "kite"}, 3: {"kite"}}
    assert worth(found, words) == {1}
    assert worth(found, words, asked={"red", "kite"}) == {1, 2}


FOUND = st.dictionaries(st.integers(0, 9), st.tuples(st.floats(0.01, 1), st.sets(st.sampled_from("abcd"))), min_size=1)


@given(FOUND)
def test_r30_the_best_is_always_served_and_cutting_twice_cuts_no_more(found: dict[int, tuple[float, set[str]]]) -> None:
    relevance = {item: score for item, (score, _) in found.items()}
    words = {item: part for item, (_, part) in found.items()}
    kept = worth(relevance, words)
    assert {item for item, score in relevance.items() if score == max(relevance.values())} <= kept
    assert worth({item: relevance[item] for item in kept}, words) == kept


def test_r30_a_word_in_passing_brings_nothing_along(ana: stead.Subject) -> None:
    for claim in ("Keeps the kayak in the boathouse", "Keeps spare keys with Odile", "Runs every Monday"):
        ana.remember(claim)
    assert served(ana, "where do I keep the kayak?") == ["Keeps the kayak in the boathouse"]


def test_r30_both_halves_of_a_question_are_answered(ana: stead.Subject) -> None:
    for claim in ("Paddles a red kayak on the lake", "Plays the oboe", "Lives by the lake"):
        ana.remember(claim)
    assert sorted(served(ana, "the red kayak, and the oboe")) == ["Paddles a red kayak on the lake", "Plays the oboe"]


def test_r30_episodes_are_not_cut(ana: stead.Subject) -> None:
    with ana.session("c-1") as session:
        session.turn("user", "The kayak is in the boathouse, where I keep it.")
        session.turn("user", "I keep forgetting things.")
    found = ana.recall("where do I keep the kayak in the boathouse?")
    assert len(found.episodes) == 2


# --- names --------------------------------------------------------------------------------------------------------------


def test_r21_a_question_by_an_alias_finds_what_was_said_of_the_entity(ana: stead.Subject) -> None:
    ana.remember("The Harbour Library closes at six")
    ana.remember("Collects stamps")
    assert served(ana, "when does the HLX close?") == ["The Harbour Library closes at six"], "by the word close"
    assert served(ana, "HLX") == []
    ana.alias("HLX", means="Harbour Library")
    assert served(ana, "HLX") == ["The Harbour Library closes at six"]


def test_r21_a_part_of_another_name_is_not_the_name(ana: stead.Subject) -> None:
    ana.remember("The old harbour ferry leaves at nine")
    ana.alias("HLX", means="Old Harbour Library")
    assert served(ana, "HLX") == []
    ana.remember("The Old Harbour Library closes at six")
    assert served(ana, "HLX") == ["The Old Harbour Library closes at six"]


def test_r21_several_names_of_one_thing_do_not_add_up(ana: stead.Subject) -> None:
    """The second half of a question keeps its answer beside something with many names."""
    ana.remember("Kubernetes, kube and kates run the payments cluster")
    ana.remember("Sven plays the oboe")
    for name in ("kube", "kates"):
        ana.alias(name, means="Kubernetes")
    first, second = ana.recall("kube, and the oboe").facts
    assert {first.claim[:4], second.claim[:4]} == {"Kube", "Sven"}
    assert min(first.score, second.score) > 0.9


def test_r29_what_the_question_names_comes_however_much_else_it_says(ana: stead.Subject) -> None:
    ana.remember("Painted the tall wooden fence behind the cottage green last summer")
    ana.remember("The boathouse has a leaking roof")
    ana.remember("A leaking tap was repaired")
    asked = "who painted the tall wooden fence behind the cottage green last summer, and what of the shed?"
    by_its_name = asked.replace("shed", "boathouse")
    assert len(served(ana, asked)) == len(served(ana, by_its_name)) == 1, "no entity is known"
    ana.alias("the shed", means="boathouse")
    assert served(ana, asked)[1:] == served(ana, by_its_name)[1:] == ["The boathouse has a leaking roof"]


def test_r21_aliases_of_one_subject_mean_nothing_to_another(store: stead.Store, ana: stead.Subject) -> None:
    other = store.subject("other")
    for each in (ana, other):
        each.remember("The Harbour Library closes at six")
    ana.alias("HLX", means="Harbour Library")
    assert served(other, "HLX") == []


def test_r50_a_past_answer_does_not_know_a_later_alias(ana: stead.Subject) -> None:
    made = ana.remember("The Harbour Library closes at six")
    before = made.known_at
    ana.alias("HLX", means="Harbour Library")
    assert [each.claim for each in ana.recall("HLX", known_at=before).facts] == []
