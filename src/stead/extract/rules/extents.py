"""How far a gap reaches: each kind of value has its own way to go on and to stop."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from stead.extract.rules.lexicon import FOLLOW, RELATIVES, STOPS, heads, things
from stead.extract.rules.measures import (
    HEIGHTS,
    NUMBERS,
    WEIGHTS,
    address,
    adverbial,
    age,
    date,
    email,
    measure,
    money,
    number,
    phone,
    size,
    time,
    trimmed,
    year,
)
from stead.extract.rules.naming import NO_START, employer, org, own_name, person, place, proper, school
from stead.extract.rules.text import Words

Choices = frozenset[tuple[str, ...]]
_FEW: Final = frozenset("few several many more less much raised little bit some".split())
_INSIDE: Final = frozenset("a an the me my your his her our us".split())
_STATES: Final = frozenset(
    "nationality religion politics condition diagnosed disability allergen medication language".split()
)
"""What somebody is or has: no doing goes before it, as in "considering learning Japanese"."""
_MODELS: Final = frozenset("phonemodel laptopmodel car bike".split())
_MODEL_WORDS: Final = frozenset("pro max mini air ultra plus carbon note neo".split())
_ARTICLES: Final = frozenset("a an the".split())
_OWNING: Final = _ARTICLES | frozenset("my our your his her their its this that these those".split())
"""A value that ends with one of them was cut in two."""


def extent(words: Words, kind: str, first: int, last: int, choices: Choices) -> int:
    """Return where the longest value of that kind ends that begins at a word; the word itself when there is none.

    Parameters
    ----------
    words
        The turn.
    kind
        As in a template.
    first, last
        Where the value begins, and what it can't run past.
    choices
        The attribute's listed values, for the kind ``values``.
    """
    if first >= last:
        return first
    own = _KINDS.get(kind)
    if own is not None:
        return own(words, first, last)
    if kind == "values":
        return _listed(words, first, last, choices)
    return _of_list(words, kind, first, last)


def _text(words: Words, first: int, last: int, size: int = 7) -> int:
    low = words.low
    at = first
    if low[at] in _ARTICLES:
        at += 1
    if at >= last or low[at] in NO_START or low[at] in STOPS or low[at] in RELATIVES:
        return first
    gerund = low[at].endswith("ing") and len(low[at]) > 4
    end = at
    while end < last and end - first < size + 2 * gerund and end not in words.masked:
        if (
            low[end] in _WHILE
            or (end > at and adverbial(low, end))
            or (low[end] in STOPS and not (gerund and low[end] in (",", "and") and _goes_on(words, end, last)))
        ):
            break
        end += 1
    if end < last and low[end] in _CUTS:
        return first
    end = trimmed(words, first, end)
    if end in words.recurring and low[end - 1] in NUMBERS:
        return first
    if low[at] in NUMBERS or (end == at + 1 and low[at] in _WANTING):
        return first
    if (
        end <= at
        or not _VAGUE.isdisjoint(low[at:end])
        or low[end - 1] in _OWNING
        or (end - at > 1 and low[end - 2] in ("a", "an") and low[end : end + 1] == [","])
    ):
        return first
    return end


def _field(words: Words, first: int, last: int) -> int:
    """Return the end of what somebody studies: "psychology" of "psychology at Utrecht University"; "Uppsala" is none."""
    if not words.casual and words.capital(first) and not words.slice(first, first + 1).isupper():
        named = proper(words, first, last, 4)
        if named > first and words.low[named - 1] not in heads("subject") | heads("language"):
            return first
    cut = next((at for at in range(first + 1, last) if words.low[at] in _PLACING), last)
    return _text(words, first, cut, 5)


_PLACING: Final = frozenset("at from with on for under by here via through part".split())


def _goes_on(words: Words, at: int, last: int) -> bool:
    """Tell whether a phrase such as "making new and powerful models" goes on after "and"."""
    following = at + 1
    if following >= last or words.low[at] == ",":
        return False
    word = words.low[following]
    return not word.endswith("ing") and word not in STOPS and word not in FOLLOW and words.is_word(following)


_WANTING: Final = frozenset(
    "playing sharing making using trying seeing listening helping giving taking spending finding creating "
    "checking working putting wearing bringing buying keeping holding showing telling hanging sitting staying "
    "coming looking".split()
)
_WHILE: Final = frozenset("during before after".split())
_CUTS: Final = frozenset("it i he she they we you that who which whom whose how what is are was were has had".split())
_VAGUE: Final = frozenset(
    "them him her us you your yours this these those here there me everyone everybody such of-course thought "
    "sound look vibe vibes one ones thing things it stuff someone something anyone anything everything way part "
    "idea ideas".split()
)


def _phrase(words: Words, first: int, last: int) -> int:
    end = min(last, first + 24)
    while end > first and (
        not words.is_word(end - 1) or words.low[end - 1] in ("please", "and", "but", "or", "ok", "okay", "thanks")
    ):
        end -= 1
    return end


def _goal(words: Words, first: int, last: int) -> int:
    """Return the end of something to reach: "run a marathon"."""
    if first + 1 >= last or not (
        words.low[first] in _GOALS
        or words.low[first + 1] in _REACHED.get(words.low[first], ())
        or (words.low[first] in _MEASURED and words.low[first + 1].isdigit())
    ):
        return first
    last = next((at for at in range(first, last) if words.low[at] == ","), last)
    end = trimmed(words, first, _phrase(words, first, min(last, first + 8)))
    return end if end > first + 1 else first


_GOALS: Final = frozenset(
    "run learn lose climb become quit finish master improve publish save pass retire complete".split()
)
_MEASURED: Final = frozenset("read walk swim cycle write visit hike save bike see".split())
_REACHED: Final = {
    verb: frozenset(things.split())
    for verb, _, things in (
        line.partition(" ")
        for line in (
            "get fit fitter healthier promoted certified better", "buy a our my", "write a my", "stop smoking drinking vaping",
            "start a my", "pay off", "read more one two", "eat healthier less more", "travel the around", "speak fluent",
            "build a my up", "open a my our", "hike the", "cycle across from the around", "swim the across", "cut down",
            "reach my the a",
        )
    )
}  # fmt: skip
"""Goals that are told by their second word: "buy a house"; "buy milk" is an errand."""


def _gerund(words: Words, first: int, last: int) -> int:
    word = words.low[first]
    if (
        not word.endswith("ing")
        or len(word) < 5
        or word in NO_START
        or word in ("thing", "morning", "evening", "something")
    ):
        return first
    return _text(words, first, last, 5)


def _drink(words: Words, first: int, last: int) -> int:
    """Return the end of a drink with the way it is taken: "tea with milk"."""
    end = _of_list(words, "drink", first, last)
    if end == first:
        return first
    while (
        end < last
        and end - first < 6
        and end not in words.masked
        and words.is_word(end)
        and words.low[end] not in STOPS
    ):
        end += 1
    return trimmed(words, first, end)


def _role(words: Words, first: int, last: int) -> int:
    low = words.low
    end = best = first
    roles = heads("role")
    if low[first] in _FOR_FUN or not _SO_TO_SAY.isdisjoint((low[first], low[first - 1])):
        return first
    while (
        end < last
        and end - first < 6
        and end not in words.masked
        and (low[end] not in FOLLOW or (end > first and low[end] == "of"))
    ):
        if not words.is_word(end) or low[end] in (NO_START if end == first else _INSIDE):
            break
        if low[end] in roles or (low[end].endswith("s") and low[end][:-1] in roles):
            best = end + 1
        end += 1
    if best < last and low[best] == "of" and best > first:
        rest = _text(words, best + 1, last, 3)
        return rest if rest > best + 1 else best
    return best


_FOR_FUN: Final = frozenset("keen avid passionate amateur hobby enthusiastic big huge".split())
_SO_TO_SAY: Final = frozenset("practically basically virtually almost nearly literally like kinda essentially".split())
"""Who is practically a doctor is none."""


def _when(words: Words, first: int, last: int) -> int:
    end = first
    while end < last and end in words.masked:
        end += 1
    return end


def _every(words: Words, first: int, last: int) -> int:
    end = first
    while end < last and end in words.recurring:
        end += 1
    return end


def _listed(words: Words, first: int, last: int, choices: Choices) -> int:
    low = words.low
    for length in range(min(6, last - first), 0, -1):
        if tuple(low[first : first + length]) in choices:
            return first + length
    return first


def _of_list(words: Words, kind: str, first: int, last: int) -> int:
    """Return the end of a thing of a word list: the words before it narrow it down ("dark chocolate")."""
    low = words.low
    entries = things(kind) or frozenset()
    if kind == "pet":
        return _listed(words, first, last, entries)
    at = first + 1 if low[first] in _ARTICLES else first
    named = _ENDINGS[kind].search if kind in _ENDINGS else None
    end = best = at
    while end < last and end - at < 4 and end not in words.masked and words.is_word(end):
        if (
            low[end] in FOLLOW
            or (end == at and low[end] in NO_START)
            or low[end] in _FEW
            or (end > at and low[end] in _INSIDE)
            or (kind in _STATES and low[end].endswith("ing"))
        ):
            break
        end += 1
        if any(tuple(low[begin:end]) in entries for begin in range(first, end)) or (named and named(low[end - 1])):
            best = end
    if kind in _MODELS and best > at:
        while (
            best < last
            and best not in words.masked
            and (low[best][0].isdigit() or low[best] in _MODEL_WORDS or words.capital(best))
        ):
            best += 1
    return best if best > at else first


_ENDINGS: Final = {
    "condition": re.compile(
        r"\w{2}(?:itis|(?<!n)osis|[^dhn]aemia|[^dhn]emia|algia|neuropathy|myopathy|retinopathy|cardiopathy|plegia|dystrophy|"
        r"stenosis|philia|phobia)$|^(?:syndrome|disorder|disease|deficiency|dystrophy|palsy|sclerosis|lymphoma)$"
    ),
    "medication": re.compile(
        r"\w{3}(?:pril|statin|olol|prazole|oxetine|cillin|floxacin|azepam|zolam|sartan|dipine|gliptin|gliflozin|glutide|"
        r"thyroxine|profen|triptan|parin|dronate|tidine|setron|mycin|cycline|conazole|ciclovir|cyclovir|fenac|lukast|"
        r"zumab|ximab|limumab|trexate|formin|gabalin|triptyline)$"
    ),
}  # fmt: skip
"""How the names of illnesses and of medicines end."""
_KINDS: Final[Mapping[str, Callable[[Words, int, int], int]]] = {
    "text": _text,
    "short": lambda words, first, last: _text(words, first, last, 4),
    "phrase": _phrase,
    "field": _field,
    "ing": _gerund,
    "place": place,
    "org": org,
    "person": person,
    "number": number,
    "size": size,
    "date": date,
    "time": time,
    "email": email,
    "phone": phone,
    "address": address,
    "money": money,
    "role": _role,
    "every": _every,
    "age": age,
    "year": year,
    "drinkway": _drink,
    "school": school,
    "self": own_name,
    "goalphrase": _goal,
    "employer": employer,
    "when": _when,
    "height": lambda words, first, last: measure(words, first, last, HEIGHTS),
    "weight": lambda words, first, last: measure(words, first, last, WEIGHTS),
}
