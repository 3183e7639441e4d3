"""What the verbs of a timeline do. A verb that isn't in `BUILT` makes its whole story wait for a later version."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from stead.memory.explaining import Explained
from stead.model.context import Context, Interval
from stead.model.derive import Derived
from stead.model.erasure import Receipt
from stead.model.outcome import Outcome
from stead.model.record import Kind, Record
from stead.model.slot import Slot, normal, plain
from stead.timeline.stage import Stage

if TYPE_CHECKING:
    from stead import Subject

Fields = Mapping[str, Any]
CONVERSATION: Final = "c1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What became of a turn, and what would become of what it proposes."""

    turn: Outcome
    proposals: tuple[Explained, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a session's review decided."""

    outcomes: tuple[Outcome, ...]


Result = (
    Heard
    | Written
    | Outcome
    | Receipt
    | Context
    | tuple[Interval, ...]
    | tuple[Record, ...]
    | Mapping[str, object]
    | None
)
"""What a step hands to its expectations; None for a verb that returns nothing."""
Verb = Callable[[Stage, Fields], Result]


def _slot(fields: Fields) -> Slot | None:
    return Slot(**fields["slot"]) if "slot" in fields else None


def _rest(fields: Fields, *taken: str) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in taken}


def _remember(stage: Stage, fields: Fields) -> Outcome:
    linked = {name: stage.ids(fields[name]) for name in ("overrides", "derived_from") if name in fields}
    given = _rest(fields, "claim", "ref", "slot") | linked
    outcome = stage.subject.remember(fields["claim"], slot=_slot(fields), **given)
    stage.name(fields.get("ref"), outcome.record)
    return outcome


def _recall(stage: Stage, fields: Fields) -> Context:
    budget = {"episodes": 0} | fields.get("budget", {})
    return stage.subject.recall(slot=_slot(fields), budget=budget, **_rest(fields, "slot", "budget"))


def _say(stage: Stage, fields: Fields) -> Heard:
    role = fields.get("role", "user")
    routes = stage.subject.explain(fields["text"], role=role)
    outcome = stage.session(fields.get("conversation", CONVERSATION)).turn(role, fields["text"])
    return Heard(turn=outcome, proposals=tuple(routes))


def _end_session(stage: Stage, fields: Fields) -> Written:
    written = Written(outcomes=stage.end_session(fields.get("conversation", CONVERSATION)))
    _name_refs(stage, written, fields)
    return written


def _name_refs(stage: Stage, written: Written, fields: Fields) -> None:
    """Let refs name those records of several outcomes that have what they ask for."""
    for name, wanted in fields.get("refs", {}).items():
        records = [each.record for each in written.outcomes if each.record is not None]
        found = (each for each in records if _is_like(stage.subject.record(each), wanted))
        stage.name(name, next(found, None))


def _revalidate(stage: Stage, fields: Fields) -> Written:
    """Revalidate; ``claims`` says what is derived anew of each record, nothing (null) that nothing is left to say."""
    claims = {stage.id(name): claim for name, claim in fields.get("claims", {}).items()}

    def derive(record: Record, sources: Sequence[Record]) -> Derived | str | None:
        del sources
        said = claims[record.id]
        return Derived(said["claim"], said["value"]) if isinstance(said, Mapping) else said

    for kind in Kind:
        stage.store.derive(kind, derive if claims else None)
    asked = stage.id(fields["record"]) if "record" in fields else None
    written = Written(outcomes=tuple(stage.subject.revalidate(asked, limit=fields.get("limit", 100))))
    _name_refs(stage, written, fields)
    return written


def _consolidate(stage: Stage, fields: Fields) -> Mapping[str, object]:
    return stage.store.consolidate(stage.subject.name, **fields).as_dict()


def _is_like(record: Record, wanted: Mapping[str, Any]) -> bool:
    """Tell whether a record has what a ref asks for: entity, attribute, object, value, or words of the claim."""
    for name, value in wanted.items():
        if name == "claim":
            if str(value) not in record.claim:
                return False
        elif normal(str(getattr(record, name, None) or "")) != normal(plain(value)):
            return False
    return True


