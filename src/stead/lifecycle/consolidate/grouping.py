"""Which records are looked at together: all that answer one question, and pairs that could say the same or the opposite.

All pairs within a question are covered, and across questions every pair for which `resolve.text.compare` could find anything: it
needs the same words, a question that both answer, or all parts of one claim in the other. Each of these is a key, and only claims
under one key meet. So nothing depends on how many neighbours were near, and no step looks at all pairs of all records.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from stead.lifecycle.consolidate.plan import Group
from stead.lifecycle.consolidate.reading import question, questions
from stead.lifecycle.consolidate.terms import is_live
from stead.model.period import Instant
from stead.model.record import Kind
from stead.model.slot import SlotKey
from stead.model.words import tokens
from stead.resolve.text import Kind as Compared
from stead.resolve.text import canonical, compare
from stead.resolve.text.phrase import phrase
from stead.resolve.text.reading import Reading, read_fully
from stead.resolve.text.verbs import stances
from stead.store.values import Revision

WINDOW: Final = 32
"""With how many neighbours under one key a claim is compared: those that were said last before it."""
_SHARED: Final = 400
"""Claims that may share the rarest part of a claim before it counts as no part at all."""
_ALIKE: Final = 0.5
"""The share of words in common from which a model may be asked about a pair."""

Keys = Mapping[int, SlotKey]
"""The slots of the records, by number."""
Asked = tuple[str, SlotKey]
"""A question in a scope."""


def answered(row: Revision, keys: Keys) -> SlotKey | None:
    """Return the question that a record is filed under, or would be."""
    if row.slot is not None:
        return keys[row.slot]
    found = None if row.kind == Kind.REFLECTION else question(row.claim)
    return None if found is None else found[0]


def by_question(rows: Iterable[Revision], keys: Keys, known: Callable[[str, SlotKey], bool]) -> Iterator[Group]:
    """Group records by the question that they answer: alone and new to it, or together.

    Parameters
    ----------
    rows
        Live records of one subject.
    keys
        Their slots.
    known
        Tells whether anything was ever filed under a question in a scope.
    """
    found: dict[Asked, list[Revision]] = defaultdict(list)
    for row in rows:
        key = answered(row, keys)
        if key is not None:
            found[row.scope, key].append(row)
    for (scope, key), members in found.items():
        numbers = tuple(each.record for each in sorted(members, key=_said))
        unfiled = any(each.slot is None for each in members)
        if len(members) > 1 or (unfiled and known(scope, key)):
            yield Group(phase="contradictions", records=numbers, key=key)
        elif unfiled:
            yield Group(phase="adopt", records=numbers, key=key)


def pairs(rows: Sequence[Revision], keys: Keys, now: Instant) -> Iterator[Group]:
    """Yield the pairs of claims under different questions that contradict, or of which one says it all."""
    order = {row.record: row for row in rows}
    for old, new in _meeting(rows, keys):
        before, after = order[old], order[new]
        if not (is_live(before, now) and is_live(after, now)):
            continue
        kind = compare(before.claim, after.claim).kind
        if kind is Compared.CONTRADICTS:
            yield Group(phase="contradictions", records=(old, new))
        elif kind is not Compared.UNRELATED:
            yield Group(phase="duplicates", records=(old, new))


def _meeting(rows: Sequence[Revision], keys: Keys) -> Iterator[tuple[int, int]]:
    """Yield pairs of record numbers, the one that was said first first; each once."""
    ordered = sorted(rows, key=_said)
    asked = {row.record: answered(row, keys) for row in ordered}
    named = {row.record for row in ordered if row.slot is not None and not keys[row.slot].from_text}
    seen: set[tuple[int, int]] = set()
    for old, new in _under_one_key(ordered):
        same = asked[old] is not None and asked[old] == asked[new]
        if (old, new) not in seen and not same and not (old in named and new in named):
            seen.add((old, new))
            yield old, new


def _said(row: Revision) -> tuple[int, int]:
    return row.place, row.record


def _under_one_key(ordered: Sequence[Revision]) -> Iterator[tuple[int, int]]:
    last: dict[Hashable, list[int]] = defaultdict(list)
    parts: dict[Hashable, dict[int, frozenset[str]]] = defaultdict(dict)
    for row in ordered:
        place = (row.scope, row.kind, row.category)
        reading = read_fully(row.claim)
        for key in _keys(row.claim, reading):
            met = last[place, key]
            yield from ((old, row.record) for old in met[-WINDOW:])
            met.append(row.record)
        if reading is not None:
            verb = stances().get(reading.clause.verb, (reading.clause.verb, ""))[0]
            who = reading.subject.plain or reading.subject.entity
            parts[place, who, verb][row.record] = _part_words(reading)
    position = {row.record: at for at, row in enumerate(ordered)}
    for alike in parts.values():
        for few, many in _contained(alike):
            yield (few, many) if position[few] < position[many] else (many, few)


def _keys(claim: str, reading: Reading | None) -> Iterator[Hashable]:
    """Yield the keys under which a claim meets others: its words in one spelling, and every question that it answers.

    "Switched from Emacs to Vim" also meets what says that Emacs is used: each of its parts is a key, as answers are.
    """
    yield "words", canonical(claim)
    if reading is None:
        return
    who = reading.subject.plain or reading.subject.entity
    yielded: set[Hashable] = set()
    for key, (value, single) in questions(claim).items():
        yielded.add(("question", key))
        if single or value in ("yes", "likes"):
            yielded.add(("holds", who, value if single else key.object))
    if reading.clause.verb in _LEAVING:
        yielded |= {
            ("holds", who, canonical(" ".join(token.raw for token in part.tokens))) for part in reading.segments
        }
    yield from yielded


_LEAVING: Final = frozenset("leave quit resign sell drop replace retire switch move change migrate go".split())


def _part_words(reading: Reading) -> frozenset[str]:
    return frozenset(word for part in reading.segments for word in phrase(part.tokens).split())


def _contained(alike: Mapping[int, frozenset[str]]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of which one claim has all the words of the other: found by its rarest word."""
    counts = Counter(word for words in alike.values() for word in words)
    holding: dict[str, list[int]] = defaultdict(list)
    for record, words in alike.items():
        for word in words:
            holding[word].append(record)
    for record, words in alike.items():
        if not words:
            continue
        rarest = min(words, key=lambda word: (counts[word], word))
        if counts[rarest] <= _SHARED:
            yield from ((record, other) for other in holding[rarest] if other != record and words <= alike[other])


