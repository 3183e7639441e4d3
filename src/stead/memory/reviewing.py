"""The end of a session: its turns read, its proposals reviewed, what is left of them written in one transaction (R18)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType

from stead.errors import Conflict, InvalidArgument, Refused, SteadError
from stead.extract.proposal import Act, Proposal
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Span:
    """The stretch of a conversation that a review is about."""

    begin: int
    end: int
    turns: int
    """How many of its turns can be read."""


@dataclass(slots=True, kw_only=True)
class Reviewing:
    """What one session has heard, and its review."""

    core: Core
    subject: str
    conversation: str
    model: dict[str, object] = field(default_factory=dict)
    """What the model did for the last review."""
    _heard: dict[str, Heard] = field(default_factory=dict)
    """Turns that this session recorded itself, by id, with what was read in their words before any was withheld."""

    def hears(self, row: EpisodeRow, safe: Cleaned) -> None:
        """Read a turn that has just been recorded, durably."""
        if self._may_speak(row):
            proposals = self._read(row, safe.heard)
            self._heard[row.id] = Heard(
                row=row, words=safe.heard, proposals=proposals, withheld=safe.withheld
            )  # fmt: skip

    def found(self) -> list[Found]:
        """Return what the turns propose, reviewed."""
        with self.core.backend.read() as store:
            subject = store.subject(self.subject)
            return [] if subject is None else self._reviewed(self._turns(store, subject, self._begin(store, subject)))

    def write(self) -> list[Outcome]:
        """Review, write and close, all in one transaction."""
        span, turns = self._unreviewed()
        found = self._reviewed(turns, self._ask_model(turns))
        places = {each.row.position: each for each in turns}
        outcomes = self._decide(span, places, list(self._counted(found)))
        with self.core.backend.read() as store:  # what was asked to be forgotten isn't said again by the outcome
            subject = store.subject(self.subject)
            left = set() if subject is None else {row.position for row in self._rows(store, subject.n, span.begin)}
        return [
            replace(
                outcome, turn=places[each.turn].row.turn,
                claim=redact(each.proposal.claim).text if each.turn in left else None,
            )
            for outcome, each in zip(outcomes, found, strict=True)
        ]  # fmt: skip

    def drop(self) -> None:
        """Close without writing; the turns count as reviewed. What was asked to be forgotten is (R27)."""
        span, turns = self._unreviewed()
        asked = [(each, False) for each in self._reviewed(turns) if each.proposal.act is Act.FORGET]
        self._decide(span, {each.row.position: each for each in turns}, asked)

    def _decide(self, span: _Span, places: Mapping[int, Heard], found: Sequence[tuple[Found, bool]]) -> list[Outcome]:
        works = [
            Keyed(work=partial(self._propose, each=each, heard=places[each.turn], flood=flood)) for each, flood in found
        ]
        outcomes = self.core.write_many(self.subject, "session", works, before=partial(self._close, span))
        self._heard.clear()
        return outcomes

    def _close(self, span: _Span, desk: Desk) -> None:
        store, subject = desk.store, desk.subject.n
        row = store.session(subject, self.conversation)
        went_on = store.positions(subject, self.conversation) > span.end
        if (
            row is None
            or row.reviewed > span.begin
            or went_on
            or len(self._rows(store, subject, span.begin)) != span.turns
        ):
            raise Conflict(
                "the session went on or was reviewed in another process", hint="Open it again and close it there."
            )
        desk.store.set_reviewed(desk.subject.n, self.conversation, span.end)
        desk.store.close_session(desk.subject.n, self.conversation, desk.instant())

    def _unreviewed(self) -> tuple[_Span, list[Heard]]:
        """Return the stretch of the conversation that wasn't reviewed, and its turns with what they propose."""
        with self.core.backend.read() as store:
            subject = store.subject(self.subject)
            if subject is None:
                return _Span(begin=0, end=0, turns=0), []
            begin = self._begin(store, subject)
            turns = self._turns(store, subject, begin)
            end = store.positions(subject.n, self.conversation)  # turns that are being erased count
        return _Span(begin=begin, end=end, turns=len(turns)), turns

    def _begin(self, store: ReadTx, subject: SubjectRow) -> int:
        session = store.session(subject.n, self.conversation)
        return session.reviewed if session is not None else 0

    def _rows(self, store: ReadTx, subject: int, begin: int) -> list[EpisodeRow]:
        return store.turns_from(subject, self.conversation, begin)

    def _turns(self, store: ReadTx, subject: SubjectRow, begin: int) -> list[Heard]:
        return [self._own(row) or self._read_again(row) for row in self._rows(store, subject.n, begin)]

    def _own(self, row: EpisodeRow) -> Heard | None:
        """Return what this session heard itself, if it is really this turn."""
        heard = self._heard.get(row.id)
        return None if heard is None else replace(heard, row=row)  # its position may have changed

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
        spoken = Spoken(subject=self.subject, row=row, proposal=proposal, traits=frozenset(traits), met=each.met)
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
