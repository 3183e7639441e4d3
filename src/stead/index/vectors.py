"""Exact search over one subject's vectors of one model version (R38).

A matrix per subject stays in memory, in a least-recently-used cache, and grows by what was added since; a purge (which
raises the subject's counter) makes it anew. Vectors of different versions never meet: the version is part of the key.

A past answer must come back byte by byte (R50), but a matrix product in floating point depends on the size of the matrix. So
unit vectors are held as whole numbers, 1.0 as 4,000: no sum of products then exceeds 2^24, below which float32 adds whole
numbers exactly in any order. A cosine is off by about 0.0001, and the same in every matrix.
"""

from __future__ import annotations

import math
import threading
from bisect import bisect_right
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from stead.errors import EmbedderFailed, InvalidArgument, VersionMismatch
from stead.model.period import Instant
from stead.store.protocol import ReadTx
from stead.store.values import Shelf, SubjectRow

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

UNIT = 4000
_COARSE = 16
CACHE_BYTES = 1 << 30
"""How much memory the matrices of all subjects may take before the least recently used one is dropped."""


@dataclass(slots=True)
class _Matrix:
    purges: int
    last: int = 0
    count: int = 0
    items: list[int] = field(default_factory=list)
    rows: dict[int, int] = field(default_factory=dict)
    numbers: list[int] = field(default_factory=list)
    """The rows' numbers in the store, which rise: what a snapshot sees is a beginning of the matrix."""
    data: NDArray[np.float32] | None = None


@dataclass(frozen=True, slots=True)
class Scan:
    """The cosines of one query with every vector of a subject."""

    _scores: NDArray[np.float32]
    _items: list[int]
    _rows: dict[int, int]
    mean: float
    deviation: float

    def __len__(self) -> int:
        """Return how many vectors were compared."""
        return len(self._scores)

    def best(self, count: int) -> list[tuple[int, float]]:
        """Return the nearest (item, cosine), best first; equal ones by age."""
        import numpy as np

        count = min(count, len(self._scores))
        if count == 0:
            return []
        rows = np.argpartition(self._scores, len(self._scores) - count)[len(self._scores) - count :]
        found = ((self._items[row], _cosine(self._scores[row])) for row in rows)
        return sorted(found, key=lambda pair: (-pair[1], pair[0]))

    def cosine(self, item: int) -> float | None:
        """Return the cosine of one item, or None where it has no vector."""
        row = self._rows.get(item)
        return None if row is None or row >= len(self._scores) else _cosine(self._scores[row])


class VectorIndex:
    """The matrices of one store."""

    def __init__(self, cache_bytes: int = CACHE_BYTES) -> None:
        self._cache: OrderedDict[tuple[str, int, str], _Matrix] = OrderedDict()
        self._bytes = cache_bytes
        self._lock = threading.Lock()

    def scan(
        self,
        store: ReadTx,
        shelf: Shelf,
        subject: SubjectRow,
        version: str,
        query: object,
        known_at: Instant | None = None,
    ) -> Scan | None:
        """Compare a query with all vectors that one model version made of a subject's texts.

        Parameters
        ----------
        store, shelf, subject, version
            The snapshot, which of the two stores, whose texts, and the stamp of the model.
        query
            The query's vector, (dimensions,), float32, of unit length, made by the same model version.
        known_at
            None for now; else only texts known at that instant are compared, so that past answers stay what they were (R50).

        Returns
        -------
        Scan or None
            None where there is no vector.

        Raises
        ------
        VersionMismatch
            The query has other dimensions than the vectors of that version.
        """
        import numpy as np

        with self._lock:
            matrix = self._current(store, shelf, subject, version)
            if matrix.data is None:
                return None
            vector = np.asarray(query, dtype=np.float32)
            if vector.shape != matrix.data.shape[1:]:
                raise VersionMismatch(
                    f"the query has shape {vector.shape}, vectors of {version} {matrix.data.shape[1:]}"
                )
            count = bisect_right(matrix.numbers, store.last_vector(shelf, subject.n, version))  # of this snapshot
            if count == 0:
                return None
            scores = matrix.data[:count] @ _whole(vector[None, :])[0]
            items, rows = matrix.items, matrix.rows
        if known_at is not None:
            last = store.last_item(shelf, subject.n, known_at)
            kept = [row for row, item in enumerate(items[: len(scores)]) if item <= last]
            if not kept:
                return None
            scores, items = scores[kept], [items[row] for row in kept]
            rows = {item: row for row, item in enumerate(items)}
        return Scan(scores, items, rows, *_spread(scores))

    def _current(self, store: ReadTx, shelf: Shelf, subject: SubjectRow, version: str) -> _Matrix:
        key = (shelf, subject.n, version)
        matrix = self._cache.get(key)
        if matrix is None or matrix.purges != subject.purges:
            matrix = self._cache[key] = _Matrix(purges=subject.purges)
        self._cache.move_to_end(key)
        _append(matrix, store.vectors(shelf, subject.n, version, matrix.last))
        self._drop_least_used()
        return matrix

    def _drop_least_used(self) -> None:
        sizes = {key: matrix.data.nbytes for key, matrix in self._cache.items() if matrix.data is not None}
        total = sum(sizes.values())
        while total > self._bytes and len(self._cache) > 1:
            key, _ = self._cache.popitem(last=False)
            total -= sizes.get(key, 0)


