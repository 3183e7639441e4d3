"""Opening a store, and the handle of all of it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from stead.clock import Clock, SystemClock
from stead.errors import InvalidArgument, InvalidPolicy
from stead.ids import NewId, random_id
from stead.index.embedders import Embedder
from stead.index.embedders import load as load_embedder
from stead.memory.acts import checked_event
from stead.memory.asking import Asked
from stead.memory.beside import erasing
from stead.memory.candidate import checked_name, names
from stead.memory.consolidating import LIMIT, SHARE, consolidate
from stead.memory.core import Core
from stead.memory.handle import Subject
from stead.memory.keeping import Keeping
from stead.memory.live import LiveReader
from stead.memory.revalidating import register
from stead.memory.sweeping import Judge
from stead.model.consolidation import Consolidation
from stead.model.derive import Deriver
from stead.model.outcome import Decision, Outcome
from stead.model.slot import SELF, Slot
from stead.model.zone import zone as checked_zone
from stead.policy import Policy
from stead.policy import load as load_policy
from stead.recall.items import moment
from stead.store.erasing import ERASED
from stead.store.opening import open_backend
from stead.store.values import AGENT

__all__ = ["Store", "Subject", "check_says", "open_store"]


class Store(Keeping):
    """One tenant's memory: one open file."""

    def __init__(self, core: Core) -> None:
        self._core = core

    @property
    def tenant(self) -> str:
        """The tenant that the file is bound to."""
        return self._core.backend.tenant

    @property
    def path(self) -> str:
        """Where the file lies."""
        return self._core.backend.path

    @property
    def embedder(self) -> Embedder | None:
        """The embedding model; None searches by words alone."""
        return self._core.embedder

    @property
    def resolver(self) -> dict[str, object]:
        """What the model did for writes since the store was opened: calls, tokens, failures by name (R52); empty without one."""
        judging = self._core.judging
        return {} if judging is None else judging.report()

    def subject(
        self,
        name: str,
        *,
        zone: str | None = None,
        purpose: str | None = None,
        audience: str | Iterable[str] | None = None,
    ) -> Subject:
        """Return a handle bound to a subject; nothing is written until its first write.

        Parameters
        ----------
        name
            Whom the records describe.
        zone
            The IANA zone in which wall times are read; without one, wall times are refused (R9).
        purpose
            What this reader uses memory for; records with a purpose are shown to readers who name it.
        audience
            To whom this reader belongs; ``agent``, the subject's own agents, by default.
        """
        if checked_name(name, "subject") != name or not name:
            raise InvalidArgument("subject", "empty, or with space around it", "Name the person or account: ana.")
        if name.startswith(ERASED):
            raise InvalidArgument(
                "subject", f"begins with {ERASED}", "That is how erased subjects are kept; name it otherwise."
            )
        if purpose is not None and checked_name(purpose, "purpose") != purpose:
            raise InvalidArgument("purpose", "with space around it", "Name one purpose: assistant.")
        if zone is not None:
            checked_zone(zone)
        return Subject(self._core, name, zone=zone, purpose=purpose, audience=names(audience, "audience") or (AGENT,))

    def subjects(self) -> list[str]:
        """Return the names of all subjects that were ever written, sorted."""
        with self._core.backend.read() as store:
            return store.subjects()

    @property
    def policy(self) -> Policy:
        """What may be remembered, and how."""
        return self._core.policy

    def event(self, name: str, *, scope: str = "") -> Outcome:
        """Report that a review event happened, for every subject of the tenant (R53); see `Subject.event` for one.

        Parameters
        ----------
        name
            As the records or their categories name it.
        scope
            Only records of this scope and below it; all by default.

        Raises
        ------
        InvalidArgument
        """
        event = checked_event(name, scope)
        with self._core.backend.write() as store:
            tx = store.instant(self._core.clock.now())
            store.add_event(None, replace(event, tx=tx))
        return Outcome(
            verb="event", decision=Decision.UPDATE, rule="event", reason="reported for every subject", record=None,
            status=None, known_at=moment(tx),
        )  # fmt: skip

    def read_live(self, attribute: str, reader: LiveReader | None, *, entity: str = SELF) -> None:
        """Let a system of record be asked at every recall of an attribute: what it says wins over memory (R17, R23).

        Parameters
        ----------
        attribute
            Of which slots.
        reader
            Called with the subject's name and the slot; returns the value, or None where the system holds none. When it
            raises, the answer is the remembered value and a note says so. None: it isn't asked any more.
        entity
            Of whom; the subject by default.
        """
        key = (Slot(attribute, entity=entity).key.entity, attribute)
        if reader is None:
            self._core.readers.pop(key, None)
        else:
            self._core.readers[key] = reader

    def derive(self, name: str, deriver: Deriver | None) -> None:
        """Let a function re-derive records whose sources ended; `Subject.revalidate` calls it (R36, R37).

        Parameters
        ----------
        name
            Whose records: an attribute, a category or a kind (``reflection``). The most exact one that is registered counts.
        deriver
            Called with the record and those of its sources that still hold; returns the new claim (for a record with a
            slot `Derived`, with the value), or None where nothing is left to say. It runs outside of any transaction and
            may take its time, or ask a model. When it raises, the record goes on waiting. None: nothing re-derives them
            any more.

        Raises
        ------
        InvalidArgument
        """
        register(self._core.derivers, name, deriver)

    def consolidate(
        self,
        subject: str | None = None,
        *,
        dry_run: bool = False,
        limit: int = LIMIT,
        share: float = SHARE,
        resume: bool = True,
        judge: Judge | None = None,
    ) -> Consolidation:
        """Find in the background what writes missed, and do it as they would have done it (R25, R36).

        Claims that answer the same question or say the same are brought together, however they were written: contradictions are
        decided, contested or asked about, duplicates become one record with all sources, chains are flattened, long ones
        summed up, what waits for a vector or a deriver is retried. Each step is one transaction and a row or more of the log
        (``trigger`` ``consolidate``), and can be undone with `Subject.rollback`. Others may write meanwhile.

        Parameters
        ----------
        subject
            Whose memory; everybody's by default.
        dry_run
            Only report; nothing is written.
        limit
            Steps of this call. What is left comes with the next one.
        share
            Of a subject's records, from 0 to 1, how many a run may close without a person's review; ten in any case, none with
            0. What is beyond it becomes a ``review`` question. Merging what says the very same doesn't count.
        resume
            Go on with a run that was stopped or reached its limit; False begins anew.
        judge
            A model, asked outside of any transaction about at most a hundred pairs of claims that no rule can relate: given
            the older and the newer claim it returns ``contradicts``, ``same`` or ``unrelated``. Whatever else it returns or
            raises is counted and changes nothing (R24).

        Returns
        -------
        Consolidation
            What was seen, changed, asked and left, by phase and by ids, without content.

        Raises
        ------
        InvalidArgument
        """
        names = self.subjects() if subject is None else [self.subject(subject).name]
        return consolidate(self._core, names, dry_run=dry_run, limit=limit, share=share, resume=resume, judge=judge)

    def now(self) -> datetime:
        """Return the read clock in UTC: never before what this store has already written (R6)."""
        return moment(self._core.now())

    def embed_backlog(self, limit: int | None = None) -> int:
        """Make the vectors that are missing for the current model; return how many were made.

        Raises
        ------
        EmbedderFailed
        """
        return self._core.embed_backlog(limit)

    def doctor(self) -> dict[str, object]:
        """Return what the file is and whether it is sound: schema, counts, integrity, full text, vectors, backlog, erasures."""
        with self._core.backend.read() as store:
            facts = store.facts_about_itself()
        path = Path(self.path)
        wal = path.with_name(path.name + "-wal")
        embedder, erased = self.embedder, erasing(self._core)
        return {
            "tenant": self.tenant,
            "path": self.path,
            "bytes": path.stat().st_size,
            "wal_bytes": wal.stat().st_size if wal.exists() else 0,
            **facts,
            "embedder": None if embedder is None else embedder.version.stamp,
            "backlog": len(self._core.backlog(10_000)),
            "erasing": erased,
            "healthy": facts["integrity"] == ["ok"] and facts["full_text"] is True and erased["sound"] is not False,
        }

    def close(self) -> None:
        """Close the file."""
        self._core.backend.close()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self.close()

    def __repr__(self) -> str:
        """Name tenant and path."""
        return f"Store({self.path!r}, tenant={self.tenant!r})"


