"""The history of a chain as a tree: the newest record on top, below it its revisions and what it replaced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text
from rich.tree import Tree

from stead.surfaces.cli.output import clean, draw, moment

if TYPE_CHECKING:
    from stead import Record


def draw_history(revisions: Sequence[Record]) -> None:
    """Print the chain to which the revisions belong."""
    chain: dict[str, list[Record]] = {}
    for each in revisions:
        chain.setdefault(each.id, []).append(each)
    above = {name: _replaced_by(rows) for name, rows in chain.items()}
    tops = [name for name in chain if above[name] not in chain or above[name] == name]
    drawn: set[str] = set()
    for name in reversed(tops or list(chain)[-1:]):
        draw(_tree(name, chain, above, drawn))


def _replaced_by(rows: Sequence[Record]) -> str | None:
    """Return what replaced it last; a rollback takes the pointer away, but the chain is still worth drawing."""
    return next((each.superseded_by for each in reversed(rows) if each.superseded_by), None)


def _tree(name: str, chain: dict[str, list[Record]], above: dict[str, str | None], drawn: set[str]) -> Tree:
    drawn.add(name)
    newest = chain[name][-1]
    tree = Tree(Text(f"{name}  {newest.status}  {clean(newest.claim)}"), guide_style="dim")
    before = None
    for each in chain[name]:
        tree.add(Text(_line(each, before)))
        before = each
    for older in reversed(chain):
        if above[older] == name and older not in drawn:
            branch = _tree(older, chain, above, drawn)
            branch.label = (
                Text("replaced ").append_text(branch.label) if isinstance(branch.label, Text) else branch.label
            )
            tree.children.append(branch)
    return tree


def _line(each: Record, before: Record | None) -> str:
    spans = ", ".join(f"{moment(start, 'open')} → {moment(end, 'open')}" for start, end in each.stands) or "nowhere"
    replaced = f"  replaced by {each.superseded_by}" if each.superseded_by else ""
    claim = f"  {clean(each.claim)}" if before is not None and before.claim != each.claim else ""
    known = f"known {moment(each.tx_from, exact=True)} → {moment(each.tx_until, 'now', exact=True)}"
    return f"{known}  {each.status}  stands {spans}  by {clean(each.speaker)} ({each.authority}){replaced}{claim}"
