"""Errors as the command line says them: `error[code]: message`, a hint in the command line's own words, an exit code."""

from __future__ import annotations

import json
import os
import re
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from stead.errors import SteadError
from stead.surfaces.cli.output import clean, err

UNEXPECTED: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141

HINTS: Final[Mapping[str, str]] = {
    "naive_time": "Write an offset (2026-03-01T09:00+01:00) or give --zone, for instance --zone Europe/Berlin.",
    "ambiguous_time": "Write the offset, or name the reading: --reading earlier or --reading later.",
    "known_at_in_future": "The store can only say what it knew until now; use --at for the future of the world.",
    "unknown_record": "List what is there: stead records, stead questions, stead episodes.",
    "cross_subject": "It belongs to somebody else; name whose it is with --subject.",
    "cross_tenant": "One file holds one tenant; give that tenant's name, or leave --tenant out.",
    "stale_revision": "Read the slot again and decide anew.",
    "store_busy": "Try again; give a longer --busy-timeout if many processes write.",
    "store_not_found": "Write something first (stead remember …), or name the store: --store PATH or STEAD_STORE.",
}
"""Where the general hint names a Python call, the command line's own words."""


_CALLS: Final = re.compile(r"\b(episodes|questions|records)\(\)")


def report(error: SteadError, *, as_json: bool) -> int:
    """Print an error on stderr and return its exit code."""
    shape = error.as_dict()
    if error.code in HINTS and error.hint in ("", type(error).default_hint):
        shape["hint"] = HINTS[error.code]
    if "hint" in shape:
        shape["hint"] = _CALLS.sub(r"stead \1", str(shape["hint"]))
    _say(shape, as_json)
    return error.exit_code


def report_usage(message: str, hint: str, *, as_json: bool) -> int:
    """Print what is wrong with the command itself."""
    _say({"code": "usage", "message": message, "hint": hint, "retryable": False}, as_json)
    return USAGE


def report_unexpected(error: BaseException, *, as_json: bool) -> int:
    """Print one line about what nobody foresaw: its type and place, never its text, which may hold a memory."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(frame.filename).name}:{frame.lineno}"
    hint = "This is a fault of Stead's; STEAD_DEBUG=1 shows the whole trace, which may hold remembered text."
    _say(
        {"code": "unexpected", "message": f"{type(error).__name__} at {place}", "hint": hint, "retryable": False},
        as_json,
    )
    return UNEXPECTED


def report_lost(why: str, *, as_json: bool) -> int:
    """Say that stdout took no more."""
    hint = "What the command did is done; only what it printed is lost."
    _say(
        {"code": "output_lost", "message": f"stdout can't be written ({why})", "hint": hint, "retryable": False},
        as_json,
    )
    return UNEXPECTED


def trace_if_asked() -> None:
    """Print the trace of the current error when STEAD_DEBUG asks for it."""
    if os.environ.get("STEAD_DEBUG", "") not in ("", "0"):
        traceback.print_exc()


def _say(shape: Mapping[str, object], as_json: bool) -> None:
    if as_json:
        err(clean(json.dumps({"error": shape}, ensure_ascii=False)))
        return
    err(f"error[{shape['code']}]: {clean(str(shape['message']))}")
    if shape.get("hint"):
        err(f"hint: {clean(str(shape['hint']))}")
