"""What re-derives a record from what it was made from (R36)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from stead.model.record import Record
from stead.model.slot import SlotValue


@dataclass(frozen=True, slots=True)
class Derived:
    """What a deriver returns for a record with a slot: the new claim with its value."""

    claim: str
    value: SlotValue | None = None


Deriver = Callable[[Record, Sequence[Record]], Derived | str | None]
"""Given a record and those of its sources that still hold, returns the new claim; None where nothing is left to say."""
