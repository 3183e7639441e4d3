"""A consolidation that is killed goes on where it was; writers go on meanwhile, and what they write always survives (R36, R46)."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchmarks.planted import load
from tests.test_consolidate import everything, rules, statuses, steps

import stead
from stead.clock import StoryClock
from stead.ids import seeded_ids
from stead.memory import deeds, summing, sweeping
from stead.memory.deeds import Changed
from stead.model.period import from_datetime

KILLS = 20
NEAR = ("Grandma bakes rye bread every Sunday at home", "Grandma buys rye bread every Sunday at home")


def judged(old: str, new: str) -> str:
    return "contradicts" if (old, new) == NEAR else "unrelated"


def derived(_record: stead.Record, _sources: object) -> str:
    return "Is busy at some time"


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file in which there is something to do for every phase, and more to close than a run may."""
    path = tmp_path_factory.mktemp("loaded") / "memory.db"
    clock = StoryClock(from_datetime(stead.wall("2026-01-05T10:00", "UTC")))
    with stead.open(path, clock=clock, new_id=seeded_ids(3), embedder="none") as store:
        load(store, "ana", NEAR)
        everything(store, clock)
        load(store, "ana", [f"The lodge of Town{n} is in {place}" for n in range(12) for place in ("Oslo", "Rome")])
        ana = store.subject("ana")
        sources = [ana.remember(f"Has a meeting at {hour}").record or "" for hour in ("nine", "noon")]
        ana.remember("Is busy in the morning", derived_from=sources, kind="reflection")
        ana.retract(sources[0])
    return path


def opened(path: Path) -> stead.Store:
    store = stead.open(path, embedder="none")
    store.derive("reflection", derived)
    return store


def copied(loaded: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(loaded, tmp_path / "memory.db"))


def state(path: Path) -> dict[str, object]:
    """Return everything that a run decides, by numbers: what is there, how it stands, on which sources, and what is asked."""
    with opened(path) as store, store._core.backend.read() as read:
        subject = read.subject("ana")
        assert subject is not None
        rows = read.current_by_number(subject.n, range(1, 400))
        keys = {each.n: str(each.key) for each in read.slots_by_number(subject.n, [each.slot or 0 for each in rows])}
        edges = read.edges([each.record for each in rows])
        known = {each.id for each in rows}
        return {
            "records": [
                (each.record, each.claim, each.status, each.superseded_by, keys.get(each.slot or 0), each.value, each.tier,
                 each.rank, each.head, [(cut.why, cut.by) for cut in each.cuts], len(each.review_events), each.waits_for)
                for each in rows
            ],
            "sources": sorted((each.record, each.turn) for each in read.sources([each.record for each in rows], read.last_instant())),
            "edges": sorted((each.record, each.kind, each.target) for each in edges),
            "questions": sorted((each.kind, *(claim.claim for claim in each.claims)) for each in store.subject("ana").questions()),
            "ids": len(known),
        }  # fmt: skip


def reaching(monkeypatch: pytest.MonkeyPatch, then: Callable[[int, str], None]) -> list[str]:
    """Call a function at each point of a run, with its number and name; return the names so far."""
    names: list[str] = []

    def reached(name: str) -> None:
        names.append(name)
        then(len(names) - 1, name)

    for module in (deeds, sweeping, summing):
        monkeypatch.setattr(module, "reached", reached)
    return names


def consolidated(path: Path) -> None:
    with opened(path) as store:
        assert store.consolidate(judge=judged).finished


@pytest.fixture(scope="module")
def wanted(loaded: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, object], list[str]]:
    """Return what a run comes to that nobody stops, and the points that it passes."""
    path = copied(loaded, tmp_path_factory.mktemp("whole"))
    with pytest.MonkeyPatch.context() as patched:
        names = reaching(patched, lambda _number, _name: None)
        consolidated(path)
    return state(path), names


def test_the_scene_has_something_of_everything(loaded: Path, tmp_path: Path) -> None:
    with opened(copied(loaded, tmp_path)) as store:
        told = {each.rule for each in steps(store.consolidate(judge=judged))}
    assert told >= {
        "adopted", "newer", "merged", "equals", "deliberate", "flattened", "summarised", "share", "model", "rederived",
    }  # fmt: skip


