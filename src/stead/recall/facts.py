"""Facts: looked up deterministically by slot, category and scope; by relevance where there is none (R29)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from stead.index.lexical import Lexical
from stead.index.telling import telling
from stead.index.vectors import Scan, VectorIndex
from stead.model.context import Divergence, Question
from stead.model.period import Period
from stead.model.slot import SlotKey
from stead.recall.ask import Ask
from stead.recall.cut import enough, worth
from stead.recall.items import Answers, Chosen, as_facts
from stead.recall.net import catch
from stead.recall.questions import contested, proposals
from stead.recall.reviews import Review, as_questions, reviewed, unrested, withheld
from stead.recall.standing import Standing, holds_alone, overridden, stands_in
from stead.recall.wording import NOTHING, Wording, wording
from stead.resolve.contests import question_id
from stead.store.protocol import ReadTx
from stead.store.values import Revision

POOL = 60
"""How many relevant candidates of each kind of search are looked at, after the filters."""
PROPOSALS = 200
"""Among how many of the texts that share words with the query proposals are looked for."""
ASIDE = 12
"""How many of the best that aren't near enough to be served may still contradict what is (R25)."""
_REVIEWS = 20
"""How many reviews of what it touched one recall asks about; `questions` has them all."""
SURE = 1000.0
"""Scores of what is served whatever the wording lie above every relevance."""


@dataclass(slots=True, kw_only=True)
class _Found:
    """What may be served, before the strip has decided."""

    slots: dict[int, str] = field(default_factory=dict)
    """Slot numbers that any wording needs, with the rule that says so."""
    alone: dict[int, tuple[Revision, str]] = field(default_factory=dict)
    """Records without a slot, with the rule that chose them."""
    hits: list[tuple[Revision, float]] = field(default_factory=list)
    """What the search found, with its relevance from 0 to 1."""
    aside: set[int] = field(default_factory=set)
    """Those of them that aren't near enough to be served: what is may contradict them all the same (R25)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stood:
    """What the strip says of one slot, and why that was asked."""

    standing: Standing
    rule: str = "slot"
    relevance: float = 0.0
    aside: bool = False


def facts(store: ReadTx, vectors: VectorIndex, ask: Ask) -> Answers:
    """Return the facts that apply, and the divergences and questions that stand in their place."""
    words = NOTHING
    if ask.slot is not None:
        rows = store.slots(ask.subject.n, ask.slot, ask.scopes)
        standings, found = [_Stood(standing=each) for each in stands_in(store, rows, ask)], _Found()
    else:
        found = _whatever_the_wording(store, ask)
        if ask.query:
            words = wording(store, ask)
            found.hits, found.aside = _hits(store, vectors, words, ask)
        standings = _stand(store, found, ask)
    lost = _unrested(store, standings, found, ask)
    unrest = frozenset(row.record for row, _ in lost)
    chosen = [*_slotted(standings, unrest, ask), *_alone(found, ask)]
    gone = overridden(store, [each.revision.record for each in chosen], ask) if chosen else frozenset()
    open_reviews = reviewed(
        store, ask.subject.n, ask.policy, ask.known_at, ask.zone, [each.revision for each in chosen]
    )
    gone |= withheld(open_reviews, ask.policy) | unrest
    kept = [each for each in chosen if each.revision.record not in gone]
    kept.sort(key=lambda each: (-each.score, -each.revision.observed_at, each.revision.record))
    asked = [contested(store, each.standing, ask) for each in standings if each.standing.contested and not each.aside]
    asked = [each for each in asked if each.claims]  # what a reader may not see it isn't asked about either
    asked += proposals(store, ask, [item for item, _ in words.lexical.ranked[:PROPOSALS]])
    served, apart = _caught(kept, ask)
    shown = {each.revision.record for each in [*served, *(each for group in apart for each in group)]}
    near = {each.revision.record for each in chosen if not each.aside}
    open_reviews = [pair for pair in open_reviews if pair[0].record in (shown | (gone & near)) - unrest]
    asked += as_questions(store, open_reviews[:_REVIEWS], ask)
    return Answers(
        facts=as_facts(store, served, ask), divergences=[_divergence(store, group, ask) for group in apart],
        questions=asked + _without_claims(store, lost, near, ask),
    )  # fmt: skip


def _caught(kept: list[Chosen], ask: Ask) -> tuple[list[Chosen], list[list[Chosen]]]:
    """Return the best within the budget that may be served together, and the groups that diverge (R25).

    What the net takes away leaves its place to the next best.
    """
    most, gone = ask.budget.facts, 0
    aside = [each for each in kept if each.aside]
    kept = [each for each in kept if not each.aside]
    while True:
        window = _within(kept, most + gone)
        caught = catch([*window, *aside], ask.names, ask.live)
        apart = sum(map(len, caught.divergences))
        left = len(caught.served) + apart
        if left >= most or len(window) == len(kept):
            return _within(caught.served, max(0, most - apart)), caught.divergences
        gone = len(window) - left


def _divergence(store: ReadTx, group: Sequence[Chosen], ask: Ask) -> Divergence:
    records = [each.revision.record for each in group]
    return Divergence(id=question_id(["diverged", *records]), facts=tuple(as_facts(store, group, ask)), rule="equals")


def _unrested(store: ReadTx, standings: Iterable[_Stood], found: _Found, ask: Ask) -> list[tuple[Revision, Review]]:
    """Return what was made from something that doesn't hold any more: it is not served as a fact (R37)."""
    rows = [each for stood in standings for each in stood.standing.revisions]
    rows += [each for each, _ in found.alone.values()] + [each for each, _ in found.hits if each.slot is None]
    among = list({each.record: each for each in rows}.values())
    return unrested(store, ask.subject.n, ask.at, ask.known_at, ask.past, among)


