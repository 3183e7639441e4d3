"""Checks of what the background needs: how far a run has come, because of whom records ended, and chains a page at a time."""

from __future__ import annotations

from dataclasses import replace

from stead.model.slot import SlotKey
from stead.store.conformance.bench import Bench, add, check, expect, slotted
from stead.store.values import RunRow


@check
def a_run_is_kept_until_it_ends(bench: Bench) -> None:
    """R36: what was noted last is what is there, also after a restart; a new run takes the place of the one before."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "2")
        first = RunRow(
            id=f"con_{mine.n}a",
            subject=mine.n,
            started=store.instant(0),
            phase="adopt",
            cursor=0,
            closed=0,
            may_close=3,
        )
        theirs = replace(first, id=f"con_{other.n}a", subject=other.n)
        expect(store.last_run(mine.n) is None, "no run yet")
        store.keep_run(first)
        store.keep_run(theirs)
        store.keep_run(replace(first, phase="chains", cursor=7, closed=2))
    with bench.again().read() as read:
        expect(read.last_run(mine.n) == replace(first, phase="chains", cursor=7, closed=2), "as it was noted last")
    second = replace(first, id=f"con_{mine.n}b", started=first.started + 1)
    with bench.backend.write() as store:
        store.keep_run(second)
        expect(store.last_run(mine.n) == second, "a new run takes the place of the one before")
        ended = replace(second, closed=3, finished=first.started + 2)
        store.keep_run(ended)
    with bench.backend.read() as read:
        expect(read.last_run(mine.n) == ended, "that it has ended is kept, with what it closed")
        expect(read.last_run(other.n) == theirs, "another subject's run is untouched")


@check
def a_run_that_is_not_committed_was_not(bench: Bench) -> None:
    """R36, R46: how far it has come is noted in the transaction of the step, or not at all."""
    with bench.backend.write() as store:
        mine = bench.subject(store)
        run = RunRow(
            id=f"con_{mine.n}", subject=mine.n, started=store.instant(0), phase="adopt", cursor=0, closed=0, may_close=3
        )
        store.keep_run(run)
    try:
        with bench.backend.write() as store:
            store.keep_run(replace(run, cursor=9))
            raise KeyError  # noqa: TRY301 - the step fails
    except KeyError:
        pass
    with bench.backend.read() as read:
        expect(read.last_run(mine.n) == run, "the step that failed is not noted")


@check
def because_of_whom_records_ended(bench: Bench) -> None:
    """R28: what points to a record now, of one subject, in order; what pointed to it before doesn't count."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "2")
        one, two, three = (add(store, mine) for _ in range(3))
        theirs = add(store, other)
        for each in (one, two):
            store.revise(each, replace(each, tx_from=store.instant(0), status="superseded", superseded_by=three.record))
        store.revise(theirs, replace(theirs, tx_from=store.instant(0), superseded_by=three.record))
        expect(
            store.replaced_by(mine.n, [one.record, three.record])
            == [(one.record, three.record), (two.record, three.record)],
            "both, and no other subject's",
        )
        [ended] = store.current_by_number(mine.n, [one.record])
        store.revise(ended, replace(ended, tx_from=store.instant(0), status="active", superseded_by=None))
    with bench.backend.read() as read:
        expect(read.replaced_by(mine.n, [three.record]) == [(two.record, three.record)], "as it is now")
        expect(read.replaced_by(mine.n, [one.record]) == [], "nothing ended because of it")


@check
def slots_in_which_records_were_before(bench: Bench) -> None:
    """R26: other slots that share a record, now or before; the one that is asked about is left out."""
    with bench.backend.write() as store:
        mine = bench.subject(store)
        made, alone = slotted(store, mine), slotted(store, mine, "work")
        other = store.bump_slot(mine.n, SlotKey(attribute="second.city"), "")
        store.revise(made, replace(made, tx_from=store.instant(0), slot=other.n))
    with bench.backend.read() as read:
        expect(read.linked_slots(made.slot or 0) == [other.n], "where its record is now")
        expect(read.linked_slots(other.n) == [made.slot], "where its record was")
        expect(read.linked_slots(alone.slot or 0) == [], "a slot that shares none")


@check
def revisions_are_read_a_page_at_a_time(bench: Bench) -> None:
    """R28: by transaction time; a transaction is never split over two pages."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "2")
        rows = [add(store, mine) for _ in range(3)]
        theirs = add(store, other)
        tx = store.instant(0)
        store.revise_all([(each, replace(each, tx_from=tx, importance=0.9)) for each in rows])
    numbers = [*(each.record for each in rows), theirs.record]
    with bench.backend.read() as read:
        first = read.revisions_after(mine.n, numbers, 0, 2)
        expect([each.record for each in first] == numbers[:2], f"the first page: {first}")
        rest = read.revisions_after(mine.n, numbers, first[-1].tx_from, 2)
        expect([each.record for each in rest] == [numbers[2], *numbers[:3]], f"the next one, whole: {rest}")
        expect(read.revisions_after(mine.n, numbers, tx, 2) == [], "nothing is left")
