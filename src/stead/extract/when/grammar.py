"""The whole grammar: what is said of a time ("since", "until", "for"), and what is found in a text."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Final

from stead.extract.when import clocks, days, lasting, moments, ranges, recurring, tense, vague
from stead.extract.when.reader import Found, Reader
from stead.extract.when.value import Span, Value, When
from stead.extract.when.wall import Wall
from stead.extract.when.words import Word, split, starters, timely
from stead.model.period import Instant

_RELATIONS: Final = {
    "since": ("since",), "until": ("until", "till", "til", "up to", "up until", "as late as", "through", "thru"),
    "by": ("by", "no later than", "not later than"), "before": ("before", "prior to", "earlier than"),
    "after": ("after", "later than"),
    "from": ("from", "starting", "starting from", "starting on", "starting in", "beginning", "beginning on", "effective",
             "as of", "as from", "as early as", "commencing"),
    "for": ("for",),
}  # fmt: skip
_INCLUSIVE: Final = frozenset({"through", "thru"})
_REACH: Final = 7
"""How many words an expression can have before its first word of time: "no later than the very next Friday"."""
_WHOLE: Final = frozenset({"rest", "remainder", "whole", "entire"})
_SUB_DAY: Final = frozenset({"minute", "part"})


@cache
def _leads() -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
    """Return the relations by their first word, longest first."""
    leads: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for relation, phrases in _RELATIONS.items():
        for phrase in phrases:
            words = tuple(phrase.split())
            leads.setdefault(words[0], []).append((words, relation))
    return {word: tuple(sorted(each, key=lambda lead: -len(lead[0]))) for word, each in leads.items()}


def core(reader: Reader, at: int) -> Found | None:
    """Return an expression without what is said of it: the longest reading."""
    return reader.longest(
        at, recurring.recurring, ranges.ranged, moments.moment, lasting.length_from, lasting.plain_length
    )


def expression(reader: Reader, at: int) -> tuple[When, int] | None:
    """Return the longest expression that begins at a place, resolved; None where its time can't be written."""
    try:
        return _longest(reader, at)
    except (ValueError, OverflowError):  # "for 20000 years"
        return None


def _longest(reader: Reader, at: int) -> tuple[When, int] | None:
    best: tuple[When, int] | None = None
    plain = reader.once(core, at)
    if plain:
        best = _made(reader, at, plain, "")
    related = _related(reader, at)
    if related and (best is None or related[1] > best[1]):
        best = related
    bounded = _bounded_day(reader, at)
    if bounded and (best is None or bounded[1] > best[1]):
        best = bounded
    return _unknown(reader, at, best)


def _unknown(reader: Reader, at: int, best: tuple[When, int] | None) -> tuple[When, int] | None:
    """Return what can't be resolved where it reaches as far as the best that can."""
    unknown = vague.vague(reader, at)
    if unknown is None or (unknown[0] in {"for", "until"} and _over(reader, at)) or (best and unknown[1] < best[1]):
        return best
    kind = "date_range" if unknown[0] else "date"
    return _cut(reader, at, unknown[1], When(text="", span=(0, 0), kind=kind, relation=unknown[0], resolved=False))


def _over(reader: Reader, at: int) -> bool:
    """Tell whether a length belongs to what has been: "I have known her for a long time"."""
    before = _before(reader, at)
    return tense.perfect(before) or tense.past(before)


def _before(reader: Reader, at: int) -> str:
    """Return what was said before a place, as far as a verb may stand."""
    start = reader.raw(at).start
    return reader.text[max(0, start - 200) : start]


def _related(reader: Reader, at: int) -> tuple[When, int] | None:
    for words, relation in _leads().get(reader.word(at), ()):
        behind = reader.said(at, *words)
        if behind is None:
            continue
        if words[0] != "up" and (past := _until_now(reader, relation, behind)):
            return _cut(reader, at, past, _when("date_time_range", None, reader.wall.said, "until"))
        if now := _from_now(reader, relation, behind):
            return _cut(reader, at, now, _when("date_time_range", reader.wall.said, None, "from"))
        found = reader.once(core, reader.skip(behind, "around", "about"))
        if found and found[0].kind == "recurring":
            return None
        if found and (made := _made(reader, at, found, relation, inclusive=words[0] in _INCLUSIVE)):
            return made
    return None


def _until_now(reader: Reader, relation: str, at: int) -> int | None:
    return at + 1 if relation == "until" and reader.word(at) in {"now", "date"} else None


def _from_now(reader: Reader, relation: str, at: int) -> int | None:
    if relation != "from" or not (
        reader.word(at) == "now" or (reader.word(at) == "immediately" and reader.word(at - 1) != "from")
    ):
        return None
    after = reader.skip(at + 1, "on", "onwards", "onward")
    return after if after > at + 1 or reader.word(at - 1) != "from" else None


