"""How claims are read: names, relative clauses, order, other words, states, claims of two statements (R21, R24)."""

from __future__ import annotations

from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest
import yaml

from stead.resolve.text import Frame, Kind, compare, read
from stead.resolve.text.conjoined import statements
from stead.resolve.text.relations import asked_as, belonging, same_question
from stead.resolve.text.verbs import participle, with_particle

DATA = Path(__file__).parent / "data" / "resolution"


def load(name: str) -> Any:
    return yaml.safe_load((DATA / name).read_text(encoding="utf-8"))


def asked(claim: str) -> tuple[str, str, str] | None:
    """Return the question with one answer that a claim answers, and the answer; None: it answers none."""
    frame = read(claim)
    return (frame.entity, frame.relation, frame.value) if frame is not None and frame.single else None


def kind(old: str, new: str) -> str:
    return compare(old, new).kind.value


# --- one question, however it is put (R24) -------------------------------------------------------------------------------


@pytest.mark.parametrize("fact", load("one_question.yaml"))
def test_r24_one_question_has_one_key_however_it_is_put(fact: str) -> None:
    group = load("one_question.yaml")[fact]
    one, other = group["values"]
    assert len({frame.key for claim in group["claims"] if (frame := read(claim.format(one))) is not None}) == 1
    for old, new in product(group["claims"], repeat=2):
        assert compare(old.format(one), new.format(other)).kind is Kind.CONTRADICTS, (old, new)


def test_r24_what_can_be_true_at_once_is_left_alone() -> None:
    facts = load("many_answers.yaml")
    assert len(facts) >= 250
    assert [(old, new) for old, new in permutations(facts, 2) if compare(old, new).kind is Kind.CONTRADICTS] == []


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        # relative clauses: the noun asks, or its verb does
        ("The person who wrote Dune is Frank Herbert", ("dune", "author", "frank herbert")),
        ("The company that Tom works for is Acme", ("tom", "work at", "acme")),
        ("The city I live in is Graz", ("user", "live in", "graz")),
        ("The school my son attends is Elmwood", ("son", "study at", "elmwood")),
        ("The position that Eva plays is goalkeeper", ("eva", "play position", "goalkeeper")),
        ("The type of music that Norrland plays is jazz", ("norrland", "play music", "jazz")),
        ("The country in which chess was invented is Norland", ("chess", "be invented in (country)", "norland")),
        ("The year Acme was founded is 1988", ("acme", "be founded in (date)", "1988")),
        ("Vienna is where Eva Kern died", ("eva kern", "die in", "vienna")),
        ("Acme is the company that makes the Vireo 5", ("vireo 5", "maker", "acme")),
        ("The colour I like best is blue", ("user", "favorite color", "blue")),
        # titles keep their words
        ('The author of "Who Stole the River?" is Ada Finch', ("who stole river", "author", "ada finch")),
        ("The author of If Morning Fails is Ada Finch", ("if morning fails", "author", "ada finch")),
        ("Who Stole the River was written by Ada Finch", ("who stole river", "author", "ada finch")),
        ("The Sea Is Not Far was written by Ada Finch", ("sea is not far", "author", "ada finch")),
        ("Guess Again! is hosted by Ada Finch", ("guess again", "host", "ada finch")),
        # order
        ("It was in 1902 that Harwell College was founded", ("harwell college", "be founded in (date)", "1902")),
        ("It was Tom Reed who founded Acme", ("acme", "founder", "tom reed")),
        ("There are three nodes in the search cluster", ("search cluster", "have how many", "3")),
        ("Acme, a maker of pumps, is headquartered in Oslo", ("acme", "headquarters", "oslo")),
        ("Nora, my daughter, is nine years old", ("daughter nora", "age", "9")),
        ("Acme, founded by Tom Reed", ("acme", "founder", "tom reed")),
        ("Dune, a novel by Frank Herbert", ("dune", "author", "frank herbert")),
        ("In Norland, the capital is Vik", ("capital", "be", "vik")),
        ("The report has to be finished by Friday", ("report", "deadline", "friday")),
        # other words
        ("Dune is a 1965 novel written by Frank Herbert", ("dune", "author", "frank herbert")),
        ("Tom Reed was elected mayor of Graz", ("graz", "mayor", "tom reed")),
        ("Tom Reed took over as CEO of Acme", ("acme", "ceo", "tom reed")),
        ("Acme has its headquarters in Oslo", ("acme", "headquarters", "oslo")),
        ("Acme has an allergy", None),
        ("My home is in Graz", ("user", "live in", "graz")),
        ("We host the API in Dublin", ("api", "be located in", "dublin")),
        ("We named our dog Rex", ("dog", "name", "rex")),
        ("Biscuit is the name of our only dog", ("dog", "name", "biscuit")),
        ("Ines manages me", ("user", "boss", "ines")),
        ("Rob is assigned to ticket ABC-17", ("abc-17", "assignee", "rob")),
        ("The name of the prime minister of Norland is Eva Kern", ("norland", "prime minister", "eva kern")),
        ("My landlord's name is Tom Reed", ("user", "landlord", "tom reed")),
        ("The Iron Tower can be found in Strand", ("iron tower", "be located in", "strand")),
        ("Eva Kern is best known for The Silent Sea", ("eva kern", "be best known for", "silent sea")),
        ("Eva Kern is a poet by profession", ("eva kern", "work as (kind)", "poet")),
        ("Low Tide is the sequel to High Water", ("low tide", "be sequel to", "high water")),
        # shapes
        ("Is on the Basic plan", ("user", "plan", "basic")),
        ("Follows a vegan diet", ("user", "diet", "vegan")),
        ("Takes the bus to work", ("user", "commute by", "bus")),
        ("Walks to work", ("user", "commute by", "foot")),
        ("The API uses Postgres 14", ("api", "use postgres", "14")),
        ("Sits at desk 14", ("user", "sit desk", "14")),
        ("The phone has a 4,000 mAh battery", ("phone", "have mah battery", "4000")),
        ("Ticket ABC-17 has priority high", ("abc-17", "priority", "high")),
        ("Acme has a staff of 40", ("acme", "staff", "40")),
        ("Eva Kern has green eyes", ("eva kern", "eye color", "green")),
        ("Eva Kern holds citizenship of Norland", ("eva kern", "citizenship", "norland")),
        ("The plumber comes every Tuesday", ("plumber", "come (weekday)", "tuesday")),
        ("Tom comes every Tuesday", None),
        ("Mount Vik rises to 2,400 metres", ("mount vik", "height (m)", "2400 m")),
        ("The tower measures 200 m in height", ("tower", "height (m)", "200 m")),
        ("Pays 900 euros in rent every month", ("user", "rent (eur)", "900 eur")),
        ("Customers pay $39 per month for the Pro plan", ("pro plan", "price (usd)", "39 usd")),
        ("My son goes to Elmwood School", ("son", "study at", "elmwood school")),
        ("The API runs in eu-west-1", ("api", "region", "eu-west-1")),
        ("Turned 34 last week", ("user", "age", "34")),
        ("The log level is set to debug", ("log level", "be", "debug")),
        ("The sport of Eva Kern is rowing", ("eva kern", "sport", "rowing")),
        ("Wakes up at half past six", ("user", "wake up at (clock)", "06:30")),
        ("Wakes up at quarter to seven", ("user", "wake up at (clock)", "06:45")),
    ],
)
def test_r24_the_question_is_read_from_the_shape_of_the_sentence(
    claim: str, expected: tuple[str, str, str] | None
) -> None:
    assert asked(claim) == expected


