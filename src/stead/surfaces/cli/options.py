"""The options of the verbs, named as the parameters of the Python calls, and how they become arguments."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Final, Literal

import typer

from stead.errors import InvalidArgument
from stead.memory.candidate import WAYS
from stead.model.authority import Authority
from stead.model.record import Kind, Meaning
from stead.model.slot import SELF

if TYPE_CHECKING:
    from stead import Slot

_SLOT: Final = "Slot"
_TIME: Final = "Time"

SlotText = Annotated[
    str | None,
    typer.Option(
        "--slot",
        help=r"The slot in short: \[entity/]attribute\[\[object]], and =value where something is written.",
        metavar="SLOT",
        rich_help_panel=_SLOT,
    ),
]
Entity = Annotated[
    str | None, typer.Option("--entity", help="Of whom or what; the subject by default.", rich_help_panel=_SLOT)
]
Attribute = Annotated[
    str | None, typer.Option("--attribute", help="What is said of it, for instance home.city.", rich_help_panel=_SLOT)
]
Object = Annotated[
    str | None,
    typer.Option("--object", help="Which of many, for instance the food of food.opinion.", rich_help_panel=_SLOT),
]
Value = Annotated[str | None, typer.Option("--value", help="What holds.", rich_help_panel=_SLOT)]
Unset = Annotated[
    bool, typer.Option("--unset", help="In this scope the slot has no value; masks a wider one.", rich_help_panel=_SLOT)
]

Scope = Annotated[
    str, typer.Option("--scope", help="Where it applies, for instance work/briefs; everywhere by default.")
]
Category = Annotated[str | None, typer.Option("--category", help="A category of the policy.")]
Purpose = Annotated[list[str] | None, typer.Option("--purpose", help="What it may be used for; repeat for several.")]
Audience = Annotated[list[str] | None, typer.Option("--audience", help="Who may read it; repeat for several.")]
ReaderPurpose = Annotated[str | None, typer.Option("--purpose", help="What the reader wants it for.")]
ReaderAudience = Annotated[list[str] | None, typer.Option("--audience", help="As whom to read; repeat for several.")]
Speaker = Annotated[str | None, typer.Option("--speaker", help="Who said it; the subject by default.")]
KindOf = Annotated[Kind, typer.Option("--kind", help="What sort of claim it is.")]
AuthorityOf = Annotated[
    Authority | None,
    typer.Option("--authority", help="On what the claim stands; what the source carries, else stated, by default."),
]
MeaningOf = Annotated[
    Meaning, typer.Option("--meaning", help="What a contradiction means: the world changed, or it was never true.")
]
MeaningOrWords = Annotated[
    Meaning | None,
    typer.Option(
        "--meaning",
        help="What a contradiction means: the world changed, or it was never true; as the words say by default.",
    ),
]
Confidence = Annotated[float, typer.Option("--confidence", help="How sure the extraction is, 0 to 1.")]
Importance = Annotated[
    float | None, typer.Option("--importance", help="How much it matters, 0 to 1; the category's by default.")
]
Sensitivity = Annotated[str | None, typer.Option("--sensitivity", help="The sensitivity class, for instance health.")]
SourceOf = Annotated[
    list[str] | None,
    typer.Option(
        "--source",
        help="Where it was said: conversation=…, turn=… or uri=…; repeat for several. Or settings, profile or system_of_record.",
        metavar="KEY=VALUE",
    ),
]
Overrides = Annotated[
    list[str] | None,
    typer.Option("--overrides", help="A record that this one overrides; repeat for several.", metavar="RECORD"),
]
DerivedFrom = Annotated[
    list[str] | None,
    typer.Option("--derived-from", help="A record that this one was made from; repeat for several.", metavar="RECORD"),
]
ReviewEvents = Annotated[
    list[str] | None,
    typer.Option("--review-events", help="An event after which to ask again; repeat for several.", metavar="EVENT"),
]
Owner = Annotated[str | None, typer.Option("--owner", help="Who answers for it.")]
Trigger = Annotated[str, typer.Option("--trigger", help="What made this write happen.")]
Key = Annotated[
    str | None,
    typer.Option("--idempotency-key", help="The same key and body again gives the first outcome back.", metavar="KEY"),
]
IfVersion = Annotated[
    int | None,
    typer.Option(
        "--if-version", help="Write only if the slot is at this version; 0: never written.", metavar="VERSION"
    ),
]
Epoch = Annotated[
    int | None,
    typer.Option(
        "--epoch",
        help="Write only if nothing of the subject was erased since stead erasures printed this.",
        metavar="NUMBER",
    ),
]

ObservedAt = Annotated[
    str | None,
    typer.Option("--observed-at", help="When it was said; now by default.", metavar="TIME", rich_help_panel=_TIME),
]
ValidFrom = Annotated[
    str | None,
    typer.Option(
        "--valid-from",
        help="From when it holds; from when it was said by default.",
        metavar="TIME",
        rich_help_panel=_TIME,
    ),
]
ValidUntil = Annotated[
    str | None,
    typer.Option(
        "--valid-until", help="Until when it holds, that instant excluded.", metavar="TIME", rich_help_panel=_TIME
    ),
]
ExpiresAt = Annotated[
    str | None, typer.Option("--expires-at", help="When it stops being served.", metavar="TIME", rich_help_panel=_TIME)
]
ReadingOf = Annotated[
    Literal["earlier", "later"] | None,
    typer.Option(
        "--reading", help="Which instant a wall time in a daylight-saving fold or gap means.", rich_help_panel=_TIME
    ),
]
At = Annotated[
    str | None,
    typer.Option("--at", help="The instant in the world that is asked about; now by default.", metavar="TIME"),
]
KnownAt = Annotated[
    str | None,
    typer.Option("--known-at", help="Answer with what was known at this instant; now by default.", metavar="TIME"),
]
Limit = Annotated[int, typer.Option("--limit", help="How many at most.", min=1)]
After = Annotated[
    str | None, typer.Option("--after", help="Go on after this id, the last of the page before.", metavar="ID")
]
RecordId = Annotated[str, typer.Argument(help="A record's id.", metavar="RECORD")]

_SHORT: Final = re.compile(
    r"(?:(?P<entity>[^=\[\]]+)/)?(?P<attribute>[^=\[\]/]+)(?:\[(?P<object>.*?)\])?(?:=(?P<value>.*))?", re.DOTALL
)
_FIX: Final = "Write travel.seat=aisle, food.opinion[sushi]=likes or daughter/school, or use --attribute and its kin."


def slot_to_write(
    short: str | None, entity: str | None, attribute: str | None, object_: str | None, value: str | None, unset: bool
) -> Slot | None:
    """Return the slot with its value, or None where no option names one."""
    parts = _parts(short, entity, attribute, object_)
    if value is not None and parts.get("value") is not None:
        raise InvalidArgument("slot", "the value is given twice", "Give it in --slot or in --value.")
    value = parts.pop("value", None) if value is None else value
    if not parts.get("attribute"):
        if value is not None or unset or parts:
            raise InvalidArgument("slot.attribute", "missing", _FIX)
        return None
    if value is None and not unset:
        raise InvalidArgument(
            "slot.value", "missing", "Give =value in --slot, --value, or --unset to mask a wider one."
        )
    return _slot(parts, value=value, unset=unset)


def slot_to_ask(short: str | None, entity: str | None, attribute: str | None, object_: str | None) -> Slot | None:
    """Return the slot that a question names, or None where no option names one."""
    parts = _parts(short, entity, attribute, object_)
    if parts.get("value") is not None:
        raise InvalidArgument("slot", "a question names no value", "Leave out =value.")
    if not parts.get("attribute"):
        if parts:
            raise InvalidArgument("slot.attribute", "missing", _FIX)
        return None
    return _slot(parts)


def _parts(short: str | None, entity: str | None, attribute: str | None, object_: str | None) -> dict[str, str]:
    long = {"entity": entity, "attribute": attribute, "object": object_}
    named = {name: text for name, text in long.items() if text is not None}
    if short is None:
        return named
    if named:
        raise InvalidArgument("slot", "the slot is given twice", "Give --slot, or --entity, --attribute and --object.")
    match = _SHORT.fullmatch(short.strip())
    if match is None:
        raise InvalidArgument("slot", "not a slot in short form", _FIX)
    return {name: text.strip() for name, text in match.groupdict().items() if text is not None}


def _slot(parts: dict[str, str], *, value: str | None = None, unset: bool = False) -> Slot:
    import stead

    return stead.Slot(
        parts["attribute"], entity=parts.get("entity", SELF), object=parts.get("object", ""), value=value, unset=unset
    )


def source(pairs: Sequence[str] | None) -> dict[str, str] | str | None:
    """Return ``conversation=c1`` and its kin as a dict, and a deterministic way to write by its name."""
    if not pairs:
        return None
    if len(pairs) == 1 and pairs[0] in WAYS:
        return pairs[0]
    split = dict(pair.partition("=")[::2] for pair in pairs)
    wrong = sorted(split.keys() - {"conversation", "turn", "uri"})
    if wrong or not all(split.values()):
        raise InvalidArgument(
            "source", "not of the form KEY=VALUE", f"Keys are conversation, turn and uri; or one of {', '.join(WAYS)}."
        )
    return split


def words(text: str) -> str:
    """Return the text of an argument; ``-`` means all of stdin."""
    return sys.stdin.read().strip() if text == "-" else text
