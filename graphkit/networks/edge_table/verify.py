"""Independent check of a released edge table: from the original, what was written and the claim alone, in the database.

This module imports no engine, nor what wrote the release.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graphkit.errors import InvalidInput
from graphkit.networks.edge_table.vertices import as_number, as_row
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
    found = as_row(connection, _facts(edges, claim.n))
    blocks = None if found["outside"] else _Blocks.of(connection, edges)
    relabelling = claim.supergraph and _is_relabelling(connection, claim.n, original, published)
    repeated, missing = 0, 0
    if not found["outside"]:
        wanted = relabelled(original, published) if relabelling else None
        repeated, missing = _compared(connection, claim, edges, wanted)
    faults = (found["outside"] > 0, found["loops"] > 0, repeated > 0)
    checks = [
        _vertex_check(connection, claim, blocks, vertices),
        simplicity_check(faults),
        _size_check(found["rows"], edge_count),
    ]
    if blocks is not None and all(check.passed for check in checks):
        checks.append(_anonymity_check(claim, blocks))
        if claim.supergraph:
            checks.append(_containment_check(original, published, relabelling, missing))
    return Verification(tuple(checks))


def _is_relabelling(connection: Any, n: int, original: ir.Table | None, published: ir.Table | None) -> bool:
    """Whether vertices have ids 0 to n-1 one to one, and every end of the original is one of them."""
    if original is None or published is None:
        return False
    if not _are_ranges(connection, published.select("vertex", "published"), n):
        return False
    inside = (original.low >= 0) & (original.low < n) & (original.high >= 0) & (original.high < n)
    return as_number(connection, (~inside.fill_null(False)).sum()) == 0


def relabelled(original: ir.Table, published: ir.Table) -> ir.Table:
    """Return the edges of the original under their published ids, columns ``one`` and ``other``, in any order."""
    low = published.select(low="vertex", one=published.published.cast("int64"))
    high = published.select(high="vertex", other=published.published.cast("int64"))
    return original.select("low", "high").join(low, "low").join(high, "high").select("one", "other")


@dataclass(frozen=True, slots=True)
class _Blocks:
    """What the degrees of all ends of edges tell."""

    present: int
    """Different ends."""
    smallest: int
    """How many of them the rarest degree has; 0 without edges."""

    @classmethod
    def of(cls, connection: Any, edges: ir.Table) -> _Blocks:
        ends = edges.select(id="one").union(edges.select(id="other"))
        degrees = ends.group_by("id").agg(degree=lambda t: t.count())
        blocks = degrees.group_by("degree").agg(size=lambda t: t.count())
        found = as_row(connection, blocks.aggregate(present=blocks["size"].sum(), smallest=blocks["size"].min()))
        return cls(found["present"], found["smallest"])


def _facts(edges: ir.Table, n: int) -> ir.Table:
    one, other = edges.one, edges.other
    outside = one.isnull() | other.isnull() | (one < 0) | (other < 0) | (one >= n) | (other >= n)
    return edges.aggregate(rows=edges.count(), outside=outside.sum(), loops=(one == other).sum())


def _vertex_check(connection: Any, claim: DegreeClaim, blocks: _Blocks | None, vertices: ir.Table | None) -> Check:
    if vertices is None:
        # different ones, none of them outside
        return ids_check(blocks is not None and blocks.present == claim.n)
    ids = vertices.select(id=vertices[vertices.columns[0]])
    return ids_check(ids.id.type().is_integer() and _are_ranges(connection, ids, claim.n))


def _size_check(rows: int, edge_count: int) -> Check:
    passed = rows == edge_count
    return Check("size", passed, "as many edges as meant" if passed else "not as many edges as meant")


def _anonymity_check(claim: DegreeClaim, blocks: _Blocks) -> Check:
    alone = claim.n - blocks.present
    passed = (blocks.present == 0 or blocks.smallest >= claim.k) and (alone == 0 or alone >= claim.k)
    return degrees_check(claim.k, passed)


def _containment_check(original: ir.Table | None, published: ir.Table | None, relabelling: bool, missing: int) -> Check:
    if original is None or published is None:
        return Check("contains the original", False, "the original or the relabelling is not at hand")
    if not relabelling:
        return Check("contains the original", False, "the relabelling does not map the vertices one to one")
    text = "every edge of the original is there under the relabelling"
    return Check("contains the original", not missing, "an edge of the original is missing" if missing else text)


def _compared(connection: Any, claim: DegreeClaim, edges: ir.Table, wanted: ir.Table | None) -> tuple[int, int]:
    """Return how many rows are edges that are there already, and how many that are wanted are not there."""
    keys = _keys(edges, claim.n)
    repeated = as_number(connection, keys.count()) - as_number(connection, keys.distinct().count())
    if wanted is None:
        return repeated, 0
    return repeated, as_number(connection, _keys(wanted, claim.n).anti_join(keys, "key").count())


def _are_ranges(connection: Any, table: ir.Table, count: int) -> bool:
    """Whether each column has the values 0 to `count`-1, each once."""
    names = table.columns
    found = as_row(
        connection,
        table.aggregate(
            rows=table.count(),
            **{f"{name} values": table[name].nunique() for name in names},
            **{f"{name} outside": (~table[name].between(0, count - 1)).fill_null(True).sum() for name in names},
        ),
    )
    return found["rows"] == count and all(
        found[f"{name} values"] == count and not found[f"{name} outside"] for name in names
    )


def _keys(edges: ir.Table, n: int) -> ir.Table:
    """Return one number an edge, the same for both directions."""
    import ibis

    low, high = ibis.least(edges.one, edges.other), ibis.greatest(edges.one, edges.other)
    return edges.select(key=low * max(n, 1) + high)
