"""A clause of a turn, and the words that tell clauses apart."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

PRONOUNS: Final = frozenset("i we he she they it you there".split())
IF: Final = frozenset("if unless suppose supposing imagine pretend whether assuming".split())
BACKGROUND: Final = frozenset("when while before after until once till where what how why".split())
WH: Final = frozenset("what where when who whom whose why how which".split())
AUX: Final = frozenset(
    "do does did am is are was were have has had can could will would should may might shall".split()
)
TASKS: Final = frozenset(
    "translate write draft rewrite summarize summarise proofread correct rephrase paraphrase edit compose "
    "complete continue repeat parse classify explain analyze analyse convert generate tweet roleplay spell "
    "caption shorten reword simplify expand condense improve critique transcribe".split()
)


@dataclass(slots=True)
class Clause:
    """The words ``[first, last)`` with what leads them in."""

    first: int
    last: int
    lead: str = ""
    traits: set[str] = field(default_factory=set)
    said: int = 0
    """Where its verb of saying stands: before it somebody may be named ("my wife Anna says ...")."""
