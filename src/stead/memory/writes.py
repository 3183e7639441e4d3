"""The verbs of a subject that write. Each is one transaction, durable when it returns, and one row in the log (R20, R46)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from stead.errors import Erased, InvalidArgument
from stead.memory import amend, candidate
from stead.memory.acts import Acts
from stead.memory.advice import Asking
from stead.memory.aliases import said_key
from stead.memory.candidate import Candidate, check
from stead.memory.core import Keyed
from stead.memory.desk import Desk, Logged
from stead.memory.forgetting import turn_away
from stead.memory.gate import admit
from stead.memory.remember import remember
from stead.memory.request import digest, given
from stead.model.outcome import Decision, Outcome
from stead.model.period import FOREVER, Instant, Period
from stead.model.record import Meaning
from stead.model.slot import Slot, SlotValue
from stead.model.zone import Reading, TimeInput, instant
from stead.policy.policy import STORED
from stead.store.values import AGENT, Revision


class Writes(Acts):
    """What a subject's handle can write."""

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
        authority: str | None = None,
        confidence: float = 1.0,
        importance: float | None = None,
        sensitivity: str | None = None,
        source: Mapping[str, str] | str | None = None,
        observed_at: TimeInput | None = None,
        valid_from: TimeInput | None = None,
        valid_until: TimeInput | None = None,
        expires_at: TimeInput | None = None,
        overrides: Iterable[str] = (),
        derived_from: Iterable[str] = (),
        meaning: str | None = None,
        review_events: Iterable[str] = (),
        owner: str | None = None,
        trigger: str = "remember",
        idempotency_key: str | None = None,
        if_version: int | None = None,
        epoch: int | None = None,
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
            By default what the source carries, else ``stated``.
        confidence, importance
            From 0 to 1; the importance is the category's by default.
        source
            A pointer: conversation, turn, uri. Or the name of a deterministic way to write: ``settings`` and ``profile``
            are ``confirmed``, ``system_of_record`` is that (R17).
        observed_at
            When the source said it; now by default, never later.
        valid_from, valid_until
            When it holds, half open; from when it was said and without an end by default.
        expires_at
            From when it isn't served any more, whatever is asked about (R7).
        overrides
            Ids of records that it masks while it stands (R13).
        derived_from
            Ids of records that it was made from: it isn't served where one of them no longer holds (R37).
        meaning
            ``changed``: the world did; ``corrected``: the older claim was never true on the portion that this one names.
            By default as the claim's words have it ("I meant", "typo"), where these repair what the same speaker said in
            passing; else ``changed`` (R22).
        review_events
            Names of events after which it should be looked at again (R53).
        trigger
            What led to the write, for the log.
        idempotency_key
            The same key and body give the first outcome back; another body is refused.
        if_version
            The version of the slot in its scope that this write is based on; 0 for never written.
        epoch
            `Subject.epoch` as it was when what this claim is based on was read; where something of the subject was erased
            since then, the claim is refused (R32).
        reading
            ``earlier`` or ``later``, for wall times in a daylight-saving gap or fold.

        Returns
        -------
        Outcome
            The decision, the rule that made it, and the record that now carries the claim.

        Raises
        ------
        InvalidArgument, UnknownRecord, CrossSubject, OverrideCycle, Forbidden, StaleRevision, IdempotencyMismatch, Erased
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
            said = self._remembering(self._now(), body)
            asking = Asking(candidate=said.at)
            return Keyed(work=partial(said.write, asking=asking), asking=asking)
        asking = Asking(candidate=lambda desk: self._remembering(desk.said(), body).at(desk))
        return Keyed(
            work=lambda desk: self._remembering(desk.said(), body).write(desk, asking), key=key,
            body=digest("remember", body), asking=asking,
        )  # fmt: skip

    def _remembering(self, now: Instant, body: Mapping[str, Any]) -> _Said:
        rest = {name: value for name, value in body.items() if name not in ("if_version", "epoch")}
        if isinstance(rest.get("slot"), Slot):
            rest["slot"] = self._core.policy.keyed(rest["slot"])
        if "audience" not in rest and self.audience != (AGENT,):
            rest["audience"] = self.audience  # what a reader writes it can read
        version = body.get("if_version")
        if version is not None and (
            rest.get("slot") is None or isinstance(version, bool) or not isinstance(version, int)
        ):
            raise InvalidArgument("if_version", "needs a slot and a whole number", "0 means: never written.")
        epoch = body.get("epoch")
        if epoch is not None and (isinstance(epoch, bool) or not isinstance(epoch, int) or epoch < 0):
            raise InvalidArgument("epoch", "not a whole number from 0", "Give Subject.epoch as it was before you read.")
        claim = rest.pop("claim", "")
        said = check(claim, now=now, subject=self.name, zone=self.zone, **rest)
        return _Said(
            candidate=said, if_version=version, epoch=epoch, now="observed_at" not in rest, holds="valid_from" not in rest
        )  # fmt: skip

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
            admission = admit(desk, replace(new, period=period), ("remember",))
            if admission.rule.route not in STORED or admission.waits_for == "release":
                return turn_away(desk, admission)
            return amend.correct(desk, record, admission.candidate)
        begin = desk.said() if start is None else start
        until = old.stated_until if begin < old.stated_until else FOREVER
        added = remember(desk, replace(new, expires_at=None, period=Period(begin, until)), traits=("remember",))
        named = old.slot is not None and new.slot is not None
        if named or added[1].decision not in (Decision.ADD, Decision.NOOP):
            return added
        return amend.supersede_unslotted(desk, old, added, begin)

    def _corrected(self, desk: Desk, old: Revision, claim: str | None, value: SlotValue | None) -> Candidate:
        """Return a candidate with everything of the old record but what is corrected."""
        slot = None
        key = said_key(desk, old)
        if key is not None:
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

    def _now(self) -> Instant:
        return self._core.clock.now()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """A checked claim, and whether it is said as it is written."""

    candidate: Candidate
    if_version: int | None
    epoch: int | None
    now: bool
    holds: bool

    def at(self, desk: Desk) -> Candidate:
        """Return the claim as it would be written now."""
        return self.candidate.said_at(desk.said(), holds=self.holds) if self.now else self.candidate

    def write(self, desk: Desk, asking: Asking) -> Logged:
        """Write it, with what a model said before."""
        if self.epoch is not None and self.epoch != desk.subject.epoch:
            raise Erased(
                "epoch: something was erased since this was read", field="epoch", hint="Read it anew, and say it again."
            )
        number, outcome = remember(desk, self.at(desk), self.if_version, asking=asking)
        return number, asking.told(outcome)
