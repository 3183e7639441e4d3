"""What a claim may override by name (R13)."""

from __future__ import annotations

from collections.abc import Sequence

from stead.errors import Forbidden, OverrideCycle
from stead.memory.desk import Desk
from stead.store.values import Revision


def refuse_cycle(desk: Desk, holders: Sequence[int], targets: list[Revision]) -> None:
    """Refuse targets that, by name and through others, already override a record that holds the claim (R13)."""
    seen: set[int] = set()
    level = [each.record for each in targets]
    while level:
        if not set(holders).isdisjoint(level):
            raise OverrideCycle("overrides: what already says this is overridden by its own target", field="overrides")
        seen.update(level)
        level = [edge.target for edge in desk.store.edges(level, kind="overrides") if edge.target not in seen]


def refuse_higher(new: Revision, targets: list[Revision]) -> None:
    """Refuse targets of a higher authority than the claim that would override them (R10, R13)."""
    for place, target in enumerate(targets):
        if target.rank > new.rank:
            raise Forbidden(
                f"overrides[{place}]: {target.id} stands on higher authority", field="overrides",
                hint="Higher authority is never covered (R10); ask its owner to change it.",
            )  # fmt: skip
