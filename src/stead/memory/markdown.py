"""An export as a page that a person can read: plain words, dates in the person's zone, one paragraph a record.

Remembered text is shown as text: what in it would be a heading, HTML or a link for Markdown is escaped (`stead.memory.escaping`).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from stead.memory.escaping import Reader, escape, listed, plural
from stead.model.slot import SELF
from stead.store.values import AGENT

Line = Mapping[str, Any]
Lines = Sequence[Line]
Piece = tuple[str, str]
"""The type of line that a piece of the page is of ('' for none), and its text."""
_ENDS: Final = (".", "!", "?", "…")
_FRONT: Final = ("export", "form", "format", "tenant", "subject", "zone", "exported_at", "note")
_AUTHORITY: Final = {
    "system_of_record": "Read from the system that it belongs to, by",
    "confirmed": "Set or confirmed by",
    "stated": "Said in passing by",
    "inferred": "Guessed, not confirmed, from the words of",
    "external": "From a third party:",
}
_WAITS: Final = {
    "confirm": "Is this so?",
    "clarify": "When does this hold?",
    "contested": "Which of these is right?",
    "review": "Does this still hold?",
}


def markdown(lines: Iterable[Line]) -> Iterator[Piece]:
    """Yield the page piece by piece."""
    head: Line = {}
    by_type: dict[str, list[Line]] = {}
    for line in lines:
        if line["type"] == "export":
            head = line
        else:
            by_type.setdefault(line["type"], []).append(line)
    if not head:
        return
    yield "export", _front(head)
    if "note" in head:
        yield "", "\nNothing is remembered.\n"
        return
    reader = Reader(
        subject=head["subject"], zone=ZoneInfo(head["zone"] or "UTC"),
        now=datetime.fromisoformat(head["exported_at"]).astimezone(UTC),
        claims={each["id"]: each["claim"] for each in by_type.get("record", ())},
    )  # fmt: skip
    yield "", _opening(reader, head, by_type)
    for part in (_records, _questions, _turns, _names, _consents, _events, _decisions, _erasures):
        yield from part(reader, by_type)


def _front(head: Line) -> str:
    told = {**head, "export": head["id"], "form": "markdown"}
    rows = [f"{name}: {json.dumps(told[name], ensure_ascii=False)}" for name in _FRONT if name in told]
    return "\n".join(["---", *rows, "---", ""])


def _opening(reader: Reader, head: Line, found: Mapping[str, Lines]) -> str:
    records = found.get("record", ())
    if not any(found.values()):
        return f"\n# What is remembered about {escape(reader.subject)}\n\nNothing is remembered.\n"
    states = Counter(_state(reader, each)[0] for each in records)
    told = [f"{states[name]} {one if states[name] == 1 else more}" for name, one, more in _STATES if states[name]]
    parts = [f"{plural(len(records), 'record')} ({', '.join(told)})" if records else "no record"]
    parts += [plural(len(found[kind]), word) for kind, word in _COUNTED if found.get(kind)]
    return (
        f"\n# What is remembered about {escape(reader.subject)}\n\n"
        f"Written on {reader.day(head['exported_at'])}; all times are those of {reader.zone.key}. There "
        f"{'is' if len(records) == 1 else 'are'} {listed(parts)}.\n"
    )


_STATES: Final = (
    ("now", "holds today", "hold today"),
    ("later", "will hold later", "will hold later"),
    ("waits", "waits for an answer", "wait for an answer"),
    ("past", "holds no more", "hold no more"),
)
_COUNTED: Final = (("question", "open question"), ("episode", "turn of a conversation"), ("erasure", "erasure"))


# --- records ------------------------------------------------------------------------------------------------------------


def _records(reader: Reader, found: Mapping[str, Lines]) -> Iterator[Piece]:
    by_category: dict[str, list[Line]] = {}
    for each in found.get("record", ()):
        by_category.setdefault(each["category"] or "", []).append(each)
    for name in sorted(by_category, key=lambda name: (not name, name)):
        title = escape(name.replace("_", " ").replace(".", ", ")).capitalize() if name else "Everything else"
        yield "", f"\n## {title}\n"
        past = [each for each in by_category[name] if _state(reader, each)[0] == "past"]
        for each in by_category[name]:
            if each not in past:
                yield "record", _record(reader, each)
        if past:
            yield "", "\n### No longer\n"
        for each in past:
            yield "record", _record(reader, each)


def _record(reader: Reader, record: Line) -> str:
    told = [
        f"**{escape(record['claim'])}{'' if record['claim'].endswith(_ENDS) else '.'}**",
        _origin(reader, record),
        _state(reader, record)[1],
        _limits(reader, record),
        _uses(reader, record["used_by"]),
        f"`{record['id']}`",
    ]
    lines = [f"\n{' '.join(each for each in told if each)}\n"]
    history = _history(reader, record)
    if len(history) > 1:
        lines += ["\n", *(f"- {each}\n" for each in history)]
    return "".join(lines)


def _state(reader: Reader, record: Line) -> tuple[str, str]:
    """Return whether a record holds ``now``, ``later``, ``past``, or ``waits``; and that in words."""
    status = record["status"]
    if status == "proposed":
        return "waits", "This waits for an answer and is not used as a fact."
    if status == "rejected":
        return "past", "This was proposed, and the answer was no."
    if status == "retracted":
        return "past", "This was taken back: it was never true."
    if reader.is_past(record["expires_at"]):
        return "past", f"This was kept until {reader.day(record['expires_at'])} and is not used any more."
    spans = record["stands"]
    if not spans:
        return "past", "This holds at no time any more."
    now = any((start is None or reader.is_past(start)) and not reader.is_past(end) for start, end in spans)
    later = not now and not reader.is_past(spans[-1][1])
    words = "Holds" if now else "Will hold" if later else "Held"
    when = f"{words} {listed([_span(reader, start, end, record['observed_at']) for start, end in spans])}"
    if status == "contested":
        return ("now" if now or later else "past"), f"{when}; somebody else says otherwise, and nobody has settled it."
    replaced = f"; then {reader.quoted(record['superseded_by'])} took its place" if record["superseded_by"] else ""
    return ("now" if now else "later" if later else "past"), f"{when}{replaced}."


def _span(reader: Reader, start: str | None, end: str | None, said: str) -> str:
    if start is None:
        return "at all times" if end is None else f"until {reader.day(end)}"
    begin = "then" if start == said else reader.day(start)
    if end is None:
        return f"since {begin}" if reader.is_past(start) else f"from {begin}"
    return f"from {begin} until {reader.day(end)}"


def _origin(reader: Reader, record: Line) -> str:
    places = list(dict.fromkeys(_place(each) for each in record["sources"]))
    told = f"{_AUTHORITY[record['authority']]} {escape(record['speaker'])} on {reader.day(record['observed_at'])}"
    others = [each["speaker"] for each in record["sources"] if each["speaker"] != record["speaker"]]
    if others:
        told += f", and by {listed([escape(each) for each in dict.fromkeys(others)])}"
    named = [each for each in places if each]
    return f"{told} ({'; '.join(named)})." if named else f"{told}."


def _place(source: Line) -> str:
    if source["conversation"]:
        turn = f", turn {escape(source['turn'])}" if source["turn"] else ""
        return f"conversation {escape(source['conversation'])}{turn}"
    return escape(source["uri"])


def _limits(reader: Reader, record: Line) -> str:
    """Return where a record applies, for whom and for what, as far as it is limited."""
    told = []
    if record["attribute"] is not None:
        of = "" if record["entity"] in (None, SELF) else f"{escape(record['entity'])}, "
        item = f" ({escape(record['object'])})" if record["object"] else ""
        value = "no value here" if record["unset"] else escape(record["value"])
        told.append(f"Filed as {of}{escape(record['attribute'])}{item}: {value}.")
    if record["scope"]:
        told.append(f"Only in {escape(record['scope'])}.")
    if record["purpose"]:
        told.append(f"Only for {listed([escape(each) for each in record['purpose']])}.")
    if record["audience"] != [AGENT]:
        told.append(f"Readable by {listed([escape(each) for each in record['audience']])}.")
    if record["sensitivity"]:
        told.append(f"Sensitive: {escape(record['sensitivity'].replace('+', ', '))}.")
    if record["owner"] != reader.subject:
        told.append(f"Owned by {escape(record['owner'])}.")
    if record["expires_at"] and not reader.is_past(record["expires_at"]):
        told.append(f"Kept until {reader.day(record['expires_at'])} at most.")
    if record["review_events"]:
        told.append(f"Asked about again after: {listed([escape(each) for each in record['review_events']])}.")
    if record["tier"] == "cold":
        told.append("Put away: found only when it is asked for.")
    return " ".join(told)


def _uses(reader: Reader, used_by: Lines) -> str:
    if not used_by:
        return ""
    told = []
    for each in used_by:
        times = "once" if each["accesses"] == 1 else f"{each['accesses']} times"
        who = [escape(name) for name in each["audience"] if name != AGENT]
        told.append(
            times
            + (f" by {listed(who)}" if who else "")
            + (f" for {escape(each['purpose'])}" if each["purpose"] else "")
        )
    return f"Used in answers {listed(told)}, last on {reader.day(max(each['last_access'] for each in used_by))}."


def _history(reader: Reader, record: Line) -> list[str]:
    """Return what happened to a record, in the order in which it happened: each decision with its reason."""
    versions = {each["tx_until"]: each for each in record["history"]}
    told = []
    for each in record["why"]["decisions"]:
        before = versions.get(each["known_at"], {})
        was = f"; before, it read “{escape(before['claim'])}”" if "claim" in before else ""
        words = _DONE if each["record"] == record["id"] else _DONE_TO
        told.append(
            f"{reader.day(each['known_at'])}: {words.get(each['decision'], 'changed')} ({escape(each['reason'])}){was}"
        )
    return told


_DONE: Final = {
    "ADD": "noted", "SUPERSEDE": "noted in the place of an older one", "NOOP": "said again", "OVERRIDE": "noted as an exception",
    "CONTEST": "noted, though somebody says otherwise", "CONFIRM": "noted as a question", "REJECT": "turned away",
}  # fmt: skip
"""What a decision did, to the record that it is about."""
_DONE_TO: Final = {
    "SUPERSEDE": "a newer one took its place", "OVERRIDE": "an exception was noted", "CONTEST": "somebody says otherwise",
}  # fmt: skip
"""What it did to others."""


# --- beside the records -------------------------------------------------------------------------------------------------


def _questions(reader: Reader, found: Mapping[str, Lines]) -> Iterator[Piece]:
    for number, each in enumerate(found.get("question", ())):
        if not number:
            yield "", "\n## Waiting for an answer\n\n"
        asked = "This reads like an order to an agent. Keep it?" if each["quarantined"] else _WAITS[each["kind"]]
        event = f" (because of: {escape(each['event'])})" if each["event"] else ""
        named = " or ".join(reader.quoted(name) for name in each["records"])
        yield "question", f"- {asked}{event} {named}, asked on {reader.day(each['since'])}. `{each['id']}`\n"


def _turns(reader: Reader, found: Mapping[str, Lines]) -> Iterator[Piece]:
    sessions = {each["conversation"]: each for each in found.get("session", ())}
    talks: dict[str, list[Line]] = {name: [] for name in sessions}
    for each in found.get("episode", ()):
        talks.setdefault(each["conversation"], []).append(each)
    if talks:
        yield "", "\n## What was said\n"
    for name, turns in talks.items():
        session = sessions.get(name)
        state = "" if session is None else f"\nOpened on {reader.day(session['opened'])}, {_ended(reader, session)}.\n"
        yield ("session" if session else ""), f"\n### Conversation {escape(name)}\n{state}\n"
        for each in turns:
            role = "" if each["role"] in ("user", each["speaker"]) else f" ({escape(each['role'])})"
            who = escape(each["speaker"]) + role
            uses = _uses(reader, each["used_by"])
            yield (
                "episode",
                f"- {reader.day(each['said_at'])}, {who}: {escape(each['text'])}{' — ' + uses if uses else ''}\n",
            )


def _ended(reader: Reader, session: Line) -> str:
    return f"ended on {reader.day(session['closed'])}" if session["closed"] else "still open"


def _names(reader: Reader, found: Mapping[str, Lines]) -> Iterator[Piece]:
    rows = [
        f"{escape(each['name'])} means {escape(each['means'])}, since {reader.day(each['known_at'])}"
        + (f", until {reader.day(each['ended'])}" if each["ended"] else "")
        for each in found.get("alias", ())
    ]
    yield from _section("Other names", "alias", rows)


def _consents(reader: Reader, found: Mapping[str, Lines]) -> Iterator[Piece]:
    rows = [
        f"{reader.day(each['known_at'])}: {escape(each['class'])} {'allowed' if each['allowed'] else 'not allowed'}"
        for each in found.get("consent", ())
    ]
    yield from _section("What may be remembered", "consent", rows)


def _events(reader: Reader, found: Mapping[str, Lines]) -> Iterator[Piece]:
    rows = [
        f"{reader.day(each['known_at'])}: {escape(each['name'])}"
        + (f" in {escape(each['scope'])}" if each["scope"] else "")
        for each in found.get("event", ())
    ]
    yield from _section("What was reported", "event", rows)


def _decisions(reader: Reader, found: Mapping[str, Lines]) -> Iterator[Piece]:
    log = found.get("decision", ())
    if not log:
        return
    counts = Counter(_DECIDED.get(each["decision"], "changed") for each in log)
    told = listed([f"{count} {name}" for name, count in counts.most_common()])
    yield "", f"\n## What was decided\n\n{plural(len(log), 'decision')}: {told}.\n"
    away = [each for each in log if each["decision"] == "REJECT" and each["record"] is None]
    if away:
        yield "", "\nOf this nothing was kept:\n\n"
    for each in away:
        place = f", conversation {escape(each['conversation'])}" if each["conversation"] else ""
        yield "", f"- {reader.day(each['known_at'])}{place}: {escape(each['reason'])}\n"
    yield from (("decision", "") for _ in log)


_DECIDED: Final = {
    "ADD": "new", "SUPERSEDE": "in the place of an older one", "NOOP": "known already", "OVERRIDE": "exceptions",
    "CONTEST": "contested", "CONFIRM": "asked about first", "REJECT": "turned away", "ERASE": "erased",
}  # fmt: skip


def _erasures(reader: Reader, found: Mapping[str, Lines]) -> Iterator[Piece]:
    rows = []
    for each in found.get("erasure", ()):
        state = "done" if each["status"] == "complete" else "unreadable already, and being removed"
        receipt = "" if each["receipt"] is None else f"; its receipt is number {each['receipt']} of the ledger"
        rows.append(
            f"{reader.day(each['known_at'])}: {plural(each['records'], 'record')}, {state}{receipt}. `{each['id']}`"
        )
    yield from _section("What was erased", "erasure", rows)


def _section(title: str, kind: str, rows: Sequence[str]) -> Iterator[Piece]:
    if rows:
        yield "", f"\n## {title}\n\n"
        yield from ((kind, f"- {row}\n") for row in rows)
