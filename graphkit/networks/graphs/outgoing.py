"""Columns as frames of other libraries."""

from importlib import import_module
from typing import Any, Literal

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
    makers = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "table"}
    if library not in makers:
        raise InvalidInput(f"unknown library {library!r}; known: {', '.join(makers)}")
    # not all of them are dependencies of ours: only a caller who has one asks for it
    make = getattr(import_module(library), makers[library])
    return make({name: values.tolist() for name, values in columns.items()})
