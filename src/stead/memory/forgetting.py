"""Carrying out a wish to forget: what it selects can't be read from this transaction on, and waits to be erased (R27, R32)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from stead.memory.desk import Desk, Logged
from stead.memory.gate import Admission, turned_away
from stead.memory.hiding import current, hide
from stead.memory.selecting import Selected, with_kin
from stead.memory.topics import Topic, says_all, topic
from stead.model.outcome import Decision
from stead.model.period import Instant
from stead.model.record import Status
from stead.model.slot import FROM_TEXT, Slot
from stead.model.words import tokens
from stead.policy.policy import Route, RouteRule
from stead.store.values import EpisodeRow, JobRow, Revision, Selects, WordingRow

NOTHING = "nothing that is remembered is meant by it; nothing was stored"
NOT_THEIRS = "only the subject's own plain words have memory erased; nothing was stored"
_DERIVED = ("derived_from", "also_from")
_TELLING = 5
"""Letters of a stem that tells enough on its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the subject asked to be forgotten, and where it was said."""

    about: str
    """Its words; they are read here and kept nowhere."""
    conversation: str | None = None
    turn: EpisodeRow | None = None
    """The turn in which it was asked: it names what it is about, and goes as well."""
    met: tuple[int, ...] = ()
    """Positions of turns of the same session that it took back before anything of them was written."""


def turn_away(desk: Desk, admission: Admission) -> Logged:
    """Log a candidate of which nothing is stored; if it is the subject's wish to forget, carry it out."""
    rule, candidate = admission.rule, admission.candidate
    if rule.route is not Route.ERASE:
        return turned_away(desk, rule, candidate.trigger)
    from stead.extract.rules.takeback import wished_of  # many patterns: only where a claim has their words

    about = wished_of(candidate.claim)
    if about is None or candidate.speaker != desk.subject.name or not candidate.authority.may_stand:
        return turned_away(desk, replace(rule, reason=NOT_THEIRS), candidate.trigger)
    return forget(desk, Wish(about=about, conversation=candidate.conversation), rule, candidate.trigger)


def forget(desk: Desk, wish: Wish, rule: RouteRule, trigger: str) -> Logged:
    """Make what a wish selects unreadable, in the transaction of the desk.

    Records move to ``deletion_pending``; what is derived from them, however deep, and the turns that say it go with them. Ends
    that they caused stay, so that nothing older comes back (R10, R49); contests that they were part of dissolve.

    Returns
    -------
    Logged
        ``ERASE``. ``affected`` are the records; empty where nothing is meant, and then nothing waits to be erased either.
    """
    meant = topic(desk.policy, wish.about)
    selected = _select(desk, wish, meant)
    records, turns = sorted(selected.records), sorted(selected.turns)
    desk = replace(desk, route=rule.route)
    tx = desk.instant()
    if not records and not turns:
        return desk.finish(tx, Decision.ERASE, rule.name, NOTHING, trigger=trigger)
    job = JobRow(
        id=f"era_{desk.new_id()}", subject=desk.subject.n, tx=tx, by="wish", whole=meant.everything,
        selects=Selects(
            everything=meant.everything, categories=meant.categories, attributes=meant.attributes,
            conversation=wish.conversation if meant.here or meant.that else None,
        ),
    )  # fmt: skip
    return erased(desk, selected, job, rule.name, trigger, conversation=wish.conversation if meant.here else None)


def erased(
    desk: Desk, selected: Selected, job: JobRow, rule: str, trigger: str, *, conversation: str | None = None
) -> Logged:
    """Log an erasure and begin it: what was selected can't be read from the end of this transaction on."""
    records = sorted(selected.records)
    reason = (
        f"{_count(len(records), 'record')} and {_count(len(selected.turns), 'turn')} can't be read any more: {job.id}"
    )
    logged = desk.finish(
        job.tx, Decision.ERASE, rule, reason, affected=() if job.whole else records, trigger=trigger, erasure=job.id
    )
    hide(desk, selected, job, conversation=conversation)
    return logged


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _select(desk: Desk, wish: Wish, meant: Topic) -> Selected:
    """Return everything that a wish means, with what was derived from it and the turns that say it."""
    store, subject = desk.store, desk.subject.n
    if meant.everything:
        records, turns = store.everything(subject)
        return Selected(records=set(records), turns=set(turns))
    said = {} if wish.conversation is None else _turns(desk, wish.conversation)
    found = Selected(records=set(), turns={n for n, row in said.items() if row.position in wish.met})
    if wish.turn is not None:
        found.turns.add(wish.turn.n)
    if meant.here:
        found.records |= {record for record, _, _ in store.drawn_in(subject, wish.conversation or "")}
        found.turns |= set(said)
    elif meant.that:
        found.records |= _just_said(desk, wish)
    else:
        found.records |= _named(desk, meant)
    with_kin(store, found, _DERIVED)  # nothing of them may live on in it (R32)
    _add_turns(desk, wish, meant, found)
    return found


