"""One tree of errors. Surfaces map them by attribute, never by type.

SteadError
├── InvalidArgument           a parameter is wrong; names the field and the fix
│   ├── NaiveTime             a wall time without a zone (R9)
│   ├── AmbiguousTime         a wall time in a daylight-saving gap or fold (R9)
│   ├── InvalidInterval       an empty or reversed interval (R9)
│   ├── KnownAtInFuture       a question about what will be known (R9)
│   ├── InvalidPolicy
│   └── InvalidTimeline
├── UnknownRecord             no such record, question or session for this subject
├── Erased                    it was here and is provably gone (R32)
├── Refused                   allowed input, forbidden act
│   ├── Forbidden
│   ├── CrossSubject          (R13, R47)
│   ├── CrossTenant           (R13, R47)
│   └── OverrideCycle         (R13)
├── Conflict                  the state moved on, or forbids the move
│   ├── IllegalTransition     (R3)
│   ├── IdempotencyMismatch   (R46)
│   ├── StaleRevision         (R46)
│   └── VersionMismatch       vectors of another model (R38)
├── MissingExtra              a package of an optional extra is not installed
├── NotBuilt                  the capability comes in a later version
└── BackendError              the store could not do its work; nothing was written
    ├── StoreBusy · StorageFull · StoreNotWritable · StoreCorrupt · StoreNotFound · NewerSchema
    ├── BackupBroken
    └── EmbedderFailed

No error text carries remembered content: ids, field names and instants only.
"""

from __future__ import annotations

from typing import ClassVar


class SteadError(Exception):
    """Something that Stead refuses or could not do."""

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 1
    http_status: ClassVar[int] = 500
    retryable: ClassVar[bool] = False
    default_hint: ClassVar[str] = ""

    def __init__(self, message: str = "", *, hint: str = "", field: str = "") -> None:
        self.message = message or (self.__doc__ or "").strip().split("\n")[0]
        self.hint = hint or self.default_hint
        self.field = field
        super().__init__(self.message)

    def as_dict(self) -> dict[str, object]:
        """Return the one error shape that every surface prints."""
        shape: dict[str, object] = {"code": self.code, "message": self.message}
        if self.field:
            shape["field"] = self.field
        if self.hint:
            shape["hint"] = self.hint
        return shape | {"retryable": self.retryable}


class InvalidArgument(SteadError):
    """A parameter is wrong."""

    code, exit_code, http_status = "invalid_argument", 2, 422

    def __init__(self, field: str = "", message: str = "", hint: str = "") -> None:
        super().__init__(f"{field}: {message}" if field and message else message or field, hint=hint, field=field)


class NaiveTime(InvalidArgument):
    """A wall time was given without a zone."""

    code = "naive_time"
    default_hint = "Add an offset (2026-03-01T09:00+01:00) or open the subject with zone=."


class AmbiguousTime(InvalidArgument):
    """A wall time falls into a daylight-saving gap or fold."""

    code = "ambiguous_time"
    default_hint = "Write the offset, or name the reading: earlier or later."


class InvalidInterval(InvalidArgument):
    """An interval is empty or reversed."""

    code = "invalid_interval"
    default_hint = "Intervals are half open: the end must lie after the start."


class KnownAtInFuture(InvalidArgument):
    """known_at lies later than now."""

    code = "known_at_in_future"
    default_hint = "The store can only say what it knew until now; use at= for the future of the world."


class InvalidPolicy(InvalidArgument):
    """A policy has an unknown key or an impossible value."""

    code = "invalid_policy"


class InvalidTimeline(InvalidArgument):
    """A timeline file does not follow the format."""

    code = "invalid_timeline"


class UnknownRecord(SteadError):
    """There is no such record for this subject."""

    code, exit_code, http_status = "unknown_record", 3, 404
    default_hint = "List what is there with records()."


class Erased(SteadError):
    """It was erased."""

    code, exit_code, http_status = "erased", 4, 410


class KeysMissing(SteadError):
    """The keys that lie beside the store are missing, can't be read, or are others."""

    code, exit_code, http_status = "keys_missing", 4, 409


