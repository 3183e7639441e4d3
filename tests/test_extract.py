"""Local extraction: what a turn proposes, in which shape, and what it never does (R15, R24, R27)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stead.extract.proposal import TRAITS, Act, Proposal
from stead.extract.rules import RELATIONS, Extractor, compile_says, grounded
from stead.model.period import from_datetime
from stead.model.record import Kind, Meaning
from stead.policy import load

ZONE = "Europe/Berlin"
MONDAY = from_datetime(datetime(2026, 9, 14, 7, tzinfo=UTC))
EXTRACT = Extractor(load().attributes)
AGAIN = Extractor(load().attributes)
NO_FACT = frozenset({"hypothetical", "question", "quote", "irony", "mood", "aside", "task_only", "past_event"})


@dataclass(frozen=True)
class Own:
    """An attribute of a user's own policy."""

    name: str
    says: tuple[str, ...]
    category: str = "general"
    cardinality: str = "one"
    values: tuple[str, ...] = ()


def heard(text: str, said: int = MONDAY) -> list[Proposal]:
    return EXTRACT(text, said=said, zone=ZONE)


def facts(text: str) -> list[str]:
    return [slot(one) for one in heard(text) if one.act is Act.SAY and not one.traits & NO_FACT]


def slot(one: Proposal) -> str:
    return f"{one.slot.key} = {one.slot.value}" if one.slot else one.claim


def only(text: str) -> Proposal:
    found = heard(text)
    assert len(found) == 1, [slot(one) for one in found]
    return found[0]


def wall(at: int | None) -> str | None:
    return None if at is None else datetime.fromtimestamp(at / 1e6, UTC).strftime("%Y-%m-%dT%H:%M")


@pytest.mark.parametrize(("text", "expected"), [
    ("I live in Lyon.", ["user / home.city = Lyon"]),
    ("i live in lyon", ["user / home.city = lyon"]),
    ("We\u2019re based in New York these days.", ["user / home.city = New York"]),
    ("I work at Brookfield Mills as a loom technician.",
     ["user / work.employer = Brookfield Mills", "user / work.role = loom technician"]),
    ("I'm a nurse and I live in Leeds.", ["user / work.role = nurse", "user / home.city = Leeds"]),
    ("Acme is my employer.", ["user / work.employer = Acme"]),
    ("My delivery address is 5 Mill Lane, York.", ["user / delivery.address = 5 Mill Lane, York"]),
    ("My birthday is on 12 May.", ["user / person.birthday = 12 May"]),
    ("I was born on 3 May 1987 in Porto.", ["user / person.birthday = 3 May 1987", "user / person.hometown = Porto"]),
    ("I'm married to Tomas.", ["user / household.partner = Tomas"]),
    ("We have a dog named Biscuit.", ["user / pet[Biscuit] = dog"]),
    ("I code mostly in Go and TypeScript.", ["user / tool.language[Go] = Go", "user / tool.language[TypeScript] = TypeScript"]),
    ("Just moved to Leipzig!", ["user / home.city = Leipzig"]),
    ("I've been vegetarian for ten years.", ["user / food.diet = vegetarian"]),
])  # fmt: skip
def test_facts_of_the_speaker(text: str, expected: list[str]) -> None:
    assert facts(text) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("I love sushi, ramen and hiking in the mountains.",
     ["user / food.opinion[sushi] = loves", "user / food.opinion[ramen] = loves", "user / hobby[hiking] = loves"]),
    ("I don't like cilantro.", ["user / food.opinion[cilantro] = dislikes"]),
    ("I don't eat meat.", ["user / food.avoids[meat] = avoids"]),
    ("I can't stand loud music.", ["user / music.opinion[loud music] = hates"]),
    ("I prefer window seats.", ["user / travel.seat = window"]),
    ("I prefer tabs over spaces.", ["user / code.indent = tabs"]),
    ("Use [redacted: github_token] for the repo; I prefer squash merges.", ["user / code.merge = squash"]),
    ("I'd rather be contacted by email than by phone.", ["user / contact.channel = email"]),
    ("My favourite film is Amélie.", ["user / film.opinion[Amélie] = favorite"]),
    ("I love helping others.", ["user / opinion[helping others] = loves"]),
])  # fmt: skip
def test_preferences_with_polarity(text: str, expected: list[str]) -> None:
    assert facts(text) == expected
    assert {one.kind for one in heard(text)} <= {Kind.PREFERENCE, Kind.FACT}


