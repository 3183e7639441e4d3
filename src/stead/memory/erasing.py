"""Carrying out an erasure, step by step: each is noted, and a run that is killed goes on where it was (R32, R33).

=============  =====================================================================================================
step           what is done when it is noted
=============  =====================================================================================================
``hidden``     one transaction: unreadable, epoch raised, fences, ledger (`stead.memory.hiding`)
``purged``     rows, revisions, sources, log, full text, vectors and retries are gone, some records at a time
``outside``    exports written anew, sinks told, the key of the backups of a whole subject destroyed
``swept``      the write-ahead log is folded into the file and empty
``verified``   looked for as a new reader would, and in the bytes of every file
``receipt``    the receipt is in the ledger; what was looked for is gone too
=============  =====================================================================================================
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from stead.errors import UnknownRecord
from stead.memory import outside, verifying
from stead.memory.hiding import adopt, hide
from stead.memory.outside import surface
from stead.memory.selecting import Selected, with_kin
from stead.model.erasure import Receipt, Retained, Surface
from stead.model.outcome import Outcome
from stead.model.slot import FROM_TEXT, Slot
from stead.model.words import tokens
from stead.model.zone import instant as read_instant
from stead.policy import Policy
from stead.recall.items import moment
from stead.store.erasing import Indexed
from stead.store.values import JobRow, Selects, Shelf, SubjectRow, Wanted

if TYPE_CHECKING:
    from stead.lifecycle.erase.ledger import Entry
    from stead.memory.core import Core

BATCH: Final = 200
"""Records or turns that one transaction removes."""
PATIENCE: Final = 5.0
"""Seconds to wait for readers that hold an older state of the file."""
STEPS: Final = ("hidden", "purged", "outside", "swept", "verified", "receipt")


def reached(step: str) -> None:
    """Do nothing; a test stops an erasure here, by the name of the step."""
    del step


def carry_out(core: Core, erasure: str, *, patience: float | None = None) -> Receipt:
    """Do what is left of an erasure, and return its receipt.

    Parameters
    ----------
    core, erasure
        The open store, and the id of the erasure.
    patience
        Seconds to wait for readers that hold an older state of the file; `PATIENCE` by default.

    Returns
    -------
    Receipt
        Complete, or with what failed; then nothing of it can be read, and another call goes on with it.

    Raises
    ------
    UnknownRecord
        There is no such erasure.
    """
    job = _job(core, erasure)
    if job.status == "complete":
        return receipt(core, erasure)
    reached("hidden")
    if core.vault.ledger().find("erasure", job.id) is None:
        _adopt(core, job)
    purge(core, job)
    reached("purged")
    job = _job(core, erasure)
    told = outside.carry_out(core, job)
    job = _note(core, replace(job, step="outside"))
    reached("outside")
    patience = PATIENCE if patience is None else patience
    swept = core.backend.sweep(patience)
    job = _note(core, replace(job, step="swept" if swept else job.step))
    core.backend.sweep(patience)  # the note itself stands in the log again
    reached("swept")
    seen = verifying.verify(core, job)
    reached("verified")
    surfaces = (*_removed(core, job), *told.surfaces, surface(core, "wal", "removed" if swept else "failed"), *seen)
    failed = tuple(each.surface for each in surfaces if each.result == "failed")
    made = Receipt(
        erasure=job.id, subject=_subject(core, job).ref or "", by=tuple(job.by.split("+")), requester=job.requester,
        requested=_time(core, job.tx), finished=_time(core), complete=not failed, epoch=job.epoch,
        records=job.done.get("records", 0), episodes=job.done.get("episodes", 0), surfaces=surfaces,
        retained=(*told.retained, *_retained(job)), failed=failed,
    )  # fmt: skip
    return _close(core, job, made)


def _adopt(core: Core, job: JobRow) -> None:
    with core.backend.write() as store:
        desk = core.desk(store, _subject(core, job), "erase")
        adopt(desk, job)
        for last in desk.at_commit:
            last()


def purge(core: Core, job: JobRow) -> None:
    """Remove the rows, some records at a time; writers go on between."""
    while True:
        with core.backend.write() as store:
            now = store.job(job.id)
            assert now is not None
            gone = store.purge(now, indexed(core.policy), BATCH)
            last = not gone
            if last and now.whole and now.step == "hidden":
                gone = store.purge_subject(now)
                store.rename(now.subject, core.vault.pseudonym(_subject(core, now).name))
            done = dict(Counter(now.done) + Counter(gone))
            store.step(replace(now, done=done, step="purged" if last and now.step == "hidden" else now.step))
        reached("purging")
        if last:
            return


def indexed(policy: Policy) -> Indexed:
    """Return how the texts of rows may have been indexed, by what was their slot."""

    def words(shelf: Shelf, texts: tuple[str, ...]) -> Iterator[Sequence[str]]:
        if shelf == "episodes":
            yield tokens(f"{texts[0]} {texts[1]}")
            return
        claim, value, item, entity, attribute, _ = texts
        if attribute and not attribute.startswith(FROM_TEXT):
            named = [
                attribute.replace(".", " ").replace("_", " "),
                item,
                value,
                *([] if entity == "user" else [entity]),
            ]
            yield tokens(f"{claim} {' '.join([*named, *policy.terms(Slot(attribute))])}")
            yield tokens(f"{claim} {' '.join(named)}")
        yield tokens(claim)

    return words


def receipt(core: Core, erasure: str) -> Receipt:
    """Return the newest receipt of an erasure from the ledger: that of its end, else of the last try.

    Raises
    ------
    UnknownRecord
        There is none.
    LedgerBroken
    """
    ledger = core.vault.ledger()
    entry = ledger.find("receipt", erasure)
    if entry is None:
        tries = [each for each in ledger.entries("incomplete") if each.body["of"] == erasure]
        entry = tries[-1] if tries else None
    if entry is None:
        raise UnknownRecord(
            f"erasure: there is no receipt of {erasure}", field="erasure", hint="See `stead receipt list`."
        )
    return from_entry(entry.seq, entry.body)


def finished(core: Core, outcome: Outcome) -> Receipt:
    """Return the receipt of the erasure that a write began and that was carried out, or couldn't be, right after it."""
    assert outcome.erasure is not None
    if outcome.warnings and not outcome.replayed:
        with suppress(UnknownRecord):  # it couldn't even be tried: the next call says why
            tried = receipt(core, outcome.erasure)
            if not tried.complete:
                return tried
    return carry_out(core, outcome.erasure)


