"""Columns as numbers: those of numbers, strata and households."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import VIEW, OpenRecords
from graphkit.arrays import Floats, Ints
from graphkit.microdata.risk.relation import quoted


def read_numbers(opened: OpenRecords, names: Sequence[str]) -> Floats:
    """Return columns as numbers, shape (n, columns), in the order of the file; what is missing is NaN. Protected.

    Raises
    ------
    BadFile
        If the file cannot be read to its end.
    """
    with record_errors(opened.source):
        return numbers_in(opened.connection, VIEW, names)


def numbers_in(connection: Any, relation: str, names: Sequence[str]) -> Floats:
    """Return columns of a relation as numbers, shape (n, columns), in its order; what is missing is NaN. Protected."""
    selected = ", ".join(f"CAST({quoted(name)} AS DOUBLE) AS c{place}" for place, name in enumerate(names))
    found = connection.execute(f"SELECT {selected} FROM {quoted(relation)}").fetchnumpy()
    return np.column_stack([np.ma.filled(found[f"c{place}"], np.nan) for place in range(len(names))])


def read_strata(opened: OpenRecords, name: str) -> Ints:
    """Return the stratum of every record as a number; records without one are a stratum of their own.

    Raises
    ------
    BadFile
        If the file cannot be read to its end.
    """
    return np.asarray(_encoded(opened, name, nulls="encode").to_numpy(), dtype=np.int64)


def read_households(opened: OpenRecords, name: str) -> Ints:
    """Return the household of every record as a number; a record without one is a household of its own.

    Raises
    ------
    BadFile
        If the file cannot be read to its end.
    """
    numbers = np.asarray(_encoded(opened, name).fill_null(-1).to_numpy(), dtype=np.int64)
    alone = np.flatnonzero(numbers < 0)
    numbers = numbers.copy()
    numbers[alone] = numbers.max() + 1 + np.arange(alone.size)
    return numbers


def _encoded(opened: OpenRecords, name: str, nulls: str = "mask") -> Any:
    """Return the values of a column as numbers from 0 on, by their first record; null where there is none, or coded."""
    with record_errors(opened.source):
        found = opened.connection.execute(f'SELECT CAST({quoted(name)} AS VARCHAR) FROM "{VIEW}"').to_arrow_table()
    return found.column(0).combine_chunks().dictionary_encode(null_encoding=nulls).indices