@pytest.mark.parametrize(("text", "expected"), [
    ("My daughter Mia goes to Lakeside.", ["user / household.child[Mia] = Mia", "daughter / education.school = Lakeside"]),
    ("My brother lives in Toronto and works for Shopify.", ["brother / home.city = Toronto", "brother / work.employer = Shopify"]),
    ("Mia works as a nurse in Bonn.", ["Mia / work.role = nurse"]),
    ("My mom's birthday is June 3.", ["mom / person.birthday = June 3"]),
    ("My daughter is in second grade and she loves dinosaurs.",
     ["daughter / education.year = second grade", "daughter / opinion[dinosaurs] = loves"]),
    ("My manager is called Ingrid.", ["user / work.manager = Ingrid"]),
])  # fmt: skip
def test_other_people_are_the_entity(text: str, expected: list[str]) -> None:
    assert facts(text) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("Living in Porto now", ["user / home.city = Porto"]),
    ("Vegetarian here, so please keep that in mind.", ["user / food.diet = Vegetarian"]),
    ("Been coding in Rust lately", ["user / tool.language[Rust] = Rust"]),
    ("Vim user", ["user / tool.editor = Vim"]),
    ("aisle seat person", ["user / travel.seat = aisle"]),
    ("tea drinker", ["user / drink.usual = tea"]),
    ("big fan of ramen", ["user / food.opinion[ramen] = likes"]),
    ("Acme is where I work.", ["user / work.employer = Acme"]),
    ("What I drink is oat flat white.", ["user / drink.usual = oat flat white"]),
    ("It's Apex I work for", ["user / work.employer = Apex"]),
    ("The language I code in is Rust", ["user / tool.language[Rust] = Rust"]),
    ("My sister, who lives in Porto, is a vet", ["sister / home.city = Porto", "sister / work.role = vet"]),
    ("My wife and I are both teachers", ["user / work.role = teachers", "wife / work.role = teachers"]),
    ("I live in Lyon (France).", ["user / home.city = Lyon"]),
    ("name: Ana, city: Lyon", ["user / person.name = Ana", "user / home.city = Lyon"]),
    ("Every Sunday I call mum", ["user / schedule.routine[mum] = Every Sunday"]),
    ("Keep it short", ["user / output.length = short"]),
    ("No emojis", ["user / instruction.never[emojis] = emojis"]),
    ("I'd rather you answered in Spanish", ["user / language.answer = Spanish"]),
    ("It'd be great if you always replied in Polish", ["user / language.answer = Polish"]),
    ("olives are not my thing", ["user / food.opinion[olives] = dislikes"]),
    ("I won't be available on Thursday", ["user / schedule.away = won't be available"]),
    ("I love Radiohead", ["user / music.opinion[Radiohead] = loves"]),
    ("my kids do judo", ["kids / sport[judo] = judo"]),
    ("My kids won't eat vegetables", ["kids / food.avoids[vegetables] = avoids"]),
    ("Tuesday evenings I have Spanish class", ["user / schedule.routine[Spanish class] = Tuesday evenings"]),
    ("short answers, no emojis", ["user / output.length = short", "user / instruction.never[emojis] = emojis"]),
])  # fmt: skip
def test_the_same_said_in_another_order(text: str, expected: list[str]) -> None:
    """Nobody named, the value first, a label, a clause on a person: it is put plainly and read again."""
    assert sorted(one.lower() for one in facts(text)) == sorted(one.lower() for one in expected)


@pytest.mark.parametrize("text", [
    "Living in Porto must be great", "Is Acme where you work?", "Rome is where my aunt used to live", "Rome is where I'd like to live",
    "What I like about you is your patience", "It's you I love", "Same here!", "Not a problem", "Thanks for the tip", "Have a seat",
    "Single ticket to Rome please", "Keep up the good work", "Quick question: do vegans eat honey?", "Example: I live in Rome",
    "Client goes: I've got asthma and I don't do burpees.", "In another life I'm a carpenter", "had I been born in Norway, I'd ski better",
    "It's a nice reminder of why I started playing basketball", "I don't have a recipe.", "a table for four please", "Seat: taken",
    "my boss is annoying", "No need to be so polite", "I'm engaged in a project", "I'm at Anna's", "Playing drums when I was younger was fun", "Window seat or aisle?", "Don't let me forget the milk",
])  # fmt: skip
def test_no_fact_from_words_that_only_look_like_one(text: str) -> None:
    assert facts(text) == []


