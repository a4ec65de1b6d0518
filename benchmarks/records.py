"""Files of records to measure on, made by DuckDB from a hash: same size, same file."""

from __future__ import annotations

from pathlib import Path

QUASI_IDENTIFIERS = tuple(f"q{number}" for number in range(8))
CATEGORIES = 100


def write_records(path: Path, rows: int) -> None:
    """Write a Parquet file of so many records.

    Parameters
    ----------
    path : Path
        Eight quasi-identifiers of up to 100 categories, even, skewed and more skewed ones in turn; a sensitive column
        of 50, and sampling weights from 1 to 20.
    rows : int
    """
    import duckdb

    columns = ", ".join(
        f"floor({CATEGORIES} * pow((hash(range, {number}) % 1000000) / 1000000.0, {1 + number % 3}))::INTEGER AS {name}"
        for number, name in enumerate(QUASI_IDENTIFIERS)
    )
    with duckdb.connect() as connection:
        quoted = str(path).replace("'", "''")
        connection.execute(
            f"COPY (SELECT {columns}, (hash(range, 77) % 50)::INTEGER AS s, 1.0 + hash(range, 78) % 20 AS w "
            f"FROM range({rows})) TO '{quoted}'"
        )


def alone_in(path: Path, columns: tuple[str, ...]) -> int:
    """Return how many records are alone in some columns, as DuckDB groups them."""
    import duckdb

    with duckdb.connect() as connection:
        quoted = str(path).replace("'", "''")
        counted = f"SELECT count(*) AS n FROM '{quoted}' GROUP BY {', '.join(columns)} HAVING n = 1"
        return len(connection.execute(counted).fetchnumpy()["n"])
