"""What would become of some words, and why: the same rules as for a write, and nothing is written (R15, R20)."""

from __future__ import annotations

from dataclasses import dataclass

from stead.extract.proposal import Act, Proposal
from stead.extract.review import Found
from stead.memory.core import Core
from stead.memory.desk import Desk
from stead.memory.gate import admit
from stead.memory.proposing import Spoken, candidate_of, placed
from stead.memory.turns import cleaned
from stead.model.period import Instant, iso
from stead.model.plain import spelled
from stead.policy.policy import RouteRule
from stead.policy.traits import MEANINGS
from stead.store.values import EpisodeRow, SubjectRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """One candidate that was found in some words, and what would become of it."""

    claim: str | None
    """None where the words as a whole were turned away, or propose nothing."""
    slot: str | None
    value: str | None
    kind: str | None
    category: str | None
    valid_from: str | None
    valid_until: str | None
    recurs: str | None
    authority: str | None
    route: str
    rule: str
    reason: str
    traits: tuple[str, ...]

    def as_dict(self) -> dict[str, object]:
        """Return it as JSON carries it."""
        return spelled(self)


def explain(
    core: Core, subject: str, zone: str | None, text: str, *, role: str, said: Instant, speaker: str, scope: str
) -> list[Explained]:
    """Return what a turn with these words would propose, and by which rule each would be routed.

    Parameters
    ----------
    subject
        Whose consent counts.
    zone
        In which words of time are read; UTC without one.
    text, role, said, speaker, scope
        The turn.
    """
    with core.backend.read() as store:
        row = store.subject(subject) or SubjectRow(n=0, name=subject, purges=0)
        desk = core.desk(store, row, "explain")
        safe = cleaned(desk, text)
        if safe.away is not None:
            return [_whole(safe.away, frozenset())]
        if role != "user":
            traits = frozenset({"third_party", "session"})
            return [_whole(core.policy.route(traits), traits)]
        proposals = core.extractor(safe.heard, said=said, zone=zone or "UTC")
        turn = EpisodeRow(
            id="", subject=row.n, conversation="explain", turn="1", role=role, speaker=speaker, text=safe.text,
            tokens=0, said_at=said, tx=said, scope=scope, purpose=None, audience=None, rank=2, tier="hot", zone=zone,
        )  # fmt: skip
        return [_one(desk, turn, placed(core.policy, subject, turn, each)) for each in proposals]


def _one(desk: Desk, turn: EpisodeRow, proposal: Proposal) -> Explained:
    traits = Found(turn=0, proposal=proposal).traits | {"session"}
    if proposal.act in (Act.FORGET, Act.TAKE_BACK):
        return _whole(desk.policy.route(traits), traits)
    spoken = Spoken(subject=desk.subject.name, row=turn, proposal=proposal, traits=traits)
    admission = admit(desk, candidate_of(desk, spoken), traits)
    candidate, rule = admission.candidate, admission.rule
    return Explained(
        claim=candidate.claim, slot=None if candidate.slot is None else str(candidate.slot.key),
        value=None if candidate.slot is None else candidate.slot.value, kind=str(candidate.kind),
        category=candidate.category, valid_from=iso(candidate.period.start), valid_until=iso(candidate.period.end),
        recurs=proposal.recurs, authority=str(candidate.authority), route=str(rule.route), rule=rule.name,
        reason=rule.reason, traits=_shown(admission.traits),
    )  # fmt: skip


def _whole(rule: RouteRule, traits: frozenset[str]) -> Explained:
    return Explained(
        claim=None, slot=None, value=None, kind=None, category=None, valid_from=None, valid_until=None, recurs=None,
        authority=None, route=str(rule.route), rule=rule.name, reason=rule.reason, traits=_shown(traits),
    )  # fmt: skip


def _shown(traits: frozenset[str]) -> tuple[str, ...]:
    return tuple(name for name in MEANINGS if name in traits and name != "session")
