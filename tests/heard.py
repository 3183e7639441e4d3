"""Extraction that hears what a test tells it: what a session does with a proposal, apart from how it was found."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import stead
from stead.extract.proposal import Act, Proposal

DAY = 86_400_000_000
"""Microseconds."""


class Heard:
    """An extractor that finds in each text what it was told to find there, and nothing in any other."""

    def __init__(self, found: Mapping[str, Proposal | list[Proposal]]) -> None:
        self.found = found

    def __call__(self, text: str, *, said: int, zone: str, speaker: str = "user") -> list[Proposal]:
        del said, zone, speaker
        found = self.found.get(text, [])
        return [found] if isinstance(found, Proposal) else list(found)


def hears(subject: stead.Subject, found: Mapping[str, Proposal | list[Proposal]]) -> None:
    """Let the sessions of a subject's store hear exactly this."""
    extractors = cast("list[Any]", subject._core._extractors)
    extractors[:] = [Heard(found)]


def says(text: str, claim: str | None = None, **more: Any) -> dict[str, Proposal | list[Proposal]]:
    """Return a text with the one proposal that is found in it; its words are the claim's unless it has others."""
    return {text: Proposal(claim=claim or text, span=(0, len(text)), **more)}


def ends(text: str, slot: stead.Slot, **more: Any) -> dict[str, Proposal | list[Proposal]]:
    """Return a text that says that what stands in a slot holds no more."""
    return says(text, act=Act.END, slot=slot, **more)


def bytes_of(store: stead.Store) -> bytes:
    """Return every byte of every file of a store, as they lie."""
    home = Path(store.path).parent
    return b"".join(each.read_bytes() for each in sorted(home.iterdir()) if each.is_file())
