"""What holds is computed from what was said (R10), and R10 read literally says the same."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reference.strip import Said, Span, heads, lay_pieces, stretches

from stead.model.period import BEGINNING, FOREVER, Period
from stead.model.strip import Statement, Stretch, lay, standing_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

STATED, CONFIRMED, SYSTEM = 2, 3, 4
Shown = list[tuple[str, int, int | None]]
SPEAKERS, VALUES, AXIS = ("ana", "ben", "cy"), ("x", "y", "z", None), 12


def said(order: int, value: str | None, start: int, end: int = FOREVER, **rest: Any) -> Statement:
    """Return a statement; its number is its place, so that cuts and names can point to it."""
    fields: dict[str, Any] = {"speaker": "ana", "rank": STATED, "record": order} | rest
    return Statement(order=order, value=value, start=start, end=end, **fields)


def shown(strip: Iterable[Stretch]) -> Shown:
    """Spell a strip as a test reads it: ``x``, or ``x/y`` where contested; ``-`` is unset and None is open."""
    spelled: Shown = []
    for stretch in strip:
        name = "/".join(sorted("-" if value is None else value for value in stretch.values))
        start, end = stretch.period.start, stretch.period.end
        if spelled and spelled[-1][0] == name and spelled[-1][2] == start:
            start = spelled.pop()[1]
        spelled.append((name, start, None if end == FOREVER else end))
    return spelled


def laid(*statements: Statement) -> Shown:
    """Lay and spell."""
    return shown(lay(statements))


# --- the rules, one by one ------------------------------------------------------------------------------------------------


def test_r10_1_a_piece_is_the_interval_as_stated() -> None:
    """R10.1, R6: half open; bounded or not; nothing stands outside."""
    assert laid(said(1, "x", 3, 5)) == [("x", 3, 5)]
    assert laid(said(1, "x", 3)) == [("x", 3, None)]
    assert laid() == []
    assert standing_at([said(1, "x", 3, 5)], 5) == ()
    assert standing_at([said(1, "x", 3, 5)], 2) == ()
    assert [each.value for each in standing_at([said(1, "x", 3, 5)], 3)] == ["x"]


def test_r10_1_an_end_takes_a_piece_off() -> None:
    """R10: from its instant on, or on the stretch that it names."""
    assert laid(said(1, "x", 0, cuts=(Period(4),))) == [("x", 0, 4)]
    assert laid(said(1, "x", 0, cuts=(Period(2, 3), Period(5, 7)))) == [("x", 0, 2), ("x", 3, 5), ("x", 7, None)]
    assert laid(said(1, "x", 2, 5, cuts=(Period(BEGINNING),))) == []


def test_r10_2_an_open_end_is_weak() -> None:
    """R10.2: a late arrival fills its stretch and never displaces what started later."""
    assert laid(said(1, "y", 5), said(2, "x", 0)) == [("x", 0, 5), ("y", 5, None)]


def test_r10_2_an_open_end_goes_on_after_an_exception_that_starts_later() -> None:
    """R10.2: only what lies under the piece is taken away."""
    assert laid(said(1, "y", 5, 7), said(2, "x", 0)) == [("x", 0, 5), ("y", 5, 7), ("x", 7, None)]


def test_r10_2_a_stated_end_is_not_weak() -> None:
    """R10.2 is about open ends; a bounded statement wins on the part that it names, whatever started later."""
    assert laid(said(1, "y", 5), said(2, "x", 0, 8)) == [("x", 0, 8), ("y", 8, None)]


def test_r10_2_the_same_stated_start_is_not_later() -> None:
    """R10.2: later means later."""
    assert laid(said(1, "y", 5), said(2, "x", 5)) == [("x", 5, None)]


def test_r10_2_the_start_of_a_remainder_is_no_stated_start() -> None:
    """R10.2: y was stated from 0; what is left of it after the exception starts at 4, which counts for nothing."""
    assert laid(said(1, "y", 0), said(2, "e", 2, 4), said(3, "x", 1)) == [
        ("y", 0, 1),
        ("x", 1, 2),
        ("e", 2, 4),
        ("x", 4, None),
    ]


def test_r10_2_another_speaker_of_the_same_authority_takes_nothing_away() -> None:
    """R10.2: the same speaker and authority, or a higher authority."""
    assert laid(said(1, "y", 5, speaker="ben"), said(2, "x", 0)) == [("x", 0, 5), ("x/y", 5, None)]


def test_r10_2_a_lower_authority_takes_nothing_away() -> None:
    """R10.2: what starts later on lower authority is covered."""
    assert laid(said(1, "y", 5), said(2, "x", 0, rank=CONFIRMED)) == [("x", 0, None)]


def test_r10_3_higher_authority_is_never_covered() -> None:
    """R10.3: whoever said it, before or after, bounded or not."""
    high = said(1, "y", 2, 6, rank=CONFIRMED, speaker="ben")
    for late in (said(2, "x", 0), said(2, "x", 4), said(2, "x", 1, 8)):
        assert ("y", 2, 6) in laid(high, late)
    assert laid(high, said(2, "x", 3, 5)) == [("y", 2, 6)]


def test_r10_4_what_is_left_covers_lower_authority() -> None:
    """R10.4: of any speaker, where they overlap; what was covered goes on before and after."""
    low = said(1, "y", 0, speaker="ben")
    assert laid(low, said(2, "x", 3, 5, rank=SYSTEM)) == [("y", 0, 3), ("x", 3, 5), ("y", 5, None)]


def test_r10_4_the_later_statement_of_a_speaker_wins_on_the_part_that_it_names() -> None:
    """R10.4: transaction order decides between the words of one speaker on one authority."""
    assert laid(said(1, "y", 0), said(2, "x", 3)) == [("y", 0, 3), ("x", 3, None)]
    assert laid(said(1, "y", 2, 6), said(2, "x", 4, 8)) == [("y", 2, 4), ("x", 4, 8)]
    assert laid(said(1, "y", 4, 8), said(2, "x", 2, 6)) == [("x", 2, 6), ("y", 6, 8)]


def test_r12_the_rule_resumes_when_its_exception_ends() -> None:
    """R12, R10: with nothing running in the background."""
    assert laid(said(1, "no", 0), said(2, "yes", 4, 6)) == [("no", 0, 4), ("yes", 4, 6), ("no", 6, None)]


def test_r10_5_speakers_of_one_authority_are_contested_where_they_overlap_and_only_there() -> None:
    """R10.5, R26: outside the overlap each still holds."""
    assert laid(said(1, "y", 0, 6, speaker="ben"), said(2, "x", 4, 8)) == [("y", 0, 4), ("x/y", 4, 6), ("x", 6, 8)]


def test_r10_5_the_same_value_is_one_answer() -> None:
    """R10.5: two speakers who agree are two sources."""
    strip = lay([said(1, "x", 0, 6, speaker="ben"), said(2, "x", 4, 8)])
    assert shown(strip) == [("x", 0, 8)]
    assert not any(stretch.contested for stretch in strip)
    assert [len(stretch.standing) for stretch in strip] == [1, 2, 1]


def test_r10_5_three_speakers_and_two_values() -> None:
    """R10.5: who agrees and who doesn't is told apart."""
    strip = lay([said(1, "x", 0), said(2, "y", 0, speaker="ben"), said(3, "x", 0, speaker="cy")])
    assert [(stretch.values, stretch.contested, len(stretch.standing)) for stretch in strip] == [(("x", "y"), True, 3)]


