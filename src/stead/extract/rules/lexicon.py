"""Small word lists: the kinds of things that templates name as ``{value:food}``, and the words of grammar."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final

RELATIVES: Final = frozenset(
    "daughter son wife husband partner girlfriend boyfriend fiancé fiance fiancée fiancee mother mom mum mama dad "
    "father papa brother sister grandma grandpa grandmother grandfather granddaughter grandson aunt uncle cousin "
    "niece nephew boss manager coworker co-worker colleague roommate flatmate housemate friend neighbor neighbour "
    "kid child baby toddler twin mother-in-law father-in-law sister-in-law brother-in-law son-in-law "
    "daughter-in-law stepson stepdaughter stepmother stepfather stepmom stepdad stepsister stepbrother ex ex-wife "
    "ex-husband mentor teacher doctor therapist landlord landlady assistant accountant lawyer godson goddaughter "
    "spouse supervisor client teenager nanny babysitter cleaner tutor coach nan gran hubby "
    "grandad granddad nana missus wifey godmother "
    "godfather half-brother half-sister teammate co-founder cofounder eldest oldest youngest".split()
)
OF_RELATIVES: Final = frozenset(
    "best old older younger little big eldest oldest youngest twin step close good dear new late elder middle "
    "baby kid half lovely".split()
)
_PLURAL_KIN: Final = frozenset(
    "parents in-laws inlaws folks kids children nephews nieces grandkids grandchildren "
    "stepkids stepchildren godparents friends grandparents siblings colleagues neighbors neighbours "
    "sons daughters brothers sisters twins boys girls".split()
)
KIN: Final = frozenset(
    "parents in-laws inlaws folks kids children grandparents siblings sons daughters brothers sisters twins boys girls".split()
)
"""People who are one entity together: "my kids go to Lakeside"."""
GROUPS: Final = _PLURAL_KIN | frozenset("team family company".split())

SOFT: Final = frozenset(
    "really just currently now still also actually always usually generally mostly mainly typically normally only "
    "already recently absolutely totally truly definitely honestly both all kinda quite pretty very so much "
    "personally primarily presently temporarily permanently simply even often regularly sincerely genuinely "
    "officially basically obviously certainly surely finally ever too particularly especially strictly "
    "exclusively nowadays strongly highly originally technically fully completely happily deeply literally "
    "sometimes occasionally".split()
)
SOFT_PAIRS: Final = frozenset(
    (
        ("hands", "down"), ("by", "far"), ("of", "course"), ("as", "well"), ("no", "doubt"), ("for", "sure"), ("at", "present"),
        ("right", "now"), ("for", "now"), ("more", "or"), ("in", "fact"), ("these", "days"), ("part", "time"), ("full", "time"),
        ("at", "least"), ("one", "day"),
    )
)  # fmt: skip
"""Words that together are read over, as `SOFT` are."""
OPENERS: Final = frozenset(
    "and but so well oh ah yes yeah yep yup no nope ok okay actually also btw hey hi hello anyway honestly plus "
    "then because , hmm um uh thanks thank right sure fyi ps wow haha lol look listen see basically ugh er eh "
    "though now still finally obviously although since as wait sorry oops correction that's absolutely definitely "
    "totally exactly cool great nice true personally currently generally usually today where that which normally "
    "- : please".split()
)
STOPS: Final = frozenset(
    "because since so but when while which who whom whose where though although if unless until than that whenever"
    " whereas cause cuz and or i we he she they you it whether how what why rather instead except besides "
    "despite is are was"
    " were am isn't aren't has had will would can could should may might did do does don't until till"
    ' , ; : ( ) ! ? . \u2026 \u2014 \u2013 - " / *'.split()
)
FOLLOW: Final = STOPS | frozenset(
    "pls plz twice once any longer everything for with at in on from by to of as about near since after before "
    "during within "
    "without anymore please too also now again there here outside around over under between through against like "
    "together instead right these this next last every most more then only myself ourselves not nor both all "
    "though tho lol haha btw yet still already today tonight tomorrow regardless full-time part-time fulltime "
    "remotely currently mostly actually specifically especially particularly professionally either".split()
)
TRAILING: Final = frozenset(
    "lately recently pls plz now too also though tho lol haha btw please yet still already anymore right again "
    "currently actually honestly here there today then nowadays instead either ok okay thanks thank you always "
    "usually generally by default myself regularly xd anyway well".split()
)
MOODS: Final = frozenset(
    "tired exhausted hungry thirsty sad happy stressed bored excited sleepy angry upset nervous anxious worried "
    "annoyed frustrated cold hot sick ill fine good great okay ok overwhelmed lonely grumpy drained busy confused "
    "lost proud grateful thankful glad relieved thrilled delighted disappointed embarrassed ready sorry late "
    "early sure afraid scared curious surprised shocked done jealous cranky hangover hungover starving freezing "
    "beat wiped knackered swamped down low blue miserable nauseous dizzy unwell restless impatient amazed touched "
    "moved honored honoured psyched pumped stoked bummed devastated heartbroken furious livid mad calm relaxed "
    "content".split()
)
_FOREIGN: Final = frozenset(
    "der die das und ist nicht ich ein eine mit auf für von zu im dem den wir sie wohne meine mein bin le la les "
    "et est pas je un une avec pour dans des du nous vous mon ma mes suis habite j'habite j'aime que qui sur el "
    "los las y es no yo una con por para en del mi mis soy vivo se me gusta como al het een niet ik van met voor "
    "op zijn mijn wij woon ben naar ook maar il lo gli e non io di che per sono mia abito della nel o os as um "
    "uma não eu moro em meu minha sou na da jag och är inte det som på med för mitt bor min jeg og er ikke til".split()
)
_ENGLISH: Final = frozenset(
    "the a an and is are am was were be been i i'm my me we our you your he she it they them his her this that "
    "these those of to in on at for from with by as not do does did have has had will would can could should if "
    "but or so no yes please what when where how why who there here about just like only always never use "
    "remember forget".split()
)
FOREIGN_ONLY: Final = (
    _FOREIGN - _ENGLISH - frozenset("die den no me y e o as se am was en es la le el per via mi os".split())
)
ENGLISH: Final = _ENGLISH


@cache
def _lists() -> Mapping[str, str]:
    return tomllib.loads((resources.files("stead.extract.rules") / "words.toml").read_text(encoding="utf-8"))


@cache
def things(name: str) -> frozenset[tuple[str, ...]] | None:
    """Return a word list by its name in templates: each entry as its words. None: there is no such list."""
    found = _lists().get(name)
    return None if found is None else frozenset(tuple(entry.split("|")) for entry in found.split())


@cache
def heads(name: str) -> frozenset[str]:
    """Return the last words of a list's entries."""
    return frozenset(entry[-1] for entry in things(name) or ())


def names() -> frozenset[str]:
    """Return the names of all word lists."""
    return frozenset(_lists())
