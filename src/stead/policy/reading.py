"""A policy file, read strictly: unknown keys and impossible values are named with their place and line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import timedelta
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Final

from stead.errors import InvalidPolicy, SteadError
from stead.model.record import Kind
from stead.model.scope import checked
from stead.policy.policy import SENSITIVE, Attribute, Category, Limits, Policy, Route, RouteRule
from stead.policy.traits import TRAITS

FILES: Final = ("defaults.toml", "ontology/people.toml", "ontology/life.toml")
_LENGTH = re.compile(r"(\d{1,5})([hdwmy])\Z")
_HOURS = {"h": 1, "d": 24, "w": 168, "m": 30 * 24, "y": 365 * 24}
_LONGEST = 1000 * _HOURS["y"]
_SECTIONS = ("categories", "attributes", "routes", "consent", "scopes", "limits")

Check = Callable[[object], Any]


_HEADER = re.compile(r"\[[^\]=]+\]\s*(?:#.*)?\Z")
_KEY = re.compile(r"((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"|'[^']*'))*)\s*=")


class _Wrong(ValueError):
    """An impossible value; says what would be possible."""


@cache
def defaults() -> Mapping[str, Any]:
    """Return the built-in policy as tables."""
    tables: dict[str, Any] = {}
    for name in FILES:
        text = resources.files("stead.policy").joinpath(*name.split("/")).read_text(encoding="utf-8")
        for section, table in tomllib.loads(text).items():
            tables.setdefault(section, {}).update(table)
    return tables


@cache
def _built_in() -> Policy:
    return _policy(defaults(), _Place("the built-in policy"))


def load(given: Policy | Mapping[str, Any] | str | Path | None = None) -> Policy:
    """Return the built-in policy with what is given laid over it, key by key.

    Parameters
    ----------
    given
        A TOML file or a mapping with the same keys; None is the built-in policy alone.

    Raises
    ------
    InvalidPolicy
        An unknown key or a value that can't be; the message names the place and, of a file, the line.
    """
    if isinstance(given, Policy):
        return given
    if given is None or given == {}:
        return _built_in()
    place = _Place("policy")
    if isinstance(given, str | Path):
        given, place = _read(given)
    if not isinstance(given, Mapping):
        raise InvalidPolicy("policy", "neither a mapping nor a file", "Give a dict or the path of a TOML file.")
    return _policy(_laid_over(defaults(), given, place), place)


def _read(path: str | Path) -> tuple[Mapping[str, Any], _Place]:
    try:
        text = Path(path).read_text(encoding="utf-8")
        return tomllib.loads(text), _Place("policy", text)
    except (OSError, UnicodeDecodeError):
        raise InvalidPolicy("policy", "the file can't be read", "Give the path of a TOML file in UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise InvalidPolicy("policy", f"not TOML: {error}", "See docs/reference/policy.md.") from None


class _Place:
    """Names a key for an error message, with its line where there is a file."""

    def __init__(self, root: str, text: str = "") -> None:
        self.root = root
        self._lines = text.splitlines()

    def wrong(self, path: tuple[str, ...], message: str, fix: str) -> InvalidPolicy:
        line = self._line(path)
        return InvalidPolicy(".".join((self.root, *path)), message + (f" (line {line})" if line else ""), fix)

    def _line(self, path: tuple[str, ...]) -> int | None:
        """Return the line of a key: that of the key within its table, else that of the table."""
        best: int | None = None
        table: list[str] = []
        for number, line in enumerate(self._lines, 1):
            text = line.strip()
            if _HEADER.match(text):
                table = _parts(text.partition("]")[0].strip("["))
                if table[: len(path)] == list(path):
                    return number
                best = number if table == list(path[: len(table)]) else best
            elif found := _KEY.match(text):
                key = [*table, *_parts(found[1])]
                if key == list(path):
                    return number
                best = number if key == list(path[: len(key)]) else best  # within an inline table
        return best


def _parts(key: str) -> list[str]:
    return [part.strip("\"'") for part in re.findall(r"\"[^\"]*\"|'[^']*'|[^.\s]+", key)]


def _laid_over(base: Mapping[str, Any], own: Mapping[str, Any], place: _Place) -> dict[str, Any]:
    """Return the tables of the base with those of a user's file over them, one key at a time."""
    merged: dict[str, Any] = {name: dict(table) for name, table in base.items()}
    for section, table in own.items():
        if section not in _SECTIONS:
            raise place.wrong((section,), "unknown key", f"A policy has: {', '.join(_SECTIONS)}.")
        if not isinstance(table, Mapping):
            raise place.wrong((section,), "not a table", f"Write [{section}] and keys below it.")
        for name, value in table.items():
            old = merged[section].get(name)
            both = isinstance(value, Mapping) and isinstance(old, Mapping)
            merged[section][str(name)] = {**old, **value} if both else value
    return merged


def _policy(tables: Mapping[str, Any], place: _Place) -> Policy:
    categories = {
        name: Category(name=name, **_row(("categories", name), table, _CATEGORY, place))
        for name, table in tables["categories"].items()
    }
    attributes = {name: _attribute(name, table, categories, place) for name, table in tables["attributes"].items()}
    consent = _row(("consent",), tables["consent"], _CONSENT, place)
    known = {*SENSITIVE, *(each.sensitivity for each in categories.values() if each.sensitivity)}
    for name, allowed in consent.get("classes", {}).items():
        path = ("consent", "classes", name)
        if not isinstance(allowed, bool):
            raise place.wrong(path, "an impossible value", "Write true or false.")
        if name not in known:
            raise place.wrong(path, "no such class", f"Use: {', '.join(sorted(known))}, or a category's sensitivity.")
    return Policy(
        categories=categories,
        attributes=attributes,
        routes=_routes(tables["routes"], place),
        scopes={name: _scope(name, table, place) for name, table in tables["scopes"].items()},
        limits=Limits(**_row(("limits",), tables["limits"], _LIMITS, place)),
        personalisation=consent.get("personalisation", True),
        opted_in=frozenset(name for name, allowed in consent.get("classes", {}).items() if allowed),
    )


