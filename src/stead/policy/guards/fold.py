"""Text as a guard reads it: without what the eye can't see, one letter for one look, and the way back to the original."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_ODD = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Mn", "Me"})
_BLANK = frozenset("\u115f\u1160\u3164\uffa0\u2800")
_LOOKALIKES = dict(
    zip(
        "аеорсхуіјѕԁһӏԛԝвкмнтАВЕКМНОРСТХУІЈЅαοιρυνκτχΑΒΕΖΗΙΚΜΝΟΡΤΥΧıłøđŁØĐɡɑǀ‐‑‒–—−⁃＿‘’‚“”„«»",  # noqa: RUF001
        'aeopcxyijsdhlqwbkmhtABEKMHOPCTXYIJSaoipuvktxABEZHIKMNOPTYXilodLODgal-------_\'\'\'"""""',
        strict=True,
    )
)
_LOOKALIKES |= {"ß": "ss", "æ": "ae", "œ": "oe", "…": "..."}


class _Letters(dict[int, str]):
    """What each character becomes; worked out once for each that is met."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = folded = _letter(char)
        return folded


def _letter(char: str) -> str:
    if char in "\n\r\t\v\f" or (" " <= char <= "~"):
        return char
    if char in _LOOKALIKES:
        return _LOOKALIKES[char]
    if char in _BLANK or char == "\u034f":
        return ""
    plain = (_LOOKALIKES.get(part, part) for part in unicodedata.normalize("NFKD", char))
    return "".join(part for part in plain if unicodedata.category(part) not in _HIDDEN)


_LETTERS = _Letters()


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text that knows where each of its characters came from."""

    text: str
    places: Sequence[int] | None
    """The original place of each character; None where nothing moved."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the original span of a folded one, with what is hidden inside of it."""
        return (start, end) if self.places is None else (self.places[start], self.places[end - 1] + 1)


def is_plain(text: str) -> bool:
    """Tell whether folding would change nothing."""
    return text.isascii() and (text.isprintable() or _ODD.search(text) is None)


def folded(text: str) -> str:
    """Return the text as it looks: no hidden characters, accents or look-alike letters; case stays.

    >>> folded("pa\u200bss \uff57ord Contrase\u00f1a")
    'pass word Contrasena'
    """
    return text if is_plain(text) else text.translate(_LETTERS)


def traced(text: str) -> Folded:
    """Return the folded text together with the original place of each character."""
    if is_plain(text):
        return Folded(text, None)
    parts: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        part = _LETTERS[ord(char)]
        parts.append(part)
        places.extend([place] * len(part))
    return Folded("".join(parts), places)
