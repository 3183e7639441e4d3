"""What a thing or a person has one of at a time, read from the shape of the sentence: a plan, a version, a seat, a weekday."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from stead.model.slot import SELF
from stead.resolve.text.answers import answer, placed_answer
from stead.resolve.text.clause import Clause
from stead.resolve.text.frame import Frame
from stead.resolve.text.lexicon import mapping, words
from stead.resolve.text.making import single_frame
from stead.resolve.text.phrase import Segment, phrase, singular
from stead.resolve.text.subjects import Subject
from stead.resolve.text.tokens import Token

_VERSION: Final = re.compile(r"v?\d+(?:\.\d+)*[a-z]?")
_RUNNING: Final = frozenset("use run require need target".split())
_TYPED: Final = frozenset("run be play compete follow use have subscribe eat switch choose".split())
_ON_FOOT: Final = {"drive": "car", "walk": "foot", "cycle": "bicycle"}
_PLACED: Final = frozenset("sit park wear run listen stand dock land".split())
_OF_PLACE: Final = frozenset({"", "at", "in", "on", "from"})


def habits(found: Clause, who: str, subject: Subject, parts: tuple[Segment, ...]) -> Iterator[Frame]:
    """Yield the questions with one answer that the shape of a sentence asks (R24)."""
    if (
        found.verb == "turn"
        and parts
        and not parts[0].preposition
        and not (found.passive or found.negated or found.able)
    ):
        aged = answer(parts[0].tokens[:1])  # "turned 34"
        if aged is not None and aged.kind == "a" and aged.sort == "number":
            yield single_frame(who, "age", [], aged.text)
    if not parts or found.able or found.negated or found.ended or found.past:
        return
    yield from _typed(found, who, parts)
    yield from _numbered(found, who, parts)
    if found.verb != "be" and not found.passive:
        yield from _commuting(found, who, parts)
        yield from _versioned(found, who, parts)
        if who != SELF and not subject.person:
            yield from _sized(found, who, parts)
        yield from _stated(found, who, parts)
        yield from _high(found, who, parts)
        yield from _paid(found, who, parts)
        yield from _schooled(found, who, parts)
        yield from _in_region(found, who, parts)


def _typed(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterator[Frame]:
    """Read "is on the Basic plan", "follows a vegan diet", "plays in the Northern League": the last noun asks."""
    core = [token for token in parts[0].tokens if token.low not in words("determiners")]
    if found.verb not in _TYPED or parts[0].preposition not in ("on", "in", "to", "") or len(core) < 2:
        return
    if (
        found.verb in ("be", "have", "use")
        and not parts[0].preposition
        and core[-1].low not in ("diet", "plan", "tier")
    ):
        return
    if found.verb == "be" and not parts[0].preposition:
        return
    noun = singular(core[-1].low)
    if noun in words("type_nouns") and not any(token.low in ("and", "or", "of") for token in core):
        yield single_frame(who, noun, [str(each) for each in parts[1:] if each.limits], phrase(core[:-1]))


def _commuting(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterator[Frame]:
    """Read "commutes by train", "takes the train to work", "walks to work"."""
    to = next((at for at, each in enumerate(parts) if str(each) in ("to work", "to school", "to office")), None)
    by = next(
        (at for at, each in enumerate(parts) if each.preposition in ("by", "on") and each.tokens and not each.is_time),
        None,
    )
    means = ""
    if found.verb == "commute" or (found.verb in ("get", "go", "travel") and to == 0):
        means = phrase(parts[by].tokens) if by is not None else ""
    elif found.verb in ("take", "ride") and not parts[0].preposition and _to_work(parts):
        means, by = phrase([token for token in parts[0].tokens if token.low not in ("to", "work")]), 0
    elif found.verb in _ON_FOOT and to == 0:
        means, by = _ON_FOOT[found.verb], None
    if means:
        limits = [str(each) for at, each in enumerate(parts) if at not in (to, by) and each.limits]
        yield single_frame(who, "commute by", limits, means)


def _to_work(parts: tuple[Segment, ...]) -> bool:
    """Tell "takes the bus to work", where "work" could be a verb, and "to school"."""
    return [token.low for token in parts[0].tokens[-2:]] == ["to", "work"] or str(parts[1:2] and parts[1]) in (
        "to school",
        "to office",
    )


def _versioned(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterator[Frame]:
    """Read "uses Postgres 14": of a named thing with a version, the version is the answer."""
    core = parts[0].tokens
    if found.verb not in _RUNNING or parts[0].preposition or len(core) < 2 or who == SELF:
        return
    name = [token for token in core[:-1] if token.low not in ("version", "the")]
    if name and all(token.is_name and not token.has_digit for token in name) and _VERSION.fullmatch(core[-1].low):
        limits = [str(each) for each in parts[1:] if each.limits]
        yield single_frame(who, f"{found.verb} {phrase(name)}", limits, core[-1].low.removeprefix("v"))


def _numbered(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterator[Frame]:
    """Read "sits at desk 14", "parks in spot 12", "wears size 42": the label of the number asks."""
    core = [token for token in parts[0].tokens if token.low not in words("articles")]
    if (
        len(core) == 2
        and core[0].low in ("port", "version")
        and core[1].has_digit
        and (parts[0].preposition in ("on", "at") or (not parts[0].preposition and found.verb in ("use", "have")))
    ):
        yield single_frame(who, core[0].low, [], core[1].low)
        return
    labelled = len(core) == 2 and core[0].low in words("place_labels") and core[1].has_digit
    if found.verb in _PLACED and labelled and parts[0].preposition in _OF_PLACE:
        limits = [str(each) for each in parts[1:] if each.limits]
        yield single_frame(who, f"{found.verb} {core[0].low}", limits, core[1].low)


def _sized(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterator[Frame]:
    """Read "has a 4,000 mAh battery": of a thing, the number is the answer."""
    core = [token for token in parts[0].tokens if token.low not in words("articles")]
    if found.verb != "have" or parts[0].preposition or len(core) < 3 or not core[0].low[0].isdigit():
        return
    if core[0].low.replace(",", "").replace(".", "").isdigit() and singular(core[-1].low) == core[-1].low:
        yield single_frame(who, f"have {phrase(core[1:])}", [], core[0].low.replace(",", ""))


def _stated(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterator[Frame]:
    """Read "has priority high", "has a staff of 40", "covers an area of 40 square kilometres"."""
    core = parts[0].tokens
    if parts[0].preposition or len(core) < 2:
        return
    if (
        found.verb == "have"
        and len(core) == 2
        and core[0].low in words("looks")
        and core[1].low in ("eyes", "hair", "fur", "skin")
    ):
        yield single_frame(who, f"{singular(core[1].low)} color", [], core[0].low)
    if found.verb == "have" and core[0].low in words("open_attributes") and core[1].low != "of":
        reply = answer(core[1:])
        if reply is not None:
            yield single_frame(who, core[0].low, [], reply.text)
    of = next((at for at, token in enumerate(core) if token.low == "of"), 0)
    if found.verb in ("have", "hold") and core[0].low == "citizenship" and of == 1:
        reply = placed_answer(core[2:])
        if reply is not None:
            yield single_frame(who, "citizenship", [], reply.text)
    if (
        found.verb in ("have", "cover", "occupy", "span", "carry", "reach")
        and of
        and core[0].low in words("articles")
        and of < 4
    ):
        reply = answer(core[of + 1 :])
        if reply is not None and reply.kind == "a":
            limits = [str(each) for each in parts[1:] if each.limits]
            more = [reply.more] if reply.more else []
            head = phrase(core[:of])
            yield single_frame(
                who, _amount_of(mapping("heads").get(head, head), reply.sort), [*more, *limits], reply.text
            )


def _amount_of(head: str, sort: str) -> str:
    return head if sort == "number" else f"{head} ({sort})"


def on_days(found: Clause, who: str, subject: Subject, parts: tuple[Segment, ...]) -> Iterator[Frame]:
    """Read "the plumber comes every Tuesday", "deploys happen on Thursdays": of a service, the weekday is the answer."""
    if (found.verb == "be" and not found.passive) or found.able or found.negated or found.ended or found.past:
        return
    parts = tuple(each for each in parts if each.tokens)  # "is picked up | on Mondays"
    if subject.is_user or (subject.person and not subject.head and _is_named(found.subject)) or len(parts) != 1:
        return
    part = parts[0]
    days = [token.low.removesuffix("s") for token in part.tokens if token.low.removesuffix("s") in words("weekdays")]
    if part.preposition in ("on", "every") and days and len(part.tokens) <= 3:
        verb = f"be {found.verb}" if found.passive else found.verb
        other = ["other"] if any(token.low in ("other", "second") for token in part.tokens) else []
        yield single_frame(who, f"{verb} (weekday)", [], " ".join([*other, *days]))


def _is_named(subject: Sequence[Token]) -> bool:
    return bool(subject) and all(token.is_name for token in subject)


def _high(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterator[Frame]:
    """Read "stands 170 cm tall", "rises to 3,250 metres"."""
    first = parts[0]
    dimension = str(parts[1]).removeprefix("in ") if len(parts) > 1 and parts[1].preposition == "in" else ""
    if found.verb == "measure" and dimension in ("height", "length", "width", "depth") and not first.preposition:
        size = answer(first.tokens)
        if size is not None and size.kind == "a":
            yield single_frame(who, f"{dimension} ({size.sort})", [], size.text)
        return
    if found.verb not in ("stand", "rise", "tower", "reach", "measure", "soar", "climb") or first.preposition not in (
        "",
        "to",
        "at",
    ):
        return
    reply = answer(first.tokens)
    if reply is None or reply.kind != "a" or reply.sort != "m" or reply.more not in ("", "tall", "high"):
        return
    if reply.more or found.verb in ("rise", "tower", "soar"):
        yield single_frame(who, "height (m)", [], reply.text)


def _paid(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterator[Frame]:
    """Read "pays 900 euros in rent", "customers pay $29 for the Pro plan"."""
    if found.verb != "pay" or parts[0].preposition:
        return
    reply = answer(parts[0].tokens)
    purpose = next(
        (each for each in parts[1:] if each.preposition in ("in", "for") and each.tokens and not each.is_time), None
    )
    if reply is None or reply.kind != "a" or purpose is None:
        return
    limits = [str(each) for each in parts[1:] if each is not purpose and each.is_time and not _is_rate(each)]
    thing = phrase(purpose.tokens)
    if thing in words("dues"):
        yield single_frame(who, f"{thing} ({reply.sort})", limits, reply.text)
    elif (who != SELF and singular(who) in words("payers")) or [token.low for token in found.subject] == ["you"]:
        rates = [phrase(each.tokens) for each in parts[1:] if _is_rate(each)]
        yield single_frame(thing, f"price ({reply.sort})", [*limits, *rates], reply.text)


def _in_region(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterator[Frame]:
    """Read "runs in eu-west-1": an identifier of a place, not a race."""
    core = parts[0].tokens
    if (
        found.verb == "run"
        and parts[0].preposition == "in"
        and len(core) == 1
        and core[0].has_digit
        and "-" in core[0].low
    ):
        yield single_frame(who, "region", [str(each) for each in parts[1:] if each.limits], core[0].low)


def _is_rate(part: Segment) -> bool:
    return part.preposition in ("per", "every", "each", "monthly")


def _schooled(found: Clause, who: str, parts: tuple[Segment, ...]) -> Iterator[Frame]:
    """Read "goes to Lakeside School" as "attends Lakeside School"."""
    first = parts[0]
    if found.verb != "go" or first.preposition != "to" or not first.tokens or not first.tokens[0].is_name:
        return
    if first.tokens[-1].low in words("schools"):
        yield single_frame(who, "study at", [str(each) for each in parts[1:] if each.is_time], phrase(first.tokens))
