"""From the first person to a claim without a subject: "I live in Lyon" becomes "Lives in Lyon"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stead.extract.rules.text import Words
from stead.extract.rules.times import Mark
from stead.extract.rules.verbs import PASTS, third_person

_THEIRS: Final = {
    "my": "their", "our": "their", "me": "them", "us": "them", "mine": "theirs", "ours": "theirs",
    "myself": "themselves", "ourselves": "themselves", "i": "they", "we": "they",
}  # fmt: skip
_FOR_AGENT: Final = {
    "my": "the user's",
    "our": "the user's",
    "me": "the user",
    "us": "the user",
    "i": "they",
    "we": "they",
    "mine": "the user's",
}
_FILLERS: Final = frozenset(
    "really just actually honestly absolutely totally definitely truly basically literally also obviously kinda "
    "simply certainly personally very so both too".split()
)
_SPELLED: Final = {"'ll": "will", "'ve": "has", "'m": "is", "'re": "is", "'d": "would", "'s": "is"}
_UNCHANGED: Final = frozenset(
    "will would can could should may might must shall not never no longer is was has does did had ca wo used".split()
)
_LONGEST: Final = 220


def spoken(
    words: Words,
    first: int,
    last: int,
    *,
    marks: Sequence[Mark] = (),
    own: bool = True,
    verb: bool = True,
    head: str = "",
) -> str:
    """Return a claim made of the words ``[first, last)``.

    Parameters
    ----------
    words
        The turn.
    first, last
        The words from the verb (or the noun) on.
    marks
        Words of time; those that would go stale are left out.
    own
        The speaker speaks of themselves: the verb is turned to the third person.
    verb
        The words begin with a verb, maybe after small words.
    head
        Put before it: whom the claim is about when that isn't the subject.
    """
    dropped = {
        at
        for mark in marks
        if mark.relative and mark.resolved and mark.last - mark.first < last - first
        for at in range(mark.first, mark.last)
    }
    parts: list[str] = [head] if head else []
    pending = own and verb
    previous = -2
    for at in range(first, last):
        low = words.low[at]
        emphatic = pending and low in ("do", "does") and words.low[at + 1 : at + 2] not in (["not"], [])
        if (
            at in dropped
            or (pending and low in _FILLERS)
            or low == '"'
            or (emphatic and words.low[at + 1] in _AFTER_DO)
        ):
            continue
        raw = words.text[words.start[at] : words.end[at]]
        if pending and words.is_word(at):
            raw, pending = _turned(low, raw, pending)
        elif low in _THEIRS:
            raw = _THEIRS[low]
        elif low == "am" and not words.low[at - 1][0].isdigit():
            raw = "'re" if raw[:1] in "'\u2019" else "are"
        glued = previous == at - 1 and words.start[at] == words.end[at - 1] and parts
        if glued:
            parts[-1] += raw
        else:
            parts.append(raw)
        previous = at
    return _finished(" ".join(parts))


def _turned(low: str, raw: str, pending: bool) -> tuple[str, bool]:
    """Return the first verb in the third person; small words before it stay."""
    spelled = _SPELLED.get(raw.lower(), raw)
    if low in _BETWEEN:
        return raw, pending
    if low in _UNCHANGED or spelled in ("will", "would"):
        return spelled, False
    if low in ("am", "are"):
        return "is", False
    if (low.endswith(("ed", "ing")) and len(low) > 4) or low in PASTS:
        return raw, False
    return third_person(low), False


_BETWEEN: Final = frozenset(
    "always usually mostly often currently now still only never generally no longer normally typically mainly already"
    " regularly sometimes recently".split()
)
_AFTER_DO: Final = frozenset("like love enjoy prefer hate really have want live work".split())


def ordered(words: Words, first: int, last: int, *, lead: str = "") -> str:
    """Return an instruction to the agent: "always send me PDFs" becomes "Always send the user PDFs".

    Parameters
    ----------
    words
        The turn.
    first, last
        The words of the order, from its verb on.
    lead
        What goes before it: Always, Never.
    """
    parts: list[str] = [lead] if lead else []
    quoted = False
    answering = words.low[first] in ("answer", "reply", "respond", "talk", "speak", "write") if first < last else False
    for at in range(first, last):
        low = words.low[at]
        if low == "me" and answering and at == first + 1:
            continue
        if low in ("to", "with") and answering and at == first + 1 and words.low[at + 1 : at + 2] == ["me"]:
            continue
        if low == "me" and answering and at == first + 2 and words.low[at - 1] in ("to", "with"):
            continue
        said = words.text[words.start[at] : words.end[at]]
        quoted = quoted != (low == '"')
        raw = said if quoted else _FOR_AGENT.get(low, said)
        raw = "'re" if low == "am" and raw[:1] in "'\u2019" else raw
        if parts and at > first and words.start[at] == words.end[at - 1] and (quoted or low not in _FOR_AGENT):
            parts[-1] += raw
        else:
            parts.append(raw)
    return _finished(" ".join(parts))


def closed(text: str) -> str:
    """Return a text that ends in a quotation with the mark that closes it."""
    opened = text.count('"') % 2 == 1 and text[: text.rindex('"')].endswith(" ")
    return f'{text}"' if opened else text


def _finished(text: str) -> str:
    text = closed(text.strip(" ,;:-\"'.!?…("))
    if len(text) > _LONGEST:
        text = text[:_LONGEST].rsplit(" ", 1)[0]
    return text[:1].upper() + text[1:]
