"""What a claim's words answer, as the questions under which records are filed (R24): exactly as a write reads them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from stead.model.record import Kind
from stead.model.slot import FROM_TEXT, SlotKey
from stead.recall.names import NO_NAMES, Names
from stead.resolve.text import Frame
from stead.resolve.text.reading import read_fully
from stead.store.values import Revision

_LONGEST: Final = 200
"""Characters of a part of a question, as in a slot."""
_OF_ITS_OWN: Final = (Kind.PLAN, Kind.INSTRUCTION)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a claim answers to a question."""

    value: str
    single: bool
    """The question has one answer at a time."""
    said_of: str | None = None
    """The entity that the words name, where an alias files it under another one (R21)."""


def apart(kind: str) -> str:
    """Return what sets the questions of a kind apart: a plan and an instruction answer other questions than a fact.

    >>> apart("plan"), apart("fact") == apart("preference")
    ('plan ', True)
    """
    return f"{kind} " if kind in (*_OF_ITS_OWN, Kind.REFLECTION) else ""


def question(row: Revision, names: Names = NO_NAMES) -> tuple[SlotKey, Answer] | None:
    """Return the question under which a write files a claim, and its answer."""
    return next(iter(_answers(row, names, first=True).items()), None)


def questions(row: Revision, names: Names = NO_NAMES) -> dict[SlotKey, Answer]:
    """Return every question that a claim answers, the first one first."""
    return _answers(row, names, first=False)


def _answers(row: Revision, names: Names, *, first: bool) -> dict[SlotKey, Answer]:
    reading = None if row.kind == Kind.REFLECTION else read_fully(row.claim)  # a reflection sums up and answers none
    frames = reading.frames if reading else ()
    found: dict[SlotKey, Answer] = {}
    for frame in frames[:1] if first else frames:
        key = _filed(frame, row.kind)
        if key is not None:
            meant = names.key(key)
            answer = Answer(value=frame.value, single=frame.single)
            found.setdefault(meant, answer if meant == key else replace(answer, said_of=key.entity))
    return found


def _filed(frame: Frame, kind: str) -> SlotKey | None:
    if max(map(len, frame.key)) > _LONGEST - len(FROM_TEXT):
        return None
    return SlotKey(entity=frame.entity, attribute=f"{FROM_TEXT}{apart(kind)}{frame.relation}", object=frame.object)
