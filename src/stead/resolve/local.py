"""The local resolver for claims with a slot: deterministic, no model, no network (R21, R24).

It lays the strip without and with the candidate and reads the decision off the difference: authority, speaker and time are
the rules of the strip (R10), and each decision names the one that decided. What R23 asks beyond these is in `arbitrate`.

=================  ========================================================================  =========
rule               when                                                                      decision
=================  ========================================================================  =========
``known``          the value already holds, uncontested, over the whole stated interval      NOOP
``deliberate``     a higher authority of another value hides all of it (R23)                 CONFIRM
``corrected``      a correction covers something                                             SUPERSEDE
``equals``         equals of different speakers disagree somewhere in it (R26)               CONTEST
``newer``          an open end covers the speaker's own earlier words                        SUPERSEDE
``source``         an open end of a system of record covers lower authority (R23)            SUPERSEDE
``authority``      an open end covers lower authority only                                   SUPERSEDE
``exception``      a bounded interval covers another value (R12)                             OVERRIDE
``named``          it overrides a record by name (R13)                                       OVERRIDE
``late``           an open end is cut by what started later (R10)                            ADD
``new``            nothing says this yet                                                     ADD
=================  ========================================================================  =========
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from stead.model.authority import Authority
from stead.model.outcome import Decision
from stead.model.period import FOREVER, Period
from stead.model.record import Cut
from stead.model.strip import Statement, Stretch, lay, standing_at
from stead.resolve.verdict import Verdict

SOURCE = Authority.SYSTEM_OF_RECORD.rank


def resolve(candidate: Statement, existing: Sequence[Statement], *, same_terms: frozenset[int]) -> Verdict:
    """Decide on a candidate with a slot; the contract is `Resolver`."""
    window = Period(candidate.start, candidate.end)
    if not existing:
        decision, rule, reason = _name(candidate, {}, frozenset(), ended=(), late=False)
        return Verdict(decision=decision, rule=rule, reason=reason, head=candidate.end == FOREVER)
    before = lay(existing, window)
    known = _known_in(candidate, before, window, same_terms)
    if known:
        return Verdict(
            decision=Decision.NOOP, rule="known", reason="it already holds; a source was added", known_in=known
        )
    own = _own_end(candidate, existing)
    laid = replace(candidate, cuts=tuple(cut.period for cut in own))
    above = [each for stretch in before for each in stretch.standing if each.rank > candidate.rank]
    if not _where_it_stands(laid, existing, window) and any(each.value != candidate.value for each in above):
        return Verdict(
            decision=Decision.CONFIRM,
            rule="deliberate",
            reason="a higher authority says otherwise over the whole interval; it waits for confirmation",
            contradicts=frozenset(each.record for each in above if each.value != candidate.value),
        )
    mine, covered, ended = _lay_over(laid, existing, window)
    if candidate.corrected and covered:
        sources = frozenset(record for record, old in covered.items() if old.rank == SOURCE)
        if candidate.rank < SOURCE and sources:
            return Verdict(
                decision=Decision.CONFIRM, rule="deliberate", reason="only a system of record corrects what one said",
                contradicts=sources,
            )  # fmt: skip
        return _correction(candidate, existing)
    contested = frozenset(
        each.record for stretch in mine if stretch.contested for each in stretch.standing if each is not laid
    )
    decision, rule, reason = _name(laid, covered, contested, ended=ended, late=bool(own))
    return Verdict(
        decision=decision,
        rule=rule,
        reason=reason,
        cuts=tuple((old.record, _end_of(old, laid)) for old in ended),
        own_cuts=own,
        superseded=frozenset(old.record for old in ended),
        contested_with=contested,
        contradicts=contested | {record for record, old in covered.items() if old.value != candidate.value},
        head=laid in standing_at([*existing, laid], FOREVER - 1),
    )


def _lay_over(
    laid: Statement, existing: Sequence[Statement], window: Period
) -> tuple[list[Stretch], dict[int, Statement], list[Statement]]:
    """Lay a candidate; return where it stands, what it covers, and what it ends.

    An end may uncover what the ended record had covered. So it is laid again over what the ends have left, until it ends
    nothing more.
    """
    left = {each.record: each for each in existing}
    covered: dict[int, Statement] = {}
    ended: dict[int, Statement] = {}
    while True:
        before = lay(list(left.values()), window)
        mine = _where_it_stands(laid, list(left.values()), window)
        covered |= _covered(before, mine)
        more = [old for old in _ended(laid, existing, covered) if old.record not in ended]
        if not more:
            return mine, covered, list(ended.values())
        ended |= {old.record: old for old in more}
        left |= {old.record: replace(old, cuts=(*old.cuts, _end_of(old, laid).period)) for old in more}


def _where_it_stands(laid: Statement, others: Sequence[Statement], window: Period) -> list[Stretch]:
    return [stretch for stretch in lay([*others, laid], window) if laid in stretch.standing]


def _end_of(old: Statement, new: Statement) -> Cut:
    return Cut(period=Period(max(new.start, old.start)), why="superseded", by=new.record)


def _known_in(
    candidate: Statement, before: Sequence[Stretch], window: Period, same_terms: frozenset[int]
) -> tuple[int, ...]:
    """Return the records that hold the candidate's value over its whole interval, or nothing (R10)."""
    reached, holders = window.start, dict[int, None]()
    for stretch in before:
        holder = next((each.record for each in stretch.standing if each.record in same_terms), None)
        says_so = stretch.values == (candidate.value,) and stretch.standing[0].rank >= candidate.rank
        if stretch.period.start > reached or not says_so or holder is None:
            return ()
        holders[holder] = None
        reached = stretch.period.end
    return tuple(holders) if reached == window.end else ()


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


