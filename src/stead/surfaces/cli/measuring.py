"""Replays and measurements: retrieval, the write policy, words of time, the guards, and what is done about contradictions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from stead.surfaces.cli.commands import TIME, Here, app, command
from stead.surfaces.cli.output import err, out, plain, print_json, print_mapping

replay = typer.Typer(help="Replay real conversations into a store.", no_args_is_help=True)
evaluate = typer.Typer(help="Measure on public data.", no_args_is_help=True)
app.add_typer(replay, name="replay", rich_help_panel=TIME)
app.add_typer(evaluate, name="eval", rich_help_panel=TIME)

Data = Annotated[Path, typer.Option("--data", help="The folder with the data.", metavar="DIR")]


@command(TIME, "stead replay locomo locomo10.json --conversation conv-26", under=replay, name="locomo")
def replay_locomo(
    here: Here,
    file: Annotated[Path, typer.Argument(help="The benchmark's file of conversations.", metavar="FILE")],
    conversation: Annotated[str, typer.Option("--conversation", help="Which of its conversations.", metavar="K")],
) -> None:
    """Play one LoCoMo conversation through the write policy: per session what was kept, asked and dropped, and why."""
    from stead.evaluate.replay import replay as play

    with here.store(create=True, embed=True) as store:
        _print_report(here, play(file, conversation, store))


@command(TIME, "stead eval locomo --data data/locomo", under=evaluate, name="locomo", common=("embedder",))
def eval_locomo(
    here: Here,
    data: Annotated[Path, typer.Option("--data", help="The folder with the benchmark's data.", metavar="DIR")],
    ablate: Annotated[bool, typer.Option("--ablate", help="Measure what each part of the ranking is worth.")] = False,
    audited: Annotated[bool, typer.Option("--audited", help="Measure with corrected evidence too.")] = False,
) -> None:
    """Measure recall on LoCoMo: how often the evidence is among what is found."""
    from stead.evaluate import locomo

    report = locomo.evaluate(data, embedder=here.settings.embedder, ablate=ablate, audited=audited, progress=err)
    _print_report(here, report)


@command(TIME, "stead eval writes --data data/locomo", under=evaluate, name="writes", common=())
def eval_writes(
    here: Here,
    data: Annotated[Path, typer.Option("--data", help="The folder with the LoCoMo conversations.", metavar="DIR")],
) -> None:
    """Replay every conversation through the write policy: what is written, how often, why not, and was it really said."""
    from stead.evaluate import writes

    _print_report(here, writes.evaluate(data, progress=err))


@command(TIME, "stead eval time --data data/time_expressions", under=evaluate, name="time", common=())
def eval_time(
    here: Here,
    data: Data,
    misses: Annotated[bool, typer.Option("--misses", help="List what was read otherwise.")] = False,
) -> None:
    """Measure how words of time are read, on the Recognizers-Text specs; which of them are claimed is in the docs."""
    from stead.evaluate import time_expressions as times

    report = times.score(times.load(data))
    if here.json:
        print_json(report)
        return
    for name, claimed, exact in times.table(report):
        out(f"{name:<15}  {exact:>4} of {claimed:>4}")
    out(f"exact            {report.share:.3f}")
    for miss in report.misses if misses else ():
        out(f"  {miss}")


@command(TIME, "stead eval poisoning --data data/poisoning", under=evaluate, name="poisoning", common=())
def eval_poisoning(here: Here, data: Data) -> None:
    """Judge the write-validation cases of the AWS sample for memory poisoning."""
    from stead.evaluate import poisoning

    _print_report(here, poisoning.evaluate(poisoning.load(data)))


@command(TIME, "stead eval pii --data data/pii", under=evaluate, name="pii", common=())
def eval_pii(here: Here, data: Data) -> None:
    """Measure which personal data is tagged, by class, on Presidio's sentences."""
    from stead.evaluate import pii

    _print_report(here, pii.evaluate(pii.load(data)))


@command(
    TIME, "stead eval fact-consolidation --data data/fact_consolidation", under=evaluate, name="fact-consolidation",
    common=("embedder",),
)  # fmt: skip
def eval_fact_consolidation(here: Here, data: Data) -> None:
    """Write numbered facts that contradict each other, and answer questions from what stands in the end."""
    from stead.evaluate import fact_consolidation as facts

    report = facts.evaluate(facts.load(data), embedder=here.settings.embedder, progress=err)
    _print_report(here, report)


@command(
    TIME, "stead eval precision --data data/precisionmembench", under=evaluate, name="precision", common=("embedder",)
)
def eval_precision(here: Here, data: Data) -> None:
    """Measure whether recall returns what was asked for and nothing else, on PrecisionMemBench."""
    from stead.evaluate import precision

    _print_report(here, precision.evaluate(data, embedder=here.settings.embedder))


@command(TIME, "stead eval density --plot density.svg", under=evaluate, name="density", common=())
def eval_density(
    here: Here,
    unslotted: Annotated[bool, typer.Option("--unslotted", help="Write words alone, without slots.")] = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", help="Draw it too: .svg, .png or .pdf.", metavar="FILE")
    ] = None,
    writes: Annotated[int, typer.Option("--writes", help="Claims at each density.", metavar="N")] = 500,
    seed: Annotated[int, typer.Option("--seed", help="Another seed, other claims.", metavar="N")] = 1,
) -> None:
    """Measure how often a write decides rightly, and what it costs, from no contradictions to 60 %."""
    from stead.evaluate import density

    if plot is not None:
        density.check_plot(plot)
    report = density.evaluate(writes=writes, seed=seed, slotted=not unslotted, progress=err)
    if plot is not None:
        density.plot(report, plot)
    _print_report(here, report)


def _print_report(here: Here, report: Any) -> None:
    """Print whatever a run came to."""
    shape = report.as_dict() if hasattr(report, "as_dict") else report
    if here.json:
        print_json(shape)
    elif hasattr(report, "lines"):
        out("\n".join(report.lines()))
    else:
        print_mapping(plain(shape))
