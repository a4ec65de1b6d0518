"""What classes tell of a sensitive column, counted in DuckDB and measured some classes at a time."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from graphkit.arrays import Ints
from graphkit.microdata.risk.closeness import ClosenessRisk, Distance, t_closeness
from graphkit.microdata.risk.diversity import DiversityRisk, l_diversity
from graphkit.microdata.risk.relational.records_table import CLASSES, RECORDS, RecordsTable, streamed
from graphkit.microdata.risk.sensitive_counts import SensitiveCounts

_CATEGORIES = "auditor_counted_categories"


def sensitive_risk(
    table: RecordsTable,
    place: int,
    *,
    l: float,  # noqa: E741
    t: float,
    distance: Distance,
) -> tuple[DiversityRisk, ClosenessRisk]:
    """Return how diverse the classes are in a sensitive column, and how close to the whole file.

    Parameters
    ----------
    table : RecordsTable
    place : int
        Which of its sensitive columns.
    l, t, distance
        As :func:`~graphkit.microdata.risk.diversity.l_diversity` and
        :func:`~graphkit.microdata.risk.closeness.t_closeness`.

    Notes
    -----
    DuckDB counts pairs of a class and a category and sorts them, on the disk where they are many. In memory are the
    categories of the column with their totals, and the pairs of some classes. The figures are those of the functions
    above, but for the rounding of sums.
    """
    connection, name = table.connection, table.sensitive[place]
    # what is missing is the last category, as everywhere
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE {_CATEGORIES} AS "
        f"SELECT row_number() OVER (ORDER BY s NULLS LAST) - 1 AS category, s, total FROM "
        f"(SELECT s{place} AS s, count(*) AS total FROM {RECORDS} GROUP BY s{place})"
    )
    try:
        found = connection.execute(f"SELECT total FROM {_CATEGORIES} ORDER BY category").fetchnumpy()
        totals = np.asarray(found["total"], dtype=np.int64)
        diverse: list[DiversityRisk] = []
        close: list[ClosenessRisk] = []
        pairs = (
            f"SELECT c.class, v.category, count(*) FROM {RECORDS} r JOIN {CLASSES} c ON {table.same_class()} "
            f"JOIN {_CATEGORIES} v ON r.s{place} IS NOT DISTINCT FROM v.s GROUP BY ALL ORDER BY ALL"
        )
        for counted in counted_pairs(connection, pairs, name, totals, table.n):
            diverse.append(l_diversity(counted, l))
            close.append(t_closeness(counted, t, distance))
        return _diversity(diverse), _closeness(close)
    finally:
        connection.execute(f"DROP TABLE IF EXISTS {_CATEGORIES}")


def counted_pairs(connection: Any, query: str, name: str, totals: Ints, n: int) -> Iterator[SensitiveCounts]:
    """Yield the counts of some classes at a time, each class whole; once without any where there are no records.

    Parameters
    ----------
    connection : DuckDBPyConnection
    query : str
        Of class, category by rank and how many records of the class have it, in this order.
    name : str
        Of the sensitive column.
    totals : ndarray of int
        How many records of all classes have each category.
    n : int
        Records of all classes.
    """
    none = np.empty(0, dtype=np.int64)
    rest = (none, none, none)
    yielded = False
    for columns in streamed(connection, query):
        pairs = tuple(np.concatenate((one, other)) for one, other in zip(rest, columns, strict=True))
        # the last class may go on in the next rows
        whole = int(np.searchsorted(pairs[0], pairs[0][-1]))
        rest = pairs[0][whole:], pairs[1][whole:], pairs[2][whole:]
        if whole:
            yielded = True
            yield _counted(name, pairs[0][:whole], pairs[1][:whole], pairs[2][:whole], totals, n)
    if rest[0].size or not yielded:
        yield _counted(name, *rest, totals, n)


def _counted(name: str, classes: Ints, category: Ints, counts: Ints, totals: Ints, n: int) -> SensitiveCounts:
    found, begins, class_of = np.unique(classes, return_index=True, return_inverse=True)
    sizes = np.bincount(class_of, counts, minlength=found.size).astype(np.int64)
    return SensitiveCounts(name, sizes, totals, class_of.astype(np.int64), category, counts, begins, records=n)


def _diversity(parts: list[DiversityRisk]) -> DiversityRisk:
    return DiversityRisk(
        sensitive=parts[0].sensitive,
        l=parts[0].l,
        categories=parts[0].categories,
        smallest_distinct=min(part.smallest_distinct for part in parts),
        classes_below_distinct=sum(part.classes_below_distinct for part in parts),
        records_below_distinct=sum(part.records_below_distinct for part in parts),
        homogeneous_records=sum(part.homogeneous_records for part in parts),
        smallest_entropy=min(part.smallest_entropy for part in parts),
        classes_below_entropy=sum(part.classes_below_entropy for part in parts),
        records_below_entropy=sum(part.records_below_entropy for part in parts),
    )


def _closeness(parts: list[ClosenessRisk]) -> ClosenessRisk:
    return ClosenessRisk(
        sensitive=parts[0].sensitive,
        distance=parts[0].distance,
        t=parts[0].t,
        largest_distance=max(part.largest_distance for part in parts),
        mean_distance=sum(part.mean_distance for part in parts),
        classes_above_t=sum(part.classes_above_t for part in parts),
        records_above_t=sum(part.records_above_t for part in parts),
    )
