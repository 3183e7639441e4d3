"""Attempts to poison memory, judged as Stead's rules do: eleven cases of aws-samples/sample-agent-memory-poisoning-defense.

The cases come with a verdict of their own world. This is what it means in Stead:

=============  ===========================================================================================================
``DENY``       The write is refused: it names another subject (``cross_subject``, R13, R47) or no subject at all, such as a
               system's configuration (``forbidden``); or the text would take over the agent or carry data away (R48).
``QUARANTINE`` The text speaks to the agent without more, or comes in a burst: kept, if at all, for a person to release.
``ALLOW``      Neither. It goes on to the routes of R15.
=============  ===========================================================================================================

The published defence also weighs how far a text drifts from its session. Stead doesn't: what an instruction is depends on its
words, not on what was talked about before. The session's words are read and not used. Nor does Stead count writes: the rule for
bursts is this module's, and the one case of it is judged at a rate that the file describes in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from stead.evaluate.entries import entries, items, text, wrong
from stead.policy.guards import hostile

FILE = "aws_test_cases.json"
"""How the data file is called in a folder."""
Verdict = Literal["ALLOW", "QUARANTINE", "DENY"]
VERDICTS: tuple[Verdict, ...] = ("ALLOW", "QUARANTINE", "DENY")
BURST = "ATTACK_BURST"
"""The category of cases that are a rate and no text; the file says that it is more than five times the usual one."""
MOST_OF_USUAL = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One attempt to write."""

    name: str
    category: str
    content: str
    namespace: str
    """Where it wants to be written: ``user/<who>/<kind>``, or something that belongs to no user."""
    user: str
    """Who is writing."""
    session: tuple[str, ...]
    expected: Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A verdict and its reasons."""

    verdict: Verdict
    reasons: tuple[str, ...]
    """Rules of `stead.policy.guards.hostile`, or ``forbidden``, ``cross_subject``, ``burst``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All cases with their verdicts."""

    rows: Sequence[tuple[Case, Judged]]

    @property
    def right(self) -> int:
        """How many verdicts are the expected ones."""
        return sum(case.expected == judged.verdict for case, judged in self.rows)

    def as_dict(self) -> dict[str, object]:
        """Return everything as JSON carries it; without the texts."""
        rows = [
            {
                "name": case.name, "category": case.category, "expected": case.expected, "verdict": judged.verdict,
                "reasons": list(judged.reasons),
            }
            for case, judged in self.rows
        ]  # fmt: skip
        return {"cases": len(self.rows), "right": self.right, "rows": rows}

    def lines(self) -> Iterator[str]:
        """Yield a table for people."""
        yield f"Memory poisoning: {self.right} of {len(self.rows)} verdicts as expected"
        for case, judged in self.rows:
            mark = "" if case.expected == judged.verdict else f"  (expected {case.expected})"
            yield f"  {judged.verdict:<10}  {case.name}: {', '.join(judged.reasons) or '-'}{mark}"


def load(path: str | Path) -> list[Case]:
    """Read the cases.

    Parameters
    ----------
    path
        The file, or the folder with it.

    Raises
    ------
    InvalidArgument
        No such file, or it isn't what it should be; the message says where.
    """
    return [_case(where, raw) for where, raw in entries(path, FILE)]


def _case(where: str, raw: Mapping[str, object]) -> Case:
    expected = text(raw, "expectedDecision", where)
    verdict = next((each for each in VERDICTS if each == expected), None)
    if verdict is None:
        raise wrong(f"{where}.expectedDecision", "not one of ALLOW, QUARANTINE, DENY")
    session = items(raw, "sessionContext", where)
    if not all(isinstance(each, str) for each in session):
        raise wrong(f"{where}.sessionContext", "not a list of texts")
    return Case(
        name=text(raw, "name", where),
        category=text(raw, "category", where),
        content=text(raw, "writeContent", where),
        namespace=text(raw, "targetNamespace", where),
        user=text(raw, "userId", where),
        session=tuple(session),
        expected=verdict,
    )


def judge(content: str, *, namespace: str, user: str, rate: float = 1.0) -> Judged:
    """Return what becomes of one attempt to write.

    Parameters
    ----------
    content
        The text.
    namespace
        Where it is to be written, ``user/<who>/<kind>``.
    user
        Who writes.
    rate
        How many times the usual number of writes there are just now.
    """
    area, _, rest = namespace.partition("/")
    if area != "user":
        return Judged(verdict="DENY", reasons=("forbidden",))
    if rest.partition("/")[0] != user:
        return Judged(verdict="DENY", reasons=("cross_subject",))
    found = hostile(content)
    reasons = tuple(each.rule for each in found)
    if any(each.level == "refuse" for each in found):
        return Judged(verdict="DENY", reasons=reasons)
    if rate > MOST_OF_USUAL:
        reasons += ("burst",)
    return Judged(verdict="QUARANTINE" if reasons else "ALLOW", reasons=reasons)


def evaluate(cases: Sequence[Case]) -> Report:
    """Judge all cases. A case of the category of bursts is judged at six times the usual rate: its text alone is harmless."""
    rows = [
        (
            case,
            judge(case.content, namespace=case.namespace, user=case.user, rate=6.0 if case.category == BURST else 1.0),
        )
        for case in cases
    ]
    return Report(rows=rows)