@pytest.mark.parametrize("text", [
    "If I lived in Rome, I'd eat pasta every day.", "What if I moved to Oslo next year?", "I wish I lived in Barcelona.",
    "Do you know where I live?", "Is it true that I work for Acme?", "Let's say I'm 30 and single.", "I might move to Spain one day.",
    "He said: I live in Rome.", "My boss says I'm lazy.", 'My neighbour told me "I live in Rome and I love it".',
    "My doctor says I have high blood pressure.", "Translate this: I live in a small house.",
    "Pretend I'm a doctor and I live in Boston.", 'How do I say "I am allergic to nuts" in Spanish?',
    "oh great, I just LOVE waiting", "Yeah right, I love doing taxes.", "I went to Rome last summer.", "I used to live in Madrid.",
    "Here's the letter, shorten it:\nI live in Rome and I love jazz.",
])  # fmt: skip
def test_no_fact_from_what_is_not_stated(text: str) -> None:
    assert facts(text) == []


@pytest.mark.parametrize("text", [
    "I like your answer.", "I'd love to hear more.", "I hate to bother you, but can you help?", "I love this song!",
    "I love it when a plan comes together.", "I love the view from here.", "Thanks, I appreciate it.", "I'm on my way.", "I have to go.",
    "I don't live in Paris.", "I'm not vegetarian.", "Always a pleasure!", "Never give up on your dreams!", "Don't worry.",
    "Ich wohne in Berlin und arbeite bei Siemens.", "J'habite à Lyon et je travaille chez Renault.", "我住在上海。", "", "   ", "?!",
])  # fmt: skip
def test_small_talk_and_other_languages_give_nothing(text: str) -> None:
    assert heard(text) == []


def test_a_mood_is_marked() -> None:
    """R15: a mood is dropped; the trait says why."""
    assert only("I'm so tired today, ugh.").traits == frozenset({"mood"})


@pytest.mark.parametrize("text", [
    "For this restaurant only: a low-sugar dessert, please.", "for this letter use formal paragraphs", "Just for tonight's order: no onions.",
    "This time only, use paragraphs.", "Today I want a window seat.",
])  # fmt: skip
def test_one_off_conditions_stay_in_the_task(text: str) -> None:
    """R15: what is needed for this task only is session state."""
    assert all("task_only" in one.traits and "standing" not in one.traits for one in heard(text)) and heard(text)
    assert not any(one.category == "health" for one in heard(text))


@pytest.mark.parametrize(("text", "expected", "claim"), [
    ("Always answer me in Dutch.", "user / language.answer = Dutch", "Always answer in Dutch"),
    ("From now on, use metric units.", "user / output.units = metric", "Use metric units"),
    ("Please don't use emojis.", "user / instruction.never[use emojis] = use emojis", "Never use emojis"),
    ("Can you please always answer in French?", "user / language.answer = French", "Always answer in French"),
    ("For future internal briefs, use concise bullet points.", "user / output.format[internal briefs] = concise bullet points",
     "For future internal briefs, use concise bullet points"),
    ("Whenever I ask for a recipe, use metric units.", "user / output.units = metric",
     "Whenever they ask for a recipe, use metric units"),
    ("I want you to always show me the diff first.", "user / instruction.always[show me the diff first] = show me the diff first",
     "Always show the user the diff first"),
])  # fmt: skip
def test_standing_instructions(text: str, expected: str, claim: str) -> None:
    one = only(text)
    assert (slot(one), one.claim, one.kind, one.traits) == (expected, claim, Kind.INSTRUCTION, frozenset({"standing"}))


def test_an_instruction_for_a_scope_is_changed_not_corrected() -> None:
    one = only("for all future internal briefs, paragraphs, not bullets")
    assert slot(one) == "user / output.format[internal briefs] = paragraphs"
    assert (one.act, one.meaning, one.replaces) == (Act.SAY, Meaning.CHANGED, "bullets")


