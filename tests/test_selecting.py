"""What goes with what an erasure selects: what was made of it, however deep, and what was merged with it (R31, R32)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from benchmarks.planted import load

import stead

WORD = "zorblax"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[stead.Store]:
    with stead.open(tmp_path / "memory.db", embedder="none") as opened:
        yield opened


def nothing_is_left(store: stead.Store, tmp_path: Path) -> None:
    assert all(WORD not in each.claim.lower() for each in store.subject("ana").records(limit=100))
    store.close()
    assert not any(WORD.encode() in path.read_bytes().lower() for path in tmp_path.iterdir())


def test_r32_what_was_derived_from_it_goes_with_it(store: stead.Store, tmp_path: Path) -> None:
    ana = store.subject("ana", zone="UTC")

    def made(claim: str, *sources: str) -> str:
        given = {"kind": "reflection", "derived_from": sources} if sources else {}
        return str(ana.remember(claim, **given).record)  # type: ignore[arg-type]

    boat, tea = made(f"Keeps a boat in {WORD}"), made("Likes tea")
    sails = made(f"Sails around {WORD}", boat, tea)
    summer, other = made(f"Spends the summer at {WORD}", sails), made("Is easy to please", tea)
    shown = ana.preview_erase(boat)
    assert (set(shown.records), set(shown.derived), shown.merged) == ({boat, sails, summer}, {sails, summer}, ())
    assert ana.erase(boat).records == 3
    assert {each.id for each in ana.records()} == {tea, other}
    nothing_is_left(store, tmp_path)


@pytest.mark.parametrize("which", [0, 1])
def test_r32_what_was_merged_with_it_goes_with_it(store: stead.Store, tmp_path: Path, which: int) -> None:
    """Either says what the other one said."""
    ana = store.subject("ana", zone="UTC")
    same = load(store, "ana", [f"Works at {WORD.title()}", f"Works at {WORD.title()}."])
    ana.remember("Likes tea")
    store.consolidate("ana")
    assert sorted(each.status for each in ana.records() if WORD in each.claim.lower()) == ["active", "superseded"]
    shown = ana.preview_erase(same[which])
    assert (set(shown.records), set(shown.merged)) == (set(same), {same[1 - which]})
    assert ana.erase(same[which]).records == 2
    assert [each.claim for each in ana.records()] == ["Likes tea"]
    nothing_is_left(store, tmp_path)
