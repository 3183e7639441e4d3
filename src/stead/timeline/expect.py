"""Expectations: each compares one thing that a step expects with what it got."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from datetime import date, datetime, timedelta
from typing import Any, Final

from stead.errors import Erased, SteadError
from stead.model.context import Context, Interval
from stead.model.erasure import Receipt
from stead.model.outcome import Outcome
from stead.model.period import Instant, from_datetime, iso
from stead.model.record import Record
from stead.model.slot import normal, plain
from stead.model.zone import instant
from stead.timeline.stage import Stage
from stead.timeline.verbs import Heard, Result, Written

_ID = re.compile(r"\b[a-z]{3}_[0-9a-hjkmnp-tv-z]{16}\b")
"""An id is random: a text that is found in one was not found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A step that was played: what it returned or raised, and where."""

    stage: Stage
    result: Result = None
    error: SteadError | None = None
    declared: frozenset[str] = frozenset()
    """Every ref of the story, those included that name nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Whether an expectation was met, and what was found instead."""

    met: bool
    got: object


Check = Callable[[Scene, Any], Finding]


def _same(got: object, wanted: object) -> Finding:
    return Finding(met=got == wanted, got=got)


def _any_of(got: Sequence[str], wanted: str) -> Finding:
    return Finding(met=wanted in got, got=got[0] if len(got) == 1 else list(got))


def _outcomes(result: Result) -> list[Outcome]:
    """Return every decision of a step; of a turn, that on its words."""
    if isinstance(result, Written):
        return list(result.outcomes)
    return [result.turn] if isinstance(result, Heard) else [result] if isinstance(result, Outcome) else []


def _decision(scene: Scene, wanted: str) -> Finding:
    if isinstance(scene.result, Receipt):
        return _same(scene.result.decision, wanted)
    return _any_of([str(each.decision) for each in _outcomes(scene.result)], wanted)


def _route(scene: Scene, wanted: str) -> Finding:
    """Of a turn, the routes of what it proposes; of anything else, those of what was decided."""
    if isinstance(scene.result, Heard) and scene.result.turn.route is None:
        return _any_of([each.route for each in scene.result.proposals], wanted)
    return _any_of([str(each.route) for each in _outcomes(scene.result)], wanted)


def _rule(scene: Scene, wanted: str) -> Finding:
    if isinstance(scene.result, Context):
        facts, apart = scene.result.facts, scene.result.divergences
        rules = {fact.rule for fact in facts} | {fact.decided for fact in facts if fact.decided}
        rules |= {each.rule for each in apart}
        return Finding(met=wanted in rules, got=sorted(rules))
    if isinstance(scene.result, Heard) and scene.result.turn.route is None:
        return _any_of([each.rule for each in scene.result.proposals], wanted)
    return _any_of([each.rule for each in _outcomes(scene.result)], wanted)


def _of_record(field: str) -> Check:
    def check(scene: Scene, wanted: Mapping[str, str]) -> Finding:
        return _same({name: _attribute(scene.stage, name, field) for name in wanted}, dict(wanted))

    return check


def _attribute(stage: Stage, name: str, field: str) -> str:
    try:
        return str(getattr(stage.owner_of(name).record(stage.id(name)), field))
    except Erased:
        return "deleted"
    except SteadError as error:
        return error.code


def _ids(result: Result) -> list[str]:
    if isinstance(result, Context):
        return [fact.id for fact in result.facts]
    return list(dict.fromkeys(item.id for item in _records(result)))


def _records(result: Result) -> list[Record]:
    return [item for item in result if isinstance(item, Record)] if isinstance(result, tuple) else []


def _facts(scene: Scene, wanted: Sequence[str]) -> Finding:
    ids = _ids(scene.result)
    met = sorted(ids) == sorted(set(scene.stage.ids(wanted)))
    return Finding(met=met, got=[scene.stage.spell(record) for record in ids])


def _count(scene: Scene, wanted: int) -> Finding:
    found = scene.result.facts if isinstance(scene.result, Context) else _records(scene.result)
    return _same(len(found), wanted)


def _values(scene: Scene, wanted: Mapping[str, object]) -> Finding:
    facts = scene.result.facts if isinstance(scene.result, Context) else ()
    got = {name: [fact.value for fact in facts if fact.attribute == name and fact.value is not None] for name in wanted}
    met = all(_folded(got[name]) == _folded(_listed(value)) for name, value in wanted.items())
    return Finding(met=met, got={name: found[0] if len(found) == 1 else found for name, found in got.items()})


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _folded(values: Iterable[Any]) -> list[str]:
    return sorted(normal(plain(value)) for value in values)


def _texts(value: object) -> Iterator[str]:
    """Yield every text in a result; the names of its fields, and numbers, are not content."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, Iterable):
        for each in value:
            yield from _texts(each)


def _content(result: Result) -> list[str]:
    return list(_texts(jsonable(result)))


def _present(scene: Scene, wanted: Sequence[str]) -> dict[str, bool]:
    content = _content(scene.result)
    words = "\n".join(_ID.sub("", text) for text in content)
    named = {record for text in content for record in _ID.findall(text)}
    refs, declared = scene.stage.refs, scene.declared
    return {
        item: item in refs and refs[item].record in named if item in declared else item in words or item in named
        for item in wanted
    }


def _includes(scene: Scene, wanted: Sequence[str]) -> Finding:
    absent = [item for item, there in _present(scene, wanted).items() if not there]
    return Finding(met=not absent, got={"absent": absent})


