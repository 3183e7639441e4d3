"""Secrets that only the words beside them give away: "password is …", ``api_key=…``, a PIN, codes, seed phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from stead.policy.guards.checks import is_strong
from stead.policy.guards.cues import Cues
from stead.policy.guards.shapes import KEY_WORDS, LOGIN_WORDS, ORDINARY, PHRASE_WORDS

Hit = tuple[str, int, int]
"""Kind, start and end."""

_CUES = (
    "pass", "pwd", "pw", "wort", "contrasena", "clave", "senha", "passe", "key", "token", "secret", "cred", "schlussel",
    "geheimnis", "zugang", "acceso", "phrase", "frase",
)  # fmt: skip
_RECOVERY = ("cod", "key", "schlussel")
_SEED = ("seed", "phrase", "mnemonic", "words", "worter", "palabras")
_CREDENTIALS = ("cred", "log", "zugangs")
_DIGIT = re.compile(r"\d")
_QUOTED = r"(?:\"(?P<q1>[^\"\n]{3,200})\"|'(?P<q2>[^'\n]{3,200})'|`(?P<q3>[^`\n]{3,200})`)"
_IS = r"(?:is|was|are|=|:|ist|war|lautet|es|era|son|est|to|zu|auf|a)"
_FOR = r"(?:\s{1,3}(?:for|to|of|on|at|in|fur|von|zum|zur|para|del?|pour)(?:\s{1,3}[\w.'@&/-]{1,40}){1,5}?)?"
_ADVERB = (
    r"(?:(?:now|still|always|just|currently|simply|going to be|set to|changed to|jetzt|immer|ahora|siempre)\s{1,3})?"
)
_TRAILING = ".,;:)]}>\"'?"
_ENDS = re.compile(
    r"\s{0,3}(?:$|[.,;:!?)\n\"'-]|(?:and|but|so|for|please|now|btw|in case|ok|und|aber|y|pero|por favor|bitte)\b)"
)
_PLAIN_ENDING = re.compile(r"[a-z]{3,}(?:ed|ing|able|ible|ful|ly)\Z")
_REFERENCE = re.compile(
    r"<[\w -]{1,40}>?\Z|\$[{(]|\$[A-Z_]{2,}\Z|%[\w]{2,}%?\Z|\{\{|\*{3,}|\[|[A-Za-z_][A-Za-z_.]{1,60}[(\[](?:[\"')\]A-Za-z_]|\Z)"
    r"|(?i:(?:os|process|env|self|config|settings|secrets|vault)[.\[]|x{3,}\Z|\.{3}|_{3}|(?:your|insert|replace|enter|put)[ _-]"
    r"|(?:example|sample|dummy|placeholder)(?:[ _-](?:key|token|password|secret|api).{0,20})?\Z|\w{0,40}_here\Z)"
)
"""Where a secret is only pointed at: a variable, a call, a placeholder."""
_VARIABLE = re.compile(r"[a-z]{2,}(?:_[a-z]{2,})+\Z")
_BEFORE_A_NUMBER = re.compile(
    r"(?:order|tracking|invoice|reference|ref|case|ticket|serial|isbn|imei|bestell\w*"
    r"|pedido)\W{0,3}(?:\w{1,10}\W{1,3}){0,2}\Z"
)
_OWN_PIN = re.compile(
    r"(?:with|with the|my|his|her|our|card|phone|sim|bank|use|uses|enter|type|door) \Z", re.IGNORECASE
)
_ARTICLES = frozenset("a an the my your his her our their to in on of for is are too very not".split())
_SENTENCE = re.compile(r"[^.,;:!?\n\"'()\[\]]{1,200}")
_NEXT_CLAUSE = re.compile(r"\s(?:and|but|for|please|so|und|aber|y|pero)\s")
_CODE = re.compile(
    r"[\s,;/|]{0,4}(?:\d{1,2}[.)]\s{1,2}|and\s|und\s|y\s|-\s)?(?P<code>[A-Za-z0-9]{3,}(?:-[A-Za-z0-9]{3,}){0,8}"
    r"|\d{4,}(?: \d{4})?)(?![\w-])"
)
_LENGTHS = (12, 15, 18, 21, 24)
"""Words of a BIP-39 seed phrase."""
_NO_SEED = frozenset("and but the they them please und oder aber los las por".split())
_WORD = re.compile(r"[\s,;]{0,4}(?:\d{1,2}[.):]\s{0,2})?(?P<word>[a-z]{3,12})(?![\w'])[.]?")


@cache
def _keyword() -> re.Pattern[str]:
    return re.compile(rf"(?P<weak>{LOGIN_WORDS})|(?P<phrase>{PHRASE_WORDS})|(?P<key>{KEY_WORDS})")


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    patterns = {
        # what stands behind the word: password: x   DB_PASSWORD=x   "api_key" => "x"
        "assigned": rf"(?:_\w{{1,20}})?['\"`\]]{{0,2}}\s{{0,4}}(?P<sign>:=|=>|(?<!=)=(?!=)|:(?!//))\s{{0,4}}(?:{_QUOTED}"
                    rf"|(?P<value>\S{{1,300}}))",
        # my password for the router is x
        "told": rf"(?:{_FOR}\s{{1,3}}{_IS}|'s)\s{{1,3}}{_ADVERB}(?:{_QUOTED}|(?P<value>\S{{1,300}}))",
        # with the password x
        "beside": rf"\s{{1,3}}(?:{_QUOTED}|(?P<value>\S{{5,300}}))",
        "pin": r"(?<![a-z])pin(?:[ -]?(?:code|number|nummer))?"
               r"(?:\s{1,3}(?:for|of|to|on|fur|para|de)(?:\s{1,3}[\w'-]{1,20}){1,4}?)?\s{0,3}"
               r"(?:is|was|ist|lautet|es|=|:|to)?(?:\s{1,3}(?:now|still|always|jetzt"
               r"|ahora))?\s{0,3}[:=]?\s{0,3}['\"]?(?P<value>\d{4,8})(?![\w-]|\.\d)",
        "cvv": r"(?<![a-z])(?:cvv2?|cvc2?|csc|card verification (?:code|value|number)|security code|prufziffer"
               r"|kartenprufnummer|codigo de seguridad)"
               r"(?:\s{1,3}(?:on|of|for|auf|de|at|behind|in|hinten|von"
               r"|from)(?:\s{1,3}[\w'-]{1,15}){1,4}?)?\s{0,3}(?:is|ist|es|=|:"
               r"|code)?\s{0,3}[:=]?\s{0,3}(?P<value>\d{3,4})(?![\w-])",
        "otp": r"(?<![a-z])(?:verification|one[- ]time|2fa|mfa|two[- ]factor|authenticat(?:ion|or)|log[- ]?in"
               r"|sign[- ]?in|sms|otp|tan|totp|bestatigungs|"
               r"codigo de verificacion|verifizierungs)[\s_-]{0,2}(?:code|password|passcode|pin"
               r"|token)?s?(?:\s{1,3}(?:for|from)(?:\s{1,3}[\w'-]{1,20}){1,3}?)?"
               r"\s{0,3}(?:is|was|ist|lautet|es|=|:)\s{0,3}['\"]?(?P<value>\d{3}[ -]?\d{3}|\d{4,8})(?![\w-])",
        "recovery": r"(?<![a-z])(?:recovery|backup|back-up|rescue|scratch|emergency|wiederherstellungs|bitlocker"
                    r"|reset)[ -]?(?:recovery[ -]?)?"
                    r"(?:codes?|keys?|schlussel)(?:\s{1,3}(?:for|from)(?:\s{1,3}[\w'-]{1,20}){1,4}?)?\s{0,3}(?:are|is"
                    r"|sind|ist|=|:)\s{0,3}[:=]?(?=\s|\w)",
        "seed": r"(?<![a-z\d])(?:(?:12|24|twelve|twenty-?four|18|15|zwolf|doce)[ -](?:\w{1,12}[ -])?(?:words?|worter"
                r"|palabras)\b[^a-z\d]{1,5}(?:are[^a-z\d]{1,5})?(?=[a-z\d])|(?:(?:seed|recovery|mnemonic|backup"
                r"|wallet|secret)[ -]?){1,3}(?:phrase|words?|seed|mnemonic)?"
                r"(?:\s{1,3}(?:for|of|to)(?:\s{1,3}[\w'-]{1,20}){1,4}?)?\s{0,3}(?:is|are|=|:|ist|lautet"
                r"|es)\s{0,3}[:=]?\s{0,3}[\"']?(?=[a-z\d]))",
        "credentials": r"(?<![a-z])(?:credentials?|creds|log[- ]?in|logon|zugangsdaten)\s{0,3}(?:are|is|sind|=|:|with"
                       r"|as)?\s{0,3}[:=]?\s{0,3}"
                       r"(?:user(?:name)?\s{0,2}[:=]?\s{0,2})?[\w.@+-]{2,64}\s{0,2}[:/"
                       r"|]\s{0,2}(?P<value>[^\s/]{4,100})",
    }  # fmt: skip
    return {name: re.compile(pattern, re.IGNORECASE) for name, pattern in patterns.items()}


def named(text: str, lower: str, starts: set[str]) -> Iterator[Hit]:
    """Yield the secrets of a folded text that are named by words beside them.

    Parameters
    ----------
    text
        The folded text.
    lower
        The same in lower case, for quick looks.
    starts
        The runs of three characters in it, as `cues.triples` gives them.
    """
    met = _cues().candidates(lower, starts)
    if 0 in met:
        for word in _keyword().finditer(lower):
            if _begins(text, word.start()):
                yield from _worded(word, text)
    if met and _DIGIT.search(text):
        yield from _numbered(text, met)
    if 2 in met:
        for found in _patterns()["seed"].finditer(text):
            yield from _words(text, found.end())
    if 3 in met:
        for found in _patterns()["credentials"].finditer(text):
            if is_strong(found["value"]):
                yield "password", *_trimmed(text, *found.span("value"))


def _numbered(text: str, met: Sequence[int]) -> Iterator[Hit]:
    """Yield the PINs and codes, of which every one has a digit."""
    for place, (name, _, kind) in enumerate(_NUMBERS, 4):
        if place in met:
            yield from (
                (kind, *found.span("value")) for found in _patterns()[name].finditer(text) if _fits(name, found)
            )
    if 1 in met:
        for found in _patterns()["recovery"].finditer(text):
            yield from _codes(text, found.end())


_NUMBERS = (
    ("pin", ("pin",), "pin"),
    ("cvv", ("cv", "csc", "card verification", "security code", "pruf", "seguridad"), "card_code"),
    ("otp", ("code", "codigo", "otp", "2fa", "one-time", "tan", "pass"), "one_time_code"),
)


@cache
def _cues() -> Cues:
    """Return the cues of everything that is looked for here: four kinds of words, then the numbers."""
    return Cues([_CUES, _RECOVERY, _SEED, _CREDENTIALS, *(cues for _, cues, _ in _NUMBERS)])


def _fits(name: str, found: re.Match[str]) -> bool:
    """Tell a PIN from "pin 4417 to the board", and from the postal code that India calls a pin code."""
    said = found[0].lower()
    if name != "pin" or (found[0].startswith("PIN") and len(found["value"]) != 6):
        return True
    if re.match(r"pin[ -]?code", said) and len(found["value"]) == 6:
        return False
    before = found.string[max(0, found.start() - 20) : found.start()]
    return (
        re.search(r"is|was|ist|lautet|es|=|:|to|code|numm", said[3:]) is not None or _OWN_PIN.search(before) is not None
    )


def _begins(text: str, start: int) -> bool:
    """Tell whether a word begins here: not inside of another, unless a capital says so as in dbPassword."""
    return start == 0 or not text[start - 1].isalpha() or (text[start].isupper() and text[start - 1].islower())


def _worded(word: re.Match[str], text: str) -> Iterator[Hit]:
    """Yield the secret that stands behind a word for one."""
    kind = "password" if word["weak"] else "passphrase" if word["phrase"] else "api_key"
    for form in ("assigned", "told", "beside"):
        found = _patterns()[form].match(text, word.end())
        if found is None:
            continue
        span = _quoted(form, kind, found) or _unquoted(form, kind, found)
        if span:
            yield kind, *span
        return


def _quoted(form: str, kind: str, found: re.Match[str]) -> tuple[int, int] | None:
    name = next((name for name in ("q1", "q2", "q3") if found[name] is not None), None)
    if name is None:
        return None
    is_one = is_strong(found[name]) or (form != "beside" and not _is_ordinary(found[name], kind))
    return found.span(name) if is_one and not _REFERENCE.match(found[name]) else None


def _unquoted(form: str, kind: str, found: re.Match[str]) -> tuple[int, int] | None:
    if found["value"] is None:
        return None
    text = found.string
    start, end = _trimmed(text, *found.span("value"))
    tight = form == "assigned" and found.end("sign") == start
    if end - start < 3 or not _is_secret(form, kind, text, start, end, tight=tight):
        return None
    return start, _phrase_end(text, start, end) if kind == "passphrase" and form != "beside" else end


def _is_secret(form: str, kind: str, text: str, start: int, end: int, *, tight: bool) -> bool:
    value = text[start:end]
    if _REFERENCE.match(value):
        return False
    if kind == "passphrase":
        words = text[start : _phrase_end(text, start, end)].lower().split()
        return not _is_ordinary(value, kind) or (len(words) > 2 and _ARTICLES.isdisjoint(words))
    if _is_ordinary(value, kind):
        return False
    if form == "beside" or (kind == "api_key" and not tight):
        return _is_made_up(value, 6 if kind == "password" else 8)
    if form == "assigned" and not tight and _VARIABLE.match(value):
        return False
    if form == "assigned":
        return kind != "api_key" or len(value) >= 6
    if value.isalpha() and value.islower() and kind == "password":
        return _PLAIN_ENDING.search(value) is None and _ENDS.match(text, end) is not None
    return len(value) >= 4 or not value.isdigit()


def _is_ordinary(value: str, kind: str) -> bool:
    return value.lower().strip(_TRAILING + "!") in ORDINARY or (kind == "api_key" and "://" in value)


def _is_made_up(value: str, least: int) -> bool:
    """Tell whether no sentence would hold this word: digits and letters mixed, or symbols inside."""
    letters = any(char.isalpha() for char in value)
    digits = sum(char.isdigit() for char in value)
    if len(value) < least or re.fullmatch(
        r"v?\d+(?:\.\d+)+\w*|\d{1,4}(?:[-./:]\d{1,4})+|\d{1,4}(?:st|nd|rd|th|s|k|h|min|px|days?|-\w+)|[a-z]+(?:-[a-z]+)+-?\d{0,2}",
        value,
        re.IGNORECASE,
    ):
        return False
    return (letters and digits > (least > 6 and len(value) < 16)) or digits >= 8 or (letters and is_strong(value))


def _phrase_end(text: str, start: int, end: int) -> int:
    """Return where a passphrase ends: with the sentence."""
    found = _SENTENCE.match(text, start)
    if found is None:
        return end
    stop = _NEXT_CLAUSE.search(text, start, found.end())
    return max(end, stop.start() if stop else start + len(found[0].rstrip()))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in "\"'`(<":
        start += 1
    while end > start and text[end - 1] in _TRAILING:
        end -= 1
    return start, end


def _codes(text: str, place: int) -> Iterator[Hit]:
    for _ in range(40):
        found = _CODE.match(text, place)
        if found is None or not (any(char.isdigit() for char in found["code"]) or found["code"].count("-") >= 2):
            return
        yield "recovery_code", *found.span("code")
        place = found.end()


def _words(text: str, place: int) -> Iterator[Hit]:
    ends: list[int] = []
    start = -1
    while len(ends) < _LENGTHS[-1] and (found := _WORD.match(text, ends[-1] if ends else place)) is not None:
        if found["word"] in _NO_SEED:
            break
        start = found.start("word") if start < 0 else start
        ends.append(found.end("word"))
    if len(ends) >= 8:
        yield "seed_phrase", start, ends[max((many for many in _LENGTHS if many <= len(ends)), default=len(ends)) - 1]


def is_a_number_of_something(text: str, start: int) -> bool:
    """Tell whether the words before a number say that it is an order's, a parcel's or a case's."""
    return _BEFORE_A_NUMBER.search(text[max(0, start - 40) : start].lower()) is not None
