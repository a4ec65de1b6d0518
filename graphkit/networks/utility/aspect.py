"""What one file of this folder offers: figures of a graph, and what can be said of two graphs."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

import numpy as np

from graphkit.arrays import Ints
from graphkit.networks.graphs.graph import SimpleGraph
from graphkit.networks.utility.all_distances import AllDistances, all_distances
from graphkit.networks.utility.measure import Agreement, Distance, Measure

Found = TypeVar("Found")


@dataclass(frozen=True)
class Subject:
    """A graph that is measured, and what several aspects need of it."""

    graph: SimpleGraph
    seed: int
    sample: int
    edges: int
    """Of the larger of the graphs that are compared: either all are sampled or none."""

    @cached_property
    def whole(self) -> Any:
        """The graph as :class:`igraph.Graph`."""
        return self.graph.to_igraph()

    @cached_property
    def degrees(self) -> Ints:
        """Degree of every vertex."""
        return self.graph.degrees()

    @cached_property
    def all_distances(self) -> AllDistances:
        """Those of all pairs, where they are not sampled."""
        return all_distances(self.graph)

    @cached_property
    def sources(self) -> Ints:
        """The sources of sampled measures, the same for every graph with as many vertices."""
        size = min(self.sample, self.graph.n)
        return np.sort(np.random.default_rng(self.seed).choice(self.graph.n, size, replace=False))


@dataclass(frozen=True, slots=True)
class Differences:
    """What an aspect says of two graphs beside the changes of its figures."""

    distances: tuple[Distance, ...] = ()
    agreements: tuple[Agreement, ...] = ()


@dataclass(frozen=True, slots=True)
class Aspect(Generic[Found]):
    """One aspect of a graph: measured once, then given as figures and compared with another graph's."""

    measure: Callable[[Subject], Found]
    figures: Callable[[Any], tuple[Measure, ...]] = tuple
    """By default what was measured are the figures."""
    differences: Callable[[Found, Found, bool], Differences] = lambda before, after, paired: Differences()
    """Of original and release; the last argument tells whether vertex i of one is vertex i of the other."""


def defined(name: str, value: float, otherwise: str) -> Measure:
    """Return a measure, or why there is none where the value is not a number."""
    return Measure(name, None, note=otherwise) if math.isnan(value) else Measure(name, value)
