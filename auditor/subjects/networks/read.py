"""Read a whole network back from the store."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from auditor.formats.networks.loaded import LoadedNetwork, ReadNotes
from auditor.subjects.networks.parts import ties_within, vertex_ranges, vertices_within
from graphkit.networks.graphs.graph import SimpleGraph

if TYPE_CHECKING:
    from auditor.store.connection import Connection

_VERTICES = 50_000
_EDGES = 200_000


def read_content(
    connection: Connection, network: int, attribute_names: list[str], *, integer_labels: bool
) -> LoadedNetwork:
    """Return a stored network as it is; whether that is what was stored, its checksum tells.

    Notes
    -----
    Lists packed by the server: a row an edge takes thirty times as long.
    """
    indices: list[int] = []
    labels: list[Any] = []
    attributes: list[list[str]] = []
    low: list[NDArray[np.int64]] = []
    high: list[NDArray[np.int64]] = []
    for start, end in vertex_ranges(connection, network, _VERTICES, _EDGES):
        vertices = vertices_within(connection, network, start, end)
        indices += vertices["indices"]
        labels += vertices["labels"]
        attributes += vertices["attributes"]
        edges = ties_within(connection, network, start, end)
        low.append(np.array(edges["low"], dtype=np.int64))
        high.append(np.array(edges["high"], dtype=np.int64))
    order = np.argsort(np.array(indices, dtype=np.int64))
    columns = zip(*attributes, strict=False) if attributes else ((),) * len(attribute_names)
    return LoadedNetwork(
        SimpleGraph(len(indices), _canonical(low, high, len(indices))),
        np.array(labels, dtype=np.int64 if integer_labels else object)[order],
        {name: np.array(column, dtype=object)[order] for name, column in zip(attribute_names, columns, strict=False)},
        ReadNotes(format="store"),
    )


def _canonical(low: list[NDArray[np.int64]], high: list[NDArray[np.int64]], n: int) -> NDArray[np.int64]:
    if not low:
        return np.empty((0, 2), dtype=np.int64)
    keys = np.sort(np.concatenate(low) * n + np.concatenate(high))
    return np.column_stack((keys // max(n, 1), keys % max(n, 1)))
