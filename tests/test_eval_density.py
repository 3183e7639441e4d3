"""The stream of claims, its notebook of right decisions, and the measurement of both over density."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from stead.errors import InvalidArgument, MissingExtra
from stead.evaluate import density
from stead.evaluate.density_dice import Dice
from stead.evaluate.density_stream import AGREEING, CONTRADICTING, RIGHT, Item, Stream
from stead.model.outcome import Decision

KINDS = {*AGREEING, *CONTRADICTING}


def played(share: float, *, count: int = 400, seed: int = 1, slotted: bool = True) -> list[Item]:
    return list(Stream(count=count, density=share, seed=seed, slotted=slotted))


# --- chance -------------------------------------------------------------------------------------------------------------


def test_dice_repeat_for_a_seed_and_reach_every_side() -> None:
    one, same, other = Dice("a"), Dice("a"), Dice("b")
    draws = [one.below(6) for _ in range(200)]
    assert draws == [same.below(6) for _ in range(200)]
    assert draws != [other.below(6) for _ in range(200)]
    assert set(draws) == set(range(6))


def test_dice_shuffle_and_order_lose_nothing_and_heavier_names_come_first_more_often() -> None:
    dice = Dice("c")
    items = list(range(20))
    dice.shuffle(items)
    assert sorted(items) == list(range(20)) != items
    first = Counter(dice.order({"heavy": 9, "light": 1})[0] for _ in range(300))
    assert first["heavy"] > 200 > first["light"] > 0
    assert sum(dice.chance(0.25) for _ in range(1_000)) == pytest.approx(250, abs=60)


# --- the stream ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0.0, 0.1, 0.3, 0.6])
def test_the_share_of_contradictions_is_the_one_that_was_asked_for(share: float) -> None:
    found = sum(each.kind in CONTRADICTING for each in played(share))
    assert found / 400 == pytest.approx(share, abs=0.02)


def test_a_seed_repeats_its_stream_and_another_gives_another() -> None:
    assert played(0.3) == played(0.3)
    assert played(0.3) != played(0.3, seed=2)


def test_every_kind_of_claim_comes_with_its_decision() -> None:
    found = played(0.4, count=800)
    assert {each.kind for each in found} == KINDS == set(RIGHT)
    for each in found:
        expected = (Decision.UPDATE, Decision.NOOP) if each.kind == "refined" else RIGHT[each.kind]
        assert each.right == expected
        assert (each.until is not None) == (each.kind == "exception")
        assert each.corrected == (each.kind == "corrected")
    assert len({each.speaker for each in found}) > 3
    unslotted = played(0.4, count=800, slotted=False)
    assert {each.right for each in unslotted if each.kind == "refined"} == {(Decision.UPDATE,)}


def test_the_notebook_is_consistent_with_what_was_said() -> None:
    """Replays the claims without the stream's own notebook: a value is new, the same or another one as its kind says."""
    said: dict[Any, str] = {}
    until: dict[Any, int] = {}
    closed: set[Any] = set()
    for step, each in enumerate(played(0.5, count=1_000)):
        question = (each.ask.entity, each.ask.attribute, each.ask.object)
        value = each.value.strip().casefold()
        assert question not in closed and until.get(question, 0) <= step
        if each.kind in {"new", "beside"}:
            assert question not in said
        else:
            assert (said[question] == value) == (each.kind in {"same", "refined"})
        if each.kind == "exception":
            assert each.until is not None and each.until > step
            until[question] = each.until
        elif each.kind in {"disputed", "passing"}:
            closed.add(question)
        else:
            said[question] = value


def test_what_holds_in_the_end_is_what_was_said_last() -> None:
    stream = Stream(count=300, density=0.4)
    items = list(stream)
    lasting = {"new", "beside", "same", "refined", "changed", "corrected", "deliberate"}
    last = {each.ask: each.value.strip().casefold() for each in items if each.kind in lasting}
    standing = dict(stream.standing(10_000))
    assert standing
    assert all(last[ask] == value.casefold() for ask, value in standing.items())
    assert not {each.ask for each in items if each.kind == "disputed"} & set(standing)


