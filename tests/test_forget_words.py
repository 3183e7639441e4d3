"""Which words ask that something stored be forgotten, what they are about, and which only sound like it (R27, R31)."""

from __future__ import annotations

import pytest

from stead.extract.proposal import Act
from stead.extract.rules import Extractor
from stead.extract.rules.takeback import wished, wished_of
from stead.memory.topics import says_all, topic
from stead.policy import load

POLICY = load()
EXTRACT = Extractor(POLICY.attributes)


def asked(text: str) -> list[str]:
    """Return what a turn plainly asks to forget; what only takes back words of the moment isn't in it."""
    found = EXTRACT(text, said=1_767_600_000_000_000, zone="UTC")
    return [
        each.about for each in found
        if each.act in (Act.FORGET, Act.TAKE_BACK) and wished(each.claim)
        and each.traits.isdisjoint({"question", "quote", "hypothetical", "irony"})
    ]  # fmt: skip


@pytest.mark.parametrize(("text", "about"), [
    # that
    ("Forget that.", ""), ("Please forget that.", ""), ("forget this please", ""), ("Can you forget that?", ""),
    ("I never said that.", ""), ("I've never said that!", ""), ("I never told you that.", ""),
    ("I didn't say that.", ""), ("That's not what I said.", ""), ("Forget it.", ""), ("Please forget it!", ""),
    ("forget what I told you", ""), ("Forget what I just said.", ""), ("Delete that, please.", ""),
    ("Forget all that.", ""), ("Don't remember that.", ""),
    # a topic
    ("I never told you about a sailboat.", "a sailboat"), ("I never told you about a sailboat. Forget it.", "a sailboat"),
    ("I never said I like tea.", "I like tea"), ("I never said that I live in Rome.", "I live in Rome"),
    ("I've never mentioned my knee.", "my knee"), ("Stop remembering anything about my job.", "my job"),
    ("stop storing things about my kids", "my kids"), ("No more storing things about my kids.", "my kids"),
    ("Quit keeping notes on my weight.", "my weight"), ("Delete everything you know about my health.", "my health"),
    ("Please delete what you know about my health", "my health"), ("forget everything I told you about my divorce", "my divorce"),
    ("Forget where I live.", "where I live"), ("Forget how old I am.", "how old I am"), ("Can you forget my address?", "my address"),
    ("Could you please forget my old phone number?", "my old phone number"), ("You can forget my birthday now.", "my birthday"),
    ("Please unlearn my salary.", "my salary"), ("Don't store anything about my religion.", "my religion"),
    ("Never keep any records about my debts.", "my debts"), ("Don't remember my phone number.", "my phone number"),
    ("My address should be deleted.", "My address"), ("Delete my address from your memory.", "my address"),
    ("Wipe my salary from your records.", "my salary"), ("Erase everything you have on my politics.", "my politics"),
    ("I'd like you to erase everything you have stored about my faith.", "my faith"),
    ("No wait, forget the Dutch thing.", "the Dutch thing"), ("What I said about my ex has no place in your notes.", None),
    ("my medication has no business in your memory", "my medication"), ("Remove all you know about Ben.", "Ben"),
    # everything, or this conversation
    ("Delete everything.", "everything"), ("forget everything", "everything"), ("Erase everything, please.", "everything"),
    ("Wipe everything.", "everything"), ("Forget everything you know about me.", "me"), ("Delete all you know about me.", "me"),
    ("delete everything I told you", "everything"), ("Erase your memory.", "everything"), ("Wipe your memory of me.", None),
    ("Delete all your memories.", "everything"), ("forget everything I just said", "this conversation"),
    ("Forget everything I said in this conversation.", "this conversation"),
])  # fmt: skip
def test_r27_what_asks_to_forget(text: str, about: str | None) -> None:
    """None: that it asks is enough."""
    found = asked(text)
    assert found == [about] if about is not None else len(found) <= 1


@pytest.mark.parametrize("text", [
    # other kinds of forgetting
    "Don't forget my appointment.", "don't forget that I'm vegetarian", "I forgot my keys.", "I forgot my password again",
    "remind me, I always forget", "I always forget my mother's birthday.", "Never forget that I'm vegetarian.",
    "I'll never forget that trip.", "I never forget a face.", "I keep forgetting his name", "Have I forgotten anything?",
    "Before I forget: I live in Lyon.", "Forgetting names is normal.", "She forgot to call me.", "Let me never forget this.",
    "I can't forget about her.", "I want to forget everything about last year.", "My grandmother is forgetful.",
    "Don't let me forget the milk.", "You forgot my name.", "He told me to forget it.",
    # idioms and take-backs of the moment
    "forget about it, let's move on", "Forget about it.", "Forget it, let's order pizza.", "Oh forget it, I'll do it myself.",
    "Never mind.", "never mind that", "Scratch that, use the other one.", "scratch that", "Let's forget that.",
    "Let's forget everything and start over.", "No wait, forget the Dutch thing, English is fine.", "Drop the marathon idea.",
    "Cancel the dentist thing.", "Ignore my last message.", "Skip the part about Rome.", "Disregard that.",
    # other things than memory
    "Remove my name from the list.", "Delete everything on the list.", "delete all", "Remove everything.",
    "Delete the last paragraph.", "Remove everything from the cart.", "Delete everything in the downloads folder.",
    "Erase the whiteboard.", "Wipe the table.", "Clear my calendar.", "Delete my old photos.", "Clear my memory.",
    "Stop sending me mails about my job.", "Don't keep me waiting.", "I never said a word to her.", "Remember my job.",
    # questions, quotes, what is only supposed
    "Did you forget my name?", "Did I tell you to forget my job?", "What happens if I say delete everything?",
    "What do you forget about me?", "Why did you delete everything you know about my job?",
    "If I asked you to forget my address, would you?", "What if I say: forget everything you know about me?",
    "If you forget my job, I'm lost.", 'She said "delete everything you know about my job".',
    "My boss said: \u201cforget everything about the merger\u201d.", "Do you ever forget what I told you about my job?",
])  # fmt: skip
def test_r27_what_only_sounds_like_it(text: str) -> None:
    assert asked(text) == []


