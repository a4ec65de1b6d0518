"""Locks of nodes: who waits for one gets it, and is not thrown out to try again a second later."""

from __future__ import annotations

import threading

import pytest

from auditor.store import nodes
from auditor.store.connection import Connection, ManagedTransaction
from auditor.store.opening import Store
from auditor.store.schema import head as schema
from auditor.store.schema.head import ensure_schema
from auditor.subjects.tables.stored import rows as table_rows

pytestmark = pytest.mark.neo4j

CHAIN = (
    "CREATE (:AuditorTable {name: 'x'})-[:HOLDS]->(:AuditorTableData {id: 'd'})"
    "-[:OF]->(:AuditorTablePopulation {id: 'p', n: 0})"
)
LOCKS = {
    "store": (schema._LOCK, "RETURN 1", "MATCH (n:AuditorStore) SET n.n = coalesce(n.n, 0) + 1"),
    "population": (table_rows._LOCK, CHAIN, "MATCH (n:AuditorTablePopulation) SET n.n = n.n + 1"),
    **{
        label: (
            nodes._LOCK.format(label=label),
            f"CREATE (:{label} {{id: 'x', n: 0}})",
            f"MATCH (n:{label} {{id: 'x'}}) SET n.n = n.n + 1",
        )
        for label in ("AuditorTick", "AuditorJob", "AuditorMessage")
    },
}


@pytest.mark.parametrize("node", LOCKS)
def test_who_waits_for_a_lock_gets_it(neo4j_connection: Connection, node: str) -> None:
    lock, create, change = LOCKS[node]
    ensure_schema(neo4j_connection)
    neo4j_connection.execute(create)
    held, tried = threading.Event(), []

    def hold(tx: ManagedTransaction) -> None:
        tx.run(lock, id="x", name="x").consume()
        held.set()
        waiter.join(0.5)
        assert waiter.is_alive()
        tx.run(change).consume()
        # as if it were taken twice in a transaction
        tx.run(lock, id="x", name="x").consume()

    def wait(tx: ManagedTransaction) -> None:
        tried.append(held.is_set())
        tx.run(lock, id="x", name="x").consume()
        tx.run(change).consume()

    def waiting() -> None:
        held.wait()
        neo4j_connection.write(wait)

    waiter = threading.Thread(target=waiting)
    waiter.start()
    neo4j_connection.write(hold)
    waiter.join()
    assert tried == [True]
    label = change.removeprefix("MATCH (n:").split(")")[0].split(" ")[0]
    assert neo4j_connection.read(f"MATCH (n:{label}) RETURN n.n AS n")[0]["n"] == 2


def test_under_the_lock_every_write_is_counted(neo4j_connection: Connection) -> None:
    ensure_schema(neo4j_connection)
    store = Store(neo4j_connection)
    seen = "MATCH (s:AuditorStore) RETURN s.writes AS n"
    before = neo4j_connection.read(seen)[0]["n"]
    for _ in range(2):
        neo4j_connection.write(lambda tx: store.ledger.append(tx, "demo", {}, actor="ada"))
    assert neo4j_connection.read(seen)[0]["n"] > before
