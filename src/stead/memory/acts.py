"""The verbs of a subject that change or answer what is there, and those that set its terms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from stead.errors import InvalidArgument
from stead.memory import amend
from stead.memory.aliases import alias, checked_entity, unalias
from stead.memory.answers import Terms, confirm, reject
from stead.memory.candidate import asked_slot, checked_name
from stead.memory.core import Core, Keyed
from stead.memory.desk import Desk, Logged
from stead.memory.gate import PERSONALISATION, guarded
from stead.memory.request import digest
from stead.memory.request import given as given_to
from stead.memory.revalidating import revalidate
from stead.memory.rollback import rollback
from stead.memory.scrub import check_names
from stead.memory.settling import Answer, settle
from stead.model.context import Question
from stead.model.outcome import Decision, Outcome
from stead.model.scope import checked
from stead.model.slot import Slot, normal
from stead.model.zone import Reading, TimeInput, instant
from stead.recall.reviews import reviewed
from stead.store.values import EventRow

_MOST_AFFECTED = 1_000
"""Records that one log row names; all of them are asked about."""


class Acts:
    """What a subject's handle can do to what is there."""

    _core: Core
    name: str
    zone: str | None
    purpose: str | None
    audience: tuple[str, ...]

    def end(
        self,
        record: str | None = None,
        *,
        slot: Slot | None = None,
        scope: str = "",
        when: TimeInput | None = None,
        idempotency_key: str | None = None,
        reading: Reading | None = None,
    ) -> Outcome:
        """Say that something no longer holds from an instant on; it goes on holding before (R10).

        Parameters
        ----------
        record
            What ends; or
        slot, scope
            the slot in exactly this scope: whatever stands there at ``when`` ends. What an exception covered resumes.
        when
            The first instant at which it doesn't hold; now by default.
        idempotency_key, reading
            As for `remember`.

        Returns
        -------
        Outcome
            ``NOOP`` where nothing stands at that instant.
        """
        arguments = {name: each for name, each in locals().items() if name not in ("self", "idempotency_key")}
        if (record is None) == (slot is None):
            raise InvalidArgument("record", "give a record or a slot", "end('rec_…') or end(slot=Slot('home.city')).")
        if record is not None and scope:
            raise InvalidArgument("scope", "a record has its own scope", "Leave it out, or end a slot.")
        at = None if when is None else instant(when, zone_name=self.zone, reading=reading, field="when")
        if slot is not None:
            work = partial(amend.end_slot, key=asked_slot(slot).key, scope=checked(scope), when=at)
            return self._write("end", work, idempotency_key, arguments)
        return self._write("end", partial(amend.end_record, record=str(record), when=at), idempotency_key, arguments)

    def retract(self, record: str, *, idempotency_key: str | None = None) -> Outcome:
        """Say that a record was never true (R22). ``known_at`` before it still shows it; the ends that it caused stay.

        Raises
        ------
        UnknownRecord, CrossSubject, IllegalTransition
        """
        return self._write("retract", partial(amend.retract, record=record), idempotency_key, {"record": record})

    def rollback(self, record: str, *, idempotency_key: str | None = None) -> Outcome:
        """Undo what ended a record: a supersession (its successor is retracted), a retraction or a settlement (R28).

        Of a record that stands and whose words were refined (``UPDATE``): its older wording stands again.

        Raises
        ------
        UnknownRecord, CrossSubject, IllegalTransition
        """
        return self._write("rollback", partial(rollback, record=record), idempotency_key, {"record": record})

    def verify(self, record: str, *, idempotency_key: str | None = None) -> Outcome:
        """Note that the subject restated a record: ``last_verified`` moves, nothing else (R21).

        Raises
        ------
        UnknownRecord, CrossSubject, IllegalTransition
        """
        return self._write("verify", partial(amend.verify, record=record), idempotency_key, {"record": record})

    def settle(
        self,
        question: str | Question | None = None,
        *,
        keep: str | None = None,
        neither: bool = False,
        scopes: Mapping[str, str] | None = None,
        undo: bool = False,
        idempotency_key: str | None = None,
    ) -> Outcome:
        """Answer a contest, or take an answer back (R26). ``known_at`` before the answer still shows the contest.

        Give exactly one of keep, neither, scopes and undo.

        Parameters
        ----------
        question
            The question, its id, or the id of a record in it; may be left out where ``keep`` or ``scopes`` name the
            records, or only one contest is open (for ``undo``: only one answer stands).
        keep
            The id of the record that is right; the others end where they overlap with it.
        neither
            None of them is right there.
        scopes
            All of them are, each in its own place: a scope for the id of each record that is to go on in another one. There it
            is laid as if it were said now, beside what that scope has already.
        undo
            Take back the last answer to the question: the contest is as it was, and open again.
        idempotency_key
            As for `remember`.

        Raises
        ------
        UnknownRecord, IllegalTransition, InvalidArgument
        """
        asked = question.id if isinstance(question, Question) else question
        for name, each in (("neither", neither), ("undo", undo)):
            if not isinstance(each, bool):
                raise InvalidArgument(name, "neither true nor false", f"{name}=True, or leave it out.")
        body: dict[str, object] = {"question": asked, "keep": keep, "neither": neither, "scopes": scopes}
        body |= {"undo": True} if undo else {}
        work = partial(settle, question=asked, answer=Answer(keep=keep, neither=neither, scopes=scopes, undo=undo))
        return self._write("settle", work, idempotency_key, body)

    def alias(self, name: str, *, means: str, idempotency_key: str | None = None) -> Outcome:
        """Let a name mean an entity: what is said of either is said of one (R21).

        What was said of the name is filed under the entity, and settled as if it had been said of it. ``known_at`` before this
        answers as before; `unalias` takes it back.

        Parameters
        ----------
        name
            The other name, for instance ``the flat``; case and an article before it don't count.
        means
            The entity, as slots and claims name it: ``home``. Where that is an alias itself, what that one means.
        idempotency_key
            As for `remember`.

        Returns
        -------
        Outcome
            ``NOOP`` where the name means this entity already. ``question`` is a contest that appeared.

        Raises
        ------
        InvalidArgument, IllegalTransition, Forbidden
        """
        body = {"name": checked_entity(name, "name"), "means": checked_entity(means, "means")}
        return self._write("alias", partial(alias, name=body["name"], means=body["means"]), idempotency_key, body)

    def unalias(self, name: str, *, idempotency_key: str | None = None) -> Outcome:
        """Take an alias back: each record is filed under the name that it was said with (R21).

        The ends that only the alias had caused are lifted; what was only repeated under the other name stays a source.

        Raises
        ------
        UnknownRecord
        """
        body = {"name": checked_entity(name, "name")}
        return self._write("unalias", partial(unalias, name=body["name"]), idempotency_key, body)

    def confirm(
        self,
        record: str,
        *,
        valid_from: TimeInput | None = None,
        valid_until: TimeInput | None = None,
        release: bool = False,
        idempotency_key: str | None = None,
        reading: Reading | None = None,
    ) -> Outcome:
        """Answer a proposal with yes: it stands from now on, as confirmed (R2). A review is answered by: it still holds.

        An answer counts once, before the question expires, and for exactly the text that was proposed.

        Parameters
        ----------
        record
            The proposal, or the question about it.
        valid_from, valid_until
            When it holds, where that was the question (``clarify``); at least one of the two then.
        release
            Of a quarantined proposal: a person has looked at it (R48).
        idempotency_key, reading
            As for `remember`.

        Raises
        ------
        UnknownRecord, CrossSubject, IllegalTransition, Forbidden, InvalidArgument
        """
        arguments = {name: each for name, each in locals().items() if name not in ("self", "idempotency_key")}
        start, end = (
            None if given is None else instant(given, zone_name=self.zone, reading=reading, field=field)
            for given, field in ((valid_from, "valid_from"), (valid_until, "valid_until"))
        )
        terms = Terms(start=start, end=end, release=release)
        work = partial(confirm, record=record, terms=terms, zone=self.zone)
        return self._write("confirm", work, idempotency_key, given_to(arguments))

    def reject(self, record: str, *, idempotency_key: str | None = None) -> Outcome:
        """Answer a proposal with no, for good (R3); what a review asked about ends now.

        Raises
        ------
        UnknownRecord, CrossSubject, IllegalTransition
        """
        work = partial(reject, record=record, zone=self.zone)
        return self._write("reject", work, idempotency_key, {"record": record})

    def revalidate(self, record: str | None = None, *, limit: int = 100) -> list[Outcome]:
        """Re-derive what was made from records that no longer hold, or withdraw it (R36, R37).

        Until then such a record isn't served, and `questions` asks about it with the event ``source ended``. What nothing
        re-derives (see `Store.derive`), or lies more than three steps from what ended, waits for a person: `confirm` lets it
        stand again, `reject` ends it.

        Parameters
        ----------
        record
            Only this one, and what it rests on; all by default.
        limit
            How many records are changed at most, each in a transaction of its own; the next call goes on.

        Returns
        -------
        list of Outcome
            One for each record that was re-derived (``SUPERSEDE``, or ``UPDATE`` where what remains says the same),
            withdrawn, or whose deriver failed. Of a record that was named the last one is its own.

        Raises
        ------
        UnknownRecord, CrossSubject, InvalidArgument
        """
        return revalidate(self._core, self.name, record, limit)

    def consent(
        self,
        *,
        personalisation: bool | None = None,
        classes: Mapping[str, bool] | None = None,
        idempotency_key: str | None = None,
    ) -> Outcome:
        """Set what the subject allows (R16); what isn't named stays as it was.

        Parameters
        ----------
        personalisation
            Whether anything is remembered at all. Off means session state only, and nothing is recalled.
        classes
            Sensitivity classes (health, religion, sexuality, politics, biometrics, finance, minors, or one of your
            policy's) with True for allowed. What is denied is neither written nor shown, whatever was known then (R8);
            erasing what is there already is another call.
        idempotency_key
            As for `remember`.

        Raises
        ------
        InvalidArgument
        """
        if not isinstance(classes or {}, Mapping):
            raise InvalidArgument("classes", "not a mapping", "Write {'health': True}.")
        given = dict(classes or {})
        if PERSONALISATION in given:
            raise InvalidArgument(f"classes.{PERSONALISATION}", "no such class", "Give personalisation=True or False.")
        given |= {} if personalisation is None else {PERSONALISATION: personalisation}
        known = guarded(self._core.policy)
        for name, allowed in given.items():
            if name != PERSONALISATION and name not in known:
                raise InvalidArgument(f"classes.{name}", "no such class", f"Classes: {', '.join(sorted(known))}.")
            if not isinstance(allowed, bool):
                raise InvalidArgument(name, "neither true nor false", "True allows it, False denies it.")
        if not given:
            raise InvalidArgument("classes", "nothing to set", "Give personalisation, classes, or both.")
        return self._write("consent", partial(_consent, given=given), idempotency_key, {"given": given})

    def event(self, name: str, *, scope: str = "", idempotency_key: str | None = None) -> Outcome:
        """Report that a review event happened: every record that names it becomes a ``review`` question (R53).

        Parameters
        ----------
        name
            As the records or their categories name it: ``role changed``.
        scope
            Only records of this scope and below it; all by default.
        idempotency_key
            As for `remember`.

        Raises
        ------
        InvalidArgument
        """
        event = checked_event(name, scope)
        return self._write("event", partial(_event, event=event), idempotency_key, {"name": name, "scope": scope})

    def used(self, *ids: str) -> None:
        """Report which records and episodes an answer really used (R30).

        Last access and the access count move, and the reader's purpose and audience are noted; no version is made.

        Raises
        ------
        UnknownRecord, CrossSubject
        """
        self._core.mark_used(self.name, [str(each) for each in ids], self.purpose, self.audience)

    def _write(self, verb: str, work: partial[Logged], key: str | None, arguments: Mapping[str, object]) -> Outcome:
        body = digest(verb, arguments) if key is not None else b""
        return self._core.write(self.name, verb, Keyed(work=work, key=key, body=body))


