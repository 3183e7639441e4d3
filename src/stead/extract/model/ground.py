"""Does it stand in the text? Tests by which words of a model are believed or not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_SAME: Final = str.maketrans({
    "\u2019": "'", "\u2018": "'", "\u02bc": "'", "\u201c": '"', "\u201d": '"', "\u2013": "-", "\u2014": "-", "\u2011": "-",
    "\u00a0": " ", "\u202f": " ",
})  # fmt: skip
"""Signs that a model exchanges for each other when it copies; one for one, so that places stay the same."""
_UNSPACED: Final = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
"""Scripts that don't put spaces between words."""
_END_OF_SENTENCE: Final = re.compile(r"[.!?…。！？\n]+")  # noqa: RUF001 - full-width signs are meant

_FIRST_PERSON: Final = re.compile(
    r"(?<!\w)(?:"
    r"i|i'm|im|i've|i'd|i'll|me|my|mine|myself|we|we're|we've|we'll|we'd|us|our|ours|"  # English
    r"ich|mir|mich|mein\w*|wir|uns|unser\w*|"  # German
    r"je|j'\w+|moi|mon|ma|mes|nous|notre|nos|m'\w+|"  # French
    r"yo|mi|mis|conmigo|nosotr[oa]s|nuestr[oa]s?|"  # Spanish
    r"io|mio|mia|miei|mie|noi|nostr[oaie]|"  # Italian
    r"eu|meu|minha|meus|minhas|n[oó]s|nosso|nossa|"  # Portuguese
    r"ik|mij|mijn|wij|ons|onze"  # Dutch
    r")(?!\w)|[我私僕俺]",
    re.IGNORECASE,
)
_NEGATION: Final = re.compile(
    r"(?<!\w)(?:not|no|never|none|nor|neither|without|hardly|\w+n't|dont|doesnt|didnt|isnt|cant|wont|stopped|quit|no longer|"
    r"nicht|kein\w*|nie|niemals|ne|n'\w+|pas|jamais|nunca|non|mai|não|niet|geen|nooit)(?!\w)|[不没沒無]",
    re.IGNORECASE,
)
_DISLIKE: Final = re.compile(
    r"(?<!\w)(?:dislik\w*|hat(?:e|es|ed|ing)|detest\w*|loath\w*|avoid\w*|allergic|intoleran\w*|can't stand|skip\w*|"
    r"hass\w*|déteste\w*|odi[oa]\w*|haat)(?!\w)",
    re.IGNORECASE,
)
_OPENERS: Final = frozenset(
    "a an the is are was has have had does doesn't don't isn't can can't will won't no not lives works goes likes dislikes loves "
    "hates prefers avoids wants uses owns speaks plans called named always never please".split()
)
"""Words with which a claim may begin whatever the speaker said."""
_WORD: Final = re.compile(r"[^\W_]+")
_NUMBER: Final = re.compile(r"\d+")
_NAME: Final = re.compile(r"(?<!\w)[^\W\d_a-z]\w+", re.UNICODE)

FOR: Final = frozenset("likes loves prefers enjoys uses favors favours wants".split())
AGAINST: Final = frozenset("dislikes hates avoids detests".split())
"""Stances toward an object: the only values that need not stand in the text, since people decline their verbs."""


def alike(text: str) -> str:
    """Return the text with signs that stand for each other made the same; every place stays where it is."""
    return text.translate(_SAME)


def find(words: str, text: str, *, fold: bool = True) -> tuple[int, int] | None:
    """Return where the words stand in the text as whole words, with any white space between them; None: nowhere.

    >>> find("new  york", "I moved to New York.")
    (11, 19)
    >>> find("art", "I live in Stuttgart") is None
    True
    """
    parts = alike(words).split()
    if not parts:
        return None
    first, last = parts[0][0], parts[-1][-1]
    before = r"(?<!\w)" if _bounded(first) else ""
    after = r"(?!\w)" if _bounded(last) else ""
    pattern = before + r"\s+".join(map(re.escape, parts)) + after
    found = re.search(pattern, alike(text), re.IGNORECASE if fold else 0)
    return found.span() if found else None


def _bounded(char: str) -> bool:
    return (char.isalnum() or char == "_") and not _UNSPACED.match(char)


def sentence(text: str, span: tuple[int, int]) -> str:
    """Return the sentence, or sentences, in which a span stands."""
    start = max((found.end() for found in _END_OF_SENTENCE.finditer(text, 0, span[0])), default=0)
    end = _END_OF_SENTENCE.search(text, span[1])
    return text[start : end.start() if end else len(text)]


def is_asked(text: str, span: tuple[int, int]) -> bool:
    """Tell whether the sentence of a span ends with a question mark."""
    end = _END_OF_SENTENCE.search(text, span[1])
    return end is not None and any(mark in end.group() for mark in "?\uff1f")


def is_first_person(text: str) -> bool:
    """Tell whether the speaker speaks of themselves in it."""
    return _FIRST_PERSON.search(alike(text)) is not None


def is_negated(text: str) -> bool:
    """Tell whether something is denied in it."""
    return _NEGATION.search(alike(text)) is not None


def supports_stance(value: str, text: str) -> bool | None:
    """Tell whether a stance fits the words: None when the value is no stance."""
    stance = value.casefold().strip()
    if stance in AGAINST:
        return is_negated(text) or _DISLIKE.search(alike(text)) is not None
    return True if stance in FOR else None


def same_stem(words: str, text: str) -> bool:
    """Tell whether the words stand in the text in some inflection, one after the other: rent in "I'm renting"."""
    wanted, there = _stems(words), _stems(text)
    return bool(wanted) and any(
        there[place : place + len(wanted)] == wanted for place in range(len(there) - len(wanted) + 1)
    )


def is_made_of(claim: str, texts: Iterable[str]) -> bool:
    """Tell whether a claim is in the speaker's own words.

    Every number and every name in it stands in the texts. So does its first word, in some inflection, unless it is one that
    claims begin with; and so do at least half of its other words.
    """
    source = " ".join(texts)
    there = set(_stems(source))
    first, _, rest = claim.strip().partition(" ")
    numbers = set(_NUMBER.findall(source))
    if any(number not in numbers for number in _NUMBER.findall(claim)):
        return False
    names = (found.group() for found in _NAME.finditer(rest))
    if any(find(name, source) is None and not set(_stems(name)) <= there for name in names):
        return False
    if first.casefold() not in _OPENERS and not _is_inflected(first, source):
        return False
    words = _stems(claim)
    return 2 * sum(word in there for word in words) >= len(words)


def _is_inflected(word: str, source: str) -> bool:
    """Tell whether the source has the word, or one that begins like it: wohnt, of "ich wohne"."""
    known = set(_WORD.findall(alike(source).casefold()))
    for part in _WORD.findall(alike(word).casefold()):
        begin = part[: max(3, -(-3 * len(part) // 5))]
        if not (_UNSPACED.search(part) or any(each.startswith(begin) for each in known)):
            return False
    return True


def _stems(text: str) -> list[str]:
    from stead.model.words import tokens

    return tokens(alike(text).encode("utf-8", "replace").decode())
