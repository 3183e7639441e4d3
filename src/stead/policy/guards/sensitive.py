"""Sensitive classes of a statement about a person (R15): what is left out unless a purpose and a consent say otherwise."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from stead.policy.guards.checks import is_card, is_iban
from stead.policy.guards.cues import Cues
from stead.policy.guards.fold import folded
from stead.policy.guards.orders import compiled, expanded

CLASSES = ("health", "religion", "sexuality", "politics", "biometrics", "finance", "minors")
"""In the order of R15."""
_AFTER = 30
_DIGIT = re.compile(r"\d")
_CARD = re.compile(r"(?<![\w.+-])\d(?:[ -]?\d){11,18}(?![\w-])")
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,30}(?![A-Za-z0-9])")


@dataclass(frozen=True, slots=True)
class Sign:
    """One way in which a statement shows its class."""

    name: str
    pattern: str
    unless: str | None
    cased: bool


def sensitive(text: str) -> frozenset[str]:
    """Return the sensitive classes of what a text says about a person; topics and implicit statements are not among them (R15).

    >>> sorted(sensitive("Has a peanut allergy and earns 85k a year"))
    ['finance', 'health']
    >>> sensitive("Works at a hospital on a health app")
    frozenset()
    """
    plain = folded(text)
    lower = plain.lower()
    cues, signs = _tables()
    found: set[str] = set()
    for place in cues.candidates(lower):
        sign = signs[place]
        if sign.name not in found and _shows(sign, plain if sign.cased else lower):
            found.add(sign.name)
    if "finance" not in found and _DIGIT.search(plain) and _names_an_account(plain):
        found.add("finance")
    return frozenset(found)


def _names_an_account(plain: str) -> bool:
    return any(is_card(each[0]) for each in _CARD.finditer(plain)) or any(_ibans(plain))


def _ibans(plain: str) -> Iterator[bool]:
    return (is_iban(each[0]) for each in _IBAN.finditer(plain))


def _shows(sign: Sign, text: str) -> bool:
    for found in compiled(sign.pattern).finditer(text):
        around = (text, max(0, found.start() - 5), found.end() + _AFTER)
        if sign.unless is None or compiled(sign.unless).search(*around) is None:
            return True
    return False


@cache
def _tables() -> tuple[Cues, tuple[Sign, ...]]:
    """Return the cues and the signs; read when first needed."""
    data = tomllib.loads((resources.files("stead.policy.guards") / "sensitive.toml").read_text(encoding="utf-8"))
    signs = tuple(_sign(each, data["words"]) for each in data["class"])
    return Cues(each["cues"].split("|") for each in data["class"]), signs


def _sign(each: Mapping[str, Any], words: Mapping[str, str]) -> Sign:
    unless = each.get("unless")
    return Sign(
        each["name"],
        r"(?<![^\W_])(?:" + expanded(each["pattern"], words) + ")",
        expanded(unless, words) if unless else None,
        each.get("cased", False),
    )
