"""Checks of keys, filters and indexes. Each says which rule it protects; none looks behind the protocol."""

from __future__ import annotations

from stead.errors import CrossTenant
from stead.model.period import BEGINNING, FOREVER, Period
from stead.model.record import Cut
from stead.store.conformance.bench import KEY, Bench, add, check, episode, expect, raises, slotted

EVER = Period(BEGINNING, FOREVER)


@check
def tenant_is_bound(bench: Bench) -> None:
    """R47: a store belongs to one tenant from its creation on."""
    expect(bench.backend.tenant == "conformance", "the tenant is not the one it was made with")
    raises(CrossTenant, lambda: bench.again(tenant="another"), "opening under another tenant")
    expect(bench.again(tenant=None).tenant == "conformance", "opening without a name doesn't find the tenant")


@check
def every_column_comes_back(bench: Bench) -> None:
    """R1: what a record carries is stored and read as it was."""
    with bench.backend.write() as store:
        subject = bench.subject(store)
        made = add(
            store, subject, "naïve 東京 claim", scope="a/b", category="profile", purpose=("assist",), audience=("agent",),
            confidence=0.25, importance=0.75, sensitivity="health", owner="org", expires_at=77, confirmed_at=5,
            confirmed_how="form", review_events=("moved",), kind="plan", rank=3, stated_until=FOREVER - 1,
            cuts=(Cut(period=Period(5, 9), why="settled", by=3), Cut(period=Period(99), why="ended")), claim_key=12345,
        )  # fmt: skip
    with bench.backend.read() as read:
        found = read.current(subject.n, made.id)
        expect(found == made, f"differs: {found} is not {made}")
        expect(read.ids([made.record]) == {made.record: made.id}, "the id is not found by number")
        expect(read.current_by_number(subject.n, [made.record]) == [made], "not found by number")
        expect(read.same_claim(subject.n, 12345) == [made], "not found by its claim")
        expect(read.subjects() == sorted(read.subjects()), "subjects are not sorted")


@check
def a_subject_is_part_of_every_key(bench: Bench) -> None:
    """R47: no read of one subject returns a row of another."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "%")
        made = slotted(store, other)
        turn = store.add_episode(episode(other, "1", store.instant(0)), ["words"])
    with bench.backend.read() as read:
        expect(read.current(mine.n, made.id) is None, "current")
        expect(read.revisions(mine.n, [made.record]) == [], "revisions")
        expect(read.current_by_number(mine.n, [made.record]) == [], "current_by_number")
        expect(read.by_text(mine.n, [made.text_n], FOREVER) == [], "by_text")
        expect(read.slots(mine.n, KEY, [""]) == [], "slots")
        expect(read.episodes(mine.n, [turn.n]) == [], "episodes")
        expect(read.placed(mine.n, [turn.n]) == [], "placed")
        expect(read.chained(mine.n, made.record) == [], "chained")
        expect(read.applicable(mine.n, [""], FOREVER - 1, None) == [], "applicable")
        expect(read.foreign(made.id), "foreign")
        expect(read.subject(bench.name.upper()) is None, "names are compared exactly")


@check
def scopes_are_letters(bench: Bench) -> None:
    """R11: a scope is compared whole; % and _ are letters."""
    with bench.backend.write() as store:
        subject = bench.subject(store)
        for scope in ("acme", "acme-corp", "acme%", "acme_", "ACME"):
            add(store, subject, scope, scope=scope)
    with bench.backend.read() as read:
        for scope in ("acme", "acme%", "acme_"):
            found = [each.claim for each in read.applicable(subject.n, [scope], FOREVER - 1, None)]
            expect(found == [scope], f"{scope}: {found}")


@check
def applicable_filters(bench: Bench) -> None:
    """R30: kind, category, slot and instant are filtered by the store."""
    with bench.backend.write() as store:
        subject = bench.subject(store)
        add(store, subject, "rule", kind="instruction", category="style", importance=0.9)
        add(store, subject, "fact", category="style")
        add(store, subject, "later", category="style", stated_from=FOREVER - 5)
        slotted(store, subject, category="style")
    with bench.backend.read() as read:
        at = FOREVER - 10
        rules = read.applicable(subject.n, [""], at, None, kind="instruction")
        expect([each.claim for each in rules] == ["rule"], "kind")
        style = read.applicable(subject.n, [""], at, None, category="style")
        expect(style[0].claim == "rule" and len(style) == 3, "category, by importance")
        expect(len(read.applicable(subject.n, [""], at, None, category="style", slotted=True)) == 1, "slotted")
        expect(len(read.applicable(subject.n, [""], at, None, slotted=False)) == 2, "without a slot")
        expect(len(read.applicable(subject.n, [""], at, None, limit=1)) == 1, "limit")


@check
def words_are_one_subjects(bench: Bench) -> None:
    """R47: postings and totals are one subject's; texts come with their length, once per occurrence."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "2")
        made = add(store, mine, "tea tea u6d4b")
        for _ in range(3):
            add(store, other, "tea")
        turn = store.add_episode(episode(mine, "1", store.instant(0)), ["tea", "pot"])
        last = store.instant(0)
        add(store, mine, "tea later")
    with bench.backend.read() as read:
        now = read.postings("claims", mine.n, "tea", None)
        expect(sorted(now)[:2] == [(made.n, 3), (made.n, 3)] and len(now) == 3, f"postings {now}")
        expect(len(read.postings("claims", mine.n, "tea", last)) == 2, "as of an earlier time")
        expect(read.postings("claims", mine.n, "u6d4b", None) == [(made.n, 3)], "folded words")
        expect(read.totals("claims", mine.n, None) == (2, 5), "totals now")
        expect(read.totals("claims", mine.n, last) == (1, 3), "totals then")
        expect(read.postings("episodes", mine.n, "pot", None) == [(turn.n, 2)], "the shelves are apart")
        expect(read.postings("claims", mine.n, "pot", None) == [], "the shelves are apart")
        expect([each.n for each in read.by_text(mine.n, [made.text_n], last)] == [made.n], "back to the record")


