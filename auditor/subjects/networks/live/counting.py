"""The block sequence of a live graph, counted in its database: nothing is read but one number a degree."""

import numpy as np

from auditor.core.errors import BadInput
from auditor.subjects.networks.live.opening import LiveGraph
from auditor.subjects.networks.live.projection import Projection
from auditor.subjects.networks.live.queries import block_query, unweighted_query
from graphkit.arrays import Ints


def count_blocks(graph: LiveGraph, projection: Projection) -> Ints:
    """Return how many vertices of a projection have each degree, shape (Δ+1,).

    Raises
    ------
    BadInput
        If there is no vertex, a relationship has no number as its weight, or the server does not take a condition.
    """
    check_weights(graph, projection)
    return blocks_now(graph, projection)


def blocks_now(graph: LiveGraph, projection: Projection) -> Ints:
    """Return what :func:`count_blocks` does, where weights were checked before.

    Raises
    ------
    BadInput
        If there is no vertex, or the server does not take a condition.
    """
    records = list(graph.rows(block_query(projection), {"least": projection.at_least}))
    if not records:
        raise no_vertex(projection)
    blocks = np.zeros(max(record["degree"] for record in records) + 1, dtype=np.int64)
    for record in records:
        blocks[record["degree"]] = record["size"]
    return blocks


def check_weights(graph: LiveGraph, projection: Projection) -> None:
    """Refuse weights that are no numbers.

    Raises
    ------
    BadInput
        If there is one.
    """
    if projection.weight is not None:
        (record,) = graph.rows(unweighted_query(projection))
        if record["found"]:
            raise no_number(projection)


def no_number(projection: Projection) -> BadInput:
    """Return the error of a weight that is none."""
    return BadInput(f"a relationship has no number as {projection.weight}; leave out --weight, or those with none")


def no_vertex(projection: Projection) -> BadInput:
    """Return the error of a projection without vertices."""
    condition = " that meets --where" if projection.where is not None else ""
    return BadInput(f"the graph holds no node labelled {'|'.join(projection.labels)}{condition}; check --nodes")
