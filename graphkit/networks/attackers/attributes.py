"""Candidate sets for an attacker who knows the degree of a vertex and some of its attributes."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from graphkit.errors import InvalidInput
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.risk.candidates import CandidateSets


def attribute_sets(graph: SimpleGraph, attributes: Mapping[str, ArrayLike]) -> CandidateSets:
    """Return the sets of vertices that share their degree and the values of all attributes.

    Parameters
    ----------
    graph : SimpleGraph
        The network.
    attributes : mapping of str to array_like, shape (n,)
        What the attacker knows beside the degree, by name. A missing value is a value like any other.

    Raises
    ------
    InvalidInput
        If an attribute has not one value for each vertex.

    Notes
    -----
    O(n a) expected time for `a` attributes.

    Examples
    --------
    >>> path = SimpleGraph.from_edges([(0, 1), (1, 2), (2, 3)])
    >>> attribute_sets(path, {"sex": ["f", "m", "m", "f"]}).risk(2).unique_vertices
    0
    >>> attribute_sets(path, {"sex": ["f", "m", "m", "f"], "age": [40, 40, 50, 40]}).risk(2).unique_vertices
    2
    """
    columns = {name: np.asarray(values, dtype=object) for name, values in attributes.items()}
    for name, column in columns.items():
        if column.shape != (graph.n,):
            raise InvalidInput(f"the attribute {name!r} must have one value for each of the {graph.n} vertices")
    number: dict[tuple[object, ...], int] = {}
    rows = zip(graph.degrees().tolist(), *(column.tolist() for column in columns.values()), strict=True)
    return CandidateSets(np.array([number.setdefault(row, len(number)) for row in rows], dtype=np.int64))
