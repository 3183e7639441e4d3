"""One call of a model: one request, one deadline, one answer or the name of what went wrong."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from stead.extract.model.provider import Provider
from stead.extract.model.wire import THREAD, Wire, connect

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model, ModelRequestParameters

CLAIMS: Final = ("report_claims", "Report the claims that were found.")
"""Name and purpose of the tool by which the answer has to come."""
LONGEST_ANSWER: Final = 4_096
"""Tokens that a model may write."""
GRACE: Final = 0.5
"""Seconds after the deadline in which a connection may be closed; then it is left to itself."""
FAILURES: Final = (
    "timeout", "refused", "malformed", "empty", "oversized", "foreign_id", "transport", "limit", "auth", "rate_limited",
    "server_error", "rejected", "skipped",
)  # fmt: skip
"""Every name that a failure can have."""
HOPELESS: Final = frozenset({"timeout", "transport", "auth", "rate_limited", "server_error", "rejected"})
"""Failures after which the rest of the session isn't asked about: the next call would most likely fail the same way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What came back."""

    arguments: str = ""
    """The answer as JSON text, not yet read; empty when there is none."""
    failure: str | None = None
    calls: int = 1
    """Requests that were begun; 0 only if not even that was possible."""
    tokens_in: int = 0
    """As the provider reports."""
    tokens_out: int = 0


def ask(
    provider: Provider,
    orders: str,
    message: str,
    form: Mapping[str, Any],
    *,
    timeout: float,
    tool: tuple[str, str] = CLAIMS,
) -> Reply:
    """Ask once, and return within the timeout and half a second; never raise because of what a server does.

    The call runs in a thread with an event loop of its own, so that it works the same inside of a running loop, and so that
    nothing, not even a name that takes long to resolve, holds the caller up.

    Parameters
    ----------
    provider
        Whom to ask.
    orders
        The standing text.
    message
        The turns, fenced.
    form
        The JSON schema of the answer.
    timeout
        Seconds for all of it, from connecting to the last byte.
    tool
        Name and purpose of the tool by which the answer has to come.
    """
    import asyncio

    wire = Wire()
    messages, asked = _request(orders, message, form, tool)
    try:
        model, client = connect(provider, wire, timeout)
    except Exception:  # noqa: BLE001 - an address, a proxy or a certificate that no connection can be made with
        return Reply(failure="transport", calls=0)
    replies: list[Reply] = []

    def run() -> None:
        try:
            reply = asyncio.run(_exchange(model, client, messages, asked, timeout))
        except Exception as problem:  # noqa: BLE001 - whatever a library raises on an odd answer
            reply = Reply(failure=_named(problem, wire))
        replies.append(reply)

    thread = threading.Thread(target=run, name=THREAD, daemon=True)
    thread.start()
    thread.join(timeout + GRACE)
    reply = replies[0] if replies else Reply(failure="timeout")
    return Reply(
        arguments=reply.arguments,
        failure=reply.failure,
        calls=wire.calls,
        tokens_in=reply.tokens_in,
        tokens_out=reply.tokens_out,
    )


def _request(
    orders: str, message: str, form: Mapping[str, Any], tool: tuple[str, str]
) -> tuple[list[ModelMessage], ModelRequestParameters]:
    import pydantic_ai.direct  # noqa: F401 - loaded here, before the clock runs
    from pydantic_ai.messages import ModelRequest
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.tools import ToolDefinition

    name, purpose = tool
    output = ToolDefinition(name=name, description=purpose, parameters_json_schema=dict(form), kind="output")
    asked = ModelRequestParameters(output_mode="tool", output_tools=[output], allow_text_output=False)
    return [ModelRequest.user_text_prompt(message, instructions=orders)], asked


async def _exchange(
    model: Model[Any],
    client: httpx2.AsyncClient,
    messages: list[ModelMessage],
    asked: ModelRequestParameters,
    timeout: float,  # noqa: ASYNC109 - it also bounds each step on the connection
) -> Reply:
    import asyncio

    from pydantic_ai.direct import model_request
    from pydantic_ai.settings import ModelSettings

    settings = ModelSettings(timeout=timeout, max_tokens=LONGEST_ANSWER, max_retries=0)
    async with client, asyncio.timeout(timeout):
        response = await model_request(
            model, messages, model_settings=settings, model_request_parameters=asked, instrument=False
        )
    return _reply(response, asked.output_tools[0].name)


def _reply(response: ModelResponse, tool: str) -> Reply:
    arguments, failure = _content(response, tool)
    return Reply(
        arguments=arguments,
        failure=failure,
        tokens_in=max(0, response.usage.input_tokens),
        tokens_out=max(0, response.usage.output_tokens),
    )


def _content(response: ModelResponse, tool: str) -> tuple[str, str | None]:
    from pydantic_ai.messages import TextPart, ToolCallPart

    if response.finish_reason == "content_filter":
        return "", "refused"
    if response.finish_reason == "length":
        return "", "oversized"
    calls = [part for part in response.parts if isinstance(part, ToolCallPart)]
    if not calls:
        said = any(isinstance(part, TextPart) and part.content.strip() for part in response.parts)
        return "", "malformed" if said else "empty"
    if len(calls) > 1 or calls[0].tool_name != tool:
        return "", "malformed"
    arguments = calls[0].args_as_json_str() if calls[0].args else ""
    return arguments, None if arguments.strip() else "empty"


def _named(problem: BaseException, wire: Wire) -> str:
    """Return the name of what went wrong. The problem's own text is dropped: it may quote the turns or the answer."""
    import httpx2
    from pydantic_ai import exceptions as known

    if wire.halted:
        return wire.halted
    kinds: tuple[tuple[str, tuple[type[BaseException], ...]], ...] = (
        ("timeout", (TimeoutError, known.ModelTimeoutError, known.ModelRequestTimeout, httpx2.TimeoutException)),
        ("auth", (known.ModelAuthenticationError,)),
        ("rate_limited", (known.ModelRateLimitError, known.ModelQuotaExceededError)),
        ("server_error", (known.ModelUnavailableError, known.ModelServerError)),
        ("rejected", (known.ModelRequestRejectedError,)),
        ("transport", (known.ModelConnectionError, httpx2.TransportError, OSError)),
    )
    for name, types in kinds:
        if isinstance(problem, types):
            return name
    if wire.status >= 300:
        return "server_error" if wire.status >= 500 else "rejected"
    return "malformed" if wire.status else "transport"
