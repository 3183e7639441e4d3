"""What an erasure selects: all criteria together, and then what can't stay without it (R31)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from stead.errors import Erased, InvalidArgument
from stead.memory.cases import ASKED_AS, MERGED_INTO
from stead.memory.desk import find
from stead.memory.redeciding import waiting_because
from stead.model.erasure import ErasurePreview
from stead.model.period import FOREVER, Instant
from stead.model.scope import checked
from stead.model.slot import Slot
from stead.model.zone import TimeInput, instant
from stead.policy import Policy
from stead.recall.names import names_of
from stead.store.protocol import ReadTx
from stead.store.values import SubjectRow, Wanted, parts

MERGED = (MERGED_INTO, ASKED_AS)
"""Edges between records that consolidation found to say the same."""
_BEGINNING: Instant = -(2**62)
_NAME_ONE = "Name record, slot, scope, category, conversation, source, before or after; or everything=True."


@dataclass(frozen=True, slots=True, kw_only=True)
class Selector:
    """What is to be erased, checked; every criterion that is given must match."""

    ids: tuple[str, ...] | None = None
    slot: Slot | None = None
    scope: str | None = None
    category: str | None = None
    conversation: str | None = None
    source: str | None = None
    within: tuple[Instant, Instant] | None = None
    everything: bool = False

    @property
    def by(self) -> tuple[str, ...]:
        """Return the kinds of the criteria."""
        named = {
            "record": self.ids, "slot": self.slot, "scope": self.scope, "category": self.category,
            "conversation": self.conversation, "source": self.source, "time": self.within, "subject": self.everything or None,
        }  # fmt: skip
        return tuple(name for name, each in named.items() if each is not None)


@dataclass(slots=True, kw_only=True)
class Selected:
    """Numbers of records and of turns."""

    records: set[int] = field(default_factory=set)
    turns: set[int] = field(default_factory=set)
    derived: set[int] = field(default_factory=set)
    merged: set[int] = field(default_factory=set)


def selector_of(given: Mapping[str, object], zone: str | None) -> Selector:
    """Check what a caller gave.

    Raises
    ------
    InvalidArgument
        Nothing is named, or a field is empty or of the wrong form.
    """
    told = {name: each for name, each in given.items() if each is not None and each is not False}
    if not told:
        raise InvalidArgument("record", "nothing is named that is to be erased", _NAME_ONE)
    if "everything" in told and len(told) > 1:
        raise InvalidArgument(
            "everything", "beside another selector", "Everything has no exceptions; name one of them."
        )
    for name in ("scope", "category", "conversation", "source"):
        if name in told and (not isinstance(told[name], str) or not str(told[name]).strip()):
            raise InvalidArgument(
                name, "empty or not text", "An empty selector selects nothing; everything=True is all."
            )
    slot = told.get("slot")
    if slot is not None and not isinstance(slot, Slot):
        raise InvalidArgument("slot", "not a Slot", 'Give Slot("home.city").')
    scope = told.get("scope")
    return Selector(
        ids=_ids(told["record"]) if "record" in told else None,
        slot=slot, scope=None if scope is None else checked(str(scope)),
        category=_text(told.get("category")), conversation=_text(told.get("conversation")), source=_text(told.get("source")),
        within=_within(told, zone), everything="everything" in told,
    )  # fmt: skip


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _ids(given: object) -> tuple[str, ...]:
    ids = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, Iterable) else ()
    if not ids or not all(isinstance(each, str) and each for each in ids):
        raise InvalidArgument("record", "no id, or not text", "Give the id of a record or a turn, or several.")
    return tuple(str(each) for each in ids)


def _within(told: Mapping[str, object], zone: str | None) -> tuple[Instant, Instant] | None:
    if "before" not in told and "after" not in told:
        return None
    ends: list[Instant] = []
    for name, default in (("after", _BEGINNING), ("before", FOREVER)):
        value: TimeInput | None = told.get(name)  # type: ignore[assignment]
        ends.append(default if value is None else instant(value, zone_name=zone, field=name))
    if ends[0] >= ends[1]:
        raise InvalidArgument("before", "not later than after", "The time range is from after until before.")
    return ends[0], ends[1]


def select(store: ReadTx, policy: Policy, subject: SubjectRow, selector: Selector) -> Selected:
    """Return what a selector selects, and what goes with it.

    A record goes with everything that was made from it and with what it was merged with, for these say what it says; the turns
    from which it was drawn, or that ended it, go too. A turn that is selected takes along what was drawn from it. What was
    erased before is passed over.

    Raises
    ------
    UnknownRecord, CrossSubject
        There is no record or turn of an id.
    """
    for each in selector.ids or ():
        _check_id(store, subject, each)
    found = [store.selected(subject.n, wanted) for wanted in _wanted(store, policy, subject.n, selector)]
    records = set.intersection(*(each for each, _ in found))
    turns = set.intersection(*(each for _, each in found))
    if turns:
        records |= set(store.said_beside(subject.n, sorted(records), sorted(turns)))
    chosen = Selected(records=records, turns=turns)
    with_kin(store, chosen)
    chosen.turns |= {row.n for row in store.turns_behind(subject.n, sorted(chosen.records))}
    return chosen


def _check_id(store: ReadTx, subject: SubjectRow, public_id: str) -> None:
    if public_id.startswith("epi_") and store.has_episode(subject.n, public_id):
        return
    with suppress(Erased):
        find(store, subject, public_id)


def _wanted(store: ReadTx, policy: Policy, subject: int, selector: Selector) -> list[Wanted]:
    wanted: list[Wanted] = []
    if selector.everything:
        return [Wanted(everything=True)]
    if selector.ids is not None:
        wanted.append(Wanted(ids=selector.ids))
    if selector.slot is not None:
        key = policy.keyed(selector.slot).key
        keys = {key, names_of(store, subject).key(key)}
        wanted.append(Wanted(slots=tuple(n for each in keys for n in store.slots_of(subject, each))))
    if selector.category is not None:
        filed = tuple(name for name, each in policy.attributes.items() if each.category == selector.category)
        wanted.append(Wanted(filed=((selector.category,), filed)))
    wanted += [
        Wanted(**{name: value})  # type: ignore[arg-type]
        for name, value in (("scope", selector.scope), ("conversation", selector.conversation), ("uri", selector.source),
                            ("within", selector.within))
        if value is not None
    ]  # fmt: skip
    return wanted


def with_kin(store: ReadTx, chosen: Selected, made_from: Sequence[str] = ("derived_from",)) -> None:
    """Add what was made from the records, however deep, and what they were merged with in either direction."""
    level = sorted(chosen.records)
    while level:
        made, same = set[int](), set[int]()
        for part in parts(level):
            for kind in made_from:
                made |= {edge.record for edge in store.edges(part, kind=kind, incoming=True)}
            for kind in MERGED:
                same |= {edge.record for edge in store.edges(part, kind=kind, incoming=True)}
                same |= {edge.target for edge in store.edges(part, kind=kind)}
        made -= chosen.records
        same -= chosen.records | made
        chosen.derived |= made
        chosen.merged |= same
        chosen.records |= made | same
        level = sorted(made | same)


def preview(store: ReadTx, subject: int, selector: Selector, chosen: Selected, now: Instant) -> ErasurePreview:
    """Return what an erasure would touch now."""
    records, turns = sorted(chosen.records), sorted(chosen.turns)
    ids = store.ids(records)
    revisions, versions = store.touched(subject, records, turns)
    outside = store.places_outside(subject)
    return ErasurePreview(
        by=selector.by, records=tuple(ids[n] for n in records),
        revisions=revisions,
        derived=tuple(ids[n] for n in sorted(chosen.derived)), merged=tuple(ids[n] for n in sorted(chosen.merged)),
        episodes=tuple(row.id for part in parts(turns) for row in store.episodes(subject, part)), vectors=versions,
        exports=tuple(name for name, _, _ in outside["exports"]), backups=tuple(name for name, _, _ in outside["backups"]),
        sinks=tuple(name for name, _, _ in outside["sinks"]),
        survives=tuple(_surviving(store, subject, selector, chosen, now)),
    )  # fmt: skip


def _surviving(store: ReadTx, subject: int, selector: Selector, chosen: Selected, now: Instant) -> list[str]:
    told: list[str] = []
    if not chosen.records and not chosen.turns:
        return told
    beside = store.said_beside(subject, sorted(chosen.records), sorted(chosen.turns))
    if beside and not selector.everything:
        told.append(f"{len(beside)} other records drawn from the same turns stay; their turns go")
    ended = sum(len(store.replaced_by(subject, part)) for part in parts(sorted(chosen.records)))
    if ended and not selector.everything:
        told.append(f"{ended} records that these had ended stay ended (R49)")
    anew = [] if selector.everything else waiting_because(store, subject, chosen.records, now)
    if anew:
        told.append(f"{len(anew)} claims that wait because of these are decided anew: they may stand (R49)")
    if selector.everything:
        told.append("what the subject denied stays denied (R16)")
    told.append("random ids, times and keyed fingerprints stay, so that it doesn't come back (R32)")
    return told
