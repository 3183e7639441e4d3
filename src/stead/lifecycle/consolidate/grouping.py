"""Which records are looked at together: all that answer one question, and pairs that could say the same or the opposite.

All pairs within a question are covered. Across questions, `resolve.text.compare` needs the same words, a question that both
answer, something that one holds and the other leaves, or all parts of one claim in the other. Each of these is a key, and only
claims under one key meet. So nothing depends on how similar claims are, and no step looks at all pairs of all records.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from stead.lifecycle.consolidate.plan import Group
from stead.lifecycle.consolidate.reading import apart, question, questions
from stead.model.slot import SlotKey
from stead.model.words import tokens
from stead.recall.names import Names
from stead.resolve.text import Kind as Compared
from stead.resolve.text import canonical, compare
from stead.resolve.text.conjoined import statements
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


def answered(row: Revision, keys: Keys, names: Names) -> SlotKey | None:
    """Return the question that a record is filed under, or would be."""
    if row.slot is not None:
        return keys[row.slot]
    found = question(row, names)
    return None if found is None else found[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One statement of a claim."""

    about: tuple[str, str]
    """Of whom, and what they do."""
    denies: bool
    """That they don't, or don't any more."""
    words: frozenset[str]
    """With what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """A record with everything that its words say about whom it has to meet: read once, as reading is what costs."""

    row: Revision
    asked: SlotKey | None
    """The question that it is filed under, or would be."""
    is_named: bool
    """Somebody named its slot."""
    keys: frozenset[Hashable]
    """What it shares with each claim that could contradict it or say the same."""
    holds: frozenset[str]
    """What it says that something is or has."""
    left: frozenset[str]
    """What it says was left or replaced, and by what: "switched from Emacs to Vim" meets what says that Emacs is used."""
    parts: tuple[Part, ...]
    """What it states, one after the other; nothing where it can't be read."""


def look(rows: Iterable[Revision], keys: Keys, names: Names) -> list[Looked]:
    """Read what records say, in the order in which they were said.

    Parameters
    ----------
    rows
        Live records of one subject.
    keys
        Their slots.
    names
        Which names mean one entity.
    """
    return [_look(row, keys, names) for row in sorted(rows, key=_said)]


def _look(row: Revision, keys: Keys, names: Names) -> Looked:
    asked, is_named = answered(row, keys, names), row.slot is not None and not keys[row.slot].from_text
    meets: set[Hashable] = {("words", canonical(row.claim))}
    holds, left, parts = set[str](), set[str](), list[Part]()
    claims = [row.claim] if read_fully(row.claim) else statements(row.claim)
    for claim in claims:
        reading, answers = read_fully(claim), questions(replace(row, claim=claim), names)
        if reading is None:
            continue
        who, gone = reading.subject.plain or reading.subject.entity, _left(reading)
        for key, answer in answers.items():
            meets.add(("question", key))
            if answer.single or answer.value in ("yes", "likes"):
                meets.add(("holds", who, answer.value if answer.single else key.object))
        meets |= {("holds", who, each) for each in gone}
        holds |= {answer.value for answer in answers.values() if answer.single}
        left |= gone
        clause = reading.clause
        verb = stances().get(clause.verb, (clause.verb, ""))[0]
        parts.append(Part(about=(who, verb), denies=clause.negated or clause.ended, words=_part_words(reading)))
    return Looked(
        row=row, asked=asked, is_named=is_named, keys=frozenset(meets), holds=frozenset(holds), left=frozenset(left),
        parts=tuple(parts),
    )  # fmt: skip


def _left(reading: Reading) -> frozenset[str]:
    if reading.clause.verb not in _LEAVING:
        return frozenset()
    return frozenset(canonical(" ".join(token.raw for token in part.tokens)) for part in reading.segments)


_LEAVING: Final = frozenset(
    "leave quit resign sell drop replace retire switch move change migrate go rewrite port convert".split()
)


def _part_words(reading: Reading) -> frozenset[str]:
    return frozenset(word for part in reading.segments for word in phrase(part.tokens).split())


