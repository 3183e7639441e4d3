"""Text into the words that are searched: one function for what is written and for what is asked."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import snowballstemmer

_WORD = re.compile(r"[^\W_]+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")
_STEMMER = snowballstemmer.stemmer("english")

STOPWORDS = frozenset(
    "a about am an and any are as at be been being but by can could did do does doing for from had has have having he her hers "
    "him his how i if in into is it its itself just me my no nor not of off on or our ours out over own she should so some such "
    "than that the their theirs them then there these they this those to too under until up us very was we were what when where "
    "which while who whom whose why will with would you your yours s t d ll m re ve don doesn didn isn wasn aren won".split()
)


LONGEST_WORD = 64
"""Letters; what is longer is no word, and would take the stemmer long."""


@lru_cache(maxsize=200_000)
def _stem(word: str) -> str:
    stem: str = _STEMMER.stemWord(word) if len(word) <= LONGEST_WORD else word[:LONGEST_WORD]
    return stem if stem.isascii() else "u" + stem.encode().hex()


def tokens(text: str) -> list[str]:
    """Return the searchable words of a text, in order: folded, without diacritics, stemmed (English), pure ASCII.

    Chinese, Japanese and Korean runs have no spaces and become pairs of characters. Function words are left out, unless
    the text has no others.

    >>> tokens("Prefers aisle seats")
    ['prefer', 'aisl', 'seat']
    """
    words = _split(text)
    kept = [word for word in words if word not in STOPWORDS]
    return [_stem(word) for word in kept or words]


def _split(text: str) -> list[str]:
    folded = text if text.isascii() else _without_marks(text)
    words = _WORD.findall(folded.casefold())
    if folded.isascii():
        return words
    return [part for word in words for part in (_pairs(word) if _CJK.search(word) else (word,))]


def _without_marks(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    return unicodedata.normalize("NFKC", plain)


def _pairs(word: str) -> tuple[str, ...]:
    if len(word) == 1:
        return (word,)
    return tuple(word[place : place + 2] for place in range(len(word) - 1))
