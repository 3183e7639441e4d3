"""The single-valued relations of general English, read once from ``relations.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A relation with one answer at a time."""

    name: str
    accepts: frozenset[str]
    """Kinds of answers, as `Answer.kind` names them."""
    lasts: bool
    """Only limits of time belong to the question; a place or a manner is a detail."""
    event: bool
    """It speaks of an event or a schedule, so that the tense doesn't matter."""
    place: bool
    """The answer is a place."""
    once: bool
    """It happens once: when and where are other questions and limit nothing."""


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads((resources.files("stead.resolve.text") / "relations.toml").read_text(encoding="utf-8"))


@cache
def single_relations(passive: bool) -> Mapping[str, Relation]:
    """Return the relations by verb and preposition: ``work at``."""
    found: dict[str, Relation] = {}
    for key, text in _data()["passive" if passive else "active"].items():
        name, _, marks = text.partition(":")
        flags = frozenset(marks.split())
        kinds = flags & frozenset("ndbiat")
        found[key.replace("_", " ")] = Relation(
            name=name.strip(),
            accepts=kinds,
            lasts="s" in flags,
            event="e" in flags,
            place="p" in flags,
            once="o" in flags,
        )
    return found


def belonging(noun: str) -> str:
    """Return what "is a … of X" asks: a citizen's citizenship, a subsidiary's parent; "" for other nouns."""
    found: str = _data()["belonging"].get(noun, "")
    return found


def same_question(relation: str) -> str:
    """Return the one name of a relation that is asked in several ways: a birthplace is where one was born.

    >>> same_question("birthplace"), same_question("employer"), same_question("author")
    ('be born in', 'work at', 'author')
    """
    found: str = _data()["same"].get(relation, relation)
    return found


@cache
def asked_as(relation: str) -> frozenset[str]:
    """Return the other names under which a question is asked: "birthplace" of "be born in"."""
    return frozenset(name for name, target in _data()["same"].items() if target == relation)


def maker(verb: str) -> str:
    """Return whom a verb makes of its subject: who writes a work is its author; "" for other verbs."""
    found: str = _data()["makers"].get(verb, "")
    return found
