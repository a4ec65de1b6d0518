"""Individual risk of classes that are counted in DuckDB: all records of a class have the same."""

from typing import Any

import numpy as np

from graphkit.arrays import Floats
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
    above, largest, total = 0, 0.0, 0.0
    for sizes, weights in streamed(table.connection, f"SELECT size, coalesce(weight, size) FROM {CLASSES}"):
        risk = risk_of_classes(table, sizes, weights)
        above += int(sizes[risk > threshold].sum())
        largest = max(largest, float(risk.max()))
        total += float((risk * sizes).sum())
    return WeightedRisk(
        n=table.n,
        threshold=threshold,
        records_above=above,
        largest_risk=largest,
        mean_risk=total / table.n if table.n else 0.0,
        expected_reidentifications=total,
    )


def risk_of_classes(table: RecordsTable, sizes: Any, weights: Any) -> Floats:
    """Return the risk of each record of some classes of given sizes and sums of weights."""
    frequency: Floats = sizes.astype(np.float64)
    if not table.weighted:
        return 1 / frequency
    return mean_of_inverse(frequency, np.minimum(frequency / weights.astype(np.float64), 1.0))
