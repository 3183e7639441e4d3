"""What a derived record rested on, what of it remains, and whose turn it is to be revalidated (R36, R37)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from stead.model.period import Instant, Period
from stead.model.record import LAID, Status
from stead.recall.derived import Above, above, everything_above, own_lapses, unsupported
from stead.recall.reviews import unrested
from stead.store.protocol import ReadTx
from stead.store.values import Revision

MOST_STEPS = 3
"""How far from what ended a record is still re-derived; farther ones wait for a person (R36)."""
_MADE_FROM = ("derived_from", "also_from")
_TAKES_ITS_PLACE = ("rederives", "corrects")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A record that was made from others, as its sources now stand."""

    record: Revision
    remains: list[Revision]
    """Of what it was made from, what still holds; what was corrected or re-derived is represented by what took its place."""
    gone: list[Revision]
    """What it rests on directly and doesn't hold."""
    rests_on: frozenset[int]
    """Everything that it rests on, to any depth."""
    steps: int
    """How far what ended first is away; 0 where nothing has."""
    waits: bool
    """Something that it rests on has to be revalidated first."""

    @property
    def seen(self) -> tuple[object, ...]:
        """Return what was looked at: while it is the same, nothing changed under whoever decides."""
        return self.record.n, *sorted(each.n for each in self.remains), 0, *sorted(each.n for each in self.gone)

    @property
    def is_due(self) -> bool:
        """Tell whether it can be re-derived or withdrawn now."""
        stands = self.record.status in (Status.ACTIVE, Status.CONTESTED)
        return stands and not self.waits and 0 < self.steps <= MOST_STEPS


def case_of(store: ReadTx, row: Revision, now: Instant) -> Case:
    """Return a record with what it rests on, as it stands now."""
    edges = above(store, [row.record], now)
    ups = everything_above(edges, row.record)
    gone = own_lapses(store, row.subject, sorted(ups), now, None, Period(now, now + 1))
    direct = edges.get(row.record, [])
    lost = [each for each in direct if each in gone]
    return Case(
        record=row,
        remains=_remaining(store, row, now),
        gone=store.current_by_number(row.subject, lost),
        rests_on=frozenset(ups),
        steps=min((ups[each] for each in gone if not _is_marked(edges, each, gone)), default=0),
        waits=any(each not in gone and _is_marked(edges, each, gone) for each in direct),
    )


def _is_marked(edges: Above, record: int, gone: Collection[int]) -> bool:
    return any(each in gone for each in everything_above(edges, record))


def lost(store: ReadTx, row: Revision, now: Instant) -> list[int]:
    """Return what a record rests on directly and doesn't hold, or has itself lost what it rests on."""
    edges = above(store, [row.record], now)
    ups = everything_above(edges, row.record)
    gone = own_lapses(store, row.subject, sorted(ups), now, None, Period(now, now + 1))
    return [each for each in edges.get(row.record, []) if each in gone or _is_marked(edges, each, gone)]


def _remaining(store: ReadTx, row: Revision, now: Instant) -> list[Revision]:
    targets = [edge.target for edge in store.edges([row.record]) if edge.kind in _MADE_FROM]
    heads = list(dict.fromkeys(_heir(store, row.subject, each, now) for each in targets))
    off = {
        *own_lapses(store, row.subject, heads, now, None, Period(now, now + 1)),
        *unsupported(store, row.subject, heads, now, now, None),
    }
    rows = store.current_by_number(row.subject, [each for each in heads if each not in off and each != row.record])
    return sorted((each for each in rows if each.status in LAID), key=lambda each: each.record)


def _heir(store: ReadTx, subject: int, record: int, now: Instant) -> int:
    """Return what took the place of a record that was corrected or re-derived; else the record."""
    seen: set[int] = set()
    while record not in seen and own_lapses(store, subject, [record], now, None, Period(now, now + 1)):
        seen.add(record)
        rows = store.current_by_number(subject, [record])
        after = rows[0].superseded_by if rows else None
        edges = store.edges([after]) if after is not None else []
        if after is not None and any(edge.target == record and edge.kind in _TAKES_ITS_PLACE for edge in edges):
            record = after
    return record


def due(
    store: ReadTx, subject: int, now: Instant, without: Collection[int], among: Collection[int] | None
) -> Iterator[Case]:
    """Return the records that can be re-derived or withdrawn now, oldest first; ``among`` limits them."""
    for row, _ in unrested(store, subject, now, now):
        if row.record not in without and (among is None or row.record in among):
            case = case_of(store, row, now)
            if case.is_due:
                yield case
