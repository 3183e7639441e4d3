"""What all tests share: a story's clock, a fresh store, one subject, and no network."""

from __future__ import annotations

import io
import ipaddress
import os
import socket
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from tests.commands import Ran, Run

import stead
from stead.clock import StoryClock
from stead.ids import seeded_ids
from stead.model.period import from_datetime

START = datetime(2026, 1, 5, 10, 0, tzinfo=UTC)
"""A Monday. Every story of a test begins here."""


@pytest.fixture
def clock() -> StoryClock:
    """Return a clock that stands at `START` until a test moves it."""
    return StoryClock(from_datetime(START))


@pytest.fixture
def store(tmp_path: Path, clock: StoryClock) -> Iterator[stead.Store]:
    """Return a fresh store in a file of its own, with ids that repeat from run to run."""
    with stead.open(tmp_path / "memory.db", clock=clock, new_id=seeded_ids(1), embedder="none") as opened:
        yield opened


@pytest.fixture
def ana(store: stead.Store) -> stead.Subject:
    """Return the handle of one subject, in Berlin."""
    return store.subject("ana", zone="Europe/Berlin")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command in an empty folder, without anybody's settings."""
    from stead.surfaces.cli import main

    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith("STEAD_") or name == "XDG_CONFIG_HOME":
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("STEAD_EMBEDDER", "none")

    def call(*words: str, stdin: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        capsys.readouterr()
        code = main(words)
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return call


def is_here(address: object) -> bool:
    """Tell whether a socket address is on this machine: loopback, or a file (a Unix socket)."""
    if not isinstance(address, tuple):
        return True
    host = str(address[0])
    if host in {"localhost", ""}:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a connection to anything but this machine fail (R51: nothing needs a network)."""
    for name in ("connect", "connect_ex"):
        real = getattr(socket.socket, name)

        def guarded(sock: socket.socket, address: Any, *, real: Any = real) -> Any:
            if is_here(address):
                return real(sock, address)
            raise AssertionError(f"a test tried to reach {address!r}; Stead needs no network (R51)")

        monkeypatch.setattr(socket.socket, name, guarded)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many acceptance timelines ran; they come from outside of this repository."""
    counted = {
        outcome: sum(
            "test_acceptance.py::test_timeline" in report.nodeid for report in terminalreporter.stats.get(outcome, ())
        )
        for outcome in ("passed", "failed", "xfailed", "skipped")
    }
    if any(counted.values()):
        told = (
            "{passed} passed, {failed} failed, {xfailed} waiting for rules and {skipped} for verbs of a later version"
        )
        terminalreporter.write_line(f"acceptance timelines: {told.format(**counted)}")
