"""What waits only because it met what is erased is decided anew; what else a record or a turn had left on others goes (R49)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import stead
from stead import Slot
from stead.clock import StoryClock
from stead.ids import seeded_ids
from stead.model.period import from_datetime

HOUR = 3_600_000_000
CITY = "home.city"


@pytest.fixture
def clock() -> StoryClock:
    return StoryClock(from_datetime(stead.wall("2026-01-05T10:00", "UTC")))


@pytest.fixture
def store(tmp_path: Path, clock: StoryClock) -> Iterator[stead.Store]:
    with stead.open(tmp_path / "memory.db", clock=clock, new_id=seeded_ids(3), embedder="none") as opened:
        yield opened


def lives(store: stead.Store, clock: StoryClock, city: str, **given: object) -> stead.Outcome:
    clock.instant += HOUR
    ana = store.subject("ana", zone="UTC")
    return ana.remember(f"Lives in {city}", slot=Slot(CITY, value=city), valid_from="2026-01-01", **given)  # type: ignore[arg-type]


def cities(store: stead.Store) -> list[tuple[str | None, str]]:
    ana = store.subject("ana", zone="UTC")
    return [(each.value, each.status) for each in ana.records(limit=100) if each.attribute == CITY]


def test_r49_a_claim_that_waited_because_of_it_stands(store: stead.Store, clock: StoryClock) -> None:
    ana = store.subject("ana", zone="UTC")
    old = lives(store, clock, "Oslo", authority="confirmed")
    new = lives(store, clock, "Rome")
    assert (new.decision, new.rule, [each.kind for each in ana.questions()]) == ("CONFIRM", "deliberate", ["confirm"])
    told = "1 claims that wait because of these are decided anew: they may stand (R49)"
    assert told in ana.preview_erase(old.record).survives
    assert ana.erase(old.record).complete
    assert cities(store) == [("Rome", "active")]
    assert [each.value for each in ana.recall(slot=Slot(CITY)).facts] == ["Rome"]
    assert ana.questions() == []
    with pytest.raises(stead.IllegalTransition):
        ana.confirm(str(new.record))
    [row] = [each for each in ana.decisions() if each["record"] == new.record]
    assert (row["decision"], row["rule"], row["status"], row["question"]) == ("ADD", "new", "active", None)
    assert store.doctor()["healthy"]


def test_r49_several_that_waited_stand_as_they_were_said(store: stead.Store, clock: StoryClock) -> None:
    """The later word of the same speaker ends the earlier one, as it would have; it isn't a contest."""
    ana = store.subject("ana", zone="UTC")
    old = lives(store, clock, "Oslo", authority="confirmed")
    lives(store, clock, "Rome")
    lives(store, clock, "Kyiv")
    bounded = lives(store, clock, "Bonn", valid_until="2026-01-03")
    assert ana.erase(old.record).complete
    assert cities(store) == [("Rome", "superseded"), ("Kyiv", "active"), ("Bonn", "active")]
    assert [each.value for each in ana.holds(Slot(CITY))] == ["Bonn", "Kyiv"]
    assert [row["decision"] for row in ana.decisions() if row["record"] == bounded.record] == ["OVERRIDE"]


def test_r49_what_something_else_contradicts_too_goes_on_waiting(store: stead.Store, clock: StoryClock) -> None:
    ana = store.subject("ana", zone="UTC")
    old = [
        lives(store, clock, city, authority="confirmed", speaker=who)
        for city, who in (("Oslo", "ana"), ("Riga", "ben"))
    ]
    new = lives(store, clock, "Rome")
    assert ana.erase(old[0].record).complete
    assert cities(store) == [("Riga", "active"), ("Rome", "proposed")]
    assert [each.kind for each in ana.questions()] == ["confirm"]
    assert ana.erase(old[1].record).complete
    assert cities(store) == [("Rome", "active")]
    assert new.record in [each.id for each in ana.recall(slot=Slot(CITY)).facts]


def test_r49_what_has_to_wait_anyway_does(store: stead.Store, clock: StoryClock) -> None:
    ana = store.subject("ana", zone="UTC")
    old = lives(store, clock, "Oslo")
    assert lives(store, clock, "Rome", authority="inferred").decision == "CONFIRM"
    assert ana.erase(old.record).complete
    assert (cities(store), len(ana.questions())) == ([("Rome", "proposed")], 1)


