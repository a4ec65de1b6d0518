"""Aggregated attributes as values of their types again."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from auditor.formats.records.columns import Column
from auditor.subjects.microdata.exports.attributes.times import TIMES
from graphkit.arrays import Floats
from graphkit.microdata.verify import GroupClaim


def arrow_columns(claim: GroupClaim, values: Floats, categories: Mapping[str, tuple[str, ...]]) -> list[Any]:
    """Return the attributes as Arrow arrays, in order; what is NaN is missing."""
    return [
        _array(claim, name, column, categories.get(name))
        for name, column in zip(claim.attributes, values.T, strict=True)
    ]


def written_types(claim: GroupClaim, columns: Sequence[Column]) -> dict[str, str]:
    """Return the columns that leave with the types in which they are published."""
    return {column.name: written_type(claim, column) for column in columns}


def written_type(claim: GroupClaim, column: Column) -> str:
    """Return the type of a column as it is published; the categories of an enumeration are text."""
    if column.name not in claim.attributes or keeps_type(claim, column.name):
        return "VARCHAR" if column.type == "ENUM" else column.type
    return "BIGINT" if column.name in claim.whole_numbers else "DOUBLE"


def keeps_type(claim: GroupClaim, name: str) -> bool:
    """Whether an attribute is published in the type that it has: times and categories are."""
    return name in claim.times or name in claim.scales or claim.aggregate_of(name) == "mode"


def typed_value(claim: GroupClaim, column: Column, value: str) -> str:
    """Return SQL that gives an aggregated value the type in which it is published."""
    return f"CAST({value} AS {written_type(claim, column)})" if keeps_type(claim, column.name) else value


def _array(claim: GroupClaim, name: str, column: Floats, categories: tuple[str, ...] | None) -> Any:
    import pyarrow as pa

    lacks = np.isnan(column)
    if categories is not None:
        codes = pa.array(np.where(lacks, 0, column).astype(np.int32), mask=lacks)
        return pa.array(categories, pa.string()).take(codes)
    if name not in claim.whole_numbers and name not in claim.times:
        return pa.array(column, mask=lacks)
    whole = np.where(lacks, 0, column).astype(np.int64)
    if name in claim.whole_numbers:
        return pa.array(whole, mask=lacks)
    kind = TIMES[claim.times[name]]
    if kind.unit == "day":
        return pa.array(whole.astype(np.int32), pa.int32(), mask=lacks).cast(pa.date32())
    return pa.array(whole, pa.int64(), mask=lacks).cast(pa.timestamp(kind.unit, tz=kind.zone))
