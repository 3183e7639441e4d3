"""Under which question a pair of claims is brought together (R24, R25)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from stead.lifecycle.consolidate.grouping import Keys, answered
from stead.lifecycle.consolidate.reading import Answer, questions
from stead.lifecycle.consolidate.terms import comparable
from stead.model.slot import FROM_TEXT, SELF, SlotKey, normal
from stead.recall.names import Names
from stead.resolve.text import Kind, canonical, compare
from stead.store.values import Revision


@dataclass(frozen=True, slots=True, kw_only=True)
class Aim:
    """The question under which a pair meets, with the answers of those that would be moved there."""

    key: SlotKey
    joining: dict[int, str | None]
    said: dict[int, str] = field(default_factory=dict)
    """The entity that the words of those name, where an alias files them under another one (R21)."""


def aim(old: Revision, new: Revision, keys: Keys, names: Names, fixed: Collection[int]) -> Aim | None:
    """Return the question that both claims of a pair answer, where one can be filed under the other's.

    Parameters
    ----------
    old, new
        In the order in which they were said.
    keys
        The slots of both.
    names
        Which names mean one entity.
    fixed
        Those of the two that may not be moved.
    """
    if not (comparable(old, new) or comparable(new, old)):
        return None
    kind = compare(old.claim, new.claim).kind
    return _shared(old, new, keys, names, fixed) if kind is Kind.CONTRADICTS else None


def _shared(old: Revision, new: Revision, keys: Keys, names: Names, fixed: Collection[int]) -> Aim | None:
    for stays, moves in ((old, new), (new, old)):  # under the question of one of them
        key = answered(stays, keys, names)
        stuck = key is None or moves.record in fixed or _any_named((moves,), keys)
        found = None if key is None or stuck else _answer(stays, moves, key, names)
        if key is not None and found is not None:
            return _aimed(key, {moves.record: found} | _own(stays, key, names))
    if {old.record, new.record}.isdisjoint(fixed) and not _any_named((old, new), keys):
        mine, theirs = questions(old, names), questions(new, names)
        for key, answer in mine.items():
            if key in theirs and theirs[key].value != answer.value:
                return _aimed(key, {old.record: answer, new.record: theirs[key]})
    return None


def _aimed(key: SlotKey, answers: dict[int, Answer]) -> Aim:
    said = {record: each.said_of for record, each in answers.items() if each.said_of is not None}
    return Aim(key=key, joining={record: each.value for record, each in answers.items()}, said=said)


def _own(stays: Revision, key: SlotKey, names: Names) -> dict[int, Answer]:
    return {} if stays.slot is not None else {stays.record: questions(stays, names)[key]}


def _any_named(rows: Iterable[Revision], keys: Keys) -> bool:
    return any(row.slot is not None and not keys[row.slot].from_text for row in rows)


def _answer(stays: Revision, moves: Revision, key: SlotKey, names: Names) -> Answer | None:
    """Return what a claim answers to the question of another one; to a named slot where that one's words ask the same."""
    theirs = questions(moves, names)
    if key.from_text:
        return theirs.get(key)
    if stays.value is None:
        return None
    for asked, answer in questions(stays, names).items():
        if answer.single and asked in theirs and canonical(stays.value) == answer.value:
            return replace(theirs[asked], value=spelled_as(theirs[asked].value, moves.claim))
    return None


def spelled_as(value: str, claim: str) -> str:
    """Return an answer as its claim spells it, where it stands there; readers of a named slot see it.

    >>> spelled_as("new york", "Lives in New York now")
    'New York'
    """
    at = claim.casefold().find(value)
    return claim[at : at + len(value)] if at >= 0 and len(claim.casefold()) == len(claim) else value


def made_for(old: Revision, new: Revision, keys: Keys, names: Names) -> Aim:
    """Return a question for two claims that only a model relates: that of the older one, else one of their own."""
    key = answered(old, keys, names)
    if key is None:
        key = SlotKey(entity=SELF, attribute=f"{FROM_TEXT}(judged)", object=old.id)
    answers = {new.record: Answer(value=normal(new.claim), single=True)}
    if old.slot is None:
        answers[old.record] = questions(old, names).get(key) or Answer(value=normal(old.claim), single=True)
    return _aimed(key, answers)
