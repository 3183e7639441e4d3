"""The ladder of authority (R2)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Authority(StrEnum):
    """On what a claim stands, highest first."""

    SYSTEM_OF_RECORD = "system_of_record"
    CONFIRMED = "confirmed"
    STATED = "stated"
    INFERRED = "inferred"
    EXTERNAL = "external"

    @property
    def rank(self) -> int:
        """Return the rung: 4 for the system of record down to 0 for external."""
        return RANK[self]

    @property
    def may_stand(self) -> bool:
        """Tell whether a record may become active without a further act of the subject (R2)."""
        return self.rank >= RANK[Authority.STATED]


RANK: Final = {authority: 4 - place for place, authority in enumerate(Authority)}
BY_RANK: Final = {rank: authority for authority, rank in RANK.items()}
