"""Secrets, replaced in place before anything is stored, logged, embedded or sent to a model (R15)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from stead.policy.guards.cues import Cues, triples
from stead.policy.guards.fold import traced
from stead.policy.guards.named import Hit, is_a_number_of_something, named
from stead.policy.guards.shapes import TOKENS, Shape

MARKER = "[redacted: {kind}]"
"""What stands in a secret's place."""
_MARKERS = re.compile(r"\[redacted: [a-z_]{1,40}\]")
_MOST_PASSES = 16
Place = tuple[int, int, int, str]
"""Start and end in the original text, place among the hits, kind."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that a guard found in a text."""

    kind: str
    start: int
    end: int
    """Half open, in characters."""


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text without its secrets."""

    text: str
    found: tuple[Finding, ...]
    """Where the markers stand in `text`."""


def redact(text: str) -> Redacted:
    """Replace every secret that can be recognised by ``[redacted: kind]`` and keep the rest as it is (R15).

    A secret is recognised by its shape (a token's prefix, a key's armour, a card's check digit) or by the words beside it ("my
    password is ..."), also where hidden characters or look-alike letters split it. What is redacted once stays as it is.

    >>> redact("My PIN is 4417, call me at 9").text
    'My PIN is [redacted: pin], call me at 9'
    """
    found: tuple[Finding, ...] = ()
    for _ in range(_MOST_PASSES):  # a marker can bring to light what stood right beside a secret
        spans = _spans(text)
        if not spans:
            break
        text, found = _replaced(text, spans, found)
    return Redacted(text, found)


@cache
def _compiled() -> tuple[Cues, tuple[tuple[Shape, re.Pattern[str], str | int], ...]]:
    patterns = ((shape, re.compile(shape.pattern)) for shape in TOKENS)
    return Cues(shape.cues for shape in TOKENS), tuple(
        (shape, each, "secret" if "secret" in each.groupindex else 0) for shape, each in patterns
    )


def _spans(text: str) -> list[Finding]:
    """Return what is to be replaced, in order and apart; where two overlap, the first in the table names both."""
    folded = traced(text)
    lower = folded.text.lower()
    starts = triples(lower)
    hits = [*_shaped(folded.text, lower, starts), *named(folded.text, lower, starts)]
    if not hits:
        return []
    barriers = [marker.span() for marker in _MARKERS.finditer(text)]
    spans: list[Finding] = []
    places = sorted((*folded.span(start, end), rank, kind) for rank, (kind, start, end) in enumerate(hits))
    for start, end, _, kind in _free(places, barriers):
        if spans and start < spans[-1].end:
            last = spans[-1]
            spans[-1] = Finding(last.kind, last.start, max(last.end, end))
        else:
            spans.append(Finding(kind, start, end))
    return spans


def _free(places: list[Place], barriers: list[tuple[int, int]]) -> Iterator[Place]:
    """Yield the places that touch no marker of an earlier redaction; both lists are in order."""
    first = 0
    for place in places:
        while first < len(barriers) and barriers[first][1] <= place[0]:
            first += 1
        if first == len(barriers) or barriers[first][0] >= place[1]:
            yield place


def _shaped(text: str, lower: str, starts: set[str]) -> Iterator[Hit]:
    cues, shapes = _compiled()
    for place in cues.candidates(lower, starts):
        shape, pattern, group = shapes[place]
        for found in pattern.finditer(text):
            start, end = found.span(group)
            if shape.check is not None and not shape.check(found[group]):
                continue
            if shape.kind != "card_number" or not is_a_number_of_something(text, start):
                yield shape.kind, start, end


def _replaced(text: str, spans: list[Finding], before: tuple[Finding, ...]) -> tuple[str, tuple[Finding, ...]]:
    """Put markers in the place of spans, and move the findings of an earlier pass along."""
    parts: list[str] = []
    found: list[Finding] = []
    place = length = 0
    for kind, start, end, new in sorted(
        [(each.kind, each.start, each.end, True) for each in spans]
        + [(each.kind, each.start, each.end, False) for each in before],
        key=lambda each: each[1],
    ):
        marker = MARKER.format(kind=kind) if new else text[start:end]
        parts += [text[place:start], marker]
        length += start - place
        found.append(Finding(kind, length, length + len(marker)))
        length += len(marker)
        place = end
    return "".join([*parts, text[place:]]), tuple(found)
