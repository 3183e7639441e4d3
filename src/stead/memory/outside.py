"""Where content went outside of the file, as far as Stead sent it there: exports, sinks and backups (R32)."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from stead.errors import InvalidArgument
from stead.model.erasure import Retained, Surface
from stead.recall.items import moment
from stead.store.values import JobRow
from stead.version import VERSION

if TYPE_CHECKING:
    from stead.memory.core import Core

Sink = Callable[[bytes, bytes], object]
"""Given a notice (JSON: erasure, subject, records, episodes, whole, at; ids only) and its Ed25519 signature, returns true
when whatever it had of them is gone."""
Places = Sequence[tuple[str, str, object]]
"""Id or name, path, and what else is known."""
WAIT: Final = 60.0
"""Seconds that a command may take."""


@dataclass(frozen=True, slots=True)
class Told:
    """What became of the places outside of the file."""

    surfaces: tuple[Surface, ...]
    retained: tuple[Retained, ...]


def carry_out(core: Core, job: JobRow) -> Told:
    """Write the exports anew, tell the sinks, and destroy the key of the backups of a subject that is erased whole."""
    with core.backend.read() as store:
        places = store.places_outside(job.subject)
        subject = store.subject_by_number(job.subject)
    exports = [*_exports(core, places["exports"])]
    surfaces = [
        *(each for each, _ in exports),
        *([] if exports else [surface(core, "exports", "clean")]),
        *_sinks(core, job, places["sinks"]),
    ]
    destroyed = False
    if job.whole and subject is not None and subject.ref is not None:
        with core.backend.write():  # who changes the keys holds the write lock
            destroyed = core.vault.keys().destroy(subject.ref)
    result = "unreadable" if destroyed or places["backups"] else "clean"
    surfaces.append(surface(core, "backups", result, len(places["backups"])))
    moved = [
        Retained(
            what=f"export {each.what}: another file is in its place", rule="R32", owner="whoever moved it", until=None
        )
        for each, result in exports
        if result == "foreign"
    ]
    return Told(tuple(surfaces), (*moved, *_backups(places["backups"])))


def _exports(core: Core, exports: Places) -> Iterator[tuple[Surface, str]]:
    """Yield what became of each export, and what was found in its place."""
    if not exports:
        return
    from stead.memory.exporting import rewrite  # it reads by the verbs, which write by the core

    for name, path, form in exports:
        try:
            result: str = rewrite(core, name, path, str(form))
        except OSError:
            result = "failed"
        if result in ("gone", "foreign"):
            with core.backend.write() as store:
                store.mark_gone("exports", name, core.clock.now())
        yield surface(core, "exports", {"gone": "clean", "foreign": "clean"}.get(result, result), 1, name), result


def _sinks(core: Core, job: JobRow, sinks: Places) -> Iterator[Surface]:
    if not sinks:
        yield surface(core, "sinks", "clean")
        return
    entry = core.vault.ledger().find("erasure", job.id)
    body = {} if entry is None else {name: entry.body[name] for name in _TOLD if name in entry.body}
    if job.whole:  # the ledger names no record of it, and whoever has some must know which
        with core.backend.read() as store:
            records, turns = store.of_erasure(job.n)
            body["records"] = [name for _, name in records]
            body["episodes"] = [name for _, name in turns] + store.erased_turns(job.subject)
    notice = json.dumps(body, sort_keys=True, separators=(",", ":")).encode()
    signature = core.vault.keys().sign(notice)
    for name, _, command in sinks:
        call = core.sinks.get(name) if command is None else _runs(str(command))
        heard = call is not None and _heard(call, notice, signature)
        yield surface(core, "sinks", "told" if heard else "failed", 1, name)


_TOLD = ("erasure", "subject", "records", "episodes", "whole", "at")


def _heard(call: Sink, notice: bytes, signature: bytes) -> bool:
    try:
        return bool(call(notice, signature))
    except Exception:  # noqa: BLE001 - whatever a foreign sink raises, it hasn't acknowledged
        return False


def _runs(command: str) -> Sink:
    """Return a sink that gives notice and signature to a command, as two lines on its standard input."""

    def call(notice: bytes, signature: bytes) -> bool:
        given = notice + b"\n" + signature.hex().encode() + b"\n"
        done = subprocess.run(command, shell=True, input=given, capture_output=True, timeout=WAIT, check=False)  # noqa: S602 - the operator's own command
        return done.returncode == 0

    return call


def register(core: Core, name: str, sink: Sink | str | None) -> None:
    """Note a sink, by a function of this program or by a command; None takes it away.

    Raises
    ------
    InvalidArgument
    """
    if not isinstance(name, str) or not name.strip():
        raise InvalidArgument("name", "empty", "Name the sink: crm.")
    if sink is not None and not isinstance(sink, str) and not callable(sink):
        raise InvalidArgument("sink", "neither a function nor a command", "Give a function of notice and signature.")
    with core.backend.write() as store:
        store.set_sink(
            name, sink if isinstance(sink, str) else None, store.instant(core.clock.now()), gone=sink is None
        )
    core.sinks.pop(name, None)
    if sink is not None and not isinstance(sink, str):
        core.sinks[name] = sink


def _backups(backups: Places) -> Iterator[Retained]:
    for name, _, until in backups:
        date = None if until is None else moment(int(str(until))).isoformat()
        yield Retained(
            what=f"backup {name}: unreadable remains", rule="R33", owner="the operator of the store", until=date
        )


def surface(core: Core, name: str, result: str, count: int = 0, what: str | None = None) -> Surface:
    """Return what became of a surface, with the time and what did it."""
    return Surface(
        surface=name, result=result, count=count, at=moment(core.now()).isoformat(),
        engine=f"stead {VERSION}, {core.backend.engine}", what=what,
    )  # fmt: skip
