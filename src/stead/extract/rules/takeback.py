"""Words that take back, deny, or ask to forget (R27), and words that repair what was said (R22)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from stead.extract.proposal import EVERYTHING, HERE, Act
from stead.extract.rules import wishes
from stead.extract.rules.text import straight

TRIGGERS: Final = (
    frozenset(
        "forget delete erase remove wipe purge clear never remembering remember scratch mind nevermind meant mean "
        "typo mistake correction said say store storing saving keeping recording memorizing disregard ignore cancel "
        "strike scrap leave gone business place deleted erased removed wiped undo "
        "cross hang hold drop take back misspoke wrong sorry mistyped unlearn tracking retain".split()
    )
    | wishes.TRIGGERS
)
_LEAD: Final = (
    r"^(?P<lead>(?:(?:no|nope|nah|wait|actually|not \w+,|hmm+|oh|sorry|ok|okay|hey|well|and|but|please|now|yes|"
    r"oops|also|right|sure|on second thoughts?|you know what|hold on|uh|um)\b[,.! ]*)*)"
    r"(?:(?:can|could|would|will) you |i want you to |i(?:'d| would) like you to |i "
    r"need you to |you (?:should|can|must|may) |let's |please |just )*"
)
_ABOUT: Final = r"(?P<about>[^.!?\n]{1,200}?)"
_CLOSE: Final = (
    r"(?: (?:right )?(?:now|please|completely|entirely|for good|forever|at once|immediately|again|"
    r"too|as well|anymore)|, please| from (?:your |the )?(?:memory|records?|notes|database)"
    r"| in this (?:conversation|chat|session))"
    r"*\s*[.!?]*$"
)
_KNOWN: Final = (
    r"(?:i(?:'ve| have)?(?: just| ever)? (?:told you|said|mentioned|shared|gave you|wrote|asked)(?: to you| with "
    r"you)?"
    r"|you(?:'ve| have)? ?(?:know|knew|have|remember|remembered|stored|saved|kept|learned|learnt|"
    r"collected|hold|noted|got|think you know)?(?: on file)?)"
)
_FORGET: Final = tuple(
    re.compile(_LEAD + body + _CLOSE)
    for body in (
        (
            r"[^,;.]{3,60}[,;] i(?:'ve| have)? never(?: ever)? (?:said|told you|mentioned|claimed)(?: that| to you)? "
            r"(?P<about>(?:i|i'm|i've|my|we)\b[^.!?\n]{0,200}?)"
        ),
        (
            r"(?P<about>(?:my|our|that|the|all that|everything)\b[^,.!?\n]{1,100}?),? (?:i want (?:it|that|them|"
            r"this)|should be|has to be|have to be|"
            r"must be|needs to be|ought to be) (?:gone|deleted|erased|removed|wiped)"
        ),
        (
            r"(?P<about>(?:my|our|that|the)\b[^,.!?\n]{1,100}?) (?:has|have) no (?:business|place) in your "
            r"(?:notes|memory|records|files|head)"
            r"(?:, (?:so )?(?:please )?(?:get rid of it|delete it|remove it))?"
        ),
        (
            rf"(?:forget|delete|erase|remove|wipe|purge|clear|unlearn)(?: about)? (?:everything|anything|"
            rf"all|whatever|what|all of what|(?:all )?(?:of )?the (?:things|stuff|data|information|info)|"
            rf"any \w+|all \w+)(?: that)? ?(?:{_KNOWN})?(?: (?:about|on|of|regarding|concerning) {_ABOUT})?"
        ),
        (
            rf"(?:stop|quit|no more) (?:remembering|storing|saving|keeping|recording|tracking|memorizing)"
            rf"(?: anything| everything| things| data| information| details| notes)?(?: (?:about|on|of))? "
            rf"?{_ABOUT}"
        ),
        (
            rf"(?:do not|don't|dont|never) (?:remember|store|keep|record|memorize|retain|save)(?: anything|"
            rf" any \w+| things| data| information| details| notes| records?)(?: (?:about|on|of)) {_ABOUT}"
        ),
        r"(?:do not|don't|dont|never) (?:hang|hold) on ?to (?P<about>(?:my|our) [^,.!?\n]{1,60}?|this|that|it)(?:, [^.!?\n]*)?",
        (
            r"(?:do not|don't|dont|never) (?:remember|store|memorize|retain) (?P<about>(?:my|our) "
            r"[^.!?\n]{1,100}?|this|that|any of (?:this|that|it))"
        ),
        (
            r"i(?:'ve| have)? never(?: ever)? (?:said|told you|mentioned|claimed|wrote|stated)(?: that| "
            r"to you)? (?P<about>(?:i|i'm|i've|my|we|our|anything|about|any)\b[^.!?\n]{0,200}?)"
        ),
        (
            r"i(?:'ve| have)? never(?: ever)? (?:said|told you|mentioned|claimed|wrote|stated)(?: you)? "
            r"?(?P<about>that|this|it|so|such a thing|any such thing|anything like that|anything of the "
            r"sort)"
        ),
        (
            r"i (?:did not|didn't|didnt) (?:say|tell you|mention|claim|write) (?P<about>that|this|it|so|"
            r"anything like that|(?:that )?(?:i|i'm|my|we)\b[^.!?\n]{0,200}?|(?:anything )?about "
            r"[^.!?\n]{1,200}?)"
        ),
        r"that(?:'s| is|'s| was) not (?:what|something) i(?:'ve| have)?(?: ever)? (?:said|told you|say)",
        r"(?:forget|delete|erase) (?P<about>that|this)",
        (
            r"(?:forget|unlearn) (?:about )?(?P<about>(?:my|our|where|who|how|which|when|the fact that|"
            r"that i|that my|that we)\b[^.!?\n]{1,200}?)"
        ),
        (
            r"(?:delete|erase|wipe|purge|remove|clear) (?P<about>(?:my|our|all|any|the|that|this|"
            r"everything|every)\b[^.!?\n]{0,200}?) from (?:your |the )?(?:memory|memories|records?|notes|"
            r"database|profile)"
        ),
        (
            rf"(?:delete|erase|wipe|purge) (?:your |all |any |all your |the )?(?:memory|memories|records?|"
            rf"notes|data|information|info)(?: that)? ?(?:{_KNOWN})? ?(?:about|on|of|regarding) {_ABOUT}"
        ),
        r"(?:delete|erase|wipe|purge|clear) (?:your|all your|all of your|my) (?:memory|memories)(?: of me)?",
    )
)
_TAKE_BACK: Final = tuple(
    re.compile(body)
    for body in (
        (
            r"[,;-] ?(?:please |just )?(?:ignore|scrap|forget|scratch|strike|drop|disregard) "
            r"(?P<about>(?:that|this) (?:bit|part|one|thing))\s*[.!]*$"
        ),
        _LEAD
        + r"(?:forget|scratch|scrap|drop|ignore|cancel|undo|strike|disregard|skip|(?:leave|cross|strike|scratch) out) (?:about )"
        r"?(?P<about>(?:the|that|this|my) (?:[\w'-]+ ){0,5}?(?:thing|part|bit|stuff|idea|request|rule|"
        r"instruction|one)(?: about [^,.;!?\n]{1,60}?)?)(?: please)?(?:\s*[,.:;!?]|\s+-|\s+—|$| and | but )",
        _LEAD + r"(?:scratch|scrap|strike|cancel|undo|disregard|ignore|drop|leave out) (?P<about>that|this|it|my last "
        r"(?:message|sentence|remark|point)|what i (?:just )?(?:said|wrote)"
        r"(?: (?:earlier|before|above|just now|a (?:minute|moment|second|while|bit) ago))?"
        r"(?: about [^,.;!?\n]{1,60}?)?|the "
        r"last (?:part|bit|"
        r"thing))(?:\s*[,.;!?]|\s+-|$| and | but )",
        (
            r"^(?P<lead>(?:(?:no|wait|actually|hold on|oh|sorry)\b[,.! ]*)+)forget what i just (?:said|wrote) about "
            r"(?P<about>(?:the|that) [^,.;!?\n]{1,60}? (?:thing|part|bit|stuff))\s*[.!]*$"
        ),
        _LEAD + r"(?:forget) (?P<about>it|what i just (?:said|told you|wrote)|i said (?:that|anything)|i "
        r"(?:ever )?mentioned (?:it|that))(?:\s*[,.;!?]|\s+-|$| and | but )",
        _LEAD + r"never ?mind(?! ?[,.-]? ?(?:i (?:have |just |already )?(?:found|got|figured|solved|fixed|see|know)|"
        r"found|figured|solved|it works|works|all good|sorted))(?: about)? ?"
        r"(?P<about>(?:that|this|the|my|what i)\b[^,.;!?\n]{0,80}?)?(?:\s*[,.;!?]|\s+-|$| and | but )",
        _LEAD + r"i take (?P<about>that|it|this) back",
        _LEAD + r"i take back (?P<about>[^.!?\n]{1,100}?)\s*[.!?]*$",
        (
            r"^(?P<lead>(?:(?:no|wait|actually|on second thoughts?|hold on|oh|sorry)\b[,.! ]*)+)(?:please "
            r")?forget (?:about )?(?P<about>(?:the|that|my) [^,.;!?\n]{1,60}?)(?:\s*[,.;!?]|\s+-|$| and | "
            r"but )"
        ),
    )
)
_ALL: Final = re.compile(
    r"\b(?:forget|delete|erase|wipe|purge|unlearn) (?:about )?everything\b|\b(?:everything|anything|all|"
    r"what(?:ever)?|data|"
    r"information|info|things|stuff)(?: of)?(?: what| that)? you\b|\byour memor(?:y|ies)\b"
)
_HERE: Final = re.compile(r"\b(?:i(?:'ve| have)? (?:just|said|wrote|asked)|in this (?:conversation|chat|session))\b")
_WHOLE: Final = re.compile(r"\b(?:everything|all)\b(?! (?:that|this)\s*[.!]*$)")
_PLAIN: Final = re.compile(
    rf"{_LEAD}(?:forget|delete|erase|unlearn) (?!about (?:it|that|this)\b)(?:about )?"
    rf"(?P<about>(?:it|that|this|what|i|my|our|the)\b[^,.;:!?\n]{{0,100}}?){_CLOSE}"
)
_NOT_STORED: Final = re.compile(
    r"\blet's \b|\b(?:delete|erase|remove|wipe|purge|clear) (?:all|anything|my memory)\b"
    r"(?! (?:that|this|of|the|about|you|your|i|my|our)\b)"
    r"|\b(?:remove|purge|clear) everything\s*[.!]*$|\b(?:everything|anything|all|what\w*) on (?:the|this|that|"
    r"these|those)\b"
)
"""Words that mean something else than memory unless they say so: a list, a folder, what was just talked about."""
_THEIR: Final = r"(?:the )?(?:user|subject|customer|client) (?:has |have |now )*"
_OF_THEM: Final = tuple(
    re.compile(rf"^{_THEIR}{body}\s*[.!]*$")
    for body in (
        (
            rf"(?:(?:asks?|asked)(?: (?:you|us|me|the (?:assistant|agent|system)))?|(?:wants?|wanted|would like) "
            rf"(?:you|us|me|the (?:assistant|agent|system))) to forget"
            rf"(?: about)? (?:(?:everything|anything|all|what) (?:you know |(?:that )?(?:they|he|she) said )?"
            rf"(?:about|on) )?{_ABOUT}"
        ),
        (
            rf"(?:den(?:y|ies|ied) (?:ever )?having(?: ever)?|never(?: ever)?) (?:said|told|mentioned|claimed|stated)"
            rf"(?: (?:you|us|me|the (?:assistant|agent)))?(?: that| about)? {_ABOUT}"
        ),
    )
)  # fmt: skip
_HEDGE: Final = re.compile(r"\b(?:if i|if you|what if|would you ever|don't forget|do not forget|never forget)\b")
_EMPTY: Final = frozenset(
    (
        "that",
        "this",
        "it",
        "so",
        "such a thing",
        "any such thing",
        "anything like that",
        "anything of the sort",
        "it all",
    )
)
_MEANT: Final = re.compile(
    r"\bi (?:actually |really )?(?:meant|mean)(?: to (?:say|write|type))?[:,]? (?P<value>(?!to\b|"
    r"it\b|that\b|what\b|well\b|no\b|every|business\b|by\b|for\b|you\b)[^,.;!?\n—]{1,80}?)"
    r"(?:(?:,| and|,? and definitely|,? but| instead of| rather than)? (?:not|instead of|rather "
    r"than) (?P<wrong>[^,.;!?\n]{1,80}?))?(?:\s*[.;!?\n—]|, |$)"
)
_SAID: Final = re.compile(
    r"\bi (?:said|wrote|typed|told you) (?P<wrong>[^,.;!?\n]{1,60}?),?(?: -| —|;|\.)? ?(?:but |"
    r"and )?(?:i |what i )?(?:actually )?(?:meant|should have said|should be|it's|it is|it should "
    r"be)(?: was)?(?: to say| to write)? (?P<value>[^,.;!?\n]{1,60}?)(?:\s*[.;!?\n]|,|$)"
)
_ITS: Final = re.compile(
    r"^(?:(?:no|sorry|actually|wait|oops|correction|typo|hmm|ah|oh|well)\b[,.:! -]*)*(?:it's|it is|it "
    r"was|it should be|that's|that is|that should be|make that|should be)?"
    r" ?(?P<value>[\w'.&-]+(?: [\w'.&-]+){0,3}?)(?:,| and|,? and) not (?P<wrong>[\w'.&-]+(?: "
    r"[\w'.&-]+){0,2}?)\s*[.!?;]*$"
)
_BUT: Final = re.compile(
    r"^(?:(?:no|sorry|actually|wait|oops|correction)\b[,.:! -]*)*(?:it's|it is|that's|that is|it "
    r"was) not (?P<wrong>[\w'.&-]+(?: [\w'.&-]+){0,2}?),? (?:but|it's) (?P<value>[\w'.&-]+(?: "
    r"[\w'.&-]+){0,2}?)\s*[.!?;]*$"
)
_NOT_BUT: Final = re.compile(
    r"^not (?P<wrong>[\w'.&-]+(?: [\w'.&-]+){0,2}?),? but (?P<value>[\w'.&-]+(?: [\w'.&-]+){0,2}?)\s*[.!?;]*$"
)
_ISNT: Final = re.compile(
    r"\b(?:isn't|is not|aren't|wasn't) (?P<wrong>[\w'.&-]+(?: [\w'.&-]+){0,2}?),? (?:but|it's|it "
    r"is) (?:actually )?(?P<value>[\w'.&-]+(?: [\w'.&-]+){0,2}?)\s*[.!?;]*$"
)
_AFTER_SORRY: Final = re.compile(
    r"^(?:(?:no|sorry|wait|oops|correction|typo|i mean|ah|argh|whoops|my bad|my mistake)\b[,.:! "
    r"-]*)+(?P<value>[\w'.&-]+(?: [\w'.&-]+){0,2}?) "
    r"(?:and )?not (?P<wrong>[\w'.&-]+(?: [\w'.&-]+){0,2}?)\s*[.!?;]*$"
)
_NOT_FIRST: Final = re.compile(
    r"^(?:(?:no|sorry|wait|oops|actually)\b[,.:! -]*)*not (?P<wrong>[\w'.&-]+(?: [\w'.&-]+){0,2}?)[,;:] "
    r"?(?:it's |it is |but )?(?P<value>[\w'.&-]+"
    r"(?: [\w'.&-]+){0,2}?)\s*[.!?;]*$"
)
_STARRED: Final = re.compile(r"^\*\s?(?P<value>[\w'.&-]+(?: [\w'.&-]+){0,2})\*?(?P<wrong>(?!))?\s*[.!]?$")
_MEAN: Final = re.compile(
    r"^(?:(?:no|sorry|wait|oops)\b[,.:! -]*)*(?:i mean|make that|i meant|should be|that should be|it should be|"
    r"correction:|"
    r"(?:scratch|strike) that[:,]) (?P<value>[\w'.&-]+(?: [\w'.&-]+){0,2})(?P<wrong>(?!))?\s*[.!]?$"
)
_FILLER: Final = re.compile(r"\bmean\b")
_COMMENT: Final = frozenset(
    "only just bad good great easy always really so too that sure all for about because what how when a an the to "
    "much fun worth fair cool nice right yet even no yes getting bout exactly necessarily quite my our i you "
    "we they he "
    "she be is are was were do does did".split()
)
_REPAIR: Final = re.compile(
    r"\b(?:typo|misspoke|mistyped|misspelled|correction|my mistake|i was wrong|my bad|i made a "
    r"mistake|got that wrong|i said that wrong|i meant|i mis-?stated|that was wrong|that's wrong|"
    r"that is wrong|let me correct|to correct|i gave you the wrong|i told you the wrong|mixed up|"
    r"that's not right|that's incorrect)\b"
)


@dataclass(frozen=True, slots=True)
class Taken:
    """What a sentence takes back or asks to forget."""

    act: Act
    about: str
    span: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Repair:
    """A value that was meant, and the one that was wrong."""

    value: str
    wrong: str | None
    span: tuple[int, int]


def taken(sentence: str) -> Taken | None:
    """Return what a sentence takes back or asks to forget, or None.

    Parameters
    ----------
    sentence
        As it was written, with straight quotation marks. The span is in it.
    """
    low = straight(sentence).lower()
    if len(low) != len(sentence) or len(low) > 600 or _HEDGE.search(wishes.POLITE.sub("", low)):
        return None
    low = low.rstrip()
    for act, patterns in ((Act.TAKE_BACK, _TAKE_BACK), (Act.FORGET, wishes.TOLD), (Act.FORGET, _FORGET)):
        for pattern in patterns:
            found = pattern.search(low)
            if found is not None:
                begin, end = found.span("about") if "about" in pattern.groupindex else (-1, -1)
                about = _about(sentence[begin:end]) if begin >= 0 else ""
                if not about and act is Act.FORGET:
                    about = _whole(found.group())
                return Taken(act, about, (found.start(), found.end()))
    return _politely(sentence, low)


def _politely(sentence: str, low: str) -> Taken | None:
    """Return what a sentence asks in the ways that `wishes` lists."""
    for act, patterns in ((Act.TAKE_BACK, wishes.TAKE_BACK), (Act.FORGET, wishes.FORGET)):
        for pattern in patterns:
            found = pattern.search(low)
            if found is not None:
                about = _about(sentence[slice(*found.span("about"))])
                everything = act is Act.FORGET and wishes.ALL_DATA.fullmatch(about.lower())
                return Taken(act, EVERYTHING if everything else about, found.span())
    for whole, each in ((HERE, wishes.FORGET_HERE), (EVERYTHING, (wishes.FORGET_ALL,))):
        for pattern in each:
            found = pattern.search(low)
            if found is not None:
                return Taken(Act.FORGET, whole, found.span())
    return None


def wished(sentence: str) -> bool:
    """Tell whether a sentence asks by itself, and plainly, that what is stored be forgotten (R27).

    What only takes back words of the moment doesn't: "scratch that", "forget it, let's order pizza", "forget about it".
    """
    found, low = taken(sentence), straight(sentence).lower().rstrip()
    if found is None or _NOT_STORED.search(low) is not None:
        return False
    return found.act is Act.FORGET or _PLAIN.search(low) is not None


def wished_of(claim: str) -> str | None:
    """Return what a claim asks to forget, or says that the subject denies having said; None where it doesn't, plainly."""
    found = taken(claim)
    if found is not None and wished(claim):
        return found.about
    low = straight(claim).lower()
    told = next((told for each in _OF_THEM if (told := each.search(low)) is not None), None)
    return None if told is None or len(low) != len(claim) else _about(claim[slice(*told.span("about"))])