def test_claims_without_slots_say_who_and_what_in_their_words() -> None:
    for each in played(0.3, count=300, slotted=False):
        assert (
            each.value.strip().casefold() in each.claim.casefold()
            or each.ask.object.casefold() in each.claim.casefold()
        )


# --- the measurement ----------------------------------------------------------------------------------------------------


def test_slotted_claims_are_decided_by_the_rules() -> None:
    told: list[str] = []
    report = density.evaluate(writes=150, densities=(0.0, 0.6), progress=told.append)
    assert [each.density for each in report.rows] == [0.0, 0.6]
    for row in report.rows:
        assert row.accuracy >= 0.95, row.wrong
        assert row.standing and row.standing_right == row.standing
        assert sum(count for count, _ in row.kinds.values()) == row.writes == 150
        assert row.right == 150 - sum(row.wrong.values())
        assert row.mean_ms > 0 and row.median_ms > 0 and row.processor_ms > 0 and row.last_ms > 0
    assert len(told) == 2
    shape = report.as_dict()
    assert json.loads(json.dumps(shape)) == shape
    assert "60%" in "\n".join(report.lines())


def test_unslotted_claims_are_told_by_their_words() -> None:
    [row] = density.evaluate(writes=150, densities=(0.3,), slotted=False).rows
    assert row.accuracy >= 0.8, row.wrong
    assert row.standing == 0


def test_a_wrong_decision_is_counted_under_its_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(RIGHT, "same", (Decision.CONTEST,))
    report = density.evaluate(writes=60, densities=(0.0,))
    [row] = report.rows
    assert row.wrong == {"same: CONTEST, NOOP": row.kinds["same"][0]}
    assert row.accuracy < 1
    assert any("same: CONTEST, NOOP" in line for line in report.lines())


@pytest.mark.parametrize(
    "arguments", [{"writes": 0}, {"writes": True}, {"densities": (1.5,)}, {"densities": (-0.1,)}, {"densities": ()}]
)
def test_what_makes_no_stream_is_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument):
        density.evaluate(**arguments)


def report() -> density.Report:
    return density.evaluate(writes=20, densities=(0.0, 0.5))


@pytest.mark.parametrize(("name", "start"), [("plot.svg", b"<?xml"), ("plot.png", b"\x89PNG"), ("plot.PDF", b"%PDF")])
def test_the_plot_is_drawn_in_the_format_of_its_name(tmp_path: Path, name: str, start: bytes) -> None:
    pytest.importorskip("matplotlib")
    density.plot(report(), tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)


def test_a_plot_of_no_known_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match=r"plot: no such format"):
        density.plot(report(), tmp_path / "plot.txt")
    assert not list(tmp_path.iterdir())


def test_a_plot_in_no_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match=r"plot: no such folder"):
        density.plot(report(), tmp_path / "none" / "plot.svg")


def test_without_matplotlib_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(density, "find_spec", lambda _: None)
    with pytest.raises(MissingExtra) as caught:
        density.plot(report(), tmp_path / "plot.svg")
    assert "stead[plots]" in caught.value.hint
    assert not list(tmp_path.iterdir())


def test_a_seed_repeats_its_decisions_and_another_gives_others() -> None:
    def decided(seed: int, *, slotted: bool) -> list[object]:
        found = density.evaluate(writes=60, densities=(0.0, 0.6), seed=seed, slotted=slotted)
        timed = {"mean_ms", "median_ms", "processor_ms", "last_ms"}
        rows: Any = found.as_dict()["rows"]
        return [{key: value for key, value in row.items() if key not in timed} for row in rows]

    for slotted in (True, False):
        assert decided(3, slotted=slotted) == decided(3, slotted=slotted)
    assert decided(3, slotted=True) != decided(4, slotted=True)


def test_a_plot_is_the_same_file_for_the_same_report(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    drawn = report()
    for name in ("one.png", "two.png"):
        density.plot(drawn, tmp_path / name)
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()
