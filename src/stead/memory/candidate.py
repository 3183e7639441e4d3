"""Input into a candidate: every parameter is checked here, and refused with its name and the fix (R46)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum
from typing import TypeVar

from stead.errors import InvalidArgument, InvalidInterval
from stead.model.authority import BY_RANK, Authority
from stead.model.period import FOREVER, Instant, Period
from stead.model.record import Kind, Meaning
from stead.model.scope import checked
from stead.model.slot import Slot, normal
from stead.model.zone import Reading, TimeInput, instant

MAX_CLAIM = 8_000
"""Characters; a claim is one short sentence, a longer text belongs into an episode."""

AGENT = "agent"
"""The audience by default: the subject's own agents (R1)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A checked request to write one claim."""

    claim: str
    slot: Slot | None
    speaker: str
    kind: Kind
    category: str | None
    scope: str
    purpose: tuple[str, ...] | None
    audience: tuple[str, ...] | None
    authority: Authority
    confidence: float
    importance: float
    sensitivity: str | None
    conversation: str | None
    turn: str | None
    uri: str | None
    observed_at: Instant
    period: Period
    expires_at: Instant | None
    overrides: tuple[str, ...]
    derived_from: tuple[str, ...]
    meaning: Meaning
    review_events: tuple[str, ...]
    owner: str | None
    trigger: str

    def said_at(self, now: Instant, *, holds: bool) -> Candidate:
        """Return the candidate as said now, and holding from now if no start was stated.

        The write lock is held then: two writers at once are in the same order by start and by transaction time (R6).
        """
        if now == self.observed_at:
            return self
        return replace(self, observed_at=now, period=Period(now, self.period.end) if holds else self.period)

    @property
    def claim_key(self) -> int | None:
        """Return what two spellings of one claim without a slot share; None where a slot identifies it."""
        if self.slot is not None:
            return None
        folded = normal(self.claim).rstrip(".!? ")
        return int.from_bytes(hashlib.blake2b(folded.encode(), digest_size=8).digest(), "big") >> 1


def check(
    claim: str,
    *,
    now: Instant,
    subject: str,
    zone: str | None,
    slot: Slot | None = None,
    speaker: str | None = None,
    kind: str = Kind.FACT,
    category: str | None = None,
    scope: str = "",
    purpose: str | Iterable[str] | None = None,
    audience: str | Iterable[str] | None = None,
    authority: str = Authority.STATED,
    confidence: float = 1.0,
    importance: float = 0.5,
    sensitivity: str | None = None,
    source: Mapping[str, str] | None = None,
    observed_at: TimeInput | None = None,
    valid_from: TimeInput | None = None,
    valid_until: TimeInput | None = None,
    expires_at: TimeInput | None = None,
    overrides: Iterable[str] = (),
    derived_from: Iterable[str] = (),
    meaning: str = Meaning.CHANGED,
    review_events: Iterable[str] = (),
    owner: str | None = None,
    trigger: str = "remember",
    reading: Reading | None = None,
) -> Candidate:
    """Check everything that a caller can say about a claim.

    Raises
    ------
    InvalidArgument
        Or one of its kinds: a field is wrong; nothing was written.
    """
    if reading not in (None, "earlier", "later"):
        raise InvalidArgument("reading", "neither earlier nor later", "Name which reading of the wall time is meant.")

    def when(value: TimeInput | None, field: str) -> Instant | None:
        return None if value is None else instant(value, zone_name=zone, reading=reading, field=field)

    if slot is not None and not isinstance(slot, Slot):
        raise InvalidArgument("slot", "not a Slot", "Give stead.Slot('home.city', value='Berlin').")
    if slot is not None and slot.value is None and not slot.unset:
        raise InvalidArgument("slot.value", "missing", "Give a value, or unset=True to mask a wider one.")
    observed = when(observed_at, "observed_at")
    if observed is not None and observed > now:
        raise InvalidArgument("observed_at", "later than now", "A source can't have said it in the future.")
    said = now if observed is None else observed
    pointer = _source(source)
    return Candidate(
        claim=_claim(claim),
        slot=slot,
        speaker=_name(speaker, "speaker") or subject,
        kind=_one_of(Kind, kind, "kind"),
        category=_name(category, "category"),
        scope=checked(scope),
        purpose=names(purpose, "purpose"),
        audience=names(audience, "audience"),
        authority=_one_of(Authority, authority, "authority"),
        confidence=_share(confidence, "confidence"),
        importance=_share(importance, "importance"),
        sensitivity=_name(sensitivity, "sensitivity"),
        conversation=pointer.get("conversation"),
        turn=pointer.get("turn"),
        uri=pointer.get("uri"),
        observed_at=said,
        period=_period(when(valid_from, "valid_from"), when(valid_until, "valid_until"), said),
        expires_at=when(expires_at, "expires_at"),
        overrides=_ids(overrides, "overrides"),
        derived_from=_ids(derived_from, "derived_from"),
        meaning=_one_of(Meaning, meaning, "meaning"),
        review_events=names(review_events, "review_events") or (),
        owner=_name(owner, "owner"),
        trigger=_name(trigger, "trigger") or "remember",
    )


