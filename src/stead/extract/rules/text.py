"""A turn as words with offsets: contractions taken apart, sentences found, quotations marked."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

_TOKEN: Final = re.compile(
    r"\[redacted:[^\]\n]{0,60}\]"
    r"|https?://[^\s<>\"]{1,300}"
    r"|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,24}){1,4}"
    r"|[$€£]\d{1,20}(?:[.,]\d{1,20}){0,6}(?:[kKmM]\b)?"
    r"|\d{1,4}(?:st|nd|rd|th)?-[A-Za-z]\w{0,30}(?:-\w{1,30}){0,3}"
    r"|\+?\d{1,20}(?:[.,:/-]\d{1,20}){0,6}(?:(?:st|nd|rd|th|am|pm|k|%|kg|cm|m|h|s)\b)?"
    r"|\w{1,80}(?:[.&/'+-]\w{1,80}){0,12}(?:\+\+|\#)?"
    r"|\S"
)
_STRAIGHT: Final = str.maketrans("\u2019\u2018\u02bc\u201c\u201d\u201e\u00ab\u00bb", "'''" + 5 * '"')
_TAILS: Final = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would", "'s": "'s"}
_NEGATED: Final = {"ca": "can", "wo": "will", "sha": "shall", "ai": "is"}
_BARE: Final = {
    **{f"{word}nt": (word, "not", len(word)) for word in "do does did is was are were have has would could should".split()},
    "cant": ("can", "not", 2), "cannot": ("can", "not", 3), "wont": ("will", "not", 2), "im": ("i", "am", 1),
    "ive": ("i", "have", 1), "gonna": ("going", "to", 3), "wanna": ("want", "to", 3), "gotta": ("got", "to", 3),
    "theyre": ("they", "are", 4), "youre": ("you", "are", 3), "hes": ("he", "'s", 2), "shes": ("she", "'s", 3),
    "thats": ("that", "'s", 4),
    "weve": ("we", "have", 2),
}  # fmt: skip
"""Contractions that lack their mark: the two words, and where they are cut."""
_SPELLINGS: Final = {
    "favourite": "favorite", "fav": "favorite", "fave": "favorite", "favourites": "favorites", "colour": "color",
    "colours": "colors", "u": "you", "ur": "your", "pls": "please", "plz": "please", "thx": "thanks", "w/": "with",
    "grey": "gray", "centre": "center",
    "programme": "program", "organise": "organize", "summarise": "summarize", "apologise": "apologize", "travelling": "traveling",
    "travelled": "traveled", "kilometre": "kilometer", "kilometres": "kilometers", "metres": "meters", "yoghurt": "yogurt",
    "vegeterian": "vegetarian", "vegitarian": "vegetarian", "alergic": "allergic", "allergc": "allergic", "alergy": "allergy",
    "definately": "definitely", "prefered": "preferred", "adress": "address", "emplyer": "employer", "langauge": "language",
    "hav": "have", "hv": "have", "wrk": "work", "liv": "live", "frm": "from", "becos": "because", "coz": "because",
    "anwser": "answer", "answr": "answer", "recieve": "receive", "becuase": "because", "cuz": "because", "bc": "because",
}  # fmt: skip
"""One spelling for each word; what is written stays as it was."""
_ABBREVIATED: Final = frozenset("mr mrs ms dr st prof vs e.g i.e approx no jr sr str nr ave rd blvd".split())
_MAY_END: Final = frozenset("inc ltd co corp etc a.m p.m u.s u.k".split())
_SAYING: Final = frozenset(
    "say says said saying told tells tell asked asks wrote writes replied goes quote quoted reads read shouted "
    "texted claims claimed called like translate sentence phrase sign lyrics line titled".split()
)
_PERSONAL: Final = frozenset("i i'm my me we our you your he she they am".split())
LONGEST_SENTENCE: Final = 240
"""Words after which a sentence is taken to end."""
LONGEST: Final = 5_000
"""Words of one turn that are looked at; what follows them is left unread."""


@dataclass(slots=True)
class Sentence:
    """A run of words ``[first, last)`` with the mark that ends it."""

    first: int
    last: int
    mark: str


@dataclass(slots=True)
class Words:
    """The words of one turn. All lists run in parallel; ``low`` has contractions spelled out."""

    text: str
    """With straight quotation marks; as long as the original."""
    raw: str = ""
    """As it was written."""
    low: list[str] = field(default_factory=list)
    start: list[int] = field(default_factory=list)
    end: list[int] = field(default_factory=list)
    masked: set[int] = field(default_factory=set)
    """Words of time: no value runs through them."""
    recurring: set[int] = field(default_factory=set)
    """Words of time that come back: "every Tuesday"."""
    quoted: set[int] = field(default_factory=set)
    """Words inside of somebody's quotation."""
    casual: bool = False
    """The turn has no capital letters: names can't be told by them."""

    def add(self, low: str, start: int, end: int) -> None:
        """Append one word."""
        self.low.append(low)
        self.start.append(start)
        self.end.append(end)

    def is_word(self, index: int) -> bool:
        """Tell whether it is a word or a number, not punctuation."""
        first = self.low[index][0]
        return first.isalnum() or (first in "'$€£+[" and len(self.low[index]) > 1)

    def capital(self, index: int) -> bool:
        """Tell whether it is written with a capital letter (or begins with a digit)."""
        char = self.text[self.start[index]]
        return char.isupper() or char.isdigit()

    def slice(self, first: int, last: int) -> str:
        """Return the text of the words ``[first, last)`` as it was written."""
        return self.raw[self.start[first] : self.end[last - 1]] if first < last else ""


