"""One line of an export, as it is read: what is wrong in it is refused with the name of its field."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from stead.errors import CrossSubject, InvalidArgument
from stead.memory.candidate import MAX_CLAIM
from stead.memory.lines import FORMAT
from stead.model.period import BEGINNING, FOREVER, Instant, Period
from stead.model.record import Status
from stead.model.slot import Slot, valid_text
from stead.model.zone import instant

Given = str | bytes | Mapping[str, Any]
_EDGES: Final = ["overrides", "derived_from"]


def numbered(source: object) -> Iterator[tuple[int, Given]]:
    """Yield the lines that hold something, with their numbers from 1."""
    if isinstance(source, str | os.PathLike):
        try:
            with Path(source).open("rb") as file:
                yield from ((n, line) for n, line in enumerate(file, start=1) if line.strip())
        except OSError as problem:
            raise InvalidArgument("source", f"can't be read: {problem.strerror}", "Name a readable file.") from None
        return
    if not isinstance(source, Iterable) or isinstance(source, bytes | Mapping):
        raise InvalidArgument("source", "neither a path nor lines", "Give the path of a file, or its lines.")
    yield from ((n, line) for n, line in enumerate(source, start=1) if not isinstance(line, str) or line.strip())


def parsed(number: int, given: Given) -> Mapping[str, Any]:
    """Read one line."""
    try:
        text = given.decode("utf-8-sig" if number == 1 else "utf-8") if isinstance(given, bytes) else given
        found = json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError):
        raise InvalidArgument(
            f"line {number}", "not JSON in UTF-8", "Export as JSON Lines, and leave the file as it is."
        ) from None
    if not isinstance(found, Mapping) or not isinstance(found.get("type"), str):
        raise InvalidArgument(f"line {number}", "not an object with a type", "Export as JSON Lines.")
    return found


def head_of(number: int, given: Given, name: str) -> Mapping[str, Any]:
    """Read the first line, and refuse what is no export, of another version or about somebody else."""
    if isinstance(given, str | bytes) and given[:3] in ("---", b"---"):
        raise InvalidArgument("source", "a page to be read", "Export as JSON Lines: --format jsonl.")
    found = parsed(number, given)
    version = found.get("format")
    if found["type"] != "export" or isinstance(version, bool) or not isinstance(version, int):
        raise InvalidArgument(
            f"line {number}", "not the first line of an export", "Give the file that stead export wrote."
        )
    if version != FORMAT:
        age, fix = ("newer", "Upgrade the stead package.") if version > FORMAT else ("older", "Export it anew.")
        raise InvalidArgument("format", f"{version}, {age} than {FORMAT}, which is read here", fix)
    subject = found.get("subject")
    if subject is not None and subject != name:
        raise CrossSubject(
            "source: the file is about another subject", field="source", hint="Name it: of=, or --of NAME."
        )
    return found


def text_of(line: Mapping[str, Any], name: str) -> str:
    """Return a field that has to be text."""
    found = line.get(name)
    if not isinstance(found, str) or not found:
        raise InvalidArgument(name, "not text", "Leave the file as it was exported.")
    return valid_text(found, name, MAX_CLAIM, "Leave the file as it was exported.")


def names_of(line: Mapping[str, Any], name: str) -> list[str]:
    """Return a field that has to be a list of names, if it is there."""
    found = line.get(name) or []
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise InvalidArgument(name, "not a list of names", "Leave the file as it was exported.")
    return found


def status_of(line: Mapping[str, Any]) -> Status:
    """Return the status that the record had."""
    try:
        return Status(text_of(line, "status"))
    except ValueError:
        raise InvalidArgument("status", "unknown", f"It is one of: {', '.join(Status)}.") from None


def when_of(value: object, name: str) -> Instant | None:
    """Return an instant; None for an open end."""
    return None if value is None else instant(value, field=name)  # type: ignore[arg-type]


def spans_of(line: Mapping[str, Any]) -> list[Period]:
    """Return the stretches over which a record stands."""
    found = line.get("stands")
    if not isinstance(found, list) or not all(isinstance(each, list) and len(each) == 2 for each in found):
        raise InvalidArgument("stands", "not a list of pairs of times", "Leave the file as it was exported.")
    return [_period(each, "stands") for each in found]


def stated_of(line: Mapping[str, Any]) -> Period:
    """Return the validity as it was stated."""
    found = line.get("stated")
    if not isinstance(found, list) or len(found) != 2:
        raise InvalidArgument("stated", "not a pair of times", "Leave the file as it was exported.")
    return _period(found, "stated")


def _period(edges: Sequence[object], name: str) -> Period:
    start, end = (when_of(each, name) for each in edges)
    return Period(BEGINNING if start is None else start, FOREVER if end is None else end)


def edges_of(line: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return what the record overrides and what it was made from."""
    why = line.get("why")
    found = why.get("edges") if isinstance(why, Mapping) else None
    return [
        each
        for each in (found if isinstance(found, list) else [])
        if isinstance(each, Mapping) and each.get("kind") in _EDGES and isinstance(each.get("target"), str)
    ]


def slot_of(line: Mapping[str, Any]) -> Slot | None:
    """Return the slot with its value; None where the record has none."""
    if line.get("attribute") is None:
        return None
    return Slot(
        text_of(line, "attribute"), entity=text_of(line, "entity"), object=line.get("object") or "",
        value=None if line.get("unset") else line.get("value"), unset=line.get("unset") is True,
    )  # fmt: skip


def source_of(line: Mapping[str, Any]) -> dict[str, str] | None:
    """Return the first place that the record names: a pointer, and no way to write (R17)."""
    found = line.get("sources")
    for each in found if isinstance(found, list) else ():
        if isinstance(each, Mapping):
            named = {
                name: each[name]
                for name in ("conversation", "turn", "uri")
                if isinstance(each.get(name), str) and each[name]
            }
            if named:
                return named
    return None
