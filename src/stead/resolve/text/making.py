"""Frames from their parts, in one spelling."""

from __future__ import annotations

from collections.abc import Iterable

from stead.resolve.text.answers import Answer
from stead.resolve.text.frame import Frame
from stead.resolve.text.relations import same_question


def joined(parts: Iterable[str], *, keep_order: bool = False) -> str:
    """Join what belongs to a question: what is asked first, then its limits in order."""
    kept = [each for each in parts if each]
    return " | ".join(kept if keep_order else kept[:1] + sorted(kept[1:]))


def single_frame(entity: str, relation: str, limits: Iterable[str], value: str) -> Frame:
    """Return a frame of a relation with one answer."""
    relation = same_question(relation)
    return Frame(
        entity=entity, relation=relation, object=" | ".join(sorted(filter(None, limits))), value=value, single=True
    )


def many(entity: str, relation: str, object_: str, value: str = "yes") -> Frame:
    """Return a frame of a relation with many answers: the complement asks, the stance answers."""
    return Frame(entity=entity, relation=relation, object=object_, value=value, single=False)


def denied(entity: str, relation: str, object_: str) -> Frame:
    """Return the frame of "doesn't" and "no longer": what else holds is left open."""
    return many(entity, same_question(relation), object_, "no")


def suffixed(relation: str, reply: Answer, *, place: bool = False) -> str:
    """Return a relation's name with the kind of its answer, where kinds can stand side by side.

    Born in Berlin and born in May answer two questions; so do an answer by name and one by kind ("a bakery").
    """
    if reply.kind == "t" or (reply.kind == "a" and reply.sort != "number"):
        return f"{relation} ({reply.sort})"
    if reply.kind == "i":
        return f"{relation} (kind)"
    if place and reply.kind == "n" and reply.sort:
        return f"{relation} ({reply.sort})"
    return relation