def phrases(text: str) -> tuple[tuple[str, ...], ...]:
    """Return a list of phrases, written with | between them, as their words."""
    return tuple(tuple(phrase.split()) for phrase in text.split("|"))


Options = dict[str, tuple[tuple[str, ...], ...]]


def by_first(text: str) -> Options:
    """Return a list of phrases by their first words."""
    found: Options = {}
    for phrase in phrases(text):
        found[phrase[0]] = (*found.get(phrase[0], ()), phrase)
    return found


def straight(text: str) -> str:
    """Return a text with straight quotation marks, each in its place."""
    return text if text.isascii() else text.translate(_STRAIGHT)


def read(text: str) -> Words:
    """Take a turn apart into words."""
    plain = straight(text)
    words = Words(text=plain, raw=text)
    for found in _TOKEN.finditer(plain):
        _take(words, found.group(), found.start(), found.end())
        if len(words.low) >= LONGEST:
            break
    words.casual = plain == plain.lower()
    if '"' in plain or "'" in plain:
        _mark_quotes(words)
    if "```" in plain or ">" in plain:
        _mark_pasted(words)
    return words


def _take(words: Words, raw: str, start: int, end: int) -> None:
    low = raw.lower()
    if low in _BARE:
        first, second, size = _BARE[low]
        words.add(first, start, start + size)
        words.add(second, start + size, end)
        return
    if "'" in low and len(low) > 2:
        if low.endswith("n't") and len(low) > 3:
            head = low[:-3]
            words.add(_NEGATED.get(head, head), start, end - 3)
            words.add("not", end - 3, end)
            return
        cut = low.rfind("'")
        tail = low[cut:]
        if cut and tail in _TAILS:
            words.add(_SPELLINGS.get(low[:cut], low[:cut]), start, start + cut)
            words.add(_TAILS[tail], start + cut, end)
            return
    words.add(_SPELLINGS.get(low, low), start, end)


def sentences(words: Words) -> list[Sentence]:
    """Return the sentences of a turn: they end at a mark, at a line's end and at a picture."""
    found: list[Sentence] = []
    first, count = 0, len(words.low)
    low, text = words.low, words.text
    for index in range(count):
        word = low[index]
        following = index + 1
        ends = word in ".!?…" and _closes(words, index)
        if not ends and following < count:
            gap = words.start[following] - words.end[index]
            ends = gap > 0 and "\n" in text[words.end[index] : words.start[following]]
        if ends or following == count or following - first >= LONGEST_SENTENCE:
            if found and index == first and word in '.!?…")':
                found[-1].mark += word
            elif index > first or words.is_word(index):
                found.append(Sentence(first, following, word if word in ".!?…" else ""))
            first = following
    return found


def _closes(words: Words, index: int) -> bool:
    """Tell whether a mark ends its sentence."""
    following = index + 1
    if following == len(words.low):
        return True
    if words.low[index] != ".":
        return True
    if words.start[following] == words.end[index]:
        return words.low[following] in ".\")'"
    before = words.low[index - 1] if index else ""
    if before in _ABBREVIATED or before.endswith("str") or (len(before) == 1 and before.isalpha() and before != "i"):
        return False
    return before not in _MAY_END or words.capital(following)


def _mark_quotes(words: Words) -> None:
    """Mark what stands in somebody's quotation; short titles and names in quotation marks stay readable."""
    opened: int | None = None
    for index, word in enumerate(words.low):
        if word == '"' or (word == "'" and _stands_alone(words, index)):
            if opened is None:
                opened = index
            elif words.low[opened] == word:
                _close_quote(words, opened, index)
                opened = None


def _mark_pasted(words: Words) -> None:
    """Mark code between fences, and the lines of somebody else's mail."""
    spans = [found.span() for found in _PASTED.finditer(words.text)]
    for index, start in enumerate(words.start):
        if any(first <= start < last for first, last in spans[:20]):
            words.quoted.add(index)


_PASTED: Final = re.compile(r"```[^`]*(?:```|\Z)|^>[^\n]*", re.MULTILINE)


def _stands_alone(words: Words, index: int) -> bool:
    return words.end[index] - words.start[index] == 1


def _close_quote(words: Words, opened: int, closed: int) -> None:
    inside = words.low[opened + 1 : closed]
    before = set(words.low[max(0, opened - 4) : opened])
    if before & _SAYING or ":" in before or not _PERSONAL.isdisjoint(inside):
        words.quoted.update(range(opened, closed + 1))
