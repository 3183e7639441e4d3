"""Refinement without a shared answer: whether one claim has all parts of another, and more."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from stead.resolve.text.frame import Frame
from stead.resolve.text.lexicon import mapping, words
from stead.resolve.text.phrase import Segment, phrase, singular
from stead.resolve.text.reading import Reading
from stead.resolve.text.relations import asked_as
from stead.resolve.text.tokens import Token
from stead.resolve.text.verbs import stances

_CIRCUMSTANCES = frozenset({"after", "since", "because", "in", "last", "ago", "for", "due", "before", "on", "this"})
"""What says when or why something ended; it doesn't say what."""


def remainder(reading: Reading, frame: Frame) -> frozenset[str]:
    """Return the words of a claim that its question and its answer leave over."""
    said = _said(frame)
    left: set[str] = set()
    plain = reading.subject.plain or reading.subject.entity
    if reading.subject.entity != "user" or reading.subject.head:
        left |= {word for word in plain.split() if word not in said}
    kinds = words("kinds_of_name") | words("general_nouns") | words("place_kinds")
    for part in reading.segments:
        whole = phrase(part.tokens).split()
        rest = [word for word in whole if word not in said]
        states = bool(part.tokens) and part.tokens[0].low in ("a", "an")  # "a town in Norland" says what it is
        if not states and len(rest) < len(whole):  # "the city of Tarn", where Tarn is asked about; not "the river"
            rest = [word for word in rest if word not in kinds and word not in ("of", "for")]
        if rest and part.preposition:
            left.add(part.preposition)
        left.update(rest)
    return frozenset(left - words("articles") - {"of", "for", "and", "'s", "user"})


@lru_cache(maxsize=4096)
def _said(frame: Frame) -> frozenset[str]:
    members = mapping("families")
    said = {word for word, family in members.items() if f"<{family}>" in frame.object}
    said |= set(f"{frame.entity} {frame.relation} {frame.object} {frame.value}".replace("|", " ").split())
    heads = mapping("heads")
    said |= {word for name, target in heads.items() if target in frame.relation for word in name.split()}
    said |= {word for name in asked_as(frame.relation) for word in name.split()}
    return frozenset(said)


def contained(before: Reading, after: Reading) -> str:
    """Return ``more_detail`` or ``less_detail`` where one claim has every part of the other; "" elsewhere."""
    if _question(before) != _question(after):
        return ""
    positive = _positive(before)
    some = before.clause.past or before.clause.verb in ("have", "own", "buy")  # one event or thing, not a habit
    if _parts_in(before.segments, after.segments, one_of_some=some):
        both = _parts_in(after.segments, before.segments)
        return "same_answer" if both else "more_detail" if positive else "less_detail"
    if _parts_in(after.segments, before.segments, one_of_some=some):
        return "less_detail" if positive else "more_detail"
    return ""


def denies(before: Reading, after: Reading) -> bool:
    """Tell whether one claim says that something isn't so which follows from the other: "smokes ten a day", "quit smoking"."""
    one, two = _question(before), _question(after)
    if one[3] == two[3] or (*one[:3], *one[4:]) != (*two[:3], *two[4:]) or one[2] not in ("yes", "no"):
        return False
    positive, negative = (before, after) if two[3] else (after, before)
    said = [part for part in negative.segments if not (negative.clause.ended and part.preposition in _CIRCUMSTANCES)]
    return _parts_in(said, positive.segments)


def _question(reading: Reading) -> tuple[str, str, str, bool, bool, bool, bool]:
    """Return whose claim it is, its verb and its polarity: what no refinement changes."""
    clause, subject = reading.clause, reading.subject
    verb, stance = stances().get(clause.verb, (clause.verb, "yes"))
    who = subject.plain or subject.entity
    return who, verb, stance, clause.negated or clause.ended, clause.passive, clause.able, clause.past


def _positive(reading: Reading) -> bool:
    return not (reading.clause.negated or reading.clause.ended)


def _parts_in(few: Sequence[Segment], many: Sequence[Segment], *, one_of_some: bool = False) -> bool:
    """Tell whether every part of one claim stands in the other, its object with the same head."""
    if not few:
        return True
    left = list(many)
    for place, part in enumerate(few):
        found = next(
            (
                each
                for each in left
                if _part_in(part, each, is_object=place == 0 and not part.preposition, some=one_of_some)
            ),
            None,
        )
        if found is None:
            return False
        left.remove(found)
    return True


def _part_in(part: Segment, other: Segment, *, is_object: bool, some: bool) -> bool:
    if part.preposition != other.preposition:
        return False
    short, long = phrase(part.tokens).split(), phrase(other.tokens).split()
    if short == long:
        return True
    if not short or len(short) >= len(long):
        return False
    if long[: len(short)] == short and _may_follow(long[len(short) :], part.tokens):
        return True
    if "and" in long or "and" in short:
        return _items(short) < _items(long) | _items(long, spread=True)
    if long[-len(short) :] == short:
        return _may_precede(part.tokens, long[: -len(short)], is_object=is_object, one_of_some=some)
    return False


def _items(words_: list[str], *, spread: bool = False) -> set[str]:
    """Return the items of a list; spread, each with the last noun: "birch and grass pollen"."""
    items = " ".join(words_).split(" and ")
    head = max(items, key=len).split(" ")[-1]
    return {f"{item} {head}" for item in items} if spread else set(items)


def _may_follow(added: list[str], short: Sequence[Token]) -> bool:
    """Tell whether words may follow a phrase without making another of it: "friend called Bob", not "tea pot"."""
    if any(char.isdigit() for char in added[0]):
        return short[-1].is_name and not short[-1].has_digit
    return added[0] in words("prepositions") | {
        "of",
        "to",
        "called",
        "named",
        "who",
        "that",
        "which",
        "because",
    } or added[0].endswith(("ed", "ing", "ly"))


def _may_precede(tokens: Sequence[Token], added: list[str], *, is_object: bool, one_of_some: bool) -> bool:
    """Tell whether words may stand before a head noun and only add to it: "a car", "a red car"; not "tea", "green tea"."""
    counted = bool(tokens) and (tokens[0].low in words("articles") or tokens[0].low in words("possessives"))
    taken_back = any(word in words("privative") or word in words("never") for word in added)
    name = tokens[-1].is_name if tokens else False
    counted = counted or one_of_some or (added[-1] == "of" and added[0][0].isdigit())
    return counted and not taken_back and not name and is_object and (singular(added[-1]) == added[-1])
