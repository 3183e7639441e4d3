"""Which model is asked, where, and with which key: read from one line of text."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from stead.errors import InvalidArgument, MissingExtra

KEYS: Final = {"anthropic": "ANTHROPIC_API_KEY", "openai": "OPENAI_API_KEY"}
"""Per protocol the environment variable that holds the key; keys are read from nowhere else."""
UNNAMED: Final = "default"
"""The model's name when a bare address doesn't say one; servers of a single model take any."""
NO_KEY: Final = "none"
"""What is sent as a key to a server that was given by address while the variable is not set."""

_NAME: Final = re.compile(r"[\w./:+\-]{1,200}")
_FIX: Final = (
    'Write "anthropic:MODEL", "openai:MODEL", "openai:MODEL@http://localhost:8000/v1" '
    'or a server\'s address, "http://localhost:8000/v1#MODEL".'
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """A model at a place."""

    protocol: str
    """``anthropic`` (Messages) or ``openai`` (Chat Completions, which most servers of open models speak)."""
    name: str
    """The model, as its provider calls it."""
    url: str | None = None
    """The server's address; None: the provider's own."""
    key: str = field(repr=False)
    """Sent with each call and shown nowhere."""


def parse(model: str, environ: Mapping[str, str] | None = None) -> Provider:
    """Read a provider string.

    Parameters
    ----------
    model
        ``anthropic:NAME``, ``openai:NAME``, either with ``@URL`` for another server of that protocol, or a bare ``URL`` of
        a server that speaks the protocol of OpenAI, with ``#NAME`` where it has several models.
    environ
        Where the key is looked up; the process's environment by default.

    Raises
    ------
    InvalidArgument
        The text is none of these, or the provider needs a key and its variable is not set.
    """
    if not isinstance(model, str) or not model.strip():
        raise InvalidArgument("model", "empty", _FIX)
    environ = os.environ if environ is None else environ
    protocol, name, url = _parts(model.strip())
    if protocol not in KEYS:
        raise InvalidArgument("model", "no such provider", _FIX)
    if not _NAME.fullmatch(name):
        raise InvalidArgument("model", "the model's name is missing or not a name", _FIX)
    key = environ.get(KEYS[protocol], "").strip()
    if not key and url is None:
        raise InvalidArgument("model", "the provider needs a key", f"Set {KEYS[protocol]} in the environment.")
    if not (key.isascii() and key.isprintable()):
        raise InvalidArgument("model", "the key can't be sent", f"Set {KEYS[protocol]} to the provider's key alone.")
    return Provider(protocol=protocol, name=name, url=_address(url, protocol), key=key or NO_KEY)


def _parts(model: str) -> tuple[str, str, str | None]:
    if model.startswith(("http://", "https://")):
        url, _, name = model.partition("#")
        return "openai", name or UNNAMED, url
    protocol, _, rest = model.partition(":")
    name, at, url = rest.partition("@")
    return protocol, name, url if at else None


def _address(url: str | None, protocol: str) -> str | None:
    """Return the address as the protocol's client wants it, or refuse what is no plain address."""
    if url is None:
        return None
    try:
        parts = urlsplit(url)
        sound = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound or parts.query or parts.fragment or not url.isprintable() or " " in url:
        raise InvalidArgument("model", "not the address of a server", _FIX)
    if "@" in parts.netloc:
        raise InvalidArgument(
            "model", "an address with a password", f"Set {KEYS[protocol]} in the environment instead."
        )
    plain = url.rstrip("/")
    return plain.removesuffix("/v1") if protocol == "anthropic" else plain


def installed(protocol: str) -> None:
    """Refuse to begin when a package of the extra ``llm`` is missing.

    Raises
    ------
    MissingExtra
    """
    from importlib.util import find_spec

    for package in ("pydantic", "pydantic_ai", protocol):
        if find_spec(package) is None:
            raise MissingExtra(f"extraction by a model needs the package {package!r}", extra="llm")
