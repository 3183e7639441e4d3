"""Proposals made of a whole sentence: a form for documents of a kind, a value that was meant, what is to be remembered."""

from __future__ import annotations

from stead.extract.proposal import Act, Proposal
from stead.extract.rules import orders, takeback
from stead.extract.rules.claims import spoken
from stead.extract.rules.lexicon import OPENERS, heads
from stead.extract.rules.patterns import Compiled
from stead.extract.rules.text import Sentence, Words
from stead.model.record import Kind, Meaning
from stead.model.slot import Slot


def formed(words: Words, compiled: Compiled, sentence: Sentence, text: str) -> Proposal | None:
    """Read "for all future briefs, paragraphs, not bullets"."""
    if "?" in sentence.mark or not {"for", "in", "on", "with"} & set(words.low[sentence.first : sentence.first + 6]):
        return None
    form = orders.form(text)
    if form is None or "output.format" not in compiled.attributes:
        return None
    value = text[slice(*form.value)]
    if not _is_form(value):
        return None
    start = words.start[sentence.first]
    claim = text.strip().rstrip(".!")
    return Proposal(
        claim=claim[:1].upper() + claim[1:],
        span=(start, start + len(text)),
        kind=Kind.INSTRUCTION,
        slot=Slot("output.format", object=text[slice(*form.object)], value=value),
        category=compiled.attributes["output.format"].category,
        traits=frozenset({"standing"}),
        replaces=text[slice(*form.wrong)] if form.wrong else None,
        confidence=0.95,
    )


def _is_form(value: str) -> bool:
    last = value.lower().split()[-1]
    return last in heads("format") or last in _FORMS


_FORMS = frozenset("style tone format summaries summary outline outlines headings".split())


def mended(words: Words, sentence: Sentence, text: str) -> list[Proposal]:
    """Return the value that a sentence puts in the place of another one."""
    repair = takeback.repaired(text)
    if repair is None or "?" in sentence.mark:
        return []
    start = words.start[sentence.first]
    return [
        Proposal(
            claim=repair.value,
            span=(start + repair.span[0], start + repair.span[1]),
            act=Act.CORRECT,
            meaning=Meaning.CORRECTED,
            replaces=repair.wrong,
            confidence=0.8,
        )
    ]


def whole(words: Words, sentence: Sentence, kind: Kind) -> Proposal:
    """Return a proposal without a slot, made of a whole sentence."""
    first, last = sentence.first, sentence.last
    while last > first and words.low[last - 1] in (".", "!", ",", "please", "thanks"):
        last -= 1
    begin = first
    while begin < last and words.low[begin] in OPENERS:
        begin += 1
    own = begin < last and words.low[begin] in ("i", "we")
    owned = begin < last and words.low[begin] in ("my", "our")
    claim = spoken(words, begin + 1 if own or owned else begin, last, own=own)
    return Proposal(
        claim=claim or words.slice(first, last),
        span=(words.start[first], words.end[max(last - 1, first)]),
        kind=kind,
        confidence=0.7,
    )
