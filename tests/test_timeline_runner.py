"""The timeline runner: what it reads, what it runs, and that every expectation can fail (R41)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from textwrap import dedent, indent

import pytest

from stead.errors import InvalidArgument, InvalidTimeline, NotBuilt
from stead.model.context import Context, EpisodeHit
from stead.timeline import Failure, Report, as_dict, exit_status, lines, parse_story, read_story, run_paths, run_story
from stead.timeline.expect import CHECKS, Scene
from stead.timeline.format import EXPECTATIONS, VERBS
from stead.timeline.stage import Stage
from stead.timeline.verbs import BUILT, Fields, Result

OWN = sorted((Path(__file__).parent / "timelines").glob("*.yaml"))

TWO_SPEAKERS = """
- at: 2026-01-05T10:00
  remember: {ref: a, claim: Day is Tuesday, slot: {attribute: x.day, value: Tuesday}, speaker: ann}
- at: 2026-01-06T10:00
  remember: {ref: b, claim: Day is Friday, slot: {attribute: x.day, value: Friday}, speaker: bob}
"""
ONE = """
- at: 2026-01-05T10:00
  remember: {ref: a, claim: Plan is free, slot: {attribute: x.plan, value: free}}
"""
CHAIN = f"""{ONE}
- at: 2026-02-05T10:00
  remember: {{ref: b, claim: Plan is team, slot: {{attribute: x.plan, value: team}}}}
"""
INFERRED = """
- at: 2026-01-05T10:00
  remember: {ref: a, claim: Seems to row, slot: {attribute: x.sport, value: rowing}, authority: inferred}
"""
EMPTY = """
- at: 2026-01-05T10:00
  recall: {}
"""

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a story of these steps, with the lines of its head, and return its path."""

    def story(steps: str, head: str = "", name: str = "story.yaml") -> Path:
        body = indent(dedent(steps).strip(), "  ")
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"timeline: a story\n{head}\nsteps:\n{body}\n", encoding="utf-8")
        return path

    return story


def run(path: Path) -> Report:
    return run_story(read_story(path))


