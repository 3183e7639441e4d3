"""Aliases: another name for an entity, explicit and reversible (R21). Nothing is ever joined because it looks alike.

An alias files everything that was said of its name under the entity that it means, in a new revision of each record: past
revisions keep their slots, so that ``known_at`` before it answers without it. The joined strip is settled as if all of it had
been written in the order of its places. Taking the alias back files each record under the name that it was said with again, and
lifts the ends that records of the other name had caused.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from stead.errors import Forbidden, IllegalTransition, InvalidArgument, UnknownRecord
from stead.memory.desk import Desk, Logged
from stead.memory.gate import PERSONALISATION, allowed
from stead.memory.scrub import check_names
from stead.memory.slotwork import SlotWork
from stead.model.alias import bare, folded
from stead.model.authority import Authority
from stead.model.outcome import Decision
from stead.model.period import Instant, Period
from stead.model.record import Cut, Meaning, Status
from stead.model.slot import SELF, SlotKey, valid_text
from stead.recall.names import Names, as_read, named
from stead.store.protocol import ReadTx
from stead.store.values import AliasRow, Revision

MOST_AFFECTED = 1_000
"""Records that one log row names; all of them are filed anew."""
_LONGEST = 200
"""Characters, as of a slot's entity."""
_OURSELVES = frozenset({SELF, "i", "me", "myself", "self", "the user"})


def checked_entity(name: str, field: str) -> str:
    """Return a name of an entity that can be stored.

    Raises
    ------
    InvalidArgument
    """
    if not isinstance(name, str) or not name.strip():
        raise InvalidArgument(field, "empty or not text", "Name an entity, for instance the flat.")
    check_names(**{field: name})
    return " ".join(valid_text(name, field, _LONGEST, "A name is a few words.").split())


def alias(desk: Desk, name: str, means: str) -> Logged:
    """Let a name mean an entity, and file under it what was said of the name.

    Raises
    ------
    InvalidArgument, Forbidden, IllegalTransition
    """
    if not allowed(desk.policy, desk.store.consents(desk.subject.n), PERSONALISATION):
        raise Forbidden("personalisation is off: no name is remembered", hint="consent(personalisation=True)")
    rows = desk.store.aliases(desk.subject.n, None)
    entity = _meant(desk, rows, name, means)
    known = next((each for each in rows if folded(each.name) == folded(name)), None)
    tx = desk.instant()
    if known is not None:
        return desk.finish(tx, Decision.NOOP, "known", "the name means this entity already")
    row = AliasRow(name=name, means=entity, tx=tx)
    desk.store.add_alias(desk.subject.n, row)
    affected, question = _join(desk, named([*rows, row]), (name, entity), tx)
    return desk.finish(
        tx, Decision.ADD, "alias", f"the name means that entity from now on; {_records(affected)} filed under it",
        affected=affected[:MOST_AFFECTED], question=question,
    )  # fmt: skip


def unalias(desk: Desk, name: str) -> Logged:
    """Take an alias back: each record is filed under the name that it was said with.

    Raises
    ------
    UnknownRecord
    """
    rows = desk.store.aliases(desk.subject.n, None)
    old = next((each for each in rows if folded(each.name) == folded(name)), None)
    if old is None:
        raise UnknownRecord("name: there is no such alias", field="name", hint="aliases() lists them.")
    tx = desk.instant()
    desk.store.end_alias(old.n, tx)
    affected = _part(desk, named(each for each in rows if each.n != old.n), old, tx)
    return desk.finish(
        tx, Decision.UPDATE, "unalias", f"the name stands for itself from now on; {_records(affected)} changed",
        affected=affected[:MOST_AFFECTED],
    )  # fmt: skip


def _records(affected: Collection[int]) -> str:
    return f"{len(affected)} record{'' if len(affected) == 1 else 's'}"


def _meant(desk: Desk, rows: Iterable[AliasRow], name: str, means: str) -> str:
    """Return the entity that an alias would mean: where that is an alias itself, what that one means.

    Raises
    ------
    InvalidArgument
        One of the two is the subject, or both are the same.
    IllegalTransition
        The name means something else already, or other names mean it: there are no chains.
    """
    for field, text in (("name", name), ("means", means)):
        if {folded(text), as_read(text)} & _OURSELVES:
            raise InvalidArgument(field, "is the subject itself", "An alias joins two entities beside the subject.")
    if folded(name) == folded(means):
        raise InvalidArgument("means", "is the name itself", "Name another entity.")
    by_name = {folded(each.name): each for each in rows}
    through = by_name.get(folded(means))
    entity = through.means if through else _spelled(desk, rows, means)
    if folded(name) == folded(entity) or as_read(name) == as_read(entity):
        raise InvalidArgument("means", "is the name itself", "Name another entity.")
    known = by_name.get(folded(name))
    if known is not None and folded(known.means) != folded(entity):
        raise IllegalTransition(
            "name: it means another entity already", field="name", hint="unalias it first; aliases() lists them."
        )
    if any(folded(each.means) == folded(name) for each in rows):
        raise IllegalTransition(
            "name: other names mean it, and an alias of an alias would be a chain", field="name",
            hint="Give the other name as means, or unalias those first.",
        )  # fmt: skip
    return entity


def _spelled(desk: Desk, rows: Iterable[AliasRow], means: str) -> str:
    """Return an entity as aliases or slots spell it already; else as it was given."""
    there = [each.means for each in rows] + desk.store.entities(desk.subject.n)
    return next(
        (each for each in (bare(means), *there) if each in there and folded(each) == folded(means)), bare(means)
    )


# --- joining and parting -------------------------------------------------------------------------------------------------


