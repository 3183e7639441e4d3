"""What its category says may be kept no longer is erased, by the same pipeline and with a receipt (R19, R31)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import stead
from stead import Slot
from stead.clock import StoryClock
from stead.ids import seeded_ids

DAY = 86_400_000_000
POLICY = {
    "categories": {"visit": {"retention": "30d"}, "plain": {"kind": "fact"}},
    "attributes": {"x.visited": {"category": "visit"}},
}


@pytest.fixture
def kept(tmp_path: Path, clock: StoryClock) -> Iterator[stead.Store]:
    with stead.open(tmp_path / "memory.db", clock=clock, new_id=seeded_ids(2), embedder="none", policy=POLICY) as store:
        yield store


def test_r19_what_is_past_its_retention_is_erased(kept: stead.Store, clock: StoryClock, tmp_path: Path) -> None:
    ana, ben = kept.subject("ana", zone="UTC"), kept.subject("ben", zone="UTC")
    old = ana.remember("Visited Quorvania", category="visit")
    slotted = ana.remember("Visited Zembla", slot=Slot("x.visited", value="Zembla"))
    other = ben.remember("Visited Freedonia", category="visit")
    stays = ana.remember("Likes maps", category="plain")
    clock.instant += 20 * DAY
    young = ana.remember("Visited Ruritania", category="visit")
    assert kept.enforce_retention() == []
    clock.instant += 11 * DAY
    shown = kept.overdue()
    assert [set(each.records) for each in shown] == [{old.record, slotted.record}, {other.record}]
    assert ana.record(old.record or "").id == old.record  # looking changes nothing
    receipts = kept.enforce_retention()
    assert [(each.complete, each.records, each.requester, each.by) for each in receipts] == [
        (True, 2, "retention", ("retention",)), (True, 1, "retention", ("retention",)),
    ]  # fmt: skip
    assert [each.id for each in ana.records()] == [stays.record, young.record]
    with pytest.raises(stead.Erased):
        ana.history(old.record or "")
    left = b"".join(each.read_bytes() for each in tmp_path.iterdir())
    assert [word for word in (b"Quorvania", b"Zembla", b"Freedonia") if word in left] == []
    assert b"Ruritania" in left
    assert kept.enforce_retention() == []


def test_r19_one_subject_and_many_records(
    kept: stead.Store, clock: StoryClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    from stead.memory import retaining

    monkeypatch.setattr(retaining, "AT_ONCE", 3)
    ana, ben = kept.subject("ana", zone="UTC"), kept.subject("ben", zone="UTC")
    for n in range(7):
        ana.remember(f"Visited place number {n} of the coast", category="visit")
    theirs = ben.remember("Visited Freedonia", category="visit")
    clock.instant += 31 * DAY
    assert [each.records for each in kept.enforce_retention("ana")] == [3, 3, 1]
    assert [each.id for each in ben.records()] == [theirs.record]
    assert kept.enforce_retention("nobody") == []
