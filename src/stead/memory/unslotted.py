"""Claims without a slot: the question that their words answer, and the nearest claims that say the same or more (R21, R24).

What a claim answers is read in its own words (`resolve.text`): "The staging database is Postgres 14" answers "staging database
/ be" with "postgres 14". That question is kept like a slot, under an attribute that no caller can name, so that one function, the
strip, decides for both kinds of claims. What answers no such question is compared with its nearest neighbours: they are found
by words they share, and never decided by how many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from operator import itemgetter
from typing import Final

from stead.index.lexical import bm25
from stead.memory.candidate import Candidate
from stead.memory.desk import Desk
from stead.model.outcome import Decision
from stead.model.record import LAID, Kind, Status
from stead.model.slot import FROM_TEXT, SlotKey
from stead.model.strip import Statement
from stead.recall.names import Names
from stead.resolve import Verdict, resolve, width
from stead.resolve.arbitrate import disputed
from stead.resolve.text import Finding, compare, read
from stead.resolve.text import Kind as Compared
from stead.resolve.text.detail import Relation, between
from stead.store.values import AGENT, Revision, statement

RECENT: Final = 200
"""Decisions over which the density of contradictions is measured."""
_PAGES: Final = 5
"""After how many pages of four times K the search for neighbours gives up (R52)."""
_LONGEST = 200
"""Characters of a part of a question, as in a slot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The question that a candidate answers: named by its caller, or read in its words."""

    key: SlotKey
    value: str | None
    unset: bool = False
    said_of: str | None = None
    """The entity that was named, where an alias files it under another one (R21)."""


def asked(candidate: Candidate, names: Names) -> Asked | None:
    """Return the question that a candidate answers, if it can be told, as it is asked of what its names mean (R21)."""
    slot = candidate.slot
    said = None if slot is None else Asked(key=slot.key, value=slot.value, unset=slot.unset)
    answer = said or read_in(candidate.claim, candidate.kind)
    if answer is None:
        return None
    key = names.key(answer.key)
    return answer if key == answer.key else replace(answer, key=key, said_of=answer.key.entity)


def read_in(claim: str, kind: str) -> Asked | None:
    """Return the question that the words of a claim answer, if it can be told.

    A plan and an instruction answer other questions than a fact; a reflection sums up and answers none.
    """
    frame = None if kind == Kind.REFLECTION else read(claim)
    if frame is None or max(map(len, (frame.entity, frame.relation, frame.object))) > _LONGEST - len(FROM_TEXT):
        return None
    key = SlotKey(entity=frame.entity, attribute=f"{FROM_TEXT}{_apart(kind)}{frame.relation}", object=frame.object)
    return Asked(key=key, value=frame.value)


def _apart(kind: str) -> str:
    return f"{kind} " if kind in (Kind.PLAN, Kind.INSTRUCTION, Kind.REFLECTION) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Met:
    """What an unslotted candidate does to a record that is near it in words."""

    old: Revision
    finding: Finding


def nearest(desk: Desk, new: Revision, existing: Sequence[Revision]) -> Iterator[Met]:
    """Compare a candidate with what stands in its question, then with the K nearest claims in the same scope (R21).

    Parameters
    ----------
    desk
        The write in the making.
    new
        The candidate as it would be laid.
    existing
        What is laid where it would be laid.
    """
    seen: set[int] = set()
    for old in (*existing, *neighbours(desk, new)):
        if old.record in seen or not _comparable(old, new):
            continue
        seen.add(old.record)
        finding = compare(old.claim, new.claim)
        if finding.kind is not Compared.UNRELATED:
            yield Met(old=old, finding=finding)


def neighbours(desk: Desk, new: Revision) -> Iterator[Revision]:
    """Yield the K claims nearest in words that speak of the same place, best first (R21)."""
    subject = desk.subject.n
    count = width(*desk.store.recent_contradictions(subject, RECENT))
    ranked = _newest_first(bm25(desk.store, "claims", subject, new.claim, None).ranked)
    found = 0
    for _ in range(_PAGES):
        page = list(islice(ranked, 4 * count))
        rows = {each.text_n: each for each in desk.store.by_text(subject, page, new.tx_from)} if page else {}
        for each in (rows[item] for item in page if item in rows):
            if _comparable(each, new):
                yield each
                found += 1
                if found == count:
                    return


def _newest_first(ranked: Sequence[tuple[int, float]]) -> Iterator[int]:
    """Yield texts best first, of equals the newest: in a long history that is the one which still stands."""
    for _, equals in groupby(ranked, key=itemgetter(1)):
        yield from (item for item, _ in reversed(list(equals)))


def _comparable(old: Revision, new: Revision) -> bool:
    """Tell whether two claims speak of one place: same scope and category, and the old one stands when the new one begins."""
    alike = old.scope == new.scope and _apart(old.kind) == _apart(new.kind) and old.category == new.category
    return alike and old.status in LAID and not old.expired(new.tx_from) and _reaches(old, new)


def _reaches(old: Revision, new: Revision) -> bool:
    return any(piece.start <= new.stated_from and new.stated_until <= piece.end for piece in old.pieces())


def said_already(met: Met, new: Revision, *, same_terms: bool) -> Verdict | None:
    """Return NOOP where the old claim says all of the new one, on at least its authority (R21)."""
    says_it = met.finding.kind in (Compared.SAME, Compared.COARSER)
    if not (says_it and same_terms and met.old.status == Status.ACTIVE and met.old.rank >= new.rank):
        return None
    return Verdict(
        decision=Decision.NOOP, rule=met.finding.rule, reason="it is known already; a source was added",
        known_in=(met.old.record,),
    )  # fmt: skip


def says_more(met: Met) -> bool:
    """Tell whether one of two claims says more than the other: both can be true."""
    return met.finding.kind in (Compared.REFINES, Compared.COARSER)


def contradicts(met: Met) -> bool:
    """Tell whether both can't be the answer at once."""
    return met.finding.kind is Compared.CONTRADICTS


