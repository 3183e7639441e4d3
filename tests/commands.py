"""Running the command line within a test: the fixture `run` of conftest returns a `Run`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Ran:
    """What one command came to."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def error(self) -> Any:
        return json.loads(self.err.splitlines()[-1])["error"]


Run = Callable[..., Ran]


def ok(run: Run, *words: str, stdin: str = "") -> Any:
    """Run a command with --json and return what it printed."""
    ran = run(*words, "--json", stdin=stdin)
    assert ran.code == 0, ran.err
    return ran.json
