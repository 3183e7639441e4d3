"""What a wish to forget names, as names of the policy and telling words (R27, R31). Pure: nothing is read from a store."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, cast

from stead.extract.proposal import EVERYTHING, HERE
from stead.model.words import tokens
from stead.policy.policy import Policy

_SAYS_NOTHING: Final = frozenset(tokens(
    "thing things stuff part bit one idea matter topic subject everything anything something all data info information"
    " detail details fact facts note notes record records memory memories said told mentioned say tell mention know knew"
    " known stored saved remember please ever never whole entire business"
)) | frozenset(tokens("that this it these those such"))  # fmt: skip
_FORMER: Final = frozenset(tokens("old former previous past ex earlier"))
_ME: Final = re.compile(
    r"(?:all (?:of )?)?(?:what you know|me|us|myself|ourselves|who i am|my (?:whole |entire )?life|my person|them|"
    r"themselves|him|her|the user|my (?:data|information))(?: personally)?"
)
_ASKS: Final = re.compile(r"(?:where|who|how|which|when|what) ")
_UNFILED: Final = "general"


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """What is to be forgotten; with nothing set it is "that": what was said just before."""

    everything: bool = False
    here: bool = False
    """All of this conversation."""
    categories: tuple[str, ...] = ()
    attributes: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()
    """The stems that a claim with its slot must have, all of them."""
    former: bool = False
    """"My old address": what holds no more, if there is such a thing."""

    @property
    def that(self) -> bool:
        """Tell whether only the conversation can say what is meant."""
        return not (self.everything or self.here or self.categories or self.attributes or self.words)

    @property
    def filed(self) -> bool:
        """Tell whether the policy has a name for it."""
        return bool(self.categories or self.attributes)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Vocabulary:
    """The stems by which people speak of what a policy names."""

    categories: Mapping[str, frozenset[str]]
    names: Mapping[str, frozenset[str]]
    asked: Mapping[str, frozenset[str]]


def topic(policy: Policy, about: str) -> Topic:
    """Return what some words name: "my job", "where I live", "the sailboat", "everything".

    A name of the policy is selected where it, its terms or the ways of asking for it have all the telling words. A question
    ("where I live") that the policy has a name for means that name only: its verb is no word to look for elsewhere.

    Parameters
    ----------
    policy
        Whose categories and attributes can be meant.
    about
        As the request has it; empty for "that".
    """
    low = " ".join(about.lower().replace("\u2019", "'").split())
    if low == EVERYTHING or _ME.fullmatch(low):
        return Topic(everything=True)
    if low == HERE:
        return Topic(here=True)
    said = frozenset(tokens(about)) - _SAYS_NOTHING if low else frozenset[str]()
    words = said - _FORMER or said
    if not words:
        return Topic()
    categories, attributes = _named(policy, words)
    asks = bool(_ASKS.match(low)) and bool(categories or attributes)
    return Topic(
        categories=categories, attributes=attributes, words=frozenset() if asks else words, former=words != said
    )  # fmt: skip


def _named(policy: Policy, words: frozenset[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the categories and attributes that have all of the words; the nearest kind of name is enough."""
    known = _vocabulary(policy)
    categories = _having(known.categories, words)
    within = [name for name, each in policy.attributes.items() if each.category in categories]
    named = _having(known.names, words)
    asked = () if categories or named else _having(known.asked, words)
    return categories, tuple(sorted({*within, *named, *asked}))


def _having(stems: Mapping[str, frozenset[str]], words: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(name for name, each in stems.items() if words <= each))


def _vocabulary(policy: Policy) -> _Vocabulary:
    kept = policy.kept.get("topics")
    if kept is None:
        kept = policy.kept["topics"] = _Vocabulary(
            categories={
                name: _stems([name, *each.terms]) for name, each in policy.categories.items() if name != _UNFILED
            },
            names={name: _stems([name]) for name in policy.attributes},
            asked={name: _stems([name, *each.terms]) for name, each in policy.attributes.items()},
        )
    return cast("_Vocabulary", kept)


def _stems(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(tokens(" ".join(texts).replace(".", " ").replace("_", " ")))


def says_all(words: frozenset[str], own: str, beside: Iterable[str]) -> bool:
    """Tell whether a text has all of some words; those by which people ask for it help, if one word is its own.

    Parameters
    ----------
    words
        Stems.
    own
        A claim with what its slot says.
    beside
        The name of its slot and the words by which people ask for it.
    """
    mine = frozenset(tokens(own))
    return not words.isdisjoint(mine) and words <= mine | _stems(beside)
