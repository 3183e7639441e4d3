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

__version__ = "0.1.0"

if TYPE_CHECKING:
    from stead.clock import StoryClock, SystemClock
    from stead.errors import (
        AmbiguousTime,
        BackendError,
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
        KnownAtInFuture,
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
    from stead.memory.session import Session
    from stead.memory.store import Store, Subject
    from stead.memory.store import open_store as open  # noqa: A004 - stead.open is the verb
    from stead.model.alias import Alias
    from stead.model.authority import Authority
    from stead.model.consolidation import Consolidation
    from stead.model.context import Budget, Context, Divergence, EpisodeHit, Fact, Interval, Question
    from stead.model.derive import Derived
    from stead.model.erasure import Erasure
    from stead.model.outcome import Decision, Outcome
    from stead.model.record import Kind, Meaning, Record, Source, Status, Tier
    from stead.model.slot import Slot
    from stead.model.zone import wall
    from stead.policy import Policy

_HOMES = {
    "stead.clock": "StoryClock SystemClock",
    "stead.errors": "AmbiguousTime BackendError Conflict CrossSubject CrossTenant EmbedderFailed Erased Forbidden"
    " IdempotencyMismatch IllegalTransition InvalidArgument InvalidInterval InvalidPolicy InvalidTimeline KnownAtInFuture"
    " MissingExtra NaiveTime NewerSchema NotBuilt OverrideCycle Refused StaleRevision SteadError StorageFull StoreBusy"
    " StoreCorrupt StoreNotFound StoreNotWritable UnknownRecord VersionMismatch",
    "stead.memory.session": "Session",
    "stead.memory.store": "Store Subject",
    "stead.model.alias": "Alias",
    "stead.model.authority": "Authority",
    "stead.model.consolidation": "Consolidation",
    "stead.model.context": "Budget Context Divergence EpisodeHit Fact Interval Question",
    "stead.model.derive": "Derived",
    "stead.model.erasure": "Erasure",
    "stead.model.outcome": "Decision Outcome",
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
    "Fact",
    "Forbidden",
    "IdempotencyMismatch",
    "IllegalTransition",
    "Interval",
    "InvalidArgument",
    "InvalidInterval",
    "InvalidPolicy",
    "InvalidTimeline",
    "Kind",
    "KnownAtInFuture",
    "Meaning",
    "MissingExtra",
    "NaiveTime",
    "NewerSchema",
    "NotBuilt",
    "Outcome",
    "OverrideCycle",
    "Policy",
    "Question",
    "Record",
    "Refused",
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
    "SystemClock",
    "Tier",
    "UnknownRecord",
    "VersionMismatch",
    "open",
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
