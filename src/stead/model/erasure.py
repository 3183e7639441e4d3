"""What is to be erased, as the subject may see it: counts and names of the policy, never content (R27)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from stead.model.plain import spelled


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasure:
    """One wish to forget that was carried out: what it selected can't be read, and waits to be erased."""

    id: str
    known_at: datetime
    """Since when nothing of it can be read."""
    status: str
    """``pending``: unreadable everywhere, and still in the file."""
    records: int
    """How many records it selected, those derived from them included."""
    turns: int
    everything: bool = False
    categories: tuple[str, ...] = ()
    """Names of the policy that it selected by."""
    attributes: tuple[str, ...] = ()
    conversation: str | None = None
    """Of "forget that": the conversation that says what was meant."""

    def as_dict(self) -> dict[str, object]:
        """Return it as JSON carries it."""
        return spelled(self)
