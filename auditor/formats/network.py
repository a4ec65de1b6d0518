"""What a network file holds once it is read: the graph, whose vertex is whose, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from graphkit.networks.graph import DroppedEdges, SimpleGraph

__all__ = ["LoadedNetwork", "ReadNotes"]

LabelArray = NDArray[np.int64] | NDArray[np.object_]


@dataclass(frozen=True, slots=True)
class ReadNotes:
    """What a reader dropped or decided; counts and column names only, so it may be shown."""

    format: str
    dropped: DroppedEdges = field(default_factory=DroppedEdges)
    dropped_columns: tuple[str, ...] = ()
    """Edge weights, timestamps and other edge columns: they would mark added edges."""
    symmetrized: bool = False
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class LoadedNetwork:
    """A network as read from a file or the store.

    Parameters
    ----------
    graph : SimpleGraph
        Vertices ``0 .. n-1`` in canonical order: ascending by label, numerically where all labels
        are integers, else as strings; so the order of lines in a file changes nothing.
    labels : ndarray, shape (n,)
        Original vertex ids: int64, or object array of str. Protected.
    attributes : mapping of str to ndarray of str, shape (n,)
        Vertex attributes as strings, the empty string where missing. Protected.
    notes : ReadNotes
    """

    graph: SimpleGraph
    labels: LabelArray
    attributes: Mapping[str, NDArray[np.object_]] = field(default_factory=dict)
    notes: ReadNotes = ReadNotes(format="memory")
