"""The same said in plain order: "Acme is where I work" is read again as "I work at Acme", "Vim user" as "I am a Vim user".

A template knows one order of words: somebody, a verb, a value. People leave the somebody out, put the value first, hang a
clause on a person, or write a label before the value. Each rule puts one such form into plain order; the result is read like
any sentence, and what it gives must stand in the words that were said.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final

from stead.extract.rules.makers import MAKERS, Make, Reworded, Ways
from stead.extract.rules.orders import base_of
from stead.extract.rules.text import Words

_WHO: Final = r"(?:i|we|he|she|they|(?:my|our) \w[\w-]*)"
_KIN: Final = (
    r"(?:wife|husband|partner|girlfriend|boyfriend|fianc\S+|spouse|sister|brother|mother|father|mom|mum|dad|"
    r"daughter|son|"
    r"friend|roommate|flatmate|colleague|boss|cousin|family|kids?|team|twin)"
)
_NAMED: Final = {
    "<who>": _WHO,
    "<kin>": _KIN,
    "<number>": r"(?:\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)",
    "<thing>": r"[\w' .&+#-]{2,40}?",
    "<keen>": r"(?:keen|avid|passionate|enthusiastic|lifelong|life-long|big|huge|massive|serious|regular|amateur|hobby|proud|"
    r"total|real|true|third-generation|second-generation|committed|dedicated|longtime|long-time)",
    "<event>": r"(?:yoga|pilates|training|practice|rehearsals?|class|lessons?|club|choir|stand-?up|planning|retro|"
    "sync|therapy|physio|gym|"
    r"football|tennis|swimming|running|zumba|dance|pottery|piano|violin|guitar|ballet|karate|judo|poker|bowling|spin|"
    r"quiz|game night|"
    r"date night|school run|bin day|meeting|call|1:1|one-on-one|review|demo|market|mass|church|prayer|group|course|"
    r"seminar|lecture)",
    "<often>": r"(?:usually|mostly|mainly|currently|still|generally|normally|typically|nearly always|almost always|nowadays|"
    r"these days|recently|now|lately|happily)",
}
_OPEN: Final = re.compile(
    r"^(?:(?:and|but|so|also|oh|well|yes|yeah|yep|fyi|btw|by the way|hi|hey|hello|ok|okay|anyway|plus|hm+|"
    r"no(?=,)|actually|(?:it )?turns out(?: that)?|good news|news|heads up|update|quick one|besides that|besides|"
    r"apart from that|other than that|honestly|"
    r"personally|as for me|for the record|tbh|ps|right|sorry|just so you know|just|about me|[-*\u2022\u2013:]|"
    r"\d{1,2}[.)])"
    r"(?:[,:.!]+| |$) *)+",
    re.IGNORECASE,
)
_IN_CASE: Final = re.compile(
    r"[,;]?(?: -)? (?:just )?(?:in case (?:you|it|that|this|anyone|anybody) (?:(?:are|is|was|were|do|does|should|ever|might|have|"
    r"will|would) )*(?:wonder\w*|ask\w*|need|want|care|matters?|helps?|counts?|makes?|changes?|comes?|forgot|missed|relevant|"
    r"useful|important|of use|cares?|wants?|needs?|asks?)\b.*|if (?:you|it|that|this) (?:are |is |must |ever |do |really )*"
    r"(?:know|need|want|wondering|asking|curious|care|matters?|helps?|counts?|relevant|useful|remember)\b[^,]*|"
    r"(?:just )?so (?:that )?you (?:know|are aware|have it)\b.*|since you (?:ask|asked|mention|mentioned)\b.*|"
    r"before you ask\b.*|in case)$",
    re.IGNORECASE,
)
"""What is said beside a fact, of why it is told."""
_CLOSE: Final = re.compile(
    r"(?:[\s,.!;:]+|\b(?:tbh|btw|by the way|fyi|though|lol|haha|thanks|thx|imo|honestly|too|as well|mind|mate)\b)+$",
    re.IGNORECASE,
)
_FINITE: Final = re.compile(
    r"\b(?:i|we|he|she|they|you|it|is|are|was|were|must|will|would|can|could|should|has|had|does|did|sounds?|"
    r"seems?|looks?|"
    r"feels?|makes?|helps?|takes?|if|who|what|why|how|when|while|that|this(?! (?:year|month|week|summer|"
    r"winter|spring|autumn|fall|term|season|morning|evening|time)))\b|(?<!bachelor)(?<!master)(?<!doctor)'s",
    re.IGNORECASE,
)


def spaced(words: Words, first: int, last: int) -> str:
    """Return words as they were written, with contractions spelled out: ``isn't`` is two words."""
    parts: list[str] = []
    for at in range(first, last):
        raw = words.text[words.start[at] : words.end[at]]
        spelled = words.low[at] if words.low[at] in _CUT_SHORT and raw.lower() != words.low[at] else raw
        glued = at > first and words.start[at] == words.end[at - 1] and spelled == raw
        parts.append(spelled if glued or at == first else f" {spelled}")
    return "".join(parts)


