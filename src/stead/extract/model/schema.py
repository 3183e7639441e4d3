"""The form that a model's answer must have. Whatever has another form is not read at all."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from stead.extract.proposal import TRAITS, Act
from stead.model.record import Kind

if TYPE_CHECKING:
    from pydantic import TypeAdapter

KINDS: Final = tuple(kind.value for kind in Kind if kind is not Kind.REFLECTION)
"""What a model may propose; a reflection is Stead's own."""
ACTS: Final = tuple(act.value for act in Act)
OFFERED: Final = tuple(sorted(TRAITS - {"remember", "standing", "summary", "unresolved_time"}))
"""Traits that a model may set: those that say less of a claim, never those that let it in more easily (R48)."""
STRICT: Final = {"extra": "forbid", "strict": True, "allow_inf_nan": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One claim as the model wrote it: of the right form, and not yet believed."""

    __pydantic_config__ = STRICT

    turn: int
    quote: str
    claim: str
    kind: str | None = None
    act: str | None = None
    attribute: str | None = None
    entity: str | None = None
    object: str | None = None
    value: str | None = None
    when: str | None = None
    valid_from: str | None = None
    valid_until: str | None = None
    replaces: str | None = None
    about: str | None = None
    traits: list[str] = field(default_factory=list)
    confidence: float | None = None

    def texts(self) -> Iterable[str]:
        """Yield every text in it."""
        parts = (
            self.quote, self.claim, self.kind, self.act, self.attribute, self.entity, self.object, self.value, self.when,
            self.valid_from, self.valid_until, self.replaces, self.about, *self.traits,
        )  # fmt: skip
        return (part for part in parts if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """A whole answer."""

    __pydantic_config__ = STRICT

    claims: list[Claim]


_SAID: Final = {
    "turn": "the number of the turn",
    "quote": "the words of that turn that carry the claim, copied exactly, one connected piece",
    "claim": "one short sentence without a subject, third person, in the speaker's own words: Lives in Lyon",
    "kind": "what sort of claim it is",
    "act": "what the words do",
    "attribute": "one of the list; empty if none fits",
    "entity": "user for the speaker; else the relation word or name as written",
    "object": "which thing, where the attribute has many; as written",
    "value": "what holds; as written in the quote, or likes, dislikes, loves, hates, prefers, avoids",
    "when": "the words of time of that turn, copied exactly; empty if there are none",
    "valid_from": "ISO 8601, only together with when",
    "valid_until": "ISO 8601, not included, only together with when",
    "replaces": "act correct: the value that was wrong, as written",
    "about": "act take_back or forget: the words that say what, as written",
    "traits": "what else is true of the words; mostly empty",
    "confidence": "from 0 to 1",
}


@lru_cache(maxsize=1)
def _adapter() -> TypeAdapter[Claims]:
    from pydantic import TypeAdapter

    return TypeAdapter(Claims)


def form(attributes: Iterable[str]) -> dict[str, Any]:
    """Return the JSON schema that the model is shown.

    Parameters
    ----------
    attributes
        The names that a claim's attribute may have.
    """
    shape: dict[str, Any] = json.loads(json.dumps(_adapter().json_schema()))
    claim = shape["$defs"]["Claim"]
    shape |= {"required": ["claims"], "additionalProperties": False, "description": "All claims that were found."}
    claim |= {"required": list(claim["properties"]), "additionalProperties": False, "description": "One claim."}
    for name, said in _SAID.items():
        kind = {"turn": "integer", "confidence": "number"}.get(name, "string")
        claim["properties"][name] = {"type": kind, "description": said}
    claim["properties"]["kind"]["enum"] = list(KINDS)
    claim["properties"]["act"]["enum"] = list(ACTS)
    claim["properties"]["attribute"]["enum"] = ["", *attributes]
    claim["properties"]["traits"] = {
        "type": "array", "items": {"type": "string", "enum": list(OFFERED)}, "description": _SAID["traits"],
    }  # fmt: skip
    return shape


def read(arguments: str) -> list[Claim] | None:
    """Return the claims of an answer, or None when it doesn't have the form: one wrong field spoils all of it."""
    from pydantic import ValidationError

    try:
        return _adapter().validate_json(arguments).claims
    except ValidationError:
        return None
