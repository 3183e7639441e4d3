"""Settings: argument > environment STEAD_* > ./stead.toml > user file > default, and where each value came from."""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final
from zoneinfo import ZoneInfo

from stead.errors import InvalidArgument

FILE_NAME: Final = "stead.toml"
EMBEDDERS: Final = ("none", "auto", "local", "multilingual")
RESOLVERS: Final = ("local", "model")
PREFIX: Final = "STEAD_"
NOT_SETTINGS: Final = frozenset({"STEAD_DEBUG"})
"""Variables of Stead's that are no settings."""

Value = str | float | tuple[str, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the command line and other surfaces open a store with."""

    store: str = "memory.db"
    """The file of the store."""
    tenant: str | None = None
    """The tenant that the file must belong to; whatever it is bound to when left out."""
    subject: str = "user"
    """Whom the records describe."""
    zone: str | None = None
    """The IANA zone in which wall times without an offset are read."""
    embedder: str = "auto"
    """Which embedding model searches episodes: none, auto, local or multilingual."""
    purpose: str | None = None
    """What the reader wants the records for."""
    audience: tuple[str, ...] | None = None
    """As whom the reader reads."""
    policy: str | None = None
    """A TOML file that is laid over the built-in policy."""
    model: str | None = None
    """Who reads sessions beside the rules: ``anthropic:NAME``, ``openai:NAME`` or a base URL; nobody by default."""
    resolver: str = "local"
    """Who relates claims without a slot: the local resolver, or the model where words alone don't tell."""
    busy_timeout: float = 30.0
    """How many seconds to wait for another writer."""
    origins: Mapping[str, str] = field(default_factory=dict)
    """Where each value came from: ``argument``, ``STEAD_…``, a file's path or ``default``."""

    def as_dict(self) -> dict[str, dict[str, object]]:
        """Return ``{name: {"value": …, "origin": …}}``, as `stead settings --json` prints it."""
        return {name: {"value": getattr(self, name), "origin": self.origins.get(name, "default")} for name in CHECKS}


def load(
    arguments: Mapping[str, object] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    folder: str | Path | None = None,
) -> Settings:
    """Read the settings, each from the first layer that has it.

    Parameters
    ----------
    arguments
        Values that were given in the call; None means not given.
    environ
        The environment; the process's own by default. An empty variable counts as not set.
    folder
        Where ``stead.toml`` is looked for; the working directory by default.

    Raises
    ------
    InvalidArgument
        A file or variable has an unknown key or a value of the wrong type; names the place, the key and the fix.
    """
    environ = os.environ if environ is None else environ
    values: dict[str, Value] = {}
    origins: dict[str, str] = {}
    layers = [
        *((str(path), _of_file(path)) for path in (user_file(environ), Path(folder or ".") / FILE_NAME)),
        *((f"{PREFIX}{name.upper()}", {name: value}) for name, value in _of_environment(environ).items()),
        ("argument", _of_arguments(arguments or {})),
    ]
    for origin, layer in layers:
        values |= layer
        origins |= dict.fromkeys(layer, origin)
    return Settings(**values, origins=MappingProxyType(origins))  # type: ignore[arg-type]


def user_file(environ: Mapping[str, str]) -> Path:
    """Return where the user's own file is: ``$XDG_CONFIG_HOME/stead/stead.toml``, else below ``~/.config``."""
    base = environ.get("XDG_CONFIG_HOME") or ""
    home = Path(environ.get("HOME") or Path.home()) / ".config"
    return (Path(base) if Path(base).is_absolute() else home) / "stead" / FILE_NAME


def strangers(environ: Mapping[str, str]) -> list[str]:
    """Return the variables that look like settings and are none; most likely a typing error."""
    known = {PREFIX + name.upper() for name in CHECKS} | NOT_SETTINGS
    return sorted(name for name in environ if name.startswith(PREFIX) and name not in known)


def _of_file(path: Path) -> dict[str, Value]:
    try:
        found = tomllib.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as problem:
        fix = "Make it a readable file, or move it away."
        raise InvalidArgument(str(path), f"can't be read ({problem.strerror})", fix) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        fix = 'Write lines such as zone = "Europe/Berlin".'
        raise InvalidArgument(str(path), f"not a TOML file in UTF-8: {_place(problem)}", fix) from None
    unknown = sorted(found.keys() - CHECKS.keys())
    if unknown:
        raise InvalidArgument(f"{path}: {unknown[0]}", "no such setting", f"Settings are: {', '.join(CHECKS)}.")
    return {name: _anchored(name, _checked(f"{path}: {name}", name, value), path) for name, value in found.items()}


def _place(problem: ValueError) -> str:
    """Say what is wrong and where, without quoting the file."""
    return f"byte {problem.start}" if isinstance(problem, UnicodeDecodeError) else str(problem)


def _anchored(name: str, value: Value, path: Path) -> Value:
    """Read a relative path against the file that names it, so that the user file means the same from everywhere."""
    if name not in ("store", "policy") or not isinstance(value, str) or "://" in value or value == ":memory:":
        return value
    there = path.parent / Path(value).expanduser()
    return str(there)


def _of_environment(environ: Mapping[str, str]) -> dict[str, Value]:
    given = {name: environ.get(PREFIX + name.upper(), "") for name in CHECKS}
    return {
        name: _checked(PREFIX + name.upper(), name, _from_text(name, text))
        for name, text in given.items()
        if text.strip()
    }


def _from_text(name: str, text: str) -> object:
    if name == "audience":
        return [part.strip() for part in text.split(",")]
    if name != "busy_timeout":
        return text
    try:
        return float(text)
    except ValueError:
        return text


def _of_arguments(arguments: Mapping[str, object]) -> dict[str, Value]:
    unknown = sorted(arguments.keys() - CHECKS.keys())
    if unknown:
        raise InvalidArgument(unknown[0], "no such setting", f"Settings are: {', '.join(CHECKS)}.")
    return {name: _checked(name, name, value) for name, value in arguments.items() if value is not None}


def _checked(place: str, name: str, value: object) -> Value:
    """Return the value if it has the setting's type, else name the place and the fix."""
    read = CHECKS[name](value)
    if isinstance(read, _Wrong):
        raise InvalidArgument(place, read.message, read.fix)
    return read


@dataclass(frozen=True, slots=True)
class _Wrong:
    message: str
    fix: str


def _text(example: str) -> Callable[[object], Value | _Wrong]:
    def check(value: object) -> Value | _Wrong:
        if isinstance(value, str) and value.strip():
            return value.strip()
        return _Wrong("not text" if not isinstance(value, str) else "empty", f"Write text, for instance {example}.")

    return check


def _zone(value: object) -> Value | _Wrong:
    fix = 'Write an IANA name, for instance "Europe/Berlin".'
    if not isinstance(value, str):
        return _Wrong("not text", fix)
    try:
        ZoneInfo(value)
    except (KeyError, ValueError, OSError):
        return _Wrong("unknown time zone", fix)
    return value


def _embedder(value: object) -> Value | _Wrong:
    if isinstance(value, str) and value in EMBEDDERS:
        return value
    return _Wrong("no such embedder", f"Write one of: {', '.join(EMBEDDERS)}.")


def _resolver(value: object) -> Value | _Wrong:
    if isinstance(value, str) and value in RESOLVERS:
        return value
    return _Wrong("no such resolver", f"Write one of: {', '.join(RESOLVERS)}.")


def _audience(value: object) -> Value | _Wrong:
    parts = [value] if isinstance(value, str) else value
    if isinstance(parts, list | tuple) and parts and all(isinstance(part, str) and part.strip() for part in parts):
        return tuple(parts)
    return _Wrong("not a list of names", 'Write ["assistant"] in a file, assistant,family in the environment.')


def _seconds(value: object) -> Value | _Wrong:
    if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0:
        return float(value)
    return _Wrong("not a number of seconds", "Write a number, 0 or more, for instance 30.")


CHECKS: Final[Mapping[str, Callable[[object], Value | _Wrong]]] = MappingProxyType(
    {
        "store": _text('"memory.db"'),
        "tenant": _text('"acme"'),
        "subject": _text('"ana"'),
        "zone": _zone,
        "embedder": _embedder,
        "purpose": _text('"assistant"'),
        "audience": _audience,
        "policy": _text('"policy.toml"'),
        "model": _text('"anthropic:claude-haiku-4-5"'),
        "resolver": _resolver,
        "busy_timeout": _seconds,
    }
)
"""Every setting with the check of its value."""
