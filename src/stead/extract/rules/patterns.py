"""An ontology compiled: templates found by their anchor words, and laid over the words of a turn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from stead.extract.rules.extents import Choices, extent
from stead.extract.rules.lexicon import FOLLOW, SOFT, TRAILING
from stead.extract.rules.template import BUILT_IN, Gap, Literal, Optional, Piece, Template, parse
from stead.extract.rules.text import Words, read
from stead.extract.rules.verbs import forms

_IS: Final = frozenset({"is", "are", "'s"})
_COUNTED: Final = frozenset("money number height weight time".split())
_ABOUT: Final = frozenset("about around roughly approximately nearly almost".split())
_VERBAL: Final = frozenset("is are runs has uses falls".split())
_WEIGHT: Final = {"text": 0, "phrase": 0, "short": 0, "ing": 1, "values": 3, "school": 3}
Spans = dict[str, tuple[int, int]]


class Attribute(Protocol):
    """What extraction reads of an attribute of the policy."""

    @property
    def name(self) -> str:
        """Such as ``home.city``."""

    @property
    def category(self) -> str:
        """Of the policy."""

    @property
    def cardinality(self) -> str:
        """``one`` or ``many``."""

    @property
    def says(self) -> tuple[str, ...]:
        """The ways people say it: templates."""

    @property
    def values(self) -> tuple[str, ...]:
        """The values it can have, where they are few."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A template laid over words."""

    template: Template
    spans: Spans
    """Where each gap's value stands."""
    end: int
    """The word after the last one that fits."""
    weight: int
    """How much of it was said in so many words."""


@dataclass(slots=True)
class Compiled:
    """All templates of an ontology by their form and first word."""

    attributes: Mapping[str, Attribute]
    choices: dict[str, Choices] = field(default_factory=dict)
    verbs: dict[str, list[Template]] = field(default_factory=lambda: defaultdict(list))
    """By base form."""
    inflected: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    """A form as it is said, to base forms and which form it is: base, third, ing, past, done."""
    nouns: dict[str, list[Template]] = field(default_factory=lambda: defaultdict(list))
    """``my`` templates by first word; those that begin with a gap under the empty word."""
    guests: dict[str, list[Template]] = field(default_factory=lambda: defaultdict(list))
    """What those who come do, by base form."""
    bare: list[Template] = field(default_factory=list)
    """``my`` templates without a verb: "my wife {value:person}"."""
    inverse: list[Template] = field(default_factory=list)
    orders: dict[str, list[Template]] = field(default_factory=lambda: defaultdict(list))
    """What the agent is told, by base form."""


def compile_says(attributes: Mapping[str, Attribute]) -> Compiled:
    """Read every template of an ontology.

    Raises
    ------
    ValueError
        A template can't be read; the message names its attribute.
    """
    made = Compiled(attributes)
    for name, attribute in attributes.items():
        values = tuple(attribute.values)
        if values:
            made.choices[name] = frozenset(tuple(read(value).low) for value in values)
        for say in attribute.says:
            for template in parse(name, say, choices=bool(values)):
                _file(made, template)
    for base in {**made.verbs, **made.guests}:
        _inflect(made, base)
    return made


def _file(made: Compiled, template: Template) -> None:
    first = template.pieces[0]
    if template.form == "inverse":
        made.inverse.append(template)
    elif template.form == "my" and not any(
        isinstance(piece, Literal) and piece.words & _VERBAL for piece in template.pieces
    ):
        made.bare.append(template)
    elif template.form in ("my", "the"):
        for word in _openings(template.pieces):
            made.nouns[word if template.form == "my" else f"the {word}"].append(template)
    elif isinstance(first, Literal):
        target = {"please": made.orders, "guest": made.guests}.get(template.form, made.verbs)
        for word in first.words:
            target[word].append(template)


def _openings(pieces: tuple[Piece, ...]) -> set[str]:
    """Return the words that a template can begin with; the empty word for a gap."""
    found: set[str] = set()
    for piece in pieces:
        if isinstance(piece, Literal):
            return found | piece.words
        if isinstance(piece, Gap):
            return found | {""}
        for option in piece.options:
            found |= _openings(option)
    return found


