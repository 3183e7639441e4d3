"""How well extraction reads labelled turns: precision and recall of claims, their times and acts, and what it must not say.

``python -m tests.extraction_scoring tests/data/extraction/dev.yaml`` prints the report of one file.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from stead.extract.proposal import Act, Proposal
from stead.model.period import Instant, iso
from stead.model.slot import SELF, normal, plain
from stead.model.zone import instant

Extract = Callable[[str, Instant, str], Sequence[Proposal]]

ZONE: Final = "Europe/Berlin"
EXCLUDING: Final = frozenset(
    "hypothetical question quote irony mood aside task_only past_event third_party summary".split()
)
"""Traits with which a proposal is no fact."""
FORBIDDING: Final = frozenset({"hypothetical", "question", "quote"})
"""What a turn may be about from which no fact may come, beside those that its labels name."""

_RELATIONS: Final = {
    "positive": "like, likes, love, loves, enjoy, enjoys, prefer, prefers, adore, adores, favorite, favourite",
    "negative": "dislike, dislikes, hate, hates, detest, detests, can't stand, cannot stand, doesn't like, don't like",
    "avoids": "avoid, avoids, doesn't eat, don't eat, never eats, doesn't drink, don't drink, never drinks",
}
_POLARITY: Final = {word: name for name, words in _RELATIONS.items() for word in words.split(", ")}
_EMPTY: Final = frozenset("a an the my your his her our their its s mr mrs ms dr".split())
_NEGATIONS: Final = frozenset("no not never without none nothing".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What a slot should say; the attribute is None where only the conversation tells it."""

    entity: str
    attribute: str | None
    object: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A claim that a careful person would keep, with the labels that are as good as the first."""

    labels: tuple[Label, ...]
    starts: Instant | None
    ends: Instant | None
    act: Act
    replaces: str | None
    traits: frozenset[str]
    optional: bool

    def __str__(self) -> str:
        return _spelled(self.labels[0], self.act)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One labelled turn."""

    id: str
    said: Instant
    text: str
    expect: tuple[Claim, ...]
    about: frozenset[str]


@dataclass(slots=True)
class Tally:
    """How many of how many."""

    right: int = 0
    of: int = 0

    def add(self, right: bool) -> None:
        self.right += right
        self.of += 1

    @property
    def share(self) -> float:
        return self.right / self.of if self.of else 1.0

    def __str__(self) -> str:
        return f"{self.share:.3f} ({self.right} of {self.of})"


@dataclass(slots=True)
class Score:
    """What a run over labelled turns gave; the lists are for reading, a line per claim."""

    precision: Tally = field(default_factory=Tally)
    recall: Tally = field(default_factory=Tally)
    times: Tally = field(default_factory=Tally)
    acts: Tally = field(default_factory=Tally)
    traits: Tally = field(default_factory=Tally)
    forbidden: list[str] = field(default_factory=list)
    """Facts from turns that are hypothetical, questions or quotes: must be none."""
    misses: list[str] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """Claims that were found, with another time, act or trait than the words say."""

    def __str__(self) -> str:
        numbers = {
            "precision": self.precision,
            "recall": self.recall,
            "times": self.times,
            "acts": self.acts,
            "traits": self.traits,
            "forbidden": len(self.forbidden),
        }
        lists = {"forbidden": self.forbidden, "missed": self.misses, "false": self.alarms, "wrong": self.wrong}
        lines = [f"{name:10} {number}" for name, number in numbers.items()]
        for name, found in lists.items():
            lines += ["", f"{name}: {len(found)}", *(f"  {line}" for line in found)]
        return "\n".join(lines)


def load(path: str | Path) -> list[Case]:
    """Read a file of labelled turns."""
    turns = yaml.safe_load(Path(path).read_text(encoding="utf-8"))
    return [
        Case(
            id=turn["id"],
            said=_instant(turn["said"]),
            text=turn["text"],
            expect=tuple(_claim(each) for each in turn["expect"]),
            about=frozenset(turn.get("about", ())),
        )
        for turn in turns
    ]


def score(cases: Sequence[Case], extract: Extract) -> Score:
    """Compare what is extracted from each turn with its labels.

    Proposals count inside the ontology only (with a slot, or matching a label), and only as facts: one with an excluding
    trait counts as not proposed. One that matches an optional claim, or a claim that is already matched, is neutral.
    """
    total = Score()
    for case in cases:
        _score_one(case, extract(case.text, case.said, ZONE), total)
    return total


def _score_one(case: Case, proposals: Sequence[Proposal], total: Score) -> None:
    facts = [each for each in proposals if each.act in _KEPT and not each.traits & EXCLUDING]
    taken: set[int] = set()
    for claim in (each for each in case.expect if not each.optional):
        found = _best(claim, facts, taken)
        total.recall.add(found is not None)
        if found is None:
            total.misses.append(_line(case, str(claim)))
            continue
        taken.add(found)
        total.precision.add(right=True)
        _compare(case, claim, facts[found], total)
    for number, fact in enumerate(facts):
        if number in taken or any(_matches(claim, fact) for claim in case.expect):
            continue
        line = _line(case, _said(fact))
        if fact.slot is not None:
            total.precision.add(right=False)
            total.alarms.append(line)
        if fact.act is Act.SAY and case.about & FORBIDDING:
            total.forbidden.append(line)
    _compare_removals(case, proposals, total)


_KEPT: Final = frozenset({Act.SAY, Act.CORRECT, Act.END})


def _best(claim: Claim, facts: Sequence[Proposal], taken: set[int]) -> int | None:
    """Return the first free proposal that matches, of the same act if there is one."""
    free = [number for number, fact in enumerate(facts) if number not in taken and _matches(claim, fact)]
    return min(free, key=lambda number: facts[number].act is not claim.act, default=None)