class LedgerBroken(SteadError):
    """The ledger of erasures was changed, cut or can't be read."""

    code, exit_code, http_status = "ledger_broken", 5, 409


class LedgerMissing(SteadError):
    """The ledger of erasures, without which no backup is restored, isn't there."""

    code, exit_code, http_status = "ledger_missing", 4, 409
    default_hint = "It lies beside the store, in a file that ends in .ledger; put it back, or name it with ledger=."


class LedgerTooOld(SteadError):
    """The ledger doesn't reach as far as it is known to have been, or went another way."""

    code, exit_code, http_status = "ledger_too_old", 4, 409
    default_hint = "Name the newest ledger of this store: what it doesn't say was erased would come back."


class Refused(SteadError):
    """The call is understood and refused."""

    code, exit_code, http_status = "refused", 4, 403


class Forbidden(Refused):
    """The authority behind this call does not allow it."""

    code = "forbidden"


class CrossSubject(Refused):
    """The call reaches for a record of another subject."""

    code = "cross_subject"
    default_hint = "A handle is bound to one subject; open the other subject's own handle."


class CrossTenant(Refused):
    """The file belongs to another tenant."""

    code = "cross_tenant"
    default_hint = "One file holds one tenant; open it under its own tenant's name."


class OverrideCycle(Refused):
    """The override would close a cycle."""

    code = "override_cycle"


class Conflict(SteadError):
    """The state of the store forbids this."""

    code, exit_code, http_status = "conflict", 5, 409


class IllegalTransition(Conflict):
    """A record may not move from its status to the one asked for."""

    code = "illegal_transition"


class IdempotencyMismatch(Conflict):
    """The idempotency key was used before for another body."""

    code = "idempotency_mismatch"
    default_hint = "Use a new key for a new write; send the same body to get the first outcome back."


class StaleRevision(Conflict):
    """The slot moved on since the version that if_version names."""

    code = "stale_revision"
    default_hint = "Read the slot again and decide anew."


class VersionMismatch(Conflict):
    """Vectors of different model versions can't be compared."""

    code = "version_mismatch"


class MissingExtra(SteadError):
    """A package of an optional extra is not installed."""

    code, exit_code, http_status = "missing_extra", 7, 501

    def __init__(self, message: str = "", *, extra: str = "local") -> None:
        super().__init__(message or f"the extra {extra!r} is not installed", hint=f"pip install 'stead[{extra}]'")


class NotBuilt(SteadError):
    """This capability comes in a later version."""

    code, exit_code, http_status = "not_implemented", 4, 501


class BackendError(SteadError):
    """The store could not do its work; nothing was written."""

    code, exit_code, http_status = "backend_error", 7, 503


class StoreBusy(BackendError):
    """Another process held the write lock for too long; nothing was written."""

    code, retryable = "store_busy", True
    default_hint = "Try again; raise busy_timeout if many processes write."


class StorageFull(BackendError):
    """The disk is full; nothing was written."""

    code = "storage_full"
    default_hint = "Free some space and repeat the call."


class StoreNotWritable(BackendError):
    """The file or its folder can't be written."""

    code = "store_not_writable"
    default_hint = "Check the path, its permissions and the mount; the folder needs write permission too."


class StoreCorrupt(BackendError):
    """The file is not an intact Stead store."""

    code = "store_corrupt"
    default_hint = "Keep the file as it is and restore a backup; `stead doctor` shows what is damaged."


class StoreNotFound(BackendError):
    """There is no store at this path."""

    code, exit_code, http_status = "store_not_found", 3, 404


class NewerSchema(BackendError):
    """The file was written by a newer version of Stead."""

    code = "newer_schema"
    default_hint = "Upgrade the stead package; an older one never writes to a newer file."


class BackupBroken(BackendError):
    """The backup is damaged, was changed, or is no backup."""

    code = "backup_broken"
    default_hint = "Take another copy of it, or another backup."


class EmbedderFailed(BackendError):
    """The embedding model could not make a vector."""

    code, retryable = "embedder_failed", True