def test_r49_what_has_expired_waits_for_nothing(store: stead.Store, clock: StoryClock) -> None:
    ana = store.subject("ana", zone="UTC")
    old = lives(store, clock, "Oslo", authority="confirmed")
    lives(store, clock, "Rome")
    clock.instant += 100 * 24 * HOUR
    assert not any("decided anew" in each for each in ana.preview_erase(old.record).survives)
    assert ana.erase(old.record).complete
    assert cities(store) == [("Rome", "proposed")]
    assert ana.recall(slot=Slot(CITY)).facts == ()


def test_r31_what_goes_itself_is_not_said_to_stand(store: stead.Store, clock: StoryClock) -> None:
    ana = store.subject("ana", zone="UTC")
    both = [
        str(lives(store, clock, city, authority=how).record)
        for city, how in (("Oslo", "confirmed"), ("Rome", "stated"))
    ]
    assert not any("decided anew" in each for each in ana.preview_erase(both).survives)
    assert ana.erase(both).complete
    assert cities(store) == []


@pytest.mark.parametrize("which", [0, 1])
def test_r26_a_contest_with_it_is_gone(store: stead.Store, clock: StoryClock, which: int) -> None:
    ana = store.subject("ana", zone="UTC")
    two = [lives(store, clock, city, speaker=who) for city, who in (("Oslo", "ana"), ("Rome", "ben"))]
    assert [status for _, status in cities(store)] == ["contested"] * 2
    version = ana.version(Slot(CITY))
    assert ana.erase(two[which].record).complete
    assert [status for _, status in cities(store)] == ["active"]
    assert (ana.questions(), ana.version(Slot(CITY)) > version) == ([], True)


def test_r49_an_answer_that_was_given_stays(store: stead.Store, clock: StoryClock) -> None:
    ana = store.subject("ana", zone="UTC")
    old = lives(store, clock, "Oslo", authority="confirmed")
    new = lives(store, clock, "Rome")
    ana.reject(str(new.record))
    assert ana.erase(old.record).complete
    assert cities(store) == [("Rome", "rejected")]


def test_r49_what_waited_in_other_words_stands(store: stead.Store, clock: StoryClock) -> None:
    """Equals that contradict each other under different questions wait; the words are all that tells (R24)."""
    ana = store.subject("ana", zone="UTC")
    old = ana.remember("Lives in Oslo", speaker="ben")
    clock.instant += HOUR
    new = ana.remember("No longer lives in Oslo")
    assert (new.decision, new.rule) == ("CONFIRM", "equals")
    assert ana.erase(old.record).complete
    assert [(each.id, each.status) for each in ana.records()] == [(new.record, "active")]
    assert ana.questions() == []


def said(store: stead.Store, clock: StoryClock, city: str, start: str, **given: object) -> stead.Outcome:
    clock.instant += HOUR
    ana, slot = store.subject("ana", zone="UTC"), Slot(CITY, value=city)
    return ana.remember(f"Lives in {city}", slot=slot, valid_from=start, **given)  # type: ignore[arg-type]


def strip(store: stead.Store) -> list[tuple[str | None, str, str | None]]:
    found = store.subject("ana", zone="UTC").holds(Slot(CITY))
    return [(each.value, str(each.start)[:10], str(each.end)[:10] if each.end else None) for each in found]


def test_r49_it_ends_what_it_would_have_ended(store: stead.Store, clock: StoryClock) -> None:
    ana = store.subject("ana", zone="UTC")
    old = said(store, clock, "Lima", "2026-02-01", valid_until="2026-02-20", authority="confirmed")
    said(store, clock, "Rome", "2026-02-10", authority="confirmed", speaker="ben")
    said(store, clock, "Bonn", "2026-01-01")
    assert said(store, clock, "Oslo", "2026-02-05").decision == "CONFIRM"
    assert ana.erase(old.record).complete
    assert strip(store) == [
        ("Bonn", "2026-01-01", "2026-02-05"),
        ("Oslo", "2026-02-05", "2026-02-10"),
        ("Rome", "2026-02-10", None),
    ]
    assert [status for city, status in cities(store) if city == "Bonn"] == ["superseded"]


