"""The methods by name. A new method is one file, one line here, and the contract test runs it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from graphkit.arrays import Ints, Rng
from graphkit.budget import Budget
from graphkit.networks.effort.progress import Progress
from graphkit.networks.effort.standing import Standing
from graphkit.networks.graphs.graph_view import GraphView
from graphkit.networks.methods._first_solution import first_solution
from graphkit.networks.methods.clustering import clustering
from graphkit.networks.methods.liu_terzi import liu_terzi
from graphkit.networks.methods.optimal import improving
from graphkit.networks.methods.two_phase import two_phase

First = Callable[[GraphView, int, Rng, Budget, Progress], Ints]
"""``first(view, k, rng, budget, progress)`` returns edges that make the graph k-anonymous, canonical."""

Improve = Callable[[GraphView, int, Standing, Rng, Rng], Iterator[bool]]
"""``improve(view, k, standing, rng, untouched)`` looks for fewer edges step by step."""


@dataclass(frozen=True, slots=True)
class Method:
    """A way to find a k-insertion set."""

    name: str
    first: First
    summary: str
    reference: str
    improve: Improve | None = None
    """How what was found first is improved; None where the method is content with it."""


METHODS: Mapping[str, Method] = MappingProxyType(
    {
        method.name: method
        for method in (
            Method(
                "optimal",
                first_solution,
                "sequences chosen with the inequalities of the hubs in the cost, slack demand, augmenting "
                "alternating walks; an integer program for small graphs",
                "Hartung, Hoffmann, Nichterlein 2014, with bounds and a realization of our own",
                improving,
            ),
            Method(
                "liu-terzi",
                liu_terzi,
                "comparison: cheapest sequence, Supergraph with local exchange, noise on the degrees until it succeeds",
                "Liu, Terzi 2008",
            ),
            Method(
                "clustering",
                clustering,
                "comparison: greedy clusters of at least k from the largest degree, edges added to each in turn",
                "Lu, Song, Bressan 2012",
            ),
            Method(
                "two-phase",
                two_phase,
                "comparison: cheapest sequences enumerated, 100 × 25 mappings, local exchange, slack demand",
                "Hartung, Hoffmann, Nichterlein 2014",
            ),
        )
    }
)
