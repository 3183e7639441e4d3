"""When it holds: the speaker's words of time, resolved here; a model's own reckoning counts only where these fail."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from stead.errors import InvalidArgument
from stead.extract.model.ground import find
from stead.extract.model.prompt import ModelTurn
from stead.extract.model.schema import Claim
from stead.model.period import Instant
from stead.model.zone import instant

if TYPE_CHECKING:
    from stead.extract.when import When

_DAY_ONLY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """When a claim holds, and what is to be said about how that is known."""

    start: Instant | None = None
    end: Instant | None = None
    recurs: str | None = None
    traits: frozenset[str] = frozenset()


def interval(claim: Claim, turn: ModelTurn) -> Interval | str:
    """Return when the claim holds, or the reason why it isn't believed.

    Words of time must stand in the turn. They are resolved as local extraction does it; if that can't, the dates that the
    model reckoned are taken and marked ``uncertain``. Dates without words of time are invented. An end that is not after
    its start spoils the claim even if the words would do, since whoever wrote it didn't understand them.
    """
    try:
        start, end = _read(claim.valid_from, turn), _read(claim.valid_until, turn)
    except InvalidArgument:
        return "bad_interval"
    if start is not None and end is not None and end <= start:
        return "bad_interval"
    words = (claim.when or "").strip()
    if not words:
        return Interval() if start is None and end is None else "ungrounded"
    if find(words, turn.text) is None:
        return "ungrounded"
    known = _resolved(words, turn)
    if known is not None and known.resolved and any((known.start is not None, known.end is not None, known.recurs)):
        return Interval(start=known.start, end=known.end, recurs=known.recurs)
    if start is None and end is None:
        return Interval(traits=frozenset({"unresolved_time"}))
    return Interval(start=start, end=end, traits=frozenset({"uncertain"}))


def _resolved(words: str, turn: ModelTurn) -> When | None:
    from stead.extract.when import resolve

    try:
        return resolve(words, said=turn.said, zone=turn.zone)
    except (ValueError, OverflowError):  # beyond what a calendar can write
        return None


def _read(text: str | None, turn: ModelTurn) -> Instant | None:
    """Read ISO 8601; a wall time is the speaker's, and of two readings the earlier one."""
    if text is None or not text.strip():
        return None
    if len(text) > 40 or not (_DAY_ONLY.match(text.strip()) and _is_iso(text.strip())):
        raise InvalidArgument("valid_from", "not a time in ISO 8601")
    return instant(text, zone_name=turn.zone, reading="earlier")


def _is_iso(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True
