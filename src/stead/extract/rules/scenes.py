"""Texts that are shown, scenes that are set, and what is told in confidence: what follows is nobody's own statement."""

from __future__ import annotations

import re
from typing import Final

from stead.extract.rules import wishes
from stead.extract.rules.clause import TASKS
from stead.extract.rules.lexicon import RELATIVES, heads, things
from stead.extract.rules.text import Sentence, Words


def framing(words: Words, sentence: Sentence) -> str:
    """Return the trait of all that follows a sentence which presents a text, or sets a scene; empty: none."""
    low = words.low[sentence.first : sentence.last]
    joined = " ".join(low).replace("not assume", "")
    if joined.startswith(("say i ", "so say i ", "hmm , say i ")) or any(scene in joined for scene in _SCENES):
        return "hypothetical"
    if _IN_FICTION.match(joined) or _playing(low, joined):
        return "hypothetical"
    if wishes.PRIVATE.match(joined):
        return "aside"
    if _INSTANCE.match(joined) or _LETTER.match(joined) or (":" in low and _shown(joined)):
        return "quote"
    if ":" in low and _PROMPT.match(joined) and _TASK.search(words.text) is not None:
        return "hypothetical"
    presents = any(shown in joined for shown in _PRESENTED) or (TASKS & set(low[:4]) and ":" in low)
    after = words.text[words.end[sentence.last - 1] : words.end[sentence.last - 1] + 3]
    if presents and (":" in low or "\n" in after):
        return "quote"
    return "quote" if low[-1:] == [":"] and "\n" in after and _OWN_LIST.isdisjoint(low) else ""


def invented(words: Words, sentence: Sentence) -> str:
    """Return the trait of a sentence that tells of an invention: "I'm writing a story in which ..."; empty: none."""
    joined = " ".join(words.low[sentence.first : sentence.last])
    return "hypothetical" if _INVENTED.search(joined) else ""


def _shown(joined: str) -> bool:
    """Tell whether a label before a colon says that a text or a talk follows."""
    return any(shape.match(joined) is not None for shape in (_HEADED, _SPEAKER, _SOURCE, _READS))


def _playing(low: list[str], joined: str) -> bool:
    """Tell whether parts are given out: "you're a nurse, I'm your patient", "in Skyrim I'm a vampire"."""
    if _YOURS.match(joined):
        return True
    given = _YOU_ARE.match(joined)
    if given is not None:
        part = given["part"].split()
        return part[-1] in RELATIVES or (part[-1] in heads("role") and not _SERVANTS.issuperset(part[-1:]))
    at = 1 if low[:1] == ["in"] else 2 if low[1:2] == ["in"] else 0
    return at > 0 and any(
        tuple(low[at : at + size]) in (things("game") or ())
        and low[at + size + (low[at + size : at + size + 1] == [","]) :][:1] in _OWN
        for size in (1, 2, 3)
    )


