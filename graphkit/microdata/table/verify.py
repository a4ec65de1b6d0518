"""Independent check of microaggregated records in a database: from the original, what was written and the claim alone.

This module imports no engine, nor what wrote the release.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from graphkit.microdata.verify import GroupClaim
from graphkit.verification import Check, Verification

if TYPE_CHECKING:
    import ibis.expr.types as ir

_ROUNDED = 1e-9


def verify_table(
    connection: Any, claim: GroupClaim, published: ir.Table, original: ir.Table, key: ir.Table
) -> Verification:
    """Return the checks of published records against their claim.

    Parameters
    ----------
    connection : ibis.BaseBackend
        Where the tables are.
    claim : GroupClaim
    published : ibis Table
        The attributes as they were read back, in the order of the claim, and last the row of the file, from 0 on.
    original : ibis Table
        The attributes as they were, in the order of the claim, and last the row of the file, from 0 on. Protected.
    key : ibis Table
        Columns ``original`` and ``published``: which row is which. Protected.

    Notes
    -----
    As :func:`graphkit.microdata.verify.verify_microaggregation` does with arrays; two groupings and two joins.
    """
    count = len(claim.attributes)
    after = published.select(
        **{f"v{number}": published[published.columns[number]].cast("float64") for number in range(count)},
        published=published[published.columns[count]].cast("int64"),
    )
    before = original.select(
        **{f"o{number}": original[original.columns[number]].cast("float64") for number in range(count)},
        original=original[original.columns[count]].cast("int64"),
    )
    return Verification(
        (
            _count_check(connection, claim, after),
            _groups_check(connection, claim, after),
            _rows_check(connection, claim, before, key),
            _values_check(connection, claim, after, before, key),
        )
    )


def _count_check(connection: Any, claim: GroupClaim, after: ir.Table) -> Check:
    import ibis

    bad = ibis.literal(False)
    for number in range(len(claim.attributes)):
        column = after[f"v{number}"]
        # to a backend, what is no number is larger than all
        bad = bad | ~(column.abs() <= sys.float_info.max).fill_null(False)
    found = _row(connection, after.aggregate(rows=after.count(), bad=bad.sum()))
    right = found["rows"] == claim.n and not found["bad"]
    return Check(
        "records", right, "every record is there, every value a number" if right else "a record or value is missing"
    )


def _groups_check(connection: Any, claim: GroupClaim, after: ir.Table) -> Check:
    values = [f"v{number}" for number in range(len(claim.attributes))]
    sizes = after.group_by(values).agg(size=lambda t: t.count())
    right = (_row(connection, sizes.aggregate(least=sizes["size"].min()))["least"] or 0) >= claim.k
    text = f"every combination of values of the attributes is that of at least {claim.k} records"
    return Check(
        "k-anonymous", right, text if right else f"a combination of values is that of fewer than {claim.k} records"
    )


def _rows_check(connection: Any, claim: GroupClaim, before: ir.Table, key: ir.Table) -> Check:
    wanted = {"rows": claim.n, "distinct": claim.n, "least": 0, "most": claim.n - 1}
    sides = [before.original, key.original, key.published]
    right = all(
        _row(
            connection,
            side.as_table().aggregate(rows=side.count(), distinct=side.nunique(), least=side.min(), most=side.max()),
        )
        == wanted
        for side in sides
    )
    return Check(
        "rows", right, "each record of the original is there once" if right else "a record is missing or there twice"
    )


def _values_check(connection: Any, claim: GroupClaim, after: ir.Table, before: ir.Table, key: ir.Table) -> Check:
    """Compare the mean of the original of every combination of values with that combination."""
    import ibis

    numbers = range(len(claim.attributes))
    largest = _row(connection, before.aggregate(**{f"o{n}": before[f"o{n}"].abs().max() for n in numbers}))
    joined = after.join(key, "published").join(before, "original")
    groups = joined.group_by([f"v{n}" for n in numbers]).agg(
        **{f"mean{n}": joined[f"o{n}"].mean() for n in numbers}, size=lambda t: t.count()
    )
    wrong = ibis.literal(False)
    for n, name in enumerate(claim.attributes):
        # sums of a column round with its largest values
        slack = _ROUNDED * max(largest[f"o{n}"] or 0.0, 1e-300) + (0.5 if name in claim.whole_numbers else 0.0)
        wrong = wrong | ~((groups[f"mean{n}"] - groups[f"v{n}"]).abs() <= slack)
    found = _row(connection, groups.aggregate(wrong=wrong.sum(), records=groups["size"].sum()))
    right = not found["wrong"] and found["records"] == claim.n
    text = "each group has the mean of its records" if right else "a group does not have the mean of its records"
    return Check("values", right, text)


def _row(connection: Any, table: ir.Table) -> dict[str, Any]:
    found: dict[str, Any] = connection.to_pyarrow(table).to_pylist()[0]
    return found
