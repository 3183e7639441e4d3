"""What a new claim does to an old one, from what both say (R21, R24).

=================  =====================================================================  ============
rule               when                                                                   kind
=================  =====================================================================  ============
``same_words``     the same words in another spelling                                     SAME
``replaced``       the new one says that the old one's answer was left or switched from   CONTRADICTS
``other_answer``   one question with one answer, and another answer                       CONTRADICTS
``opposite``       one question, and the opposite stance or polarity                      CONTRADICTS
``same_answer``    one question and the same answer, nothing else said                    SAME
``more_detail``    all of the old one, and more                                           REFINES
``less_detail``    all of it is in the old one, and more                                  COARSER
``other_detail``   one question and the same answer, with other details on both sides     UNRELATED
``unread``         one of them can't be read safely                                       UNRELATED
``other_question`` nothing of the above                                                   UNRELATED
=================  =====================================================================  ============

Similarity plays no part. Numbers, dates, identifiers, names and polarity are compared as what they are: a claim is only the
same, or a refinement, when all of them are found again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from stead.resolve.text.conjoined import statements
from stead.resolve.text.detail import Relation, between
from stead.resolve.text.frame import Finding, Frame, Kind
from stead.resolve.text.phrase import phrase
from stead.resolve.text.reading import Reading, read_fully
from stead.resolve.text.structure import contained, denies, remainder
from stead.resolve.text.values import canonical

_REASONS: Final = {
    "same_words": "they say the same in another spelling",
    "replaced": "the new claim says that what the old one says was left behind",
    "other_answer": "both answer one question that has one answer, and the answers differ",
    "opposite": "both speak of the same, and one denies what the other says",
    "same_answer": "both give the same answer to the same question",
    "more_detail": "the new claim says all that the old one says, and more",
    "less_detail": "the old claim already says all that the new one says, and more",
    "other_detail": "both give the same answer, each with details of its own",
    "unread": "a claim can't be read safely, so nothing is taken away",
    "other_question": "both can be true",
}
_KINDS: Final = {
    "same_words": Kind.SAME,
    "replaced": Kind.CONTRADICTS,
    "other_answer": Kind.CONTRADICTS,
    "opposite": Kind.CONTRADICTS,
    "same_answer": Kind.SAME,
    "more_detail": Kind.REFINES,
    "less_detail": Kind.COARSER,
}
_LEFT: Final = frozenset({"leave", "quit", "resign", "sell", "drop", "replace", "retire"})
_SWITCHED: Final = frozenset({"switch", "move", "change", "migrate", "go", "rewrite", "port", "convert"})
_REPLACED: Final = frozenset({"replace", "switch", "move", "migrate", "rewrite", "port", "convert"})


def compare(old: str, new: str) -> Finding:
    """Say what a new claim does to an old one, both of one speaker about one subject (R21, R24).

    Parameters
    ----------
    old
        The claim that is there.
    new
        The claim that arrives.

    Returns
    -------
    Finding
        When unsure, UNRELATED: then both stay.

    >>> compare("Works at Acme", "Works at Apex").kind.value, compare("Likes tea", "Likes coffee").kind.value
    ('contradicts', 'unrelated')
    """
    rule = _rule(old, new)
    return Finding(kind=_KINDS.get(rule, Kind.UNRELATED), rule=rule, reason=_REASONS[rule])


def _rule(old: str, new: str) -> str:
    if canonical(old) == canonical(new) and canonical(old):
        return "same_words"
    before, after = read_fully(old), read_fully(new)
    if before is None or after is None:
        return _by_part(old, new, before, after)
    if _left_behind(before, after):
        return "replaced"
    met = [(one, two, _between(one, two)) for one in before.frames for two in after.frames if one.key == two.key]
    for one, _, relation in met:
        if relation is Relation.OTHER:
            return "other_answer" if one.single else "opposite"
    if denies(before, after):
        return "opposite"
    within = _within(before, after)
    if within:
        return within
    met += [(one, two, relation) for one, two, relation in _wider(before, after)]
    return _bounded(before, after, _detail(before, after, met) or contained(before, after)) or "other_question"


def _by_part(old: str, new: str, before: Reading | None, after: Reading | None) -> str:
    """Compare a claim of two statements part by part.

    A part of the new claim may contradict the old one. Of an old claim of two statements only a part that says all of the new one
    counts: to take the whole of it away would take its other part, too.
    """
    if before is not None:
        rules = [_rule(old, part) for part in statements(new)]
        taken = next((rule for rule in rules if _KINDS.get(rule) is Kind.CONTRADICTS), "")
        said = any(_KINDS.get(rule) in (Kind.SAME, Kind.REFINES) for rule in rules)
        return taken or ("more_detail" if said else "unread")
    if after is not None:
        kinds = [_KINDS.get(_rule(part, new)) for part in statements(old)]
        return "less_detail" if any(kind in (Kind.SAME, Kind.COARSER) for kind in kinds) else "unread"
    return "unread"


def _wider(before: Reading, after: Reading) -> Iterator[tuple[Frame, Frame, Relation]]:
    """Pair answers to one question where only one claim limits it: "at 9" and "at 9 on weekdays"."""
    for one in before.frames:
        for two in after.frames:
            if one.single and two.single and (one.entity, one.relation) == (two.entity, two.relation):
                relation = _between(one, two)
                if (not one.object and two.object and relation in (Relation.SAME, Relation.REFINES)) or (
                    one.object and not two.object and relation in (Relation.SAME, Relation.COARSER)
                ):
                    yield replace(one, object=""), replace(two, object=""), relation


def _within(before: Reading, after: Reading) -> str:
    """Find a place that one claim names with its country, and the other by the country alone."""
    for first, second, rule in ((before, after, "less_detail"), (after, before, "more_detail")):
        said = {phrase(part.tokens) for part in first.segments if not part.preposition}
        for one in first.frames:
            for two in second.frames:
                wide = (
                    two.single
                    and one.single
                    and two.relation == f"{one.relation} (country)"
                    and one.entity == two.entity
                )
                if wide and two.value in said:
                    return rule
    return ""


def _bounded(before: Reading, after: Reading, rule: str) -> str:
    """Count "since March" as a detail."""
    if before.bound == after.bound or rule not in ("same_answer", "more_detail", "less_detail"):
        return rule
    if not before.bound:
        return "more_detail" if rule != "less_detail" else "other_detail"
    if not after.bound:
        return "less_detail" if rule != "more_detail" else "other_detail"
    return "other_detail"


def _between(one: Frame, two: Frame) -> Relation:
    if one.value == two.value:
        return Relation.SAME
    return between(one.value, two.value) if one.single and two.single else _opposite(one.value, two.value)


def _opposite(one: str, two: str) -> Relation:
    """Compare two stances; "not hot" leaves open whether it is cold or warm."""
    if one.startswith("not ") and two.startswith("not "):
        return Relation.UNCLEAR
    if one.startswith("not ") or two.startswith("not "):
        return Relation.OTHER if one.removeprefix("not ") == two.removeprefix("not ") else Relation.UNCLEAR
    return Relation.OTHER


def _detail(before: Reading, after: Reading, met: list[tuple[Frame, Frame, Relation]]) -> str:
    """Tell how much each says beyond the question that both answer alike."""
    for one, two, relation in met:
        if relation is Relation.UNCLEAR:
            continue
        rest, more = remainder(before, one), remainder(after, two)
        less_or_equal, more_or_equal = more <= rest, rest <= more
        if less_or_equal and more_or_equal:
            return {Relation.SAME: "same_answer", Relation.REFINES: "more_detail", Relation.COARSER: "less_detail"}[
                relation
            ]
        if more_or_equal and relation is not Relation.COARSER:
            return "more_detail"
        if less_or_equal and relation is not Relation.REFINES:
            return "less_detail"
    return "other_detail" if any(one.single and relation is Relation.SAME for one, _, relation in met) else ""


def _left_behind(before: Reading, after: Reading) -> bool:
    """Find "left Acme", "switched from Emacs to Vim" about what the old claim says holds."""
    clause = after.clause
    mine = set(_who(after).split()) <= set(_who(before).split())
    named = clause.verb in _REPLACED and _names(before, after)
    if clause.negated or clause.ended or not (mine or named):
        return False
    gone = set()
    for part in after.segments:
        first = part is after.segments[0]
        if (clause.verb in _SWITCHED and part.preposition == "from") or (
            clause.verb in _LEFT and first and part.preposition in ("", "from")
        ):
            gone.add(canonical(" ".join(token.raw for token in part.tokens)))
    if not gone:
        return False
    if named:
        return bool(gone & {frame.value for frame in before.frames if frame.single})
    holds = {frame.value for frame in before.frames if frame.single}
    holds |= {frame.object for frame in before.frames if not frame.single and frame.value in ("yes", "likes")}
    return before.clause.verb in (
        "work",
        "live",
        "study",
        "use",
        "be",
        "attend",
        "own",
        "have",
        "drive",
        "employ",
        "run",
        "stay",
        "play",
        "attend",
    ) and bool(gone & holds)


def _names(before: Reading, after: Reading) -> bool:
    """Tell whether "replaced X with Y as the message queue" names what the old claim is about."""
    said = {word for part in after.segments for word in phrase(part.tokens).split()}
    return set(_who(before).split()) <= said


def _who(reading: Reading) -> str:
    return reading.subject.plain or reading.subject.entity
