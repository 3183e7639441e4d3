"""From a model's claim to a proposal: what doesn't stand in the turn is dropped and counted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from stead.errors import InvalidArgument
from stead.extract.model import ground
from stead.extract.model.prompt import ModelTurn
from stead.extract.model.schema import ACTS, KINDS, OFFERED, Claim
from stead.extract.model.times import Interval, interval
from stead.extract.proposal import Act, Proposal
from stead.model.record import Kind, Meaning
from stead.model.slot import SELF, Slot, normal
from stead.policy.policy import Attribute

REASONS: Final = (
    "ungrounded", "unknown_attribute", "bad_value", "bad_span", "bad_claim", "bad_interval", "bad_kind", "bad_act",
    "bad_trait", "foreign_id", "not_user", "duplicate", "too_many",
)  # fmt: skip
"""Why a claim is dropped."""
SUREST: Final = 0.95
"""A model's word about itself is never taken for certain."""
UNSAID: Final = 0.8
"""The confidence of a claim that names none."""
LONGEST_QUOTE: Final = 1_000
LONGEST_CLAIM: Final = 300
LONGEST_PART: Final = 200

_ID: Final = re.compile(r"(?<![^\W_])(?:rec|epi|que|ses|con|evt|log|src|run)_[0-9A-Za-z]{3,}")


def names_foreign_ids(claims: Iterable[Claim], chunk: Sequence[ModelTurn]) -> bool:
    """Tell whether an answer names records, questions or the like, which nobody showed it.

    Such an answer is not about the turns, or repeats somebody's attempt to reach other records: all of it is refused. An id
    that the speaker wrote is a word like any other.
    """
    there = " ".join(turn.text for turn in chunk)
    return any(found not in there for claim in claims for text in claim.texts() for found in _ID.findall(text))


class Check:
    """Reads the claims of one session's answers.

    Parameters
    ----------
    attributes
        What may be said of an entity, by name.
    others
        The numbers of turns that are not the user's: what is claimed of them is dropped.
    """

    def __init__(self, attributes: Mapping[str, Attribute], *, others: frozenset[int] = frozenset()) -> None:
        self._attributes, self._others = attributes, others
        self.dropped: Counter[str] = Counter()
        """By reason, of `REASONS`."""

    def __call__(self, claims: Sequence[Claim], chunk: Sequence[ModelTurn]) -> dict[int, list[Proposal]]:
        """Return the proposals by turn.

        A turn of the chunk is missing when the model claimed something of it and nothing of that was believed. If it claimed
        something of a turn that it wasn't shown, so are all turns without a believed claim: it may have meant any of them.
        """
        turns = {turn.number: turn for turn in chunk}
        believed: dict[int, list[Proposal]] = {number: [] for number in turns}
        doubted: set[int] = set()
        for claim in claims:
            read = self._read(claim, turns)
            if isinstance(read, Proposal) and _key(read) in map(_key, believed[claim.turn]):
                read = "duplicate"
            if isinstance(read, Proposal):
                believed[claim.turn].append(read)
                continue
            self.dropped[read] += 1
            if read != "duplicate":
                doubted |= {claim.turn} if claim.turn in turns else set(turns)
        return {number: found for number, found in believed.items() if found or number not in doubted}

    def _read(self, claim: Claim, turns: Mapping[int, ModelTurn]) -> Proposal | str:
        """Return the proposal, or the reason for dropping it."""
        turn = turns.get(claim.turn)
        if turn is None:
            return "not_user" if claim.turn in self._others else "foreign_id"
        span = _span(claim.quote, turn.text)
        if isinstance(span, str):
            return span
        wrong = _wrong_word(claim) or self._wrong_slot(claim, span, turn.text) or _wrong_claim(claim, turn.text)
        if wrong:
            return wrong
        when = interval(claim, turn)
        if isinstance(when, str):
            return when
        try:
            return self._proposal(claim, turn.text, span, when)
        except InvalidArgument:
            return "bad_value"

    def _wrong_slot(self, claim: Claim, span: tuple[int, int], text: str) -> str | None:
        """Return why the slot isn't believed: an attribute that nobody knows, or parts that nobody said."""
        quote = text[slice(*span)]
        known = self._attributes.get(_of(claim.attribute)) if _of(claim.attribute) else None
        if _of(claim.attribute) and known is None:
            return "unknown_attribute"
        if any(len(_of(part)) > LONGEST_PART for part in (claim.entity, claim.object, claim.value, claim.replaces)):
            return "bad_value"
        entity = _entity(claim)
        if entity != SELF and ground.find(entity, text) is None:
            return "ungrounded"
        for part in (claim.object, claim.replaces, claim.about):
            if _of(part) and ground.find(_of(part), quote) is None:
                return "ungrounded"
        return None if not _of(claim.value) else _wrong_value(_of(claim.value), known, quote, bool(_of(claim.object)))

    def _proposal(self, claim: Claim, text: str, span: tuple[int, int], when: Interval) -> Proposal:
        act = Act(_of(claim.act) or Act.SAY)
        slot = self._slot(claim)
        return Proposal(
            claim=" ".join(claim.claim.split()),
            span=span,
            act=act,
            kind=Kind(_of(claim.kind) or Kind.FACT),
            slot=slot,
            category=None if slot is None else self._attributes[slot.key.attribute].category,
            traits=_traits(claim, act, text, span) | when.traits,
            valid_from=when.start,
            valid_until=when.end,
            recurs=when.recurs,
            meaning=Meaning.CORRECTED if act is Act.CORRECT else Meaning.CHANGED,
            replaces=_of(claim.replaces) or None,
            about=_of(claim.about),
            confidence=UNSAID if claim.confidence is None else min(max(claim.confidence, 0.0), SUREST),
        )

    def _slot(self, claim: Claim) -> Slot | None:
        name, value, thing = _of(claim.attribute), _of(claim.value), _of(claim.object)
        if not name:
            return None
        if not thing and value and self._attributes[name].cardinality == "many":
            thing = value
        return Slot(name, entity=_entity(claim), object=thing, value=value or None)


