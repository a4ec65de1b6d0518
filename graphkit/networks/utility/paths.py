"""Shortest paths: mean length and effective diameter, with standard errors where sources are sampled."""

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.utility.aspect import Aspect, Subject
from graphkit.networks.utility.measure import Measure, jackknife_error
from graphkit.networks.utility.path_lengths import distance_counts, is_searched_whole

_EFFECTIVE_SHARE = 0.9


def _measure(subject: Subject) -> tuple[Measure, ...]:
    """Return the figures over the connected pairs: exact, or estimated from random sources by the jackknife.

    References
    ----------
    Leskovec, Kleinberg, Faloutsos 2005, "Graphs over time" (effective diameter).
    """
    graph, note, rest = subject.graph, "", []
    if graph.m == 0 or is_searched_whole(graph.n, subject.edges, subject.sample):
        total, otherwise = subject.all_distances.counts, "no two vertices are connected"
    else:
        table = _table(graph, subject.sources)
        total, otherwise = table.sum(axis=0), "no two vertices of the sample are connected"
        rest = [total - row for row in table]
        note = f"estimated from {subject.sources.size} random sources"
    if total[1:].sum() == 0:
        return tuple(Measure(name, None, note=otherwise) for name in _STATISTICS)
    # where one source is all there is, nothing is known of the error
    rest = rest if all(counts[1:].any() for counts in rest) else []
    return tuple(
        Measure(name, statistic(total), jackknife_error(replicates) if replicates else None, note, replicates)
        for name, statistic in _STATISTICS.items()
        for replicates in [tuple(statistic(counts) for counts in rest)]
    )


def _table(graph: SimpleGraph, sources: Ints) -> Ints:
    """Return how many vertices lie at distance 0, 1, 2, … of each source, a row a source."""
    each = list(distance_counts(graph, sources))
    table = np.zeros((sources.size, max(counts.size for counts in each)), dtype=np.int64)
    for row, counts in zip(table, each, strict=True):
        row[: counts.size] = counts
    return table


def _mean(counts: Ints) -> float:
    return float((counts * np.arange(counts.size)).sum() / counts[1:].sum())


def _effective_diameter(counts: Ints) -> float:
    """Return the distance within which 90 % of the pairs lie, interpolated between whole distances."""
    within = np.cumsum(counts[1:])
    wanted = _EFFECTIVE_SHARE * float(within[-1])
    d = int(np.searchsorted(within, wanted))
    before = float(within[d - 1]) if d else 0.0
    return d + (wanted - before) / (float(within[d]) - before)


_STATISTICS = {"mean path length": _mean, "effective diameter": _effective_diameter}

PATHS = Aspect(_measure)
