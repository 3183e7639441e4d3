"""What understanding costs: the guards, the rules of extraction, words of time, the review of a long session."""

from __future__ import annotations

import random
from functools import partial

from benchmarks.measure import Figure, at_most, each, middle, seconds, share
from benchmarks.writes import Sizes, scratch

import stead
from stead.extract.rules import Extractor
from stead.extract.when import find
from stead.policy import load
from stead.policy.guards import hostile, redact, sensitive

_SAID = 1_767_600_000_000_000
_OPENING = ("Hi!", "Thanks, that helped.", "OK.", "Good morning,", "By the way,", "Listen:", "Just so you know,")
_SAYS = (
    "I live in {place} and work at {firm} as a {role}.", "my sister Anna moved to {place} last month.",
    "I'll be away from the {day}rd to the {later}th, in {place}.", "I prefer {thing} to the other thing we had.",
    "I don't eat {thing} any more, it's been like that since 2019.", "could you look up the trains to {place} for me?",
    "if I lived in {place} I would cycle to work every day, I think.", "we had a long day, and the meeting went badly.",
    "always send the {thing} report as a PDF on Friday mornings, please.", "the {role} told me that {place} is lovely.",
)  # fmt: skip
_FILL = {
    "place": ("Lyon", "Porto", "York", "Bergen"), "firm": ("Apex", "Brookfield", "Norden"), "thing": ("tea", "fish", "jazz"),
    "role": ("nurse", "baker", "pilot"), "day": ("3", "23"), "later": ("25", "28"),
}  # fmt: skip


def turns(count: int, seed: int = 5) -> list[str]:
    """Return seeded turns of one to three sentences, about 25 words each."""
    source = random.Random(seed)

    def sentence() -> str:
        return source.choice(_SAYS).format(**{name: source.choice(values) for name, values in _FILL.items()})

    return [
        f"{source.choice(_OPENING)} {' '.join(sentence() for _ in range(source.randint(1, 3)))}" for _ in range(count)
    ]


def understanding(sizes: Sizes) -> list[Figure]:
    """Guards, extraction and words of time, one turn at a time, each beside the durable recording of the same turn."""
    said = turns(sizes.queries)
    extract = Extractor(load().attributes)
    with scratch(sizes.folder) as path, stead.open(path / "memory.db", embedder="none") as store:
        session = store.subject("ana", zone="Europe/Berlin").session("c")
        session.turn("user", "I like tea.")
        recorded = middle(each(partial(session.turn, "user", text) for text in said))
    parts = {
        "guards": each(partial(_guarded, text) for text in said),
        "extraction": each(partial(extract, text, said=_SAID, zone="Europe/Berlin") for text in said),
        "words of time": each(partial(find, text, said=_SAID, zone="Europe/Berlin") for text in said),
    }
    words = sum(len(text.split()) for text in said) / len(said)
    against = f"of a turn of {words:.0f} words; recording it takes {recorded * 1000:.2f} ms with all of these"
    figures = [Figure(f"{name}, median", middle(timed) * 1000, "ms", baseline=against) for name, timed in parts.items()]
    timed = parts["extraction"]
    figures[1] = at_most("extraction, median", middle(timed) * 1000, 2, "ms", against)
    figures.append(Figure("extraction, 95th percentile", share(timed, 0.95) * 1000, "ms"))
    return figures


def _guarded(text: str) -> object:
    return redact(text), sensitive(text), hostile(text)


def reviewing(sizes: Sizes) -> list[Figure]:
    """The review at the end of a session of 1,000 turns: by who heard them, and after a crash, from the file."""
    said = turns(1_000 if sizes.queries >= 1_000 else 100)
    figures = []
    with scratch(sizes.folder) as path, stead.open(path / "memory.db", embedder="none") as store:
        for name, crashed in (("heard", False), ("found again after a crash", True)):
            subject = store.subject(name, zone="Europe/Berlin")
            session = subject.session("c")
            for text in said:
                session.turn("user", text)
            reviewed = subject.session("c") if crashed else session
            took = seconds(reviewed.close)
            written = f"{len(reviewed.outcomes)} candidates"
            figures.append(at_most(f"review of {len(said)} turns, {name}", took, 3, "s", written))
    return figures
