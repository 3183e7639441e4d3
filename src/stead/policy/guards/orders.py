"""Text that gives the agent orders: the rules are data, one file for each language, and are read when first needed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

Level = Literal["refuse", "quarantine"]
LANGUAGES = ("en", "es", "de")
_GAP = r"(?:[\W_]{1,6})"
_WORD = rf"(?:[^\W_]{{1,30}}(?:['.][^\W_]{{1,30}})?{_GAP})"
_LINE = re.compile(r"(?:^|\n) *")
_NAME = re.compile(r"<([a-z_]+|\d+)>")


@dataclass(frozen=True, slots=True)
class Order:
    """One wording of a rule.

    In the files a pattern's line ends and the blanks after them are left out; any other blank, and ``<gap>``, stands for
    what may stand between two words; ``<3>`` for up to three words in between; ``<user>`` for one of the file's
    ``[words]``. A pattern meets the folded text in lower case: no accents, no hidden characters.
    """

    rule: str
    level: Level
    """``refuse``: it would take over the agent or carry data away. ``quarantine``: it speaks to the agent; a person decides."""
    language: str
    cues: tuple[str, ...]
    """A text without any of them is not searched."""
    pattern: str
    """Compiled when a cue is first met: there are hundreds, and most texts need none."""
    unless: str | None
    """Where this stands in the match or soon after it, the text is the subject's own order, or about something else."""
    cased: bool
    """Whether the pattern meets the text with its capitals."""


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """Return a pattern, compiled once."""
    return re.compile(pattern)


@cache
def orders() -> tuple[Order, ...]:
    """Return all wordings, those that are refused first."""
    found = [order for language in LANGUAGES for order in _read(language)]
    return tuple(sorted(found, key=lambda order: order.level != "refuse"))


def _read(language: str) -> list[Order]:
    text = (resources.files("stead.policy.guards") / f"hostile_{language}.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    return [_order(each, language, data["words"]) for each in data["order"]]


def _order(each: Mapping[str, Any], language: str, words: Mapping[str, str]) -> Order:
    unless = each.get("unless")
    return Order(
        each["rule"],
        each["level"],
        language,
        tuple(_LINE.sub("", each["cues"]).split("|")),
        r"(?<![^\W_])(?:" + expanded(each["pattern"], words) + ")",
        expanded(unless, words) if unless else None,
        each.get("cased", False),
    )


def expanded(pattern: str, words: Mapping[str, str]) -> str:
    """Return a pattern with its gaps and its named parts written out.

    >>> re.search(expanded("send <2><what> to", {"what": "(?:it|them)"}), "Then send, please, it to Rome").span()
    (5, 24)
    """

    def part(found: re.Match[str]) -> str:
        name = found[1]
        if name.isdigit():
            return f"{_WORD}{{0,{name}}}?"
        return _GAP if name == "gap" else expanded(words[name], words)

    return _NAME.sub(part, _LINE.sub("", pattern).replace(" ", "<gap>"))
