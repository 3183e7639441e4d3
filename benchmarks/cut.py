"""What the cut on facts is worth, on the observations of LoCoMo: ``python benchmarks/cut.py FOLDER --embedder none``.

The figures stand in docs/explanation/retrieval.md. Each store has about thirty observations of one conversation as claims in
slots of their own, so that no write touches another; a question's facts are those from the turns that it cites.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import Any

import stead
from stead import Budget, Slot
from stead.policy import SENSITIVE
from stead.recall import cut

LARGE = 30
ADVERSARIAL = 5
_TURN = re.compile(r"D\d+:\d+")
_EVERYTHING = Budget(facts=1_000, episodes=0, tokens=100_000)


@dataclass(frozen=True, slots=True)
class Part:
    """Some sessions of one conversation."""

    claims: list[str]
    asked: list[tuple[str, frozenset[int]]]
    """Questions, and which claims they are about."""


def parts(raw: Mapping[str, Any]) -> Iterator[Part]:
    """Cut a conversation's observations at the ends of sessions."""
    questions = [
        (each["question"], set(_TURN.findall(str(each.get("evidence"))))) for each in raw["qa"] if each["category"] != ADVERSARIAL
    ]  # fmt: skip
    sessions = sorted(raw["observation"], key=lambda name: int(re.findall(r"\d+", name)[0]))
    found: list[tuple[str, set[str]]] = []
    for place, name in enumerate(sessions):
        found += [
            (text, set(_TURN.findall(str(turn)))) for each in raw["observation"][name].values() for text, turn in each
        ]
        if len(found) >= LARGE or place == len(sessions) - 1:
            there = set[str]().union(*(turns for _, turns in found))
            about = [
                (question, frozenset(n for n, (_, turns) in enumerate(found) if turns & evidence))
                for question, evidence in questions
                if evidence and evidence <= there
            ]
            yield Part([text for text, _ in found], about)
            found = []


def answers(part: Part, embedder: str) -> Iterator[tuple[int, float, float]]:
    """Yield for each question how much was served, its precision and its recall."""
    with (
        TemporaryDirectory(prefix="stead-cut-") as folder,
        stead.open(Path(folder) / "memory.db", embedder=embedder) as store,
    ):
        ana = store.subject("ana")
        ana.consent(classes=dict.fromkeys(SENSITIVE, True))
        noted = [{"claim": text, "slot": Slot(f"note.n{n}", value=text)} for n, text in enumerate(part.claims)]
        place = {outcome.record: n for n, outcome in enumerate(ana.remember_many(noted))}
        for question, about in part.asked:
            served = {place[each.id] for each in ana.recall(question, budget=_EVERYTHING).facts}
            hits = len(served & about)
            yield len(served), hits / len(served) if served else 0.0, hits / len(about)


def main() -> int:
    """Measure without the cut and with it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path, help="the folder with locomo10.json")
    parser.add_argument("--embedder", default="none")
    chosen = parser.parse_args()
    file = next((each for each in sorted(chosen.data.glob("locomo10*.json"))), None)
    if file is None:
        parser.error(f"no locomo10.json in {chosen.data}")
    stores = [part for raw in json.loads(file.read_bytes()) for part in parts(raw)]
    print(f"{len(stores)} stores, {sum(len(each.asked) for each in stores)} questions")
    ships = cut.NEAR, cut.LEAST, cut.COVERED, cut.COVERED_BESIDE_A_VECTOR, cut.CLEAR
    no_floor = 0.0, 0.0, 0.0  # one word is enough, and any cosine above the model's floor
    before = 0.0, 0.3, *no_floor  # 0.3 of the best, which the vectors may pass
    for shares in (before, (*ships[:2], *no_floor), ships):
        cut.NEAR, cut.LEAST, cut.COVERED, cut.COVERED_BESIDE_A_VECTOR, cut.CLEAR = shares  # type: ignore[misc]
        found = [each for part in stores for each in answers(part, chosen.embedder)]
        f1 = [2 * precision * recall / (precision + recall) if recall else 0.0 for _, precision, recall in found]
        served, precision, recall = (fmean(column) for column in zip(*found, strict=True))
        print(
            f"near {shares[0]}, least {shares[1]}, covered {shares[2]}: served {served:.1f}, "
            f"precision {precision:.3f}, recall {recall:.3f}, F1 {fmean(f1):.3f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
