"""The only place that reads the time. Everything else is handed a clock."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Protocol

from stead.model.period import Instant


class Clock(Protocol):
    """A source of the current instant, in microseconds since 1970-01-01T00:00Z."""

    def now(self) -> Instant:
        """Return the current instant."""


class SystemClock:
    """The machine's wall clock. It may go backwards; the store's transaction clock never does (R6)."""

    def now(self) -> Instant:
        """Return the machine's time in microseconds."""
        return time.time_ns() // 1000


@dataclass(slots=True)
class StoryClock:
    """A clock that stands where it is put, for tests, timelines and replays."""

    instant: Instant = 0

    def now(self) -> Instant:
        """Return the instant that was set last."""
        return self.instant
