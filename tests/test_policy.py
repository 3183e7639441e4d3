"""The policy: built in, with a user's own laid over it (R15, R19)."""

from __future__ import annotations

import tomllib
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.heard import hears, says

import stead
from stead import Slot
from stead.clock import StoryClock
from stead.model.record import Kind
from stead.policy import SENSITIVE, Category, Route, load


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
    assert policy.attributes["pet"].cardinality == "one"
    assert {policy.attributes[name].cardinality for name in ("x.lang", "food.opinion")} == {"many"}
    assert policy.attributes["pet"].category == "household"  # key by key: the rest of it stays


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


def test_the_built_in_policy_is_whole() -> None:
    policy = load()
    assert len(policy.attributes) >= 80
    assert {each.category for each in policy.attributes.values()} <= set(policy.categories)
    assert {policy.categories[name].sensitivity for name in SENSITIVE} == set(SENSITIVE)
    assert policy.opted_in == frozenset()
    assert policy.personalisation
    assert {each.route for each in policy.routes} == set(Route)
    assert all(each.reason for each in policy.routes)
    lifetimes = policy.limits.inference_lifetime, policy.limits.proposal_lifetime
    assert lifetimes[0] < lifetimes[1]  # inferences wait shortest (R19)


# --- a user's own file ---------------------------------------------------------------------------------------------------

