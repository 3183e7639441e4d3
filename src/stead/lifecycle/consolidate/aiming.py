"""Under which question a pair of claims is brought together (R24, R25)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from stead.lifecycle.consolidate.grouping import Keys, answered
from stead.lifecycle.consolidate.reading import questions
from stead.lifecycle.consolidate.terms import comparable
from stead.model.slot import FROM_TEXT, SELF, SlotKey, normal
from stead.resolve.text import Kind, canonical, compare
from stead.store.values import Revision


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """The question under which a pair meets, with the answers of those that would be moved there."""

    key: SlotKey
    joining: dict[int, str | None]


def aim(old: Revision, new: Revision, keys: Keys, fixed: Collection[int]) -> Aim | None:
    """Return the question that both claims of a pair answer, where one can be filed under the other's.

    Parameters
    ----------
    old, new
        In the order in which they were said.
    keys
        The slots of both.
    fixed
        Those of the two that may not be moved.
    """
    if not (comparable(old, new) or comparable(new, old)):
        return None
    kind = compare(old.claim, new.claim).kind
    if kind is Kind.CONTRADICTS:
        return _shared(old, new, keys, fixed)
    return None


def _shared(old: Revision, new: Revision, keys: Keys, fixed: Collection[int]) -> Aim | None:
    ways = [(old, new), (new, old)]
    for stays, moves in ways:  # under the question of one of them
        key = answered(stays, keys)
        found = None if key is None or moves.record in fixed else _answer(stays, moves, key)
        if key is not None and found is not None:
            joining: dict[int, str | None] = {moves.record: found}
            if stays.slot is None:
                joining[stays.record] = questions(stays.claim)[key][0]
            return Aim(key=key, joining=joining)
    if {old.record, new.record}.isdisjoint(fixed) and not _any_named((old, new), keys):
        mine, theirs = questions(old.claim), questions(new.claim)
        for key, (value, _) in mine.items():
            if key in theirs and theirs[key][0] != value:
                return Aim(key=key, joining={old.record: value, new.record: theirs[key][0]})
    return None


def _any_named(rows: Iterable[Revision], keys: Keys) -> bool:
    return any(row.slot is not None and not keys[row.slot].from_text for row in rows)


def _answer(stays: Revision, moves: Revision, key: SlotKey) -> str | None:
    """Return what a claim answers to the question of another one; to a named slot where that one's words ask the same."""
    theirs = questions(moves.claim)
    if key.from_text:
        return theirs[key][0] if key in theirs else None
    if stays.value is None:
        return None
    for asked, (value, single) in questions(stays.claim).items():
        if single and asked in theirs and canonical(stays.value) == value:
            return spelled_as(theirs[asked][0], moves.claim)
    return None


def spelled_as(value: str, claim: str) -> str:
    """Return an answer as its claim spells it, where it stands there; readers of a named slot see it.

    >>> spelled_as("new york", "Lives in New York now")
    'New York'
    """
    at = claim.casefold().find(value)
    return claim[at : at + len(value)] if at >= 0 and len(claim.casefold()) == len(claim) else value


def made_for(old: Revision, new: Revision, keys: Keys) -> Aim:
    """Return a question for two claims that only a model relates: that of the older one, else one of their own."""
    key = answered(old, keys)
    if key is None:
        key = SlotKey(entity=SELF, attribute=f"{FROM_TEXT}(judged)", object=old.id)
    joining: dict[int, str | None] = {new.record: normal(new.claim)}
    if old.slot is None:
        found = questions(old.claim).get(key)
        joining[old.record] = normal(old.claim) if found is None else found[0]
    return Aim(key=key, joining=joining)
