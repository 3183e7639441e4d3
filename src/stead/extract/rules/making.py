"""From a template that fits to a proposal: slot, interval, traits and claim."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from stead.extract.proposal import Act, Proposal
from stead.extract.rules.claims import spoken
from stead.extract.rules.clause import Clause
from stead.extract.rules.limits import Limits, contrast, happened, limits, vague
from stead.extract.rules.listing import Found, core
from stead.extract.rules.patterns import Attribute, Compiled
from stead.extract.rules.template import Gap, Template
from stead.extract.rules.text import Words
from stead.extract.rules.times import Mark
from stead.model.period import Instant
from stead.model.record import Kind, Meaning
from stead.model.slot import SELF, Slot

Place = tuple[int, int]
_PREFERENCES: Final = (
    "food.", "drink.", "cuisine.", "travel.", "tool.", "code.", "music.", "film.", "book.", "game.", "color.", "choice.",
    "contact.channel", "meetings.", "document.", "opinion",
)  # fmt: skip
_LIKING: Final = frozenset("likes loves enjoys prefers dislikes hates avoids favorite".split())
_ARTICLES: Final = frozenset("a an the some any my our".split())
_KEEP_ARTICLE: Final = frozenset(
    "home.address delivery.address billing.address home.country home.city work.employer account.company".split()
)
_UNSURE: Final = frozenset("could might may should must shall".split())
_PLANS: Final = frozenset("trip.destination schedule.away schedule.visit schedule.appointment".split())
_CLOSING: Final = frozenset(", . ; : ( - \u2014 \u2013 ! … and but so because which who though although".split())
_LAST: Final = frozenset(
    "right too also though lol haha btw please especially , and but or so . ! now actually honestly xd".split()
)


class Reader(Protocol):
    """What making a proposal needs of the turn."""

    @property
    def words(self) -> Words:
        """The turn."""

    @property
    def compiled(self) -> Compiled:
        """The ontology."""

    @property
    def said(self) -> Instant:
        """When it was said."""

    @property
    def zone(self) -> str:
        """The speaker's time zone."""

    @property
    def owner(self) -> str:
        """Whom "I" stands for."""


_IDLE: Final = frozenset({"hypothetical", "uncertain"})
"""What may be, some day, is idle talk: there is no time to ask about."""


@dataclass(frozen=True, slots=True)
class _Shared:
    """What the proposals of one clause have in common."""

    act: Act
    traits: frozenset[str]
    wrong: str | None
    limits: Limits
    edge: int
    """Where the claim ends."""


def made(turn: Reader, clause: Clause, found: list[Found], marks: Sequence[Mark], *, repairs: bool) -> list[Proposal]:
    """Return the proposals of what was found in a clause.

    Parameters
    ----------
    turn
        The turn.
    clause
        Where it was found; it gives traits.
    found
        Templates that fit.
    marks
        The words of time that belong to the clause.
    repairs
        The speaker says that something was wrong before.
    """
    proposals: list[Proposal] = []
    for one in found:
        shared = _meant(turn, clause, one, marks, repairs)
        if "unresolved_time" in shared.traits and not shared.traits.isdisjoint(_IDLE):
            continue
        for template, name, thing, value, place in _fillings(one):
            claim = _claim(turn.words, clause, one, place, shared.edge, marks)
            proposal = _proposal(turn, clause, one, (template, name, thing, value), claim, shared)
            if proposal is not None:
                proposals.append(proposal)
    return proposals


def _meant(turn: Reader, clause: Clause, one: Found, marks: Sequence[Mark], repairs: bool) -> _Shared:
    """Return how the clause is meant: what it does, its traits and its limits."""
    template, reading = one.fit.template, one.reading
    act, traits, plan = Act.SAY, set(clause.traits), False
    if reading is None:
        plan = template.attribute in _PLANS
        act = Act.END if template.relation == "END" else act
    else:
        if (reading.ended and template.form != "not") or template.relation == "END":
            act = Act.END
        if (
            reading.modal in _UNSURE
            or (reading.modal == "can" and template.form != "not")
            or (reading.modal == "would" and reading.base != "prefer" and not _wished(turn.words, one))
        ):
            traits.add("hypothetical")
        if reading.modal == "used" or (reading.tense == "past" and template.form != "did"):
            traits.add("past_event")
        plan = (
            template.attribute in _PLANS
            or (reading.tense == "future" and template.form != "not")
            or template.form == "will"
            or (reading.tense == "going" and template.form == "did")
        )
    wrong, edge = contrast(turn.words, one.fit.end, clause.last)
    found = limits(
        marks if plan else [each for each in marks if _belongs(turn.words, one, each, turn.said)],
        one,
        plan=plan,
        did=template.form == "did",
        lasts=not plan or template.attribute in _PLANS,
        ends=act is Act.END,
    )
    if reading is not None and reading.tense == "past" and found.valid_from is not None and not plan:
        found.valid_from = happened(found.valid_from, turn.said, turn.zone)
    if not plan and act is Act.SAY and found.valid_until is not None and found.valid_until <= turn.said:
        found = Limits(recurs=found.recurs)
    if found.valid_until is not None and (template.relation in _LIKING or template.attribute.startswith("travel.")):
        traits.add("task_only")
    if plan:
        if vague(turn.words, marks):
            found = Limits()
        traits.add("plan")
        traits |= _planned(turn, found, marks)
    if turn.owner != SELF:
        traits.add("third_party")
    if act is Act.SAY and (repairs or (wrong and not _is_preference(template))):
        act = Act.CORRECT
    return _Shared(act, frozenset(traits), wrong, found, edge)


