"""A candidate without secrets: in its claim, its slot, and every name and pointer that is stored beside it (R15)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from stead.errors import InvalidArgument
from stead.memory.candidate import Candidate
from stead.model.slot import Slot
from stead.policy.guards import redact

MARKER = re.compile(r"\[redacted: [a-z0-9_]+\]")
_WORD = re.compile(r"[^\W_]{2,}")
_SHORTEST = 4
"""Characters: what is shorter is no secret of its own, and would be found in other words."""


def scrubbed(candidate: Candidate) -> tuple[Candidate, set[str]]:
    """Return a candidate without secrets, and the traits that say what was found.

    What was cut from one part is cut from all others too: a password that the claim names is also the slot's value.
    """
    slot = candidate.slot
    check_names(
        purpose="\n".join(candidate.purpose or ()), audience="\n".join(candidate.audience or ()),
        sensitivity=candidate.sensitivity, attribute=None if slot is None else slot.key.attribute, scope=candidate.scope,
    )  # fmt: skip
    parts = {"claim": candidate.claim, "speaker": candidate.speaker, "trigger": candidate.trigger}
    if slot is not None:
        parts |= {"entity": slot.key.entity, "object": slot.key.object, "value": slot.value or ""}
    for name in ("conversation", "turn", "uri", "owner", "category"):
        parts[name] = getattr(candidate, name) or ""
    events = candidate.review_events
    if not redact("\n".join([*parts.values(), *events])).found and not any(
        redact(each).found for each in _alone(parts.values(), events)
    ):
        return candidate, set()
    cut = [secret for text in (*parts.values(), *events) for secret in _secrets(text)]
    safe = {name: _without(text, cut) for name, text in parts.items()}
    if safe == parts and tuple(_without(each, cut) for each in events) == events:
        return candidate, set()
    if slot is not None:
        key = slot.key
        slot = Slot(
            key.attribute, entity=safe["entity"], object=safe["object"], value=safe["value"] or None, unset=slot.unset
        )
    emptied = not _WORD.search(MARKER.sub(" ", safe["claim"]))
    emptied = emptied or (bool(parts.get("value")) and not MARKER.sub("", safe["value"]).strip())
    new = replace(
        candidate, claim=safe["claim"], slot=slot, speaker=safe["speaker"], trigger=safe["trigger"],
        conversation=safe["conversation"] or None, turn=safe["turn"] or None, uri=safe["uri"] or None,
        owner=safe["owner"] or None, category=safe["category"] or None,
        review_events=tuple(_without(each, cut) for each in events),
    )  # fmt: skip
    return new, {"secret", "secret_only"} if emptied else {"secret"}


def _alone(*groups: Iterable[str]) -> Iterable[str]:
    """Return the texts that are long enough to be a token by themselves."""
    return (text for group in groups for text in group if len(text) >= 16 and " " not in text)


def _secrets(text: str) -> list[str]:
    """Return what redacting cuts from a text."""
    safe = redact(text).text
    if safe == text:
        return []
    found: list[str] = []
    place = 0
    kept = MARKER.split(safe)
    for before, after in pairwise(kept):
        start = text.index(before, place) + len(before)
        end = text.index(after, start) if after else len(text)
        found.append(text[start:end])
        place = end
    return [each for each in found if len(each) >= _SHORTEST]


def _without(text: str, secrets: Iterable[str]) -> str:
    safe = redact(text).text
    for secret in secrets:
        safe = safe.replace(secret, "[redacted: secret]")
    return safe


def check_names(**names: str | None) -> None:
    """Refuse a key or an id that carries a secret: it is stored as it is, and cutting it would make another one of it.

    Raises
    ------
    InvalidArgument
    """
    for field, text in names.items():
        if text and redact(text).found:
            raise InvalidArgument(field, "carries what looks like a secret", "Use an id that says nothing.")