def _just_said(desk: Desk, wish: Wish) -> set[int]:
    """Return what "that" means: what was drawn from what it took back, else from the subject's last turn that brought something.

    Where no turn did, it is the last record that was written in the conversation.
    """
    if wish.conversation is None:
        return set()
    drawn = desk.store.drawn_in(desk.subject.n, wish.conversation)
    asked_at = None if wish.turn is None else wish.turn.position
    mine = [
        (position, record)
        for record, position, speaker in drawn
        if position is not None and (asked_at is None or position < asked_at) and speaker == desk.subject.name
    ]
    if wish.met:
        return {record for position, record in mine if position in wish.met}
    if mine:
        last = max(position for position, _ in mine)
        return {record for position, record in mine if position == last}
    return {record for record, _, _ in drawn[-1:]}


def _named(desk: Desk, meant: Topic) -> set[int]:
    """Return what is filed under a name of the policy, and whatever else has all the telling words."""
    store, subject = desk.store, desk.subject.n
    found = set(store.filed_under(subject, meant.categories, meant.attributes)) if meant.filed else set()
    if meant.words:
        items = {item for word in meant.words for item, _ in store.postings("claims", subject, word, None)}
        found |= {
            row.record for row in store.wordings(subject, texts=sorted(items))
            if says_all(meant.words, _own_words(row), _beside(desk, row))
        }  # fmt: skip
    former = (
        {each.record for each in current(desk.store, subject, found) if not _holds(each, desk.said())}
        if meant.former
        else set()
    )
    return former or found


def _own_words(row: WordingRow) -> str:
    entity = "" if row.attribute.startswith(FROM_TEXT) else row.entity
    return f"{row.claim} {row.value} {row.object} {entity}"


def _beside(desk: Desk, row: WordingRow) -> tuple[str, ...]:
    if not row.attribute or row.attribute.startswith(FROM_TEXT):
        return ()
    slot = Slot(row.attribute)
    return (row.attribute, *desk.policy.terms(slot), *desk.policy.category(None, slot).terms)


def _holds(revision: Revision, now: Instant) -> bool:
    return revision.status in (Status.ACTIVE, Status.CONTESTED) and any(each.end > now for each in revision.pieces())


def _add_turns(desk: Desk, wish: Wish, meant: Topic, found: Selected) -> None:
    """Add the turns from which the records were drawn, and those that say what they say or what was named.

    In the conversations concerned a turn that has all telling words goes, whoever spoke; what the policy has no name for goes
    with its words from every conversation.
    """
    store, subject = desk.store, desk.subject.n
    behind = store.turns_behind(subject, sorted(found.records))
    found.turns |= {row.n for row in behind}
    concerned = {row.conversation for row in behind} | ({wish.conversation} if wish.conversation else set())
    telling = {_telling(row) for row in store.wordings(subject, records=sorted(found.records))}
    telling |= {meant.words}
    telling.discard(frozenset())
    for conversation in sorted(concerned):
        for row in _turns(desk, conversation).values():
            words = set(tokens(f"{row.speaker} {row.text}"))
            if any(each <= words for each in telling):
                found.turns.add(row.n)
    if meant.words and not meant.filed:
        lists = [
            {item for item, _ in store.postings("episodes", subject, word, None)} for word in sorted(meant.words)
        ]  # fmt: skip
        found.turns |= set.intersection(*lists)


def _telling(row: WordingRow) -> frozenset[str]:
    """Return the words by which a turn says what a record says: those of its object or value, else of its claim."""
    named = "" if row.attribute.startswith(FROM_TEXT) else row.object or row.value
    words = frozenset(tokens(named))
    is_name = not named.islower() and len(named) > 2  # "Rex" tells, "NY" meets too much
    if len(words) > 1 or is_name or any(len(word) >= _TELLING for word in words):
        return words
    return frozenset(tokens(row.claim))  # "short" alone would meet too much


def _turns(desk: Desk, conversation: str) -> dict[int, EpisodeRow]:
    return {row.n: row for row in desk.store.turns_from(desk.subject.n, conversation, 0)}
