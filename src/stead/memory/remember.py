"""Writing one candidate: resolve it against what is there, and apply the verdict in the same transaction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from stead.errors import StaleRevision
from stead.memory import amend
from stead.memory.advice import Asking
from stead.memory.applying import Work, apply, merge, noop
from stead.memory.arbitrating import arbitrated, high_stakes
from stead.memory.candidate import Candidate
from stead.memory.capping import capped, tainted
from stead.memory.desk import Desk, Logged
from stead.memory.fences import check_fences
from stead.memory.forgetting import turn_away
from stead.memory.gate import Admission, admit
from stead.memory.overriding import refuse_cycle, refuse_higher
from stead.memory.unslotted import (
    Asked,
    Met,
    adopted,
    asked,
    both_hold,
    contradicts,
    may_merge,
    nearest,
    opposed,
    opposing,
    parted,
    said_already,
    says_more,
)
from stead.model.authority import Authority
from stead.model.outcome import Decision
from stead.model.period import FOREVER, Instant, Period
from stead.model.record import LAID, Meaning, Status
from stead.model.strip import standing_at
from stead.policy.policy import STORED, Route
from stead.recall.derived import lapses
from stead.recall.names import names_of
from stead.resolve import Verdict, resolve
from stead.resolve.text import meaning
from stead.store.values import Revision, SlotRow, statement


def remember(
    desk: Desk,
    candidate: Candidate,
    if_version: int | None = None,
    *,
    traits: Iterable[str] = (),
    asking: Asking | None = None,
) -> Logged:
    """Route one candidate (R15), and write it if it may be (R21). Everything is in the one transaction of the desk.

    ``asking`` is what a model said before (R24).
    """
    targets = [desk.find(each, f"overrides[{place}]") for place, each in enumerate(candidate.overrides)]
    sources = [desk.find(each, f"derived_from[{place}]") for place, each in enumerate(candidate.derived_from)]
    admission = admit(desk, capped(candidate, sources), {*traits, *tainted(sources)})
    candidate = admission.candidate
    answers = asked(candidate, names_of(desk.store, desk.subject.n))
    check_fences(desk, candidate, answers)
    slot = _slot_of(desk, candidate, answers)
    if if_version is not None and if_version != (slot.version if slot else 0):
        raise StaleRevision(f"if_version: the slot is at version {slot.version if slot else 0}", field="if_version")
    if admission.rule.route not in STORED:
        return turn_away(desk, admission)
    desk = replace(desk, route=admission.rule.route)
    tx = desk.instant()
    number = desk.store.next_record()
    new = _first_revision(desk, candidate, answers, slot, tx, number, targets)
    refuse_higher(new, targets)
    work = _laid_out(desk, admission, answers, new, sources)
    existing = work.existing
    wrong = _repaired(work)
    if wrong is not None:
        return amend.correct(desk, wrong.id, replace(candidate, period=Period(wrong.stated_from, wrong.stated_until)))
    verdict = judged(work)
    if candidate.slot is None and not targets and not _same_words(work, verdict):
        work, verdict = _compared(work, verdict, asking)
    if verdict.decision is Decision.UPDATE:
        return merge(work, verdict)
    if verdict.decision is Decision.NOOP:
        if not targets:
            return noop(work, verdict, slot)
        refuse_cycle(desk, verdict.known_in, targets)
        verdict = resolve(statement(new), [statement(each) for each in existing], same_terms=frozenset())
    verdict = _arbitrated(work, verdict)
    if admission.waits_for is not None:
        waiting = _same_proposal(desk, new)
        if waiting is not None:
            known = replace(verdict, known_in=(waiting,), rule="waiting")
            return noop(replace(work, sources=[]), known, slot)
        rule = admission.rule
        if verdict.rule != "explicit" or rule.route is not Route.CONFIRM:
            verdict = Verdict(decision=Decision.CONFIRM, rule=rule.name, reason=rule.reason)
    return apply(work, verdict)


def _slot_of(desk: Desk, candidate: Candidate, answers: Asked | None) -> SlotRow | None:
    """Return the slot of the question that a candidate answers, if it was ever written in its scope."""
    if answers is None:
        return None
    found = desk.store.slots(desk.subject.n, answers.key, [candidate.scope])
    return found[0] if found else None


def as_it_would_be(desk: Desk, admission: Admission, tx: Instant) -> Work:
    """Return an admitted candidate as it would be laid, without a record of its own: for who only looks."""
    answers = asked(admission.candidate, names_of(desk.store, desk.subject.n))
    slot = _slot_of(desk, admission.candidate, answers)
    new = _first_revision(desk, admission.candidate, answers, slot, tx, 0, [])
    return _laid_out(desk, admission, answers, new, [])


def _laid_out(desk: Desk, admission: Admission, answers: Asked | None, new: Revision, sources: list[Revision]) -> Work:
    existing = existing_for(desk, new, admission.candidate.period, new.tx_from)
    return Work(
        desk=desk, admission=admission, tx=new.tx_from, new=new, answers=answers, existing=existing, sources=sources
    )  # fmt: skip


def _first_revision(
    desk: Desk, candidate: Candidate, own: Asked | None, slot: SlotRow | None, tx: Instant, number: int,
    targets: list[Revision],
) -> Revision:  # fmt: skip
    """Return a candidate as it would be laid, under the number of its record."""
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
    """Return what a record meets: what is laid in its question within a period; without one, what says the same."""
    if new.slot is not None:
        return [each for each in desk.store.laid([new.slot], within, None) if not each.expired(tx)]
    return [
        each
        for each in desk.store.same_claim(new.subject, new.claim_key or 0)
        if each.status in LAID and each.scope == new.scope and each.kind == new.kind and not each.expired(tx)
    ]


def judged(work: Work) -> Verdict:
    """Resolve; records that answer no question are the same only where they say the same."""
    new, existing = work.new, work.existing
    if not existing:
        return resolve(statement(new), (), same_terms=frozenset())
    same = frozenset(each.record for each in existing if _same_terms(work.desk, each, new))
    verdict = resolve(statement(new), [statement(each) for each in existing], same_terms=same)
    if work.answers is None and verdict.decision is not Decision.NOOP:
        return resolve(statement(new), (), same_terms=frozenset())
    return verdict


def _repaired(work: Work) -> Revision | None:
    """Return what a claim's own words say was never true: what its speaker said in passing, alone in its question (R22)."""
    candidate, new = work.candidate, work.new
    if candidate.meaning_given or work.admission.waits_for is not None or not work.existing:
        return None
    if meaning(candidate.claim) is not Meaning.CORRECTED or _stakes_of(work):
        return None
    stands = standing_at([statement(each) for each in work.existing], new.stated_from)
    if len(stands) != 1 or stands[0].value == statement(new).value:
        return None
    old = next(each for each in work.existing if each.record == stands[0].record)
    beside = candidate.slot is None and both_hold(old, new)
    return old if _may_repair(work, old) and not beside else None


