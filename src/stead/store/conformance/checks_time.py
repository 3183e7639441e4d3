"""Checks of transactions, clocks, revisions and the log. Each says which rule it protects; none looks behind the protocol."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from stead.errors import BackendError, StoreBusy
from stead.model.period import BEGINNING, FOREVER, Period
from stead.model.record import Cut
from stead.store.conformance.bench import KEY, Bench, add, check, episode, expect, raises, slotted
from stead.store.values import DecisionRow, EdgeRow, SourceRow, SubjectRow

EVER = Period(BEGINNING, FOREVER)


def _decision(subject: SubjectRow, tx: int, record: int | None) -> DecisionRow:
    return DecisionRow(
        tx=tx, subject=subject.n, verb="remember", trigger="test", decision="ADD", rule="new", reason="because",
        record=record, status="active", affected=(1,), version=3,
    )  # fmt: skip


def _fail() -> None:
    raise LookupError


@check
def transaction_time_never_goes_back(bench: Bench) -> None:
    """R6: strictly increasing, whatever the wall clock says, and over a second connection."""
    seen: list[int] = []
    for backend in (bench.backend, bench.again(), bench.backend):
        for now in (10_000, 500, 10_000):
            with backend.write() as store:
                seen.append(store.instant(now))
    expect(all(before < after for before, after in pairwise(seen)), f"not increasing: {seen}")
    with bench.again().read() as read:
        expect(read.last_instant() == seen[-1], "the last instant was not kept")


@check
def an_error_leaves_nothing(bench: Bench) -> None:
    """R46: a write is whole or nothing."""
    with bench.backend.write() as store:
        before = add(store, bench.subject(store))
    try:
        with bench.backend.write() as store:
            add(store, bench.subject(store))
            store.revise(before, replace(before, tx_from=store.instant(0), status="retracted"))
            store.bump_slot(before.subject, KEY, "")
            _fail()
    except LookupError:
        pass
    with bench.backend.read() as read:
        expect(len(read.revisions(before.subject, [before.record, before.record + 1])) == 1, "a row was left behind")
        expect(not read.slots(before.subject, KEY, [""]), "a slot was left behind")


@check
def a_read_is_a_snapshot(bench: Bench) -> None:
    """R46: what is committed while a read goes on is not seen by it."""
    with bench.backend.write() as store:
        subject = bench.subject(store)
    other = bench.again()
    with bench.backend.read() as read:
        expect(read.page(subject.n, status=None, scope=None, category=None, limit=9, after=None) == [], "not empty")
        with other.write() as store:
            add(store, subject)
        expect(read.page(subject.n, status=None, scope=None, category=None, limit=9, after=None) == [], "no snapshot")
    with bench.backend.read() as read:
        found = read.page(subject.n, status=None, scope=None, category=None, limit=9, after=None)
        expect(len(found) == 1, "the commit is not seen by the next read")


@check
def one_writer_at_a_time(bench: Bench) -> None:
    """R46: a second writer waits, and says so when it waited too long."""
    other = bench.again(busy_timeout=0.05)

    def second() -> None:
        with other.write():
            pass

    with bench.backend.write():
        raises(StoreBusy, second, "a second writer")
    second()


@check
def revisions_are_immutable(bench: Bench) -> None:
    """R7, R50: a revision is held from one transaction time to another, and then still found there."""
    with bench.backend.write() as store:
        subject = bench.subject(store)
        first = slotted(store, subject)
        tx = store.instant(0)
        cut = Cut(period=Period(tx), why="superseded", by=first.record)
        second = store.revise(first, replace(first, tx_from=tx, status="superseded", cuts=(cut,)))
    slots = [first.slot or 0]
    with bench.backend.read() as read:
        then = read.laid(slots, EVER, tx - 1)
        expect([each.n for each in then] == [first.n], "the earlier version is not the answer for its time")
        expect(then[0].tx_until == tx, "it was not closed where the next one begins")
        expect([each.n for each in read.laid(slots, EVER, None)] == [second.n], "the current version")
        expect([each.n for each in read.revisions(subject.n, [first.record])] == [first.n, second.n], "the history")
        expect(second.text_n == first.text_n, "the same words are one text")


@check
def what_is_laid(bench: Bench) -> None:
    """R7, R10: active, contested and superseded revisions that stand within the period; nothing else."""
    with bench.backend.write() as store:
        subject = bench.subject(store)
        slot = store.bump_slot(subject.n, KEY, "").n
        for status in ("proposed", "active", "contested", "superseded", "retracted", "rejected"):
            add(store, subject, slot=slot, value=status, status=status, speaker=status, stated_from=10, stated_until=20)
        ended = Cut(period=Period(15), why="ended")
        add(store, subject, slot=slot, value="cut", stated_from=10, stated_until=FOREVER, cuts=(ended,), speaker="cut")
    with bench.backend.read() as read:
        found = {each.value for each in read.laid([slot], Period(19, 20), None)}
        expect(found == {"active", "contested", "superseded"}, f"at 19: {found}")
        expect(len(read.laid([slot], Period(10, 11), None)) == 4, "at 10, the start is inside")
        expect(read.laid([slot], Period(20, 30), None) == [], "at 20, the end is outside")


@check
def one_head(bench: Bench) -> None:
    """R46: for one slot, speaker and authority the database itself refuses a second open head."""
    with bench.backend.write() as store:
        first = slotted(store, bench.subject(store), head=True)

    def second() -> None:
        with bench.backend.write() as store:
            add(store, SubjectRow(n=first.subject, name=bench.name, purges=0), slot=first.slot, value="y", head=True)

    raises(BackendError, second, "a second head")
    with bench.backend.write() as store:
        subject = bench.subject(store)
        add(store, subject, slot=first.slot, value="y", speaker="bob", head=True)
        add(store, subject, slot=first.slot, value="y", rank=3, head=True)
        add(store, subject, slot=first.slot, value="y", stated_until=FOREVER - 1)


@check
def slot_versions_count(bench: Bench) -> None:
    """R46: the version of a slot in its scope rises by one, from 1."""
    with bench.backend.write() as store:
        subject = bench.subject(store)
        versions = [store.bump_slot(subject.n, KEY, "a").version for _ in range(3)]
        other = store.bump_slot(subject.n, KEY, "a/b")
        expect(store.bump_slot_number(other.n) == 2, "by number")
        expect(versions == [1, 2, 3], f"{versions}")
        expect({row.scope for row in store.slots(subject.n, KEY, ["a", "a/b", "c"])} == {"a", "a/b"}, "by scope")
        expect(store.slots_by_number(subject.n, [other.n])[0].key == KEY, "the key by number")
        like = store.slots_like(subject.n, [other.n], ["a", "c"])
        expect([row.scope for row in like] == ["a"], "the same key in other scopes")
        expect(store.slots_like(subject.n + 1, [other.n], ["a"]) == [], "of this subject only")


@check
def sources_and_edges_have_their_time(bench: Bench) -> None:
    """R1, R50: a source added later is not known before."""
    with bench.backend.write() as store:
        subject = bench.subject(store)
        made, target = add(store, subject), add(store, subject)
        first, second = store.instant(0), store.instant(0)
        for tx in (first, second):
            store.add_source(subject.n, SourceRow(
                record=made.record, tx=tx, observed_at=1, speaker="ana", verified=tx == second, conversation="c",
                turn="7", uri=None,
            ))  # fmt: skip
        edge = EdgeRow(record=made.record, kind="overrides", target=target.record, tx=first)
        store.add_edge(edge)
        store.add_edge(edge)
    with bench.backend.read() as read:
        expect(len(read.sources([made.record], first)) == 1, "as of the first")
        expect([each.verified for each in read.sources([made.record], second)] == [False, True], "in order")
        expect(read.edges([made.record]) == [edge], "an edge is kept once")
        expect(read.edges([target.record], kind="overrides", incoming=True) == [edge], "from the other end")
        expect(read.edges([made.record], kind="derived_from") == [], "by kind")
        named = read.current(subject.n, made.id)
        expect(named is not None and named.names == {target.record}, "what it overrides comes with it")
        drawn = read.drawn_from(subject.n, [("c", "7"), ("c", "8")], second)
        expect({(each[2], each[3]) for each in drawn} == {(made.id, "active")}, "drawn from the turn")


@check
def turns_keep_their_order(bench: Bench) -> None:
    """R18: turns have positions, neighbours and ids of their own in a conversation."""
    with bench.backend.write() as store:
        subject = bench.subject(store)
        turns = [store.add_episode(episode(subject, str(n), store.instant(0)), ["w"]) for n in range(6)]
        store.open_session(subject.n, "c", store.instant(0))
        store.open_session(subject.n, "c", store.instant(0))
        store.close_session(subject.n, "c", store.instant(0))
    with bench.backend.read() as read:
        expect([each.position for each in turns] == list(range(6)), "positions")
        around = sorted(each.position for each in read.placed(subject.n, [turns[1].n]))
        expect(around == [0, 1, 2, 3], f"neighbours {around}")
        expect(read.episode(subject.n, "c", "3") == turns[3], "by turn")
        page = read.episode_page(subject.n, conversation="c", limit=2, after=turns[1].id)
        expect([each.n for each in page] == [turns[2].n, turns[3].n], "paging")
        expect(read.positions(subject.n, "c") == 6, "how many")


@check
def inbox(bench: Bench) -> None:
    """R2, R26: proposals and contests are found, now and as they were."""
    with bench.backend.write() as store:
        subject = bench.subject(store)
        waiting = add(store, subject, status="proposed")
        contested = slotted(store, subject, status="contested")
        add(store, subject, slot=contested.slot, value="y", speaker="bob")
        _alone = store.bump_slot(subject.n, KEY, "alone")
        add(store, subject, slot=_alone.n, value="y")
        then = store.instant(0)
        store.revise(waiting, replace(waiting, tx_from=store.instant(0), status="rejected"))
    with bench.backend.read() as read:
        expect(read.proposed(subject.n) == [], "an answered proposal waits no more")
        expect([each.record for each in read.proposed(subject.n, then)] == [waiting.record], "it did then")
        expect(read.disputable_slots(subject.n) == [contested.slot], "slots of several speakers")
        expect(len(read.in_slot(contested.slot or 0)) == 2, "all records of a slot")


@check
def decisions_are_kept(bench: Bench) -> None:
    """R20, R46: the log is kept in order, and an idempotency key finds its row."""
    with bench.backend.write() as store:
        subject = bench.subject(store)
        made = add(store, subject)
        number = store.log(_decision(subject, made.tx_from, made.record))
        store.keep(subject.n, "key", b"digest", number)
    with bench.backend.read() as read:
        row = read.decision(number)
        expect(row == replace(_decision(subject, made.tx_from, made.record), n=number), "the row")
        expect(read.decisions(subject.n, made.record) == [row], "by record")
        expect(read.replay(subject.n, "key") == (b"digest", number), "by key")
        expect(read.replay(subject.n, "other") is None, "another key")
        expect(read.replay(subject.n + 1, "key") is None, "another subject's key")


@check
def accesses_are_counted(bench: Bench) -> None:
    """R30: use is counted beside the record, never as a version of it."""
    with bench.backend.write() as store:
        subject = bench.subject(store)
        made = add(store, subject)
        store.touch([made.id], 50)
        store.touch([made.id], 40)
    with bench.backend.read() as read:
        expect(read.usage([made.id]) == {made.id: (50, 2)}, "last access and count")
        expect(len(read.revisions(subject.n, [made.record])) == 1, "no version was made")


@check
def chains_of_any_depth(bench: Bench) -> None:
    """R28: a chain of 1,000 supersessions is found whole, from anywhere, and its head without reading it."""
    depth = 1000
    with bench.backend.write() as store:
        subject = bench.subject(store)
        slot = store.bump_slot(subject.n, KEY, "").n
        old = add(store, subject, slot=slot, value="0")
        first = old.record
        for step in range(1, depth):
            tx = store.instant(0)
            ended = Cut(period=Period(tx), why="superseded", by=old.record + 1)
            store.revise(old, replace(
                old, tx_from=tx, status="superseded", cuts=(ended,), superseded_by=old.record + 1,
            ))  # fmt: skip
            old = add(store, subject, slot=slot, value=str(step), stated_from=tx)
    with bench.backend.read() as read:
        expect(len(read.chained(subject.n, first + depth // 2)) == depth, "the whole chain")
        head = read.laid([slot], Period(FOREVER - 2, FOREVER - 1), None)
        expect([each.value for each in head] == [str(depth - 1)], "the head")
