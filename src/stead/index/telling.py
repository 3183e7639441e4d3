"""How much the words of a question tell of what it is about: a rare word much, a common one little (R30).

How common a word is in English decides, not how often one subject's texts have it: in a small store everything is rare, "way"
and "work" as much as "oboe", and the name of the one person whom most of the texts are about would tell nothing. It also
depends on nothing but the question, so that nobody's writes move it (R47), nor later ones of the same subject (R50).

The ranks are the order of BERT's vocabulary, which is about the order of frequency in books and Wikipedia, and is part of the
package anyway. A word that isn't in it, as of another language, tells as much as any. "User" is what an agent calls the
subject, whom every fact is about: it tells nothing, as "I" does and the subject's own name.
"""

from __future__ import annotations

import gzip
import math
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from itertools import islice
from typing import Final

from stead.model.slot import SELF
from stead.model.words import STOPWORDS, tokens

COMMON: Final = 10_000
"""Words: rarer ones all tell as much."""
HEAD: Final = 50
"""About so many of the commonest tell next to nothing."""
SELF_TELLS: Final = 0.01
NAME: Final = 1.5
"""A name tells more than any other word: what shares a question's other words is most often about something else."""
_WORD = re.compile(r"[^\W_]+|[.?!]")
_BETWEEN_PARTS = re.compile(r"[,;:.?!\n]|\band\b|\bor\b", re.IGNORECASE)
_DATES = frozenset(
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday".split()
)


@cache
def _ranks() -> Mapping[str, int]:
    packed = (resources.files(__package__) / "_models" / "bert-base-uncased-vocab.txt.gz").read_bytes()
    pieces = gzip.decompress(packed).decode("utf-8").split()
    words = (each for each in pieces if len(each) > 1 and each.isascii() and each.isalpha())
    return {word: rank for rank, word in enumerate(islice(words, COMMON), 1)}


def weight(word: str, stem: str = "") -> float:
    """Return how much a word tells, from 0 to 1: by itself or by its stem, whichever is commoner.

    >>> weight("oboe") > weight("garden") > weight("work") > 0.1
    True
    """
    if SELF in (word, stem):
        return SELF_TELLS
    ranks = _ranks()
    rank = min(ranks.get(word, COMMON), ranks.get(stem, COMMON))
    return math.log1p(rank / HEAD) / math.log1p(COMMON / HEAD)


def telling(query: str, subject: str = "") -> list[dict[str, float]]:
    """Return how much each searchable word of a question tells: of the whole question, then of each of its parts.

    A name, which is a word with a capital within a sentence, tells more than any other word. Parts stand between commas, ends of
    sentences, "and" and "or"; a question of one part has no others.

    Parameters
    ----------
    query
        The question.
    subject
        The subject's name: every fact is about it, so that it tells nothing.

    >>> [sorted(part) for part in telling("the red kayak, and the oboe")]
    [['kayak', 'obo', 'red'], ['kayak', 'red'], ['obo']]
    """
    query = unicodedata.normalize("NFKC", query)
    asked, names = set(tokens(query)), frozenset(_names(query))
    parts = [_weights(part, asked, names) for part in _BETWEEN_PARTS.split(query)]
    parts = [part for part in parts if part]
    whole = {stem: weight(stem) for stem in tokens(query)}
    own = dict.fromkeys(asked.intersection(tokens(subject)), SELF_TELLS)
    parts = [{stem: own.get(stem, told) for stem, told in part.items()} for part in parts]
    for part in (*parts, own):
        whole |= part
    return [whole, *parts] if len(parts) > 1 else [whole]


def _weights(part: str, asked: set[str], names: frozenset[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for word in _WORD.findall(part.casefold()):
        for stem in asked.intersection(tokens(word)):
            found[stem] = NAME if word in names else weight(word, stem)
    return found


def _names(query: str) -> Iterator[str]:
    first = True
    for word in _WORD.findall(query):
        folded = word.casefold()
        if not first and word[0].isupper() and folded not in STOPWORDS and folded not in _DATES:
            yield folded
        first = word in ".?!"
