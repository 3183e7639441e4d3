"""One sentence after the other: what a turn proposes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

from stead.extract.proposal import Act, Proposal
from stead.extract.rules import orders, takeback
from stead.extract.rules.beside import beside
from stead.extract.rules.choosing import best
from stead.extract.rules.claims import spoken
from stead.extract.rules.clause import Clause
from stead.extract.rules.clauses import clauses, infinitive
from stead.extract.rules.lexicon import GROUPS, MOODS, RELATIVES, SOFT
from stead.extract.rules.listing import Found
from stead.extract.rules.makers import Reworded
from stead.extract.rules.making import made
from stead.extract.rules.patterns import Compiled
from stead.extract.rules.remembering import remembering
from stead.extract.rules.rereading import LOOSE, asked_for, counting, within
from stead.extract.rules.rewording import of_clause, of_sentence, segments, spaced
from stead.extract.rules.scenes import framing, invented
from stead.extract.rules.subject import Subject, mentioned, subjects
from stead.extract.rules.telling import for_now, instruction
from stead.extract.rules.text import Sentence, Words, read, sentences
from stead.extract.rules.times import Mark, cued, mark
from stead.extract.rules.wholes import formed, mended, whole
from stead.model.period import Instant
from stead.model.record import Kind
from stead.model.slot import SELF

_YOU: Final = frozenset("you your yours yourself".split())
MOST_TIMES: Final = 2_000
"""Characters of one turn that are searched for words of time."""
MOST_REWORDED: Final = 10
"""Other words that are tried for one turn."""
MOST: Final = 20
"""Proposals of one turn; a longer list is nobody talking."""


@dataclass(slots=True)
class Turn:
    """What is known while a turn is read."""

    words: Words
    compiled: Compiled
    said: Instant
    zone: str
    owner: str
    known: list[str] = field(default_factory=list)
    found: list[Proposal] = field(default_factory=list)
    repairing: bool = False
    """The sentence before said that something was wrong."""
    timed: int = 0
    """Characters that were searched for words of time."""
    deep: int = 0
    """How often what is read has been put into other words."""
    left: list[int] = field(default_factory=lambda: [MOST_REWORDED])
    """How many other words may still be tried, in what is read again as well."""
    times: dict[str, list[Any]] = field(default_factory=dict)
    """Words of time by the words in which they were found."""
    tried: dict[tuple[str, int], list[Proposal]] = field(default_factory=dict)
    """What plain words gave, by the words and how deep."""
    foreign: str = ""
    """The trait of all that follows: quote after "here is the text:", hypothetical inside of a story."""


def read_turn(turn: Turn) -> list[Proposal]:
    """Return what the turn proposes."""
    for sentence in sentences(turn.words):
        if len(turn.found) >= MOST:
            break
        before = len(turn.known)
        _sentence(turn, sentence)
        if len(turn.known) == before and not turn.deep and turn.owner == SELF:
            turn.known += mentioned(turn.words, sentence.first, sentence.last)
    turn.found[:] = _once(turn.found)
    return turn.found[:MOST]


def _once(found: list[Proposal]) -> list[Proposal]:
    """Return proposals without those that say the same again, put into other words."""
    kept: dict[tuple[object, ...], Proposal] = {}
    for at, one in enumerate(found):
        same = (one.act, one.slot.key, one.slot.value, one.traits) if one.slot is not None else (at,)
        kept.setdefault(same, one)
    return list(kept.values())


def _sentence(turn: Turn, sentence: Sentence) -> None:
    words = turn.words
    low = words.low[sentence.first : sentence.last]
    text = orders.words_of(sentence, words)
    kept = set(low)
    if not takeback.TRIGGERS.isdisjoint(kept) and _taken(turn, sentence, text):
        return
    remember = remembering(words, sentence)
    if remember:
        if remember == sentence.last:
            turn.found[-1:] = [
                replace(one, traits=one.traits | {"remember"}) for one in turn.found[-1:] if one.act is Act.SAY
            ]
            return
        asked = words.low[sentence.first] in ("can", "could", "would", "will")
        sentence = Sentence(remember, sentence.last, "." if asked else sentence.mark)
        text = orders.words_of(sentence, words)
    scene = turn.foreign or framing(words, sentence)
    turn.foreign = scene or invented(words, sentence)
    before = len(turn.found)
    once = orders.once(text)
    repairs = turn.repairing or takeback.repairs(text)
    form = None if once else formed(words, turn.compiled, sentence, text)
    if form is not None:
        turn.found.append(form)
    elif not _plainly(turn, sentence):
        _clauses(turn, sentence, repairs, told=turn.foreign != scene)
        if len(turn.found) == before:
            _late(turn, sentence)
    fresh = turn.found[before:]
    if not fresh and not kept.isdisjoint(_MENDING):
        fresh = mended(words, sentence, text)
    if not fresh and once and orders.only_here(text) and "?" not in sentence.mark:
        fresh = [whole(words, sentence, Kind.INSTRUCTION)]
    if not fresh and remember and "?" not in sentence.mark and _YOU.isdisjoint(low):
        fresh = [whole(words, sentence, Kind.FACT)]
    traits = ({"task_only"} if once else set()) | ({"remember"} if remember else set())
    if traits:
        fresh = [replace(one, traits=(one.traits - {"standing"} if once else one.traits) | traits) for one in fresh]
    turn.found[before:] = fresh
    turn.foreign = scene
    turn.repairing = repairs and not fresh


_MENDING: Final = frozenset(("not", "meant", "mean", "*", "make", "correction", "should"))


def _taken(turn: Turn, sentence: Sentence, text: str) -> bool:
    found = takeback.taken(text)
    if found is None or any(at in turn.words.quoted for at in range(sentence.first, sentence.last)):
        return False
    if turn.words.low[sentence.first : sentence.last][-1:] == ["?"] and text.lower().startswith(
        ("did", "do ", "what", "why", "how", "when")
    ):
        return False
    act, about = found.act, found.about
    earlier = [one for one in turn.found if one.act is Act.FORGET]
    if not about and earlier:
        return True
    start = turn.words.start[sentence.first]
    span = (start + found.span[0], min(start + found.span[1], turn.words.end[sentence.last - 1]))
    turn.found.append(Proposal(claim=text.strip()[:220], span=span, act=act, about=about))
    rest = text[found.span[1] :]
    if act is Act.TAKE_BACK and len(rest.split()) >= 3:
        begin = next(
            (at for at in range(sentence.first, sentence.last) if turn.words.start[at] >= span[1]), sentence.last
        )
        if begin < sentence.last:
            _sentence(turn, Sentence(begin, sentence.last, sentence.mark))
    return True


def _clauses(turn: Turn, sentence: Sentence, repairs: bool, *, told: bool) -> None:  # noqa: PLR0912 - one branch per kind of clause
    words = turn.words
    found = clauses(words, sentence, turn.compiled.inflected)
    if turn.foreign:
        for clause in found[1 if told and words.low[sentence.first] in ("i", "we") else 0 :]:
            clause.traits.add(turn.foreign)
    marks: list[Mark] = []
    carried: Subject | None = None
    ordering = True
    standing = False
    spoken_of: str | None = None
    pending = sentence.first
    for clause in found:
        if clause.first in words.quoted:
            clause.traits.add("quote")
        marks += _marks(turn, clause)
        whom = subjects(words, clause, turn.known, turn.compiled.inflected, owner=turn.owner, carried=carried)
        standing = standing or (
            "question" not in clause.traits and orders.each_time(words, clause.first, clause.last, clause.lead)
        )
        got: list[Found] = []
        carried = (
            whom[0] if whom and not infinitive(turn.words, turn.compiled.inflected, clause.first, clause.last) else None
        )
        ordering = ordering if whom and whom[0].shape != "self" else not whom
        got = best(turn.compiled, words, clause, whom, min(pending, clause.first))
        if (
            not got
            and clause.lead in ("", "so", "then", "and", "but", "or", "now", "if")
            and (ordering or clause.lead not in ("and", "or", "but"))
            and (not whom or not clause.traits - {"hypothetical", "uncertain"})
        ):
            ordered = _order(turn, sentence, clause, whom, standing)
            if ordered:
                continue
        loose = all(one.fit.template.attribute in LOOSE for one in got) and (
            whom or clause.lead not in _JOINED or spoken_of in (None, turn.owner)
        )
        if whom:
            spoken_of = whom[0].entity if whom[0].shape == "self" else ""
        put = _clause_plainly(turn, sentence, clause, strict=bool(got)) if loose else None
        if put:
            turn.found += put
            pending = clause.last
            continue
        near = clause
        if clause.said and not turn.foreign and _unquoted(turn, clause.first, clause.said):
            near = Clause(clause.first, clause.said, clause.lead, clause.traits - {"quote"})
        by_the_way = [] if "quote" in near.traits else beside(turn.compiled, words, near, turn.owner)
        if by_the_way:
            turn.found += made(turn, near, by_the_way, (), repairs=False)
        if got:
            wanted = [one for one in marks if pending <= one.first < clause.last]
            turn.found += made(turn, clause, got, wanted, repairs=repairs)
            turn.known += [named for one in turn.found[-1:] if (named := _met(one))]
            pending = clause.last
        elif whom and whom[0].shape == "self":
            _mood(turn, clause, whom[0])
        if whom:
            pending = clause.last


def _plainly(turn: Turn, sentence: Sentence, *, late: bool = False) -> bool:
    """Read a sentence in plain order, where its form is one that is known."""
    if "?" in sentence.mark or turn.deep > 1 or turn.foreign or not _unquoted(turn, sentence.first, sentence.last):
        return False
    got: list[Proposal] = []
    for ways in of_sentence(spaced(turn.words, sentence.first, sentence.last), late=late):
        got += _reread(turn, ways, sentence.first, sentence.last)
    turn.found += got
    return bool(got)


def _clause_plainly(turn: Turn, sentence: Sentence, clause: Clause, *, strict: bool) -> list[Proposal]:
    if "?" in sentence.mark or turn.deep > 1 or clause.traits & _NOT_STATED or clause.lead in _RELATIVE:
        return []
    kept = frozenset(turn.words.low[clause.first : clause.last])
    words = turn.words
    first = clause.first <= sentence.first + 1 and (
        clause.last >= sentence.last or not words.is_word(clause.last) or words.low[clause.last] in _GOES_ON
    )
    ways = of_clause(spaced(words, clause.first, clause.last), kept, first=first)
    found = _reread(turn, ways, clause.first, clause.last, strict=strict)
    return [replace(one, traits=one.traits | clause.traits) for one in found] if clause.traits else found


_JOINED: Final = frozenset("and but or so".split())
_GOES_ON: Final = frozenset("and but so before after because since until while".split())


def _met(one: Proposal) -> str:
    """Return the person that a proposal names for whom no other word was said: he and she go on about them."""
    manager = one.slot is not None and one.slot.key.attribute == "work.manager"
    return str(one.slot.value) if one.slot is not None and manager else ""


_RELATIVE: Final = frozenset("who which whom whose that where what whether how why till until".split())
_NOT_STATED: Final = frozenset("hypothetical question quote irony aside".split())


def _late(turn: Turn, sentence: Sentence) -> None:
    """Read a sentence in which nothing was found: fronted words, then each part between commas."""
    if _plainly(turn, sentence, late=True) or "?" in sentence.mark or turn.deep or turn.foreign:
        return
    words = turn.words
    low = words.low[sentence.first : sentence.first + 2]
    if low[0] in ("my", "our") and low[-1] in RELATIVES | GROUPS:
        return
    if "," not in words.low[sentence.first : sentence.last] or not _unquoted(turn, sentence.first, sentence.last):
        return
    text = spaced(words, sentence.first, sentence.last)
    if sentence.last - sentence.first > 36 or not _HEDGED.isdisjoint(words.low[sentence.first : sentence.last]):
        return
    for at, part in enumerate(segments(text)):
        ways = [way for late in (False, True) for some in of_sentence(part, late=late) for way in some]
        if part.lower().startswith("no "):
            if for_now(words, sentence) and not orders.manner(part.lower().split()[1:]):
                continue
            turn.found += _reread(turn, iter((Reworded((part,), only=_NEVER),)), sentence.first, sentence.last)
        ways += of_clause(part, frozenset(read(part).low), first=not at)
        turn.found += _reread(turn, iter(ways), sentence.first, sentence.last, strict=True)


_NEVER: Final = frozenset({"instruction.never"})
_HEDGED: Final = frozenset(
    "if unless would might maybe perhaps imagine suppose wish had say says said saying "
    "it this these he she they you there your his her".split()
)


def _unquoted(turn: Turn, first: int, last: int) -> bool:
    return not turn.words.quoted or turn.words.quoted.isdisjoint(range(first, last))


def _reread(turn: Turn, ways: Iterator[Reworded], first: int, last: int, *, strict: bool = False) -> list[Proposal]:
    """Return what words say when they are put in the first of some ways in which they say anything."""
    for way in ways:
        got: list[Proposal] = []
        if way.label and not asked_for(turn.compiled, way.label):
            return []
        for text in way.texts:
            said = _again(turn, text, 2 if way.label else turn.deep + 1)
            if said is None:
                return []
            got += counting(turn.compiled, said, way, strict=strict)
        placed = within(turn.words, got, first, last, turn.owner)
        if placed:
            return placed
    return []


def _again(turn: Turn, text: str, deep: int) -> list[Proposal] | None:
    """Read a sentence that was put plainly; None where enough was tried in this turn."""
    if (text, deep) in turn.tried:
        return turn.tried[text, deep]
    turn.left[0] -= 1
    if turn.left[0] < 0:
        return None
    words = read(text)
    words.casual = turn.words.casual
    again = Turn(
        words, turn.compiled, turn.said, turn.zone, turn.owner, turn.known, deep=deep, left=turn.left, times=turn.times,
        tried=turn.tried,
    )  # fmt: skip
    found = turn.tried[text, deep] = read_turn(again)
    return found


def _marks(turn: Turn, clause: Clause) -> list[Mark]:
    if turn.timed >= MOST_TIMES or not cued(turn.words, clause.first, clause.last):
        return []
    turn.timed += turn.words.end[clause.last - 1] - turn.words.start[clause.first]
    return mark(turn.words, clause.first, clause.last, said=turn.said, zone=turn.zone, kept=turn.times)


def _order(turn: Turn, sentence: Sentence, clause: Clause, whom: list[Subject], habitual: bool) -> bool:
    traits = clause.traits - {"question"} if "?" in sentence.mark else clause.traits
    if ("hypothetical" in traits and not habitual) or "quote" in traits or "irony" in traits or "aside" in traits:
        return False
    if whom and whom[0].shape != "self":
        return False
    proposal = instruction(turn, clause, sentence, habitual)
    if proposal is None:
        return False
    turn.found.append(proposal)
    return True


_FEELING: Final = frozenset("am are feel feeling been have getting a bit little kind of not was were".split())


def _mood(turn: Turn, clause: Clause, subject: Subject) -> None:
    words = turn.words
    low = words.low
    at = subject.after
    felt = False
    while at < clause.last and (low[at] in SOFT or low[at] in _FEELING):
        felt = felt or low[at] in ("am", "are", "feel", "feeling", "was", "were", "been")
        at += 1
    if felt and at < clause.last and low[at] in MOODS:
        claim = spoken(words, subject.first, at + 1)
        turn.found.append(
            Proposal(
                claim=claim, span=(words.start[clause.first], words.end[at]), traits=frozenset({"mood"}), confidence=0.6
            )
        )