def test_r10_5_a_speaker_who_changes_their_mind_ends_the_contest() -> None:
    """R10.4 and 5: each speaker has one head."""
    assert laid(said(1, "x", 0), said(2, "y", 0, speaker="ben"), said(3, "x", 5, speaker="ben")) == [
        ("x/y", 0, 5),
        ("x", 5, None),
    ]


def test_r10_5_unset_is_a_value_of_its_own() -> None:
    """R11, R10.5: unset masks, covers and is contested as any value is."""
    assert laid(said(1, "x", 0), said(2, None, 3, 5)) == [("x", 0, 3), ("-", 3, 5), ("x", 5, None)]
    assert laid(said(1, "x", 0), said(2, None, 3, 5, speaker="ben"))[1] == ("-/x", 3, 5)


def test_r10_6_a_correction_covers_every_piece_under_it() -> None:
    """R10.6: higher authority, other speakers, later starts; and exactly the portion that it names."""
    under = [said(1, "y", 0, rank=SYSTEM), said(2, "z", 4, 7, speaker="ben", rank=SYSTEM)]
    assert laid(*under, said(3, "x", 3, 5, corrected=True)) == [
        ("y", 0, 3),
        ("x", 3, 5),
        ("y/z", 5, 7),
        ("y", 7, None),
    ]


