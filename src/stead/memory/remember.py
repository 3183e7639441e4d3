"""Writing one candidate: resolve it against what is there, and apply the verdict in the same transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from stead.errors import Forbidden, OverrideCycle, StaleRevision
from stead.memory.candidate import Candidate
from stead.memory.desk import Desk, Logged
from stead.memory.gate import Admission, admit, answer_by, turned_away
from stead.memory.slotwork import SlotWork
from stead.model.authority import BY_RANK, Authority
from stead.model.outcome import Decision
from stead.model.period import ALL_TIME, FOREVER, Instant, Period
from stead.model.record import LAID, Status
from stead.model.words import tokens
from stead.policy.policy import STORED
from stead.resolve import Verdict, question_id, resolve
from stead.store.values import AGENT, EdgeRow, Revision, SlotRow, SourceRow, statement


def remember(
    desk: Desk,
    candidate: Candidate,
    if_version: int | None = None,
    *,
    traits: Iterable[str] = (),
) -> Logged:
    """Route one candidate (R15), and write it if it may be (R21). Everything is in the one transaction of the desk."""
    targets = [desk.find(each, f"overrides[{place}]") for place, each in enumerate(candidate.overrides)]
    sources = [desk.find(each, f"derived_from[{place}]") for place, each in enumerate(candidate.derived_from)]
    admission = admit(desk, capped(candidate, sources), {*traits, *_tainted(sources)})
    candidate = admission.candidate
    slot = _slot(desk, candidate)
    if if_version is not None and if_version != (slot.version if slot else 0):
        raise StaleRevision(f"if_version: the slot is at version {slot.version if slot else 0}", field="if_version")
    if admission.rule.route not in STORED:
        return turned_away(desk, admission.rule, admission.candidate.trigger)
    desk = replace(desk, route=admission.rule.route)
    tx = desk.instant()
    number = desk.store.next_record()
    new = _first_revision(desk, candidate, slot, tx, number, targets)
    existing = existing_for(desk, new, candidate.period, tx)
    _refuse_higher(new, targets)
    verdict = _judge(new, existing, candidate)
    work = Work(desk=desk, admission=admission, sources=sources, tx=tx)
    if verdict.decision is Decision.NOOP:
        if not targets:
            return _noop(work, verdict, slot)
        _refuse_cycle(desk, verdict.known_in, targets)
        verdict = resolve(statement(new), [statement(each) for each in existing], same_terms=frozenset())
    if admission.waits_for is not None:
        waiting = _same_proposal(desk, new)
        if waiting is not None:
            return _noop(replace(work, sources=[]), replace(verdict, known_in=(waiting,), rule="waiting"), slot)
        rule = admission.rule
        verdict = Verdict(decision=Decision.CONFIRM, rule=rule.name, reason=rule.reason)
    return _apply(work, new, verdict, existing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What one candidate is written with."""

    desk: Desk
    admission: Admission
    sources: list[Revision]
    """What it is derived from."""
    tx: Instant

    @property
    def candidate(self) -> Candidate:
        """Return the candidate as it was admitted."""
        return self.admission.candidate


def _tainted(sources: Sequence[Revision]) -> set[str]:
    """Return what a derived candidate takes over from sources that don't stand yet (R48)."""
    waiting = [each for each in sources if each.status == Status.PROPOSED]
    held = {"instruction"} if any(each.waits_for == "release" for each in waiting) else set()
    return held | ({"unconfirmed"} if waiting else set())


def capped(candidate: Candidate, sources: list[Revision]) -> Candidate:
    """Return a derived candidate with at most what its sources allow (R48).

    The lowest authority, the strictest sensitivity, and only readers and purposes that may see every source.

    Raises
    ------
    Forbidden
        A source doesn't stand any more, or nobody may read them all.
    """
    for place, each in enumerate(sources):
        if each.status not in LAID and each.status != Status.PROPOSED:
            raise Forbidden(f"derived_from[{place}]: {each.id} is {each.status}", field="derived_from")
    if not sources:
        return candidate
    lowest = min([candidate.authority.rank, *(each.rank for each in sources)])
    classes = {each.sensitivity for each in sources if each.sensitivity is not None}
    return replace(
        candidate,
        authority=BY_RANK[lowest],
        sensitivity="+".join(sorted(classes | {candidate.sensitivity})) if candidate.sensitivity else _joined(classes),
        audience=_shared("audience", candidate.audience, [each.audience or (AGENT,) for each in sources]),
        purpose=_shared("purpose", candidate.purpose, [each.purpose for each in sources]),
    )


def _joined(classes: set[str]) -> str | None:
    return "+".join(sorted(classes)) or None


def _shared(field: str, asked: tuple[str, ...] | None, allowed: list[tuple[str, ...] | None]) -> tuple[str, ...] | None:
    """Return what all sources allow, narrowed to what was asked for; None allows everything."""
    limits = [set(each) for each in [asked, *allowed] if each is not None]
    if not limits:
        return None
    shared = set.intersection(*limits)
    if not shared:
        raise Forbidden(f"derived_from: no {field} may use all the sources", field=field)
    return tuple(sorted(shared))