def _claim(claim: str) -> str:
    if not isinstance(claim, str) or not claim.strip():
        raise InvalidArgument("claim", "empty", "Say it as one short declarative sentence.")
    if len(claim) > MAX_CLAIM:
        raise InvalidArgument("claim", f"longer than {MAX_CLAIM} characters", "Record long text as turns of a session.")
    if "\0" in claim or any(0xD800 <= ord(char) <= 0xDFFF for char in claim if not char.isascii()):
        raise InvalidArgument("claim", "not valid text", "Remove NUL and lone surrogate characters.")
    return claim.strip()


Choice = TypeVar("Choice", bound=StrEnum)


def _one_of(choices: type[Choice], value: str, field: str) -> Choice:
    try:
        return choices(value)
    except ValueError:
        raise InvalidArgument(field, "unknown", f"Use one of: {', '.join(choices)}.") from None


def _share(value: float, field: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidArgument(field, "not a number from 0 to 1", "0.5 is the middle.")
    return float(value)


def _name(value: str | None, field: str) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise InvalidArgument(field, "not a printable name", "Give text, or leave it out.")
    return value.strip()


def names(value: str | Iterable[str] | None, field: str) -> tuple[str, ...] | None:
    """Return names as a sorted tuple without repetition; None stays None."""
    if value is None:
        return None
    listed = (value,) if isinstance(value, str) else tuple(value)
    return tuple(sorted({name for each in listed if (name := _name(each, field)) is not None}))


def _ids(value: Iterable[str], field: str) -> tuple[str, ...]:
    if isinstance(value, str):
        raise InvalidArgument(field, "not a list of ids", f"Write {field}=['rec_…'].")
    return tuple(dict.fromkeys(str(each) for each in value))


def _source(source: Mapping[str, str] | None) -> dict[str, str]:
    if source is None:
        return {}
    if not isinstance(source, Mapping):
        raise InvalidArgument("source", "not a mapping", "Give conversation, turn or uri.")
    unknown = set(source) - {"conversation", "turn", "uri"}
    if unknown:
        raise InvalidArgument("source", "an unknown key", "Use conversation, turn and uri: pointers, not copies.")
    return {key: str(value) for key, value in source.items() if value is not None}


def _period(start: Instant | None, end: Instant | None, said: Instant) -> Period:
    begin = said if start is None else start
    if end is not None and end <= begin:
        if start is None:
            raise InvalidInterval(
                "valid_until", "it ended before it was said", "Say from when it held too: valid_from."
            )
        raise InvalidInterval("valid_until", "not after valid_from")
    return Period(begin, FOREVER if end is None else end)


def authority_of(rank: int) -> str:
    """Return the authority of a rung."""
    return BY_RANK[rank]


def with_value(claim: str, old: str | None, slot: Slot | None) -> str:
    """Return a claim's words with a new value in the place of the old one."""
    if slot is None or slot.value is None or slot.value == old:
        return claim
    if old and old in claim:
        return claim.replace(old, slot.value)
    return f"{slot.key.attribute}: {slot.value}"


def digest(verb: str, arguments: Mapping[str, object]) -> bytes:
    """Return the fingerprint of a call's body, to tell a retry from another write under the same key (R46)."""
    body = json.dumps([verb, arguments], sort_keys=True, default=_spelled, ensure_ascii=True)
    return hashlib.blake2b(body.encode(), digest_size=16).digest()


def _spelled(value: object) -> object:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Slot):
        return [str(value.key), value.value, value.unset]
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable):
        return list(value)
    return repr(value)
