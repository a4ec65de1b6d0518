"""The schema on a real store: made once, by whoever comes first, and never by an older program."""

from __future__ import annotations

import multiprocessing

import pytest

from auditor.config import Settings
from auditor.core.errors import StoreCorrupt, StoreError
from auditor.store.connection import Connection
from auditor.store.opening import Store, open_store
from auditor.store.schema.head import MIGRATIONS, SCHEMA_VERSION, Migration, ensure_schema, read_head

pytestmark = pytest.mark.neo4j


def _open(settings: Settings) -> None:
    with open_store(settings) as store:
        assert store.info().schema == SCHEMA_VERSION


def test_several_processes_make_the_schema_at_once(neo4j_connection: Connection, neo4j_settings: Settings) -> None:
    for record in neo4j_connection.read("SHOW CONSTRAINTS YIELD name"):
        neo4j_connection.execute(f"DROP CONSTRAINT {record['name']}")
    processes = [multiprocessing.get_context("fork").Process(target=_open, args=(neo4j_settings,)) for _ in range(4)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    assert [process.exitcode for process in processes] == [0] * 4
    assert neo4j_connection.read("MATCH (s:AuditorStore) RETURN count(s) AS n")[0]["n"] == 1
    made = neo4j_connection.read("SHOW CONSTRAINTS YIELD name RETURN count(*) AS n")[0]["n"]
    statements = [statement for migration in MIGRATIONS for statement in migration.statements]
    assert made == sum("CONSTRAINT" in statement for statement in statements)


def test_every_index_answers_when_the_store_is_open(store: Store) -> None:
    states = {record["state"] for record in store.connection.read("SHOW INDEXES YIELD state")}
    assert states == {"ONLINE"}


def test_a_store_from_before_tables_gets_them(store: Store, neo4j_settings: Settings) -> None:
    store.connection.execute("MATCH (s:AuditorStore) SET s.schema = 1")
    for record in store.connection.read("SHOW CONSTRAINTS YIELD name, labelsOrTypes"):
        if set(record["labelsOrTypes"]) & {"AuditorTable", "AuditorTableData", "AuditorMarginal"}:
            store.connection.execute(f"DROP CONSTRAINT {record['name']}")
    _open(neo4j_settings)
    labels = {record["l"][0] for record in store.connection.read("SHOW CONSTRAINTS YIELD labelsOrTypes AS l")}
    assert labels >= {"AuditorNetwork", "AuditorTable", "AuditorTablePopulation", "AuditorMarginal", "AuditorRelease"}


def test_a_newer_store_is_left_alone(store: Store, neo4j_settings: Settings) -> None:
    store.connection.execute("MATCH (s:AuditorStore) SET s.schema = 99")
    with pytest.raises(StoreError, match="schema 99"):
        open_store(neo4j_settings)


def test_a_migration_changes_the_data_once(store: Store) -> None:
    ran: list[int] = []
    newest = SCHEMA_VERSION
    steps = (
        *MIGRATIONS,
        Migration(newest + 1, ("CREATE INDEX extra IF NOT EXISTS FOR (n:Extra) ON (n.x)",), lambda tx: ran.append(1)),
        Migration(newest + 2, (), lambda tx: tx.run("CREATE (:Extra {x: 1})").consume() and None),
    )
    for _ in range(2):
        ensure_schema(store.connection, steps)
    assert ran == [1]
    assert store.connection.read("MATCH (n:Extra) RETURN count(n) AS n")[0]["n"] == 1
    assert read_head(store.connection).schema == newest + 2
    store.connection.execute("DROP INDEX extra")


def test_a_store_that_is_in_use_tells_of_its_new_schema_in_the_ledger(store: Store) -> None:
    step = (*MIGRATIONS, Migration(SCHEMA_VERSION + 1, ()))
    store.connection.write(lambda tx: store.ledger.append(tx, "audit", {}, actor="ada"))
    for _ in range(2):
        ensure_schema(store.connection, step)
    assert [(entry.kind, entry.payload) for entry in store.ledger.show(limit=1)] == [
        ("schema_changed", f'{{"schema":{SCHEMA_VERSION + 1}}}')
    ]
    assert read_head(store.connection).entries == 2
    assert store.ledger.verify().intact


def test_a_migration_that_fails_leaves_the_version(store: Store) -> None:
    def fail(tx: object) -> None:
        tx.run("CREATE (:Extra)").consume()  # type: ignore[attr-defined]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ensure_schema(store.connection, (*MIGRATIONS, Migration(SCHEMA_VERSION + 1, (), fail)))
    assert read_head(store.connection).schema == SCHEMA_VERSION
    assert store.connection.read("MATCH (n:Extra) RETURN count(n) AS n")[0]["n"] == 0


def test_a_store_without_its_node_says_so(store: Store) -> None:
    store.connection.execute("MATCH (s:AuditorStore) DELETE s")
    with pytest.raises(StoreCorrupt):
        store.ledger.verify()
