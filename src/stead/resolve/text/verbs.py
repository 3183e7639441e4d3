"""English verbs: from a form back to its base, and what the form says of time."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

_VOWELS: Final = frozenset("aeiou")
BE: Final = {"is": "third", "are": "base", "am": "base", "was": "past", "were": "past", "be": "base"}
HAVE: Final = {"has": "third", "have": "base", "had": "past"}
DO: Final = {"does": "third", "do": "base", "did": "past"}


@dataclass(frozen=True, slots=True)
class Form:
    """One form of a verb."""

    base: str
    third: bool = False
    plain: bool = False
    gerund: bool = False
    past: bool = False
    participle: bool = False


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads((resources.files("stead.resolve.text") / "verbs.toml").read_text(encoding="utf-8"))


@cache
def verb_words(name: str) -> frozenset[str]:
    """Return a list of base forms."""
    return frozenset(str(_data()[name]).split())


@cache
def stances() -> Mapping[str, tuple[str, str]]:
    """Return the verbs of a family: the relation that they share and the stance of each."""
    return {verb: (text.split()[0], text.split()[1]) for verb, text in _data()["stances"].items()}


def same_verb(base: str) -> str:
    """Return the verb that asks the same, in one name."""
    found: str = _data()["synonyms"].get(base, base)
    return found


def with_particle(base: str, particle: str) -> str:
    """Return the verb that a verb and a particle ask like: "kick off" is "start"; "" for others."""
    found: str = _data()["particles"].get(f"{base} {particle}", "")
    return found


@cache
def results(name: str) -> frozenset[str]:
    """Return the verbs whose participle says a state that stays: ``verbs``; ``alone``: they say it in the active, too."""
    return frozenset(str(_data()["results"][name]).split())


@cache
def participle(base: str) -> str:
    """Return the past participle of a known verb; "" of others."""
    return next((word for word, form in _forms().items() if form.base == base and form.participle), "")


def _regular(base: str) -> tuple[str, str, str, str]:
    if base.endswith("ie"):
        return base + "s", base[:-2] + "ying", base + "d", base + "d"
    if base.endswith("e"):
        return base + "s", (base[:-1] if not base.endswith("ee") else base) + "ing", base + "d", base + "d"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return base[:-1] + "ies", base + "ing", base[:-1] + "ied", base[:-1] + "ied"
    third = base + ("es" if base.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")
    doubled = base + base[-1] if base in verb_words("doubling") else base
    return third, doubled + "ing", doubled + "ed", doubled + "ed"


@cache
def _forms() -> Mapping[str, Form]:
    """Return every form of every known verb; where two verbs share one, an irregular verb wins."""
    found: dict[str, Form] = {}
    tables = [(base, _regular(base)) for base in sorted(verb_words("regular"))]
    for entry in str(_data()["irregular"]).split():
        base, _, forms = entry.partition(":")
        third, gerund, past, participle = forms.split(",")
        tables.append((base, (third, gerund, past, participle)))
    for base, (third, gerund, past, participle) in tables:
        for word in {base, third, gerund, past, participle}:
            found[word] = Form(
                base=base, third=word == third, plain=word == base, gerund=word == gerund, past=word == past,
                participle=word == participle,
            )  # fmt: skip
    # American and British spellings double differently
    for word, base in {"travelled": "travel", "cancelled": "cancel", "learned": "learn", "learnt": "learn"}.items():
        found[word] = Form(base=base, past=True, participle=True)
    return found


def form_of(word: str) -> Form | None:
    """Return what form of which verb a word is; None: it is of none that is known.

    >>> form_of("studies").base, form_of("wrote").past, form_of("table")
    ('study', True, None)
    """
    return _forms().get(word)
