"""What may be kept of a turn's words: the guards, in the order in which they must stand (R15, R48)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stead.memory.desk import Desk
from stead.memory.gate import PERSONALISATION, allowed, denied
from stead.policy.guards import hostile, redact, sensitive
from stead.policy.policy import RouteRule
from stead.recall.render import without_recalled

WITHHELD = "[withheld]"
"""What stands in the place of a sensitive sentence; it doesn't say of which class."""
_SENTENCE = re.compile(r"[^.!?\n]*[.!?\n]+|[^.!?\n]+\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """A turn after the guards."""

    heard: str
    """What extraction may read: without secrets and without memory's own words."""
    text: str
    """What may be stored: also without sensitive sentences that the subject hasn't opted into."""
    secrets: tuple[str, ...] = ()
    withheld: frozenset[str] = frozenset()
    recalled: int = 0
    """Lines that memory itself had returned."""
    away: RouteRule | None = None
    """The rule by which nothing of the turn may be stored."""


def cleaned(desk: Desk, text: str) -> Cleaned:
    """Return what may be kept of a turn.

    What recall returned is cut out first, so that it isn't taken for somebody's order; then secrets are redacted; then the
    text is judged; then what is sensitive is withheld, sentence by sentence.
    """
    own, recalled = without_recalled(text)
    safe = redact(own)
    secrets = tuple(dict.fromkeys(each.kind for each in safe.found))
    consents = desk.store.consents(desk.subject.n)
    traits = {"session"}
    if not allowed(desk.policy, consents, PERSONALISATION):
        traits.add("personalisation_off")
    if not safe.text.strip():
        traits.add("recalled")
    levels = {each.level for each in hostile(safe.text)}
    traits |= {"override"} if "refuse" in levels else {"instruction"} if levels else set()
    kept, withheld = open_sentences(safe.text, denied(desk.policy, consents))
    if len(traits) > 1:
        away = desk.policy.route(frozenset(traits))
        return Cleaned(heard="", text=kept, secrets=secrets, withheld=withheld, recalled=recalled, away=away)
    return Cleaned(heard=safe.text, text=kept, secrets=secrets, withheld=withheld, recalled=recalled)


def open_sentences(text: str, closed: frozenset[str]) -> tuple[str, frozenset[str]]:
    """Return a text with the sentences of closed classes replaced by what was withheld."""
    if sensitive(text).isdisjoint(closed):
        return text, frozenset()
    parts: list[str] = []
    withheld: set[str] = set()
    for sentence in _SENTENCE.findall(text):
        found = sensitive(sentence) & closed
        withheld |= found
        parts.append(f" {WITHHELD} " if found else sentence)
    if not withheld:  # what no sentence says alone, they say together
        withheld = set(sensitive(text) & closed)
        return WITHHELD, frozenset(withheld)
    return "".join(parts).strip(), frozenset(withheld)
