"""Facts said in other forms than somebody, a verb and a value: without "my", without a verb, of several, by the way (R24)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from stead.extract.proposal import Act
from stead.extract.rules import Extractor
from stead.model.period import from_datetime
from stead.policy import load

SUNDAY = from_datetime(datetime(2026, 3, 22, 9, tzinfo=UTC))
EXTRACT = Extractor(load().attributes)
NO_FACT = frozenset({"hypothetical", "question", "quote", "irony", "mood", "aside", "past_event"})


def facts(text: str) -> list[str]:
    found = [one for one in EXTRACT(text, said=SUNDAY, zone="Europe/Berlin") if one.slot and not one.traits & NO_FACT]
    return [f"{'end ' if one.act is Act.END else ''}{one.slot.key} = {one.slot.value}" for one in found if one.slot]


@pytest.mark.parametrize(("text", "expected"), [
    ("my better half works nights", ["better half / work.hours = nights"]),
    ("hubby's got asthma", ["hubby / health.condition[asthma] = asthma"]),
    ("the missus doesn't eat pork", ["missus / food.avoids[pork] = avoids"]),
    ("grandad has dementia", ["grandad / health.condition[dementia] = dementia"]),
    ("The baby's called Noah", ["user / household.child[Noah] = Noah"]),
    ("our Milo turns six on 4 June", ["Milo / person.birthday = 4 June"]),
    ("My dad, 81 and deaf as a post, has arthritis",
     ["dad / person.age = 81", "dad / health.disability = deaf", "dad / health.condition[arthritis] = arthritis"]),
    ("My sister, a nurse, lives in Cork", ["sister / work.role = nurse", "sister / home.city = Cork"]),
    ("the eldest (Finn) plays hockey", ["eldest / sport[hockey] = hockey", "user / household.child[Finn] = Finn"]),
    ("my daughter's in Year 4 and autistic",
     ["daughter / education.year = Year 4", "daughter / health.condition[autistic] = autistic"]),
    ("two nieces: Pia who's six and Mona (9)", ["Pia / person.age = six", "Mona / person.age = 9"]),
    ("neither of us eats pork", ["user / food.avoids[pork] = avoids"]),
    ("our other half has gout", ["other half / health.condition[gout] = gout"]),
    ("I saw my older brother. He has gout.", ["brother / health.condition[gout] = gout"]),
    ("my brother's been vegan for years", ["brother / food.diet = vegan"]),
    ("Mia, our youngest, hates broccoli",
     ["user / household.child[Mia] = Mia", "Mia / food.opinion[broccoli] = hates"]),
    ("my sister and her husband live in Leeds", ["sister / home.city = Leeds"]),
    ("I'm allergic to shellfish and so is my son",
     ["user / health.allergy[shellfish] = shellfish", "son / health.allergy[shellfish] = shellfish"]),
    ("I was at the hospital with my dad. He has gout.", ["dad / health.condition[gout] = gout"]),
    ("My mum and my brother came. She has gout.", ["mum / health.condition[gout] = gout"]),
])  # fmt: skip
def test_r24_people_of_the_household_are_known_by_many_words(text: str, expected: list[str]) -> None:
    assert facts(text) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("Forty-one and still single", ["user / person.age = Forty-one", "user / household.status = single"]),
    ("gone vegan this year", ["user / food.diet = vegan"]),
    ("half Danish, half Ghanaian", ["user / person.nationality = Danish"]),
    ("sertraline, 50 mg, every evening", ["user / health.medication[sertraline] = sertraline"]),
    ("on zofenopril 8 mg daily", ["user / health.medication[zofenopril] = zofenopril"]),
    ("I have polychondritis", ["user / health.condition[polychondritis] = polychondritis"]),
    ("Season ticket holder at Leeds United", ["user / team.favorite[Leeds United] = Leeds United"]),
    ("it's ze/hir for me", ["user / person.pronouns = ze/hir"]),
    ("Mechanic here", ["user / work.role = Mechanic"]),
    ("Quaker here, in case it matters for the speech", ["user / religion.faith = Quaker"]),
    ("two daughters here, Ida and Maja", ["user / household.child[Ida] = Ida", "user / household.child[Maja] = Maja"]),
    ("I'm a 40-year-old nurse", ["user / person.age = 40", "user / work.role = nurse"]),
    ("I'm a keen hiker", ["user / hobby[hike] = loves"]),
    ("I'm a guitarist", ["user / music.instrument[guitar] = guitar"]),
    ("skip the emojis", ["user / instruction.never[emojis] = emojis"]),
    ("I've been homemaker all my life", ["user / work.status = homemaker"]),
    ("no longer a vegetarian", ["end user / food.diet = vegetarian"]),
    ("I'm on the Pro plan, so it includes exports?", ["user / account.plan = Pro"]),
    ("got the diagnosis last week: ADHD", ["user / health.diagnosis[ADHD] = ADHD"]),
    ("been vegetarian since I was twelve", ["user / food.diet = vegetarian"]),
    ("no dairy and no wheat for me please",
     ["user / food.avoids[dairy] = avoids", "user / food.avoids[wheat] = avoids"]),
    ("writing my master's thesis on reefs at Utrecht",
     ["user / education.degree = master's", "user / education.school = Utrecht"]),
])  # fmt: skip
def test_r24_a_fragment_is_about_the_speaker(text: str, expected: list[str]) -> None:
    assert facts(text) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("fav band is Radiohead", ["user / music.opinion[Radiohead] = favorite"]),
    ("home is a flat in Leith", ["user / home.kind = flat", "user / home.city = Leith"]),
    ("my commute is a tram and then a walk", ["user / travel.mode = tram"]),
    ("Mondays are off for me", ["user / work.hours = Mondays"]),
    ("Sunday mornings are for tennis", ["user / schedule.routine[tennis] = Sunday mornings"]),
    ("work's hybrid", ["user / work.place = hybrid"]),
    ("our kitchen is kosher", ["user / food.diet = kosher"]),
    ("Everyone says Liz, only my mother says Elizabeth",
     ["user / person.nickname = Liz", "user / person.name = Elizabeth"]),
    ("It's shellfish I'm allergic to", ["user / health.allergy[shellfish] = shellfish"]),
    ("it's just me and the cat", ["user / pet[cat] = cat"]),
    ("Threema is where I actually read messages", ["user / contact.channel = Threema"]),
    ("anything by Bach, really", ["user / music.opinion[Bach] = loves"]),
    ("can't be doing with musicals", ["user / film.opinion[musicals] = hates"]),
    ("Beetroot is the work of the devil", ["user / food.opinion[Beetroot] = dislikes"]),
])  # fmt: skip
def test_r24_the_value_may_come_first(text: str, expected: list[str]) -> None:
    assert facts(text) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("I land in Oslo on 4 May", ["user / trip.destination = Oslo"]),
    ("I start at the observatory on 1 May", ["user / work.employer = the observatory"]),
    ("I'm standing in for Jo as team lead", ["user / work.role = team lead"]),
    ("I've joined a rowing club", ["user / sport[rowing] = rowing"]),
    ("I'm 1.75 m", ["user / biometric.feature[1.75 m] = 1.75 m"]),
    ("we own a very grumpy old cat", ["user / pet[cat] = cat"]),
    ("we rent a three-room flat with no lift", ["user / home.status = rent", "user / home.kind = three-room flat"]),
    ("We keep our docs in Notion and our tickets in Linear",
     ["user / tool.uses[Notion] = Notion", "user / tool.uses[Linear] = Linear"]),
    ("Karl and I split in May", ["end user / household.partner = Karl"]),
    ("my dog died last month", ["end user / pet[dog] = dog"]),
    ("we dropped Trello for Asana", ["end user / tool.uses[Trello] = Trello", "user / tool.uses[Asana] = Asana"]),
    ("People think I'm Dutch, but I'm Flemish", ["user / person.nationality = Flemish"]),
    ("Before you suggest anything, I'm a widow", ["user / household.status = widow"]),
    ("I'd rather take the train than a plane, even if it's slow", ["user / travel.mode = train"]),
    ("put Selma in cc, always", ["user / instruction.always[put Selma in cc] = put Selma in cc"]),
    ("I work nights so please no calls before noon",
     ["user / work.hours = nights", "user / instruction.never[calls before noon] = calls before noon"]),
])  # fmt: skip
def test_r24_the_same_with_other_verbs(text: str, expected: list[str]) -> None:
    assert facts(text) == expected


@pytest.mark.parametrize("text", [
    "picture this: I am your boss and I hate meetings",
    "picture this: I live in Rome and I hate pasta",
    "lol yes because nothing beats a fire drill at seven",
    "the wife in that novel has asthma and dies",
    "Mum's the word",
    "home is where the heart is",
    "Work is hard this week",
    "half English, half Spanish menus, how do I lay them out?",
    "everybody says Hi",
    "our Slack is down",
    "the car's a write-off",
    "Monday is for losers",
    "two kids in the story, Max and Mia, who find a dragon",
    "nobody here knows Java",
    "got the diagnosis for the car: dead alternator",
    "thirty, and still waiting for the bus",
    "We take the bus when it rains",
    "I kept the receipts",
    "I'm in a meeting with my friend Tom",
    "The heating of my flat in Lyon broke again.",
    "New here",
    "my dog passed the test",
    "my parrot died in the game",
    "I never got into Oxford",
    "I'm 180 cm from the wall",
    "half American half asleep",
    "it's red for everything",
    "Something like: hi, I'm Jo and I love tennis.",
    "No push alerts for me, a digest is plenty",
])  # fmt: skip
def test_r15_the_same_forms_of_something_else_say_nothing_of_the_speaker(text: str) -> None:
    assert [one for one in facts(text) if "instruction." not in one] == []


@pytest.mark.parametrize(("text", "act"), [
    ("cross out the vegan bit, my flatmate typed that", Act.TAKE_BACK),
    ("scrap what I said a minute ago about Thursday", Act.TAKE_BACK),
    ("don't hang on to my address, it's only for this parcel", Act.FORGET),
])  # fmt: skip
def test_r27_other_words_for_taking_back_and_forgetting(text: str, act: Act) -> None:
    assert [one.act for one in EXTRACT(text, said=SUNDAY, zone="Europe/Berlin")] == [act]


@pytest.mark.parametrize(
    "text", ["Our address is Baker & Sons, 8 Mill Road", "we go in our old Skoda, 2 adults 3 kids"]
)
def test_r15_not_every_number_after_a_name_is_an_age(text: str) -> None:
    assert "age" not in " ".join(facts(text))


def test_r24_a_claim_of_reworded_words_is_the_part_that_was_said() -> None:
    """R24: no claim speaks in the first person, and none is lost for a neighbour that does."""
    found = EXTRACT(
        "there's seven of us, my partner can't have nuts, and I'm trying to get fit", said=SUNDAY, zone="UTC"
    )
    assert [one.claim for one in found if one.slot and one.slot.key.attribute == "household.size"] == [
        "There's seven of them"
    ]
