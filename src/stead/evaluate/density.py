"""How often the write's decision is right, over the share of contradictions in what is said, and what a write costs.

The streams and what is right of them are made in `stead.evaluate.density_stream`. Each density has a store of its own in a
temporary folder, without an embedder.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from typing import Any

from stead.clock import StoryClock
from stead.errors import InvalidArgument, MissingExtra
from stead.evaluate.density_stream import CONTRADICTING, STEP, Ask, Item, Stream
from stead.ids import seeded_ids
from stead.memory import Subject, open_store
from stead.model.context import Budget
from stead.model.outcome import Outcome
from stead.model.period import to_datetime
from stead.model.slot import Slot

DENSITIES = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
_SECOND = 1_000_000
_START = 1_900_000_000 * _SECOND
FORMATS = ("svg", "png", "pdf")

Progress = Callable[[str], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One density."""

    density: float
    contradictions: float
    """The share that there really was."""
    writes: int
    right: int
    kinds: Mapping[str, tuple[int, int]]
    """By kind of claim: how many, how many of them decided rightly."""
    wrong: Mapping[str, int]
    """What was decided instead, as ``kind: right, decided``."""
    standing: int
    """Questions whose answer is certain in the end."""
    standing_right: int
    """Those of which recall says exactly that answer."""
    mean_ms: float
    median_ms: float
    processor_ms: float
    """The mean without waiting for the disk."""
    last_ms: float
    """The median of the last tenth of the writes, when the store is largest."""

    @property
    def accuracy(self) -> float:
        """Right of all."""
        return self.right / self.writes if self.writes else 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All densities."""

    slotted: bool
    seed: int
    rows: tuple[Row, ...]

    def as_dict(self) -> dict[str, object]:
        """Return everything as JSON carries it."""
        return {"slotted": self.slotted, "seed": self.seed, "rows": [_row(each) for each in self.rows]}

    def lines(self) -> Iterator[str]:
        """Yield a table for people, then what was decided wrongly."""
        yield f"decisions on {'slotted' if self.slotted else 'unslotted'} claims, seed {self.seed}"
        yield "  density  writes  contradicting  right   accuracy  standing  ms mean  median  processor  at the end"
        for each in self.rows:
            holds = f"{each.standing_right / each.standing:.3f}" if each.standing else "-"
            yield (
                f"  {each.density:>7.0%}  {each.writes:>6}  {each.contradictions:>13.1%}  {each.right:>5}  {each.accuracy:>9.3f}"
                f"  {holds:>8}  {each.mean_ms:>7.2f}  {each.median_ms:>6.2f}  {each.processor_ms:>9.2f}  {each.last_ms:>10.2f}"
            )
        wrong = sum((Counter(each.wrong) for each in self.rows), Counter[str]())
        yield from (
            f"  {count:>5}  {name}" for name, count in sorted(wrong.items(), key=lambda pair: (-pair[1], pair[0]))
        )


def evaluate(
    *,
    writes: int = 500,
    seed: int = 1,
    slotted: bool = True,
    densities: Sequence[float] = DENSITIES,
    progress: Progress | None = None,
) -> Report:
    """Play one stream for each density and compare each decision with the right one.

    Parameters
    ----------
    writes
        Claims in a stream.
    seed
        The same seed gives the same streams.
    slotted
        Whether the claims are written with their slots; else their words are all there is.
    densities
        Shares of contradictions, each from 0 to 1.
    progress
        Told a line after each density.

    Raises
    ------
    InvalidArgument
    """
    if isinstance(writes, bool) or not isinstance(writes, int) or writes < 1:
        raise InvalidArgument("writes", "not a whole number from 1", "500 is the default.")
    if not densities or not all(0 <= each <= 1 for each in densities):
        raise InvalidArgument(
            "densities", "none, or not all from 0 to 1", "0.3 says that three claims in ten contradict."
        )
    rows: list[Row] = []
    for density in densities:
        rows.append(_played(Stream(count=writes, density=density, seed=seed, slotted=slotted)))
        if progress is not None:
            progress(f"density {density:.0%}: {rows[-1].right} of {writes} right")
    return Report(slotted=slotted, seed=seed, rows=tuple(rows))


def _played(stream: Stream) -> Row:
    clock = StoryClock(_START)
    times: list[float] = []
    worked = 0.0
    decided: list[tuple[Item, Outcome]] = []
    with TemporaryDirectory(prefix="stead-density-") as folder:
        file = Path(folder) / "memory.db"
        with open_store(file, embedder="none", clock=clock, new_id=seeded_ids(stream.seed)) as store:
            subject = store.subject("ana")
            for step, item in enumerate(stream):
                clock.instant = _START + step * STEP * _SECOND
                arguments = _arguments(item, stream.slotted)
                start, before = time.perf_counter(), time.process_time()
                outcome = subject.remember(item.claim, **arguments)
                times.append((time.perf_counter() - start) * 1000)
                worked += (time.process_time() - before) * 1000
                decided.append((item, outcome))
            clock.instant += STEP * _SECOND
            holds = (
                [_says(subject, ask, value) for ask, value in stream.standing(stream.count)] if stream.slotted else []
            )
    return replace(_counted(stream, decided, times, holds), processor_ms=worked / stream.count)


def _arguments(item: Item, slotted: bool) -> dict[str, Any]:
    ask = item.ask
    given: dict[str, Any] = {}
    if slotted:
        given["slot"] = Slot(ask.attribute, entity=ask.entity, object=ask.object, value=item.value)
    if item.speaker is not None:
        given["speaker"] = item.speaker
    if item.confirmed:
        given["authority"] = "confirmed"
    if item.corrected:
        given["meaning"] = "corrected"
    if item.until is not None:
        given["valid_until"] = to_datetime(_START + item.until * STEP * _SECOND)
    return given


def _says(subject: Subject, ask: Ask, value: str) -> bool:
    """Tell whether recall answers a question with exactly this value."""
    slot = Slot(ask.attribute, entity=ask.entity, object=ask.object)
    return [each.value for each in subject.recall(slot=slot, budget=Budget(episodes=0)).facts] == [value]


def _counted(
    stream: Stream, decided: Sequence[tuple[Item, Outcome]], times: Sequence[float], holds: Sequence[bool]
) -> Row:
    verdicts = [(item, outcome.decision in item.right, str(outcome.decision)) for item, outcome in decided]
    every = Counter(item.kind for item, _, _ in verdicts)
    right = Counter(item.kind for item, is_right, _ in verdicts if is_right)
    wrong = Counter(f"{item.kind}: {item.right[0]}, {said}" for item, is_right, said in verdicts if not is_right)
    return Row(
        density=stream.density, contradictions=sum(every[kind] for kind in CONTRADICTING) / len(verdicts),
        writes=len(verdicts), right=right.total(), kinds={kind: (every[kind], right[kind]) for kind in sorted(every)},
        wrong=dict(wrong), standing=len(holds), standing_right=sum(holds), mean_ms=fmean(times), median_ms=median(times),
        processor_ms=0.0, last_ms=median(times[-max(1, len(times) // 10) :]),
    )  # fmt: skip


def _row(row: Row) -> dict[str, object]:
    return {
        "density": row.density, "contradictions": round(row.contradictions, 4), "writes": row.writes, "right": row.right,
        "accuracy": round(row.accuracy, 4), "standing": row.standing, "standing_right": row.standing_right,
        "kinds": {kind: {"claims": count, "right": right} for kind, (count, right) in row.kinds.items()},
        "wrong": dict(row.wrong), "mean_ms": round(row.mean_ms, 3), "median_ms": round(row.median_ms, 3),
        "processor_ms": round(row.processor_ms, 3), "last_ms": round(row.last_ms, 3),
    }  # fmt: skip


def check_plot(file: str | Path) -> str:
    """Return the format that a plot would have, before anything is measured for it.

    Raises
    ------
    InvalidArgument
        The name ends otherwise, or its folder isn't there.
    MissingExtra
        Nothing to draw with is installed.
    """
    path = Path(file)
    kind = path.suffix.removeprefix(".").lower()
    if kind not in FORMATS:
        raise InvalidArgument("plot", "no such format", f"End the name with one of: {', '.join(FORMATS)}.")
    if not path.parent.is_dir():
        raise InvalidArgument("plot", "no such folder", "Make the folder first, or name another.")
    if find_spec("matplotlib") is None:
        raise MissingExtra("drawing needs matplotlib", extra="plots")
    return kind


def plot(report: Report, file: str | Path) -> None:
    """Draw accuracy over density, with the time of a write below it.

    Parameters
    ----------
    report
        What `evaluate` gives.
    file
        Where to; its ending says how: ``.svg``, ``.png`` or ``.pdf``.

    Raises
    ------
    InvalidArgument, MissingExtra
    """
    kind = check_plot(file)
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 5.5), layout="constrained")
    FigureCanvasAgg(figure)
    above, below = figure.subplots(2, 1, sharex=True, height_ratios=(2, 1))
    across = [100 * each.density for each in report.rows]
    above.plot(across, [each.accuracy for each in report.rows], marker="o")
    above.set_ylabel("decisions that are right")
    above.set_ylim(min(0.9, *(each.accuracy - 0.02 for each in report.rows)), 1.005)
    kind_of = "Claims with slots" if report.slotted else "Claims without slots"
    above.set_title(f"{kind_of}: {max(each.writes for each in report.rows)} writes at each density, seed {report.seed}")
    below.plot(across, [each.median_ms for each in report.rows], marker="o", label="median")
    below.plot(across, [each.mean_ms for each in report.rows], marker="x", label="mean")
    below.plot(across, [each.processor_ms for each in report.rows], marker="s", label="mean, processor alone")
    below.set_ylim(bottom=0)
    below.set_ylabel("ms per write")
    below.set_xlabel("contradictions among the claims, %")
    figure.legend(loc="outside lower center", ncols=3)
    for axes in (above, below):
        axes.grid(visible=True, alpha=0.3)
    figure.savefig(Path(file), format=kind, metadata={"Date": None} if kind == "svg" else None)
