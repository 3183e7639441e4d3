"""The clause of a statement: its subject, its verb with polarity and tense, and what follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from stead.resolve.text.finite import FREQUENT, NEGATIONS, finite_at_start, low_at, main_verb, skip
from stead.resolve.text.lexicon import mapping, words
from stead.resolve.text.relations import single_relations
from stead.resolve.text.tokens import Token
from stead.resolve.text.verbs import BE, DO, HAVE, Form, form_of, same_verb, verb_words, with_particle

_STOPPED: Final = frozenset("stop quit cease abandon".split())
_STARTED: Final = frozenset("start begin resume restart".split())
_ONCE: Final = frozenset("write publish air broadcast compose release film show perform design build record".split())
"""What is done once: "originally written in French", "first published in 1999"."""
_NOBODY: Final[tuple[Token, ...]] = ()
_SAYING: Final = frozenset(
    "say think believe claim hope know feel guess suspect mention report state fear doubt".split()
)
"""Verbs after which "that" begins what somebody else holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """One statement, taken apart."""

    subject: tuple[Token, ...]
    """Empty: the subject of the record."""
    verb: str
    """The base form; ``be`` for a copula."""
    rest: tuple[Token, ...]
    """What follows the verb."""
    passive: bool = False
    negated: bool = False
    past: bool = False
    """Simple past: it speaks of another time."""
    ended: bool = False
    """It was so and no longer is: "used to", "stopped"."""
    able: bool = False
    """ "can": what somebody or something is able to do."""


def clause(tokens: Sequence[Token]) -> Clause | None:
    """Return the one clause of a statement; None where no finite verb is found, or more than one that isn't subordinate."""
    start = skip(tokens, 0)
    if start >= len(tokens):
        return None
    before = any(token.low in NEGATIONS or token.low == "longer" for token in tokens[:start])
    if before and tokens[start].low in words("articles") | words("states"):
        return Clause(subject=(), verb="be", rest=tuple(tokens[start:]), negated=True)  # "No longer a vegetarian"
    if finite_at_start(tokens, start):
        place, subject, negated = start, _NOBODY, before
    else:
        main = main_verb(tokens)
        if main is None:
            return None
        place = main
        subject, negated = _before_verb(tuple(tokens[:main]))
    if any(token.low in words("clause") or token.low in words("relative") for token in subject):
        return None
    found = _verb_group(tokens, place, subject, negated)
    if found is None or _second_clause(found.rest) or (found.verb in _SAYING and low_at(found.rest, 0) == "that"):
        return None
    return found


def _before_verb(subject: tuple[Token, ...]) -> tuple[tuple[Token, ...], bool]:
    """Take the adverbs and negations off the end of the subject."""
    negated = False
    kept = list(subject)
    while kept:
        low = kept[-1].low
        if low == "longer" and len(kept) > 1 and kept[-2].low == "no":
            negated = True
            del kept[-2:]
        elif low in NEGATIONS:
            negated = True
            kept.pop()
        elif (
            low in words("soft") or low in FREQUENT or low in (",", "first", "originally") or _is_manner(kept[-1])
        ) and len(kept) > 1:
            kept.pop()
        else:
            break
    return tuple(kept), negated


def _is_manner(token: Token) -> bool:
    """Tell "strongly" from "family", "Emily", and from "formerly", which speaks of another time."""
    low = token.low
    kept = low in words("ly_nouns") or low in words("other_time")
    return token.raw.islower() and low.endswith("ly") and len(low) > 5 and not kept


def _verb_group(tokens: Sequence[Token], place: int, subject: tuple[Token, ...], negated: bool) -> Clause | None:
    """Read auxiliaries, negation and the verb itself."""
    low = tokens[place].low
    if low in BE or low == "'s":
        return _after_be(tokens, place + 1, subject, negated=negated, past=BE.get(low) == "past")
    if low in HAVE:
        return _after_have(tokens, place, subject, negated)
    if low in DO:
        at, more = _pass_adverbs(tokens, place + 1)
        form = form_of(low_at(tokens, at))
        if form is None or not form.plain:
            return (
                None if more else Clause(subject=subject, verb="do", rest=tuple(tokens[place + 1 :]), negated=negated)
            )
        return _lexical(tokens, at, form, subject, negated=negated or more, past=DO[low] == "past")
    if low in ("can", "will"):
        return _after_modal(tokens, place, subject, negated)
    form = form_of(low)
    if form is None:
        return None
    after_comma = place > 1 and tokens[place - 1].low == "," and form.participle and not form.third
    if after_comma and f"{form.base} {low_at(tokens, place + 1)}" in single_relations(
        passive=True
    ):  # "Acme, founded by Tom"
        return Clause(subject=subject, verb=form.base, rest=tuple(tokens[place + 1 :]), passive=True, negated=negated)
    if (
        form.participle
        and not form.third
        and not subject
        and low_at(tokens, place + 1) in words("prepositions")
        and form.base in _stative()
    ):
        return Clause(subject=subject, verb=form.base, rest=tuple(tokens[place + 1 :]), passive=True, negated=negated)
    return _lexical(tokens, place, form, subject, negated=negated, past=form.past and not form.third)


