"""Individual risk of classes that are counted in DuckDB: all records of a class have the same."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from graphkit.arrays import Floats, Ints
from graphkit.microdata.risk.individual import WeightedRisk, mean_of_inverse
from graphkit.microdata.risk.relational.records_table import CLASSES, RecordsTable, streamed


def weighted_risk_in(table: RecordsTable, threshold: float) -> WeightedRisk:
    """Return the figures of the individual risk, as :func:`~graphkit.microdata.risk.individual.weighted_risk`.

    Parameters
    ----------
    table : RecordsTable
        Without weights the file is the population.
    threshold : float
        From 0 to 1.

    Raises
    ------
    InvalidInput
        If a weight is missing, not positive or not finite.
    """
    if table.weighted:
        table.check_weights()
    classes = streamed(table.connection, f"SELECT size, coalesce(weight, size) FROM {CLASSES}")
    parts = ((sizes, risk_of_classes(table, sizes, weights)) for sizes, weights in classes)
    return counted_risk(table.n, threshold, parts)[0]


def counted_risk(n: int, threshold: float, parts: Iterable[tuple[Ints, Floats]]) -> tuple[WeightedRisk, int]:
    """Return the figures of all records, and how many groups of records with one risk each there are.

    Parameters
    ----------
    n : int
        Records.
    threshold : float
        From 0 to 1.
    parts : iterable of tuple of ndarray
        Some groups at a time: how many records each has, and their risk.
    """
    groups, above, largest, total = 0, 0, 0.0, 0.0
    for sizes, risk in parts:
        groups += risk.size
        above += int(sizes[risk > threshold].sum())
        largest = max(largest, float(risk.max()))
        total += float((risk * sizes).sum())
    found = WeightedRisk(
        n=n,
        threshold=threshold,
        records_above=above,
        largest_risk=largest,
        mean_risk=total / n if n else 0.0,
        expected_reidentifications=total,
    )
    return found, groups


def risk_of_classes(table: RecordsTable, sizes: Any, weights: Any) -> Floats:
    """Return the risk of each record of some classes of given sizes and sums of weights."""
    frequency: Floats = sizes.astype(np.float64)
    if not table.weighted:
        return 1 / frequency
    return mean_of_inverse(frequency, np.minimum(frequency / weights.astype(np.float64), 1.0))
