"""What holds of a thing after something was done to it, and what one claim tells of another question: "retired" of working."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from stead.resolve.text.answers import answer
from stead.resolve.text.clause import Clause
from stead.resolve.text.families import opposed
from stead.resolve.text.frame import Frame
from stead.resolve.text.lexicon import words
from stead.resolve.text.making import joined, many
from stead.resolve.text.phrase import Segment
from stead.resolve.text.verbs import participle, results

_FREE: Final = (["free"], ["free", "to", "enter"], ["free", "of", "charge"], ["free", "to", "use"])
_DETAILS: Final = frozenset({"by", "for", "after", "with", "because"})
_FOR_ALL: Final = frozenset({"of charge", "of cost", "for everyone", "for all"})


def states(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterator[Frame]:
    """Yield the states that a claim also tells of (R24): each is a question with opposite answers, never with other values."""
    off = found.negated or found.ended
    yield from _result(found, who, parts, off=off)
    if found.verb == "die" and not off:
        yield many(who, "be", "<alive>", "dead")
    if off or found.past or not parts:
        return
    first = parts[0]
    if found.verb == "be" and not found.passive:
        yield from _being(who, parts)
    elif found.verb == "work" and not found.passive:
        hours = first.tokens and first.tokens[0].low in ("full-time", "part-time")
        if hours or first.preposition in ("as", "for"):
            yield many(who, "be", "<working>", "yes")
    elif found.verb in ("cost", "charge") or (found.passive and found.verb == "price"):
        reply = answer(first.tokens)
        if reply is not None and reply.kind == "a" and not reply.text.startswith("0"):
            yield many(who, "cost", "<anything>", "yes")
    elif found.verb in ("eat", "drink") and not found.passive:
        said = {token.low for token in first.tokens}
        if said & words("meats"):
            yield many(who, "eat", "<meat>", "yes")
        if said & (words("meats") | words("animal_foods")):
            yield many(who, "eat", "<animal food>", "yes")


def _being(who: str, parts: tuple[Segment, ...]) -> Iterator[Frame]:
    if parts[0].preposition:
        return
    lows = [token.low for token in parts[0].tokens]
    for entrance in ("entry to ", "admission to ", "entrance to ", "access to "):
        who = who.removeprefix(entrance)
    if lows in (["retired"], ["unemployed"]) and len(parts) == 1:
        yield many(who, "be", "<working>", "no")
    if lows in _FREE and all(str(part) in _FOR_ALL for part in parts[1:]):
        yield many(who, "cost", "<anything>", "no")
    if lows[-1:] == ["vegan"] and len(parts) == 1:
        yield many(who, "eat", "<animal food>", "no")


def _result(found: Clause, who: str, parts: tuple[Segment, ...], *, off: bool) -> Iterator[Frame]:
    """Read "has (not) been signed", "has (not) shipped" as a state of the thing; how and by whom is a detail of it."""
    verb = found.verb
    alone = not found.passive and verb in results("alone") and not found.able
    if verb == "retire" and not found.passive and not off and not parts:
        yield many(who, "be", "<working>", "no")
    if not (found.passive or alone) or verb not in results("verbs"):
        return
    if any(not part.preposition and part.tokens for part in parts) or (alone and parts):
        return
    others = [part for part in parts if part.preposition not in _DETAILS]
    times = [str(part) for part in others if part.is_time]
    others = [part for part in others if not part.is_time]
    if others:
        return
    state = participle(verb)
    family = opposed(state)
    if family is not None and not off:
        yield many(who, "be", joined([family.question, *times], keep_order=True), family.member)
    yield many(who, "be", joined([state, *times], keep_order=True), "no" if off else "yes")
