"""Which template fits a clause best."""

from __future__ import annotations

from typing import Final

from stead.extract.rules.clause import Clause
from stead.extract.rules.extents import Choices
from stead.extract.rules.lexicon import KIN, OPENERS, RELATIVES
from stead.extract.rules.listing import Found, is_loose, more
from stead.extract.rules.orders import acts
from stead.extract.rules.patterns import Compiled, Fit, figure, fit
from stead.extract.rules.predicate import Reading, readings
from stead.extract.rules.subject import AT_HOME, Subject
from stead.extract.rules.template import LIKED, Gap, Literal, Template
from stead.extract.rules.text import Words
from stead.extract.rules.verbs import BE
from stead.model.slot import SELF

_NONE: Final[Choices] = frozenset()
_HAPPENED: Final = frozenset({"past", "perfect", "begun"})
_TO_COME: Final = frozenset({"future", "going"})


def best(compiled: Compiled, words: Words, clause: Clause, whom: list[Subject], since: int) -> list[Found]:
    """Return what fits a clause best: one template, with the values that go on after it.

    Parameters
    ----------
    compiled, words, clause, whom
        What is read, and whom the clause may be about.
    since
        Where the words of time may stand that belong to the clause: "tomorrow" of "tomorrow I'm off".
    """
    found: list[Found] = []
    for subject in whom:
        if subject.shape == "owned":
            found += _owned(compiled, words, clause, subject)
        else:
            found += _verbs(compiled, words, clause, subject, since)
    if not found:
        found += _inverse(compiled, words, clause) or ([] if whom else _elided(compiled, words, clause))
    if not found:
        return []
    found.sort(key=_rank, reverse=True)
    chosen = found[0]
    further = more(compiled, words, clause, chosen)
    kept = [Found(_shared_head(chosen.fit, further), chosen.subject, chosen.reading, further)]
    for one in found[1:]:
        if all(_apart(one.fit, other.fit) for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: min((begin for begin, _ in one.fit.spans.values()), default=one.fit.end))


def _shared_head(first: Fit, more: tuple[tuple[Template, int, int], ...]) -> Fit:
    """Return the fit with the attribute of what follows where both share a noun: "electronic and rock music"."""
    if not more or first.template.attribute != "opinion":
        return first
    begin, end = first.spans.get("object", (0, 0))
    following, start, last = more[0]
    if end - begin != 1 or last - start < 2 or following.attribute == "opinion":
        return first
    return Fit(following, first.spans, first.end, first.weight)


def _rank(one: Found) -> tuple[bool, bool, int, bool, int]:
    """Return what decides between templates that fit: what isn't over, particular attributes, words, what holds now."""
    template = one.fit.template
    over = one.reading is not None and one.reading.tense == "past" and template.form not in ("did", "not")
    return (
        not over,
        template.attribute not in _GENERAL,
        one.fit.weight,
        template.form in ("verb", "not", "my"),
        one.fit.end,
    )


_GENERAL: Final = frozenset({"opinion", "choice.preference", "tool.uses"})
_BESIDE: Final = "schedule.routine"


def _apart(one: Fit, other: Fit) -> bool:
    """Tell whether two fits say different things: other attributes, from other words."""
    if one.template.attribute == other.template.attribute or one.template.attribute in _GENERAL:
        return False
    names = {one.template.attribute, other.template.attribute}
    if _BESIDE in names:
        return "schedule.appointment" not in names
    return not any(
        first < end and begin < last for first, last in one.spans.values() for begin, end in other.spans.values()
    )


def _verbs(compiled: Compiled, words: Words, clause: Clause, subject: Subject, since: int) -> list[Found]:
    found: list[Found] = []
    dated = not (words.masked - words.recurring).isdisjoint(range(since, clause.last))
    seen = frozenset(words.low[clause.first : clause.last])
    lasting = not _LASTS.isdisjoint(words.low[clause.first : clause.last + 2])
    timed = not words.masked.isdisjoint(range(since, clause.last))
    for reading in readings(words, subject, clause.last, compiled.inflected):
        if timed and (subject.name or subject.shape in ("other", "group")) and not reading.denied:
            found += _guests(compiled, words, clause, subject, reading)
        if subject.shape == "group" and subject.entity not in KIN and subject.entity not in RELATIVES:
            continue
        for template in compiled.verbs[reading.base].likely(seen) if reading.base in compiled.verbs else ():
            if (template.form == "they") != (subject.shape == "they") or not _allows(
                template, reading, subject, timed=timed, dated=dated, lasting=lasting, today=not _TODAY.isdisjoint(seen)
            ):
                continue
            laid = fit(words, template, reading.after, clause.last, compiled.choices.get(template.attribute, _NONE))
            if laid is not None and _lasting(words, laid):
                found.append(Found(laid, subject, reading))
    return found


