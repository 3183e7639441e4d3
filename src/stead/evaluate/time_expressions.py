"""Words of time measured on public data: the English DateTime specs of Microsoft's Recognizers-Text (MIT), read strictly.

The file is not part of Stead. It was written for another grammar, so this says exactly what is claimed of it.

**Claimed**, each whole: the types ``date``, ``daterange``, ``datetime``, ``datetimerange``, ``duration``, ``time`` and
``timerange``, of every sentence that has a reference time. Exact means: the same words were found, and what they mean is one of
the listed values to the second. A ``date`` is the half-open day, a ``datetime`` and a ``time`` a point (where it starts), a
``time`` and a ``timerange`` are compared by the hands of the clock, a ``duration`` in seconds, a range by both ends, where no
end means an open one. Of several listed values (of last year and of this) any will do.

**Not claimed**, and counted apart by these reasons (`EXCLUDED`): ``set`` and ``timezone`` entries, which are other types, and
what only bounds a set (Stead reads "daily until 27 April" as one expression with an end); entries without a value; "now", which
is no expression of time to Stead but the turn's own time; counts that nobody can resolve ("few hours" is three to the specs; R9
asks); holidays on movable dates; names of time zones; parts of day that R9 doesn't know (business hours, meals) and parts of
parts ("late afternoon"); "the same month", which refers to something said before.

**Conventions** that differ from R9 are translated before the comparison, by rule and never by sentence:

1. Parts of day have R9's hours: morning 6 to 12, afternoon 12 to 18, evening 18 to 22, night 22 to 6; "tonight" and "last night"
   are evening and night.
2. A range that is joined ("May to March", "from the 4th to the 22nd") ends with its last day, month or year, and not before it.
3. 23:59:59 is the end of the day: midnight.
4. "For the next 3 days" begins at the moment of speaking, and "for the past 3 days" ends there; the specs count from midnight.
5. "After 12 May" begins when that day is over, and "Friday after 6" ends with Friday; the specs begin the first on 12 May and
   leave the second open.
6. "Now" and "to date" at the end of a range are the moment of speaking; the specs give its day.
7. Words are compared without the prepositions and articles in front (at, on, in, for, the...), which the specs sometimes include.

**What the number says.** It is no measure on unseen data: the grammar was improved on misses of this very file. A quarter of it,
before any of its misses had been looked at, was read exactly to 0.605, when the other three stood at 0.866; expect that of new
text as odd as this. The specs list the strange on purpose, and much of what is missed is that ("90 s", "cy18").

The report also says how many are exact word by word without any of these (``verbatim``), and how many expressions were found
where the specs list nothing (``unlisted``).
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any, Final

from stead.errors import InvalidArgument
from stead.extract.when import When, find
from stead.model.period import Instant, from_datetime, to_datetime

FILE: Final = "recognizers_datetime_half.json"
TYPES: Final = ("date", "daterange", "datetime", "datetimerange", "duration", "time", "timerange")
EXCLUDED: Final = (
    "no reference time", "bounds a set", "no value", "now", "vague count", "movable holiday", "zone name", "other part of day",
    "part of a part", "refers back",
)  # fmt: skip
_VAGUE: Final = re.compile(r"\b(few|several|some)\b")
_MOVABLE: Final = re.compile(
    r"\b(easter|thanksgiving|eid|ramadan|diwali|lunar|chinese new year|labou?r day|memorial day|mother'?s'? day|father'?s'? day"
    r"|good friday|ash wednesday|palm sunday|pentecost|passover|hanukk?ah|black friday|cyber monday|mlk|martin luther king"
    r"|president'?s'? day|washington'?s'? birthday|columbus day|carnival|mardi gras|super bowl)\b"
)
_OTHER_PARTS: Final = re.compile(r"T(DT|ME[BLD]?)$")
_PARTS: Final = {"MO": (6, 12), "AF": (12, 18), "EV": (18, 22), "NI": (22, 30)}
_PART: Final = re.compile(r"T(MO|AF|EV|NI)$")
_JOINED: Final = re.compile(
    r"\s(?:to|till|til|until|through|thru|and|up to)\s(?:the\s)?|\s?[-~\u2013\u2014]{1,2}\s?(?![hq]\d)"
)
_FRONT: Final = re.compile(
    r"(?:(?:at|on|in|for|of|the|during|over|around|about|within|circa|more than|less than|at least)\s+)+", re.IGNORECASE
)
_LAST_DAY: Final = re.compile(
    r"\b\d{1,2}(?:st|nd|rd|th)?\b(?!\s*quarter)|\b(?:\w+day|today|tomorrow|yesterday|mon|tue|wed|thu|fri|sat|sun)\b"
    r"|\b(?:first|second|third|\w+th|\w+-(?:first|second|third|\w+th))\b(?!\s*(?:quarter|month|year))|\d+/\d+|\d{4}-\d\d-\d\d"
)
_NUMERIC: Final = re.compile(r"\d[-/.]\d{1,2}(?:[-/.]\d+)?$")
_MONTH: Final = re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One listed value."""

    start: str | None = None
    end: str | None = None
    value: str | None = None
    timex: str = ""
    mod: str = ""
    zoned: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """One listed expression."""

    type: str
    span: tuple[int, int]
    text: str
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One sentence, when it was said, and what is listed for it."""

    text: str
    said: datetime | None
    expected: tuple[Expected, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Miss:
    """One claimed expression that wasn't found exactly."""

    case: int
    type: str
    words: str
    found: tuple[str, ...]
    """The words that were found there instead, or the same with another meaning."""


