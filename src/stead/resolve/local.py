"""The local resolver for claims with a slot: deterministic, no model, no network (R21, R24).

It lays the strip without and with the candidate and reads the decision off the difference. The arbitration of R23 is not a
table of its own here: authority, speaker and time are the rules of the strip (R10), and each decision names the one that
decided.

=================  ========================================================================  =========
rule               when                                                                      decision
=================  ========================================================================  =========
``known``          the value already holds, uncontested, over the whole stated interval      NOOP
``deliberate``     a higher authority of another value hides all of it (R23)                 CONFIRM
``corrected``      a correction covers something                                             SUPERSEDE
``equals``         equals of different speakers disagree somewhere in it (R26)               CONTEST
``newer``          an open end covers the speaker's own earlier words                        SUPERSEDE
``authority``      an open end covers lower authority only                                   SUPERSEDE
``exception``      a bounded interval covers another value (R12)                             OVERRIDE
``named``          it overrides a record by name (R13)                                       OVERRIDE
``late``           an open end is cut by what started later (R10)                            ADD
``new``            nothing says this yet                                                     ADD
=================  ========================================================================  =========
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stead.model.outcome import Decision
from stead.model.period import FOREVER, Period
from stead.model.record import Cut
from stead.model.strip import Statement, Stretch, lay, standing_at
from stead.resolve.verdict import Verdict


def resolve(candidate: Statement, existing: Sequence[Statement], *, same_terms: frozenset[int]) -> Verdict:
    """Decide on a candidate with a slot; the contract is `Resolver.resolve`."""
    window = Period(candidate.start, candidate.end)
    if not existing:
        decision, rule, reason = _name(candidate, {}, frozenset(), ended=False, late=False)
        return Verdict(decision=decision, rule=rule, reason=reason)
    before = lay(existing, window)
    known = _known_in(candidate, before, window, same_terms)
    if known:
        return _noop(known)
    after = lay([*existing, candidate], window)
    mine = [stretch for stretch in after if candidate in stretch.standing]
    if not mine:
        return _hidden(candidate, before)
    covered = _covered(before, mine)
    contested = frozenset(
        each.record for stretch in mine if stretch.contested for each in stretch.standing if each is not candidate
    )
    if candidate.corrected:
        return _correction(candidate, covered)
    return _statement(candidate, existing, covered, contested)


def _known_in(
    candidate: Statement, before: Sequence[Stretch], window: Period, same_terms: frozenset[int]
) -> tuple[int, ...]:
    """Return the records that hold the candidate's value over its whole interval, or nothing (R10)."""
    reached, holders = window.start, dict[int, None]()
    for stretch in before:
        first = stretch.standing[0]
        if (
            stretch.period.start > reached
            or stretch.values != (candidate.value,)
            or first.rank < candidate.rank
            or first.record not in same_terms
        ):
            return ()
        holders[first.record] = None
        reached = stretch.period.end
    return tuple(holders) if reached == window.end else ()


def _noop(known: tuple[int, ...]) -> Verdict:
    return Verdict(decision=Decision.NOOP, rule="known", reason="it already holds; a source was added", known_in=known)


def _hidden(candidate: Statement, before: Sequence[Stretch]) -> Verdict:
    """Nothing of the candidate would show: what is higher says the same, or it has to be asked about (R23)."""
    above = [each for stretch in before for each in stretch.standing if each.rank > candidate.rank]
    if all(each.value == candidate.value for each in above):
        return _noop(tuple(dict.fromkeys(each.record for each in above)))
    return Verdict(
        decision=Decision.CONFIRM,
        rule="deliberate",
        reason="a higher authority says otherwise over the whole interval; it waits for confirmation",
        contested_with=frozenset(each.record for each in above if each.value != candidate.value),
    )


def _covered(before: Sequence[Stretch], mine: Sequence[Stretch]) -> dict[int, Statement]:
    """Return what stood before and doesn't any more where the candidate stands."""
    gone: dict[int, Statement] = {}
    for old, new in _overlapping(before, mine):
        gone.update({each.record: each for each in old.standing if each not in new.standing})
    return gone


def _overlapping(left: Sequence[Stretch], right: Sequence[Stretch]) -> Iterator[tuple[Stretch, Stretch]]:
    """Pair the stretches of two strips that share an instant; both are in order of time."""
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i].period.overlaps(right[j].period):
            yield left[i], right[j]
        if left[i].period.end <= right[j].period.end:
            i += 1
        else:
            j += 1


