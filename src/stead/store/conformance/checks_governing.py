"""Checks of what governs the writes: consent, events, sessions, proposals and the decision log."""

from __future__ import annotations

from dataclasses import replace

from stead.model.period import BEGINNING, FOREVER
from stead.store.conformance.bench import Bench, add, check, episode, expect, slotted
from stead.store.values import DecisionRow, EdgeRow, EventRow


@check
def the_newest_consent_counts(bench: Bench) -> None:
    """R16: what a subject allows is kept by class; the newest word counts, and it is one subject's."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "2")
        expect(store.consents(mine.n) == {}, "a new subject has said nothing")
        said = (mine, "health", False), (mine, "finance", False), (mine, "health", True)
        for subject, name, allowed in (*said, (other, "health", False)):
            store.set_consent(subject.n, name, allowed, store.instant(0))
    with bench.backend.read() as read:
        expect(read.consents(mine.n) == {"health": True, "finance": False}, "the newest word of each class")
        expect(read.consents(other.n) == {"health": False}, "another subject's word")


@check
def events_are_known_from_when_they_were_reported(bench: Bench) -> None:
    """R53: an event is one subject's or the tenant's, and isn't known before it was reported."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "2")
        before, first, second = store.instant(0), store.instant(0), store.instant(0)
        store.add_event(mine.n, EventRow(name=f"{bench.name} closed", scope="a/b", tx=first))
        store.add_event(None, EventRow(name=f"{bench.name} moved", scope="", tx=second))

    def names(subject: int, known_at: int) -> list[tuple[str, str]]:
        found = read.events(subject, [closed[0], moved[0]], known_at)
        return [(each.name, each.scope) for each in found]

    closed, moved = (f"{bench.name} closed", "a/b"), (f"{bench.name} moved", "")
    with bench.backend.read() as read:
        expect(names(mine.n, FOREVER) == [closed, moved], "both, in order, with their scopes")
        expect(names(other.n, FOREVER) == [moved], "another subject has the tenant's only")
        expect(names(mine.n, before) == [], "before the first one")
        expect(names(mine.n, first) == [closed], "at the very instant of the first one")


@check
def a_session_is_open_until_it_is_closed(bench: Bench) -> None:
    """R18: a session that was never closed is found, oldest first, with how far it was reviewed."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "2")
        tx = [store.instant(0) for _ in range(5)]
        store.open_session(mine.n, "late", tx[1])
        store.open_session(mine.n, "early", tx[0])
        store.open_session(mine.n, "done", tx[2])
        store.close_session(mine.n, "done", tx[3])
        store.open_session(other.n, "theirs", tx[4])
        store.set_reviewed(mine.n, "late", 3)
    with bench.backend.read() as read:
        found = [(each.conversation, each.opened, each.closed, each.reviewed) for each in read.open_sessions(mine.n)]
        expect(found == [("early", tx[0], None, 0), ("late", tx[1], None, 3)], f"open sessions: {found}")
        done = read.session(mine.n, "done")
        expect(done is not None and done.closed == tx[3], "a closed one is found by its conversation")
        expect(read.session(other.n, "late") is None, "a session is one subject's")
    with bench.backend.write() as store:
        store.open_session(mine.n, "done", store.instant(0))
        store.open_session(mine.n, "late", store.instant(0))
    with bench.backend.read() as read:
        again = read.session(mine.n, "late")
        expect(again is not None and again.reviewed == 3, "reopening forgets no review")
        expect({each.conversation for each in read.open_sessions(mine.n)} == {"early", "late", "done"}, "reopened")


@check
def turns_come_from_a_position_on(bench: Bench) -> None:
    """R18: the turns that were not reviewed yet are those from a position on, in their order."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "2")
        for turn in ("a", "b", "c"):
            store.add_episode(episode(mine, turn, store.instant(0)), ["words"])
        store.add_episode(episode(mine, "d", store.instant(0), conversation="another"), ["words"])
        store.add_episode(episode(other, "e", store.instant(0)), ["words"])
    with bench.backend.read() as read:
        found = [(each.turn, each.position) for each in read.turns_from(mine.n, "c", 1)]
        expect(found == [("b", 1), ("c", 2)], f"from the second on: {found}")
        expect(read.turns_from(mine.n, "c", 3) == [], "past the last one")
        expect(len(read.turns_from(mine.n, "c", 0)) == 3, "from the first on")