def _attribute(name: str, table: object, categories: Mapping[str, Category], place: _Place) -> Attribute:
    row = {"category": "general"} | _row(("attributes", name), table, _ATTRIBUTE, place)
    category = categories.get(row["category"])
    if category is None:
        path = ("attributes", name, "category")
        raise place.wrong(path, "no such category", f"Use one of: {', '.join(sorted(categories))}.")
    given: dict[str, Any] = {"cardinality": category.cardinality, **row}
    return Attribute(name=name, **given)


def _row(path: tuple[str, ...], table: object, checks: Mapping[str, Check], place: _Place) -> dict[str, Any]:
    if not isinstance(table, Mapping):
        raise place.wrong(path, "not a table", f"Keys of it: {', '.join(checks)}.")
    read: dict[str, Any] = {}
    for key, value in table.items():
        if key not in checks:
            raise place.wrong((*path, str(key)), "unknown key", f"Use: {', '.join(checks)}.")
        try:
            read[key] = checks[key](value)
        except _Wrong as wrong:
            raise place.wrong((*path, key), "an impossible value", str(wrong)) from None
    return read


def _routes(tables: Mapping[str, Any], place: _Place) -> tuple[RouteRule, ...]:
    rules = []
    for name, table in tables.items():
        row: dict[str, Any] = {"when": (), "reason": "", "order": 1_000} | _row(("routes", name), table, _ROUTE, place)
        if "route" not in row:
            raise place.wrong(("routes", name, "route"), "missing", f"Use one of: {', '.join(Route)}.")
        rules.append(RouteRule(name=name, **row))
    rules.sort(key=lambda each: (each.order, each.name))
    if rules[-1].when:
        raise place.wrong(
            ("routes", rules[-1].name), "the last rule has conditions", "Keep routes.admitted, which has none, last."
        )
    return tuple(rules)


def _scope(name: str, table: object, place: _Place) -> tuple[str, ...]:
    try:
        checked(name)
    except SteadError:
        raise place.wrong(("scopes", name), "not a scope", "Write work/briefs.") from None
    says: tuple[str, ...] = _row(("scopes", name), table, {"says": _texts}, place).get("says", ())
    return says


def _one_of(*choices: str) -> Check:
    def check(value: object) -> object:
        if value not in choices:
            raise _Wrong(f"Use one of: {', '.join(choices)}.")
        return value

    return check


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise _Wrong("Use true or false.")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _Wrong("Write text.")
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) and each.strip() for each in value):
        raise _Wrong('Write a list of texts: ["one", "another"].')
    return tuple(value)


def _length(value: object) -> timedelta:
    found = _LENGTH.match(value) if isinstance(value, str) else None
    if found is None or not int(found[1]) or int(found[1]) * _HOURS[found[2]] > _LONGEST:
        raise _Wrong(
            'Write a length such as "12h", "30d", "6w", "18m" (of 30 days) or "2y" (of 365 days), 1000y at most.'
        )
    return timedelta(hours=int(found[1]) * _HOURS[found[2]])


def _unless(word: str, otherwise: Any = None) -> Check:
    """Return a check of a length that one word stands in for."""
    return lambda value: otherwise if value == word else _length(value)


def _lifetime(value: object) -> object:
    return value if value in ("none", "interval") else _length(value)


def _share(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise _Wrong("Write a number from 0 to 1.")
    return float(value)


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise _Wrong("Write a whole number from 1.")
    return value


def _order(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _Wrong("Write a whole number; smaller ones are asked first.")
    return value


def _kind(value: object) -> Kind:
    _one_of(*Kind)(value)
    return Kind(str(value))


def _sensitivity(value: object) -> str | None:
    return None if value == "none" else _text(value)


def _conditions(value: object) -> tuple[str, ...]:
    listed = _texts(value)
    unknown = sorted({each.removeprefix("!") for each in listed} - TRAITS)
    if unknown:
        raise _Wrong(f"{unknown[0]} is no trait. Traits: {', '.join(sorted(TRAITS))}.")
    return listed


def _route(value: object) -> Route:
    _one_of(*Route)(value)
    return Route(str(value))


def _classes(value: object) -> Mapping[str, bool]:
    if not isinstance(value, Mapping):
        raise _Wrong(f"Write true or false for each of: {', '.join(SENSITIVE)}.")
    return value


_CATEGORY: Final[Mapping[str, Check]] = {
    "kind": _kind, "lifetime": _lifetime, "retention": _unless("none"), "half_life": _unless("never"),
    "cardinality": _one_of("one", "many"), "stakes": _one_of("low", "high"), "confirm": _truth,
    "sensitivity": _sensitivity, "purposes": _texts, "review_events": _texts,
    "under_review": _one_of("served", "withheld"), "importance": _share, "terms": _texts,
}  # fmt: skip
_ATTRIBUTE: Final[Mapping[str, Check]] = {
    "category": _text, "cardinality": _one_of("one", "many"), "says": _texts, "terms": _texts, "values": _texts,
    "confirm": _truth,
}  # fmt: skip
_ROUTE: Final[Mapping[str, Check]] = {"when": _conditions, "route": _route, "reason": _text, "order": _order}
_CONSENT: Final[Mapping[str, Check]] = {"personalisation": _truth, "classes": _classes}
_LIMITS: Final[Mapping[str, Check]] = {
    each.name: (_length if each.name.endswith("lifetime") else _whole) for each in fields(Limits)
}
