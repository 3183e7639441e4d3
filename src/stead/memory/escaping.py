"""Words for a page that a person reads: remembered text as text, numbers with their words, and dates in a zone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

_ACTIVE: Final = re.compile(r"[\\`*_\[\]<|~$]|&(?=[#\w])|^[#>]")
_BREAKS: Final = re.compile(r"\s*[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]\s*")
_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co"})
_JOINERS: Final = "\u200c\u200d"  # Persian and emoji need them


def escape(text: object) -> str:
    r"""Return text that Markdown shows as it is, on one line; hidden characters are spelled out.

    >>> escape("# Hi <b>you</b>")
    '\\# Hi \\<b>you\\</b>'
    """
    seen = "".join(each if _shown(each) else f"[U+{ord(each):04X}]" for each in _BREAKS.sub(" ↵ ", str(text)))
    return _ACTIVE.sub(lambda found: f"\\{found[0]}", seen)


def _shown(char: str) -> bool:
    return char in _JOINERS or unicodedata.category(char) not in _HIDDEN


@dataclass(frozen=True, slots=True)
class Reader:
    """For whom the page is: the subject, its zone, and the instant of the export."""

    subject: str
    zone: ZoneInfo
    now: datetime
    claims: Mapping[str, str]
    """The words of each record, by its id."""

    def day(self, moment: str | None) -> str:
        """Return an instant as a person writes it: a day, and the time where it isn't midnight."""
        if moment is None:
            return "an open end"
        then = datetime.fromisoformat(moment).astimezone(self.zone)
        day = f"{then.day} {then:%B} {then.year}"
        return day if (then.hour, then.minute, then.second) == (0, 0, 0) else f"{day}, {then:%H:%M}"

    def is_past(self, moment: str | None) -> bool:
        """Tell whether an instant has come; an open one never has."""
        return moment is not None and datetime.fromisoformat(moment) <= self.now

    def quoted(self, record: str) -> str:
        """Return a record in its own words, or its id where they aren't here."""
        return f"“{escape(self.claims[record])}”" if record in self.claims else f"`{record}`"


def plural(count: int, word: str) -> str:
    """Return a number with its word, in the plural where it isn't one."""
    first, space, rest = word.partition(" of ")
    return f"{count} {first}{'' if count == 1 else 's'}{space}{rest}"


def listed(parts: Sequence[str]) -> str:
    """Return parts as a sentence names them."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
