"""Chains: their history as rows, as a tree and as a picture, and the rollback of any link (R20, R22, R28)."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import astuple
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from tests.commands import Run

import stead
from stead import Decision, Slot
from stead.clock import StoryClock
from stead.surfaces.cli.output import moment

HOUR = 3_600_000_000
DAY = 24 * HOUR
CITY = Slot("home.city")
LINKS = 2_000
SVG = "{http://www.w3.org/2000/svg}"

Cli = Callable[..., tuple[int, str, str]]


def say(subject: stead.Subject, value: str, **more: Any) -> str:
    return str(subject.remember(f"Lives in {value}", slot=Slot("home.city", value=value), **more).record)


def strip(subject: stead.Subject, **more: Any) -> list[tuple[str | None, str | None, str | None]]:
    """What holds, with its days in UTC."""
    return [(each.value, _day(each.start), _day(each.end)) for each in subject.holds(CITY, **more)]


def _day(instant: Any) -> str | None:
    return None if instant is None else instant.strftime("%Y-%m-%d")


def statuses(subject: stead.Subject, *records: str) -> list[str]:
    return [str(subject.record(each).status) for each in records]


def claims(subject: stead.Subject, query: str) -> list[str]:
    return [each.claim for each in subject.recall(query).facts]


def linked(subject: stead.Subject, clock: StoryClock, count: int) -> list[str]:
    records = []
    for number in range(count):
        clock.instant += HOUR
        records.append(say(subject, f"city {number}"))
    return records


@pytest.fixture
def cli(run: Run, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Return a function that runs a command on the test's store, as ana."""
    for name, value in {"STEAD_STORE": "memory.db", "STEAD_SUBJECT": "ana"}.items():
        monkeypatch.setenv(name, value)
    return lambda *words: astuple(run(*words))


# --- rollback -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def chain(ana: stead.Subject) -> list[str]:
    """Return four links, a month each."""
    return [say(ana, value, valid_from=f"2025-0{n}-01T00:00Z") for n, value in enumerate("ABCD", start=1)]


@pytest.mark.parametrize(
    ("place", "expected", "states"),
    [
        (0, "A 1-3, C 3-4, D 4-", ["superseded", "retracted", "superseded", "active"]),
        (1, "A 1-2, B 2-4, D 4-", ["superseded", "superseded", "retracted", "active"]),
        (2, "A 1-2, B 2-3, C 3-", ["superseded", "superseded", "active", "retracted"]),
    ],
)
def test_r28_any_link_is_rolled_back(
    ana: stead.Subject, chain: list[str], clock: StoryClock, place: int, expected: str, states: list[str]
) -> None:
    before = ana.holds(CITY)
    known = ana.recall().known_at
    clock.instant += DAY
    outcome = ana.rollback(chain[place])
    assert (outcome.decision, outcome.rule, outcome.record) == (Decision.UPDATE, "rolled_back", chain[place])
    shown = ", ".join(
        f"{each.value} {each.start.month if each.start else ''}-{each.end.month if each.end else ''}"
        for each in ana.holds(CITY)
    )
    assert (shown, statuses(ana, *chain)) == (expected, states)
    assert ana.holds(CITY, known_at=known) == before
    assert {each.id for each in ana.history(chain[3])} == set(chain)


def test_r28_a_link_is_rolled_back_once(ana: stead.Subject, chain: list[str]) -> None:
    ana.rollback(chain[2])
    for record in (chain[2], chain[2]):
        with pytest.raises(stead.IllegalTransition):
            ana.rollback(record)
    assert statuses(ana, *chain) == ["superseded", "superseded", "active", "retracted"]


def test_r28_a_rollback_is_rolled_back(ana: stead.Subject, chain: list[str]) -> None:
    before = strip(ana)
    ana.rollback(chain[2])
    ana.rollback(chain[3])
    assert (strip(ana), statuses(ana, *chain)) == (before, ["superseded", "superseded", "superseded", "active"])


def test_r28_one_link_after_the_other_is_rolled_back(ana: stead.Subject, chain: list[str]) -> None:
    for place in (2, 1, 0):
        ana.rollback(chain[place])
    assert strip(ana) == [("A", "2025-01-01", None)]
    assert statuses(ana, *chain) == ["active", "retracted", "retracted", "retracted"]


