"""Independent check of a released edge table: from the original, what was written and the claim alone, in the database.

This module imports no engine, nor what wrote the release.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from graphkit.errors import InvalidInput
from graphkit.networks.edge_table.vertices import as_number
from graphkit.networks.verify import Check, DegreeClaim, Verification
from graphkit.networks.verify.check import degrees_check, ids_check, simplicity_check

if TYPE_CHECKING:
    import ibis.expr.types as ir

# an edge is compared as one number of 64 bits
_LARGEST = 3_000_000_000


def verify_edge_table(
    connection: Any,
    claim: DegreeClaim,
    written: ir.Table,
    edge_count: int,
    *,
    vertices: ir.Table | None = None,
    original: ir.Table | None = None,
    published: ir.Table | None = None,
) -> Verification:
    """Return the checks of a released edge table against its claim.

    Parameters
    ----------
    connection : ibis.BaseBackend
        Where the tables are.
    claim : DegreeClaim
        What was promised.
    written : ibis Table
        The edges exactly as read back from the file: two integer columns.
    edge_count : int
        How many edges were promised.
    vertices : ibis Table, optional
        The ids exactly as read back, one column; by default all of them are ends of edges.
    original : ibis Table, optional
        The edges that were protected, columns ``low`` and ``high``; without it the claim of containment fails.
    published : ibis Table, optional
        Columns ``vertex`` and ``published``: under which id each vertex of the original was published.

    Raises
    ------
    InvalidInput
        If there are more than 3·10⁹ vertices.

    Notes
    -----
    O(m) space in the backend. Everything is counted anew from the rows.

    Examples
    --------
    >>> import ibis
    >>> connection = ibis.duckdb.connect()
    >>> written = connection.create_table("written", ibis.memtable({"source": [0, 2], "target": [1, 3]}))
    >>> verify_edge_table(connection, DegreeClaim(k=4, n=4, supergraph=False), written, 2).passed
    True
    """
    if claim.n > _LARGEST:
        raise InvalidInput(f"an edge table of more than {_LARGEST} vertices cannot be verified")
    first, second = written.columns[:2] if len(written.columns) == 2 else (None, None)
    if first is None or not (written[first].type().is_integer() and written[second].type().is_integer()):
        return Verification((Check("simple", False, "the edges are not pairs of numbers"),))
    edges = written.select(one=written[first].cast("int64"), other=written[second].cast("int64"))
    ends = edges.select(id="one").union(edges.select(id="other"))
    checks = [
        _vertex_check(connection, claim, ends, vertices),
        simplicity_check(_faults(connection, claim, edges)),
        _size_check(connection, edges, edge_count),
    ]
    if all(check.passed for check in checks):
        checks.append(_anonymity_check(connection, claim, ends))
        if claim.supergraph:
            checks.append(_containment_check(connection, claim, edges, original, published))
    return Verification(tuple(checks))


def _vertex_check(connection: Any, claim: DegreeClaim, ends: ir.Table, vertices: ir.Table | None) -> Check:
    ids = ends if vertices is None else vertices.select(id=vertices[vertices.columns[0]])
    passed = ids.id.type().is_integer() and _is_range(connection, ids.id, claim.n)
    if passed and vertices is not None:
        passed = as_number(connection, ids.count()) == claim.n
    return ids_check(passed)


def _faults(connection: Any, claim: DegreeClaim, edges: ir.Table) -> Iterator[bool]:
    missing = edges.filter(edges.one.isnull() | edges.other.isnull())
    outside = edges.filter((edges.one < 0) | (edges.other < 0) | (edges.one >= claim.n) | (edges.other >= claim.n))
    yield as_number(connection, missing.count()) + as_number(connection, outside.count()) > 0
    yield as_number(connection, edges.filter(edges.one == edges.other).count()) > 0
    distinct = as_number(connection, _keys(edges, claim.n).distinct().count())
    yield distinct != as_number(connection, edges.count())


def _size_check(connection: Any, edges: ir.Table, edge_count: int) -> Check:
    passed = as_number(connection, edges.count()) == edge_count
    return Check("size", passed, "as many edges as meant" if passed else "not as many edges as meant")


def _anonymity_check(connection: Any, claim: DegreeClaim, ends: ir.Table) -> Check:
    degrees = ends.group_by("id").agg(degree=lambda t: t.count())
    blocks = degrees.group_by("degree").agg(size=lambda t: t.count())
    present = as_number(connection, degrees.count())
    smallest = as_number(connection, blocks["size"].min())
    passed = (present == 0 or smallest >= claim.k) and (present == claim.n or claim.n - present >= claim.k)
    return degrees_check(claim.k, passed)


def _containment_check(
    connection: Any, claim: DegreeClaim, edges: ir.Table, original: ir.Table | None, published: ir.Table | None
) -> Check:
    if original is None or published is None:
        return Check("contains the original", False, "the original or the relabelling is not at hand")
    one_to_one = (
        as_number(connection, published.count()) == claim.n
        and _is_range(connection, published.vertex, claim.n)
        and _is_range(connection, published.published, claim.n)
    )
    if not one_to_one:
        return Check("contains the original", False, "the relabelling does not map the vertices one to one")
    low = published.select(low="vertex", one=published.published.cast("int64"))
    high = published.select(high="vertex", other=published.published.cast("int64"))
    wanted = original.select("low", "high").left_join(low, "low").left_join(high, "high").select("one", "other")
    known = wanted.filter(wanted.one.notnull() & wanted.other.notnull())
    # an end that the relabelling leaves out would fall out of the comparison unseen
    passed = as_number(connection, known.count()) == as_number(connection, original.count())
    if passed:
        missing = _keys(known, claim.n).anti_join(_keys(edges, claim.n), "key")
        passed = as_number(connection, missing.count()) == 0
    text = "every edge of the original is there under the relabelling"
    return Check("contains the original", passed, text if passed else "an edge of the original is missing")


def _is_range(connection: Any, column: ir.Column, count: int) -> bool:
    """Whether the distinct values are 0 to `count`-1."""
    table = column.name("id").as_table()
    outside = table.filter(table.id.isnull() | (table.id < 0) | (table.id >= count))
    return as_number(connection, outside.count()) == 0 and as_number(connection, table.distinct().count()) == count


def _keys(edges: ir.Table, n: int) -> ir.Table:
    """Return one number an edge, the same for both directions."""
    import ibis

    low, high = ibis.least(edges.one, edges.other), ibis.greatest(edges.one, edges.other)
    return edges.select(key=low * max(n, 1) + high)
