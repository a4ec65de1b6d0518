"""The best valid set of new edges so far, and what is proven of how few those can be."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from graphkit.arrays import Bools, Ints
from graphkit.budget import Budget
from graphkit.networks.effort.first_groups import FirstGroups
from graphkit.networks.effort.progress import Progress


@dataclass(slots=True, eq=False)
class Standing:
    """What search and proof have reached together: edges become fewer, the bound rises, never the other way.

    Examples
    --------
    >>> import numpy as np
    >>> standing = Standing(np.zeros((7, 2), dtype=np.int64), Budget(), lambda phase, size, bound: None)
    >>> standing.prove(4, "sequence"), standing.prove(3, "top-set"), standing.bound, standing.proven
    (True, False, 4, {'sequence': 4})
    >>> standing.offer(np.zeros((5, 2), dtype=np.int64)), standing.size, standing.is_done
    (True, 5, False)
    """

    edges: Ints
    """A valid set of new edges, canonical, shape (size, 2)."""
    budget: Budget
    report: Progress
    bound: int = 0
    """No valid set has fewer edges."""
    proven: dict[str, int] = field(default_factory=dict)
    """The largest bound of each way to prove one that raised the bound when it was asked."""
    is_opening: bool = False
    """Whether the search has not yet tried what it always tries: it is not given up before that."""
    is_questioning: bool = False
    """Whether a bound has not yet had the work that tells what it is worth."""
    next_question: int = 0
    """Units that the next step of the proof counts; fewer than it takes where it is asked early."""
    next_length: int = 0
    """Units that it takes, about."""
    is_rising: bool = False
    """Whether the last bound that was asked is about to overtake what is proven."""
    searched: int = 0
    """Units of the last question that only looked for smaller sets."""
    violated_sets: Sequence[Bools] = ()
    """Sets of hubs that were in the way, by position, shape (c,) each: a bound may begin with their inequalities."""

    first_groups: FirstGroups | None = None
    """Those of which a bound can say least: a search may begin with them."""

    @property
    def size(self) -> int:
        """Number of edges of the best set."""
        return int(self.edges.shape[0])

    @property
    def gap(self) -> float:
        """(size − bound) / size; 0 where nothing is needed."""
        return (self.size - self.bound) / self.size if self.size else 0.0

    @property
    def is_done(self) -> bool:
        """Whether the best set is good enough, or the time is over."""
        return self.budget.is_close(self.size, self.bound) or self.budget.is_spent()

    def offer(self, edges: Ints) -> bool:
        """Take a valid set if it is smaller than the best one; return whether it is."""
        if edges.shape[0] >= self.size:
            return False
        self.edges = edges
        self.report("improve", self.size, self.bound)
        return True

    def prove(self, bound: int, by: str) -> bool:
        """Take a bound if it is larger than the one known; return whether it is."""
        if bound <= self.bound:
            return False
        self.bound = self.proven[by] = bound
        self.report("bound", self.size, bound)
        return True
