"""Recall: filter, find, rank, budget, render (R29, R30)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from stead.index.vectors import VectorIndex
from stead.model.context import Context, Fact
from stead.model.period import Instant
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
    read_live: Callable[[list[Fact], Ask, ReadTx], tuple[list[Fact], tuple[str, ...]]] | None = None,
) -> Context:
    """Answer one question from one snapshot of the store."""
    answers = facts(store, vectors, ask)
    found = answers.facts
    if read_live is not None:
        found, told = read_live(found, ask, store)
        notes += told
    turns = episodes(store, vectors, ask)
    name = ask.subject.name
    page = render(
        name, ask.scopes[0], moment(ask.at), zone_name, replace(answers, facts=found), turns, ask.budget.tokens
    )  # fmt: skip
    return Context(
        subject=name, scope=ask.scopes[0], at=moment(ask.at), known_at=moment(ask.known_at),
        facts=tuple(page.facts), episodes=tuple(page.episodes), questions=tuple(answers.questions),
        divergences=tuple(page.divergences), notes=notes + _cut_short(page, len(found), len(answers.divergences), len(turns)),
        text=page.text, tokens=page.tokens, _mark_used=mark_used,
    )  # fmt: skip


def nothing(subject: str, scopes: tuple[str, ...], at: Instant, known_at: Instant, notes: tuple[str, ...]) -> Context:
    """Return an answer with nothing in it, which says why."""
    return Context(
        subject=subject, scope=scopes[0], at=moment(at), known_at=moment(known_at), facts=(), episodes=(),
        questions=(), divergences=(), notes=notes, text="", tokens=0,
    )  # fmt: skip


def _cut_short(page: Rendered, found: int, apart: int, turns: int) -> tuple[str, ...]:
    left = found - len(page.facts) + apart - len(page.divergences) + turns - len(page.episodes)
    return (f"the token budget left out {left} item{'s' if left > 1 else ''}",) if left else ()
