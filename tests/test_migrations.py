"""A store that an earlier version wrote: it opens, everything in it is there, and yesterday's words are not read anew (R18, R46)."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import apsw
import pytest
from tests.heard import DAY

import stead
from stead import Slot
from stead.clock import StoryClock
from stead.memory.restoring import restore
from stead.model.slot import claim_key
from stead.store.sqlite.migrate import migrations

DATA = Path(__file__).parent / "data"
WRITTEN = 1_762_160_400_000_000
"""When its first record was written, in microseconds since 1970 UTC."""
NOW = StoryClock(WRITTEN + 60 * DAY)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Return a file as version 0.2 left it."""
    return made(tmp_path / "memory.db", "schema_0001.sql")


@pytest.fixture
def last(tmp_path: Path) -> Path:
    """Return a file as version 0.3 left it."""
    return made(tmp_path / "last.db", "schema_0002.sql")


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """Return a file in which two wishes to forget wait to be carried out."""
    return made(tmp_path / "asked.db", "schema_0003.sql")


@pytest.fixture
def erased(tmp_path: Path) -> Path:
    """Return a file of which one record was erased and the erasure of another was cut off, with its keys and its ledger."""
    for kept, name in (
        ("keys.json", "memory.db.keys"),
        ("ledger.jsonl", "memory.db.ledger"),
        ("old.backup", "old.backup"),
    ):
        shutil.copy(DATA / "schema_0004" / kept, tmp_path / name)
    return made(tmp_path / "memory.db", "schema_0004.sql")


def made(path: Path, dump: str) -> Path:
    connection = apsw.Connection(str(path))
    connection.execute((DATA / dump).read_text(encoding="utf-8")).fetchall()
    connection.execute("PRAGMA journal_mode = WAL").fetchall()
    connection.close()
    return path


def opened(path: Path, at: int = NOW.instant) -> stead.Store:
    return stead.open(path, clock=StoryClock(at), embedder="none")


def ledger(path: Path) -> list[tuple[int, str]]:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        return [(n, name) for n, name in connection.execute("SELECT version, name FROM migrations ORDER BY version")]
    finally:
        connection.close()


def test_everything_is_there(old: Path) -> None:
    assert ledger(old) == [(1, "initial")]
    with opened(old) as store:
        assert (store.tenant, store.subjects()) == ("acme", ["ana", "ben"])
        ana = store.subject("ana", zone="Europe/Berlin")
        assert [(each.claim, each.status) for each in ana.records()] == [
            ("Lives in Berlin", "superseded"), ("Lives in Lisbon", "active"), ("Collects naïve 東京 stamps", "active"),
            ("Answers are short", "active"), ("Seems to row", "proposed"), ("Seems to sing", "rejected"),
            ("Day is Tuesday", "contested"), ("Day is Friday", "contested"),
        ]  # fmt: skip
        assert [each.value for each in ana.recall(slot=Slot("home.city")).facts] == ["Lisbon"]
        assert [each.value for each in ana.recall(slot=Slot("home.city"), at="2025-01-01T00:00").facts] == ["Berlin"]
        assert [each.claim for each in ana.recall("東京 stamps").facts] == ["Collects naïve 東京 stamps"]
        known = ana.recall(slot=Slot("home.city"), known_at="2025-11-03T12:00")
        assert [each.value for each in known.facts] == ["Berlin"]
        assert sorted(each.kind for each in ana.questions()) == ["confirm", "contested"]
        assert len(ana.episodes("closed")) == len(ana.episodes("open")) == 3
        assert any("sushi" in each.text for each in ana.recall("sushi").episodes)
        assert len(ana.decisions()) > 10
        assert {each["route"] for each in ana.decisions()} == {None}  # nothing was routed then
        kinds = [each["type"] for each in ana.export()]
        assert (kinds.count("record"), kinds.count("episode")) == (8, 6)
        assert ana.consents()["personalisation"] is True