def _slot(desk: Desk, candidate: Candidate) -> SlotRow | None:
    if candidate.slot is None:
        return None
    found = desk.store.slots(desk.subject.n, candidate.slot.key, [candidate.scope])
    return found[0] if found else None


def _first_revision(
    desk: Desk, candidate: Candidate, slot: SlotRow | None, tx: Instant, number: int, targets: list[Revision]
) -> Revision:
    own = candidate.slot
    return Revision(
        record=number, id=f"rec_{desk.new_id()}", subject=desk.subject.n, slot=slot.n if slot else None,
        scope=candidate.scope, tx_from=tx, tx_until=FOREVER, status=Status.ACTIVE, place=tx,
        stated_from=candidate.period.start, stated_until=candidate.period.end, claim=candidate.claim,
        value=own.value if own else None, unset=bool(own and own.unset), speaker=candidate.speaker,
        rank=candidate.authority.rank, kind=candidate.kind, category=candidate.category, purpose=candidate.purpose,
        audience=candidate.audience, confidence=candidate.confidence,
        importance=0.5 if candidate.importance is None else candidate.importance,
        sensitivity=candidate.sensitivity, owner=candidate.owner, trigger=candidate.trigger,
        meaning=candidate.meaning, observed_at=candidate.observed_at, expires_at=candidate.expires_at,
        confirmed_at=tx if candidate.authority is Authority.CONFIRMED else None,
        confirmed_how=candidate.trigger if candidate.authority is Authority.CONFIRMED else None,
        review_events=candidate.review_events, tier="hot", claim_key=candidate.text_key, created=tx,
        names=frozenset(each.record for each in targets),
    )  # fmt: skip


def existing_for(desk: Desk, new: Revision, within: Period, tx: Instant) -> list[Revision]:
    """Return what a record meets: what is laid in its slot within a period, or without a slot, what says the same."""
    if new.slot is not None:
        return [each for each in desk.store.laid([new.slot], within, None) if not each.expired(tx)]
    return [
        each
        for each in desk.store.same_claim(new.subject, new.claim_key or 0)
        if each.status in LAID and each.scope == new.scope and each.kind == new.kind and not each.expired(tx)
    ]


def _judge(new: Revision, existing: list[Revision], candidate: Candidate) -> Verdict:
    """Resolve; records without a slot are the same question only where they say the same."""
    if not existing:
        return resolve(statement(new), (), same_terms=frozenset())
    same = frozenset(each.record for each in existing if _same_terms(each, new))
    verdict = resolve(statement(new), [statement(each) for each in existing], same_terms=same)
    if candidate.slot is None and verdict.decision is not Decision.NOOP:
        return resolve(statement(new), (), same_terms=frozenset())
    return verdict


def _same_terms(old: Revision, new: Revision) -> bool:
    """Tell whether the old record reaches every reader, lasts as long and is kept as carefully as the new one would be."""
    careful = new.sensitivity in (None, old.sensitivity) and set(new.review_events) <= set(old.review_events)
    placed = new.category in (None, old.category)
    lasts = old.expires_at is None or (new.expires_at is not None and new.expires_at <= old.expires_at)
    return lasts and careful and placed and old.audience == new.audience and old.purpose == new.purpose


def _same_proposal(desk: Desk, new: Revision) -> int | None:
    """Return the proposal that already waits with the same claim, so that repeating asks only once."""
    if new.slot is not None:
        waiting = desk.store.proposed(desk.subject.n, slots=[new.slot])
    else:
        waiting = desk.store.same_claim(desk.subject.n, new.claim_key or 0)
    for each in waiting:
        if not each.waits(new.tx_from):
            continue
        within = each.stated_from <= new.stated_from and new.stated_until <= each.stated_until
        same = statement(each).value == statement(new).value and each.status == Status.PROPOSED
        if same and within and each.scope == new.scope and each.rank == new.rank:
            return each.record
    return None


def _noop(work: Work, verdict: Verdict, slot: SlotRow | None) -> Logged:
    """Add a source to what already holds; no new version, and it stays whose record it is (R10).

    A page or a model that repeats what the subject said verifies nothing (R48).
    """
    desk, candidate = work.desk, work.candidate
    holders = desk.store.current_by_number(desk.subject.n, verdict.known_in)
    first = next(each for each in holders if each.record == verdict.known_in[0])
    for holder in holders:
        if candidate.authority.rank >= holder.rank or candidate.authority.may_stand:
            desk.store.add_source(desk.subject.n, source_of(candidate, holder.record, work.tx))
    for edge in _edges(first.record, (), work.sources, work.tx):
        desk.store.add_edge(edge)
    reason = verdict.reason if verdict.rule == "known" else "the same proposal waits already"
    return desk.finish(
        work.tx, Decision.NOOP, verdict.rule, reason, record=first, status=first.status,
        version=slot.version if slot else None, trigger=candidate.trigger,
    )  # fmt: skip


