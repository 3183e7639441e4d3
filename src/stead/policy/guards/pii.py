"""Tags of personal data with a form of its own; names of people and of organisations have none, and are not claimed."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from stead.policy.guards.checks import is_card, is_iban, is_ipv4, is_ssn
from stead.policy.guards.fold import traced
from stead.policy.guards.secrets import Finding

KINDS = ("email", "url", "iban", "card", "ssn", "ip", "phone", "date_of_birth", "address")
"""What `pii` tags. Where two overlap the earlier one stands."""
NOT_CLAIMED = ("person", "organisation", "place", "title", "age", "nationality", "zip_code", "driver_licence", "date")
"""Personal data without a form of its own: never tagged."""

_STREET = (
    r"(?:street|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|place|pl|square|sq|terrace|way|highway"
    r"|hwy|parkway|pkwy|close|crescent"
    r"|circle|cir|trail|row|gardens|grove|mews|walk|hill|alley|loop|pike|run|ridge|view|quay|green)"
)
_STREET_NAMED = (
    r"[^\W\d_]{1,30}(?:stra(?:ss|ß)e|str\.|weg|platz|gasse|allee|ufer|damm|ring|straat|laan|gatan|vej"
    r"|gata|vagen|gade|plein|gracht|kade|katu|tie|utca)"
)
_STREET_FIRST = (
    r"(?:rue|avenue|boulevard|place|chemin|quai|impasse|calle|avenida|paseo|plaza|carrer|via|viale|piazza"
    r"|corso|rua|ulica|ul\.|strada|c/|av\.|avda\.?)"
)


@dataclass(frozen=True, slots=True)
class Form:
    """One form of personal data."""

    kind: str
    pattern: str
    check: Callable[[str], bool] | None = None
    flags: re.RegexFlag = re.IGNORECASE


def _is_phone(text: str) -> bool:
    digits = [char for char in text if char.isdigit()]
    return 7 <= len(digits) <= 15 and len(set(digits)) > 2


FORMS: tuple[Form, ...] = (
    Form("email", r"(?<![\w.+-])[\w.+%-]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,5}[a-z]{2,24}(?![\w-])"),
    Form("url", r"(?<![\w@])(?:https?://|ftp://|www\.)[^\s<>\"')\]]{2,500}(?<![.,;:!?])"),
    Form("url", r"(?<![\w@.-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,4}(?:com|org|net|edu|gov|io|info|biz"
                r"|co\.uk|de|fr|es|it|nl|eu|uk|us|ca|ch|at|app|dev|ai"
                r"|xyz|online|site|shop|me|co|tv|se|pl|ru|br|jp|au|in)(?:/[^\s<>\"')\]]{0,300})?(?![\w@-])(?!\.\w)"),
    Form("iban", r"(?<![A-Z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}(?![A-Z0-9])", is_iban),
    Form("card", r"(?<![\w.+-])\d(?:[ -]?\d){11,18}(?![\w])(?!-\d)", is_card),
    Form("ssn", r"(?<![\w-])\d{3}[- ]\d{2}[- ]\d{4}(?![\w-])", is_ssn),
    Form("ssn", r"(?<=ssn )\d{9}(?!\d)|(?<=ssn is )\d{9}(?!\d)|(?<=ssn: )\d{9}(?!\d)", is_ssn),
    Form("ip", r"(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w]|\.\d)", is_ipv4),
    Form("ip", r"(?<![\w:])(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}(?![\w:])"
               r"|(?<![\w:])(?:[0-9a-f]{1,4}:){1,6}:(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,5})?(?![\w:])"),
    Form("phone", r"(?<![\w/.+#-])(?:\+"
                  r"|00)\d{1,3}[ .()/-]{0,3}(?:\(0\)[ ]?)?(?:\d{1,5}[ ./()-]{0,2}){2,6}\d(?:\s?(?:x"
                  r"|ext\.?)\s?\d{1,6})?(?![\w-])", _is_phone),
    Form("phone", r"(?<![\w/.+#-])(?:1[ .-])?(?:\(\d{2,5}\)[ .-]?|\d{3}[ .-])\d{3,4}[ .-]?\d{3,4}(?:\s?(?:x"
                  r"|ext\.?)\s?\d{1,6})?(?![\w-])", _is_phone),
    Form("phone", r"(?<![\w/.+#-])0\d{1,5}[ /-]\d{2,4}(?:[ -]?\d{2,4}){1,4}(?![\w-])", _is_phone),
    Form("phone", r"(?:\b(?:phone|tel|telephone|telefon|telefono|mobile|cell|cellphone|handy|movil|whatsapp|fax"
                  r"|number|call|text|ring|reach)\b(?: me| us| him| her| at| on| number| nr| no| is| ist|\.|:"
                  r"|\s){0,5}\s?)"
                  r"(?P<value>\+?\d(?:[ ./()-]{0,2}\d){6,14})(?![\w-])", _is_phone),
    Form("date_of_birth", r"\b(?:born(?: on)?|date of birth|dob|birthday(?: is)?(?: on)?|birthdate|geboren(?: am)?"
                          r"|geburtsdatum|naci(?: el)?|nacid[oa] el|fecha de nacimiento)(?:\s(?:is|ist"
                          r"|es))?\s{0,2}[:,]?\s{0,2}"
                          r"(?P<value>\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}(?:st|nd|rd|th|\.)?\s(?:de\s"
                          r"|of\s)?[^\W\d_]{3,12}(?:,?\s(?:de\s)?\d{4})?|[^\W\d_]{3,12}\s\d{1,2}(?:st|nd|rd"
                          r"|th)?(?:,?\s\d{4})?)(?!\w)"),
    Form("address", rf"(?<![\w-])\d{{1,5}}[a-z]?,?\s(?:(?:[NSEWnsew]|North|South|East"
                    rf"|West)\.?\s)?(?:[^\W\d_][\w'.-]{{0,25}}\s){{1,4}}?{_STREET}\b\.?(?:,?\s(?:apt|apartment|suite"
                    rf"|unit|ste|flat|#)\.?\s?\w{{1,6}})?"),
    Form("address", rf"(?<![\w-])\d{{1,5}}(?:\s?(?:bis|ter|[a-d]))?,?\s{_STREET_FIRST}\s(?:(?:de|du|des|la|le|les|del"
                    rf"|della|di|los|las|d'|l'|da"
                    rf"|do)\s?){{0,3}}[^\W\d_][\w'-]{{1,25}}(?:[\s-][A-Z\u00c0-\u00dd][\w'-]{{1,25}}){{0,3}}"),
    Form("address", rf"\b{_STREET_FIRST}\s(?:(?:de|du|des|la|le|les|del|della|di|los|las|d'|l'|da"
                    rf"|do)\s?){{0,3}}[^\W\d_][\w'-]{{1,25}}(?:\s[^\W\d_][\w'-]{{1,25}}){{0,3}}?,?\s"
                    rf"(?:n[o\u00ba\u00b0]?\.?\s?)?\d{{1,5}}[a-z]?\b"),
    Form("address", rf"\b(?:(?-i:[A-Z])[^\W\d_]{{1,20}}[ -]){{0,2}}?(?-i:[A-Z]){_STREET_NAMED}\s\d{{1,5}}\s?[a-z]?\b"),
    Form("address", rf"(?<![\w-])\d{{1,5}}\s(?-i:[A-Z]){_STREET_NAMED}\b"),
    Form("address", r"\b(?:p\.?\s?o\.?\s?box|postfach|apartado)\s\d{1,7}\b"),
)  # fmt: skip
"""The forms, those that win first."""


def pii(text: str) -> list[Finding]:
    """Return personal data with a form of its own, left to right and apart, with its places in the text.

    >>> [(each.kind, each.start, each.end) for each in pii("Write to ana@example.com")]
    [('email', 9, 24)]
    """
    plain = traced(text)
    taken = bytearray(len(plain.text))
    found: list[Finding] = []
    for form, pattern, group in _compiled():
        for match in pattern.finditer(plain.text):
            start, end = match.span(group)
            if not any(taken[start:end]) and (form.check is None or form.check(match[group])):
                taken[start:end] = b"\1" * (end - start)
                found.append(Finding(form.kind, *plain.span(start, end)))
    return sorted(found, key=lambda each: each.start)


@cache
def _compiled() -> tuple[tuple[Form, re.Pattern[str], str | int], ...]:
    patterns = ((form, re.compile(form.pattern, form.flags)) for form in FORMS)
    return tuple((form, each, "value" if "value" in each.groupindex else 0) for form, each in patterns)
