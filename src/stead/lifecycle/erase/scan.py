"""Reading the bytes of files, and looking for what was erased (R32).

What is looked for, the needles, are of two kinds:

- *words*: every word and every number of at least four characters as written, folded, escaped as JSON escapes it, and as the
  stem that the full text stores; a text without such a word as a whole. ASCII letters match in either case.
- *anchors*: 15 bytes, byte for byte, at several places of every text and of every vector, so that half of one is found even
  where all its words are still used elsewhere, and wherever a page ends. What is left of a text in one piece is surely found
  from 38 bytes on, of a vector from a seventh and 15 bytes on.

A file with a zero byte in its first chunk is taken for one of SQLite's, where columns lie side by side without a gap: a word is
found in the middle of other letters too. In any other file a word must stand alone, else every short one is found in some id.

What it costs, in seconds for 300 MB on one core: few words 0.9 and 0.06 per word (each chunk is first squeezed to its letters and
digits, a quarter of it); many words 5 however many they are (the distinct runs of letters of a chunk, against an index of the
words); up to 16 anchors 0.1 each; more 2 to 7 for each 250,000 (every eighth byte begins a number that is looked up; an anchor
is known by eight of them). A needle is looked for in each file until it is found there once.

Not found: what is compressed or encrypted; a text or value of fewer than four bytes, which is everywhere by chance.
"""

from __future__ import annotations

import json
import re
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import compress, count
from pathlib import Path
from typing import BinaryIO, Final

from stead.model.words import STOPWORDS, tokens

CHUNK: Final = 1 << 24
ANCHOR: Final = 15
"""Bytes. Whatever eight-byte number begins at a multiple of eight within a file: an anchor there holds one of them whole."""

_SHORTEST: Final = 4
_LONGEST: Final = 64
_CERTAIN: Final = 8
_FEW_WORDS: Final = 64
_FEW_ANCHORS: Final = 16
_ANCHORS_AT_ONCE: Final = 250_000
_TEXT_STEP: Final = 24
_ANCHORS_OF_A_BLOB: Final = 8
_WORD: Final = re.compile(r"[^\W_]+")
_INSTANT: Final = re.compile(rb"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d[\d:.]*(?:[Zz]|[+-]\d\d:?\d\d)?")

_ALNUM: Final = b"0123456789abcdefghijklmnopqrstuvwxyz"
_LOWER: Final = bytes(range(256)).lower()
_NOT_ALNUM: Final = bytes(byte for byte in range(256) if bytes((byte,)).lower() not in _ALNUM)
_RUNS: Final = bytes(byte if byte in _ALNUM + b"\\" else 32 for byte in _LOWER)
_WIDE_RUNS: Final = bytes(byte if byte in _ALNUM + b"\\" or byte > 127 else 32 for byte in _LOWER)

OWN: Final = frozenset(
    b"age alias anchor backups bytes caches category clean complete consent conversation count decision decision_log denials"
    b" derived destroyed engine episodes epoch erase erased erasure everything exports failed false field fingerprints finished"
    b" format forgotten full_text full text hidden idempotency incomplete jobs keyed keys kind ledger master names null operator"
    b" outside owner pending previous proposals public purged random reader receipt record records removed requested requester"
    b" result retained retention revisions rewritten rows rule scope seconds sessions signature sinks slot source sources sqlite"
    b" stead store subject subjects surface surfaces swept time told true until vectors verified what whole wish within".split()
)
"""Words that the ledger and the keys are written with. One of them is no residue there, whatever was erased."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A needle that was found. Its text and its `repr` name no content."""

    path: Path
    needle: int
    offset: int
    certain: bool
    """Too long to be there by chance. A short word can come about where a column ends and the next one begins, and in random
    bytes: in a file that was just written anew from its rows, it is no residue."""
    loose: bool
    """In a file that is none of SQLite's."""
    piece: bytes = field(repr=False)
    """The bytes as they stand in the file."""


@dataclass(frozen=True, slots=True)
class Needles:
    """What is looked for; it is content, and is sealed wherever it is kept."""

    words: tuple[bytes, ...] = field(repr=False)
    """With ASCII letters in lower case."""
    anchors: tuple[bytes, ...] = field(repr=False)

    def __len__(self) -> int:
        return len(self.words) + len(self.anchors)

    def bytes_of(self, needle: int) -> bytes:
        """Return a needle by its number: words first."""
        return self.words[needle] if needle < len(self.words) else self.anchors[needle - len(self.words)]

    def dump(self) -> bytes:
        """Return them as bytes."""
        packed = (len(self.words).to_bytes(4), *(len(each).to_bytes(2) + each for each in (*self.words, *self.anchors)))
        return zlib.compress(b"".join(packed))

    @classmethod
    def load(cls, dumped: bytes) -> Needles:
        """Return what `dump` packed."""
        packed = zlib.decompress(dumped)
        words, place, found = int.from_bytes(packed[:4]), 4, []
        while place < len(packed):
            end = place + 2 + int.from_bytes(packed[place : place + 2])
            found.append(packed[place + 2 : end])
            place = end
        return cls(tuple(found[:words]), tuple(found[words:]))

    @classmethod
    def joined(cls, parts: Iterable[Needles]) -> Needles:
        """Return all needles of several: the files are then read once for all of them."""
        words: dict[bytes, None] = {}
        anchors: dict[bytes, None] = {}
        for part in parts:
            words |= dict.fromkeys(part.words)
            anchors |= dict.fromkeys(part.anchors)
        return cls(tuple(words), tuple(anchors))


