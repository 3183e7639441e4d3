"""Words of time in a sentence: where they stand, and what they limit (R9)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Final

from stead.extract.rules.lexicon import FOLLOW
from stead.extract.rules.text import Words
from stead.model.period import Instant

_CUE: Final = re.compile(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:january|february|march|april|may|june|"
    r"july|august|september|october|november|december)\b"
    r"|\b(?:today|tonight|tomorrow|yesterday|morning|afternoon|evening|night|noon|midnight|week|"
    r"weekend|month|year|quarter|spring|summer|autumn|fall"
    r"|winter|since|until|till|ago|daily|weekly|monthly|yearly|every|hours?|days?|decade|"
    r"soon|someday|sometime|eventually|later|at some point|for a (?:bit|while)|before long|"
    r"christmas|easter|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b)",
    re.IGNORECASE,
)
_RELATIVE: Final = re.compile(
    r"\b(?:last|next|this|today|tonight|tomorrow|yesterday|ago|now|coming|past|previous|following|"
    r"recently|in (?:a|an|\w+) (?:days?|weeks?|months?|years?|hours?))\b",
    re.IGNORECASE,
)
_PRONOUNS: Final = frozenset("i we he she they you my am is are".split())
_LINKS: Final = frozenset("on in at by from since until till for before after through during starting over".split())


@dataclass(frozen=True, slots=True)
class Mark:
    """One expression of time in a turn."""

    first: int
    last: int
    """Its words, with the small word that leads it in."""
    kind: str
    start: Instant | None
    end: Instant | None
    recurs: str | None
    relation: str
    resolved: bool
    relative: bool
    """Its words go stale: "last month"."""
    text: str


def cued(words: Words, first: int, last: int) -> bool:
    """Tell whether a clause may have words of time: a quick look before they are read."""
    return _CUE.search(words.text, words.start[first], words.end[last - 1]) is not None


def mark(words: Words, first: int, last: int, *, said: Instant, zone: str, kept: dict[str, list[Any]]) -> list[Mark]:
    """Find the words of time of a clause and mask them in the turn.

    Parameters
    ----------
    words, first, last
        Where to look.
    said
        When the turn was said.
    zone
        The speaker's zone.
    kept
        What was found in the same words before: a sentence that is put plainly says its times again.
    """
    begin, end = words.start[first], words.end[last - 1]
    part = words.text[begin:end]
    found: list[Mark] = []
    part = part[:240]
    if part not in kept:
        kept[part] = _find()(part, said=said, zone=zone)
    for when in kept[part]:
        made = _placed(words, first, last, begin, when)
        if made is not None and not _describes(words, made):
            found.append(made)
            words.masked.update(range(made.first, made.last))
            if made.recurs:
                words.recurring.update(range(made.first, made.last))
    return found


def _describes(words: Words, made: Mark) -> bool:
    """Tell whether a word of time only describes a thing: "weekly reports"."""
    if made.text.lower() not in _ADJECTIVES or made.last >= len(words.low):
        return False
    return words.is_word(made.last) and words.low[made.last] not in FOLLOW


_ADJECTIVES: Final = frozenset("daily weekly monthly yearly quarterly annual".split())


def _placed(words: Words, least: int, most: int, begin: int, when: Any) -> Mark | None:
    low, high = begin + when.span[0], begin + when.span[1]
    inside = [at for at in range(least, most) if words.start[at] < high and words.end[at] > low]
    if not inside or (
        not when.resolved and (len(inside) > 5 or not _PRONOUNS.isdisjoint(words.low[inside[0] : inside[-1] + 1]))
    ):
        return None
    first, last = inside[0], inside[-1] + 1
    while first > least and words.low[first - 1] in _LINKS:
        first -= 1
    text = words.text[low:high]
    return Mark(
        first,
        last,
        when.kind,
        when.start,
        when.end,
        when.recurs,
        when.relation,
        when.resolved,
        bool(_RELATIVE.search(text)),
        text,
    )


def _find() -> Any:
    """Return the finder of words of time; loaded when it is first needed."""
    from stead.extract.when import find

    return find
