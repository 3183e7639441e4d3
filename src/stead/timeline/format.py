"""The format as tables: the verbs with their fields, and what a step may expect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from stead.errors import SteadError
from stead.model.outcome import Decision
from stead.model.record import Status, Tier
from stead.timeline.forms import (
    COUNT,
    NAMES,
    NOTHING,
    NUMBER,
    OPEN,
    SCALAR,
    TEXT,
    TEXTS,
    TIME,
    TRUE,
    TRUTH,
    Form,
    each,
    either,
    mapping,
    one_of,
)

_SAID = mapping(["attribute"], entity=TEXT, attribute=TEXT, object=TEXT, value=SCALAR, unset=TRUTH)
_ASKED = mapping(["attribute"], entity=TEXT, attribute=TEXT, object=TEXT)
_SOURCE = mapping(conversation=TEXT, turn=TEXT, uri=TEXT)
_BUDGET = mapping(facts=COUNT, episodes=COUNT, tokens=COUNT)
_RECORD = mapping(["record"], record=TEXT)
_NAMED = mapping(["name"], name=TEXT)

AS: Final = mapping(
    tenant=either(TEXT, NOTHING),
    subject=either(TEXT, NOTHING),
    purpose=either(TEXT, NOTHING),
    audience=either(NAMES, NOTHING),
)
"""Who acts; nothing (null) is the default again."""

VERBS: Final[Mapping[str, Form]] = {
    "remember": mapping(
        ["claim"],
        claim=TEXT, ref=TEXT, slot=_SAID, speaker=TEXT, kind=TEXT, category=TEXT, scope=TEXT, purpose=NAMES,
        audience=NAMES, authority=TEXT, confidence=NUMBER, importance=NUMBER, sensitivity=TEXT, source=_SOURCE,
        observed_at=TIME, valid_from=TIME, valid_until=TIME, expires_at=TIME, overrides=TEXTS, derived_from=TEXTS,
        meaning=TEXT, idempotency_key=TEXT, if_version=COUNT, epoch=COUNT,
    ),
    "say": mapping(["text"], text=TEXT, role=TEXT, conversation=TEXT),
    "end_session": mapping(conversation=TEXT, refs=OPEN),
    "recall": mapping(
        query=TEXT, slot=_ASKED, category=TEXT, scope=TEXT, at=TIME, known_at=TIME, include_cold=TRUTH, purpose=TEXT,
        audience=NAMES, budget=_BUDGET,
    ),
    "confirm": _RECORD,
    "reject": _RECORD,
    "settle": mapping(
        keep=TEXT, neither=TRUE, scopes=each(TEXT, "a mapping from refs to scopes"), undo=either(TRUE, TEXT), question=TEXT
    ),
    "correct": mapping(["record"], record=TEXT, claim=TEXT, value=SCALAR, valid_from=TIME, meaning=TEXT),
    "end": mapping(["when"], when=TIME, record=TEXT, slot=_ASKED, scope=TEXT),
    "retract": _RECORD,
    "holds": mapping(["slot"], slot=_ASKED, scope=TEXT, known_at=TIME),
    "rollback": _RECORD,
    "use": mapping(["records"], records=TEXTS),
    "verify": _RECORD,
    "revalidate": mapping(record=TEXT, limit=COUNT, claims=OPEN, refs=OPEN),
    "erase": mapping(["by"], by=mapping(
        record=NAMES, slot=_ASKED, scope=TEXT, category=TEXT, conversation=TEXT, source=TEXT, before=TIME, after=TIME,
        subject=TRUE,
    )),
    "history": _RECORD,
    "why": _RECORD,
    "event": mapping(["name"], name=TEXT, scope=TEXT),
    "alias": mapping(["name", "means"], name=TEXT, means=TEXT),
    "unalias": _NAMED,
    "consent": mapping(personalisation=TRUTH, classes=OPEN),
    "consolidate": mapping(dry_run=TRUTH, limit=COUNT, share=NUMBER, resume=TRUTH),
    "decay": mapping(dry_run=TRUTH, threshold=NUMBER, cap=COUNT),
    "migrate": mapping(model=TEXT, strategy=one_of("reembed", "dual", "adapter", "bridge")),
    "backup": _NAMED,
    "restore": _NAMED,
    "restart": mapping(),
}  # fmt: skip
"""Each verb with its fields."""

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "settle": ("keep", "neither", "scopes", "undo"),
    "end": ("record", "slot"),
}
"""Verbs that take exactly one of several fields."""


def _codes(root: type[SteadError] = SteadError) -> Iterator[str]:
    yield root.code
    for branch in root.__subclasses__():
        yield from _codes(branch)


def _is_held(value: object) -> bool:
    return value is None or SCALAR.fits(value) or (isinstance(value, list) and all(map(SCALAR.fits, value)))


def _is_stretch(value: object) -> bool:
    match value:
        case [held, start, end]:
            return _is_held(held) and all(at is None or TIME.fits(at) for at in (start, end))
        case _:
            return False


_KINDS = ("confirm", "contested", "clarify", "review")
_QUESTIONS = Form(
    says=f"a count, or a list of kinds ({', '.join(_KINDS)})",
    fits=lambda value: COUNT.fits(value) or (TEXTS.fits(value) and all(kind in _KINDS for kind in value)),
)
_STRETCHES = Form(
    says="a list of [value, from, until]",
    fits=lambda value: isinstance(value, list) and all(map(_is_stretch, value)),
)
_HELD = Form(says="a value, a list of values or null", fits=_is_held)

EXPECTATIONS: Final[Mapping[str, Form]] = {
    "decision": one_of(*Decision),
    "route": TEXT,
    "status": each(one_of(*Status), f"a mapping from refs to a status ({', '.join(Status)})"),
    "tier": each(one_of(*Tier), "a mapping from refs to hot or cold"),
    "facts": TEXTS,
    "includes": TEXTS,
    "excludes": TEXTS,
    "values": each(_HELD, "a mapping from attributes to a value"),
    "intervals": _STRETCHES,
    "questions": _QUESTIONS,
    "divergences": COUNT,
    "episodes": TEXTS,
    "rule": TEXT,
    "count": COUNT,
    "tokens_at_most": COUNT,
    "receipt": mapping(complete=TRUTH, surfaces=TEXTS),
    "bytes_absent": TEXTS,
    "error": one_of(*sorted(set(_codes()))),
    "note": TEXT,
}
"""What a step may expect."""

_WRITES = frozenset(
    {
        "say",
        "end_session",
        "consent",
        "event",
        "alias",
        "unalias",
        "remember",
        "confirm",
        "reject",
        "settle",
        "correct",
        "end",
        "retract",
        "rollback",
        "verify",
        "revalidate",
    }
)
_RECALL = frozenset({"recall"})

APPLIES: Final[Mapping[str, frozenset[str]]] = {
    "decision": _WRITES | {"erase"},
    "route": _WRITES,
    "rule": _WRITES | _RECALL,
    "facts": frozenset({"recall", "history"}),
    "count": frozenset({"recall", "history"}),
    "values": _RECALL,
    "divergences": _RECALL,
    "episodes": _RECALL,
    "tokens_at_most": _RECALL,
    "intervals": frozenset({"holds"}),
    "receipt": frozenset({"erase"}),
}
"""The verbs whose result an expectation can be read off; one that isn't listed applies to every verb."""
