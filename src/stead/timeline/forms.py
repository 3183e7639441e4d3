"""Forms: what a value in a timeline may look like, checked to the last field."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches
from typing import Any

from stead.errors import InvalidTimeline


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where in a file something stands, for the error that names it."""

    file: str
    step: int | None = None

    def refuse(self, name: str, message: str, hint: str) -> InvalidTimeline:
        """Return the error that names the file, the step, the field and the fix."""
        where = self.file if self.step is None else f"{self.file}, step {self.step}"
        return InvalidTimeline(name, f"{message} ({where})", hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """What a field takes: a test for plain values, or the fields of a mapping."""

    says: str
    """The form in words, for the fix: ``text``, ``a whole number``."""
    fits: Callable[[Any], bool]
    fields: Mapping[str, Form] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    closed: bool = False
    """It is a mapping that takes no other fields than these."""

    def check(self, value: object, name: str, place: Place) -> None:
        """Refuse a value that does not fit.

        Raises
        ------
        InvalidTimeline
            Names the file, the step, the field and the fix.
        """
        if not self.fits(value):
            raise place.refuse(name, f"{spelled(value)} is not {self.says}", f"Write {self.says} for {name}.")
        if self.closed and isinstance(value, Mapping):
            self._check_fields(value, name, place)

    def _check_fields(self, given: Mapping[Any, object], name: str, place: Place) -> None:
        for key, value in given.items():
            known(key, self.fields, f"{name}.{key}", place, what="field")
            self.fields[key].check(value, f"{name}.{key}", place)
        for key in sorted(self.required - given.keys()):
            raise place.refuse(f"{name}.{key}", "missing", f"{name} needs {key}, {self.fields[key].says}.")


def known(word: object, words: Collection[str], name: str, place: Place, *, what: str) -> None:
    """Refuse a word that the format doesn't know, and name the nearest one that it does."""
    if word in words:
        return
    near = get_close_matches(str(word), words, n=1)
    hint = f"Did you mean {near[0]}?" if near else f"Known: {', '.join(sorted(words)) or 'none'}."
    raise place.refuse(name, f"unknown {what}", hint)


def spelled(value: object) -> str:
    """Return a value for an error: what it is, and as it was written when it is short."""
    names = {type(None): "nothing", bool: "truth", int: "the number", float: "the number", str: "the text"}
    if type(value) in names:
        return names[type(value)] if value is None else f"{names[type(value)]} {value!r}"
    return "a list" if isinstance(value, list) else "a mapping" if isinstance(value, Mapping) else type(value).__name__


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_scalar(value: object) -> bool:
    return isinstance(value, str | int | float | bool)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def one_of(*words: str) -> Form:
    """Return the form of a field that takes one of these words."""
    return Form(says=f"one of {', '.join(words)}", fits=lambda value: isinstance(value, str) and value in words)


def mapping(required: Collection[str] = (), **fields: Form) -> Form:
    """Return the form of a mapping that takes exactly these fields."""
    return Form(
        says="a mapping",
        fits=lambda value: isinstance(value, Mapping),
        fields=fields,
        required=frozenset(required),
        closed=True,
    )


def each(form: Form, says: str) -> Form:
    """Return the form of a mapping from any names to values of one form."""
    return Form(
        says=says,
        fits=lambda value: (
            isinstance(value, Mapping) and all(map(_is_text, value)) and all(map(form.fits, value.values()))
        ),
    )


def either(*forms: Form) -> Form:
    """Return the form of a field that takes any of these."""
    return Form(
        says=" or ".join(form.says for form in forms), fits=lambda value: any(form.fits(value) for form in forms)
    )


TEXT = Form(says="text", fits=_is_text)
COUNT = Form(says="a whole number", fits=_is_count)
NUMBER = Form(says="a number", fits=_is_number)
TRUTH = Form(says="true or false", fits=lambda value: isinstance(value, bool))
TRUE = Form(says="true", fits=lambda value: value is True)
NOTHING = Form(says="nothing", fits=lambda value: value is None)
TIME = Form(says="a time such as 2026-03-01T09:00", fits=lambda value: isinstance(value, str | date))
SCALAR = Form(says="text, a number, true or false", fits=_is_scalar)
TEXTS = Form(says="a list of texts", fits=_is_texts)
NAMES = either(TEXT, TEXTS)
OPEN = Form(says="a mapping", fits=lambda value: isinstance(value, Mapping))
