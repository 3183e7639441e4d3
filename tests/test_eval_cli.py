"""The measurements of contradictions on the command line: what they print, and what they say when they can't run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.commands import Run

from stead.evaluate import density
from stead.evaluate.precision_cases import BELIEFS, CASES, SESSIONS

FACTS = ["Orla Brandt lives in Velmora.", "Piet Varga plays the cello.", "Orla Brandt lives in Kestrel."]


@pytest.fixture
def facts(tmp_path: Path) -> str:
    numbered = "\n".join(f"{number}. {fact}" for number, fact in enumerate(FACTS))
    content = {"context": numbered, "questions": ["Where does Orla Brandt live?"], "answers": [["Kestrel"]]}
    (tmp_path / "sh_6k.json").write_text(json.dumps(content), "utf-8")
    return str(tmp_path)


@pytest.fixture
def beliefs(tmp_path: Path) -> str:
    belief = {
        "_id": "b-mulch", "user_id": "test-user", "type": "preference", "canonical_name": "mulch", "aliases": ["straw"],
        "content": "Mulches with straw.", "scope": ["domain:garden"], "created_at": "2026-03-01T00:00:00Z",
    }  # fmt: skip
    case = {
        "caseId": "c", "category": "Own", "scope": ["domain:garden"], "query": "straw",
        "expect": {"relevantBeliefs": {"shouldOnlyInclude": ["b-mulch"]}},
    }  # fmt: skip
    turn = {"turnIndex": 0, "scope": ["domain:garden"], "userMessage": "straw", "expect": case["expect"]}
    for name, content in ((BELIEFS, [belief]), (CASES, [case]), (SESSIONS, [{"caseId": "s", "turns": [turn]}])):
        (tmp_path / name).write_text(json.dumps(content), "utf-8")
    return str(tmp_path)


def test_fact_consolidation_prints_a_table_or_json_and_its_progress_on_stderr(run: Run, facts: str) -> None:
    shown, data = run("eval", "fact-consolidation", "--data", facts), run(
        "eval", "fact-consolidation", "--data", facts, "--json"
    )  # fmt: skip
    assert (shown.code, data.code) == (0, 0), shown.err
    assert "one hop" in shown.out and "sh_6k: 3 facts, 1 questions" in shown.err
    [row] = data.json["sets"]
    assert (row["accuracy"], row["pairs"], row["found"], row["stale"]) == (1.0, 1, 1, 0)


def test_precision_prints_a_table_or_json(run: Run, beliefs: str) -> None:
    shown, data = run("eval", "precision", "--data", beliefs), run("eval", "precision", "--data", beliefs, "--json")
    assert (shown.code, data.code) == (0, 0), shown.err
    assert "1 of 1 cases pass, 1 of 1 turns" in shown.out
    assert (data.json["passed"], data.json["precision"], data.json["embedder"]) == (1, 1.0, "none")


def test_density_takes_its_size_seed_and_kind(run: Run) -> None:
    slotted = run("eval", "density", "--writes", "12", "--seed", "5", "--json")
    unslotted = run("eval", "density", "--writes", "12", "--seed", "5", "--unslotted", "--json")
    assert (slotted.code, unslotted.code) == (0, 0), slotted.err + unslotted.err
    assert (slotted.json["slotted"], unslotted.json["slotted"]) == (True, False)
    assert slotted.json["seed"] == 5
    assert [each["density"] for each in slotted.json["rows"]] == list(density.DENSITIES)
    assert {each["writes"] for each in slotted.json["rows"]} == {12}
    shown = run("eval", "density", "--writes", "12")
    assert "seed 1" in shown.out and "density 60%: " in shown.err


def test_density_draws_a_plot(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    ran = run("eval", "density", "--writes", "6", "--plot", "density.png")
    assert ran.code == 0, ran.err
    assert (tmp_path / "density.png").read_bytes().startswith(b"\x89PNG")
    assert "density" in ran.out


@pytest.mark.parametrize("name", ["fact-consolidation", "precision"])
def test_a_folder_without_the_data_is_a_wrong_call_that_names_the_files(run: Run, tmp_path: Path, name: str) -> None:
    for folder in (tmp_path, tmp_path / "none"):
        ran = run("eval", name, "--data", str(folder), "--json")
        assert (ran.code, ran.out, ran.error["field"]) == (2, "", "data")
        assert ran.error["hint"].startswith("Name the f")
    assert run("eval", name).code == 2, "the folder must be given"


@pytest.mark.parametrize(
    ("file", "name", "says"),
    [("sh_6k.json", "fact-consolidation", "sh_6k is not JSON"), (BELIEFS, "precision", f"{BELIEFS} is not JSON")],
)
def test_a_broken_file_is_named_and_nothing_of_it_is_said(
    run: Run, tmp_path: Path, beliefs: str, file: str, name: str, says: str
) -> None:
    (tmp_path / file).write_text("{secret", "utf-8")
    ran = run("eval", name, "--data", beliefs)
    assert ran.code == 2
    assert says in ran.err and "secret" not in ran.err


@pytest.mark.parametrize(
    ("words", "field"),
    [
        (("--writes", "0"), "writes"), (("--plot", "density.txt"), "plot"), (("--plot", "density"), "plot"),
        (("--plot", "none/density.svg"), "plot"),
    ],
)  # fmt: skip
def test_what_density_cannot_do_is_said_before_it_measures(run: Run, words: tuple[str, ...], field: str) -> None:
    ran = run("eval", "density", *words, "--json")
    assert (ran.code, ran.out, ran.error["field"]) == (2, "", field)
    assert ran.error["hint"]
    assert "right" not in ran.err


def test_without_matplotlib_a_plot_is_refused_with_what_to_install(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(density, "find_spec", lambda _: None)
    ran = run("eval", "density", "--plot", "density.svg", "--json")
    assert (ran.code, ran.out, ran.error["code"]) == (7, "", "missing_extra")
    assert ran.error["hint"] == "pip install 'stead[plots]'"
    assert run("eval", "density", "--writes", "4").code == 0, "nothing else needs it"
    assert not list(tmp_path.glob("*.svg"))
