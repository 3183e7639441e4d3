"""A server that speaks the protocols of Anthropic (Messages) and OpenAI (Chat Completions) and plays a script.

It answers as the real ones do to a request that forces a tool, or misbehaves as told. Every request is kept.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Step = Callable[["Handler"], None]
ANTHROPIC = "/v1/messages"
OPENAI = "/v1/chat/completions"


@dataclass(frozen=True)
class Request:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def tool(self) -> str:
        """Return the name of the tool that the answer must call."""
        [tool] = self.json["tools"]
        return str(tool.get("name") or tool["function"]["name"])

    @property
    def protocol(self) -> str:
        return "anthropic" if self.path.startswith(ANTHROPIC) else "openai"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ScriptedServer
    request_: Request

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        path = self.path.partition("?")[0]
        self.request_ = Request(path, {name.lower(): value for name, value in self.headers.items()}, body)
        step = self.server.next_step(self.request_)
        if path in {ANTHROPIC, OPENAI}:
            step(self)
        else:
            self.send(b"{}", status=404)

    def send(
        self, body: bytes, *, status: int = 200, kind: str = "application/json", headers: dict[str, str] | None = None
    ) -> None:
        self.head(status, kind, {"Content-Length": str(len(body))} | (headers or {}))
        self.wfile.write(body)

    def head(self, status: int, kind: str, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def wait(self, seconds: float) -> None:
        """Wait, or stop waiting when the test is over."""
        self.server.over.wait(seconds)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@dataclass
class Script:
    steps: list[Step]
    requests: list[Request] = field(default_factory=list)
    url: str = ""

    def model(self, protocol: str) -> str:
        return f"anthropic:claude-test@{self.url}" if protocol == "anthropic" else f"openai:gpt-test@{self.url}/v1"


class ScriptedServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.script, self.over, self._lock = script, threading.Event(), threading.Lock()
        script.url = f"http://127.0.0.1:{self.server_address[1]}"

    def next_step(self, request: Request) -> Step:
        """Return what to do; the last step is repeated."""
        with self._lock:
            place = min(len(self.script.requests), len(self.script.steps) - 1)
            self.script.requests.append(request)
            return self.script.steps[place]

    def handle_error(self, *_: object) -> None:
        """A client that hangs up is no error here."""


@contextmanager
def serving(*steps: Step) -> Iterator[Script]:
    """Run a server that plays the steps, one per request."""
    script = Script(list(steps))
    with ScriptedServer(script) as server:
        thread = threading.Thread(target=lambda: server.serve_forever(poll_interval=0.01), daemon=True)
        thread.start()
        try:
            yield script
        finally:
            server.over.set()
            server.shutdown()
            thread.join()


def closed_port() -> int:
    """Return a port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


# --- whole answers ----------------------------------------------------------------------------------------------------


def enveloped(
    request: Request, arguments: str | None, *, text: str | None = None, tool: str | None = None, stop: str = "",
    refusal: str | None = None, times: int = 1,
) -> bytes:  # fmt: skip
    """Return the body of an answer, with the arguments as they are given: nobody has checked that they are JSON."""
    name = json.dumps(tool or request.tool)
    if request.protocol == "anthropic":
        blocks = [] if text is None else [json.dumps({"type": "text", "text": text})]
        if arguments is not None:
            blocks += [
                f'{{"type":"tool_use","id":"toolu_{n}","name":{name},"input":{arguments}}}' for n in range(times)
            ]
        stop = stop or ("refusal" if refusal else "tool_use" if arguments is not None else "end_turn")
        return (
            '{"id":"msg_1","type":"message","role":"assistant","model":"claude-test","content":['
            + ",".join(blocks)
            + "],"
            f'"stop_reason":"{stop}","stop_sequence":null,"usage":{{"input_tokens":321,"output_tokens":45}}}}'
        ).encode()
    calls = [
        f'{{"id":"call_{n}","type":"function","function":{{"name":{name},"arguments":{json.dumps(arguments)}}}}}'
        for n in range(times)
    ]
    tools = f',"tool_calls":[{",".join(calls)}]' if arguments is not None else ""
    stop = stop or ("tool_calls" if arguments is not None else "stop")
    return (
        '{"id":"chatcmpl-1","object":"chat.completion","created":1767607200,"model":"gpt-test","choices":[{"index":0,'
        f'"finish_reason":"{stop}","logprobs":null,"message":{{"role":"assistant","content":{json.dumps(text)},'
        f'"refusal":{json.dumps(refusal)}{tools}}}}}],'
        '"usage":{"prompt_tokens":321,"completion_tokens":45,"total_tokens":366}}'
    ).encode()


def claims(*found: dict[str, Any]) -> Step:
    """Answer as a model does that follows the schema."""
    return arguments(json.dumps({"claims": list(found)}))


def arguments(given: str | None, **more: Any) -> Step:
    """Answer with a tool call whose arguments are this text."""
    return lambda handler: handler.send(enveloped(handler.request_, given, **more))


def body(content: bytes, *, status: int = 200, kind: str = "application/json", **headers: str) -> Step:
    """Answer with these bytes."""
    spelled = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler: handler.send(content, status=status, kind=kind, headers=spelled)


def status(code: int, *, kind: str = "error", message: str = "no") -> Step:
    """Answer with an error as both providers shape it."""
    shape = {"type": "error", "error": {"type": kind, "message": message, "code": kind}}
    return body(json.dumps(shape).encode(), status=code)


def cut(step: Callable[[Request], bytes], at: int) -> Step:
    """Answer with the first bytes of an answer, as if they were all."""
    return lambda handler: handler.send(step(handler.request_)[:at])


# --- faults of the transport ------------------------------------------------------------------------------------------


def slow_headers(seconds: float) -> Step:
    def play(handler: Handler) -> None:
        handler.wait(seconds)
        handler.send(b"{}")

    return play


def slow_body(seconds: float) -> Step:
    """Send one byte after the other, so that no single wait is long."""

    def play(handler: Handler) -> None:
        handler.head(200, "application/json", {"Content-Length": "100000"})
        for _ in range(int(seconds / 0.05)):
            handler.wfile.write(b" ")
            handler.wfile.flush()
            if handler.server.over.wait(0.05):
                return

    return play


def reset(handler: Handler) -> None:
    """Send half of an answer and reset the connection."""
    handler.head(200, "application/json", {"Content-Length": "1000"})
    handler.wfile.write(b'{"id":')
    handler.wfile.flush()
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.close_connection = True
    handler.connection.close()


def hang_up(handler: Handler) -> None:
    """Close without a word."""
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


def cut_chunks(handler: Handler) -> None:
    """Begin a chunked answer and close inside of a chunk."""
    handler.head(200, "application/json", {"Transfer-Encoding": "chunked"})
    handler.wfile.write(b'ff\r\n{"id":')
    handler.wfile.flush()
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


def endless_chunks(handler: Handler) -> None:
    """Send 20 MB without saying how much it will be."""
    handler.head(200, "application/json", {"Transfer-Encoding": "chunked"})
    for _ in range(200):
        handler.wfile.write(b"%x\r\n%b\r\n" % (100_000, b" " * 100_000))
    handler.wfile.write(b"0\r\n\r\n")


def texts_in(value: Any) -> Sequence[str]:
    """Return every text anywhere in a request."""
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in texts_in(part)]