def _consent(desk: Desk, given: Mapping[str, bool]) -> Logged:
    tx = desk.instant()
    for name, allowed in sorted(given.items()):
        desk.store.set_consent(desk.subject.n, name, allowed, tx)
    said = ", ".join(f"{name} {'allowed' if allowed else 'denied'}" for name, allowed in sorted(given.items()))
    return desk.finish(tx, Decision.UPDATE, "consent", said)


def checked_event(name: str, scope: str) -> EventRow:
    """Return an event that may be reported; its time is taken in the write.

    Raises
    ------
    InvalidArgument
    """
    said = checked_name(name, "name")
    if said is None:
        raise InvalidArgument("name", "missing", "Name the event as the records name it: role changed.")
    check_names(name=said, scope=scope)
    return EventRow(name=normal(said), scope=checked(scope), tx=0)


def _event(desk: Desk, event: EventRow) -> Logged:
    subject, before = desk.subject.n, desk.store.last_instant()
    open_before = {row.record for row, _ in reviewed(desk.store, subject, desk.policy, before, None)}
    tx = desk.instant()
    desk.store.add_event(subject, replace(event, tx=tx))
    called = [row for row, _ in reviewed(desk.store, subject, desk.policy, tx, None) if row.record not in open_before]
    reason = f"{len(called)} record{'s' if len(called) != 1 else ''} called into question"
    return desk.finish(tx, Decision.UPDATE, "event", reason, affected=[each.record for each in called[:_MOST_AFFECTED]])
