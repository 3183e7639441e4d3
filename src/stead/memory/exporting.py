"""Access and portability: everything remembered of a subject, as lines for a program and as a page for a person.

An export that Stead wrote is registered before its first byte is there, and put into its place with the write lock held and no
erasure in between. So there is no moment at which an erasure doesn't know of it, or at which it holds what was erased (R32).
"""

from __future__ import annotations

import json
import os
import stat
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, overload

from stead.errors import InvalidArgument
from stead.lifecycle.disk import sync_folder
from stead.memory.lines import FORMAT, Line, lines
from stead.memory.markdown import markdown
from stead.model.porting import Export
from stead.model.zone import zone as checked_zone
from stead.store.porting import ExportRow
from stead.store.protocol import ReadTx

if TYPE_CHECKING:
    from stead.memory.core import Core

Form = Literal["jsonl", "markdown"]
FORMS: Final = ("jsonl", "markdown")
Progress = Callable[[int], object]
"""Called with the number of lines that are done."""
_HEAD: Final = 4_096
"""Bytes in which an export says which one it is."""
_PRIVATE: Final = 0o600
_BESIDE: Final = ("", "-wal", "-shm", "-journal", ".keys", ".ledger")
"""What a store's own files end with."""


class Exporting:
    """What a subject's handle can take along."""

    _core: Core
    name: str
    zone: str | None

    @overload
    def export(self) -> Iterator[Line]: ...

    @overload
    def export(
        self, path: str | os.PathLike[str], *, form: str = "jsonl", progress: Progress | None = None
    ) -> Export: ...

    def export(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        form: str = "jsonl",
        progress: Progress | None = None,
    ) -> Iterator[Line] | Export:
        """Return everything remembered about the subject, or write it into a file.

        Records with their history, sources, authority, standing, and who used them; turns; what waits for an answer; aliases,
        consents, sessions and events; every decision, of what was dropped too; erasures by their ids. Never a vector, and
        nothing of what was erased.

        Parameters
        ----------
        path
            A file. It is written whole or not at all, readable by its owner alone, and the store knows it from then on: an
            erasure writes it anew. Without it, the lines are yielded as they are read.
        form
            Of a file: ``jsonl``, which `import_` reads, or ``markdown``, for a person.
        progress
            Of a file: called with the number of lines that are written.

        Returns
        -------
        iterator of dict, or Export
            Each line has a ``type``; the first one, ``export``, says of whom and when.

        Raises
        ------
        InvalidArgument
            The file can't be written.
        """
        if form not in FORMS:
            raise InvalidArgument("form", "unknown", f"Use one of: {', '.join(FORMS)}.")
        if path is not None:
            return write(self._core, self.name, self.zone, Path(path), form, progress)
        if form != "jsonl" or progress is not None:
            name = "progress" if progress is not None else "form"
            raise InvalidArgument(name, "given without a path", "Name the file that is to be written.")
        return lines(self._core, self.name, self.zone)


def write(
    core: Core, subject: str, zone: str | None, path: Path, form: str, progress: Progress | None = None
) -> Export:
    """Write an export into a file, and register it.

    Raises
    ------
    InvalidArgument
    """
    place = _place(core, path)
    with core.backend.read() as store:
        known = store.subject(subject)
    name = f"exp_{core.new_id()}"
    try:
        if known is None:  # of whom nothing was ever written nothing can be erased
            counts = _put(place, name, _text(_nothing(name, form, subject), form))
        else:
            row = ExportRow(id=name, subject=known.n, path=str(place), form=form, tx=0)
            counts = _replace(core, row, zone, lambda: _PRIVATE, progress) or {}
    except OSError as problem:
        _gone(core, name)
        raise InvalidArgument(
            "path", f"can't be written: {problem.strerror}", "Name a file in a folder of yours."
        ) from None
    except BaseException:
        _gone(core, name)
        raise
    return Export(id=name, path=str(place), form=form, lines=counts)


def _place(core: Core, path: Path) -> Path:
    place = path.expanduser().resolve()
    own = Path(core.backend.path).resolve()
    if any(str(place) == f"{own}{end}" for end in _BESIDE):
        raise InvalidArgument("path", "a file of the store itself", "Name another file.")
    if place.exists() and not place.is_file():
        raise InvalidArgument("path", "not a file", "Name a file; leave the path out to get the lines.")
    return place


def _gone(core: Core, name: str) -> None:
    with core.backend.write() as store:
        if store.export_row(name) is not None:
            store.mark_gone("exports", name, core.clock.now())