# --- reading -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "field", "says"),
    [
        ("- at: 2026-01-05\n  forget: {record: a}", "forget", "unknown verb"),
        ("- at: 2026-01-05\n  recall: {}\n  holds: {slot: {attribute: x}}", "holds", "one verb per step"),
        ("- at: 2026-01-05\n  recall: {}\n  recall: {}", "file", "stands twice"),
        ("- at: 2026-01-05\n  as: {subject: ana}", "verb", "one verb per step, not none"),
        ("- at: 2026-01-05\n  remember: {claim: x, colour: red}", "remember.colour", "unknown field"),
        ("- at: 2026-01-05\n  remember: {ref: a}", "remember.claim", "missing"),
        ("- at: 2026-01-05\n  remember: {claim: 44}", "remember.claim", "is not text"),
        ("- at: 2026-01-05\n  remember: {claim: x, confidence: high}", "remember.confidence", "is not a number"),
        ("- at: 2026-01-05\n  remember: {claim: x, if_version: true}", "remember.if_version", "not a whole number"),
        ("- at: 2026-01-05\n  remember: {claim: x, overrides: a}", "remember.overrides", "not a list of texts"),
        ("- at: 2026-01-05\n  remember: {claim: x, valid_from: 5}", "remember.valid_from", "not a time"),
        ("- at: 2026-01-05\n  remember: {claim: x, slot: x.day}", "remember.slot", "not a mapping"),
        ("- at: 2026-01-05\n  remember: {claim: x, slot: {value: y}}", "remember.slot.attribute", "missing"),
        (
            "- at: 2026-01-05\n  remember: {claim: x, slot: {attribute: y, value: [z]}}",
            "remember.slot.value",
            "not text",
        ),
        ("- at: 2026-01-05\n  recall: {slot: {attribute: x, value: y}}", "recall.slot.value", "unknown field"),
        ("- at: 2026-01-05\n  recall: {budget: {words: 5}}", "recall.budget.words", "unknown field"),
        ("- at: 2026-01-05\n  recall: {include_cold: please}", "recall.include_cold", "not true or false"),
        ("- at: 2026-01-05\n  settle: {}", "settle.keep", "keep or neither"),
        ("- at: 2026-01-05\n  settle: {keep: a, neither: true}", "settle.keep", "keep or neither"),
        ("- at: 2026-01-05\n  settle: {neither: false}", "settle.neither", "not true"),
        ("- at: 2026-01-05\n  end: {when: 2026-01-05}", "end.record", "record or slot"),
        ("- at: 2026-01-05\n  end: {record: a}", "end.when", "missing"),
        ("- at: 2026-01-05\n  end: {record: a, scope: b, when: 2026-01-05}", "end.scope", "scope already"),
        ("- at: 2026-01-05\n  restart: {now: true}", "restart.now", "unknown field"),
        ("- at: 2026-01-05\n  retract: a", "retract", "not a mapping"),
        ("- at: 2026-01-05\n  recall: {}\n  as: {role: boss}", "as.role", "unknown field"),
        ("- at: 2026-01-05\n  recall: {purpose: [a, b]}", "recall.purpose", "not text"),
        ("- at: 2026-01-05\n  recall: {}\n  as: {subject: 5}", "as.subject", "not text or nothing"),
        ("- at: 2026-01-05\n  recall: {}\n  expect: {fact: [a]}", "expect.fact", "unknown expectation"),
        ("- at: 2026-01-05\n  recall: {}\n  expect: {facts: a}", "expect.facts", "not a list of texts"),
        ("- at: 2026-01-05\n  recall: {}\n  expect: {count: -1}", "expect.count", "not a whole number"),
        ("- at: 2026-01-05\n  recall: {}\n  expect: {status: {a: gone}}", "expect.status", "not a mapping from refs"),
        ("- at: 2026-01-05\n  recall: {}\n  expect: {questions: [why]}", "expect.questions", "not a count"),
        ("- at: 2026-01-05\n  recall: {}\n  expect: {error: oops}", "expect.error", "not one of"),
        ("- at: 2026-01-05\n  recall: {}\n  expect: {decision: ADD}", "expect.decision", "recall has no decision"),
        ("- at: 2026-01-05\n  recall: {}\n  expect: {intervals: []}", "expect.intervals", "recall has no intervals"),
        ("- at: 2026-01-05\n  holds: {slot: {attribute: x}}\n  expect: {intervals: [[a, b]]}", "expect.intervals", ""),
        (
            "- at: 2026-01-05\n  holds: {slot: {attribute: x}}\n  expect: {intervals: [[a, soon, null]]}",
            "expect.intervals",
            "not a time in ISO 8601",
        ),
        ("- at: 2026-01-05\n  remember: {claim: x}\n  expect: {facts: [a]}", "expect.facts", "remember has no facts"),
        ("- recall: {}", "at", "missing"),
        ("- at: tomorrow\n  recall: {}", "at", "not a time in ISO 8601"),
        ("- recall", "step", "not a mapping"),
    ],
)
def test_a_file_that_breaks_the_format_names_file_step_and_field(
    write: Write, steps: str, field: str, says: str
) -> None:
    path = write(steps)
    with pytest.raises(InvalidTimeline) as caught:
        read_story(path)
    error = caught.value
    assert error.field == field
    assert says in error.message
    assert "story.yaml" in error.message
    assert error.hint
    assert field == "file" or "step 1" in error.message