def _inflect(made: Compiled, base: str) -> None:
    third, ing, past, done = forms(base)
    for form, which in ((base, "base"), (third, "third"), (ing, "ing"), (past, "past"), (done, "done")):
        if (base, which) not in made.inflected[form]:
            made.inflected[form].append((base, which))
    doubled = base + base[-1] + "ing"
    if base.endswith("l") and not base.endswith("ll"):
        made.inflected[doubled].append((base, "ing"))


def may_fit(template: Template, seen: frozenset[str]) -> bool:
    """Tell whether the words that a template can't do without are among those of a clause."""
    for need in template.needs:  # noqa: SIM110 - twice as fast as all() where it is called most
        if need.isdisjoint(seen):
            return False
    return True


def fit(
    words: Words, template: Template, first: int, last: int, choices: Choices, *, skip: int = 1, tight: bool = True
) -> Fit | None:
    """Lay a template over ``words[first:last]``.

    Parameters
    ----------
    words
        The turn.
    template
        What is tried.
    first, last
        The words after those that have been recognised already, and the clause's end.
    choices
        The attribute's listed values.
    skip
        How many pieces those recognised words were: 1 for a verb.
    tight
        What follows must be able to follow a value.
    """
    for spans, end in _lay(words, template.pieces[skip:], first, last, choices):
        if tight and not ends_well(words, end, last):
            continue
        return Fit(template, spans, end, weight(template) + (end - first) // 4)
    return None


def ends_well(words: Words, end: int, last: int) -> bool:
    """Tell whether what follows a value can follow one: nothing, a mark, a small word, a time."""
    return (
        end >= last
        or end in words.masked
        or words.low[end] in FOLLOW
        or words.low[end] in SOFT
        or words.low[end] in TRAILING
        or not words.is_word(end)
    )


def weight(template: Template) -> int:
    """Return how specific a template is: words count more than gaps, gaps with a kind more than those without."""
    total = 0
    for piece in template.pieces:
        if isinstance(piece, Literal):
            total += 4
        elif isinstance(piece, Gap):
            total += _WEIGHT.get(piece.kind, 2 if piece.kind in BUILT_IN else 3)
    return total


def _lay(words: Words, pieces: tuple[Piece, ...], at: int, last: int, choices: Choices) -> Iterator[tuple[Spans, int]]:
    if not pieces:
        yield {}, at
        return
    piece, rest = pieces[0], pieces[1:]
    if isinstance(piece, Literal):
        wanted = _IS if piece.words == {"is"} else piece.words
        following = _literal(words, wanted, at, last)
        if following is not None:
            yield from _lay(words, rest, following, last, choices)
    elif isinstance(piece, Optional):
        for option in piece.options:
            yield from _lay(words, (*option, *rest), at, last, choices)
        yield from _lay(words, rest, at, last, choices)
    else:
        yield from _gap(words, piece, rest, at, last, choices)


def _literal(words: Words, wanted: frozenset[str], at: int, last: int) -> int | None:
    low = words.low
    while at < last:
        if low[at] in wanted:
            return at + 1
        if low[at] not in SOFT and at not in words.masked:
            return None
        at += 1
    return None


def _gap(
    words: Words, gap: Gap, rest: tuple[Piece, ...], at: int, last: int, choices: Choices
) -> Iterator[tuple[Spans, int]]:
    while at < last and words.low[at] in SOFT and words.low[at] != "go":
        at += 1
    if gap.kind in _COUNTED and at < last and words.low[at] in _ABOUT:
        at += 1
    end = extent(words, gap.kind, at, last, choices)
    if end > at:
        for spans, final in _lay(words, rest, end, last, choices):
            yield {gap.name: (at, end), **spans}, final
    if rest:
        for cut in range(min(end if end > at else last, at + 8) - 1, at, -1):
            if extent(words, gap.kind, at, cut, choices) == cut:
                for spans, final in _lay(words, rest, cut, last, choices):
                    yield {gap.name: (at, cut), **spans}, final
