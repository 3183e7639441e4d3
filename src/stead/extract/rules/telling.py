"""Orders to the agent as proposals: "always answer in Dutch"."""

from __future__ import annotations

from typing import Final

from stead.extract.proposal import Proposal
from stead.extract.rules import orders
from stead.extract.rules.claims import closed, ordered
from stead.extract.rules.clause import Clause
from stead.extract.rules.extents import Choices
from stead.extract.rules.limits import contrast
from stead.extract.rules.making import Reader, written
from stead.extract.rules.patterns import Fit, fit
from stead.extract.rules.text import Sentence, Words
from stead.model.record import Kind
from stead.model.slot import Slot

_NONE: Final[Choices] = frozenset()


def instruction(turn: Reader, clause: Clause, sentence: Sentence, habitual: bool) -> Proposal | None:
    """Return the order that a clause gives to the agent, or None.

    Parameters
    ----------
    turn, clause, sentence
        Where it stands.
    habitual
        It follows a "when I ..." or "whenever ...": it holds each time.
    """
    words = turn.words
    given = orders.none_of(words, clause.first, clause.last, clause.lead) or orders.order(
        words, clause.first, clause.last
    )
    if given is None:
        return None
    text = words.slice(sentence.first, sentence.last)
    standing = given.standing or habitual
    meant = words.low[given.verb : clause.last]
    if (given.denied and meant[1:] in (["it"], ["this"], ["that"])) or (
        not habitual and meant[-1] in ("then", "there", "that")
    ):
        return None
    if not standing and _of_the_moment(words.low[sentence.first : clause.last], meant, denied=given.denied):
        return None
    if "?" in sentence.mark and not given.standing:
        return None
    if given.thing and not standing and for_now(words, sentence) and not orders.manner([words.low[given.verb]]):
        return None
    last = orders.trimmed(words, given.verb, clause.last)
    if last <= given.verb:
        return None
    last = _quoted_until(words, given.verb, last, sentence.last)
    verb = words.low[given.verb]
    laid = [
        got
        for template in turn.compiled.orders.get(verb, ())
        if (got := fit(words, template, given.verb + 1, last, turn.compiled.choices.get(template.attribute, _NONE)))
        is not None
    ]
    once = orders.once(text)
    span = (words.start[clause.first], words.end[last - 1])
    if laid and not given.denied:
        chosen = max(laid, key=lambda one: one.weight)
        since = sentence.first if habitual else given.verb
        return _templated(turn, chosen, given, span, (since, last), standing=standing and not once)
    if not given.thing and (
        not (standing or given.denied)
        or not orders.acts(
            verb,
            asked=given.asked
            or habitual
            or (given.denied and standing and not _MINE.isdisjoint(words.low[given.verb : last]))
            or not orders.ANSWERS.isdisjoint(words.low[given.verb : last]),
        )
        or (last - given.verb < 2 and not verb.endswith("ing"))
    ):
        return None
    if verb.endswith("ing") and not given.denied and not given.thing:
        return None
    if (clause.lead in ("and", "or") and not standing) or words.low[given.verb : given.verb + 2] == ["let", "me"]:
        return None
    name = "instruction.never" if given.denied else "instruction.always"
    if name not in turn.compiled.attributes:
        return None
    last = _ordered_until(words, given.verb, last)
    what = closed(words.slice(given.verb, last).strip(" \"'.,;:!"))
    if len(what) > 180 or not what:
        return None
    lead = "Stop" if verb.endswith("ing") else "No" if given.thing else "Never" if given.denied else "Always"
    claim = ordered(words, sentence.first, last) if habitual else ordered(words, given.verb, last, lead=lead)
    return Proposal(
        claim=claim,
        span=span,
        kind=Kind.INSTRUCTION,
        slot=Slot(name, object=what, value=what),
        category=turn.compiled.attributes[name].category,
        traits=frozenset() if once else frozenset({"standing"}),
        confidence=0.85,
    )


def _quoted_until(words: Words, first: int, last: int, end: int) -> int:
    """Return the end of an order that goes on with words in quotation marks: never begin with "I hope ..."."""
    if words.low[first:last].count('"') % 2 == 0:
        return last
    return next((at + 1 for at in range(last + 1, end) if words.low[at] == '"'), last)


