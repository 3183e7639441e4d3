"""What is done in the background, on demand: consolidation."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated

import typer

from stead.surfaces.cli.commands import LOOK, Here, command
from stead.surfaces.cli.output import note, out, print_json, print_table

if TYPE_CHECKING:
    from stead.model.consolidation import Consolidated, Consolidation


@command(LOOK, "stead consolidate --dry-run")
def consolidate(
    here: Here,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only report; nothing is written.")] = False,
    limit: Annotated[
        int, typer.Option("--limit", help="Steps of this call; what is left comes with the next one.", min=1)
    ] = 1_000,
    share: Annotated[
        float,
        typer.Option(
            "--share", help="Of the records, from 0 to 1, how many may be closed without a review; ten in any case.",
            min=0.0, max=1.0,
        ),
    ] = 0.05,
    fresh: Annotated[bool, typer.Option("--fresh", help="Begin anew; don't go on with a run that was stopped.")] = False,
    steps: Annotated[bool, typer.Option("--steps", help="List every decision by its ids.")] = False,
    all_subjects: Annotated[bool, typer.Option("--all-subjects", help="For every subject of the tenant.")] = False,
) -> None:  # fmt: skip
    """Find what writes missed: contradictions are decided or asked about, duplicates merged, chains flattened."""
    with here.store(embed=True) as store:
        found = store.consolidate(
            None if all_subjects else here.settings.subject, dry_run=dry_run, limit=limit, share=share, resume=not fresh
        )
    if here.json:
        print_json(found.as_dict())
        return
    for each in found.subjects:
        if all_subjects:
            out(f"\n{each.subject}")
        _show(each, dry_run=dry_run, steps=steps)
    _tell(found)


def _show(run: Consolidated, *, dry_run: bool, steps: bool) -> None:
    print_table(
        ("phase", "seen", "would change" if dry_run else "changed", "asked", "left", "seconds", "why left"),
        [
            (each.name, each.seen, each.changed, each.asked, each.left, f"{each.seconds:.2f}",
             ", ".join(f"{reason} {count}" for reason, count in each.reasons.items()))
            for each in run.phases
        ],
        wrap={"why left": 20},
    )  # fmt: skip
    if steps:
        print_table(
            ("phase", "decision", "rule", "record", "affected"),
            [(each.phase, each.decision, each.rule, each.record, ", ".join(each.affected)) for each in run.steps],
            wrap={"affected": 24},
        )
    else:
        rules = Counter((each.decision, each.rule) for each in run.steps)
        print_table(("decision", "rule", "times"), [(*rule, count) for rule, count in sorted(rules.items())])
    note(f"{'would close' if dry_run else 'closed'} {run.closed} of at most {run.may_close} records without a review")


def _tell(found: Consolidation) -> None:
    if not found.subjects:
        note("nothing was ever written")
    if found.asked and not found.dry_run:
        note(f"{found.asked} wait for an answer: stead questions")
    if found.embedder_failed:
        note("the embedder failed: vectors are still missing")
    elif found.embedded:
        note(f"{found.embedded} vectors {'are missing' if found.dry_run else 'made'}")
    if not found.finished:
        note("the limit was reached: the next call goes on")
