"""R49 where records meet: corrections, exceptions, contests, proposals, settlements, aliases, consolidation and conversations.

A random history is played twice: with a record X, which is erased then, and without X and without what was done to it. The
ends that X caused stay (R49), so the second store is given them by hand, when X caused them. Then everything that a
reader can see is the same.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.test_no_influence import Hashed, StepIds

import stead
from stead import Budget, Record, Slot
from stead.clock import StoryClock
from stead.memory.slotwork import SlotWork
from stead.model.period import from_datetime
from stead.model.record import Status
from stead.store.values import Revision

HISTORIES = int(os.environ.get("STEAD_HISTORIES", "24"))
"""How many; 500 before a release."""
HOUR = 3_600_000_000
BEGIN = stead.wall("2026-01-05T10:00", "UTC")
START = from_datetime(BEGIN)
STEPS = 14
SLOTS: dict[str, tuple[str, list[str]]] = {
    "home.city": ("Lives in {}", ["Lisbon", "Oslo", "Rome", "Kyiv"]),
    "work.employer": ("Works at {}", ["Acme", "Borealis", "Corvus"]),
    "shoe.size": ("Wears size {}", ["38", "39", "40"]),
    "coffee.order": ("Orders a {}", ["flat white", "cortado", "mocha"]),
}
SAID = [
    "I live in {}.", "I moved to {} last week.", "I'm in {} until Friday.", "I don't live in {} any more.",
    "Actually, I live in {}.", "My sister lives in {}.", "I might move to {}.", "I like tea and {}.",
]  # fmt: skip
PLAIN = ["Likes {} and tea", "Has been to {} twice", "Keeps a map of {}", "Knows people in {}"]
KINDS = [
    *["slot"] * 8, *["exception"] * 3, *["chat"] * 3, *["plain"] * 2, "over", "correct", "correct", "retract", "rollback",
    "end", "confirm", "confirm", "reject", "settle", "verify", "used", "derived", "alias", "consolidate", "revalidate",
]  # fmt: skip
ABOUT = ("correct", "retract", "rollback", "end", "confirm", "reject", "settle", "verify", "used", "revalidate")
"""What is done to an earlier record."""


@dataclass(frozen=True)
class Step:
    kind: str
    n: int
    attribute: str
    value: str
    pick: int
    """One of the records that earlier steps wrote, by the number of its step."""
    other: int
    speaker: str
    authority: str
    days: int


@dataclass
class Played:
    """A store with what each step wrote, and what changed on others at each step."""

    store: stead.Store
    clock: StoryClock
    source: StepIds
    made: dict[int, list[str]] = field(default_factory=dict)
    outcomes: dict[int, stead.Outcome] = field(default_factory=dict)
    states: list[dict[str, Revision]] = field(default_factory=list)

    @property
    def ana(self) -> stead.Subject:
        return self.store.subject("ana", zone="UTC")

    def id_of(self, n: int) -> str:
        return next(iter(self.made.get(n, ())), "")


def history(dice: random.Random) -> list[Step]:
    def step(n: int) -> Step:
        attribute = dice.choice(list(SLOTS)[: dice.choice((1, 4))])
        return Step(
            kind=dice.choice(KINDS), n=n, attribute=attribute, value=dice.choice(SLOTS[attribute][1]),
            pick=dice.randrange(max(1, n)), other=dice.randrange(max(1, n)), speaker=dice.choice(["ana", "ana", "ana", "ben"]),
            authority=dice.choice(["stated", "stated", "stated", "confirmed", "inferred"]), days=dice.randrange(-20, 20),
        )  # fmt: skip

    return [step(n) for n in range(STEPS)]


def do(world: Played, step: Step) -> None:
    """Take a step; what it can't do any more it leaves."""
    ana, target = world.ana, world.id_of(step.pick)
    claim, slot = SLOTS[step.attribute][0].format(step.value), Slot(step.attribute, value=step.value)
    from_ = BEGIN + timedelta(days=step.days)
    terms: dict[str, Any] = {"authority": step.authority, "speaker": step.speaker, "valid_from": from_}
    calls: dict[str, Callable[[], object]] = {
        "slot": lambda: ana.remember(claim, slot=slot, **terms),
        "exception": lambda: ana.remember(claim, slot=slot, valid_until=from_ + timedelta(days=9), **terms),
        "over": lambda: ana.remember(claim, slot=slot, overrides=[target], **terms),
        "plain": lambda: ana.remember(PLAIN[step.n % len(PLAIN)].format(step.value), speaker=step.speaker),
        "chat": lambda: chat(world, step),
        "correct": lambda: ana.correct(target, claim, value=step.value),
        "retract": lambda: ana.retract(target),
        "rollback": lambda: ana.rollback(target),
        "end": lambda: ana.end(target),
        "confirm": lambda: ana.confirm(target),
        "reject": lambda: ana.reject(target),
        "settle": lambda: ana.settle(keep=target),
        "verify": lambda: ana.verify(target),
        "used": lambda: ana.used(target),
        "derived": lambda: ana.remember(f"Seems settled, {step.n}", kind="reflection", derived_from=[target]),
        "alias": lambda: ana.alias(f"the {step.value}", means=step.attribute.partition(".")[0]),
        "consolidate": lambda: world.store.consolidate("ana"),
        "revalidate": lambda: ana.revalidate(target),
    }
    with suppress(stead.SteadError):
        found = calls[step.kind]()
        if isinstance(found, stead.Outcome):
            world.outcomes[step.n] = found
            if found.record and step.kind not in ABOUT[1:]:
                world.made[step.n] = [found.record]


