"""Geographic units: how many people live in each, and whether they are enough for the unit to be published."""

from dataclasses import dataclass

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.errors import InvalidInput
from graphkit.presentation import Presentable


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitRisk(Presentable):
    """Geographic units with too few people. Figures and names of columns only."""

    columns: tuple[str, ...]
    """A unit is a combination of their values that occurs."""
    least_population: int
    """People that a unit needs."""
    population_from: str
    """`file`, `weights` (an estimate), or empty where nobody knows."""
    units: int
    units_below: int
    """Units that have fewer people."""
    records_below: int
    """Records in them."""
    units_unknown: int
    """Units whose population is not known."""
    records_unknown: int
    n: int
    """Records that name a unit."""

    _figures = ("n", "units", "least_population", "units_below", "records_below", "units_unknown")


def unit_risk(
    records: Ints,
    populations: Floats,
    least: int,
    *,
    columns: tuple[str, ...] = (),
    population_from: str = "file",
) -> UnitRisk:
    """Return how many geographic units, and records in them, have fewer people than they need.

    Parameters
    ----------
    records : ndarray of int, shape (units,)
        Records of each unit that occurs.
    populations : ndarray of float, shape (units,)
        People who live in it; NaN where that is not known.
    least : int
        People that each unit needs, at least 1. The safe harbor of HIPAA asks for more than 20 000: 20 001.
    columns : tuple of str, optional
        What makes a unit.
    population_from : str, optional
        Where the populations are from.

    Raises
    ------
    InvalidInput
        If there is not a population for each unit, one is negative, or `least` is below 1.

    Notes
    -----
    O(units). Populations by weights are estimates: a unit near the limit may be on the other side of it.

    References
    ----------
    45 CFR 164.514(b)(2)(i)(B): the initial three digits of a ZIP code may stay if the unit formed by all ZIP codes with
    these digits contains more than 20 000 people.

    Examples
    --------
    >>> found = unit_risk(np.array([5, 2]), np.array([812_000.0, 4_200.0]), 20_001)
    >>> found.units_below, found.records_below
    (1, 2)
    """
    if least < 1:
        raise InvalidInput(f"the least population of a unit ({least}) must be at least 1")
    if records.shape != populations.shape:
        raise InvalidInput("there must be one population for each geographic unit")
    if (populations < 0).any():
        raise InvalidInput("a population is negative; correct it first")
    unknown = np.isnan(populations)
    below = ~unknown & (populations < least)
    return UnitRisk(
        columns=columns,
        least_population=int(least),
        population_from=population_from,
        units=int(records.size),
        units_below=int(np.count_nonzero(below)),
        records_below=int(records[below].sum()),
        units_unknown=int(np.count_nonzero(unknown)),
        records_unknown=int(records[unknown].sum()),
        n=int(records.sum()),
    )
