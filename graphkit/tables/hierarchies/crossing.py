"""Groupings of one variable that cross: marginals that tell a little more or a little less, with groupings that do not.

Of two groupings that cross neither is coarser. Engines take some of them
(:attr:`~graphkit.hierarchies.hierarchy.Hierarchy.shows_empty`). For the others a decision is held between two
sides: what is safe for somebody who knows more is safe, and what is unsafe for somebody who knows less is unsafe.
"""

from collections.abc import Iterable, Sequence

from graphkit.hierarchies.grouping import common_refinement
from graphkit.hierarchies.hierarchy import Hierarchy
from graphkit.hierarchies.variable import Variable
from graphkit.tables.hierarchies.hierarchical_table import needed_marginals
from graphkit.tables.hierarchies.recoding import RecodedMarginal


def refined_crossings(marginals: Iterable[RecodedMarginal], variables: Sequence[Variable]) -> list[RecodedMarginal]:
    """Return marginals that tell at least as much, whose groupings engines take; the same ones where they do already.

    Parameters
    ----------
    marginals : iterable of RecodedMarginal
    variables : sequence of Variable
        Those of the table.

    Examples
    --------
    >>> age = [Variable("age", ("0-19", "20-39", "40+"))]
    >>> crossing = [RecodedMarginal((0,), ((0, 0, 1),)), RecodedMarginal((0,), ((0, 1, 1),))]
    >>> refined_crossings(crossing, age)
    [RecodedMarginal(axes=(0,), groupings=((0, 1, 2),))]
    """
    found = needed_marginals(marginals)
    while True:
        bad = [axis for axis in range(len(variables)) if not _is_taken(found, axis, variables[axis])]
        if not bad:
            return found
        for axis in bad:
            finest = common_refinement({one.grouping(axis) for one in found if axis in one.axes})
            found = [_with(one, axis, finest) if axis in one.axes else one for one in found]
        # finer ones may make others follow
        found = needed_marginals(found)


def without_crossings(
    marginals: Iterable[RecodedMarginal], variables: Sequence[Variable], first: RecodedMarginal | None = None
) -> list[RecodedMarginal]:
    """Return marginals that tell at most as much, whose groupings engines take: some of them are left out.

    Parameters
    ----------
    marginals : iterable of RecodedMarginal
    variables : sequence of Variable
        Those of the table.
    first : RecodedMarginal, optional
        Not left out.
    """
    needed = needed_marginals([*marginals, *([first] if first is not None else [])])
    # what has most variables tells most
    ordered = sorted(needed, key=lambda one: (one != first, -len(one.axes), one.rank))
    found: list[RecodedMarginal] = []
    for one in ordered:
        tried = [*found, one]
        if all(_is_taken(tried, axis, variables[axis]) for axis in one.axes):
            found = tried
    return found


def _is_taken(marginals: Iterable[RecodedMarginal], axis: int, variable: Variable) -> bool:
    used = {one.grouping(axis) for one in marginals if axis in one.axes}
    return len(used) < 2 or Hierarchy.of(variable, used).shows_empty


def _with(marginal: RecodedMarginal, axis: int, grouping: tuple[int, ...]) -> RecodedMarginal:
    groupings = zip(marginal.axes, marginal.groupings, strict=True)
    return RecodedMarginal(marginal.axes, tuple(grouping if at == axis else own for at, own in groupings))
