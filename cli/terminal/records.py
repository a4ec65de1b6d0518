"""Options that travel together as one record: which of them were given, and which must not be given together."""

from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any

from auditor.core.errors import BadInput


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
