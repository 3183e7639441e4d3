"""What a backend must be able to do for erasures; part of the protocol of a transaction (R31, R32)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import BinaryIO, Final, Protocol

from stead.model.period import Instant
from stead.model.slot import SlotKey
from stead.store.values import DecisionRow, JobRow, Shelf, SubjectRow, Wanted

ERASED: Final = "erased:"
"""Before the fingerprint that takes the place of the name of a subject that was erased whole: it is in no list."""
Indexed = Callable[[Shelf, tuple[str, ...]], Iterable[Sequence[str]]]
"""From what `texts_of` returns of a text to the words by which it may be indexed, the likeliest first."""


class ReadErasing(Protocol):
    """Part of a snapshot."""

    def job(self, erasure: str) -> JobRow | None:
        """Return an erasure by its id, with how far it has come."""

    def unfinished(self) -> list[JobRow]:
        """Return the erasures that aren't complete, oldest first, of every subject."""

    def erased_subjects(self) -> bool:
        """Tell whether any subject was erased whole."""

    def is_fenced(self, subject: int | None) -> bool:
        """Tell whether anything of a subject, or of anybody, was ever erased: only then fences have to be looked at."""

    def fence(self, subject: int, kind: str, mark: bytes) -> Instant | None:
        """Return the time of the erasure that left a fence; None where there is none."""

    def slots_of(self, subject: int, key: SlotKey) -> list[int]:
        """Return the numbers of a slot in every scope; with an empty object, of every object of its attribute."""

    def selected(self, subject: int, wanted: Wanted) -> tuple[set[int], set[int]]:
        """Return the readable records and turns that one criterion of an erasure selects."""

    def said_before(
        self, subject: int, categories: Sequence[str], attributes: Sequence[str], before: Instant
    ) -> list[int]:
        """Return the readable records of categories, or in slots of attributes, that were said until an instant."""

    def said_beside(self, subject: int, records: Sequence[int], turns: Sequence[int]) -> list[int]:
        """Return the readable records, other than those, that were drawn from some turns."""

    def texts_of(self, records: Sequence[int], turns: Sequence[int]) -> list[tuple[Shelf, int, tuple[str, ...]]]:
        """Return (shelf, item, texts) of what is being erased: claim, value and slot of each wording; speaker and words."""

    def keys_of(self, subject: int, records: Sequence[int], turns: Sequence[int]) -> list[str]:
        """Return the idempotency keys of the writes that made or changed records or turns."""

    def origins(self, records: Sequence[int], turns: Sequence[int]) -> list[tuple[str | None, str | None, str | None]]:
        """Return (conversation, turn, uri) of the sources of records and of turns."""

    def vectors_of(self, subject: int, records: Sequence[int], turns: Sequence[int]) -> list[tuple[str, bytes]]:
        """Return (version, bytes) of the vectors made of records and turns."""

    def touched(self, subject: int, records: Sequence[int], turns: Sequence[int]) -> tuple[int, dict[str, int]]:
        """Return how many revisions records have, and how many vectors were made of records and turns, by version."""

    def asked_because_of(self, records: Sequence[int]) -> list[DecisionRow]:
        """Return the decisions that asked a question because of records that say otherwise, with all that they contradict."""

    def decided_beside(self, subject: int, records: Sequence[int], last: int) -> list[DecisionRow]:
        """Return those of a subject's last decisions that wrote others in the slots of records, with all that they contradict."""

    def needles(self, erasure: int) -> list[bytes]:
        """Return what the verification of an erasure looks for, sealed."""

    def of_erasure(self, erasure: int) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
        """Return (number, id) of the records and of the turns that an erasure selected and that still have rows."""

    def erased_turns(self, subject: int) -> list[str]:
        """Return the ids of the turns of a subject that were purged."""

    def left_of(self, records: Sequence[int], turns: Sequence[int]) -> dict[str, int]:
        """Return by table how many rows of erased records and turns there still are; empty where there are none."""

    def orphans(self, subject: int, words: Sequence[str]) -> dict[str, int]:
        """Return how many entries of the indexes lead to no text that is there, as a search by words or by vector finds them.

        All entries of the words, and all vectors of the subject, are looked at.
        """

    def survives(self, piece: bytes) -> bool:
        """Tell whether bytes stand in a row that is not being erased; reads the whole store."""

    def subject_by_ref(self, ref: str) -> SubjectRow | None:
        """Return a subject by the name that it has outside of the store."""

    def places_outside(self, subject: int) -> dict[str, list[tuple[str, str, str | Instant | None]]]:
        """Return what is known of a subject outside of the file: exports, backups and sinks."""


class WriteErasing(Protocol):
    """Part of the one write transaction."""

    def refer(self, subject: int, ref: str) -> str:
        """Return the ref of a subject, which becomes this one if it has none."""

    def hide(self, job: JobRow, records: Sequence[int], episodes: Sequence[int]) -> JobRow:
        """Note an erasure, and leave what it selects out of every read from now on, whatever ``known_at`` says (R8, R27).

        The subject's epoch rises. Return the job with its number and the epoch.
        """

    def decide_anew(self, number: int, row: DecisionRow) -> None:
        """Put another decision in the place of one in the log: what that was about is being erased (R49)."""

    def add_fences(self, subject: int, tx: Instant, marks: Iterable[tuple[str, bytes]]) -> None:
        """Add tombstones: (kind, keyed fingerprint)."""

    def add_needles(self, erasure: int, sealed: bytes) -> None:
        """Keep a part of what the verification of an erasure will look for."""

    def purge(self, job: JobRow, words: Indexed, limit: int) -> dict[str, int]:
        """Remove all rows of at most so many records or turns of an erasure, and their full text and vectors.

        ``words`` gives the words by which a text may be indexed; where the index says otherwise, it is read.
        Return how many rows went, by surface; empty when nothing is left.
        """

    def purge_subject(self, job: JobRow) -> dict[str, int]:
        """Remove what is left of a subject that is erased whole: slots, sessions, aliases, log; its name too, but for denials."""

    def rename(self, subject: int, name: str) -> None:
        """Give a subject another name."""

    def step(self, job: JobRow) -> None:
        """Note how far an erasure has come."""

    def set_sink(self, name: str, command: str | None, tx: Instant, *, gone: bool) -> None:
        """Note or take away an outside sink."""

    def mark_gone(self, table: str, public_id: str, at: Instant) -> None:
        """Note that an export or a backup isn't there any more."""

    def drop_needles(self, erasure: int) -> None:
        """Remove what the verification looked for."""


class Sweeping(Protocol):
    """Part of a backend: what concerns its files."""

    engine: str
    """What keeps the rows, with its version."""

    def sweep(self, patience: float) -> bool:
        """Fold the write-ahead log into the file and cut it to nothing; False where a reader holds an older state."""

    def compact(self) -> None:
        """Write the file anew, without what deleted rows may have left in its pages."""

    def files(self) -> list[str]:
        """Return the paths of every file that the store consists of, and that lies beside it under its name."""

    def read_bytes(self, path: str) -> BinaryIO:
        """Open one of these files, or any other, for reading, so that no lock on it is lost."""
