"""Words that ask to remember what follows them, or what was said just before."""

from __future__ import annotations

from typing import Final

from stead.extract.rules.text import Sentence, Words, phrases

_REMEMBER: Final = phrases(
    "remember that|remember :|remember this :|note that|note :|keep in mind that|keep in mind :|"
    "bear in mind that|do not forget that|do not forget :|make a note that|make a note :|take note that|"
    "take note :|for the record ,|for the record :|for future reference ,|for future reference :|please note|"
    "save this :|remember for next time that|make a note of this :|for your records ,|for your records :|"
    "keep in mind|to remember :|note for next time :|note for later :|just so you know ,|"
    "jot this down :|jot this down somewhere :|write this down :|jot down that"
)
_REMEMBER_FIRST: Final = frozenset(marks[0] for marks in _REMEMBER)
_BEFORE: Final = frozenset(
    "please can could would will you just and also , hey ok okay so i want like need to 'd".split()
)
_AFTER: Final = phrases(
    "remember that|remember this|remember it|remember that please|keep that in mind|keep this in mind|"
    "note that down|make a note of that|note that"
)
_OPEN_SELF: Final = frozenset("i my we our".split())


def remembering(words: Words, sentence: Sentence) -> int:
    """Return the first word of what is to be remembered; the sentence's end when it is what was said before; else 0."""
    low = words.low
    at = sentence.first
    while at < sentence.last and low[at] in _BEFORE:
        at += 1
    rest = low[at : sentence.last]
    while rest and rest[-1] in (".", "!", ",", "please", "?"):
        rest = rest[:-1]
    if tuple(rest) in _AFTER:
        return sentence.last
    if low[at : at + 1] and low[at] not in _REMEMBER_FIRST and low[at - 1] not in _REMEMBER_FIRST:
        return 0
    for marks in _REMEMBER:
        size = len(marks)
        if tuple(low[at : at + size]) == marks or (tuple(low[at - 1 : at - 1 + size]) == marks and at > sentence.first):
            return at + size if low[at : at + 1] == [marks[0]] else at - 1 + size
    if (
        low[at : at + 1] in (["remember"], ["note"])
        and low[at + 1 : at + 2]
        and low[at + 1] in _OPEN_SELF
        and "?" not in sentence.mark
    ):
        return at + 1 if low[at + 2 : at + 3] and low[at + 2] not in ("told", "said", "asked") else 0
    if low[at : at + 3] == ["do", "not", "forget"] and low[at + 3 : at + 4] and low[at + 3] in ("i", "we"):
        return at + 3
    return 0