def test_r28_an_update_of_the_words_is_rolled_back(ana: stead.Subject, clock: StoryClock) -> None:
    first = ana.remember("Ana works at Acme")
    clock.instant += DAY
    more = ana.remember("Ana works at Acme as a designer")
    assert (more.decision, more.record) == (Decision.UPDATE, first.record)
    known = ana.recall().known_at
    record = str(first.record)
    assert claims(ana, "Acme") == ["Ana works at Acme as a designer"]
    clock.instant += DAY
    back = ana.rollback(record)
    assert (back.rule, back.reason) == ("rolled_back", "its older wording stands again")
    assert (claims(ana, "Acme"), claims(ana, "designer")) == (["Ana works at Acme"], [])
    assert [each.claim for each in ana.recall("Acme", known_at=known).facts] == ["Ana works at Acme as a designer"]
    assert [each.claim for each in ana.history(record)] == [
        "Ana works at Acme", "Ana works at Acme as a designer", "Ana works at Acme"
    ]  # fmt: skip
    with pytest.raises(stead.IllegalTransition, match="there is no supersession"):
        ana.rollback(record)
    again = ana.remember("Ana works at Acme as a designer")
    assert (again.record, claims(ana, "designer")) == (record, ["Ana works at Acme as a designer"])


def test_r28_two_updates_are_rolled_back_one_after_the_other(ana: stead.Subject) -> None:
    words = ["Ana works at Acme", "Ana works at Acme as a designer", "Ana works at Acme in Lyon as a designer"]
    made = [ana.remember(each) for each in words]
    assert [each.decision for each in made] == [Decision.ADD, Decision.UPDATE, Decision.UPDATE]
    record = str(made[0].record)
    ana.rollback(record)
    assert claims(ana, "Acme") == [words[1]]
    ana.rollback(record)
    assert claims(ana, "Acme") == [words[0]]


def test_r28_what_was_corrected_twice_stands_again_and_neither_correction(ana: stead.Subject) -> None:
    first = say(ana, "Berlin", valid_from="2025-01-01T00:00Z")
    second = str(ana.correct(first, value="Bern").record)
    third = str(ana.correct(second, value="Basel").record)
    assert [ana.record(each).superseded_by for each in (first, second, third)] == [second, third, None]
    ana.rollback(first)
    assert (strip(ana), statuses(ana, first, second, third)) == (
        [("Berlin", "2025-01-01", None)],
        ["active", "retracted", "retracted"],
    )


def test_r28_a_successor_that_was_corrected_goes_with_its_correction(ana: stead.Subject) -> None:
    old = say(ana, "Berlin", valid_from="2025-01-01T00:00Z")
    new = say(ana, "Lisbon", valid_from="2025-03-01T00:00Z")
    fixed = str(ana.correct(new, value="Porto").record)
    last = say(ana, "Faro", valid_from="2025-06-01T00:00Z")
    assert [each[0] for each in strip(ana)] == ["Berlin", "Porto", "Faro"]
    ana.rollback(old)
    assert strip(ana) == [("Berlin", "2025-01-01", "2025-06-01"), ("Faro", "2025-06-01", None)]
    assert statuses(ana, old, new, fixed, last) == ["superseded", "retracted", "retracted", "active"]


def test_r22_a_correction_in_the_middle_is_rolled_back_by_itself(ana: stead.Subject) -> None:
    first = say(ana, "Berlin", valid_from="2025-01-01T00:00Z")
    second = str(ana.correct(first, value="Bern").record)
    third = str(ana.correct(second, value="Basel").record)
    ana.rollback(second)
    assert (strip(ana), statuses(ana, first, second, third)) == (
        [("Bern", "2025-01-01", None)],
        ["retracted", "active", "retracted"],
    )
    ana.rollback(first)
    assert [each[0] for each in strip(ana)] == ["Berlin"]


def test_r46_corrections_cost_a_revision_each(ana: stead.Subject) -> None:
    """A chain of corrections is as long as it is, not as long as its square."""
    record = first = say(ana, "city 0")
    for number in range(1, 30):
        record = str(ana.correct(record, value=f"city {number}").record)
    found = ana.history(record)
    assert (len(found), len({each.id for each in found})) == (59, 30)
    ana.rollback(first)
    assert [each[0] for each in strip(ana)] == ["city 0"]
    assert [str(each.status) for each in ana.records(status="active")] == ["active"]


