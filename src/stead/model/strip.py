"""The strip: what holds, computed from what was said (R10). No I/O; the heart of the code.

For one slot in one scope, every statement is laid on a strip of valid time in the order in which the store came to know
them, and the answer for an instant is read off::

    said 1st  home is Paris   ├───────────────────────────────────────▶  open end
    said 2nd  here: Lisbon              ├─────────┤                      bounded: an exception
    said 3rd  home is Berlin                            ├─────────────▶  open, starts later: Paris ends there
              ─────────────────────────────────────────────────────────
    holds     Paris           ├─Paris───┼─Lisbon──┼Paris┼─Berlin──────▶

Nothing that was said is overwritten: the strip is read anew from the statements each time. What a later statement covers
shows again when that statement is not laid (retracted, expired, erased), unless an *end* took it off: ends are kept with
the statement as cuts, so that the predecessor of a retracted statement is not silently revived.

Laying is a rule about single instants. Whether a piece lies under another one, covers it or is contested by it depends,
at each instant, only on the statements whose interval holds that instant. So `standing` says what stands at one instant,
and `lay` sweeps it over the instants at which something begins or ends.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from stead.model.period import FOREVER, Instant, Period, subtract_all


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One claim about a slot, as the strip sees it."""

    record: int
    order: Instant
    """Its place among the statements: the transaction time at which it was laid."""
    value: str | None
    """The normalised value; None masks the slot (unset)."""
    speaker: str
    rank: int
    """The rung of its authority, 4 to 0."""
    start: Instant
    end: Instant = FOREVER
    """The stated interval; `FOREVER` says that no end was stated."""
    corrected: bool = False
    """It repairs exactly the portion that it names (rule 6)."""
    cuts: tuple[Period, ...] = ()
    """Where ends have taken it off the strip."""
    names: frozenset[int] = field(default=frozenset())
    """Records that it overrides by name (R13)."""

    def pieces(self) -> tuple[Period, ...]:
        """Return its piece: the stated interval without the cuts, in order of time."""
        return subtract_all(Period(self.start, self.end), self.cuts) if self.start < self.end else ()

    def claims(self, at: Instant) -> bool:
        """Tell whether its piece, the stated interval without the cuts, holds the instant."""
        return self.start <= at < self.end and not any(cut.start <= at < cut.end for cut in self.cuts)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A period over which the same statements stand."""

    period: Period
    standing: tuple[Statement, ...]

    @property
    def values(self) -> tuple[str | None, ...]:
        """Return the distinct values, in the order in which they were laid."""
        return tuple(dict.fromkeys(statement.value for statement in self.standing))

    @property
    def contested(self) -> bool:
        """Tell whether statements of equal standing disagree here."""
        return len(self.values) > 1


def standing(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """Return what stands at one instant, of statements that all claim it, given in order (R10, rules 2 to 6).

    All that stands has the same authority and different speakers: at most one head per speaker.
    """
    stands: list[Statement] = []
    for new in statements:
        if new.corrected:
            stands = [new]
        elif not any(_hides(old, new) for old in stands):
            stands = [old for old in stands if not _covers(new, old)]
            stands.append(new)
    return tuple(stands)


def _hides(old: Statement, new: Statement) -> bool:
    """Rules 2 and 3: higher authority is never covered, and an open end is weak against a later stated start."""
    if old.record in new.names:
        return False
    if old.rank > new.rank:
        return True
    weak = new.end == FOREVER and old.start > new.start
    return weak and old.speaker == new.speaker and old.rank == new.rank


def _covers(new: Statement, old: Statement) -> bool:
    """Rule 4: what is left covers lower authority, and the speaker's own earlier words."""
    return old.rank < new.rank or old.speaker == new.speaker or old.record in new.names


def standing_at(statements: Iterable[Statement], at: Instant) -> tuple[Statement, ...]:
    """Return what stands at an instant; the statements in any order."""
    return standing(sorted((each for each in statements if each.claims(at)), key=_order))


def lay(statements: Sequence[Statement], within: Period | None = None) -> tuple[Stretch, ...]:
    """Lay statements of one slot in one scope, and read the strip off.

    Parameters
    ----------
    statements
        In any order; expired, retracted and erased ones are left out by the caller.
    within
        The part of valid time that is asked for; all of it by default.

    Returns
    -------
    tuple of Stretch
        In order of time, without those where nothing stands; neighbours that stand on the same statements are one.
    """
    opens: dict[Instant, list[Statement]] = {}
    closes: dict[Instant, list[Statement]] = {}
    for statement in statements:
        for piece in _pieces(statement, within):
            opens.setdefault(piece.start, []).append(statement)
            closes.setdefault(piece.end, []).append(statement)
    boundaries = sorted(opens.keys() | closes.keys())
    active: list[Statement] = []
    strip: list[Stretch] = []
    for start, end in pairwise(boundaries):
        for statement in closes.get(start, ()):
            active.remove(statement)
        for statement in opens.get(start, ()):
            insort(active, statement, key=_order)
        _append(strip, Period(start, end), standing(active))
    return tuple(strip)


def _pieces(statement: Statement, within: Period | None) -> tuple[Period, ...]:
    if within is None:
        return statement.pieces()
    return tuple(part for piece in statement.pieces() if (part := piece.intersect(within)) is not None)


def _append(strip: list[Stretch], period: Period, stands: tuple[Statement, ...]) -> None:
    if not stands:
        return
    if strip and strip[-1].period.end == period.start and strip[-1].standing == stands:
        strip[-1] = Stretch(Period(strip[-1].period.start, period.end), stands)
    else:
        strip.append(Stretch(period, stands))


def _order(statement: Statement) -> tuple[Instant, int]:
    return statement.order, statement.record
