"""What the verb of a clause says: tense, denial, possibility."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from stead.extract.rules.lexicon import SOFT
from stead.extract.rules.subject import Subject
from stead.extract.rules.text import Words
from stead.extract.rules.verbs import BE

_MODALS: Final = frozenset("would could might may should must shall".split())
_HABITS: Final = frozenset("always usually generally mostly normally typically often regularly".split())
_SELDOM: Final = frozenset("hardly barely rarely seldom scarcely almost nearly".split())
_PARTLY: Final = frozenset(
    "always only just usually generally necessarily exactly completely often exclusively strictly".split()
)
"""After "not" they deny a part: who doesn't always drink tea drinks it."""
_STOPPED: Final = frozenset("stopped quit".split())
_BEGUN: Final = frozenset("started began".split())
_INTENT: Final = frozenset("plan planning intend intending".split())


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a verb."""

    base: str
    verb: int
    """The word that is the verb."""
    after: int
    tense: str
    """``present``, ``past``, ``perfect``, ``future``, ``going`` (am flying: now or soon) or ``ongoing`` (have been living)."""
    denied: bool = False
    ended: bool = False
    modal: str = ""
    habit: bool = False
    begun: bool = False


def readings(  # noqa: PLR0912, PLR0915 - one branch per helping verb
    words: Words, subject: Subject, last: int, inflected: Mapping[str, list[tuple[str, str]]]
) -> Iterator[Reading]:
    """Return the ways to read the verb that follows a subject.

    Parameters
    ----------
    words, subject, last
        The turn, whom the clause is about, and its end.
    inflected
        Forms of the verbs that templates begin with.
    """
    low = words.low
    at = subject.after
    tense, modal, helper = "present", "", ""
    if subject.shape == "elided" and low[at].endswith("ing"):
        tense, helper = "going", "be"
    denied = habit = begun = False
    ended = any(
        low[place] in ("anymore", "longer") or low[place : place + 2] == ["any", "more"] for place in range(at, last)
    )
    steps = 0
    while at < last and steps < 12:
        steps += 1
        word = "has" if low[at : at + 2] == ["'s", "got"] else low[at]
        if word in BE and word != "being":
            own = {"was": "past", "were": "past", "been": "past" if tense == "past" else "perfect"}.get(
                word, "future" if tense == "future" else "present" if not modal else tense
            )
            after, no, over = _denial(low, at + 1, last)
            yield Reading("be", at, after, own, denied or no, ended or over, modal, habit, begun)
            tense, helper = (
                (
                    "past"
                    if own == "past"
                    else "ongoing"
                    if own == "perfect"
                    else "future"
                    if tense == "future"
                    else "going"
                ),
                "be",
            )
        elif word in ("not", "never"):
            denied = True
        elif word == "no" and at + 1 < last and low[at + 1] == "longer":
            denied = ended = True
            at += 1
        elif word in _SELDOM or (denied and word in _PARTLY and low[at - 1] == "not"):
            modal = "seldom"
        elif word in SOFT or at in words.masked:
            habit = habit or word in _HABITS
        elif (
            word == "going"
            and helper == "be"
            and low[at + 1 : at + 2] == ["to"]
            and _verb_at(words, at + 2, last, inflected)
        ):
            tense, helper = "future", "will"
            at += 1
        elif word in ("have", "has", "had", "'ve") and not helper:
            got = low[at + 1 : at + 2] == ["got"] and word != "had"
            yield Reading(
                "have", at, at + 1 + got, "past" if word == "had" else tense, denied, ended, modal, habit, begun
            )
            tense, helper = "past" if word == "had" else "perfect", "have"
        elif word in ("do", "does", "did") and helper != "be":
            yield Reading("do", at, at + 1, "past" if word == "did" else tense, denied, ended, modal, habit, begun)
            tense, helper = "past" if word == "did" else tense, "do"
        elif word == "will":
            tense, helper = "future", "will"
        elif word == "can":
            yield Reading("can", at, at + 1, "present", denied, ended, modal, habit, begun)
            modal, helper = "can", "will"
        elif word == "rather" and modal == "would":
            yield Reading("prefer", at, at + 1, "present", denied, ended, "rather", habit, begun)
            return
        elif word in _MODALS or (word == "'d"):
            modal, helper = "would" if word == "'d" else word, "will"
        elif word == "used" and low[at + 1 : at + 2] == ["to"] and helper != "be":
            tense, helper = "past", "do"
            modal = "used"
            at += 1
        elif word in _STOPPED and low[at + 1 : at + 2] and low[at + 1].endswith("ing"):
            denied = ended = True
            tense, helper = "present", "be"
        elif word in _BEGUN and low[at + 1 : at + 2] and low[at + 1].endswith("ing"):
            yield Reading("start", at, at + 1, "past", denied, ended, modal, habit, begun)
            begun, tense, helper = True, "begun", "be"
        elif word in _INTENT and low[at + 1 : at + 2] == ["to"]:
            tense, helper = "future", "will"
            at += 1
        else:
            yield from _lexical(
                words,
                at,
                subject,
                Reading("", at, at + 1, tense, denied, ended, modal, habit, begun),
                helper,
                inflected,
            )
            return
        at += 1


def _denial(low: list[str], at: int, last: int) -> tuple[int, bool, bool]:
    """Return where the words after "am" begin, whether they deny, and whether they say that it is over."""
    denied = ended = False
    while at < last:
        if low[at] in ("not", "never"):
            denied = True
        elif low[at] == "no" and low[at + 1 : at + 2] == ["longer"]:
            denied = ended = True
            at += 1
        elif low[at] not in SOFT:
            break
        at += 1
    return at, denied, ended


def _verb_at(words: Words, at: int, last: int, inflected: Mapping[str, list[tuple[str, str]]]) -> bool:
    if at >= last:
        return False
    return words.low[at] in ("be", "have") or any(which == "base" for _, which in inflected.get(words.low[at], ()))


def _lexical(
    words: Words,
    at: int,
    subject: Subject,
    so_far: Reading,
    helper: str,
    inflected: Mapping[str, list[tuple[str, str]]],
) -> Iterator[Reading]:
    word = words.low[at]
    for base, which in inflected.get(word, ()):
        tense = so_far.tense
        if helper == "be":
            if which != "ing":
                continue
        elif helper == "have":
            if which not in ("done", "past"):
                continue
        elif helper in ("will", "do"):
            if which != "base":
                continue
        elif which in ("past", "done"):
            if which == "done" and any(form == "past" for _, form in inflected[word]):
                continue
            tense = "past" if which == "past" or word != base else tense
        elif (
            which == "ing"
            or (which == "base" and subject.shape == "other" and word != base + "s")
            or (which == "third" and subject.shape == "self")
        ):
            continue
        yield Reading(base, at, at + 1, tense, so_far.denied, so_far.ended, so_far.modal, so_far.habit, so_far.begun)