def test_a_clock_never_goes_backwards(write: Write) -> None:
    path = write(ONE + "- recall: {}\n- at: 2026-01-05T09:59:59\n  recall: {}")
    with pytest.raises(InvalidTimeline, match=r"at: earlier than the step before .*step 3") as caught:
        read_story(path)
    assert "valid_from" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("steps: [{at: 2026-01-05, recall: {}}]", "timeline"),
        ("timeline: x", "steps"),
        ("timeline: x\nsteps: []", "steps"),
        ("timeline: 5\nsteps: [{at: 2026-01-05, recall: {}}]", "timeline"),
        ("timeline: x\nspeed: 2\nsteps: [{at: 2026-01-05, recall: {}}]", "speed"),
        ("timeline: x\nzone: Europe/Nowhere\nsteps: [{at: 2026-01-05, recall: {}}]", "zone"),
        ("timeline: x\nrules: R7\nsteps: [{at: 2026-01-05, recall: {}}]", "rules"),
        ("timeline: x\npolicy: strict\nsteps: [{at: 2026-01-05, recall: {}}]", "policy"),
        ("timeline: x\nzone: Europe/Berlin\nsteps: [{at: 2026-10-25T02:30, recall: {}}]", "at"),
        ("timeline: x\nzone: null\nsteps: [{at: 2026-10-25T02:30, recall: {}}]", "at"),
        ("- just\n- a list", "timeline"),
        ("timeline: [", "file"),
        ("", "timeline"),
    ],
)
def test_the_head_of_a_file_is_checked(tmp_path: Path, text: str, field: str) -> None:
    path = tmp_path / "story.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidTimeline, match=r"story\.yaml") as caught:
        read_story(path)
    assert caught.value.field == field


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "latin.yaml").write_bytes(b"timeline: caf\xe9")
    for name in ("latin.yaml", "absent.yaml"):
        with pytest.raises(InvalidTimeline, match=re.escape(name)):
            read_story(tmp_path / name)


def test_an_unknown_word_gets_the_nearest_one(write: Write) -> None:
    with pytest.raises(InvalidTimeline) as caught:
        read_story(write("- at: 2026-01-05\n  remember: {claim: x, valid_form: 2026-01-01}"))
    assert caught.value.hint == "Did you mean valid_from?"


def test_times_are_read_in_the_zone_of_the_story(write: Write) -> None:
    steps = "- at: 2026-01-05\n  recall: {}\n- at: 2026-01-05T01:00:00Z\n  recall: {}"
    first, second = read_story(write(steps, head="zone: Europe/Berlin")).steps
    assert first.at is not None
    assert second.at is not None
    assert (second.at - first.at) / 3_600_000_000 == 2


def test_values_stay_as_they_are_written(write: Write) -> None:
    """YAML's traps (base 60, octal, dates) don't turn a value into another one; yes and no arrive as truths."""
    written = {"10:30": "10:30", "0123": "0123", "2026-05-12": "2026-05-12", "44": 44, "4.5": 4.5, "no": False}
    for text, value in written.items():
        story = read_story(
            write(f"- at: 2026-01-05\n  remember: {{claim: x, slot: {{attribute: x.a, value: {text}}}}}")
        )
        assert story.steps[0].fields["slot"]["value"] == value


def test_a_story_can_be_given_as_data() -> None:
    story = parse_story({"timeline": "x", "steps": [{"at": date(2026, 1, 5), "recall": {}}]})
    assert story.file == "timeline"
    assert run_story(story).result == "passed"


def test_the_format_is_complete() -> None:
    """Every verb and expectation of the format is in the tables, and what is built is a part of it."""
    assert len(VERBS) == 28
    assert set(BUILT) <= set(VERBS)
    assert {"decision", "route", "receipt", "bytes_absent", "note"} <= set(EXPECTATIONS)