_OWN: Final = (["i"], ["we"], ["my"], ["our"])
_SERVANTS: Final = frozenset("assistant assistants agent bot helper secretary".split())
_YOURS: Final = re.compile(r"(?:[\w' ,:]{0,40}[, ])?i am your \w+")
_YOU_ARE: Final = re.compile(
    r"(?:now |so |ok |okay |, )*(?:you (?:are|will be) (?:now )?(?:a|an|the|my)|be (?:a|an|my)) "
    r"(?P<part>(?:[\w-]+ ){0,2}?[\w-]+)(?: [.,!]| and\b| who\b|$)"
)
_LETTER: Final = re.compile(
    r"dear (?!assistant|ai|bot|chatgpt|claude|agent)[\w.' -]{2,40} ,|i , the undersigned|(?:to|from|subject|cc|"
    r"bcc|fwd|betreff) : \S"
)
"""How letters and mails begin."""
_SPEAKER: Final = re.compile(
    r"(?:a|b|c|q|me|him|her|he|she|you|user|assistant|bot|system|human|ai|interviewer|interviewee|interview|"
    r"teacher|student|waiter|waitress|"
    r"customer|client|doctor|patient|narrator|host|guest|boss|mum|mom|dad|speaker(?: \w+)?|person \w+|line \d+) : \S"
)
"""Who speaks in a talk that is shown: "A: I'm allergic to cats."."""
_SOURCE: Final = re.compile(r"from (?:my|the|his|her|our|their|a|an)\b[\w' ]{2,40} :")
_READS: Final = re.compile(
    r"[\w', -]{1,60} (?:reads|begins|starts|goes|says|said|asks|asked|opens|ends|continues|writes|wrote|states|"
    r"stated|claims|replied|answered|"
    r"texted|posted|commented|printed|called out)(?: with| like this| as follows| on it)? :"
)
_PROMPT: Final = re.compile(r"(?:role|task|context|system|prompt|instructions?) :")
_TASK: Final = re.compile(r"\b(?:task|output|input|format) ?:", re.IGNORECASE)
_INVENTED: Final = re.compile(
    r"\b(?:story|novel|novella|game|screenplay|play|poem|song|sketch|comic|dream|scene|chapter|campaign|film|movie|"
    r"book|fanfic|fanfiction|scenario|musical|sitcom)\b(?: \w+){0,2} ?,? (?:in which|where|wherein)\b"
)
_IN_FICTION: Final = re.compile(
    r"(?:(?:and|but|so|also|lol|well) )*in (?:the|my|our|this|that|a|his|her) (?:\w+ ){0,2}?(?:game|video game|"
    r"novel|film|movie|story|"
    r"play|series|sketch|dream|nightmare|fantasy|simulation|campaign|role|scene|script|book|comic|manga|show|"
    r"sims|sitcom)\b(?! is\b)"
    r"(?: \w+){0,2} ?,? (?:i|we|my)\b"
)
"""What is so in a game or a dream: "in the game I live in a castle"."""
_HEADED: Final = re.compile(
    r"(?!(?:for|in|on|with|when|please|always) )(?:[\w' -]+ )?(?:dialogues?|dialogs?|scenes?|chapters?(?: \w+)?|"
    r"act \w+|practice|exercises?|"
    r"examples?|samples?|tests?(?: \w+)?|draft|text|poem|scripts?|prompts?|persona|characters?|templates?|"
    r"excerpts?|letter|mail|e-mail|email|post|"
    r"tweet|caption|headline|sentences?|paragraph|quotes?|lyrics|minutes|transcripts?|meeting notes|review|ad|"
    r"advert|bio|biography|speech|toast|joke|"
    r"riddle|limerick|rhyme|song|story|plot|pitch|slogan|abstract|essay|homework|translation|question \d+|"
    r"fiction|role ?play|improv|skit|monologue|"
    r"narration|screenplay|haiku|diary|manual|cv|resume|blurb|feedback|comment|message|voicemail|vocabulary|"
    r"grammar)(?: \d+)?"
    r"(?: (?:by|from|of|to) [\w' ]{1,30}?)? ?: (?!\S*@)\S"
)
"""A label that says that a text follows, and not the speaker's own words: "Chapter one: ...", "a test sentence: ..."."""
_INSTANCE: Final = re.compile(
    r"(?:[\w' ,-]+ , )?(?:for (?:instance|example)|e\.g|say|like)\b ?[.,:]+ (?:i|we|my|our|she|he|it)\b"
)
_OWN_LIST: Final = frozenset("remember note me facts i my".split())
_SCENES: Final = tuple(
    (
        "picture this|picture yourself|picture me|picture a |envision|visualise|visualize this|here 's the scene|set the scene|"
        "set the scene|the setup :|the premise|make believe|what if i were|say you are my|let us say|"
        "in the story|in this story|in this scenario|act as |role play|role-play|roleplay|pretend |imagine |"
        "let 's say|suppose |play the role|my character|in character|hypothetically|for the sake of argument|"
        "the narrator|the protagonist|in my novel|in my dream|in a parallel|assume i|assume that i|"
        "assuming i"
    ).split("|")
)
_PRESENTED: Final = tuple(
    (
        "here is|here 's|here are|below is|below are|the following|what they wrote|shorten it|this text|"
        "this email|this paragraph|this message|this review|the text|the email|the letter|the message says|"
        "fix the grammar|is what|wrote|the ad says|job ad|lyrics|quote :|press release|cover letter :|"
        "the article"
    ).split("|")
)
