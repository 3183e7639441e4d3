"""Sessions: turns are recorded as words, not as facts (R18, R29)."""

from __future__ import annotations

from typing import Any

import pytest

import stead
from stead.clock import StoryClock


def test_r18_turns_become_episodes_in_order(ana: stead.Subject) -> None:
    with ana.session("c1") as session:
        first = session.turn("user", "Hello", said_at="2026-01-05T09:00", scope="work")
        session.turn("assistant", "Hi there")
        session.turn("tool", "page text", speaker="browser", turn="page-1")
    assert (first.decision, first.rule, first.verb) == ("ADD", "episode", "turn")
    assert session.outcomes[0] == first
    hits = ana.episodes("c1")
    assert [(hit.speaker, hit.turn, hit.authority) for hit in hits] == [
        ("ana", "1", "stated"), ("assistant", "2", "inferred"), ("browser", "page-1", "external"),
    ]  # fmt: skip
    assert hits[0].said_at == stead.wall("2026-01-05T09:00", "Europe/Berlin")
    assert ana.episodes("c1", limit=1, after=hits[0].id)[0].turn == "2"
    assert ana.episodes("other") == []
    assert ana.records() == []


def test_r46_a_turn_is_recorded_once(ana: stead.Subject) -> None:
    with ana.session("c1") as session:
        first = session.turn("user", "Hello", turn="t1")
        again = session.turn("user", "Hello", turn="t1")
        assert (again.decision, again.record) == ("NOOP", first.record)
        with pytest.raises(stead.Conflict):
            session.turn("user", "Goodbye", turn="t1")
    assert len(ana.episodes()) == 1


@pytest.mark.parametrize(
    ("field", "arguments"),
    [
        ("role", {"role": " "}), ("text", {"text": ""}), ("text", {"text": "nul \0"}), ("text", {"text": "x" * 70_000}),
        ("said_at", {"said_at": "2026-01-06"}), ("scope", {"scope": "/"}),
    ],
)  # fmt: skip
def test_r46_a_bad_turn_is_refused(ana: stead.Subject, field: str, arguments: Any) -> None:
    with ana.session("c1") as session, pytest.raises(stead.InvalidArgument, match=field):
        session.turn(**{"role": "user", "text": "Hello", **arguments})
    assert ana.episodes() == []


def test_r18_a_session_that_broke_off_stays_open(store: stead.Store, ana: stead.Subject, clock: StoryClock) -> None:
    with pytest.raises(LookupError), ana.session("c1") as session:
        _break_off(session)
    assert _closed(store) == [None]
    clock.instant += 1_000_000
    with ana.session("c1") as session:
        session.turn("user", "Hello again")
    assert _closed(store) != [None]
    session.close()
    with pytest.raises(stead.Conflict):
        session.turn("user", "Too late")
    with pytest.raises(stead.InvalidArgument, match="conversation"):
        ana.session("\n")


def _break_off(session: stead.Session) -> None:
    session.turn("user", "Hello")
    raise LookupError


def _closed(store: stead.Store) -> list[int | None]:
    with store._core.backend.read() as tx:
        return [row[0] for row in tx._all("SELECT closed FROM sessions")]  # type: ignore[attr-defined]
