"""What somebody can't well have meant, by the words around it: proposals that claim more than was said."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from stead.extract.proposal import Act, Proposal
from stead.extract.rules.lexicon import things
from stead.extract.rules.text import straight
from stead.model.slot import SELF

_WITH: Final = re.compile(r"(?:\b(?:am|are|is|been|be)|'(?:m|re|s)) (?:still |now |currently )?with ")
_AT_WORK: Final = re.compile(
    r"\b(?:work\w*|jobs?|employ\w*|hired|colleagues?|coworkers?|co-workers?|boss|manag\w+|shifts?|career|"
    r"department|promot\w+|role|team|office|engineer|consultant|interns?\w*)\b"
)
_MANY: Final = re.compile(r"(?:^|\W)(?:we(?:'re| are| were)|there are|they(?:'re| are))\b")
_PEOPLE: Final = re.compile(r"(?:'re|are) (?:now |only |just )?[\w-]+ (?:people|of us|strong|persons?|men|women|in)\b")
_PREPOSITION: Final = frozenset("from in at on with to by of for near under out about very so too not really".split())
_IN_COMMENT: Final = re.compile(r"^ ?,? ?(?:i know|i admit|i guess|i suppose|right|huh|isn't it|am i right)\b")
_REMARKS: Final = frozenset(
    "weird strange odd crazy funny silly sad boring embarrassing shocking unpopular controversial basic cliche sorry "
    "surprisingly unfortunately sadly oddly weirdly honestly obviously guilty shame shameful no yes lol haha".split()
)


def sober(proposal: Proposal, text: str, speaker: str = SELF) -> bool:
    """Tell whether a proposal claims no more than the words around it bear out.

    Parameters
    ----------
    proposal
        What was read.
    text
        The turn.
    speaker
        Whom "I" stands for.
    """
    slot = proposal.slot
    if slot is None or proposal.act in (Act.FORGET, Act.TAKE_BACK):
        return True
    test = _TESTS.get(slot.key.attribute)
    return test is None or test(proposal, straight(text).lower(), speaker)


def _age(proposal: Proposal, text: str, speaker: str) -> bool:
    """An age is one person's: "we're eight" counts people."""
    slot = proposal.slot
    own = text[slice(*proposal.span)]
    return slot is None or slot.key.entity not in (SELF, speaker) or not (_MANY.search(own) or _PEOPLE.search(own))


def _size(proposal: Proposal, _text: str, speaker: str) -> bool:
    """The household is the speaker's own."""
    return proposal.slot is None or proposal.slot.key.entity in (SELF, speaker)


def _employer(proposal: Proposal, text: str, _speaker: str) -> bool:
    """To be with a company is to be its customer, unless the talk is of work."""
    held = (proposal.slot.value or "") if proposal.slot else ""
    with_it = _WITH.search(text[slice(*proposal.span)]) is not None and held != held.lower()
    return not with_it or _AT_WORK.search(text) is not None


def _channel(proposal: Proposal, text: str, _speaker: str) -> bool:
    """Calls that are wanted at a time are meetings, no way to be reached."""
    return _TIMED.match(text[_after(proposal, text) :]) is None


def _after(proposal: Proposal, text: str) -> int:
    """Return where the words of a value end in a turn."""
    value = straight(proposal.slot.value or "").lower() if proposal.slot else ""
    return text.find(value, proposal.span[0]) + len(value)


_TIMED: Final = re.compile(r" (?:in the|on|before|after|between|at|from|around) ")


def _tool(proposal: Proposal, _text: str, _speaker: str) -> bool:
    """A street with its number is an address, no tool."""
    return _STREET.search(straight(proposal.slot.key.object).lower() if proposal.slot else "") is None


_STREET: Final = re.compile(
    r"(?:str|straße|strasse|straat|gasse|weg|platz|laan|gade|gata|vej|road|street|lane|avenue|ave|"
    r"rd|drive|rue \w+|via \w+)\.? \d|"
    r"^\d+\w? [\w ]+ (?:street|road|lane|avenue|ave|rd|drive|close|way|court|square)"
)


