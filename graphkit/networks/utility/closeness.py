"""Harmonic closeness: the sum of 1/distance to all others; what cannot be reached counts nothing."""

from typing import NamedTuple

import numpy as np

from graphkit.arrays import Floats
from graphkit.networks.utility.aspect import Aspect, Subject
from graphkit.networks.utility.measure import Measure, jackknife_error
from graphkit.networks.utility.path_lengths import inverse_distances, is_searched_whole
from graphkit.networks.utility.rank_agreement import rank_differences, split_evenly


class _Closeness(NamedTuple):
    vertices: int
    parts: Floats
    """Shape (groups of sources, n): sums of 1/distance to the sources of a group; one group when it is exact."""
    sources: int


def _measure(subject: Subject) -> _Closeness:
    graph = subject.graph
    if is_searched_whole(graph.n, subject.edges, subject.sample):
        return _Closeness(graph.n, subject.all_distances.inverse[np.newaxis], graph.n)
    groups = split_evenly(subject.sources)
    parts = np.array([inverse_distances(graph, group) for group in groups])
    return _Closeness(graph.n, parts, sum(group.size for group in groups))


def _figures(found: _Closeness) -> tuple[Measure, ...]:
    name, n, exact = "global efficiency", found.vertices, found.parts.shape[0] == 1
    if n < 2:
        return (Measure(name, None, note="fewer than two vertices"),)
    sums = found.parts.sum(axis=1)
    value = float(sums.sum()) / found.sources / (n - 1)
    if exact:
        return (Measure(name, value),)
    rest = found.sources * (sums.size - 1) // sums.size
    replicates = tuple(float(sums.sum() - part) / rest / (n - 1) for part in sums)
    note = f"estimated from {found.sources} random sources"
    return (Measure(name, value, jackknife_error(replicates), note, replicates),)


CLOSENESS = Aspect(
    _measure,
    _figures,
    lambda before, after, paired: rank_differences("closeness", before.parts, after.parts, paired),
)
