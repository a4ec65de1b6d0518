"""The optimum of tiny inputs: a mixed-integer program over all stars."""

from collections.abc import Sequence
from itertools import combinations
from math import comb

import numpy as np

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput, SolverFailed
from graphkit.microdata.generalization.attribute import Attribute
from graphkit.microdata.generalization.extents import check_codes, joined, layout_of, losses_of
from graphkit.parameters import check_least_size
from graphkit.solver import linear_program, new_solver

MOST_STARS = 50_000


def optimum(codes: Ints, attributes: Sequence[Attribute], k: int) -> Ints:
    """Return a k-regular generalization of the least GCP.

    Parameters
    ----------
    codes : ndarray of int, shape (n, d)
        Records as numbers of values.
    attributes : sequence of Attribute
    k : int
        Records that each generalized record covers, from 2 to n.

    Returns
    -------
    ndarray of int, shape (n, k)
        The records that each generalized record covers; itself first, the others ascending.

    Raises
    ------
    InvalidInput
        If records are not of the domains, k is not from 2 to n, or there are more than :data:`MOST_STARS` stars.
    SolverFailed
        If HiGHS finds none.

    Notes
    -----
    One column for each record and each set of k − 1 others, n C(n − 1, k − 1) in all; each record has one star, and is
    in k − 1 stars of others. Doka et al. give a program of O(n²) variables for sets without a hierarchy; this one
    takes any loss, and its relaxation is the bound of
    :func:`~graphkit.microdata.generalization.bounding.lower_bound.lower_bound`.

    Examples
    --------
    >>> from graphkit.microdata.generalization.attribute import numeric
    >>> records = np.array([[0], [1], [2], [3]])
    >>> optimum(records, [numeric([0, 1, 8, 10])], 2).tolist()
    [[0, 1], [1, 0], [2, 3], [3, 2]]
    """
    check_codes(attributes, codes)
    n = codes.shape[0]
    check_least_size(k, n)
    count = n * comb(n - 1, k - 1)
    if count > MOST_STARS:
        raise InvalidInput(f"{n} records have {count} stars of {k}, too many to find the optimum; use a heuristic")
    others = np.array(list(combinations(range(n - 1), k - 1)), dtype=np.int64)
    # the others of a record are numbered without it
    stars = np.concatenate([np.column_stack((np.full(len(others), j), others + (others >= j))) for j in range(n)])
    layout = layout_of(attributes)
    costs = losses_of(layout, joined(layout, codes, stars))
    rows = stars.copy()
    rows[:, 1:] += n
    demand = np.concatenate((np.ones(n), np.full(n, k - 1.0)))
    program = linear_program(
        costs,
        (np.zeros(count), np.ones(count)),
        (demand, demand),
        (np.arange(count + 1) * k, rows.ravel(), np.ones(rows.size)),
        integral=True,
    )
    solver = new_solver(mip_rel_gap=0.0, mip_abs_gap=1e-9)
    solver.passModel(program)
    solver.run()
    taken = np.flatnonzero(np.array(solver.getSolution().col_value) > 0.5)
    if taken.size != n:
        raise SolverFailed("HiGHS found no regular generalization")
    return stars[taken]
