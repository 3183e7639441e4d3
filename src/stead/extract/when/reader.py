"""A text as it is read: its words, and what was already tried at each of them."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from stead.extract.when.value import Length, Value
from stead.extract.when.wall import Wall
from stead.extract.when.words import (
    AFTER_A_TIME,
    ANCHORS,
    DECADES,
    MONTHS,
    ORDINALS,
    PARTS_AS_SAID,
    SMALL,
    TENS,
    THIS,
    TIGHT_UNITS,
    UNITS,
    WEEKDAYS,
    Word,
)

Found = tuple[Value, int]
"""A meaning, and the place of the first word behind it."""
Rule = Callable[["Reader", int], Found | None]
_SUFFIXES = frozenset({"st", "nd", "rd", "th"})
_BEYOND = 64
"""Places behind the last word, and before the first, at which nothing stands."""
_NOTHING = Word("", 0, 0, "")


class Reader:
    """A text that is read against one calendar.

    Parameters
    ----------
    words
        The text's words.
    text
        The text.
    wall
        The speaker's calendar.
    whole
        Whether the whole text is known to be about time: doubtful words then need no neighbour.
    """

    __slots__ = ("_seen", "_texts", "text", "wall", "whole", "words")

    def __init__(self, words: list[Word], text: str, wall: Wall, *, whole: bool = False) -> None:
        self.words = words
        self._texts = [word.text for word in words] + [""] * _BEYOND
        self.text = text
        self.wall = wall
        self.whole = whole
        self._seen: dict[tuple[Rule, int], Found | None] = {}

    def once(self, rule: Rule, at: int) -> Found | None:
        """Apply a rule at a place, or remember what it gave there."""
        key = rule, at
        if key in self._seen:
            return self._seen[key]
        self._seen[key] = None  # a rule that comes back to itself finds nothing
        if 0 <= at < len(self.words):
            try:
                self._seen[key] = rule(self, at)
            except (ValueError, OverflowError):  # no such day, or out of the years that can be written
                return None
        return self._seen[key]

    def longest(self, at: int, *rules: Rule) -> Found | None:
        """Return what the rule that reaches furthest gives; the first of equals."""
        best: Found | None = None
        for rule in rules:
            found = self.once(rule, at)
            if found and (best is None or found[1] > best[1]):
                best = found
        return best

    def word(self, at: int) -> str:
        """Return the word at a place in small letters, or nothing; places before the first word hold nothing either."""
        return self._texts[at]

    def raw(self, at: int) -> Word:
        """Return the word at a place as it stands."""
        return self.words[at] if 0 <= at < len(self.words) else _NOTHING

    def tight(self, at: int) -> bool:
        """Tell whether nothing stands between this word and the one before."""
        return 0 < at < len(self.words) and self.words[at].start == self.words[at - 1].end

    def skip(self, at: int, *words: str) -> int:
        """Return the place behind an optional word."""
        return at + 1 if self.word(at) in words else at

    def said(self, at: int, *words: str) -> int | None:
        """Return the place behind these words, if they stand there."""
        for step, word in enumerate(words):
            if self.word(at + step) != word:
                return None
        return at + len(words)

    def at_offset(self, offset: int, at: int) -> int | None:
        """Return the place of the first word that begins at or behind an offset, if none is cut in two."""
        while at < len(self.words) and self.words[at].start < offset:
            if self.words[at].end > offset:
                return None
            at += 1
        return at

    def anchored(self, at: int) -> bool:
        """Tell whether what stands before a doubtful word speaks of time."""
        before = self.word(at - 2) if self.word(at - 1) == "-" and self.word(at - 2) in {"early", "mid", "late"} else ""
        return self.whole or bool(before) or self.word(at - 1) in ANCHORS or self._timely(at - 1)

    def _timely(self, at: int) -> bool:
        word = self.word(at)
        if word in {",", "-", "/", "(", "\u2013", "&", "and", "or"}:
            word = self.word(at - 1)
            return word in WEEKDAYS or word in MONTHS or word in PARTS_AS_SAID
        return word in WEEKDAYS or word in PARTS_AS_SAID

    def before_more(self, at: int) -> bool:
        """Tell whether a time can end here: what follows isn't a thing that it would count."""
        word = self.word(at)
        if not word or not (word[0].isalnum()):
            joined = word in {"/", ":", "-"} and self.tight(at)
            return word not in {"%", "$", "\u20ac", "\u00a3"} and not joined and not (word == "." and self._decimal(at))
        if word in AFTER_A_TIME or word in WEEKDAYS or word in THIS or word in PARTS_AS_SAID:
            return True
        return word in MONTHS and word not in {"may", "march"}

    def before_joint(self, at: int) -> bool:
        """Tell whether a number is the first of two: "4 - 6:30 pm", "7 and 9"."""
        if self.word(at) not in {"-", "\u2013", "to", "and", "till", "until", "~"}:
            return False
        word = self.word(at + 1)
        return word.isdigit() or word in SMALL

    def _decimal(self, at: int) -> bool:
        return self.tight(at) and self.tight(at + 1) and self.word(at + 1)[:1].isalnum()

    def verb_last(self, at: int) -> bool:
        """Tell whether "last" is the verb: "it will last three days"."""
        before = self.word(at - 1)
        return self.word(at) == "last" and (before.endswith("n't") or before in {
            "will", "to", "would", "can", "may", "could", "should", "must", "might", "not", "usually", "i'll",
            "it'll", "they",
        })  # fmt: skip

    def digits(self, at: int, low: int, high: int, *, longest: int = 2) -> int | None:
        """Return the number in digits at a place, if it lies in a range."""
        word = self.word(at)
        if not (word.isascii() and word.isdigit()) or len(word) > longest:
            return None
        return int(word) if low <= int(word) <= high else None

    def year(self, at: int) -> tuple[int, int] | None:
        """Return a year in four digits, or two after an apostrophe, and the place behind it."""
        if (number := self.digits(at, 1000, 2999, longest=4)) is not None:
            if self.word(at + 1) in {"%", "$"} or (self.tight(at + 1) and self.word(at + 1)[0] in ":s%"):
                return None
            return number, at + 1
        if self.word(at) in {"'", "\u2019", "\u2018"} and self.tight(at + 1):
            short = self.digits(at + 1, 0, 99)
            if short is not None and len(self.word(at + 1)) == 2 and not self.word(at + 2).startswith("s"):
                return century(short), at + 2
        return None

    def ordinal(self, at: int, high: int = 31) -> tuple[int, int] | None:
        """Return "3rd" or "third", and the place behind it."""
        number = self.digits(at, 1, high)
        if number is not None:
            return (number, at + 2) if self.tight(at + 1) and self.word(at + 1) in _SUFFIXES else None
        word = self.word(at)
        if word in ORDINALS:
            return (ORDINALS[word], at + 1) if ORDINALS[word] <= high else None
        if word in {"twenty", "thirty"}:
            after = self.skip(at + 1, "-")
            last = ORDINALS.get(self.word(after), 0)
            if 1 <= last <= 9 and TENS[word] + last <= high:
                return TENS[word] + last, after + 1
        return None

    def below_hundred(self, at: int) -> tuple[int, int] | None:
        """Return a number in words from 1 to 99, and the place behind it."""
        word = self.word(at)
        if word in TENS:
            after = self.skip(at + 1, "-")
            last = SMALL.get(self.word(after), 0)
            return (TENS[word] + last, after + 1) if 1 <= last <= 9 else (TENS[word], at + 1)
        return (SMALL[word], at + 1) if SMALL.get(word, 0) else None

    def spoken_year(self, at: int) -> tuple[int, int] | None:
        """Return a year in words: "nineteen ninety six", "twenty fifteen", "two thousand and eight"."""
        if thousand := self.said(at, "two", "thousand"):
            more = self.below_hundred(self.skip(thousand, "and"))
            return (2000 + more[0], more[1]) if more else (2000, thousand)
        hundreds = {"seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20}.get(self.word(at))
        if hundreds is None:
            return None
        if self.word(at + 1) == "hundred":
            more = self.below_hundred(self.skip(at + 2, "and"))
            return (hundreds * 100 + more[0], more[1]) if more else (hundreds * 100, at + 2)
        if self.word(at + 1) in {"oh", "o"} and (last := SMALL.get(self.word(at + 2), 0)):
            return hundreds * 100 + last, at + 3
        rest = self.below_hundred(self.skip(at + 1, "-"))
        return (hundreds * 100 + rest[0], rest[1]) if rest and rest[0] >= 10 else None

    def number(self, at: int) -> tuple[Fraction, int] | None:
        """Return a count in digits or words, and the place behind it: "3", "2.5", "twenty-one", "a couple of", "half a"."""
        word = self.word(at)
        if word.isascii() and word.isdigit() and len(word) <= 6:
            return self._decimals(at, word)
        if word in SMALL:
            return self._and_a_half(Fraction(SMALL[word]), at + 1)
        if word in TENS:
            after = self.skip(at + 1, "-")
            last = SMALL.get(self.word(after), 0)
            if 1 <= last <= 9:
                return self._and_a_half(Fraction(TENS[word] + last), after + 1)
            return Fraction(TENS[word]), at + 1
        if word == "half" and self.word(at + 1) in {"a", "an"}:
            return Fraction(1, 2), at + 2
        if word in {"a", "an"}:
            return self._with_article(at)
        if word == "couple" and (self.word(at - 1) == "the" or self.word(at - 1) in THIS):
            return Fraction(2), self.skip(at + 1, "of")
        return None

    def _decimals(self, at: int, word: str) -> tuple[Fraction, int]:
        if self.word(at + 1) == "." and self.tight(at + 1) and self.tight(at + 2) and self.word(at + 2).isdigit():
            return Fraction(f"{word}.{self.word(at + 2)}"), at + 3
        return self._and_a_half(Fraction(word), at + 1)

    def _with_article(self, at: int) -> tuple[Fraction, int]:
        after = at + 1
        if self.word(after) == "half" and self.word(after + 1) in UNITS:
            return Fraction(1, 2), after + 1
        if self.word(after) == "couple":
            return Fraction(2), self.skip(after + 1, "of")
        if self.word(after) == "dozen":
            return Fraction(12), after + 1
        if self.word(after) == "hundred":
            return Fraction(100), after + 1
        return Fraction(1), self.skip(after, "whole", "full")

    def _and_a_half(self, number: Fraction, at: int) -> tuple[Fraction, int]:
        after = self.said(at, "and", "a", "half")
        return (number + Fraction(1, 2), after) if after else (number, self.skip(at, "full", "whole"))

    def length(self, at: int) -> tuple[Length, int, str] | None:
        """Return a length, the place behind it, and its smallest unit: "2 hours and 30 minutes", "an hour and a half"."""
        first = self.part_of_length(at)
        while first:
            after = first[1]
            joined = self.skip(self.skip(after, ","), "and")
            half = self.said(after, "and", "a", "half")
            if half and self.word(half) not in UNITS:
                try:
                    return first[0] + Length.of(Fraction(1, 2), first[2]), half, first[2]
                except KeyError:
                    return first
            more = None if self.word(joined) in {"a", "an", "half"} else self.part_of_length(joined)
            if more is None or more[2] == first[2]:
                return first
            first = first[0] + more[0], more[1], more[2]
        return None

    def part_of_length(self, at: int) -> tuple[Length, int, str] | None:
        """Return a count of one unit: "3 days", "2.5 h", "a week's"."""
        count = self.number(at)
        if count is None:
            return None
        number, after = count
        dashed = self.word(after) == "-" and self.tight(after) and len(self.word(after + 1)) > 1
        after += dashed
        word = self.word(after)
        if word in TIGHT_UNITS and self.tight(after) and self.word(at).isdigit() and (word != "d" or self.anchored(at)):
            return Length.of(number, TIGHT_UNITS[word]), after + 1, TIGHT_UNITS[word]
        word = word.removesuffix("'s").removesuffix("'")
        if word not in UNITS or (self.word(after + 1) in {"old", "olds"} or self.said(after + 1, "-", "old")):
            return None
        return Length.of(number, UNITS[word]), after + 1, UNITS[word]


def century(short: int) -> int:
    """Return the year of two digits: 70 to 99 are of the last century."""
    return short + (1900 if short >= 70 else 2000)


def decade(word: str) -> int | None:
    """Return the first year of "nineties"."""
    return century(DECADES[word]) if word in DECADES else None