def test_the_ledger_and_the_doctor_say_so(old: Path) -> None:
    with opened(old) as store:
        report = store.doctor()
        assert (report["healthy"], report["integrity"], report["full_text"]) == (True, ["ok"], True)
    assert ledger(old) == [(each.version, each.name) for each in migrations()]
    assert [name for _, name in ledger(old)][:2] == ["initial", "governing"]
    with opened(old) as store:  # a second opening has nothing to do
        assert store.doctor()["healthy"]


def test_r18_yesterdays_words_are_not_read_anew(old: Path) -> None:
    with opened(old) as store:
        ana = store.subject("ana", zone="Europe/Berlin")
        assert ana.open_sessions() == ["open"]
        before = len(ana.records())
        session = ana.session("open")
        assert session.proposals == ()
        session.turn("user", "I work at Apex.")
        assert [(each.claim, each.turn) for each in session.close()] == [("Works at Apex", "4")]
        with ana.session("closed") as again:
            again.turn("user", "I love tea.")
        assert [each.claim for each in again.outcomes] == ["Loves tea"]
        assert len(ana.records()) == before + 2
        assert not any("Rome" in each.claim or "Acme" in each.claim for each in ana.records())


def test_r48_claims_of_before_are_recognised(old: Path) -> None:
    """Claims with a slot had no key then; now what memory says is known whatever it stands in."""
    with opened(old) as store:
        with store._core.backend.read() as tx:
            rows = tx._all("SELECT claim, claim_key FROM revisions")  # type: ignore[attr-defined]
        assert len(rows) >= 10
        assert {(claim, key) for claim, key in rows} == {(claim, claim_key(claim)) for claim, _ in rows}


def test_r46_what_waited_can_be_answered_and_retries_are_known(old: Path) -> None:
    with opened(old) as store:
        ana = store.subject("ana", zone="Europe/Berlin")
        waiting = next(each for each in ana.records(status="proposed"))
        [question] = [each for each in ana.questions() if each.kind == "confirm"]
        assert question.claims[0].id == waiting.id
        assert question.until is None  # it was asked without an end
        with pytest.raises(stead.InvalidArgument):
            ana.confirm(waiting.id, valid_until="2026-06-01T00:00")
        assert ana.confirm(waiting.id).status == "active"
        assert ana.remember("Seems to sing", authority="inferred").rule == "rejected_before"
        again = ana.remember(
            "Lives in Lisbon", slot=Slot("home.city", value="Lisbon"), idempotency_key="k1",
            source={"conversation": "c0", "turn": "1"},
        )  # fmt: skip
        assert (again.replayed, again.decision, again.route) == (True, "SUPERSEDE", None)


def test_r53_events_reach_what_was_written_before(old: Path) -> None:
    with opened(old) as store:
        ana = store.subject("ana", zone="Europe/Berlin")
        outcome = ana.event("project closed")
        assert [ana.record(each).claim for each in outcome.affected] == ["Answers are short"]


def test_r37_what_was_derived_before_rests_on_its_sources(old: Path) -> None:
    """Edges of before have no release: what they say holds from the migration on."""
    connection = apsw.Connection(str(old))
    [[made, source]] = connection.execute(
        "SELECT a.n, b.n FROM revisions AS v JOIN records AS a ON a.n = v.record, records AS b"
        " JOIN revisions AS w ON w.record = b.n WHERE v.claim = 'Lives in Lisbon' AND w.claim LIKE 'Collects%'"
    ).fetchall()
    connection.execute("INSERT INTO edges VALUES (?, 'derived_from', ?, 1)", (made, source)).fetchall()
    connection.close()
    with opened(old) as store:
        ana = store.subject("ana", zone="Europe/Berlin")
        [record] = [each for each in ana.records() if each.claim.startswith("Collects")]
        assert "Lives in Lisbon" in [each.claim for each in ana.recall().facts]
        ana.retract(record.id)
        assert "Lives in Lisbon" not in [each.claim for each in ana.recall().facts]
        assert [each.event for each in ana.questions() if each.event] == ["source ended"]