@pytest.mark.parametrize(("claim", "about"), [
    ("Forget where I live", "where I live"), ("The user never said that they like tea", "they like tea"),
    ("The user denies having said that they live in Rome", "they live in Rome"),
    ("The user denies ever having told you about a sailboat", "a sailboat"), ("User asked to forget my job", "my job"),
    ("The customer asked you to forget everything you know about their health", "their health"),
    ("The user wants you to forget their birthday", "their birthday"),
    ("The user asked to delete their address", None), ("The user wants to delete his GitHub account", None),
    ("The user wants to forget about her ex", None), ("The user denies having a sailboat", None),
    ("He never told us about the merger", None), ("Never forgets a birthday", None), ("Delete my photos", None),
    ("Is told to forget everything", None), ("scratch that", None),
])  # fmt: skip
def test_r27_claims_of_a_caller(claim: str, about: str | None) -> None:
    """Where it isn't sure that memory is meant, nothing is erased: a claim is only turned away."""
    assert wished_of(claim) == about


# --- topics ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("about", "categories", "attributes"), [
    ("my job", {"work"}, {"work.employer", "work.role"}), ("my career", {"work"}, {"work.role"}),
    ("my health", {"health"}, {"health.condition"}), ("my illness", {"health"}, set()), ("my money", {"finance"}, set()),
    ("where I live", set(), {"home.city", "home.address"}), ("how old I am", set(), {"person.age"}),
    ("my birthday", set(), {"person.birthday"}), ("my name", set(), {"person.name"}), ("my email", set(), {"contact.email"}),
    ("my old address", set(), {"home.address", "delivery.address"}), ("my wife", set(), {"household.partner"}),
    ("my family", {"household"}, {"household.child"}), ("my diet", set(), {"food.diet"}),
    ("everything about my hobbies", {"leisure"}, {"hobby"}),
])  # fmt: skip
def test_r31_names_of_the_policy(about: str, categories: set[str], attributes: set[str]) -> None:
    found = topic(POLICY, about)
    assert set(found.categories) == categories
    assert set(found.attributes) >= attributes
    assert found.filed


@pytest.mark.parametrize(("about", "words"), [
    ("the sailboat", {"sailboat"}), ("my dog Rex", {"dog", "rex"}), ("I live in Rome", {"live", "rome"}),
    ("my job at Acme", {"job", "acm"}), ("the Dutch thing", {"dutch"}), ("my sister's illness", {"sister", "ill"}),
    ("everything I told you about Ben", {"ben"}),
])  # fmt: skip
def test_r31_words_that_tell(about: str, words: set[str]) -> None:
    found = topic(POLICY, about)
    assert (found.words, found.filed, found.that, found.everything) == (frozenset(words), False, False, False)


def test_r31_what_names_nothing() -> None:
    for about in ("", "that", "it all", "the thing", "all that stuff", "anything"):
        assert topic(POLICY, about).that, about
    for about in ("everything", "me", "us", "my data", "all you know", "who I am"):
        assert topic(POLICY, about).everything or about == "all you know", about
    assert topic(POLICY, "this conversation").here
    assert topic(POLICY, "my old address").former
    assert not topic(POLICY, "where I live").words  # its verb is no word to look for
    assert topic(POLICY, "general").words == {"general"}  # what has no category isn't one


def test_r31_a_policy_of_ones_own_is_named_too() -> None:
    policy = load(
        {"categories": {"wine": {"terms": ["cellar", "vintages"]}}, "attributes": {"grape": {"category": "wine"}}}
    )
    for about in ("my wine", "my cellar", "the vintage"):
        found = topic(policy, about)
        assert (found.categories, found.attributes) == (("wine",), ("grape",)), about


def test_r31_one_word_must_be_its_own() -> None:
    assert says_all(frozenset({"job", "acm"}), "Works at Acme", ["work.employer", "job"])
    assert not says_all(frozenset({"job"}), "Works at Acme", ["work.employer", "job"])
    assert not says_all(frozenset({"job", "apex"}), "Works at Acme", ["work.employer", "job"])
