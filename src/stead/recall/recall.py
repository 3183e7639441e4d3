"""Recall: filter, find, rank, budget, render (R29, R30)."""

from __future__ import annotations

from collections.abc import Callable

from stead.index.vectors import VectorIndex
from stead.model.context import Context
from stead.recall.ask import Ask
from stead.recall.episodes import episodes
from stead.recall.facts import facts
from stead.recall.items import moment
from stead.recall.render import Rendered, render
from stead.store.protocol import ReadTx


def recall(
    store: ReadTx,
    vectors: VectorIndex,
    ask: Ask,
    *,
    zone_name: str | None,
    notes: tuple[str, ...] = (),
    mark_used: Callable[[tuple[str, ...]], object] | None = None,
) -> Context:
    """Answer one question from one snapshot of the store."""
    found, questions = facts(store, vectors, ask)
    turns = episodes(store, vectors, ask)
    name = ask.subject.name
    page = render(name, ask.scopes[0], moment(ask.at), zone_name, found, questions, turns, ask.budget.tokens)
    return Context(
        subject=name, scope=ask.scopes[0], at=moment(ask.at), known_at=moment(ask.known_at),
        facts=tuple(page.facts), episodes=tuple(page.episodes), questions=tuple(questions), divergences=(),
        notes=notes + _cut_short(page, len(found), len(turns)), text=page.text, tokens=page.tokens,
        _mark_used=mark_used,
    )  # fmt: skip


def _cut_short(page: Rendered, found: int, turns: int) -> tuple[str, ...]:
    left = found - len(page.facts) + turns - len(page.episodes)
    return (f"the token budget left out {left} item{'s' if left > 1 else ''}",) if left else ()
