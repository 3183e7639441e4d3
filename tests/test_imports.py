"""The rules of the house, read off the syntax tree: who may import whom, and what may stand where.

Each rule is a function from one source to complaints. `test_every_rule_can_fail` feeds each a source that breaks it.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "src" / "stead"

LAYERS = (
    "version", "errors", "settings", "model", "clock", "ids", "policy", "extract", "resolve", "store", "index", "recall",
    "lifecycle", "memory", "timeline", "evaluate", "surfaces",
)  # fmt: skip
PURE = {"model", "policy", "resolve", "recall"}
DRIVERS = {"apsw", "sqlite3", "psycopg", "psycopg2", "sqlalchemy"}
NUMERIC = {"numpy", "scipy", "onnxruntime", "tokenizers", "faiss", "torch", "matplotlib"}
NETWORK = {
    "aiohttp", "anthropic", "fastapi", "flask", "ftplib", "http", "httpx", "httpx2", "huggingface_hub", "litellm", "mcp",
    "openai", "pydantic_ai", "requests", "smtplib", "socket", "ssl", "starlette", "urllib3", "uvicorn", "websockets",
}  # fmt: skip
PYDANTIC_EDGES = {"extract", "timeline", "surfaces"}
SQL_VERBS = (
    "SELECT ", "INSERT INTO ", "INSERT OR ", "UPDATE ", "DELETE FROM ", "REPLACE INTO ", "CREATE TABLE", "CREATE INDEX",
    "CREATE UNIQUE", "CREATE VIRTUAL", "CREATE TRIGGER", "CREATE VIEW", "DROP TABLE", "DROP INDEX", "ALTER TABLE",
    "PRAGMA ", "BEGIN IMMEDIATE", "SAVEPOINT ", "VACUUM", "WITH RECURSIVE",
)  # fmt: skip
TIME_AND_CHANCE = {
    "time.time", "time.time_ns", "time.localtime", "time.gmtime", "datetime.now", "datetime.utcnow", "datetime.today",
    "date.today", "os.urandom", "uuid.uuid1", "uuid.uuid4",
}  # fmt: skip
CHANCE_MODULES = {"random", "secrets"}
MAY_READ_TIME = {
    "clock.py",
    "ids.py",
    "store/sqlite/connection.py",  # jitter and patience while another process holds the lock; never part of a result
}
LONGEST = 400
NOT_AT_IMPORT = {
    "numpy", "onnxruntime", "tokenizers", "typer", "rich", "yaml", "apsw", "matplotlib", "pydantic", "snowballstemmer",
    "asyncio", "http.client", "urllib.request", "_socket", "cryptography",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Module:
    """One source file: its path below ``src/stead``, its text and its tree."""

    path: str
    text: str

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def layer(self) -> str:
        name = self.path.split("/")[0].removesuffix(".py")
        return "surfaces" if name == "__main__" else name

    @property
    def package(self) -> list[str]:
        return ["stead", *self.path.split("/")[:-1]]


def imported(module: Module) -> Iterator[tuple[int, str]]:
    """Yield every module that is imported anywhere in the source, also for the type checker alone or by name."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = module.package[: len(module.package) - node.level + 1] if node.level else []
            name = ".".join([*base, *([node.module] if node.module else [])])
            yield node.lineno, name
            if name == "stead":
                yield from ((node.lineno, f"stead.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in {"import_module", "importlib.import_module"}:
            yield from (
                (node.lineno, arg.value)
                for arg in node.args
                if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
            )


def top(name: str) -> str:
    return name.partition(".")[0]


def goes_down(module: Module) -> Iterator[str]:
    """Imports go down the list of layers, or stay in their own."""
    if module.layer == "__init__":
        return
    if module.layer not in LAYERS:
        yield f"{module.path}: {module.layer} is not in the list of layers"
        return
    allowed = LAYERS[: LAYERS.index(module.layer) + 1]
    for line, name in imported(module):
        if top(name) != "stead":
            continue
        layer = name.split(".")[1] if "." in name else ""
        public = layer not in LAYERS  # `import stead` or one of its names: the face, which memory fills
        if ("memory" not in allowed[:-1]) if public else (layer not in allowed):
            yield f"{module.path}:{line}: {module.layer} imports {name}, which is not below it"


def pure(module: Module) -> Iterator[str]:
    """The layers that decide import no driver, no numpy, no web or LLM library."""
    if module.layer in PURE:
        for line, name in imported(module):
            if top(name) in DRIVERS | NUMERIC | NETWORK or name.startswith("urllib.request"):
                yield f"{module.path}:{line}: {module.layer} imports {name}"


def driver_in_store(module: Module) -> Iterator[str]:
    """Only the store knows the database driver."""
    if module.layer != "store":
        yield from (f"{module.path}:{line}: {name}" for line, name in imported(module) if top(name) in DRIVERS)


def pydantic_at_edges(module: Module) -> Iterator[str]:
    """Pydantic validates what comes from outside: files, models, requests."""
    if module.layer not in PYDANTIC_EDGES:
        yield from (f"{module.path}:{line}: {name}" for line, name in imported(module) if top(name) == "pydantic")


def keys_in_lifecycle(module: Module) -> Iterator[str]:
    """Only the lifecycle signs, verifies and encrypts."""
    if module.layer != "lifecycle":
        yield from (f"{module.path}:{line}: {name}" for line, name in imported(module) if top(name) == "cryptography")


def sql_in_store(module: Module) -> Iterator[str]:
    """SQL stands only in the store."""
    if module.layer == "store":
        return
    for node in ast.walk(module.tree):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and " ".join(text.split()).startswith(SQL_VERBS):
            yield f"{module.path}: SQL outside of the store: {text.split()[0]} ..."


def short(module: Module) -> Iterator[str]:
    """No module is longer than 400 lines."""
    lines = len(module.text.splitlines())
    if lines > LONGEST:
        yield f"{module.path}: {lines} lines"


def time_is_injected(module: Module) -> Iterator[str]:
    """Only clock.py and ids.py read the time or draw at random."""
    if module.path in MAY_READ_TIME:
        return
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute):
            name = ast.unparse(node)
            if any(name == each or name.endswith(f".{each}") for each in TIME_AND_CHANCE):
                yield f"{module.path}:{node.lineno}: {name}"
    for line, name in imported(module):
        if top(name) in CHANCE_MODULES:
            yield f"{module.path}:{line}: {name}"
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            yield from (f"{module.path}:{node.lineno}: {name}" for name in sorted(names & TIME_AND_CHANCE))


def quiet(module: Module) -> Iterator[str]:
    """Only surfaces print."""
    if module.layer != "surfaces":
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
                yield f"{module.path}:{node.lineno}: print"


Rule = Callable[[Module], Iterator[str]]
RULES: tuple[Rule, ...] = (
    goes_down, pure, driver_in_store, pydantic_at_edges, keys_in_lifecycle, sql_in_store, short, time_is_injected, quiet,
)  # fmt: skip


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_source_follows(rule: Rule) -> None:
    paths = sorted(ROOT.rglob("*.py"))
    assert len(paths) > 20
    modules = [Module(path.relative_to(ROOT).as_posix(), path.read_text("utf-8")) for path in paths]
    assert [complaint for module in modules for complaint in rule(module)] == []


BROKEN: tuple[tuple[Rule, str, str], ...] = (
    (goes_down, "model/strip.py", "from stead.store.protocol import Store"),
    (goes_down, "model/strip.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import stead.memory"),
    (goes_down, "store/sqlite/reader.py", "from ...recall import rank"),
    (goes_down, "recall/rank.py", "from stead import memory"),
    (goes_down, "recall/rank.py", "import stead"),
    (goes_down, "memory/reads.py", "from stead import Slot"),
    (goes_down, "recall/rank.py", "def later():\n    from importlib import import_module\n    import_module('stead.memory')"),
    (goes_down, "helpers/text.py", ""),
    (pure, "recall/rank.py", "import numpy as np"),
    (pure, "resolve/local.py", "from apsw import Connection"),
    (pure, "policy/routes.py", "def ask():\n    import httpx"),
    (pure, "policy/routes.py", "from urllib.request import urlopen"),
    (driver_in_store, "index/text.py", "import apsw"),
    (pydantic_at_edges, "model/slot.py", "from pydantic import BaseModel"),
    (keys_in_lifecycle, "memory/vault.py", "from cryptography.exceptions import InvalidTag"),
    (keys_in_lifecycle, "store/sqlite/backend.py", "def sealed():\n    from cryptography.hazmat.primitives.ciphers import aead"),
    (sql_in_store, "memory/reads.py", "ROWS = 'SELECT id FROM record'"),
    (sql_in_store, "memory/reads.py", "ROWS = '''\n    select id from record'''".replace("select", "SELECT")),
    (sql_in_store, "index/text.py", "PAGE = f'PRAGMA page_size = {4096}'"),
    (short, "memory/reads.py", "x = 1\n" * (LONGEST + 1)),
    (time_is_injected, "memory/reads.py", "import time\nnow = time.time()"),
    (time_is_injected, "memory/reads.py", "import datetime\nnow = datetime.datetime.now()"),
    (time_is_injected, "memory/reads.py", "from time import time_ns"),
    (time_is_injected, "resolve/local.py", "import random"),
    (quiet, "store/sqlite/reader.py", "print('here')"),
)  # fmt: skip


@pytest.mark.parametrize(("rule", "path", "text"), BROKEN, ids=lambda part: getattr(part, "__name__", None))
def test_every_rule_can_fail(rule: Rule, path: str, text: str) -> None:
    assert list(rule(Module(path, text)))


def test_no_rule_is_without_a_source_that_breaks_it() -> None:
    assert {rule for rule, _, _ in BROKEN} == set(RULES)


FINE = (
    ("store/sqlite/reader.py", "import apsw\nROWS = 'SELECT id FROM record'"),
    ("recall/rank.py", "from stead.index.text import scores\nfrom stead.model.scope import chain"),
    ("surfaces/cli/main.py", "import stead\nfrom stead import Slot\nprint('Update the record, or delete it')"),
    ("memory/writes.py", "REASON = 'Select one of them'\nfrom datetime import datetime"),
    ("lifecycle/erase/keys.py", "from cryptography.exceptions import InvalidTag"),
    ("clock.py", "import time\nnow = time.time_ns()"),
)


@pytest.mark.parametrize(("path", "text"), FINE)
def test_what_is_allowed_passes(path: str, text: str) -> None:
    assert [complaint for rule in RULES for complaint in rule(Module(path, text))] == []


def loaded_by(code: str) -> set[str]:
    """Return the names of all modules that a fresh interpreter holds after running the code."""
    # .pth files may load modules of their own, so only the difference counts; measuring coverage would load many
    quiet_environment = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    script = f"import sys\nbefore = set(sys.modules)\n{code}\nimport json\nprint(json.dumps(sorted(set(sys.modules) - before)))"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=quiet_environment
    )
    names: list[str] = json.loads(done.stdout.splitlines()[-1])
    return set(names)


def test_importing_stead_is_light() -> None:
    """No numpy, driver, model or command-line library, and no socket, before one is needed (R51)."""
    assert loaded_by("import stead") & NOT_AT_IMPORT == set()


def test_a_heavy_import_would_be_noticed() -> None:
    assert loaded_by("import stead, yaml, socket") & NOT_AT_IMPORT == {"yaml", "_socket"}


def test_opening_a_store_without_an_embedder_loads_no_numeric_library_and_no_cryptography(tmp_path: Path) -> None:
    code = f"import stead\nstead.open({str(tmp_path / 'memory.db')!r}).close()"
    assert loaded_by(code) & (NUMERIC | {"cryptography"}) == set()
