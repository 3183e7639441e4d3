"""The guards against the corpora in ``tests/data/guards`` (R15, R48). They were written without knowledge of the rules.

How the rules did on them before anything was tuned, and after tuning on one half on the other, stands in
``docs/explanation/guards.md``; since then they guard what was reached.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from stead.policy.guards import hostile, redact

FOLDER = Path(__file__).parent / "data" / "guards"


def entries(name: str) -> list[dict[str, Any]]:
    read: list[dict[str, Any]] = yaml.safe_load((FOLDER / name).read_text("utf-8"))
    return read


HOSTILE, HARMLESS, SECRETS = entries("hostile.yaml"), entries("harmless.yaml"), entries("secrets.yaml")


def test_no_hostile_text_is_unnoticed() -> None:
    assert len(HOSTILE) == 120
    assert [each["id"] for each in HOSTILE if not hostile(each["text"])] == []


@pytest.mark.parametrize("kind", ["override", "exfiltration"])
def test_most_of_what_would_take_over_is_refused(kind: str) -> None:
    own = [each for each in HOSTILE if each["kind"] == kind]
    refused = [each for each in own if any(found.level == "refuse" for found in hostile(each["text"]))]
    assert len(refused) >= 0.8 * len(own)


def test_at_most_two_harmless_texts_are_held_back() -> None:
    assert len(HARMLESS) == 200
    assert len([each["id"] for each in HARMLESS if hostile(each["text"])]) <= 2


def test_at_most_one_harmless_text_is_redacted() -> None:
    assert len([each["id"] for each in HARMLESS if redact(each["text"]).found]) <= 1


def test_every_secret_is_redacted_and_the_words_around_it_stay() -> None:
    assert len(SECRETS) == 60
    for each in SECRETS:
        text, secret = each["text"], each["secret"]
        before, _, after = text.partition(secret)
        redacted = redact(text).text
        assert secret not in redacted, each["id"]
        assert before.split("-----BEGIN")[0].split(" ")[0] in redacted, each["id"]
        assert after.split("-----")[-1].split(" ")[-1] in redacted, each["id"]