# --- expectations can fail -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("steps", "met", "unmet"),
    [
        (ONE, "decision: ADD", "decision: NOOP"),
        (CHAIN, "decision: SUPERSEDE", "decision: ADD"),
        (ONE, "status: {a: active}", "status: {a: retracted}"),
        (ONE, "status: {a: active}", "status: {nobody: active}"),
        (CHAIN, "status: {a: superseded, b: active}", "status: {a: superseded, b: contested}"),
        (ONE, "tier: {a: hot}", "tier: {a: cold}"),
        (ONE, "includes: [a]", "includes: [nothing like it]"),
        (CHAIN + "- recall: {slot: {attribute: x.plan}}", "facts: [b]", "facts: [a]"),
        (CHAIN + "- recall: {slot: {attribute: x.plan}}", "facts: [b]", "facts: [a, b]"),
        (CHAIN + "- recall: {slot: {attribute: x.plan}}", "facts: [b]", "facts: []"),
        (CHAIN + "- recall: {slot: {attribute: x.plan}}", "facts: [b, b]", "facts: [nobody]"),
        (CHAIN + "- recall: {slot: {attribute: x.plan}}", "includes: [b, Plan is team]", "includes: [a]"),
        (CHAIN + "- recall: {slot: {attribute: x.plan}}", "excludes: [a, Plan is free]", "excludes: [b]"),
        (CHAIN + "- recall: {slot: {attribute: x.plan}}", "excludes: [a]", "excludes: [team]"),
        (CHAIN + "- recall: {slot: {attribute: x.plan}}", "values: {x.plan: team}", "values: {x.plan: free}"),
        (CHAIN + "- recall: {slot: {attribute: x.plan}}", "values: {x.else: null}", "values: {x.plan: null}"),
        (CHAIN + "- recall: {slot: {attribute: x.plan}}", "values: {x.plan: [team]}", "values: {x.else: team}"),
        (CHAIN + "- recall: {slot: {attribute: x.plan}}", "count: 1", "count: 2"),
        (CHAIN + "- recall: {slot: {attribute: x.plan}}", "questions: 0", "questions: 1"),
        (CHAIN + "- recall: {slot: {attribute: x.plan}}", "questions: []", "questions: [contested]"),
        (CHAIN + "- recall: {slot: {attribute: x.plan}}", "divergences: 0", "divergences: 1"),
        (CHAIN + "- recall: {slot: {attribute: x.plan}}", "episodes: []", "episodes: [team]"),
        (CHAIN + "- recall: {slot: {attribute: x.plan}}", "tokens_at_most: 2000", "tokens_at_most: 0"),
        (CHAIN + "- recall: {slot: {attribute: x.plan}}", "rule: slot", "rule: relevance"),
        (
            CHAIN + "- recall: {slot: {attribute: x.plan}}",
            "bytes_absent: [Plan is vast]",
            "bytes_absent: [Plan is free]",
        ),
        (CHAIN + "- recall: {known_at: 2027-01-01}", "error: known_at_in_future", "error: naive_time"),
        (CHAIN + "- recall: {}", "note: nothing", "error: known_at_in_future"),
        (TWO_SPEAKERS, "decision: CONTEST", "decision: ADD"),
        (TWO_SPEAKERS, "questions: [contested]", "questions: 0"),
        (TWO_SPEAKERS + "- recall: {slot: {attribute: x.day}}", "includes: [a, b]", "questions: [confirm]"),
        (TWO_SPEAKERS + "- recall: {slot: {attribute: x.day}}", "questions: 1", "excludes: [Tuesday]"),
        (
            TWO_SPEAKERS + "- holds: {slot: {attribute: x.day}}",
            "intervals: [[Tuesday, 2026-01-05T10:00, 2026-01-06T10:00], [[Friday, Tuesday], 2026-01-06T10:00, null]]",
            "intervals: [[Tuesday, 2026-01-05T10:00, 2026-01-06T10:00], [Friday, 2026-01-06T10:00, null]]",
        ),
        (
            CHAIN + "- holds: {slot: {attribute: x.plan}}",
            "intervals: [[free, 2026-01-05T10:00, 2026-02-05T10:00], [team, 2026-02-05T10:00, null]]",
            "intervals: [[free, 2026-01-05T10:00, 2026-02-05T10:00], [team, 2026-02-05T10:00, 2027-01-01]]",
        ),
        (
            CHAIN + "- holds: {slot: {attribute: x.plan}}",
            "intervals: [[free, 2026-01-05T10:00, 2026-01-20], [free, 2026-01-20, 2026-02-05T10:00], [team, 2026-02-05T10:00, null]]",
            "intervals: [[free, 2026-01-05T10:00, 2026-02-05T10:00]]",
        ),
        (CHAIN + "- history: {record: b}", "includes: [a, b]", "excludes: [a]"),
        (CHAIN + "- history: {record: b}", "facts: [a, b]", "facts: [b]"),
        (CHAIN + "- why: {record: b}", "includes: [b]", "includes: [nobody]"),
        (INFERRED, "status: {a: proposed}", "status: {a: active}"),
        (INFERRED, "questions: [confirm]", "questions: [contested]"),
    ],
)
def test_an_expectation_is_met_and_can_fail(write: Write, steps: str, met: str, unmet: str) -> None:
    assert lines([run(write(f"{dedent(steps).rstrip()}\n  expect: {{{met}}}"))]) == ["1 passed, 0 failed"]
    report = run(write(f"{dedent(steps).rstrip()}\n  expect: {{{unmet}}}"))
    assert report.result == "failed"
    assert [failure.expectation for failure in report.failures] == [unmet.split(":", maxsplit=1)[0]]
    assert report.failures[0].step == len(read_story(Path(report.file)).steps)