@pytest.mark.parametrize(
    "claim",
    [
        "A suburb of Kelm is Norrfield",
        "One of my hobbies is chess",
        "The cities I have lived in are Kelm and Graz",
        "The person who wrote Dune is tall",
        "The doctor who treated Tom was Anna Lund",
        "Kelm is famous for its cheese",
        "Visited the city of Graz",
        "Also works at Apex",
        "Works at Apex as well",
        "Plays the cello too",
        "The CEO of Acme is on vacation",
        "Eva Kern was educated at Kelm University",
        "If Tom Reed moves, Ida stays",
        "My grandmother is over ninety",
    ],
)
def test_r24_what_leaves_room_for_more_asks_for_no_one_answer(claim: str) -> None:
    assert asked(claim) is None


def test_r24_places_of_several_kinds_answer_several_questions() -> None:
    keys = [read(f"Kelm is located in the {kind_} of Sorn") for kind_ in ("city", "state", "country", "continent")]
    assert len({frame.relation for frame in keys if frame is not None}) == 4


def test_r24_speech_in_quotes_is_no_title() -> None:
    assert read('Tom said "Lives in Rome"') is None
    assert read('The author of "Dune is Frank Herbert') is None
    assert read('Tom wrote "the lamp is red"') is None


# --- states (R21) --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("Order 48213 has not shipped yet", "Order 48213 has been shipped", "contradicts"),
        ("Order 48213 has not shipped yet", "Order 48231 has been shipped", "unrelated"),
        ("The contract has been signed", "The contract has not been signed yet", "contradicts"),
        ("The invoice is paid", "The invoice is unpaid", "contradicts"),
        ("The show has been renewed for a third season", "The show was cancelled after two seasons", "contradicts"),
        ("The show was renewed in 2019", "The show was cancelled in 2021", "unrelated"),
        ("The item is in stock", "The item is sold out", "contradicts"),
        ("The item is out of stock", "The item is sold out", "same"),
        ("The ticket costs 30 euros", "Entry to the museum is free", "unrelated"),
        ("The museum charges 8 euros for entry", "Entry to the museum is free", "contradicts"),
        ("Tom has retired", "Tom works full-time", "contradicts"),
        ("Tom is retired", "Tom works in the garden", "unrelated"),
        ("Is vegan", "Eats cheese", "contradicts"),
        ("Is vegetarian", "Eats cheese", "unrelated"),
        ("Is a strict vegetarian", "Eats beef", "contradicts"),
        ("Ana Belmonte is still alive", "Ana Belmonte passed away on Sunday", "contradicts"),
        ("The lamp is on", "The lamp has been turned off", "contradicts"),
        ("Is allergic to nuts", "Tests showed that there is no nut allergy", "contradicts"),
        ("Has a nut allergy", "Tests showed there is no nut allergy", "contradicts"),
        ("Fatima is a member of the payments team", "Fatima isn't on the payments team any longer", "contradicts"),
        ("My sister Carla is single", "My sister Carla got married on Saturday", "contradicts"),
        ("Goes running before breakfast", "Stopped running because of the knee", "contradicts"),
        ("The API is written in Go", "We rewrote the API from Go to Rust", "contradicts"),
    ],
)
def test_r21_a_state_ends_where_its_opposite_is_said(old: str, new: str, expected: str) -> None:
    assert kind(old, new) == expected


