"""Records as a table in DuckDB that may exceed memory: comparable values, a number for each record and each class."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphkit.errors import InvalidInput
from graphkit.frames import check_names
from graphkit.microdata.risk.classes import ClassRisk, class_risk
from graphkit.microdata.risk.relation import batches, quoted

RECORDS, CLASSES = "auditor_counted_records", "auditor_counted_classes"
_FLOATING = ("FLOAT", "DOUBLE")
_NESTED = ("[", "STRUCT", "MAP", "UNION")


@dataclass(frozen=True, slots=True)
class RecordsTable:
    """The tables of some records; as protected as the records.

    :data:`RECORDS` has `id`, the quasi-identifiers `q0`, `q1`, …, the sensitive columns `s0`, …, the weight `w` and the
    household `h`; :data:`CLASSES` has `class` from 0 on, the quasi-identifiers, `size` and `weight`.
    """

    connection: Any
    n: int
    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...]
    weighted: bool

    def same_class(self) -> str:
        """Return the condition that a record `r` is in a class `c`: missing values agree."""
        places = range(len(self.quasi_identifiers))
        return " AND ".join(f"r.q{place} IS NOT DISTINCT FROM c.q{place}" for place in places) or "true"

    def risk(self, k: int) -> ClassRisk:
        """Return the figures of the classes, as :meth:`graphkit.microdata.risk.classes.EquivalenceClasses.risk`."""
        found = self.connection.execute(f"SELECT size, count(*) FROM {CLASSES} GROUP BY size ORDER BY size").fetchall()
        distinct, times = (np.array([row[place] for row in found], dtype=np.int64) for place in (0, 1))
        return class_risk(distinct, times, k, self.quasi_identifiers)

    def classes_of(self, size: int) -> int:
        """Return how many classes have so many records."""
        return int(self.connection.execute(f"SELECT count(*) FROM {CLASSES} WHERE size = ?", [size]).fetchone()[0])

    def population(self) -> float:
        """Return the sum of all weights; of weights that are none no sum, NaN."""
        found = self.connection.execute(f"SELECT sum(weight) FROM {CLASSES}").fetchone()[0]
        return float("nan") if found is None else float(found)

    def check_weights(self) -> None:
        """Refuse weights that are none.

        Raises
        ------
        InvalidInput
            If one is missing, not positive or not finite.
        """
        query = f"SELECT count(*) FROM {RECORDS} WHERE w IS NULL OR NOT w > 0 OR NOT isfinite(w)"
        if self.connection.execute(query).fetchone()[0]:
            raise InvalidInput("a weight is missing, not positive or not finite; correct the column of weights")


@contextmanager
def records_table(
    connection: Any,
    relation: str,
    quasi_identifiers: Sequence[str],
    sensitive: Sequence[str] = (),
    weight: str | None = None,
    household: str | None = None,
) -> Iterator[RecordsTable]:
    """Give the tables of a relation until the block ends.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        With a temporary directory: what exceeds its memory limit goes there.
    relation : str
        Name of a table or a view.
    quasi_identifiers, sensitive : sequence of str
        Names of columns.
    weight : str, optional
        Column of sampling weights.
    household : str, optional
        Column that says who lives together.

    Raises
    ------
    InvalidInput
        If a column is not there, is named twice, or holds lists or structures.

    Notes
    -----
    One pass over the relation. Values are made comparable as :class:`~graphkit.microdata.risk.coded.Coder` does: NaN is
    missing, −0 is 0, and all missing values of a column are one category.
    """
    check_names(quasi_identifiers, sensitive)
    types = {row[0]: str(row[1]) for row in connection.execute(f"DESCRIBE {quoted(relation)}").fetchall()}
    named = [*quasi_identifiers, *sensitive]
    for name in (*named, *filter(None, [weight, household])):
        if name not in types:
            raise InvalidInput(f"there is no column {name!r}; there are {', '.join(map(repr, types))}")
    if len(set(named)) != len(named):
        raise InvalidInput("a column is named twice; name each once")
    columns = [f"{_comparable(name, types[name])} AS q{place}" for place, name in enumerate(quasi_identifiers)]
    columns += [f"{_comparable(name, types[name])} AS s{place}" for place, name in enumerate(sensitive)]
    columns.append("NULL AS w" if weight is None else f"CAST({quoted(weight)} AS DOUBLE) AS w")
    columns.append("NULL AS h" if household is None else f"{_comparable(household, types[household])} AS h")
    keys = ", ".join(f"q{place}" for place in range(len(quasi_identifiers)))
    try:
        connection.execute(
            f"CREATE OR REPLACE TEMP TABLE {RECORDS} AS "
            f"SELECT row_number() OVER () - 1 AS id, {', '.join(columns)} FROM {quoted(relation)}"
        )
        grouped = f"SELECT {keys + ', ' if keys else ''}count(*) AS size, sum(w) AS weight FROM {RECORDS}"
        grouped += f" GROUP BY {keys}" if keys else " HAVING count(*) > 0"
        connection.execute(
            f"CREATE OR REPLACE TEMP TABLE {CLASSES} AS SELECT row_number() OVER () - 1 AS class, * FROM ({grouped})"
        )
        n = connection.execute(f"SELECT count(*) FROM {RECORDS}").fetchone()[0]
        yield RecordsTable(connection, n, tuple(quasi_identifiers), tuple(sensitive), weight is not None)
    finally:
        for table in (CLASSES, RECORDS):
            connection.execute(f"DROP TABLE IF EXISTS {table}")


def streamed(connection: Any, query: str) -> Iterator[list[Any]]:
    """Yield the columns of the answer of a query, some rows at a time, as arrays."""
    for batch in batches(connection.execute(query)):
        if batch.num_rows:
            yield [column.to_numpy(zero_copy_only=False) for column in batch.columns]


def _comparable(name: str, type: str) -> str:
    """Return the expression of a value that is equal to another exactly if a record is taken for alike."""
    if any(mark in type for mark in _NESTED):
        raise InvalidInput(f"column {name!r} holds lists or structures; leave it out")
    if type in _FLOATING:
        value = f"CAST({quoted(name)} AS DOUBLE)"
        return f"CASE WHEN isnan({value}) THEN NULL ELSE {value} + 0.0 END"
    return quoted(name)
