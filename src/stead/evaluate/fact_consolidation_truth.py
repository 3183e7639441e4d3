"""Which numbered facts contradict an earlier one, found without the project's own reader, and what counts as an answer.

**Contradictions.** Every fact is cut in two at each of its words. A cut is good where the first part says a relation (it has a
lower-case word that isn't a function word, or a form of *be* or *have*) and the rest is a bare value: a name (it begins with a
capital or a digit, after an article if there is one, and has no lower-case word but function words, and no form of *be* or
*have*), or a common noun phrase (lower case, without a function word but *and*) that no capitalised word stands before. The first
good cut is the fact's question; the rest is its answer. Where there is none, the value may be a name that ends in common nouns
("American football"), after a function word or a form of *be*. Facts with one question and different answers contradict each
other; the one with the higher number is right, and it supersedes the one just before it.

Limits: a value with common nouns behind a function word ("Duke of the old town") is cut within, so that what contradicts it isn't
known; nor is it where the value stands first ("Rome is the capital of Italy"). A relation that takes many values is treated
as the data set does, as one that takes one.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from itertools import chain

_FUNCTION = frozenset(
    "a an the of and or in on at to by for from with as de la le du des del van von der den di da el al y e und et".split()
)
_ARTICLES = frozenset({"a", "an", "the"})
_BE = frozenset("is was are were be been has had have".split())
_PUNCTUATION = frozenset(string.punctuation)


def question_of(fact: str) -> tuple[str, str] | None:
    """Return a fact's question and its answer; None where it has no good cut.

    >>> question_of("Ada Mbeki plays the position of left wing.")
    ('Ada Mbeki plays the position of', 'left wing')
    """
    found = fact.rstrip().removesuffix(".").split()
    cuts = [(found[:place], found[place:]) for place in range(1, len(found)) if _says_a_relation(found[:place])]
    good = (cut for cut in cuts if _is_bare(cut[1]) and not _splits_a_name(*cut))
    mixed = (cut for cut in cuts if cut[0][-1] in _FUNCTION | _BE and _ends_in_nouns(cut[1]))
    head, tail = next(chain(good, mixed), (None, None))
    return (" ".join(head), " ".join(tail)) if head and tail else None


def _says_a_relation(head: Sequence[str]) -> bool:
    return any(each in _BE or (_is_lower(each) and each not in _FUNCTION) for each in head)


def _is_bare(tail: Sequence[str]) -> bool:
    own = tail[1:] if tail[0].lower() in _ARTICLES else tail
    if not own or any(each in _BE for each in own):
        return False
    if not _is_lower(own[0]):
        return all(not _is_lower(each) or each in _FUNCTION for each in own)
    return own is tail and not any(each in _FUNCTION and each != "and" for each in own)


def _splits_a_name(head: Sequence[str], tail: Sequence[str]) -> bool:
    return not _is_lower(head[-1]) and _is_lower(tail[0]) and tail[0] not in _ARTICLES


def _ends_in_nouns(tail: Sequence[str]) -> bool:
    return not _is_lower(tail[0]) and not any(each in _FUNCTION | _BE for each in tail)


def _is_lower(word: str) -> bool:
    return word[:1].islower()


def superseding(facts: Sequence[str]) -> dict[int, int]:
    """Return for each fact that a later one contradicts the number of the next one that does.

    Parameters
    ----------
    facts
        In order; the later one is right.
    """
    last: dict[str, tuple[int, str]] = {}
    found: dict[int, int] = {}
    for number, fact in enumerate(facts):
        cut = question_of(fact)
        if cut is None:
            continue
        question, value = cut
        if question in last and last[question][1] != value:
            found[last[question][0]] = number
        if question not in last or last[question][1] != value:
            last[question] = (number, value)
    return found


def contradicts(old: str, new: str) -> bool:
    """Tell whether two facts answer one question differently."""
    first, second = question_of(old), question_of(new)
    return first is not None and second is not None and first[0] == second[0] and first[1] != second[1]


def normalised(text: str) -> str:
    """Return a text as the benchmark compares it: lower case, without punctuation, articles and double spaces.

    >>> normalised("The  St. James's Hall")
    'st jamess hall'
    """
    bare = "".join(char for char in text.lower() if char not in _PUNCTUATION)
    return " ".join(re.sub(r"\b(?:a|an|the)\b", " ", bare).split())


def is_right(reply: str, answers: Sequence[str]) -> bool:
    """Tell whether any of the answers stands in a reply."""
    said = normalised(reply)
    return any(own in said for each in answers if (own := normalised(each)))
