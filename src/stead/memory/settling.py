"""Answers to a contest: one claim is kept, none, or each goes on in a scope of its own; every answer can be taken back (R26)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from stead.errors import IllegalTransition, InvalidArgument, UnknownRecord
from stead.memory.desk import Desk, Logged
from stead.memory.slotwork import SlotWork
from stead.memory.unsettling import unsettle
from stead.model.outcome import Decision
from stead.model.period import ALL_TIME, FOREVER, Period
from stead.model.record import Cut, Meaning, Status
from stead.model.scope import checked
from stead.model.slot import SlotKey
from stead.resolve import Contest, resolve
from stead.store.values import Revision, stands_until, statement


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a person says to a contest: exactly one of these."""

    keep: str | None = None
    neither: bool = False
    scopes: Mapping[str, str] | None = None
    undo: bool = False


def settle(desk: Desk, question: str | None, answer: Answer) -> Logged:
    """Answer a contest, from this transaction on; or take an answer back (R26).

    Raises
    ------
    UnknownRecord, IllegalTransition, InvalidArgument
    """
    given = [answer.keep is not None, answer.neither, answer.scopes is not None, answer.undo]
    if sum(given) != 1:
        raise InvalidArgument(
            "keep", "give one answer: the record to keep, neither, scopes, or undo", "settle(question, keep='rec_…')"
        )
    if answer.undo:
        return unsettle(desk, question)
    if answer.scopes is not None:
        return _scope(desk, question, _checked_scopes(answer.scopes))
    kept = None if answer.keep is None else desk.find(answer.keep, "keep")
    found = _contests(desk, question, [] if kept is None else [kept])
    return _keep(desk, found, kept)


def _contests(desk: Desk, question: str | None, named: Sequence[Revision]) -> list[Contest]:
    """Return the contests that an answer is about; all of one slot.

    Raises
    ------
    UnknownRecord, IllegalTransition, InvalidArgument
    """
    about = [*named]
    if question is not None and question.startswith("rec_"):
        about.append(desk.find(question, "question"))
        question = None
    slots = [each.slot for each in about if each.slot is not None]
    clock = max(desk.clock.now(), desk.store.last_instant())
    found: list[Contest] = []
    for slot in slots[:1] or desk.store.disputable_slots(desk.subject.n):
        found += SlotWork(desk.store.laid([slot], ALL_TIME, None), clock).contests(slot)
    if question is not None:
        found = [each for each in found if each.id == question]
        if not found:
            raise UnknownRecord(
                "question: there is no such open contest", field="question", hint="questions() lists what is open."
            )
    for record in about:
        found = [each for each in found if record.record in each.records]
        if not found:
            raise IllegalTransition(f"{record.id} is {record.status}: it is part of no such contest")
    if not named and len(found) != 1:
        raise InvalidArgument("question", f"{len(found)} contests are open", "Name one: see questions().")
    return found


# --- one is kept, or none --------------------------------------------------------------------------------------------------


def _keep(desk: Desk, found: list[Contest], kept: Revision | None) -> Logged:
    """Keep one and end the others where they overlap, or end them all there."""
    tx = desk.instant()
    work = SlotWork.whole_slot(desk.store, _member(desk, found), tx)
    losers = _end_losers(work, found, kept)
    for loser in sorted(losers):
        if kept is not None and _lost_its_tail(work, loser):
            work.supersede(loser, kept.record)
        elif kept is None and not work.now[loser].pieces() and work.now[loser].status != Status.SUPERSEDED:
            work.move(loser, Status.RETRACTED)
    if kept is None:
        reason = "none was kept where they overlap"
        return _answered(desk, work, work.now[min(losers)], found, ("neither", reason))
    return _answered(desk, work, kept, found, ("settled", "one claim was kept; the others end where they overlap"))


def _member(desk: Desk, found: Sequence[Contest]) -> Revision:
    return desk.store.current_by_number(desk.subject.n, [found[0].records[0]])[0]


def _answered(desk: Desk, work: SlotWork, subject: Revision, found: Sequence[Contest], said: tuple[str, str]) -> Logged:
    """Write what changed, and log it with the question that it answers."""
    rule, reason = said
    work.restatus()
    affected = [each for each in work.write(desk.store) if each != subject.record]
    slot = _member(desk, found).slot if subject.slot is None else subject.slot
    version = desk.raised(slot)
    return desk.finish(
        work.tx, Decision.UPDATE, rule, reason, record=subject, status=work.now[subject.record].status,
        affected=affected, version=version, question=found[0].id,
    )  # fmt: skip


def _lost_its_tail(work: SlotWork, record: int) -> bool:
    now = work.now[record]
    kept = [cut for cut in now.cuts if cut.why != "settled"]
    return stands_until(now.stated_until, now.cuts) < stands_until(now.stated_until, kept)


