"""A claim as tokens: quotes straightened, contractions taken apart, spellings made one."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

from stead.resolve.text.lexicon import mapping, words

_TOKEN: Final = re.compile(
    r"[$€£¥](?=\d)"
    r"|(?<!\S)\.[A-Z]\w+"
    r"|(?:https?://|www\.)[^\s<>\"]+"
    r"|\+?\d++(?:[.,:/-]\d++)*+(?![\w-])"
    r"|\d++(?:[.,:]\d++)*+[A-Za-z%]{1,4}+(?![\w-])"
    r"|\w+(?:(?:[-./&+@_]|'(?!s\b|re\b|ve\b|ll\b|d\b|m\b))\w+)*(?:\+\+|\#)?"
    r"|'(?:s|re|ve|ll|d|m)\b|'"
    r"|[^\w\s]"
)
"""Every alternative is one run without a choice inside of it, so a text of any kind is read in one pass."""
_STRAIGHT: Final = str.maketrans(
    "\u2019\u2018\u02bc\u2032\u201c\u201d\u201e\u00ab\u00bb\u2013\u2014", "''''" + 5 * '"' + "-,"
)
_TAILS: Final = {"'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "'m": "am"}
_NEGATED: Final = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is", "can": "can"}
_GLUED: Final = re.compile(r"(\d+(?:[.,:]\d+)*)([a-z]{1,4}|%)")
_DIGIT: Final = re.compile(r"\d")
LONGEST: Final = 8_000
"""Characters of a claim that are looked at; what is longer is no claim."""


class Token(NamedTuple):
    """One word, number or mark; a tuple, since phrases of them are looked up all the time."""

    raw: str
    low: str
    """Folded, in the one spelling of the word."""

    @property
    def is_word(self) -> bool:
        """It is a word, a number or an identifier, not a mark."""
        return self.low[:1].isalnum() or self.low[:1] == "+" or (self.low[:1] == "." and len(self.low) > 1)

    @property
    def has_digit(self) -> bool:
        """It has a digit: a number, a date, an identifier."""
        return _DIGIT.search(self.low) is not None

    @property
    def is_name(self) -> bool:
        """It is written as names are: with a capital letter somewhere, or in a script that has none."""
        return self.raw.lower() != self.raw or (not self.raw.isascii() and _has_no_case(self.raw))


def _has_no_case(raw: str) -> bool:
    return any(char.isalpha() and char.lower() == char.upper() for char in raw)


def tokenize(text: str) -> list[Token]:
    """Return the tokens of a text, in order."""
    folded = unicodedata.normalize("NFKC", text[:LONGEST]).translate(_STRAIGHT)
    found: list[Token] = []
    for match in _TOKEN.finditer(folded):
        if (
            match.group() == "A" and found
        ):  # "Hall A", "vitamin A": no article is written with a capital inside of a sentence
            found.append(Token("A", "A"))
        else:
            found.extend(_apart(match.group()))
    return found


@lru_cache(maxsize=16384)
def _apart(raw: str) -> list[Token]:
    low = raw.casefold()
    if low in _TAILS:
        return [Token(_TAILS[low], _TAILS[low])]
    if low.endswith("n't") and len(low) > 3:
        stem = _NEGATED.get(low[:-3], low[:-3])
        return [Token(raw[: len(stem)], stem), Token("not", "not")]
    if low == "cannot":
        return [Token(raw[:3], "can"), Token("not", "not")]
    if low[0].isdigit():
        glued = _GLUED.fullmatch(low)
        if glued and glued[2] in units_glued():
            return [Token(glued[1], glued[1]), Token(raw[len(glued[1]) :], glued[2])]
    return [Token(raw, mapping("spelling").get(low, low))]


def units_glued() -> frozenset[str]:
    """Return the units that may follow a number without a space."""
    return words("glued_units")
