"""Independent check of generalized records in a database: from the originals, what is published, and what covers what.

This module imports no engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from graphkit.microdata.generalization.attribute import Attribute
from graphkit.microdata.table.arrow_lists import matrix
from graphkit.microdata.table.mapping import drop, mapped_parts
from graphkit.microdata.verify_freeform import FreeformClaim, least_extents
from graphkit.verification import Check, Verification

if TYPE_CHECKING:
    import ibis.expr.types as ir
    import pyarrow as pa

_PART = 50_000


def verify_generalized_table(
    connection: Any, claim: FreeformClaim, attributes: Sequence[Attribute], published: ir.Table, original: ir.Table
) -> Verification:
    """Return the checks of published records against their claim.

    Parameters
    ----------
    connection : ibis.BaseBackend
        Where the tables are.
    claim : FreeformClaim
    attributes : sequence of Attribute
        Domains of the attributes, in the order of the claim.
    published : ibis Table
        Columns ``record`` (the original that each published record is drawn for), ``covered`` (a list of the originals
        that it covers) and ``extent`` (a list of numbers, as they were read back). Protected.
    original : ibis Table
        The number of each original, from 0 on, and then its values as numbers in the domains, in the order of the
        claim. Protected.

    Notes
    -----
    A graph in which every record has k edges, and every original too, is the union of k perfect matchings (König): each
    edge is in an assignment of all originals to all records. With extents that cover the graph, every original is so
    linked with at least k published records, and the reverse. Extents are checked part by part, in bounded memory.
    """
    names = [f"v{place}" for place in range(len(attributes))]
    before = original.select(
        original=original[original.columns[0]].cast("int64"),
        **{name: original[column].cast("int64") for name, column in zip(names, original.columns[1:], strict=True)},
    )
    edges = published.select("record", original=published.covered.unnest())
    count = _count_check(connection, claim, attributes, before)
    regular = _regular_check(connection, claim, published, edges)
    if not (count.passed and regular.passed):
        return Verification((count, regular))
    extents = _extents_check(connection, claim, attributes, published, edges, before)
    return Verification((count, regular, extents, _drawn_check(connection, claim, edges)))


def _count_check(connection: Any, claim: FreeformClaim, attributes: Sequence[Attribute], before: ir.Table) -> Check:
    wanted = {"rows": claim.n, "distinct": claim.n, "least": 0, "most": claim.n - 1}
    number = before.original
    figures = {"rows": number.count(), "distinct": number.nunique(), "least": number.min(), "most": number.max()}
    for place, attribute in enumerate(attributes):
        wanted[f"v{place}"] = claim.n
        figures[f"v{place}"] = before[f"v{place}"].between(0, attribute.size - 1).sum()
    right = claim.n >= claim.k and _row(connection, before.aggregate(**figures)) == wanted
    text = "every record is there, and every value is of its domain"
    return Check("records", right, text if right else "a record is missing, or a value is not of its domain")


def _regular_check(connection: Any, claim: FreeformClaim, published: ir.Table, edges: ir.Table) -> Check:
    right = _row(connection, published.aggregate(rows=published.count())) == {"rows": claim.n}
    for side, other in (("record", "original"), ("original", "record")):
        times = edges.group_by(side).agg(edges=edges.count(), others=edges[other].nunique())
        found = times.aggregate(
            rows=times.count(),
            least=times[side].min(),
            most=times[side].max(),
            right=((times.edges == claim.k) & (times.others == claim.k)).sum(),
        )
        wanted = {"rows": claim.n, "least": 0, "most": claim.n - 1, "right": claim.n}
        right = right and _row(connection, found) == wanted
    text = f"each record covers {claim.k} originals, and each original is covered {claim.k} times"
    return Check("regular", right, text if right else "the graph of what covers what is not regular")


def _drawn_check(connection: Any, claim: FreeformClaim, edges: ir.Table) -> Check:
    right = _row(connection, edges.aggregate(own=(edges.record == edges.original).sum())) == {"own": claim.n}
    text = "sensitive values are those of a matching of the graph"
    return Check("drawn", right, text if right else "sensitive values are not those of a matching")


def _extents_check(
    connection: Any,
    claim: FreeformClaim,
    attributes: Sequence[Attribute],
    published: ir.Table,
    edges: ir.Table,
    before: ir.Table,
) -> Check:
    joined = edges.join(before, "original").join(published.select("record", "extent"), "record")
    joined = joined.mutate(part=joined.record // _PART).drop("original")
    work = _WrongExtents(claim.k, tuple(attributes))
    found = mapped_parts(connection, joined, "part", work, {"records": "int64", "wrong": "int64"}, lambda: None)
    row = _row(connection, found.aggregate(records=found.records.sum(), wrong=found.wrong.sum()))
    drop(connection, found)
    right = row == {"records": claim.n, "wrong": 0}
    text = "each extent is the least that covers its originals"
    return Check("extents", right, text if right else "an extent is not the least one of its originals")


@dataclass(frozen=True, slots=True, eq=False)
class _WrongExtents:
    """Counts records of a part, and those whose extents are others than their originals need."""

    k: int
    attributes: tuple[Attribute, ...]

    def __call__(self, table: pa.Table) -> pa.Table:
        import pyarrow as pa

        table = table.sort_by("record")
        rows = np.arange(table.num_rows).reshape(-1, self.k)
        codes = np.column_stack([table.column(f"v{place}").to_numpy() for place in range(len(self.attributes))])
        # the extent of a record stands beside each of its originals
        wrong = matrix(table.column("extent"))[rows[:, 0]] != least_extents(self.attributes, codes, rows)
        return pa.table({"records": [len(rows)], "wrong": [int(wrong.any(axis=1).sum())]})


def _row(connection: Any, table: ir.Table) -> dict[str, Any]:
    found: dict[str, Any] = connection.to_pyarrow(table).to_pylist()[0]
    return found
