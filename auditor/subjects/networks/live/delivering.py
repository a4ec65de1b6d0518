"""Put a released network into a graph database: staged, read back, compared, and shown by one transaction.

What is staged has a label of its own, and a node that says whose work it is: `AuditorDelivery`. The one transaction
that shows it only adds the label that was asked for, since a server holds all that a transaction changes in memory;
what is to go with it goes afterwards, in small ones. Whoever delivers next completes or removes what was left by a
process that is gone.
"""

from __future__ import annotations

import uuid
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from auditor.core.errors import AlreadyExists, BadInput, StoreConflict, StoreError, VerificationFailed
from auditor.core.progress import Progress
from auditor.core.transactions import Transaction
from auditor.formats.networks.loaded import LoadedNetwork
from auditor.store.owner import LEASE_MILLISECONDS
from auditor.subjects.networks.checksum import network_checksum
from auditor.subjects.networks.live.opening import LiveGraph
from auditor.subjects.networks.live.projection import Projection, quoted
from auditor.subjects.networks.live.reading import read_graph

if TYPE_CHECKING:
    from auditor.store.connection import Connection

STAGE = "AuditorDelivering"
"""Label of what is not shown yet."""
REPLACED = "AuditorReplaced"
"""Label of what is not shown any more."""
_OWN = ("id", "delivery")
_VERTICES, _EDGES = 20_000, 50_000

# write: what is not renewed for so long is nobody's any more
_ABANDONED = (
    "MATCH (d:AuditorDelivery) WHERE d.lease < timestamp() RETURN d.token AS token, d.shown IS NOT NULL AS is_shown"
)
_BEGIN = "CREATE (d:AuditorDelivery {token: $token, lease: timestamp() + $lease})"
_RENEW = "MATCH (d:AuditorDelivery {token: $token}) SET d.lease = timestamp() + $lease RETURN count(d) AS held"
_VERTEX = f"""
UNWIND range(0, size($rows) - 1) AS at
CREATE (n:{STAGE}) SET n = $rows[at], n.delivery = $token
RETURN at, elementId(n) AS element
"""
_SHOWN = "MATCH (d:AuditorDelivery {token: $token}) SET d.shown = true RETURN count(d) AS held"
_IS_SHOWN = "MATCH (d:AuditorDelivery {token: $token, shown: true}) RETURN d"
_ROWS = "IN TRANSACTIONS OF 10000 ROWS"
_REMOVE = f"MATCH (n:{STAGE} {{delivery: $token}}) CALL (n) {{ DETACH DELETE n }} {_ROWS}"
_REMOVE_REPLACED = f"MATCH (n:{REPLACED}) CALL (n) {{ DETACH DELETE n }} {_ROWS}"
_SETTLE = f"MATCH (n:{STAGE} {{delivery: $token}}) CALL (n) {{ REMOVE n:{STAGE} REMOVE n.delivery }} {_ROWS}"
_FORGET = "MATCH (d:AuditorDelivery {token: $token}) DELETE d"
_TIES = f"MATCH (:{STAGE} {{delivery: $token}})-[r]->() RETURN count(r) AS ties"


def deliver(
    connection: Connection,
    released: LoadedNetwork,
    *,
    label: str,
    relationship: str,
    replace: bool,
    progress: Progress,
) -> None:
    """Put a network into a graph database under a label that nobody sees before it is whole and was compared.

    Parameters
    ----------
    connection : Connection
        To the graph database, by a user who may write.
    released : LoadedNetwork
        As it was read from the released file.
    label, relationship : str
        Label of the vertices, with their published id as ``id``, and type of the ties.
    replace : bool
        Whether what has the label loses it in the transaction in which the network appears, and is deleted after it.
    progress : callable
        Told what is being done, and how much of it is done.

    Raises
    ------
    AlreadyExists
        If nodes have the label.
    BadInput
        If a name cannot be used.
    VerificationFailed
        If what is in the database is not what is in the file: nothing is shown then.
    StoreUnavailable, StoreError
        If the database cannot do it: nothing is shown then.

    Notes
    -----
    Transactions of 20 000 vertices or 50 000 ties; the one that shows it adds a label to every vertex, in the memory of
    the server.
    """
    # both are names, as labels and types of a projection are
    Projection((label,), (relationship,), attributes=tuple(released.attributes))
    if label in (STAGE, REPLACED) or any(name in _OWN for name in released.attributes):
        raise BadInput(
            f"an attribute may not be called {' or '.join(_OWN)}, nor the label {STAGE} or {REPLACED}; "
            "choose another name"
        )
    for record in connection.read(_ABANDONED):
        (_settle if record["is_shown"] else _remove)(connection, record["token"])
    token = str(uuid.uuid4())
    connection.write(lambda tx: _begin(tx, label, token, replace))
    try:
        _stage(connection, released, token, relationship, progress)
        progress("read back", 0, 0)
        _compare(connection, released, token, relationship)
        progress("show", 0, 0)
        connection.write(lambda tx: _show(tx, label, token, released.graph.n, replace))
    except BaseException:
        # what cannot be deleted now, the next delivery deletes
        with suppress(StoreError):
            _remove_unless_shown(connection, token)
        raise
    # it is shown: what cannot be tidied up now, the next delivery tidies up
    with suppress(StoreError):
        _settle(connection, token)


