"""Who or what a clause is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from stead.extract.rules.clause import Clause
from stead.extract.rules.lexicon import GROUPS, MOODS, OF_RELATIVES, OPENERS, RELATIVES, STOPS
from stead.extract.rules.text import Words
from stead.extract.rules.verbs import BE
from stead.model.slot import SELF

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
        if at + 1 < last and low[at + 1] in AT_HOME:
            return _owned(words, at, last, known, owner)
        return [Subject(owner, at + 1, "owned", at)]
    if word in ("my", "our"):
        return _owned(words, at, last, known, owner)
    if word in _PARENTS and at + 1 < last and (not clause.lead or low[at + 1] in BE or low[at + 1] in _HELPERS):
        return _owned(words, at - 1, last, known, owner)
    if word in ("he", "she"):
        return [Subject(one, at + 1, "other", at + 1) for one in _meant(known, word)]
    if word in ("his", "her"):
        return [Subject(one, at + 1, "owned", at + 1) for one in _meant(known, word)]
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


def _meant(known: list[str], word: str) -> list[str]:
    """Return whom he or she stands for: the last one named who can be meant."""
    other = _WOMEN if word in ("he", "his") else _MEN
    return next(([one] for one in reversed(known) if one not in other), [])


_MEN: Final = frozenset(
    "husband boyfriend fiancé father dad daddy papa brother son grandpa grandfather grandad granddad uncle nephew grandson "
    "stepson stepfather stepdad stepbrother half-brother father-in-law brother-in-law son-in-law ex-husband hubby godson "
    "godfather landlord".split()
)
_WOMEN: Final = frozenset(
    "wife girlfriend fiancée mother mum mom mama mummy sister daughter grandma grandmother granny gran nan nana aunt niece "
    "granddaughter stepdaughter stepmother stepmom stepsister half-sister mother-in-law sister-in-law daughter-in-law ex-wife "
    "missus wifey goddaughter godmother landlady nanny".split()
)


def mentioned(words: Words, first: int, last: int) -> list[str]:
    """Return the kin that words name by the way: "I was at the hospital with my dad"."""
    low = words.low
    found: list[str] = []
    for at in range(first, last - 1):
        if low[at] in ("my", "our"):
            kin = at + 1
            while kin + 1 < last and low[kin] in OF_RELATIVES and low[kin + 1] in RELATIVES:
                kin += 1
            if low[kin] in _MEN or low[kin] in _WOMEN:
                found.append(low[kin])
    return found


def _past_names(words: Words, at: int, last: int) -> int:
    """Return the word after the names of several: "my parents, Ruth and Simon, live in Haifa"."""
    end = at + (words.low[at : at + 1] == [","])
    first = end
    while end < min(last, first + 6) and (
        _is_name(words, end) or (end > first and words.low[end] in (",", "and", "&"))
    ):
        end += 1
    return end if end > first and end < last else at


_PARENTS: Final = frozenset(
    "mum mom mummy dad daddy grandma grandpa granny gran nan nana grandad granddad hubby wifey".split()
)
"""Without "my" they are the speaker's own."""
AT_HOME: Final = frozenset("wife missus hubby husband baby eldest oldest youngest".split())
"""With "the" they are too."""
_HALVES: Final = frozenset((("other", "half"), ("better", "half"), ("significant", "other")))
_FEELS: Final = frozenset("love hate adore dislike".split())
_EVERYONE: Final = frozenset("everyone everybody people friends they".split())
_HELPERS: Final = frozenset("has does will can would had just always never really also still".split())


def _owned(words: Words, at: int, last: int, known: list[str], owner: str) -> list[Subject]:
    low = words.low
    found = [Subject(owner, at + 1, "owned", at + 1)]
    kin = at + 1
    while kin + 1 < last and low[kin] in OF_RELATIVES and (low[kin] not in RELATIVES or low[kin + 1] in RELATIVES):
        kin += 1
    half = tuple(low[at + 1 : at + 3])
    if owner == SELF and half in _HALVES and at + 3 < last and low[at + 3] not in RELATIVES:
        entity, after = " ".join(half), at + 3
    elif kin >= last or low[kin] not in RELATIVES or owner != SELF:
        return found
    else:
        entity, after = low[kin], kin + 1
    if low[after : after + 1] == ["'s"]:
        known.append(entity)
    if after < last and low[after] == "'s":
        if (after + 1 < last and low[after + 1] in ("a", "an", "the", "not", "got", "been")) or (
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
    both = _beside(low, after, last)
    return [Subject(entity, both or after, "group" if both else "other", at + 1, name), *found]


def _beside(low: list[str], at: int, last: int) -> int:
    """Return where those end who come after "and": "my sister and her two boys are"; 0: nobody does."""
    if low[at : at + 1] != ["and"] or low[at + 1 : at + 2] not in (["his"], ["her"], ["their"], ["my"], ["our"]):
        return 0
    for end in range(at + 3, min(at + 6, last)):
        if low[end] in BE or low[end] in _HELPERS or low[end] in ("live", "have", "come", "eat", "do"):
            return end
    return 0


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
