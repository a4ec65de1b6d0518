"""Groups that never part a household, by the methods that can form them."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from graphkit.arrays import Floats, Ints, Rng
from graphkit.errors import InvalidInput
from graphkit.microdata.microaggregation.groups import compact, members_of
from graphkit.microdata.microaggregation.households.all_partitions import MOST_TRIED, best_partition
from graphkit.microdata.microaggregation.households.gathering import gathered_of_parts, halves
from graphkit.microdata.microaggregation.households.moving import move_households
from graphkit.microdata.microaggregation.households.units import Units, units_of_households
from graphkit.microdata.microaggregation.lower_bound import lower_bound, units_of_bound
from graphkit.microdata.microaggregation.neighbours import neighbours
from graphkit.microdata.microaggregation.search._random import new_state
from graphkit.microdata.microaggregation.standing import Standing
from graphkit.numbers import counted

_NEIGHBOURS = 20
_RUNS = 4
# temperatures of an annealing, as shares of the mean loss of a household: from the first down to the second, then 0
_HOTTEST, _COOLEST, _STEPS = 1.0, 1e-3, 40
# few households have few partitions: more proposals than this find no more
_A_HOUSEHOLD, _A_PAIR = 2_000, 150
_COST = 2
"""Units of work of a proposal."""

Improve = Callable[[Units, int, Standing, Rng, int], None]


def check_household_method(method: str) -> None:
    """Refuse a method that cannot keep households together.

    Raises
    ------
    InvalidInput
        Names those that can.
    """
    if method not in HOUSEHOLD_METHODS:
        raise InvalidInput(
            f"method {method} cannot keep households together; use {' or '.join(sorted(HOUSEHOLD_METHODS))}"
        )


def check_households(households: Ints, parts: list[Ints]) -> None:
    """Refuse households that no partition keeps together.

    Raises
    ------
    InvalidInput
        If one has records in two strata, or records that lack different values; says how many.
    """
    part_of = np.empty(households.size, dtype=np.int64)
    for number, part in enumerate(parts):
        part_of[part] = number
    first = np.full(int(households.max()) + 1, -1)
    first[households[::-1]] = part_of[::-1]
    parted = np.unique(households[first[households] != part_of]).size
    if parted:
        raise InvalidInput(
            f"{counted(parted, 'household has', 'households have')} records in two strata, or records that lack "
            "different values and form groups of their own; correct the strata, or impute what is missing"
        )


def keep_together(
    points: Floats, households: Ints, k: int, method: str, standing_of: Callable[[Ints], Standing], rng: Rng, units: int
) -> Standing:
    """Return what is found and proven of the records of one stratum.

    Parameters
    ----------
    points : ndarray of float, shape (n, d)
        At least k records.
    households : ndarray of int, shape (n,)
    k : int
    method : str
        One of :data:`HOUSEHOLD_METHODS`.
    standing_of : callable
        Makes the standing of a first partition.
    rng : Generator
    units : int
        Work.

    Notes
    -----
    The bound is that of groups that may part households: it holds for those that may not, too.
    """
    held = units_of_households(points, households)
    standing = standing_of(gathered_of_parts(held.means, held.sizes, k)[held.of])
    if int(standing.labels.max()) == 0 and (points.shape[0] < 2 * k or held.sizes.size == 1):
        standing.prove(standing.loss, "one group")
    improve = HOUSEHOLD_METHODS[method]
    if improve is not None and held.sizes.size <= MOST_TRIED and not standing.is_done:
        standing.offer(best_partition(held.means, held.sizes, k)[held.of], "all partitions")
        standing.prove(standing.loss, "all partitions")
    if improve is not None and not standing.is_done:
        bound = lower_bound(points, k, units=units_of_bound(units))
        # sums round on both sides
        standing.prove(max(bound, held.inner * (1 - 1e-9)), "bound")
        if not standing.is_done:
            improve(held, k, standing, rng, units)
    return standing


def search_households(held: Units, k: int, standing: Standing, rng: Rng, units: int) -> None:
    """Offer partitions of less and less loss: annealings, each from the best partition so far.

    Parameters
    ----------
    held : Units
    k : int
    standing : Standing
        What is offered to.
    rng : Generator
    units : int
        Work of all of them together.
    """
    m = held.sizes.size
    if m < 2:
        return
    near = neighbours(held.means, min(_NEIGHBOURS, m - 1))[0]
    proposals = min(max(units // _COST, 1), m * (_A_HOUSEHOLD + _A_PAIR * m)) // (_RUNS * (_STEPS + 1)) + 1
    for _ in range(_RUNS):
        labels, state = _of_units(held, standing.labels), new_state(rng)
        # groups are numbered below the number of households, so that there is always an unused one
        hottest = (standing.loss - held.inner) / m
        for step in range(_STEPS + 1):
            share = _HOTTEST * (_COOLEST / _HOTTEST) ** (step / (_STEPS - 1)) if step < _STEPS else 0.0
            move_households(held.means, held.sizes, near, k, labels, max(0.0, share * hottest), proposals, state)
            standing.budget.charge(proposals * _COST)
            if standing.budget.is_spent():
                break
        standing.offer(_cut(held, k, labels)[held.of], "search")
        if standing.is_done:
            return


def _cut(held: Units, k: int, labels: Ints) -> Ints:
    """Cut groups in two as long as both halves have k records; that always loses less."""
    labels = compact(labels)
    waiting, number = members_of(labels), int(labels.max()) + 1
    while waiting:
        group = waiting.pop()
        half = halves(held.means[group], held.sizes[group], k)
        if half is not None:
            labels[group[half]] = number
            number += 1
            waiting += [group[half], np.delete(group, half)]
    return labels


def _of_units(held: Units, labels: Ints) -> Ints:
    of_units = np.empty(held.sizes.size, dtype=np.int64)
    of_units[held.of] = labels
    return of_units


HOUSEHOLD_METHODS: Mapping[str, Improve | None] = MappingProxyType({"search": search_households, "mdav": None})
"""Methods that can keep households together, and how each improves what was gathered first."""
