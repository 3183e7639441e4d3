"""Fences: what was erased doesn't come back by a delayed write, a retry, another extraction, an import or a restore (R32).

A fence is a keyed fingerprint, judged by where a claim comes from and by what it says:

===============  ====================================  =======================================================
fence            made of                               refuses
===============  ====================================  =======================================================
``key``          an idempotency key                    the retry of a write that stored what was erased
``turn``         conversation and turn                 whatever is said to come from that turn
``source``       conversation or URI, and the claim    the same claim from the same place
``conversation`` a conversation that was erased whole  whatever was said in it before the erasure
``claim``        the words of a claim                  the same words, said before the erasure
``value``        slot and value                        the same value in other words, said before the erasure
``id``           an episode's id                       nothing; its id answers ``erased``
===============  ====================================  =======================================================

Saying the same thing anew, from another turn and after the erasure, is a new consent and passes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from stead.errors import Erased
from stead.memory.candidate import Candidate
from stead.memory.desk import AHEAD, Desk
from stead.memory.unslotted import Asked
from stead.model.period import Instant
from stead.model.slot import claim_key, normal
from stead.store.protocol import ReadTx

if TYPE_CHECKING:
    from stead.memory.vault import Mark

_SAY_ANEW = "What was erased comes back only if it is said anew: from another turn, after the erasure."


def fences_of(
    store: ReadTx, subject: int, mark: Mark, records: list[int], turns: list[int], conversation: str | None
) -> Iterator[tuple[str, bytes]]:
    """Yield the fences that an erasure leaves of records and turns, and of a conversation that is erased whole."""
    keys: set[int] = set()
    for shelf, _, texts in store.texts_of(records, turns):
        if shelf == "claims":
            claim, value, item, entity, attribute, _ = texts
            keys.add(claim_key(claim))
            yield "claim", mark("claim", str(claim_key(claim)))
            if attribute:
                yield "value", mark("value", entity, attribute, item, normal(value))
    for place, turn, uri in store.origins(records, turns):
        if place is not None and turn is not None:
            yield "turn", mark("turn", place, turn)
        elif place is not None or uri is not None:
            yield from (("source", mark("source", place or "", uri or "", str(key))) for key in sorted(keys))
    for key in store.keys_of(subject, records, turns):
        yield "key", mark("key", key)
    if conversation is not None:
        yield "conversation", mark("conversation", conversation)


def check_fences(desk: Desk, candidate: Candidate, answers: Asked | None) -> None:
    """Refuse a candidate that would bring back what was erased.

    Raises
    ------
    Erased
        Names the field by which it was recognised.
    """
    if not desk.store.is_fenced(desk.subject.n):
        return
    mark, key = desk.mark(), str(candidate.text_key)
    place, turn, uri = candidate.conversation, candidate.turn, candidate.uri
    if place is not None and turn is not None and _at(desk, "turn", mark("turn", place, turn)) is not None:
        raise Erased("source: the turn in which this was said was erased", field="source", hint=_SAY_ANEW)
    if (place is not None or uri is not None) and turn is None:
        at = _at(desk, "source", mark("source", place or "", uri or "", key))
        if at is not None and (uri is not None or _before(candidate, at)):
            raise Erased("source: what this source said was erased", field="source", hint=_SAY_ANEW)
    if place is not None and _before(candidate, _at(desk, "conversation", mark("conversation", place))):
        raise Erased("source: the conversation in which this was said was erased", field="source", hint=_SAY_ANEW)
    said = [("claim", mark("claim", key))]
    if answers is not None:
        slot = answers.key
        said.append(("value", mark("value", slot.entity, slot.attribute, slot.object, normal(answers.value or ""))))
    if any(_before(candidate, _at(desk, kind, each)) for kind, each in said):
        raise Erased("observed_at: this was said before it was erased", field="observed_at", hint=_SAY_ANEW)


def turn_fenced(desk: Desk, conversation: str, turn: str) -> bool:
    """Tell whether a turn of this id was erased."""
    if not desk.store.is_fenced(desk.subject.n):
        return False
    return _at(desk, "turn", desk.mark()("turn", conversation, turn)) is not None


def key_fenced(desk: Desk, key: str) -> bool:
    """Tell whether a write with this idempotency key stored what was erased."""
    return desk.store.is_fenced(desk.subject.n) and _at(desk, "key", desk.mark()("key", key)) is not None


def _at(desk: Desk, kind: str, mark: bytes) -> Instant | None:
    return desk.store.fence(desk.subject.n, kind, mark)


def _before(candidate: Candidate, erased: Instant | None) -> bool:
    """Tell whether a claim was said before an erasure; several writes of one instant run ahead of the clock."""
    return erased is not None and candidate.observed_at < erased - AHEAD
