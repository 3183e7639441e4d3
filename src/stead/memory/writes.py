"""The verbs of a subject that write. Each is one transaction, durable when it returns, and one row in the log (R20, R46)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from stead.errors import InvalidArgument
from stead.memory import amend, candidate
from stead.memory.candidate import Candidate, asked_slot, check
from stead.memory.core import Core, Keyed
from stead.memory.desk import Desk
from stead.memory.remember import Logged, confirm, reject, remember
from stead.memory.request import digest, given
from stead.memory.rollback import rollback
from stead.model.context import Question
from stead.model.outcome import Outcome
from stead.model.period import FOREVER, Instant, Period
from stead.model.record import Meaning
from stead.model.scope import checked
from stead.model.slot import Slot, SlotValue
from stead.model.zone import Reading, TimeInput, instant
from stead.store.values import AGENT, Revision


class Writes:
    """What a subject's handle can write."""

    _core: Core
    name: str
    zone: str | None
    audience: tuple[str, ...]

    def remember(
        self,
        claim: str,
        *,
        slot: Slot | None = None,
        speaker: str | None = None,
        kind: str = "fact",
        category: str | None = None,
        scope: str = "",
        purpose: str | Iterable[str] | None = None,
        audience: str | Iterable[str] | None = None,
        authority: str = "stated",
        confidence: float = 1.0,
        importance: float = 0.5,
        sensitivity: str | None = None,
        source: Mapping[str, str] | None = None,
        observed_at: TimeInput | None = None,
        valid_from: TimeInput | None = None,
        valid_until: TimeInput | None = None,
        expires_at: TimeInput | None = None,
        overrides: Iterable[str] = (),
        derived_from: Iterable[str] = (),
        meaning: str = "changed",
        review_events: Iterable[str] = (),
        owner: str | None = None,
        trigger: str = "remember",
        idempotency_key: str | None = None,
        if_version: int | None = None,
        reading: Reading | None = None,
    ) -> Outcome:
        """Write one claim (R1, R10, R21).

        Parameters
        ----------
        claim
            One short declarative sentence in the subject's own terms.
        slot
            Its structured form, with a value or ``unset=True``; without one the claim stands for itself.
        speaker
            Who said it; the subject by default.
        kind
            ``fact``, ``preference``, ``instruction``, ``plan`` or ``reflection``.
        category, sensitivity, owner
            Names from your policy; the owner is the subject by default.
        scope
            A path; the claim applies there and below. Everywhere by default.
        purpose, audience
            What it may be used for (anything by default), and who may read it (the subject's own agents by default).
        authority
            ``system_of_record``, ``confirmed``, ``stated``; ``inferred`` and ``external`` wait for confirmation (R2).
        confidence, importance
            From 0 to 1.
        source
            A pointer: conversation, turn, uri.
        observed_at
            When the source said it; now by default, never later.
        valid_from, valid_until
            When it holds, half open; from when it was said and without an end by default.
        expires_at
            From when it isn't served any more, whatever is asked about (R7).
        overrides
            Ids of records that it masks while it stands (R13).
        derived_from
            Ids of records that it was made from.
        meaning
            ``changed``: the world did; ``corrected``: the older claim was never true on the portion that this one names (R22).
        review_events
            Names of events after which it should be looked at again (R53).
        trigger
            What led to the write, for the log.
        idempotency_key
            The same key and body give the first outcome back; another body is refused.
        if_version
            The version of the slot in its scope that this write is based on; 0 for never written.
        reading
            ``earlier`` or ``later``, for wall times in a daylight-saving gap or fold.

        Returns
        -------
        Outcome
            The decision, the rule that made it, and the record that now carries the claim.

        Raises
        ------
        InvalidArgument, UnknownRecord, CrossSubject, OverrideCycle, Forbidden, StaleRevision, IdempotencyMismatch
            Nothing was written.
        """
        arguments = {name: value for name, value in locals().items() if name not in ("self", "idempotency_key")}
        keyed = self._keyed(arguments | {"idempotency_key": idempotency_key})
        return self._core.write(self.name, "remember", keyed)

    def _keyed(self, arguments: Mapping[str, Any]) -> Keyed:
        """Return the write of one claim; under a key it is read only when no earlier outcome answers it."""
        key = arguments.get("idempotency_key")
        body = given({name: value for name, value in arguments.items() if name != "idempotency_key"})
        if key is None:
            return Keyed(work=self._remembering(self._now(), body))
        return Keyed(
            work=lambda desk: self._remembering(desk.said(), body)(desk), key=key, body=digest("remember", body)
        )

    def _remembering(self, now: Instant, body: Mapping[str, Any]) -> partial[Logged]:
        rest = {name: value for name, value in body.items() if name != "if_version"}
        if isinstance(rest.get("slot"), Slot):
            rest["slot"] = self._core.policy.keyed(rest["slot"])
        if "audience" not in rest and self.audience != (AGENT,):
            rest["audience"] = self.audience  # what a reader writes it can read
        version = body.get("if_version")
        if version is not None and (
            rest.get("slot") is None or isinstance(version, bool) or not isinstance(version, int)
        ):
            raise InvalidArgument("if_version", "needs a slot and a whole number", "0 means: never written.")
        claim = rest.pop("claim", "")
        said = check(claim, now=now, subject=self.name, zone=self.zone, **rest)
        if "observed_at" in rest:
            return partial(remember, candidate=said, if_version=version)
        return partial(_said_now, said=said, if_version=version, holds="valid_from" not in rest)

    def remember_many(self, claims: Iterable[Mapping[str, Any]], *, batch: int = 500) -> list[Outcome]:
        """Write many claims, in batches of one transaction each: a batch is written whole or not at all.

        Parameters
        ----------
        claims
            Mappings with the arguments of `remember`.
        batch
            Claims per transaction.

        Returns
        -------
        list of Outcome
            One for each claim, in order.

        Raises
        ------
        InvalidArgument, and then the batches before the wrong claim are written, its own is not
        """
        if isinstance(batch, bool) or not isinstance(batch, int) or batch < 1:
            raise InvalidArgument("batch", "not a whole number from 1", "500 is the default.")
        outcomes: list[Outcome] = []
        works: list[Keyed] = []
        for place, each in enumerate(claims):
            if not isinstance(each, Mapping) or "claim" not in each:
                raise InvalidArgument(f"claims[{place}]", "not a mapping with a claim", "Give remember's arguments.")
            try:
                works.append(self._keyed(each))
            except TypeError:
                raise InvalidArgument(f"claims[{place}]", "an unknown key", "Use remember's arguments.") from None
            if len(works) >= batch:
                outcomes += self._core.write_many(self.name, "remember", works)
                works = []
        return outcomes + (self._core.write_many(self.name, "remember", works) if works else [])

    def correct(
        self,
        record: str,
        claim: str | None = None,
        *,
        value: SlotValue | None = None,
        valid_from: TimeInput | None = None,
        meaning: str = "corrected",
        idempotency_key: str | None = None,
        reading: Reading | None = None,
    ) -> Outcome:
        """Replace a record by what is true (R22).

        With ``corrected`` it was never true: the new record takes its place on the strip, with its ends, and exceptions
        to it go on. With ``changed`` the world changed: the old one ends at ``valid_from``, now by default.

        Parameters
        ----------
        record
            The id of the record that is wrong.
        claim, value, valid_from
            What is different; at least one. A new value replaces the old one in the claim's words unless a claim is given.
        meaning
            ``corrected`` or ``changed``.
        idempotency_key, reading
            As for `remember`.

        Raises
        ------
        InvalidArgument, UnknownRecord, IllegalTransition
        """
        arguments = {name: each for name, each in locals().items() if name not in ("self", "idempotency_key")}
        if claim is None and value is None and valid_from is None:
            raise InvalidArgument("claim", "nothing to correct", "Give claim, value or valid_from.")
        if meaning not in tuple(Meaning):
            raise InvalidArgument("meaning", "unknown", "Use corrected or changed.")
        if claim is not None and (not isinstance(claim, str) or not claim.strip()):
            raise InvalidArgument("claim", "empty", "Say what is true in one sentence, or leave it out.")
        start = None if valid_from is None else instant(
            valid_from, zone_name=self.zone, reading=reading, field="valid_from"
        )  # fmt: skip
        work = partial(self._correct, record=record, claim=claim, value=value, start=start, meaning=meaning)
        return self._write("correct", work, idempotency_key, arguments)

    def _correct(
        self, desk: Desk, record: str, claim: str | None, value: SlotValue | None, start: Instant | None, meaning: str
    ) -> Logged:
        old = desk.find(record)
        amend.check_laid(old)
        new = self._corrected(desk, old, claim, value)
        if meaning == Meaning.CORRECTED:
            period = Period(old.stated_from if start is None else start, old.stated_until)
            return amend.correct(desk, record, replace(new, period=period))
        begin = desk.said() if start is None else start
        until = old.stated_until if begin < old.stated_until else FOREVER
        added = remember(desk, replace(new, expires_at=None, period=Period(begin, until)))
        return added if old.slot is not None else amend.supersede_unslotted(desk, old, added, begin)

    def _corrected(self, desk: Desk, old: Revision, claim: str | None, value: SlotValue | None) -> Candidate:
        """Return a candidate with everything of the old record but what is corrected."""
        slot = None
        if old.slot is not None:
            key = desk.store.slots_by_number(desk.subject.n, [old.slot])[0].key
            slot = Slot(
                key.attribute, entity=key.entity, object=key.object, value=old.value if value is None else value,
                unset=old.unset and value is None,
            )  # fmt: skip
        elif value is not None:
            raise InvalidArgument("value", "this record has no slot", "Correct its claim instead.")
        words = claim if claim is not None else candidate.with_value(old.claim, old.value, slot)
        return check(
            words, now=desk.said(), subject=self.name, zone=self.zone, slot=slot, speaker=self.name, kind=old.kind,
            category=old.category, scope=old.scope, purpose=old.purpose, audience=old.audience,
            authority=candidate.authority_of(old.rank), confidence=old.confidence, importance=old.importance,
            sensitivity=old.sensitivity, owner=old.owner, trigger="correct", review_events=old.review_events,
        )  # fmt: skip

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
        idempotency_key: str | None = None,
    ) -> Outcome:
        """Answer a contest (R26).

        Parameters
        ----------
        question
            The question or its id; may be left out where ``keep`` names a contested record, or only one contest is open.
        keep
            The id of the record that is right; the others end where they overlap with it.
        neither
            None of them is right there.
        idempotency_key
            As for `remember`.

        Raises
        ------
        UnknownRecord, IllegalTransition, InvalidArgument
        """
        asked = question.id if isinstance(question, Question) else question
        body = {"question": asked, "keep": keep, "neither": neither}
        work = partial(amend.settle, question=asked, keep=keep, neither=neither)
        return self._write("settle", work, idempotency_key, body)

    def confirm(self, record: str, *, idempotency_key: str | None = None) -> Outcome:
        """Answer a proposal with yes: it stands from now on, as confirmed (R2).

        Raises
        ------
        UnknownRecord, CrossSubject, IllegalTransition, Forbidden
        """
        return self._write("confirm", partial(confirm, record=record), idempotency_key, {"record": record})

    def reject(self, record: str, *, idempotency_key: str | None = None) -> Outcome:
        """Answer a proposal with no, for good (R3).

        Raises
        ------
        UnknownRecord, CrossSubject, IllegalTransition
        """
        return self._write("reject", partial(reject, record=record), idempotency_key, {"record": record})

    def used(self, *ids: str) -> None:
        """Report which records and episodes an answer really used (R30).

        Last access and the access count move; no version is made.

        Raises
        ------
        UnknownRecord, CrossSubject
        """
        self._core.mark_used(self.name, [str(each) for each in ids])

    def _write(self, verb: str, work: partial[Logged], key: str | None, arguments: Mapping[str, object]) -> Outcome:
        body = digest(verb, arguments) if key is not None else b""
        return self._core.write(self.name, verb, Keyed(work=work, key=key, body=body))

    def _now(self) -> Instant:
        return self._core.clock.now()


def _said_now(desk: Desk, said: Candidate, if_version: int | None, *, holds: bool) -> Logged:
    return remember(desk, said.said_at(desk.said(), holds=holds), if_version)
