"""What is no memory verb: how times are read, timelines, benchmarks, the state of the store, settings."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Final
from zoneinfo import ZoneInfo

import typer

from stead.errors import BackendError, InvalidArgument, NotBuilt
from stead.model.zone import instant
from stead.settings import strangers
from stead.surfaces.cli import options as opt
from stead.surfaces.cli.commands import LOOK, TIME, Here, app, command
from stead.surfaces.cli.demo import run_demo
from stead.surfaces.cli.output import cell, err, note, out, plain, print_json, print_table

timeline = typer.Typer(help="Run dated stories that say what a correct memory answers.", no_args_is_help=True)
replay = typer.Typer(help="Replay real conversations into a store.", no_args_is_help=True)
evaluate = typer.Typer(help="Measure on a public benchmark.", no_args_is_help=True)
app.add_typer(timeline, name="timeline", rich_help_panel=TIME)
app.add_typer(replay, name="replay", rich_help_panel=TIME)
app.add_typer(evaluate, name="eval", rich_help_panel=TIME)

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DIGITS_ONLY: Final = re.compile(r"[\d\s:.,+\-TZWtz]*\d[\d\s:.,+\-TZWtz]*")


@command(TIME, 'stead when "2026-10-25T02:30" --zone Europe/Berlin --reading later', common=("zone",))
def when(
    here: Here,
    text: Annotated[str, typer.Argument(help="A time in ISO 8601, or a date.", metavar="TEXT")],
    reading: opt.ReadingOf = None,
) -> None:
    """Show which instant a written time means."""
    zone = here.settings.zone
    if not text.strip():
        raise InvalidArgument("text", "empty", "Write a time, for instance 2026-03-01T09:00.")
    if not _DIGITS_ONLY.fullmatch(text.strip()):
        raise NotBuilt(
            "words of time are not read in this version",
            hint="Write 2026-03-01T09:00, 2026-03-01T09:00+01:00 or 2026-03-01.",
        )
    try:
        found = _EPOCH + timedelta(microseconds=instant(text, zone_name=zone, reading=reading, field="text"))
        local = found.astimezone(ZoneInfo(zone)) if zone else found
    except OverflowError:
        raise InvalidArgument("text", "outside of the years 1 to 9999", "Leave an open end out instead.") from None
    answer = {"text": text, "instant": found, "zone": zone, "local": local.isoformat(), "reading": reading}
    if here.json:
        print_json(answer)
        return
    out(f"instant  {plain(found)}")
    if zone:
        out(f"local    {local.isoformat()}  {zone}")


@command(TIME, "stead timeline run timelines/", under=timeline, common=())
def run(
    here: Here,
    paths: Annotated[list[str], typer.Argument(help="Files, and folders of them.", metavar="PATH")],
    store: Annotated[
        str | None,
        typer.Option("--store", help="The backend to run on; a temporary SQLite file by default.", metavar="BACKEND"),
    ] = None,
) -> None:
    """Run timelines; exits 1 when an expectation failed."""
    from stead.timeline import report
    from stead.timeline.run import run_paths

    reports = run_paths(paths, store=store)
    if here.json:
        print_json(report.as_dict(reports))
    else:
        out("\n".join(report.lines(reports)))
    if status := report.exit_status(reports):
        raise typer.Exit(status)


@command(TIME, "stead replay locomo locomo10.json --conversation conv-26", under=replay, name="locomo")
def replay_locomo(
    here: Here,
    file: Annotated[Path, typer.Argument(help="The benchmark's file of conversations.", metavar="FILE")],
    conversation: Annotated[str, typer.Option("--conversation", help="Which of its conversations.", metavar="K")],
) -> None:
    """Replay one LoCoMo conversation into the store as episodes."""
    from stead.evaluate import locomo

    with here.store(create=True, embed=True) as store:
        _print_report(here, locomo.replay(file, conversation, store))


@command(TIME, "stead eval locomo --data data/locomo", under=evaluate, name="locomo", common=("embedder",))
def eval_locomo(
    here: Here,
    data: Annotated[Path, typer.Option("--data", help="The folder with the benchmark's data.", metavar="DIR")],
    ablate: Annotated[bool, typer.Option("--ablate", help="Measure what each part of the ranking is worth.")] = False,
    audited: Annotated[bool, typer.Option("--audited", help="Measure with corrected evidence too.")] = False,
) -> None:
    """Measure recall on LoCoMo: how often the evidence is among what is found."""
    from stead.evaluate import locomo

    report = locomo.evaluate(data, embedder=here.settings.embedder, ablate=ablate, audited=audited, progress=err)
    _print_report(here, report)


def _print_report(here: Here, report: Any) -> None:
    """Print whatever a run came to."""
    shape = report.as_dict() if hasattr(report, "as_dict") else report
    if here.json:
        print_json(shape)
    elif hasattr(report, "lines"):
        out("\n".join(report.lines()))
    else:
        _print_mapping(plain(shape))


@command(LOOK, "stead doctor")
def doctor(here: Here) -> None:
    """Check the store: schema, integrity, counts, embedder, what waits for a vector; exits 7 when it isn't sound."""
    with here.store(embed=True) as store:
        found = store.doctor()
    if here.json:
        print_json(found)
    else:
        _print_mapping(plain(found))
    if found.get("healthy") is False:
        raise typer.Exit(BackendError.exit_code)


def _print_mapping(found: object, indent: str = "") -> None:
    if not isinstance(found, Mapping):
        out(indent + cell(found))
        return
    width = max((len(str(name)) for name in found), default=0)
    for name, value in found.items():
        label = str(name).replace("_", " ")
        if isinstance(value, Mapping) and value:
            out(f"{indent}{label}")
            _print_mapping(value, indent + "  ")
        else:
            out(f"{indent}{label:{width}}  {'no' if value is False else cell(value) or 'none'}")


@command(LOOK, "stead settings")
def settings(here: Here) -> None:
    """Print every setting's value and where it came from."""
    found = here.settings.as_dict()
    if here.json:
        print_json(found)
    else:
        print_table(
            ("setting", "value", "origin"), [(name, each["value"], each["origin"]) for name, each in found.items()]
        )
    for name in strangers(os.environ):
        note(f"{name} names no setting")


@command(LOOK, "stead demo", common=())
def demo(here: Here) -> None:
    """Tell a short story in a temporary store and show what the memory answers."""
    run_demo(as_json=here.json)


@command(LOOK, "stead version", common=())
def version(here: Here) -> None:
    """Print the version."""
    import stead

    if here.json:
        print_json({"version": stead.__version__})
    else:
        out(stead.__version__)
