"""Slots: the structured identity of a claim."""

from __future__ import annotations

import hashlib
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from stead.errors import InvalidArgument

SELF = "user"
"""The entity that means the subject."""
FROM_TEXT = "text:"
"""With what the attribute of a slot begins that was read in a claim's own words (R24). No caller can name one."""

SlotValue = str | int | float | bool


def plain(value: SlotValue) -> str:
    """Return a slot's value as the text that is stored: numbers as written, truth as true and false."""
    return str(value).lower() if isinstance(value, bool) else str(value)


@lru_cache(maxsize=65536)
def normal(value: str) -> str:
    """Return what two spellings of one value share: compatibility form, case and white space folded (R21).

    >>> normal("  New   York ") == normal("new york")
    True
    """
    return " ".join(unicodedata.normalize("NFKC", value).casefold().split())


def claim_key(claim: str) -> int:
    """Return 63 bits that two spellings of one claim share: case, white space and the full stop don't count.

    >>> claim_key("Owns a  boat.") == claim_key("owns a boat")
    True
    """
    folded = normal(claim).rstrip(".!? ")
    return int.from_bytes(hashlib.blake2b(folded.encode(), digest_size=8).digest(), "big") >> 1


def valid_text(text: str, field: str, longest: int, hint: str) -> str:
    """Return a text that can be stored: not too long, without NUL and lone surrogates.

    Raises
    ------
    InvalidArgument
    """
    if len(text) > longest:
        raise InvalidArgument(field, f"longer than {longest} characters", hint)
    if (not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text)) or "\0" in text:
        raise InvalidArgument(field, "not valid text", "Remove NUL and lone surrogate characters.")
    return text


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotKey:
    """Which question a claim answers: ``entity / attribute[object]``."""

    entity: str = SELF
    attribute: str
    object: str = ""

    @property
    def from_text(self) -> bool:
        """Tell whether it was read in the claim's own words: nobody named a slot."""
        return self.attribute.startswith(FROM_TEXT)

    def __str__(self) -> str:
        """Spell the key as docs and errors do: ``user / food.opinion[sushi]``."""
        return f"{self.entity} / {self.attribute}" + (f"[{self.object}]" if self.object else "")


_SHORT = "A slot is an identity and a short value; the claim says the rest."


class Slot:
    """A slot with the value that a claim gives it.

    Parameters
    ----------
    attribute
        What is said of the entity, for instance ``home.city``.
    value
        What holds; left out when a slot is only asked for.
    entity
        Of whom or what; the subject by default.
    object
        For attributes that take many values: which of them, for instance the food of ``food.opinion``.
    unset
        In this scope the slot has no value, and a wider one doesn't show through (R11).
    """

    __slots__ = ("key", "unset", "value")

    def __init__(
        self,
        attribute: str,
        *,
        value: SlotValue | None = None,
        entity: str = SELF,
        object: str = "",  # noqa: A002 - the glossary's word
        unset: bool = False,
    ) -> None:
        for name, text in (("attribute", attribute), ("entity", entity)):
            if not isinstance(text, str) or not text.strip():
                raise InvalidArgument(f"slot.{name}", "empty", "Name it with text, for instance home.city.")
        if attribute.strip().startswith(FROM_TEXT):
            raise InvalidArgument(
                "slot.attribute", "reserved", f"Attributes that begin with {FROM_TEXT} are Stead's own."
            )
        if unset and value is not None:
            raise InvalidArgument("slot.unset", "a slot can't have a value and be unset", "Give one of the two.")
        parts = {"entity": entity, "attribute": attribute, "object": str(object)}
        self.key = SlotKey(
            **{name: valid_text(text.strip(), f"slot.{name}", 200, _SHORT) for name, text in parts.items()}
        )
        self.value = None if value is None else valid_text(plain(value).strip(), "slot.value", 2_000, _SHORT)
        if self.value == "":
            raise InvalidArgument("slot.value", "empty", "Give a value, or unset=True to mask a wider one.")
        self.unset = unset

    def __repr__(self) -> str:
        """Name the key only: values never reach a log by accident."""
        return f"Slot({self.key})"
