"""The end of a session: its turns read, its proposals reviewed, what is left of them written in one transaction (R18)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType

from stead.errors import Conflict, InvalidArgument, Refused, SteadError
from stead.extract.proposal import Proposal
from stead.extract.review import Found, review
from stead.memory.core import Core, Keyed
from stead.memory.desk import Desk, Logged
from stead.memory.gate import PERSONALISATION, allowed, denied
from stead.memory.proposing import Spoken, placed, propose
from stead.memory.turns import Cleaned, open_sentences
from stead.model.outcome import Decision, Outcome
from stead.model.record import Kind
from stead.model.slot import claim_key
from stead.policy.guards import redact, sensitive
from stead.store.protocol import ReadTx
from stead.store.values import EpisodeRow, SubjectRow


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A turn with the words in which its proposals were found."""

    row: EpisodeRow
    words: str
    """As they were said, without secrets; what is stored of them may be less."""
    proposals: list[Proposal]
    withheld: frozenset[str] = frozenset()
    """Classes that the subject didn't allow when it was said; a later yes is not about these words."""


@dataclass(slots=True, kw_only=True)
class Reviewing:
    """What one session has heard, and its review."""

    core: Core
    subject: str
    conversation: str
    model: dict[str, object] = field(default_factory=dict)
    """What the model did for the last review."""
    _heard: dict[int, Heard] = field(default_factory=dict)
    """Turns that this session recorded itself, by position, with what was read in their words before any was withheld."""

    def hears(self, row: EpisodeRow, safe: Cleaned) -> None:
        """Read a turn that has just been recorded, durably."""
        if self._may_speak(row):
            proposals = self._read(row, safe.heard)
            self._heard[row.position] = Heard(
                row=row, words=safe.heard, proposals=proposals, withheld=safe.withheld
            )  # fmt: skip

    def found(self) -> list[Found]:
        """Return what the turns propose, reviewed."""
        with self.core.backend.read() as store:
            subject = store.subject(self.subject)
            return [] if subject is None else self._reviewed(self._turns(store, subject)[1])

    def write(self) -> list[Outcome]:
        """Review, write and close, all in one transaction."""
        with self.core.backend.read() as store:
            subject = store.subject(self.subject)
            begin, turns = (0, []) if subject is None else self._turns(store, subject)
        by_model = self._ask_model(turns)
        found = self._reviewed(turns, by_model)
        places = {each.row.position: each for each in turns}
        end = max(places, default=begin - 1) + 1
        works = [
            Keyed(work=partial(self._propose, each=each, heard=places[each.turn], flood=flood))
            for each, flood in self._counted(found)
        ]
        outcomes = self.core.write_many(self.subject, "session", works, before=partial(self._close, begin, end))
        self._heard.clear()
        return [
            replace(outcome, claim=redact(each.proposal.claim).text, turn=places[each.turn].row.turn)
            for outcome, each in zip(outcomes, found, strict=True)
        ]

    def drop(self) -> None:
        """Close without writing; the turns count as reviewed."""
        with self.core.backend.read() as store:
            subject = store.subject(self.subject)
            begin, turns = (0, []) if subject is None else self._turns(store, subject)
        end = max((each.row.position for each in turns), default=begin - 1) + 1
        self.core.write_many(self.subject, "session", (), before=partial(self._close, begin, end))
        self._heard.clear()

    def _close(self, begin: int, end: int, desk: Desk) -> None:
        row = desk.store.session(desk.subject.n, self.conversation)
        if row is None or row.reviewed > begin or desk.store.positions(desk.subject.n, self.conversation) > end:
            raise Conflict(
                "the session went on or was reviewed in another process", hint="Open it again and close it there."
            )
        desk.store.set_reviewed(desk.subject.n, self.conversation, end)
        desk.store.close_session(desk.subject.n, self.conversation, desk.instant())

    def _turns(self, store: ReadTx, subject: SubjectRow) -> tuple[int, list[Heard]]:
        """Return from which position on nothing was reviewed, and the turns from there with what they propose."""
        session = store.session(subject.n, self.conversation)
        begin = session.reviewed if session is not None else 0
        rows = store.turns_from(subject.n, self.conversation, begin)
        return begin, [self._own(row) or self._read_again(row) for row in rows]

    def _own(self, row: EpisodeRow) -> Heard | None:
        """Return what this session heard itself, if it is really this turn."""
        heard = self._heard.get(row.position)
        return heard if heard is not None and heard.row.id == row.id else None

    def _read_again(self, row: EpisodeRow) -> Heard:
        """Read a turn that another process recorded, from what was kept of its words."""
        proposals = self._read(row, row.text) if self._may_speak(row) else []
        return Heard(row=row, words=row.text, proposals=proposals)

    def _may_speak(self, row: EpisodeRow) -> bool:
        """Tell whether the turn is a person's own word: what assistants, pages and tools say is kept as words (R15)."""
        return row.role == "user"

    def _read(self, row: EpisodeRow, text: str) -> list[Proposal]:
        try:
            return self._extracted(row, text)
        except SteadError:  # words that make no claim are no error of who said them
            return []

    def _extracted(self, row: EpisodeRow, text: str) -> list[Proposal]:
        return self.core.extractor(text, said=row.said_at, zone=row.zone or "UTC")

    def _reviewed(
        self, turns: Sequence[Heard], by_model: Mapping[int, Sequence[Proposal]] = MappingProxyType({})
    ) -> list[Found]:
        said = [
            Found(
                turn=heard.row.position, speaker=heard.row.speaker,
                proposal=placed(self.core.policy, self.subject, heard.row, each),
            )
            for heard in turns
            for each in _together(heard.proposals, by_model.get(heard.row.position, ()))
        ]  # fmt: skip
        return review(said, self.core.policy.terms)

    def _ask_model(self, turns: Sequence[Heard]) -> dict[int, list[Proposal]]:
        """Ask the model, if there is one, about the subject's own turns; what it doesn't answer stays local (R24)."""
        model = self.core.model_extractor
        own = [each.row for each in turns if self._may_speak(each.row)]
        if model is None or not own:
            return {}
        with self.core.backend.read() as store:
            subject = store.subject(self.subject)
            consents = {} if subject is None else store.consents(subject.n)
        if not allowed(self.core.policy, consents, PERSONALISATION):
            return {}
        closed = denied(self.core.policy, consents)  # what was allowed when it was said may not be any more
        answer = model.read([replace(row, text=open_sentences(row.text, closed)[0]) for row in own])
        self.model = answer.report
        return dict(answer.proposals)

    def _counted(self, found: Sequence[Found]) -> Iterator[tuple[Found, bool]]:
        """Tell of each whether it is one more than its turn or session may bring."""
        limits = self.core.policy.limits
        in_turn: dict[int, int] = {}
        for n, each in enumerate(found):
            in_turn[each.turn] = in_turn.get(each.turn, 0) + 1
            yield each, in_turn[each.turn] > limits.per_turn or n >= limits.per_session

    def _propose(self, desk: Desk, each: Found, heard: Heard, flood: bool) -> Logged:
        row, proposal = heard.row, each.proposal
        traits = {*each.traits, "session"} | ({"flood"} if flood else set())
        start, end = proposal.span
        words = heard.words[start:end]
        key, scope = claim_key(words), proposal.scope
        if proposal.kind is not Kind.INSTRUCTION and desk.store.echoes(desk.subject.n, key, scope, desk.said()):
            traits.add("recalled")  # a person says "I live in Lyon"; "Lives in Lyon" is how memory says it
        if heard.withheld & sensitive(words):
            traits.add("no_consent")
        spoken = Spoken(subject=self.subject, row=row, proposal=proposal, traits=frozenset(traits))
        desk = replace(desk, episode=(row.n, row.id), trigger="session")
        try:
            return propose(desk, spoken)
        except (InvalidArgument, Refused):  # one claim that can't be written holds up no other
            reason = "it can't be written as a claim"
            return desk.finish(desk.instant(), Decision.REJECT, "unreadable", reason)


def _together(local: Sequence[Proposal], by_model: Sequence[Proposal]) -> list[Proposal]:
    """Return what the rules found in a turn, and what the model found beside it (R24).

    Where the rules read the same words, or said something of the same slot, theirs stands: a model adds, it doesn't overrule
    that something was only supposed, taken back, or asked to be forgotten.
    """
    keys = {each.slot.key for each in local if each.slot is not None}
    spans = [each.span for each in local]
    added = [
        each
        for each in by_model
        if not any(start < each.span[1] and each.span[0] < end for start, end in spans)
        and (each.slot is None or each.slot.key not in keys)
    ]
    return sorted([*local, *added], key=lambda each: each.span)