def test_r10_6_an_open_correction_skips_the_weakness_of_open_ends() -> None:
    """R10.6: it skips 2."""
    assert laid(said(1, "y", 5), said(2, "x", 0, corrected=True)) == [("x", 0, None)]


def test_r10_6_a_correction_may_be_covered_later() -> None:
    """R10.6 is about laying it; afterwards it is a piece like any other."""
    assert laid(said(1, "y", 0, corrected=True), said(2, "x", 3, 5)) == [("y", 0, 3), ("x", 3, 5), ("y", 5, None)]
    assert laid(said(1, "y", 0, corrected=True, rank=CONFIRMED), said(2, "x", 3, 5)) == [("y", 0, None)]


def test_r10_6_a_later_statement_meets_only_what_a_correction_left() -> None:
    """R10.6: what a correction covered doesn't hide what is said afterwards."""
    high = said(1, "y", 0, 9, rank=SYSTEM, speaker="ben")
    assert laid(high, said(2, "x", 3, 6, corrected=True), said(3, "z", 4, 5)) == [
        ("y", 0, 3),
        ("x", 3, 4),
        ("z", 4, 5),
        ("x", 5, 6),
        ("y", 6, 9),
    ]


def test_r13_an_override_by_name_covers_its_target_and_nothing_else() -> None:
    """R13: a named target of higher authority or of another speaker is covered; others keep their standing."""
    high = [said(1, "y", 0, rank=CONFIRMED, speaker="ben"), said(2, "z", 6, rank=CONFIRMED, speaker="cy")]
    assert laid(*high, said(3, "x", 2, 8, names=frozenset({1}))) == [
        ("y", 0, 2),
        ("x", 2, 6),
        ("y/z", 6, None),
    ]


def test_r10_a_removed_exception_reveals_what_it_covered() -> None:
    """R10: an exception ends nothing. Not laid (retracted, erased, expired), or ended early, the rule applies again."""
    rule, exception = said(1, "no", 0), said(2, "yes", 4, 6)
    assert laid(rule) == [("no", 0, None)]
    assert laid(rule, replace(exception, cuts=(Period(5),))) == [("no", 0, 4), ("yes", 4, 5), ("no", 5, None)]


def test_r10_a_retracted_successor_does_not_revive_its_predecessor() -> None:
    """R10: the end that it caused stays with the predecessor."""
    assert laid(said(1, "paris", 0, cuts=(Period(5),))) == [("paris", 0, 5)]


# --- properties -----------------------------------------------------------------------------------------------------------


def spans(draw: st.DrawFn) -> tuple[int, int]:
    start = draw(st.integers(0, AXIS - 1))
    return start, draw(st.one_of(st.just(FOREVER), st.integers(start + 1, AXIS)))


@st.composite
def statements(draw: st.DrawFn) -> list[Statement]:
    """Draw statements on a small axis: few speakers, values and rungs, so that they meet in every way."""
    drawn = []
    for order in range(draw(st.integers(0, 7))):
        start, end = spans(draw)
        cuts = tuple(Period(*spans(draw)) for _ in range(draw(st.sampled_from((0, 0, 0, 1, 2)))))
        drawn.append(
            Statement(
                record=order,
                order=order,
                value=draw(st.sampled_from(VALUES)),
                speaker=draw(st.sampled_from(SPEAKERS)),
                rank=draw(st.sampled_from((STATED, STATED, CONFIRMED, SYSTEM))),
                start=start,
                end=end,
                corrected=draw(st.sampled_from((False, False, False, True))),
                cuts=cuts,
            )
        )
    return drawn


