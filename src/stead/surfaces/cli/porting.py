"""Taking a memory along and bringing one in: export and import."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.progress import Progress

from stead.errors import InvalidArgument
from stead.memory.markdown import markdown
from stead.surfaces.cli.commands import LOOK, WRITE, Here, command
from stead.surfaces.cli.output import note, print_json, print_json_line, print_table, print_text

if TYPE_CHECKING:
    from stead.model.porting import ImportReport


class Form(StrEnum):
    """How an export is written."""

    JSONL = "jsonl"
    MARKDOWN = "markdown"


_STEP: Final = 100
"""Lines after which a progress bar moves."""


@command(LOOK, "stead export --format markdown --out ana.md")
def export(
    here: Here,
    format_: Annotated[
        Form, typer.Option("--format", help="JSON Lines, which import reads, or a page for a person.")
    ] = Form.JSONL,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", help="A file; an erasure writes it anew. Printed by default, and then nothing knows of it.",
            metavar="FILE",
        ),
    ] = None,
) -> None:  # fmt: skip
    """Print everything about the subject, or write it into a file that the store knows."""
    with here.subject() as subject:
        if out is not None:
            with _bar("exporting", None) as progress:
                made = subject.export(out, form=str(format_), progress=progress)
            if here.json:
                print_json(made)
                return
            note(f"{made.id}: {sum(made.lines.values())} lines in {made.path}")
            print_table(("type", "lines"), sorted(made.lines.items()))
        elif format_ is Form.MARKDOWN:
            for _, text in markdown(subject.export()):
                if text:
                    print_text(text.removesuffix("\n"))
        else:
            for line in subject.export():
                print_json_line(line)


@command(WRITE, "stead import ana.jsonl --subject ana")
def import_(
    here: Here,
    file: Annotated[str, typer.Argument(help="What stead export wrote, as JSON Lines; - is stdin.", metavar="FILE")],
    trust: Annotated[
        bool, typer.Option("--trust", help="Keep the authority that the file names; at most stated by default.")
    ] = False,
    of: Annotated[
        str | None, typer.Option("--of", help="Whom the file is about, where that is another name.", metavar="NAME")
    ] = None,
) -> None:
    """Write the records of an export as claims, but for those that are here already or were erased here."""
    source = sys.stdin if file == "-" else Path(file)
    with here.subject(create=True, embed=True) as subject, _bar("importing", _lines(source)) as progress:
        report = subject.import_(source, trust=trust, of=of, progress=progress)
    if here.json:
        print_json(report)
        return
    _show(report)


def _lines(source: object) -> int | None:
    if not isinstance(source, Path):
        return None
    try:
        with source.open("rb") as file:
            return sum(1 for _ in file)
    except OSError as problem:
        raise InvalidArgument("file", f"can't be read: {problem.strerror}", "Name a readable file.") from None


@contextmanager
def _bar(words: str, total: int | None) -> Iterator[Callable[[int], object]]:
    """Show a progress bar on a terminal, and nothing elsewhere."""
    errors = Console(file=sys.stderr)
    with Progress(console=errors, transient=True, disable=not errors.is_terminal) as shown:
        task = shown.add_task(words, total=total)

        def moved(line: int) -> None:
            if line % _STEP == 0:
                shown.update(task, completed=line)

        yield moved


def _show(report: ImportReport) -> None:
    counted = [
        (name.replace("_", " "), getattr(report, name))
        for name in ("added", "waiting", "known", "turned_away", "erased", "past", "invalid", "other")
    ]
    print_table(("lines", "number"), [each for each in counted if each[1]])
    if report.problems:
        print_table(
            ("line", "code", "problem"), [(each.line, each.code, each.message) for each in report.problems],
            wrap={"problem": 30},
        )  # fmt: skip
    if report.waiting:
        note(f"{report.waiting} wait for an answer: stead questions")
