"""Running timelines: each in fresh stores in a temporary folder, by its own clock."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from stead.errors import InvalidArgument, NotBuilt, SteadError
from stead.timeline.expect import CHECKS, OF_THE_STORE, Finding, Scene
from stead.timeline.report import Failure, Report
from stead.timeline.stage import Acts, Stage
from stead.timeline.story import Step, Story, read_story
from stead.timeline.verbs import BUILT

BACKENDS: Final = ("sqlite",)


def run_paths(paths: Sequence[str | Path], *, store: str | None = None) -> Sequence[Report]:
    """Run timelines, files and folders of them.

    Parameters
    ----------
    paths
        Files, and folders whose ``.yaml`` and ``.yml`` files are run, those of folders within them too. In a folder the
        order is by name; a file that is named twice runs once.
    store
        The backend: ``sqlite``, which is also the default.

    Returns
    -------
    sequence of Report
        One for each file. Every file is read and checked before the first one runs.

    Raises
    ------
    InvalidTimeline
        A file doesn't follow the format.
    InvalidArgument
        There is no such path, a folder without timelines, or an unknown backend.
    """
    if store is not None and store not in BACKENDS:
        raise InvalidArgument("store", f"unknown backend {store!r}", f"Use one of: {', '.join(BACKENDS)}.")
    files = dict.fromkeys(file for path in paths for file in _files(Path(path)))
    stories = [read_story(file) for file in files]
    return [run_story(story) for story in stories]


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise InvalidArgument("paths", f"no file or folder {path}", "Name timelines, or folders of them.")
    found = sorted(file for file in path.rglob("*") if file.suffix in {".yaml", ".yml"} and file.is_file())
    if not found:
        raise InvalidArgument("paths", f"no timelines in {path}", "Timelines end in .yaml or .yml.")
    return found


def run_story(story: Story) -> Report:
    """Run one timeline to its end, also past what fails.

    A story that needs what isn't built is skipped before its first step; one that meets it on the way, in a field or in
    the policy, is skipped too, unless something had failed by then.
    """
    if story.missing:
        return Report(file=story.file, timeline=story.name, missing=story.missing)
    failures: list[Failure] = []
    missing: list[str] = []
    with tempfile.TemporaryDirectory(prefix="stead-timeline-", ignore_cleanup_errors=True) as folder:
        stage = Stage(folder=Path(folder), zone=story.zone, policy=story.policy)
        try:
            failures.extend(_play(story, stage))
        except _NeedsMore as gap:
            missing.append(str(gap))
        finally:
            stage.close()
    return Report(file=story.file, timeline=story.name, failures=tuple(failures), missing=tuple(missing))


class _NeedsMore(Exception):
    """The story needs a capability that isn't built."""


def _play(story: Story, stage: Stage) -> Iterator[Failure]:
    declared = story.refs
    stage.clock.instant = story.steps[0].at or 0
    stage.acts = _acting(stage.acts, story.steps[0])
    try:
        _ = stage.store
    except NotBuilt as error:
        raise _NeedsMore(_gap(error)) from None
    except SteadError as error:
        yield Failure(step=0, expectation="policy", expected="a store that opens with it", got=_told(error))
        return
    for step in story.steps:
        stage.clock.instant = stage.clock.instant if step.at is None else step.at
        stage.acts = _acting(stage.acts, step)
        yield from _judge(_act(stage, step, declared), step)


def _acting(acts: Acts, step: Step) -> Acts:
    return acts if step.acts is None else acts.changed(step.acts)


def _act(stage: Stage, step: Step, declared: frozenset[str]) -> Scene:
    try:
        return Scene(stage=stage, declared=declared, result=BUILT[step.verb](stage, step.fields))
    except SteadError as error:
        if isinstance(error, NotBuilt) and step.expect.get("error") != error.code:
            raise _NeedsMore(f"{step.verb} ({_gap(error)})") from None
        return Scene(stage=stage, declared=declared, error=error)


def _judge(scene: Scene, step: Step) -> Iterator[Failure]:
    wanted = step.expect.get("error")
    code = None if scene.error is None else scene.error.code
    if code != wanted:
        got = "none" if scene.error is None else _told(scene.error)
        yield Failure(step=step.number, expectation="error", expected=wanted or "none", got=got)
    for name, value in step.expect.items():
        if name == "error" or (scene.error is not None and name not in OF_THE_STORE):
            continue
        finding = _found(scene, name, value)
        if not finding.met:
            yield Failure(step=step.number, expectation=name, expected=value, got=finding.got)


def _found(scene: Scene, name: str, value: object) -> Finding:
    try:
        return CHECKS[name](scene, value)
    except SteadError as error:
        return Finding(met=False, got=_told(error))


def _gap(error: NotBuilt) -> str:
    """Name what isn't built; by convention the message begins with it."""
    return error.field or error.message.split(" ")[0]


def _told(error: SteadError) -> str:
    return f"{error.code} ({error.message})"
