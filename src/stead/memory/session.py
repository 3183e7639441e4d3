"""A conversation while it goes on: its turns become episodes, its proposals live with it until the review (R18)."""

from __future__ import annotations

from functools import partial
from types import TracebackType
from typing import Self

from stead.errors import Conflict, Erased, InvalidArgument
from stead.extract.review import Found
from stead.memory.candidate import MAX_CLAIM, check, checked_name
from stead.memory.core import Core, Keyed
from stead.memory.desk import Desk, Fresh, Logged
from stead.memory.fences import turn_fenced
from stead.memory.forgetting import Wish, forget
from stead.memory.gate import turned_away
from stead.memory.remember import remember
from stead.memory.reviewing import Reviewing
from stead.memory.scrub import check_names
from stead.memory.turns import Cleaned, cleaned
from stead.model.authority import Authority
from stead.model.outcome import Decision, Outcome
from stead.model.period import Instant, to_datetime
from stead.model.scope import checked
from stead.model.slot import valid_text
from stead.model.words import tokens
from stead.model.zone import TimeInput, instant
from stead.policy.policy import Route
from stead.store.values import EpisodeRow

MAX_TURN = 8 * MAX_CLAIM
PERSONALISATION_OFF = "personalisation_off"
_LONGEST_SPEAKER = 150
"""Characters; whom a claim is about is a part of its slot."""
_RANKS = {"user": Authority.STATED, "assistant": Authority.INFERRED}


