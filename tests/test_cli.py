"""The command line, run as a person runs it: on real files, with its exit codes, its JSON and its messages."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.commands import Run, ok

import stead
from stead.errors import SteadError, StoreBusy
from stead.surfaces.cli import output
from stead.surfaces.cli.commands import Here

SOURCE = str(Path(stead.__file__).parent.parent)
SECRET = "zanzibar"
"""A word that is remembered and that no error may carry."""


@pytest.fixture
def moved(run: Run) -> tuple[str, str]:
    """Return the ids of two records: Berlin, which Lisbon superseded in March."""
    first = ok(run, "remember", "Lives in Berlin", "--slot", "home.city=Berlin", "--valid-from", "2024-01-01T00:00Z")
    second = ok(run, "remember", "Lives in Lisbon", "--slot", "home.city=Lisbon", "--valid-from", "2025-03-01T00:00Z")
    assert (first["decision"], second["decision"]) == ("ADD", "SUPERSEDE")
    return first["record"], second["record"]


@pytest.fixture
def contested(run: Run) -> tuple[str, str]:
    """Return the ids of two records of different speakers that contradict each other."""
    first = ok(run, "remember", "The dog is Rex", "--slot", "dog/name=Rex")
    second = ok(run, "remember", "The dog is Max", "--slot", "dog/name=Max", "--speaker", "ben")
    assert second["decision"] == "CONTEST"
    return first["record"], second["record"]


# --- writing ------------------------------------------------------------------------------------------------------------


def test_remember_says_what_it_did(run: Run) -> None:
    ran = run("remember", "Prefers an aisle seat", "--slot", "travel.seat=aisle", "--authority", "confirmed")
    assert ran.code == 0
    assert re.match(r"ADD  rec_\w{16}  active\n", ran.out)
    assert ran.err == ""


def test_remember_takes_every_limit_of_a_claim(run: Run) -> None:
    ok(
        run, "remember", "Sushi is fine on trips", "--entity", "user", "--attribute", "x.food", "--object", "sushi",
        "--value", "likes", "--scope", "trips", "--kind", "preference", "--authority", "confirmed", "--speaker", "ana",
        "--source", "conversation=c1", "--source", "turn=t4", "--purpose", "meals", "--audience", "agent",
        "--confidence", "0.9", "--importance", "0.8", "--observed-at", "2025-06-01T10:00Z", "--valid-from",
        "2025-06-01", "--valid-until", "2125-07-01", "--expires-at", "2126-01-01", "--zone", "Europe/Berlin",
        "--owner", "meals-team", "--trigger", "form", "--review-events", "role changed", "--idempotency-key", "k1",
        "--if-version", "0",
    )  # fmt: skip
    [record] = run("records", "--json").json["records"]
    assert record["object"] == "sushi"
    assert record["scope"] == "trips"
    assert record["kind"] == "preference"
    assert record["purpose"] == ["meals"]
    assert record["stated"] == ["2025-05-31T22:00:00Z", "2125-06-30T22:00:00Z"]
    assert record["review_events"] == ["role changed"]
    assert record["sources"][0]["conversation"] == "c1"
    assert (record["owner"], record["trigger"], record["confidence"]) == ("meals-team", "form", 0.9)


def test_the_same_key_gives_the_first_outcome_back(run: Run) -> None:
    words = ("remember", "Likes tea", "--slot", "x.drink=tea", "--idempotency-key", "k1")
    first, second = ok(run, *words), ok(run, *words)
    assert second == first | {"replayed": True}
    assert "replayed" in run(*words).out


def test_a_wall_time_needs_a_zone_and_names_the_option(run: Run) -> None:
    words = ("remember", "Lives in Lisbon", "--slot", "home.city=Lisbon", "--valid-from", "2025-03-01")
    ran = run(*words)
    assert ran.code == 2
    assert ran.err.startswith("error[naive_time]: valid_from: ")
    assert "--zone" in ran.err
    assert run(*words, "--zone", "Europe/Lisbon").code == 0


def test_unset_masks_a_wider_value(run: Run) -> None:
    ok(run, "remember", "Aisle", "--slot", "x.seat=aisle")
    ok(run, "remember", "No wish on trains", "--slot", "x.seat", "--unset", "--scope", "trains")
    assert len(run("recall", "--slot", "x.seat", "--json").json["facts"]) == 1
    assert "aisle" not in [
        fact["value"] for fact in run("recall", "--slot", "x.seat", "--scope", "trains", "--json").json["facts"]
    ]


def test_a_claim_can_come_from_stdin(run: Run) -> None:
    assert run("remember", "-", "--slot", "x.drink=tea", stdin="Likes tea\n").code == 0
    assert run("records", "--json").json["records"][0]["claim"] == "Likes tea"


@pytest.mark.parametrize("from_stdin", [True, False])
def test_many_come_as_json_lines(run: Run, tmp_path: Path, from_stdin: bool) -> None:
    lines = "".join(
        json.dumps({"claim": f"Fact {number}", "slot": {"attribute": f"x.a{number}", "value": number}}) + "\n\n"
        for number in range(3)
    )
    (tmp_path / "many.jsonl").write_text(lines, "utf-8")
    ran = run("remember", "--jsonl", "-" if from_stdin else "many.jsonl", "--json", stdin=lines)
    assert [each["decision"] for each in ran.json["outcomes"]] == ["ADD"] * 3
    table = run("remember", "--jsonl", "many.jsonl")
    assert table.out.count("NOOP") == 3
    assert "3 lines: 3 NOOP" in table.err


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ('{"claim": "a", "slott": 1}', "line 2: slott"),
        ('{"claim": "a", "slot": {"attribute": "x", "valu": 1}}', "line 2: slot: valu"),
        ('{"claim": "a", "slot": {"value": 1}}', "line 2: slot"),
        ('{"claim": "a", "slot": {"attribute": "", "value": 1}}', "line 2: slot"),
        ('{"text": "a"}', "line 2"),
        ("[1]", "line 2"),
        ("{", "line 2"),
    ],
)
def test_a_wrong_line_is_named_and_nothing_is_ok(run: Run, tmp_path: Path, line: str, field: str) -> None:
    (tmp_path / "many.jsonl").write_text('{"claim": "good"}\n' + line, "utf-8")
    ran = run("remember", "--jsonl", "many.jsonl", "--json")
    assert ran.code == 2
    assert ran.error["field"] == field
    assert ran.error["hint"]
    assert not (tmp_path / "memory.db").exists()


def test_a_line_that_the_core_refuses_is_an_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "many.jsonl").write_text('{"claim": "good"}\n{"claim": "bad", "confidence": 7}', "utf-8")
    ran = run("remember", "--jsonl", "many.jsonl")
    assert ran.code == 2
    assert "confidence" in ran.err
    assert "0 of 2 lines were written" in ran.err


@pytest.mark.parametrize("words", [("a claim",), ("--slot", "a=b"), ("--scope", "work"), ("--confidence", "0.5")])
def test_jsonl_stands_alone(run: Run, words: tuple[str, ...]) -> None:
    assert run("remember", "--jsonl", "-", *words).code == 2


def test_a_missing_or_binary_file_of_lines_is_an_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe")
    assert "can't be read" in run("remember", "--jsonl", "nowhere").err
    assert "not UTF-8" in run("remember", "--jsonl", "binary").err


def test_say_records_an_episode_in_its_original_words(run: Run) -> None:
    ran = run("say", "user", "I moved to Lisbon in March.", "--conversation", "c7", "--said-at", "2025-04-01T10:00Z")
    assert ran.code == 0, ran.err
    [episode] = run("episodes", "--json").json["episodes"]
    assert episode["text"] == "I moved to Lisbon in March."
    assert (episode["conversation"], episode["role"]) == ("c7", "user")
    assert "I moved to Lisbon in March." in run("recall", "moved Lisbon").out
    assert "I moved to Lisbon in March." in run("episodes", "--conversation", "c7").out


# --- reading ------------------------------------------------------------------------------------------------------------


def test_recall_prints_the_rendering_and_notes_apart(run: Run, moved: tuple[str, str]) -> None:
    shown = run("recall", "where does she live?", "--slot", "home.city")
    data = run("recall", "where does she live?", "--slot", "home.city", "--json").json
    assert shown.code == 0
    assert "Lisbon" in shown.out
    assert "Berlin" not in shown.out
    assert [fact["id"] for fact in data["facts"]] == [moved[1]]
    assert all(f"note: {note}" in shown.err for note in data["notes"])
    assert "vector" not in json.dumps(data)


def test_recall_of_nothing_says_so_apart(run: Run, moved: tuple[str, str]) -> None:
    ran = run("recall", "--slot", "x.nothing")
    assert (ran.code, ran.out, ran.err) == (0, "", "note: nothing that is remembered applies here\n")


def test_recall_filters_by_its_reader(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ok(run, "remember", "Takes aspirin", "--slot", "x.drug=aspirin", "--audience", "doctor", "--purpose", "care")
    assert run("recall", "--slot", "x.drug").out == ""
    assert "aspirin" in run("recall", "--slot", "x.drug", "--audience", "doctor", "--purpose", "care").out
    monkeypatch.setenv("STEAD_AUDIENCE", "doctor,family")
    monkeypatch.setenv("STEAD_PURPOSE", "care")
    assert "aspirin" in run("recall", "--slot", "x.drug").out


def test_recall_travels_on_both_clocks(run: Run, moved: tuple[str, str]) -> None:
    known = run("records", "--json").json["records"]
    between = min(each["created_at"] for each in known)
    at = run("recall", "--slot", "home.city", "--at", "2024-06-01T00:00Z", "--json").json
    then = run("recall", "--slot", "home.city", "--known-at", between, "--json").json
    assert [fact["value"] for fact in at["facts"]] == ["Berlin"]
    assert [fact["value"] for fact in then["facts"]] == ["Berlin"]


def test_recall_keeps_a_budget(run: Run, moved: tuple[str, str]) -> None:
    assert run("recall", "--budget", "facts=0", "--budget", "tokens=500", "--json").json["facts"] == []
    assert run("recall", "--budget", "fact=1").code == 2


def test_known_at_in_the_future_is_refused(run: Run, moved: tuple[str, str]) -> None:
    ran = run("recall", "--known-at", "2200-01-01T00:00Z")
    assert (ran.code, ran.err.split(":")[0]) == (2, "error[known_at_in_future]")


@pytest.mark.parametrize(
    "words", [("home.city",), ("--slot", "home.city"), ("--attribute", "home.city"), ("user/home.city",)]
)
def test_holds_shows_the_strip(run: Run, moved: tuple[str, str], words: tuple[str, ...]) -> None:
    intervals = run("holds", *words, "--json").json["intervals"]
    assert [(each["value"], each["start"], each["end"]) for each in intervals] == [
        ("Berlin", "2024-01-01T00:00:00Z", "2025-03-01T00:00:00Z"),
        ("Lisbon", "2025-03-01T00:00:00Z", None),
    ]
    shown = run("holds", *words)
    assert re.search(r"2024-01-01T00:00Z +2025-03-01T00:00Z +Berlin", shown.out)


def test_holds_shows_a_contest(run: Run, contested: tuple[str, str]) -> None:
    assert "contested: " in run("holds", "dog/name").out


def test_holds_of_nothing_says_so(run: Run, moved: tuple[str, str]) -> None:
    ran = run("holds", "x.nothing")
    assert (ran.code, ran.out) == (0, "")
    assert "nothing holds" in ran.err


def test_history_draws_the_chain_as_a_tree(run: Run, moved: tuple[str, str]) -> None:
    shown = run("history", moved[0])
    assert shown.code == 0
    assert shown.out.startswith(f"{moved[1]}  active  Lives in Lisbon\n")
    assert f"└── replaced {moved[0]}  superseded  Lives in Berlin" in shown.out
    revisions = run("history", moved[1], "--json").json["revisions"]
    assert {each["id"] for each in revisions} == set(moved)
    assert [each["tx_from"] for each in revisions] == sorted(each["tx_from"] for each in revisions)


def test_why_shows_the_rows(run: Run, moved: tuple[str, str]) -> None:
    found = run("why", moved[1], "--json").json
    assert found["record"] == moved[1]
    assert "SUPERSEDE" in [row["decision"] for row in found["decisions"]]
    shown = run("why", moved[1])
    assert all(
        word in shown.out for word in ("decisions", "sources", "edges", "SUPERSEDE", moved[1], "Lives in Lisbon")
    )


def test_records_come_in_pages(run: Run) -> None:
    for number in range(5):
        ok(run, "remember", f"Fact {number}", "--slot", f"x.a{number}=1")
    seen, after = [], None
    while True:
        page = run("records", "--limit", "2", "--json", *(["--after", after] if after else [])).json
        seen += [each["claim"] for each in page["records"]]
        after = page["after"]
        if after is None:
            break
    assert sorted(seen) == [f"Fact {number}" for number in range(5)]
    assert "--after rec_" in run("records", "--limit", "2").err


def test_records_are_filtered(run: Run, moved: tuple[str, str]) -> None:
    assert [each["id"] for each in run("records", "--status", "superseded", "--json").json["records"]] == [moved[0]]
    assert run("records", "--scope", "work", "--json").json["records"] == []
    assert run("records", "--status", "lost").code == 2


def test_a_piped_table_is_neither_cut_nor_coloured(run: Run) -> None:
    claim = "A sentence that goes on " * 30
    record = ok(run, "remember", claim, "--slot", "x.long=1", "--scope", "work/briefs/internal")["record"]
    lines = run("records").out.splitlines()
    assert len(lines) == 2
    assert record in lines[1]
    assert lines[1].endswith(claim.strip())
    assert "\x1b" not in lines[1]


def test_what_is_remembered_can_not_drive_the_terminal(run: Run) -> None:
    ok(run, "remember", "Red \x1b[31m alert [bold]x[/bold] :smile:", "--slot", "x.a=1")
    shown = run("records").out
    assert r"Red \u001b[31m alert [bold]x[/bold] :smile:" in shown


def test_questions_are_shown_and_settled(run: Run, contested: tuple[str, str]) -> None:
    [question] = run("questions", "--json").json["questions"]
    assert [claim["id"] for claim in question["claims"]] == list(contested)
    shown = run("questions")
    assert all(word in shown.out for word in (question["id"], "contested", *contested))
    assert ok(run, "settle", question["id"], "--keep", contested[1])["decision"] == "UPDATE"
    assert run("questions", "--json").json == {"questions": []}
    assert [each["value"] for each in run("recall", "--slot", "dog/name", "--json").json["facts"]] == ["Max"]


def test_neither_is_an_answer_too(run: Run, contested: tuple[str, str]) -> None:
    assert run("settle").code == 2
    assert run("settle", "--neither").code == 0
    assert run("recall", "--slot", "dog/name", "--json").json["facts"] == []


def test_export_is_json_lines(run: Run, moved: tuple[str, str]) -> None:
    run("say", "user", "Hello there", "--conversation", "c1")
    ran = run("export")
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert ran.code == 0
    assert len(lines) >= 3
    assert all(isinstance(line, dict) for line in lines)
    assert all(text in ran.out for text in (*moved, "Hello there"))


# --- answers and repairs ------------------------------------------------------------------------------------------------


def test_a_proposal_is_confirmed_or_rejected(run: Run) -> None:
    first = ok(run, "remember", "Probably likes tea", "--slot", "x.drink=tea", "--authority", "inferred")
    second = ok(run, "remember", "Probably likes chess", "--slot", "x.game=chess", "--authority", "inferred")
    assert (first["status"], second["status"]) == ("proposed", "proposed")
    assert run("recall", "--slot", "x.drink", "--json").json["facts"] == []
    assert ok(run, "confirm", first["record"])["status"] == "active"
    assert ok(run, "reject", second["record"])["status"] == "rejected"
    assert [each["value"] for each in run("recall", "--slot", "x.drink", "--json").json["facts"]] == ["tea"]


def test_a_correction_takes_the_place(run: Run) -> None:
    record = ok(run, "remember", "Works at Acme", "--slot", "x.employer=Acme")["record"]
    assert run("correct", record, "Works at Apex", "--value", "Apex").code == 0
    assert [each["value"] for each in run("recall", "--slot", "x.employer", "--json").json["facts"]] == ["Apex"]


def test_a_slot_is_ended(run: Run, moved: tuple[str, str]) -> None:
    assert run("end", "--slot", "home.city", "--when", "2025-06-01T00:00Z").code == 0
    assert run("holds", "home.city", "--json").json["intervals"][-1]["end"] == "2025-06-01T00:00:00Z"


def test_a_record_is_ended(run: Run, moved: tuple[str, str]) -> None:
    assert run("end", moved[1], "--when", "2025-06-01T00:00Z").code == 0
    assert run("holds", "home.city", "--json").json["intervals"][-1]["end"] == "2025-06-01T00:00:00Z"


def test_a_retraction_is_rolled_back(run: Run, moved: tuple[str, str]) -> None:
    assert ok(run, "retract", moved[1])["status"] == "retracted"
    assert run("recall", "--slot", "home.city", "--json").json["facts"] == []
    assert ok(run, "rollback", moved[1])["status"] == "active"
    assert "└── " in run("history", moved[1]).out


def test_verified_and_used(run: Run, moved: tuple[str, str]) -> None:
    assert run("verify", moved[1]).code == 0
    assert run("used", moved[1]).out == f"used  {moved[1]}\n"
    assert run("used", moved[1], "--json").json == {"used": [moved[1]]}
    record = next(each for each in run("records", "--json").json["records"] if each["id"] == moved[1])
    assert record["last_verified"]
    assert record["access_count"] == 2


# --- time, stories, the store -------------------------------------------------------------------------------------------


def test_when_shows_the_instant(run: Run) -> None:
    words = ("when", "2026-10-25T02:30", "--zone", "Europe/Berlin")
    later, earlier = (run(*words, "--reading", reading, "--json").json for reading in ("later", "earlier"))
    assert (later["instant"], earlier["instant"]) == ("2026-10-25T01:30:00Z", "2026-10-25T00:30:00Z")
    assert later["local"] == "2026-10-25T02:30:00+01:00"
    assert "2026-10-25T01:30:00Z" in run(*words, "--reading", "later").out
    assert run("when", "2026-10-25", "--zone", "Europe/Berlin", "--json").json["instant"] == "2026-10-24T22:00:00Z"
    assert run("when", "2026-10-25T02:30+05:00", "--json").json["zone"] is None


@pytest.mark.parametrize(
    ("words", "code", "exits"),
    [
        (("2026-10-25T02:30", "--zone", "Europe/Berlin"), "ambiguous_time", 2),
        (("2026-03-29T02:30", "--zone", "Europe/Berlin"), "ambiguous_time", 2),
        (("2026-10-25",), "naive_time", 2),
        (("2026-13-01", "--zone", "UTC"), "invalid_argument", 2),
        (("0001-01-01T00:00+14:00",), "invalid_argument", 2),
        (("2026-10-25", "--zone", "Mars/Base"), "invalid_argument", 2),
        (("one of these days", "--zone", "Europe/Berlin"), "invalid_argument", 2),
        (("Friday evening", "--reading", "later"), "invalid_argument", 2),
    ],
)
def test_when_refuses_what_it_can_not_read(run: Run, words: tuple[str, ...], code: str, exits: int) -> None:
    ran = run("when", *words, "--json")
    assert (ran.code, ran.error["code"], ran.out) == (exits, code, "")
    assert ran.error["hint"]


TIMELINE = """\
timeline: a city
zone: Europe/Berlin
steps:
- at: 2026-09-01T09:00
  remember: {ref: home, claim: Lives in Berlin, slot: {attribute: home.city, value: Berlin}}
