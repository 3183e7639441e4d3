"""Random histories: operations that make sense in the state that the reference is in.

Few slots, scopes, speakers and instants, so that everything collides. Times are days.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any, Final

from tests.reference.store import Reference

ATTRIBUTES: Final = ("x.a", "x.a", "x.a", "x.b")
SCOPES: Final = ("", "", "", "w", "w/v")
READERS: Final = ("", "w", "w/v", "w/v/u", "w-v", "%")
SPEAKERS: Final = ("ana", "ana", "ben", "cy")
SPELLINGS: Final = {"p": ("p", " P"), "q": ("q", "Q "), "r s": ("r s", "R\t S")}
AUTHORITIES: Final = ("stated",) * 6 + ("confirmed", "confirmed", "system_of_record", "inferred", "external")


@dataclass(frozen=True, slots=True)
class Op:
    """One call; records are named by the label of the operation that wrote them, so that a history can be cut short."""

    label: int
    day: int
    verb: str
    fields: dict[str, Any]

    def __str__(self) -> str:
        """Spell it in one line; times are days."""
        said = " ".join(f"{name}={value!r}" for name, value in self.fields.items() if value is not None)
        return f"#{self.label} day {self.day}: {self.verb} {said}"


# --- drawing operations ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Author:
    """Draws operations that make sense in the state that the reference is in."""

    source: random.Random
    day: int = 5

    def next(self, label: int, reference: Reference, labels: dict[int, int]) -> Op:
        """Draw the next operation."""
        self.day += self.source.choice((0, 0, 0, 0, 0, 1))
        verbs = [self._end_slot] * 3 + [self._restate] * 2 + [self._neither] * 2 + [self._both] * 3 + [self._undo] * 2
        if labels:
            verbs += [self._on_record] * 14
        draw = self.source.choice([self._remember] * 24 + verbs)
        verb, fields = draw(reference, labels)
        return Op(label, self.day, verb, fields)

    def _place(self) -> dict[str, Any]:
        return {"attribute": self.source.choice(ATTRIBUTES), "scope": self.source.choice(SCOPES)}

    def _value(self) -> str:
        return self.source.choice(self.source.choice(list(SPELLINGS.values())))

    def _remember(self, _reference: Reference, _labels: dict[int, int]) -> tuple[str, dict[str, Any]]:
        source, start, end, expires = self.source, None, None, None
        if source.random() < 0.75:
            start = source.randrange(12)
        if source.random() < 0.45:
            end = (self.day if start is None else start) + source.randint(0 if source.random() < 0.05 else 1, 6)
        if source.random() < 0.1:
            expires = self.day + source.randint(1, 4)
        fields = {
            "value": None if source.random() < 0.08 else self._value(),
            "speaker": source.choice(SPEAKERS),
            "authority": source.choice(AUTHORITIES),
            "start": start,
            "end": end,
            "expires": expires,
            "corrected": True if source.random() < 0.1 else None,
        }
        return "remember", self._place() | fields

    def _restate(self, reference: Reference, labels: dict[int, int]) -> tuple[str, dict[str, Any]]:
        """Say again, in part or in whole, what was said before: corroboration and refinement meet there (R21)."""
        verb, fields = self._remember(reference, labels)
        if reference.rows:
            row = self.source.choice(list(reference.rows.values()))
            fields |= {"attribute": row.attribute, "scope": row.scope, "value": row.value, "corrected": None}
        return verb, fields

    def _end_slot(self, _reference: Reference, _labels: dict[int, int]) -> tuple[str, dict[str, Any]]:
        return "end", self._place() | {"when": self.source.choice((None, self.source.randrange(14)))}

    def _neither(self, reference: Reference, _labels: dict[int, int]) -> tuple[str, dict[str, Any]]:
        groups = sorted(sorted(group) for group in reference.contests())
        return ("neither", {"among": self.source.randrange(99)}) if groups else self._end_slot(reference, _labels)

    def _both(self, reference: Reference, labels: dict[int, int]) -> tuple[str, dict[str, Any]]:
        """Give each claim of a contest a scope: mostly one of its own."""
        verb, fields = self._neither(reference, labels)
        if verb != "neither":
            return verb, fields
        scopes = [self.source.choice((None, "", "w", "w/v", "z")) for _ in range(4)]
        return "both", fields | {"scopes": scopes}

    def _undo(self, reference: Reference, labels: dict[int, int]) -> tuple[str, dict[str, Any]]:
        if not reference.answers:
            return self._end_slot(reference, labels)
        return "undo", {"among": self.source.randrange(99)}

    def _on_record(self, reference: Reference, labels: dict[int, int]) -> tuple[str, dict[str, Any]]:
        """Draw a verb about one record, mostly a legal one."""
        label = self.source.choice(list(labels))
        status = reference.rows[labels[label]].status
        fitting = {
            "active": ("retract", "end", "correct", "change", "verify", "retract", "end"),
            "contested": ("settle", "settle", "settle", "retract", "end", "correct"),
            "superseded": ("rollback", "rollback", "rollback", "end", "correct"),
            "retracted": ("rollback",),
            "proposed": ("confirm", "confirm", "reject"),
            "rejected": ("verify",),
        }
        every = tuple({verb for verbs in fitting.values() for verb in verbs})
        verb = self.source.choice(sorted(every) if self.source.random() < 0.1 else fitting[status])
        return verb, {"record": label} | self._more(verb)

    def _more(self, verb: str) -> dict[str, Any]:
        if verb == "end":
            return {"when": self.source.choice((None, self.source.randrange(14)))}
        if verb in {"correct", "change"}:
            return {"value": self._value(), "start": self.source.choice((None, None, self.source.randrange(12)))}
        return {}