def _may_repair(work: Work, old: Revision) -> bool:
    same_voice = old.speaker == work.new.speaker and old.rank <= work.new.rank
    return same_voice and _same_terms(work.desk, old, work.new)


def _in_place(work: Work, old: Revision, said: Meaning | None) -> Work:
    """Lay a claim in the place of what a model says it contradicts, where its words, or the model, call that wrong (R22)."""
    candidate = work.candidate
    corrects = not candidate.meaning_given and (meaning(candidate.claim) or said) is Meaning.CORRECTED
    if not corrects or old.status != Status.ACTIVE or _stakes_of(work) or not _may_repair(work, old):
        return work
    unstated = candidate.period == Period(candidate.observed_at)
    period = Period(old.stated_from, old.stated_until) if unstated else candidate.period
    new = replace(work.new, meaning=Meaning.CORRECTED, stated_from=period.start, stated_until=period.end)
    return replace(work, new=new)


def _stakes_of(work: Work) -> bool:
    return high_stakes(work.desk.policy, work.candidate.category, work.candidate.slot, work.existing)


def _compared(work: Work, verdict: Verdict, asking: Asking | None) -> tuple[Work, Verdict]:
    """Return what becomes of a claim without a slot beside its nearest ones (R21, R24).

    A model is heard only where the words of none of them relate it to one.
    """
    near = nearest(work.desk, work.new, work.existing)
    first = next(near, None)
    if first is not None:
        return _beside_near(work, verdict, chain((first,), near))
    if asking is None:
        return _beside_near(work, verdict, ())
    mets = asking.met(work, verdict)
    work, verdict = _beside_near(work, verdict, mets, asking)
    if verdict.decision is Decision.CONFIRM:
        work = _naming(work, [met.old for met in mets if contradicts(met)])
    return work, asking.marked(verdict)


def _naming(work: Work, against: Sequence[Revision]) -> Work:
    """Let a proposal name what only a model says it contradicts: once confirmed it wins over that, which no words tell (R13)."""
    named = {old.record for old in against if old.rank <= Authority.CONFIRMED.rank}
    return replace(work, new=replace(work.new, names=work.new.names | named))