def _whole(words: str) -> str:
    """Return what a wish without a topic is about: everything, this conversation, or what was said just before."""
    if _HERE.search(words):
        return HERE if _WHOLE.search(words) else ""
    return EVERYTHING if _ALL.search(words) else ""


def _about(words: str) -> str:
    about = words.strip(" ,.;:!?-")
    low = about.lower()
    for lead in ("about ", "anything about ", "that i ever ", "the fact that "):
        if low.startswith(lead):
            about = about[len(lead) :].strip()
            low = about.lower()
    return "" if low in _EMPTY or low.startswith(("any of ", "what i just")) else about


def repaired(sentence: str) -> Repair | None:
    """Return the value that a sentence puts in the place of another one, or None: "I meant Apex, not Acme"."""
    low = straight(sentence).lower()
    if len(low) != len(sentence) or len(low) > 600:
        return None
    for pattern in (_SAID, _MEANT, _ITS, _BUT, _ISNT, _NOT_BUT, _AFTER_SORRY, _NOT_FIRST, _STARRED, _MEAN):
        found = pattern.search(low)
        if found is None or (
            pattern is _MEANT and found["wrong"] is None and _FILLER.search(found.group()) is not None
        ):
            continue
        if pattern in (_STARRED, _MEAN) and not any(
            char.isupper() or char.isdigit() for char in sentence[slice(*found.span("value"))]
        ):
            continue
        if pattern not in (_SAID, _MEANT) and not _COMMENT.isdisjoint(f"{found['wrong']} {found['value']}".split()):
            continue
        wrong = _bare(sentence[slice(*found.span("wrong"))]) if found["wrong"] else None
        value = _bare(sentence[slice(*found.span("value"))])
        if value:
            return Repair(value, wrong, found.span())
    return None


def repairs(sentence: str) -> bool:
    """Tell whether a sentence says that something said before was wrong."""
    return _REPAIR.search(straight(sentence).lower()) is not None


def _bare(value: str) -> str:
    value = value.strip(" \"'.,;:!?")
    return re.sub(r"^(?:in|at|on|for|the|a|an|by|to|spelled|called|actually) (?=\S)", "", value, flags=re.IGNORECASE)
