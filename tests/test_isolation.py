"""Nobody's memory reaches anybody else (R47): not by a name that looks alike, not by an id, not by a score."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.test_failures import Hashed, dump

import stead
from stead.clock import StoryClock
from stead.model.period import from_datetime

NAMES = ("acme", "acme-corp", "acme_", "acme%", "a/b", "a", "ACME", 'acme"', "acme'", "acme*", "äcme", "acme acme")
"""Names that a pattern, a prefix, a folding or a careless quote would mix up."""
TENANTS = tuple(f"{NAMES[place % len(NAMES)]}{'' if place < len(NAMES) else f'-{place}'}" for place in range(20))
START = from_datetime(datetime(2026, 1, 5, 10, tzinfo=UTC))


def mark(tenant: int, subject: int) -> str:
    """Return what the texts of one subject carry; no id holds capitals."""
    return f"M{tenant}X{subject}Z"


def written(subject: stead.Subject, own: str) -> dict[str, str]:
    """Write one of everything; every text carries its own mark. Return ids by what they are."""
    ids: dict[str, str] = {}

    def note(name: str, outcome: stead.Outcome) -> None:
        ids[name] = outcome.record or ""
        if outcome.question:
            ids["question"] = outcome.question

    note("slotted", subject.remember(f"City of {own}", slot=stead.Slot("home.city", value=own)))
    note("alone", subject.remember(f"A note of {own}", category="note"))
    note("ended", subject.remember(f"An old note of {own}"))
    subject.retract(ids["ended"])
    note("proposal", subject.remember(f"Perhaps {own}", authority="inferred"))
    note("one", subject.remember(f"Office one of {own}", slot=stead.Slot("office", value=f"1 {own}"), speaker="x"))
    note("two", subject.remember(f"Office two of {own}", slot=stead.Slot("office", value=f"2 {own}"), speaker="y"))
    subject.alias(f"place {own}", means="flat")
    with subject.session("c-1") as session:
        note("episode", session.turn("user", f"Said by {own}", turn="1"))
    ids["question"] = next(each.id for each in subject.questions() if each.kind == "contested")
    return ids


Verb = Callable[[stead.Subject, dict[str, str]], object]
BY_ID: dict[str, Verb] = {
    "record": lambda me, ids: me.record(ids["alone"]),
    "history": lambda me, ids: me.history(ids["slotted"]),
    "why": lambda me, ids: me.why(ids["slotted"]),
    "records": lambda me, ids: me.records(after=ids["alone"]),
    "episodes": lambda me, ids: me.episodes(after=ids["episode"]),
    "correct": lambda me, ids: me.correct(ids["slotted"], value="mine"),
    "correct, changed": lambda me, ids: me.correct(ids["alone"], "mine", meaning="changed"),
    "end": lambda me, ids: me.end(ids["slotted"]),
    "retract": lambda me, ids: me.retract(ids["alone"]),
    "rollback": lambda me, ids: me.rollback(ids["ended"]),
    "verify": lambda me, ids: me.verify(ids["alone"]),
    "settle": lambda me, ids: me.settle(ids["question"], neither=True),
    "settle, keep": lambda me, ids: me.settle(keep=ids["one"]),
    "confirm": lambda me, ids: me.confirm(ids["proposal"]),
    "reject": lambda me, ids: me.reject(ids["proposal"]),
    "revalidate": lambda me, ids: me.revalidate(ids["alone"]),
    "used": lambda me, ids: me.used(ids["alone"]),
    "erase": lambda me, ids: me.erase(ids["alone"]),
    "preview_erase": lambda me, ids: me.preview_erase([ids["alone"]]),
    "remember": lambda me, ids: me.remember("mine", overrides=[ids["alone"]]),
    "remember, derived": lambda me, ids: me.remember("mine", derived_from=[ids["alone"]]),
    "remember_many": lambda me, ids: me.remember_many([{"claim": "m"}, {"claim": "n", "overrides": [ids["alone"]]}]),
}  # fmt: skip
SEEN: dict[str, Callable[[stead.Subject], object]] = {
    "recall": lambda me: [
        me.recall().as_dict(), me.recall("City note office said old perhaps").as_dict(),
        me.recall(category="note").as_dict(), me.recall(slot=stead.Slot("home.city")).as_dict(),
        me.recall(slot=stead.Slot("office")).as_dict(),
    ],
    "holds": lambda me: [str(each) for each in me.holds(stead.Slot("home.city"))],
    "records": lambda me: [str(each) for each in me.records()],
    "episodes": lambda me: [str(each) for each in (*me.episodes(), *me.episodes("c-1"))],
    "questions": lambda me: [str(each) for each in me.questions()],
    "export": lambda me: list(me.export()),
    "decisions": lambda me: [str(each) for each in me.decisions()],
    "explain": lambda me: [str(each) for each in me.explain("I live in Rome.")],
    "open_sessions": lambda me: [str(each) for each in me.open_sessions()],
    "aliases": lambda me: [str(each) for each in me.aliases()],
    "erasures": lambda me: [str(each) for each in me.erasures()],
}  # fmt: skip
WITHOUT_CONTENT = {"decisions", "explain", "open_sessions", "erasures"}
ELSEWHERE = {
    "session",
    "version",
    "name",
    "tenant",
    "zone",
    "purpose",
    "audience",
    "consent",
    "consents",
    "event",
    "alias",
    "unalias",
    "import_",
    "epoch",
}
"""Names of a handle that take no id and return no text: session is tested by its episodes, version by slots, alias by aliases."""


def test_every_verb_of_a_subject_is_walked() -> None:
    """R47: a new verb has to be added to one of the tables above."""
    public = {name for name in dir(stead.Subject) if not name.startswith("_")}
    walked = {name.split(",")[0] for name in BY_ID} | set(SEEN) | ELSEWHERE
    assert public == walked


@pytest.fixture(scope="module")
def tenants(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[tuple[stead.Store, dict[str, dict[str, str]]]]]:
    """Return 20 tenants' stores, each with a subject for every name that looks like another."""
    folder = tmp_path_factory.mktemp("tenants")
    opened = []
    for place, tenant in enumerate(TENANTS):
        store = stead.open(folder / f"{place}.db", tenant=tenant, embedder="none")
        ids = {name: written(store.subject(name), mark(place, number)) for number, name in enumerate(NAMES)}
        opened.append((store, ids))
    yield opened
    for store, _ in opened:
        store.close()


