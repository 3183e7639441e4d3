"""The part of `Store` that looks after what lies beside the file: backups, and the ledger (R32, R33)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from stead.model.backup import Backup
from stead.model.erasure import ErasurePreview, Receipt, Verification
from stead.model.zone import TimeInput

if TYPE_CHECKING:
    from stead.memory.core import Core
    from stead.memory.outside import Sink


class Keeping:
    """Part of a store."""

    _core: Core

    def backup(self, path: str | os.PathLike[str], *, until: TimeInput | None = None, replace: bool = False) -> Backup:
        """Write a backup of all subjects, while others read and write.

        Each subject's part is encrypted with a key of its own, which an erasure of the whole subject destroys. The keys are never
        in it, and the ledger isn't either: keep a copy of ``memory.db.keys`` and ``memory.db.ledger`` elsewhere, for without
        them nothing is restored.

        Parameters
        ----------
        path
            Where it will lie; its folder must exist.
        until
            When `rotate_backups` removes it; with an offset. It stays by default.
        replace
            Whether a file that lies there may be replaced.

        Raises
        ------
        InvalidArgument, StoreBusy, StorageFull, StoreNotWritable, KeysMissing, LedgerBroken
        """
        from stead.memory.backing import backup

        return backup(self._core, Path(path), keep_until=until, replace_old=replace)

    def backups(self, *, gone: bool = False) -> list[Backup]:
        """Return the backups that were made of this store, oldest first: receipts of erasures name them.

        Parameters
        ----------
        gone
            Also those that are known not to be there any more.
        """
        from stead.memory.backing import backups

        return backups(self._core, gone=gone)

    def rotate_backups(self, *, keep: int | None = None) -> list[Backup]:
        """Remove backups that are past their date, or one too many; return those that are gone now.

        A file that isn't the backup that was written there is left alone; its backup counts as gone.

        Parameters
        ----------
        keep
            How many of the newest stay at most; all by default.

        Raises
        ------
        InvalidArgument, StoreNotWritable
        """
        from stead.memory.backing import rotate

        return rotate(self._core, keep=keep)

    def receipts(self) -> list[Receipt]:
        """Return the receipts of all erasures, oldest first, as the ledger beside the store holds them.

        Raises
        ------
        LedgerBroken
        """
        from stead.memory.receipts import receipts

        return receipts(self._core)

    def receipt(self, erasure: str) -> Receipt:
        """Return the newest receipt of an erasure.

        Raises
        ------
        UnknownRecord, LedgerBroken
        """
        from stead.memory.erasing import receipt

        return receipt(self._core, erasure)

    def public_key(self) -> str:
        """Return the public key, 64 hex digits, by which anybody can verify the ledger offline.

        Raises
        ------
        KeysMissing
        """
        from stead.memory.receipts import public_key

        return public_key(self._core)

    def publish_head(
        self, *, path: str | os.PathLike[str] | None = None, command: str | None = None
    ) -> dict[str, object]:
        """Return the signed head of the ledger, and put it outside of the store: a tail that is cut later is found by it.

        Parameters
        ----------
        path
            A file to write.
        command
            A command that gets it on its standard input.

        Raises
        ------
        InvalidArgument, KeysMissing, BackendError
        """
        from stead.memory.receipts import publish

        return publish(self._core, path=path, command=command)

    def verify_receipts(self, *, head: str | os.PathLike[str] | None = None) -> Verification:
        """Verify the ledger with the store's own keys, which know how far it has come; `stead.verify_receipts` needs neither.

        Parameters
        ----------
        head
            A head that was published, ``NUMBER:HASH`` or a file.

        Raises
        ------
        KeysMissing, InvalidArgument
        """
        from stead.memory.receipts import verify_own, verify_receipts

        own = verify_own(self._core)
        if head is None or not own.ok:
            return own
        return verify_receipts(self._core.vault.ledger_path, self.public_key(), head=head)

    def sink(self, name: str, sink: Sink | str | None) -> None:
        """Tell a place outside, to which remembered content was given, of every erasure from now on (R32).

        A receipt is complete only if every sink has acknowledged. One that doesn't is told again by `resume_erasures`.

        Parameters
        ----------
        name
            Of the place, for receipts: ``crm``. The same name again takes its place.
        sink
            A function, called with the notice (JSON in bytes: erasure, subject, records, episodes, whole, at; ids only) and its
            Ed25519 signature, which `public_key` verifies; whatever it has of these is gone when it returns true. It has to be
            given each time the store is opened. Or a command, kept in the store, that gets the notice and the signature in
            hex as two lines on its standard input, and exits with 0. None: the place isn't told any more.

        Raises
        ------
        InvalidArgument
        """
        from stead.memory.outside import register

        register(self._core, name, sink)

    def sinks(self) -> dict[str, str | None]:
        """Return the sinks by name: the command of each, or None where it is a function of a program."""
        with self._core.backend.read() as store:
            found = store.places_outside(0)["sinks"]
        return {name: None if command is None else str(command) for name, _, command in found}

    def resume_erasures(self) -> list[Receipt]:
        """Go on with every erasure that isn't complete: one that was killed, or that a sink or a reader held up (R33)."""
        from stead.memory.erasing import resume

        return resume(self._core)

    def overdue(self, subject: str | None = None) -> list[ErasurePreview]:
        """Return what its category says may be kept no longer, by subject; nothing is changed (R19).

        Parameters
        ----------
        subject
            Whose memory; everybody's by default.
        """
        from stead.memory.retaining import overdue

        return [each for each in (overdue(self._core, name) for name in self._names(subject)) if each is not None]

    def enforce_retention(self, subject: str | None = None, *, scan: bool = True) -> list[Receipt]:
        """Erase what its category says may be kept no longer, whatever its status (R19, R31).

        Parameters
        ----------
        subject
            Whose memory; everybody's by default.
        scan
            Read the bytes of every file at the end of each erasure.

        Returns
        -------
        list of Receipt
            One for each subject of whom something is overdue; more where it is much. ``requester`` is ``retention``.
        """
        from stead.memory.retaining import enforce

        return [each for name in self._names(subject) for each in enforce(self._core, name, scan=scan)]

    def _names(self, subject: str | None) -> list[str]:
        if subject is not None:
            return [subject]
        with self._core.backend.read() as store:
            return store.subjects()
