"""What an export and an import did: ids, counts and numbers of lines, without content."""

from __future__ import annotations

from dataclasses import dataclass, field

from stead.model.plain import spelled


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """A file that holds everything remembered of a subject; the store knows it and writes it anew after an erasure."""

    id: str
    """Also in the file: by it the file is recognised."""
    path: str
    form: str
    """``jsonl`` or ``markdown``."""
    lines: dict[str, int] = field(default_factory=dict)
    """How many there are of each type: records, episodes and so on."""

    def as_dict(self) -> dict[str, object]:
        """Return it as JSON carries it."""
        return spelled(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportProblem:
    """A line of which nothing was written, and why."""

    line: int
    code: str
    """Of the error: ``erased``, ``invalid_argument`` and so on."""
    message: str
    field: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What became of the lines of an export."""

    export: str | None
    """The id that the file gives itself."""
    subject: str | None
    """Whom the file says that it is about."""
    lines: int
    added: int = 0
    """Records of which something new was written."""
    waiting: int = 0
    """Records that wait for an answer now."""
    known: int = 0
    """Records that are there already, from an earlier import or as themselves."""
    turned_away: int = 0
    """Records of which the write policy keeps nothing."""
    erased: int = 0
    """Records that were erased here, and stay so."""
    past: int = 0
    """Records that hold at no time any more: retracted, rejected, expired, or made from such."""
    invalid: int = 0
    """Lines that can't be read, or whose record can't be written."""
    other: int = 0
    """Lines of other types: turns, questions, consents, the log. They are for reading."""
    problems: tuple[ImportProblem, ...] = ()
    """The erased and the invalid ones by their lines."""

    def as_dict(self) -> dict[str, object]:
        """Return it as JSON carries it."""
        return spelled(self)
