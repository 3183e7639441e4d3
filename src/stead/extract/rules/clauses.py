"""A sentence as clauses: where each begins, what leads it in, and how it is meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from stead.extract.rules.clause import AUX, BACKGROUND, IF, PRONOUNS, WH, Clause
from stead.extract.rules.irony import ironic
from stead.extract.rules.lexicon import OPENERS
from stead.extract.rules.meant import mark_meant
from stead.extract.rules.text import Sentence, Words

_OWNERS: Final = frozenset("my our his her their your".split())
_SUBJECTS: Final = PRONOUNS | _OWNERS | frozenset("who that this".split())
_HARD: Final = frozenset("; : \u2014 \u2013 ( ) … - / *".split())
_LEADS: Final = frozenset(
    "and but so because cause cuz since although though while whereas when whenever if unless until once after "
    "before as or which who where yet plus then that whether what how why till".split()
)
_COORDINATE: Final = frozenset("and but so or".split())
_ASKS: Final = (AUX | {"'s"}) - frozenset("have has had am".split())
"""What begins a question after a statement: "I take metformin, does grapefruit matter?"."""
Verbs = Mapping[str, list[tuple[str, str]]]


def clauses(words: Words, sentence: Sentence, verbs: Verbs) -> list[Clause]:
    """Return the clauses of a sentence, each with the traits that its form gives it.

    Parameters
    ----------
    words, sentence
        What is read.
    verbs
        The forms of verbs that can go on after "and".
    """
    found = _split(words, sentence, verbs)
    mark_meant(words, found, sentence)
    if ironic(words, sentence):
        for clause in found:
            clause.traits.add("irony")
    return found


def _split(words: Words, sentence: Sentence, verbs: Verbs) -> list[Clause]:  # noqa: PLR0912 - one branch per sign
    low = words.low
    found: list[Clause] = []
    first, lead, relative = sentence.first, "", -1
    at = first
    while at < sentence.last:
        word = low[at]
        cut, following, new = -1, at + 1, ""
        subordinate = word == "," and low[first] in _SUBORDINATE and "," not in low[first:at]
        if word in _HARD or subordinate or not (word[0].isalnum() or word[0] in "'$€£+[\",.!?&#%@"):
            cut = at
        elif word in (",", "and", "but", "so", "or") or (word in _LEADS and at > first and low[at - 1] != "a"):
            new, following = _leads(words, at, sentence.last)
            if following and _begins(words, following, sentence.last, new, verbs):
                cut = at
        elif word in ("i", "we") and at > first and low[at - 1] not in OPENERS | _LEADS | _TURNED:
            cut, following = at, at
            relative = at if _relative(low, at, first) else relative
        if cut >= 0:
            if cut > first:
                found.append(Clause(first, cut, lead))
            first, lead = following, new
            at = max(following, at + 1)
            if cut == following:
                at = cut + 1
        else:
            at += 1
    if first < sentence.last:
        found.append(Clause(first, sentence.last, lead))
    for clause in found:
        if clause.first == relative:
            clause.traits.add("aside")
        while clause.last > clause.first and low[clause.last - 1] in ".!?,…":
            clause.last -= 1
        at = clause.first
        while at < clause.last and low[at] in OPENERS:
            at += 1
        if not clause.lead and at < clause.last and low[at] in IF | {"when", "whenever", "while", "since", "once"}:
            clause.lead = low[at]
    return [clause for clause in found if clause.last > clause.first]


_TURNED: Final = frozenset("had were should".split())
"""Before "I" they turn a clause into an if: "had I been born there"."""
_SUBORDINATE: Final = frozenset("when whenever if while once after before".split())


def _relative(low: list[str], at: int, first: int) -> bool:
    """Tell whether "I" begins a relative clause: "the things I love"."""
    for index in range(at - 1, max(first, at - 4) - 1, -1):
        if low[index] in _HEADS:
            return index == first or low[index - 1] not in _PLACING
    return False


_HEADS: Final = frozenset("the things everything all something anything much what those".split())
_PLACING: Final = frozenset("on in at for during by of from until since with over".split())


def _leads(words: Words, at: int, last: int) -> tuple[str, int]:
    """Return the word that leads in what may be a new clause, and where that begins; 0 when the clause ends first."""
    lead = ""
    last = min(last, at + 7)
    while at < last and (
        words.low[at] in _LEADS
        or words.low[at] in (",", "also", "now", "then", "please", "yes", "well", "actually")
        or words.low[at : at + 2] == ["no", ","]
    ):
        if words.low[at] in _LEADS and (not lead or words.low[at] in IF or words.low[at] in BACKGROUND):
            lead = words.low[at]
        at += 1
    return lead, at if at < last else 0


def _begins(words: Words, at: int, last: int, lead: str, verbs: Verbs) -> bool:  # noqa: PLR0912 - one branch per sign
    """Tell whether a clause begins at a word."""
    low = words.low
    word = low[at]
    if word == "you" and lead in ("before", "after", "until"):
        return False
    if word in ("i", "we", "he", "she", "they", "you", "it", "there", "my", "our", "his", "your"):
        return (
            word not in ("my", "our", "his", "your", "it", "you")
            or lead != ""
            or low[at - 1] == ","
            or _has_verb(words, at, last)
        )
    if lead and (
        word in ("everyone", "everybody") or (word == "the" and lead in _COORDINATE and _has_verb(words, at, last))
    ):
        return True
    if lead and word in ("neither", "none", "nobody"):
        return True
    if lead in IF or lead in ("when", "whenever", "because", "although", "which", "who", "where", "while", "unless"):
        return True
    if at + 1 < last and words.capital(at) and not word[0].isdigit() and low[at + 1] in AUX | {"'s"} and lead:
        return True
    if low[at - 1] == "," and word in AUX and at + 1 < last and low[at + 1] in PRONOUNS:
        return True
    if low[last - 1] == "?" and (lead or low[at - 1] == ",") and (word in _ASKS or lead in WH):
        return True
    if (
        not lead
        and low[at - 1] == ","
        and at + 1 < last
        and low[at + 1] in ("is", "are", "'s")
        and word not in _SUBJECTS
    ):
        return True
    if not lead and low[at - 1 : at + 1] == [",", "the"] and "'s" in low[at + 2 : min(at + 3, last)]:
        return True
    told = (
        word in _TOLD and low[at - 1] in (",", "please") and "," in low[at - 2 : at] and not lead and 1 < at < last - 1
    )
    if told and words.is_word(at + 1) and low[at - 2] not in _ASIDE:
        return True
    if low[at - 1] == "," and word in WH and word != "which":
        return True
    if low[at - 1] == "," and (
        low[at : at + 2] == ["do", "not"] or (word in ("never", "always") and at + 1 < last and words.is_word(at + 1))
    ):
        return True
    if word == "no" and (low[at - 1] == "," or lead in ("so", "and", "but")) and "please" in low[at - 2 : last]:
        return True
    if low[at - 1] == "," and not lead and words.capital(at) and _says_mine(low, at, last):
        return True
    if lead not in _COORDINATE or at + 1 >= last:
        return False
    if word in _NOUNS_TOO and low[at + 1 : at + 3] and at > 3 and _one_noun(low, at, word):
        return False
    if (
        word in _CARRIES
        or (word == "in" and low[at + 1] in ("general", "future"))
        or low[at : at + 2] == ["from", "now"]
    ):
        return True
    return any(which in ("base", "third") for _, which in verbs.get(word, ())) and words.is_word(at + 1)


def _says_mine(low: list[str], at: int, last: int) -> bool:
    """Tell whether a name and "is my" stand there: "Tana French is my favorite author"."""
    return any(
        low[place] in ("is", "are", "'s") and low[place + 1] == "my" for place in range(at + 1, min(last - 1, at + 4))
    )


def _one_noun(low: list[str], at: int, word: str) -> bool:
    """Tell whether a word after "and" is a noun beside another one: "I love the trust and love theme"."""
    before = low[max(at - 5, 0) : at]
    return word in before and low[at - 1] == "and" and before[before.index(word) + 1] in ("the", "this", "that", "your")


_NOUNS_TOO: Final = frozenset("love like hate work play study".split())
_TOLD: Final = frozenset(
    "recommend suggest tell find help explain write draft "
    "keep use please make answer reply send ask give show skip avoid stick call".split()
)
_ASIDE: Final = frozenset(
    "on future forward default rule reference general notice please ok okay yes no actually sorry now".split()
)
_CARRIES: Final = frozenset(
    "live work am have do don't love like hate prefer enjoy use drive speak play study own teach run eat drink "
    "would will never always please can't lives works has loves likes hates prefers enjoys uses drives speaks "
    "plays studies owns teaches runs eats drinks is remember forget moved joined started grew quit switched "
    "became retired studied adopted married adore dislike avoid "
    "avoids wear take takes keep go goes".split()
)


def _has_verb(words: Words, at: int, last: int) -> bool:
    near = words.low[at + 1 : min(last, at + 5)]
    near = near[: near.index(",")] if "," in near else near
    return "'s" in near or not AUX.isdisjoint(near)


def infinitive(words: Words, inflected: Mapping[str, Sequence[tuple[str, str]]], first: int, last: int) -> bool:
    """Tell whether what follows "and" may go on after "to" or "can" instead of after the subject."""
    low = words.low
    for at in range(first, last):
        if low[at] in _OPENING:
            return True
        base = at + 1 < last and any(which == "base" for _, which in inflected.get(low[at + 1], ()))
        if low[at] == "to" and base:
            return True
    return False


_OPENING: Final = frozenset("can could will would might may should must let".split())
