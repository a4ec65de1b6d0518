"""The methods by name. A new method is one file, one line here, and the contract test runs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from graphkit.budget import Budget
from graphkit.networks.graph_view import GraphView
from graphkit.networks.methods.clustering import clustering
from graphkit.networks.methods.liu_terzi import liu_terzi
from graphkit.networks.methods.optimal import optimal
from graphkit.networks.methods.solved import Solved
from graphkit.networks.methods.two_phase import two_phase
from graphkit.networks.progress import Progress

__all__ = ["METHODS", "Method"]

Solve = Callable[[GraphView, int, int, np.random.Generator, Budget, Progress], Solved]
"""``solve(view, k, lower_bound, rng, budget, progress)`` returns edges that make the graph k-anonymous, canonical."""

_Find = Callable[[GraphView, int, int, np.random.Generator, Budget, Progress], NDArray[np.int64]]


@dataclass(frozen=True, slots=True)
class Method:
    """A way to find a k-insertion set."""

    name: str
    solve: Solve
    summary: str
    reference: str


def _without_proof(find: _Find) -> Solve:
    """Return a method that only finds edges as one that proves no more than it was told."""

    def solve(
        view: GraphView, k: int, lower_bound: int, rng: np.random.Generator, budget: Budget, progress: Progress
    ) -> Solved:
        return Solved(find(view, k, lower_bound, rng, budget, progress), lower_bound)

    return solve


METHODS: Mapping[str, Method] = MappingProxyType(
    {
        method.name: method
        for method in (
            Method(
                "optimal",
                optimal,
                "sequences chosen with the inequalities of the hubs in the cost, waste, augmenting alternating walks; "
                "an integer program for small graphs",
                "Hartung, Hoffmann, Nichterlein 2014, with bounds and a realization of our own",
            ),
            Method(
                "liu-terzi",
                _without_proof(liu_terzi),
                "comparison: cheapest sequence, Supergraph with local exchange, noise on the degrees until it succeeds",
                "Liu, Terzi 2008",
            ),
            Method(
                "clustering",
                _without_proof(clustering),
                "comparison: greedy clusters of at least k from the largest degree, edges added to each in turn",
                "Lu, Song, Bressan 2012",
            ),
            Method(
                "two-phase",
                _without_proof(two_phase),
                "comparison: cheapest sequences enumerated, 100 × 25 mappings, local exchange, waste until realized",
                "Hartung, Hoffmann, Nichterlein 2014",
            ),
        )
    }
)