# --- what is looked for -----------------------------------------------------------------------------------------------------


def needles_of(
    texts: Iterable[str], blobs: Iterable[bytes], *, known: Callable[[bytes], bool] | None = None
) -> Needles:
    """Return what to look for after texts and vectors were erased.

    Parameters
    ----------
    texts
        Claims in every wording, values, objects, entities, words of turns.
    blobs
        Vectors as they are stored.
    known
        Tells whether a word is used by something that stays; such a word isn't looked for. It only saves time.
    """
    words: dict[bytes, None] = {}
    anchors: dict[bytes, None] = {}
    for text in texts:
        words |= dict.fromkeys(_words_of(text))
        for form in dict.fromkeys((text, *(json.dumps(text, ensure_ascii=each)[1:-1] for each in (True, False)))):
            anchors |= dict.fromkeys(_anchors_in(form.encode(), _TEXT_STEP))
    for blob in blobs:
        anchors |= dict.fromkeys(_anchors_in(blob, max(1, -(-(len(blob) - ANCHOR) // (_ANCHORS_OF_A_BLOB - 1)))))
    return Needles(tuple(each for each in words if known is None or not known(each)), tuple(anchors))


def _words_of(text: str) -> Iterator[bytes]:
    spelled = [word for word in _WORD.findall(text) if word.casefold() not in STOPWORDS]
    stems = [stem for stem in tokens(text) if stem not in STOPWORDS]
    found = [
        form.encode().translate(_LOWER)[:_LONGEST]
        for word in dict.fromkeys((*spelled, *stems)) if len(word) >= _SHORTEST or len(word.encode()) >= _SHORTEST + 2
        for form in dict.fromkeys((word, word.casefold(), json.dumps(word)[1:-1], json.dumps(word.casefold())[1:-1]))
    ]  # fmt: skip
    yield from found
    whole = text.strip().encode().translate(_LOWER)
    if not found and len(whole) >= _SHORTEST:  # "has HIV": three letters, but not by chance
        yield whole[:_LONGEST]


def _anchors_in(data: bytes, step: int) -> Iterator[bytes]:
    last = len(data) - ANCHOR
    for place in (*range(0, last, step), last):
        piece = data[place : place + ANCHOR] if last >= 0 else b""
        if len(set(piece)) >= 5:  # zeros and rules of dashes are everywhere
            yield piece


# --- looking for it ---------------------------------------------------------------------------------------------------------


def scan(
    files: Iterable[Path], needles: Needles, *, chunk: int = CHUNK, opened: Callable[[str], BinaryIO] | None = None
) -> list[Hit]:
    """Return where needles stand in files: each at one place of each file.

    Parameters
    ----------
    files
        A file that isn't there is skipped: a journal comes and goes.
    needles
        What to look for.
    chunk
        Bytes to read at once.
    opened
        How a file is opened: a store's own file loses its locks when it is opened and closed like any other.

    Raises
    ------
    OSError
        A file can't be read, so that nothing can be said of it.
    """
    return [hit for path in files for hit in _in_file(path, needles, chunk, opened or _plainly)]


def explain(hits: Iterable[Hit], survives: Callable[[bytes], bool]) -> list[Hit]:
    """Return the hits that are residue: bytes that nothing which stays accounts for.

    ``survives`` tells whether bytes stand in what stays: in a row, in a term of the full text, in the schema. It is asked once
    for the same bytes.
    """
    answers: dict[bytes, bool] = {}
    residue = []
    for hit in hits:
        if hit.loose and hit.piece.lower() in OWN:
            continue
        if hit.piece not in answers:
            answers[hit.piece] = survives(hit.piece)
        if not answers[hit.piece]:
            residue.append(hit)
    return residue


def _plainly(path: str) -> BinaryIO:
    return Path(path).open("rb")


def _in_file(path: Path, needles: Needles, chunk: int, opened: Callable[[str], BinaryIO]) -> Iterator[Hit]:
    with suppress(FileNotFoundError), opened(str(path)) as file:
        first = file.read(chunk)
        loose = b"\0" not in first
        words = _Words(needles.words, loose=loose)
        yield from _found(path, loose, 0, words, _chunks(file, chunk, words.longest))
        for begin in range(0, len(needles.anchors), _ANCHORS_AT_ONCE):
            anchors = _Anchors(needles.anchors[begin : begin + _ANCHORS_AT_ONCE])
            yield from _found(path, loose, len(needles.words) + begin, anchors, _chunks(file, chunk, ANCHOR))


def _found(
    path: Path, loose: bool, number: int, wanted: _Words | _Anchors, chunks: Iterable[tuple[int, bytes]]
) -> Iterator[Hit]:
    for begin, data in chunks:
        for n, place in wanted.find(data):
            piece = data[place : place + len(wanted.pieces[n])]
            certain = loose or len(piece) >= _CERTAIN
            yield Hit(path, number + n, begin + place, certain, loose, piece)


def _chunks(file: BinaryIO, size: int, overlap: int) -> Iterator[tuple[int, bytes]]:
    """Yield (offset, bytes). Each begins with the end of the one before, so that nothing is cut in two."""
    file.seek(0)
    begin, tail = 0, b""
    while read := file.read(size):
        data = tail + read
        yield begin, data
        kept = min(len(data), overlap + 1)  # and the character before, which tells where a word begins
        begin, tail = begin + len(data) - kept, data[-kept:]


class _Words:
    """Words that weren't found yet."""

    def __init__(self, words: Sequence[bytes], *, loose: bool) -> None:
        self.pieces = words
        self.longest = max(map(len, words), default=0)
        self._left = dict(enumerate(words))
        self._loose = loose
        self._few = len(words) <= _FEW_WORDS
        self._index: dict[bytes, list[int]] = {}
        self._apart: list[int] = []  # what has no run of four letters is looked for by itself
        self._table = _RUNS if all(map(bytes.isascii, words)) else _WIDE_RUNS
        for n, word in () if self._few else self._left.items():
            run = max(word.translate(self._table).split(), key=len, default=b"")
            if len(run) >= _SHORTEST:
                self._index.setdefault(run[:_SHORTEST], []).append(n)
            else:
                self._apart.append(n)

    def find(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Yield (number, place) of the words that stand in a chunk and in none before."""
        if not self._left:
            return
        lower = data.translate(_LOWER)
        if self._loose:
            lower = _INSTANT.sub(lambda found: b" " * len(found[0]), lower)
        for n in self._likely_few(lower) if self._few else self._likely(lower):
            place = self._place(lower, self._left[n])
            if place >= 0:
                del self._left[n]
                yield n, place

    def _likely_few(self, lower: bytes) -> Iterator[int]:
        squeezed = lower.translate(None, _NOT_ALNUM)
        for n, word in list(self._left.items()):
            letters = word.translate(None, _NOT_ALNUM)
            if len(letters) < _SHORTEST or letters in squeezed:
                yield n

    def _likely(self, lower: bytes) -> Iterator[int]:
        likely = set(self._apart)
        for run in set(lower.translate(self._table).split()):
            for place in range(len(run) - _SHORTEST + 1):
                for n in self._index.get(run[place : place + _SHORTEST], ()):
                    word = self.pieces[n]
                    if run.startswith(word, place) or b" " in word:
                        likely.add(n)
        return iter(sorted(likely & self._left.keys()))

    def _place(self, lower: bytes, word: bytes) -> int:
        place = lower.find(word)
        while self._loose and place >= 0 and not _alone(lower, place, place + len(word)):
            place = lower.find(word, place + 1)
        return place


def _alone(lower: bytes, begin: int, end: int) -> bool:
    if lower[end : end + 1] in _LETTERS:
        return False
    return lower[begin - 1 : begin] not in _LETTERS or lower[begin - 2 : begin] in (b"\\n", b"\\r", b"\\t")


_LETTERS: Final = frozenset(bytes((byte,)) for byte in _ALNUM)


class _Anchors:
    """Anchors that weren't found yet."""

    def __init__(self, anchors: Sequence[bytes]) -> None:
        self.pieces = anchors
        self._left = dict(enumerate(anchors))
        self._numbers: dict[int, int] = {}
        self._more: dict[int, list[int]] = {}
        for n, anchor in () if len(anchors) <= _FEW_ANCHORS else self._left.items():
            for place in range(ANCHOR - 7):
                number = int.from_bytes(anchor[place : place + 8], sys.byteorder)
                if self._numbers.setdefault(number, n) != n:
                    self._more.setdefault(number, []).append(n)

    def find(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Yield (number, place) of the anchors that stand in a chunk and in none before."""
        for n, place in self._likely(data) if self._numbers else self._all(data):
            if place >= 0 and self._left.pop(n, None) is not None:
                yield n, place

    def _all(self, data: bytes) -> Iterator[tuple[int, int]]:
        yield from [(n, data.find(anchor)) for n, anchor in self._left.items()]

    def _likely(self, data: bytes) -> Iterator[tuple[int, int]]:
        whole = len(data) - len(data) % 8
        numbers = memoryview(data)[:whole].cast("Q")
        common = self._numbers.keys() & numbers  # one pass in C; what follows is rare
        if not common:
            return
        for place in compress(count(), map(common.__contains__, numbers)):
            at, number = 8 * place, numbers[place]
            for n in (self._numbers[number], *self._more.get(number, ())):
                if n in self._left:
                    yield n, data.find(self.pieces[n], max(0, at - 7), at + ANCHOR)
