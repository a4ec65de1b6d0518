"""Frames of other libraries, read by what they offer: no library is imported for it."""

from collections.abc import Sequence
from typing import Any

import numpy as np


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
