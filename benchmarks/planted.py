"""Claims of which it is known what they do to each other, loaded as a write that read no words would have left them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final

import stead
from stead.memory.core import Keyed
from stead.memory.desk import Desk, Logged
from stead.model.consolidation import Consolidation
from stead.model.outcome import Decision
from stead.model.period import FOREVER
from stead.model.record import Status
from stead.model.slot import claim_key
from stead.model.words import tokens
from stead.store.values import Revision, SourceRow


def load(store: stead.Store, subject: str, claims: Iterable[str], **changes: Any) -> list[str]:
    """Add claims as records without a question, one after the other, in one transaction; return their ids.

    It is what an earlier version of Stead, which read no question in a claim's words, has left.
    """
    ids: list[str] = []
    works = [Keyed(work=partial(_load, claim=claim, changes=changes, ids=ids)) for claim in claims]
    store._core.write_many(subject, "remember", works)  # noqa: SLF001
    return ids


def _load(desk: Desk, claim: str, changes: dict[str, Any], ids: list[str]) -> Logged:
    tx = desk.instant()
    row = Revision(
        record=desk.store.next_record(), id=f"rec_{desk.new_id()}", subject=desk.subject.n, slot=None, scope="", tx_from=tx,
        tx_until=FOREVER, status=Status.ACTIVE, place=tx, stated_from=tx, stated_until=FOREVER, claim=claim, value=None,
        unset=False, speaker=desk.subject.name, rank=2, kind="fact", category=None, purpose=None, audience=None,
        confidence=1.0, importance=0.5, sensitivity=None, owner=None, trigger="remember", meaning="changed", observed_at=tx,
        expires_at=None, confirmed_at=None, confirmed_how=None, review_events=(), tier="hot", claim_key=claim_key(claim),
        created=tx,
    )  # fmt: skip
    added = desk.add(replace(row, **changes), tokens(claim))
    source = SourceRow(
        record=added.record, tx=tx, observed_at=tx, speaker=added.speaker, verified=False, conversation="loaded",
        turn=added.id, uri=None,
    )  # fmt: skip
    desk.store.add_source(desk.subject.n, source)
    ids.append(added.id)
    return desk.finish(tx, Decision.ADD, "new", "loaded", record=added, status=added.status)


# --- what is planted -----------------------------------------------------------------------------------------------------

_FIRST: Final = (
    "Ada Bruno Carla Dario Edda Fatou Goran Hana Ivo Jonas Karim Lena Marta Nils Olga Petra Rosa Sven Yara".split()
)
_SOUNDS: Final = [first + second for first in "bdfgklmnprstvz" for second in ("an", "el", "ir", "os", "un", "ad", "em")]
_CITIES: Final = (
    "Oslo Porto Ghent Turin Lodz Graz Malmo Cork Bari Lyon Riga Basel Leeds Tampere Aarhus Nantes Split Utrecht".split()
)
_NUMBERS: Final = [str(each) for each in range(3, 97)]

CONTRADICTIONS: Final = (
    ("{person} lives in {}", _CITIES),
    ("{person} works at {}", "firms"),
    ("{person} reports to {}", _FIRST),
    ("The CEO of {firm} is {}", _FIRST),
    ("{firm} is headquartered in {}", _CITIES),
    ("{firm} employs {} people", _NUMBERS),
    ("{firm} was founded in {}", [str(year) for year in range(1900, 2020)]),
    ("{person} was born in {}", _CITIES),
    ("The capacity of {hall} is {} seats", _NUMBERS),
    ("The manager of {hall} is {}", _FIRST),
    ("{person}'s favourite colour is {}", "red blue green yellow purple orange".split()),
    ("The password policy of {firm} requires {} characters", _NUMBERS),
    ("The {service} service has {} replicas", _NUMBERS),
    ("The {service} service is written in {}", "Go Rust Python Kotlin Java Ruby Elixir".split()),
    ("The {service} database is Postgres {}", ["11", "12", "13", "14", "15", "16"]),
    ("{person} is {} years old", _NUMBERS),
    ("The rent of {hall} is {}00 euros", _NUMBERS),
    ("{person}'s phone number is 555 01{}", [f"{n:02}" for n in range(90)]),
)
"""One answer at a time: a second one contradicts the first."""
STANCES: Final = (
    ("{person} likes {food}", "{person} dislikes {food}"),
    ("{person} eats {food}", "{person} doesn't eat {food}"),
    ("The {service} service is enabled", "The {service} service is disabled"),
    ("{hall} is open", "{hall} is closed"),
    ("{person} owns {food}", "{person} doesn't own {food}"),
)
PARAPHRASES: Final = (
    ("The CEO of {firm} is {other}", "{other} is the CEO of {firm}"),
    ("{firm}'s CEO is {other}", "The CEO of {firm} is {other}"),
    ("{firm} published {book}", "{book} was published by {firm}"),
    ("{person} wrote {book}", "{book} was written by {person}"),
    ("{person} works at {firm}", "{person} is employed by {firm}"),
    ("{person} works for {firm}", "{person} works at {firm}"),
    ("{firm} is headquartered in {city}", "The headquarters of {firm} are in {city}"),
    ("{person} likes {food}", "{person} enjoys {food}"),
    ("{person} is married to {other}", "{other} is married to {person}"),
    ("{hall} takes 60 minutes", "{hall} takes one hour"),
    ("{book} weighs 0.3 kg", "{book} weighs 300 grams"),
    ("{person} doesn't eat {food}", "{person} does not eat {food}"),
    ("{firm} acquired {hall}", "{hall} was acquired by {firm}"),
    ("{person} quit smoking", "{person} stopped smoking"),
    ("{firm} employs 40 people", "{firm} has 40 employees"),
    ("{book} costs 20 euros", "The price of {book} is 20 euros"),
    ("{person} lives in {city}", "{person}'s home is in {city}"),
    ("{person} prefers tea over coffee", "{person} likes tea better than coffee"),
    ("The {service} build takes about twelve minutes", "The {service} build takes roughly 12 minutes"),
)
SPELLINGS: Final[tuple[Callable[[str], str], ...]] = (
    str,
    lambda claim: f"{claim}.",
    lambda claim: claim.replace(" ", "  ", 1),
    lambda claim: f" {claim}. ".upper().strip(),
    lambda claim: claim.replace("'", "\u2019"),
    lambda claim: claim[0].lower() + claim[1:],
)
APART: Final = (
    ("{person} likes {food}", "{person} likes {drink}"),
    ("{person} visited {city}", "{person} visited {town}"),
    ("Room {n}1 of {hall} is free", "Room {n}2 of {hall} is taken"),
    ("Flight {flight}1 lands at noon", "Flight {flight}2 is late"),
    ("Order {n}48213 of {firm} has shipped", "Order {n}48231 of {firm} has not shipped"),
    ("{person} works at {firm}", "{other} works at {firm}"),
    ("{person} speaks French", "{person} speaks Dutch"),
    ("{person}'s brother is {other}", "{person}'s sister is Ines"),
    ("{firm} was founded in 1990", "{firm} was sold in 2010"),
    ("{person} had a cold in May", "{person} had a cold in June"),
    ("The {service} service uses Redis", "The {service} service uses Kafka"),
    ("{person} has a dentist appointment on Monday", "{person} has a dentist appointment on 3 June"),
    ("{book} is set in {city}", "{book} was printed in {town}"),
    ("{hall} has a piano", "{hall} has an organ"),
)
"""Both can be true."""
REST: Final = (
    "{person} collects {book} prints",
    "{firm} sponsors {hall}",
    "{person} once met {other} in {city}",
    "{hall} has a view of {city}",
    "{person} is learning to repair {food} ovens",
    "{firm} ships {food} to {city} on Mondays",
    "{book} has a red cover",
    "{person} plays chess with {other} at {hall}",
    "The {service} service logs to {hall}",
    "{person} volunteers at {hall}",
)


_OFTEN: Final = ("", "now ", "currently ", "still ", "already ", "really ")
_WHEN: Final = ("Now", "Currently,", "These days", "At the moment")
FIFTY: Final = (
    *(f"Lena Brandt {often}works {at} Apex Labs{end}" for often in _OFTEN for at in ("at", "for") for end in ("", ".")),
    *(f"Lena Brandt is {often}employed {at} Apex Labs" for often in _OFTEN for at in ("at", "by")),
    *(
        f"{when} Lena Brandt {works} Apex Labs"
        for when in _WHEN
        for works in ("works at", "works for", "is employed by")
    ),
    "Lena Brandt is working at Apex Labs",
    'Lena Brandt works at "Apex Labs"',
)
"""Ways of saying one thing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two planted claims, by their place, and what the later one does to the earlier one."""

    kind: str
    """``contradiction``, ``duplicate`` or ``paraphrase``."""
    old: int
    new: int


@dataclass(slots=True, kw_only=True)
class Planted:
    """Claims in the order in which they are said, with what is to be found in them."""

    claims: list[str] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)


def planted(count: int, *, each: int, seed: int = 5) -> Planted:
    """Return claims with planted pairs, far apart from each other, among claims that have nothing to do with each other.

    Parameters
    ----------
    count
        How many claims.
    each
        How many contradictions, duplicates and paraphrases; as many pairs again look alike and can both be true.
    seed
        Of the draw.
    """
    source = random.Random(seed)
    world = _World(source)
    drawn = [(kind, *make(world, n)) for kind, make in _MADE.items() for n in range(each)]
    said: list[tuple[float, str, int, int]] = []
    for number, (_, old, new) in enumerate(drawn):
        first, second = sorted((source.random(), source.random()))
        said += [(first, old, number, 0), (second, new, number, 1)]
    said += [(source.random(), world.say(REST[n % len(REST)]), -1, 0) for n in range(count - len(said))]
    result, places = Planted(), dict[tuple[int, int], int]()
    for place, (_, claim, number, which) in enumerate(sorted(said)):
        result.claims.append(claim)
        places[number, which] = place
    for number, (kind, _, _) in enumerate(drawn):
        if kind != "apart":
            result.pairs.append(Pair(kind=kind, old=places[number, 0], new=places[number, 1]))
    return result


@dataclass(slots=True)
class _World:
    """Names that are drawn once each, so that no two planted pairs speak of the same thing."""

    source: random.Random
    used: set[str] = field(default_factory=set)

    def name(self) -> str:
        """Return a name that nothing else has."""
        while (made := "".join(self.source.choices(_SOUNDS, k=3)).capitalize()) in self.used:
            pass
        self.used.add(made)
        return made

    def names(self) -> dict[str, str]:
        """Return something for every gap."""
        draw = self.source.choice
        return {
            "person": f"{draw(_FIRST)} {self.name()}", "other": f"{draw(_FIRST)} {self.name()}", "firm": f"{self.name()} Labs",
            "hall": f"{self.name()} Hall", "book": f"The {self.name()} Letters", "service": self.name().lower(),
            "city": "Oslo", "town": "Porto", "food": draw("plums leeks figs oats limes nuts kale beans".split()),
            "drink": draw("tea cider cocoa milk".split()), "n": str(draw(range(10, 90))),
            "flight": self.name().upper(),
        }  # fmt: skip

    def say(self, template: str, **more: str) -> str:
        """Return a template with its gaps filled."""
        return template.format(**{**self.names(), **more})


def _contradiction(world: _World, n: int) -> tuple[str, str]:
    names, stances = world.names(), n % 4 == 3
    if stances:
        one, two = STANCES[n // 4 % len(STANCES)]
        return one.format(**names), two.format(**names)
    template, values = CONTRADICTIONS[(n - n // 4) % len(CONTRADICTIONS)]
    pool = [f"{world.name()} Foods" for _ in range(2)] if values == "firms" else list(values)
    one, two = world.source.sample(pool, 2)
    return template.format(one, **names), template.format(two, **names)


def _duplicate(world: _World, n: int) -> tuple[str, str]:
    every = [*(pair[0] for pair in PARAPHRASES), *REST]
    claim = every[n % len(every)].format(**world.names())
    return claim, SPELLINGS[n % len(SPELLINGS)](claim)


def _from(templates: Sequence[tuple[str, str]], world: _World, n: int) -> tuple[str, str]:
    names = world.names()
    one, two = templates[n % len(templates)]
    return one.format(**names), two.format(**names)


_MADE: Final[dict[str, Callable[[_World, int], tuple[str, str]]]] = {
    "contradiction": _contradiction, "duplicate": _duplicate, "paraphrase": partial(_from, PARAPHRASES),
    "apart": partial(_from, APART),
}  # fmt: skip


def found(planted: Planted, ids: Sequence[str], report: Consolidation) -> dict[str, set[int]]:
    """Return the planted pairs that a consolidation found, by kind, and under ``false`` the records that it shouldn't touch."""
    pairs = [frozenset(each) for each in _brought_together(report)]
    hit: dict[str, set[int]] = {"contradiction": set(), "duplicate": set(), "paraphrase": set(), "false": set()}
    wanted = {frozenset((ids[each.old], ids[each.new])): number for number, each in enumerate(planted.pairs)}
    places = {name: place for place, name in enumerate(ids)}
    for each in pairs:
        if each in wanted:
            hit[planted.pairs[wanted[each]].kind].add(wanted[each])
        else:
            hit["false"] |= {places[name] for name in each if name in places}
    return hit


def _brought_together(report: Consolidation) -> Iterator[tuple[str, str]]:
    for run in report.subjects:
        for step in run.steps:
            if step.rule != "adopted":
                yield from ((step.record, other) for other in step.affected)
