"""The stage of a story: its stores in a folder of their own, its clock, who acts, and what its refs name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import stead
from stead.clock import StoryClock
from stead.ids import NewId, seeded_ids

if TYPE_CHECKING:
    from stead import Outcome, Session, Store, Subject

SUBJECT: Final = "subject"
"""Who acts when no step says otherwise."""
TENANT: Final = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Acts:
    """Who acts: the reader and writer of the steps that follow."""

    tenant: str = TENANT
    subject: str = SUBJECT
    purpose: str | None = None
    audience: str | tuple[str, ...] | None = None

    def changed(self, given: Mapping[str, Any]) -> Acts:
        """Return who acts after an ``as``: what it doesn't name stays, null is the default again."""
        now = {name: getattr(self, name) for name in ("tenant", "subject", "purpose", "audience")} | dict(given)
        return Acts(
            tenant=TENANT if now["tenant"] is None else now["tenant"],
            subject=SUBJECT if now["subject"] is None else now["subject"],
            purpose=now["purpose"],
            audience=_frozen(now["audience"]),
        )


def _frozen(names: str | Iterable[str] | None) -> str | tuple[str, ...] | None:
    return names if names is None or isinstance(names, str) else tuple(names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ref:
    """What a ref names: a record, and whose it is."""

    record: str
    owner: Acts


@dataclass(slots=True, kw_only=True)
class Stage:
    """Everything that a step works on."""

    folder: Path
    zone: str | None = "UTC"
    policy: Mapping[str, Any] = field(default_factory=dict)
    acts: Acts = field(default_factory=Acts)
    clock: StoryClock = field(default_factory=StoryClock)
    refs: dict[str, Ref] = field(default_factory=dict)
    _stores: dict[str, Store] = field(default_factory=dict)
    _sessions: dict[tuple[str, str, str], Session] = field(default_factory=dict)
    _new_id: NewId = field(default_factory=lambda: seeded_ids(41))
    """One source for all tenants and restarts: ids repeat from run to run and never within one."""

    @property
    def store(self) -> Store:
        """Return the store of the tenant that acts; a tenant's first step makes it."""
        return self._store(self.acts.tenant)

    @property
    def subject(self) -> Subject:
        """Return the handle of who acts."""
        return self.handle(self.acts)

    def handle(self, acts: Acts) -> Subject:
        """Return the handle of somebody who acts or acted."""
        purpose, audience = acts.purpose, acts.audience
        return self._store(acts.tenant).subject(acts.subject, zone=self.zone, purpose=purpose, audience=audience)

    def session(self, conversation: str) -> Session:
        """Return the session of a conversation of who acts; after a restart it is found again."""
        key = (self.acts.tenant, self.acts.subject, conversation)
        if key not in self._sessions:
            self._sessions[key] = self.subject.session(conversation)
        return self._sessions[key]

    def end_session(self, conversation: str) -> tuple[Outcome, ...]:
        """End a session and return what its review decided."""
        session = self.session(conversation)
        del self._sessions[(self.acts.tenant, self.acts.subject, conversation)]
        return session.close()

    def owner_of(self, name: str) -> Subject:
        """Return the handle of whose record a ref names; of who acts, when it names none."""
        return self.handle(self.refs[name].owner) if name in self.refs else self.subject

    def name(self, ref: str | None, record: str | None) -> None:
        """Let a ref name a record from now on; where nothing was stored it names nothing."""
        if ref is None:
            return
        self.refs.pop(ref, None)
        if record is not None:
            self.refs[ref] = Ref(record=record, owner=self.acts)

    def id(self, name: str) -> str:
        """Return the id of the record that a ref names; what names nothing is taken for an id."""
        return self.refs[name].record if name in self.refs else name

    def ids(self, names: Iterable[str]) -> list[str]:
        """Return the id for each name."""
        return [self.id(name) for name in names]

    def spell(self, record: str) -> str:
        """Return the refs of a record, or its id where it has none."""
        return "=".join(name for name, ref in self.refs.items() if ref.record == record) or record

    def files(self) -> list[Path]:
        """List every file of every store of the story."""
        return sorted(path for path in self.folder.rglob("*") if path.is_file())

    def backup(self, name: str) -> Mapping[str, object]:
        """Back up the store of the tenant that acts, under a name; the same name again takes its place."""
        path = self._home(self.acts.tenant) / "backups" / f"{name.encode().hex()}.backup"
        path.parent.mkdir(exist_ok=True)
        return self.store.backup(path, replace=True).as_dict()

    def restore(self, name: str) -> Mapping[str, object]:
        """Put the backup of that name in the place of the store of the tenant that acts."""
        home = self._home(self.acts.tenant)
        self.close()
        backup = home / "backups" / f"{name.encode().hex()}.backup"
        return stead.restore(backup, home / "memory.db", replace=True, clock=self.clock).as_dict()

    def close(self) -> None:
        """Close the stores; the next step that needs one opens it again."""
        self._sessions.clear()
        while self._stores:
            self._stores.popitem()[1].close()

    def _home(self, tenant: str) -> Path:
        return self.folder / f"tenant-{tenant.encode().hex()}"  # a tenant may have any name, a folder may not

    def _store(self, tenant: str) -> Store:
        if tenant not in self._stores:
            home = self._home(tenant)
            home.mkdir(exist_ok=True)
            self._stores[tenant] = stead.open(
                home / "memory.db",
                tenant=tenant,
                embedder="none",
                clock=self.clock,
                new_id=self._new_id,
                policy=dict(self.policy) or None,
            )
        return self._stores[tenant]
