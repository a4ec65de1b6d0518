"""What is published of each record: the aggregates of its group, rounded where its column needs that."""

from dataclasses import dataclass, replace

import numpy as np

from auditor.formats.records.columns import Column
from auditor.formats.records.opening import OpenRecords
from auditor.subjects.microdata.exports.attributes.treatment import aggregates_for
from graphkit.arrays import Floats, Ints
from graphkit.microdata.microaggregation.aggregates import group_values
from graphkit.microdata.microaggregation.scaling import Preparation, published_loss
from graphkit.microdata.verify import GroupClaim

_EXACT = 2.0**53
"""Whole numbers up to this are exact as floating-point numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Aggregated:
    """What is published of the attributes, with what is claimed of it and what it costs."""

    claim: GroupClaim
    values: Floats
    """Shape (n, attributes), in the order of the original."""
    aggregate_loss: float | None
    """Information loss in percent with medians and modes, where groups are measured by means; None if all are means."""
    rounded_loss: float | None
    """The same after numbers and times were rounded; None where none was."""


def aggregate_groups(
    opened: OpenRecords,
    claim: GroupClaim,
    records: Floats,
    labels: Ints,
    preparation: Preparation,
    *,
    keep_integers: bool,
) -> Aggregated:
    """Return the aggregates of the group of every record.

    Parameters
    ----------
    opened : OpenRecords
        Says the types of the columns.
    claim : GroupClaim
    records : ndarray of float, shape (n, attributes)
        Imputed, if that is to be.
    labels : ndarray of int, shape (n,)
        Group of every record.
    preparation : Preparation
        How loss is measured.
    keep_integers : bool
        Whether columns of whole numbers stay so.
    """
    aggregates = aggregates_for(claim)
    bases = np.zeros(records.shape[1])
    for name in claim.times:
        place = claim.attributes.index(name)
        # sums of microseconds since 1970 are not exact
        bases[place] = np.nanmin(records[:, place])
    values = group_values(records - bases if claim.times else records, labels, aggregates)[labels]
    values = values + bases if claim.times else values
    aggregate_loss = None
    if set(aggregates) != {"mean"}:
        aggregate_loss = published_loss(records, values, preparation)
    whole = _whole_numbers(opened, claim, records) if keep_integers else ()
    rounded = [claim.attributes.index(name) for name in (*whole, *claim.times)]
    values[:, rounded] = np.rint(values[:, rounded])
    return Aggregated(
        replace(claim, n=records.shape[0], whole_numbers=whole),
        values,
        aggregate_loss,
        published_loss(records, values, preparation) if rounded else None,
    )


def measured_attributes(claim: GroupClaim, records: Floats) -> list[int]:
    """Return the positions of plain numbers that no record lacks: measures of utility and risk are made for these."""
    places = [claim.attributes.index(name) for name in claim.numbers]
    return [place for place in places if not np.isnan(records[:, place]).any()]


def is_whole(column: Column) -> bool:
    """Whether the type of a column is one of whole numbers."""
    return column.type.endswith("INT") or column.type == "INTEGER"


def too_large_to_round(opened: OpenRecords, claim: GroupClaim) -> tuple[str, ...]:
    """Return what to say of columns of whole numbers whose means are not rounded though that is wanted."""
    names = [name for name in claim.numbers if is_whole(opened.named(name)) and name not in claim.whole_numbers]
    return tuple(f"the means of column {name!r} are not rounded: it holds numbers of 2⁵³ and more" for name in names)


def _whole_numbers(opened: OpenRecords, claim: GroupClaim, records: Floats) -> tuple[str, ...]:
    """Return the attributes whose columns hold whole numbers that floating-point numbers hold exactly."""
    whole = [name for name in claim.numbers if is_whole(opened.named(name))]
    return tuple(name for name in whole if np.nanmax(np.abs(records[:, claim.attributes.index(name)])) < _EXACT)
