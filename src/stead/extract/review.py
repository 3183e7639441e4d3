"""The review pass over everything that a session proposed (R18): what was taken back or corrected in it is never written."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from stead.extract.proposal import WHOLE, Act, Proposal
from stead.model.period import FOREVER
from stead.model.record import Meaning
from stead.model.slot import Slot, SlotKey, normal
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
    met: tuple[int, ...] = ()
    """Of what takes back or asks to forget: the turns whose proposals it took back."""

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
    by_slot: dict[SlotKey, list[int]] = {}
    for each in found:
        match each.proposal.act:
            case Act.TAKE_BACK | Act.FORGET:
                each = _taken_back(kept, each, terms)  # noqa: PLW2901 - it may be more than it seemed
            case Act.CORRECT:
                each = _corrected(kept, each)  # noqa: PLW2901 - it becomes what should have been said
            case Act.END | Act.SAY:
                slot = each.proposal.slot
                for n in by_slot.get(slot.key, ()) if slot is not None else ():
                    if _ends(kept[n], each):
                        kept[n] = _marked(kept[n])
        if each.proposal.slot is not None:
            by_slot.setdefault(each.proposal.slot.key, []).append(len(kept))
        kept.append(each)
    return kept


def _marked(found: Found) -> Found:
    return replace(found, taken_back=True)


def _can_be_taken_back(found: Found, by: Found) -> bool:
    mine = found.speaker == by.speaker
    return mine and not found.taken_back and found.proposal.act in (Act.SAY, Act.CORRECT)


def _taken_back(kept: list[Found], by: Found, terms: Words) -> Found:
    """Mark what is taken back; what meets nothing asks to forget, if it is the subject who asks."""
    about = set(tokens(by.proposal.about)) - set(tokens(_SAYS_NOTHING)) if by.proposal.about else set()
    mine = [n for n, one in enumerate(kept) if _can_be_taken_back(one, by)]
    if by.proposal.act is Act.FORGET and by.proposal.about in (*WHOLE, "me"):
        met = mine
    elif about:
        met = [n for n in mine if about & _words(kept[n], terms)]
    else:
        last = max((kept[n].turn for n in mine), default=None)
        met = [n for n in mine if kept[n].turn == last]
    by = replace(by, met=tuple(dict.fromkeys(kept[n].turn for n in met)))
    for n in met:
        kept[n] = _marked(kept[n])
    if not met and by.proposal.act is Act.TAKE_BACK and "third_party" not in by.proposal.traits:
        return replace(by, proposal=replace(by.proposal, act=Act.FORGET))
    return by


def _words(found: Found, terms: Words) -> set[str]:
    proposal = found.proposal
    said = [proposal.claim, *terms(proposal.slot)]
    if proposal.slot is not None:
        key = proposal.slot.key
        said += [key.attribute.replace(".", " "), key.object, proposal.slot.value or "", key.entity]
    return set(tokens(" ".join(said)))


def _corrected(kept: list[Found], by: Found) -> Found:
    """Let a correction take the place of what it corrects, the latest that it can mean."""
    place = next((n for n in reversed(range(len(kept))) if _can_be_corrected(kept[n], by)), None)
    if place is None:
        return by
    old = kept[place]
    kept[place] = _marked(old)
    return replace(by, proposal=_repaired(old.proposal, by.proposal))


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


_NO_STATEMENT: Final = frozenset({"task_only", "hypothetical", "question", "quote"})


def _ends(old: Found, new: Found) -> bool:
    """Tell whether what is said of a slot ends or replaces what the session said of it before, in the same scope."""
    mine, theirs = old.proposal, new.proposal
    if not _can_be_taken_back(old, new) or mine.scope != theirs.scope:
        return False
    if theirs.act is Act.END:
        return True
    if old.turn == new.turn or mine.traits & _NO_STATEMENT != theirs.traits & _NO_STATEMENT:
        return False
    values = [normal(each.slot.value) if each.slot and each.slot.value else None for each in (mine, theirs)]
    open_ends = all(each.valid_until in (None, FOREVER) for each in (mine, theirs))
    starts_anew = theirs.valid_from is not None and theirs.valid_from != mine.valid_from
    return values[0] != values[1] and open_ends and not starts_anew