def opposed(new: Revision, old: Revision) -> tuple[Statement, list[Statement]]:
    """Return two claims that contradict each other under different questions as statements of one."""
    return replace(statement(new), value="new"), [replace(statement(old), value="old")]


def joined(one: Verdict, other: Verdict) -> Verdict:
    """Return one verdict of two on the same candidate: a question comes first, then what does more."""
    contradicts = one.contradicts | other.contradicts
    if one.decision is Decision.CONFIRM:
        return replace(one, contradicts=contradicts)
    if other.decision is Decision.CONFIRM:
        return replace(other, contradicts=contradicts)
    first = other if one.decision is Decision.ADD else one
    return replace(
        first, cuts=(*one.cuts, *other.cuts), own_cuts=(*one.own_cuts, *other.own_cuts),
        superseded=one.superseded | other.superseded, contested_with=one.contested_with, contradicts=contradicts,
        head=one.head and other.head,
    )  # fmt: skip


def opposing(
    new: Revision, existing: list[Revision], verdict: Verdict, against: Iterable[Revision],
    decide: Callable[[Revision, Revision], Verdict | None],
) -> tuple[Revision, list[Revision], Verdict]:  # fmt: skip
    """Add to a verdict what a claim does to those that it contradicts under other questions: each is a strip of the two (R24).

    ``decide`` says what becomes of the new claim and one old one; None leaves both as they are.
    """
    for old in against:
        pair = decide(new, old)
        if pair is None:
            continue
        if pair.decision is Decision.OVERRIDE:
            new = replace(new, names=new.names | {old.record})
        existing = [*existing, old]
        verdict = joined(verdict, pair)
    return new, existing, verdict


def parted(new: Revision, existing: Sequence[Revision], verdict: Verdict) -> tuple[list[Revision], list[Revision]]:
    """Part what a verdict takes away or questions into what goes on beside the new claim, and what says otherwise.

    "Was born in 1990" and "Born on 12 May" answer one question and can both be true (R24). And what was said to other readers
    isn't said to them any more by a claim that they may not read (R21).
    """
    laid = [statement(each) for each in existing]
    losing = verdict.superseded | verdict.contested_with | disputed(statement(new), laid)
    beside, against = list[Revision](), list[Revision]()
    for old in (each for each in existing if each.record in losing):
        if both_hold(old, new) or _says_to_others(old, new):
            beside.append(old)
        elif statement(old).value != statement(new).value:
            against.append(old)
    return beside, against


