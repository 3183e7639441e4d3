"""Words put plainly where they have to be changed: who is somebody, what somebody does, how old each of several is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from stead.extract.rules.orders import base_of, manner
from stead.extract.rules.verbs import third_person


@dataclass(frozen=True, slots=True)
class Reworded:
    """One way to say something plainly."""

    texts: tuple[str, ...]
    """What is read in its place, one after the other."""
    strict: bool = False
    """Only an attribute that is about something in particular counts: no bare opinion."""
    only: frozenset[str] = frozenset()
    """The attributes that count; empty: any."""
    label: str = ""
    """The attribute that is found must be asked for by this word: "seat" of "Seat: aisle"."""


Ways = Iterator[Reworded]
Make = Callable[[re.Match[str]], Ways]

# --- sentences -----------------------------------------------------------------------------------------------------------


def _where(found: re.Match[str]) -> Ways:
    inside = found["v"].lower().startswith(("live", "living", "grew", "reside", "stay"))
    for link in ("in", "at") if inside else ("at", "in"):
        yield Reworded((f"{found['s']} {found['v']} {link} {found['x']}",))


def _relative(found: re.Match[str]) -> Ways:
    head = re.sub(r"^.*\b(?=(?:my|our)\b)", "", found["s"], flags=re.IGNORECASE)
    verb = found["v"].strip()
    inner = f"{head} is {verb[2:]}" if verb.startswith("'s") else f"{head} {verb}"
    yield Reworded((f"{found['s']} {found['r'] or ''}".strip(), inner))


def _aside(found: re.Match[str]) -> Ways:
    inner = found["p"].strip()
    outer = f"{found['a'].rstrip()} {found['b'].lstrip()}".strip()
    yield Reworded((outer, inner))


def _fronted(found: re.Match[str]) -> Ways:
    yield Reworded((f"{found['s']} {found['v']} {found['p'][:1].lower()}{found['p'][1:]}",))


def _aged(found: re.Match[str]) -> Ways:
    yield Reworded((f"{found['s']} {found['n']} years old", f"{found['s']} a {found['r']}"))


def _both(found: re.Match[str]) -> Ways:
    verb, rest = found["v"].lower(), found["r"]
    be = verb in ("are", "am")
    if found["s"] and found["both"]:
        yield Reworded((f"we {verb} {rest}", f"{found['s']} {'is' if be else third_person(verb)} {rest}"))
    else:
        yield Reworded((f"we {verb} {rest}",))


def _states(found: re.Match[str]) -> Ways:
    """Read what somebody is, one thing after the other: "I'm Lena, 29, from Bonn and allergic to nuts"."""
    texts = [found["s"]]
    for part in re.split(r"(, (?:and |but )?| and | but )", f" {found['r']}"):
        if _STATE.match(part):
            texts.append(f"{found['s']} {part}")
        elif _DOING.match(part) and found["s"].lower() in ("i am", "we are"):
            texts.append(f"{found['s'].split()[0]} {part}")
        else:
            texts[-1] += part
    if len(texts) > 1:
        yield Reworded(tuple(texts))


def _named(found: re.Match[str]) -> Ways:
    """Read "Mia, our youngest, hates broccoli" and "seven people plus Ingrid, our manager": who it is, and what else is said."""
    before, rest = found["a"].strip(), found["r"] or ""
    if before and rest and not found["c"]:
        return
    verb = re.match(r"(?:\w+s|has|is|was|and) ", rest)
    own = f"{found['x']} {rest}" if verb and not before else ""
    yield Reworded(tuple(text for text in (f"{found['x']} is {found['l']}", own or f"{before} {found['x']}") if text))


_STATE: Final = re.compile(
    r"(?:\d{1,2}(?: years old)?$|in (?:year|grade|class|reception|kindergarten)\b|dyslexic|autistic|epileptic|asthmatic|"
    r"dyspraxic|bipolar|anaemic|anemic|narcoleptic|hypermobile|neurodivergent|immunocompromised|kosher|halal|keto|teetotal|"
    r"single|married|divorced|widowed|engaged|retired|vegan|vegetarian|pescatarian|allergic to|"
    r"lactose|gluten|diabetic|coeliac|celiac|deaf|blind|colou?r[- ]?blind|self[- ]employed|freelance|unemployed|"
    r"pregnant|left-handed|"
    r"(?:originally |living |based |born |new )(?:from|in|near|and)\b|from (?-i:[A-Z])|working (?:as|at|for)\b|"
    r"studying |learning |"
    r"intolerant to|an? (?:\w+ ){0,3}(?:\w+er|\w+or|\w+ist|nurse|vet|student|chef|mum|dad|mom)\b)",
    re.IGNORECASE,
)
_DOING: Final = re.compile(r"(?:live|work|have|drive|play|speak|study|rent|own|use|commute) ", re.IGNORECASE)


# --- clauses -------------------------------------------------------------------------------------------------------------


def _doer(found: re.Match[str]) -> Ways:
    """Read who somebody is as what they do: a tea drinker drinks tea, a keen hiker loves to hike."""
    stem, whom = found["w"].lower(), found["s"]
    own = whom.lower() in ("i", "we")
    thing = found["x"] if "x" in found.re.groupindex else ""
    for base in (stem, stem + "e", stem[:-1]):
        if not thing:
            yield Reworded((f"{whom} {'love' if own else 'loves'} to {base}",))
        else:
            yield Reworded((f"{whom} {base if own else third_person(base)} {thing}",))


def _player(found: re.Match[str]) -> Ways:
    stem, own = found["w"].lower(), found["s"].lower() in ("i", "we")
    yield Reworded((f"{found['s']} {'play' if own else 'plays'} {_PLAYED.get(stem, stem)}",))


_PLAYED: Final = {"pian": "piano", "cell": "cello", "flut": "flute", "drumm": "drums"}


def _unwanted(found: re.Match[str]) -> Ways:
    if manner(found["x"].lower().split()):
        yield Reworded((f"no {found['x']} please",))


def _always(found: re.Match[str]) -> Ways:
    """Read an order with "always" at its end: "put Selma in cc, always"."""
    first = found["x"].split()[0].lower()
    if base_of(first) == first:
        yield Reworded((f"please always {found['x'][:1].lower()}{found['x'][1:]}",))


def _thesis(found: re.Match[str]) -> Ways:
    where = f" at {found['x']}" if found["x"] else ""
    yield Reworded((f"I am doing a {found['d']}{where}",))


def _none(found: re.Match[str]) -> Ways:
    """Read what somebody won't have: "no dairy and no nuts for me"."""
    things = [one for one in (found["x"], found["y"]) if one]
    yield Reworded(tuple(f"I do not {verb} {one}" for one in things for verb in ("touch", "have")), only=_EATEN)


