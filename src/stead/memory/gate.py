"""The gate: may a candidate be remembered at all, by which rule, and until when (R4, R15, R16, R19)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import cast

from stead.memory.candidate import Candidate
from stead.memory.desk import Desk, Logged
from stead.memory.scrub import scrubbed
from stead.model.authority import Authority
from stead.model.outcome import Decision
from stead.model.period import FOREVER, Instant
from stead.model.slot import normal
from stead.policy.guards import hostile, sensitive
from stead.policy.policy import ANY, SENSITIVE, Category, Policy, Route, RouteRule
from stead.recall.names import names_of

PERSONALISATION = "personalisation"
"""The class under which a subject's consent to being remembered at all is kept."""
_FEW = 3
_NAMES = re.compile(r"[\w .,'@+/&|-]{0,60}")
_LEVELS = {"refuse": "override", "quarantine": "instruction"}
WAITS_FOR = {Route.CONFIRM: "confirm", Route.CLARIFY: "clarify", Route.QUARANTINE: "release"}
_FORGETS = re.compile(
    r"\b(?:forg[eo]t|delet|eras|remov|wip|stop (?:remembering|storing)|never (?:said|told)"
    r"|den(?:y|ies|ied) (?:having|ever|that))",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\b(?:user|subject|customer|client|they|he|she) (?:now )?(?:den(?:y|ies|ied) (?:having|ever|that)|never (?:said|told)"
    r"|(?:asks?|asked|wants?|wanted|would like) (?:[\w']+ ){0,6}(?:forget|erase|delete|forgotten|erased|deleted))\b"
    r"|^(?:please )?(?:forget|delete|erase|wipe) (?:my|our|all|everything|anything|what)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """A candidate as it may be written, and the rule that says so or forbids it."""

    candidate: Candidate
    rule: RouteRule
    traits: frozenset[str]

    @property
    def waits_for(self) -> str | None:
        """Return what it waits for before it stands; None: nothing."""
        return WAITS_FOR.get(self.rule.route)


def admit(desk: Desk, candidate: Candidate, traits: Iterable[str] = ()) -> Admission:
    """Route one candidate (R15).

    Parameters
    ----------
    desk
        The write in the making: the subject's consent, and what waits or was rejected, are read in its transaction.
    candidate
        What a caller or a conversation proposes.
    traits
        What extraction says of it.

    Returns
    -------
    Admission
        The candidate, redacted and with its category's terms, and the first rule whose conditions it meets.
    """
    policy = desk.policy
    categories = policy.categories_of(candidate.category, candidate.slot)
    candidate, secrets = scrubbed(candidate)
    candidate = _termed(candidate, categories, _classes(candidate, categories))
    found = {
        *traits, *secrets, *_origin(candidate), *_levels(candidate), *_permitted(desk, candidate, categories),
        *_history(desk, candidate),
    }  # fmt: skip
    if "session" not in found and _FORGETS.search(candidate.claim) and _asks_to_forget(candidate.claim):
        found.add("forget")
    if "instruction" in found and desk.store.waiting(desk.subject.n, desk.said()) >= policy.limits.open_per_origin:
        found.add("flood")
    if policy.asks_first(categories, candidate.slot):
        found.add("asks_first")
    if candidate.expires_at is not None and candidate.expires_at <= desk.said():
        found.add("expired")
    if needs_end(categories) and candidate.period.end == FOREVER and candidate.expires_at is None:
        found.add("no_expiry")
    known = frozenset(found)
    return Admission(candidate=candidate, rule=policy.route(known), traits=known)


def turned_away(desk: Desk, rule: RouteRule, trigger: str) -> Logged:
    """Log a candidate of which nothing is stored, with the rule that said so (R20)."""
    decision = Decision.ERASE if rule.route is Route.ERASE else Decision.REJECT
    routed = replace(desk, route=rule.route)
    return routed.finish(desk.instant(), decision, rule.name, rule.reason, trigger=trigger)


def answer_by(desk: Desk, candidate: Candidate, now: Instant) -> Instant:
    """Return until when a proposal waits for its answer; inferences wait shortest (R19)."""
    limits = desk.policy.limits
    length = limits.proposal_lifetime if candidate.authority.may_stand else limits.inference_lifetime
    return now + int(length.total_seconds()) * 1_000_000


def allowed(policy: Policy, consents: dict[str, bool], name: str) -> bool:
    """Tell whether the subject allows a class; what it never said is as the policy has it (R16)."""
    default = policy.personalisation if name == PERSONALISATION else name in policy.opted_in
    return consents.get(name, default)


def guarded(policy: Policy) -> frozenset[str]:
    """Return the sensitivity classes that need the subject's consent."""
    kept = policy.kept.get("guarded")
    if kept is None:
        named = {each.sensitivity for each in policy.categories.values() if each.sensitivity}
        kept = policy.kept["guarded"] = frozenset(SENSITIVE) | named
    return cast("frozenset[str]", kept)


def denied(policy: Policy, consents: dict[str, bool]) -> frozenset[str]:
    """Return the classes of which nothing is shown today, whatever was known then (R8)."""
    return frozenset(name for name in guarded(policy) if not allowed(policy, consents, name))


def needs_end(categories: Sequence[Category]) -> bool:
    """Tell whether a record of these categories must say until when it holds (R4)."""
    return any(each.needs_end for each in categories)


def forbidden(desk: Desk, classes: Iterable[str]) -> set[str]:
    """Return why nothing of these classes may be written for the subject today (R16)."""
    policy, consents = desk.policy, desk.store.consents(desk.subject.n)
    found = set() if allowed(policy, consents, PERSONALISATION) else {"personalisation_off"}
    for name in set(classes) & guarded(policy):
        if not policy.category(name).purposes:
            found.add("no_purpose")
        if not allowed(policy, consents, name):
            found.add("no_consent")
    return found


def _asks_to_forget(claim: str) -> bool:
    """Tell whether a claim is really a wish to forget, or says that the subject denies something (R27)."""
    from stead.extract.rules.takeback import taken  # only where its words occur

    return _DENIES.search(claim) is not None or taken(claim) is not None


def _classes(candidate: Candidate, categories: Sequence[Category]) -> frozenset[str]:
    slot = candidate.slot
    words = candidate.claim if slot is None else f"{candidate.claim} {slot.key.object} {slot.value or ''}"
    named = frozenset(candidate.sensitivity.split("+")) if candidate.sensitivity else frozenset[str]()
    return named | sensitive(words) | {each.sensitivity for each in categories if each.sensitivity}


def _levels(candidate: Candidate) -> set[str]:
    """Return how the candidate's words, and every name that is shown beside them, read to an agent (R48)."""
    slot = candidate.slot
    names = (
        [candidate.speaker] if slot is None else [candidate.speaker, slot.key.entity, slot.key.object, slot.value or ""]
    )
    beside = " | ".join(filter(None, names))
    found = hostile(candidate.claim)
    if (
        not beside.isascii() or beside.count(" ") > _FEW or not _NAMES.fullmatch(beside)
    ):  # an order takes more than names
        found += hostile(beside)
    return {_LEVELS[each.level] for each in found}


def _termed(candidate: Candidate, categories: Sequence[Category], classes: frozenset[str]) -> Candidate:
    """Give the candidate what its categories say: class, purposes, expiry and importance, the stricter of each (R19)."""
    ends = candidate.period.end != FOREVER
    expiries = [each.expiry(candidate.observed_at, stated=candidate.expires_at, ends=ends) for each in categories]
    purpose = candidate.purpose
    limited = [set(each.purposes) for each in categories if each.purposes and ANY not in each.purposes]
    if purpose is None and limited:
        purpose = tuple(sorted(set.intersection(*limited)))
    named = candidate.category or (None if categories[0].name == "general" else categories[0].name)
    return replace(
        candidate, category=named, sensitivity="+".join(sorted(classes)) or None, purpose=purpose or None,
        expires_at=min((each for each in expiries if each is not None), default=None),
        importance=categories[0].importance if candidate.importance is None else candidate.importance,
    )  # fmt: skip


def _origin(candidate: Candidate) -> set[str]:
    if candidate.authority.may_stand:
        return {"deliberate"} if candidate.authority.rank >= Authority.CONFIRMED.rank else set()
    return {"unconfirmed", str(candidate.authority)}


def _permitted(desk: Desk, candidate: Candidate, categories: Sequence[Category]) -> set[str]:
    """Return what consent and purpose forbid."""
    found = forbidden(desk, candidate.sensitivity.split("+") if candidate.sensitivity else ())
    for each in categories:
        if ANY not in each.purposes and (not each.purposes or not set(candidate.purpose or ()) <= set(each.purposes)):
            found.add("no_purpose")
    return found


def _history(desk: Desk, candidate: Candidate) -> set[str]:
    """Return what the subject's earlier answers say about an inference."""
    if candidate.authority.may_stand:
        return set()
    subject, found = desk.subject.n, set()
    if desk.store.waiting(subject, desk.said(), candidate.speaker) >= desk.policy.limits.open_per_origin:
        found.add("flood")
    if candidate.slot is None:
        same = desk.store.rejected(subject, claim_key=candidate.text_key)
        again = any(each.scope == candidate.scope for each in same)
    else:
        slots = desk.store.slots(subject, names_of(desk.store, subject).key(candidate.slot.key), [candidate.scope])
        value = None if candidate.slot.value is None else normal(candidate.slot.value)
        same = desk.store.rejected(subject, slot=slots[0].n) if slots else []
        again = any(value == (None if each.value is None else normal(each.value)) for each in same)
    return found | ({"rejected_before"} if again else set())
