"""Options that travel together: a command takes them as one record, typer as options of their own. And those that must
not be given together.
"""

import inspect
from collections.abc import Callable, Collection, Mapping
from dataclasses import fields, is_dataclass
from functools import wraps
from typing import Any, get_type_hints

from auditor.core.errors import BadInput


def with_records(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command that typer gives every field of its records as an option, in the place of the record.

    A record is a parameter annotated with a data class whose fields are annotated as options.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Size:
    ...     width: int = 1
    ...     height: int = 2
    >>> @with_records
    ... def draw(name: str, *, size: Size, bold: bool = False) -> None:
    ...     print(name, size, bold)
    >>> list(inspect.signature(draw).parameters)
    ['name', 'width', 'height', 'bold']
    >>> draw(name="a", width=3, height=4, bold=True)
    a Size(width=3, height=4) True
    """
    hints = get_type_hints(command, include_extras=True)
    given = inspect.signature(command).parameters
    records = {name: hints[name] for name in given if is_dataclass(hints[name])}
    parameters = [
        parameter
        for name, own in given.items()
        for parameter in (_options(records[name]) if name in records else [own.replace(annotation=hints[name])])
    ]

    @wraps(command)
    def gathered(**values: Any) -> None:
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


def said(record: Any, *, but: Collection[str] = ()) -> dict[str, object]:
    """Return the fields of a record that were given: those that are neither as by default nor empty, some left out.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True)
    ... class Size:
    ...     width: int = 1
    ...     height: int = 2
    ...     names: list[str] | None = None
    >>> said(Size(width=3, height=4, names=[]), but=("height",))
    {'width': 3}
    """
    values = {field.name: (getattr(record, field.name), field.default) for field in fields(record)}
    return {name: value for name, (value, usual) in values.items() if value not in (usual, []) and name not in but}


def refuse_together(option: str, others: Mapping[str, object]) -> None:
    """Refuse options, by their names in the code, that say something beside another one.

    Raises
    ------
    BadInput
        Naming the first one.
    """
    for name, value in others.items():
        if value not in (None, False, [], ()):
            raise BadInput(f"--{name.replace('_', '-')} does not go together with {option}; leave out one of them")
