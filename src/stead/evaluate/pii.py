"""Tags of personal data against 750 made sentences with marked spans (microsoft/presidio-research). Nothing is tuned on them.

Only classes with a form of their own are claimed (`stead.policy.guards.pii`). For the rest, names above all, the count says how
much is in the data that no tag finds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from stead.evaluate.entries import entries, items, number, text, wrong
from stead.policy.guards import Finding, pii

FILE = "synth_dataset_v2.json"
"""How the data file is called in a folder."""
CLASSES: Mapping[str, str] = {
    "EMAIL_ADDRESS": "email", "DOMAIN_NAME": "url", "IBAN_CODE": "iban", "CREDIT_CARD": "card", "US_SSN": "ssn",
    "IP_ADDRESS": "ip", "PHONE_NUMBER": "phone", "STREET_ADDRESS": "address",
}  # fmt: skip
"""The data's classes that are claimed, and what their tag is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """One span of the data."""

    kind: str
    """The data's word."""
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence and what is marked in it."""

    text: str
    spans: tuple[Marked, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How well one class is tagged."""

    kind: str
    marked: int
    found: int
    """Marked spans that a tag of the class overlaps."""
    exact: int
    """Marked spans that a tag of the class covers from start to end and no further."""
    tagged: int
    right: int
    """Tags that overlap a marked span of the class."""

    @property
    def recall(self) -> float:
        """Found of what is marked; 1 where nothing is."""
        return self.found / self.marked if self.marked else 1.0

    @property
    def precision(self) -> float:
        """Right of what is tagged; 1 where nothing is."""
        return self.right / self.tagged if self.tagged else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All claimed classes, and what isn't claimed."""

    sentences: int
    scores: Sequence[Score]
    not_claimed: Mapping[str, int]
    """Classes of the data without a tag, with the number of their spans."""

    def as_dict(self) -> dict[str, object]:
        """Return everything as JSON carries it."""
        rows = [
            {
                "kind": each.kind, "marked": each.marked, "found": each.found, "exact": each.exact, "tagged": each.tagged,
                "right": each.right, "recall": round(each.recall, 4), "precision": round(each.precision, 4),
            }
            for each in self.scores
        ]  # fmt: skip
        return {"sentences": self.sentences, "classes": rows, "not_claimed": dict(self.not_claimed)}

    def lines(self) -> Iterator[str]:
        """Yield a table for people."""
        yield f"Personal data: {self.sentences} sentences; a tag counts where it overlaps a span of its class"
        yield f"  {'class':<8}  marked  found  exact  recall  tagged  precision"
        for each in self.scores:
            counts = f"{each.marked:6}  {each.found:5}  {each.exact:5}  {each.recall:6.2f}"
            yield f"  {each.kind:<8}  {counts}  {each.tagged:6}  {each.precision:9.2f}"
        yield "  not claimed: " + ", ".join(f"{kind} {count}" for kind, count in self.not_claimed.items())


def load(path: str | Path) -> list[Sentence]:
    """Read the sentences.

    Parameters
    ----------
    path
        The file, or the folder with it.

    Raises
    ------
    InvalidArgument
        No such file, or it isn't what it should be; the message says where.
    """
    return [_sentence(where, raw) for where, raw in entries(path, FILE)]


def _sentence(where: str, raw: Mapping[str, object]) -> Sentence:
    sentence = text(raw, "full_text", where)
    return Sentence(text=sentence, spans=tuple(_spans(raw, sentence, where)))


def _spans(raw: Mapping[str, object], sentence: str, where: str) -> Iterator[Marked]:
    for place, each in enumerate(items(raw, "spans", where)):
        here = f"{where}.spans[{place}]"
        if not isinstance(each, Mapping):
            raise wrong(here, "not an object")
        start, end = number(each, "start_position", here), number(each, "end_position", here)
        if not start < end <= len(sentence):
            raise wrong(here, "not inside of its sentence")
        yield Marked(kind=text(each, "entity_type", here), start=start, end=end)


def evaluate(sentences: Sequence[Sentence]) -> Report:
    """Tag all sentences and count."""
    tagged = [(sentence, pii(sentence.text)) for sentence in sentences]
    kinds = [span.kind for sentence in sentences for span in sentence.spans]
    others = sorted({kind for kind in kinds if kind not in CLASSES}, key=lambda kind: (-kinds.count(kind), kind))
    return Report(
        sentences=len(sentences),
        scores=[_score(name, kind, tagged) for name, kind in CLASSES.items()],
        not_claimed={kind: kinds.count(kind) for kind in others},
    )


def _score(name: str, kind: str, tagged: Sequence[tuple[Sentence, Sequence[Finding]]]) -> Score:
    marked = found = exact = tags = right = 0
    for sentence, findings in tagged:
        own = [each for each in findings if each.kind == kind]
        spans = [each for each in sentence.spans if each.kind == name]
        marked, tags = marked + len(spans), tags + len(own)
        found += sum(any(_meet(span, each) for each in own) for span in spans)
        exact += sum(any((span.start, span.end) == (each.start, each.end) for each in own) for span in spans)
        right += sum(any(_meet(span, each) for span in spans) for each in own)
    return Score(kind=kind, marked=marked, found=found, exact=exact, tagged=tags, right=right)


def _meet(span: Marked, tag: Finding) -> bool:
    return span.start < tag.end and tag.start < span.end