def _consent(stage: Stage, fields: Fields) -> Outcome:
    return stage.subject.consent(**fields)


def _alias(stage: Stage, fields: Fields) -> Outcome:
    return stage.subject.alias(fields["name"], means=fields["means"])


def _unalias(stage: Stage, fields: Fields) -> Outcome:
    return stage.subject.unalias(fields["name"])


def _event(stage: Stage, fields: Fields) -> Outcome:
    return stage.subject.event(fields["name"], scope=fields.get("scope", ""))


def _on_record(act: Callable[[Subject, str], Outcome]) -> Verb:
    return lambda stage, fields: act(stage.subject, stage.id(fields["record"]))


def _settle(stage: Stage, fields: Fields) -> Outcome:
    asked = stage.id(fields["question"]) if "question" in fields else None
    if "keep" in fields:
        return stage.subject.settle(asked, keep=stage.id(fields["keep"]))
    if "scopes" in fields:
        return stage.subject.settle(asked, scopes={stage.id(ref): scope for ref, scope in fields["scopes"].items()})
    if "undo" in fields:
        about = asked if fields["undo"] is True else stage.id(fields["undo"])
        return stage.subject.settle(about, undo=True)
    return stage.subject.settle(asked, neither=True)


def _correct(stage: Stage, fields: Fields) -> Outcome:
    return stage.subject.correct(stage.id(fields["record"]), **_rest(fields, "record"))


def _end(stage: Stage, fields: Fields) -> Outcome:
    if "record" in fields:
        return stage.subject.end(stage.id(fields["record"]), when=fields["when"])
    return stage.subject.end(slot=_slot(fields), scope=fields.get("scope", ""), when=fields["when"])


def _holds(stage: Stage, fields: Fields) -> tuple[Interval, ...]:
    return tuple(stage.subject.holds(Slot(**fields["slot"]), **_rest(fields, "slot")))


def _history(stage: Stage, fields: Fields) -> tuple[Record, ...]:
    return tuple(stage.subject.history(stage.id(fields["record"])))


def _why(stage: Stage, fields: Fields) -> Mapping[str, object]:
    return stage.subject.why(stage.id(fields["record"]))


def _use(stage: Stage, fields: Fields) -> None:
    stage.subject.used(*stage.ids(fields["records"]))


def _erase(stage: Stage, fields: Fields) -> Receipt:
    by = dict(fields["by"])
    if "slot" in by:
        by["slot"] = Slot(**by["slot"])
    if "record" in by:
        by["record"] = stage.ids([by["record"]] if isinstance(by["record"], str) else by["record"])
    if by.pop("subject", False):
        by["everything"] = True
    return stage.subject.erase(**by)


def _backup(stage: Stage, fields: Fields) -> Mapping[str, object]:
    return stage.backup(fields["name"])


def _restore(stage: Stage, fields: Fields) -> Mapping[str, object]:
    return stage.restore(fields["name"])


def _restart(stage: Stage, fields: Fields) -> None:
    del fields
    stage.close()
    _ = stage.store  # opened at once, so that a store which can't be opened again fails this step


BUILT: Final[Mapping[str, Verb]] = {
    "remember": _remember,
    "say": _say,
    "end_session": _end_session,
    "consent": _consent,
    "event": _event,
    "alias": _alias,
    "unalias": _unalias,
    "recall": _recall,
    "confirm": _on_record(lambda subject, record: subject.confirm(record)),
    "reject": _on_record(lambda subject, record: subject.reject(record)),
    "settle": _settle,
    "correct": _correct,
    "end": _end,
    "retract": _on_record(lambda subject, record: subject.retract(record)),
    "holds": _holds,
    "rollback": _on_record(lambda subject, record: subject.rollback(record)),
    "use": _use,
    "verify": _on_record(lambda subject, record: subject.verify(record)),
    "revalidate": _revalidate,
    "consolidate": _consolidate,
    "history": _history,
    "why": _why,
    "erase": _erase,
    "backup": _backup,
    "restore": _restore,
    "restart": _restart,
}
"""The verbs that this version can do: each takes the stage and its fields, and returns what the step expects of."""
