"""Whether marginals from several places fit one table of counts; where not, which of them contradict each other."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from auditor.subjects.tables.stored.layout import in_layout
from graphkit.budget import Budget
from graphkit.errors import BrokenClaim, InvalidInput
from graphkit.hierarchies.variable import Variable
from graphkit.tables.programs.consistency import conflicting_marginals, consistency_of
from graphkit.tables.structure.contingency import MOST_DENSE, ContingencyTable
from graphkit.tables.structure.hypergraph import Axes
from graphkit.tables.structure.released import ReleasedMarginals

Reason = Literal["totals", "shared", "together"]

_MOST_DIFFERENCES = 1_000
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """What was proven of marginals from several places. No count is in it but those of the witness."""

    variables: tuple[Variable, ...]
    """Of all of them, in the order in which they first appear; each with all of its categories."""
    fits: bool | None
    """None: neither was proven in time."""
    witness: ContingencyTable | None = None
    """A table that has all the marginals, checked: one of many, perhaps."""
    conflict: tuple[int, ...] = ()
    """Places of marginals that have no common table."""
    irreducible: bool | None = None
    """Whether these have one without any of them; None where that was not proven in time."""
    reason: Reason | None = None
    """``totals``: their totals differ. ``shared``: two of them differ by the variables that they share.
    ``together``: only all of them contradict each other."""
    shared: tuple[str, ...] = ()
    """Variables that the two share."""
    differing: tuple[dict[str, str], ...] = ()
    """Categories of these for which the two count differently, the first ones."""
    remarks: tuple[str, ...] = ()
    """One sentence each, about categories that are not everywhere."""


def check_fit(names: Sequence[str], marginals: Sequence[ContingencyTable], budget: Budget | None = None) -> Fit:
    """Return whether there is a table of counts that has all marginals.

    Parameters
    ----------
    names : sequence of str
        What remarks call the marginals.
    marginals : sequence of ContingencyTable
        Variables and categories belong together by their names. A category that a marginal does not have counts 0 in
        it.
    budget : Budget, optional
        Ends the search early.

    Raises
    ------
    InvalidInput
        If the table would have more than 2^62 cells, or a marginal more than 2^27.
    BrokenClaim
        If the table that was found does not have the marginals.

    Examples
    --------
    >>> a, b, c = (Variable(name, ("x", "y")) for name in "abc")
    >>> same = ContingencyTable.from_dense([[1, 0], [0, 1]], [a, b])
    >>> also = ContingencyTable.from_dense([[1, 0], [0, 1]], [b, c])
    >>> other = ContingencyTable.from_dense([[0, 1], [1, 0]], [a, c])
    >>> check_fit(["ab", "bc"], [same, also]).witness.dense().tolist()
    [[[1, 0], [0, 0]], [[0, 0], [0, 1]]]
    >>> found = check_fit(["ab", "bc", "ac"], [same, also, other])
    >>> found.fits, found.conflict, found.irreducible, found.reason
    (False, (0, 1, 2), True, 'together')
    """
    budget = budget or Budget()
    variables, remarks = _united(names, marginals)
    first, *others = marginals
    for place, other in enumerate(others, 1):
        if other.total != first.total:
            return Fit(variables, False, None, (0, place), True, "totals", remarks=remarks)
    # two marginals by the same variables: the engine knows one
    counted: dict[Axes, int] = {}
    dense = [_counts(marginal, variables) for marginal in marginals]
    for place, (axes, counts) in enumerate(dense):
        if not np.array_equal(counts, dense[counted.setdefault(axes, place)][1]):
            return _differing(variables, dense, (counted[axes], place), remarks)
    released = ReleasedMarginals(
        (variable.size for variable in variables), {axes: dense[place][1] for axes, place in counted.items()}
    )
    found = consistency_of(released, budget)
    if found.table is not None:
        witness = ContingencyTable(variables, *found.table)
        if not all(np.array_equal(witness.marginal(axes).dense(), counts) for axes, counts in dense):
            raise BrokenClaim("the table that was found does not have the marginals")
        return Fit(variables, True, witness, remarks=remarks)
    if found.exists is None:
        return Fit(variables, None, remarks=remarks)
    sets = conflicting_marginals(released, budget=budget) or released.sets
    conflict = tuple(sorted(counted[axes] for axes in sets))
    if len(conflict) == 2:
        return _differing(variables, dense, (conflict[0], conflict[1]), remarks)
    return Fit(variables, False, None, conflict, _irreducible(released, sets, budget), "together", remarks=remarks)


def _united(
    names: Sequence[str], marginals: Sequence[ContingencyTable]
) -> tuple[tuple[Variable, ...], tuple[str, ...]]:
    """Return all variables with all their categories, and what is to be said of those that are not everywhere."""
    categories: dict[str, dict[str, None]] = {}
    for marginal in marginals:
        for variable in marginal.variables:
            categories.setdefault(variable.name, {}).update(dict.fromkeys(variable.categories))
    remarks = []
    for name, marginal in zip(names, marginals, strict=True):
        for variable in marginal.variables:
            has = set(variable.categories)
            absent = [category for category in categories[variable.name] if category not in has]
            if absent:
                listed = ", ".join(absent[:_MOST_NAMED]) + (", …" if len(absent) > _MOST_NAMED else "")
                remarks.append(f"{name} has no people with {variable.name} = {listed}; other files have the category")
    return tuple(Variable(name, tuple(found)) for name, found in categories.items()), tuple(remarks)


def _counts(marginal: ContingencyTable, variables: tuple[Variable, ...]) -> tuple[Axes, NDArray[np.int64]]:
    """Return a marginal by positions among all variables, with all their categories."""
    axes = tuple(axis for axis, variable in enumerate(variables) if variable.name in marginal.names)
    chosen = [variables[axis] for axis in axes]
    size = math.prod(variable.size for variable in chosen)
    if size > MOST_DENSE:
        names = ", ".join(variable.name for variable in chosen)
        raise InvalidInput(f"the marginal by {names} has {size} cells, too many to be compared")
    return axes, in_layout(marginal, chosen).dense()


def _differing(
    variables: tuple[Variable, ...],
    dense: list[tuple[Axes, NDArray[np.int64]]],
    pair: tuple[int, int],
    remarks: tuple[str, ...],
) -> Fit:
    """Return that two marginals differ by what they share, and for which categories."""
    shared = tuple(sorted(set(dense[pair[0]][0]) & set(dense[pair[1]][0])))
    one, other = (
        counts.sum(axis=tuple(place for place, axis in enumerate(axes) if axis not in shared))
        for axes, counts in (dense[pair[0]], dense[pair[1]])
    )
    differing = tuple(
        {variables[axis].name: variables[axis].categories[code] for axis, code in zip(shared, codes, strict=True)}
        for codes in np.argwhere(one != other)[:_MOST_DIFFERENCES].tolist()
    )
    names = tuple(variables[axis].name for axis in shared)
    return Fit(variables, False, None, pair, True, "shared", names, differing, remarks)


def _irreducible(released: ReleasedMarginals, sets: Sequence[Axes], budget: Budget) -> bool | None:
    """Whether marginals have a common table without any of them; None where that was not proven."""
    for fewer in combinations(sets, len(sets) - 1):
        part = ReleasedMarginals(released.shape, {axes: released.marginals[axes] for axes in fewer}, released.total)
        if not consistency_of(part, budget).exists:
            return None
    return True