def test_r28_what_an_erased_successor_had_ended_is_rolled_back(ana: stead.Subject) -> None:
    old = say(ana, "Berlin", valid_from="2025-01-01T00:00Z")
    say(ana, "Lisbon", valid_from="2025-06-01T00:00Z")
    assert ana.remember("Forget that I live in Lisbon").decision is Decision.ERASE
    assert (strip(ana), ana.record(old).superseded_by) == ([("Berlin", "2025-01-01", "2025-06-01")], None)
    ana.rollback(old)
    assert strip(ana) == [("Berlin", "2025-01-01", None)]


def test_r28_what_an_erased_correction_stood_for_is_rolled_back(ana: stead.Subject) -> None:
    """It gets back what the erased one had ended, too."""
    before = say(ana, "Oslo", valid_from="2024-01-01T00:00Z")
    first = say(ana, "Berlin", valid_from="2025-01-01T00:00Z")
    second = str(ana.correct(first, "Lives in Bern", value="Bern").record)
    ana.correct(second, "Lives in Basel", value="Basel")
    ana.remember("Forget that I live in Basel")
    ana.rollback(first)
    assert strip(ana) == [("Oslo", "2024-01-01", "2025-01-01"), ("Berlin", "2025-01-01", None)]
    assert ana.record(before).superseded_by == first
    ana.rollback(before)
    assert strip(ana) == [("Oslo", "2024-01-01", None)]


def test_r28_words_are_put_back_in_the_scope_in_which_the_record_is_now(ana: stead.Subject) -> None:
    record = str(ana.remember("Ana works at Acme", speaker="mara").record)
    ana.remember("Ana works at Acme as a designer", speaker="mara")
    ana.remember("Ana works at Apex", speaker="jon")
    ana.settle(scopes={record: "work"})
    ana.rollback(record)
    found = [[each.claim for each in ana.recall("where does Ana work?", scope=scope).facts] for scope in ("work", "")]
    assert (ana.record(record).scope, found) == ("work", [["Ana works at Acme"], ["Ana works at Apex"]])


def test_r28_a_correction_that_lost_an_answer_is_rolled_back_with_its_portion(ana: stead.Subject) -> None:
    old = say(ana, "Berlin", valid_from="2025-01-01T00:00Z")
    fixed = say(ana, "Bern", valid_from="2025-01-01T00:00Z", meaning="corrected")
    other = say(ana, "Oslo", valid_from="2025-01-01T00:00Z", speaker="jon")
    ana.settle(keep=other)
    ana.rollback(fixed)
    assert (strip(ana), statuses(ana, old, fixed, other)) == (
        [(None, "2025-01-01", None)],
        ["retracted", "contested", "contested"],
    )


def test_r23_what_a_system_of_record_says_is_not_rolled_back_here(ana: stead.Subject) -> None:
    old = say(ana, "Berlin")
    say(ana, "Lisbon", authority="system_of_record")
    with pytest.raises(stead.Forbidden):
        ana.rollback(old)


def test_r28_what_only_waits_or_was_refused_has_nothing_to_roll_back(ana: stead.Subject) -> None:
    guess = str(ana.remember("Likes jazz", authority="inferred").record)
    with pytest.raises(stead.IllegalTransition):
        ana.rollback(guess)
    ana.reject(guess)
    with pytest.raises(stead.IllegalTransition):
        ana.rollback(guess)


# --- all four quadrants (R22) -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("meaning", "quadrants"),
    [("changed", ["Berlin", "Berlin", "Berlin", "Bern"]), ("corrected", ["Berlin", "Berlin", "Bern", "Bern"])],
)
def test_r22_the_four_quadrants(ana: stead.Subject, clock: StoryClock, meaning: str, quadrants: list[str]) -> None:
    old = say(ana, "Berlin", valid_from="2025-01-01T00:00Z")
    clock.instant += 10 * DAY
    start = "2026-01-10T00:00Z" if meaning == "changed" else None
    ana.correct(old, "Lives in Bern", value="Bern", meaning=meaning, valid_from=start)
    clock.instant += 10 * DAY
    found = [
        ana.recall(slot=CITY, at=at, known_at=known).facts[0].value
        for known in ("2026-01-06T00:00Z", "2026-01-20T00:00Z")
        for at in ("2025-06-01T00:00Z", "2026-01-20T00:00Z")
    ]
    assert found == quadrants


