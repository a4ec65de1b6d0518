"""What an analyst would find in a graph, and how much of it a release keeps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphkit.networks.distances import earth_mover_distance, kolmogorov_smirnov_distance
from graphkit.networks.graph import SimpleGraph
from graphkit.networks.path_lengths import path_lengths

__all__ = ["Change", "Comparison", "Distance", "Measure", "Utility", "compare", "utility"]


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

    def __getitem__(self, name: str) -> Measure:
        """Return the measure of a name.

        Raises
        ------
        KeyError
            If there is none of that name.
        """
        for measure in self.measures:
            if measure.name == name:
                return measure
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class Change:
    """One figure before and after."""

    name: str
    before: float | None
    after: float | None
    note: str = ""

    @property
    def absolute(self) -> float | None:
        """After − before, where both are defined."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before

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
    """Two graphs, measure by measure. Protected: the measures of an original tell how many edges were added."""

    before: Utility
    after: Utility
    distances: tuple[Distance, ...]
    """Between the degree distributions; none when a graph has no vertex."""

    @property
    def changes(self) -> tuple[Change, ...]:
        """Every measure before and after."""
        pairs = zip(self.before.measures, self.after.measures, strict=True)
        return tuple(Change(a.name, a.value, b.value, a.note or b.note) for a, b in pairs)


def utility(graph: SimpleGraph, *, seed: int | np.random.Generator = 0, sample: int = 64) -> Utility:
    """Return what an analyst would find in a graph.

    Parameters
    ----------
    graph : SimpleGraph
        The graph.
    seed : int or numpy.random.Generator, optional
        Chooses the sources of sampled path lengths.
    sample : int, optional
        Number of those sources, at least 2.

    Returns
    -------
    Utility
        Mean and largest degree, clustering (global: transitivity; local: mean over vertices of degree at least 2),
        degree assortativity, components, size and share of the largest, mean path length and effective diameter
        over connected pairs.

    Raises
    ------
    InvalidInput
        If `sample` is below 2.

    Notes
    -----
    Triangles O(m^1.5); path lengths as :func:`graphkit.networks.path_lengths.path_lengths`: exact on small graphs,
    estimated from random sources, with a standard error, on large ones.

    Examples
    --------
    >>> figures = utility(SimpleGraph.from_edges([(0, 1), (1, 2), (0, 2), (2, 3)]))
    >>> round(figures["global clustering"].value, 3), figures["components"].value
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
            *_path_measures(graph, seed, sample),
        )
    )


def compare(original: SimpleGraph, released: SimpleGraph, *, seed: int = 0, sample: int = 64) -> Comparison:
    """Return how much of an original a released graph keeps; the vertices need not correspond.

    Parameters
    ----------
    original, released : SimpleGraph
        The two graphs.
    seed : int, optional
        Chooses the sources of sampled path lengths, in both graphs.
    sample : int, optional
        Number of those sources, at least 2.

    Raises
    ------
    InvalidInput
        If `sample` is below 2.

    Examples
    --------
    >>> path = SimpleGraph.from_edges([(0, 1), (1, 2)])
    >>> [d.value for d in compare(path, path).distances]
    [0.0, 0.0]
    """
    before = utility(original, seed=seed, sample=sample)
    after = utility(released, seed=seed, sample=sample)
    first, second = original.degrees(), released.degrees()
    if first.size == 0 or second.size == 0:
        return Comparison(before, after, ())
    distances = (
        Distance("degree distribution, Kolmogorov–Smirnov", kolmogorov_smirnov_distance(first, second)),
        Distance("degree distribution, earth mover", earth_mover_distance(first, second)),
    )
    return Comparison(before, after, distances)


def _defined(name: str, value: float, otherwise: str) -> Measure:
    return Measure(name, None, note=otherwise) if math.isnan(value) else Measure(name, value)


def _local_clustering(whole: Any) -> float:
    return float(whole.transitivity_avglocal_undirected(mode="nan"))


def _assortativity(whole: Any) -> float:
    return float(whole.assortativity_degree(directed=False)) if whole.ecount() else math.nan


def _components(whole: Any, n: int) -> tuple[Measure, Measure, Measure]:
    sizes = whole.connected_components().sizes()
    largest = max(sizes, default=0)
    return (
        Measure("components", float(len(sizes))),
        Measure("largest component", float(largest)),
        _defined("share in the largest component", largest / n if n else math.nan, "no vertex"),
    )


def _path_measures(graph: SimpleGraph, seed: int | np.random.Generator, sample: int) -> tuple[Measure, Measure]:
    found = path_lengths(graph, seed=seed, sample=sample)
    note = f"estimated from {found.sources} random sources" if found.sources is not None else ""
    if found.mean is None:
        note = "no two vertices of the sample are connected" if found.sources else "no two vertices are connected"
    return (
        Measure("mean path length", found.mean, found.mean_error, note),
        Measure("effective diameter", found.effective_diameter, found.effective_diameter_error, note),
    )
