"""Checks of the purge: what goes is in no table, its numbers never come back, and what stays is as it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from stead.model.period import Instant
from stead.model.words import tokens
from stead.store.conformance.bench import KEY, Bench, add, check, episode, expect, slotted
from stead.store.erasing import ERASED
from stead.store.protocol import WriteTx
from stead.store.values import DecisionRow, EdgeRow, JobRow, Revision, Shelf, SourceRow, SubjectRow, Wanted


def _job(store: WriteTx, subject: SubjectRow, **changes: object) -> JobRow:
    return JobRow(id=f"era_{subject.n}", subject=subject.n, tx=store.instant(0), by="record", **changes)  # type: ignore[arg-type]


def _decision(subject: SubjectRow, about: Revision, tx: Instant, **changes: Any) -> DecisionRow:
    values: dict[str, Any] = {"decision": "ADD", "rule": "new", "status": "active", **changes}
    return DecisionRow(
        tx=tx, subject=subject.n, verb="remember", trigger="test", reason="-", record=about.record, **values
    )  # fmt: skip


def _words(shelf: Shelf, texts: tuple[str, ...]) -> Iterator[Sequence[str]]:
    """Return the words as the bench indexes them: of the claim alone, and of a turn as it is written here."""
    yield tokens(texts[0]) if shelf == "claims" else ["words"]


def _purged(store: WriteTx, job: JobRow) -> dict[str, int]:
    gone: dict[str, int] = {}
    while found := store.purge(job, _words, 2):
        gone = {name: gone.get(name, 0) + found.get(name, 0) for name in {*gone, *found}}
    return gone


@check
def what_is_purged_is_in_no_table(bench: Bench) -> None:
    """R32: rows, sources, edges, log, retries, vectors and words go; the id answers as erased, and neighbours stay."""
    with bench.backend.write() as store:
        mine = bench.subject(store)
        gone, kept = slotted(store, mine, words="rare oboe"), add(store, mine, words="rare kite")
        source = SourceRow(
            record=gone.record, tx=store.instant(0), observed_at=1, speaker="ana", verified=False, conversation="c",
            turn="1", uri=None,
        )  # fmt: skip
        store.add_source(mine.n, source)
        store.add_edge(EdgeRow(record=kept.record, kind="corrects", target=gone.record, tx=source.tx))
        row = _decision(mine, gone, source.tx, affected=(kept.record,))
        store.keep(mine.n, "k", b"digest", store.log(row))
        store.add_vectors("claims", "v", [(mine.n, gone.n, b"1234"), (mine.n, kept.n, b"5678")])
        job = store.hide(_job(store, mine), [gone.record], [])
        expect(store.vectors_of(mine.n, [gone.record], []) == [("v", b"1234")], "what will be looked for is found")
        expect(store.keys_of(mine.n, [gone.record], []) == ["k"], "the keys of its writes are found")
        _purged(store, job)
    with bench.backend.read() as read:
        expect(read.left_of([gone.record], []) == {}, f"left: {read.left_of([gone.record], [])}")
        expect(read.erased(mine.n, gone.id) and read.current(mine.n, gone.id) is None, "its id answers as erased")
        expect(read.postings("claims", mine.n, "obo", None) == [], "no word of it is left in the full text")
        expect([item for item, _ in read.postings("claims", mine.n, "rare", None)] == [kept.n], "the neighbour's is")
        expect(read.totals("claims", mine.n, None) == (1, 2), f"statistics: {read.totals('claims', mine.n, None)}")
        expect([item for _, item, _ in read.vectors("claims", mine.n, "v", 0)] == [kept.n], "its vector is gone")
        expect(read.replay(mine.n, "k") is None and read.decisions(mine.n, gone.record) == [], "log and retry")
        expect(read.slots_of(mine.n, KEY) == [], "a slot that nothing is in any more")
        again = read.subject(mine.name)
        expect(again is not None and (again.epoch, again.purges > mine.purges) == (1, True), "epoch and caches")


@check
def what_contradicted_the_erased_contradicts_nothing(bench: Bench) -> None:
    """R49: decisions that met it are found while it is erased, can be put anew, and don't count as having met anything after."""
    with bench.backend.write() as store:
        mine = bench.subject(store)
        gone, kept = slotted(store, mine, words="rare oboe"), slotted(store, mine, words="rare kite")
        row = _decision(
            mine, kept, kept.tx_from, decision="CONFIRM", rule="deliberate", status="proposed", contradicts=(gone.record,),
            question="que_1", route="admit",
        )  # fmt: skip
        number = store.log(row)
        expect(store.recent_contradictions(mine.n, 10) == (1, 1), "it met one")
        job = store.hide(_job(store, mine), [gone.record], [])
        [asked] = store.asked_because_of([gone.record])
        expect((asked.n, asked.record, asked.contradicts) == (number, kept.record, (gone.record,)), f"asked: {asked}")
        beside = store.decided_beside(mine.n, [gone.record], 10)
        expect([each.n for each in beside] == [number], f"decided in its slot: {beside}")
        store.decide_anew(number, replace(asked, decision="ADD", rule="new", status="active", question=None))
        _purged(store, job)
    with bench.backend.read() as read:
        found = read.decision(number)
        expect((found.decision, found.rule, found.question) == ("ADD", "new", None), f"decided anew: {found}")
        expect(read.recent_contradictions(mine.n, 10) == (0, 1), "it meets none")