def _correction(candidate: Statement, existing: Sequence[Statement]) -> Verdict:
    """Take everything off the portion that a correction names, what was hidden there too: it was never true (R22)."""
    portion = Period(candidate.start, candidate.end)
    cut = Cut(period=portion, why="corrected", by=candidate.record)
    under = [each.record for each in existing if any(piece.overlaps(portion) for piece in each.pieces())]
    return Verdict(
        decision=Decision.SUPERSEDE,
        rule="corrected",
        reason="it repairs the portion that it names",
        cuts=tuple((record, cut) for record in sorted(under)),
        contradicts=frozenset(
            each.record for each in existing if each.record in under and each.value != candidate.value
        ),
        head=candidate.end == FOREVER,
    )


def _ended(candidate: Statement, existing: Sequence[Statement], covered: dict[int, Statement]) -> list[Statement]:
    """Return what an open-ended candidate ends.

    That is what it covers by its authority or as the speaker's later word. What it covers only because it names it goes on
    beside it (R13); the speaker's own open end goes even where something that names it hides it just now.
    """
    if candidate.end != FOREVER or candidate.corrected:
        return []
    named = {record for each in standing_at(existing, FOREVER - 1) for record in each.names}
    own = {each.record: each for each in existing if each.record in named and _is_same_head(each, candidate)}
    return [
        old
        for _, old in sorted((own | covered).items())
        if old.rank < candidate.rank or old.speaker == candidate.speaker
    ]


def _is_same_head(old: Statement, new: Statement) -> bool:
    reaches = old.claims(FOREVER - 1) and new.claims(FOREVER - 1)
    return reaches and old.start <= new.start and old.rank == new.rank and old.speaker == new.speaker


def _own_end(candidate: Statement, existing: Sequence[Statement]) -> tuple[Cut, ...]:
    """Return the end of a late arrival: where the later-starting open statement begins that cuts its open end (R10)."""
    if candidate.end != FOREVER or candidate.corrected:
        return ()
    tail = standing_at([*existing, candidate], FOREVER - 1)
    later = [old for old in tail if old.end == FOREVER and old.start > candidate.start and _outranks(old, candidate)]
    if candidate in tail or not later:
        return ()
    first = min(later, key=lambda old: (old.start, old.order))
    return (Cut(period=Period(first.start), why="late", by=first.record),)


def _name(
    candidate: Statement,
    covered: dict[int, Statement],
    contested: frozenset[int],
    *,
    ended: Sequence[Statement],
    late: bool,
) -> tuple[Decision, str, str]:
    if contested:
        return Decision.CONTEST, "equals", "equals of different speakers disagree; a person has to settle it"
    if candidate.names:
        return Decision.OVERRIDE, "named", "it overrides what it names while it stands"
    if ended:
        above = "source" if candidate.rank == SOURCE else "authority"
        rule = "newer" if any(old.rank == candidate.rank for old in ended) else above
        return Decision.SUPERSEDE, rule, "the older record ends where this one begins"
    if any(old.value != candidate.value for old in covered.values()):
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
        if taker is not None and (_order(taker) > _order(each) or taker.start > each.start):
            why = "superseded" if _order(taker) > _order(each) else "late"
            owed.append((each.record, Cut(period=Period(max(taker.start, each.start)), why=why, by=taker.record)))
    return tuple(owed)


def _outranks(old: Statement, new: Statement) -> bool:
    return old.rank > new.rank or (old.rank == new.rank and old.speaker == new.speaker)


def _order(statement: Statement) -> tuple[int, int]:
    return statement.order, statement.record
