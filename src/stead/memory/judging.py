"""Asking a model how a claim relates to its nearest ones, before its write: once, bounded, never with the lock held (R24, R52).

It is asked only where the local resolver relates a claim without a slot to nothing. It sees the claim as the guards left it and
the nearest claims of the same subject, scope, category, readers and purpose; no ids and no dates.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Self

from stead.errors import InvalidArgument, SteadError
from stead.extract.model.ask import HOPELESS, Reply, ask
from stead.extract.model.provider import Provider, installed, parse
from stead.memory.advice import OUTDATED, Asking, Related
from stead.memory.applying import Work
from stead.memory.desk import Desk
from stead.memory.gate import admit, denied
from stead.memory.remember import as_it_would_be, judged
from stead.memory.unslotted import nearest, neighbours
from stead.model.record import Kind
from stead.policy.guards import hostile, redact
from stead.policy.policy import STORED
from stead.resolve.model import ORDERS, TOOL, fitting, form, message, read, showable, vetoed
from stead.settings import RESOLVERS
from stead.store.values import Revision

if TYPE_CHECKING:
    from stead.memory.core import Core, Keyed

TIMEOUT: Final = 10.0
"""Seconds for one call, from connecting to the last byte."""
MOST_CALLS: Final = 16
"""Calls before one transaction; a call that fails as the next one would is the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A claim and the records that a model is asked to relate it to, as a snapshot has them."""

    asking: Asking
    claim: str
    near: tuple[Revision, ...]
    """Nearest first."""


@dataclass(slots=True, kw_only=True)
class Judging:
    """A model that relates claims."""

    provider: Provider
    timeout: float = TIMEOUT
    _calls: int = 0
    _related: int = 0
    _tokens_in: int = 0
    _tokens_out: int = 0
    _failures: Counter[str] = field(default_factory=Counter)
    _dropped: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @classmethod
    def of(cls, resolver: str, model: str | None) -> Self:
        """Return the model that a provider string names, for the resolver ``model``.

        Raises
        ------
        InvalidArgument, MissingExtra
        """
        if resolver not in RESOLVERS:
            raise InvalidArgument("resolver", "no such resolver", f"Use one of: {', '.join(RESOLVERS)}.")
        if model is None:
            raise InvalidArgument(
                "resolver", "needs a model", "Name one: model='anthropic:MODEL', or the setting model."
            )
        provider = parse(model)
        installed(provider.protocol)
        return cls(provider=provider)

    def report(self) -> dict[str, object]:
        """Return what was asked since the store was opened, and what came of it: counts only (R24, R52)."""
        with self._lock:
            return {
                "calls": self._calls, "related": self._related, "failures": dict(sorted(self._failures.items())),
                "dropped": dict(sorted(self._dropped.items())), "tokens_in": self._tokens_in,
                "tokens_out": self._tokens_out,
            }  # fmt: skip

    def hear(self, core: Core, subject: str, verb: str, works: Sequence[Keyed]) -> None:
        """Ask about each of the works that has a claim to ask about; the answers are left with them.

        Parameters
        ----------
        core
            The store; it is read in one snapshot, which is closed before anybody is asked.
        subject, verb
            Whose writes they will be.
        works
            Those of one transaction. What they would do to each other nobody is asked about.
        """
        questions = list(self._questions(core, subject, verb, works))
        hopeless = False
        for place, question in enumerate(questions):
            if hopeless or place >= MOST_CALLS:
                self._fail(question, "skipped" if hopeless else "limit")
                continue
            failure = self._ask(question)
            hopeless = failure in HOPELESS
            if failure is not None:
                self._fail(question, failure)

    def count(self, works: Sequence[Keyed]) -> None:
        """Count what came of the answers in a transaction that has been committed."""
        with self._lock:
            for asking in (each.asking for each in works if each.asking is not None):
                self._related += bool(asking.followed)
                self._failures.update([OUTDATED] if asking.failure == OUTDATED else [])

    def _questions(self, core: Core, subject: str, verb: str, works: Sequence[Keyed]) -> Iterator[Question]:
        with core.backend.read() as store:
            row = store.subject(subject)
            if row is None:
                return
            desk = core.desk(store, row, verb)
            for each in works:
                answered = each.key is not None and store.replay(row.n, each.key) is not None
                question = None if each.asking is None or answered else _question(desk, each.asking)
                if question is not None:
                    yield question

    def _ask(self, question: Question) -> str | None:
        """Ask once, and leave what is believed of the answer; return the name of what went wrong."""
        shown = [each.claim for each in question.near]
        reply = ask(
            self.provider, ORDERS, message(question.claim, shown), form(len(shown)), timeout=self.timeout, tool=TOOL
        )  # fmt: skip
        self._spent(reply)
        if reply.failure is not None:
            return reply.failure
        relations = read(reply.arguments, question.claim, shown)
        if isinstance(relations, str):
            return relations
        vetoes = [vetoed(each, question.claim, shown[each.place]) for each in relations]
        related = tuple(
            Related(
                record=question.near[each.place].record, revision=question.near[each.place].n, kind=each.kind,
                meaning=each.meaning,
            )
            for each, veto in zip(relations, vetoes, strict=True)
            if veto is None
        )  # fmt: skip
        question.asking.related = related
        with self._lock:
            self._dropped.update(veto for veto in vetoes if veto is not None)
        return None

    def _spent(self, reply: Reply) -> None:
        with self._lock:
            self._calls += reply.calls
            self._tokens_in += reply.tokens_in
            self._tokens_out += reply.tokens_out

    def _fail(self, question: Question, failure: str) -> None:
        question.asking.failure = failure
        with self._lock:
            self._failures[failure] += 1


def _question(desk: Desk, asking: Asking) -> Question | None:
    """Return what to ask about a claim; None where it can't be written, or there is nothing to ask."""
    try:
        work = _undecided(desk, asking)
    except SteadError:  # the write itself says what is wrong
        return None
    if work is None or not showable(work.new.claim):
        return None
    closed = denied(desk.policy, desk.store.consents(desk.subject.n))
    near = [old for old in neighbours(desk, work.new) if _may_be_shown(old, work.new, closed)]
    near = near[: fitting(work.new.claim, [each.claim for each in near])]
    return Question(asking=asking, claim=work.new.claim, near=tuple(near)) if near else None


def _undecided(desk: Desk, asking: Asking) -> Work | None:
    """Return a claim as it would be laid, if the local resolver relates it to nothing; only reads (R24)."""
    candidate = asking.candidate(desk)
    if candidate.slot is not None or candidate.overrides or candidate.derived_from or candidate.kind is Kind.REFLECTION:
        return None
    admission = admit(desk, candidate)
    if admission.rule.route not in STORED or admission.waits_for is not None:
        return None
    work = as_it_would_be(desk, admission, max(desk.clock.now(), desk.store.last_instant()))
    decided = judged(work).rule != "new" or any(True for _ in nearest(desk, work.new, work.existing))
    return None if decided else work


def _may_be_shown(old: Revision, new: Revision, closed: frozenset[str]) -> bool:
    """Tell whether a claim may be sent: for the same readers and purpose, allowed today, and nothing that guards would stop."""
    open_ = old.audience == new.audience and old.purpose == new.purpose and old.classes().isdisjoint(closed)
    return open_ and showable(old.claim) and not redact(old.claim).found and not hostile(old.claim)
