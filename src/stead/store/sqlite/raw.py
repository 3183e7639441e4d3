"""Reading the bytes of a file that SQLite has open in this process.

Closing any descriptor of a file drops all locks that the process holds on it (POSIX). Another process would then take itself
for the last user, and fold and delete a write-ahead log that is in use: writes would be lost. SQLite's own way to open a file
waits with the close.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import apsw

_FLAGS = apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY


class RawFile(io.RawIOBase):
    """A file of bytes, read through SQLite."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._file = apsw.VFSFile("", str(path.absolute()), [_FLAGS, 0])
        self._place = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to a place, counted from the beginning or the end."""
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._place, io.SEEK_END: self._file.xFileSize()}[whence]
        self._place = base + offset
        return self._place

    def readinto(self, buffer: Any) -> int:
        """Read as much as is there, at most what the buffer takes."""
        view = memoryview(buffer).cast("B")
        wanted = min(len(view), max(0, self._file.xFileSize() - self._place))
        if not wanted:
            return 0
        data = self._file.xRead(wanted, self._place)
        view[: len(data)] = data
        self._place += len(data)
        return len(data)

    def close(self) -> None:
        """Close the file; SQLite waits with it while it holds locks."""
        if not self.closed:
            self._file.xClose()
        super().close()


def head(path: Path, count: int) -> bytes:
    """Return the first bytes of a file."""
    with RawFile(path) as file:
        return file.read(count) or b""
