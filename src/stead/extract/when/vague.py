"""Words of time that can't be resolved: "soon", "later", "in a few days", "when I get back". They are asked about (R9)."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from stead.extract.when.reader import Reader

_UNIT: Final = r"(?:seconds?|minutes?|mins?|hours?|days?|weeks?|months?|years?|decades?)"
_FEW: Final = r"(?:a\sfew|few|several|some)"
_WHO: Final = r"(?:i|we|you|he|she|they|it)"
_MOVABLE: Final = r"(?:easter(?:\s(?:sunday|monday))?|good\sfriday|thanksgiving(?:\sday)?|(?:labou?r|memorial)\sday)\b"
_CLOSES: Final = r"(?=\s*(?:[.,;!?)]|$|(?:and|but|because|when|if|i|we)\b))"
_BACK: Final = r"\s(?:(?:am|are|is|get|gets|come|comes)\s)?(?:back|home|return|returns|finished)\b"

_MORE: Final = r"(?:\s(?!(?:but|and|so|because|or)\b)[\w'\u2019-]+){1,6}"

_PATTERNS: Final = (
    ("soon", "", r"soon\b(?!\sas\b)"),
    ("very pretty real", "", r"\w+\ssoon\b"),
    ("some", "", r"some\s?day\b|some\sother\s(?:time|day)\b|some\stime\s(?:soon|later|next|this|in\sthe\sfuture)\b"),
    ("sometime someday eventually", "", r"sometime\b(?!s)|someday\b|eventually\b"),
    ("one", "", r"one\sof\s(?:these|those)\sdays\b"),
    ("one", "", r"one\sday\b(?!\s(?:a|per|of|in|off|each|every|ago|later|from|after|before|only)\b)"),
    ("sooner", "", r"sooner\sor\slater\b"),
    ("at", "", r"at\ssome\s(?:point|stage)\b(?:\sin\sthe\sfuture)?"),
    ("in", "", r"in\sa\s(?:(?:little|short)\s)?(?:bit|while|moment|jiffy|minute\sor\stwo)\b"),
    ("in", "", r"in\s(?:due\s(?:course|time)|the\s(?:(?:near|distant)\s)?future)\b"),
    ("in within", "", rf"(?:with)?in\s(?:{_FEW}|a\scouple\sor\sso)\s(?:more\s)?{_UNIT}\b"),
    ("a few several some", "", rf"{_FEW}\s{_UNIT}\s(?:ago|from\snow|later)\b"),
    ("the next past last coming", "", rf"(?:the\s)?(?:next|past|last|coming)\s(?:few|several)\s{_UNIT}\b"),
    ("the", "", r"the\sother\s(?:day|week|night|evening|morning)\b"),
    ("for", "for", rf"for\s{_FEW}\s(?:more\s)?{_UNIT}\b"),
    ("for", "for", r"for\s(?:now|a\s(?:(?:little|short|long)\s)?(?:while|bit|time))\b"),
    ("for", "for", r"for\sthe\s(?:time\sbeing|moment|foreseeable\sfuture)\b"),
    ("later afterwards", "", rf"(?:later(?:\son)?|afterwards)\b{_CLOSES}"),
    ("easter good thanksgiving labor labour memorial", "", _MOVABLE),
    *((name, name, rf"{name}\s{_MOVABLE}") for name in ("until", "by", "before", "after", "since")),
    ("till", "until", rf"till\s{_MOVABLE}"),
    ("for", "for", rf"for\sthe\s(?:next|coming)\s(?:few|several)\s{_UNIT}\b"),
    ("until till", "until", r"(?:until|till)\sfurther\snotice\b"),
    ("until till", "until", rf"(?:until|till)\s{_WHO}\b(?:['\u2019]\w+)?{_MORE}"),
    ("when once as whenever", "", rf"(?:when|once|as\ssoon\sas|whenever)\s{_WHO}(?:['\u2019](?:m|re|s))?{_BACK}"),
)  # fmt: skip
"""By first word: the relation, and the words."""
_GREETS: Final = frozenset({"you", "ya", "u", "as", "how", "so", "too"})
"""Before these words "soon" and "later" are a greeting or a comparison."""


@cache
def _by_first() -> dict[str, tuple[tuple[str, re.Pattern[str]], ...]]:
    patterns: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
    for firsts, relation, pattern in _PATTERNS:
        compiled = re.compile(pattern, re.IGNORECASE)
        for first in firsts.split():
            patterns.setdefault(first, []).append((relation, compiled))
    return {first: tuple(each) for first, each in patterns.items()}


def firsts() -> frozenset[str]:
    """Return the words that such an expression can begin with."""
    return frozenset(_by_first())


def vague(reader: Reader, at: int) -> tuple[str, int] | None:
    """Return the relation and the place behind words of time that can't be resolved."""
    patterns = _by_first().get(reader.word(at))
    if patterns is None or (reader.word(at) in {"soon", "later"} and reader.word(at - 1) in _GREETS):
        return None
    start = reader.raw(at).start
    for relation, pattern in patterns:
        found = pattern.match(reader.text, start)
        after = reader.at_offset(found.end(), at) if found else None
        if after is not None:
            return relation, after
    return None
