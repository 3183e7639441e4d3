"""The demonstration: a conversation of several sessions, and what the store then answers."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, Final

import yaml

import stead
from stead.clock import StoryClock
from stead.ids import seeded_ids
from stead.model.context import Context
from stead.model.outcome import Outcome
from stead.model.zone import instant
from stead.surfaces.cli.output import note, out, plain, print_json, print_text

SEED: Final = 7
CITY: Final = "home.city"
DATES: Final = ("2026-01-01", "2026-02-15", "2026-03-10", "2026-11-04")
KNOWN: Final = ("2026-03-15", "2026-11-04")
_FIELDS: Final = ("scope", "authority", "kind", "speaker", "valid_from", "valid_until")


@dataclass(slots=True, kw_only=True)
class Stage:
    """The store under demonstration, and what was written from which turn."""

    subject: stead.Subject
    clock: StoryClock
    zone: str
    refs: dict[str, str] = field(default_factory=dict)
    written: list[dict[str, Any]] = field(default_factory=list)

    def go(self, when: str) -> None:
        """Let the story's clock stand at a wall time."""
        self.clock.instant = instant(when, zone_name=self.zone)


def run_demo(*, as_json: bool) -> None:
    """Replay the example in a temporary store, and tell what it answers."""
    story = yaml.load(example().read_text(encoding="utf-8"), Loader=yaml.BaseLoader)  # noqa: S506 - text only
    clock = StoryClock()
    with tempfile.TemporaryDirectory(prefix="stead-demo-") as folder:
        path = Path(folder) / "demo.db"
        with stead.open(path, clock=clock, new_id=seeded_ids(SEED), embedder="none") as store:
            stage = Stage(subject=store.subject(story["subject"], zone=story["zone"]), clock=clock, zone=story["zone"])
            chapters = list(_chapters(stage, story["sessions"]))
    if as_json:
        print_json({"chapters": [{"title": title, "shows": plain(shown)} for title, shown, _ in chapters]})
        return
    for title, _, lines in chapters:
        out(title)
        for line in lines:
            print_text(f"  {line}" if line else "")
        out()
    note("the store was temporary; `stead remember` starts one of your own")


def example() -> Path:
    """Return the example's file: in the installed package, or in the checkout."""
    packaged = Path(str(resources.files("stead"))) / "examples" / "ana.yaml"
    return packaged if packaged.exists() else Path(__file__).parents[4] / "examples" / "ana.yaml"


Chapter = tuple[str, object, list[str]]


def _chapters(stage: Stage, sessions: list[Mapping[str, Any]]) -> Iterator[Chapter]:
    for session in sessions:
        _replay(stage, session)
    yield _from_which_turn(stage)
    stage.go("2026-11-04T09:00")
    yield _four_dates(stage)
    yield _exception(stage)
    yield _correction(stage)
    yield _contest(stage)
    yield _prompt(stage)


def _replay(stage: Stage, session: Mapping[str, Any]) -> None:
    """Record the turns of a session, and write what was claimed in them."""
    with stage.subject.session(session["conversation"]) as live:
        for turn in session["turns"]:
            stage.go(turn["at"])
            live.turn(turn["role"], turn["text"])
    for each in session.get("remember", ()):
        slot = stead.Slot(each["attribute"], value=each["value"])
        extra = {name: each[name] for name in _FIELDS if name in each}
        source = {"conversation": session["conversation"], "turn": each["turn"]}
        _note(stage, session, each, stage.subject.remember(each["claim"], slot=slot, source=source, **extra))
    for each in session.get("correct", ()):
        outcome = stage.subject.correct(stage.refs[each["record"]], each["claim"], value=each["value"])
        _note(stage, session, each, outcome)


def _note(stage: Stage, session: Mapping[str, Any], written: Mapping[str, Any], outcome: Outcome) -> None:
    stage.refs[written["ref"]] = str(outcome.record)
    turn = session["turns"][int(written["turn"]) - 1]
    stage.written.append({"at": turn["at"], "said": turn["text"], "claim": written["claim"], "outcome": outcome})


def _from_which_turn(stage: Stage) -> Chapter:
    lines: list[str] = []
    said = ""
    for each in stage.written:
        if each["said"] != said:
            lines.append(f"{each['at'][:10]}  \u201c{each['said']}\u201d")
            said = each["said"]
        outcome = each["outcome"]
        lines.append(f"            {outcome.decision:<10}{each['claim']}: {outcome.reason}")
    return "WHAT WAS REMEMBERED, AND FROM WHICH TURN", stage.written, lines


def _value(context: Context) -> str:
    return str(context.facts[0].value) if context.facts else "(nothing)"


def _four_dates(stage: Stage) -> Chapter:
    slot = stead.Slot(CITY)
    answers = [
        {"at": at, **{known: _value(stage.subject.recall(slot=slot, at=at, known_at=known)) for known in KNOWN}}
        for at in DATES
    ]
    lines = [f"{'on':<14}{'as known on 15 March':<24}as known today"]
    lines += [f"{each['at']:<14}{each[KNOWN[0]]:<24}{each[KNOWN[1]]}" for each in answers]
    lines += [
        "",
        "She moved on 1 March and said so on 20 March: until then the store answered Berlin, and it can still say so.",
    ]
    return "WHERE DOES ANA LIVE? FOUR DATES, TWO CLOCKS", answers, lines


def _exception(stage: Stage) -> Chapter:
    slot = stead.Slot("meetings.evening")
    moments = ("2026-09-27T12:00", "2026-10-04T23:59", "2026-10-05T00:00")
    shown = [
        {"at": at, "claim": stage.subject.recall(slot=slot, scope="scheduling", at=at).facts[0].claim} for at in moments
    ]
    lines = [f"{each['at'].replace('T', ' ')}  {each['claim']}" for each in shown]
    return "AN EXCEPTION THAT ENDS BY ITSELF (scope scheduling)", shown, lines


def _correction(stage: Stage) -> Chapter:
    slot = stead.Slot("job.employer")
    before = stage.subject.recall(slot=slot, at="2026-02-01", known_at="2026-06-01")
    now = stage.subject.recall(slot=slot, at="2026-02-01")
    lines = [
        f"In February, as known on 1 June:  {_value(before)}",
        f"In February, as known today:      {_value(now)}  (it was never Acme)",
    ]
    return "A CORRECTION: \u201cI MEANT APEX\u201d", {"before": _value(before), "now": _value(now)}, lines


def _contest(stage: Stage) -> Chapter:
    slot = stead.Slot("deploy.day")
    open_question = stage.subject.recall(slot=slot)
    settled = stage.subject.settle(open_question.questions[0].id, keep=stage.refs["thursday"])
    after = stage.subject.recall(slot=slot)
    claims = " or ".join(f"\u201c{each.claim}\u201d ({each.speaker})" for each in open_question.questions[0].claims)
    lines = [
        f"facts served: {len(open_question.facts)}; question: {claims}",
        f"settled by a person: {settled.reason}",
        f"facts served: {len(after.facts)}; {after.facts[0].claim}, said by {after.facts[0].speaker}",
    ]
    return "A CONTEST, AND ITS SETTLING", settled, lines


def _prompt(stage: Stage) -> Chapter:
    context = stage.subject.recall(
        "Can we meet on Thursday evening, and where?", scope="scheduling", budget={"episodes": 2, "tokens": 600}
    )
    return f"WHAT THE PROMPT WOULD RECEIVE ({context.tokens} tokens at most)", context, context.text.splitlines()
