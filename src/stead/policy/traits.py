"""Everything that a route's conditions may name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

MEANINGS: Final[Mapping[str, str]] = {
    # what the words are
    "forget": "asks that something be forgotten, or denies having said it (R27)",
    "take_back": "takes back what was said in the same conversation",
    "question": "stands in a question",
    "hypothetical": "is only supposed",
    "quote": "is what somebody else said",
    "third_party": "is somebody else's word about the subject",
    "irony": "is marked as not meant",
    "mood": "is a mood or a state of the moment",
    "aside": "is about this conversation only",
    "past_event": "tells what happened and doesn't last",
    "task_only": "holds for one order, task or document",
    "summary": "sums up a document",
    "uncertain": "was read between the lines",
    "plan": "is a plan",
    "standing": "is a standing order to the agent",
    "remember": "was asked to be remembered",
    "unresolved_time": "has words of time that can't be resolved",
    # where it comes from
    "inferred": "is a model's reading",
    "external": "comes from a third party, a page or a tool",
    "unconfirmed": "stands on no word of the subject (R2)",
    "deliberate": "was set or confirmed on purpose, or read from a system of record",
    "recalled": "is what recall itself returned",
    "flood": "is one more than its origin may bring",
    "rejected_before": "is an inference that the subject has rejected",
    "taken_back": "was taken back or corrected in the same session (R18)",
    # what the guards found
    "secret": "carried a secret, which is redacted",
    "secret_only": "was nothing but a secret",
    "override": "tries to take the agent over",
    "instruction": "reads as an instruction to the agent",
    # what the policy and the subject say
    "personalisation_off": "is about a subject that isn't to be remembered (R16)",
    "no_consent": "is of a sensitive class that the subject has not opted into",
    "no_purpose": "is of a category that may not be kept for its purpose",
    "expired": "was over before it was written",
    "no_expiry": "has no end, and its category demands one (R4)",
    "asks_first": "is of a category that asks first",
    "session": "was found in a conversation; not a call of its own",
}
"""Each trait with what a candidate is that has it."""

TRAITS: Final = frozenset(MEANINGS)
