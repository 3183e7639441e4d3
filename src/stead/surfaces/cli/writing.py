"""The verbs that write: remember, say, and the answers and repairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from stead.errors import InvalidArgument
from stead.model.record import Kind, Meaning
from stead.surfaces.cli import options as opt
from stead.surfaces.cli.bulk import read_lines, remember_lines
from stead.surfaces.cli.commands import DECIDE, WRITE, Here, command
from stead.surfaces.cli.output import cell, moment, note, out, print_json

if TYPE_CHECKING:
    from stead import Outcome

JsonLines = Annotated[
    str | None,
    typer.Option(
        "--jsonl",
        help="Write many: one JSON object a line with the names of remember's parameters; - is stdin.",
        metavar="FILE",
    ),
]


def show(here: Here, outcome: Outcome) -> None:
    """Print what a write did."""
    if here.json:
        print_json(outcome)
        return
    again = "  (replayed: the outcome of the first call with this key)" if outcome.replayed else ""
    kept = outcome.record is not None or outcome.verb in ("consent", "event", "alias", "unalias")
    status = outcome.status or ("recorded" if kept else "nothing stored")
    out(f"{outcome.decision}  {outcome.record or '-'}  {status}{again}")
    out(f"  why       {cell(outcome.rule)}: {cell(outcome.reason)}")
    if outcome.affected:
        out(f"  affected  {cell(outcome.affected)}")
    if outcome.question:
        out(f"  question  {outcome.question}")
    if outcome.version is not None:
        out(f"  version   {outcome.version}")
    if outcome.known_at is not None:
        out(f"  known at  {moment(outcome.known_at, exact=True)}")
    for warning in outcome.warnings:
        note(warning)


@command(WRITE, 'stead remember "Prefers an aisle seat" --slot travel.seat=aisle --authority confirmed')
def remember(
    here: Here,
    claim: Annotated[
        str | None, typer.Argument(help="One short sentence; - reads it from stdin.", metavar="CLAIM")
    ] = None,
    jsonl: JsonLines = None,
    slot: opt.SlotText = None,
    entity: opt.Entity = None,
    attribute: opt.Attribute = None,
    object_: opt.Object = None,
    value: opt.Value = None,
    unset: opt.Unset = False,
    scope: opt.Scope = "",
    kind: opt.KindOf = Kind.FACT,
    category: opt.Category = None,
    authority: opt.AuthorityOf = None,
    speaker: opt.Speaker = None,
    source: opt.SourceOf = None,
    purpose: opt.Purpose = None,
    audience: opt.Audience = None,
    confidence: opt.Confidence = 1.0,
    importance: opt.Importance = None,
    sensitivity: opt.Sensitivity = None,
    observed_at: opt.ObservedAt = None,
    valid_from: opt.ValidFrom = None,
    valid_until: opt.ValidUntil = None,
    expires_at: opt.ExpiresAt = None,
    reading: opt.ReadingOf = None,
    meaning: opt.MeaningOrWords = None,
    overrides: opt.Overrides = None,
    derived_from: opt.DerivedFrom = None,
    review_events: opt.ReviewEvents = None,
    owner: opt.Owner = None,
    trigger: opt.Trigger = "remember",
    idempotency_key: opt.Key = None,
    if_version: opt.IfVersion = None,
    epoch: opt.Epoch = None,
) -> None:
    """Write a claim, and say what it did to what was there."""
    made = opt.slot_to_write(slot, entity, attribute, object_, value, unset)
    given: dict[str, Any] = {
        "slot": made,
        "scope": scope,
        "kind": kind,
        "category": category,
        "authority": authority,
        "speaker": speaker,
        "source": opt.source(source),
        "purpose": purpose,
        "audience": audience,
        "confidence": confidence,
        "importance": importance,
        "sensitivity": sensitivity,
        "observed_at": observed_at,
        "valid_from": valid_from,
        "valid_until": valid_until,
        "expires_at": expires_at,
        "reading": reading,
        "meaning": meaning,
        "overrides": tuple(overrides or ()),
        "derived_from": tuple(derived_from or ()),
        "review_events": tuple(review_events or ()),
        "owner": owner,
        "trigger": trigger,
        "idempotency_key": idempotency_key,
        "if_version": if_version,
        "epoch": epoch,
    }
    if jsonl is not None:
        _remember_many(here, jsonl, claim, given)
        return
    if claim is None:
        raise InvalidArgument("claim", "missing", "Give one sentence in quotes, - for stdin, or --jsonl FILE for many.")
    text = opt.words(claim)
    with here.subject(create=True, embed=True) as subject:
        outcome = subject.remember(text, **{name: each for name, each in given.items() if each is not None})
    show(here, outcome)


DEFAULTS = {
    "scope": "",
    "kind": Kind.FACT,
    "confidence": 1.0,
    "overrides": (),
    "derived_from": (),
    "review_events": (),
    "trigger": "remember",
}
"""What an option of `remember` is when it was not given and isn't None."""


