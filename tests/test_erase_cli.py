"""`stead erase`, `stead sink` and what goes with them, as a person at a shell meets them (R31, R32, R33)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from tests.commands import Ran, Run, ok

import stead

CANARY = "Zanzibarqx"
RECEIPT = {
    "by", "complete", "decision", "episodes", "epoch", "erasure", "failed", "finished", "records", "requested", "requester",
    "retained", "seq", "subject", "surfaces",
}  # fmt: skip

Typed = Callable[[str | type[BaseException] | Callable[[], str]], None]


@pytest.fixture
def types(monkeypatch: pytest.MonkeyPatch) -> Typed:
    """Return a function that lets a person at a terminal type something, or press a key."""

    def sit(text: str | type[BaseException] | Callable[[], str]) -> None:
        def typed() -> str:
            if isinstance(text, type):
                raise text
            return text if isinstance(text, str) else text()

        monkeypatch.setattr("stead.surfaces.cli.erasing._has_terminal", lambda: True)
        monkeypatch.setattr("builtins.input", typed)

    return sit


@pytest.fixture
def told(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return the command line over a store with two records of a conversation, and one beside it."""
    monkeypatch.setenv("STEAD_STORE", "stead.db")
    run("say", "user", f"I live in {CANARY}. I work at Acme.", "--conversation", "c7")
    run("end-session", "c7")
    run("remember", "Owns a sailboat called Swan")
    assert len(claims(run)) == 3
    return run


def claims(run: Run) -> list[str]:
    return [each["claim"] for each in ok(run, "records")["records"]]


def first_id(run: Run) -> str:
    return str(ok(run, "records")["records"][0]["id"])


def nothing_happened(run: Run) -> bool:
    """Tell whether all three records are there, no turn is gone, and no ledger was begun."""
    return len(claims(run)) == 3 and ok(run, "erasures") == {"epoch": 0, "erasures": []} and not ledger().exists()


def ledger() -> Path:
    return Path("stead.db.ledger")


# --- what is asked for -----------------------------------------------------------------------------------------------------


def test_without_a_store_nothing_is_made(run: Run, tmp_path: Path) -> None:
    ran = run("erase", "--everything", "--yes", "--json")
    assert (ran.code, ran.out, ran.error["code"]) == (3, "", "store_not_found")
    assert run("erase", "--resume", "--json").code == 3
    assert list(tmp_path.iterdir()) == []


def test_a_selector_is_needed_and_an_empty_one_is_none(told: Run) -> None:
    ran = told("erase", "--yes", "--json")
    assert (ran.code, ran.error["code"], ran.error["field"]) == (2, "invalid_argument", "record")
    assert "--everything" in ran.error["hint"]
    for words in (
        ("--scope", ""), ("--category", " "), ("--conversation", ""), ("--source", ""), ("",), ("--before", "soon"),
        ("--before", "2026-01-01", "--after", "2026-02-01", "--zone", "UTC"), ("--everything", "--scope", "work"),
        ("--slot", "home.city=Lyon"), ("--entity", "daughter"), ("--resume", "--everything"), ("--resume", "--dry-run"),
    ):  # fmt: skip
        assert told("erase", *words, "--yes").code == 2, words
    assert nothing_happened(told)


def test_a_wrong_id_erases_nothing_even_beside_a_right_one(told: Run) -> None:
    ran = told("erase", first_id(told), "rec_typo", "--yes", "--json")
    assert (ran.code, ran.out, ran.error["code"]) == (3, "", "unknown_record")
    told("remember", "Likes tea", "--subject", "ben")
    bens = ok(told, "records", "--subject", "ben")["records"][0]["id"]
    ran = told("erase", bens, "--yes", "--json")
    assert (ran.code, ran.error["code"]) == (4, "cross_subject")
    ran = told("erase", "--everything", "--yes", "--subject", "bem", "--json")
    assert (ran.code, ran.error["code"]) == (3, "unknown_record")
    assert nothing_happened(told)