def _without_claims(
    store: ReadTx, rows: Iterable[tuple[Revision, Review]], touched: Collection[int], ask: Ask
) -> list[Question]:
    """Return reviews as questions that don't say what may be wrong by now; `questions` shows it to who answers."""
    asked = [pair for pair in rows if pair[0].record in touched][:_REVIEWS]
    return [replace(each, claims=()) for each in as_questions(store, asked, ask)]


def _within(kept: list[Chosen], most: int) -> list[Chosen]:
    """Return the best within the budget; a third of it is kept for what the question itself found (R29)."""
    if len(kept) <= most:
        return kept
    found = [each for each in kept if each.rule == "relevance"][: most // 3]
    sure = [each for each in kept if each.rule != "relevance"][: most - len(found)]
    rest = [each for each in kept if each.rule == "relevance"][len(found) : most - len(sure)]
    return [*sure, *found, *rest]


def _whatever_the_wording(store: ReadTx, ask: Ask) -> _Found:
    """Return what every request could need: of the category, of the scope one stands in, standing instructions.

    Without a query, a slot or a category, that is everything in scope.
    """
    found = _Found()
    for rule, rows in _lookups(store, ask):
        for each in rows:
            if each.slot is not None:
                found.slots.setdefault(each.slot, rule)
            elif ask.serves(each) and holds_alone(each, ask):
                found.alone.setdefault(each.record, (each, rule))
    return found


def _lookups(store: ReadTx, ask: Ask) -> Iterator[tuple[str, list[Revision]]]:
    look = partial(store.applicable, ask.subject.n, at=ask.at, known_at=ask.past, reader=ask.reader)
    if ask.category is not None:
        yield "category", look(ask.scopes, category=ask.category)
    elif not ask.query:
        yield "scope", look(ask.scopes)
    else:
        inner = [scope for scope in ask.scopes if scope]
        if inner:
            yield "scope", look(inner, slotted=True)
        yield "instruction", look(ask.scopes, kind="instruction")


def _stand(store: ReadTx, found: _Found, ask: Ask) -> list[_Stood]:
    """Let the strip decide for every slot that was looked up or that the search touched."""
    touched = [each.slot for each, _ in found.hits if each.slot is not None]
    numbers = list(dict.fromkeys([*found.slots, *touched]))
    if not numbers:
        return []
    rows = store.slots_by_number(ask.subject.n, numbers)
    keys = {row.n: row.key for row in rows}
    rules = {keys[number]: rule for number, rule in found.slots.items()}
    relevance: dict[SlotKey, float] = {}
    near = set(rules)
    for each, score in found.hits:
        if each.slot is not None:
            relevance[keys[each.slot]] = max(score, relevance.get(keys[each.slot], 0.0))
            if each.record not in found.aside:
                near.add(keys[each.slot])
    if len(ask.scopes) > 1:  # the same slots in the other scopes that the reader sees
        rows = store.slots_like(ask.subject.n, numbers, ask.scopes)
    standings = stands_in(store, rows, ask)
    if ask.category is not None:
        standings = [each for each in standings if each.revisions[0].category == ask.category]
    return [
        _Stood(
            standing=each, rule=rules.get(each.slot.key, "relevance"), relevance=relevance.get(each.slot.key, 0.0),
            aside=each.slot.key not in near,
        )
        for each in standings
    ]  # fmt: skip


def _hits(
    store: ReadTx, vectors: VectorIndex, words: Wording, ask: Ask
) -> tuple[list[tuple[Revision, float]], set[int]]:
    """Search by words and by vectors, filter and rank: relevance is the mean of the two, each from 0 to 1.

    Returned with the records of what isn't near enough to be served.
    """
    scan = None
    if ask.version is not None and ask.vector is not None:
        scan = vectors.scan(store, "claims", ask.subject, ask.version, ask.vector, ask.past)
    lexical = words.lexical
    eligible = _eligible(store, lexical.ranked, ask, words.meant)
    top = max((lexical.scores[item] for item in eligible), default=0.0)
    if scan is not None:
        eligible.update(_near(store, scan, ask))
    scores = {item: _relevance(item, lexical, top, scan, ask) for item in eligible}
    asked = telling(ask.query, ask.subject.name)
    shared = {item: words.shared(item, each.claim) for item, each in eligible.items()}
    about = {  # what is found in passing isn't a measure for the rest either
        item: scores[item]
        for item in eligible
        if item in words.meant
        or _is_about(asked, shared[item], lexical.shared.get(item, ()), _nearness(item, scan, ask))
    }
    kept = worth(about, shared, about=words.meant, asked=words.asked)
    ranked = sorted(
        ((each, scores[item]) for item, each in eligible.items()), key=lambda pair: (-pair[1], pair[0].record)
    )
    served = {eligible[item].record for item in kept}
    aside = [each.record for each, _ in ranked if each.record not in served][:ASIDE]
    near = served.union(aside)
    return [pair for pair in ranked if pair[0].record in near], set(aside)


def _near(store: ReadTx, scan: Scan, ask: Ask) -> dict[int, Revision]:
    """Return the nearest texts that pass the filters, however many that don't lie before them (R30)."""
    count = 4 * POOL
    while True:
        ranked = [pair for pair in scan.best(count) if pair[1] >= ask.floor]
        kept = _eligible(store, ranked, ask)
        if len(kept) >= POOL or len(ranked) < count:
            return kept
        count *= 4


def _relevance(item: int, words: Lexical, top: float, scan: Scan | None, ask: Ask) -> float:
    lexical = words.scores.get(item, 0.0) / top if top else 0.0
    near = _nearness(item, scan, ask)
    return lexical if near is None else (lexical + near) / 2


def _nearness(item: int, scan: Scan | None, ask: Ask) -> float | None:
    """Return how far a cosine is on the way from the model's floor to its ceiling, from 0 to 1; None without a vector."""
    cosine = scan.cosine(item) if scan is not None else None
    return None if cosine is None else min(1.0, max(0.0, (cosine - ask.floor) / (ask.ceiling - ask.floor)))


def _is_about(
    asked: Sequence[Mapping[str, float]], own: Collection[str], found: Collection[str], near: float | None
) -> bool:
    """Tell whether a fact isn't found in passing, by its claim's own words and by those that ask for its slot (R30)."""
    if near == 0 and not set(found) <= set(own):
        near = None  # the vector is the claim's, and knows nothing of its slot
    return enough({*own, *found}, asked, near)


def _eligible(
    store: ReadTx, ranked: Sequence[tuple[int, float]], ask: Ask, about: Collection[int] = ()
) -> dict[int, Revision]:
    """Return the first texts that pass the filters (R30), and all that are about a thing that the question names.

    Those that don't pass never use up a place.
    """
    kept: dict[int, Revision] = {}
    for start in range(0, len(ranked), POOL):
        page = [item for item, _ in ranked[start : start + POOL] if len(kept) < POOL or item in about]
        by_text = {each.text_n: each for each in store.by_text(ask.subject.n, page, ask.known_at)} if page else {}
        live = _live(store, by_text.values(), ask)
        kept.update({item: by_text[item] for item in page if item in by_text and _passes(by_text[item], live, ask)})
        if len(kept) >= POOL and not about:
            break
    return kept


def _live(store: ReadTx, found: Iterable[Revision], ask: Ask) -> frozenset[int]:
    """Return the slots of those that don't hold themselves in which something else does: that is what is served."""
    over = {each.slot for each in found if each.slot is not None and not holds_alone(each, ask)}
    if not over:
        return frozenset()
    laid = store.laid(sorted(slot for slot in over if slot), Period(ask.at, ask.at + 1), ask.past)
    return frozenset(each.slot or 0 for each in laid if not each.expired(ask.known_at))


def _passes(revision: Revision, live: frozenset[int], ask: Ask) -> bool:
    """What is found through a slot is decided by its strip, the rest by itself; nothing passes that serves nothing."""
    if revision.slot is not None:
        return ask.may_read(revision) and (revision.slot in live or holds_alone(revision, ask))
    in_category = ask.category is None or revision.category == ask.category
    return in_category and ask.serves(revision) and holds_alone(revision, ask)


def _slotted(standings: Iterable[_Stood], last: Collection[int], ask: Ask) -> Iterator[Chosen]:
    """Choose the record that is served for each slot; ``last`` are those that aren't served while another says the same."""
    for stood in standings:
        standing = stood.standing
        if standing.contested or standing.unset:
            continue
        readable = [each for each in standing.revisions if ask.serves(each)]
        readable = [each for each in readable if each.record not in last] or readable
        if readable:
            first = _chosen(readable[0], standing.slot.key, tuple(readable[1:]), stood.rule, stood.relevance, ask)
            yield replace(first, aside=stood.aside)


def _alone(found: _Found, ask: Ask) -> Iterator[Chosen]:
    relevance = {each.record: score for each, score in found.hits if each.slot is None}
    for each, _ in found.hits:
        if each.slot is None:
            found.alone.setdefault(each.record, (each, "relevance"))
    for revision, rule in found.alone.values():
        first = _chosen(revision, None, (), rule, relevance.get(revision.record, 0.0), ask)
        yield replace(first, aside=rule == "relevance" and revision.record in found.aside)


def _chosen(
    revision: Revision, key: SlotKey | None, also: tuple[Revision, ...], rule: str, relevance: float, ask: Ask
) -> Chosen:
    """Score by relevance, then importance and recency; what is needed whatever the wording comes first, narrow scopes above."""
    days = max(0, ask.known_at - revision.observed_at) / 86_400_000_000
    score = relevance + 0.1 * revision.importance + 0.1 / (1 + days / 30)
    if rule != "relevance":
        score += SURE + (len(revision.scope.split("/")) if revision.scope else 0)
    return Chosen(revision=revision, key=key, also=also, rule=rule, score=round(score, 6))