@pytest.mark.parametrize(
    ("before", "verb", "after"),
    [
        (CHAIN, "retract: {record: b}", "status: {b: retracted}"),
        (CHAIN, "rollback: {record: a}", "status: {a: active, b: retracted}"),
        (INFERRED, "confirm: {record: a}", "status: {a: active}"),
        (INFERRED, "reject: {record: a}", "status: {a: rejected}"),
        (TWO_SPEAKERS, "settle: {keep: b}", "questions: 0"),
        (TWO_SPEAKERS, "settle: {neither: true}", "questions: 0"),
        (ONE, "correct: {record: a, claim: Plan is solo, value: solo}", "status: {a: retracted}"),
        (ONE, "verify: {record: a}", "status: {a: active}"),
        (ONE, "use: {records: [a]}", "status: {a: active}"),
        (ONE, "restart: {}", "status: {a: active}"),
        (ONE, "restart:", "status: {a: active}"),
        (ONE, "end: {record: a, when: 2026-02-01}", "error: none"),
        (ONE, "end: {slot: {attribute: x.plan}, when: 2026-02-01}", "error: none"),
    ],
)
def test_a_verb_does_what_it_says(write: Write, before: str, verb: str, after: str) -> None:
    expect = "" if after == "error: none" else f"\n  expect: {{{after}}}"
    assert run(write(f"{before}- at: 2026-03-01\n  {verb}{expect}")).failures == ()


def test_an_end_is_an_end(write: Write) -> None:
    for end in ("record: a", "slot: {attribute: x.plan}"):
        steps = f"""{ONE}
- end: {{{end}, when: 2026-02-01}}
- holds: {{slot: {{attribute: x.plan}}}}
  expect: {{intervals: [[free, 2026-01-05T10:00, 2026-02-01]]}}
"""
        assert run(write(steps)).failures == ()


def test_a_call_that_raises_fails_unless_its_code_is_expected(write: Write) -> None:
    report = run(write(ONE + "- retract: {record: nobody}\n  expect: {decision: UPDATE}"))
    assert [failure.expectation for failure in report.failures] == ["error"]
    assert str(report.failures[0]).startswith("step 2: expected error none, got unknown_record (")
    other = run(
        write(ONE + "- retract: {record: nobody}\n  expect: {error: illegal_transition, status: {a: retracted}}")
    )
    assert [failure.expectation for failure in other.failures] == ["error", "status"]
    assert run(write(ONE + "- retract: {record: nobody}\n  expect: {error: unknown_record}")).result == "passed"


