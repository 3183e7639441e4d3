"""From a clause to its frames: the first is what the claim says, the others say the same in other words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from stead.resolve.text.clause import Clause, clause
from stead.resolve.text.copula import copula
from stead.resolve.text.families import opposed
from stead.resolve.text.frame import Frame
from stead.resolve.text.habits import habits, on_days
from stead.resolve.text.making import joined, many
from stead.resolve.text.one_answer import promised, reset, single_frames
from stead.resolve.text.paraphrase import paraphrases
from stead.resolve.text.phrase import Segment, phrase, segments
from stead.resolve.text.relative import described, turned
from stead.resolve.text.sentence import Statement, statement
from stead.resolve.text.states import states
from stead.resolve.text.subjects import Subject, read_subject
from stead.resolve.text.titles import with_title
from stead.resolve.text.verbs import stances, verb_words

_PARTICLES: Final = frozenset("up out off down over back away".split())
_CHOOSING: Final = frozenset("work sleep take commute travel".split())
"""Verbs whose complement can't hold two opposites: one works full-time or part-time."""
_SYMMETRIC: Final = frozenset({"spouse", "partner", "be engaged to"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A claim that could be read."""

    clause: Clause
    subject: Subject
    segments: tuple[Segment, ...]
    frames: tuple[Frame, ...]
    bound: tuple[str, ...]
    """"since March", word by word."""


def read(claim: str) -> Frame | None:
    """Read a claim as a question and its answer (R24).

    Parameters
    ----------
    claim
        One declarative sentence. It may lack a subject; then it is about the subject of the record.

    Returns
    -------
    Frame or None
        None where the sentence can't be read safely: no verb, several statements, a question, an order, a supposition.

    >>> frame = read("The author of Dune is Frank Herbert")
    >>> frame.key, frame.value
    (('dune', 'author', ''), 'frank herbert')
    """
    reading = read_fully(claim)
    return reading.frames[0] if reading else None


@lru_cache(maxsize=4096)
def read_fully(claim: str) -> Reading | None:
    """Return everything that the sentence itself says of a claim."""
    said = statement(claim)
    if said is None:
        return None
    reading = _described(said)
    if reading is None or not reading.frames[0].single:
        reading = _reading(clause(said.tokens), said.bound) or reading
    if reading is None or not said.additive:
        return reading
    frames = tuple(frame for frame in reading.frames if not frame.single)  # "also works at Apex" leaves Acme alone
    return replace(reading, frames=frames) if frames else None


def _described(said: Statement) -> Reading | None:
    """Read "the company that produced X is Y", and "Y is the company that produced X"."""
    first: Reading | None = None
    for sentence in turned(said.tokens):
        found = clause(sentence.tokens)
        reading = _reading(found, said.bound)
        if reading is None or found is None:
            continue
        if reading.frames[0].single:
            return reading
        frames = (*described(found, sentence), *reading.frames)
        first = first or replace(reading, frames=tuple(dict.fromkeys(frames)))
    return first


def _reading(found: Clause | None, bound: tuple[str, ...]) -> Reading | None:
    subject = read_subject(found.subject) if found else None
    if found is None or subject is None:
        return None
    found = with_title(found, subject)
    parts = segments(found.rest)
    frames = tuple(dict.fromkeys(_frames(found, subject, parts)))
    return Reading(clause=found, subject=subject, segments=parts, frames=frames, bound=bound) if frames else None


def _frames(found: Clause, subject: Subject, parts: tuple[Segment, ...]) -> Iterable[Frame]:
    """Yield what a clause says, what it says in other words, and what follows from its shape; what asks for one answer first."""
    frames = tuple(_said(found, subject, parts))
    for other in paraphrases(found, subject, parts):
        inner = read_subject(other.subject)
        if inner is not None:
            yield from _said(other, inner, segments(other.rest))
    who = subject.plain or subject.entity
    yield from habits(found, who, subject, parts)
    if not (frames and frames[0].single):
        yield from on_days(found, who, subject, parts)
    yield from frames
    yield from states(found, who, parts)


def _said(found: Clause, subject: Subject, parts: tuple[Segment, ...]) -> Iterable[Frame]:
    if found.verb in ("be", "become") and not found.passive:
        yield from copula(found, subject, parts)
        return
    yield from reset(found, parts)
    who = subject.plain or subject.entity
    if (
        found.passive
        and found.verb in ("marry", "engage", "divorce")
        and not (found.negated or found.ended or found.past)
    ):
        yield from promised(found, who, parts)
    for each in single_frames(found, who, parts):
        yield each
        if each.single and each.relation in _SYMMETRIC and not each.object:
            yield replace(each, entity=each.value, value=each.entity)
    yield from _many_frames(found, who, parts)


# --- many answers -------------------------------------------------------------------------------------------------------


def _many_frames(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterable[Frame]:
    """Yield the claim as one of many: its whole complement asks, its polarity answers."""
    verb, value = stances().get(found.verb, (found.verb, "yes"))
    if found.negated or found.ended:
        value = {"likes": "dislikes", "dislikes": "likes", "yes": "no", "no": "yes"}[value]
    relation, whole = verb, [str(each) for each in parts]
    if parts and parts[0].preposition and not parts[0].is_time:
        relation = f"{verb} {parts[0].preposition}"
        whole[0] = phrase(parts[0].tokens)
        if parts[0].preposition in _PARTICLES and not parts[0].tokens and len(parts) > 1:
            whole = whole[1:]
    relation = f"be {relation}" if found.passive else f"can {relation}" if found.able else relation
    past = ["(past)"] if found.past and not found.passive and found.verb in verb_words("lasting") else []
    whole = [each for each in whole if each]
    object_ = joined([*whole[:1], *sorted(whole[1:]), *past], keep_order=True)
    family = opposed(object_) if not found.past and not found.passive else None
    if family is not None and verb not in _CHOOSING and not family.counts:
        family = None
    if family is not None and value in ("yes", "no"):
        yield many(who, relation, family.question, family.member if value == "yes" else f"not {family.member}")
    yield many(who, relation, object_, value)
    if found.able and value == "no":
        yield many(who, relation.removeprefix("can "), object_, value)
    if found.passive:
        yield from _active(found, who, parts, value)
    if found.verb == "avoid" and value == "yes":
        yield many(who, "eat", object_, "no")
        yield many(who, "drink", object_, "no")


def _active(found: Clause, who: str, parts: tuple[Segment, ...], value: str) -> Iterable[Frame]:
    """Say "was repaired by Anders" as Anders says it."""
    agent = next((each for each in parts if each.preposition == "by" and each.tokens), None)
    if agent is not None:
        others = sorted(str(each) for each in parts if each is not agent)
        yield many(phrase(agent.tokens), found.verb, joined([who, *others], keep_order=True), value)