def test_names_that_look_alike_share_nothing(
    tenants: list[tuple[stead.Store, dict[str, dict[str, str]]]],
) -> None:
    """R47: over 20 tenants and every name, all reads return what carries the own mark, and no other mark."""
    for place, (store, _) in enumerate(tenants):
        assert store.tenant == TENANTS[place]
        assert store.subjects() == sorted(NAMES)
        for number, name in enumerate(NAMES):
            for verb, read in SEEN.items():
                text = str(read(store.subject(name)))
                assert mark(place, number) in text or verb in WITHOUT_CONTENT, (verb, name)
                for other in range(len(NAMES)):
                    assert other == number or f"X{other}Z" not in text, (verb, name, NAMES[other])
                assert text.count(f"X{number}Z") == text.count(mark(place, number)), (verb, name)


@pytest.mark.parametrize("verb", BY_ID)
def test_a_foreign_id_opens_nothing(tenants: list[tuple[stead.Store, dict[str, dict[str, str]]]], verb: str) -> None:
    """R47: with an id of another subject, or of another tenant, a verb returns nothing and changes nothing."""
    store, ids = tenants[0]
    _, strange = tenants[1]
    before = dump(store.path)
    for name in NAMES[1:]:
        with pytest.raises((stead.CrossSubject, stead.UnknownRecord)) as raised:
            BY_ID[verb](store.subject(name), ids["acme"])
        assert mark(0, 0) not in str(raised.value)
    with contextlib.suppress(stead.CrossSubject, stead.UnknownRecord):
        assert BY_ID[verb](store.subject("nobody"), ids["acme"]) == []
    if verb != "settle":  # a question's id follows from the numbers of its records: here it may name an own contest
        with pytest.raises(stead.UnknownRecord):
            BY_ID[verb](store.subject("acme"), strange["acme"])
    assert dump(store.path) == before


def test_a_handle_stays_with_its_subject(store: stead.Store) -> None:
    """R47: it can't be re-pointed."""
    handle = store.subject("acme")
    for name in ("name", "tenant", "zone", "purpose", "audience"):
        with pytest.raises(AttributeError):
            setattr(handle, name, "other")


