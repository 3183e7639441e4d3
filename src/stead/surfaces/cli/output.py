"""Printing: one JSON document, readable tables, and text that can't drive the terminal."""

from __future__ import annotations

import io
import json
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import date, datetime, timedelta
from enum import Enum
from typing import Any, Final

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

_JOINERS: Final = "\u200c\u200d"  # Persian and emoji need them
_UNSAFE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_WIDE: Final = 1_000_000


class PipeClosed(Exception):
    """Whoever read stdout has gone."""


class OutputLost(Exception):
    """Stdout can't be written, for instance because its disk is full."""


def out(text: str = "") -> None:
    """Print a line of data."""
    with _told():
        sys.stdout.write(f"{text}\n")


def err(text: str) -> None:
    """Print a line that is no data, after what was printed before."""
    flush()
    sys.stderr.write(f"{text}\n")


def flush() -> None:
    """Write what is still in stdout's buffer."""
    with _told():
        sys.stdout.flush()


@contextmanager
def _told() -> Iterator[None]:
    """Tell a failing stdout apart from a failing store; typer would exit with 1 at any broken pipe."""
    try:
        yield
    except BrokenPipeError:
        raise PipeClosed from None
    except OSError as problem:
        raise OutputLost(problem.strerror or "") from None


def plain(value: object) -> Any:
    """Return a value as JSON carries it: instants in UTC with a Z, durations in seconds, no vectors, nothing private."""
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value) if not each.name.startswith("_")}
    if isinstance(value, Mapping):
        return {str(plain(name)): plain(each) for name, each in value.items()}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, str | int | float | None):
        return value
    if isinstance(value, Iterable) and not isinstance(value, bytes):
        return [plain(each) for each in value]
    return str(value)


def print_json(value: object) -> None:
    """Print one JSON document."""
    text = json.dumps(plain(value), ensure_ascii=not _unicode(), indent=2, allow_nan=False)
    out(clean(text, keep="\n") if sys.stdout.isatty() else text)


def print_json_line(value: object) -> None:
    """Print one line of JSON Lines."""
    text = json.dumps(plain(value), ensure_ascii=not _unicode(), allow_nan=False)
    out(clean(text) if sys.stdout.isatty() else text)


def _unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def clean(text: str, keep: str = "") -> str:
    r"""Return text with control, direction and hidden characters spelled out, so that a memory can't drive a terminal.

    >>> clean("a\x1b[2Jb")
    'a\\u001b[2Jb'
    """
    return "".join(
        each if each in keep or each in _JOINERS or unicodedata.category(each) not in _UNSAFE else _spelled(each)
        for each in text
    )


def _spelled(character: str) -> str:
    return "\\u007f" if character == "\x7f" else json.dumps(character)[1:-1]


def print_text(text: str) -> None:
    """Print remembered text: as it is into a pipe, with what could drive a terminal spelled out on one."""
    out(clean(text, keep="\n\t") if sys.stdout.isatty() else text)


def note(text: str) -> None:
    """Say something that is no data."""
    err(f"note: {clean(text)}")


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], *, wrap: Mapping[str, int] | None = None
) -> None:
    """Print rows under a heading, without the columns that are empty.

    Parameters
    ----------
    columns
        The heading.
    rows
        A value for each column.
    wrap
        The columns that may break over lines on a terminal, each with its least width. All others stay whole.
    """
    texts = [[cell(each) for each in row] for row in rows]
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    used = [place for place, _ in enumerate(columns) if any(row[place] not in ("", "-") for row in texts)]
    for place in used:
        name = columns[place]
        widest = max(cell_len(text) for text in (name, *(row[place] for row in texts)))
        least = min(widest, (wrap or {}).get(name, widest))
        table.add_column(name, no_wrap=least == widest, overflow="fold", min_width=least)
    for row in texts:
        table.add_row(*(Text(row[place]) for place in used))
    draw(table)


def cell(value: object) -> str:
    """Return a value as one line of text."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, list | tuple) and not isinstance(value, str):
        return ", ".join(cell(each) for each in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={cell(each)}" for name, each in value.items())
    made = plain(value)
    return clean(made if isinstance(made, str) else json.dumps(made, ensure_ascii=False, default=str))


def moment(value: datetime | None, otherwise: str = "-", *, exact: bool = False) -> str:
    """Return an instant in UTC, `2026-03-01T09:00Z`, with seconds where there are any and the rest of them if exact."""
    if value is None:
        return otherwise
    text = (value if exact else value.replace(microsecond=0)).isoformat().replace("+00:00", "Z")
    return text.removesuffix(":00Z") + "Z" if text.endswith(":00Z") else text


def draw(renderable: RenderableType) -> None:
    """Print a table or tree: on a terminal never narrower than its ids, into a pipe uncut and without colour."""
    if sys.stdout.isatty():
        console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
        least = Measurement.get(console, console.options.update(max_width=_WIDE), renderable).minimum
        console.width = max(console.width, least)
        console.print(renderable)
        return
    sheet = io.StringIO()
    Console(file=sheet, width=_WIDE, color_system=None, highlight=False, markup=False, emoji=False).print(renderable)
    out("\n".join(line.rstrip() for line in sheet.getvalue().splitlines()))


def print_mapping(found: object, indent: str = "") -> None:
    """Print a mapping as lines of a name and a value; mappings in it are indented."""
    if not isinstance(found, Mapping):
        out(indent + cell(found))
        return
    width = max((len(str(name)) for name in found), default=0)
    for name, value in found.items():
        label = str(name).replace("_", " ")
        if isinstance(value, Mapping) and value:
            out(f"{indent}{label}")
            print_mapping(value, indent + "  ")
        else:
            out(f"{indent}{label:{width}}  {'no' if value is False else cell(value) or 'none'}")
