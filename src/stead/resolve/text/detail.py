"""How one answer relates to another: the same, more exact, less exact, or another one."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from functools import lru_cache
from typing import Final

from stead.resolve.text.lexicon import words

_DATE: Final = re.compile(r"(-|\d{4})(?:-(\d\d)(?:-(\d\d))?)?")


class Relation(StrEnum):
    """What a new answer is to an old one."""

    SAME = "same"
    REFINES = "refines"
    COARSER = "coarser"
    OTHER = "other"
    UNCLEAR = "unclear"


def between(old: str, new: str) -> Relation:
    """Say what a new answer is to an old one; both are canonical.

    >>> between("berlin", "berlin-mitte").value, between("york", "new york").value, between("room 101", "room 102").value
    ('refines', 'other', 'other')
    """
    if _letters(old) == _letters(new) or _initials(old) == new or _initials(new) == old:
        return Relation.SAME
    dates = _DATE.fullmatch(old), _DATE.fullmatch(new)
    if dates[0] and dates[1]:
        return _dates(dates[0].groups(), dates[1].groups())
    if _adds(old, new):
        return Relation.REFINES
    if _adds(new, old):
        return Relation.COARSER
    return Relation.OTHER


@lru_cache(maxsize=65536)
def _letters(value: str) -> str:
    """Return a value without marks and diacritics; digits keep what separates them."""
    decomposed = unicodedata.normalize("NFKD", value)
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    if any(char.isdigit() for char in plain):
        return plain
    return "".join(char for char in plain if char.isalnum() or char in "+#") or plain


def _initials(value: str) -> str:
    """Return the initials of a name of several words, as it is often shortened."""
    words_ = value.split()
    return "".join(word[0] for word in words_) if len(words_) > 1 and value.replace(" ", "").isalpha() else ""


def _adds(short: str, long: str) -> bool:
    """Tell whether an answer says all of a shorter one: "berlin" in "berlin-mitte", "herbert" in "frank herbert"."""
    if not short:
        return False
    if " and " in long and set(short.split(" and ")) < set(long.split(" and ")):
        return True
    few, many = short.split(), long.split()
    if long.startswith((short + " ", short + "-", short + ",")):
        added = long[len(short) :]
        # a figure that goes on is another one: "14" is not "14 2", "101" not "101-b"
        return not (short[-1].isdigit() and any(char.isdigit() for char in added)) and not (
            short[-1].isdigit() and added.startswith("-")
        )
    if len(many) > len(few) and many[-len(few) :] == few:
        added_before = many[: -len(few)]
        return added_before[0] not in words("place_prefixes") | words("privative") and not any(
            char.isdigit() for char in long
        )
    return False


def _dates(old: tuple[str | None, ...], new: tuple[str | None, ...]) -> Relation:
    """Compare two dates part by part: "in May" and "on 3 May" agree, the second says more."""
    more = less = False
    for one, two in zip(old, new, strict=True):
        left, right = one if one != "-" else None, two if two != "-" else None
        if left and right and left != right:
            return Relation.OTHER
        more = more or bool(right and not left)
        less = less or bool(left and not right)
    if more and less:
        return Relation.UNCLEAR
    return Relation.REFINES if more else Relation.COARSER
