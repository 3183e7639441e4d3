"""The first step of an erasure: in one transaction it is unreadable everywhere, fenced, and noted in the ledger (R32).

The strip of what is left is read anew without what goes. Ends that it caused stay, so that nothing older comes back (R10,
R49); contests that it was part of dissolve (R26), and what waited only because of it is decided anew (`stead.memory.redeciding`).
What the verification will look for is kept sealed until the end: a run that is killed after the rows are gone can still read
the files for their bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from stead.memory.desk import Desk
from stead.memory.fences import fences_of
from stead.memory.redeciding import redecide
from stead.memory.selecting import Selected
from stead.memory.slotwork import SlotWork
from stead.model.period import Instant
from stead.model.record import LAID, Status
from stead.model.slot import FROM_TEXT
from stead.recall.items import moment
from stead.store.protocol import ReadTx
from stead.store.values import JobRow, Revision, parts

_SEALED_AT_ONCE = 500


def hide(
    desk: Desk, selected: Selected, job: JobRow, *, conversation: str | None = None, noted: bool = False
) -> JobRow:
    """Make what was selected unreadable, in the transaction of the desk.

    Parameters
    ----------
    desk
        The write in the making.
    selected
        Records and turns, with all that goes with them.
    job
        The erasure as it is begun.
    conversation
        A conversation that is erased whole: what was said in it before is refused from now on.
    noted
        It is in the ledger already: a restore carries it out again.

    Returns
    -------
    JobRow
        With its number and the epoch that it began.
    """
    store, subject = desk.store, desk.subject.n
    records, turns = sorted(selected.records), sorted(selected.turns)
    going = [] if job.whole else list(current(store, subject, records))
    ids = store.ids(records)
    said = [row.id for part in parts(turns) for row in store.episodes(subject, part)]
    gone = {("claims", n) for shelf, n, _ in store.texts_of(records, []) if shelf == "claims"} if desk.fresh else set()
    gone |= {("episodes", n) for n in turns}
    desk.fresh[:] = [each for each in desk.fresh if (each.shelf, each.item) not in gone]  # no vector is made of them
    proposals = sum(each.status == Status.PROPOSED for each in going)
    job = store.hide(replace(job, done={"derived": len(selected.derived), "proposals": proposals}), records, turns)
    _fence(desk, job, records, turns, conversation)
    _let_stand(desk, going, job.tx)
    if not job.whole:
        redecide(desk, frozenset(records))
    if not noted:
        _note(desk, job, [ids[n] for n in records], said)
    desk.erased.append(job)
    return job


def adopt(desk: Desk, job: JobRow) -> None:
    """Fence and note what a version hid that had neither fences nor ledger; what it selected is unreadable already."""
    records, turns = desk.store.of_erasure(job.n)
    _fence(desk, job, [n for n, _ in records], [n for n, _ in turns], None)
    _note(desk, job, [name for _, name in records], [name for _, name in turns])


def _fence(desk: Desk, job: JobRow, records: list[int], turns: list[int], conversation: str | None) -> None:
    """Leave fences, and keep sealed what the verification will look for."""
    assert desk.vault is not None
    store, subject, keys = desk.store, desk.subject.n, desk.vault.keys(create=True)
    store.add_fences(subject, job.tx, set(fences_of(store, subject, desk.mark(), records, turns, conversation)))
    for each in looked_for(store, subject, records, turns):
        store.add_needles(job.n, keys.seal(each))


def _note(desk: Desk, job: JobRow, records: list[str], turns: list[str]) -> None:
    """Put the erasure into the ledger, at the very end of the transaction."""
    assert desk.vault is not None
    ref = desk.store.refer(desk.subject.n, f"sub_{desk.new_id()}")
    ledger, keys = desk.vault.ledger(), desk.vault.keys(create=True)
    note = {
        "erasure": job.id, "subject": ref, "epoch": job.epoch, "whole": job.whole, "records": [] if job.whole else records,
        "episodes": [] if job.whole else turns, "at": moment(job.tx).isoformat(),
    }  # fmt: skip
    desk.at_commit.append(lambda: ledger.append("erasure", note, keys))


def _let_stand(desk: Desk, going: Sequence[Revision], tx: Instant) -> None:
    """Let what is left in the slots stand as it does without what goes."""
    for slot in sorted({each.slot for each in going if each.slot is not None}):
        left = desk.store.in_slot(slot)
        if not left:
            continue
        work = SlotWork(left, tx, whole=True)
        if any(each.slot == slot and each.status in LAID for each in going):
            work.restatus()
        work.write(desk.store)
        desk.store.bump_slot_number(slot)


def current(store: ReadTx, subject: int, records: Iterable[int]) -> Iterator[Revision]:
    """Yield the current revisions of records."""
    for part in parts(sorted(records)):
        yield from store.current_by_number(subject, part)


def looked_for(store: ReadTx, subject: int, records: Sequence[int], turns: Sequence[int]) -> Iterator[bytes]:
    """Yield what the files must not hold any more, a part of the records at a time."""
    from stead.lifecycle.erase.scan import needles_of

    for begin in range(0, max(len(records), len(turns)), _SEALED_AT_ONCE):
        named, said = records[begin : begin + _SEALED_AT_ONCE], turns[begin : begin + _SEALED_AT_ONCE]
        texts = [text for shelf, _, given in store.texts_of(named, said) for text in _own(shelf, given)]
        yield needles_of(texts, [vector for _, vector in store.vectors_of(subject, named, said)]).dump()


def _own(shelf: str, texts: Sequence[str]) -> Iterator[str]:
    """Yield the texts that an erased row said; the names of the policy and of who spoke are no content of it."""
    if shelf == "episodes":
        yield texts[1]
        return
    claim, value, item, _, attribute, _ = texts
    yield claim
    if not attribute.startswith(FROM_TEXT):
        yield from (each for each in (value, item) if each)
