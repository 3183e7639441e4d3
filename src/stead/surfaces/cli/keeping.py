"""Backups and restores."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer

from stead.errors import InvalidArgument
from stead.model.zone import instant
from stead.surfaces.cli.commands import LOOK, Here, command
from stead.surfaces.cli.output import err, moment, note, out, print_json, print_table

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@command(LOOK, "stead backup /mnt/backups/monday.bak --until 2026-12-31")
def backup(
    here: Here,
    path: Annotated[str, typer.Argument(help="Where the backup will lie.", metavar="PATH")],
    until: Annotated[
        str | None, typer.Option("--until", help="When stead backups --rotate removes it.", metavar="DATE")
    ] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace a file that lies there.")] = False,
) -> None:
    """Write an encrypted backup of all subjects, while others read and write."""
    end = None if until is None else _instant(until, here.settings.zone)
    with here.store() as store:
        made = store.backup(path, until=end, replace=replace)
    if here.json:
        print_json(made.as_dict())
        return
    out(f"{made.id}  {made.subjects} subjects, {made.bytes} bytes: {made.path}")
    note(f"without {store.path}.keys and {store.path}.ledger nothing is restored: keep a copy of both elsewhere")


def _instant(text: str, zone: str | None) -> datetime:
    return _EPOCH + timedelta(microseconds=instant(text, zone_name=zone or "UTC", field="until"))


@command(LOOK, "stead backups --rotate --keep 7")
def backups(
    here: Here,
    rotate: Annotated[
        bool, typer.Option("--rotate", help="Remove those that are past their date, and those that --keep leaves over.")
    ] = False,
    keep: Annotated[
        int | None, typer.Option("--keep", help="With --rotate: how many of the newest stay at most.", metavar="NUMBER")
    ] = None,
    gone: Annotated[bool, typer.Option("--gone", help="List those that are gone too.")] = False,
) -> None:
    """List the backups of the store, or remove those whose time is over."""
    if keep is not None and not rotate:
        raise InvalidArgument("keep", "it says what --rotate leaves", "Give both: --rotate --keep 7.")
    with here.store() as store:
        removed = store.rotate_backups(keep=keep) if rotate else []
        left = store.backups(gone=gone)
    if here.json:
        shown = {"backups": [each.as_dict() for each in left]}
        print_json({**shown, "removed": [each.as_dict() for each in removed]} if rotate else shown)
        return
    print_table(
        ("backup", "made", "until", "gone", "path"),
        [(each.id, moment(each.at), moment(each.until), moment(each.gone), each.path) for each in left],
    )
    for each in removed:
        note(f"gone: {each.id}, {each.path}")
    if not left:
        note("there is no backup that the store knows of")


@command(LOOK, "stead restore /mnt/backups/monday.bak --store memory.db --replace", common=("store",))
def restore(
    here: Here,
    backup: Annotated[Path, typer.Argument(help="The file of the backup.", metavar="BACKUP")],
    ledger: Annotated[
        Path | None, typer.Option("--ledger", help="The ledger; the one beside the store by default.", metavar="FILE")
    ] = None,
    keys: Annotated[
        Path | None, typer.Option("--keys", help="The keys; those beside the store by default.", metavar="FILE")
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the store that is there; asks once more.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="With --replace: don't ask.")] = False,
) -> None:
    """Build the store of a backup, without what was erased since it was made."""
    from stead.memory.restoring import restore as build_anew

    target = Path(here.settings.store.removeprefix("sqlite:///"))
    if replace and target.exists() and not yes:
        _confirm(target)
    done = build_anew(backup, target, ledger=ledger, keys=keys, replace=replace)
    if here.json:
        print_json(done.as_dict())
        return
    out(f"{done.path}  {done.subjects} subjects of {done.backup}")
    note(f"{done.replayed} erasures came after the backup and were carried out again")
    for each in done.skipped:
        note(f"{each} was erased whole after the backup: its part can't be read any more")
    if replace and not done.carried:
        note("no store was there, or it couldn't be read: what only it knew of fences, exports and backups is lost")


def _confirm(target: Path) -> None:
    """Let a person type the file's name: a store that is replaced is gone."""
    if not _has_terminal():
        raise InvalidArgument("yes", "a store is replaced without a terminal to ask on", "Give --yes if it is meant.")
    err(f"{target} will be replaced, with all that was written since the backup. Type {target.name} to go on:")
    if input().strip() != target.name:
        raise InvalidArgument("replace", "another name was typed", "Nothing was changed.")


def _has_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()
