"""Reading timelines: a YAML file becomes a checked `Story`, or an error that names what to fix."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from stead.errors import InvalidArgument, InvalidTimeline
from stead.model.period import Instant
from stead.model.zone import TimeInput, instant, zone
from stead.timeline.format import APPLIES, AS, CHOICES, EXPECTATIONS, VERBS
from stead.timeline.forms import OPEN, TEXT, TEXTS, Place, known
from stead.timeline.verbs import BUILT
from stead.timeline.yamls import load

_EMPTY: Final[Mapping[str, Any]] = MappingProxyType({})
_TOP = ("timeline", "rules", "zone", "policy", "steps", "note")
_BESIDE = ("at", "as", "expect", "note")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing that happens, and what it should lead to."""

    number: int
    """Counted from 1, as the report does."""
    verb: str
    fields: Mapping[str, Any]
    at: Instant | None = None
    """Where the clock goes before it; None lets it stand."""
    acts: Mapping[str, Any] | None = None
    """What changes about who acts."""
    expect: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A timeline, checked."""

    file: str
    name: str
    steps: tuple[Step, ...]
    rules: tuple[str, ...] = ()
    zone: str | None = "UTC"
    """The subject's zone; None (``zone: null`` in the file) leaves the subject without one."""
    policy: Mapping[str, Any] = field(default_factory=lambda: _EMPTY)

    @property
    def missing(self) -> tuple[str, ...]:
        """Name what the story needs and this version doesn't have: verbs, in order, and expectations."""
        return tuple(dict.fromkeys(step.verb for step in self.steps if step.verb not in BUILT))

    @property
    def refs(self) -> frozenset[str]:
        """Name every ref that some step gives to a record."""
        given = (step.fields.get("ref") for step in self.steps)
        drawn = (name for step in self.steps for name in step.fields.get("refs", ()))
        return frozenset([*(ref for ref in given if ref is not None), *drawn])


def read_story(path: str | Path) -> Story:
    """Read a timeline from a YAML file.

    Raises
    ------
    InvalidTimeline
        The file can't be read, is not YAML or doesn't follow the format; names the file, step, field and fix.
    """
    place = Place(file=str(path))
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise place.refuse("file", f"can't be read: {type(error).__name__}", "Name a YAML file in UTF-8.") from None
    return parse_story(load(text, place), file=str(path))


def parse_story(given: object, *, file: str = "timeline") -> Story:
    """Check a timeline that was read already.

    Parameters
    ----------
    given
        What the YAML file holds: a mapping with ``timeline`` and ``steps``.
    file
        Its name, for errors and reports.

    Raises
    ------
    InvalidTimeline
    """
    place = Place(file=file)
    OPEN.check(given, "timeline", place)
    assert isinstance(given, Mapping)
    _check_top(given, place)
    zone_name = given.get("zone", "UTC")
    return Story(
        file=file,
        name=given["timeline"],
        rules=tuple(given.get("rules") or ()),
        zone=zone_name,
        policy=given.get("policy") or {},
        steps=tuple(_steps(given["steps"], zone_name, file)),
    )


def _check_top(given: Mapping[str, Any], place: Place) -> None:
    for key in given:
        known(key, _TOP, str(key), place, what="field")
    for key in ("timeline", "steps"):
        if key not in given:
            raise place.refuse(key, "missing", "A timeline has a name (timeline:) and steps.")
    TEXT.check(given["timeline"], "timeline", place)
    TEXTS.check(given.get("rules") or [], "rules", place)
    OPEN.check(given.get("policy") or {}, "policy", place)
    if given.get("zone") is not None:
        _check_zone(given["zone"], place)
    if not isinstance(given["steps"], list) or not given["steps"]:
        raise place.refuse("steps", "not a list of steps", "Write at least one step: a verb with its fields.")


def _check_zone(name: object, place: Place) -> None:
    TEXT.check(name, "zone", place)
    try:
        zone(str(name))
    except InvalidArgument as error:
        raise place.refuse("zone", error.message, error.hint) from None


def _steps(given: Sequence[object], zone_name: str | None, file: str) -> Iterator[Step]:
    before: Instant | None = None
    for number, entry in enumerate(given, 1):
        place = Place(file=file, step=number)
        step = _step(entry, number, zone_name, place)
        if before is None and step.at is None:
            raise place.refuse("at", "missing", "The first step says when the story begins.")
        if before is not None and step.at is not None and step.at < before:
            raise place.refuse(
                "at", "earlier than the step before", "Order the steps by time; use valid_from for the past."
            )
        before = before if step.at is None else step.at
        yield step


def _step(entry: object, number: int, zone_name: str | None, place: Place) -> Step:
    OPEN.check(entry, "step", place)
    assert isinstance(entry, Mapping)
    verb = _verb(entry, place)
    fields = {} if entry[verb] is None else entry[verb]
    VERBS[verb].check(fields, verb, place)
    _check_choice(verb, fields, place)
    acts = entry.get("as")
    if acts is not None:
        AS.check(acts, "as", place)
    return Step(
        number=number,
        verb=verb,
        fields=fields,
        at=_time(entry["at"], "at", zone_name, place) if "at" in entry else None,
        acts=acts,
        expect=_expect(entry.get("expect"), verb, zone_name, place),
    )


def _verb(entry: Mapping[str, Any], place: Place) -> str:
    verbs = [key for key in entry if key not in _BESIDE]
    for key in verbs:
        known(key, VERBS, str(key), place, what="verb")
    if len(verbs) != 1:
        found = " and ".join(verbs) or "none"
        raise place.refuse(
            verbs[1] if verbs else "verb", f"one verb per step, not {found}", "Write a step for each verb."
        )
    if "note" in entry:
        TEXT.check(entry["note"], "note", place)
    return verbs[0]


def _check_choice(verb: str, fields: Mapping[str, Any], place: Place) -> None:
    if verb not in CHOICES:
        return
    names = CHOICES[verb]
    if sum(name in fields for name in names) != 1:
        choice = " or ".join(names)
        raise place.refuse(f"{verb}.{names[0]}", f"needs {choice}, one of them", f"Write {verb} with {choice}.")
    if verb == "end" and "record" in fields and "scope" in fields:
        raise place.refuse("end.scope", "a record has its scope already", "Give scope with slot only.")


def _expect(given: object, verb: str, zone_name: str | None, place: Place) -> Mapping[str, Any]:
    if given is None:
        return _EMPTY
    OPEN.check(given, "expect", place)
    assert isinstance(given, Mapping)
    for key, value in given.items():
        known(key, EXPECTATIONS, f"expect.{key}", place, what="expectation")
        EXPECTATIONS[key].check(value, f"expect.{key}", place)
        _check_applies(key, verb, place)
    for row in given.get("intervals", ()):
        for end in row[1:]:
            _ = end is None or _time(end, "expect.intervals", zone_name, place)
    return {key: value for key, value in given.items() if key != "note"}


def _check_applies(expectation: str, verb: str, place: Place) -> None:
    verbs = APPLIES.get(expectation)
    if verbs is not None and verb in BUILT and verb not in verbs:
        message = f"{verb} has no {expectation}"
        raise place.refuse(f"expect.{expectation}", message, f"It can be expected of {', '.join(sorted(verbs))}.")


def _time(value: TimeInput, name: str, zone_name: str | None, place: Place) -> Instant:
    try:
        return instant(value, zone_name=zone_name, field=name)
    except InvalidTimeline:
        raise
    except InvalidArgument as error:
        raise place.refuse(name, error.message.removeprefix(f"{name}: "), error.hint) from None
