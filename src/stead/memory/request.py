"""A call's body in one spelling, to tell a retry from another write under the same key (R46)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import date, datetime

from stead.model.slot import Slot

_DEFAULTS: Mapping[str, object] = {
    "kind": "fact", "authority": "stated", "trigger": "remember", "confidence": 1.0,
    "scope": "",
}  # fmt: skip

_LISTS = frozenset({"overrides", "derived_from", "review_events"})


def given(arguments: Mapping[str, object]) -> dict[str, object]:
    """Return what was really said: without defaults, with each list read once."""
    listed = {name: _once(value) for name, value in arguments.items()}
    kept = {name: value for name, value in listed.items() if not _is_default(name, value)}
    if isinstance(listed.get("source"), str) and listed.get("authority") is not None:
        kept["authority"] = listed["authority"]  # a source by name brings an authority of its own; this one was said
    return kept


def _once(value: object) -> object:
    if isinstance(value, str | bytes | Mapping | Slot) or not isinstance(value, Iterable):
        return value
    return sorted(value, key=str) if isinstance(value, set | frozenset) else list(value)


def _is_default(name: str, value: object) -> bool:
    if value is None or (value == [] and name in _LISTS):
        return True
    return not isinstance(value, bool) and value == _DEFAULTS.get(name)


def digest(verb: str, arguments: Mapping[str, object]) -> bytes:
    """Return the fingerprint of a call's body."""
    said = given(arguments)
    if said.get("meaning") == "changed":  # as keys were made when that was the default
        del said["meaning"]
    body = json.dumps([verb, said], sort_keys=True, default=_spelled, ensure_ascii=True)
    return hashlib.blake2b(body.encode(), digest_size=16).digest()


def _spelled(value: object) -> object:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Slot):
        return [value.key.entity, value.key.attribute, value.key.object, value.value, value.unset]
    return dict(value) if isinstance(value, Mapping) else repr(value)
