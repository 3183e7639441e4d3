"""Who a clause is about, and what its verb says: tense, denial, possibility."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from stead.extract.rules.clause import Clause
from stead.extract.rules.lexicon import GROUPS, MOODS, OF_RELATIVES, OPENERS, RELATIVES, SOFT, STOPS
from stead.extract.rules.text import Words
from stead.extract.rules.verbs import BE
from stead.model.slot import SELF

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
_NO_NAME: Final = frozenset(
    "what where when who why how this that these those the a an there here it is are was were do does did can "
    "could will would should if yes no not please thanks hello hi hey ok okay sure great good nice sorry well "
    "just also because and but so or then now today tomorrow yesterday monday tuesday wednesday thursday friday "
    "saturday sunday always never sometimes maybe perhaps everyone everything nothing someone something nobody "
    "remember forget note let my our your his her their its for from in on at to by with as after before since "
    "until all any some most many one two three next last every each both either english work home happy love "
    "live like don't use make january february march april may june july august september october november "
    "december which while once btw profile user agent i'm".split()
)


@dataclass(frozen=True, slots=True)
class Subject:
    """Who or what a clause is about."""

    entity: str
    """``user``, a relation word, or a name."""
    after: int
    """The first word after it."""
    shape: str
    """``self`` (I, we), ``other`` (my sister, Mia, she), ``owned`` (my ..., her ...)."""
    first: int
    """Where the claim begins: at "daughter" of "my daughter Mia", at the verb otherwise."""
    name: tuple[int, int] | None = None
    """The name that stands beside a relation word."""


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


def subjects(  # noqa: PLR0912 - one branch per kind of subject
    words: Words,
    clause: Clause,
    known: list[str],
    verbs: Mapping[str, list[tuple[str, str]]],
    *,
    owner: str = SELF,
    carried: Subject | None = None,
) -> list[Subject]:
    """Return whom a clause may be about.

    Parameters
    ----------
    words, clause
        What is read.
    known
        People that the turn named before, the last one last: what he and she stand for.
    verbs
        The forms of verbs that can follow a name.
    owner
        Whom "I" stands for.
    carried
        The subject of the clause before: it goes on in "and work at Acme".
    """
    low, last = words.low, clause.last
    at = clause.first
    while at < last and (low[at] in OPENERS or at in words.masked):
        at += 1
    if (
        at + 1 < last
        and low[at] in ("just", "recently")
        and any(which == "past" for _, which in verbs.get(low[at + 1], ()))
    ):
        at += 1
    if at >= last:
        return []
    word = low[at]
    if word in ("i", "we"):
        return [Subject(owner, at + 1, "self", at + 1)]
    if word in ("my", "our", "the") and low[at + 1 : at + 2] and low[at + 1] in GROUPS:
        return [
            Subject(low[at + 1], _past_names(words, at + 2, last), "group", at + 1),
            *_owned(words, at, last, known, owner),
        ]
    if word == "the":
        return [Subject(owner, at + 1, "owned", at)]
    if word in ("my", "our"):
        return _owned(words, at, last, known, owner)
    if word in _PARENTS and at + 1 < last and not clause.lead:
        return [one for one in _owned(words, at - 1, last, known, owner) if one.entity == word]
    if word in ("he", "she"):
        return [Subject(known[-1], at + 1, "other", at + 1)] if known else []
    if word in ("his", "her"):
        return [Subject(known[-1], at + 1, "owned", at + 1)] if known else []
    if word in _EVERYONE:
        return [Subject(owner, at + 1, "they", at + 1)]
    named = _named(words, at, last, known, verbs)
    if named and (words.low[named[-1].after] in BE or words.low[named[-1].after] in _HELPERS):
        return named
    if carried is not None and clause.lead in ("and", "but", "or"):
        return [Subject(carried.entity, at, carried.shape, at)] if carried.shape in ("self", "other") else []
    if not named and not clause.lead and word in _FEELS:
        return [Subject(owner, at, "elided", at)]
    if not named and not clause.lead and any(which == "past" and base != word for base, which in verbs.get(word, ())):
        return [Subject(owner, at, "elided", at)]
    if (
        not named
        and word.endswith("ing")
        and BE.isdisjoint(low[at:last])
        and not words.masked.isdisjoint(range(at, last))
    ):
        return [Subject(owner, at, "elided", at)]
    return named


def _past_names(words: Words, at: int, last: int) -> int:
    """Return the word after the names of several: "my parents, Ruth and Simon, live in Haifa"."""
    end = at + (words.low[at : at + 1] == [","])
    first = end
    while end < min(last, first + 6) and (
        _is_name(words, end) or (end > first and words.low[end] in (",", "and", "&"))
    ):
        end += 1
    return end if end > first and end < last else at


_PARENTS: Final = frozenset("mum mom mummy dad daddy grandma grandpa granny".split())
"""Without "my" they are the speaker's own."""
_FEELS: Final = frozenset("love hate adore dislike".split())
_EVERYONE: Final = frozenset("everyone everybody people friends they".split())
_HELPERS: Final = frozenset("has does will can would had just always never really also still".split())


