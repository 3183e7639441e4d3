"""Stead: long-term memory for AI agents as governed records.

>>> import stead, tempfile
>>> with tempfile.TemporaryDirectory() as folder, stead.open(f"{folder}/memory.db", embedder="none") as store:
...     ana = store.subject("ana", zone="Europe/Berlin")
...     outcome = ana.remember("Prefers an aisle seat", slot=stead.Slot("travel.seat", value="aisle"))
...     ana.recall("which seat?").facts[0].value
'aisle'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from stead.version import VERSION

__version__ = VERSION

if TYPE_CHECKING:
    from stead.clock import StoryClock, SystemClock
    from stead.errors import (
        AmbiguousTime,
        BackendError,
        BackupBroken,
        Conflict,
        CrossSubject,
        CrossTenant,
        EmbedderFailed,
        Erased,
        Forbidden,
        IdempotencyMismatch,
        IllegalTransition,
        InvalidArgument,
        InvalidInterval,
        InvalidPolicy,
        InvalidTimeline,
        KeysMissing,
        KnownAtInFuture,
        LedgerBroken,
        LedgerMissing,
        LedgerTooOld,
        MissingExtra,
        NaiveTime,
        NewerSchema,
        NotBuilt,
        OverrideCycle,
        Refused,
        StaleRevision,
        SteadError,
        StorageFull,
        StoreBusy,
        StoreCorrupt,
        StoreNotFound,
        StoreNotWritable,
        UnknownRecord,
        VersionMismatch,
    )
    from stead.memory.receipts import verify_receipts
    from stead.memory.restoring import restore
    from stead.memory.session import Session
    from stead.memory.store import Store, Subject
    from stead.memory.store import open_store as open  # noqa: A004 - stead.open is the verb
    from stead.model.alias import Alias
    from stead.model.authority import Authority
    from stead.model.backup import Backup, Restored
    from stead.model.consolidation import Consolidation
    from stead.model.context import Budget, Context, Divergence, EpisodeHit, Fact, Interval, Question
    from stead.model.derive import Derived
    from stead.model.erasure import Erasure, ErasurePreview, Receipt, Retained, Surface, Verification
    from stead.model.outcome import Decision, Outcome
    from stead.model.porting import Export, ImportProblem, ImportReport
    from stead.model.record import Kind, Meaning, Record, Source, Status, Tier
    from stead.model.slot import Slot
    from stead.model.zone import wall
    from stead.policy import Policy

_HOMES = {
    "stead.clock": "StoryClock SystemClock",
    "stead.errors": "AmbiguousTime BackendError BackupBroken Conflict CrossSubject CrossTenant EmbedderFailed Erased Forbidden"
    " IdempotencyMismatch IllegalTransition InvalidArgument InvalidInterval InvalidPolicy InvalidTimeline"
    " KeysMissing KnownAtInFuture LedgerBroken LedgerMissing LedgerTooOld MissingExtra NaiveTime NewerSchema"
    " NotBuilt OverrideCycle Refused StaleRevision SteadError StorageFull StoreBusy StoreCorrupt StoreNotFound"
    " StoreNotWritable UnknownRecord VersionMismatch",
    "stead.memory.receipts": "verify_receipts",
    "stead.memory.restoring": "restore",
    "stead.memory.session": "Session",
    "stead.memory.store": "Store Subject",
    "stead.model.alias": "Alias",
    "stead.model.authority": "Authority",
    "stead.model.backup": "Backup Restored",
    "stead.model.consolidation": "Consolidation",
    "stead.model.context": "Budget Context Divergence EpisodeHit Fact Interval Question",
    "stead.model.derive": "Derived",
    "stead.model.erasure": "Erasure ErasurePreview Receipt Retained Surface Verification",
    "stead.model.outcome": "Decision Outcome",
    "stead.model.porting": "Export ImportProblem ImportReport",
    "stead.model.record": "Kind Meaning Record Source Status Tier",
    "stead.model.slot": "Slot",
    "stead.model.zone": "wall",
    "stead.policy": "Policy",
}
_HOME = {name: module for module, listed in _HOMES.items() for name in listed.split()}

__all__ = [
    "Alias",
    "AmbiguousTime",
    "Authority",
    "BackendError",
    "Backup",
    "BackupBroken",
    "Budget",
    "Conflict",
    "Consolidation",
    "Context",
    "CrossSubject",
    "CrossTenant",
    "Decision",
    "Derived",
    "Divergence",
    "EmbedderFailed",
    "EpisodeHit",
    "Erased",
    "Erasure",
    "ErasurePreview",
    "Export",
    "Fact",
    "Forbidden",
    "IdempotencyMismatch",
    "IllegalTransition",
    "ImportProblem",
    "ImportReport",
    "Interval",
    "InvalidArgument",
    "InvalidInterval",
    "InvalidPolicy",
    "InvalidTimeline",
    "KeysMissing",
    "Kind",
    "KnownAtInFuture",
    "LedgerBroken",
    "LedgerMissing",
    "LedgerTooOld",
    "Meaning",
    "MissingExtra",
    "NaiveTime",
    "NewerSchema",
    "NotBuilt",
    "Outcome",
    "OverrideCycle",
    "Policy",
    "Question",
    "Receipt",
    "Record",
    "Refused",
    "Restored",
    "Retained",
    "Session",
    "Slot",
    "Source",
    "StaleRevision",
    "Status",
    "SteadError",
    "StorageFull",
    "Store",
    "StoreBusy",
    "StoreCorrupt",
    "StoreNotFound",
    "StoreNotWritable",
    "StoryClock",
    "Subject",
    "Surface",
    "SystemClock",
    "Tier",
    "UnknownRecord",
    "Verification",
    "VersionMismatch",
    "open",
    "restore",
    "verify_receipts",
    "wall",
]


def __getattr__(name: str) -> object:
    """Load a public name when it is first used, so that importing stead stays quick."""
    if name == "open":
        value = import_module("stead.memory.store").open_store
    elif name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
    else:
        raise AttributeError(f"module 'stead' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