def _remove_unless_shown(connection: Connection, token: str) -> None:
    """Remove what was staged; what was shown after all, though the answer was lost, stays."""
    (_settle if connection.read(_IS_SHOWN, token=token) else _remove)(connection, token)


def _remove(connection: Connection, token: str) -> None:
    connection.execute(_REMOVE, token=token)
    connection.write(lambda tx: tx.run(_FORGET, token=token).consume())


def _settle(connection: Connection, token: str) -> None:
    """Take away what only the delivery needed, and what it replaced."""
    connection.execute(_REMOVE_REPLACED)
    connection.execute(_SETTLE, token=token)
    connection.write(lambda tx: tx.run(_FORGET, token=token).consume())


def _begin(tx: Transaction, label: str, token: str, replace: bool) -> None:
    _check_free(tx, label, replace)
    tx.run(_BEGIN, token=token, lease=LEASE_MILLISECONDS).consume()


def _check_free(tx: Transaction, label: str, replace: bool) -> None:
    found = tx.run(f"RETURN EXISTS {{ MATCH (:{quoted([label])}) }} AS found").single(strict=True)["found"]
    if found and not replace:
        raise AlreadyExists(f"the graph has nodes labelled {label} already; choose another label, or say --replace")


def _stage(connection: Connection, released: LoadedNetwork, token: str, relationship: str, progress: Progress) -> None:
    n, edges = released.graph.n, released.graph.edges
    columns = {"id": released.labels.tolist(), **{name: held.tolist() for name, held in released.attributes.items()}}
    elements: list[str] = [""] * n

    def written(query: str, rows: list[Any]) -> list[Any]:
        def work(tx: Transaction) -> list[Any]:
            renewed = tx.run(_RENEW, token=token, lease=LEASE_MILLISECONDS).single(strict=True)
            if not renewed["held"]:
                raise StoreConflict("this delivery was taken for abandoned by another process; run it again")
            return list(tx.run(query, token=token, rows=rows))

        return connection.write(work)

    for start in range(0, n, _VERTICES):
        progress("write vertices", start, n)
        end = min(n, start + _VERTICES)
        rows = [{name: column[v] for name, column in columns.items()} for v in range(start, end)]
        for record in written(_VERTEX, rows):
            elements[start + record["at"]] = record["element"]
    tie = f"""
UNWIND $rows AS row
MATCH (low) WHERE elementId(low) = row[0]
MATCH (high) WHERE elementId(high) = row[1]
CREATE (low)-[:{quoted([relationship])}]->(high)
"""
    for start in range(0, len(edges), _EDGES):
        progress("write ties", start, len(edges))
        written(tie, [[elements[low], elements[high]] for low, high in edges[start : start + _EDGES].tolist()])


def _compare(connection: Connection, released: LoadedNetwork, token: str, relationship: str) -> None:
    """Read what is in the database, and compare it with the file."""
    staged = Projection(
        (STAGE,), (relationship,), where=f"n.delivery = '{token}'", key="id", attributes=tuple(released.attributes)
    )
    read = read_graph(LiveGraph(connection), staged, "what was written")
    (record,) = connection.read(_TIES, token=token)
    labels = released.labels if released.labels.dtype == read.labels.dtype else released.labels.astype(str)
    same = np.array_equal(labels, read.labels) and network_checksum(read) == network_checksum(released)
    if not same or record["ties"] != released.graph.m:
        raise VerificationFailed("what was written to the graph is not what is in the file; nothing was shown")


def _show(tx: Transaction, label: str, token: str, n: int, replace: bool) -> None:
    if tx.run(_IS_SHOWN, token=token).single() is not None:
        # tried again, because the answer was lost
        return
    _check_free(tx, label, replace)
    if replace:
        tx.run(f"MATCH (n:{quoted([label])}) SET n:{REPLACED} REMOVE n:{quoted([label])}").consume()
    shown = tx.run(
        f"MATCH (n:{STAGE} {{delivery: $token}}) SET n:{quoted([label])} RETURN count(n) AS shown", token=token
    ).single(strict=True)["shown"]
    held = tx.run(_SHOWN, token=token).single(strict=True)["held"]
    if shown != n or not held:
        raise StoreConflict("this delivery was taken for abandoned by another process; run it again")
