"""Erasing for good: the preview, a typed confirmation, the receipt; and the places outside that are told."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from stead.errors import BackendError, Erased, InvalidArgument, UnknownRecord
from stead.surfaces.cli import options as opt
from stead.surfaces.cli.commands import DECIDE, LOOK, Here, app, command
from stead.surfaces.cli.output import clean, err, note, out, print_json, print_table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from stead import ErasurePreview, Receipt, Store, Subject

sink = typer.Typer(
    no_args_is_help=True, help="Places outside to which content was given, and that are told of erasures."
)
app.add_typer(sink, name="sink", rich_help_panel=LOOK)

INCOMPLETE: Final = BackendError.exit_code
"""The exit code where a place couldn't be cleaned yet; as of `stead doctor` where the store isn't sound."""

SOFTER: Final = """Softer than erase:

[bold]consent CLASS=no[/bold]: mute; it stays, and no recall shows it. Undone by CLASS=yes.

[bold]end[/bold]: no longer true from a day on; the past keeps it. Undone by saying it again.

[bold]retract[/bold]: it was never true; history keeps it. Undone by rollback.

[bold]forget[/bold], to the cold tier: not built yet.

[bold]erase[/bold]: gone everywhere, for good. Nothing undoes it."""

_NAME_ONE: Final = (
    "Give ids, --slot, --scope, --category, --conversation, --source, --before or --after; or --everything alone."
)
Selectors = dict[str, Any]


@command(DECIDE, "stead erase --conversation c7 --dry-run", after=SOFTER)
def erase(
    here: Here,
    records: Annotated[
        list[str] | None, typer.Argument(help="Ids of records and turns.", metavar="RECORD", show_default=False)
    ] = None,
    slot: opt.SlotText = None,
    entity: opt.Entity = None,
    attribute: opt.Attribute = None,
    object_: opt.Object = None,
    scope: Annotated[str | None, typer.Option("--scope", help="All records and turns of a scope and below it.")] = None,
    category: Annotated[str | None, typer.Option("--category", help="All records of a category.")] = None,
    conversation: Annotated[
        str | None, typer.Option("--conversation", help="All turns of a conversation, and what was drawn from it.")
    ] = None,
    source: Annotated[str | None, typer.Option("--source", help="All records from a source.", metavar="URI")] = None,
    before: Annotated[str | None, typer.Option("--before", help="What was said before this.", metavar="TIME")] = None,
    after: Annotated[
        str | None, typer.Option("--after", help="What was said at this time or later.", metavar="TIME")
    ] = None,
    everything: Annotated[bool, typer.Option("--everything", help="The whole subject.")] = False,
    requester: Annotated[
        str, typer.Option("--requester", help="Who asked, for the receipt: a role or a ticket.")
    ] = "subject",
    no_scan: Annotated[bool, typer.Option("--no-scan", help="Don't read the bytes of every file at the end.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would go and what would stay.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask; needed without a terminal.")] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with every erasure of the store that isn't complete.")
    ] = False,
) -> None:
    """Erase for good, in every file, and print the proof; selectors that are given together must all match."""
    selectors: Selectors = {
        "record": records or None, "slot": opt.slot_to_ask(slot, entity, attribute, object_), "scope": scope,
        "category": category, "conversation": conversation, "source": source, "before": before, "after": after,
        "everything": everything,
    }  # fmt: skip
    if resume:
        _resume(here, selectors, dry_run=dry_run)
        return
    if all(each in (None, False) for each in selectors.values()):
        raise InvalidArgument("record", "nothing is named that is to be erased", _NAME_ONE)
    with here.store() as store:
        chosen = here.settings
        subject = store.subject(chosen.subject, zone=chosen.zone)
        shown = _preview(store, subject, selectors)
        _show_preview(shown, as_json=here.json and dry_run)
        if dry_run:
            return
        if shown.empty and not everything:
            _nothing(here, shown)
            return
        if not yes:
            _confirm([shown], subject.name if everything else None)
        receipt = subject.erase(**selectors, requester=requester, scan=not no_scan, expect=shown)
    if here.json:
        print_json(receipt.as_dict())
    else:
        _show_receipt(receipt)
    _end([receipt])


def _preview(store: Store, subject: Subject, selectors: Selectors) -> ErasurePreview:
    """Return the preview; who named the wrong subject must not believe that something was erased."""
    shown = subject.preview_erase(**selectors)
    if subject.name not in store.subjects():
        raise UnknownRecord("subject: nothing is remembered of this subject", hint="Name it with --subject.")
    for each in sorted(set(selectors["record"] or ()) - {*shown.records, *shown.episodes}):
        try:
            subject.record(each)
        except Erased:
            note(f"{each} was erased already")
        except UnknownRecord:  # a turn that the other selectors leave out
            pass
    return shown


def _show_preview(shown: ErasurePreview, *, as_json: bool) -> None:
    """Print what would go and what would stay on stderr; a dry run with --json has it as its document."""
    if as_json:
        print_json(shown.as_dict())
        return
    if shown.empty:
        note(f"by {'+'.join(shown.by)}: no record and no turn is selected")
        return
    err(f"by {'+'.join(shown.by)}, this would go for good:")
    counted = {
        "records": len(shown.records), "of these derived": len(shown.derived), "of these merged": len(shown.merged),
        "revisions": shown.revisions, "turns": len(shown.episodes), "vectors": sum(shown.vectors.values()),
    }  # fmt: skip
    for name, count in counted.items():
        if count or name in ("records", "turns"):
            err(f"  {name:<18}{count}")
    named = {
        "exports": ("written anew", shown.exports), "backups": ("unreadable remains", shown.backups),
        "sinks": ("told", shown.sinks),
    }  # fmt: skip
    for name, (what, places) in named.items():
        if places:
            err(f"  {name:<18}{', '.join(map(clean, places))} ({what})")
    for kind, ids in (("record", shown.records), ("turn", shown.episodes)):
        _list_ids(kind, ids)
    if shown.survives:
        err("what stays, and why:")
    for each in shown.survives:
        err(f"  {each}")


def _list_ids(kind: str, ids: tuple[str, ...], most: int = 20) -> None:
    for each in ids[:most]:
        err(f"  {kind:<18}{each}")
    if len(ids) > most:
        err(f"  {'':<18}and {len(ids) - most} more: --dry-run --json lists all")


def _nothing(here: Here, shown: ErasurePreview) -> None:
    if here.json:
        print_json({"erasure": None, "by": shown.by, "complete": True, "records": 0, "episodes": 0})
    note("nothing was erased, and there is no receipt")


def _confirm(shown: Iterable[ErasurePreview], name: str | None) -> None:
    """Let a person type what is shown: the number of records and turns, or the name of the subject."""
    if not _has_terminal():
        raise InvalidArgument(
            "yes",
            "something is erased without a terminal to ask on",
            "Give --yes if it is meant; --dry-run only shows it.",
        )
    wanted = name if name is not None else str(sum(len(each.records) + len(each.episodes) for each in shown))
    what = f"the subject's name, {clean(wanted)}," if name is not None else f"{wanted}, records and turns together,"
    err(f"This can't be undone. Type {what} to go on:")
    try:
        typed = input()
    except EOFError:
        typed = ""
    if typed.strip() != wanted.strip():
        raise InvalidArgument("yes", "something else was typed", "Nothing was erased.")


def _has_terminal() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _show_receipt(receipt: Receipt) -> None:
    print_table(
        ("surface", "what", "result", "count"),
        [(each.surface, each.what, each.result, each.count) for each in receipt.surfaces],
    )
    out()
    print_table(
        ("remains", "rule", "whose", "until"),
        [(each.what, each.rule, each.owner, each.until) for each in receipt.retained],
    )
    out()
    state = "complete" if receipt.complete else f"NOT COMPLETE: {', '.join(dict.fromkeys(receipt.failed))}"
    out(f"{receipt.erasure}  {receipt.records} records, {receipt.episodes} turns, receipt {receipt.seq}: {state}")


def _end(receipts: Iterable[Receipt]) -> None:
    """Say what is left to do, and exit so that a script notices it."""
    left = [each for each in receipts if not each.complete]
    for each in left:
        note(
            f"{each.erasure} can't be read any more, and isn't complete: see to what failed, then stead erase --resume"
        )
    if left:
        raise typer.Exit(INCOMPLETE)


def _resume(here: Here, selectors: Selectors, *, dry_run: bool) -> None:
    if dry_run or any(each not in (None, False) for each in selectors.values()):
        raise InvalidArgument(
            "resume", "beside a selector or --dry-run", "It goes on with what was begun; give it alone."
        )
    with here.store() as store:
        found = store.resume_erasures()
    if here.json:
        print_json({"receipts": [each.as_dict() for each in found]})
    else:
        for each in found:
            _show_receipt(each)
        if not found:
            note("every erasure is complete")
    _end(found)


@command(LOOK, "stead retention --dry-run")
def retention(
    here: Here,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would go.")] = False,
    all_subjects: Annotated[bool, typer.Option("--all-subjects", help="Of every subject of the tenant.")] = False,
    no_scan: Annotated[bool, typer.Option("--no-scan", help="Don't read the bytes of every file at the end.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask; needed without a terminal.")] = False,
) -> None:
    """Erase what its category says may be kept no longer, and print the proofs."""
    with here.store() as store:
        name = None if all_subjects else here.settings.subject
        shown = store.overdue(name)
        if here.json and dry_run:
            print_json({"overdue": [each.as_dict() for each in shown]})
            return
        for each in shown:
            _show_preview(each, as_json=False)
        if not shown:
            note("nothing is past its retention")
        if shown and not dry_run and not yes:
            _confirm(shown, None)
        receipts = [] if dry_run or not shown else store.enforce_retention(name, scan=not no_scan)
    if here.json:
        print_json({"receipts": [each.as_dict() for each in receipts]})
    else:
        for done in receipts:
            _show_receipt(done)
    _end(receipts)


@command(LOOK, "stead sink add crm --command /opt/crm/erase.sh", under=sink, name="add", common=("store", "tenant"))
def add(
    here: Here,
    name: Annotated[str, typer.Argument(help="Of the place, for receipts.", metavar="NAME")],
    run: Annotated[
        str,
        typer.Option(
            "--command", metavar="COMMAND",
            help="Gets the notice and its signature as two lines on standard input; exits with 0 when all of it is gone.",
        ),
    ],
) -> None:  # fmt: skip
    """Tell a place outside of every erasure from now on; the same name again takes its place."""
    if not run.strip():
        raise InvalidArgument("command", "empty", "Name the command that removes it there.")
    with here.store() as store:
        store.sink(name, run)
        _list(here, store)


@command(LOOK, "stead sink list", under=sink, name="list", common=("store", "tenant"))
def list_(here: Here) -> None:
    """List the places outside that are told of erasures."""
    with here.store() as store:
        _list(here, store)


@command(LOOK, "stead sink remove crm", under=sink, name="remove", common=("store", "tenant"))
def remove(here: Here, name: Annotated[str, typer.Argument(help="As sink list shows it.", metavar="NAME")]) -> None:
    """Tell a place no longer: what it still has of what was erased is its own affair."""
    with here.store() as store:
        if name not in store.sinks():
            raise UnknownRecord("name: there is no such sink", hint="See stead sink list.")
        store.sink(name, None)
        _list(here, store)


def _list(here: Here, store: Store) -> None:
    found = store.sinks()
    if here.json:
        print_json({"sinks": [{"name": name, "command": each} for name, each in found.items()]})
        return
    print_table(("sink", "command"), [(name, each or "a function of a program") for name, each in found.items()])
    if not found:
        note("no place outside is told")
