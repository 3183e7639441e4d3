"""Wishes that something be forgotten (R27), and words taken back, in the many ways in which people ask politely."""

from __future__ import annotations

import re
from typing import Final

_SMALL: Final = (
    r"^(?:(?:please|pls|plz|kindly|and|but|also|so|ok|okay|hey|hi|oh|no|yes|nope|actually|well|sorry|now|just|"
    r"wait|right|hm+|u[hm]|"
    r"er+m?|oops|on second thoughts?|btw|by the way|hold on|you know what|thanks)\b[,.!: -]*)*"
)
_ASKED: Final = (
    r"(?:(?:can|could|would|will) you |(?:would|do) you mind |(?:i|we)(?:'d| would) (?:really )?(?:appreciate|"
    r"like|love|prefer|be "
    r"(?:grateful|happy|glad)) (?:it )?(?:if you (?:could |would |can )?|you to )|(?:i|we)(?:'d| would) rather you |"
    r"it(?:'d| would) be (?:great|nice|good|best|better|lovely|helpful|kind)(?: of you)? (?:if you (?:could |"
    r"would )?|to )|"
    r"(?:i|we) (?:want|need|ask|wish) you to |you (?:can|may|should|must|have to|need to) (?:now )?|make sure "
    r"(?:that )?(?:you |to )?|"
    r"be so (?:kind|good) (?:as )?to |feel free to |let's |please |just |kindly )*"
)
_LEAD: Final = _SMALL + _ASKED
_FORGET_IT: Final = r"(?:forget|forgot|forgetting|unlearn|unlearned|unremember)"
_DELETE: Final = (
    r"(?:delet(?:e|ed|ing)|eras(?:e|ed|ing)|remov(?:e|ed|ing)|wip(?:e|ed|ing)|purg(?:e|ed|ing)|g[eo]t(?:ting)? rid "
    r"of|scrub)"
)
_KEEP: Final = r"(?:remember|store|keep|save|retain|record|memori[sz]e|know|hold on to|have|use)"
_GONE: Final = r"(?:deleted|erased|removed|forgotten|wiped|purged|gone)"
_KEPT: Final = r"(?:stored|saved|remembered|kept|recorded|retained|known|on file|on record)"
_FROM_MEMORY: Final = (
    r" (?:from|off|out of) (?:your |the |my |our )?(?:memory|memories|records?|files?|notes?|database|head|mind|"
    r"system|logs?|profile)"
)
_PERSONAL: Final = (
    r"(?:address|birthday|birth ?date|date of birth|age|name|surname|nickname|(?:phone |mobile )?number|phone|"
    r"e-?mail address|location|"
    r"whereabouts|job|employer|salary|income|debts?|savings|finances|health|illness(?:es)?|diagnos[ie]s|"
    r"conditions?|medications?|"
    r"allerg(?:y|ies)|diet|weight|height|religion|faith|politics|sexuality|orientation|pronouns|family|kids|"
    r"children|ex|"
    r"relationships?|school|preferences?|details|data|info|information|history|therapist|doctor|divorce|"
    r"pregnancy|nationality|hometown)"
)
_ABOUT: Final = r"(?P<about>[^,.;!?\n]{1,200}?)"
_MINE: Final = rf"(?P<about>(?:all (?:of )?)?(?:my|our|[a-z]+'s) (?:[\w'-]+ ){{0,2}}?{_PERSONAL})"
_OURS: Final = r"(?P<about>(?:my|our|me|us|where|who|how|that (?:i|we|my)|the fact that|[a-z]+'s)\b[^,.;!?\n]{0,160}?)"
_NOTES: Final = (
    r"(?:(?:the|that|this|those|any|every|all)(?: of the)? )?(?:[\w-]+ )?(?:bits?|parts?|notes?|info|information|"
    r"data|details?|entr(?:y|ies)|"
    r"records?|facts?|stuff|things?|remarks?|mentions?)"
)
_CLOSE: Final = (
    r"(?: (?:right )?(?:now|please|pls|completely|entirely|for good|forever|at once|immediately|again|too|as "
    r"well|any ?more|after all)"
    r"|, (?:please|thanks|thank you|ok|okay))*"
    r"(?:[,;] ?(?:it|that|this|they|i|we|you|he|she|he's|she's|it's|that's|i'm|i've|i'd|we're|they're|because|"
    r"since|don't|there's)\b[^\n]*)?"
    r"\s*[.!?]*$"
)
POLITE: Final = re.compile(
    r"(?:appreciate|like|love|prefer|grateful|happy|glad|great|nice|good|best|better|lovely|helpful|kind)\b[\w "
    r"]{0,12}\bif you\b"
)
"""An if that only asks kindly."""
TOLD: Final = tuple(
    re.compile(body + _CLOSE)
    for body in (
        (
            rf"{_LEAD}{_FORGET_IT} (?:about )?(?:that |the fact that )?(?:i|we)(?:'ve| have| had)?(?: just| ever)? "
            r"(?:mentioned|said|told you|shared)"
            rf"(?: anything| something)?(?: to you)?(?: about)? (?!that\b|so\b|it\b){_ABOUT}"
        ),
        (
            rf"{_LEAD}{_FORGET_IT} (?:about )?(?:everything |anything |all )?(?:of )?(?:what(?:ever)?|that) (?:i|"
            r"we)(?:'ve| have| had)?(?: just| ever)? "
            rf"(?:told you|said|mentioned|shared)(?: [\w-]+){{0,2}}? about {_ABOUT}"
        ),
    )
)
"""They come before all others: what was told is what follows "about"."""
FORGET: Final = tuple(
    re.compile(body + _CLOSE)
    for body in (
        # forget ..., delete my ..., delete the note about my ...
        rf"{_LEAD}{_FORGET_IT} (?:about )?{_OURS}",
        rf"{_LEAD}(?:{_FORGET_IT}|{_DELETE}) (?:about )?{_NOTES} (?:about|on|of|regarding|concerning|with) {_OURS}",
        rf"{_LEAD}{_DELETE} the fact that {_ABOUT}",
        rf"{_LEAD}{_DELETE} {_MINE}",
        (
            rf"{_LEAD}(?:{_DELETE}|take|strike|scratch|cut|drop|get|clear) (?P<about>(?:my|our|that|the|all|any|"
            r"everything|anything|every|this|me|"
            rf"[a-z]+(?:'s)?)\b[^,.;!?\n]{{0,120}}?)(?:{_FROM_MEMORY}| off file)"
        ),
        # it should be gone
        (
            rf"{_SMALL}(?:i|we)(?:'d like| would like| want| need) (?P<about>(?:all (?:of )?)?(?:my|our) "
            rf"[^,.;!?\n]{{1,60}}?)(?: to be)? {_GONE}"
        ),
        (
            rf"{_LEAD}(?P<about>(?:all )?(?:my|our) (?:[\w'-]+ ){{0,2}}?{_PERSONAL})(?: should| must| has to| have "
            rf"to| needs to| need to| ought to) be {_GONE}"
        ),
        (
            rf"{_SMALL}(?:please )?(?:make sure|see to it|ensure) (?:that )?(?P<about>(?:all )?(?:my|our) (?:[\w'-]+ "
            rf"){{0,2}}?{_PERSONAL}) (?:is|are|gets?|be) {_GONE}"
        ),
        (
            rf"{_SMALL}(?:what(?:ever)?|everything|anything|all) (?:that )?you (?:know|have|saved|stored|remember|"
            rf"noted)(?: about| on)? {_ABOUT} "
            rf"(?:should|must|has to|needs to|ought to|can) be {_GONE}"
        ),
        (
            rf"{_SMALL}(?:you have |you've got |you know )?{_MINE}(?: (?:is|are|on|has|"
            rf"turned)\b[^,.;!?\n]{{0,40}}?)?[,;] ?(?:so |and |please |just |"
            rf"now )*(?:delete|erase|remove|forget|wipe) (?:it|them|that)"
        ),
        # it shouldn't be kept
        (
            rf"{_SMALL}(?:i|we) (?:don't|do not|dont|no longer|never) want(?:ed)? you to {_KEEP}(?: anything| any "
            rf"\w+)?(?: about| of| on)? {_OURS}"
        ),
        (
            rf"{_SMALL}(?:i|we)(?:'d| would) (?:rather|prefer)(?: it)?(?: if| that)? you (?:didn't|did not|don't|do "
            rf"not|wouldn't|would not) {_KEEP}"
            rf"(?: anything| any \w+)?(?: about| of| on)? {_OURS}"
        ),
        rf"{_SMALL}(?:i|we) (?:don't|do not|dont) want {_MINE}(?: to be)? {_KEPT}",
        (
            rf"{_SMALL}{_MINE} (?:is|are) (?:private|personal|off limits|nobody's business|none of your "
            r"business)[,;] ?(?:so |and |please |just )*"
            r"(?:don't|do not|dont) (?:store|keep|save|record|remember|retain) (?:it|them|that|anything(?: about "
            r"(?:it|that|them))?)"
        ),
        (
            rf"{_LEAD}(?:don't|do not|dont|never|not)(?: ever)? (?:keep|save|store|record|retain|hold)(?: on to)?(?: "
            r"any| a| the)? "
            r"(?:records?|notes?|traces?|copy|copies|details?|info|information|anything)(?: of| about| on| "
            rf"regarding) {_OURS}"
        ),
        rf"{_LEAD}(?:don't|do not|dont|never)(?: ever)? (?:store|save|record|retain|memori[sz]e) {_MINE}",
    )
)  # fmt: skip
"""With a group ``about`` where they say what."""
FORGET_HERE: Final = tuple(
    re.compile(body + _CLOSE)
    for body in (
        (
            rf"{_LEAD}(?:{_FORGET_IT}|{_DELETE}|clear|drop)(?: about)? (?:all of |all )?(?:this|our|the)(?: whole| "
            r"entire)? (?:conversation|chat|session|thread)"
            r"(?: history)?"
        ),
        (
            rf"{_LEAD}(?:don't|do not|dont|never) {_KEEP} (?:anything|any of this|a word)(?: from| in| of)? this "
            r"(?:conversation|chat|session|thread)"
        ),
    )
)
FORGET_ALL: Final = re.compile(
    rf"{_SMALL}(?:(?:i|we) (?:want|would like|wish) to be forgotten|{_ASKED}{_FORGET_IT}(?: about)? me(?: "
    rf"altogether| entirely)?){_CLOSE}"
)
ALL_DATA: Final = re.compile(
    r"(?:all )?(?:of )?(?:my|our) (?:(?:personal|private|own|user|stored|saved) )*(?:data|info|information|"
    r"details|profile)"
)
"""What names everything that is stored, as a topic."""
_JEST: Final = (
    r"(?:(?:that was (?:just |only )?a joke|i(?:'m| was|'m just|'m only) (?:just |only )?(?:joking|kidding)|"
    r"(?:just|only) (?:joking|kidding)|"
    r"(?:oops |sorry )?wrong (?:chat|window|person|tab|thread)|my mistake|i didn't mean (?:that|it)|no no)[,;:. -]+)?"
)
_THAT: Final = (
    r"(?P<about>that|this|it|my (?:last|previous|earlier) (?:message|remark|point|sentence|request|answer|"
    r"comment|note)|the (?:last|previous) "
    r"(?:thing|bit|part|message|one|sentence)(?: i (?:said|told you|wrote))?|what i (?:just )?(?:said|wrote|told "
    r"you)(?: about [^,.;!?\n]{1,60}?)?)"
)
_END: Final = r"(?: please| pls| again| though)?(?:\s*[,.;!?]|\s+-|$| and | but )"
TAKE_BACK: Final = tuple(
    re.compile(body)
    for body in (
        (
            rf"{_SMALL}{_JEST}(?:i(?:'d| would) like to |let me |let's |can (?:we|you) |i |please )*(?:retract|"
            r"withdraw|take back|undo|scratch|skip|"
            rf"ignore|disregard) {_THAT}{_END}"
        ),
        (
            rf"{_SMALL}(?:i(?:'d| would) like to |let me |i |please )*(?:retract|withdraw|take back) (?P<about>what "
            rf"i [^,.;!?\n]{{1,80}}?){_END}"
        ),
        (
            rf"{_SMALL}{_JEST}(?:don't|do not|dont) (?:note|save|keep|record|jot|write|put|log) (?:down "
            r")?(?P<about>that|this|it)(?: down| in)?"
            r"(?: after all| please| anywhere| either)*\s*[.!]*$"
        ),
        (
            rf"{_SMALL}(?:(?:there(?:'s| is) )?no need to|you (?:don't|do not|needn't)(?: need| have)?(?: to)?) "
            r"(?:remember|note|save|store|keep|record|write) "
            r"(?P<about>that|this|it)(?: down)?\s*[.!]*$"
        ),
        (
            rf"{_SMALL}(?:don't|do not|dont) remember (?P<about>(?:that|the|this) last (?:bit|part|thing|message)|"
            r"what i just (?:said|told you|wrote))\s*[.!]*$"
        ),
        rf"{_SMALL}leave (?P<about>that|this|it) out(?: please)?(?: again)?\s*[.!]*$",
        rf"{_SMALL}i was (?:just |only )(?:joking|kidding) about (?P<about>[^,.;!?\n]{{1,80}}?)\s*[.!]*$",
        r"(?:^|[,;] ?)(?:please )?disregard(?P<about>)\s*[.!]*$",
    )
)
PRIVATE: Final = re.compile(
    r"^(?:(?:just|strictly|only|please|ok|and|but) )*(?:off the record|between (?:us|you and me|ourselves)|(?:do "
    r"not|not) (?:store|save|remember|"
    r"note|record|keep|write down) (?:this|that|the following))\b ?(?:,? (?:please|only|though))* ?[:,.-]"
)
"""What somebody tells without wanting it kept: "off the record: ..."."""
TRIGGERS: Final = frozenset(
    "forgetting forgot forgotten unremember deleting erasing removing wiping purged purging rid scrub undone "
    "retract withdraw skip "
    "save keep note record file records disregard kidding joking log write jot private stored kept know".split()
)
