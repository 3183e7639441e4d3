"""When two records may become one: the same readers, limits and care, and nothing gains authority (R48)."""

from __future__ import annotations

from stead.lifecycle.consolidate.reading import apart
from stead.model.authority import Authority
from stead.model.period import Instant
from stead.model.record import Status
from stead.store.values import Revision

LIVE = (Status.ACTIVE, Status.CONTESTED)


def is_live(row: Revision, now: Instant) -> bool:
    """Tell whether a record stands or could stand somewhere: what consolidation looks at."""
    return row.status in LIVE and not row.expired(now) and bool(row.pieces())


def comparable(old: Revision, new: Revision) -> bool:
    """Tell whether two claims speak of one place: the same scope and category, and the old one reaches all of the new."""
    alike = old.scope == new.scope and apart(old.kind) == apart(new.kind) and old.category == new.category
    return alike and covers(old, new)


def covers(old: Revision, new: Revision) -> bool:
    """Tell whether a record stands, as far as ends let it, wherever another one was stated."""
    return any(each.start <= new.stated_from and new.stated_until <= each.end for each in old.pieces())


def same_terms(old: Revision, new: Revision) -> bool:
    """Tell whether nobody could see, use or keep the one otherwise than the other.

    Stricter than at a write, where the newer claim was never stored: here a record of its own would disappear.
    """
    return (
        old.audience == new.audience
        and old.purpose == new.purpose
        and old.sensitivity == new.sensitivity
        and old.owner == new.owner
        and old.category == new.category
        and old.kind == new.kind
        and old.scope == new.scope
        and old.expires_at == new.expires_at
        and old.tier == new.tier
        and set(new.review_events) <= set(old.review_events)
        and not (old.names or new.names)
    )


def may_merge(old: Revision, new: Revision) -> bool:
    """Tell whether the sources of a newer record can become those of an older one that says it all."""
    return old.status == Status.ACTIVE and old.rank >= new.rank and same_terms(old, new) and _may_close(new)


def may_refine(old: Revision, new: Revision) -> bool:
    """Tell whether an older record can take the words of a newer one: its own speaker's, on the same authority."""
    same_voice = old.speaker == new.speaker and old.rank == new.rank
    return old.status == Status.ACTIVE and same_voice and same_terms(old, new) and _may_close(new) and not old.cuts


def _may_close(row: Revision) -> bool:
    """What a system of record said is changed there, and a correction is what repairs others (R22, R23)."""
    return row.rank < Authority.SYSTEM_OF_RECORD.rank and row.meaning != "corrected" and row.status == Status.ACTIVE