# --- two statements in one claim (R21) -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "parts"),
    [
        ("The flight is late and lands at 20:05", ("The flight is late", "The flight lands at 20:05")),
        ("Tom quit Acme; he works at Apex", ("Tom quit Acme", "Tom works at Apex")),
        ("Tom quit Acme and now works at Apex", ("Tom quit Acme", "Tom now works at Apex")),
        ("Lives in Graz and works at Acme", ("Lives in Graz", "works at Acme")),
        ("The lamp is on, but the heater is off", ("The lamp is on", "the heater is off")),
        ("Tom likes tea and coffee", ()),
        ("Tom might move and works at Acme", ()),
        ("Does Tom work and does he live here?", ()),
        ("Hello", ()),
    ],
)
def test_r21_a_claim_of_two_statements_is_taken_apart(claim: str, parts: tuple[str, ...]) -> None:
    assert statements(claim) == parts


def test_r21_a_part_of_the_new_claim_may_contradict_and_an_old_part_is_never_taken_away_alone() -> None:
    assert kind("The flight lands at 18:20", "The flight is late and lands at 20:05") == "contradicts"
    assert kind("The flight is late and lands at 18:20", "The flight lands at 20:05") == "unrelated"
    assert kind("The kettle is red and holds 2 l", "The kettle holds 2 l") == "coarser"
    assert kind("The kettle holds 2 l", "The kettle is red and holds 2 l") == "refines"
    assert kind("The kettle is red and holds 2 l", "The lamp is red and costs 5 euros") == "unrelated"


def test_r21_also_takes_nothing_away() -> None:
    assert kind("Works at Acme", "Also works at Apex") == "unrelated"
    assert kind("Also works at Apex", "Works at Acme") == "unrelated"
    assert kind("Works at Acme", "Works at Apex now") == "contradicts"


def test_r21_what_stands_beside_the_subject_is_a_detail() -> None:
    assert kind("Acme is headquartered in Oslo", "Acme, a maker of pumps, is headquartered in Oslo") == "refines"
    assert kind("Kelm is located in Andesia", "Kelm is a town in Andesia") == "refines"


def test_r24_two_words_for_one_state_or_relation_are_one() -> None:
    assert kind("The meeting is in person", "The meeting is on-site") != "contradicts"
    assert same_question("birthplace") == "be born in"
    assert "birthplace" in asked_as("be born in")
    assert (belonging("citizen"), belonging("friend")) == ("citizenship", "")
    assert (with_particle("kick", "off"), with_particle("kick", "in")) == ("start", "")
    assert (participle("write"), participle("xyz")) == ("written", "")


def test_r24_read_gives_the_frame_of_a_plain_sentence_for_a_described_one() -> None:
    plain, described = read("Tom was born in Graz"), read("The city where Tom was born is Graz")
    assert plain == described == Frame(entity="tom", relation="be born in", object="", value="graz", single=True)