@pytest.mark.parametrize(("text", "claim", "start", "end"), [
    ("I'll be away Wednesday through Friday.", "Will be away Wednesday through Friday", "2026-09-15T22:00", "2026-09-18T22:00"),
    ("I'm flying to Rome next week.", "Is flying to Rome", "2026-09-20T22:00", "2026-09-27T22:00"),
    ("My parents are visiting next weekend.", "Parents are visiting", "2026-09-25T22:00", "2026-09-27T22:00"),
])  # fmt: skip
def test_plans_have_their_interval(text: str, claim: str, start: str, end: str) -> None:
    one = only(text)
    assert (one.kind, one.claim, wall(one.valid_from), wall(one.valid_until)) == (Kind.PLAN, claim, start, end)
    assert "plan" in one.traits


def test_starts_ends_and_routines() -> None:
    moved = only("We moved to Nantes last month.")
    assert (moved.claim, wall(moved.valid_from), moved.valid_until) == ("Moved to Nantes", "2026-07-31T22:00", None)
    since = only("I've lived in Lyon since 2019.")
    assert (since.claim, wall(since.valid_from)) == ("Has lived in Lyon since 2019", "2018-12-31T23:00")
    assert only("I go to the gym every Tuesday.").recurs == "FREQ=WEEKLY;BYDAY=TU"
    left = only("I left Vodafone in June.")
    assert (left.act, slot(left), wall(left.valid_until)) == (
        Act.END,
        "user / work.employer = Vodafone",
        "2026-05-31T22:00",
    )
    assert only("I no longer work at Acme.").act is Act.END


@pytest.mark.parametrize(("text", "expected", "replaces"), [
    ("I made a typo: my birthday is on 21 May, not 12 May.", "user / person.birthday = 21 May", "12 May"),
    ("no, sorry: I'm allergic to penicillin, not amoxicillin", "user / health.allergy[penicillin] = penicillin", "amoxicillin"),
    ("Correction: I work at Intel.", "user / work.employer = Intel", None),
    ("I meant Apex, not Acme.", "Apex", "Acme"),
    ("I said Acme, but I meant Apex.", "Apex", "Acme"),
    ("It's Sara, not Sarah.", "Sara", "Sarah"),
    ("My name isn't Jon, it's John.", "John", "Jon"),
    ("Not Lyon but Lille.", "Lille", "Lyon"),
    ("sorry, 12 May not 21", "12 May", "21"),
    ("Not Acme, Apex", "Apex", "Acme"),
    ("*Apex", "Apex", None),
    ("I mean Apex", "Apex", None),
])  # fmt: skip
def test_corrections(text: str, expected: str, replaces: str | None) -> None:
    """R22: it was never true. Without an attribute in the turn the claim is the value itself."""
    one = only(text)
    assert (one.act, one.meaning, slot(one), one.replaces) == (Act.CORRECT, Meaning.CORRECTED, expected, replaces)


@pytest.mark.parametrize(("text", "about"), [
    ("forget what I told you about my job", "my job"), ("Please forget that.", ""), ("I never said that.", ""),
    ("I never told you about a sailboat. Forget it.", "a sailboat"), ("delete everything you know about me", "me"),
    ("Stop remembering anything about my job.", "my job"), ("Please forget my old address.", "my old address"),
    ("Delete all the stuff you've saved about me, please.", "me"), ("I never said I like tea.", "I like tea"),
    ("I\u2019d like you to forget everything about my sister\u2019s illness.", "my sister\u2019s illness"),
])  # fmt: skip
def test_the_wish_to_forget(text: str, about: str) -> None:
    """R27: it goes to erasure and is never a fact."""
    one = only(text)
    assert (one.act, one.about, one.slot) == (Act.FORGET, about, None)


@pytest.mark.parametrize(
    "text",
    [
        "Don't forget my appointment.",
        "I forgot my keys.",
        "Did you forget my name?",
        "Remove my name from the list.",
        "I'll never forget that trip.",
    ],
)
def test_what_is_no_wish_to_forget(text: str) -> None:
    assert not any(one.act in (Act.FORGET, Act.TAKE_BACK) for one in heard(text))