class Session:
    """The turns of one conversation with a subject.

    Use it as a context manager: at its end everything that it proposed is reviewed and written in one transaction. A
    session that was never closed can be found again (`Subject.open_sessions`), and reviewed or dropped.
    """

    def __init__(
        self, core: Core, subject: str, zone: str | None, conversation: str, audience: tuple[str, ...] | None = None
    ) -> None:
        name = checked_name(conversation, "conversation")
        if name is None:
            raise InvalidArgument("conversation", "missing", "Name it, for instance c-17.")
        check_names(conversation=name)
        self._core = core
        self._subject = subject
        self._zone = zone
        self._audience = audience
        self.conversation = name
        self._outcomes: list[Outcome] = []
        self._open = True
        self._review = Reviewing(core=core, subject=subject, conversation=name)
        with core.backend.write() as store:
            store.open_session(core.subject_of(store, subject).n, self.conversation, store.instant(core.clock.now()))

    @property
    def outcomes(self) -> tuple[Outcome, ...]:
        """Every candidate that this session's review decided on: its route, its decision, its rule and its reason."""
        return tuple(self._outcomes)

    @property
    def proposals(self) -> tuple[Found, ...]:
        """What the turns proposed so far, as the review would see it now; nothing of it is stored."""
        return tuple(self._review.found())

    @property
    def model(self) -> dict[str, object]:
        """What the model did for the last review: calls, tokens, failures, what was dropped (R52); empty without one."""
        return dict(self._review.model)

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
        """Record one turn as an episode, durably; what it proposes waits for the review.

        Before anything is stored, secrets are redacted, sensitive sentences that the subject hasn't opted into are
        withheld, words that memory itself returned are cut out, and a turn that would steer the agent is turned away.

        Parameters
        ----------
        role
            ``user``, ``assistant``, ``tool`` or another name. Only what the subject says as ``user`` can become a fact.
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
        role = self._check(role, text)
        now = self._core.clock.now()
        said = None if said_at is None else instant(said_at, zone_name=self._zone, field="said_at")
        if said is not None and said > now:
            raise InvalidArgument("said_at", "later than now", "Words can't have been said in the future.")
        who = checked_name(speaker, "speaker") or (self._subject if role == "user" else role)
        named = checked_name(turn, "turn")
        valid_text(who, "speaker", _LONGEST_SPEAKER, "Give a name; what they say is the text.")
        check_names(speaker=who, turn=named, scope=scope)
        recorded: list[tuple[EpisodeRow, Cleaned]] = []
        work = partial(
            self._record, role=role, text=text, speaker=who, turn=named, said=said, scope=checked(scope),
            recorded=recorded,
        )  # fmt: skip
        outcome = self._core.write(self._subject, "turn", Keyed(work=work))
        for row, safe in recorded:  # not before it is on the disk
            self._review.hears(row, safe)
        return outcome

    def _check(self, role: str, text: str) -> str:
        named = checked_name(role, "role")
        if named is None:
            raise InvalidArgument("role", "missing", "Use user, assistant or tool.")
        if not isinstance(text, str) or not text.strip():
            raise InvalidArgument("text", "empty", "Give the words of the turn.")
        valid_text(text, "text", MAX_TURN, "Split it into several turns.")
        return named.casefold() if named.casefold() in _RANKS else named

    def _record(
        self,
        desk: Desk,
        role: str,
        text: str,
        speaker: str,
        turn: str | None,
        said: Instant | None,
        scope: str,
        recorded: list[tuple[EpisodeRow, Cleaned]],
    ) -> Logged:
        safe = cleaned(desk, text)
        if safe.away is not None:
            return self._away(desk, role, speaker, safe, said, scope)
        subject = desk.subject.n
        name = self._free(desk) if turn is None else turn
        before = desk.store.episode(subject, self.conversation, name)
        if before is None and _is_taken(desk, self.conversation, name):
            raise Erased("turn: the turn of this id was erased", field="turn", hint="Give each turn an id of its own.")
        tx = desk.instant()
        if before is not None:
            if (before.text, before.role, before.speaker, before.scope) != (safe.text, role, speaker, scope):
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
                speaker=speaker, text=safe.text, tokens=0, said_at=when, tx=tx, scope=scope, purpose=None,
                audience=self._audience,
                rank=_RANKS.get(role, Authority.EXTERNAL).rank, tier="hot", zone=self._zone,
            ),
            tokens(f"{speaker} {safe.text}"),
        )  # fmt: skip
        desk.store.open_session(subject, self.conversation, tx)  # another handle may have closed it meanwhile
        desk.fresh.append(Fresh(shelf="episodes", subject=subject, item=row.n, text=f"{speaker}: {safe.text}"))
        recorded.append((row, safe))
        return desk.finish(tx, Decision.ADD, "episode", _recorded(safe), episode=(row.n, row.id))

    def _away(self, desk: Desk, role: str, speaker: str, safe: Cleaned, said: Instant | None, scope: str) -> Logged:
        """Store nothing of a turn; but what only reads as an order is kept as a claim that a person can release (R48)."""
        assert safe.away is not None
        if safe.away.name == PERSONALISATION_OFF and role == "user" and speaker == self._subject:
            from stead.extract.rules.takeback import wished_of

            about = wished_of(safe.text)
            if about is not None:  # who isn't to be remembered may well ask to be forgotten (R27)
                wish = Wish(about=about, conversation=self.conversation)
                return forget(desk, wish, desk.policy.route(frozenset({"forget"})), "turn")
        if safe.away.route is not Route.QUARANTINE or len(safe.text) > MAX_CLAIM:
            return turned_away(desk, safe.away, "turn")
        now = desk.said()
        claim = check(
            safe.text, now=now, subject=self._subject, zone=self._zone, speaker=speaker, scope=scope,
            authority=_RANKS.get(role, Authority.EXTERNAL), audience=self._audience, trigger="turn",
            source={"conversation": self.conversation}, observed_at=to_datetime(now if said is None else said),
        )  # fmt: skip
        return remember(desk, claim, traits=("session",))

    def _free(self, desk: Desk) -> str:
        """Return the next position as an id, past those that a caller has used."""
        number = desk.store.positions(desk.subject.n, self.conversation) + 1
        while _is_taken(desk, self.conversation, str(number)):
            number += 1
        return str(number)

    def close(self) -> tuple[Outcome, ...]:
        """End the session: review what it proposed, and write what is left of it in one transaction (R18).

        Closing twice is fine: the second time there is nothing to review.

        Returns
        -------
        tuple of Outcome
            One for each candidate of the turns that hadn't been reviewed, in the order in which they were said.

        Raises
        ------
        Conflict
            Another process has reviewed it meanwhile.
        """
        if not self._open:
            return ()
        outcomes = self._review.write()
        self._open = False
        self._outcomes += outcomes
        return tuple(outcomes)

    def drop(self) -> None:
        """End the session without writing anything that it proposed; its turns stay, as words."""
        if self._open:
            self._review.drop()
            self._open = False

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the session unless an error is on its way: then it stays open, to be found again."""
        if kind is None:
            self.close()


def _is_taken(desk: Desk, conversation: str, turn: str) -> bool:
    return desk.store.turn_taken(desk.subject.n, conversation, turn) or turn_fenced(desk, conversation, turn)


def _recorded(safe: Cleaned) -> str:
    """Say what was recorded, and what was left out of it."""
    left = [f"{name} redacted" for name in safe.secrets] + (["what is sensitive withheld"] if safe.withheld else [])
    left += ["memory's own words cut out"] if safe.recalled else []
    return "recorded as words, not as a fact" + (f"; {', '.join(left)}" if left else "")