def _made(reader: Reader, at: int, found: Found, relation: str, *, inclusive: bool = False) -> tuple[When, int] | None:
    value, after = found
    if value.kind == "recurring":
        return _recurs(reader, at, value, after)
    if value.kind == "duration":
        when = _length(reader, at, value, relation)
        return _cut(reader, at, after, when) if when else None
    if relation == "for":
        if value.length is None and not _lasting(reader, at):
            return None
        first, last = reader.wall.bounds(value.next(reader.wall).start, value.next(reader.wall).end)
        if value.length is not None and value.unit != "quarter":
            first, last = min(first, reader.wall.said), max(last, reader.wall.said)
        return _cut(reader, at, after, _when(value.kind, first, last, "for"))
    if relation == "from":
        return _from(reader, at, value, after)
    if relation == "" and (after_on := _onwards(reader, after)):
        return _later_on(reader, at, value, after_on)
    return _cut(reader, at, after, _related_to(reader, at, value, relation, inclusive))


def _lasting(reader: Reader, at: int) -> bool:
    """Tell whether "for" names how long: "for the rest of the week", "for the next 3 days"."""
    return reader.word(at + 1) in {"the", "all"} and reader.word(at + 2) in _WHOLE


def _onwards(reader: Reader, at: int) -> int | None:
    """Return the place behind "onwards", "or later", "and after"."""
    if reader.word(at) in {"onwards", "onward"}:
        return at + 1
    if reader.word(at) in {"and", "or"} and reader.word(at + 1) in {"after", "later", "onwards", "beyond"}:
        word = reader.word(at + 2)
        return at + 2 if not word[:1].isalnum() or (word == "on" and reader.word(at + 1) == "later") else None
    return None


def _from(reader: Reader, at: int, value: Value, after: int) -> tuple[When, int] | None:
    """Return what begins then and goes on. "The letter from Friday" is no such thing: its time is past, and bounded."""
    onwards = _onwards(reader, after) or (after + 1 if _on(reader, at, after) else None)
    span = value.next(reader.wall)
    start, _ = reader.wall.bounds(span.start, span.end)
    if onwards is None and reader.word(at) == "from" and start <= reader.wall.said:
        return None
    return _cut(reader, at, onwards or after, _when(value.kind, start, None, "from"))


def _later_on(reader: Reader, at: int, value: Value, after: int) -> tuple[When, int] | None:
    """Return "2018 or later", "3 pm or later on Monday"."""
    day = moments.day_part(reader, reader.skip(after, "on")) if value.kind == "time" else None
    if day is None or day[0].kind != "date" or not value.point:
        return _from(reader, at, value, after)
    clock = clocks.clock(reader, reader.skip(at, "at"))
    span = moments.at_clock(day[0], clock[0]).next(reader.wall) if clock else value.next(reader.wall)
    return _cut(reader, at, day[3], _when("date_time_range", reader.wall.instant(span.start), None, "from"))


def _bounded_day(reader: Reader, at: int) -> tuple[When, int] | None:
    """Return "tomorrow before 5pm", "Friday after 6": that part of the day."""
    day = reader.once(days.day, at)
    if day is None or day[0].kind != "date":
        return None
    for words, relation in _leads().get(reader.word(day[1]), ()):
        behind = reader.said(day[1], *words)
        timed = clocks.clock(reader, reader.skip(behind, "around")) if behind else None
        if timed is None or not timed[0].point or relation == "for":
            continue
        value = moments.at_clock(day[0], timed[0])
        place = value.spans.index(value.next(reader.wall))
        whole, point = day[0].spans[place], value.spans[place]
        early = relation in {"before", "until", "by"}
        first, last = reader.wall.bounds(*((whole.start, point.start) if early else (point.start, whole.end)))
        return _cut(reader, at, timed[1], _when("date_time_range", first, last, relation))
    return None


def _on(reader: Reader, at: int, after: int) -> bool:
    """Tell whether "on" behind a time is the "on" of "from Monday on"."""
    return reader.word(after) == "forward" or (
        reader.word(after) == "on" and reader.word(at) == "from" and reader.before_more(after + 1)
    )


def _length(reader: Reader, at: int, value: Value, relation: str) -> When | None:
    length = value.length
    assert length is not None
    wall = reader.wall
    size = length.microseconds
    if relation == "":
        return When(text="", span=(0, 0), kind="duration", duration=size)
    if relation not in {"for", "since", "until", "by", "before", "after"}:
        return None
    if relation != "for":
        return None
    before = _before(reader, at)
    kind = "date_range" if length.whole_days else "date_time_range"
    if tense.perfect(before):
        begun = wall.instant((-length).from_moment(wall.now, wall))
        return When(text="", span=(0, 0), kind=kind, start=begun, duration=size, relation="for")
    if tense.past(before):
        return When(text="", span=(0, 0), kind="duration", duration=size, relation="for")
    end = wall.instant(length.from_moment(wall.now, wall), ends=True)
    if end <= wall.said:
        return None
    return When(text="", span=(0, 0), kind=kind, start=wall.said, end=end, duration=size, relation="for")


