"""Disguises of text: hidden characters, letters spelled out, digits for letters, encodings. Each is taken off, once."""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote

_ZERO_WIDTH = "\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\ufeff\u180e\u034f\u00ad\u115f\u1160\u3164\uffa0"
_IN_A_WORD = re.compile(
    rf"[A-Za-z\u00c0-\u024f\u0400-\u04ff\d][{_ZERO_WIDTH[:-5]}\u034f\u115f\u1160\u3164\uffa0]+"
    rf"(?=[A-Za-z\u00c0-\u024f\u0400-\u04ff\d])"
)
_TAGS = re.compile("[\U000e0000-\U000e007f]+")
_FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f")
_OVERRIDE = re.compile("[\u202d\u202e]")
_EMBEDDING = re.compile("[\u202a-\u202c\u2066-\u2069]")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")
_SELECTORS = re.compile(
    "[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}|"
    "(?<![\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])[\U000e0100-\U000e01ef]"
)
_INVISIBLE_RUN = re.compile(rf"[{_ZERO_WIDTH}]{{4,}}")
_SPELLED = re.compile(r"(?<![^\W_])(?:[^\W_][ .\-_*|/,+~]{1,3}){7,}[^\W_](?![^\W_])")
_BETWEEN_LETTERS = re.compile(r"[ .\-_*|/,+~]{1,3}")
_LEET = re.compile(r"[a-z][013457@$][a-z]|(?<![^\W_])[013457@$][a-z]{2}|[a-z]{2}[013457@$](?![^\W_])")
_LEET_WORD = re.compile(r"[a-z0-9@$!|]{3,}")
_LETTERS = str.maketrans("013457@$!|", "oieastasil")
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{20,}={0,2}(?![A-Za-z0-9+/=_-])")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:[0-9A-Fa-f]{2}[ :]?){16,}(?![0-9A-Za-z])|(?:\\x[0-9A-Fa-f]{2}){8,}")
_NOT_HEX = re.compile(r"\\x|[^0-9A-Fa-f]")
_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2}[A-Za-z0-9._~-]{0,12}){3,}")
_ESCAPE = re.compile(r"\\u([0-9A-Fa-f]{4})|&#(?:x([0-9A-Fa-f]{1,6})|(\d{1,7}));")
_ROT13 = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "nopqrstuvwxyzabcdefghijklmNOPQRSTUVWXYZABCDEFGHIJKLM"
)


def has_hidden(text: str) -> bool:
    """Tell whether the text has characters that hide something; emoji, flags and the joiners of Persian or Hindi don't."""
    if text.isascii():
        return False
    return (
        _IN_A_WORD.search(text) is not None
        or _TAGS.search(_FLAG.sub("", text)) is not None
        or _OVERRIDE.search(text) is not None
        or _SELECTORS.search(text) is not None
        or _INVISIBLE_RUN.search(text) is not None
        or (_EMBEDDING.search(text) is not None and _RIGHT_TO_LEFT.search(text.replace("\ufeff", "")) is None)
    )


def undisguised(text: str, folded: str) -> Iterator[str]:
    """Yield what the text may say under its disguises; nothing where there are none.

    Parameters
    ----------
    text
        The text as it was given.
    folded
        The same folded.
    """
    lower = folded.lower()
    digits = any(char in lower for char in "013457@$")
    if _SPELLED.search(folded):
        yield _SPELLED.sub(_joined, folded)
    if digits and _LEET.search(lower):
        yield _LEET_WORD.sub(lambda word: word[0].translate(_LETTERS), lower)
    if not text.isascii() and (tags := _TAGS.findall(text)):
        yield "".join(chr(ord(char) - 0xE0000) for run in tags for char in run if ord(char) > 0xE001F)
    if ("\\" in folded or "&#" in folded) and _ESCAPE.search(folded):
        yield _ESCAPE.sub(_escaped, folded)
    if "%" in folded and _PERCENT.search(folded):
        yield unquote(folded, errors="replace")
    if any(len(word) >= 20 for word in folded.split()):
        yield from filter(None, (_from_base64(found[0]) for found in _BASE64.finditer(folded)))
    if digits:
        yield from filter(None, (_from_hex(found[0]) for found in _HEX.finditer(folded)))
    if "rot13" in lower or "vtaber" in lower or "vafgehpg" in lower:  # ignor, instruct
        yield folded.translate(_ROT13)
    if "snoitcurtsni" in lower or "erongi" in lower:  # instructions, ignore
        yield folded[::-1]


def squeezed(folded: str) -> Iterator[str]:
    """Yield runs of letters that were spelled one by one, without anything between them."""
    for found in _SPELLED.finditer(folded):
        yield _BETWEEN_LETTERS.sub("", found[0]).lower().translate(_LETTERS)


def _joined(found: re.Match[str]) -> str:
    """Return spelled letters as words, where two or more blanks part the words."""
    return " ".join(_BETWEEN_LETTERS.sub("", word) for word in re.split(r" {2,3}|\s*[/|]\s*", found[0]))


def _escaped(found: re.Match[str]) -> str:
    code = int(found[1] or found[2] or "0", 16) or int(found[3] or "0")
    return chr(code) if 0 < code < 0xD800 else ""


def _from_base64(text: str) -> str:
    plain = text.rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        return _readable(base64.b64decode(plain + "=" * (-len(plain) % 4)))
    except (binascii.Error, ValueError):
        return ""


def _from_hex(text: str) -> str:
    plain = _NOT_HEX.sub("", text)
    return _readable(bytes.fromhex(plain[: len(plain) // 2 * 2]))


def _readable(data: bytes) -> str:
    """Return the bytes as text if they are some."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return ""
    return text if all(char in "\n\t\r" or unicodedata.category(char)[0] != "C" for char in text) else ""
