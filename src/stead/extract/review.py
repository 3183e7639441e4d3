"""The review pass over everything that a session proposed (R18): what was taken back or corrected in it is never written."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from stead.extract.proposal import Act, Proposal
from stead.model.period import FOREVER
from stead.model.record import Meaning
from stead.model.slot import Slot, normal
from stead.model.words import tokens

_SAYS_NOTHING: Final = "thing things stuff part bit one idea matter everything anything said told mentioned wait last"
Words = Callable[[Slot | None], Sequence[str]]
"""Returns the words by which people ask for a slot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A proposal with the turn that it was found in."""

    turn: int
    """The place of the turn in the conversation."""
    proposal: Proposal
    speaker: str = ""
    """Who said it: nobody takes back or corrects what somebody else said."""
    taken_back: bool = False

    @property
    def traits(self) -> frozenset[str]:
        """Return what extraction and the review say of it."""
        own = self.proposal.traits
        if self.proposal.act is Act.FORGET:
            own |= {"forget"}
        if self.proposal.act is Act.TAKE_BACK:
            own |= {"take_back"}
        return own | {"taken_back"} if self.taken_back else own


def review(found: Sequence[Found], terms: Words = lambda _: ()) -> list[Found]:
    """Return the proposals of a session, in order, after what was said later in it.

    - What a later turn takes back is marked so; a take-back that meets nothing in the session becomes a request to forget.
    - A correction of something said in the session takes its place: what was corrected is marked, and what remains is said
      once, as it should have been.
    - Of two values for one slot, both without an end, the later one stands: the earlier was corrected by it.

    What was said twice is left in: the second is one more source of the same claim when it is written.

    Parameters
    ----------
    found
        In the order in which it was said.
    terms
        The words by which people ask for a slot, for "forget what I said about my job".
    """
    kept: list[Found] = []
    for each in found:
        match each.proposal.act:
            case Act.TAKE_BACK | Act.FORGET:
                kept = _taken_back(kept, each, terms)
            case Act.CORRECT:
                kept = _corrected(kept, each)
            case Act.END:
                kept = [*(_marked(one) if _same_slot(one, each) else one for one in kept), each]
            case Act.SAY:
                kept = [*(_marked(one) if _contradicts(one, each) else one for one in kept), each]
    return kept


def _marked(found: Found) -> Found:
    return replace(found, taken_back=True)


def _can_be_taken_back(found: Found, by: Found) -> bool:
    mine = found.speaker == by.speaker
    return mine and not found.taken_back and found.proposal.act in (Act.SAY, Act.CORRECT)


def _taken_back(kept: list[Found], by: Found, terms: Words) -> list[Found]:
    about = set(tokens(by.proposal.about)) - set(tokens(_SAYS_NOTHING)) if by.proposal.about else set()
    if about:
        met = {n for n, one in enumerate(kept) if _can_be_taken_back(one, by) and about & _words(one, terms)}
    else:
        last = max((one.turn for one in kept if _can_be_taken_back(one, by)), default=None)
        met = {n for n, one in enumerate(kept) if one.turn == last and _can_be_taken_back(one, by)}
    if not met and by.proposal.act is Act.TAKE_BACK:
        by = replace(by, proposal=replace(by.proposal, act=Act.FORGET))
    return [*(_marked(one) if n in met else one for n, one in enumerate(kept)), by]


def _words(found: Found, terms: Words) -> set[str]:
    proposal = found.proposal
    said = [proposal.claim, *terms(proposal.slot)]
    if proposal.slot is not None:
        key = proposal.slot.key
        said += [key.attribute.replace(".", " "), key.object, proposal.slot.value or "", key.entity]
    return set(tokens(" ".join(said)))


def _corrected(kept: list[Found], by: Found) -> list[Found]:
    """Let a correction take the place of what it corrects, the latest that it can mean."""
    place = next((n for n in reversed(range(len(kept))) if _can_be_corrected(kept[n], by)), None)
    if place is None:
        return [*kept, by]
    old = kept[place].proposal
    return [*kept[:place], _marked(kept[place]), *kept[place + 1 :], replace(by, proposal=_repaired(old, by.proposal))]


def _can_be_corrected(found: Found, by: Found) -> bool:
    if not _can_be_taken_back(found, by):
        return False
    old, new = found.proposal, by.proposal
    if new.slot is not None and old.slot is not None and new.slot.key == old.slot.key:
        return True
    return new.slot is None and new.replaces is not None and _says(old, new.replaces)


def _says(proposal: Proposal, word: str) -> bool:
    value = proposal.slot.value if proposal.slot is not None else None
    if value is not None:
        return normal(value) == normal(word)
    return re.search(rf"(?<!\w){re.escape(normal(word))}(?!\w)", normal(proposal.claim)) is not None


def _repaired(old: Proposal, by: Proposal) -> Proposal:
    """Return what should have been said in the first place."""
    value = by.slot.value if by.slot is not None else None
    if by.slot is not None:
        return replace(
            by, act=Act.SAY, meaning=Meaning.CHANGED, kind=old.kind, traits=by.traits | (old.traits & {"remember"}),
            valid_from=by.valid_from if by.valid_from is not None else old.valid_from,
            valid_until=by.valid_until if by.valid_until is not None else old.valid_until,
        )  # fmt: skip
    value, slot = value or by.claim, old.slot
    if slot is not None:
        slot = Slot(slot.key.attribute, entity=slot.key.entity, object=slot.key.object, value=value)
    claim = re.sub(rf"(?<!\w){re.escape(by.replaces or '')}(?!\w)", lambda _: value, old.claim, flags=re.IGNORECASE)
    return replace(old, slot=slot, span=by.span, claim=claim)


def _same_slot(one: Found, other: Found) -> bool:
    mine, theirs = one.proposal.slot, other.proposal.slot
    return _can_be_taken_back(one, other) and mine is not None and theirs is not None and mine.key == theirs.key


def _contradicts(old: Found, new: Found) -> bool:
    """Tell whether a later statement of the session replaces an earlier one: another value, both without an end."""
    if not _same_slot(old, new) or old.proposal.scope != new.proposal.scope or old.turn == new.turn:
        return False
    mine, theirs = old.proposal, new.proposal
    if mine.traits & {"task_only", "hypothetical", "question", "quote"} != theirs.traits & {
        "task_only", "hypothetical", "question", "quote"
    }:  # fmt: skip
        return False
    values = [normal(each.slot.value) if each.slot and each.slot.value else None for each in (mine, theirs)]
    open_ends = all(each.valid_until in (None, FOREVER) for each in (mine, theirs))
    starts_anew = theirs.valid_from is not None and theirs.valid_from != mine.valid_from
    return values[0] != values[1] and open_ends and not starts_anew