def by_question(looked: Iterable[Looked], known: Callable[[str, SlotKey], bool]) -> Iterator[Group]:
    """Group records by the question that they answer: alone and new to it, or together.

    Parameters
    ----------
    looked
        Records in the order in which they were said.
    known
        Tells whether anything was ever filed under a question in a scope.
    """
    found: dict[Asked, list[Revision]] = defaultdict(list)
    for each in looked:
        if each.asked is not None:
            found[each.row.scope, each.asked].append(each.row)
    for (scope, key), members in found.items():
        numbers = tuple(each.record for each in members)
        unfiled = any(each.slot is None for each in members)
        if len(members) > 1 or (unfiled and known(scope, key)):
            yield Group(phase="contradictions", records=numbers, key=key)
        elif unfiled:
            yield Group(phase="adopt", records=numbers, key=key)


def pairs(looked: Sequence[Looked]) -> Iterator[Group]:
    """Yield the pairs of claims under different questions that contradict, or of which one says it all."""
    seen: set[tuple[int, int]] = set()
    for old, new in _under_one_key(looked):
        numbers = (old.row.record, new.row.record)
        same = old.asked is not None and old.asked == new.asked
        if numbers in seen or same or (old.is_named and new.is_named):
            continue
        seen.add(numbers)
        kind = compare(old.row.claim, new.row.claim).kind
        if kind is Compared.CONTRADICTS:
            yield Group(phase="contradictions", records=numbers)
        elif kind is not Compared.UNRELATED:
            yield Group(phase="duplicates", records=numbers)


def _said(row: Revision) -> tuple[int, int]:
    return row.place, row.record


def _under_one_key(looked: Sequence[Looked]) -> Iterator[tuple[Looked, Looked]]:
    """Yield pairs of records, the one that was said first first; some more than once."""
    last: dict[Hashable, list[Looked]] = defaultdict(list)
    holders: dict[Hashable, list[Looked]] = defaultdict(list)
    said: dict[Hashable, list[Looked]] = defaultdict(list)
    alike: dict[Hashable, dict[int, frozenset[str]]] = defaultdict(dict)
    for position, new in enumerate(looked):
        place = (new.row.scope, apart(new.row.kind), new.row.category)
        for left in new.left:  # "replaced RabbitMQ with Kafka" is about whatever is RabbitMQ
            yield from ((old, new) for old in holders[place, left][-WINDOW:])
        for held in new.holds:
            holders[place, held].append(new)
        for key in new.keys:
            met = last[place, key]
            yield from ((old, new) for old in met[-WINDOW:])
            met.append(new)
        for part in new.parts:  # "stopped running" is about all that is said of running
            yield from ((old, new) for old in said[place, part.about, not part.denies][-WINDOW:] if old is not new)
            said[place, part.about, part.denies].append(new)
            alike[place, part.about][position] = part.words
    for words in alike.values():
        for few, many in _contained(words):
            yield looked[min(few, many)], looked[max(few, many)]


def _contained(alike: Mapping[int, frozenset[str]]) -> Iterator[tuple[int, int]]:
    """Yield the pairs of which one claim has all the words of the other: found by its rarest word."""
    counts = Counter(word for words in alike.values() for word in words)
    holding: dict[str, list[int]] = defaultdict(list)
    for record, words in alike.items():
        for word in words:
            holding[word].append(record)
    for record, words in alike.items():
        if not words:  # "has quit smoking" is in all that is said of smoking
            yield from ((record, other) for other in islice(alike, _SHARED) if other != record)
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
            met = last[row.scope, apart(row.kind), row.category, row.speaker, word]
            for old in met[-WINDOW:]:
                both, either = words[old.record] & words[row.record], words[old.record] | words[row.record]
                if (old.record, row.record) not in seen and len(both) >= _ALIKE * len(either):
                    seen.add((old.record, row.record))
                    found.append((min(counts[each] for each in both), old, row))
            met.append(row)
    found.sort(key=lambda each: (each[0], _said(each[2]), _said(each[1])))
    unclear = ((old, new) for _, old, new in found if compare(old.claim, new.claim).kind is Compared.UNRELATED)
    yield from (pair for pair, _ in zip(unclear, range(limit), strict=False))