def _compare(case: Case, claim: Claim, fact: Proposal, total: Score) -> None:
    wanted = {"from": (claim.starts, fact.valid_from), "until": (claim.ends, fact.valid_until)}
    stated = {name: pair for name, pair in wanted.items() if pair[0] is not None}
    if stated:
        off = [f"{name} {_when(said)} not {_when(got)}" for name, (said, got) in stated.items() if said != got]
        total.times.add(not off)
        total.wrong += [_line(case, f"{claim}: {each}") for each in off]
    same = fact.act is claim.act and (
        claim.replaces is None or (fact.replaces is not None and _same_words(claim.replaces, fact.replaces))
    )
    total.acts.add(same)
    if not same:
        total.wrong.append(_line(case, f"{claim}: {fact.act} replaces {fact.replaces}"))
    if claim.traits:
        total.traits.add(claim.traits <= fact.traits)
        if not claim.traits <= fact.traits:
            total.wrong.append(_line(case, f"{claim}: without {', '.join(sorted(claim.traits - fact.traits))}"))


def _compare_removals(case: Case, proposals: Sequence[Proposal], total: Score) -> None:
    """Compare the acts that are about whole turns: take_back and forget."""
    for act in (Act.TAKE_BACK, Act.FORGET):
        wanted, got = act in case.about, any(each.act is act for each in proposals)
        if wanted or got:
            total.acts.add(wanted == got)
        if wanted != got:
            total.wrong.append(_line(case, f"{act} {'missed' if wanted else 'not asked for'}"))


def _matches(claim: Claim, fact: Proposal) -> bool:
    return any(_label_matches(label, fact) for label in claim.labels)


def _label_matches(label: Label, fact: Proposal) -> bool:
    if fact.slot is None or label.attribute is None:
        unknown = fact.slot is None and label.attribute is None and fact.act is Act.CORRECT
        return unknown and f" {' '.join(_words(label.value)[0])} " in f" {' '.join(_words(fact.claim)[0])} "
    key, value = fact.slot.key, "" if fact.slot.value is None else plain(fact.slot.value)
    thing = key.object or (value if label.object else "")
    return (
        key.attribute == label.attribute
        and _words(key.entity) == _words(label.entity)
        and _same_words(label.object, thing)
        and _same_value(label, thing, value)
    )


def _same_value(label: Label, thing: str, value: str) -> bool:
    """Tell whether a value agrees; where a relation is only in the attribute's name, its object may stand for it."""
    wanted, got = _polarity(label.value), _polarity(value)
    if wanted and got:
        return wanted == got
    if wanted:
        return label.attribute == "food.avoids" and _same_words(thing, value)
    if got:
        return got == "positive" and label.value == label.object
    return _same_words(label.value, value)


def _polarity(value: str) -> str | None:
    return _POLARITY.get(normal(value).replace("\u2019", "'"))


def _same_words(one: str, other: str) -> bool:
    """Tell whether two texts agree: equal, or one in the other with at least half of its words; both or none negated."""
    (ours, ours_negated), (theirs, theirs_negated) = _words(one), _words(other)
    if ours_negated != theirs_negated:
        return False
    short, long = sorted((ours, theirs), key=len)
    if short == long:
        return True
    return 0 < len(long) <= 2 * len(short) and f" {' '.join(short)} " in f" {' '.join(long)} "


def _words(text: str) -> tuple[list[str], bool]:
    """Return the words that count, without articles, possessives and punctuation; and whether the text negates."""
    folded = normal(text).replace("\u2019", "'").replace("can't", "can not").replace("n't", " not")
    words = [word for word in re.findall(r"[^\W_]+", folded) if word not in _EMPTY]
    kept = [word for word in words if word not in _NEGATIONS]
    return kept, len(kept) < len(words)


def _claim(each: Mapping[str, Any]) -> Claim:
    return Claim(
        labels=tuple(_labels(each)),
        starts=_instant(each["from"]) if "from" in each else None,
        ends=_instant(each["until"]) if "until" in each else None,
        act=Act(each.get("act", "say")),
        replaces=each.get("replaces"),
        traits=frozenset(each.get("traits", ())),
        optional=each.get("optional", False),
    )


def _labels(each: Mapping[str, Any]) -> Iterator[Label]:
    entity = each.get("entity", SELF)
    for label in (each, *each.get("or", ())):
        yield Label(
            entity=label.get("entity", entity),
            attribute=label["attribute"],
            object=label.get("object", ""),
            value=label["value"],
        )


def _instant(wall: str) -> Instant:
    return instant(wall, zone_name=ZONE, reading="earlier")


def _when(moment: Instant | None) -> str:
    return "open" if moment is None else str(iso(moment))


def _spelled(label: Label, act: Act) -> str:
    thing = f"[{label.object}]" if label.object else ""
    return f"{'' if act is Act.SAY else f'{act}: '}{label.entity} / {label.attribute or '?'}{thing} = {label.value}"


def _said(fact: Proposal) -> str:
    if fact.slot is None:
        return f"{fact.act}: {fact.claim!r} without a slot"
    value = "" if fact.slot.value is None else plain(fact.slot.value)
    key = fact.slot.key
    return _spelled(Label(entity=key.entity, attribute=key.attribute, object=key.object, value=value), fact.act)


def _line(case: Case, said: str) -> str:
    return f"{case.id} {case.text[:90]!r}: {said}"


def main(path: str) -> None:
    """Print the report of one file."""
    from stead.extract.rules import Extractor
    from stead.policy import load as policy

    extractor = Extractor(policy().attributes)
    report = score(load(path), lambda text, said, zone: extractor(text, said=said, zone=zone))
    sys.stdout.write(f"{report}\n")


if __name__ == "__main__":
    main(sys.argv[1])
