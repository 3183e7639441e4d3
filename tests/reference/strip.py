"""R10 taken literally: pieces on a strip, and steps 1 to 6 as interval subtraction.

Built otherwise than `stead.model.strip` on purpose. That one asks what stands at an instant and sweeps over the boundaries;
this one keeps the pieces themselves and takes intervals away from them, in the words of the text.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

OPEN: Final = 2**62
"""The end of an interval without a stated end."""


class Span(NamedTuple):
    """The instants from ``start`` up to, and without, ``end``."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One statement about a slot."""

    record: int
    order: int
    value: str | None
    speaker: str
    rank: int
    start: int
    end: int = OPEN
    corrected: bool = False
    cuts: tuple[Span, ...] = ()
    names: frozenset[int] = field(default=frozenset())


class Piece(NamedTuple):
    """A part of the strip that belongs to one statement."""

    said: Said
    span: Span


def without(spans: Iterable[Span], holes: Sequence[Span]) -> list[Span]:
    """Return what is left of the spans outside of all the holes."""
    left = [span for span in spans if span.start < span.end]
    for hole in holes:
        around = [
            (Span(span.start, min(span.end, hole.start)), Span(max(span.start, hole.end), span.end)) for span in left
        ]
        left = [part for both in around for part in both if part.start < part.end]
    return left


def lay_pieces(statements: Iterable[Said]) -> list[Piece]:
    """Lay statements in the order of their transaction times; the steps are numbered as in R10."""
    strip: list[Piece] = []
    for new in sorted(statements, key=lambda said: (said.order, said.record)):
        left = without([Span(new.start, new.end)], new.cuts)  # 1, and the ends that took it off
        if not new.corrected:
            left = without(left, [piece.span for piece in strip if _starts_later(piece.said, new)])  # 2
            left = without(left, [piece.span for piece in strip if _outranks(piece.said, new)])  # 3
        strip = [part for piece in strip for part in _uncovered(piece, new, left)]  # 4 and 6
        strip += [Piece(new, span) for span in left]  # what overlaps now is 5
    return strip


def _starts_later(old: Said, new: Said) -> bool:
    eligible = (old.speaker == new.speaker and old.rank == new.rank) or old.rank > new.rank
    return new.end == OPEN and old.start > new.start and eligible and old.record not in new.names


def _outranks(old: Said, new: Said) -> bool:
    return old.rank > new.rank and old.record not in new.names


def _uncovered(piece: Piece, new: Said, left: Sequence[Span]) -> list[Piece]:
    old = piece.said
    own = old.rank == new.rank and old.speaker == new.speaker
    if new.corrected or old.rank < new.rank or own or old.record in new.names:
        return [Piece(old, span) for span in without([piece.span], left)]
    return [piece]


def heads(strip: Iterable[Piece], at: int) -> list[Said]:
    """Return the statements that stand at an instant, in the order in which they were laid."""
    found = [piece.said for piece in strip if piece.span.start <= at < piece.span.end]
    return sorted(found, key=lambda said: (said.order, said.record))


def edges(strip: Iterable[Piece]) -> list[int]:
    """Return every instant at which something begins or ends, in order."""
    return sorted({edge for piece in strip for edge in piece.span})


def stretches(strip: Sequence[Piece]) -> list[tuple[Span, list[Said]]]:
    """Return the strip as stretches over which the same statements stand; neighbours that agree are one."""
    found: list[tuple[Span, list[Said]]] = []
    marks = edges(strip)
    for start, end in itertools.pairwise(marks):
        stands = heads(strip, start)
        if found and found[-1][1] == stands and found[-1][0].end == start:
            found[-1] = (Span(found[-1][0].start, end), stands)
        elif stands:
            found.append((Span(start, end), stands))
    return found
