"""One minimum-cost flow: the k-regular graph whose pairs lose least, for comparison; it is not the least GCP."""

from collections.abc import Sequence

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.errors import InvalidInput, SolverFailed
from graphkit.microdata.generalization.attribute import Attribute
from graphkit.microdata.generalization.bounding.stars import nearest
from graphkit.microdata.generalization.bounding.whole import UNIT, whole_losses
from graphkit.microdata.generalization.extents import check_codes, layout_of
from graphkit.parameters import check_least_size
from graphkit.solver import linear_program, new_solver

MOST_RECORDS = 4_000
_FIRST_EDGES, _TOLERANCE = 4, 1e-9


def min_cost_flow(codes: Ints, attributes: Sequence[Attribute], k: int) -> Ints:
    """Return the k-regular graph with the least sum of the losses of its pairs.

    Parameters
    ----------
    codes : ndarray of int, shape (n, d)
        Records as numbers of values; at most :data:`MOST_RECORDS`.
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
        If records are not of the domains, k is not from 2 to n, or there are too many records.
    SolverFailed
        If HiGHS finds no flow.

    Notes
    -----
    A generalized record that covers k − 1 others loses less than the sum of what it loses with each of them alone, so
    this is the optimum for k = 2 only. The linear program of the flow has whole vertices; it is solved over the
    nearest pairs, and pairs whose reduced cost is negative are added until there is none. O(n²) memory.

    References
    ----------
    Doka, Xue, Tsoumakos, Karras: k-Anonymization by freeform generalization, ASIACCS 2015, Section 8, minCostFlow.

    Examples
    --------
    >>> from graphkit.microdata.generalization.attribute import numeric
    >>> records = np.array([[0], [1], [2], [3]])
    >>> min_cost_flow(records, [numeric([0, 1, 8, 10])], 2).tolist()
    [[0, 1], [1, 0], [2, 3], [3, 2]]
    """
    check_codes(attributes, codes)
    n = codes.shape[0]
    check_least_size(k, n)
    if n > MOST_RECORDS:
        raise InvalidInput(
            f"there are more than {MOST_RECORDS} records; a single flow over all pairs is for few of them"
        )
    layout = whole_losses(layout_of(attributes))
    lists, nears, _ = nearest(layout, np.ascontiguousarray(codes, dtype=np.int64), n - 1)
    losses = np.full((n, n), np.inf)
    np.put_along_axis(losses, lists, nears / UNIT, axis=1)
    known = np.zeros((n, n), dtype=bool)
    np.put_along_axis(known, lists[:, : _FIRST_EDGES * k], True, axis=1)
    # rings are feasible
    known[np.arange(n)[:, None], (np.arange(n)[:, None] + np.arange(1, k)) % n] = True
    while True:
        flow, left, right = _solved(losses, known, k - 1)
        missed = (losses - left[:, None] - right < -_TOLERANCE) & ~known
        if not missed.any():
            break
        known |= missed
    others = np.nonzero(flow)[1].reshape(n, k - 1)
    return np.column_stack((np.arange(n), others)).astype(np.int64)


def _solved(losses: Floats, known: np.ndarray, each: int) -> tuple[np.ndarray, Floats, Floats]:
    """Return the flow over known pairs, and the duals of the generalized records and of the records."""
    n = losses.shape[0]
    tails, heads = np.nonzero(known)
    demand = np.full(2 * n, float(each))
    program = linear_program(
        losses[tails, heads],
        (np.zeros(tails.size), np.ones(tails.size)),
        (demand, demand),
        (np.arange(tails.size + 1) * 2, np.column_stack((tails, n + heads)).ravel(), np.ones(2 * tails.size)),
    )
    # the simplex method ends at a vertex, which is whole
    solver = new_solver()
    solver.setOptionValue("solver", "simplex")
    solver.passModel(program)
    solver.run()
    solution = solver.getSolution()
    taken = np.array(solution.col_value) > 0.5
    duals = np.array(solution.row_dual)
    flow = np.zeros((n, n), dtype=bool)
    flow[tails[taken], heads[taken]] = True
    if (flow.sum(axis=0) != each).any() or (flow.sum(axis=1) != each).any():
        raise SolverFailed("HiGHS found no flow")
    return flow, duals[:n], duals[n:]