@check
def an_erased_turn_is_no_source_of_what_stays(bench: Bench) -> None:
    """R49: a record rests on its other sources alone; the only one goes on naming a turn that isn't there."""
    with bench.backend.write() as store:
        mine = bench.subject(store)
        both, only = add(store, mine, words="two sources"), add(store, mine, words="one source")
        turn = store.add_episode(episode(mine, "1", store.instant(0)), ["words"])
        said = SourceRow(
            record=both.record, tx=both.tx_from, observed_at=1, speaker="ana", verified=False, conversation="c", turn="1",
            uri=None,
        )  # fmt: skip
        for each in (
            said,
            replace(said, conversation=None, turn=None, uri="crm://1"),
            replace(said, record=only.record),
        ):
            store.add_source(mine.n, each)
        expect([each.n for each in store.turns_behind(mine.n, [both.record])] == [turn.n], "the turn behind it")
        _purged(store, store.hide(_job(store, mine), [], [turn.n]))
    with bench.backend.read() as read:
        now = max(both.tx_from, only.tx_from)
        left = [(each.record, each.turn, each.uri) for each in read.sources([both.record, only.record], now)]
        expect(left == [(both.record, None, "crm://1"), (only.record, "1", None)], f"sources: {left}")


@check
def numbers_are_never_given_twice(bench: Bench) -> None:
    """R32: what comes late for a purged text finds nothing, not another text under its number."""
    with bench.backend.write() as store:
        mine = bench.subject(store)
        text = add(store, mine, words="late vector")
        turn = store.add_episode(episode(mine, "1", store.instant(0)), ["words"])
        _purged(store, store.hide(_job(store, mine), [text.record], [turn.n]))
        fresh = add(store, mine, words="another text")
        said = store.add_episode(episode(mine, "2", store.instant(0)), ["words"])
        expect(fresh.n > text.n and said.n > turn.n and fresh.record > text.record, "numbers go on")
        store.add_vectors("claims", "v", [(mine.n, text.n, b"1234"), (mine.n, fresh.n, b"5678")])
        store.add_vectors("episodes", "v", [(mine.n, turn.n, b"1234")])
        expect(
            [item for _, item, _ in store.vectors("claims", mine.n, "v", 0)] == [fresh.n], "no vector for what is gone"
        )
        expect(store.vectors("episodes", mine.n, "v", 0) == [], "nor for a turn")


