"""The small language of ways to say a thing: one template of an attribute's ``says``, read and checked.

A template is a short piece of English with gaps. Its first word tells its form:

===============================  ===========================================================================
``live in {value:place}``       a verb in its base form: any inflection, after I, we, she, my sister, Mia
``did move to {value:place}``   the same, and also what happened: "moved", "have moved"
``will fly to {value:place}``   only what is to come and has a time: "will fly", "am flying", "am going to fly"
``not eat {object} -> avoids``  only denied: "don't eat", "never eat", "stopped eating"
``my name is {value:person}``   what somebody has: "my name is", "her name is", "my daughter's name is"
``they call me {value:person}``  what people do: "everyone calls me", "my friends call me"
``guest visit (us)``            who comes, at a time; whoever it is becomes the object: "my parents are visiting next week"
``the deadline for {object}``   the same with "the"
``{value:org} is my employer``  the same the other way round, or any words after a value: "{value} works best for me"
``since be in {value:place}``   only what has held for long: "I've been in Berlin since 2018", "for years"
``please answer in {value}``    what the agent is told to do
``{likes} {object:food}``       any verb of liking or not liking; the relation becomes the value
===============================  ===========================================================================

``(words)`` may be left out, ``a|b`` is either, in brackets of several words too: ``(some|a bit of)``.
``{other.attribute}`` fills another attribute from the same words, ``{any}`` is read over. ``-> word`` gives a value that isn't
a gap: one of `RELATIONS`, a word of the template, ``END`` for "this holds no more", or ``NOT`` for the denial as it was said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from stead.extract.rules.lexicon import names
from stead.extract.rules.text import read

RELATIONS: Final = frozenset(
    "likes loves enjoys prefers dislikes hates avoids favorite wants uses yes no END NOT".split()
)
"""Values that a template may give without a gap. They name a relation, so they needn't stand in the turn."""
ANY: Final = "any"
"""The name of a gap whose words are read over."""
BUILT_IN: Final = frozenset(
    "text place org person number date time address email phone money role ing short phrase when values height "
    "weight size age self employer goalphrase every year drinkway field".split()
)
_FORMS: Final = frozenset("my the they guest did will not please since".split())
_PIECE: Final = re.compile(r"\{[^{}]*\}|[()]|[^\s{}()]+")
_GAP: Final = re.compile(r"\{([a-z][a-z0-9_.]*)(?::([a-z]+))?\}")
LIKED: Final = frozenset("likes loves enjoys prefers dislikes hates".split())
LIKING: Final = (
    ("like", "likes"), ("love", "loves"), ("enjoy", "enjoys"), ("adore", "loves"), ("prefer", "prefers"), ("hate", "hates"),
    ("dislike", "dislikes"), ("detest", "hates"), ("loathe", "hates"), ("despise", "hates"), ("not like", "dislikes"),
    ("not enjoy", "dislikes"), ("not stand", "hates"), ("not care for", "dislikes"), ("be into", "likes"),
    ("be (a) (big|huge|massive|great|real|lifelong) fan of", "likes"), ("be fond of", "likes"), ("be crazy|mad about", "loves"),
    ("not be (a) (big|huge|massive|great) fan of", "dislikes"), ("be keen on", "likes"), ("be obsessed with", "loves"),
    ("not be into", "dislikes"), ("not be keen on", "dislikes"), ("be passionate about", "loves"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Literal:
    """One of these words."""

    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Optional:
    """One of these sequences, or nothing."""

    options: tuple[tuple[Piece, ...], ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """A gap that a value of some kind fills."""

    name: str
    kind: str


Piece = Literal | Optional | Gap


@dataclass(frozen=True, slots=True)
class Template:
    """One way to say one attribute."""

    attribute: str
    form: str
    """``verb``, ``did``, ``will``, ``not``, ``my``, ``the``, ``they``, ``guest``, ``inverse``, ``since`` or ``please``."""
    pieces: tuple[Piece, ...]
    relation: str = ""
    needs: tuple[frozenset[str], ...] = ()
    """Words without which it can't fit, beside the verb: a quick test before it is laid over a clause."""


def parse(attribute: str, say: str, *, choices: bool) -> tuple[Template, ...]:
    """Read one way of saying an attribute.

    Parameters
    ----------
    attribute
        Whose way it is; errors name it.
    say
        The template.
    choices
        The attribute lists its values, so an untyped ``{value}`` means one of them.

    Raises
    ------
    ValueError
        The template can't be read; the message names the attribute, the template and what to do.
    """
    body, arrow, relation = (part.strip() for part in say.partition("->"))
    if arrow and relation not in RELATIONS and relation not in body.split():
        raise _wrong(attribute, say, f"-> takes a word of the template, or one of {', '.join(sorted(RELATIONS))}")
    if "{likes}" in body.split():
        return _likings(attribute, say, body, choices)
    pieces, rest = _pieces(attribute, say, _PIECE.findall(body), choices)
    if rest:
        raise _wrong(attribute, say, "a bracket ) closes nothing")
    form, pieces = _form(pieces)
    if form == "inverse":
        pieces = tuple(_OURS if piece == _MINE else piece for piece in pieces)
    _check(attribute, say, form, pieces, relation)
    return (Template(attribute, form, pieces, relation, _needs(form, pieces)),)


_MINE: Final = Literal(frozenset({"my"}))
_OURS: Final = Literal(frozenset({"my", "our"}))


def _needs(form: str, pieces: tuple[Piece, ...]) -> tuple[frozenset[str], ...]:
    own = pieces if form in ("my", "the", "inverse") else pieces[1:]
    return tuple(piece.words for piece in own if isinstance(piece, Literal) and "is" not in piece.words)


def _likings(attribute: str, say: str, body: str, choices: bool) -> tuple[Template, ...]:
    if not body.startswith("{likes} "):
        raise _wrong(attribute, say, "{likes} stands first")
    rest = body.removeprefix("{likes} ")
    found: list[Template] = []
    for verb, relation in LIKING:
        if "{value" in rest and relation in ("dislikes", "hates"):
            continue
        arrow = "" if "{value" in rest else f" -> {relation}"
        found += parse(attribute, f"{verb} {rest}{arrow}", choices=choices)
    return tuple(found)


def _pieces(attribute: str, say: str, parts: list[str], choices: bool) -> tuple[tuple[Piece, ...], list[str]]:
    """Read pieces up to the end or to the bracket that closes them; return what is left."""
    found: list[Piece] = []
    while parts:
        part = parts.pop(0)
        if part == ")":
            return tuple(found), [part, *parts]
        if part == "(":
            if ")" not in parts:
                raise _wrong(attribute, say, "a bracket ( isn't closed")
            close = parts.index(")")
            options = " ".join(parts[:close]).split("|")
            read_options = [_pieces(attribute, say, _PIECE.findall(option), choices)[0] for option in options]
            found.append(Optional(tuple(read_options)))
            parts = parts[close + 1 :]
        elif part.startswith("{"):
            found.append(_gap(attribute, say, part, choices))
        else:
            found += _literals(part)
    return tuple(found), []


def _gap(attribute: str, say: str, part: str, choices: bool) -> Gap:
    fits = _GAP.fullmatch(part)
    if fits is None:
        raise _wrong(
            attribute, say, f"{part} is no gap; write {{value}}, {{object}}, {{other.attribute}} or {{value:place}}"
        )
    name, kind = fits.group(1), fits.group(2)
    if name not in ("value", "object", ANY) and "." not in name and kind is None and name in names() | BUILT_IN:
        raise _wrong(attribute, say, f"{part} has no name; write {{value:{name}}}")
    if kind is None:
        kind = "values" if choices and name == "value" else "text"
    if kind not in names() | BUILT_IN:
        raise _wrong(attribute, say, f"unknown kind {kind}; use one of {', '.join(sorted(names() | BUILT_IN))}")
    if kind == "values" and not choices:
        raise _wrong(attribute, say, "the kind values needs a list `values` beside says")
    return Gap(name, kind)


@cache
def _literals(part: str) -> tuple[Piece, ...]:
    """Return the words of one part: ``wife's`` is two words, as in a turn."""
    options = [["'s"] if option == "'s" else read(option).low for option in part.lower().split("|") if option]
    if len(options) == 1:
        return tuple(Literal(frozenset({word})) for word in options[0])
    return (Literal(frozenset(" ".join(option) for option in options)),)


def _form(pieces: tuple[Piece, ...]) -> tuple[str, tuple[Piece, ...]]:
    first = pieces[0] if pieces else None
    if isinstance(first, Literal):
        word = next(iter(first.words))
        if len(first.words) == 1 and word in _FORMS:
            return word, pieces[1:]
        return "verb", pieces
    return "inverse", pieces


def _check(attribute: str, say: str, form: str, pieces: tuple[Piece, ...], relation: str) -> None:
    if not pieces:
        raise _wrong(attribute, say, "it says nothing")
    gaps = _gaps(pieces)
    if form == "inverse":
        wants = [piece.words for piece in pieces if isinstance(piece, Literal)]
        if not isinstance(pieces[0], Gap) or not any("is" not in want for want in wants):
            raise _wrong(attribute, say, "begin with a verb, or write {value} is my ...")
    elif form not in ("my", "the") and not isinstance(pieces[0], Literal):
        raise _wrong(attribute, say, "the verb stands first, in its base form")
    if not relation and form != "guest" and not any(gap.name in ("value", "object") for gap in gaps):
        raise _wrong(attribute, say, "it needs {value}, or {object} with -> and a relation")
    named = [gap.name for gap in gaps if gap.name != ANY]
    if len(set(named)) < len(named):
        raise _wrong(attribute, say, "one gap stands twice")


def _gaps(pieces: tuple[Piece, ...]) -> list[Gap]:
    found: list[Gap] = []
    for piece in pieces:
        if isinstance(piece, Gap):
            found.append(piece)
        elif isinstance(piece, Optional):
            for option in piece.options:
                found += _gaps(option)
    return found


def _wrong(attribute: str, say: str, why: str) -> ValueError:
    return ValueError(f"attributes.{attribute}.says: {say!r}: {why}")
