"""A conversation while it goes on: its turns become episodes; what it proposes will live with it (R18)."""

from __future__ import annotations

from functools import partial
from types import TracebackType
from typing import Self

from stead.errors import Conflict, InvalidArgument
from stead.memory.candidate import MAX_CLAIM
from stead.memory.core import Core
from stead.memory.desk import Desk, Fresh
from stead.memory.remember import Logged
from stead.model.authority import Authority
from stead.model.outcome import Decision, Outcome
from stead.model.period import Instant
from stead.model.scope import checked
from stead.model.words import tokens
from stead.model.zone import TimeInput, instant
from stead.store.values import EpisodeRow

MAX_TURN = 8 * MAX_CLAIM
_RANKS = {"user": Authority.STATED, "assistant": Authority.INFERRED}


class Session:
    """The turns of one conversation with a subject.

    Use it as a context manager: its end is noted, and a session that was never closed can be found again.
    """

    def __init__(self, core: Core, subject: str, zone: str | None, conversation: str) -> None:
        if not isinstance(conversation, str) or not conversation.strip() or not conversation.isprintable():
            raise InvalidArgument("conversation", "empty or unprintable", "Name it, for instance c-17.")
        self._core = core
        self._subject = subject
        self._zone = zone
        self.conversation = conversation.strip()
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
        said = now if said_at is None else instant(said_at, zone_name=self._zone, field="said_at")
        if said > now:
            raise InvalidArgument("said_at", "later than now", "Words can't have been said in the future.")
        who = speaker or (self._subject if role == "user" else role)
        work = partial(self._record, role=role, text=text, speaker=who, turn=turn, said=said, scope=checked(scope))
        outcome = self._core.write(self._subject, "turn", work)
        self._outcomes.append(outcome)
        return outcome

    def _check(self, role: str, text: str) -> None:
        if not isinstance(role, str) or not role.strip() or not role.isprintable():
            raise InvalidArgument("role", "empty or unprintable", "Use user, assistant or tool.")
        if not isinstance(text, str) or not text.strip() or "\0" in text:
            raise InvalidArgument("text", "empty or not valid text", "Give the words of the turn.")
        if len(text) > MAX_TURN:
            raise InvalidArgument("text", f"longer than {MAX_TURN} characters", "Split it into several turns.")

    def _record(
        self, desk: Desk, role: str, text: str, speaker: str, turn: str | None, said: Instant, scope: str
    ) -> Logged:
        subject = desk.subject.n
        name = str(desk.store.positions(subject, self.conversation) + 1) if turn is None else str(turn)
        before = desk.store.episode(subject, self.conversation, name)
        tx = desk.instant()
        if before is not None:
            if before.text != text:
                raise Conflict("turn: this id was recorded with other words", hint="Give each turn an id of its own.")
            reason = "this turn was recorded before"
            return desk.finish(tx, Decision.NOOP, "known", reason, episode=(before.n, before.id))
        row = desk.store.add_episode(
            EpisodeRow(
                id=f"epi_{desk.new_id()}", subject=subject, conversation=self.conversation, turn=name, role=role,
                speaker=speaker, text=text, tokens=0, said_at=said, tx=tx, scope=scope, purpose=None, audience=None,
                rank=_RANKS.get(role, Authority.EXTERNAL).rank, tier="hot",
            ),
            tokens(f"{speaker} {text}"),
        )  # fmt: skip
        desk.fresh.append(Fresh(shelf="episodes", subject=subject, item=row.n, text=f"{speaker}: {text}"))
        return desk.finish(tx, Decision.ADD, "episode", "recorded as words, not as a fact", episode=(row.n, row.id))

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
