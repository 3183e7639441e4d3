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


@pytest.mark.parametrize("name", ["dev.yaml", "held_out.yaml"])
def test_quality(name: str) -> None:
    report = scored(name)
    assert report.precision.share >= 0.95, report
    assert report.recall.share >= 0.75, report
    assert report.forbidden == [], report
    assert report.acts.share >= 0.95, report
