"""Columns of lists, all as long as each other, as tables of numbers, and back."""

from typing import TYPE_CHECKING

import numpy as np

from graphkit.arrays import Ints

if TYPE_CHECKING:
    import pyarrow as pa


def matrix(column: "pa.ChunkedArray") -> Ints:
    """Return a column of lists that are as long as each other, as a table."""
    import pyarrow as pa

    flat = pa.chunked_array([chunk.flatten() for chunk in column.chunks], type=column.type.value_type)
    return np.asarray(flat.to_numpy()).reshape(len(column), -1)


def lists(rows: Ints) -> "pa.Array":
    """Return the rows of a table as lists."""
    import pyarrow as pa

    ends = np.arange(0, rows.size + 1, max(1, rows.shape[1]), dtype=np.int32)
    return pa.ListArray.from_arrays(pa.array(ends), pa.array(np.ascontiguousarray(rows).ravel()))
