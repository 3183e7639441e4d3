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
        # kept aside and never looked at while the rules were made: a floor below what was reached, .925 and .767
        ("held_out.yaml", 0.92, 0.75),
        ("dev4.yaml", 0.95, 0.75),
        ("dev6.yaml", 0.95, 0.6),
    ],
)
def test_quality(name: str, precision: float, recall: float) -> None:
    report = scored(name)
    assert report.precision.share >= precision, report
    assert report.recall.share >= recall, report
    assert report.forbidden == [], report
    assert report.acts.share >= 0.95, report
