"""What is no memory verb: how times are read, timelines, the state of the store, settings."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final
from zoneinfo import ZoneInfo

import typer

from stead.errors import BackendError, InvalidArgument
from stead.model.period import Instant, to_datetime
from stead.model.zone import Reading, instant
from stead.settings import strangers
from stead.surfaces.cli import options as opt
from stead.surfaces.cli.commands import LOOK, TIME, Here, app, command
from stead.surfaces.cli.demo import run_demo
from stead.surfaces.cli.output import moment, note, out, plain, print_json, print_mapping, print_table

timeline = typer.Typer(help="Run dated stories that say what a correct memory answers.", no_args_is_help=True)
app.add_typer(timeline, name="timeline", rich_help_panel=TIME)

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_DIGITS_ONLY: Final = re.compile(r"[\d\s:.,+\-TZWtz]*\d[\d\s:.,+\-TZWtz]*")


@command(TIME, 'stead when "Friday evening" --said 2026-11-25T10:00Z --zone Europe/London', common=("zone",))
def when(
    here: Here,
    text: Annotated[str, typer.Argument(help="A time in ISO 8601, a date, or words of time.", metavar="TEXT")],
    said: Annotated[
        str | None, typer.Option("--said", help="When the words were said; now by default.", metavar="TIME")
    ] = None,
    reading: opt.ReadingOf = None,
) -> None:
    """Show which instant a written time means, or which interval words of time mean."""
    zone = here.settings.zone
    if not text.strip():
        raise InvalidArgument("text", "empty", "Write a time, for instance 2026-03-01T09:00, or Friday evening.")
    if _DIGITS_ONLY.fullmatch(text.strip()) and said is None:
        _show_instant(here, text, zone, reading)
        return
    if reading is not None:
        raise InvalidArgument("reading", "words take the reading that a person would expect", "Leave it out.")
    _show_interval(here, text, zone, said)


def _show_instant(here: Here, text: str, zone: str | None, reading: Reading | None) -> None:
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


def _show_interval(here: Here, text: str, zone: str | None, said: str | None) -> None:
    from stead.clock import SystemClock
    from stead.extract.when import resolve

    spoken = SystemClock().now() if said is None else instant(said, zone_name=zone, field="said")
    found = resolve(text.strip(), said=spoken, zone=zone or "UTC")
    if found is None or not found.resolved:
        what = "not understood as words of time" if found is None else "it can't be told when that is"
        raise InvalidArgument("text", what, "Say a date, a weekday, a month, or from when until when.")
    answer = {
        "text": text, "kind": found.kind, "start": moment_of(found.start), "end": moment_of(found.end),
        "recurs": found.recurs, "duration": None if found.duration is None else timedelta(microseconds=found.duration),
        "relation": found.relation or None, "said": moment_of(spoken), "zone": zone or "UTC",
        "local": [_local(found.start, zone), _local(found.end, zone)],
    }  # fmt: skip
    if here.json:
        print_json(answer)
        return
    out(f"kind    {found.kind}")
    if found.recurs:
        out(f"recurs  {found.recurs}")
    if found.duration is not None:
        out(f"lasts   {timedelta(microseconds=found.duration)}")
    for name, edge in (("from", found.start), ("until", found.end)):
        if edge is not None:
            out(f"{name:<6}  {moment(moment_of(edge))}  {_local(edge, zone)}")
    if found.start is not None and found.end is None:
        out("until   open")


def moment_of(at: Instant | None) -> datetime | None:
    """Return an instant as a moment in UTC; None for an open end."""
    return None if at is None else to_datetime(at)


def _local(at: Instant | None, zone: str | None) -> str | None:
    found = moment_of(at)
    return None if found is None else found.astimezone(ZoneInfo(zone or "UTC")).isoformat()


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


@command(LOOK, "stead doctor")
def doctor(here: Here) -> None:
    """Check the store: schema, integrity, counts, embedder, what waits for a vector; exits 7 when it isn't sound."""
    with here.store(embed=True) as store:
        found = store.doctor()
    if here.json:
        print_json(found)
    else:
        print_mapping(plain(found))
    if found["erasing"]["unfinished"]:  # type: ignore[index]
        note("there are erasures that aren't complete: stead erase --resume")
    if found.get("healthy") is False:
        raise typer.Exit(BackendError.exit_code)


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