# --- small things that keep questions apart (R21, R24) -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("The standup is every day at 9", ("standup", "be at (clock)", "09:00")),
        ("The database is reachable at db.kelm.example", ("database", "be reachable at", "db.kelm.example")),
        ("The contract is worth 5000 euros", ("contract", "value (eur)", "5000 eur")),
        ("The thermostat is at 20 degrees", ("thermostat", "be at", "20")),
        ("Dinner is at 7", ("dinner", "be at (clock)", "07:00")),
        ("Goes by Sasha", ("user", "be called", "sasha")),
        ("Priya is the team lead", ("team lead", "be", "priya")),
        ("Priya is the lead of Platform", ("platform", "lead", "priya")),
        ("30 euros is the price of the ticket", ("ticket", "price (eur)", "30 eur")),
        ("Eva Kern is a pupil at Elmwood", ("eva kern", "study at", "elmwood")),
        ("The book Hollow Kings is by Ada Finch", ("hollow kings", "author", "ada finch")),
        ("We host the Atlas API in us-east-2, and nowhere else", ("atlas api", "be located in", "us-east-2")),
        ("The user's landlord is Tom Reed", ("user", "landlord", "tom reed")),
        ("User's landlord is Tom Reed", ("user", "landlord", "tom reed")),
        ("The user said that their landlord is Tom Reed", ("user", "landlord", "tom reed")),
        ("Lives in Graz, and no longer in Linz", ("user", "live in", "graz")),
        ("The API is not on port 80 but on port 8080", ("api", "port", "8080")),
        ("The budget is $5m", ("budget", "price (usd)", "5000000 usd")),
        ("The train leaves at 12 am", ("train", "leave at (clock)", "00:00")),
        ("The number of seats is twenty five", ("seat", "number", "25")),
        ("The novel that Ada Finch wrote is Hollow Kings", ("hollow kings", "author", "ada finch")),
        ("Married to Anna", ("user", "spouse", "anna")),
        ("These days Tom works at Acme", ("tom", "work at", "acme")),
        ("Works at Acme at the moment", ("user", "work at", "acme")),
        ("The landlord of the user is Tom", ("user", "landlord", "tom")),
        # what asks nothing
        ("Used to zzz", None),
        ("Is", None),
        ("She's a nurse", None),
        ("Tom and Anna like tea", None),
        ("Is the Basic plan", None),
        ("Pays attention", None),
        ("If Tom", None),
        ("Works at the school", None),
        ("Lives in a Bosch", None),
        ("Was moved to Graz", None),
        ("The person that I like is Tom", None),
        ("The man in black that Tom knows is Leo", None),
        ("The song that Ada plays is wonderful", None),
        ("The school my son likes tea", None),
        ("Works at night", None),
        ("Works on a grant for the museum", None),
        ("Was moved to tears by Tom", None),
        ("Does not speak the language of Finnish", None),
        ("Speaks the language of the 9", None),
        ("Does not use Vim as the editor", None),
        ("Does not prefer tea over coffee", None),
        ("The field that Ada does not work in is optics", None),
        ("The colour that Ada painted is blue", None),
        ("The lamp that Ada sits under is beautiful", None),
        ("The company that sells lamps is 5 km", None),
        ("The house near the river that Ada sold is Larch House", None),
        ("The one who is Tom", None),
        ("It is cold in the house", None),
        ("The cake has to be by the window by noon", None),
        ("Reached a height of 200 m", None),
        ("My is red", None),
        ("The is red", None),
        ("The list of Tom's friends for Anna is long", None),
        ("I cannot swim", None),
        ("Has been to Rome", None),
        ("Used to be a nurse", None),
        ("Used to be", None),
        ("Likes it like that", None),
        ("The school my son", None),
        ("Acme was owned by and for Tom", None),
    ],
)
def test_r24_small_words_decide_what_is_asked(claim: str, expected: tuple[str, str, str] | None) -> None:
    assert asked(claim) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("Plays chess since March with Tom", "Plays chess since April with Tom", "unrelated"),
        ("Is not hot", "Is not cold", "unrelated"),
        ("The room is not hot", "The room is not warm", "unrelated"),
        ("Prefers email to phone calls", "Prefers phone calls to email", "contradicts"),
        ("Eats meat", "Avoids meat", "contradicts"),
        ("Drinks wine", "Avoids wine", "contradicts"),
        ("Has a car", "Has to work on Sunday", "unrelated"),
        ("Tom's a nurse", "Tom's a welder", "unrelated"),
        ("Works at Acme", "Quit Acme", "contradicts"),
        ("Acme was formerly owned by Zeta", "Acme is owned by Omega", "unrelated"),
        ("Acme is partly owned by Zeta", "Acme is partly owned by Omega", "unrelated"),
        ("Dune was originally published by Larch", "Dune was published by Corvid", "contradicts"),
        ("The owner of the bar is Leo", "The owner of the bar is '", "unrelated"),
    ],
)
def test_r24_polarity_and_details_keep_claims_apart(old: str, new: str, expected: str) -> None:
    assert kind(old, new) == expected
