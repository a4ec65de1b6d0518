"""Which hub ends in which group: exchange final degrees until the hubs lack fewer partners."""

from collections.abc import Sequence

import numpy as np

from graphkit.arrays import Bools, Ints
from graphkit.kernels import compiled
from graphkit.networks.core.high_degree_core import HighDegreeCore
from graphkit.networks.core.violated_sets import ViolatedSet, most_violated

_ROUNDS = 40
_PATIENCE = 6
_INFINITE = 1 << 40


def assign_levels(core: HighDegreeCore, demands: Ints, known: Sequence[Bools] = ()) -> tuple[Ints, ViolatedSet | None]:
    """Return demands of the same final degrees, given to other core vertices, and what stands in their way.

    Parameters
    ----------
    core : HighDegreeCore
        The highest vertices.
    demands : ndarray of int64, shape (p,)
        Demands of all positions, those of the core first; the others stay as they are.
    known : sequence of ndarray of bool, optional
        Violated sets met before; see :func:`~graphkit.networks.core.violated_sets.most_violated`.

    Returns
    -------
    demands : ndarray of int64, shape (p,)
        Never worse by the excess of the worst violated set that is found.
    violated_set : ViolatedSet or None
        That violated set.

    Notes
    -----
    Two vertices exchange final degrees e₁ > e₂ where the first has a degree of at most e₂. The sum of demands stays the
    same; the excess of a violated set falls when a member gives the higher degree to a vertex that members can be
    joined to. For one violated set the gain is separable, so the best exchange between two groups is the best of each.
    Another violated set may rise; the best assignment met is kept. O(c·g) for a pass over g groups.

    References
    ----------
    The free choice inside a block is Hartung, Hoffmann, Nichterlein 2014, section 3.3; that higher degrees need not go
    to higher vertices is used here beyond it.
    """
    c = core.size
    levels = core.degrees + demands[:c]
    best, best_violated = demands, most_violated(core, demands, known)
    violated_set, patience = best_violated, _PATIENCE
    for _ in range(_ROUNDS):
        if violated_set is None or patience == 0:
            break
        levels, changed = _exchange(levels, core.degrees, violated_set.caps(c), violated_set.excess)
        if not changed:
            break
        tried = np.concatenate((levels - core.degrees, demands[c:]))
        violated_set = most_violated(core, tried, (*known, violated_set.members))
        assert best_violated is not None
        if violated_set is None or violated_set.excess < best_violated.excess:
            best, best_violated, patience = tried, violated_set, _PATIENCE
        else:
            patience -= 1
    return best, best_violated


@compiled
def _share(degree: int, level: int, cap: int) -> int:
    """Return what a vertex adds to the excess of a violated set; a cap of −1 marks a member."""
    demand = level - degree
    return demand if cap < 0 else -min(demand, cap)


@compiled
def _exchange(levels: Ints, degrees: Ints, caps: Ints, wanted: int) -> tuple[Ints, bool]:
    """Return levels after exchanges that lower the excess by about what is wanted, and whether there were any."""
    levels = levels.copy()
    distinct = np.unique(levels)
    changed = False
    for i in range(distinct.size - 1, 0, -1):
        high = distinct[i]
        for j in range(i - 1, -1, -1):
            low = distinct[j]
            while wanted > 0:
                giver, taker, given, taken = -1, -1, -_INFINITE, -_INFINITE
                for v in range(levels.size):
                    if levels[v] == high and degrees[v] <= low:
                        gain = int(_share(degrees[v], high, caps[v]) - _share(degrees[v], low, caps[v]))
                        if gain > given:
                            giver, given = v, gain
                    elif levels[v] == low:
                        gain = int(_share(degrees[v], low, caps[v]) - _share(degrees[v], high, caps[v]))
                        if gain > taken:
                            taker, taken = v, gain
                if giver < 0:
                    break
                if taker < 0 or given + taken <= 0:
                    break
                levels[giver], levels[taker] = low, high
                wanted -= given + taken
                changed = True
            if giver < 0:
                break
        if wanted <= 0:
            break
    return levels, changed