def literal(statement: Statement) -> Said:
    """Return the statement for the oracle, which knows nothing of the real code."""
    return Said(
        record=statement.record,
        order=statement.order,
        value=statement.value,
        speaker=statement.speaker,
        rank=statement.rank,
        start=statement.start,
        end=statement.end,
        corrected=statement.corrected,
        cuts=tuple(Span(cut.start, cut.end) for cut in statement.cuts),
        names=statement.names,
    )


Answer = list[tuple[int, int, list[int]]]


def by_the_code(given_statements: Sequence[Statement]) -> Answer:
    return [
        (stretch.period.start, stretch.period.end, [each.record for each in stretch.standing])
        for stretch in lay(given_statements)
    ]


def by_the_text(given_statements: Iterable[Statement]) -> Answer:
    strip = lay_pieces([literal(statement) for statement in given_statements])
    return [(span.start, span.end, [each.record for each in stands]) for span, stands in stretches(strip)]


def random_statements(source: random.Random) -> list[Statement]:
    """Return up to twelve random statements, with cuts and named targets."""
    drawn = []
    for order in range(source.randint(1, 12)):
        cuts = tuple(Period(*random_span(source)) for _ in range(source.choice((0, 0, 1, 2))))
        drawn.append(
            Statement(
                record=order,
                order=order // source.choice((1, 1, 1, 2)),  # orders may tie: a correction takes a place that was taken
                value=source.choice(VALUES),
                speaker=source.choice(SPEAKERS),
                rank=source.choice((STATED, STATED, CONFIRMED, SYSTEM)),
                start=(span := random_span(source))[0],
                end=span[1],
                corrected=source.random() < 0.15,
                cuts=cuts,
                names=frozenset({source.randrange(order)}) if order and source.random() < 0.1 else frozenset(),
            )
        )
    return drawn


def random_span(source: random.Random) -> tuple[int, int]:
    start = source.randrange(AXIS)
    return start, source.choice((FOREVER, source.randint(start + 1, AXIS)))


@pytest.mark.parametrize("seed", range(8))
def test_r10_the_code_says_what_the_text_says(seed: int) -> None:
    """R10: steps 1 to 6 by interval subtraction agree with lay() on 500 random sets a seed, stretch by stretch."""
    source = random.Random(seed)
    for _ in range(500):
        drawn = random_statements(source)
        assert by_the_code(drawn) == by_the_text(drawn), drawn


@given(statements())
def test_r10_the_code_says_what_the_text_says_smallest(drawn: list[Statement]) -> None:
    """R10: as above, with Hypothesis to find the smallest difference."""
    assert by_the_code(drawn) == by_the_text(drawn)


@given(statements(), st.randoms(use_true_random=False))
def test_r10_laying_depends_only_on_transaction_order(drawn: list[Statement], source: random.Random) -> None:
    """R10: deterministic, and independent of the order in which statements are passed."""
    shuffled = drawn.copy()
    source.shuffle(shuffled)
    assert lay(shuffled) == lay(drawn) == lay(tuple(drawn))
    assert all(standing_at(shuffled, at) == standing_at(drawn, at) for at in range(AXIS + 1))


@given(statements())
def test_r46_at_most_one_head_per_speaker_and_one_authority_at_every_instant(drawn: list[Statement]) -> None:
    """R46, R10: whatever stands together has one authority and different speakers."""
    for stretch in lay(drawn):
        assert len({each.rank for each in stretch.standing}) == 1
        assert len({each.speaker for each in stretch.standing}) == len(stretch.standing)


@given(statements())
def test_r6_neighbours_never_both_claim_a_boundary(drawn: list[Statement]) -> None:
    """R6: stretches are in order, apart or touching, never empty, and equal neighbours are one."""
    strip = lay(drawn)
    for before, after in itertools.pairwise(strip):
        assert before.period.end <= after.period.start
        assert before.period.end < after.period.start or before.standing != after.standing
    assert all(stretch.standing for stretch in strip)


@given(statements())
def test_r10_lay_and_standing_at_agree_at_every_boundary_and_in_between(drawn: list[Statement]) -> None:
    """R10: the sweep and the single instant are one rule; each microsecond of the small axis is asked."""
    strip = lay(drawn)
    for at in (BEGINNING, -1, *range(AXIS + 2), FOREVER - 1):
        on_strip = [stretch.standing for stretch in strip if at in stretch.period]
        assert on_strip in ([], [standing_at(drawn, at)])
        assert bool(on_strip) == bool(standing_at(drawn, at))
        assert [each.record for each in standing_at(drawn, at)] == [
            each.record for each in heads(lay_pieces(map(literal, drawn)), at)
        ]


