"""Reading the bytes of files: what was erased is found wherever it stands, and nothing else is (R32)."""

from __future__ import annotations

import os
import random
import struct
from pathlib import Path

import pytest

from stead.lifecycle.erase.scan import Needles, explain, needles_of, scan

TEXT = "Nickname is tangerinelynx, since 2019"


def found(folder: Path, data: bytes, needles: Needles, *, chunk: int = 1 << 16) -> list[bytes]:
    path = folder / "file"
    path.write_bytes(data)
    return [hit.piece for hit in scan([path], needles, chunk=chunk)]


def noise(count: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(count)


@pytest.mark.parametrize("place", [0, 1, 4_090, 65_530, 65_536, 131_065])
@pytest.mark.parametrize("kind", ["rows", "lines"])
def test_a_text_is_found_wherever_it_stands(tmp_path: Path, place: int, kind: str) -> None:
    """Over the border of a chunk and of a page, at the beginning and at the end."""
    filler = b"\0" if kind == "rows" else b"."
    data = filler * place + TEXT.encode() + filler * 10
    assert b"tangerinelynx" in found(tmp_path, data, needles_of([TEXT], []))
    assert found(tmp_path, filler * (place + 50), needles_of([TEXT], [])) == []


def test_words_are_found_in_every_spelling(tmp_path: Path) -> None:
    needles = needles_of(["Trinkt gern Ölşerbet in Ærøskøbing"], [])
    assert found(tmp_path, b"\0" + "ölşerbet".encode(), needles)
    assert found(tmp_path, b"\0" + "Ölşerbet".encode(), needles)
    assert found(tmp_path, b'{"claim": "\\u00d6l\\u015ferbet"}', needles)
    assert found(tmp_path, b"\0TRINKT", needles)
    assert b"prefer" in found(
        tmp_path, b"\0 1_prefer \0", needles_of(["Preferring aisles"], [])
    )  # as the full text has it


def test_a_number_and_a_short_text(tmp_path: Path) -> None:
    assert found(tmp_path, b"\0...4417...", needles_of(["Pager code is 4417"], []))
    assert found(tmp_path, b"\0...has hiv...", needles_of(["has HIV"], []))


def test_in_a_file_of_lines_a_word_must_stand_alone(tmp_path: Path) -> None:
    """Ids, hashes and times of ours are made of letters and digits too."""
    needles = needles_of(["The code is face 2026 records"], [])
    line = b'{"at":"2026-11-30T10:00:00+00:00","hash":"00face00","erasure":"era_1face1","records":3}\n'
    hits = [hit for hit in scan([_written(tmp_path, line)], needles) if hit.piece != b"code"]
    assert [hit.piece for hit in explain(hits, lambda _piece: False)] == []
    assert b"face" in found(tmp_path, b'{"what":"a face"}\n', needles)


def _written(folder: Path, data: bytes) -> Path:
    path = folder / "ledger"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("vectors", [1, 40])
def test_half_of_a_vector_is_found(tmp_path: Path, vectors: int) -> None:
    """Few are looked for one by one, many by their numbers, wherever they are aligned."""
    dice = random.Random(7)
    blobs = [struct.pack("<384f", *(dice.gauss(0, 1) for _ in range(384))) for _ in range(vectors)]
    needles = needles_of([], blobs)
    for offset in range(9):
        assert found(tmp_path, noise(5_000 + offset) + blobs[-1][700:], needles), offset
    assert found(tmp_path, noise(300_000), needles) == []


def test_many_words_are_found_as_few_are(tmp_path: Path) -> None:
    dice = random.Random(3)
    words = ["".join(dice.choices("abcdefghijklmnop", k=9)) for _ in range(400)]
    needles = needles_of([" ".join(words)], [])
    chosen = dice.sample(words, 20)
    data = b"\0" + noise(40_000).join(word.encode() for word in chosen)
    assert {each.decode() for each in found(tmp_path, data, needles)} >= set(chosen)


def test_they_are_kept_and_joined(tmp_path: Path) -> None:
    one, two = needles_of([TEXT], [noise(64)]), needles_of(["Likes maps"], [])
    again = Needles.load(one.dump())
    assert (again, len(again)) == (one, len(one.words) + len(one.anchors))
    both = Needles.joined([one, two, one])
    assert set(both.words) == {*one.words, *two.words}
    assert [both.bytes_of(n) for n in range(len(both))] == [*both.words, *both.anchors]
    assert "tangerinelynx" not in repr(both)
    assert found(tmp_path, b"\0maps", both) == [b"maps"]


def test_what_survives_explains_what_is_found(tmp_path: Path) -> None:
    path = _written(tmp_path, b"\0tangerinelynx nickname")
    hits = scan([path], needles_of([TEXT], []))
    assert {hit.piece for hit in explain(hits, lambda piece: piece == b"nickname")} == {b"tangerinelynx"} | (
        {hit.piece for hit in hits} - {b"nickname", b"tangerinelynx"}
    )
    assert "nickname" not in repr(hits)


def test_a_file_that_is_gone_and_one_that_can_not_be_read(tmp_path: Path) -> None:
    assert scan([tmp_path / "gone"], needles_of([TEXT], [])) == []
    if os.geteuid() != 0:
        closed = _written(tmp_path, b"x")
        closed.chmod(0)
        with pytest.raises(OSError):
            scan([closed], needles_of([TEXT], []))
    with pytest.raises(OSError):
        scan([tmp_path], needles_of([TEXT], []))
