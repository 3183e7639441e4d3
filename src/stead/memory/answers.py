"""A person's answers to proposals and reviews: yes or no, once, in time, to exactly what was asked (R2, R15, R53)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from stead.errors import Forbidden, IllegalTransition, InvalidArgument
from stead.memory import amend
from stead.memory.applying import apply_verdict, question_of
from stead.memory.desk import Desk, Logged
from stead.memory.gate import forbidden
from stead.memory.remember import existing_for
from stead.memory.revalidating import keep
from stead.memory.slotwork import SlotWork
from stead.memory.unslotted import met_by
from stead.model.authority import Authority
from stead.model.outcome import Decision
from stead.model.period import FOREVER, Instant, Period
from stead.model.record import Status
from stead.recall.reviews import review_id, reviewed, unrested
from stead.resolve import question_id
from stead.store.values import EdgeRow, Revision


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """What a yes may add: since when and until when, where that was the question, and that a person has looked at it."""

    start: Instant | None = None
    end: Instant | None = None
    release: bool = False


def confirm(desk: Desk, record: str, terms: Terms, zone: str | None = None) -> Logged:
    """Let the subject's answer make a proposal stand, as confirmed (R2); a review is answered by what it still is."""
    old, review = _asked_about(desk, record, zone)
    if review:
        return keep(desk, old.id)
    _check_open(desk, old)
    if forbidden(desk, old.classes()):
        raise Forbidden(f"{old.id}: the subject doesn't allow this to be kept", hint="consent() sets what is allowed.")
    period = _answered(old, terms)
    category = desk.policy.category(old.category)
    if category.needs_end and period.end == FOREVER and old.expires_at is None:
        raise InvalidArgument("valid_until", "its category demands an end (R4)", "Say until when it holds.")
    tx = desk.instant()
    new = replace(
        old, rank=Authority.CONFIRMED.rank, speaker=desk.subject.name, place=tx, confirmed_at=tx,
        confirmed_how="confirm", status=Status.ACTIVE, waits_for=None, answer_by=None, stated_from=period.start,
        stated_until=period.end,
    )  # fmt: skip
    new, existing, verdict = met_by(desk, new, existing_for(desk, new, period, tx))
    if verdict.decision in (Decision.NOOP, Decision.CONFIRM):
        raise Forbidden(
            f"{old.id}: a system of record speaks for this slot", hint="Reject it, or correct it at its source."
        )
    work = SlotWork(existing, tx)
    standing = apply_verdict(desk, work, new, verdict)
    affected = work.write(desk.store)
    final = desk.store.revise(old, replace(standing, tx_from=tx))
    for target in sorted(new.names - old.names):
        desk.store.add_edge(EdgeRow(record=old.record, kind="overrides", target=target, tx=tx))
    version = desk.raised(old.slot)
    asked = question_of(work, final) if verdict.decision is Decision.CONTEST else None
    return desk.finish(
        tx, verdict.decision, "confirmed", "the subject confirmed it", record=final, status=final.status,
        affected=affected, contradicts=sorted(verdict.contradicts), version=version, question=asked,
    )  # fmt: skip


def reject(desk: Desk, record: str, zone: str | None = None) -> Logged:
    """Let the subject's answer close a proposal for good (R3); what a review asked about ends."""
    old, review = _asked_about(desk, record, zone)
    if review:
        return amend.end_record(desk, old.id, None)
    tx = desk.instant()
    work = SlotWork([old], tx)
    work.move(old.record, Status.REJECTED)
    work.write(desk.store)
    return desk.finish(tx, Decision.REJECT, "rejected", "the subject rejected it", record=old, status=Status.REJECTED)


def _asked_about(desk: Desk, name: str, zone: str | None) -> tuple[Revision, bool]:
    """Return a record by its id or by that of a question about it, and whether the question is a review."""
    if str(name).startswith("que_"):
        subject = desk.subject.n
        for each in desk.store.proposed(subject):
            if question_id(["confirm", each.id]) == name:
                return each, False
        lost = unrested(desk.store, subject, _now(desk), _now(desk))
        for row, review in reviewed(desk.store, subject, desk.policy, _now(desk), zone) + lost:
            if review_id(row, review) == name:
                return row, True
    found = desk.find(name)
    asked = reviewed(desk.store, desk.subject.n, desk.policy, _now(desk), zone, [found])
    return found, bool(asked or unrested(desk.store, desk.subject.n, _now(desk), _now(desk), None, [found]))


def _now(desk: Desk) -> Instant:
    """Return the read clock: never before what was already written (R6)."""
    return max(desk.clock.now(), desk.store.last_instant())


def _check_open(desk: Desk, old: Revision) -> None:
    if old.status != Status.PROPOSED:
        raise IllegalTransition(f"{old.id} is {old.status} and waits for no answer")
    if not old.waits(desk.said()):
        raise IllegalTransition(f"{old.id} has expired and waits for no answer", hint="Remember it anew if it holds.")


def _answered(old: Revision, terms: Terms) -> Period:
    """Return the period that the answer makes it hold."""
    if old.waits_for == "release" and not terms.release:
        raise Forbidden(
            f"{old.id} is quarantined: it reads as an instruction to the agent", field="release",
            hint="Let a person look at it; release=True says that one has.",
        )  # fmt: skip
    asks_when = old.waits_for == "clarify"
    if asks_when and terms.start is None and terms.end is None:
        raise InvalidArgument(
            "valid_from", "this question is about when it holds", "Give valid_from, valid_until, or both."
        )
    if not asks_when and (terms.start is not None or terms.end is not None):
        raise InvalidArgument("valid_from", "a confirmation is of exactly what was proposed", "Correct it afterwards.")
    start = old.stated_from if terms.start is None else terms.start
    end = old.stated_until if terms.end is None else terms.end
    if end <= start and terms.start is None and end != FOREVER:
        raise InvalidArgument("valid_from", "it would end before it began", "Say from when it held too.")
    return Period(start, end)