def _belongs(words: Words, one: Found, mark: Mark, said: Instant) -> bool:
    """Tell whether words of time are said of a claim: after a comma and other words they are said of something else.

    "Vegan for 10 years now" tells how long it has been so, not how long it will be.
    """
    if mark.start == said and mark.end is not None and mark.end - said > _YEAR:
        return False
    between = range(one.fit.end, mark.first)
    comma = next((at for at in between if not words.is_word(at)), mark.first)
    return all(words.low[at] in _GOES_ON or at in words.masked for at in range(comma + 1, mark.first))


_YEAR: Final = 366 * 86_400_000_000
_GOES_ON: Final = frozenset(", have has been always and now since from ever at least already so for only just".split())


def _wished(words: Words, one: Found) -> bool:
    """Tell whether "I'd like ..." is a wish for good: "I'd like my minutes in Markdown", "I'd like to be called Jo"."""
    if one.reading is None or one.reading.base not in ("like", "love", "appreciate"):
        return False
    if not one.fit.template.attribute.startswith(_WISHABLE):
        return False
    first, last = one.fit.spans.get("object", (0, 0))
    return first == last or (
        words.low[first - 1] not in ("the", "a", "an", "this") and words.low[last - 1].endswith("s")
    )


_WISHABLE: Final = ("meetings.", "document.", "output.", "language.answer", "account.", "contact.channel")


def _planned(turn: Reader, found: Limits, marks: Sequence[Mark]) -> set[str]:
    """Return the traits of a plan: one without a time is an aside, one whose time has passed is no plan."""
    if found.valid_from is None and found.valid_until is None and found.recurs is None:
        return {"unresolved_time"} if any(not mark.resolved for mark in marks) else {"aside"}
    if found.valid_until is not None and found.valid_until <= turn.said:
        return {"past_event"}
    return set()


def _fillings(one: Found) -> Iterator[tuple[Template, str, Place | None, Place | None, Place | None]]:
    """Return each slot that one fit fills: template, attribute, object, value, and where a listed one stands."""
    template, spans = one.fit.template, one.fit.spans
    thing, value = spans.get("object"), spans.get("value")
    yield template, template.attribute, thing, value, (thing or value) if one.more else None
    for name, place in spans.items():
        if "." in name:
            yield template, name, None, place, None
    for which, begin, end in one.more:
        gap = core(which)[-1]
        by_value = isinstance(gap, Gap) and gap.name == "value"
        kept = value if not by_value and "value" in spans else None
        place = (begin, end)
        yield which, which.attribute, None if by_value else place, place if by_value else kept, place


def _proposal(
    turn: Reader,
    clause: Clause,
    one: Found,
    filling: tuple[Template, str, Place | None, Place | None],
    claim: str,
    shared: _Shared,
) -> Proposal | None:
    template, name, thing, value = filling
    words = turn.words
    own = name == template.attribute
    if name == "work.employer" and one.subject.entity in PUPILS and one.reading and one.reading.base in ("start", "be"):
        name = "education.school"
    if name == "schedule.appointment" and shared.limits.recurs:
        name = "schedule.routine"
    if name == "hobby" and template.relation in _DISLIKING:
        name = "opinion"
    attribute = turn.compiled.attributes.get(name)
    if attribute is None or not _theirs(turn, attribute, one, planned="plan" in shared.traits):
        return None
    many = attribute.cardinality == "many"
    relation = "" if template.relation == "END" or not own else template.relation
    what = written(words, thing, bare=True)
    if relation == "NOT":
        value, relation = _denial(words, one), ""
    held = written(words, value, bare=many or name not in _KEEP_ARTICLE) if value else relation or what
    if not held:
        return None
    if many and not what:
        what = held
    if not many and not value and not relation:
        what = ""
    places = [place for place in (thing, value, *one.fit.spans.values()) if place]
    first = min([clause.first, *(place[0] for place in places)])
    last = max([one.fit.end, *(place[1] for place in places)])
    if "plan" in shared.traits:
        kind = Kind.PLAN
    elif attribute.category == "instruction":
        kind = Kind.INSTRUCTION
    else:
        kind = Kind.PREFERENCE if _is_preference(template) or relation in _LIKING else Kind.FACT
    return Proposal(
        claim=claim,
        span=(words.start[first], words.end[last - 1]),
        act=shared.act,
        kind=kind,
        slot=Slot(name, entity=one.subject.entity, object=what, value=held),
        category=attribute.category,
        traits=shared.traits | {"standing"} if kind is Kind.INSTRUCTION else shared.traits,
        valid_from=shared.limits.valid_from,
        valid_until=shared.limits.valid_until,
        recurs=shared.limits.recurs,
        meaning=Meaning.CORRECTED if shared.act is Act.CORRECT else Meaning.CHANGED,
        replaces=shared.wrong,
        confidence=_confidence(one, shared.traits),
    )


