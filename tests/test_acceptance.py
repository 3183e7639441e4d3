"""The acceptance set: every timeline that this version can run passes.

``STEAD_ACCEPTANCE`` names the folder that holds ``timelines/``; by default it is ``../shared`` beside the repository. How many
ran stands at the end of the test run.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from stead.timeline import read_story, run_story

ROOT = Path(__file__).resolve().parent.parent
FOLDER = Path(os.environ.get("STEAD_ACCEPTANCE") or ROOT / "../shared").resolve()
TIMELINES = FOLDER / "timelines"
FILES = sorted(TIMELINES.rglob("*.yaml"))

pytestmark = pytest.mark.skipif(not FILES, reason="no acceptance timelines; STEAD_ACCEPTANCE names their folder")

MUST_PASS = frozenset(
    f"stories/{name}.yaml"
    for name in (
        "briefs", "corroborated", "crowding", "illegal", "prefix_scope", "rollback", "tokens", "two_admins", "wording",
        "trip", "dessert", "remember_that", "moved", "taken_back", "mood", "tool_page", "secret", "confirm_address",
        "inferred_vs_explicit", "consent_class", "meant", "erase_job", "never_said", "refined", "unslotted_change",
        "cascade",
    )
)  # fmt: skip
"""Stories that this version may not skip; of ``time/`` and ``random/`` all but those that erase."""


def _name(path: Path) -> str:
    return path.relative_to(TIMELINES).as_posix()


def _must_pass(path: Path) -> bool:
    if _name(path).startswith("stories/"):
        return _name(path) in MUST_PASS
    return not any(step.verb == "erase" for step in read_story(path).steps)


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_timeline(path: Path) -> None:
    report = run_story(read_story(path))
    if report.result == "skipped":
        assert not _must_pass(path), f"{_name(path)} may not be skipped"
        pytest.skip(f"needs {', '.join(report.missing)}")
    assert report.result == "passed", "\n".join(report.lines())


def test_the_set_is_whole() -> None:
    """Nothing that this version is held to may hide by not being there."""
    names = {_name(path) for path in FILES}
    assert names >= MUST_PASS
    assert {name.split("/", maxsplit=1)[0] for name in names} == {"stories", "time", "random"}
