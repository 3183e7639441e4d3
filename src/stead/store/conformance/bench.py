"""What a check works with: a store under test, and short ways to write to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from stead.model.period import FOREVER, Instant
from stead.model.slot import SlotKey
from stead.model.words import tokens
from stead.store.opening import open_backend
from stead.store.protocol import Backend, WriteTx
from stead.store.values import EpisodeRow, Revision, SubjectRow

Check = Callable[["Bench"], None]
CHECKS: dict[str, Check] = {}
TENANT = "conformance"


@dataclass(slots=True, kw_only=True)
class Bench:
    """A store under test, with short ways to write to it."""

    address: str
    backend: Backend
    name: str
    made: list[Backend] = field(default_factory=list)

    def again(self, *, tenant: str | None = TENANT, busy_timeout: float = 30.0) -> Backend:
        """Open the same store once more, as another process would."""
        other = open_backend(self.address, tenant=tenant, now=1, create=False, busy_timeout=busy_timeout)
        self.made.append(other)
        return other

    def subject(self, store: WriteTx, suffix: str = "") -> SubjectRow:
        """Return this check's own subject."""
        return store.add_subject(self.name + suffix)


def check(check_of: Check) -> Check:
    """Register a check under its function's name; its docstring begins with the rule that it protects."""
    CHECKS[check_of.__name__] = check_of
    return check_of


def expect(condition: object, what: str) -> None:
    """Fail the check unless the condition holds."""
    if not condition:
        raise AssertionError(what)


def raises(error: type[Exception], act: Callable[[], object], what: str) -> None:
    """Fail the check unless the act raises the error."""
    try:
        act()
    except error:
        return
    raise AssertionError(f"{what}: {error.__name__} was not raised")


def revision(subject: SubjectRow, record: int, tx: Instant, **changes: Any) -> Revision:
    """Return a plain first revision, with changes."""
    values: dict[str, Any] = {
        "record": record, "id": f"rec_{subject.n}x{record}", "subject": subject.n, "slot": None, "scope": "",
        "tx_from": tx, "tx_until": FOREVER, "status": "active", "place": tx, "stated_from": tx, "stated_until": FOREVER,
        "claim": "a claim", "value": None, "unset": False, "speaker": "ana", "rank": 2, "kind": "fact",
        "category": None, "purpose": None, "audience": None, "confidence": 1.0, "importance": 0.5, "sensitivity": None,
        "owner": None, "trigger": "test", "meaning": "changed", "observed_at": tx, "expires_at": None,
        "confirmed_at": None, "confirmed_how": None, "review_events": (), "tier": "hot", "created": tx,
    }  # fmt: skip
    return Revision(**{**values, **changes})


def episode(subject: SubjectRow, turn: str, tx: Instant, **changes: Any) -> EpisodeRow:
    """Return a plain turn, with changes."""
    values: dict[str, Any] = {
        "id": f"epi_{subject.n}x{turn}", "subject": subject.n, "conversation": "c", "turn": turn, "role": "user",
        "speaker": "ana", "text": "some words", "tokens": 0, "said_at": tx, "tx": tx, "scope": "", "purpose": None,
        "audience": None, "rank": 2, "tier": "hot",
    }  # fmt: skip
    return EpisodeRow(**{**values, **changes})


def add(store: WriteTx, subject: SubjectRow, words: str = "a claim", **changes: Any) -> Revision:
    """Write one record at the next instant."""
    tx = store.instant(0)
    return store.add_record(revision(subject, store.next_record(), tx, claim=words, **changes), tokens(words))


KEY = SlotKey(attribute="home.city")


def slotted(store: WriteTx, subject: SubjectRow, scope: str = "", **changes: Any) -> Revision:
    """Write one record with a slot at the next instant."""
    slot = store.bump_slot(subject.n, KEY, scope)
    return add(store, subject, slot=slot.n, scope=scope, value="x", **changes)