# --- pages and depth --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 1000])
def test_r28_the_pages_of_a_history_are_the_history(ana: stead.Subject, chain: list[str], limit: int) -> None:
    ana.correct(chain[3], value="E")
    ana.rollback(chain[0])
    whole = ana.history(chain[1])
    found, after = [], None
    while page := ana.history(chain[1], limit=limit, after=after):
        found += page
        after = page[-1].tx_from
        assert len(page) >= min(limit, len(whole) - len(found) + len(page))
    assert found == whole
    assert [each.tx_from for each in whole] == sorted(each.tx_from for each in whole)


@pytest.mark.parametrize("limit", [0, -1, 1001, True, "3"])
def test_r28_a_page_has_a_size(ana: stead.Subject, chain: list[str], limit: Any) -> None:
    with pytest.raises(stead.InvalidArgument, match="limit"):
        ana.history(chain[0], limit=limit)


def test_r28_two_thousand_links(ana: stead.Subject, clock: StoryClock, cli: Cli, tmp_path: Path) -> None:
    """Reads, pages, the tree, the picture, and the rollback of the first, a middle and the last link."""
    records = linked(ana, clock, LINKS)
    assert ana.recall(slot=CITY).facts[0].value == f"city {LINKS - 1}"
    whole = ana.history(records[LINKS // 2])
    assert ({each.id for each in whole}, len(whole)) == (set(records), 2 * LINKS - 1)
    began = time.perf_counter()
    page = ana.history(records[0], limit=100, after=whole[LINKS].tx_from)
    assert (len(page) < 110, page[0].tx_from > whole[LINKS].tx_from) == (True, True)
    assert time.perf_counter() - began < 2
    code, tree, _ = cli("history", records[3])
    assert (code, [tree.count(each) > 0 for each in records]) == (0, [True] * LINKS)
    assert max(len(line) - len(line.lstrip("│└├─ \u00a0")) for line in tree.splitlines()) <= 40
    assert cli("history", records[3], "--svg", "chain.svg")[0] == 0
    root = ET.parse(tmp_path / "chain.svg").getroot()
    assert len(root.findall(f"{SVG}g")) == LINKS
    for place in (0, LINKS // 2, LINKS - 2):
        clock.instant += HOUR
        began = time.perf_counter()
        ana.rollback(records[place])
        assert time.perf_counter() - began < 5
    gone = [records[1], records[LINKS // 2 + 1], records[LINKS - 1]]
    assert statuses(ana, *gone) == ["retracted"] * 3
    assert ana.recall(slot=CITY).facts[0].id == records[LINKS - 2]
    assert len(ana.holds(CITY)) == LINKS - 3


# --- on the command line --------------------------------------------------------------------------------------------------


def test_r28_the_tree_says_what_replaced_what_by_which_rule(ana: stead.Subject, chain: list[str], cli: Cli) -> None:
    ana.correct(chain[3], value="E")
    ana.rollback(chain[1])
    code, shown, noted = cli("history", chain[0])
    assert (code, noted) == (0, "")
    assert all(shown.count(f"{each}  ") >= 1 for each in chain)
    for rule in ("new", "newer", "corrected", "rolled_back"):
        assert f"rule {rule}" in shown
    assert "retracted  stands nowhere" in shown
    lines = [line for line in shown.splitlines() if "known " in line]
    assert len(lines) == len(ana.history(chain[0]))


def test_r28_a_refined_claim_shows_both_wordings(ana: stead.Subject, cli: Cli, tmp_path: Path) -> None:
    record = str(ana.remember("Ana works at Acme").record)
    ana.remember("Ana works at Acme as a designer")
    _, shown, _ = cli("history", record)
    assert re.search(r"rule more_detail  Ana works at Acme as a designer", shown)
    cli("history", record, "--svg", "x.svg")
    assert "reworded: Ana works at Acme as a designer" in _words(tmp_path / "x.svg")


def test_r28_the_tree_and_the_picture_show_what_moved_to_a_scope(ana: stead.Subject, cli: Cli, tmp_path: Path) -> None:
    say(ana, "Porto", speaker="mara")
    record = say(ana, "Faro", speaker="jon")
    ana.settle(scopes={record: "work"})
    ana.settle(undo=True)
    _, shown, _ = cli("history", record)
    assert ("  in work" in shown, "  in every scope" in shown) == (True, True)
    cli("history", record, "--svg", "x.svg")
    words = _words(tmp_path / "x.svg")
    assert ("moved to work" in words, "moved to every scope" in words) == (True, True)


def test_r28_pages_on_the_command_line(ana: stead.Subject, chain: list[str], cli: Cli) -> None:
    import json

    found: list[str] = []
    after: list[str] = []
    while True:
        code, out, _ = cli("history", chain[0], "--limit", "2", "--json", *after)
        page = json.loads(out)
        assert code == 0
        found += [each["tx_from"] for each in page["revisions"]]
        if page["after"] is None:
            break
        after = ["--after", page["after"]]
    assert found == [_spell(each.tx_from) for each in ana.history(chain[0])]
    _, _, noted = cli("history", chain[0], "--limit", "2")
    assert f"stead history {chain[0]} --after " in noted
    end = noted.split("--after ")[1].strip()
    assert cli("history", chain[0], "--after", end)[0] == 0
    code, out, noted = cli("history", chain[0], "--after", "2030-01-01T00:00Z")
    assert (code, out, noted) == (0, "", "note: no further revisions\n")
    assert cli("history", chain[0], "--limit", "0")[0] == 2
    assert cli("history", chain[0], "--limit", "1001")[0] == 2


def _spell(instant: Any) -> str:
    return str(instant.isoformat().replace("+00:00", "Z"))


def test_history_of_nothing_and_into_nowhere(ana: stead.Subject, chain: list[str], cli: Cli, tmp_path: Path) -> None:
    assert cli("history", "rec_0000000000000000", "--svg", "x.svg")[0] == 3
    code, _, noted = cli("history", chain[0], "--svg", "missing/x.svg")
    assert (code, "svg: can't be written" in noted) == (2, True)
    assert not list(tmp_path.glob("**/*.svg"))


# --- the picture ----------------------------------------------------------------------------------------------------------


def _words(file: Path) -> str:
    root = ET.parse(file).getroot()
    return "\n".join("".join(each.itertext()) for each in root.iter(f"{SVG}text"))


def test_r28_the_picture_shows_every_revision_with_status_interval_and_rule(
    ana: stead.Subject, clock: StoryClock, chain: list[str], cli: Cli, tmp_path: Path
) -> None:
    clock.instant += DAY
    fixed = str(ana.correct(chain[3], "Lives in Evora", value="Evora").record)
    clock.instant += DAY
    ana.rollback(chain[1])
    code, out, noted = cli("history", chain[0], "--svg", "chain.svg")
    revisions = ana.history(chain[0])
    assert (code, out) == (0, "")
    assert noted == f"note: drawn into chain.svg: 5 records, {len(revisions)} revisions\n"
    file = tmp_path / "chain.svg"
    root, words = ET.parse(file).getroot(), _words(file)
    assert (root.tag, root.get("role")) == (f"{SVG}svg", "img")
    assert f"History of {chain[0]}" in words
    for record in (*chain, fixed):
        newest = ana.record(record)
        assert f"{record} · {newest.status.upper()} · stated · by ana · in every scope" in words
        assert newest.claim in words
    for each in revisions:
        assert f"known {moment(each.tx_from)} → {moment(each.tx_until, 'now')} · {each.status}" in words
    for said in ("rule newer", "rule corrected", "rule rolled_back", f"replaced by {fixed}", "stands nowhere"):
        assert said in words
    assert "stands 2025-01-01T00:00Z → 2025-02-01T00:00Z" in words
    arrows = [each for each in root.iter(f"{SVG}path") if each.get("class") == "arrow"]
    assert len(arrows) == len({each.id for each in revisions if each.superseded_by})
    classes = [each.get("class") for each in root.iter(f"{SVG}rect")]
    assert (classes.count("stated"), classes.count("bar active"), classes.count("card")) == (5, 1, 5)


def test_r28_the_bars_lie_where_the_intervals_do(
    ana: stead.Subject, chain: list[str], cli: Cli, tmp_path: Path
) -> None:
    cli("history", chain[0], "--svg", "chain.svg")
    root = ET.parse(tmp_path / "chain.svg").getroot()
    bars = [each for each in root.iter(f"{SVG}rect") if (each.get("class") or "").startswith("bar")]
    spans = sorted((float(each.get("x", 0)), float(each.get("width", 0))) for each in bars)
    assert len(spans) == 4
    for (x, width), (following, _) in pairwise(spans):
        assert x + width == pytest.approx(following, abs=0.2)  # half open: neighbours meet
    assert spans[3][0] + spans[3][1] == pytest.approx(1210, abs=0.2)  # what is open runs to the edge


HOSTILE = '</title><script>alert("x")</script> & \' ]]> \x1b[31m \ufffe \u202e 東京'


def test_r28_the_picture_of_hostile_words_is_valid_and_runs_nothing(
    ana: stead.Subject, cli: Cli, tmp_path: Path
) -> None:
    record = str(ana.remember(HOSTILE + " so" * 80, slot=Slot("x.a", value="1"), speaker="<b>& Co").record)
    cli("history", record, "--svg", "x.svg")
    text = (tmp_path / "x.svg").read_text(encoding="utf-8")
    root = ET.fromstring(text)
    assert {each.tag.removeprefix(SVG) for each in root.iter()} <= {
        "svg", "title", "desc", "style", "defs", "marker", "path", "rect", "text", "g"
    }  # fmt: skip
    assert "<script" not in text
    assert not any(character in text for character in "\x1b\ufffe\u202e")
    words = _words(tmp_path / "x.svg")
    assert ('<script>alert("x")</script> & ' in words, "<b>& Co" in words, "…" in words) == (True, True, True)
    [card] = root.findall(f"{SVG}g")
    assert (card.findtext(f"{SVG}title") or "").endswith("so so so")  # whole in the tooltip
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)


def test_r28_the_picture_is_readable_light_and_dark(
    ana: stead.Subject, chain: list[str], cli: Cli, tmp_path: Path
) -> None:
    cli("history", chain[0], "--svg", "x.svg")
    style = ET.parse(tmp_path / "x.svg").getroot().findtext(f"{SVG}style") or ""
    light, dark = style.split("@media (prefers-color-scheme: dark)")
    for part in (light, dark):
        back, ink = _colour(part, ".back", "fill"), _colour(part, "text", "fill")
        soft, card = _colour(part, ".soft", "fill"), _colour(part, ".card", "fill")
        assert min(_contrast(a, b) for a in (ink, soft) for b in (back, card)) >= 4.5
        bars = [_colour(part, each, "fill") for each in (".bar", ".active", ".contested")]
        assert min(_contrast(each, card) for each in bars) >= 2.5
    assert _light(_colour(light, ".back", "fill")) > 0.5 > _light(_colour(dark, ".back", "fill"))


def _colour(style: str, name: str, what: str) -> str:
    found = re.search(rf"(?m)(?:^|\s){re.escape(name)} \{{[^}}]*?{what}: (#[0-9a-f]{{6}})", style)
    assert found, name
    return found[1]


def _light(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _contrast(one: str, other: str) -> float:
    low, high = sorted((_light(one), _light(other)))
    return (high + 0.05) / (low + 0.05)


def test_r28_a_picture_of_one_page_draws_what_is_on_it(
    ana: stead.Subject, chain: list[str], cli: Cli, tmp_path: Path
) -> None:
    _, _, noted = cli("history", chain[0], "--svg", "x.svg", "--limit", "1")
    assert ("1 records, 1 revisions" in noted, "there may be more" in noted) == (True, True)
    assert "1 record, 1 revision" in _words(tmp_path / "x.svg")
    assert cli("history", chain[0], "--svg", "y.svg", "--after", "2030-01-01T00:00Z")[0] == 0
    assert "0 records, 0 revisions" in _words(tmp_path / "y.svg")


def test_r28_more_arrows_than_lanes_share_the_last(
    ana: stead.Subject, clock: StoryClock, cli: Cli, tmp_path: Path
) -> None:
    """Fifteen exceptions that one correction of the whole stretch replaced at once."""
    for day in range(10, 25):
        say(ana, f"city {day}", valid_from=f"2025-01-{day}T00:00Z", valid_until=f"2025-01-{day}T12:00Z")
    clock.instant += DAY
    last = say(ana, "Bern", valid_from="2025-01-01T00:00Z", valid_until="2025-03-01T00:00Z", meaning="corrected")
    cli("history", last, "--svg", "x.svg")
    root = ET.parse(tmp_path / "x.svg").getroot()
    arrows = [each.get("d") or "" for each in root.iter(f"{SVG}path") if each.get("class") == "arrow"]
    assert len(arrows) == 15
    assert all(float(part) > 0 for each in arrows for part in re.findall(r"[MH](\d+)", each))
