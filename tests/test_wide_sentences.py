"""Claims without a slot in many shapes, and about names that look like grammar (R21, R24): sets that we wrote to develop on."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml

from stead.resolve.text import Kind, compare, read

DATA = Path(__file__).parent / "data" / "resolution"
EACH = 4
"""Sentences that each name is put into."""


def load(name: str) -> Any:
    return yaml.safe_load((DATA / name).read_text(encoding="utf-8"))


def filled(sentence: str, subject: object, answer: object) -> str:
    text = sentence.replace("{s}", str(subject)).replace("{v}", str(answer))
    return text[:1].upper() + text[1:]


def shapes() -> Iterator[tuple[str, Any, Any, Any, Any, str]]:
    for sentence, subject, other, one, two, *kind in load("wide_sentences.yaml"):
        yield sentence, subject, other, one, two, kind[0] if kind else "one"


def test_there_are_many_shapes() -> None:
    """The sets are as wide as they are meant to be."""
    assert sum(kind != "many" for *_, kind in shapes()) >= 330
    assert sum(kind == "many" for *_, kind in shapes()) >= 80


def test_another_answer_is_found_in_every_shape() -> None:
    """R24: one subject, one question with one answer, another answer; in both directions, under one key."""
    missed = []
    for sentence, subject, _, one, two, kind in shapes():
        old, new = filled(sentence, subject, one), filled(sentence, subject, two)
        before, after = read(old), read(new)
        met = before is not None and after is not None and before.single
        alike = before is not None and after is not None and (before.key == after.key or kind == "shared")
        both = {compare(old, new).kind, compare(new, old).kind}
        if kind != "many" and (not (met and alike) or both != {Kind.CONTRADICTS}):
            missed.append((old, new))
    assert missed == []


def test_what_can_both_be_true_is_left_alone() -> None:
    """R24: friends, visits, awards, and whatever else takes many answers."""
    rows = [(filled(row[0], row[1], row[3]), filled(row[0], row[1], row[4])) for row in shapes() if row[5] == "many"]
    assert [pair for pair in rows if compare(*pair).kind is not Kind.UNRELATED] == []
    assert [pair for pair in rows if compare(*reversed(pair)).kind is not Kind.UNRELATED] == []


def test_another_subject_is_another_question() -> None:
    """R24: the same sentence about somebody else takes nothing away."""
    wrong = []
    for sentence, subject, other, one, two, kind in shapes():
        if kind == "shared" or subject == other:
            continue
        for answer in (one, two):
            old, new = filled(sentence, subject, one), filled(sentence, other, answer)
            if compare(old, new).kind is not Kind.UNRELATED:
                wrong.append((old, new))
    assert wrong == []


def around(kind: str) -> Iterator[tuple[str, str, str]]:
    """Yield sentences about names: one answer, another one, and the same sentence about the next name."""
    part = load("wide_names.yaml")[kind]
    sentences, (one, two) = part["sentences"], part["answers"]
    for place, (name, following) in enumerate(pairwise([*part["names"], part["names"][0]])):
        for step in range(EACH):
            sentence = sentences[(place + 5 * step) % len(sentences)]
            yield filled(sentence, name, one), filled(sentence, name, two), filled(sentence, following, two)


@pytest.mark.parametrize(("kind", "least"), [("works", 0.94), ("people", 0.985), ("orgs", 0.97)])
def test_names_that_look_like_grammar_are_names(kind: str, least: float) -> None:
    """R24: "Is This It was written by …" is about a record; what can't be told from a sentence stays unread, never misread."""
    rows = list(around(kind))
    found = [compare(old, new).kind is Kind.CONTRADICTS for old, new, _ in rows]
    assert sum(found) / len(rows) >= least, [row for row, hit in zip(rows, found, strict=True) if not hit]
    assert [row for row in rows if compare(row[0], row[2]).kind is not Kind.UNRELATED] == []


@pytest.mark.parametrize(
    "claim",
    [
        "Maybe Tom Reed works at Acme", "Perhaps Tom Reed is ill", "Tom Reed is Probably ill", "If Tom Reed comes Ida leaves",
        "Will Tom Reed come to the party", "Can Tom Reed swim", "Should Tom Reed be told", "The Berlin I know is big",
        "When in Rome I eat pasta", "In Berlin I was happy", "Who Tom Reed is remains open", "What Tom Reed wants is tea",
        "Because Tom Reed is ill, Ida left Acme",
        "While Tom Reed works at Acme Ida lives in Kelm",
        "Great news from Ida! Tom Reed is the CEO of Acme",
        "I live in Rome. My wife lives in Oslo", "Tom Reed played for Kelm F.C. He likes tea", "Tom Reed thinks Ida is the CEO of Acme",
    ],
)  # fmt: skip
def test_a_capital_makes_no_fact_of_what_is_none(claim: str) -> None:
    """R24: hedges, questions, suppositions and two sentences stay unread, whatever names stand in them."""
    assert read(claim) is None


@pytest.mark.parametrize(
    "claim", ["The manager is NOT Ida", "The manager is Not Ida", "Tom Reed is Not a doctor", "Tom is NOT a doctor"]
)
def test_a_capital_takes_no_denial_away(claim: str) -> None:
    """R24: "not" is a denial however it is written."""
    plain = claim.replace("NOT ", "").replace("Not ", "")
    assert compare(plain, claim).kind is Kind.CONTRADICTS


def test_a_title_is_one_answer() -> None:
    """R24: "in Translation" is no place where a work is asked for; "in Berlin" is one where a company is."""
    film, works = read("My favorite movie is Lost in Translation"), read("Works at Acme in Berlin")
    assert film is not None
    assert (film.object, film.value) == ("", "lost in translation")
    assert works is not None
    assert (works.object, works.value) == ("", "acme")


def test_a_bearer_of_a_name_is_told_from_another() -> None:
    """R24: what stands in brackets behind a name says who is meant, where it isn't an aside."""
    assert (
        compare("Dune (1984) was directed by Tom Reed", "Dune (2021) was directed by Ida Holm").kind is Kind.UNRELATED
    )
    one, two = "John Smith (politician) was born in Kelm", "John Smith (footballer, born 1990) was born in Orrin"
    assert compare(one, two).kind is Kind.UNRELATED
    assert compare(one, one.replace("Kelm", "Orrin")).kind is Kind.CONTRADICTS


def test_a_number_of_a_king_is_not_the_speaker() -> None:
    """R24: "I" is a numeral behind a name, and an initial before a full stop."""
    for claim in ("Juan Carlos I was born in Kelm", "I. M. Pei was born in Kelm"):
        found = read(claim)
        assert found is not None
        assert (found.relation, found.value) == ("be born in", "kelm")
    spoken = read("I was born in Kelm")
    assert spoken is not None
    assert spoken.entity == "user"
