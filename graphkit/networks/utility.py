"""What an analyst would find in a graph, and how much of it a release keeps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphkit.networks.distances import earth_mover_distance, kolmogorov_smirnov_distance
from graphkit.networks.graph import SimpleGraph

__all__ = ["Change", "Comparison", "Distance", "Measure", "Utility", "compare", "utility"]

_EXACT_UP_TO = 20_000
_SOURCES = 64


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure about a graph."""

    name: str
    value: float | None
    """None where the graph does not define it; `note` says why."""
    error: float | None = None
    """Standard error, where the figure was estimated from a sample."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Utility:
    """What an analyst would find in one graph."""

    measures: tuple[Measure, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """One figure before and after."""

    name: str
    before: float | None
    after: float | None
    note: str = ""

    @property
    def relative(self) -> float | None:
        """(after − before) / |before|, where that is defined."""
        if self.before is None or self.after is None or self.before == 0:
            return None
        return (self.after - self.before) / abs(self.before)


@dataclass(frozen=True, slots=True)
class Distance:
    """How far two distributions are apart; 0 means equal."""

    name: str
    value: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two graphs, measure by measure."""

    changes: tuple[Change, ...]
    distances: tuple[Distance, ...]


def utility(graph: SimpleGraph, *, seed: int | np.random.Generator = 0) -> Utility:
    """Return what an analyst would find in a graph.

    Parameters
    ----------
    graph : SimpleGraph
        The graph.
    seed : int or numpy.random.Generator, optional
        Chooses the sources of sampled path lengths.

    Returns
    -------
    Utility
        Mean and largest degree, clustering (global: transitivity; local: mean over vertices of degree at least 2),
        degree assortativity, components, share of vertices in the largest, mean path length over connected pairs.

    Notes
    -----
    Path lengths are exact up to 20 000 vertices and estimated from 64 random sources above, with the standard error
    over sources. O(n·m) up to there, O(m) a source above; triangles O(m^1.5).

    Examples
    --------
    >>> figures = {m.name: m.value for m in utility(SimpleGraph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)])).measures}
    >>> round(figures["global clustering"], 3), figures["components"]
    (0.6, 1.0)
    """
    whole = graph.to_igraph()
    degrees = graph.degrees()
    return Utility(
        (
            _defined("mean degree", float(degrees.mean()) if graph.n else math.nan, "no vertex"),
            _defined("largest degree", float(degrees.max()) if graph.n else math.nan, "no vertex"),
            _defined("global clustering", float(whole.transitivity_undirected()), "no two edges meet"),
            _defined("local clustering", _local_clustering(whole), "no vertex has two neighbours"),
            _defined("degree assortativity", _assortativity(whole), "all edges join equal degrees, or there is none"),
            *_components(whole, graph.n),
            _path_length(whole, np.random.default_rng(seed)),
        )
    )


def compare(original: SimpleGraph, released: SimpleGraph, *, seed: int = 0) -> Comparison:
    """Return how much of an original a released graph keeps; the vertices need not correspond.

    Parameters
    ----------
    original, released : SimpleGraph
        The two graphs.
    seed : int, optional
        Chooses the sources of sampled path lengths, in both graphs.

    Examples
    --------
    >>> path = SimpleGraph.from_edges([(0, 1), (1, 2)])
    >>> [d.value for d in compare(path, path).distances]
    [0.0, 0.0]
    """
    before, after = utility(original, seed=seed), utility(released, seed=seed)
    changes = tuple(
        Change(a.name, a.value, b.value, a.note or b.note) for a, b in zip(before.measures, after.measures, strict=True)
    )
    first, second = original.degrees(), released.degrees()
    if first.size == 0 or second.size == 0:
        return Comparison(changes, ())
    return Comparison(
        changes,
        (
            Distance("degree distribution, Kolmogorov–Smirnov", kolmogorov_smirnov_distance(first, second)),
            Distance("degree distribution, earth mover", earth_mover_distance(first, second)),
        ),
    )


def _defined(name: str, value: float, otherwise: str) -> Measure:
    return Measure(name, None, note=otherwise) if math.isnan(value) else Measure(name, value)


def _local_clustering(whole: Any) -> float:
    return float(whole.transitivity_avglocal_undirected(mode="nan"))


def _assortativity(whole: Any) -> float:
    return float(whole.assortativity_degree(directed=False)) if whole.ecount() else math.nan


def _components(whole: Any, n: int) -> tuple[Measure, Measure]:
    sizes = whole.connected_components().sizes()
    share = max(sizes) / n if n else math.nan
    return Measure("components", float(len(sizes))), _defined("share in the largest component", share, "no vertex")


def _path_length(whole: Any, rng: np.random.Generator) -> Measure:
    name, nothing = "mean path length", "no two vertices are connected"
    n = whole.vcount()
    if n <= _EXACT_UP_TO:
        value = float(whole.average_path_length(directed=False, unconn=True)) if whole.ecount() else math.nan
        return _defined(name, value, nothing)
    sources = np.sort(rng.choice(n, _SOURCES, replace=False))
    totals = np.array([_distance_sum(whole, int(source)) for source in sources])
    pairs = float(totals[:, 1].sum())
    if pairs == 0:
        return Measure(name, None, note="no two vertices of the sample are connected")
    value = float(totals[:, 0].sum()) / pairs
    # ratio estimator: the residuals of the sources carry its error
    residuals = totals[:, 0] - value * totals[:, 1]
    error = math.sqrt(float((residuals**2).sum()) / (_SOURCES * (_SOURCES - 1))) / (pairs / _SOURCES)
    return Measure(name, value, error, f"estimated from {_SOURCES} random sources")


def _distance_sum(whole: Any, source: int) -> tuple[float, float]:
    """Return the sum of distances from a vertex to those it reaches, and their number."""
    order, starts, _ = whole.bfs(source)
    bounds = np.array(starts, dtype=np.int64)
    sizes = bounds[1:] - bounds[:-1]
    return float((np.arange(sizes.size) * sizes).sum()), float(len(order) - 1)
