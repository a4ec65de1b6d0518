"""Lengths of shortest paths: exact where that is quick, otherwise from random sources with their standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import coo_array

from graphkit.arrays import Floats, Ints, Rng
from graphkit.errors import InvalidInput
from graphkit.kernels import compiled
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.utility.jackknife import jackknife_error

_EXACT_VERTICES = 20_000
_EXACT_WORK = 400_000_000
"""Largest n·m for which a search from every vertex takes about a second."""
_EFFECTIVE_SHARE = 0.9


@dataclass(frozen=True, slots=True)
class PathLengths:
    """Distances between the pairs of vertices that are connected; None where no pair is."""

    mean: float | None
    effective_diameter: float | None
    """Distance within which 90 % of the connected pairs lie, interpolated between whole distances."""
    mean_error: float | None = None
    """Standard error of the mean; None when it is exact."""
    effective_diameter_error: float | None = None
    sources: int | None = None
    """Number of random sources; None when all vertices were searched from."""
    mean_replicates: tuple[float, ...] = field(default=(), repr=False)
    """The mean with each source left out."""
    effective_diameter_replicates: tuple[float, ...] = field(default=(), repr=False)


def path_lengths(
    graph: SimpleGraph, *, seed: int | Rng = 0, sample: int = 64, whole: bool | None = None
) -> PathLengths:
    """Return the mean shortest path length and the effective diameter of a graph.

    Parameters
    ----------
    graph : SimpleGraph
        The graph; pairs of vertices that are not connected do not count.
    seed : int or numpy.random.Generator, optional
        Chooses the sources where not all vertices are searched from.
    sample : int, optional
        Number of sources then, at least 2.
    whole : bool, optional
        Whether to search from every vertex; by default where that is quick.

    Raises
    ------
    InvalidInput
        If `sample` is below 2.

    Notes
    -----
    Exact up to 20 000 vertices while n·m is at most 4·10⁸: O(n·m) time. Otherwise O(m) a source, and standard errors by
    the delete-one jackknife over the sources. O(n + m) space, and one number a source and distance.

    Examples
    --------
    >>> lengths = path_lengths(SimpleGraph.from_edges([(0, 1), (1, 2), (2, 3)]))
    >>> round(lengths.mean, 3), round(lengths.effective_diameter, 3), lengths.sources
    (1.667, 2.4, None)

    References
    ----------
    Leskovec, Kleinberg, Faloutsos 2005, "Graphs over time" (effective diameter).
    """
    if sample < 2:
        raise InvalidInput(f"sample ({sample}) must be at least 2")
    if graph.m == 0:
        return PathLengths(None, None)
    if whole is None:
        whole = is_searched_whole(graph.n, graph.m, sample)
    if whole or graph.n <= sample:
        total = np.zeros(graph.n, dtype=np.int64)
        for counts in _distance_counts(graph, np.arange(graph.n)):
            total[: counts.size] += counts
        return PathLengths(_mean(total), _effective_diameter(total))
    sources = np.sort(np.random.default_rng(seed).choice(graph.n, sample, replace=False))
    each = list(_distance_counts(graph, sources))
    table = np.zeros((sample, max(counts.size for counts in each)), dtype=np.int64)
    for row, counts in zip(table, each, strict=True):
        row[: counts.size] = counts
    total = table.sum(axis=0)
    if total[1:].sum() == 0:
        return PathLengths(None, None, sources=sample)
    means, diameters = _replicates(table, _mean), _replicates(table, _effective_diameter)
    return PathLengths(
        _mean(total),
        _effective_diameter(total),
        jackknife_error(means) if means else None,
        jackknife_error(diameters) if diameters else None,
        sample,
        means,
        diameters,
    )


def is_searched_whole(n: int, m: int, sample: int) -> bool:
    """Whether a graph of n vertices and m edges is searched from every vertex instead of a sample of them."""
    return n <= sample or (n <= _EXACT_VERTICES and n * m <= _EXACT_WORK)


def inverse_distances(graph: SimpleGraph, sources: Ints) -> Floats:
    """Return for every vertex the sum of 1/distance to those sources that reach it, itself left out.

    Notes
    -----
    O(m) a source.

    Examples
    --------
    >>> inverse_distances(SimpleGraph.from_edges([(0, 1), (1, 2)], n=4), np.array([0, 1])).tolist()
    [1.0, 1.0, 1.5, 0.0]
    """
    sums = np.zeros(graph.n)
    for queue, counts in _searches(graph, sources):
        _add_inverse(queue, counts, sums)
    return sums


def _mean(counts: Ints) -> float:
    return float((counts * np.arange(counts.size)).sum() / counts[1:].sum())


def _effective_diameter(counts: Ints) -> float:
    within = np.cumsum(counts[1:])
    wanted = _EFFECTIVE_SHARE * float(within[-1])
    d = int(np.searchsorted(within, wanted))
    before = float(within[d - 1]) if d else 0.0
    return d + (wanted - before) / (float(within[d]) - before)


def _replicates(table: Ints, statistic: Callable[[Ints], float]) -> tuple[float, ...]:
    """Return a statistic of the column sums without each row; nothing where one source is all there is."""
    total = table.sum(axis=0)
    rest = [total - row for row in table]
    if any(counts[1:].sum() == 0 for counts in rest):
        return ()
    return tuple(statistic(counts) for counts in rest)


def _distance_counts(graph: SimpleGraph, sources: Ints) -> Iterator[Ints]:
    """Yield for each source how many vertices lie at distance 0, 1, 2, … of it."""
    for _, counts in _searches(graph, sources):
        yield counts.copy()


def _searches(graph: SimpleGraph, sources: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield for each source the vertices that it reaches, nearest first, and how many lie at distance 0, 1, 2, ….

    Both are overwritten by the next search.
    """
    ends = np.concatenate((graph.edges, graph.edges[:, ::-1]))
    matrix = coo_array((np.ones(ends.shape[0], dtype=np.int8), (ends[:, 0], ends[:, 1])), (graph.n, graph.n)).tocsr()
    starts, neighbours = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64)
    queue, counts = np.empty(graph.n, dtype=np.int64), np.empty(graph.n, dtype=np.int64)
    seen_from = np.full(graph.n, -1, dtype=np.int64)
    for source in sources.tolist():
        levels, reached = _search(starts, neighbours, source, seen_from, queue, counts)
        yield queue[:reached], counts[:levels]


@compiled
def _search(starts: Ints, neighbours: Ints, source: int, seen_from: Ints, queue: Ints, counts: Ints) -> tuple[int, int]:
    """Search breadth first, write vertices and level sizes, and return the number of levels and of vertices."""
    queue[0] = source
    seen_from[source] = source
    head, tail, levels = 0, 1, 0
    while head < tail:
        end = tail
        counts[levels] = end - head
        levels += 1
        while head < end:
            vertex = queue[head]
            head += 1
            for i in range(starts[vertex], starts[vertex + 1]):
                other = neighbours[i]
                if seen_from[other] != source:
                    seen_from[other] = source
                    queue[tail] = other
                    tail += 1
    return levels, tail


@compiled
def _add_inverse(queue: Ints, counts: Ints, sums: Floats) -> None:
    """Add 1/d to the sum of every vertex at distance d of the first one."""
    position = 1
    for d in range(1, counts.size):
        for vertex in queue[position : position + counts[d]]:
            sums[vertex] += 1 / d
        position += counts[d]
