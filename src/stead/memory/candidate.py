"""Input into a candidate: every parameter is checked here, and refused with its name and the fix (R46)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

from stead.errors import InvalidArgument, InvalidInterval
from stead.model.authority import BY_RANK, Authority
from stead.model.period import FOREVER, Instant, Period
from stead.model.record import Kind, Meaning
from stead.model.scope import checked
from stead.model.slot import Slot, claim_key, valid_text
from stead.model.zone import Reading, TimeInput, checked_reading, instant

MAX_NAME = 500
"""Characters of a speaker, a category, a source and the like."""
MAX_CLAIM = 8_000
"""Characters; a claim is one short sentence, a longer text belongs into an episode."""


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
    importance: float | None
    """None until the gate gives it its category's (R19)."""
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
    meaning_given: bool
    """False: what a contradiction means is read in the words (R22)."""
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
    def text_key(self) -> int:
        """Return what two spellings of the claim share."""
        return claim_key(self.claim)


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
    authority: str | None = None,
    confidence: float = 1.0,
    importance: float | None = None,
    sensitivity: str | None = None,
    source: Mapping[str, str] | str | None = None,
    observed_at: TimeInput | None = None,
    valid_from: TimeInput | None = None,
    valid_until: TimeInput | None = None,
    expires_at: TimeInput | None = None,
    overrides: Iterable[str] = (),
    derived_from: Iterable[str] = (),
    meaning: str | None = None,
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
    checked_reading(reading)

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
        speaker=checked_name(speaker, "speaker") or subject,
        kind=_one_of(Kind, kind, "kind"),
        category=checked_name(category, "category"),
        scope=checked(scope),
        purpose=names(purpose, "purpose"),
        audience=names(audience, "audience"),
        authority=_authority(authority, source),
        confidence=_share(confidence, "confidence"),
        importance=None if importance is None else _share(importance, "importance"),
        sensitivity=checked_name(sensitivity, "sensitivity"),
        conversation=pointer.get("conversation"),
        turn=pointer.get("turn"),
        uri=pointer.get("uri"),
        observed_at=said,
        period=_period(when(valid_from, "valid_from"), when(valid_until, "valid_until"), said),
        expires_at=_within_life(when(expires_at, "expires_at"), now),
        overrides=_ids(overrides, "overrides"),
        derived_from=_ids(derived_from, "derived_from"),
        meaning=Meaning.CHANGED if meaning is None else _one_of(Meaning, meaning, "meaning"),
        meaning_given=meaning is not None,
        review_events=names(tuple(review_events) or None, "review_events") or (),
        owner=checked_name(owner, "owner"),
        trigger=checked_name(trigger, "trigger") or "remember",
    )


WAYS: Mapping[str, Authority] = {
    "settings": Authority.CONFIRMED,
    "profile": Authority.CONFIRMED,
    "system_of_record": Authority.SYSTEM_OF_RECORD,
}
"""The deterministic ways to write, as a source may name them, with the authority that they carry (R17)."""


def _authority(given: str | None, source: object) -> Authority:
    if given is not None:
        return _one_of(Authority, given, "authority")
    return WAYS.get(source, Authority.STATED) if isinstance(source, str) else Authority.STATED


def _claim(claim: str) -> str:
    if not isinstance(claim, str) or not claim.strip():
        raise InvalidArgument("claim", "empty", "Say it as one short declarative sentence.")
    return valid_text(claim, "claim", MAX_CLAIM, "Record long text as turns of a session.").strip()


def _within_life(expires_at: Instant | None, now: Instant) -> Instant | None:
    if expires_at is not None and expires_at <= now:
        raise InvalidInterval("expires_at", "not in the future", "What has expired already would never be served.")
    return expires_at


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


def checked_name(value: str | None, field: str) -> str | None:
    """Return a printable name without the space around it; None stays None."""
    if value is None:
        return None
    if not isinstance(value, str) or not value.strip() or not value.isprintable():
        raise InvalidArgument(field, "not a printable name", "Give text, or leave it out.")
    return valid_text(value.strip(), field, MAX_NAME, "A name is short; long text belongs into a turn.")


def names(value: str | Iterable[str] | None, field: str) -> tuple[str, ...] | None:
    """Return names as a sorted tuple without repetition; None stays None."""
    if value is None:
        return None
    if not isinstance(value, str | Iterable):
        raise InvalidArgument(field, "neither a name nor a list of names", "Give text, a list of it, or leave it out.")
    listed = (value,) if isinstance(value, str) else tuple(value)
    if not listed:
        raise InvalidArgument(field, "empty", "Name somebody, or leave it out for the default.")
    return tuple(sorted({name for each in listed if (name := checked_name(each, field)) is not None}))


def _ids(value: Iterable[str], field: str) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InvalidArgument(field, "not a list of ids", f"Write {field}=['rec_…'].")
    return tuple(dict.fromkeys(str(each) for each in value))


def _source(source: Mapping[str, str] | str | None) -> dict[str, str]:
    if source is None:
        return {}
    if isinstance(source, str) and source in WAYS:
        source = {"uri": source}
    if not isinstance(source, Mapping):
        raise InvalidArgument(
            "source",
            "neither a mapping nor a way to write",
            f"Give conversation, turn or uri; or one of: {', '.join(WAYS)}.",
        )
    unknown = set(source) - {"conversation", "turn", "uri"}
    if unknown:
        raise InvalidArgument("source", "an unknown key", "Use conversation, turn and uri: pointers, not copies.")
    return {
        key: valid_text(str(value), f"source.{key}", MAX_NAME, "A source is a pointer, not a copy.")
        for key, value in source.items()
        if value is not None
    }


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
    found = re.findall(rf"(?<!\w){re.escape(old)}(?!\w)", claim) if old else []
    if len(found) == 1:
        return re.sub(rf"(?<!\w){re.escape(found[0])}(?!\w)", lambda _: str(slot.value), claim)
    return f"{slot.key.attribute}: {slot.value}"


def asked_slot(slot: object) -> Slot:
    """Return what was given as a slot, if it is one.

    Raises
    ------
    InvalidArgument
    """
    if not isinstance(slot, Slot):
        raise InvalidArgument("slot", "not a Slot", "Give stead.Slot('home.city').")
    return slot
