"""The net at the read: contradictions and duplicates among what one recall would serve, which the write missed (R25).

Most contradictions never come here: the write filed both claims under one question, and the strip decided (R10). What is left
was written past the resolver, by an earlier version, or under two slots that say one thing. Two claims are compared where both
answer one question, or name the same thing of the same entity; `resolve.text.compare` says whether they contradict. Then the
first rule that applies decides, and only the winner is served:

=============  ===============================================================================
rule           the winner is
=============  ===============================================================================
``scope``      the one in the narrower scope, whatever its authority (R11)
``authority``  the one of higher authority; a system of record first (R23)
``exception``  of one speaker's claims the one with an end, against one without (R12)
``newer``      of one speaker's claims the one that holds since later, then the one said later (R23)
``equals``     nobody: equals of different speakers diverge, and neither is a fact (R26)
=============  ===============================================================================

No I/O and no clock: the same records and the same aliases give the same answer for ever (R50).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final

from stead.model.alias import folded
from stead.model.authority import Authority
from stead.model.period import FOREVER
from stead.model.record import Kind as RecordKind
from stead.model.scope import chain
from stead.model.slot import normal
from stead.recall.items import Chosen, named
from stead.recall.names import Names
from stead.resolve.text import Frame, Kind, compare
from stead.resolve.text.detail import Relation, between
from stead.resolve.text.phrase import phrase
from stead.resolve.text.reading import read_fully
from stead.store.values import statement

RULES: Final = ("scope", "authority", "exception", "newer", "equals")
"""In the order in which they are asked."""
_STANCES: Final = frozenset({"yes", "no", "likes", "dislikes"})
_MOST: Final = 64
"""How many of the strongest claims about one thing a claim is compared with."""
_REMEMBERED: Final = 16_384
"""Claims whose reading is kept in memory; `forget` drops them."""

Live = Collection[tuple[str, str]]
"""Entity and attribute of what a system of record is asked for at this recall: its value wins (R17)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caught:
    """What is left of what would have been served."""

    served: list[Chosen]
    """In the order in which they came, each with what it is served over and what says the same."""
    divergences: list[list[Chosen]]
    """Groups of equals that contradict each other, by transaction time."""


def catch(chosen: Sequence[Chosen], names: Names, live: Live = ()) -> Caught:
    """Return what may be served together.

    Parameters
    ----------
    chosen
        What passed every filter, of one subject.
    names
        The aliases that are in force.
    live
        What systems of record are asked for.
    """
    if len(chosen) < 2:
        return Caught(served=[each for each in chosen if not each.aside], divergences=[])
    near, kept, apart = _Near(names=names), dict[int, Chosen](), list[tuple[int, int]]()
    for place in sorted(range(len(chosen)), key=lambda each: _strength(chosen[each], live), reverse=True):
        new = chosen[place]
        verdict = _judge(new, [(at, kept[at]) for at in near.of(new)], names, live)
        served = place if verdict.over is None else verdict.over
        kept[served] = new if verdict.over is None else _with(kept[served], new, verdict.rule)
        apart += [(at, served) for at in verdict.apart]
        near.add(served, new, joins=verdict.rule is None)
    groups = [group for group in _groups(apart) if not all(kept[place].aside for place in group)]
    off = {place for group in groups for place in group}
    return Caught(
        served=[kept[place] for place in sorted(kept) if place not in off and not kept[place].aside],
        divergences=[sorted((kept[place] for place in group), key=_order) for group in groups],
    )


def forget() -> None:
    """Drop what is remembered of the words of claims, for instance after an erasure."""
    for each in (_frames, _mentions, _compared, read_fully):
        each.cache_clear()


# --- who wins ------------------------------------------------------------------------------------------------------------


def decide(winner: Chosen, loser: Chosen, live: Live = ()) -> str:
    """Return the rule by which the stronger of two contradicting claims wins; ``equals`` where none does."""
    one, two = winner.revision, loser.revision
    if one.scope != two.scope and two.scope in chain(one.scope):
        return "scope"
    if _rank(winner, live) != _rank(loser, live):
        return "authority"
    if one.speaker != two.speaker:
        return "equals"
    return "newer" if _ends(winner) == _ends(loser) else "exception"


