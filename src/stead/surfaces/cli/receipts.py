"""Receipts of erasures: shown, verified offline, and their head published."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stead.errors import Conflict, InvalidArgument, UnknownRecord
from stead.surfaces.cli.commands import LOOK, Here, app, command
from stead.surfaces.cli.output import note, out, print_json, print_mapping, print_table

receipt = typer.Typer(no_args_is_help=True, help="The proofs of erasures: a signed chain beside the store.")
app.add_typer(receipt, name="receipt", rich_help_panel=LOOK)


@command(LOOK, "stead receipt list", under=receipt, name="list", common=("store", "tenant"))
def list_(here: Here) -> None:
    """List the receipts, oldest first."""
    with here.store() as store:
        found = store.receipts()
    if here.json:
        print_json({"receipts": [each.as_dict() for each in found]})
        return
    rows = [(e.seq, e.erasure, "+".join(e.by), e.records, e.episodes, e.complete, e.finished) for e in found]
    print_table(("number", "erasure", "by", "records", "turns", "complete", "finished"), rows)
    if not found:
        note("nothing was erased yet")


@command(LOOK, "stead receipt show era_…", under=receipt, common=("store", "tenant"))
def show(
    here: Here,
    erasure: Annotated[str | None, typer.Argument(help="The id of an erasure.", metavar="ERASURE")] = None,
    last: Annotated[bool, typer.Option("--last", help="The newest one.")] = False,
) -> None:
    """Show a receipt: every surface with its result, and what remains under which rule."""
    if (erasure is None) == (not last):
        raise InvalidArgument("erasure", "missing" if erasure is None else "beside --last", "Name one, or give --last.")
    with here.store() as store:
        every = store.receipts() if last else [store.receipt(erasure or "")]
    if not every:
        raise UnknownRecord("last: nothing was erased yet", field="last", hint="See stead erase.")
    found = every[-1]
    if here.json:
        print_json(found.as_dict())
        return
    head = ("erasure", "subject", "requester", "requested", "finished", "complete", "records", "episodes", "seq")
    print_mapping({name: getattr(found, name) for name in head} | {"by": "+".join(found.by)})
    print_table(
        ("surface", "what", "result", "count"),
        [(each.surface, each.what, each.result, each.count) for each in found.surfaces],
    )
    print_table(
        ("remains", "rule", "whose", "until"),
        [(each.what, each.rule, each.owner, each.until) for each in found.retained],
    )


@command(LOOK, "stead receipt verify --ledger memory.db.ledger --key 5f…", under=receipt, common=("store", "tenant"))
def verify(
    here: Here,
    ledger: Annotated[
        Path | None, typer.Option("--ledger", help="The ledger; the store's own by default.", metavar="FILE")
    ] = None,
    key: Annotated[
        str | None,
        typer.Option("--key", help="The public key, or a file that holds it; needed with --ledger.", metavar="KEY"),
    ] = None,
    head: Annotated[
        str | None,
        typer.Option(
            "--head", help="A published head, NUMBER:HASH or a file: finds a tail that was cut.", metavar="HEAD"
        ),
    ] = None,
) -> None:
    """Verify the chain; with --ledger and --key offline, without the store. Exits 5 when something is wrong."""
    import stead

    if (ledger is None) != (key is None):
        raise InvalidArgument("key", "--ledger and --key belong together", "Give both, or neither for the store's own.")
    if ledger is not None and key is not None:
        found = stead.verify_receipts(ledger, key, head=head)
    else:
        with here.store() as store:
            found = store.verify_receipts(head=head)
    if here.json:
        print_json(found.as_dict())
    else:
        out(f"{'sound' if found.ok else 'BROKEN'}: {found.entries} entries, head {found.seq}:{found.hash}")
    for problem in found.problems:
        note(problem)
    if not found.ok:
        raise typer.Exit(Conflict.exit_code)


@command(LOOK, "stead receipt key > stead.pub", under=receipt, common=("store", "tenant"))
def key(here: Here) -> None:
    """Print the public key, by which anybody can verify the ledger."""
    with here.store() as store:
        found = store.public_key()
    if here.json:
        print_json({"key": found})
    else:
        out(found)


@command(LOOK, "stead receipt head --out /mnt/elsewhere/stead.head", under=receipt, common=("store", "tenant"))
def head(
    here: Here,
    out_: Annotated[Path | None, typer.Option("--out", help="Write it to this file.", metavar="FILE")] = None,
    run: Annotated[
        str | None, typer.Option("--command", help="Give it to this command's standard input.", metavar="COMMAND")
    ] = None,
) -> None:
    """Print the signed head of the ledger, or publish it outside of the store."""
    with here.store() as store:
        found = store.publish_head(path=out_, command=run)
    if here.json:
        print_json(found)
    elif out_ is None and run is None:
        out(f"{found['seq']}:{found['hash']}")
    else:
        note(f"published: {found['seq']}:{found['hash']}")
