"""The moves between statuses (R3) and the ladder of authority (R2)."""

from __future__ import annotations

import itertools

import pytest

from stead.errors import IllegalTransition
from stead.model.authority import BY_RANK, Authority
from stead.model.record import LAID, Status, move

# R3, word for word.
LEGAL = {
    "proposed": {"active", "rejected", "deletion_pending"},
    "active": {"contested", "superseded", "retracted", "deletion_pending"},
    "contested": {"active", "superseded", "retracted", "deletion_pending"},
    "superseded": {"active", "deletion_pending"},
    "retracted": {"active", "deletion_pending"},
    "rejected": {"deletion_pending"},
    "deletion_pending": {"deleted"},
    "deleted": set[str](),
}
MOVES = list(itertools.product(Status, Status))


def test_r3_the_statuses_are_exactly_these() -> None:
    """R3: expired and cold are not statuses."""
    assert {status.value for status in Status} == LEGAL.keys()


@pytest.mark.parametrize(("now", "to"), [pair for pair in MOVES if pair[1].value in LEGAL[pair[0].value]])
def test_r3_a_legal_move_is_made(now: Status, to: Status) -> None:
    """R3: every legal move."""
    assert move("rec_1", now, to) is to


@pytest.mark.parametrize(("now", "to"), [pair for pair in MOVES if pair[1].value not in LEGAL[pair[0].value]])
def test_r3_an_illegal_move_is_an_error(now: Status, to: Status) -> None:
    """R3: every illegal move, staying where one is included; never a silent no-op."""
    with pytest.raises(IllegalTransition) as caught:
        move("rec_1", now, to)
    assert (caught.value.code, caught.value.exit_code) == ("illegal_transition", 5)
    assert all(word in caught.value.message for word in ("rec_1", now.value, to.value))


def test_r10_only_what_was_taken_back_or_never_taken_is_not_laid() -> None:
    """R10: superseded statements are laid with their ends; proposals, rejections and retractions aren't."""
    assert {status.value for status in LAID} == {"active", "contested", "superseded"}


def test_r2_the_ladder_is_closed_and_ordered() -> None:
    """R2: highest first; only the first three may stand without a further act of the subject."""
    ladder = ["system_of_record", "confirmed", "stated", "inferred", "external"]
    assert sorted(Authority, key=lambda authority: -authority.rank) == ladder
    assert [authority.may_stand for authority in map(Authority, ladder)] == [True, True, True, False, False]
    assert [BY_RANK[authority.rank] for authority in Authority] == list(Authority)
    with pytest.raises(ValueError, match="administrator"):
        Authority("administrator")