def test_a_story_goes_on_after_a_failure(write: Write) -> None:
    steps = ONE + "- recall: {}\n  expect: {count: 5}\n- recall: {slot: {attribute: x.plan}}\n  expect: {count: 6}"
    assert [failure.step for failure in run(write(steps)).failures] == [2, 3]


def test_a_ref_whose_write_stored_nothing_names_nothing(write: Write) -> None:
    """excludes: [b] must not look for the letter b when the write that b stands for was refused."""
    steps = ONE + (
        "- remember: {ref: b, claim: Plan is team, if_version: 7, slot: {attribute: x.plan, value: team}}\n"
        "  expect: {error: stale_revision}\n"
        "- recall: {slot: {attribute: x.plan}}\n  expect: {excludes: [b], includes: [a]}"
    )
    assert run(write(steps)).failures == ()


def test_noop_names_the_record_that_holds_already(write: Write) -> None:
    steps = ONE + (
        "- remember: {ref: again, claim: Plan is free, slot: {attribute: x.plan, value: free}}\n"
        "  expect: {decision: NOOP}\n"
        "- recall: {slot: {attribute: x.plan}}\n  expect: {facts: [again, a]}"
    )
    assert run(write(steps)).failures == ()


def test_a_truth_is_a_value_and_is_spelled_the_same_on_both_sides(write: Write) -> None:
    steps = """
- at: 2026-01-05T10:00
  remember: {ref: a, claim: No newsletter, slot: {attribute: x.news, value: no}}
- recall: {slot: {attribute: x.news}}
  expect: {values: {x.news: no}}
- recall: {slot: {attribute: x.news}}
  expect: {values: {x.news: "false"}, facts: [a]}
- holds: {slot: {attribute: x.news}}
  expect: {intervals: [[no, 2026-01-05T10:00, null]]}
"""
    assert run(write(steps)).failures == ()


def test_recall_returns_no_episodes_unless_asked(write: Write) -> None:
    assert run(write(ONE + "- recall: {query: plan}\n  expect: {episodes: []}")).result == "passed"
    assert run(write(ONE + "- recall: {query: plan, budget: {episodes: 3}}")).result == "passed"


def test_the_first_transaction_at_an_instant_carries_it(write: Write) -> None:
    """The second one carries the next microsecond, and a read at the instant sees what was known by then."""
    steps = (
        ONE
        + """
- remember: {ref: b, claim: Colour is red, slot: {attribute: x.colour, value: red}}
- at: 2026-01-06
  recall: {slot: {attribute: x.plan}, known_at: 2026-01-05T10:00, at: 2026-01-06}
  expect: {facts: [a]}
- recall: {slot: {attribute: x.colour}, known_at: 2026-01-05T10:00, at: 2026-01-06}
  expect: {count: 0}
- recall: {slot: {attribute: x.colour}, known_at: 2026-01-05T10:00:00.000001, at: 2026-01-06}
  expect: {facts: [b]}
"""
    )
    assert run(write(steps)).failures == ()


def test_as_stays_in_force_until_changed(write: Write) -> None:
    steps = """
- at: 2026-01-05T10:00
  as: {subject: ana}
  remember: {ref: a, claim: Plan is free, slot: {attribute: x.plan, value: free}}
- recall: {slot: {attribute: x.plan}}
  expect: {facts: [a]}
- as: {subject: bo}
  recall: {slot: {attribute: x.plan}}
  expect: {facts: [], status: {a: active}}
- as: {tenant: elsewhere, subject: ana}
  recall: {slot: {attribute: x.plan}}
  expect: {facts: []}
- as: {tenant: null}
  recall: {slot: {attribute: x.plan}}
  expect: {facts: [a]}
"""
    assert run(write(steps)).failures == ()


