"""Networks that nobody sees any more: removed ones and loads that were abandoned, deleted in batches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from auditor.core.progress import Progress
from auditor.core.transactions import Transaction
from auditor.store.owner import LEASE_MILLISECONDS, Owner
from auditor.store.schema.head import lock_store
from auditor.subjects.networks.parts import vertex_ranges

if TYPE_CHECKING:
    from auditor.store.connection import Connection

_VERTICES = 20_000
_EDGES = 40_000

# read
_LEFTOVERS = """
MATCH (l:AuditorLoadingNetwork|AuditorRemovedNetwork)
RETURN l.id AS network, l.owner AS owner, l.lease - timestamp() AS lease_left
"""
# write
_TAKE = """
MATCH (l:AuditorLoadingNetwork|AuditorRemovedNetwork {id: $network}) WHERE l.owner = $found
REMOVE l:AuditorLoadingNetwork SET l:AuditorRemovedNetwork
REMOVE l.name SET l.owner = $owner, l.lease = timestamp() + $lease
RETURN count(l) AS taken
"""
# write
_RENEW = "MATCH (l:AuditorRemovedNetwork {id: $network}) WHERE l.owner = $owner SET l.lease = timestamp() + $lease"
# write
_DELETE_EDGES = """
MATCH (v:AuditorVertex)-[tie:TIE]->() WHERE v.network = $network AND v.index >= $start AND v.index < $end
WITH tie LIMIT $limit
DELETE tie
RETURN count(*) AS deleted
"""
# write
_DELETE_VERTICES = """
MATCH (v:AuditorVertex) WHERE v.network = $network AND v.index >= 0
WITH v LIMIT $limit
DETACH DELETE v
RETURN count(*) AS deleted
"""
# write
_DELETE_NETWORK = "MATCH (l:AuditorRemovedNetwork {id: $network}) DETACH DELETE l"


def delete_leftovers(connection: Connection, progress: Progress) -> int:
    """Delete what processes that no longer live left behind, and return how many networks that were.

    Notes
    -----
    One small query where there is nothing to do.
    """
    found = [
        record for record in connection.read(_LEFTOVERS) if not Owner.parse(record["owner"]).lives(record["lease_left"])
    ]
    deleted = 0
    for record in found:
        with Owner.working() as owner:
            if _take(connection, record["network"], record["owner"], owner):
                progress("clean up", deleted, len(found))
                delete_content(connection, record["network"], owner)
                deleted += 1
    return deleted


def _take(connection: Connection, network: int, found: str, owner: Owner) -> bool:
    """Make `owner` the one who deletes; False if somebody else was faster."""

    def work(tx: Transaction) -> bool:
        lock_store(tx, allow_unfinished_restore=True)
        values = {"network": network, "found": found, "owner": owner.text, "lease": LEASE_MILLISECONDS}
        return bool(tx.run(_TAKE, values).single(strict=True)["taken"])

    return connection.write(work)


def delete_content(connection: Connection, network: int, owner: Owner) -> None:
    """Delete the vertices and edges of a network that is marked as removed, then its node.

    Notes
    -----
    Edges first: deleting a vertex with all its edges takes memory by its degree. May be run again at any time.
    """

    def delete(query: str, limit: int, **parameters: int) -> None:
        deleted = limit
        while deleted == limit:
            deleted = connection.write(lambda tx: _batch(tx, query, {"network": network, "limit": limit, **parameters}))

    def _batch(tx: Transaction, query: str, parameters: dict[str, int]) -> int:
        tx.run(_RENEW, network=network, owner=owner.text, lease=LEASE_MILLISECONDS).consume()
        return int(tx.run(query, parameters).single(strict=True)["deleted"])

    for start, end in vertex_ranges(connection, network, _VERTICES, _EDGES):
        delete(_DELETE_EDGES, _EDGES, start=start, end=end)
    delete(_DELETE_VERTICES, _VERTICES)
    connection.write(lambda tx: tx.run(_DELETE_NETWORK, network=network).consume())
