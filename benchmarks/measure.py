"""Timing: medians of many calls, and ratios between two things that were measured turn by turn in one run."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One line of the report."""

    name: str
    value: float
    unit: str
    target: str = ""
    met: bool | None = None
    baseline: str = ""

    def line(self) -> str:
        """Return the figure as text."""
        verdict = "" if self.met is None else ("  ok" if self.met else "  MISSED")
        against = f"   [{self.baseline}]" if self.baseline else ""
        return f"  {self.name:<58} {self.value:>10.3f} {self.unit:<10} {self.target:<10}{verdict}{against}"


def at_most(name: str, value: float, limit: float, unit: str, baseline: str = "") -> Figure:
    """Return a figure that should not be larger than a limit."""
    return Figure(name, value, unit, f"<= {limit:g}", value <= limit, baseline)


def at_least(name: str, value: float, limit: float, unit: str, baseline: str = "") -> Figure:
    """Return a figure that should not be smaller than a limit."""
    return Figure(name, value, unit, f">= {limit:g}", value >= limit, baseline)


def seconds(call: Callable[[], object]) -> float:
    """Return how long one call takes."""
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def each(calls: Iterable[Callable[[], object]]) -> list[float]:
    """Return the seconds of every call, sorted, with the garbage collector off as long as they run."""
    prepared = list(calls)
    gc.collect()
    gc.disable()
    try:
        return sorted(seconds(call) for call in prepared)
    finally:
        gc.enable()


def in_turns(*sides: list[Callable[[], object]]) -> list[list[float]]:
    """Time two or more lists of calls turn by turn, so that what else the machine does meets all of them alike."""
    prepared = list(zip(*sides, strict=True))
    gc.collect()
    gc.disable()
    try:
        timed = [[seconds(call) for call in row] for row in prepared]
    finally:
        gc.enable()
    return [sorted(column) for column in zip(*timed, strict=True)]


def share(timed: list[float], part: float) -> float:
    """Return a quantile of sorted times."""
    return timed[min(len(timed) - 1, int(part * len(timed)))]


def middle(timed: list[float]) -> float:
    """Return the median of sorted times."""
    return share(timed, 0.5)