_EATEN: Final = frozenset({"food.avoids"})


def _ditched(found: re.Match[str]) -> Ways:
    """Read what was given up, and what took its place: "we dropped Trello for Asana"."""
    yield Reworded((f"I stopped using {found['x']}", *([f"I use {found['y']}"] if found["y"] else [])))


def _lifelong(found: re.Match[str]) -> Ways:
    """Read what somebody has always been: "been vegetarian since I was twelve"."""
    whom = found["s"] or "I"
    be = {"i": "am", "we": "are"}.get(whom.lower(), "is")
    yield Reworded((f"{whom} {be} {found['x']}",))
    yield Reworded((f"{whom} {be} a {found['x']}",))


def _called(found: re.Match[str]) -> Ways:
    """Read what people say for a name, and what only the office says."""
    yield Reworded((f"everyone calls me {found['x']}", *([f"my name is {found['y']}"] if found["y"] else [])))


def _halves(found: re.Match[str]) -> Ways:
    """Read where somebody comes from: "half Maltese, half Kenyan"."""
    whom = found["s"] or "I"
    yield Reworded((f"{whom} {'am' if whom.lower() in ('i', 'we') else 'is'} {found['a']}",))


def _nobody(found: re.Match[str]) -> Ways:
    """Read what nobody at home does: "neither of us eats beetroot"."""
    verb = found["v"].lower()
    base = next((one for one in (verb.removesuffix("es"), verb.removesuffix("s")) if one in _DONE), "")
    if base:
        yield Reworded((f"we do not {base} {found['x']}",))


_DONE: Final = frozenset("eat drink touch like watch play speak smoke".split())


def _ages(found: re.Match[str]) -> Ways:
    """Read each of several with their age: "two boys: Ben who's eleven and Max (13)"."""
    text = found.group()
    texts = [f"{one['n']} is {one['a']} years old" for one in _OLD.finditer(text)]
    if texts:
        yield Reworded((_OLD.sub(lambda one: one["n"], text).replace(")", ""), *texts))


_OLD: Final = re.compile(
    r"\b(?P<n>[A-Z][\w-]+)(?:,? who(?:'s| is)|,? aged|,| \(| is)(?: now| just)? ?"
    r"(?P<a>\d{1,2}|(?:twenty|thirty|forty)(?:-\w+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w{3,5}teen)"
    r"(?: years old)?(?=$|[,;.)]| and\b)"
)


MAKERS: Final[dict[str, Make]] = {
    "always": _always, "thesis": _thesis, "lifelong": _lifelong, "none": _none, "ditched": _ditched,
    "ages": _ages, "called": _called, "halves": _halves, "nobody": _nobody,
    "aged": _aged, "aside": _aside, "both": _both, "doer": _doer, "fronted": _fronted, "named": _named, "player": _player,
    "relative": _relative,
    "states": _states,
    "unwanted": _unwanted, "where": _where,
}  # fmt: skip
