"""What a backend must be able to do. Rows in, rows out: every rule of the domain lives above this line.

A backend holds one tenant. `write` is serialised over all processes, `read` is a snapshot; both hand out a transaction.
`stead.store.conformance` is the contract as a runnable suite.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from stead.model.period import Instant, Period
from stead.model.slot import SlotKey
from stead.store.erasing import ReadErasing, Sweeping, WriteErasing
from stead.store.moving import ReadMoving, WriteMoving
from stead.store.porting import ReadPorting, WritePorting
from stead.store.runs import ReadRuns, WriteRuns
from stead.store.values import (
    AliasRow,
    DecisionRow,
    EdgeRow,
    EpisodeRow,
    ErasureRow,
    EventRow,
    PlaceRow,
    Reader,
    Revision,
    SessionRow,
    Shelf,
    SlotRow,
    SourceRow,
    SubjectRow,
    WordingRow,
)


class ReadTx(ReadRuns, ReadErasing, ReadMoving, ReadPorting, Protocol):
    """A consistent snapshot."""

    def last_instant(self) -> Instant:
        """Return the latest transaction time; 0 in a new store."""

    def subject(self, name: str) -> SubjectRow | None:
        """Return a subject by its exact name."""

    def subjects(self) -> list[str]:
        """Return the names of all subjects, sorted."""

    def slots(self, subject: int, key: SlotKey, scopes: Sequence[str]) -> list[SlotRow]:
        """Return the slot in those of the scopes where it was ever written."""

    def slots_by_number(self, subject: int, numbers: Sequence[int]) -> list[SlotRow]:
        """Return slots by number."""

    def slots_like(self, subject: int, numbers: Sequence[int], scopes: Sequence[str]) -> list[SlotRow]:
        """Return the slots of the same keys as some slots, in those of the scopes where they were ever written."""

    def laid(self, slots: Sequence[int], within: Period, known_at: Instant | None) -> list[Revision]:
        """Return the revisions of slots that are laid on the strip and stand somewhere within a period (R7).

        ``known_at`` None asks for the current ones, in time that doesn't grow with the depth of the chain (R28).
        """

    def in_slot(self, slot: int) -> list[Revision]:
        """Return the current revisions of all records of a slot, whatever their status."""

    def applicable(
        self,
        subject: int,
        scopes: Sequence[str],
        at: Instant,
        known_at: Instant | None,
        *,
        kind: str | None = None,
        category: str | None = None,
        slotted: bool | None = None,
        reader: Reader | None = None,
        limit: int = 1000,
    ) -> list[Revision]:
        """Return laid revisions of a subject that stand at an instant, by scope and optionally kind and category.

        ``slotted`` asks for those in slots that callers named, or for the others.

        With a reader, only what it may be shown: filters come before the limit (R30).
        """

    def by_text(self, subject: int, texts: Sequence[int], known_at: Instant) -> list[Revision]:
        """Return the revisions known at an instant that carry one of the texts."""

    def current(self, subject: int, record: str) -> Revision | None:
        """Return the current revision of a record of this subject, by its id."""

    def current_by_number(self, subject: int, records: Sequence[int]) -> list[Revision]:
        """Return the current revisions of records, by number."""

    def revisions(self, subject: int, records: Sequence[int]) -> list[Revision]:
        """Return all revisions of records, by transaction time."""

    def chained(self, subject: int, record: int) -> list[int]:
        """Return the numbers of all records in the same supersession chain, the record itself included."""

    def revisions_after(self, subject: int, records: Sequence[int], after: Instant, limit: int) -> list[Revision]:
        """Return the next revisions of records, by transaction time; a transaction is never split over two pages."""

    def linked_slots(self, slot: int) -> list[int]:
        """Return the other slots in which records that were ever in a slot have been filed (R26)."""

    def answered(self, subject: int) -> list[DecisionRow]:
        """Return the rows of the log in which contests were answered, and answers taken back, newest first (R26)."""

    def consents(self, subject: int) -> dict[str, bool]:
        """Return what a subject has allowed and denied, by class; the newest word counts (R16)."""

    def events(self, subject: int, names: Sequence[str], known_at: Instant) -> list[EventRow]:
        """Return the reports of some review events, for a subject or its tenant, until then and in order (R53)."""

    def reviewable(self, subject: int) -> list[int]:
        """Return the numbers of the records that name review events of their own."""

    def echoes(self, subject: int, claim_key: int, scope: str, now: Instant) -> bool:
        """Tell whether a record that stands now in a scope has a claim of that key (R48)."""

    def recent_contradictions(self, subject: int, last: int) -> tuple[int, int]:
        """Return how many of a subject's last decisions met a contradiction, and how many were looked at."""

    def waiting(self, subject: int, now: Instant, speaker: str | None = None) -> int:
        """Return how many proposals of a speaker wait for an answer; without one, how many are quarantined."""

    def rejected(self, subject: int, *, claim_key: int | None = None, slot: int | None = None) -> list[Revision]:
        """Return the records that the subject rejected with the same claim, or in the same slot."""

    def session(self, subject: int, conversation: str) -> SessionRow | None:
        """Return the session of a conversation."""

    def open_sessions(self, subject: int) -> list[SessionRow]:
        """Return the sessions that were never closed, oldest first (R18)."""

    def turns_from(self, subject: int, conversation: str, position: int) -> list[EpisodeRow]:
        """Return the turns of a conversation from a position on, in order."""

    def log_page(self, subject: int, *, limit: int, after: int) -> list[DecisionRow]:
        """Return rows of the decision log after a number, oldest first (R20)."""

    def same_claim(self, subject: int, claim_key: int) -> list[Revision]:
        """Return the current revisions of records without a slot that say the same (R21)."""

    def proposed(
        self,
        subject: int,
        known_at: Instant | None = None,
        *,
        slots: Sequence[int] | None = None,
        texts: Sequence[int] | None = None,
        category: str | None = None,
    ) -> list[Revision]:
        """Return the proposals that wait for an answer, or did so then, oldest first.

        Only those in some slots, those with some texts, or those of a category, where these are given.
        """

    def disputable_slots(self, subject: int) -> list[int]:
        """Return the slots in which several speakers are laid: only there can a contest be."""

    def page(
        self,
        subject: int,
        *,
        status: str | None,
        scope: str | None,
        category: str | None,
        limit: int,
        after: str | None,
    ) -> list[Revision]:
        """Return current revisions by record in the order of their making, after the record of that id."""

    def foreign(self, record: str) -> bool:
        """Tell whether a record of this id belongs to any subject of this tenant."""

    def erased_whole(self, record: str) -> bool:
        """Tell whether a record of this id belonged to a subject that was erased whole."""

    def ids(self, records: Iterable[int]) -> dict[int, str]:
        """Return the ids of records by number."""

    def sources(self, records: Sequence[int], known_at: Instant) -> list[SourceRow]:
        """Return the sources of records known at an instant, oldest first."""

    def edges(self, records: Sequence[int], *, kind: str | None = None, incoming: bool = False) -> list[EdgeRow]:
        """Return provenance edges from (or to) records."""

    def rests_on(self, records: Sequence[int]) -> list[EdgeRow]:
        """Return the ``derived_from`` edges of records, those to what is being erased too: there it is lost (R37)."""

    def derived(self, subject: int) -> list[int]:
        """Return the numbers of the records of a subject that rest on others now, in order (R37)."""

    def drawn_from(
        self, subject: int, turns: Sequence[tuple[str, str]], known_at: Instant
    ) -> list[tuple[str, str, str, str]]:
        """Return (conversation, turn, record id, status at that time) of records drawn from turns."""

    def usage(self, ids: Sequence[str]) -> dict[str, tuple[Instant, int]]:
        """Return last access and count by the id of a record or an episode."""

    def has_episode(self, subject: int, episode: str) -> bool:
        """Tell whether an episode of this id is one of the subject's."""

    def decisions(self, subject: int, record: int) -> list[DecisionRow]:
        """Return the decisions on a record and those that changed it, oldest first."""

    def decision(self, number: int) -> DecisionRow:
        """Return one row of the decision log."""

    def replay(self, subject: int, key: str) -> tuple[bytes, int] | None:
        """Return the digest and decision of an idempotency key."""

    def episodes(self, subject: int, numbers: Sequence[int]) -> list[EpisodeRow]:
        """Return episodes by number."""

    def placed(self, subject: int, numbers: Sequence[int]) -> list[PlaceRow]:
        """Return where episodes, and those up to two turns before and after them, stand in their conversations."""

    def episode(self, subject: int, conversation: str, turn: str) -> EpisodeRow | None:
        """Return one turn of a conversation."""

    def episode_page(
        self, subject: int, *, conversation: str | None, limit: int, after: str | None
    ) -> list[EpisodeRow]:
        """Return episodes in the order in which they were recorded."""

    def positions(self, subject: int, conversation: str) -> int:
        """Return how many turns a conversation has."""

    def postings(self, shelf: Shelf, subject: int, token: str, known_at: Instant | None) -> list[tuple[int, int]]:
        """Return (item, length in tokens), once per occurrence of the token in the subject's texts."""

    def texts_with(self, shelf: Shelf, subject: int, token: str, known_at: Instant | None) -> int:
        """Return in how many of the subject's texts a token stands, without reading them."""

    def totals(self, shelf: Shelf, subject: int, known_at: Instant | None) -> tuple[int, int]:
        """Return how many texts the subject has and their length in tokens."""

    def last_item(self, shelf: Shelf, subject: int, known_at: Instant) -> int:
        """Return the highest item number among the subject's texts known at an instant; numbers rise with time."""

    def vectors(self, shelf: Shelf, subject: int, version: str, after: int) -> list[tuple[int, int, bytes]]:
        """Return (row, item, float32 bytes) of vectors of one model version, rows above ``after``."""

    def last_vector(self, shelf: Shelf, subject: int, version: str) -> int:
        """Return the highest row number of the vectors that this snapshot sees; 0 where there are none."""

    def stamps(self, subject: int, items: Sequence[int]) -> list[tuple[int, str]]:
        """Return (text, version) of the vectors made of claims."""

    def backlog(self, shelf: Shelf, version: str, limit: int) -> list[tuple[int, int, str]]:
        """Return (subject, item, text) of texts without a vector of that version."""

    def erased(self, subject: int, public_id: str) -> bool:
        """Tell whether a record or an episode of this id is being erased (R27)."""

    def erased_ids(self, records: Sequence[int]) -> dict[int, str]:
        """Return the ids of those of the records that are being erased: for the erasure's own outcome."""

    def turn_taken(self, subject: int, conversation: str, turn: str) -> bool:
        """Tell whether a turn of this id was recorded, one that is being erased included."""

    def erasures(self, subject: int) -> list[ErasureRow]:
        """Return a subject's erasures, oldest first, with how much each one selects."""

    def everything(self, subject: int) -> tuple[list[int], list[int]]:
        """Return the numbers of all readable records and episodes of a subject."""

    def filed_under(self, subject: int, categories: Sequence[str], attributes: Sequence[str]) -> list[int]:
        """Return the readable records that have ever been of one of the categories or in a slot of the attributes."""

    def wordings(
        self, subject: int, *, records: Sequence[int] | None = None, texts: Sequence[int] | None = None
    ) -> list[WordingRow]:
        """Return every wording that readable records ever had, whatever their status: of records, or by number."""

    def drawn_in(self, subject: int, conversation: str) -> list[tuple[int, int | None, str | None]]:
        """Return (record, position, speaker) of what was drawn from a conversation, oldest first; None: from no turn of it."""

    def turns_behind(self, subject: int, records: Sequence[int]) -> list[EpisodeRow]:
        """Return the readable turns from which records were drawn."""

    def aliases(self, subject: int, known_at: Instant | None) -> list[AliasRow]:
        """Return the aliases in force at an instant, oldest first; None asks for today's (R21)."""

    def entities(self, subject: int) -> list[str]:
        """Return the entities that a subject's slots were ever written of."""

    def slots_about(self, subject: int, entities: Sequence[str]) -> list[int]:
        """Return the numbers of the slots of entities, in every scope."""

    def said_of(self, records: Sequence[int]) -> dict[int, str]:
        """Return the entity with which records were said, of those that an alias ever filed under another one."""

    def facts_about_itself(self) -> dict[str, object]:
        """Return counts, sizes and the result of an integrity check, for doctor."""