def test_what_selects_nothing_says_so_and_leaves_no_receipt(told: Run) -> None:
    ran = told("erase", "--conversation", "c8", "--yes")
    assert (ran.code, ran.out) == (0, "")
    assert "no record and no turn is selected" in ran.err
    assert "nothing was erased" in ran.err
    shown = ok(told, "erase", "--conversation", "c8", "--yes")
    assert shown == {"erasure": None, "by": ["conversation"], "complete": True, "records": 0, "episodes": 0}
    assert nothing_happened(told)


def test_a_dry_run_shows_what_would_go_and_what_stays(told: Run) -> None:
    ran = told("erase", first_id(told), "--dry-run")
    assert (ran.code, ran.out) == (0, "")
    for part in (
        "records           1",
        "turns             1",
        first_id(told),
        "1 other records drawn from the same turns stay",
    ):
        assert part in ran.err, part
    shown = ok(told, "erase", "--conversation", "c7", "--dry-run")
    assert (len(shown["records"]), len(shown["episodes"]), shown["by"]) == (2, 1, ["conversation"])
    assert nothing_happened(told)


# --- the confirmation -------------------------------------------------------------------------------------------------------


def test_without_a_terminal_yes_is_needed(told: Run) -> None:
    ran = told("erase", "--conversation", "c7", "--json", stdin="3\n")
    assert (ran.code, ran.out, ran.error["field"]) == (2, "", "yes")
    assert "--yes" in ran.error["hint"]
    assert nothing_happened(told)


@pytest.mark.parametrize("typed", ["", "2", "y", "yes", EOFError])
def test_only_the_number_that_was_shown_confirms(told: Run, types: Typed, typed: Any) -> None:
    types(typed)
    ran = told("erase", "--conversation", "c7")
    assert (ran.code, "Nothing was erased" in ran.err) == (2, True)
    assert nothing_happened(told)


def test_who_interrupts_at_the_prompt_has_nothing_erased(told: Run, types: Typed) -> None:
    types(KeyboardInterrupt)
    assert told("erase", "--conversation", "c7").code == 130
    assert nothing_happened(told)


def test_the_number_confirms_and_the_receipt_is_printed(told: Run, types: Typed) -> None:
    types(" 3 ")
    ran = told("erase", "--conversation", "c7", "--requester", "DSR-118")
    assert ran.code == 0
    assert "Type 3, records and turns together, to go on" in ran.err
    lines = {line.split()[0]: line.split() for line in ran.out.splitlines() if line}
    assert lines["rows"] == ["rows", "removed", "3"]
    assert lines["bytes"] == ["bytes", "clean", "0"]
    assert "R32" in ran.out
    assert ran.out.splitlines()[-1].endswith("2 records, 1 turns, receipt 2: complete")
    assert claims(told) == ["Owns a sailboat called Swan"]
    [shown] = ok(told, "receipt", "list")["receipts"]
    assert shown["requester"] == "DSR-118"


def test_everything_wants_the_name_of_the_subject(told: Run, types: Typed) -> None:
    told("remember", "Likes tea", "--subject", "ben lee")
    for wrong in ("ben", "1", "Ben Lee", "user"):
        types(wrong)
        assert told("erase", "--everything", "--subject", "ben lee").code == 2
    assert len(ok(told, "records", "--subject", "ben lee")["records"]) == 1
    types("ben lee")
    ran = told("erase", "--everything", "--subject", "ben lee")
    assert (ran.code, "Type the subject's name, ben lee, to go on" in ran.err) == (0, True)
    assert ok(told, "records", "--subject", "ben lee")["records"] == []
    assert len(claims(told)) == 3
    assert told("erase", "--everything", "--subject", "ben lee", "--yes").code == 3


def test_a_preview_that_isnt_true_any_more_erases_nothing(told: Run, types: Typed) -> None:
    def meanwhile() -> str:
        with stead.open("stead.db", embedder="none") as store:
            store.subject("user").remember("Likes tea", source={"conversation": "c7"})
        return "3"

    types(meanwhile)
    ran = told("erase", "--conversation", "c7", "--json")
    assert (ran.code, ran.out, ran.error["code"]) == (5, "", "conflict")
    assert len(claims(told)) == 4
    assert not ledger().exists()


# --- what comes of it -------------------------------------------------------------------------------------------------------


