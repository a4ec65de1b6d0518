"""Annealing over households: one goes to another group, or two change places, at exact costs."""

from math import exp, inf
from typing import NamedTuple

import numpy as np

from graphkit.arrays import Floats, Ints, Words
from graphkit.kernels import kernel
from graphkit.microdata.microaggregation.distances import apart
from graphkit.microdata.microaggregation.search._random import below, unit, word


class _Groups(NamedTuple):
    """Groups of households, changed in place; those of a group are a ring, so that one is drawn by walking along it."""

    means: Floats
    """Of the households, shape (m, d)."""
    sizes: Ints
    """Records of the households, shape (m,)."""
    labels: Ints
    """Group of every household, shape (m,)."""
    weights: Ints
    """Records of the groups, shape (m,)."""
    counts: Ints
    """Households of the groups, shape (m,)."""
    sums: Floats
    """Of the records of the groups, shape (m, d)."""
    after: Ints
    """The next household of the ring, shape (m,)."""
    before: Ints
    last: Ints
    """The household of a group that came last, −1 for none; shape (m,)."""


RESHAPING = 0.02
"""Share of the proposals that dissolve a group, or create one of households near each other."""
_COIN = np.uint64(1 << 40)


@kernel
def move_households(
    means: Floats,
    sizes: Ints,
    near: Ints,
    k: int,
    labels: Ints,
    temperature: float,
    proposals: int,
    state: Words,
) -> int:
    """Propose moves at one temperature, in place; return how many were made.

    Parameters
    ----------
    means : ndarray of float, shape (m, d)
    sizes : ndarray of int, shape (m,)
        Records of every household.
    near : ndarray of int, shape (m, neighbours)
        Households near each household.
    k : int
        Least number of records of a group.
    labels : ndarray of int, shape (m,)
        Group of every household, below m; a group that gives its last household away is gone.
    temperature : float
        Loss that is taken with probability 1/e; 0 takes none.
    proposals : int
    state : ndarray of uint64, shape (1,)
        Of the random numbers.

    Notes
    -----
    O(d) a proposal.
    """
    m, d = means.shape
    groups = _Groups(
        means,
        sizes,
        labels,
        np.zeros(m, dtype=np.int64),
        np.zeros(m, dtype=np.int64),
        np.zeros((m, d)),
        np.arange(m),
        np.arange(m),
        np.full(m, -1),
    )
    weights = groups.weights
    for household in range(m):
        _enter(groups, household, labels[household])
    made, moved = 0, np.empty((m, 2), dtype=np.int64)
    for _ in range(proposals):
        one = int(below(state, m))
        if unit(state) < RESHAPING:
            if word(state) & _COIN:
                step, many = _dissolve(groups, near, one, moved)
            else:
                step, many = _create(groups, near, k, one, moved, state)
            if step < 0 or (temperature > 0 and step < inf and unit(state) < exp(-step / temperature)):
                made += many
            else:
                for at in range(many - 1, -1, -1):
                    _go(groups, moved[at, 0], moved[at, 1])
            continue
        other = near[one, below(state, near.shape[1])]
        here, there = labels[one], labels[other]
        if here == there:
            continue
        rest = weights[here] - sizes[one]
        goes = (rest == 0 or rest >= k) and (word(state) & _COIN) != 0
        if goes:
            step = _cost(groups, one, -1, there)
            step += _cost(groups, -1, one, here)
        else:
            for _step in range(below(state, groups.counts[there])):
                other = groups.after[other]
            if rest + sizes[other] < k or weights[there] - sizes[other] + sizes[one] < k:
                continue
            step = _cost(groups, one, other, there)
            step += _cost(groups, other, one, here)
        if step < 0 or (temperature > 0 and unit(state) < exp(-step / temperature)):
            made += 1
            _leave(groups, one, here)
            if not goes:
                _leave(groups, other, there)
                _enter(groups, other, here)
                labels[other] = here
            _enter(groups, one, there)
            labels[one] = there
    return made


