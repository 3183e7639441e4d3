"""What was found in a clause, and the values that go on after it: ramen and tacos of "I love sushi, ramen and tacos"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from stead.extract.rules.clause import Clause
from stead.extract.rules.extents import Choices, extent
from stead.extract.rules.lexicon import SOFT, things
from stead.extract.rules.patterns import Compiled, Fit, ends_well
from stead.extract.rules.predicate import Reading
from stead.extract.rules.subject import Subject
from stead.extract.rules.template import ANY, LIKED, Gap, Optional, Piece, Template
from stead.extract.rules.text import Words

_NONE: Final[Choices] = frozenset()
_AMOUNTS: Final = (("a", "bit", "of"), ("some",), ("a", "little"), ("lots", "of"), ("a", "lot", "of"), ("also",))
_JOINS: Final = frozenset((",", "and", "or", "&", "nor"))


@dataclass(frozen=True, slots=True)
class Found:
    """A template that fits, of whom, and how the verb was read."""

    fit: Fit
    subject: Subject
    reading: Reading | None
    more: tuple[tuple[Template, int, int], ...] = ()
    """Further values that go on after the last gap: ramen and tacos of "I love sushi, ramen and tacos"."""


def more(compiled: Compiled, words: Words, clause: Clause, chosen: Found) -> tuple[tuple[Template, int, int], ...]:  # noqa: PLR0912 - one branch per end
    """Return the values that go on after the last gap: "ramen and tacos"."""
    template = chosen.fit.template
    pieces = core(template)
    last = pieces[-1]
    if compiled.attributes[template.attribute].cardinality != "many" or not isinstance(last, Gap) or last.name == ANY:
        return ()
    bucket: Sequence[Template]
    if chosen.reading is not None:
        bucket = compiled.verbs.get(chosen.reading.base, ())
    else:
        bucket = [*compiled.nouns.get(words.low[chosen.subject.after], ()), *compiled.bare]
    siblings = [
        one
        for one in bucket
        if one.form == template.form and core(one)[:-1] == pieces[:-1] and isinstance(core(one)[-1], Gap)
    ]
    siblings.sort(key=lambda one: one.attribute != template.attribute)
    siblings.sort(key=is_loose)
    found: list[tuple[Template, int, int]] = []
    first, end = chosen.fit.spans.get("object", (0, 0))
    doing = end - first > 1 and words.low[first].endswith("ing")
    at = chosen.fit.end
    while at + 1 < clause.last and words.low[at] in _JOINS and len(found) < 8:
        begin = at + 1
        while begin < clause.last and words.low[begin] in _JOINS:
            begin += 1
        for lead in _AMOUNTS:
            if tuple(words.low[begin : begin + len(lead)]) == lead:
                begin += len(lead)
        if words.low[begin : begin + 1] and words.low[begin] in SOFT:
            break
        if doing and not words.low[begin].endswith("ing"):
            break
        if template.relation not in LIKED and words.low[begin].endswith(("ing", "ly")) and is_loose(template):
            break
        if words.low[begin : begin + 1] and words.low[begin] in _COUNTS and begin + 1 < clause.last:
            begin += 1
        following = _value(compiled, words, siblings, begin, clause.last)
        if following is None or words.low[following[2] : following[2] + 1] == ["not"]:
            break
        linked = not _LINKS.isdisjoint(words.low[at:begin]) or not _LINKS.isdisjoint(words.low[begin : clause.last])
        if not linked and not _entry(words, following):
            break
        found.append(following)
        at = following[2]
    return tuple(found)


_COUNTS: Final = frozenset("a an one two three four five".split())
_LINKS: Final = frozenset("and or & nor".split())


def _entry(words: Words, following: tuple[Template, int, int]) -> bool:
    """Tell whether a value is in so many words on the list of its kind: after a mere comma a remark may follow."""
    template, begin, end = following
    gap = core(template)[-1]
    known = things(gap.kind) if isinstance(gap, Gap) else None
    return not is_loose(template) and (known is None or tuple(words.low[begin:end]) in known)


def is_loose(template: Template) -> bool:
    """Tell whether the last gap of a template takes nearly any words."""
    gap = core(template)[-1]
    return isinstance(gap, Gap) and gap.kind in ("text", "short")


def core(template: Template) -> tuple[Piece, ...]:
    """Return a template's pieces without those at its end that may be left out."""
    pieces = template.pieces
    while len(pieces) > 1 and isinstance(pieces[-1], Optional):
        pieces = pieces[:-1]
    return pieces


def _value(
    compiled: Compiled, words: Words, siblings: list[Template], begin: int, last: int
) -> tuple[Template, int, int] | None:
    for template in siblings:
        gap = core(template)[-1]
        if isinstance(gap, Gap):
            end = extent(words, gap.kind, begin, last, compiled.choices.get(template.attribute, _NONE))
            if end > begin and ends_well(words, end, last):
                return template, begin, end
    return None