def _correction(candidate: Statement, covered: dict[int, Statement]) -> Verdict:
    if not covered:
        return Verdict(decision=Decision.ADD, rule="new", reason="nothing says otherwise there")
    portion = Period(candidate.start, candidate.end)
    cut = Cut(period=portion, why="corrected", by=candidate.record)
    return Verdict(
        decision=Decision.SUPERSEDE,
        rule="corrected",
        reason="it repairs the portion that it names",
        cuts=tuple((record, cut) for record in sorted(covered)),
    )


def _statement(
    candidate: Statement, existing: Sequence[Statement], covered: dict[int, Statement], contested: frozenset[int]
) -> Verdict:
    ended = _ended(candidate, covered)
    own = _own_end(candidate, existing)
    decision, rule, reason = _name(candidate, covered, contested, ended=bool(ended), late=bool(own))
    return Verdict(
        decision=decision,
        rule=rule,
        reason=reason,
        cuts=tuple(
            (old.record, Cut(period=Period(max(candidate.start, old.start)), why="superseded", by=candidate.record))
            for old in ended
        ),
        own_cuts=own,
        superseded=frozenset(old.record for old in ended),
        contested_with=contested,
    )


def _ended(candidate: Statement, covered: dict[int, Statement]) -> list[Statement]:
    """Return what an open-ended candidate ends; of another equal it covers only what it names, and that it doesn't end."""
    if candidate.end != FOREVER:
        return []
    return [old for _, old in sorted(covered.items()) if old.rank < candidate.rank or old.speaker == candidate.speaker]


def _own_end(candidate: Statement, existing: Sequence[Statement]) -> tuple[Cut, ...]:
    """Return the end of a late arrival: where the later-starting open statement begins that cuts its open end (R10)."""
    if candidate.end != FOREVER:
        return ()
    tail = standing_at([*existing, candidate], FOREVER - 1)
    if candidate in tail:
        return ()
    cutting = [old for old in tail if old.end == FOREVER and old.start > candidate.start and _outranks(old, candidate)]
    if not cutting:
        return ()
    first = min(cutting, key=lambda old: (old.start, old.order))
    return (Cut(period=Period(first.start), why="late", by=first.record),)


def _name(
    candidate: Statement, covered: dict[int, Statement], contested: frozenset[int], *, ended: bool, late: bool
) -> tuple[Decision, str, str]:
    others = [old for old in covered.values() if old.value != candidate.value]
    if contested:
        return Decision.CONTEST, "equals", "equals of different speakers disagree; a person has to settle it"
    if candidate.names:
        return Decision.OVERRIDE, "named", "it overrides what it names while it stands"
    if ended:
        newer = any(old.rank == candidate.rank for old in covered.values())
        rule = "newer" if newer else "authority"
        return Decision.SUPERSEDE, rule, "the older record ends where this one begins"
    if others:
        return Decision.OVERRIDE, "exception", "it wins inside its interval; the usual rule resumes after it"
    if late:
        return Decision.ADD, "late", "it arrived late and ends where what started later begins"
    return Decision.ADD, "new", "nothing says this yet"


def contested_records(statements: Sequence[Statement]) -> frozenset[int]:
    """Return the records that are contested somewhere on the strip (R26)."""
    return frozenset(each.record for stretch in lay(statements) if stretch.contested for each in stretch.standing)


def tail_ends(statements: Sequence[Statement]) -> tuple[tuple[int, Cut], ...]:
    """Return the ends that a revived statement and its later neighbours owe each other (R28).

    After a rollback, two open statements of one speaker and authority may both reach for the open end. The one that doesn't
    stand there ends where the other begins, as it would have, had they been written in this order.
    """
    tail = standing_at(statements, FOREVER - 1)
    owed: list[tuple[int, Cut]] = []
    for each in statements:
        if each.corrected or each in tail or not each.claims(FOREVER - 1):
            continue
        taker = next((old for old in tail if _outranks(old, each)), None)
        if taker is not None and (taker.order > each.order or taker.start > each.start):
            why = "superseded" if taker.order > each.order else "late"
            owed.append((each.record, Cut(period=Period(max(taker.start, each.start)), why=why, by=taker.record)))
    return tuple(owed)


def _outranks(old: Statement, new: Statement) -> bool:
    return old.rank > new.rank or (old.rank == new.rank and old.speaker == new.speaker)