def _stative() -> frozenset[str]:
    """Return the verbs whose participle says a state without "is": "Married to Anna", "Born in Oslo"."""
    return frozenset("marry bear base locate call name employ engage situate found write direct station".split())


def _after_be(
    tokens: Sequence[Token], place: int, subject: tuple[Token, ...], *, negated: bool, past: bool
) -> Clause | None:
    at, more = _pass_adverbs(tokens, place)
    negated = negated or more
    form = form_of(low_at(tokens, at))
    answers = bool(subject) and at + 1 == len(tokens) and any(token.low in words("gerund_answers") for token in subject)
    titled = at < len(tokens) and tokens[at].raw[:1].isupper()  # "is Rolling Stone"
    does = form is not None and form.gerund and low_at(tokens, at) != "being" and not titled
    if form is not None and does and not (_is_state(tokens, at) or answers):
        if low_at(tokens, at) == "going" and low_at(tokens, at + 1) == "to":
            return None  # an intention is not yet a fact
        return _lexical(tokens, at, form, subject, negated=negated, past=past)
    status = any(token.low in words("status_words") for token in subject)  # "the status is done"
    if form is not None and form.participle and with_particle(form.base, low_at(tokens, at + 1)):  # "was set up in"
        verb = with_particle(form.base, low_at(tokens, at + 1))
        return Clause(
            subject=subject, verb=verb, rest=tuple(tokens[at + 2 :]), passive=True, negated=negated, past=past
        )
    if form is not None and _is_passive(tokens, at, form) and not (status and at + 1 == len(tokens)):
        rest = tuple(tokens[_pass_adverbs(tokens, at + 1)[0] :])
        return Clause(subject=subject, verb=form.base, rest=rest, passive=True, negated=negated, past=past)
    if at >= len(tokens):
        return None
    return Clause(subject=subject, verb="be", rest=tuple(tokens[at:]), negated=negated, past=past)


def _is_state(tokens: Sequence[Token], place: int) -> bool:
    """Tell "the dishwasher is working again", a state, from "is working at Acme"."""
    rest = [token for token in tokens[place + 1 :] if token.low not in words("soft")]
    return tokens[place].low in mapping("families") and not rest


def _is_passive(tokens: Sequence[Token], place: int, form: Form) -> bool:
    """Tell a passive from an adjective: "is married to Anna", "is run by cron", but "is closed on Mondays"."""
    after = low_at(tokens, _pass_adverbs(tokens, place + 1)[0])
    if not form.participle or tokens[place].raw[:1].isupper():
        return False
    if tokens[place].low in mapping("families") and f"{form.base} {after}" not in single_relations(passive=True):
        return False
    return not form.plain or after == "by" or f"{form.base} {after}" in single_relations(passive=True)


def _after_have(tokens: Sequence[Token], place: int, subject: tuple[Token, ...], negated: bool) -> Clause | None:
    at, more = _pass_adverbs(tokens, place + 1)
    low = low_at(tokens, at)
    form = form_of(low)
    if low == "been":
        found = _after_be(tokens, at + 1, subject, negated=negated or more, past=False)
        # "has been to Rome" is a visit, "has been vegetarian" a state
        if found is not None and found.verb == "be" and found.rest[0].low == "to":
            return replace(found, verb="visit", rest=found.rest[1:])
        return found
    if low == "to":
        return None if more else Clause(subject=subject, verb="have", rest=tuple(tokens[at:]), negated=negated)
    if (
        form is not None
        and form.participle
        and not (form.plain and form.base in verb_words("nounlike"))
        and at + 1 <= len(tokens)
    ):
        return _lexical(tokens, at, form, subject, negated=negated or more, past=False)
    past = HAVE[tokens[place].low] == "past"
    rest = tuple(tokens[place + 1 :])
    if rest and rest[0].low == "no" and low_at(rest, 1) != "longer":
        return Clause(subject=subject, verb="have", rest=rest[1:], negated=not negated, past=past)
    return Clause(subject=subject, verb="have", rest=tuple(tokens[at:]), negated=negated or more, past=past)