def test_json_is_the_receipt_and_nothing_else(told: Run) -> None:
    receipt = ok(told, "erase", "--conversation", "c7", "--yes")
    assert set(receipt) == RECEIPT
    assert (receipt["complete"], receipt["records"], receipt["episodes"], receipt["epoch"]) == (True, 2, 1, 1)
    assert receipt == ok(told, "receipt", "show", receipt["erasure"])
    [listed] = ok(told, "erasures")["erasures"]
    assert (listed["id"], listed["status"], listed["receipt"]) == (receipt["erasure"], "complete", receipt["seq"])
    assert "conversation" in told("erasures").out
    quiet = ok(told, "erase", "--everything", "--yes", "--no-scan")
    assert "bytes" not in {each["surface"] for each in quiet["surfaces"]}


def test_what_was_erased_already_is_said_and_no_error(told: Run) -> None:
    record = first_id(told)
    assert told("erase", record, "--yes").code == 0
    ran = told("erase", record, "--yes")
    assert (ran.code, f"{record} was erased already" in ran.err) == (0, True)
    assert len(ok(told, "erasures")["erasures"]) == 1
    assert told("why", record).code == 4


def test_the_other_selectors_select(told: Run) -> None:
    told("remember", "Briefs are short", "--scope", "work/briefs", "--source", "uri=https://example.org/a")
    told("remember", "Likes sushi", "--slot", "food.opinion[sushi]=likes")
    for words, count in (
        (("--scope", "work"), 1), (("--source", "https://example.org/a"), 1), (("--slot", "food.opinion"), 1),
        (("--slot", "food.opinion[tofu]"), 0), (("--attribute", "food.opinion", "--object", "sushi"), 1),
        (("--category", "work"), 1), (("--after", "2020-01-01T00:00Z"), 5), (("--before", "2020-01-01T00:00Z"), 0),
        (("--scope", "work", "--slot", "food.opinion"), 0), (("--everything",), 5),
    ):  # fmt: skip
        assert len(ok(told, "erase", *words, "--dry-run")["records"]) == count, words
        assert ok(told, "erase", *words, "--dry-run") == ok(told, "erase", *words, "--dry-run"), words
    assert ok(told, "erase", "--slot", "food.opinion[sushi]", "--yes")["records"] == 1
    assert "Likes sushi" not in claims(told)
    assert len(claims(told)) == 4


def test_no_output_of_any_of_it_names_what_was_erased(told: Run, types: Typed) -> None:
    said: list[Ran] = []

    def watched(*words: str) -> Ran:
        said.append(told(*words))
        return said[-1]

    told("export", "--out", "all.jsonl")
    told("remember", f"Dreams of {CANARY}", "--slot", f"x.dream[{CANARY}]={CANARY}", "--idempotency-key", "k1")
    dream = str(ok(told, "records")["records"][-1]["id"])
    files = [Path(name) for name in ("all.jsonl", "stead.db")]
    assert all(CANARY.encode() in each.read_bytes() for each in files)
    watched("sink", "add", "crm", "--command", "cat > notice; exit 3")
    watched("erase", "--conversation", "c7", "--dry-run")
    types("9")
    watched("erase", "--conversation", "c7")
    watched("erase", "--conversation", "c7", "--yes")
    watched("erase", dream, "--yes", "--json")
    watched("remember", f"Dreams of {CANARY}", "--slot", f"x.dream[{CANARY}]={CANARY}", "--idempotency-key", "k1")
    watched("sink", "remove", "crm")
    watched("erase", "--resume")
    for words in (
        ("erasures",),
        ("receipt", "list"),
        ("receipt", "verify"),
        ("doctor",),
        ("log",),
        ("why", dream),
        ("history", dream),
    ):
        watched(*words)
    watched("erase", "--everything", "--yes")
    assert [each.code for each in said[:4]] == [0, 0, 2, 7]
    assert not [each for each in said if CANARY.casefold() in (each.out + each.err).casefold()]
    for file in Path().iterdir():
        assert CANARY.casefold().encode() not in file.read_bytes().lower(), file


# --- sinks ------------------------------------------------------------------------------------------------------------------


