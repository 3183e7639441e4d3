"""How the clauses of a sentence are meant: stated, supposed, asked, or told of somebody else."""

from __future__ import annotations

from typing import Final

from stead.extract.rules.clause import AUX, BACKGROUND, IF, PRONOUNS, TASKS, WH, Clause
from stead.extract.rules.lexicon import OPENERS
from stead.extract.rules.text import Sentence, Words

_SAYING: Final = frozenset(
    "say says said saying tell tells told claim claims claimed think thinks thought believe believes believed "
    "mention mentions mentioned reckon reckons insist insists insisted write writes wrote swear swears joke jokes "
    "joked complain complains complained quote ask asks asked text texted posted announced wonder wonders "
    "wondered guess suspect assume assumes assumed reads according suggest suggests suggested".split()
)
_WHENCE: Final = frozenset("when whenever since before as after because".split())
"""With "you" they tell why something is told: "since you asked"."""
_HELD: Final = frozenset("think thought believe guess suspect assume suppose reckon".split())
_WISHING: Final = frozenset(
    "wish hope imagine dream dreamed dreaming pretend pretending wonder wondering hoping wishing suppose doubt "
    "doubted".split()
)
_UNREAL: Final = frozenset(
    (
        ("had", "i"), ("were", "i"), ("should", "i"), ("had", "we"), ("were", "we"), ("in", "another", "life"),
        ("in", "my", "dreams"), ("in", "a", "perfect"), ("in", "an", "ideal"), ("one", "day", "i"), ("some", "day", "i"),
        ("as", "though"), ("as", "if"), ("as", "long", "as"), ("so", "long", "as"), ("for", "argument", "'s"),
        ("on", "the", "off"), ("on", "the", "condition"), ("in", "case", "i"), ("in", "case", "my"),
    )
)  # fmt: skip
_DOUBT: Final = frozenset("maybe perhaps probably possibly apparently hypothetically".split())
_HEARSAY: Final = frozenset("supposedly allegedly reportedly".split())
_ASKS_NOT: Final = frozenset("possible needed necessary required any applicable not so helps matters relevant".split())
_BIDS: Final = frozenset("do never always".split())
_BASES: Final = frozenset("suggest write mention ask tell".split())
_SPEAKS: Final = frozenset("goes went like says said claims reads asks writes wrote goes,".split())
_LABELS: Final = frozenset("example e.g title headline caption subject quote lyrics sample template sentence".split())
_OWN: Final = frozenset("i we".split())


def mark_meant(words: Words, found: list[Clause], sentence: Sentence) -> None:
    """Give each clause of a sentence the traits of how it is meant."""
    _mark_hypotheses(words, found)
    _mark_reports(words, found)
    if "?" in sentence.mark and _tagged(words, sentence):
        for clause in found:
            clause.traits.add("question")
    else:
        _mark_questions(words, found, sentence)


def _mark_hypotheses(words: Words, found: list[Clause]) -> None:  # noqa: PLR0912 - one branch per way to suppose
    low = words.low
    for index, clause in enumerate(found):
        span = range(clause.first, clause.last)
        if not _HEARSAY.isdisjoint(low[max(clause.first - 1, 0) : clause.last]):
            clause.traits.add("quote")
        if any(low[at] in _DOUBT for at in range(max(clause.first - 1, 0), clause.last)):
            clause.traits.add("uncertain")
        first = [low[at] for at in span if low[at] not in OPENERS][:4]
        opening = set(first)
        if clause.lead in IF or opening & IF or any(low[at] == "if" for at in span):
            rest = [low[at] for at in span if low[at] not in ("if", "that's", "'s")]
            if len(rest) <= 4 and any(word in _ASKS_NOT for word in rest) and "i" not in rest:
                continue
            clause.traits.add("hypothetical")
            if _in_case(rest):
                continue
            if index + 1 < len(found) and found[index + 1].lead in ("", "then", "and"):
                found[index + 1].traits.add("hypothetical")
            if index and clause.lead in IF and clause.lead != "unless" and not _even(low, clause.first):
                found[index - 1].traits.add("hypothetical")
        start = low[clause.first - (low[clause.first - 1] == "as" and clause.first > 0) :][:3]
        if not _UNREAL.isdisjoint((tuple(first[:2]), tuple(first[:3]), tuple(start), tuple(start[:2]))):
            for later in found[index : index + 3]:
                later.traits.add("hypothetical")
        if (
            opening & _WISHING
            or opening == {"let", "'s", "say"}
            or first[:3] == ["let", "'s", "say"]
            or first[:2] == ["what", "if"]
        ):
            clause.traits.add("hypothetical")
            for later in found[index + 1 : index + 3]:
                later.traits.add("hypothetical")
        if _untrue(low[clause.first : clause.last]) and index + 1 < len(found):
            found[index + 1].traits.add("hypothetical")
        if clause.lead in BACKGROUND:
            clause.traits.add("aside")