OWN = """
[categories.food]
stakes = "high"
half_life = "never"

[categories.wine]
kind = "preference"
lifetime = "18m"
retention = "2y"
half_life = "6w"
cardinality = "many"
confirm = true
sensitivity = "drinking"
purposes = ["dinner"]
review_events = ["cellar emptied"]
under_review = "withheld"
importance = 1

[attributes."wine.favorite"]
category = "wine"
cardinality = "many"
says = ["swear by {value}"]
terms = ["wine"]
confirm = false

[attributes.pet]
terms = ["animal"]

[consent.classes]
finance = true

[scopes."briefs/internal"]
says = ["Internal Briefs"]

[limits]
per_turn = 3
inference_lifetime = "12h"

[routes.confirm_first]
route = "admit"

[routes.mine]
order = -5
when = ["irony", "!remember"]
route = "quarantine"
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    file = tmp_path / "policy.toml"
    file.write_text(OWN, encoding="utf-8")
    return file


def test_every_section_is_laid_over_key_by_key(own: Path) -> None:
    built_in, policy = load(), load(own)
    food, wine = policy.categories["food"], policy.categories["wine"]
    assert (food.stakes, food.half_life, food.kind) == ("high", None, "preference")
    assert wine == Category(
        name="wine", kind=Kind.PREFERENCE, lifetime=timedelta(days=540), retention=timedelta(days=730),
        half_life=timedelta(weeks=6), cardinality="many", confirm=True, sensitivity="drinking", purposes=("dinner",),
        review_events=("cellar emptied",), under_review="withheld", importance=1.0,
    )  # fmt: skip
    assert policy.attributes["pet"].terms == ("animal",)
    assert policy.attributes["pet"].says == built_in.attributes["pet"].says
    assert policy.opted_in == {"finance"}
    assert policy.scope_of("Internal  BRIEFS") == "briefs/internal"
    assert policy.scope_of("briefs") is None
    assert (policy.limits.per_turn, policy.limits.per_session) == (3, built_in.limits.per_session)
    assert policy.limits.inference_lifetime == timedelta(hours=12)
    rules = {each.name: each for each in policy.routes}
    assert policy.routes[0].name == "mine"
    assert (rules["confirm_first"].route, rules["confirm_first"].when) == ("admit", rules["confirm_first"].when)
    assert rules["confirm_first"].when == next(each.when for each in built_in.routes if each.name == "confirm_first")
    assert load().categories["food"].stakes == "low"  # the built-in one is as it was
    assert policy.asks_first([wine], Slot("wine.favorite", value="x")) is False  # the attribute knows better
    assert policy.asks_first([wine], None) is True


def test_a_mapping_and_a_file_say_the_same(own: Path) -> None:
    assert load(tomllib.loads(OWN)) == load(own) == load(str(own))


@pytest.mark.parametrize(
    ("text", "place", "line"),
    [
        # unknown keys
        ("\n[categorys]\n", "policy.categorys", 2),
        ('[categories.food]\nstakes = "high"\nstake = "low"\n', "policy.categories.food.stake", 3),
        ('[attributes.pet]\nsay = ["x"]\n', "policy.attributes.pet.say", 2),
        ('[attributes."home.city"]\n\n# a comment\nsay = ["x"]\n', "policy.attributes.home.city.say", 4),
        ("[attributes.'home.city']\nsay = [\"x\"]\n", "policy.attributes.home.city.say", 2),
        ("[limits]\nper_day = 3\n", "policy.limits.per_day", 2),
        ("[routes.mood]\nthen = 1\n", "policy.routes.mood.then", 2),
        ('[scopes."a/b"]\nsay = ["x"]\n', "policy.scopes.a/b.say", 2),
        ("[consent]\nasked = true\n", "policy.consent.asked", 2),
        ('[categories.food]\nreview_events = [\n  "a = b",\n]\nstakes = "huge"\n', "policy.categories.food.stakes", 5),
        # impossible values, in the shapes that TOML has
        ('[categories.food]\nstakes = "huge"\n', "policy.categories.food.stakes", 2),
        ('[categories]\nfood.stakes = "huge"\n', "policy.categories.food.stakes", 2),
        ('categories.food.stakes = "huge"\n', "policy.categories.food.stakes", 1),
        ('[categories]\n"food".stakes = "huge"\n', "policy.categories.food.stakes", 2),
        ('  [ categories . food ]\n  stakes   =   "huge"\n', "policy.categories.food.stakes", 2),
        ('[categories.work]\nstakes = "low"\n[categories.food]\nstakes = "huge"\n', "policy.categories.food.stakes", 4),
        ('[categories.food]\nlifetime = "5"\n', "policy.categories.food.lifetime", 2),
        ('[categories.food]\nlifetime = "0d"\n', "policy.categories.food.lifetime", 2),
        ("[categories.food]\nlifetime = 5\n", "policy.categories.food.lifetime", 2),
        ('[categories.food]\nlifetime = "never"\n', "policy.categories.food.lifetime", 2),
        ('[categories.food]\nretention = "interval"\n', "policy.categories.food.retention", 2),
        ('[categories.food]\nhalf_life = "none"\n', "policy.categories.food.half_life", 2),
        ('[categories.food]\nkind = "opinion"\n', "policy.categories.food.kind", 2),
        ('[categories.food]\ncardinality = "two"\n', "policy.categories.food.cardinality", 2),
        ('[categories.food]\nconfirm = "yes"\n', "policy.categories.food.confirm", 2),
        ('[categories.food]\nunder_review = "hidden"\n', "policy.categories.food.under_review", 2),
        ("[categories.food]\nimportance = 1.5\n", "policy.categories.food.importance", 2),
        ("[categories.food]\nimportance = true\n", "policy.categories.food.importance", 2),
        ('[categories.food]\npurposes = "any"\n', "policy.categories.food.purposes", 2),
        ("[categories.food]\nreview_events = [1]\n", "policy.categories.food.review_events", 2),
        ('[attributes.pet]\ncategory = "animals"\n', "policy.attributes.pet.category", 2),
        ('[attributes.pet]\nvalues = [""]\n', "policy.attributes.pet.values", 2),
        ("[consent]\npersonalisation = 1\n", "policy.consent.personalisation", 2),
        ('[consent.classes]\nhealth = "yes"\n', "policy.consent.classes.health", 2),
        ("[limits]\nper_turn = 0\n", "policy.limits.per_turn", 2),
        ("[limits]\nper_turn = 2.5\n", "policy.limits.per_turn", 2),
        ('[limits]\nproposal_lifetime = "none"\n', "policy.limits.proposal_lifetime", 2),
        ('[routes.mood]\nroute = "maybe"\n', "policy.routes.mood.route", 2),
        ('[routes.mood]\nwhen = ["moody"]\n', "policy.routes.mood.when", 2),
        ('[routes.mood]\norder = "first"\n', "policy.routes.mood.order", 2),
        ('[routes.own]\nwhen = ["mood"]\n', "policy.routes.own.route", 1),
        ('[scopes."/a"]\nsays = ["x"]\n', "policy.scopes./a", 1),
        ('[scopes.a]\nsays = "x"\n', "policy.scopes.a.says", 2),
        # not what they should be at all
        ("limits = 3\n", "policy.limits", 1),
        ("[categories]\nfood = 3\n", "policy.categories.food", 2),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_file_is_named_with_its_line(tmp_path: Path, text: str, place: str, line: int) -> None:
    file = tmp_path / "policy.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(stead.InvalidPolicy) as wrong:
        load(file)
    assert wrong.value.field == place
    assert f"(line {line})" in wrong.value.message
    assert wrong.value.hint
    with pytest.raises(stead.InvalidPolicy) as of_mapping:
        load(tomllib.loads(text))
    assert of_mapping.value.field == place
    assert "line" not in of_mapping.value.message
    with pytest.raises(stead.InvalidPolicy):
        stead.open(tmp_path / "memory.db", policy=file)
    assert not (tmp_path / "memory.db").exists()


def test_a_class_that_nothing_has_is_no_class() -> None:
    with pytest.raises(stead.InvalidPolicy, match="helth"):
        load({"consent": {"classes": {"helth": True}}})


def test_the_last_rule_decides_whatever_comes() -> None:
    with pytest.raises(stead.InvalidPolicy, match="last rule"):
        load({"routes": {"admitted": {"when": ["remember"]}}})
    last = load({"routes": {"refused": {"order": 10_000, "route": "drop"}}}).routes[-1]
    assert (last.name, last.when) == ("refused", ())


# --- a policy of one's own needs no code ---------------------------------------------------------------------------------


def test_an_attribute_of_ones_own_is_heard_asked_for_and_found(own: Path, tmp_path: Path, clock: StoryClock) -> None:
    with stead.open(tmp_path / "m.db", clock=clock, embedder="none", policy=own) as store:
        ana = store.subject("ana", zone="Europe/Berlin")
        assert store.policy.attributes["wine.favorite"].terms == ("wine",)
        for consent, rules in ((False, ["no_consent"]), (True, ["new"])):
            ana.consent(classes={"drinking": consent})
            with ana.session("c1") as session:
                session.turn("user", "I swear by Riesling.")
            assert [each.rule for each in session.outcomes] == rules
        [record] = ana.records()
        assert (record.attribute, record.object, record.category) == ("wine.favorite", "Riesling", "wine")
        assert (record.purpose, record.importance, record.sensitivity) == (("dinner",), 1.0, "drinking")
        assert [each.id for each in ana.recall("which wine?", purpose="dinner").facts] == [record.id]
        assert ana.recall("which wine?").facts == ()


def test_a_route_of_ones_own_decides(own: Path, tmp_path: Path, clock: StoryClock) -> None:
    with stead.open(tmp_path / "m.db", clock=clock, embedder="none", policy=own) as store:
        ana = store.subject("ana", zone="Europe/Berlin")
        outcome = ana.remember("Answers in Dutch", category="instruction")
        assert (outcome.decision, outcome.route) == ("ADD", "admit")
        assert ana.questions() == []
        hears(ana, says("Loves waiting", traits=frozenset({"irony"})))
        with ana.session("c1") as session:
            session.turn("user", "Loves waiting")
        assert [(each.route, each.rule) for each in session.outcomes] == [("quarantine", "mine")]


def test_a_scope_is_named_by_its_words(own: Path, tmp_path: Path, clock: StoryClock) -> None:
    with stead.open(tmp_path / "m.db", clock=clock, embedder="none", policy=own) as store:
        ana = store.subject("ana", zone="Europe/Berlin")
        with ana.session("c1") as session:
            session.turn("user", "For future internal briefs, use concise bullet points.")
        [record] = ana.records()
        assert record.scope == "briefs/internal"
        assert ana.recall(slot=Slot("output.format")).facts == ()