def test_r49_it_is_ended_by_what_would_have_ended_it(store: stead.Store, clock: StoryClock) -> None:
    """Also by a claim that has ended itself since."""
    ana = store.subject("ana", zone="UTC")
    old = said(store, clock, "Lima", "2026-01-01", authority="confirmed")
    assert said(store, clock, "Oslo", "2026-02-01", speaker="ben").decision == "CONFIRM"
    later = said(store, clock, "Rome", "2026-03-01", speaker="ben", authority="confirmed")
    assert later.decision == "CONTEST"
    ana.end(later.record)
    assert ana.erase(old.record).complete
    assert strip(store) == [("Oslo", "2026-02-01", "2026-03-01")]


def met(store: stead.Store) -> tuple[int, int]:
    """Return how many of the last decisions met a contradiction, of how many: it decides how closely claims are compared (R21)."""
    with store._core.backend.read() as read:
        row = read.subject("ana")
        assert row is not None
        return read.recent_contradictions(row.n, 50)


def test_r49_what_contradicted_only_what_is_erased_contradicts_nothing(store: stead.Store, clock: StoryClock) -> None:
    ana = store.subject("ana", zone="UTC")
    old = lives(store, clock, "Oslo")
    assert lives(store, clock, "Rome", valid_until="2026-02-01").decision == "OVERRIDE"
    assert lives(store, clock, "Kyiv", authority="inferred").decision == "CONFIRM"
    assert met(store) == (2, 3)
    assert ana.erase(old.record).complete
    assert met(store) == (1, 2)  # the inference still contradicts Rome


def test_r49_what_lay_below_it_contradicts_what_it_hid(store: stead.Store, clock: StoryClock) -> None:
    ana = store.subject("ana", zone="UTC")
    said = [
        ("Kyiv", "ben", "2025-12-26"),
        ("Oslo", "ana", "2025-12-29"),
        ("Rome", "ana", "2025-12-18"),
        ("Bonn", "ana", "2025-12-16"),
    ]
    made = []
    for city, speaker, start in said:
        clock.instant += HOUR
        slot = Slot(CITY, value=city)
        made.append(ana.remember(f"Lives in {city}", slot=slot, speaker=speaker, valid_from=start))
    assert [each.decision for each in made] == ["ADD", "CONTEST", "CONTEST", "ADD"]
    assert met(store) == (2, 4)
    assert ana.erase(made[2].record).complete
    assert met(store) == (2, 3)  # without Rome, Bonn would have been said against Kyiv


def test_r49_a_turn_that_goes_with_a_record_is_no_source_of_another(store: stead.Store, clock: StoryClock) -> None:
    ana = store.subject("ana", zone="UTC")
    kept = ana.remember("Likes tea", source={"uri": "crm://1"})
    where = {"conversation": "c", "turn": "t1"}
    with ana.session("c") as session:
        session.turn("assistant", "Tea and chess, then.", turn="t1")
    assert ana.remember("Likes tea", source=where).decision == "NOOP"
    alone = ana.remember("Plays the cello", source=where)
    gone = ana.remember("Plays chess", source=where)
    assert ana.erase(gone.record).complete
    found = {each.id: [(one.uri, one.turn) for one in each.sources] for each in ana.records()}
    assert found == {kept.record: [("crm://1", "")], alone.record: [("", "t1")]}
    assert ana.episodes() == []


def test_r32_a_turn_that_ended_it_goes_with_it(store: stead.Store, clock: StoryClock) -> None:
    ana = store.subject("ana", zone="UTC")
    with ana.session("c1") as session:
        session.turn("user", "I live in Zorblax.", turn="t1")
    clock.instant += HOUR
    with ana.session("c2") as session:
        session.turn("user", "I don't live in Zorblax any more.", turn="t1")
    [home] = ana.records()
    assert home.stands[-1][1] is not None
    assert len(ana.preview_erase(home.id).episodes) == 2
    assert ana.erase(home.id).complete
    assert ana.episodes() == []
    assert [row for row in ana.decisions() if row["conversation"] is not None] == []
