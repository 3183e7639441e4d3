"""The suite that ships runs on the SQLite backend, and says so when a backend is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from stead.store.conformance import __main__ as command
from stead.store.conformance import run
from stead.store.sqlite.reading import SqliteRead
from stead.store.sqlite.writing import SqliteWrite


def test_sqlite_conforms(tmp_path: Path) -> None:
    results = list(run(str(tmp_path / "store.db")))
    assert [each for each in results if not each.passed] == []
    assert len(results) > 20
    assert all(each.rule.startswith("R") for each in results)


def test_the_command_prints_a_line_a_check_and_a_summary(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--store", f"sqlite:///{tmp_path / 'store.db'}"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == f"{len(lines) - 1} passed, 0 failed"


def test_the_command_names_an_error_of_the_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--store", str(tmp_path)]) == 7
    assert capsys.readouterr().err.startswith("error[store_not_writable]")


@pytest.mark.parametrize(
    ("where", "method", "broken", "caught_by"),
    [
        (SqliteWrite, "instant", lambda _self, now: now, "transaction_time_never_goes_back"),
        (SqliteRead, "foreign", lambda _self, _record: False, "a_subject_is_part_of_every_key"),
        (SqliteRead, "proposed", lambda _self, _subject, _known_at=None: [], "inbox"),
        (SqliteRead, "totals", lambda _self, _shelf, _subject, _known_at: (9, 9), "words_are_one_subjects"),
        (SqliteRead, "vectors", lambda *_: [], "vectors_by_version"),
        (SqliteWrite, "touch", lambda *_: None, "accesses_are_counted"),
        (SqliteWrite, "keep", lambda *_: None, "decisions_are_kept"),
        (SqliteWrite, "hide", lambda *_: None, "a_record_that_is_being_erased"),
        (SqliteWrite, "keep_run", lambda *_: None, "a_run_is_kept_until_it_ends"),
        (SqliteRead, "replaced_by", lambda *_: [], "because_of_whom_records_ended"),
        (SqliteRead, "linked_slots", lambda *_: [], "slots_in_which_records_were_before"),
        (SqliteWrite, "purge", lambda *_: {}, "what_is_purged_is_in_no_table"),
        (SqliteWrite, "purge_subject", lambda *_: {}, "a_subject_can_be_erased_whole"),
        (SqliteWrite, "_never_again", lambda _self: None, "numbers_are_never_given_twice"),
        (SqliteWrite, "_close_ranks", lambda *_: None, "turns_close_their_ranks"),
        (SqliteWrite, "add_fences", lambda *_: None, "fences_and_needles_are_kept"),
        (SqliteRead, "erased", lambda *_: False, "a_turn_that_is_being_erased"),
    ],
)
def test_a_broken_backend_fails(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    where: type,
    method: str,
    broken: object,
    caught_by: str,
) -> None:
    monkeypatch.setattr(where, method, broken)
    assert command.main(["--store", str(tmp_path / "store.db")]) == 1
    failed = [line for line in capsys.readouterr().out.splitlines() if line.startswith("FAILED")]
    assert any(caught_by in line for line in failed), failed
