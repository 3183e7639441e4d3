"""The store against the reference: the same random operations, the same answers after each of them (R3, R6 to R12, R21 to R28).

Many short histories with few slots, scopes, speakers and instants, so that everything collides. A difference prints the seed
and the shortest history that shows it. More operations: ``STEAD_MODEL_OPS=200000``, or
``python -m tests.test_model_based --ops 200000 --seed 1``.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import pytest
from tests.reference.author import ATTRIBUTES, READERS, SCOPES, Author, Op
from tests.reference.found import FOUND
from tests.reference.rows import LIVE, Answer, Told
from tests.reference.store import Reference, Refusal
from tests.reference.strip import OPEN

import stead
from stead.clock import StoryClock
from stead.errors import SteadError
from stead.ids import seeded_ids
from stead.model.period import from_datetime, to_datetime
from stead.model.slot import normal

PATIENT: Final = {"limits": {"proposal_lifetime": "900y", "inference_lifetime": "900y", "open_per_origin": 100_000}}
"""The reference knows no deadline of an answer and no ceiling of questions; those have tests of their own."""
DAY: Final = 24 * 3600 * 10**6
BEGIN: Final = from_datetime(datetime(2001, 1, 1, tzinfo=UTC))
ERA: Final = 100
"""Days between two histories: each has a subject of its own, and the clock of their store only goes forward."""
HISTORIES_PER_STORE: Final = 200

# --- the same call on both ------------------------------------------------------------------------------------------------


def at_day(era: int, day: int | None) -> int | None:
    return None if day is None else BEGIN + (era + day) * DAY


def as_time(instant: int | None) -> datetime | None:
    return None if instant is None else to_datetime(instant)


@dataclass(slots=True)
class Pair:
    """The store and the reference, side by side, for one history."""

    subject: stead.Subject
    clock: StoryClock
    era: int
    seed: int
    reference: Reference
    ids: dict[int, str] = field(default_factory=dict)
    labels: dict[int, int] = field(default_factory=dict)
    answers: list[str] = field(default_factory=list)
    """Of each answer that wasn't taken back: the id of its question."""

    def apply(self, op: Op) -> str | None:
        """Make one call on both and say how they differ, if they do."""
        if "record" in op.fields and op.fields["record"] not in self.labels:
            return None
        self.clock.instant = self.reference.clock = BEGIN + (self.era + op.day) * DAY
        question = self._question(op) if op.verb in ("neither", "both") else None
        if (op.verb in ("neither", "both") and question is None) or (op.verb == "undo" and not self.answers):
            return None
        expected = self._attempt(lambda: self._by_reference(op, question))
        got = self._attempt(lambda: self._by_store(op, question))
        if isinstance(got, stead.Outcome) and op.verb in ("settle", "neither", "both"):
            self.answers.append(str(got.question))
        if isinstance(got, stead.Outcome) and op.verb == "undo":
            del self.answers[self._last_answer(op)]
        return self._compare(op, expected, got) or self.compare_reads(random.Random(f"{self.seed}/{op.label}"))

    @staticmethod
    def _attempt(call: Callable[[], Any]) -> Any:
        try:
            return call()
        except (Refusal, SteadError) as refused:
            return refused.code
        except Exception as broken:  # noqa: BLE001 - a crash is a difference too, and worth its shortest history
            return f"crash: {type(broken).__name__}: {broken}"

    def _question(self, op: Op) -> stead.Question | None:
        contested = [each for each in self.subject.questions() if each.kind == "contested"]
        return contested[op.fields["among"] % len(contested)] if contested else None

    def _scopes(self, op: Op, question: stead.Question) -> dict[int, str]:
        by_id = {record: ref for ref, record in self.ids.items()}
        pairs = zip(question.claims, op.fields["scopes"], strict=False)
        return {by_id[claim.id]: scope for claim, scope in pairs if scope is not None}

    def _last_answer(self, op: Op) -> int:
        """Return the place of the last answer to the question of the one that was drawn."""
        asked = self.answers[op.fields["among"] % len(self.answers)]
        return max(place for place, each in enumerate(self.answers) if each == asked)

    def _refs(self, facts: Sequence[stead.Fact]) -> frozenset[int]:
        by_id = {record: ref for ref, record in self.ids.items()}
        return frozenset(by_id[fact.id] for fact in facts)

    def _by_reference(self, op: Op, question: stead.Question | None) -> Answer:
        reference, fields = self.reference, op.fields
        ref = self.labels[fields["record"]] if "record" in fields else None
        if op.verb == "remember":
            said = {name: fields[name] for name in ("attribute", "scope", "speaker", "authority")}
            said |= {name: at_day(self.era, fields[name]) for name in ("start", "end", "expires")}
            value = None if fields["value"] is None else normal(fields["value"])
            return reference.remember(value=value, corrected=bool(fields["corrected"]), **said)
        if op.verb == "end":
            when = at_day(self.era, fields["when"])
            place = {name: fields[name] for name in ("attribute", "scope") if ref is None}
            return reference.end(self.clock.instant if when is None else when, ref=ref, **place)
        if op.verb in {"correct", "change"}:
            start = at_day(self.era, fields["start"])
            return reference.correct(ref or 0, normal(fields["value"]), corrected=op.verb == "correct", start=start)
        if question is not None and op.verb == "both":
            return reference.settle_scopes(self._refs(question.claims), self._scopes(op, question))
        if question is not None:
            return reference.settle_neither(self._refs(question.claims))
        if op.verb == "undo":
            return reference.unsettle(self._last_answer(op))
        verb: Callable[[int], Answer] = getattr(reference, op.verb)
        return verb(ref or 0)

    def _by_store(self, op: Op, question: stead.Question | None) -> stead.Outcome:
        subject, fields = self.subject, op.fields
        record = self.ids[self.labels[fields["record"]]] if "record" in fields else ""
        if op.verb == "remember":
            return self._remember(fields)
        if op.verb == "end":
            when = as_time(at_day(self.era, fields["when"]))
            if record:
                return subject.end(record, when=when)
            return subject.end(slot=stead.Slot(fields["attribute"]), scope=fields["scope"], when=when)
        if op.verb in {"correct", "change"}:
            meaning = "corrected" if op.verb == "correct" else "changed"
            start = as_time(at_day(self.era, fields["start"]))
            return subject.correct(record, value=fields["value"], valid_from=start, meaning=meaning)
        if op.verb == "settle":
            return subject.settle(keep=record)
        if question is not None and op.verb == "both":
            return subject.settle(
                question, scopes={self.ids[ref]: scope for ref, scope in self._scopes(op, question).items()}
            )
        if question is not None:
            return subject.settle(question.id, neither=True)
        if op.verb == "undo":
            return subject.settle(self.answers[self._last_answer(op)], undo=True)
        verb: Callable[[str], stead.Outcome] = getattr(subject, op.verb)
        return verb(record)

    def _remember(self, fields: dict[str, Any]) -> stead.Outcome:
        start, end, expires = (as_time(at_day(self.era, fields[name])) for name in ("start", "end", "expires"))
        return self.subject.remember(
            "a claim",
            slot=stead.Slot(fields["attribute"], value=fields["value"], unset=fields["value"] is None),
            scope=fields["scope"],
            speaker=fields["speaker"],
            authority=fields["authority"],
            valid_from=start,
            valid_until=end,
            expires_at=expires,
            meaning="corrected" if fields["corrected"] else "changed",
        )

    # --- comparing --------------------------------------------------------------------------------------------------------

    def _compare(self, op: Op, expected: Answer | str, got: stead.Outcome | str) -> str | None:
        if isinstance(expected, str) or isinstance(got, str):
            codes = [each if isinstance(each, str) else each.decision for each in (expected, got)]
            return None if codes[0] == codes[1] else f"outcome: expected {codes[0]}, got {codes[1]}"
        if expected.decision != got.decision:
            return f"decision: expected {expected.decision}, got {got.decision} ({got.rule}: {got.reason})"
        if got.known_at is not None and from_datetime(got.known_at) != expected.tx:
            return f"transaction time: expected {as_time(expected.tx)}, got {got.known_at}"
        if expected.ref is not None and expected.ref not in self.ids and got.record is not None:
            self.ids[expected.ref] = got.record
            self.labels[op.label] = expected.ref
        return self._compare_statuses()

    def _compare_statuses(self) -> str | None:
        got = {each.id: each.status.value for each in self.subject.records(limit=1000)}
        wanted = {self.ids[ref]: status for ref, status in self.reference.statuses().items()}
        idle = {self.ids[ref] for ref in self._idle()}
        names = {self.ids[ref]: label for label, ref in self.labels.items()}
        parts = [
            f"#{names.get(record, '?')} expected {wanted.get(record)}, got {got.get(record)}"
            for record in sorted(wanted.keys() | got.keys())
            if wanted.get(record) != got.get(record)
            and not (record in idle and {wanted.get(record), got.get(record)} == set(LIVE))
        ]
        return "status: " + "; ".join(parts) if parts else None

    def _idle(self) -> list[int]:
        """Return the records whose contest may have ended by the clock alone: the next write there says so."""
        rows = self.reference.rows.values()
        over = {(row.attribute, row.scope) for row in rows if row.expires <= self.clock.instant}
        return [row.ref for row in rows if (row.attribute, row.scope) in over]

    def compare_reads(self, source: random.Random) -> str | None:
        return (
            next(filter(None, (self._compare_recall(source) for _ in range(2))), None)
            or self._compare_holds(source)
            or self._compare_questions()
        )

    def _known_at(self, source: random.Random) -> int | None:
        if not self.reference.past or source.random() < 0.5:
            return None
        known_at = source.choice(self.reference.past)[0] + source.choice((0, 0, -1))
        return known_at if known_at <= self.clock.instant else None

    def _compare_recall(self, source: random.Random) -> str | None:
        attribute, scope, known_at = source.choice(ATTRIBUTES), source.choice(READERS), self._known_at(source)
        at = BEGIN + (self.era + source.randrange(14)) * DAY + source.choice((0, 0, -1, DAY // 2))
        told = self.reference.recall(attribute, at, scope, known_at)
        context = self.subject.recall(
            slot=stead.Slot(attribute), scope=scope, at=as_time(at), known_at=as_time(known_at)
        )
        got = told_by(context, self._refs)
        wrong = (
            got.values != told.values or (len(told.values) > 1 and got.refs != told.refs) or not got.refs <= told.refs
        )
        if told.values == (None,):
            wrong = bool(got.values)
        where = f"{attribute} in {scope!r} at {as_time(at)} known at {as_time(known_at)}"
        return f"recall {where}: expected {told}, got {got}" if wrong else None

    def _compare_holds(self, source: random.Random) -> str | None:
        attribute, scope, known_at = source.choice(ATTRIBUTES), source.choice(SCOPES), self._known_at(source)
        held = self.reference.holds(attribute, scope, known_at)
        expected = joined((_shown(told), start, end) for told, start, end in held)
        intervals = self.subject.holds(stead.Slot(attribute), scope=scope, known_at=as_time(known_at))
        got = merged(intervals)
        where = f"{attribute} in {scope!r} known at {as_time(known_at)}"
        return None if got == expected else f"holds {where}: expected {spelled(expected)}, got {spelled(got)}"

    def _compare_questions(self) -> str | None:
        """R26: each contest is asked about, with every claim, and nothing else is."""
        asked = [self._refs(each.claims) for each in self.subject.questions() if each.kind == "contested"]
        groups = self.reference.contests()
        missing = [set(group) for group in groups if not any(group <= claims for claims in asked)]
        known = {ref for group in groups for ref in group}
        extra = [set(claims - known) for claims in asked if not claims <= known]
        return f"questions: not asked about {missing}, asked without need about {extra}" if missing or extra else None


Shown = tuple[bool, tuple[str, ...]]
"""Whether it is contested, and the values; an interval can't say that an unset slot is one side of a contest."""
Held = list[tuple[Shown, int, int]]


def _shown(told: Told) -> Shown:
    return len(told.values) > 1, tuple(value for value in told.values if value is not None)


def in_order(values: set[str | None]) -> tuple[str | None, ...]:
    return tuple(sorted(values, key=lambda value: (value is None, value)))


def told_by(context: stead.Context, refs: Callable[[Sequence[stead.Fact]], frozenset[int]]) -> Told:
    """Return what a context says: the one fact, or every claim of the contest."""
    contested = [claim for each in context.questions if each.kind == "contested" for claim in each.claims]
    said = [*context.facts, *contested]
    return Told(in_order({None if each.value is None else normal(each.value) for each in said}), refs(said))


def merged(intervals: Sequence[stead.Interval]) -> Held:
    """Return the intervals with values in normal form."""
    return joined(
        (
            (each.contested, tuple(sorted({normal(value) for value in each.values}))),
            from_datetime(each.start) if each.start else -OPEN,
            from_datetime(each.end) if each.end else OPEN,
        )
        for each in intervals
    )


def joined(parts: Iterable[tuple[Shown, int, int]]) -> Held:
    """Make one of neighbours that show the same."""
    held: Held = []
    for shown, start, end in parts:
        if held and held[-1][0] == shown and held[-1][2] == start:
            held.append((shown, held.pop()[1], end))
        else:
            held.append((shown, start, end))
    return held


def spelled(held: Held) -> str:
    return ", ".join(
        f"{values} [{as_time(start)}, {as_time(end) if end != OPEN else '…'})" for values, start, end in held
    )


# --- histories ------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Stage:
    """Real stores, each for many histories."""

    folder: Path
    count: int = 0
    store: stead.Store | None = None
    clock: StoryClock = field(default_factory=StoryClock)

    def pair(self, seed: int) -> Pair:
        """Return a fresh subject and a fresh reference."""
        if self.count % HISTORIES_PER_STORE == 0:
            self.close()
            self.clock = StoryClock(BEGIN)
            path = self.folder / f"model-{self.count}.db"
            self.store = stead.open(
                path, clock=self.clock, new_id=seeded_ids(self.count), embedder="none", policy=PATIENT
            )
        era = (self.count % HISTORIES_PER_STORE) * ERA
        self.count += 1
        assert self.store is not None
        self.clock.instant = BEGIN + era * DAY
        name = f"subject {self.count}"
        return Pair(self.store.subject(name, zone="UTC"), self.clock, era, seed, Reference(name))

    def close(self) -> None:
        """Close the store that is open."""
        if self.store is not None:
            self.store.close()


def first_difference(pair: Pair, ops: Iterator[Op] | Sequence[Op]) -> tuple[list[Op], str] | None:
    """Play operations until the two differ; return those played and the difference."""
    played = []
    for op in ops:
        played.append(op)
        difference = pair.apply(op)
        if difference is not None:
            return played, difference
    return None


def drawn(pair: Pair, seed: int, length: int) -> Iterator[Op]:
    """Draw a history, one operation at a time: what makes sense depends on what has happened."""
    author = Author(random.Random(seed))
    for label in range(length):
        yield author.next(label, pair.reference, pair.labels)


def shortest(stage: Stage, seed: int, ops: list[Op], difference: str) -> tuple[list[Op], str]:
    """Leave operations out, one by one, as long as the two still differ."""
    place = len(ops) - 2
    while place >= 0:
        shorter = ops[:place] + ops[place + 1 :]
        found = first_difference(stage.pair(seed), shorter)
        if found is not None:
            ops, difference = found
            place = min(place, len(ops) - 1)
        place -= 1
    return ops, difference


def run(stage: Stage, seed: int, wanted: int) -> str | None:
    """Play histories until enough operations were compared; return a report of the first difference."""
    source, done = random.Random(seed), 0
    while done < wanted:
        length = min(source.randint(20, 120), wanted - done)
        history = source.randrange(2**32)
        pair = stage.pair(history)
        found = first_difference(pair, drawn(pair, history, length))
        if found is not None:
            ops, difference = shortest(stage, history, *found)
            lines = "\n".join(f"  {op}" for op in ops)
            return f"seed {seed}, history {history}, after {done + len(found[0])} operations\n{lines}\n  {difference}"
        done += length
    return None


@pytest.mark.parametrize("seed", range(4))
def test_r10_r26_the_store_answers_as_the_reference_does(tmp_path: Path, seed: int) -> None:
    """R3, R6, R7, R10 to R12, R21 to R23, R26, R28: decisions, statuses, times, answers, questions and refusals agree."""
    stage = Stage(tmp_path)
    try:
        report = run(stage, seed, int(os.environ.get("STEAD_MODEL_OPS", "2000")) // 4)
    finally:
        stage.close()
    assert report is None, report


@pytest.mark.parametrize("name", FOUND)
def test_histories_that_told_the_two_apart_once(tmp_path: Path, name: str) -> None:
    """Each case is named after the rule that it protects."""
    stage = Stage(tmp_path)
    try:
        pair = stage.pair(0)
        assert first_difference(pair, FOUND[name]) is None
        assert not any(pair.compare_reads(random.Random(seed)) for seed in range(20))
    finally:
        stage.close()


def answer(pair: Pair, attribute: str, scope: str, at: int, known_at: int) -> bytes:
    context = pair.subject.recall(slot=stead.Slot(attribute), scope=scope, at=as_time(at), known_at=as_time(known_at))
    return json.dumps(context.as_dict(), sort_keys=True).encode()


@pytest.mark.parametrize("seed", range(8))
def test_r50_past_answers_are_frozen(tmp_path: Path, seed: int) -> None:
    """R50: a recorded (at, known_at) is answered byte for byte as it was, whatever was written since."""
    stage, source = Stage(tmp_path), random.Random(seed)
    try:
        pair = stage.pair(seed)
        recorded: dict[tuple[str, str, int, int], bytes] = {}
        for op in drawn(pair, seed, 60):
            if pair.apply(op) is not None:
                break  # the test above reports it; from here on the two tell different stories
            if pair.reference.past and pair.reference.last <= pair.clock.instant:
                at = BEGIN + (pair.era + source.randrange(14)) * DAY
                asked = (source.choice(ATTRIBUTES), source.choice(READERS), at, pair.reference.last)
                recorded.setdefault(asked, answer(pair, *asked))
        pair.clock.instant += 30 * DAY
        assert recorded
        for asked, before in recorded.items():
            assert answer(pair, *asked) == before, asked
    finally:
        stage.close()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as many operations as wanted and print the first difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ops", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", help="where the stores are written; a folder in memory is faster")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        stage = Stage(Path(folder))
        report = run(stage, options.seed, options.ops)
        stage.close()
    sys.stdout.write((report or f"{options.ops} operations, no difference") + "\n")
    return 1 if report else 0


if __name__ == "__main__":
    raise SystemExit(main())
