"""Each kind of fence, by a write that it alone refuses; and beside it one that says the same anew and passes (R32)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import stead
from stead import Slot
from stead.clock import StoryClock
from stead.model.period import from_datetime

CLAIM = "Zorblax, always"
"""Answers no question, so that it has no value."""
BEFORE = "2026-01-05T10:30:00+00:00"
HOUR = 3_600_000_000


@pytest.fixture
def clock() -> StoryClock:
    return StoryClock(from_datetime(stead.wall("2026-01-05T11:00", "UTC")))


@pytest.fixture
def ana(tmp_path: Path, clock: StoryClock) -> Iterator[stead.Subject]:
    with stead.open(tmp_path / "memory.db", clock=clock, embedder="none") as store:
        yield store.subject("ana", zone="UTC")


def refused(ana: stead.Subject, field: str, claim: str = CLAIM, **given: Any) -> None:
    with pytest.raises(stead.Erased) as caught:
        ana.remember(claim, **given)
    assert caught.value.field == field
    assert "zorblax" not in f"{caught.value} {caught.value.hint}".lower()
    assert not any("zorblax" in each.claim.lower() for each in ana.records(limit=100))


def erased(ana: stead.Subject, clock: StoryClock, claim: str = CLAIM, **given: Any) -> None:
    assert ana.erase(ana.remember(claim, **given).record).complete
    clock.instant += HOUR


def test_r32_key(ana: stead.Subject, clock: StoryClock) -> None:
    erased(ana, clock, idempotency_key="k")
    refused(ana, "idempotency_key", idempotency_key="k")
    assert ana.remember(CLAIM, idempotency_key="another").decision == "ADD"


def test_r32_turn(ana: stead.Subject, clock: StoryClock) -> None:
    erased(ana, clock, source={"conversation": "c", "turn": "1"})
    refused(ana, "source", "Likes maps", source={"conversation": "c", "turn": "1"})
    assert ana.remember(CLAIM, source={"conversation": "c", "turn": "2"}).decision == "ADD"


def test_r32_source(ana: stead.Subject, clock: StoryClock) -> None:
    erased(ana, clock, source={"uri": "crm://7"})
    refused(ana, "source", source={"uri": "crm://7"})
    assert ana.remember("Likes maps", source={"uri": "crm://7"}).decision == "ADD"
    assert ana.remember(CLAIM, source={"uri": "crm://8"}).decision == "ADD"


def test_r32_source_in_a_conversation(ana: stead.Subject, clock: StoryClock) -> None:
    """Without a turn a conversation may say it anew, later."""
    erased(ana, clock, source={"conversation": "c"})
    refused(ana, "source", source={"conversation": "c"}, observed_at=BEFORE)
    assert ana.remember(CLAIM, source={"conversation": "c"}).decision == "ADD"


def test_r32_conversation(ana: stead.Subject, clock: StoryClock) -> None:
    ana.remember(CLAIM, source={"conversation": "c", "turn": "1"})
    assert ana.erase(conversation="c").complete
    clock.instant += HOUR
    refused(ana, "source", "Likes maps", source={"conversation": "c", "turn": "2"}, observed_at=BEFORE)
    assert ana.remember("Likes maps", source={"conversation": "c", "turn": "3"}).decision == "ADD"
    assert ana.remember("Likes tea", source={"conversation": "d", "turn": "1"}, observed_at=BEFORE).decision == "ADD"


def test_r32_claim(ana: stead.Subject, clock: StoryClock) -> None:
    erased(ana, clock)
    refused(ana, "observed_at", observed_at=BEFORE)
    refused(ana, "observed_at", CLAIM.upper(), observed_at=BEFORE, source={"conversation": "elsewhere", "turn": "9"})
    assert ana.remember(CLAIM).decision == "ADD"


def test_r32_value(ana: stead.Subject, clock: StoryClock) -> None:
    slot = Slot("home.city", value="Zorblax")
    erased(ana, clock, "Lives in Zorblax", slot=slot)
    refused(ana, "observed_at", "Is at home there", slot=slot, observed_at=BEFORE)
    assert ana.remember("Is at home there", slot=Slot("home.city", value="Rome"), observed_at=BEFORE).decision == "ADD"
    assert ana.remember("Is at home there", slot=slot, scope="work").decision == "ADD"


def test_r32_an_id(ana: stead.Subject, clock: StoryClock) -> None:
    """An id that was handed out answers that it was erased, for good."""
    with ana.session("c") as session:
        turn = session.turn("user", "My cat is called Zorblax.", turn="1").record
    assert ana.erase(turn).complete
    with pytest.raises(stead.Erased):
        ana.used(str(turn))
