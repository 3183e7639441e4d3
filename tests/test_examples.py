"""The examples in the documentation run, and print what they say they print.

Blocks of one file run in order, in one empty folder:

- ```` ```python ```` runs; a ```` ```text ```` block right after it is what it prints.
- ```` ```console ```` holds commands after ``$``; lines below a command are what it prints on stdout.
- ```` ```py ```` and everything else is only read.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
FENCE = re.compile(r"^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
RUNNABLE = {"python", "console"}


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block of a page."""

    language: str
    text: str
    line: int
    prints: str | None


def blocks(page: str) -> Iterator[Block]:
    found = list(FENCE.finditer(page))
    for place, fence in enumerate(found):
        after = found[place + 1] if place + 1 < len(found) else None
        follows = after is not None and after["language"] == "text" and not page[fence.end() : after.start()].strip()
        line = page.count("\n", 0, fence.start()) + 2
        yield Block(fence["language"], fence["text"], line, after["text"] if after is not None and follows else None)


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command of a console block with what it is said to print."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, prints = part.partition("\n")
        while command.endswith("\\"):
            more, _, prints = prints.partition("\n")
            command = command[:-1] + more.strip()
        yield command, prints


def run_python(block: Block, names: dict[str, object], page: Path) -> None:
    printed = io.StringIO()
    code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
    with contextlib.redirect_stdout(printed):
        exec(code, names)
    if block.prints is not None:
        assert printed.getvalue() == block.prints, f"{page.name}:{block.line}"


def run_console(block: Block, page: Path) -> None:
    for command, prints in commands(block.text):
        first, *rest = shlex.split(command, comments=True)
        if first != "stead":
            continue  # pip, make and the like are not ours to test
        script = Path(sys.executable).parent / "stead"
        done = subprocess.run(
            [str(script), *rest], capture_output=True, text=True, check=False, env=os.environ | {"COLUMNS": "120"}
        )
        assert done.returncode == 0, f"{page.name}:{block.line}: {command}\n{done.stdout}{done.stderr}"
        if prints.strip():
            assert done.stdout.strip() == prints.strip(), f"{page.name}:{block.line}: {command}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_examples_of_a_page_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runnable = [block for block in blocks(page.read_text("utf-8")) if block.language in RUNNABLE]
    if not runnable:
        pytest.skip("nothing to run on this page")
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("STEAD_")]:
        monkeypatch.delenv(name)
    names: dict[str, object] = {"__name__": "example"}
    for block in runnable:
        if block.language == "python":
            run_python(block, names, page)
        else:
            run_console(block, page)


def test_the_first_pages_have_examples() -> None:
    for page in (ROOT / "README.md", ROOT / "docs/tutorial/first-memory.md"):
        assert sum(block.language == "python" for block in blocks(page.read_text("utf-8"))) >= 3


def test_a_page_that_prints_something_else_is_noticed(tmp_path: Path) -> None:
    (block,) = [block for block in blocks("```python\nprint(1)\n```\n```text\n2\n```\n") if block.language == "python"]
    with pytest.raises(AssertionError):
        run_python(block, {}, tmp_path / "page.md")


def test_links_between_pages_lead_somewhere() -> None:
    for page in (*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CHANGELOG.md"):
        for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
