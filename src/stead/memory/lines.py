"""What is remembered of a subject, line by line: the content of an export, with everything that belongs to each record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from stead.model.context import Budget, Question
from stead.model.period import Instant, iso
from stead.model.plain import spelled
from stead.recall import views
from stead.recall.ask import Ask
from stead.recall.items import as_episode
from stead.recall.questions import open_questions
from stead.store.porting import ReaderRow
from stead.store.protocol import ReadTx
from stead.store.values import EpisodeRow, PlaceRow, Revision, SubjectRow

if TYPE_CHECKING:
    from stead.memory.core import Core

Line = dict[str, Any]
FORMAT: Final = 1
"""The version of the lines; an import reads no other one."""
_PAGE: Final = 200
_OF_NOW: Final = frozenset(
    "id tenant subject sources last_verified last_access access_count embeddings created_at tx_from tx_until".split()
)
"""What an earlier version of a record has in common with it, or says of itself."""
_OF_A_SEARCH: Final = frozenset("age score lexical similarity rule superseded".split())
"""What a turn has only where it was searched."""


class Own(Ask):
    """The subject's own view: nothing is kept from it (R30)."""

    __slots__ = ()

    def may_read(self, row: Revision | EpisodeRow | PlaceRow) -> bool:
        """Return that it may."""
        del row
        return True


def lines(
    core: Core, subject: str, zone: str | None, *, export: str | None = None, form: str = "jsonl"
) -> Iterator[Line]:
    """Yield everything remembered of a subject; what is being erased, and vectors, are in no line.

    Without a snapshot around it, each page is one of its own: then others may write, and erase, while it is read.

    Parameters
    ----------
    core, subject
        The open store, and whose memory.
    zone
        In which the reader reads times; the lines have them in UTC.
    export, form
        Of a file: its id, and how it is written.
    """
    with core.backend.read() as store:
        row = store.subject(subject)
        now = _now(core, store)
    if row is None:
        return
    yield {
        "type": "export", "format": FORMAT, "id": export, "form": form, "tenant": core.backend.tenant, "subject": subject,
        "zone": zone, "exported_at": iso(now),
    }  # fmt: skip
    yield from _paged(core, row, _records)
    yield from _paged(core, row, _turns)
    for part in (_questions, _aliases, _consents, _sessions, _events):
        with core.backend.read() as store:
            found = list(part(core, store, row))
        yield from found
    yield from _paged(core, row, _decisions)
    with core.backend.read() as store:
        erasures = list(_erasures(store, row))
    yield from erasures


def _now(core: Core, store: ReadTx) -> Instant:
    return max(core.clock.now(), store.last_instant())


Page = Callable[["Core", ReadTx, SubjectRow, int], tuple[list[Line], int]]
"""Given the number of the last row, returns the lines of the next ones and the number of the last of them."""


def _paged(core: Core, row: SubjectRow, page: Page) -> Iterator[Line]:
    after = 0
    while True:
        with core.backend.read() as store:
            found, last = page(core, store, row, after)
        if last == after:
            return
        yield from found
        after = last


def _records(core: Core, store: ReadTx, row: SubjectRow, after: int) -> tuple[list[Line], int]:
    numbers = store.next_records(row.n, after, _PAGE)
    if not numbers:
        return [], after
    clock = _now(core, store)
    current = sorted(store.current_by_number(row.n, numbers), key=lambda each: each.record)
    earlier: dict[int, list[Revision]] = {}
    kept = {each.n for each in current}
    for each in store.revisions(row.n, numbers):
        if each.n not in kept:
            earlier.setdefault(each.record, []).append(each)
    used = store.readers([each.id for each in current])
    said = views.records(store, core.backend.tenant, row, current, clock)
    made = []
    for revision, record in zip(current, said, strict=True):
        line: Line = {"type": "record", **spelled(record)}
        line["why"] = views.why(store, row, revision, clock)
        line["history"] = _history(core, store, row, earlier.get(revision.record, ()), line, clock)
        line["used_by"] = _readers(used.get(revision.id, ()))
        made.append(line)
    return made, numbers[-1]


