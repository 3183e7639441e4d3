"""The records of a store as a graph: what is spoken of, and what each record says of it.

An edge is one record: from the entity that it is about to the value that it gives, with the words that stand between them. Where
the entity is described ("the office of Nora Lind"), the name within it is a second place that the edge starts from, and
the description joins the words of the edge.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from stead.evaluate.answering_words import content, is_same, stem, words
from stead.model.words import STOPWORDS
from stead.resolve.text import Frame, canonical, read

SELF = "user"
_ARTICLES = frozenset({"the", "a", "an"})
_JOINERS = frozenset("of the de la le du des del van von der den di da el al and for in on y e".split())
_TOKEN = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*")  # noqa: RUF001 - both apostrophes are written
_COPULAS = frozenset({"is", "are", "was", "were"})
_PREPOSITIONS = frozenset("of in at on to by for from with as".split())
_MARKS = re.compile(r"[|]|\([^)]*\)")
"""What a frame puts between the parts of its object, and its remarks on them."""
_POSSESSIVE = re.compile(r"['’]s\Z")  # noqa: RUF001 - as above


@dataclass(frozen=True, slots=True)
class Claim:
    """One record that stands."""

    id: str
    text: str
    order: int
    """The later one was said later."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """What one record says: from whom or what, in which words, to which value."""

    source: str
    target: str
    said_source: str
    """In the claim's own words, as far as they stand there."""
    said_target: str
    words: tuple[str, ...]
    """The words of the relation that say something, folded."""
    claim: Claim

    @property
    def kind(self) -> tuple[str, ...]:
        """Return what edges of one relation share."""
        return tuple(sorted({stem(each) for each in self.words}))