def both_hold(old: Revision, new: Revision) -> bool:
    """Tell whether two answers that words give to one question can both be true (R24)."""
    one, two = read(old.claim), read(new.claim)
    if one is None or two is None:
        return False
    if one.key == two.key:
        return compare(old.claim, new.claim).kind is Compared.UNRELATED
    return one.single and two.single and between(one.value, two.value) is Relation.UNCLEAR  # an alias joins them


def _says_to_others(old: Revision, new: Revision) -> bool:
    """Tell whether the same was said to readers, or for a purpose, that the new claim isn't for."""
    readers = set(old.audience or (AGENT,)) <= set(new.audience or (AGENT,))
    uses = new.purpose is None or (old.purpose is not None and set(old.purpose) <= set(new.purpose))
    return statement(old).value == statement(new).value and not (readers and uses)


def met_by(desk: Desk, new: Revision, existing: list[Revision]) -> tuple[Revision, list[Revision], Verdict]:
    """Return a record that stands by a person's yes, what it meets, and what becomes of both (R2, R21).

    That is what is laid in its question; and, where only its words tell that, what they contradict under other questions.
    """
    verdict = resolve(statement(new), [statement(each) for each in existing], same_terms=frozenset())
    if new.slot is not None and not desk.store.slots_by_number(desk.subject.n, [new.slot])[0].key.from_text:
        return new, existing, verdict
    beside, against = parted(new, existing, verdict)
    seen = {each.record for each in existing}
    if not beside:
        against = []
    elif new.slot is None:
        existing = [each for each in existing if each not in beside]
        verdict = resolve(statement(new), [statement(each) for each in existing], same_terms=frozenset())
    else:
        new, existing = replace(new, slot=None, value=None), []
        verdict = resolve(statement(new), (), same_terms=frozenset())
    against += [met.old for met in nearest(desk, new, ()) if contradicts(met) and met.old.record not in seen]

    def decide(new: Revision, old: Revision) -> Verdict | None:
        pair = resolve(*opposed(new, old), same_terms=frozenset())
        # equals who agree on no question: both stand, and a read tells them apart (R25)
        return None if pair.decision is Decision.CONTEST else pair

    return opposing(new, existing, verdict, against, decide)


def adopted(met: Met, answers: Asked | None) -> Revision | None:
    """Return an old claim with its answer where it answers the same question and isn't filed under any.

    An earlier version of Stead wrote it, or it was put beside another one.
    """
    if answers is None or met.old.slot is not None or met.finding.kind is not Compared.CONTRADICTS:
        return None
    read_anew = read_in(met.old.claim, met.old.kind)
    if read_anew is None or read_anew.key != answers.key:
        return None
    return replace(met.old, value=read_anew.value)


def may_merge(met: Met, new: Revision, *, same_terms: bool, alone: bool) -> bool:
    """Tell whether a new claim that says more can become the next revision of an old one.

    Nothing may get more authority by it than its own words carried (R48), nor hold for longer than it was said to, and it stays
    whose record it is. ``alone`` says that nothing else is laid where it will be.
    """
    old = met.old
    same_voice = old.speaker == new.speaker and (old.rank == new.rank or (old.rank < new.rank and alone))
    as_long = (
        old.expires_at == new.expires_at and old.stated_until == new.stated_until and new.stated_from <= new.tx_from
    )
    refines = met.finding.kind is Compared.REFINES and old.status == Status.ACTIVE
    return refines and same_terms and same_voice and as_long


def merged(old: Revision, new: Revision, usual: float) -> Revision:
    """Return the next revision of a record, with the words that say more.

    ``usual`` is the importance of the category; another one was said on purpose, and the newest such word counts.
    """
    importance = old.importance if new.importance == usual else new.importance
    return replace(
        old, tx_from=new.tx_from, slot=new.slot, claim=new.claim, value=new.value, claim_key=new.claim_key,
        rank=new.rank, confidence=new.confidence, importance=importance,
        category=old.category or new.category, confirmed_at=new.confirmed_at or old.confirmed_at,
        confirmed_how=new.confirmed_how or old.confirmed_how,
    )  # fmt: skip