def _theirs(turn: Reader, attribute: Attribute, one: Found, *, planned: bool) -> bool:
    """Tell whether an attribute is one that such words can tell of: orders are the speaker's own, no jest is a goal."""
    if attribute.category == "instruction" and one.subject.entity != turn.owner:
        return False
    if attribute.name == "goal" and _in_jest(turn.words, one.fit.end):
        return False
    return not (planned and attribute.name == "tool.language")


def _in_jest(words: Words, end: int) -> bool:
    """Tell whether somebody laughs about what they said."""
    return not _LAUGHS.isdisjoint(words.low[end - 1 : end + 2])


_LAUGHS: Final = frozenset("haha hahaha lol lmao rofl jk xd".split())
_DISLIKING: Final = frozenset("dislikes hates avoids".split())
"""What is hated is no hobby."""
PUPILS: Final = frozenset(
    "daughter son child kid kids children stepson stepdaughter grandson granddaughter eldest oldest youngest".split()
)
"""Where they start is a school."""


def _denial(words: Words, one: Found) -> Place:
    """Return where a denial stands: "not working", "won't be available"."""
    first = one.subject.after
    while first < one.fit.end - 1 and words.low[first] in _AM:
        first += 1
    return first, one.fit.end


_AM: Final = frozenset("am are is 's just also probably".split())


def written(words: Words, place: Place | None, *, bare: bool) -> str:
    """Return the words of a value as they were written.

    Parameters
    ----------
    words, place
        Where it stands.
    bare
        Without the article before it, unless the article belongs to a name.
    """
    if place is None:
        return ""
    first, last = place
    article = words.low[first] in _ARTICLES and not (words.low[first] == "a" and words.capital(first) and first)
    if bare and last - first > 1 and article and not words.capital(first + 1):
        first += 1
    return words.slice(first, last).strip(" \"'.,;:")


def _claim(words: Words, clause: Clause, one: Found, place: Place | None, edge: int, marks: Sequence[Mark]) -> str:
    """Return the claim; with a place, of the one value that stands there."""
    subject = one.subject
    marks = [mark for mark in marks if not any(mark.first <= first < mark.last for first, _ in one.fit.spans.values())]
    own = subject.shape == "self" or (
        subject.shape == "elided"
        and one.reading is not None
        and one.reading.tense == "present"
        and one.reading.after > one.reading.verb
    )
    end = next((at for at in range(one.fit.end, edge) if words.low[at] in _CLOSING and not _titled(words, at)), edge)
    while end > one.fit.end and words.low[end - 1] in _LAST:
        end -= 1
    if end - subject.first > 16:
        near = [mark.last for mark in marks if mark.last <= clause.last and mark.first <= one.fit.end + 2]
        end = max([one.fit.end, *near])
    head, before = "", words.low[max(subject.first - 1, 0)]
    if subject.shape in ("other", "owned") and before in ("he", "she", "his", "her"):
        head = subject.entity + ("'s" if before in ("his", "her") else "")
    elif subject.shape == "other" and subject.after == subject.first and words.low[clause.first] not in ("i", "we"):
        head = subject.entity
    if (
        one.reading is None
        and not any(low in ("is", "are", "'s") for low in words.low[subject.first : one.fit.end])
        and clause.last > one.fit.end
    ):
        end = one.fit.end
    if place is None:
        return spoken(words, subject.first, end, marks=marks, own=own, head=head)
    last = min((begin for begin, _ in one.fit.spans.values()), default=place[0])
    if words.low[last - 1] in ("a", "an") and place[0] > last:
        last -= 1
    if words.low[place[0] - 1] in _COUNTED and place[0] - 1 >= last:
        place = (place[0] - 1, place[1])
    start = spoken(words, subject.first, last, marks=marks, own=own, head=head)
    return f"{start} {words.slice(*place)}".strip()


def _titled(words: Words, at: int) -> bool:
    """Tell whether a dot belongs to a title: "an appointment with Dr. Weiss"."""
    return words.low[at] == "." and words.low[at - 1] in ("dr", "mr", "mrs", "ms", "prof", "st")


_COUNTED: Final = frozenset("a an one two three four five".split())


def _is_preference(template: Template) -> bool:
    return template.relation in _LIKING or template.attribute.startswith(_PREFERENCES)


def _confidence(one: Found, traits: frozenset[str]) -> float:
    score = 0.95 if one.fit.weight >= 6 else 0.85
    return round(score - 0.35 if "uncertain" in traits else score, 2)