class WriteTx(ReadTx, WriteRuns, WriteErasing, WriteMoving, WritePorting, Protocol):
    """The one writer. Its effect is durable when the context ends without an error, and nothing otherwise."""

    def instant(self, now: Instant) -> Instant:
        """Take the next transaction time: now, or just after the last one (R6)."""

    def add_subject(self, name: str) -> SubjectRow:
        """Return the subject, made if it is new."""

    def bump_slot(self, subject: int, key: SlotKey, scope: str) -> SlotRow:
        """Return the slot with its version one higher, made at version 1 if it is new."""

    def bump_slot_number(self, slot: int) -> int:
        """Raise the version of a slot by one and return it."""

    def next_record(self) -> int:
        """Return the number that the next record will have."""

    def add_record(self, revision: Revision, words: Sequence[str]) -> Revision:
        """Insert a record with its first revision and index its words; return it with its numbers."""

    def revise(self, old: Revision, new: Revision) -> Revision:
        """Close the current revision of a record at ``new.tx_from`` and insert the next one, with the same text."""

    def revise_all(self, pairs: Sequence[tuple[Revision, Revision]]) -> None:
        """Do as `revise` for several records: all are closed before the first one is inserted.

        So one can take the place at the open end that another one gives up (R46).
        """

    def reword(self, old: Revision, new: Revision, words: Sequence[str]) -> Revision:
        """Do as `revise`, with another text: index its words; the old text stays with the old revision."""

    def add_source(self, subject: int, source: SourceRow) -> None:
        """Add a source to a record."""

    def add_edge(self, edge: EdgeRow) -> None:
        """Add a provenance edge; one that exists is left as it is."""

    def release(self, record: int, target: int, tx: Instant) -> None:
        """Note that a record no longer rests on one that it was derived from; the edge stays (R37)."""

    def log(self, row: DecisionRow) -> int:
        """Add a row to the decision log; return its number."""

    def keep(self, subject: int, key: str, digest: bytes, decision: int) -> None:
        """Keep an idempotency key with the decision that answers it."""

    def touch(self, ids: Sequence[str], at: Instant, purpose: str | None = None, audience: Sequence[str] = ()) -> None:
        """Count an access of records and episodes, by a reader of that purpose and audience (R30)."""

    def open_session(self, subject: int, conversation: str, tx: Instant) -> None:
        """Note that a session is open; reopening one is fine."""

    def close_session(self, subject: int, conversation: str, tx: Instant) -> None:
        """Note that a session has ended."""

    def set_reviewed(self, subject: int, conversation: str, position: int) -> None:
        """Note that the turns below a position have been through the review."""

    def add_alias(self, subject: int, row: AliasRow) -> None:
        """Note that a name means an entity from a transaction time on (R21)."""

    def end_alias(self, alias: int, tx: Instant) -> None:
        """Note that an alias isn't in force from a transaction time on."""

    def say_of(self, subject: int, record: int, entity: str) -> None:
        """Note with which entity a record was said; what is noted first stays."""

    def set_consent(self, subject: int, name: str, allowed: bool, tx: Instant) -> None:
        """Note what a subject allows or denies from now on (R16)."""

    def add_event(self, subject: int | None, event: EventRow) -> None:
        """Note that a review event happened, for a subject or for all of the tenant (R53)."""

    def add_episode(self, row: EpisodeRow, words: Sequence[str]) -> EpisodeRow:
        """Insert an episode at the end of its conversation and index its words."""

    def add_vectors(self, shelf: Shelf, version: str, rows: Iterable[tuple[int, int, bytes]]) -> None:
        """Insert vectors: (subject, item, float32 bytes). One that exists stays; one of a text that is gone is dropped."""


class Backend(Sweeping, Protocol):
    """One tenant's store."""

    tenant: str
    path: str

    def read(self) -> AbstractContextManager[ReadTx]:
        """Open a snapshot."""

    def write(self) -> AbstractContextManager[WriteTx]:
        """Open the one write transaction; commit at the end, roll back on any error."""

    def close(self) -> None:
        """Close every connection."""
