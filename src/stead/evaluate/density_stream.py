"""A seeded stream of claims about one subject, each with the decision that is right by the rules.

What is right is told by a notebook of one line per question, kept here and without any part of `stead.resolve`: who said what
last, on which authority, and until when an exception runs. A question that is contested, or waits for its exception to end,
isn't spoken of again meanwhile, so that every claim of the stream has one right decision.

==============  ===================================================================  ==========================
kind            what it is                                                           right
==============  ===================================================================  ==========================
``new``         a question that nobody answered yet                                  ADD
``beside``      another object of an attribute that takes many, of the same entity   ADD
``same``        what holds, said again, by whomever                                  NOOP (R10)
``refined``     what holds, with more detail                                         UPDATE (R21); with a slot, whose
                                                                                     value stays, NOOP too (R10)
``changed``     another value, same speaker                                          SUPERSEDE (R22, R23)
``corrected``   another value, and the old one was never true                        SUPERSEDE (R22)
``exception``   another value with an end                                            OVERRIDE (R12)
``disputed``    another value by another speaker                                     CONTEST (R26)
``passing``     another value, said in passing, of what was set deliberately         CONFIRM (R23)
``deliberate``  another value, set deliberately, of what was said in passing         SUPERSEDE (R23)
==============  ===================================================================  ==========================

The last six contradict; the density is their share.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from stead.evaluate.density_dice import Dice
from stead.model.outcome import Decision

CONTRADICTING: Final = {
    "changed": 50, "corrected": 10, "exception": 15, "disputed": 10, "passing": 7, "deliberate": 8,
}  # fmt: skip
"""The kinds that contradict, with how often each comes among them."""
AGREEING: Final = {"new": 25, "beside": 30, "same": 30, "refined": 15}
RIGHT: Final[Mapping[str, tuple[Decision, ...]]] = {
    "new": (Decision.ADD,), "beside": (Decision.ADD,), "same": (Decision.NOOP,), "refined": (Decision.UPDATE,),
    "changed": (Decision.SUPERSEDE,), "corrected": (Decision.SUPERSEDE,), "exception": (Decision.OVERRIDE,),
    "disputed": (Decision.CONTEST,), "passing": (Decision.CONFIRM,), "deliberate": (Decision.SUPERSEDE,),
}  # fmt: skip
STEP: Final = 3_600
"""Seconds between two claims."""
EXCEPTION: Final = 40
"""Steps that an exception lasts."""
_SET_DELIBERATELY = 0.25

NAMES = "Mara Ilse Jonas Tariq Wanda Emil Priya Otto Lucia Bruno Hedda Karim Signe Milan Noor Pavel".split()
SURNAMES = "Voss Arlen Petrik Holm Sandoval Brandt Okafor Lindt Marek Tanaka Reyes Quill".split()
TOWNS = "Velmora Kestrel Greyhaven Sund Halvern Dunmoor Aldous Brine Corrin Falkast Ostwick Tarn Merrow Lyss".split()
FIRMS = "Bramble Orbit Lindqvist Pebble Juniper Harbour Alder Cobalt Norden Quarry Saffron Tidal Umber Vellum".split()
FOODS = "tea coffee sushi olives lentils herring rhubarb ginger papaya oatmeal radishes figs tofu mustard".split()
BRANDS = "Volvo Skoda Fiat Toyota Renault Mazda Subaru Saab Lancia Honda".split()
SYSTEMS = "staging billing search mail archive login export report queue mirror".split()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """A question that a claim can answer."""

    entity: str
    """``user`` for the subject."""
    attribute: str
    object: str
    pattern: str
    """The claim, with ``{}`` for the value."""
    values: tuple[str, ...]
    details: tuple[str, ...] = ()
    """What may be added to the claim without a change of its value."""
    again: tuple[str, ...] = ()
    """Other ways to say the whole claim."""
    clauses: tuple[str, ...] = ()
    """The whole claim for each value, where a pattern won't do."""

    def claim(self, value: str) -> str:
        """Say the value."""
        return self.clauses[self.values.index(value)] if self.clauses else self.pattern.format(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One claim of the stream."""

    kind: str
    ask: Ask
    value: str
    """As it is spelled here: what holds may be said again in capitals."""
    claim: str
    speaker: str | None
    """None for the subject."""
    confirmed: bool = False
    corrected: bool = False
    until: int | None = None
    """The step at which it ends."""
    right: tuple[Decision, ...] = ()


@dataclass(slots=True)
class _Line:
    """What the notebook says of one question."""

    ask: Ask
    value: str
    speaker: str | None
    confirmed: bool
    detailed: bool = False
    busy_until: int = 0
    """A step before which it isn't spoken of."""
    closed: bool = False
    """Contested: nobody but a person decides it."""


@dataclass
class Stream:
    """The claims and the notebook behind them.

    Parameters
    ----------
    count
        How many claims.
    density
        The share of contradictions, 0 to 1.
    seed
        The same seed gives the same stream.
    slotted
        Whether the claims will be written with their slots; else every one must be told by its words.
    """

    count: int
    density: float
    seed: int = 1
    slotted: bool = True
    lines: list[_Line] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Shuffle the questions that there are to answer."""
        self._dice = Dice(f"{self.seed}/{self.density}/{self.slotted}")
        contradictions = round(self.count * self.density)
        self._contradicts = [True] * contradictions + [False] * (self.count - contradictions)
        self._dice.shuffle(self._contradicts)
        self._single, self._many = list(_single()), list(_many())
        self._dice.shuffle(self._single)
        self._dice.shuffle(self._many)

    def __iter__(self) -> Iterator[Item]:
        """Yield the claims in order."""
        owed = 0
        for step in range(self.count):
            owed += self._contradicts[step]
            kinds = CONTRADICTING if owed > 0 else AGREEING
            tried = [*self._dice.order(kinds), "beside", "new"]
            item = next(item for kind in tried if (item := self._item(kind, step)) is not None)
            owed -= item.kind in CONTRADICTING
            yield item

    def standing(self, step: int) -> Iterator[tuple[Ask, str]]:
        """Yield what holds after the stream, but for what is contested or just overridden."""
        for line in self.lines:
            if not line.closed and line.busy_until <= step:
                yield line.ask, line.value

    def _item(self, kind: str, step: int) -> Item | None:
        """Return a claim of a kind, noted down; None where nothing is there to say it of."""
        if kind in {"new", "beside"}:
            return self._added(kind)
        line = self._pick(kind, step)
        if line is None:
            return None
        if kind in {"same", "refined"}:
            return self._repeated(kind, line)
        value = self._dice.choice([each for each in line.ask.values if each != line.value])
        return self._contradicted(kind, line, value, step)

    def _added(self, kind: str) -> Item | None:
        pool = (self._many or self._single) if kind == "beside" else (self._single or self._many)
        if not pool:
            return None
        ask = pool.pop()
        value = self._dice.choice(ask.values)
        speaker = self._dice.choice(NAMES) if self._dice.chance(0.2) else None
        confirmed = speaker is None and self._dice.chance(_SET_DELIBERATELY)
        self.lines.append(_Line(ask, value, speaker, confirmed))
        return self._say("beside" if ask.object else "new", ask, value, speaker, confirmed=confirmed)

    def _pick(self, kind: str, step: int) -> _Line | None:
        """Return a line that a claim of this kind may be about."""
        needs_set = {"passing": True, "corrected": False, "changed": False, "disputed": False, "deliberate": False}
        free = [
            line
            for line in self.lines
            if not line.closed and line.busy_until <= step
            and line.confirmed is needs_set.get(kind, line.confirmed)
            and (kind != "refined" or (line.ask.details and not line.detailed and line.speaker is None))
            and (kind != "exception" or not line.confirmed)
            and (kind != "deliberate" or line.speaker is None)
        ]  # fmt: skip
        return self._dice.choice(free) if free else None

    def _repeated(self, kind: str, line: _Line) -> Item:
        claim = line.ask.claim(line.value)
        if kind == "refined":
            line.detailed = True
            claim = f"{claim} {self._dice.choice(line.ask.details)}"
            return self._say(kind, line.ask, line.value, None, claim=claim, confirmed=line.confirmed)
        others = [each.format(line.value) for each in line.ask.again if not line.detailed]
        claim = self._dice.choice([claim, f"{claim}.", claim.replace(" ", "  ", 1), *others])
        speaker = self._dice.choice([line.speaker, line.speaker, "Nils"])
        said = self._say(kind, line.ask, line.value, speaker, claim=claim)
        return replace(said, value=self._dice.choice([line.value, line.value.upper(), f" {line.value} "]))

    def _contradicted(self, kind: str, line: _Line, value: str, step: int) -> Item:
        ask, speaker, until = line.ask, line.speaker, None
        if kind == "exception":
            until = line.busy_until = step + EXCEPTION
        elif kind == "disputed":
            line.closed = True
            speaker = "Nils" if line.speaker != "Nils" else "Vera"
        elif kind != "passing":
            line.value, line.detailed = value, False
            line.confirmed = line.confirmed or kind == "deliberate"
        else:
            line.busy_until = self.count  # the question is open; its answer isn't part of the stream
        return self._say(
            kind, ask, value, speaker, confirmed=kind == "deliberate", corrected=kind == "corrected", until=until
        )

    def _say(
        self, kind: str, ask: Ask, value: str, speaker: str | None, *, claim: str | None = None, confirmed: bool = False,
        corrected: bool = False, until: int | None = None,
    ) -> Item:  # fmt: skip
        right = RIGHT[kind]
        if kind == "refined" and self.slotted:
            right = (Decision.UPDATE, Decision.NOOP)
        return Item(
            kind=kind, ask=ask, value=value, claim=ask.claim(value) if claim is None else claim, speaker=speaker,
            confirmed=confirmed, corrected=corrected, until=until, right=right,
        )  # fmt: skip


def _single() -> Iterator[Ask]:
    """Yield questions with one answer, of people, organisations and systems."""
    people = [f"{first} {last}" for first, last in zip(NAMES * 3, _repeated(SURNAMES, 48), strict=True)]
    firms = [f"{each} {kind}" for kind in ("Labs", "Works") for each in FIRMS]
    rooms = [f"Room {number}" for number in range(101, 125)]
    days = [f"{day} {month} 2031" for month in ("March", "July", "October") for day in (3, 11, 19, 27)]
    yield _one("user", "home.city", "Lives in {}", TOWNS, "near the harbour", "with two flatmates")
    yield _one("user", "work.employer", "Works at {}", firms, "as a welder", "four days a week")
    for person in dict.fromkeys(people):
        yield _one(
            person,
            "home.city",
            f"{person} lives in {{}}",
            TOWNS,
            "near the old bridge",
            again=(f"{person} still lives in {{}}",),
        )
        yield _one(
            person,
            "work.employer",
            f"{person} works at {{}}",
            firms,
            "as a draughtsman",
            again=(f"{person} works for {{}}",),
        )
        yield _one(
            person, "manager", f"{person}'s manager is {{}}", people, again=(f"The manager of {person} is {{}}",)
        )
        yield _one(person, "car", f"{person}'s car is a {{}}", BRANDS)
    for firm in firms:
        said = f"{{}} is the chief executive of {firm}"
        yield _one(firm, "ceo", f"The chief executive of {firm} is {{}}", people, again=(said,))
        yield _one(firm, "headquarters", f"{firm} is headquartered in {{}}", TOWNS, "by the river")
        yield _one(firm, "meeting.room", f"The meeting room of {firm} is {{}}", rooms)
        yield _one(firm, "audit.date", f"The audit of {firm} is on {{}}", days)
    for system in SYSTEMS:
        said = f"The {system} service is owned by {{}}"
        yield _one(system, "port", f"The {system} service runs on port {{}}", [str(8000 + n) for n in range(20)])
        yield _one(system, "owner", f"The owner of the {system} service is {{}}", people, again=(said,))
        yield _one(system, "database", f"The {system} database is Postgres {{}}", [str(n) for n in range(9, 18)])


def _many() -> Iterator[Ask]:
    """Yield attributes that take many objects: each object is a question of its own."""
    people = [f"{first} {last}" for first, last in zip(NAMES, _repeated(SURNAMES, 16), strict=True)]
    for who in ("user", *people):
        name = "" if who == "user" else f"{who} "
        for food in FOODS:
            said = tuple(
                f"{name}{verb} {food}" if name else f"{verb.capitalize()} {food}" for verb in ("likes", "dislikes")
            )
            yield Ask(
                entity=who, attribute="food.opinion", object=food, pattern="", values=("likes", "dislikes"), clauses=said
            )  # fmt: skip
        for town in TOWNS:
            verbs = ("has visited", "has never visited")
            said = tuple(f"{name}{verb} {town}" if name else f"{verb.capitalize()} {town}" for verb in verbs)
            yield Ask(entity=who, attribute="visited", object=town, pattern="", values=("yes", "no"), clauses=said)


def _one(
    entity: str, attribute: str, pattern: str, values: Sequence[str], *details: str, again: tuple[str, ...] = ()
) -> Ask:
    return Ask(
        entity=entity, attribute=attribute, object="", pattern=pattern, details=details, again=again,
        values=tuple(each for each in values if each != entity),
    )  # fmt: skip


def _repeated(names: Sequence[str], count: int) -> list[str]:
    return [names[place % len(names)] for place in range(count)]
