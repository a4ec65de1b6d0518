"""Any edge table made canonical, in the database: simple, undirected, vertices 0 to n-1 in the order of their ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graphkit.errors import InvalidInput
from graphkit.networks.edge_table.vertices import as_number, as_row, distinct_rows, keep
from graphkit.networks.edge_table.view import EdgeTableView
from graphkit.numbers import counted

if TYPE_CHECKING:
    import ibis.expr.types as ir

# with no more vertices, an edge is one number below 2⁶²
_BITS = 31
_PACKED = 1 << _BITS
# integers as a program writes them, of at most 18 digits: they fit into 64 bits
_INTEGER = r"^(0|-?[1-9][0-9]{0,17})$"


@dataclass(frozen=True, slots=True, eq=False)
class EdgeTable:
    """A canonical edge table: each edge once, ``low`` < ``high``, vertices 0 to `vertex_count`-1."""

    connection: Any
    """The backend that holds the tables."""
    edges: ir.Table
    """Columns ``low`` and ``high``; kept in the backend."""
    vertex_count: int
    edge_count: int
    ids: ir.Table | None
    """Columns ``vertex`` and ``id``, what each vertex was called; None where that is its number. Protected."""
    loops: int = 0
    """Rows left out because both ends were the same."""
    repeated: int = 0
    """Rows left out because the edge was there already, in either direction."""
    reversed: int = 0
    """Of these: edges that are there in both directions, counted once each."""
    degrees: ir.Table | None = None
    """Columns ``vertex`` and ``degree``, where they were counted with the ids."""

    def view(self) -> EdgeTableView:
        """Return the graph as an engine sees it."""
        return EdgeTableView(self.connection, self.edges, self.vertex_count, is_canonical=True, degrees=self.degrees)


def normalise(connection: Any, edges: ir.Table, vertices: ir.Table | int | None = None) -> EdgeTable:
    """Return an edge table in canonical form: no loop, no edge twice, vertices numbered in the order of their ids.

    Parameters
    ----------
    connection : ibis.BaseBackend
        Where the table is.
    edges : ibis Table
        Its first two columns are the ends of an edge: integers or text. Directions are forgotten.
    vertices : ibis Table or int, optional
        Where there may be vertices without edges: a table whose first column lists every id once, or a number n that
        says that the ids are 0 to n-1. By default the vertices are the ends of edges, loops included.

    Raises
    ------
    InvalidInput
        If an id is missing or neither integer nor text, an id is listed twice, or an edge names a vertex that is not
        listed.

    Notes
    -----
    Integers are ordered as numbers and text by code point; text that holds nothing but integers counts as integers.
    So a network has the same vertex numbers as when it is read into memory. O(m) space in the backend: the edges are
    joined with the numbered ids, and grouped. Numbering sorts all ids in one place, which bounds how far it scales on a
    cluster (Spark: 2³¹ vertices); ids that are 0 to n-1 already are not numbered again.

    Examples
    --------
    >>> import ibis
    >>> connection = ibis.duckdb.connect()
    >>> table = connection.create_table("knows", ibis.memtable({"a": ["x", "y", "y"], "b": ["y", "x", "z"]}))
    >>> graph = normalise(connection, table)
    >>> graph.vertex_count, graph.edge_count, graph.repeated
    (3, 2, 1)
    """
    ends = _typed(connection, _pairs(edges))
    if vertices is None:
        known = _counted_ids(connection, ends)
        sums = {"ends": known.ends.sum(), "degree": known.degree.sum(), "missing": _missing(known, ["id"]).sum()}
        found = as_row(connection, known.aggregate(**sums))
        if found["missing"]:
            _refuse_missing(connection, ends)
        rows, loops = found["ends"] // 2, (found["ends"] - found["degree"]) // 2
    else:
        found = as_row(connection, ends.aggregate(rows=ends.count(), loops=(ends.one == ends.other).sum()))
        rows, loops = found["rows"], found["loops"]
        _refuse_missing(connection, ends)
        known = None if isinstance(vertices, int) else _listed_ids(connection, ends, vertices)
    if known is None:
        assert isinstance(vertices, int)
        count = vertices
        ids = degrees = None
        _refuse_outside(connection, ends, count)
    else:
        ends, known, is_text = _as_integers(connection, ends, known)
        count, ids, degrees = _numbered(connection, known, is_text=is_text)
    proper = ends.filter(ends.one != ends.other)
    if ids is not None:
        one = ids.select(low="vertex", one="id")
        other = ids.select(high="vertex", other="id")
        joined = proper.join(one, "one").join(other, "other").select("low", "high")
    else:
        joined = proper.select(low="one", high="other")
    simple = _simple(connection, joined, count)
    number = as_number(connection, simple.count())
    repeated = rows - loops - number
    both = _in_both_directions(connection, joined, simple, number) if repeated else 0
    # an edge that is there twice was counted twice
    degrees = None if repeated else degrees
    return EdgeTable(connection, simple.select("low", "high"), count, number, ids, loops, repeated, both, degrees)


def _pairs(edges: ir.Table) -> ir.Table:
    """Return the first two columns as `one` and `other`."""
    if len(edges.columns) < 2:
        raise InvalidInput("an edge table needs two columns, the ends of an edge")
    first, second = edges.columns[:2]
    return edges.select(one=edges[first], other=edges[second])


def _typed(connection: Any, table: ir.Table) -> ir.Table:
    """Return a table whose columns are all int64 or all text."""
    types = [table[name].type() for name in table.columns]
    if not all(kind.is_integer() or kind.is_string() for kind in types):
        raise InvalidInput("ids must be integers or text; convert the columns")
    wanted = "int64"
    if any(kind.is_string() for kind in types):
        wanted = "string"
    elif any(str(kind).lstrip("!") == "uint64" for kind in types):
        largest = max(int(connection.to_pyarrow(table[name].max()).as_py() or 0) for name in table.columns)
        wanted = "string" if largest >= 1 << 63 else "int64"
    return table.select(**{name: table[name].cast(wanted) for name in table.columns})


def _missing(table: ir.Table, names: Sequence[str]) -> ir.BooleanColumn:
    """Return whether an id of a row is missing."""
    missing = None
    for name in names:
        column = table[name]
        absent = column.isnull() | (column == "") if column.type().is_string() else column.isnull()
        missing = absent if missing is None else missing | absent
    return missing


def _refuse_missing(connection: Any, table: ir.Table) -> None:
    if number := as_number(connection, table.filter(_missing(table, table.columns)).count()):
        raise InvalidInput(
            f"an id is missing in {counted(number, 'row', 'rows')}; remove what has none or give the vertices ids"
        )


def _refuse_outside(connection: Any, ends: ir.Table, count: int) -> None:
    if ends.one.type().is_string():
        raise InvalidInput("ids are text, so a number of vertices does not say which they are; list them in a table")
    outside = (ends.one < 0) | (ends.one >= count) | (ends.other < 0) | (ends.other >= count)
    if number := as_number(connection, ends.filter(outside).count()):
        raise InvalidInput(
            f"edges that name a vertex outside 0 to {count - 1}: {number}; say the right number of vertices"
        )


def _counted_ids(connection: Any, ends: ir.Table) -> ir.Table:
    """Return every id once, column `id`, with how many ends it is, `ends`, and how many of edges, `degree`."""
    import ibis

    is_edge = (ends.one != ends.other).cast("int64")
    # one pass over the rows, where a union of both columns is two
    both = ends.select(id=ibis.array([ends.one, ends.other]), is_edge=is_edge)
    both = both.select(id=both.id.unnest(), is_edge="is_edge")
    return keep(connection, both.group_by("id").agg(ends=lambda t: t.count(), degree=lambda t: t.is_edge.sum()))


def _listed_ids(connection: Any, ends: ir.Table, vertices: ir.Table) -> ir.Table:
    """Return every id of a list once, column `id`."""
    named = ends.select(id="one").union(ends.select(id="other")).distinct()
    listed = _typed(connection, vertices.select(id=vertices[vertices.columns[0]]))
    _refuse_missing(connection, listed)
    if listed.id.type() != named.id.type():
        listed, named = listed.mutate(id=listed.id.cast("string")), named.mutate(id=named.id.cast("string"))
    twice = listed.group_by("id").agg(times=lambda t: t.count()).filter(lambda t: t.times > 1)
    if number := as_number(connection, twice.count()):
        raise InvalidInput(f"ids that are listed more than once among the vertices: {number}; list each once")
    if number := as_number(connection, named.anti_join(listed, "id").count()):
        raise InvalidInput(
            f"edges name {counted(number, 'vertex that is', 'vertices that are')} not listed; list every vertex"
        )
    return keep(connection, listed)


def _as_integers(connection: Any, ends: ir.Table, known: ir.Table) -> tuple[ir.Table, ir.Table, bool]:
    """Return ends and ids as integers where all of them are, and whether they are text."""
    if known.id.type().is_string():
        if as_number(connection, known.filter(~known.id.re_search(_INTEGER)).count()):
            return ends.select(one=ends.one.cast("string"), other=ends.other.cast("string")), known, True
        known = keep(connection, known.mutate(id=known.id.cast("int64")))
    return ends.select(one=ends.one.cast("int64"), other=ends.other.cast("int64")), known, False


def _numbered(connection: Any, known: ir.Table, *, is_text: bool) -> tuple[int, ir.Table | None, ir.Table | None]:
    """Return how many distinct ids there are, their numbers (none where they are 0 to n-1 already), and degrees."""
    import ibis

    found = as_row(
        connection,
        known.aggregate(count=known.count(), **({} if is_text else {"least": known.id.min(), "most": known.id.max()})),
    )
    count = found["count"]
    more = {"degree": known.degree} if "degree" in known.columns else {}
    if not is_text and found["least"] >= 0 and found["most"] < max(count, 1):
        return count, None, known.select(vertex=known.id, **more) if more else None
    order = ibis.row_number().over(order_by=known.id)
    kept = keep(connection, known.select(vertex=order, id=known.id, **more))
    # two joins at once would number them twice
    as_number(connection, kept.count())
    # Spark numbers rows with 32 bits, whatever Ibis believes before it sees the table
    vertex = kept.vertex.cast("int64")
    degrees = kept.select(vertex=vertex, degree=kept.degree) if more else None
    return count, kept.select(vertex=vertex, id=kept.id), degrees


def _simple(connection: Any, pairs: ir.Table, count: int) -> ir.Table:
    """Return each edge once, its lower end first, and but in Spark whether it is there in both directions; kept."""
    import ibis

    ends = pairs.select(
        low=ibis.least(pairs.low, pairs.high), high=ibis.greatest(pairs.low, pairs.high), is_up=pairs.low < pairs.high
    )
    if count > _PACKED:
        return keep(connection, _once(connection, ends, ["low", "high"]))
    # as one number an edge is grouped, and kept, in half the room
    packed = ends.select(key=(ends.low << _BITS) | ends.high, is_up=ends.is_up)
    keys = keep(connection, _once(connection, packed, ["key"]))
    more = {"is_both": keys.is_both} if "is_both" in keys.columns else {}
    return keys.select(low=keys.key >> _BITS, high=keys.key & (_PACKED - 1), **more)


def _once(connection: Any, ends: ir.Table, names: list[str]) -> ir.Table:
    """Return the columns `names` without repetition."""
    if connection.name == "pyspark":
        # its way to do so with little memory has no room for a direction
        return distinct_rows(connection, ends.select(*names))
    return ends.group_by(names).agg(is_both=lambda t: t.is_up.min() != t.is_up.max())


def _in_both_directions(connection: Any, pairs: ir.Table, simple: ir.Table, number: int) -> int:
    """Return how many of the `number` edges are there in both directions."""
    if "is_both" in simple.columns:
        return as_number(connection, simple.is_both.sum())
    return as_number(connection, distinct_rows(connection, pairs).count()) - number
