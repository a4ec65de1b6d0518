"""Whether two tables may be of the same respondents: marginals by one or two variables with nearly the same counts."""

from collections.abc import Mapping
from itertools import combinations, product
from math import ceil, prod

import numpy as np

from graphkit.arrays import Ints
from graphkit.tables.structure.contingency import MOST_TOGETHER, ContingencyTable

Counts = Mapping[tuple[str, ...], Ints]
"""By names of one or two variables, the counts of the marginal that are not zero, the largest first."""

_TOLERANCE = 0.02
_LEAST_TOLERANCE = 2
_LEAST_SIZE = {1: 3, 2: 4}
"""From how many counts on, by number of variables, nearly the same ones say something."""


def sorted_counts(table: ContingencyTable) -> dict[tuple[str, ...], Ints]:
    """Return the counts of all marginals by one or two variables that are not zero, each the largest first. Protected.

    Neither names nor the order of categories make a difference: whoever renames them is found all the same.

    Examples
    --------
    >>> from graphkit.hierarchies.variable import Variable
    >>> table = ContingencyTable.from_dense([[3, 4], [0, 5]], (Variable("a", ("x", "y")), Variable("b", ("u", "v"))))
    >>> {names: counts.tolist() for names, counts in sorted_counts(table).items()}
    {('a',): [7, 5], ('b',): [9, 3], ('a', 'b'): [5, 4, 3]}
    """
    found = {}
    for number in (1, 2):
        for axes in combinations(range(len(table.shape)), number):
            if prod(table.shape[axis] for axis in axes) <= MOST_TOGETHER:
                found[tuple(table.names[axis] for axis in axes)] = np.sort(table.marginal(axes).counts)[::-1]
    return found


def alike_marginals(one: Counts, other: Counts) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return marginals of two tables that have nearly the same counts, those of two variables first.

    Parameters
    ----------
    one, other : mapping
        As :func:`sorted_counts` gives them.

    Returns
    -------
    list of (tuple of str, tuple of str)
        Names of variables of the one, and of the other one.

    Notes
    -----
    Counts are nearly the same where, put in order, they differ by two records or two in a hundred in all. Of a variable
    with two categories, and of two variables with fewer than four cells, that says little: these must be equal. It is a
    question to the owner of the tables, no verdict.

    Examples
    --------
    >>> alike_marginals({("a",): np.array([9, 6, 4])}, {("b",): np.array([9, 7, 4])})
    [(('a',), ('b',))]
    >>> alike_marginals({("a",): np.array([9, 6])}, {("b",): np.array([9, 7])})
    []
    """
    found = []
    totals = [max((int(counts.sum()) for counts in side.values()), default=0) for side in (one, other)]
    allowed = max(_LEAST_TOLERANCE, ceil(_TOLERANCE * max(totals)))
    if abs(totals[0] - totals[1]) > allowed:
        return []
    for (names, counts), (others, array) in product(one.items(), other.items()):
        # a single count is the total
        if len(names) == len(others) and array.size > 1:
            is_telling = min(counts.size, array.size) >= _LEAST_SIZE[len(names)]
            if _differ(counts, array) <= (allowed if is_telling else 0):
                found.append((names, others))
    return sorted(found, key=lambda pair: (-len(pair[0]), pair[0] != pair[1], pair))


def _differ(one: Ints, other: Ints) -> int:
    size = max(one.size, other.size)
    both = np.zeros((2, size), dtype=np.int64)
    both[0, : one.size], both[1, : other.size] = one, other
    return int(np.abs(both[0] - both[1]).sum())
