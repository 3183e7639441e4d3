"""Scopes match by whole segments (R11); slots name the question that a claim answers (R21)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stead.errors import InvalidArgument
from stead.model.scope import chain, checked
from stead.model.slot import SELF, Slot, SlotKey, normal, plain


def covers(wider: str, scope: str) -> bool:
    """Tell whether a record in one scope applies in another: it is among what a reader there sees."""
    return wider in chain(scope)


SEGMENTS = st.sampled_from(["acme", "acme-corp", "acm", "web", "%", "_", "a_me", "a%", "Acme", "*", ".."])
SCOPES = st.lists(SEGMENTS, max_size=4).map("/".join)


def as_parts(scope: str) -> list[str]:
    """Split a scope as a person would: everywhere has no parts."""
    return scope.split("/") if scope else []


@pytest.mark.parametrize(
    ("wider", "scope", "applies"),
    [
        ("", "", True),
        ("", "acme/web", True),
        ("acme", "acme", True),
        ("acme", "acme/web", True),
        ("acme/web", "acme", False),
        ("acme", "acme-corp", False),
        ("acme", "acme-corp/web", False),
        ("acm", "acme", False),
        ("acme", "", False),
        ("%", "acme", False),
        ("_", "a", False),
        ("a_me", "acme", False),
        ("a%", "acme", False),
        ("*", "acme", False),
        ("Acme", "acme", False),
        ("web", "acme/web", False),
    ],
)
def test_r11_scopes_match_by_whole_segments(wider: str, scope: str, *, applies: bool) -> None:
    """R11: never by text prefix or pattern; ``%`` and ``_`` are letters."""
    assert covers(wider, scope) is applies
    assert (wider in chain(scope)) is applies


@given(SCOPES, SCOPES)
def test_r11_a_reader_sees_exactly_the_prefixes_by_segment(wider: str, scope: str) -> None:
    """R11: covers, chain and the segments agree."""
    parts = as_parts(wider)
    expected = as_parts(scope)[: len(parts)] == parts
    assert covers(wider, scope) == expected
    assert (wider in chain(scope)) == expected


@given(SCOPES)
def test_r11_the_chain_goes_from_the_narrowest_to_everywhere(scope: str) -> None:
    """R11: the narrowest scope is asked first."""
    seen = chain(scope)
    assert (seen[0], seen[-1]) == (scope, "")
    assert [len(as_parts(each)) for each in seen] == list(range(len(as_parts(scope)), -1, -1))


@pytest.mark.parametrize("scope", ["/", "a/", "/a", "a//b", " ", "a/ /b", "a\nb", "a/\x00", "a\u202eb", 7, None])
def test_r11_what_is_no_path_is_refused(scope: str) -> None:
    """R11: segments are non-empty and printable; nothing is repaired silently."""
    with pytest.raises(InvalidArgument) as caught:
        checked(scope)
    assert caught.value.field == "scope"


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("  New   York ", "new york", True),
        ("STRASSE", "straße", True),
        ("ﬁt", "fit", True),
        ("a\tb\nc", "A B C", True),
        ("caf\u00e9", "cafe\u0301", True),
        ("\uff11\uff12", "12", True),
        ("yes", "no", False),
        ("12", "12.0", False),
        ("cafe", "café", False),
        ("a b", "ab", False),
    ],
)
def test_r21_values_are_compared_in_normal_form(one: str, other: str, *, same: bool) -> None:
    """R21: case, white space and compatibility forms don't make another value; everything else does."""
    assert (normal(one) == normal(other)) is same


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_r21_white_space_around_a_value_means_nothing(value: str) -> None:
    """R21: spelling a value with more space around it is the same value."""
    assert normal(value) == normal(f" {value}\n")


@pytest.mark.parametrize(
    ("value", "text"), [(True, "true"), (False, "false"), (12, "12"), (1.5, "1.5"), ("True", "True"), ("", "")]
)
def test_r1_values_are_kept_as_written(value: str | float, text: str) -> None:
    """R1: numbers as written, truth as true and false."""
    assert plain(value) == text


def test_r1_a_slot_is_entity_attribute_and_object() -> None:
    """R1: the subject is the default entity; the parts make the identity, the value doesn't."""
    slot = Slot(" food.opinion ", object=" sushi ", value=" likes ")
    assert slot.key == SlotKey(entity=SELF, attribute="food.opinion", object="sushi")
    assert slot.value == "likes"
    assert str(slot.key) == "user / food.opinion[sushi]"
    assert Slot("home.city", value="x").key == Slot("home.city", value="y").key
    assert Slot("school", entity="daughter").key != Slot("school").key


def test_r1_a_slot_may_be_asked_for_without_a_value() -> None:
    """R1: zero and false are values; none is a question."""
    assert Slot("home.city").value is None
    assert Slot("pets", value=0).value == "0"
    assert Slot("smokes", value=False).value == "false"


def test_r11_unset_is_not_the_absence_of_a_value() -> None:
    """R11: unset masks; a slot can't be unset and have a value."""
    assert Slot("home.city", unset=True).unset
    assert not Slot("home.city").unset
    with pytest.raises(InvalidArgument):
        Slot("home.city", value="Berlin", unset=True)


@pytest.mark.parametrize(
    "bad", [{"attribute": ""}, {"attribute": " "}, {"attribute": "a", "entity": ""}, {"attribute": "a", "value": " "}]
)
def test_r1_empty_parts_are_refused(bad: dict[str, str]) -> None:
    """R1: a part that is there says something."""
    with pytest.raises(InvalidArgument) as caught:
        Slot(**bad)  # type: ignore[arg-type]
    assert caught.value.field.startswith("slot.")


def test_r48_a_slot_never_prints_its_value() -> None:
    """R48: values don't reach a log by accident."""
    assert "Berlin" not in repr(Slot("home.city", value="Berlin"))
