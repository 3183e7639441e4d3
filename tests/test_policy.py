"""The policy: built in, with a user's own laid over it (R15, R19)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import stead
from stead import Slot
from stead.policy import load


def test_the_built_in_policy_knows_what_takes_many() -> None:
    policy = load()
    assert load(policy) is policy
    assert policy.keyed(Slot("pet", value="Bello")).key.object == "Bello"
    assert policy.keyed(Slot("pet", object="dog", value="Bello")).key.object == "dog"
    assert policy.keyed(Slot("home.city", value="Berlin")).key.object == ""
    assert policy.keyed(Slot("pet")).key.object == ""


def test_a_file_is_laid_over_it(tmp_path: Path) -> None:
    file = tmp_path / "policy.toml"
    file.write_text('[attributes.pet]\ncardinality = "one"\n[attributes."x.lang"]\ncardinality = "many"\n')
    policy = load(file)
    assert "pet" not in policy.many
    assert {"x.lang", "food.opinion"} <= policy.many


@pytest.mark.parametrize(
    "own",
    [
        {"attribute": {}}, {"attributes": 3}, {"attributes": {"pet": "many"}}, {"attributes": {"pet": {"many": True}}},
        {"attributes": {"pet": {"cardinality": "some"}}},
    ],
)  # fmt: skip
def test_what_it_can_not_be_is_named(own: Any) -> None:
    with pytest.raises(stead.InvalidPolicy, match="policy"):
        load(own)


def test_a_file_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("[attributes\n")
    for name in ("missing.toml", "bad.toml"):
        with pytest.raises(stead.InvalidPolicy):
            load(str(tmp_path / name))


@pytest.mark.parametrize("own", [{"categories": {}}, {"attributes": {"pet": {"half_life": "30 days"}}}])
def test_what_comes_later_says_so(own: Any) -> None:
    with pytest.raises(stead.NotBuilt):
        load(own)
