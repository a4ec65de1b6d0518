"""Global recoding: one level of its hierarchy for every attribute, the best of all combinations; for comparison."""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.budget import Budget
from graphkit.errors import InvalidInput
from graphkit.microdata.generalization.attribute import Attribute
from graphkit.microdata.generalization.baselines.partition import class_extents
from graphkit.microdata.generalization.extents import check_codes, joined, layout_of
from graphkit.parameters import check_least_size


@dataclass(frozen=True, slots=True, eq=False)
class GlobalRecoding:
    """A level for each attribute, and the records that are left out."""

    levels: tuple[int, ...]
    """Of each attribute: 0 for values as they are, the last one for what stands for all of them."""
    classes: Ints
    """Class of every record, shape (n,): those with the same values; −1 for one that is suppressed."""
    loss: float
    """GCP; a suppressed record loses all of its values."""
    nodes: int
    """Combinations of levels that were looked at."""
    is_optimal: bool = True
    """Whether no other recoding loses less; False where the budget ended the search."""


def global_recoding(
    codes: Ints, attributes: Sequence[Attribute], k: int, *, suppressed: float = 0.0, budget: Budget | None = None
) -> GlobalRecoding:
    """Return the full-domain recoding with the least loss in which all records but a few share their values with k.

    Parameters
    ----------
    codes : ndarray of int, shape (n, d)
        Records as numbers of values.
    attributes : sequence of Attribute
        A tree has a level for each distance from a value towards the root, at most to the root; numbers and sets have
        two levels, values as they are and all of them.
    k : int
        Least size of a class, from 2 to n.
    suppressed : float, optional
        Share of the records that may be suppressed.
    budget : Budget, optional
        A unit of work is a record in a combination of levels. When it is spent, the best recoding that was met is
        returned; if there is none, the one that leaves nothing.

    Returns
    -------
    GlobalRecoding

    Raises
    ------
    InvalidInput
        If records are not of the domains, k is not from 2 to n, or the share is not within [0, 1].

    Notes
    -----
    The loss without suppression is a sum over attributes that no level lowers, and suppression only adds to it. So
    combinations are met by rising loss without suppression, and the search ends when that is no less than the best loss
    with it: the answer is the optimum. O(n d log n) for each combination that is met.

    References
    ----------
    El Emam and others: A globally optimal k-anonymity method for the de-identification of health data (OLA), JAMIA
    2009; Kohlmayer, Prasser and others: Flash: efficient, stable and optimal k-anonymity, PASSAT 2012.

    Examples
    --------
    >>> from graphkit.microdata.generalization.attribute import hierarchical, nominal
    >>> jobs = hierarchical([4, 4, 5, 5, 6, 6, 6], 4)
    >>> found = global_recoding(np.array([[0, 0], [1, 0], [2, 1], [3, 1]]), [jobs, nominal(2)], 2)
    >>> found.levels, found.classes.tolist(), found.loss
    ((1, 0), [0, 0, 1, 1], 0.25)
    """
    check_codes(attributes, codes)
    n = codes.shape[0]
    check_least_size(k, n)
    if not 0 <= suppressed <= 1:
        raise InvalidInput(f"share of suppressed records ({suppressed:g}) must be within 0 and 1")
    weights = np.array([attribute.weight for attribute in attributes])
    weights /= weights.sum()
    columns, losses = [], []
    for place, attribute in enumerate(attributes):
        recoded, lost = _levels(attribute)
        columns.append(recoded[:, codes[:, place]])
        losses.append(weights[place] * lost[:, codes[:, place]])
    budget = budget if budget is not None else Budget()
    best: GlobalRecoding | None = None
    is_optimal = True
    bottom = (0,) * len(attributes)
    waiting, met, nodes = [(_plain(losses, bottom), bottom)], {bottom}, 0
    while waiting:
        plain, levels = heapq.heappop(waiting)
        if best is not None and plain >= best.loss:
            break
        if budget.is_spent():
            is_optimal = False
            break
        budget.charge(n)
        nodes += 1
        found = _at(columns, losses, levels, k, suppressed)
        if found is not None and (best is None or found.loss < best.loss):
            best = found
        for place, level in enumerate(levels):
            if level + 1 < len(columns[place]):
                above = (*levels[:place], level + 1, *levels[place + 1 :])
                if above not in met:
                    met.add(above)
                    heapq.heappush(waiting, (_plain(losses, above), above))
    # the last levels make all records one class
    best = best or _at(columns, losses, tuple(len(column) - 1 for column in columns), k, suppressed)
    assert best is not None
    return replace(best, nodes=nodes, is_optimal=is_optimal)


def recoded_extents(attributes: Sequence[Attribute], codes: Ints, recoding: GlobalRecoding) -> Ints:
    """Return what every record stands for after a recoding, shape (n, width); a suppressed one may be anything."""
    layout, kept = layout_of(attributes), recoding.classes >= 0
    values = np.arange(max(attribute.size for attribute in attributes))
    every = np.stack([np.minimum(values, attribute.size - 1) for attribute in attributes], axis=1)
    found = np.repeat(joined(layout, every, values[None, :]), codes.shape[0], axis=0)
    if kept.any():
        found[kept] = class_extents(layout, codes[kept], np.unique(recoding.classes[kept], return_inverse=True)[1])
    return found


def _levels(attribute: Attribute) -> tuple[Ints, Floats]:
    """Return what every value becomes at each level, and its NCP then; both of shape (levels, size)."""
    values = np.arange(attribute.size)
    if attribute.kind != "tree":
        whole = 1.0 if attribute.size > 1 else 0.0
        return np.stack([values, np.zeros_like(values)]), np.outer([0.0, whole], np.ones(attribute.size))
    nodes = [values]
    while (attribute.parents[nodes[-1]] != nodes[-1]).any():
        nodes.append(attribute.parents[nodes[-1]])
    held = np.stack(nodes)
    return held, attribute.losses[attribute.leaves][held]


def _plain(losses: Sequence[Floats], levels: tuple[int, ...]) -> float:
    """Return GCP at some levels without suppression."""
    return float(sum(lost[level].mean() for lost, level in zip(losses, levels, strict=True)))


def _at(
    columns: Sequence[Ints], losses: Sequence[Floats], levels: tuple[int, ...], k: int, suppressed: float
) -> GlobalRecoding | None:
    """Return the recoding at some levels, or None if too many records would be suppressed."""
    held = np.stack([column[level] for column, level in zip(columns, levels, strict=True)], axis=1)
    classes, sizes = np.unique(held, axis=0, return_inverse=True, return_counts=True)[1:]
    classes = classes.reshape(-1)
    out = sizes[classes] < k
    if out.sum() > suppressed * out.size:
        return None
    lost = np.sum([lost[level] for lost, level in zip(losses, levels, strict=True)], axis=0)
    return GlobalRecoding(levels, np.where(out, -1, classes), float(np.where(out, 1.0, lost).mean()), 0)
