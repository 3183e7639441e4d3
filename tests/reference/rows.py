"""The rows of the reference, and the small questions about them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from tests.reference.strip import OPEN, Piece, Said, Span, edges, without

NEVER: Final = OPEN
RANK: Final = {"external": 0, "inferred": 1, "stated": 2, "confirmed": 3, "system_of_record": 4}
LAID: Final = ("active", "contested", "superseded")
LIVE: Final = ("active", "contested")


class Cut(NamedTuple):
    """An end, and the record that caused it (None: the subject)."""

    span: Span
    cause: int | None
    why: str = ""
    """``settled`` by a person, or ``corrected``; the rest need no name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A record."""

    ref: int
    attribute: str
    scope: str
    speaker: str
    rank: int
    value: str | None
    start: int
    end: int = OPEN
    order: int = 0
    corrected: bool = False
    expires: int = NEVER
    status: str = "active"
    cuts: tuple[Cut, ...] = ()
    successor: int | None = None
    """What superseded it, or what a correction put in its place."""
    told: frozenset[str] = frozenset()
    """Everybody who has said it."""

    @property
    def left(self) -> list[Span]:
        """What the ends have left of what was stated."""
        return without([Span(self.start, self.end)], [cut.span for cut in self.cuts])

    def without_cuts_of(self, cause: int) -> Row:
        """Lift every end that a record caused; what a person settled is no doing of a record and stays."""
        return replace(self, cuts=tuple(cut for cut in self.cuts if cut.cause != cause or cut.why == "settled"))

    def without_settlement(self, keep: int | None) -> Row:
        """Lift what a person's answer to a contest took away."""
        return replace(self, cuts=tuple(cut for cut in self.cuts if (cut.why, cut.cause) != ("settled", keep)))

    def cut(self, span: Span, cause: int | None, why: str = "") -> Row:
        """Put an end on it."""
        return replace(self, cuts=(*self.cuts, Cut(span, cause, why)))


class Answer(NamedTuple):
    """What a write did."""

    decision: str
    ref: int | None
    tx: int


class Told(NamedTuple):
    """What a read answers: the values that stand. None in them is an unset slot."""

    values: tuple[str | None, ...]
    refs: frozenset[int]


def said(row: Row) -> Said:
    return Said(
        record=row.ref,
        order=row.order,
        value=row.value,
        speaker=row.speaker,
        rank=row.rank,
        start=row.start,
        end=row.end,
        corrected=row.corrected,
        cuts=tuple(cut.span for cut in row.cuts),
    )


def superseded(row: Row, by: int) -> Row:
    """Move a record to superseded; one that is already stays with its first successor."""
    return row if row.status == "superseded" else replace(row, status="superseded", successor=by)


def same_proposal(old: Row, new: Row) -> bool:
    same = (old.attribute, old.scope, old.value, old.rank) == (new.attribute, new.scope, new.value, new.rank)
    return same and old.status == "proposed" and old.start <= new.start and new.end <= old.end


def was_rejected(old: Row, new: Row) -> bool:
    """Tell whether the subject has said no to the same value in the same slot and scope."""
    same = (old.attribute, old.scope, old.value) == (new.attribute, new.scope, new.value)
    return same and old.status == "rejected"


def seen_from(scope: str) -> list[str]:
    """Return a reader's scopes, narrowest first: whole segments are dropped from the end (R11)."""
    parts = scope.split("/") if scope else []
    return ["/".join(parts[: len(parts) - dropped]) for dropped in range(len(parts) + 1)]


def tell(stands: list[Said]) -> Told:
    values = {each.value for each in stands}
    return Told(
        tuple(sorted(values, key=lambda value: (value is None, value))), frozenset(each.record for each in stands)
    )


def grid(strip: list[Piece], within: Span | None = None) -> list[Span]:
    """Cut valid time at every edge of the strip: over each part the same statements stand."""
    marks = edges(strip)
    if within is not None:
        marks = sorted({within.start, within.end, *(mark for mark in marks if within.start < mark < within.end)})
    return [Span(start, end) for start, end in itertools.pairwise(marks)]


def meet(span: Span, others: list[Span]) -> bool:
    return any(span.start < other.end and other.start < span.end for other in others)


def beats(old: Said, row: Row) -> bool:
    return old.rank > row.rank or (old.rank == row.rank and old.speaker == row.speaker)


def gives_way(old: Said, row: Row) -> bool:
    return row.corrected or old.rank < row.rank or (old.rank == row.rank and old.speaker == row.speaker)
