"""The cited networks, and a store to measure in that is nobody's own."""

from __future__ import annotations

import gzip
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from benchmarks.process import auditor
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.graphs.interchange import as_simple_graph


def load(data_dir: Path | None, name: str) -> SimpleGraph | None:
    """Return a cited network, or None where it is not at hand."""
    path = data_dir / f"{name}.npz" if data_dir is not None else None
    if path is None or not path.exists():
        return None
    with np.load(path) as arrays:
        return SimpleGraph.from_edges(arrays["edges"].astype(np.int64), int(arrays["n"]))


def barabasi_albert(n: int, m: int, seed: int) -> SimpleGraph:
    """Return the graph that networkx makes by preferential attachment: m edges a new vertex."""
    import networkx as nx

    return as_simple_graph(nx.barabasi_albert_graph(n, m, seed=seed))


def dense_random(n: int, density: float, seed: int) -> SimpleGraph:
    """Return the graph that networkx makes by joining each pair with that probability."""
    import networkx as nx

    return as_simple_graph(nx.gnp_random_graph(n, density, seed=seed))


def near_clique(n: int, hubs: int, density: float, seed: int) -> SimpleGraph:
    """Return a power law (exponent 2.5, about 3n edges) whose first vertices are joined by that share of all pairs."""
    rng = np.random.default_rng([seed, hubs, round(1000 * density)])
    weights = (np.arange(n) + 10.0) ** (-1 / 1.5)
    edges = rng.choice(n, size=(3 * n, 2), p=weights / weights.sum())
    pairs = np.column_stack(np.triu_indices(hubs, 1))
    return SimpleGraph.from_edges(np.concatenate((edges, pairs[rng.random(pairs.shape[0]) < density])), n)


def dominant_hub(n: int, second: int, seed: int) -> SimpleGraph:
    """Return a graph in which the first vertex knows everybody and the second one many; others are joined at random."""
    rng = np.random.default_rng([seed, n, second])
    others = np.arange(1, n)
    known = others[1 : second + 1]
    pairs = rng.integers(2, n, size=(2 * n, 2))
    edges = (
        np.column_stack((np.zeros_like(others), others)),
        np.column_stack((np.ones_like(known), known)),
        pairs[pairs[:, 0] != pairs[:, 1]],
    )
    return SimpleGraph.from_edges(np.concatenate(edges), n)


def overlapping_groups(n: int, groups: int, largest: int, seed: int) -> SimpleGraph:
    """Return a graph of groups, sizes of a power law of 2.1, whose members all know each other; few are in most."""
    rng = np.random.default_rng([seed, n, groups])
    chance = np.arange(1, n + 1) ** -0.6
    chance /= chance.sum()
    sizes = np.minimum(2 * (1 - rng.random(groups)) ** (-1 / 1.1), largest).astype(np.int64)
    members = [rng.choice(n, size=size, replace=False, p=chance) for size in sizes.tolist()]
    pairs = [one[np.column_stack(np.triu_indices(one.size, 1))] for one in members]
    return SimpleGraph.from_edges(np.concatenate(pairs), n)


def of_fitness(n: int, density: float, spread: float, seed: int) -> SimpleGraph:
    """Return a graph of that share of all pairs, those of the highest fitness, as in trade: log-normal, with noise."""
    rng = np.random.default_rng([seed, n, round(100 * density)])
    fitness = np.exp(rng.normal(0, spread, n))
    first, second = np.triu_indices(n, 1)
    weights = fitness[first] * fitness[second] * np.exp(rng.normal(0, 0.7, first.size))
    is_edge = weights > np.quantile(weights, 1 - density)
    return SimpleGraph.from_edges(np.column_stack((first[is_edge], second[is_edge])), n)


def write_edge_list(graph: SimpleGraph, path: Path) -> Path:
    """Write a network as an edge list with a header, gzipped as such files come."""
    with gzip.open(path, "wt", compresslevel=6, encoding="ascii") as stream:
        stream.write("source,target\n")
        stream.writelines(f"{low},{high}\n" for low, high in graph.edges.tolist())
    return path


@contextmanager
def private_store() -> Iterator[dict[str, str]]:
    """Yield the environment of a new local store, which is stopped and removed at the end.

    The server's jars are shared with the user's own store: fetching them is not what is measured.
    """
    with tempfile.TemporaryDirectory() as home:
        environment = {"AUDITOR_HOME": home, "NEO4J_URI": "local", "AUDITOR_CONFIG": ""}
        try:
            yield environment
        finally:
            subprocess.run(
                auditor("store", "stop"), env={**os.environ, **environment}, capture_output=True, check=False
            )