def from_entry(seq: int, body: dict[str, object]) -> Receipt:
    """Read a receipt from an entry of the ledger."""
    given = {name: body[name] for name in Receipt.__dataclass_fields__ if name in body}
    given.setdefault("erasure", body.get("of"))
    given["surfaces"] = tuple(Surface(**each) for each in body["surfaces"])  # type: ignore[attr-defined]
    given["retained"] = tuple(Retained(**each) for each in body["retained"])  # type: ignore[attr-defined]
    return Receipt(**{
        **{name: tuple(each) if isinstance(each, list) else each for name, each in given.items()}, "seq": seq,
    })  # type: ignore[arg-type]  # fmt: skip


def resume(core: Core) -> list[Receipt]:
    """Go on with every erasure of the store that isn't complete, oldest first."""
    with core.backend.read() as store:
        waiting = store.unfinished()
    return [carry_out(core, each.id) for each in waiting]


def replay(core: Core, entries: Sequence[Entry]) -> int:
    """Erase in a restored store what the ledger says was erased since its backup, before anybody reads it (R33).

    Parameters
    ----------
    core
        The restored store, which has no reader yet.
    entries
        The ``erasure`` entries of the ledger after the backup, in order.

    Returns
    -------
    int
        How many of them erased something here.
    """
    with core.backend.read() as store:
        begun = [each.id for each in store.unfinished()]
    found = [again for each in entries if (again := _again(core, each)) is not None]
    for erasure in (*begun, *found):
        purge(core, _job(core, erasure))
        with core.backend.write() as store:
            job = store.job(erasure)
            assert job is not None
            entry = core.vault.ledger().find("receipt", erasure)
            store.drop_needles(job.n)
            seq = None if entry is None else entry.seq
            store.step(replace(job, status="complete", step="receipt", selects=Selects(), receipt=seq))
    return len(found)


