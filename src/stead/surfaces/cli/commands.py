"""The app, and what every command shares: the common options, the settings, the store and its subject."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from typer.core import TyperGroup

from stead.errors import InvalidArgument
from stead.settings import Settings, load
from stead.surfaces.cli.output import flush, out

if TYPE_CHECKING:
    from stead import Store, Subject

WRITE: Final = "Write"
READ: Final = "Read"
DECIDE: Final = "Answer and repair"
TIME: Final = "Time and stories"
LOOK: Final = "Look after it"

GROUPS: Final = (WRITE, READ, DECIDE, TIME, LOOK)


class InGroups(TyperGroup):
    """The commands in the order of their groups, whatever module was imported first."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 - typer's signature
        """Return the names, group by group, within a group as they were added."""
        return sorted(self.commands, key=lambda name: GROUPS.index(self.commands[name].rich_help_panel))  # type: ignore[attr-defined]


app = typer.Typer(
    name="stead",
    cls=InGroups,
    help="Long-term memory for AI agents: claims with limits, and what holds when.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"], "max_content_width": 100},
    epilog="Data goes to stdout, all else to stderr. Exit codes: 0 ok, 1 unexpected, 2 usage, 3 not found, 4 refused, "
    "5 conflict, 7 backend unavailable.",
)


def _print_version(wanted: bool) -> None:
    import stead

    if wanted:
        out(stead.__version__)
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None: ...


_COMMON: Final = "Store and reader"
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document; errors too, on stderr.")]
Common: Final[Mapping[str, Any]] = {
    "store": Annotated[str | None, typer.Option("--store", help="The store's file.", metavar="PATH")],
    "tenant": Annotated[str | None, typer.Option("--tenant", help="The tenant that the file must belong to.")],
    "subject": Annotated[str | None, typer.Option("--subject", help="Whom the records describe.")],
    "zone": Annotated[str | None, typer.Option("--zone", help="The IANA zone of times without an offset.")],
    "embedder": Annotated[
        str | None, typer.Option("--embedder", help="The embedding model: none, auto, local or multilingual.")
    ],
    "policy": Annotated[
        str | None, typer.Option("--policy", help="A TOML file laid over the built-in policy.", metavar="PATH")
    ],
    "model": Annotated[
        str | None,
        typer.Option("--model", help="Who reads sessions beside the rules: anthropic:NAME, openai:NAME or a base URL."),
    ],
    "resolver": Annotated[
        str | None, typer.Option("--resolver", help="Who relates claims without a slot: local, or model.")
    ],
    "busy_timeout": Annotated[
        float | None, typer.Option("--busy-timeout", help="Seconds to wait for another writer.", metavar="SECONDS")
    ],
}
"""The options that every command with a store takes; each has a setting of the same name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """What a command was called with, besides its own parameters."""

    settings: Settings
    json: bool

    @contextmanager
    def store(self, *, create: bool = False, embed: bool = False) -> Iterator[Store]:
        """Open the store of the settings; only commands that search or embed load a model."""
        import stead

        chosen = self.settings
        with stead.open(
            chosen.store,
            tenant=chosen.tenant,
            create=create,
            embedder=chosen.embedder if embed else "none",
            policy=chosen.policy,
            model=chosen.model if embed else None,
            resolver=chosen.resolver if embed else "local",
            busy_timeout=chosen.busy_timeout,
        ) as store:
            yield store

    @contextmanager
    def subject(self, *, create: bool = False, embed: bool = False) -> Iterator[Subject]:
        """Open the store and bind its subject to the reader of the settings."""
        chosen = self.settings
        with self.store(create=create, embed=embed) as store:
            yield store.subject(chosen.subject, zone=chosen.zone, purpose=chosen.purpose, audience=chosen.audience)

    @contextmanager
    def scratch(self) -> Iterator[Subject]:
        """Bind the subject of the store, or where there is no store, of an empty one that is gone afterwards."""
        import tempfile
        from dataclasses import replace

        import stead

        if self.settings.store == ":memory:" or Path(self.settings.store.removeprefix("sqlite:///")).exists():
            with self.subject() as subject:
                yield subject
            return
        with tempfile.TemporaryDirectory(prefix="stead-") as folder:
            chosen = replace(self.settings, store=f"{folder}/empty.db")
            with stead.open(chosen.store, embedder="none", policy=chosen.policy) as store:
                yield store.subject(chosen.subject, zone=chosen.zone)


def command(
    group: str,
    example: str,
    *,
    under: typer.Typer = app,
    name: str | None = None,
    common: tuple[str, ...] = tuple(Common),
    after: str = "",
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Add a function of ``(here, …)`` to the command line, with ``--json`` and the common options.

    Parameters
    ----------
    group
        The heading under which the help lists it.
    example
        A command that can be copied.
    under
        The app or sub-app that it belongs to.
    name
        The command's name; the function's by default.
    common
        Which of the common options it takes.
    after
        Paragraphs below the example.
    """

    def register(function: Callable[..., None]) -> Callable[..., None]:
        def run(**given: Any) -> None:
            as_json = given.pop("as_json")
            values = {each: given.pop(each) for each in common}
            _refuse_broken_text(given | values)
            function(Here(settings=load(values), json=as_json), **given)
            flush()

        run.__doc__ = function.__doc__
        run.__name__ = function.__name__
        run.__signature__ = _signature(function, common)  # type: ignore[attr-defined]
        shown = example.replace("[", r"\[")
        epilog = f"Example: [bold]{shown}[/bold]" + (f"\n\n{after}" if after else "")
        added = under.command(name or function.__name__.rstrip("_"), rich_help_panel=group, epilog=epilog)
        added(run)
        return function

    return register


def _signature(function: Callable[..., None], common: tuple[str, ...]) -> inspect.Signature:
    own = list(inspect.signature(function, eval_str=True).parameters.values())[1:]
    keyword = inspect.Parameter.KEYWORD_ONLY
    shared = [inspect.Parameter("as_json", keyword, default=False, annotation=AsJson)]
    shared += [inspect.Parameter(each, keyword, default=None, annotation=_panelled(Common[each])) for each in common]
    return inspect.Signature([each.replace(kind=keyword) for each in own] + shared)


def _panelled(annotation: Any) -> Any:
    annotation.__metadata__[0].rich_help_panel = _COMMON
    return annotation


def _refuse_broken_text(given: Mapping[str, object]) -> None:
    for name, value in given.items():
        for text in value if isinstance(value, list | tuple) else (value,):
            if isinstance(text, str) and not text.isascii() and any("\ud800" <= each <= "\udfff" for each in text):
                raise InvalidArgument(name, "not text in UTF-8", "Set the terminal's encoding to UTF-8.")
