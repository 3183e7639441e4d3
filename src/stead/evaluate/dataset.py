"""The LoCoMo data set, read strictly: dated two-person conversations, and questions that cite the turns of their answer.

Maharana et al. 2024, "Evaluating Very Long-Term Conversational Memory of LLM Agents". The file is not part of Stead.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from stead.errors import InvalidArgument

FILES = ("locomo10_official.json", "locomo10.json")
"""How the data file may be called in a folder."""
AUDIT = "audit_errors.json"
"""Questions with errors that others found and corrected."""
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_SESSION = re.compile(r"session_([1-9]\d*)\Z")
_WHEN = re.compile(r"(\d{1,2}):(\d{2}) ([ap]m) on (\d{1,2}) ([A-Z][a-z]+), (\d{4})\Z")
_BETWEEN_IDS = re.compile(r"[;,\s]+")
_AUDITED = re.compile(r"locomo_(\d+)_qa(\d+)\Z")
_MONTHS = (
    "January February March April May June July August September October November December".split()
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What one person said."""

    id: str
    speaker: str
    text: str
    """With the caption of a shared picture in brackets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """One dated session."""

    name: str
    """For instance ``session-3``."""
    when: datetime
    """The data set names no zone: its wall time is taken as UTC."""
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question and the turns that answer it."""

    text: str
    category: int
    evidence: tuple[str, ...]
    corrected: tuple[str, ...]
    """What the audit says; the cited evidence where it says nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """The sessions of two people, and questions about them."""

    name: str
    sessions: tuple[Talk, ...]
    questions: tuple[Asked, ...]
    unknown: tuple[str, ...]
    """Evidence that names no turn, as it stands in the file; it is left out."""


def load(path: str | Path, *, audited: bool = False) -> list[Conversation]:
    """Read the data set.

    Parameters
    ----------
    path
        The file, or the folder with it.
    audited
        Whether the folder's ``audit_errors.json`` is read too.

    Raises
    ------
    InvalidArgument
        No such file, or it isn't what it should be; the message says where.
    """
    file = _file(Path(path))
    conversations = [_conversation(each, f"[{n}]") for n, each in enumerate(_list(_json(file), "the file"))]
    names = [each.name for each in conversations]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise _wrong(f"{twice}.sample_id", "used twice")
    return _corrected(conversations, file.with_name(AUDIT)) if audited else conversations


def pick(conversations: Sequence[Conversation], name: str) -> Conversation:
    """Return the conversation of that name, or of that place, from 1.

    Raises
    ------
    InvalidArgument
    """
    names = [each.name for each in conversations]
    if name in names:
        return conversations[names.index(name)]
    if name.isascii() and name.isdigit() and 1 <= int(name) <= len(names):
        return conversations[int(name) - 1]
    raise InvalidArgument("conversation", "there is none of this name or place", f"Use one of: {', '.join(names)}.")


def _file(path: Path) -> Path:
    if path.is_file():
        return path
    for name in FILES:
        if (path / name).is_file():
            return path / name
    raise InvalidArgument("data", "no LoCoMo file there", f"Name the file, or the folder that holds {FILES[0]}.")


def _json(file: Path) -> object:
    try:
        return json.loads(file.read_bytes())
    except (UnicodeDecodeError, json.JSONDecodeError):
        raise _wrong(file.name, "not JSON") from None
    except OSError as error:
        raise _wrong(file.name, f"can't be read: {error.strerror}") from None


def _conversation(raw: object, where: str) -> Conversation:
    name = _text(_field(raw, "sample_id", where), f"{where}.sample_id")
    talk = _mapping(_field(raw, "conversation", name), f"{name}.conversation")
    numbers = sorted(int(found[1]) for key in talk if (found := _SESSION.match(key)))
    if not numbers:
        raise _wrong(f"{name}.conversation", "no session")
    sessions = tuple(_session(talk, number, name) for number in numbers)
    ids = [turn.id for session in sessions for turn in session.turns]
    known = set(ids)
    if len(known) < len(ids):
        raise _wrong(name, f"dia_id {next(each for each in ids if ids.count(each) > 1)} is used twice")
    asked = list(enumerate(_list(_field(raw, "qa", name), f"{name}.qa")))
    unknown: list[str] = []
    questions = tuple(_question(each, f"{name}.qa[{n}]", known, unknown) for n, each in asked)
    return Conversation(name=name, sessions=sessions, questions=questions, unknown=tuple(unknown))


def _session(talk: Mapping[str, Any], number: int, name: str) -> Talk:
    where = f"{name}.session_{number}"
    turns = _list(talk[f"session_{number}"], where)
    if not turns:
        raise _wrong(where, "no turn")
    return Talk(
        name=f"session-{number}",
        when=_when(_field(talk, f"session_{number}_date_time", name), f"{where}_date_time"),
        turns=tuple(_turn(each, f"{where}[{n}]") for n, each in enumerate(turns)),
    )


def _turn(raw: object, where: str) -> Turn:
    text = _text(_field(raw, "text", where), f"{where}.text")
    caption = _mapping(raw, where).get("blip_caption")
    if caption is not None:
        text = f"{text} [{_text(caption, f'{where}.blip_caption')}]"
    return Turn(
        id=_text(_field(raw, "dia_id", where), f"{where}.dia_id"),
        speaker=_text(_field(raw, "speaker", where), f"{where}.speaker"),
        text=text,
    )


def _question(raw: object, where: str, known: set[str], unknown: list[str]) -> Asked:
    category = _field(raw, "category", where)
    if isinstance(category, bool) or category not in CATEGORIES:
        raise _wrong(f"{where}.category", "not one of 1 to 5")
    evidence = _evidence(_mapping(raw, where).get("evidence") or [], f"{where}.evidence", known, unknown)
    text = _text(_field(raw, "question", where), f"{where}.question")
    return Asked(text=text, category=category, evidence=evidence, corrected=evidence)


def _evidence(raw: object, where: str, known: set[str], unknown: list[str]) -> tuple[str, ...]:
    """Return the turns that are named; some entries hold several ids, some a typing error."""
    cited = [_text(each, f"{where}[{n}]") for n, each in enumerate(_list(raw, where))]
    ids = dict.fromkeys(part for each in cited for part in _BETWEEN_IDS.split(each) if part)
    unknown += [each for each in ids if each not in known]
    return tuple(each for each in ids if each in known)


def _corrected(conversations: Sequence[Conversation], file: Path) -> list[Conversation]:
    if not file.is_file():
        raise InvalidArgument("audited", f"no {AUDIT} beside the data", "Leave it out, or add the file.")
    found = dict(_corrections(conversations, file))
    return [
        _replaced(each, {place: ids for (which, place), ids in found.items() if which == n})
        for n, each in enumerate(conversations)
    ]


def _corrections(
    conversations: Sequence[Conversation], file: Path
) -> Iterator[tuple[tuple[int, int], tuple[str, ...]]]:
    for n, raw in enumerate(_list(_json(file), file.name)):
        where = f"{file.name}[{n}]"
        match = _AUDITED.match(_text(_field(raw, "question_id", where), f"{where}.question_id"))
        if match is None or int(match[1]) >= len(conversations):
            raise _wrong(f"{where}.question_id", "names no question")
        conversation, place = conversations[int(match[1])], int(match[2])
        if place >= len(conversation.questions) or conversation.questions[place].text != _field(raw, "question", where):
            raise _wrong(f"{where}.question", "not the question of that id")
        known = {turn.id for session in conversation.sessions for turn in session.turns}
        evidence = _evidence(_field(raw, "correct_evidence", where), f"{where}.correct_evidence", known, [])
        yield (int(match[1]), place), evidence


def _replaced(conversation: Conversation, evidence: Mapping[int, tuple[str, ...]]) -> Conversation:
    questions = tuple(
        Asked(text=each.text, category=each.category, evidence=each.evidence, corrected=evidence.get(n, each.evidence))
        for n, each in enumerate(conversation.questions)
    )
    return Conversation(
        name=conversation.name, sessions=conversation.sessions, questions=questions, unknown=conversation.unknown
    )


def _when(raw: object, where: str) -> datetime:
    match = _WHEN.match(_text(raw, where))
    if match is None or match[5] not in _MONTHS or not 1 <= int(match[1]) <= 12:
        raise _wrong(where, 'not a time like "1:56 pm on 8 May, 2023"')
    hour = int(match[1]) % 12 + (12 if match[3] == "pm" else 0)
    try:
        return datetime(
            int(match[6]), _MONTHS.index(match[5]) + 1, int(match[4]), hour, int(match[2]), tzinfo=UTC
        )  # fmt: skip
    except ValueError:
        raise _wrong(where, "no such day or time") from None


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
