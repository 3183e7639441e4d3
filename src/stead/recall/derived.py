"""What was made from other records, and where in valid time it no longer has what it rests on (R37).

Nothing is marked: whether a derived record may be served is read off its sources, as they were known at ``known_at``. So a mark
is there in the transaction that ends a source, and gone in the one that lets the source stand again; see decision 0007.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from stead.model.period import ALL_TIME, BEGINNING, FOREVER, Instant, Period
from stead.model.record import LAID, Status
from stead.model.strip import Stretch, lay
from stead.store.protocol import ReadTx
from stead.store.values import Revision, parts, statement

_GONE_FOR_GOOD = (Status.DELETION_PENDING, Status.DELETED)

Above = Mapping[int, Sequence[int]]
"""What each record rests on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lapse:
    """Where in valid time a record doesn't hold, or isn't served as a fact."""

    record: int
    period: Period
    since: Instant
    """When it came to that: the instant in valid time where it ended, else the transaction that said so."""


def above(store: ReadTx, records: Iterable[int], clock: Instant) -> dict[int, list[int]]:
    """Return what records rest on, directly and through others to any depth, as known at ``clock``.

    Only records that rest on something have an entry; where nothing was derived, that is one query.
    """
    found: dict[int, list[int]] = {}
    level = list(dict.fromkeys(records))
    seen = set(level)
    while level:
        targets: list[int] = []
        for part in parts(level):
            for edge in store.rests_on(part):
                if edge.tx <= clock < edge.released:
                    found.setdefault(edge.record, []).append(edge.target)
                    targets.append(edge.target)
        level = [each for each in dict.fromkeys(targets) if each not in seen]
        seen.update(level)
    return found


def everything_above(edges: Above, record: int) -> dict[int, int]:
    """Return all that a record rests on, each with the number of steps to it along the shortest way."""
    steps: dict[int, int] = {}
    level, distance = list(edges.get(record, ())), 1
    while level:
        fresh = [each for each in dict.fromkeys(level) if each not in steps and each != record]
        steps |= dict.fromkeys(fresh, distance)
        level, distance = [target for each in fresh for target in edges.get(each, ())], distance + 1
    return steps


def own_lapses(
    store: ReadTx, subject: int, records: Sequence[int], clock: Instant, past: Instant | None, within: Period = ALL_TIME
) -> dict[int, list[Lapse]]:
    """Return where records themselves don't hold: ended, retracted, expired, erased, or contested there (R26, R37).

    Parameters
    ----------
    clock
        The read clock.
    past
        As of when, where that lies in the past; None asks for the current rows.
    within
        The part of valid time that is asked for.
    """
    known = _as_known(store, subject, records, past)
    lapses = {each: [Lapse(record=each, period=ALL_TIME, since=BEGINNING)] for each in records if each not in known}
    for row in known.values():
        lapses[row.record] = list(_ended(row, clock))
    for record, period in _contested(store, known.values(), clock, past, within):
        lapses[record].append(Lapse(record=record, period=period, since=known[record].tx_from))
    return {
        record: kept
        for record, each in lapses.items()
        if (kept := [one for one in each if one.period.overlaps(within)])
    }


def _as_known(store: ReadTx, subject: int, records: Sequence[int], past: Instant | None) -> dict[int, Revision]:
    """Return the revisions that were known; what has been erased since stays out, whatever was known then (R8)."""
    rows: list[Revision] = []
    for chunk in parts(records):
        now = [each for each in store.current_by_number(subject, chunk) if each.status not in _GONE_FOR_GOOD]
        if past is None:
            rows += now
        else:
            kept = store.revisions(subject, [each.record for each in now])
            rows += [each for each in kept if each.tx_from <= past < each.tx_until]
    return {each.record: each for each in rows}


