"""The verbs of a subject that read. Each answers from one snapshot."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from stead.errors import InvalidArgument, KnownAtInFuture
from stead.index.vectors import checked_vector
from stead.memory.candidate import asked_slot, checked_name, names
from stead.memory.core import Core
from stead.memory.desk import find
from stead.memory.gate import PERSONALISATION, allowed, denied
from stead.memory.live import by_entity, live_values
from stead.model.alias import Alias
from stead.model.context import Budget, Context, EpisodeHit, Interval, Question
from stead.model.period import BEGINNING, Instant
from stead.model.record import Record, Status
from stead.model.scope import chain, checked
from stead.model.slot import Slot
from stead.model.zone import Reading, TimeInput, instant
from stead.recall import views
from stead.recall.ask import Ask
from stead.recall.ask import budget as checked_budget
from stead.recall.items import as_episode, moment
from stead.recall.names import names_of
from stead.recall.questions import open_questions
from stead.recall.recall import nothing, recall
from stead.store.protocol import ReadTx
from stead.store.values import SubjectRow

NOBODY = SubjectRow(n=0, name="", purges=0)
MOST = 1_000
"""How many rows a page can have."""
PERSONALISATION_OFF = "personalisation is off for this subject: nothing is recalled"
LEXICAL_ONLY = "no embedder: searched by words alone"


class Reads:
    """What a subject's handle can read."""

    _core: Core
    name: str
    zone: str | None
    purpose: str | None
    audience: tuple[str, ...]

    def recall(
        self,
        query: str = "",
        *,
        slot: Slot | None = None,
        category: str | None = None,
        scope: str = "",
        at: TimeInput | None = None,
        known_at: TimeInput | None = None,
        include_cold: bool = False,
        purpose: str | None = None,
        audience: str | Iterable[str] | None = None,
        budget: Budget | Mapping[str, int] | None = None,
        query_vector: object = None,
        reading: Reading | None = None,
    ) -> Context:
        """Answer what applies (R7, R11, R29, R30).

        Parameters
        ----------
        query
            What is asked, in words. Without query, slot and category everything in scope is asked for.
        slot
            One slot; only its entity, attribute and object count.
        category
            All facts of a category, whatever the wording.
        scope
            Where the reader stands: records of this scope, of those above it and of everywhere are seen.
        at
            The instant in the world that is asked about; now by default.
        known_at
            What the store knew then; everything that it knows by default, never later than now.
        include_cold
            Search the cold tier too.
        purpose, audience
            Who asks, beyond what the handle says.
        budget
            Ceilings: facts, episodes, tokens.
        query_vector
            The query's vector, (dimensions,), float32, made by the store's embedder; made here by default.
        reading
            ``earlier`` or ``later``, for wall times in a daylight-saving gap or fold.

        Returns
        -------
        Context
            Facts, episodes, questions and divergences; ``text`` is the rendering for a prompt.

        Raises
        ------
        KnownAtInFuture, NaiveTime, AmbiguousTime, InvalidArgument
        """
        if not isinstance(query, str):
            raise InvalidArgument("query", "not text", "Ask in words, or leave it out.")
        asked = None if slot is None else asked_slot(slot).key
        if asked is not None and category is not None:
            raise InvalidArgument("category", "a slot says which fact already", "Give a slot or a category.")
        checked_name(purpose, "purpose")
        limits = checked_budget(budget)
        live = at is None and known_at is None
        vector, notes = self._vector(query, query_vector, limits)
        with self._core.backend.read() as store:
            known, past = self._known(store, known_at, reading)
            subject = store.subject(self.name) or SubjectRow(n=0, name=self.name, purges=0)
            when = instant(at, zone_name=self.zone, reading=reading) if at is not None else max(self._clock(), known)
            consents = store.consents(subject.n)
            if not allowed(self._core.policy, consents, PERSONALISATION):
                limits, notes = Budget(facts=0, episodes=0, tokens=0), (PERSONALISATION_OFF,)
                return nothing(subject.name, chain(checked(scope)), when, known, notes)
            embedder, names_ = self._core.embedder, names_of(store, subject.n, past)
            readers = by_entity(self._core.readers, names_) if live else {}
            ask = Ask(
                subject=subject, query=query.strip(), slot=None if asked is None else names_.key(asked), category=category,
                scopes=chain(checked(scope)), at=when, known_at=known, past=past, include_cold=include_cold,
                purpose=purpose or self.purpose, audiences=frozenset(names(audience, "audience") or self.audience),
                budget=limits, policy=self._core.policy, zone=self.zone,
                denied=denied(self._core.policy, consents), version=embedder.version.stamp if embedder else None, vector=vector,
                floor=embedder.floor if embedder else 0.0, ceiling=embedder.ceiling if embedder else 1.0,
                names=names_, live=frozenset(readers),
            )  # fmt: skip
            mark = partial(_mark_used, self._core, subject.name, ask)
            read = partial(live_values, readers) if readers else None
            return recall(
                store, self._core.vectors, ask, zone_name=self.zone, notes=notes, mark_used=mark, read_live=read
            )

    def _vector(self, query: str, given: object, limits: Budget) -> tuple[object, tuple[str, ...]]:
        embedder = self._core.embedder
        if embedder is None or not query.strip() or not (limits.facts or limits.episodes):
            return None, (LEXICAL_ONLY,) if query.strip() else ()
        if given is not None:
            return checked_vector(given), ()
        try:
            return embedder.embed_query(query), ()
        except Exception as error:  # noqa: BLE001 - whatever a foreign model raises, words still find things
            return None, (f"the embedder failed ({type(error).__name__}): searched by words alone",)

    def _clock(self) -> Instant:
        return self._core.clock.now()

    def _known(
        self, store: ReadTx, known_at: TimeInput | None, reading: Reading | None = None
    ) -> tuple[Instant, Instant | None]:
        """Return the transaction time that is asked for, and None for it where the current rows answer."""
        last = store.last_instant()
        now = max(self._clock(), last)
        if known_at is None:
            return now, None
        asked = instant(known_at, zone_name=self.zone, reading=reading, field="known_at")
        if asked > now:
            raise KnownAtInFuture("known_at", "later than now")
        return asked, None if asked >= last else asked

    def holds(self, slot: Slot, *, scope: str = "", known_at: TimeInput | None = None) -> list[Interval]:
        """Return what holds in a slot over all valid time, in exactly this scope (R10).

        Parameters
        ----------
        slot
            Only its entity, attribute and object count.
        scope
            Wider scopes are not mixed in.
        known_at
            What the store knew then.

        Returns
        -------
        list of Interval
            In order of time; neighbours of equal value are one; contested stretches carry all values, sorted.
        """
        with self._core.backend.read() as store:
            known, past = self._known(store, known_at)
            subject = store.subject(self.name) or NOBODY
            found = store.slots(subject.n, names_of(store, subject.n, past).key(asked_slot(slot).key), [checked(scope)])
            policy, consents = self._core.policy, store.consents(subject.n)
            if not found or not allowed(policy, consents, PERSONALISATION):
                return []
            return views.holds(store, found[0].n, known, past, denied(policy, consents))

    def version(self, slot: Slot, *, scope: str = "") -> int:
        """Return the version of a slot in its scope, for ``if_version``; 0 where it was never written (R46)."""
        with self._core.backend.read() as store:
            subject = store.subject(self.name) or NOBODY
            found = store.slots(subject.n, names_of(store, subject.n).key(asked_slot(slot).key), [checked(scope)])
            return found[0].version if found else 0

    def aliases(self, *, known_at: TimeInput | None = None) -> list[Alias]:
        """Return the names that mean another entity, in the order in which they were given (R21).

        Parameters
        ----------
        known_at
            Those that were in force then.
        """
        with self._core.backend.read() as store:
            _, past = self._known(store, known_at)
            rows = store.aliases((store.subject(self.name) or NOBODY).n, past)
            return [Alias(name=each.name, means=each.means, known_at=moment(each.tx)) for each in rows]

    def record(self, record: str) -> Record:
        """Return one record as it is now, with its whole contract (R1), whoever may read it: the subject's own view.

        Raises
        ------
        UnknownRecord, CrossSubject
        """
        with self._core.backend.read() as store:
            subject = store.subject(self.name)
            found = find(store, subject, record)
            return views.records(store, self._core.backend.tenant, subject or NOBODY, [found], self._read_clock(store))[
                0
            ]

    def records(
        self,
        *,
        status: str | None = None,
        scope: str | None = None,
        category: str | None = None,
        limit: int = 100,
        after: str | None = None,
    ) -> list[Record]:
        """Return records as they are now, in the order in which they were made: the subject's own view of all of them.

        Audience and purpose filter what `recall` and `questions` give to a reader, not what the subject can look up (R30).

        Parameters
        ----------
        status, scope, category
            Only those; a scope is matched exactly.
        limit
            How many at most.
        after
            The id of the last record of the page before.
        """
        if status is not None and status not in tuple(Status):
            raise InvalidArgument("status", "unknown", f"Use one of: {', '.join(Status)}.")
        check_limit(limit)
        with self._core.backend.read() as store:
            subject = store.subject(self.name)
            if subject is None:
                return []
            page = store.page(subject.n, status=status, scope=scope, category=category, limit=limit, after=after)
            return views.records(store, self._core.backend.tenant, subject, page, self._read_clock(store))

    def history(self, record: str, *, limit: int | None = None, after: TimeInput | None = None) -> list[Record]:
        """Return every revision of a record and of those it is chained to by supersession or correction (R28).

        Parameters
        ----------
        record
            Any one of the chain.
        limit
            About how many at most: the last transaction is never split, so that a page may be longer by its revisions. All
            by default.
        after
            Only what came to be held after this instant: the last ``tx_from`` of the page before.

        Returns
        -------
        list of Record
            By transaction time; ``tx_from`` and ``tx_until`` say when each was held.

        Raises
        ------
        UnknownRecord, CrossSubject, InvalidArgument, NaiveTime
        """
        if limit is not None:
            check_limit(limit)
        since = BEGINNING if after is None else instant(after, zone_name=self.zone, field="after")
        found: list[Record] = []
        with self._core.backend.read() as store:
            subject, clock = store.subject(self.name), self._read_clock(store)
            first = find(store, subject, record)
            numbers = store.chained(first.subject, first.record)
            while page := store.revisions_after(first.subject, numbers, since, limit or MOST):
                found += views.records(store, self._core.backend.tenant, subject or NOBODY, page, clock)
                since = page[-1].tx_from
                if limit is not None:
                    break
        return found

    def why(self, record: str) -> dict[str, object]:
        """Return why a record is there: decisions, sources and provenance, as rows and without a model (R20).

        Raises
        ------
        UnknownRecord, CrossSubject
        """
        with self._core.backend.read() as store:
            subject = store.subject(self.name)
            found = find(store, subject, record)
            return views.why(store, subject or NOBODY, found, self._read_clock(store))

    def questions(self, *, quarantined: bool = False) -> list[Question]:
        """Return what waits for an answer: contests, proposals and reviews, in a stable order (R26, R53).

        Parameters
        ----------
        quarantined
            Give the proposals that read as instructions to an agent instead: for a person to look at, never for a
            prompt (R48). They are in no other answer.
        """
        with self._core.backend.read() as store:
            subject = store.subject(self.name)
            if subject is None or not allowed(
                self._core.policy, store.consents(subject.n), PERSONALISATION
            ):  # session state only (R16)
                return []
            return open_questions(store, self._ask_all(store, subject), quarantined=quarantined)

    def _ask_all(self, store: ReadTx, subject: SubjectRow) -> Ask:
        now, policy = self._read_clock(store), self._core.policy
        return Ask(
            subject=subject, query="", slot=None, category=None, scopes=(), at=now, known_at=now, past=None,
            include_cold=True, purpose=self.purpose, audiences=frozenset(self.audience), budget=Budget(),
            policy=policy, zone=self.zone, denied=denied(policy, store.consents(subject.n)),
        )  # fmt: skip

    def _read_clock(self, store: ReadTx) -> Instant:
        return max(self._clock(), store.last_instant())

    def episodes(
        self, conversation: str | None = None, *, limit: int = 100, after: str | None = None
    ) -> list[EpisodeHit]:
        """Return recorded turns in the order in which they were recorded.

        Parameters
        ----------
        conversation
            Only of this one.
        limit
            How many at most.
        after
            The id of the last episode of the page before.
        """
        check_limit(limit)
        with self._core.backend.read() as store:
            subject = store.subject(self.name)
            if subject is None:
                return []
            ask = self._ask_all(store, subject)
            page = store.episode_page(subject.n, conversation=conversation, limit=limit, after=after)
            return [as_episode(row, ask) for row in page]


def check_limit(limit: int) -> None:
    """Refuse a page that has no rows or too many."""
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MOST:
        raise InvalidArgument("limit", f"not a whole number from 1 to {MOST}", "Page with after=.")


def _mark_used(core: Core, subject: str, ask: Ask, ids: tuple[str, ...]) -> None:
    remembered = [str(each) for each in ids if not str(each).startswith("live:")]
    core.mark_used(subject, remembered, ask.purpose, sorted(ask.audiences))