@dataclass
class Graph:
    """Edges by where they start and where they end."""

    edges: list[Edge]
    unread: int = 0
    """Records that the reader has no frame for; of these only "... is X" gives edges."""
    out: dict[str, list[Edge]] = field(default_factory=lambda: defaultdict(list))
    into: dict[str, list[Edge]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        """Sort the edges, the newest first."""
        for edge in sorted(self.edges, key=lambda each: -each.claim.order):
            self.out[edge.source].append(edge)
            self.into[edge.target].append(edge)

    @cached_property
    def nodes(self) -> frozenset[str]:
        """Return everything that is spoken of."""
        return frozenset(self.out) | frozenset(self.into)

    @cached_property
    def longest(self) -> int:
        """Return how many words the longest name has."""
        return max((len(each.split()) for each in self.nodes), default=0)

    @cached_property
    def weights(self) -> dict[str, float]:
        """Return how much a relation's word tells, by its stem: 1 where only one relation has it, less for "city"."""
        kinds = {edge.kind for edge in self.edges}
        counts = Counter(each for kind in kinds for each in kind)
        whole = math.log(1 + len(kinds)) or 1.0
        return {each: math.log(1 + len(kinds) / count) / whole for each, count in counts.items()}


def key(text: str) -> str:
    """Return what two spellings of one name share.

    >>> key("the Tang Empire") == key("Tang empire.")
    True
    """
    found = words(text)
    kept = found[1:] if len(found) > 1 and found[0] in _ARTICLES else found
    return " ".join(kept)


def graph(claims: Iterable[Claim]) -> Graph:
    """Return the graph of claims, the records that stand."""
    edges: list[Edge] = []
    unread = 0
    for claim in claims:
        frame = read(claim.text)
        if frame is None:
            unread += 1
            edges += _plain(claim)
        elif frame.single or frame.value != "no":
            edges += _edges(claim, frame)
    return Graph(edges, unread)


def _edges(claim: Claim, frame: Frame) -> Iterator[Edge]:
    """Yield what a claim says, from every name of its entity to every name of its value."""
    said = " ".join(_MARKS.sub(" ", frame.value if frame.single else frame.object).split())
    tokens = list(_TOKEN.finditer(claim.text))
    target = _widened(tokens, _place(claim.text, tokens, said, last=True), None)
    source = _widened(tokens, _place(claim.text, tokens, frame.entity, last=False, but=target), target)
    taken = {place for span in (source, target) if span is not None for place in range(*span)}
    between = [each for place, token in enumerate(tokens) if place not in taken for each in words(token[0])]
    extra = words(f"{frame.relation} {_MARKS.sub(' ', frame.object) if frame.single else ''}")
    own = content([*between, *(each for each in extra if not any(is_same(each, word) for word in between))])
    yield from _joined(
        claim, _said(claim.text, tokens, source) or frame.entity, own, _said(claim.text, tokens, target) or said
    )


def _joined(claim: Claim, entity: str, own: Sequence[str], value: str) -> Iterator[Edge]:
    values = sorted(_names(value, prepositions=True), key=lambda pair: -len(pair[1]))  # names first
    behind = content(values[0][1])
    entities = list(_names(entity, prepositions=False))
    if len(entities) > 1 and any(_owns(each) for each in entity.split()):
        del entities[0]  # "Nora's car" is asked for as the car of Nora
    for one, before in entities:
        found = tuple(dict.fromkeys([*content(before), *own, *behind]))
        for other, _ in values:
            yield Edge(source=key(one), target=key(other), said_source=one, said_target=other, words=found, claim=claim)


def _plain(claim: Claim) -> Iterator[Edge]:
    """Yield what a claim without a frame says, if it ends in "... is" and a name or a few words."""
    tokens = list(_TOKEN.finditer(claim.text))
    place = max((n for n, token in enumerate(tokens) if token[0] in _COPULAS), default=0)
    if 0 < place < len(tokens) - 1:
        entity, value = (_said(claim.text, tokens, span) or "" for span in ((0, place), (place + 1, len(tokens))))
        yield from _joined(claim, entity, [], value)


def _place(
    text: str, tokens: Sequence[re.Match[str]], name: str, *, last: bool, but: tuple[int, int] | None = None
) -> tuple[int, int] | None:
    """Return which tokens of a claim a part of its frame is: the shortest run with just its words, or of its meaning."""
    wanted = tuple(dict.fromkeys(content(words(name)) or words(name)))
    if not wanted or name == SELF:
        return None
    found = [span for span in _runs(tokens, wanted) if but is None or span[1] <= but[0] or span[0] >= but[1]]
    if not found:
        spans = (
            (start, end) for start in range(len(tokens)) for end in range(start + 1, min(len(tokens), start + 8) + 1)
        )
        found = [span for span in spans if canonical(_said(text, tokens, span) or "") == name]
    return min(found, key=lambda span: (span[1] - span[0], -span[0] if last else span[0]), default=None)


def _runs(tokens: Sequence[re.Match[str]], wanted: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield the runs of tokens that say the wanted words and no other content, neither beginning nor ending idly."""
    parts = [content(words(token[0])) or words(token[0]) for token in tokens]
    met = [{each for each in wanted if any(is_same(each, part) for part in own)} for own in parts]
    for start in range(len(tokens)):
        seen: set[str] = set()
        for end in range(start, len(tokens) if met[start] else start):
            if not met[end] and content(words(tokens[end][0])):
                break
            seen |= met[end]
            if met[end] and len(seen) == len(wanted):
                yield start, end + 1
                break


def _widened(
    tokens: Sequence[re.Match[str]], span: tuple[int, int] | None, but: tuple[int, int] | None
) -> tuple[int, int] | None:
    """Return a span with the rest of the name that it is a part of: "Dr. Fenn" for "Fenn"."""
    if span is None or not _capital(tokens[span[0]][0]):
        return span
    start, end = span
    fenced = set(range(*but)) if but is not None else set[int]()
    while start > 1 and start - 1 not in fenced and _capital(tokens[start - 1][0]) and not _owns(tokens[start - 1][0]):
        start -= 1
    if start == 1 and 0 not in fenced and _capital(tokens[0][0]) and but is not None and not _is_function(tokens[0][0]):
        start = 0 if not _owns(tokens[0][0]) else start
    while end < len(tokens) and end not in fenced and _capital(tokens[end][0]) and not _owns(tokens[end - 1][0]):
        end += 1
    return start, end


def _said(text: str, tokens: Sequence[re.Match[str]], span: tuple[int, int] | None) -> str | None:
    if span is None:
        return None
    end = tokens[span[1] - 1].end()
    initials = text[end : end + 1] == "." and len(tokens[span[1] - 1][0].rpartition(".")[2]) == 1
    return _POSSESSIVE.sub("", text[tokens[span[0]].start() : end + initials])


def _names(part: str, *, prepositions: bool) -> Iterator[tuple[str, list[str]]]:
    """Yield a part of a claim, and the names inside of it with the words that describe them there."""
    yield part, []
    tokens = list(_TOKEN.finditer(part))
    start, found = 0, False
    while start < len(tokens):
        end = _end_of_name(tokens, start)
        rest = [token[0] for place, token in enumerate(tokens) if not start <= place < end]
        if end > start and any(content(words(each)) for each in rest):
            found = True
            yield _said(part, tokens, (start, end)) or "", [each for word in rest for each in words(word)]
        start = max(end, start + 1)
    last = max((place for place, token in enumerate(tokens) if token[0] in _PREPOSITIONS), default=-1)
    if prepositions and not found and 0 < last < len(tokens) - 1 and not _capital(tokens[0][0]):
        rest = [each for token in tokens[:last] for each in words(token[0])]
        yield _said(part, tokens, (last + 1, len(tokens))) or "", rest


def _end_of_name(tokens: Sequence[re.Match[str]], start: int) -> int:
    """Return where a name ends that starts at a token; the start where none does."""
    first = tokens[start][0]
    following = tokens[start + 1][0] if start + 1 < len(tokens) else ""
    opens = start == 0 and bool(following) and not _capital(following) and not _owns(first)
    if not _capital(first) or (opens and (_is_function(first) or following not in _JOINERS)):
        return start
    end = start + 1
    while not _owns(tokens[end - 1][0]):
        ahead = end
        while ahead < len(tokens) and tokens[ahead][0] in _JOINERS:
            ahead += 1
        if ahead >= len(tokens) or not _capital(tokens[ahead][0]):
            break
        end = ahead + 1
    return end


def _is_function(token: str) -> bool:
    return token.casefold() in STOPWORDS


def _capital(token: str) -> bool:
    return token[:1].isupper() or token[:1].isdigit()


def _owns(token: str) -> bool:
    return bool(_POSSESSIVE.search(token))