def rewrite(core: Core, export: str, path: str, form: str) -> Literal["rewritten", "gone", "foreign"]:
    """Write an export anew from what the store holds now, in the same form and zone.

    Parameters
    ----------
    core, export
        The open store, and the id of the export.
    path, form
        Where it was written, and how.

    Returns
    -------
    str
        ``gone``: there is no file any more, or a later export is in its place; ``foreign``: another file is, which is left
        alone.

    Raises
    ------
    OSError
        The file can't be read or written.
    """
    place = Path(path)
    with core.backend.write() as store:  # with the lock held, so that no export is just being put into its place
        _part(place, export).unlink(missing_ok=True)  # of one that was killed while it wrote, or has to read again
        row = store.export_row(export)
    found = head_of(place, form)
    if found is None or row is None:
        return "gone"
    if found.get("id") != export:
        with core.backend.read() as read:
            later = any(each.id == found.get("id") for each in read.exports_at(path))
        return "gone" if later else "foreign"
    zone = _known_zone(found.get("zone"))

    def mode() -> int | None:
        ours = (head_of(place, form) or {}).get("id") == export
        return stat.S_IMODE(place.stat().st_mode) if ours else None

    return "foreign" if _replace(core, row, zone, mode) is None else "rewritten"


def _known_zone(name: object) -> str | None:
    try:
        return None if name is None else checked_zone(str(name)).key
    except InvalidArgument:
        return None


def head_of(path: Path, form: str) -> Mapping[str, object] | None:
    """Return what a file says which export it is: empty where it is none of ours, None where there is no file."""
    try:
        handle = os.open(
            path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)
        )  # a pipe in its place must not make an erasure wait
    except (FileNotFoundError, NotADirectoryError):
        return None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return {}
        start = os.read(handle, _HEAD).decode("utf-8", errors="replace")
    finally:
        os.close(handle)
    first, _, rest = start.partition("\n")
    try:
        if form == "jsonl":
            found = json.loads(first)
            return found if isinstance(found, dict) and found.get("type") == "export" else {}
        if first != "---":
            return {}
        pairs = (line.partition(": ") for line in rest.partition("\n---\n")[0].split("\n"))
        front = {name: json.loads(value) for name, _, value in pairs}
        return {**front, "id": front.get("export")}
    except (ValueError, RecursionError):
        return {}


def _replace(
    core: Core, row: ExportRow, zone: str | None, mode: Callable[[], int | None], progress: Progress | None = None
) -> dict[str, int] | None:
    """Write an export and put it into its place, with the permissions of ``mode``; None where it has none to give.

    What was read before an erasure is thrown away and read again.
    """
    place = Path(row.path)
    while True:
        with core.backend.write() as store:
            row = store.export_row(row.id) or replace(row, tx=store.instant(core.clock.now()))
            store.add_export(row)
        part = _part(place, row.id)
        try:
            with core.backend.read() as store:  # one snapshot of everything
                epoch = _epoch(store, row.subject)
                counts = _fill(part, _text(_content(core, store, row, zone), row.form), progress)
            with core.backend.write() as store:
                now = store.export_row(row.id)
                if now is None or now.gone is not None or _epoch(store, row.subject) != epoch or not part.exists():
                    continue
                allowed = mode()
                if allowed is None:
                    return None
                part.chmod(allowed)
                part.replace(place)
                sync_folder(place.parent)
                for other in store.exports_at(row.path):
                    if other.id != row.id:
                        store.mark_gone("exports", other.id, core.clock.now())
                return counts
        finally:
            part.unlink(missing_ok=True)


def _epoch(store: ReadTx, subject: int) -> int:
    found = store.subject_by_number(subject)
    return -1 if found is None else found.epoch


def _content(core: Core, store: ReadTx, row: ExportRow, zone: str | None) -> Iterator[Line]:
    """Yield the lines of an export; one that was made before its subject was erased whole says nothing but its id."""
    subject = store.subject_by_number(row.subject)
    if subject is None or store.erased_since(row.subject, row.tx):
        return _nothing(row.id, row.form, None)
    return lines(core, subject.name, zone, export=row.id, form=row.form)


def _nothing(export: str, form: str, subject: str | None) -> Iterator[Line]:
    yield {"type": "export", "format": FORMAT, "id": export, "form": form, **({} if subject is None else {"subject": subject}),
           "note": "nothing is remembered"}  # fmt: skip


Texts = Iterator[tuple[str, str]]
"""What is written, piece by piece, each with the type of line that it is of; '' for what is of none."""


def _text(found: Iterator[Line], form: str) -> Texts:
    if form == "markdown":
        return markdown(found)
    return ((str(line["type"]), json.dumps(line, ensure_ascii=False) + "\n") for line in found)


def _put(place: Path, export: str, texts: Texts) -> dict[str, int]:
    part = _part(place, export)
    try:
        counts = _fill(part, texts, None)
        part.replace(place)
        sync_folder(place.parent)
        return counts
    finally:
        part.unlink(missing_ok=True)


def _part(place: Path, export: str) -> Path:
    """Return where an export is written before it is whole: the same name every time, so that nothing is left behind."""
    return place.with_name(f".{export}.part")


def _fill(part: Path, texts: Texts, progress: Progress | None) -> dict[str, int]:
    """Write a file whole and onto the disk, for its owner alone."""
    part.unlink(missing_ok=True)
    counts: Counter[str] = Counter()
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE)
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
        for number, (kind, text) in enumerate(texts, start=1):
            file.write(text)
            counts[kind] += 1
            if progress is not None:
                progress(number)
        file.flush()
        os.fsync(file.fileno())
    return {name: count for name, count in counts.items() if name not in ("", "export")}
