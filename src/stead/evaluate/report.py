"""What an evaluation came to: as data for ``--json`` and as tables of plain text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from stead.evaluate.dataset import CATEGORIES
from stead.evaluate.formula import Formula
from stead.evaluate.metrics import MEASURES, Estimate

LEVELS = ("turn", "session")
_SHORT = ("R@1", "R@5", "R@10", "R@20", "Hit@1", "Hit@5", "Hit@10", "Hit@20", "MRR", "NDCG@5")
_SHOWN = dict(zip(MEASURES, _SHORT, strict=True))
_BY_CATEGORY = ("recall@10", "mrr")
_IDEAS = (
    ("turn", "hit@1"), ("turn", "recall@10"), ("turn", "recall@20"), ("turn", "mrr"), ("turn", "ndcg@5"),
    ("session", "hit@1"), ("session", "recall@10"),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One arm at one level, over all questions or those of one category."""

    arm: str
    level: str
    """``turn`` or ``session``."""
    evidence: str
    """``cited``, or ``corrected`` by the audit."""
    category: int | None
    questions: int
    measures: Mapping[str, Estimate]

    def as_dict(self) -> dict[str, object]:
        """Return the row as JSON carries it."""
        return {
            "arm": self.arm, "level": self.level, "evidence": self.evidence, "category": self.category,
            "questions": self.questions, "measures": {name: _rounded(each) for name, each in self.measures.items()},
        }  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Evidence retrieval on a whole data set."""

    embedder: str | None
    """The stamp of the model."""
    counts: Mapping[str, int]
    rows: Sequence[Row]
    gains: Sequence[Row]
    """The fusion that ships minus another arm, question by question: cited evidence, all categories."""
    fitted: Mapping[str, Formula]
    """For each conversation the weights that the nine others chose."""
    ideas: Sequence[Row] = field(default=())
    """The formula built up step by step, and with one part left out."""
    losses: Sequence[Row] = field(default=())
    """What ships minus the formula with one part changed, question by question."""

    def as_dict(self) -> dict[str, object]:
        """Return everything as JSON carries it."""
        return {
            "embedder": self.embedder,
            "interval": "95 %, Student's t, clustered by conversation",
            "counts": dict(self.counts),
            "rows": [each.as_dict() for each in self.rows],
            "gains": [each.as_dict() for each in self.gains],
            "fitted": {name: _weights(formula) for name, formula in self.fitted.items()},
            "ideas": [each.as_dict() for each in self.ideas],
            "losses": [each.as_dict() for each in self.losses],
        }

    def lines(self) -> Iterator[str]:
        """Yield tables for people."""
        counts = ", ".join(f"{number} {name}" for name, number in self.counts.items())
        yield f"LoCoMo: {counts}; embedder {self.embedder or 'none'}"
        yield "In brackets: 95 % intervals, Student's t, clustered by conversation."
        for evidence in dict.fromkeys(row.evidence for row in self.rows):
            what = "cited evidence" if evidence == "cited" else "NOT the headline: evidence as corrected by the audit"
            for level in LEVELS:
                yield from self._overall(evidence, level, f"{level.capitalize()}s, all questions, {what}")
            yield from self._categories(evidence, f"By category, {what}")
        if self.gains:
            yield from self._differences(self.gains, "Fusion that ships minus the arm, question by question")
        if self.fitted:
            yield from self._choices()
        if self.ideas:
            yield from self._ideas()
            yield from self._differences(self.losses, "What ships minus the formula without that part")

    def _overall(self, evidence: str, level: str, title: str) -> Iterator[str]:
        rows = [row for row in self.rows if (row.evidence, row.level, row.category) == (evidence, level, None)]
        cells = [[row.arm, *(_cell(row.measures[name]) for name in MEASURES)] for row in rows]
        yield from _table(title, ["", *_SHORT], cells)

    def _categories(self, evidence: str, title: str) -> Iterator[str]:
        rows = [row for row in self.rows if row.evidence == evidence and row.category is not None]
        cells: dict[tuple[int, str], list[str]] = {}
        for row in rows:
            assert row.category is not None
            first = [f"{row.category} {CATEGORIES[row.category]}", str(row.questions), row.arm]
            line = cells.setdefault((row.category, row.arm), first)
            line += [_cell(row.measures[name]) for name in _BY_CATEGORY]
        heads = [f"{level} {_SHOWN[name]}" for level in LEVELS for name in _BY_CATEGORY]
        yield from _table(title, ["category", "n", "", *heads], list(cells.values()))

    def _differences(self, rows: Sequence[Row], title: str) -> Iterator[str]:
        yield from self._narrow(rows, title, signed=True)

    def _ideas(self) -> Iterator[str]:
        yield from self._narrow(self.ideas, "What each idea is worth: added one by one, then one left out")

    def _narrow(self, rows: Sequence[Row], title: str, *, signed: bool = False) -> Iterator[str]:
        cells: dict[str, list[str]] = {}
        for level, name in _IDEAS:
            for row in rows:
                if row.level == level:
                    cells.setdefault(row.arm, [row.arm]).append(_cell(row.measures[name], signed=signed))
        heads = [f"{level} {_SHOWN[name]}" for level, name in _IDEAS]
        yield from _table(title, ["", *heads], list(cells.values()))

    def _choices(self) -> Iterator[str]:
        cells = [[name, f"{each.vectors:g}", f"{each.fade:g}", f"{each.prior:g}"] for name, each in self.fitted.items()]
        yield from _table(
            "Weights that the other conversations chose", ["left out", "vectors", "neighbour", "session"], cells
        )


def _weights(formula: Formula) -> dict[str, float]:
    return {"vectors": formula.vectors, "neighbour": formula.fade, "session": formula.prior}


def _rounded(found: Estimate) -> dict[str, float | None]:
    values = {"mean": found.mean, "low": found.low, "high": found.high}
    return {name: None if value is None else round(value, 4) for name, value in values.items()}


def _cell(found: Estimate, *, signed: bool = False) -> str:
    if found.low is None or found.high is None:
        return f"{found.mean:+.3f}" if signed else f"{found.mean:.3f}"
    half = (found.high - found.low) / 2
    return f"{found.mean:+.3f} (±{half:.3f})" if signed else f"{found.mean:.3f} (±{half:.3f})"


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[n]) for row in (heads, *rows)) for n in range(len(heads))]
    yield ""
    yield title
    for row in (heads, *rows):
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