def _history(
    core: Core, store: ReadTx, row: SubjectRow, earlier: Sequence[Revision], line: Line, clock: Instant
) -> list[Line]:
    """Return the earlier versions of a record, oldest first: from when until when, and what was different."""
    found = [spelled(each) for each in views.records(store, core.backend.tenant, row, earlier, clock)]
    return [
        {
            "tx_from": each["tx_from"], "tx_until": each["tx_until"],
            **{name: value for name, value in each.items() if name not in _OF_NOW and value != line[name]},
        }
        for each in found
    ]  # fmt: skip


def _readers(rows: Sequence[ReaderRow]) -> list[Line]:
    return [
        {"purpose": each.purpose, "audience": list(each.audience), "last_access": iso(each.last_access),
         "accesses": each.accesses}
        for each in rows
    ]  # fmt: skip


def _turns(core: Core, store: ReadTx, row: SubjectRow, after: int) -> tuple[list[Line], int]:
    numbers = store.next_turns(row.n, after, _PAGE)
    if not numbers:
        return [], after
    ask = _own(core, store, row)
    found = sorted(store.episodes(row.n, numbers), key=lambda each: each.n)
    used = store.readers([each.id for each in found])
    made = []
    for each in found:
        said = {name: value for name, value in spelled(as_episode(each, ask)).items() if name not in _OF_A_SEARCH}
        purpose = list(each.purpose or ())
        made.append(
            {
                "type": "episode",
                **said,
                "purpose": purpose,
                "zone": each.zone,
                "used_by": _readers(used.get(each.id, ())),
            }
        )
    return made, numbers[-1]


def _own(core: Core, store: ReadTx, row: SubjectRow) -> Ask:
    now = _now(core, store)
    return Own(
        subject=row, query="", slot=None, category=None, scopes=(), at=now, known_at=now, past=None, include_cold=True,
        purpose=None, audiences=frozenset(), policy=core.policy, zone=None, budget=Budget(),
    )  # fmt: skip


def _questions(core: Core, store: ReadTx, row: SubjectRow) -> Iterator[Line]:
    ask = _own(core, store, row)
    for quarantined in (False, True):
        for each in open_questions(store, ask, quarantined=quarantined):
            yield _question(each, quarantined=quarantined)


def _question(each: Question, *, quarantined: bool) -> Line:
    return {
        "type": "question", "id": each.id, "kind": each.kind, "scope": each.scope, "slot": each.slot, "event": each.event,
        "records": [claim.id for claim in each.claims], **{name: spelled(each)[name] for name in ("since", "until")},
        "quarantined": quarantined,
    }  # fmt: skip


def _aliases(core: Core, store: ReadTx, row: SubjectRow) -> Iterator[Line]:
    del core
    for each in store.named(row.n):
        yield {
            "type": "alias", "name": each.name, "means": each.means, "known_at": iso(each.tx),
            "ended": None if each.ended is None else iso(each.ended),
        }  # fmt: skip


def _consents(core: Core, store: ReadTx, row: SubjectRow) -> Iterator[Line]:
    del core
    for name, allowed, tx in store.said_consents(row.n):
        yield {"type": "consent", "class": name, "allowed": allowed, "known_at": iso(tx)}


def _sessions(core: Core, store: ReadTx, row: SubjectRow) -> Iterator[Line]:
    del core
    for each in store.all_sessions(row.n):
        yield {
            "type": "session", "conversation": each.conversation, "opened": iso(each.opened),
            "closed": None if each.closed is None else iso(each.closed),
        }  # fmt: skip


def _events(core: Core, store: ReadTx, row: SubjectRow) -> Iterator[Line]:
    del core
    for name, scope, tx in store.reported(row.n):
        yield {"type": "event", "name": name, "scope": scope, "known_at": iso(tx)}


def _decisions(core: Core, store: ReadTx, row: SubjectRow, after: int) -> tuple[list[Line], int]:
    del core
    page = store.log_page(row.n, limit=_PAGE, after=after)
    found = [{"type": "decision", **each} for each in views.log(store, row, page)]
    return found, page[-1].n if page else after


def _erasures(store: ReadTx, row: SubjectRow) -> Iterator[Line]:
    """Yield what was erased, by ids and numbers alone: what it was selected by may say what it was."""
    for each in store.erasures(row.n):
        job = store.job(each.id)
        yield {
            "type": "erasure", "id": each.id, "known_at": iso(each.tx), "status": each.status, "records": each.records,
            "turns": each.episodes, "receipt": None if job is None else job.receipt,
        }  # fmt: skip