def _remember_many(here: Here, path: str, claim: str | None, given: dict[str, Any]) -> None:
    extra = [name for name, each in given.items() if each != DEFAULTS.get(name)]
    if claim is not None or extra:
        name = "claim" if claim is not None else extra[0]
        raise InvalidArgument(name, "given beside --jsonl", "Write it into the lines of the file.")
    remember_lines(here, read_lines(path))


@command(WRITE, 'stead say user "I moved to Lisbon in March." --conversation c1')
def say(
    here: Here,
    role: Annotated[
        str,
        typer.Argument(help="Who speaks in the conversation: user, assistant, tool or another role.", metavar="ROLE"),
    ],
    text: Annotated[str, typer.Argument(help="The words as they were said; - reads them from stdin.", metavar="TEXT")],
    conversation: Annotated[str, typer.Option("--conversation", help="The conversation's id.")] = "c1",
    turn: Annotated[str | None, typer.Option("--turn", help="The turn's id within the conversation.")] = None,
    speaker: opt.Speaker = None,
    said_at: Annotated[
        str | None, typer.Option("--said-at", help="When it was said; now by default.", metavar="TIME")
    ] = None,
    scope: opt.Scope = "",
) -> None:
    """Record one turn of a conversation; what it proposes waits for `stead end-session`."""
    spoken = opt.words(text)
    with here.subject(create=True, embed=True) as subject:
        session = subject.session(conversation)
        outcome = session.turn(role, spoken, speaker=speaker, turn=turn, said_at=said_at, scope=scope)
        proposals = (
            subject.explain(spoken, role=role, speaker=speaker, said_at=said_at, scope=scope) if outcome.record else []
        )
    if here.json:
        print_json({**outcome.as_dict(), "proposals": [each.as_dict() for each in proposals]})
        return
    show(here, outcome)
    for each in proposals:
        out(f"  proposes  {cell(each.claim or '-')}  ({each.route}: {each.rule})")


@command(DECIDE, "stead settle que_8kq2m4n6p0r3s5t7 --keep rec_1a2b3c4d5e6f7g8h")
def settle(
    here: Here,
    question: Annotated[
        str | None,
        typer.Argument(
            help="The question's id, or that of a record in it; the only open one by default.", metavar="QUESTION"
        ),
    ] = None,
    keep: Annotated[str | None, typer.Option("--keep", help="The record that is right.", metavar="RECORD")] = None,
    neither: Annotated[bool, typer.Option("--neither", help="None of them is right.")] = False,
    scope: Annotated[
        list[str] | None,
        typer.Option(
            "--scope",
            help="Each is right in its own place: the scope in which a record goes on; repeat for several.",
            metavar="RECORD=SCOPE",
        ),
    ] = None,
    undo: Annotated[
        bool, typer.Option("--undo", help="Take the last answer to the question back; it is open again.")
    ] = False,
    idempotency_key: opt.Key = None,
) -> None:
    """Answer a contest: keep one claim, or none, or give each its own scope; or take an answer back."""
    scopes = _scopes(scope)
    if sum((keep is not None, neither, scopes is not None, undo)) != 1:
        raise InvalidArgument(
            "keep", "one answer is needed",
            "Give --keep RECORD, --neither, --scope RECORD=SCOPE or --undo; stead questions lists what is open.",
        )  # fmt: skip
    with here.subject() as subject:
        outcome = subject.settle(
            question, keep=keep, neither=neither, scopes=scopes, undo=undo, idempotency_key=idempotency_key
        )
    show(here, outcome)


def _scopes(pairs: list[str] | None) -> dict[str, str] | None:
    if not pairs:
        return None
    split = [pair.partition("=") for pair in pairs]
    if not all(record and sign for record, sign, _ in split) or len({record for record, _, _ in split}) < len(split):
        raise InvalidArgument(
            "scope", "not of the form RECORD=SCOPE, each record once", "For instance --scope rec_1a2b3c4d5e6f7g8h=work."
        )
    return {record: scope for record, _, scope in split}


@command(DECIDE, "stead confirm rec_1a2b3c4d5e6f7g8h")
def confirm(
    here: Here,
    record: opt.RecordId,
    valid_from: opt.ValidFrom = None,
    valid_until: opt.ValidUntil = None,
    release: Annotated[
        bool, typer.Option("--release", help="A person has looked at this quarantined claim and releases it.")
    ] = False,
    reading: opt.ReadingOf = None,
    idempotency_key: opt.Key = None,
) -> None:
    """Say yes to a proposal: it stands from now on, confirmed; or to a review: it still holds."""
    with here.subject() as subject:
        outcome = subject.confirm(
            record, valid_from=valid_from, valid_until=valid_until, release=release, reading=reading,
            idempotency_key=idempotency_key,
        )  # fmt: skip
    show(here, outcome)


