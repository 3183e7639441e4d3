"""The inbox: what only a person can answer, with the claims side by side, or below each other where the terminal is narrow."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from stead.surfaces.cli.chain_svg import short
from stead.surfaces.cli.output import cell, draw, moment, note, out, print_table

if TYPE_CHECKING:
    from stead import Fact, Question

_SIDE_BY_SIDE: Final = 112
"""Columns that a terminal needs for the claims as rows of one table."""
_CELLS: Final = 28
"""Of a source there; ``--json`` has it whole."""
_HOW: Final = {
    "contested": "stead settle QUESTION --keep RECORD, --neither, or --scope RECORD=SCOPE for each in its own place",
    "clarify": "stead confirm RECORD --valid-from TIME, or stead reject RECORD",
    "confirm": "stead confirm RECORD, or stead reject RECORD",
    "review": "stead confirm QUESTION, or stead reject QUESTION",
}


def draw_questions(found: Sequence[Question]) -> None:
    """Print questions: what each is about, and every claim with its source, date and authority (R26)."""
    narrow = sys.stdout.isatty() and Console(file=sys.stdout).width < _SIDE_BY_SIDE
    for each in found:
        out(f"{each.id}  {each.kind}  {cell(each.slot)}  {_where(each)}  {_when(each)}")
        if narrow:
            _draw_below(each.claims)
        else:
            _draw_beside(each.claims)
        if each.event:
            out(f"  since: {cell(each.event)}")
        if each.withheld:
            out(f"  and {each.withheld} that this reader may not see")
    for kind, how in _HOW.items():
        if any(each.kind == kind for each in found):
            note(f"to answer ({kind}): {how}")


def _where(question: Question) -> str:
    return f"in {cell(question.scope)}" if question.scope else "in every scope"


def _when(question: Question) -> str:
    since, until = moment(question.since), moment(question.until, "open")
    if since == until:  # less than a second long
        since, until = moment(question.since, exact=True), moment(question.until, "open", exact=True)
    return f"{since} → {until}"


def _draw_beside(claims: Sequence[Fact]) -> None:
    print_table(
        ("  record", "authority", "speaker", "observed", "source", "claim"), map(_row, claims), wrap={"claim": 16}
    )


def _row(fact: Fact) -> tuple[str, ...]:
    source = short(_source(fact), _CELLS)
    return f"  {fact.id}", str(fact.authority), fact.speaker, moment(fact.observed_at), source, fact.claim


def _draw_below(claims: Sequence[Fact]) -> None:
    for fact in claims:
        out(f"  {fact.id}")
        said = f"{fact.authority} by {cell(fact.speaker)}, {moment(fact.observed_at)}"
        lines = [cell(fact.claim), said, *filter(None, [_source(fact)])]
        for line in lines:
            draw(Padding(Text(line, overflow="fold"), (0, 0, 0, 4)))


def _source(fact: Fact) -> str:
    """Return where a claim was first said: its conversation and turn, or its address; and how many sources there are more."""
    first = fact.sources[0] if fact.sources else None
    if first is None:
        return ""
    turn = f" turn {cell(first.turn)}" if first.turn else ""
    said = cell(first.uri) if first.uri else cell(first.conversation) + turn
    more = f"and {len(fact.sources) - 1} more" if len(fact.sources) > 1 else ""
    return " ".join(filter(None, [said, more]))