def checked_vector(given: object) -> object:
    """Return a query's vector, if it is one.

    Raises
    ------
    InvalidArgument
        It isn't a row of finite numbers.
    """
    import numpy as np

    try:
        vector = np.asarray(given, dtype=np.float32)
    except (TypeError, ValueError):
        raise InvalidArgument("query_vector", "no row of numbers", "Give what embed_query returns.") from None
    if vector.ndim != 1 or not np.isfinite(vector).all():
        raise InvalidArgument("query_vector", "no row of finite numbers", "Give what embed_query returns.")
    return vector


def packed(made: object, texts: int, dimensions: int) -> list[bytes]:
    """Return an embedder's answer as bytes to store, one vector for each text.

    Raises
    ------
    EmbedderFailed
        There are more, fewer, longer or shorter vectors than there should be, or one that holds no numbers.
    """
    import numpy as np

    array = np.asarray(made, dtype="<f4")
    if array.shape != (texts, dimensions):
        raise EmbedderFailed(f"the embedder made vectors of shape {array.shape}, not {(texts, dimensions)}")
    if not np.isfinite(array).all():
        raise EmbedderFailed("the embedder made a vector with something that is no number")
    return [row.tobytes() for row in array]


def _append(matrix: _Matrix, rows: list[tuple[int, int, bytes]]) -> None:
    """Add new vectors; the buffer doubles, so that adding one by one stays linear."""
    if not rows:
        return
    import numpy as np

    fresh = np.frombuffer(b"".join(row[2] for row in rows), dtype="<f4").reshape(len(rows), -1)
    need = matrix.count + len(rows)
    if matrix.data is None or matrix.data.shape[0] < need:
        grown = np.zeros((max(need, 2 * matrix.count), fresh.shape[1]), dtype=np.float32)
        if matrix.data is not None:
            grown[: matrix.count] = matrix.data[: matrix.count]
        matrix.data = grown
    matrix.data[matrix.count : need] = _whole(fresh)
    matrix.rows.update((row[1], matrix.count + place) for place, row in enumerate(rows))
    matrix.items.extend(row[1] for row in rows)
    matrix.numbers.extend(row[0] for row in rows)
    matrix.count, matrix.last = need, rows[-1][0]


def _whole(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return vectors at unit length as whole numbers, so that their products are exact."""
    import numpy as np

    lengths = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
    return np.rint(vectors / np.where(lengths > 0, lengths, 1.0) * UNIT).astype(np.float32)


def _cosine(score: np.float32) -> float:
    return round(float(score) / (UNIT * UNIT), 6)


def _spread(scores: NDArray[np.float32]) -> tuple[float, float]:
    """Return mean and standard deviation of the cosines, from sums of whole numbers, which no order changes."""
    import numpy as np

    coarse = scores.astype(np.int64) // _COARSE
    mean = int(coarse.sum()) / len(scores)
    square = int((coarse * coarse).sum()) / len(scores)
    one = UNIT * UNIT / _COARSE
    return mean / one, math.sqrt(max(0.0, square - mean * mean)) / one
