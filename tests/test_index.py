"""The indexes: scores of one subject's own statistics, vectors that are exact and the same in every matrix (R38, R47, R50)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.test_recall import DAY, Letters

import stead
from stead.clock import StoryClock
from stead.index.lexical import SHORT, bm25
from stead.index.vectors import VectorIndex
from stead.model.period import FOREVER
from stead.store.conformance.bench import add
from stead.store.opening import open_backend
from stead.store.protocol import Backend, WriteTx
from stead.store.values import SubjectRow

np = pytest.importorskip("numpy")


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[Backend]:
    opened = open_backend(str(tmp_path / "index.db"), tenant=None, now=1)
    yield opened
    opened.close()


def vector(*numbers: float) -> bytes:
    return bytes(np.asarray(numbers, dtype="<f4").tobytes())


def put(store: WriteTx, subject: SubjectRow, item: int, *numbers: float) -> None:
    while store.last_item("claims", subject.n, FOREVER) < item:  # a vector is kept of a text that is there
        add(store, subject)
    store.add_vectors("claims", "m", [(subject.n, item, vector(*numbers))])


def test_r38_exact_search_by_cosine_whatever_the_length(backend: Backend) -> None:
    index = VectorIndex()
    with backend.write() as store:
        ana = store.add_subject("ana")
        assert index.scan(store, "claims", ana, "m", [1, 0]) is None
        put(store, ana, 1, 3, 0)
        put(store, ana, 2, 0, 5)
        put(store, ana, 3, 1, 1)
        put(store, ana, 4, 0, 0)
        scan = index.scan(store, "claims", ana, "m", [2, 0])
        assert scan is not None
        assert scan.best(2) == [(1, 1.0), (3, pytest.approx(0.7071, abs=2e-4))]
        assert (scan.cosine(2), scan.cosine(4), scan.cosine(9)) == (0.0, 0.0, None)
        assert scan.best(0) == []
        assert len(scan.best(99)) == len(scan) == 4
        assert scan.mean == pytest.approx((1 + 0.7071) / 4, abs=1e-3)
        assert index.scan(store, "claims", ana, "other", [1, 0]) is None
        with pytest.raises(stead.VersionMismatch):
            index.scan(store, "claims", ana, "m", [1, 0, 0])


def test_r38_what_is_added_is_found_and_a_purge_starts_anew(backend: Backend) -> None:
    index = VectorIndex()
    with backend.write() as store:
        ana = store.add_subject("ana")
        for item in range(1, 40):
            put(store, ana, item, item, 1)
            scan = index.scan(store, "claims", ana, "m", [0, 1])
            assert scan is not None
            assert len(scan) == item
        store._all("DELETE FROM vectors WHERE item > 1")  # type: ignore[attr-defined]
        purged = SubjectRow(n=ana.n, name="ana", purges=1)
        scan = index.scan(store, "claims", purged, "m", [0, 1])
        assert scan is not None
        assert len(scan) == 1


def test_r50_a_cosine_is_the_same_in_every_matrix(backend: Backend) -> None:
    numbers = np.random.default_rng(5).normal(size=(300, 48)).astype("<f4")
    query = numbers[0] + numbers[1]
    index = VectorIndex()
    seen: dict[int, float | None] = {}
    with backend.write() as store:
        ana = store.add_subject("ana")
        for row, each in enumerate(numbers):
            put(store, ana, row + 1, *each)
            if row in (3, 40, 299):
                scan = index.scan(store, "claims", ana, "m", query)
                assert scan is not None
                again = {item: scan.cosine(item) for item in range(1, row + 2)}
                assert {item: again[item] for item in seen} == seen
                seen = again
    exact = numbers @ query / np.linalg.norm(numbers, axis=1) / np.linalg.norm(query)
    assert max(abs(exact[item - 1] - (cosine or 0)) for item, cosine in seen.items()) < 1e-3


def test_the_least_recently_used_matrix_makes_room(backend: Backend) -> None:
    index = VectorIndex(cache_bytes=40)
    with backend.write() as store:
        subjects = [store.add_subject(name) for name in "abc"]
        for each in subjects:
            for item in (1, 2, 3):
                put(store, each, item, 1, item)
            assert index.scan(store, "claims", each, "m", [1, 0]) is not None
    assert [key[1] for key in index._cache] == [subjects[-1].n]


def test_r47_bm25_counts_one_subjects_texts_only(store: stead.Store, ana: stead.Subject) -> None:
    for claim in ("tea in the morning", "coffee at night", "tea at night"):
        ana.remember(claim)
    with store._core.backend.read() as tx:
        before = bm25(tx, "claims", 1, "tea at night", None)
    for number in range(50):
        store.subject("bob").remember(f"tea night {number}")
    with store._core.backend.read() as tx:
        after = bm25(tx, "claims", 1, "tea at night", None)
    assert after.ranked == before.ranked
    assert before.ranked[0][0] == 3
    assert before.spread == after.spread
    assert before.texts == 3


def test_a_short_text_is_not_better_for_being_shorter(store: stead.Store, ana: stead.Subject) -> None:
    ana.remember("tea")
    ana.remember("tea cups stand beside the old blue kettle")
    ana.remember("tea " + " ".join(f"word{n}" for n in range(2 * SHORT)))
    with store._core.backend.read() as tx:
        found = bm25(tx, "claims", 1, "tea", None).scores
        assert found[1] == found[2] > found[3]
        assert bm25(tx, "claims", 1, "", None).ranked == []
        assert bm25(tx, "claims", 1, "", None).spread == (0.0, 0.0)
        assert bm25(tx, "claims", 99, "tea", None).ranked == []


def test_r50_past_answers_with_vectors_come_back_byte_by_byte(tmp_path: Path, clock: StoryClock) -> None:
    with stead.open(tmp_path / "v.db", clock=clock, embedder=Letters()) as store:
        ana = store.subject("ana", zone="UTC")
        for number in range(12):
            with ana.session(f"c{number % 3}") as session:
                session.turn("user", f"the {'abcdefghijkl'[number] * 3} regatta was windy")
            ana.remember(f"Boat {number} sails {'abcdefghijkl'[number] * 4}")
        asked: dict[str, Any] = {"query": "abc regatta", "at": "2026-01-05T11:00", "budget": {"episodes": 9}}
        then = ana.recall(**asked)
        clock.instant += DAY
        for number in range(30):
            with ana.session(f"d{number % 3}") as session:
                session.turn("user", f"another {'mnopqrstuv'[number % 10] * 3} regatta")
            ana.remember(f"Boat {number} of abc")
        again = ana.recall(**asked, known_at=then.known_at)
        assert json.dumps(again.as_dict()) == json.dumps(then.as_dict())
        assert any(hit.similarity is not None for hit in then.episodes)
        nothing = ana.recall("abc", at="2026-01-05", known_at="2026-01-04")
        assert (nothing.facts, nothing.episodes) == ((), ())
