"""The history of a chain as a tree: the newest record on top, below it its revisions and what it replaced (R28)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, cast

from rich.text import Text
from rich.tree import Tree

from stead.model.record import LAID
from stead.surfaces.cli.output import clean, draw, moment

if TYPE_CHECKING:
    from stead import Record, Subject

_DEEPEST: Final = 8
"""Branches in branches; a longer chain goes on beside its top, so that a line never runs out of the terminal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One record of a chain, as far as the page goes."""

    name: str
    revisions: list[Record]
    above: str | None
    """What replaced it last; a rollback takes the pointer away, but the link is still worth drawing."""
    below: list[str] = field(default_factory=list)
    """What it replaced, the newest first."""

    @property
    def newest(self) -> Record:
        """Return how it stood last."""
        return self.revisions[-1]


Chain = Mapping[str, Link]
Rules = Mapping[tuple[str, datetime], str]
"""By which rule a record got a revision: by its id and the instant since which that is known."""


def linked(revisions: Sequence[Record]) -> Chain:
    """Return the records of a page of history by id, in the order in which they first occur in it."""
    rows: dict[str, list[Record]] = {}
    for each in revisions:
        rows.setdefault(each.id, []).append(each)
    chain = {name: Link(name=name, revisions=found, above=_replaced_by(found)) for name, found in rows.items()}
    for name in reversed(list(chain)):
        above = chain[name].above
        if above in chain and above != name:
            chain[above].below.append(name)
    return chain


def _replaced_by(rows: Sequence[Record]) -> str | None:
    return next((each.superseded_by for each in reversed(rows) if each.superseded_by), None)


def rules_of(subject: Subject, chain: Chain) -> Rules:
    """Return by which rule each revision came about, from the log (R20)."""
    found: dict[tuple[str, datetime], str] = {}
    for name in chain:
        for row in cast("list[dict[str, Any]]", subject.why(name)["decisions"]):
            found[name, datetime.fromisoformat(row["known_at"])] = row["rule"]
    return found


def downwards(chain: Chain) -> Iterator[tuple[Link, int]]:
    """Go through a chain from what nothing replaced to what it replaced, the newest first, each once; with its depth."""
    tops = [name for name, link in chain.items() if link.above not in chain or link.above == name]
    seen: set[str] = set()
    for start in (*reversed(tops), *reversed(list(chain))):  # what replaced each other in a circle has no top
        waiting = [(start, 0)]
        while waiting:
            name, depth = waiting.pop()
            if name in seen:
                continue
            seen.add(name)
            yield chain[name], depth
            waiting += [(each, depth + 1) for each in reversed(chain[name].below)]


def draw_history(chain: Chain, rules: Rules) -> None:
    """Print the chain."""
    drawn: dict[str, Tree] = {}
    tops: list[Tree] = []
    for link, depth in downwards(chain):
        tree = drawn[link.name] = Tree(Text(_headed(link, depth)), guide_style="dim")
        for before, each in zip((None, *link.revisions), link.revisions, strict=False):
            tree.add(Text(_line(each, before, rules.get((each.id, each.tx_from)))))
        if not depth:
            tops.append(tree)
        else:
            (drawn[link.above or ""] if depth % _DEEPEST else tops[-1]).children.append(tree)
    for tree in tops:
        draw(tree)


def standing(each: Record) -> Sequence[tuple[datetime | None, datetime | None]]:
    """Return where a revision stands: what is retracted, rejected or only proposed stands nowhere (R3)."""
    return each.stands if each.status in LAID else ()


def _headed(link: Link, depth: int) -> str:
    replaced = "replaced " if depth else ""
    return f"{replaced}{link.name}  {link.newest.status}  {clean(link.newest.claim)}"


def _line(each: Record, before: Record | None, rule: str | None) -> str:
    spans = ", ".join(f"{moment(start, 'open')} → {moment(end, 'open')}" for start, end in standing(each)) or "nowhere"
    replaced = f"  replaced by {each.superseded_by}" if each.superseded_by else ""
    ruled = f"  rule {rule}" if rule else ""
    where = f"  in {each.scope or 'every scope'}" if before is not None and before.scope != each.scope else ""
    claim = f"  {clean(each.claim)}" if before is not None and before.claim != each.claim else ""
    known = f"known {moment(each.tx_from, exact=True)} → {moment(each.tx_until, 'now', exact=True)}"
    who = f"by {clean(each.speaker)} ({each.authority})"
    return f"{known}  {each.status}  stands {spans}  {who}{replaced}{ruled}{where}{claim}"
