"""Counts from frames of records, and from cross tables of pandas."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.frames import check_columns, check_names, column_names, column_values, is_frame, is_missing
from graphkit.hierarchies.variable import Variable

Counted = tuple[tuple[Variable, ...], tuple[Ints, ...], Ints]
"""Variables; of each of them, the category of every row; and the count of every row."""

_MARGIN, _LARGEST = "All", 2**53


def counted_records(
    frame: Any, names: Sequence[str] | None, count: str | None, orders: Mapping[str, Sequence[Any]]
) -> Counted:
    """Return the categories and the count of every row of a frame.

    Parameters
    ----------
    frame : DataFrame of pandas or polars, Table of pyarrow
        A row a record; or a row a cell, with a column of counts.
    names : sequence of str or None
        Columns that become variables, in this order; all but the counts by default.
    count : str or None
        Column of counts: whole numbers from 0 on. Each row counts once by default.
    orders : mapping of str to sequence
        Of a variable, all its categories in order. By default those of a categorical column, or else those that occur,
        ascending: numbers as numbers.

    Raises
    ------
    InvalidInput
        If it is no frame, a column is missing or there twice, a value is missing or not among the categories of its
        variable, or a count is none.

    Notes
    -----
    O(rows) a variable, besides sorting its categories.

    Examples
    --------
    >>> import pyarrow
    >>> from graphkit.tables import ContingencyTable
    >>> frame = pyarrow.table({"sex": ["f", "m", "f"], "ill": ["no", "no", "yes"]})
    >>> ContingencyTable.from_records(frame).dense().tolist()
    [[1, 1], [1, 0]]
    """
    if not is_frame(frame):
        raise InvalidInput("records must be a frame of pandas, polars or pyarrow")
    check_names(names)
    known = [str(name) for name in column_names(frame)]
    chosen = [name for name in known if name != count] if names is None else list(names)
    check_columns(known, (*chosen, *([] if count is None else [count]), *orders))
    if not chosen:
        raise InvalidInput("a table needs at least one variable; name the columns to count by")
    variables, places = [], []
    for name in chosen:
        values = column_values(frame[name])
        variable, own = _coded(name, values, _categories(frame[name], values, name, orders.get(name)))
        variables.append(variable)
        places.append(own)
    counts = np.ones(len(values), dtype=np.int64) if count is None else _counts(column_values(frame[count]))
    return tuple(variables), tuple(places), counts


def crossed_counts(frame: Any) -> Counted:
    """Return the categories and the count of every cell of a cross table.

    Parameters
    ----------
    frame : pandas.DataFrame
        As ``pandas.crosstab`` makes it: one variable or several in its index, one or several in its columns.

    Raises
    ------
    InvalidInput
        If it is no cross table, a variable has no name, or it has margins.

    Examples
    --------
    >>> import pandas
    >>> from graphkit.tables import ContingencyTable
    >>> people = pandas.DataFrame({"sex": ["f", "m", "f"], "ill": ["no", "no", "yes"]})
    >>> table = ContingencyTable.from_crosstab(pandas.crosstab(people.sex, people.ill))
    >>> table.names, table.dense().tolist()
    (('sex', 'ill'), [[1, 1], [1, 0]])
    """
    if not (is_frame(frame) and hasattr(frame, "index") and hasattr(frame.columns, "names")):
        raise InvalidInput("a cross table must be a frame of pandas, as pandas.crosstab makes it")
    sides = [(list(axis.names), [_tuple(label) for label in axis.tolist()]) for axis in (frame.index, frame.columns)]
    names = [name for side, _ in sides for name in side]
    if any(name is None for name in names):
        raise InvalidInput("a variable of the cross table has no name; name its index and columns")
    if any(_MARGIN in label for _, labels in sides for label in labels):
        raise InvalidInput("the cross table has margins ('All'); make it without margins=True")
    grid = np.asarray(frame)
    rows, columns = np.divmod(np.arange(grid.size), max(1, grid.shape[1]))
    variables, places = [], []
    for (side, labels), at in zip(sides, (rows, columns), strict=True):
        for number, name in enumerate(side):
            values = [label[number] for label in labels]
            variable, own = _coded(str(name), values, _ascending(values, str(name)))
            variables.append(variable)
            places.append(own[at])
    return tuple(variables), tuple(places), _counts(grid.ravel().tolist())


def _coded(name: str, values: list[Any], categories: list[Any]) -> tuple[Variable, Ints]:
    """Return a variable, and the category of every value."""
    place = {category: at for at, category in enumerate(categories)}
    try:
        places = np.fromiter(map(place.__getitem__, values), dtype=np.int64, count=len(values))
    except KeyError:
        raise InvalidInput(f"a value of {name!r} is not among its categories") from None
    return Variable(name, tuple(map(str, categories))), places


def _tuple(label: Any) -> tuple[Any, ...]:
    return label if isinstance(label, tuple) else (label,)


def _categories(column: Any, values: list[Any], name: str, order: Sequence[Any] | None) -> list[Any]:
    if any(map(is_missing, values)):
        raise InvalidInput(f"a value of {name!r} is missing; write a category for it, such as 'unknown'")
    if order is not None:
        return list(order)
    of_categorical = getattr(getattr(column, "cat", None), "categories", None)
    return list(of_categorical) if of_categorical is not None else _ascending(values, name)


def _ascending(values: list[Any], name: str) -> list[Any]:
    try:
        return sorted(set(values))
    except TypeError:
        raise InvalidInput(f"values of {name!r} are of several types; make them all text or all numbers") from None


def _counts(values: list[Any]) -> Ints:
    if not all(_is_whole(value) for value in values):
        raise InvalidInput("a count is no whole number, or too large")
    counts = np.array([int(value) for value in values], dtype=np.int64)
    if (counts < 0).any():
        raise InvalidInput("a count is negative")
    return counts


def _is_whole(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return -_LARGEST < value < _LARGEST and value == int(value)