def _strength(each: Chosen, live: Live) -> tuple[int, int, bool, int, int, int]:
    """Return what orders claims so that what wins by a rule comes before what it wins over."""
    row = each.revision
    since = 0 if _ends(each) else row.stated_from
    return len(chain(row.scope)), _rank(each, live), _ends(each), since, row.place, row.record


def _rank(each: Chosen, live: Live) -> int:
    asked = each.key is not None and (each.key.entity, each.key.attribute) in live
    return Authority.SYSTEM_OF_RECORD.rank if asked else each.revision.rank


def _ends(each: Chosen) -> bool:
    return each.revision.stated_until != FOREVER


def _order(each: Chosen) -> tuple[int, int]:
    return each.revision.place, each.revision.record


@dataclass(frozen=True, slots=True, kw_only=True)
class _Verdict:
    """What becomes of a claim beside stronger ones."""

    over: int | None = None
    """The place of the one that is served in its stead."""
    rule: str | None = None
    """By which rule; None where both say the same."""
    apart: tuple[int, ...] = ()
    """The places of those that it contradicts and no rule ranks."""


def _judge(new: Chosen, stronger: Sequence[tuple[int, Chosen]], names: Names, live: Live) -> _Verdict:
    """Judge a claim beside those that may contradict it, strongest first.

    What says the same as one can still contradict another: words are not always read alike.
    """
    apart: list[int] = []
    same: int | None = None
    for place, old in stronger:
        kind = _kind(old, new, names)
        if kind is Kind.SAME and same is None and _may_join(old, new, names, live):
            same = place
        elif kind is Kind.CONTRADICTS:
            rule = decide(old, new, live)
            if rule != "equals":
                return _Verdict(over=place, rule=rule)
            apart.append(place)
    return _Verdict(over=same, apart=tuple(apart))


def _may_join(served: Chosen, other: Chosen, names: Names, live: Live) -> bool:
    """Tell whether two that say the same are served as one: not where a caller could look for either by its own slot."""
    if served.revision.kind != other.revision.kind:
        return False
    if named(other.key) is None or _asked(served, names) == _asked(other, names):
        return True
    alike = served.revision.scope == other.revision.scope and _rank(served, live) == _rank(other, live)
    return named(served.key) is None and alike


def _with(served: Chosen, other: Chosen, rule: str | None) -> Chosen:
    """Return what is served, with what it is served over by a rule; or with one more source of the same.

    What was aside takes the place of one that wasn't.
    """
    if served.aside and not other.aside:
        served = replace(served, aside=False, rule=other.rule, score=other.score)
    if rule is not None:
        return replace(served, decided=served.decided or rule, over=(*served.over, other.revision))
    named_one = named(served.key) is None and named(other.key) is not None
    one, two = (replace(other, aside=served.aside), served) if named_one else (served, other)
    return replace(one, also=(*one.also, two.revision, *two.also), decided=served.decided, over=served.over)


