"""What the write policy makes of real conversations: how much is written, why not, and whether all of it was really said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from stead.clock import StoryClock
from stead.evaluate.dataset import Conversation, load
from stead.evaluate.replay import Replay, replayed, spread
from stead.ids import seeded_ids
from stead.memory import Subject, open_store
from stead.model.context import EpisodeHit
from stead.model.record import Record
from stead.model.slot import SELF, normal
from stead.model.words import tokens

Progress = Callable[[str], object]
_GENERIC = frozenset(
    tokens("likes loves enjoys prefers hates dislikes avoids interested yes away favorite themselves theirs user")
)
"""Stems of the values that say how somebody stands to a thing, in whatever words, and of the words for the speaker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteReport:
    """The write policy over a set of conversations."""

    conversations: int
    sessions: int
    turns: int
    rates: Mapping[str, float]
    """Share of a session's turns from which something was written: median, quartiles, extremes."""
    decisions: Mapping[str, int]
    rules: Mapping[str, int]
    written: int
    ungrounded: tuple[str, ...]
    """Ids of records with a part that their turn doesn't say; should be empty."""
    repeated: bool
    """Whether a second replay into new stores gave the same records."""
    samples: tuple[tuple[str, str, str, str], ...] = field(default=())
    """Conversation, turn, decision and claim of everything that was written or asked, for reading."""

    def as_dict(self) -> dict[str, object]:
        """Return it as JSON carries it."""
        return {
            "conversations": self.conversations, "sessions": self.sessions, "turns": self.turns,
            "write_rate": dict(self.rates), "decisions": dict(self.decisions), "rules": dict(self.rules),
            "written": self.written, "ungrounded": list(self.ungrounded), "same_again": self.repeated,
            "candidates": [
                {"conversation": name, "turn": turn, "decision": decision, "claim": claim}
                for name, turn, decision, claim in self.samples
            ],
        }  # fmt: skip

    def lines(self) -> Iterator[str]:
        """Yield the report, without the candidates."""
        yield f"{self.conversations} conversations, {self.sessions} sessions, {self.turns} turns, {self.written} records"
        rates = self.rates
        yield (
            f"write rate (share of a session's turns that something was written from): median {rates['median']:.3f},"
            f" quartiles {rates['low']:.3f} to {rates['high']:.3f}, from {rates['least']:.3f} to {rates['most']:.3f}"
        )
        yield f"ungrounded records: {len(self.ungrounded)}"
        yield f"the same again in a second replay: {'yes' if self.repeated else 'no'}"
        for title, counts in (("decision", self.decisions), ("rule", self.rules)):
            for name, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
                yield f"  {title:<8}  {count:>5}  {name}"


def evaluate(data: str | Path, *, progress: Progress | None = None) -> WriteReport:
    """Replay every LoCoMo conversation through the policy, twice, and check everything that was written.

    Parameters
    ----------
    data
        The data file, or the folder with it.
    progress
        Called with a line for each conversation.

    Raises
    ------
    InvalidArgument
    """
    conversations = load(data)
    replays: list[Replay] = []
    ungrounded: list[str] = []
    repeated, written = True, 0
    for each in conversations:
        first, records, wrong = _played(each)
        _, again, _ = _played(each)
        replays.append(first)
        ungrounded += wrong
        repeated = repeated and records == again
        written += len(records)
        if progress is not None:
            progress(f"{each.name}: {sum(one.turns for one in first.sessions)} turns, {len(records)} records")
    sessions = [one for each in replays for one in each.sessions]
    outcomes = [(each.subject, one) for each in replays for session in each.sessions for one in session.outcomes]
    return WriteReport(
        conversations=len(conversations), sessions=len(sessions), turns=sum(one.turns for one in sessions),
        rates=spread([one.rate for one in sessions]),
        decisions=Counter(str(one.decision) for _, one in outcomes), rules=Counter(one.rule for _, one in outcomes),
        written=written, ungrounded=tuple(ungrounded), repeated=repeated,
        samples=tuple(
            (name, one.turn or "", str(one.decision), one.claim or "")
            for name, one in outcomes
            if one.record is not None
        ),
    )  # fmt: skip


def _played(conversation: Conversation) -> tuple[Replay, list[str], list[str]]:
    """Return a replay, its records in one spelling without ids, and the ids of those that aren't grounded."""
    clock = StoryClock()
    with TemporaryDirectory(prefix="stead-writes-") as folder:
        path = Path(folder) / "memory.db"
        with open_store(path, embedder="none", clock=clock, new_id=seeded_ids(1)) as store:
            played = replayed(conversation, store, clock)
            subject = store.subject(conversation.name)
            records = list(_records(subject))
            said = {each.turn: f"{each.speaker} {each.text}" for each in _episodes(subject)}
            wrong = [each.id for each in records if not is_grounded(each, said)]
            return played, [str(each) for each in records], wrong


def _records(subject: Subject) -> Iterator[Record]:
    after: str | None = None
    while page := subject.records(limit=500, after=after):
        yield from page
        after = page[-1].id


def _episodes(subject: Subject) -> Iterator[EpisodeHit]:
    after: str | None = None
    while page := subject.episodes(limit=500, after=after):
        yield from page
        after = page[-1].id


def is_grounded(record: Record, said: Mapping[str, str]) -> bool:
    """Tell whether a record is really in its turns (R24).

    Value, object and entity occur in every turn that it names as a source; the words of its claim in the first one.

    Parameters
    ----------
    record
        What was written.
    said
        The speaker and words of each turn, by the turn's id.
    """
    for place, source in enumerate(record.sources):
        words = normal(said.get(source.turn, ""))
        parts = [part for part in (record.value, record.object) if part and not _GENERIC & set(tokens(part))]
        if record.entity is not None and record.entity != SELF:
            parts.append(record.entity.removeprefix(f"{source.speaker}'s "))
        spoken = set(tokens(words)) | _GENERIC
        if not all(_occurs(normal(part), words) for part in parts):
            return False
        if not place and not set(tokens(record.claim)) <= spoken:  # its words are those of who said it first
            return False
    return bool(record.sources)


def _occurs(part: str, words: str) -> bool:
    return part in words or set(tokens(part)) <= set(tokens(words))
