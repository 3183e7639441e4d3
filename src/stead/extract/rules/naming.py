"""Gaps for names: where a place, an organisation or a person ends, and what is no name."""

from __future__ import annotations

from functools import cache
from typing import Final

from stead.extract.rules.lexicon import FOLLOW, MOODS, RELATIVES, SOFT, STOPS, heads, things
from stead.extract.rules.measures import MONTHS
from stead.extract.rules.text import Words
from stead.extract.rules.verbs import BE

_DAYS: Final = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday today tomorrow christmas easter".split()
)
_LINKS: Final = frozenset("of de la le the and & upon del di da van von am sur en for du in der den los las el".split())
NO_START: Final = frozenset(
    "out up down off away back like it that this those these them him her me us you not no to for of in "
    "on at my our your his their its there "
    "here one ones everything anything something nothing everyone anyone someone being having doing going getting "
    "how what when where why who which if so as is all any some much many more most less least lot bit kind sort "
    "way thing things idea a-lot hearing seeing talking yours mine hers theirs ours each both either neither same "
    "other another such have get got gone been had has come".split()
)
_NOT_A_NAME: Final = (
    frozenset("i god".split())
    | _DAYS
    | STOPS
    | frozenset(
        "this that these those all everything she his her just also not so very a an the my our in at on here there".split()
    )
    | RELATIVES
)


def proper(words: Words, first: int, last: int, size: int = 6) -> int:
    """Return the end of a name: words with capitals, and small words between them."""
    low = words.low
    at = first
    if low[at] == "the":
        at += 1
    end = begin = at
    while end < last and end - first < size and end not in words.masked:
        if (
            (low[end] in _LINKS and end > begin and end + 1 < last and low[end] != "in" and _names(words, end + 1))
            or (low[end] == "." and low[end - 1] in ("st", "mt", "ft", "dr") and end + 1 < last and end > begin)
            or (low[end] == "'s" and end > begin and _of_name(words, end, last))
            or _names(words, end)
        ):
            end += 1
        else:
            break
    return end if end > begin else first


def _of_name(words: Words, at: int, last: int) -> bool:
    """Tell whether 's belongs to a name: "Levi's Stadium", "work at Sainsbury's"; "at Anna's" is her place."""
    if at + 1 < last and words.capital(at + 1):
        return True
    if not any(words.low[before].startswith("work") for before in range(max(0, at - 4), at)):
        return False
    return at + 1 >= last or words.low[at + 1] in _AFTER_NAME or not words.is_word(at + 1)


_AFTER_NAME: Final = frozenset("since as and in for now but these here near on at".split())


def _names(words: Words, index: int) -> bool:
    low = words.low[index]
    if not words.is_word(index) or low in _NOT_A_NAME:
        return False
    if words.casual:
        return (
            low not in FOLLOW
            and low not in NO_START
            and low not in SOFT
            and low not in MOODS
            and low not in heads("adjective")
        )
    return words.capital(index)


def place(words: Words, first: int, last: int) -> int:
    """Return the end of a place."""
    if words.casual:
        last = min(last, first + 2)
    low = words.low[first]
    if low[0].isdigit() or (low in MONTHS and first in words.masked) or low in _NOWHERE:
        return first
    end = proper(words, first, last, 5)
    short = end == first + 1 and len(low) < 4 and words.slice(first, end).isupper()
    return first if short and low not in _CAPITALS and not words.text.isupper() else end


_NOWHERE: Final = frozenset(
    "mars venus jupiter saturn uranus neptune pluto earth hell heaven narnia hogwarts mordor atlantis oz wonderland".split()
)
_CAPITALS: Final = frozenset("uk us usa uae nyc la dc sf nz ny nj bc ddr gdr rd hk kl nrw rp".split())
"""Places that are written in capitals; "I'm from HR" names none."""


def org(words: Words, first: int, last: int) -> int:
    """Return the end of an organisation or a product."""
    if words.casual:
        last = min(last, first + 3)
    return proper(words, first, last, 6)


def _titled(words: Words, first: int, last: int) -> bool:
    """Tell whether a name begins with a title: "Dr. Okafor"."""
    return words.low[first] in ("dr", "mr", "mrs", "ms", "prof") and first + 1 < last


