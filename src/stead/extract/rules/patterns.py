"""An ontology compiled: templates found by their anchor words, and laid over the words of a turn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Protocol

from stead.extract.rules.extents import Choices, extent
from stead.extract.rules.lexicon import FOLLOW, SOFT, SOFT_PAIRS, TRAILING
from stead.extract.rules.template import BUILT_IN, Gap, Literal, Optional, Piece, Template, parse
from stead.extract.rules.text import Words, read
from stead.extract.rules.verbs import forms

_IS: Final = frozenset({"is", "are", "'s"})
_COUNTED: Final = frozenset("money number height weight time".split())
_ABOUT: Final = frozenset("about around roughly approximately nearly almost".split())
_VERBAL: Final = frozenset("is are runs has uses falls".split())
_WEIGHT: Final = {"text": 0, "phrase": 0, "short": 0, "ing": 1, "values": 4, "school": 3}
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


class Shelf(list[Template]):
    """Templates with the same first word, found by a word that they can't do without."""

    __slots__ = ("_free", "_needing")

    def __init__(self) -> None:
        super().__init__()
        self._free: list[tuple[int, Template]] | None = None
        self._needing: dict[str, list[tuple[int, Template]]] = {}

    def likely(self, seen: frozenset[str]) -> list[Template]:
        """Return those that can fit words, in their order."""
        if self._free is None:
            self._free = self._indexed()
        found = list(self._free)
        for word in seen & self._needing.keys():
            found += self._needing[word]
        if len(found) > len(self._free):
            found.sort(key=_place)
        return [
            one
            for at, (_, one) in enumerate(found)
            if (not at or found[at - 1][0] != found[at][0]) and may_fit(one, seen)
        ]

    def _indexed(self) -> list[tuple[int, Template]]:
        free: list[tuple[int, Template]] = []
        for at, template in enumerate(self):
            if template.needs:
                rare = min(template.needs, key=lambda need: (not need.isdisjoint(_COMMON), len(need)))
                for word in rare:
                    self._needing.setdefault(word, []).append((at, template))
            else:
                free.append((at, template))
        return free


def _place(one: tuple[int, Template]) -> int:
    return one[0]


_COMMON: Final = frozenset("to in on at for with a an of my our the from as by be by me it and so".split())


@dataclass(slots=True)
class Compiled:
    """All templates of an ontology by their form and first word."""

    attributes: Mapping[str, Attribute]
    choices: dict[str, Choices] = field(default_factory=dict)
    verbs: dict[str, Shelf] = field(default_factory=lambda: defaultdict(Shelf))
    """By base form."""
    inflected: dict[str, list[tuple[str, str]]] = field(default_factory=lambda: defaultdict(list))
    """A form as it is said, to base forms and which form it is: base, third, ing, past, done."""
    nouns: dict[str, Shelf] = field(default_factory=lambda: defaultdict(Shelf))
    """``my`` templates by first word; those that begin with a gap under the empty word."""
    guests: dict[str, list[Template]] = field(default_factory=lambda: defaultdict(list))
    """What those who come do, by base form."""
    bare: Shelf = field(default_factory=Shelf)
    """``my`` templates without a verb: "my wife {value:person}"."""
    inverse: Shelf = field(default_factory=Shelf)
    asked: dict[str, frozenset[str]] = field(default_factory=dict)
    """The attributes that people ask for by a word."""
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
        terms: tuple[str, ...] = getattr(attribute, "terms", ())
        for word in {word for term in terms for word in term.lower().split()} | set(name.split(".")):
            made.asked[word] = made.asked.get(word, frozenset()) | {name}
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
        for word in first.words:
            if template.form in ("please", "guest"):
                (made.orders if template.form == "please" else made.guests)[word].append(template)
            else:
                made.verbs[word].append(template)


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
        for which in ("past", "done"):
            made.inflected[base + "led"].append((base, which))


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
        or (end > 0 and words.low[end].endswith("ing") and not words.casual and words.capital(end - 1))
        or tuple(words.low[end : end + 2]) in SOFT_PAIRS
    )


def figure(words: Words, laid: Fit) -> bool:
    """Tell whether what somebody is goes on to what it is about: "engaged in a project", "liberal with garlic"."""
    if not laid.template.attribute.startswith(_STATES) or laid.end in words.masked:
        return False
    link = words.low[laid.end] if laid.end < len(words.low) else ""
    apart = not laid.template.attribute.startswith("household.") or words.low[laid.end - 1] == "engaged"
    return link in ("in", "by") or (link == "with" and apart)


_STATES: Final = ("household.status", "politics.", "health.disability", "sexuality.")


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
    for index, piece in enumerate(pieces):
        if isinstance(piece, Literal):
            following = _literal(words, _IS if piece.words == _BARE_IS else piece.words, at, last)
            if following is None:
                return
            at = following
        elif isinstance(piece, Optional):
            rest = pieces[index + 1 :]
            for option in piece.options:
                head = option[0]
                if isinstance(head, Literal) and _literal(words, head.words, at, last) is None:
                    continue
                yield from _lay(words, (*option, *rest), at, last, choices)
        else:
            yield from _gap(words, piece, pieces[index + 1 :], at, last, choices)
            return
    yield {}, at


_BARE_IS: Final = frozenset({"is"})


def _literal(words: Words, wanted: frozenset[str], at: int, last: int) -> int | None:
    low = words.low
    while at < last:
        if low[at] in wanted:
            return at + 1
        pair = tuple(low[at : at + 2]) in SOFT_PAIRS
        if low[at] not in SOFT and at not in words.masked and not pair:
            return None
        at += 1 + pair
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
