"""Checks of backups, exports and imports: what belongs to whom, what outlasts a restore, and what is read page by page."""

from __future__ import annotations

from dataclasses import replace

from stead.store.conformance.bench import Bench, add, check, episode, expect
from stead.store.moving import BackupRow
from stead.store.porting import ExportRow
from stead.store.values import JobRow


@check
def a_dump_is_one_subjects(bench: Bench) -> None:
    """R33: the part of a subject holds all of its rows and nobody else's; the rest of the tenant holds no content."""
    with bench.backend.write() as store:
        mine, other = bench.subject(store), bench.subject(store, "2")
        add(store, mine, words="mine alone")
        store.add_episode(episode(mine, "1", store.instant(0), text="mine spoken"), ["words"])
        add(store, other, words="theirs alone")
    with bench.backend.read() as read:
        expect({mine.n, other.n} <= set(read.living()), "both have a part of their own")
        rows = [(table, str(values)) for table, _, values in read.dump(mine.n)]
        expect({"subjects", "records", "revisions", "episodes"} <= {table for table, _ in rows}, "every kind of row")
        expect(any("mine spoken" in text for _, text in rows), "its own words")
        expect(not any("theirs" in text or other.name in text for _, text in rows), "nobody else's")
        expect(not any("alone" in str(values) for _, _, values in read.dump(None)), "the tenant's rows hold no content")


@check
def what_outlasts_a_restore_is_carried_over(bench: Bench) -> None:
    """R32, R33: the clock, fences and epochs of the newer store win, and doing it twice changes nothing."""
    with bench.backend.write() as store:
        mine = bench.subject(store)
        ref = store.refer(mine.n, f"sub_{mine.n}")
        store.add_fences(mine.n, 5, [("turn", b"mark")])
    with bench.backend.write() as store:
        lasting = store.lasting()
        later = replace(
            lasting, last=lasting.last + 10, rows=tuple(
                (table, columns, tuple(9 if name == "tx" else value for name, value in zip(columns, row, strict=True)))
                if table == "fences" else (table, columns, row) for table, columns, row in lasting.rows
            ),
        )  # fmt: skip
        for each in (later, later, lasting):
            store.outlast(each)
        store.lift_epoch(ref, 7)
        store.lift_epoch(ref, 3)
    with bench.backend.read() as read:
        expect(read.fence(mine.n, "turn", b"mark") == 9, "the later fence wins")
        expect(read.last_instant() >= lasting.last + 10, "the clock doesn't go back")
        found = read.subject(mine.name)
        expect(found is not None and (found.epoch, found.ref) == (7, ref), "the higher epoch wins")


@check
def backups_are_noted_once(bench: Bench) -> None:
    """R33: a backup that is known is left as it is, also when it is gone."""
    row = BackupRow(id=f"bak_{bench.name}", path="somewhere", tx=1, ledger=3, until=9)
    with bench.backend.write() as store:
        store.add_backup(row)
        store.mark_gone("backups", row.id, 5)
        store.add_backup(replace(row, path="elsewhere"))
        expect([each for each in store.backups() if each.id == row.id] == [replace(row, gone=5)], "one row, as it was")


@check
def exports_are_known_by_their_place(bench: Bench) -> None:
    """R31: what was written outside is known until it is gone, and what is erased isn't exported any more."""
    with bench.backend.write() as store:
        mine = bench.subject(store)
        first, second = add(store, mine), add(store, mine)
        turn = store.add_episode(episode(mine, "1", store.instant(0)), ["words"])
        row = ExportRow(id=f"exp_{mine.n}", subject=mine.n, path=f"/{mine.n}", form="jsonl", tx=store.instant(0))
        store.add_export(row)
        expect((store.export_row(row.id), store.exports_at(row.path)) == (row, [row]), "by its id and its place")
        expect(store.next_records(mine.n, 0, 1) == [first.record], "a page")
        expect(store.next_records(mine.n, first.record, 5) == [second.record], "the next one")
        expect(store.next_turns(mine.n, 0, 5) == [turn.n], "turns too")
        job = JobRow(id=f"era_x{mine.n}", subject=mine.n, tx=store.instant(0), by="record")
        store.hide(job, [first.record], [turn.n])
        store.mark_gone("exports", row.id, 5)
    with bench.backend.read() as read:
        expect(
            (read.next_records(mine.n, 0, 5), read.next_turns(mine.n, 0, 5)) == ([second.record], []), "it is left out"
        )
        expect(read.was_erased(first.id) and not read.was_erased(second.id), "it was erased")
        expect(not read.erased_since(mine.n, 1), "the subject as a whole was not")
        expect(read.exports_at(row.path) == [], "and the export is gone")
