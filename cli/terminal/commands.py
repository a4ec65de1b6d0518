"""Commands and groups of them, made of functions that take the context of the process, and options as records."""

import inspect
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any, get_type_hints

import typer
from typer.core import TyperGroup

from cli.terminal.context import Context, context_of

Command = Callable[..., None]


def group(as_: type[TyperGroup] = TyperGroup, /, **commands: Command) -> typer.Typer:
    """Return a group of commands, in this order; an underscore in a name is a hyphen on the command line."""
    app = typer.Typer(no_args_is_help=True, cls=as_)
    # with it, a group of one command is a group, too
    app.callback()(_nothing_in_common)
    for name, command in commands.items():
        app.command(name.replace("_", "-"))(typer_command(command))
    return app


def single(command: Command) -> typer.Typer:
    """Return a command that stands in no group."""
    app = typer.Typer()
    app.command()(typer_command(command))
    return app


def typer_command(command: Command) -> Command:
    """Return a command as typer takes it: with its own context, and with an option for each field of a record.

    A record is a parameter annotated with a data class whose fields are annotated as options. A parameter annotated
    with :class:`~cli.terminal.context.Context` is given the context of the process.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Size:
    ...     width: int = 1
    ...     height: int = 2
    >>> def draw(name: str, *, size: Size, bold: bool = False) -> None:
    ...     print(name, size, bold)
    >>> taken = typer_command(draw)
    >>> list(inspect.signature(taken).parameters)
    ['name', 'width', 'height', 'bold']
    >>> taken(name="a", width=3, height=4, bold=True)
    a Size(width=3, height=4) True
    """
    hints = get_type_hints(command, include_extras=True)
    given = inspect.signature(command).parameters
    contexts = [name for name in given if hints[name] is Context]
    records = {name: hints[name] for name in given if name not in contexts and is_dataclass(hints[name])}
    parameters: list[inspect.Parameter] = []
    for name, own in given.items():
        hint = typer.Context if name in contexts else hints[name]
        parameters += _options(records[name]) if name in records else [own.replace(annotation=hint)]

    @wraps(command)
    def gathered(**values: Any) -> None:
        for name in contexts:
            values[name] = context_of(values[name])
        for name, record in records.items():
            values[name] = record(**{field.name: values.pop(field.name) for field in fields(record)})
        command(**values)

    gathered.__dict__["__signature__"] = inspect.Signature(parameters)
    gathered.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return gathered


def _options(record: type[Any]) -> list[inspect.Parameter]:
    """Return the fields of a record as parameters."""
    hints = get_type_hints(record, include_extras=True)
    return [
        inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name]
        )
        for field in fields(record)
    ]


def _nothing_in_common() -> None:
    """Commands of a group have no options in common but those of all commands."""