- recall: {slot: {attribute: home.city}}
  expect: {values: {home.city: CITY}}
"""


def test_timelines_run(run: Run, tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(TIMELINE.replace("CITY", "Berlin"), "utf-8")
    (tmp_path / "bad.yaml").write_text(TIMELINE.replace("CITY", "Lisbon"), "utf-8")
    good, both = run("timeline", "run", "good.yaml"), run("timeline", "run", ".", "--store", "sqlite")
    assert (good.code, good.out) == (0, "1 passed, 0 failed\n")
    assert both.code == 1
    assert "bad.yaml: step 2" in both.out
    assert both.out.endswith("1 passed, 1 failed\n")
    data = run("timeline", "run", ".", "--json")
    assert (data.code, data.json["failed"]) == (1, 1)
    assert run("timeline", "run", "nowhere").code == 2


def test_the_doctor_reports(run: Run, moved: tuple[str, str]) -> None:
    found = run("doctor", "--json")
    assert found.code == 0
    assert {"schema", "sqlite"} <= set(found.json)
    shown = run("doctor")
    assert "schema" in shown.out


def test_settings_say_where_they_come_from(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "stead.toml").write_text('zone = "Europe/Berlin"', "utf-8")
    monkeypatch.setenv("STEAD_TENANT", "acme")
    monkeypatch.setenv("STEAD_ZOEN", "UTC")
    ran = run("settings", "--subject", "ana", "--json")
    assert ran.json["zone"] == {"value": "Europe/Berlin", "origin": "stead.toml"}
    assert ran.json["tenant"] == {"value": "acme", "origin": "STEAD_TENANT"}
    assert ran.json["subject"] == {"value": "ana", "origin": "argument"}
    assert ran.json["store"]["origin"] == "default"
    assert ran.err == "note: STEAD_ZOEN names no setting\n"
    assert re.search(r"zone +Europe/Berlin +stead.toml", run("settings").out)


def test_the_settings_reach_the_store(run: Run, tmp_path: Path) -> None:
    (tmp_path / "stead.toml").write_text(
        'store = "mine.db"\nsubject = "ana"\nzone = "Europe/Berlin"\ntenant = "acme"', "utf-8"
    )
    assert run("remember", "Likes tea", "--slot", "x.drink=tea", "--valid-from", "2025-03-01").code == 0
    with stead.open(tmp_path / "mine.db", create=False) as store:
        assert (store.tenant, store.subjects()) == ("acme", ["ana"])


def test_a_wrong_settings_file_is_an_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "stead.toml").write_text("subjekt = 1", "utf-8")
    ran = run("records")
    assert ran.code == 2
    assert ran.err.startswith("error[invalid_argument]: stead.toml: subjekt: no such setting\nhint: ")


def test_the_demo_is_the_same_each_time(run: Run, tmp_path: Path) -> None:
    first, second = run("demo"), run("demo")
    assert first.code == 0, first.err
    assert first.out == second.out
    assert "SUPERSEDE" in first.out
    assert "OVERRIDE" in first.out
    assert len(run("demo", "--json").json["chapters"]) > 4
    assert list(tmp_path.iterdir()) == []


def test_version_is_printed(run: Run) -> None:
    assert run("version").out == run("--version").out == f"{stead.__version__}\n"
    assert run("version", "--json").json == {"version": stead.__version__}


# --- errors -------------------------------------------------------------------------------------------------------------

READING = [
    ("recall", "tea"), ("holds", "x.a"), ("history", "rec_0"), ("why", "rec_0"), ("records",), ("episodes",), ("questions",),
    ("export",), ("doctor",),
]  # fmt: skip
REPAIRING = [
    ("settle", "--neither"), ("confirm", "rec_0"), ("reject", "rec_0"), ("correct", "rec_0", "x"), ("end", "rec_0"),
    ("retract", "rec_0"), ("rollback", "rec_0"), ("verify", "rec_0"), ("used", "rec_0"),
]  # fmt: skip


@pytest.mark.parametrize("words", READING + REPAIRING, ids=lambda words: words[0])
def test_no_command_but_a_first_write_creates_a_store(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    ran = run(*words)
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith("error[store_not_found]: ")
    assert "\nhint: " in ran.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "words", [each for each in READING if each[0] not in ("history", "why")], ids=lambda words: words[0]
)
def test_an_empty_store_has_nothing_to_show_and_no_error(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    stead.open(tmp_path / "memory.db").close()
    assert run(*words).code == 0
    assert run(*words, "--json").code == 0


@pytest.mark.parametrize(
    "words",
    [("history", "rec_0000000000000000"), ("why", "rec_0000000000000000")]
    + [each for each in REPAIRING if each[0] != "settle"],
    ids=lambda words: words[0],
)
def test_an_unknown_id_is_not_found(run: Run, moved: tuple[str, str], words: tuple[str, ...]) -> None:
    ran = run(*words)
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith("error[unknown_record]: ")
    assert "stead records" in ran.err


def test_a_record_of_another_subject_is_out_of_reach(run: Run, moved: tuple[str, str]) -> None:
    ran = run("history", moved[0], "--subject", "ben")
    assert ran.code in (3, 4)
    assert run("records", "--subject", "ben", "--json").json["records"] == []


def test_another_tenant_is_refused(run: Run, moved: tuple[str, str]) -> None:
    ran = run("records", "--tenant", "acme", "--json")
    assert (ran.code, ran.error["code"]) == (4, "cross_tenant")


def test_a_conflict_has_its_own_exit_code(run: Run, moved: tuple[str, str]) -> None:
    words = ("remember", "Lives in Rome", "--slot", "home.city=Rome")
    assert (run(*words, "--if-version", "7").code, run(*words, "--if-version", "7", "--json").error["code"]) == (
        5,
        "stale_revision",
    )
    ok(run, *words, "--idempotency-key", "k1")
    assert (
        run("remember", "Other", "--slot", "x.b=1", "--idempotency-key", "k1", "--json").error["code"]
        == "idempotency_mismatch"
    )
    assert run("confirm", moved[0], "--json").error["code"] == "illegal_transition"


def test_a_damaged_file_is_a_backend_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "memory.db").write_bytes(b"no database at all, only text" * 100)
    ran = run("records")
    assert ran.code == 7
    assert ran.err.startswith("error[store_corrupt]: ")


def test_a_folder_that_is_not_there_is_an_error(run: Run) -> None:
    assert run("remember", "x", "--store", "no/such/folder/memory.db").code in (3, 7)


@pytest.mark.parametrize(
    "words",
    [
        ("rember", "x"),
        ("remember",),
        ("remember", "two", "words"),
        ("remember", "x", "--nope"),
        ("remember", "x", "--kind", "rumour"),
        ("remember", "x", "--confidence", "high"),
        ("remember", "x", "--confidence", "2"),
        ("remember", "x", "--slot", "a.b"),
        ("remember", "x", "--slot", "a[b=c"),
        ("remember", "x", "--slot", "a=b", "--attribute", "a"),
        ("remember", "x", "--slot", "a=b", "--value", "c"),
        ("remember", "x", "--value", "c"),
        ("remember", "x", "--slot", "a=b", "--unset"),
        ("remember", "x", "--source", "page=3"),
        ("remember", "x", "--valid-from", "2025-02-01T00:00Z", "--valid-until", "2025-01-01T00:00Z"),
        ("remember", "bad \udcff text"),
        ("holds", "a=b"),
        ("holds",),
        ("holds", "a", "--slot", "a"),
        ("recall", "--entity", "dog"),
        ("records", "--limit", "0"),
        ("records", "--busy-timeout", "-1"),
        ("records", "--zone", "Mars/Base"),
        ("records", "--embedder", "best"),
        ("history",),
        ("when",),
        ("timeline", "walk"),
    ],
    ids=" ".join,
)
def test_a_wrong_call_exits_2_and_says_why(run: Run, tmp_path: Path, words: tuple[str, ...]) -> None:
    shown, data = run(*words), run(*words, "--json")
    assert (shown.code, data.code, shown.out, data.out) == (2, 2, "", "")
    assert re.match(r"error\[\w+\]: .+\nhint: .+\n", shown.err)
    assert {"code", "message", "hint", "retryable"} <= set(data.error)


@pytest.mark.parametrize("words", [(), ("timeline",), ("replay",), ("eval",)], ids=str)
def test_without_a_command_the_help_is_shown(run: Run, words: tuple[str, ...]) -> None:
    ran = run(*words)
    assert ran.code == 2
    assert "Usage:" in ran.out


def test_help_is_in_groups(run: Run) -> None:
    shown = run("--help").out
    places = [
        shown.index(group) for group in ("Write", "Read", "Answer and repair", "Time and stories", "Look after it")
    ]
    assert places == sorted(places)
    assert "Example: stead remember" in run("remember", "--help").out


def test_no_error_carries_what_is_remembered(run: Run) -> None:
    record = ok(run, "remember", f"Lives in {SECRET}", "--slot", f"home.city={SECRET}")["record"]
    calls = [
        ("confirm", record), ("rollback", record), ("settle", "--keep", record), ("end", "rec_0"),
        ("remember", f"{SECRET} again", "--slot", f"home.city={SECRET}", "--if-version", "9"),
        ("remember", f"{SECRET} is nice", "--slot", "home.city=x", "--valid-from", "tomorrow"),
        ("remember", SECRET, SECRET), ("remember", SECRET * 2000),
    ]  # fmt: skip
    for words in calls:
        ran = run(*words)
        assert ran.code != 0, words
        assert SECRET not in ran.err, words


def test_a_retryable_error_says_so(run: Run, moved: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_: object, **__: object) -> Iterator[Any]:
        raise StoreBusy

    monkeypatch.setattr(Here, "subject", busy)
    ran = run("records", "--json")
    assert (ran.code, ran.error["retryable"]) == (7, True)
    assert "--busy-timeout" in ran.error["hint"]


@pytest.mark.parametrize(
    "raised", [RuntimeError(SECRET), OSError(5, SECRET), KeyError(SECRET)], ids=lambda each: type(each).__name__
)
def test_what_nobody_foresaw_is_one_line_without_its_text(
    run: Run, monkeypatch: pytest.MonkeyPatch, raised: Exception
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise raised

    monkeypatch.setattr(Here, "subject", fail)
    ran = run("records")
    assert ran.code == 1
    assert re.fullmatch(
        rf"error\[unexpected\]: {type(raised).__name__} at test_cli\.py:\d+\nhint: .*STEAD_DEBUG.*\n", ran.err
    )
    monkeypatch.setenv("STEAD_DEBUG", "1")
    assert "Traceback" in run("records").err


def test_interrupted_and_unread(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(error: type[BaseException]) -> Callable[..., None]:
        def act(*_: object, **__: object) -> None:
            raise error

        return act

    monkeypatch.setattr("stead.surfaces.cli.tools.run_demo", stop(KeyboardInterrupt))
    assert run("demo").code == 130


# --- as a process of its own --------------------------------------------------------------------------------------------


def process(folder: Path, *words: str, **options: Any) -> subprocess.CompletedProcess[str]:
    environ = {name: value for name, value in os.environ.items() if not name.startswith("STEAD_")}
    environ |= {
        "HOME": str(folder),
        "STEAD_EMBEDDER": "none",
        "PYTHONWARNINGS": "error",
        "PYTHONPATH": SOURCE,
    } | options.pop("env", {})
    command = [sys.executable, "-m", "stead", *words]
    return subprocess.run(
        command, cwd=folder, env=environ, capture_output=True, encoding="utf-8", timeout=60, check=False, **options
    )


def test_it_runs_as_a_module(tmp_path: Path) -> None:
    done = process(tmp_path, "remember", "Mag Käse 🧀", "--slot", "x.food=Käse", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["decision"] == "ADD"
    assert "Mag Käse 🧀" in process(tmp_path, "records").stdout
    missing = process(tmp_path, "records", "--store", "none.db")
    assert (missing.returncode, missing.stdout) == (3, "")


def test_an_ascii_terminal_gets_ascii_json(tmp_path: Path) -> None:
    process(tmp_path, "remember", "Mag Käse", "--slot", "x.food=Käse")
    done = process(tmp_path, "records", "--json", env={"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()
    assert json.loads(done.stdout)["records"][0]["value"] == "Käse"
    assert process(tmp_path, "records", env={"PYTHONIOENCODING": "ascii"}).returncode == 0


def test_a_closed_pipe_is_no_error(tmp_path: Path) -> None:
    lines = "".join(json.dumps({"claim": f"Fact {number} " + "x" * 200}) + "\n" for number in range(800))
    assert process(tmp_path, "remember", "--jsonl", "-", input=lines).returncode == 0
    command = [sys.executable, "-m", "stead", "export"]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env=os.environ | {"HOME": str(tmp_path), "PYTHONPATH": SOURCE},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        assert child.stdout is not None
        assert child.stderr is not None
        child.stdout.readline()
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode == 141


# --- the printing itself ------------------------------------------------------------------------------------------------


def test_text_is_cleaned_of_what_drives_a_terminal() -> None:
    assert output.clean("a\x1b[2J\x9b\u202eb\u200d\n\x7f") == "a\\u001b[2J\\u009b\\u202eb\u200d\\n\\u007f"
    assert output.clean("a\nb", keep="\n") == "a\nb"


def test_a_terminal_gets_safe_text_and_whole_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        encoding = "utf-8"

        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("TERM", "dumb")
    acts: list[tuple[Callable[[], None], str]] = [
        (lambda: output.print_text("a\x1b[2J"), "a\\u001b[2J"),
        (lambda: output.print_json({"a": "\x9b"}), "\\u009b"),
        (lambda: output.print_json_line({"a": "\x9b"}), "\\u009b"),
        (
            lambda: output.print_table(("id", "claim"), [("rec_0123456789abcdef", "word " * 20)], wrap={"claim": 10}),
            "rec_0123456789abcdef",
        ),
    ]
    for act, expected in acts:
        screen = Terminal()
        monkeypatch.setattr(sys, "stdout", screen)
        act()
        assert expected in screen.getvalue()


def test_every_error_class_can_be_reported(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def classes(error: type[SteadError]) -> Iterator[type[SteadError]]:
        yield error
        for each in error.__subclasses__():
            yield from classes(each)

    for error in classes(SteadError):

        def fail(*_: object, error: type[SteadError] = error, **__: object) -> None:
            raise error

        monkeypatch.setattr(Here, "subject", fail)
        ran = run("records", "--json")
        assert (ran.code, ran.error["code"]) == (error.exit_code, error.code)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full here")
def test_a_full_disk_behind_stdout_is_told_from_a_failed_write(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "stead", "remember", "Likes tea", "--store", "memory.db"]
    environ = os.environ | {"HOME": str(tmp_path), "PYTHONPATH": SOURCE}
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, cwd=tmp_path, env=environ, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 1
    assert done.stderr.startswith("error[output_lost]: ")
    assert done.stderr.count("\n") == 2
    assert "Likes tea" in process(tmp_path, "records").stdout
