"""Groups of which a marginal shows that nobody is in one of the categories."""

from collections.abc import Iterable

import numpy as np

from graphkit.arrays import Ints
from graphkit.tables.hierarchies.hierarchical_table import needed_marginals
from graphkit.tables.hierarchies.recoding import RecodedMarginal, recoded
from graphkit.tables.structure.contingency import ContingencyTable


def disclosed_groups(
    table: ContingencyTable, marginals: Iterable[Iterable[str | int] | RecodedMarginal]
) -> list[tuple[RecodedMarginal, int]]:
    """Return the marginals with a row of at least one person and a category that is zero.

    Parameters
    ----------
    table : ContingencyTable
    marginals : iterable of iterable of str or int, or RecodedMarginal
        What is out; a category may be a merged one.

    Returns
    -------
    list of (RecodedMarginal, int)
        For each, the marginal, and the position of the variable that groups have nobody in a category of.

    Notes
    -----
    *Why one zero is enough.* A row such as 50, 0, 70 has two categories, but the marginal with both merged follows from
    it, and shows that all are in one. What would be refused coarser is refused finer; otherwise the order of requests
    would decide.

    Only marginals that do not follow from others are looked at: if nobody of a group is in a category, so is nobody of
    each part of it, and a marginal with more variables or categories shows it. O(k·c) for c counts.

    Examples
    --------
    >>> from graphkit.hierarchies.variable import Variable
    >>> variables = Variable("sex", ("f", "m")), Variable("ill", ("no", "yes"))
    >>> table = ContingencyTable.from_dense([[3, 0], [2, 4]], variables)
    >>> [(marginal.axes, axis) for marginal, axis in disclosed_groups(table, [["sex", "ill"]])]
    [((0, 1), 0), ((0, 1), 1)]
    """
    found = []
    for marginal in needed_marginals(recoded(table, one) for one in marginals):
        if marginal.axes:
            counts = marginal.counts(table).dense()
            places = enumerate(marginal.axes)
            found += [(marginal, axis) for place, axis in places if len(disclosing_rows(counts, place))]
    return found


def disclosing_rows(counts: Ints, place: int) -> Ints:
    """Return the groups of a marginal that have somebody, and nobody in one of the categories of a variable.

    Parameters
    ----------
    counts : ndarray of int64
        The marginal, one axis a variable.
    place : int
        Axis of the variable; the other ones name the groups.

    Returns
    -------
    ndarray of int64, shape (r, k - 1)
        Categories of the other variables, in their order; without another variable the group is everybody. None where
        there is only one category.

    Examples
    --------
    >>> disclosing_rows(np.array([[3, 0], [2, 4], [0, 0]]), 1).tolist()
    [[0]]
    >>> disclosing_rows(np.array([50, 0, 70]), 0).tolist(), disclosing_rows(np.array([50, 1, 70]), 0).tolist()
    ([[]], [])
    """
    if counts.shape[place] < 2:
        return np.empty((0, counts.ndim - 1), dtype=np.int64)
    records = np.count_nonzero(counts, axis=place)
    return np.argwhere((records > 0) & (records < counts.shape[place])).astype(np.int64)