def test_taking_back() -> None:
    one = only("No wait, forget the Dutch thing, English is fine.")
    assert (one.act, one.about) == (Act.TAKE_BACK, "the Dutch thing")
    assert only("Scratch that, use the other one.").act is Act.TAKE_BACK
    assert only("Never mind.").act is Act.TAKE_BACK


def test_remembering_on_request() -> None:
    one = only("Please remember that I prefer invoices as PDF.")
    assert (slot(one), one.traits) == ("user / document.format[invoices] = PDF", frozenset({"remember"}))
    other = only("Please remember that I park at level -2, bay 14.")
    assert (other.slot, other.claim, other.traits) == (None, "Parks at level -2, bay 14", frozenset({"remember"}))
    assert heard("Remember when we went to Paris?") == [] or not facts("Remember when we went to Paris?")


def test_the_words_of_another_speaker_are_marked() -> None:
    found = EXTRACT("I live in Rome.", said=MONDAY, zone=ZONE, speaker="Caroline")
    assert [(slot(one), one.traits) for one in found] == [("Caroline / home.city = Rome", frozenset({"third_party"}))]


def test_an_own_attribute_needs_no_code() -> None:
    own: Mapping[str, Own] = {
        "x.boat": Own("x.boat", ("sail (a|an) {value:org}", "my boat is called {value:org}", "{value:org} is my boat")),
        "x.shift": Own("x.shift", ("work the {value} shift",), values=("early", "late")),
        "x.gym": Own("x.gym", ("since be in {value:org}", "{value:org} keeps me fit")),
        "x.tea": Own("x.tea", ("{likes} {object:drink}", "not drink {object:drink} -> avoids"), cardinality="many"),
    }
    extract = Extractor(own)
    got = {
        text: [slot(one) for one in extract(text, said=MONDAY, zone=ZONE)]
        for text in (
            "My boat is called Marlin.",
            "We sail a Hallberg.",
            "I work the late shift.",
            "I work the odd shift.",
            "I love oat milk.",
            "I never drink gin.",
            "I've been in Fitville for years.",
            "I'm in Fitville.",
            "Fitville keeps me fit.",
        )
    }
    assert got == {
        "My boat is called Marlin.": ["user / x.boat = Marlin"],
        "We sail a Hallberg.": ["user / x.boat = Hallberg"],
        "I work the late shift.": ["user / x.shift = late"],
        "I work the odd shift.": [],
        "I love oat milk.": ["user / x.tea[oat milk] = loves"],
        "I never drink gin.": ["user / x.tea[gin] = avoids"],
        "I've been in Fitville for years.": ["user / x.gym = Fitville"],
        "I'm in Fitville.": [],
        "Fitville keeps me fit.": ["user / x.gym = Fitville"],
    }


@pytest.mark.parametrize(("say", "why"), [
    ("live in {value:planet}", "unknown kind planet"), ("live in", "it needs {value}"), ("live (in {value}", "isn't closed"),
    ("{value} is", "begin with a verb"), ("live in {value} or {value}", "stands twice"), ("like {object} -> adores", "-> takes"),
    ("live in {values}", "has no name"), ("", "it says nothing"), ("be {value:values}", "needs a list `values`"),
])  # fmt: skip
def test_a_template_that_cannot_be_read_is_named(say: str, why: str) -> None:
    with pytest.raises(ValueError, match=r"attributes\.x\.y\.says") as raised:
        compile_says({"x.y": Own("x.y", (say,))})
    assert why in str(raised.value)


WORDS = st.sampled_from(
    'I my we live in work at Lyon Acme not no longer if said that love sushi and , . ? : ; " forget the thing meant remember please always never '
    "from now on don't birthday is 12 May next week every Tuesday daughter Mia she prefer tea over coffee for this order only moved to answer Dutch "
    "\u2019s ( ) — 42 a an was wish told you".split()
)


