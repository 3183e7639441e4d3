"""Relations with one answer at a time: from the lexicon, and from grammar."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from stead.model.slot import SELF
from stead.resolve.text.answers import Answer, answer, placed_answer
from stead.resolve.text.clause import Clause
from stead.resolve.text.copula import copula
from stead.resolve.text.families import opposed
from stead.resolve.text.frame import Frame
from stead.resolve.text.lexicon import mapping, words
from stead.resolve.text.making import denied, joined, many, single_frame, suffixed
from stead.resolve.text.phrase import Segment, phrase
from stead.resolve.text.relations import Relation, maker, single_relations
from stead.resolve.text.subjects import read_subject
from stead.resolve.text.tokens import Token
from stead.resolve.text.verbs import verb_words

_RESETTING: Final = frozenset(
    "change move raise lower increase reduce set update switch extend postpone push shift reschedule cut bump delay transfer "
    "correct migrate upgrade downgrade decrease rename".split()
)
"""Verbs that give a thing a new value: "the deadline was moved to 5 May"."""
_DRIFTING: Final = frozenset(
    "go rise fall drop climb increase decrease grow shrink move shift slip change jump sink".split()
)
"""Verbs of a value that changes by itself: "the rent rose to 950 euros"."""
_TURNING: Final = frozenset("set upgrade downgrade update migrate switch convert rename change".split())
"""Verbs that make another thing of it: "the database was upgraded to Postgres 16"."""
_LASTING: Final = frozenset({"", "after", "for", "within", "every"})
"""Prepositions before an amount that is the answer: "expires after 60 seconds"."""


def promised(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterable[Frame]:
    """Say what "is married to Anna" says of the marital status, after what it says of Anna."""
    yield from (each for each in _from_lexicon(found, who, parts) if each.single)
    status = {"marry": "married", "engage": "engaged", "divorce": "divorced"}[found.verb]
    yield many(who, "be", "<marital>", status)


def single_frames(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterable[Frame]:
    """Yield what the lexicon of single-valued relations finds, then what grammar finds."""
    if found.able:
        return
    yield from _from_lexicon(found, who, parts)
    if not parts:
        return
    yield from _asked(found, who, parts)
    yield from _repeated(found, who, parts)
    if found.passive:
        yield from _measured(found, who, parts) if parts[0].preposition else ()
        return
    yield from _having(found, who, parts)
    yield from _made(found, who, parts)
    yield from _used_as(found, who, parts)
    yield from _preferred(found, who, parts)
    yield from _measured(found, who, parts)
    yield from _only(found, who, parts)
    yield from _called(found, who, parts)


def _repeated(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterable[Frame]:
    """Read "goes to the gym twice a week", "runs daily": how often is the answer."""
    often = next((each for each in parts if each.frequency), None)
    if often is None or found.negated or found.ended or found.past:
        return
    others = [str(each) for each in parts if each is not often]
    yield single_frame(who, f"{'be ' if found.passive else ''}{found.verb} how often", others, often.frequency)


def _having(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterable[Frame]:
    """Read "has a population of 40,000"."""
    tokens = parts[0].tokens
    place = next((at for at, token in enumerate(tokens) if token.low == "of"), 0)
    if found.verb != "have" or found.negated or found.ended or found.past or place < 2 or parts[0].preposition:
        return
    asked, reply = phrase(tokens[:place]), answer(tokens[place + 1 :])
    if (
        asked in words("attributes")
        and tokens[0].low in words("articles")
        and reply is not None
        and reply.kind in "ant"
    ):
        yield single_frame(who, asked, [str(each) for each in parts[1:] if each.limits], reply.text)


def _only(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterable[Frame]:
    """Read "eats only dry food", "runs in eu-west-1 only": what is said of one thing only has one answer."""
    places = [at for at, part in enumerate(parts) if any(token.low == "only" for token in part.tokens)]
    if len(places) != 1 or found.negated or found.ended or found.past:
        return
    part = parts[places[0]]
    chosen = phrase([token for token in part.tokens if token.low != "only"])
    limits = [str(each) for each in parts if each is not part]
    if chosen:
        yield single_frame(who, f"{found.verb} only {part.preposition}".strip(), limits, chosen)


def _called(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterable[Frame]:
    """Read "wants to be called Sasha", "goes by Sasha"."""
    lows = [token.low for token in parts[0].tokens]
    if found.negated or found.ended or found.past:
        return
    if lows[:3] in (["to", "be", "called"], ["to", "be", "addressed"]) and len(lows) > 3:
        yield single_frame(who, "be called", [], phrase(parts[0].tokens[3:]))
    elif found.verb == "go" and parts[0].preposition == "by" and parts[0].tokens and parts[0].tokens[0].is_name:
        yield single_frame(who, "be called", [], phrase(parts[0].tokens))


def _from_lexicon(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterable[Frame]:
    lexicon = single_relations(found.passive)
    for place, part in enumerate(parts):
        before = " ".join(f"{each.preposition} {phrase(each.tokens)}".strip() for each in parts[:place])
        whole = " ".join(f"{found.verb} {before} {part.preposition}".split())
        key = whole if whole in lexicon else f"{found.verb} {part.preposition}".strip()
        relation = lexicon.get(key) if found.passive or not _asks_by_noun(part) else None
        reply = placed_answer(part.tokens, part.preposition) if relation else None
        if relation is None or reply is None or not _accepts(relation, reply):
            continue
        if relation.name == "work at" and reply.text in words("not_employers"):
            continue
        if relation.place and reply.kind == "n" and not part.tokens[-1].is_name and not part.tokens[-1].has_digit:
            continue  # "moved to the Business plan" is no place
        if relation.lasts and any(each.preposition in ("on", "to", "about") for each in parts[:place]):
            continue  # "works on a grant for the museum": the museum is no employer
        others = [each for at, each in enumerate(parts) if at != place and not (key == whole and at < place)]
        limits = _limits(others, relation, direct=place > 0 and key != whole)
        name, reply = _labelled(suffixed(relation.name, reply, place=relation.place), reply, part)
        if found.passive and relation.name == "come from":
            continue
        if relation.name == "assignee" and any(
            token.has_digit for token in part.tokens
        ):  # "Rob is assigned to ticket 17"
            yield single_frame(_thing(part), name, limits, who)
            continue
        if relation.name == "headquarters" and who == SELF:
            name = "live in"
        if found.negated or found.ended:
            yield denied(who, name, joined([reply.text, *limits]))
        elif found.past and not found.passive and not relation.event and found.verb in verb_words("lasting"):
            yield many(who, name, joined([reply.text, *limits, "(past)"]))
        elif found.past and found.passive and not relation.event and relation.name not in _made_names():
            yield single_frame(who, name, limits, reply.text)
        else:
            yield single_frame(who, name, [*limits, *([reply.more] if reply.more else [])], reply.text)
            yield many(who, name, joined([reply.text, *limits]))


def _thing(part: Segment) -> str:
    thing = read_subject(part.tokens)
    return (thing.plain or thing.entity) if thing is not None else phrase(part.tokens)


def _asks_by_noun(part: Segment) -> bool:
    """Tell "with the religion of Solism", where the noun asks, from "in the city of Graz"."""
    lows = [token.low for token in part.tokens[:3]]
    return (
        len(part.tokens) > 3
        and lows[0] == "the"
        and lows[2] == "of"
        and lows[1] in words("asking_nouns") - words("place_kinds")
    )


def _labelled(name: str, reply: Answer, part: Segment) -> tuple[str, Answer]:
    """Let the label of a number ask: "runs on port 8080" says what the port is."""
    label, _, number = reply.text.partition(" ")
    if label in words("labels") and not part.tokens[0].is_name and any(char.isdigit() for char in number):
        return label, replace(reply, text=number)
    return name, reply


def _made_names() -> frozenset[str]:
    return frozenset({"author", "director", "founder", "owner"})


def _accepts(relation: Relation, reply: Answer) -> bool:
    if reply.kind == "i" and reply.sort == "name" and "i" not in relation.accepts:
        return False
    return reply.kind in relation.accepts


def _limits(others: Sequence[Segment], relation: Relation, *, direct: bool) -> list[str]:
    if relation.once:
        return []
    others = [each for each in others if str(each) not in ("only", "just")]
    kept = [
        each
        for each in others
        if (each.is_time and not (relation.lasts and each.preposition == "for")) or (not relation.lasts and each.limits)
    ]
    if direct and not relation.lasts and others and not others[0].preposition and others[0] not in kept:
        kept.append(others[0])
    return [str(each) for each in kept]


def _asked(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterable[Frame]:
    """Read "speaks the language of X", "plays the position of goalkeeper": a definite noun asks, what follows answers."""
    part = parts[0]
    lows = [token.low for token in part.tokens]
    if len(lows) < 4 or lows[0] != "the" or "of" not in lows[1:4]:
        return
    if found.past and not found.passive and found.verb not in verb_words("lasting"):
        return  # what was painted once may have been painted again
    place = lows.index("of")
    if lows[place - 1] not in words("asking_nouns") | words("place_kinds"):
        return
    lexical = f"{found.verb} {part.preposition}".strip() in single_relations(found.passive)
    if lows[place - 1] in words("place_kinds") and (lexical or part.preposition not in ("in", "at", "on")):
        return  # "visited the city of Graz" is one of many
    reply = answer(part.tokens[place + 1 :])
    if reply is None or reply.kind not in "nbd":
        return
    relation = " ".join(
        f"{'be ' if found.passive else ''}{found.verb} {part.preposition} {phrase(part.tokens[:place])}".split()
    )
    if lows[place - 1] in words("plain_questions"):
        relation = lows[place - 1]
    limits = [str(each) for each in parts[1:] if each.limits]
    if found.negated or found.ended:
        yield denied(who, relation, joined([reply.text, *limits]))
    else:
        yield single_frame(who, relation, limits, reply.text)


def _made(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterable[Frame]:
    """Read "Herbert wrote Dune" as an answer to who wrote it."""
    role = maker(found.verb)
    part = parts[0]
    if not role or part.preposition or found.ended or found.negated or not part.tokens:
        return
    after = parts[1].preposition if len(parts) > 1 else ""
    if who == SELF and f"{found.verb} {after}" in single_relations(passive=True):
        return  # "we host the API in Dublin" says where, not who
    named = _is_name(part.tokens)
    bare = found.verb in ("invent", "discover") and len(part.tokens) == 1
    if not named and part.tokens[0].low != "the" and not bare:
        return
    thing = read_subject(part.tokens)
    if (
        thing is None
        or thing.entity == SELF
        or thing.head in words("asking_nouns")
        or any(token.low == "and" for token in part.tokens)
    ):
        return
    made = single_relations(passive=True).get(f"{found.verb} by")
    limits = [] if made is not None and made.once else [str(each) for each in parts[1:] if each.limits]
    yield single_frame(thing.plain or thing.entity, role, limits, who)


def _is_name(tokens: Sequence[Token]) -> bool:
    """Tell "Larkin & Sons", "Boeing 757", "Bridget Jones's Diary" from "300 pages" and "five Teslas"."""
    if all(token.is_name or token.low in ("of", "the", "and", "in") for token in tokens):
        return True
    small = words("articles") | words("prepositions") | {"of", "'s", "'", "and"}
    within = all(token.is_name or token.has_digit or not token.is_word or token.low in small for token in tokens)
    return within and tokens[0].is_name and (tokens[-1].is_name or tokens[-1].has_digit)


def _used_as(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterable[Frame]:
    purpose = next((each for each in parts[1:] if each.preposition in ("as", "for")), None)
    if (
        purpose is not None
        and purpose.preposition == "for"
        and (purpose.tokens[:1] and purpose.tokens[0].low in words("determiners"))
    ):
        return
    owned = (
        found.verb == "have"
        and purpose is not None
        and purpose.tokens[:1]
        and purpose.tokens[0].low in words("possessives")
    )
    if (
        not (found.verb in ("use", "adopt", "practice") or owned)
        or purpose is None
        or parts[0].preposition
        or not purpose.tokens
    ):
        return
    limits = [str(each) for each in parts[1:] if each is not purpose and each.limits]
    noun = phrase([token for token in purpose.tokens if token.low not in ("sole", "only")])
    asked = joined([noun, *limits])
    reply = answer(parts[0].tokens)
    if reply is None or found.negated or found.ended or found.past:
        return
    if noun in words("attributes"):  # what is used as the currency is the currency
        yield single_frame(who, mapping("heads").get(noun, noun), limits, reply.text)
    else:
        yield single_frame(who, "use as", [asked], reply.text)


def _preferred(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterable[Frame]:
    """Read "prefers tea over coffee", and preferences between opposites: "prefers window seats"."""
    better = parts[0].tokens[-1:] and parts[0].tokens[-1].low in ("better", "more")
    if (found.verb != "prefer" and not (better and found.verb in ("like", "love", "enjoy"))) or parts[0].preposition:
        return
    if found.negated or found.ended:
        return
    chosen = phrase(parts[0].tokens[:-1] if better else parts[0].tokens)
    other = next((each for each in parts[1:] if each.preposition in ("over", "to", "than") and each.tokens), None)
    core = parts[0].tokens
    to = next((at for at in range(1, len(core) - 1) if core[at].low == "to"), 0)
    if other is None and to:  # "prefers email to phone calls": what looks like a verb is a noun here
        chosen, other = phrase(core[:to]), Segment(preposition="to", tokens=core[to + 1 :])
    if other is not None:
        pair = " or ".join(sorted((chosen, phrase(other.tokens))))
        limits = [str(each) for each in parts[1:] if each is not other and each.limits]
        yield many(who, "prefer", joined([pair, *limits]), chosen)
        return
    purpose = next((each for each in parts[1:] if each.preposition == "for" and each.tokens), None)
    if purpose is not None:
        limits = [str(each) for each in parts[1:] if each.limits]
        yield single_frame(who, "prefer", limits, chosen)
        return
    family = opposed(chosen)
    if family is not None:
        yield many(who, "prefer", joined([family.question, *(str(each) for each in parts[1:])]), family.member)


def _measured(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterable[Frame]:
    """Read "runs 5 km every day", "has two children": the amount is the answer."""
    part = parts[0]
    if found.verb in ("consist", "comprise") and part.preposition in ("of", ""):
        found, part = replace(found, verb="have"), replace(part, preposition="")
    if part.preposition not in _LASTING or found.negated or found.ended or found.past:
        return
    reply = answer(part.tokens)
    if reply is None or reply.kind != "a" or found.verb in ("like", "enjoy", "know"):
        return
    if f"{found.verb} {part.preposition}".strip() in single_relations(passive=False) or (
        part.preposition and reply.sort == "number"
    ):
        return
    limits = [str(each) for each in parts[1:]]
    verb = f"{found.verb} {part.preposition}".strip()
    counted = (
        mapping("counts").get(reply.more, "") if found.verb in ("have", "employ", "count") and reply.counted else ""
    )
    if counted:
        yield single_frame(who, counted, limits, reply.text)
        return
    relation = f"{verb} how many" if reply.counted else f"{verb} ({reply.sort})"
    yield single_frame(who, relation, [*([reply.more] if reply.more else []), *limits], reply.text)


def _goes_to(found: Clause, parts: tuple[Segment, ...]) -> bool:
    """Tell "the rent went up to 950 euros", "the standup moved to 10" from "Tom went to Oslo"."""
    target = next((each for each in parts if each.preposition == "to" and each.tokens), None)
    reply = answer(target.tokens, "at") if target is not None else None
    first = parts[0] if parts else None
    loose = first is not None and (first.preposition in ("to", "up", "down", "from", "back") or not first.tokens)
    return not found.passive and found.verb in _DRIFTING and loose and reply is not None and reply.kind in "at"


def reset(found: Clause, parts: tuple[Segment, ...]) -> Iterable[Frame]:
    """Read "the deadline was moved to 5 May" as "the deadline is 5 May"."""
    target = next((each for each in parts if each.preposition in ("to", "until") and each.tokens), None)
    by_itself = _goes_to(found, parts)
    if (found.verb not in _RESETTING and not by_itself) or target is None or found.negated or found.ended or found.able:
        return
    moved = found.subject if found.passive or by_itself else () if parts[0].preposition else parts[0].tokens
    if not moved or (not found.passive and not by_itself and moved[0].low not in words("determiners")):
        return
    thing, reply = read_subject(moved), answer(target.tokens, "at")
    if thing is None or thing.is_user or reply is None:
        return
    turned = found.verb in _TURNING or thing.head or reply.kind == "a"
    preposition = "at" if reply.kind == "t" else "" if turned else "in"
    state = Clause(subject=found.subject, verb="be", rest=target.tokens)
    yield from copula(state, thing, (Segment(preposition=preposition, tokens=target.tokens),))