def test_a_sink_that_fails_leaves_it_incomplete_until_it_acknowledges(told: Run) -> None:
    ok(told, "sink", "add", "crm", "--command", "cat > notice; exit 3")
    ran = told("erase", "--conversation", "c7", "--yes", "--json")
    assert (ran.code, ran.json["complete"], ran.json["failed"]) == (7, False, ["sinks"])
    assert "stead erase --resume" in ran.err
    erasure = ran.json["erasure"]
    assert claims(told) == ["Owns a sailboat called Swan"]  # whatever a sink does, it can't be read
    assert ok(told, "doctor")["erasing"]["unfinished"] == [erasure]
    assert "stead erase --resume" in told("doctor").err
    assert "NOT COMPLETE: sinks" in told("erase", "--resume").out
    assert [each["status"] for each in ok(told, "erasures")["erasures"]] == ["incomplete"]

    tries = [each["seq"] for each in ok(told, "receipt", "list")["receipts"]]
    assert len(tries) == 2 and ok(told, "receipt", "show", erasure)["seq"] == tries[-1]  # the last one counts

    ok(told, "sink", "add", "crm", "--command", "cat > notice")
    [receipt] = ok(told, "erase", "--resume")["receipts"]
    assert (receipt["erasure"], receipt["complete"], receipt["failed"]) == (erasure, True, [])
    assert ok(told, "erase", "--resume") == {"receipts": []}
    assert "every erasure is complete" in told("erase", "--resume").err
    assert ok(told, "doctor")["erasing"]["unfinished"] == []

    notice, signature = Path("notice").read_bytes().splitlines()
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(told("receipt", "key").out.strip()))
    public.verify(bytes.fromhex(signature.decode()), notice)
    body = json.loads(notice)
    assert set(body) == {"erasure", "subject", "records", "episodes", "whole", "at"}
    assert (body["erasure"], len(body["records"]), len(body["episodes"]), body["whole"]) == (erasure, 2, 1, False)


def test_a_sink_is_told_every_id_of_a_subject_that_is_erased_whole(told: Run) -> None:
    """The ledger names none of them; a place outside knows records and turns by nothing else."""
    with stead.open("stead.db") as store:
        [name] = store.subjects()
        ana = store.subject(name)
        records, turns = ({each.id for each in found} for found in (ana.records(limit=100), ana.episodes(limit=100)))
    ok(told, "sink", "add", "crm", "--command", "cat > notice")
    assert ok(told, "erase", "--everything", "--yes")["complete"]
    body = json.loads(Path("notice").read_bytes().splitlines()[0])
    assert (set(body["records"]), set(body["episodes"]), body["whole"]) == (records, turns, True)
    assert turns and records


def test_sinks_are_listed_replaced_and_removed(told: Run) -> None:
    assert ok(told, "sink", "list") == {"sinks": []}
    assert "no place outside is told" in told("sink", "list").err
    ok(told, "sink", "add", "crm", "--command", "false")
    ok(told, "sink", "add", "crm", "--command", "true")
    ok(told, "sink", "add", "ads", "--command", "true")
    listed = [{"name": "ads", "command": "true"}, {"name": "crm", "command": "true"}]
    assert ok(told, "sink", "list") == {"sinks": listed}
    assert ok(told, "erase", first_id(told), "--dry-run")["sinks"] == ["ads", "crm"]
    assert ok(told, "sink", "remove", "ads") == {"sinks": listed[1:]}
    ran = told("sink", "remove", "ads", "--json")
    assert (ran.code, ran.error["code"]) == (3, "unknown_record")
    for words in (("add", "", "--command", "true"), ("add", "crm", "--command", " "), ("add", "crm")):
        assert told("sink", *words).code == 2, words


