"""Frames of other libraries, read by what they offer: no library is imported for it."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from typing import Any, Literal

import numpy as np

from graphkit.errors import InvalidInput

FrameLibrary = Literal["pandas", "polars", "pyarrow"]


def is_frame(value: Any) -> bool:
    """Return whether a value is a frame of pandas, polars or pyarrow."""
    return hasattr(value, "columns") and hasattr(value, "__getitem__")


def column_names(frame: Any) -> Sequence[Any]:
    """Return the names of the columns of a frame."""
    # pyarrow keeps names and columns apart
    return getattr(frame, "column_names", None) or list(frame.columns)


def column_values(column: Any) -> list[Any]:
    """Return the values of a column as Python's own."""
    if hasattr(column, "to_pylist"):
        return list(column.to_pylist())
    values = column.to_list() if hasattr(column, "to_list") else column.tolist()
    return [value.item() if isinstance(value, np.generic) else value for value in values]


def is_missing(value: Any) -> bool:
    """Return whether a value of a column stands for none: None, NaN, or what pandas has for it."""
    # that of pandas cannot be compared; NaN is not itself
    return value is None or type(value).__name__ in ("NAType", "NaTType") or bool(value != value)


def check_names(*given: Sequence[Any] | None) -> None:
    """Refuse one text in the place of a list of names: its letters would be taken for names.

    Raises
    ------
    InvalidInput
        Says how to give the name.
    """
    for names in given:
        if isinstance(names, str):
            raise InvalidInput(f"give a list of names, such as [{names!r}]")


def check_columns(known: Sequence[Any], names: Iterable[Any]) -> None:
    """Refuse names of columns that a frame does not have, or has twice.

    Raises
    ------
    InvalidInput
        Names the first one.
    """
    for name in names:
        if list(known).count(name) != 1:
            raise InvalidInput(f"the frame has {'no' if name not in known else 'more than one'} column {name!r}")


def chosen_columns(frame: Any, names: Sequence[str]) -> dict[str, list[Any]]:
    """Return the values of some columns.

    Parameters
    ----------
    frame : frame of pandas, polars or pyarrow, or mapping of str to values
    names : sequence of str

    Raises
    ------
    InvalidInput
        If it is no frame, a column is not there or is there twice, or the columns are not equally long.
    """
    if isinstance(frame, Mapping):
        known: Sequence[Any] = list(frame)
    elif is_frame(frame):
        known = column_names(frame)
    else:
        raise InvalidInput("give a frame of pandas, polars or pyarrow, or a mapping of names to columns")
    check_columns(known, names)
    columns = {name: _listed(frame[name]) for name in names}
    if len({len(values) for values in columns.values()}) > 1:
        raise InvalidInput("the columns are not equally long; give one value a record in each")
    return columns


def frame_of_columns(columns: Mapping[str, Any], library: FrameLibrary) -> Any:
    """Return columns as a frame of a library.

    Raises
    ------
    InvalidInput
        If the library is none of those known.
    ImportError
        If it is not installed.
    """
    makers = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}
    if library not in makers:
        raise InvalidInput(f"unknown library {library!r}; known: {', '.join(makers)}")
    # not all of them are dependencies of ours: only a caller who has one asks for it
    make = getattr(import_module(library), makers[library])
    return make({name: _listed(values) for name, values in columns.items()})


def _listed(values: Any) -> list[Any]:
    return list(values) if isinstance(values, list | tuple) else column_values(values)