def test_r27_what_was_written_before_can_be_forgotten(old: Path) -> None:
    with opened(old) as store:
        ana = store.subject("ana", zone="Europe/Berlin")
        assert ana.erasures() == []
        outcome = ana.remember("Forget where I live")
        assert len(outcome.affected) == 2
        assert ana.recall(slot=Slot("home.city"), known_at="2025-11-03T12:00").facts == ()
    with opened(old) as store:
        ana = store.subject("ana", zone="Europe/Berlin")
        assert [each.records for each in ana.erasures()] == [2]
        assert not any("Berlin" in each.claim for each in ana.records())


def test_r24_what_contradicted_in_words_only_is_met_by_the_next_write(last: Path) -> None:
    """Nothing is decided anew when a file is opened; the next claim that answers the question is laid against what stands."""
    assert ledger(last) == [(1, "initial"), (2, "governing")]
    with opened(last) as store:
        ana = store.subject("ana", zone="Europe/Berlin")
        works = {each.claim: each for each in ana.records() if each.claim.startswith("Works at")}
        assert [each.status for each in works.values()] == ["active", "active"]
        outcome = ana.remember("Works at Cobalt")
        assert (outcome.decision, set(outcome.affected)) == ("SUPERSEDE", {each.id for each in works.values()})
        assert [each.claim for each in ana.recall("Where does Ana work?").facts if "Works" in each.claim] == [
            "Works at Cobalt"
        ]
        assert ana.rollback(works["Works at Borealis"].id).rule == "rolled_back"
        assert ana.record(works["Works at Borealis"].id).status == "active"
    assert ledger(last) == [(each.version, each.name) for each in migrations()]


def test_r37_a_reflection_of_before_follows_its_source(last: Path) -> None:
    with opened(last) as store:
        ana = store.subject("ana", zone="Europe/Berlin")
        [city] = [each for each in ana.records() if each.claim == "Moved to Lisbon"]
        assert "Likes being near water" in [each.claim for each in ana.recall("water").facts]
        ana.remember("Moved to Graz", slot=Slot("home.city", value="Graz"))
        assert ana.record(city.id).status == "superseded"
        assert "Likes being near water" not in [each.claim for each in ana.recall("water").facts]


def test_r18_a_session_of_before_is_ended_by_this_version(last: Path) -> None:
    with opened(last) as store:
        ana = store.subject("ana", zone="Europe/Berlin")
        assert ana.open_sessions() == ["c-2"]
        session = ana.session("c-2")
        session.close()
        [outcome] = session.outcomes
        assert (outcome.decision, ana.recall(slot=Slot("home.city")).facts[0].value) == ("SUPERSEDE", "Porto")


def test_a_migration_that_fails_leaves_the_file_as_it_was(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = ledger(old)

    def fails(_claim: str) -> int:
        raise stead.StorageFull

    with monkeypatch.context() as patch:
        patch.setattr("stead.store.sqlite.migrate.claim_key", fails)
        with pytest.raises(stead.StorageFull):
            opened(old)
    assert ledger(old) == before
    with opened(old) as store:
        assert store.doctor()["healthy"]


def test_a_newer_file_and_a_changed_one_are_refused(old: Path) -> None:
    opened(old).close()
    connection = apsw.Connection(str(old))
    connection.execute("INSERT INTO migrations VALUES (99, 'later', 'x', 0)").fetchall()
    connection.close()
    with pytest.raises(stead.NewerSchema):
        opened(old)
    connection = apsw.Connection(str(old))
    connection.execute("DELETE FROM migrations WHERE version = 99").fetchall()
    connection.execute("UPDATE migrations SET checksum = 'x' WHERE version = 1").fetchall()
    connection.close()
    with pytest.raises(stead.StoreCorrupt):
        opened(old)


def test_two_that_open_it_at_once_migrate_it_once(old: Path) -> None:
    def count(_: int) -> int:
        with opened(old) as store:
            return len(store.subject("ana").records())

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(count, range(4))) == {8}
    assert len(ledger(old)) == len(migrations())


