"""A whole store of slotted claims, as plainly as it can be said: dictionaries, whole copies, and no strip is ever kept.

Every transaction keeps a copy of all rows (R6), so that `known_at` is a look-up. What holds is laid anew from the rows for
each question (R10). Instants are plain numbers, records are numbered as they are written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from tests.reference.rows import (
    LAID,
    LIVE,
    NEVER,
    RANK,
    Answer,
    Cut,
    Row,
    Told,
    beats,
    gives_way,
    grid,
    meet,
    said,
    same_proposal,
    seen_from,
    superseded,
    tell,
    was_rejected,
)
from tests.reference.strip import OPEN, Piece, Said, Span, heads, lay_pieces, without

DISTANT: Final = 2**60
"""Later than every transaction."""


class Refusal(Exception):
    """The call is wrong or forbidden; the code is all that is compared."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Reference:
    """The rules of slotted claims for one subject."""

    def __init__(self, subject: str = "ana") -> None:
        self.subject = subject
        self.clock = 0
        self.last = -OPEN
        self.corrections: dict[int, int] = {}
        """Which record stands in whose place."""
        self.rows: dict[int, Row] = {}
        self.past: list[tuple[int, dict[int, Row]]] = []
        self.answers: list[tuple[int, dict[int, Row], dict[int, Row]]] = []
        """Answers to contests that weren't taken back: when, and the rows before and after."""

    # --- reading ----------------------------------------------------------------------------------------------------------

    def recall(self, attribute: str, at: int, scope: str = "", known_at: int | None = None) -> Told:
        """Answer from the narrowest scope of the reader's chain in which anything stands (R11)."""
        for each in seen_from(scope):
            stands = heads(self._strip(attribute, each, known_at), at)
            if stands:
                return tell(stands)
        return Told((), frozenset())

    def holds(self, attribute: str, scope: str = "", known_at: int | None = None) -> list[tuple[Told, int, int]]:
        """Return this scope's own strip: what stands from when until when; neighbours of equal values are one."""
        strip = self._strip(attribute, scope, known_at)
        told: list[tuple[Told, int, int]] = []
        for span in grid(strip):
            now = tell(heads(strip, span.start))
            if told and told[-1][0].values == now.values and told[-1][2] == span.start:
                before, start, _ = told.pop()
                told.append((Told(now.values, before.refs | now.refs), start, span.end))
            elif now.values:
                told.append((now, span.start, span.end))
        return told

    def statuses(self) -> dict[int, str]:
        """Return the status of every record, as now known."""
        return {ref: row.status for ref, row in self.rows.items()}

    def contests(self) -> set[frozenset[int]]:
        """Return the groups of records that are contested with each other somewhere."""
        places = {(row.attribute, row.scope) for row in self.rows.values()}
        strips = [self._strip(*place) for place in places]
        told = [tell(heads(strip, span.start)) for strip in strips for span in grid(strip)]
        return {each.refs for each in told if len(each.values) > 1}

    def _strip(self, attribute: str, scope: str, known_at: int | None = None, extra: Row | None = None) -> list[Piece]:
        clock = self.clock if known_at is None else known_at
        rows = [row for row in self._known(known_at) if row.status in LAID and row.expires > clock]
        mine = [row for row in rows if (row.attribute, row.scope) == (attribute, scope)]
        return lay_pieces([said(row) for row in [*mine, *([extra] if extra else [])]])

    def _known(self, known_at: int | None) -> list[Row]:
        if known_at is None:
            return list(self.rows.values())
        states = [rows for tx, rows in self.past if tx <= known_at]
        return list(states[-1].values()) if states else []

    # --- writing ----------------------------------------------------------------------------------------------------------

    def remember(
        self,
        attribute: str,
        value: str | None,
        *,
        scope: str = "",
        speaker: str = "ana",
        authority: str = "stated",
        start: int | None = None,
        end: int | None = None,
        expires: int | None = None,
        corrected: bool = False,
    ) -> Answer:
        """Resolve a candidate and write what follows from it (R21 to R23)."""
        row = Row(
            ref=len(self.rows),
            attribute=attribute,
            scope=scope,
            speaker=speaker,
            rank=RANK[authority],
            value=value,
            start=self.clock if start is None else start,
            end=OPEN if end is None else end,
            corrected=corrected,
            expires=NEVER if expires is None else expires,
        )
        if row.end <= row.start:
            raise Refusal("invalid_interval")
        with self._transaction() as tx:
            row = replace(row, order=tx, told=frozenset([speaker]))
            if row.rank < RANK["stated"] and any(was_rejected(each, row) for each in self.rows.values()):
                return Answer("REJECT", None, tx)
            known = self._known_already(row)
            if known:
                for ref in known:
                    self._hear(ref, row)
                return Answer("NOOP", known[0], tx)
            if row.rank < RANK["stated"]:
                waiting = [
                    each.ref for each in self.rows.values() if same_proposal(each, row) and each.expires > self.clock
                ]
                if waiting:
                    self._hear(waiting[0], row)
                    return Answer("NOOP", waiting[0], tx)
            asked = self._hidden(row) or self._repairs_a_source(row) or self._against_several(row)
            if row.rank < RANK["stated"] or asked:
                self.rows[row.ref] = replace(row, status="proposed")
                return Answer("CONFIRM", row.ref, tx)
            return Answer(self._lay(row), row.ref, tx)

    def _hear(self, ref: int, row: Row) -> None:
        """Count a speaker who says the same, unless it is a page or a model that repeats what was said (R48)."""
        if row.rank >= min(self.rows[ref].rank, RANK["stated"]):
            self._set(ref, told=self.rows[ref].told | row.told)

    def _against_several(self, row: Row) -> bool:
        """Tell whether one mention would end, repair or contest what several others have said (R23)."""
        if row.rank != RANK["stated"]:
            return False
        kept, last = dict(self.rows), self.last
        decision = self._lay(row)
        hit = {ref for ref, old in kept.items() if any(cut not in old.cuts for cut in self.rows[ref].cuts)}
        hit |= {ref for group in self.contests() if row.ref in group for ref in group if ref in kept}
        self.rows, self.last = kept, last
        strip = self._strip(row.attribute, row.scope)
        stood = {each.record for span in grid(strip, Span(row.start, row.end)) for each in heads(strip, span.start)}
        against = [kept[ref] for ref in hit & stood if kept[ref].value != row.value]
        return decision != "ADD" and any(len(old.told - row.told) > 1 for old in against)

    def _known_already(self, row: Row) -> list[int]:
        """Return the records that already say so over the whole interval, uncontested, on enough authority (R21)."""
        strip = self._strip(row.attribute, row.scope)
        found = []
        for span in grid(strip, Span(row.start, row.end)):
            stands = heads(strip, span.start)
            fit = [each for each in stands if each.rank >= row.rank and self.rows[each.record].expires >= row.expires]
            if not fit or any(each.value != row.value for each in stands):
                return []
            found.append(fit[0].record)
        return list(dict.fromkeys(found))

    def _hidden(self, row: Row) -> bool:
        """Tell whether nothing of the row would show, and higher authority says something else (R23)."""
        after = self._strip(row.attribute, row.scope, extra=self._weakened(row))
        if any(piece.said.record == row.ref for piece in after):
            return False
        stands = [each for span in grid(after, Span(row.start, row.end)) for each in heads(after, span.start)]
        return any(each.rank > row.rank and each.value != row.value for each in stands)

    def _repairs_a_source(self, row: Row) -> bool:
        """Tell whether a correction reaches for what a system of record said: only another such one may."""
        before = self._strip(row.attribute, row.scope)
        under = [piece.said.rank for piece in before if meet(piece.span, [Span(row.start, row.end)])]
        above = RANK["system_of_record"]
        return row.corrected and row.rank < above and above in under

    def _weakened(self, row: Row) -> Row:
        """Put the end on a late open statement where a later-starting open one takes its tail (R10)."""
        if row.corrected or row.end != OPEN:
            return row
        tail = heads(self._strip(row.attribute, row.scope), OPEN - 1)
        later = [each for each in tail if each.start > row.start and beats(each, row)]
        if not later:
            return row
        first = min(later, key=lambda each: (each.start, each.order))
        return row.cut(Span(first.start, OPEN), first.record)

    def _lay(self, row: Row) -> str:
        """Write the row and the ends that it causes, and name the decision."""
        row = self._weakened(row)
        under: list[Piece] = []
        while True:  # an end may uncover what the ended one had covered
            before = self._strip(row.attribute, row.scope)
            after = self._strip(row.attribute, row.scope, extra=row)
            mine = [piece.span for piece in after if piece.said.record == row.ref]
            more = [piece for piece in before if meet(piece.span, mine) and gives_way(piece.said, row)]
            under += more
            if row.corrected or row.end != OPEN or not more:
                break
            self._supersede(row, more)
        self.rows[row.ref] = row
        if row.corrected:
            self._repair(row)
        self._settle_statuses()
        if any(len(tell(heads(after, span.start)).values) > 1 for part in mine for span in grid(after, part)):
            return "CONTEST"
        if row.end == OPEN or row.corrected:
            return "SUPERSEDE" if under else "ADD"
        return "OVERRIDE" if any(piece.said.value != row.value for piece in under) else "ADD"

    def _supersede(self, row: Row, under: list[Piece]) -> None:
        for ref in {piece.said.record for piece in under}:
            old = self.rows[ref]
            self.rows[ref] = superseded(old.cut(Span(max(row.start, old.start), OPEN), row.ref), row.ref)

    def _repair(self, row: Row) -> None:
        """Whatever claims the portion loses it, hidden or not: it was never true there."""
        place = (row.attribute, row.scope)
        laid = [each for each in self.rows.values() if each.status in LAID and each.expires > self.clock]
        earlier = [each for each in laid if (each.order, each.ref) < (row.order, row.ref)]
        rivals = [each for each in earlier if (each.attribute, each.scope) == place]
        for ref in [each.ref for each in rivals if any(meet(span, [Span(row.start, row.end)]) for span in each.left)]:
            old = self.rows[ref].cut(Span(row.start, row.end), row.ref, "corrected")
            gone = not old.left and old.status in LIVE
            self.rows[ref] = replace(old, status="retracted", successor=row.ref) if gone else old

    def end(self, when: int, *, ref: int | None = None, attribute: str = "", scope: str = "") -> Answer:
        """Take one record, or what stands in the slot, off the strip from an instant on."""
        if ref is not None and self.rows[ref].status not in LAID:
            raise Refusal("illegal_transition")
        with self._transaction() as tx:
            stands = [ref] if ref is not None else [each.record for each in heads(self._strip(attribute, scope), when)]
            ending = [each for each in stands if without(self.rows[each].left, [Span(-OPEN, when)])]
            for each in ending:
                self.rows[each] = self.rows[each].cut(Span(when, OPEN), None)
            self._settle_statuses()
            return Answer("UPDATE" if ending else "NOOP", stands[0] if stands else None, tx)

    def retract(self, ref: int) -> Answer:
        """It was never true; the ends that it caused stay."""
        if self.rows[ref].status not in LIVE:
            raise Refusal("illegal_transition")
        return self._update(ref, lambda: self._set(ref, status="retracted"))

    def confirm(self, ref: int) -> Answer:
        """Lay a proposal now, on the subject's own authority."""
        if self.rows[ref].status != "proposed" or self.rows[ref].expires <= self.clock:
            raise Refusal("illegal_transition")
        row = replace(self.rows[ref], status="active", rank=RANK["confirmed"], speaker=self.subject)
        later = replace(row, order=self.clock + DISTANT)
        if self._hidden(later) or self._repairs_a_source(later):
            raise Refusal("forbidden")
        with self._transaction() as tx:
            return Answer(self._lay(replace(row, order=tx)), ref, tx)

    def reject(self, ref: int) -> Answer:
        """Close a proposal."""
        if self.rows[ref].status != "proposed":
            raise Refusal("illegal_transition")
        with self._transaction() as tx:
            self._set(ref, status="rejected")
            return Answer("REJECT", ref, tx)

    def verify(self, ref: int) -> Answer:
        """It was restated: a source, and nothing else."""
        if self.rows[ref].status not in LIVE:
            raise Refusal("illegal_transition")
        with self._transaction() as tx:
            self._set(ref, told=self.rows[ref].told | {self.subject})
            return Answer("NOOP", ref, tx)

    def correct(self, ref: int, value: str, *, corrected: bool = True, start: int | None = None) -> Answer:
        """Repair a record in its own place, or remember what it changed to (R22)."""
        old = self.rows[ref]
        if old.status not in LAID:
            raise Refusal("illegal_transition")
        if old.rank == RANK["system_of_record"]:
            raise Refusal("forbidden")
        if not corrected:
            return self._changed(old, value, start)
        begin = old.start if start is None else start
        if old.end <= begin:
            raise Refusal("invalid_interval")
        with self._transaction() as tx:
            new = replace(
                old, ref=len(self.rows), value=value, start=begin, speaker=self.subject, told=frozenset([self.subject])
            )
            self.rows[new.ref] = new
            self._hand_over(ref, new.ref)
            if old.status == "superseded":
                self.rows[ref] = self.rows[ref].cut(Span(old.start, old.end), new.ref, "corrected")
            else:
                self._set(ref, status="retracted", successor=new.ref)
            self.corrections[new.ref] = ref
            self._settle_statuses()
            return Answer("SUPERSEDE", new.ref, tx)

    def _changed(self, old: Row, value: str, start: int | None) -> Answer:
        name = {rank: name for name, rank in RANK.items()}[old.rank]
        begin = self.clock if start is None else start
        end = old.end if begin < old.end < OPEN else None
        place = {"scope": old.scope, "speaker": self.subject, "authority": name}
        return self.remember(old.attribute, value, start=start, end=end, **place)  # type: ignore[arg-type]

    def settle(self, keep: int) -> Answer:
        """Keep one claim of a contest: the others end where they are contested with it."""
        if not any(keep in group for group in self.contests()):
            raise Refusal("illegal_transition")
        return self._answer(keep, lambda: self._end_until_alone(keep))

    def settle_neither(self, refs: frozenset[int]) -> Answer:
        """Keep none of the claims that a question names."""
        return self._answer(None, lambda: self._end_contests(lambda told: told.refs == refs, None))

    def settle_scopes(self, refs: frozenset[int], scopes: dict[int, str]) -> Answer:
        """Let claims of a contest go on in scopes of their own, laid there as if they were said now."""
        said = {(scopes.get(ref, self.rows[ref].scope), self.rows[ref].value) for ref in refs}
        if len({scope for scope, _ in said}) < len(said):
            raise Refusal("invalid_argument")
        moving = [ref for ref in refs if scopes.get(ref, self.rows[ref].scope) != self.rows[ref].scope]
        if not moving:
            raise Refusal("invalid_argument")
        in_order = sorted(moving, key=lambda ref: (self.rows[ref].order, ref))

        def move() -> None:
            for ref in in_order:
                self._move(ref, scopes[ref])

        return self._answer(None, move)

    def _move(self, ref: int, scope: str) -> None:
        tx = max(self.clock, self.last + 1)
        row = replace(self.rows[ref], scope=scope, order=tx)
        aside = self.rows.pop(ref)
        open_end = bool(row.left) and row.left[-1].end == OPEN
        if not (open_end or row.corrected) or self._hidden(row) or self._repairs_a_source(row):
            self.rows[ref] = row
        else:
            self.rows[ref] = aside  # _lay writes it
            self._lay(row)
        self.rows = dict(sorted(self.rows.items()))

    def _answer(self, ref: int | None, change: Callable[[], object]) -> Answer:
        before = dict(self.rows)
        answer = self._update(ref, change)
        self.answers.append((answer.tx, before, dict(self.rows)))
        return answer

    def unsettle(self, number: int) -> Answer:
        """Take an answer back: what it changed is as it was, what was said since keeps its place."""
        tx, before, after = self.answers[number]
        changed = [ref for ref in before if before[ref] != after[ref]]
        now, self.rows = self.rows, dict(self.rows)
        try:
            restored = [one for ref in changed for one in self._restored(ref, before[ref], after[ref], tx)]
        finally:
            made, self.rows = self.rows, now
        if made == now:
            raise Refusal("illegal_transition")

        def change() -> None:
            self.rows = made
            for ref in sorted(set(restored), key=lambda each: (self.rows[each].order, each)):
                if self.rows[ref].corrected:
                    self._repair(self.rows[ref])
            places = {(row.attribute, row.scope) for ref, row in now.items() if row != self.rows[ref]}
            places |= {(row.attribute, row.scope) for ref, row in self.rows.items() if row != now[ref]}
            for place in sorted(places):
                self._owe_tails(place)

        answer = self._update(None, change)
        del self.answers[number]
        return answer

    def _restored(self, ref: int, before: Row, after: Row, tx: int) -> Iterator[int]:
        """Give a row, and those that have stood in its place since, what an answer took from it."""
        places, grown = [ref], True
        while grown:
            heirs = [new for new, old in self.corrections.items() if old in places and new not in places]
            grown = bool(heirs)
            places += heirs
        for place in [each for each in places if each == ref or self._first_known(each) > tx]:
            row = now = self.rows[place]
            for cut in after.cuts:
                if (cut.span, cut.why) not in [(each.span, each.why) for each in before.cuts]:
                    gone = next((each for each in row.cuts if (each.span, each.why) == (cut.span, cut.why)), None)
                    row = replace(row, cuts=tuple(each for each in row.cuts if each is not gone))
            if (before.scope, before.attribute) != (after.scope, after.attribute):
                if row.scope != after.scope or (row.status == "superseded" != after.status):
                    raise Refusal("illegal_transition")
                row = replace(row, scope=before.scope, order=before.order)
            closed = after.status != before.status and after.status in ("superseded", "retracted")
            since = [rows[place].status for when, rows in self.past if when >= tx and place in rows]
            if closed and set(since) == {after.status}:
                row = replace(row, status="active", successor=None)
                repairs = [cut.cause for cut in row.cuts if cut.why == "corrected"]
                if repairs and not row.left:
                    row = replace(row, status="retracted", successor=repairs[-1])
            self.rows[place] = row
            if row != now:
                yield place

    def _first_known(self, ref: int) -> int:
        return next(when for when, rows in self.past if ref in rows)

    def _end_until_alone(self, keep: int) -> None:
        """Cut what disagrees with the kept claim, and what that uncovers, on the stretches that the question was about."""
        place = (self.rows[keep].attribute, self.rows[keep].scope)
        strip = self._strip(*place)
        asked = [span for span in grid(strip) if self._disagree(strip, span, keep)]
        losers: set[int] = set()
        while asked:
            for span in asked:
                losers |= self._end_there(heads(self._strip(*place), span.start), span, keep)
            strip = self._strip(*place)
            asked = [part for span in asked for part in grid(strip, span) if self._disagree(strip, part, keep)]
        for ref in losers:
            self._close_loser(self.rows[ref], keep)

    def _disagree(self, strip: list[Piece], span: Span, keep: int) -> bool:
        told = tell(heads(strip, span.start))
        return len(told.values) > 1 and keep in told.refs

    def _end_contests(self, concerns: Callable[[Told], bool], keep: int | None) -> None:
        losers = set()
        for place in sorted({(row.attribute, row.scope) for row in self.rows.values()}):
            strip = self._strip(*place)
            for span in grid(strip):
                stands = heads(strip, span.start)
                if len(tell(stands).values) > 1 and concerns(tell(stands)):
                    losers |= self._end_there(stands, span, keep)
        for ref in losers:
            self._close_loser(self.rows[ref], keep)

    def _end_there(self, stands: list[Said], span: Span, keep: int | None) -> set[int]:
        ending = {each.record for each in stands if keep is None or each.value != self.rows[keep].value}
        for ref in ending:
            self.rows[ref] = self.rows[ref].cut(span, keep, "settled")
        return ending

    def _close_loser(self, row: Row, keep: int | None) -> None:
        """Whoever lost the last of it to a kept claim is superseded by it; where none was kept, nothing left is untrue."""
        if row.status not in LIVE:
            return
        unsettled = replace(row, cuts=tuple(cut for cut in row.cuts if cut.why != "settled"))
        if keep is not None and (not row.left or row.left[-1].end < unsettled.left[-1].end):
            self.rows[row.ref] = superseded(row, keep)
        elif not row.left:
            self._set(row.ref, status="retracted")

    def rollback(self, ref: int) -> Answer:
        """Undo the supersession, the retraction or the settlement that ended a record (R28)."""
        if self.rows[ref].status not in ("superseded", "retracted"):
            raise Refusal("illegal_transition")
        return self._update(ref, lambda: self._revive(ref))

    def _revive(self, ref: int) -> None:
        row, before = self.rows[ref], dict(self.rows)
        if row.successor is None or any((cut.why, cut.cause) == ("settled", row.successor) for cut in row.cuts):
            self.rows[ref] = replace(row.without_settlement(row.successor), status="active", successor=None)
            if row.corrected:
                self._repair(self.rows[ref])
        else:
            self._undo(ref, row.successor)
        changed = [(old, self.rows[each]) for each, old in before.items() if old != self.rows[each]]
        for place in sorted({(each.attribute, each.scope) for pair in changed for each in pair}):
            self._owe_tails(place)

    def _undo(self, ref: int, successor: int) -> None:
        """Undo what took a record's place, with all that had been corrected in it."""
        while self.corrections.get(after := self.rows[successor].successor or -1) == successor:
            successor = after
        if self.rows[successor].rank == RANK["system_of_record"] and self.rows[successor].status in LAID:
            raise Refusal("forbidden")
        line = [successor]
        while line[-1] in self.corrections and self.corrections[line[-1]] != ref:
            line.append(self.corrections[line[-1]])
        if line[-1] in self.corrections:
            self._give_back(ref, line)
        else:
            self._withdraw(line)

    def _give_back(self, ref: int, line: list[int]) -> None:
        """Let a record have its place again, with all that it had ended and what has ended its correction since."""
        heir, *_ = [self._retire(each) for each in line]
        for each in line:
            for other in line:
                self.rows[each] = self.rows[each].without_cuts_of(other)
        self._set(ref, successor=line[0])
        self._free(ref, line[0], heir)
        self._hand_over(line[0], ref)

    def _withdraw(self, line: list[int]) -> None:
        """Retract a record and lift every end that it caused; what superseded it takes over its predecessors."""
        gone = line[0]
        heir = self._retire(gone)
        others = [ref for ref in self.rows if ref not in line]
        freed = [ref for ref in others if self.rows[ref].successor == gone]
        for ref in others:
            self._free(ref, gone, heir)
        for row in [self.rows[ref] for ref in freed]:
            corrections = [cut.cause for cut in row.cuts if cut.why == "corrected"]
            if row.status == "active" and not row.left and corrections:
                self._set(row.ref, status="retracted", successor=corrections[-1])

    def _retire(self, gone: int) -> int | None:
        then = self.rows[gone]
        self._set(gone, status="retracted", successor=None)
        return then.successor if then.status == "superseded" else None

    def _free(self, ref: int, gone: int, heir: int | None) -> None:
        row = self.rows[ref].without_cuts_of(gone)
        if row.successor == gone:
            row = replace(row, status="active", successor=None)
            if heir is not None:
                row = superseded(row.cut(Span(max(self.rows[heir].start, row.start), OPEN), heir), heir)
        self.rows[ref] = row

    def _hand_over(self, old: int, new: int) -> None:
        """Let a record take another's place as the cause of ends."""
        for ref, row in list(self.rows.items()):
            cuts = tuple(Cut(cut.span, new if cut.cause == old else cut.cause, cut.why) for cut in row.cuts)
            was_corrected = row.status == "retracted" and cuts == row.cuts
            successor = new if row.successor == old and ref != new and not was_corrected else row.successor
            self.rows[ref] = replace(row, cuts=cuts, successor=successor)

    def _owe_tails(self, place: tuple[str, str]) -> None:
        """End what can't keep its open end once others are back: as if all had been written in this order (R28)."""
        tail = heads(self._strip(*place), OPEN - 1)
        for row in [row for row in self.rows.values() if (row.attribute, row.scope) == place]:
            reaches = row.status in LAID and row.expires > self.clock and row.left[-1:] and row.left[-1].end == OPEN
            takers = [each for each in tail if beats(each, row)]
            if reaches and not row.corrected and takers and row.ref not in {each.record for each in tail}:
                self._owe(row, takers[0])

    def _owe(self, row: Row, taker: Said) -> None:
        later = (taker.order, taker.record) > (row.order, row.ref)
        if later or taker.start > row.start:
            cut = row.cut(Span(max(taker.start, row.start), OPEN), taker.record)
            self.rows[row.ref] = superseded(cut, taker.record) if later else cut

    # --- how a write is made ----------------------------------------------------------------------------------------------

    @contextmanager
    def _transaction(self) -> Iterator[int]:
        tx = max(self.clock, self.last + 1)
        yield tx
        self.last = tx
        self.past.append((tx, dict(self.rows)))

    def _update(self, ref: int | None, change: Callable[[], object]) -> Answer:
        with self._transaction() as tx:
            change()
            self._settle_statuses()
            return Answer("UPDATE", ref, tx)

    def _set(self, ref: int, **values: object) -> None:
        self.rows[ref] = replace(self.rows[ref], **values)  # type: ignore[arg-type]

    def _settle_statuses(self) -> None:
        """Let exactly what is contested somewhere be contested (R26)."""
        contested = {ref for group in self.contests() for ref in group}
        for ref, row in self.rows.items():
            if row.status in LIVE:
                self.rows[ref] = replace(row, status="contested" if ref in contested else "active")