def _even(low: list[str], at: int) -> bool:
    """Tell whether "even if" leads in a clause: what goes before holds all the same."""
    return "even" in low[max(at - 2, 0) : at + 1]


def _untrue(said: list[str]) -> bool:
    """Tell whether words deny what follows them: "it's not that I hate coffee", "it is not true that I work there"."""
    tail = said[said.index("not") + 1 :] if "not" in said[:4] else None
    return tail is not None and len(tail) < 5 and (not tail or tail[-1] in _TRUE) and said[0] in _IT


_TRUE: Final = frozenset("true case that correct right like as because saying said mean".split())
_IT: Final = frozenset("it that not 's".split())


def _in_case(rest: list[str]) -> bool:
    """Tell whether an if only says what for something is told: "if you need it for the form", "if that helps"."""
    return len(rest) > 1 and rest[1] in _CASES.get(rest[0], ())


_CASES: Final = {
    "you": frozenset("need want wonder ask must".split()),
    **dict.fromkeys(("that", "it", "this"), frozenset("helps matters".split())),
    **dict.fromkeys(
        ("anything", "something", "anyone", "someone"), frozenset("comes happens asks changes needs wants".split())
    ),
}


def _mark_reports(words: Words, found: list[Clause]) -> None:  # noqa: PLR0912 - one branch per way to report
    """Mark what others say and what is only thought, and the words of a task ("Translate: ...")."""
    low = words.low
    for index, clause in enumerate(found):
        said = [low[at] for at in range(clause.first, clause.last)]
        saying = [at for at, word in enumerate(said) if word in _SAYING]
        opening = [word for word in said if word not in OPENERS][:2]
        if (
            clause.last < len(low)
            and low[clause.last] == ":"
            and (said[-1] in _SPEAKS or (len(said) <= 2 and said[-1] in _LABELS))
        ):
            for one in found[index + 1 :]:
                one.traits.add("quote")
        if opening and opening[0] in _PASSED_ON and _by_own(low, found, index) and "me" not in said[:3]:
            for one in found[index + 1 :]:
                one.traits.add("quote")
            continue
        if said[-1] == "like" and not _SPOKE.isdisjoint(said):
            for one in found[index + 1 :][:1]:
                one.traits.add("quote")
        if opening and opening[0] in TASKS:
            for task in found[index + 1 :]:
                task.traits.add("quote")
        if (not saying or saying[-1] < len(said) - 5) and "according" not in said:
            continue
        if opening and (opening[0] in _BIDS or (opening[0] == said[saying[-1]] and opening[0] in _BASES)):
            continue
        doubted = "not" in said[: saying[-1]] if saying else False
        if saying and _to_others(said, saying[-1]):
            for one in later_of(found, index):
                one.traits.add("quote")
            continue
        own = not _OWN.isdisjoint(said[:1] + opening) or (
            "you" in said[:3] and (clause.lead in _WHENCE or said[0] in _WHENCE)
        )
        later = later_of(found, index)
        if not own and said[saying[-1]] in _HELD if saying else False:
            later = later[
                : next((at for at, one in enumerate(later) if one.lead == "but" and low[one.first] in _OURS), 3)
            ]
        if own and any(one.lead == "but" for one in later):
            before = next(at for at, one in enumerate(later) if one.lead == "but")
            for one in later[:before]:
                one.traits.add("quote")
        if own and doubted:
            for clause_after in later[:1]:
                clause_after.traits.add("hypothetical")
        elif own and saying and said[saying[-1]] in _HELD:
            for clause_after in later[:1]:
                clause_after.traits.add("uncertain")
        elif not own:
            for clause_after in later:
                clause_after.traits.add("quote")
            clause.traits.add("quote")
            clause.said = clause.first + saying[-1] if saying else 0
            if index and said[-1] in _SAYING and len(said) <= 4 and low[clause.first - 1] == ",":
                found[index - 1].traits.add("quote")