def check_says(policy: Policy) -> None:
    """Refuse a policy whose ways of saying can't be read, before a conversation depends on them."""
    from stead.extract.rules import compile_says

    try:
        compile_says(policy.attributes)
    except ValueError as error:
        raise InvalidPolicy("policy", str(error), "docs/reference/extraction.md has the language of says.") from None


def open_store(
    path: str | os.PathLike[str],
    *,
    tenant: str | None = None,
    create: bool = True,
    embedder: str | Embedder | None = "auto",
    clock: Clock | None = None,
    new_id: NewId | None = None,
    policy: Policy | Mapping[str, Any] | str | Path | None = None,
    model: str | None = None,
    resolver: str = "local",
    busy_timeout: float = 30.0,
) -> Store:
    """Open one tenant's store, made if it isn't there.

    Parameters
    ----------
    path
        A file, or ``sqlite:///path``; its folder must exist.
    tenant
        Whose it is. A new file is bound to this name (``default``); of an existing one it is checked (R47).
    create
        Whether a missing file is made.
    embedder
        ``auto`` (the local model if its extra is installed, loaded when it is first needed), ``none``, ``local``,
        ``multilingual``, or an `Embedder`. Without one, recall searches by words alone and says so.
    clock, new_id
        Sources of time and ids, for tests and replays.
    policy
        A `Policy`, a mapping or a TOML file, laid over the built-in one.
    model
        Who reads sessions beside the rules: ``anthropic:NAME``, ``openai:NAME``, or a base URL. None, the default: rules
        alone, and nothing leaves the machine.
    resolver
        Who says how a claim without a slot relates to those that are there: ``local``, or ``model``, which asks ``model`` where
        the words alone don't tell (R24).
    busy_timeout
        How many seconds to wait while another process writes.

    Returns
    -------
    Store
        Use it as a context manager, or close it.

    Raises
    ------
    StoreNotFound, StoreNotWritable, StoreCorrupt, NewerSchema, CrossTenant, InvalidPolicy, MissingExtra, InvalidArgument
    """
    judging = None
    if resolver != "local":
        from stead.memory.judging import Judging  # only where a model is wanted

        judging = Judging.of(resolver, model)
    ticking = clock or SystemClock()
    loading = partial(load_embedder, embedder)
    if embedder != "auto":
        loaded = loading()  # what was asked for by name is missing now, not at the first write
        loading = partial(load_embedder, loaded)
    rules = load_policy(policy)
    if policy is not None:
        check_says(rules)
    asked = None if model is None else Asked.of(model, rules)
    backend = open_backend(os.fspath(path), tenant=tenant, now=ticking.now(), create=create, busy_timeout=busy_timeout)
    return Store(
        Core(
            backend=backend, clock=ticking, new_id=new_id or random_id, policy=rules, load_embedder=loading,
            model_extractor=asked, judging=judging,
        )
    )  # fmt: skip
