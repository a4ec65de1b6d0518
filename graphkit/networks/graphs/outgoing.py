"""Columns as frames of other libraries."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Literal, get_args

from numpy.typing import NDArray

from graphkit.errors import InvalidInput

FrameLibrary = Literal["pandas", "polars", "pyarrow"]


def frame_of_columns(columns: dict[str, NDArray[Any]], library: FrameLibrary) -> Any:
    """Return columns as a frame of a library.

    Raises
    ------
    InvalidInput
        If the library is none of those known.
    ImportError
        If it is not installed.
    """
    if library in ("pandas", "polars"):
        # neither is a dependency of ours: only a caller who has it asks for it
        return import_module(library).DataFrame({name: values.tolist() for name, values in columns.items()})
    if library == "pyarrow":
        import pyarrow

        return pyarrow.table({name: values.tolist() for name, values in columns.items()})
    raise InvalidInput(f"unknown library {library!r}; known: {', '.join(get_args(FrameLibrary))}")
