"""Marginals and cells in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from auditor.formats.tables.names import quoted
from graphkit.hierarchies.variable import Variable

if TYPE_CHECKING:
    from graphkit.tables.hierarchies.recoding import RecodedMarginal


def in_words(names: Sequence[str], merged: Mapping[str, Iterable[Iterable[str]]]) -> str:
    """Return the name of a marginal: its variables, each with the categories of it that are merged.

    Examples
    --------
    >>> in_words(["sex", "age"], {"age": [["60-79", "80+"]]})
    'sex, age (60-79 + 80+)'
    >>> in_words(["sex", "Alter, Jahre"], {})
    'sex, "Alter, Jahre"'
    """
    words = []
    for name in names:
        groups = "; ".join(" + ".join(map(quoted, together)) for together in merged.get(name, ()))
        words.append(f"{quoted(name)} ({groups})" if groups else quoted(name))
    return ", ".join(words) or "the total"


def needed_in_words(marginals: Iterable[RecodedMarginal], variables: Sequence[Variable]) -> list[str]:
    """Return the names of those marginals that do not follow from others: they tell all that is known.

    Examples
    --------
    >>> from graphkit.tables.hierarchies.recoding import RecodedMarginal
    >>> from graphkit.hierarchies.variable import Variable
    >>> variables = [Variable(name, ("no", "yes")) for name in "abc"]
    >>> all_of_it = [RecodedMarginal(axes, ((0, 1),) * len(axes)) for axes in ((0,), (1,), (0, 1), (2,))]
    >>> needed_in_words(all_of_it, variables)
    ['a, b', 'c']
    """
    from graphkit.tables.hierarchies.hierarchical_table import needed_marginals

    return [
        in_words([variables[axis].name for axis in one.axes], one.merged(variables))
        for one in needed_marginals(marginals)
    ]


def categories_in_words(named: Mapping[str, str]) -> str:
    """Return the categories of a cell by variable, on one line.

    Examples
    --------
    >>> categories_in_words({"sex": "f", "income, net": "low"})
    'sex=f, "income, net"=low'
    """
    return ", ".join(f"{quoted(name)}={quoted(category)}" for name, category in named.items())