@check
def turns_close_their_ranks(bench: Bench) -> None:
    """R49: the turns that are left stand as if the purged ones had never been between them."""
    with bench.backend.write() as store:
        mine = bench.subject(store)
        store.open_session(mine.n, "c", store.instant(0))
        turns = [store.add_episode(episode(mine, str(n), store.instant(0)), ["words"]) for n in range(5)]
        store.set_reviewed(mine.n, "c", 4)
        _purged(store, store.hide(_job(store, mine), [], [turns[1].n, turns[3].n]))
    with bench.backend.read() as read:
        left = read.turns_from(mine.n, "c", 0)
        expect([(each.turn, each.position) for each in left] == [("0", 0), ("2", 1), ("4", 2)], f"places: {left}")
        session = read.session(mine.n, "c")
        expect(session is not None and session.reviewed == 2, "how far it was reviewed goes with them")
        expect(read.erased(mine.n, turns[1].id), "an id of a turn answers as erased")


@check
def fences_and_needles_are_kept(bench: Bench) -> None:
    """R32: tombstones say since when; what the verification looks for stays until it is dropped."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "2")
        expect(not store.is_fenced(mine.n), "nothing was erased yet")
        job = store.hide(_job(store, mine), [], [])
        store.add_fences(mine.n, 5, [("turn", b"mark")])
        store.add_needles(job.n, b"sealed")
        ref = store.refer(mine.n, "sub_1")
        expect(ref == store.refer(mine.n, "sub_2"), "a ref is given once")
    with bench.backend.read() as read:
        expect(read.is_fenced(mine.n) and not read.is_fenced(other.n), "fences are one subject's")
        expect(read.fence(mine.n, "turn", b"mark") == 5 and read.fence(mine.n, "key", b"mark") is None, "kind and mark")
        expect(
            read.needles(job.n) == [b"sealed"] and read.subject_by_ref(ref) == read.subject(mine.name), "needles, refs"
        )
        unfinished = [each.id for each in read.unfinished()]
        expect(job.id in unfinished, "it isn't complete")
    with bench.backend.write() as store:
        found = store.job(job.id)
        expect(found is not None and (found.step, found.by, found.epoch) == ("hidden", "record", 1), "the job")
        store.drop_needles(job.n)
        store.step(
            JobRow(id=job.id, n=job.n, subject=mine.n, tx=job.tx, by="record", status="complete", step="receipt")
        )
        expect(store.needles(job.n) == [] and job.id not in [each.id for each in store.unfinished()], "it is done")


@check
def a_subject_can_be_erased_whole(bench: Bench) -> None:
    """R31, R47: everything of it goes, what it denied stays, and a neighbour keeps all of its own."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "2")
        gone, theirs = slotted(store, mine), slotted(store, other)
        tx = store.instant(0)
        store.set_consent(mine.n, "health", allowed=False, tx=tx)
        store.set_consent(mine.n, "religion", allowed=True, tx=tx)
        selected = store.selected(mine.n, Wanted(everything=True))
        expect(selected == ({gone.record}, set()), f"everything of one subject: {selected}")
        job = store.hide(_job(store, mine, whole=True), [gone.record], [])
        _purged(store, job)
        store.purge_subject(job)
        store.rename(mine.n, f"{ERASED}{mine.n}")
    with bench.backend.read() as read:
        expect(read.subject(mine.name) is None and read.erased_subjects(), "its name is gone")
        expect(mine.name not in read.subjects() and f"{ERASED}{mine.n}" not in read.subjects(), "it is in no list")
        expect(read.erased_whole(gone.id) and not read.erased_whole(theirs.id), "its ids answer as erased")
        expect(read.consents(mine.n) == {"health": False}, f"what was denied stays: {read.consents(mine.n)}")
        expect(read.current(other.n, theirs.id) is not None, "the neighbour is untouched")
