"""Precision and recall of extraction on turns that were labelled by somebody else before the rules were tuned."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.extraction_scoring import Score, load, score

from stead.extract.rules import Extractor
from stead.policy import load as policy

LABELLED = Path(__file__).parent / "data" / "extraction"


def scored(name: str) -> Score:
    extractor = Extractor(policy().attributes)
    return score(load(LABELLED / name), lambda text, said, zone: extractor(text, said=said, zone=zone))


@pytest.mark.parametrize(
    ("name", "precision", "recall"),
    [
        ("dev.yaml", 0.95, 0.75),
        # kept aside and never looked at while the rules were made: a floor below what was reached, .935 and .775
        ("held_out.yaml", 0.925, 0.75),
        ("dev4.yaml", 0.95, 0.75),
        ("dev6.yaml", 0.95, 0.6),
        ("dev7.yaml", 0.95, 0.75),
        ("dev8.yaml", 0.97, 0.74),
        ("dev9.yaml", 0.97, 0.74),
        ("stress.yaml", 1.0, 1.0),
    ],
)
def test_quality(name: str, precision: float, recall: float) -> None:
    report = scored(name)
    assert report.precision.share >= precision, report
    assert report.recall.share >= recall, report
    assert report.forbidden == [], report
    assert report.acts.share >= 0.95, report


@pytest.mark.parametrize(
    "kind",
    sorted({kind for case in load(LABELLED / "stress.yaml") if not case.expect for kind in case.about or {"misread"}}),
)
def test_r15_what_states_nothing_gives_no_claim(kind: str) -> None:
    """R15: what is supposed, asked, shown, played, felt, meant in jest or told of others is no fact, class by class."""
    cases = [case for case in load(LABELLED / "stress.yaml") if not case.expect and kind in (case.about or {"misread"})]
    extractor = Extractor(policy().attributes)
    report = score(cases, lambda text, said, zone: extractor(text, said=said, zone=zone))
    assert report.alarms == [], report
    assert report.forbidden == [], report
    assert report.acts.share == 1, report
