"""The words of grammar and of general English, read once from ``words.toml``."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any


@cache
def _data() -> Mapping[str, Any]:
    return tomllib.loads((resources.files("stead.resolve.text") / "words.toml").read_text(encoding="utf-8"))


@cache
def words(name: str) -> frozenset[str]:
    """Return a list of words; ``_`` joins the words of one entry."""
    return frozenset(entry.replace("_", " ") for entry in str(_data()[name]).split())


@cache
def mapping(name: str) -> Mapping[str, str]:
    """Return a table of words: each word of the right side leads to the name on the left."""
    return {
        entry.replace("_", " "): target.replace("_", " ")
        for target, entries in _data()[name].items()
        for entry in str(entries).split()
    }


@cache
def table(name: str) -> Mapping[str, str]:
    """Return a table as it is written: from the name to its text."""
    return {key.replace("_", " "): str(text) for key, text in _data()[name].items()}