@pytest.mark.parametrize(("text", "expected"), [
    ("I'm flying to Lisbon soon.", ["user / trip.destination = Lisbon"]),
    ("I'm visiting my parents soon.", ["user / schedule.visit[parents] = parents"]),
    ("We're going to Rome at some point this year or next", ["user / trip.destination = Rome"]),
    ("I'll be in Paris one of these days", ["user / trip.destination = Paris"]),
    ("I'll be away for a bit.", ["user / schedule.away = away"]),
    ("I'll be away for a while.", ["user / schedule.away = away"]),
    ("I should visit Rome some day.", []), ("maybe I'll go to Rome soon", []), ("I'm not flying to Rome soon.", []),
])  # fmt: skip
def test_a_plan_for_no_time_that_can_be_told_is_asked_about(text: str, expected: list[str]) -> None:
    found = heard(text)
    assert [f"{slot(one)}" for one in found] == expected
    for one in found:
        assert one.kind is Kind.PLAN and {"plan", "unresolved_time"} <= one.traits and "aside" not in one.traits
        assert (one.valid_from, one.valid_until, one.recurs) == (None, None, None)


@pytest.mark.parametrize(("text", "expected"), [
    ("I use Firefox on Linux Mint, can't print", ["user / tool.browser = Firefox", "user / tool.os = Linux Mint"]),
    ("I love hiking, hate camping.", ["user / hobby[hiking] = loves", "user / opinion[camping] = hates"]),
    ("My phone number's changed, it's +31 6 1234 5678 now.", ["user / contact.phone = +31 6 1234 5678"]),
    ("My parents live in Split, my brother's in Zagreb.", ["parents / home.city = Split", "brother / home.city = Zagreb"]),
    ("I report to Annika, she's based in Lund.", ["user / work.manager = Annika", "Annika / home.city = Lund"]),
    ("mum turns 70 in April and she loves gardening, any present ideas?", ["mum / hobby[gardening] = loves"]),
    ("my favourite colour's teal, if that helps", ["user / color.favorite = teal"]),
    ("I love the self-acceptance and love theme", []),
])  # fmt: skip
def test_what_is_said_in_one_breath(text: str, expected: list[str]) -> None:
    assert facts(text) == expected


def test_a_claim_spells_i_am_as_one_word() -> None:
    assert [one.claim for one in heard("for this letter I'm the landlord")] == ["For this letter they're the landlord"]


@settings(max_examples=200, deadline=None)
@given(st.one_of(st.lists(WORDS, max_size=40).map(" ".join), st.text(max_size=200)))
def test_everything_is_grounded(text: str) -> None:
    """R24: value, object and entity stand in the turn, and the span covers them; nothing is invented."""
    for one in heard(text):
        assert grounded(one, text)
        assert one.traits <= TRAITS
        assert one.claim and text[slice(*one.span)].strip()
        if one.slot and one.slot.value not in RELATIONS:
            assert " ".join(str(one.slot.value).lower().split()) in " ".join(text[slice(*one.span)].lower().split())


@pytest.mark.parametrize(
    "text",
    [
        "n't eat gluten.",
        "I to",
        "my",
        "'s",
        "I'm n't",
        "and and",
        "I like",
        "to be",
        "not but",
        "I meant",
        "my wife 's",
        "Mia's",
    ],
)
def test_scraps_are_read_without_harm(text: str) -> None:
    assert all(grounded(one, text) for one in heard(text))


@settings(max_examples=60, deadline=None)
@given(st.lists(WORDS, max_size=30).map(" ".join))
def test_the_same_words_give_the_same_proposals(text: str) -> None:
    """R51: deterministic, and independent of what was read before."""
    again = AGAIN(text, said=MONDAY, zone=ZONE)
    assert [(slot(one), replace(one, slot=None)) for one in heard(text)] == [
        (slot(one), replace(one, slot=None)) for one in again
    ]


