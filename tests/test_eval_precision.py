"""PrecisionMemBench: its files, its verdict, and beliefs put into a store through the public API. A small world of our own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from stead.errors import InvalidArgument
from stead.evaluate import precision
from stead.evaluate.precision_cases import (
    BELIEFS,
    CASES,
    SESSIONS,
    Case,
    Given,
    Judged,
    beliefs,
    cases,
    judge,
    sessions,
)


def belief(name: str, content: str, **other: Any) -> dict[str, Any]:
    return {
        "_id": f"b-{name}", "user_id": "test-user", "type": "preference", "canonical_name": name, "aliases": [],
        "content": content, "why_it_matters": "", "scope": ["domain:garden"], "pinned": False, "user_edited": False,
        "confidence": 0.9, "superseded_by": None, "resolved_at": None, "created_at": "2026-03-01T00:00:00Z", **other,
    }  # fmt: skip


WORLD = [
    belief("mulch", "Mulches with straw.", aliases=["straw"]),
    belief("roses", "Prunes roses in February.", aliases=["secateurs"], user_edited=True),
    belief("kettle", "Boils the kettle twice.", scope=["domain:kitchen"], aliases=["teapot"]),
    belief("shed_old", "Stores tools in the cellar.", superseded_by="b-shed", created_at="2026-01-01T00:00:00Z"),
    belief("shed", "Stores tools in the shed.", pinned=True, aliases=["toolbox"]),
    belief("pond_q", "Should the pond be deeper?", type="open_question", pinned=True),
    belief("fence_q", "Which fence?", type="open_question", pinned=True, resolved_at="2026-04-01T00:00:00Z"),
    belief("watering", "Waters at dawn.", type="relation", participants=["b-mulch", "b-pond_q"], aliases=["hosepipe"]),
    belief("manner", "Likes short answers.", scope=["user:universal"], pinned=True),
    belief("other", "Mulches with bark.", user_id="other-user", aliases=["straw"]),
]


def case(query: str, *, scope: tuple[str, ...] = ("domain:garden",), **expect: Any) -> dict[str, Any]:
    return {
        "caseId": query or "empty", "category": "Own", "description": "", "scope": list(scope), "query": query,
        "expect": expect,
    }  # fmt: skip


def only(*names: str) -> dict[str, Any]:
    return {"shouldOnlyInclude": [f"b-{each}" for each in names]}


ASKED = [
    case("straw", relevantBeliefs=only("mulch")),
    case("teapot", relevantBeliefs=only()),
    case("teapot and secateurs", scope=("domain:garden", "domain:kitchen"), relevantBeliefs=only("roses", "kettle")),
    case("tools in the cellar", relevantBeliefs={"mustExclude": ["b-shed_old"], "mustInclude": ["b-shed"]},
         pinnedFacts={"mustInclude": ["b-shed"], "mustExclude": ["b-manner"]}),
    case("pond deeper fence", relevantBeliefs=only(), openQuestions={"mustInclude": ["b-pond_q"], "mustExclude": ["b-fence_q"]}),
    case("hosepipe", relevantBeliefs=only("watering", "mulch")),
    case("", relevantBeliefs=only(), personaPrelude={"nonEmpty": True, "contains": ["short answers"]}),
    {**case("straw", personaPrelude={"isNull": True}, relevantBeliefs=only()), "userId": "new-user"},
    {**case("secateurs", relevantBeliefs=only("mulch")), "budget": {"maxBeliefs": 8}},
]  # fmt: skip
TURNS = [
    {"turnIndex": 0, "scope": ["domain:garden"], "userMessage": "wheelbarrow", "expect": {"relevantBeliefs": only()},
     "createBeliefAtTurn": belief("barrow", "Keeps a wheelbarrow.")},
    {"turnIndex": 1, "scope": ["domain:garden"], "userMessage": "wheelbarrow", "expect": {"relevantBeliefs": only("barrow")},
     "updateBeliefAtTurn": {"beliefId": "b-mulch", "addAliases": ["haystack"]}},
    {"turnIndex": 2, "scope": ["domain:garden"], "userMessage": "haystack",
     "expect": {"relevantBeliefs": only("mulch"), "noiseCheck": {"mustNotSurface": ["b-barrow"]}}},
]  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, content in (
        (BELIEFS, WORLD), (CASES, ASKED), (SESSIONS, [{"caseId": "s", "description": "", "turns": TURNS}]),
    ):  # fmt: skip
        (tmp_path / name).write_text(json.dumps(content), "utf-8")
    return tmp_path


def test_a_world_is_asked_through_recall(folder: Path) -> None:
    report = precision.evaluate(folder, embedder="none")
    assert {each.case: each.failures for each in report.judged if each.failures} == {"secateurs": ("extra", "missing")}
    assert (report.passed, len(report.judged), report.not_standing) == (8, 9, 0)
    assert [each.failures for each in report.turns] == [(), (), ()]
    assert (report.precision, report.recall) == (0.75, 0.75)  # of the four cases where something is expected
    shape = report.as_dict()
    assert json.loads(json.dumps(shape)) == shape
    text = "\n".join(report.lines())
    assert "8 of 9 cases pass, 3 of 3 turns" in text
    assert "extra 1, missing 1" in text
    assert "straw" not in text


def test_less_of_a_belief_can_be_written(folder: Path) -> None:
    world = [{**each, "why_it_matters": "Keeps slugs away."} if each["_id"] == "b-mulch" else each for each in WORLD]
    (folder / BELIEFS).write_text(json.dumps(world), "utf-8")
    (folder / CASES).write_text(json.dumps([*ASKED, case("slugs", relevantBeliefs=only("mulch"))]), "utf-8")
    passed = {
        text: {each.case for each in precision.evaluate(folder, embedder="none", text=text).judged if each.passed}
        for text in precision.TEXTS
    }
    assert "slugs" in passed["all"]
    assert passed["all"] - passed["content"] == {"slugs"}
    assert passed["all"] - passed["names"] == {"slugs", "empty"}, "nor what the prelude says"
    with pytest.raises(InvalidArgument, match="text: unknown"):
        precision.evaluate(folder, text="everything")


def test_r21_aliases_are_laid_and_a_name_of_two_beliefs_means_the_first(folder: Path) -> None:
    """Of "clay" in two scopes the second keeps its words; an alias that only spells the name is none."""
    world = [
        belief("raised_bed", "Grows leeks.", aliases=["Raised Bed", "clay", "raised bed"]),
        belief("pot", "Holds the ladle.", aliases=["clay"], scope=["domain:kitchen"]),
    ]
    asked = [
        case("clay", relevantBeliefs=only("raised_bed")),
        case("clay", scope=("domain:kitchen",), relevantBeliefs=only("pot")),
    ]
    for name, content in ((BELIEFS, world), (CASES, asked)):
        (folder / name).write_text(json.dumps(content), "utf-8")
    report = precision.evaluate(folder, embedder="none")
    assert (report.passed, report.not_aliases) == (2, 1)
    assert report.as_dict()["not_aliases"] == 1
    bare = precision.evaluate(folder, embedder="none", text="content")
    assert [each.failures for each in bare.judged] == [("missing",), ("missing",)], "no claim has the name"


def test_the_pinned_tier_is_in_the_order_of_the_seed(folder: Path) -> None:
    world = [belief(name, f"Keeps {name}.", pinned=True) for name in ("newts", "adders", "mice")]
    world[0]["created_at"] = "2026-05-01T00:00:00Z"
    expected: dict[str, Any] = {"pinnedFacts": {"mustInclude": ["b-newts"], "mustExclude": ["b-adders", "b-mice"]}}
    for name, content in ((BELIEFS, world), (CASES, [{**case("pond", **expected), "budget": {"maxBeliefs": 1}}])):
        (folder / name).write_text(json.dumps(content), "utf-8")
    assert precision.evaluate(folder, embedder="none").passed == 1


# --- the verdict --------------------------------------------------------------------------------------------------------


def judged(given: Given, **expect: Any) -> Judged:
    asked = Case(id="c", category="Own", user="u", scopes=("s",), query="q", most=20, expect=expect)
    return judge(asked, given, frozenset({"p"}))


def answered(*relevant: str, pinned: tuple[str, ...] = (), questions: tuple[str, ...] = (), prelude: str = "") -> Given:
    return Given(pinned=pinned, relevant=relevant, questions=questions, prelude=prelude)


@pytest.mark.parametrize(
    ("given", "expect", "failures"),
    [
        (answered("a"), {"relevantBeliefs": {"shouldOnlyInclude": ["a"]}}, ()),
        (answered("a", "b"), {"relevantBeliefs": {"shouldOnlyInclude": ["a"]}}, ("extra",)),
        (answered(), {"relevantBeliefs": {"shouldOnlyInclude": ["a"]}}, ("missing",)),
        (answered(pinned=("a",)), {"relevantBeliefs": {"mustInclude": ["a"]}}, ()),
        (answered(pinned=("a",)), {"relevantBeliefs": {"mustExclude": ["a"]}}, ("forbidden",)),
        (answered("a"), {"relevantBeliefs": {"shouldInclude": ["b"]}}, ("missing",)),
        (answered("a", "b"), {"relevantBeliefs": {"maxCount": 1}}, ("extra",)),
        (answered("a"), {"relevantBeliefs": {"minCount": 2}}, ("missing",)),
        (answered("a", "b"), {"relevantBeliefs": {"orderedBefore": [["a", "b"]]}}, ()),
        (answered("b", "a"), {"relevantBeliefs": {"orderedBefore": [["a", "b"]]}}, ("order",)),
        (answered("b"), {"relevantBeliefs": {"orderedBefore": [["a", "b"]]}}, ("order",)),
        (answered("a"), {"pinnedFacts": {"mustInclude": ["a"]}}, ("pinned",)),
        (answered(questions=("a",)), {"openQuestions": {"mustInclude": ["a"], "mustExclude": ["b"]}}, ()),
        (answered(questions=("a",)), {"openQuestions": {"mustExclude": ["a"]}}, ("question",)),
        (answered("a"), {"noiseCheck": {"mustNotSurface": ["a"]}}, ("forbidden",)),
        (answered(), {"personaPrelude": {"nonEmpty": True}}, ("prelude",)),
        (answered(prelude="x"), {"personaPrelude": {"isNull": True}}, ("prelude",)),
        (answered(prelude="x"), {"personaPrelude": {"contains": ["x", "y"], "mustNotContain": ["x"]}}, ("prelude", "prelude")),
    ],
)  # fmt: skip
def test_every_assertion_of_the_runner_is_checked(
    given: Given, expect: dict[str, Any], failures: tuple[str, ...]
) -> None:
    found = judged(given, **expect)
    assert found.failures == failures
    assert found.passed == (not failures)


def test_precision_and_recall_are_of_the_relevant_tier() -> None:
    found = judged(answered("a", "b", pinned=("p",)), relevantBeliefs={"mustInclude": ["a", "p"]})
    assert (found.precision, found.recall) == (0.5, 1)
    nothing = judged(answered(), relevantBeliefs={"shouldOnlyInclude": []})
    assert (nothing.precision, nothing.recall) == (None, None)
    silent = judged(answered(), relevantBeliefs={"shouldOnlyInclude": ["a"]})
    assert (silent.precision, silent.recall) == (0, 0)


# --- the files ----------------------------------------------------------------------------------------------------------


def test_the_files_are_read(folder: Path) -> None:
    assert [each.id for each in beliefs(folder)][:2] == ["b-mulch", "b-roses"]
    assert cases(folder)[8].most == 8
    [turns] = sessions(folder)
    assert turns[0].create is not None and turns[0].create.id == "b-barrow"
    assert turns[1].aliases == ("b-mulch", ("haystack",))


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        (BELIEFS, [belief("x", "y", scope=["a", "b"])], "[0].scope is not exactly one scope"),
        (BELIEFS, [belief("x", "y", scope=[1])], "[0].scope is not a list of texts"),
        (BELIEFS, [belief("x", "y", created_at=None)], "[0].created_at is missing"),
        (BELIEFS, [belief("x", "y", created_at="yesterday")], "[0].created_at is not a time with its zone"),
        (BELIEFS, [belief("x", "y", resolved_at="2026-01-01T00:00:00")], "[0].resolved_at is not a time with its zone"),
        (CASES, [{**ASKED[0], "expect": []}, {**ASKED[0], "expect": [1]}], "[1].expect is not an object"),
        (CASES, [{**ASKED[0], "budget": {"maxBeliefs": -1}}], "[0].budget.maxBeliefs is not a whole number"),
        (SESSIONS, [{"caseId": "s", "turns": [3]}], "[0].turns[0] is not an object"),
    ],
)  # fmt: skip
def test_a_broken_file_is_named_by_its_place(folder: Path, name: str, content: object, says: str) -> None:
    (folder / name).write_text(json.dumps(content), "utf-8")
    with pytest.raises(InvalidArgument) as caught:
        precision.evaluate(folder, embedder="none")
    assert says in caught.value.message