def _owned(words: Words, at: int, last: int, known: list[str], owner: str) -> list[Subject]:
    low = words.low
    found = [Subject(owner, at + 1, "owned", at + 1)]
    kin = at + 1
    while kin + 1 < last and low[kin] in OF_RELATIVES and (low[kin] not in RELATIVES or low[kin + 1] in RELATIVES):
        kin += 1
    if kin >= last or low[kin] not in RELATIVES or owner != SELF:
        return found
    entity, after = low[kin], kin + 1
    if low[after : after + 1] == ["'s"]:
        known.append(entity)
    if after < last and low[after] == "'s":
        if (after + 1 < last and low[after + 1] in ("a", "an", "the", "not")) or (
            low[after + 1 : after + 2] and low[after + 1].endswith("ing")
        ):
            return [*found, Subject(entity, after, "other", at + 1)]
        theirs = Subject(entity, after + 1, "owned", at + 1)
        if not BE.isdisjoint(low[after + 1 : last]):
            return [theirs, *found]
        return [theirs, Subject(entity, after, "other", at + 1), *found]
    name: tuple[int, int] | None = None
    begin = after + 1 if after < last and low[after] in (",", "-") else after
    end = begin
    while end < last and end - begin < 2 and _is_name(words, end):
        end += 1
    if end == begin and words.casual and after + 1 < last and _verbish(low[after + 1]) and not _verbish(low[after]):
        end = after + 1
    if end > begin:
        name, after = (begin, end), end + 1 if end < last and low[end] == "," else end
        if after < last and low[after] == "'s" and low[after + 1 : after + 2] not in (["a"], ["an"], ["the"]):
            known.append(entity)
            return [
                Subject(entity, after + 1, "owned", at + 1, name),
                Subject(entity, after, "other", at + 1, name),
                *found,
            ]
    known.append(entity)
    return [Subject(entity, after, "other", at + 1, name), *found]


def _named(
    words: Words, at: int, last: int, known: list[str], verbs: Mapping[str, list[tuple[str, str]]]
) -> list[Subject]:
    if not _is_name(words, at) or words.casual or words.low[at] in verbs:
        return []
    end = at + 1
    if end < last and _is_name(words, end):
        return []
    if end >= last:
        return []
    name = words.slice(at, end)
    if words.low[end] in ("from", "in", "at"):
        end = next((place for place in range(end + 2, min(last, end + 4)) if words.low[place] in BE), end)
    after = words.low[end]
    if (
        after not in BE
        and after not in _HELPERS
        and not any(which in ("third", "past") for _, which in verbs.get(after, ()))
    ):
        return []
    if words.low[end] == "'s":
        known.append(name)
        return [Subject(name, end + 1, "owned", at), Subject(name, end, "other", at)]
    known.append(name)
    return [Subject(name, end, "other", at)]


def _verbish(word: str) -> bool:
    return word in BE or word in _HELPERS or (word.endswith("s") and len(word) > 3)


def _is_name(words: Words, index: int) -> bool:
    low = words.low[index]
    if low in _NO_NAME or low in STOPS or low in MOODS or not words.is_word(index) or len(low) < 2:
        return False
    return (
        words.text[words.start[index]].isupper() and not low.endswith(("ing", "ed", "ly")) and index not in words.masked
    )


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
