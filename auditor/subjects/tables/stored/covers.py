"""Which stored marginals cover which: the edges of the lattice, as far as somebody worked them out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from auditor.subjects.tables.stored.marginals import marginal_id

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

_BATCH = 1_000

# write
_WRITE_COVERS = """
UNWIND $pairs AS pair
MATCH (a:AuditorMarginal {id: pair[0]})
MATCH (b:AuditorMarginal {id: pair[1]})
MERGE (a)-[:COVERS]->(b)
"""
# write: both ways, with what is stored of one variable more or less
_LINK = """
MATCH (m:AuditorMarginal {id: $id})
MATCH (other:AuditorMarginal {data: $data})
WHERE abs(size(other.axes) - size(m.axes)) = 1 AND m.groups IS NULL AND other.groups IS NULL
WITH CASE WHEN size(other.axes) > size(m.axes) THEN other ELSE m END AS above,
     CASE WHEN size(other.axes) > size(m.axes) THEN m ELSE other END AS below
WHERE all(axis IN below.axes WHERE axis IN above.axes)
MERGE (above)-[:COVERS]->(below)
"""
# read
_READ_COVERS = """
MATCH (a:AuditorMarginal {data: $data})-[:COVERS]->(b:AuditorMarginal)
RETURN a.axes AS above, b.axes AS below
"""


def write_covers(tx: ManagedTransaction, data: str, pairs: Iterable[tuple[Sequence[int], Sequence[int]]]) -> None:
    """Note that marginals cover others: (the larger set of variables, the smaller one); both are stored already."""
    rows = [[marginal_id(data, above), marginal_id(data, below)] for above, below in pairs]
    for start in range(0, len(rows), _BATCH):
        tx.run(_WRITE_COVERS, pairs=rows[start : start + _BATCH]).consume()


def link_marginal(tx: ManagedTransaction, data: str, axes: Sequence[int]) -> None:
    """Note which stored marginals a stored one covers, and which cover it: those with one variable less or more.

    Marginals with merged categories have no place in the lattice, and no covers.
    """
    tx.run(_LINK, id=marginal_id(data, axes), data=data).consume()


def read_covers(tx: ManagedTransaction, data: str) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Return which stored marginals cover which, as :func:`write_covers` wrote it, in order."""
    return sorted((tuple(record["above"]), tuple(record["below"])) for record in tx.run(_READ_COVERS, data=data))
