"""What the agent is told: standing instructions, and orders that hold for one task only."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from stead.extract.rules.lexicon import things
from stead.extract.rules.text import Options, Sentence, Words, by_first, phrases, straight

_ACTS: Final = frozenset(
    "use send call write include answer reply respond suggest recommend add ask put show email text message "
    "contact explain repeat mention share schedule book format summarize summarise apologize apologise start end "
    "begin make give translate remind quote check confirm cite address speak refer list provide round convert "
    "default run commit name sign attach cc prioritize prioritise avoid skip double-check verify assume treat "
    "spell test link warn notify order save export propose return print wrap indent generate create draft produce "
    "set plan pick choose delete deploy push merge squash prefer offer tell let leave keep refactor document "
    "highlight mark label tag file route forward copy bcc prepare present compare calculate compute charge ship "
    "deliver invoice bill correct interrupt assign open install sugarcoat lecture emoji hide expose log store "
    "output describe structure bold comment rewrite edit change touch modify remove phone ring page ping post "
    "publish guess invent speculate invite reserve drop pad stick switch go work break number capitalize bring "
    "buy get wake disturb close finish lead discuss talk read reference review rename submit track trim update "
    "upload validate".split()
)
_ADVICE: Final = frozenset(
    "let get keep give make go work leave bring buy wake break drop lead change set tell take remind stick put "
    "start begin end finish show share invest pick choose plan open touch hide wrap close read speak talk guess "
    "pad order check invent discuss trim".split()
)
_STANDING_WORDS: Final = by_first(
    "from now on|from here on|from this point on|from here on out|from now onwards|in the future|in future|"
    "going forward|by default|as a rule|in general|always|moving forward|every time|as a general rule|"
    "from today on|as standard|for future reference|at all times|as a standing rule|from this day on|"
    "until further notice"
)
_POLITE: Final = by_first(
    "please|kindly|can you|could you|would you|will you|you should|you must|you can|make sure to|"
    "make sure you|make sure that you|be sure to|remember to|i want you to|i would like you to|i need you to|"
    "just|and|but|so|,|also|ok|okay|i would prefer you to|i prefer you to|i would appreciate it if you|"
    "try to|then|only|you need to|you have to|hey|hi|yes|no|thanks|i expect you to|i would like it if you|"
    "i ask you to|well|actually|right|assistant|one more thing|:|a standing rule|rule|standing rule|"
    "general rule|note|for the record|i am asking you to|oh|it is important that you|by the way|sorry|wait|"
    "if possible|let 's|let us|instead|generally|as usual|when possible|whenever possible|it would help if you|you are to"
)
_NOT: Final = by_first("do not ever|do not|never ever|never|avoid ever|not|please not")
_ONCE: Final = re.compile(
    r"\b(?:for|in|on|with) (?:this|that|these|those|tonight's|today's|tomorrow's|the current) (?!year|"
    r"quarter|month|season|house|\w+ (?:is|are|was)\b)[\w' "
    r"-]{2,30}?(?: only)?(?=[:,.;!]|$| use| please| make| i | i'd | write| keep| only)"
    r"|\b(?:just|only) (?:for )?(?:this once|once|tonight|today|this time|this one|now|this "
    r"(?:order|trip|meal|letter|email|meeting|week|booking|session|task))\b"
    r"|\bthis (?:time|once)(?: only)?\s*(?=[,:.!]|$)|\bfor (?:once|now|the moment|the time being)"
    r"\b|\b(?:just|only) for (?:tonight|today|this|that|the)\b|\bone[- ]off\b|\bas an exception\b"
    r"|\btonight's (?:order|dinner|meal|booking|reservation)\b"
    r"|\bfor (?:tonight|today)\b(?: only)?"
)
_FOR: Final = re.compile(
    r"^(?:please,? |and |also,? |ok,? |so |from now on,? |going forward,? |in (?:the )?future,? |"
    r"yes,? |no,? |actually,? )*"
    r"(?:for|in|on|with) (?:(?P<all>(?:all|any|every|each)(?: of)?(?: my| our| the)?(?: future| "
    r"upcoming| new| other)?|(?:my |our |the )?(?:future|upcoming)|my|our) )(?P<object>[a-z][\w "
    r"-]{1,40}?)"
    r"(?: from now on| in (?:the )?future| going forward)?\s*[,:]? (?:please )?(?:always )"
    r"?(?:(?:use|write in|write|make them|make it|give me|send me|send|stick to|go with|switch to|"
    r"i want|i would like|i'd like|i prefer|i'd prefer|default to|format as) )?"
    r"(?:only |a |an )?(?P<value>[a-z0-9][\w/ -]{1,60}?)"
    r"(?:(?:,| and|,? please,?)? (?:not|instead of|rather than|no) (?P<wrong>[\w/ -]{2,40}?))?(?: "
    r"please| instead| only| from now on)?\s*[.!]*$"
)
_FOR_THIS: Final = re.compile(
    r"^(?:and |but |ok,? |so |please,? )*(?:just |only )?for (?:this|that|tonight|today|"
    r"tomorrow's|the current)\b|^(?:just|only) (?:this once|this time|once)\b|^this (?:time|once)"
    r"\b"
)
_NOT_A_FORM: Final = frozenset("i we you my he she it they is are was thanks".split())


@dataclass(frozen=True, slots=True)
class Order:
    """An order to the agent: its verb stands at ``verb``."""

    verb: int
    standing: bool
    denied: bool
    thing: bool = False
    """It names a thing that isn't wanted: "no emojis please"."""
    asked: bool = False
    """The agent is plainly spoken to: please, from now on, you should."""


