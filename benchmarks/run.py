"""Measure Stead on this machine: ``make bench``, or ``python benchmarks/run.py --help`` for parts and sizes."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from dataclasses import asdict, fields
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")
sys.path[:0] = [str(ROOT)]

from benchmarks import background, decisions, erasure, reads, words, writes  # noqa: E402 - the folder is made known above
from benchmarks.measure import Figure  # noqa: E402

PARTS = {
    "import": writes.importing,
    "write": writes.writing,
    "bulk": writes.importing_many,
    "disk": writes.on_disk,
    "recall": reads.recalling,
    "large": reads.one_large,
    "others": reads.beside_others,
    "chain": reads.chains,
    "understand": words.understanding,
    "review": words.reviewing,
    "decide": decisions.deciding,
    "consolidate": background.consolidating,
    "erase": erasure.erasing_one,
}
QUICK = writes.Sizes(
    writes=200, bulk=2_000, subjects=10, records=100, queries=100, large=5_000, others=100, depth=500, background=400
)


def options(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Measure speed and size; exit 1 if a target is missed.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"which of {', '.join(PARTS)}; all by default")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")
    parser.add_argument("--quick", action="store_true", help="small sizes: whether it runs, not how fast it is")
    parser.add_argument("--strict", action="store_true", help="exit 1 if a target is missed")
    for each in fields(writes.Sizes):
        kind = str if each.name == "folder" else int
        parser.add_argument(f"--{each.name}", type=kind, default=None, help=f"{each.default} by default")
    chosen = parser.parse_args(arguments)
    unknown = [part for part in chosen.parts if part not in PARTS]
    if unknown:
        parser.error(f"unknown part {unknown[0]}: choose from {', '.join(PARTS)}")
    return chosen


def main(arguments: list[str] | None = None) -> int:
    """Run the parts and print their figures."""
    chosen = options(arguments)
    given = {name: value for name, value in vars(chosen).items() if value is not None}
    base = QUICK if chosen.quick else writes.Sizes()
    sizes = writes.Sizes(**{each.name: given.get(each.name, getattr(base, each.name)) for each in fields(base)})
    found: dict[str, list[Figure]] = {}
    for part in chosen.parts or PARTS:
        if not chosen.json:
            print(f"{part}: {(PARTS[part].__doc__ or '').strip()}", flush=True)
        found[part] = PARTS[part](sizes)
        if not chosen.json:
            print(*(figure.line() for figure in found[part]), sep="\n", flush=True)
    if chosen.json:
        machine = {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count()}
        parts = {part: [asdict(figure) for figure in figures] for part, figures in found.items()}
        print(json.dumps({"machine": machine, "sizes": asdict(sizes), "parts": parts}, indent=2))
    missed = [figure for figures in found.values() for figure in figures if figure.met is False]
    return 1 if missed and chosen.strict else 0


if __name__ == "__main__":
    sys.exit(main())
