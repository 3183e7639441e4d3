"""Summing up a dead branch: one cold record that tells what a long chain went through; what it tells of is kept (R28, R36)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stead.memory.deeds import TRIGGER, Carried, Changed, reached
from stead.memory.desk import Desk, Logged
from stead.model.consolidation import Step
from stead.model.outcome import Decision
from stead.model.period import FOREVER, Instant, to_datetime
from stead.model.record import Kind, Meaning, Status, Tier
from stead.model.slot import claim_key
from stead.model.words import tokens
from stead.store.values import EdgeRow, Revision, SourceRow

SUMS_UP: Final = "sums_up"
"""The edge from a summary to each record that it tells of; no record is told of twice, not even after a retraction."""
RULE: Final = "summarised"


def sum_up(desk: Desk, rows: Sequence[Revision], carried: Carried) -> Logged:
    """Add one record that tells of superseded ones.

    It is cold: no answer holds it that doesn't ask for cold records. It has the lowest authority and the strictest limits of
    what it tells of (R48), and goes with any of that when it is erased (R31). It rests on none of it: that all of it has ended
    is what it says (R37).

    Raises
    ------
    Changed
        One of the records isn't as it was.
    """
    numbers = [each.record for each in rows]
    if {each.n for each in desk.store.current_by_number(desk.subject.n, numbers)} != {each.n for each in rows}:
        raise Changed
    tx = desk.instant()
    claim = told(rows)
    classes = frozenset[str]().union(*(each.classes() for each in rows))
    ends = [each.expires_at for each in rows if each.expires_at is not None]
    first = rows[0]
    speakers = {each.speaker for each in rows}
    added = desk.add(
        Revision(
            record=desk.store.next_record(), id=f"rec_{desk.new_id()}", subject=desk.subject.n, slot=None, scope=first.scope,
            tx_from=tx, tx_until=FOREVER, status=Status.ACTIVE, place=tx, stated_from=tx, stated_until=FOREVER, claim=claim,
            value=None, unset=False, speaker=first.speaker if len(speakers) == 1 else desk.subject.name,
            rank=min(each.rank for each in rows), kind=Kind.REFLECTION, category=first.category, purpose=first.purpose,
            audience=first.audience, confidence=min(each.confidence for each in rows),
            importance=min(each.importance for each in rows), sensitivity="+".join(sorted(classes)) or None,
            owner=first.owner, trigger=TRIGGER, meaning=Meaning.CHANGED, observed_at=max(each.observed_at for each in rows),
            expires_at=min(ends, default=None), confirmed_at=None, confirmed_how=None, review_events=(), tier=Tier.COLD,
            claim_key=claim_key(claim), created=tx,
        ),
        tokens(claim),
    )  # fmt: skip
    source = SourceRow(
        record=added.record, tx=tx, observed_at=added.observed_at, speaker=added.speaker, verified=False,
        conversation=None, turn=None, uri=None,
    )  # fmt: skip
    desk.store.add_source(desk.subject.n, source)
    for each in numbers:
        desk.store.add_edge(EdgeRow(record=added.record, kind="derived_from", target=each, tx=tx, released=tx))
        desk.store.add_edge(EdgeRow(record=added.record, kind=SUMS_UP, target=each, tx=tx))
    reached("summarised")
    reason = "it tells of what was superseded, one after the other; all of that is kept"
    carried.logged = desk.finish(
        tx, Decision.ADD, RULE, reason, record=added, status=added.status, affected=numbers, trigger=TRIGGER
    )
    carried.steps.append(step(added.id, carried.logged[1].affected))
    return carried.logged


def step(record: str, affected: Sequence[str]) -> Step:
    """Return what the report says of a summary; of a dry run ``record`` is the last that it would tell of."""
    return Step(phase="summaries", decision="ADD", rule=RULE, record=record, affected=tuple(affected))


def told(rows: Sequence[Revision]) -> str:
    """Return the words of a summary: each claim with the days on which it held, as far as was known."""
    return "Earlier: " + "; ".join(f"{each.claim.rstrip(' .')} ({_held(each)})" for each in rows)


def _held(row: Revision) -> str:
    pieces = row.pieces()
    if not pieces:
        return "at no time"
    return f"{_day(pieces[0].start)} to {_day(pieces[-1].end)}"


def _day(at: Instant) -> str:
    when = to_datetime(at)
    return "open" if when is None else when.date().isoformat()