def order(words: Words, first: int, last: int) -> Order | None:
    """Return the order that the words ``[first, last)`` give, or None: no verb that an agent could follow."""
    low = words.low
    at, standing, denied, asked = first, False, False, False
    while at < last:
        size = _match(low, at, last, _STANDING_WORDS)
        if size:
            standing = True
            asked = asked or low[at] != "always"
        elif size := _match(low, at, last, _NOT):
            denied = True
            standing = standing or "never" in low[at : at + size] or "ever" in low[at : at + size]
        elif low[at] == "stop" and not denied and at + 1 < last and low[at + 1].endswith("ing"):
            denied, standing, size = True, True, 1
        else:
            size = _match(low, at, last, _POLITE)
            if not size:
                break
            asked = asked or not _PLEADING.isdisjoint(low[at : at + size])
        at += size
    if at >= last or not words.is_word(at) or low[at] in ("i", "we"):
        return None
    if not _STANDING_LAST.isdisjoint(low[at:last]):
        standing = standing or any(
            _match(low, begin, last, _STANDING_WORDS) for begin in range(at, last) if low[begin] != "always"
        )
    standing = standing or any(
        low[place] in ("every", "each") and low[place + 1] in ANSWERS for place in range(at, last - 1)
    )
    standing = standing or low[last - 2 : last] in (["on", "everything"], ["for", "everything"], ["each", "time"])
    asked = asked or not _PLEASE.isdisjoint(low[at:last])
    return Order(at, standing, denied, asked=asked)


_STANDING_LAST: Final = frozenset(marks[-1] for options in _STANDING_WORDS.values() for marks in options)
_PLEASE: Final = frozenset("please pls plz".split())
_PLEADING: Final = _PLEASE | frozenset("kindly you assistant rule".split())


def none_of(words: Words, first: int, last: int, lead: str) -> Order | None:
    """Return the order not to have a thing: "so no red charts", "no emojis please"."""
    low = words.low
    while first < last and low[first] in (",", "so", "and", "but", "please"):
        first += 1
    asked = (
        manner(low[first + 1 : last])
        or low[first + 1 : first + 2] in (["meetings"], ["calls"])
        or "please" in low[first:last]
        or "pls" in low[first:last]
        or (lead == "so" and first < last and "'s" not in low[first:last])
    )
    if not asked or last - first < 2 or last - first > 9 or low[first] != "no" or low[first + 1] in _IDIOMS:
        return None
    return Order(first + 1, standing=False, denied=True, thing=True, asked=True)


_IDIOMS: Final = frozenset(
    "problem problems worries idea one way need longer thanks thank wait matter rush doubt sorry more i it that".split()
)


def manner(words: list[str]) -> bool:
    """Tell whether words name something of the way an answer is written: emojis, small talk, bullet points."""
    known = things("manner") or frozenset()
    while words and words[-1] in ("please", "ever", "again", "!", "."):
        words = words[:-1]
    return any(tuple(words[-size:]) in known for size in (1, 2))


