"""Words that ask for one thing: stems, plain English synonyms, and near meanings where a model is installed.

The groups are general English, for how people speak of persons, works, organisations, places and systems. None was taken from,
or checked against, a data set that is measured.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache

from stead.index.embedders import Embedder
from stead.model.words import STOPWORDS, tokens

GROUPS = """
spouse wife husband married marry marries marriage partner wed wedded
author write writes wrote written writer novelist penned
create creator created creation invent inventor invented make maker made designer designed
found founder founded establish established establisher
develop developer developed development
direct director directed
perform performer performed performance sing singer sang sung artist band recorded
compose composer composed
produce producer produced manufacturer manufacture manufactured
publish publisher published
employ employer employed work works worked working company firm
job occupation profession career living trade works
boss manager manages managed supervisor superior report reports
lead leader led head heads headed chief
chair chairman chairwoman chairperson chairs chaired
president presidency
country nation nationality citizen citizenship national
born birth birthplace native
die died dies death deathplace perished
live lives lived reside resides residence home
located location situated lies lie sits
place city town locality village
headquarters headquartered based seat
speak speaks speaking spoken language tongue
religion religious faith belief creed
educate educated education study studied studies university college school attend attended graduate graduated
sport game
play plays played player playing
position role
team club squad
child children son daughter kid offspring
parent father mother dad mum mom
sibling brother sister
own owner owned owns belong belongs property
cost costs price priced
age old aged
weigh weighs weight heavy
height tall high
name named called
start starts started begin begins began opens opening
end ends ended finish finishes finished closes
monarch king queen ruler sovereign reigns
government minister premier
currency money
member membership
genre style
broadcast broadcaster broadcasts broadcasted aired airs network channel
origin originate originated originates comes hails
know known famous renowned
drive drives car vehicle
eat eats food
pet dog cat
use uses used using
run runs running host hosted hosts
teach teaches teacher taught
succeed successor succeeded
doctor physician dentist
phone telephone number
colour color
deadline due
"""
PHRASES: Mapping[str, str] = {
    "ceo": "chief executive officer",
    "head office": "headquarters",
    "alma mater": "university educated",
    "passed away": "died",
    "mother tongue": "native language",
}
"""What is said in one way and asked in another, longest first."""
WHERE = frozenset({"in", "at", "on", "located", "lives", "city", "place", "country", "location", "based", "situated"})
_NOW = frozenset({"current", "currently", "now", "still", "presently"})
_WORD = re.compile(r"[^\W_]+")
_POSSESSIVE = re.compile(r"['’]s\b")  # noqa: RUF001 - both apostrophes are written
_SAME, _GROUP, _ROOT, _NEAR = 1.0, 0.8, 0.75, 0.6
_CLOSE = 0.62
"""The least cosine of two single words that counts."""


def words(text: str) -> list[str]:
    """Return the words of a text, folded, without the marks of possession.

    >>> words("Who wrote Dune?")
    ['who', 'wrote', 'dune']
    """
    plain = _POSSESSIVE.sub("", text.casefold())
    if not plain.isascii():
        plain = "".join(char for char in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(char))
    return _WORD.findall(plain)


@cache
def stem(word: str) -> str:
    """Return the stem of one word."""
    found = tokens(word)
    return found[0] if found else word


def content(found: Iterable[str]) -> list[str]:
    """Return the words that say something, in order."""
    return [each for each in found if each not in STOPWORDS and each not in _NOW]


@cache
def _groups() -> Mapping[str, frozenset[int]]:
    table: dict[str, set[int]] = {}
    for number, line in enumerate(GROUPS.split("\n")):
        for each in line.split():
            table.setdefault(stem(each), set()).add(number)
    return {name: frozenset(numbers) for name, numbers in table.items()}


def is_same(asked: str, said: str) -> bool:
    """Tell whether two words have one stem, root or plain meaning."""
    return _plain(stem(asked), stem(said)) > 0


def _plain(first: str, second: str) -> float:
    if first == second:
        return _SAME
    table = _groups()
    if table.get(first, frozenset()) & table.get(second, frozenset()):
        return _GROUP
    return _ROOT if _same_root(first, second) else 0.0


class Likeness:
    """How well a word of a question stands for a word of a claim, from 0 to 1.

    Parameters
    ----------
    embedder
        The local model, if it is there; then words of near meaning count too.
    """

    def __init__(self, embedder: Embedder | None = None) -> None:
        self._embedder = embedder
        self._vectors: dict[str, list[float]] = {}
        self._known: dict[tuple[str, str], float] = {}

    def __call__(self, asked: str, said: str) -> float:
        """Return the likeness of two folded words."""
        pair = (asked, said)
        if pair not in self._known:
            self._known[pair] = self._like(asked, said)
        return self._known[pair]

    def _like(self, asked: str, said: str) -> float:
        if asked == "where":
            return _NEAR if said in WHERE else 0.0
        return _plain(stem(asked), stem(said)) or self._near(asked, said)

    def _near(self, asked: str, said: str) -> float:
        if self._embedder is None or min(len(asked), len(said)) < 4 or STOPWORDS & {asked, said}:
            return 0.0
        left, right = self._vector(asked), self._vector(said)
        cosine = math.fsum(a * b for a, b in zip(left, right, strict=True))
        return _NEAR * cosine if cosine >= _CLOSE else 0.0

    def _vector(self, word: str) -> list[float]:
        if word not in self._vectors:
            assert self._embedder is not None
            self._vectors[word] = [float(each) for each in self._embedder.embed_documents([word])[0]]
        return self._vectors[word]


def _same_root(first: str, second: str) -> bool:
    """Tell whether one is the other with an ending: citizen, citizenship; found, founder."""
    short, long = sorted((first, second), key=len)
    return len(short) >= 5 and long.startswith(short) and len(long) - len(short) <= 4


def reworded(question: str) -> str:
    """Return a question with phrases of one meaning put as a claim would say them."""
    text = question
    for said, plain in PHRASES.items():
        text = re.sub(rf"\b{re.escape(said)}\b", plain, text, flags=re.IGNORECASE)
    return text
