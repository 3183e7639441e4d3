"""`stead consolidate`: the same words and the same report as in Python (R36, R52)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from benchmarks.planted import load
from tests.commands import Run, ok

import stead
from stead.model.consolidation import PHASES

CLAIMS = ("Works at Apex", "Works at Borealis", "Owns a boat", "Owns a boat.", "Likes tea")


@pytest.fixture
def loaded(run: Run, tmp_path: Path) -> Run:
    """Return the runner of a folder whose store has something to do for two subjects."""
    run("remember", "Rows on Sundays")
    [path] = tmp_path.glob("*.db")
    with stead.open(path, embedder="none") as store:
        load(store, "user", CLAIMS)
        load(store, "ben", CLAIMS[:2])
    return run


def test_r36_a_dry_run_tells_and_the_run_does(loaded: Run) -> None:
    dry = loaded("consolidate", "--dry-run")
    assert dry.code == 0
    assert "would change" in dry.out and "merged" in dry.out
    assert "would close 1 of at most 10 records without a review" in dry.err
    assert ok(loaded, "records", "--status", "superseded")["records"] == []
    ran = loaded("consolidate", "--steps")
    assert (ran.code, "closed 1 of at most 10 records without a review" in ran.err) == (0, True)
    assert "SUPERSEDE" in ran.out and "rec_" in ran.out
    assert all(word not in ran.out for word in ("Apex", "boat"))
    assert {each["claim"] for each in ok(loaded, "records", "--status", "superseded")["records"]} == {
        "Works at Apex",
        "Owns a boat.",
    }


def test_r52_json_is_the_report_of_python(loaded: Run, tmp_path: Path) -> None:
    dry = ok(loaded, "consolidate", "--dry-run", "--all-subjects")
    [path] = tmp_path.glob("*.db")
    with stead.open(path, embedder="none") as store:
        python = store.consolidate(dry_run=True).as_dict()
    assert [each["subject"] for each in dry["subjects"]] == ["ben", "user"]
    assert timeless(dry) == timeless(json.loads(json.dumps(python)))
    [_, mine] = dry["subjects"]
    assert [each["name"] for each in mine["phases"]] == list(PHASES)


def timeless(report: Any) -> Any:
    """Return a report without how long it took."""
    for run_ in report["subjects"]:
        for phase in run_["phases"]:
            phase["seconds"] = 0
    return report


def test_r36_limits_stop_and_go_on(loaded: Run) -> None:
    first = loaded("consolidate", "--limit", "1")
    assert "the limit was reached: the next call goes on" in first.err
    rest = ok(loaded, "consolidate")
    assert [(each["finished"], each["resumed"]) for each in rest["subjects"]] == [(True, True)]
    everybody = loaded("consolidate", "--all-subjects", "--limit", "1")
    assert everybody.out.startswith("\nben\n")
    assert "\nuser\n" in everybody.out
    assert ok(loaded, "consolidate", "--fresh")["subjects"][0]["resumed"] is False


def test_r53_what_becomes_a_question_is_named(loaded: Run) -> None:
    ran = loaded("consolidate", "--share", "0")
    assert "1 wait for an answer: stead questions" in ran.err
    assert [each["kind"] for each in ok(loaded, "questions")["questions"]] == ["review"]


def test_of_an_empty_store_it_says_so(run: Run, tmp_path: Path) -> None:
    stead.open(tmp_path / "empty.db", embedder="none").close()
    ran = run("consolidate", "--all-subjects", "--store", str(tmp_path / "empty.db"))
    assert (ran.code, ran.err) == (0, "note: nothing was ever written\n")


def test_missing_vectors_are_told(loaded: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.test_failures import Hashed

    embedder = Hashed()
    monkeypatch.setattr("stead.memory.store.load_embedder", lambda _wanted: embedder)
    assert "8 vectors are missing" in loaded("consolidate", "--dry-run").err
    embedder.failing = "raises"
    assert "the embedder failed: vectors are still missing" in loaded("consolidate").err
    embedder.failing = ""
    assert "8 vectors made" in loaded("consolidate").err


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [(("--share", "2"), 2, None), (("--limit", "0"), 2, None), (("--store", "none.db"), 3, "store_not_found")],
)
def test_what_cannot_be_done_is_an_error(run: Run, words: tuple[str, ...], code: int, error: str | None) -> None:
    ran = run("consolidate", *words, "--json")
    assert ran.code == code
    assert error is None or ran.error["code"] == error