def _excludes(scene: Scene, wanted: Sequence[str]) -> Finding:
    present = [item for item, there in _present(scene, wanted).items() if there]
    return Finding(met=not present, got={"present": present})


@dataclass(frozen=True, slots=True)
class _Stretch:
    values: tuple[str, ...]
    start: Instant | None
    end: Instant | None

    def folded(self) -> tuple[list[str], Instant | None, Instant | None]:
        return _folded(self.values), self.start, self.end

    def spelled(self) -> list[object]:
        held = None if not self.values else self.values[0] if len(self.values) == 1 else list(self.values)
        return [held, *(None if at is None else iso(at) for at in (self.start, self.end))]


def _intervals(scene: Scene, wanted: Sequence[Sequence[Any]]) -> Finding:
    stretches = [item for item in scene.result if isinstance(item, Interval)] if isinstance(scene.result, tuple) else []
    got = _merged(map(_stretch, stretches))
    expected = _merged(_expected(row, scene.stage.zone) for row in wanted)
    met = [each.folded() for each in got] == [each.folded() for each in expected]
    return Finding(met=met, got=[each.spelled() for each in got])


def _stretch(held: Interval) -> _Stretch:
    start, end = (None if moment is None else from_datetime(moment) for moment in (held.start, held.end))
    return _Stretch(tuple(sorted(held.values)), start, end)


def _expected(row: Sequence[Any], zone: str | None) -> _Stretch:
    start, end = (None if at is None else instant(at, zone_name=zone) for at in row[1:])
    return _Stretch(tuple(sorted(map(plain, _listed(row[0])))), start, end)


def _merged(stretches: Iterable[_Stretch]) -> list[_Stretch]:
    merged: list[_Stretch] = []
    for each in stretches:
        last = merged[-1] if merged else None
        if last and last.end is not None and last.end == each.start and _folded(last.values) == _folded(each.values):
            merged[-1] = _Stretch(last.values, last.start, each.end)
        else:
            merged.append(each)
    return merged


def _questions(scene: Scene, wanted: int | Sequence[str]) -> Finding:
    """Of a recall, the questions of its context; of anything else, all that are open now for who acts."""
    context = scene.result if isinstance(scene.result, Context) else None
    found = context.questions if context is not None else scene.stage.subject.questions()
    kinds = sorted(question.kind for question in found)
    return _same(len(kinds), wanted) if isinstance(wanted, int) else Finding(met=kinds == sorted(wanted), got=kinds)


def _divergences(scene: Scene, wanted: int) -> Finding:
    return _same(len(scene.result.divergences) if isinstance(scene.result, Context) else None, wanted)


def _episodes(scene: Scene, wanted: Sequence[str]) -> Finding:
    hits = scene.result.episodes if isinstance(scene.result, Context) else ()
    absent = [text for text in wanted if not any(text in hit.text for hit in hits)]
    return Finding(met=not absent, got={"absent": absent})


def _tokens(scene: Scene, wanted: int) -> Finding:
    tokens = scene.result.tokens if isinstance(scene.result, Context) else None
    return Finding(met=tokens is not None and tokens <= wanted, got=tokens)


def _receipt(scene: Scene, wanted: Mapping[str, object]) -> Finding:
    shape = jsonable(scene.result)
    receipt = shape if isinstance(shape, Mapping) else {}
    surfaces = list(_texts(receipt.get("surfaces", ())))
    met = "complete" not in wanted or receipt.get("complete") == wanted["complete"]
    met = met and all(name in surfaces for name in _listed(wanted.get("surfaces")))
    return Finding(met=met, got={"complete": receipt.get("complete"), "surfaces": surfaces})


def _bytes_absent(scene: Scene, wanted: Sequence[str]) -> Finding:
    """Read the files as they lie, -wal and -shm included; a story is alone with its stores."""
    found = {
        text: file.name
        for file in scene.stage.files()
        for content in (file.read_bytes(),)
        for text in wanted
        for encoding in ("utf-8", "utf-16-le", "utf-16-be")
        if text.encode(encoding) in content
    }
    return Finding(met=not found, got={"present": found})


CHECKS: Final[Mapping[str, Check]] = {
    "decision": _decision,
    "route": _route,
    "rule": _rule,
    "status": _of_record("status"),
    "tier": _of_record("tier"),
    "facts": _facts,
    "count": _count,
    "values": _values,
    "includes": _includes,
    "excludes": _excludes,
    "intervals": _intervals,
    "questions": _questions,
    "divergences": _divergences,
    "episodes": _episodes,
    "tokens_at_most": _tokens,
    "receipt": _receipt,
    "bytes_absent": _bytes_absent,
}
"""Every expectation but ``error``, which says whether there is a result at all."""

OF_THE_STORE: Final = frozenset({"status", "tier", "questions", "bytes_absent"})
"""Expectations that ask the store and not the result: they can be checked after an error too."""


def jsonable(value: object) -> object:
    """Return a step's result as JSON carries it; the rendering of a context is part of it."""
    if isinstance(value, Context | Outcome):
        return jsonable(value.as_dict())
    if is_dataclass(value) and not isinstance(value, type):
        return jsonable(asdict(value))
    if isinstance(value, Mapping):
        return {str(name): jsonable(each) for name, each in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [jsonable(each) for each in value]
    if isinstance(value, datetime | date):
        return value.isoformat().replace("+00:00", "Z")
    return value.total_seconds() if isinstance(value, timedelta) else value
