"""Communities: parts with many edges inside and few between, and whether a release has the same ones."""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.utility.aspect import Aspect, Differences, Subject
from graphkit.networks.utility.louvain import louvain, modularity
from graphkit.networks.utility.measure import Agreement, Measure

_ONE_OF_SEVERAL = "of one of several good partitions; the order of the vertices decides which, so other ids give others"


@dataclass(frozen=True, slots=True, eq=False)
class _Communities:
    subject: Subject
    membership: Ints


def _measure(subject: Subject) -> _Communities:
    return _Communities(subject, louvain(subject.graph, seed=subject.seed))


def _figures(found: _Communities) -> tuple[Measure, ...]:
    graph, membership = found.subject.graph, found.membership
    number = float(np.unique(membership).size)
    if graph.m == 0:
        return (Measure("communities", number), Measure("modularity", None, note="no edge"))
    figures = {"communities": number, "modularity": modularity(graph, membership)}
    return tuple(Measure(name, value, note=_ONE_OF_SEVERAL) for name, value in figures.items())


def _differences(before: _Communities, after: _Communities, paired: bool) -> Differences:
    graph = before.subject.graph
    if not paired or graph.n < 2:
        return Differences()
    again = louvain(graph, seed=before.subject.seed + 1)
    return Differences(
        agreements=tuple(
            Agreement(
                f"communities, {long}",
                _agreement(before.membership, after.membership, method),
                baseline=_agreement(before.membership, again, method),
            )
            for long, method in (("normalized mutual information", "nmi"), ("adjusted Rand index", "adjusted_rand"))
        )
    )


def _agreement(first: Ints, second: Ints, method: str) -> float:
    import igraph

    if np.unique(np.column_stack((first, second)), axis=0).shape[0] == np.unique(first).size == np.unique(second).size:
        # equal but for names; the formulas divide by zero where there is one community
        return 1.0
    return float(igraph.compare_communities(first.tolist(), second.tolist(), method=method))


COMMUNITIES = Aspect(_measure, _figures, _differences)
