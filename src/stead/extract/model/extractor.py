"""Extraction by a model: what it proposes is checked, and what it fails at is left to the built-in extraction."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from stead.errors import InvalidArgument
from stead.extract.model.ask import HOPELESS, Reply, ask
from stead.extract.model.check import Check, names_foreign_ids
from stead.extract.model.prompt import ORDERS, ModelTurn, fenced, plan, shown
from stead.extract.model.provider import installed, parse
from stead.extract.model.schema import form, read
from stead.extract.proposal import Proposal
from stead.model.slot import SELF
from stead.policy.policy import Attribute

_NONE: Final[Mapping[str, Attribute]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelAnswer:
    """What a model made of a session, and what it cost."""

    proposals: Mapping[int, list[Proposal]]
    """By turn. A turn without a key was not answered: extract it locally. An empty list: the model found nothing in it."""
    calls: int = 0
    """Requests that were begun."""
    failures: tuple[str, ...] = ()
    """One name per call that failed, and ``limit`` or ``skipped`` once if turns were not asked about (`ask.FAILURES`)."""
    dropped: Mapping[str, int] = field(default_factory=dict)
    """Claims of accepted answers that were not believed, counted by reason (`check.REASONS`)."""
    tokens_in: int = 0
    """As the provider reported; 0 for calls that failed before it could."""
    tokens_out: int = 0

    @property
    def fallbacks(self) -> Mapping[str, int]:
        """The failures, counted by name."""
        return Counter(self.failures)


class ModelExtractor:
    """Finds claims with a language model.

    It sends only the texts of the user's turns that it is given, in one request per chunk, and never twice. What it returns
    has passed the same checks whatever the model: each value, object and entity stands in the turn. It raises nothing because
    of what a model or a network does. Routes and guards come afterwards and are the same as for local extraction.

    Parameters
    ----------
    model
        A provider string, see `provider.parse`.
    timeout
        Seconds for each call.
    max_calls
        How many calls one session may cost.
    max_claims
        How many claims one answer may have; an answer with more is not used.
    max_chars
        How many characters of turns one call may carry.
    attributes
        What may be said of an entity, by name: the policy's. Without any, claims have no slots.

    Raises
    ------
    InvalidArgument, MissingExtra
    """

    def __init__(
        self,
        model: str,
        *,
        timeout: float = 20.0,
        max_calls: int = 4,
        max_claims: int = 40,
        max_chars: int = 24_000,
        attributes: Mapping[str, Attribute] = _NONE,
    ) -> None:
        self._provider = parse(model)
        if isinstance(timeout, bool) or not math.isfinite(timeout) or timeout <= 0:
            raise InvalidArgument("timeout", "not a number of seconds above 0", "Write for instance 20.")
        for name, bound in (("max_calls", max_calls), ("max_claims", max_claims), ("max_chars", max_chars)):
            if isinstance(bound, bool) or not isinstance(bound, int) or bound < 1:
                raise InvalidArgument(name, "not a number of 1 or more", "Write a whole number above 0.")
        installed(self._provider.protocol)
        self._timeout, self._attributes = float(timeout), attributes
        self._max_calls, self._max_claims, self._max_chars = max_calls, max_claims, max_chars

    def __repr__(self) -> str:
        """Name the model; the key stays out."""
        return f"ModelExtractor({self._provider.protocol}:{self._provider.name})"

    def __call__(self, turns: Sequence[ModelTurn]) -> ModelAnswer:
        """Ask the model about a session.

        Parameters
        ----------
        turns
            All turns of the session, redacted. Those that aren't the user's are not sent.
        """
        if len({turn.number for turn in turns}) != len(turns):
            raise InvalidArgument("turns", "two have the same number", "Number the turns of a session.")
        mine = [turn for turn in turns if turn.role == SELF and turn.text.strip()]
        planned = plan(mine, max_calls=self._max_calls, max_chars=self._max_chars)
        check = Check(self._attributes, others=frozenset(turn.number for turn in turns if turn.role != SELF))
        replies: list[Reply] = []
        failures: list[str] = []
        proposals: dict[int, list[Proposal]] = {}
        for chunk in planned.chunks:
            reply = self._ask(chunk)
            replies.append(reply)
            failure = reply.failure or self._take(reply.arguments, chunk, check, proposals)
            failures += [failure] if failure else []
            if failure in HOPELESS:
                break
        if len(replies) < len(planned.chunks):
            failures.append("skipped")
        if planned.left:
            failures.append("limit")
        return ModelAnswer(
            proposals=proposals,
            calls=sum(reply.calls for reply in replies),
            failures=tuple(failures),
            dropped=dict(sorted(check.dropped.items())),
            tokens_in=sum(reply.tokens_in for reply in replies),
            tokens_out=sum(reply.tokens_out for reply in replies),
        )

    def _ask(self, chunk: Sequence[ModelTurn]) -> Reply:
        message = fenced(shown(turn) for turn in chunk)
        return ask(self._provider, ORDERS, message, form(self._attributes), timeout=self._timeout)

    def _take(
        self, arguments: str, chunk: Sequence[ModelTurn], check: Check, proposals: dict[int, list[Proposal]]
    ) -> str | None:
        """Keep what is believed of an answer, or return the name of what is wrong with all of it."""
        claims = read(arguments)
        if claims is None:
            return "malformed"
        if len(claims) > self._max_claims:
            check.dropped["too_many"] += len(claims)
            return "oversized"
        if names_foreign_ids(claims, chunk):
            return "foreign_id"
        proposals |= check(claims, chunk)
        return None