def _of(part: str | None) -> str:
    return " ".join((part or "").split())


def _entity(claim: Claim) -> str:
    entity = _of(claim.entity)
    return SELF if entity.casefold() in {"", SELF} else entity


def _key(proposal: Proposal) -> tuple[object, ...]:
    slot = proposal.slot
    said = (normal(proposal.claim), "") if slot is None else (str(slot.key), normal(slot.value or ""))
    return (proposal.act, *said, proposal.valid_from, proposal.valid_until)


def _span(quote: str, text: str) -> tuple[int, int] | str:
    """Return where the quote stands in the turn."""
    if not any(char.isalnum() for char in quote) or len(quote) > LONGEST_QUOTE:
        return "bad_span"
    return ground.find(quote, text, fold=False) or "ungrounded"


def _wrong_word(claim: Claim) -> str | None:
    """Return which of the closed lists was left."""
    if _of(claim.kind) and claim.kind not in KINDS:
        return "bad_kind"
    if _of(claim.act) and claim.act not in ACTS:
        return "bad_act"
    return "bad_trait" if set(claim.traits) - set(OFFERED) else None


def _wrong_claim(claim: Claim, text: str) -> str | None:
    """Return why the sentence isn't believed: too long, not plain text, or not in the speaker's words."""
    said = _of(claim.claim)
    if not said or len(said) > LONGEST_CLAIM or not said.isprintable():
        return "bad_claim"
    return None if ground.is_made_of(said, (text,)) else "ungrounded"


def _wrong_value(value: str, known: Attribute | None, quote: str, has_object: bool) -> str | None:
    allowed = known.values if known is not None else ()
    if allowed and normal(value) not in map(normal, allowed):
        return "bad_value"
    if ground.find(value, quote) is not None:
        return None
    stance = ground.supports_stance(value, quote) if has_object else None
    if stance is not None:
        return None if stance else "ungrounded"
    return None if allowed and ground.same_stem(value, quote) else "ungrounded"


def _traits(claim: Claim, act: Act, text: str, span: tuple[int, int]) -> frozenset[str]:
    """Return what the model says of the words, and what can be seen without it."""
    traits = set(claim.traits)
    around = ground.sentence(text, span)
    against = claim.value is not None and ground.supports_stance(claim.value, around) is not None
    denied = (
        ground.is_negated(around) and act is Act.SAY and not (against and _of(claim.value).casefold() in ground.AGAINST)
    )
    if denied or act in {Act.FORGET, Act.TAKE_BACK} or not ground.is_first_person(text[slice(*span)]):
        traits.add("uncertain")
    if ground.is_asked(text, span):
        traits.add("question")
    if claim.kind == Kind.PLAN:
        traits.add("plan")
    return frozenset(traits)
