"""New edges of the default method beside those of the methods for comparison, on the same graphs in the same run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.networks import barabasi_albert, load
from benchmarks.row import Row
from graphkit.networks.graphs.graph import SimpleGraph

_NETWORKS = (
    "karate",
    "dolphins",
    "football",
    "polblogs",
    "netscience",
    "power",
    "ca-GrQc",
    "ca-HepTh",
    "lastfm_asia",
    "ca-AstroPh",
    "email-Enron",
    "coAuthorsDBLP",
)
_BARABASI_ALBERT = (2_000, 20_000)
_K = (2, 5, 10)
_SEED = 1
# number of vertices up to which a method is run: open code of Liu–Terzi gets no further, two-phase takes its time
_LARGEST = {"liu-terzi": 20_000, "two-phase": 20_000}
_PEERS = ("clustering", "liu-terzi", "two-phase")


def run(data_dir: Path | None) -> list[Row]:
    """Compare on the cited networks that are at hand and on Barabási–Albert graphs; every result is checked."""
    rows: list[Row] = []
    fewer = dict.fromkeys(_PEERS, 0)
    cells = dict.fromkeys(_PEERS, 0)
    for name, graph in _graphs(data_dir):
        for k in _K:
            sizes = {peer: _edges(graph, k, peer) for peer in _PEERS if graph.n <= _LARGEST.get(peer, graph.n)}
            ours = _edges(graph, k, "optimal")
            peer = ", ".join(f"{method}: {size}" for method, size in sizes.items())
            rows.append(Row(f"peers: edges added, {name} k = {k}", ours, "edges", min(sizes.values()), peer))
            for method, size in sizes.items():
                cells[method] += 1
                fewer[method] += ours < size
    for method, count in cells.items():
        rows.append(Row(f"peers: cells without fewer edges than {method}", count - fewer[method], f"of {count} cells"))
    return rows


def _graphs(data_dir: Path | None) -> Iterator[tuple[str, SimpleGraph]]:
    for name in _NETWORKS:
        graph = load(data_dir, name)
        if graph is not None:
            yield name, graph
    for n in _BARABASI_ALBERT:
        yield f"Barabási–Albert n = {n}, m = 3", barabasi_albert(n, 3, _SEED)


def _edges(graph: SimpleGraph, k: int, method: str) -> int:
    from graphkit.networks import anonymize
    from graphkit.networks.risk.degree_risk import is_k_anonymous

    result = anonymize(graph, k, method=method, seed=_SEED)
    released = SimpleGraph.from_edges(np.concatenate((graph.edges, result.edges)), graph.n)
    assert released.m == graph.m + result.size
    assert is_k_anonymous(np.bincount(released.degrees()), k)
    return result.size
