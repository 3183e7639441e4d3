"""The entry point: runs one command and turns whatever happens into an exit code."""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Sequence

from typer.exceptions import Abort, TyperException
from typer.main import get_command

from stead.errors import SteadError
from stead.surfaces.cli import (
    background,
    erasing,
    governing,
    keeping,
    measuring,
    naming,
    output,
    porting,
    problems,
    reading,
    receipts,
    tools,
    writing,
)
from stead.surfaces.cli.commands import app

COMMANDS = (
    writing, reading, governing, erasing, naming, background, tools, porting, keeping, receipts, measuring,
)  # fmt: skip
"""The modules whose import adds the commands to the app."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command of the command line.

    Parameters
    ----------
    argv
        The words after ``stead``; the process's own by default.

    Returns
    -------
    int
        The exit code: 0 ok, 1 unexpected, 2 usage, 3 not found, 4 refused, 5 conflict, 7 backend unavailable.
    """
    words = sys.argv[1:] if argv is None else list(argv)
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal without UTF-8 gets escapes, not an error
        sys.stdout.reconfigure(errors="backslashreplace")
    as_json = "--json" in words[: words.index("--")] if "--" in words else "--json" in words
    try:
        return _run(words, as_json)
    except output.PipeClosed:
        _forget_stdout()
        return problems.BROKEN_PIPE
    except output.OutputLost as lost:
        _forget_stdout()
        return problems.report_lost(str(lost), as_json=as_json)
    except (Abort, KeyboardInterrupt):
        return problems.INTERRUPTED


def _run(words: list[str], as_json: bool) -> int:
    try:
        code = get_command(app).main(args=words, prog_name="stead", standalone_mode=False)
        output.flush()
    except (output.PipeClosed, output.OutputLost, Abort):
        raise
    except SteadError as error:
        problems.trace_if_asked()
        return problems.report(error, as_json=as_json)
    except TyperException as error:
        return _usage(error, as_json)
    except Exception as error:  # noqa: BLE001 - the last net: one line instead of a trace
        problems.trace_if_asked()
        return problems.report_unexpected(error, as_json=as_json)
    return code if isinstance(code, int) else 0


def _usage(error: TyperException, as_json: bool) -> int:
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "stead"
    message = error.format_message().replace("Value error, ", "")
    if type(error).__name__ == "NoArgsIsHelpError":  # the help is printed already
        return problems.USAGE
    hint = f"{path} --help shows what it takes."
    if "unexpected extra argument" in message:
        message, hint = "more words than the command takes", f"Put a text of several words in quotes; {hint}"
    return problems.report_usage(message, hint, as_json=as_json)


def _forget_stdout() -> None:
    """Give stdout a place where what is left in its buffer can go, or the interpreter complains at its end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