def chat(world: Played, step: Step) -> None:
    with world.ana.session(f"c{step.pick % 3}") as session:
        text = SAID[step.n % len(SAID)].format(step.value)
        found = session.turn("user", text, turn=f"t{step.n}").record
    world.made[step.n] = [found] if found else []


def state(world: Played) -> dict[str, Revision]:
    with world.store._core.backend.read() as read:
        row = read.subject("ana")
        assert row is not None
        numbers = [n for (n,) in read._all("SELECT n FROM records WHERE subject = ?", (row.n,))]  # type: ignore[attr-defined]
        return {each.id: each for each in read.current_by_number(row.n, numbers)}


def played(path: Path, steps: Sequence[Step], left_out: frozenset[int], ghost: Callable[[Played, int], None]) -> Played:
    clock = StoryClock(START)
    source = StepIds()
    world = Played(stead.open(path, clock=clock, new_id=source, embedder=Hashed()), clock, source)
    world.ana.remember("Begins here")
    for step in steps:
        clock.instant, source.step, source.count = START + (step.n + 1) * HOUR, step.n + 1, 0
        if step.n not in left_out:
            do(world, step)
        ghost(world, step.n)
        world.states.append(state(world))
    source.step, source.count = 10_000, 0
    clock.instant = START + (len(steps) + 5) * HOUR
    return world


def ends_by(world: Played, gone: set[str], left_out: set[int]) -> Callable[[Played, int], None]:
    """Return what gives a store that never saw what is gone the ends that it caused, each at its step."""
    numbers = {each.record for found in world.states for each in found.values() if each.id in gone}

    def give(other: Played, n: int) -> None:
        before, after = world.states[n - 1] if n else {}, world.states[n]
        with other.store._core.backend.write() as store:
            row = store.subject("ana")
            assert row is not None
            for name, now in after.items():
                then = before.get(name)
                by = [
                    cut for cut in now.cuts if cut.by in numbers or n in left_out
                ]  # a turn that is gone may have ended it
                cuts = [cut for cut in by if then is None or cut not in then.cuts]
                closed = now.superseded_by in numbers and (then is None or then.superseded_by != now.superseded_by)
                if name in gone or not (cuts or closed):
                    continue
                mine = store.current(row.n, name)
                if mine is None:  # it was a source of another one here
                    continue
                work = SlotWork.whole_slot(store, mine, store.instant(other.clock.now()))
                put = (*mine.cuts, *(replace(cut, by=None) for cut in cuts))
                changed = replace(mine, cuts=put, head=now.head)
                if closed:
                    changed = replace(changed, status=Status(now.status), superseded_by=None)
                if changed.pieces() != mine.pieces() or changed.status != mine.status:
                    work.put(changed)
                    work.restatus()
                    work.write(store)

    return give


# --- what can be seen ---------------------------------------------------------------------------------------------------------


def seen(world: Played) -> dict[str, str]:
    """Return it by name. Which question it is follows from the numbers of its records, which leave no gap where X never was."""
    return {name: _QUESTION.sub("que_", repr(each)) for name, each in _seen(world).items()}


_QUESTION = re.compile(r"que_\w+|'tokens': \d+|tokens=\d+")


