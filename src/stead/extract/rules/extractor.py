"""Turns into proposals, by rules only: the same words give the same proposals everywhere (R51)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from stead.extract.proposal import WHOLE, Act, Proposal
from stead.extract.rules.lexicon import ENGLISH, FOREIGN_ONLY
from stead.extract.rules.patterns import Attribute, Compiled, compile_says
from stead.extract.rules.reader import Turn, read_turn
from stead.extract.rules.sober import sober
from stead.extract.rules.template import RELATIONS
from stead.extract.rules.text import Words, read
from stead.model.period import Instant
from stead.model.record import Kind
from stead.model.slot import SELF, normal
from stead.model.words import STOPWORDS, tokens


class Extractor:
    """Finds what a turn proposes to remember.

    Parameters
    ----------
    attributes
        The ontology by name. Its templates are read when the first turn comes.

    Raises
    ------
    ValueError
        When first called: a template can't be read. `compile_says` tells so at once.
    """

    __slots__ = ("_attributes", "_compiled")

    def __init__(self, attributes: Mapping[str, Attribute]) -> None:
        self._attributes = attributes
        self._compiled: Compiled | None = None

    def __call__(self, text: str, *, said: Instant, zone: str, speaker: str = SELF) -> list[Proposal]:
        """Return what the turn proposes, in the order of its words; nothing for a language that the rules don't know.

        Parameters
        ----------
        text
            The turn, secrets redacted.
        said
            When it was said: words of time are read from there.
        zone
            The speaker's IANA zone.
        speaker
            Whom "I" stands for: the subject, or the name of another person whose words these are.
        """
        if not text or text.isspace():
            return []
        words = read(text)
        if not words.low or not english(words):
            return []
        if self._compiled is None:
            self._compiled = compile_says(self._attributes)
        turn = Turn(words=words, compiled=self._compiled, said=said, zone=zone, owner=speaker)
        found = (finished(one) for one in read_turn(turn))
        return [one for one in found if sound(one) and sober(one, text, speaker) and grounded(one, text, speaker)]


_LIKING: Final = frozenset(
    "love loves like likes hate hates enjoy enjoys prefer prefers dislike dislikes adore detest".split()
)
_MUCH: Final = frozenset("huge massive total avid keen".split())
_NO_THING: Final = _MUCH | frozenset(
    "big real great true best good nice bit lot fan book books film movie song game thing things one stuff time theme "
    "people life world humans humanity mankind everyone men women person persons laugh deal challenge change "
    "fun day days week option options version versions draft drafts choice choices answer answers result results idea ideas "
    "love hate work job everything sound job jobs plan plans weather moment moments feeling feelings money waiting".split()
)
"""Words that alone name nothing that somebody could like or have."""
_NOBODYS: Final = re.compile(r"(?:always|never|constantly|forever) \w+ing\b", re.IGNORECASE)
"""What somebody is always doing, and nobody says who."""
_LEFT_OVER: Final = re.compile(r"(?: (?:about|around|for|since|until|till|from|a|an|the|and|or|but))+$")
_OURS: Final = {"my": "their", "our": "their", "mine": "theirs", "me": "them", "us": "them", "myself": "themselves"}
_FIRST: Final = re.compile(r"\b(my|our|mine|me|us|myself)\b", re.IGNORECASE)
_I: Final = re.compile(r"\bi(?:'m|'ve|'d|'ll)?\b", re.IGNORECASE)


def finished(proposal: Proposal) -> Proposal:
    """Return a proposal whose claim ends where its sense does, and speaks of the speaker as of somebody else."""
    if proposal.kind is Kind.INSTRUCTION or proposal.act in (Act.FORGET, Act.TAKE_BACK):
        return proposal
    claim = _LEFT_OVER.sub("", proposal.claim)
    claim = _FIRST.sub(lambda word: _OURS[word[0].lower()], claim)
    return proposal if claim == proposal.claim else replace(proposal, claim=claim)


def sound(proposal: Proposal) -> bool:
    """Tell whether a proposal can be what somebody meant: an object that is a thing, a claim that is a statement."""
    slot = proposal.slot
    if proposal.kind is Kind.INSTRUCTION or slot is None:
        return True
    words = (slot.key.object or slot.value or "").lower().split()
    if words and (words[0] in _LIKING or words[0] in _MUCH or _NO_THING.issuperset(words) or _picked(words)):
        return False
    return _I.search(proposal.claim) is None and _NOBODYS.match(proposal.claim) is None


def _picked(words: list[str]) -> bool:
    """Tell whether words pick one of what was offered: "option B", "version 2"."""
    return len(words) == 2 and words[0] in _NO_THING and (len(words[1]) == 1 or words[1].isdigit())


def english(words: Words) -> bool:
    """Tell whether a turn is English, by its small words."""
    seen = set(words.low)
    foreign, own = len(seen & FOREIGN_ONLY), len(seen & ENGLISH)
    if foreign >= 2 and foreign >= own:
        return False
    if not words.text.isascii():
        letters = [char for char in words.text[:400] if char.isalpha()]
        if sum(char.isascii() for char in letters) < len(letters) * 0.7:
            return False
    return own > 0 or (foreign == 0 and len(seen) <= 12)


_SAID: Final = STOPWORDS | frozenset(tokens("themselves theirs user never always goes"))
"""Words that a claim may have beside the turn's own: they stand for the speaker, or turn an order into a claim."""


def grounded(proposal: Proposal, text: str, speaker: str = SELF) -> bool:
    """Tell whether a proposal is made of the turn's own words (R24): value, object and entity stand in it, inside of the span.

    The entity may be ``user`` or the speaker; the value may be the name of a relation, such as ``likes``.
    """
    start, end = proposal.span
    if not 0 <= start < end <= len(text) or not proposal.claim:
        return False
    within = normal(text)
    if proposal.about and proposal.about not in WHOLE and normal(proposal.about) not in within:
        return False
    if proposal.replaces and normal(proposal.replaces) not in within:
        return False
    if proposal.act not in (Act.FORGET, Act.TAKE_BACK) and not set(tokens(proposal.claim)) <= _SAID | set(tokens(text)):
        return False
    slot = proposal.slot
    if slot is None:
        return True
    own = normal(text[start:end])
    if slot.key.entity not in (SELF, speaker) and normal(slot.key.entity) not in within:
        return False
    value = slot.value or ""
    return (value in RELATIONS or normal(value) in own) and (not slot.key.object or normal(slot.key.object) in own)
