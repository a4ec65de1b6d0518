"""Read the network that a projection sees in a live graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from auditor.core.errors import BadInput
from auditor.core.progress import Progress, silent
from auditor.formats.networks.assembly import Parts, assemble
from auditor.formats.networks.loaded import LabelArray, LoadedNetwork
from auditor.subjects.networks.live.counting import blocks_now, check_weights, no_number, no_vertex
from auditor.subjects.networks.live.opening import LiveGraph
from auditor.subjects.networks.live.projection import Projection
from auditor.subjects.networks.live.queries import rows_query
from graphkit.arrays import Ints
from graphkit.numbers import count, counted

MOST_SHARED_PAIRS = 200_000_000
"""Pairs of vertices that share something, each counted as often as they do, up to which they are projected."""
SEVERAL_STATES = "warning: the graph changed while it was read, so this is no single state of it; read it when it rests"
_READINGS = 2
_TOLD_EVERY = 10_000


@dataclass(frozen=True, slots=True)
class _Named:
    """What is said to be wrong with a live graph."""

    name: str

    def bad(self, reason: str, line: int | None = None) -> BadInput:
        return BadInput(f"{self.name} {reason}")


@dataclass(slots=True)
class _Read:
    """Rows as they come."""

    elements: list[str]
    keys: list[Any]
    attributes: list[list[str | None]]
    offsets: list[int]
    others: list[str]
    weights: list[float]


def read_graph(graph: LiveGraph, projection: Projection, name: str, progress: Progress | None = None) -> LoadedNetwork:
    """Return the network that a projection sees.

    Parameters
    ----------
    graph : LiveGraph
    projection : Projection
    name : str
        How messages name the graph.
    progress : callable, optional
        Told how many vertices were read.

    Raises
    ------
    BadInput
        If there is no vertex, one lacks its key or has that of another, a weight is no number, vertices share so much
        that the pairs cannot be held, or the server does not take a condition.

    Notes
    -----
    One query, one row a vertex, streamed; O(vertices + relationships) here, O(relationships of a vertex) there. The
    server shows each row as it is committed when it comes to it, so the degrees are counted there afterwards: where
    they are others, the graph is read once more, and if that does not help, the network says so.
    """
    check_weights(graph, projection)
    for _ in range(_READINGS):
        loaded = _read(graph, projection, name, progress or silent)
        if _is_one_state(graph, projection, loaded):
            return loaded
    return replace(loaded, notes=replace(loaded.notes, remarks=(*loaded.notes.remarks, SEVERAL_STATES)))


def _is_one_state(graph: LiveGraph, projection: Projection, loaded: LoadedNetwork) -> bool:
    try:
        return np.array_equal(blocks_now(graph, projection), loaded.graph.block_sequence())
    except BadInput:
        # no vertex is left
        return False


def _read(graph: LiveGraph, projection: Projection, name: str, progress: Progress) -> LoadedNetwork:
    read = _rows(graph, projection, progress)
    if not read.elements:
        raise no_vertex(projection)
    ends, remarks = (_shared if projection.through else _tied)(read, projection)
    parts = Parts(
        _labels(read, projection),
        ends,
        {
            name: ["" if row[place] is None else str(row[place]) for row in read.attributes]
            for place, name in enumerate(projection.attributes)
        },
        directed=True,
        remarks=remarks,
    )
    return assemble(_Named(name), parts, format="graph", symmetrize=True, directed=None)


def _rows(graph: LiveGraph, projection: Projection, progress: Progress) -> _Read:
    read = _Read([], [], [], [0], [], [])
    is_weighted = projection.weight is not None
    for record in graph.rows(rows_query(projection)):
        element, key, attributes, others = record.values()
        read.elements.append(element)
        read.keys.append(key)
        read.attributes.append(attributes)
        if is_weighted:
            read.others += [other for other, _ in others]
            # they were checked, and may have changed since
            if any(not isinstance(weight, (int, float)) for _, weight in others):
                raise no_number(projection)
            read.weights += [float(weight) for _, weight in others]
        else:
            read.others += others
        read.offsets.append(len(read.others))
        if len(read.elements) % _TOLD_EVERY == 0:
            progress("read vertices", len(read.elements), 0)
    return read


def _labels(read: _Read, projection: Projection) -> LabelArray | list[str]:
    if projection.key is None:
        return read.elements
    if any(key is None for key in read.keys):
        raise BadInput(f"a node has no {projection.key}; name by --key what all have, or leave those out by --where")
    if all(type(key) is int for key in read.keys):
        return np.array(read.keys, dtype=np.int64)
    return [key if isinstance(key, str) else str(key) for key in read.keys]


def _places(names: list[str], place: dict[str, int]) -> Ints:
    get: Callable[[str, int], int] = place.get
    return np.fromiter((get(name, -1) for name in names), dtype=np.int64, count=len(names))


def _tied(read: _Read, projection: Projection) -> tuple[Ints, tuple[str, ...]]:
    """Return the ties of vertices that relationships tie, and what is to be said of them."""
    place = {element: at for at, element in enumerate(read.elements)}
    ends = np.column_stack(
        (np.repeat(np.arange(len(read.elements)), np.diff(read.offsets)), _places(read.others, place))
    )
    inside = (ends[:, 1] >= 0) & (ends[:, 0] != ends[:, 1])
    weights = np.array(read.weights) if projection.weight is not None else np.ones(len(ends))
    ends, weights = np.sort(ends[inside], axis=1), weights[inside]
    pairs, of = np.unique(ends[:, 0] * len(read.elements) + ends[:, 1], return_inverse=True)
    tied = pairs[np.bincount(of, weights, pairs.size) >= projection.at_least] if pairs.size else pairs
    remarks = [f"{counted(len(ends), 'relationship', 'relationships')} between {counted(pairs.size, 'pair', 'pairs')}"]
    if tied.size < pairs.size:
        remarks.append(f"{count(pairs.size - tied.size)} of them with less than {projection.at_least:g} are no ties")
    return np.column_stack(np.divmod(tied, len(read.elements))), tuple(remarks)


def _shared(read: _Read, projection: Projection) -> tuple[Ints, tuple[str, ...]]:
    """Return the ties of vertices that share something, and what is to be said of them."""
    from scipy.sparse import coo_array, triu

    names = sorted(set(read.others))
    columns = _places(read.others, {name: at for at, name in enumerate(names)})
    rows = np.repeat(np.arange(len(read.elements)), np.diff(read.offsets))
    shape = (len(read.elements), max(1, len(names)))
    shares = coo_array((np.ones(rows.size, dtype=np.int32), (rows, columns)), shape=shape).tocsr()
    # who is tied twice to a thing shares it once
    shares.data[:] = 1
    pairs = int((np.bincount(shares.indices, minlength=1).astype(np.int64) ** 2).sum())
    if pairs > MOST_SHARED_PAIRS:
        raise BadInput(
            f"more than {count(MOST_SHARED_PAIRS)} pairs of nodes share a {'|'.join(projection.through)}: too many to "
            "hold; name smaller ones by --through, or fewer nodes by --where"
        )
    common = triu(shares @ shares.T, 1).tocoo()
    tied = common.data >= projection.at_least
    remarks = (
        f"{counted(len(names), 'node is', 'nodes are')} shared; "
        f"{counted(int(common.data.size), 'pair', 'pairs')} of vertices share at least one",
    )
    return np.column_stack((common.coords[0][tied], common.coords[1][tied])).astype(np.int64), remarks