def _seen(world: Played) -> dict[str, object]:
    ana, found = world.ana, dict[str, object]()
    found["records"] = [plain(each) for each in ana.records(limit=1_000)]
    found["episodes"], found["questions"], found["aliases"] = ana.episodes(limit=1_000), ana.questions(), ana.aliases()
    found["sessions"] = ana.open_sessions()
    for attribute, (_, values) in SLOTS.items():
        found[f"holds {attribute}"] = ana.holds(Slot(attribute))
        for words in (attribute.replace(".", " "), *values):
            for at in (None, BEGIN - timedelta(days=10), BEGIN + timedelta(days=10)):
                found[f"recall {words} {at}"] = ana.recall(words, at=at, budget=Budget(facts=8, episodes=6)).as_dict()
    with world.store._core.backend.read() as tx:
        row = tx.subject("ana")
        assert row is not None
        for shelf in ("claims", "episodes"):
            found[f"totals {shelf}"] = [tx.totals(shelf, row.n, known) for known in (None, world.clock.instant)]
        found["calibration"] = tx.recent_contradictions(row.n, 50)
    return found


def plain(record: Record) -> Record:
    """Leave out when the store came to hold it so, and what by: that is what the ends caused."""
    return replace(record, tx_from=record.created_at, tx_until=None, superseded_by=None)


def compared(tmp_path: Path, seed: int) -> str | list[str]:
    """Play a history with and without; return what differs, or why it can't be compared."""
    dice = random.Random(seed)
    steps = history(dice)
    with_it = played(tmp_path / "with.db", steps, frozenset(), lambda world, n: None)
    candidates = [n for n, ids in with_it.made.items() if ids]
    if not candidates:
        return "nothing was written"
    target = with_it.id_of(dice.choice(candidates))
    shown = with_it.ana.preview_erase(target)
    gone = {*shown.records, *shown.episodes}
    assert with_it.ana.erase(target).complete
    left_out = {step.n for step in steps if is_about(step, with_it, gone)}
    unnamed = [
        replace(step, kind="slot") if step.kind == "over" and names(step, with_it, gone) else step for step in steps
    ]
    without = played(tmp_path / "without.db", unnamed, frozenset(left_out), ends_by(with_it, gone, left_out))
    try:
        acted = acted_on(with_it, without, steps, left_out, gone)
        if acted is not None:
            return acted
        for world in (with_it, without):
            world.clock.instant += HOUR
        mine, theirs = seen(with_it), seen(without)
        return [f"{name}: {mine[name]} != {theirs[name]}" for name in mine if mine[name] != theirs[name]]
    finally:
        with_it.store.close()
        without.store.close()


def acted_on(
    with_it: Played, without: Played, steps: Sequence[Step], left_out: set[int], gone: set[str]
) -> str | None:  # fmt: skip
    """Return why what was done because of it can't be undone by erasing it: docs/explanation/erasure.md names the kinds."""
    for step in steps:
        outcome = with_it.outcomes.get(step.n)
        if outcome is not None and step.kind in ABOUT:
            stays = not gone.issuperset(filter(None, (outcome.record, *outcome.affected)))
            if step.n in left_out and stays:
                return "a person has said of it what changed what stays"
            if step.kind == "rollback" and gone.intersection(outcome.affected):
                return "a person has undone what it had caused"
    said = {source.known_at for record in with_it.ana.records(limit=1_000) for source in record.sources}
    for step in steps:
        outcome = with_it.outcomes.get(step.n)
        if step.n in left_out and outcome is not None and outcome.decision == "NOOP" and outcome.known_at in said:
            return "a claim was a further source of it and of what stays"
    if set(state(with_it)) != set(state(without)):
        return "what was a record of its own would have been a source of another"
    played_in_both = [step for step in steps if step.n not in left_out]
    if any((step.n in with_it.outcomes) != (step.n in without.outcomes) for step in played_in_both):
        return "a call was refused, or could be answered, because of it"
    derived = [step for step in played_in_both if step.kind == "derived"]
    if any(decided(with_it, step) != decided(without, step) for step in derived):
        return "what was made from what waited waits as well"
    return None


def decided(world: Played, step: Step) -> str | None:
    outcome = world.outcomes.get(step.n)
    return None if outcome is None else outcome.decision


def is_made(step: Step, world: Played, gone: set[str]) -> bool:
    return bool(gone.intersection(world.made.get(step.n, ())))


def is_about(step: Step, world: Played, gone: set[str]) -> bool:
    """Tell whether a step wrote what is gone, or was done to it."""
    return is_made(step, world, gone) or (step.kind in (*ABOUT, "derived") and names(step, world, gone))


def names(step: Step, world: Played, gone: set[str]) -> bool:
    """Tell whether a step names what is gone."""
    return world.id_of(step.pick) in gone


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(HISTORIES))
def test_r49_what_is_erased_leaves_only_the_ends_that_it_caused(tmp_path: Path, seed: int) -> None:
    found = compared(tmp_path, seed)
    if isinstance(found, str):
        pytest.skip(found)
    assert not found