def _of_the_moment(said: list[str], meant: list[str], *, denied: bool) -> bool:
    """Tell whether an order is about what lies before the speaker now: "put it in a table", "shorter please"."""
    if not _AT_HAND.isdisjoint(said) or not _MOMENT.isdisjoint(meant) or meant[-1:] in (["that"], ["here"]):
        return True
    if denied and (
        "it" in meant
        or meant[1:2] in (["that"], ["anyone"], ["anybody"])
        or (meant[1:2] == ["the"] and orders.ANSWERS.isdisjoint(meant[1:]) and not orders.manner(meant))
        or (meant[:2] == ["call", "me"] and _WHEN.isdisjoint(meant))
        or any(meant[at] in _PLACES and meant[at + 1] in _ONES for at in range(1, len(meant) - 1))
    ):
        return True
    return (meant[1:2] == ["it"] and meant[0] in _DONE_NOW) or (
        len(meant) > 1 and _COMPARED.issuperset(meant[1:]) and not orders.manner(meant[:1])
    )


def _ordered_until(words: Words, first: int, last: int) -> int:
    """Return where an order ends: at a comma, unless a list or more of the order follows it."""
    low = words.low
    for at in range(first + 1, last - 1):
        if low[at] == "," and low[first:at].count('"') % 2 == 0:
            listed = not {"and", "or", "nor"}.isdisjoint(low[at + 1 : last]) or low[at + 1] in _GOES_ON
            return last if listed else orders.trimmed(words, first, at)
    return last


_GOES_ON: Final = frozenset(
    "not but with without including like such even especially in on as to for at e.g no unless".split()
)


def for_now(words: Words, sentence: Sentence) -> bool:
    """Tell whether a sentence is part of a request: "Can you make me a meal plan? No mushrooms please", "Make me a salad"."""
    low = words.low[sentence.first : sentence.last]
    if low[1:2] == ["me"] and orders.acts(low[0], asked=True):
        return True
    return words.text[: words.start[sentence.first]].rstrip().endswith("?")


_MOMENT: Final = frozenset("today tonight tomorrow now yet".split())
_WHEN: Final = frozenset(
    "before after at on in between during unless until till past by from when while except".split()
)
_PLACES: Final = frozenset("in on from with for".split())
_ONES: Final = frozenset("the this that my our".split())
_DONE_NOW: Final = frozenset("put make turn convert format translate rewrite show".split())
"""With "it" they are about what lies before the speaker: "put it in a table"."""
_COMPARED: Final = frozenset("a bit little much even shorter longer please".split())
_MINE: Final = frozenset("my our me us".split())
_AT_HAND: Final = frozenset("this these below above".split())
"""What lies before the speaker now: an order about it is for the moment."""


def _for_one_thing(turn: Reader, chosen: Fit) -> bool:
    """Tell whether an order is about one thing: "send me the report as PDF", "book me a window seat"."""
    words = turn.words
    if chosen.template.attribute.startswith("travel."):
        return True
    first, last = chosen.spans.get("object", (0, 0))
    if first == last:
        return False
    return words.low[first - 1] in _ONE or words.low[first] in _ONE or not words.low[last - 1].endswith("s")


_ONE: Final = frozenset("the this that a an".split())


def _templated(
    turn: Reader, chosen: Fit, given: orders.Order, span: tuple[int, int], claimed: tuple[int, int], *, standing: bool
) -> Proposal | None:
    words, name = turn.words, chosen.template.attribute
    first, last = claimed
    attribute = turn.compiled.attributes[name]
    value = written(words, chosen.spans.get("value"), bare=True) or chosen.template.relation
    thing = written(words, chosen.spans.get("object"), bare=True)
    if (not value and not thing) or (not standing and _for_one_thing(turn, chosen)):
        return None
    if attribute.cardinality == "many" and not thing:
        thing = value
    lead = "Always" if standing and first == given.verb and words.low[first - 1] == "always" else ""
    wrong, _ = contrast(words, chosen.end, last)
    return Proposal(
        claim=ordered(words, first, last, lead=lead),
        span=span,
        kind=Kind.INSTRUCTION,
        slot=Slot(name, object=thing, value=value or thing),
        category=attribute.category,
        traits=frozenset({"standing"}) if standing else frozenset(),
        replaces=wrong,
        confidence=0.9 if standing else 0.8,
    )
