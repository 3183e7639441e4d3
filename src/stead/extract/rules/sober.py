"""What somebody can't well have meant, by the words around it: proposals that claim more than was said."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Final

from stead.extract.proposal import Act, Proposal
from stead.extract.rules.lexicon import heads, things
from stead.extract.rules.making import PUPILS
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
    if _IN_JEST.match(text[_after(proposal, text) :]):
        return False
    return slot is None or slot.key.entity not in (SELF, speaker) or not (_MANY.search(own) or _PEOPLE.search(own))


_IN_JEST: Final = re.compile(
    r"(?: years old)?,? (?:again\b|for the \w+ time|going on|at heart|inside|or so it feels|it feels|in my (?:head|mind))"
)


def _mode(proposal: Proposal, text: str, _speaker: str) -> bool:
    """Who never flies with one airline flies."""
    avoided = proposal.slot is not None and proposal.slot.value == "avoids"
    return not avoided or _BY_NO_MEANS.match(text[proposal.span[1] :]) is not None


_BY_NO_MEANS: Final = re.compile(
    r"\s*(?:$|[.,;:!?()\n-]| (?:any ?more|ever|at all|if|unless|because|since|so|and|but|on principle|when|period|full stop)\b)"
)


def _project(proposal: Proposal, text: str, _speaker: str) -> bool:
    """Who works on a laptop of some make has no project of that name; what is due or late is no name either."""
    if proposal.slot is not None and proposal.slot.key.object.lower() in _STAGES:
        return False
    return _WORKPLACE.match(text[_after(proposal, text) :]) is None


_STAGES: Final = frozenset(
    "due late over done finished behind ahead stuck live ready overdue dead fine great boring".split()
)
_WORKPLACE: Final = re.compile(
    r" (?:laptop|notebook|computer|pc|mac|machine|desktop|tablet|keyboard|ship|farm|ward|floor|site|basis|schedule)\b"
)


def _allergy(proposal: Proposal, _text: str, _speaker: str) -> bool:
    """To meetings, Mondays and nonsense nobody is allergic but in jest."""
    words = proposal.slot.key.object.lower().split() if proposal.slot else []
    return not words or not (
        words[-1] in _DISLIKED or (words[-1].endswith(("ness", "ity", "ment", "ship", "ism")) and len(words[-1]) > 6)
    )


_DISLIKED: Final = frozenset(
    "work working talk meetings meeting mondays monday mornings bullshit bs nonsense drama people stupidity exercise sports "
    "cleaning housework chores commitment criticism fun paperwork spreadsheets emails email calls phone phones authority "
    "change deadlines jargon buzzwords slogans bureaucracy bosses homework school gossip waiting crowds hype excel "
    "powerpoint slides lies liars politics politicians hipsters fools idiots weekends rules queues money".split()
)


def _school(proposal: Proposal, text: str, _speaker: str) -> bool:
    """Children go to a school by its mere name; where others go is a shop, a country, a gym."""
    slot = proposal.slot
    if slot is not None and _TOWN.search(text[proposal.span[0] : _after(proposal, text) - len(slot.value or "")]):
        return not heads("school").isdisjoint((slot.value or "").lower().split())
    if slot is None or _GOING.search(text[proposal.span[0] : _after(proposal, text) - len(slot.value or "")]) is None:
        return True
    named = not heads("school").isdisjoint((slot.value or "").lower().split())
    suffix = _SCHOOLS.match(text[_after(proposal, text) :]) is not None
    return named or suffix or (slot.key.entity in PUPILS and proposal.recurs is None)


_TOWN: Final = re.compile(r"\b(?:uni|university|college|school|studies|studying|study) in (?:the )?$")
_GOING: Final = re.compile(r"\b(?:go|goes|going|gone) to (?:the )?$")
_SCHOOLS: Final = re.compile(r" (?:school|university|college|uni|high|elementary|primary|kindergarten)\b")


def _avoids(proposal: Proposal, text: str, _speaker: str) -> bool:
    """What somebody gives up for a time, or never has at one time of day, they don't avoid."""
    return _A_WHILE.match(text[_after_thing(proposal, text) :]) is None


_A_WHILE: Final = re.compile(
    r" (?:for (?:lent|ramadan|advent|january|february|a|an|one|two|three|\d+|this|the next)\b|(?:in|on|at) (?:the )?(?:mornings?|"
    r"evenings?|afternoons?|night|weekdays|weekends?|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|"
    r"summer|winter|lunch|work|parties)\b|(?:after|before|past|between|during|until|till|when|while|together|alone|neat|raw|cold|hot|"
    r"first thing|right)\b)"
)


def _after_thing(proposal: Proposal, text: str) -> int:
    """Return where the words of an object end in a turn."""
    thing = straight(proposal.slot.key.object).lower() if proposal.slot else ""
    return text.find(thing, proposal.span[0]) + len(thing)


def _length(proposal: Proposal, _text: str, _speaker: str) -> bool:
    """Sentences that are complete are not few: a length says how many, or short or long."""
    words = (proposal.slot.value or "").lower().split() if proposal.slot else []
    return not words or words[0] not in _WHOLE


_WHOLE: Final = frozenset("complete full whole proper separate plain simple clear correct grammatical numbered".split())