def test_a_function_is_a_sink_too(store: stead.Store, ana: stead.Subject) -> None:
    heard: list[tuple[bytes, bytes]] = []
    acknowledges = False

    def crm(notice: bytes, signature: bytes) -> bool:
        heard.append((notice, signature))
        if not heard[1:]:
            raise RuntimeError(CANARY)
        return acknowledges

    store.sink("crm", crm)
    assert store.sinks() == {"crm": None}
    boat = ana.remember("Owns a sailboat called Swan").record
    assert boat is not None
    assert ana.erase(boat).failed == ("sinks",)
    assert [each.failed for each in store.resume_erasures()] == [("sinks",)]
    acknowledges = True
    assert [each.complete for each in store.resume_erasures()] == [True]
    assert store.resume_erasures() == []
    assert len({notice for notice, _ in heard}) == 1
    public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(store.public_key()))
    for notice, signature in heard:
        public.verify(signature, notice)
    store.sink("crm", None)
    assert store.sinks() == {}
    with pytest.raises(stead.InvalidArgument):
        store.sink(" ", crm)
    with pytest.raises(stead.InvalidArgument):
        store.sink("crm", 5)  # type: ignore[arg-type]


def test_a_function_of_a_program_that_isnt_there_hasnt_acknowledged(told: Run) -> None:
    with stead.open("stead.db", embedder="none") as store:
        store.sink("crm", lambda notice, signature: True)
    assert "a function of a program" in told("sink", "list").out
    ran = told("erase", "--conversation", "c7", "--yes", "--json")
    assert (ran.code, ran.json["failed"]) == (7, ["sinks"])
    with stead.open("stead.db", embedder="none") as store:
        store.sink("crm", lambda notice, signature: True)
        assert [each.complete for each in store.resume_erasures()] == [True]


# --- the epoch, and the doctor ----------------------------------------------------------------------------------------------


def test_remember_takes_the_epoch_that_was_read(told: Run) -> None:
    assert ok(told, "erasures")["epoch"] == 0
    assert ok(told, "remember", "Likes tea", "--epoch", "0")["decision"] == "ADD"
    told("erase", "--conversation", "c7", "--yes")
    ran = told("remember", "Likes coffee", "--epoch", "0", "--json")
    assert (ran.code, ran.error["code"], ran.error["field"]) == (4, "erased", "epoch")
    lines = "\n".join(
        json.dumps({"claim": f"Likes {what}", "epoch": epoch}) for what, epoch in (("jam", 1), ("rye", 0))
    )
    ran = told("remember", "--jsonl", "-", stdin=lines)
    assert (ran.code, "error[erased]" in ran.err) == (4, True)
    assert ok(told, "remember", "Likes coffee", "--epoch", str(ok(told, "erasures")["epoch"]))["decision"] == "ADD"
    assert told("remember", "Likes milk", "--epoch", "-1").code == 2


def test_the_epoch_goes_on_after_a_whole_subject(store: stead.Store, ana: stead.Subject) -> None:
    ana.remember("Owns a sailboat called Swan")
    before = ana.epoch
    ana.erase(everything=True)
    assert ana.epoch > before
    with pytest.raises(stead.Erased):
        ana.remember("Likes tea", epoch=before)
    assert ana.remember("Likes tea", epoch=ana.epoch).decision == "ADD"


def test_the_doctor_finds_a_ledger_that_was_changed_or_is_gone(told: Run) -> None:
    fresh = ok(told, "doctor")["erasing"]
    assert fresh == {"unfinished": [], "keys": False, "ledger": False, "entries": 0, "sound": None, "problems": []}
    told("erase", "--conversation", "c7", "--yes")
    sound = ok(told, "doctor")["erasing"]
    assert (sound["keys"], sound["ledger"], sound["entries"], sound["sound"]) == (True, True, 2, True)

    kept, keys = ledger().read_bytes(), Path("stead.db.keys")
    ledger().write_bytes(kept.replace(b'"records":2', b'"records":1'))
    changed = told("doctor", "--json")
    assert (changed.code, changed.json["healthy"], changed.json["erasing"]["sound"]) == (7, False, False)
    assert "entry 2" in changed.json["erasing"]["problems"][0]
    ledger().write_bytes(kept[: kept.index(b"\n") + 1])
    assert told("doctor").code == 7
    ledger().unlink()
    assert told("doctor").code == 7
    ledger().write_bytes(kept)
    assert told("doctor").code == 0
    keys.rename("elsewhere")
    missing = told("doctor", "--json")
    assert (missing.code, missing.json["erasing"]["keys"]) == (7, False)
    assert "keys are missing" in missing.json["erasing"]["problems"][0]
    Path("elsewhere").rename(keys)
    assert told("doctor").code == 0