def _groups(pairs: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return what hangs together by pairs, the groups in order of their first place."""
    group: dict[int, list[int]] = {}
    for one, two in pairs:
        joined = sorted({*group.get(one, [one]), *group.get(two, [two])})
        group |= dict.fromkeys(joined, joined)
    return [group[place] for place in sorted(group) if group[place][0] == place]


# --- what is compared ----------------------------------------------------------------------------------------------------


@dataclass(slots=True, kw_only=True)
class _Near:
    """Where claims are, by the questions that they answer and by what they name."""

    names: Names
    places: dict[object, dict[int, None]] = field(default_factory=dict)
    turns: dict[int, int] = field(default_factory=dict)
    """When each place came: the strongest first."""

    def of(self, new: Chosen) -> list[int]:
        """Return the places of what may contradict a claim or say the same, strongest first."""
        found: dict[int, None] = {}
        for bucket in _buckets(new, self.names):
            found |= dict.fromkeys(list(self.places.get(bucket, ()))[:_MOST])
        return sorted(found, key=self.turns.__getitem__)

    def add(self, place: int, new: Chosen, *, joins: bool) -> None:
        """Add a claim; one that is served over another isn't found by what that one says."""
        self.turns.setdefault(place, len(self.turns))
        for bucket in _buckets(new, self.names) if joins else ():
            self.places.setdefault(bucket, {})[place] = None


def _buckets(each: Chosen, names: Names) -> Iterator[object]:
    """Yield the questions that a claim answers, and what it names."""
    if each.revision.claim_key is not None:
        yield each.revision.claim_key
    slot = _asked(each, names)
    if slot is not None:
        yield slot
    for frame in _frames(each.revision.claim):
        entity = names.entity(frame.entity, in_words=True)
        yield entity, frame.relation, frame.object
        for filler in {frame.object, frame.value} - _STANCES - {""}:
            yield entity, filler
    for entity, filler in _mentions(each.revision.claim):
        yield names.entity(entity, in_words=True), filler


def _asked(each: Chosen, names: Names) -> tuple[str, str, str, str] | None:
    """Return the slot that a caller named, folded."""
    key = named(each.key)
    if key is None:
        return None
    return "slot", folded(names.entity(key.entity)), normal(key.attribute), normal(key.object)


def _apart(each: Chosen) -> str:
    """Return what a plan and an instruction are kept apart by: they answer other questions than what is so already."""
    kind = each.revision.kind
    return kind if kind in (RecordKind.PLAN, RecordKind.INSTRUCTION) else ""


@lru_cache(maxsize=_REMEMBERED)
def _frames(claim: str) -> tuple[Frame, ...]:
    reading = read_fully(claim)
    return reading.frames if reading else ()


@lru_cache(maxsize=_REMEMBERED)
def _mentions(claim: str) -> tuple[tuple[str, str], ...]:
    """Return who, with each thing named beside: "switched from Emacs to Vim" says something of what uses Emacs.

    "Replaced Redis with Kafka as the message queue" says it of the message queue.
    """
    reading = read_fully(claim)
    if reading is None or len(reading.segments) < 2:
        return ()
    named = list(dict.fromkeys(filter(None, (phrase(each.tokens) for each in reading.segments))))
    who = reading.subject.plain or reading.subject.entity
    pairs = [(who, each) for each in named]
    if reading.clause.verb == "replace":
        pairs += [(one, two) for one in named for two in named if one != two]
    return tuple(pairs)


@lru_cache(maxsize=_REMEMBERED)
def _compared(old: str, new: str) -> Kind:
    return compare(old, new).kind


def _kind(one: Chosen, two: Chosen, names: Names) -> Kind:
    """Say what the later of two claims does to the earlier one; in one slot their values say it."""
    old, new = sorted((one, two), key=_order)
    if _asked(old, names) is not None and _asked(old, names) == _asked(new, names):
        same = statement(old.revision).value == statement(new.revision).value
        return Kind.SAME if same else Kind.CONTRADICTS
    if _apart(old) != _apart(new):
        return Kind.UNRELATED
    kind = _compared(old.revision.claim, new.revision.claim)
    if kind is Kind.UNRELATED and names.means:
        return _under_names(old.revision.claim, new.revision.claim, names)
    return kind


def _under_names(old: str, new: str, names: Names) -> Kind:
    """Compare what two claims say of one entity by different names (R21)."""
    for one in _frames(old):
        for two in _frames(new):
            same_question = (one.relation, one.object) == (two.relation, two.object) and one.single == two.single
            met = names.entity(one.entity, in_words=True) == names.entity(two.entity, in_words=True)
            if same_question and met and one.entity != two.entity:
                stances = one.value != two.value and {one.value, two.value} <= _STANCES
                if stances or (one.single and between(one.value, two.value) is Relation.OTHER):
                    return Kind.CONTRADICTS
    return Kind.UNRELATED