@dataclass(slots=True)
class Report:
    """What was measured."""

    claimed: Counter[str] = field(default_factory=Counter)
    exact: Counter[str] = field(default_factory=Counter)
    verbatim: int = 0
    excluded: Counter[str] = field(default_factory=Counter)
    unlisted: int = 0
    misses: list[Miss] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share of the claimed expressions that are exact; 0 when nothing is claimed."""
        total = self.claimed.total()
        return self.exact.total() / total if total else 0.0


def load(folder: str | Path) -> list[Case]:
    """Read the data.

    Parameters
    ----------
    folder
        The folder with the file, or the file.

    Raises
    ------
    InvalidArgument
        No such file, or it isn't what it should be; the message says where.
    """
    path = Path(folder)
    file = path if path.is_file() else path / FILE
    try:
        raw = json.loads(file.read_bytes())
    except (UnicodeDecodeError, json.JSONDecodeError):
        raise _wrong(file.name, "not JSON") from None
    except OSError:
        raise InvalidArgument("data", "no such file there", f"Name the folder that holds {FILE}.") from None
    return [_case(each, f"[{number}]") for number, each in enumerate(_list(raw, "the file"))]


def score(cases: Sequence[Case]) -> Report:
    """Find the expressions of every case in zone UTC and compare them with what is listed."""
    report = Report()
    for number, case in enumerate(cases):
        if case.said is None:
            report.excluded["no reference time"] += sum(each.type in TYPES for each in case.expected)
            continue
        found = find(case.text, said=from_datetime(case.said), zone="UTC")
        for each in case.expected:
            if each.type in TYPES:
                _one(report, number, case, each, found)
        listed = [each.span for each in case.expected]
        report.unlisted += sum(when.resolved and not any(_meet(when.span, span) for span in listed) for when in found)
    return report


def _one(report: Report, number: int, case: Case, expected: Expected, found: Sequence[When]) -> None:
    if reason := excluded(case, expected):
        report.excluded[reason] += 1
        return
    report.claimed[expected.type] += 1
    here = [when for when in found if _meet(when.span, expected.span)]
    same = [when for when in here if _words(case.text, when.span) == _words(case.text, expected.span)]
    if any(means(when, expected, case) for when in same):
        report.exact[expected.type] += 1
        report.verbatim += any(
            when.span == expected.span and any(_matches(when, each, expected.type) for each in expected.readings)
            for when in same
        )
    else:
        report.misses.append(
            Miss(case=number, type=expected.type, words=expected.text, found=tuple(when.text for when in here))
        )


def excluded(case: Case, expected: Expected) -> str:
    """Return why an expression of a claimed type isn't claimed, or nothing."""
    readings, text = expected.readings, expected.text.lower()
    sets = [each.span for each in case.expected if each.type == "set"]
    if any(not case.text[end : expected.span[0]].strip() and end <= expected.span[0] for _, end in sets):
        return "bounds a set"
    if all(each.value in {None, "not resolved"} and not (each.start or each.end) for each in readings):
        return "no value"
    if all(each.timex == "PRESENT_REF" and not each.mod for each in readings):
        return "now"
    if _VAGUE.search(text):
        return "vague count"
    if _MOVABLE.search(text):
        return "movable holiday"
    if any(each.zoned for each in readings):
        return "zone name"
    if any(_OTHER_PARTS.search(each.timex) for each in readings):
        return "other part of day"
    if any(
        each.mod in {"start", "mid", "end"} and expected.type in {"timerange", "datetimerange"} for each in readings
    ):
        return "part of a part"
    return "refers back" if any(each.mod == "ref_undef" for each in readings) else ""


