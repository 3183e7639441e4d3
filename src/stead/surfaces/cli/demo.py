"""A short story in a temporary store: the same each time, and gone at its end."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from stead.clock import StoryClock
from stead.ids import seeded_ids
from stead.model.period import from_datetime
from stead.surfaces.cli.output import moment, note, out, plain, print_json, print_text

if TYPE_CHECKING:
    from stead import Subject

SEED: Final = 7


def run_demo(*, as_json: bool) -> None:
    """Play the story and print each step with its answer."""
    import stead

    steps: list[dict[str, object]] = []
    clock = StoryClock()
    with tempfile.TemporaryDirectory(prefix="stead-demo-") as folder:
        path = Path(folder) / "demo.db"
        with stead.open(path, clock=clock, new_id=seeded_ids(SEED), embedder="none") as store:
            ana = store.subject("ana", zone="Europe/Berlin")
            for when, text, act in STORY:
                clock.instant = from_datetime(datetime.fromisoformat(when).replace(tzinfo=UTC))
                answer = act(ana)
                steps.append({"at": when + "Z", "says": text, "answer": answer})
                if not as_json:
                    _print_step(when, text, answer)
    if as_json:
        print_json({"steps": steps})
    else:
        note("the store was temporary; `stead remember` starts one of your own")


def _print_step(when: str, text: str, answer: object) -> None:
    out(f"{when[:10]}  {text}")
    for line in _lines(answer):
        print_text(f"    {line}")
    out()


def _lines(answer: Any) -> list[str]:
    if hasattr(answer, "decision"):
        return [f"{answer.decision}  {answer.record}  {answer.reason}"]
    if hasattr(answer, "text"):
        return [line for line in str(answer.text).splitlines() if line.strip()]
    return [f"{moment(each.start, 'open')} → {moment(each.end, 'open')}  {each.value}" for each in answer] or [
        str(plain(answer))
    ]


def _city(value: str | None = None) -> Any:
    import stead

    return stead.Slot("home.city", value=value)


def _meetings(value: str | None = None) -> Any:
    import stead

    return stead.Slot("meetings.evening", value=value)


STORY: Final[tuple[tuple[str, str, Callable[[Subject], Any]], ...]] = (
    (
        "2026-01-10T09:00",
        "Ana says that she lives in Berlin.",
        lambda ana: ana.remember("Lives in Berlin", slot=_city("Berlin")),
    ),
    (
        "2026-03-20T09:00",
        "She moved to Lisbon on 1 March: the world changed, so Berlin ends there.",
        lambda ana: ana.remember("Lives in Lisbon", slot=_city("Lisbon"), valid_from="2026-03-01"),
    ),
    ("2026-03-20T09:05", "What holds over time?", lambda ana: ana.holds(_city())),
    (
        "2026-09-01T09:00",
        "In scheduling: no evening meetings, as a rule that she confirmed.",
        lambda ana: ana.remember(
            "No evening meetings", slot=_meetings("no"), scope="scheduling", authority="confirmed"
        ),
    ),
    (
        "2026-09-28T09:00",
        "This week they are fine: an exception that ends by itself.",
        lambda ana: ana.remember(
            "Evening meetings are fine this week",
            slot=_meetings("yes"),
            scope="scheduling",
            authority="confirmed",
            valid_until="2026-10-05",
        ),
    ),
    ("2026-10-02T12:00", "During the week:", lambda ana: ana.recall(slot=_meetings(), scope="scheduling")),
    ("2026-10-05T12:00", "After it:", lambda ana: ana.recall(slot=_meetings(), scope="scheduling")),
    (
        "2026-10-05T12:05",
        "And what was known of her city in February?",
        lambda ana: ana.recall(slot=_city(), at="2026-03-10", known_at="2026-02-15"),
    ),
)
"""When, what is said, and what the memory is asked or told."""
