"""Where the finite verb of a statement stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from stead.resolve.text.lexicon import words
from stead.resolve.text.tokens import Token
from stead.resolve.text.verbs import BE, DO, HAVE, Form, form_of, verb_words

FREQUENT: Final = frozenset(
    "always often usually sometimes occasionally mostly mainly generally normally typically regularly".split()
)
"""Adverbs that may stand before the verb; they don't change the question."""
NEGATIONS: Final = frozenset({"not", "never", "hardly", "rarely", "seldom"})


def skip(tokens: Sequence[Token], place: int) -> int:
    """Pass what may stand before a verb: "no longer", "never", "still", "usually"."""
    while place < len(tokens) - 1:
        low = tokens[place].low
        if low == "no" and tokens[place + 1].low == "longer":
            place += 2
        elif low in NEGATIONS or low in words("soft") or low in FREQUENT or low == ",":
            place += 1
        else:
            break
    return place


def finite_at_start(tokens: Sequence[Token], start: int) -> bool:
    """Tell whether a claim without a subject begins here with its verb: "Works at Acme", "Married to Anna"."""
    low = tokens[start].low
    after = tokens[start + 1].low if start + 1 < len(tokens) else ""
    if low in ("is", "has", "does", "was", "had", "did", "can", "am"):
        return True
    form = form_of(low)
    if form is None or after in ("'s", "'"):
        return False
    if tokens[start].raw[:1].isupper() and form.base in verb_words("nounlike") and _is_named(tokens, start, form):
        return False
    later = {token.low for token in tokens[start + 1 :]}
    if after in ("are", "is", "were", "was", "have") and form is not None and not form.past:
        return False  # "Uploads are limited"
    follows = form_of(after)
    if form.third and follows is not None and follows.plain and follows.base not in verb_words("nounlike"):
        return False  # "Deploys happen on Tuesdays"
    if form.third:  # "Plans are ready": a noun, for another verb follows
        return form.base not in verb_words("nounlike") or not later & {"is", "are", "was", "were"}
    # a base form at the start is an order, a gerund a noun
    return (form.past or (form.participle and after in words("prepositions"))) and not later & (set(BE) | set(HAVE))


def _is_named(tokens: Sequence[Token], start: int, form: Form) -> bool:
    """Tell "Banks plays the cello", "Drew Field plays for Kelm", where a verb is somebody's name, from "Drew Mira"."""
    at = next((at for at in range(start + 1, len(tokens)) if not tokens[at].raw[:1].isupper()), len(tokens))
    verb = form_of(low_at(tokens, at))
    if verb is None or not verb.third:
        return False
    after = low_at(tokens, at + 1)
    certain = verb.base not in verb_words("nounlike") or after in words("determiners")
    return certain or (not form.third and after in words("prepositions"))


def main_verb(tokens: Sequence[Token]) -> int | None:
    """Find the finite verb of a claim with a subject."""
    auxiliary = next((at for at in range(1, len(tokens)) if _is_auxiliary(tokens, at)), None)
    contracted = next((at for at in range(1, len(tokens)) if tokens[at].low == "'s" and _is_for_is(tokens, at)), None)
    lexical = _lexical_verb(tokens)
    if auxiliary is None and lexical is None:
        return contracted
    if auxiliary is None or lexical is None:
        place = lexical if auxiliary is None else auxiliary
        return contracted if contracted is not None and place is not None and contracted < place else place
    if contracted is not None and contracted < min(auxiliary, lexical):
        return contracted
    if auxiliary < lexical:
        return auxiliary
    between = {token.low for token in tokens[lexical:auxiliary]}
    if between & (words("relative") | words("clause") | {"that", "and", ","}):
        return lexical
    form = form_of(tokens[lexical].low)
    certain = form is not None and form.third and form.base not in verb_words("nounlike")
    return lexical if certain else auxiliary


def _is_auxiliary(tokens: Sequence[Token], place: int) -> bool:
    low = tokens[place].low
    if low == "am":
        return tokens[place - 1].low == "i"  # elsewhere it is the morning
    if low in BE and low != "be":
        return True
    if low in ("can", "will"):
        return not tokens[place].raw[:1].isupper()
    return low in HAVE or low in DO


def _is_for_is(tokens: Sequence[Token], place: int) -> bool:
    """Tell "Tom's a doctor" from "Tom's doctor"."""
    if place + 1 >= len(tokens):
        return False
    before, after = tokens[place - 1].low, tokens[place + 1]
    if before in ("it", "he", "she", "that", "there", "what", "who"):
        return True
    if any(token.low in ("is", "was", "are", "were") for token in tokens[place + 2 :]):
        return False  # "Acme's founding year is 1988"
    form = form_of(after.low)
    gerund = form is not None and (
        form.gerund or (form.participle and low_at(tokens, place + 2) in words("prepositions"))
    )
    return after.low in words("determiners") | {"not", "allergic"} or after.low in ("in", "at", "from") or gerund


def _lexical_verb(tokens: Sequence[Token]) -> int | None:
    """Find the first full verb; one that is often a noun only where no other is found."""
    weak: int | None = None
    for place in range(1, len(tokens)):
        form = form_of(tokens[place].low)
        if form is None or not _can_be_finite(tokens, place, form):
            continue
        if form.base not in verb_words("nounlike") or form.past or _is_pronoun(tokens[place - 1].low):
            return place
        if weak is None or (form.plain and weak == place - 1):  # "the office plants need water"
            weak = place
    return weak


def _can_be_finite(tokens: Sequence[Token], place: int, form: Form) -> bool:
    at = place - 1
    while at > 0 and (
        tokens[at].low in FREQUENT
        or tokens[at].low.endswith("ally")
        or tokens[at].low in NEGATIONS
        or tokens[at].low in words("soft")
    ):
        at -= 1
    if tokens[at].low == "longer":
        at = max(0, at - 2)
    before = tokens[at].low
    if before in words("determiners") or before in words("prepositions") or before in ("'s", "'", "and", "or", "to"):
        return False
    verb = form_of(tokens[place - 1].low)
    if tokens[place].low == "back" and verb is not None and verb.third:
        return False  # "dates back to 1210"
    if tokens[place].raw[:1].isupper() and not tokens[place].raw.isupper():
        return False  # inside of a name: "Plays Ltd"
    if form.third or (form.past and not form.plain):
        return True
    if form.past and form.base not in verb_words("nounlike") and _has_object(tokens, place):
        return True  # "quit", "put", "set"
    return form.plain and form.base not in verb_words("seldom") and _is_plural(tokens[:place])


def _has_object(tokens: Sequence[Token], place: int) -> bool:
    return place + 1 < len(tokens) and (tokens[place + 1].is_name or tokens[place + 1].low in words("determiners"))


def _is_plural(subject: Sequence[Token]) -> bool:
    last = subject[-1].low
    if last in ("i", "you", "we", "they", "people", "children", "kids", "parents") or last in FREQUENT | NEGATIONS:
        return True
    if any(token.low == "and" for token in subject):
        return True
    return (
        last.endswith("s")
        and not last.endswith(("ss", "us", "is"))
        and last not in words("nouns_not_plural")
        and last != "'s"
    )


def _is_pronoun(low: str) -> bool:
    return low in ("i", "you", "we", "they", "he", "she", "it", "user")


def low_at(tokens: Sequence[Token], place: int) -> str:
    """Return the word at a place; "" beyond the ends."""
    return tokens[place].low if 0 <= place < len(tokens) else ""