def test_two_runs_give_the_same_report(write: Write) -> None:
    path = write(TWO_SPEAKERS + "- recall: {slot: {attribute: x.day}}\n  expect: {facts: [a], tokens_at_most: 0}")
    assert run(path) == run(path)


# --- expectations whose verbs come later ---------------------------------------------------------------------------


def scene(result: Result, tmp_path: Path) -> Scene:
    return Scene(stage=Stage(folder=tmp_path), result=result)


def test_a_receipt_is_checked_for_completeness_and_surfaces(tmp_path: Path) -> None:
    shown = scene({"complete": True, "surfaces": [{"surface": "rows"}, {"surface": "log"}]}, tmp_path)
    check = CHECKS["receipt"]
    assert check(shown, {"complete": True, "surfaces": ["rows", "log"]}).met
    assert not check(shown, {"complete": False}).met
    assert not check(shown, {"surfaces": ["rows", "vectors"]}).met
    assert not check(scene(None, tmp_path), {"complete": True}).met


def test_episodes_are_found_by_their_text(tmp_path: Path) -> None:
    moment = datetime(2026, 1, 5, tzinfo=UTC)
    hit = EpisodeHit(
        id="epi_x", text="I row on Sundays", speaker="ana", role="user", conversation="c1", turn="1", said_at=moment,
        age=timedelta(0), scope="", audience=(), authority="stated", score=1.0, lexical=1.0, similarity=None,
    )  # fmt: skip
    context = Context(
        subject="ana", scope="", at=moment, known_at=moment, facts=(), episodes=(hit,), questions=(), divergences=(),
        notes=(), text="", tokens=0,
    )  # fmt: skip
    assert CHECKS["episodes"](scene(context, tmp_path), ["row on Sundays"]).met
    assert not CHECKS["episodes"](scene(context, tmp_path), ["row on Sundays", "Mondays"]).met


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be"])
def test_bytes_are_looked_for_in_every_file_and_encoding(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "memory.db-wal").write_bytes(b"\x00" + "Grüße".encode(encoding) + b"\x00")
    assert not CHECKS["bytes_absent"](scene(None, tmp_path), ["Grüße"]).met
    assert CHECKS["bytes_absent"](scene(None, tmp_path), ["Gruß"]).met


def test_a_text_is_never_found_in_an_id(tmp_path: Path) -> None:
    """Ids are random: a short text may stand in one by chance."""
    shown = scene({"record": "rec_0123456789abcdef", "claim": "Shoe size is 44"}, tmp_path)
    assert CHECKS["excludes"](shown, ["23", "abc", "record"]).met
    assert CHECKS["includes"](shown, ["44", "rec_0123456789abcdef"]).met


# --- what isn't built ----------------------------------------------------------------------------------------------


