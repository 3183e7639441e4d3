"""Frames of "X is Y": what a definite subject is, which question a possessive asks, where and when a thing is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from stead.model.slot import SELF
from stead.resolve.text.answers import Answer, answer, placed_answer
from stead.resolve.text.clause import Clause
from stead.resolve.text.families import opposed
from stead.resolve.text.frame import Frame
from stead.resolve.text.lexicon import mapping, words
from stead.resolve.text.making import denied, joined, many, single_frame, suffixed
from stead.resolve.text.phrase import Segment, phrase, singular
from stead.resolve.text.relations import belonging, single_relations
from stead.resolve.text.subjects import Subject, read_subject
from stead.resolve.text.tokens import Token
from stead.resolve.text.verbs import form_of, results

_DETAILS: Final = frozenset({"by", "for", "after", "because"})
_PLACING: Final = frozenset({"in", "at", "on"})
_MEASURES: Final = {
    "old": "age", "of age": "age", "tall": "height", "high": "height", "long": "length", "wide": "width", "deep": "depth",
    "heavy": "weight", "thick": "thickness", "away": "distance", "far": "distance", "big": "size",
}  # fmt: skip


def copula(found: Clause, subject: Subject, parts: tuple[Segment, ...]) -> Iterable[Frame]:
    """Yield the frames of a copula sentence, the most exact first."""
    if not parts:
        return
    first = parts[0]
    if first.preposition and not first.tokens:  # "is up", "is off": an adjective in the shape of a preposition
        first = Segment(preposition="", tokens=(Token(first.preposition, first.preposition),))
        parts = (first, *parts[1:])
    clock = next((each for each in parts[1:] if each.preposition == "at"), None)
    if first.preposition in ("every", "each") and clock is not None:  # "is every day at 9"
        parts = (clock, *(each for each in parts if each is not clock))
        first = clock
    off = found.negated or found.ended
    limits = [str(each) for each in parts[1:] if each.limits or each.is_time]
    who = subject.plain or subject.entity
    reply = placed_answer(first.tokens, first.preposition)
    if reply is not None and not (found.past and not _past_is_fine(subject)):
        if first.tokens[0].low in ("due", "valid", "open") and len(parts) > 1:
            yield from _due(who, parts, off=off)
        if first.preposition:
            yield from _placed(subject, who, first, reply, limits, off=off)
        else:
            worth = first.tokens[0].low == "worth"
            amount = answer(first.tokens[1:]) if worth else reply
            if amount is not None:
                aged = who == SELF or subject.person
                yield from _measure(who, amount, limits, aged=aged, worth=worth, off=off)
            yield from _citizen(who, first, limits, off=off)
            yield from _named(found, first, off=off)
            owner = parts[1] if len(parts) > 1 else None
            yield from _inverse(found, first, owner, limits, off=off, subject=subject, who=who)
            yield from _answered(subject, first, reply, limits, off=off)
            yield from _in_place(who, parts, off=off)
    yield from _described(found, who, parts, off=off)


def _due(who: str, parts: tuple[Segment, ...], *, off: bool) -> Iterable[Frame]:
    """Read "is due on 3 May", "is valid until June"."""
    state, when = parts[0], parts[1]
    reply = answer(when.tokens, when.preposition)
    if reply is not None and state.tokens[0].low == "valid" and when.preposition == "for" and reply.kind == "a":
        yield _yes_or_no(who, suffixed("expire after", reply), [], reply, off=off)
    until = when.preposition == "until"
    if reply is None or reply.kind != "t" or len(state.tokens) != 1 or not (until or state.tokens[0].low == "due"):
        return
    relation = suffixed(f"be {state.tokens[0].low}{' until' if until else ''}", reply)
    yield _yes_or_no(who, relation, [str(each) for each in parts[2:] if each.limits], reply, off=off)


def _past_is_fine(subject: Subject) -> bool:
    """Tell questions whose answer never changes: an author, a birthplace. In the past tense others speak of another time."""
    return any(word in words("timeless") for word in subject.head.split()) or (
        not subject.head and not subject.is_user and not subject.person
    )


def _placed(
    subject: Subject, who: str, first: Segment, reply: Answer, limits: list[str], *, off: bool
) -> Iterable[Frame]:
    """Read "is in Room 101", "is at 9", "is on 3 May"."""
    relation = single_relations(passive=False).get(f"be {first.preposition}") if not _is_attribute(subject) else None
    if relation is not None and reply.kind in relation.accepts:
        yield _yes_or_no(who, suffixed(relation.name, reply, place=relation.place), limits, reply, off=off)
    elif reply.kind == "a" and first.preposition == "at" and not subject.is_user:
        yield _yes_or_no(
            subject.entity if subject.head else who, suffixed(subject.head or "be at", reply), limits, reply, off=off
        )
    elif reply.kind == "t" and subject.person and who not in words("meals"):
        return  # "the CEO is on vacation"
    elif reply.kind == "t" and _is_attribute(subject):
        yield _yes_or_no(subject.entity, subject.head or "be", limits, reply, off=off)
    elif reply.kind == "t" and (who in words("meals") or not (subject.is_user or _is_bare_name(subject))):
        yield _yes_or_no(who, suffixed("be at", reply), limits, reply, off=off)
    elif first.preposition in _PLACING and reply.kind in "nd":
        if subject.head.split(" ")[-1] in words("place_heads"):
            yield _yes_or_no(subject.entity, suffixed(subject.head, reply, place=True), limits, reply, off=off)
        elif (
            (subject.definite and not subject.person and not subject.is_user)
            or _names_kind(first)
            or _is_place(subject)
        ):
            yield _yes_or_no(who, suffixed("be located in", reply, place=True), limits, reply, off=off)


def _is_place(subject: Subject) -> bool:
    """Tell "Mount Arral", "Kelm Castle" from people by the word of place in the name."""
    name = subject.plain.split(" ")
    return len(name) > 1 and bool({name[0], name[-1]} & words("place_marks"))


def _names_kind(first: Segment) -> bool:
    """Tell whether the answer names its kind: "in the continent of Asia"."""
    lows = [token.low for token in first.tokens if token.low not in words("articles")]
    return len(lows) > 2 and lows[0] in words("place_kinds") and lows[1] == "of"


def _is_attribute(subject: Subject) -> bool:
    """Tell whether the subject itself asks for one answer of whatever kind: a deadline, a budget, an address."""
    return (subject.head or subject.entity).split(" ")[-1] in words("attributes")


def _measure(who: str, reply: Answer, limits: list[str], *, aged: bool, worth: bool, off: bool) -> Iterable[Frame]:
    """Read "is 34 years old", "is 180 cm tall"."""
    if reply.kind != "a":
        return
    if who != SELF and reply.sort in ("eur", "usd", "gbp") and worth:
        yield _yes_or_no(who, suffixed("value", reply), limits, reply, off=off)
    if reply.more in _MEASURES and reply.sort != "number":
        name = _MEASURES[reply.more]
        value = (
            f"{int(reply.text.split()[0]) // 12}"
            if name == "age" and reply.sort == "month" and reply.text.split()[0].isdigit()
            else reply.text
        )
        named = name if name == "age" else suffixed(name, reply)
        yield _yes_or_no(who, named, limits, Answer(text=value, kind="a", sort="number"), off=off)
    elif reply.sort == "number" and not reply.more and aged:
        yield _yes_or_no(who, "age", limits, reply, off=off)


def _citizen(who: str, first: Segment, limits: list[str], *, off: bool) -> Iterable[Frame]:
    """Read "is a citizen of Norland", "is a subsidiary of Acme": what one belongs to is the answer."""
    of = next((at for at, token in enumerate(first.tokens) if token.low == "of"), 0)
    noun = phrase(first.tokens[:of])
    relation = belonging(noun)
    if noun == "member" and first.tokens[-1].low == "party" and any(token.is_name for token in first.tokens):
        relation = "party"
    if not of or not relation:
        return
    reply = placed_answer(first.tokens[of + 1 :])
    if reply is not None and reply.kind in "nd":
        yield _yes_or_no(who, relation, limits, reply, off=off)


def _in_place(who: str, parts: tuple[Segment, ...], *, off: bool) -> Iterable[Frame]:
    """Read "is a town in Norland", "is best known for Dune"."""
    if len(parts) < 2 or off:
        return
    first, second = parts[0], parts[1]
    if str(second) in ("by job", "by trade", "by training") and not first.preposition:
        yield single_frame(who, "work as (kind)", [], phrase(first.tokens))
        return
    if phrase(first.tokens) in ("pupil", "student") and second.preposition in ("at", "of"):
        yield single_frame(who, "study at", [], phrase(second.tokens))
        return
    if phrase(first.tokens) in ("sequel", "prequel") and second.preposition == "to":
        yield single_frame(who, f"be {phrase(first.tokens)} to", [], phrase(second.tokens))
        return
    reply = placed_answer(second.tokens, second.preposition)
    if reply is None or reply.kind != "n":
        return
    limits = [str(each) for each in parts[2:] if each.limits]
    if (
        phrase(first.tokens) in ("reachable", "accessible", "available")
        and second.preposition == "at"
        and "." in reply.text
    ):
        yield single_frame(who, "be reachable at", limits, reply.text)
    lows = [token.low for token in first.tokens]
    if lows[:1] in (["a"], ["an"]) and singular(lows[-1]) in words("place_nouns") and second.preposition in _PLACING:
        yield single_frame(who, suffixed("be located in", reply, place=True), limits, reply.text)
    elif lows in (["best", "known"], ["most", "famous"], ["famous"]) and second.preposition == "for":
        yield single_frame(who, "be best known for", limits, reply.text)


def _inverse(
    found: Clause, first: Segment, owner: Segment | None, limits: list[str], *, off: bool, subject: Subject, who: str
) -> Iterable[Frame]:
    """Read "Paris is the capital of France" as an answer to what that capital is."""
    core = first.tokens
    among = owner is not None and owner.preposition == "in" and any(token.low in words("most") for token in core)
    if owner is not None and (owner.preposition == "for" or among) and owner.tokens and core[0].low == "the":
        core = (*core, Token(owner.preposition, owner.preposition), *owner.tokens)  # "is the deadline for the report"
    numbered = len(found.subject) > 1 and found.subject[0].is_name and found.subject[-1].has_digit  # "Boeing 757"
    named = subject.is_user or (not subject.head and bool(found.subject) and (found.subject[-1].is_name or numbered))
    own = core[0].low in words("own_possessives") and not subject.is_user
    if core[0].low in ("a", "an", "one", "part") or (core[0].low in words("possessives") and not own):
        return
    asked = read_subject(core)
    thing = not subject.head and subject.definite and not subject.person
    amount = answer(found.subject) if found.subject else None
    favorite = own and len(core) > 1 and core[1].low == "favorite"
    named = named or (amount is not None and amount.kind in "at") or favorite
    if not named and not (
        thing and asked is not None and asked.head in words("open_attributes") and core[0].low == "the"
    ):
        return
    if (
        asked is not None
        and not asked.head
        and core[0].low == "the"
        and _is_attribute(asked)
        and _asks_for_one(asked.entity)
    ):
        yield _yes_or_no(asked.entity, "be", limits, Answer(text=who, kind="n"), off=off)  # "Priya is the team lead"
    if among and named and asked is not None and not asked.head:  # "Kelm is the largest city in Andesia"
        others = [each for each in limits if owner is None or each != str(owner)]
        yield _yes_or_no(asked.entity, "be", others, Answer(text=who, kind="n"), off=off)
    if asked is None or not asked.head or (asked.entity == SELF and not own) or not _asks_for_one(asked.head):
        return
    if own and asked.head.split(" ")[-1] not in words("attributes"):
        return
    if (
        core[0].low != "the"
        and asked.head.split(" ")[-1] not in words("attributes")
        and "'s" not in {token.low for token in core}
    ):
        return
    if owner is not None and core is not first.tokens:
        limits = [each for each in limits if each != str(owner)]
    named_so = answer(found.subject) if found.subject else None
    value = Answer(text=named_so.text if named_so is not None and named_so.kind in "nt" else who, kind="n")
    if named_so is not None and named_so.kind == "a":
        yield _yes_or_no(asked.entity, suffixed(asked.head, named_so), limits, named_so, off=off)
        return
    yield _yes_or_no(asked.entity, asked.head, limits, value, off=off)


def _named(found: Clause, first: Segment, *, off: bool) -> Iterable[Frame]:
    """Read "Biscuit is the name of our dog" as an answer to what the dog is called."""
    lows = [token.low for token in first.tokens]
    if lows[:3] != ["the", "name", "of"] or len(lows) < 4 or not found.subject or not found.subject[-1].is_name:
        return
    thing = read_subject(first.tokens[3:])
    if thing is not None and not thing.is_user:
        yield _yes_or_no(thing.plain or thing.entity, "name", [], Answer(text=phrase(found.subject), kind="n"), off=off)


def _asks_for_one(head: str) -> bool:
    """Tell a head noun that names one thing from one that leaves room for more: "boss", "best friend", not "friend"."""
    words_ = head.split(" ")
    return singular(words_[-1]) not in words("plural_heads") or bool(words("unique").intersection(words_))


def _answered(subject: Subject, first: Segment, reply: Answer, limits: list[str], *, off: bool) -> Iterable[Frame]:
    """Read "the author of Dune is …", "the staging database is …": a definite subject asks."""
    if not subject.definite or subject.is_user:
        return
    asked = set((subject.head or subject.plain).split())
    if len(first.tokens) == 1 and reply.text in words("demonyms") and not asked & words("national"):
        return  # "the manager is German" is no name
    if subject.head:
        if _asks_for_one(subject.head) and _answers(subject.head, reply):
            certain = (reply.kind == "i" and reply.sort == "name") or (_is_attribute(subject) and reply.kind in "it")
            name = subject.head if certain else suffixed(subject.head, reply)
            if reply.counted and reply.more in mapping("families"):  # "0 negative"
                reply = replace(reply, text=f"{reply.text} {reply.more}", counted=False)
            more = [reply.more] if reply.counted else []
            yield _yes_or_no(subject.entity, name, [*limits, *more], reply, off=off)
    elif not subject.person and (
        reply.kind in "da" or _answers(subject.plain, reply) or ("_" in subject.plain and reply.kind == "b")
    ):
        named = replace(reply, kind="n") if reply.kind == "i" else reply
        more = [reply.more] if reply.more else []
        name = "be" if _is_attribute(subject) and named.kind == "t" else suffixed("be", named)
        yield _yes_or_no(subject.entity, name, [*limits, *more], named, off=off)
    elif subject.person and not _is_bare_name(subject) and reply.kind == "n":
        yield _yes_or_no(subject.entity, "be", limits, reply, off=off)


def _is_bare_name(subject: Subject) -> bool:
    return subject.person and not subject.head and singular(subject.plain.split(" ")[-1]) not in words("kin")


def _answers(head: str, reply: Answer) -> bool:
    if reply.kind in "nadt" or (reply.kind == "i" and reply.sort == "name"):
        return True
    asked = set(head.split())
    if asked & words("status_words"):
        return len(reply.text.split()) <= 3
    first = reply.text.split()[0]
    if asked & words("gerund_answers") and first.endswith("ing"):
        return len(reply.text.split()) <= 3
    ending = ("ful", "less", "ous", "able", "ible", "ing", "ed")
    is_like = first in words("adjectives") or (first.endswith(ending) and len(first) > 3)  # not "red"
    if head in words("of_titles"):
        return reply.kind == "i" or not is_like
    said = reply.text.split()
    named = bool(asked & words("fields")) and len(said) > 1 and said[-1] not in words("adjectives")  # "free jazz"
    return (
        bool(asked & words("open_attributes")) and len(said) <= 3 and not (reply.kind == "b" and is_like and not named)
    )


def _yes_or_no(entity: str, relation: str, limits: list[str], reply: Answer, *, off: bool) -> Frame:
    if off:
        return denied(entity, relation, joined([reply.text, *limits]))
    return single_frame(entity, relation, limits, reply.text)


def _described(found: Clause, who: str, parts: tuple[Segment, ...], *, off: bool) -> Iterable[Frame]:
    """Read "is tall", "is a doctor", "is open on Sundays": the complement asks, its polarity answers."""
    first = parts[0]
    relation = f"be {first.preposition}".strip()
    whole = phrase(first.tokens)
    more = sorted(str(each) for each in parts[1:])
    if found.past:
        more.append("(past)")
    family = opposed(whole)
    named = (
        any(token.is_name and token.low in (family.member, family.member + "s") for token in first.tokens)
        if family
        else False
    )
    if named or (family is not None and first.preposition and not family.counts):
        family = None  # "the Green Party" is no color
    if family is not None:
        other = family.others[0] if off and len(family.others) == 1 else f"not {family.member}"
        yield many(who, relation, joined([family.question, *more], keep_order=True), other if off else family.member)
    yield many(who, relation, joined([whole, *more], keep_order=True), "no" if off else "yes")
    opposite = _positive(whole)
    if whole.split(" ")[-1] in ("vegetarian", "vegan") and not more:
        yield many(who, "eat", "<meat>", "yes" if off else "no")
    if (
        family is not None
        and _is_result(whole)
        and more
        and not off
        and all(part.preposition in _DETAILS for part in parts[1:])
    ):
        yield many(who, relation, family.question, family.member)
    if opposite:
        yield many(who, relation, joined([opposite, *more], keep_order=True), "yes" if off else "no")
    if whole in ("vegetarian", "vegan") and not more:
        yield many(who, "eat", "meat", "yes" if off else "no")


def _is_result(word: str) -> bool:
    """Tell "was cancelled", which still holds, from "was closed", which says how it was then."""
    form = form_of(word)
    return (
        form is not None
        and form.participle
        and form.base in results("verbs")
        and word not in ("closed", "opened", "open")
    )


def _positive(word: str) -> str:
    """Return the word without its negating prefix: "unavailable" is not "available"."""
    for prefix in ("un", "in", "non-", "dis"):
        if word.startswith(prefix) and len(word) > len(prefix) + 2 and " " not in word:
            rest = word[len(prefix) :]
            form = form_of(rest)
            if len(rest) > 4 or (form is not None and form.participle):
                return rest
    return ""
