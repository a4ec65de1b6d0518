"""A typer group that imports a command only when it is used, and the options that every command takes."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, ClassVar

import typer
from typer.core import TyperGroup

from cli.terminal.context import Context
from cli.terminal.help import lay_out


@dataclass(frozen=True, slots=True)
class LazyCommand:
    """Where a command or a group of commands lives, and its line in the overview."""

    module: str
    """Module with a :class:`typer.Typer` named ``app``."""
    help: str


class LazyGroup(TyperGroup):
    """A group whose members are known by name and one line until one of them is used.

    Set :attr:`members` in a subclass. The overview is printed from these lines alone, so `--help` imports no command.
    """

    members: ClassVar[Mapping[str, LazyCommand]] = {}

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        for name, member in self.members.items():
            self.commands[name] = TyperGroup(name=name, help=member.help)

    def load(self, name: str) -> Any:
        """Import the member `name` and return its command, with the common options added."""
        member = self.members[name]
        app: typer.Typer = import_module(member.module).app
        # shell completion is an option of the program, not of each of its groups
        app._add_completion = False
        command: Any = typer.main.get_command(app)
        command.name = name
        if hasattr(command, "commands"):
            command.help = member.help
        lay_out(command)
        add_common_options(command)
        self.commands[name] = command
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Find the command that `args` names, as typer does, importing it on the way."""
        if args and args[0] in self.members:
            self.load(args[0])
        return super().resolve_command(ctx, args)


def add_common_options(command: Any) -> None:
    """Let a command, and all below it, take the options that every command takes."""
    command.params.extend(_common_options())
    for child in getattr(command, "commands", {}).values():
        add_common_options(child)


def _remember(ctx: typer.Context, param: typer.CallbackParam, value: Any) -> Any:
    """Write an option that was given into the context of the run; one that was not given changes nothing."""
    context = ctx.find_root().obj
    if isinstance(context, Context) and value not in (None, False):
        if param.name == "store":
            context.store_url = value
        elif param.name == "config":
            context.config_file = value
        elif param.name == "json":
            context.output.json = True
        else:
            context.output.quiet = True
    return value


def _everywhere(*names: str, metavar: str, help: str) -> Any:
    """Return an option that every command takes: its value goes into the context, not to the command."""
    panel = "Everywhere (before or after the command)"
    return typer.Option(
        *names, metavar=metavar, callback=_remember, expose_value=False, rich_help_panel=panel, help=help
    )


def _signature(
    store: Annotated[
        str | None,
        _everywhere("--store", metavar="URL", help="Graph database: local, or a neo4j:// or bolt:// address."),
    ] = None,
    config: Annotated[Path | None, _everywhere("--config", metavar="FILE", help="Configuration file (TOML).")] = None,
    json: Annotated[
        bool,
        _everywhere("--json", metavar="", help="Print one JSON object; an error is one JSON object on stderr."),
    ] = False,
    quiet: Annotated[
        bool,
        _everywhere("--quiet", "-q", metavar="", help="No progress and no notes on stderr, no advice in the answer."),
    ] = False,
) -> None:
    """Hold the options for typer to read; never called."""


def _common_options() -> list[Any]:
    app = typer.Typer(add_completion=False)
    app.command()(_signature)
    return list(typer.main.get_command(app).params)