def _refuse_cycle(desk: Desk, holders: Sequence[int], targets: list[Revision]) -> None:
    """Refuse targets that, by name and through others, already override a record that holds the claim (R13)."""
    seen: set[int] = set()
    level = [each.record for each in targets]
    while level:
        if not set(holders).isdisjoint(level):
            raise OverrideCycle("overrides: what already says this is overridden by its own target", field="overrides")
        seen.update(level)
        level = [edge.target for edge in desk.store.edges(level, kind="overrides") if edge.target not in seen]


def _refuse_higher(new: Revision, targets: list[Revision]) -> None:
    for place, target in enumerate(targets):
        if target.rank > new.rank:
            raise Forbidden(
                f"overrides[{place}]: {target.id} stands on higher authority", field="overrides",
                hint="Higher authority is never covered (R10); ask its owner to change it.",
            )  # fmt: skip


def _apply(work: Work, new: Revision, verdict: Verdict, existing: list[Revision]) -> Logged:
    """Write the new record and everything that the verdict changes on others."""
    desk, candidate, store, version = work.desk, work.candidate, work.desk.store, None
    if candidate.slot is not None:
        slot = store.bump_slot(desk.subject.n, candidate.slot.key, candidate.scope)
        new, version = new if new.slot == slot.n else replace(new, slot=slot.n), slot.version
    others = SlotWork(existing, work.tx)
    if verdict.decision is Decision.CONFIRM:
        until = answer_by(desk, candidate, work.tx)
        new = replace(new, status=Status.PROPOSED, waits_for=work.admission.waits_for or "confirm", answer_by=until)
    else:
        new = apply_verdict(desk, others, new, verdict)
    affected = others.write(store)
    added = desk.add(new, words_of(new, candidate, desk.policy.terms(candidate.slot)))
    store.add_source(desk.subject.n, source_of(candidate, added.record, work.tx))
    for edge in _edges(added.record, sorted(new.names), work.sources, work.tx):
        store.add_edge(edge)
    return desk.finish(
        work.tx, verdict.decision, verdict.rule, verdict.reason, record=added, status=added.status, affected=affected,
        version=version, question=_asked(others, added, verdict), trigger=candidate.trigger,
    )  # fmt: skip


def _asked(others: SlotWork, added: Revision, verdict: Verdict) -> str | None:
    """Return the id of the question that a write opened."""
    if verdict.decision is Decision.CONFIRM:
        return question_id(["confirm", added.id])
    return question_of(others, added) if verdict.decision is Decision.CONTEST else None


def apply_verdict(desk: Desk, work: SlotWork, new: Revision, verdict: Verdict) -> Revision:
    """Put the verdict's ends and statuses on the records; return the new one with its own."""
    new = replace(new, cuts=verdict.own_cuts, head=verdict.head) if verdict.own_cuts or verdict.head else new
    for record, cut in verdict.cuts:
        work.cut(record, cut)
    for record in sorted(verdict.superseded):
        work.supersede(record, new.record)
    if verdict.contested_with or any(each.status == Status.CONTESTED for each in work.now.values()):
        if new.slot is not None:
            work.ensure(desk.store.laid([new.slot], ALL_TIME, None))
        return _among(work, new)
    return new


def _among(work: SlotWork, new: Revision) -> Revision:
    """Let the strip say who is contested, the new record included."""
    work.ensure([new])
    work.restatus()
    settled = work.now[new.record]
    work.forget(new.record)
    return settled


def question_of(work: SlotWork, added: Revision) -> str | None:
    """Return the id of the first contest that a new record is part of."""
    found = work.contests(added.slot or 0, added)
    return next((each.id for each in found if added.record in each.records), None)


def words_of(new: Revision, candidate: Candidate, terms: Iterable[str] = ()) -> list[str]:
    """Return the words by which a claim is found: its own, those of its slot, and those by which people ask for it."""
    own = candidate.slot
    if own is None:
        return tokens(new.claim)
    parts = [own.key.attribute.replace(".", " ").replace("_", " "), own.key.object, own.value or ""]
    if own.key.entity != "user":
        parts.append(own.key.entity)
    return tokens(f"{new.claim} {' '.join([*parts, *terms])}")


def source_of(candidate: Candidate, record: int, tx: Instant) -> SourceRow:
    """Return where a candidate came from, as a source of a record."""
    return SourceRow(
        record=record, tx=tx, observed_at=candidate.observed_at, speaker=candidate.speaker, verified=False,
        conversation=candidate.conversation, turn=candidate.turn, uri=candidate.uri,
    )  # fmt: skip


def _edges(record: int, overrides: Sequence[int], sources: Sequence[Revision], tx: Instant) -> list[EdgeRow]:
    named = [("overrides", target) for target in overrides] + [("derived_from", each.record) for each in sources]
    return [EdgeRow(record=record, kind=kind, target=target, tx=tx) for kind, target in named]
