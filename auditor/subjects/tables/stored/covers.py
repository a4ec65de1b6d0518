"""Which stored marginals cover which: the edges of the lattice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from auditor.subjects.tables.stored.marginals import marginal_id

if TYPE_CHECKING:
    from neo4j import ManagedTransaction

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


def link_marginal(tx: ManagedTransaction, data: str, axes: Sequence[int]) -> None:
    """Note which stored marginals a stored one covers, and which cover it: those with one variable less or more.

    Marginals with merged categories have no place in the lattice, and no covers.
    """
    tx.run(_LINK, id=marginal_id(data, axes), data=data).consume()