_CUT_SHORT: Final = frozenset("am are have will would not can shall is you".split())


def of_sentence(text: str, *, late: bool = False) -> Iterator[Ways]:
    """Return what a whole sentence says when it is put plainly: for each thing that it says, the ways to say it, best first.

    Parameters
    ----------
    text
        The sentence.
    late
        Nothing was found in it as it stands: forms that are plain enough are tried too.
    """
    text = _trimmed(text)
    if not text or len(text) > 240:
        return
    if late:
        yield from _matching("late", text)
        return
    wishes = _WISHES.match(text)
    if wishes is not None:
        yield _wish(text[wishes.end() :], denied="need" in wishes.group().lower())
    yield from _matching("sentence", text)
    if (":" in text or "=" in text) and "://" not in text:
        for part in _NEXT_LABEL.split(text):
            yield _labelled(part)


def _matching(section: str, text: str) -> Iterator[Ways]:
    for form in _forms(section):
        found = form.pattern.fullmatch(text)
        if found is not None:
            yield (Reworded(way.texts, way.strict or form.strict, form.only or way.only) for way in form.make(found))


def of_clause(text: str, kept: frozenset[str], *, first: bool) -> Ways:
    """Return the ways to say a clause plainly in which nothing was found, best first.

    Parameters
    ----------
    text
        The clause.
    kept
        Its words.
    first
        It begins its sentence, and a mark or the end follows it.
    """
    text = _trimmed(text)
    if not text or len(text) > 160:
        return
    bare = _FINITE.search(text) is None
    for form in _forms("clause"):
        if (form.bare and not bare) or (form.first and not first) or (form.cue and form.cue.isdisjoint(kept)):
            continue
        found = form.pattern.fullmatch(text)
        if found is not None:
            for way in form.make(found):
                yield Reworded(way.texts, way.strict or form.strict, form.only)


_SMALL: Final = re.compile(
    rf"(?:{_NAMED['<keen>']}|{_NAMED['<often>']}|[A-Z]?[a-z]+(?:ing|ed)|not|no|a|an|the|my|our|been) ", re.IGNORECASE
)


def segments(text: str) -> list[str]:
    """Return the parts of a sentence between commas that may say something each."""
    parts = [part.strip() for part in re.split(r", ?(?:and |but |so )?|; ?| - ", text)]
    return [part for part in parts if len(part) > 3][:5] if len(parts) > 1 else []


def _trimmed(text: str) -> str:
    text = _CLOSE.sub("", _OPEN.sub("", text.strip()))
    text = _CLOSE.sub("", _IN_CASE.sub("", text))
    return text[:1].lower() + text[1:] if _SMALL.match(text) else text


# --- wishes --------------------------------------------------------------------------------------------------------------

_WISHES: Final = re.compile(
    r"(?:i would (?:rather|prefer it if|prefer if|appreciate it if|like it if|love it if|be grateful if)|"
    r"i (?:like|prefer|love|appreciate) it when|(?:it|that) (?:would|will) be (?:great|nice|good|lovely|helpful|"
    r"awesome|best|ideal|better|easier|"
    r"useful|perfect|cool)(?: for me)? (?:if|when)|would you mind|do you mind|(?:there is|there's)? ?no need(?= "
    r"to)|you do not (?:need|have)(?= to)|"
    r"(?:could|can|would|will) you(?= (?:please |just )?(?:always|in future|from now on))|feel free(?= to)|you "
    r"can (?:always )?|you could |you may )"
    r"(?: you)?(?: please| just)?(?: could| would| can| to)?",
    re.IGNORECASE,
)


