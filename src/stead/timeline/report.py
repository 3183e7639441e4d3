"""Reports: what a run of timelines came to, as lines and as data."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Literal

Result = Literal["passed", "failed", "skipped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One expectation that was not met."""

    step: int
    """Counted from 1; 0 is the opening of the store."""
    expectation: str
    expected: object
    got: object

    def __str__(self) -> str:
        """Say it as the report does, without the file."""
        return f"step {self.step}: expected {self.expectation} {_spelled(self.expected)}, got {_spelled(self.got)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What one timeline came to."""

    file: str
    timeline: str
    failures: tuple[Failure, ...] = ()
    missing: tuple[str, ...] = ()
    """What it needs that this version doesn't have; such a file is skipped as a whole."""

    @property
    def result(self) -> Result:
        """Say in one word what came of it."""
        return "failed" if self.failures else "skipped" if self.missing else "passed"

    def lines(self) -> Iterator[str]:
        """Yield a line per failed expectation, or the one that says why the file was skipped."""
        yield from (f"{self.file}: {failure}" for failure in self.failures)
        if self.result == "skipped":
            yield f"{self.file}: skipped, needs {', '.join(self.missing)} (not built in this version)"


def _spelled(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _counts(reports: Sequence[Report]) -> dict[str, int]:
    counted = Counter(report.result for report in reports)
    return {"passed": counted["passed"], "failed": counted["failed"], "skipped": counted["skipped"]}


def lines(reports: Sequence[Report]) -> list[str]:
    """Return the report as text: a line per failed expectation and per skipped file, then the summary.

    >>> lines([Report(file="trip.yaml", timeline="a trip")])
    ['1 passed, 0 failed']
    """
    counts = _counts(reports)
    summary = f"{counts['passed']} passed, {counts['failed']} failed"
    skipped = f", {counts['skipped']} skipped" if counts["skipped"] else ""
    return [line for report in reports for line in report.lines()] + [summary + skipped]


def as_dict(reports: Sequence[Report]) -> dict[str, object]:
    """Return the same as data, for ``--json``."""
    shapes = [
        {"file": each.file, "timeline": each.timeline, "result": each.result} | _details(each) for each in reports
    ]
    return {**_counts(reports), "timelines": shapes}


def _details(report: Report) -> dict[str, object]:
    failures = [{name: _plain(value) for name, value in asdict(failure).items()} for failure in report.failures]
    return {"failures": failures, "missing": list(report.missing)}


def _plain(value: object) -> object:
    return json.loads(json.dumps(value, ensure_ascii=False, default=str))


def exit_status(reports: Sequence[Report]) -> int:
    """Return what the command exits with: 1 when any timeline failed; skipped ones don't count."""
    return int(any(report.result == "failed" for report in reports))