def test_a_story_that_needs_an_unbuilt_verb_is_skipped_before_it_runs(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stead.timeline.run.Stage", None)  # nothing may be opened
    monkeypatch.setattr("stead.timeline.story.BUILT", {name: BUILT[name] for name in BUILT if name != "why"})
    path = write(ONE + "- why: {record: a}\n- why: {record: a}\n- recall: {}\n  expect: {count: 9}")
    report = run(path)
    assert (report.result, report.missing) == ("skipped", ("why",))
    assert lines([report]) == [
        f"{path}: skipped, needs why (not built in this version)",
        "0 passed, 0 failed, 1 skipped",
    ]
    assert exit_status([report]) == 0


def test_r15_a_route_can_be_expected(write: Write) -> None:
    assert run(write(ONE.rstrip() + "\n  expect: {route: admit}")).result == "passed"
    assert run(write(ONE.rstrip() + "\n  expect: {route: drop}")).result == "failed"


def test_a_policy_that_does_not_open_fails_the_story(write: Write) -> None:
    report = run(write(ONE, head="policy: {no_such_key: 5}"))
    assert report.result == "failed"
    assert [(failure.step, failure.expectation) for failure in report.failures] == [(0, "policy")]
    assert "invalid_policy" in str(report.failures[0].got)


def test_what_turns_out_not_to_be_built_skips_the_story_unless_something_failed(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def later(_stage: Stage, _fields: Fields) -> Result:
        raise NotBuilt("strength comes in a later version")

    monkeypatch.setattr("stead.timeline.run.BUILT", {**BUILT, "verify": later})
    report = run(write(ONE + "- verify: {record: a}\n- recall: {}\n  expect: {count: 9}"))
    assert (report.result, report.missing) == ("skipped", ("verify (strength)",))
    failed = run(write(ONE + "- recall: {}\n  expect: {count: 9}\n- verify: {record: a}"))
    assert (failed.result, len(failed.failures)) == ("failed", 1)
    expected = run(write(ONE + "- verify: {record: a}\n  expect: {error: not_implemented}"))
    assert expected.result == "passed"


# --- paths and reports ---------------------------------------------------------------------------------------------


def test_folders_are_run_in_order_and_files_once(write: Write, tmp_path: Path) -> None:
    for name in ("b/two.yml", "a.yaml", "b/one.yaml"):
        write(EMPTY, name=name)
    (tmp_path / "notes.txt").write_text("no story", encoding="utf-8")
    reports = run_paths([tmp_path, tmp_path / "a.yaml"])
    assert [Path(report.file).relative_to(tmp_path).as_posix() for report in reports] == [
        "a.yaml",
        "b/one.yaml",
        "b/two.yml",
    ]
    assert [report.result for report in reports] == ["passed"] * 3


def test_nothing_runs_when_one_file_is_invalid(write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("stead.timeline.run.run_story", None)
    write(EMPTY, name="a.yaml")
    write("- at: 2026-01-05\n  forget: {}", name="b.yaml")
    with pytest.raises(InvalidTimeline, match=r"b\.yaml"):
        run_paths([tmp_path])


def test_paths_and_backends_are_checked(tmp_path: Path, write: Write) -> None:
    with pytest.raises(InvalidArgument, match="paths: no file or folder"):
        run_paths([tmp_path / "absent"])
    with pytest.raises(InvalidArgument, match="paths: no timelines"):
        run_paths([tmp_path])
    story = write(EMPTY)
    with pytest.raises(InvalidArgument, match="store: unknown backend 'postgres'"):
        run_paths([story], store="postgres")
    assert run_paths([story], store="sqlite")[0].result == "passed"


def test_a_report_is_lines_and_the_same_as_data() -> None:
    reports = [
        Report(file="a.yaml", timeline="a"),
        Report(file="b.yaml", timeline="b", failures=(Failure(step=3, expectation="facts", expected=["x"], got=[]),)),
        Report(file="c.yaml", timeline="c", missing=("say", "end_session")),
    ]
    assert lines(reports) == [
        'b.yaml: step 3: expected facts ["x"], got []',
        "c.yaml: skipped, needs say, end_session (not built in this version)",
        "1 passed, 1 failed, 1 skipped",
    ]
    assert exit_status(reports) == 1
    shape = as_dict(reports)
    assert json.loads(json.dumps(shape)) == shape
    assert {name: shape[name] for name in ("passed", "failed", "skipped")} == {"passed": 1, "failed": 1, "skipped": 1}
    assert shape["timelines"] == [
        {"file": "a.yaml", "timeline": "a", "result": "passed", "failures": [], "missing": []},
        {
            "file": "b.yaml",
            "timeline": "b",
            "result": "failed",
            "failures": [{"step": 3, "expectation": "facts", "expected": ["x"], "got": []}],
            "missing": [],
        },
        {"file": "c.yaml", "timeline": "c", "result": "skipped", "failures": [], "missing": ["say", "end_session"]},
    ]


# --- our own stories -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_own_story(path: Path) -> None:
    report = run(path)
    assert report.result == "passed", "\n".join(report.lines())


def test_there_are_own_stories() -> None:
    assert len(OWN) >= 15