@pytest.mark.parametrize("unit", [
    "I live in Lyon and ", "my ", "not but ", "please ", "no, wait, ", "I love a, b and c, ", '"', "forget everything about ", "(", "a",
    "I'm 5 ", "1-", "every Tuesday ", "\n", "I said ", "if ", "\u2019", "Mia's ",
])  # fmt: skip
def test_a_long_hostile_turn_is_read_in_time(unit: str) -> None:
    text = (unit * (65_536 // len(unit)))[:65_536]
    began = time.perf_counter()
    assert len(heard(text)) <= 20
    assert time.perf_counter() - began < 3  # under one second on a free machine


@pytest.mark.parametrize(("text", "expected"), [
    ("I love capers, weird I know.", ["user / food.opinion[capers] = loves"]),
    ("We're eight people.", []),
    ("We're nine this year at the reunion.", []),
    ("My neighbour lives alone.", []),
    ("We've been with Vodafone for years.", []),
    ("I'm writing a novel in which Marta lives in Havana and hates her job.", ["user / project.current[novel] = novel"]),
    ("Our new intern is from Lisbon.", []),
    ("Add docstrings to this function.", []),
    ("Can you make me a meal plan? No mushrooms please.", []),
    ("Make me an omelette without mushrooms.", []),
    ("I have a headache every morning.", []),
    ("Never mention it.", []),
    ("I'm a Brighton fan.", []),
])  # fmt: skip
def test_no_more_is_claimed_than_was_said(text: str, expected: list[str]) -> None:
    assert facts(text) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("I play the cello in a quartet, rehearsals on Mondays.", ["user / music.instrument[cello] = cello"]),
    ("I love spicy food, the hotter the better.", ["user / food.opinion[spicy food] = loves"]),
    ("I love sushi, ramen, tacos.",
     ["user / food.opinion[sushi] = loves", "user / food.opinion[ramen] = loves", "user / food.opinion[tacos] = loves"]),
    ("I hate phone calls with a passion.", ["user / opinion[phone calls] = hates"]),
    ("I like dogs more than cats.", ["user / opinion[dogs] = likes"]),
    ("My blood type is A negative.", ["user / biometric.feature[A negative] = A negative"]),
    ("I'm a size 42 in shoes.", ["user / biometric.feature[42] = 42"]),
    ("I did my PhD in Uppsala.", ["user / education.degree = PhD"]),
    ("I did my PhD in physics.", ["user / education.degree = PhD", "user / education.field = physics"]),
    ("Don't book anything before 9 am.",
     ["user / instruction.never[book anything before 9 am] = book anything before 9 am"]),
    ('Never begin a mail with "I hope you are well".',
     ['user / instruction.never[begin a mail with "I hope you are well"] = begin a mail with "I hope you are well"']),
])  # fmt: skip
def test_r24_a_value_is_all_of_what_was_said_and_no_more(text: str, expected: list[str]) -> None:
    assert facts(text) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("I never fly with Ryanair.", []),
    ("I never fly.", ["user / travel.mode = avoids"]),
    ("I don't always drink tea.", []),
    ("I don't think I like jazz.", []),
    ("It's not true that I work for Bayer.", []),
    ("I gave up meat for Lent.", []),
    ("I gave up meat.", ["user / food.avoids[meat] = avoids"]),
    ("We're vegetarian on weekdays.", []),
    ("I have diabetes in the family.", []),
    ("I've been in Rome since Monday.", []),
    ("I've been in Rome since 2019.", ["user / home.city = Rome"]),
    ("I'm 1 of 5 siblings.", []),
    ("I'm 21 again.", []),
    ("I'm from HR.", []),
    ("I'm drinking tea.", []),
    ("I drink tea.", ["user / drink.usual = tea"]),
    ("I'm practically a doctor.", []),
    ("I work on a Framework laptop.", ["user / device.laptop = Framework laptop"]),
    ("The team uses Slack.", []),
    ("I always sit at the back.", []),
    ("I always sit at the back of the plane.", ["user / travel.seat = back"]),
    ("I've never liked coriander until now.", []),
    ("I've quit Facebook.", []),
    ("We left Hamburg and live in Bonn.", ["user / home.city = Bonn"]),
    ("My project is due on Friday.", ["user / project.deadline[project] = on Friday"]),
    ("I do meat-free Mondays.", []),
    ("I'm at university in Delft.", []),
    ("I start at 6 and finish at 2.", []),
    ("Please answer in complete sentences.", []),
])  # fmt: skip
def test_r15_what_words_do_not_bear_out_is_not_claimed(text: str, expected: list[str]) -> None:
    assert facts(text) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("My husband is Bayern, I'm Dortmund.", []),
    ("I'm Batman.", []),
    ("I'm Dutch-Indonesian.", []),
    ("We're Hindus.", ["user / religion.faith = Hindus"]),
    ("My son's teacher is called Herr Brandt.", []),
    ("My cat is 14 and only eats wet food.", []),
    ("My brother lives in Cork so calls only work in our mornings.", ["brother / home.city = Cork"]),
    ("My boss prefers slides over documents.", []),
    ("We go to Denmark every summer.", ["user / schedule.routine[Denmark] = every summer"]),
    ("My daughter goes to Lakeside.", ["daughter / education.school = Lakeside"]),
    ("I go to Lakeside School.", ["user / education.school = Lakeside School"]),
    ("I'd call my daughter Ida.", []),
    ("As a Dutch person I can confirm that.", ["user / person.nationality = Dutch"]),
])  # fmt: skip
def test_r24_whose_it_is_and_what_it_is(text: str, expected: list[str]) -> None:
    assert facts(text) == expected


