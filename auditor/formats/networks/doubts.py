"""Signs that a table that was read as edges is something else: a list of properties, records, measurements."""

import re

import numpy as np
from numpy.typing import NDArray

from auditor.formats.networks.loaded import LabelArray, Layout, bare_name
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.numbers import counted

# below these a network of a few people looks like anything
_FEW_EDGES = 3
_FEW_ROWS = 10
_MANY_ROWS = 20
_FEW_VERTICES = 20
_SAMPLE = 1_000
_FRACTION = re.compile(r"[-+]?[0-9]*\.[0-9]+([eE][-+]?[0-9]+)?")
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9:.+Z-]*)?|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}")


def doubts_of(rows: NDArray[np.int64], labels: LabelArray, graph: SimpleGraph, layout: Layout) -> tuple[str, ...]:
    """Return why a table of edges may hold no network; nothing where it looks like one.

    Parameters
    ----------
    rows : ndarray of int64, shape (r, 2)
        The vertices in each row of the table, loops and repetitions included.
    labels : ndarray, shape (n,)
        The vertex ids; none of them is told.
    graph : SimpleGraph
        What was made of the rows.
    layout : Layout
        How the table was understood.

    Notes
    -----
    O(r + n). A network may show such a sign, too: it is read all the same. The signs hold counts and column names.
    """
    count = rows.shape[0]
    if count == 0:
        return ()
    doubts = []
    if graph.m >= _FEW_EDGES and int(graph.degrees().max()) == 1:
        doubts.append("every vertex has one edge at most, as in a table of ids and names")
    ends = [np.bincount(rows[:, side], minlength=graph.n) for side in (0, 1)]
    if count >= _FEW_ROWS:
        once = [name for name, times in zip(layout.columns, ends, strict=True) if int(times.max()) == 1]
        if once and not doubts:
            doubts.append(
                f"every value of column {bare_name(once[0])} is there once, as in a table of one row a person"
            )
        if not np.any((ends[0] > 0) & (ends[1] > 0)) and not doubts:
            doubts.append("the two columns have no value in common, as in a table of people and what they belong to")
    if count >= _MANY_ROWS and graph.n <= _FEW_VERTICES and 20 * graph.m <= count:
        edges = counted(graph.m, "different edge", "different edges")
        doubts.append(f"{counted(count, 'row', 'rows')} hold {edges}, as in a table of categories or a matrix")
    doubts += [
        f"most values of column {bare_name(name)} are fractions or dates, as in a table of measurements"
        for name, times in zip(layout.columns, ends, strict=True)
        if _are_measured(labels, times)
    ]
    return tuple(doubts)


def _are_measured(labels: LabelArray, times: NDArray[np.int64]) -> bool:
    """Whether most of the values of a column are fractions or dates."""
    if labels.dtype != object:
        return False
    there = np.flatnonzero(times)[:_SAMPLE]
    found = sum(bool(_FRACTION.fullmatch(text) or _DATE.fullmatch(text)) for text in labels[there].tolist())
    return 2 * found > there.size
