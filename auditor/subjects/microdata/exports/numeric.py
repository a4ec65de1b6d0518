"""The attributes that are aggregated, as numbers."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from auditor.core.errors import BadInput
from auditor.formats.records.errors import record_errors
from auditor.formats.records.opening import VIEW, OpenRecords
from auditor.formats.records.roles import Roles
from graphkit.arrays import Floats, Ints
from graphkit.microdata.risk.relation import quoted
from graphkit.numbers import counted


def chosen_attributes(opened: OpenRecords, roles: Roles, asked: Sequence[str]) -> tuple[str, ...]:
    """Return the columns to aggregate: those asked for, else the numbers among the quasi-identifiers, else all numbers.

    Raises
    ------
    BadInput
        If one is missing or holds something else than numbers, has another role, there is none, or households are
        declared.
    """
    roles.check(column.name for column in opened.columns)
    if roles.household is not None:
        raise BadInput(
            f"groups do not keep households together yet; leave {roles.household!r} undeclared if they may part"
        )
    for name in asked:
        if opened.named(name).sort != "number":
            raise BadInput(f"column {name!r} holds something else than numbers; choose attributes that are numbers")
        if roles.of(name) not in ("quasi-identifier", "sensitive", "other"):
            raise BadInput(f"column {name!r} is declared as {roles.of(name)}; aggregate others")
    numbers = [column.name for column in opened.columns if column.sort == "number"]
    if roles.quasi_identifiers:
        numbers = [name for name in roles.quasi_identifiers if name in numbers]
    else:
        numbers = [name for name in numbers if roles.of(name) == "other"]
    chosen = tuple(dict.fromkeys(asked)) or tuple(numbers)
    if not chosen:
        raise BadInput(f"{opened.source.name} has no column of numbers to aggregate; name some with --attribute")
    return chosen


def read_numbers(opened: OpenRecords, names: Sequence[str]) -> Floats:
    """Return columns as numbers, shape (n, columns), in the order of the file. Protected.

    Raises
    ------
    BadFile
        If a value is missing or not finite, or the file cannot be read to its end; how many, never which.
    """
    with record_errors(opened.source):
        columns = numbers_in(opened.connection, VIEW, names)
    for name, column in zip(names, columns.T, strict=True):
        missing = int((~np.isfinite(column)).sum())
        if missing:
            raise opened.source.bad(
                f"has {counted(missing, 'record', 'records')} without a finite number in {name!r}; "
                "impute or leave out these records first"
            )
    return columns


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
    with record_errors(opened.source):
        found = opened.connection.execute(f'SELECT CAST({quoted(name)} AS VARCHAR) FROM "{VIEW}"').to_arrow_table()
    encoded = found.column(0).combine_chunks().dictionary_encode(null_encoding="encode")
    return np.asarray(encoded.indices.to_numpy(), dtype=np.int64)