def _wish(rest: str, *, denied: bool) -> Ways:
    words = rest.split()
    always = "always" in words[:3]
    words = [word for at, word in enumerate(words) if at > 2 or word not in ("always", "please", "just", "you")]
    base = base_of(words[0].lower()) if words else ""
    if words and words[0].lower() in ("did", "do") and words[1:2] == ["not"] and len(words) > 2:
        yield Reworded((f"please do not {' '.join(words[2:])}",))
    elif base and len(words) > 1:
        yield Reworded((f"please {'do not ' if denied else 'always ' if always else ''}{base} {' '.join(words[1:])}",))


# --- labels --------------------------------------------------------------------------------------------------------------

_LABEL: Final = re.compile(r"(?P<l>[a-z][\w'/-]*(?: [\w'/-]+){0,4}) ?(?:: |= ?)(?P<v>\S.*)", re.IGNORECASE)
_NEXT_LABEL: Final = re.compile(r"\s*[,;|]\s*(?=[A-Za-z][\w'/-]*(?: [\w'/-]+)? ?[:=] ?\S)")
_LABELLED: Final = (
    "my {l} is {v}", "my {l} is to {v}", "I use {v}", "I prefer {v}", "I prefer {v} {l}", "I am {v}", "I am a {v}",
    "I work as {v}", "I work at {v}", "I live in {v}", "I love {v}", "I speak {v}", "I have {v}", "I am allergic to {v}",
    "please use {v}", "please answer in {v}", "I support {v}", "I drink {v}", "I play {v}", "I drive {v}", "please keep it {v}",
)  # fmt: skip
_NO_LABELS: Final = frozenset(
    "something anything like "
    "example title subject note question quote answer user assistant headline draft text reminder remember "
    "correction typo sentence "
    "caption todo task translate summary re ps edit update".split()
)


def _labelled(part: str) -> Ways:
    found = _LABEL.fullmatch(part.strip(" .,;"))
    if found is None or _FINITE.search(found["l"]) or not _NO_LABELS.isdisjoint(found["l"].lower().split()):
        return
    label = re.sub(r"^(?:my|our|the) ", "", found["l"], flags=re.IGNORECASE)
    value = re.sub(r",? (?:please|thanks)$", "", found["v"], flags=re.IGNORECASE)
    for form in _LABELLED:
        yield Reworded((form.format(l=label, v=value),), label=label.lower())


@dataclass(frozen=True, slots=True)
class _Form:
    pattern: re.Pattern[str]
    make: Make
    cue: frozenset[str]
    bare: bool
    strict: bool
    first: bool
    only: frozenset[str]


def _plainly(plain: Sequence[str], together: Sequence[str]) -> Make:
    def make(found: re.Match[str]) -> Ways:
        parts = found.groupdict(default="")
        if together:
            yield Reworded(tuple(text.format_map(parts) for text in together if text.format_map(parts)))
        for text in plain:
            yield Reworded((text.format_map(parts),))

    return make


@cache
def _listed() -> dict[str, list[dict[str, Any]]]:
    return tomllib.loads((resources.files("stead.extract.rules") / "rewordings.toml").read_text(encoding="utf-8"))


@cache
def _forms(section: str) -> tuple[_Form, ...]:
    """Return the forms of one section of ``rewordings.toml``."""
    made: list[_Form] = []
    for one in _listed()[section]:
        form = one["form"]
        for name, pattern in _NAMED.items():
            form = form.replace(name, pattern)
        make = MAKERS[one["make"]] if "make" in one else _plainly(one.get("plain", ()), one.get("all", ()))
        cue = frozenset(one.get("cue", "").split())
        made.append(
            _Form(
                re.compile(form, re.IGNORECASE),
                make,
                cue,
                one.get("bare", False),
                one.get("strict", False),
                one.get("first", False),
                frozenset(one.get("only", "").split()),
            )
        )
    return tuple(made)
