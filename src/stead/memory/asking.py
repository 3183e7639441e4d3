"""Asking a model about a session's turns: only this subject's words, as they are kept; the answer is data (R24, R47, R52)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from stead.extract.proposal import Proposal
from stead.policy.policy import Policy
from stead.store.values import EpisodeRow

if TYPE_CHECKING:
    from stead.extract.model import ModelExtractor


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a model made of a session, by the position of the turn, and what it cost."""

    proposals: Mapping[int, list[Proposal]]
    report: dict[str, object]


@dataclass(frozen=True, slots=True)
class Asked:
    """A model that reads sessions."""

    extractor: ModelExtractor

    @classmethod
    def of(cls, model: str, policy: Policy) -> Self:
        """Return the model that a provider string names.

        Raises
        ------
        InvalidArgument, MissingExtra
        """
        from stead.extract.model import ModelExtractor  # only where a model is configured

        return cls(ModelExtractor(model, attributes=policy.attributes))

    def read(self, rows: Sequence[EpisodeRow]) -> Answer:
        """Ask about the subject's own turns; a turn without a key was not answered.

        What the model read between the lines is its inference, and waits for the subject's yes (R2).
        """
        from stead.extract.model import ModelTurn

        turns = [
            ModelTurn(number=row.position, text=row.text, said=row.said_at, zone=row.zone or "UTC") for row in rows
        ]
        answer = self.extractor(turns)
        report: dict[str, object] = {
            "calls": answer.calls, "failures": list(answer.failures), "dropped": dict(answer.dropped),
            "tokens_in": answer.tokens_in, "tokens_out": answer.tokens_out, "turns": len(turns),
            "answered": len(answer.proposals),
        }  # fmt: skip
        found = {number: [_inferred(each) for each in listed] for number, listed in answer.proposals.items()}
        return Answer(proposals=found, report=report)


def _inferred(proposal: Proposal) -> Proposal:
    if "uncertain" not in proposal.traits:
        return proposal
    return replace(proposal, traits=proposal.traits - {"uncertain"} | {"inferred"})
