"""Household risk of records that are counted in DuckDB: each member has the risk of its class."""

from dataclasses import replace

import numpy as np

from graphkit.microdata.risk.individual import WeightedRisk
from graphkit.microdata.risk.relational.records_table import CLASSES, RECORDS, RecordsTable, streamed
from graphkit.microdata.risk.relational.weighted import counted_risk, risk_of_classes

_SPARED, _BATCH = "auditor_counted_spared", "auditor_counted_batch"
_CLASSES_AT_ONCE = 1_000_000


def household_risk_in(table: RecordsTable, threshold: float) -> WeightedRisk:
    """Return the figures of the risk of households, as :func:`~graphkit.microdata.risk.households.household_risk`.

    Parameters
    ----------
    table : RecordsTable
        With a household, and weights or none: without them the file is the population.
    threshold : float
        From 0 to 1.

    Raises
    ------
    InvalidInput
        If a weight is missing, not positive or not finite.

    Notes
    -----
    The logarithm of the chance that a record is spared, ``log(1 − r)``, is one number a class; DuckDB joins it to the
    records and sums it for each household, on the disk where these are many. In memory are some classes, then some
    households. The figures are those in memory, but for the rounding of sums.
    """
    if table.weighted:
        table.check_weights()
    connection = table.connection
    # a record without a household is one of its own
    query = (
        f"SELECT count(*), sum(p.spared) FROM {RECORDS} r JOIN {CLASSES} c ON {table.same_class()} "
        f"JOIN {_SPARED} p ON p.class = c.class GROUP BY r.h, CASE WHEN r.h IS NULL THEN r.id END"
    )
    try:
        _write_spared(table)
        parts = ((members, -np.expm1(spared)) for members, spared in streamed(connection, query))
        found, households = counted_risk(table.n, threshold, parts)
    finally:
        connection.execute(f"DROP TABLE IF EXISTS {_SPARED}")
    return replace(found, households=households)


def _write_spared(table: RecordsTable) -> None:
    """Write ``log(1 − r)`` of each class into a table; −∞ where its records are certainly found."""
    import pyarrow as pa

    connection = table.connection
    connection.execute(f"CREATE OR REPLACE TEMP TABLE {_SPARED} (class BIGINT, spared DOUBLE)")
    classes = connection.execute(f"SELECT count(*) FROM {CLASSES}").fetchone()[0]
    # a connection that is read cannot be written to: classes come in ranges, not as a stream
    for begin in range(0, classes, _CLASSES_AT_ONCE):
        found = connection.execute(
            f"SELECT class, size, coalesce(weight, size) AS weight FROM {CLASSES} WHERE class >= ? AND class < ?",
            [begin, begin + _CLASSES_AT_ONCE],
        ).fetchnumpy()
        numbers, sizes, weights = (np.asarray(found[name]) for name in ("class", "size", "weight"))
        with np.errstate(divide="ignore"):
            spared = np.log1p(-risk_of_classes(table, sizes, weights))
        connection.register(_BATCH, pa.table({"class": numbers, "spared": spared}))
        try:
            connection.execute(f"INSERT INTO {_SPARED} SELECT class, spared FROM {_BATCH}")
        finally:
            connection.unregister(_BATCH)
