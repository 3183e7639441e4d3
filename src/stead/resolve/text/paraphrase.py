"""The same in other words: a clause as other clauses that say what it says, so that one question has one key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from stead.resolve.text.clause import Clause
from stead.resolve.text.lexicon import mapping, words
from stead.resolve.text.phrase import Segment, singular
from stead.resolve.text.relations import single_relations
from stead.resolve.text.subjects import Subject
from stead.resolve.text.tokens import Token
from stead.resolve.text.verbs import form_of

_APPOINTING: Final = frozenset("elect appoint name make promote install crown choose select hire".split())
_LASTING: Final = frozenset("rewrite rename reschedule schedule deploy set configure price assign".split())
"""Verbs whose result still holds when they are in the past: "we rewrote the API in Go"."""
_HOLDING: Final = frozenset({"have", "hold", "get", "take", "land"})
_OWN: Final = Token("'s", "'s")
_MY: Final = Token("my", "my")


def paraphrases(found: Clause, subject: Subject, parts: tuple[Segment, ...]) -> Iterator[Clause]:
    """Yield the clauses that say the same as this one.

    Parameters
    ----------
    found
        The clause as it was said.
    subject
        Whom it is about.
    parts
        What follows its verb.

    Yields
    ------
    Clause
        "Dune is a novel by Herbert" as "Dune was written by Herbert", "was elected mayor of Graz" as "is the mayor of Graz".
    """
    if not parts or found.ended:
        return
    if found.able:
        if (
            found.verb == "be" and not found.negated and [token.low for token in parts[0].tokens] == ["found"]
        ):  # "can be found in"
            located = found.rest[1:]
            yield Clause(subject=found.subject, verb="locate", rest=located, passive=True)
        return
    if found.verb == "be" and not found.passive:
        yield from _reduced(found, parts)
        yield from _on_team(found, parts)
        yield from _home(found, subject, parts)
        return
    if found.negated:
        yield from _allergic(found, parts)
        return
    yield from _done_by_us(found, subject, parts)
    yield from _done_to_me(found, parts)
    yield from _called_so(found, subject, parts)
    yield from _switched(found, parts)
    yield from _by_office(found, parts)
    yield from _in_office(found, parts)
    yield from _allergic(found, parts)
    yield from _employed(found, parts)
    yield from _living(found, parts)
    yield from _located(found, parts)
    if (
        found.passive
        and found.verb in ("locate", "situate", "base")
        and subject.head.split(" ")[-1] in words("place_heads")
    ):
        yield replace(found, verb="be", passive=False)  # "the headquarters are located in"


def _reduced(found: Clause, parts: tuple[Segment, ...]) -> Iterator[Clause]:
    """Read "is a film directed by X", "is a company based in X", "is a novel by X": the noun is the subject."""
    core = parts[0].tokens
    kind = next((mapping("made_by")[token.low] for token in found.subject[:2] if token.low in mapping("made_by")), "")
    if parts[0].preposition == "by" and kind:  # "the book Dune is by Herbert"
        yield replace(found, verb=kind, passive=True)
        return
    if parts[0].preposition or len(parts) < 2 or len(core) < 2 or core[0].low not in words("articles"):
        return
    form, after = form_of(core[-1].low), parts[1].preposition
    place = len(core)
    verb = ""
    if form is not None and form.participle and len(core) > 2:
        verb = form.base
    elif after == "by":
        verb = mapping("made_by").get(core[-1].low, "")
    if f"{verb} {after}" in single_relations(passive=True):
        yield Clause(subject=found.subject, verb=verb, rest=found.rest[place:], passive=True, negated=found.negated)


def _done_by_us(found: Clause, subject: Subject, parts: tuple[Segment, ...]) -> Iterator[Clause]:
    """Read "we host the API in Dublin" as "the API is hosted in Dublin"."""
    thing = parts[0].tokens
    if not subject.is_user or found.passive or len(parts) < 2 or parts[0].preposition or not thing:
        return
    if (
        found.verb == "have"
        and thing[0].low in ("my", "our", "the")
        and parts[1].is_time
        and parts[1].preposition == "at"
    ):
        yield replace(found, subject=thing, verb="be", rest=found.rest[len(thing) :])  # "we have our standup at 9"
        return
    if found.past and found.verb not in _LASTING:
        return
    definite = thing[0].low in words("determiners") - words("quantities") or all(token.is_name for token in thing)
    if definite and f"{found.verb} {parts[1].preposition}" in single_relations(passive=True):
        yield replace(found, subject=thing, rest=found.rest[len(thing) :], passive=True)


def _switched(found: Clause, parts: tuple[Segment, ...]) -> Iterator[Clause]:
    """Read "has been turned off" as "is off"."""
    state = parts[0].preposition
    if found.passive and found.verb in ("turn", "switch") and state in ("on", "off") and not parts[0].tokens:
        yield Clause(subject=found.subject, verb="be", rest=found.rest)


def _on_team(found: Clause, parts: tuple[Segment, ...]) -> Iterator[Clause]:
    """Read "is on the payments team" as "is a member of the payments team"."""
    core = parts[0].tokens
    if (
        parts[0].preposition in ("on", "in")
        and len(core) > 1
        and core[-1].low in ("team", "committee", "board", "council", "choir")
    ):
        member = (Token("a", "a"), Token("member", "member"), Token("of", "of"))
        yield replace(found, rest=(*member, *found.rest[1:]))


def _done_to_me(found: Clause, parts: tuple[Segment, ...]) -> Iterator[Clause]:
    """Read "Tom manages me" as "I am managed by Tom"."""
    by = f"{found.verb} by" in single_relations(passive=True)
    if not found.passive and by and found.subject and [token.low for token in parts[0].tokens] == ["me"]:
        rest = (Token("by", "by"), *found.subject, *found.rest[1:])
        yield replace(found, subject=(), rest=rest, passive=True)


def _called_so(found: Clause, subject: Subject, parts: tuple[Segment, ...]) -> Iterator[Clause]:
    """Read "we named our dog Rex" as "our dog is called Rex"."""
    core = parts[0].tokens
    if (
        found.verb not in ("name", "call")
        or found.passive
        or not subject.is_user
        or parts[0].preposition
        or len(core) < 3
    ):
        return
    name = next((at for at in range(2, len(core)) if core[at].is_name), 0)
    if name and core[0].low in words("possessives") and all(token.is_name for token in core[name:]):
        yield Clause(subject=core[:name], verb="call", rest=core[name:], passive=True)


def _by_office(found: Clause, parts: tuple[Segment, ...]) -> Iterator[Clause]:
    """Read "is run by CEO Tom Reed" as "Tom Reed is the CEO of it"."""
    agent = next((each.tokens for each in parts if each.preposition == "by"), ())
    if (
        not found.passive
        or found.past
        or len(agent) < 2
        or agent[0].low not in words("attributes")
        or not agent[1].is_name
    ):
        return
    rest = (Token("the", "the"), agent[0], Token("of", "of"), *found.subject)
    yield Clause(subject=agent[1:], verb="be", rest=rest)


def _home(found: Clause, subject: Subject, parts: tuple[Segment, ...]) -> Iterator[Clause]:
    """Read "my home is in Graz"."""
    if subject.is_user or subject.head not in ("", "home") or subject.plain.split(" ")[-1] != "home" or found.past:
        return
    owner = found.subject[:-2] if len(found.subject) > 2 else ()
    if parts[0].preposition == "in" and (found.subject[0].low in words("possessives") or owner):
        yield replace(found, subject=owner, verb="live")


def _in_office(found: Clause, parts: tuple[Segment, ...]) -> Iterator[Clause]:
    """Read "was elected mayor of X", "serves as the CEO of X": who holds an office is in it."""
    if found.verb == "take" and parts[0].preposition == "over" and not parts[0].tokens and len(parts) > 1:
        found, parts = replace(found, verb="serve", rest=found.rest[1:], past=False), parts[1:]  # "took over as CEO"
    appointed = found.passive and found.verb in _APPOINTING and parts[0].preposition in ("", "as", "to be")
    serving = (
        not found.passive and found.verb in ("serve", "act", "work") and parts[0].preposition == "as" and not found.past
    )
    core = parts[0].tokens
    if not (appointed or serving) or not core or core[0].low in ("a", "an"):
        return
    at = next((place for place, token in enumerate(core) if token.low in ("of", "'s")), len(core))
    nouns = core[:at] if at < len(core) and core[at].low == "of" else core[at + 1 :] or core[:at]
    office = words("attributes") | words("kin") | words("office_nouns")
    bare = (
        at < len(core) and all(token.raw.islower() for token in nouns) and singular(nouns[-1].low) == nouns[-1].low
        if nouns
        else False
    )
    if not nouns or not (singular(nouns[-1].low) in office or bare):
        return
    definite = core[0].low == "the" or "'s" in {token.low for token in core}
    rest = found.rest[1:] if parts[0].preposition else found.rest
    yield Clause(subject=found.subject, verb="be", rest=rest if definite else (Token("the", "the"), *rest))


def _allergic(found: Clause, parts: tuple[Segment, ...]) -> Iterator[Clause]:
    """Read "has a nut allergy", "has no allergy to nuts" as "is (not) allergic to nuts"."""
    core = [token for token in parts[0].tokens if token.low not in words("articles")]
    if found.verb != "have" or parts[0].preposition or not core or singular(core[-1].low) != "allergy":
        return
    to = parts[1].tokens if len(parts) > 1 and parts[1].preposition == "to" else tuple(core[:-1])
    if to:
        rest = (Token("allergic", "allergic"), Token("to", "to"), *to)
        yield Clause(subject=found.subject, verb="be", rest=rest, negated=found.negated, past=found.past)


def _employed(found: Clause, parts: tuple[Segment, ...]) -> Iterator[Clause]:
    """Read "has a job at X", "got a job as a welder"."""
    core = parts[0].tokens
    if found.verb not in _HOLDING or parts[0].preposition or not core or core[-1].low != "job" or len(parts) < 2:
        return
    if parts[1].preposition in ("at", "with", "as") and len(core) <= 3:
        rest = found.rest[len(core) :]
        yield Clause(subject=found.subject, verb="work", rest=(_work(rest[0]), *rest[1:]))


def _living(found: Clause, parts: tuple[Segment, ...]) -> Iterator[Clause]:
    """Read "makes his home in X", "calls X home" as "lives in X", "earns her living as a Y" as "works as a Y"."""
    core = parts[0].tokens
    if found.passive or parts[0].preposition or len(core) < 2 or not found.subject or found.past:
        return
    after = parts[1].preposition if len(parts) > 1 else ""
    determined = len(core) == 2 and core[0].low in words("determiners")
    if found.verb == "make" and determined and core[1].low == "home" and after == "in":
        yield Clause(subject=found.subject, verb="live", rest=found.rest[2:])
    elif found.verb == "call" and core[-1].low == "home" and all(token.is_name for token in core[:-1]):
        yield Clause(subject=found.subject, verb="live", rest=(Token("in", "in"), *core[:-1]))
    elif found.verb in ("earn", "make") and determined and core[1].low == "living" and after == "as":
        yield Clause(subject=found.subject, verb="work", rest=found.rest[2:])


def _work(token: Token) -> Token:
    return Token("at", "at") if token.low == "with" else token


def _located(found: Clause, parts: tuple[Segment, ...]) -> Iterator[Clause]:
    """Read "has its headquarters in X" as "its headquarters are in X"."""
    core = parts[0].tokens
    if found.verb not in ("have", "hold") or parts[0].preposition or len(parts) < 2 or len(core) < 2 or found.past:
        return
    if core[0].low in words("possessives") and core[-1].low in words("place_heads"):
        noun = core[1:]
        owner: Sequence[Token] = (*found.subject, _OWN) if found.subject else (_MY,)
        yield Clause(subject=(*owner, *noun), verb="be", rest=found.rest[len(core) :])
