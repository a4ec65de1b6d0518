"""The methods by name. A new method is one file, one line here, and the contract test runs it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from graphkit.arrays import Rng
from graphkit.microdata.generalization.constructing import Construct
from graphkit.microdata.generalization.rounds.greedy import greedy
from graphkit.microdata.generalization.rounds.hungarian import hungarian, likely
from graphkit.microdata.generalization.rounds.sort_greedy import sort_greedy
from graphkit.microdata.generalization.search.searching import search
from graphkit.microdata.generalization.standing import Standing

Improve = Callable[[Standing, int, Rng, int], None]
"""``improve(standing, k, rng, units)`` offers better coverings until its units of work are spent."""


@dataclass(frozen=True, slots=True)
class Method:
    """A way to choose what every recoded tuple covers."""

    name: str
    construct: Construct
    summary: str
    reference: str
    improve: Improve | None = None
    """How what was constructed is improved; None where the method is content with it."""


METHODS: Mapping[str, Method] = MappingProxyType(
    {
        method.name: method
        for method in (
            Method(
                "search",
                likely,
                "rounds of assignments, then annealing: tuples near each other exchange what they cover",
                "of our own",
                search,
            ),
            Method(
                "hungarian",
                hungarian,
                "comparison: k rounds, each the assignment that adds least; optimal for k = 2",
                "Doka, Xue, Tsoumakos, Karras 2015",
            ),
            Method(
                "sort-greedy",
                sort_greedy,
                "comparison: k rounds that take the edges which add least first",
                "Doka, Xue, Tsoumakos, Karras 2015",
            ),
            Method(
                "greedy",
                greedy,
                "comparison: k rounds in which each record goes where it adds least",
                "Doka, Xue, Tsoumakos, Karras 2015",
            ),
        )
    }
)
