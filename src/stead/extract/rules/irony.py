"""Marks of irony: a small list; what bears none is taken at its word."""

from __future__ import annotations

from typing import Final

from stead.extract.rules.text import Sentence, Words, phrases


def ironic(words: Words, sentence: Sentence) -> bool:
    """Tell whether a sentence bears a mark of irony."""
    low = words.low[sentence.first : sentence.last]
    if any(word in ("sarcasm", "🙄", "🙃", "sarcastic") for word in low):
        return True
    at = 0
    while at < len(low) - 1 and low[at] in _BEFORE:
        at += 1
    lead = tuple(low[at : at + 4])
    for marks in _IRONY_START:
        if lead[: len(marks)] == marks:
            return True
    joined = " ".join(low)
    return any(mark in joined for mark in _IRONY_ANY) or joined.endswith(("yeah right .", "/ s", "not !"))


_BEFORE: Final = frozenset("lol haha hah ha lmao rofl hahaha well ugh and but wow ,".split())
_IRONY_START: Final = phrases(
    "yes because|yes , because|yep because|sure because|yeah because|right because|because nothing says|because nothing beats|"
    "because who|because obviously|because of course|nothing says|just what i|what could be better|"
    "oh great|oh , great|oh joy|oh wonderful|oh fantastic|oh brilliant|oh lovely|oh perfect|yeah right|"
    "yeah , right|oh sure|oh , sure|sure , because|yeah , because|yeah , sure|right , because|"
    "oh yes , because|oh yeah ,|oh yes , i|oh how|as if|oh i just|oh , i just|ah yes ,|oh of course|"
    "yeah sure|yes sure|sure thing ,|oh sure|oh yay|yay ,|fantastic . nothing|because i totally|lucky me|sure , i|"
    "wow , i just|oh , wonderful|oh , brilliant|oh , lovely|"
    "oh , fantastic|oh , joy"
)
_IRONY_ANY: Final = tuple(
    (
        "i just love|i just adore|we just love|i just loooove|said no one ever|said nobody ever|yeah right|"
        "just what i needed|how wonderful for me|/s|i totally love|i so love|love it when|not at all sarcastic|"
        "lucky me|what a joy|what a treat|such a joy|eye roll|* eyeroll|my absolute favorite thing in the world"
    ).split("|")
)