def _until_now(proposal: Proposal, text: str, _speaker: str) -> bool:
    """Who never liked a thing until now likes it."""
    return (
        re.match(r" (?:until|till|before) (?:now|today|recently|i |this|last)", text[_after_thing(proposal, text) :])
        is None
    )


def _hours(proposal: Proposal, text: str, _speaker: str) -> bool:
    """When somebody starts is half of their hours where the end is told too."""
    return (
        re.match(r" (?:am |pm )?(?:and|,) (?:i |we )?(?:finish|end|stop|leave|knock)", text[_after(proposal, text) :])
        is None
    )


def _diet(proposal: Proposal, text: str, _speaker: str) -> bool:
    """Who eats so on some days only has no such diet."""
    return re.match(_SOME_DAYS, text[_after(proposal, text) :]) is None


_SOME_DAYS: Final = re.compile(
    r" (?:(?:on|during|in) (?:the )?(?:week|weekdays|weekends?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|lent|"
    r"ramadan|january|work)\b|before \d|until |till |today|tonight|this (?!year)|for (?:lent|a |one |two |the ))"
)


def _seat(proposal: Proposal, text: str, _speaker: str) -> bool:
    """At the front or the back one can sit anywhere; only on the way it is a seat."""
    value = (proposal.slot.value or "").lower() if proposal.slot else ""
    return value not in ("front", "back", "middle", "at the front") or _ON_THE_WAY.search(text) is not None


_ON_THE_WAY: Final = re.compile(
    r"\b(?:seats?|planes?|fl(?:y|ies|ying|ights?)|trains?|bus(?:es)?|coach|travel\w*|row|book)\b"
)


def _stack(proposal: Proposal, text: str, _speaker: str) -> bool:
    """What a team or a company uses is a tool; the stack is what a thing is made of."""
    return _USERS.search(text[proposal.span[0] : _after_thing(proposal, text)]) is None


_USERS: Final = re.compile(
    r"\b(?:team|company|office|school|department|family|client|boss|firm|university|everyone) (?:uses|runs)\b"
)


def _size(proposal: Proposal, _text: str, speaker: str) -> bool:
    """The household is the speaker's own."""
    return proposal.slot is None or proposal.slot.key.entity in (SELF, speaker)


def _employer(proposal: Proposal, text: str, _speaker: str) -> bool:
    """To be with a company is to be its customer, unless the talk is of work."""
    held = (proposal.slot.value or "") if proposal.slot else ""
    if held.lower() in _JOINED_ONLINE and proposal.act is Act.END:
        return False
    own = text[slice(*proposal.span)]
    if re.search(r"\bleft \S", own) and _MOVED.search(text) is not None and _AT_WORK.search(text) is None:
        return False
    if re.search(r"(?:\bam|'m|\bis|'s|\bare|'re) at ", own) and (
        held.endswith("'s") or proposal.valid_until is not None
    ):
        return False
    with_it = _WITH.search(text[slice(*proposal.span)]) is not None and held != held.lower()
    return not with_it or _AT_WORK.search(text) is not None


_MOVED: Final = re.compile(r"\b(?:live|lives|living|moved|moving|based|city|flat|country|apartment)\b")
_JOINED_ONLINE: Final = frozenset(
    "facebook twitter x instagram tiktok linkedin reddit snapchat whatsapp netflix spotify discord "
    "youtube tinder strava duolingo".split()
)
"""Who quits them was their user, most likely."""


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
    if _FOR_DAYS.search(text[slice(*proposal.span)] + text[proposal.span[1] : proposal.span[1] + 30]):
        return False
    left = re.search(r"\bfrom ([\w.+#]+)(?: [\w.+#]+)? to\b", text[slice(*proposal.span)])
    return not any((word,) in _programs() for word in (value, left[1] if left else ""))


_FOR_DAYS: Final = re.compile(
    r"\bbeen in .{2,40}? (?:since (?:mon|tues|wednes|thurs|fri|satur|sun|yester|last (?:night|week|mon|tues|wed|thu|"
    r"fri|sat|sun)|this)|for (?:a|one|two|three|four|five|\d+) (?:days?|weeks?|hours?|nights?)|all (?:day|week))"
)
"""Who has been somewhere for some days is on a visit."""


def _condition(proposal: Proposal, text: str, _speaker: str) -> bool:
    """What runs in a family somebody needn't have."""
    return (
        re.match(r" (?:in|runs in|run in) (?:the|my|our|his|her) family\b", text[_after_thing(proposal, text) :])
        is None
    )


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
    if not _until_now(proposal, text, _speaker):
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
    return not words or (words[-1:] not in ailing and words not in ailing and not words[-1].endswith("-free"))


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
    "project.stack": _stack,
    "health.condition": _condition,
    "schedule.hours": _hours,
    "food.diet": _diet,
    "travel.seat": _seat,
    "output.length": _length,
    "travel.mode": _mode,
    "education.school": _school,
    "food.avoids": _avoids,
    "project.current": _project,
    "health.allergy": _allergy,
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
    "food.opinion": _until_now,
    "music.opinion": _until_now,
    "game.opinion": _until_now,
    "book.opinion": _until_now,
    "film.opinion": _until_now,
}
