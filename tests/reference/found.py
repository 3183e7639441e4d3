"""Short histories in which the store and the reference once differed; each was cut down from a random one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tests.reference.author import Op

SAID: Final[dict[str, Any]] = {
    "attribute": "x.a",
    "scope": "",
    "speaker": "ana",
    "authority": "stated",
    "start": None,
    "end": None,
    "expires": None,
    "corrected": None,
}


def said(label: int, day: int, value: str | None, start: int | None = None, end: int | None = None, **rest: Any) -> Op:
    return Op(label, day, "remember", SAID | {"value": value, "start": start, "end": end} | rest)


def on(label: int, day: int, verb: str, record: int, **rest: Any) -> Op:
    return Op(label, day, verb, {"record": record} | rest)


def repaired(label: int, day: int, verb: str, record: int, value: str, start: int | None = None) -> Op:
    return on(label, day, verb, record, value=value, start=start)


def neither(label: int, day: int) -> Op:
    return Op(label, day, "neither", {"among": 0})


FOUND: Final[Mapping[str, tuple[Op, ...]]] = {
    "R26: an answer that gave a record its scope isn't taken back while a later one has given it another": (
        said(2, 5, "p", 10, 16, speaker="cy", authority="confirmed"),
        said(19, 7, "q", 9, speaker="ben"),
        Op(33, 9, "both", {"among": 59, "scopes": ["z", "w/v", "w", None]}),
        Op(35, 10, "end", {"attribute": "x.a", "scope": "", "when": None}),
        said(37, 10, None, 5, speaker="cy"),
        said(40, 10, "r", None, 13, expires=14),
        Op(45, 10, "both", {"among": 18, "scopes": [None, "z", "w/v", ""]}),
        Op(51, 11, "both", {"among": 23, "scopes": ["z", None, "z", "z"]}),
        Op(58, 11, "both", {"among": 63, "scopes": ["w", "w/v", "", "w"]}),
        Op(77, 13, "undo", {"among": 73}),
    ),
    "R28: what a record had ended before an answer moved it comes back when its correction is rolled back": (
        said(1, 6, "q", end=11, corrected=True),
        said(10, 8, "q", 9, 11, authority="confirmed"),
        said(17, 10, "p", 0, scope="w/v"),
        said(24, 10, "R\t S", 1, speaker="ben", authority="inferred"),
        on(25, 10, "confirm", 24),
        Op(26, 10, "both", {"among": 57, "scopes": ["", "w/v", "", "w"]}),
        repaired(29, 10, "correct", 24, "p"),
        on(34, 11, "rollback", 17),
    ),
    "R28: what was corrected twice stands again, and neither correction": (
        said(0, 7, "p", 2),
        repaired(1, 8, "correct", 0, "q"),
        repaired(2, 9, "correct", 1, "r"),
        on(3, 10, "rollback", 0),
        on(4, 11, "rollback", 1),
    ),
    "R28: a successor that was corrected goes with its correction": (
        said(0, 7, "p", 2),
        said(1, 8, "q", 4),
        repaired(2, 9, "correct", 1, "r"),
        on(3, 10, "rollback", 0),
    ),
    "R28: a successor that was corrected after it had ended goes with its correction": (
        said(0, 7, "p", 2),
        said(1, 8, "q", 4),
        said(2, 9, "s", 6),
        repaired(3, 10, "correct", 1, "r"),
        on(4, 11, "rollback", 0),
    ),
    "R26: superseded records that are still contested over a past stretch are asked about": (
        said(0, 7, "p", 2),
        said(1, 8, "q", speaker="ben"),
        said(2, 8, "r s", 11, authority="confirmed"),
    ),
    "R28: rolling a correction back gives back all that it had wiped": (
        said(0, 7, "q", 11),
        said(1, 8, "p", 6, 11, authority="system_of_record"),
        said(2, 9, "q", 4, speaker="cy", corrected=True),
        on(3, 10, "rollback", 1),
    ),
    "R26: neither is kept, and one of them was superseded before": (
        said(0, 5, "p", 0),
        said(1, 5, "q", 0, 5, speaker="ben"),
        said(2, 6, "r s", 5),
        neither(3, 7),
    ),
    "R46: a proposal for another interval is another proposal": (
        said(0, 5, "p", 7, 13, authority="inferred"),
        said(1, 5, "p", 3, 8, authority="inferred"),
    ),
    "R21: what holds only until it expires does not already say what has no expiry": (
        said(0, 8, "q", 8, expires=11, speaker="ben", authority="confirmed"),
        said(1, 8, "q", 9),
    ),
    "R21: what holds over a part only does not already say it": (
        said(0, 8, "q", 0, 10, authority="confirmed"),
        said(1, 8, "p", 10),
        said(2, 8, "q", 5),
    ),
    "R10: a late arrival is not contested beyond its own end": (
        said(0, 5, "q", 5, speaker="cy", authority="system_of_record"),
        said(1, 7, "r s", 9, 12, corrected=True),
        said(2, 8, "p", 1, speaker="cy"),
    ),
    "R10: a late arrival ends nothing beyond its own end": (
        said(0, 5, "q", 5, speaker="cy", authority="system_of_record"),
        said(1, 7, "r s", 9, 12, corrected=True),
        said(2, 8, "p", 1, speaker="cy", authority="confirmed"),
    ),
    "R28: what superseded a correction supersedes what the correction gives back": (
        said(0, 5, "q", 4, 9),
        repaired(1, 7, "correct", 0, "r s", 3),
        said(2, 8, "p", 2, authority="confirmed", speaker="ben"),
        on(3, 8, "rollback", 0),
    ),
    "R10: a rollback lifts one end, not the end that the next one would have caused, retracted or not": (
        said(0, 5, "p", 0),
        said(1, 5, "q", 3),
        said(2, 5, "r s", 6),
        on(3, 5, "retract", 2),
        on(4, 5, "rollback", 0),
    ),
    "R21: a proposal in another spelling is the same proposal": (
        said(0, 5, "R\t S", 9, authority="external"),
        said(1, 5, "r s", 9, authority="external"),
    ),
    "R22: what a record changed to is not born expired": (
        said(0, 5, "p", 7, 11, expires=9),
        repaired(1, 10, "change", 0, "p", 10),
    ),
    "R28: rolling back after neither was kept lets it hold again": (
        said(0, 5, "p", 0, 9),
        said(1, 5, "q", 0, 9, speaker="ben"),
        neither(2, 6),
        on(3, 7, "rollback", 0),
    ),
    "R46: a proposal for another slot is another proposal": (
        said(0, 5, "p", 1, authority="inferred"),
        said(1, 5, "p", 1, authority="inferred", attribute="x.b"),
    ),
    "R3: a correction that was undone may be revived": (
        said(0, 5, "p"),
        repaired(1, 5, "correct", 0, "r s"),
        on(2, 6, "rollback", 0),
        on(3, 7, "rollback", 1),
    ),
    "R46: an open statement that is hidden is no head": (
        said(0, 6, "p", 2, speaker="cy", authority="system_of_record"),
        repaired(1, 6, "change", 0, "r s"),
        on(2, 6, "rollback", 0),
        said(3, 7, "r s", speaker="ben", authority="confirmed", corrected=True),
        on(4, 14, "rollback", 1),
        said(5, 23, "p", speaker="cy", authority="system_of_record"),
    ),
    "R28: rolling back what a rollback retracted leaves bystanders alone": (
        said(0, 5, "q", 0, authority="confirmed", speaker="cy"),
        said(1, 9, "r s", 9, authority="confirmed", speaker="cy"),
        said(2, 9, "p", 10, authority="system_of_record"),
        on(3, 15, "rollback", 0),
        on(4, 17, "rollback", 1),
    ),
    "R28: a rollback leaves an ended record of the slot alone": (
        said(0, 5, "p", 6, 12, speaker="ben"),
        said(1, 5, "q", 9, 14, speaker="cy", corrected=True),
        on(2, 6, "end", 0, when=6),
        said(3, 6, "p", 0),
        said(4, 6, "q", 20),
        on(5, 7, "rollback", 3),
    ),
    "R28: a record that was wiped by a correction that was corrected in its turn comes back": (
        said(0, 8, "p", 5),
        said(1, 9, "r s", 2, corrected=True),
        repaired(2, 11, "correct", 1, "p"),
        on(3, 11, "rollback", 0),
    ),
    "R22: a record corrected twice comes back": (
        said(0, 8, "p", 5),
        repaired(1, 9, "correct", 0, "q"),
        repaired(2, 10, "correct", 1, "r s"),
        on(3, 11, "rollback", 0),
    ),
    "R28: a superseded record that was corrected comes back, step by step": (
        said(0, 5, "q", 3),
        said(1, 6, "r s", 6),
        repaired(2, 6, "correct", 0, "p"),
        on(3, 8, "rollback", 0),
        on(4, 10, "rollback", 0),
    ),
    "R21: of two speakers who say so, one outlasts the new claim": (
        said(0, 5, "q", 0, 9, expires=8),
        said(1, 5, "q", 0, 10, speaker="ben"),
        said(2, 6, "q", 2, 8, speaker="cy"),
    ),
    "R22: a correction that is revived repairs its portion again": (
        said(1, 5, "q", speaker="ben", authority="confirmed"),
        on(8, 6, "end", 1, when=8),
        said(9, 6, "p", authority="confirmed"),
        said(14, 7, None, 10, 12, speaker="ben", authority="external", corrected=True),
        on(18, 7, "confirm", 14),
        said(19, 7, "p", 8, speaker="ben", corrected=True),
        on(22, 8, "rollback", 9),
        on(29, 9, "rollback", 19),
        on(30, 10, "rollback", 14),
        said(31, 10, " P", speaker="ben", authority="confirmed"),
    ),
    "R26: what keeping one claim uncovers is ended there too": (
        said(0, 8, "q", 0),
        said(1, 8, "p", 0, speaker="ben"),
        said(2, 8, "r s", 3, 6, speaker="ben"),
        on(3, 9, "settle", 0),
    ),
    "R23: what is hidden after all is decided before what it ends uncovers": (
        said(6, 5, "R\t S", 1, speaker="cy", authority="confirmed"),
        on(7, 5, "retract", 6),
        said(12, 5, "p", corrected=True),
        on(22, 7, "rollback", 6),
        said(25, 7, " P", end=8, expires=8, authority="system_of_record", corrected=True),
        said(27, 7, "r s", 5),
    ),
}
