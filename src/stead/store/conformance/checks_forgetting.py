"""Checks of what is being erased: it is in no read, whatever is asked and as of when."""

from __future__ import annotations

from stead.model.period import ALL_TIME, FOREVER
from stead.store.conformance.bench import KEY, Bench, add, check, episode, expect, slotted
from stead.store.protocol import WriteTx
from stead.store.values import EdgeRow, ErasureRow, JobRow, Selects, SourceRow, SubjectRow


def _drawn(store: WriteTx, subject: SubjectRow, record: int) -> SourceRow:
    """Note that a record was drawn from the first turn."""
    source = SourceRow(
        record=record, tx=store.instant(0), observed_at=1, speaker="ana", verified=False, conversation="c", turn="1",
        uri=None,
    )  # fmt: skip
    store.add_source(subject.n, source)
    return source


def _erasure(store: WriteTx, subject: SubjectRow) -> JobRow:
    selects = Selects(categories=("work",), attributes=(KEY.attribute,), conversation="c")
    return JobRow(id=f"era_{subject.n}", subject=subject.n, tx=store.instant(0), by="wish", selects=selects)


@check
def a_record_that_is_being_erased_is_in_no_read(bench: Bench) -> None:
    """R8, R27: it is left out of every read, with a ``known_at`` before the erasure too, and nothing else is."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "2")
        gone = slotted(store, mine, claim_key=7, review_events=("moved",))
        kept, theirs = add(store, mine, claim_key=7), add(store, other, claim_key=7)
        source = _drawn(store, mine, gone.record)
        store.add_edge(EdgeRow(record=kept.record, kind="derived_from", target=gone.record, tx=source.tx))
        store.hide(_erasure(store, mine), [gone.record, theirs.record], [])
    with bench.backend.read() as read:
        for known_at in (None, source.tx):
            expect(read.laid([gone.slot or 0], ALL_TIME, known_at) == [], f"laid, known at {known_at}")
            found = read.applicable(mine.n, [""], FOREVER - 1, known_at)
            expect([each.id for each in found] == [kept.id], f"applicable, known at {known_at}: {found}")
        expect(read.current(mine.n, gone.id) is None, "by its id")
        expect(read.revisions(mine.n, [gone.record]) == [] and read.in_slot(gone.slot or 0) == [], "revisions")
        expect([each.id for each in read.same_claim(mine.n, 7)] == [kept.id], "the same claim")
        expect([each.id for each in read.by_text(mine.n, [gone.n, kept.n], source.tx)] == [kept.id], "by text")
        page = read.page(mine.n, status=None, scope=None, category=None, limit=9, after=None)
        expect([each.id for each in page] == [kept.id], "pages")
        expect(read.ids([gone.record, kept.record]) == {kept.record: kept.id}, "ids")
        expect(read.edges([kept.record]) == [] and read.chained(mine.n, gone.record) == [], "edges and chains")
        expect(read.drawn_from(mine.n, [("c", "1")], source.tx) == [], "what was drawn from a turn")
        expect(read.current_by_number(mine.n, read.reviewable(mine.n)) == [], "reviews")
        expect(all(n != gone.n for _, n, _ in read.backlog("claims", "any", 999)), "no vector is wanted of it")
        expect(read.current(other.n, theirs.id) is not None, "another subject's record is untouched")


@check
def a_turn_that_is_being_erased_is_in_no_read(bench: Bench) -> None:
    """R8, R27: its words, its neighbours' view of it and its id are gone; its place in the conversation stays taken."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "2")
        turns = [store.add_episode(episode(each, "1", store.instant(0)), ["words"]) for each in (mine, other)]
        left = store.add_episode(episode(mine, "2", store.instant(0)), ["words"])
        store.hide(_erasure(store, mine), [], [each.n for each in turns])
    gone, theirs = turns
    with bench.backend.read() as read:
        expect([each.n for each in read.episodes(mine.n, [gone.n, left.n])] == [left.n], "by number")
        expect([each.n for each in read.placed(mine.n, [gone.n, left.n])] == [left.n], "as a neighbour")
        expect(read.episode(mine.n, "c", "1") is None and read.turn_taken(mine.n, "c", "1"), "by the turn's id")
        expect([each.n for each in read.turns_from(mine.n, "c", 0)] == [left.n], "turns of a conversation")
        page = read.episode_page(mine.n, conversation=None, limit=9, after=None)
        expect([each.n for each in page] == [left.n], "pages")
        expect(not read.has_episode(mine.n, gone.id) and read.erased(mine.n, gone.id), "by its id")
        expect(read.positions(mine.n, "c") == 2, "its place stays taken")
        expect([item for item, _ in read.postings("episodes", mine.n, "words", None)] == [left.n], "by its words")
        expect(all(n != gone.n for _, n, _ in read.backlog("episodes", "any", 999)), "no vector is wanted of it")
        expect(read.has_episode(other.n, theirs.id), "another subject's turn is untouched")


@check
def an_erasure_is_found_by_what_it_selects(bench: Bench) -> None:
    """R27, R31: what can be selected is found while it is readable; the erasure keeps structure and counts."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "2")
        made, plain = slotted(store, mine), add(store, mine, category="work")
        turn = store.add_episode(episode(mine, "1", store.instant(0)), ["words"])
        _drawn(store, mine, made.record)
        found = store.wordings(mine.n, records=[made.record])
        expect(
            [(each.record, each.attribute) for each in found] == [(made.record, KEY.attribute)], f"wordings: {found}"
        )
        expect(store.wordings(mine.n, texts=[made.n]) == found, "the same by the number of its text")
        expect(store.drawn_in(mine.n, "c") == [(made.record, 0, "ana")], "what was drawn from a conversation")
        expect([each.n for each in store.turns_behind(mine.n, [made.record])] == [turn.n], "the turn behind it")
        expect(store.filed_under(mine.n, [], [KEY.attribute]) == [made.record], "what is in a slot of an attribute")
        expect(store.filed_under(mine.n, ["work"], []) == [plain.record], "what is of a category")
        expect(store.everything(mine.n) == ([made.record, plain.record], [turn.n]), "everything of one subject")
        erasure = _erasure(store, mine)
        store.hide(erasure, [made.record], [turn.n])
        expect(store.everything(mine.n) == ([plain.record], []), "the rest")
        again = [
            store.wordings(mine.n, texts=[made.n]),
            store.drawn_in(mine.n, "c"),
            store.filed_under(mine.n, [], [KEY.attribute]),
        ]
        expect(again == [[], [], []], "nothing is selected twice")
    with bench.backend.read() as read:
        listed = read.erasures(mine.n)
        counted = ErasureRow(
            id=erasure.id, tx=erasure.tx, selects=erasure.selects, status="pending", records=1, episodes=1
        )  # fmt: skip
        expect(listed == [counted], f"the erasure, counted: {listed}")
        expect(read.erased(mine.n, made.id) and not read.erased(mine.n, plain.id), "what is erased is known by its id")
        expect(read.erased_ids([made.record, plain.record]) == {made.record: made.id}, "its id, for the erasure itself")
        expect(read.erasures(other.n) == [] and not read.erased(other.n, made.id), "an erasure is one subject's")
