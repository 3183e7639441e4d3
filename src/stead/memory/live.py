"""Systems of record that are read live: asked at recall, they win over memory (R17, R23)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from functools import partial

from stead.model.authority import Authority
from stead.model.context import Fact
from stead.model.period import Period
from stead.model.slot import Slot, SlotKey, SlotValue, normal, plain
from stead.policy.guards import hostile, redact
from stead.policy.policy import ANY
from stead.recall.ask import Ask
from stead.recall.items import moment
from stead.recall.names import Names
from stead.store.protocol import ReadTx
from stead.store.values import AGENT

LiveReader = Callable[[str, SlotKey], SlotValue | None]
"""Given a subject's name and a slot, returns the value that the system holds; None where it holds none."""


_LONGEST = 2_000
"""Characters of a value."""


def by_entity(readers: Mapping[tuple[str, str], LiveReader], names: Names) -> Mapping[tuple[str, str], LiveReader]:
    """Return systems of record by the entity that theirs means now; each is still asked by its own name (R21)."""
    found = dict(readers)
    for (entity, attribute), reader in readers.items() if names.means else ():
        found.setdefault((names.entity(entity), attribute), partial(_ask_of, reader, entity))
    return found


def _ask_of(reader: LiveReader, entity: str, subject: str, key: SlotKey) -> SlotValue | None:
    return reader(subject, replace(key, entity=entity))


def live_values(
    readers: Mapping[tuple[str, str], LiveReader], facts: list[Fact], ask: Ask, store: ReadTx
) -> tuple[list[Fact], tuple[str, ...]]:
    """Return the facts with what the systems of record say now in the place of what is remembered.

    Only what this reader is served anyway, or what nothing is remembered about, is read: consent, audience, purpose and
    budget hold for a live value too. A reader that fails, whatever it raises or returns, leaves the remembered value, and
    the note says so. Nothing is written.
    """
    served: list[Fact] = []
    notes: list[str] = []
    for each in facts:
        key = SlotKey(entity=each.entity or "", attribute=each.attribute or "", object=each.object or "")
        reader = readers.get((key.entity, key.attribute))
        now, note = (each, "") if reader is None else _read(reader, key, each, ask)
        served += [now] if now is not None else []
        notes += [note] if note else []
    reader = None if ask.slot is None else readers.get((ask.slot.entity, ask.slot.attribute))
    if ask.slot is not None and reader is not None and not facts and _is_unknown(ask, ask.slot, store):
        now, note = _read(reader, ask.slot, None, ask)
        served += [now] if now is not None else []
        notes += [note] if note else []
    return served, tuple(notes)


def _is_unknown(ask: Ask, key: SlotKey, store: ReadTx) -> bool:
    """Tell whether nothing is remembered in a slot that this reader could be kept from, and its class is allowed."""
    category = ask.policy.category(None, Slot(key.attribute, entity=key.entity, object=key.object))
    limited = ANY not in category.purposes and ask.purpose not in category.purposes
    if not ask.budget.facts or category.sensitivity in ask.denied or limited:
        return False
    slots = [row.n for row in store.slots(ask.subject.n, key, ask.scopes)]
    return not slots or not store.laid(slots, Period(ask.at, ask.at + 1), None)


def _read(reader: LiveReader, key: SlotKey, remembered: Fact | None, ask: Ask) -> tuple[Fact | None, str]:
    what = "this is the remembered value" if remembered else "nothing is remembered"
    try:
        value = reader(ask.subject.name, key)
    except Exception as error:  # noqa: BLE001 - whatever a foreign system raises, memory answers
        return remembered, f"{key.attribute}: the system of record failed ({type(error).__name__}); {what}"
    if value is None:
        return None, f"{key.attribute}: the system of record holds no value" if remembered else ""
    said = plain(value).strip() if isinstance(value, str | int | float | bool) else ""
    if not said or len(said) > _LONGEST or redact(said).found or hostile(said):
        return remembered, f"{key.attribute}: the system of record gave no value that can be served; {what}"
    if remembered is not None and remembered.value is not None and normal(remembered.value) == normal(said):
        return replace(remembered, rule="live"), ""
    note = f"{key.attribute}: read live; the remembered value differs" if remembered else ""
    return _fact(key, said, remembered, ask), note


def _fact(key: SlotKey, value: str, remembered: Fact | None, ask: Ask) -> Fact:
    return Fact(
        id=f"live:{key.attribute}", claim=f"{key.attribute}: {value}", kind="fact",
        category=remembered.category if remembered else ask.policy.category(None, Slot(key.attribute)).name, scope=ask.scopes[0],
        entity=key.entity, attribute=key.attribute, object=key.object or None, value=value,
        authority=str(Authority.SYSTEM_OF_RECORD), speaker="system of record",
        audience=remembered.audience if remembered else (AGENT,), observed_at=moment(ask.known_at), age=timedelta(0),
        valid_from=moment(ask.at), valid_until=None, sources=(), tier="hot", rule="live",
        score=remembered.score if remembered else 0.0,
    )  # fmt: skip
