"""A conversation while it goes on: its turns become episodes; what it proposes will live with it (R18)."""

from __future__ import annotations

from functools import partial
from types import TracebackType
from typing import Self

from stead.errors import Conflict, InvalidArgument
from stead.memory.candidate import MAX_CLAIM, checked_name
from stead.memory.core import Core, Keyed
from stead.memory.desk import Desk, Fresh
from stead.memory.remember import Logged
from stead.model.authority import Authority
from stead.model.outcome import Decision, Outcome
from stead.model.period import Instant
from stead.model.scope import checked
from stead.model.slot import valid_text
from stead.model.words import tokens
from stead.model.zone import TimeInput, instant
from stead.store.values import EpisodeRow

MAX_TURN = 8 * MAX_CLAIM
_RANKS = {"user": Authority.STATED, "assistant": Authority.INFERRED}


class Session:
    """The turns of one conversation with a subject.

    Use it as a context manager: its end is noted, and a session that was never closed can be found again.
    """

    def __init__(
        self, core: Core, subject: str, zone: str | None, conversation: str, audience: tuple[str, ...] | None = None
    ) -> None:
        name = checked_name(conversation, "conversation")
        if name is None:
            raise InvalidArgument("conversation", "missing", "Name it, for instance c-17.")
        self._core = core
        self._subject = subject
        self._zone = zone
        self._audience = audience
        self.conversation = name
        self._outcomes: list[Outcome] = []
        self._open = True
        with core.backend.write() as store:
            store.open_session(store.add_subject(subject).n, self.conversation, store.instant(core.clock.now()))

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Every outcome of this session so far."""
        return tuple(self._outcomes)

    def turn(
        self,
        role: str,
        text: str,
        *,
        speaker: str | None = None,
        turn: str | None = None,
        said_at: TimeInput | None = None,
        scope: str = "",
    ) -> Outcome:
        """Record one turn as an episode, durably.

        Parameters
        ----------
        role
            ``user``, ``assistant``, ``tool`` or another name.
        text
            The original words.
        speaker
            Who spoke; the subject for the role ``user``, else the role.
        turn
            Its id in the conversation; its position by default. The same id with the same words is recorded once.
        said_at
            When; now by default.
        scope
            Where the words belong.

        Raises
        ------
        InvalidArgument, Conflict
        """
        if not self._open:
            raise Conflict("the session is closed", hint="Open it again: subject.session(conversation).")
        self._check(role, text)
        now = self._core.clock.now()
        said = None if said_at is None else instant(said_at, zone_name=self._zone, field="said_at")
        if said is not None and said > now:
            raise InvalidArgument("said_at", "later than now", "Words can't have been said in the future.")
        who = checked_name(speaker, "speaker") or (self._subject if role == "user" else role)
        named = checked_name(turn, "turn")
        work = partial(self._record, role=role, text=text, speaker=who, turn=named, said=said, scope=checked(scope))
        outcome = self._core.write(self._subject, "turn", Keyed(work=work))
        self._outcomes.append(outcome)
        return outcome

    def _check(self, role: str, text: str) -> None:
        if checked_name(role, "role") is None:
            raise InvalidArgument("role", "missing", "Use user, assistant or tool.")
        if not isinstance(text, str) or not text.strip():
            raise InvalidArgument("text", "empty", "Give the words of the turn.")
        valid_text(text, "text", MAX_TURN, "Split it into several turns.")

    def _record(
        self, desk: Desk, role: str, text: str, speaker: str, turn: str | None, said: Instant | None, scope: str
    ) -> Logged:
        subject = desk.subject.n
        name = self._free(desk) if turn is None else turn
        before = desk.store.episode(subject, self.conversation, name)
        tx = desk.instant()
        if before is not None:
            if (before.text, before.role, before.speaker, before.scope) != (text, role, speaker, scope):
                raise Conflict(
                    "turn: this id was recorded with other words, role, speaker or scope",
                    hint="Give each turn an id of its own.",
                )
            reason = "this turn was recorded before"
            return desk.finish(tx, Decision.NOOP, "known", reason, episode=(before.n, before.id))
        when = desk.said() if said is None else said
        row = desk.store.add_episode(
            EpisodeRow(
                id=f"epi_{desk.new_id()}", subject=subject, conversation=self.conversation, turn=name, role=role,
                speaker=speaker, text=text, tokens=0, said_at=when, tx=tx, scope=scope, purpose=None,
                audience=self._audience,
                rank=_RANKS.get(role, Authority.EXTERNAL).rank, tier="hot",
            ),
            tokens(f"{speaker} {text}"),
        )  # fmt: skip
        desk.fresh.append(Fresh(shelf="episodes", subject=subject, item=row.n, text=f"{speaker}: {text}"))
        return desk.finish(tx, Decision.ADD, "episode", "recorded as words, not as a fact", episode=(row.n, row.id))

    def _free(self, desk: Desk) -> str:
        """Return the next position as an id, past those that a caller has used."""
        number = desk.store.positions(desk.subject.n, self.conversation) + 1
        while desk.store.episode(desk.subject.n, self.conversation, str(number)) is not None:
            number += 1
        return str(number)

    def close(self) -> None:
        """End the session; closing twice is fine."""
        if self._open:
            self._open = False
            with self._core.backend.write() as store:
                subject = store.add_subject(self._subject)
                store.close_session(subject.n, self.conversation, store.instant(self._core.clock.now()))

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the session unless an error is on its way: then it stays open, to be found again."""
        if kind is None:
            self.close()
