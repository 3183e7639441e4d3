"""The connection to the model: every request counted, every answer bounded."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from stead.extract.model.provider import Provider

if TYPE_CHECKING:
    import ssl

    import httpx2
    from pydantic_ai.models import Model

LONGEST_BODY: Final = 1_000_000
"""Bytes of an answer; what is longer is cut off unread."""
THREAD: Final = "stead-model"
"""The name of the thread that asks."""
_TALKATIVE: Final = ("anthropic._base_client", "openai._base_client")


class Halted(Exception):
    """The connection was ended by this side."""


@dataclass(slots=True)
class Wire:
    """What went over the connection during one call."""

    calls: int = 0
    """Requests that were begun; a second one is never sent."""
    size: int = 0
    """Bytes of the answer's body so far."""
    halted: str | None = None
    """Why this side ended the connection, as a failure's name."""
    status: int = 0
    """Of the answer; 0 before there is one."""

    async def begin(self, _request: httpx2.Request) -> None:
        """Count a request; refuse one that a library would send on its own."""
        if self.calls:
            raise Halted("one request per call")
        self.calls += 1

    async def answer(self, response: httpx2.Response) -> None:
        """Look at an answer's head, and watch its body."""
        self.status = response.status_code
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        packed = response.headers.get("content-encoding", "identity") != "identity"
        if packed or (self.status < 300 and not kind.endswith("json")):
            self._halt("malformed")
        announced = response.headers.get("content-length", "")
        if announced.isdecimal() and int(announced) > LONGEST_BODY:
            self._halt("oversized")
        response.stream = _bounded(response.stream, self)

    def count(self, size: int) -> None:
        """Add bytes that came in, and end the connection at the bound."""
        self.size += size
        if self.size > LONGEST_BODY:
            self._halt("oversized")

    def _halt(self, why: str) -> None:
        self.halted = why
        raise Halted(why)


def _bounded(stream: Any, wire: Wire) -> httpx2.AsyncByteStream:
    import httpx2

    class Bounded(httpx2.AsyncByteStream):
        """Hands on what comes in and counts it."""

        async def __aiter__(self) -> AsyncIterator[bytes]:
            async for chunk in stream:
                wire.count(len(chunk))
                yield chunk

        async def aclose(self) -> None:
            await stream.aclose()

        @property
        def elapsed(self) -> timedelta | None:
            found: timedelta | None = stream.elapsed
            return found

    return Bounded()


def connect(provider: Provider, wire: Wire, timeout: float) -> tuple[Model[Any], httpx2.AsyncClient]:
    """Return the model and the connection that it uses, which the caller closes.

    Nothing is sent yet. Redirects are not followed: they would take the text elsewhere. Nothing is sent twice.
    """
    import httpx2

    _hush()
    client = httpx2.AsyncClient(
        verify=_trusted(),
        timeout=timeout,
        follow_redirects=False,
        headers={"Accept-Encoding": "identity"},
        event_hooks={"request": [wire.begin], "response": [wire.answer]},
    )
    return _model(provider, client, timeout), client


@lru_cache(maxsize=1)
def _trusted() -> ssl.SSLContext:
    """Return whom this machine trusts; reading that takes longer than all else that a call does here."""
    import httpx2

    return httpx2.create_ssl_context()


def _model(provider: Provider, client: httpx2.AsyncClient, timeout: float) -> Model[Any]:
    if provider.protocol == "anthropic":
        from anthropic import AsyncAnthropic
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        there = AsyncAnthropic(
            api_key=provider.key, base_url=provider.url, http_client=client, max_retries=0, timeout=timeout
        )
        return AnthropicModel(provider.name, provider=AnthropicProvider(anthropic_client=there))
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    place = AsyncOpenAI(api_key=provider.key, base_url=provider.url, http_client=client, max_retries=0, timeout=timeout)
    return OpenAIChatModel(provider.name, provider=OpenAIProvider(openai_client=place))


class _Silence(logging.Filter):
    """Keeps the libraries' debug lines about our own calls out of every log: they quote the whole request."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.threadName != THREAD


@lru_cache(maxsize=1)
def _hush() -> None:
    for name in _TALKATIVE:
        logging.getLogger(name).addFilter(_Silence())
