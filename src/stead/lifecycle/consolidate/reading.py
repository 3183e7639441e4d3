"""What a claim's words answer, as the questions under which records are filed (R24)."""

from __future__ import annotations

from typing import Final

from stead.model.slot import FROM_TEXT, SlotKey
from stead.resolve.text import Frame, read
from stead.resolve.text.reading import read_fully

_LONGEST: Final = 200
"""Characters of a part of a question, as in a slot."""


def question(claim: str) -> tuple[SlotKey, str] | None:
    """Return the question that a claim answers, and its answer; as a write files it."""
    frame = read(claim)
    return None if frame is None else _filed(frame)


def questions(claim: str) -> dict[SlotKey, tuple[str, bool]]:
    """Return every question that a claim answers, the first one first, with the answer and whether there is only one."""
    reading = read_fully(claim)
    found: dict[SlotKey, tuple[str, bool]] = {}
    for frame in reading.frames if reading else ():
        filed = _filed(frame)
        if filed is not None:
            found.setdefault(filed[0], (filed[1], frame.single))
    return found


def _filed(frame: Frame) -> tuple[SlotKey, str] | None:
    if max(map(len, frame.key)) > _LONGEST - len(FROM_TEXT):
        return None
    return SlotKey(entity=frame.entity, attribute=FROM_TEXT + frame.relation, object=frame.object), frame.value
