"""Files that know vertices only by number, and say that the rows of a vertex file tell who they are."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from auditor.formats.networks.loaded import LoadedNetwork

MARK = "vertices are the rows of the vertex file beside this file"
"""The comment line that tells a reader to look there; without it, vertices are called by their numbers."""


def row_labels(n: int, first: int) -> NDArray[np.int64]:
    """Return the labels `first` … `first` + n - 1."""
    return np.arange(first, first + n, dtype=np.int64)


def is_numbered(network: LoadedNetwork, first: int) -> bool:
    """Whether the labels are `first` … `first` + n - 1, so that numbers say all."""
    return network.labels.dtype != object and bool(np.array_equal(network.labels, row_labels(network.graph.n, first)))


def by_position(network: LoadedNetwork, first: int) -> LoadedNetwork:
    """Return the network with numbers from `first` for labels and no attributes."""
    return replace(network, labels=row_labels(network.graph.n, first), attributes={})
