"""What governs the writes: sessions and their review, consent, events, the write log, and the policy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from stead.errors import InvalidArgument
from stead.surfaces.cli import options as opt
from stead.surfaces.cli.commands import DECIDE, LOOK, READ, WRITE, Here, app, command
from stead.surfaces.cli.output import cell, moment, note, out, plain, print_json, print_table
from stead.surfaces.cli.writing import show

if TYPE_CHECKING:
    from stead import Erasure, Outcome, Receipt

policy = typer.Typer(help="What may be remembered, and why.", no_args_is_help=True)
app.add_typer(policy, name="policy", rich_help_panel=LOOK)

CLASSES = Annotated[
    list[str] | None,
    typer.Argument(help="health=yes, finance=no, …; without any, print what is allowed today.", metavar="CLASS=yes|no"),
]


@command(WRITE, "stead end-session c1", name="end-session")
def end_session(
    here: Here,
    conversation: Annotated[str, typer.Argument(help="The conversation's id.", metavar="CONVERSATION")] = "c1",
    drop: Annotated[bool, typer.Option("--drop", help="Write nothing of what it proposed; its turns stay.")] = False,
) -> None:
    """Review what a conversation proposed, and write what is left of it in one transaction."""
    with here.subject(embed=True) as subject:
        if conversation not in subject.open_sessions():
            raise InvalidArgument(
                "conversation", "no session of it is open", "stead sessions lists them; stead say opens one."
            )
        session = subject.session(conversation)
        outcomes: tuple[Outcome, ...] = ()
        if drop:
            session.drop()
        else:
            outcomes = session.close()
    if here.json:
        print_json({"conversation": conversation, "outcomes": outcomes, "model": session.model})
        return
    print_table(
        ("turn", "decision", "route", "rule", "record", "claim"),
        [(each.turn, str(each.decision), each.route, each.rule, each.record, each.claim) for each in outcomes],
        wrap={"claim": 16},
    )
    for each in outcomes:
        if each.question:
            note(f"{each.question} waits for an answer: stead questions")
    if session.model:
        note("the model: " + ", ".join(f"{name} {cell(value) or '-'}" for name, value in session.model.items()))
    if not outcomes:
        note("dropped: nothing of it is written" if drop else "it proposed nothing")


@command(READ, "stead sessions")
def sessions(here: Here) -> None:
    """List the conversations whose session was never ended: go on, end or drop them."""
    with here.subject() as subject:
        found = subject.open_sessions()
    if here.json:
        print_json({"sessions": found})
        return
    for each in found:
        out(each)
    if not found:
        note("no session is open")


@command(DECIDE, "stead consent health=yes finance=no")
def consent(
    here: Here,
    classes: CLASSES = None,
    personalisation: Annotated[
        bool | None, typer.Option("--personalisation/--no-personalisation", help="Whether anything is remembered.")
    ] = None,
    idempotency_key: opt.Key = None,
) -> None:
    """Set, or print, what the subject allows to be remembered."""
    if not classes and personalisation is None:
        with here.subject() as subject:
            allowed = subject.consents()
        if here.json:
            print_json(allowed)
        else:
            print_table(("class", "allowed"), [(name, "yes" if each else "no") for name, each in allowed.items()])
        return
    given = {name: _yes(name, value) for name, _, value in (each.partition("=") for each in classes or ())}
    with here.subject(create=True) as subject:
        outcome = subject.consent(
            personalisation=personalisation, classes=given or None, idempotency_key=idempotency_key
        )
    show(here, outcome)


def _yes(name: str, value: str) -> bool:
    if value not in ("yes", "no"):
        raise InvalidArgument(f"classes.{name}", "neither yes nor no", "Write health=yes or health=no.")
    return value == "yes"


@command(DECIDE, 'stead event "role changed"')
def event(
    here: Here,
    name: Annotated[str, typer.Argument(help="As the records or their categories name it.", metavar="NAME")],
    scope: opt.Scope = "",
    all_subjects: Annotated[bool, typer.Option("--all-subjects", help="For every subject of the tenant.")] = False,
    idempotency_key: opt.Key = None,
) -> None:
    """Report that something happened: every record that names it becomes a review question."""
    if all_subjects:
        if idempotency_key is not None:
            raise InvalidArgument("idempotency_key", "an event of the tenant takes none", "Leave it out.")
        with here.store() as store:
            show(here, store.event(name, scope=scope))
        return
    with here.subject() as subject:
        outcome = subject.event(name, scope=scope, idempotency_key=idempotency_key)
    show(here, outcome)


@command(READ, "stead log --limit 20")
def log(
    here: Here,
    limit: opt.Limit = 100,
    after: Annotated[int, typer.Option("--after", help="Go on after this row, the last of the page before.")] = 0,
) -> None:
    """List every decision on every candidate, kept or not: what triggered it, which rule decided, what was done."""
    with here.subject() as subject:
        found = subject.decisions(limit=limit, after=after)
    if here.json:
        print_json({"decisions": found})
        return
    columns = ("n", "known_at", "verb", "route", "decision", "rule", "record", "conversation", "turn")
    print_table(columns, [[row[name] for name in columns] for row in found])
    if not found:
        note("nothing was decided yet")


@command(READ, "stead erasures")
def erasures(here: Here) -> None:
    """List what of the subject was erased or is being, with the numbers of the receipts, and print its epoch."""
    with here.store() as store:
        subject = store.subject(here.settings.subject)
        epoch, found = subject.epoch, subject.erasures()
        proofs = {each.erasure: each for each in store.receipts()} if found else {}
    if here.json:
        numbers = {name: each.seq for name, each in proofs.items()}
        rows = [{**each.as_dict(), "receipt": numbers.get(each.id)} for each in found]
        print_json({"epoch": epoch, "erasures": rows})
        return
    print_table(
        ("erasure", "since", "status", "receipt", "records", "turns", "selected"),
        [_erasure(each, proofs.get(each.id)) for each in found],
    )
    if not found:
        note("nothing was erased")
    else:
        note(f"epoch {epoch}: give it to remember --epoch, which refuses if something was erased since")


def _erasure(each: Erasure, proof: Receipt | None) -> tuple[object, ...]:
    number = None if proof is None else proof.seq
    return each.id, moment(each.known_at), each.status, number, each.records, each.turns, _selected(each, proof)


def _selected(each: Erasure, proof: Receipt | None) -> str:
    """Say by what structure it was selected; words are kept of no request."""
    if each.everything:
        return "everything"
    names = [*each.categories, *each.attributes] or ([f"conversation {each.conversation}"] if each.conversation else [])
    return ", ".join(names) or ("-" if proof is None else "+".join(proof.by))


@command(LOOK, "stead policy show categories", under=policy, name="show", common=("policy",))
def policy_show(
    here: Here,
    part: Annotated[
        str | None,
        typer.Argument(help="categories, attributes, routes, scopes, limits, consent or traits.", metavar="PART"),
    ] = None,
) -> None:
    """Print the policy that holds: the built-in one with yours laid over it."""
    from stead.policy import load
    from stead.policy.traits import MEANINGS

    found = load(here.settings.policy)
    parts: dict[str, Any] = {
        "categories": found.categories,
        "attributes": found.attributes,
        "routes": {each.name: each for each in found.routes},
        "scopes": found.scopes,
        "limits": found.limits,
        "consent": {"personalisation": found.personalisation, "opted_in": sorted(found.opted_in)},
        "traits": dict(MEANINGS),
    }
    if part is not None and part not in parts:
        raise InvalidArgument("part", "no such part", f"Parts: {', '.join(parts)}.")
    chosen = parts if part is None else {part: parts[part]}
    if here.json:
        print_json({name: _spelled(each) for name, each in chosen.items()})
        return
    for name, each in chosen.items():
        if part is None:
            out(f"\n{name}")
        _print_part(each)


def _spelled(value: Any) -> Any:
    if isinstance(value, timedelta):
        return f"{value // timedelta(days=1)}d" if value >= timedelta(days=1) else f"{value // timedelta(hours=1)}h"
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: _spelled(getattr(value, each.name)) for each in fields(value) if each.name != "name"}
    if isinstance(value, Mapping):
        return {str(name): _spelled(each) for name, each in value.items()}
    return plain(value)


def _print_part(part: Any) -> None:
    rows = _spelled(part)
    if not rows:
        note("none")
        return
    if not all(isinstance(each, Mapping) for each in rows.values()):
        print_table(("name", "value"), list(rows.items()), wrap={"value": 40})
        return
    columns = list(dict.fromkeys(name for row in rows.values() for name in row))
    print_table(
        ("name", *columns),
        [(name, *(_short(row.get(each)) for each in columns)) for name, row in rows.items()],
        wrap=dict.fromkeys(("says", "terms", "reason"), 24),
    )


def _short(value: Any) -> Any:
    return "no" if value is False else value


@command(LOOK, "stead policy check policy.toml", under=policy, name="check", common=())
def policy_check(
    here: Here,
    file: Annotated[Path, typer.Argument(help="A policy file.", metavar="FILE")],
) -> None:
    """Check a policy file: unknown keys and impossible values are named with their line."""
    from stead.memory.store import check_says
    from stead.policy import load

    found = load(file)
    check_says(found)
    counts = {"categories": len(found.categories), "attributes": len(found.attributes), "routes": len(found.routes)}
    if here.json:
        print_json({"valid": True, **counts})
        return
    out("valid: with the built-in policy it has " + ", ".join(f"{count} {name}" for name, count in counts.items()))


@command(LOOK, 'stead policy explain "My delivery address is 5 Mill Lane"', under=policy, name="explain")
def policy_explain(
    here: Here,
    text: Annotated[str, typer.Argument(help="The words of a turn; - reads them from stdin.", metavar="TEXT")],
    role: Annotated[str, typer.Option("--role", help="Who says it: user, assistant, tool or another role.")] = "user",
    said_at: Annotated[
        str | None, typer.Option("--said-at", help="When it is said; now by default.", metavar="TIME")
    ] = None,
) -> None:
    """Tell what would become of some words: which route, by which rule, and why. Nothing is written."""
    from stead.memory.explaining import Explained

    words = opt.words(text)
    with here.scratch() as subject:
        found: list[Explained] = subject.explain(words, role=role, said_at=said_at)
    if here.json:
        print_json({"candidates": [each.as_dict() for each in found]})
        return
    for each in found:
        out(f"{each.claim or words}")
        _explain(each.as_dict())
    if not found:
        note("the words propose nothing to remember; a turn with them is kept as words")


def _explain(found: Mapping[str, object]) -> None:
    slot = found["slot"]
    shown: Iterable[tuple[str, object]] = (
        ("route", found["route"]),
        ("rule", f"{found['rule']}: {found['reason']}"),
        ("slot", None if slot is None else f"{slot} = {found['value']}"),
        ("category", found["category"]),
        ("authority", found["authority"]),
        ("holds", None if found["claim"] is None else f"{found['valid_from']} → {found['valid_until'] or 'open'}"),
        ("recurs", found["recurs"]),
        ("traits", found["traits"]),
    )
    for name, value in shown:
        if value:
            out(f"  {name:<10}{cell(value)}")
