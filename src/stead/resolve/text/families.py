"""Opposites: words of which only one holds of a thing at a time."""

from __future__ import annotations

from dataclasses import dataclass

from stead.resolve.text.lexicon import mapping, table
from stead.resolve.text.values import canonical


@dataclass(frozen=True, slots=True)
class Opposed:
    """A phrase that holds one member of a family of opposites."""

    question: str
    """The phrase with the family in the member's place."""
    member: str
    others: tuple[str, ...]

    @property
    def counts(self) -> bool:
        """It is a place in an order or a length: "third grade", "two-year contract"."""
        return "<nth>" in self.question or "<long>" in self.question


def opposed(text: str) -> Opposed | None:
    """Find the one member of a family in a phrase; None where there is none, or more than one.

    >>> opposed("window seat").question, opposed("window seat").member
    ('<seat> seat', 'window')
    """
    words = text.split()
    long = [place for place, word in enumerate(words) if _is_long(word)]
    if len(long) == 1 and len(words) <= 6:
        question = " ".join([*words[: long[0]], "<long>", *words[long[0] + 1 :]])
        return Opposed(question, canonical(words[long[0]].replace("-", " ")), ())
    found = [place for place, word in enumerate(words) if word in mapping("families")]
    if len(found) != 1 or len(words) > 6:
        return None
    family = mapping("families")[words[found[0]]]
    member = mapping("one_state").get(words[found[0]], words[found[0]])
    question = " ".join([*words[: found[0]], f"<{family}>", *words[found[0] + 1 :]])
    others = tuple(each for each in table("families")[family].split() if mapping("one_state").get(each, each) != member)
    return Opposed(question, member, others)


def _is_long(word: str) -> bool:
    number, _, unit = word.partition("-")
    return unit in table("units") and (number.isdigit() or number in mapping("numbers"))