@check
def vectors_by_version(bench: Bench) -> None:
    """R38: vectors of different versions are never mixed, and what lacks one is known."""
    with bench.backend.write() as store:
        subject = bench.subject(store)
        made = add(store, subject)
        turn = store.add_episode(episode(subject, "1", store.instant(0)), ["words"])
        store.add_vectors("claims", "m1", [(subject.n, made.n, b"\0\0\x80?")])
        store.add_vectors("claims", "m1", [(subject.n, made.n, b"\0\0\0\0")])
        store.add_vectors("claims", "m2", [(subject.n, made.n, b"\0\0\0\0")])
    with bench.backend.read() as read:
        found = read.vectors("claims", subject.n, "m1", 0)
        expect([each[1:] for each in found] == [(made.n, b"\0\0\x80?")], "the first one stays")
        expect(read.vectors("claims", subject.n, "m1", found[0][0]) == [], "only those after a row")
        expect([each[1] for each in read.stamps(subject.n, [made.n])] == ["m1", "m2"], "stamps")
        waiting = [each[1] for each in read.backlog("episodes", "m1", 10_000)]
        expect(turn.n in waiting, "an episode without a vector is known")
        expect(made.n not in [each[1] for each in read.backlog("claims", "m1", 10_000)], "one with it isn't listed")


@check
def pages_by_key(bench: Bench) -> None:
    """R46: paging follows the order of making and loses nothing."""
    with bench.backend.write() as store:
        subject = bench.subject(store)
        made = [add(store, subject, f"claim {n}", category="even" if n % 2 == 0 else None) for n in range(7)]
    seen: list[str] = []
    with bench.backend.read() as read:
        after: str | None = None
        while page := read.page(subject.n, status=None, scope=None, category=None, limit=3, after=after):
            seen += [each.id for each in page]
            after = page[-1].id
        even = read.page(subject.n, status="active", scope="", category="even", limit=99, after=None)
    expect(seen == [each.id for each in made], "the pages together")
    expect([each.id for each in even] == [each.id for each in made[::2]], "filters")


@check
def the_store_knows_itself(bench: Bench) -> None:
    """R46: the store can say that it is sound, its full text included."""
    with bench.backend.read() as read:
        facts = read.facts_about_itself()
    expect(facts["integrity"] == ["ok"], f"integrity: {facts['integrity']}")
    expect(facts["full_text"] is True, "the full text doesn't agree with the rows")
