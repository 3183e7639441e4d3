"""A data file that is one JSON list of objects, read strictly: what is wrong is named by its place, never by its content."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from stead.errors import InvalidArgument


def entries(path: str | Path, name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each object of the list with its place, such as ``[3]``.

    Parameters
    ----------
    path
        The file, or the folder with it.
    name
        How the file is called in a folder.

    Raises
    ------
    InvalidArgument
        No such file, or not a list of objects.
    """
    file = Path(path) / name if Path(path).is_dir() else Path(path)
    if not file.is_file():
        raise InvalidArgument("data", f"no {name} there", f"Name the file, or the folder that holds {name}.")
    try:
        raw = json.loads(file.read_bytes())
    except (UnicodeDecodeError, json.JSONDecodeError):
        raise wrong(file.name, "not JSON") from None
    if not isinstance(raw, list) or not raw:
        raise wrong(file.name, "not a list with entries")
    for place, each in enumerate(raw):
        if not isinstance(each, Mapping):
            raise wrong(f"[{place}]", "not an object")
        yield f"[{place}]", each


def text(raw: Mapping[str, Any], key: str, where: str) -> str:
    """Return a text that has something in it.

    Raises
    ------
    InvalidArgument
    """
    value = raw.get(key)
    if not isinstance(value, str) or not value:
        raise wrong(f"{where}.{key}", "not a text")
    return value


def number(raw: Mapping[str, Any], key: str, where: str) -> int:
    """Return a whole number that is not negative.

    Raises
    ------
    InvalidArgument
    """
    value = raw.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise wrong(f"{where}.{key}", "not a whole number")
    return value


def items(raw: Mapping[str, Any], key: str, where: str) -> list[Any]:
    """Return a list.

    Raises
    ------
    InvalidArgument
    """
    value = raw.get(key)
    if not isinstance(value, list):
        raise wrong(f"{where}.{key}", "not a list")
    return value


def wrong(where: str, what: str) -> InvalidArgument:
    """Return the error for a place of the data."""
    return InvalidArgument("data", f"{where} is {what}", "Take the file as it was published.")
