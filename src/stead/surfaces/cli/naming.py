"""Names of entities: aliases, made, listed and taken back."""

from __future__ import annotations

from typing import Annotated

import typer

from stead.surfaces.cli import options as opt
from stead.surfaces.cli.commands import DECIDE, READ, Here, command
from stead.surfaces.cli.output import moment, note, print_json, print_table
from stead.surfaces.cli.writing import show

Name = Annotated[str, typer.Argument(help="The other name; case and an article before it don't count.", metavar="NAME")]


@command(DECIDE, 'stead alias "the flat" --means home')
def alias(
    here: Here,
    name: Name,
    means: Annotated[str, typer.Option("--means", help="The entity that it means.", metavar="ENTITY")],
    idempotency_key: opt.Key = None,
) -> None:
    """Let a name mean an entity: what is said of either is said of one."""
    with here.subject(create=True) as subject:
        outcome = subject.alias(name, means=means, idempotency_key=idempotency_key)
    show(here, outcome)


@command(DECIDE, 'stead unalias "the flat"')
def unalias(here: Here, name: Name, idempotency_key: opt.Key = None) -> None:
    """Take an alias back: each record is filed under the name that it was said with."""
    with here.subject() as subject:
        outcome = subject.unalias(name, idempotency_key=idempotency_key)
    show(here, outcome)


@command(READ, "stead aliases")
def aliases(here: Here, known_at: opt.KnownAt = None) -> None:
    """List the names that mean another entity."""
    with here.subject() as subject:
        found = subject.aliases(known_at=known_at)
    if here.json:
        print_json({"aliases": found})
        return
    if not found:
        note("no name means another entity")
        return
    print_table(("name", "means", "known at"), [(each.name, each.means, moment(each.known_at)) for each in found])
