"""From a claim to its one plain statement, or nothing where it isn't one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from stead.resolve.text.lexicon import words
from stead.resolve.text.names import with_names
from stead.resolve.text.rewriting import apposition, plain_order
from stead.resolve.text.tokens import Token, tokenize
from stead.resolve.text.verbs import form_of

_REPORTS: Final = frozenset(
    "says said mentions mentioned states stated reports reported confirms confirmed explains explained adds added notes noted "
    "announced announces knows know clarified clarifies".split()
)
_FINDINGS: Final = frozenset("tests test results result analysis records checks".split())
_SHOWING: Final = frozenset(
    "show shows showed confirm confirms confirmed reveal reveals revealed prove proved proves".split()
)
"""What "tests showed that" says of is the claim."""
_SELF: Final = frozenset({"user", "subject"})
_BOUNDS: Final = frozenset({"since", "until", "effective", "starting"})
"""What bounds the claim in time and changes nothing about the question."""
_UNTIL: Final = frozenset("runs run lasts last continues continue valid open extends remains stays".split())
"""Words after which "until" is what is said: "runs until 30 June"."""
_LABEL: Final = 4
"""Words in brackets that still belong to a name."""
_YEAR: Final = 4
"""Figures of a year; the age of a person has fewer."""
LONGEST: Final = 60
"""Words of one statement; what is longer is no claim but a text."""


@dataclass(frozen=True, slots=True)
class Statement:
    """One plain statement, and what bounds it in time."""

    tokens: list[Token]
    bound: tuple[str, ...]
    """The words of "since March": they change nothing about the question, but they are a detail."""
    additive: bool = False
    """It says "also" or "too", so it takes nothing away."""


def statement(claim: str) -> Statement | None:
    """Return the one statement that a claim makes; None where there is none, or several, or it is no statement."""
    tokens = opened(claim)
    additive = _adds(tokens) or claim[:5].casefold() == "also "
    if not tokens or len(tokens) > LONGEST or tokens[-1].low == "?":
        return None
    lows = [token.low for token in tokens]
    if any(low in '";?!' for low in lows) or not _is_one_sentence(tokens):
        return None
    tokens = [token for token in tokens if token.low != "."]  # what is left of them ends short forms: "Jr.", "No. 2"
    if words("modals").intersection(lows) - ({"may"} if _may_is_a_month(tokens) else set()):
        return None
    whole = _without_contrast(tokens)
    kept = _without_bounds(whole)
    cut = [token.low for token in whole[len(kept) :]]
    bound = tuple(cut) if _BOUNDS.intersection(cut) else ()
    return Statement(plain_order(_without_report(_fronted(kept))), (*bound, *_beside(kept)), additive)


def _adds(tokens: list[Token]) -> bool:
    """Tell "also works at Apex" and "plays tennis too": what was said before still holds."""
    lows = [token.low for token in tokens]
    return "also" in lows or lows[-1:] == ["too"] or lows[-2:] == ["as", "well"] or lows[:2] == ["in", "addition"]


def _beside(tokens: list[Token]) -> tuple[str, ...]:
    """Return the words of "Acme, a maker of pumps, is …": a detail that changes nothing about the question."""
    found = apposition(tokens)
    return tuple(token.low for token in tokens[found[0] : found[1]]) if found else ()


def opened(claim: str) -> list[Token]:
    """Return the tokens of a claim without what stands before the sentence proper, and with its names kept whole."""
    tokens = tokenize(claim)
    while tokens and tokens[-1].low in ".!,;…":
        tokens.pop()
    if len(tokens) > 2 * LONGEST:
        return tokens  # no claim but a text
    return with_names(_without_brackets(_without_openers(tokens)))


def _may_is_a_month(tokens: list[Token]) -> bool:
    return all(token.raw[:1].isupper() for token in tokens if token.low == "may")


def _without_openers(tokens: list[Token]) -> list[Token]:
    start = 0
    openers = words("openers")
    while start < len(tokens) - 1 and (
        tokens[start].low in openers or (start and tokens[start].low in (",", ":", "-", "."))
    ):
        start += 1
    rest = tokens[start:]
    # "As of May 2026, …", "Since March, …", "These days …": the time from which it is said
    comma = next((place for place, token in enumerate(rest[:8]) if token.low == ","), 0)
    head = " ".join(token.low for token in rest[:3])
    if comma and head.startswith(
        ("as of", "since", "from now", "these days", "at the moment", "in fact", "by the", "for now")
    ):
        return rest[comma + 1 :]
    for phrase in ("these days", "at the moment", "in fact", "as of now", "as of today"):
        size = len(phrase.split())
        if [token.low for token in rest[:size]] == phrase.split():
            return rest[size:]
    return rest


def _without_brackets(tokens: list[Token]) -> list[Token]:
    """Make an aside of what stands in brackets, and a part of the name of what tells one bearer of it from another."""
    if not any(token.low in "()" for token in tokens):
        return tokens
    kept: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        end = next((at for at in range(place, len(tokens)) if tokens[at].low == ")"), len(tokens))
        if token.low == "(" and _tells_apart(tokens, place, end):
            inside = " ".join(each.low for each in tokens[place + 1 : end] if each.is_word)
            kept.append(Token(inside.capitalize() if inside[0].isalpha() else f"N{inside}", inside))
            place = end
        elif token.low == "(":
            kept.append(Token(",", ","))
        elif token.low != ")":
            kept.append(token)
        place += 1
    return kept


def _tells_apart(tokens: list[Token], start: int, end: int) -> bool:
    """Tell "John Smith (politician) is …", "Dune (1984) was …" from "Tom (my boss) is …", "Anna (32) lives …"."""
    inside = [token for token in tokens[start + 1 : end] if token.is_word]
    goes_on = end + 1 < len(tokens) and (tokens[end + 1].is_word or tokens[end + 1].low in ("'s", "'"))
    if not start or not tokens[start - 1].is_name or not goes_on or not 1 <= len(inside) <= _LABEL:
        return False
    if any(token.low in words("determiners") or token.low in words("clause") for token in inside):
        return False
    return not all(token.low.isdigit() for token in inside) or len(inside[0].low) == _YEAR


def _is_one_sentence(tokens: list[Token]) -> bool:
    """Tell "J.R.R. Tolkien", "No. 2" and "Kelm F.C. is …", where a full stop ends a short form, from two sentences."""
    abbreviations = words("abbreviations")
    for before, token, after in zip(tokens, tokens[1:], [*tokens[2:], None], strict=False):
        if token.low != "." or before.low in abbreviations or len(before.low) == 1:
            continue
        begins = after is not None and after.low in words("pronouns") | words("determiners")
        dotted = "." in before.low and before.low.replace(".", "").isalpha() and not begins
        numbered = before.low.casefold() == "no" and after is not None and after.has_digit
        if not (dotted or numbered):
            return False
    return True


def _fronted(tokens: list[Token]) -> list[Token]:
    """Put a time that stands first behind the statement: "On Sundays the office is closed"."""
    if tokens[0].low not in ("on", "in", "at", "during"):
        return tokens
    timely = words("time_nouns")
    near = range(1, min(5, len(tokens)))
    end = next((at for at in near if {tokens[at].low, tokens[at].low.removesuffix("s")} & timely), 0)
    after = end + 2 if tokens[end + 1 : end + 2] and tokens[end + 1].low == "," else end + 1
    return [*tokens[after:], *tokens[: end + 1]] if end and after < len(tokens) else tokens


def _without_contrast(tokens: list[Token]) -> list[Token]:
    """Take off ", not Postgres 13", "instead of Y", "and no longer Y": what it isn't doesn't change what it is."""
    for place in range(1, len(tokens) - 1):
        low, after = tokens[place].low, tokens[place + 1].low
        if (
            (low == "," and after == "not")
            or (low == "instead" and after == "of")
            or (low == "rather" and after == "than")
        ):
            return tokens[:place]
        if low in (",", "and") and after == "no" and place + 2 < len(tokens) and tokens[place + 2].low == "longer":
            return tokens[:place]
        if low == "not" and tokens[place - 1].low in ("is", "are") and "but" in [token.low for token in tokens[place:]]:
            but = next(at for at in range(place, len(tokens)) if tokens[at].low == "but")
            return tokens[:place] + tokens[but + 1 :]
    return tokens


def _without_bounds(tokens: list[Token]) -> list[Token]:
    """Take off "since March", "as of May", "until further notice", "from now on", "for now" at the end."""
    for place in range(1, len(tokens)):
        low = tokens[place].low
        after = tokens[place + 1].low if place + 1 < len(tokens) else ""
        ends = (
            low in _BOUNDS
            and not (low == "until" and tokens[place - 1].low in _UNTIL)
            and bool(after)
            and not _is_clause(tokens[place + 1 :])
        ) or (low == "as" and after == "of")
        if ends or (low in ("from", "for") and after == "now") or (low == "these" and after == "days"):
            end = place - 1 if tokens[place - 1].low == "," else place
            return tokens[:end]
        if low == "after" and after == "all" and place + 2 == len(tokens):
            return tokens[:place]
        if low == "at" and after == "the" and tokens[place + 2 : place + 3] and tokens[place + 2].low == "moment":
            return tokens[:place]
    return tokens


def _is_clause(tokens: list[Token]) -> bool:
    return any((form := form_of(token.low)) is not None and (form.third or form.past) for token in tokens)


def _without_report(tokens: list[Token]) -> list[Token]:
    """Take off "the user said that": the claim is what the user said."""
    lows = [token.low for token in tokens[:5]]
    if lows[:1] and lows[0] in _FINDINGS and lows[1:2] and lows[1] in _SHOWING and len(tokens) > 3:
        return tokens[3:] if lows[2] == "that" else tokens[2:]
    start = 1 if lows[:1] == ["the"] else 0
    if len(lows) > start + 2 and lows[start] in _SELF and lows[start + 1] in _REPORTS:
        after = start + 3 if lows[start + 2] == "that" else start + 2
        if lows[start + 2] == "that" or (
            len(tokens) > after and tokens[after].low in ("they", "she", "he", "their", "her", "his")
        ):
            return _as_own(tokens[after:])
    return tokens


def _as_own(tokens: list[Token]) -> list[Token]:
    """Say in the first person what the user said of themselves: "they live in Oslo", "their sister is a nurse"."""
    if tokens and tokens[0].low in ("they", "she", "he"):
        return [Token("I", "i"), *tokens[1:]]
    if tokens and tokens[0].low in ("their", "her", "his"):
        return [Token("my", "my"), *tokens[1:]]
    return tokens
