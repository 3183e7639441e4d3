"""Values as JSON carries them, everywhere by the same words."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta


def plain(value: object) -> object:
    """Return a value as JSON carries it: times in UTC with a Z, durations in seconds, fields by their names.

    Fields that begin with an underscore are left out.
    """
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return spelled(value) if is_dataclass(value) else value


def spelled(value: object) -> dict[str, object]:
    """Return a dataclass as JSON carries it."""
    return {
        each.name: plain(getattr(value, each.name))
        for each in fields(value)  # type: ignore[arg-type]
        if not each.name.startswith("_")
    }
