"""Generalized Fréchet bounds: closed form for decomposable marginals, pieced together for reducible ones."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from graphkit.arrays import Ints
from graphkit.errors import BrokenClaim, InvalidInput
from graphkit.tables.structure.contingency import MOST_DENSE, projected_cells
from graphkit.tables.structure.hypergraph import Axes
from graphkit.tables.structure.released import ReleasedMarginals

Bounds = tuple[Ints, Ints]
"""Lower and upper bounds of cells."""

BoundComponent = Callable[[ReleasedMarginals, Ints], Bounds]
"""Returns bounds of a table's cells, given by their numbers in C order, from its marginals."""


def is_decomposable(released: ReleasedMarginals) -> bool:
    """Return whether Theorem 1 holds: :func:`frechet_bounds` gives sharp bounds.

    Raises
    ------
    InvalidInput
        If two marginals contradict each other.
    """
    return all(released.decomposition.known)


def frechet_bounds(released: ReleasedMarginals, cells: ArrayLike | None = None) -> Bounds:
    """Return sharp bounds of a table's cells from decomposable marginals.

    Parameters
    ----------
    released : ReleasedMarginals
        Marginals whose hypergraph is acyclic.
    cells : array_like of int, optional
        Numbers of cells in C order; all by default.

    Returns
    -------
    lower, upper : ndarray of int64
        Of the table's shape, or one bound for each of the `cells`.

    Raises
    ------
    InvalidInput
        If the marginals are not decomposable or contradict each other, a cell is not in the table, or all cells of a
        table with more than 2^27 are asked for.

    See Also
    --------
    graphkit.tables.structure.frechet_witness.frechet_witness : a table that has a bound's value in its cell.

    Notes
    -----
    Theorem 1: the least of the marginals, and the sum of the marginals less the separators, if that is not negative.
    A variable that no marginal names leaves the upper bounds as they are. Everybody may be in another of its
    categories, so the lower bounds are zero, unless it has one category only. O(km) for k marginals and m cells.

    References
    ----------
    .. [1] A. Dobra, S. E. Fienberg, Bounds for cell entries in contingency tables induced by fixed marginal totals
       with applications to disclosure limitation, Statistical Journal of the UN ECE 18, 2001, Theorem 1.

    Examples
    --------
    >>> lower, upper = frechet_bounds(ReleasedMarginals((2, 2), {(0,): [8, 2], (1,): [7, 3]}))
    >>> lower.tolist(), upper.tolist()
    ([[5, 1], [0, 0]], [[7, 3], [2, 2]])
    """

    def refuse(component: ReleasedMarginals, cells: Ints) -> Bounds:
        raise InvalidInput("the released marginals are not decomposable; reducible_bounds takes any")

    return reducible_bounds(released, refuse, cells)


def reducible_bounds(
    released: ReleasedMarginals, bound_component: BoundComponent, cells: ArrayLike | None = None
) -> Bounds:
    """Return bounds of a table's cells from bounds of its components' cells; sharp if those are.

    Parameters
    ----------
    released : ReleasedMarginals
    bound_component : callable
        Takes the marginals of a component whose counts are not released, its variables numbered anew from 0, and
        numbers of its cells, ascending; returns their lower and upper bounds. It is called once a component.
    cells : array_like of int, optional
        Numbers of cells in C order; all by default.

    Returns
    -------
    lower, upper : ndarray of int64
        Of the table's shape, or one bound for each of the `cells`.

    Raises
    ------
    InvalidInput
        If marginals contradict each other, a cell is not in the table, or all cells of a table with more than 2^27 are
        asked for.

    Notes
    -----
    Theorem 2: as Theorem 1, with the components' bounds in place of the marginals' counts. It needs counts of all
    separators, so components are kept together where a separator is in no released marginal.

    References
    ----------
    .. [1] A. Dobra, S. E. Fienberg, Bounds for cell entries in contingency tables induced by fixed marginal totals
       with applications to disclosure limitation, Statistical Journal of the UN ECE 18, 2001, Theorem 2.
    """
    decomposition = released.decomposition
    place = _Everywhere(released.shape) if cells is None else _Chosen(released.shape, cells)
    lower, upper = np.zeros(place.shape, np.int64), np.full(place.shape, released.total, np.int64)
    for axes, known in zip(decomposition.components, decomposition.known, strict=True):
        least, most = place.bounds(released, axes, None if known else bound_component)
        lower += least
        np.minimum(upper, most, out=upper)
    for separator in decomposition.sequence.separators:
        lower -= place.bounds(released, separator, None)[0]
    # records may be in any category of a variable that nothing is known of
    if decomposition.uncovered(released.shape):
        lower[...] = 0
    elif not decomposition.components:
        # one cell
        lower[...] = released.total
    return np.maximum(lower, 0, out=lower), upper


def known_counts(released: ReleasedMarginals, axes: Axes) -> Ints:
    """Return counts of a component or separator that is inside a released marginal.

    Raises
    ------
    BrokenClaim
        If it is in none.
    """
    counts = released.implied(axes)
    if counts is None:
        raise BrokenClaim("a known component or a separator is in no released marginal")
    return counts


class _Everywhere:
    """All cells of a table: the cells of a component are repeated along the other variables."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        if math.prod(shape) > MOST_DENSE:
            raise InvalidInput(
                f"a table of {math.prod(shape)} cells is too large for bounds of all of them; name cells"
            )
        self.shape = shape

    def bounds(self, released: ReleasedMarginals, axes: Axes, bound: BoundComponent | None) -> Bounds:
        """Return bounds of the cells by some variables, ready to be broadcast."""
        shape = tuple(size if axis in axes else 1 for axis, size in enumerate(self.shape))
        if bound is None:
            counts = known_counts(released, axes).reshape(shape)
            return counts, counts
        lower, upper = bound(released.restricted(axes), np.arange(math.prod(shape), dtype=np.int64))
        return lower.reshape(shape), upper.reshape(shape)


class _Chosen:
    """Some cells of a table."""

    def __init__(self, shape: tuple[int, ...], cells: ArrayLike) -> None:
        chosen = np.asarray(cells)
        if chosen.size == 0:
            chosen = chosen.astype(np.int64)
        if chosen.ndim != 1 or chosen.dtype.kind not in "iu":
            raise InvalidInput("cells must be a list of whole numbers")
        if chosen.size and not 0 <= chosen.min() <= chosen.max() < math.prod(shape):
            raise InvalidInput(f"a cell is not in the table; it has {math.prod(shape)}, numbered from 0")
        self.cells = chosen.astype(np.int64)
        self.shape = chosen.shape
        self._table = shape

    def bounds(self, released: ReleasedMarginals, axes: Axes, bound: BoundComponent | None) -> Bounds:
        """Return bounds of the cells by some variables, for each chosen cell of the table."""
        numbers = projected_cells(self.cells, self._table, axes)
        if bound is None:
            counts = known_counts(released, axes).reshape(-1)[numbers]
            return counts, counts
        distinct, place = np.unique(numbers, return_inverse=True)
        lower, upper = bound(released.restricted(axes), distinct)
        return lower[place], upper[place]