def person(words: Words, first: int, last: int) -> int:
    """Return the end of a person's name, with its title."""
    end = first
    if _no_name(words, first, last):
        return first
    limit = min(last, first + (1 if words.casual else 3))
    if _titled(words, first, last):
        first_name = first + 1 + (words.low[first + 1] == ".")
        following = person(words, first_name, last) if first_name < last else first_name
        return following if following > first_name else first
    while end < limit and _names(words, end) and not words.low[end][0].isdigit() and end not in words.masked:
        end += 1
    return end


def _no_name(words: Words, first: int, last: int) -> bool:
    """Tell whether a word says what somebody is: Polish, vegan, retired; it is nobody's name."""
    low = words.low[first]
    if words.casual and first > 1 and words.low[first - 1] in _LINKING and words.low[first - 2] not in _NAMING:
        return True
    if first + 1 < last and words.capital(first + 1) and not words.casual:
        return False
    if any(low in heads(name) for name in ("nationality", "religion", "politics", "diagnosed")):
        return True
    if first and words.low[first - 1] in _LINKING and words.low[first - 2] not in _NAMING and low in _kinds():
        return True
    if words.casual or not words.capital(first):
        return (
            any(low in heads(name) for name in (*_NO_PERSONS, "adjective"))
            or low in MOODS
            or low.endswith(("ing", "ed"))
        )
    return False


@cache
def _kinds() -> frozenset[str]:
    """Return the single words that name a club, a maker, a language: "my husband is Bayern" names nobody."""
    return frozenset(
        entry[0]
        for name in ("club", "airline", "language", "carmake", "cuisine")
        for entry in things(name) or ()
        if len(entry) == 1
    ) | (_NOBODY - {"gen", "type", "team"})


_LINKING: Final = frozenset("is are 's".split())
_NAMING: Final = frozenset("name names nickname 's".split())


def own_name(words: Words, first: int, last: int) -> int:
    """Return the end of a name that somebody gives as their own: a person's, not a group's or a nation's."""
    end = person(words, first, last)
    if words.low[first - 1] not in BE or words.low[first - 2] == "we":
        return first
    for at in range(first, end):
        low = words.low[at]
        if (
            words.slice(at, at + 1).isupper()
            or any(low in heads(name) for name in _NO_PERSONS)
            or low in MOODS
            or low in FOLLOW
            or low.endswith(("ing", "ed", "ish", "ese", "ite", "ean"))
            or (low.endswith("ian") and low not in _IANS)
            or low in _kinds()
            or low in _NOBODY
            or any(part in heads("nationality") for part in low.split("-"))
        ):
            return first
    return (
        first
        if words.casual or (end < last and words.low[end] not in (",", "and", "from", ".", "!", "-", "by", "but"))
        else end
    )


_IANS: Final = frozenset(
    "ian brian adrian christian julian sebastian fabian damian vivian lillian florian kilian bastian dorian marian gillian "
    "jillian cillian cyprian maximilian cristian killian dian aurelian octavian valerian fabrian tobian".split()
)
_NOBODY: Final = frozenset(
    "aries taurus gemini virgo libra scorpio sagittarius capricorn aquarius pisces batman superman spiderman gandalf "
    "dracula cinderella santa god jesus satan team type gen new".split()
)
"""Signs, and figures that somebody only calls themselves."""
_NO_PERSONS: Final = (
    "nationality",
    "religion",
    "politics",
    "role",
    "diagnosed",
    "language",
    "condition",
    "disability",
    "programming",
    "format",
)


def employer(words: Words, first: int, last: int) -> int:
    """Return the end of an organisation: a name, or an institution such as "the city council"."""
    named = org(words, first, last)
    low = words.low
    if named > first:
        return named + 1 if named < last and low[named] in heads("institution") else named
    if low[first] not in ("a", "an", "the", "my", "our"):
        return first
    end = first + 1
    while end < last and end - first < 5 and low[end] not in FOLLOW and words.is_word(end) and end not in words.masked:
        end += 1
        if low[end - 1] in _PUBLIC and low[end : end + 1] == ["of"] and end + 1 < last:
            named = proper(words, end + 1, last, 3)
            return named if named > end + 1 else first
        if low[end - 1] in heads("institution"):
            return end + 1 if end < last and low[end] in heads("institution") else end
    return first


_PUBLIC: Final = frozenset(
    "city town county state municipality ministry department university bank church port house".split()
)
"""Who employs people "of" a place: "the city of Ghent"."""


def school(words: Words, first: int, last: int) -> int:
    """Return the end of a school's name: one of its words says so."""
    end = org(words, first, last)
    return end if any(words.low[at] in heads("school") for at in range(first, end)) else first