def _car(proposal: Proposal, text: str, _speaker: str) -> bool:
    """What belongs to a car, or is named after its maker, is no car."""
    return _OF_CARS.match(text[_after(proposal, text) :]) is None


_OF_CARS: Final = re.compile(
    r" (?:shares?|stocks?|keys?|dealers?|dealership|app|insurance|account|job|interview|lease|plant|factory|phone|watch)\b"
)


def _city(proposal: Proposal, text: str, _speaker: str) -> bool:
    """From one program to another nobody moves house."""
    value = straight(proposal.slot.value or "").lower() if proposal.slot else ""
    left = re.search(r"\bfrom ([\w.+#]+)(?: [\w.+#]+)? to\b", text[slice(*proposal.span)])
    return not any((word,) in _programs() for word in (value, left[1] if left else ""))


@cache
def _programs() -> frozenset[tuple[str, ...]]:
    return frozenset().union(*(things(name) or () for name in ("app", "framework", "programming", "loyaltycard")))


def _choice(proposal: Proposal, _text: str, _speaker: str) -> bool:
    """What is chosen is a thing; where something is, or how, is no choice."""
    words = (proposal.slot.value or "").lower().split() if proposal.slot else []
    return not words or words[0] not in _PREPOSITION


def _opinion(proposal: Proposal, text: str, _speaker: str) -> bool:
    """A remark about the liking is not liked too; whose fan somebody is may be a team, a band or a person."""
    slot = proposal.slot
    thing = straight(slot.key.object).lower() if slot else ""
    own = text[slice(*proposal.span)]
    at = own.find(thing)
    if thing in _REMARKS or (thing.split(" ")[0] in _REMARKS and own[: max(at, 0)].rstrip().endswith(",")):
        return False
    after = text[proposal.span[0] + at + len(thing) :] if thing and at > 0 else ""
    if slot and slot.key.object != thing and re.match(r" (?:fan|fans|supporter|supporters)\b", after):
        return False
    joined = at > 1 and own[:at].rstrip().endswith(",")
    return not (joined and _IN_COMMENT.match(after))


def _name(proposal: Proposal, text: str, _speaker: str) -> bool:
    """Who is something till they die supports it."""
    return _SUPPORTED.match(text[proposal.span[1] :]) is None


def _home(proposal: Proposal, text: str, speaker: str) -> bool:
    """Somebody else in a house of mine: it tells nothing of the kind of home they have."""
    slot = proposal.slot
    own = text[slice(*proposal.span)]
    return (
        slot is None
        or slot.key.entity in (SELF, speaker)
        or re.search(r"\b(?:our|my) (?:old|former|ex)\b", own) is None
    )


def _routine(proposal: Proposal, _text: str, _speaker: str) -> bool:
    """What ails somebody each day, or what they take for it, is nothing that they do."""
    words = tuple(proposal.slot.key.object.lower().split()) if proposal.slot else ()
    ailing = _ailing()
    return not words or (words[-1:] not in ailing and words not in ailing)


@cache
def _ailing() -> frozenset[tuple[str, ...]]:
    named = frozenset(
        {
            (word,)
            for word in "headache headaches nightmare nightmares pain cramps trouble problems meetings calls".split()
        }
    )
    return named.union(things("condition") or (), things("medication") or ())


_SUPPORTED: Final = re.compile(r" (?:till|until|to the day) i die\b| through and through\b")
_TESTS: Final[Mapping[str, Callable[[Proposal, str, str], bool]]] = {
    "person.age": _age,
    "home.city": _city,
    "tool.uses": _tool,
    "vehicle.car": _car,
    "contact.channel": _channel,
    "household.size": _size,
    "work.employer": _employer,
    "choice.preference": _choice,
    "home.kind": _home,
    "schedule.routine": _routine,
    "person.name": _name,
    "opinion": _opinion,
}
