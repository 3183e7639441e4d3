"""Reading an export back in: as claims that somebody makes on purpose, through the usual gate and past the fences (R15, R32).

A file proves nothing. So an import can't raise authority (R48): what it says is at most ``stated``, unless the caller trusts the
file; what waited for an answer waits again; consents, names and answers in it are for reading only. What was erased here stays
erased: its ids, its sources and its words are refused, line by line, and the rest goes on.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from stead.errors import BackendError, Erased, InvalidArgument, SteadError
from stead.memory import amend
from stead.memory.candidate import Candidate, check, checked_name
from stead.memory.imported import (
    Given,
    edges_of,
    head_of,
    names_of,
    numbered,
    parsed,
    slot_of,
    source_of,
    spans_of,
    stated_of,
    status_of,
    text_of,
    when_of,
)
from stead.memory.remember import remember
from stead.model.authority import Authority
from stead.model.outcome import Decision, Outcome
from stead.model.period import Instant, Period, subtract_all
from stead.model.porting import ImportProblem, ImportReport
from stead.model.record import Status
from stead.store.values import AGENT

if TYPE_CHECKING:
    from stead.memory.core import Core, Keyed
    from stead.memory.desk import Desk, Logged

Progress = Callable[[int], object]
"""Called with the number of lines that are done."""
_BATCH: Final = 200
_GONE: Final = (Status.RETRACTED, Status.REJECTED)
_NEW: Final = (Decision.ADD, Decision.SUPERSEDE, Decision.OVERRIDE, Decision.CONTEST)
_BODY: Final = b"import"


class Importing:
    """What a subject's handle can take in."""

    _core: Core
    name: str
    zone: str | None

    def import_(
        self,
        source: str | os.PathLike[str] | Iterable[Given],
        *,
        trust: bool = False,
        of: str | None = None,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Write the records of an export as claims of today, with their times, limits and sources.

        What is there already, or was imported before, is left as it is: importing twice changes nothing. What was erased here
        is refused. Each record counts on its own: what can't be written is reported by its line, and the rest is.

        Parameters
        ----------
        source
            The path of a JSON Lines export, or its lines.
        trust
            Keep the authority that the file names. Otherwise it is at most ``stated`` (R48).
        of
            Whom the file is about, where that is another name than this subject's; otherwise such a file is refused.
        progress
            Called with the number of lines that are read.

        Returns
        -------
        ImportReport
            Counts, and each line of which nothing was written, with the reason. No content.

        Raises
        ------
        InvalidArgument
            It can't be read, is no export, or of another format.
        CrossSubject
            It is about somebody else.
        BackendError
            The store can't be written; what was written stays, and the same import goes on.
        """
        checked_name(of, "of")
        if not isinstance(trust, bool):
            raise InvalidArgument(
                "trust", "neither true nor false", "trust=True keeps the authority that the file names."
            )
        made = _Import(core=self._core, subject=self.name, trust=trust)
        for number, given in numbered(source):
            if made.head is None:
                made.head = head_of(number, given, of or self.name)
            else:
                made.take(number, given)
            if progress is not None:
                progress(number)
        if made.head is None:
            raise InvalidArgument("source", "empty", "Give the file that stead export wrote.")
        made.flush()
        return made.report()


@dataclass(frozen=True, slots=True)
class _Unit:
    """One record of the file, and its write."""

    line: int
    id: str
    work: Keyed


@dataclass(slots=True, kw_only=True)
class _Import:
    """An import on its way."""

    core: Core
    subject: str
    trust: bool
    head: Mapping[str, Any] | None = None
    lines: int = 1
    counts: Counter[str] = field(default_factory=Counter)
    problems: list[ImportProblem] = field(default_factory=list)
    ids: dict[str, str] = field(default_factory=dict)
    """The record here, by the id that it has in the file."""
    waiting: list[_Unit] = field(default_factory=list)

    def take(self, number: int, given: Given) -> None:
        """Read one line, and write what is ready."""
        self.lines += 1
        try:
            line = parsed(number, given)
            if line["type"] != "record":
                self.counts["other"] += 1
                return
            unit = self._unit(number, line)
        except SteadError as error:
            self._refused(number, error)
            return
        if unit is not None:
            self.waiting.append(unit)
        if len(self.waiting) >= _BATCH:
            self.flush()

    def _unit(self, number: int, line: Mapping[str, Any]) -> _Unit | None:
        name = text_of(line, "id")
        if self._known(name):
            self.ids[name] = name
            self.counts["known"] += 1
            return None
        now = self.core.now()
        spans = spans_of(line)
        expires = when_of(line.get("expires_at"), "expires_at")
        targets = self._targets(line, name)
        if status_of(line) in _GONE or not spans or (expires is not None and expires <= now) or targets is None:
            self.counts["past"] += 1
            return None
        candidate = self._candidate(line, expires, now, targets)
        stated = stated_of(line)
        return _Unit(number, name, self._work(name, replace(candidate, period=stated), subtract_all(stated, spans)))

    def _known(self, name: str) -> bool:
        with self.core.backend.read() as store:
            subject = store.subject(self.subject)
            return subject is not None and store.current(subject.n, name) is not None

    def _targets(self, line: Mapping[str, Any], name: str) -> dict[str, list[str]] | None:
        """Return what a record overrides and was made from, by the ids of here; None where it rests on what isn't here."""
        edges = [each for each in edges_of(line) if each.get("record") == name and each.get("released") is None]
        if any(each["target"] not in self.ids for each in edges):
            self.flush()
        named: dict[str, list[str]] = {"overrides": [], "derived_from": []}
        for each in edges:
            here = self.ids.get(each["target"])
            if here is not None:
                named[each["kind"]].append(here)
            elif each["kind"] == "derived_from":
                return None
        return named

    def _candidate(
        self, line: Mapping[str, Any], expires: Instant | None, now: Instant, targets: Mapping[str, list[str]]
    ) -> Candidate:
        speaker, owner = text_of(line, "speaker"), line.get("owner")
        about = None if self.head is None else self.head.get("subject")
        slot = slot_of(line)
        made = check(
            text_of(line, "claim"), now=now, subject=self.subject, zone=None,
            slot=None if slot is None else self.core.policy.keyed(slot),
            speaker=None if speaker == about else speaker, kind=line.get("kind", "fact"), category=line.get("category"),
            scope=line.get("scope", ""), purpose=names_of(line, "purpose") or None,
            audience=None if line.get("audience") in (None, [AGENT]) else names_of(line, "audience"),
            authority=self._authority(line), confidence=line.get("confidence", 1.0), importance=line.get("importance"),
            sensitivity=line.get("sensitivity"), source=source_of(line), observed_at=text_of(line, "observed_at"),
            overrides=targets["overrides"], derived_from=targets["derived_from"], meaning="changed",
            review_events=names_of(line, "review_events"), owner=None if owner == about else owner, trigger="import",
        )  # fmt: skip
        return replace(made, expires_at=expires)

    def _authority(self, line: Mapping[str, Any]) -> str:
        """Return on what a claim of the file stands here: never more than the file is worth (R48)."""
        try:
            named = Authority(line.get("authority", ""))
        except ValueError:
            raise InvalidArgument("authority", "unknown", f"Use one of: {', '.join(Authority)}.") from None
        most = named if self.trust else Authority.STATED
        if line.get("status") == Status.PROPOSED:  # it waited for an answer, and the file can't give it
            most = Authority.INFERRED
        return min(named, most, key=lambda each: each.rank)

    def _work(self, name: str, candidate: Candidate, holes: Sequence[Period]) -> Keyed:
        from stead.memory.core import Keyed

        work = partial(_written, name=name, candidate=candidate, holes=holes)
        return Keyed(work=work, key=f"import:{name}", body=_BODY)

    def flush(self) -> None:
        """Write what is ready: all at once, or one by one where one of it is refused."""
        units, self.waiting = self.waiting, []
        if not units:
            return
        try:
            self._written(units)
        except BackendError:
            raise
        except SteadError:
            for each in units:
                try:
                    self._written([each])
                except BackendError:
                    raise
                except SteadError as error:
                    self._refused(each.line, error)

    def _written(self, units: Sequence[_Unit]) -> None:
        outcomes = self.core.write_many(self.subject, "import", [each.work for each in units])
        for each, outcome in zip(units, outcomes, strict=True):
            if outcome.record is not None:
                self.ids[each.id] = outcome.record
            self.counts[_became(outcome)] += 1

    def _refused(self, number: int, error: SteadError) -> None:
        self.counts["erased" if isinstance(error, Erased) else "invalid"] += 1
        field = "" if error.field.startswith("line ") else error.field
        self.problems.append(ImportProblem(line=number, code=error.code, message=error.message, field=field))

    def report(self) -> ImportReport:
        """Return what became of the lines."""
        head = self.head or {}
        self.problems.sort(key=lambda each: each.line)
        return ImportReport(
            export=head["id"] if isinstance(head.get("id"), str) else None, subject=head.get("subject"),
            lines=self.lines, problems=tuple(self.problems),
            **dict(self.counts),
        )  # fmt: skip


def _written(desk: Desk, *, name: str, candidate: Candidate, holes: Sequence[Period]) -> Logged:
    """Write a record as it was stated, and take off what ends had taken off it: then it stands as it did there (R10)."""
    if desk.store.was_erased(name):
        raise Erased("id: this record was erased", field="id")
    added = remember(desk, candidate)
    outcome = added[1]
    if holes and outcome.record is not None and outcome.decision in _NEW:
        amend.take_off(replace(desk, trigger=candidate.trigger), outcome.record, holes)
    return added


def _became(outcome: Outcome) -> str:
    """Return as what a record counts."""
    if outcome.replayed:
        return "known"
    if outcome.record is None:
        return "turned_away"
    if outcome.status == Status.PROPOSED:
        return "waiting"
    return "known" if outcome.decision is Decision.NOOP else "added"