def _end_losers(work: SlotWork, found: Sequence[Contest], kept: Revision | None) -> set[int]:
    """End the others where they are contested, and what that uncovers, until nothing disagrees with the kept one there."""
    losers: set[int] = set()
    by = kept.record if kept else None
    within = [period for contest in found for period in contest.periods]
    while found:
        for contest in found:
            value = next((each.value for each in contest.standing if each.record == by), None)
            for each in contest.standing:
                if kept is None or each.value != value:
                    losers.add(each.record)
                    for period in contest.periods:
                        work.cut(each.record, Cut(period=period, why="settled", by=by))
        found = _uncovered(work, kept, within) if kept else []
    return losers


def _uncovered(work: SlotWork, kept: Revision, within: Sequence[Period]) -> list[Contest]:
    left: list[Contest] = []
    for contest in work.contests(kept.slot or 0):
        periods = [part for period in contest.periods for each in within if (part := period.intersect(each))]
        if kept.record in contest.records and periods:
            left.append(replace(contest, periods=tuple(periods)))
    return left


# --- each in a scope of its own ----------------------------------------------------------------------------------------


def _checked_scopes(given: object) -> dict[str, str]:
    if not isinstance(given, Mapping) or not given:
        raise InvalidArgument("scopes", "not a mapping from records to scopes", "scopes={'rec_…': 'work'}")
    for record, scope in given.items():
        if not isinstance(record, str) or not isinstance(scope, str):
            raise InvalidArgument("scopes", "not a mapping from records to scopes", "scopes={'rec_…': 'work'}")
    return {str(record): checked(scope) for record, scope in given.items()}


def _scope(desk: Desk, question: str | None, scopes: Mapping[str, str]) -> Logged:
    """Let each named claim go on in its own scope; those that aren't named stay where they are."""
    named = {desk.find(record, "scopes").record: scope for record, scope in scopes.items()}
    first = desk.store.current_by_number(desk.subject.n, sorted(named))
    found = _contests(desk, question, first)
    members = {each.record: each for each in desk.store.current_by_number(desk.subject.n, _records(found))}
    _check_apart(found, {record: named.get(record, each.scope) for record, each in members.items()})
    moving = [each for each in _in_order(members.values()) if named.get(each.record, each.scope) != each.scope]
    tx = desk.instant()
    work = SlotWork.whole_slot(desk.store, moving[0], tx)
    key = desk.store.slots_by_number(desk.subject.n, [moving[0].slot or 0])[0].key
    hidden = [_move(desk, work, each, key, named[each.record]) for each in moving]
    reason = "each of the claims goes on in its own scope"
    if any(hidden):
        reason += "; in one of them a higher authority says otherwise and stands above it"
    return _answered(desk, work, moving[0], found, ("scoped", reason))


def _records(found: Sequence[Contest]) -> list[int]:
    return sorted({record for contest in found for record in contest.records})


def _in_order(revisions: Iterable[Revision]) -> list[Revision]:
    return sorted(revisions, key=lambda each: (each.place, each.record))


def _check_apart(found: Sequence[Contest], scopes: Mapping[int, str]) -> None:
    """Refuse an answer after which claims of the question would still disagree."""
    said: dict[str, set[str | None]] = {}
    for contest in found:
        for each in contest.standing:
            said.setdefault(scopes[each.record], set()).add(each.value)
    if any(len(values) > 1 for values in said.values()):
        raise InvalidArgument(
            "scopes", "claims that disagree would share a scope",
            "Give each claim a scope of its own; only one of them can keep the scope that they have now.",
        )  # fmt: skip


def _move(desk: Desk, work: SlotWork, old: Revision, key: SlotKey, scope: str) -> bool:
    """File a record under the slot of another scope, laid there as if it were said now; tell whether it is hidden there."""
    slot = desk.store.bump_slot(desk.subject.n, key, scope)
    work.load(desk.store, slot.n)
    others = [statement(each) for each in work.laid_in(slot.n)]
    new = replace(work.now[old.record], slot=slot.n, scope=scope, place=work.tx)
    work.put(new)
    if stands_until(new.stated_until, new.cuts) != FOREVER and new.meaning != Meaning.CORRECTED:
        return False  # it takes nobody's open end; the strip does the rest
    verdict = resolve(statement(new), others, same_terms=frozenset())
    if verdict.decision is Decision.CONFIRM:
        return True
    work.put(replace(new, cuts=(*new.cuts, *verdict.own_cuts)))
    for record, cut in verdict.cuts:
        work.cut(record, cut)
    for record in sorted(verdict.superseded):
        work.supersede(record, new.record)
    return False
