"""Turns into proposals, by rules only: the same words give the same proposals everywhere (R51)."""

from __future__ import annotations

from collections.abc import Mapping

from stead.extract.proposal import Proposal
from stead.extract.rules.lexicon import ENGLISH, FOREIGN_ONLY
from stead.extract.rules.patterns import Attribute, Compiled, compile_says
from stead.extract.rules.reader import Turn, read_turn
from stead.extract.rules.template import RELATIONS
from stead.extract.rules.text import Words, read
from stead.model.period import Instant
from stead.model.slot import SELF, normal


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
        return [one for one in read_turn(turn) if grounded(one, text, speaker)]


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


def grounded(proposal: Proposal, text: str, speaker: str = SELF) -> bool:
    """Tell whether a proposal is made of the turn's own words (R24): value, object and entity stand in it, inside of the span.

    The entity may be ``user`` or the speaker; the value may be the name of a relation, such as ``likes``.
    """
    start, end = proposal.span
    if not 0 <= start < end <= len(text) or not proposal.claim:
        return False
    within = normal(text)
    if proposal.about and normal(proposal.about) not in within:
        return False
    if proposal.replaces and normal(proposal.replaces) not in within:
        return False
    slot = proposal.slot
    if slot is None:
        return True
    own = normal(text[start:end])
    if slot.key.entity not in (SELF, speaker) and normal(slot.key.entity) not in within:
        return False
    value = slot.value or ""
    return (value in RELATIONS or normal(value) in own) and (not slot.key.object or normal(slot.key.object) in own)
