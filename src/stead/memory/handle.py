"""The handle that is bound to one subject."""

from __future__ import annotations

from stead.memory.core import Core
from stead.memory.erases import Erases
from stead.memory.exporting import Exporting
from stead.memory.governs import Governs
from stead.memory.importing import Importing
from stead.memory.reads import Reads
from stead.memory.session import Session
from stead.memory.writes import Writes
from stead.store.values import AGENT


class Subject(Writes, Reads, Governs, Erases, Exporting, Importing):
    """A handle that is bound to one subject of one tenant; it can't be re-pointed (R47)."""

    def __init__(
        self, core: Core, name: str, *, zone: str | None, purpose: str | None, audience: tuple[str, ...]
    ) -> None:
        self._core = core
        self._name = name
        self._zone = zone
        self._purpose = purpose
        self._audience = audience

    @property
    def name(self) -> str:  # type: ignore[override]
        """The subject's name."""
        return self._name

    @property
    def tenant(self) -> str:
        """The tenant that the file is bound to."""
        return self._core.backend.tenant

    @property
    def zone(self) -> str | None:  # type: ignore[override]
        """The IANA zone in which wall times are read."""
        return self._zone

    @property
    def purpose(self) -> str | None:  # type: ignore[override]
        """What this reader uses memory for."""
        return self._purpose

    @property
    def audience(self) -> tuple[str, ...]:  # type: ignore[override]
        """To whom this reader belongs."""
        return self._audience

    def session(self, conversation: str) -> Session:
        """Open a session, or again one that was left open (R18).

        Its turns are recorded as episodes, and what they propose is reviewed at its end.
        """
        audience = None if self._audience == (AGENT,) else self._audience
        return Session(self._core, self._name, self._zone, conversation, audience)

    def open_sessions(self) -> list[str]:
        """Return the conversations whose session was never closed, oldest first: a crash may have left them (R18).

        Open one with `session`, then `Session.close` reviews it and `Session.drop` doesn't.
        """
        with self._core.backend.read() as store:
            subject = store.subject(self._name)
            return [] if subject is None else [each.conversation for each in store.open_sessions(subject.n)]

    def __repr__(self) -> str:
        """Name tenant and subject."""
        return f"Subject({self._name!r}, tenant={self.tenant!r})"
