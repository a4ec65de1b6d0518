"""Simulated annealing over final degrees, against all violated sets met so far; with a search for new ones."""

import math
from dataclasses import dataclass, replace

import numpy as np

from graphkit.arrays import Bools, Floats, Ints, Rng, Words
from graphkit.budget import Budget
from graphkit.kernels import in_place
from graphkit.networks.core.high_degree_core import Positions
from graphkit.networks.core.violated_sets import ViolatedSet, is_among, most_violated
from graphkit.networks.effort.work import ANNEALING_STEPS, CORE_PAIR, LOOK
from graphkit.networks.methods._candidate import Candidate, candidate_with
from graphkit.networks.methods._group_moves import UNIT, recut, regroup
from graphkit.networks.methods._level_moves import draw, reassign, shift
from graphkit.networks.methods._levels import Levels, keep, new_levels, put_violated_set, take_back, try_out, worst_of

_POOL = 256
# one or two hubs in the way say little about how far down what helps them is
_LEAST_WINDOW = 100
_STARTS = 3
_COLD = 0.2
_STEADY = 64
# one in so many steps cuts runs of groups anew: such a change takes several times as many as another one, or hundreds
_DEAR = 4
_SEPARATION = 20_000
"""Work that a search for new violated sets counts as."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """How one annealing goes."""

    heat: float
    """Temperature at the beginning, in units of demand."""
    weight: int
    """Cost of a missing partner in units of 1/16."""
    work: int
    """Steps."""
    reach: int | None = None
    """Positions that change: so many times those down to the lowest hub of the violated sets, and a few more; or
    all."""
    low_heat: float = math.inf
    """Temperature at most for changes that begin below the hubs."""
    regrouping: bool = False
    """Whether runs of groups are cut anew: that gets past what changes one by one do not, and takes back what heat has
    moved."""


class Annealing:
    """Searches from a candidate for others of lower estimate; what violated sets it meets, it keeps.

    Notes
    -----
    The excess of a known violated set is a sum over the vertices, so a change of few vertices takes few steps for each
    violated set, however large the core is. Only where the known violated sets promise an improvement a new one is
    looked for (:func:`~graphkit.networks.core.violated_sets.most_violated`): either the improvement is one, or the
    violated set found goes into the pool.

    References
    ----------
    Kirkpatrick, Gelatt, Vecchi, Optimization by simulated annealing, 1983.
    """

    def __init__(self, positions: Positions) -> None:
        self._core, self._degrees, self._k = positions.core, positions.degrees, positions.k
        self._pool: list[ViolatedSet] = []

    @property
    def violated_sets(self) -> list[Bools]:
        """The sets that are kept, shape (c,) each."""
        return [violated_set.members for violated_set in self._pool]

    def learn(self, violated_set: ViolatedSet) -> None:
        """Keep a violated set, in place of the one that was kept longest where there are many."""
        self._pool = [*self._pool[-(_POOL - 1) :], violated_set]

    def best(self, start: Candidate, limit: int, schedule: Schedule, rng: Rng, budget: Budget) -> Candidate | None:
        """Return the best candidate found of an estimate below the limit, or None."""
        blocking = start.violated_set
        if blocking is not None and not is_among(blocking, self._pool):
            self.learn(blocking)
        if not self._pool:
            return None
        last = max(violated_set.last for violated_set in self._pool) + 1
        window = hubs = self._core.size
        if schedule.reach is not None:
            window = min(max(schedule.reach * last + 4 * self._k, _LEAST_WINDOW), window)
            hubs = min(last, window)
        random = rng.integers(1 << 63, size=1).astype(np.uint64)
        state = new_levels(self._degrees, start.demands, window, self._pool, _POOL)
        heat = np.array([schedule.heat, _COLD, schedule.low_heat]) * UNIT
        # all, and what regrouping took of it
        work = np.zeros(2, dtype=np.int64)
        found: Candidate | None = None
        separations = pairs = 0
        while not budget.is_spent() and _anneal(
            state, self._k, random, hubs, heat, schedule.weight, limit, schedule.regrouping, work, schedule.work
        ):
            demands = state.levels - self._degrees
            worst_known = np.argsort(-state.excess[: len(self._pool)], kind="stable")[:_STARTS]
            violated_set = most_violated(self._core, demands, [self._pool[i].members for i in worst_known])
            if violated_set is not None and violated_set.excess > worst_of(state.excess, len(self._pool)):
                self._keep(state, violated_set)
            worst = worst_of(state.excess, len(self._pool))
            promise = _promise(state.total[0], worst, schedule.weight)
            if promise < limit:
                limit = promise
                blocking = replace(self._pool[int(np.argmax(state.excess))], excess=worst) if worst else None
                found = candidate_with(self._degrees, demands, blocking)
            work[0] += _SEPARATION
            separations += 1
            pairs += int(np.count_nonzero(demands[: self._core.size])) ** 2
        looks = separations * LOOK + int(pairs * CORE_PAIR / 2)
        budget.charge((int(work[0]) - separations * _SEPARATION) // ANNEALING_STEPS + looks)
        return found

    def _keep(self, state: Levels, violated_set: ViolatedSet) -> None:
        """Add a violated set to the pool and the state; where they are full, instead of the one that is met best."""
        if len(self._pool) < _POOL:
            put_violated_set(state, len(self._pool), violated_set)
            self._pool.append(violated_set)
        else:
            place = int(np.argmin(state.excess))
            put_violated_set(state, place, violated_set)
            self._pool[place] = violated_set


@in_place
def _lacking(total: int, worst: int) -> int:
    """Return the missing partners, and one more where the sum of demands would be odd."""
    return worst + (total + worst) % 2


@in_place
def _cost(total: int, worst: int, weight: int) -> int:
    return UNIT * total + weight * _lacking(total, worst)


@in_place
def _promise(total: int, worst: int, weight: int) -> int:
    """Return the sum of demands that a state promises, where a missing partner costs at least one."""
    return total + _lacking(total, worst) * max(weight, UNIT) // UNIT


@in_place
def _anneal(
    state: Levels,
    k: int,
    random: Words,
    hubs: int,
    heat: Floats,
    weight: int,
    limit: int,
    regrouping: bool,
    work: Ints,
    most: int,
) -> bool:
    """Go on until the known violated sets leave an estimate below the limit (True), or the work is done (False)."""
    window = state.place.size
    cost = _cost(state.total[0], worst_of(state.excess, state.kept[0]), weight)
    temperature, trials = heat[0], 0
    while work[0] < most:
        if trials % _STEADY == 0:
            temperature = heat[0] * math.pow(heat[1] / heat[0], work[0] / most)
        trials += 1
        v = draw(random, window) if draw(random, 4) == 0 else draw(random, min(window, 2 * hubs))
        kind = draw(random, 16)
        if kind < 11:
            valid = reassign(state, k, random, v)
        elif kind < 13:
            valid = shift(state, k, random, v)
        elif regrouping and kind >= 14 and work[1] * _DEAR <= work[0]:
            steps = regroup(state, k, random, v, weight)
            work += steps
            valid = steps > 0
        else:
            valid = recut(state, k, random, v)
        changes = state.logged[0]
        work[0] += 50 + changes * (8 + state.kept[0] // 16)
        if valid and changes > 0:
            try_out(state)
            worst = worst_of(state.tried, state.kept[0])
            changed = _cost(state.total[0], worst, weight)
            warmth = temperature if v < hubs else min(temperature, heat[2])
            chance = (draw(random, 1 << 30) + 0.5) / (1 << 30)
            if changed <= cost or changed - cost <= -warmth * math.log(chance):
                cost = changed
                keep(state)
                if _promise(state.total[0], worst, weight) < limit:
                    return True
        take_back(state)
    return False
