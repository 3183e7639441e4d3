"""YAML read without surprises: a key counts once, and times and numbers stay as written."""

from __future__ import annotations

import re
from typing import Any

import yaml

from stead.timeline.forms import Place

_INT = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z")
_FLOAT = re.compile(r"[-+]?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?\Z")
_TAG = "tag:yaml.org,2002:"


class _Loader(yaml.SafeLoader):
    """YAML 1.1 without its traps: 10:30 is no number in base 60, 0123 is not octal, a date stays text."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode) and key.tag != _TAG + "merge"]
        for position, key in enumerate(keys):
            if key in keys[:position]:
                raise yaml.constructor.ConstructorError(None, None, f"the key {key} stands twice", node.start_mark)
        return super().construct_mapping(node, deep=deep)


_DROPPED = {_TAG + "timestamp", _TAG + "int", _TAG + "float"}
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag not in _DROPPED]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(_TAG + "int", _INT, list("-+0123456789"))
_Loader.add_implicit_resolver(_TAG + "float", _FLOAT, list("-+.0123456789"))


def load(text: str, place: Place) -> object:
    """Return what a YAML text holds.

    Raises
    ------
    InvalidTimeline
        It is not YAML, or a key stands twice in one mapping.
    """
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - a SafeLoader with fewer implicit types
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = "" if mark is None else f", line {mark.line + 1}"
        problem = getattr(error, "problem", None) or "not YAML"
        raise place.refuse("file", f"{problem}{where}", "Correct the YAML.") from None
