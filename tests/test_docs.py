"""The reference is complete: each command, option, setting, error code and public name is documented."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import stead
from stead.errors import SteadError
from stead.settings import CHECKS, Settings
from stead.surfaces.cli.commands import GROUPS, app
from stead.surfaces.cli.reference import reference

REFERENCE = Path(__file__).parent.parent / "docs" / "reference"


def page(name: str) -> str:
    return (REFERENCE / name).read_text("utf-8")


def commands(path: str, group: Any) -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        if hasattr(command, "commands"):
            yield from commands(f"{path} {name}", command)
        else:
            yield f"{path} {name}", command


COMMANDS = dict(commands("stead", get_command(app)))


def tree(error: type[SteadError]) -> Iterator[type[SteadError]]:
    yield error
    for each in error.__subclasses__():
        if each.__module__ == SteadError.__module__:
            yield from tree(each)


def test_the_command_line_reference_is_what_the_commands_say() -> None:
    assert page("cli.md") == reference(), "run: python -m stead.surfaces.cli.reference > docs/reference/cli.md"


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_and_option_is_in_the_reference(path: str) -> None:
    text = page("cli.md")
    section = text.partition(f"### {path}\n")[2].partition("\n### ")[0]
    common = text.partition("## Common options")[2].partition("\n## ")[0]
    assert section
    for param in COMMANDS[path].params:
        for name in param.opts if param.param_type_name == "option" else []:
            assert f"`{name}`" in section or f"`{name}`" in common, name


@pytest.mark.parametrize("path", COMMANDS)
def test_every_command_has_one_sentence_an_example_and_a_group(path: str) -> None:
    command = COMMANDS[path]
    assert re.fullmatch(r"[A-Z][^\n]*\.", command.help)
    assert command.epilog.startswith(f"Example: [bold]{path}")
    assert command.rich_help_panel in GROUPS
    assert all(param.help for param in command.params)


@pytest.mark.parametrize("name", CHECKS)
def test_every_setting_is_documented_with_its_default(name: str) -> None:
    [row] = [line for line in page("settings.md").splitlines() if line.startswith(f"| `{name}` |")]
    assert f"`STEAD_{name.upper()}`" in row
    default = getattr(Settings(), name)
    assert ("none" if default is None else f"`{str(default).removesuffix('.0')}`") in row


@pytest.mark.parametrize("error", list(tree(SteadError)), ids=lambda error: error.code)
def test_every_error_is_documented_as_it_is(error: type[SteadError]) -> None:
    [row] = [line for line in page("errors.md").splitlines() if line.startswith(f"| `{error.code}` |")]
    cells = [cell.strip() for cell in row.strip("|").split(" | ")]
    retryable = "yes" if error.retryable else "no"
    assert cells[1:5] == [f"`{error.__name__}`", str(error.exit_code), str(error.http_status), retryable]


def test_no_two_errors_share_a_code() -> None:
    codes = [error.code for error in tree(SteadError)]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("name", stead.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    value = getattr(stead, name)
    an_error = isinstance(value, type) and issubclass(value, SteadError)
    text = page("api.md") + (page("errors.md") if an_error else "")  # the page of errors has one row per class
    assert re.search(rf"`(stead\.)?{name}\b", text)


VERBS = {
    f"{each.__name__}.{name}": getattr(each, name)
    for each in (stead.Store, stead.Subject, stead.Session)
    for name in dir(each)
    if not name.startswith("_") and callable(getattr(each, name))
}


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_and_argument_is_in_the_reference(verb: str) -> None:
    """What one can do, the reference says, with every argument by its name."""
    name = verb.partition(".")[2]
    calls = re.findall(rf"(?:^|[`.]){name}\((.*?)\)(?:`| ->)", page("api.md"), flags=re.MULTILINE | re.DOTALL)
    assert calls, f"{verb} is not in api.md"
    said = set(re.findall(r"\w+", " ".join(calls)))
    wanted = set(signature(VERBS[verb]).parameters) - {"self", "idempotency_key"}
    assert wanted <= said, f"{verb}: {sorted(wanted - said)}"