def means(when: When, expected: Expected, case: Case) -> bool:
    """Tell whether what was found is one of the listed values, by Stead's conventions."""
    readings = [translated(each, expected) for each in expected.readings]
    if when.relation == "for" and when.start is not None and case.said is not None and expected.type.endswith("range"):
        said, tomorrow = f"{case.said:%F %T}", f"{case.said + timedelta(days=1):%F}"
        readings = [replace(each, start=said) if each.start == tomorrow else each for each in readings]
        readings = [replace(each, end=said) if each.end == said[:10] else each for each in readings]
    if re.search(r"\b(?:now|date|present)$", expected.text.lower()) and case.said is not None:
        readings = [replace(each, end=f"{case.said:%F %T}") for each in readings]
    return any(_matches(when, each, expected.type) for each in readings)


def translated(reading: Reading, expected: Expected) -> Reading:
    """Return a listed value by R9: the hours of the parts of day, and the last day, month or year of a joined range."""
    text = expected.text.lower()
    if (part := _PART.search(reading.timex)) and reading.start:
        low, high = _PARTS[part[1]]
        if part[1] == "NI" and re.search(r"tonight|tonite|last night", text):
            low = 18
        day = reading.start[:-8]
        start = datetime.fromisoformat(f"{day or '2001-01-01 '}00:00:00")
        ends = (start + timedelta(hours=hours) for hours in (low, high))
        first, last = (str(each) if day else f"{each:%T}" for each in ends)
        return replace(reading, start=first, end=last)
    if expected.type == "datetimerange" and reading.mod and bool(reading.start) != bool(reading.end):
        return _in_its_day(reading)
    if reading.mod == "after" and reading.start and len(reading.start) == 10 and _LAST_DAY.search(text):
        return replace(reading, start=_next_day(reading.start))
    joints = list(_JOINED.finditer(text))
    if joints and reading.timex.startswith("(") and reading.start and reading.end and len(reading.end) == 10:
        last = text if _NUMERIC.search(text) else text[joints[-1].end() :]
        return replace(reading, end=_through(reading.end, last))
    return reading


def _in_its_day(reading: Reading) -> Reading:
    """Return "tomorrow before 5pm", "Friday after 6" with the other end of that day."""
    if reading.end:
        return replace(reading, start=reading.end[:10])
    return replace(reading, end=_next_day(str(reading.start)[:10]))


def _through(end: str, last: str) -> str:
    """Return the end of the day, month, quarter or year that begins on a date and is called so."""
    if re.search(r"\b(?:now|date|present)\b|end of", last):
        return end
    day = datetime.fromisoformat(end)
    if re.search(r"q[1-4]|quarter", last):
        months = 3
    elif _LAST_DAY.search(last):
        return f"{day + timedelta(days=1):%F}"
    else:
        months = 1 if _MONTH.search(last) else 12
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return f"{day.replace(year=year, month=month + 1):%F}"


