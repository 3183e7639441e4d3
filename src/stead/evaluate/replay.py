"""Replay real conversations through the write policy: what was proposed, kept, asked and dropped, and why (R44)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from statistics import median

from stead.clock import StoryClock
from stead.evaluate.dataset import Conversation, load, pick
from stead.memory import Store
from stead.model.outcome import Decision, Outcome
from stead.model.period import from_datetime

KEPT = frozenset({Decision.ADD, Decision.UPDATE, Decision.SUPERSEDE, Decision.OVERRIDE, Decision.CONTEST})


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """One session of a replay."""

    conversation: str
    said_at: datetime
    turns: int
    added: int
    """Turns that the store didn't have before."""
    outcomes: tuple[Outcome, ...]
    """What the review decided, in the order in which it was said."""

    @property
    def kept(self) -> list[Outcome]:
        """Return what was written."""
        return [each for each in self.outcomes if each.decision in KEPT]

    @property
    def asked(self) -> list[Outcome]:
        """Return what waits for an answer."""
        return [each for each in self.outcomes if each.decision is Decision.CONFIRM]

    @property
    def known(self) -> list[Outcome]:
        """Return what was said already."""
        return [each for each in self.outcomes if each.decision is Decision.NOOP]

    @property
    def dropped(self) -> list[Outcome]:
        """Return what nothing was stored of."""
        return [each for each in self.outcomes if each.decision in (Decision.REJECT, Decision.ERASE)]

    @property
    def rate(self) -> float:
        """Return the share of the turns from which something was written."""
        return len({each.turn for each in self.kept}) / self.turns if self.turns else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """What a replay came to, session by session."""

    subject: str
    sessions: tuple[Replayed, ...]

    def as_dict(self) -> dict[str, object]:
        """Return it as JSON carries it."""
        return {
            "subject": self.subject,
            "turns": sum(each.turns for each in self.sessions),
            "added": sum(each.added for each in self.sessions),
            "write_rate": self.rates(),
            "rules": dict(self.rules()),
            "sessions": [
                {
                    "conversation": each.conversation, "said_at": each.said_at.isoformat().replace("+00:00", "Z"),
                    "turns": each.turns, "added": each.added, "proposed": len(each.outcomes), "kept": len(each.kept),
                    "asked": len(each.asked), "known": len(each.known), "dropped": len(each.dropped),
                    "write_rate": round(each.rate, 4),
                    "candidates": [
                        {
                            "turn": one.turn, "claim": one.claim, "route": one.route, "decision": str(one.decision),
                            "rule": one.rule, "reason": one.reason, "record": one.record,
                        }
                        for one in each.outcomes
                    ],
                }
                for each in self.sessions
            ],
        }  # fmt: skip

    def rates(self) -> dict[str, float]:
        """Return the write rate over the sessions: median, quartiles and extremes of the share of turns written from."""
        return spread([each.rate for each in self.sessions])

    def rules(self) -> Counter[str]:
        """Return how often each rule decided."""
        return Counter(one.rule for each in self.sessions for one in each.outcomes)

    def lines(self) -> Iterator[str]:
        """Yield each session with its candidates, then the sums."""
        for each in self.sessions:
            yield (
                f"{each.conversation:<10}  {each.said_at:%Y-%m-%d %H:%M}  {each.turns:>3} turns, {each.added} new;"
                f" {len(each.outcomes)} proposed: {len(each.kept)} kept, {len(each.asked)} asked, {len(each.known)} known,"
                f" {len(each.dropped)} dropped"
            )
            for one in each.outcomes:
                yield f"    {one.turn or '-':<8} {str(one.decision).lower():<9} {one.rule:<22} {one.claim or ''}"
        turns, added = (sum(getattr(each, name) for each in self.sessions) for name in ("turns", "added"))
        rates = self.rates()
        yield f"subject {self.subject}: {len(self.sessions)} sessions, {turns} turns, {added} new"
        yield (
            f"write rate (share of a session's turns that something was written from): median {rates['median']:.3f},"
            f" quartiles {rates['low']:.3f} to {rates['high']:.3f}, from {rates['least']:.3f} to {rates['most']:.3f}"
        )
        for rule, count in self.rules().most_common():
            yield f"  {count:>5}  {rule}"


def spread(values: Sequence[float]) -> dict[str, float]:
    """Return median, quartiles and extremes."""
    if not values:
        return dict.fromkeys(("median", "low", "high", "least", "most"), 0.0)
    ordered = sorted(values)
    half = len(ordered) // 2
    low, high = ordered[: half or 1], ordered[-half:] if half else ordered
    return {
        "median": round(median(ordered), 4), "low": round(median(low), 4), "high": round(median(high), 4),
        "least": round(ordered[0], 4), "most": round(ordered[-1], 4),
    }  # fmt: skip


def replay(path: str | Path, conversation: str, store: Store, *, clock: StoryClock | None = None) -> Replay:
    """Play the dated sessions of one LoCoMo conversation through the policy, as sessions of one subject.

    The subject is named as the conversation is. Every turn keeps its id, so that a second replay adds nothing. Both people
    have the role ``user``; who spoke is the speaker, and what they say of themselves is about them, not about the subject.
    The data set names no zone: its times are taken as UTC.

    Parameters
    ----------
    path
        The data file, or the folder with it.
    conversation
        Its ``sample_id``, for instance ``conv-26``, or its place from 1.
    store
        Where to.
    clock
        The clock that the store was opened with, if it can be put: it goes to the date of each session, never back, so that
        ``known_at`` tells the story too.

    Raises
    ------
    InvalidArgument
    """
    return replayed(pick(load(path), conversation), store, clock)


def replayed(
    conversation: Conversation, store: Store, clock: StoryClock | None = None, *, review: bool = True
) -> Replay:
    """Play one conversation; without ``review`` its turns are recorded and what they propose is dropped."""
    subject = store.subject(conversation.name, zone="UTC")
    done: list[Replayed] = []
    for talk in conversation.sessions:
        if clock is not None:
            clock.instant = max(clock.instant, from_datetime(talk.when))
        session = subject.session(talk.name)
        turns = [
            session.turn("user", each.text, speaker=each.speaker, turn=each.id, said_at=talk.when)
            for each in talk.turns
        ]
        outcomes = session.close() if review else ()
        if not review:
            session.drop()
        added = sum(outcome.decision is Decision.ADD for outcome in turns)
        done.append(
            Replayed(
                conversation=talk.name, said_at=talk.when, turns=len(talk.turns), added=added, outcomes=outcomes
            )
        )  # fmt: skip
    return Replay(subject=conversation.name, sessions=tuple(done))
