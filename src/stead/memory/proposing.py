"""One proposal of a session into a write: stated, corrected, ended, or asked to be forgotten (R15, R22, R27)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from stead.extract.proposal import Act, Proposal
from stead.index.lexical import bm25
from stead.memory import amend
from stead.memory.candidate import Candidate, check, with_value
from stead.memory.desk import Desk, Logged
from stead.memory.forgetting import NOT_THEIRS, Wish, forget
from stead.memory.gate import admit, turned_away
from stead.memory.remember import remember
from stead.model.authority import Authority
from stead.model.outcome import Decision
from stead.model.period import FOREVER, Instant, Period, to_datetime
from stead.model.record import LAID, Kind, Meaning
from stead.model.slot import SELF, Slot, normal
from stead.model.strip import standing_at
from stead.policy.policy import STORED, Policy, Route
from stead.recall.names import names_of
from stead.store.values import EpisodeRow, Revision, statement

_LONGEST_ENTITY = 200
"""Characters, as `Slot` has it."""
_CATEGORY = {Kind.PREFERENCE: "preference", Kind.INSTRUCTION: "instruction", Kind.PLAN: "plan"}
"""The category of a proposal without a slot, by its kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A proposal with the turn that it was found in."""

    subject: str
    row: EpisodeRow
    proposal: Proposal
    traits: frozenset[str]
    met: tuple[int, ...] = ()
    """Of what asks to forget: the positions of the turns of its session that it took back."""


def placed(policy: Policy, subject: str, row: EpisodeRow, proposal: Proposal) -> Proposal:
    """Give a proposal the scope that its words name, else that of its turn; and whose words they are.

    Where several people speak, what somebody else says of themselves is about them, and what they order isn't the subject's
    order.
    """
    slot, traits = proposal.slot, proposal.traits
    named = policy.scope_of(slot.key.object) if slot is not None and slot.key.object else None
    if named is not None and slot is not None:  # the scope says what the object said
        slot = Slot(slot.key.attribute, entity=slot.key.entity, value=slot.value, unset=slot.unset)
    if row.speaker != subject:
        slot = None if slot is None else _of_speaker(slot, row.speaker)
        ordered = proposal.kind is Kind.INSTRUCTION or "remember" in traits
        traits = traits - {"remember"} | ({"third_party"} if ordered else set())
        if proposal.act is Act.FORGET:  # only the subject has memories erased
            proposal = replace(proposal, act=Act.TAKE_BACK)
        if proposal.act is Act.TAKE_BACK:
            traits |= {"third_party"}
    return replace(proposal, slot=slot, scope=proposal.scope or named or row.scope, traits=traits)


def _of_speaker(slot: Slot, speaker: str) -> Slot:
    """Return a slot as somebody else than the subject speaks of it."""
    key = slot.key
    entity = speaker if key.entity == SELF else f"{speaker}'s {key.entity}"[:_LONGEST_ENTITY]
    return Slot(key.attribute, entity=entity, object=key.object, value=slot.value, unset=slot.unset)


def propose(desk: Desk, spoken: Spoken) -> Logged:
    """Decide on one proposal, and write what comes of it."""
    act = spoken.proposal.act
    if act in (Act.FORGET, Act.TAKE_BACK):
        return _forget(desk, spoken)
    candidate = candidate_of(desk, spoken)
    if act is Act.SAY:
        return remember(desk, candidate, traits=spoken.traits)
    if act is Act.END and candidate.period.end == FOREVER:  # an end needs no end of its own (R4)
        candidate = replace(candidate, period=Period(candidate.period.start, candidate.period.start + 1))
    admission = admit(desk, candidate, spoken.traits)
    if admission.rule.route not in STORED or admission.rule.route is Route.QUARANTINE:
        return turned_away(desk, admission.rule, admission.candidate.trigger)
    desk = replace(desk, route=admission.rule.route)
    sure = admission.rule.route is Route.ADMIT
    return (_end if act is Act.END else _correct)(desk, spoken, admission.candidate, sure=sure)


def _forget(desk: Desk, spoken: Spoken) -> Logged:
    """Carry out the subject's own, plain wish (R27); what a model read, what is supposed or quoted is none."""
    rule, proposal = desk.policy.route(spoken.traits), spoken.proposal
    if proposal.act is not Act.FORGET or rule.route is not Route.ERASE:
        return turned_away(desk, rule, "session")
    from stead.extract.rules.takeback import wished

    theirs = spoken.row.speaker == spoken.subject and spoken.traits.isdisjoint(_NO_WISH)
    if not theirs or not wished(proposal.claim):
        return turned_away(desk, replace(rule, reason=NOT_THEIRS), "session")
    row = spoken.row
    wish = Wish(about=proposal.about, conversation=row.conversation, turn=row, met=spoken.met)
    return forget(desk, wish, rule, "session")


_NO_WISH = frozenset({"question", "hypothetical", "quote", "third_party", "irony", "uncertain"})


def candidate_of(desk: Desk, spoken: Spoken) -> Candidate:
    """Return the proposal as a candidate; an explicit "remember that" is a deliberate act (R2, R17)."""
    proposal, row = spoken.proposal, spoken.row
    slot = proposal.slot
    if slot is not None:
        empty = slot.value is None and not slot.unset
        slot = None if empty else desk.policy.keyed(slot)
    deliberate = Authority.CONFIRMED if "remember" in spoken.traits else Authority.STATED
    category = proposal.category or (None if slot is not None else _CATEGORY.get(proposal.kind))
    kind = proposal.kind
    if kind is Kind.FACT:
        kind = desk.policy.category(category, slot).kind
    candidate = check(
        proposal.claim, now=desk.said(), subject=spoken.subject, zone=row.zone, slot=slot,
        speaker=row.speaker, kind=kind, category=category, scope=proposal.scope, audience=row.audience,
        authority=Authority.INFERRED if "inferred" in spoken.traits else deliberate, confidence=proposal.confidence,
        source={"conversation": row.conversation, "turn": row.turn}, observed_at=to_datetime(row.said_at),
        meaning=proposal.meaning, trigger="session",
    )  # fmt: skip
    return replace(candidate, period=_period(proposal, row.said_at))