def _matches(when: When, reading: Reading, kind: str) -> bool:
    if kind == "duration":
        return when.duration is not None and reading.value == str(when.duration // 1_000_000)
    if reading.value is not None:
        if when.start is None:
            return False
        if reading.value.endswith("23:59:59"):
            return when.end is not None and _is(when.end - 1_000_000, reading.value)
        whole_day = len(reading.value) != 10 or (when.end is not None and _is(when.end, _next_day(reading.value)))
        return _is(when.start, reading.value) and whole_day
    return _is(when.start, reading.start) and _is(when.end, reading.end)


def _next_day(text: str) -> str:
    return f"{datetime.fromisoformat(text) + timedelta(days=1):%F}"


def _is(instant: Instant | None, text: str | None) -> bool:
    """Tell whether an instant is what is listed: a date, a date and time, or a time of day alone; None is an open end."""
    moment = None if instant is None else to_datetime(instant)
    if moment is None or text is None:
        return moment is None and text is None
    if len(text) == 8:
        return moment.time() == time.fromisoformat(text)
    return moment == _utc(datetime.fromisoformat(text))


def _utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC)


def _words(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """Return where an expression begins behind its prepositions and articles, and where it ends."""
    front = _FRONT.match(text, *span)
    return (front.end() if front else span[0]), span[1]


def _meet(first: tuple[int, int], second: tuple[int, int]) -> bool:
    return first[0] < second[1] and second[0] < first[1]


def _case(raw: object, where: str) -> Case:
    text = _text(_field(raw, "Input", where), f"{where}.Input")
    context = _mapping(raw, where).get("Context")
    said = None if context is None else _moment(_field(context, "ReferenceDateTime", f"{where}.Context"), where)
    results = _list(_field(raw, "Results", where), f"{where}.Results")
    return Case(
        text=text, said=said, expected=tuple(_expected(each, text, f"{where}.Results[{n}]") for n, each in enumerate(results))
    )  # fmt: skip


def _expected(raw: object, text: str, where: str) -> Expected:
    names = _mapping(raw, where)
    kind = _text(names.get("TypeName") or names.get("Typename"), f"{where}.TypeName")
    start, end = (_field(raw, name, where) for name in ("Start", "End"))
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start <= end < len(text)):
        raise _wrong(where, "Start and End are no place in Input")
    values = _list(_field(_field(raw, "Resolution", where), "values", where), f"{where}.Resolution.values")
    return Expected(
        type=kind.removeprefix("datetimeV2."), span=(start, end + 1), text=_text(_field(raw, "Text", where), where),
        readings=tuple(_reading(each, where) for each in values),
    )  # fmt: skip


def _reading(raw: object, where: str) -> Reading:
    values: Mapping[str, Any] = {
        name: _text(each, where) for name, each in _mapping(raw, where).items() if _listed(name)
    }
    return Reading(
        start=values.get("start"), end=values.get("end"), value=values.get("value"), timex=values.get("timex", ""),
        mod=values.get("Mod", ""), zoned="timezone" in _mapping(raw, where),
    )  # fmt: skip


def _listed(name: str) -> bool:
    return name in {"start", "end", "value", "timex", "Mod"}


def _moment(raw: object, where: str) -> datetime:
    try:
        return _utc(datetime.fromisoformat(_text(raw, where)))
    except ValueError:
        raise _wrong(f"{where}.Context.ReferenceDateTime", "not a time") from None


def _field(raw: object, name: str, where: str) -> Any:
    found = _mapping(raw, where)
    if name not in found:
        raise _wrong(where, f"{name} is missing")
    return found[name]


def _mapping(raw: object, where: str) -> Mapping[str, Any]:
    if not isinstance(raw, dict):
        raise _wrong(where, "not an object")
    return raw


def _list(raw: object, where: str) -> list[Any]:
    if not isinstance(raw, list):
        raise _wrong(where, "not a list")
    return raw


def _text(raw: object, where: str) -> str:
    if not isinstance(raw, str) or not raw.strip():
        raise _wrong(where, "empty or not text")
    return raw


def _wrong(where: str, what: str) -> InvalidArgument:
    return InvalidArgument("data", f"{where}: {what}", "Use the file as its authors published it.")


def table(report: Report) -> Iterable[tuple[str, int, int]]:
    """Yield type, claimed and exact."""
    return ((name, report.claimed[name], report.exact[name]) for name in TYPES)
