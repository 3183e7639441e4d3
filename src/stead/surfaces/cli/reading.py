"""The verbs that read. None of them creates a store."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stead.errors import InvalidArgument
from stead.model.record import Status
from stead.surfaces.cli import options as opt
from stead.surfaces.cli.chain_svg import chain_svg
from stead.surfaces.cli.commands import READ, Here, command
from stead.surfaces.cli.history import draw_history, linked, rules_of
from stead.surfaces.cli.inbox import draw_questions
from stead.surfaces.cli.output import (
    cell,
    moment,
    note,
    out,
    plain,
    print_json,
    print_table,
    print_text,
)

if TYPE_CHECKING:
    from stead import Record

SlotArgument = Annotated[
    str | None,
    typer.Argument(help=r"The slot in short, for instance home.city or food.opinion\[sushi].", metavar="SLOT"),
]


@command(READ, 'stead recall "can we meet tonight?" --scope scheduling')
def recall(
    here: Here,
    query: Annotated[
        str, typer.Argument(help="The words of the request; empty for the facts alone.", metavar="QUERY")
    ] = "",
    slot: opt.SlotText = None,
    entity: opt.Entity = None,
    attribute: opt.Attribute = None,
    object_: opt.Object = None,
    category: opt.Category = None,
    scope: opt.Scope = "",
    at: opt.At = None,
    known_at: opt.KnownAt = None,
    reading: opt.ReadingOf = None,
    include_cold: Annotated[bool, typer.Option("--include-cold", help="Search the cold tier too.")] = False,
    purpose: opt.ReaderPurpose = None,
    audience: opt.ReaderAudience = None,
    budget: Annotated[
        list[str] | None,
        typer.Option(
            "--budget", help="A ceiling: facts=20, episodes=6 or tokens=2000; repeat for several.", metavar="KEY=N"
        ),
    ] = None,
) -> None:
    """Print what a prompt needs to know: facts, episodes, open questions."""
    asked = opt.slot_to_ask(slot, entity, attribute, object_)
    ceilings = _budget(budget)
    with here.subject(embed=True) as subject:
        context = subject.recall(
            query,
            slot=asked,
            category=category,
            scope=scope,
            at=at,
            known_at=known_at,
            reading=reading,
            include_cold=include_cold,
            purpose=purpose,
            audience=tuple(audience) if audience else None,
            budget=ceilings,
        )
    if here.json:
        print_json(context)
        return
    if context.text:
        print_text(context.text)
    else:
        note("nothing that is remembered applies here")
    for each in context.notes:
        note(each)


def _budget(pairs: Sequence[str] | None) -> dict[str, int] | None:
    if not pairs:
        return None
    budget = {}
    for pair in pairs:
        name, _, number = pair.partition("=")
        if name not in ("facts", "episodes", "tokens") or not number.isdecimal():
            raise InvalidArgument("budget", "not of the form KEY=N", "Keys are facts, episodes and tokens.")
        budget[name] = int(number)
    return budget


@command(READ, "stead holds home.city")
def holds(
    here: Here,
    named: SlotArgument = None,
    slot: opt.SlotText = None,
    entity: opt.Entity = None,
    attribute: opt.Attribute = None,
    object_: opt.Object = None,
    scope: opt.Scope = "",
    known_at: opt.KnownAt = None,
) -> None:
    """Show what a slot holds over all of valid time."""
    if named is not None and slot is not None:
        raise InvalidArgument("slot", "the slot is given twice", "Name it once.")
    asked = opt.slot_to_ask(slot if named is None else named, entity, attribute, object_)
    if asked is None:
        raise InvalidArgument("slot", "missing", "Name it, for instance: stead holds home.city.")
    with here.subject() as subject:
        version = subject.version(asked, scope=scope)  # first, so that it is never newer than what is shown
        intervals = subject.holds(asked, scope=scope, known_at=known_at)
    if here.json:
        print_json({"slot": str(asked.key), "scope": scope, "version": version, "intervals": intervals})
        return
    if not intervals:
        note("nothing holds here at any time; wider scopes are not shown")
        return
    print_table(
        ("from", "until", "value", "records"),
        [(moment(each.start, "open"), moment(each.end, "open"), _value(each), each.records) for each in intervals],
        wrap={"value": 12},
    )


def _value(interval: Any) -> str:
    if interval.contested:
        return "contested: " + " | ".join(interval.values)
    return "(unset)" if interval.value is None else str(interval.value)


@command(READ, "stead history rec_1a2b3c4d5e6f7g8h --svg chain.svg")
def history(
    here: Here,
    record: opt.RecordId,
    svg: Annotated[
        Path | None, typer.Option("--svg", help="Draw it into this file instead, as a picture.", metavar="FILE")
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit", help="About how many revisions; the last transaction is never split. All by default.", min=1
        ),
    ] = None,
    after: Annotated[
        str | None,
        typer.Option(
            "--after", help="Only what came to be known after this: the end of the page before.", metavar="TIME"
        ),
    ] = None,
) -> None:
    """Draw every revision of a record and of those that it replaced or that replaced it."""
    with here.subject() as subject:
        revisions = subject.history(record, limit=limit, after=after)
        chain = linked(revisions)
        rules = {} if here.json and svg is None else rules_of(subject, chain)
    full = limit is not None and len(revisions) >= limit
    onwards = moment(revisions[-1].tx_from, exact=True) if full else None
    if svg is not None:
        _write_svg(svg, chain_svg(chain, rules, f"History of {record}"))
    if here.json:
        print_json({"record": record, "revisions": revisions, "after": onwards})
        return
    if not revisions:
        note("no further revisions")
    elif svg is None:
        draw_history(chain, rules)
    if svg is not None:
        note(f"drawn into {svg}: {len(chain)} records, {len(revisions)} revisions")
    _say_onwards(f"history {record}", onwards)


def _write_svg(file: Path, picture: str) -> None:
    try:
        file.write_text(picture, encoding="utf-8")
    except OSError as problem:
        raise InvalidArgument(
            "svg", f"can't be written: {problem.strerror}", "Name a file in a folder of yours."
        ) from None


@command(READ, "stead why rec_1a2b3c4d5e6f7g8h")
def why(here: Here, record: opt.RecordId) -> None:
    """Show the rows behind a record: who decided what by which rule, where it was said, what it is tied to."""
    with here.subject() as subject:
        found, now = subject.why(record), subject.record(record)
    if here.json:
        print_json(found)
        return
    _print_record(now)
    for name in ("decisions", "sources", "edges"):
        rows = plain(found[name])
        out(f"\n{name}")
        if not rows:
            out("  none")
            continue
        columns = [each for each in rows[0] if any(row.get(each) not in (None, "", [], False) for row in rows)]
        print_table(columns, [[row.get(each) for each in columns] for row in rows], wrap={"reason": 24, "affected": 20})


def _print_record(record: Record) -> None:
    for name, value in plain(record).items():
        if value not in (None, "", [], {}, False) and name not in ("sources", "tenant", "subject"):
            out(f"{name.replace('_', ' '):14}  {_spans(value) if name in ('stated', 'stands') else cell(value)}")


def _spans(value: Any) -> str:
    spans = [value] if value and not isinstance(value[0], list) else value
    return ", ".join(f"{start or 'open'} → {end or 'open'}" for start, end in spans)


@command(READ, "stead records --status active --limit 20")
def records(
    here: Here,
    status: Annotated[
        Status | None, typer.Option("--status", help="Only those with this status; all that are kept by default.")
    ] = None,
    scope: Annotated[
        str | None, typer.Option("--scope", help="Only those of this scope; every scope by default.")
    ] = None,
    category: opt.Category = None,
    limit: opt.Limit = 100,
    after: opt.After = None,
) -> None:
    """List records, a page at a time."""
    with here.subject() as subject:
        found = subject.records(status=status, scope=scope, category=category, limit=limit, after=after)
    onwards = found[-1].id if len(found) == limit else None
    if here.json:
        print_json({"records": found, "after": onwards})
        return
    if not found:
        note("no records here" if after is None else "no further records")
        return
    print_table(
        ("id", "status", "scope", "valid", "slot", "claim"),
        [_row(each) for each in found],
        wrap={"valid": 20, "slot": 10, "claim": 12},
    )
    _say_onwards("records", onwards)


def _row(record: Record) -> tuple[object, ...]:
    # A retracted or proposed record stands nowhere: then what was stated says more than nothing.
    spans = record.stands or (record.stated,)
    valid = ", ".join(f"{moment(start, 'open')} → {moment(end, 'open')}" for start, end in spans)
    slot = None
    if record.attribute is not None:
        slot = f"{record.attribute}{f'[{record.object}]' if record.object else ''}"
        slot = slot if record.entity in (None, "user") else f"{record.entity}/{slot}"
        slot += " unset" if record.unset else f"={record.value}"
    return record.id, str(record.status), record.scope or "-", valid, slot, record.claim


def _say_onwards(verb: str, onwards: str | None) -> None:
    if onwards is not None:
        note(f"there may be more: stead {verb} --after {onwards}")


@command(READ, "stead episodes --conversation c1")
def episodes(
    here: Here,
    conversation: Annotated[str | None, typer.Option("--conversation", help="Only those of this conversation.")] = None,
    limit: opt.Limit = 100,
    after: opt.After = None,
) -> None:
    """List episodes: what was said, in its original words."""
    with here.subject() as subject:
        found = list(subject.episodes(conversation, limit=limit, after=after))
    rows = [plain(each) for each in found]
    onwards = rows[-1]["id"] if len(rows) == limit else None
    if here.json:
        print_json({"episodes": rows, "after": onwards})
        return
    if not rows:
        note("no episodes here" if after is None else "no further episodes")
        return
    print_table(
        ("id", "said at", "conversation", "turn", "role", "speaker", "scope", "text"),
        [
            (
                each.id,
                moment(each.said_at),
                each.conversation,
                each.turn,
                each.role,
                each.speaker,
                each.scope,
                each.text,
            )
            for each in found
        ],
        wrap={"text": 20},
    )
    _say_onwards("episodes", onwards)


@command(READ, "stead questions")
def questions(
    here: Here,
    quarantined: Annotated[
        bool, typer.Option("--quarantined", help="List what reads as an instruction to an agent instead.")
    ] = False,
) -> None:
    """List what only a person can answer: contests, proposals and reviews, with every claim."""
    with here.subject() as subject:
        found = subject.questions(quarantined=quarantined)
    if here.json:
        print_json({"questions": found})
        return
    if not found:
        note("no open questions")
    draw_questions(found)