def _again(core: Core, entry: Entry) -> str | None:
    """Make unreadable what an entry names; None where there is nothing of it, or it is known already."""
    body = entry.body
    with core.backend.write() as store:
        subject = store.subject_by_ref(str(body["subject"]))
        if subject is None or store.job(str(body["erasure"])) is not None:
            return None
        number = subject.n
        if body["whole"]:
            records, turns = store.everything(number)
            chosen = Selected(records=set(records), turns=set(turns))
        else:
            chosen = Selected()
            ids = Wanted(ids=(*body["records"], *body["episodes"]))
            chosen.records, chosen.turns = store.selected(number, ids)
            with_kin(store, chosen)
            chosen.turns |= {row.n for row in store.turns_behind(number, sorted(chosen.records))}
            if not chosen.records and not chosen.turns:
                return None
        job = JobRow(
            id=str(body["erasure"]), subject=number, tx=store.instant(read_instant(str(body["at"]))), by="restore",
            requester="restore", whole=bool(body["whole"]), scan=False,
        )  # fmt: skip
        hide(core.desk(store, subject, "restore"), chosen, job, noted=True)
    return str(body["erasure"])


def _close(core: Core, job: JobRow, made: Receipt) -> Receipt:
    """Put the receipt into the ledger, and let go of what was kept for the verification."""
    body = {name: each for name, each in made.as_dict().items() if name != "seq"}
    with core.backend.write() as store:
        if not made.complete:
            body["of"] = body.pop("erasure")  # each attempt has its own entry; of what is about an erasure there is one
            entry = core.vault.ledger().append("incomplete", body, core.vault.keys())
            store.step(replace(job, status="incomplete"))
            return replace(made, seq=entry.seq)
        entry = core.vault.ledger().append("receipt", body, core.vault.keys())
        reached("receipt")
        store.drop_needles(job.n)
        store.step(replace(job, status="complete", step="receipt", selects=Selects(), receipt=entry.seq))
    core.backend.sweep(PATIENCE)
    return from_entry(entry.seq, entry.body)


def _job(core: Core, erasure: str) -> JobRow:
    with core.backend.read() as store:
        found = store.job(erasure)
    if found is None:
        raise UnknownRecord(f"erasure: there is no {erasure}", field="erasure")
    return found


def _subject(core: Core, job: JobRow) -> SubjectRow:
    with core.backend.read() as store:  # within a transaction of this thread it is that one
        found = store.subject_by_number(job.subject)
    assert found is not None
    return found


def _note(core: Core, job: JobRow) -> JobRow:
    with core.backend.write() as store:
        store.step(job)
    return job


def _time(core: Core, instant: int | None = None) -> str:
    return moment(core.now() if instant is None else instant).isoformat()


_ROWS: Final = {
    "rows": ("records", "episodes", "edges"), "revisions": ("revisions",), "sources": ("sources",), "proposals": ("proposals",),
    "derived": ("derived",), "sessions": ("sessions",), "decision_log": ("log",), "idempotency": ("idempotency",),
    "jobs": ("consolidations",), "full_text": ("full text",), "vectors": ("vectors",),
    "names": ("aliases", "slots", "consents", "events"),
}  # fmt: skip
"""The surfaces within the file, and what is counted under each."""


def _removed(core: Core, job: JobRow) -> Iterator[Surface]:
    """Yield what each surface within the file has given; what this process had cached is void with the rows."""
    for name, parts in (*_ROWS.items(), ("caches", ())):
        count = sum(job.done.get(each, 0) for each in parts)
        yield surface(core, name, "removed" if count else "clean", count)


def _retained(job: JobRow) -> Iterator[Retained]:
    yield Retained(what="random ids and keyed fingerprints", rule="R32", owner="the operator of the store")
    if job.whole:
        yield Retained(what="denials of consent", rule="R16", owner="the subject")
