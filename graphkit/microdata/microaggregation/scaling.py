"""How far two records are apart: every column scaled once, here, before any engine sees it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf, sqrt
from types import MappingProxyType
from typing import Any, Literal

import numpy as np

from graphkit.arrays import Floats
from graphkit.errors import InvalidInput

Scaling = Literal["standard", "robust", "range", "none"]
Missing = Literal["error", "group"]

MOST_CATEGORIES = 256
"""Of an attribute: each one is a coordinate."""
_NORMAL_QUARTILES = 1.3489795003921634
"""Distance between the quartiles of a normal distribution, in standard deviations."""


@dataclass(frozen=True, slots=True)
class Preparation:
    """How columns become coordinates, and what is done with a value that is missing."""

    scaling: Scaling = "standard"
    """What a number is divided by: its standard deviation; the distance between its quartiles as a share of that of a
    normal distribution (`robust`; the standard deviation where that distance is 0); its range; or nothing. A constant
    column counts nothing whatever the scaling."""
    weights: tuple[float, ...] = ()
    """What the squared distance in each column counts, all above 0; 1 each by default."""
    nominal: tuple[int, ...] = ()
    """Positions of columns of codes of categories: two different ones are at a squared distance of 1."""
    ordinal: tuple[int, ...] = ()
    """Positions of columns of ranks, from 0 on: distances are shares of that between the first and the last rank."""
    missing: Missing = "error"
    """NaN is an error; or records that lack the same values form groups of their own, by the values that they have."""


STANDARD = Preparation()


def prepared(records: Any, preparation: Preparation = STANDARD, *, by: Any = None) -> Floats:
    """Return records as points whose squared distances are what grouping them costs.

    Parameters
    ----------
    records : array_like of float, shape (n, d)
    preparation : Preparation, optional
    by : array_like of float, shape (n, d), optional
        Records that say location and spread, such as the original of those that are published. The records by default.

    Returns
    -------
    ndarray of float, shape (n, coordinates)
        One column each, and one for each category of a nominal column. What is missing is at the mean of its column, so
        that nothing is lost by it.

    Raises
    ------
    InvalidInput
        If the records are no table of numbers that may be used, or the preparation is not one of these columns.

    Notes
    -----
    O(n coordinates + n log n). Standard, without weights and categories: mean 0 and standard deviation 1.
    """
    table = _table(records, preparation)
    if preparation == STANDARD and by is None:
        return _standardized(table)
    origin = table if by is None else _table(by, preparation)
    weights = _weights(preparation, table.shape[1])
    if preparation.scaling not in SPREADS:
        raise InvalidInput(f"unknown scaling {preparation.scaling!r}; known: {', '.join(SPREADS)}")
    columns = []
    for place, weight in enumerate(weights):
        encode = _one_hot if place in preparation.nominal else _ranked if place in preparation.ordinal else None
        if encode is None:
            column = _scaled(table[:, place], origin[:, place], SPREADS[preparation.scaling])
        else:
            column = encode(table[:, place], origin[:, place])
        columns.append(sqrt(weight) * column)
    points: Floats = np.concatenate(columns, axis=1)
    return points


def standardized(records: Any) -> Floats:
    """Return records with mean 0 and standard deviation 1 in every column; a constant column becomes 0.

    Raises
    ------
    InvalidInput
        If they are no table of finite numbers.
    """
    return _standardized(_table(records, STANDARD))


def _standardized(points: Floats) -> Floats:
    points = points - points.mean(axis=0)
    spread = points.std(axis=0)
    scaled: Floats = np.divide(points, spread, out=np.zeros_like(points), where=spread > 0)
    return scaled


def published_loss(original: Floats, published: Floats, preparation: Preparation = STANDARD) -> float:
    """Return what is lost in percent when these values are published: the same measure as that of the groups.

    Parameters
    ----------
    original, published : ndarray of float, shape (n, d)
        In the same order; a value that is missing in both loses nothing.
    preparation : Preparation, optional

    Returns
    -------
    float
        100 times the squared distances between records and what is published of them, as a share of those to the mean
        of all; 0 where all records are alike.
    """
    before, after = prepared(original, preparation), prepared(published, preparation, by=original)
    total = float(((before - before.mean(axis=0)) ** 2).sum())
    return 100 * float(((before - after) ** 2).sum()) / total if total else 0.0


def _table(records: Any, preparation: Preparation) -> Floats:
    """Return records as a table of numbers that may be used."""
    try:
        table = np.asarray(records, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InvalidInput("records must be numbers: leave out columns of text, or give codes for them") from error
    if table.ndim != 2 or not table.shape[1]:
        raise InvalidInput("records must be a table: one row a record, at least one column")
    usable = ~np.isinf(table) if preparation.missing == "group" else np.isfinite(table)
    if not usable.all():
        raise InvalidInput("records must be finite numbers: impute or drop what is missing")
    empty = np.isnan(table).all(axis=0)
    if table.shape[0] and empty.any():
        raise InvalidInput(f"column {int(np.argmax(empty))} has no value at all; leave it out")
    return table


def _weights(preparation: Preparation, columns: int) -> tuple[float, ...]:
    weights = preparation.weights or (1.0,) * columns
    if len(weights) != columns:
        raise InvalidInput(f"there must be a weight for each of the {columns} columns, not {len(weights)}")
    if not all(0 < weight < inf for weight in weights):
        raise InvalidInput("weights of columns must be positive numbers; leave out what is to count nothing")
    if not {*preparation.nominal, *preparation.ordinal} <= set(range(columns)):
        raise InvalidInput(f"columns of categories must be among the {columns} there are, counted from 0 on")
    return weights


def _centered(column: Floats, location: float) -> Floats:
    """Return a column around its location; what is missing is there."""
    return np.where(np.isnan(column), 0.0, column - location)[:, None]


def _scaled(column: Floats, origin: Floats, spread_of: Callable[[Floats], float]) -> Floats:
    there = origin[~np.isnan(origin)]
    location = float(there.mean())
    spread = spread_of(there - location) if np.ptp(there) > 0 else 0.0
    return _centered(column, location) / spread if spread > 0 else np.zeros((column.size, 1))


def _ranked(column: Floats, origin: Floats) -> Floats:
    there = origin[~np.isnan(origin)]
    top = float(there.max())
    return _centered(column, float(there.mean())) / top if top > 0 else np.zeros((column.size, 1))


def _one_hot(column: Floats, origin: Floats) -> Floats:
    """Return a column for each category, such that two records of different ones are at a squared distance of 1."""
    there = origin[~np.isnan(origin)]
    codes = np.unique(there)
    if codes.size > MOST_CATEGORIES:
        raise InvalidInput(
            f"a column has {codes.size} categories, more than the {MOST_CATEGORIES} that distances are measured "
            "between; merge some, or leave it out"
        )
    shares = np.array([(there == code).mean() for code in codes])
    held = np.where(np.isnan(column)[:, None], shares, column[:, None] == codes)
    points: Floats = held * sqrt(0.5)
    return points


def _standard(there: Floats) -> float:
    return float(there.std())


def _robust(there: Floats) -> float:
    low, high = np.quantile(there, (0.25, 0.75))
    return float(high - low) / _NORMAL_QUARTILES if high > low else _standard(there)


def _range(there: Floats) -> float:
    return float(np.ptp(there))


def _one(there: Floats) -> float:
    return 1.0


SPREADS: Mapping[str, Callable[[Floats], float]] = MappingProxyType(
    {"standard": _standard, "robust": _robust, "range": _range, "none": _one}
)
"""What the values of a column are divided by, by the name of the scaling."""
