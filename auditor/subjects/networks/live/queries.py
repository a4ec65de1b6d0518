"""Cypher of a projection. Names are quoted; conditions are the owner's own Cypher, run with reading access alone."""

from auditor.subjects.networks.live.projection import Projection, quoted


def block_query(projection: Projection) -> str:
    """Return the query of how many vertices have each degree, as ``degree`` and ``size``.

    Notes
    -----
    Takes ``$least``. O(relationships) in the database; only neighbours of one vertex are held at a time.
    """
    labels, types = quoted(projection.labels), quoted(projection.types)
    # `n` is bound anew for a neighbour, so that the one condition holds for both
    if projection.through:
        path = f"(vertex_)-[:{types}]-(shared_:{quoted(projection.through)})-[:{types}]-(other_:{labels})"
        ties = "count(DISTINCT shared_)"
    else:
        path = f"(vertex_)-[r:{types}]-(other_:{labels})"
        ties = "count(r)" if projection.weight is None else f"sum(r.{quoted([projection.weight])})"
    condition = "" if projection.where_relationship is None else f" AND ({projection.where_relationship}\n)"
    if projection.is_plain:
        neighbours, kept = "WITH DISTINCT other_ AS n", []
    else:
        neighbours, kept = f"WITH other_ AS n, {ties} AS ties_", ["ties_ >= $least"]
    if projection.where is not None:
        kept.append(f"({projection.where}\n)")
    where = f" WHERE {' AND '.join(kept)}" if kept else ""
    return f"""
{_vertices(projection)}
WITH n AS vertex_
WITH COUNT {{
  MATCH {path} WHERE other_ <> vertex_{condition}
  {neighbours}{where}
  RETURN n
}} AS degree
RETURN degree, count(*) AS size
"""


def rows_query(projection: Projection) -> str:
    """Return the query of the vertices: ``element``, ``key``, ``attributes``, and ``others`` (with their weights).

    Notes
    -----
    One row a vertex with all relationships that begin there (with `through`: whatever the direction): the server holds
    those of one vertex at a time. Others that are no vertices are for the reader to leave out.
    """
    types = quoted(projection.types)
    key = "null" if projection.key is None else f"n.{quoted([projection.key])}"
    attributes = ", ".join(f"toStringOrNull(n.{quoted([name])})" for name in projection.attributes)
    if projection.through:
        others = f"[(n)-[:{types}]-(m:{quoted(projection.through)}) | elementId(m)]"
    else:
        condition = "" if projection.where_relationship is None else f" WHERE ({projection.where_relationship}\n)"
        value = "elementId(m)"
        if projection.weight is not None:
            value = f"[elementId(m), r.{quoted([projection.weight])}]"
        others = f"[(n)-[r:{types}]->(m:{quoted(projection.labels)}){condition} | {value}]"
    return f"""
{_vertices(projection)}
RETURN elementId(n) AS element, {key} AS key, [{attributes}] AS attributes, {others} AS others
"""


def unweighted_query(projection: Projection) -> str:
    """Return the query of whether a relationship has no number as its weight."""
    labels, types = quoted(projection.labels), quoted(projection.types)
    assert projection.weight is not None
    condition = "" if projection.where_relationship is None else f"({projection.where_relationship}\n) AND "
    return f"""
RETURN EXISTS {{
  MATCH (:{labels})-[r:{types}]->(:{labels})
  WHERE {condition}NOT r.{quoted([projection.weight])} IS :: INTEGER NOT NULL | FLOAT NOT NULL
}} AS found
"""


def _vertices(projection: Projection) -> str:
    condition = "" if projection.where is None else f" WHERE ({projection.where}\n)"
    return f"MATCH (n:{quoted(projection.labels)}){condition}"
