"""What only a person can answer, beside the facts: contests and proposals (R26)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from stead.model.context import Fact, Question
from stead.model.period import ALL_TIME, Period, to_datetime
from stead.model.slot import SlotKey
from stead.model.strip import Stretch, lay
from stead.recall.ask import Ask
from stead.recall.items import Chosen, as_facts, moment
from stead.recall.reviews import as_questions, reviewed, unrested
from stead.recall.standing import Standing
from stead.resolve.contests import contests, question_id
from stead.store.protocol import ReadTx
from stead.store.values import Revision, statement


def contested(store: ReadTx, standing: Standing, ask: Ask) -> Question:
    """Return the question that stands where equals disagree: every claim with source, scope and date, by transaction time."""
    stands = sorted(standing.revisions, key=lambda each: (each.place, each.record))
    period = _overlap(stands)
    return contest(store, stands, standing.slot.key, period, ask)


def contest(store: ReadTx, stands: list[Revision], key: SlotKey, period: Period, ask: Ask) -> Question:
    """Return a contest as a question, without the claims that this reader may not see."""
    readable = [each for each in stands if ask.may_read(each)]
    return Question(
        id=question_id(["contested", stands[0].slot, *(each.record for each in stands)]),
        kind="contested",
        scope=stands[0].scope,
        slot=None if key.from_text else str(key),
        claims=tuple(as_facts(store, [Chosen(revision=each, key=key) for each in readable], ask)),
        since=moment(period.start),
        until=to_datetime(period.end),
        withheld=len(stands) - len(readable),
    )


def _overlap(stands: Iterable[Revision]) -> Period:
    """Return the first stretch over which exactly these statements are contested."""
    statements = [statement(each) for each in stands]
    stretches: tuple[Stretch, ...] = lay(statements)
    return next(each.period for each in stretches if len(each.standing) == len(statements))


def proposals(store: ReadTx, ask: Ask, found: Sequence[int]) -> list[Question]:
    """Return the proposals that bear on the question and wait for a yes or no; they are never facts (R2).

    ``found`` are the texts that share words with the query, best first.
    """
    subject, past = ask.subject.n, ask.past
    if ask.slot is not None:
        slots = [row.n for row in store.slots(subject, ask.slot, ask.scopes)]
        waiting = store.proposed(subject, past, slots=slots) if slots else []
    elif ask.category is not None or not ask.query:
        waiting = store.proposed(subject, past, category=ask.category)
    else:
        waiting = store.proposed(subject, past, texts=found) if found else []
    return _as_questions(store, [each for each in waiting if each.waits_for != "release"], ask)


def _as_questions(store: ReadTx, waiting: Sequence[Revision], ask: Ask) -> list[Question]:
    """Return the proposals that this reader may see and that still wait."""
    open_ones = [each for each in waiting if ask.may_read(each) and each.waits(ask.known_at)]
    slots = [each.slot for each in open_ones if each.slot is not None]
    keys = {row.n: row.key for row in store.slots_by_number(ask.subject.n, slots)}
    claims = as_facts(store, [Chosen(revision=each, key=keys.get(each.slot or 0)) for each in open_ones], ask)
    return [_proposal(each, keys.get(each.slot or 0), claim) for each, claim in zip(open_ones, claims, strict=True)]


def _proposal(revision: Revision, key: SlotKey | None, claim: Fact) -> Question:
    """Return a proposal as a question."""
    return Question(
        id=question_id(["confirm", revision.id]),
        kind="clarify" if revision.waits_for == "clarify" else "confirm",
        scope=revision.scope,
        slot=None if key is None or key.from_text else str(key),
        claims=(claim,),
        since=moment(revision.tx_from),
        until=min(
            (moment(each) for each in (revision.expires_at, revision.answer_by) if each is not None), default=None
        ),
    )


def open_questions(store: ReadTx, ask: Ask, *, quarantined: bool = False) -> list[Question]:
    """Return every contest, proposal and review of a subject that this reader may see, oldest record first.

    ``quarantined`` gives those proposals instead that only a person can release (R48).
    """
    waiting = store.proposed(ask.subject.n)
    if quarantined:
        return _as_questions(store, [each for each in waiting if each.waits_for == "release"], ask)
    asked: list[Question] = []
    slots = {row.n: row.key for row in store.slots_by_number(ask.subject.n, store.disputable_slots(ask.subject.n))}
    for slot, key in sorted(slots.items()):
        laid = [each for each in store.laid([slot], ALL_TIME, None) if not each.expired(ask.at)]
        by_record = {each.record: each for each in laid}
        for each in contests([statement(one) for one in laid], slot):
            stands = [by_record[record] for record in each.records]
            found = contest(store, stands, key, each.periods[0], ask)
            asked += [found] if found.claims else []
    asked += _as_questions(store, [each for each in waiting if each.waits_for != "release"], ask)
    called = reviewed(store, ask.subject.n, ask.policy, ask.known_at, ask.zone)
    return asked + as_questions(store, called + unrested(store, ask.subject.n, ask.at, ask.known_at), ask)
