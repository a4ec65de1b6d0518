"""Edge lists whose vertices have names: pairs of text, and frames of pandas, polars or pyarrow."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.frames import column_names, column_values, is_frame

NamedEdges = tuple[Ints, list[Any]]
"""Edges as pairs of vertex numbers, and the name of each vertex, ascending."""

_ENDS = (("source", "target"), ("from", "to"))


def named_edges(graph: Any) -> NamedEdges | None:
    """Return the edges of an object that names its vertices, or None if it does not.

    Parameters
    ----------
    graph : DataFrame of pandas or polars, Table of pyarrow, sequence or array of pairs of str, shape (m, 2)
        A frame has two columns, or columns `source` and `target` (or `from` and `to`) beside others. A vertex is a
        name: whole numbers in a frame are names as well, so no vertex is invented between them. Vertices are numbered
        in ascending order of their names.

    Raises
    ------
    InvalidInput
        If it is not clear which columns hold the ends, or an end is missing or neither text nor a whole number.

    Examples
    --------
    >>> edges, names = named_edges([("eve", "bob"), ("bob", "ann")])
    >>> edges.tolist(), names
    ([[2, 1], [1, 0]], ['ann', 'bob', 'eve'])
    """
    ends = _columns_of_frame(graph) or _columns_of_pairs(graph)
    if ends is None:
        return None
    values = [value for column in ends for value in column]
    kinds = {type(value) for value in values}
    if kinds - {int} and kinds - {str}:
        raise InvalidInput("the ends of edges must be all text or all whole numbers, and none may be missing")
    names = sorted(set(values))
    place = {name: number for number, name in enumerate(names)}
    numbers = np.fromiter((place[value] for value in values), dtype=np.int64, count=len(values))
    return numbers.reshape(2, -1).T, names


def _columns_of_frame(graph: Any) -> tuple[list[Any], list[Any]] | None:
    """Return the two columns of ends of a frame."""
    if not is_frame(graph):
        return None
    columns = column_names(graph)
    found = next((pair for pair in _ENDS if set(pair) <= set(columns)), None)
    if found is None:
        if len(columns) != 2:
            raise InvalidInput(
                f"the frame has {len(columns)} columns and none named source and target; pass the two that hold the "
                "ends of edges"
            )
        found = (columns[0], columns[1])
    if found[0] == found[1]:
        raise InvalidInput("two columns of the frame have the same name")
    return column_values(graph[found[0]]), column_values(graph[found[1]])


def _columns_of_pairs(graph: Any) -> tuple[list[Any], list[Any]] | None:
    """Return the two columns of an array or sequence of pairs of text."""
    if isinstance(graph, str | bytes) or not isinstance(graph, Sequence | np.ndarray):
        return None
    try:
        array = np.asarray(graph)
        if array.dtype.kind not in "UTO" or array.ndim != 2 or array.shape[1] != 2:
            return None
        # as it is: NumPy makes text of numbers beside text
        cells = np.asarray(graph, dtype=object)
    except (TypeError, ValueError):
        return None
    if not any(isinstance(cell, str) for cell in cells.flat):
        return None
    return column_values(cells[:, 0]), column_values(cells[:, 1])
