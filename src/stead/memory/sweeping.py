"""One run of consolidation over one subject: planned from a snapshot, done a transaction at a time (R36).

A run thinks without any lock. Each step is one transaction that first checks that every revision it
is based on is still current and that nothing joined its question; what changed meanwhile is decided anew and never overwritten.
How far it has come is noted in the same transaction, so that a run which is killed goes on where it was.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from stead.lifecycle.consolidate.chains import to_flatten, to_summarise
from stead.lifecycle.consolidate.grouping import by_question, look, near, pairs
from stead.lifecycle.consolidate.plan import Filed, Group, Plan
from stead.lifecycle.consolidate.terms import is_live
from stead.memory import deeds, summing
from stead.memory.cases import Reads
from stead.memory.core import Core, Keyed
from stead.memory.deeds import Carried, Changed, reached
from stead.memory.desk import Desk, Logged
from stead.memory.gate import PERSONALISATION, allowed, denied
from stead.memory.revalidating import revalidate
from stead.memory.tallies import Tally
from stead.model.consolidation import PHASES, Consolidated
from stead.model.outcome import Decision
from stead.model.record import Status
from stead.model.slot import SlotKey
from stead.recall.names import names_of
from stead.recall.reviews import reviewed, unrested
from stead.store.protocol import ReadTx
from stead.store.values import Revision, RunRow, parts

LEAST: Final = 10
"""How many it may close in any case, unless none at all."""
BATCH: Final = 100
"""Records that one step files or flattens."""
_ATTEMPTS: Final = 5
"""How often a step is decided anew that changed under it."""
_PAGE: Final = 1_000
MODEL_CALLS: Final = 100
"""Pairs of claims about which a model is asked in one call."""
CONTRADICTS: Final = "contradicts"
SAME: Final = "same"
ANSWERS: Final = (CONTRADICTS, SAME, "unrelated")
"""What a model may say of a pair; whatever else it says counts as a failure and changes nothing."""
Judge = Callable[[str, str], object]
"""Given the older and the newer of two claims that no rule can relate, says what the newer does to the older (R24)."""


@dataclass(slots=True, kw_only=True)
class Run:
    """One run over one subject, or what one call does of it."""

    core: Core
    name: str
    dry_run: bool
    limit: int
    share: float
    resume: bool
    judge: Judge | None

    subject: int = 0
    row: RunRow | None = None
    begun: bool = False
    """Whether it is in the store."""
    resumed: bool = False
    steps: int = 0
    stopped: bool = False
    tally: Tally = field(default_factory=Tally)
    touched: set[int] = field(default_factory=set)
    """Of a dry run: the records that a step would have changed."""
    found: list[Group] | None = None
    related: Mapping[tuple[int, int], str] = field(default_factory=dict)
    """What a model said of pairs."""

    def run(self) -> Consolidated:
        """Do what is left of it, at most as many steps as the call may do."""
        if self._begin():
            works: dict[str, Callable[[], None]] = {
                "adopt": self._adopt, "contradictions": partial(self._groups, "contradictions"),
                "duplicates": partial(self._groups, "duplicates"), "chains": self._chains,
                "summaries": self._summaries, "deferred": self._deferred,
            }  # fmt: skip
            assert self.row is not None
            for phase in PHASES[PHASES.index(self.row.phase) :]:
                if phase != self.row.phase:
                    self.row = replace(self.row, phase=phase, cursor=0)
                started = self.core.clock.now()
                works[phase]()
                self.tally.took(phase, self.core.clock.now() - started)
                if self.stopped:
                    break
                reached(f"after {phase}")
            self._finish()
        row = self.row
        return Consolidated(
            subject=self.name, id=row.id if row and self.begun else None, resumed=self.resumed,
            finished=not self.stopped, closed=row.closed if row else 0, may_close=row.may_close if row else 0,
            phases=self.tally.phases(), steps=tuple(self.tally.steps),
        )  # fmt: skip

    # --- the run ----------------------------------------------------------------------------------------------------------

    def _begin(self) -> bool:
        """Find the run that goes on, or make one; it is written with its first step."""
        with self.core.backend.read() as store:
            subject = store.subject(self.name)
            if subject is None:
                return False
            self.subject = subject.n
            last = store.last_run(subject.n) if self.resume else None
            kept = last if last is not None and last.finished is None else None
            now = max(self.core.clock.now(), store.last_instant())
        if kept is not None:
            self.row, self.begun, self.resumed = kept, not self.dry_run, True
            return True
        may_close = max(LEAST, math.floor(self.share * len(self._live())))
        self.row = RunRow(
            id=f"con_{self.core.new_id()}", subject=self.subject, started=now, phase=PHASES[0], cursor=0, closed=0,
            may_close=may_close if self.share > 0 else 0,
        )  # fmt: skip
        return True

    def _finish(self) -> None:
        if not self.begun or self.stopped or self.dry_run or self.row is None:
            return
        with self.core.backend.write() as store:
            store.keep_run(replace(self.row, finished=self.core.clock.now()))
        reached("finished")

    def _live(self) -> list[Revision]:
        """Return what stands, a page at a time: no snapshot is held for long."""
        rows = [*self._page(Status.ACTIVE), *self._page(Status.CONTESTED)]
        now = self.core.now()
        return sorted((each for each in rows if is_live(each, now)), key=lambda each: each.record)

    def _page(self, status: Status) -> Iterator[Revision]:
        after: str | None = None
        while True:
            with self.core.backend.read() as store:
                page = store.page(self.subject, status=status, scope=None, category=None, limit=_PAGE, after=after)
            yield from page
            if len(page) < _PAGE:
                return
            after = page[-1].id

    def _reads(self, store: ReadTx) -> Reads:
        now = max(self.core.clock.now(), store.last_instant())
        return Reads(
            store=store, subject=self.subject, policy=self.core.policy, now=now, related=self.related,
            names=names_of(store, self.subject),
        )  # fmt: skip

    def _write(self, work: Callable[[Desk], Logged | None], cursor: int, closes: int, carried: Carried) -> None:
        """Do one step and note it, in one transaction.

        Raises
        ------
        Changed
            Something that it was based on isn't as it was: nothing was written.
        """
        assert self.row is not None
        noted = replace(self.row, cursor=cursor)

        def step(desk: Desk) -> Logged:
            nonlocal noted
            logged = work(desk)
            if logged is None:
                raise Changed
            noted = self._counted(desk.store, noted, closes)
            desk.store.keep_run(noted)
            reached("noted")
            return logged

        self.core.write(self.name, "consolidate", Keyed(work=step))
        reached("committed")
        self.row, self.begun = noted, True
        self.steps += 1
        self.tally.add(carried.steps)

    def _counted(self, store: ReadTx, row: RunRow, closes: int) -> RunRow:
        """Return a run with what was closed, by another process that goes on with the same run too."""
        kept = store.last_run(self.subject)
        closed = max(row.closed, kept.closed) if kept is not None and kept.id == row.id else row.closed
        if closes and closed + closes > row.may_close:
            self.row = replace(row, closed=closed)
            raise Changed
        return replace(row, closed=closed + closes)

    def _may_go_on(self) -> bool:
        self.stopped = self.stopped or (self.steps >= self.limit and not self.dry_run)
        return not self.stopped

    # --- questions, contradictions, duplicates ----------------------------------------------------------------------------

    def _gathered(self) -> list[Group]:
        """Return everything that is to be looked at together, thought out once in a call."""
        if self.found is None:
            live = self._live()
            with self.core.backend.read() as store:
                keys, names = self._reads(store).keys(live), names_of(store, self.subject)
                hidden = self._hidden(store)
            looked = look(live, keys, names)  # the long part, without a snapshot that would keep the log from being cut
            with self.core.backend.read() as store:
                groups = list(by_question(looked, partial(_known, store, self.subject)))
            groups += pairs(looked)
            if self.judge is not None and hidden is not None:
                groups += self._judged([each for each in live if hidden.isdisjoint(each.classes())], keys)
            self.tally.seen("adopt", len(live))
            self.found = sorted(groups, key=lambda each: (each.cursor, each.records))
            reached("gathered")
        return self.found

    def _hidden(self, store: ReadTx) -> frozenset[str] | None:
        """Return the sensitivity classes that no model is shown today; None: it is shown nothing (R16)."""
        consents = store.consents(self.subject)
        return denied(self.core.policy, consents) if allowed(self.core.policy, consents, PERSONALISATION) else None

    def _judged(self, live: Sequence[Revision], keys: Mapping[int, SlotKey]) -> Iterator[Group]:
        """Ask a model about pairs that no rule can relate; only a plain yes counts (R24, R51)."""
        assert self.judge is not None
        related: dict[tuple[int, int], str] = {}
        for old, new in near(live, keys, MODEL_CALLS):
            answer: object = None
            try:
                answer = self.judge(old.claim, new.claim)
            except Exception:  # noqa: BLE001 - whatever a model raises, the local decision stands
                answer = None
            understood = type(answer) is str and answer in ANSWERS
            self.tally.asked_model(failed=not understood)
            if type(answer) is str and answer in (CONTRADICTS, SAME):
                related[old.record, new.record] = answer
                phase = "contradictions" if answer == CONTRADICTS else "duplicates"
                yield Group(phase=phase, records=(old.record, new.record))
        self.related = related

    def _adopt(self) -> None:
        """File what answers a question of its own and nothing else does; several in one step."""
        assert self.row is not None
        waiting = [each for each in self._gathered() if each.phase == "adopt" and each.cursor >= self.row.cursor]
        for start in range(0, len(waiting), BATCH):
            if not self._may_go_on():
                return
            batch = waiting[start : start + BATCH]
            with self.core.backend.read() as store:
                reads = self._reads(store)
                planned = [plan for each in batch if (plan := reads.plan(each, 0)) is not None]
            alone = [
                each
                for each in planned
                if len(each.deeds) == 1 and isinstance(each.deeds[0], Filed) and not each.case.rows
            ]
            if self.dry_run:
                self.tally.would_adopt(alone)
            elif alone:
                carried = Carried()
                try:
                    self._write(partial(deeds.adopt, plans=alone, carried=carried), batch[-1].cursor, 0, carried)
                except Changed:
                    self.tally.left("adopt", ["changed"])

    def _groups(self, phase: str) -> None:
        assert self.row is not None
        for group in [each for each in self._gathered() if each.phase == phase and each.cursor >= self.row.cursor]:
            if not self._may_go_on():
                return
            self.tally.seen(phase, 1)
            self._one(group)

    def _one(self, group: Group) -> None:
        """Decide on a group and do it, in parts where it is large; decide anew where something changed meanwhile."""
        tries = _ATTEMPTS
        while tries and self._may_go_on():
            assert self.row is not None
            allowance = self.row.may_close - self.row.closed
            with self.core.backend.read() as store:
                plan = self._reads(store).plan(group, allowance)
            reached("planned")
            if plan is None:
                return
            if self.dry_run:
                self._would(plan, group)
                return
            if not plan.deeds:
                self.tally.left(group.phase, plan.left)
                return
            carried = Carried()
            try:
                self._write(partial(deeds.carry_out, plan=plan, carried=carried), group.cursor, plan.closes, carried)
            except Changed:
                reached("changed")
                tries -= 1
                continue
            if not plan.more:
                self.tally.left(group.phase, plan.left)
                return
        if not tries:
            self.tally.left(group.phase, ["busy"])

    def _would(self, plan: Plan, group: Group) -> None:
        assert self.row is not None
        records = {each.record for each in (*plan.case.rows, *plan.case.joined)}
        if plan.deeds and not self.touched.isdisjoint(records):
            return  # an earlier step would have changed it; the run itself would decide anew
        if plan.deeds:
            self.touched |= records
            self.row = replace(self.row, closed=self.row.closed + plan.closes)
        self.tally.would(plan)
        self.tally.left(group.phase, [*plan.left, *(["more"] if plan.more else [])])

    # --- chains -----------------------------------------------------------------------------------------------------------

    def _chains(self) -> None:
        superseded = list(self._page(Status.SUPERSEDED))
        live = {each.record: each for each in self._live()}
        kept: set[int] = set()
        with self.core.backend.read() as store:
            numbers = [each.record for each in superseded]
            for part in parts(numbers):
                for edge in store.edges(part, incoming=True):
                    kept |= {edge.target} if edge.kind in ("corrects", "rederives") else set()
        self.tally.seen("chains", len(superseded))
        flat = to_flatten(superseded, live, kept)
        reached("chained")
        now = {each.record: each.n for each in superseded}
        order = sorted(flat, key=lambda each: (flat[each], each))
        for start in range(0, len(order), BATCH):
            if not self._may_go_on():
                return
            batch = {record: (now[record], flat[record]) for record in order[start : start + BATCH]}
            if self.dry_run:
                heads = {live[head].id: [r for r, (_, h) in batch.items() if h == head] for _, head in batch.values()}
                self.tally.would_flatten(heads, {each.record: each.id for each in superseded})
                continue
            carried = Carried()
            try:
                self._write(partial(deeds.flatten, flat=batch, carried=carried), 0, 0, carried)
            except Changed:
                self.tally.left("chains", ["changed"])

    def _summaries(self) -> None:
        """Say in one cold record what a long chain went through (R28, R36)."""
        superseded = list(self._page(Status.SUPERSEDED))
        live = {each.record for each in self._live()}
        told: set[int] = set()
        with self.core.backend.read() as store:
            numbers = [each.record for each in superseded]
            for part in parts(numbers):
                edges = store.edges(part, kind=summing.SUMS_UP, incoming=True)
                told |= {edge.target for edge in edges}
        found = to_summarise(superseded, live, told)
        reached("summing")
        self.tally.seen("summaries", len(found))
        for rows in found:
            if not self._may_go_on():
                return
            if self.dry_run:
                self.tally.add([summing.step(rows[-1].id, [each.id for each in rows])])
                continue
            carried = Carried()
            try:
                self._write(partial(summing.sum_up, rows=rows, carried=carried), 0, 0, carried)
            except Changed:
                self.tally.left("summaries", ["changed"])

    # --- deferred work ----------------------------------------------------------------------------------------------------

    def _deferred(self) -> None:
        """Re-derive what waits for it, and say what waits for a person; nothing is answered in a person's place."""
        with self.core.backend.read() as store:
            reads = self._reads(store)
            waiting = store.proposed(self.subject)
            lapsed = [each for each in waiting if not each.waits(reads.now)]
            reviews = reviewed(store, self.subject, self.core.policy, reads.now, None)
            unsupported = unrested(store, self.subject, reads.now, reads.now)
        self.tally.seen("deferred", len(waiting) + len(reviews) + len(unsupported))
        if not self.dry_run and self.core.derivers and unsupported:
            left = max(1, min(self.limit - self.steps, _PAGE))
            outcomes = revalidate(self.core, self.name, None, left)
            self.steps += len(outcomes)
            self.tally.revalidated(outcomes)
            done = {each.record for each in outcomes if each.decision in (Decision.UPDATE, Decision.SUPERSEDE)}
            unsupported = [each for each in unsupported if each[0].id not in done]
        self.tally.left(
            "deferred",
            ["expired_proposal"] * len(lapsed) + ["review"] * len(reviews) + ["unsupported"] * len(unsupported),
        )


def _known(store: ReadTx, subject: int, scope: str, key: SlotKey) -> bool:
    return bool(store.slots(subject, key, [scope]))
