"""What stands in slots at an instant, for one reader: the narrowest scope decides (R11)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stead.model.period import Period
from stead.model.slot import SlotKey
from stead.model.strip import standing_at
from stead.recall.ask import Ask
from stead.store.protocol import ReadTx
from stead.store.values import Revision, SlotRow, statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What stands in one slot: one value, or several that are contested."""

    slot: SlotRow
    revisions: tuple[Revision, ...]
    """In the order in which they were laid; the first one is the record that is served."""

    @property
    def contested(self) -> bool:
        """Tell whether equals disagree."""
        return len(self.revisions) > 1 and len({statement(each).value for each in self.revisions}) > 1

    @property
    def unset(self) -> bool:
        """Tell whether the slot has no value in this scope and a wider one is masked."""
        return self.revisions[0].unset


def stands_in(store: ReadTx, slots: Sequence[SlotRow], ask: Ask) -> list[Standing]:
    """Return what stands for each slot key, read off the strip of the narrowest scope that has a live value.

    The strip is laid from everything that the store knew; what a reader may see is decided afterwards, so that a value that
    no longer holds never shows through where the newer one is withheld.
    """
    if not slots:
        return []
    within = Period(ask.at, ask.at + 1)
    laid: dict[int, list[Revision]] = {}
    for revision in store.laid([each.n for each in slots], within, ask.past):
        if not revision.expired(ask.known_at):
            laid.setdefault(revision.slot or 0, []).append(revision)
    found: dict[SlotKey, Standing] = {}
    for slot in sorted(slots, key=lambda each: ask.scopes.index(each.scope)):
        if slot.key not in found and slot.n in laid:
            stands = _standing(laid[slot.n], ask)
            if stands:
                found[slot.key] = Standing(slot=slot, revisions=stands)
    return list(found.values())


def _standing(revisions: Iterable[Revision], ask: Ask) -> tuple[Revision, ...]:
    by_record = {each.record: each for each in revisions}
    return tuple(by_record[each.record] for each in standing_at(map(statement, by_record.values()), ask.at))


def holds_alone(revision: Revision, ask: Ask) -> bool:
    """Tell whether a record without a slot holds at the asked instant."""
    return not revision.expired(ask.known_at) and statement(revision).claims(ask.at)


def overridden(store: ReadTx, records: Sequence[int], ask: Ask) -> frozenset[int]:
    """Return those of the records that something else overrides by name while it stands (R13)."""
    edges = [edge for edge in store.edges(records, kind="overrides", incoming=True) if edge.tx <= ask.known_at]
    if not edges:
        return frozenset()
    overriding = {each.record: each for each in _as_known(store, [edge.record for edge in edges], ask)}
    return frozenset(
        edge.target
        for edge in edges
        if edge.record in overriding
        and overriding[edge.record].scope in ask.scopes
        and holds_alone(overriding[edge.record], ask)
    )


def _as_known(store: ReadTx, records: Sequence[int], ask: Ask) -> list[Revision]:
    return [
        each
        for each in store.revisions(ask.subject.n, records)
        if each.tx_from <= ask.known_at < each.tx_until and each.status in ("active", "contested", "superseded")
    ]