@pytest.mark.parametrize("kill", range(KILLS))
def test_r36_killed_at_any_point_it_resumes_and_ends_in_the_same_state(
    loaded: Path,
    wanted: tuple[dict[str, object], list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kill: int,
) -> None:
    """R36, R46: the process dies without any clean-up, within transactions and between them; the next call goes on."""
    path, (whole, names) = copied(loaded, tmp_path), wanted
    point = kill * (len(names) - 1) // (KILLS - 1)
    child = os.fork()
    if child == 0:  # pragma: no cover - it dies on purpose
        try:
            reaching(monkeypatch, lambda number, _name: os._exit(9) if number == point else None)
            consolidated(path)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 9, names[point]
    with opened(path) as store:
        report = store.consolidate(judge=judged)
        assert report.finished
        [run] = report.subjects
        assert run.closed <= run.may_close == 10
        assert store.doctor()["healthy"]
    assert state(path) == whole, names[point]


def test_r36_the_kills_fall_within_transactions_and_between_them(wanted: tuple[dict[str, object], list[str]]) -> None:
    names = wanted[1]
    hit = {names[kill * (len(names) - 1) // (KILLS - 1)] for kill in range(KILLS)}
    assert len(hit) >= 5
    assert len(set(names)) >= 15


SCRIPT = """
import sys, time
import stead
from stead.memory import deeds, sweeping, summing

def reached(name):
    if name == {name!r}:
        print("here", flush=True)
        time.sleep(60)

for module in (deeds, sweeping, summing):
    module.reached = reached
with stead.open({path!r}, embedder="none") as store:
    store.consolidate()
"""


@pytest.mark.parametrize("name", ["planned", "decided", "written", "committed", "flattening"])
def test_r36_kill_minus_nine_of_another_process_loses_nothing(loaded: Path, tmp_path: Path, name: str) -> None:
    """R36, R46: while it lived it may have held the lock; the next call resumes."""
    path = copied(loaded, tmp_path)
    with subprocess.Popen(
        [sys.executable, "-c", SCRIPT.format(name=name, path=str(path))], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "here\n"
        process.send_signal(signal.SIGKILL)
    with opened(path) as store:
        report = store.consolidate()
        assert report.finished
        assert statuses(store.subject("ana"))["Works at Apex"] == "superseded"
        assert store.consolidate().changed == 0


@pytest.mark.parametrize("call", range(25))
def test_r24_a_model_that_breaks_at_any_call_changes_nothing_of_the_rest(
    loaded: Path, tmp_path: Path, call: int
) -> None:
    """R24, R46: malformed answers by turns, at every call: the run ends as it does without a model."""
    answers: list[object] = [None, "", "yes", 1, [], {}, b"contradicts", object(), "contradicts!", float("nan")]

    def judge(_old: str, _new: str) -> Any:
        if call % 5 == 4:
            raise RuntimeError("gone")
        return answers[call % len(answers)]

    with opened(copied(loaded, tmp_path)) as store:
        before = len(store.subject("ana").records(limit=1000))
        report = store.consolidate(judge=judge)
        assert report.subjects[0].phases[1].model_failures == report.subjects[0].phases[1].model_calls > 0
        assert "model" not in rules(report)
        assert {statuses(store.subject("ana"))[each] for each in NEAR} == {"active"}
        assert len(store.subject("ana").records(limit=1000)) >= before


# --- writers meanwhile ---------------------------------------------------------------------------------------------------


def test_r36_what_changed_under_a_step_is_decided_anew(
    store: stead.Store, clock: StoryClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R36: the newer word of a writer counts, and the older decision is never written over it."""
    load(store, "ana", ["Works at Apex", "Works at Borealis"])
    ana, written = store.subject("ana"), list[stead.Outcome]()

    def then(_number: int, name: str) -> None:
        if name == "planned" and not written:
            clock.instant += 1_000_000
            written.append(ana.remember("Works at Cobalt"))

    names = reaching(monkeypatch, then)
    assert store.consolidate().finished
    assert "changed" in names
    assert {claim for claim, status in statuses(ana).items() if status == "active"} == {"Works at Cobalt"}
    assert ana.record(written[0].record or "").status == "active"


def test_r36_a_question_that_is_always_busy_is_left_for_the_next_run(
    store: stead.Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(store, "ana", ["Works at Apex", "Works at Borealis"])

    def changed(_desk: object, _plan: object) -> None:
        raise Changed

    monkeypatch.setattr(deeds, "check", changed)
    report = store.consolidate()
    assert (report.changed, report.subjects[0].phases[1].reasons) == (0, {"busy": 1})
    monkeypatch.undo()
    assert rules(store.consolidate()) == {"newer": 1}


@pytest.mark.parametrize("verb", ["retract", "alias", "end", "adopted by another", "flattened"])
def test_r36_every_kind_of_step_looks_again_before_it_writes(
    store: stead.Store, clock: StoryClock, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    ana = store.subject("ana")
    ids = load(store, "ana", ["Works at Apex", "Works at Apex.", "The lodge is in Rome", "Likes tea"])
    done: list[str] = []

    def then(_number: int, name: str) -> None:
        if done or name != "gathered":
            return
        done.append(name)
        if verb == "retract":
            ana.retract(ids[0])
        elif verb == "alias":
            ana.alias("the lodge", means="cabin")
        elif verb == "end":
            ana.end(ids[3])
        elif verb == "adopted by another":
            ana.remember("The lodge is in Oslo")

    reaching(monkeypatch, then)
    assert store.consolidate().finished
    monkeypatch.undo()
    found = {each.id: each for each in ana.records()}
    if verb == "retract":
        assert (found[ids[0]].status, found[ids[1]].status) == ("retracted", "active")
    elif verb == "adopted by another":
        assert statuses(ana)["The lodge is in Oslo"] == "active"
    assert store.consolidate().finished


def test_r36_a_batch_that_changed_is_left_for_the_next_run(
    store: stead.Store, clock: StoryClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R28, R36: of what is filed, flattened or summed up too."""
    everything(store, clock)
    ana = store.subject("ana")
    done: set[str] = set()

    def then(_number: int, name: str) -> None:
        if name == "chained" and name not in done:
            done.add(name)
            ana.remember("Lives in Kiel", slot=stead.Slot("home.city", value="Kiel"))
            ana.remember("Lives in Ulm", slot=stead.Slot("home.city", value="Ulm"))

    reaching(monkeypatch, then)
    report = store.consolidate()
    assert report.subjects[0].phases[3].reasons == {"changed": 1}
    monkeypatch.undo()
    assert rules(store.consolidate())["flattened"] == 1


def test_r46_records_of_concurrent_writers_always_survive(tmp_path: Path) -> None:
    """R36, R46: two threads and a second process write while two consolidations run; no newest word is lost."""
    path = tmp_path / "memory.db"
    with stead.open(path, embedder="none") as store:
        load(store, "ana", [f"The lodge of Town{n} is in {place}" for n in range(30) for place in ("Oslo", "Rome")])
        failures: list[BaseException] = []

        def guarded(work: Callable[[], None]) -> Callable[[], None]:
            def run() -> None:
                try:
                    work()
                except BaseException as error:  # noqa: BLE001 - told by the test
                    failures.append(error)

            return run

        def write(who: int) -> None:
            ana = store.subject("ana")
            for n in range(who, 30, 2):
                ana.remember(f"The lodge of Town{n} is in Bonn")

        def sweep() -> None:
            store.consolidate(share=1)

        code = (
            "import stead\n"
            f"with stead.open({str(path)!r}, embedder='none') as store:\n"
            "    for n in range(30):\n"
            "        store.subject('ana').remember(f'The barn of Town{n} is in Kiel')\n"
            "    store.consolidate(share=1)\n"
        )
        with subprocess.Popen([sys.executable, "-c", code]) as process:
            works = [
                guarded(lambda: write(0)),
                guarded(lambda: write(1)),
                guarded(sweep),
            ]
            threads = [threading.Thread(target=each) for each in works]
            for each in threads:
                each.start()
            for each in threads:
                each.join()
            assert process.wait() == 0
        assert failures == []
        store.consolidate(share=1)
        after = statuses(store.subject("ana"))
        for n in range(30):
            assert after[f"The lodge of Town{n} is in Bonn"] == "active"
            assert after[f"The barn of Town{n} is in Kiel"] == "active"
            assert (
                after[f"The lodge of Town{n} is in Oslo"] == after[f"The lodge of Town{n} is in Rome"] == "superseded"
            )
        assert store.doctor()["healthy"]


@pytest.mark.parametrize("limit", [8, 9, 1000])  # with nine more the allowance is used up to the last
def test_r36_two_processes_share_one_allowance(store: stead.Store, monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    """R36: what another process closed for the same run counts, also where that came to the run's end."""
    load(store, "ana", [f"The lodge of Town{n} is in {place}" for n in range(30) for place in ("Oslo", "Rome")])
    inner: list[object] = []

    def then(_number: int, name: str) -> None:
        if name == "committed" and not inner:
            inner.append("begun")
            inner.append(store.consolidate(limit=limit))

    reaching(monkeypatch, then)
    assert store.consolidate().finished
    closed = sum(each == "superseded" for each in statuses(store.subject("ana")).values())
    assert closed <= 10
    assert len(store.subject("ana").questions()) >= 20


def test_changed_is_no_error_of_the_public_tree() -> None:
    assert not issubclass(Changed, stead.SteadError)