@pytest.mark.parametrize(("text", "claims"), [
    ("My shift starts at 6 am.", ["Shift starts at 6 am"]),
    ("I have a dog and two cats.", ["Has a dog", "Has two cats"]),
    ("No gluten for me.", ["No gluten for them"]),
    ("I've an appointment with Dr. Weiss on 3 October.", ["Has an appointment with Dr. Weiss on 3 October"]),
])  # fmt: skip
def test_r24_a_claim_says_what_was_said(text: str, claims: list[str]) -> None:
    assert [one.claim for one in heard(text)] == claims


@pytest.mark.parametrize(("text", "since", "until"), [
    ("I'm divorced, two kids live with me half the week.", None, None),
    ("Vegan for 10 years now.", None, None),
    ("My laptop is a MacBook Air from 2020.", None, None),
    ("I've lived in Bonn since 2019.", "2018-12-31T23:00", None),
])  # fmt: skip
def test_r9_words_of_time_limit_what_they_are_said_of(text: str, since: str | None, until: str | None) -> None:
    one = only(text)
    assert (wall(one.valid_from), wall(one.valid_until)) == (since, until)


@pytest.mark.parametrize(("text", "act", "about"), [
    ("Remove my phone number, I don't want it stored.", Act.FORGET, "my phone number"),
    ("I'd appreciate it if you deleted my address.", Act.FORGET, "my address"),
    ("Would you mind forgetting my birthday?", Act.FORGET, "my birthday"),
    ("Could you forget that I told you about the divorce?", Act.FORGET, "the divorce"),
    ("Delete the bit about my knee, it's better now.", Act.FORGET, "my knee"),
    ("I don't want you to know where I live any more.", Act.FORGET, "where I live"),
    ("Please delete all my personal data.", Act.FORGET, "everything"),
    ("I want to be forgotten.", Act.FORGET, "everything"),
    ("Please forget this whole conversation.", Act.FORGET, "this conversation"),
    ("Sorry, wrong window, disregard.", Act.TAKE_BACK, ""),
    ("Please retract what I said about my boss.", Act.TAKE_BACK, "what I said about my boss"),
    ("Don't note that down after all.", Act.TAKE_BACK, ""),
])  # fmt: skip
def test_r27_wishes_to_forget_are_understood_however_polite(text: str, act: Act, about: str) -> None:
    one = only(text)
    assert (one.act, one.about) == (act, about)


@pytest.mark.parametrize("text", [
    "Delete the second paragraph.", "Remove the comma in the first sentence.", "Never mind, I found it.", "My savings are gone.",
    "I forgot my password.", "Delete the appointment on Friday.", "How do I delete my account on Facebook?",
])  # fmt: skip
def test_r27_other_removals_are_no_wish_to_forget(text: str) -> None:
    assert not [one for one in heard(text) if one.act in (Act.FORGET, Act.TAKE_BACK)]


def test_r15_what_is_told_off_the_record_is_no_fact() -> None:
    assert facts("I'm looking for a new job.") != []
    assert facts("Off the record: I'm looking for a new job. I work at Acme.") == []


def test_r24_the_same_is_proposed_once() -> None:
    assert facts("My name's Aleksandra, Ola for friends.") == ["user / person.name = Aleksandra"]


def test_a_wish_that_never_ends_is_read_in_time() -> None:
    started = time.process_time()
    assert heard("can you please just " * 25 + "erase") == []
    assert time.process_time() - started < 1
