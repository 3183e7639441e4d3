"""Writing many records from JSON Lines."""

from __future__ import annotations

import inspect
import json
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import track

from stead.errors import InvalidArgument, SteadError
from stead.surfaces.cli.commands import Here
from stead.surfaces.cli.output import note, print_json, print_table

BATCH: Final = 500
SLOT_PARTS: Final = frozenset({"entity", "attribute", "object", "value", "unset"})


def read_lines(path: str) -> list[tuple[int, dict[str, Any]]]:
    """Read and check every line before the first is written.

    Raises
    ------
    InvalidArgument
        The file can't be read, or a line is no object, lacks a claim or has a key that `remember` doesn't know; names the
        line.
    """
    return [(number, _checked(number, line)) for number, line in enumerate(_text_of(path), start=1) if line.strip()]


def _text_of(path: str) -> Iterator[str]:
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text("utf-8-sig")
    except OSError as problem:
        raise InvalidArgument(
            "jsonl", f"can't be read ({problem.strerror})", "Name a readable file, or - for stdin."
        ) from None
    except UnicodeDecodeError as problem:
        raise InvalidArgument("jsonl", f"byte {problem.start} is not UTF-8", "Save the file in UTF-8.") from None
    return iter(text.split("\n"))


def _checked(number: int, line: str) -> dict[str, Any]:
    field = f"line {number}"
    try:
        found = json.loads(line)
    except ValueError as problem:
        where = f"column {problem.colno}" if isinstance(problem, json.JSONDecodeError) else "too large"
        raise InvalidArgument(field, f"not JSON ({where})", "Write one JSON object a line.") from None
    if not isinstance(found, dict) or not isinstance(found.get("claim"), str):
        raise InvalidArgument(field, "not an object with a claim", 'Write {"claim": "Prefers an aisle seat", …}.')
    _known(field, found, _parameters())
    return found | {"slot": _slot(field, found["slot"])} if found.get("slot") is not None else found


@cache
def _parameters() -> frozenset[str]:
    import stead

    return frozenset(inspect.signature(stead.Subject.remember).parameters) - {"self", "idempotency_key"}


def _known(field: str, found: dict[str, Any], names: frozenset[str]) -> None:
    unknown = sorted(found.keys() - names)
    if unknown:
        raise InvalidArgument(
            f"{field}: {unknown[0]}", "no such parameter", f"Parameters are: {', '.join(sorted(names))}."
        )


def _slot(field: str, found: object) -> object:
    import stead

    if not isinstance(found, dict) or not isinstance(found.get("attribute"), str):
        raise InvalidArgument(
            f"{field}: slot", "not an object with an attribute", 'Write {"attribute": "home.city", "value": "Berlin"}.'
        )
    _known(f"{field}: slot", found, SLOT_PARTS)
    try:
        return stead.Slot(found["attribute"], **{name: each for name, each in found.items() if name != "attribute"})
    except SteadError as error:
        raise InvalidArgument(f"{field}: slot", "can't be used", error.hint) from None


def remember_lines(here: Here, lines: list[tuple[int, dict[str, Any]]]) -> None:
    """Write the lines in batches, each of them one transaction, and print what each did."""
    batches = [lines[start : start + BATCH] for start in range(0, len(lines), BATCH)]
    errors = Console(file=sys.stderr)
    outcomes: list[Any] = []
    at = 0

    def told(batch: list[tuple[int, dict[str, Any]]]) -> Iterator[dict[str, Any]]:
        nonlocal at
        for at, line in batch:  # noqa: B007 - an error finds here where it stopped
            yield line

    with here.subject(create=True, embed=True) as subject:
        try:
            for batch in track(batches, "remembering", console=errors, transient=True, disable=not errors.is_terminal):
                outcomes += subject.remember_many(told(batch), batch=BATCH)
        except SteadError:
            note(f"{len(outcomes)} of {len(lines)} lines were written; it stopped at line {at}")
            raise
    if here.json:
        print_json({"outcomes": outcomes})
        return
    print_table(
        ("decision", "record", "status", "rule"),
        [(str(each.decision), each.record, each.status, each.rule) for each in outcomes],
    )
    counts = Counter(str(each.decision) for each in outcomes)
    note(
        f"{len(outcomes)} lines: " + (", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "none")
    )
