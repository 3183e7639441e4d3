"""Reviews: what a review event calls into question until somebody says that it still holds (R53)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from stead.errors import SteadError
from stead.model.context import Question
from stead.model.period import Instant
from stead.model.record import LAID
from stead.model.scope import chain
from stead.model.slot import normal
from stead.model.zone import instant
from stead.policy.policy import Policy
from stead.recall.ask import Ask
from stead.recall.derived import unsupported
from stead.recall.items import Chosen, as_facts, moment, named
from stead.resolve.contests import question_id
from stead.store.protocol import ReadTx
from stead.store.values import EventRow, Revision, parts

SOURCE_ENDED = "source ended"
"""The event of a review that nobody reported: something that a record was made from doesn't hold any more (R37)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """A review that is open: which event called for it, and since when."""

    event: str
    since: Instant
    causes: tuple[int, ...] = ()
    """Of what lost something that it rests on: the records that don't hold any more (R37)."""


def reviewed(
    store: ReadTx,
    subject: int,
    policy: Policy,
    known_at: Instant,
    zone: str | None,
    among: Sequence[Revision] | None = None,
) -> list[tuple[Revision, Review]]:
    """Return the records about which a review is open.

    A record names events itself, or its category does. An event calls for a review of what was written or last restated
    before it; an event that is a date calls for it from that day on.

    Parameters
    ----------
    policy
        Whose categories name events too.
    known_at
        As of when.
    zone
        In which dates begin; UTC where there is none.
    among
        Only of these; of all records by default.
    """
    rows = list(_all(store, subject, policy, known_at, zone)) if among is None else among
    names = {normal(name) for each in rows for name in _named(each, policy)}
    events = store.events(subject, sorted(names), known_at) if names else []
    holding = [each for each in rows if each.status in LAID and not each.expired(known_at) and _goes_on(each, known_at)]
    named = {each.record: list(_fired(each, policy, events, known_at, zone)) for each in holding}
    called = sorted((each for each in holding if named[each.record]), key=lambda each: each.record)
    touched = {each.record: max(each.created, each.confirmed_at or 0) for each in called}
    for part in parts(called):
        for source in store.sources([each.record for each in part], known_at):
            touched[source.record] = max(source.tx, touched[source.record])
    found: list[tuple[Revision, Review]] = []
    for each in called:
        still = [review for review in named[each.record] if review.since > touched[each.record]]
        found += [(each, min(still, key=lambda review: review.since))] if still else []
    return found


def _goes_on(row: Revision, now: Instant) -> bool:
    """Tell whether a record holds now or later: what has ended needs no second look."""
    return any(piece.end > now for piece in row.pieces())


def _named(row: Revision, policy: Policy) -> Iterator[str]:
    """Return the events that a record names, itself or by its category."""
    category = policy.categories.get(row.category or "")
    yield from row.review_events
    yield from category.review_events if category is not None else ()


def _all(store: ReadTx, subject: int, policy: Policy, known_at: Instant, zone: str | None) -> Iterator[Revision]:
    """Yield every record that could be called into question: those with events of their own, and of categories with them."""
    numbers = store.reviewable(subject)
    for part in parts(numbers):
        yield from store.current_by_number(subject, part)
    wanted = sorted({normal(event) for each in policy.categories.values() for event in each.review_events})
    names = {event.name for event in store.events(subject, wanted, known_at)} if wanted else set()
    categories = [
        name
        for name, each in policy.categories.items()
        if any(normal(event) in names or _is_due(event, known_at, zone) for event in each.review_events)
    ]
    for name in categories:
        yield from (each for each in _of_category(store, subject, name) if not each.review_events)


def _of_category(store: ReadTx, subject: int, name: str) -> Iterator[Revision]:
    after: str | None = None
    while page := store.page(subject, status=None, scope=None, category=name, limit=500, after=after):
        yield from page
        after = page[-1].id


def _fired(
    row: Revision, policy: Policy, events: Iterable[EventRow], known_at: Instant, zone: str | None
) -> Iterator[Review]:
    names = {normal(name): name for name in _named(row, policy)}
    for event in events:
        if event.name in names and event.scope in chain(row.scope):
            yield Review(event=names[event.name], since=event.tx)
    for name in names.values():
        if _is_due(name, known_at, zone):
            yield Review(event=name, since=_date(name, zone) or 0)


def _is_due(name: str, known_at: Instant, zone: str | None) -> bool:
    day = _date(name, zone)
    return day is not None and day <= known_at


def _date(name: str, zone: str | None) -> Instant | None:
    """Return when an event that is a date comes; None for other names."""
    if not name[:4].isdigit():
        return None
    try:
        return instant(name, zone_name=zone or "UTC")
    except SteadError:
        return None


def withheld(rows: Iterable[tuple[Revision, Review]], policy: Policy) -> frozenset[int]:
    """Return the records that their category doesn't serve while a review is open."""
    return frozenset(
        row.record for row, _ in rows if policy.category(row.category).under_review == "withheld"
    )  # fmt: skip


def review_id(row: Revision, review: Review) -> str:
    """Return the id of a review: one record and one event are one question."""
    return question_id(["review", row.id, normal(review.event), *(review.causes or (review.since,))])


def unrested(
    store: ReadTx,
    subject: int,
    at: Instant,
    known_at: Instant,
    past: Instant | None = None,
    among: Sequence[Revision] | None = None,
) -> list[tuple[Revision, Review]]:
    """Return the records that aren't served at an instant because something that they rest on doesn't hold there (R37).

    Parameters
    ----------
    past
        As for `stead.recall.derived.lapses`.
    among
        Only of these; of all that would be served now or later by default.
    """
    rows = among if among is not None else _derived(store, subject)
    live = [each for each in rows if each.status in LAID and not each.expired(known_at) and _goes_on(each, at)]
    gone = unsupported(store, subject, [each.record for each in live], at, known_at, past)
    found: list[tuple[Revision, Review]] = []
    for row in live:
        causes = gone.get(row.record)
        if causes:
            since = max(row.created, min(each.since for each in causes))
            numbers = tuple(dict.fromkeys(each.record for each in causes))
            found.append((row, Review(event=SOURCE_ENDED, since=since, causes=numbers)))
    return found


def _derived(store: ReadTx, subject: int) -> list[Revision]:
    numbers = store.derived(subject)
    rows = [each for part in parts(numbers) for each in store.current_by_number(subject, part)]
    return sorted(rows, key=lambda each: each.record)


def as_questions(store: ReadTx, rows: Sequence[tuple[Revision, Review]], ask: Ask) -> list[Question]:
    """Return open reviews as questions to this reader."""
    shown = [(row, review) for row, review in rows if ask.may_read(row) and not row.expired(ask.known_at)]
    slots = [row.slot for row, _ in shown if row.slot is not None]
    keys = {slot.n: slot.key for part in parts(slots) for slot in store.slots_by_number(ask.subject.n, part)}
    chosen = [Chosen(revision=row, key=keys.get(row.slot or 0)) for row, _ in shown]
    claims = [fact for part in parts(chosen) for fact in as_facts(store, part, ask)]
    return [
        Question(
            id=review_id(row, review), kind="review", scope=row.scope,
            slot=None if named(keys.get(row.slot or 0)) is None else str(keys[row.slot or 0]), claims=(claim,),
            since=moment(review.since),
            until=None, event=review.event,
        )
        for (row, review), claim in zip(shown, claims, strict=True)
    ]  # fmt: skip
