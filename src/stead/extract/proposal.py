"""What a turn proposes to remember: a candidate with where it stands in the turn, not yet a record (R18)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from stead.model.period import Instant
from stead.model.record import Kind, Meaning
from stead.model.slot import Slot


class Act(StrEnum):
    """What the words do."""

    SAY = "say"
    """They state something: "I live in Lyon"."""
    CORRECT = "correct"
    """They repair an earlier statement that was never true: "I meant Apex, not Acme"."""
    END = "end"
    """They say that something holds no more, without saying what holds now: "I no longer work at Acme"."""
    TAKE_BACK = "take_back"
    """They take back what was said in this conversation: "forget the Dutch thing"."""
    FORGET = "forget"
    """They ask that something remembered be forgotten, or deny having said it (R27)."""


TRAITS: Final = frozenset({
    "hypothetical", "question", "quote", "irony", "mood", "aside", "task_only", "past_event", "remember", "standing",
    "plan", "third_party", "unresolved_time", "summary", "uncertain",
})  # fmt: skip
"""What extraction can say of a proposal beside its content; routes are chosen by these and by what the guards find."""


EVERYTHING: Final = "everything"
HERE: Final = "this conversation"
WHOLE: Final = frozenset({EVERYTHING, HERE})
"""What a FORGET is about that names no topic and leaves nothing out, whatever its words are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One candidate that was found in the words of one turn. Nothing in it is invented: value and entity occur there."""

    claim: str
    """A short declarative sentence without a subject, in the speaker's own terms: ``Lives in Lyon``."""
    span: tuple[int, int]
    """Where in the turn's text it was found: ``text[start:end]`` are the words that carry it."""
    act: Act = Act.SAY
    kind: Kind = Kind.FACT
    slot: Slot | None = None
    """With ``entity`` (``user`` by default, ``daughter`` or a name for others), ``attribute``, ``object`` and ``value``."""
    category: str | None = None
    """By the slot's attribute where there is one."""
    traits: frozenset[str] = frozenset()
    """Of `TRAITS`."""
    valid_from: Instant | None = None
    """Stated start in microseconds since 1970 UTC; None: from when it was said."""
    valid_until: Instant | None = None
    """Stated end; None: open."""
    recurs: str | None = None
    """The rule of something that comes back, as iCalendar writes it: ``FREQ=WEEKLY;BYDAY=TU``."""
    meaning: Meaning = Meaning.CHANGED
    replaces: str | None = None
    """The value that it says was wrong: the X of "not X but Y"."""
    about: str = ""
    """For TAKE_BACK and FORGET: the words that say what is meant ("the Dutch thing"); empty for "that"."""
    scope: str = ""
    confidence: float = 1.0
    """Of the extraction, from 0 to 1."""