def test_r33_what_waited_to_be_erased_is(asked: Path) -> None:
    """R27, R33: wishes that only hid what they meant are carried out by the pipeline that came later."""
    words = (b"Brookfield", b"sailboat", b"loom")
    with opened(asked) as store:
        ana, ben = store.subject("ana", zone="Europe/Berlin"), store.subject("ben", zone="Europe/Berlin")
        assert [each.status for each in (*ana.erasures(), *ben.erasures())] == ["pending", "pending"]
        kept = [each.claim for each in ana.records()]
        receipts = store.resume_erasures()
        assert [(each.complete, each.records, each.episodes) for each in receipts] == [(True, 2, 2), (True, 1, 2)]
        assert [each.status for each in (*ana.erasures(), *ben.erasures())] == ["complete", "complete"]
        assert [each.everything for each in ben.erasures()] == [True]
        assert (store.resume_erasures(), store.subjects()) == ([], ["ana"])
        assert [each.claim for each in ana.records()] == kept
        assert [each.value for each in ana.recall(slot=Slot("home.city")).facts] == ["Lisbon"]
        assert store.doctor()["healthy"]
    for file in asked.parent.iterdir():
        assert [word for word in words if word in file.read_bytes()] == []


def test_r32_a_retry_of_before_is_known_and_its_record_can_be_erased(asked: Path) -> None:
    with opened(asked) as store:
        ana = store.subject("ana", zone="Europe/Berlin")
        again = ana.remember("Nickname is tangerinelynx", idempotency_key="k1")
        assert again.replayed
        assert ana.erase(again.record).complete
        with pytest.raises(stead.Erased):
            ana.remember("Nickname is tangerinelynx", idempotency_key="k1")
        assert b"tangerinelynx" not in b"".join(each.read_bytes() for each in asked.parent.iterdir())


def test_r33_an_erasure_that_the_last_version_began_is_ended(erased: Path) -> None:
    with opened(erased) as store:
        ana = store.subject("ana", zone="Europe/Berlin")
        assert sorted(each.status for each in ana.erasures()) == ["complete", "pending"]
        assert not any("Wexford" in each.claim for each in ana.records())
        assert [each.complete for each in store.resume_erasures()] == [True]
        assert store.verify_receipts().ok and len(store.receipts()) == 2
        assert store.doctor()["healthy"]
    assert ledger(erased)[-1] == (5, "contradicting")
    for file in (each for each in erased.parent.iterdir() if each.suffix != ".backup"):
        assert not any(word in file.read_bytes() for word in (b"Wexford", b"Quxley"))


def test_r21_contradictions_of_before_go_on_counting(erased: Path) -> None:
    """A supersession, a contest, an exception and a question."""
    with opened(erased) as store, store._core.backend.read() as read:
        row = read.subject("ana")
        assert row is not None and read.recent_contradictions(row.n, 50)[0] == 4


def test_r49_a_proposal_of_before_is_decided_anew(erased: Path) -> None:
    with opened(erased) as store:
        ana = store.subject("ana", zone="Europe/Berlin")
        green, black = [each for each in ana.records() if each.attribute == "tea.kind"]
        assert (green.status, black.status) == ("active", "proposed")
        assert ana.erase(green.id).complete
        assert [each.status for each in ana.records() if each.attribute == "tea.kind"] == ["active"]


def test_r33_a_backup_of_the_last_version_is_restored(erased: Path) -> None:
    """It was made before both erasures: what they took isn't there, and the file is of this version."""
    with opened(erased) as store:
        store.resume_erasures()
        kept = [each.claim for each in store.subject("ana", zone="Europe/Berlin").records()]
    place = erased.parent / "restored.db"
    restore(erased.parent / "old.backup", place, keys=f"{erased}.keys", ledger=f"{erased}.ledger")
    assert ledger(place)[-1] == (5, "contradicting")
    with opened(place) as store:
        ana = store.subject("ana", zone="Europe/Berlin")
        assert [each.claim for each in ana.records()] == kept
        assert len(ana.episodes()) == 2 and store.doctor()["healthy"]
    for file in erased.parent.glob("restored.db*"):
        assert not any(word in file.read_bytes() for word in (b"Wexford", b"Quxley"))