def _ended(row: Revision, clock: Instant) -> Iterator[Lapse]:
    """A bounded exception takes nothing off its rule (R12), and what waits for an answer hasn't ended."""
    stated = Period(row.stated_from, row.stated_until)
    if row.status not in LAID and row.status != Status.PROPOSED:
        yield Lapse(record=row.record, period=ALL_TIME, since=row.tx_from)
    elif row.expired(clock):
        yield Lapse(record=row.record, period=ALL_TIME, since=row.expires_at or row.tx_from)
    elif not (pieces := row.pieces()):
        yield Lapse(record=row.record, period=ALL_TIME, since=row.tx_from)
    else:
        for cut in row.cuts:
            hole = cut.period.intersect(stated)
            if hole is not None:
                yield Lapse(record=row.record, period=hole, since=hole.start)
        if pieces[-1].end < FOREVER:
            yield Lapse(record=row.record, period=Period(pieces[-1].end), since=pieces[-1].end)


def _contested(
    store: ReadTx, rows: Iterable[Revision], clock: Instant, past: Instant | None, within: Period
) -> Iterator[tuple[int, Period]]:
    laid_in: dict[int, set[int]] = {}
    for row in rows:
        if row.slot is not None and row.status in LAID:
            laid_in.setdefault(row.slot, set()).add(row.record)
    by_slot: dict[int, list[Revision]] = {}
    for each in store.laid(sorted(laid_in), within, past) if laid_in else ():
        if not each.expired(clock):
            by_slot.setdefault(each.slot or 0, []).append(each)
    for slot, laid in by_slot.items():
        if len({each.speaker for each in laid}) > 1:
            for stretch in lay([statement(each) for each in laid], within):
                if stretch.contested:
                    yield from (
                        (each.record, stretch.period) for each in stretch.standing if each.record in laid_in[slot]
                    )


def lapses(
    store: ReadTx, subject: int, records: Iterable[int], clock: Instant, past: Instant | None, within: Period = ALL_TIME
) -> dict[int, list[Lapse]]:
    """Return, for those of the records that are derived, where something that they rest on doesn't hold.

    Parameters are those of `own_lapses`.
    """
    numbers = list(dict.fromkeys(records))
    edges = above(store, numbers, clock)
    if not edges:
        return {}
    sources = sorted({target for each in edges.values() for target in each})
    gone = own_lapses(store, subject, sources, clock, past, within)
    found = {
        record: [lapse for source in everything_above(edges, record) for lapse in gone.get(source, ())]
        for record in numbers
        if record in edges
    }
    return {record: each for record, each in found.items() if each}


def unsupported(
    store: ReadTx, subject: int, records: Iterable[int], at: Instant, clock: Instant, past: Instant | None
) -> dict[int, tuple[Lapse, ...]]:
    """Return the records that are not served at an instant, each with what it rests on and doesn't hold there."""
    found = lapses(store, subject, records, clock, past, Period(at, at + 1))
    return {record: tuple(sorted(each, key=lambda one: one.record)) for record, each in found.items()}


def supported(strip: Iterable[Stretch], gone: Mapping[int, Sequence[Lapse]]) -> Iterator[Stretch]:
    """Return a strip without what has lost what it rests on; of several that say the same, the others go on.

    What it covered doesn't show through: that it isn't served doesn't make the older claim true.
    """
    for stretch in strip:
        marks = [lapse for each in stretch.standing for lapse in gone.get(each.record, ())]
        if stretch.contested or not marks:
            yield stretch
            continue
        for piece in _split(stretch.period, marks):
            holds = tuple(
                each
                for each in stretch.standing
                if not any(lapse.period.overlaps(piece) for lapse in gone.get(each.record, ()))
            )
            if holds:
                yield Stretch(piece, holds)


def _split(period: Period, marks: Iterable[Lapse]) -> list[Period]:
    inner = (at for lapse in marks for at in (lapse.period.start, lapse.period.end) if period.start < at < period.end)
    bounds = sorted({period.start, period.end, *inner})
    return [Period(start, end) for start, end in pairwise(bounds)]
