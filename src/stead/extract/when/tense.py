"""Whether the words before a time speak of what has been: only what English says plainly, by its verbs."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

_PAST: Final = (
    "was were did had went spent took left came knew ran saw got met made began became bought brought built chose drove ate fell "
    "felt found flew forgot gave grew heard held kept led lost paid sold sent slept spoke stood taught told thought understood "
    "woke won wrote broke swam sang rode rose wore hurt"
).split()
_PARTICIPLES: Final = (
    "been known seen taken gone done written driven eaten given grown chosen spoken begun become come run".split()
)
_PRESENT: Final = (
    "will shall won't can can't should may might must need needs want wants plan plans hope hopes going let's please have has "
    "intend would like live work am is are be isn't aren't i'm we're they're you're do does don't doesn't"
).split()
_NO_VERBS: Final = "need bed red feed speed seed wed indeed hundred sacred shed sled breed weed greed agreed".split()


@cache
def _marks() -> re.Pattern[str]:
    past, present = "|".join(_PAST), "|".join(sorted(_PRESENT, key=len, reverse=True))
    # "I'm scheduled", "is planned": a form of "be" takes its participle along
    return re.compile(
        rf"(?P<now>\b(?:{present})(?![\w'\u2019])(?:\s+\w+ed\b)?|['\u2019](?:ll|m|re)\b(?:\s+\w+ed\b)?)"
        rf"|(?P<past>\b(?:{past}|(?!(?:{'|'.join(_NO_VERBS)})\b)[a-z]{{2,}}ed)\b)",
        re.IGNORECASE,
    )


@cache
def _perfect() -> re.Pattern[str]:
    done = "|".join((*_PAST, *_PARTICIPLES))
    return re.compile(
        rf"(?:\b(?:have|has|haven't|hasn't)|['\u2019](?:ve|s))\s+(?:\w+ly\s+|just\s+|already\s+|always\s+|never\s+|not\s+)?"
        rf"(?:{done}|\w+ed)\b[^.,;!?]*\Z",
        re.IGNORECASE,
    )


def _clause(text: str) -> str:
    """Return what stands before a time in its own sentence."""
    return re.split(r"[.;!?\n]", text)[-1]


def past(before: str) -> bool:
    """Tell whether the last verb before a time is in the past: "I moved to Lisbon in", "we met on"."""
    marks = list(_marks().finditer(_clause(before)))
    return bool(marks) and marks[-1]["past"] is not None


def perfect(before: str) -> bool:
    """Tell whether what goes on until now is spoken of: "I've lived here for"."""
    return _perfect().search(_clause(before)) is not None