def later_of(found: list[Clause], index: int) -> list[Clause]:
    """Return the clauses that may go on with what a clause reports."""
    return found[index + 1 :][:3]


def _by_own(low: list[str], found: list[Clause], index: int) -> bool:
    """Tell whether the next clause speaks of the speaker: "tell them I'm a vegan"."""
    following = found[index + 1 : index + 2]
    return any(low[at] in _OURS for one in following for at in range(one.first, min(one.first + 2, one.last)))


def _to_others(said: list[str], saying: int) -> bool:
    """Tell whether the speaker said it to somebody else, or untruly: "I told them I'm a doctor", "I lied and said I'm vegan"."""
    whom = said[saying + 1 : saying + 2]
    told = said[saying] in ("tell", "told", "telling") and whom and whom[0] not in _OWN | {"you"}
    return told or not _UNTRUE.isdisjoint(said)


_OURS: Final = frozenset("i we my our".split())
_UNTRUE: Final = frozenset("lied lying pretended joked joking".split())
_PASSED_ON: Final = frozenset("tell mention say add reply answer state claim respond put sign".split())
"""What is to be passed on is said in another place, maybe in another's name."""
_SPOKE: Final = frozenset("was were is am 's".split())


def _mark_questions(words: Words, found: list[Clause], sentence: Sentence) -> None:
    if "?" not in sentence.mark or not found:
        low = [low for low in words.low[sentence.first : sentence.last] if low not in OPENERS or low in WH][:3]
        if found and len(low) > 2 and low[0] in WH and low[1] in AUX and low[2] in PRONOUNS:
            for clause in found:
                clause.traits.add("question")
        return
    asked = False
    for clause in found:
        at = clause.first
        while at < clause.last and words.low[at] in OPENERS and words.low[at] not in WH:
            at += 1
        word = words.low[at] if at < clause.last else ""
        asks = word in WH or word in AUX or clause.lead in WH | {"whether"}
        if asks or asked:
            clause.traits.add("question")
            asked = True
    if not asked and len(found) > 1 and found[-1].lead == "so":
        found[-1].traits.add("question")
    elif not asked:
        tail = next((at for at in range(sentence.first + 4, sentence.last) if _asks_more(words, at, sentence.last)), 0)
        for clause in found:
            if tail > clause.first:
                clause.last = min(clause.last, tail - 1)
            else:
                clause.traits.add("question")
    elif "question" not in found[-1].traits:
        found[-1].traits.add("question")


def _tagged(words: Words, sentence: Sentence) -> bool:
    """Tell whether a statement only asks whether it is so: "I live in Bonn, don't I?", "my plan is the basic one, right?"."""
    low = [low for low in words.low[sentence.first : sentence.last] if low != "?"]
    comma = len(low) - 1 - low[::-1].index(",") if "," in low else 0
    tag = tuple(low[comma + 1 :])
    if not comma or not tag:
        return False
    return (len(tag) == 1 and tag[0] in _SO) or (
        1 < len(tag) < 4 and tag[0] in AUX | {"'s"} and tag[-1] in PRONOUNS and (len(tag) == 2 or tag[1] == "not")
    )


_SO: Final = frozenset("right correct no yes true huh eh innit".split())


def _asks_more(words: Words, at: int, last: int) -> bool:
    """Tell whether what asks without a verb begins at a word: "..., any ideas?", "..., dinner ideas?"."""
    if words.low[at - 1] != ",":
        return False
    rest = [low for low in words.low[at:last] if low != "?"]
    return words.low[at] in _TAILS or (len(rest) < 4 and bool(rest) and rest[-1] in _TAILS)


_TAILS: Final = frozenset(
    "any anything anyone anybody thoughts ideas tips suggestions recommendations advice ok okay right options".split()
)
