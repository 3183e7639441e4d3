"""Episodes: original words, found by hybrid search under the same filters as facts (R29, R30)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from stead.index.lexical import Lexical, bm25
from stead.index.vectors import Scan, VectorIndex
from stead.model.context import EpisodeHit
from stead.policy.guards import sensitive
from stead.recall.ask import Ask
from stead.recall.fusion import own_scores, ranked
from stead.recall.items import as_episode
from stead.store.protocol import ReadTx
from stead.store.values import PlaceRow

POOL = 60
"""How many candidates each search gives to the fusion, after the filters."""
_ENDED = ("superseded", "retracted")


def episodes(store: ReadTx, vectors: VectorIndex, ask: Ask) -> list[EpisodeHit]:
    """Return the turns that may help with the query, best first and within the budget."""
    if not ask.query or not ask.budget.episodes:
        return []
    words = bm25(store, "episodes", ask.subject.n, ask.query, ask.past)
    scan = None
    if ask.version is not None and ask.vector is not None:
        scan = vectors.scan(store, "episodes", ask.subject, ask.version, ask.vector, ask.past)
    places: dict[int, PlaceRow] = {}
    candidates = _first(store, [item for item, _ in words.ranked], ask, places)
    candidates += _first(store, list(_near(scan, ask)), ask, places)
    own = own_scores(dict.fromkeys(candidates), words, scan)
    order = ranked(own, {n: (place.conversation, place.position) for n, place in places.items()})
    return _hits(store, _open(store, order, ask), words, scan, own, ask)


def _open(store: ReadTx, order: Sequence[tuple[int, float]], ask: Ask) -> list[tuple[int, float]]:
    """Return the best within the budget, without words of a class that the subject doesn't allow today (R8, R16)."""
    if not ask.denied:
        return list(order[: ask.budget.episodes])
    kept: list[tuple[int, float]] = []
    for start in range(0, len(order), POOL):
        chunk = order[start : start + POOL]
        texts = {row.n: row.text for row in store.episodes(ask.subject.n, [item for item, _ in chunk])}
        for pair in chunk:
            if len(kept) >= ask.budget.episodes:
                return kept
            if ask.denied.isdisjoint(sensitive(texts[pair[0]])):
                kept.append(pair)
    return kept


def _near(scan: Scan | None, ask: Ask) -> Iterator[int]:
    for item, cosine in scan.best(4 * POOL) if scan is not None else ():
        if cosine < ask.floor:
            return
        yield item


def _first(store: ReadTx, items: Sequence[int], ask: Ask, places: dict[int, PlaceRow]) -> list[int]:
    """Return the first candidates that the reader may see, and note them and their neighbours with their places."""
    kept: list[int] = []
    for start in range(0, len(items), 2 * POOL):
        chunk = items[start : start + 2 * POOL]
        around = {place.n: place for place in store.placed(ask.subject.n, chunk) if _passes(place, ask)}
        kept += [item for item in chunk if item in around]
        wanted = kept[:POOL]
        near = {(around[n].conversation, around[n].position + step) for n in wanted if n in around for step in _STEPS}
        places.update({n: place for n, place in around.items() if (place.conversation, place.position) in near})
        if len(kept) >= POOL:
            break
    return kept[:POOL]


_STEPS = range(-2, 3)


def _passes(place: PlaceRow, ask: Ask) -> bool:
    return place.tx <= ask.known_at and ask.serves(place)


def _hits(
    store: ReadTx,
    order: Sequence[tuple[int, float]],
    words: Lexical,
    scan: Scan | None,
    own: Mapping[int, float],
    ask: Ask,
) -> list[EpisodeHit]:
    rows = {row.n: row for row in store.episodes(ask.subject.n, [item for item, _ in order])}
    turns = [(row.conversation, row.turn) for row in rows.values()]
    ended: dict[tuple[str, str], list[str]] = {}
    for conversation, turn, record, status in store.drawn_from(ask.subject.n, turns, ask.known_at):
        if status in _ENDED:
            ended.setdefault((conversation, turn), []).append(record)
    return [
        as_episode(
            rows[item], ask, score=score, lexical=round(words.scores.get(item, 0.0), 6),
            similarity=scan.cosine(item) if scan else None, rule=_rule(item, words, own),
            superseded=tuple(dict.fromkeys(ended.get((rows[item].conversation, rows[item].turn), ()))),
        )
        for item, score in order
    ]  # fmt: skip


def _rule(item: int, words: Lexical, own: Mapping[int, float]) -> str:
    """Say why a turn was chosen."""
    if item not in own:
        return "beside"
    return "words" if item in words.scores else "similarity"
