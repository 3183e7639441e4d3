"""What a subject can look up about what governs its memory: consent, decisions, and what would become of words."""

from __future__ import annotations

from stead.errors import InvalidArgument
from stead.memory.candidate import checked_name
from stead.memory.core import Core
from stead.memory.explaining import Explained, explain
from stead.memory.gate import PERSONALISATION, allowed, guarded
from stead.memory.reads import NOBODY, check_limit
from stead.model.erasure import Erasure
from stead.model.scope import checked
from stead.model.zone import TimeInput, instant
from stead.recall import views
from stead.recall.items import moment


class Governs:
    """What a subject's handle can ask about the write policy."""

    _core: Core
    name: str
    zone: str | None

    def explain(
        self,
        text: str,
        *,
        role: str = "user",
        speaker: str | None = None,
        said_at: TimeInput | None = None,
        scope: str = "",
    ) -> list[Explained]:
        """Tell what would become of the words of a turn, by which rule and why; nothing is written (R15).

        Parameters
        ----------
        text, role, speaker, said_at, scope
            As for `Session.turn`.

        Returns
        -------
        list of Explained
            One for each candidate; empty where the words propose nothing.
        """
        if not isinstance(text, str) or not text.strip():
            raise InvalidArgument("text", "empty", "Give the words of the turn.")
        said = self._core.clock.now() if said_at is None else instant(said_at, zone_name=self.zone, field="said_at")
        who = checked_name(speaker, "speaker") or self.name
        return explain(
            self._core, self.name, self.zone, text, role=role, said=said, speaker=who, scope=checked(scope)
        )  # fmt: skip

    def consents(self) -> dict[str, bool]:
        """Return what the subject allows today: personalisation, and every sensitivity class (R16)."""
        policy = self._core.policy
        with self._core.backend.read() as store:
            subject = store.subject(self.name) or NOBODY
            said = store.consents(subject.n)
        return {name: allowed(policy, said, name) for name in (PERSONALISATION, *sorted(guarded(policy)))}

    def decisions(self, *, limit: int = 100, after: int = 0) -> list[dict[str, object]]:
        """Return rows of the write log: every decision on every candidate, kept or not, oldest first (R20).

        Parameters
        ----------
        limit
            How many at most.
        after
            The ``n`` of the last row of the page before.

        Returns
        -------
        list of dict
            ``n``, when, verb, trigger, route, decision, rule, reason, the record and the turn. No content.
        """
        check_limit(limit)
        with self._core.backend.read() as store:
            subject = store.subject(self.name)
            if subject is None:
                return []
            return views.log(store, subject, store.log_page(subject.n, limit=limit, after=after))

    def erasures(self) -> list[Erasure]:
        """Return what of the subject was erased, or is being, oldest first (R27, R32).

        Returns
        -------
        list of Erasure
            Ids, times and counts. No content: nothing of it can be read. `Store.receipt` has the proof of each.
        """
        with self._core.backend.read() as store:
            subject = self._core.seen(store, self.name) or NOBODY
            return [
                Erasure(
                    id=each.id, known_at=moment(each.tx), status=each.status, records=each.records, turns=each.episodes,
                    everything=each.whole, categories=each.selects.categories,
                    attributes=each.selects.attributes, conversation=each.selects.conversation,
                )
                for each in store.erasures(subject.n)
            ]  # fmt: skip
