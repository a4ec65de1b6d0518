"""The connection on a real Neo4j: transactions, errors in our words, a line that is cut."""

from __future__ import annotations

import socket
import time
import warnings
from typing import NoReturn

import pytest

from auditor.config import Settings, StoreSettings
from auditor.core.errors import StoreConflict, StoreError, StoreUnavailable
from auditor.store.connection import Connection, ManagedTransaction, QueryNotification
from auditor.store.local import ensure_running
from tests.support.cut_line import CutLine

pytestmark = pytest.mark.neo4j

PROTECTED = "Ada Lovelace"


def elsewhere(settings: Settings, port: int, **changes: object) -> Settings:
    """Settings of the same server, reached as a server of the team is."""
    endpoint = ensure_running(settings)
    values = {"url": f"bolt://127.0.0.1:{port}", "password": endpoint.password, "retry_time": 0.5, **changes}
    return settings.model_copy(update={"store": StoreSettings.model_validate(values)})


def port_of(settings: Settings) -> int:
    return int(ensure_running(settings).url.rpartition(":")[2])


def count(connection: Connection) -> int:
    return int(connection.read("MATCH (t:Thing) RETURN count(t) AS n")[0]["n"])


def add_thing(transaction: ManagedTransaction) -> None:
    transaction.run("CREATE (:Thing {name: $name})", name=PROTECTED).consume()


def test_reads_writes_and_streams(neo4j_connection: Connection) -> None:
    assert neo4j_connection.write(lambda transaction: add_thing(transaction) or "done") == "done"
    assert count(neo4j_connection) == 1
    assert neo4j_connection.read_transaction(lambda transaction: len(list(transaction.run("RETURN 1")))) == 1
    numbers = [record["i"] for record in neo4j_connection.stream("UNWIND range(1, $n) AS i RETURN i", n=5000)]
    assert numbers == list(range(1, 5001))
    removed = neo4j_connection.execute("MATCH (t:Thing) CALL (t) { DELETE t } IN TRANSACTIONS RETURN count(*) AS n")
    assert removed[0]["n"] == 1


def test_each_test_finds_an_emptied_store(neo4j_connection: Connection) -> None:
    assert neo4j_connection.read("MATCH (n) RETURN count(n) AS n")[0]["n"] == 0


def test_an_error_inside_a_transaction_rolls_everything_back(neo4j_connection: Connection) -> None:
    def work(transaction: ManagedTransaction) -> NoReturn:
        add_thing(transaction)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        neo4j_connection.write(work)
    assert count(neo4j_connection) == 0


def test_reading_cannot_write(neo4j_connection: Connection) -> None:
    with pytest.raises(StoreError, match=r"refused a query \(Neo\.ClientError\.Statement\.AccessMode\)"):
        neo4j_connection.read("CREATE (:Thing)")
    assert count(neo4j_connection) == 0


def test_a_broken_constraint_is_a_conflict_and_does_not_show_the_value(neo4j_connection: Connection) -> None:
    neo4j_connection.execute("CREATE CONSTRAINT thing IF NOT EXISTS FOR (t:Thing) REQUIRE t.name IS UNIQUE")
    try:
        neo4j_connection.write(add_thing)
        with pytest.raises(StoreConflict) as caught:
            neo4j_connection.write(add_thing)
        assert PROTECTED not in str(caught.value)
    finally:
        neo4j_connection.execute("DROP CONSTRAINT thing")


def test_a_wrong_query_is_told_as_our_bug_without_its_text(neo4j_connection: Connection) -> None:
    with pytest.raises(StoreError, match=r"SyntaxError.*please report it") as caught:
        neo4j_connection.read(f"MATCH '{PROTECTED}'")
    assert PROTECTED not in str(caught.value)


def test_a_doubtful_query_is_an_error_in_tests_and_silent_in_production(
    neo4j_settings: Settings, neo4j_connection: Connection
) -> None:
    doubtful = "MATCH (a:Thing), (b:Thing) RETURN count(*) AS n"
    with pytest.raises(QueryNotification):
        neo4j_connection.read(doubtful)
    production = elsewhere(neo4j_settings, port_of(neo4j_settings))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with Connection.open(production) as connection:
            assert connection.read(doubtful)[0]["n"] == 0


def test_a_transaction_that_takes_too_long_is_ended(neo4j_settings: Settings, neo4j_connection: Connection) -> None:
    hasty = elsewhere(neo4j_settings, port_of(neo4j_settings), transaction_timeout=0.5)
    endless = "UNWIND range(1, 1000000000) AS i WITH i WHERE i % 2 = 3 RETURN count(i) AS n"
    with Connection.open(hasty) as connection:
        with pytest.raises(StoreError, match=r"longer than 0\.5 s"):
            connection.read(endless)
        with pytest.raises(StoreError, match=r"longer than 0\.5 s"):
            list(connection.stream(endless))


def test_a_server_that_is_down_is_told(neo4j_settings: Settings) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(StoreUnavailable, match=rf"^Neo4j at bolt://127\.0\.0\.1:{port} does not answer"):
        Connection.open(elsewhere(neo4j_settings, port))


def test_a_server_that_accepts_and_says_nothing_is_given_up(neo4j_settings: Settings) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        pytest.raises(StoreUnavailable, match="does not answer"),
    ):
        Connection.open(elsewhere(neo4j_settings, silent.getsockname()[1], connection_timeout=0.3))


@pytest.mark.parametrize("url", ["bolt://127.0.0.1:nonsense", "bolt://[::1", "bolt://?x=1#", "neo4j+s://h\u00f6st..:1"])
def test_an_impossible_address_is_told(neo4j_settings: Settings, url: str) -> None:
    store = StoreSettings(url=url)
    with pytest.raises(StoreUnavailable, match=r"cannot be used as the address|does not answer"):
        Connection.open(neo4j_settings.model_copy(update={"store": store}))


def test_a_database_that_does_not_exist_is_told(neo4j_settings: Settings) -> None:
    there = elsewhere(neo4j_settings, port_of(neo4j_settings), database="nowhere")
    with Connection.open(there) as connection, pytest.raises(StoreUnavailable, match="a database named nowhere"):
        connection.read("RETURN 1")


def test_a_line_cut_in_mid_transaction_records_nothing(neo4j_settings: Settings, neo4j_connection: Connection) -> None:
    with CutLine(port_of(neo4j_settings)) as line, Connection.open(elsewhere(neo4j_settings, line.port)) as connection:

        def work(transaction: ManagedTransaction) -> None:
            add_thing(transaction)
            line.cut()
            transaction.run("RETURN 1").consume()

        with pytest.raises(StoreUnavailable, match=r"the connection was lost"):
            connection.write(work)
    deadline = time.monotonic() + 10
    while count(neo4j_connection):
        assert time.monotonic() < deadline


def test_a_line_cut_while_streaming_is_told(neo4j_settings: Settings) -> None:
    with CutLine(port_of(neo4j_settings)) as line, Connection.open(elsewhere(neo4j_settings, line.port)) as connection:
        records = connection.stream("UNWIND range(1, 1000000) AS i RETURN i")
        assert next(records)["i"] == 1
        line.cut()
        with pytest.raises(StoreUnavailable, match=r"the connection was lost"):
            list(records)
