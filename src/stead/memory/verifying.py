"""Verifying an erasure: looking for it as a new reader would, and reading the bytes of every file (R32)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from stead.errors import SteadError
from stead.memory.outside import surface
from stead.model.erasure import Surface
from stead.model.period import FOREVER
from stead.store.values import JobRow

if TYPE_CHECKING:
    from stead.lifecycle.erase.scan import Hit, Needles
    from stead.memory.core import Core

LOOKED_AT: Final = 50
"""Records that are asked for one by one, as a reader would; all are counted."""
_WORDS: Final = 1_000
"""Own words that are searched for."""


def verify(core: Core, job: JobRow) -> tuple[Surface, ...]:
    """Return what was found of an erasure: as a reader, and in the bytes of the files."""
    needles = _needles(core, job) if job.scan else None
    found = {"reader": not _readable(core, job, needles)}
    if needles is not None:
        found["bytes"] = _scanned(core, job, needles)
    return tuple(surface(core, name, "clean" if clean else "failed") for name, clean in found.items())


def _readable(core: Core, job: JobRow, needles: Needles | None) -> bool:
    """Tell whether anything of it can be read: by id, at any time, in its slot, by its own words, or by a vector.

    What answers in a slot, or at any time, is read off rows that belong to a record: there are none. Where the files are read
    too, the indexes are asked by its own words, and for vectors, whether an entry leads to a text that isn't there; that takes
    as long as the store is large. Nothing of it is embedded anew, for that would send it to a provider.
    """
    with core.backend.read() as store:
        if needles is not None:
            words = [each.decode(errors="ignore") for each in needles.words[:_WORDS]]
            if store.orphans(job.subject, words):
                return True
        records, turns = store.of_erasure(job.n)
        numbers = [n for n, _ in records]
        if store.left_of(numbers, [n for n, _ in turns]) or turns:
            return True
        for n, name in records[:LOOKED_AT]:
            if store.current(job.subject, name) is not None or not store.erased(job.subject, name):
                return True
            if store.revisions(job.subject, [n]) or store.sources([n], FOREVER):
                return True
    return False


def _scanned(core: Core, job: JobRow, needles: Needles) -> bool:
    """Read the files for what was erased; what is found is swept away with all that the pages may still hold.

    In the file that was just written anew from its rows a short word comes about where two columns meet, or by chance.
    """
    with core.backend.read() as store:
        outside = [path for _, path, _ in store.places_outside(job.subject)["exports"]]
    files = [Path(each) for each in (*core.backend.files(), *outside)]
    try:
        if not _residue(core, files, needles):
            return True
        core.backend.compact()
        core.backend.sweep(0.5)
        return not any(hit.certain for hit in _residue(core, files, needles))
    except (OSError, SteadError):  # of a file that can't be read nothing can be said
        return False


def _needles(core: Core, job: JobRow) -> Needles:
    """Return what is looked for after an erasure."""
    from stead.lifecycle.erase.scan import Needles

    keys = core.vault.keys()
    with core.backend.read() as store:
        return Needles.joined(Needles.load(keys.unseal(each)) for each in store.needles(job.n))


def _residue(core: Core, files: list[Path], needles: Needles) -> list[Hit]:
    """Return what was found and stands in no row that is left: a word that others still use is no residue."""
    from stead.lifecycle.erase.scan import explain, scan

    hits = scan(files, needles, opened=core.backend.read_bytes)
    with core.backend.read() as store:
        return explain(hits, store.survives)