def near(rows: Sequence[Revision], keys: Keys, limit: int) -> Iterator[tuple[Revision, Revision]]:
    """Yield pairs that share most of their words and of which no rule can say anything: a model may be asked (R24).

    Only claims whose slot nobody named, of one scope, kind, category and speaker; the pairs that share rarer words come first.
    """
    free = [row for row in sorted(rows, key=_said) if row.slot is None or keys[row.slot].from_text]
    words = {row.record: frozenset(tokens(row.claim)) for row in free}
    counts = Counter(word for each in words.values() for word in each)
    last: dict[Hashable, list[Revision]] = defaultdict(list)
    found: list[tuple[int, Revision, Revision]] = []
    seen: set[tuple[int, int]] = set()
    for row in free:
        for word in sorted(words[row.record], key=lambda each: (counts[each], each))[:3]:
            met = last[row.scope, row.kind, row.category, row.speaker, word]
            for old in met[-WINDOW:]:
                both, either = words[old.record] & words[row.record], words[old.record] | words[row.record]
                if (old.record, row.record) not in seen and len(both) >= _ALIKE * len(either):
                    seen.add((old.record, row.record))
                    found.append((min(counts[each] for each in both), old, row))
            met.append(row)
    found.sort(key=lambda each: (each[0], _said(each[2]), _said(each[1])))
    unclear = ((old, new) for _, old, new in found if compare(old.claim, new.claim).kind is Compared.UNRELATED)
    yield from (pair for pair, _ in zip(unclear, range(limit), strict=False))
