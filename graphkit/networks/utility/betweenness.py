"""Betweenness: on how many shortest paths of others a vertex lies."""

from functools import partial

import numpy as np

from graphkit.arrays import Floats
from graphkit.networks.utility.aspect import Aspect, Subject
from graphkit.networks.utility.rank_agreement import rank_differences, split_evenly

_EXACT_WORK = 20_000_000
"""Largest n·m for which the paths from every vertex are counted, in about a second."""


def _measure(subject: Subject) -> Floats:
    """Return sums over the paths from groups of sources, shape (groups, n); one group when it is exact."""
    graph = subject.graph
    if graph.n <= subject.sample or graph.n * subject.edges <= _EXACT_WORK:
        return np.array([subject.whole.betweenness(directed=False)], dtype=np.float64)
    groups = split_evenly(subject.sources)
    return np.array([subject.whole.betweenness(directed=False, sources=group.tolist()) for group in groups])


BETWEENNESS = Aspect(_measure, lambda found: (), partial(rank_differences, "betweenness"))