def _join(desk: Desk, names: Names, joined: Iterable[str], tx: Instant) -> tuple[list[int], str | None]:
    """File under the entity what was said of its other names; return what changed, and the first contest that appeared."""
    work = SlotWork([], tx)
    into: dict[tuple[SlotKey, str], int] = {}
    for slot in desk.store.slots_by_number(desk.subject.n, _slots_of(desk.store, desk.subject.n, joined)):
        key = names.key(slot.key)
        here = [] if key == slot.key else desk.store.in_slot(slot.n)
        if not here:
            continue
        if (key, slot.scope) not in into:
            into[key, slot.scope] = desk.store.bump_slot(desk.subject.n, key, slot.scope).n
            work.load(desk.store, into[key, slot.scope])
        work.load(desk.store, slot.n)
        for each in here:
            work.file(each.record, into[key, slot.scope])
            desk.store.say_of(desk.subject.n, each.record, slot.key.entity)
    for number in into.values():
        _repair(work, number, desk.store.said_of(list(work.now)))
    work.owe_tails()
    work.restatus()
    affected = work.write(desk.store)
    asked = (contest.id for number in into.values() for contest in work.contests(number))
    return affected, next(asked, None)


def _slots_of(store: ReadTx, subject: int, entities: Iterable[str]) -> list[int]:
    """Return the slots of entities, however they are spelled there."""
    wanted = {spelling for each in entities for spelling in (folded(each), as_read(each))}
    return store.slots_about(subject, [each for each in store.entities(subject) if folded(each) in wanted])


def _repair(work: SlotWork, slot: int, said: dict[int, str]) -> None:
    """Let corrections take off what was said of the other name, save what a system of record says (R22, R23)."""
    laid = sorted(work.laid_in(slot), key=lambda each: (each.place, each.record))
    for new in (each for each in laid if each.meaning == Meaning.CORRECTED):
        for old in laid:
            if said.get(old.record) == said.get(new.record) or (old.place, old.record) >= (new.place, new.record):
                continue
            source = old.rank == Authority.SYSTEM_OF_RECORD.rank > new.rank
            loser, winner, why = (new, old, "superseded") if source else (old, new, "corrected")
            portion = Period(winner.stated_from, winner.stated_until)
            if any(piece.overlaps(portion) for piece in work.now[loser.record].pieces()):
                work.cut(loser.record, Cut(period=portion, why=why, by=winner.record))
            if source and not work.now[loser.record].pieces():
                work.supersede(loser.record, winner.record)


def _part(desk: Desk, names: Names, old: AliasRow, tx: Instant) -> list[int]:
    """File each record under the entity that it was said with, and settle each strip by itself."""
    work = SlotWork([], tx)
    entities: dict[int | None, str] = {}
    into: dict[int, int] = {}
    for slot in desk.store.slots_by_number(desk.subject.n, _slots_of(desk.store, desk.subject.n, [old.means])):
        work.load(desk.store, slot.n)
        entities[slot.n] = slot.key.entity
        here = [each for each in work.now.values() if each.slot == slot.n]
        for record, said in _said_with(desk, here).items():
            entity = names.entity(said, in_words=slot.key.from_text)
            if entity != slot.key.entity:
                own = desk.store.bump_slot(desk.subject.n, replace(slot.key, entity=entity), slot.scope)
                into[record], entities[own.n] = own.n, entity
    for number in sorted({*into.values(), *(work.now[record].slot or 0 for record in into)}):
        desk.store.bump_slot_number(number)
        work.load(desk.store, number)
    for record, number in into.items():
        work.file(record, number)
    for record in list(work.now):
        _lift(desk, work, record, _across(work, record, entities), old.tx)
    work.owe_tails()
    work.restatus()
    return work.write(desk.store)


def _said_with(desk: Desk, records: Collection[Revision]) -> dict[int, str]:
    """Return with which entity records were said, where an alias was in between; a correction is of what it corrects."""
    said = desk.store.said_of([each.record for each in records])
    for edge in desk.store.edges([each.record for each in records], kind="corrects"):
        before = said.get(edge.target) or desk.store.said_of([edge.target]).get(edge.target)
        if before is not None and edge.record not in said:
            said[edge.record] = before
    return said


def _across(work: SlotWork, record: int, entities: Mapping[int | None, str]) -> set[int]:
    """Return the records of another entity that ended a record."""
    each = work.now[record]
    causes = {cut.by for cut in each.cuts} | {each.superseded_by}
    found = [work.now[cause] for cause in causes if cause is not None and cause in work.now]
    return {cause.record for cause in found if entities.get(cause.slot) != entities.get(each.slot)}


def _lift(desk: Desk, work: SlotWork, record: int, across: Collection[int], since: Instant) -> None:
    """Take off the ends that records of another entity caused while both were joined, and let what they ended stand again.

    What a person said of both, by a correction, stays.
    """
    if not across:
        return
    meant = {edge.record for edge in desk.store.edges([record], kind="corrects", incoming=True)}
    earlier = next((each for each in desk.store.revisions(desk.subject.n, [record]) if each.tx_until >= since), None)
    kept = () if earlier is None or earlier.tx_from >= since else earlier.cuts
    gone = set(across) - meant - {cut.by for cut in kept}
    old = work.now[record]
    work.put(replace(old, cuts=tuple(cut for cut in old.cuts if cut.by not in gone)))
    if old.superseded_by in gone and old.status in (Status.SUPERSEDED, Status.RETRACTED):
        work.move(record, Status.ACTIVE, superseded_by=None)


def said_key(desk: Desk, record: Revision) -> SlotKey | None:
    """Return the slot that a record's caller named, by the name that was said."""
    key = desk.key_of(record)
    said = None if key is None else desk.store.said_of([record.record]).get(record.record)
    return key if key is None or said is None else replace(key, entity=said)