def _lasting(words: Words, laid: Fit) -> bool:
    """Tell whether a liking is of a thing as such: "the view" and "this song" are of the moment."""
    first, last = laid.spans.get("object", (0, 0))
    if (
        laid.template.relation in LIKED
        and words.low[first] == "the"
        and first + 1 < last
        and not words.capital(first + 1)
    ):
        return False
    if laid.template.relation in LIKED and words.low[last : last + 2] in (
        ["like", "this"],
        ["like", "that"],
        ["like", "these"],
    ):
        return False
    if figure(words, laid):
        return False
    be = laid.template.pieces[0]
    ends_in_choice = isinstance(laid.template.pieces[-1], Gap) and laid.template.pieces[-1].kind == "values"
    return not (
        ends_in_choice
        and isinstance(be, Literal)
        and "be" in be.words
        and words.low[laid.end : laid.end + 1] in (["to"], ["of"])
    )


_TODAY: Final = frozenset("today tonight tomorrow".split())
_LASTS: Final = frozenset("since for always ever lately years ages decades".split())


def _guests(compiled: Compiled, words: Words, clause: Clause, subject: Subject, reading: Reading) -> list[Found]:
    """Return what says that somebody comes: "my parents are visiting next week"."""
    found: list[Found] = []
    for template in compiled.guests.get(reading.base, ()):
        laid = fit(words, template, reading.after, clause.last, _NONE)
        near = subject.name is not None or words.low[subject.after - 1] == subject.entity
        if laid is not None and near and reading.tense in ("present", "going", "future"):
            who = subject.name or (subject.after - 1, subject.after)
            verb = reading.verb
            while words.low[verb] in BE and verb + 1 < laid.end:
                verb += 1
            spans = {**laid.spans, "object": who, "value": (verb, verb + 1)}
            host = Subject(SELF, subject.after, subject.shape, subject.first)
            found.append(Found(Fit(template, spans, laid.end, 9), host, reading))
    return found


def _allows(
    template: Template, reading: Reading, subject: Subject, *, timed: bool, dated: bool, lasting: bool, today: bool
) -> bool:
    form = template.form
    if (
        form == "verb"
        and reading.tense == "going"
        and (today or _just_now(template, reading, lasting=lasting, dated=dated))
    ):
        return False
    if reading.base == "go" and reading.tense in ("going", "future") and form == "verb":
        return False
    if reading.modal == "rather" and template.attribute in _GENERAL:
        return False
    if reading.tense == "perfect" and form == "verb" and not (lasting or reading.ended):
        return False
    if form == "since":
        return reading.tense in ("perfect", "ongoing") and lasting and not (reading.denied or reading.modal)
    if form == "not":
        return (
            reading.denied
            and not (reading.tense == "going" and dated and not lasting and template.relation == "avoids")
            and (
                reading.tense in ("present", "perfect", "going", "ongoing")
                or (reading.tense == "future" and (template.relation == "NOT" or reading.base in ("eat", "drink")))
            )
            and (template.relation != "NOT" or dated)
            and reading.modal in ("", "can")
        )
    if reading.modal == "seldom":
        return False
    if template.relation in LIKED and reading.tense in ("going", "past"):
        return False
    if reading.denied and not reading.ended:
        return False
    if form == "will":
        return (
            dated
            and not reading.denied
            and (reading.tense in _TO_COME or (reading.tense == "present" and not reading.habit))
        )
    if form == "did":
        return reading.tense in _HAPPENED or (reading.tense in _TO_COME and timed)
    if subject.shape == "elided" and (
        reading.tense == "past" or template.attribute in _GENERAL or not template.relation
    ):
        return reading.tense == "going"
    return subject.shape == "self" or not any(
        isinstance(piece, Gap) and piece.kind == "self" for piece in template.pieces
    )


