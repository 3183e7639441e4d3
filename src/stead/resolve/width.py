"""How many neighbours a claim without a slot is compared with (R21)."""

from __future__ import annotations

from typing import Final

NEAREST: Final = 8
"""K of R21."""
MOST: Final = 32
"""K where every second decision meets a contradiction."""
_SPARSE, _DENSE = 0.05, 0.5


def width(contradictions: int, decisions: int) -> int:
    """Return K: wider where the subject's recent decisions have met many contradictions, and narrower again after.

    >>> width(0, 0), width(5, 200), width(50, 200), width(150, 200)
    (8, 8, 20, 32)

    Parameters
    ----------
    contradictions
        Of the last decisions, how many ended, contested or questioned something.
    decisions
        How many there were.
    """
    density = contradictions / decisions if decisions else 0.0
    return NEAREST + round((MOST - NEAREST) * min(1.0, density / _DENSE)) if density > _SPARSE else NEAREST
