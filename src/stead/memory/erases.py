"""The verb that erases, and its preview (R31)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from stead.errors import Conflict, InvalidArgument
from stead.memory.candidate import MAX_NAME, checked_name
from stead.memory.core import Core, Keyed
from stead.memory.desk import Desk, Logged, find
from stead.memory.erasing import finished
from stead.memory.forgetting import erased
from stead.memory.request import digest, given
from stead.memory.selecting import Selector, preview, select, selector_of
from stead.model.erasure import ErasurePreview, Receipt
from stead.model.slot import Slot, valid_text
from stead.model.zone import TimeInput
from stead.store.values import JobRow

_SELECTORS = ("record", "slot", "scope", "category", "conversation", "source", "before", "after", "everything")


class Erases:
    """What erases."""

    _core: Core
    name: str
    zone: str | None

    @property
    def epoch(self) -> int:
        """How often something of the subject was erased.

        Note it before you read; `remember(epoch=…)` then refuses what was made from what was erased meanwhile (R32).
        """
        with self._core.backend.read() as store:
            subject = self._core.seen(store, self.name)
            return 0 if subject is None else subject.epoch

    def erase(
        self,
        record: str | Iterable[str] | None = None,
        *,
        slot: Slot | None = None,
        scope: str | None = None,
        category: str | None = None,
        conversation: str | None = None,
        source: str | None = None,
        before: TimeInput | None = None,
        after: TimeInput | None = None,
        everything: bool = False,
        requester: str = "subject",
        scan: bool = True,
        expect: ErasurePreview | None = None,
        idempotency_key: str | None = None,
    ) -> Receipt:
        """Erase for good, on every surface, and return the proof (R31, R32). It can't be undone.

        Selectors that are given together must all match. With what they select goes everything that was made from it or
        merged with it, and the turns from which it was drawn or that ended it; a turn takes along what was drawn from it.
        What it had ended stays ended; what waited only because of it is decided anew (R49). From the end of the first
        transaction on nothing of it can be read, whatever fails after.

        Parameters
        ----------
        record
            The id of a record or a turn, or several.
        slot
            All records of a slot, in every scope; without an object, of every object.
        scope
            All records and turns of a scope and below it.
        category
            All records of a category, or of an attribute that belongs to it.
        conversation
            All turns of a conversation, and what was drawn from it.
        source
            All records from a source, by its URI.
        before, after
            What was said from ``after`` until before ``before``.
        everything
            The whole subject. What it denied stays denied.
        requester
            Who asked, for the receipt: a role or a ticket, never content.
        scan
            Read the bytes of every file at the end; without it the receipt has no surface ``bytes``.
        expect
            A preview that was shown: where the same selectors select something else by now, nothing is erased.
        idempotency_key
            The same key and selectors give the first receipt back.

        Returns
        -------
        Receipt
            Each surface with its result; ``complete`` where all are clean. Also where nothing was selected.

        Raises
        ------
        InvalidArgument
            Nothing is named, or a selector is empty.
        UnknownRecord, CrossSubject
            There is no record or turn of an id; one that was erased before is passed over.
        Conflict
            It isn't what the preview showed.
        """
        told = {name: each for name, each in locals().items() if name in _SELECTORS}
        selector = selector_of(told, self.zone)
        told["record"] = selector.ids
        if not isinstance(requester, str) or checked_name(requester, "requester") is None:
            raise InvalidArgument("requester", "empty", "Name a role or a ticket: subject, dpo, DSR-118.")
        valid_text(requester, "requester", MAX_NAME, "A role or a ticket, no content.")
        work = partial(self._begin, selector=selector, requester=requester, scan=scan, expect=expect)
        body = digest("erase", given({**told, "requester": requester})) if idempotency_key is not None else b""
        outcome = self._core.write(self.name, "erase", Keyed(work=work, key=idempotency_key, body=body))
        assert outcome.erasure is not None
        return finished(self._core, outcome)

    def preview_erase(
        self,
        record: str | Iterable[str] | None = None,
        *,
        slot: Slot | None = None,
        scope: str | None = None,
        category: str | None = None,
        conversation: str | None = None,
        source: str | None = None,
        before: TimeInput | None = None,
        after: TimeInput | None = None,
        everything: bool = False,
    ) -> ErasurePreview:
        """Return what `erase` with the same selectors would touch, and what would stay and why; nothing is changed.

        Parameters
        ----------
        record, slot, scope, category, conversation, source, before, after, everything
            As for `erase`.

        Raises
        ------
        InvalidArgument
        """
        selector = selector_of({name: each for name, each in locals().items() if name in _SELECTORS}, self.zone)
        with self._core.backend.read() as store:
            subject = store.subject(self.name)
            if subject is None:
                for each in selector.ids or ():
                    find(store, None, each)
                return ErasurePreview(by=selector.by, records=(), revisions=0, derived=(), merged=(), episodes=())
            chosen = select(store, self._core.policy, subject, selector)
            return preview(store, subject.n, selector, chosen, self._core.now())

    def _begin(
        self, desk: Desk, *, selector: Selector, requester: str, scan: bool, expect: ErasurePreview | None
    ) -> Logged:
        subject = desk.subject.n
        selected = select(desk.store, desk.policy, desk.subject, selector)
        if expect is not None:
            now = preview(desk.store, subject, selector, selected, desk.said())
            if (now.by, now.records, now.episodes) != (expect.by, expect.records, expect.episodes):
                raise Conflict("expect: the selectors select something else by now", hint="Look at a new preview.")
        job = JobRow(
            id=f"era_{desk.new_id()}", subject=subject, tx=desk.instant(), by="+".join(selector.by), requester=requester,
            whole=selector.everything, scan=scan,
        )  # fmt: skip
        whole_of_it = selector.conversation if len(selector.by) == 1 else None
        return erased(desk, selected, job, "erased", "call", conversation=whole_of_it)