@pytest.mark.parametrize("name", NAMES)
def test_scopes_entities_conversations_and_speakers_are_told_apart(store: stead.Store, name: str) -> None:
    """R11, R26, R29, R47: within one subject too, a name is that name and no other."""
    ana = store.subject("ana")
    for number, each in enumerate(NAMES):
        ana.remember(f"Scoped {number}q", slot=stead.Slot("scoped", value=f"{number}q"), scope=each)
        ana.remember(f"Of {number}q", slot=stead.Slot("colour", value=f"{number}q", entity=each))
        ana.remember(f"About {number}q", slot=stead.Slot("opinion", value=f"{number}q", object=each))
        ana.remember(f"Told {number}q", category=each)
        with ana.session(each) as session:
            session.turn("user", f"Words {number}q", turn="1")
    mine = NAMES.index(name)
    assert [fact.value for fact in ana.recall(slot=stead.Slot("scoped"), scope=name).facts] == [f"{mine}q"]
    assert [each.value for each in ana.holds(stead.Slot("scoped"), scope=name)] == [f"{mine}q"]
    assert [each.claim for each in ana.records(scope=name)] == [f"Scoped {mine}q"]
    assert [fact.value for fact in ana.recall(slot=stead.Slot("colour", entity=name)).facts] == [f"{mine}q"]
    assert [fact.value for fact in ana.recall(slot=stead.Slot("opinion", object=name)).facts] == [f"{mine}q"]
    assert [fact.claim for fact in ana.recall(category=name).facts] == [f"Told {mine}q"]
    assert [each.text for each in ana.episodes(name)] == [f"Words {mine}q"]
    said = [
        ana.remember(f"By {each}", slot=stead.Slot("said", value=f"v{n}"), speaker=each) for n, each in enumerate(NAMES)
    ]
    assert [each.decision for each in said] == ["ADD", *["CONTEST"] * (len(NAMES) - 1)], "another speaker's words stand"
    ana.remember("Again", slot=stead.Slot("said", value="again"), speaker=name)
    standing = {each.speaker: each.status for each in ana.records(limit=1000) if each.attribute == "said"}
    statuses = [each.status for each in ana.records(limit=1000) if each.attribute == "said" and each.speaker != name]
    assert set(statuses) == {"contested"} and set(standing) == set(NAMES)


def told(subject: stead.Subject, known: datetime) -> str:
    """Return everything that a subject can recall as JSON, scores included."""
    asked: tuple[dict[str, Any], ...] = (
        {}, {"query": "number seven of the harbour"}, {"query": "lantern"}, {"query": "harbour lantern", "scope": "work/a"},
        {"slot": stead.Slot("place3")}, {"category": "note"}, {"query": "said harbour", "known_at": known},
        {"query": "number", "at": known},
    )  # fmt: skip
    found = [subject.recall(**one).as_dict() for one in asked]
    rest = [str(subject.questions()), str(subject.records(limit=1000)), str(subject.episodes())]
    return json.dumps([found, rest], ensure_ascii=False, sort_keys=True)


@pytest.mark.parametrize("embedder", ["none", Hashed()], ids=["words", "words and vectors"])
def test_ten_thousand_writes_of_others_change_not_one_byte(tmp_path: Path, embedder: Hashed | str) -> None:
    """R47: neither an answer nor a score depends on what others say, not even in the same words."""
    clock = StoryClock(START)
    with stead.open(tmp_path / "memory.db", clock=clock, embedder=embedder) as store:
        me, other = store.subject("acme"), store.subject("acme-corp")
        me.remember_many(claims("mine", 40))
        with me.session("c-1") as session:
            for number in range(20):
                session.turn("user", f"I said number {number} at the harbour with a lantern")
        known = store.now() + timedelta(microseconds=1)
        clock.instant = START + 3_600_000_000
        me.remember("Number seven moved", slot=stead.Slot("place7", value="elsewhere"))
        evening = START + 12 * 3_600_000_000
        clock.instant = evening
        before, reopened_before = told(me, known), told(reopened(store, clock, embedder), known)
        clock.instant = START + 7_200_000_000
        other.remember_many(claims("theirs", 9_700))
        with other.session("c-1") as session:
            for number in range(300):
                session.turn("user", f"They said number {number} at the harbour without a lantern")
        assert store.now() < stead.wall("2026-01-05T22:00", "UTC")
        clock.instant = evening
        assert told(me, known) == before
        assert told(reopened(store, clock, embedder), known) == reopened_before == before


def reopened(store: stead.Store, clock: StoryClock, embedder: Hashed | str) -> stead.Subject:
    """Return the same subject in a store that was opened anew, with nothing in its caches."""
    return stead.open(store.path, clock=clock, embedder=embedder).subject("acme")


def claims(who: str, count: int) -> Iterator[dict[str, Any]]:
    for number in range(count):
        one: dict[str, Any] = {"claim": f"Number {number} of the harbour lantern is {who}"}
        if number % 2:
            one["slot"] = stead.Slot(f"place{number}", value=f"{who} {number}")
        if number % 5 == 0:
            one |= {"category": "note", "scope": "work" if number % 2 else ""}
        if number % 11 == 0:
            one["authority"] = "inferred"
        yield one


@pytest.mark.parametrize("tenant", [each for each in NAMES if each != "acme"])
def test_another_tenants_name_opens_nothing(tmp_path: Path, tenant: str) -> None:
    """R13, R47: refused, and not one byte of the file changes."""
    path = tmp_path / "memory.db"
    with stead.open(path, tenant="acme", embedder="none") as store:
        store.subject("ana").remember("Lives in Berlin")
    before = path.read_bytes()
    with pytest.raises(stead.CrossTenant) as raised:
        stead.open(path, tenant=tenant, embedder="none")
    assert "acme" not in str(raised.value)
    assert path.read_bytes() == before
    with stead.open(path, embedder="none") as store:
        assert store.tenant == "acme"