def _period(proposal: Proposal, said: Instant) -> Period:
    """Return when it holds; an end that has no start holds from when it was said, if that is before it."""
    end = FOREVER if proposal.valid_until is None else proposal.valid_until
    start = said if proposal.valid_from is None else proposal.valid_from
    return Period(min(start, end - 1), end)


def _end(desk: Desk, spoken: Spoken, candidate: Candidate, *, sure: bool) -> Logged:
    """End what stands in the slot; what stands on higher authority, or isn't sure, is asked about instead (R23)."""
    proposal = spoken.proposal
    ended = proposal.valid_until if proposal.valid_until is not None else proposal.valid_from
    when = spoken.row.said_at if ended is None else ended
    slot = None if proposal.slot is None else desk.policy.keyed(proposal.slot)
    standing = [] if slot is None else _standing(desk, slot, proposal.scope, when)
    value = slot.value if slot is not None else None
    meant = [each for each in standing if value is None or each.value is None or _alike(each.value, value)]
    meant = [each for each in meant if _may_repair(spoken, each)]
    if not meant or slot is None:
        reason = "nothing like it stands; nothing was stored"
        return desk.finish(desk.instant(), Decision.NOOP, "not_standing", reason)
    if not sure or max(each.rank for each in meant) > candidate.authority.rank or _high_stakes(desk, candidate):
        key = slot.key
        unset = Slot(key.attribute, entity=key.entity, object=key.object, unset=True)
        return remember(desk, replace(candidate, slot=unset, period=Period(when)), traits=spoken.traits)
    return amend.end_all(desk, meant, when)


def _standing(desk: Desk, slot: Slot, scope: str, when: Instant) -> list[Revision]:
    found = desk.store.slots(desk.subject.n, names_of(desk.store, desk.subject.n).key(slot.key), [scope])
    laid = desk.store.laid([found[0].n], Period(when, when + 1), None) if found else []
    by_record = {each.record: each for each in laid if not each.expired(desk.clock.now())}
    return [by_record[each.record] for each in standing_at([statement(each) for each in by_record.values()], when)]


def _alike(held: str, said: str) -> bool:
    """Tell whether one value names the other: "Acme" is "Acme Corp" here, since the slot is the same."""
    one, other = normal(held), normal(said)
    return one == other or f" {one} " in f" {other} " or f" {other} " in f" {one} "


def _correct(desk: Desk, spoken: Spoken, candidate: Candidate, *, sure: bool) -> Logged:
    """Put what was meant in the place of what was said (R22); what was said on purpose is asked about instead (R23)."""
    old = next((each for each in _meant(desk, spoken, candidate) if _may_repair(spoken, each)), None)
    if old is None and candidate.slot is None:
        reason = "nothing was said that it could correct; nothing was stored"
        return desk.finish(desk.instant(), Decision.NOOP, "not_standing", reason)
    if old is None:
        return remember(desk, candidate, traits=spoken.traits)
    if not sure or old.rank > candidate.authority.rank or _high_stakes(desk, candidate):
        asked = replace(_over(desk, old, candidate), meaning=Meaning.CHANGED)
        return remember(desk, asked, traits=spoken.traits)
    repaired = _over(desk, old, candidate)
    if repaired.slot is not None and repaired.slot.value is not None and repaired.slot.value == old.value:
        return remember(desk, candidate, traits=spoken.traits)
    return amend.correct(desk, old.id, replace(repaired, period=Period(old.stated_from, old.stated_until)))


def _high_stakes(desk: Desk, candidate: Candidate) -> bool:
    """Tell whether nothing of the candidate's category is overridden in passing (R23)."""
    if candidate.authority.rank > Authority.STATED.rank:
        return False
    return any(each.stakes == "high" for each in desk.policy.categories_of(candidate.category, candidate.slot))


def _may_repair(spoken: Spoken, old: Revision) -> bool:
    """Tell whether a speaker may end or correct a record: the subject any, everybody else their own words (R15)."""
    return spoken.row.speaker in (spoken.subject, old.speaker)


def _meant(desk: Desk, spoken: Spoken, candidate: Candidate) -> Sequence[Revision]:
    """Return what a correction can mean: what stands in its slot, else the one record with the value that was wrong."""
    proposal = spoken.proposal
    if candidate.slot is not None:
        standing = _standing(desk, candidate.slot, proposal.scope, spoken.row.said_at)
        if standing or proposal.replaces is None:
            return standing
    if proposal.replaces is None:
        return []
    ranked = bm25(desk.store, "claims", desk.subject.n, proposal.replaces, None).ranked[:50]
    rows = desk.store.by_text(desk.subject.n, [item for item, _ in ranked], desk.store.last_instant())
    wrong = [
        each
        for each in rows
        if each.status in LAID and each.value is not None and _alike(each.value, proposal.replaces)
        if each.scope == proposal.scope and desk.key_of(each) is not None
    ]
    return wrong if len(wrong) == 1 else []


def _over(desk: Desk, old: Revision, candidate: Candidate) -> Candidate:
    """Return the correction in the slot of what it corrects."""
    key = desk.key_of(old)
    if candidate.slot is not None or key is None:
        return candidate
    slot = Slot(key.attribute, entity=key.entity, object=key.object, value=candidate.claim)
    return replace(candidate, slot=slot, claim=with_value(old.claim, old.value, slot))