@command(DECIDE, "stead reject rec_1a2b3c4d5e6f7g8h")
def reject(here: Here, record: opt.RecordId, idempotency_key: opt.Key = None) -> None:
    """Say no to a proposal, for good; what a review asked about ends now."""
    with here.subject() as subject:
        outcome = subject.reject(record, idempotency_key=idempotency_key)
    show(here, outcome)


@command(DECIDE, 'stead correct rec_1a2b3c4d5e6f7g8h "Works at Apex" --value Apex')
def correct(
    here: Here,
    record: opt.RecordId,
    claim: Annotated[
        str | None, typer.Argument(help="The right sentence; - reads it from stdin.", metavar="CLAIM")
    ] = None,
    value: Annotated[str | None, typer.Option("--value", help="The right value of its slot.")] = None,
    valid_from: opt.ValidFrom = None,
    reading: opt.ReadingOf = None,
    meaning: opt.MeaningOf = Meaning.CORRECTED,
    idempotency_key: opt.Key = None,
) -> None:
    """Repair a record: it was never true as it stands, or the world changed."""
    with here.subject() as subject:
        outcome = subject.correct(
            record,
            None if claim is None else opt.words(claim),
            value=value,
            valid_from=valid_from,
            meaning=meaning,
            reading=reading,
            idempotency_key=idempotency_key,
        )
    show(here, outcome)


@command(DECIDE, "stead end --slot employer --when 2026-06-30 --zone Europe/Berlin")
def end(
    here: Here,
    record: Annotated[
        str | None, typer.Argument(help="A record's id, or name a slot instead.", metavar="RECORD")
    ] = None,
    slot: opt.SlotText = None,
    entity: opt.Entity = None,
    attribute: opt.Attribute = None,
    object_: opt.Object = None,
    scope: opt.Scope = "",
    when: Annotated[
        str | None, typer.Option("--when", help="From when it is no longer true; now by default.", metavar="TIME")
    ] = None,
    reading: opt.ReadingOf = None,
    idempotency_key: opt.Key = None,
) -> None:
    """Say that a record, or what a slot holds, is no longer true."""
    asked = opt.slot_to_ask(slot, entity, attribute, object_)
    if (record is None) == (asked is None):
        raise InvalidArgument("record", "a record or a slot is needed", "Give a record's id, or --slot home.city.")
    with here.subject() as subject:
        outcome = subject.end(
            record, slot=asked, scope=scope, when=when, reading=reading, idempotency_key=idempotency_key
        )
    show(here, outcome)


@command(DECIDE, "stead retract rec_1a2b3c4d5e6f7g8h")
def retract(here: Here, record: opt.RecordId, idempotency_key: opt.Key = None) -> None:
    """Say that a record was never true; its history stays."""
    with here.subject() as subject:
        outcome = subject.retract(record, idempotency_key=idempotency_key)
    show(here, outcome)


@command(DECIDE, "stead rollback rec_1a2b3c4d5e6f7g8h")
def rollback(here: Here, record: opt.RecordId, idempotency_key: opt.Key = None) -> None:
    """Undo what ended a record: a supersession, a retraction or an answer; or put back what a refinement reworded."""
    with here.subject() as subject:
        outcome = subject.rollback(record, idempotency_key=idempotency_key)
    show(here, outcome)


@command(DECIDE, "stead revalidate")
def revalidate(
    here: Here,
    record: Annotated[
        str | None, typer.Argument(help="Only this record; all that wait by default.", metavar="RECORD")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", help="How many records are changed at most.")] = 100,
) -> None:
    """Re-derive or withdraw what was made from records that no longer hold, and say what waits for a person."""
    with here.subject() as subject:
        outcomes = subject.revalidate(record, limit=limit)
        waiting = [each for each in subject.questions() if each.event == "source ended"]
    if here.json:
        print_json({"outcomes": outcomes, "waiting": [each.id for each in waiting]})
        return
    for each in outcomes:
        show(here, each)
    if waiting:
        note(f"{len(waiting)} wait for an answer: stead questions, then stead confirm or stead reject")
    elif not outcomes:
        note("everything that was made from records has what it was made from")


@command(DECIDE, "stead verify rec_1a2b3c4d5e6f7g8h")
def verify(here: Here, record: opt.RecordId, idempotency_key: opt.Key = None) -> None:
    """Note that the subject restated a record; nothing new was said."""
    with here.subject() as subject:
        outcome = subject.verify(record, idempotency_key=idempotency_key)
    show(here, outcome)


@command(WRITE, "stead used rec_1a2b3c4d5e6f7g8h epi_8h7g6f5e4d3c2b1a")
def used(here: Here, ids: Annotated[list[str], typer.Argument(help="Records and episodes.", metavar="ID")]) -> None:
    """Report which items an answer really used."""
    with here.subject() as subject:
        subject.used(*ids)
    if here.json:
        print_json({"used": ids})
    else:
        out(f"used  {cell(ids)}")
