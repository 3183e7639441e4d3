"""A policy as data: the built-in one with a user's file or mapping laid over it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from stead.errors import InvalidPolicy, NotBuilt
from stead.model.slot import Slot

_LATER = frozenset(
    "categories routes consent sensitivity secrets lifetime retention half_life stakes confirm purposes review_events importance"
    .split()
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What may be remembered, and how."""

    many: frozenset[str]
    """Attributes with one slot per object."""

    def keyed(self, slot: Slot) -> Slot:
        """Return the slot with its value as object where its attribute takes many and none was named."""
        if slot.key.attribute not in self.many or slot.key.object or slot.value is None:
            return slot
        return Slot(slot.key.attribute, entity=slot.key.entity, object=slot.value, value=slot.value)


@cache
def _defaults() -> Mapping[str, Any]:
    text = (resources.files("stead.policy") / "defaults.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def load(given: Policy | Mapping[str, Any] | str | Path | None = None) -> Policy:
    """Return the built-in policy with what is given laid over it.

    Raises
    ------
    InvalidPolicy
        An unknown key, or a value that can't be.
    NotBuilt
        A key of the policy language that a later version will read.
    """
    if isinstance(given, Policy):
        return given
    own = _read(given) if isinstance(given, str | Path) else given or {}
    attributes: dict[str, Any] = {**_defaults()["attributes"]}
    for key, value in own.items():
        if key in _LATER:
            raise NotBuilt(f"policy.{key} comes in a later version")
        if key != "attributes" or not isinstance(value, Mapping):
            raise InvalidPolicy(f"policy.{key}", "unknown key", "This version reads attributes.<name>.cardinality.")
        attributes |= value
    return Policy(many=frozenset(name for name, value in attributes.items() if _is_many(name, value)))


def _read(path: str | Path) -> Mapping[str, Any]:
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except OSError:
        raise InvalidPolicy("policy", "the file can't be read", "Give the path of a TOML file.") from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidPolicy("policy", f"not TOML: {error}", "See docs/reference/policy.md.") from None


def _is_many(name: str, value: object) -> bool:
    if not isinstance(value, Mapping):
        raise InvalidPolicy(f"policy.attributes.{name}", "not a table", 'Write cardinality = "one" or "many" in it.')
    for key in value:
        if key in _LATER:
            raise NotBuilt(f"policy.attributes.{name}.{key} comes in a later version")
        if key != "cardinality":
            raise InvalidPolicy(f"policy.attributes.{name}.{key}", "unknown key", "This version reads cardinality.")
    cardinality = value.get("cardinality", "one")
    if cardinality not in ("one", "many"):
        raise InvalidPolicy(f"policy.attributes.{name}.cardinality", "neither one nor many", "Use one or many.")
    return bool(cardinality == "many")
