"""What a contradiction means, from the words of the new claim (R22)."""

from __future__ import annotations

import re
from typing import Final

from stead.resolve.text.frame import Meaning
from stead.resolve.text.lexicon import words as word_list
from stead.resolve.text.tokens import tokenize

_INSTEAD: Final = re.compile(r" not (?!only |just )(?:\S+ ){1,5}but (?:\S+ ){1,5}$")
""""works not at Acme but at Apex": it says what is wrong beside what is right."""


def meaning(words: str) -> Meaning | None:
    """Say what a contradiction means, from the words in which it was said (R22).

    Parameters
    ----------
    words
        The new claim, or the turn in which it was said.

    Returns
    -------
    Meaning or None
        None where the words don't say; then the world changed. "Paragraphs, not bullets" doesn't say: it is how people put a new
        rule, too.

    >>> meaning("Moved to Lisbon in March").value, meaning("I meant Apex").value, meaning("Works at Apex")
    ('changed', 'corrected', None)
    """
    text = " " + " ".join(token.low for token in tokenize(words)) + " "
    if text.startswith(" actually ") or any(f" {phrase} " in text for phrase in word_list("corrected")):
        return Meaning.CORRECTED
    if _INSTEAD.search(text):
        return Meaning.CORRECTED
    if any(f" {phrase} " in text for phrase in word_list("changed")):
        return Meaning.CHANGED
    return None
