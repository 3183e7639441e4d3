"""What the handles share: the backend, the injected parts, and how a write runs around its work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, cast

from stead.clock import Clock
from stead.errors import EmbedderFailed, InvalidArgument, SteadError
from stead.ids import NewId
from stead.index.embedders import Embedder
from stead.index.vectors import VectorIndex, packed
from stead.memory.asking import Asked
from stead.memory.desk import Desk, Fresh, once
from stead.memory.erasing import carry_out
from stead.memory.fences import key_fenced
from stead.memory.live import LiveReader
from stead.memory.outside import Sink
from stead.memory.scrub import check_names
from stead.memory.vault import Vault
from stead.model.derive import Deriver
from stead.model.outcome import Outcome
from stead.model.period import Instant
from stead.policy import Policy
from stead.store.protocol import Backend, ReadTx, WriteTx
from stead.store.values import Shelf, SubjectRow

if TYPE_CHECKING:
    from stead.extract.rules import Extractor
    from stead.memory.advice import Asking
    from stead.memory.judging import Judging

Work = Callable[[Desk], tuple[int, Outcome]]
NOT_EMBEDDED = "the embedder failed: the vector is made later; slot and words find it at once"
NOT_ERASED = "it can't be read any more, and not every surface is clean yet: resume_erasures() goes on"
_BATCH = 128


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyed:
    """A write with its idempotency key."""

    work: Work
    key: str | None = None
    body: bytes = b""
    asking: Asking | None = None
    """What a model may be asked before it (R24)."""


@dataclass(slots=True, kw_only=True)
class Core:
    """One open store."""

    backend: Backend
    clock: Clock
    new_id: NewId
    policy: Policy
    load_embedder: Callable[[], Embedder | None]
    """Called once, when a text or a query first wants a vector: opening a store stays cheap."""
    readers: dict[tuple[str, str], LiveReader] = field(default_factory=dict)
    """Systems of record that are read live, by entity and attribute."""
    derivers: dict[str, Deriver] = field(default_factory=dict)
    """What re-derives records whose sources ended, by kind, category or attribute."""
    vectors: VectorIndex = field(default_factory=VectorIndex)
    model_extractor: Asked | None = None
    """The model that reads sessions beside the rules; None: rules alone."""
    judging: Judging | None = None
    """The model that relates claims without a slot; None: the local resolver alone (R24)."""
    sinks: dict[str, Sink] = field(default_factory=dict)
    """Functions that tell an outside sink what was erased, by name (R32)."""
    _vaults: list[Vault] = field(default_factory=list)
    _loaded: list[Embedder | None] = field(default_factory=list)
    _extractors: list[Extractor] = field(default_factory=list)

    @property
    def vault(self) -> Vault:
        """The keys and the ledger, which lie beside the file."""
        if not self._vaults:
            self._vaults.append(Vault(self.backend.path))
        return self._vaults[0]

    def desk(self, store: ReadTx, subject: SubjectRow, verb: str) -> Desk:
        """Return what one transaction works with; over a snapshot it only looks."""
        return Desk(
            store=cast("WriteTx", store), subject=subject, clock=self.clock, new_id=self.new_id, policy=self.policy,
            verb=verb, vault=self.vault,
        )  # fmt: skip

    def subject_of(self, store: WriteTx, name: str) -> SubjectRow:
        """Return a subject, made if it is new; one that was erased whole comes back with its fences."""
        found = self.seen(store, name)
        if found is not None and found.name != name:
            store.rename(found.n, name)
            found = replace(found, name=name)
        return found or store.add_subject(name)

    def seen(self, store: ReadTx, name: str) -> SubjectRow | None:
        """Return a subject, one that was erased whole included: for who asks what was erased."""
        found = store.subject(name)
        return store.subject(self.vault.pseudonym(name)) if found is None and store.erased_subjects() else found

    @property
    def embedder(self) -> Embedder | None:
        """The embedding model; None searches by words alone."""
        if not self._loaded:
            self._loaded.append(self.load_embedder())
        return self._loaded[0]

    @property
    def extractor(self) -> Extractor:
        """The local extraction, compiled from the policy's ways of saying when it is first needed."""
        if not self._extractors:
            from stead.extract.rules import Extractor  # many patterns: only for who holds sessions

            kept = self.policy.kept.setdefault("extractor", Extractor(self.policy.attributes))
            self._extractors.append(cast("Extractor", kept))
        return self._extractors[0]

    def now(self) -> Instant:
        """Return the read clock: never before what this store has already written (R6)."""
        with self.backend.read() as store:
            return max(self.clock.now(), store.last_instant())

    def write(self, subject: str, verb: str, work: Keyed) -> Outcome:
        """Run one write in one transaction, then make the vectors of what it added, outside the lock (R46)."""
        return self.write_many(subject, verb, [work])[0]

    def write_many(
        self, subject: str, verb: str, works: Sequence[Keyed], before: Callable[[Desk], None] | None = None
    ) -> list[Outcome]:
        """Run several writes in one transaction, each at its own instant: all of them or none.

        ``before`` runs first, in the same transaction.
        """
        for each in works:
            if each.key is not None and (not isinstance(each.key, str) or not each.key):
                raise InvalidArgument("idempotency_key", "empty or not text", "Use a key of your own for each write.")
            check_names(idempotency_key=each.key)
        if self.judging is not None:
            self.judging.hear(self, subject, verb, works)
        with self.backend.write() as store:
            desk = self.desk(store, self.subject_of(store, subject), verb)
            if before is not None:
                before(desk)
            fenced = partial(key_fenced, desk)
            outcomes = [once(desk, each.key, each.body, partial(each.work, desk), fenced) for each in works]
            for last in desk.at_commit:
                last()
        if self.judging is not None:
            self.judging.count(works)
        outcomes = self._with_vectors(desk.fresh, outcomes)
        return [self._erased(each) for each in outcomes] if desk.erased else outcomes

    def _erased(self, outcome: Outcome) -> Outcome:
        """Carry out the erasure that a write began; what can't be done now is said, and waits to be resumed (R33)."""
        if outcome.erasure is None or outcome.replayed:
            return outcome
        try:
            complete = carry_out(self, outcome.erasure).complete
        except (SteadError, OSError):
            complete = False
        return outcome if complete else replace(outcome, warnings=(*outcome.warnings, NOT_ERASED))

    def mark_used(
        self, subject: str, ids: Sequence[str], purpose: str | None = None, audience: Sequence[str] = ()
    ) -> None:
        """Count an access of records and episodes of a subject, and who it was that used them (R30)."""
        with self.backend.write() as store:
            row = self.subject_of(store, subject)
            desk = self.desk(store, row, "used")
            for each in ids:
                if not (each.startswith("epi_") and store.has_episode(row.n, each)):
                    desk.find(each, "ids")
            store.touch(ids, desk.instant(), purpose, audience)

    def _with_vectors(self, fresh: Sequence[Fresh], outcomes: list[Outcome]) -> list[Outcome]:
        """Make vectors; a failing embedder never loses the write, it says so and the backlog stays."""
        if not fresh:
            return outcomes
        try:
            if self.embedder is not None:
                self._embed(fresh)
        except SteadError:  # busy or full as well: "nothing was written" would be a lie after the commit (R46)
            return [replace(outcome, warnings=(*outcome.warnings, NOT_EMBEDDED)) for outcome in outcomes]
        return outcomes

    def _embed(self, texts: Sequence[Fresh]) -> None:
        assert self.embedder is not None
        try:
            made = self.embedder.embed_documents([each.text for each in texts])
            blobs = packed(made, len(texts), self.embedder.version.dimensions)
        except EmbedderFailed:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a foreign model raises, the write is safe already
            raise EmbedderFailed(f"the embedder raised {type(error).__name__}") from None
        with self.backend.write() as store:
            for shelf in ("claims", "episodes"):
                rows = [(t.subject, t.item, blob) for t, blob in zip(texts, blobs, strict=True) if t.shelf == shelf]
                store.add_vectors(_shelf(shelf), self.embedder.version.stamp, rows)

    def embed_backlog(self, limit: int | None = None) -> int:
        """Make vectors for texts that have none of the current model.

        Parameters
        ----------
        limit
            At most so many; all by default.

        Returns
        -------
        int
            How many were made.

        Raises
        ------
        EmbedderFailed
        """
        made = 0
        while self.embedder is not None and (limit is None or made < limit):
            step = _BATCH if limit is None else min(_BATCH, limit - made)
            texts = self.backlog(step)
            if not texts:
                break
            self._embed(texts)
            made += len(texts)
        return made

    def backlog(self, limit: int) -> list[Fresh]:
        """Return texts without a vector of the current model."""
        if self.embedder is None:
            return []
        stamp = self.embedder.version.stamp
        with self.backend.read() as store:
            found = [
                Fresh(shelf=_shelf(shelf), subject=subject, item=item, text=text)
                for shelf in ("claims", "episodes")
                for subject, item, text in store.backlog(_shelf(shelf), stamp, limit)
            ]
        return found[:limit]


def _shelf(name: str) -> Shelf:
    return "claims" if name == "claims" else "episodes"