def _just_now(template: Template, reading: Reading, *, lasting: bool, dated: bool) -> bool:
    """Tell whether something is being done that only tells a habit where it is one: "I'm drinking tea"."""
    usual = template.attribute.startswith(_USUAL if not dated else _DATED) and template.pieces[0] != _BE
    return usual and not (reading.denied or reading.habit or lasting)


_USUAL: Final = ("drink.", "travel.seat", "travel.class", "travel.airline", "travel.hotel", "travel.meal")
_DATED: Final = (*_USUAL, "sport", "hobby", "game.", "music.")
"""Done at a time that is named, they are no habit either: "I'm playing tennis at six"."""
_BE: Final = Literal(frozenset({"be"}))


def _owned(compiled: Compiled, words: Words, clause: Clause, subject: Subject) -> list[Found]:
    found: list[Found] = []
    at = subject.after
    while at + 1 < clause.last and (
        words.low[at] in _OF_ONES_OWN or (words.low[at] in _AT_WORK and words.low[at + 1] not in RELATIVES)
    ):
        at += 1
    if at >= clause.last:
        return []
    seen = frozenset(words.low[clause.first : clause.last])
    the = "the " if subject.after and words.low[subject.after - 1] == "the" and words.low[at] not in AT_HOME else ""
    for begin in {at, subject.after}:
        shelves = [compiled.nouns[word] for word in (the + words.low[begin], the) if word in compiled.nouns]
        for template in [one for shelf in shelves for one in shelf.likely(seen)]:
            laid = fit(words, template, begin, clause.last, compiled.choices.get(template.attribute, _NONE), skip=0)
            if laid is not None:
                found.append(Found(laid, subject, None))
    return found


_OF_ONES_OWN: Final = frozenset("own current new usual full main personal".split())
_AT_WORK: Final = frozenset("work company office desk direct daily".split())
"""Before a noun they say which of several: "company laptop is a ThinkPad"."""


def _inverse(compiled: Compiled, words: Words, clause: Clause) -> list[Found]:
    low = words.low
    first = clause.first
    while first < clause.last and low[first] in OPENERS:
        first += 1
    if first >= clause.last:
        return []
    found: list[Found] = []
    seen = frozenset(low[clause.first : clause.last])
    for template in compiled.inverse.likely(seen):
        laid = fit(words, template, first, clause.last, compiled.choices.get(template.attribute, _NONE), skip=0)
        if laid is not None:
            found.append(Found(laid, Subject("user", first, "inverse", first), None))
    return found


def _elided(compiled: Compiled, words: Words, clause: Clause) -> list[Found]:
    """Return what fits words without a subject: "native language is Hungarian", "dentist tomorrow at 2"."""
    first = clause.first
    if acts(words.low[first], asked=True):
        return []
    while first < clause.last and (words.low[first] in _SKIPPED or first in words.masked):
        first += 1
    if first + 1 < clause.last and words.low[first] in _AT_WORK and words.low[first + 1] not in _SAYS_IS:
        first += 1
    if first >= clause.last:
        return []
    found: list[Found] = []
    own, the = compiled.nouns.get(words.low[first], ()), compiled.nouns.get(f"the {words.low[first]}", ())
    for template in (*own, *the):
        attribute = compiled.attributes[template.attribute]
        known = attribute.category in _CARDS or template.form == "the"
        if (
            known or (attribute.category in _AT_HAND and (template.attribute == "hobby" or not is_loose(template)))
        ) and any(isinstance(one, Literal) and one.words & _SAYS_IS for one in template.pieces):
            laid = fit(words, template, first, clause.last, compiled.choices.get(template.attribute, _NONE), skip=0)
            if laid is not None:
                found.append(Found(laid, Subject("user", first, "elided", first), None))
    if not found and not words.masked.isdisjoint(range(first, clause.last)):
        for template in compiled.verbs.get("have", ()):
            if template.attribute == "schedule.appointment":
                laid = fit(words, template, first, clause.last, _NONE)
                if laid is not None:
                    found.append(
                        Found(laid, Subject("user", first, "elided", first), Reading("have", first, first, "present"))
                    )
    return found


_SKIPPED: Final = frozenset("and but so also btw , oh my fyi all".split())
_AT_HAND: Final = frozenset(
    "home household work education account health finance project food travel tool leisure preference".split()
)
_SAYS_IS: Final = frozenset("is are go goes".split())
_CARDS: Final = frozenset("identity contact language".split())
