"""Checks of numbers that carry their own proof, and of what looks like a made-up word. Pure arithmetic."""

from __future__ import annotations

import re

_BRANDS = re.compile(
    r"(?:4(?:\d{12}|\d{15}|\d{18})|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|3(?:0[0-5]|[689]\d)\d{11}|6(?:011|4[4-9]\d|5\d\d)\d{12}|62\d{14,17}|35(?:2[89]|[3-8]\d)\d{12}"
    r"|(?:50|5[6-8]|6[0137-9])\d{14,17}|(?:1800|2131)\d{11})"
)
_IBAN_LENGTH = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28, "CH": 21,
    "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FO": 18, "FR": 27,
    "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26,
    "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "MC": 27, "MD": 24,
    "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18, "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29,
    "RO": 24, "RS": 22, "SA": 24, "SC": 31, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "TN": 24, "TR": 26, "UA": 29, "VG": 24,
    "XK": 20,
}  # fmt: skip
_NOT_ALNUM = re.compile(r"[^0-9A-Za-z]")


def luhn(digits: str) -> bool:
    """Tell whether the last digit is right for the ones before it (ISO/IEC 7812-1).

    >>> luhn("4111111111111111"), luhn("4111111111111112")
    (True, False)
    """
    odd, even = digits[-1::-2], digits[-2::-2]
    return (sum(map(int, odd)) + sum(sum(divmod(2 * int(digit), 10)) for digit in even)) % 10 == 0


def is_card(text: str) -> bool:
    """Tell whether the digits are a payment card's: a brand's prefix and length, and the check digit.

    >>> is_card("4111 1111 1111 1111"), is_card("1234 5678 9012 3452")
    (True, False)
    """
    digits = _NOT_ALNUM.sub("", text)
    return _BRANDS.fullmatch(digits) is not None and len(set(digits)) > 1 and luhn(digits)


def is_iban(text: str) -> bool:
    """Tell whether the text is an IBAN: a country's length, and 1 modulo 97 (ISO 13616).

    >>> is_iban("DE89 3704 0044 0532 0130 00"), is_iban("DE89 3704 0044 0532 0130 01")
    (True, False)
    """
    plain = _NOT_ALNUM.sub("", text).upper()
    if _IBAN_LENGTH.get(plain[:2]) != len(plain) or not plain[2:4].isdigit():
        return False
    return int("".join(str(int(char, 36)) for char in plain[4:] + plain[:4])) % 97 == 1


def is_ipv4(text: str) -> bool:
    """Tell whether four numbers are an address: each at most 255, and not a version such as 1.2.3.4 of small numbers."""
    return all(len(part) <= 3 and int(part) <= 255 for part in text.split("."))


def is_ssn(text: str) -> bool:
    """Tell whether nine digits could be a US social security number; some blocks were never given out."""
    digits = _NOT_ALNUM.sub("", text)
    area, group, serial = digits[:3], digits[3:5], digits[5:]
    return area not in {"000", "666"} and area < "900" and int(group) > 0 and int(serial) > 0


def is_strong(text: str) -> bool:
    """Tell whether a word can't be a word: letters with digits inside, symbols, or mixed case within.

    >>> [is_strong(word) for word in ("hunter2", "Tr0ub4dor&3", "monthly", "Bitwarden", "aB3xYq9LmN")]
    [True, True, False, False, True]
    """
    letters = any(char.isalpha() for char in text)
    digits = any(char.isdigit() for char in text)
    symbols = any(char in "!@#$%^&*+=~?" for char in text[:-1])
    return letters and (digits or symbols)
