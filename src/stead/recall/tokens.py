"""How large a text is for a model, without its tokenizer: an estimate from above (R52)."""

from __future__ import annotations

import re

_PIECE = re.compile(r"[^\W\d_]+|\d|[^\w\s]|_|\n")
_LETTERS = 4
_ASCII_PIECE = re.compile(r"[^\W\d_]{1,4}|\d|[^\w\s]|_|\n")
"""The same where each letter is a byte: one token each."""


def count(text: str) -> int:
    """Return an estimate of the tokens of a text, from above for words of a language.

    A word counts one per four letters, beyond ASCII one per two bytes; a digit, a mark and a line end one each. Common
    tokenizers need fewer: on English prose this is 1.2 to 1.6 times their count. Letters at random need more.
    """
    if text.isascii():
        return len(_ASCII_PIECE.findall(text))
    return sum(_size(piece) for piece in _PIECE.findall(text))


def _size(piece: str) -> int:
    return -(-len(piece) // _LETTERS) if piece.isascii() else -(-len(piece.encode()) // 2)
