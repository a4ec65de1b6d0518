"""Adjacency matrices of scipy as edges."""

from typing import Any

import numpy as np

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput


def is_sparse_matrix(graph: Any) -> bool:
    """Whether an object is a sparse matrix or array of scipy; by duck typing, so that scipy is not imported for it."""
    return hasattr(graph, "tocoo") and hasattr(graph, "nnz") and hasattr(graph, "shape")


def edges_of_matrix(matrix: Any) -> tuple[Ints, int]:
    """Return the edges of a symmetric adjacency matrix, each once, and the number of vertices.

    Raises
    ------
    InvalidInput
        If the matrix is not square or not symmetric, or has entries on its diagonal.

    Notes
    -----
    An entry that is not 0 is an edge, whatever its value: weights are not read.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> edges_of_matrix(csr_array([[0, 1, 0], [1, 0, 0], [0, 0, 0]]))[0].tolist()
    [[0, 1]]
    """
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InvalidInput("an adjacency matrix must be square")
    n = int(matrix.shape[0])
    entries = matrix.tocoo()
    present = np.asarray(entries.data) != 0
    rows = np.asarray(entries.row)[present].astype(np.int64)
    columns = np.asarray(entries.col)[present].astype(np.int64)
    if np.any(rows == columns):
        raise InvalidInput("the graph has loops: the adjacency matrix has entries on its diagonal; set them to 0")
    above = rows < columns
    upper = np.unique(rows[above] * n + columns[above])
    lower = np.unique(columns[~above] * n + rows[~above])
    if not np.array_equal(upper, lower):
        raise InvalidInput("the adjacency matrix is not symmetric: the graph is directed; pass matrix + matrix.T")
    return np.column_stack(np.divmod(upper, max(n, 1))).astype(np.int64, copy=False), n
