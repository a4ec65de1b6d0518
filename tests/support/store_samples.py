"""Networks for the tests of the store."""

from __future__ import annotations

import numpy as np

from auditor.formats.networks.loaded import LoadedNetwork
from graphkit.networks.graphs.graph import SimpleGraph

__all__ = ["random_network", "same_network"]


def random_network(
    seed: int, n: int = 30, m: int = 60, *, text_labels: bool = False, attributes: int = 0
) -> LoadedNetwork:
    """Return a random network with isolated vertices and a hub; labels are not the indices."""
    generator = np.random.default_rng(seed)
    edges = generator.integers(0, n, (m, 2)) if n else np.empty((0, 2), dtype=np.int64)
    hub = np.column_stack((np.zeros(n // 3, dtype=np.int64), np.arange(n // 3)))
    graph = SimpleGraph.from_edges(np.concatenate((edges, hub)), n)
    labels = np.sort(generator.choice(10**6, n, replace=False)) - 1000
    columns = {f"column {i}": _texts([f"ä\n'{value}" for value in range(n)]) for i in range(attributes)}
    return LoadedNetwork(graph, _texts([f'label "{x}"' for x in labels]) if text_labels else labels, columns)


def same_network(a: LoadedNetwork, b: LoadedNetwork) -> bool:
    """Whether two networks are equal in everything but their notes."""
    return (
        a.graph.n == b.graph.n
        and np.array_equal(a.graph.edges, b.graph.edges)
        and a.labels.dtype == b.labels.dtype
        and a.labels.tolist() == b.labels.tolist()
        and {name: column.tolist() for name, column in a.attributes.items()}
        == {name: column.tolist() for name, column in b.attributes.items()}
    )


def _texts(values: list[str]) -> np.ndarray[tuple[int], np.dtype[np.object_]]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