def each_time(words: Words, first: int, last: int, lead: str) -> bool:
    """Tell whether a clause names what an order holds for: "when you write code", "whenever I ask for a recipe"."""
    if lead not in ("when", "whenever", "if", "every"):
        return False
    low = words.low
    at = next((place for place in range(first, min(last, first + 4)) if low[place] in ("i", "we", "you")), last)
    if at + 1 >= last:
        return False
    return low[at + 1] in (_ACTS - {"get", "work", "go", "make", "keep"} if low[at] == "you" else _ASKING)


_ASKING: Final = frozenset("ask send share paste request give say write mention want need tell".split())
ANSWERS: Final = frozenset(
    "answer answers reply replies response responses email emails mail message messages code emojis emoji text "
    "texts list lists calendar meeting meetings call calls invite invites summary summaries report reports "
    "document documents file files explanation explanations recipe recipes invoice invoices sentence sentences "
    "paragraph bullet hotel hotels flight "
    "flights".split()
)


def acts(word: str, *, asked: bool) -> bool:
    """Tell whether a verb is one that an agent carries out.

    Parameters
    ----------
    word
        The verb.
    asked
        The agent is plainly spoken to: please, from now on. Otherwise verbs of everyday advice don't count ("never give up").
    """
    if word.endswith("ing"):
        return bool({word[:-3], word[:-3] + "e", word[:-4]} & (_ACTS - _ADVICE))
    return word in _ACTS and (asked or word not in _ADVICE)


def base_of(word: str) -> str:
    """Return the base form of what an agent does: ``answered`` and ``answering`` give ``answer``; empty: nothing it does."""
    if word in _ACTS or word in _IRREGULAR:
        return _IRREGULAR.get(word, word)
    for tail in ("ed", "ing"):
        stem = word.removesuffix(tail)
        if stem != word and len(stem) > 1:
            options = (stem, stem + "e", stem[:-1], stem[:-1] + "y" if stem.endswith("i") else stem)
            return next((one for one in options if one in _ACTS), "")
    return ""


_IRREGULAR: Final = {
    "kept": "keep", "wrote": "write", "gave": "give", "sent": "send", "spoke": "speak", "made": "make", "put": "put",
    "left": "leave", "told": "tell", "showed": "show", "stuck": "stick", "spelled": "spell", "be": "be", "were": "be",
    "talked": "talk", "explaining": "explain", "stop": "stop", "stopped": "stop", "stick": "stick", "not": "not",
}  # fmt: skip


def trimmed(words: Words, first: int, last: int) -> int:
    """Return the end of an order without the standing words and the thanks at its end."""
    low = words.low
    while last > first and low[last - 1] in _LAST_WORDS:
        size = next((len(marks) for marks in _AT_END if tuple(low[last - len(marks) : last]) == marks), 0)
        if not size:
            break
        last -= size
    return last


_AT_END: Final = (
    *(marks for options in _STANDING_WORDS.values() for marks in options if marks != ("always",)),
    *phrases("please|pls|plz|thanks|thank you|,|ok|okay|again|ever|anymore|.|!"),
)
_LAST_WORDS: Final = frozenset(marks[-1] for marks in _AT_END)


def _match(low: list[str], at: int, last: int, options: Options) -> int:
    """Return how many words the longest of some phrases takes that begins at a word; 0: none."""
    best = 0
    for option in options.get(low[at], ()):
        size = len(option)
        if size > best and at + size <= last and tuple(low[at : at + size]) == option:
            best = size
    return best


def once(text: str) -> bool:
    """Tell whether a sentence limits what it says to one occasion: "just for tonight's order"."""
    return _ONCE.search(straight(text).lower()) is not None


def only_here(text: str) -> bool:
    """Tell whether a sentence begins with what it is limited to: "For this restaurant only: ..."."""
    return _FOR_THIS.search(straight(text).lower()) is not None


@dataclass(frozen=True, slots=True)
class Form:
    """A form wanted for a kind of document, as offsets into the sentence."""

    object: tuple[int, int]
    value: tuple[int, int]
    wrong: tuple[int, int] | None


def form(sentence: str) -> Form | None:
    """Return which form a sentence asks for and for what: "for all future briefs, paragraphs, not bullets"."""
    low = straight(sentence).lower()
    if len(low) != len(sentence) or len(low) > 300:
        return None
    found = _FOR.search(low)
    if found is None or not _NOT_A_FORM.isdisjoint(found["value"].split()):
        return None
    return Form(found.span("object"), found.span("value"), found.span("wrong") if found["wrong"] else None)


def words_of(sentence: Sentence, words: Words) -> str:
    """Return a sentence as it was written."""
    return words.slice(sentence.first, sentence.last)