def _beside_near(
    work: Work, verdict: Verdict, near: Iterable[Met], asking: Asking | None = None
) -> tuple[Work, Verdict]:
    """Return what becomes of a claim beside those that it is related to.

    The first that says the same, more or less decides. Who says more doesn't contradict: what can't be merged stands beside
    the old claim, under no question of its own.
    """
    also, against = dict[int, Revision](), list[Revision]()
    for met in near:
        found = _merging(work, met)
        if found is not None:
            return work, found
        if says_more(met) and _among(work.existing, met):
            return _beside(work)
        old = adopted(met, work.answers)
        if old is not None:
            also[old.record] = old
        elif contradicts(met) and not _among(work.existing, met):
            against.append(met.old)
    if verdict.decision is Decision.NOOP:  # the same answer, with other details
        return _beside(work)
    if also:
        work = replace(work, existing=[*work.existing, *also.values()], adopted=frozenset(also))
        verdict = judged(work)
    both, others = parted(work.new, work.existing, verdict)
    if both:
        against += others
        work, verdict = _beside(work)
    if asking is not None and len(against) == 1:
        work = _in_place(work, against[0], asking.meaning)
    return _against(work, verdict, against)


def _beside(work: Work) -> tuple[Work, Verdict]:
    """Put a claim beside what answers the same question: neither says all of the other."""
    new = replace(work.new, slot=None, value=None)
    work = replace(work, new=new, answers=None, existing=[])
    return work, resolve(statement(new), (), same_terms=frozenset())


def _same_words(work: Work, verdict: Verdict) -> bool:
    """Tell whether what is known already is known in the same words."""
    known = [each for each in work.existing if each.record in verdict.known_in]
    return bool(known) and all(each.claim_key == work.new.claim_key for each in known)


def _against(work: Work, verdict: Verdict, against: list[Revision]) -> tuple[Work, Verdict]:
    """Add what a claim does to those that it contradicts under other questions (R24).

    What would be contested has no question in common on which it could be, so it waits as a proposal.
    """

    def decide(new: Revision, old: Revision) -> Verdict:
        pair = _arbitrated(
            replace(work, new=replace(new, value="new"), existing=[replace(old, value="old")]),
            resolve(*opposed(new, old), same_terms=frozenset()),
        )
        if pair.decision is not Decision.CONTEST:
            return pair
        reason = "another speaker says otherwise in other words; a person has to settle it"
        return Verdict(
            decision=Decision.CONFIRM, rule="equals", reason=reason, contradicts=frozenset((old.record,))
        )  # fmt: skip

    new, existing, verdict = opposing(work.new, work.existing, verdict, against, decide)
    return replace(work, new=new, existing=existing), verdict


def _merging(work: Work, met: Met) -> Verdict | None:
    """Return the verdict where the old claim says it all already, or the new one can be its next revision."""
    new, same_terms = work.new, _same_terms(work.desk, met.old, work.new)
    known = said_already(met, new, same_terms=same_terms)
    if known is not None or work.admission.waits_for is not None:
        return known
    alone = all(each.record == met.old.record for each in work.existing)
    if not may_merge(met, new, same_terms=same_terms, alone=alone):
        return None
    reason = "it says more; the old wording is history"
    return Verdict(decision=Decision.UPDATE, rule=met.finding.rule, reason=reason, known_in=(met.old.record,))


def _among(existing: list[Revision], met: Met) -> bool:
    return any(each.record == met.old.record for each in existing)


def _arbitrated(work: Work, verdict: Verdict) -> Verdict:
    candidate = work.candidate
    return arbitrated(work.desk, work.new, work.existing, verdict, candidate.category, candidate.slot)


def _same_terms(desk: Desk, old: Revision, new: Revision) -> bool:
    """Tell whether the old record reaches every reader, lasts as long and is kept as carefully as the new one would be.

    One that isn't served, because what it was made from no longer holds, says nothing already (R37).
    """
    careful = new.sensitivity in (None, old.sensitivity) and set(new.review_events) <= set(old.review_events)
    placed = new.category in (None, old.category)
    lasts = old.expires_at is None or (new.expires_at is not None and new.expires_at <= old.expires_at)
    alike = lasts and careful and placed and old.audience == new.audience and old.purpose == new.purpose
    said = Period(new.stated_from, new.stated_until)
    return alike and not lapses(desk.store, old.subject, [old.record], new.tx_from, None, said)


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