@kernel
def _dissolve(groups: _Groups, near: Ints, one: int, moved: Ints) -> tuple[float, int]:
    """Send every household of a group to the best group near it; return what that costs, and how many went."""
    here, many, total = groups.labels[one], 0, 0.0
    for _ in range(groups.counts[here]):
        going = groups.last[here]
        best, there = inf, -1
        for at in range(near.shape[1]):
            group = groups.labels[near[going, at]]
            if group != here:
                cost = _cost(groups, going, -1, group)
                if cost < best:
                    best, there = cost, group
        if there < 0:
            return inf, many
        moved[many, 0], moved[many, 1] = going, here
        many += 1
        total += _go(groups, going, there)
    return total, many


@kernel
def _create(groups: _Groups, near: Ints, k: int, one: int, moved: Ints, state: Words) -> tuple[float, int]:
    """Gather k records of households that their groups can spare; return what that costs, and how many came."""
    group, many, total = -1, 0, 0.0
    for _ in range(8):
        probe = int(below(state, groups.labels.size))
        if groups.counts[probe] == 0:
            group = probe
    if group < 0 or (groups.weights[groups.labels[one]] - groups.sizes[one] < k):
        return inf, 0
    for at in range(-1, near.shape[1]):
        comes = one if at < 0 else int(near[one, at])
        here = groups.labels[comes]
        if here != group and groups.weights[here] - groups.sizes[comes] >= k:
            moved[many, 0], moved[many, 1] = comes, here
            many += 1
            total += _go(groups, comes, group)
        if groups.weights[group] >= k:
            return total, many
    return inf, many


@kernel
def _go(groups: _Groups, one: int, group: int) -> float:
    """Move a household; return what the SSE changes by."""
    here = groups.labels[one]
    step = _cost(groups, -1, one, here)
    _leave(groups, one, here)
    if groups.counts[group] > 0:
        step += _cost(groups, one, -1, group)
    _enter(groups, one, group)
    groups.labels[one] = group
    return float(step)


@kernel
def _cost(groups: _Groups, comes: int, goes: int, group: int) -> float:
    """Return what the SSE of a group changes by when a household comes, one goes, or both; −1 is none."""
    weight = float(groups.weights[group])
    d = groups.means.shape[1]
    change = 0.0
    center = np.empty((1, d))
    for t in range(d):
        center[0, t] = groups.sums[group, t] / weight
    if goes >= 0:
        size = float(groups.sizes[goes])
        if weight - size <= 0:
            weight = 0.0
        else:
            change -= apart(groups.means, goes, center, 0) * size * weight / (weight - size)
            for t in range(d):
                center[0, t] = (groups.sums[group, t] - size * groups.means[goes, t]) / (weight - size)
            weight -= size
    if comes >= 0 and weight > 0:
        size = float(groups.sizes[comes])
        change += apart(groups.means, comes, center, 0) * size * weight / (weight + size)
    return float(change) if change < inf else inf


@kernel
def _enter(groups: _Groups, one: int, group: int) -> None:
    groups.weights[group] += groups.sizes[one]
    groups.counts[group] += 1
    for t in range(groups.means.shape[1]):
        groups.sums[group, t] += groups.sizes[one] * groups.means[one, t]
    if groups.last[group] < 0:
        groups.after[one], groups.before[one] = one, one
    else:
        begin = groups.after[groups.last[group]]
        groups.after[groups.last[group]], groups.before[one] = one, groups.last[group]
        groups.after[one], groups.before[begin] = begin, one
    groups.last[group] = one


@kernel
def _leave(groups: _Groups, one: int, group: int) -> None:
    groups.weights[group] -= groups.sizes[one]
    groups.counts[group] -= 1
    for t in range(groups.means.shape[1]):
        groups.sums[group, t] -= groups.sizes[one] * groups.means[one, t]
    groups.after[groups.before[one]], groups.before[groups.after[one]] = groups.after[one], groups.before[one]
    if groups.last[group] == one:
        groups.last[group] = groups.before[one] if groups.counts[group] else -1
