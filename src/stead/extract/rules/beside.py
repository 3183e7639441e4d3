"""What is told by the way: "my wife Anna", wherever it stands in a clause."""

from __future__ import annotations

from typing import Final

from stead.extract.rules.clause import Clause
from stead.extract.rules.extents import Choices
from stead.extract.rules.listing import Found, more
from stead.extract.rules.patterns import Compiled, fit
from stead.extract.rules.subject import Subject
from stead.extract.rules.text import Words

_NONE: Final[Choices] = frozenset()
_NAMING: Final = frozenset("call calls called calling name names named naming".split())
"""After them a name is given, not told: "I'd call my daughter Ida"."""
_OWNERS: Final = frozenset({"my", "our"})


def beside(compiled: Compiled, words: Words, clause: Clause, owner: str) -> list[Found]:
    """Return what is told by the way: "my wife Anna", wherever it stands in a clause."""
    found: list[Found] = []
    if words.casual:
        return found
    if _OWNERS.isdisjoint(words.low[clause.first : clause.last]):
        return found
    likely = compiled.bare.likely(frozenset(words.low[clause.first : clause.last]))
    for at in range(clause.first, clause.last - 2):
        if words.low[at] not in ("my", "our") or words.low[at - 1] in _NAMING:
            continue
        subject = Subject(owner, at + 1, "owned", at + 1)
        for template in likely:
            laid = fit(
                words,
                template,
                at + 1,
                clause.last,
                compiled.choices.get(template.attribute, _NONE),
                skip=0,
                tight=False,
            )
            if laid is not None:
                one = Found(laid, subject, None)
                begin = laid.spans.get("object", (0, 0))[0]
                plural = any(low.endswith("s") or low == "children" for low in words.low[max(begin - 2, 0) : begin])
                found.append(Found(laid, subject, None, more(compiled, words, clause, one)) if plural else one)
                break
    return found
