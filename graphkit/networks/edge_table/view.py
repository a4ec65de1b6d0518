"""An edge table in a database as an engine sees it: every question is one query, written once for every backend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from graphkit.arrays import Ints
from graphkit.errors import InvalidInput
from graphkit.networks.edge_table.vertices import all_vertices, as_arrays, as_number, as_table, keep
from graphkit.networks.graphs.ordering import canonical_edges, grouped

if TYPE_CHECKING:
    import ibis.expr.types as ir


class EdgeTableView:
    """:class:`~graphkit.networks.graphs.graph_view.GraphView` of an edge table through Ibis.

    Parameters
    ----------
    connection : ibis.BaseBackend
        Where the table is: DuckDB, Spark, or another backend of Ibis. Opened, limited and closed by the caller.
    edges : ibis Table
        Integer columns ``low`` and ``high``; a row an edge, each edge once, ``low`` < ``high``, vertices 0 to
        `vertex_count`-1. :func:`~graphkit.networks.edge_table.normalise.normalise` makes it of any edge table.
    vertex_count : int
        Number of vertices.
    is_canonical : bool, optional
        Whether the caller knows that the table is as said; it is checked otherwise.
    degrees : ibis Table, optional
        Columns ``vertex`` and ``degree`` of all vertices, kept in the backend, where the caller has counted them.

    Raises
    ------
    InvalidInput
        If the table is not as said.

    Notes
    -----
    Degrees are counted once and kept in the backend (a temporary table in DuckDB, a cached frame in Spark). Only
    answers are brought here, and only vertices that were asked for are sent there, as a table to join with. A question
    about adjacency reads the edge table from end to end: O(m) in the backend. Canonical order is made here, so that
    no backend needs to sort.

    Examples
    --------
    >>> import ibis
    >>> connection = ibis.duckdb.connect()
    >>> edges = connection.create_table("edges", ibis.memtable({"low": [0, 1], "high": [1, 2]}))
    >>> view = EdgeTableView(connection, edges, 4)
    >>> view.block_sequence().tolist()
    [1, 2, 1]
    """

    def __init__(
        self,
        connection: Any,
        edges: ir.Table,
        vertex_count: int,
        *,
        is_canonical: bool = False,
        degrees: ir.Table | None = None,
    ) -> None:
        if not is_canonical:
            check_canonical(connection, edges, vertex_count)
        self._connection, self._vertices = connection, vertex_count
        self._edges = edges.select(low=edges.low.cast("int64"), high=edges.high.cast("int64"))
        # kept by reference: Ibis drops the cached table with the last one
        self._degrees = self._counted() if degrees is None else degrees
        blocks = self._degrees.group_by("degree").agg(size=lambda t: t.count())
        degree, size = as_arrays(connection, blocks)
        self._blocks = np.zeros(int(degree.max(initial=-1)) + 1, dtype=np.int64)
        self._blocks[degree] = size

    @property
    def vertex_count(self) -> int:
        """Number of vertices."""
        return self._vertices

    @property
    def edge_count(self) -> int:
        """Number of edges."""
        return int((self._blocks * np.arange(self._blocks.size)).sum()) // 2

    @property
    def vertices(self) -> ir.Table:
        """The table of all vertices in the backend, column ``vertex``."""
        return self._degrees.select("vertex")

    def block_sequence(self) -> Ints:
        """Return how many vertices have each degree, shape (Δ+1,)."""
        return self._blocks.copy()

    def degrees(self, vertices: Ints) -> Ints:
        """Return the degrees of the given vertices."""
        asked = as_table(vertex=vertices, place=np.arange(vertices.size))
        places, degrees = self._ask(self._degrees.join(asked, "vertex").select("place", "degree"))
        result = np.zeros(vertices.shape, dtype=np.int64)
        result[places] = degrees
        return result

    def vertices_of_degrees(self, degrees: Ints) -> list[Ints]:
        """Return the blocks of the given degrees, each ascending."""
        distinct, places = np.unique(degrees, return_inverse=True)
        asked = as_table(degree=distinct, place=np.arange(distinct.size))
        found, vertices = self._ask(self._degrees.join(asked, "degree").select("place", "vertex"))
        blocks = grouped(found, vertices, distinct.size)
        return [blocks[place] for place in places]

    def edges_among(self, vertices: Ints) -> Ints:
        """Return the edges inside a set of vertices, canonical."""
        inside = self._edges.semi_join(as_table(low=vertices), "low").semi_join(as_table(high=vertices), "high")
        low, high = self._ask(inside)
        return canonical_edges(np.column_stack((low, high)))

    def neighbours(self, vertices: Ints) -> list[Ints]:
        """Return the neighbours of the given vertices, each ascending."""
        places, near = self._ask(self._near(vertices))
        return grouped(places, near, vertices.size)

    def non_neighbours(self, vertices: Ints, degree: int, limit: int) -> Ints:
        """Return the first `limit` vertices of a degree outside `vertices` and adjacent to none of them."""
        block = self._degrees.filter(self._degrees.degree == degree).select("vertex")
        free = block.anti_join(as_table(vertex=vertices), "vertex").anti_join(self._near(vertices), "vertex")
        (found,) = self._ask(free.order_by("vertex").limit(max(limit, 0)))
        return np.sort(found)

    def _near(self, vertices: Ints) -> ir.Table:
        """Return a row for each neighbour: the place of the asked vertex, and the neighbour."""
        places = np.arange(vertices.size)
        up = self._edges.join(as_table(low=vertices, place=places), "low").select("place", vertex="high")
        down = self._edges.join(as_table(high=vertices, place=places), "high").select("place", vertex="low")
        return up.union(down)

    def _counted(self) -> ir.Table:
        """Return the degrees of all vertices, kept in the backend."""
        import ibis

        ends = self._edges.select(vertex="low", one="high").union(self._edges.select(vertex="high", one="low"))
        # a vertex without edges is a row that counts as none
        alone = all_vertices(self._vertices).mutate(one=ibis.null("int64"))
        return keep(self._connection, ends.union(alone).group_by("vertex").agg(degree=lambda t: t.one.count()))

    def _ask(self, table: ir.Table) -> list[Ints]:
        return as_arrays(self._connection, table)


def check_canonical(connection: Any, edges: ir.Table, vertex_count: int) -> None:
    """Refuse an edge table that is not canonical.

    Raises
    ------
    InvalidInput
        If columns are missing or no integers, a vertex is missing or outside 0 to `vertex_count`-1, or there is a loop,
        a repeated edge, or one with its ends the wrong way round.

    Notes
    -----
    Two passes over the table; the second groups it by edge, O(m) space in the backend.
    """
    schema = edges.schema()
    if not all(name in schema and schema[name].is_integer() for name in ("low", "high")):
        raise InvalidInput("an edge table needs integer columns low and high; edge_table.normalise makes them")
    wrong = edges.filter(
        edges.low.isnull() | edges.high.isnull() | (edges.low < 0) | (edges.low >= edges.high)
        | (edges.high >= vertex_count)
    )  # fmt: skip
    if number := as_number(connection, wrong.count()):
        raise InvalidInput(
            f"{number} rows of the edge table are no canonical edge (0 <= low < high < {vertex_count}); "
            "pass it through edge_table.normalise"
        )
    repeated = edges.group_by("low", "high").agg(times=lambda t: t.count()).filter(lambda t: t.times > 1)
    if number := as_number(connection, repeated.count()):
        raise InvalidInput(f"{number} edges occur more than once; pass the table through edge_table.normalise")
