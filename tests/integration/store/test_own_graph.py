"""A database that also holds a graph of the user's own, and stores from before our labels had a prefix."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from neo4j import ManagedTransaction

from auditor.audits.running import run_audit
from auditor.config import Settings
from auditor.policy import Policy
from auditor.store.backups.file import Record
from auditor.store.backups.writing import all_records
from auditor.store.connection import Connection
from auditor.store.opening import Store, open_store
from auditor.store.schema import unprefixed
from auditor.store.schema.contents import hidden_kinds, label_of, node_keys
from auditor.store.schema.head import SCHEMA_VERSION, ensure_schema, read_head
from auditor.subjects.networks.repository import Networks
from auditor.subjects.tables.releases.request import MarginalRequest, answer_request
from auditor.subjects.tables.repository import Tables
from tests.support.store_samples import random_network, same_network
from tests.support.table_samples import loaded_table

pytestmark = pytest.mark.neo4j

OWN = (
    "CREATE (a:Network {name: 'n', id: 7}), (:Audit), (:Vertex {index: 1}), (:Store {key: 1}), (:Entry {seq: 1}), "
    "(:Table {name: 't'})-[:HOLDS]->(:Finding), (a)-[:TIE]->(:Vertex), (:Policy), (:Export), (:Job), (:Session)"
)
OWN_NODES = 12
KINDS = (*node_keys(), *hidden_kinds(), "Store")


@pytest.fixture
def database(neo4j_connection: Connection) -> Iterator[Connection]:
    """An empty database, as it was before anybody opened a store in it."""
    _drop_schema(neo4j_connection)
    yield neo4j_connection
    _drop_schema(neo4j_connection)


def _drop_schema(connection: Connection) -> None:
    for record in connection.read("SHOW CONSTRAINTS YIELD name"):
        connection.execute(f"DROP CONSTRAINT {record['name']}")
    for record in connection.read("SHOW INDEXES YIELD name, type WHERE type <> 'LOOKUP' RETURN name"):
        connection.execute(f"DROP INDEX {record['name']}")


def _fill(store: Store) -> None:
    Networks(store).add("n", random_network(1), source="f", actor="ada")
    Tables(store).add("t", loaded_table(1), source="f", actor="ada")
    for subject in ("network:n", "table:t"):
        run_audit(store, subject, Policy(), trigger="command", actor="ada")
    answer_request(
        store,
        MarginalRequest("t", [loaded_table(1).table.names[0]], Policy(), by="bob", actor="ada"),
        clock=time.monotonic,
    )


def _own(connection: Connection) -> int:
    ours = " AND ".join(f"NOT n:{label_of(kind)}" for kind in KINDS)
    return int(connection.read(f"MATCH (n) WHERE {ours} RETURN count(n) AS n")[0]["n"])


def _records(store: Store) -> list[Record]:
    head = read_head(store.connection)
    return [
        record for record in all_records(store.connection, head, "now") if record["kind"] not in ("backup", "store")
    ]


def _make_unprefixed(connection: Connection) -> None:
    """Give a store the labels and constraints that it would have had up to schema 8."""
    statements = [record["name"] for record in connection.read("SHOW CONSTRAINTS YIELD name")]
    for name in statements:
        connection.execute(f"DROP CONSTRAINT {name}")
    for kind in KINDS:
        connection.execute(f"MATCH (n:{label_of(kind)}) SET n:{kind} REMOVE n:{label_of(kind)}")
    connection.execute("MATCH (s:Store) SET s.schema = 8")
    connection.execute("CREATE CONSTRAINT network_name FOR (n:Network) REQUIRE n.name IS UNIQUE")


def test_a_graph_of_the_users_own_is_neither_read_nor_changed(database: Connection, neo4j_settings: Settings) -> None:
    database.execute(OWN)
    with open_store(neo4j_settings) as store:
        _fill(store)
        assert [network.name for network in Networks(store).list()] == ["n"]
        assert store.info().networks == store.info().tables == 1
        assert store.ledger.verify().intact
        same_network(Networks(store).load("n"), random_network(1))
        Networks(store).remove("n", actor="ada")
    assert _own(database) == OWN_NODES


def test_a_store_from_before_the_prefix_keeps_everything(database: Connection, neo4j_settings: Settings) -> None:
    with open_store(neo4j_settings) as store:
        _fill(store)
        before = _records(store)
    _make_unprefixed(database)
    database.execute("CREATE (:Network {name: 'mine'}), (:Audit), (:Session)")
    with open_store(neo4j_settings) as store:
        after = _records(store)
        assert read_head(store.connection).schema == SCHEMA_VERSION
        assert store.ledger.show(limit=1)[0].kind == "schema_changed"
        assert [record for record in after if record.get("label") != "Entry"] == [
            record for record in before if record.get("label") != "Entry"
        ]
        assert store.ledger.verify().intact
    assert _own(database) == 3
    assert not database.read("SHOW CONSTRAINTS YIELD name WHERE name = 'network_name' RETURN name")


@pytest.mark.parametrize("steps", [0, 5, 40])
def test_a_takeover_that_was_cut_short_is_finished(
    database: Connection, neo4j_settings: Settings, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    with open_store(neo4j_settings) as store:
        _fill(store)
        before = _records(store)
    _make_unprefixed(database)
    left = [steps]
    prefix = unprefixed._prefix

    def cut_short(kind: str, tx: ManagedTransaction) -> int:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return prefix(kind, tx)

    with monkeypatch.context() as patched:
        patched.setattr(unprefixed, "_prefix", cut_short)
        with pytest.raises(KeyboardInterrupt):
            ensure_schema(database)
    # an earlier version of the program refuses what it would not understand
    assert database.read("MATCH (s:Store) RETURN s.schema AS schema")[0]["schema"] > 8
    with open_store(neo4j_settings) as store:
        # an entry about each step of the schema: none is lost
        assert len(_records(store)) == len(before) + SCHEMA_VERSION - unprefixed.FIRST_PREFIXED + 1
        assert store.ledger.verify().intact