@check
def the_log_is_paged(bench: Bench) -> None:
    """R20: every decision is one row, with its route, its turn and what it changed; pages lose nothing."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "2")
        made = add(store, mine)
        turn = store.add_episode(episode(mine, "1", store.instant(0)), ["words"])
        row = DecisionRow(
            tx=store.instant(0), subject=mine.n, verb="session", trigger="session", decision="REJECT", rule="mood",
            reason="a mood", record=None, episode=turn.n, status=None, affected=(made.record,), version=None,
            question=None, route="drop",
        )  # fmt: skip
        numbers = [store.log(replace(row, subject=each)) for each in (mine.n, other.n, mine.n, mine.n)]
    with bench.backend.read() as read:
        first = read.log_page(mine.n, limit=2, after=0)
        rest = read.log_page(mine.n, limit=9, after=first[-1].n)
        expect([each.n for each in first + rest] == [numbers[0], numbers[2], numbers[3]], "one subject's, in order")
        expect(replace(first[0], n=row.n) == row, f"differs: {first[0]} is not {row}")
        expect(read.log_page(mine.n, limit=9, after=numbers[3]) == [], "past the last one")


@check
def what_waits_is_counted_by_speaker(bench: Bench) -> None:
    """R48: how many proposals of one origin wait is known, and with what they wait for."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "2")
        one = add(store, mine, status="proposed", speaker="page", waits_for="release", answer_by=77)
        store.instant(0)
        two = add(store, mine, status="proposed", speaker="page")
        add(store, mine, status="proposed", speaker="model")
        add(store, mine, speaker="page")
        add(store, other, status="proposed", speaker="page")
    with bench.backend.read() as read:
        found = read.current(mine.n, one.id)
        expect(found == one, f"what it waits for is kept: {found}")
        expect(read.waiting(mine.n, 76, "page") == 2, "the proposals of this speaker")
        expect(read.waiting(mine.n, 77, "page") == 1, "until the last moment for an answer, and not at it")
        expect(read.waiting(mine.n, 76) == 1, "what is quarantined, whoever said it")
        expect(read.waiting(mine.n, 76, "nobody") == 0, "of nobody")
    with bench.backend.write() as store:
        store.revise(two, replace(two, status="rejected", tx_from=store.instant(0)))
    with bench.backend.read() as read:
        expect(read.waiting(mine.n, 76, "page") == 1, "an answered one doesn't wait")


@check
def what_rests_on_others_has_its_time(bench: Bench) -> None:
    """R37, R50: what a record rests on is kept when it is released, with the time of that, and for its own subject."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "2")
        source, made, also, theirs = add(store, mine), add(store, mine), add(store, mine), add(store, other)
        tx = store.instant(0)
        edge = EdgeRow(record=made.record, kind="derived_from", target=source.record, tx=tx)
        past = EdgeRow(record=also.record, kind="derived_from", target=source.record, tx=tx, released=tx)
        named = EdgeRow(record=also.record, kind="corrects", target=source.record, tx=tx)
        foreign = EdgeRow(record=theirs.record, kind="derived_from", target=theirs.record, tx=tx)
        for each in (edge, past, named, foreign):
            store.add_edge(each)
    with bench.backend.read() as read:
        expect(read.derived(mine.n) == [made.record], "what rests on something now")
        expect(read.derived(other.n) == [theirs.record], "of each subject")
        expect(read.rests_on([made.record, also.record]) == [edge, past], f"{read.rests_on([also.record])}")
        expect(read.edges([made.record]) == [edge], "among all edges")
    with bench.backend.write() as store:
        later = store.instant(0)
        store.release(made.record, source.record, later)
        store.release(made.record, source.record, store.instant(0))
        store.release(also.record, source.record, later)
    with bench.backend.read() as read:
        expect(read.derived(mine.n) == [], "released")
        released = [each.released for each in read.rests_on([made.record, also.record])]
        expect(released == [later, tx], "once, and for good")


@check
def what_was_rejected_is_found_again(bench: Bench) -> None:
    """R15: a rejected record is found by its claim and by its slot, for its own subject."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "2")
        plain = add(store, mine, status="rejected", claim_key=41)
        add(store, mine, claim_key=41)
        add(store, other, status="rejected", claim_key=41)
        slot = slotted(store, mine, status="rejected", claim_key=42)
        slotted(store, mine, scope="a", status="rejected", claim_key=43)
    with bench.backend.read() as read:
        expect([each.id for each in read.rejected(mine.n, claim_key=41)] == [plain.id], "by its claim")
        expect([each.id for each in read.rejected(mine.n, slot=slot.slot)] == [slot.id], "by its slot")
        expect(read.rejected(mine.n) == [], "by nothing")


@check
def current_claims_are_recognised(bench: Bench) -> None:
    """R48: the key of a claim that stands now is recognised, with a slot or without; one that isn't there is not."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "2")
        for key, status in ((51, "active"), (52, "proposed"), (53, "rejected")):
            add(store, mine, status=status, claim_key=key)
        slotted(store, mine, claim_key=54)
        add(store, other, claim_key=55)
        now = store.instant(0)
    with bench.backend.read() as read:
        known = [key for key in range(51, 57) if read.echoes(mine.n, key, "", now)]
        expect(known == [51, 54], f"what stands of its own, and no others: {known}")
        expect(not read.echoes(mine.n, 51, "", BEGINNING), "nor before it holds")


@check
def records_that_name_events_are_known(bench: Bench) -> None:
    """R53: the records that name review events of their own are found without a search."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "2")
        named = add(store, mine, review_events=("moved", "2026-02-01"))
        add(store, mine)
        add(store, other, review_events=("moved",))
    with bench.backend.read() as read:
        expect(read.reviewable(mine.n) == [named.record], "one subject's records with events")
        found = read.current(mine.n, named.id)
        expect(found is not None and found.review_events == ("moved", "2026-02-01"), "the events come back")