@given(statements(), st.data())
def test_r10_within_equals_clipping(drawn: list[Statement], data: st.DataObject) -> None:
    """R10: asking for a part of valid time gives that part of the whole strip."""
    start = data.draw(st.integers(-1, AXIS))
    window = Period(start, data.draw(st.one_of(st.just(FOREVER), st.integers(start + 1, AXIS + 1))))
    clipped = tuple(
        Stretch(part, stretch.standing) for stretch in lay(drawn) if (part := stretch.period.intersect(window))
    )
    assert lay(drawn, window) == clipped


@st.composite
def apart(draw: st.DrawFn) -> list[tuple[int, int, str, str, int]]:
    """Draw intervals that don't overlap, each with a value, a speaker and a rung; the last may be open."""
    edges = sorted(draw(st.sets(st.integers(0, AXIS), min_size=2, max_size=6)))
    pairs = [pair for pair in itertools.pairwise(edges) if draw(st.booleans())]
    if draw(st.booleans()):
        pairs.append((edges[-1], FOREVER))
    rungs = st.sampled_from((STATED, CONFIRMED, SYSTEM))
    return [(*pair, draw(st.sampled_from("xyz")), draw(st.sampled_from(SPEAKERS)), draw(rungs)) for pair in pairs]


@given(apart())
def test_r10_every_arrival_order_gives_the_same_strip(stated: list[tuple[int, int, str, str, int]]) -> None:
    """R10: of statements whose stated intervals don't overlap."""
    seen = []
    for arrival in itertools.islice(itertools.permutations(stated), 120):
        drawn = [
            said(order, value, start, end, speaker=speaker, rank=rank)
            for order, (start, end, value, speaker, rank) in enumerate(arrival)
        ]
        seen.append(laid(*drawn))
    assert all(each == seen[0] for each in seen)


@given(st.permutations([("a", 1), ("b", 4), ("c", 7), ("d", 10)]))
def test_r10_open_statements_of_one_speaker_give_the_same_strip_in_every_arrival_order(
    arrival: list[tuple[str, int]],
) -> None:
    """R10.2: each ends where the next begins, however late it was told."""
    drawn = [said(order, value, start) for order, (value, start) in enumerate(arrival)]
    assert laid(*drawn) == [("a", 1, 4), ("b", 4, 7), ("c", 7, 10), ("d", 10, None)]


@given(statements(), st.data())
def test_r10_the_last_exception_ends_nothing(drawn: list[Statement], data: st.DataObject) -> None:
    """R10: outside of a bounded statement, the strip is what it is without it; removed, all of it is."""
    start = data.draw(st.integers(0, AXIS - 1))
    end = data.draw(st.integers(start + 1, AXIS))
    exception = said(99, "e", start, end, rank=data.draw(st.sampled_from((STATED, CONFIRMED, SYSTEM))))
    outside = [at for at in range(-1, AXIS + 2) if not start <= at < end]
    assert all(standing_at([*drawn, exception], at) == standing_at(drawn, at) for at in outside)
    gone = replace(exception, cuts=(Period(BEGINNING),))
    assert lay([*drawn, gone]) == lay(drawn)


@given(statements())
def test_r10_what_was_said_is_never_shown_outside_of_its_interval(drawn: list[Statement]) -> None:
    """R7, R10: nothing stands before its start, at or after its end, or where an end took it off."""
    for stretch in lay(drawn):
        for each in stretch.standing:
            assert each.start <= stretch.period.start
            assert stretch.period.end <= each.end
            assert not any(cut.overlaps(stretch.period) for cut in each.cuts)


@given(statements())
def test_r10_where_something_is_claimed_something_stands(drawn: list[Statement]) -> None:
    """R10: a claim is only ever displaced by another one that stands."""
    for at in range(AXIS + 1):
        assert bool(standing_at(drawn, at)) == any(each.claims(at) for each in drawn)
