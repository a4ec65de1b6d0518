"""Marginals of one version of a table's data, told in the variables of another one."""

from __future__ import annotations

from collections.abc import Sequence

from graphkit.tables.grouping import Grouping, numbered
from graphkit.tables.recoding import RecodedMarginal
from graphkit.tables.variable import Variable

__all__ = ["matching_variables", "retold"]


def matching_variables(then: Sequence[Variable], now: Sequence[Variable]) -> dict[int, int]:
    """Return which variables of two versions are the same, by their positions.

    Notes
    -----
    Those of one name; and of the others, in order, those that have the same categories: they may have been renamed.

    Examples
    --------
    >>> yes_no = ("no", "yes")
    >>> then = Variable("sex", ("f", "m")), Variable("ill", yes_no)
    >>> matching_variables(then, (Variable("illness", yes_no), Variable("sex", ("m", "f"))))
    {0: 1, 1: 0}
    """
    names = {variable.name: place for place, variable in enumerate(now)}
    found = {place: names[variable.name] for place, variable in enumerate(then) if variable.name in names}
    left = [place for place in range(len(now)) if place not in set(found.values())]
    for place, variable in enumerate(then):
        if place not in found:
            alike = next((other for other in left if set(now[other].categories) == set(variable.categories)), None)
            if alike is not None:
                found[place] = alike
                left.remove(alike)
    return found


def retold(
    marginal: RecodedMarginal, then: Sequence[Variable], now: Sequence[Variable]
) -> tuple[RecodedMarginal, bool]:
    """Return a marginal in the variables of another version, and whether it says as much there, or more.

    Parameters
    ----------
    marginal : RecodedMarginal
    then, now : sequence of Variable
        Of its own version, and of the other one.

    Notes
    -----
    A variable that is not there is left out. One that has other categories there counts as if all of these were told
    apart. That is more than is known if the old categories are among the new ones; otherwise it may be less: old
    categories may have been finer. A variable that only seems to be renamed may be another one.

    Examples
    --------
    >>> then = Variable("age", ("0-39", "40+")), Variable("sex", ("f", "m"))
    >>> pair = RecodedMarginal((0, 1), ((0, 1), (0, 1)))
    >>> retold(pair, then, [Variable("sex", ("m", "f"))])
    (RecodedMarginal(axes=(0,), groupings=((0, 1),)), False)
    """
    place = matching_variables(then, now)
    complete, found = True, []
    for axis, grouping in zip(marginal.axes, marginal.groupings, strict=True):
        if axis not in place:
            complete = False
            continue
        old, new = then[axis], now[place[axis]]
        complete &= old.name == new.name and set(old.categories) <= set(new.categories)
        found.append((place[axis], _regrouped(old, grouping, new)))
    ordered = sorted(found)
    return RecodedMarginal(tuple(axis for axis, _ in ordered), tuple(groups for _, groups in ordered)), complete


def _regrouped(then: Variable, grouping: Grouping, now: Variable) -> Grouping:
    """Return groups in the order of other categories; all are told apart where these are not the same."""
    group = dict(zip(then.categories, grouping, strict=True))
    if group.keys() != set(now.categories):
        return tuple(range(now.size))
    return numbered([group[category] for category in now.categories])