def _after_modal(tokens: Sequence[Token], place: int, subject: tuple[Token, ...], negated: bool) -> Clause | None:
    at, more = _pass_adverbs(tokens, place + 1)
    form = form_of(low_at(tokens, at))
    if form is None or not form.plain:
        return None
    negated = negated or more
    if tokens[place].low == "will":
        found = _after_be(tokens, at + 1, subject, negated=negated, past=False) if form.base == "be" else None
        return found or _lexical(tokens, at, form, subject, negated=negated, past=False)
    if form.base == "stand" and negated:
        return Clause(subject=subject, verb="hate", rest=tuple(tokens[at + 1 :]))
    found = _lexical(tokens, at, form, subject, negated=negated, past=False)
    return replace(found, able=True) if found else None


def _pass_adverbs(tokens: Sequence[Token], place: int) -> tuple[int, bool]:
    negated = False
    while place < len(tokens):
        low = tokens[place].low
        if low in NEGATIONS:
            negated = True
        elif low == "no" and low_at(tokens, place + 1) == "longer":
            negated = True
            place += 1
        elif low not in words("soft") and low not in FREQUENT and not _before_participle(tokens, place):
            break
        place += 1
    return place, negated


def _before_participle(tokens: Sequence[Token], place: int) -> bool:
    """Pass "fully" in "is fully booked", and "originally", "first" in "was first published"."""
    form = form_of(low_at(tokens, place + 1))
    if form is None or not form.participle:
        return False
    return _is_manner(tokens[place]) or (tokens[place].low in ("first", "originally") and form.base in _ONCE)


def _lexical(
    tokens: Sequence[Token], place: int, form: Form, subject: tuple[Token, ...], *, negated: bool, past: bool
) -> Clause | None:
    """Read a full verb, and what "used to", "stopped" and "started" do to the verb that they carry."""
    rest = tuple(tokens[place + 1 :])
    if tokens[place].low == "used" and low_at(rest, 0) == "to":
        inner = form_of(low_at(rest, 1))
        if inner is None or not inner.plain:
            return None
        if inner.base == "be":
            found = _after_be(rest, 2, subject, negated=False, past=False)
            return replace(found, ended=not negated) if found else None
        return Clause(subject=subject, verb=same_verb(inner.base), rest=rest[2:], ended=not negated, past=False)
    carried = form_of(low_at(rest, 0))
    if (
        form.base == "get" and carried is not None and carried.participle and not carried.plain
    ):  # "gets paid", "got promoted"
        lasts = carried.base in ("marry", "engage", "divorce")
        return Clause(
            subject=subject, verb=carried.base, rest=rest[1:], passive=True, negated=negated, past=past and not lasts
        )
    if carried is not None and carried.gerund and form.base in _STOPPED | _STARTED:
        stopped = form.base in _STOPPED
        return Clause(
            subject=subject, verb=same_verb(carried.base), rest=rest[1:], negated=negated, ended=stopped and not negated
        )
    particle = with_particle(form.base, low_at(rest, 0))
    if particle:
        return Clause(subject=subject, verb=particle, rest=rest[1:], negated=negated, past=past)
    if form.base == "go" and carried is not None and carried.gerund:  # "goes running"
        return Clause(subject=subject, verb=same_verb(carried.base), rest=rest[1:], negated=negated, past=past)
    if form.base == "give" and low_at(rest, 0) == "up":
        carried = form_of(low_at(rest, 1))
        if carried is not None and carried.gerund:
            return Clause(subject=subject, verb=same_verb(carried.base), rest=rest[2:], ended=not negated)
    past = past and form.base != "become"  # what one became, one is
    return Clause(subject=subject, verb=same_verb(form.base), rest=rest, negated=negated, past=past)


def _second_clause(rest: Sequence[Token]) -> bool:
    """Tell whether another statement follows that isn't subordinate to something in this one."""
    joined = False
    for place, token in enumerate(rest):
        joined = joined or token.low in ("and", ",", "or")
        finite = form_of(token.low) if joined else None
        if finite is not None and finite.third and finite.base not in verb_words("nounlike") and place:
            return True
        if token.low in words("relative") or token.low in words("clause"):
            return token.low in ("but", "whereas", "although", "though", "however")
        low, after = token.low, rest[place + 1] if place + 1 < len(rest) else None
        if low in ("and", ",", "or") and after is not None:
            form = form_of(after.low)
            third = rest[place + 2] if place + 2 < len(rest) else None
            follows = third is not None and (
                third.low in words("prepositions") | words("determiners") or third.has_digit
            )
            certain = form is not None and form.third and (follows or form.base not in verb_words("nounlike"))
            if certain or after.low in ("is", "has", "does", "was", "are", "i", "he", "she", "they", "we"):
                return True
        if place and token.low in ("is", "are", "was", "were", "does", "did"):
            return True
    return False