def _recurs(reader: Reader, at: int, value: Value, after: int) -> tuple[When, int]:
    """Return what comes back, with the ends that are named behind it: "every Tuesday until June"."""
    size = value.length.microseconds if value.length else None
    when = When(text="", span=(0, 0), kind="recurring", recurs=value.recurs, duration=size)
    for _ in range(2):
        bound = _related(reader, after)
        if bound is None or bound[0].relation not in {"since", "until", "by", "before", "after", "from", "for"}:
            break
        found = bound[0]
        if found.kind.startswith("time"):
            break  # "weekdays after 6pm": a part of each, not an end of all
        when = replace(when, start=found.start or when.start, end=found.end or when.end, relation=found.relation)
        after = bound[1]
    return _cut(reader, at, after, when)


def _related_to(reader: Reader, at: int, value: Value, relation: str, inclusive: bool) -> When:
    """Return what a relation makes of a time: which of its readings, and which of its ends."""
    wall = reader.wall
    tensed = value.yearly or relation in {"until", "before", "by"}
    past = tensed and tense.past(_before(reader, at))
    if relation == "since":
        span = value.previous(wall)
    elif relation in {"until", "before", "by"} and not inclusive and not past:
        span = value.next(wall) if value.fixed or value.edge == "end" else value.coming(wall)
    else:
        span = value.previous(wall) if past else value.next(wall)
    first, last = _bounds(wall, span, value)
    begins_before = first <= wall.said < last
    match relation:
        case "since":
            return _when(value.kind, last if value.edge == "end" and not value.point else first, None, relation)
        case "after":
            return _when(value.kind, first if value.point else last, None, relation)
        case "until":
            whole = inclusive or value.edge == "end" or (begins_before and not value.point)
            return _when(value.kind, None, last if whole else _end_at(wall, span), relation)
        case "by":
            whole = value.edge == "end" or begins_before or value.unit in {"day", "part"}
            return _when(
                value.kind,
                None,
                last if whole and not (value.point and not value.edge) else _end_at(wall, span),
                relation,
            )
        case "before":
            return _when(value.kind, None, last if value.edge == "end" else _end_at(wall, span), relation)
    return _when(value.kind, first, last, relation)


def _end_at(wall: Wall, span: Span) -> Instant:
    return wall.instant(span.start, ends=True)


def _bounds(wall: Wall, span: Span, value: Value) -> tuple[Instant, Instant]:
    if value.point:
        start = wall.instant(span.start)
        size = (wall.instant(span.end) - start) if isinstance(span.end, int) else 60_000_000
        return start, start + (size if 0 < size <= 60_000_000 else 60_000_000)
    return wall.bounds(span.start, span.end)


def _when(kind: str, start: Instant | None, end: Instant | None, relation: str) -> When:
    return When(text="", span=(0, 0), kind=kind, start=start, end=end, relation=relation)


def _cut(reader: Reader, at: int, after: int, when: When) -> tuple[When, int]:
    start, end = reader.words[at].start, reader.words[after - 1].end
    return replace(when, text=reader.text[start:end], span=(start, end)), after


def find(text: str, *, said: Instant, zone: str) -> list[When]:
    """Return the expressions of time in a text, from left to right, the longest first, none over another.

    Parameters
    ----------
    text
        What was said.
    said
        When: everything is counted from there.
    zone
        The speaker's IANA zone: wall times are its.
    """
    words = split(text)
    near = _near(words)
    reader = Reader(words, text, Wall(said, zone))
    found = []
    at = 0
    while at < len(words):
        timely_here = near[at] <= _REACH and _may_begin(words[at].text)
        here = expression(reader, at) if timely_here else _unknown(reader, at, None)
        if here is None or _emptied(here[0]):
            at += 1
            continue
        found.append(here[0])
        at = here[1]
    return found


def _near(words: list[Word]) -> list[int]:
    """Return for each word how far ahead the next word of time is, so that "the" alone isn't tried."""
    distance, near = len(words) + _REACH, []
    for word in reversed(words):
        distance = 0 if timely(word.text) else distance + 1
        near.append(distance)
    return near[::-1]


def _emptied(when: When) -> bool:
    return when.start is not None and when.end is not None and when.end <= when.start


@cache
def _firsts() -> frozenset[str]:
    return starters() | vague.firsts() | frozenset(_leads())


def _may_begin(word: str) -> bool:
    return word[0].isdigit() or word in _firsts()


def resolve(text: str, *, said: Instant, zone: str) -> When | None:
    """Return what a text means that is one expression of time and nothing else; None if it is none.

    Parameters are those of `find`. Doubtful words count as words of time here: "may" is the month.
    """
    words = split(text)
    reader = Reader(words, text, Wall(said, zone), whole=True)
    last = len(words)
    while last and words[last - 1].text in {".", ",", "!", "?"}:
        last -= 1
    for start in range(min(2, last)):
        if start and words[0].text not in {"on", "at", "in", "during", "over", "around", "about", "the", "throughout"}:
            break
        here = expression(reader, start)
        if here and here[1] in {last, len(words)} and not _emptied(here[0]):
            return here[0]
    return None
